/* Rows of a tile of complex numbers with parts of type STN_FORMAT, f64 or f32, for STN_ISA.
 * Lanes are separate arrays of real and imaginary parts, so that compilers see neither adjacent
 * differences and sums of products, which gcc 12 fuses, nor shuffles except for those of the
 * rows. */
#include "blas/complex.h"

#include <string.h>

#include "format/vec.h"
#include "sum/fold.h"

#define FOLD_(T)   fold_##T
#define FOLD(T)    FOLD_(T)
#define VECTOR_(T) v##T
#define VECTOR(T)  VECTOR_(T)
typedef VECTOR(STN_FORMAT) vector;
#include "blas/complex_lane.h"

enum { LANES = STN_LANES };

typedef struct lanes {
    _Alignas(64) value re[LANES], im[LANES];
} lanes;

STN_FN void sum_full(lanes *to, const value *a, const value *re, const value *im, int is_conjugated)
{
    for (int64_t l = 0; l < LANES; l++) {
        value sum_re, sum_im;
        set_lane(&sum_re, &sum_im, a + 2 * l, re[l], im[l], is_conjugated);
#pragma GCC unroll 4
        for (int64_t e = LANES; e < STN_TILE_ELEMENTS; e += LANES)
            add_lane(&sum_re, &sum_im, a + 2 * (l + e), re[l + e], im[l + e], is_conjugated);
        to->re[l] = sum_re;
        to->im[l] = sum_im;
    }
}

STN_FN void set_lanes(lanes *to, const value *a, const value *re, const value *im,
                      int is_conjugated)
{
    for (int64_t l = 0; l < LANES; l++)
        set_lane(&to->re[l], &to->im[l], a + 2 * l, re[l], im[l], is_conjugated);
}

STN_FN void add_lanes(lanes *to, const value *a, const value *re, const value *im,
                      int is_conjugated)
{
    for (int64_t l = 0; l < LANES; l++)
        add_lane(&to->re[l], &to->im[l], a + 2 * l, re[l], im[l], is_conjugated);
}

/* An incomplete row of lanes leaves the other lanes unchanged, or adds -0, which changes no sum. */
STN_REST void sum_rest(lanes *to, const value *a, const value *re, const value *im, int64_t count,
                       int is_first, int is_conjugated)
{
    _Alignas(64) value padded[2 * LANES] = {0};
    lanes old;
    for (int64_t l = 0; l < LANES; l++) {
        old.re[l] = is_first ? (value)-0.0 : to->re[l];
        old.im[l] = is_first ? (value)-0.0 : to->im[l];
    }
    memcpy(padded, a, (size_t)count * 2 * sizeof *padded);
    if (is_first)
        set_lanes(to, padded, re, im, is_conjugated);
    else
        add_lanes(to, padded, re, im, is_conjugated);
    for (int64_t l = 0; l < LANES; l++) {
        to->re[l] = l < count ? to->re[l] : old.re[l];
        to->im[l] = l < count ? to->im[l] : old.im[l];
    }
}

STN_FN void sum_some(lanes *to, const value *a, const value *re, const value *im, int64_t count,
                     int is_conjugated)
{
    int64_t e = count < LANES ? 0 : LANES;
    if (e > 0)
        set_lanes(to, a, re, im, is_conjugated);
    for (; e + LANES <= count; e += LANES)
        add_lanes(to, a + 2 * e, re + e, im + e, is_conjugated);
    if (e < count)
        sum_rest(to, a + 2 * e, re + e, im + e, count - e, e == 0, is_conjugated);
}

STN_FN double fold(const value *lane)
{
    vector registers[LANES * sizeof(value) / sizeof(vector)];
    memcpy(registers, lane, sizeof registers);
    return FOLD(STN_FORMAT)(registers);
}

STN_FN void sum_rows(double *sums, const char *a, int64_t row_bytes, int64_t rows, const value *x,
                     int64_t count, int is_conjugated)
{
    _Alignas(64) value re[STN_TILE_ELEMENTS], im[STN_TILE_ELEMENTS];
    lanes sum;
    for (int64_t k = 0; k < count; k++) {
        re[k] = x[2 * k];
        im[k] = x[2 * k + 1];
    }
    for (int64_t k = count; k % LANES; k++)
        re[k] = im[k] = 0;
    for (int64_t r = 0; r < rows; r++) {
        const value *const row = (const value *)(const void *)(a + r * row_bytes);
        if (count == STN_TILE_ELEMENTS)
            sum_full(&sum, row, re, im, is_conjugated);
        else
            sum_some(&sum, row, re, im, count, is_conjugated);
        sums[2 * r] = fold(sum.re);
        sums[2 * r + 1] = fold(sum.im);
    }
}

extern stn_complex_rows STN_INSTANCE(stn_complex_rows);
void STN_INSTANCE(stn_complex_rows)(double *sums, const void *a, int64_t row_bytes, int64_t rows,
                                    const void *x, int64_t count, int is_conjugated)
{
    if (is_conjugated)
        sum_rows(sums, a, row_bytes, rows, x, count, 1);
    else
        sum_rows(sums, a, row_bytes, rows, x, count, 0);
}
