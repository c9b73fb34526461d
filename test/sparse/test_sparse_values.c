/* What is made of sparse matrices by choosing, ordering, scaling and adding entries, against loops
 * over positions; and what is refused. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "sparse_arrays.h"

enum { ROWS = 37, COLUMNS = 29, MOST = 6000 };

/* Entry k is k + 1 in f64, or the complex number of k + 1 and -k, so that it is known again. */
typedef struct given {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[2 * MOST];
    stn_matrix *csr, *sliced;
} given;

static void make_given(given *g, int is_complex, int most, uint64_t *state)
{
    int64_t at = 0;
    for (int r = 0; r < ROWS; r++) {
        g->start[r] = at;
        const int64_t count = r == 5 ? 20 * most : (int64_t)(order_next(state) % (uint64_t)most);
        for (int64_t e = 0; e < count; e++)
            g->column[at++] = (int32_t)(order_next(state) % COLUMNS);
    }
    g->start[ROWS] = at;
    assert_true(at <= MOST);
    for (int64_t k = 0; k < at; k++) {
        g->value[is_complex ? 2 * k : k] = (double)(k + 1);
        if (is_complex)
            g->value[2 * k + 1] = -(double)k;
    }
    const stn_storage storage = stn_storage_of(is_complex ? STN_C128 : STN_F64);
    const int64_t rows = ROWS, starts = ROWS + 1;
    stn_view start, column, value;
    expect_ok(stn_view_wrap(&start, "starts", stn_storage_of(STN_I64), g->start, 1, &starts));
    expect_ok(stn_view_wrap(&column, "columns", stn_storage_of(STN_I32), g->column, 1, &at));
    expect_ok(stn_view_wrap(&value, "values", storage, g->value, 1, &at));
    expect_ok(wrap_csr_views(&g->csr, "mike", COLUMNS, &start, &column, &value));
    assert_true(g->csr->rows == rows && g->csr->row_start && g->csr->values);
    expect_ok(stn_sparse_convert(NULL, &g->sliced, g->csr, STN_MATRIX_SLICED, NULL));
}

static void drop_given(given *g)
{
    stn_matrix_release(g->sliced);
    stn_matrix_release(g->csr);
}

/* The number of the entry that this one is a copy of. */
static int64_t number_of(const stn_matrix *made, int is_complex, int64_t k)
{
    return (int64_t)((const double *)made->values)[is_complex ? 2 * k : k] - 1;
}

/* A row of what was made: these entries, at these columns. */
static void expect_row(const stn_matrix *made, int is_complex, int64_t row, int64_t count,
                       const int64_t *entry, const int32_t *column)
{
    const int64_t begin = made->row_start[row];
    assert_int_equal(made->row_start[row + 1] - begin, count);
    for (int64_t e = 0; e < count; e++) {
        assert_int_equal(number_of(made, is_complex, begin + e), entry[e]);
        assert_int_equal(made->column[begin + e], column[e]);
    }
}

/* ---- chosen and ordered ---- */

static void check_sorted(const given *g, const stn_matrix *made, int is_complex)
{
    int64_t entry[MOST];
    int32_t column[MOST];
    for (int r = 0; r < ROWS; r++) {
        int64_t count = 0;
        for (int32_t j = 0; j < COLUMNS; j++)
            for (int64_t k = g->start[r]; k < g->start[r + 1]; k++)
                if (g->column[k] == j) {
                    entry[count] = k;
                    column[count++] = j;
                }
        expect_row(made, is_complex, r, count, entry, column);
    }
}

static void check_permuted(const given *g, const stn_matrix *made, int is_complex,
                           const int64_t *row_order, const int64_t *column_order)
{
    int64_t entry[MOST];
    int32_t column[MOST];
    for (int r = 0; r < ROWS; r++) {
        const int64_t row = row_order ? row_order[r] : r;
        int64_t count = 0;
        for (int64_t k = g->start[row]; k < g->start[row + 1]; k++)
            for (int32_t j = 0; j < COLUMNS; j++)
                if ((column_order ? column_order[j] : j) == g->column[k]) {
                    entry[count] = k;
                    column[count++] = j;
                }
        expect_row(made, is_complex, r, count, entry, column);
    }
}

static void check_block(const given *g, const stn_matrix *made, int is_complex, int64_t first_row,
                        int64_t rows, int64_t first_column, int64_t columns)
{
    int64_t entry[MOST];
    int32_t column[MOST];
    assert_true(made->rows == rows && made->columns == columns);
    for (int64_t r = 0; r < rows; r++) {
        int64_t count = 0;
        for (int64_t k = g->start[first_row + r]; k < g->start[first_row + r + 1]; k++)
            if (g->column[k] >= first_column && g->column[k] < first_column + columns) {
                entry[count] = k;
                column[count++] = (int32_t)(g->column[k] - first_column);
            }
        expect_row(made, is_complex, r, count, entry, column);
    }
}

static void make_order(int64_t *order, int64_t count, uint64_t *state)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t other = (int64_t)(order_next(state) % (uint64_t)(k + 1));
        order[k] = order[other];
        order[other] = k;
    }
}

UNIT_TEST(test_chosen)
{
    static given g;
    uint64_t state = 1;
    for (int k = 0; k < 8; k++) {
        const int is_complex = k % 2;
        int64_t rows[ROWS], columns[COLUMNS];
        stn_matrix *made;
        make_given(&g, is_complex, 12, &state);
        make_order(rows, ROWS, &state);
        make_order(columns, COLUMNS, &state);
        const stn_matrix *const a = k / 2 % 2 ? g.sliced : g.csr;
        const stn_exec *const exec = order_use(1 + k % (order_settings() - 1));
        expect_ok(stn_sparse_sort(exec, &made, a));
        check_sorted(&g, made, is_complex);
        stn_matrix_release(made);
        const int64_t *const by_row = k % 3 ? rows : NULL, *const by = k % 4 ? columns : NULL;
        expect_ok(stn_sparse_permute(exec, &made, a, by_row, by));
        check_permuted(&g, made, is_complex, by_row, by);
        stn_matrix_release(made);
        const int64_t row = k, column = 2 * k;
        expect_ok(
            stn_sparse_extract(exec, &made, a, row, ROWS - row - k, column, COLUMNS - column));
        check_block(&g, made, is_complex, row, ROWS - row - k, column, COLUMNS - column);
        stn_matrix_release(made);
        expect_ok(stn_sparse_extract(exec, &made, a, ROWS, 0, COLUMNS, 0));
        assert_true(made->entries == 0);
        stn_matrix_release(made);
        drop_given(&g);
    }
}

/* ---- diagonals ---- */

UNIT_TEST(test_diagonals)
{
    static const stn_format formats[] = {STN_F64, STN_F16, STN_C64, STN_I8};
    for (int k = 0; k < 4; k++) {
        const int is_complex = formats[k] == STN_C64;
        const stn_storage storage = stn_storage_of(formats[k]);
        const stn_format arithmetic = is_complex ? STN_C64 : k % 2 ? STN_F32 : STN_F64;
        stn_c64 d[6], found[6];
        double real[6], real_found[6];
        const int64_t rows = 6;
        stn_matrix *made, *part;
        stn_view from, to;
        for (int i = 0; i < 6; i++) {
            d[i] = (stn_c64){(float)i, -1.0f};
            real[i] = i - 2.5 + (k == 3) * 0.5;
        }
        expect_ok(stn_view_wrap(&from, "d", stn_storage_of(is_complex ? STN_C64 : STN_F64),
                                is_complex ? (void *)d : real, 1, &rows));
        expect_ok(stn_view_wrap(&to, "d", stn_storage_of(is_complex ? STN_C64 : STN_F64),
                                is_complex ? (void *)found : real_found, 1, &rows));
        expect_ok(stn_sparse_from_diagonal(order_use(1), &made, "delta", &storage, &from));
        assert_true(made->rows == 6 && made->columns == 6 && made->entries == 6);
        assert_true(made->storage.format == formats[k] && strcmp(made->label, "delta") == 0);
        expect_ok(stn_sparse_diagonal(order_use(k % order_settings()), arithmetic, &to, made));
        assert_memory_equal(is_complex ? (void *)d : real, is_complex ? (void *)found : real_found,
                            is_complex ? sizeof d : sizeof real);
        /* Rows 1 to 5, columns 2 to 5: nothing is on its diagonal. */
        expect_ok(stn_sparse_extract(order_use(1), &part, made, 1, 5, 2, 4));
        to.extent[0] = 4;
        expect_ok(stn_sparse_diagonal(order_use(1), arithmetic, &to, part));
        for (int i = 0; i < 4; i++)
            assert_true(is_complex ? found[i].re == 0 && found[i].im == 0 : real_found[i] == 0);
        stn_matrix_release(part);
        stn_matrix_release(made);
        expect_ok(stn_sparse_identity(order_use(1), &made, NULL, &storage, 6));
        to.extent[0] = 6;
        expect_ok(stn_sparse_diagonal(order_use(1), arithmetic, &to, made));
        for (int i = 0; i < 6; i++)
            assert_true(is_complex ? found[i].re == 1 && found[i].im == 0 : real_found[i] == 1);
        stn_matrix_release(made);
    }
    stn_matrix *made;
    const stn_storage f64 = stn_storage_of(STN_F64);
    expect_ok(stn_sparse_identity(order_use(1), &made, "none", &f64, 0));
    assert_true(made->rows == 0);
    stn_matrix_release(made);
}

/* ---- scaling ---- */

static void try_scale(stn_format arithmetic, stn_storage storage, int is_sliced, int what,
                      uint64_t *state)
{
    static given g;
    stn_matrix *narrow, *made;
    double by_row[ROWS], by_column[COLUMNS];
    const int64_t rows = ROWS, columns = COLUMNS;
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const int is_complex = arithmetic >= STN_C128, parts = is_complex ? 2 : 1;
    const stn_format real = is_narrow ? STN_F32 : STN_F64;
    stn_view row_view, column_view;
    make_given(&g, is_complex, 6, state);
    for (int r = 0; r < ROWS; r++)
        by_row[r] = (r % 5 - 2) * 0.3;
    for (int c = 0; c < COLUMNS; c++)
        by_column[c] = 1.0 / (c + 1);
    expect_ok(stn_view_wrap(&row_view, "r", stn_storage_of(STN_F64), by_row, 1, &rows));
    expect_ok(stn_view_wrap(&column_view, "c", stn_storage_of(STN_F64), by_column, 1, &columns));
    expect_ok(stn_sparse_convert(NULL, &narrow, g.csr,
                                 is_sliced ? STN_MATRIX_SLICED : STN_MATRIX_CSR, &storage));
    expect_ok(stn_sparse_convert(NULL, &made, narrow, STN_MATRIX_CSR, NULL));
    expect_ok(stn_sparse_scale(order_use(1), arithmetic, narrow, what & 1 ? &row_view : NULL,
                               what & 2 ? &column_view : NULL));
    stn_matrix *scaled;
    expect_ok(stn_sparse_convert(NULL, &scaled, narrow, STN_MATRIX_CSR, NULL));
    for (int r = 0; r < ROWS; r++)
        for (int64_t k = g.start[r]; k < g.start[r + 1]; k++)
            for (int part = 0; part < parts; part++) {
                const oracle_format *const f = &oracle_formats[storage.format];
                const int64_t bytes = oracle_formats[f->component].bits / 8,
                              at = (k * parts + part) * bytes;
                stn_storage component = storage;
                uint64_t code = 0, found = 0;
                unsigned events = 0;
                component.format = (stn_format)f->component;
                memcpy(&code, (const char *)made->values + at, (size_t)bytes);
                memcpy(&found, (const char *)scaled->values + at, (size_t)bytes);
                double value = order_decode(real, &component, code);
                if (what & 1)
                    value = order_multiply(real, order_round(real, by_row[r]), value);
                if (what & 2)
                    value = order_multiply(real, value, order_round(real, by_column[g.column[k]]));
                const uint64_t wanted = order_encode(real, &component, value, k, &events);
                if (wanted != found)
                    fail_msg("%s, what %d: entry %" PRId64 ", part %d, is %" PRIx64
                             ", not %" PRIx64,
                             f->name, what, k, part, found, wanted);
            }
    stn_matrix_release(made);
    stn_matrix_release(scaled);
    stn_matrix_release(narrow);
    drop_given(&g);
}

UNIT_TEST(test_scaling)
{
    uint64_t state = 2;
    stn_storage i16 = stn_storage_of(STN_I16);
    i16.scale = 0.125;
    for (int what = 0; what < 4; what++)
        for (int sliced = 0; sliced < 2; sliced++) {
            try_scale(STN_F64, stn_storage_of(STN_F64), sliced, what, &state);
            try_scale(STN_F32, stn_storage_of(STN_F16), sliced, what, &state);
            try_scale(STN_F64, i16, sliced, what, &state);
            for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
                if (order_is_real(format) && what == 3)
                    try_scale(STN_F64, stn_storage_of(format), sliced, what, &state);
            if (!sliced) {
                try_scale(STN_C128, stn_storage_of(STN_C128), 0, what, &state);
                try_scale(STN_C64, stn_storage_of(STN_C64), 0, what, &state);
            }
        }
}

/* ---- sums ---- */

static void try_add(stn_format arithmetic, int is_sliced, double alpha, double beta,
                    uint64_t *state)
{
    static given a, b;
    static double sum[ROWS][COLUMNS][2];
    static int in[ROWS][COLUMNS];
    const int is_complex = arithmetic >= STN_C128, parts = is_complex ? 2 : 1;
    const stn_format real = arithmetic == STN_F32 || arithmetic == STN_C64 ? STN_F32 : STN_F64;
    const stn_storage storage = stn_storage_of(arithmetic);
    const double factors[] = {order_round(real, alpha), order_round(real, beta)};
    stn_matrix *made;
    make_given(&a, is_complex, 9, state);
    make_given(&b, is_complex, 7, state);
    memset(in, 0, sizeof in);
    const given *const both[] = {&a, &b};
    for (int which = 0; which < 2; which++)
        for (int r = 0; r < ROWS; r++)
            for (int64_t k = both[which]->start[r]; k < both[which]->start[r + 1]; k++) {
                const int c = both[which]->column[k], is_first = !in[r][c]++;
                for (int part = 0; part < parts; part++) {
                    const double value = both[which]->value[k * parts + part];
                    const double product =
                        order_multiply(real, factors[which], order_round(real, value));
                    sum[r][c][part] =
                        is_first ? product : order_add(real, sum[r][c][part], product);
                }
            }
    expect_ok(stn_sparse_add(order_use(1), arithmetic, &made, alpha, is_sliced ? a.sliced : a.csr,
                             beta, b.csr, &storage));
    int64_t k = 0;
    for (int r = 0; r < ROWS; r++) {
        assert_int_equal(made->row_start[r], k);
        for (int c = 0; c < COLUMNS; c++) {
            if (!in[r][c])
                continue;
            assert_int_equal(made->column[k], c);
            for (int part = 0; part < parts; part++) {
                const double found = real == STN_F64
                                         ? ((const double *)made->values)[k * parts + part]
                                         : (double)((const float *)made->values)[k * parts + part];
                assert_true(found == sum[r][c][part]);
            }
            k++;
        }
    }
    assert_true(made->entries == k && made->row_start[ROWS] == k);
    stn_matrix_release(made);
    drop_given(&a);
    drop_given(&b);
}

UNIT_TEST(test_sums)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    uint64_t state = 3;
    for (int k = 0; k < 12; k++)
        try_add(arithmetics[k % 4], k / 4 % 2, k % 3 ? 0.3 : 1.0, k % 5 ? -0.7 : 0.0, &state);
}

/* ---- refusals ---- */

UNIT_TEST(test_refused)
{
    static given g;
    uint64_t state = 5;
    const stn_storage f64 = stn_storage_of(STN_F64), none = {.scale = 1.0, .format = -1};
    int64_t rows[ROWS], columns[COLUMNS];
    const int64_t count = COLUMNS;
    double d[COLUMNS];
    stn_matrix *made = NULL;
    stn_view view;
    make_given(&g, 0, 9, &state);
    make_order(rows, ROWS, &state);
    make_order(columns, COLUMNS, &state);
    const stn_exec *const exec = order_use(1);
    expect_ok(stn_view_wrap(&view, "d", f64, d, 1, &count));
    says(stn_sparse_sort(exec, NULL, g.csr), STN_ERR_ARGUMENT, "stn_sparse_sort", "NULL");
    says(stn_sparse_sort(exec, &made, NULL), STN_ERR_ARGUMENT, "stn_sparse_sort", "NULL");
    rows[3] = ROWS;
    says(stn_sparse_permute(exec, &made, g.csr, rows, columns), STN_ERR_RANGE, "stn_sparse_permute",
         "row number 3 is 37");
    rows[3] = rows[4];
    says(stn_sparse_permute(exec, &made, g.csr, rows, NULL), STN_ERR_RANGE, "stn_sparse_permute",
         "occurs twice");
    columns[1] = -1;
    says(stn_sparse_permute(exec, &made, g.csr, NULL, columns), STN_ERR_RANGE, "stn_sparse_permute",
         "column number 1 is -1");
    says(stn_sparse_extract(exec, &made, g.csr, 1, ROWS, 0, 1), STN_ERR_RANGE, "stn_sparse_extract",
         "rows from 1");
    says(stn_sparse_extract(exec, &made, g.csr, 0, 1, -1, 1), STN_ERR_RANGE, "stn_sparse_extract",
         "columns from -1");
    says(stn_sparse_extract(exec, &made, g.csr, 0, -1, 0, 1), STN_ERR_RANGE, "stn_sparse_extract",
         "-1 rows");
    says(stn_sparse_from_diagonal(exec, &made, "m", &none, &view), STN_ERR_FORMAT, "", "");
    says(stn_sparse_from_diagonal(exec, &made, "m", NULL, &view), STN_ERR_ARGUMENT,
         "stn_sparse_from_diagonal", "storage");
    says(stn_sparse_from_diagonal(exec, &made, "m", &f64, NULL), STN_ERR_ARGUMENT,
         "stn_sparse_from_diagonal", "NULL");
    says(stn_sparse_identity(exec, &made, "m", &f64, -1), STN_ERR_SHAPE, "stn_sparse_identity",
         "-1");
    says(stn_sparse_identity(exec, NULL, "m", &f64, 1), STN_ERR_ARGUMENT, "stn_sparse_identity",
         "NULL");
    says(stn_sparse_diagonal(exec, STN_F64, &view, g.csr), STN_ERR_ARGUMENT, "stn_sparse_diagonal",
         "two on the diagonal");
    says(stn_sparse_diagonal(exec, STN_C128, &view, g.csr), STN_ERR_UNSUPPORTED,
         "stn_sparse_diagonal", "real");
    says(stn_sparse_diagonal(exec, STN_F16, &view, g.csr), STN_ERR_UNSUPPORTED,
         "stn_sparse_diagonal", "arithmetic");
    says(stn_sparse_scale(exec, STN_F64, g.csr, &view, NULL), STN_ERR_SHAPE, "stn_sparse_scale",
         "37 factors");
    says(stn_sparse_scale(NULL, STN_F64, g.csr, NULL, NULL), STN_ERR_ARGUMENT, "stn_sparse_scale",
         "NULL");
    view.data = g.value;
    says(stn_sparse_scale(exec, STN_F64, g.csr, NULL, &view), STN_ERR_ALIAS, "stn_sparse_scale",
         "overlaps the values of mike");
    says(stn_sparse_row_norms(exec, STN_F64, &view, g.csr, (stn_sparse_norm)4), STN_ERR_ARGUMENT,
         "stn_sparse_row_norms", "norm is 4");
    says(stn_sparse_column_norms(exec, STN_F64, &view, g.csr, STN_SPARSE_NORM_1), STN_ERR_ALIAS,
         "stn_sparse_column_norms", "values of mike");
    view.data = d;
    says(stn_sparse_row_norms(exec, STN_F64, &view, g.csr, STN_SPARSE_NORM_1), STN_ERR_SHAPE,
         "stn_sparse_row_norms", "37 rows");
    says(stn_sparse_row_norms(exec, STN_C64, &view, g.csr, STN_SPARSE_NORM_1), STN_ERR_UNSUPPORTED,
         "stn_sparse_row_norms", "");
    expect_ok(stn_sparse_extract(exec, &made, g.csr, 0, 3, 0, 3));
    stn_matrix *other;
    says(stn_sparse_add(exec, STN_F64, &other, 1, g.csr, 1, made, &f64), STN_ERR_SHAPE,
         "stn_sparse_add", "3 x 3");
    says(stn_sparse_add(exec, STN_F64, &other, 1, made, 1, NULL, &f64), STN_ERR_ARGUMENT,
         "stn_sparse_add", "NULL");
    says(stn_sparse_add(exec, STN_F64, &other, 1, made, 1, made, NULL), STN_ERR_ARGUMENT,
         "stn_sparse_add", "storage");
    assert_null(other);
    stn_matrix_release(made);
    drop_given(&g);
}

/* One of the calls, with what it makes given back. */
static stn_status call_number(int which, const given *g, const stn_view *norms)
{
    const stn_exec *const exec = order_use(1);
    const stn_storage f16 = stn_storage_of(STN_F16);
    int64_t columns[COLUMNS];
    stn_matrix *made = NULL;
    for (int c = 0; c < COLUMNS; c++)
        columns[c] = COLUMNS - 1 - c;
    stn_status status = STN_OK;
    switch (which) {
    case 0:
        status = stn_sparse_sort(exec, &made, g->sliced);
        break;
    case 1:
        status = stn_sparse_permute(exec, &made, g->sliced, NULL, columns);
        break;
    case 2:
        status = stn_sparse_add(exec, STN_F64, &made, 1, g->sliced, 2, g->csr, &f16);
        break;
    case 3:
        status = stn_sparse_from_diagonal(exec, &made, "m", &f16, norms);
        break;
    case 4:
        return stn_sparse_scale(exec, STN_F64, g->csr, norms, NULL);
    default:
        return stn_sparse_column_norms(exec, STN_F64, norms, g->sliced, STN_SPARSE_NORM_2);
    }
    if (status == STN_OK)
        stn_matrix_release(made);
    else
        assert_null(made);
    return status;
}

UNIT_TEST(test_without_memory)
{
    static given g;
    static double d[ROWS];
    uint64_t state = 6;
    make_given(&g, 0, 9, &state);
    for (int which = 0; which < 6; which++) {
        const int64_t count = which == 5 ? COLUMNS : ROWS;
        const double before = g.value[3];
        stn_view view;
        int64_t nth = 1;
        expect_ok(stn_view_wrap(&view, "d", stn_storage_of(STN_F64), d, 1, &count));
        for (; nth < 60; nth++) {
            stn_fail_allocation(nth);
            const stn_status status = call_number(which, &g, &view);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            says(status, STN_ERR_MEMORY, "stn_sparse", "");
            assert_true(g.value[3] == before);
        }
        assert_in_range(nth, 2, 59);
    }
    drop_given(&g);
}

RUN_UNIT_TESTS(NULL, release_executors)
