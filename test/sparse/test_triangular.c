/* Triangular systems against substitution by order_oracle.c: every format, executor and structure
 * of levels gives its bits; long double confirms the bound; and what is refused. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

/* ---- matrices ---- */

typedef enum structure {
    FEW,    /* some entries anywhere: many levels */
    GRID,   /* a 5-point stencil */
    ALONE,  /* the diagonal */
    CHAIN,  /* and one neighbour: a level for each row */
    LONG,   /* rows of more than a tile */
    HALVES, /* two levels of many rows */
    STRUCTURES
} structure;

typedef struct system {
    int64_t rows, *start;
    int32_t *column;
    order_array values;
    stn_matrix *csr;
} system_t;

static double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 40) / (double)(1 << 24) - 0.5;
}

/* The columns of row i beside the diagonal, in any order, some of them twice. */
static int64_t columns_of(structure kind, int64_t i, int64_t rows, uint64_t *state, int64_t *column)
{
    const int64_t edge = 23, near[] = {i + edge, i - 1, i + 1, i - edge};
    int64_t count = 0;
    if (kind == GRID || kind == CHAIN)
        for (int k = kind == CHAIN; k < (kind == CHAIN ? 3 : 4); k++)
            if (near[k] >= 0 && near[k] < rows)
                column[count++] = near[k];
    const int64_t most = kind == FEW ? (int64_t)(order_next(state) % 5) : kind == LONG ? 300 : 0;
    while (count < most && rows > 1) {
        const int64_t j = (int64_t)(order_next(state) % (uint64_t)rows);
        if (j != i)
            column[count++] = j;
    }
    if (kind == HALVES && rows > 1)
        column[count++] = (i + rows / 2) % rows == i ? 0 : (i + rows / 2) % rows;
    return count;
}

static stn_storage storage_of(stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    if (oracle_formats[format].kind == ORACLE_INTEGER)
        storage.scale = 0x1p-4;
    return storage;
}

static system_t make_system(structure kind, stn_format format, int64_t rows, uint64_t *state)
{
    system_t s = {.rows = rows};
    int64_t column[301], at = 0;
    s.start = malloc((size_t)(rows + 1) * sizeof *s.start);
    s.column = malloc((size_t)(rows * 301 + 1) * sizeof *s.column);
    double *const value = malloc((size_t)(rows * 301 + 1) * sizeof *value);
    assert_true(s.start && s.column && value);
    for (int64_t i = 0; i < rows; i++) {
        s.start[i] = at;
        const int64_t count = columns_of(kind, i, rows, state, column);
        const int64_t middle = (int64_t)(order_next(state) % (uint64_t)(count + 1));
        for (int64_t e = 0; e <= count; e++, at++) {
            s.column[at] = (int32_t)(e == middle ? i : column[e < middle ? e : e - 1]);
            value[at] = e == middle ? 3.0 + 3.0 * draw(state) : draw(state);
        }
    }
    s.start[rows] = at;
    const stn_storage storage = storage_of(format);
    s.values = order_make_vector(storage, at, 1, ORDER_MIXED, 1);
    uint8_t *const image = order_image(&s.values);
    for (int64_t k = 0; k < at; k++) {
        unsigned events = 0;
        order_put(&s.values, image, k, 0, order_encode(STN_F64, &storage, value[k], k, &events));
    }
    memcpy(s.values.memory, image, (size_t)s.values.bytes);
    free(image);
    free(value);
    expect_ok(wrap_csr(&s.csr, "mike", storage, rows, rows, s.start, s.column,
                       s.values.memory + s.values.first));
    return s;
}

static void drop_system(system_t *s)
{
    free(s->start);
    free(s->column);
    order_drop(&s->values);
}

/* ---- one system ---- */

typedef struct task {
    stn_format arithmetic;
    stn_triangle triangle;
    stn_diagonal diagonal;
    order_array b, x;
} task;

static double divide(stn_format arithmetic, double a, double b)
{
    return arithmetic == STN_F64 ? a / b : (double)((float)a / (float)b);
}

static int is_beside(const task *t, int64_t i, int64_t j)
{
    return t->triangle == STN_LOWER ? j < i : j > i;
}

/* The solution; *longest: entries of the longest row. */
static double *substitute(const system_t *s, const task *t, const double *b, int64_t *longest)
{
    double *const values = order_values(t->arithmetic, &s->values);
    double *const x = malloc((size_t)(s->rows + 1) * sizeof *x), left[301], right[301];
    assert_non_null(x);
    *longest = 1;
    for (int64_t n = 0; n < s->rows; n++) {
        const int64_t i = t->triangle == STN_LOWER ? n : s->rows - 1 - n;
        int64_t count = 0;
        double diagonal = 1.0;
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            if (s->column[k] == i && t->diagonal == STN_DIAGONAL_NON_UNIT)
                diagonal = values[k];
            if (!is_beside(t, i, s->column[k]))
                continue;
            left[count] = values[k];
            right[count++] = x[s->column[k]];
        }
        const double sum = order_dot(t->arithmetic, left, right, count);
        const double rest = order_add(t->arithmetic, b[i], -sum);
        x[i] = t->diagonal == STN_DIAGONAL_UNIT ? rest : divide(t->arithmetic, rest, diagonal);
        *longest = count > *longest ? count : *longest;
    }
    free(values);
    return x;
}

static void check_bound(const system_t *s, const task *t, const double *b, const double *x,
                        int64_t longest)
{
    double *const values = order_values(t->arithmetic, &s->values);
    const long double u = t->arithmetic == STN_F64 ? 0x1p-53L : 0x1p-24L;
    const long double d = ceill(log2l((long double)longest));
    for (int64_t i = 0; i < s->rows; i++) {
        long double rest = (long double)b[i], size = fabsl(rest);
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            const int is_unit = s->column[k] == i && t->diagonal == STN_DIAGONAL_UNIT;
            if (s->column[k] != i && !is_beside(t, i, s->column[k]))
                continue;
            const long double a = is_unit ? 1 : (long double)values[k];
            rest -= a * (long double)x[s->column[k]];
            size += fabsl(a * (long double)x[s->column[k]]);
        }
        const long double least = t->arithmetic == STN_F64 ? 0x1p-1070L : 0x1p-145L; /* subnormal */
        if (isfinite(size) && !(fabsl(rest) <= (d + 3) * u * size + 300 * least))
            fail_msg("row %" PRId64 ": %Lg of %Lg", i, rest, size);
    }
    free(values);
}

static uint8_t *expected_image(const system_t *s, task *t)
{
    double *const b = order_values(t->arithmetic, &t->b);
    int64_t longest;
    double *const x = substitute(s, t, b, &longest);
    uint8_t *const image = order_image(&t->x);
    for (int64_t i = 0; i < s->rows; i++) {
        unsigned events = 0;
        order_put(&t->x, image, i, 0, order_encode(t->arithmetic, &t->x.storage, x[i], i, &events));
    }
    check_bound(s, t, b, x, longest);
    free(b);
    free(x);
    return image;
}

static void run_settings(const system_t *s, const stn_matrix *a, task *t, int is_in_place,
                         uint8_t *expected, const uint8_t *before)
{
    const stn_view x = order_view(&t->x, "xray"), b = order_view(&t->b, "bravo");
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_triangular *made;
        char words[300];
        if (!order_has_turn(setting, (int)(s->rows + t->arithmetic)))
            continue;
        const stn_exec *const exec = order_use(setting);
        snprintf(words, sizeof words,
                 "%s, %s, triangle %d, diagonal %d, kind %d, %" PRId64 " rows of %s, in place %d",
                 oracle_formats[t->arithmetic].name, order_setting_name(setting), (int)t->triangle,
                 (int)t->diagonal, (int)a->kind, s->rows,
                 oracle_formats[s->values.storage.format].name, is_in_place);
        memcpy(t->x.memory, before, (size_t)t->x.bytes);
        expect_ok(stn_triangular_create(exec, &made, a, t->triangle, t->diagonal));
        const order_modes saved = order_begin();
        const stn_status status =
            stn_triangular_solve(exec, t->arithmetic, &x, made, is_in_place ? &x : &b);
        order_end(status, saved, words);
        order_check(&t->x, expected, words);
        stn_triangular_release(made);
    }
}

static order_array vector_of(const task *t, int is_target, int64_t rows, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    const int is_plain = order_next(state) % 2 == 0;
    stn_format format = formats[order_next(state) % 4];
    if (is_plain)
        format = t->arithmetic;
    const stn_storage storage = is_plain    ? stn_storage_of(format)
                                : is_target ? order_target(t->arithmetic, format, state)
                                            : storage_of(format);
    return order_make_vector(storage, rows, is_plain ? 1 : order_pick(state, strides, 4),
                             ORDER_MIXED, order_next(state));
}

static void try_system(structure kind, stn_format format, int64_t rows, uint64_t *state)
{
    const uint64_t random = order_next(state);
    system_t s = make_system(kind, format, rows, state);
    stn_matrix *sliced;
    expect_ok(stn_sparse_convert(NULL, &sliced, s.csr, STN_MATRIX_SLICED, NULL));
    for (int k = 0; k < 4; k++) {
        task t = {.arithmetic = (random + (uint64_t)k) % 2 ? STN_F64 : STN_F32,
                  .triangle = k / 2 ? STN_UPPER : STN_LOWER,
                  .diagonal = random / 2 % 3 == 0 ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT};
        const int is_in_place = random / 8 % 2 == 0;
        t.x = vector_of(&t, 1, rows, state);
        t.b = is_in_place ? t.x : vector_of(&t, 0, rows, state);
        uint8_t *const before = order_image(&t.x), *const expected = expected_image(&s, &t);
        run_settings(&s, k % 2 ? s.csr : sliced, &t, is_in_place, expected, before);
        free(before);
        free(expected);
        if (!is_in_place)
            order_drop(&t.b);
        order_drop(&t.x);
    }
    stn_matrix_release(sliced);
    drop_system(&s);
}

TEST_CASE(test_systems)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (structure kind = FEW; kind < STRUCTURES && order_is_real(format); kind++) {
            if (kind >= ALONE && (format + (int)kind) % 3 && !oracle_count(0, 0, 1))
                continue;
            try_system(kind, format, kind == LONG ? 200 : kind == GRID ? 529 : 100, &state);
        }
}

TEST_CASE(test_many_rows)
{
    uint64_t state = 2;
    try_system(HALVES, STN_F64, oracle_quick() ? 10001 : 60001, &state); /* several threads */
    try_system(HALVES, STN_F16, 30000, &state);
    try_system(GRID, STN_F32, 5000, &state);
    for (int64_t rows = 0; rows < 4; rows++)
        try_system(FEW, STN_F64, rows, &state);
}

/* Levels are those of the rows' needs, and narrow values are fewer bytes. */
TEST_CASE(test_what_is_told)
{
    uint64_t state = 3;
    stn_triangular *wide, *narrow, *other;
    system_t s = make_system(GRID, STN_F64, 529, &state),
             h = make_system(GRID, STN_F16, 529, &state);
    expect_ok(stn_triangular_create(order_use(1), &wide, s.csr, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    expect_ok(
        stn_triangular_create(order_use(1), &narrow, h.csr, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    expect_ok(stn_triangular_create(order_use(1), &other, h.csr, STN_UPPER, STN_DIAGONAL_UNIT));
    assert_int_equal(triangular_info(wide).levels,
                     529); /* the row before is a neighbour across the edge, too */
    assert_int_equal(triangular_info(wide).rows, 529);
    assert_true(triangular_info(narrow).bytes < triangular_info(wide).bytes &&
                triangular_info(other).bytes < triangular_info(narrow).bytes);
    stn_triangular_release(wide);
    stn_triangular_release(narrow);
    stn_triangular_release(other);
    drop_system(&s);
    drop_system(&h);
    s = make_system(HALVES, STN_F64, 100, &state);
    expect_ok(stn_triangular_create(order_use(1), &wide, s.csr, STN_UPPER, STN_DIAGONAL_NON_UNIT));
    assert_int_equal(triangular_info(wide).levels, 2);
    stn_triangular_release(wide);
    drop_system(&s);
}

/* ---- refusals ---- */

static void refuse_make(const stn_matrix *a, int triangle, int diagonal, stn_status wanted,
                        const char *word)
{
    stn_triangular *made;
    memset(&made, 7, sizeof made);
    expect_error(stn_triangular_create(order_use(1), &made, a, (stn_triangle)triangle,
                                       (stn_diagonal)diagonal),
                 wanted, word);
    assert_null(made);
}

TEST_CASE(test_refused_matrices)
{
    static const int64_t start[] = {0, 1, 3, 5};
    static const int32_t column[] = {0, 0, 1, 1, 2}, hole[] = {0, 0, 2, 1, 2},
                         twice[] = {0, 1, 1, 1, 2};
    static const double values[] = {1, 2, 3, 4, 0};
    stn_matrix *a;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_triangular *made;
    expect_ok(wrap_csr(&a, "mike", f64, 3, 3, start, column, values));
    refuse_make(a, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "mike is 0 in row 2");
    refuse_make(a, STN_UPPER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "mike is 0 in row 2");
    refuse_make(a, 2, STN_DIAGONAL_UNIT, STN_ERR_ARGUMENT, "triangle is 2");
    refuse_make(a, STN_LOWER, 3, STN_ERR_ARGUMENT, "diagonal is 3");
    refuse_make(NULL, STN_LOWER, STN_DIAGONAL_UNIT, STN_ERR_ARGUMENT, "NULL");
    expect_ok(stn_triangular_create(order_use(1), &made, a, STN_LOWER, STN_DIAGONAL_UNIT));
    stn_triangular_release(made);
    expect_ok(wrap_csr(&a, "mike", f64, 3, 3, start, hole, values));
    refuse_make(a, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT,
                "row 1 of mike has no entry");
    expect_ok(wrap_csr(&a, "mike", f64, 3, 3, start, twice, values));
    refuse_make(a, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "row 1 of mike has two");
    expect_ok(wrap_csr(&a, "mike", f64, 3, 4, start, column, values));
    refuse_make(a, STN_LOWER, STN_DIAGONAL_UNIT, STN_ERR_SHAPE, "mike (3 x 4)");
    expect_error(stn_triangular_create(order_use(1), NULL, a, STN_LOWER, STN_DIAGONAL_UNIT),
                 STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_triangular_create(NULL, &made, a, STN_LOWER, STN_DIAGONAL_UNIT),
                 STN_ERR_ARGUMENT, "NULL");
    stn_triangular_release(NULL);
}

typedef struct small {
    double b[6], x[6];
    stn_view bv, xv;
    stn_format arithmetic;
} small;

static small make_small(void)
{
    const int64_t rows = 3;
    small s = {.x = {1, 2, 3, 4, 5, 6}, .arithmetic = STN_F64};
    expect_ok(stn_view_wrap(&s.bv, "bravo", stn_storage_of(STN_F64), s.b, 1, &rows));
    expect_ok(stn_view_wrap(&s.xv, "xray", stn_storage_of(STN_F64), s.x, 1, &rows));
    return s;
}

static void refuse_solve(const stn_triangular *t, const small *s, stn_status wanted,
                         const char *word)
{
    static const char call[] = "stn_triangular_solve";
    expect_error(stn_triangular_solve(order_use(1), s->arithmetic, &s->xv, t, &s->bv), wanted,
                 word);
    if (strncmp(stn_error(), call, strlen(call)) != 0 || strstr(stn_error() + 1, call))
        fail_msg("'%s' does not name the call once", stn_error());
    for (int k = 0; k < 6; k++)
        assert_true(s->x[k] == k + 1.0);
}

TEST_CASE(test_refused_vectors)
{
    static const int64_t start[] = {0, 1, 2, 3};
    static const int32_t column[] = {0, 1, 2};
    static const double values[] = {1, 2, 3};
    stn_matrix *a;
    stn_triangular *t;
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 3, 3, start, column, values));
    expect_ok(stn_triangular_create(order_use(1), &t, a, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    static small s; /* views point into it */
#define AGAIN()                                                                                    \
    do {                                                                                           \
        s = make_small();                                                                          \
        s.bv.data = s.b;                                                                           \
        s.xv.data = s.x;                                                                           \
    } while (0)
    AGAIN();
    s.bv.extent[0] = 2;
    refuse_solve(t, &s, STN_ERR_SHAPE, "mike has 3 rows");
    AGAIN();
    s.xv.extent[0] = 4;
    refuse_solve(t, &s, STN_ERR_SHAPE, "xray");
    AGAIN();
    s.bv.data = s.x + 1;
    refuse_solve(t, &s, STN_ERR_ALIAS, "overlaps bravo");
    AGAIN();
    s.xv.stride[0] = 0;
    refuse_solve(t, &s, STN_ERR_ALIAS, "repeats");
    AGAIN();
    s.xv.read_only = 1;
    refuse_solve(t, &s, STN_ERR_ARGUMENT, "read-only");
    AGAIN();
    s.arithmetic = STN_F16;
    refuse_solve(t, &s, STN_ERR_UNSUPPORTED, "f64");
    AGAIN();
    refuse_solve(NULL, &s, STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_triangular_solve(NULL, STN_F64, &s.xv, t, &s.bv), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_triangular_solve(order_use(1), STN_F64, &s.xv, t, NULL), STN_ERR_ARGUMENT,
                 "NULL");
    stn_triangular_release(t);
}

TEST_CASE(test_without_memory)
{
    uint64_t state = 4;
    system_t s = make_system(HALVES, STN_F16, 200, &state);
    stn_triangular *t;
    int64_t nth = 1;
    for (; nth < 40; nth++) {
        stn_fail_allocation(nth);
        const stn_status status =
            stn_triangular_create(order_use(1), &t, s.csr, STN_LOWER, STN_DIAGONAL_NON_UNIT);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(t);
    }
    assert_in_range(nth, 6, 39);
    static float b[200], x[200];
    const int64_t rows = 200;
    stn_view bv, xv;
    expect_ok(stn_view_wrap(&bv, "b", stn_storage_of(STN_F32), b, 1, &rows));
    expect_ok(stn_view_wrap(&xv, "x", stn_storage_of(STN_F32), x, 1, &rows));
    for (nth = 1; nth < 10; nth++) {
        x[0] = 7;
        stn_fail_allocation(nth);
        const stn_status status = stn_triangular_solve(order_use(1), STN_F64, &xv, t, &bv);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        expect_error(status, STN_ERR_MEMORY, "");
        assert_true(x[0] == 7);
    }
    assert_in_range(nth, 1, 9);
    stn_triangular_release(t);
    drop_system(&s);
}

TEST_CASE(test_device)
{
    stn_exec *device;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    uint64_t state = 5;
    enum { ROWS = 529 };
    static double b[ROWS], here[ROWS], there[ROWS];
    const int64_t rows = ROWS;
    for (int i = 0; i < ROWS; i++)
        b[i] = draw(&state);
    for (structure kind = FEW; kind < STRUCTURES; kind++) {
        system_t s = make_system(kind, kind % 2 ? STN_F16 : STN_F64, ROWS, &state);
        stn_triangular *t;
        stn_view from, to, x;
        expect_ok(stn_view_wrap(&from, "b", stn_storage_of(STN_F64), b, 1, &rows));
        expect_ok(stn_view_wrap(&to, "x", stn_storage_of(STN_F64), here, 1, &rows));
        expect_ok(stn_triangular_create(order_use(1), &t, s.csr, STN_UPPER, STN_DIAGONAL_NON_UNIT));
        expect_ok(stn_triangular_solve(order_use(1), STN_F64, &to, t, &from));
        stn_triangular_release(t);
        expect_ok(stn_view_create(device, &x, "x", stn_storage_of(STN_F64), 1, &rows));
        expect_ok(stn_view_copy(device, &x, &from));
        expect_ok(stn_triangular_create(device, &t, s.csr, STN_UPPER, STN_DIAGONAL_NON_UNIT));
        expect_ok(stn_triangular_solve(device, STN_F64, &x, t, &x));
        expect_ok(stn_view_wrap(&to, "x", stn_storage_of(STN_F64), there, 1, &rows));
        expect_ok(stn_view_copy(device, &to, &x));
        expect_ok(stn_exec_wait(device));
        assert_memory_equal(here, there, sizeof here);
        stn_triangular_release(t);
        expect_ok(stn_view_release(&x));
        drop_system(&s);
    }
    stn_exec_release(device);
}

RUN_TESTS(NULL, release_executors, UNIT(test_systems), UNIT(test_many_rows),
          UNIT(test_what_is_told), UNIT(test_refused_matrices), UNIT(test_refused_vectors),
          UNIT(test_without_memory), UNIT(test_device),
          cmocka_unit_test_setup_teardown(test_many_rows, order_use_odd_modes,
                                          order_use_plain_modes))
