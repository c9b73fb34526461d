/* An OpenCL device that rounds f32 otherwise than others do is taken by those only who say so. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "steno/exec.h"

/* Bits of what a device promises of f32: subnormals, infinities and NaN, rounding to nearest, and
 * divisions that round once. */
#define ALL "0x87"

static stn_status open_with(const char *rules, const char *resource)
{
    stn_exec *exec = NULL;
    setenv("STENO_STAND_IN_RULES", rules, 1);
    const stn_status status = stn_exec_create(resource, &exec);
    assert_int_equal(status == STN_OK, exec != NULL);
    stn_exec_release(exec);
    return status;
}

static void takes_exact_devices(void **state)
{
    (void)state;
    assert_int_equal(open_with(ALL, "opencl:0"), STN_OK);
    assert_int_equal(open_with("0xff", "opencl:0"), STN_OK);
}

/* The sentence says what is other, and how to take it. */
static void refuses_others(void **state)
{
    static const struct {
        const char *rules, *words;
    } rows[] = {{"0x07", "divides with errors beyond one rounding"},
                {"0x86", "has no subnormal numbers"},
                {"0x06", "has no subnormal numbers"},
                {"0x83", "f32"},
                {"0x85", "f32"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(open_with(rows[k].rules, "opencl:0"), STN_ERR_UNSUPPORTED);
        assert_non_null(strstr(stn_error(), rows[k].words));
        assert_non_null(strstr(stn_error(), "stand-in"));
        assert_non_null(strstr(stn_error(), "'opencl:0:inexact=allow' takes it"));
    }
}

static void takes_others_by_word(void **state)
{
    (void)state;
    assert_int_equal(open_with("0x07", "opencl:0:inexact=allow"), STN_OK);
    assert_int_equal(open_with("0x07", "opencl:0"), STN_ERR_UNSUPPORTED);
    assert_int_equal(open_with("0x07", "opencl:0:inexact=allow"), STN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_exact_devices),
                                       cmocka_unit_test(refuses_others),
                                       cmocka_unit_test(takes_others_by_word)};
    setenv("STENO_OPENCL", STENO_STAND_IN_OPENCL, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
