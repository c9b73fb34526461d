/* Incomplete factors applied in one order of their rows: the same bits as two triangular systems
 * and a division between them, on every executor, of patterns that have such an order and of those
 * that have none; substitution in long double confirms them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "preconditioner.h"
#include "sparse/ops/triangular_pair.h"
#include "matrix.h"
#include "steno/ilu.h"
#include "check.h"

typedef enum pattern {
    GRID,     /* 7 points: symmetric */
    ANY,      /* some entries anywhere, of some rows none beside the diagonal */
    DIAGONAL, /* nothing else */
    CHAIN,    /* and one neighbour on each side: a level for each row */
    BLOCKS, /* each row needs some of the block before it or behind it: few levels, of many rows */
    LOWER,  /* nothing above the diagonal */
    FUNNEL, /* many rows that need the end of a chain and the beginning of one, and a third one */
    APART,  /* two levels in each triangle, and no order for both but a chain */
    UNEVEN, /* a chain below the diagonal, few levels above it: two orders are faster */
    PATTERNS
} pattern;

enum { MOST_COLUMNS = 8, EDGE = 20, HEAD = 30, BLOCK = 500 };

typedef struct problem {
    int64_t rows, *start;
    int32_t *column;
    double *value;
    stn_matrix *matrix;
} problem;

static int64_t rows_of(pattern kind)
{
    static const int64_t rows[] = {[GRID] = EDGE * EDGE * EDGE,
                                   [ANY] = 400,
                                   [DIAGONAL] = 300,
                                   [CHAIN] = 333,
                                   [BLOCKS] = 2500,
                                   [LOWER] = 2000,
                                   [FUNNEL] = 6000 + 3 * HEAD,
                                   [APART] = 200,
                                   [UNEVEN] = 250};
    return rows[kind];
}

static int grid_columns(int64_t i, int64_t *column)
{
    const int64_t e = EDGE, place[] = {i / e / e, i / e % e, i % e}, step[] = {e * e, e, 1};
    int count = 0;
    for (int d = 0; d < 3; d++)
        if (place[d] > 0)
            column[count++] = i - step[d];
    for (int d = 2; d >= 0; d--)
        if (place[d] + 1 < e)
            column[count++] = i + step[d];
    return count;
}

/* The neighbours in a chain of rows first, ..., end - 1. */
static int chain_columns(int64_t i, int64_t first, int64_t end, int64_t *column)
{
    int count = 0;
    if (i > first)
        column[count++] = i - 1;
    if (i + 1 < end)
        column[count++] = i + 1;
    return count;
}

static int funnel_columns(int64_t i, int64_t rows, int64_t *column)
{
    const int64_t second = rows - 2 * HEAD, last = rows - HEAD;
    if (i < HEAD)
        return chain_columns(i, 0, HEAD, column);
    if (i >= second)
        return chain_columns(i, i < last ? second : last, i < last ? last : rows, column);
    column[0] = HEAD - 1;
    column[1] = second;
    return 2;
}

/* Up to `draws` of rows from, ..., to - 1, but i itself and those of its own block. */
static int drawn_columns(int64_t i, int64_t from, int64_t to, int draws, uint64_t *state,
                         int64_t *column)
{
    int count = 0;
    for (int k = 0; k < draws; k++) {
        const int64_t j = from + (int64_t)(order_next(state) % (uint64_t)(to - from));
        int at = count, is_there = j == i || (to - from > BLOCK && j / BLOCK == i / BLOCK);
        for (int c = 0; c < count; c++)
            is_there |= column[c] == j;
        if (is_there)
            continue;
        for (; at > 0 && column[at - 1] > j; at--)
            column[at] = column[at - 1];
        column[at] = j;
        count++;
    }
    return count;
}

/* Columns of row i beside the diagonal, ascending, none twice. */
static int columns_of(pattern kind, int64_t i, uint64_t *state, int64_t *column)
{
    const int64_t rows = rows_of(kind), block = i / BLOCK * BLOCK;
    const int64_t before = block < BLOCK ? 0 : block - BLOCK;
    const int64_t behind = block + 2 * BLOCK < rows ? block + 2 * BLOCK : rows;
    switch (kind) {
    case GRID:
        return grid_columns(i, column);
    case ANY:
        return drawn_columns(i, 0, rows, i % 5 ? (int)(order_next(state) % 4) : 0, state, column);
    case CHAIN:
        return chain_columns(i, 0, rows, column);
    case BLOCKS:
        return drawn_columns(i, before, behind, 5, state, column);
    case LOWER:
        return drawn_columns(i, 0, i + 1, i % 3 ? 2 : 0, state, column);
    case FUNNEL:
        return funnel_columns(i, rows, column);
    case APART:
        return i % 2 ? chain_columns(i, 0, rows, column) : 0;
    case UNEVEN:
        return chain_columns(i, 0, i % 7 ? i + 1 : rows, column);
    case DIAGONAL:
    case PATTERNS:
        break;
    }
    return 0;
}

static problem make_problem(pattern kind, int64_t rows)
{
    problem s = {.rows = rows};
    uint64_t state = 5 + (uint64_t)kind;
    int64_t at = 0, column[MOST_COLUMNS];
    s.start = malloc((size_t)(rows + 1) * sizeof *s.start);
    s.column = malloc((size_t)(rows * MOST_COLUMNS) * sizeof *s.column);
    s.value = malloc((size_t)(rows * MOST_COLUMNS) * sizeof *s.value);
    assert_true(s.start && s.column && s.value);
    for (int64_t i = 0; i < rows; i++) {
        const int count = columns_of(kind, i, &state, column);
        int is_done = 0;
        s.start[i] = at;
        for (int k = 0; k <= count; k++) {
            const int is_diagonal = !is_done && (k == count || column[k] > i);
            is_done |= is_diagonal;
            s.column[at] = (int32_t)(is_diagonal ? i : column[is_done ? k - 1 : k]);
            s.value[at++] = is_diagonal ? 3.0 + draw(&state) : draw(&state);
        }
    }
    s.start[rows] = at;
    expect_ok(wrap_csr(&s.matrix, "mike", stn_storage_of(STN_F64), rows, rows, s.start, s.column,
                       s.value));
    return s;
}

static void drop_problem(problem *s)
{
    stn_matrix_release(s->matrix);
    free(s->start);
    free(s->column);
    free(s->value);
}

/* ---- long double ---- */

/* Elimination row by row of what is in the pattern. */
static long double *eliminate(const problem *s)
{
    long double *const f = malloc((size_t)s->start[s->rows] * sizeof *f);
    int64_t *const place = malloc((size_t)s->rows * sizeof *place); /* of a column in the row */
    assert_true(f && place);
    for (int64_t j = 0; j < s->rows; j++)
        place[j] = -1;
    for (int64_t i = 0; i < s->rows; i++) {
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            f[e] = (long double)s->value[e];
            place[s->column[e]] = e;
        }
        for (int64_t e = s->start[i]; s->column[e] < i; e++) {
            const int64_t k = s->column[e];
            int64_t d = s->start[k];
            while (s->column[d] < k)
                d++;
            f[e] /= f[d];
            for (d++; d < s->start[k + 1]; d++)
                if (place[s->column[d]] >= 0)
                    f[place[s->column[d]]] -= f[e] * f[d];
        }
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
            place[s->column[e]] = -1;
    }
    free(place);
    return f;
}

static void check_solution(const problem *s, const double *b, const double *y, double bound)
{
    long double *const f = eliminate(s);
    long double *const x = malloc((size_t)s->rows * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < s->rows; i++) {
        x[i] = (long double)b[i];
        for (int64_t e = s->start[i]; s->column[e] < i; e++)
            x[i] -= f[e] * x[s->column[e]];
    }
    for (int64_t i = s->rows - 1; i >= 0; i--) {
        int64_t e = s->start[i + 1] - 1;
        for (; s->column[e] > i; e--)
            x[i] -= f[e] * x[s->column[e]];
        x[i] /= f[e];
        if (!(fabsl(x[i] - (long double)y[i]) <= (long double)bound * (fabsl(x[i]) + 0.1L)))
            fail_msg("row %d of %d: %.17g, not %.17Lg", (int)i, (int)s->rows, y[i], x[i]);
    }
    free(f);
    free(x);
}

/* ---- two systems and a division ---- */

static void divide(stn_format arithmetic, const stn_preconditioner *m, void *values)
{
    double *const doubles = values;
    float *const floats = values;
    const int is_f64 = factors_of(m)->pivots.storage.format == STN_F64;
    for (int64_t k = 0; k < info_of(m).rows; k++) {
        const double d = is_f64 ? ((double *)factors_of(m)->pivots.data)[k]
                                : ((float *)factors_of(m)->pivots.data)[k];
        if (arithmetic == STN_F64)
            doubles[k] = doubles[k] / d;
        else
            floats[k] = floats[k] / (float)d;
    }
}

static void apply_apart(const stn_exec *exec, stn_format arithmetic, const stn_preconditioner *m,
                        const void *from, void *to)
{
    const int64_t rows = info_of(m).rows;
    stn_view x, y;
    expect_ok(stn_view_wrap_const(&x, "x", stn_storage_of(arithmetic), from, 1, &rows));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(arithmetic), to, 1, &rows));
    expect_ok(stn_triangular_solve(exec, arithmetic, &y, &factors_of(m)->lower, &x));
    divide(arithmetic, m, to);
    expect_ok(stn_triangular_solve(exec, arithmetic, &y, &factors_of(m)->upper, &y));
}

typedef struct vectors {
    double *from, *first, *to; /* or as many floats */
} vectors;

static vectors make_vectors(stn_format arithmetic, int64_t rows)
{
    const size_t bytes = (size_t)rows * sizeof(double);
    vectors v = {malloc(bytes), malloc(bytes), malloc(bytes)};
    uint64_t state = 17;
    assert_true(v.from && v.first && v.to);
    for (int64_t i = 0; i < rows; i++) {
        if (arithmetic == STN_F64)
            v.from[i] = draw(&state);
        else
            ((float *)v.from)[i] = (float)draw(&state);
    }
    return v;
}

static void drop_vectors(vectors *v)
{
    free(v->from);
    free(v->first);
    free(v->to);
}

static void check_bits(const stn_preconditioner *m, const vectors *v, stn_format arithmetic,
                       pattern kind)
{
    const size_t bytes =
        (size_t)(arithmetic == STN_F64 ? 8 * info_of(m).rows : 4 * info_of(m).rows);
    apply_apart(order_use(1), arithmetic, m, v->from, v->first);
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_operator op;
        if (!order_has_turn(setting, (int)kind + (int)arithmetic))
            continue;
        const stn_exec *const exec = order_use(setting);
        expect_ok(stn_operator_of_preconditioner(&op, m));
        for (int in_place = 0; in_place < 2; in_place++) {
            memcpy(v->to, v->from, bytes);
            apply_operator(exec, &op, arithmetic, in_place ? v->to : v->from, v->to);
            if (memcmp(v->first, v->to, bytes) != 0)
                fail_msg("pattern %d in %s on %s, in place %d: other bits", (int)kind,
                         arithmetic == STN_F64 ? "f64" : "f32", order_setting_name(setting),
                         in_place);
        }
    }
}

static void try_format(const problem *s, pattern kind, stn_format format, stn_ilu_kind method)
{
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = method, .format = &format);
    stn_preconditioner *m;
    expect_ok(stn_ilu_create(order_use(1), &m, s->matrix, &asked));
    assert_int_equal(factors_of(m)->ordered.data != NULL, kind != APART && kind != UNEVEN);
    for (int narrow = 0; narrow < 2; narrow++) {
        const stn_format arithmetic = narrow ? STN_F32 : STN_F64;
        vectors v = make_vectors(arithmetic, s->rows);
        check_bits(m, &v, arithmetic, kind);
        if (!narrow && format == STN_F64 && method == STN_ILU0)
            check_solution(s, v.from, v.to, 1e-12);
        drop_vectors(&v);
    }
    stn_preconditioner_release(m);
}

UNIT_TEST(test_patterns)
{
    for (pattern kind = 0; kind < PATTERNS; kind++) {
        problem s = make_problem(kind, rows_of(kind));
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
            stn_format_info info = STN_FORMAT_INFO_INIT;
            expect_ok(stn_format_describe(format, &info));
            if (info.kind != STN_CLASS_COMPLEX && info.is_signed)
                try_format(&s, kind, format, STN_ILU0);
        }
        if (kind == GRID)
            try_format(&s, kind, STN_F32, STN_IC0);
        drop_problem(&s);
    }
}

UNIT_TEST(test_one_row)
{
    problem s = make_problem(DIAGONAL, 1);
    try_format(&s, DIAGONAL, STN_F64, STN_ILU0);
    try_format(&s, DIAGONAL, STN_F16, STN_ILU0);
    drop_problem(&s);
}

/* Levels are as many as each triangle has by itself where the pattern is symmetric, and those of
 * the upper one are solved from the last on. */
UNIT_TEST(test_levels)
{
    const stn_ilu_options asked = STN_ILU_OPTIONS_INIT;
    problem s = make_problem(GRID, rows_of(GRID));
    stn_preconditioner *m;
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
    assert_int_equal(factors_of(m)->lower.levels, 3 * EDGE - 2);
    assert_int_equal(factors_of(m)->upper.levels, 3 * EDGE - 2);
    assert_ptr_equal(factors_of(m)->lower.order.data, factors_of(m)->upper.order.data);
    const int64_t *const up = factors_of(m)->lower.level.data, *const down =
                                                                   factors_of(m)->upper.level.data;
    for (int64_t k = 0, last = factors_of(m)->lower.levels - 1; k <= last; k++)
        assert_memory_equal(up + 2 * k, down + 2 * (last - k), 2 * sizeof *up);
    stn_preconditioner_release(m);
    drop_problem(&s);
}

/* ---- vectors that the walk in one order does not take, or not as they are ---- */

enum { ROWS = EDGE * EDGE * EDGE };

/* x in f16 at a stride is read; y in f16 gets what each of the three steps rounds to it. */
UNIT_TEST(test_other_vectors)
{
    static uint16_t from[2 * ROWS], to[ROWS], expected[ROWS];
    static double plain_x[ROWS], first[ROWS], y[ROWS];
    const int64_t rows = ROWS, two = 2;
    const stn_ilu_options asked = STN_ILU_OPTIONS_INIT;
    problem s = make_problem(GRID, ROWS);
    stn_view x, target, plain;
    stn_operator op;
    stn_preconditioner *m;
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    expect_ok(stn_view_wrap_spec(
        &x, &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F16), .data = from,
                           .rank = 1, .extents = &rows, .strides = &two)));
    for (int64_t i = 0; i < rows; i++) {
        expect_ok(stn_view_set(&x, 1, &i, (double)(i % 17) - 8));
        plain_x[i] = (double)(i % 17) - 8;
    }
    apply_apart(order_use(1), STN_F64, m, plain_x, first);
    expect_ok(stn_view_wrap(&plain, "y", stn_storage_of(STN_F64), y, 1, &rows));
    expect_ok(op.apply(op.context, order_use(1), STN_F64, &x, &plain));
    assert_memory_equal(y, first, sizeof y);
    for (int setting = 0; setting < order_settings(); setting++) {
        uint16_t *const found = setting ? to : expected;
        expect_ok(stn_view_wrap(&target, "y", stn_storage_of(STN_F16), found, 1, &rows));
        expect_ok(op.apply(op.context, order_use(setting), STN_F64, &x, &target));
        assert_memory_equal(found, expected, sizeof expected);
    }
    expect_ok(stn_view_wrap(&plain, "y", stn_storage_of(STN_F64), y, 1, (int64_t[]){rows - 1}));
    assert_int_equal(op.apply(op.context, order_use(1), STN_F64, &x, &plain), STN_ERR_SHAPE);
    stn_preconditioner_release(m);
    drop_problem(&s);
}

/* Each part of complex vectors by itself. */
UNIT_TEST(test_complex_vectors)
{
    static double both[2 * ROWS], part[2][ROWS], found[2 * ROWS], alone[2][ROWS];
    const stn_ilu_options asked = STN_ILU_OPTIONS_INIT;
    problem s = make_problem(GRID, ROWS);
    stn_operator op;
    stn_preconditioner *m;
    uint64_t state = 3;
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    for (int64_t i = 0; i < 2 * ROWS; i++)
        both[i] = part[i % 2][i / 2] = draw(&state);
    apply_operator(order_use(1), &op, STN_C128, both, found);
    for (int j = 0; j < 2; j++)
        apply_operator(order_use(1), &op, STN_F64, part[j], alone[j]);
    for (int64_t i = 0; i < 2 * ROWS; i++)
        assert_true(found[i] == alone[i % 2][i / 2]);
    stn_preconditioner_release(m);
    drop_problem(&s);
}

RUN_UNIT_TESTS(NULL, release_executors)
