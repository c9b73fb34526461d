/* Triangular systems against substitution row by row in the order of sums, real and complex, with
 * real and complex matrices: every format, executor and structure of levels has its bits; long
 * double confirms the error bound; calls without memory. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "matrix.h"
#include "order_complex.h"

/* ---- matrices ---- */

typedef enum structure {
    FEW,    /* some entries anywhere: many levels */
    GRID,   /* a 5-point stencil */
    ALONE,  /* the diagonal */
    CHAIN,  /* and one neighbor: a level for each row */
    LONG,   /* rows of more than a tile */
    HALVES, /* two levels of many rows */
    STRUCTURES
} structure;

enum { LONGEST = 301 };

/* Matrix and arithmetic; values are those decoded in the arithmetic. */
typedef struct problem {
    stn_format arithmetic, real; /* real: of parts */
    int is_wide, parts, value_parts;
    stn_storage storage;
    int64_t rows, *start;
    int32_t *column;
    stn_c128 *value;
    uint8_t *codes;
    stn_matrix *csr;
} problem;

static double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 40) / (double)(1 << 24) - 0.5;
}

/* Columns of row i off the diagonal, in any order, some of them twice. */
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

/* Real formats have one part, which is the format itself. */
static stn_storage storage_of_parts(stn_storage storage)
{
    storage.format = (stn_format)oracle_formats[storage.format].component;
    return storage;
}

static int parts_of(stn_format format)
{
    return oracle_formats[format].component == (int32_t)format ? 1 : 2;
}

static void put_value(problem *p, int64_t k, double re, double im)
{
    const stn_storage part = storage_of_parts(p->storage);
    const size_t bytes = (size_t)oracle_formats[part.format].bits / 8;
    double parts[2] = {re, im};
    for (int e = 0; e < p->value_parts; e++) {
        unsigned events = 0;
        const uint64_t code = order_encode(STN_F64, &part, parts[e], k, &events);
        memcpy(p->codes + (size_t)(k * p->value_parts + e) * bytes, &code, bytes);
        parts[e] = order_decode(p->real, &part, code);
    }
    p->value[k] = stn_c128_of(parts[0], p->value_parts == 2 ? parts[1] : 0.0);
}

static problem make_problem(structure kind, stn_format arithmetic, stn_storage storage,
                            int64_t rows, uint64_t *state)
{
    const size_t most = (size_t)rows * (kind == LONG ? LONGEST : 6) + 1;
    problem p = {.arithmetic = arithmetic,
                 .real = (stn_format)oracle_formats[arithmetic].component,
                 .parts = parts_of(arithmetic),
                 .value_parts = parts_of(storage.format),
                 .storage = storage,
                 .rows = rows,
                 .start = malloc((size_t)(rows + 1) * sizeof *p.start),
                 .column = malloc(most * sizeof *p.column),
                 .value = malloc(most * sizeof *p.value),
                 .codes = malloc(most * 16)};
    int64_t column[LONGEST], at = 0;
    assert_true(p.start && p.column && p.value && p.codes);
    p.is_wide = p.real == STN_F64;
    for (int64_t i = 0; i < rows; i++) {
        p.start[i] = at;
        const int64_t count = columns_of(kind, i, rows, state, column);
        const int64_t middle = (int64_t)(order_next(state) % (uint64_t)(count + 1));
        for (int64_t e = 0; e <= count; e++, at++) {
            const int is_diagonal = e == middle;
            p.column[at] = (int32_t)(is_diagonal ? i : column[e < middle ? e : e - 1]);
            const double re = is_diagonal ? 3.0 + 3.0 * draw(state) : draw(state);
            put_value(&p, at, re, is_diagonal ? 2.0 + draw(state) : draw(state));
        }
    }
    p.start[rows] = at;
    expect_ok(wrap_csr(&p.csr, "mike", storage, rows, rows, p.start, p.column, p.codes));
    return p;
}

static void drop_problem(problem *p)
{
    stn_matrix_release(p->csr);
    free(p->start);
    free(p->column);
    free(p->value);
    free(p->codes);
}

/* ---- vectors: of parts in rows of one or two elements ---- */

static order_array make_vector(const problem *p, stn_storage part, int64_t stride, uint64_t *state)
{
    const int64_t extents[2] = {p->rows, p->parts}, strides[2] = {stride * p->parts, 1};
    return order_make(part, p->parts, extents, strides, ORDER_MIXED, order_next(state));
}

static stn_storage storage_of(stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    if (oracle_formats[format].kind == ORACLE_INTEGER)
        storage.scale = 0x1p-4;
    return storage;
}

/* Half of them contiguous and in the arithmetic type. */
static order_array any_vector(const problem *p, int is_target, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    const int is_plain = order_next(state) % 2 == 0;
    const stn_format format = formats[order_next(state) % (p->parts == 2 ? 3 : 4)];
    if (is_plain)
        return make_vector(p, stn_storage_of(p->real), 1, state);
    return make_vector(
        p, is_target && p->parts == 1 ? order_target(p->real, format, state) : storage_of(format),
        order_pick(state, strides, 4), state);
}

static stn_view view_of(const problem *p, const order_array *vector, const char *label)
{
    stn_storage storage = vector->storage;
    const int64_t stride = vector->stride[0] / p->parts;
    stn_view view;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS && p->parts == 2; format++)
        if (parts_of(format) == 2 && oracle_formats[format].component == vector->storage.format)
            storage.format = format;
    expect_ok(
        stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = label, .storage = storage,
                                                 .data = vector->memory + vector->first, .rank = 1,
                                                 .extents = &p->rows, .strides = &stride)));
    return view;
}

/* ---- one system ---- */

typedef struct task {
    stn_triangle triangle;
    stn_diagonal diagonal;
    order_array b, x;
} task;

static int is_off_diagonal(const task *t, int64_t i, int64_t j)
{
    return t->triangle == STN_LOWER ? j < i : j > i;
}

static stn_c128 divide(const problem *p, stn_c128 a, stn_c128 b)
{
    if (p->value_parts == 1)
        return p->is_wide ? stn_c128_of(a.re / b.re, a.im / b.re)
                          : stn_c128_of((double)((float)a.re / (float)b.re),
                                        (double)((float)a.im / (float)b.re));
    if (p->is_wide)
        return stn_c128_divide(a, b);
    const stn_c64 q =
        stn_c64_divide(stn_c64_of((float)a.re, (float)a.im), stn_c64_of((float)b.re, (float)b.im));
    return stn_c128_of((double)q.re, (double)q.im);
}

/* A row of real values has the sums of both parts. */
static stn_c128 sum_of(const problem *p, const stn_c128 *a, const stn_c128 *x, int64_t count)
{
    static double real[LONGEST], re[LONGEST], im[LONGEST];
    if (p->value_parts == 2)
        return row_sum(p->is_wide, a, x, count);
    for (int64_t e = 0; e < count; e++) {
        real[e] = a[e].re;
        re[e] = x[e].re;
        im[e] = x[e].im;
    }
    return stn_c128_of(order_dot(p->real, real, re, count), order_dot(p->real, real, im, count));
}

/* The solution of b, whose elements are replaced; returns the entries of the longest row. */
static int64_t substitute(const problem *p, const task *t, const stn_c128 *b, stn_c128 *solution)
{
    static stn_c128 a[LONGEST], x[LONGEST];
    int64_t longest = 1;
    for (int64_t n = 0; n < p->rows; n++) {
        const int64_t i = t->triangle == STN_LOWER ? n : p->rows - 1 - n;
        stn_c128 diagonal = {1, 0};
        int64_t count = 0;
        for (int64_t k = p->start[i]; k < p->start[i + 1]; k++) {
            if (p->column[k] == i)
                diagonal = p->value[k];
            if (!is_off_diagonal(t, i, p->column[k]))
                continue;
            a[count] = p->value[k];
            x[count++] = solution[p->column[k]];
        }
        const stn_c128 sum = sum_of(p, a, x, count);
        const stn_c128 rest = plus(p->is_wide, b[i], stn_c128_of(-sum.re, -sum.im));
        solution[i] = t->diagonal == STN_DIAGONAL_UNIT ? rest : divide(p, rest, diagonal);
        longest = count > longest ? count : longest;
    }
    return longest;
}

static long double complex wide(stn_c128 z)
{
    return (long double)z.re + (long double)z.im * I;
}

/* |b - T x| <= (d + 3) u (|T| |x| + |b|); with complex values 2 (d + 4) u. */
static void check_bound(const problem *p, const task *t, const stn_c128 *b, const stn_c128 *x,
                        int64_t longest)
{
    const long double u = p->is_wide ? 0x1p-53L : 0x1p-24L, d = ceill(log2l(longest));
    const long double least = p->is_wide ? 0x1p-1070L : 0x1p-145L; /* subnormal */
    const long double factor = p->parts == 2 ? 2 * (d + 4) : d + 3;
    for (int64_t i = 0; i < p->rows; i++) {
        long double complex rest = wide(b[i]);
        long double size = cabsl(rest);
        for (int64_t k = p->start[i]; k < p->start[i + 1]; k++) {
            const int is_diagonal = p->column[k] == i;
            if (!is_diagonal && !is_off_diagonal(t, i, p->column[k]))
                continue;
            const long double complex a =
                is_diagonal && t->diagonal == STN_DIAGONAL_UNIT ? 1 : wide(p->value[k]);
            rest -= a * wide(x[p->column[k]]);
            size += cabsl(a) * cabsl(wide(x[p->column[k]]));
        }
        if (isfinite(size) && !(cabsl(rest) <= factor * u * size + 300 * least))
            fail_msg("row %d: %Lg of %Lg", (int)i, cabsl(rest), size);
    }
}

static uint8_t *expected_image(const problem *p, task *t)
{
    double *const parts = order_values(p->real, &t->b);
    stn_c128 *const b = calloc((size_t)p->rows + 1, sizeof *b);
    stn_c128 *const x = calloc((size_t)p->rows + 1, sizeof *x);
    uint8_t *const image = order_image(&t->x);
    assert_true(b && x);
    for (int64_t i = 0; i < p->rows; i++)
        b[i] = stn_c128_of(parts[i * p->parts], p->parts == 2 ? parts[2 * i + 1] : 0.0);
    const int64_t longest = substitute(p, t, b, x);
    check_bound(p, t, b, x, longest);
    for (int64_t i = 0; i < p->rows; i++)
        for (int e = 0; e < p->parts; e++) {
            unsigned events = 0;
            order_put(&t->x, image, i, e,
                      order_encode(p->real, &t->x.storage, e ? x[i].im : x[i].re, i, &events));
        }
    free(parts);
    free(b);
    free(x);
    return image;
}

static void run_settings(const problem *p, const stn_matrix *a, task *t, int is_in_place,
                         uint8_t *expected, const uint8_t *before)
{
    const stn_view x = view_of(p, &t->x, "xray"), b = view_of(p, &t->b, "bravo");
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_triangular *made;
        char words[300];
        if (!order_has_turn(setting, (int)(p->rows + p->arithmetic)))
            continue;
        const stn_exec *const exec = order_use(setting);
        snprintf(words, sizeof words,
                 "%s, %s, triangle %d, diagonal %d, kind %d, %d rows of %s, in place %d",
                 oracle_formats[p->arithmetic].name, order_setting_name(setting), (int)t->triangle,
                 (int)t->diagonal, (int)a->kind, (int)p->rows,
                 oracle_formats[p->storage.format].name, is_in_place);
        memcpy(t->x.memory, before, (size_t)t->x.bytes);
        expect_ok(stn_triangular_create(exec, &made, a, t->triangle, t->diagonal));
        const order_modes saved = order_begin();
        const stn_status status =
            stn_triangular_solve(exec, p->arithmetic, &x, made, is_in_place ? &x : &b);
        order_end(status, saved, words);
        order_check(&t->x, expected, words);
        stn_triangular_release(made);
    }
}

/* Both triangles, of compressed rows or of slices. */
static void try_system(structure kind, stn_format arithmetic, stn_storage storage, int64_t rows,
                       uint64_t *state)
{
    const uint64_t random = order_next(state);
    problem p = make_problem(kind, arithmetic, storage, rows, state);
    stn_matrix *sliced;
    expect_ok(stn_sparse_convert(NULL, &sliced, p.csr, STN_MATRIX_SLICED, NULL));
    for (int k = 0; k < 2; k++) {
        task t = {.triangle = k ? STN_UPPER : STN_LOWER,
                  .diagonal = random / 2 % 3 == 0 ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT};
        const int is_in_place = random / 8 % 2 == 0, is_sliced = (k ^ (int)(random / 16)) & 1;
        t.x = any_vector(&p, 1, state);
        t.b = is_in_place ? t.x : any_vector(&p, 0, state);
        uint8_t *const before = order_image(&t.x), *const expected = expected_image(&p, &t);
        run_settings(&p, is_sliced ? sliced : p.csr, &t, is_in_place, expected, before);
        free(before);
        free(expected);
        if (!is_in_place)
            order_drop(&t.b);
        order_drop(&t.x);
    }
    stn_matrix_release(sliced);
    drop_problem(&p);
}

UNIT_TEST(test_real_systems)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (structure kind = FEW; kind < STRUCTURES && order_is_real(format); kind++) {
            const int turn = (int)format + (int)kind;
            if (oracle_leaves_out(turn) || (kind >= ALONE && turn % 3 && !oracle_full()))
                continue;
            for (int k = 0; k < 2; k++)
                try_system(kind, k ? STN_F32 : STN_F64, storage_of(format),
                           kind == LONG   ? 200
                           : kind == GRID ? 529
                                          : 100,
                           &state);
        }
}

UNIT_TEST(test_complex_systems)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32, STN_F64, STN_F16, STN_I8};
    uint64_t state = 1;
    for (int k = 0; k < COUNT_OF(formats) * STRUCTURES * 2; k++) {
        const structure kind = (structure)(k / 2 % STRUCTURES);
        stn_storage storage = storage_of(formats[k / 2 / STRUCTURES]);
        storage.scale *= kind == CHAIN ? 0.3 : 1.0;
        try_system(kind, k % 2 ? STN_C128 : STN_C64, storage, kind == LONG ? 170 : 1 + k * 7 % 110,
                   &state);
    }
}

UNIT_TEST(test_many_rows)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    uint64_t state = 2;
    try_system(HALVES, STN_F64, f64, oracle_quick() ? 10001 : 60001, &state); /* several threads */
    try_system(HALVES, STN_F32, stn_storage_of(STN_F16), 30000, &state);
    try_system(GRID, STN_F32, stn_storage_of(STN_F32), 5000, &state);
    try_system(HALVES, STN_C128, stn_storage_of(STN_C128), oracle_quick() ? 8000 : 30000, &state);
    for (int64_t rows = 0; rows < 4; rows++)
        try_system(FEW, rows % 2 ? STN_C128 : STN_F64, f64, rows, &state);
}

/* Levels follow from the dependencies of rows, and narrow values need fewer bytes. */
UNIT_TEST(test_description)
{
    static const struct {
        structure kind;
        stn_format format;
        int64_t rows;
        stn_triangle triangle;
        stn_diagonal diagonal;
        int64_t levels; /* GRID: adjacent rows are neighbors also at its edges */
    } cases[] = {{GRID, STN_F64, 529, STN_LOWER, STN_DIAGONAL_NON_UNIT, 529},
                 {GRID, STN_F16, 529, STN_LOWER, STN_DIAGONAL_NON_UNIT, 529},
                 {GRID, STN_F16, 529, STN_UPPER, STN_DIAGONAL_UNIT, 529},
                 {HALVES, STN_F64, 100, STN_UPPER, STN_DIAGONAL_NON_UNIT, 2},
                 {HALVES, STN_C128, 100, STN_LOWER, STN_DIAGONAL_NON_UNIT, 2}};
    int64_t bytes[COUNT_OF(cases)];
    for (int k = 0; k < COUNT_OF(cases); k++) {
        uint64_t state = 3;
        stn_triangular *t;
        problem p = make_problem(cases[k].kind, STN_C128, stn_storage_of(cases[k].format),
                                 cases[k].rows, &state);
        expect_ok(
            stn_triangular_create(order_use(1), &t, p.csr, cases[k].triangle, cases[k].diagonal));
        assert_int_equal(triangular_info(t).levels, cases[k].levels);
        assert_int_equal(triangular_info(t).rows, cases[k].rows);
        bytes[k] = triangular_info(t).bytes;
        stn_triangular_release(t);
        drop_problem(&p);
    }
    assert_true(bytes[1] < bytes[0] && bytes[2] < bytes[1]);
}

/* A device computes the bits of the host. */
UNIT_TEST(test_device)
{
    static const stn_format formats[] = {STN_F64, STN_F16, STN_C64};
    enum { ROWS = 529 };
    static double b[2 * ROWS], x[2][2 * ROWS];
    const int64_t rows = ROWS;
    stn_exec *device;
    uint64_t state = 5;
    if (stn_exec_create(&device, "opencl") != STN_OK)
        skip();
    for (int i = 0; i < 2 * ROWS; i++)
        b[i] = draw(&state);
    for (int k = 0; k < 3 * STRUCTURES; k++) {
        const stn_format format = formats[k % 3];
        const stn_storage storage = stn_storage_of(k % 2 ? STN_C128 : STN_F64);
        const stn_format arithmetic = format == STN_C64 ? STN_C128 : storage.format;
        const stn_storage of = stn_storage_of(arithmetic);
        problem p =
            make_problem((structure)(k / 3), arithmetic, stn_storage_of(format), ROWS, &state);
        for (int is_device = 0; is_device < 2; is_device++) {
            const stn_exec *const exec = is_device ? device : order_use(1);
            stn_triangular *t;
            stn_view from, to, view;
            memset(x[is_device], 0, sizeof *x);
            expect_ok(stn_view_wrap(&from, "b", of, b, 1, &rows));
            expect_ok(stn_view_wrap(&to, "x", of, x[is_device], 1, &rows));
            expect_ok(stn_view_create(exec, &view, "x", of, 1, &rows));
            expect_ok(stn_view_copy(exec, &view, &from));
            expect_ok(stn_triangular_create(exec, &t, p.csr, k % 4 ? STN_UPPER : STN_LOWER,
                                            k % 5 ? STN_DIAGONAL_NON_UNIT : STN_DIAGONAL_UNIT));
            expect_ok(stn_triangular_solve(exec, arithmetic, &view, t, &view));
            expect_ok(stn_view_copy(exec, &to, &view));
            expect_ok(stn_exec_wait(exec));
            stn_triangular_release(t);
            expect_ok(stn_view_release(&view));
        }
        assert_memory_equal(x[0], x[1], sizeof *x);
        drop_problem(&p);
    }
    stn_exec_release(device);
}

/* ---- memory ---- */

/* Each allocation fails once; a solve that fails leaves x unchanged. */
UNIT_TEST(test_without_memory)
{
    static float elements_of[2][400];
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const stn_storage narrow = stn_storage_of(is_complex ? STN_C64 : STN_F32);
        const stn_format arithmetic = is_complex ? STN_C128 : STN_F64;
        const int64_t rows = 200;
        stn_triangular *t = NULL;
        stn_view from, to;
        uint64_t state = 4;
        problem p = make_problem(HALVES, arithmetic, stn_storage_of(is_complex ? STN_C64 : STN_F16),
                                 rows, &state);
        int64_t nth = 0;
        stn_status status = STN_ERR_MEMORY;
        while (status == STN_ERR_MEMORY && ++nth < 40) {
            assert_null(t);
            stn_fail_allocation(nth);
            status =
                stn_triangular_create(order_use(1), &t, p.csr, STN_LOWER, STN_DIAGONAL_NON_UNIT);
            stn_fail_allocation(0);
        }
        expect_ok(status);
        assert_in_range(nth, 6, 39);
        expect_ok(stn_view_wrap(&from, "b", narrow, elements_of[0], 1, &rows));
        expect_ok(stn_view_wrap(&to, "x", narrow, elements_of[1], 1, &rows));
        status = STN_ERR_MEMORY;
        for (nth = 0; status == STN_ERR_MEMORY && ++nth < 10;) {
            elements_of[1][0] = 7;
            stn_fail_allocation(nth);
            status = stn_triangular_solve(order_use(1), arithmetic, &to, t, &from);
            stn_fail_allocation(0);
            assert_true(status == STN_OK || elements_of[1][0] == 7);
        }
        expect_ok(status);
        assert_in_range(nth, 1 + is_complex, 9);
        stn_triangular_release(t);
        drop_problem(&p);
    }
}

UNIT_TEST_WITH(test_many_rows_in_odd_modes, order_use_odd_modes, order_use_plain_modes)
{
    test_many_rows(NULL);
}

RUN_UNIT_TESTS(NULL, release_executors)
