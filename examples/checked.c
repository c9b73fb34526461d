/* Checked mode: invalid indices and spans are reported to a function of the program. */
#include <stdio.h>

static int reports;

static void report(const char *accessor, const char *problem, int dimension, long long value,
                   long long extent)
{
    printf("%s: %s %lld of dimension %d does not fit %lld\n", accessor, problem, value, dimension,
           extent);
    reports++;
}

#define STN_CHECKED
#define STN_CHECK_FAILED report
#include "steno/accessor.h"

STN_ACCESSOR(matrix, 2, double, float)

int main(void)
{
    float data[3 * 4] = {0.0f};
    const matrix a = matrix_dense(data, 3, 4);
    const double beyond = matrix_get(a, 3, 0);
    matrix_set(a, 2, -1, 7.0);
    const matrix none = matrix_sub(a, stn_all(), stn_span_of(2, 9));
    printf("a read gave %g, the sub-range has %lld elements\n", beyond,
           (long long)matrix_count(none));
    for (int k = 0; k < 12; k++)
        reports += data[k] != 0.0f; /* nothing has been stored */
    return reports != 3 || beyond != 0.0 || matrix_count(none) != 0;
}
