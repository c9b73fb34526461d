/* Kinds of parameters: shifted and stencil under every boundary, indices by name, elements anywhere
 * in every rank, kernels without parameters. Plain loops over decoded elements compute the expected
 * results, for every format, on every executor, of compiled kernels and of texts. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel_oracle.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "steno/reduce.h"
#include "make_view.h"

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* ---- shifted and stencil: two elements at offsets, as they are ---- */

typedef enum rule { NEAREST, ZERO, PERIODIC, VALUE, INSIDE, RULES } rule;
enum { RANKS = 3, TWO = 2 };
static const int64_t offsets[RANKS][TWO][RANKS] = {
    {{-3}, {5}}, {{-1, 2}, {1, -2}}, {{1, -1, 2}, {0, 1, -1}}};
static const int64_t radius[RANKS][RANKS] = {{5}, {1, 2}, {1, 1, 2}};

/* clang-format off */
#define AT_1         at(i)
#define AT_2         at(i, j)
#define AT_3         at(i, j, k)
#define FIRST_1      -3
#define FIRST_2      -1, 2
#define FIRST_3      1, -1, 2
#define SECOND_1     5
#define SECOND_2     1, -2
#define SECOND_3     0, 1, -1
#define RADIUS_1     5
#define RADIUS_2     1, 2
#define RADIUS_3     1, 1, 2
#define AT_FIRST_1   i - 3
#define AT_FIRST_2   i - 1, j + 2
#define AT_FIRST_3   i + 1, j - 1, k + 2
#define AT_SECOND_1  i + 5
#define AT_SECOND_2  i + 1, j - 2
#define AT_SECOND_3  i, j + 1, k - 1

typedef stn_status run_kernel(const stn_exec *exec, stn_format arithmetic, const stn_view *u,
                              const stn_view *first, const stn_view *second);
typedef struct kernel {
    rule rule;
    int rank, is_stencil;
    run_kernel *run;
    const char *parameters, *body;
} kernel;

#define WORDS_(...)  #__VA_ARGS__
#define WORDS(...)   WORDS_(__VA_ARGS__)
#define DEFINE_RANK(name, rule, rank)                                                              \
    STN_MAP(shift_##rank##_##name, (shifted(u, rule, FIRST_##rank), shifted(w, rule, SECOND_##rank), \
                                    out(v), out(t)), v = u; t = w;)                                \
    static stn_status run_shift_##rank##_##name(const stn_exec *exec, stn_format arithmetic,       \
                                                const stn_view *u, const stn_view *first,          \
                                                const stn_view *second)                            \
    {                                                                                              \
        return shift_##rank##_##name##_run(exec, arithmetic, u, u, first, second);                 \
    }                                                                                              \
    STN_MAP(near_##rank##_##name, (AT_##rank, stencil(u, rule, RADIUS_##rank), out(v), out(t)),    \
            v = STN_AT(u, AT_FIRST_##rank); t = STN_AT(u, AT_SECOND_##rank);)
#define DEFINE(name, rule) DEFINE_RANK(name, rule, 1) DEFINE_RANK(name, rule, 2) DEFINE_RANK(name, rule, 3)
DEFINE(NEAREST, nearest)
DEFINE(ZERO, zero)
DEFINE(PERIODIC, periodic)
DEFINE(VALUE, value(-2.5))
DEFINE(INSIDE, inside)
#define LIST_RANK(name, rule, rank)                                                                \
    {name, rank, 0, run_shift_##rank##_##name,                                                     \
     "shifted(u, " #rule ", " WORDS(FIRST_##rank) "), shifted(w, " #rule ", " WORDS(SECOND_##rank) "), out(v), out(t)", \
     "v = u; t = w;"},                                                                             \
    {name, rank, 1, near_##rank##_##name##_run,                                                    \
     WORDS(AT_##rank) ", stencil(u, " #rule ", " WORDS(RADIUS_##rank) "), out(v), out(t)",         \
     "v = STN_AT(u, " WORDS(AT_FIRST_##rank) "); t = STN_AT(u, " WORDS(AT_SECOND_##rank) ");"},
#define LIST(name, rule) LIST_RANK(name, rule, 1) LIST_RANK(name, rule, 2) LIST_RANK(name, rule, 3)
static const kernel kernels[] = {LIST(NEAREST, nearest) LIST(ZERO, zero) LIST(PERIODIC, periodic)
                                 LIST(VALUE, value(-2.5)) LIST(INSIDE, inside)};
/* clang-format on */

static const int64_t shapes[RANKS][5][RANKS] = {
    {{1}, {2}, {40}, {300}, {5000}},
    {{1, 1}, {2, 3}, {5, 40}, {30, 300}, {3, 3000}},
    {{1, 1, 1}, {2, 1, 3}, {4, 5, 6}, {6, 7, 140}, {3, 40, 33}}};

/* The index that is read; -1: none is. */
static int64_t place(rule by, int64_t index, int64_t extent)
{
    if (index >= 0 && index < extent)
        return index;
    if (by == PERIODIC)
        return (index % extent + extent) % extent;
    return by == NEAREST ? (index < 0 ? 0 : extent - 1) : -1;
}

static kernel_value real(stn_format arithmetic, double value)
{
    kernel_value v;
    memset(&v, 0, sizeof v);
    if (arithmetic == STN_F64)
        v.f64 = value;
    else
        v.f32 = (float)value;
    return v;
}

static kernel_value shifted_value(const kernel *k, stn_format arithmetic, const kernel_array *u,
                                  const int64_t *index, const int64_t *offset)
{
    int64_t at[RANKS];
    for (int d = 0; d < k->rank; d++) {
        at[d] = place(k->rule, index[d] + offset[d], u->extent[d]);
        if (at[d] < 0)
            return real(arithmetic, k->rule == VALUE ? -2.5 : 0);
    }
    return kernel_get(arithmetic, u, k->rank, at);
}

/* Is the element calculated: does all that is read lie inside, where that is the rule? */
static int is_inside(const kernel *k, const kernel_array *u, const int64_t *index)
{
    for (int d = 0; d < k->rank && k->rule == INSIDE; d++)
        for (int o = 0; o < TWO; o++) {
            const int64_t reach = radius[k->rank - 1][d], by = offsets[k->rank - 1][o][d];
            const int64_t low = index[d] + (k->is_stencil ? -reach : by),
                          high = index[d] + (k->is_stencil ? reach : by);
            if (low < 0 || high >= u->extent[d])
                return 0;
        }
    return 1;
}

enum { MOST = 30 * 300 };
static double found[TWO][MOST], expected[TWO][MOST];

static void expect(const kernel *k, stn_format arithmetic, const kernel_array *u,
                   const int64_t *extent)
{
    int64_t index[RANKS] = {0}, count = 1;
    for (int d = 0; d < k->rank; d++)
        count *= extent[d];
    for (int64_t e = 0; e < count; e++) {
        for (int64_t d = k->rank - 1, rest = e; d >= 0; rest /= extent[d--])
            index[d] = rest % extent[d];
        for (int o = 0; o < TWO && is_inside(k, u, index); o++) {
            const kernel_value v = shifted_value(k, arithmetic, u, index, offsets[k->rank - 1][o]);
            if (arithmetic == STN_F64)
                expected[o][e] = v.f64;
            else
                ((float *)(void *)expected[o])[e] = v.f32;
        }
    }
}

static int same(stn_format arithmetic, int o, int64_t count)
{
    for (int64_t e = 0; e < count; e++) {
        const double a = arithmetic == STN_F64 ? found[o][e]
                                               : (double)((float *)(void *)found[o])[e],
                     b = arithmetic == STN_F64 ? expected[o][e]
                                               : (double)((float *)(void *)expected[o])[e];
        if (!(isnan(a) && isnan(b)) && memcmp(&a, &b, sizeof a) != 0)
            return 0;
    }
    return 1;
}

static void check_run(const kernel *k, const stn_kernel *text, int setting, stn_format arithmetic,
                      const kernel_array *u, const int64_t *extent)
{
    stn_view vu = kernel_view(u, "u"), v[TWO];
    int64_t count = 1;
    for (int d = 0; d < k->rank; d++)
        count *= extent[d];
    for (int o = 0; o < TWO; o++) {
        memset(found[o], 0x55, sizeof found[o]);
        memset(expected[o], 0x55, sizeof expected[o]);
        v[o] = wrap_view("v", stn_storage_of(arithmetic), found[o], k->rank, extent);
    }
    expect(k, arithmetic, u, extent);
    if (text) {
        const stn_argument near[] = {{.view = &vu}, {.view = &v[0]}, {.view = &v[1]}};
        const stn_argument shifted[] = {
            {.view = &vu}, {.view = &vu}, {.view = &v[0]}, {.view = &v[1]}};
        expect_ok(stn_kernel_run(order_use(setting), (stn_kernel *)(uintptr_t)text, arithmetic,
                                 STN_RANK_BROADCAST, NULL, k->is_stencil ? near : shifted));
    } else {
        expect_ok(k->run(order_use(setting), arithmetic, &vu, &v[0], &v[1]));
    }
    for (int o = 0; o < TWO; o++)
        if (!same(arithmetic, o, count))
            fail_msg(
                "%s; %s by %d in %d over %d x %d x %d, u %s with extents %d x %d, scale %g: %g",
                k->parameters, text ? "text" : "compiled", setting, arithmetic, (int)extent[0],
                (int)extent[1], (int)extent[2], oracle_formats[u->storage.format].name,
                (int)u->extent[0], (int)u->extent[1], u->storage.scale, found[o][0]);
}

UNIT_TEST(test_boundaries)
{
    uint64_t random = 77;
    for (int n = 0; n < COUNT_OF(kernels); n++) {
        const kernel *k = &kernels[n];
        stn_kernel *text;
        expect_ok(stn_kernel_compile(&text, "text", k->parameters, k->body, STN_KERNEL_REAL));
        for (int try = 0; try < oracle_count(40, 200, 1000); try++) {
            const int64_t *extent = shapes[k->rank - 1][try % 5];
            stn_format format;
            int64_t of_u[RANKS] = {1, 1, 1}, stride[RANKS], next = 1 + below(&random, 2);
            do
                format = (stn_format)below(&random, STN_BUILTIN_FORMATS);
            while (oracle_formats[format].kind == ORACLE_COMPLEX);
            for (int d = k->rank - 1; d >= 0; d--) {
                of_u[d] = extent[d] + (below(&random, 4) ? 0 : below(&random, 5));
                of_u[d] -= of_u[d] > 3 && below(&random, 4) == 0;
                stride[d] = next;
                next *= of_u[d];
            }
            stn_storage storage = stn_storage_of(format);
            storage.scale = below(&random, 3) ? 1.0 : 0.75;
            kernel_array u = kernel_make(storage, k->rank, of_u, stride, &random);
            check_run(k, below(&random, 3) ? NULL : text, (int)below(&random, order_settings()),
                      below(&random, 2) ? STN_F64 : STN_F32, &u, extent);
            kernel_drop(&u);
        }
        stn_kernel_release(text);
    }
}

STN_MAP_INTEGER(shift_whole, (shifted(u, value(-7), 2), out(v)), v = u;)
STN_MAP_COMPLEX(shift_parts, (shifted(u, value(1.5), -1), stencil(w, zero, 1), at(n), out(v)),
                v.re = u.re + STN_AT(w, n + 1).im;
                v.im = u.im;)
UNIT_TEST(test_other_arithmetic)
{
    enum { N = 400 };
    static int16_t whole[N], result[N];
    static stn_c64 parts[N], to[N];
    const int64_t count = N;
    for (int k = 0; k < N; k++) {
        whole[k] = (int16_t)(3 * k);
        parts[k] = (stn_c64){(float)k, (float)-k};
    }
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_view u = wrap_view("u", stn_storage_of(STN_I16), whole, 1, &count);
        stn_view v = wrap_view("v", stn_storage_of(STN_I16), result, 1, &count);
        expect_ok(shift_whole_run(order_use(setting), STN_I64, &u, &v));
        for (int k = 0; k < N; k++)
            assert_int_equal(result[k], k + 2 < N ? 3 * (k + 2) : -7);
        u = wrap_view("u", stn_storage_of(STN_C64), parts, 1, &count);
        v = wrap_view("v", stn_storage_of(STN_C64), to, 1, &count);
        expect_ok(shift_parts_run(order_use(setting), STN_C128, &u, &u, &v));
        for (int k = 0; k < N; k++) {
            const double re = k > 0 ? k - 1 : 1.5, im = k > 0 ? 1 - k : 0;
            assert_true((double)to[k].re == re + (k + 1 < N ? -(k + 1) : 0) &&
                        (double)to[k].im == im);
        }
    }
}

/* Rows within which elements are left alone, of which others go round, are longer than any tile. */
STN_MAP(two_rules, (shifted(u, inside, 1, 0), shifted(w, periodic, 0, 3), out(v)), v = u - w;)
UNIT_TEST(test_two_rules)
{
    enum { ROWS = 3, COLUMNS = 390000 };
    const int64_t extents[] = {ROWS, COLUMNS};
    float *u = malloc(ROWS * COLUMNS * sizeof *u), *v = calloc(ROWS * COLUMNS, sizeof *v);
    assert_true(u && v);
    for (int k = 0; k < ROWS * COLUMNS; k++)
        u[k] = (float)(k % 1000);
    const stn_view from = wrap_view("u", stn_storage_of(STN_F32), u, 2, extents);
    const stn_view to = wrap_view("v", stn_storage_of(STN_F32), v, 2, extents);
    for (int setting = 0; setting < order_settings(); setting++) {
        expect_ok(two_rules_run(order_use(setting), STN_F32, &from, &from, &to));
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                assert_true(v[i * COLUMNS + j] ==
                            (i + 1 == ROWS
                                 ? 0
                                 : u[(i + 1) * COLUMNS + j] - u[i * COLUMNS + (j + 3) % COLUMNS]));
    }
    free(u);
    free(v);
}

/* A view that is shifted is inside where the element that is read is, whatever its extents. */
STN_MAP(within, (shifted(u, inside, 1, -2), shifted(w, inside, -1, 3), out(v)), v = u - w;)
static void check_within(const stn_exec *exec, int64_t more)
{
    enum { ROWS = 6, COLUMNS = 9, ROOM = (ROWS + 4) * (COLUMNS + 4) };
    const int64_t extents[] = {ROWS, COLUMNS}, others[] = {ROWS + more, COLUMNS + more};
    float u[ROOM], v[ROWS * COLUMNS];
    for (int k = 0; k < ROOM; k++)
        u[k] = (float)(k * k % 101);
    for (int k = 0; k < ROWS * COLUMNS; k++)
        v[k] = -7;
    const stn_view from = wrap_view("u", stn_storage_of(STN_F32), u, 2, others);
    const stn_view to = wrap_view("v", stn_storage_of(STN_F32), v, 2, extents);
    expect_ok(within_run(exec, STN_F32, &from, &from, &to));
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++) {
            const int is_there = i >= 1 && i + 1 < others[0] && i - 1 < others[0] && j >= 2 &&
                                 j - 2 < others[1] && j + 3 < others[1];
            const float value =
                is_there ? u[(i + 1) * others[1] + j - 2] - u[(i - 1) * others[1] + j + 3] : -7;
            if (v[i * COLUMNS + j] != value)
                fail_msg("%d more, element %d %d: %g, not %g", (int)more, (int)i, (int)j,
                         (double)v[i * COLUMNS + j], (double)value);
        }
}

STN_MAP(behind, (shifted(u, inside, -2), out(v)), v = u;)
UNIT_TEST(test_inside_of_others)
{
    const int64_t few = 3, more = 9;
    float u[] = {1, 2, 3}, v[9];
    const stn_view from = wrap_view("u", stn_storage_of(STN_F32), u, 1, &few);
    const stn_view to = wrap_view("v", stn_storage_of(STN_F32), v, 1, &more);
    for (int setting = 0; setting < order_settings(); setting++) {
        for (int64_t some = -4; some <= 4; some++)
            check_within(order_use(setting), some);
        memset(v, 0, sizeof v);
        expect_ok(behind_run(order_use(setting), STN_F32, &from, &to));
        for (int k = 0; k < 9; k++)
            assert_true(v[k] == (k >= 2 && k < 5 ? u[k - 2] : 0));
    }
}

/* ---- rows beside columns: blocks are turned as codes, which may be wider than values ---- */

STN_MAP(added, (in(x), in(q), out(p)), p = x + q;)
UNIT_TEST(test_wide_codes_are_turned)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I64};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    for (int f = 0; f < COUNT_OF(formats); f++)
        for (int64_t rows = 31; rows <= 131; rows += 17)
            for (int64_t columns = 30; columns <= 140; columns += 35) {
                const int64_t extents[] = {rows, columns};
                const stn_storage f32 = stn_storage_of(STN_F32);
                stn_view x = create_view(NULL, "x", stn_storage_of(formats[f]), &left, 2, extents,
                                         0),
                         q = create_view(NULL, "q", f32, NULL, 2, extents, 0),
                         p = create_view(NULL, "p", f32, NULL, 2, extents, 0);
                for (int64_t k = 0; k < rows * columns; k++) {
                    const int64_t index[] = {k / columns, k % columns};
                    expect_ok(stn_view_set(&x, 2, index, (double)(k % 101)));
                    ((float *)q.data)[k] = 1;
                }
                for (int setting = 0; setting < order_settings(); setting++) {
                    expect_ok(added_run(order_use(setting), STN_F32, &x, &q, &p));
                    for (int64_t k = 0; k < rows * columns; k++)
                        assert_true(((float *)p.data)[k] == (float)(1 + k % 101));
                }
                expect_ok(stn_view_release(&x));
                expect_ok(stn_view_release(&q));
                expect_ok(stn_view_release(&p));
            }
}

/* Blocks of several bands and panels: outputs by column next to operands by row, codes that stay as
 * they are only if they are finite, and codes whose size is not a power of two. */
STN_MAP(mixed, (in(x), inout(y), inout(z), out(p), out(q)), p = x + y; q = x - y; z = x - z;
        y = -y;)
static void check_mixed(int64_t rows, int64_t columns)
{
    enum { VIEWS = 5 };
    static const stn_format formats[VIEWS] = {STN_F32, STN_F16, STN_F32, STN_I16, STN_F24};
    static const int by_column[VIEWS] = {0, 1, 0, 0, 1};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    const int64_t extents[] = {rows, columns}, count = rows * columns;
    stn_view v[VIEWS];
    double *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    const stn_view plain = wrap_view("values", stn_storage_of(STN_F64), values, 2, extents);
    for (int n = 0; n < VIEWS; n++) {
        v[n] = create_view(NULL, "v", stn_storage_of(formats[n]), by_column[n] ? &left : NULL, 2,
                           extents, 0);
        for (int64_t k = 0; k < count; k++)
            values[k] = n == 1 ? (double)(k % 103) : (double)(k % 101);
        expect_ok(stn_view_copy(order_use(0), &v[n], &plain));
    }
    double sign = 1;
    for (int setting = 0; setting < order_settings(); setting++, sign = -sign) {
        expect_ok(mixed_run(order_use(setting), STN_F32, &v[0], &v[1], &v[2], &v[3], &v[4]));
        for (int n = 1; n < VIEWS; n++) {
            expect_ok(stn_view_copy(order_use(0), &plain, &v[n]));
            for (int64_t k = 0; k < count; k++) {
                const double x = (double)(k % 101), y = sign * (double)(k % 103);
                const double z = sign > 0 ? 0 : x;
                assert_true(values[k] == (n == 1 ? -y : n == 2 ? z : n == 3 ? x + y : x - y));
            }
        }
    }
    for (int n = 0; n < VIEWS; n++)
        expect_ok(stn_view_release(&v[n]));
    free(values);
}

UNIT_TEST(test_mixed_orders)
{
    check_mixed(5, 3);
    check_mixed(650, 75);
    check_mixed(75, 650);
}

STN_MAP(placed, (at(i, j), in(x), out(y)), y = x + (real_t)(100 * i + j);)

/* The library describes launches on the stack and sets the members that they use: zeros there must
 * not mean blocks without rows, which would never end. */
static void clear_stack(void)
{
    volatile char zeros[64 << 10];
    for (size_t k = 0; k < sizeof zeros; k++)
        zeros[k] = 0;
}

UNIT_TEST(test_tiles_next_to_rows)
{
    const int64_t extents[] = {70, 50}, tile[] = {4, 8};
    const stn_layout tiled = stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT);
    stn_view x = create_view(NULL, "x", stn_storage_of(STN_F16), &tiled, 2, extents, 0);
    stn_view y = create_view(NULL, "y", f64(), NULL, 2, extents, 0);
    expect_ok(stn_view_fill(order_use(0), &x, 3.0));
    alarm(60);
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *const exec = order_use(setting);
        expect_ok(stn_view_fill(exec, &y, 0.0));
        clear_stack();
        expect_ok(placed_run(exec, STN_F64, &x, &y));
        for (int k = 0; k < 70 * 50; k++)
            assert_true(((const double *)y.data)[k] == 3 + 100 * (k / 50) + k % 50);
    }
    alarm(0);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
}

/* ---- every rank: the indices, and elements by them ---- */

/* clang-format off */
#define NAMES_1 a
#define NAMES_2 a, b
#define NAMES_3 a, b, c
#define NAMES_4 a, b, c, d
#define NAMES_5 a, b, c, d, e
#define NAMES_6 a, b, c, d, e, f
#define NAMES_7 a, b, c, d, e, f, g
#define NAMES_8 a, b, c, d, e, f, g, h
#define NUMBER_1 a
#define NUMBER_2 NUMBER_1 * 3 + b
#define NUMBER_3 (NUMBER_2) * 3 + c
#define NUMBER_4 (NUMBER_3) * 3 + d
#define NUMBER_5 (NUMBER_4) * 3 + e
#define NUMBER_6 (NUMBER_5) * 3 + f
#define NUMBER_7 (NUMBER_6) * 3 + g
#define NUMBER_8 (NUMBER_7) * 3 + h
#define EACH_RANK(ROW) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8)
#define DEFINE_ANY(rank)                                                                           \
    STN_MAP(any_##rank, (at(NAMES_##rank), gather(u, rank), scatter(w, rank), out(v)),             \
            STN_PUT(w, STN_AT(u, NAMES_##rank) + 1, NAMES_##rank); v = (real_t)(NUMBER_##rank);)   \
    static const char text_##rank[] = "at(" WORDS(NAMES_##rank) "), gather(u, " #rank "), scatter(w, " #rank "), out(v)", \
                      body_##rank[] = "STN_PUT(w, STN_AT(u, " WORDS(NAMES_##rank) ") + 1, " WORDS(NAMES_##rank) "); v = " WORDS(NUMBER_##rank) ";";
EACH_RANK(DEFINE_ANY)
/* clang-format on */
enum { EXTENT = 3, CELLS = 6561 };

#define RUN_OF(n)  any_##n##_run,
#define TEXT_OF(n) {text_##n, body_##n},
static run_kernel *const runs[] = {EACH_RANK(RUN_OF)};
static const char *const texts[][2] = {EACH_RANK(TEXT_OF)};

static stn_status run_text(int rank, const stn_exec *exec, const stn_view *u, const stn_view *w,
                           const stn_view *v)
{
    const stn_argument arguments[] = {{.view = u}, {.view = w}, {.view = v}};
    stn_kernel *text;
    expect_ok(
        stn_kernel_compile(&text, "any", texts[rank - 1][0], texts[rank - 1][1], STN_KERNEL_REAL));
    const stn_status status =
        stn_kernel_run(exec, text, STN_F32, STN_RANK_BROADCAST, NULL, arguments);
    stn_kernel_release(text);
    return status;
}

UNIT_TEST(test_every_rank)
{
    static int16_t from[CELLS], to[CELLS], numbers[CELLS];
    int64_t extent[STN_MAX_RANK], count = 1;
    for (int d = 0; d < STN_MAX_RANK; d++)
        extent[d] = EXTENT;
    for (int k = 0; k < CELLS; k++)
        from[k] = (int16_t)(2 * k);
    for (int rank = 1; rank <= STN_MAX_RANK; rank++) {
        count *= EXTENT;
        const stn_view u = wrap_view("u", stn_storage_of(STN_I16), from, rank, extent);
        const stn_view w = wrap_view("w", stn_storage_of(STN_I16), to, rank, extent);
        const stn_view v = wrap_view("v", stn_storage_of(STN_I16), numbers, rank, extent);
        for (int setting = 0; setting < 2 * order_settings(); setting++) {
            memset(to, 0, sizeof to);
            memset(numbers, 0, sizeof numbers);
            const stn_exec *const exec = order_use(setting / 2);
            expect_ok(setting % 2 ? run_text(rank, exec, &u, &w, &v)
                                  : runs[rank - 1](exec, STN_F32, &u, &w, &v));
            for (int64_t k = 0; k < count; k++)
                assert_true(to[k] == 2 * k + 1 && numbers[k] == k);
        }
        if (rank > 1) {
            const stn_view flat = wrap_view("flat", stn_storage_of(STN_I16), from, 1, extent);
            expect_error(runs[rank - 1](order_use(0), STN_F32, &flat, &w, &v), STN_ERR_SHAPE,
                         "u has rank");
            expect_error(runs[rank - 1](order_use(0), STN_F32, &u, &w, &flat), STN_ERR_SHAPE,
                         "indices");
        }
    }
}

/* ---- no parameters, no views ---- */

STN_MAP(nothing, (), (void)0;)
STN_MAP(numbered, (at(i, j), scatter(w, 2)), STN_PUT(w, (real_t)(10 * i + j), i, j);)
STN_REDUCE(counted, sum, (), 1)
STN_REDUCE(indices, sum, (at(i, j)), (real_t)(10 * i + j))

UNIT_TEST(test_without_views)
{
    const int64_t extent[] = {7, 200};
    static float w[7 * 200];
    double sum = 0;
    const stn_view vw = wrap_view("w", stn_storage_of(STN_F32), w, 2, extent);
    for (int k = 0; k < 7 * 200; k++)
        sum += 10 * (k / 200) + k % 200;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *const exec = order_use(setting);
        double result = -1;
        expect_ok(nothing_run_over(exec, STN_F64, 2, extent));
        expect_error(nothing_run(exec, STN_F64), STN_ERR_ARGUMENT, NULL);
        memset(w, 0, sizeof w);
        expect_ok(numbered_run_over(exec, STN_F64, 2, extent, &vw));
        for (int k = 0; k < 7 * 200; k++)
            assert_true(w[k] == (float)(10 * (k / 200) + k % 200));
        expect_ok(counted_reduce_over(exec, STN_F64, 2, extent, &result));
        assert_true(result == 1400);
        expect_ok(indices_reduce_over(exec, STN_F64, 2, extent, &result));
        assert_true(result == sum);
        expect_error(numbered_run_over(exec, STN_F64, 1, extent, &vw), STN_ERR_SHAPE, NULL);
    }
}

RUN_UNIT_TESTS(NULL, order_teardown)
