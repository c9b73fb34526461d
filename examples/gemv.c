/* y = A x with A stored in three ways: double, float, and 8 bits with a scale per row. */
#include <math.h>
#include <stdio.h>

#include "steno/accessor.h"

enum { ROWS = 200, COLUMNS = 300, COUNT = ROWS * COLUMNS, TILE = 128 };

/* For any accessor type A of rank 2; a row is read in runs, not element by element. */
#define DEFINE_GEMV(name, A)                                                                       \
    static void name(A a, const A##_real *x, A##_real *y)                                          \
    {                                                                                              \
        const stn_size columns = A##_length(a, 1);                                                 \
        A##_real tile[TILE];                                                                       \
        for (stn_size i = 0; i < A##_length(a, 0); i++) {                                          \
            A##_real sum = 0;                                                                      \
            for (stn_size j = 0; j < columns; j += TILE) {                                         \
                const stn_size count = columns - j < TILE ? columns - j : TILE;                    \
                A##_load(a, i, j, count, tile);                                                    \
                for (stn_size k = 0; k < count; k++)                                               \
                    sum += tile[k] * x[j + k];                                                     \
            }                                                                                      \
            y[i] = sum;                                                                            \
        }                                                                                          \
    }

STN_ACCESSOR(plain, 2, double, double)
STN_ACCESSOR(narrow, 2, double, float)
STN_ACCESSOR_SCALED(by_row, 2, double, int8_t, 0x2)

DEFINE_GEMV(gemv_plain, plain)
DEFINE_GEMV(gemv_narrow, narrow)
DEFINE_GEMV(gemv_by_row, by_row)

static double values[COUNT], x[COLUMNS], y[3][ROWS], scales[ROWS];
static float floats[COUNT];
static int8_t codes[COUNT];

/* Returns the largest difference from the product in double, relative to the sum of magnitudes of
 * its row. */
static double error_of(const double *result)
{
    double error = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            sum += fabs(values[i * COLUMNS + j] * x[j]);
        error = fmax(error, fabs(result[i] - y[0][i]) / sum);
    }
    return error;
}

int main(void)
{
    for (int k = 0; k < COUNT; k++)
        values[k] = sin(0.7 * k) * exp2(k / COLUMNS % 40 - 20);
    for (int j = 0; j < COLUMNS; j++)
        x[j] = cos(0.3 * j);

    const plain a = plain_dense(values, ROWS, COLUMNS);
    const narrow b = narrow_dense(floats, ROWS, COLUMNS);
    const by_row c = by_row_dense(codes, ROWS, COLUMNS, scales);
    narrow_store(b, 0, 0, COUNT, values);
    by_row_fit_scales(c, values, STN_SCALE_EXACT);
    by_row_store(c, 0, 0, COUNT, values);

    gemv_plain(a, x, y[0]);
    gemv_narrow(b, x, y[1]);
    gemv_by_row(c, x, y[2]);
    printf("A stored as                bytes    error\n");
    printf("double                     %zu  -\n", sizeof values);
    printf("float                      %zu  %.1e\n", sizeof floats, error_of(y[1]));
    printf("int8_t, a scale per row    %zu   %.1e\n", sizeof codes + sizeof scales, error_of(y[2]));
    return !(error_of(y[1]) <= 0x1p-24 && error_of(y[2]) <= 1.0 / 127);
}
