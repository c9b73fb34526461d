/* BLAS over long vectors, and over strided, packed and banded matrices of several tiles: the bits
 * of levels.c, with LAPACK's places of elements written once more. Elements that must not be read
 * are NaN, and nothing else is written. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "levels.h"
#include "make_view.h"
#include "order_oracle.h"

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* ---- operands ---- */

typedef enum storage_layout { STRIDED, PACKED, BANDED } storage_layout;
static const char *const layout_names[] = {"strided", "packed", "banded"};

/* Values of all digits, with NaN and infinity among them, subnormal ones, zeros; small integers. */
typedef enum value_kind { GENERAL, SPECIAL, TINY, ZEROS, KINDS, SMALL = KINDS } value_kind;

typedef struct operand {
    storage_layout layout;
    int rank, by_row;
    stn_triangle triangle; /* that is packed */
    int64_t m, n, first, stride[2], kl, ku, leading, span, bytes;
    stn_storage storage;
    char *memory, *before;
    stn_view view;
    stn_c128 *values; /* in C order */
} operand;

static int is_stored(const operand *a, int64_t i, int64_t j)
{
    if (a->layout == BANDED)
        return i - j <= a->kl && j - i <= a->ku;
    return a->layout == STRIDED || (a->triangle == STN_UPPER ? j >= i : j <= i);
}

static int64_t place(const operand *a, int64_t i, int64_t j)
{
    if (a->layout == STRIDED)
        return a->first + i * a->stride[0] + j * a->stride[1];
    if (a->layout == BANDED)
        return a->by_row ? i * a->leading + a->kl + j - i : j * a->leading + a->ku + i - j;
    const int is_upper = (a->triangle == STN_UPPER) != a->by_row;
    const int64_t row = a->by_row ? j : i, column = a->by_row ? i : j;
    return is_upper ? row + column * (column + 1) / 2 : row + (2 * a->n - column - 1) * column / 2;
}

static stn_c128 decode(const operand *a, stn_format arithmetic, const char *memory, int64_t at)
{
    union {
        double f64;
        float f32;
        stn_c128 c128;
        stn_c64 c64;
    } v;
    expect_ok(stn_decode(arithmetic, &v, &a->storage, memory + at * a->bytes, 1, 1));
    return arithmetic == STN_F64   ? (stn_c128){v.f64, 0}
           : arithmetic == STN_F32 ? (stn_c128){(double)v.f32, 0}
           : arithmetic == STN_C64 ? (stn_c128){(double)v.c64.re, (double)v.c64.im}
                                   : v.c128;
}

static void encode(const operand *a, stn_format arithmetic, char *memory, int64_t at,
                   stn_c128 value, int64_t number)
{
    const float narrow[] = {(float)value.re, (float)value.im};
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    expect_ok(stn_encode(arithmetic, &a->storage, memory + at * a->bytes, 1, number,
                         is_narrow ? (const void *)narrow : &value, 1));
}

static double draw(value_kind kind, uint64_t *state)
{
    const uint64_t bits = order_next(state);
    const double sign = bits & 1 ? -1.0 : 1.0;
    if (kind == SPECIAL && bits % 513 == 0)
        return bits & 2 ? sign * (double)INFINITY : (double)NAN;
    if (kind == SMALL)
        return (double)(bits % 17) - 8;
    if (kind == ZEROS || bits % 17 == 0)
        return sign * 0.0;
    return sign * ldexp((double)(bits >> 11), (int)(bits >> 4 & 7) - (kind == TINY ? 190 : 56));
}

static stn_format wide_of(const operand *a)
{
    return oracle_formats[a->storage.format].kind == ORACLE_COMPLEX ? STN_C128 : STN_F64;
}

/* Allocates an operand whose layout is set, fills what it stores and wraps it. */
static void fill(operand *a, value_kind kind, uint64_t *state)
{
    const int64_t extents[] = {a->m, a->n};
    const stn_layout_kind order = a->by_row ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(a->storage.format, &info));
    a->bytes = info.bytes;
    a->memory = calloc((size_t)a->span + 1, (size_t)a->bytes);
    a->before = calloc((size_t)a->span + 1, (size_t)a->bytes);
    a->values = calloc((size_t)(a->m * a->n) + 1, sizeof *a->values);
    assert_true(a->memory && a->before && a->values);
    for (int64_t k = 0; k < a->span; k++)
        encode(a, wide_of(a), a->memory, k, (stn_c128){draw(kind, state), draw(kind, state)}, k);
    if (a->layout == STRIDED) {
        a->view = wrap_strided("a", a->storage, a->memory + a->first * a->bytes, a->rank, extents,
                               a->stride);
        return;
    }
    const stn_layout layout = a->layout == BANDED
                                  ? stn_layout_banded(a->kl, a->ku, a->leading, order)
                                  : stn_layout_packed(a->triangle, order);
    a->view = wrap_layout("a", a->storage, a->memory, &layout, a->rank, extents);
}

static operand make_vector(stn_storage storage, int64_t count, value_kind kind, uint64_t *state)
{
    operand x = {.rank = 1, .m = count, .n = 1, .stride = {1, 1}, .span = count};
    x.storage = storage;
    fill(&x, kind, state);
    return x;
}

/* Strided: rows, columns, either with gaps, and a gap after each element. */
static operand make_matrix(storage_layout layout, stn_storage storage, int64_t m, int64_t n,
                           value_kind kind, uint64_t *state)
{
    const int64_t strides[][2] = {{n, 1}, {1, m}, {-n - 3, 1}, {1, m + 3}, {2 * n + 1, 2}};
    static const int64_t widths[] = {0, 1, 2, 5, 40, 200};
    const int64_t *const stride = strides[below(state, COUNT_OF(strides))];
    operand a = {.layout = layout, .rank = 2, .m = m, .n = n, .storage = storage};
    a.by_row = (int)below(state, 2);
    a.triangle = (stn_triangle)below(state, 2);
    a.kl = widths[below(state, COUNT_OF(widths))];
    a.ku = widths[below(state, COUNT_OF(widths))];
    a.leading = a.kl + a.ku + 1 + below(state, 3);
    memcpy(a.stride, stride, sizeof a.stride);
    a.first = stride[0] < 0 ? -(m - 1) * stride[0] : 0;
    a.span = layout == BANDED   ? a.leading * (a.by_row ? m : n)
             : layout == PACKED ? n * (n + 1) / 2
                                : place(&a, stride[0] < 0 ? 0 : m - 1, n - 1) + 1;
    fill(&a, kind, state);
    return a;
}

static void drop(operand *a)
{
    expect_ok(stn_view_release(&a->view));
    free(a->memory);
    free(a->before);
    free(a->values);
}

/* Diagonals outweigh their rows, so that solutions stay finite. */
static void make_dominant(operand *a)
{
    for (int64_t i = 0; i < a->m && i < a->n; i++)
        encode(a, wide_of(a), a->memory, place(a, i, i), (stn_c128){100, 0}, 0);
}

/* The other triangle, and a diagonal of ones, become NaN, where the format has it. */
static void spoil(operand *a, stn_triangle triangle, int has_units)
{
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t j = 0; j < a->n; j++)
            if (i == j ? has_units : triangle == STN_UPPER ? j < i : j > i)
                encode(a, wide_of(a), a->memory, place(a, i, j),
                       (stn_c128){(double)NAN, (double)NAN}, 0);
}

/* The values of all elements, of a packed triangle mirrored, outside of a band NaN; and the
 * memory. */
static void note(operand *a, stn_format arithmetic)
{
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t j = 0; j < a->n; j++)
            a->values[i * a->n + j] =
                is_stored(a, i, j)    ? decode(a, arithmetic, a->memory, place(a, i, j))
                : a->layout == BANDED ? (stn_c128){(double)NAN, (double)NAN}
                                      : decode(a, arithmetic, a->memory, place(a, j, i));
    memcpy(a->before, a->memory, (size_t)(a->span * a->bytes));
}

/* Element i, j of a result holds its value. One that is unchanged may keep a code of more digits
 * than the arithmetic has. Copies the code to `expected`. */
static void check_element(const operand *a, stn_format arithmetic, int64_t i, int64_t j,
                          char *expected, const char *label)
{
    const int64_t at = is_stored(a, i, j) ? place(a, i, j) : place(a, j, i);
    const size_t bytes = (size_t)a->bytes, offset = (size_t)at * bytes;
    const stn_c128 value = a->values[i * a->n + j], old = decode(a, arithmetic, a->before, at);
    if (order_same(old.re, value.re) && order_same(old.im, value.im) &&
        memcmp(a->memory + offset, a->before + offset, bytes) == 0)
        return;
    encode(a, arithmetic, expected, at, value, i * a->n + j);
    if (memcmp(a->memory + offset, expected + offset, bytes) != 0) {
        const stn_c128 is = decode(a, arithmetic, a->memory, at),
                       should = decode(a, arithmetic, expected, at);
        if (!order_same(is.re, should.re) || !order_same(is.im, should.im))
            fail_msg("%s: element %d, %d is (%a, %a), not (%a, %a)", label, (int)i, (int)j, is.re,
                     is.im, should.re, should.im);
        memcpy(expected + offset, a->memory + offset, bytes); /* another NaN */
    }
}

/* `triangle` is written, -1: all; other bytes are unchanged. */
static void check_result(const operand *a, stn_format arithmetic, int is_written, int triangle,
                         const char *label)
{
    const size_t size = (size_t)(a->span * a->bytes);
    char *const expected = malloc(size + 1);
    assert_non_null(expected);
    memcpy(expected, a->before, size);
    for (int64_t i = 0; i < a->m && is_written; i++)
        for (int64_t j = 0; j < a->n; j++)
            if (triangle < 0 || (triangle == STN_UPPER ? j >= i : j <= i))
                check_element(a, arithmetic, i, j, expected, label);
    if (memcmp(expected, a->memory, size) != 0)
        fail_msg("%s: something else is written", label);
    free(expected);
}

/* ---- one case ---- */

typedef struct one_case {
    const levels_function *f;
    stn_format arithmetic;
    stn_storage storage; /* of the matrix, or the first vector */
    storage_layout layout;
    value_kind kind;
    int64_t m, n;
} one_case;

static int is_system(const levels_function *f)
{
    return strcmp(f->name, "stn_trsv") == 0;
}

static int has_triangle(const levels_function *f)
{
    return strchr(f->shapes, 's') != NULL;
}

static operand make(const one_case *c, const levels_choice *choice, int v, uint64_t *state)
{
    const int64_t count = c->f->shapes[v] == 'm' ? c->m : c->n;
    const int is_first = levels_rank(c->f, v) == 2 || (v == 0 && !strpbrk(c->f->shapes, "as"));
    const stn_storage storage = is_first ? c->storage : stn_storage_of(c->arithmetic);
    if (levels_rank(c->f, v) == 1)
        return make_vector(storage, count, c->kind, state);
    operand a = make_matrix(c->layout, storage, c->m, c->n, c->kind, state);
    if (is_system(c->f))
        make_dominant(&a);
    if (c->layout == STRIDED && has_triangle(c->f))
        spoil(&a, choice->triangle,
              strncmp(c->f->name, "stn_tr", 6) == 0 && choice->diagonal == STN_DIAGONAL_UNIT);
    return a;
}

static void check_setting(const one_case *c, const levels_choice *choice, operand *x,
                          const levels_result *expected, int setting)
{
    const stn_view *views[LEVELS_VIEWS];
    levels_result found = {{0, 0}, 0};
    char label[300];
    (void)snprintf(label, sizeof label, "%s of %d x %d in %s on %s: %s of %s, kind %d, %s",
                   c->f->name, (int)c->m, (int)c->n, oracle_formats[c->arithmetic].name,
                   order_setting_name(setting), layout_names[c->layout],
                   oracle_formats[c->storage.format].name, (int)c->kind,
                   choice->triangle == STN_UPPER ? "upper" : "lower");
    for (int v = 0; c->f->shapes[v]; v++) {
        memcpy(x[v].memory, x[v].before, (size_t)(x[v].span * x[v].bytes));
        views[v] = &x[v].view;
    }
    expect_ok_for(c->f->run(order_use(setting), c->arithmetic, choice, views, &found), label);
    if (!order_same(found.number.re, expected->number.re) ||
        !order_same(found.number.im, expected->number.im) || found.place != expected->place)
        fail_msg("%s: (%a, %a), not (%a, %a)", label, found.number.re, found.number.im,
                 expected->number.re, expected->number.im);
    for (int v = 0; c->f->shapes[v]; v++)
        check_result(&x[v], c->arithmetic, c->f->written >> v & 1,
                     c->f->shapes[v] == 's' ? (int)choice->triangle : -1, label);
}

/* On one setting, or with -1 on all whose turn it is. */
static void check_case(const one_case *c, int setting, int number, uint64_t *state)
{
    operand x[LEVELS_VIEWS];
    const levels_choice choice = levels_choose(state);
    levels_problem p = {.arithmetic = c->arithmetic, .m = c->m, .n = c->n, .choice = &choice};
    for (int v = 0; c->f->shapes[v]; v++) {
        x[v] = make(c, &choice, v, state);
        note(&x[v], c->arithmetic);
        p.v[v] = x[v].values;
        if (x[v].layout == BANDED) {
            p.is_banded = 1;
            p.below = x[v].kl;
            p.above = x[v].ku;
        }
    }
    c->f->model(&p);
    for (int s = 0; s < order_settings(); s++)
        if (setting < 0 ? order_has_turn(s, number) : s == setting)
            check_setting(c, &choice, x, &p.result, s);
    for (int v = 0; c->f->shapes[v]; v++)
        drop(&x[v]);
}

/* ---- what to try ---- */

static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};

/* Is this a function of level 2, or 1, in this arithmetic, that takes the layout? */
static int is_candidate(const levels_function *f, int level, stn_format arithmetic,
                        storage_layout layout)
{
    const int has_matrix = strpbrk(f->shapes, "as") != NULL;
    int is_written = 0;
    for (int v = 0; f->shapes[v]; v++)
        is_written |= levels_rank(f, v) == 2 && f->written >> v & 1;
    if (has_matrix != (level == 2) || levels_is_product(f) ||
        !(f->kinds & (levels_is_complex(arithmetic) ? LEVELS_COMPLEX : LEVELS_REAL)))
        return 0;
    return layout == STRIDED || (layout == BANDED ? !is_written : has_triangle(f) || !is_written);
}

static stn_storage any_storage(stn_format arithmetic, uint64_t *state)
{
    const int is_complex = levels_is_complex(arithmetic);
    stn_format format = arithmetic;
    if (below(state, 2))
        do
            format = (stn_format)below(state, STN_BUILTIN_FORMATS);
        while ((oracle_formats[format].kind == ORACLE_COMPLEX) != is_complex);
    return format == arithmetic || is_complex ? stn_storage_of(format)
                                              : order_target(arithmetic, format, state);
}

/* Sizes around those of tiles, lanes and strips. */
UNIT_TEST(test_strided)
{
    static const int64_t sizes[] = {1,   5,   8,   9,   31,  33,  40,  64,  97,  127, 128,
                                    129, 140, 255, 256, 257, 300, 385, 511, 513, 1030};
    const int rounds = oracle_count(1, 2, 12);
    uint64_t state = 1;
    int number = 0;
    for (int s = 0; s < COUNT_OF(sizes); s++)
        for (int k = 0; k < rounds * levels_count; k++) {
            const levels_function *const f = &levels_functions[k % levels_count];
            const int64_t n = sizes[s];
            const stn_format arithmetic = arithmetics[below(&state, 4)];
            if (!is_candidate(f, 2, arithmetic, STRIDED) ||
                (n > 200 && number++ % (n > 600 ? 25 : 4) != 0))
                continue;
            check_case(&(one_case){f, arithmetic, any_storage(arithmetic, &state), STRIDED,
                                   (value_kind)below(&state, KINDS),
                                   levels_is_oblong(f) && n > 3 ? n - below(&state, 3) : n, n},
                       -1, number++, &state);
        }
}

/* Vectors of up to a little more than one thread's share. */
UNIT_TEST(test_vectors)
{
    static const int64_t sizes[] = {1, 33, 127, 128, 129, 300, 1000, 8192, 8193};
    uint64_t state = 2;
    for (int k = 0; k < COUNT_OF(sizes) * 4 * levels_count; k++) {
        const levels_function *const f = &levels_functions[k % levels_count];
        const stn_format arithmetic = arithmetics[k / levels_count % 4];
        const int64_t n = sizes[k / levels_count / 4];
        if (is_candidate(f, 1, arithmetic, STRIDED))
            check_case(&(one_case){f, arithmetic, any_storage(arithmetic, &state), STRIDED,
                                   (value_kind)below(&state, KINDS), n, n},
                       -1, k, &state);
    }
}

/* Each function with packed and banded matrices of each format; of the fewer complex formats, four
 * times. */
UNIT_TEST(test_packed_and_banded)
{
    static const int64_t sizes[] = {1, 7, 60, 131, 390};
    uint64_t state = 3;
    int number = 0;
    for (int k = 0; k < levels_count * 4 * 2 * 5; k++)
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
            const levels_function *const f = &levels_functions[k / 40];
            const stn_format arithmetic = arithmetics[k % 4];
            const storage_layout layout = k / 4 % 2 ? BANDED : PACKED;
            const int64_t n = sizes[k / 8 % 5];
            const int is_complex = levels_is_complex(arithmetic);
            stn_storage storage = stn_storage_of(format);
            if (!is_candidate(f, 2, arithmetic, layout) ||
                is_complex != (oracle_formats[format].kind == ORACLE_COMPLEX) ||
                number++ % oracle_count(3 * oracle_quick(), 1, 1) != 0)
                continue;
            storage.scale = !is_complex && below(&state, 3) == 0 ? 0.75 : 1.0;
            for (int repeat = is_complex && n < 390 ? 4 : 1; repeat > 0; repeat--) {
                const value_kind kind = (value_kind)below(&state, KINDS);
                const int64_t m = layout == BANDED && levels_is_oblong(f)
                                      ? sizes[below(&state, 4)] + below(&state, 9)
                                      : n;
                check_case(&(one_case){f, arithmetic, storage, layout, kind, m, n},
                           (int)below(&state, order_settings()), 0, &state);
            }
        }
}

/* Bands of values of the arithmetic type, which are used in place: narrow and wide ones of each
 * order and triangle. */
UNIT_TEST(test_bands_in_place)
{
    const int rounds = oracle_count(48, 48, 400);
    uint64_t state = 9;
    for (int k = 0; k < levels_count * rounds; k++) {
        const levels_function *const f = &levels_functions[k / rounds];
        const stn_format arithmetic = arithmetics[k % 4];
        if (is_candidate(f, 2, arithmetic, BANDED))
            check_case(&(one_case){f, arithmetic, stn_storage_of(arithmetic), BANDED,
                                   (value_kind)below(&state, KINDS), 150, 150},
                       (int)below(&state, order_settings()), 0, &state);
    }
}

/* An unchanged element keeps a code that storing its value would not produce: infinities where they
 * saturate, and any NaN. */
UNIT_TEST(test_kept)
{
    enum { M = 5, N = 300 };
    static uint16_t codes[M][N], before[M][N];
    static const int64_t extents[] = {M, N};
    static double x[M], y[N];
    stn_storage saturating = stn_storage_of(STN_F16);
    saturating.overflow = STN_OVERFLOW_SATURATE;
    const stn_view a = wrap_view("A", saturating, codes, 2, extents);
    const stn_view column = wrap_view("x", f64(), x, 1, &extents[0]);
    const stn_view row = wrap_view("y", f64(), y, 1, &extents[1]);
    for (int k = 0; k < M * N; k++)
        codes[k / N][k % N] = (uint16_t)(k % 2 ? 0x7c00 : k % 3 ? 0x7e01 : 0x3c00);
    memcpy(before, codes, sizeof codes);
    x[1] = y[7] = 2.0;
    before[1][7] = 0x4500; /* 1 + 2 * 2 */
    for (int setting = 0; setting < order_settings(); setting++) {
        codes[1][7] = 0x3c00;
        expect_ok(stn_ger(order_use(setting), STN_F64, 1.0, &column, &row, &a));
        assert_memory_equal(codes, before, sizeof codes);
    }
}

/* Parts on the diagonal, transposed ones, and single elements. */
static void check_part(storage_layout layout, const stn_exec *exec, uint64_t *state)
{
    enum { N = 9 };
    operand a = make_matrix(layout, stn_storage_of(STN_F32), N, N, SMALL, state);
    const int64_t begin = below(state, 5), count = 1 + below(state, N - begin);
    const int64_t square[] = {count, count};
    const stn_slice some = stn_slice_range(begin, begin + count), both[] = {some, some};
    const int is_transposed = (int)below(state, 2);
    double x[N], y[N], expected[N], dense[N * N] = {0}, copied[N * N];
    note(&a, STN_F64);
    for (int64_t i = 0; i < count; i++) {
        x[i] = (double)below(state, 9);
        y[i] = (double)NAN;
        for (int64_t j = 0; j < count; j++) {
            const double value = a.values[(begin + i) * N + begin + j].re;
            dense[is_transposed ? j * count + i : i * count + j] = isnan(value) ? 0.0 : value;
        }
    }
    stn_view part = slice_view(&a.view, 2, both),
             copy = wrap_view("copy", f64(), copied, 2, square);
    const stn_view full = wrap_view("full", f64(), dense, 2, square);
    const stn_view xv = wrap_view("x", f64(), x, 1, &count),
                   yv = wrap_view("y", f64(), y, 1, &count);
    const stn_view to = wrap_view("expected", f64(), expected, 1, &count);
    if (is_transposed)
        expect_ok(stn_view_permute(&part, &part, 2, (const int[]){1, 0}));
    expect_ok(stn_gemv(exec, STN_F64, 1, &full, &xv, 0, &to));
    expect_ok(stn_gemv(exec, STN_F64, 1, &part, &xv, 0, &yv));
    for (int64_t i = 0; i < count; i++) /* small numbers: exact */
        assert_true(y[i] == expected[i]);
    if (layout == PACKED) {
        for (int64_t k = 0; k < count * count; k++)
            assert_true(VALUE_AT(&part, k / count, k % count) == dense[k]);
        expect_ok(stn_view_copy(exec, &copy, &part));
        assert_memory_equal(copied, dense, (size_t)(count * count) * sizeof *dense);
    }
    drop(&a);
}

UNIT_TEST(test_parts)
{
    uint64_t state = 4;
    for (int k = 0; k < 200; k++)
        check_part(k % 2 ? BANDED : PACKED, order_use((int)below(&state, order_settings())),
                   &state);
}

RUN_UNIT_TESTS(NULL, order_teardown)
