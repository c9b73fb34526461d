/* A sparse matrix in compressed rows with values in f16 is scaled in place and multiplied by a
 * vector. Row starts and columns are integers, which the kernel gathers like the values. */
#include <stdio.h>

#include "steno/kernel.h"

/* clang-format off */
STN_MAP(scale, (real(factor), inout(value)),
    value = factor * value;
)

STN_MAP(csr_product, (at(row), gather(begins, 1), gather(columns, 1), gather(values, 1),
                      gather(x, 1), out(y)),
    real_t sum = 0;
    for (int64_t e = STN_INDEX_AT(begins, row); e < STN_INDEX_AT(begins, row + 1); e++)
        sum += STN_AT(values, e) * STN_AT(x, STN_INDEX_AT(columns, e));
    y = sum;
)
/* clang-format on */

enum { ROWS = 1000, ENTRIES = 3 * ROWS - 2 };

/* Second differences: -1, 2, -1. */
static void fill(int32_t *begins, uint16_t *columns, stn_f16 *values)
{
    int32_t e = 0;
    for (int row = 0; row < ROWS; row++) {
        begins[row] = e;
        for (int column = row - 1; column <= row + 1; column++)
            if (column >= 0 && column < ROWS) {
                columns[e] = (uint16_t)column;
                values[e++] = stn_f16_from_f64(column == row ? 2 : -1);
            }
    }
    begins[ROWS] = e;
}

int main(void)
{
    static int32_t begins[ROWS + 1];
    static uint16_t columns[ENTRIES];
    static stn_f16 values[ENTRIES];
    static float x[ROWS];
    static double y[ROWS];
    const int64_t rows = ROWS, bounds = ROWS + 1, entries = ENTRIES;
    fill(begins, columns, values);
    for (int k = 0; k < ROWS; k++)
        x[k] = (float)(k * k); /* its second differences are 2 */

    stn_exec *exec = NULL;
    stn_view vbegins, vcolumns, vvalues, vx, vy;
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap_const(&vbegins, "begins", stn_storage_of(STN_I32), begins, 1, &bounds) ||
        stn_view_wrap_const(&vcolumns, "columns", stn_storage_of(STN_U16), columns, 1, &entries) ||
        stn_view_wrap(&vvalues, "values", stn_storage_of(STN_F16), values, 1, &entries) ||
        stn_view_wrap_const(&vx, "x", stn_storage_of(STN_F32), x, 1, &rows) ||
        stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &rows) ||
        scale_run(exec, STN_F32, -0.5, &vvalues) ||
        csr_product_run(exec, STN_F64, &vbegins, &vcolumns, &vvalues, &vx, &vy)) {
        fprintf(stderr, "%s\n", stn_error());
        stn_exec_release(exec);
        return 1;
    }
    stn_exec_release(exec);
    int wrong = 0;
    for (int row = 1; row < ROWS - 1; row++)
        wrong += y[row] != 1.0;
    printf("%g %g ... %g, %d wrong\n", y[0], y[1], y[ROWS - 2], wrong);
    return wrong != 0;
}
