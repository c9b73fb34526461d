/* stn_matrix_optimize and stn_matrix_update_values: decisions by the model with their reasons,
 * sizes, refused arguments, copies that are discarded and created again, timed products, and
 * failing allocations. Bits of products with copies are compared in test_spmv and
 * test_sparse_complex. */
#include <stdio.h>

#include "measure/openmp.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "sparse_arrays.h"
#include "steno/sparse_optimize.h"

enum { EDGE = 24, ROWS = EDGE * EDGE * EDGE, ENTRIES = 7 * ROWS };

/* ---- the 7-point matrix of a cube ---- */

static struct {
    int64_t start[ROWS + 1];
    int32_t column[ENTRIES];
    double value[ENTRIES], x[ROWS], y[ROWS], expected[ROWS];
    stn_view xv, yv;
    stn_exec *exec;
    stn_matrix *a;
    stn_optimize_options options;
    stn_optimize_report report;
} o;

static void fill_row(int row)
{
    const int x = row % EDGE, y = row / EDGE % EDGE, z = row / EDGE / EDGE;
    const int offsets[7] = {z > 0 ? -EDGE * EDGE : 0,
                            y > 0 ? -EDGE : 0,
                            x > 0 ? -1 : 0,
                            0,
                            x < EDGE - 1 ? 1 : 0,
                            y < EDGE - 1 ? EDGE : 0,
                            z < EDGE - 1 ? EDGE * EDGE : 0};
    int64_t at = o.start[row];
    for (int k = 0; k < 7; k++)
        if (offsets[k] != 0 || k == 3) {
            o.column[at] = row + offsets[k];
            o.value[at++] = 1.0 / (row + k + 1);
        }
    o.start[row + 1] = at;
}

static void multiply(void)
{
    memset(o.y, 0xff, sizeof o.y);
    expect_ok(stn_spmv(o.exec, STN_F64, 1.0, o.a, &o.xv, 0.0, &o.yv));
}

static void expect_product(void)
{
    multiply();
    assert_memory_equal(o.y, o.expected, sizeof o.y);
}

static int set_up(void **unused)
{
    const int64_t rows = ROWS;
    (void)unused;
    for (int row = 0; row < ROWS; row++) {
        fill_row(row);
        o.x[row] = 1.0 + row % 13;
    }
    expect_ok(stn_exec_create(&o.exec, "threads:threads=2"));
    expect_ok(stn_view_wrap(&o.xv, "x", stn_storage_of(STN_F64), o.x, 1, &rows));
    expect_ok(stn_view_wrap(&o.yv, "y", stn_storage_of(STN_F64), o.y, 1, &rows));
    return 0;
}

static int tear_down(void **unused)
{
    stn_exec_release(o.exec);
    return release_executors(unused);
}

/* A matrix over the arrays, decided by the model. */
static int begin(void **unused)
{
    (void)unused;
    expect_ok(
        wrap_csr(&o.a, "mike", stn_storage_of(STN_F64), ROWS, ROWS, o.start, o.column, o.value));
    o.options = (stn_optimize_options)STN_OPTIMIZE_OPTIONS_INIT;
    o.options.method = STN_OPTIMIZE_MODEL;
    o.report = (stn_optimize_report)STN_OPTIMIZE_REPORT_INIT;
    multiply();
    memcpy(o.expected, o.y, sizeof o.y);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    stn_matrix_release(o.a);
    o.a = NULL;
    return 0;
}

/* In portable C, slices are slower than compressed rows. */
static void need_loops(void)
{
    if (stn_isa_chosen() == STN_ISA_C)
        skip();
}

static void optimize(stn_matrix *a, int64_t products)
{
    expect_ok(stn_matrix_optimize(o.exec, STN_F64, a, products, &o.options, &o.report));
}

static void expect_reason(const char *text)
{
    if (!strstr(o.report.reason, text))
        fail_msg("'%s' does not contain '%s'", o.report.reason, text);
}

/* ---- decisions ---- */

UNIT_TEST_WITH(test_model, begin, end)
{
    need_loops();
    optimize(o.a, 1000000);
    expect_reason("slices: ");
    expect_reason("(estimated); ");
    assert_int_equal(o.report.kind, STN_MATRIX_SLICED);
    assert_int_equal(o.report.other_kind, STN_MATRIX_SLICED);
    assert_true(o.report.bytes > 0 && !o.report.is_timed);
    assert_true(o.report.other_seconds > 0.0 &&
                o.report.other_seconds < o.report.original_seconds &&
                o.report.conversion_seconds > 0.0);
    expect_product();
    const stn_optimize_report before = o.report;
    optimize(o.a, 1000000); /* reproducible */
    assert_memory_equal(&before, &o.report, sizeof before);
    expect_product();
    assert_int_equal(o.a->kind, STN_MATRIX_CSR);
}

UNIT_TEST_WITH(test_portable, begin, end)
{
    const stn_isa isa = stn_isa_chosen();
    expect_ok(stn_isa_use(STN_ISA_C));
    optimize(o.a, 1000000);
    expect_ok(stn_isa_use(isa));
    expect_reason("compressed rows, unchanged: slices take ");
    assert_int_equal(o.report.bytes, 0);
}

UNIT_TEST_WITH(test_few_products, begin, end)
{
    static const struct {
        int64_t products;
        const char *reason;
    } cases[] = {{0, "compressed rows, unchanged: no products are expected"},
                 {1, "compressed rows, unchanged: 1 products take less time than any conversion"},
                 {4, "compressed rows, unchanged: 4 products with slices gain "}};
    need_loops();
    for (int k = 0; k < COUNT_OF(cases); k++) {
        optimize(o.a, 1000000);
        optimize(o.a, cases[k].products);
        expect_reason(cases[k].reason);
        assert_int_equal(o.report.kind, STN_MATRIX_CSR);
        assert_true(o.report.bytes == 0 && o.a->optimized == NULL);
        expect_product();
    }
}

/* Matrices without another kind. */
UNIT_TEST_WITH(test_no_kind, begin, end)
{
    static const int64_t rows = ROWS, none[ROWS + 1];
    stn_exec *reference;
    stn_matrix *empty;
    stn_view scales;
    expect_ok(stn_view_wrap_const(&scales, "scales", stn_storage_of(STN_F64), o.x, 1, &rows));
    expect_ok(stn_matrix_set_row_scales(o.a, &scales));
    optimize(o.a, 1000000);
    expect_reason("slices have no scales of rows");
    expect_ok(stn_matrix_set_row_scales(o.a, NULL));
    expect_ok(stn_exec_create(&reference, "reference"));
    expect_ok(stn_matrix_optimize(reference, STN_F64, o.a, 1000000, NULL, &o.report));
    expect_reason("the reference executor");
    stn_exec_release(reference);
    expect_ok(
        wrap_csr(&empty, "mike", stn_storage_of(STN_F64), ROWS, ROWS, none, o.column, o.value));
    optimize(empty, 1000000);
    expect_reason("the matrix has no entries");
    stn_matrix_release(empty);
}

/* STN_MATRIX_AUTO of conversions: slices for stencils; compressed rows for rows of 30 distant
 * columns, which would take fewer bytes in slices. */
UNIT_TEST_WITH(test_automatic_kind, begin, end)
{
    enum { HEIGHT = 64, WIDTH = 30, COLUMNS = 50000 };
    static int64_t start[HEIGHT + 1];
    static int32_t column[HEIGHT * WIDTH];
    int64_t sliced, compressed;
    stn_matrix *distant, *made;
    expect_ok(stn_sparse_convert(NULL, &made, o.a, STN_MATRIX_AUTO, NULL));
    assert_int_equal(made->kind, STN_MATRIX_SLICED);
    stn_matrix_release(made);
    for (int row = 0; row < HEIGHT; row++) {
        start[row + 1] = start[row] + WIDTH;
        for (int k = 0; k < WIDTH; k++)
            column[row * WIDTH + k] = (row * 7919 + k * 1597 + row * k * 31) % COLUMNS;
    }
    expect_ok(wrap_csr(&distant, "mike", stn_storage_of(STN_F64), HEIGHT, COLUMNS, start, column,
                       o.value));
    expect_ok(stn_sparse_bytes(distant, STN_MATRIX_SLICED, STN_F64, &sliced));
    expect_ok(stn_sparse_bytes(distant, STN_MATRIX_CSR, STN_F64, &compressed));
    assert_true(sliced < compressed);
    expect_ok(stn_sparse_convert(NULL, &made, distant, STN_MATRIX_AUTO, NULL));
    assert_int_equal(made->kind, STN_MATRIX_CSR);
    stn_matrix_release(made);
    stn_matrix_release(distant);
}

/* Sources of other kinds; other_kind is one of both fast kinds. */
UNIT_TEST_WITH(test_sources, begin, end)
{
    need_loops();
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
        stn_matrix *const rows = o.a;
        expect_ok(stn_sparse_convert(NULL, &o.a, rows, kind, NULL));
        optimize(o.a, 1000000);
        const int is_fast = kind == STN_MATRIX_SLICED;
        assert_int_equal(o.report.kind, STN_MATRIX_SLICED);
        assert_true(is_fast ? o.report.bytes == 0 : o.report.bytes > 0);
        assert_int_equal(o.report.other_kind, is_fast ? STN_MATRIX_CSR : STN_MATRIX_SLICED);
        expect_product();
        stn_matrix_release(o.a);
        o.a = rows;
    }
}

UNIT_TEST_WITH(test_max_bytes, begin, end)
{
    int64_t bytes;
    need_loops();
    expect_ok(stn_sparse_bytes(o.a, STN_MATRIX_SLICED, STN_F64, &bytes));
    o.options.max_bytes = bytes - 1;
    optimize(o.a, 1000000);
    expect_reason("compressed rows, unchanged: slices take ");
    expect_reason("more than max_bytes");
    assert_int_equal(o.report.bytes, 0);
    o.options.kind = STN_MATRIX_SLICED;
    expect_error(stn_matrix_optimize(o.exec, STN_F64, o.a, 1, &o.options, &o.report), STN_ERR_RANGE,
                 "more than max_bytes");
    o.options.max_bytes = bytes;
    optimize(o.a, 1);
    expect_reason("slices: requested by the options");
    assert_int_equal(o.report.bytes, bytes);
    expect_product();
}

/* The decision agrees with the times. */
UNIT_TEST_WITH(test_timed, begin, end)
{
    need_loops();
    o.options.method = STN_OPTIMIZE_TIMED;
    optimize(o.a, 1000000);
    assert_true(o.report.is_timed);
    assert_true(o.report.original_seconds > 0.0 && o.report.conversion_seconds > 0.0);
    assert_int_equal(o.report.kind == STN_MATRIX_SLICED,
                     o.report.other_seconds < o.report.original_seconds / 1.03);
    assert_int_equal(o.report.bytes > 0, o.report.kind == STN_MATRIX_SLICED);
    expect_reason("(timed)");
    expect_product();
}

/* ---- values, scales and labels that change ---- */

/* Copies of every kind, of matrices with 64-bit and 32-bit row starts; the copy is updated. */
UNIT_TEST_WITH(test_changed_values, begin, end)
{
    static int32_t narrow_start[ROWS + 1];
    for (int row = 0; row <= ROWS; row++)
        narrow_start[row] = (int32_t)o.start[row];
    for (int k = 0; k < 2 * STN_MATRIX_PACKED; k++) {
        end(NULL);
        begin(NULL);
        if (k % 2) {
            stn_matrix_release(o.a);
            expect_ok(stn_matrix_wrap_csr_i32(&o.a, ROWS, ROWS, narrow_start, o.column,
                                              stn_storage_of(STN_F64), o.value));
        }
        o.options.kind = (stn_matrix_kind)(1 + k / 2);
        optimize(o.a, 1);
        for (int64_t n = 0; n < ENTRIES; n++)
            o.value[n] *= 2.0;
        expect_product();
        expect_ok(stn_matrix_update_values(o.exec, o.a));
        assert_int_equal(o.a->optimized->kind, o.options.kind);
        for (int row = 0; row < ROWS; row++)
            o.expected[row] *= 2.0;
        expect_product();
    }
    optimize(o.a, 0);
    expect_ok(stn_matrix_update_values(o.exec, o.a)); /* no copy */
    assert_null(o.a->optimized);
    expect_product();
    for (int row = 0; row < ROWS; row++)
        fill_row(row);
}

/* Rows of different lengths, some of which slices store consecutively. */
UNIT_TEST(test_changed_values_of_uneven_rows)
{
    enum { UNEVEN = 100, MOST = 60 };
    static int64_t start[UNEVEN + 1];
    static int32_t column[UNEVEN * MOST];
    static uint16_t code[UNEVEN * MOST];
    const int64_t rows = UNEVEN;
    static double x[UNEVEN], expected[UNEVEN], y[UNEVEN];
    stn_matrix *a;
    stn_view xv, yv;
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    options.kind = STN_MATRIX_SLICED;
    for (int64_t row = 0; row < UNEVEN; row++) {
        const int64_t count = row < 48 ? row * 37 % MOST : 3;
        start[row + 1] = start[row] + count;
        for (int64_t k = start[row]; k < start[row + 1]; k++) {
            column[k] = (int32_t)((k * 7 + row) % UNEVEN);
            code[k] = (uint16_t)(k % 500);
        }
        x[row] = (double)(row + 1);
    }
    expect_ok(stn_view_wrap(&xv, "x", stn_storage_of(STN_F64), x, 1, &rows));
    expect_ok(stn_view_wrap(&yv, "y", stn_storage_of(STN_F64), y, 1, &rows));
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_U16), UNEVEN, UNEVEN, start, column, code));
    expect_ok(stn_matrix_optimize(o.exec, STN_F64, a, 1, &options, NULL));
    for (int k = 0; k < UNEVEN * MOST; k++)
        code[k] = (uint16_t)(3 * code[k] + 1);
    expect_ok(stn_matrix_update_values(o.exec, a));
    expect_ok(stn_spmv(o.exec, STN_F64, 1.0, a, &xv, 0.0, &yv));
    memcpy(expected, y, sizeof y);
    expect_ok(stn_matrix_optimize(o.exec, STN_F64, a, 0, NULL, NULL));
    expect_ok(stn_spmv(o.exec, STN_F64, 1.0, a, &xv, 0.0, &yv));
    assert_memory_equal(y, expected, sizeof y);
    stn_matrix_release(a);
}

UNIT_TEST_WITH(test_scaled, begin, end)
{
    static const int64_t rows = ROWS;
    static double twos[ROWS];
    stn_matrix *const wrapped = o.a;
    stn_view scales;
    for (int row = 0; row < ROWS; row++) {
        twos[row] = 2.0;
        o.expected[row] *= 2.0;
    }
    expect_ok(stn_view_wrap(&scales, "scales", stn_storage_of(STN_F64), twos, 1, &rows));
    optimize(o.a, 1000000);
    expect_ok(stn_matrix_set_row_scales(o.a, &scales));
    assert_null(o.a->optimized);
    expect_product();
    expect_ok(stn_matrix_set_row_scales(o.a, NULL));
    expect_ok(stn_matrix_mirror(NULL, &o.a, wrapped)); /* writable */
    optimize(o.a, 1000000);
    expect_ok(stn_sparse_scale(o.exec, STN_F64, o.a, &scales, NULL));
    assert_null(o.a->optimized);
    expect_product();
    stn_matrix_release(o.a);
    o.a = wrapped;
}

/* Matrices created from an optimized one have no copy, and labels are those of the matrix. */
UNIT_TEST_WITH(test_copies_of_the_matrix, begin, end)
{
    stn_matrix *mirror, *sliced;
    need_loops();
    optimize(o.a, 1000000);
    expect_ok(stn_matrix_mirror(NULL, &mirror, o.a));
    expect_ok(stn_sparse_convert(NULL, &sliced, o.a, STN_MATRIX_SLICED, NULL));
    assert_true(mirror->optimized == NULL && sliced->optimized == NULL);
    assert_int_equal(mirror->kind, STN_MATRIX_CSR);
    stn_matrix_release(mirror);
    stn_matrix_release(sliced);
    expect_ok(stn_matrix_set_label(o.a, "november"));
    assert_string_equal(o.a->optimized->label, "november");
    expect_product();
}

/* ---- residuals, complex vectors ---- */

UNIT_TEST_WITH(test_residual, begin, end)
{
    static double r[ROWS], expected[ROWS];
    const int64_t rows = ROWS;
    stn_view rv;
    expect_ok(stn_view_wrap(&rv, "r", stn_storage_of(STN_F64), r, 1, &rows));
    expect_ok(stn_sparse_residual(o.exec, STN_F64, &rv, &o.xv, o.a, &o.xv));
    memcpy(expected, r, sizeof r);
    memset(r, 0xff, sizeof r);
    optimize(o.a, 1000000);
    expect_ok(stn_sparse_residual(o.exec, STN_F64, &rv, &o.xv, o.a, &o.xv));
    assert_memory_equal(r, expected, sizeof r);
}

/* ---- refusals ---- */

UNIT_TEST_WITH(test_refused, begin, end)
{
    stn_matrix *pairs;
    const struct {
        int kind, method;
        int64_t max_bytes, products;
        stn_format arithmetic;
        stn_status status;
        const char *text;
    } cases[] = {
        {7, 0, 0, 1, STN_F64, STN_ERR_ARGUMENT, "kind is 7; it must be STN_MATRIX_AUTO (0)"},
        {-1, 0, 0, 1, STN_F64, STN_ERR_ARGUMENT, "kind is -1"},
        {0, 2, 0, 1, STN_F64, STN_ERR_ARGUMENT, "method is 2; it must be STN_OPTIMIZE_TIMED"},
        {0, -1, 0, 1, STN_F64, STN_ERR_ARGUMENT, "method is -1"},
        {0, 0, -1, 1, STN_F64, STN_ERR_ARGUMENT, "max_bytes is -1; it must be at least 0"},
        {0, 0, 0, -1, STN_F64, STN_ERR_ARGUMENT, "expected_products is -1"},
        {0, 0, 0, 1, STN_F16, STN_ERR_UNSUPPORTED, "arithmetic is f16; it must be f64"},
        {0, 0, 0, 1, STN_C32, STN_ERR_UNSUPPORTED, "arithmetic is c32"}};
    optimize(o.a, 1000000);
    const stn_matrix *const copy = o.a->optimized;
    for (int k = 0; k < COUNT_OF(cases); k++) {
        o.options.kind = (stn_matrix_kind)cases[k].kind;
        o.options.method = (stn_optimize_method)cases[k].method;
        o.options.max_bytes = cases[k].max_bytes;
        says(stn_matrix_optimize(o.exec, cases[k].arithmetic, o.a, cases[k].products, &o.options,
                                 &o.report),
             cases[k].status, cases[k].text, "stn_matrix_optimize");
    }
    expect_error(stn_matrix_optimize(NULL, STN_F64, o.a, 1, NULL, NULL), STN_ERR_ARGUMENT,
                 "stn_matrix_optimize");
    expect_error(stn_matrix_optimize(o.exec, STN_F64, NULL, 1, NULL, NULL), STN_ERR_ARGUMENT,
                 "the matrix is NULL");
    expect_error(stn_matrix_update_values(NULL, o.a), STN_ERR_ARGUMENT, "stn_matrix_update_values");
    expect_error(stn_matrix_update_values(o.exec, NULL), STN_ERR_ARGUMENT, "the matrix is NULL");
    o.report.size = 3;
    expect_error(stn_matrix_optimize(o.exec, STN_F64, o.a, 1, NULL, &o.report), STN_ERR_ARGUMENT,
                 "report");
    o.options.size = 3;
    expect_error(stn_matrix_optimize(o.exec, STN_F64, o.a, 1, &o.options, NULL), STN_ERR_ARGUMENT,
                 "options");
    assert_ptr_equal(o.a->optimized, copy);
    expect_product();
    expect_ok(
        wrap_csr(&pairs, "mike", stn_storage_of(STN_C64), ROWS, ROWS, o.start, o.column, o.value));
    expect_error(stn_matrix_optimize(o.exec, STN_F64, pairs, 1, NULL, NULL), STN_ERR_UNSUPPORTED,
                 "values of mike are complex");
    stn_matrix_release(pairs);
}

/* Coordinates whose rows do not ascend; a kind that the scales of rows exclude. */
UNIT_TEST(test_unsupported)
{
    stn_exec *exec;
    stn_matrix *coo, *csr;
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    arrays a;
    make(&a);
    a.row[0] = 2;
    options.kind = STN_MATRIX_SLICED;
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=1"));
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &a.rows, &a.columns, &a.value, STN_DUPLICATES_REFUSE));
    expect_error(stn_matrix_optimize(exec, STN_F64, coo, 100, NULL, NULL), STN_ERR_UNSUPPORTED,
                 "mike are not sorted by row");
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    expect_error(stn_matrix_optimize(exec, STN_F64, csr, 100, &options, NULL), STN_ERR_UNSUPPORTED,
                 "scales per row");
    stn_matrix_release(coo);
    stn_matrix_release(csr);
    stn_exec_release(exec);
}

/* Without memory, the matrix and its copy are unchanged. */
UNIT_TEST_WITH(test_allocations, begin, end)
{
    int64_t nth = 1;
    need_loops();
    optimize(o.a, 1000000);
    const stn_matrix *const copy = o.a->optimized;
    o.options.method = STN_OPTIMIZE_TIMED;
    for (; nth < 100; nth++) {
        stn_fail_allocation(nth);
        const stn_status status =
            stn_matrix_optimize(o.exec, STN_F64, o.a, 1000000, &o.options, NULL);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        expect_error(status, STN_ERR_MEMORY, "stn_matrix_optimize");
        assert_ptr_equal(o.a->optimized, copy);
        expect_product();
    }
    assert_in_range(nth, 4, 99);
    expect_product();
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_SLICED; kind++) {
        o.options.kind = kind;
        optimize(o.a, 1);
        stn_fail_allocation(1);
        const stn_status status = stn_matrix_update_values(o.exec, o.a);
        stn_fail_allocation(0);
        if (kind == STN_MATRIX_CSR) /* slices need no memory */
            expect_error(status, STN_ERR_MEMORY, "stn_matrix_update_values");
        else
            expect_ok(status);
        assert_int_equal(o.a->optimized->kind, kind);
        expect_product();
    }
}

RUN_UNIT_TESTS(set_up, tear_down)
