/* stn_matrix_prepare_transpose: products with the transpose have the same bits before and after,
 * with values that are written, scaled or given scales of rows, and on allocation failures. */
#include "core/memory.h"
#include "sparse_arrays.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"
#include "steno/sparse_optimize.h"

enum { ROWS = 90, COLUMNS = 70, WIDTH = 5, ENTRIES = ROWS * WIDTH };

static struct {
    int64_t start[ROWS + 1];
    int32_t column[ENTRIES];
    double value[ENTRIES], x[ROWS], y[COLUMNS], expected[COLUMNS], factor[ROWS];
    stn_view xv, yv, factors;
    stn_exec *exec;
    stn_matrix *a;
} t;

static int begin(void **unused)
{
    const int64_t rows = ROWS, columns = COLUMNS;
    (void)unused;
    for (int k = 0; k < ENTRIES; k++) {
        t.column[k] = (k * 31 + k / WIDTH) % COLUMNS;
        t.value[k] = 1.0 / (k + 1);
    }
    for (int r = 0; r <= ROWS; r++)
        t.start[r] = r * WIDTH;
    for (int r = 0; r < ROWS; r++) {
        t.x[r] = 1.0 + r % 13;
        t.factor[r] = 3.0 / (r + 2);
    }
    expect_ok(stn_exec_create(&t.exec, "threads:threads=2"));
    expect_ok(stn_view_wrap(&t.xv, "x", stn_storage_of(STN_F64), t.x, 1, &rows));
    expect_ok(stn_view_wrap(&t.yv, "y", stn_storage_of(STN_F64), t.y, 1, &columns));
    expect_ok(stn_view_wrap(&t.factors, "factors", stn_storage_of(STN_F64), t.factor, 1, &rows));
    expect_ok(
        wrap_csr(&t.a, "mike", stn_storage_of(STN_F64), ROWS, COLUMNS, t.start, t.column, t.value));
    return 0;
}

static int end(void **unused)
{
    stn_matrix_release(t.a);
    stn_exec_release(t.exec);
    return release_executors(unused);
}

/* With the transpose that stn_sparse_transpose creates. */
static void expect_product(const stn_matrix *a)
{
    stn_matrix *transposed;
    expect_ok(stn_sparse_transpose(t.exec, &transposed, a));
    expect_ok(stn_spmv(t.exec, STN_F64, 1.5, transposed, &t.xv, 0.0, &t.yv));
    memcpy(t.expected, t.y, sizeof t.y);
    expect_ok(stn_spmv_transposed(t.exec, STN_F64, 1.5, a, &t.xv, 0.0, &t.yv));
    assert_memory_equal(t.y, t.expected, sizeof t.y);
    stn_matrix_release(transposed);
}

UNIT_TEST_WITH(products_have_the_same_bits, begin, end)
{
    expect_product(t.a);
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    assert_non_null(t.a->transposed);
    expect_product(t.a);
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    expect_product(t.a);
    expect_ok(stn_matrix_set_label(t.a, "november"));
    expect_product(t.a);
}

UNIT_TEST_WITH(written_values_need_an_update, begin, end)
{
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    expect_product(t.a);
    t.value[7] = 100.0;
    expect_ok(stn_spmv_transposed(t.exec, STN_F64, 1.5, t.a, &t.xv, 0.0, &t.yv));
    assert_memory_equal(t.y, t.expected, sizeof t.y); /* previous values */
    expect_ok(stn_matrix_update_values(t.exec, t.a));
    assert_non_null(t.a->transposed);
    expect_product(t.a);
}

UNIT_TEST_WITH(scales_discard_the_transpose, begin, end)
{
    stn_matrix *copy;
    expect_ok(stn_sparse_convert(t.exec, &copy, t.a, STN_MATRIX_CSR, NULL));
    expect_ok(stn_matrix_prepare_transpose(t.exec, copy));
    expect_ok(stn_sparse_scale(t.exec, STN_F64, copy, &t.factors, NULL));
    assert_null(copy->transposed);
    expect_product(copy);
    stn_matrix_release(copy);
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    expect_ok(stn_matrix_set_row_scales(t.a, &t.factors));
    assert_null(t.a->transposed);
    expect_product(t.a);
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    expect_product(t.a);
}

/* Copies of the matrix have no part of the transpose. */
UNIT_TEST_WITH(copies_are_independent, begin, end)
{
    stn_matrix *mirror;
    expect_ok(stn_matrix_prepare_transpose(t.exec, t.a));
    expect_ok(stn_matrix_mirror(t.exec, &mirror, t.a));
    assert_null(mirror->transposed);
    expect_product(mirror);
    stn_matrix_release(mirror);
    expect_product(t.a);
}

UNIT_TEST_WITH(refused_calls_leave_the_matrix_unchanged, begin, end)
{
    int nth = 1;
    expect_error(stn_matrix_prepare_transpose(NULL, t.a), STN_ERR_ARGUMENT,
                 "stn_matrix_prepare_transpose");
    expect_error(stn_matrix_prepare_transpose(t.exec, NULL), STN_ERR_ARGUMENT,
                 "stn_matrix_prepare_transpose: the matrix is NULL");
    for (; nth < 20; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = stn_matrix_prepare_transpose(t.exec, t.a);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(t.a->transposed);
    }
    assert_in_range(nth, 2, 19);
    expect_product(t.a);
}

RUN_UNIT_TESTS(NULL, NULL)
