/* The same loop, y = alpha x + y, over x in 8 bits: with one scale, and with a scale per row. */
#include <math.h>
#include <stdio.h>

#include "steno/accessor.h"

STN_ACCESSOR(wide, 2, double, double)
STN_ACCESSOR_SCALED(scaled, 2, double, int8_t, 0x0) /* no index selects a scale: one for all */
STN_ACCESSOR_SCALED(by_row, 2, double, int8_t, 0x2) /* the row does */

#define AXPY axpy_scaled
#define X    scaled
#define Y    wide
#include "kernels/axpy.h"

#define AXPY axpy_by_row
#define X    by_row
#define Y    wide
#include "kernels/axpy.h"

enum { ROWS = 4, COLUMNS = 250, COUNT = ROWS * COLUMNS };
static double values[COUNT], y_scaled[COUNT], y_by_row[COUNT];
static int8_t codes[COUNT], row_codes[COUNT];

/* Returns the largest error in a row, relative to the largest value of the row. */
static double error_of(const double *y, int row)
{
    double error = 0.0, largest = 0.0;
    for (int k = row * COLUMNS; k < (row + 1) * COLUMNS; k++) {
        error = fmax(error, fabs(y[k] - 2.5 * values[k]));
        largest = fmax(largest, fabs(2.5 * values[k]));
    }
    return error / largest;
}

int main(void)
{
    int right = 1;
    for (int i = 0; i < ROWS; i++) /* each row is 100 times smaller than the preceding one */
        for (int j = 0; j < COLUMNS; j++)
            values[i * COLUMNS + j] = pow(0.01, i) * sin(0.1 * (j + 1));

    double scale, row_scales[ROWS];
    const scaled x = scaled_dense(codes, ROWS, COLUMNS, &scale);
    const by_row rows = by_row_dense(row_codes, ROWS, COLUMNS, row_scales);
    scaled_fit_scales(x, values, STN_SCALE_POWER_OF_TWO);
    scaled_store(x, 0, 0, COUNT, values);
    by_row_fit_scales(rows, values, STN_SCALE_POWER_OF_TWO);
    by_row_store(rows, 0, 0, COUNT, values);

    axpy_scaled(2.5, x, wide_dense(y_scaled, ROWS, COLUMNS));
    axpy_by_row(2.5, rows, wide_dense(y_by_row, ROWS, COLUMNS));

    printf("row  one scale  error     its own scale  error\n");
    for (int i = 0; i < ROWS; i++) {
        const double one = error_of(y_scaled, i), own = error_of(y_by_row, i);
        printf("%3d  %-9g  %-8.1e  %-13.2g  %.1e\n", i, scaled_scale(x, i, 0), one,
               by_row_scale(rows, i, 0), own);
        right = right && own <= 1.0 / 127 && (i == 0 ? one <= 1.0 / 127 : one > own);
    }
    return !right;
}
