/* Complex numbers stored as pairs of f32 and computed in f64: y = a x + y. */
#include <stdio.h>

#include "steno/kernel.h"

/* clang-format off */
STN_MAP_COMPLEX(turn, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
/* clang-format on */

enum { N = 200 };

int main(void)
{
    const int64_t count = N;
    const stn_c128 a = {0.6, 0.8};
    stn_c64 x[N], y[N];
    for (int k = 0; k < N; k++) {
        x[k].re = (float)(5 * k);
        x[k].im = 0;
        y[k].re = y[k].im = 1;
    }

    stn_exec *exec = NULL;
    stn_view vx, vy;
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap_const(&vx, "x", stn_storage_of(STN_C64), x, 1, &count) ||
        stn_view_wrap(&vy, "y", stn_storage_of(STN_C64), y, 1, &count) ||
        turn_run(exec, STN_C128, a, &vx, &vy)) {
        fprintf(stderr, "%s\n", stn_error());
        stn_exec_release(exec);
        return 1;
    }
    stn_exec_release(exec);
    int wrong = 0;
    for (int k = 0; k < N; k++)
        wrong += y[k].re != (float)(3 * k + 1) || y[k].im != (float)(4 * k + 1);
    printf("%g + %gi, %g + %gi, ...: %d wrong\n", (double)y[1].re, (double)y[1].im, (double)y[2].re,
           (double)y[2].im, wrong);
    return wrong != 0;
}
