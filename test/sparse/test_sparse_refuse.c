/* What descriptions of views as matrices and products refuse, each with its sentence; what is left
 * when memory ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/available.h"
#include "sparse_arrays.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

static void refuse_csr(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_matrix *csr;
    memset(&csr, 0xa5, sizeof csr);
    says(wrap_csr_views(&csr, "mike", 5, &a->starts, &a->columns, &a->value), wanted, first,
         second);
    assert_null(csr);
    make(a);
}

TEST_CASE(test_compressed_rows)
{
    static const int64_t none = 0, huge = INT64_MAX / 8;
    arrays a;
    stn_matrix *csr;
    make(&a);
    says(wrap_csr_views(NULL, "mike", 5, &a.starts, &a.columns, &a.value), STN_ERR_ARGUMENT,
         "stn_matrix_wrap_views", "NULL");
    says(wrap_csr_views(&csr, "mike", 5, NULL, &a.columns, &a.value), STN_ERR_ARGUMENT,
         "row_start is missing", "mike");
    says(wrap_csr_views(&csr, "mike", 5, &a.starts, NULL, &a.value), STN_ERR_ARGUMENT,
         "column is missing", "mike");
    says(wrap_csr_views(&csr, "mike", -1, &a.starts, &a.columns, NULL), STN_ERR_SHAPE,
         "columns is -1", "mike");
    says(wrap_csr_views(&csr, "mike", (int64_t)INT32_MAX + 1, &a.starts, &a.columns, NULL),
         STN_ERR_SHAPE, "2147483648", "mike");
    expect_ok(wrap_csr_views(&csr, "mike", INT32_MAX, &a.starts, &a.columns, NULL));
    a.start[0] = 1;
    refuse_csr(&a, STN_ERR_RANGE, "mike", "begins with 1");
    a.start[2] = 1;
    refuse_csr(&a, STN_ERR_RANGE, "descends after row 1, to 1", "mike");
    a.start[3] = INT64_MIN;
    refuse_csr(&a, STN_ERR_RANGE, "after row 2", "mike");
    a.start[3] = 4;
    refuse_csr(&a, STN_ERR_SHAPE, "ends with 4", "column (i32, 3)");
    a.start[3] = INT64_MAX;
    refuse_csr(&a, STN_ERR_SHAPE, "ends with 9223372036854775807", "mike");
    a.column[2] = 5;
    refuse_csr(&a, STN_ERR_RANGE, "column index 5 in row 2, at entry 2", "5 columns");
    a.column[1] = -1;
    refuse_csr(&a, STN_ERR_RANGE, "column index -1 in row 0, at entry 1", "mike");
    a.value.extent[0] = 2;
    refuse_csr(&a, STN_ERR_SHAPE, "value (f64, 2)", "column (i32, 3)");
    a.value.rank = 2;
    refuse_csr(&a, STN_ERR_SHAPE, "value", "rank 2");
    a.starts.rank = 0;
    refuse_csr(&a, STN_ERR_SHAPE, "start", "rank 0");
    a.columns.storage.scale = 2.0;
    refuse_csr(&a, STN_ERR_FORMAT, "integers without scales", "column");
    a.starts.storage.format = STN_F64;
    refuse_csr(&a, STN_ERR_FORMAT, "row_start", "integers");
    a.columns.traits = STN_TRAIT_ATOMIC;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "column", "");
    a.value.space = STN_SPACE_DEVICE;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "value", "device");
    a.columns.space = STN_SPACE_DEVICE;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "column", "device");
    wrap(&a.starts, "start", STN_I64, a.start, none);
    refuse_csr(&a, STN_ERR_SHAPE, "rows is -1", "mike");
    a.columns.extent[0] = a.value.extent[0] = huge; /* more than there is: nothing is read */
    refuse_csr(&a, STN_ERR_SHAPE, "ends with 3", "mike");
    expect_ok(wrap_csr_views(&csr, NULL, 5, &a.starts, &a.columns, &a.value));
    assert_true(csr->entries == 3 && csr->rows == 3 && csr->row_start == a.start);
}

/* Real values of any layout, complex ones at strides. */
TEST_CASE(test_layouts_of_values)
{
    const int64_t three = 3;
    const stn_layout tiled = stn_layout_tiled(1, (const int64_t[]){2}, STN_LAYOUT_RIGHT);
    arrays a;
    stn_matrix *csr;
    make(&a);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        stn_view values;
        expect_ok(stn_view_create_spec(
            NULL, &values,
            &STN_VIEW_SPEC(.label = "values",
                           .storage = stn_storage_of(is_complex ? STN_C64 : STN_F32),
                           .layout = &tiled, .rank = 1, .extents = &three)));
        const stn_status status = wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &values);
        if (is_complex)
            says(status, STN_ERR_UNSUPPORTED, "no strides", "values");
        else
            expect_ok(status);
        expect_ok(stn_view_release(&values));
    }
}

/* u64 of 2^63 and more are no rows and no columns. */
TEST_CASE(test_large_indices)
{
    uint64_t large[3] = {0, 4, UINT64_MAX - 3};
    arrays a;
    make(&a);
    wrap(&a.columns, "column", STN_U64, large, 3);
    refuse_csr(&a, STN_ERR_RANGE, "in row 2, at entry 2", "mike");
}

TEST_CASE(test_scales_of_rows)
{
    arrays a;
    stn_matrix *csr, *sliced;
    make(&a);
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    says(stn_matrix_set_row_scales(NULL, &a.scale), STN_ERR_ARGUMENT, "NULL", "");
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
    expect_ok(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL));
    a.scale.storage.format = STN_F64;
    says(stn_matrix_set_row_scales(sliced, &a.scale), STN_ERR_UNSUPPORTED, "slices", "mike");
    stn_matrix_release(sliced);
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    says(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL), STN_ERR_UNSUPPORTED,
         "scales per row", "storage");
    assert_null(sliced);
    expect_ok(stn_matrix_set_row_scales(csr, NULL));
    expect_ok(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL));
    stn_matrix_release(sliced);
}

static void refuse_coo(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_matrix *csr;
    memset(&csr, 0xa5, sizeof csr);
    says(wrap_coo(&csr, "mike", 3, 5, &a->rows, &a->columns, &a->value, STN_DUPLICATES_REFUSE),
         wanted, first, second);
    assert_null(csr);
    make(a);
}

TEST_CASE(test_entries)
{
    double x[5] = {1, 2, 3, 4, 5}, y[3] = {7, 8, 9};
    const stn_exec *const exec = order_use(0);
    stn_view xv, yv;
    stn_matrix *csr, *made;
    arrays a;
    make(&a);
    says(wrap_coo(NULL, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_SUM),
         STN_ERR_ARGUMENT, "stn_matrix_wrap_views", "NULL");
    says(wrap_coo(&csr, "mike", -3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_SUM),
         STN_ERR_SHAPE, "rows is -3", "mike");
    says(wrap_coo(&csr, "mike", 3, 5, &a.rows, &a.columns, &a.value, (stn_matrix_duplicates)3),
         STN_ERR_ARGUMENT, "invalid value 3 of duplicates", "");
    says(wrap_coo(&csr, "mike", 3, 5, NULL, &a.columns, &a.value, STN_DUPLICATES_SUM),
         STN_ERR_ARGUMENT, "row is missing", "mike");
    a.row[1] = 3;
    refuse_coo(&a, STN_ERR_RANGE, "row index 3 at entry 1", "3 rows");
    a.row[2] = -1;
    refuse_coo(&a, STN_ERR_RANGE, "row index -1 at entry 2", "mike");
    a.column[2] = 5;
    refuse_coo(&a, STN_ERR_RANGE, "column index 5 in row 2, at entry 2", "5 columns");
    a.rows.extent[0] = 2;
    refuse_coo(&a, STN_ERR_SHAPE, "row (i32, 2)", "column (i32, 3)");
    a.row[0] = 2;
    expect_ok(wrap_coo(&csr, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_REFUSE));
    wrap(&xv, "xray", STN_F64, x, 5);
    wrap(&yv, "yankee", STN_F64, y, 3);
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_UNSUPPORTED, "are not sorted by row",
         "stn_sparse_convert");
    assert_true(y[0] == 7 && y[2] == 9);
    expect_ok(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_CSR, NULL));
    expect_ok(stn_spmv(exec, STN_F64, 1, made, &xv, 0, &yv));
    assert_true(y[0] == 2 * 5 && y[1] == 0 && y[2] == 1 * 1 + 3 * 5);
    stn_matrix_release(made);
}

static void refuse_ell(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_matrix *csr;
    memset(&csr, 0xa5, sizeof csr);
    says(wrap_ell(&csr, "mike", 5, &a->table, &a->value_table), wanted, first, second);
    assert_null(csr);
    make(a);
}

static void refuse_sell(arrays *a, int64_t rows, int64_t height, stn_status wanted,
                        const char *first, const char *second)
{
    stn_matrix *csr;
    stn_view values;
    wrap(&values, "values", STN_F64, a->values, 6);
    memset(&csr, 0xa5, sizeof csr);
    says(wrap_sell(&csr, "mike", rows, 5, height, &a->slices, &a->sorteds, &a->places, &values),
         wanted, first, second);
    assert_null(csr);
    make(a);
}

TEST_CASE(test_padded_rows)
{
    arrays a;
    stn_matrix *csr;
    make(&a);
    expect_ok(wrap_ell(&csr, "mike", 5, &a.table, &a.value_table));
    assert_true(csr->entries == 3 && csr->rows == 3);
    a.padded[5] = 5;
    refuse_ell(&a, STN_ERR_RANGE, "column index 5 in row 2, at entry 1", "mike");
    a.padded[0] = -2;
    refuse_ell(&a, STN_ERR_RANGE, "column index -2 in row 0, at entry 0", "mike");
    a.padded[3] = 4;
    refuse_ell(&a, STN_ERR_RANGE, "column index 4 in row 1 at position 1, after the end", "mike");
    a.table.rank = 1;
    refuse_ell(&a, STN_ERR_SHAPE, "table", "rank 1");
    a.value_table.extent[1] = 1;
    refuse_ell(&a, STN_ERR_SHAPE, "values (f64, 3 x 1)", "table");

    /* Slices of two rows: places 0 2, 1 3, and row 2 beside nothing. */
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, -1}, sizeof a.padded);
    expect_ok(wrap_sell(&csr, "mike", 3, 5, 2, &a.slices, &a.sorteds, &a.places, NULL));
    assert_true(csr->entries == 3);
    make(&a);
    refuse_sell(&a, 3, 0, STN_ERR_ARGUMENT, "height is 0", "mike");
    refuse_sell(&a, 3, INT64_MAX, STN_ERR_ARGUMENT, "height is 9223372036854775807", "mike");
    refuse_sell(&a, 5, 2, STN_ERR_SHAPE, "3 slices", "slice (i64, 3)");
    refuse_sell(&a, 4, 2, STN_ERR_SHAPE, "4 elements", "sorted (i64, 3)");
    a.slice[1] = 3;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "slice 1 is 3", "multiple of 2");
    a.slice[2] = 2;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "descends after slice 1", "mike");
    a.slice[2] = 8;
    refuse_sell(&a, 3, 2, STN_ERR_SHAPE, "ends with 8", "places (i32, 6)");
    a.sorted[1] = 0;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "row_position 0 of row 1", "another row");
    a.sorted[1] = 3;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "row_position 3 of row 1", "out of range");
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, 3}, sizeof a.padded); /* where no row is */
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "column index 3 in row 3", "mike");
}

/* Sizes that nothing is stored for: refused, or no work. */
TEST_CASE(test_great_sizes)
{
    const int64_t none[2] = {0, 0}, empty[2] = {INT64_MAX, 0};
    int64_t bytes;
    stn_view starts, places, values, table;
    stn_matrix *csr, *made;
    arrays a;
    make(&a);
    wrap(&values, "values", STN_F64, a.values, 6);
    says(wrap_sell(&csr, "mike", INT64_MAX, 5, 1, &a.slices, NULL, &a.places, &values),
         STN_ERR_SHAPE, "9223372036854775807 slices", "mike");

    /* An entry, or none, in rows that no memory has starts for. */
    for (int64_t rows = INT64_MAX; rows > INT64_MAX / 16; rows = rows / 2 + 1) {
        wrap(&places, "rows", STN_I64, a.start, 1);
        wrap(&starts, "columns", STN_I64, a.start, 1);
        expect_ok(wrap_coo(&csr, "mike", rows, 5, &places, &starts, NULL, STN_DUPLICATES_SUM));
        for (int kind = STN_MATRIX_AUTO; kind <= STN_MATRIX_SELL; kind++) {
            memset(&made, 0xa5, sizeof made);
            const stn_status status =
                stn_sparse_convert(NULL, &made, csr, (stn_matrix_kind)kind, NULL);
            assert_int_equal(status, STN_ERR_RANGE);
            assert_null(made);
            assert_true(stn_sparse_bytes(csr, (stn_matrix_kind)kind, STN_F64, &bytes) != STN_OK);
        }
    }
    expect_ok(wrap_coo(&csr, "mike", INT64_MAX, 5, &places, &starts, NULL, STN_DUPLICATES_SUM));
    says(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_CSR, NULL), STN_ERR_RANGE,
         "starts of 9223372036854775807 rows", "mike");

    /* Rows without places are not looked at one by one, which would take half a minute, or ages. */
    wrap(&starts, "slices", STN_I64, (void *)(uintptr_t)none, 2);
    wrap(&places, "columns", STN_I32, NULL, 0);
    expect_ok(wrap_sell(&csr, "mike", 4, 4, INT32_MAX, &starts, NULL, &places, NULL));
    assert_true(csr->entries == 0);
    expect_ok(stn_view_wrap(&table, "table", stn_storage_of(STN_I32), NULL, 2, empty));
    expect_ok(wrap_ell(&csr, "mike", 4, &table, NULL));
    assert_true(csr->entries == 0 && csr->rows == INT64_MAX);
}

/* ---- memory ---- */

/* Results that do not fit the memory available are refused before anything is allocated; a result
 * that fits needs little more memory than its own. */
TEST_CASE(test_memory)
{
    static const int64_t start[] = {0, 2};
    static const int32_t column[] = {INT32_MAX - 1, 5}, few_columns[] = {999999, 5};
    static const double value[] = {1, 2};
    int64_t rows[] = {0, ((int64_t)1 << 40) - 1};
    stn_view row, columns;
    stn_matrix *wide, *few, *coo, *made;
    expect_ok(wrap_csr(&wide, "mike", stn_storage_of(STN_F64), 1, INT32_MAX, start, column, value));
    expect_ok(
        wrap_csr(&few, "mike", stn_storage_of(STN_F64), 1, 1000000, start, few_columns, value));
    wrap(&row, "row", STN_I64, rows, 2);
    wrap(&columns, "column", STN_I32, (void *)(uintptr_t)few_columns, 2);
    expect_ok(wrap_coo(&coo, "mike", (int64_t)1 << 40, 1000000, &row, &columns, NULL,
                       STN_DUPLICATES_KEEP));
    stn_memory_pretend(8000000);
    memset(&made, 0xa5, sizeof made);
    says(stn_sparse_transpose(NULL, &made, wide), STN_ERR_MEMORY,
         "stn_sparse_transpose: mike: 17179869",
         "bytes of memory are needed; 8000000 are available");
    assert_null(made);
    says(stn_sparse_transpose(NULL, &made, few), STN_ERR_MEMORY, "8000", "are needed");
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_SELL; kind++) {
        memset(&made, 0xa5, sizeof made);
        says(stn_sparse_convert(NULL, &made, coo, kind, NULL), STN_ERR_MEMORY, "mike: 87960930",
             "are needed");
        assert_null(made);
    }
    expect_ok(stn_sparse_sort(NULL, &made, wide)); /* nothing per column */
    assert_true(made->column[0] == 5 && made->column[1] == INT32_MAX - 1);
    assert_true(((const double *)made->values)[0] == 2 && ((const double *)made->values)[1] == 1);
    stn_matrix_release(made);
    stn_memory_pretend(8001000);
    stn_fail_allocation(5); /* allocated are the handle, its label, the owner and the arrays */
    expect_ok(stn_sparse_transpose(NULL, &made, few));
    stn_fail_allocation(0);
    assert_true(made->row_start[6] == 1 && made->row_start[999999] == 1 &&
                made->row_start[1000000] == 2);
    stn_matrix_release(made);
    stn_memory_pretend(-1);
}

/* One long row among many. */
TEST_CASE(test_memory_of_padded_rows)
{
    enum { ROWS = 2000 };
    static int64_t start[ROWS + 1];
    static int32_t column[2 * ROWS];
    static const stn_storage u8 = {.format = STN_U8, .scale = 1.0};
    static uint8_t value[2 * ROWS];
    stn_matrix *a, *made;
    for (int r = 0; r < ROWS; r++)
        start[r + 1] = r == 0 ? ROWS : start[r] + 1;
    expect_ok(wrap_csr(&a, "mike", u8, ROWS, ROWS, start, column, value));
    stn_memory_pretend(1e6);
    says(stn_sparse_convert(NULL, &made, a, STN_MATRIX_ELL, NULL), STN_ERR_MEMORY, "mike: 20000",
         "are needed");
    says(stn_sparse_convert_sell(NULL, &made, a, ROWS, 1, NULL), STN_ERR_MEMORY, "mike: 20000",
         "are needed");
    expect_ok(stn_sparse_convert_sell(NULL, &made, a, 1, 1, NULL));
    stn_matrix_release(made);
    stn_memory_pretend(-1);
}

/* ---- products ---- */

TEST_CASE(test_products)
{
    double x[15] = {0}, y[9] = {1, 2, 3};
    const int64_t many[2] = {5, 3}, few[2] = {3, 3};
    const stn_exec *const exec = order_use(0);
    stn_view xv, yv;
    stn_matrix *csr;
    arrays a;
    make(&a);
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    expect_ok(stn_view_wrap(&xv, "xray", stn_storage_of(STN_F64), x, 2, many));
    expect_ok(stn_view_wrap(&yv, "yankee", stn_storage_of(STN_F64), y, 2, few));
    xv.extent[1] = 2;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_SHAPE, "xray (f64, 5 x 2)",
         "yankee (f64, 3 x 3)");
    xv.extent[1] = 3;
    yv.extent[0] = 2;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_SHAPE, "mike (3 x 5)", "");
    yv.extent[0] = 3;
    yv.rank = 1;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_SHAPE, "xray", "rank 2");
    yv.rank = 2;
    yv.stride[1] = 0;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_ALIAS, "repeats", "yankee");
    yv.stride[1] = 1;
    yv.data = a.values;
    yv.extent[1] = xv.extent[1] = 1;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_ALIAS, "the values of mike", "");
    yv.data = a.scales;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_ALIAS, "the scales of mike", "");
    yv.data = a.start;
    says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_ALIAS, "the indices of mike", "");
    assert_true(y[0] == 1 && y[1] == 2 && y[2] == 3);
}

/* ---- memory ---- */

/* Sorted rows are inverted by the wrap. */
TEST_CASE(test_wrap_without_memory)
{
    arrays a;
    stn_matrix *csr;
    make(&a);
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, -1}, sizeof a.padded);
    stn_fail_allocation(1);
    const stn_status status =
        wrap_sell(&csr, "mike", 3, 5, 2, &a.slices, &a.sorteds, &a.places, NULL);
    stn_fail_allocation(0);
    assert_int_equal(status, STN_ERR_MEMORY);
    assert_null(csr);
}

/* Nothing is written before all memory is there. */
TEST_CASE(test_products_without_memory)
{
    enum { N = 300, WIDTH = 11 };
    static double x[2 * N * WIDTH], y[2 * N * WIDTH], before[2 * N * WIDTH];
    static int64_t start[N + 1];
    static int32_t column[N];
    static double value[2 * N];
    const int64_t extents[2] = {N, WIDTH};
    int64_t most = 0;
    for (int64_t k = 0; k < N; k++) {
        start[k + 1] = k + 1;
        column[k] = (int32_t)(N - 1 - k);
    }
    for (int64_t k = 0; k < 2 * N * WIDTH; k++)
        before[k] = (double)k;
    for (int what = 0; what < 3 * order_settings(); what++) {
        const int is_complex = what % 3 == 1, is_sliced = what % 3 == 2;
        const stn_exec *const exec = order_use(what / 3);
        const stn_format numbers = what % 3 == 1 ? STN_C128 : STN_F64;
        stn_view xv, yv;
        stn_matrix *csr, *sliced = NULL;
        expect_ok(wrap_csr(&csr, "mike", stn_storage_of(STN_F64), N, N, start, column, value));
        if (is_sliced)
            expect_ok(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL));
        expect_ok(stn_view_wrap(&xv, "xray", stn_storage_of(numbers), x, 2, extents));
        expect_ok(stn_view_wrap(&yv, "yankee", stn_storage_of(numbers), y, 2, extents));
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            memcpy(y, before, sizeof y);
            stn_fail_allocation(nth);
            const stn_status status = stn_spmv(exec, is_complex ? STN_C128 : STN_F64, 2.0,
                                               is_sliced ? sliced : csr, &xv, 1.0, &yv);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_memory_equal(y, before, sizeof y);
        }
        most = nth > most ? nth : most;
        stn_matrix_release(sliced);
    }
    assert_in_range(most, 3, 19);
}

RUN_TESTS(NULL, release_executors, UNIT(test_compressed_rows), UNIT(test_layouts_of_values),
          UNIT(test_large_indices), UNIT(test_scales_of_rows), UNIT(test_entries),
          UNIT(test_padded_rows), UNIT(test_great_sizes), UNIT(test_memory),
          UNIT(test_memory_of_padded_rows), UNIT(test_products), UNIT(test_wrap_without_memory),
          UNIT(test_products_without_memory))
