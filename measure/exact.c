/* Error-free sums and products, and data from a counter; see exact.h. */
#include "measure/exact.h"

#include <math.h>

/* a + b = high + low exactly. */
static measure_sum two_sum(double a, double b)
{
    const double high = a + b, part = high - a;
    return (measure_sum){high, (a - (high - part)) + (b - part)};
}

measure_sum measure_add(measure_sum sum, double x)
{
    const measure_sum exact = two_sum(sum.high, x);
    return two_sum(exact.high, exact.low + sum.low);
}

measure_sum measure_add_product(measure_sum sum, double x, double y)
{
    const double product = x * y;
    const measure_sum exact = measure_add(sum, product);
    return measure_add(exact, fma(x, y, -product));
}

double measure_minus(measure_sum sum, double x)
{
    const measure_sum exact = two_sum(sum.high, -x);
    return exact.high + (exact.low + sum.low);
}

/* ---- data ---- */

const char *measure_data_name(measure_data kind)
{
    static const char *const names[MEASURE_KINDS] = {"positive",    "random",     "graded",
                                                     "alternating", "cancelling", "constant"};
    return names[kind];
}

/* In [0, 1), from a seed and an index: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA
 * 2014). */
static double uniform(uint64_t seed, int64_t k)
{
    uint64_t z = (seed << 40) + (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

double measure_datum(measure_data kind, uint64_t seed, int64_t k, int64_t count)
{
    const double x = uniform(seed, k);
    const int64_t half = count / 2;
    switch (kind) {
    case MEASURE_POSITIVE:
        return x;
    case MEASURE_RANDOM:
        return 2 * x - 1;
    case MEASURE_GRADED:
        return ldexp(2 * x - 1, -(int)(40 * k / count));
    case MEASURE_ALTERNATING:
        return (k % 2 ? -1 : 1) * (1 + 0x1p-10 * x);
    case MEASURE_CANCELLING:
        return k < half ? uniform(seed, k) : -uniform(seed, k - half) * (1 - 0x1p-20);
    default:
        return 0.1;
    }
}
