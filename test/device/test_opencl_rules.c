/* What OpenCL devices are taken, and what becomes of calls that fail there: one that rounds f32
 * otherwise than others do is taken by those only who say so. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/exec.h"
#include "exec/opencl/device.h"
#include "steno/exec.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/scan.h"
#include "make_view.h"

STN_MAP(twice, (in(x), inout(y)), y = 2 * x + y;)
STN_REDUCE(total, sum, (in(x)), x)
STN_SCAN(sums, sum, (in(x)), x)

/* Bits of what a device promises of f32: subnormals, infinities and NaN, rounding to nearest, and
 * divisions that round once. */
#define ALL "0x87"

static stn_status open_with(const char *rules, const char *resource)
{
    stn_exec *exec = NULL;
    setenv("STENO_STAND_IN_RULES", rules, 1);
    const stn_status status = stn_exec_create(&exec, resource);
    assert_int_equal(status == STN_OK, exec != NULL);
    stn_exec_release(exec);
    return status;
}

/* The message names the rule that the device does not keep, and the option that accepts it. */
TEST_CASE(takes_exact_devices)
{
    static const struct {
        const char *rules, *text;
    } rows[] = {{ALL, NULL},
                {"0xff", NULL},
                {"0x07", "does not round divisions correctly"},
                {"0x86", "does not support subnormal numbers"},
                {"0x06", "does not support subnormal numbers"},
                {"0x83", "f32"},
                {"0x85", "f32"}};
    for (int k = 0; k < COUNT_OF(rows); k++) {
        if (!rows[k].text) {
            expect_ok(open_with(rows[k].rules, "opencl:0"));
            continue;
        }
        expect_error(open_with(rows[k].rules, "opencl:0"), STN_ERR_UNSUPPORTED, rows[k].text);
        assert_non_null(strstr(stn_error(), "stand-in"));
        assert_non_null(strstr(stn_error(), "'opencl:0:inexact=allow' accepts this"));
        expect_ok(open_with(rows[k].rules, "opencl:0:inexact=allow"));
    }
}

/* ---- failures ---- */

/* Whatever the question is. */
TEST_CASE(refuses_what_does_not_answer)
{
    static const char *const questions[] = {"0x102B", "0x102F", "0x1002", "0x101F",
                                            "0x1010", "0x1004", "0x101B", "0x1032"};
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        setenv("STENO_STAND_IN_FAILS", questions[k], 1);
        expect_error(open_with(ALL, "opencl:0:inexact=allow"), STN_ERR_DEVICE, "error -14");
    }
    unsetenv("STENO_STAND_IN_FAILS");
    expect_ok(open_with(ALL, "opencl:0"));
}

static stn_exec *open_stand_in(void)
{
    stn_exec *exec;
    setenv("STENO_STAND_IN_RULES", ALL, 1);
    expect_ok(stn_exec_create(&exec, "opencl:0"));
    return exec;
}

static stn_view make(stn_exec *exec, stn_format format)
{
    return create_view(exec, "v", stn_storage_of(format), NULL, 1, (const int64_t[]){100}, 0);
}

/* Of f32 the text is compiled, which the stand-in does not do. */
TEST_CASE(refuses_double_where_there_is_none)
{
    static const char words[] = "does not support double";
    double sum;
    setenv("STENO_STAND_IN_F64_RULES", "0", 1);
    stn_exec *const exec = open_stand_in();
    stn_view f64 = make(exec, STN_F64), f32 = make(exec, STN_F32), c128 = make(exec, STN_C128);
    stn_view sum_of = make(exec, STN_F32), c64 = make(exec, STN_C64);
    expect_error(twice_run(exec, STN_F64, &f32, &f32), STN_ERR_UNSUPPORTED, words);
    expect_error(twice_run(exec, STN_F32, &f64, &f32), STN_ERR_UNSUPPORTED, words);
    expect_error(twice_run(exec, STN_F32, &f32, &f64), STN_ERR_UNSUPPORTED, words);
    expect_error(total_reduce(exec, STN_F64, &sum, &f32), STN_ERR_UNSUPPORTED, words);
    expect_error(total_reduce(exec, STN_F32, &sum, &f64), STN_ERR_UNSUPPORTED, words);
    expect_error(sums_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &sum_of, &f32), STN_ERR_UNSUPPORTED,
                 words);
    expect_error(sums_scan(exec, STN_F32, STN_SCAN_INCLUSIVE, &f64, &f32), STN_ERR_UNSUPPORTED,
                 words);
    expect_error(stn_view_copy(exec, &f64, &f32), STN_ERR_UNSUPPORTED, words);
    expect_error(stn_view_copy(exec, &f32, &f64), STN_ERR_UNSUPPORTED, words);
    expect_error(stn_view_copy(exec, &c64, &c128), STN_ERR_UNSUPPORTED, words);
    expect_error(twice_run(exec, STN_F32, &f32, &f32), STN_ERR_MEMORY, "no memory for its text");
    stn_view *const views[] = {&f64, &f32, &c128, &c64, &sum_of};
    for (int k = 0; k < COUNT_OF(views); k++)
        expect_ok(stn_view_release(views[k]));
    stn_exec_release(exec);
    unsetenv("STENO_STAND_IN_F64_RULES");
}

/* Nothing is written to memory that a call has given up. */
TEST_CASE(reads_nothing_after_a_failure)
{
    static double bytes[100];
    const int64_t extent = 100;
    stn_view here;
    stn_exec *const exec = open_stand_in();
    stn_view there = make(exec, STN_F64);
    expect_ok(stn_view_wrap(&here, "here", stn_storage_of(STN_F64), bytes, 1, &extent));
    setenv("STENO_STAND_IN_FAILS", "clFlush", 1);
    expect_error(stn_view_copy(exec, &here, &there), STN_ERR_DEVICE, "memory cannot be copied");
    unsetenv("STENO_STAND_IN_FAILS");
    bytes[5] = 7.0;
    expect_ok(stn_exec_wait(exec));
    assert_true(bytes[5] == 7.0);
    stn_view_release(&here);
    stn_view_release(&there);
    stn_exec_release(exec);
}

/* By everybody, as long as somebody uses it. */
TEST_CASE(refuses_what_has_failed)
{
    static const char words[] = "failed earlier";
    stn_exec *const exec = open_stand_in(), *const other = open_stand_in();
    stn_view x = make(exec, STN_F64);
    setenv("STENO_STAND_IN_FAILS", "clFinish", 1);
    expect_error(stn_exec_wait(exec), STN_ERR_DEVICE, "error -14");
    unsetenv("STENO_STAND_IN_FAILS");
    expect_error(stn_exec_wait(exec), STN_ERR_DEVICE, words);
    expect_error(stn_exec_wait(other), STN_ERR_DEVICE, words);
    expect_error(stn_view_fill(exec, &x, 0.0), STN_ERR_DEVICE, words);
    expect_error(twice_run(exec, STN_F32, &x, &x), STN_ERR_DEVICE, words);
    stn_view_release(&x);
    stn_exec_release(exec);
    stn_exec_release(other);
    expect_ok(open_with(ALL, "opencl:0"));
}

/* The device has 1 MiB, and says that one allocation may have three quarters of it. */
TEST_CASE(gives_no_more_than_there_is)
{
    const int64_t extents[] = {600 << 10, 500 << 10, 800 << 10};
    const stn_storage bytes = stn_storage_of(STN_U8);
    stn_view half, rest;
    stn_exec *const exec = open_stand_in();
    expect_error(stn_view_create(exec, &rest, "rest", bytes, 1, &extents[2]), STN_ERR_MEMORY,
                 "cannot allocate 819200 bytes: 1048576 of 1048576 bytes are free");
    for (int k = 0; k < 3; k++) {
        expect_ok(stn_view_create(exec, &half, "half", bytes, 1, extents));
        expect_error(stn_view_create(exec, &rest, "rest", bytes, 1, &extents[1]), STN_ERR_MEMORY,
                     "cannot allocate 512000 bytes: 434176 of 1048576 bytes are free");
        assert_null(rest.data);
        stn_view_release(&half);
    }
    expect_ok(stn_view_create(exec, &rest, "rest", bytes, 1, &extents[1]));
    stn_view_release(&rest);
    stn_exec_release(exec);
}

/* ---- forks while another thread is in a call ---- */

static stn_exec *on;
static stn_view x_on;

static void use_and_release(void)
{
    double sum;
    stn_view other;
    const int64_t extent = 7;
    const stn_status each[] = {
        stn_view_fill(on, &x_on, 1.0),
        stn_view_create(on, &other, "other", stn_storage_of(STN_F32), 1, &extent),
        twice_run(on, STN_F32, &x_on, &x_on),
        total_reduce(on, STN_F32, &sum, &x_on),
        STN_VIEW_GET(&x_on, &sum, 1),
        stn_exec_wait(on)};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        if (each[k] != STN_ERR_UNSUPPORTED)
            _exit(2 + (int)k);
    if (stn_view_release(&x_on) != STN_OK)
        _exit(1);
    stn_exec_release(on);
}

static int child_status;

static void fork_and_use(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        use_and_release();
        _exit(0);
    }
    (void)waitpid(child, &child_status, 0);
}

TEST_CASE(calls_refuse_behind_a_fork)
{
    on = open_stand_in();
    x_on = make(on, STN_F32);
    stn_device *const device = on->device;
    pthread_mutex_t *const locks[] = {&device->compiling, &device->keeping,
                                      &stn_opencl_of(device)->lock};
    for (size_t k = 0; k < sizeof locks / sizeof *locks; k++) {
        child_status = -1;
        (void)pthread_mutex_lock(locks[k]);
        fork_and_use();
        (void)pthread_mutex_unlock(locks[k]);
        assert_int_equal(child_status, 0);
    }
    stn_view_release(&x_on);
    stn_exec_release(on);
}

/* The same while another device is being opened. */
TEST_CASE(releases_end_behind_a_fork)
{
    void (**opens)(void);
    stn_exec *other;
    on = open_stand_in();
    x_on = make(on, STN_F32);
    void *const library = dlopen(STENO_STAND_IN_OPENCL, RTLD_NOW | RTLD_NOLOAD);
    void *const symbol = dlsym(library, "stand_in_opens");
    memcpy(&opens, &symbol, sizeof opens);
    *opens = fork_and_use;
    child_status = -1;
    expect_ok(stn_exec_create(&other, "opencl:1"));
    *opens = NULL;
    assert_int_equal(child_status, 0);
    stn_exec_release(other);
    stn_view_release(&x_on);
    stn_exec_release(on);
    (void)dlclose(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_exact_devices),
                                       cmocka_unit_test(refuses_what_does_not_answer),
                                       cmocka_unit_test(refuses_double_where_there_is_none),
                                       cmocka_unit_test(reads_nothing_after_a_failure),
                                       cmocka_unit_test(refuses_what_has_failed),
                                       cmocka_unit_test(gives_no_more_than_there_is),
                                       cmocka_unit_test(calls_refuse_behind_a_fork),
                                       cmocka_unit_test(releases_end_behind_a_fork)};
    setenv("STENO_CACHE", "off", 1);
    setenv("STENO_OPENCL", STENO_STAND_IN_OPENCL, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
