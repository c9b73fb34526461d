/* Sums of a tile of entries for several right-hand sides or rows, one lane of each in a vector, in
 * arithmetic STN_FORMAT, f64 or f32, on STN_ISA. */
#include "sparse/product/tile.h"

#include <string.h>

#include "core/shuffle.h"
#include "format/vec.h"
#include "sparse/kinds/slice.h"
#include "order/fold.h"

typedef code value;
enum { SHORT_ROW = 8 }; /* entries of a row whose products stay in registers */

#define FUSE(x, y, z)                                                                              \
    (sizeof(value) == sizeof(float) ? (value)__builtin_fmaf((float)(x), (float)(y), (float)(z))    \
                                    : (value)__builtin_fma((double)(x), (double)(y), (double)(z)))

/* of a row */
typedef struct entries {
    const value *values;
    const int32_t *column;
    const value *x;
    int64_t column_step, value_step, x_step;
} entries;

STN_FN const value *x_of(entries s, int64_t e)
{
    return s.x + (int64_t)s.column[e * s.column_step] * s.x_step;
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

/* The first product of a lane is not added to a sum, and absent lanes are not visited. */
static void real_1(double *sums, const void *values, const int32_t *column, const int64_t *steps,
                   int64_t count, const void *x)
{
    const entries s = {
        values, column, x, steps ? steps[0] : 1, steps ? steps[1] : 1, steps ? steps[2] : 1};
    value lane[STN_LANES];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++)
        lane[e] = *value_of(s, e, 0) * *x_of(s, e);
    for (int64_t e = STN_LANES; e < count; e++)
        lane[e % STN_LANES] = FUSE(*value_of(s, e, 0), *x_of(s, e), lane[e % STN_LANES]);
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
            lane[e] += lane[e + half];
    sums[0] = (double)lane[0];
}

#define WIDTH    2
#define OF(name) name##_2
#define TURN(x)  STN_SHUFFLE_TO(x, x, 1, 0)
#define SIGNS    -1, 1
#include "sparse/product/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    4
#define OF(name) name##_4
#define TURN(x)  STN_SHUFFLE_TO(x, x, 1, 0, 3, 2)
#define SIGNS    -1, 1, -1, 1
#include "sparse/product/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    8
#define OF(name) name##_8
#define TURN(x)  STN_SHUFFLE_TO(x, x, 1, 0, 3, 2, 5, 4, 7, 6)
#define SIGNS    -1, 1, -1, 1, -1, 1, -1, 1
#include "sparse/product/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

#define WIDTH    16
#define OF(name) name##_16
#define TURN(x)  STN_SHUFFLE_TO(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define SIGNS    -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1
#include "sparse/product/tile_of.h"
#undef WIDTH
#undef OF
#undef TURN
#undef SIGNS

/* ---- interleaved rows ---- */

/* Whether values and x are real or pairs, and the number of rows in a vector of 8. */
enum side_kind { NUMBERS, PAIRS_OF_X, COMPLEX };
STN_FN int are_contiguous(enum side_kind kind)
{
    return kind == NUMBERS ? 8 : 4;
}

typedef uint64_t four_words __attribute__((vector_size(32)));
typedef uint64_t floats __attribute__((aligned(4), may_alias));

/* Pairs of floats are moved as 64-bit words. */
STN_FN void gather_pairs(vector_8 *vectors, const value *x, const int32_t *at)
{
    if (sizeof(value) == sizeof(float)) {
        const floats *const from = (const floats *)(const void *)x;
        const four_words four = {from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
        memcpy(vectors, &four, sizeof *vectors < sizeof four ? sizeof *vectors : sizeof four);
        return;
    }
    const vector_2 *const from = (const vector_2 *)x;
    const vector_4 low = STN_SHUFFLE_TO(from[at[0]], from[at[1]], 0, 1, 2, 3);
    const vector_4 high = STN_SHUFFLE_TO(from[at[2]], from[at[3]], 0, 1, 2, 3);
    *vectors = STN_SHUFFLE_TO(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

STN_FN void gather_side(vector_8 *vectors, const value *x, const int32_t *at, enum side_kind kind)
{
    if (kind == NUMBERS)
        *vectors = (vector_8){x[at[0]], x[at[1]], x[at[2]], x[at[3]],
                              x[at[4]], x[at[5]], x[at[6]], x[at[7]]};
    else
        gather_pairs(vectors, x, at);
}

/* Values of the rows, each duplicated for both parts. Complex values: the real parts, and the
 * imaginary parts with the signs that they have in products. */
typedef struct factors {
    vector_8 same, other;
} factors;

STN_FN void read_factors(factors *result, const value *a, enum side_kind kind)
{
    if (kind == PAIRS_OF_X) {
        const vector_4 half = *(const vector_4 *)a;
        result->same = STN_SHUFFLE_TO(half, half, 0, 0, 1, 1, 2, 2, 3, 3);
        return;
    }
    const vector_8 vectors = *(const vector_8 *)a, signs = {-1, 1, -1, 1, -1, 1, -1, 1};
    if (kind == NUMBERS)
        result->same = vectors;
    else
        result->same = STN_SHUFFLE_TO(vectors, vectors, 0, 0, 2, 2, 4, 4, 6, 6);
    if (kind == COMPLEX)
        result->other = STN_SHUFFLE_TO(vectors, vectors, 1, 1, 3, 3, 5, 5, 7, 7) * signs;
}

#define TURN_8(x) STN_SHUFFLE_TO(x, x, 1, 0, 3, 2, 5, 4, 7, 6)

STN_FN void multiply_all(vector_8 *product, const value *a, const value *x, const int32_t *at,
                         enum side_kind kind)
{
    factors by;
    vector_8 vectors;
    read_factors(&by, a, kind);
    gather_side(&vectors, x, at, kind);
    *product = kind == COMPLEX ? by.same * vectors + by.other * TURN_8(vectors) : by.same * vectors;
}

/* Replaces columns of absent entries by valid ones. */
STN_FN void find_columns(int32_t *from, const int32_t *at, enum side_kind kind)
{
    for (int r = 0; r < are_contiguous(kind); r++)
        from[r] = at[r] < 0 ? 0 : at[r];
}

/* Absent entries leave `to` unchanged. */
STN_FN void put_present(value *to, const value *result, const int32_t *at, enum side_kind kind)
{
    const int parts = 8 / are_contiguous(kind);
    for (int r = 0; r < are_contiguous(kind); r++)
        for (int p = 0; p < parts && at[r] >= 0; p++)
            to[parts * r + p] = result[parts * r + p];
}

/* Absent entries contribute -0: -0 + x is x, and fma(a, x, -0) is the product. A separate
 * function, apart from the loops over entries that all rows have. */
static __attribute__((noinline)) void multiply_some(value *to, const value *a, const value *x,
                                                    const int32_t *at, enum side_kind kind)
{
    int32_t from[8];
    vector_8 vectors;
    find_columns(from, at, kind);
    multiply_all(&vectors, a, x, from, kind);
    for (int j = 0; j < 8; j++)
        to[j] = (value)-0.0;
    put_present(to, (const value *)&vectors, at, kind);
}

STN_FN int are_present(const int32_t *at, enum side_kind kind)
{
    int32_t any = at[0] | at[1] | at[2] | at[3];
    if (kind == NUMBERS)
        any |= at[4] | at[5] | at[6] | at[7];
    return any >= 0;
}

STN_FN void multiply_side(vector_8 *product, entries s, int64_t e, enum side_kind kind)
{
    const int32_t *const at = s.column + e * s.column_step;
    const value *const a = value_of(s, e, kind == COMPLEX);
    if (are_present(at, kind)) {
        multiply_all(product, a, s.x, at, kind);
        return;
    }
    vector_8 products; /* keeps the product in registers */
    multiply_some((value *)&products, a, s.x, at, kind);
    *product = products;
}

STN_FN void add_all(value *to, const value *a, const value *x, const int32_t *at,
                    enum side_kind kind)
{
    factors by;
    vector_8 vectors;
    read_factors(&by, a, kind);
    gather_side(&vectors, x, at, kind);
    fuse_8(to, (const value *)&by.same, (const value *)&vectors);
    if (kind == COMPLEX) {
        const vector_8 turned = TURN_8(vectors);
        fuse_8(to, (const value *)&by.other, (const value *)&turned);
    }
}

static __attribute__((noinline)) void add_some(value *to, const value *a, const value *x,
                                               const int32_t *at, enum side_kind kind)
{
    int32_t from[8];
    value sum[8];
    find_columns(from, at, kind);
    memcpy(sum, to, sizeof sum);
    add_all(sum, a, x, from, kind);
    put_present(to, sum, at, kind);
}

STN_FN void add_side(value *to, entries s, int64_t e, enum side_kind kind)
{
    const int32_t *const at = s.column + e * s.column_step;
    const value *const a = value_of(s, e, kind == COMPLEX);
    if (are_present(at, kind))
        add_all(to, a, s.x, at, kind);
    else
        add_some(to, a, s.x, at, kind);
}

STN_FN void sum_short_interleaved(vector_8 *sum, entries s, int64_t count, enum side_kind kind)
{
    const vector_8 nothing = {0};
    vector_8 four[4], other;
    _Pragma("GCC unroll 4") for (int e = 0; e < 4; e++)
    {
        four[e] = -nothing;
        if (e < count)
            multiply_side(&four[e], s, e, kind);
        if (e + 4 < count) {
            multiply_side(&other, s, e + 4, kind);
            four[e] += other;
        }
    }
    *sum = (four[0] + four[2]) + (four[1] + four[3]);
}

STN_FN void sum_long_interleaved(vector_8 *sum, entries s, int64_t count, enum side_kind kind)
{
    vector_8 lane[STN_LANES];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++)
        multiply_side(&lane[e], s, e, kind);
    for (int64_t e = STN_LANES; e < count; e++)
        add_side((value *)&lane[e % STN_LANES], s, e, kind);
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
            lane[e] += lane[e + half];
    *sum = lane[0];
}

STN_FN void sum_interleaved(double *sums, entries s, int64_t count, enum side_kind kind)
{
    for (int r = 0; r < STN_SPARSE_TILE_ROWS; r += are_contiguous(kind)) {
        vector_8 sum;
        if (count <= SHORT_ROW)
            sum_short_interleaved(&sum, s, count, kind);
        else
            sum_long_interleaved(&sum, s, count, kind);
        put_sums(sums, (const value *)&sum, 8);
        sums += 8;
        s.values += are_contiguous(kind) * (kind == COMPLEX ? 2 : 1);
        s.column += are_contiguous(kind);
    }
}

static void side(double *sums, const void *values, const int32_t *column, const int64_t *steps,
                 int64_t count, const void *x)
{
    sum_interleaved(sums, (entries){values, column, x, steps[0], steps[1], 0}, count, NUMBERS);
}

static void side_of_pairs(double *sums, const void *values, const int32_t *column,
                          const int64_t *steps, int64_t count, const void *x)
{
    sum_interleaved(sums, (entries){values, column, x, steps[0], steps[1], 0}, count, PAIRS_OF_X);
}

static void side_complex(double *sums, const void *values, const int32_t *column,
                         const int64_t *steps, int64_t count, const void *x)
{
    sum_interleaved(sums, (entries){values, column, x, steps[0], steps[1], 0}, count, COMPLEX);
}

/* ---- columns of slices ---- */

STN_FN void decode_runs(const int32_t *at, int first, int height, int32_t *column)
{
    const uint32_t present = (uint32_t)at[0] >> first, second = present >> STN_SLICE_ROWS;
    const int32_t low = at[1] + first, high = at[2] + first;
#pragma omp simd
    for (int r = 0; r < height; r++) {
        const int32_t base = second >> r & 1 ? high : low;
        column[r] = present >> r & 1 ? base + r : -1;
    }
}

STN_FN void decode_others(const int32_t *at, int run, int first, int height, int32_t *column)
{
    const uint16_t *const near = (const uint16_t *)(const void *)(at + 2) + first;
    const uint8_t *const bytes = (const uint8_t *)(at + 2) + first;
    const uint32_t present = (uint32_t)at[0] >> first;
    for (int r = 0; r < height; r++) {
        const int32_t of_row = run == STN_SLICE_NEAR    ? at[1] + near[r]
                               : run == STN_SLICE_BYTES ? at[1] + bytes[r]
                                                        : at[1 + first + r];
        column[r] = present >> r & 1 ? of_row : -1;
    }
}

STN_FN void decode_columns(const int32_t *word, int first, int height, int64_t from, int64_t count,
                           int32_t *column)
{
    const int is_straight = (word[0] & 3) == STN_SLICE_STRAIGHT;
    for (int64_t e = from; e < from + count; e++, column += height) {
        const int32_t descriptor = word[1 + e];
        if (is_straight) {
#pragma omp simd
            for (int r = 0; r < height; r++)
                column[r] = descriptor + first + r;
        } else if ((descriptor & 3) == STN_SLICE_RUNS) {
            decode_runs(word + (descriptor >> 2), first, height, column);
        } else {
            decode_others(word + (descriptor >> 2), descriptor & 3, first, height, column);
        }
    }
}

static void columns(const int32_t *word, int first, int height, int64_t from, int64_t count,
                    int32_t *column)
{
    if (height == STN_SLICE_ROWS)
        decode_columns(word, first, STN_SLICE_ROWS, from, count, column);
    else
        decode_columns(word, first, STN_SLICE_ROWS / 2, from, count, column);
}

extern const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles);
const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles) = {
    {real_1, real_2, real_4, real_8, real_16},
    {NULL, complex_2, complex_4, complex_8, complex_16},
    side,
    side_of_pairs,
    side_complex,
    columns};
