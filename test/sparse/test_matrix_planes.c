/* Matrices with segmented values: products at each depth have the bits of a matrix of the rounded
 * values, in every kind. */
#include "check.h"

#include "make_view.h"
#include "steno/blas.h"
#include "steno/codec.h"
#include "steno/sparse.h"
#include "steno/sparse_operations.h"
#include "steno/sparse_optimize.h"

enum { ROWS = 203, COLUMNS = 190, CAPACITY = 6000, EXECS = 3 };

static stn_exec *execs[EXECS];
static int32_t start[ROWS + 1], column[CAPACITY];
static double value[CAPACITY], rounded[CAPACITY], x_values[COLUMNS];

static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_COO,
                                        STN_MATRIX_ELL, STN_MATRIX_SELL};

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

/* Rows of up to 12 entries, some empty, one of more than a tile. */
static int setup(void **state)
{
    static const char *const names[] = {"reference", "threads:threads=1", "threads:threads=3"};
    uint64_t seed = 7;
    (void)state;
    for (int e = 0; e < EXECS; e++)
        if (stn_exec_create(&execs[e], names[e]) != STN_OK)
            return -1;
    for (int row = 0; row < ROWS; row++) {
        const int32_t count = row == 40 ? 170 : row * 7 % 13;
        start[row + 1] = start[row] + count;
        for (int32_t k = start[row]; k < start[row + 1]; k++) {
            column[k] = (int32_t)(next(&seed) >> 20) & 127;
            value[k] = (double)(int64_t)next(&seed) * 0x1p-62;
        }
    }
    for (int k = 0; k < COLUMNS; k++)
        x_values[k] = (double)(int64_t)next(&seed) * 0x1p-63;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int e = 0; e < EXECS; e++)
        stn_exec_release(execs[e]);
    return 0;
}

static stn_matrix *wrap(const double *values)
{
    stn_matrix *a;
    expect_ok(stn_matrix_wrap_csr_i32(&a, ROWS, COLUMNS, start, column, f64(), values));
    expect_ok(stn_matrix_set_label(a, "a"));
    return a;
}

/* The values that a number of planes contains. */
static void round_values(int planes)
{
    const int64_t n = start[ROWS];
    stn_view segmented;
    const stn_view from = wrap_view("from", f64(), value, 1, &n);
    const stn_view to = wrap_view("to", f64(), rounded, 1, &n);
    expect_ok(stn_view_create_segmented(NULL, &segmented, "", 1, &n));
    expect_ok(stn_view_copy(NULL, &segmented, &from));
    expect_ok(stn_view_planes(&segmented, &segmented, planes));
    expect_ok(stn_view_copy(NULL, &to, &segmented));
    expect_ok(stn_view_release(&segmented));
}

static void expect_same_product(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                                const stn_matrix *plain)
{
    static double found[ROWS], expected[ROWS];
    const int64_t rows = ROWS, columns = COLUMNS;
    const stn_view x = wrap_view("x", f64(), x_values, 1, &columns);
    const stn_view y = wrap_view("y", f64(), found, 1, &rows);
    const stn_view z = wrap_view("z", f64(), expected, 1, &rows);
    expect_ok(stn_spmv(exec, arithmetic, 1.0, a, &x, 0.0, &y));
    expect_ok(stn_spmv(execs[0], arithmetic, 1.0, plain, &x, 0.0, &z));
    assert_memory_equal(found, expected, sizeof found);
    expect_ok(stn_spmv(exec, arithmetic, -0.3, a, &x, 0.7, &y));
    expect_ok(stn_spmv(execs[0], arithmetic, -0.3, plain, &x, 0.7, &z));
    assert_memory_equal(found, expected, sizeof found);
}

UNIT_TEST(products_of_each_kind_and_depth_have_the_bits_of_rounded_values)
{
    stn_matrix *const a = wrap(value);
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        stn_matrix *kind, *segmented, *part;
        expect_ok(stn_sparse_convert(execs[1], &kind, a, kinds[k], NULL));
        expect_ok(stn_matrix_segment(execs[2], &segmented, kind));
        stn_matrix_release(kind);
        for (int planes = 1; planes <= 3; planes++) {
            round_values(planes);
            stn_matrix *const plain = wrap(rounded);
            expect_ok(stn_matrix_planes(&part, segmented, planes));
            for (int e = 0; e < EXECS; e++) {
                expect_same_product(execs[e], STN_F64, part, plain);
                expect_same_product(execs[e], STN_F32, part, plain);
            }
            stn_matrix_release(plain);
            stn_matrix_release(part);
        }
        stn_matrix_release(segmented);
    }
    stn_matrix_release(a);
}

UNIT_TEST(several_right_hand_sides_and_residuals)
{
    static double many[COLUMNS * 3], found[ROWS * 3], expected[ROWS * 3];
    const int64_t in[] = {COLUMNS, 3}, out[] = {ROWS, 3};
    for (int k = 0; k < COLUMNS * 3; k++)
        many[k] = x_values[k % COLUMNS] + k;
    const stn_view x = wrap_view("x", f64(), many, 2, in);
    const stn_view y = wrap_view("y", f64(), found, 2, out);
    const stn_view z = wrap_view("z", f64(), expected, 2, out);
    round_values(2);
    stn_matrix *const a = wrap(value), *const plain = wrap(rounded);
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        stn_matrix *kind, *segmented;
        expect_ok(stn_sparse_convert(execs[1], &kind, a, kinds[k], NULL));
        expect_ok(stn_matrix_segment(NULL, &segmented, kind));
        stn_matrix_release(kind);
        expect_ok(stn_matrix_planes(&kind, segmented, 2));
        stn_matrix_release(segmented); /* the derived matrix keeps the arrays */
        expect_ok(stn_spmv(execs[2], STN_F64, 1.0, kind, &x, 0.0, &y));
        expect_ok(stn_spmv(execs[0], STN_F64, 1.0, plain, &x, 0.0, &z));
        assert_memory_equal(found, expected, sizeof found);
        expect_ok(stn_sparse_residual(execs[2], STN_F64, &y, &z, kind, &x));
        for (int j = 0; j < ROWS * 3; j++)
            assert_true(found[j] == 0.0);
        stn_matrix_release(kind);
    }
    stn_matrix_release(a);
    stn_matrix_release(plain);
}

/* Conversions, mirrors, transposes and diagonals read the planes. */
UNIT_TEST(other_operations_read_the_planes)
{
    stn_matrix *const a = wrap(value);
    round_values(1);
    stn_matrix *const plain = wrap(rounded);
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        stn_matrix *kind, *segmented, *part, *made;
        stn_matrix_info info = STN_MATRIX_INFO_INIT, coarse = STN_MATRIX_INFO_INIT;
        expect_ok(stn_sparse_convert(execs[1], &kind, a, kinds[k], NULL));
        expect_ok(stn_matrix_segment(execs[1], &segmented, kind));
        expect_ok(stn_matrix_planes(&part, segmented, 1));
        expect_ok(stn_matrix_mirror(execs[1], &made, part));
        expect_same_product(execs[1], STN_F64, made, plain);
        stn_matrix_release(made);
        for (int to = 0; to < COUNT_OF(kinds); to++) {
            const stn_storage f64_storage = f64();
            expect_ok(stn_sparse_convert(execs[1], &made, part, kinds[to], NULL));
            expect_same_product(execs[1], STN_F64, made, plain);
            stn_matrix_release(made);
            expect_ok(stn_sparse_convert(execs[1], &made, part, kinds[to], &f64_storage));
            expect_same_product(execs[1], STN_F64, made, plain);
            stn_matrix_release(made);
        }
        expect_ok(stn_matrix_optimize(execs[1], STN_F64, part, 1000, NULL, NULL));
        expect_same_product(execs[1], STN_F64, part, plain);
        expect_ok(stn_matrix_describe(segmented, &info));
        expect_ok(stn_matrix_describe(part, &coarse));
        assert_true(coarse.bytes < info.bytes);
        assert_int_equal(coarse.kind, kinds[k]);
        assert_string_equal(coarse.label, "a");
        stn_matrix_release(part);
        stn_matrix_release(segmented);
        stn_matrix_release(kind);
    }
    stn_matrix_release(a);
    stn_matrix_release(plain);
}

UNIT_TEST(wrapped_segmented_values_are_read_at_each_depth)
{
    const int64_t n = start[ROWS], rows = ROWS + 1;
    stn_view segmented;
    const stn_view from = wrap_view("from", f64(), value, 1, &n);
    expect_ok(stn_view_create_segmented(NULL, &segmented, "values", 1, &n));
    expect_ok(stn_view_copy(NULL, &segmented, &from));
    const stn_matrix_views views = STN_INIT(
        stn_matrix_views, .kind = STN_MATRIX_CSR, .rows = ROWS, .columns = COLUMNS,
        .row_start = wrap_view("start", stn_storage_of(STN_I32), start, 1, &rows),
        .column = wrap_view("column", stn_storage_of(STN_I32), column, 1, &n), .values = segmented);
    stn_matrix *a, *coarse;
    expect_ok(stn_matrix_wrap_views(&a, &views));
    expect_ok(stn_matrix_planes(&coarse, a, 1));
    stn_matrix_release(a);
    expect_ok(stn_view_release(&segmented)); /* the derived matrix keeps the values */
    round_values(1);
    stn_matrix *const plain = wrap(rounded);
    expect_same_product(execs[2], STN_F64, coarse, plain);
    stn_matrix_release(plain);
    stn_matrix_release(coarse);
}

UNIT_TEST(invalid_arguments_are_refused)
{
    stn_matrix *const a = wrap(value);
    stn_matrix *segmented, *made, *narrow;
    const stn_storage f32 = stn_storage_of(STN_F32);
    const int64_t rows = ROWS;
    double factors[ROWS] = {0};
    const stn_view by = wrap_view("by", f64(), factors, 1, &rows);
    expect_error(stn_matrix_segment(NULL, &made, NULL), STN_ERR_ARGUMENT, "matrix is NULL");
    expect_error(stn_matrix_segment(NULL, NULL, a), STN_ERR_ARGUMENT, "NULL");
    expect_ok(stn_sparse_convert(NULL, &narrow, a, STN_MATRIX_CSR, &f32));
    expect_error(stn_matrix_segment(NULL, &made, narrow), STN_ERR_FORMAT,
                 "values of a are f32; they must be f64");
    assert_null(made);
    expect_error(stn_matrix_planes(&made, a, 1), STN_ERR_UNSUPPORTED,
                 "values of a are not segmented");
    expect_ok(stn_matrix_segment(NULL, &segmented, a));
    expect_error(stn_matrix_planes(&made, segmented, 0), STN_ERR_RANGE,
                 "planes is 0; it must be 1, 2 or 3");
    expect_error(stn_matrix_planes(&made, segmented, 4), STN_ERR_RANGE, "planes is 4");
    expect_ok(stn_matrix_planes(&made, segmented, 2));
    expect_error(stn_sparse_scale(execs[1], STN_F64, made, &by, NULL), STN_ERR_ARGUMENT,
                 "read-only");
    stn_matrix_release(made);
    stn_matrix_release(segmented);
    stn_matrix_release(narrow);
    stn_matrix_release(a);
}

RUN_UNIT_TESTS(setup, teardown)
