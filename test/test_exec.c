/* Executors: which resource strings name one, and what they say of themselves. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "steno/exec.h"

static void check_good(const char *resource, const char *name, int threads)
{
    stn_exec *exec = NULL;
    if (stn_exec_create(resource, &exec) != STN_OK)
        fail_msg("%s: %s", resource, stn_error());
    assert_non_null(exec);
    assert_string_equal(stn_exec_name(exec), name);
    assert_int_equal(stn_exec_threads(exec), threads);
    stn_exec_release(exec);
}

static void test_good(void **context)
{
    (void)context;
    check_good("reference", "reference", 1);
    check_good("openmp:threads=1", "openmp", 1);
    check_good("openmp:threads=4", "openmp", 4);
    check_good("openmp:threads=1024", "openmp", 1024);
}

static void test_as_many_threads_as_openmp_gives(void **context)
{
    (void)context;
    const int before = omp_get_max_threads();
    for (int threads = 1; threads < 6; threads++) {
        omp_set_num_threads(threads);
        check_good("openmp", "openmp", threads);
    }
    omp_set_num_threads(before);
}

static void test_bad(void **context)
{
    (void)context;
    static const char *const bad[] = {"",
                                      ":",
                                      " ",
                                      "Reference",
                                      "reference ",
                                      " reference",
                                      "reference:",
                                      "reference:threads=1",
                                      "referenc",
                                      "references",
                                      "openmp:",
                                      "openmp2",
                                      "open",
                                      "OPENMP",
                                      "openmp:threads",
                                      "openmp:threads=",
                                      "openmp:threads=0",
                                      "openmp:threads=-1",
                                      "openmp:threads=+2",
                                      "openmp:threads= 2",
                                      "openmp:threads=2 ",
                                      "openmp:threads=2,",
                                      "openmp:threads=2:threads=3",
                                      "openmp:threads=0x2",
                                      "openmp:threads=2.0",
                                      "openmp:threads=1025",
                                      "openmp:threads=9999999",
                                      "openmp:threads=4294967297",
                                      "openmp:threads=99999999999999999999999",
                                      "openmp:thread=2",
                                      "openmp:Threads=2",
                                      "openmp:2",
                                      "cuda:0",
                                      "opencl:0",
                                      "cuda"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int dummy;
        stn_exec *exec = (stn_exec *)(void *)&dummy;
        const stn_status status = stn_exec_create(bad[k], &exec);
        if (status != STN_ERR_ARGUMENT)
            fail_msg("'%s': %s", bad[k], stn_status_name(status));
        assert_null(exec);
        if (!strstr(stn_error(), bad[k]))
            fail_msg("'%s' does not name '%s'", stn_error(), bad[k]);
    }
}

static void test_null(void **context)
{
    (void)context;
    int dummy;
    stn_exec *exec = (stn_exec *)(void *)&dummy;
    assert_int_equal(stn_exec_create(NULL, &exec), STN_ERR_ARGUMENT);
    assert_null(exec);
    assert_non_null(strstr(stn_error(), "NULL"));
    assert_int_equal(stn_exec_create("reference", NULL), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "NULL"));
    stn_exec_release(NULL);
}

static void test_no_memory(void **context)
{
    (void)context;
    stn_exec *exec = NULL;
    stn_fail_allocation(1);
    const stn_status status = stn_exec_create("openmp:threads=2", &exec);
    stn_fail_allocation(0);
    assert_int_equal(status, STN_ERR_MEMORY);
    assert_null(exec);
    assert_true(strlen(stn_error()) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),      cmocka_unit_test(test_as_many_threads_as_openmp_gives),
        cmocka_unit_test(test_bad),       cmocka_unit_test(test_null),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("exec", tests, NULL, NULL);
}
