/* Reductions whose state has several values: mean and variance, the minimum with its index, a
 * cosine and the logarithm of a sum of exponentials, each in one pass. */
#include <math.h>
#include <stdio.h>

#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_STATE(moments, (in(x)),
    (count, mean, squares), (1, x, 0), (a.mean, a.squares / a.count), (0, 0, 0),
    const real_t count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    a.squares = a.squares + b.squares + step * step * (a.count * share);
    a.mean += step * share;
    a.count = count;)
STN_REDUCE_STATE(least, (at(i), in(x)),
    (value, index), (x, i), (a.value, a.index), (INFINITY, -1),
    if (b.value < a.value || (b.value == a.value && b.index < a.index)) a = b;)
STN_REDUCE_STATE(cosine, (in(x), in(y)),
    (xx, xy, yy), (x * x, x * y, y * y), (a.xy / sqrt(a.xx * a.yy)), (0, 0, 0),
    a.xx += b.xx; a.xy += b.xy; a.yy += b.yy;)
STN_REDUCE_STATE(log_sum_exp, (in(x)),
    (most, sum), (x, 1), (a.most + log(a.sum)), (-INFINITY, 1),
    const real_t most = fmax(a.most, b.most);
    a.sum = a.sum * exp(a.most - most) + b.sum * exp(b.most - most);
    a.most = most;)
/* clang-format on */

enum { COUNT = 64 };

int main(void)
{
    static stn_f16 x_codes[COUNT], y_codes[COUNT];
    const int64_t count = COUNT, half[] = {2, COUNT / 2}, pairs[] = {2, 2};
    double rows[2][2];
    stn_view x, y, matrix, of_rows;
    stn_exec *exec = NULL;
    for (int k = 0; k < COUNT; k++) {
        x_codes[k] = stn_f16_from_f64((k * 29 + 3) % 41 / 4.0 - 5);
        y_codes[k] = stn_f16_from_f64(k % 3 - 1);
    }
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F16), x_codes, 1, &count) ||
        stn_view_wrap(&y, "y", stn_storage_of(STN_F16), y_codes, 1, &count) ||
        stn_view_wrap(&matrix, "matrix", stn_storage_of(STN_F16), x_codes, 2, half) ||
        stn_view_wrap(&of_rows, "of_rows", stn_storage_of(STN_F64), rows, 2, pairs))
        fprintf(stderr, "%s\n", stn_error());
    double mean_and_variance[2], value_and_index[2], similarity, log_sum;
    if (moments_reduce(exec, STN_F64, mean_and_variance, &x) ||
        least_reduce(exec, STN_F64, value_and_index, &x) ||
        cosine_reduce(exec, STN_F64, &similarity, &x, &y) ||
        log_sum_exp_reduce(exec, STN_F64, &log_sum, &x) ||
        moments_reduce_into(exec, STN_F64, 1u << 1, &of_rows, &matrix))
        fprintf(stderr, "%s\n", stn_error());
    stn_exec_release(exec);
    printf("mean %g, variance %g\n", mean_and_variance[0], mean_and_variance[1]);
    printf("minimum %g at %g\n", value_and_index[0], value_and_index[1]);
    printf("cosine %.3g, logarithm of the sum of exponentials %g\n", similarity, log_sum);
    printf("rows: %g %g, %g %g\n", rows[0][0], rows[0][1], rows[1][0], rows[1][1]);
    return mean_and_variance[1] <= 0 || value_and_index[0] > mean_and_variance[0];
}
