/* Refused products with sparse matrices and their transposes, and refused residuals: nothing is
 * written; mirrors on the host; and failing allocations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "sparse_arrays.h"

/* ---- products of a matrix of 3 x 5 with 3 entries ---- */

typedef enum product { SPMV, RESIDUAL, TRANSPOSED, PRODUCTS } product;

static const char *const names[] = {"stn_spmv", "stn_sparse_residual", "stn_spmv_transposed"};
static const int64_t good_start[] = {0, 2, 2, 3};
static const int32_t good_column[] = {0, 4, 4};

static struct {
    double x[8], y[8], b[8], values[4];
    stn_matrix *a;
    stn_view xv, yv, bv;
    const stn_exec *exec;
    stn_format arithmetic;
} o;

static void set_up(product call)
{
    const int64_t rows = 3, columns = 5;
    const int64_t *const x = call == TRANSPOSED ? &rows : &columns;
    const int64_t *const y = call == TRANSPOSED ? &columns : &rows;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_matrix_release(o.a);
    memset(&o, 0, sizeof o);
    for (int k = 0; k < 8; k++)
        o.y[k] = k + 1.0;
    for (int k = 0; k < 4; k++)
        o.values[k] = k + 1.0;
    o.exec = order_use(1);
    o.arithmetic = STN_F64;
    expect_ok(wrap_csr(&o.a, "mike", f64, rows, columns, good_start, good_column, o.values));
    expect_ok(stn_view_wrap(&o.xv, "xray", f64, o.x, 1, x));
    expect_ok(stn_view_wrap(&o.yv, "yankee", f64, o.y, 1, y));
    expect_ok(stn_view_wrap(&o.bv, "bravo", f64, o.b, 1, y));
}

static stn_status run(product call, double beta)
{
    if (call == RESIDUAL)
        return stn_sparse_residual(o.exec, o.arithmetic, &o.yv, &o.bv, o.a, &o.xv);
    return (call == SPMV ? stn_spmv : stn_spmv_transposed)(o.exec, o.arithmetic, 2.0, o.a, &o.xv,
                                                           beta, &o.yv);
}

/* The message contains both texts and the name of the function; y is unchanged. */
static void refuse(product call, stn_status status, const char *first, const char *second)
{
    for (int beta = 0; beta < 2; beta++) {
        says(run(call, beta), status, first, second);
        assert_true(strstr(stn_error(), names[call]) || strstr(stn_error(), "view values: scale"));
    }
    for (int k = 0; k < 8; k++)
        assert_true(o.y[k] == k + 1.0 && o.values[k % 4] == k % 4 + 1.0);
    set_up(call);
}

/* The call after a change of its operands is refused. */
#define REFUSED(change, call, status, first, second)                                               \
    do {                                                                                           \
        change;                                                                                    \
        refuse(call, status, first, second);                                                       \
    } while (0)

UNIT_TEST(test_operands)
{
    for (product call = SPMV; call < PRODUCTS; call++) {
        set_up(call);
        REFUSED(o.xv.extent[0]--, call, STN_ERR_SHAPE, "mike (3 x 5)", "xray");
        REFUSED(o.yv.extent[0]--, call, STN_ERR_SHAPE, "yankee", "");
        REFUSED(o.xv.rank = 2, call, STN_ERR_SHAPE, "xray", "rank 2");
        REFUSED(o.yv.rank = 0, call, STN_ERR_SHAPE, "yankee", call == RESIDUAL ? "" : "rank 0");
        REFUSED(o.exec = NULL, call, STN_ERR_ARGUMENT, "exec", "NULL");
        REFUSED(o.yv.read_only = 1, call, STN_ERR_ARGUMENT, "yankee (f64, ", "read-only");
        REFUSED(memset(&o.xv, 0, sizeof o.xv), call, STN_ERR_ARGUMENT, "x is an empty view", "");
        REFUSED(o.a->storage.scale = 0.0, call, STN_ERR_ARGUMENT, "scale", "");
        REFUSED(o.arithmetic = STN_F16, call, STN_ERR_UNSUPPORTED, "f64", "");
        REFUSED(o.a->storage.format = STN_C64, call, STN_ERR_UNSUPPORTED, "c64", "f64");
        REFUSED(o.xv.storage.format = STN_C64, call, STN_ERR_UNSUPPORTED, "c64", "f64");
        REFUSED(o.xv.data = o.y + 1, call, STN_ERR_ALIAS, "yankee (f64, ", "overlaps xray");
        REFUSED(o.a->values = o.y + 2, call, STN_ERR_ALIAS, "yankee (f64, ", "the values of mike");
        REFUSED(o.yv.stride[0] = 0, call, STN_ERR_ALIAS, "yankee (f64, ", "repeats");
        stn_matrix_release(o.a);
        REFUSED(o.a = NULL, call, STN_ERR_ARGUMENT, "matrix is NULL", "");
    }
    set_up(RESIDUAL);
    REFUSED(o.bv.data = o.y + 1, RESIDUAL, STN_ERR_ALIAS, "overlaps bravo", "");
    REFUSED(o.bv.extent[0]--, RESIDUAL, STN_ERR_SHAPE, "bravo", "");
    expect_error(stn_sparse_residual(o.exec, STN_F64, &o.yv, NULL, o.a, &o.xv), STN_ERR_ARGUMENT,
                 "NULL");
    set_up(SPMV);
    expect_error(stn_spmv(o.exec, STN_F64, 1, o.a, NULL, 0, &o.yv), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_spmv(o.exec, STN_F64, 1, o.a, &o.xv, 0, NULL), STN_ERR_ARGUMENT, NULL);
}

/* Two columns: shapes, and y in the arrays of the matrix. */
UNIT_TEST(test_columns)
{
    double x[15] = {0}, y[9] = {1, 2, 3};
    const int64_t many[2] = {5, 3}, few[2] = {3, 3};
    const stn_exec *const exec = order_use(0);
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view xv, yv;
    stn_matrix *csr;
    arrays a;
    make(&a);
    void *const aliases[] = {a.values, a.scales, a.start};
    static const char *const texts[] = {"values", "scales", "indices"};
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    expect_ok(stn_view_wrap(&xv, "xray", f64, x, 2, many));
    expect_ok(stn_view_wrap(&yv, "yankee", f64, y, 2, few));
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
    yv.extent[1] = xv.extent[1] = 1;
    for (int k = 0; k < 3; k++) {
        yv.data = aliases[k];
        says(stn_spmv(exec, STN_F64, 1, csr, &xv, 0, &yv), STN_ERR_ALIAS, texts[k], " of mike");
    }
    assert_true(y[0] == 1 && y[1] == 2 && y[2] == 3);
    stn_matrix_release(csr);
}

UNIT_TEST(test_complex_operands)
{
    static const stn_c128 values[] = {{1, 2}, {3, 4}, {5, 6}}, one = {1, 0}, zero = {0, 0};
    static stn_c128 pairs[2][5];
    static double real[2][5];
    const int64_t rows = 3, columns = 5;
    const stn_storage c128 = stn_storage_of(STN_C128), f64 = stn_storage_of(STN_F64);
    const stn_exec *const exec = order_use(0);
    stn_view x, y, real_x, real_y;
    stn_matrix *a;
    expect_ok(wrap_csr(&a, "mike", c128, rows, columns, good_start, good_column, values));
    expect_ok(stn_view_wrap(&x, "xray", c128, pairs[0], 1, &columns));
    expect_ok(stn_view_wrap(&y, "yankee", c128, pairs[1], 1, &rows));
    expect_ok(stn_view_wrap(&real_x, "xray", f64, real[0], 1, &columns));
    expect_ok(stn_view_wrap(&real_y, "yankee", f64, real[1], 1, &rows));
    const struct {
        const stn_exec *exec;
        stn_format arithmetic;
        const stn_matrix *a;
        const stn_view *x, *y;
        stn_status status;
        const char *text;
    } cases[] = {{exec, STN_F64, a, &x, &y, STN_ERR_UNSUPPORTED, "c128"},
                 {exec, STN_C128, a, &real_x, &y, STN_ERR_UNSUPPORTED, "xray"},
                 {exec, STN_C128, a, &x, NULL, STN_ERR_ARGUMENT, "NULL"},
                 {exec, STN_C128, NULL, &x, &y, STN_ERR_ARGUMENT, "NULL"},
                 {NULL, STN_C128, a, &x, &y, STN_ERR_ARGUMENT, "NULL"},
                 {exec, STN_C128, a, &y, &x, STN_ERR_SHAPE, "mike"}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        expect_error(stn_spmv_complex(cases[k].exec, cases[k].arithmetic, one, cases[k].a,
                                      cases[k].x, zero, cases[k].y),
                     cases[k].status, cases[k].text);
    expect_error(stn_spmv(exec, STN_F64, 1, a, &real_x, 0, &real_y), STN_ERR_UNSUPPORTED, "mike");
    real_x.data = real[1] - 1;
    expect_error(stn_spmv(exec, STN_F64, 1, a, &real_x, 0, &real_y), STN_ERR_ALIAS, "overlaps");
    stn_matrix_release(a);
}

/* ---- mirrors ---- */

/* On the host a mirror is a copy with its own arrays. */
UNIT_TEST(test_mirrors)
{
    double expected[8];
    stn_matrix *mirror, *none;
    stn_view part;
    set_up(SPMV);
    expect_ok(run(SPMV, 1.0));
    memcpy(expected, o.y, sizeof expected);
    set_up(SPMV);
    memset(&mirror, 0xa5, sizeof mirror);
    expect_ok(stn_matrix_mirror(NULL, &mirror, o.a));
    assert_true(mirror->entries == o.a->entries && mirror->values != o.a->values);
    expect_ok(stn_spmv(o.exec, o.arithmetic, 2.0, mirror, &o.xv, 1.0, &o.yv));
    assert_memory_equal(expected, o.y, sizeof expected);
    expect_ok(stn_view_wrap(&part, "part", stn_storage_of(STN_F64),
                            (void *)(uintptr_t)mirror->values, 1, &o.yv.extent[0]));
    expect_error(stn_spmv(o.exec, o.arithmetic, 2.0, mirror, &o.xv, 1.0, &part), STN_ERR_ALIAS,
                 NULL);
    expect_error(stn_matrix_mirror(NULL, NULL, o.a), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_matrix_mirror(NULL, &none, NULL), STN_ERR_ARGUMENT, NULL);
    assert_null(none);
    stn_matrix_release(NULL);
    stn_matrix_release(mirror);
}

/* ---- failing allocations ---- */

/* Only loops of the format of the values allocate memory: for a decoded x of more than a tile. */
UNIT_TEST(test_spmv_without_memory)
{
    enum { COLUMNS = 129 }; /* a tile and one element */
    static double x[COLUMNS];
    const int64_t columns = COLUMNS;
    int64_t most = 0;
    for (int setting = 0; setting < order_settings(); setting++) {
        set_up(SPMV);
        o.exec = order_use(setting);
        o.a->columns = columns;
        expect_ok(stn_view_wrap(&o.xv, "x", stn_storage_of(STN_F64), x, 1, &columns));
        o.xv.storage.scale = 0.5;
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            stn_fail_allocation(nth);
            const stn_status status = run(SPMV, 1.0);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            expect_error(status, STN_ERR_MEMORY, "stn_spmv");
            for (int k = 0; k < 8; k++)
                assert_true(o.y[k] == k + 1.0);
        }
        assert_in_range(nth, 1, 19);
        most = nth > most ? nth : most;
    }
    assert_true(most > 1 || stn_isa_chosen() == STN_ISA_C); /* whose sums read x in place */
}

/* Several columns, also complex and of slices: nothing is written before all memory is allocated.
 */
UNIT_TEST(test_columns_without_memory)
{
    enum { N = 300, WIDTH = 11 };
    static double x[2 * N * WIDTH], y[2 * N * WIDTH], before[2 * N * WIDTH], value[2 * N];
    static int64_t start[N + 1];
    static int32_t column[N];
    const int64_t extents[2] = {N, WIDTH};
    int64_t most = 0;
    stn_matrix *csr, *sliced;
    for (int64_t k = 0; k < N; k++) {
        start[k + 1] = k + 1;
        column[k] = (int32_t)(N - 1 - k);
    }
    for (int64_t k = 0; k < 2 * N * WIDTH; k++)
        before[k] = (double)k;
    expect_ok(wrap_csr(&csr, "mike", stn_storage_of(STN_F64), N, N, start, column, value));
    expect_ok(stn_sparse_convert(NULL, &sliced, csr, STN_MATRIX_SLICED, NULL));
    for (int what = 0; what < 3 * order_settings(); what++) {
        const stn_format arithmetic = what % 3 == 1 ? STN_C128 : STN_F64;
        stn_view xv, yv;
        expect_ok(stn_view_wrap(&xv, "xray", stn_storage_of(arithmetic), x, 2, extents));
        expect_ok(stn_view_wrap(&yv, "yankee", stn_storage_of(arithmetic), y, 2, extents));
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            memcpy(y, before, sizeof y);
            stn_fail_allocation(nth);
            const stn_status status = stn_spmv(order_use(what / 3), arithmetic, 2.0,
                                               what % 3 == 2 ? sliced : csr, &xv, 1.0, &yv);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_memory_equal(y, before, sizeof y);
        }
        most = nth > most ? nth : most;
    }
    assert_in_range(most, 3, 19);
    stn_matrix_release(sliced);
    stn_matrix_release(csr);
}

static stn_status call_number(int which, stn_matrix **made, const stn_matrix *a)
{
    *made = NULL;
    if (which == 2)
        return stn_spmv_transposed(o.exec, STN_F64, 1, a, &o.xv, 1, &o.yv);
    return which ? stn_sparse_transpose(o.exec, made, a) : stn_matrix_mirror(o.exec, made, a);
}

/* Mirrors, transposes and products with transposes, of compressed rows and of slices. */
UNIT_TEST(test_transposes_without_memory)
{
    static const char *const calls[] = {"", "stn_sparse_transpose", "stn_spmv_transposed"};
    for (int k = 0; k < 6; k++) {
        stn_matrix *sliced, *made;
        int64_t nth = 1;
        set_up(TRANSPOSED);
        expect_ok(stn_sparse_convert(NULL, &sliced, o.a, STN_MATRIX_SLICED, NULL));
        for (; nth < 30; nth++) {
            stn_fail_allocation(nth);
            const stn_status status = call_number(k / 2, &made, k % 2 ? sliced : o.a);
            stn_fail_allocation(0);
            stn_matrix_release(made);
            if (status == STN_OK)
                break;
            expect_error(status, STN_ERR_MEMORY, calls[k / 2]);
            assert_null(made);
            assert_true(o.y[0] == 1.0 && o.y[4] == 5.0);
        }
        assert_in_range(nth, 2, 29);
        stn_matrix_release(sliced);
    }
}

static int tear_down(void **unused)
{
    stn_matrix_release(o.a);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
