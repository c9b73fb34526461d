/* One loop, y = alpha x + y, in three precisions: the types change, the loop does not. */
#include <math.h>
#include <stdio.h>

#include "steno/accessor.h"

/* The loop, for any two accessor types of rank 2: a kernel as a macro. */
#define DEFINE_AXPY(name, X, Y)                                                                    \
    STN_SAME_REAL(X, Y);                                                                           \
    static void name(Y##_real alpha, X x, Y y)                                                     \
    {                                                                                              \
        for (stn_size i = 0; i < X##_length(x, 0); i++)                                            \
            for (stn_size j = 0; j < X##_length(x, 1); j++) {                                      \
                const Y##_real sum = alpha * X##_get(x, i, j) + Y##_get(y, i, j);                  \
                Y##_set(y, i, j, sum);                                                             \
            }                                                                                      \
    }

STN_ACCESSOR(wide, 2, double, double)  /* stored as double, computed in double */
STN_ACCESSOR(narrow, 2, double, float) /* stored as float, computed in double */
STN_ACCESSOR(single, 2, float, float)  /* stored as float, computed in float */

DEFINE_AXPY(axpy_mixed, narrow, wide)
DEFINE_AXPY(axpy_narrow, narrow, narrow)
DEFINE_AXPY(axpy_single, single, single)

enum { N = 1000 };
static float x[N], y_narrow[N], y_single[N];
static double y_wide[N], exact[N];

static double error_of(const double *y)
{
    double error = 0.0;
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs(y[i] - exact[i]) / exact[i]);
    return error;
}

int main(void)
{
    double narrow_values[N], single_values[N];
    for (int i = 0; i < N; i++) {
        const double xi = 1.0 / (i + 3), yi = 1.0 / (i + 7);
        x[i] = (float)xi;
        y_wide[i] = yi;
        y_narrow[i] = y_single[i] = (float)yi;
        exact[i] = 2.5 * xi + yi;
    }

    /* A vector is a matrix of one column. */
    axpy_mixed(2.5, narrow_dense(x, N, 1), wide_dense(y_wide, N, 1));
    axpy_narrow(2.5, narrow_dense(x, N, 1), narrow_dense(y_narrow, N, 1));
    axpy_single(2.5f, single_dense(x, N, 1), single_dense(y_single, N, 1));

    narrow_load(narrow_dense(y_narrow, N, 1), 0, 0, N, narrow_values);
    narrow_load(narrow_dense(y_single, N, 1), 0, 0, N, single_values);
    const double mixed_error = error_of(y_wide), narrow_error = error_of(narrow_values),
                 single_error = error_of(single_values);
    printf("x      y      arithmetic  largest relative error\n");
    printf("float  double double      %.1e\n", mixed_error);
    printf("float  float  double      %.1e\n", narrow_error);
    printf("float  float  float       %.1e\n", single_error);

    /* Each rounding to float has a relative error of at most 2^-24. */
    const double rounding = 0x1p-24;
    return !(mixed_error <= rounding && narrow_error <= 2 * rounding &&
             single_error <= 3 * rounding && narrow_error <= single_error);
}
