/* What each function of BLAS does, element by element in plain C. */
#include "levels_model.h"

/* ---- level 1 ---- */

void levels_scale(problem *p, number alpha, int has_parts)
{
    for (int64_t i = 0; i < p->n; i++)
        p->v[0][i] =
            has_parts ? multiply(p, alpha, p->v[0][i]) : times_real(p, alpha.re, p->v[0][i]);
}

void levels_swap_vectors(problem *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        const number x = p->v[0][i];
        p->v[0][i] = p->v[1][i];
        p->v[1][i] = x;
    }
}

void levels_combine_vectors(problem *p, number alpha, number beta)
{
    for (int64_t i = 0; i < p->n; i++) {
        const number x = p->v[0][i], y = p->v[1][i];
        const number left = multiply(p, alpha, x), right = kept(p, beta, y);
        p->v[1][i] = is(alpha, 0.0) && is(beta, 0.0) ? of(0.0, 0.0)
                     : is(alpha, 0.0)                ? right
                     : is(beta, 0.0)                 ? left
                                                     : add(p, left, right);
    }
}

void levels_turn(problem *p, number s)
{
    const double c = rounded(p, p->choice->c);
    for (int64_t i = 0; i < p->n; i++) {
        const number x = p->v[0][i], y = p->v[1][i];
        p->v[0][i] = add(p, times_real(p, c, x), multiply(p, s, y));
        p->v[1][i] = add(p, times_real(p, c, y), negative(multiply(p, conjugate(s), x)));
    }
}

void levels_turn_modified(problem *p)
{
    const double *h = p->choice->parameter, flag = h[0];
    const double h11 = flag == 0.0 ? 1.0 : rounded(p, h[1]),
                 h21 = flag == 1.0 ? -1.0 : rounded(p, h[2]),
                 h12 = flag == 1.0 ? 1.0 : rounded(p, h[3]),
                 h22 = flag == 0.0 ? 1.0 : rounded(p, h[4]);
    for (int64_t i = 0; i < p->n && flag != -2.0; i++) {
        const number x = p->v[0][i], y = p->v[1][i];
        p->v[0][i] = add(p, times_real(p, h11, x), times_real(p, h12, y));
        p->v[1][i] = add(p, times_real(p, h21, x), times_real(p, h22, y));
    }
}

number levels_sum_vectors(const problem *p, folded what, int conjugated, number scale_by)
{
    element *e = elements(p->n);
    for (int64_t i = 0; i < p->n; i++) {
        const number x = p->v[0][i];
        e[i] =
            (element){1, conjugated ? conjugate(x) : x, what == PRODUCTS ? p->v[1][i] : scale_by};
    }
    const number found = sum(p, what, e, p->n);
    free(e);
    return found;
}

void levels_take_norm(problem *p)
{
    const double most = is_narrow(p) ? 0x1p100 : 0x1p600, least = is_narrow(p) ? 0x1p-80 : 0x1p-900;
    double by = 1.0, squares = levels_sum_vectors(p, SQUARES, 0, of(1.0, 0.0)).re;
    if (isinf(squares) || squares < least) {
        by = squares < least ? most : 1.0 / most;
        squares = levels_sum_vectors(p, SQUARES, 0, of(by, 0.0)).re;
    }
    p->result.number = of(rounded(p, rounded(p, sqrt(squares)) / by), 0.0);
}

void levels_find_largest(problem *p)
{
    double most = -1.0;
    p->result.place = -1;
    for (int64_t i = 0; i < p->n; i++) {
        const double size = rounded(p, fabs(p->v[0][i].re) + fabs(p->v[0][i].im));
        if (size > most || (isnan(size) && !isnan(most))) {
            most = size;
            p->result.place = i;
        }
    }
}

/* ---- products of a matrix ---- */

static void update(problem *p, number *y, number alpha, number found, number beta)
{
    const number product = is(alpha, 1.0) ? found : multiply(p, alpha, found);
    *y = is(beta, 0.0)    ? (is(alpha, 0.0) ? of(0.0, 0.0) : product)
         : is(alpha, 0.0) ? kept(p, beta, *y)
                          : add(p, product, kept(p, beta, *y));
}

/* The elements of a row that there are. */
typedef struct run {
    int64_t begin, end;
} run;

static run run_of(const problem *p, int64_t i, int64_t below, int64_t above)
{
    const int64_t begin = i - below < 0 ? 0 : i - below, end = i + above + 1;
    if (!p->is_banded)
        return (run){0, p->n};
    return (run){begin, end > p->n ? p->n : end < begin ? begin : end};
}

void levels_multiply_rows(problem *p, number alpha, int conjugated, number beta)
{
    element *e = elements(p->n);
    for (int64_t i = 0; i < p->m; i++) {
        const run r = run_of(p, i, p->below, p->above);
        for (int64_t j = r.begin; j < r.end; j++) {
            const number a = p->v[0][i * p->n + j];
            e[j - r.begin] = (element){1, conjugated ? conjugate(a) : a, p->v[1][j]};
        }
        update(p, &p->v[2][i], alpha, sum(p, PRODUCTS, e, r.end - r.begin), beta);
    }
    free(e);
}

static int is_in(const problem *p, int64_t i, int64_t j)
{
    return p->choice->triangle == STN_UPPER ? j >= i : j <= i;
}

void levels_multiply_symmetric(problem *p, number alpha, int hermitian, number beta)
{
    element *e = elements(p->n);
    const int64_t reach = p->choice->triangle == STN_UPPER ? p->above : p->below;
    for (int64_t i = 0; i < p->n; i++) {
        const run r = run_of(p, i, reach, reach);
        for (int64_t j = r.begin; j < r.end; j++) {
            number a = is_in(p, i, j) ? p->v[0][i * p->n + j] : p->v[0][j * p->n + i];
            if (hermitian)
                a.im = i == j ? 0.0 : is_in(p, i, j) ? a.im : -a.im;
            e[j - r.begin] = (element){1, a, p->v[1][j]};
        }
        update(p, &p->v[2][i], alpha, sum(p, PRODUCTS, e, r.end - r.begin), beta);
    }
    free(e);
}

/* An element of a triangular matrix. */
static number triangle_at(const problem *p, int64_t i, int64_t j)
{
    const number a = p->v[0][i * p->n + j];
    if (i == j && p->choice->diagonal == STN_DIAGONAL_UNIT)
        return of(1.0, 0.0);
    return p->choice->conj == STN_CONJUGATE && levels_is_complex(p->arithmetic) ? conjugate(a) : a;
}

void levels_multiply_triangular(problem *p)
{
    element *e = elements(p->n);
    number *x = calloc((size_t)p->n + 1, sizeof *x);
    if (!x)
        abort();
    const int is_upper = p->choice->triangle == STN_UPPER;
    for (int64_t i = 0; i < p->n; i++) {
        const run r = run_of(p, i, is_upper ? 0 : p->below, is_upper ? p->above : 0);
        for (int64_t j = r.begin; j < r.end; j++)
            e[j - r.begin] = is_in(p, i, j)
                                 ? (element){1, triangle_at(p, i, j), p->v[1][j]}
                                 : (element){levels_is_complex(p->arithmetic), {0, 0}, {0, 0}};
        x[i] = sum(p, PRODUCTS, e, r.end - r.begin);
    }
    memcpy(p->v[1], x, (size_t)p->n * sizeof *x);
    free(x);
    free(e);
}

static number subtract(const problem *p, number x, number y)
{
    return of(rounded(p, x.re - y.re), rounded(p, x.im - y.im));
}

/* Complex quotients are test_complex's; here is who is divided, and when. */
static number divide(const problem *p, number x, number y)
{
    if (p->arithmetic == STN_C128) {
        const stn_c128 z = stn_c128_divide(stn_c128_of(x.re, x.im), stn_c128_of(y.re, y.im));
        return of(z.re, z.im);
    }
    if (p->arithmetic == STN_C64) {
        const stn_c64 z = stn_c64_divide(stn_c64_of((float)x.re, (float)x.im),
                                         stn_c64_of((float)y.re, (float)y.im));
        return of(z.re, z.im);
    }
    return of(rounded(p, x.re / y.re), 0.0);
}

/* The sum of a row's products from column begin to end - 1. */
static number sum_row(const problem *p, element *e, int64_t i, int64_t begin, int64_t end)
{
    for (int64_t j = begin; j < end; j++)
        e[j - begin] = (element){1, triangle_at(p, i, j), p->v[1][j]};
    return sum(p, PRODUCTS, e, end - begin);
}

/* Of row i the sum over what is solved in other strips of 16 rows, from column begin to end - 1,
 * then element by element over its own. */
static number sum_solved(const problem *p, element *e, int64_t i, int64_t begin, int64_t end)
{
    const int is_upper = p->choice->triangle == STN_UPPER;
    const int64_t strip = i / 16 * 16, behind = strip + 16 < end ? strip + 16 : end;
    const int64_t first = is_upper ? (behind > begin ? behind : begin) : begin;
    const int64_t last = is_upper ? end : strip < end ? strip : end;
    number total = of(0.0, 0.0);
    for (int64_t j = first; j < last; j += 128) {
        const number some = sum_row(p, e, i, j, j + 128 < last ? j + 128 : last);
        total = j == first ? some : add(p, total, some);
    }
    if (is_upper)
        for (int64_t j = behind - 1; j > i; j--)
            total = add(p, total, multiply(p, triangle_at(p, i, j), p->v[1][j]));
    else
        for (int64_t j = strip > begin ? strip : begin; j < i; j++)
            total = add(p, total, multiply(p, triangle_at(p, i, j), p->v[1][j]));
    return total;
}

void levels_solve_triangular(problem *p)
{
    const int is_upper = p->choice->triangle == STN_UPPER;
    element *e = elements(p->n);
    for (int64_t k = 0; k < p->n; k++) {
        const int64_t i = is_upper ? p->n - 1 - k : k, tile = i / 128 * 128;
        const int64_t end = tile + 128 < p->n ? tile + 128 : p->n;
        const int64_t outer[] = {is_upper ? end : 0, is_upper ? p->n : tile};
        number *const x = &p->v[1][i];
        run inner = {is_upper ? i + 1 : tile, is_upper ? end : i};
        if (p->is_banded)
            inner = run_of(p, i, is_upper ? -1 : p->below, is_upper ? p->above : -1);
        else if (outer[0] < outer[1]) /* infinite ones times -1 + 0 i are NaN */
            *x = add(p, multiply(p, of(-1.0, 0.0), sum_row(p, e, i, outer[0], outer[1])), *x);
        *x = subtract(p, *x, sum_solved(p, e, i, inner.begin, inner.end));
        if (p->choice->diagonal == STN_DIAGONAL_NON_UNIT)
            *x = divide(p, *x, triangle_at(p, i, i));
    }
    free(e);
}

/* ---- updates of a matrix ---- */

void levels_update_all(problem *p, number alpha, int conjugated)
{
    for (int64_t i = 0; i < p->m && !is(alpha, 0.0); i++)
        for (int64_t j = 0; j < p->n; j++) {
            number *const a = &p->v[2][i * p->n + j], y = p->v[1][j];
            const number product = multiply(p, alpha, conjugated ? conjugate(y) : y);
            *a = add(p, multiply(p, p->v[0][i], product), *a);
        }
}

void levels_update_square(problem *p, int hermitian)
{
    const number alpha = real_factor(p, p->choice->alpha);
    for (int64_t i = 0; i < p->n && !is(alpha, 0.0); i++)
        for (int64_t j = 0; j < p->n; j++) {
            number *const a = &p->v[1][i * p->n + j], x = p->v[0][j];
            if (!is_in(p, i, j))
                continue;
            const number product =
                hermitian ? conjugate(times_real(p, alpha.re, x)) : multiply(p, alpha, x);
            *a = add(p, multiply(p, p->v[0][i], product), *a);
            if (hermitian && i == j)
                a->im = 0.0;
        }
}

void levels_update_square_2(problem *p, number alpha, int hermitian)
{
    for (int64_t i = 0; i < p->n && !is(alpha, 0.0); i++)
        for (int64_t j = 0; j < p->n; j++) {
            number *const a = &p->v[2][i * p->n + j];
            const number x = p->v[0][j], y = p->v[1][j];
            if (!is_in(p, i, j))
                continue;
            const number by_x = multiply(p, alpha, hermitian ? conjugate(y) : y);
            const number by_y = multiply(p, alpha, x);
            *a = add(p, multiply(p, p->v[0][i], by_x), *a);
            *a = add(p, multiply(p, p->v[1][i], hermitian ? conjugate(by_y) : by_y), *a);
            if (hermitian && i == j)
                a->im = 0.0;
        }
}

/* ---- products of matrices ---- */

static number conjugate_if(const problem *p, int conjugated, number x)
{
    return conjugated && levels_is_complex(p->arithmetic) ? conjugate(x) : x;
}

/* C is m x n, B n x n. */
void levels_multiply_matrices(problem *p, number alpha, int a_conjugated, int b_conjugated,
                              number beta)
{
    element *e = elements(p->n);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            for (int64_t k = 0; k < p->n; k++)
                e[k] = (element){1, conjugate_if(p, a_conjugated, p->v[0][i * p->n + k]),
                                 conjugate_if(p, b_conjugated, p->v[1][k * p->n + j])};
            update(p, &p->v[2][i * p->n + j], alpha, sum(p, PRODUCTS, e, p->n), beta);
        }
    free(e);
}

/* Of a matrix of which a triangle stands for the other. */
static number mirrored_at(const problem *p, int hermitian, int64_t i, int64_t j)
{
    number a = is_in(p, i, j) ? p->v[0][i * p->n + j] : p->v[0][j * p->n + i];
    if (hermitian)
        a.im = i == j ? 0.0 : is_in(p, i, j) ? a.im : -a.im;
    return a;
}

void levels_multiply_mirrored(problem *p, number alpha, int hermitian, number beta)
{
    element *e = elements(p->n);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++) {
            for (int64_t k = 0; k < p->n; k++)
                e[k] = p->choice->side == STN_SIDE_LEFT
                           ? (element){1, mirrored_at(p, hermitian, i, k), p->v[1][k * p->n + j]}
                           : (element){1, p->v[1][i * p->n + k], mirrored_at(p, hermitian, k, j)};
            update(p, &p->v[2][i * p->n + j], alpha, sum(p, PRODUCTS, e, p->n), beta);
        }
    free(e);
}

/* The sum of row i of one operand times row j of another one, which is conjugated if `hermitian`,
 * or else the first one where both are taken so. */
static number sum_rows(const problem *p, element *e, int first, int second, int64_t i, int64_t j,
                       int hermitian)
{
    const int turns = hermitian && p->choice->conj == STN_CONJUGATE;
    for (int64_t k = 0; k < p->n; k++)
        e[k] = (element){1, conjugate_if(p, turns, p->v[first][i * p->n + k]),
                         conjugate_if(p, hermitian && !turns, p->v[second][j * p->n + k])};
    return sum(p, PRODUCTS, e, p->n);
}

/* One operand, or two. */
void levels_multiply_by_own(problem *p, int operands, number alpha, int hermitian, number beta)
{
    element *e = elements(p->n);
    const number other = hermitian ? conjugate(alpha) : alpha;
    for (int64_t i = 0; i < p->n && !(is(alpha, 0.0) && is(beta, 1.0)); i++)
        for (int64_t j = 0; j < p->n; j++) {
            number *const c = &p->v[operands][i * p->n + j];
            if (!is_in(p, i, j))
                continue;
            number left = sum_rows(p, e, 0, operands - 1, i, j, hermitian), by = alpha;
            if (operands == 2 && !is(alpha, 0.0)) {
                const number right = sum_rows(p, e, 1, 0, i, j, hermitian);
                left = is(alpha, 1.0) ? add(p, left, right)
                                      : add(p, multiply(p, alpha, left), multiply(p, other, right));
                by = of(1.0, 0.0);
            }
            update(p, c, by, left, beta);
            if (hermitian && i == j)
                c->im = 0.0;
        }
    free(e);
}

/* ---- triangles and matrices: column j of B, or row j where A is on the right ---- */

static number *b_at(const problem *p, int64_t i, int64_t j)
{
    return &p->v[1][p->choice->side == STN_SIDE_LEFT ? i * p->n + j : j * p->n + i];
}

static number factor_at(const problem *p, int64_t i, int64_t j)
{
    return p->choice->side == STN_SIDE_LEFT ? triangle_at(p, i, j) : triangle_at(p, j, i);
}

/* The products of row i with what is in other blocks of 64. */
static number sum_others(const problem *p, element *e, int is_upper, int64_t i, int64_t j,
                         int64_t *count)
{
    const int64_t block = i / 64 * 64, end = block + 64 < p->n ? block + 64 : p->n;
    const int64_t from = is_upper ? end : 0, to = is_upper ? p->n : block;
    for (int64_t k = from; k < to; k++)
        e[k - from] = (element){1, factor_at(p, i, k), *b_at(p, k, j)};
    *count = to - from;
    return sum(p, PRODUCTS, e, to - from);
}

/* Adds the products within the block, or subtracts them. */
static number add_block(const problem *p, int is_upper, int64_t i, int64_t j, int subtracts,
                        number x)
{
    const int64_t block = i / 64 * 64, end = block + 64 < p->n ? block + 64 : p->n;
    for (int64_t k = is_upper ? i + 1 : block; k < (is_upper ? end : i); k++) {
        const number a = factor_at(p, i, k);
        x = add(p, x, multiply(p, subtracts ? negative(a) : a, *b_at(p, k, j)));
    }
    return x;
}

static int is_upper_of(const problem *p)
{
    return (p->choice->triangle == STN_UPPER) == (p->choice->side == STN_SIDE_LEFT);
}

void levels_multiply_triangle(problem *p, number alpha)
{
    const int is_upper = is_upper_of(p), has_units = p->choice->diagonal == STN_DIAGONAL_UNIT;
    element *e = elements(p->n);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t k = 0; k < p->n; k++) {
            const int64_t i = is_upper ? k : p->n - 1 - k;
            int64_t count;
            const number others = sum_others(p, e, is_upper, i, j, &count);
            number *const b = b_at(p, i, j);
            number x = has_units ? *b : multiply(p, factor_at(p, i, i), *b);
            x = add_block(p, is_upper, i, j, 0, x);
            x = count > 0 ? add(p, others, x) : x;
            *b = is(alpha, 0.0) ? of(0.0, 0.0) : x;
        }
    for (int64_t k = 0; k < p->n * p->n && !is(alpha, 0.0) && !is(alpha, 1.0); k++)
        p->v[1][k] = multiply(p, alpha, p->v[1][k]);
    free(e);
}

void levels_solve_triangle(problem *p, number alpha)
{
    const int is_upper = is_upper_of(p), has_units = p->choice->diagonal == STN_DIAGONAL_UNIT;
    element *e = elements(p->n);
    for (int64_t k = 0; k < p->n * p->n && !is(alpha, 1.0); k++)
        p->v[1][k] = is(alpha, 0.0) ? of(0.0, 0.0) : multiply(p, alpha, p->v[1][k]);
    for (int64_t j = 0; j < p->n && !is(alpha, 0.0); j++)
        for (int64_t k = 0; k < p->n; k++) {
            const int64_t i = is_upper ? p->n - 1 - k : k;
            int64_t count;
            const number others = sum_others(p, e, is_upper, i, j, &count);
            number *const b = b_at(p, i, j);
            if (count > 0)
                *b = add(p, multiply(p, of(-1.0, 0.0), others), *b);
            *b = add_block(p, is_upper, i, j, 1, *b);
            if (!has_units)
                *b = divide(p, *b, factor_at(p, i, i));
        }
    free(e);
}
