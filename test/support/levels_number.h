/* Arithmetic of the models of BLAS, and the order of sums (doc/order.md), written once more, with
 * absent elements and for complex numbers. */
#ifndef STENO_TEST_LEVELS_NUMBER_H
#define STENO_TEST_LEVELS_NUMBER_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"

typedef stn_c128 number;
typedef levels_problem problem;

/* ---- arithmetic ---- */

static inline int is_narrow(const problem *p)
{
    return p->arithmetic == STN_F32 || p->arithmetic == STN_C64;
}

/* Of sums, products, quotients and roots in f64, which so become those in f32. */
static inline double rounded(const problem *p, double x)
{
    return is_narrow(p) ? (double)(float)x : x;
}

static inline number of(double re, double im)
{
    return (number){re, im};
}

static inline double fused(const problem *p, double x, double y, double a)
{
    return is_narrow(p) ? (double)fmaf((float)x, (float)y, (float)a) : fma(x, y, a);
}

static inline number add(const problem *p, number x, number y)
{
    return of(rounded(p, x.re + y.re), rounded(p, x.im + y.im));
}

static inline number times_real(const problem *p, double x, number y)
{
    return of(rounded(p, x * y.re), levels_is_complex(p->arithmetic) ? rounded(p, x * y.im) : 0.0);
}

static inline number multiply(const problem *p, number x, number y)
{
    if (!levels_is_complex(p->arithmetic))
        return times_real(p, x.re, y);
    return of(rounded(p, rounded(p, x.re * y.re) - rounded(p, x.im * y.im)),
              rounded(p, rounded(p, x.re * y.im) + rounded(p, x.im * y.re)));
}

static inline number conjugate(number x)
{
    return of(x.re, -x.im);
}

static inline number negative(number x)
{
    return of(-x.re, -x.im);
}

static inline int is(number x, double re)
{
    return x.re == re && x.im == 0.0;
}

/* As the arithmetic has it. */
static inline number factor(const problem *p, number x)
{
    return of(rounded(p, x.re), rounded(p, x.im));
}

static inline number real_factor(const problem *p, number x)
{
    return of(rounded(p, x.re), 0.0);
}

/* beta * y, but for beta = 1. */
static inline number kept(const problem *p, number beta, number y)
{
    return is(beta, 1.0) ? y : multiply(p, beta, y);
}

/* ---- the order ---- */

typedef enum folded { PRODUCTS, MAGNITUDES, SQUARES } folded;

/* One element; absent ones are skipped. y of squares: the factor. */
typedef struct element {
    int is_there;
    number x, y;
} element;

static inline number onto(const problem *p, folded what, const element *e, int is_first,
                          number lane)
{
    if (what == MAGNITUDES) {
        const double size = levels_is_complex(p->arithmetic)
                                ? rounded(p, fabs(e->x.re) + fabs(e->x.im))
                                : fabs(e->x.re);
        return is_first ? of(size, 0.0) : add(p, lane, of(size, 0.0));
    }
    if (what == SQUARES) {
        const double re = rounded(p, e->x.re * e->y.re), im = rounded(p, e->x.im * e->y.re);
        lane.re = fused(p, re, re, is_first ? 0.0 : lane.re);
        lane.re = levels_is_complex(p->arithmetic) ? fused(p, im, im, lane.re) : lane.re;
        return lane;
    }
    if (is_first)
        return multiply(p, e->x, e->y);
    if (!levels_is_complex(p->arithmetic))
        return of(fused(p, e->x.re, e->y.re, lane.re), 0.0);
    return of(fused(p, -e->x.im, e->y.im, fused(p, e->x.re, e->y.re, lane.re)),
              fused(p, e->x.im, e->y.re, fused(p, e->x.re, e->y.im, lane.im)));
}

typedef struct partial {
    int is_there;
    number value;
} partial;

static inline partial combine(const problem *p, partial left, partial right)
{
    if (!left.is_there)
        return right;
    if (right.is_there)
        left.value = add(p, left.value, right.value);
    return left;
}

static inline partial sum_tile(const problem *p, folded what, const element *e, int64_t count)
{
    partial lane[32];
    memset(lane, 0, sizeof lane);
    for (int64_t k = 0; k < count && k < 128; k++)
        if (e[k].is_there) {
            partial *own = &lane[k % 32];
            own->value = onto(p, what, &e[k], !own->is_there, own->value);
            own->is_there = 1;
        }
    for (int h = 16; h >= 1; h /= 2)
        for (int l = 0; l < h; l++)
            lane[l] = combine(p, lane[l], lane[l + h]);
    return lane[0];
}

/* Aligned blocks of tiles: halves, each by itself; what is over folds from the right, which is how
 * halves of which the left one is a power of two do. */
static inline partial sum_tiles(const problem *p, folded what, const element *e, int64_t count)
{
    int64_t left = 128;
    if (count <= left)
        return sum_tile(p, what, e, count);
    while (2 * left < count)
        left *= 2;
    return combine(p, sum_tiles(p, what, e, left), sum_tiles(p, what, e + left, count - left));
}

static inline number sum(const problem *p, folded what, const element *e, int64_t count)
{
    const partial all = sum_tiles(p, what, e, count);
    return all.is_there ? all.value : of(0.0, 0.0);
}

static inline element *elements(int64_t count)
{
    element *e = calloc((size_t)count + 1, sizeof *e);
    if (!e)
        abort();
    return e;
}

#endif
