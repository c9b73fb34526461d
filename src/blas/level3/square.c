/* syrk, herk, syr2k, her2k: blocks of one triangle of the result. */
#include "blas/level3/product.h"
#include "blas/level3/system.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"
#include "view/view.h"

/* clang-format off */
STN_MAP(combined, (at(i, j), index(right), index(upper), real(alpha), real(beta), in(sum), masked(c)),
    if (upper ? j + right >= i : j + right <= i) {
        const real_t product = alpha == 1 ? sum : alpha * sum;
        STN_STORE(c, beta == 0 ? product : product + beta * c);
    }
)
STN_MAP_COMPLEX(combined_complex, (at(i, j), index(right), index(upper), index(hermitian), real(alpha),
                                   real(beta), in(sum), masked(c)),
    if (upper ? j + right < i : j + right > i)
        return;
    const real_t product = alpha.re == 1 && alpha.im == 0 ? sum : stn_c_multiply(alpha, sum);
    const real_t old = beta.re == 1 && beta.im == 0 ? c : stn_c_multiply(beta, c);
    const real_t all = beta.re == 0 && beta.im == 0 ? product : stn_c_add(product, old);
    STN_STORE(c, hermitian && i == j + right ? stn_c_of(all.re, 0) : all);
)
STN_MAP(kept, (at(i, j), index(upper), real(beta), masked(c)),
    if (upper ? j >= i : j <= i)
        STN_STORE(c, beta == 0 ? 0 : beta * c);
)
STN_MAP_COMPLEX(kept_complex, (at(i, j), index(upper), index(hermitian), real(beta), masked(c)),
    if (upper ? j < i : j > i)
        return;
    const real_t all = beta.re == 0 && beta.im == 0 ? stn_c_of(0, 0) : stn_c_multiply(beta, c);
    STN_STORE(c, hermitian && i == j ? stn_c_of(all.re, 0) : all);
)
STN_MAP(both, (real(alpha), in(left), in(right), out(sum)),
    sum = alpha == 1 ? left + right : alpha * left + alpha * right;
)
STN_MAP_COMPLEX(both_complex, (index(hermitian), real(alpha), in(left), in(right), out(sum)),
    const int is_one = alpha.re == 1 && alpha.im == 0;
    const real_t other = stn_c_of(alpha.re, hermitian ? -alpha.im : alpha.im);
    sum = is_one ? stn_c_add(left, right)
                 : stn_c_add(stn_c_multiply(alpha, left), stn_c_multiply(other, right));
)
/* clang-format on */

/* Smaller blocks than for a whole matrix, because about half of a block on the diagonal is
 * wasted. */
enum { MAX_ROWS = 256 };

/* C = alpha A B' + beta C, or alpha A B' + alpha' B A' + beta C: primes conjugate a Hermitian
 * one. */
typedef struct square {
    const stn_view *a, *b, *c; /* B is A if there is one product */
    stn_c128 alpha, beta;
    stn_triangle triangle;
    stn_conjugate conj;
    int is_hermitian, has_two;
    stn_product products[2];
} square;

/* ---- checks ---- */

static stn_status check(const stn_blas_call *call, int kinds, const square *s)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(s->c, 2, STN_BLAS_WRITTEN),
                                         STN_BLAS_OPERAND(s->a, 2, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(s->b, 2, STN_BLAS_READ)};
    STN_TRY(stn_blas_check_full(call, kinds, 2 + s->has_two, operands));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)s->triangle));
    STN_TRY(stn_blas_expect_choice(call, "conj", (int)s->conj));
    if (s->c->extent[0] != s->c->extent[1])
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square", call->name, stn_view_text(s->c));
    for (int k = 1; k < 2 + s->has_two; k++)
        if (operands[k].view->extent[0] != s->c->extent[0] ||
            operands[k].view->extent[1] != s->a->extent[1])
            return stn_fail(STN_ERR_SHAPE, "%s: the extents of %s do not match %s", call->name,
                            stn_view_text(operands[k].view), stn_view_text(k == 1 ? s->c : s->a));
    return STN_OK;
}

/* ---- blocks ---- */

/* The triangle of a block of real values in place: lines of c, and of the sums. */
typedef struct triangle_store {
    char *c;
    const char *sums;
    int64_t c_steps[2], sum_steps[2]; /* between lines, and within one, in values */
    int64_t lines, count, right;      /* element (i, j) of the block is (i, j + right) of C */
    int begins;                       /* lines begin at the diagonal; otherwise they end there */
    double alpha, beta;
    int is_wide;
} triangle_store;

#define DEFINE_STORE(T, type)                                                                      \
    static void store_line_##T(const triangle_store *t, int64_t line, int64_t begin, int64_t end)  \
    {                                                                                              \
        type *const c = (type *)(void *)t->c + line * t->c_steps[0];                               \
        const type *const sums = (const type *)(const void *)t->sums + line * t->sum_steps[0];     \
        const type alpha = (type)t->alpha, beta = (type)t->beta;                                   \
        const int64_t step = t->sum_steps[1];                                                      \
        for (int64_t k = begin; k < end; k++) {                                                    \
            const type product = alpha == 1 ? sums[k * step] : alpha * sums[k * step];             \
            c[k] = beta == 0 ? product : product + beta * c[k];                                    \
        }                                                                                          \
    }
DEFINE_STORE(f64, double)
DEFINE_STORE(f32, float)

static void store_lines(void *context, int part, int parts)
{
    const triangle_store *const t = context;
    int64_t line, last;
    stn_share(t->lines, part, parts, &line, &last);
    for (; line < last; line++) {
        const int64_t diagonal = line - t->right;
        const int64_t begin = t->begins && diagonal > 0 ? diagonal : 0;
        const int64_t end = t->begins || diagonal + 1 > t->count ? t->count : diagonal + 1;
        (t->is_wide ? store_line_f64 : store_line_f32)(t, line, begin, end);
    }
}

/* Returns 0 if C is not real values with contiguous rows or columns. */
static int store_in_place(const stn_blas_call *call, const square *s, stn_c128 alpha, int64_t right,
                          const stn_view *sums, const stn_view *c)
{
    const int across = c->stride[1] != 1; /* lines are columns */
    if (!stn_blas_has(call, STN_BLAS_REAL) || !stn_exec_has_loops(call->exec) ||
        !stn_blas_are_values(call->arithmetic, c) || c->stride[!across] != 1 ||
        !stn_blas_are_values(call->arithmetic, sums) || (c->traits & STN_TRAIT_ATOMIC))
        return 0;
    triangle_store t = {.c = c->data,
                        .sums = sums->data,
                        .c_steps = {c->stride[across], 1},
                        .sum_steps = {sums->stride[across], sums->stride[!across]},
                        .lines = c->extent[across],
                        .count = c->extent[!across],
                        .right = across ? -right : right,
                        .begins = (s->triangle == STN_UPPER) != across,
                        .alpha = alpha.re,
                        .beta = s->beta.re,
                        .is_wide = call->arithmetic == STN_F64};
    stn_exec_run_sized(call->exec, (double)(t.lines * t.count) * sizeof(double), store_lines, &t);
    return 1;
}

static stn_status store(const stn_blas_call *call, const square *s, stn_c128 alpha,
                        const stn_slice *rows, const stn_slice *columns, const stn_view *sums)
{
    const int64_t right = columns->begin - rows->begin;
    stn_view c;
    STN_TRY(stn_view_slice(&c, s->c, 2, (const stn_slice[]){*rows, *columns}));
    if (right >= rows->count || -right >= columns->count)
        return stn_blas_combine(call, alpha, sums, s->beta, &c);
    if (store_in_place(call, s, alpha, right, sums, &c))
        return STN_OK;
    return stn_blas_is_complex(call->arithmetic)
               ? combined_complex_run(call->exec, call->arithmetic, right, s->triangle,
                                      s->is_hermitian, alpha, s->beta, sums, &c)
               : combined_run(call->exec, call->arithmetic, right, s->triangle, alpha.re,
                              s->beta.re, sums, &c);
}

static stn_status update_block(const stn_blas_call *call, square *s, const stn_slice *rows,
                               const stn_slice *columns)
{
    const stn_slice range = stn_slice_range(0, s->a->extent[1]);
    stn_view left, right;
    STN_TRY(stn_product_sum(&s->products[0], rows, columns, &range, &left));
    if (!s->has_two)
        return store(call, s, s->alpha, rows, columns, &left);
    STN_TRY(stn_product_sum(&s->products[1], rows, columns, &range, &right));
    STN_TRY(stn_blas_is_complex(call->arithmetic)
                ? both_complex_run(call->exec, call->arithmetic, s->is_hermitian, s->alpha, &left,
                                   &right, &left)
                : both_run(call->exec, call->arithmetic, s->alpha.re, &left, &right, &left));
    return store(call, s, stn_blas_real(1.0), rows, columns, &left);
}

/* Of these rows, the columns of a block that intersect the triangle. */
static stn_slice intersection(const square *s, const stn_slice *rows, const stn_slice *columns)
{
    const int64_t row_end = rows->begin + rows->count, end = columns->begin + columns->count;
    return s->triangle == STN_UPPER
               ? stn_slice_range(rows->begin > columns->begin ? rows->begin : columns->begin, end)
               : stn_slice_range(columns->begin, row_end < end ? row_end : end);
}

static stn_status update_blocks(const stn_blas_call *call, square *s)
{
    const int64_t n = s->c->extent[0], maximum = s->products[0].rows;
    const int64_t rows = maximum < MAX_ROWS ? maximum : MAX_ROWS;
    const int is_upper = s->triangle == STN_UPPER;
    stn_slice down, across;
    for (int64_t j = 0; stn_product_next(n, s->products[0].columns, &j, &across);) {
        int64_t i = is_upper ? 0 : across.begin;
        while (stn_product_next(is_upper ? j : n, rows, &i, &down)) {
            const stn_slice columns = intersection(s, &down, &across);
            STN_TRY(update_block(call, s, &down, &columns));
        }
    }
    return STN_OK;
}

/* ---- entry point ---- */

/* A factor of 1 changes nothing. */
static stn_status scale(const stn_blas_call *call, const square *s)
{
    if (stn_blas_is(call->arithmetic, s->beta, 1.0))
        return STN_OK;
    return stn_blas_is_complex(call->arithmetic)
               ? kept_complex_run(call->exec, call->arithmetic, s->triangle, s->is_hermitian,
                                  s->beta, s->c)
               : kept_run(call->exec, call->arithmetic, s->triangle, s->beta.re, s->c);
}

/* The second of A and B, transposed. */
static stn_status init_product(const stn_blas_call *call, const square *s, int number,
                               stn_view *turned, stn_product *product)
{
    const stn_conjugate other = s->is_hermitian ? (stn_conjugate)!s->conj : s->conj;
    const stn_factor a = {.view = number ? s->b : s->a, .conj = s->conj};
    STN_TRY(stn_blas_transpose(turned, number ? s->a : s->b));
    const stn_factor b = {.view = turned, .conj = other};
    STN_TRY(stn_product_init(product, call, &a, &b));
    return stn_product_open(product, s->c->extent[0], s->c->extent[1]);
}

static stn_status update(const stn_blas_call *call, int kinds, square *s)
{
    stn_view turned[2];
    STN_TRY(check(call, kinds, s));
    if (s->c->extent[0] == 0)
        return STN_OK;
    if (stn_blas_is(call->arithmetic, s->alpha, 0.0))
        return scale(call, s);
    if (s->a->extent[1] > 0 && stn_exec_has_loops(call->exec)) {
        const stn_system_call of = {.arithmetic = call->arithmetic,
                                    .triangle = s->triangle,
                                    .is_hermitian = s->is_hermitian,
                                    .conj = s->conj,
                                    .alpha = s->alpha,
                                    .beta = s->beta,
                                    .a = s->a,
                                    .b = s->has_two ? s->b : NULL,
                                    .c = s->c};
        int has_system;
        STN_TRY(stn_system_gemm_find(call->name, &has_system));
        if (has_system && stn_system_syrk(&of))
            return STN_OK;
    }
    stn_status status = STN_OK;
    for (int k = 0; k <= s->has_two && status == STN_OK; k++)
        status = init_product(call, s, k, &turned[k], &s->products[k]);
    if (status == STN_OK)
        status = update_blocks(call, s);
    for (int k = 0; k <= s->has_two; k++)
        stn_product_close(&s->products[k]);
    return status;
}

#define SQUARE(name_, kinds, ...)                                                                  \
    const stn_blas_call call = {name_, exec, arithmetic};                                          \
    square s = {.c = c, .triangle = triangle, __VA_ARGS__};                                        \
    STN_RETURN_IN_MODES(update(&call, kinds, &s))

stn_status stn_syrk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    double alpha, const stn_view *a, double beta, const stn_view *c)
{
    SQUARE("stn_syrk", STN_BLAS_ANY, .a = a, .b = a, .alpha = stn_blas_real(alpha),
           .beta = stn_blas_real(beta));
}

stn_status stn_syrk_complex(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_c128 alpha, const stn_view *a, stn_c128 beta, const stn_view *c)
{
    SQUARE("stn_syrk_complex", STN_BLAS_COMPLEX, .a = a, .b = a, .alpha = alpha, .beta = beta);
}

stn_status stn_herk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    double alpha, stn_conjugate conj, const stn_view *a, double beta,
                    const stn_view *c)
{
    SQUARE("stn_herk", STN_BLAS_COMPLEX, .a = a, .b = a, .alpha = stn_blas_real(alpha),
           .conj = conj, .beta = stn_blas_real(beta), .is_hermitian = 1);
}

stn_status stn_syr2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                     double alpha, const stn_view *a, const stn_view *b, double beta,
                     const stn_view *c)
{
    SQUARE("stn_syr2k", STN_BLAS_ANY, .a = a, .b = b, .alpha = stn_blas_real(alpha),
           .beta = stn_blas_real(beta), .has_two = 1);
}

stn_status stn_syr2k_complex(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                             stn_c128 alpha, const stn_view *a, const stn_view *b, stn_c128 beta,
                             const stn_view *c)
{
    SQUARE("stn_syr2k_complex", STN_BLAS_COMPLEX, .a = a, .b = b, .alpha = alpha, .beta = beta,
           .has_two = 1);
}

stn_status stn_her2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                     stn_c128 alpha, stn_conjugate conj, const stn_view *a, const stn_view *b,
                     double beta, const stn_view *c)
{
    SQUARE("stn_her2k", STN_BLAS_COMPLEX, .a = a, .b = b, .alpha = alpha, .conj = conj,
           .beta = stn_blas_real(beta), .is_hermitian = 1, .has_two = 1);
}
