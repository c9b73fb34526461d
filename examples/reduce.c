/* Reductions of a vector stored as f16: a sum, a norm, the index of the largest element, and an
 * operation defined by the program; the same sum in two parts and by rows; running sums. */
#include <stdio.h>

#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(distance, norm2, (in(x), in(y)), x - y)
STN_REDUCE(farthest, argmax, (in(x), in(y)), fabs(x - y))
STN_REDUCE(beyond, count, (real(limit), in(x)), x > limit)
STN_REDUCE_BY(largest_power, (in(x)), fabs(x), a > b ? a : b, floor(log(a) / log(STN_R(2))), 0)

STN_SCAN(running, sum, (in(x)), x)
/* clang-format on */

enum { COUNT = 1000 };

static stn_f16 x_codes[COUNT], y_codes[COUNT];
static float running_sums[COUNT];
static stn_view x, y, sums;

static int wrap_views(void)
{
    const int64_t count = COUNT;
    for (int k = 0; k < COUNT; k++) {
        x_codes[k] = stn_f16_from_f64(k / 8.0);
        y_codes[k] = stn_f16_from_f64(k == 700 ? 90.5 : k / 8.0);
    }
    return stn_view_wrap(&x, "x", stn_storage_of(STN_F16), x_codes, 1, &count) ||
           stn_view_wrap(&y, "y", stn_storage_of(STN_F16), y_codes, 1, &count) ||
           stn_view_wrap(&sums, "sums", stn_storage_of(STN_F32), running_sums, 1, &count);
}

/* Two partial sums, as two processes would compute them. One of them would send its partial sum as
 * bytes. */
static stn_status total_of_parts(const stn_exec *exec, double *sum)
{
    static stn_partial left, right;
    stn_view low, high;
    const stn_slice first = stn_slice_range(0, 333), second = stn_slice_range(333, COUNT);
    if (stn_view_slice(&low, &x, 1, &first) || stn_view_slice(&high, &x, 1, &second))
        return STN_ERR_RANGE;
    stn_status status = total_reduce_part(exec, STN_F64, 0, &left, &low);
    if (status == STN_OK)
        status = total_reduce_part(exec, STN_F64, 333, &right, &high);
    if (status == STN_OK)
        status = total_reduce_merge(&left, &right);
    return status ? status : total_reduce_finish(&left, sum);
}

/* The sums of the rows of x, read as a matrix of 10 x 100 elements. */
static stn_status sums_of_rows(const stn_exec *exec, double *row_sums)
{
    const int64_t extents[] = {10, 100}, rows = 10;
    stn_view matrix, results;
    if (stn_view_wrap(&matrix, "matrix", stn_storage_of(STN_F16), x_codes, 2, extents) ||
        stn_view_wrap(&results, "sums", stn_storage_of(STN_F64), row_sums, 1, &rows))
        return STN_ERR_ARGUMENT;
    const unsigned reduced = 1u << 1; /* dimension 1, the columns, disappears */
    return total_reduce_into(exec, STN_F64, reduced, &results, &matrix);
}

int main(void)
{
    stn_exec *exec = NULL;
    double sum = 0, of_parts = 0, distance = 0, power = 0, row_sums[10] = {0};
    int64_t where = -1, many = 0;
    if (stn_exec_create(&exec, "threads") || wrap_views() ||
        total_reduce(exec, STN_F64, &sum, &x) || total_of_parts(exec, &of_parts) ||
        sums_of_rows(exec, row_sums) || distance_reduce(exec, STN_F64, &distance, &x, &y) ||
        farthest_reduce(exec, STN_F64, &where, &x, &y) ||
        beyond_reduce(exec, STN_F64, &many, 100.0, &x) ||
        largest_power_reduce(exec, STN_F64, &power, &x) ||
        running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &sums, &x))
        fprintf(stderr, "%s\n", stn_error());
    stn_exec_release(exec);
    printf("sum %g, in parts %g\n", sum, of_parts);
    printf("sums of rows %g %g ... %g\n", row_sums[0], row_sums[1], row_sums[9]);
    printf("distance %g, most of it at %lld\n", distance, (long long)where);
    printf("%lld beyond 100, all below 2^%g\n", (long long)many, power + 1);
    printf("running sums %g %g ... %g\n", (double)running_sums[0], (double)running_sums[1],
           (double)running_sums[COUNT - 1]);
    return sum != of_parts || where != 700 || running_sums[COUNT - 1] != (float)sum;
}
