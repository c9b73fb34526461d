/* STN_MATRIX_PACKED: bits of products and codes for dictionaries of every size of index, rows of
 * every kind of slice, reported bytes, too many distinct values, the choices of
 * stn_sparse_convert and stn_matrix_optimize, values that change, and failing allocations. Products
 * with any storage and layout are compared in test_spmv and test_sparse_complex. */
#include <math.h>
#include <stdio.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "order_oracle.h"
#include "matrix.h"
#include "sparse/kinds/slice.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"
#include "steno/sparse_optimize.h"
#include "check.h"

enum { ROWS = 700, COLUMNS = 70000, MOST = 20000, WIDTH = 3 };

/* How the rows of a matrix look. */
typedef enum shape { STENCIL, NEAR_COLUMNS, DISTANT, UNEVEN, LONG, SHAPES } shape;

static struct {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST], x[COLUMNS * WIDTH], y[ROWS * WIDTH], expected[ROWS * WIDTH];
    stn_matrix *rows, *packed;
} p;

static int64_t draw(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

static int64_t length_of(shape how, int64_t row, uint64_t *state)
{
    if (how == UNEVEN)
        return row / 64 % 2 ? draw(state, 40) : draw(state, 5);
    if (how == LONG)
        return row % 250 == 7 ? 300 + row : draw(state, 6);
    return how == STENCIL ? 5 - (row % 100 == 0) : row % 16 == 3 ? 0 : 9;
}

static int32_t column_of(shape how, int64_t row, int64_t e, uint64_t *state)
{
    static const int32_t offsets[5] = {0, 99, 100, 101, 200};
    const int64_t reach = how == DISTANT ? COLUMNS : how == LONG ? 40000 : 90;
    if (how == STENCIL)
        return (int32_t)row + offsets[e];
    return (int32_t)(how == NEAR_COLUMNS ? row + draw(state, reach) : draw(state, reach));
}

/* Value k of a dictionary. NaN with a payload, -0 and the smallest number are distinct values. */
static double distinct_value(int64_t k)
{
    static const uint64_t special[] = {0x7ff8000000000123u, 0x8000000000000000u, 1};
    double value = 1.0 / (double)(k + 1);
    if (k > 1 && k < 5)
        memcpy(&value, &special[k - 2], sizeof value);
    return value;
}

static void make(shape how, int64_t distinct)
{
    uint64_t state = 17 + (uint64_t)distinct;
    int64_t at = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t count = length_of(how, row, &state);
        for (int64_t e = 0; e < count; e++, at++) {
            p.column[at] = column_of(how, row, e, &state);
            p.value[at] = distinct_value(at < distinct ? at : draw(&state, distinct));
        }
        p.start[row + 1] = at;
    }
    assert_true(at >= distinct && at <= MOST);
    expect_ok(wrap_csr(&p.rows, "mike", stn_storage_of(STN_F64), ROWS, COLUMNS, p.start, p.column,
                       p.value));
}

static void drop(void)
{
    stn_matrix_release(p.packed);
    stn_matrix_release(p.rows);
    p.packed = p.rows = NULL;
}

static void pack(void)
{
    expect_ok(stn_sparse_convert(order_use(1), &p.packed, p.rows, STN_MATRIX_PACKED, NULL));
}

/* ---- products ---- */

static stn_view vectors(stn_format arithmetic, void *data, int64_t rows, int64_t width,
                        int is_by_columns)
{
    const int64_t extents[2] = {rows, width}, by_row[2] = {width, 1}, by_column[2] = {1, rows};
    stn_view view;
    expect_ok(stn_view_wrap_spec(
        &view, &STN_VIEW_SPEC(.label = "v", .storage = stn_storage_of(arithmetic), .data = data,
                              .rank = width == 1 ? 1 : 2, .extents = extents,
                              .strides = is_by_columns ? by_column : by_row)));
    return view;
}

static void multiply(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                     int64_t width, int is_by_columns, void *to)
{
    const stn_view x = vectors(arithmetic, p.x, COLUMNS, width, is_by_columns);
    const stn_view y = vectors(arithmetic, to, ROWS, width, is_by_columns);
    memset(to, 0xff, sizeof p.y);
    expect_ok(stn_spmv(exec, arithmetic, 1.0, a, &x, 0.0, &y));
}

/* NaN may have any payload. */
static void expect_same(stn_format arithmetic, const char *what)
{
    const int is_wide = arithmetic == STN_F64;
    for (int k = 0; k < ROWS * WIDTH; k++) {
        const double is = is_wide ? p.y[k] : (double)((float *)p.y)[k];
        const double wanted = is_wide ? p.expected[k] : (double)((float *)p.expected)[k];
        if (memcmp(&is, &wanted, sizeof is) != 0 && !(isnan(is) && isnan(wanted)))
            fail_msg("%s: element %d is %a, not %a", what, k, is, wanted);
    }
}

/* On the reference executor, and with threads on each instruction set. */
static void check_products(const char *what)
{
    static const int settings[] = {0, 2, 7, 12};
    static const stn_format arithmetics[2] = {STN_F64, STN_F32};
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < COLUMNS * WIDTH; k++)
            if (t == 0)
                p.x[k] = 1.0 + k % 31 * 0.37;
            else
                ((float *)p.x)[k] = 1.0f + (float)(k % 31) * 0.37f;
        for (int64_t width = 1; width <= WIDTH; width += 2)
            for (int is_by_columns = 0; is_by_columns < 2; is_by_columns++) {
                multiply(order_use(0), arithmetics[t], p.rows, width, is_by_columns, p.expected);
                for (int e = 0; e < COUNT_OF(settings) && settings[e] < order_settings(); e++) {
                    multiply(order_use(settings[e]), arithmetics[t], p.packed, width, is_by_columns,
                             p.y);
                    expect_same(arithmetics[t], what);
                }
            }
    }
}

/* The codes and columns of the packed matrix are those of the rows. */
static void check_back(void)
{
    stn_matrix *back;
    expect_ok(stn_sparse_convert(order_use(0), &back, p.packed, STN_MATRIX_CSR, NULL));
    assert_memory_equal(back->row_start, p.start, sizeof p.start);
    assert_memory_equal(back->column, p.column, (size_t)back->entries * sizeof *p.column);
    assert_memory_equal(back->values, p.value, (size_t)back->entries * sizeof *p.value);
    stn_matrix_release(back);
}

static void check_bytes(int64_t distinct)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    int64_t before, after;
    expect_ok(stn_sparse_bytes(p.rows, STN_MATRIX_PACKED, STN_F64, &before));
    expect_ok(stn_sparse_bytes(p.packed, STN_MATRIX_PACKED, STN_F64, &after));
    expect_ok(stn_matrix_describe(p.packed, &info));
    assert_true(info.kind == STN_MATRIX_PACKED && before == info.bytes && after == info.bytes);
    expect_ok(stn_matrix_get_views(p.packed, &views));
    assert_int_equal(views.values.extent[0], distinct);
    assert_memory_equal(views.values.data, p.packed->dictionary, (size_t)distinct * sizeof(double));
}

UNIT_TEST(test_dictionaries)
{
    static const int64_t counts[] = {1, 2, 4, 5, 16, 17, 256, 257, 1500};
    static const int64_t bits[] = {2, 2, 2, 4, 4, 8, 8, 16, 16};
    for (shape how = 0; how < SHAPES; how++)
        for (int k = 0; k < COUNT_OF(counts); k++) {
            char what[64];
            (void)snprintf(what, sizeof what, "shape %d, %d values", (int)how, (int)counts[k]);
            make(how, counts[k]);
            pack();
            assert_int_equal(p.packed->distinct, counts[k]);
            assert_int_equal(p.packed->bits, bits[k]);
            if ((k + (int)how) % 3 == 0)
                check_products(what);
            check_back();
            check_bytes(counts[k]);
            drop();
        }
}

/* Columns of 16 rows within 256 are differences of 8 bits, otherwise of 16 bits, or 32-bit columns.
 */
UNIT_TEST(test_columns)
{
    static const int32_t reach[] = {255, 256, 65535, 65536};
    static const stn_slice_run runs[] = {STN_SLICE_BYTES, STN_SLICE_NEAR, STN_SLICE_NEAR,
                                         STN_SLICE_FAR};
    for (int k = 0; k < COUNT_OF(reach); k++) {
        for (int64_t row = 0; row < ROWS; row++) {
            p.start[row + 1] = row + 1;
            p.column[row] = 3 + (int32_t)(row % 16 == 5 ? 0 : row % 16 == 6 ? reach[k] : row % 200);
            p.value[row] = 2.0;
        }
        expect_ok(wrap_csr(&p.rows, "mike", stn_storage_of(STN_F64), ROWS, COLUMNS, p.start,
                           p.column, p.value));
        pack();
        const int32_t *const word = p.packed->slice_word;
        assert_int_equal(word[0], STN_SLICE_MIXED + 4);
        assert_int_equal(word[1] % 4, runs[k]);
        check_products("columns");
        check_back();
        check_bytes(1);
        drop();
    }
}

/* ---- too many values ---- */

enum { MANY = 65537 };

static stn_matrix *many_values(int64_t distinct)
{
    static int64_t start[MANY + 1];
    static int32_t column[MANY];
    static double value[MANY];
    stn_matrix *a;
    for (int k = 0; k < MANY; k++) {
        start[k + 1] = k + 1;
        value[k] = (double)(k % distinct);
    }
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), MANY, 1, start, column, value));
    return a;
}

UNIT_TEST(test_too_many_values)
{
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
    const stn_storage f16 = stn_storage_of(STN_F16);
    stn_matrix *a = many_values(MANY), *made;
    int64_t bytes;
    expect_error(stn_sparse_convert(NULL, &made, a, STN_MATRIX_PACKED, NULL), STN_ERR_UNSUPPORTED,
                 "mike has more than 65536 distinct values");
    assert_null(made);
    expect_error(stn_sparse_bytes(a, STN_MATRIX_PACKED, STN_F64, &bytes), STN_ERR_UNSUPPORTED,
                 "65536 distinct values");
    options.kind = STN_MATRIX_PACKED;
    expect_error(stn_matrix_optimize(order_use(1), STN_F64, a, 10, &options, &report),
                 STN_ERR_UNSUPPORTED, "65536 distinct values");
    options.kind = STN_MATRIX_AUTO;
    options.method = STN_OPTIMIZE_MODEL;
    expect_ok(stn_matrix_optimize(order_use(1), STN_F64, a, 1000000, &options, &report));
    assert_true(report.kind != STN_MATRIX_PACKED);
    expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_PACKED, &f16));
    assert_true(made->distinct < MANY && made->storage.format == STN_F16);
    expect_ok(stn_sparse_bytes(a, STN_MATRIX_PACKED, STN_F16, &bytes));
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    expect_ok(stn_matrix_describe(made, &info));
    assert_int_equal(bytes, info.bytes);
    stn_matrix_release(made);
    stn_matrix_release(a);
    a = many_values(MANY - 1);
    expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_PACKED, NULL));
    assert_true(made->distinct == 65536 && made->bits == 16);
    stn_matrix_release(made);
    stn_matrix_release(a);
}

/* ---- choices ---- */

/* Five points on a grid: the coefficients are constant, or all values differ. */
static stn_matrix *grid(int64_t edge, int is_constant)
{
    static int64_t start[90001];
    static int32_t column[450000];
    static double value[450000];
    const int64_t rows = edge * edge;
    int64_t at = 0;
    stn_matrix *a;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t near[5] = {-edge, -1, 0, 1, edge};
        for (int k = 0; k < 5; k++)
            if (row + near[k] >= 0 && row + near[k] < rows) {
                column[at] = (int32_t)(row + near[k]);
                value[at] = is_constant ? (k == 2 ? 4.0 : -1.0) : 1.0 / (double)(at + 1);
                at++;
            }
        start[row + 1] = at;
    }
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), rows, rows, start, column, value));
    return a;
}

UNIT_TEST(test_conversions_choose)
{
    for (int is_constant = 0; is_constant < 2; is_constant++) {
        stn_matrix *const a = grid(100, is_constant), *made;
        stn_matrix_info info = STN_MATRIX_INFO_INIT;
        int64_t bytes;
        expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_AUTO, NULL));
        assert_int_equal(made->kind, is_constant ? STN_MATRIX_PACKED : STN_MATRIX_SLICED);
        expect_ok(stn_sparse_bytes(a, STN_MATRIX_AUTO, STN_F64, &bytes));
        expect_ok(stn_matrix_describe(made, &info));
        assert_int_equal(bytes, info.bytes);
        stn_matrix_release(made);
        stn_matrix_release(a);
    }
}

/* From memory, packed slices of constant coefficients are estimated to be faster than slices. */
UNIT_TEST(test_optimize_chooses)
{
    const stn_exec *const exec = order_use(order_settings() - 1);
    if (stn_isa_chosen() == STN_ISA_C)
        skip();
    for (int is_constant = 0; is_constant < 2; is_constant++) {
        stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
        stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
        stn_matrix *const a = grid(300, is_constant);
        options.method = STN_OPTIMIZE_MODEL;
        expect_ok(stn_matrix_optimize(exec, STN_F64, a, 1000000, &options, &report));
        assert_int_equal(report.kind, is_constant ? STN_MATRIX_PACKED : STN_MATRIX_SLICED);
        assert_int_equal(strncmp(report.reason, "packed slices: ", 15) == 0, is_constant);
        stn_matrix_release(a);
    }
}

/* ---- values that change ---- */

/* Scaling in place turns the handle into slices. */
UNIT_TEST(test_scale)
{
    const int64_t columns = COLUMNS;
    stn_matrix *rows, *scaled;
    stn_view by;
    make(UNEVEN, 3);
    pack();
    for (int k = 0; k < COLUMNS; k++)
        p.x[k] = 1.0 + k % 1000;
    expect_ok(stn_view_wrap(&by, "factors", stn_storage_of(STN_F64), p.x, 1, &columns));
    expect_ok(stn_matrix_mirror(NULL, &rows, p.rows));
    expect_ok(stn_sparse_scale(order_use(0), STN_F64, rows, NULL, &by));
    expect_error(stn_sparse_scale(order_use(0), STN_F64, p.packed, &by, NULL), STN_ERR_SHAPE, NULL);
    assert_int_equal(p.packed->kind, STN_MATRIX_PACKED);
    expect_ok(stn_sparse_scale(order_use(0), STN_F64, p.packed, NULL, &by));
    assert_int_equal(p.packed->kind, STN_MATRIX_SLICED);
    assert_string_equal(p.packed->label, "mike");
    expect_ok(stn_sparse_convert(NULL, &scaled, p.packed, STN_MATRIX_CSR, NULL));
    assert_memory_equal(scaled->values, rows->values, (size_t)rows->entries * sizeof(double));
    stn_matrix_release(scaled);
    stn_matrix_release(rows);
    drop();
}

/* A copy whose values become too many is replaced by slices. */
UNIT_TEST(test_update)
{
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    stn_matrix *const a = many_values(1000);
    options.kind = STN_MATRIX_PACKED;
    expect_ok(stn_matrix_optimize(order_use(1), STN_F64, a, 10, &options, NULL));
    ((double *)(uintptr_t)a->values)[3] = 0.5;
    expect_ok(stn_matrix_update_values(order_use(1), a));
    assert_true(a->optimized->kind == STN_MATRIX_PACKED && a->optimized->distinct == 1001);
    for (int k = 0; k < MANY; k++)
        ((double *)(uintptr_t)a->values)[k] = (double)k;
    expect_ok(stn_matrix_update_values(order_use(1), a));
    assert_int_equal(a->optimized->kind, STN_MATRIX_SLICED);
    stn_matrix_release(a);
}

UNIT_TEST(test_row_scales)
{
    const int64_t rows = ROWS;
    stn_view scales;
    make(STENCIL, 2);
    pack();
    for (int k = 0; k < ROWS; k++)
        p.x[k] = 1.0 + k % 3;
    expect_ok(stn_view_wrap(&scales, "scales", stn_storage_of(STN_F64), p.x, 1, &rows));
    expect_error(stn_matrix_set_row_scales(p.packed, &scales), STN_ERR_UNSUPPORTED, "in slices");
    drop();
}

/* ---- memory ---- */

UNIT_TEST(test_out_of_memory)
{
    int failed = 0;
    stn_status status;
    make(UNEVEN, 20);
    do {
        stn_fail_allocation(failed + 1);
        status = stn_sparse_convert(order_use(0), &p.packed, p.rows, STN_MATRIX_PACKED, NULL);
        failed += status == STN_ERR_MEMORY;
    } while (status == STN_ERR_MEMORY);
    stn_fail_allocation(0);
    expect_ok(status);
    assert_true(failed >= 8);
    const stn_view x = vectors(STN_F64, p.x, COLUMNS, 1, 0), y = vectors(STN_F64, p.y, ROWS, 1, 0);
    for (int e = 0; e < order_settings(); e += 7) {
        failed = 0;
        do {
            stn_fail_allocation(failed + 1);
            status = stn_spmv(order_use(e), STN_F64, 1.0, p.packed, &x, 0.0, &y);
            failed += status == STN_ERR_MEMORY;
        } while (status == STN_ERR_MEMORY);
        stn_fail_allocation(0);
        expect_ok(status);
        assert_true(failed >= 1);
    }
    drop();
}

RUN_UNIT_TESTS(NULL, release_executors)
