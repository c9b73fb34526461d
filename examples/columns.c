/* Reductions of the columns of a matrix of 8-bit numbers with a scale, in the memory of the
 * executor. Operations are the library's and one defined by the program; results are stored in a
 * view in that memory and in arrays of the program.
 *
 *   columns [reference|threads|opencl:0|cuda:0] */
#include <stdio.h>

#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/steno.h"

/* clang-format off */
STN_MAP(count_up, (at(i, j), out(x)), x = (real_t)((i * 5 + j) % 17) - STN_R(8);)
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(largest, argmax, (in(x)), x)
STN_REDUCE_BY(length, (in(x)), x * x, a + b, sqrt(a), 0)
/* clang-format on */

enum { ROWS = 1000, COLUMNS = 4 };

int main(int argc, char **argv)
{
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_storage tenths = stn_storage_of(STN_I8);
    tenths.scale = 0.1;
    double sums[COLUMNS], lengths[COLUMNS];
    int64_t places[COLUMNS];
    stn_exec *exec = NULL;
    stn_view x, there, here, of_places, of_lengths;

    /* Bit 0 of `reduced`: dimension 0 (rows) is reduced, columns remain. Results in host memory are
     * complete when the call returns; results on a device are queued. */
    if (stn_exec_create(&exec, argc > 1 ? argv[1] : "reference") ||
        stn_view_create(exec, &x, "x", tenths, 2, extents) ||
        stn_view_create(exec, &there, "sums", stn_storage_of(STN_F64), 1, extents + 1) ||
        stn_view_wrap(&here, "sums", stn_storage_of(STN_F64), sums, 1, extents + 1) ||
        stn_view_wrap(&of_places, "places", stn_storage_of(STN_I64), places, 1, extents + 1) ||
        stn_view_wrap(&of_lengths, "lengths", stn_storage_of(STN_F64), lengths, 1, extents + 1) ||
        count_up_run(exec, STN_F64, &x) || total_reduce_into(exec, STN_F64, 1, &there, &x) ||
        stn_view_copy(exec, &here, &there) ||
        largest_reduce_into(exec, STN_F64, 1, &of_places, &x) ||
        length_reduce_into(exec, STN_F64, 1, &of_lengths, &x)) {
        fprintf(stderr, "columns: %s\n", stn_error());
        return 1;
    }
    for (int j = 0; j < COLUMNS; j++)
        printf("column %d: sum %.17g, length %.17g, largest in row %d\n", j, sums[j], lengths[j],
               (int)places[j]);
    stn_view_release(&x);
    stn_view_release(&there);
    stn_exec_release(exec);
    return 0;
}
