/* Sums with twice the precision of double, and data whose sums are ill-conditioned: the
 * reference for the accuracy of reductions. */
#ifndef STENO_MEASURE_EXACT_H
#define STENO_MEASURE_EXACT_H

#include <stdint.h>

/* The unevaluated sum of two doubles. */
typedef struct measure_sum {
    double high, low;
} measure_sum;

/* Source: Dekker, Numerische Mathematik 18, 1971; Knuth, TAOCP 2, 4.2.2. The error of a sum of n
 * terms is below n * 2^-104 times the sum of their magnitudes, as long as nothing overflows or is
 * subnormal. */
measure_sum measure_add(measure_sum sum, double x);
measure_sum measure_add_product(measure_sum sum, double x, double y);

/* sum - x, rounded once or twice. */
double measure_minus(measure_sum sum, double x);

typedef enum measure_data {
    MEASURE_POSITIVE,    /* uniform in [0, 1) */
    MEASURE_RANDOM,      /* uniform in [-1, 1) */
    MEASURE_GRADED,      /* magnitudes decreasing over 40 binades */
    MEASURE_ALTERNATING, /* +1, -1 and small values: neighbors cancel */
    MEASURE_CANCELLING,  /* the second half cancels the first except for small values */
    MEASURE_CONSTANT,    /* 0.1: many consecutive roundings have the same sign */
    MEASURE_KINDS
} measure_data;

const char *measure_data_name(measure_data kind);

/* Element k of `count`. */
double measure_datum(measure_data kind, uint64_t seed, int64_t k, int64_t count);

#endif
