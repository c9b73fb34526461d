/* A kernel with loops for two formats of x in addition to the general loop. Each launch selects one
 * of them; the bits are the same. */
#include <stdio.h>

#include "steno/kernel_fuse.h"

STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_FUSE(axpy_f32, axpy, f64, (real(alpha), in(x, f32), inout(y, f64)))
STN_FUSE(axpy_f16, axpy, f64, (real(alpha), in(x, f16), inout(y, f64)))

enum { COUNT = 1000 };

/* y = 2.5 x + y, where x is 0, 1/8, 2/8, ... rounded to a storage. */
static stn_status add(const stn_exec *exec, stn_storage storage, double *y)
{
    double values[COUNT];
    char codes[COUNT * sizeof(double)];
    const int64_t count = COUNT;
    stn_view x_view, y_view;
    for (int k = 0; k < COUNT; k++)
        values[k] = k / 8.0;
    stn_status status = stn_encode(STN_F64, &storage, codes, 1, 0, values, COUNT);
    if (status == STN_OK)
        status = stn_view_wrap_const(&x_view, "x", storage, codes, 1, &count);
    if (status == STN_OK)
        status = stn_view_wrap(&y_view, "y", stn_storage_of(STN_F64), y, 1, &count);
    return status == STN_OK ? axpy_run(exec, STN_F64, 2.5, &x_view, &y_view) : status;
}

int main(void)
{
    static double y[COUNT];
    stn_storage scaled = stn_storage_of(STN_I16);
    stn_exec *exec = NULL;
    scaled.scale = 0.125;
    stn_status status = stn_exec_create(&exec, "threads");
    if (status == STN_OK)
        status = add(exec, stn_storage_of(STN_F32), y); /* axpy_f32 */
    if (status == STN_OK)
        status = add(exec, stn_storage_of(STN_F16), y); /* axpy_f16 */
    if (status == STN_OK)
        status = add(exec, scaled, y); /* by the library's codecs */
    stn_exec_release(exec);
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    printf("y[8] = %g, y[800] = %g\n", y[8], y[800]);
    return y[8] == 7.5 && y[800] == 750.0 ? 0 : 1;
}
