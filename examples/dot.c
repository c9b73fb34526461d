/* A vector stored as f16, and its dot product computed in f64. */
#include <stdio.h>

#include "steno/steno.h"

int main(void)
{
    const int64_t n = 1000;
    stn_f16 a[1000]; /* 2 bytes per value */
    for (int k = 0; k < n; k++)
        a[k] = stn_f16_from_f64(k / 8.0);

    stn_exec *exec = NULL;
    stn_view x;
    double sum = 0.0;
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F16), a, 1, &n) ||
        stn_dot(exec, STN_F64, &sum, &x, &x))
        fprintf(stderr, "%s\n", stn_error());
    printf("%.17g\n", sum);
    stn_exec_release(exec);
    return sum != 332833500 / 64.0; /* the exact sum */
}
