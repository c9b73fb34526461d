/* Views in C++11: a matrix in 16 bits with one scale per row, filled from a view of f64. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "steno/steno.h"

static void must(stn_status status)
{
    if (status != STN_OK) {
        std::fprintf(stderr, "%s\n", stn_error());
        std::exit(1);
    }
}

enum { ROWS = 3, COLUMNS = 4 };

int main()
{
    const int64_t extents[] = {ROWS, COLUMNS};
    double values[ROWS];
    stn_view matrix, narrow;
    must(stn_view_create(NULL, &matrix, "matrix", stn_storage_of(STN_F64), 2, extents));
    double *elements = static_cast<double *>(matrix.data); /* C++ does not convert void pointers */
    for (int k = 0; k < ROWS * COLUMNS; k++)
        elements[k] = k * 0.25;

    stn_scales rows = stn_scales(); /* all zeros, then member by member */
    rows.data = values;
    rows.format = STN_F64;
    rows.dimension = STN_NO_DIMENSION; /* one scale per row */
    rows.stride[0] = 1;
    must(stn_view_create(NULL, &narrow, "narrow", stn_storage_of(STN_I16), 2, extents));
    must(stn_view_set_scales(&narrow, &rows));
    must(stn_view_fit_scales(NULL, &narrow, &matrix, STN_SCALE_EXACT));
    must(stn_view_copy(NULL, &narrow, &matrix));

    double value;
    must(STN_VIEW_GET(&narrow, &value, 2, 3));
    std::printf("narrow(2, 3) = %g, scale of row 2 = %.3g\n", value, values[2]);
    must(stn_view_release(&narrow));
    must(stn_view_release(&matrix));
    return value == 2.75 ? 0 : 1;
}
