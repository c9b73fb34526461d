/* What descriptions of views as matrices, conversions and products refuse, each with its sentence;
 * repeated entries; what is left when memory ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "order_oracle.h"
#include "steno/sparse.h"

static void good(stn_status status)
{
    if (status != STN_OK)
        fail_msg("%s", stn_error());
}

static void says(stn_status is, stn_status wanted, const char *first, const char *second)
{
    if (is != wanted)
        fail_msg("%s, not %s: '%s'", stn_status_name(is), stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), first) || !strstr(stn_error(), second))
        fail_msg("'%s' does not say '%s' and '%s'", stn_error(), first, second);
}

/* ---- 3 x 5 with entries (0, 0), (0, 4), (2, 4) ---- */

typedef struct arrays {
    int64_t start[4], slice[3], sorted[3];
    int32_t row[4], column[4], padded[6];
    double values[6], scales[3];
    stn_view starts, slices, sorteds, rows, columns, table, value, value_table, scale, places;
} arrays;

static void wrap(stn_view *view, const char *name, stn_format format, void *data, int64_t count)
{
    good(stn_view_wrap(view, name, stn_storage_of(format), data, 1, &count, NULL));
}

static void make(arrays *a)
{
    static const int64_t table[2] = {3, 2};
    *a = (arrays){.start = {0, 2, 2, 3},
                  .slice = {0, 4, 6},
                  .sorted = {0, 1, 2},
                  .row = {0, 0, 2},
                  .column = {0, 4, 4},
                  .padded = {0, 4, -1, -1, 4, -1},
                  .values = {1, 2, 3, 4, 5, 6},
                  .scales = {1, 2, 3}};
    wrap(&a->starts, "start", STN_I64, a->start, 4);
    wrap(&a->slices, "slice", STN_I64, a->slice, 3);
    wrap(&a->sorteds, "sorted", STN_I64, a->sorted, 3);
    wrap(&a->rows, "row", STN_I32, a->row, 3);
    wrap(&a->columns, "column", STN_I32, a->column, 3);
    wrap(&a->value, "value", STN_F64, a->values, 3);
    wrap(&a->scale, "scale", STN_F64, a->scales, 3);
    wrap(&a->places, "places", STN_I32, a->padded, 6);
    good(stn_view_wrap(&a->table, "table", stn_storage_of(STN_I32), a->padded, 2, table, NULL));
    good(stn_view_wrap(&a->value_table, "values", stn_storage_of(STN_F64), a->values, 2, table,
                       NULL));
}

static void expect_zero(const stn_csr *csr)
{
    static const stn_csr zero;
    assert_memory_equal(csr, &zero, sizeof zero);
}

static void refuse_csr(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_csr csr;
    memset(&csr, 0xa5, sizeof csr);
    says(stn_csr_wrap_views(&csr, "mike", 5, &a->starts, &a->columns, &a->value), wanted, first,
         second);
    expect_zero(&csr);
    make(a);
}

static void test_compressed_rows(void **context)
{
    static const int64_t none = 0, huge = INT64_MAX / 8;
    arrays a;
    stn_csr csr;
    (void)context;
    make(&a);
    says(stn_csr_wrap_views(NULL, "mike", 5, &a.starts, &a.columns, &a.value), STN_ERR_ARGUMENT,
         "stn_csr_wrap_views", "NULL");
    says(stn_csr_wrap_views(&csr, "mike", 5, NULL, &a.columns, &a.value), STN_ERR_ARGUMENT,
         "row_start is NULL", "mike");
    says(stn_csr_wrap_views(&csr, "mike", 5, &a.starts, NULL, &a.value), STN_ERR_ARGUMENT,
         "column is NULL", "mike");
    says(stn_csr_wrap_views(&csr, "mike", -1, &a.starts, &a.columns, NULL), STN_ERR_SHAPE, "3 x -1",
         "mike");
    says(stn_csr_wrap_views(&csr, "mike", (int64_t)INT32_MAX + 1, &a.starts, &a.columns, NULL),
         STN_ERR_SHAPE, "2147483648", "mike");
    good(stn_csr_wrap_views(&csr, "mike", INT32_MAX, &a.starts, &a.columns, NULL));
    a.start[0] = 1;
    refuse_csr(&a, STN_ERR_RANGE, "mike", "begins with 1");
    a.start[2] = 1;
    refuse_csr(&a, STN_ERR_RANGE, "descends behind row 1, to 1", "mike");
    a.start[3] = INT64_MIN;
    refuse_csr(&a, STN_ERR_RANGE, "behind row 2", "mike");
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
    a.columns.traits = STN_ATOMIC;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "column", "");
    a.value.space = STN_SPACE_DEVICE;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "value", "device");
    a.columns.space = STN_SPACE_DEVICE;
    refuse_csr(&a, STN_ERR_UNSUPPORTED, "column", "device");
    memset(&a.value, 0, sizeof a.value);
    refuse_csr(&a, STN_ERR_ARGUMENT, "nothing", "");
    wrap(&a.starts, "start", STN_I64, a.start, none);
    refuse_csr(&a, STN_ERR_SHAPE, "-1 x 5", "mike");
    a.columns.extent[0] = a.value.extent[0] = huge; /* more than there is: nothing is read */
    refuse_csr(&a, STN_ERR_SHAPE, "ends with 3", "mike");
    good(stn_csr_wrap_views(&csr, NULL, 5, &a.starts, &a.columns, &a.value));
    assert_true(csr.entries == 3 && csr.rows == 3 && csr.row_start == a.start);
}

/* Real values of any layout, complex ones at strides. */
static void test_layouts_of_values(void **context)
{
    const int64_t three = 3;
    const stn_layout tiled = stn_layout_tiled(1, (const int64_t[]){2}, STN_LAYOUT_RIGHT);
    arrays a;
    stn_csr csr;
    (void)context;
    make(&a);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        stn_view values;
        good(stn_view_create(NULL, &values, "values",
                             stn_storage_of(is_complex ? STN_C64 : STN_F32), &tiled, 1, &three, 0));
        const stn_status status =
            stn_csr_wrap_views(&csr, "mike", 5, &a.starts, &a.columns, &values);
        if (is_complex)
            says(status, STN_ERR_UNSUPPORTED, "no strides", "values");
        else
            good(status);
        good(stn_view_release(&values));
    }
}

/* u64 of 2^63 and more are no rows and no columns. */
static void test_large_indices(void **context)
{
    uint64_t large[3] = {0, 4, UINT64_MAX - 3};
    arrays a;
    (void)context;
    make(&a);
    wrap(&a.columns, "column", STN_U64, large, 3);
    refuse_csr(&a, STN_ERR_RANGE, "in row 2, at entry 2", "mike");
}

static void test_scales_of_rows(void **context)
{
    arrays a;
    stn_csr csr, sliced;
    (void)context;
    make(&a);
    good(stn_csr_wrap_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    says(stn_csr_scale_rows(NULL, &a.scale), STN_ERR_ARGUMENT, "NULL", "");
    a.scales[1] = INFINITY;
    says(stn_csr_scale_rows(&csr, &a.scale), STN_ERR_RANGE, "scale of row 1 is inf", "mike");
    a.scales[1] = NAN;
    says(stn_csr_scale_rows(&csr, &a.scale), STN_ERR_RANGE, "scale of row 1", "mike");
    a.scales[1] = 1;
    a.scale.extent[0] = 2;
    says(stn_csr_scale_rows(&csr, &a.scale), STN_ERR_SHAPE, "3 rows", "scale (f64, 2)");
    a.scale.extent[0] = 3;
    a.scale.storage.format = STN_C32;
    says(stn_csr_scale_rows(&csr, &a.scale), STN_ERR_FORMAT, "c32", "mike");
    assert_true(csr.scales.size == 0);
    good(stn_sparse_convert(NULL, &sliced, &csr, STN_SPARSE_SLICED, NULL));
    a.scale.storage.format = STN_F64;
    says(stn_csr_scale_rows(&sliced, &a.scale), STN_ERR_UNSUPPORTED, "slices", "mike");
    good(stn_csr_release(&sliced));
    good(stn_csr_scale_rows(&csr, &a.scale));
    says(stn_sparse_convert(NULL, &sliced, &csr, STN_SPARSE_SLICED, NULL), STN_ERR_UNSUPPORTED,
         "scales of rows", "storage");
    expect_zero(&sliced);
    good(stn_csr_scale_rows(&csr, NULL));
    good(stn_sparse_convert(NULL, &sliced, &csr, STN_SPARSE_SLICED, NULL));
    good(stn_csr_release(&sliced));
}

static void refuse_coo(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_csr csr;
    memset(&csr, 0xa5, sizeof csr);
    says(stn_coo_wrap(&csr, "mike", 3, 5, &a->rows, &a->columns, &a->value, STN_SPARSE_REFUSE),
         wanted, first, second);
    expect_zero(&csr);
    make(a);
}

static void test_entries(void **context)
{
    double x[5] = {1, 2, 3, 4, 5}, y[3] = {7, 8, 9};
    const stn_exec *const exec = order_use(0);
    stn_view xv, yv;
    stn_csr csr, made;
    arrays a;
    (void)context;
    make(&a);
    says(stn_coo_wrap(NULL, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_SPARSE_SUM),
         STN_ERR_ARGUMENT, "stn_coo_wrap", "NULL");
    says(stn_coo_wrap(&csr, "mike", -3, 5, &a.rows, &a.columns, &a.value, STN_SPARSE_SUM),
         STN_ERR_SHAPE, "-3 x 5", "mike");
    says(stn_coo_wrap(&csr, "mike", 3, 5, &a.rows, &a.columns, &a.value, (stn_sparse_repeated)3),
         STN_ERR_ARGUMENT, "become 3", "");
    says(stn_coo_wrap(&csr, "mike", 3, 5, NULL, &a.columns, &a.value, STN_SPARSE_SUM),
         STN_ERR_ARGUMENT, "row is NULL", "mike");
    a.row[1] = 3;
    refuse_coo(&a, STN_ERR_RANGE, "row index 3 at entry 1", "3 rows");
    a.row[2] = -1;
    refuse_coo(&a, STN_ERR_RANGE, "row index -1 at entry 2", "mike");
    a.column[2] = 5;
    refuse_coo(&a, STN_ERR_RANGE, "column index 5 in row 2, at entry 2", "5 columns");
    a.rows.extent[0] = 2;
    refuse_coo(&a, STN_ERR_SHAPE, "row (i32, 2)", "column (i32, 3)");
    a.row[0] = 2;
    good(stn_coo_wrap(&csr, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_SPARSE_REFUSE));
    wrap(&xv, "xray", STN_F64, x, 5);
    wrap(&yv, "yankee", STN_F64, y, 3);
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_UNSUPPORTED, "do not ascend",
         "stn_sparse_convert");
    assert_true(y[0] == 7 && y[2] == 9);
    good(stn_sparse_convert(NULL, &made, &csr, STN_SPARSE_CSR, NULL));
    good(stn_spmv(exec, STN_F64, 1, &made, &xv, 0, &yv));
    assert_true(y[0] == 2 * 5 && y[1] == 0 && y[2] == 1 * 1 + 3 * 5);
    good(stn_csr_release(&made));
}

static void refuse_ell(arrays *a, stn_status wanted, const char *first, const char *second)
{
    stn_csr csr;
    memset(&csr, 0xa5, sizeof csr);
    says(stn_ell_wrap(&csr, "mike", 5, &a->table, &a->value_table), wanted, first, second);
    expect_zero(&csr);
    make(a);
}

static void refuse_sell(arrays *a, int64_t rows, int64_t height, stn_status wanted,
                        const char *first, const char *second)
{
    stn_csr csr;
    stn_view values;
    wrap(&values, "values", STN_F64, a->values, 6);
    memset(&csr, 0xa5, sizeof csr);
    says(stn_sell_wrap(&csr, "mike", rows, 5, height, &a->slices, &a->sorteds, &a->places, &values),
         wanted, first, second);
    expect_zero(&csr);
    make(a);
}

static void test_padded_rows(void **context)
{
    arrays a;
    stn_csr csr;
    (void)context;
    make(&a);
    good(stn_ell_wrap(&csr, "mike", 5, &a.table, &a.value_table));
    assert_true(csr.entries == 3 && csr.rows == 3);
    a.padded[5] = 5;
    refuse_ell(&a, STN_ERR_RANGE, "column index 5 in row 2, at entry 1", "mike");
    a.padded[0] = -2;
    refuse_ell(&a, STN_ERR_RANGE, "column index -2 in row 0, at entry 0", "mike");
    a.padded[3] = 4;
    refuse_ell(&a, STN_ERR_RANGE, "column index 4 in row 1, at place 1 behind the end", "mike");
    a.table.rank = 1;
    refuse_ell(&a, STN_ERR_SHAPE, "table", "rank 1");
    a.value_table.extent[1] = 1;
    refuse_ell(&a, STN_ERR_SHAPE, "values (f64, 3 x 1)", "table");

    /* Slices of two rows: places 0 2, 1 3, and row 2 beside nothing. */
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, -1}, sizeof a.padded);
    good(stn_sell_wrap(&csr, "mike", 3, 5, 2, &a.slices, &a.sorteds, &a.places, NULL));
    assert_true(csr.entries == 3);
    make(&a);
    refuse_sell(&a, 3, 0, STN_ERR_ARGUMENT, "slices of 0 rows", "mike");
    refuse_sell(&a, 3, INT64_MAX, STN_ERR_ARGUMENT, "slices of 9223372036854775807 rows", "mike");
    refuse_sell(&a, 5, 2, STN_ERR_SHAPE, "3 slices", "slice (i64, 3)");
    refuse_sell(&a, 4, 2, STN_ERR_SHAPE, "4 rows", "sorted (i64, 3)");
    a.slice[1] = 3;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "slice 1 is 3", "multiple of 2");
    a.slice[2] = 2;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "descends behind slice 1", "mike");
    a.slice[2] = 8;
    refuse_sell(&a, 3, 2, STN_ERR_SHAPE, "ends with 8", "places (i32, 6)");
    a.sorted[1] = 0;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "sorted row 0 of row 1", "another row");
    a.sorted[1] = 3;
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "sorted row 3 of row 1", "not there");
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, 3}, sizeof a.padded); /* where no row is */
    refuse_sell(&a, 3, 2, STN_ERR_RANGE, "column index 3 in row 3", "mike");
}

/* ---- repeated entries: as a table of sums ---- */

static void test_repeated(void **context)
{
    int32_t row[] = {2, 0, 2, 0, 2, 1}, column[] = {1, 3, 0, 3, 1, 4};
    int8_t value[] = {100, 1, 5, -2, 100, 7};
    const int64_t count = 6;
    const stn_storage i16 = stn_storage_of(STN_I16), f64 = stn_storage_of(STN_F64);
    stn_view rows, columns, values;
    stn_csr coo, made;
    (void)context;
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    wrap(&values, "values", STN_I8, value, count);
    good(stn_coo_wrap(&coo, "mike", 3, 5, &rows, &columns, &values, STN_SPARSE_REFUSE));
    says(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_CSR, NULL), STN_ERR_RANGE,
         "entries 1 and 3 are both for row 0 and column 3", "mike");
    expect_zero(&made);
    good(stn_coo_wrap(&coo, "mike", 3, 5, &rows, &columns, &values, STN_SPARSE_SUM));
    good(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_CSR, &i16));
    assert_memory_equal(made.row_start, ((int64_t[]){0, 1, 2, 4}), 4 * sizeof(int64_t));
    assert_memory_equal(made.column, ((int32_t[]){3, 4, 0, 1}), 4 * sizeof(int32_t));
    assert_memory_equal(made.values, ((int16_t[]){-1, 7, 5, 200}), 4 * sizeof(int16_t));
    good(stn_csr_release(&made));
    good(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_ELL, NULL)); /* saturates as stored */
    assert_true(made.entries == 4 && ((const int8_t *)made.codes.data)[2 + 3] == 127);
    good(stn_csr_release(&made));
    values.storage.scale = 0.1; /* no power of two: summed as f64 */
    good(stn_coo_wrap(&coo, "mike", 3, 5, &rows, &columns, &values, STN_SPARSE_SUM));
    good(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_CSR, &f64));
    assert_true(((const double *)made.values)[0] == 1 * 0.1 + -2 * 0.1 && made.entries == 4);
    good(stn_csr_release(&made));
    good(stn_coo_wrap(&coo, "mike", 3, 5, &rows, &columns, NULL, STN_SPARSE_SUM));
    good(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_CSR, NULL)); /* how often each is there */
    assert_memory_equal(made.values, ((uint8_t[]){2, 1, 1, 2}), 4);
    good(stn_csr_release(&made));
}

/* In the order given, which rounds differently from any other. */
static void test_order_of_repeated(void **context)
{
    enum { ENTRIES = 4000 };
    static int64_t row[ENTRIES], column[ENTRIES];
    static double value[ENTRIES], sums[20][30];
    static int there[20][30];
    const int64_t count = ENTRIES;
    uint64_t state = 5;
    stn_view rows, columns, values;
    stn_csr coo, made;
    int64_t places = 0;
    (void)context;
    memset(sums, 0, sizeof sums);
    for (int64_t k = 0; k < count; k++) {
        row[k] = (int64_t)(order_next(&state) % 20);
        column[k] = (int64_t)(order_next(&state) % 30);
        value[k] = ldexp((double)(order_next(&state) % 1000), (int)(order_next(&state) % 60));
        sums[row[k]][column[k]] += value[k];
        places += !there[row[k]][column[k]];
        there[row[k]][column[k]] = 1;
    }
    wrap(&rows, "row", STN_I64, row, count);
    wrap(&columns, "column", STN_I64, column, count);
    wrap(&values, "values", STN_F64, value, count);
    good(stn_coo_wrap(&coo, "mike", 20, 30, &rows, &columns, &values, STN_SPARSE_SUM));
    good(stn_sparse_convert(NULL, &made, &coo, STN_SPARSE_CSR, NULL));
    assert_true(made.entries == places);
    for (int64_t i = 0; i < 20; i++)
        for (int64_t k = made.row_start[i]; k < made.row_start[i + 1]; k++) {
            assert_true(((const double *)made.values)[k] == sums[i][made.column[k]]);
            assert_true(k == made.row_start[i] || made.column[k - 1] < made.column[k]);
        }
    good(stn_csr_release(&made));
}

/* ---- conversions of values, and bytes ---- */

static void test_values_of_conversions(void **context)
{
    const stn_storage f32 = stn_storage_of(STN_F32);
    double block[1] = {0.1};
    const stn_scales scales = {
        .data = block, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}};
    arrays a;
    stn_csr csr, made;
    (void)context;
    make(&a);
    good(stn_view_set_scales(&a.value, &scales));
    good(stn_csr_wrap_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    says(stn_sparse_convert(NULL, &made, &csr, STN_SPARSE_COO, NULL), STN_ERR_UNSUPPORTED,
         "scales of entries", "storage");
    expect_zero(&made);
    good(stn_csr_scale_rows(&csr, &a.scale));
    for (stn_sparse_kind kind = STN_SPARSE_CSR; kind <= STN_SPARSE_SELL; kind++) {
        stn_csr back;
        good(stn_sparse_convert(NULL, &made, &csr, kind, &f32));
        assert_true(made.scales.size == 0);
        good(stn_sparse_convert(NULL, &back, &made, STN_SPARSE_CSR, NULL));
        assert_true(((const float *)back.values)[0] == (float)(1 * 0.1 * 1));
        assert_true(((const float *)back.values)[2] == (float)(3 * 0.1 * 3));
        good(stn_csr_release(&back));
        good(stn_csr_release(&made));
    }
    says(stn_sparse_convert_sell(NULL, &made, &csr, 0, 1, &f32), STN_ERR_ARGUMENT, "0 rows", "");
    says(stn_sparse_convert_sell(NULL, &made, &csr, 4, 0, &f32), STN_ERR_ARGUMENT, "within 0", "");
    says(stn_sparse_convert_sell(NULL, NULL, &csr, 4, 1, &f32), STN_ERR_ARGUMENT, "NULL", "");
}

/* What is told is what each kind has, and AUTO the less of compressed rows and slices. */
static void test_bytes(void **context)
{
    int64_t start[41];
    static int64_t column[40 * 9];
    const int64_t starts = 41;
    uint64_t state = 8;
    (void)context;
    for (int even = 0; even < 2; even++) {
        stn_view rows, columns;
        stn_csr csr;
        int64_t least = INT64_MAX, told;
        start[0] = 0;
        for (int64_t row = 0; row < 40; row++)
            start[row + 1] = start[row] + (even ? 5 : (int64_t)(order_next(&state) % 9));
        const int64_t count = start[40];
        for (int64_t k = 0; k < count; k++)
            column[k] = (int64_t)(order_next(&state) % 1000000);
        wrap(&rows, "start", STN_I64, start, starts);
        wrap(&columns, "column", STN_I64, column, count);
        good(stn_csr_wrap_views(&csr, "mike", 1000000, &rows, &columns, NULL));
        for (stn_sparse_kind kind = STN_SPARSE_CSR; kind <= STN_SPARSE_SELL; kind++) {
            stn_sparse_kind asked = kind;
            stn_csr made;
            int64_t bytes, again;
            good(stn_sparse_bytes(&csr, STN_U8, &asked, &bytes));
            good(stn_sparse_convert(NULL, &made, &csr, kind, NULL));
            good(stn_sparse_bytes(&made, STN_U8, &asked, &again));
            assert_true(asked == kind && again == bytes);
            if (kind == STN_SPARSE_COO)
                assert_true(bytes == count * (4 + 4 + 1));
            if (kind == STN_SPARSE_ELL && even)
                assert_true(bytes == count * (4 + 1));
            if (kind == STN_SPARSE_SELL && even) /* slices of 32 and of 8 rows */
                assert_true(bytes == 64 * 5 * (4 + 1) + 3 * 8 + 40 * 4);
            if (kind <= STN_SPARSE_SLICED)
                least = bytes < least ? bytes : least;
            good(stn_csr_release(&made));
        }
        stn_sparse_kind best = STN_SPARSE_AUTO;
        good(stn_sparse_bytes(&csr, STN_U8, &best, &told));
        assert_true(told == least && (best == STN_SPARSE_CSR || best == STN_SPARSE_SLICED));
    }
}

/* Rows of 1 and of 9 entries in turn: of sigma rows the longest come first, then as they were. */
static void test_sorted_rows(void **context)
{
    int64_t start[65] = {0};
    static int32_t column[64 * 9];
    stn_view rows, columns;
    stn_csr csr, made;
    (void)context;
    for (int64_t row = 0; row < 64; row++)
        start[row + 1] = start[row] + (row % 2 ? 9 : 1);
    wrap(&rows, "start", STN_I64, start, 65);
    wrap(&columns, "column", STN_I32, column, start[64]);
    good(stn_csr_wrap_views(&csr, "mike", 1, &rows, &columns, NULL));
    good(stn_sparse_convert_sell(NULL, &made, &csr, 32, 1000, NULL));
    assert_true(made.height == 32 && made.sigma == 1000 && made.indices.extent[0] == 32 * (9 + 1));
    for (int row = 0; row < 64; row++)
        assert_int_equal(((const int32_t *)made.places.data)[row],
                         row % 2 ? row / 2 : 32 + row / 2);
    good(stn_csr_release(&made));
    good(stn_sparse_convert_sell(NULL, &made, &csr, 32, 1, NULL));
    assert_true(made.places.size == 0 && made.indices.extent[0] == 64 * 9);
    good(stn_csr_release(&made));
}

/* ---- products ---- */

static void test_products(void **context)
{
    double x[15] = {0}, y[9] = {1, 2, 3};
    const int64_t many[2] = {5, 3}, few[2] = {3, 3};
    const stn_exec *const exec = order_use(0);
    stn_view xv, yv;
    stn_csr csr;
    arrays a;
    (void)context;
    make(&a);
    good(stn_csr_wrap_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    good(stn_csr_scale_rows(&csr, &a.scale));
    good(stn_view_wrap(&xv, "xray", stn_storage_of(STN_F64), x, 2, many, NULL));
    good(stn_view_wrap(&yv, "yankee", stn_storage_of(STN_F64), y, 2, few, NULL));
    xv.extent[1] = 2;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_SHAPE, "xray (f64, 5 x 2)",
         "yankee (f64, 3 x 3)");
    xv.extent[1] = 3;
    yv.extent[0] = 2;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_SHAPE, "mike (3 x 5)", "");
    yv.extent[0] = 3;
    yv.rank = 1;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_SHAPE, "xray", "rank 2");
    yv.rank = 2;
    yv.stride[1] = 0;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_ALIAS, "repeats", "yankee");
    yv.stride[1] = 1;
    yv.data = a.values;
    yv.extent[1] = xv.extent[1] = 1;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_ALIAS, "the values of mike", "");
    yv.data = a.scales;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_ALIAS, "the scales of mike", "");
    yv.data = a.start;
    says(stn_spmv(exec, STN_F64, 1, &csr, &xv, 0, &yv), STN_ERR_ALIAS, "the indices of mike", "");
    assert_true(y[0] == 1 && y[1] == 2 && y[2] == 3);
}

/* ---- memory ---- */

typedef stn_status maker(stn_csr *made, const stn_csr *from, int64_t k);

static stn_status to_kind(stn_csr *made, const stn_csr *from, int64_t k)
{
    static stn_storage f16;
    f16 = stn_storage_of(STN_F16);
    return stn_sparse_convert(NULL, made, from, (stn_sparse_kind)(k % 6), k / 6 ? &f16 : NULL);
}

static stn_status to_mirror(stn_csr *made, const stn_csr *from, int64_t k)
{
    (void)k;
    return stn_csr_mirror(NULL, made, from);
}

static void fail_each(maker *call, const stn_csr *from, int64_t k, int64_t least)
{
    int64_t nth = 1;
    for (; nth < 40; nth++) {
        stn_csr made;
        stn_fail_allocation(nth);
        const stn_status status = call(&made, from, k);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            good(stn_csr_release(&made));
            break;
        }
        assert_int_equal(status, STN_ERR_MEMORY);
        expect_zero(&made);
    }
    assert_in_range(nth, least, 39);
}

static void test_no_memory(void **context)
{
    static int32_t row[300], column[300];
    static double value[600];
    const int64_t count = 300, stride = 2;
    uint64_t state = 9;
    stn_view rows, columns, values;
    (void)context;
    for (int64_t k = 0; k < count; k++) {
        row[k] = (int32_t)(k / 6);
        column[k] = (int32_t)(order_next(&state) % 4);
    }
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    good(stn_view_wrap(&values, "values", stn_storage_of(STN_F64), value, 1, &count, &stride));
    for (int repeated = STN_SPARSE_SUM; repeated <= STN_SPARSE_KEEP; repeated++) {
        stn_csr coo;
        good(stn_coo_wrap(&coo, "mike", 50, 4, &rows, &columns, &values,
                          (stn_sparse_repeated)repeated));
        for (int64_t k = 0; k < 12; k++)
            fail_each(to_kind, &coo, k, 5);
        fail_each(to_mirror, &coo, 0, 2);
        for (stn_sparse_kind kind = STN_SPARSE_CSR; kind <= STN_SPARSE_SELL; kind++) {
            stn_csr made;
            good(stn_sparse_convert(NULL, &made, &coo, kind, NULL));
            for (int64_t k = 0; k < 12; k++)
                fail_each(to_kind, &made, k, 2);
            good(stn_csr_release(&made));
        }
    }
}

/* Sorted rows are inverted by the wrap. */
static void test_wrap_without_memory(void **context)
{
    arrays a;
    stn_csr csr;
    (void)context;
    make(&a);
    memcpy(a.padded, (int32_t[]){0, -1, 4, -1, 4, -1}, sizeof a.padded);
    stn_fail_allocation(1);
    const stn_status status =
        stn_sell_wrap(&csr, "mike", 3, 5, 2, &a.slices, &a.sorteds, &a.places, NULL);
    stn_fail_allocation(0);
    assert_int_equal(status, STN_ERR_MEMORY);
    expect_zero(&csr);
}

/* Nothing is written before all memory is there. */
static void test_products_without_memory(void **context)
{
    enum { N = 300, WIDTH = 11 };
    static double x[2 * N * WIDTH], y[2 * N * WIDTH], before[2 * N * WIDTH];
    static int64_t start[N + 1];
    static int32_t column[N];
    static double value[2 * N];
    const int64_t extents[2] = {N, WIDTH};
    int64_t most = 0;
    (void)context;
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
        stn_csr csr, sliced = {0};
        good(stn_csr_wrap(&csr, "mike", stn_storage_of(STN_F64), N, N, start, column, value));
        if (is_sliced)
            good(stn_sparse_convert(NULL, &sliced, &csr, STN_SPARSE_SLICED, NULL));
        good(stn_view_wrap(&xv, "xray", stn_storage_of(numbers), x, 2, extents, NULL));
        good(stn_view_wrap(&yv, "yankee", stn_storage_of(numbers), y, 2, extents, NULL));
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            memcpy(y, before, sizeof y);
            stn_fail_allocation(nth);
            const stn_status status = stn_spmv(exec, is_complex ? STN_C128 : STN_F64, 2.0,
                                               is_sliced ? &sliced : &csr, &xv, 1.0, &yv);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_memory_equal(y, before, sizeof y);
        }
        most = nth > most ? nth : most;
        good(stn_csr_release(&sliced));
    }
    assert_in_range(most, 3, 19);
}

static int release(void **context)
{
    (void)context;
    order_release_executors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressed_rows),
        cmocka_unit_test(test_layouts_of_values),
        cmocka_unit_test(test_large_indices),
        cmocka_unit_test(test_scales_of_rows),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_padded_rows),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_order_of_repeated),
        cmocka_unit_test(test_values_of_conversions),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_sorted_rows),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_wrap_without_memory),
        cmocka_unit_test(test_products_without_memory),
    };
    return cmocka_run_group_tests_name("sparse_refuse", tests, NULL, release);
}
