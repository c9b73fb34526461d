/* dot, axpy and gemv on devices, as kernels and reductions of which a device needs the texts only.
 */
#include "blas/remote.h"

#include "core/status.h"
#include "steno/detail/reduce_types.h"

/* ---- the texts ---- */

static void no_parameter(int32_t *alignments)
{
    (void)alignments;
}

#define IN(x)   STN_TEXT_PARAMETER(IN, 0, x)
#define OUT(x)  STN_TEXT_PARAMETER(OUT, 0, x)
#define REAL(x) STN_TEXT_PARAMETER(REAL, 0, x)

static const stn_parameter of_products[] = {IN(x), IN(y)};
static const stn_reduction products = {
    .kernel = STN_TEXT_KERNEL(stn_reduction, "products", "x, y", of_products),
    .operation = STN_REDUCE_WITH_products,
    .words = "products",
    .bare = no_parameter};

static const stn_parameter of_axpy[] = {REAL(alpha), IN(x), IN(y), OUT(sum)};
static const stn_kernel axpy = STN_TEXT_KERNEL(stn_kernel, "axpy", "sum = alpha * x + y;", of_axpy);

static const stn_parameter of_update[] = {REAL(alpha), REAL(beta), IN(sum), IN(y), OUT(updated)};
static const stn_kernel update =
    STN_TEXT_KERNEL(stn_kernel, "gemv",
                    "const real_t product = alpha == 1 ? sum : alpha * sum;\n"
                    "updated = beta == 0 ? product : product + beta * y;",
                    of_update);

/* ---- the operations ---- */

stn_status stn_dot_remote(const stn_exec *exec, stn_format arithmetic, double *result,
                          const stn_view *x, const stn_view *y)
{
    const stn_argument arguments[] = {{.view = x}, {.view = y}};
    return stn_reduce_run(exec, &products, arithmetic, -1, NULL, result, arguments);
}

stn_status stn_axpy_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y)
{
    const stn_argument arguments[] = {{.real = alpha}, {.view = x}, {.view = y}, {.view = y}};
    return stn_kernel_run(exec, &axpy, arithmetic, -1, NULL, arguments);
}

/* The sums of rows, in the arithmetic type, into a view. */
static stn_status sum_rows(const stn_exec *exec, stn_format arithmetic, const stn_view *a,
                           const stn_view *x, const stn_view *sums)
{
    const stn_argument arguments[] = {{.view = a}, {.view = x}};
    return stn_reduce_into(exec, &products, arithmetic, -1, NULL, 2, sums, arguments);
}

stn_status stn_gemv_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y)
{
    stn_view sums;
    if (alpha == 1.0 && beta == 0.0)
        return sum_rows(exec, arithmetic, a, x, y);
    STN_TRY(stn_view_create(exec, &sums, "stn_gemv: sums of rows", stn_storage_of(arithmetic), NULL,
                            1, y->extent, 0));
    stn_status status = sum_rows(exec, arithmetic, a, x, &sums);
    const stn_argument arguments[] = {
        {.real = alpha}, {.real = beta}, {.view = &sums}, {.view = y}, {.view = y}};
    if (status == STN_OK)
        status = stn_kernel_run(exec, &update, arithmetic, -1, NULL, arguments);
    (void)stn_view_release(&sums);
    return status;
}
