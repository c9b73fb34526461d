/* y = alpha x + y in OpenCL C. Arguments of kernels are pointers and numbers, so accessors are
 * created inside the kernel. */
#include "steno/accessor.h"

STN_ACCESSOR(wide, 1, double, double)
STN_ACCESSOR(narrow, 1, double, float)

__kernel void axpy(double alpha, __global float *x_data, __global double *y_data, stn_size n)
{
    const narrow x = narrow_dense(x_data, n);
    const wide y = wide_dense(y_data, n);
    const stn_size i = (stn_size)get_global_id(0);
    if (i < n)
        wide_set(y, i, alpha * narrow_get(x, i) + wide_get(y, i));
}
