/* Norms of rows and columns of sparse matrices: the bits of stn_asum and stn_nrm2 of a row's
 * values, of complex ones those of reductions; known ones, and long double. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "steno/sparse_operations.h"
#include "check.h"

enum { ROWS = 37, COLUMNS = 29, MOST = 6000 };

/* Rows of up to 13 entries, and one of three tiles. */
typedef struct rows_of {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
} rows_of;

static void make_rows(rows_of *g, uint64_t *state)
{
    int64_t at = 0;
    for (int r = 0; r < ROWS; r++) {
        g->start[r] = at;
        const int64_t count = r == 5 ? 280 : (int64_t)(order_next(state) % 14);
        for (int64_t e = 0; e < count; e++)
            g->column[at++] = (int32_t)(order_next(state) % COLUMNS);
    }
    g->start[ROWS] = at;
    assert_true(at <= MOST);
}

/* ---- real ---- */

static void check_norm(stn_format arithmetic, stn_sparse_norm norm, const stn_matrix *a,
                       int64_t row, double found)
{
    const int64_t count = a->row_start[row + 1] - a->row_start[row];
    const int64_t bytes = (int64_t)oracle_formats[a->storage.format].bits / 8;
    const char *const codes = (const char *)a->values + a->row_start[row] * bytes;
    stn_view values;
    double wanted = 0;
    expect_ok(stn_view_wrap_const(&values, "row", a->storage, codes, 1, &count));
    if (norm == STN_SPARSE_NORM_1 && count)
        expect_ok(stn_asum(order_use(1), arithmetic, &wanted, &values));
    else if (norm == STN_SPARSE_NORM_2 && count)
        expect_ok(stn_nrm2(order_use(1), arithmetic, &wanted, &values));
    else
        for (int64_t k = 0; k < count; k++) {
            uint64_t code = 0;
            memcpy(&code, codes + k * bytes, (size_t)bytes);
            const double value = fabs(order_decode(arithmetic, &a->storage, code));
            wanted = isnan(value) || isnan(wanted) ? (double)NAN : fmax(value, wanted);
        }
    if (!order_same(found, wanted))
        fail_msg("norm %d of row %" PRId64 " in %s of %s: %a, not %a", (int)norm, row,
                 oracle_formats[arithmetic].name, oracle_formats[a->storage.format].name, found,
                 wanted);
}

static void try_norms(stn_format arithmetic, stn_format format, order_kind data, uint64_t *state)
{
    static rows_of g;
    stn_matrix *a, *transposed;
    double norms[ROWS];
    make_rows(&g, state);
    const stn_storage storage = order_storage(arithmetic, format, state);
    order_array values = order_make_vector(storage, g.start[ROWS], 1, data, order_next(state));
    expect_ok(wrap_csr(&a, "mike", storage, ROWS, COLUMNS, g.start, g.column,
                       values.memory + values.first));
    expect_ok(stn_sparse_transpose(NULL, &transposed, a));
    for (int norm = 1; norm <= 3; norm++)
        for (int by_column = 0; by_column < 2; by_column++) {
            const int64_t count = by_column ? COLUMNS : ROWS;
            stn_view view;
            const stn_exec *const exec = order_use(norm % order_settings());
            expect_ok(stn_view_wrap(&view, "norms", stn_storage_of(STN_F64), norms, 1, &count));
            expect_ok((by_column ? stn_sparse_column_norms : stn_sparse_row_norms)(
                exec, arithmetic, &view, a, (stn_sparse_norm)norm));
            for (int64_t r = 0; r < count; r++)
                check_norm(arithmetic, (stn_sparse_norm)norm, by_column ? transposed : a, r,
                           norms[r]);
        }
    stn_matrix_release(transposed);
    stn_matrix_release(a);
    order_drop(&values);
}

UNIT_TEST(test_norms)
{
    uint64_t state = 4;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4 && order_is_real(format); k++)
            try_norms(k % 2 ? STN_F32 : STN_F64, format,
                      k < 2             ? ORDER_MIXED
                      : format % 3 == 0 ? ORDER_ANY
                                        : (order_kind)(order_next(&state) % ORDER_KINDS),
                      &state);
}

/* Known ones, without this library's sums. */
UNIT_TEST(test_known_norms)
{
    static const int64_t start[] = {0, 2, 2, 4, 7};
    static const int32_t column[] = {0, 1, 0, 1, 0, 1, 1};
    static const double values[] = {3, -4, 3e300, 4e300, 0x3p-500, 0x4p-500, 0x1p-530};
    const int64_t rows = 4;
    double norms[4];
    stn_matrix *a;
    stn_view view;
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 4, 2, start, column, values));
    expect_ok(stn_view_wrap(&view, "norms", stn_storage_of(STN_F64), norms, 1, &rows));
    expect_ok(stn_sparse_row_norms(order_use(1), STN_F64, &view, a, STN_SPARSE_NORM_2));
    assert_true(norms[0] == 5 && norms[1] == 0 && fabs(norms[2] - 5e300) < 1e286);
    assert_true(norms[3] == 0x5p-500);
    expect_ok(stn_sparse_row_norms(order_use(1), STN_F64, &view, a, STN_SPARSE_NORM_1));
    assert_true(norms[0] == 7 && norms[1] == 0);
    expect_ok(stn_sparse_row_norms(order_use(1), STN_F64, &view, a, STN_SPARSE_NORM_INF));
    assert_true(norms[0] == 4 && norms[1] == 0 && norms[2] == 4e300);
    stn_matrix_release(a);
}

/* ---- complex ---- */

/* clang-format off */
STN_REDUCE_COMPLEX(sizes, norm1, (in(x)), x)
STN_REDUCE_COMPLEX(largest, norm_inf, (in(x)), x)
/* clang-format on */

/* The bits of reductions; and about what long double has. */
static void check_complex(stn_format arithmetic, stn_sparse_norm norm, const stn_matrix *a,
                          int64_t row, double found)
{
    const int64_t count = a->row_start[row + 1] - a->row_start[row];
    const stn_c64 *const z = (const stn_c64 *)a->values + a->row_start[row];
    const stn_exec *const exec = order_use(1);
    long double sum = 0, squares = 0, most = 0;
    double wanted = 0;
    stn_view values;
    expect_ok(stn_view_wrap_const(&values, "row", a->storage, z, 1, &count));
    if (count > 0)
        expect_ok(norm == STN_SPARSE_NORM_1   ? sizes_reduce(exec, arithmetic, &wanted, &values)
                  : norm == STN_SPARSE_NORM_2 ? stn_nrm2(exec, arithmetic, &wanted, &values)
                                              : largest_reduce(exec, arithmetic, &wanted, &values));
    for (int64_t k = 0; k < count; k++) {
        const long double size =
            (long double)a->storage.scale * hypotl((long double)z[k].re, (long double)z[k].im);
        sum += size;
        squares += size * size;
        most = fmaxl(most, size);
    }
    const long double about = norm == STN_SPARSE_NORM_1   ? sum
                              : norm == STN_SPARSE_NORM_2 ? sqrtl(squares)
                                                          : most;
    const long double allowed = (arithmetic == STN_C128 ? 1e-14L : 1e-5L) * about;
    if (found != wanted || !(fabsl((long double)found - about) <= allowed))
        fail_msg("norm %d of row %" PRId64 ": %a, not %a, and %Lg", (int)norm, row, found, wanted,
                 about);
}

static void try_complex(stn_format arithmetic, double scale, int is_large, uint64_t *state)
{
    static rows_of g;
    static stn_c64 values[MOST];
    stn_matrix *a, *transposed;
    stn_storage storage = stn_storage_of(STN_C64);
    double norms[ROWS];
    make_rows(&g, state);
    for (int64_t k = 0; k < g.start[ROWS]; k++) {
        const float size = is_large ? (k % 2 ? 0x1p70f : 0x1p-70f) : 1.0f;
        values[k] = stn_c64_of(size * ((float)(order_next(state) % 2001) / 700 - 1),
                               size * ((float)(order_next(state) % 2001) / 700 - 1));
    }
    storage.scale = scale;
    expect_ok(wrap_csr(&a, "mike", storage, ROWS, COLUMNS, g.start, g.column, values));
    expect_ok(stn_sparse_transpose(NULL, &transposed, a));
    for (int k = 0; k < 6; k++) {
        const stn_sparse_norm norm = (stn_sparse_norm)(1 + k % 3);
        const int64_t count = k / 3 ? COLUMNS : ROWS;
        stn_view view;
        expect_ok(stn_view_wrap(&view, "norms", stn_storage_of(STN_F64), norms, 1, &count));
        expect_ok((k / 3 ? stn_sparse_column_norms : stn_sparse_row_norms)(
            order_use(k % order_settings()), arithmetic, &view, a, norm));
        for (int64_t r = 0; r < count; r++)
            check_complex(arithmetic, norm, k / 3 ? transposed : a, r, norms[r]);
    }
    stn_matrix_release(transposed);
    stn_matrix_release(a);
}

UNIT_TEST(test_complex_norms)
{
    uint64_t state = 5;
    for (int k = 0; k < 8; k++)
        try_complex(k % 2 ? STN_C64 : STN_C128, k / 2 % 2 ? 0.3 : 1.0, k / 4, &state);
}

UNIT_TEST(test_refused)
{
    static const int64_t start[] = {0, 1};
    static const int32_t column[] = {0};
    static const stn_c128 values[] = {{3, 4}};
    const int64_t one = 1;
    double norm;
    stn_c128 complex;
    stn_view view, complex_view;
    stn_matrix *a;
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_C128), 1, 1, start, column, values));
    expect_ok(stn_view_wrap(&view, "norms", stn_storage_of(STN_F64), &norm, 1, &one));
    expect_ok(stn_view_wrap(&complex_view, "carl", stn_storage_of(STN_C128), &complex, 1, &one));
    expect_ok(stn_sparse_row_norms(order_use(1), STN_C128, &view, a, STN_SPARSE_NORM_1));
    assert_true(norm == 5);
    expect_error(stn_sparse_row_norms(order_use(1), STN_F64, &view, a, STN_SPARSE_NORM_1),
                 STN_ERR_UNSUPPORTED, "values of mike are complex numbers");
    expect_error(stn_sparse_row_norms(order_use(1), STN_C128, &complex_view, a, STN_SPARSE_NORM_1),
                 STN_ERR_UNSUPPORTED, "carl");
    stn_matrix_release(a);
}

RUN_UNIT_TESTS(NULL, release_executors)
