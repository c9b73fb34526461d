/* gemvt: y = alpha A' x + beta y followed by z = A y, reading A once. Name and definition: BLAS
 * Technical Forum Standard (2001), section 2.8.4. */
#include "blas/call.h"
#include "blas/panels.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/blas.h"
#include "view/overlap.h"

/* x and y are disjoint values. z is stored after x has been read, and may be x. */
static int are_plain(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                     const stn_view *y, const stn_view *z)
{
    return stn_operand_is_plain(exec, arithmetic, x, 1, 0) &&
           stn_operand_is_plain(exec, arithmetic, y, 1, 0) &&
           stn_operand_is_plain(exec, arithmetic, z, 1, 0) && x->storage.format == arithmetic &&
           y->storage.format == arithmetic && stn_operand_is_disjoint(y, x) &&
           stn_operand_is_disjoint(z, y);
}

/* The same with at most a tile of rows of contiguous codes. */
static int is_plain(const stn_exec *exec, stn_format arithmetic, const stn_view *a,
                    const stn_view *x, const stn_view *y, const stn_view *z)
{
    return stn_operand_is_plain(exec, arithmetic, a, 2, 1) &&
           are_plain(exec, arithmetic, x, y, z) && a->extent[0] == x->extent[0] &&
           a->extent[1] == y->extent[0] && a->extent[0] == z->extent[0] &&
           stn_panels_support(exec, a) && stn_operand_is_disjoint(y, a) &&
           stn_operand_is_disjoint(z, a);
}

/* Checks z before y is modified; stn_gemv checks y. */
static stn_status expect_result(const stn_exec *exec, const stn_view *a, const stn_view *y,
                                const stn_view *z)
{
    STN_TRY(stn_exec_expect("stn_gemvt", exec));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, a, 2));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, y, 1));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, z, 1));
    STN_TRY(stn_view_writable("stn_gemvt", z));
    STN_TRY(stn_operand_expect_product("stn_gemvt", a, y, z));
    if (stn_view_may_share(z, a) || stn_view_may_share(z, y))
        return stn_fail(STN_ERR_ALIAS, "stn_gemvt: %s overlaps an operand", stn_view_text(z));
    if (!stn_view_is_unique(z))
        return stn_fail(STN_ERR_ALIAS, "stn_gemvt: %s repeats one element", stn_view_text(z));
    return STN_OK;
}

static stn_status multiply_twice(const stn_exec *exec, stn_format arithmetic, double alpha,
                                 const stn_view *a, const stn_view *x, double beta,
                                 const stn_view *y, const stn_view *z)
{
    static const int turned[] = {1, 0};
    stn_view columns;
    STN_TRY(stn_view_permute(&columns, a, 2, turned));
    STN_TRY(stn_gemv(exec, arithmetic, alpha, &columns, x, beta, y));
    return stn_gemv(exec, arithmetic, 1.0, a, y, 0.0, z);
}

static stn_status multiply_once(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_view *a, const stn_view *x, double beta,
                                const stn_view *y, const stn_view *z)
{
    stn_operand to;
    STN_TRY(stn_operand_init("stn_gemvt", exec, arithmetic, z, &to));
    const stn_panels job = {.arithmetic = arithmetic,
                            .a = a,
                            .parts = 1,
                            .x = {x->data},
                            .alpha = alpha,
                            .beta = beta,
                            .y = y->data,
                            .z = {&to},
                            .factor = 1.0};
    return stn_panels_run("stn_gemvt", exec, &job, y);
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y,
                           const stn_view *z)
{
    const int is_once = !stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0);
    if (is_once && is_plain(exec, arithmetic, a, x, y, z))
        return multiply_once(exec, arithmetic, alpha, a, x, beta, y, z);
    STN_TRY(expect_result(exec, a, y, z));
    if (is_once && stn_panels_support(exec, a) && are_plain(exec, arithmetic, x, y, z) &&
        a->extent[0] == x->extent[0] && !stn_view_may_share(y, a))
        return multiply_once(exec, arithmetic, alpha, a, x, beta, y, z);
    return multiply_twice(exec, arithmetic, alpha, a, x, beta, y, z);
}

stn_status stn_gemvt(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                     const stn_view *x, double beta, const stn_view *y, const stn_view *z)
{
    STN_RETURN_IN_MODES(multiply(exec, arithmetic, alpha, a, x, beta, y, z));
}
