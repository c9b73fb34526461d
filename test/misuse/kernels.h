/* Cases of test_misuse.c: kernels. */
#ifndef STENO_TEST_MISUSE_KERNELS_H
#define STENO_TEST_MISUSE_KERNELS_H

#include "steno/kernel.h"

STN_MAP(misuse_double, (inout(y)), y = y + y;)

static void a_kernel_without_a_view_is_refused(void **state)
{
    (void)state;
    assert_int_equal(misuse_double_run(NULL, STN_F64, NULL), STN_ERR_ARGUMENT);
}

/* Each with a comma behind it. */
#define MISUSE_KERNELS cmocka_unit_test(a_kernel_without_a_view_is_refused),

#endif
