/* Counts the nonzero entries of each row of a matrix: a reduction over the last dimension, whose
 * results are stored in 32-bit integers without conversion to a float. */
#include <stdio.h>

#include "steno/reduce.h"

STN_REDUCE(count_nonzeros_per_row, count, (in(entry)), entry != 0)

enum { ROWS = 6, COLUMNS = 1000 };

int main(void)
{
    static stn_bf16 entries[ROWS][COLUMNS];
    int32_t counts[ROWS] = {0};
    const int64_t extents[] = {ROWS, COLUMNS}, rows = ROWS;
    const unsigned columns = 1u << 1; /* dimension 1 is reduced */
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column += row + 1)
            entries[row][column] = stn_bf16_from_f64(column - 12.0);

    stn_exec *exec = NULL;
    stn_view matrix, result;
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap(&matrix, "matrix", stn_storage_of(STN_BF16), entries, 2, extents) ||
        stn_view_wrap(&result, "counts", stn_storage_of(STN_I32), counts, 1, &rows) ||
        count_nonzeros_per_row_reduce_into(exec, STN_F32, columns, &result, &matrix))
        fprintf(stderr, "%s\n", stn_error());
    stn_exec_release(exec);
    for (int row = 0; row < ROWS; row++)
        printf("%d%s", counts[row], row + 1 < ROWS ? " " : "\n");
    return counts[0] != 999 || counts[4] != 200;
}
