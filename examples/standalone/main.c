/* y = alpha * x + y on the CPU with x stored in seven formats: one kernel, computed in double.
 * Prints the error of y compared with the original x. */
#include "storages.h"

#include <math.h>
#include <stdio.h>

static double values[COUNT], y_data[COUNT], scales[BLOCKS];

/* The kernel uses only the function that reads an element of x. */
#define AXPY(type)                                                                                 \
    static void axpy_##type(double alpha, type x, y_f64 y)                                         \
    {                                                                                              \
        for (stn_size i = 0; i < type##_length(x, 0); i++)                                         \
            y_f64_set(y, i, alpha *type##_get(x, i) + y_f64_get(y, i));                            \
    }

static double largest_error(double alpha)
{
    double largest = 0.0;
    for (stn_size i = 0; i < COUNT; i++)
        largest = fmax(largest, fabs(y_data[i] - (alpha * values[i] + y_value(i))));
    return largest;
}

/* Returns 1 if the error is within the bound of the storage's rounding. */
static int report(const char *name, size_t bytes, double alpha, double x_error)
{
    const double error = largest_error(alpha), bound = 1.001 * alpha * x_error + 1e-15;
    printf("%-12s %5d %12.3g %12.3g\n", name, (int)bytes, error, bound);
    return error <= bound;
}

#define TRY(type, element, KIND, x_error)                                                          \
    AXPY(type)                                                                                     \
    static int try_##type(double alpha)                                                            \
    {                                                                                              \
        static element codes[COUNT];                                                               \
        const type x = MAKE_##KIND(type, codes, scales);                                           \
        const y_f64 y = y_f64_dense(y_data, COUNT);                                                \
        STORE_##KIND(type, x, values);                                                             \
        for (stn_size i = 0; i < COUNT; i++)                                                       \
            y_f64_set(y, i, y_value(i));                                                           \
        axpy_##type(alpha, x, y);                                                                  \
        return report(#type, sizeof *codes, alpha, x_error);                                       \
    }
STORAGES(TRY)

int main(void)
{
    const double alpha = 2.5;
    int good = 1;
    for (stn_size i = 0; i < COUNT; i++)
        values[i] = x_value(i);
    printf("x            bytes   error of y        bound\n");
#define CALL(type, element, KIND, x_error) good = try_##type(alpha) && good;
    STORAGES(CALL)
    return !good;
}
