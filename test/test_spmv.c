/* stn_spmv gives the bits of order_oracle.c for every format, kind of matrix, row length, factor,
 * executor and instruction set, reads nothing beyond its arrays, and refuses what sparse.h says it
 * refuses. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "order_oracle.h"
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

static stn_csr csr_of(const sparse *s)
{
    stn_csr csr;
    const stn_status status =
        stn_csr_wrap(&csr, "mike", s->values.storage, s->rows, s->columns, s->row_start, s->column,
                     s->values.memory + s->values.first);
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
        order_put(&c->y, image, i, 0, order_encode(arithmetic, &c->y.storage, value, i, &events));
    }
    free(values);
    free(x);
    free(y);
    return image;
}

static const char *words_of(const spmv_case *c, int setting, stn_sparse_kind kind)
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

static void check_kind(spmv_case *c, const stn_csr *a, uint8_t *expected, const uint8_t *before)
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
static void check_rows(const spmv_case *c, const stn_csr *sliced)
{
    const stn_csr a = csr_of(&c->a);
    const int64_t code = a.entries ? (int64_t)oracle_formats[a.storage.format].bits / 8 : 0;
    stn_csr back;
    if (stn_sparse_convert(NULL, &back, sliced, STN_SPARSE_CSR, NULL) != STN_OK)
        fail_msg("%s", stn_error());
    assert_true(back.kind == STN_SPARSE_CSR && back.entries == a.entries);
    assert_memory_equal(a.row_start, back.row_start, (size_t)(a.rows + 1) * sizeof(int64_t));
    assert_memory_equal(a.column, back.column, (size_t)a.entries * sizeof(int32_t));
    assert_memory_equal(a.values, back.values, (size_t)(a.entries * code));
    assert_int_equal(stn_csr_release(&back), STN_OK);
}

static void check_spmv(spmv_case *c)
{
    uint8_t *expected = expected_spmv(c), *before = order_image(&c->y);
    const stn_csr a = csr_of(&c->a);
    stn_csr sliced;
    check_kind(c, &a, expected, before);
    if (stn_sparse_convert(NULL, &sliced, &a, STN_SPARSE_SLICED, NULL) != STN_OK)
        fail_msg("%s", stn_error());
    check_kind(c, &sliced, expected, before);
    check_rows(c, &sliced);
    assert_int_equal(stn_csr_release(&sliced), STN_OK);
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

static void test_each_format(void **context)
{
    (void)context;
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_format(arithmetics[a], format, &state);
}

static void test_a_long_row(void **context)
{
    (void)context;
    uint64_t state = 2;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format += oracle_quick() ? 6 : 1)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_case(arithmetics[a], order_storage(arithmetics[a], format, &state), LONG, 9, 3000,
                     &state);
}

static void test_nothing_to_do(void **context)
{
    (void)context;
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

static void test_modes_of_the_caller(void **context)
{
    (void)context;
    uint64_t state = 4;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < (oracle_quick() ? 2 : 12) && order_is_real(format); k++)
            try_case(arithmetics[k % 2], order_storage(arithmetics[k % 2], format, &state), ANY, 20,
                     200, &state);
}

static void test_fewer_threads_than_asked(void **context)
{
    (void)context;
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

/* ---- what stn_csr_wrap refuses ---- */

static const int64_t good_start[] = {0, 2, 2, 3};
static const int32_t good_column[] = {0, 4, 4};
static double good_values[4] = {1.0, 2.0, 3.0, 4.0};

/* The changed part of the arguments of a matrix of 3 x 5 with 3 entries. */
static void refuse_wrap(stn_status wanted, const char *word, stn_format format, int64_t rows,
                        int64_t columns, const int64_t *row_start, const int32_t *column,
                        const void *values)
{
    static const stn_csr zero;
    stn_csr csr;
    memset(&csr, 0xa5, sizeof csr);
    const stn_status status = stn_csr_wrap(&csr, "mike", stn_storage_of(format), rows, columns,
                                           row_start, column, values);
    if (status != wanted)
        fail_msg("%s, not %s, for '%s'", stn_status_name(status), stn_status_name(wanted), word);
    if (!strstr(stn_error(), word) || (wanted != STN_ERR_FORMAT && !strstr(stn_error(), "mike")))
        fail_msg("'%s' does not say '%s' and the label", stn_error(), word);
    assert_memory_equal(&csr, &zero, sizeof zero);
}

static void refuse_start(const char *word, int64_t first, int64_t second, int64_t third,
                         int64_t fourth)
{
    const int64_t start[] = {first, second, third, fourth};
    refuse_wrap(STN_ERR_RANGE, word, STN_F64, 3, 5, start, good_column, good_values);
}

static void refuse_column(const char *word, int32_t first, int32_t second, int32_t third)
{
    const int32_t column[] = {first, second, third};
    refuse_wrap(STN_ERR_RANGE, word, STN_F64, 3, 5, good_start, column, good_values);
}

static void test_refused_indices(void **context)
{
    (void)context;
    refuse_start("begins with 1", 1, 2, 2, 3);
    refuse_start("begins with -1", -1, 2, 2, 3);
    refuse_start("behind row 1", 0, 2, 1, 3);
    refuse_start("behind row 0", 0, -1, 2, 3);
    refuse_start("behind row 2", 0, 2, 2, INT64_MIN);
    refuse_start("behind row 1", 0, INT64_MAX, 2, 3);
    refuse_column("5 in row 0", 5, 4, 4);
    refuse_column("-1 in row 0", 0, -1, 4);
    refuse_column("5 in row 2", 0, 4, 5);
    refuse_column("2147483647 in row 2", 0, 4, INT32_MAX);
    refuse_wrap(STN_ERR_RANGE, "0 in row 0; there are 0 columns", STN_F64, 3, 0, good_start,
                good_column, good_values);
}

static void test_refused_matrices(void **context)
{
    (void)context;
    const int64_t wide = (int64_t)INT32_MAX + 1;
    char *odd = (char *)good_values + 1;
    refuse_wrap(STN_ERR_SHAPE, "-1", STN_F64, -1, 5, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_SHAPE, "-1", STN_F64, 3, -1, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_SHAPE, "2147483648", STN_F64, 3, wide, good_start, good_column,
                good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "row_start is NULL", STN_F64, 3, 5, NULL, good_column,
                good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "column is NULL", STN_F64, 3, 5, good_start, NULL, good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "values is NULL", STN_F64, 3, 5, good_start, good_column, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "aligned to 8", STN_F64, 3, 5, good_start, good_column, odd);
    refuse_wrap(STN_ERR_ARGUMENT, "aligned to 2", STN_F16, 3, 5, good_start, good_column, odd);
    refuse_wrap(STN_ERR_FORMAT, "", -1, 3, 5, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_FORMAT, "", 100000, 3, 5, good_start, good_column, good_values);
    assert_int_equal(stn_csr_wrap(NULL, "mike", stn_storage_of(STN_F64), 3, 5, good_start,
                                  good_column, good_values),
                     STN_ERR_ARGUMENT);
    stn_csr csr;
    assert_int_equal(stn_csr_wrap(&csr, NULL, stn_storage_of(STN_F64), 3, 5, NULL, NULL, NULL),
                     STN_ERR_ARGUMENT);
    const int64_t none[] = {0, 0};
    assert_int_equal(
        stn_csr_wrap(&csr, "mike", stn_storage_of(STN_F64), 1, INT32_MAX, none, NULL, NULL),
        STN_OK);
    assert_int_equal(csr.size, sizeof csr);
    assert_int_equal(
        stn_csr_wrap(&csr, "mike", stn_storage_of(STN_E4M3), 3, 5, good_start, good_column, odd),
        STN_OK);
}

/* ---- what stn_spmv refuses ---- */

typedef struct operands {
    double x[6], y[6];
    stn_csr a;
    stn_view xv, yv;
    const stn_exec *exec;
    stn_format arithmetic;
} operands;

static void make_operands(operands *o)
{
    const int64_t m = 3, n = 5;
    const stn_storage f64 = stn_storage_of(STN_F64);
    *o = (operands){.y = {1, 2, 3, 4, 5, 6}, .exec = order_use(1), .arithmetic = STN_F64};
    assert_int_equal(stn_csr_wrap(&o->a, "mike", f64, m, n, good_start, good_column, good_values),
                     STN_OK);
    assert_int_equal(stn_view_wrap(&o->xv, "xray", f64, o->x, 1, &n, NULL), STN_OK);
    assert_int_equal(stn_view_wrap(&o->yv, "yankee", f64, o->y, 1, &m, NULL), STN_OK);
}

static void refuse(const operands *o, stn_status wanted, const char *first, const char *second)
{
    for (int beta = 0; beta < 2; beta++) {
        const stn_status status =
            stn_spmv(o->exec, o->arithmetic, 2.0, &o->a, &o->xv, beta, &o->yv);
        if (status != wanted)
            fail_msg("%s, not %s", stn_status_name(status), stn_status_name(wanted));
        if (!strstr(stn_error(), first) || !strstr(stn_error(), second))
            fail_msg("'%s' does not say '%s' and '%s'", stn_error(), first, second);
    }
    for (int k = 0; k < 6; k++)
        assert_true(o->y[k] == k + 1.0 && good_values[k % 4] == k % 4 + 1.0);
}

static void test_refused_shapes(void **context)
{
    (void)context;
    operands o;
    make_operands(&o);
    o.xv.extent[0] = 4;
    refuse(&o, STN_ERR_SHAPE, "mike (3 x 5)", "xray (f64, 4)");
    make_operands(&o);
    o.yv.extent[0] = 4;
    refuse(&o, STN_ERR_SHAPE, "mike (3 x 5)", "yankee (f64, 4)");
    make_operands(&o);
    o.xv.rank = 2;
    refuse(&o, STN_ERR_SHAPE, "xray", "rank 2");
    make_operands(&o);
    o.yv.rank = 0;
    refuse(&o, STN_ERR_SHAPE, "yankee", "rank 0");
}

static void test_refused_operands(void **context)
{
    (void)context;
    operands o;
    make_operands(&o);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, NULL, &o.xv, 0, &o.yv), STN_ERR_ARGUMENT);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, &o.a, NULL, 0, &o.yv), STN_ERR_ARGUMENT);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, &o.a, &o.xv, 0, NULL), STN_ERR_ARGUMENT);
    o.exec = NULL;
    refuse(&o, STN_ERR_ARGUMENT, "exec", "NULL");
    make_operands(&o);
    o.yv.read_only = 1;
    refuse(&o, STN_ERR_ARGUMENT, "yankee (f64, 3)", "read-only");
    make_operands(&o);
    memset(&o.a, 0, sizeof o.a);
    refuse(&o, STN_ERR_ARGUMENT, "stn_csr_wrap", "");
    make_operands(&o);
    memset(&o.xv, 0, sizeof o.xv);
    refuse(&o, STN_ERR_ARGUMENT, "one of nothing", "");
    make_operands(&o);
    o.a.storage.scale = 0.0;
    refuse(&o, STN_ERR_ARGUMENT, "scale", "");
    make_operands(&o);
    o.arithmetic = STN_F16;
    refuse(&o, STN_ERR_UNSUPPORTED, "f64", "f32");
    make_operands(&o);
    o.a.storage.format = STN_C64;
    refuse(&o, STN_ERR_UNSUPPORTED, "c64", "f64");
    make_operands(&o);
    o.xv.storage.format = STN_C64;
    refuse(&o, STN_ERR_UNSUPPORTED, "c64", "f64");
}

static void test_refused_overlap(void **context)
{
    (void)context;
    operands o;
    make_operands(&o);
    o.xv.data = o.y + 1;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "overlaps xray");
    make_operands(&o);
    o.yv.data = good_values + 1;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "the values of mike");
    make_operands(&o);
    o.yv.stride[0] = 0;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "");
}

/* ---- mirrors ---- */

/* On the host a mirror is a copy of its own. */
static void test_mirrors(void **context)
{
    static const stn_csr zero;
    double expected[6], *values;
    operands o;
    stn_csr mirror;
    stn_view part;
    (void)context;
    make_operands(&o);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, &o.a, &o.xv, 1.0, &o.yv), STN_OK);
    memcpy(expected, o.y, sizeof expected);
    make_operands(&o);
    memset(&mirror, 0xa5, sizeof mirror);
    assert_int_equal(stn_csr_mirror(NULL, &mirror, &o.a), STN_OK);
    assert_true(mirror.entries == o.a.entries && mirror.values != o.a.values);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, &mirror, &o.xv, 1.0, &o.yv), STN_OK);
    assert_memory_equal(expected, o.y, sizeof expected);
    values = (double *)(uintptr_t)mirror.values;
    assert_int_equal(
        stn_view_wrap(&part, "part", stn_storage_of(STN_F64), values, 1, &o.yv.extent[0], NULL),
        STN_OK);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, &mirror, &o.xv, 1.0, &part),
                     STN_ERR_ALIAS);
    assert_int_equal(stn_csr_mirror(NULL, NULL, &o.a), STN_ERR_ARGUMENT);
    assert_int_equal(stn_csr_mirror(NULL, &o.a, &o.a), STN_ERR_ARGUMENT);
    assert_int_equal(stn_csr_release(NULL), STN_ERR_ARGUMENT);
    stn_csr copy = mirror;
    assert_int_equal(stn_csr_release(&mirror), STN_OK);
    assert_memory_equal(&mirror, &zero, sizeof zero);
    assert_int_equal(stn_csr_release(&mirror), STN_OK);
    assert_int_equal(stn_csr_release(&copy), STN_ERR_ARGUMENT);
    assert_int_equal(stn_csr_mirror(NULL, &mirror, &zero), STN_ERR_ARGUMENT);
    assert_int_equal(stn_csr_release(&o.a), STN_OK);
}

static void test_mirrors_without_memory(void **context)
{
    static const stn_csr zero;
    operands o;
    int64_t nth = 1;
    (void)context;
    make_operands(&o);
    for (; nth < 20; nth++) {
        stn_csr mirror;
        stn_fail_allocation(nth);
        const stn_status status = stn_csr_mirror(o.exec, &mirror, &o.a);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            assert_int_equal(stn_csr_release(&mirror), STN_OK);
            break;
        }
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_memory_equal(&mirror, &zero, sizeof zero);
    }
    assert_in_range(nth, 2, 19);
}

/* ---- conversions ---- */

static void refuse_convert(stn_status wanted, const char *word, stn_csr *made,
                           const stn_csr *matrix, stn_sparse_kind kind, const stn_storage *storage)
{
    static const stn_csr zero;
    if (made != matrix)
        memset(made, 0xa5, sizeof *made);
    assert_int_equal(stn_sparse_convert(NULL, made, matrix, kind, storage), wanted);
    if (!strstr(stn_error(), word))
        fail_msg("'%s' does not say '%s'", stn_error(), word);
    if (made != matrix)
        assert_memory_equal(made, &zero, sizeof zero);
}

static void test_refused_conversions(void **context)
{
    const stn_storage complex = stn_storage_of(STN_C64), none = {.scale = 1.0, .format = -1};
    stn_storage unscaled = stn_storage_of(STN_F32);
    stn_csr made, zero = {0};
    stn_sparse_kind kind = STN_SPARSE_AUTO;
    int64_t bytes;
    operands o;
    (void)context;
    make_operands(&o);
    unscaled.scale = 0.0;
    refuse_convert(STN_ERR_ARGUMENT, "NULL", &made, NULL, STN_SPARSE_CSR, NULL);
    refuse_convert(STN_ERR_ARGUMENT, "itself", &o.a, &o.a, STN_SPARSE_CSR, NULL);
    refuse_convert(STN_ERR_ARGUMENT, "stn_csr_wrap", &made, &zero, STN_SPARSE_CSR, NULL);
    refuse_convert(STN_ERR_ARGUMENT, "kind 6", &made, &o.a, (stn_sparse_kind)6, NULL);
    refuse_convert(STN_ERR_ARGUMENT, "kind -1", &made, &o.a, (stn_sparse_kind)-1, NULL);
    refuse_convert(STN_ERR_FORMAT, "mike", &made, &o.a, STN_SPARSE_CSR, &complex);
    refuse_convert(STN_ERR_FORMAT, "", &made, &o.a, STN_SPARSE_CSR, &none);
    refuse_convert(STN_ERR_ARGUMENT, "scale", &made, &o.a, STN_SPARSE_SLICED, &unscaled);
    assert_int_equal(stn_sparse_convert(NULL, NULL, &o.a, STN_SPARSE_CSR, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_sparse_bytes(&o.a, STN_F64, NULL, &bytes), STN_ERR_ARGUMENT);
    assert_int_equal(stn_sparse_bytes(&o.a, STN_F64, &kind, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_sparse_bytes(NULL, STN_F64, &kind, &bytes), STN_ERR_ARGUMENT);
    kind = STN_SPARSE_SLICED;
    assert_int_equal(stn_sparse_bytes(&o.a, -1, &kind, &bytes), STN_ERR_FORMAT);
}

/* Rows of 0, 2 and 1 entries, and of `long_row` in the last. */
static void make_uneven(stn_csr *csr, int64_t rows, int64_t long_row)
{
    static int64_t start[101];
    static int32_t column[600];
    static double values[600];
    for (int64_t r = 0; r < rows; r++)
        start[r + 1] = start[r] + (r == rows - 1 ? long_row : r % 3 == 1 ? 2 : r % 3 == 2);
    for (int64_t k = 0; k < start[rows]; k++) {
        column[k] = (int32_t)(k * 37 % 200);
        values[k] = (double)(k % 7) - 3.0;
    }
    assert_int_equal(
        stn_csr_wrap(csr, "uneven", stn_storage_of(STN_F64), rows, 200, start, column, values),
        STN_OK);
}

/* What was told is what is there, and the choice that of fewer bytes; values are converted. */
static void test_conversions(void **context)
{
    stn_storage halves = stn_storage_of(STN_I8);
    (void)context;
    halves.scale = 0.5;
    for (int64_t rows = 1; rows <= 100; rows += 9)
        for (int64_t more = 0; more <= 400; more += 100) {
            stn_csr csr, made, back;
            stn_sparse_kind sliced = STN_SPARSE_SLICED, chosen = STN_SPARSE_AUTO;
            stn_sparse_kind plain = STN_SPARSE_CSR;
            int64_t bytes, least, most, told;
            make_uneven(&csr, rows, more);
            assert_int_equal(stn_sparse_bytes(&csr, STN_I8, &sliced, &bytes), STN_OK);
            assert_int_equal(stn_sparse_bytes(&csr, STN_I8, &plain, &most), STN_OK);
            assert_int_equal(stn_sparse_bytes(&csr, STN_I8, &chosen, &least), STN_OK);
            assert_true(most == 8 * (rows + 1) + 5 * csr.entries);
            assert_true(least <= bytes && least <= most);
            assert_true(chosen != STN_SPARSE_SLICED || least == bytes);
            assert_int_equal(stn_sparse_convert(NULL, &made, &csr, sliced, &halves), STN_OK);
            assert_true(bytes == 16 * ((rows + 15) / 16 + 1) + 4 * made.words + made.slots);
            assert_int_equal(stn_sparse_bytes(&made, STN_I8, &sliced, &told), STN_OK);
            assert_true(told == bytes);
            assert_int_equal(stn_sparse_convert(NULL, &back, &made, STN_SPARSE_CSR, NULL), STN_OK);
            assert_true(back.storage.format == STN_I8 && back.storage.scale == 0.5);
            for (int64_t k = 0; k < csr.entries; k++)
                assert_true(((const int8_t *)back.values)[k] == k % 7 * 2 - 6 &&
                            back.column[k] == csr.column[k]);
            assert_int_equal(stn_csr_release(&made), STN_OK);
            assert_int_equal(stn_csr_release(&back), STN_OK);
        }
}

static void test_conversions_without_memory(void **context)
{
    static const stn_csr zero;
    const stn_storage narrow = stn_storage_of(STN_F16);
    stn_csr csr, sliced;
    (void)context;
    make_uneven(&csr, 60, 5);
    assert_int_equal(stn_sparse_convert(NULL, &sliced, &csr, STN_SPARSE_SLICED, NULL), STN_OK);
    for (int k = 0; k < 4; k++) {
        const stn_sparse_kind kind = k % 2 ? STN_SPARSE_SLICED : STN_SPARSE_CSR;
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            stn_csr made;
            stn_fail_allocation(nth);
            const stn_status status =
                stn_sparse_convert(NULL, &made, k / 2 ? &sliced : &csr, kind, &narrow);
            stn_fail_allocation(0);
            if (status == STN_OK) {
                assert_int_equal(stn_csr_release(&made), STN_OK);
                break;
            }
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_memory_equal(&made, &zero, sizeof zero);
        }
        assert_in_range(nth, 3, 19);
    }
    assert_int_equal(stn_csr_release(&sliced), STN_OK);
}

/* ---- memory ---- */

/* Let allocation 1, 2, ... fail until the call succeeds. Only loops of the values' format take
 * memory: for x decoded, where that is more than a tile. */
static void test_no_memory(void **context)
{
    enum { COLUMNS = 129 }; /* one more than a tile has */
    static double x[COLUMNS];
    const int64_t columns = COLUMNS;
    int64_t most = 0;
    (void)context;
    for (int setting = 0; setting < order_settings(); setting++) {
        operands o;
        make_operands(&o);
        o.exec = order_use(setting);
        o.a.columns = columns;
        assert_int_equal(stn_view_wrap(&o.xv, "x", stn_storage_of(STN_F64), x, 1, &columns, NULL),
                         STN_OK);
        o.xv.storage.scale = 0.5;
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            stn_fail_allocation(nth);
            const stn_status status = stn_spmv(o.exec, STN_F64, 2.0, &o.a, &o.xv, 1.0, &o.yv);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_non_null(strstr(stn_error(), "stn_spmv"));
            for (int k = 0; k < 6; k++)
                assert_true(o.y[k] == k + 1.0);
        }
        assert_in_range(nth, 1, 19);
        most = nth > most ? nth : most;
    }
    assert_true(most > 1);
}

static int release(void **context)
{
    (void)context;
    order_release_executors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_format),
        cmocka_unit_test(test_a_long_row),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test_setup_teardown(test_modes_of_the_caller, order_use_odd_modes,
                                        order_use_plain_modes),
        cmocka_unit_test(test_fewer_threads_than_asked),
        cmocka_unit_test(test_refused_indices),
        cmocka_unit_test(test_refused_matrices),
        cmocka_unit_test(test_refused_shapes),
        cmocka_unit_test(test_refused_operands),
        cmocka_unit_test(test_refused_overlap),
        cmocka_unit_test(test_mirrors),
        cmocka_unit_test(test_mirrors_without_memory),
        cmocka_unit_test(test_refused_conversions),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_conversions_without_memory),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("spmv", tests, NULL, release);
}
