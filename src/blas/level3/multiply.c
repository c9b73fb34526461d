/* gemm, symm and hemm: blocks of the result are sums of products, which are scaled, added and
 * stored. */
#include "blas/level3/product.h"
#include "blas/level3/system.h"
#include "core/modes.h"
#include "core/status.h"
#include "view/view.h"

typedef struct multiplication {
    stn_factor a, b;
    stn_c128 alpha, beta;
    const stn_view *c;
} multiplication;

/* ---- checks ---- */

/* Uses the argument names of the factors. */
static stn_status check(const stn_blas_call *call, int kinds, const multiplication *m,
                        const char *left, const char *right)
{
    const stn_blas_operand operands[] = {{m->a.view, left, 2, STN_BLAS_READ},
                                         {m->b.view, right, 2, STN_BLAS_READ},
                                         {m->c, "c", 2, STN_BLAS_WRITTEN}};
    STN_TRY(stn_blas_check_full(call, kinds, 3, operands));
    const int64_t *const a = m->a.view->extent, *const b = m->b.view->extent;
    if (a[1] == b[0] && a[0] == m->c->extent[0] && b[1] == m->c->extent[1])
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: %s times %s does not have the shape of %s", call->name,
                    stn_view_text(m->a.view), stn_view_text(m->b.view), stn_view_text(m->c));
}

/* ---- blocks ---- */

static stn_status update_block(stn_product *p, const multiplication *m, const stn_slice *rows,
                               const stn_slice *columns)
{
    const stn_slice range = stn_slice_range(0, m->a.view->extent[1]);
    stn_view sums, c;
    STN_TRY(stn_view_slice(&c, m->c, 2, (const stn_slice[]){*rows, *columns}));
    STN_TRY(stn_product_sum(p, rows, columns, &range, &sums));
    return stn_blas_combine(p->call, m->alpha, &sums, m->beta, &c);
}

static stn_status update_blocks(stn_product *p, const multiplication *m)
{
    stn_slice rows, columns;
    for (int64_t j = 0; stn_product_next(m->c->extent[1], p->columns, &j, &columns);)
        for (int64_t i = 0; stn_product_next(m->c->extent[0], p->rows, &i, &rows);)
            STN_TRY(update_block(p, m, &rows, &columns));
    return STN_OK;
}

/* ---- entry point ---- */

/* If all operands are values, the system's gemm does everything. */
static int is_of_system(const stn_product *p, const multiplication *m)
{
    const stn_format arithmetic = p->call->arithmetic;
    return p->way == STN_BY_SYSTEM && m->a.shape == STN_FACTOR_FULL &&
           m->b.shape == STN_FACTOR_FULL && m->a.conj == STN_NO_CONJUGATE &&
           m->b.conj == STN_NO_CONJUGATE && stn_system_gemm_supports(arithmetic, m->a.view) &&
           stn_system_gemm_supports(arithmetic, m->b.view) &&
           stn_system_gemm_supports(arithmetic, m->c);
}

/* Returns 0 unless one factor is symmetric, and the library multiplies it. */
static int mirror_by_system(const stn_blas_call *call, const multiplication *m)
{
    const int is_right = m->b.shape == STN_FACTOR_MIRRORED;
    const stn_factor *const mirrored = is_right ? &m->b : &m->a;
    const stn_system_call of = {.arithmetic = call->arithmetic,
                                .side = is_right ? STN_SIDE_RIGHT : STN_SIDE_LEFT,
                                .triangle = mirrored->triangle,
                                .is_hermitian = mirrored->is_hermitian,
                                .alpha = m->alpha,
                                .beta = m->beta,
                                .a = mirrored->view,
                                .b = is_right ? m->a.view : m->b.view,
                                .c = m->c};
    return mirrored->shape == STN_FACTOR_MIRRORED && stn_system_symm(&of);
}

static stn_status multiply(const stn_blas_call *call, const multiplication *m)
{
    stn_product p;
    if (m->c->extent[0] == 0 || m->c->extent[1] == 0)
        return STN_OK;
    if (stn_blas_is(call->arithmetic, m->alpha, 0.0))
        return stn_blas_scale(call, m->beta, m->c);
    STN_TRY(stn_product_init(&p, call, &m->a, &m->b));
    if (p.way == STN_BY_SYSTEM && mirror_by_system(call, m))
        return STN_OK;
    if (is_of_system(&p, m)) {
        stn_system_gemm(call->arithmetic, m->alpha, m->a.view, m->b.view, m->beta, m->c);
        return STN_OK;
    }
    stn_status status = stn_product_open(&p, m->c->extent[0], m->c->extent[1]);
    if (status == STN_OK)
        status = update_blocks(&p, m);
    stn_product_close(&p);
    return status;
}

static stn_status multiply_full(const stn_blas_call *call, int kinds, stn_c128 alpha,
                                stn_conjugate conj_a, const stn_view *a, stn_conjugate conj_b,
                                const stn_view *b, stn_c128 beta, const stn_view *c)
{
    const multiplication m = {.a = {.view = a, .conj = conj_a},
                              .b = {.view = b, .conj = conj_b},
                              .alpha = alpha,
                              .beta = beta,
                              .c = c};
    STN_TRY(check(call, kinds, &m, "a", "b"));
    STN_TRY(stn_blas_expect_choice(call, "conj_a", (int)conj_a));
    STN_TRY(stn_blas_expect_choice(call, "conj_b", (int)conj_b));
    return multiply(call, &m);
}

stn_status stn_gemm(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                    const stn_view *b, double beta, const stn_view *c)
{
    const stn_blas_call call = {"stn_gemm", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply_full(&call, STN_BLAS_ANY, stn_blas_real(alpha), STN_NO_CONJUGATE,
                                      a, STN_NO_CONJUGATE, b, stn_blas_real(beta), c));
}

stn_status stn_gemm_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            stn_conjugate conj_a, const stn_view *a, stn_conjugate conj_b,
                            const stn_view *b, stn_c128 beta, const stn_view *c)
{
    const stn_blas_call call = {"stn_gemm_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(
        multiply_full(&call, STN_BLAS_COMPLEX, alpha, conj_a, a, conj_b, b, beta, c));
}

/* ---- symmetric ---- */

static stn_status multiply_mirrored(const stn_blas_call *call, int kinds, int hermitian,
                                    stn_side side, stn_triangle triangle, stn_c128 alpha,
                                    const stn_view *a, const stn_view *b, stn_c128 beta,
                                    const stn_view *c)
{
    const stn_factor mirrored = {
        .view = a, .shape = STN_FACTOR_MIRRORED, .triangle = triangle, .is_hermitian = hermitian};
    const stn_factor full = {.view = b};
    const multiplication m = {.a = side == STN_SIDE_RIGHT ? full : mirrored,
                              .b = side == STN_SIDE_RIGHT ? mirrored : full,
                              .alpha = alpha,
                              .beta = beta,
                              .c = c};
    STN_TRY(check(call, kinds, &m, side == STN_SIDE_RIGHT ? "b" : "a",
                  side == STN_SIDE_RIGHT ? "a" : "b"));
    STN_TRY(stn_blas_expect_choice(call, "side", (int)side));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)triangle));
    if (a->extent[0] != a->extent[1])
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square", call->name, stn_view_text(a));
    return multiply(call, &m);
}

stn_status stn_symm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                    stn_triangle triangle, double alpha, const stn_view *a, const stn_view *b,
                    double beta, const stn_view *c)
{
    const stn_blas_call call = {"stn_symm", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply_mirrored(&call, STN_BLAS_ANY, 0, side, triangle,
                                          stn_blas_real(alpha), a, b, stn_blas_real(beta), c));
}

stn_status stn_symm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                            const stn_view *b, stn_c128 beta, const stn_view *c)
{
    const stn_blas_call call = {"stn_symm_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(
        multiply_mirrored(&call, STN_BLAS_COMPLEX, 0, side, triangle, alpha, a, b, beta, c));
}

stn_status stn_hemm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                    stn_triangle triangle, stn_c128 alpha, const stn_view *a, const stn_view *b,
                    stn_c128 beta, const stn_view *c)
{
    const stn_blas_call call = {"stn_hemm", exec, arithmetic};
    STN_RETURN_IN_MODES(
        multiply_mirrored(&call, STN_BLAS_COMPLEX, 1, side, triangle, alpha, a, b, beta, c));
}
