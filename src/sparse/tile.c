/* Sums of a tile of entries for several right-hand sides or rows, a lane of each in a vector, in
 * arithmetic STN_FORMAT, f64 or f32, on STN_ISA. */
#include "sparse/tile.h"

#include "format/vec.h"
#include "sum/fold.h"

typedef code value;
enum { SHORTEST = 8 };

#define FUSE(x, y, z)                                                                              \
    (sizeof(value) == sizeof(float) ? (value)__builtin_fmaf((float)(x), (float)(y), (float)(z))    \
                                    : (value)__builtin_fma((double)(x), (double)(y), (double)(z)))

/* The first product of a lane needs no sum, and absent lanes no look. `width` is a constant at each
 * call; gcc makes vectors of such loops only where it is told to. */
STN_FN void sum_tile(double *sums, const value *values, const int32_t *column, int64_t count,
                     const value *x, const int width)
{
    _Alignas(64) value lane[STN_LANES * 8];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++) {
        const value *const from = x + (int64_t)column[e] * width;
#pragma omp simd
        for (int j = 0; j < width; j++)
            lane[e * width + j] = values[e] * from[j];
    }
    for (int64_t e = STN_LANES; e < count; e++) {
        const value *const from = x + (int64_t)column[e] * width;
        value *const to = lane + e % STN_LANES * width;
#pragma omp simd
        for (int j = 0; j < width; j++)
            to[j] = FUSE(values[e], from[j], to[j]);
    }
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
#pragma omp simd
            for (int j = 0; j < width; j++)
                lane[e * width + j] += lane[(e + half) * width + j];
    for (int j = 0; j < width; j++)
        sums[j] = (double)lane[j];
}

/* Rows of up to 8 entries stay in registers; what is absent is -0, which changes no sum. */
#define SHORT(WIDTH)                                                                               \
    typedef value vector_of_##WIDTH                                                                \
        __attribute__((vector_size(WIDTH * sizeof(value)), aligned(sizeof(value)), may_alias));    \
    STN_FN void multiply_##WIDTH(vector_of_##WIDTH *product, const value *values,                  \
                                 const int32_t *column, int64_t count, int64_t e, const value *x)  \
    {                                                                                              \
        const vector_of_##WIDTH nothing = {0};                                                     \
        if (e < count)                                                                             \
            *product = values[e] * *(const vector_of_##WIDTH *)(x + (int64_t)column[e] * WIDTH);   \
        else                                                                                       \
            *product = -nothing;                                                                   \
    }                                                                                              \
    STN_FN void sum_short_##WIDTH(double *sums, const value *values, const int32_t *column,        \
                                  int64_t count, const value *x)                                   \
    {                                                                                              \
        vector_of_##WIDTH four[4], other;                                                          \
        _Pragma("GCC unroll 4") for (int e = 0; e < 4; e++)                                        \
        {                                                                                          \
            multiply_##WIDTH(&four[e], values, column, count, e, x);                               \
            multiply_##WIDTH(&other, values, column, count, e + 4, x);                             \
            four[e] = four[e] + other;                                                             \
        }                                                                                          \
        const vector_of_##WIDTH sum = (four[0] + four[2]) + (four[1] + four[3]);                   \
        for (int j = 0; j < WIDTH; j++)                                                            \
            sums[j] = (double)sum[j];                                                              \
    }
SHORT(2)
SHORT(4)
SHORT(8)

static void tile_of_1(double *sums, const void *values, const int32_t *column, int64_t count,
                      const void *x)
{
    sum_tile(sums, values, column, count, x, 1);
}

static void tile_of_2(double *sums, const void *values, const int32_t *column, int64_t count,
                      const void *x)
{
    if (count <= SHORTEST)
        sum_short_2(sums, values, column, count, x);
    else
        sum_tile(sums, values, column, count, x, 2);
}

static void tile_of_4(double *sums, const void *values, const int32_t *column, int64_t count,
                      const void *x)
{
    if (count <= SHORTEST)
        sum_short_4(sums, values, column, count, x);
    else
        sum_tile(sums, values, column, count, x, 4);
}

static void tile_of_8(double *sums, const void *values, const int32_t *column, int64_t count,
                      const void *x)
{
    if (count <= SHORTEST)
        sum_short_8(sums, values, column, count, x);
    else
        sum_tile(sums, values, column, count, x, 8);
}

/* Of complex numbers, as of_complex has it: re re - im im, and re im + im re. */
STN_FN vector_of_2 multiply_complex(const value *a, const value *x)
{
    const vector_of_2 same = *(const vector_of_2 *)x, turned = {same[1], same[0]}, signs = {-1, 1};
    return a[0] * same + (a[1] * signs) * turned;
}

static void sum_short_complex(double *sums, const value *a, const int32_t *column, int64_t count,
                              const value *x)
{
    const vector_of_2 nothing = {0};
    vector_of_2 four[4];
    _Pragma("GCC unroll 4") for (int e = 0; e < 4; e++)
    {
        four[e] = e < count ? multiply_complex(a + 2 * e, x + 2 * (int64_t)column[e]) : -nothing;
        if (e + 4 < count)
            four[e] = four[e] + multiply_complex(a + 2 * (e + 4), x + 2 * (int64_t)column[e + 4]);
    }
    const vector_of_2 sum = (four[0] + four[2]) + (four[1] + four[3]);
    sums[0] = (double)sum[0];
    sums[1] = (double)sum[1];
}

/* The first product of a lane is one of complex numbers. */
static void of_complex(double *sums, const void *values, const int32_t *column, int64_t count,
                       const void *vector)
{
    if (count <= SHORTEST) {
        sum_short_complex(sums, values, column, count, vector);
        return;
    }
    _Alignas(64) value re[STN_LANES], im[STN_LANES];
    const value *a = values;
    const int64_t lanes = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < lanes; e++, a += 2) {
        const value *const x = (const value *)vector + 2 * (int64_t)column[e];
        re[e] = a[0] * x[0] - a[1] * x[1];
        im[e] = a[0] * x[1] + a[1] * x[0];
    }
    for (int64_t e = STN_LANES; e < count; e++, a += 2) {
        const value *const x = (const value *)vector + 2 * (int64_t)column[e];
        value *const r = re + e % STN_LANES, *const i = im + e % STN_LANES;
        *r = FUSE(-a[1], x[1], FUSE(a[0], x[0], *r));
        *i = FUSE(a[1], x[0], FUSE(a[0], x[1], *i));
    }
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < lanes; e++) {
            re[e] += re[e + half];
            im[e] += im[e + half];
        }
    sums[0] = (double)re[0];
    sums[1] = (double)im[0];
}

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

extern const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles);
const stn_sparse_tiles STN_INSTANCE(stn_sparse_tiles) = {tile_of_1, tile_of_2,  tile_of_4,
                                                         tile_of_8, of_complex, side};
