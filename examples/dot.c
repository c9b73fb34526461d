/* Two vectors stored as f16, and their dot product computed in f64. */
#include <stdio.h>

#include "steno/blas.h"

int main(void)
{
    const int64_t count = 1000;
    stn_f16 a[1000], b[1000];
    for (int k = 0; k < count; k++) {
        a[k] = stn_f16_from_f64(k / 8.0);
        b[k] = stn_f16_from_f64(0.1); /* 0.0999755859375, the nearest f16 */
    }

    stn_exec *exec = NULL;
    stn_view x, y;
    double sum = 0.0;
    if (stn_exec_create("openmp", &exec) ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F16), a, 1, &count, NULL) ||
        stn_view_wrap(&y, "y", stn_storage_of(STN_F16), b, 1, &count, NULL) ||
        stn_dot(exec, STN_F64, &sum, &x, &y))
        fprintf(stderr, "%s\n", stn_error());
    else
        printf("%.17g\n", sum);
    stn_exec_release(exec);
    return sum != 999 * 1000 / 16.0 * 0.0999755859375; /* every product and sum is exact here */
}
