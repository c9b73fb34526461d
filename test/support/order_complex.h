/* The order of sums of complex products (doc/order.md) a second time, part by part; parts are
 * doubles, in c64 arithmetic of f32. */
#ifndef STENO_TEST_ORDER_COMPLEX_H
#define STENO_TEST_ORDER_COMPLEX_H

#include <math.h>

#include "order_oracle.h"
#include "steno/complex.h"

static double fused(int is_wide, double a, double b, double c)
{
    return is_wide ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
}

static stn_c128 onto(int is_wide, int is_first, stn_c128 sum, stn_c128 a, stn_c128 x)
{
    const stn_format real = is_wide ? STN_F64 : STN_F32;
    if (is_first)
        return stn_c128_of(
            order_add(real, order_multiply(real, a.re, x.re), -order_multiply(real, a.im, x.im)),
            order_add(real, order_multiply(real, a.re, x.im), order_multiply(real, a.im, x.re)));
    return stn_c128_of(fused(is_wide, -a.im, x.im, fused(is_wide, a.re, x.re, sum.re)),
                       fused(is_wide, a.im, x.re, fused(is_wide, a.re, x.im, sum.im)));
}

static stn_c128 plus(int is_wide, stn_c128 a, stn_c128 b)
{
    const stn_format real = is_wide ? STN_F64 : STN_F32;
    return stn_c128_of(order_add(real, a.re, b.re), order_add(real, a.im, b.im));
}

static stn_c128 tile_sum(int is_wide, const stn_c128 *a, const stn_c128 *x, int64_t count)
{
    stn_c128 lane[32];
    for (int64_t e = 0; e < count; e++)
        lane[e % 32] = onto(is_wide, e < 32, lane[e % 32], a[e], x[e]);
    for (int64_t half = 16; half > 0; half /= 2)
        for (int64_t l = 0; l < half; l++)
            if (l + half < count)
                lane[l] = plus(is_wide, lane[l], lane[l + half]);
    return lane[0];
}

/* Blocks of tiles as a binary counter has them. */
static stn_c128 row_sum(int is_wide, const stn_c128 *a, const stn_c128 *x, int64_t count)
{
    stn_c128 level[40];
    int depth = 0;
    if (count == 0)
        return stn_c128_of(0, 0);
    for (int64_t tile = 0; tile * 128 < count; tile++) {
        const int64_t left = count - tile * 128;
        stn_c128 sum = tile_sum(is_wide, a + tile * 128, x + tile * 128, left < 128 ? left : 128);
        for (int64_t k = tile; k & 1; k /= 2)
            sum = plus(is_wide, level[--depth], sum);
        level[depth++] = sum;
    }
    for (; depth > 1; depth--)
        level[depth - 2] = plus(is_wide, level[depth - 2], level[depth - 1]);
    return level[0];
}

__attribute__((unused)) static stn_c128 times(int is_wide, stn_c128 a, stn_c128 b)
{
    return onto(is_wide, 1, stn_c128_of(0, 0), a, b);
}

#endif
