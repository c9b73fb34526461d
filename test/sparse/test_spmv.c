/* stn_spmv gives the bits of order_oracle.c for every format, kind of matrix, row length, factor,
 * executor and instruction set, and reads nothing beyond its arrays. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};
static const double factors[] = {1.0, 0.0, -0.5, 0.7, 1.0, -1.0};

/* ---- matrices whose arrays end where malloc's memory does ---- */

typedef struct sparse {
    int64_t rows, columns;
    int64_t *row_start;
    int32_t *column;
    order_array values;
} sparse;

/* Entries of row i of a matrix of this shape. */
typedef enum shape {
    SHORT,   /* 0 to 7 */
    ANY,     /* 0 to 300, many empty */
    LONG,    /* one of 10^5 among others */
    COUNTED, /* i */
    STENCIL, /* the same distances from the diagonal, where there are such columns */
    WIDENED  /* the same with one more entry, anywhere, in some rows */
} shape;

/* Next to each other, and several of a lane. */
static int64_t distance(int64_t e)
{
    static const int64_t few[] = {-21, -20, -1, 0, 1, 2, 20};
    return e < 7 ? few[e] : 100 + e;
}

static int64_t stencil_length(int64_t i, int64_t columns, int64_t most, int32_t *column)
{
    int64_t count = 0;
    for (int64_t e = 0; e < most; e++) {
        const int64_t j = i + distance(e);
        if (j >= 0 && j < columns) {
            if (column)
                column[count] = (int32_t)j;
            count++;
        }
    }
    return count;
}

static int64_t row_length(shape kind, int64_t i, int64_t rows, uint64_t *state)
{
    const uint64_t random = order_next(state);
    if (kind == COUNTED)
        return i;
    if (kind == SHORT)
        return (int64_t)(random % 8);
    if (kind == LONG && i == rows / 2)
        return 100000;
    return random % 3 == 0 ? 0 : (int64_t)(random / 3 % 301);
}

static sparse make_sparse(shape kind, stn_storage storage, order_kind data, int64_t rows,
                          int64_t columns, uint64_t *state)
{
    sparse s = {.rows = rows, .columns = columns};
    s.row_start = malloc((size_t)(rows + 1) * sizeof *s.row_start);
    assert_non_null(s.row_start);
    s.row_start[0] = 0;
    const int64_t most = kind < STENCIL ? 0 : (int64_t)(order_next(state) % 3 * 60 + 7);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t more = kind == WIDENED && i % 21 == 0;
        s.row_start[i + 1] = s.row_start[i];
        if (columns && kind < STENCIL)
            s.row_start[i + 1] += row_length(kind, i, rows, state);
        else if (columns)
            s.row_start[i + 1] += stencil_length(i, columns, most, NULL) + more;
    }
    const int64_t entries = s.row_start[rows];
    s.column = malloc((size_t)entries * sizeof *s.column + (entries == 0));
    assert_non_null(s.column);
    for (int64_t k = 0; k < entries; k++) {
        const uint64_t random = order_next(state);
        s.column[k] = (int32_t)(random % 8 ? random / 8 % (uint64_t)columns
                                           : (uint64_t)columns - 1); /* the last one often */
    }
    for (int64_t i = 0; i < rows && columns && kind >= STENCIL; i++)
        (void)stencil_length(i, columns, most, s.column + s.row_start[i]);
    s.values = order_make_vector(storage, entries, 1, data, order_next(state));
    return s;
}

static void drop_sparse(sparse *s)
{
    free(s->row_start);
    free(s->column);
    order_drop(&s->values);
}

static stn_matrix *csr_of(const sparse *s)
{
    stn_matrix *csr;
    const stn_status status = wrap_csr(&csr, "mike", s->values.storage, s->rows, s->columns,
                                       s->row_start, s->column, s->values.memory + s->values.first);
    if (status != STN_OK)
        fail_msg("%s", stn_error());
    return csr;
}

/* ---- one product on every executor and instruction set ---- */

typedef struct spmv_case {
    stn_format arithmetic;
    double alpha, beta;
    sparse a;
    order_array x, y;
} spmv_case;

static double row_sum(const spmv_case *c, const double *values, const double *x, int64_t row)
{
    const int64_t begin = c->a.row_start[row], count = c->a.row_start[row + 1] - begin;
    double *gathered = malloc((size_t)(count + 1) * sizeof *gathered);
    assert_non_null(gathered);
    for (int64_t k = 0; k < count; k++)
        gathered[k] = x[c->a.column[begin + k]];
    const double sum = order_dot(c->arithmetic, values + begin, gathered, count);
    free(gathered);
    return sum;
}

static uint8_t *expected_spmv(spmv_case *c)
{
    const stn_format arithmetic = c->arithmetic;
    const double alpha = order_round(arithmetic, c->alpha), beta = order_round(arithmetic, c->beta);
    double *values = order_values(arithmetic, &c->a.values), *x = order_values(arithmetic, &c->x);
    double *y = order_values(arithmetic, &c->y);
    uint8_t *image = order_image(&c->y);
    for (int64_t i = 0; i < c->a.rows; i++) {
        unsigned events = 0;
        double value = row_sum(c, values, x, i);
        if (alpha != 1.0)
            value = order_multiply(arithmetic, alpha, value);
        if (beta != 0.0)
            value = order_add(arithmetic, value, order_multiply(arithmetic, beta, y[i]));
        if (alpha == 0.0)
            value = beta == 0.0 ? 0.0 : order_multiply(arithmetic, beta, y[i]);
        if (alpha == 0.0 && order_same(value, y[i]))
            continue; /* what does not change is left alone */
        order_put(&c->y, image, i, 0, order_encode(arithmetic, &c->y.storage, value, i, &events));
    }
    free(values);
    free(x);
    free(y);
    return image;
}

static const char *words_of(const spmv_case *c, int setting, stn_matrix_kind kind)
{
    static char words[700];
    (void)snprintf(words, sizeof words,
                   "spmv in %s, %s, kind %d, alpha %g beta %g, %" PRId64 " x %" PRId64
                   ", values %s, x %s, y %s",
                   oracle_formats[c->arithmetic].name, order_setting_name(setting), (int)kind,
                   c->alpha, c->beta, c->a.rows, c->a.columns, order_describe(&c->a.values).text,
                   order_describe(&c->x).text, order_describe(&c->y).text);
    return words;
}

static void check_kind(spmv_case *c, const stn_matrix *a, uint8_t *expected, const uint8_t *before)
{
    const stn_view x = order_view(&c->x, "xray"), y = order_view(&c->y, "yankee");
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        memcpy(c->y.memory, before, (size_t)c->y.bytes);
        const order_modes saved = order_begin();
        const stn_status status = stn_spmv(exec, c->arithmetic, c->alpha, a, &x, c->beta, &y);
        const char *words = words_of(c, setting, a->kind);
        order_end(status, saved, words);
        order_check(&c->y, expected, words);
    }
}

/* The same entries in the same order behind a conversion there and back. */
static void check_rows(const spmv_case *c, const stn_matrix *sliced)
{
    stn_matrix *const a = csr_of(&c->a);
    const int64_t code = a->entries ? (int64_t)oracle_formats[a->storage.format].bits / 8 : 0;
    stn_matrix *back;
    if (stn_sparse_convert(NULL, &back, sliced, STN_MATRIX_CSR, NULL) != STN_OK)
        fail_msg("%s", stn_error());
    assert_true(back->kind == STN_MATRIX_CSR && back->entries == a->entries);
    assert_memory_equal(a->row_start, back->row_start, (size_t)(a->rows + 1) * sizeof(int64_t));
    assert_memory_equal(a->column, back->column, (size_t)a->entries * sizeof(int32_t));
    assert_memory_equal(a->values, back->values, (size_t)(a->entries * code));
    stn_matrix_release(back);
}

static void check_spmv(spmv_case *c)
{
    uint8_t *expected = expected_spmv(c), *before = order_image(&c->y);
    stn_matrix *const a = csr_of(&c->a);
    stn_matrix *sliced;
    check_kind(c, a, expected, before);
    if (stn_sparse_convert(NULL, &sliced, a, STN_MATRIX_SLICED, NULL) != STN_OK)
        fail_msg("%s", stn_error());
    check_kind(c, sliced, expected, before);
    check_rows(c, sliced);
    stn_matrix_release(sliced);
    free(expected);
    free(before);
}

/* Any real format, the arithmetic type half of the time. */
static stn_format any_format(stn_format arithmetic, uint64_t *state)
{
    const uint64_t random = order_next(state);
    const stn_format format = (stn_format)(random / 2 % STN_BUILTIN_FORMATS);
    return random % 2 == 0 || !order_is_real(format) ? arithmetic : format;
}

static order_kind any_kind(uint64_t *state)
{
    const uint64_t random = order_next(state);
    return random % 4 ? ORDER_MIXED : (order_kind)(random / 4 % ORDER_KINDS);
}

/* x contiguous in the arithmetic type now and then: it is used where it lies. */
static spmv_case make_case(stn_format arithmetic, stn_storage storage, shape kind, int64_t rows,
                           int64_t columns, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1, -3};
    const uint64_t random = order_next(state);
    spmv_case c = {
        .arithmetic = arithmetic, .alpha = factors[random % 6], .beta = factors[random / 6 % 6]};
    c.a = make_sparse(kind, storage, any_kind(state), rows, columns, state);
    const stn_storage x = random >> 32 & 1
                              ? stn_storage_of(arithmetic)
                              : order_storage(arithmetic, any_format(arithmetic, state), state);
    c.x = order_make_vector(x, columns, order_pick(state, strides, 5), any_kind(state),
                            order_next(state));
    c.y = order_make_vector(order_target(arithmetic, any_format(arithmetic, state), state), rows,
                            order_pick(state, strides, 5), ORDER_MIXED, order_next(state));
    if (c.beta == 0.0) /* y is not read: NaN in most formats */
        memset(c.y.memory, 0xff, (size_t)c.y.bytes);
    return c;
}

static void drop_case(spmv_case *c)
{
    drop_sparse(&c->a);
    order_drop(&c->x);
    order_drop(&c->y);
}

static void try_case(stn_format arithmetic, stn_storage storage, shape kind, int64_t rows,
                     int64_t columns, uint64_t *state)
{
    spmv_case c = make_case(arithmetic, storage, kind, rows, columns, state);
    check_spmv(&c);
    drop_case(&c);
}

/* ---- what is tried ---- */

static void try_format(stn_format arithmetic, stn_format format, uint64_t *state)
{
    const stn_storage plain = stn_storage_of(format);
    try_case(arithmetic, plain, ANY, oracle_quick() ? 12 : 150, 1000, state);
    try_case(arithmetic, plain, COUNTED, oracle_quick() ? 20 : 150, 77, state);
    try_case(arithmetic, plain, STENCIL, oracle_quick() ? 41 : 70, 150, state);
    try_case(arithmetic, order_storage(arithmetic, format, state), WIDENED, 50, 50, state);
    if (format == STN_F64 || oracle_count(0, 0, 1)) { /* columns that 16 bits do not tell */
        try_case(arithmetic, plain, SHORT, 40, 100000, state);
        try_case(arithmetic, plain, ANY, 40, 100000, state);
    }
    for (int k = 0; k < oracle_count(1, 8, 20); k++) {
        const int64_t rows = 1 + (int64_t)(order_next(state) % 60);
        const int64_t columns = 1 + (int64_t)(order_next(state) % 500);
        try_case(arithmetic, k % 3 ? order_storage(arithmetic, format, state) : plain,
                 k % 2 ? SHORT : ANY, rows, columns, state);
    }
}

TEST_CASE(test_each_format)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_format(arithmetics[a], format, &state);
}

TEST_CASE(test_a_long_row)
{
    uint64_t state = 2;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format += oracle_quick() ? 6 : 1)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_case(arithmetics[a], order_storage(arithmetics[a], format, &state), LONG, 9, 3000,
                     &state);
}

TEST_CASE(test_nothing_to_do)
{
    uint64_t state = 3;
    for (int k = 0; k < 20; k++)
        for (int a = 0; a < 2; a++) {
            const stn_storage storage = stn_storage_of(any_format(arithmetics[a], &state));
            try_case(arithmetics[a], storage, SHORT, 0, 5, &state);
            try_case(arithmetics[a], storage, SHORT, 5, 0, &state);
            try_case(arithmetics[a], storage, SHORT, 0, 0, &state);
            try_case(arithmetics[a], storage, COUNTED, 1, 5, &state); /* no entries */
        }
}

TEST_CASE(test_modes_of_the_caller)
{
    uint64_t state = 4;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < (oracle_quick() ? 2 : 12) && order_is_real(format); k++)
            try_case(arithmetics[k % 2], order_storage(arithmetics[k % 2], format, &state), ANY, 20,
                     200, &state);
}

TEST_CASE(test_fewer_threads_than_asked)
{
    uint64_t state = 5;
    const int dynamic = omp_get_dynamic(), levels = omp_get_max_active_levels();
    omp_set_dynamic(1);
    omp_set_max_active_levels(0);
    for (int k = 0; k < 20; k++)
        try_case(arithmetics[k % 2], stn_storage_of(any_format(STN_F64, &state)), ANY, 50, 300,
                 &state);
    omp_set_max_active_levels(levels);
    omp_set_dynamic(dynamic);
}

RUN_TESTS(NULL, release_executors, UNIT(test_each_format), UNIT(test_a_long_row),
          UNIT(test_nothing_to_do), UNIT(test_fewer_threads_than_asked),
          cmocka_unit_test_setup_teardown(test_modes_of_the_caller, order_use_odd_modes,
                                          order_use_plain_modes))
