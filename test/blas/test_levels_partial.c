/* Functions of level 2 over packed and banded matrices give the bits of levels.c, where the places
 * of elements are LAPACK's, written once more, and touch nothing else. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "levels.h"
#include "steno/atomic.h"
#include "order_oracle.h"
#include "check.h"

enum { LARGEST = 300 };

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* ---- a matrix, and the values of all of its elements ---- */

typedef struct partial {
    int is_banded, by_row;
    stn_triangle triangle;
    int64_t m, n, kl, ku, leading, span, bytes;
    stn_storage storage;
    char *memory;
    stn_view view;
} partial;

static int is_stored(const partial *a, int64_t i, int64_t j)
{
    if (a->is_banded)
        return i - j <= a->kl && j - i <= a->ku;
    return a->triangle == STN_UPPER ? j >= i : j <= i;
}

static int64_t place(const partial *a, int64_t i, int64_t j)
{
    if (a->is_banded)
        return a->by_row ? i * a->leading + a->kl + j - i : j * a->leading + a->ku + i - j;
    const int is_upper = (a->triangle == STN_UPPER) != a->by_row;
    const int64_t row = a->by_row ? j : i, column = a->by_row ? i : j;
    return is_upper ? row + column * (column + 1) / 2 : row + (2 * a->n - column - 1) * column / 2;
}

static stn_c128 decode(const partial *a, stn_format arithmetic, const char *memory, int64_t at)
{
    union {
        double f64;
        float f32;
        stn_c128 c128;
        stn_c64 c64;
    } v;
    expect_ok_for(stn_decode(arithmetic, &v, &a->storage, memory + at * a->bytes, 1, 1), "decode");
    return arithmetic == STN_F64   ? (stn_c128){v.f64, 0}
           : arithmetic == STN_F32 ? (stn_c128){(double)v.f32, 0}
           : arithmetic == STN_C64 ? (stn_c128){(double)v.c64.re, (double)v.c64.im}
                                   : v.c128;
}

/* Of a triangle the mirror image, too; outside of a band NaN. */
static void values_of(const partial *a, stn_format arithmetic, stn_c128 *values)
{
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t j = 0; j < a->n; j++)
            values[i * a->n + j] =
                is_stored(a, i, j) ? decode(a, arithmetic, a->memory, place(a, i, j))
                : a->is_banded     ? (stn_c128){(double)NAN, (double)NAN}
                                   : decode(a, arithmetic, a->memory, place(a, j, i));
}

static void fill(const stn_storage *storage, int64_t bytes, char *memory, int64_t count,
                 uint64_t *state)
{
    const int is_complex = oracle_formats[storage->format].kind == ORACLE_COMPLEX;
    for (int64_t k = 0; k < count; k++) {
        const stn_c128 value = {(double)(below(state, 401) - 200) / 32,
                                (double)(below(state, 9) - 4) / 2};
        expect_ok_for(stn_encode(is_complex ? STN_C128 : STN_F64, storage, memory + k * bytes, 1, k,
                                 &value, 1),
                      "encode");
    }
}

static partial make(int is_banded, stn_storage storage, int64_t m, int64_t n, uint64_t *state)
{
    static const int64_t reaches[] = {0, 1, 2, 5, 40, 200};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok_for(stn_format_describe(storage.format, &info), "describe");
    partial a = {.is_banded = is_banded,
                 .by_row = (int)below(state, 2),
                 .triangle = (stn_triangle)below(state, 2),
                 .m = m,
                 .n = n,
                 .kl = reaches[below(state, 6)],
                 .ku = reaches[below(state, 6)],
                 .bytes = info.bytes,
                 .storage = storage};
    const stn_layout_kind order = a.by_row ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT;
    const int64_t extents[] = {m, n};
    a.leading = a.kl + a.ku + 1 + below(state, 3);
    a.span = is_banded ? a.leading * (a.by_row ? m : n) : n * (n + 1) / 2;
    a.memory = malloc((size_t)(a.span * a.bytes) + 1);
    assert_non_null(a.memory);
    fill(&storage, a.bytes, a.memory, a.span, state);
    const stn_layout layout = is_banded ? stn_layout_banded(a.kl, a.ku, a.leading, order)
                                        : stn_layout_packed(a.triangle, order);
    expect_ok_for(stn_view_wrap_spec(&a.view, &STN_VIEW_SPEC(.label = "a", .storage = storage,
                                                             .data = a.memory, .layout = &layout,
                                                             .rank = 2, .extents = extents)),
                  "wrap");
    return a;
}

static void drop(partial *a)
{
    expect_ok_for(stn_view_release(&a->view), "release");
    free(a->memory);
}

/* ---- one case ---- */

typedef struct vector {
    char memory[LARGEST * 16];
    stn_c128 values[LARGEST];
    stn_view view;
} vector;

static void make_vector(vector *v, stn_format arithmetic, int64_t count, uint64_t *state)
{
    partial like = {.storage = stn_storage_of(arithmetic)};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok_for(stn_format_describe(arithmetic, &info), "describe");
    like.bytes = info.bytes;
    fill(&like.storage, info.bytes, v->memory, count, state);
    expect_ok_for(stn_view_wrap(&v->view, "v", like.storage, v->memory, 1, &count), "wrap");
    for (int64_t k = 0; k < count; k++)
        v->values[k] = decode(&like, arithmetic, v->memory, k);
}

static void check_vector(const vector *v, stn_format arithmetic, const char *words)
{
    partial like = {.storage = stn_storage_of(arithmetic)};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok_for(stn_format_describe(arithmetic, &info), "describe");
    like.bytes = info.bytes;
    for (int64_t k = 0; k < v->view.extent[0]; k++) {
        const stn_c128 is = decode(&like, arithmetic, v->memory, k), should = v->values[k];
        if (!order_same(is.re, should.re) || !order_same(is.im, should.im))
            fail_msg("%s: element %" PRId64 " is (%a, %a), not (%a, %a)", words, k, is.re, is.im,
                     should.re, should.im);
    }
}

/* Elements of the triangle that was written are the model's, all others as they were. */
static void check_matrix(const partial *a, stn_format arithmetic, stn_triangle triangle,
                         const stn_c128 *values, const char *before, const char *words)
{
    char *expected = malloc((size_t)(a->span * a->bytes) + 1);
    assert_non_null(expected);
    memcpy(expected, before, (size_t)(a->span * a->bytes));
    for (int64_t i = 0; i < a->n && !a->is_banded; i++)
        for (int64_t j = 0; j < a->n; j++) {
            const stn_c128 value = values[i * a->n + j];
            const int64_t at = is_stored(a, i, j) ? place(a, i, j) : place(a, j, i);
            const stn_c128 old = decode(a, arithmetic, before, at);
            const float narrow[] = {(float)value.re, (float)value.im};
            if (order_same(old.re, value.re) && order_same(old.im, value.im) &&
                memcmp(a->memory + at * a->bytes, before + at * a->bytes, (size_t)a->bytes) == 0)
                continue; /* left alone: a code of more digits than the arithmetic has */
            if (triangle == STN_UPPER ? j >= i : j <= i)
                expect_ok_for(stn_encode(arithmetic, &a->storage, expected + at * a->bytes, 1, 0,
                                         arithmetic == STN_F32 || arithmetic == STN_C64
                                             ? (const void *)narrow
                                             : &value,
                                         1),
                              words);
        }
    if (memcmp(expected, a->memory, (size_t)(a->span * a->bytes)) != 0)
        fail_msg("%s: another matrix", words);
    free(expected);
}

static int has_matrix_written(const levels_function *f)
{
    for (int v = 0; f->shapes[v]; v++)
        if (levels_rank(f, v) == 2 && (f->written >> v & 1))
            return 1;
    return 0;
}

static void check_case(const levels_function *f, stn_format arithmetic, stn_format format,
                       int is_banded, int64_t m, int64_t n, int setting, uint64_t *state)
{
    static vector vectors[LEVELS_VIEWS];
    static stn_c128 values[LARGEST * LARGEST];
    char words[300];
    const levels_choice choice = levels_choose(state);
    levels_result result;
    const stn_view *views[LEVELS_VIEWS];
    stn_storage storage = stn_storage_of(format);
    storage.scale =
        oracle_formats[format].kind != ORACLE_COMPLEX && below(state, 3) == 0 ? 0.75 : 1.0;
    partial a = make(is_banded, storage, m, n, state);
    char *before = malloc((size_t)(a.span * a.bytes) + 1);
    assert_non_null(before);
    memcpy(before, a.memory, (size_t)(a.span * a.bytes));
    levels_problem p = {.arithmetic = arithmetic,
                        .m = m,
                        .n = n,
                        .choice = &choice,
                        .is_banded = is_banded,
                        .below = a.kl,
                        .above = a.ku};
    (void)snprintf(
        words, sizeof words,
        "%s of %d x %d in %s on %s: %s by %s of %s, %d below %d above, triangle %d of %d", f->name,
        (int)m, (int)n, oracle_formats[arithmetic].name, order_setting_name(setting),
        is_banded ? "banded" : "packed", a.by_row ? "row" : "column", oracle_formats[format].name,
        (int)a.kl, (int)a.ku, (int)choice.triangle, (int)a.triangle);
    for (int v = 0; f->shapes[v]; v++) {
        if (levels_rank(f, v) == 1)
            make_vector(&vectors[v], arithmetic, f->shapes[v] == 'm' ? m : n, state);
        views[v] = levels_rank(f, v) == 1 ? &vectors[v].view : &a.view;
        p.v[v] = levels_rank(f, v) == 1 ? vectors[v].values : values;
    }
    values_of(&a, arithmetic, values);
    f->model(&p);
    expect_ok_for(f->run(order_use(setting), arithmetic, &choice, views, &result), words);
    for (int v = 0; f->shapes[v]; v++)
        if (levels_rank(f, v) == 1)
            check_vector(&vectors[v], arithmetic, words);
    if (has_matrix_written(f))
        check_matrix(&a, arithmetic, choice.triangle, values, before, words);
    else
        assert_memory_equal(a.memory, before, (size_t)(a.span * a.bytes));
    free(before);
    drop(&a);
}

/* ---- what to try ---- */

static int goes_with(const levels_function *f, int is_banded)
{
    const int has_square = strchr(f->shapes, 's') != NULL;
    if (levels_is_product(f))
        return 0;
    if (is_banded)
        return (has_square || strchr(f->shapes, 'a')) && !has_matrix_written(f);
    return has_square || (strchr(f->shapes, 'a') && !has_matrix_written(f));
}

TEST_CASE(test_all)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    static const int64_t sizes[] = {1, 7, 60, 131, 300};
    uint64_t state = 1;
    int number = 0;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
        for (int k = 0; k < 4 * 2 * 5; k++) {
            const stn_format arithmetic = arithmetics[k % 4];
            const int is_banded = k / 4 % 2, is_complex = levels_is_complex(arithmetic);
            const int64_t n = sizes[k / 8];
            if (!(f->kinds & (is_complex ? LEVELS_COMPLEX : LEVELS_REAL)) ||
                !goes_with(f, is_banded))
                continue;
            for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
                const int64_t m = is_banded && levels_is_oblong(f)
                                      ? sizes[below(&state, 4)] + below(&state, 9)
                                      : n;
                if (is_complex == (oracle_formats[format].kind == ORACLE_COMPLEX) &&
                    number++ % oracle_count(3 * oracle_quick(), 1, 1) == 0)
                    check_case(f, arithmetic, format, is_banded, m, n,
                               (int)below(&state, order_settings()), &state);
            }
        }
}

/* ---- parts, and what is refused ---- */

static void expect(stn_status found, stn_status wanted)
{
    if (found != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(found), stn_status_name(wanted), stn_error());
}

/* Reading, single elements, parts on the diagonal, transposed ones. */
TEST_CASE(test_parts)
{
    enum { N = 9 };
    uint64_t state = 2;
    for (int k = 0; k < 200; k++) {
        const stn_exec *exec = order_use((int)below(&state, order_settings()));
        const int is_banded = k % 2;
        partial a = make(is_banded, stn_storage_of(STN_F32), N, N, &state);
        static stn_c128 values[N * N];
        double x[N], y[N], dense[N * N] = {0}, expected[N];
        const int64_t begin = below(&state, 5), count = 1 + below(&state, N - begin);
        const stn_slice some = stn_slice_range(begin, begin + count), both[] = {some, some};
        const int64_t square[] = {count, count};
        stn_view part, full, xv, yv;
        values_of(&a, STN_F64, values);
        for (int64_t i = 0; i < count; i++) {
            x[i] = (double)below(&state, 9);
            y[i] = (double)NAN;
        }
        const int turned = (int)below(&state, 2);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < count; j++) {
                const double value = values[(begin + i) * N + begin + j].re;
                dense[turned ? j * count + i : i * count + j] = isnan(value) ? 0.0 : value;
            }
        expect_ok_for(stn_view_slice(&part, &a.view, 2, both), "slice");
        if (turned)
            expect_ok_for(stn_view_permute(&part, &part, 2, (const int[]){1, 0}), "permute");
        expect_ok_for(stn_view_wrap(&full, "full", stn_storage_of(STN_F64), dense, 2, square),
                      "wrap");
        expect_ok_for(stn_view_wrap(&xv, "x", stn_storage_of(STN_F64), x, 1, &count), "wrap");
        expect_ok_for(stn_view_wrap(&yv, "y", stn_storage_of(STN_F64), expected, 1, &count),
                      "wrap");
        expect_ok_for(stn_gemv(exec, STN_F64, 1, &full, &xv, 0, &yv), "gemv");
        yv.data = y;
        expect_ok_for(stn_gemv(exec, STN_F64, 1, &part, &xv, 0, &yv), "gemv of a part");
        for (int64_t i = 0; i < count; i++) /* small numbers: exact */
            assert_true(y[i] == expected[i]);
        for (int64_t i = 0; i < count && !is_banded; i++)
            for (int64_t j = 0; j < count; j++) {
                double value;
                expect_ok_for(STN_VIEW_GET(&part, &value, i, j), "get");
                assert_true(value == dense[i * count + j]);
            }
        if (!is_banded) {
            double copied[N * N];
            full.data = copied;
            expect_ok_for(stn_view_copy(exec, &full, &part), "copy");
            assert_memory_equal(copied, dense, (size_t)(count * count) * sizeof *dense);
        }
        drop(&a);
    }
}

TEST_CASE(test_refused)
{
    double memory[64] = {0};
    const int64_t square[] = {4, 4}, oblong[] = {4, 5}, four = 4;
    const stn_storage f64 = stn_storage_of(STN_F64);
    const stn_exec *exec = order_use(0);
    stn_layout layout = stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT);
    stn_view a, x, part;
    expect(stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                 .layout = &layout, .rank = 2, .extents = oblong)),
           STN_ERR_SHAPE);
    expect(stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                 .layout = &layout, .rank = 1, .extents = square)),
           STN_ERR_ARGUMENT);
    layout = stn_layout_packed((stn_triangle)2, STN_LAYOUT_LEFT);
    expect(stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                 .layout = &layout, .rank = 2, .extents = square)),
           STN_ERR_ARGUMENT);
    layout = stn_layout_packed(STN_LOWER, STN_LAYOUT_MORTON);
    expect(stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                 .layout = &layout, .rank = 2, .extents = square)),
           STN_ERR_ARGUMENT);
    const int64_t bad[][3] = {{-1, 1, 4}, {1, -1, 4}, {1, 2, 3}, {INT64_MAX, 1, 9}};
    for (int k = 0; k < 4; k++) {
        layout = stn_layout_banded(bad[k][0], bad[k][1], bad[k][2], STN_LAYOUT_LEFT);
        expect(
            stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                  .layout = &layout, .rank = 2, .extents = square)),
            STN_ERR_ARGUMENT);
    }
    layout = stn_layout_banded(1, 1, INT64_MAX / 2, STN_LAYOUT_RIGHT);
    expect(stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                                 .layout = &layout, .rank = 2, .extents = square)),
           STN_ERR_RANGE);
    /* All of them repeat elements: only blas writes them, and parts can be. */
    expect_ok_for(stn_view_wrap(&x, "x", f64, memory + 40, 1, &four), "wrap");
    layout = stn_layout_packed(STN_LOWER, STN_LAYOUT_RIGHT);
    expect_ok_for(
        stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                              .layout = &layout, .rank = 2, .extents = square)),
        "wrap");
    expect(stn_view_fill(exec, &a, 1), STN_ERR_ALIAS);
    expect(stn_ger(exec, STN_F64, 1, &x, &x, &a), STN_ERR_UNSUPPORTED);
    const stn_slice low[] = {stn_slice_range(2, 4), stn_slice_range(0, 2)};
    expect_ok_for(stn_view_slice(&part, &a, 2, low), "slice");
    expect_ok_for(stn_view_fill(exec, &part, 3), "fill");
    for (int k = 0; k < 10; k++)
        assert_true(memory[k] == (k == 3 || k == 4 || k == 6 || k == 7 ? 3 : 0));
    const stn_slice skew[] = {stn_slice_range(0, 3), stn_slice_range(1, 4)};
    expect_ok_for(stn_view_slice(&part, &a, 2, skew), "slice");
    x.extent[0] = 3;
    expect(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &part), STN_ERR_ALIAS);
    x.extent[0] = 4;
    expect_ok_for(stn_view_release(&a), "release");
    layout = stn_layout_banded(1, 1, 3, STN_LAYOUT_LEFT);
    expect_ok_for(
        stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64, .data = memory,
                                              .layout = &layout, .rank = 2, .extents = square)),
        "wrap");
    expect(stn_view_fill(exec, &a, 1), STN_ERR_ALIAS);
    expect(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &a), STN_ERR_UNSUPPORTED);
    const stn_slice steps[] = {stn_slice_strided(0, 2, 2), stn_slice_strided(0, 2, 2)};
    expect_ok_for(stn_view_slice(&part, &a, 2, steps), "slice");
    x.extent[0] = 2;
    expect(stn_trmv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &part, &x),
           STN_ERR_UNSUPPORTED);
    expect(stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &part, &x),
           STN_ERR_UNSUPPORTED);
    expect_ok_for(stn_view_release(&a), "release");
}

/* Whole matrices are copied into others of their shape and layout, and into nothing else. */
TEST_CASE(test_copied)
{
    const stn_layout layouts[] = {stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT),
                                  stn_layout_banded(1, 2, 4, STN_LAYOUT_LEFT)};
    const stn_layout other = stn_layout_packed(STN_UPPER, STN_LAYOUT_RIGHT);
    const int64_t square[] = {5, 5};
    const stn_exec *exec = order_use(0);
    for (int k = 0; k < 2; k++) {
        double memory[20], value;
        stn_view from, to;
        for (int e = 0; e < 20; e++)
            memory[e] = 100.5 + e;
        expect_ok_for(stn_view_wrap_spec(
                          &from, &STN_VIEW_SPEC(.label = "from", .storage = stn_storage_of(STN_F64),
                                                .data = memory, .layout = &layouts[k], .rank = 2,
                                                .extents = square)),
                      "wrap");
        expect_ok_for(stn_view_create_spec(
                          NULL, &to,
                          &STN_VIEW_SPEC(.label = "to", .storage = stn_storage_of(STN_F32),
                                         .layout = &layouts[k], .rank = 2, .extents = square)),
                      "create");
        expect_ok_for(stn_view_copy(exec, &to, &from), "copy");
        for (int64_t i = 0; i < 5; i++)
            for (int64_t j = i; j < 5 && j < i + 3; j++) {
                const double wanted = memory[k ? 2 + i - j + 4 * j : j * (j + 1) / 2 + i];
                expect_ok_for(STN_VIEW_GET(&to, &value, i, j), "get");
                assert_true(value == wanted);
            }
        expect_ok_for(stn_view_release(&to), "release");
        expect_ok_for(
            stn_view_create_spec(NULL, &to,
                                 &STN_VIEW_SPEC(.label = "to", .storage = stn_storage_of(STN_F64),
                                                .layout = &other, .rank = 2, .extents = square)),
            "create");
        expect(stn_view_copy(exec, &to, &from), STN_ERR_ALIAS);
        expect_ok_for(stn_view_release(&to), "release");
        expect_ok_for(stn_view_release(&from), "release");
    }
}

/* Elements outside of a band have no place of their own. */
TEST_CASE(test_outside)
{
    const int64_t square[] = {5, 5}, outside[][2] = {{0, 3}, {3, 0}, {0, 4}, {4, 1}};
    const stn_layout layout = stn_layout_banded(1, 2, 4, STN_LAYOUT_LEFT);
    double memory[20] = {0}, old;
    stn_view a, column;
    expect_ok_for(
        stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(STN_F64),
                                              .data = memory, .layout = &layout, .rank = 2,
                                              .extents = square)),
        "wrap");
    for (int k = 0; k < 4; k++) {
        const double value = 9;
        expect(stn_view_set(&a, 2, outside[k], value), STN_ERR_RANGE);
        expect(stn_view_atomic_exchange(&a, 2, outside[k], STN_F64, &value, &old), STN_ERR_RANGE);
    }
    expect_ok_for(
        stn_view_slice(&column, &a, 2, (const stn_slice[]){stn_slice_all(), stn_slice_index(0)}),
        "slice");
    expect(STN_VIEW_SET(&column, 9, 2), STN_ERR_RANGE);
    for (int e = 0; e < 20; e++)
        assert_true(memory[e] == 0);
    expect_ok_for(STN_VIEW_SET(&column, 9, 1), "set");
    assert_true(memory[3] == 9);
    expect_ok_for(stn_view_release(&column), "release");
    expect_ok_for(stn_view_release(&a), "release");
}

/* As much memory as there are elements. */
TEST_CASE(test_created)
{
    const int64_t square[] = {5, 5};
    stn_layout layout = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT);
    double value = 1;
    stn_view a;
    expect_ok_for(
        stn_view_create_spec(NULL, &a,
                             &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(STN_F64),
                                            .layout = &layout, .rank = 2, .extents = square)),
        "create");
    assert_int_equal(stn_view_span(&a), 15);
    assert_int_equal(stn_view_layout(&a), STN_LAYOUT_PACKED);
    assert_false(stn_view_is_unique(&a));
    expect_ok_for(STN_VIEW_SET(&a, 7, 4, 1), "set");
    expect_ok_for(STN_VIEW_GET(&a, &value, 1, 4), "get");
    assert_true(value == 7 && ((const double *)a.data)[11] == 7);
    expect_ok_for(stn_view_release(&a), "release");
    layout = stn_layout_banded(1, 2, 6, STN_LAYOUT_RIGHT);
    expect_ok_for(
        stn_view_create_spec(NULL, &a,
                             &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(STN_F64),
                                            .layout = &layout, .rank = 2, .extents = square)),
        "create");
    assert_int_equal(stn_view_span(&a), 30);
    assert_int_equal(stn_view_layout(&a), STN_LAYOUT_BANDED);
    assert_string_equal(stn_layout_name(stn_view_layout(&a)), "banded");
    expect_ok_for(stn_view_release(&a), "release");
}

RUN_TESTS(NULL, order_teardown, UNIT(test_all), UNIT(test_parts), UNIT(test_refused),
          UNIT(test_copied), UNIT(test_outside), UNIT(test_created))
