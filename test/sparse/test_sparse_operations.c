/* Transposes, products with them and residuals: the bits of order_oracle.c's sums over entries that
 * brute force puts in order, for every format, kind of matrix and executor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};

/* ---- matrices ---- */

typedef struct random_matrix {
    int64_t rows, columns, *start;
    int32_t *column;
    order_array values;
    stn_matrix *csr, *sliced;
} random_matrix;

/* Rows of up to `most` entries, a few empty ones, columns in any order and repeated. */
static random_matrix make_random(stn_storage storage, int64_t rows, int64_t columns, int64_t most,
                                 uint64_t *state)
{
    random_matrix m = {.rows = rows, .columns = columns};
    m.start = malloc((size_t)(rows + 1) * sizeof *m.start);
    m.column = malloc((size_t)(rows * most + 1) * sizeof *m.column);
    assert_true(m.start && m.column);
    int64_t at = 0;
    for (int64_t i = 0; i < rows; i++) {
        m.start[i] = at;
        const int64_t count = columns && most ? (int64_t)(order_next(state) % (uint64_t)most) : 0;
        for (int64_t e = 0; e < count; e++)
            m.column[at++] = (int32_t)(order_next(state) % (uint64_t)columns);
    }
    m.start[rows] = at;
    m.values = order_make_vector(storage, at, 1, ORDER_MIXED, order_next(state));
    expect_ok(wrap_csr(&m.csr, "mike", storage, rows, columns, m.start, m.column,
                       m.values.memory + m.values.first));
    expect_ok(stn_sparse_convert(NULL, &m.sliced, m.csr, STN_MATRIX_SLICED, NULL));
    return m;
}

static void drop_random(random_matrix *m)
{
    stn_matrix_release(m->sliced);
    stn_matrix_release(m->csr);
    free(m->start);
    free(m->column);
    order_drop(&m->values);
}

static stn_format any_real(uint64_t *state)
{
    for (;;) {
        const stn_format format = (stn_format)(order_next(state) % STN_BUILTIN_FORMATS);
        if (order_is_real(format))
            return format;
    }
}

/* The numbers of the entries in column j, by rows. */
static int64_t entries_of_column(const random_matrix *m, int64_t j, int64_t *entry, int64_t *row)
{
    int64_t count = 0;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t k = m->start[i]; k < m->start[i + 1]; k++)
            if (m->column[k] == j) {
                entry[count] = k;
                row[count++] = i;
            }
    return count;
}

/* ---- transposes ---- */

static void check_transpose(const random_matrix *m, const stn_matrix *t)
{
    const int64_t code = m->csr->entries ? oracle_formats[m->csr->storage.format].bits / 8 : 0;
    int64_t *entry = malloc((size_t)(m->csr->entries + 1) * sizeof *entry), at = 0;
    int64_t *row = malloc((size_t)(m->csr->entries + 1) * sizeof *row);
    assert_true(entry && row);
    assert_true(t->kind == STN_MATRIX_CSR && t->entries == m->csr->entries);
    assert_true(t->rows == m->columns && t->columns == m->rows);
    assert_true(t->storage.format == m->csr->storage.format &&
                t->storage.scale == m->csr->storage.scale && strcmp(t->label, "mike") == 0);
    for (int64_t j = 0; j < m->columns; j++) {
        const int64_t count = entries_of_column(m, j, entry, row);
        assert_true(t->row_start[j] == at && t->row_start[j + 1] == at + count);
        for (int64_t e = 0; e < count; e++, at++) {
            assert_int_equal(t->column[at], row[e]);
            assert_memory_equal((const char *)t->values + at * code,
                                (const char *)m->csr->values + entry[e] * code, (size_t)code);
        }
    }
    free(entry);
    free(row);
}

static void try_transpose(stn_storage storage, int64_t rows, int64_t columns, int64_t most,
                          uint64_t *state)
{
    random_matrix m = make_random(storage, rows, columns, most, state);
    for (int setting = 0; setting < order_settings(); setting++)
        for (int kind = 0; kind < 2; kind++) {
            stn_matrix *t;
            expect_ok(stn_sparse_transpose(order_use(setting), &t, kind ? m.sliced : m.csr));
            check_transpose(&m, t);
            stn_matrix_release(t);
        }
    drop_random(&m);
}

UNIT_TEST(test_transposes)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        if (order_is_real(format))
            try_transpose(order_storage(STN_F64, format, &state), 60, 41, 20, &state);
    try_transpose(stn_storage_of(STN_F32), 40000, 3, 20, &state); /* several threads */
    try_transpose(stn_storage_of(STN_F64), 0, 5, 3, &state);
    try_transpose(stn_storage_of(STN_F64), 5, 0, 3, &state);
    try_transpose(stn_storage_of(STN_F64), 0, 0, 3, &state);
    try_transpose(stn_storage_of(STN_F64), 7, 9, 0, &state);
}

/* ---- products and residuals ---- */

typedef struct operands {
    stn_format arithmetic;
    double alpha, beta;
    order_array x, b, y;
} operands;

/* Expected y: factors as stn_spmv has them, of this sum in row i. */
static void expect(operands *o, const double *b, int64_t i, double sum, double alpha, double beta,
                   uint8_t *image)
{
    const stn_format arithmetic = o->arithmetic;
    unsigned events = 0;
    double value = alpha == 1.0 ? sum : order_multiply(arithmetic, alpha, sum);
    if (beta != 0.0)
        value = order_add(arithmetic, value, order_multiply(arithmetic, beta, b[i]));
    if (alpha == 0.0)
        value = beta == 0.0 ? 0.0 : order_multiply(arithmetic, beta, b[i]);
    if (alpha == 0.0 && order_same(value, b[i]))
        return; /* what does not change is left alone */
    order_put(&o->y, image, i, 0, order_encode(arithmetic, &o->y.storage, value, i, &events));
}

static uint8_t *expect_transposed(const random_matrix *m, operands *o)
{
    const size_t capacity = (size_t)m->csr->entries + 1;
    double *const values = order_values(o->arithmetic, &m->values);
    double *const x = order_values(o->arithmetic, &o->x), *y = order_values(o->arithmetic, &o->y);
    double *const a = malloc(capacity * sizeof *a), *const b = malloc(capacity * sizeof *b);
    int64_t *const entry = malloc(capacity * sizeof *entry), *const row =
                                                                 malloc(capacity * sizeof *row);
    uint8_t *const image = order_image(&o->y);
    assert_true(a && b && entry && row);
    for (int64_t j = 0; j < m->columns; j++) {
        const int64_t count = entries_of_column(m, j, entry, row);
        for (int64_t e = 0; e < count; e++) {
            a[e] = values[entry[e]];
            b[e] = x[row[e]];
        }
        expect(o, y, j, order_dot(o->arithmetic, a, b, count), order_round(o->arithmetic, o->alpha),
               order_round(o->arithmetic, o->beta), image);
    }
    free(values);
    free(x);
    free(y);
    free(a);
    free(b);
    free(entry);
    free(row);
    return image;
}

/* b NULL: what y held. */
static uint8_t *expect_residual(const random_matrix *m, operands *o, const order_array *from)
{
    double *const values = order_values(o->arithmetic, &m->values);
    double *const x = order_values(o->arithmetic, &o->x), *b = order_values(o->arithmetic, from);
    double *const gathered = malloc((size_t)(m->csr->entries + 1) * sizeof *gathered);
    uint8_t *const image = order_image(&o->y);
    assert_non_null(gathered);
    for (int64_t i = 0; i < m->rows; i++) {
        const int64_t begin = m->start[i], count = m->start[i + 1] - begin;
        unsigned events = 0;
        for (int64_t e = 0; e < count; e++)
            gathered[e] = x[m->column[begin + e]];
        const double sum = order_dot(o->arithmetic, values + begin, gathered, count);
        const double value = order_add(o->arithmetic, b[i], -sum);
        order_put(&o->y, image, i, 0,
                  order_encode(o->arithmetic, &o->y.storage, value, i, &events));
    }
    free(values);
    free(x);
    free(b);
    free(gathered);
    return image;
}

static void run_case(const random_matrix *m, operands *o, int setting, int is_sliced, int what,
                     uint8_t *expected, const uint8_t *before)
{
    const stn_exec *const exec = order_use(setting);
    const stn_matrix *const a = is_sliced ? m->sliced : m->csr;
    const stn_view x = order_view(&o->x, "xray"), y = order_view(&o->y, "yankee");
    const stn_view b = order_view(&o->b, "bravo");
    char words[200];
    snprintf(words, sizeof words, "what %d in %s, %s, sliced %d, %s", what,
             oracle_formats[o->arithmetic].name, order_setting_name(setting), is_sliced,
             order_describe(&m->values).text);
    memcpy(o->y.memory, before, (size_t)o->y.bytes);
    const order_modes saved = order_begin();
    stn_status status;
    if (what == 0)
        status = stn_spmv_transposed(exec, o->arithmetic, o->alpha, a, &x, o->beta, &y);
    else
        status = stn_sparse_residual(exec, o->arithmetic, &y, what == 1 ? &b : &y, a, &x);
    order_end(status, saved, words);
    order_check(&o->y, expected, words);
}

/* Transposed, residual into another vector, residual in place. */
static void try_products(stn_format arithmetic, stn_format format, int64_t rows, int64_t columns,
                         int64_t most, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1};
    static const double factors[] = {1.0, 0.0, -0.5, 0.7};
    random_matrix m =
        make_random(order_storage(arithmetic, format, state), rows, columns, most, state);
    for (int what = 0; what < 3; what++) {
        const int64_t from = what ? columns : rows, to = what ? rows : columns;
        operands o = {.arithmetic = arithmetic,
                      .alpha = factors[order_next(state) % 4],
                      .beta = factors[order_next(state) % 4]};
        o.x = order_make_vector(order_storage(arithmetic, any_real(state), state), from,
                                order_pick(state, strides, 4), ORDER_MIXED, order_next(state));
        o.y = order_make_vector(order_target(arithmetic, any_real(state), state), to,
                                order_pick(state, strides, 4), ORDER_MIXED, order_next(state));
        o.b = order_make_vector(order_storage(arithmetic, any_real(state), state), to,
                                order_pick(state, strides, 4), ORDER_MIXED, order_next(state));
        uint8_t *const before = order_image(&o.y);
        uint8_t *const expected = what == 0 ? expect_transposed(&m, &o)
                                            : expect_residual(&m, &o, what == 1 ? &o.b : &o.y);
        for (int setting = 0; setting < order_settings(); setting++)
            for (int sliced = 0; sliced < 2 && order_has_turn(setting, what); sliced++)
                run_case(&m, &o, setting, sliced, what, expected, before);
        free(before);
        free(expected);
        order_drop(&o.x);
        order_drop(&o.y);
        order_drop(&o.b);
    }
    drop_random(&m);
}

UNIT_TEST(test_products)
{
    uint64_t state = 2;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++) {
            try_products(arithmetics[a], format, 50, 33, 9, &state);
            if (a == (int)(format % 2))
                try_products(arithmetics[a], format, 500, 3, 9, &state); /* columns of tiles */
        }
    try_products(STN_F64, STN_F16, 0, 4, 3, &state);
    try_products(STN_F64, STN_F16, 4, 0, 3, &state);
}

/* ---- small integers: sums are exact in any order, of every kind of matrix ---- */

enum { M = 21, N = 17, EACH = 5, COUNT = 2 };

typedef struct whole {
    int64_t start[M + 1];
    int32_t column[M * EACH];
    double value[2 * M * EACH], scale[M];
    stn_matrix *csr;
} whole;

/* Real where parts is 1; the scales of rows are 1, 2 and 4 where is_scaled. */
static void make_whole(whole *w, int parts, int is_scaled, uint64_t *state)
{
    const int64_t starts = M + 1, entries = M * EACH, rows = M;
    stn_view start, column, value, scale;
    for (int r = 0; r <= M; r++)
        w->start[r] = r * EACH;
    for (int k = 0; k < M * EACH; k++)
        w->column[k] = (int32_t)(order_next(state) % N);
    for (int k = 0; k < parts * M * EACH; k++)
        w->value[k] = (double)(order_next(state) % 19) - 9;
    for (int r = 0; r < M; r++)
        w->scale[r] = is_scaled ? (double)(1 << r % 3) : 1.0;
    expect_ok(stn_view_wrap(&start, "starts", stn_storage_of(STN_I64), w->start, 1, &starts));
    expect_ok(stn_view_wrap(&column, "columns", stn_storage_of(STN_I32), w->column, 1, &entries));
    expect_ok(stn_view_wrap(&value, "values", stn_storage_of(parts == 2 ? STN_C128 : STN_F64),
                            w->value, 1, &entries));
    expect_ok(stn_view_wrap(&scale, "scales", stn_storage_of(STN_F64), w->scale, 1, &rows));
    expect_ok(wrap_csr_views(&w->csr, "whole", N, &start, &column, &value));
    if (is_scaled)
        expect_ok(stn_matrix_set_row_scales(w->csr, &scale));
}

/* y -= A x, or A' x, of complex numbers in `parts` parts, for each of `count` columns. */
static void subtract_whole(const whole *w, int parts, int is_transposed, int count, const double *x,
                           double *y)
{
    for (int r = 0; r < M; r++)
        for (int k = r * EACH; k < (r + 1) * EACH; k++)
            for (int j = 0; j < count; j++) {
                const int from = is_transposed ? r : w->column[k];
                const int to = is_transposed ? w->column[k] : r;
                const double *const a = w->value + k * parts;
                const double *const b = x + (from * count + j) * parts;
                double *const sum = y + (to * count + j) * parts;
                const double im = parts == 2 ? a[1] * b[1] : 0;
                sum[0] -= w->scale[r] * (a[0] * b[0] - im);
                if (parts == 2)
                    sum[1] -= w->scale[r] * (a[0] * b[1] + a[1] * b[0]);
            }
}

static void try_whole(const whole *w, const stn_matrix *a, int parts, int is_transposed, int count,
                      uint64_t *state)
{
    double x[2 * M * COUNT], b[2 * M * COUNT], r[2 * M * COUNT];
    const stn_format arithmetic = parts == 2 ? STN_C128 : STN_F64;
    const int64_t from[] = {is_transposed ? M : N, count}, to[] = {is_transposed ? N : M, count};
    const int rank = count > 1 ? 2 : 1;
    stn_view xv, bv, rv;
    for (int k = 0; k < 2 * M * COUNT; k++) {
        x[k] = (double)(order_next(state) % 9) - 4;
        b[k] = (double)(order_next(state) % 99);
        r[k] = is_transposed ? b[k] : -1;
    }
    expect_ok(stn_view_wrap(&xv, "x", stn_storage_of(arithmetic), x, rank, from));
    expect_ok(stn_view_wrap(&bv, "b", stn_storage_of(arithmetic), b, rank, to));
    expect_ok(stn_view_wrap(&rv, "r", stn_storage_of(arithmetic), r, rank, to));
    const stn_exec *const exec = order_use((int)(order_next(state) % (uint64_t)order_settings()));
    if (is_transposed)
        expect_ok(stn_spmv_transposed(exec, arithmetic, -1, a, &xv, 1, &rv));
    else
        expect_ok(stn_sparse_residual(exec, arithmetic, &rv, &bv, a, &xv));
    subtract_whole(w, parts, is_transposed, count, x, b);
    for (int k = 0; k < (int)to[0] * count * parts; k++)
        if (b[k] != r[k])
            fail_msg("kind %d, %d parts, %d columns: %g, not %g at %d", (int)a->kind, parts, count,
                     r[k], b[k], k);
}

UNIT_TEST(test_kinds)
{
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR,  STN_MATRIX_COO,    STN_MATRIX_ELL,
                                            STN_MATRIX_SELL, STN_MATRIX_SLICED, STN_MATRIX_PACKED};
    static whole w;
    uint64_t state = 9;
    for (int k = 0; k < COUNT_OF(kinds); k++)
        for (int what = 0; what < 8; what++) {
            const int parts = 1 + what % 2, is_scaled = what / 2 % 2, is_transposed = what / 4;
            stn_matrix *other;
            if (k >= 4 && (is_scaled || parts == 2)) /* slices have no scales */
                continue;
            make_whole(&w, parts, is_scaled, &state);
            expect_ok(stn_sparse_convert(NULL, &other, w.csr, kinds[k], NULL));
            if (kinds[k] == STN_MATRIX_COO)
                other->duplicates = STN_DUPLICATES_KEEP;
            for (int count = 1; count <= COUNT; count++)
                try_whole(&w, other, parts, is_transposed, count, &state);
            stn_matrix_release(other);
            stn_matrix_release(w.csr);
        }
}

UNIT_TEST_WITH(test_products_in_odd_modes, order_use_odd_modes, order_use_plain_modes)
{
    test_products(NULL);
}

RUN_UNIT_TESTS(NULL, release_executors)
