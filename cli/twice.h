/* Sums and products with their rounding errors: arithmetic with twice the precision of double.
 * Source: T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product, SIAM J. Sci. Comput. 26(6),
 * 2005. */
#ifndef STENO_CLI_TWICE_H
#define STENO_CLI_TWICE_H

/* A value as high + low. */
typedef struct twice {
    double high, low;
} twice;

/* a + b and its rounding error. */
static inline double two_sum(double a, double b, double *error)
{
    const double sum = a + b, other = sum - a;
    *error = (a - (sum - other)) + (b - other);
    return sum;
}

/* a * b and its rounding error by Dekker's splitting, which vectorizes without fma. */
static inline double two_product(double a, double b, double *error)
{
    const double split = 0x1p27 + 1.0;
    const double product = a * b;
    const double a_large = split * a - (split * a - a), a_small = a - a_large;
    const double b_large = split * b - (split * b - b), b_small = b - b_large;
    *error = a_small * b_small -
             (((product - a_large * b_large) - a_small * b_large) - a_large * b_small);
    return product;
}

/* *sum + a * b, where a and b have low parts. */
static inline twice twice_add_product(twice sum, twice a, twice b)
{
    double product_error, sum_error;
    const double product = two_product(a.high, b.high, &product_error);
    sum.high = two_sum(sum.high, product, &sum_error);
    sum.low += sum_error + (product_error + (a.high * b.low + a.low * b.high));
    return sum;
}

static inline twice twice_add(twice a, twice b)
{
    double error;
    const double sum = two_sum(a.high, b.high, &error);
    return (twice){sum, a.low + b.low + error};
}

#endif
