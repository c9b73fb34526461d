/* What tests of preconditioners share: numbers drawn, and applications on the host and on devices.
 */
#ifndef STENO_TEST_PRECONDITIONER_H
#define STENO_TEST_PRECONDITIONER_H

#include "order_oracle.h"
#include "solver/block_jacobi.h"
#include "solver/ilu.h"
#include "steno/solver.h"
#include "check.h"

__attribute__((unused)) static stn_preconditioner_info info_of(const stn_preconditioner *m)
{
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    expect_ok(stn_preconditioner_describe(m, &info));
    return info;
}

/* The factors and the blocks that a preconditioner of that kind consists of. */
__attribute__((unused)) static const stn_ilu *factors_of(const stn_preconditioner *m)
{
    return (const stn_ilu *)m;
}

__attribute__((unused)) static const stn_block_jacobi *blocks_of(const stn_preconditioner *m)
{
    return (const stn_block_jacobi *)m;
}

/* From -0.5 to 0.5. */
static double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 40) / (double)(1 << 24) - 0.5;
}

/* y = M x of arrays of the arithmetic type on the host. */
__attribute__((unused)) static void apply_operator(const stn_exec *exec, const stn_operator *op,
                                                   stn_format arithmetic, const void *from,
                                                   void *to)
{
    stn_view x, y;
    expect_ok(stn_view_wrap_const(&x, "x", stn_storage_of(arithmetic), from, 1, &op->rows));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(arithmetic), to, 1, &op->rows));
    expect_ok(op->apply(op->context, exec, arithmetic, &x, &y));
    expect_ok(stn_exec_wait(exec));
}

/* The same by an operator on a device. */
__attribute__((unused)) static void apply_there(const stn_exec *device, const stn_operator *op,
                                                stn_format arithmetic, const void *from, void *to)
{
    const stn_storage storage = stn_storage_of(arithmetic);
    stn_view x, y, source, target;
    expect_ok(stn_view_wrap_const(&source, "x", storage, from, 1, &op->rows));
    expect_ok(stn_view_wrap(&target, "y", storage, to, 1, &op->rows));
    expect_ok(stn_view_create(device, &x, "x", storage, 1, &op->rows));
    expect_ok(stn_view_create(device, &y, "y", storage, 1, &op->rows));
    expect_ok(stn_view_copy(device, &x, &source));
    expect_ok(op->apply(op->context, device, arithmetic, &x, &y));
    expect_ok(stn_view_copy(device, &target, &y));
    expect_ok(stn_exec_wait(device));
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
}

/* The first OpenCL device, or the test is skipped. */
__attribute__((unused)) static stn_exec *open_opencl(void)
{
    stn_exec *device;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    return device;
}

static int release_executors(void **unused)
{
    (void)unused;
    order_release_executors();
    return 0;
}

#endif
