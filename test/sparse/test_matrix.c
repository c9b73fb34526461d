/* Handles of sparse matrices: plain arrays and views are wrapped without copies, properties and
 * arrays are read back, and failures leave NULL. */

#include "core/memory.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

enum { ROWS = 3, COLUMNS = 5, ENTRIES = 4 };

static const int32_t start32[ROWS + 1] = {0, 2, 2, 4}, column32[ENTRIES] = {0, 4, 3, 1};
static const int64_t start64[ROWS + 1] = {0, 2, 2, 4}, column64[ENTRIES] = {0, 4, 3, 1};
static const double values[ENTRIES] = {1, 2, 3, 4};
static const double product[ROWS] = {1 * 1 + 2 * 5, 0, 3 * 4 + 4 * 2};

static stn_csr_arrays arrays_of(stn_format starts, stn_format columns)
{
    stn_csr_arrays arrays = STN_CSR_ARRAYS_INIT;
    arrays.label = "mike";
    arrays.rows = ROWS;
    arrays.columns = COLUMNS;
    arrays.row_start = starts == STN_I32 ? (const void *)start32 : start64;
    arrays.row_start_format = starts;
    arrays.column = columns == STN_I32 ? (const void *)column32 : column64;
    arrays.column_format = columns;
    arrays.values = values;
    arrays.storage = stn_storage_of(STN_F64);
    return arrays;
}

static void check_product(const stn_matrix *a)
{
    const int64_t rows = ROWS, columns = COLUMNS;
    double x[COLUMNS] = {1, 2, 3, 4, 5}, y[ROWS];
    stn_exec *exec;
    stn_view xs, ys;
    expect_ok(stn_exec_create(&exec, "reference"));
    expect_ok(stn_view_wrap(&xs, "x", stn_storage_of(STN_F64), x, 1, &columns));
    expect_ok(stn_view_wrap(&ys, "y", stn_storage_of(STN_F64), y, 1, &rows));
    expect_ok(stn_spmv(exec, STN_F64, 1.0, a, &xs, 0.0, &ys));
    assert_memory_equal(y, product, sizeof y);
    stn_exec_release(exec);
}

/* The arrays that the matrix refers to are those of the caller. */
static void check_arrays(const stn_matrix *a, const void *row_start, const void *column)
{
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    expect_ok(stn_matrix_get_views(a, &views));
    assert_ptr_equal(views.row_start.data, row_start);
    assert_ptr_equal(views.column.data, column);
    assert_ptr_equal(views.values.data, values);
    assert_true(views.values.read_only && views.column.read_only);
    assert_int_equal(views.row_start.extent[0], ROWS + 1);
    assert_int_equal(views.column.extent[0], ENTRIES);
}

UNIT_TEST(test_plain_arrays)
{
    static const stn_format formats[] = {STN_I32, STN_I64};
    for (int k = 0; k < 4; k++) {
        const stn_csr_arrays arrays = arrays_of(formats[k % 2], formats[k / 2]);
        stn_matrix *a;
        expect_ok(stn_matrix_wrap_csr(&a, &arrays));
        check_arrays(a, arrays.row_start, arrays.column);
        check_product(a);
        stn_matrix_release(a);
    }
    stn_csr_arrays without_storage = arrays_of(STN_I32, STN_I32);
    memset(&without_storage.storage, 0, sizeof without_storage.storage); /* f64 */
    stn_matrix *a;
    expect_ok(stn_matrix_wrap_csr(&a, &without_storage));
    check_product(a);
    stn_matrix_release(a);
    expect_ok(stn_matrix_wrap_csr_i32(&a, ROWS, COLUMNS, start32, column32, stn_storage_of(STN_F64),
                                      values));
    check_arrays(a, start32, column32);
    check_product(a);
    stn_matrix_release(a);
}

UNIT_TEST(test_refused_arrays)
{
    static const int32_t descending[ROWS + 1] = {0, 2, 1, 4};
    static const int64_t outside[ENTRIES] = {0, 4, 5, 1};
    stn_csr_arrays arrays = arrays_of(STN_I32, STN_I64);
    stn_matrix *a = (stn_matrix *)&arrays;
    expect_error(stn_matrix_wrap_csr(&a, NULL), STN_ERR_ARGUMENT, "NULL");
    assert_null(a);
    expect_error(stn_matrix_wrap_csr(NULL, &arrays), STN_ERR_ARGUMENT, "NULL");
    arrays.row_start_format = STN_F64;
    expect_error(stn_matrix_wrap_csr(&a, &arrays), STN_ERR_FORMAT, "mike: row_start_format is f64");
    arrays = arrays_of(STN_I32, STN_I64);
    arrays.column_format = STN_I16;
    expect_error(stn_matrix_wrap_csr(&a, &arrays), STN_ERR_FORMAT, "mike: column_format is i16");
    arrays = arrays_of(STN_I32, STN_I64);
    arrays.row_start = descending;
    expect_error(stn_matrix_wrap_csr(&a, &arrays), STN_ERR_RANGE,
                 "mike: row_start descends after row");
    arrays = arrays_of(STN_I32, STN_I64);
    arrays.column = outside;
    expect_error(stn_matrix_wrap_csr(&a, &arrays), STN_ERR_RANGE, "column index 5 in row 2");
    arrays = arrays_of(STN_I32, STN_I64);
    arrays.size = 3;
    expect_error(stn_matrix_wrap_csr(&a, &arrays), STN_ERR_ARGUMENT, "stn_matrix_wrap_csr: arrays");
    assert_null(a);
}

/* ---- properties and arrays of all kinds ---- */

static void check_info(const stn_matrix *a, stn_matrix_kind kind)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    int64_t bytes;
    expect_ok(stn_matrix_describe(a, &info));
    expect_ok(stn_sparse_bytes(a, kind, STN_F64, &bytes));
    assert_int_equal(info.kind, kind);
    assert_string_equal(info.label, "mike");
    assert_true(info.rows == ROWS && info.columns == COLUMNS && info.entries == ENTRIES);
    assert_int_equal(info.storage.format, STN_F64);
    assert_int_equal(info.space, STN_SPACE_HOST);
    assert_int_equal(info.height > 0, kind == STN_MATRIX_SELL);
    assert_int_equal(info.bytes > 0, 1);
    if (kind == STN_MATRIX_CSR || kind == STN_MATRIX_COO || kind == STN_MATRIX_SLICED ||
        kind == STN_MATRIX_PACKED)
        assert_int_equal(info.bytes, bytes);
}

/* The arrays of a conversion describe the same matrix when they are wrapped again. */
UNIT_TEST(test_all_kinds)
{
    const stn_csr_arrays arrays = arrays_of(STN_I32, STN_I32);
    stn_matrix *rows;
    expect_ok(stn_matrix_wrap_csr(&rows, &arrays));
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
        stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
        stn_matrix *made, *again;
        expect_ok(stn_sparse_convert(NULL, &made, rows, kind, NULL));
        check_info(made, kind);
        expect_ok(stn_matrix_get_views(made, &views));
        assert_int_equal(views.kind, kind);
        if (kind == STN_MATRIX_SLICED || kind == STN_MATRIX_PACKED) {
            assert_true(views.values.size > 0 && views.column.size == 0);
            expect_error(stn_matrix_wrap_views(&again, &views), STN_ERR_ARGUMENT,
                         kind == STN_MATRIX_SLICED ? "kind is 2" : "kind is 6");
            assert_null(again);
        } else {
            expect_ok(stn_matrix_wrap_views(&again, &views));
            check_info(again, kind);
            check_product(again);
            assert_ptr_equal(again->memory.data, NULL);
        }
        stn_matrix_release(again);
        stn_matrix_release(made);
    }
    stn_matrix_release(rows);
}

UNIT_TEST(test_results_of_operations)
{
    static const int64_t expected[COLUMNS + 1] = {0, 1, 2, 2, 3, 4};
    static const int32_t row[ENTRIES] = {0, 2, 2, 0};
    static const double value[ENTRIES] = {1, 4, 3, 2};
    const stn_csr_arrays arrays = arrays_of(STN_I64, STN_I32);
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    stn_matrix *a, *transposed;
    expect_ok(stn_matrix_wrap_csr(&a, &arrays));
    expect_ok(stn_sparse_transpose(NULL, &transposed, a));
    stn_matrix_release(a); /* the result owns its arrays and its label */
    expect_ok(stn_matrix_get_views(transposed, &views));
    assert_string_equal(views.label, "mike");
    assert_true(views.rows == COLUMNS && views.columns == ROWS);
    assert_memory_equal(views.row_start.data, expected, sizeof expected);
    assert_memory_equal(views.column.data, row, sizeof row);
    assert_memory_equal(views.values.data, value, sizeof value);
    stn_matrix_release(transposed);
}

/* ---- labels, sizes and NULL ---- */

UNIT_TEST(test_labels)
{
    char label[] = "mike";
    stn_csr_arrays arrays = arrays_of(STN_I32, STN_I32);
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix *a;
    arrays.label = label;
    expect_ok(stn_matrix_wrap_csr(&a, &arrays));
    label[0] = 'M';
    expect_ok(stn_matrix_describe(a, &info));
    assert_string_equal(info.label, "mike");
    expect_ok(stn_matrix_set_label(a, "november"));
    expect_ok(stn_matrix_describe(a, &info));
    assert_string_equal(info.label, "november");
    stn_fail_allocation(1);
    expect_error(stn_matrix_set_label(a, "oscar"), STN_ERR_MEMORY, "stn_matrix_set_label");
    stn_fail_allocation(0);
    expect_ok(stn_matrix_set_label(a, NULL));
    expect_ok(stn_matrix_describe(a, &info));
    assert_null(info.label);
    stn_matrix_release(a);
}

UNIT_TEST(test_null)
{
    const stn_csr_arrays arrays = arrays_of(STN_I32, STN_I32);
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    stn_matrix *a;
    expect_ok(stn_matrix_wrap_csr(&a, &arrays));
    expect_error(stn_matrix_describe(NULL, &info), STN_ERR_ARGUMENT, "matrix is NULL");
    expect_error(stn_matrix_describe(a, NULL), STN_ERR_ARGUMENT, "info is NULL");
    expect_error(stn_matrix_get_views(NULL, &views), STN_ERR_ARGUMENT, "matrix is NULL");
    expect_error(stn_matrix_get_views(a, NULL), STN_ERR_ARGUMENT, "views is NULL");
    info.size = 1;
    expect_error(stn_matrix_describe(a, &info), STN_ERR_ARGUMENT, "size is 1");
    views.size = 1;
    expect_error(stn_matrix_get_views(a, &views), STN_ERR_ARGUMENT, "size is 1");
    expect_error(stn_matrix_set_label(NULL, "x"), STN_ERR_ARGUMENT, "NULL");
    stn_matrix_release(a);
    expect_error(stn_matrix_wrap_views(&a, NULL), STN_ERR_ARGUMENT, "views is NULL");
    assert_null(a);
    stn_matrix_release(NULL);
    stn_triangular_release(NULL);
}

/* Views without elements have no memory. */
UNIT_TEST(test_views_without_entries)
{
    static const int32_t starts[ROWS + 1] = {0};
    static double x[COLUMNS] = {1, 2, 3, 4, 5}, y[ROWS] = {7, 8, 9};
    const int64_t rows_1 = ROWS + 1, none = 0, rows = ROWS, columns = COLUMNS;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    views.kind = STN_MATRIX_CSR;
    views.columns = COLUMNS;
    expect_ok(
        stn_view_wrap(&views.row_start, NULL, stn_storage_of(STN_I32), (void *)starts, 1, &rows_1));
    expect_ok(stn_view_wrap(&views.column, NULL, stn_storage_of(STN_I32), NULL, 1, &none));
    expect_ok(stn_view_wrap(&views.values, NULL, stn_storage_of(STN_F64), NULL, 1, &none));
    stn_matrix *a;
    expect_ok(stn_matrix_wrap_views(&a, &views));
    stn_view vx, vy;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "reference"));
    expect_ok(stn_view_wrap(&vx, NULL, stn_storage_of(STN_F64), x, 1, &columns));
    expect_ok(stn_view_wrap(&vy, NULL, stn_storage_of(STN_F64), y, 1, &rows));
    for (int threads = 0; threads < 2; threads++) {
        expect_ok(stn_spmv(exec, STN_F64, 1, a, &vx, 2, &vy));
        stn_exec_release(exec);
        expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    }
    stn_exec_release(exec);
    assert_true(y[0] == 28 && y[1] == 32 && y[2] == 36);
    stn_matrix_release(a);
}

/* A failed allocation leaves NULL, whether of the handle or of the label. */
UNIT_TEST(test_without_memory)
{
    const stn_csr_arrays arrays = arrays_of(STN_I32, STN_I32);
    int64_t nth = 1;
    for (; nth < 10; nth++) {
        stn_matrix *a = (stn_matrix *)(uintptr_t)&arrays;
        stn_fail_allocation(nth);
        const stn_status status = stn_matrix_wrap_csr(&a, &arrays);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            stn_matrix_release(a);
            break;
        }
        expect_error(status, STN_ERR_MEMORY, "stn_matrix_wrap_csr");
        assert_null(a);
    }
    assert_int_equal(nth, 3); /* no index is copied */
}

RUN_UNIT_TESTS(NULL, NULL)
