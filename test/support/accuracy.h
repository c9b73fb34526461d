/* What the errors of operations are measured against: sums and products in double-double, and data
 * that are hard. Shares no code with the library. */
#ifndef STENO_TEST_ACCURACY_H
#define STENO_TEST_ACCURACY_H

#include <math.h>
#include <stdint.h>

#include "order_oracle.h"

/* ---- an unevaluated sum of two doubles ---- */

typedef struct pair {
    double high, low;
} pair;

static inline pair two_sum(double a, double b)
{
    const double sum = a + b, back = sum - a;
    return (pair){sum, (a - (sum - back)) + (b - back)};
}

static inline pair plus(pair a, double b)
{
    const pair sum = two_sum(a.high, b);
    return two_sum(sum.high, sum.low + a.low);
}

/* a + x * y. */
static inline pair plus_product(pair a, double x, double y)
{
    const double product = x * y;
    return plus(plus(a, product), fma(x, y, -product));
}

static inline double value_of(pair a)
{
    return a.high + a.low;
}

static inline pair plus_pair(pair a, pair b)
{
    return plus(plus(a, b.high), b.low);
}

static inline pair times(pair a, double x)
{
    return plus_product(plus_product((pair){0, 0}, a.high, x), a.low, x);
}

static inline pair times_pair(pair a, pair b)
{
    return plus_pair(times(a, b.high), times(a, b.low));
}

static inline pair negated(pair a)
{
    return (pair){-a.high, -a.low};
}

/* One step of Newton's method doubles the digits of the quotient, or root, of the high parts. */
static inline pair over(pair a, pair b)
{
    const double first = a.high / b.high;
    return plus((pair){first, 0}, value_of(plus_pair(a, negated(times(b, first)))) / b.high);
}

static inline pair root(pair a)
{
    const double first = sqrt(a.high);
    if (first == 0)
        return (pair){0, 0};
    const pair rest = plus_pair(a, negated(times((pair){first, 0}, first)));
    return plus((pair){first, 0}, value_of(rest) / (2 * first));
}

/* What `found` is too much. */
static inline double error_of(double found, pair exact)
{
    return (found - exact.high) - exact.low;
}

/* ---- data ---- */

typedef enum data_kind { RANDOM, GRADED, CANCELLING, SUBNORMAL, DATA } data_kind;
static const char *const data_names[] = {"random", "graded", "cancelling", "subnormal"};

static inline double any(uint64_t *state)
{
    return ldexp((double)(order_next(state) >> 11), -52) - 1.0;
}

#endif
