/* Sums of products of complex numbers with parts of type STN_FORMAT, f64 or f32, for STN_ISA: along
 * rows of up to a tile, or along columns. Vectors hold pairs of real and imaginary parts. A product
 * with x is that of a's real part, repeated, and (x.re, x.im), plus that of its imaginary part and
 * (-x.im, x.re). */
#include "blas/complex.h"

#include <string.h>

#include "blas/column_panels.h"
#include "format/vec.h"
#include "order/fold.h"

#include "order/vector.h"

enum {
    TILE = 2 * STN_TILE_ELEMENTS,          /* values of a tile */
    ROUND = 2 * STN_LANES,                 /* values between elements of one lane */
    REGISTERS = ROUND / STN_WIDTH,         /* of all lanes */
    GROUP = REGISTERS < 8 ? REGISTERS : 8, /* summed together: registers g, g + GROUPS, ... */
    GROUPS = REGISTERS / GROUP,
    ROWS = sizeof(vector) == 64 ? 2 : 1 /* limited by the number of registers */
};

/* Elements of x, and (-x.im, x.re); or for the conjugate of a, (x.im, -x.re). */
typedef struct factors {
    const value *x; /* instead of the arrays, for the product of one row; or NULL */
    int is_conjugated;
    _Alignas(64) value plain[TILE], turned[TILE];
} factors;

STN_FN void set_factors(factors *f, const value *x, int64_t count, int is_conjugated)
{
    const value sign = is_conjugated ? (value)-1 : (value)1;
    f->x = NULL;
    for (int64_t k = 0; k < count; k++) {
        f->plain[2 * k] = x[2 * k];
        f->plain[2 * k + 1] = x[2 * k + 1];
        f->turned[2 * k] = -sign * x[2 * k + 1];
        f->turned[2 * k + 1] = sign * x[2 * k];
    }
    for (int64_t k = 2 * count; k % STN_WIDTH; k++)
        f->plain[k] = f->turned[k] = 0;
}

/* The vectors of x; `left`: values up to the end. */
typedef struct factor {
    vector plain, turned;
} factor;

STN_FN factor read_factor(const factors *f, int64_t at, int64_t left, int is_direct)
{
    if (!is_direct)
        return (factor){load_once(f->plain + at), load_once(f->turned + at)};
    const value minus = f->is_conjugated ? (value)0.0 : (value)-0.0;
    const vector plain = left < STN_WIDTH ? load_some(f->x + at, left) : load(f->x + at);
    const vector turned = STN_PAIRS(plain, 1, 0);
    return (factor){plain, STN_NEGATIVE_IF(turned, repeat_pair(minus, -minus))};
}

/* The first product of a lane: parts are differences and sums of rounded products. */
STN_FN vector first_product(vector a, factor x)
{
    return STN_OF(v_add)(STN_OF(v_mul)(STN_PAIRS(a, 0, 0), x.plain),
                         STN_OF(v_mul)(STN_PAIRS(a, 1, 1), x.turned));
}

STN_FN vector add_product(vector lane, vector a, factor x)
{
    return STN_OF(v_fma)(STN_PAIRS(a, 1, 1), x.turned,
                         STN_OF(v_fma)(STN_PAIRS(a, 0, 0), x.plain, lane));
}

/* ---- rows ---- */

/* The lanes of a group, of the elements of one round: the first one, or a later one. */
STN_FN void add_round(vector (*lanes)[GROUP], const char *a, int64_t row_bytes, int rows,
                      const factors *f, int64_t first, int group, int is_direct)
{
#pragma GCC unroll 8
    for (int k = 0; k < GROUP; k++) {
        const int64_t at = first + (group + k * GROUPS) * STN_WIDTH;
        const factor x = read_factor(f, at, STN_WIDTH, is_direct);
#pragma GCC unroll 2
        for (int r = 0; r < rows; r++) {
            const vector row = load_once((const value *)(const void *)(a + r * row_bytes) + at);
            lanes[r][k] = first == 0 ? first_product(row, x) : add_product(lanes[r][k], row, x);
        }
    }
}

/* The same for an incomplete round of fewer than `values` values in all. Other lanes are
 * unchanged, or -0, which changes no sum. */
STN_FN void add_rest(vector (*lanes)[GROUP], const char *a, int64_t row_bytes, int rows,
                     const factors *f, int64_t first, int64_t values, int group, int is_direct)
{
#pragma GCC unroll 8
    for (int k = 0; k < GROUP; k++) {
        const int64_t at = first + (group + k * GROUPS) * STN_WIDTH, left = values - at;
#pragma GCC unroll 2
        for (int r = 0; r < rows; r++) {
            const vector old = first == 0 ? STN_OF(v_set)((value)-0.0) : lanes[r][k];
            const value *const from = (const value *)(const void *)(a + r * row_bytes) + at;
            lanes[r][k] = old;
            if (left <= 0)
                continue;
            const vector row = left < STN_WIDTH ? load_some(from, left) : load(from);
            const factor x = read_factor(f, at, left, is_direct);
            lanes[r][k] = STN_OF(v_first)(
                first == 0 ? first_product(row, x) : add_product(old, row, x), old, left);
        }
    }
}

/* The sums of the group's lanes, still in pairs of numbers. */
STN_FN void sum_group(vector *sums, const char *a, int64_t row_bytes, int rows, const factors *f,
                      int64_t values, int group, int is_full, int is_direct)
{
    vector lanes[ROWS][GROUP];
    int64_t first = 0;
    if (is_full || values >= ROUND) {
        add_round(lanes, a, row_bytes, rows, f, 0, group, is_direct);
        first = ROUND;
    }
    if (is_full) {
#pragma GCC unroll 4
        for (; first < TILE; first += ROUND)
            add_round(lanes, a, row_bytes, rows, f, first, group, is_direct);
    } else {
        for (; first > 0 && first + ROUND <= values; first += ROUND)
            add_round(lanes, a, row_bytes, rows, f, first, group, is_direct);
        if (first == 0)
            add_rest(lanes, a, row_bytes, rows, f, 0, values, group, is_direct);
        else if (first < values)
            add_rest(lanes, a, row_bytes, rows, f, first, values, group, is_direct);
    }
#pragma GCC unroll 2
    for (int r = 0; r < rows; r++) {
        add_registers(lanes[r], GROUP);
        sums[r] = lanes[r][0];
    }
}

STN_FN void sum_side(double *sums, const char *a, int64_t row_bytes, int rows, const factors *f,
                     int64_t values, int is_full, int is_direct)
{
    vector parts[GROUPS][ROWS];
#pragma GCC unroll 4
    for (int group = 0; group < GROUPS; group++)
        sum_group(parts[group], a, row_bytes, rows, f, values, group, is_full, is_direct);
    for (int half = GROUPS / 2; half > 0; half /= 2)
        for (int group = 0; group < half; group++)
            for (int r = 0; r < rows; r++)
                parts[group][r] = STN_OF(v_add)(parts[group][r], parts[group + half][r]);
#pragma GCC unroll 2
    for (int r = 0; r < rows; r++) {
        const stn_one_pair sum = sum_pairs(parts[0][r]);
        sums[2 * r] = (double)sum[0];
        sums[2 * r + 1] = (double)sum[1];
    }
}

STN_FN const char *row_of(const char *a, int64_t row_bytes, int64_t growth, int64_t row)
{
    return a + row * row_bytes + row * (row - 1) / 2 * growth;
}

STN_REST void sum_rows_full(double *sums, const char *a, int64_t row_bytes, int64_t growth,
                            int64_t rows, const factors *f)
{
    int64_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        sum_side(sums + 2 * r, row_of(a, row_bytes, growth, r), row_bytes + r * growth, ROWS, f,
                 TILE, 1, 0);
    for (; r < rows; r++)
        sum_side(sums + 2 * r, row_of(a, row_bytes, growth, r), row_bytes + r * growth, 1, f, TILE,
                 1, 0);
}

STN_REST void sum_rows_some(double *sums, const char *a, int64_t row_bytes, int64_t growth,
                            int64_t rows, const factors *f, int64_t values)
{
    int64_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        sum_side(sums + 2 * r, row_of(a, row_bytes, growth, r), row_bytes + r * growth, ROWS, f,
                 values, 0, 0);
    for (; r < rows; r++)
        sum_side(sums + 2 * r, row_of(a, row_bytes, growth, r), row_bytes + r * growth, 1, f,
                 values, 0, 0);
}

STN_REST void sum_one_row(double *sums, const char *a, const factors *f, int64_t values)
{
    if (values == TILE)
        sum_side(sums, a, 0, 1, f, TILE, 1, 1);
    else
        sum_side(sums, a, 0, 1, f, values, 0, 1);
}

static void sum_rows(double *sums, const void *a, int64_t row_bytes, int64_t growth, int64_t rows,
                     const void *x, int64_t count, int is_conjugated)
{
    factors f;
    if (rows == 1) {
        f.x = x;
        f.is_conjugated = is_conjugated;
        sum_one_row(sums, a, &f, 2 * count);
        return;
    }
    set_factors(&f, x, count, is_conjugated);
    if (count == STN_TILE_ELEMENTS)
        sum_rows_full(sums, a, row_bytes, growth, rows, &f);
    else
        sum_rows_some(sums, a, row_bytes, growth, rows, &f, 2 * count);
}

/* ---- columns ----
 * Rows e, e + 8, e + 16 and e + 24 of a tile are lanes of a panel; those of one lane are 32 rows
 * apart. Panels are processed in the order in which the tree combines them, so that each column has
 * at most three pending sums. */

enum { STRIP = 16 * STN_WIDTH };

/* Columns of up to BLOCK vectors; the last one has `left` values. */
typedef struct block {
    const char *a;
    int64_t row_bytes, growth, rows, left;
} block;

STN_FN vector read_columns(const block *b, int64_t row, int k, int vectors, int is_partial)
{
    const value *const from =
        (const value *)(const void *)row_of(b->a, b->row_bytes, b->growth, row);
    return is_partial && k == vectors - 1 ? load_some(from + k * STN_WIDTH, b->left)
                                          : load_once(from + k * STN_WIDTH);
}

/* The lane that begins with this row; -0 without rows. */
STN_FN void sum_lane(vector *sums, const block *b, const value *plain, const value *turned,
                     int64_t row, int vectors, int is_partial)
{
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++)
        sums[k] = STN_OF(v_set)((value)-0.0);
    for (int64_t r = row; r < b->rows; r += STN_LANES) {
        const factor x = {load_pair(plain + 2 * r), load_pair(turned + 2 * r)};
#pragma GCC unroll 4
        for (int k = 0; k < vectors; k++) {
            const vector a = read_columns(b, r, k, vectors, is_partial);
            sums[k] = r == row ? first_product(a, x) : add_product(sums[k], a, x);
        }
    }
}

STN_FN void add_all(vector *sums, const vector *others, int vectors)
{
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++)
        sums[k] = STN_OF(v_add)(sums[k], others[k]);
}

STN_FN void sum_panel(vector *sums, const block *b, const factors *f, int64_t row, int vectors,
                      int is_partial)
{
    vector others[BLOCK], odd[BLOCK];
    sum_lane(sums, b, f->plain, f->turned, row, vectors, is_partial);
    sum_lane(others, b, f->plain, f->turned, row + 16, vectors, is_partial);
    add_all(sums, others, vectors);
    sum_lane(odd, b, f->plain, f->turned, row + 8, vectors, is_partial);
    sum_lane(others, b, f->plain, f->turned, row + 24, vectors, is_partial);
    add_all(odd, others, vectors);
    add_all(sums, odd, vectors);
}

/* The k-th panel in order, with pending sums of previous ones. */
STN_FN void fold_panel(value (*waiting)[STRIP], double *sums, const block *b, const factors *f,
                       int k, int64_t at, int vectors, int is_partial)
{
    vector block_sums[BLOCK], pending[BLOCK];
    int level = 0;
    sum_panel(block_sums, b, f, panel_order[k], vectors, is_partial);
    for (int odd = k; odd & 1; odd >>= 1, level++) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            pending[v] = load(waiting[level] + at + v * STN_WIDTH);
        add_all(block_sums, pending, vectors);
    }
    if (k < PANELS - 1) {
        memcpy(waiting[level] + at, block_sums, (size_t)vectors * sizeof(vector));
        return;
    }
    const int64_t count = is_partial ? (vectors - 1) * STN_WIDTH + b->left : vectors * STN_WIDTH;
    value last[BLOCK * STN_WIDTH];
    memcpy(last, block_sums, (size_t)vectors * sizeof(vector));
    for (int64_t c = 0; c < count; c++)
        sums[at + c] = (double)last[c];
}

/* Up to STRIP values of each row; those of the next strip are prefetched. */
STN_REST void sum_strip(double *sums, const char *a, int64_t row_bytes, int64_t growth,
                        int64_t rows, const factors *f, int64_t values, int has_next)
{
    _Alignas(64) value waiting[WAITING][STRIP];
    for (int k = 0; k < PANELS; k++) {
        int64_t at = 0;
        for (; at + BLOCK * STN_WIDTH <= values; at += BLOCK * STN_WIDTH) {
            const block b = {a + at * (int64_t)sizeof(value), row_bytes, growth, rows, STN_WIDTH};
            for (int64_t r = panel_order[k]; has_next && r < rows; r += PANELS)
                for (int64_t line = 0; line < BLOCK * (int64_t)sizeof(vector); line += 64)
                    __builtin_prefetch((const void *)((uintptr_t)b.a +
                                                      (uintptr_t)(r * row_bytes + line) +
                                                      STRIP * sizeof(value)));
            fold_panel(waiting, sums, &b, f, k, at, BLOCK, 0);
        }
        for (; at < values; at += STN_WIDTH) {
            const int64_t left = values - at;
            const block b = {a + at * (int64_t)sizeof(value), row_bytes, growth, rows, left};
            fold_panel(waiting, sums, &b, f, k, at, 1, left < STN_WIDTH);
        }
    }
}

static void sum_columns(double *sums, const void *a, int64_t row_bytes, int64_t growth,
                        int64_t rows, const void *x, int64_t columns, int is_conjugated)
{
    factors f;
    set_factors(&f, x, rows, is_conjugated);
    for (int64_t c = 0; c < 2 * columns; c += STRIP)
        sum_strip(sums + c, (const char *)a + c * (int64_t)sizeof(value), row_bytes, growth, rows,
                  &f, 2 * columns - c < STRIP ? 2 * columns - c : STRIP, c + STRIP < 2 * columns);
}

/* ---- one row ---- */

/* The sum of squares of up to a tile, with both parts of an element in one lane. */
STN_FN value sum_squares(const value *x, int64_t values)
{
    vector lanes[REGISTERS];
#pragma GCC unroll 16
    for (int r = 0; r < REGISTERS; r++)
        lanes[r] = STN_OF(v_set)((value)-0.0);
    for (int64_t first = 0; first < values; first += ROUND) {
#pragma GCC unroll 16
        for (int r = 0; r < REGISTERS; r++) {
            const int64_t at = first + r * STN_WIDTH, left = values - at;
            if (left <= 0)
                continue;
            const vector all = left < STN_WIDTH ? load_some(x + at, left) : load(x + at);
            const vector re = STN_PAIRS(all, 0, 0), im = STN_PAIRS(all, 1, 1);
            lanes[r] = STN_OF(v_first)(STN_OF(v_fma)(im, im, STN_OF(v_fma)(re, re, lanes[r])),
                                       lanes[r], left);
        }
    }
    add_registers(lanes, REGISTERS);
    return sum_pairs(lanes[0])[0];
}

static double squares(const void *x, int64_t count)
{
    return (double)sum_squares(x, 2 * count);
}

/* Parts of the product are differences and sums of rounded products. */
STN_FN vector add_scaled(vector y, vector x, vector plain, vector turned)
{
    const vector product =
        STN_OF(v_add)(STN_OF(v_mul)(plain, x), STN_OF(v_mul)(turned, STN_PAIRS(x, 1, 0)));
    return STN_OF(v_add)(product, y);
}

static void axpy(void *to, const void *from, stn_c128 alpha, int64_t count)
{
    const vector plain = STN_OF(v_set)((value)alpha.re);
    const vector turned = repeat_pair((value)-alpha.im, (value)alpha.im);
    const value *x = from;
    value *y = to;
    int64_t left = 2 * count;
    for (; left >= STN_WIDTH; left -= STN_WIDTH, x += STN_WIDTH, y += STN_WIDTH) {
        const vector sum = add_scaled(load(y), load_once(x), plain, turned);
        memcpy(y, &sum, sizeof sum);
    }
    if (left > 0) {
        const vector sum = add_scaled(load_some(y, left), load_some(x, left), plain, turned);
        value last[STN_WIDTH];
        memcpy(last, &sum, sizeof sum);
        memcpy(y, last, (size_t)left * sizeof *y);
    }
}

extern const stn_complex_loops STN_INSTANCE(stn_complex_loops);
const stn_complex_loops STN_INSTANCE(stn_complex_loops) = {sum_rows, sum_columns, squares, axpy};
