/* Complex gemv, symv, hemv and trmv: reductions of products, unless tiles.c supports the
 * operands. */
#include "blas/band.h"
#include "blas/call.h"
#include "blas/complex.h"
#include "blas/tiles.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/reduce.h"
#include "view/view.h"

/* clang-format off */
STN_REDUCE_COMPLEX(rows_complex, products, (index(conjugated), in(a), in(x)),
    conjugated ? stn_c_conj(a) : a, x)
STN_REDUCE(symmetric, products, (at(i, j), in(below), in(above), in(x)), j <= i ? below : above, x)
STN_REDUCE_COMPLEX(symmetric_complex, products,
    (at(i, j), index(conjugates_below), index(conjugates_above), in(below), in(above), in(x)),
    j < i   ? (conjugates_below ? stn_c_conj(below) : below)
    : j > i ? (conjugates_above ? stn_c_conj(above) : above)
            : (conjugates_below || conjugates_above ? stn_c_of(below.re, 0) : below), x)
/* -0 times +0 changes no sum. */
STN_REDUCE(triangular, products, (at(i, j), index(upper), index(unit), in(a), in(x)),
    i == j ? (unit ? STN_R(1) : a) : (upper ? j > i : j < i) ? a : -STN_R(0),
    (upper ? j >= i : j <= i) ? x : STN_R(0))
STN_REDUCE_COMPLEX(triangular_complex, products,
    (at(i, j), index(upper), index(unit), index(conjugated), in(a), in(x)),
    i == j && unit ? stn_c_of(1, 0) : (upper ? j < i : j > i) ? stn_c_of(0, 0) : conjugated ? stn_c_conj(a) : a,
    (upper ? j >= i : j <= i) ? x : stn_c_of(0, 0))
/* clang-format on */

/* ---- banded ---- */

typedef struct banded {
    stn_band_sums sums;
    const stn_view *x; /* as stored */
} banded;

static stn_status sum_band(const stn_blas_call *call, const stn_view *result, const void *context)
{
    const banded *b = context;
    stn_band_sums sums = b->sums;
    stn_view x;
    STN_TRY(stn_blas_workspace(call, "x decoded", 1, b->x->extent, &x));
    sums.x = &x;
    stn_status status = stn_blas_store(call, &x, b->x);
    if (status == STN_OK)
        status = stn_band_sum_rows(call, &sums, result);
    (void)stn_view_release(&x);
    return status;
}

/* The loops over rows of a band, or else a reduction. */
static stn_status update_band(const stn_blas_call *call, const banded *b, stn_c128 alpha,
                              stn_c128 beta, const stn_view *y)
{
    int is_done;
    STN_TRY(stn_band_multiply(call, &b->sums, alpha, b->x, beta, y, &is_done));
    return is_done ? STN_OK : stn_blas_update(call, sum_band, b, alpha, beta, y);
}

stn_status stn_blas_update_banded(const stn_blas_call *call, int conjugated, stn_c128 alpha,
                                  const stn_view *a, const stn_view *x, stn_c128 beta,
                                  const stn_view *y)
{
    banded b = {.x = x};
    STN_TRY(stn_band_of(call, a, &b.sums.band));
    b.sums.above = b.sums.band.lines;
    b.sums.conjugates_below = b.sums.conjugates_above = conjugated;
    return update_band(call, &b, alpha, beta, y);
}

/* The transposed lines of the triangle represent the other one. */
static stn_status update_mirrored_band(const stn_blas_call *call, int hermitian,
                                       stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                       const stn_view *x, stn_c128 beta, const stn_view *y)
{
    banded b = {.x = x};
    stn_band *const band = &b.sums.band;
    stn_view mirrored;
    const int is_upper = triangle == STN_UPPER;
    const int64_t *const whole = stn_view_mapping(a)->extent;
    int64_t base[STN_MAX_RANK];
    stn_view_base(a, base);
    if (whole[0] != whole[1] || base[0] != base[1])
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is not a square part on the diagonal of a banded matrix",
                        call->name, stn_view_text(a));
    STN_TRY(stn_band_of(call, a, band));
    STN_TRY(stn_blas_transpose(&mirrored, &band->lines));
    b.sums.above = is_upper ? band->lines : mirrored;
    if (is_upper)
        band->lines = mirrored;
    band->below = band->above = is_upper ? band->above : band->below;
    b.sums.conjugates_below = hermitian && is_upper;
    b.sums.conjugates_above = hermitian && !is_upper;
    return update_band(call, &b, alpha, beta, y);
}

/* ---- general ---- */

static stn_status check(const stn_blas_call *call, int kinds, const stn_view *a, const stn_view *x,
                        const stn_view *y)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(a, 2, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(x, 1, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_WRITTEN)};
    STN_TRY(stn_blas_check(call, kinds, 3, operands));
    return stn_blas_expect_product(call, a, x, y);
}

typedef struct general {
    const stn_view *a, *x;
    int conjugated;
} general;

static stn_status sum_rows(const stn_blas_call *call, const stn_view *result, const void *context)
{
    const general *g = context;
    return rows_complex_reduce_into(call->exec, call->arithmetic, 2, result, g->conjugated, g->a,
                                    g->x);
}

static stn_status multiply(const stn_blas_call *call, stn_c128 alpha, stn_conjugate conj,
                           const stn_view *a, const stn_view *x, stn_c128 beta, const stn_view *y)
{
    const general g = {a, x, conj == STN_CONJUGATE};
    int is_done;
    STN_TRY(check(call, STN_BLAS_COMPLEX, a, x, y));
    STN_TRY(stn_blas_expect_choice(call, "conj", (int)conj));
    if (stn_blas_is_banded(a))
        return stn_blas_update_banded(call, g.conjugated, alpha, a, x, beta, y);
    STN_TRY(stn_complex_multiply(call, g.conjugated, alpha, a, x, beta, y, &is_done));
    if (is_done)
        return STN_OK;
    return stn_blas_update(call, sum_rows, &g, alpha, beta, y);
}

stn_status stn_gemv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            stn_conjugate conj, const stn_view *a, const stn_view *x, stn_c128 beta,
                            const stn_view *y)
{
    const stn_blas_call call = {"stn_gemv_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply(&call, alpha, conj, a, x, beta, y));
}

/* ---- symmetric ---- */

typedef struct mirrored {
    stn_view below, above; /* either triangle, as stored in one */
    const stn_view *x;
    int conjugates_below, conjugates_above; /* conjugated */
} mirrored;

static stn_status sum_mirrored(const stn_blas_call *call, const stn_view *result,
                               const void *context)
{
    const mirrored *m = context;
    return stn_blas_is_complex(call->arithmetic)
               ? symmetric_complex_reduce_into(call->exec, call->arithmetic, 2, result,
                                               m->conjugates_below, m->conjugates_above, &m->below,
                                               &m->above, m->x)
               : symmetric_reduce_into(call->exec, call->arithmetic, 2, result, &m->below,
                                       &m->above, m->x);
}

static stn_status multiply_mirrored(const stn_blas_call *call, int kinds, int hermitian,
                                    stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                    const stn_view *x, stn_c128 beta, const stn_view *y)
{
    const stn_tiles_product tiles = {a, x, y, triangle, 1, 0, alpha, beta, hermitian, 0};
    mirrored m = {.x = x};
    if (x != y && stn_blas_has(call, kinds) && stn_tiles_multiply_plain(call, &tiles))
        return STN_OK;
    STN_TRY(check(call, kinds, a, x, y));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)triangle));
    STN_TRY(stn_blas_expect_square(call, a, x));
    if (stn_blas_is_banded(a))
        return update_mirrored_band(call, hermitian, triangle, alpha, a, x, beta, y);
    if (stn_tiles_support(call) && !stn_blas_is(call->arithmetic, alpha, 0.0))
        return stn_tiles_multiply(call, &tiles);
    const int is_upper = triangle == STN_UPPER;
    STN_TRY(stn_blas_transpose(is_upper ? &m.below : &m.above, a));
    *(is_upper ? &m.above : &m.below) = *a;
    m.conjugates_below = hermitian && is_upper;
    m.conjugates_above = hermitian && !is_upper;
    return stn_blas_update(call, sum_mirrored, &m, alpha, beta, y);
}

stn_status stn_symv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    double alpha, const stn_view *a, const stn_view *x, double beta,
                    const stn_view *y)
{
    const stn_blas_call call = {"stn_symv", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply_mirrored(&call, STN_BLAS_ANY, 0, triangle, stn_blas_real(alpha), a,
                                          x, stn_blas_real(beta), y));
}

stn_status stn_hemv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_c128 alpha, const stn_view *a, const stn_view *x, stn_c128 beta,
                    const stn_view *y)
{
    const stn_blas_call call = {"stn_hemv", exec, arithmetic};
    STN_RETURN_IN_MODES(
        multiply_mirrored(&call, STN_BLAS_COMPLEX, 1, triangle, alpha, a, x, beta, y));
}

/* ---- triangular ---- */

/* x = A x: in place by the loops, or by sums of rows. */
static stn_status multiply_triangle_of_band(const stn_blas_call *call, stn_triangle triangle,
                                            stn_diagonal diagonal, stn_conjugate conj,
                                            const stn_view *a, const stn_view *x)
{
    banded b = {.x = x};
    int is_done;
    stn_view sums;
    STN_TRY(stn_band_of(call, a, &b.sums.band));
    stn_band_cut(&b.sums.band, triangle);
    b.sums.above = b.sums.band.lines;
    b.sums.has_units = diagonal == STN_DIAGONAL_UNIT;
    b.sums.conjugates_below = b.sums.conjugates_above = conj == STN_CONJUGATE;
    STN_TRY(
        stn_band_multiply(call, &b.sums, stn_blas_real(1.0), x, stn_blas_real(0.0), x, &is_done));
    if (is_done)
        return STN_OK;
    STN_TRY(stn_blas_workspace(call, "sums of rows", 1, x->extent, &sums));
    stn_status status = sum_band(call, &sums, &b);
    if (status == STN_OK)
        status = stn_blas_store(call, x, &sums);
    (void)stn_view_release(&sums);
    return status;
}

static stn_status sum_triangle(const stn_blas_call *call, const stn_view *result,
                               stn_triangle triangle, stn_diagonal diagonal, stn_conjugate conj,
                               const stn_view *a, const stn_view *x)
{
    return stn_blas_is_complex(call->arithmetic)
               ? triangular_complex_reduce_into(call->exec, call->arithmetic, 2, result, triangle,
                                                diagonal, conj, a, x)
               : triangular_reduce_into(call->exec, call->arithmetic, 2, result, triangle, diagonal,
                                        a, x);
}

static stn_status multiply_triangle(const stn_blas_call *call, stn_triangle triangle,
                                    stn_diagonal diagonal, stn_conjugate conj, const stn_view *a,
                                    const stn_view *x)
{
    const stn_tiles_product tiles = {a,
                                     x,
                                     x,
                                     triangle,
                                     0,
                                     diagonal == STN_DIAGONAL_UNIT,
                                     stn_blas_real(1.0),
                                     stn_blas_real(0.0),
                                     0,
                                     conj == STN_CONJUGATE &&
                                         stn_blas_is_complex(call->arithmetic)};
    stn_view sums;
    if ((unsigned)diagonal <= STN_DIAGONAL_UNIT && (unsigned)conj <= STN_CONJUGATE &&
        stn_tiles_multiply_plain(call, &tiles))
        return STN_OK;
    STN_TRY(stn_blas_check_triangle(call, triangle, diagonal, conj, a, x));
    if (stn_blas_is_banded(a))
        return multiply_triangle_of_band(call, triangle, diagonal, conj, a, x);
    if (stn_tiles_support(call))
        return stn_tiles_multiply(call, &tiles);
    STN_TRY(stn_blas_workspace(call, "sums of rows", 1, x->extent, &sums));
    stn_status status = sum_triangle(call, &sums, triangle, diagonal, conj, a, x);
    if (status == STN_OK)
        status = stn_blas_store(call, x, &sums);
    (void)stn_view_release(&sums);
    return status;
}

stn_status stn_trmv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_diagonal diagonal, stn_conjugate conj, const stn_view *a, const stn_view *x)
{
    const stn_blas_call call = {"stn_trmv", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply_triangle(&call, triangle, diagonal, conj, a, x));
}
