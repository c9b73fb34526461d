/* Refused matrices over views and arrays, and refused conversions, scales and operations of
 * matrices, each with its message; sizes that no memory has; failing allocations. */
#include <math.h>
#include <stdlib.h>

#include "core/available.h"
#include "core/memory.h"
#include "sparse_arrays.h"

/* 3 x 5 with entries (0, 0), (0, 4), (2, 4), and the matrix over it. */
static arrays a;
static stn_matrix *made;

/* The call makes no matrix; the arrays are reset. */
static void refuse(stn_status status, stn_status expected, const char *first, const char *second)
{
    says(status, expected, first, second);
    assert_null(made);
    make(&a);
    memset(&made, 0xa5, sizeof made);
}

static void set_up(void)
{
    make(&a);
    memset(&made, 0xa5, sizeof made);
}

/* The call after a change of the arrays is refused. */
#define REFUSED(change, call, status, first, second)                                               \
    do {                                                                                           \
        change;                                                                                    \
        refuse(call, status, first, second);                                                       \
    } while (0)

/* ---- compressed rows ---- */

static stn_status wrap_rows(void)
{
    return wrap_csr_views(&made, "mike", 5, &a.starts, &a.columns, &a.value);
}

#define ROWS_REFUSED(change, status, first, second)                                                \
    REFUSED(change, wrap_rows(), status, first, second)

UNIT_TEST(test_compressed_rows)
{
    static const int64_t huge = INT64_MAX / 8;
    uint64_t large[3] = {0, 4, UINT64_MAX - 3};
    set_up();
    ROWS_REFUSED(a.starts.size = 0, STN_ERR_ARGUMENT, "row_start is missing", "mike");
    ROWS_REFUSED(a.columns.size = 0, STN_ERR_ARGUMENT, "column is missing", "mike");
    ROWS_REFUSED(a.start[0] = 1, STN_ERR_RANGE, "mike", "begins with 1");
    ROWS_REFUSED(a.start[2] = 1, STN_ERR_RANGE, "descends after row 1, to 1", "mike");
    ROWS_REFUSED(a.start[3] = INT64_MIN, STN_ERR_RANGE, "after row 2", "mike");
    ROWS_REFUSED(a.start[3] = 4, STN_ERR_SHAPE, "ends with 4", "column (i32, 3)");
    ROWS_REFUSED(a.start[3] = INT64_MAX, STN_ERR_SHAPE, "ends with 9223372036854775807", "mike");
    ROWS_REFUSED(a.column[2] = 5, STN_ERR_RANGE, "column index 5 in row 2, at entry 2",
                 "5 columns");
    ROWS_REFUSED(a.column[1] = -1, STN_ERR_RANGE, "column index -1 in row 0, at entry 1", "mike");
    ROWS_REFUSED(a.value.extent[0] = 2, STN_ERR_SHAPE, "value (f64, 2)", "column (i32, 3)");
    ROWS_REFUSED(a.value.rank = 2, STN_ERR_SHAPE, "value", "rank 2");
    ROWS_REFUSED(a.starts.rank = 0, STN_ERR_SHAPE, "start", "rank 0");
    ROWS_REFUSED(a.columns.storage.scale = 2.0, STN_ERR_FORMAT, "integers without scales",
                 "column");
    ROWS_REFUSED(a.starts.storage.format = STN_F64, STN_ERR_FORMAT, "row_start", "integers");
    ROWS_REFUSED(a.columns.traits = STN_TRAIT_ATOMIC, STN_ERR_UNSUPPORTED, "column", "");
    ROWS_REFUSED(a.value.space = STN_SPACE_DEVICE, STN_ERR_UNSUPPORTED, "value", "device");
    ROWS_REFUSED(a.columns.space = STN_SPACE_DEVICE, STN_ERR_UNSUPPORTED, "column", "device");
    ROWS_REFUSED(wrap(&a.starts, "start", STN_I64, a.start, 0), STN_ERR_SHAPE,
                 "rows is -1; it must not be negative", "mike");
    ROWS_REFUSED(wrap(&a.columns, "column", STN_U64, large, 3), STN_ERR_RANGE, /* beyond i64 */
                 "in row 2, at entry 2", "mike");
    ROWS_REFUSED(a.columns.extent[0] = a.value.extent[0] = huge, STN_ERR_SHAPE, "ends with 3",
                 "mike"); /* nothing is read */
    refuse(wrap_csr_views(&made, "mike", -1, &a.starts, &a.columns, NULL), STN_ERR_SHAPE,
           "columns is -1", "mike");
    refuse(wrap_csr_views(&made, "mike", (int64_t)INT32_MAX + 1, &a.starts, &a.columns, NULL),
           STN_ERR_SHAPE, "2147483648", "mike");
    says(wrap_csr_views(NULL, "mike", 5, &a.starts, &a.columns, &a.value), STN_ERR_ARGUMENT,
         "stn_matrix_wrap_views", "NULL");
    expect_ok(wrap_csr_views(&made, "mike", INT32_MAX, &a.starts, &a.columns, NULL));
    stn_matrix_release(made);
    expect_ok(wrap_csr_views(&made, NULL, 5, &a.starts, &a.columns, &a.value));
    assert_true(made->entries == 3 && made->rows == 3 && made->row_start == a.start);
    stn_matrix_release(made);
}

/* The same by plain arrays. */
UNIT_TEST(test_plain_rows)
{
    static const int64_t wide = (int64_t)INT32_MAX + 1;
    static const struct {
        stn_format format;
        int64_t rows, columns, start[4];
        int32_t column[3];
        int without; /* row_start, column or values; 4: odd values */
        stn_status status;
        const char *text;
    } cases[] = {
        {STN_F64, 3, 5, {1, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_RANGE, "begins with 1"},
        {STN_F64, 3, 5, {-1, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_RANGE, "begins with -1"},
        {STN_F64, 3, 5, {0, 2, 1, 3}, {0, 4, 4}, 0, STN_ERR_RANGE, "after row 1"},
        {STN_F64, 3, 5, {0, -1, 2, 3}, {0, 4, 4}, 0, STN_ERR_RANGE, "after row 0"},
        {STN_F64, 3, 5, {0, 2, 2, INT64_MIN}, {0, 4, 4}, 0, STN_ERR_RANGE, "after row 2"},
        {STN_F64, 3, 5, {0, INT64_MAX, 2, 3}, {0, 4, 4}, 0, STN_ERR_RANGE, "after row 1"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {5, 4, 4}, 0, STN_ERR_RANGE, "5 in row 0"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, -1, 4}, 0, STN_ERR_RANGE, "-1 in row 0"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, 5}, 0, STN_ERR_RANGE, "5 in row 2"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, INT32_MAX}, 0, STN_ERR_RANGE, "2147483647 in row 2"},
        {STN_F64,
         3,
         0,
         {0, 2, 2, 3},
         {0, 4, 4},
         0,
         STN_ERR_RANGE,
         "0 in row 0, at entry 0; there are 0 columns"},
        {STN_F64, -1, 5, {0, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_SHAPE, "-1"},
        {STN_F64, 3, -1, {0, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_SHAPE, "-1"},
        {STN_F64, 3, wide, {0, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_SHAPE, "2147483648"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 1, STN_ERR_ARGUMENT, "row_start is NULL"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 2, STN_ERR_ARGUMENT, "column is NULL"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 3, STN_ERR_ARGUMENT, "values is NULL"},
        {STN_F64, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 4, STN_ERR_ARGUMENT, "aligned to 8"},
        {STN_F16, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 4, STN_ERR_ARGUMENT, "aligned to 2"},
        {-1, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_FORMAT, ""},
        {100000, 3, 5, {0, 2, 2, 3}, {0, 4, 4}, 0, STN_ERR_FORMAT, ""}};
    static const int64_t none[] = {0, 0};
    static double values[4] = {1.0, 2.0, 3.0, 4.0};
    const char *const odd = (const char *)values + 1;
    const stn_storage f64 = stn_storage_of(STN_F64);
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const int without = cases[k].without;
        memset(&made, 0xa5, sizeof made);
        says(wrap_csr(&made, "mike", stn_storage_of(cases[k].format), cases[k].rows,
                      cases[k].columns, without == 1 ? NULL : cases[k].start,
                      without == 2 ? NULL : cases[k].column,
                      without == 3   ? NULL
                      : without == 4 ? odd
                                     : (const void *)values),
             cases[k].status, cases[k].text, cases[k].status == STN_ERR_FORMAT ? "" : "mike");
        assert_null(made);
    }
    expect_error(wrap_csr(NULL, "mike", f64, 1, 5, none, NULL, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(wrap_csr(&made, NULL, f64, 3, 5, NULL, NULL, NULL), STN_ERR_ARGUMENT, NULL);
    expect_ok(wrap_csr(&made, "mike", f64, 1, INT32_MAX, none, NULL, NULL));
    assert_true(made->columns == INT32_MAX && made->entries == 0);
    stn_matrix_release(made);
    expect_ok(wrap_csr(&made, "mike", stn_storage_of(STN_E4M3), 3, 5, cases[11].start,
                       cases[11].column, odd));
    stn_matrix_release(made);
}

/* Real values have any layout, complex ones strides. */
UNIT_TEST(test_layouts_of_values)
{
    static const stn_format formats[] = {STN_F32, STN_C64};
    const int64_t three = 3;
    const stn_layout tiled = stn_layout_tiled(1, (const int64_t[]){2}, STN_LAYOUT_RIGHT);
    set_up();
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        stn_view values;
        expect_ok(stn_view_create_spec(
            NULL, &values,
            &STN_VIEW_SPEC(.label = "values", .storage = stn_storage_of(formats[is_complex]),
                           .layout = &tiled, .rank = 1, .extents = &three)));
        const stn_status status = wrap_csr_views(&made, "mike", 5, &a.starts, &a.columns, &values);
        if (is_complex)
            says(status, STN_ERR_UNSUPPORTED, "no strides", "values");
        else
            expect_ok(status);
        stn_matrix_release(made);
        expect_ok(stn_view_release(&values));
    }
}

/* ---- entries ---- */

static stn_status wrap_entries(int64_t rows, stn_matrix_duplicates duplicates)
{
    return wrap_coo(&made, "mike", rows, 5, &a.rows, &a.columns, &a.value, duplicates);
}

#define ENTRIES_REFUSED(change, status, first, second)                                             \
    REFUSED(change, wrap_entries(3, STN_DUPLICATES_REFUSE), status, first, second)

UNIT_TEST(test_entries)
{
    double x[5] = {1, 2, 3, 4, 5}, y[3] = {7, 8, 9};
    const stn_exec *const exec = order_use(0);
    stn_matrix *coo;
    stn_view xv, yv;
    set_up();
    ENTRIES_REFUSED(a.rows.size = 0, STN_ERR_ARGUMENT, "row is missing", "mike");
    ENTRIES_REFUSED(a.row[1] = 3, STN_ERR_RANGE, "row index 3 at entry 1", "3 rows");
    ENTRIES_REFUSED(a.row[2] = -1, STN_ERR_RANGE, "row index -1 at entry 2", "mike");
    ENTRIES_REFUSED(a.column[2] = 5, STN_ERR_RANGE, "column index 5 in row 2, at entry 2",
                    "5 columns");
    ENTRIES_REFUSED(a.rows.extent[0] = 2, STN_ERR_SHAPE, "row (i32, 2)", "column (i32, 3)");
    refuse(wrap_entries(-3, STN_DUPLICATES_SUM), STN_ERR_SHAPE, "rows is -3", "mike");
    refuse(wrap_entries(3, (stn_matrix_duplicates)3), STN_ERR_ARGUMENT,
           "invalid value 3 of duplicates", "");
    says(wrap_coo(NULL, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_SUM),
         STN_ERR_ARGUMENT, "stn_matrix_wrap_views", "NULL");
    a.row[0] = 2;
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_REFUSE));
    wrap(&xv, "xray", STN_F64, x, 5);
    wrap(&yv, "yankee", STN_F64, y, 3);
    says(stn_spmv(exec, STN_F64, 1, coo, &xv, 0, &yv), STN_ERR_UNSUPPORTED, "are not sorted by row",
         "stn_sparse_convert");
    assert_true(y[0] == 7 && y[2] == 9);
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    expect_ok(stn_spmv(exec, STN_F64, 1, made, &xv, 0, &yv));
    assert_true(y[0] == 2 * 5 && y[1] == 0 && y[2] == 1 * 1 + 3 * 5);
    stn_matrix_release(made);
    stn_matrix_release(coo);
}

/* ---- padded rows ---- */

static stn_status wrap_padded(void)
{
    return wrap_ell(&made, "mike", 5, &a.table, &a.value_table);
}

#define PADDED_REFUSED(change, status, first, second)                                              \
    REFUSED(change, wrap_padded(), status, first, second)

/* Slices of two rows. */
static stn_status wrap_slices(int64_t rows, int64_t height)
{
    stn_view values;
    wrap(&values, "values", STN_F64, a.values, 6);
    return wrap_sell(&made, "mike", rows, 5, height, &a.slices, &a.sorteds, &a.places, &values);
}

#define SLICES_REFUSED(change, status, first, second)                                              \
    REFUSED(change, wrap_slices(3, 2), status, first, second)

UNIT_TEST(test_padded_rows)
{
    static const int32_t good[] = {0, -1, 4, -1, 4, -1};
    set_up();
    PADDED_REFUSED(a.padded[5] = 5, STN_ERR_RANGE, "column index 5 in row 2, at entry 1", "mike");
    PADDED_REFUSED(a.padded[0] = -2, STN_ERR_RANGE, "column index -2 in row 0, at entry 0", "mike");
    PADDED_REFUSED(a.padded[3] = 4, STN_ERR_RANGE,
                   "column index 4 in row 1 at position 1, after the end", "mike");
    PADDED_REFUSED(a.table.rank = 1, STN_ERR_SHAPE, "table", "rank 1");
    PADDED_REFUSED(a.value_table.extent[1] = 1, STN_ERR_SHAPE, "values (f64, 3 x 1)", "table");
    SLICES_REFUSED(a.slice[1] = 3, STN_ERR_RANGE, "slice 1 is 3", "multiple of 2");
    SLICES_REFUSED(a.slice[2] = 2, STN_ERR_RANGE, "descends after slice 1", "mike");
    SLICES_REFUSED(a.slice[2] = 8, STN_ERR_SHAPE, "ends with 8", "places (i32, 6)");
    SLICES_REFUSED(a.sorted[1] = 0, STN_ERR_RANGE, "row_position 0 of row 1", "another row");
    SLICES_REFUSED(a.sorted[1] = 3, STN_ERR_RANGE, "row_position 3 of row 1", "out of range");
    memcpy(a.padded, good, sizeof good);
    SLICES_REFUSED(a.padded[5] = 3, STN_ERR_RANGE, /* of no row */ "column index 3 in row 3",
                   "mike");
    refuse(wrap_slices(3, 0), STN_ERR_ARGUMENT, "height is 0", "mike");
    refuse(wrap_slices(3, INT64_MAX), STN_ERR_ARGUMENT, "height is 9223372036854775807", "mike");
    refuse(wrap_slices(5, 2), STN_ERR_SHAPE, "3 slices", "slice (i64, 3)");
    refuse(wrap_slices(4, 2), STN_ERR_SHAPE, "4 elements", "sorted (i64, 3)");
    expect_ok(wrap_padded());
    assert_true(made->entries == 3 && made->rows == 3);
    stn_matrix_release(made);
    memcpy(a.padded, good, sizeof good);
    expect_ok(wrap_slices(3, 2));
    assert_true(made->entries == 3);
    stn_matrix_release(made);
    stn_fail_allocation(1); /* the inverse of the order of rows */
    const stn_status status = wrap_slices(3, 2);
    stn_fail_allocation(0);
    refuse(status, STN_ERR_MEMORY, "", "");
}

/* ---- sizes that no memory has ---- */

UNIT_TEST(test_great_sizes)
{
    static const int64_t none[2] = {0, 0}, empty[2] = {INT64_MAX, 0};
    int64_t bytes;
    stn_view starts, places, values, table;
    stn_matrix *coo;
    set_up();
    wrap(&values, "values", STN_F64, a.values, 6);
    says(wrap_sell(&made, "mike", INT64_MAX, 5, 1, &a.slices, NULL, &a.places, &values),
         STN_ERR_SHAPE, "9223372036854775807 slices", "mike");
    /* An entry in more rows than there are starts. */
    for (int64_t rows = INT64_MAX; rows > INT64_MAX / 16; rows = rows / 2 + 1) {
        wrap(&places, "rows", STN_I64, a.start, 1);
        wrap(&starts, "columns", STN_I64, a.start, 1);
        expect_ok(wrap_coo(&coo, "mike", rows, 5, &places, &starts, NULL, STN_DUPLICATES_SUM));
        for (int kind = STN_MATRIX_AUTO; kind <= STN_MATRIX_PACKED; kind++) {
            memset(&made, 0xa5, sizeof made);
            expect_error(stn_sparse_convert(NULL, &made, coo, (stn_matrix_kind)kind, NULL),
                         STN_ERR_RANGE, kind == STN_MATRIX_CSR ? "starts of " : NULL);
            assert_null(made);
            assert_true(stn_sparse_bytes(coo, (stn_matrix_kind)kind, STN_F64, &bytes) != STN_OK);
        }
        stn_matrix_release(coo);
    }
    /* Rows without places are not read one by one, which would take half a minute or longer. */
    wrap(&starts, "slices", STN_I64, (void *)(uintptr_t)none, 2);
    wrap(&places, "columns", STN_I32, NULL, 0);
    expect_ok(wrap_sell(&made, "mike", 4, 4, INT32_MAX, &starts, NULL, &places, NULL));
    assert_true(made->entries == 0);
    stn_matrix_release(made);
    expect_ok(stn_view_wrap(&table, "table", stn_storage_of(STN_I32), NULL, 2, empty));
    expect_ok(wrap_ell(&made, "mike", 4, &table, NULL));
    assert_true(made->entries == 0 && made->rows == INT64_MAX);
    stn_matrix_release(made);
}

/* Results that need more memory than there is are refused before anything is allocated; a result
 * that fits needs little more memory than its own. */
UNIT_TEST(test_memory)
{
    static const int64_t start[] = {0, 2};
    static const int32_t column[] = {INT32_MAX - 1, 5}, few_columns[] = {999999, 5};
    static const double value[] = {1, 2};
    const stn_storage f64 = stn_storage_of(STN_F64);
    int64_t rows[] = {0, ((int64_t)1 << 40) - 1};
    stn_view row, columns;
    stn_matrix *wide, *few, *coo;
    set_up();
    expect_ok(wrap_csr(&wide, "mike", f64, 1, INT32_MAX, start, column, value));
    expect_ok(wrap_csr(&few, "mike", f64, 1, 1000000, start, few_columns, value));
    wrap(&row, "row", STN_I64, rows, 2);
    wrap(&columns, "column", STN_I32, (void *)(uintptr_t)few_columns, 2);
    expect_ok(wrap_coo(&coo, "mike", (int64_t)1 << 40, 1000000, &row, &columns, NULL,
                       STN_DUPLICATES_KEEP));
    stn_memory_pretend(8000000);
    refuse(stn_sparse_transpose(NULL, &made, wide), STN_ERR_MEMORY,
           "stn_sparse_transpose: mike: 17179869",
           "bytes of memory are needed; 8000000 are available");
    refuse(stn_sparse_transpose(NULL, &made, few), STN_ERR_MEMORY, "8000", "are needed");
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++)
        refuse(stn_sparse_convert(NULL, &made, coo, kind, NULL), STN_ERR_MEMORY, "mike: 87960930",
               "are needed");
    expect_ok(stn_sparse_sort(NULL, &made, wide)); /* nothing per column */
    assert_true(made->column[0] == 5 && made->column[1] == INT32_MAX - 1);
    assert_true(((const double *)made->values)[0] == 2 && ((const double *)made->values)[1] == 1);
    stn_matrix_release(made);
    stn_memory_pretend(8001000);
    stn_fail_allocation(5); /* after the handle, its label, the owner and the arrays */
    expect_ok(stn_sparse_transpose(NULL, &made, few));
    stn_fail_allocation(0);
    assert_true(made->row_start[6] == 1 && made->row_start[999999] == 1 &&
                made->row_start[1000000] == 2);
    stn_matrix_release(made);
    stn_memory_pretend(-1);
    stn_matrix_release(wide);
    stn_matrix_release(few);
    stn_matrix_release(coo);
}

/* One long row among many. */
UNIT_TEST(test_memory_of_padded_rows)
{
    enum { ROWS = 2000 };
    static int64_t start[ROWS + 1];
    static int32_t column[2 * ROWS];
    static uint8_t value[2 * ROWS];
    stn_matrix *csr;
    set_up();
    for (int r = 0; r < ROWS; r++)
        start[r + 1] = r == 0 ? ROWS : start[r] + 1;
    expect_ok(wrap_csr(&csr, "mike", stn_storage_of(STN_U8), ROWS, ROWS, start, column, value));
    stn_memory_pretend(1e6);
    refuse(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_ELL, NULL), STN_ERR_MEMORY,
           "mike: 20000", "are needed");
    refuse(stn_sparse_convert_sell(NULL, &made, csr, ROWS, 1, NULL), STN_ERR_MEMORY, "mike: 20000",
           "are needed");
    expect_ok(stn_sparse_convert_sell(NULL, &made, csr, 1, 1, NULL));
    stn_matrix_release(made);
    stn_memory_pretend(-1);
    stn_matrix_release(csr);
}

/* ---- operations ---- */

UNIT_TEST(test_scales_of_rows)
{
    stn_matrix *csr, *sliced;
    set_up();
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    expect_ok(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL));
    says(stn_matrix_set_row_scales(NULL, &a.scale), STN_ERR_ARGUMENT, "NULL", "");
    says(stn_matrix_set_row_scales(sliced, &a.scale), STN_ERR_UNSUPPORTED, "slices", "mike");
    a.scales[1] = INFINITY;
    says(stn_matrix_set_row_scales(csr, &a.scale), STN_ERR_RANGE, "scale of row 1 is inf", "mike");
    a.scales[1] = NAN;
    says(stn_matrix_set_row_scales(csr, &a.scale), STN_ERR_RANGE, "scale of row 1", "mike");
    a.scales[1] = 1;
    a.scale.extent[0] = 2;
    says(stn_matrix_set_row_scales(csr, &a.scale), STN_ERR_SHAPE, "3 rows", "scale (f64, 2)");
    a.scale.extent[0] = 3;
    a.scale.storage.format = STN_C32;
    says(stn_matrix_set_row_scales(csr, &a.scale), STN_ERR_FORMAT, "c32", "mike");
    assert_true(csr->scales.size == 0);
    a.scale.storage.format = STN_F64;
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    says(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_SLICED, NULL), STN_ERR_UNSUPPORTED,
         "scales per row", "storage");
    says(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_PACKED, NULL), STN_ERR_UNSUPPORTED,
         "scales per row", "storage");
    assert_null(made);
    expect_ok(stn_matrix_set_row_scales(csr, NULL));
    expect_ok(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_SLICED, NULL));
    stn_matrix_release(made);
    stn_matrix_release(sliced);
    stn_matrix_release(csr);
}

UNIT_TEST(test_conversions)
{
    const stn_storage c64 = stn_storage_of(STN_C64), f64 = stn_storage_of(STN_F64),
                      none = {.scale = 1.0, .format = -1}, unscaled = {.format = STN_F32};
    static const stn_c128 pairs[] = {{1, 2}, {3, 4}, {5, 6}};
    stn_matrix *csr, *complex_one;
    int64_t bytes;
    set_up();
    expect_ok(wrap_csr(&csr, "mike", f64, 3, 5, a.start, a.column, a.values));
    expect_ok(
        wrap_csr(&complex_one, "mike", stn_storage_of(STN_C128), 3, 5, a.start, a.column, pairs));
    const struct {
        const stn_matrix *matrix;
        int kind;
        const stn_storage *storage;
        stn_status status;
        const char *text;
    } cases[] = {{NULL, STN_MATRIX_CSR, NULL, STN_ERR_ARGUMENT, "NULL"},
                 {csr, 7, NULL, STN_ERR_ARGUMENT, "kind is 7"},
                 {csr, -1, NULL, STN_ERR_ARGUMENT, "kind is -1"},
                 {csr, STN_MATRIX_CSR, &c64, STN_ERR_FORMAT, "mike"},
                 {csr, STN_MATRIX_CSR, &none, STN_ERR_FORMAT, ""},
                 {csr, STN_MATRIX_SLICED, &unscaled, STN_ERR_ARGUMENT, "scale"},
                 {complex_one, STN_MATRIX_CSR, &f64, STN_ERR_FORMAT, "complex"}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        refuse(stn_sparse_convert(NULL, &made, cases[k].matrix, (stn_matrix_kind)cases[k].kind,
                                  cases[k].storage),
               cases[k].status, cases[k].text, "");
    refuse(stn_sparse_convert_sell(NULL, &made, csr, 0, 1, NULL), STN_ERR_ARGUMENT, "height is 0",
           "");
    refuse(stn_sparse_convert_sell(NULL, &made, csr, 4, 0, NULL), STN_ERR_ARGUMENT, "sigma is 0",
           "");
    expect_error(stn_sparse_convert_sell(NULL, NULL, csr, 4, 1, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_sparse_convert(NULL, NULL, csr, STN_MATRIX_CSR, NULL), STN_ERR_ARGUMENT, NULL);
    const stn_matrix_kind kind = STN_MATRIX_SLICED;
    expect_error(stn_sparse_bytes(csr, (stn_matrix_kind)7, STN_F64, &bytes), STN_ERR_ARGUMENT,
                 NULL);
    expect_error(stn_sparse_bytes(csr, kind, STN_F64, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_sparse_bytes(NULL, kind, STN_F64, &bytes), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_sparse_bytes(csr, kind, -1, &bytes), STN_ERR_FORMAT, NULL);
    csr->rows = (int64_t)INT32_MAX + 1;
    refuse(stn_sparse_transpose(order_use(1), &made, csr), STN_ERR_SHAPE, "stn_sparse_transpose",
           "mike");
    refuse(stn_sparse_transpose(order_use(1), &made, NULL), STN_ERR_ARGUMENT,
           "stn_sparse_transpose", "NULL");
    says(stn_sparse_transpose(order_use(1), NULL, csr), STN_ERR_ARGUMENT, "stn_sparse_transpose",
         "NULL");
    stn_matrix_release(csr);
    stn_matrix_release(complex_one);
}

RUN_UNIT_TESTS(NULL, release_executors)
