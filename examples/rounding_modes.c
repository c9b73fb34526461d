/* Accessor types defined by options: 0.3 stored in 8-bit integers, rounded in three ways. */
#include <stdio.h>

#define STN_NAME    nearest
#define STN_RANK    1
#define STN_REAL    double
#define STN_STORAGE stn_i8
#include "steno/accessor_define.h"

#define STN_NAME     toward_zero
#define STN_RANK     1
#define STN_REAL     double
#define STN_STORAGE  stn_i8
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#include "steno/accessor_define.h"

#define STN_NAME     stochastic
#define STN_RANK     1
#define STN_REAL     double
#define STN_STORAGE  stn_i8
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include "steno/accessor_define.h"

enum { N = 10000, SEED = 42 };
static stn_i8 codes[N];

#define DEFINE_MEAN(name, X)                                                                       \
    static double name(X x, double value)                                                          \
    {                                                                                              \
        double sum = 0.0;                                                                          \
        for (stn_size i = 0; i < N; i++)                                                           \
            sum += X##_set(x, i, value); /* the stored value        */                             \
        return sum / N;                                                                            \
    }
DEFINE_MEAN(mean_nearest, nearest)
DEFINE_MEAN(mean_toward_zero, toward_zero)
DEFINE_MEAN(mean_stochastic, stochastic)

int main(void)
{
    int right = 1;
    printf("value  nearest  toward zero  stochastic (mean of %d)\n", N);
    for (int k = -1; k <= 2; k++) {
        const double value = 0.3 + 0.5 * k;
        const double a = mean_nearest(nearest_dense(codes, N), value);
        const double b = mean_toward_zero(toward_zero_dense(codes, N), value);
        const double c = mean_stochastic(stochastic_dense(codes, N, SEED), value);
        printf("%5.1f  %7.4f  %11.4f  %10.4f\n", value, a, b, c);
        right = right && a == (k < 1 ? 0.0 : 1.0) && b == (k < 2 ? 0.0 : 1.0) && c > value - 0.02 &&
                c < value + 0.02;
    }
    return !right;
}
