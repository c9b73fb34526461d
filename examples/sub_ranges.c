/* Rows, columns and blocks of a matrix as accessors over the same memory: no copies. */
#include <stdio.h>
#include <string.h>

#include "steno/accessor.h"

STN_ACCESSOR(matrix, 2, double, float)
STN_ACCESSOR_STRIDED(grid, 2, double, float) /* a matrix with any strides */
STN_ACCESSOR_STRIDED(line, 1, double, float)

/* Slices: the mask states which dimensions remain; bit 0 is the last one. */
STN_ACCESSOR_SLICE(row_of, matrix, 2, line, 0x1)
STN_ACCESSOR_SLICE(column_of, matrix, 2, line, 0x2)
STN_ACCESSOR_SLICE(grid_of, matrix, 2, grid, 0x3) /* both remain: another layout */

/* The digits of each element are its indices, so the text shows which elements are selected. */
static int show(const char *what, grid a, const char *expected)
{
    char text[200] = "";
    for (stn_size i = 0; i < grid_length(a, 0); i++)
        for (stn_size j = 0; j < grid_length(a, 1); j++)
            sprintf(text + strlen(text), "%s%02.0f", j ? " " : i ? " / " : "", grid_get(a, i, j));
    printf("%-22s %s\n", what, text);
    return strcmp(text, expected) != 0;
}

static int show_matrix(const char *what, matrix a, const char *expected)
{
    return show(what, grid_of(a, stn_all(), stn_all()), expected);
}

static int show_line(const char *what, line x, const char *expected)
{
    const stn_size extents[] = {1, line_length(x, 0)}, strides[] = {0, line_stride(x, 0)};
    return show(what, grid_make(line_data(x), extents, strides), expected);
}

int main(void)
{
    float data[3 * 5];
    const matrix a = matrix_dense(data, 3, 5);
    for (stn_size i = 0; i < 3; i++)
        for (stn_size j = 0; j < 5; j++)
            matrix_set(a, i, j, (double)(10 * i + j));
    int wrong = show_matrix("all", a, "00 01 02 03 04 / 10 11 12 13 14 / 20 21 22 23 24");

    /* Subarrays keep the rank: an index is a span of length one. */
    const matrix block = matrix_sub(a, stn_span_of(1, 3), stn_span_of(2, 5));
    wrong += show_matrix("row 2", matrix_sub(a, stn_at(2), stn_all()), "20 21 22 23 24");
    wrong += show_matrix("column 3", matrix_sub(a, stn_all(), stn_at(3)), "03 / 13 / 23");
    wrong += show_matrix("rows 1-2, columns 2-4", block, "12 13 14 / 22 23 24");
    wrong += show_matrix("its last column", matrix_sub(block, stn_all(), stn_at(2)), "14 / 24");

    /* Slices have a lower rank. */
    const line top = row_of(a, stn_at(0), stn_all());
    wrong += show_line("row 0, rank 1", top, "00 01 02 03 04");
    wrong += show_line("column 3, rank 1", column_of(a, stn_span_of(1, 3), stn_at(3)), "13 23");

    /* A type whose strides are given at run time can be rearranged. */
    const line backwards = line_reverse(top, 0);
    wrong += show_line("row 0, backwards", backwards, "04 03 02 01 00");
    wrong += show_line("every other of these", line_every(backwards, 0, 2), "04 02 00");
    wrong +=
        show("the block, transposed", grid_transpose(grid_of(block, stn_all(), stn_all()), 0, 1),
             "12 22 / 13 23 / 14 24");

    matrix_set(block, 0, 0, 99.0); /* the same memory */
    wrong +=
        show_matrix("row 1, after a store", matrix_sub(a, stn_at(1), stn_all()), "10 11 99 13 14");
    return wrong != 0;
}
