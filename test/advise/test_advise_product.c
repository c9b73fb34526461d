/* stn_spmv_error_bound: errors of products with rounded operands of all formats are within the
 * bound, which is not much larger than the largest error possible; rows without entries,
 * subnormals, refusals. */
#include <math.h>

#include "check.h"
#include "matrix.h"
#include "steno/advise.h"

enum { ROWS = 60, COLUMNS = 40, MOST = ROWS * COLUMNS };

typedef struct product_case {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST], x[COLUMNS];
    stn_matrix *a;
    stn_view x_view;
} product_case;

static stn_exec *exec;

static int begin(void **unused)
{
    (void)unused;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    stn_exec_release(exec);
    return 0;
}

static double next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)*state * 0x1p-63;
}

/* Row 5 is empty; some values underflow in f16. */
static void create_case(product_case *c)
{
    static const int64_t columns = COLUMNS;
    uint64_t state = 3;
    int64_t at = 0;
    for (int r = 0; r < ROWS; r++) {
        c->start[r] = at;
        for (int k = 0; k < COLUMNS && r != 5; k += 1 + r % 4) {
            c->column[at] = k;
            c->value[at++] = next(&state) * ldexp(1.0, -(k % 5) * 6);
        }
    }
    c->start[ROWS] = at;
    for (int k = 0; k < COLUMNS; k++)
        c->x[k] = next(&state);
    expect_ok(wrap_csr(&c->a, "a", stn_storage_of(STN_F64), ROWS, COLUMNS, c->start, c->column,
                       c->value));
    expect_ok(stn_view_wrap(&c->x_view, "x", stn_storage_of(STN_F64), c->x, 1, &columns));
}

static void check_format(const product_case *c, stn_format format)
{
    static const int64_t rows = ROWS, columns = COLUMNS;
    stn_storage storage = stn_storage_of(format);
    stn_product_rounding rounding = STN_PRODUCT_ROUNDING_INIT;
    double bound[ROWS], product[ROWS];
    stn_view bound_view, product_view, narrow_x;
    stn_matrix *narrow;
    expect_ok(
        stn_storage_fit_scale(&storage, STN_F64, c->value, c->start[ROWS], STN_SCALE_POWER_OF_TWO));
    expect_ok(stn_rounding_of(&storage, &rounding.matrix_relative, &rounding.matrix_absolute));
    const stn_storage x_storage = stn_storage_of(STN_BF16);
    expect_ok(stn_rounding_of(&x_storage, &rounding.vector_relative, &rounding.vector_absolute));
    expect_ok(stn_sparse_convert(NULL, &narrow, c->a, STN_MATRIX_CSR, &storage));
    expect_ok(stn_view_create(exec, &narrow_x, "x", x_storage, 1, &columns));
    expect_ok(stn_view_copy(exec, &narrow_x, &c->x_view));
    expect_ok(stn_view_wrap(&bound_view, "bound", stn_storage_of(STN_F64), bound, 1, &rows));
    expect_ok(stn_view_wrap(&product_view, "y", stn_storage_of(STN_F64), product, 1, &rows));
    expect_ok(stn_spmv(exec, STN_F64, 1.0, narrow, &narrow_x, 0.0, &product_view));
    expect_ok(stn_spmv_error_bound(exec, &bound_view, c->a, &c->x_view, &rounding));
    for (int r = 0; r < ROWS; r++) {
        long double exact = 0.0L, size = 0.0L;
        for (int64_t k = c->start[r]; k < c->start[r + 1]; k++) {
            exact += (long double)c->value[k] * c->x[c->column[k]];
            size += fabsl((long double)c->value[k] * c->x[c->column[k]]);
        }
        assert_true(fabsl(product[r] - exact) <= bound[r]);
        assert_true(bound[r] >= size * rounding.vector_relative);
        if (storage.format != STN_I8)
            assert_true(bound[r] <= 1.1L * size * (rounding.matrix_relative + 0x1p-8L) +
                                        COLUMNS * (rounding.matrix_absolute + 1e-38L) + 1e-13L);
    }
    assert_true(bound[5] == 0.0);
    stn_matrix_release(narrow);
    expect_ok(stn_view_release(&narrow_x));
}

UNIT_TEST(errors_are_within_the_bound)
{
    static const stn_format formats[] = {STN_F64,  STN_F32, STN_F16, STN_BF16, STN_E4M3,
                                         STN_E5M2, STN_I8,  STN_I16, STN_F24};
    product_case c;
    create_case(&c);
    for (int k = 0; k < 9; k++)
        check_format(&c, formats[k]);
    stn_matrix_release(c.a);
}

UNIT_TEST(refusals)
{
    static const int64_t rows = ROWS;
    stn_product_rounding rounding = STN_PRODUCT_ROUNDING_INIT;
    stn_storage storage = stn_storage_of(STN_C64);
    double bound[ROWS], relative, absolute;
    product_case c;
    stn_view view, longer;
    create_case(&c);
    expect_ok(stn_view_wrap(&view, "bound", stn_storage_of(STN_F64), bound, 1, &rows));
    expect_error(stn_rounding_of(&storage, &relative, &absolute), STN_ERR_UNSUPPORTED, "c64");
    expect_error(stn_rounding_of(NULL, &relative, &absolute), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_spmv_error_bound(exec, &view, c.a, &view, &rounding), STN_ERR_ALIAS, NULL);
    expect_ok(stn_view_wrap(&longer, "x", stn_storage_of(STN_F64), c.value, 1, &rows));
    expect_error(stn_spmv_error_bound(exec, &view, c.a, &longer, &rounding), STN_ERR_SHAPE,
                 "match");
    rounding.matrix_relative = -1.0;
    expect_error(stn_spmv_error_bound(exec, &view, c.a, &c.x_view, &rounding), STN_ERR_ARGUMENT,
                 "negative");
    expect_error(stn_spmv_error_bound(exec, &view, NULL, &c.x_view, &rounding), STN_ERR_ARGUMENT,
                 NULL);
    stn_matrix_release(c.a);
}

RUN_UNIT_TESTS(begin, end)
