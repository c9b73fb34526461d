/* Checks of statuses, which report the call and its line, and heads of tests. */
#ifndef STENO_TEST_CHECK_H
#define STENO_TEST_CHECK_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "steno/status.h"

/* 1 under the address or thread sanitizer, which report use of freed memory and enlarge stacks. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define IS_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define IS_SANITIZED 1
#    endif
#endif
#ifndef IS_SANITIZED
#    define IS_SANITIZED 0
#endif

static inline void check_ok(stn_status status, const char *label, const char *call,
                            const char *file, int line)
{
    if (status == STN_OK)
        return;
    print_error("%s:%d: %s%s%s: %s: %s\n", file, line, label, *label ? ": " : "", call,
                stn_status_name(status), stn_error());
    _fail(file, line);
}

static inline void check_error(stn_status status, stn_status expected, const char *text,
                               const char *call, const char *file, int line)
{
    if (status != expected)
        print_error("%s:%d: %s: %s, not %s: %s\n", file, line, call, stn_status_name(status),
                    stn_status_name(expected), stn_error());
    else if (text && !strstr(stn_error(), text))
        print_error("%s:%d: %s: '%s' does not contain '%s'\n", file, line, call, stn_error(), text);
    else
        return;
    _fail(file, line);
}

/* The call returns STN_OK; a label says for which case. */
#define expect_ok(call)            check_ok(call, "", #call, __FILE__, __LINE__)
#define expect_ok_for(call, label) check_ok(call, label, #call, __FILE__, __LINE__)

/* The call returns this status with a message that contains the text, if it is not NULL. */
#define expect_error(call, status, text) check_error(call, status, text, #call, __FILE__, __LINE__)

/* Begins a test without a fixture: TEST_CASE(name) { ... } */
#define TEST_CASE(name) static void name(void **unused_ __attribute__((unused)))

/* Defines main: runs tests, each UNIT(name), between setup and teardown, which may be NULL. */
#define UNIT(name) cmocka_unit_test(name)
#define RUN_TESTS(setup, teardown, ...)                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, setup, teardown);                                     \
    }

/* A test that the program runs without listing it: UNIT_TEST(name) { ... } */
#define UNIT_TEST(name) UNIT_TEST_WITH(name, NULL, NULL)
#define UNIT_TEST_WITH(name, setup, teardown)                                                      \
    static void name(void **unused_);                                                              \
    __attribute__((constructor)) static void add_unit_test_##name(void)                            \
    {                                                                                              \
        add_unit_test((struct CMUnitTest){#name, name, setup, teardown, NULL});                    \
    }                                                                                              \
    static void name(void **unused_ __attribute__((unused)))

enum { MAX_UNIT_TESTS = 64 };
static struct CMUnitTest unit_tests[MAX_UNIT_TESTS];
static size_t unit_test_count;

static inline void add_unit_test(struct CMUnitTest test)
{
    if (unit_test_count == MAX_UNIT_TESTS)
        abort();
    unit_tests[unit_test_count++] = test;
}

static inline int run_unit_tests(const char *name, CMFixtureFunction setup,
                                 CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests(name, unit_tests, unit_test_count, setup, teardown);
}

/* Defines main, which runs every UNIT_TEST in the order of the file, between setup and teardown. */
#define RUN_UNIT_TESTS(setup, teardown)                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_unit_tests("tests", setup, teardown);                                           \
    }

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

#endif
