/* Sums of a tile of entries for several right-hand sides or rows, a lane of each in a vector, in
 * arithmetic STN_FORMAT, f64 or f32, on STN_ISA. */
#include "sparse/tile.h"

#include <string.h>

#include "format/vec.h"
#include "sparse/slice.h"
#include "sum/fold.h"

typedef code value;
enum { SHORTEST = 8 }; /* entries of a row that stay in registers */

#define FUSE(x, y, z)                                                                              \
    (sizeof(value) == sizeof(float) ? (value)__builtin_fmaf((float)(x), (float)(y), (float)(z))    \
                                    : (value)__builtin_fma((double)(x), (double)(y), (double)(z)))

/* Of a row. */
typedef struct entries {
    const value *values;
    const int32_t *column;
    const value *x;
    int64_t column_step, value_step;
} entries;

STN_FN const value *x_of(entries s, int64_t e, int64_t width)
{
    return s.x + (int64_t)s.column[e * s.column_step] * width;
}

STN_FN const value *value_of(entries s, int64_t e, int is_complex)
{
    return s.values + e * s.value_step * (is_complex ? 2 : 1);
}

STN_FN void put_sums(double *sums, const value *values, int count)
{
    if (sizeof(value) == sizeof(double))
        memcpy(sums, values, (size_t)count * sizeof *values);
    for (int j = 0; sizeof(value) < sizeof(double) && j < count; j++)
        sums[j] = (double)values[j];
}

/* ---- a row ---- */

/* The first product of a lane needs no sum, and absent lanes no look. */
static void real_1(double *sums, const void *values, const int32_t *column, const int64_t *steps,
                   int64_t count, const void *x)
{
    const entries s = {values, column, x, steps ? steps[0] : 1, steps ? steps[1] : 1};
    value lane[STN_LANES];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++)
        lane[e] = *value_of(s, e, 0) * *x_of(s, e, 1);
    for (int64_t e = STN_LANES; e < count; e++)
        lane[e % STN_LANES] = FUSE(*value_of(s, e, 0), *x_of(s, e, 1), lane[e % STN_LANES]);
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
            lane[e] += lane[e + half];
    sums[0] = (double)lane[0];
}

#define WIDTH    2
#define OF(name) name##_2
#define TURN(x)  __builtin_shufflevector(x, x, 1, 0)
#define SIGNS    -1, 1
#include "sparse/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    4
#define OF(name) name##_4
#define TURN(x)  __builtin_shufflevector(x, x, 1, 0, 3, 2)
#define SIGNS    -1, 1, -1, 1
#include "sparse/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    8
#define OF(name) name##_8
#define TURN(x)  __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6)
#define SIGNS    -1, 1, -1, 1, -1, 1, -1, 1
#include "sparse/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    16
#define OF(name) name##_16
#define TURN(x)  __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define SIGNS    -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1
#include "sparse/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

/* ---- rows side by side ---- */

/* -0 + x is x, and fma(a, x, -0) the product: what is absent is -0. */
static void side(double *sums, const void *codes, const int32_t *column, const int64_t *steps,
                 int64_t count, const void *vector)
{
    _Alignas(64) value lane[STN_LANES][STN_SIDE];
    const value *const x = vector;
    const int64_t lanes = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < lanes; e++)
        for (int r = 0; r < STN_SIDE; r++)
            lane[e][r] = (value)-0.0;
    for (int64_t e = 0; e < count; e++) {
        value *const to = lane[e % STN_LANES];
        const value *const values = (const value *)codes + e * steps[1];
        const int32_t *const columns = column + e * steps[0];
#pragma omp simd
        for (int r = 0; r < STN_SIDE; r++) {
            const int32_t at = columns[r];
            const value sum = FUSE(values[r], x[at < 0 ? 0 : at], to[r]);
            to[r] = at < 0 ? to[r] : sum;
        }
    }
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < count; e++)
#pragma omp simd
            for (int r = 0; r < STN_SIDE; r++)
                lane[e][r] += lane[e + half][r];
    for (int r = 0; r < STN_SIDE; r++)
        sums[r] = (double)lane[0][r];
}

/* ---- rows side by side, where x is pairs ---- */

enum { TOGETHER = 4 }; /* rows whose pairs are a vector */

typedef uint64_t four_words __attribute__((vector_size(32)));
typedef uint64_t floats __attribute__((aligned(4), may_alias));
typedef int32_t four_columns __attribute__((vector_size(16), aligned(4), may_alias));

#define TURN_8(x) __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6)

/* Pairs of floats are moved as words. */
STN_FN void gather_pairs(vector_8 *all, const value *x, const int32_t *at)
{
    if (sizeof(value) == sizeof(float)) {
        const floats *const from = (const floats *)(const void *)x;
        const four_words four = {from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
        memcpy(all, &four, sizeof *all < sizeof four ? sizeof *all : sizeof four);
        return;
    }
    const vector_2 *const from = (const vector_2 *)x;
    const vector_4 low = __builtin_shufflevector(from[at[0]], from[at[1]], 0, 1, 2, 3);
    const vector_4 high = __builtin_shufflevector(from[at[2]], from[at[3]], 0, 1, 2, 3);
    *all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* The values of 4 rows, each for both numbers of a pair; of complex ones the real part, and the
 * imaginary one under the signs it has in products. */
typedef struct factors {
    vector_8 same, other;
} factors;

STN_FN void read_factors(factors *made, const value *a, int is_complex)
{
    if (is_complex) {
        const vector_8 all = *(const vector_8 *)a, signs = {-1, 1, -1, 1, -1, 1, -1, 1};
        made->same = __builtin_shufflevector(all, all, 0, 0, 2, 2, 4, 4, 6, 6);
        made->other = __builtin_shufflevector(all, all, 1, 1, 3, 3, 5, 5, 7, 7) * signs;
        return;
    }
    const vector_4 all = *(const vector_4 *)a;
    made->same = __builtin_shufflevector(all, all, 0, 0, 1, 1, 2, 2, 3, 3);
}

STN_FN void multiply_pairs(vector_8 *product, const value *a, const value *x, const int32_t *at,
                           int is_complex)
{
    factors by;
    vector_8 all;
    read_factors(&by, a, is_complex);
    gather_pairs(&all, x, at);
    *product = is_complex ? by.same * all + by.other * TURN_8(all) : by.same * all;
}

/* Columns that can be read, of entries that are absent too. */
STN_FN four_columns columns_of(const int32_t *at)
{
    const four_columns all = *(const four_columns *)at;
    return all & ~(all >> 31);
}

/* Absent ones stay what they are in `to`. */
STN_FN void put_present(value *to, const value *made, const int32_t *at)
{
    for (int r = 0; r < TOGETHER; r++)
        for (int p = 0; p < 2 && at[r] >= 0; p++)
            to[2 * r + p] = made[2 * r + p];
}

/* Not within the loops over entries that all rows have. */
static __attribute__((noinline)) void multiply_some(value *to, const value *a, const value *x,
                                                    const int32_t *at, int is_complex)
{
    const four_columns from = columns_of(at);
    vector_8 all;
    multiply_pairs(&all, a, x, (const int32_t *)&from, is_complex);
    for (int j = 0; j < 2 * TOGETHER; j++)
        to[j] = (value)-0.0;
    put_present(to, (const value *)&all, at);
}

STN_FN void multiply_side(vector_8 *product, entries s, int64_t e, int is_complex)
{
    const int32_t *const at = s.column + e * s.column_step;
    const value *const a = value_of(s, e, is_complex);
    if ((at[0] | at[1] | at[2] | at[3]) >= 0) {
        multiply_pairs(product, a, s.x, at, is_complex);
        return;
    }
    vector_8 some; /* so that the product need not be in memory */
    multiply_some((value *)&some, a, s.x, at, is_complex);
    *product = some;
}

STN_FN void add_side(value *to, entries s, int64_t e, int is_complex)
{
    const int32_t *const at = s.column + e * s.column_step;
    const four_columns from = columns_of(at);
    vector_8 x, sum = *(const vector_8 *)to;
    factors by;
    read_factors(&by, value_of(s, e, is_complex), is_complex);
    gather_pairs(&x, s.x, (const int32_t *)&from);
    fuse_8((value *)&sum, (const value *)&by.same, (const value *)&x);
    if (is_complex) {
        const vector_8 turned = TURN_8(x);
        fuse_8((value *)&sum, (const value *)&by.other, (const value *)&turned);
    }
    put_present(to, (const value *)&sum, at);
}

STN_FN void sum_short_side(vector_8 *sum, entries s, int64_t count, int is_complex)
{
    const vector_8 nothing = {0};
    vector_8 four[4], other;
    _Pragma("GCC unroll 4") for (int e = 0; e < 4; e++)
    {
        four[e] = -nothing;
        if (e < count)
            multiply_side(&four[e], s, e, is_complex);
        if (e + 4 < count) {
            multiply_side(&other, s, e + 4, is_complex);
            four[e] += other;
        }
    }
    *sum = (four[0] + four[2]) + (four[1] + four[3]);
}

STN_FN void sum_long_side(vector_8 *sum, entries s, int64_t count, int is_complex)
{
    vector_8 lane[STN_LANES];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++)
        multiply_side(&lane[e], s, e, is_complex);
    for (int64_t e = STN_LANES; e < count; e++)
        add_side((value *)&lane[e % STN_LANES], s, e, is_complex);
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
            lane[e] += lane[e + half];
    *sum = lane[0];
}

STN_FN void sum_side(double *sums, entries s, int64_t count, int is_complex)
{
    for (int r = 0; r < STN_SIDE; r += TOGETHER) {
        vector_8 sum;
        if (count <= SHORTEST)
            sum_short_side(&sum, s, count, is_complex);
        else
            sum_long_side(&sum, s, count, is_complex);
        put_sums(sums + 2 * r, (const value *)&sum, 2 * TOGETHER);
        s.values += TOGETHER * (is_complex ? 2 : 1);
        s.column += TOGETHER;
    }
}

static void side_of_pairs(double *sums, const void *values, const int32_t *column,
                          const int64_t *steps, int64_t count, const void *x)
{
    sum_side(sums, (entries){values, column, x, steps[0], steps[1]}, count, 0);
}

static void side_complex(double *sums, const void *values, const int32_t *column,
                         const int64_t *steps, int64_t count, const void *x)
{
    sum_side(sums, (entries){values, column, x, steps[0], steps[1]}, count, 1);
}

/* ---- columns of slices ---- */

STN_FN void tell_runs(const int32_t *at, int first, int height, int32_t *column)
{
    const uint32_t present = (uint32_t)at[0] >> first, second = present >> STN_SLICE_ROWS;
    const int32_t low = at[1] + first, high = at[2] + first;
#pragma omp simd
    for (int r = 0; r < height; r++) {
        const int32_t base = second >> r & 1 ? high : low;
        column[r] = present >> r & 1 ? base + r : -1;
    }
}

STN_FN void tell_others(const int32_t *at, int run, int first, int height, int32_t *column)
{
    const uint16_t *const near = (const uint16_t *)(const void *)(at + 2) + first;
    const uint32_t present = (uint32_t)at[0] >> first;
    for (int r = 0; r < height; r++) {
        const int32_t some = run == STN_SLICE_NEAR ? at[1] + near[r] : at[1 + first + r];
        column[r] = present >> r & 1 ? some : -1;
    }
}

STN_FN void tell_columns(const int32_t *word, int first, int height, int64_t from, int64_t count,
                         int32_t *column)
{
    const int is_straight = (word[0] & 3) == STN_SLICE_STRAIGHT;
    for (int64_t e = from; e < from + count; e++, column += height) {
        const int32_t told = word[1 + e];
        if (is_straight) {
#pragma omp simd
            for (int r = 0; r < height; r++)
                column[r] = told + first + r;
        } else if ((told & 3) == STN_SLICE_RUNS) {
            tell_runs(word + (told >> 2), first, height, column);
        } else {
            tell_others(word + (told >> 2), told & 3, first, height, column);
        }
    }
}

static void columns(const int32_t *word, int first, int height, int64_t from, int64_t count,
                    int32_t *column)
{
    if (height == STN_SLICE_ROWS)
        tell_columns(word, first, STN_SLICE_ROWS, from, count, column);
    else
        tell_columns(word, first, STN_SLICE_ROWS / 2, from, count, column);
}

extern const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles);
const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles) = {
    {real_1, real_2, real_4, real_8, real_16},
    {NULL, complex_2, complex_4, complex_8, complex_16},
    side,
    side_of_pairs,
    side_complex,
    columns};
