/* Kernels in files of their own whose text is embedded by steno_embed_kernels. */
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "steno/kernel.h"

#define STN_KERNEL_NAME       scatter
#define STN_KERNEL_PARAMETERS (at(i), in(x), gather(at, 1), scatter(u, 1))
#define STN_KERNEL_FILE       "kernel/embedded_scatter.k"
#include "steno/kernel_file.h"

#define STN_KERNEL_NAME       sum
#define STN_KERNEL_PARAMETERS (in(x), in(y), out(z))
#define STN_KERNEL_FILE       "kernel/embedded_sum.k"
#include "steno/kernel_file.h"

#define STN_KERNEL_NAME       long_one
#define STN_KERNEL_PARAMETERS (at(i), in(x), gather(u, 2), inout(y))
#define STN_KERNEL_FILE       "kernel/embedded_long.k"
#include "steno/kernel_file.h"

#define STN_KERNEL_NAME       clamp
#define STN_KERNEL_PARAMETERS (index(n), inout(x))
#define STN_KERNEL_FILE       "kernel/clamp.k"
#define STN_KERNEL_ARITHMETIC INTEGER
#include "steno/kernel_file.h"
#include "make_view.h"

#if defined(STN_KERNEL_HAS_TEXT) || defined(STN_KERNEL_TEXT_HERE) || defined(STN_KERNEL_TEXT)
#    error "names are left over"
#endif

static void expect_text(const stn_kernel *kernel, const char *path)
{
    char words[20000];
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(words, 1, sizeof words, file);
    assert_true(length < sizeof words && fclose(file) == 0);
    assert_non_null(kernel->text);
    assert_int_equal(strlen(kernel->text), length);
    assert_memory_equal(kernel->text, words, length);
}

UNIT_TEST(test_text)
{
    expect_text(&scatter_kernel, STENO_TEST_DATA "/../kernel/embedded_scatter.k");
    expect_text(&sum_kernel, STENO_TEST_DATA "/../kernel/embedded_sum.k");
    expect_text(&long_one_kernel, STENO_TEST_DATA "/../kernel/embedded_long.k");
    assert_true(strlen(long_one_kernel.text) > 4095);
    assert_null(clamp_kernel.text); /* not embedded */
}

static stn_view line(stn_format format, void *data, int64_t count)
{
    const stn_view view = wrap_view("view", stn_storage_of(format), data, 1, &count);
    return view;
}

UNIT_TEST(test_written_fields)
{
    double x[] = {1, 2, 3}, u[] = {0, 0, 0};
    const int32_t at[] = {2, 0, 1};
    const stn_view vx = line(STN_F64, x, 3), vu = line(STN_F64, u, 3);
    stn_view vat = line(STN_I32, (void *)(uintptr_t)at, 3), constant = vu;
    const stn_exec *const exec = order_use(0);
    vat.read_only = constant.read_only = 1;
    expect_ok(scatter_run(exec, STN_F64, &vx, &vat, &vu));
    assert_true(u[0] == 2 && u[1] == 3 && u[2] == 1);
    expect_error(scatter_run(exec, STN_F64, &vx, &vat, &constant), STN_ERR_ARGUMENT,
                 "u is read-only");
    expect_error(scatter_run(exec, STN_F64, &vx, &vat, &vx), STN_ERR_ALIAS, "u overlaps x");
}

UNIT_TEST(test_long_text)
{
    double x[] = {-1, 2, 3}, u[] = {4, 5, 6}, y[] = {7, 8, 9};
    const int64_t extents[] = {3, 1};
    const stn_view vx = line(STN_F64, x, 3), vu = line(STN_F64, u, 3), vy = line(STN_F64, y, 3);
    expect_error(long_one_run(order_use(0), STN_F64, &vx, &vu, &vy), STN_ERR_SHAPE,
                 "u has rank 2 in the kernel");
    const stn_view column = wrap_view("u", stn_storage_of(STN_F64), u, 2, extents);
    expect_ok(long_one_run(order_use(0), STN_F64, &vx, &column, &vy));
    assert_true(y[0] == 7 && y[1] == 5 && y[2] == 6);
}

UNIT_TEST(test_everything_is_stored)
{
    double x[] = {1, 2, 3};
    float z[] = {7, 7, 7};
    const stn_view vx = line(STN_F64, x, 3), vz = line(STN_F32, z, 3);
    expect_ok(sum_run(order_use(0), STN_F64, &vx, &vx, &vz));
    assert_true(z[0] == 2 && z[1] == 4 && z[2] == 6);
}

RUN_UNIT_TESTS(NULL, order_teardown)
