/* A conjugate-gradient step for several right-hand sides at once. The body is in a separate file,
 * scalars per column are broadcast, residuals are stored in f32 and directions in f16. */
#include <stdio.h>

#define STN_KERNEL_NAME       step_2
#define STN_KERNEL_PARAMETERS (inout(x), inout(r), in(p), in(q), in(beta), in(rho), in(stopped))
#define STN_KERNEL_FILE       "kernels/cg_step_2.k"
#include "steno/kernel_file.h"

enum { ROWS = 4, COLUMNS = 3 };

int main(void)
{
    const int64_t matrix[] = {ROWS, COLUMNS}, row[] = {COLUMNS};
    double x[ROWS][COLUMNS] = {{0}}, beta[] = {2.0, 0.0, 4.0}, rho[] = {1.0, 1.0, 3.0};
    float r[ROWS][COLUMNS];
    stn_f16 p[ROWS][COLUMNS], q[ROWS][COLUMNS];
    const uint8_t stopped[COLUMNS] = {0, 0, 1};
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            r[i][j] = 1.0f;
            p[i][j] = stn_f16_from_f64(i + 1);
            q[i][j] = stn_f16_from_f64(j + 0.5);
        }

    stn_exec *exec = NULL;
    stn_view vx, vr, vp, vq, vbeta, vrho, vstopped;
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 2, matrix) ||
        stn_view_wrap(&vr, "r", stn_storage_of(STN_F32), r, 2, matrix) ||
        stn_view_wrap_const(&vp, "p", stn_storage_of(STN_F16), p, 2, matrix) ||
        stn_view_wrap_const(&vq, "q", stn_storage_of(STN_F16), q, 2, matrix) ||
        stn_view_wrap_const(&vbeta, "beta", stn_storage_of(STN_F64), beta, 1, row) ||
        stn_view_wrap_const(&vrho, "rho", stn_storage_of(STN_F64), rho, 1, row) ||
        stn_view_wrap_const(&vstopped, "stopped", stn_storage_of(STN_U8), stopped, 1, row) ||
        step_2_run(exec, STN_F64, &vx, &vr, &vp, &vq, &vbeta, &vrho, &vstopped)) {
        fprintf(stderr, "%s\n", stn_error());
        stn_exec_release(exec);
        return 1;
    }
    stn_exec_release(exec);
    for (int i = 0; i < ROWS; i++)
        printf("x %4.1f %4.1f %4.1f   r %5.2f %5.2f %5.2f\n", x[i][0], x[i][1], x[i][2],
               (double)r[i][0], (double)r[i][1], (double)r[i][2]);
    return x[3][0] == 2.0 && x[3][1] == 0.0 && x[3][2] == 0.0 && r[3][0] == 0.75f ? 0 : 1;
}
