/* Stencils: kernels over neighbors give the bits of plain loops over single
 * elements, for every format, layout, radius, shape and executor, at the borders too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_oracle.h"
#include "steno/kernel.h"
#include "make_view.h"

/* Every neighbor has a weight of its own. */
/* clang-format off */
#define NEAR_1(name, rule)                                                                         \
    STN_MAP(name, (at(i), stencil(u, rule, 3), out(v)),                                            \
        real_t sum = 0;                                                                            \
        for (int64_t a = -3; a <= 3; a++)                                                          \
            sum = sum * STN_R(0.75) + STN_AT(u, i + a);                                                \
        v = sum;                                                                                   \
    )
NEAR_1(near_1, nearest)
NEAR_1(near_1_inside, inside)
#define NEAR_2(name, rule)                                                                         \
    STN_MAP(name, (at(i, j), stencil(u, rule, 1, 2), in(x), inout(v)),                             \
        real_t sum = x;                                                                            \
        for (int64_t a = -1; a <= 1; a++)                                                          \
            for (int64_t b = -2; b <= 2; b++)                                                      \
                sum = sum * STN_R(0.75) + STN_AT(u, i + a, j + b);                                     \
        v = v + sum;                                                                               \
    )
NEAR_2(near_2, nearest)
NEAR_2(near_2_inside, inside)
#define NEAR_3(name, rule)                                                                         \
    STN_MAP(name, (at(i, j, k), stencil(u, rule, 1, 1, 1), stencil(w, rule, 0, 2, 0), masked(v)),  \
        if ((i + j + k) % 3 == 0)                                                                  \
            return;                                                                                \
        real_t sum = STN_AT(w, i, j + 2, k) - STN_AT(w, i, j - 2, k);                              \
        for (int64_t a = -1; a <= 1; a++)                                                          \
            for (int64_t b = -1; b <= 1; b++)                                                      \
                for (int64_t c = -1; c <= 1; c++)                                                  \
                    sum = sum * STN_R(0.75) + STN_AT(u, i + a, j + b, k + c);                          \
        STN_STORE(v, sum);                                                                         \
    )
NEAR_3(near_3, nearest)
NEAR_3(near_3_inside, inside)
#define NEAR_4(name, rule)                                                                         \
    STN_MAP(name, (at(i, j, k, l), stencil(u, rule, 1, 0, 1, 1), out(v)),                          \
        real_t sum = 0;                                                                            \
        for (int64_t a = -1; a <= 1; a++)                                                          \
            for (int64_t c = -1; c <= 1; c++)                                                      \
                for (int64_t d = -1; d <= 1; d++)                                                  \
                    sum = sum * STN_R(0.75) + STN_AT(u, i + a, j, k + c, l + d);                       \
        v = sum;                                                                                   \
    )
NEAR_4(near_4, nearest)
NEAR_4(near_4_inside, inside)
#define NEAR_INTEGERS(name, rule)                                                                  \
    STN_MAP_INTEGER(name, (at(i, j), stencil(u, rule, 2, 1), out(v)),                              \
        uint64_t sum = 0;                                                                          \
        for (int64_t a = -2; a <= 2; a++)                                                          \
            for (int64_t b = -1; b <= 1; b++)                                                      \
                sum = sum * 3 + (uint64_t)STN_AT(u, i + a, j + b);                                 \
        v = (real_t)(sum >> 40);                                                                   \
    )
NEAR_INTEGERS(near_integers, nearest)
NEAR_INTEGERS(near_integers_inside, inside)
#define NEAR_COMPLEX(name, rule)                                                                   \
    STN_MAP_COMPLEX(name, (at(i, j), stencil(u, rule, 1, 1), inout(v)),                            \
        for (int64_t a = -1; a <= 1; a++)                                                          \
            for (int64_t b = -1; b <= 1; b++) {                                                    \
                const real_t near = STN_AT(u, i + a, j + b);                                       \
                v.re = v.re / 2 + near.im;                                                         \
                v.im = v.im - near.re;                                                             \
            }                                                                                      \
    )
NEAR_COMPLEX(near_complex, nearest)
NEAR_COMPLEX(near_complex_inside, inside)
/* clang-format on */

enum { FIELDS = 2, REACHED = 4 };

/* What each kernel takes: stencils and their radius, then a view that is read, then the output; one
 * that keeps leaves alone what ends as it was. */
typedef struct near_model {
    const char *name;
    oracle_class kind;
    int rank, fields, reads, keeps;
    int reach[FIELDS][REACHED];
} near_model;
static const near_model models[] = {
    {"near_1", ORACLE_FLOAT, 1, 1, 0, 0, {{3}}},
    {"near_2", ORACLE_FLOAT, 2, 1, 1, 1, {{1, 2}}},
    {"near_3", ORACLE_FLOAT, 3, 2, 0, 0, {{1, 1, 1}, {0, 2, 0}}},
    {"near_4", ORACLE_FLOAT, 4, 1, 0, 0, {{1, 0, 1, 1}}},
    {"near_integers", ORACLE_INTEGER, 2, 1, 0, 0, {{2, 1}}},
    {"near_complex", ORACLE_COMPLEX, 2, 1, 0, 1, {{1, 1}}},
};
enum { MODELS = COUNT_OF(models), VIEWS = FIELDS + 2 };

#define LAUNCH(kernel, ...)                                                                        \
    (inside ? kernel##_inside_run(exec, arithmetic, __VA_ARGS__)                                   \
            : kernel##_run(exec, arithmetic, __VA_ARGS__))
static stn_status launch(int model, int inside, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *v)
{
    switch (model) {
    case 0:
        return LAUNCH(near_1, &v[0], &v[3]);
    case 1:
        return LAUNCH(near_2, &v[0], &v[2], &v[3]);
    case 2:
        return LAUNCH(near_3, &v[0], &v[1], &v[3]);
    case 3:
        return LAUNCH(near_4, &v[0], &v[3]);
    case 4:
        return LAUNCH(near_integers, &v[0], &v[3]);
    default:
        return LAUNCH(near_complex, &v[0], &v[3]);
    }
}

/* ---- the same with loops over elements ---- */

typedef struct near_case {
    const near_model *model;
    stn_format arithmetic;
    int inside;
    int64_t extent[REACHED];
    kernel_array arrays[VIEWS];
} near_case;

static int64_t into(int64_t index, int64_t extent)
{
    return index < 0 ? 0 : index >= extent ? extent - 1 : index;
}

/* The nearest element of a field. */
static kernel_value at(const near_case *c, int field, const int64_t *index, int64_t a, int64_t b,
                       int64_t d, int64_t e)
{
    const kernel_array *u = &c->arrays[field];
    const int64_t away[REACHED] = {a, b, d, e};
    int64_t place[REACHED];
    for (int n = 0; n < u->rank; n++)
        place[n] = into(index[n] + away[n], u->extent[n]);
    return kernel_get(c->arithmetic, u, u->rank, place);
}

static void add_real(const near_case *c, kernel_value *sum, kernel_value more)
{
    if (c->arithmetic == STN_F64)
        sum->f64 = sum->f64 * 0.75 + more.f64;
    else
        sum->f32 = sum->f32 * 0.75f + more.f32;
}

/* What is stored at an element; 0 when nothing is. */
static int element(const near_case *c, const int64_t *index, kernel_value *out)
{
    const int which = (int)(c->model - models);
    const int *r = c->model->reach[0];
    const kernel_value was = *out;
    kernel_value sum;
    memset(&sum, 0, sizeof sum);
    if (which == 4) {
        uint64_t bits = 0;
        for (int64_t a = -2; a <= 2; a++)
            for (int64_t b = -1; b <= 1; b++)
                bits = bits * 3 + (uint64_t)at(c, 0, index, a, b, 0, 0).i64;
        out->i64 = (int64_t)(bits >> 40);
        return 1;
    }
    if (which == 5) {
        for (int64_t a = -1; a <= 1; a++)
            for (int64_t b = -1; b <= 1; b++) {
                const kernel_value near = at(c, 0, index, a, b, 0, 0);
                if (c->arithmetic == STN_C128) {
                    out->c128.re = out->c128.re / 2 + near.c128.im;
                    out->c128.im = out->c128.im - near.c128.re;
                } else {
                    out->c64.re = out->c64.re / 2 + near.c64.im;
                    out->c64.im = out->c64.im - near.c64.re;
                }
            }
        return 1;
    }
    if (which == 1)
        sum = kernel_get(c->arithmetic, &c->arrays[2], c->model->rank, index);
    if (which == 2) {
        if ((index[0] + index[1] + index[2]) % 3 == 0)
            return 0;
        const kernel_value behind = at(c, 1, index, 0, 2, 0, 0);
        const kernel_value before = at(c, 1, index, 0, -2, 0, 0);
        if (c->arithmetic == STN_F64)
            sum.f64 = behind.f64 - before.f64;
        else
            sum.f32 = behind.f32 - before.f32;
    }
    for (int64_t a = -r[0]; a <= r[0]; a++)
        for (int64_t b = -r[1]; b <= r[1]; b++)
            for (int64_t d = -r[2]; d <= r[2]; d++)
                for (int64_t e = -r[3]; e <= r[3]; e++)
                    add_real(c, &sum, at(c, 0, index, a, b, d, e));
    if (which != 1)
        *out = sum;
    else if (c->arithmetic == STN_F64)
        out->f64 = was.f64 + sum.f64;
    else
        out->f32 = was.f32 + sum.f32;
    return 1;
}

static int is_inside(const near_case *c, const int64_t *index)
{
    for (int f = 0; f < c->model->fields && c->inside; f++)
        for (int d = 0; d < c->model->rank; d++) {
            const int reach = c->model->reach[f][d];
            if (index[d] < reach || index[d] + reach >= c->arrays[f].extent[d])
                return 0;
        }
    return 1;
}

static void expect(near_case *c)
{
    kernel_array *out = &c->arrays[VIEWS - 1];
    int64_t index[REACHED] = {0}, draw = 0;
    for (int d = 0; d < c->model->rank; d++)
        if (c->extent[d] == 0)
            return;
    for (;; draw++) {
        if (is_inside(c, index)) {
            const kernel_value was = kernel_get(c->arithmetic, out, c->model->rank, index);
            kernel_value value = was;
            if (element(c, index, &value) &&
                !(c->model->keeps && kernel_is_kept(c->arithmetic, was, value)))
                kernel_put(c->arithmetic, out, c->model->rank, index, value, draw);
        }
        int d = c->model->rank - 1;
        for (; d >= 0 && index[d] == c->extent[d] - 1; d--)
            index[d] = 0;
        if (d < 0)
            return;
        index[d]++;
    }
}

/* ---- what to try ---- */

static const int64_t shapes[][1 + REACHED] = {{1, 0},
                                              {1, 1},
                                              {1, 2},
                                              {1, 129},
                                              {1, 1000},
                                              {1, 30000},
                                              {2, 0, 4},
                                              {2, 1, 1},
                                              {2, 2, 3},
                                              {2, 5, 300},
                                              {2, 60, 9},
                                              {2, 1, 700},
                                              {2, 3, 9000},
                                              {3, 1, 1, 1},
                                              {3, 3, 4, 5},
                                              {3, 7, 0, 2},
                                              {3, 6, 5, 131},
                                              {3, 3, 50, 200},
                                              {4, 1, 1, 1, 1},
                                              {4, 2, 3, 4, 5},
                                              {4, 3, 2, 5, 7},
                                              {4, 2, 3, 2, 140},
                                              {4, 2, 20, 24, 60}};

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* C order, another order, gaps. */
static kernel_array make(stn_storage storage, int rank, const int64_t *extent, uint64_t *state)
{
    int64_t stride[REACHED], next = below(state, 4) == 0 ? 2 : 1;
    const int turned = rank > 1 && below(state, 4) == 0;
    for (int d = rank - 1; d >= 0; d--) {
        const int at = turned ? (d + 1) % rank : d;
        stride[at] = next;
        next *= extent[at] > 1 ? extent[at] : 1;
        next += below(state, 3);
    }
    return kernel_make(storage, rank, extent, stride, state);
}

static stn_format any_format(const near_model *model, stn_format arithmetic, uint64_t *state)
{
    stn_format format = arithmetic;
    if (below(state, 4) != 0)
        do
            format = (stn_format)below(state, STN_BUILTIN_FORMATS);
        while (oracle_formats[format].kind != model->kind &&
               (model->kind != ORACLE_FLOAT || oracle_formats[format].kind == ORACLE_COMPLEX));
    return format;
}

/* Whether a complex output whose parts are NaN and NaN again counts as left alone depends on the
 * NaN's payload, which nobody promises; it is seen where the other part does not fit the
 * arithmetic.
 */
static stn_storage any_storage(const near_model *model, stn_format arithmetic, int is_output,
                               uint64_t *state)
{
    const stn_format any = any_format(model, arithmetic, state);
    const stn_format format = is_output && arithmetic == STN_C64 && any == STN_C128 ? STN_C64 : any;
    if (model->kind == ORACLE_FLOAT && below(state, 2))
        return order_target(arithmetic, format, state);
    return stn_storage_of(format);
}

/* A field may be larger than the space, or smaller. */
static near_case any_case(const near_model *model, const int64_t *extent, int k, uint64_t *state)
{
    static const stn_format wide[] = {STN_F64, STN_I64, STN_C128};
    static const stn_format narrow[] = {STN_F32, STN_I64, STN_C64};
    const int kind = model->kind == ORACLE_FLOAT ? 0 : model->kind == ORACLE_INTEGER ? 1 : 2;
    near_case c = {
        .model = model, .arithmetic = k % 2 ? narrow[kind] : wide[kind], .inside = k / 2 % 2};
    memcpy(c.extent, extent, (size_t)model->rank * sizeof *extent);
    for (int v = 0; v < VIEWS; v++) {
        int64_t own[REACHED];
        for (int d = 0; d < model->rank; d++) {
            own[d] = extent[d];
            if (v < FIELDS && below(state, 3) == 0)
                own[d] += below(state, 9) - 4;
            own[d] = own[d] < (v < FIELDS ? 1 : 0) ? 1 : own[d];
        }
        c.arrays[v] =
            make(any_storage(model, c.arithmetic, v == VIEWS - 1, state), model->rank, own, state);
    }
    return c;
}

static const char *words_of(const near_case *c, int setting)
{
    static char words[600];
    int at = snprintf(words, sizeof words, "%s%s in %s on %s over", c->model->name,
                      c->inside ? " inside" : "", oracle_formats[c->arithmetic].name,
                      order_setting_name(setting));
    for (int d = 0; d < c->model->rank; d++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64, c->extent[d]);
    for (int v = 0; v < VIEWS; v++) {
        const kernel_array *a = &c->arrays[v];
        at += snprintf(words + at, sizeof words - (size_t)at, "; %s",
                       oracle_formats[a->storage.format].name);
        for (int d = 0; d < a->rank; d++)
            at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64 "(%" PRId64 ")",
                           a->stride[d], a->extent[d]);
    }
    return words;
}

static void check(near_case *c, int every)
{
    static int counter;
    kernel_array *out = &c->arrays[VIEWS - 1];
    uint8_t *before = malloc((size_t)out->bytes), *expected = malloc((size_t)out->bytes);
    assert_non_null(before);
    assert_non_null(expected);
    memcpy(before, out->memory, (size_t)out->bytes);
    expect(c);
    memcpy(expected, out->memory, (size_t)out->bytes);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!every && setting % 3 != counter % 3)
            continue;
        const stn_exec *exec = order_use(setting);
        const char *words = words_of(c, setting);
        stn_view views[VIEWS];
        memcpy(out->memory, before, (size_t)out->bytes);
        for (int v = 0; v < VIEWS; v++)
            views[v] = kernel_view(&c->arrays[v], "view");
        const order_modes saved = order_begin();
        const stn_status status =
            launch((int)(c->model - models), c->inside, exec, c->arithmetic, views);
        order_end(status, saved, words);
        kernel_check(out, expected, words);
    }
    counter++;
    free(before);
    free(expected);
    for (int v = 0; v < VIEWS; v++)
        kernel_drop(&c->arrays[v]);
}

UNIT_TEST(test_neighbors)
{
    const int rounds = oracle_quick() ? 4 : 16;
    uint64_t state = 7;
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < COUNT_OF(shapes); s++)
            for (int k = 0; k < rounds && shapes[s][0] == models[m].rank; k++) {
                near_case c = any_case(&models[m], shapes[s] + 1, k, &state);
                check(&c, k < 2);
            }
}

/* Every format into every arithmetic. */
UNIT_TEST(test_formats)
{
    uint64_t state = 8;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4; k++) {
            const oracle_class kind = oracle_formats[format].kind;
            const near_model *model = kind == ORACLE_COMPLEX ? &models[5] : &models[1];
            const int64_t extent[] = {5, 150};
            near_case c = any_case(model, extent, k, &state);
            kernel_drop(&c.arrays[0]);
            c.arrays[0] = make(stn_storage_of(format), 2, extent, &state);
            check(&c, 0);
        }
}

RUN_UNIT_TESTS(NULL, order_teardown)
