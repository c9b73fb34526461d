/* Every function of BLAS gives the bits of levels.c: for each format, layout and kind of
 * scales of each operand, each executor and instruction set, and for special values. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_view.h"
#include "exec.h"
#include "levels.h"
#include "order_oracle.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};

static int has(const levels_function *f, stn_format arithmetic)
{
    return f->kinds & (levels_is_complex(arithmetic) ? LEVELS_COMPLEX : LEVELS_REAL);
}

/* ---- values of an arithmetic type, and pairs of doubles ---- */

static stn_c128 get_value(stn_format arithmetic, const void *values, int64_t k)
{
    switch (arithmetic) {
    case STN_F64:
        return (stn_c128){((const double *)values)[k], 0.0};
    case STN_F32:
        return (stn_c128){(double)((const float *)values)[k], 0.0};
    case STN_C64:
        return (stn_c128){(double)((const stn_c64 *)values)[k].re,
                          (double)((const stn_c64 *)values)[k].im};
    default:
        return ((const stn_c128 *)values)[k];
    }
}

static void set_value(stn_format arithmetic, void *values, int64_t k, stn_c128 value)
{
    if (arithmetic == STN_F64)
        ((double *)values)[k] = value.re;
    else if (arithmetic == STN_F32)
        ((float *)values)[k] = (float)value.re;
    else if (arithmetic == STN_C64)
        ((stn_c64 *)values)[k] = (stn_c64){(float)value.re, (float)value.im};
    else
        ((stn_c128 *)values)[k] = value;
}

static void check_result(const levels_result *found, const levels_result *expected,
                         const char *words)
{
    if (!order_same(found->number.re, expected->number.re) ||
        !order_same(found->number.im, expected->number.im) || found->place != expected->place)
        fail_msg("%s: (%a, %a) at %" PRId64 ", not (%a, %a) at %" PRId64, words, found->number.re,
                 found->number.im, found->place, expected->number.re, expected->number.im,
                 expected->place);
}

/* ---- one case: operands of any storage ---- */

typedef struct one_case {
    const levels_function *f;
    stn_format arithmetic;
    stn_storage storage[LEVELS_VIEWS];
    layout_case layout[LEVELS_VIEWS];
    scale_case scaling[LEVELS_VIEWS];
    int64_t m, n;
    levels_choice choice;
} one_case;

static const char *words_of(const one_case *c, int setting)
{
    static char words[500];
    int at = snprintf(words, sizeof words,
                      "%s in %s on %s, %d x %d, alpha (%g, %g) beta (%g, %g) %d%d%d flag %g:",
                      c->f->name, oracle_formats[c->arithmetic].name, order_setting_name(setting),
                      (int)c->m, (int)c->n, c->choice.alpha.re, c->choice.alpha.im,
                      c->choice.beta.re, c->choice.beta.im, (int)c->choice.triangle,
                      (int)c->choice.diagonal, (int)c->choice.conj, c->choice.parameter[0]);
    for (int v = 0; c->f->shapes[v]; v++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %s %s (%s scale)",
                       oracle_formats[c->storage[v].format].name, layout_names[c->layout[v]],
                       scale_names[c->scaling[v]]);
    return words;
}

/* What the function does to the values of the operands, by the model. */
static levels_result expect(const one_case *c, operand *x)
{
    levels_problem p = {.arithmetic = c->arithmetic,
                        .m = c->m,
                        .n = c->n,
                        .choice = &c->choice,
                        .result = {{0, 0}, 0}};
    int64_t count[LEVELS_VIEWS];
    for (int v = 0; c->f->shapes[v]; v++) {
        count[v] = stn_view_count(&x[v].view);
        p.v[v] = calloc((size_t)count[v] + 1, sizeof *p.v[v]);
        assert_non_null(p.v[v]);
        for (int64_t k = 0; k < count[v]; k++)
            p.v[v][k] = get_value(c->arithmetic, x[v].memory, k);
    }
    c->f->model(&p);
    for (int v = 0; c->f->shapes[v]; v++) {
        for (int64_t k = 0; k < count[v]; k++)
            set_value(c->arithmetic, x[v].memory, k, p.v[v][k]);
        free(p.v[v]);
    }
    return p.result;
}

/* The same codes, or both NaN. */
static int is_same_code(const stn_view *view, const void *a, const void *b, size_t bytes)
{
    stn_c128 x, y;
    const int is_complex = oracle_formats[view->storage.format].kind == ORACLE_COMPLEX;
    const stn_format wide = is_complex ? STN_C128 : STN_F64;
    if (memcmp(a, b, bytes) == 0)
        return 1;
    ok(stn_decode(wide, &x, &view->storage, a, 1, 1), "decode");
    ok(stn_decode(wide, &y, &view->storage, b, 1, 1), "decode");
    return is_complex
               ? order_same(x.re, y.re) && order_same(x.im, y.im) && (isnan(x.re) || isnan(x.im))
               : isnan(x.re) && isnan(y.re);
}

static void check_codes(const operand *x, const operand *expected, const char *words)
{
    int64_t index[STN_MAX_RANK] = {0}, number = 0;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    ok(stn_format_describe(x->view.storage.format, &info), words);
    if (stn_view_count(&x->view) == 0)
        return;
    do {
        const void *const code = code_of(x, index);
        const void *const other = code_of(expected, index);
        if (!is_same_code(&x->view, code, other, (size_t)info.bytes))
            fail_msg("%s: element %" PRId64 " differs", words, number);
        number++;
    } while (next_index(&x->view, index));
}

static void check_case(const one_case *c, int setting, uint64_t seed)
{
    uint64_t state = seed, again = seed;
    operand x[LEVELS_VIEWS], expected[LEVELS_VIEWS];
    stn_view sent[LEVELS_VIEWS];
    const stn_view *views[LEVELS_VIEWS];
    levels_result found = {{0, 0}, 0};
    const char *words = words_of(c, setting);
    for (int v = 0; c->f->shapes[v]; v++) {
        int64_t extents[2];
        levels_extents(c->f, v, c->m, c->n, extents);
        const int rank = levels_rank(c->f, v);
        x[v] = make_operand(c->arithmetic, c->storage[v], c->layout[v], c->scaling[v], rank,
                            extents, &state);
        expected[v] = make_operand(c->arithmetic, c->storage[v], c->layout[v], c->scaling[v], rank,
                                   extents, &again);
        sent[v] = send_operand(&x[v]);
        views[v] = &sent[v];
    }
    const levels_result wanted = expect(c, expected);
    const order_modes saved = order_begin();
    const stn_status status =
        c->f->run(order_use(setting), c->arithmetic, &c->choice, views, &found);
    order_end(status, saved, words);
    check_result(&found, &wanted, words);
    for (int v = 0; c->f->shapes[v]; v++) {
        if (c->f->written >> v & 1)
            encode_all(&expected[v], c->arithmetic, expected[v].memory);
        check_codes(&x[v], &expected[v], words);
        drop_operand(&x[v]);
        drop_operand(&expected[v]);
    }
}

/* ---- what to try ---- */

static int goes_with(stn_format arithmetic, stn_format format)
{
    return levels_is_complex(arithmetic) == (oracle_formats[format].kind == ORACLE_COMPLEX);
}

static stn_format any_format(stn_format arithmetic, uint64_t *state)
{
    stn_format format;
    do
        format = (stn_format)below(state, STN_BUILTIN_FORMATS);
    while (!goes_with(arithmetic, format));
    return format;
}

/* Mapped views have one scale, and there are so many of them. */
static scale_case any_scaling(layout_case layout, int64_t count, uint64_t *state)
{
    const scale_case scaling = (scale_case)below(state, SCALES);
    if (scaling == PER_ELEMENT && count > MOST_SCALES)
        return NONE;
    return layout >= TILED && scaling > ONE ? ONE : scaling;
}

static const int64_t shapes[][2] = {{1, 1}, {7, 131}, {130, 33}, {9, 300}, {33, 128}};
static const int64_t small_shapes[][2] = {{1, 1}, {3, 131}, {65, 9}, {9, 66}, {17, 32}};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

static one_case make_case(const levels_function *f, stn_format arithmetic, int first,
                          layout_case layout, stn_format format, const int64_t *shape,
                          uint64_t *state)
{
    one_case c = {.f = f, .arithmetic = arithmetic, .m = shape[0], .n = shape[1]};
    c.choice = levels_choose(state);
    if (!levels_is_oblong(f))
        c.m = c.n;
    for (int v = 0; f->shapes[v]; v++) {
        const int is_first = v == first;
        int64_t extents[2] = {1, 1};
        levels_extents(f, v, c.m, c.n, extents);
        c.storage[v] = stn_storage_of(is_first ? format : any_format(arithmetic, state));
        c.layout[v] = is_first || c.m * c.n == 0 ? layout : (layout_case)below(state, LAYOUTS);
        c.scaling[v] =
            any_scaling(c.layout[v], extents[0] * (levels_rank(f, v) == 2 ? extents[1] : 1), state);
    }
    return c;
}

/* Each function, with each operand in turn of each format in each layout. */
static void test_all(void **context)
{
    uint64_t state = 1;
    int number = 0;
    const int some = oracle_count(24 * oracle_quick(), 12, 1), few = oracle_full() ? 1 : 12 * some;
    (void)context;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
        for (int a = 0; a < 4; a++)
            for (int v = 0; f->shapes[v] && has(f, arithmetics[a]); v++)
                for (int l = 0; l < LAYOUTS; l++)
                    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
                        if (!goes_with(arithmetics[a], format) ||
                            number++ % (levels_is_product(f) ? few : some) != 0)
                            continue;
                        const one_case c = make_case(
                            f, arithmetics[a], v, (layout_case)l, format,
                            (levels_is_product(f) ? small_shapes : shapes)[below(&state, SHAPES)],
                            &state);
                        check_case(&c, (int)below(&state, order_settings()), order_next(&state));
                    }
}

/* Each function once, of random formats, layouts and scales: for devices, where each combination is
 * compiled. */
static void test_each(void **context)
{
    uint64_t state = 4;
    (void)context;
    for (int k = 0; k < oracle_count(1, 1, 30) * levels_count; k++) {
        const levels_function *const f = &levels_functions[k % levels_count];
        const int64_t *const shape =
            (levels_is_product(f) ? small_shapes : shapes)[below(&state, SHAPES)];
        stn_format arithmetic;
        do
            arithmetic = arithmetics[below(&state, 4)];
        while (!has(f, arithmetic));
        const one_case c = make_case(f, arithmetic, 0, (layout_case)below(&state, LAYOUTS),
                                     any_format(arithmetic, &state), shape, &state);
        check_case(&c, 0, order_next(&state));
    }
}

/* Each executor and instruction set, of vectors that are long and matrices without elements. */
static void test_shapes(void **context)
{
    static const int64_t odd[][2] = {{5, 2500}, {0, 3}, {3, 0}, {0, 0}, {300, 1}};
    uint64_t state = 2;
    (void)context;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
        for (int setting = 0; setting < order_settings(); setting++)
            for (int k = 0; k < 5; k++) {
                const stn_format arithmetic = arithmetics[below(&state, 4)];
                const int is_large = strpbrk(f->shapes, "sqw") && odd[k][1] > 1000;
                if (!has(f, arithmetic) || is_large)
                    continue;
                const one_case c = make_case(f, arithmetic, 0, RIGHT, arithmetic, odd[k], &state);
                check_case(&c, setting, order_next(&state));
            }
}

/* ---- special values, in the arithmetic type itself ---- */

static double any_special(uint64_t *state)
{
    static const double specials[] = {0.0,         -0.0,      1.0,        -1.0, 0x1p-140,
                                      -0x1.8p-149, 0x1.fp127, -0x1.2p100, 3.0,  0.1};
    const int64_t pick = below(state, 40);
    return pick == 38 ? (double)INFINITY : pick == 39 ? (double)NAN : specials[pick % 10];
}

static void check_specials(const levels_function *f, stn_format arithmetic, int setting, int64_t m,
                           int64_t n, uint64_t *state)
{
    one_case c = {.f = f, .arithmetic = arithmetic, .m = m, .n = n, .choice = levels_choose(state)};
    operand x[LEVELS_VIEWS], expected[LEVELS_VIEWS];
    const stn_view *views[LEVELS_VIEWS];
    levels_result found = {{0, 0}, 0};
    if (!levels_is_oblong(f))
        c.m = n;
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        c.storage[v] = stn_storage_of(arithmetic);
        levels_extents(f, v, c.m, c.n, extents);
        x[v] =
            make_operand(arithmetic, c.storage[v], RIGHT, NONE, levels_rank(f, v), extents, state);
        expected[v] =
            make_operand(arithmetic, c.storage[v], RIGHT, NONE, levels_rank(f, v), extents, state);
        for (int64_t k = 0; k < stn_view_count(&x[v].view); k++) {
            set_value(arithmetic, x[v].memory, k,
                      (stn_c128){any_special(state), any_special(state)});
            set_value(arithmetic, expected[v].memory, k, get_value(arithmetic, x[v].memory, k));
        }
        views[v] = &x[v].values;
    }
    const levels_result wanted = expect(&c, expected);
    const char *words = words_of(&c, setting);
    ok(f->run(order_use(setting), arithmetic, &c.choice, views, &found), words);
    check_result(&found, &wanted, words);
    for (int v = 0; f->shapes[v]; v++) {
        for (int64_t k = 0; k < stn_view_count(&x[v].view); k++) {
            const stn_c128 is = get_value(arithmetic, x[v].memory, k),
                           should = get_value(arithmetic, expected[v].memory, k);
            if (!order_same(is.re, should.re) || !order_same(is.im, should.im))
                fail_msg("%s: element %" PRId64 " of %d is (%a, %a), not (%a, %a)", words, k, v,
                         is.re, is.im, should.re, should.im);
        }
        drop_operand(&x[v]);
        drop_operand(&expected[v]);
    }
}

static void test_specials(void **context)
{
    uint64_t state = 3;
    (void)context;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
        for (int setting = 0; setting < order_settings(); setting++)
            for (int k = 0; k < oracle_count(4, levels_is_product(f) ? 8 : 24, 100); k++)
                if (has(f, arithmetics[k % 4]))
                    check_specials(f, arithmetics[k % 4], setting, 1 + below(&state, 9),
                                   1 + below(&state, 40), &state);
}

/* Nothing outside of a triangle, or of a unit diagonal, is looked at; nor what a factor of 0
 * leaves out: NaN there is not seen, as the models have it. Here all of it is NaN. */
static void test_unread(void **context)
{
    enum { N = 140 };
    static double a[N][N], x[N], y[N];
    const int64_t extents[2] = {N, N};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view av, xv, yv;
    (void)context;
    ok(stn_view_wrap(&av, "a", f64, a, 2, extents), "wrap");
    ok(stn_view_wrap(&xv, "x", f64, x, 1, extents), "wrap");
    ok(stn_view_wrap(&yv, "y", f64, y, 1, extents), "wrap");
    for (int setting = 0; setting < order_settings(); setting++)
        for (int triangle = 0; triangle < 2; triangle++) {
            const stn_exec *exec = order_use(setting);
            for (int i = 0; i < N; i++) {
                x[i] = 1.0;
                y[i] = (double)NAN;
                for (int j = 0; j < N; j++)
                    a[i][j] = (triangle ? j > i : j < i) ? 1.0 : (double)NAN;
            }
            ok(stn_trmv(exec, STN_F64, (stn_triangle)triangle, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE,
                        &av, &xv),
               "trmv");
            for (int i = 0; i < N; i++)
                assert_true(x[i] == (triangle ? N - i : i + 1));
            ok(stn_gemv(exec, STN_F64, 0.0, &av, &xv, 0.0, &yv), "gemv");
            for (int i = 0; i < N; i++)
                assert_true(y[i] == 0.0);
            for (int i = 0; i < N; i++)
                a[i][i] = y[i] = 2.0;
            for (int i = 0; i < N; i++)
                x[i] = i;
            ok(stn_symv(exec, STN_F64, (stn_triangle)triangle, 1.0, &av, &xv, 3.0, &yv), "symv");
            for (int i = 0; i < N; i++)
                assert_true(y[i] == N * (N - 1) / 2 + i + 6);
        }
}

/* Elements that do not change keep their codes, also where storing them again would not. */
static void test_left_alone(void **context)
{
    int8_t codes[] = {-127, -101, -3, 0, 1, 55, 77, 127}, before[sizeof codes], other[sizeof codes];
    const int64_t count = (int64_t)sizeof codes;
    stn_storage cut = stn_storage_of(STN_I8);
    stn_view x, y;
    (void)context;
    cut.scale = 0.3;
    cut.rounding = STN_ROUND_TOWARD_ZERO;
    memcpy(before, codes, sizeof codes);
    memcpy(other, codes, sizeof codes);
    ok(stn_view_wrap(&x, "x", cut, codes, 1, &count), "wrap");
    ok(stn_view_wrap(&y, "y", cut, other, 1, &count), "wrap");
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        ok(stn_scal(exec, STN_F64, 1.0, &x), "scal");
        ok(stn_axpy(exec, STN_F64, 0.0, &y, &x), "axpy");
        ok(stn_axpby(exec, STN_F64, 0.0, &y, 1.0, &x), "axpby");
        ok(stn_rot(exec, STN_F64, &x, &y, 1.0, 0.0), "rot");
        ok(stn_swap(exec, STN_F64, &x, &y), "swap");
        assert_memory_equal(codes, before, sizeof codes);
        assert_memory_equal(other, before, sizeof codes);
    }
}

/* axpy and axpby take one view for both. */
static void test_same(void **context)
{
    double x[] = {1, -2, 0.5};
    const int64_t count = 3;
    stn_view view;
    (void)context;
    ok(stn_view_wrap(&view, "x", stn_storage_of(STN_F64), x, 1, &count), "wrap");
    for (int setting = 0; setting < order_settings(); setting++) {
        memcpy(x, (const double[]){1, -2, 0.5}, sizeof x);
        ok(stn_axpby(order_use(setting), STN_F64, 3, &view, -5, &view), "axpby");
        ok(stn_axpy(order_use(setting), STN_F64, 1, &view, &view), "axpy");
        assert_true(x[0] == -4 && x[1] == 8 && x[2] == -2);
    }
}

/* Numbers of complex elements beyond what f32 counts. */
static void test_far(void **context)
{
    const int64_t count = ((int64_t)1 << 24) + 100, far = count - 7;
    const stn_exec *exec = order_use(order_settings() - 1);
    stn_view x;
    int64_t place;
    (void)context;
    if (oracle_quick())
        return;
    ok(stn_view_create(NULL, &x, "x", stn_storage_of(STN_C32), 1, &count), "create");
    ok(stn_view_set_complex(&x, 1, &far, (stn_c128){0, -1}), "set");
    ok(stn_iamax(exec, STN_C64, &place, &x), "iamax");
    assert_int_equal(place, far);
    ok(stn_view_set_complex(&x, 1, &far, (stn_c128){0, 0}), "set");
    ok(stn_iamax(exec, STN_C64, &place, &x), "iamax");
    assert_int_equal(place, 0);
    ok(stn_view_release(&x), "release");
}

static int release(void **context)
{
    (void)context;
    order_release_executors();
    return 0;
}

/* ---- triangular systems of values, which the solver leaves where they are ---- */

/* x becomes what solves its system, by the sum over other strips of 16 rows and then each product
 * of its own. */
static void solve_by_rows(stn_format arithmetic, int is_upper, int64_t n, const double *a,
                          double *x)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t row = is_upper ? n - 1 - k : k, strip = row / 16 * 16;
        const int64_t behind = strip + 16 < n ? strip + 16 : n, first = is_upper ? behind : 0;
        const int64_t others = is_upper ? n - behind : strip;
        double sum =
            others > 0 ? order_dot(arithmetic, a + row * n + first, x + first, others) : 0.0;
        for (int64_t j = is_upper ? behind - 1 : strip; j != row; j += is_upper ? -1 : 1)
            sum = order_round(arithmetic, sum + order_round(arithmetic, a[row * n + j] * x[j]));
        x[row] = order_round(arithmetic, order_round(arithmetic, x[row] - sum) / a[row * n + row]);
    }
}

/* The matrix by rows or by columns, of values or of scaled f16. */
static void check_system(stn_format arithmetic, int is_upper, int64_t n, order_kind kind,
                         uint64_t seed)
{
    const int64_t extents[] = {n, n}, strides[][2] = {{n, 1}, {1, n}};
    stn_storage storage = stn_storage_of(seed % 3 == 0 ? STN_F16 : arithmetic);
    storage.scale = seed % 3 == 0 ? 0.3 : 1.0;
    order_array a = order_make(storage, 2, extents, strides[seed / 3 % 2], kind, seed);
    order_array x = order_make_vector(stn_storage_of(arithmetic), n, 1, kind, seed + 1);
    double *const numbers = order_values(arithmetic, &a), *const expected =
                                                              order_values(arithmetic, &x);
    uint8_t *const before = order_image(&x);
    const stn_view matrix = order_view(&a, "A"), vector = order_view(&x, "x");
    solve_by_rows(arithmetic, is_upper, n, numbers, expected);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, (int)n))
            continue;
        memcpy(x.memory, before, (size_t)x.bytes);
        ok(stn_trsv(order_use(setting), arithmetic, is_upper ? STN_UPPER : STN_LOWER,
                    STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &matrix, &vector),
           "trsv");
        double *const found = order_values(arithmetic, &x);
        for (int64_t k = 0; k < n; k++)
            if (!order_same(found[k], expected[k]))
                fail_msg("trsv of %d in %s on %s: element %d is %a, not %a", (int)n,
                         oracle_formats[arithmetic].name, order_setting_name(setting), (int)k,
                         found[k], expected[k]);
        free(found);
    }
    order_drop(&a);
    order_drop(&x);
    free(numbers);
    free(expected);
    free(before);
}

/* Every size about those that a row's sum changes at; infinities, NaN, zeros and subnormals. */
static void test_systems(void **context)
{
    static const int64_t more[] = {63, 64, 65, 97, 127, 128};
    (void)context;
    for (int64_t k = 0; k < 40 + 6; k++)
        for (int way = 0; way < 4; way++)
            check_system(arithmetics[way % 2], way / 2, k < 40 ? k + 1 : more[k - 40],
                         (order_kind)((k + way) % ORDER_KINDS), (uint64_t)(6 * way + k));
}

/* An x that lies in the matrix. */
static void test_system_in_itself(void **context)
{
    static const int64_t extents[] = {9, 9}, few = 9;
    static double memory[81 + 8];
    (void)context;
    for (int64_t at = 0; at <= 80; at += 16) {
        stn_view a, x;
        ok(stn_view_wrap(&a, "A", stn_storage_of(STN_F64), memory, 2, extents), "wrap");
        ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), memory + at, 1, &few), "wrap");
        assert_int_equal(stn_trsv(order_use(order_settings() - 1), STN_F64, STN_LOWER,
                                  STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &a, &x),
                         STN_ERR_ALIAS);
    }
}

int main(void)
{
    const struct CMUnitTest on_device[] = {cmocka_unit_test(test_each)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_specials),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_system_in_itself),
    };
    return test_exec() ? cmocka_run_group_tests_name(test_exec_name(), on_device, NULL, release)
                       : cmocka_run_group_tests_name("levels 1 and 2", tests, NULL, release);
}
