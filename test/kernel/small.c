/* A kernel and a reduction with a known result, to be built in many ways; see
 * test_kernel_builds.sh.
 */
#include <stdio.h>

#include "steno/reduce.h"

STN_MAP(add, (real(a), in(x), inout(y)), y = y + a * x;)
STN_REDUCE(total, sum, (in(x)), x)

int main(void)
{
    enum { N = 5000 };
    static double x[N], y[N];
    const int64_t count = N;
    double sum = 0;
    stn_exec *exec = NULL;
    stn_view vx, vy;
    for (int k = 0; k < N; k++)
        x[k] = k, y[k] = 1;
    if (stn_exec_create(&exec, "openmp") ||
        stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &count) ||
        stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &count) ||
        add_run(exec, STN_F64, 2.0, &vx, &vy) || total_reduce(exec, STN_F64, &sum, &vy)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    stn_exec_release(exec);
    return sum != (double)N * N; /* 1 + 3 + 5 + ... */
}
