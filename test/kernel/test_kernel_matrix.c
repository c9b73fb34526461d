/* Kernels give the bits of kernel_oracle.c for every format, layout, shape and broadcast, in every
 * arithmetic, on every executor and instruction set, and touch nothing but what they assign. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "exec.h"
#include "kernel_oracle.h"
#include "ranks.h"
#include "steno/kernel_fuse.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(pick, (in(x), in(y), inout(w), masked(z)),
    if (!(x < y))
        return;
    w = w + x;
    if (x < 0)
        return;
    STN_STORE(z, sqrt(y - x) * STN_R(0.1));
)
STN_MAP(where_0, (in(x), out(y)), y = x;)
#define WHERE(rank, indices, first, number)                                                        \
    STN_MAP(where_##rank, (indices, in(x), out(y)), y = x + (real_t)(number);)
RANKS(WHERE)
STN_MAP(numbered, (index(n), bits(m), in(x), out(y)),
    y = (real_t)(n % 1000) + (real_t)(m >> 60) * x;
)
STN_MAP_INTEGER(mixed_integers, (index(n), in(x), inout(y)),
    y = (x ^ n) + (y / 4) % 1000;
)
STN_MAP_INTEGER(pick_integers_0, (in(x), masked(y)), if (x > 0) STN_STORE(y, x);)
#define PICK_INTEGERS(rank, indices, first, number)                                                \
    STN_MAP_INTEGER(pick_integers_##rank, (indices, in(x), masked(y)),                             \
                    if (x > first) STN_STORE(y, x - first);)
RANKS(PICK_INTEGERS)
STN_MAP_COMPLEX(rotate, (real(a), in(x), inout(y)),
    const real_t turned = {a.re * x.re - a.im * x.im, a.re * x.im + a.im * x.re};
    y.re += turned.re;
    y.im += turned.im;
)
STN_MAP_COMPLEX(pick_complex, (in(x), masked(y)),
    if (x.re > 0)
        STN_STORE(y, x);
)

/* Fused loops, of each format into the arithmetic type and back; launches take them where they fit. */
#define FUSE_REAL(id, NAME, name, ...)                                                             \
    STN_FUSE(axpy_##name, axpy, f64, (real(alpha), in(x, name), inout(y, f64)))                    \
    STN_FUSE(axpy_into_##name, axpy, f32, (real(alpha), in(x, f32), inout(y, name)))               \
    STN_FUSE(where_##name, where_2, f32, (at(i, j), in(x, name), out(y, f32)))                     \
    STN_FUSE(where_into_##name, where_3, f64, (at(i, j, k), in(x, f64), out(y, name)))
#define FUSE_INTEGER(id, NAME, name, ...)                                                          \
    FUSE_REAL(id, NAME, name, )                                                                    \
    STN_FUSE(mixed_##name, mixed_integers, i64, (index(n), in(x, name), inout(y, i64)))
#define NO_ROW(...)
STN_FORMAT_TABLE(FUSE_REAL, FUSE_INTEGER, NO_ROW)
STN_FUSE(numbered_f64, numbered, f64, (index(n), bits(m), in(x, bf16), out(y, f32)))
STN_FUSE(rotate_c128, rotate, c128, (real(a), in(x, c64), inout(y, c128)))
STN_FUSE(rotate_c64, rotate, c64, (real(a), in(x, c64), inout(y, c64)))
/* clang-format on */

typedef stn_status launch_of_two(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                                 const stn_view *y);

/* By the order of kernel_models. */
static stn_status launch(int kernel, const stn_exec *exec, stn_format arithmetic,
                         const kernel_numbers *n, const stn_view *v)
{
    static launch_of_two *const where[] = OF_RANKS(where, _run);
    static launch_of_two *const pick_integers[] = OF_RANKS(pick_integers, _run);
    switch (kernel) {
    case 0:
        return axpy_run(exec, arithmetic, n->real, &v[0], &v[1]);
    case 1:
        return pick_run(exec, arithmetic, &v[0], &v[1], &v[2], &v[3]);
    case 2:
        return where[v[1].rank](exec, arithmetic, &v[0], &v[1]);
    case 3:
        return numbered_run(exec, arithmetic, n->index, n->bits, &v[0], &v[1]);
    case 4:
        return mixed_integers_run(exec, arithmetic, n->index, &v[0], &v[1]);
    case 5:
        return pick_integers[v[1].rank](exec, arithmetic, &v[0], &v[1]);
    case 6:
        return rotate_run(exec, arithmetic, n->complex_number, &v[0], &v[1]);
    default:
        return pick_complex_run(exec, arithmetic, &v[0], &v[1]);
    }
}

/* ---- what to try ---- */

typedef struct shape {
    int rank;
    int64_t extent[KERNEL_RANK];
} shape;
static const shape shapes[] = {
    {0, {0}},
    {1, {0}},
    {1, {1}},
    {1, {127}},
    {1, {128}},
    {1, {129}},
    {1, {1000}},
    {2, {1, 700}},
    {2, {300, 1}},
    {2, {3, 0}},
    {2, {0, 3}},
    {2, {9, 131}},
    {3, {3, 5, 7}},
    {3, {2, 1, 257}},
    {4, {3, 2, 4, 5}},
    {5, {2, 3, 1, 2, 9}},
    {6, {2, 1, 3, 2, 2, 3}},
    {7, {1, 2, 2, 1, 3, 2, 5}},
    {8, {2, 1, 2, 3, 1, 2, 2, 3}},
};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* The first dimension contiguous, the last, or any; with gaps and backwards. */
static void lay_out(shape s, int plain, uint64_t *state, int64_t *stride)
{
    const int64_t way = plain ? 0 : below(state, 4);
    int order[KERNEL_RANK];
    for (int d = 0; d < s.rank; d++)
        order[d] = way == 1 ? d : s.rank - 1 - d;
    for (int d = s.rank - 1; d > 0 && way == 2; d--) {
        const int64_t with = below(state, d + 1);
        const int kept = order[d];
        order[d] = order[with];
        order[with] = kept;
    }
    int64_t next = way < 2 ? 1 : 1 + below(state, 3);
    for (int d = 0; d < s.rank; d++) {
        const int64_t extent = s.extent[order[d]];
        stride[order[d]] = way > 1 && below(state, 3) == 0 ? -next : next;
        next *= extent > 1 ? extent : 1;
        next += way > 1 ? below(state, 3) : 0;
    }
}

/* Fewer dimensions, extents of 1, strides of 0. */
static shape broadcast(shape s, uint64_t *state)
{
    const int fewer = (int)below(state, s.rank + 1);
    shape narrowed = {s.rank - fewer, {0}};
    for (int d = 0; d < narrowed.rank; d++)
        narrowed.extent[d] =
            below(state, 3) == 0 && s.extent[fewer + d] != 0 ? 1 : s.extent[fewer + d];
    return narrowed;
}

static kernel_array make(stn_storage storage, shape s, kernel_use use, int plain, uint64_t *state)
{
    int64_t stride[KERNEL_RANK];
    const shape own = use == KERNEL_IN && !plain && below(state, 2) ? broadcast(s, state) : s;
    lay_out(own, plain, state, stride);
    if (use == KERNEL_IN && !plain)
        for (int d = 0; d < own.rank; d++)
            stride[d] = below(state, 8) == 0 ? 0 : stride[d];
    return kernel_make(storage, own.rank, own.extent, stride, state);
}

static int goes_with(oracle_class kind, stn_format format)
{
    const oracle_class found = oracle_formats[format].kind;
    return kind == ORACLE_FLOAT ? found != ORACLE_COMPLEX : found == kind;
}

static stn_format any_format(oracle_class kind, uint64_t *state)
{
    stn_format format;
    do
        format = (stn_format)below(state, STN_BUILTIN_FORMATS);
    while (!goes_with(kind, format));
    return format;
}

static stn_storage any_storage(stn_format arithmetic, stn_format format, uint64_t *state)
{
    stn_storage storage = stn_storage_of(format);
    if (below(state, 3) == 0)
        return storage;
    if (arithmetic == STN_F64 || arithmetic == STN_F32)
        return order_target(arithmetic, format, state);
    storage.rounding = (stn_rounding)below(state, 3);
    storage.overflow = (stn_overflow)below(state, 4);
    storage.seed = order_next(state);
    if (arithmetic == STN_I64)
        storage.zero = (double)below(state, 5);
    return storage;
}

/* ---- one case ---- */

typedef struct kernel_case {
    int kernel;
    stn_format arithmetic;
    shape over;
    kernel_numbers numbers;
    kernel_array arrays[KERNEL_VIEWS];
} kernel_case;

static const char *words_of(const kernel_case *c, int setting)
{
    static char words[900];
    const kernel_model *model = &kernel_models[c->kernel];
    int at = snprintf(words, sizeof words, "%s in %s on %s over", model->name,
                      oracle_formats[c->arithmetic].name, order_setting_name(setting));
    for (int d = 0; d < c->over.rank; d++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64, c->over.extent[d]);
    kernel_tell_arrays(words, sizeof words, at, c->arrays, model->views);
    return words;
}

static void check_setting(kernel_case *c, int setting, uint8_t *const *before,
                          uint8_t *const *expected)
{
    const kernel_model *model = &kernel_models[c->kernel];
    const stn_exec *exec = order_use(setting);
    const char *words = words_of(c, setting);
    stn_view views[KERNEL_VIEWS];
    for (int v = 0; v < model->views; v++) {
        memcpy(c->arrays[v].memory, before[v], (size_t)c->arrays[v].bytes);
        views[v] = kernel_view(&c->arrays[v], "view");
    }
    const order_modes saved = order_begin();
    const stn_status status = launch(c->kernel, exec, c->arithmetic, &c->numbers, views);
    order_end(status, saved, words);
    for (int v = 0; v < model->views; v++)
        kernel_check(&c->arrays[v], expected[v], words);
}

/* On every executor, on one instruction set after the other; or on each. */
static int every_setting;
enum { EXECUTORS = 5 };

static void check(kernel_case *c)
{
    static int counter;
    const kernel_model *model = &kernel_models[c->kernel];
    uint8_t *before[KERNEL_VIEWS], *expected[KERNEL_VIEWS];
    for (int v = 0; v < model->views; v++)
        before[v] = kernel_copy(&c->arrays[v]);
    assert_int_equal(stn_isa_use(STN_ISA_C), STN_OK);
    kernel_expect(model, c->arithmetic, c->over.rank, c->over.extent, &c->numbers, c->arrays);
    for (int v = 0; v < model->views; v++)
        expected[v] = kernel_copy(&c->arrays[v]);
    for (int setting = 0; setting < order_settings(); setting++)
        if (test_exec() || every_setting ||
            setting / EXECUTORS == counter % (order_settings() / EXECUTORS))
            check_setting(c, setting, before, expected);
    counter++;
    for (int v = 0; v < model->views; v++) {
        free(before[v]);
        free(expected[v]);
        kernel_drop(&c->arrays[v]);
    }
}

static kernel_case begin(int kernel, stn_format arithmetic, shape over)
{
    const kernel_numbers numbers = {0.7, {0.6, -0.8}, INT64_C(0x4000000000000123), 5ull << 60 | 1};
    const kernel_case c = {
        .kernel = kernel, .arithmetic = arithmetic, .over = over, .numbers = numbers};
    return c;
}

static stn_format wide_of(oracle_class kind)
{
    return kind == ORACLE_FLOAT ? STN_F64 : kind == ORACLE_INTEGER ? STN_I64 : STN_C128;
}

static stn_format narrow_of(oracle_class kind)
{
    return kind == ORACLE_FLOAT ? STN_F32 : kind == ORACLE_INTEGER ? STN_I64 : STN_C64;
}

/* Every shape for each kernel, with random formats and layouts. */
static void test_shapes(void **context)
{
    const int cases = oracle_count(3, 8, 24);
    uint64_t state = 1;
    (void)context;
    for (int kernel = 0; kernel < kernel_model_count; kernel++)
        for (int k = 0; k < SHAPES * cases; k++) {
            every_setting = k < SHAPES;
            const kernel_model *model = &kernel_models[kernel];
            const stn_format arithmetic = k % 2 ? narrow_of(model->kind) : wide_of(model->kind);
            kernel_case c = begin(kernel, arithmetic, shapes[k % SHAPES]);
            for (int v = 0; v < model->views; v++) {
                const stn_format format =
                    below(&state, 3) ? any_format(model->kind, &state) : arithmetic;
                c.arrays[v] = make(any_storage(arithmetic, format, &state), c.over, model->use[v],
                                   k < SHAPES, &state);
            }
            check(&c);
        }
}

/* Each kernel twice, of random formats, layouts and shape: for devices, where each combination is
 * compiled. */
static void test_each(void **context)
{
    uint64_t state = 3;
    (void)context;
    for (int k = 0; k < oracle_count(1, 2, 30) * kernel_model_count; k++) {
        const kernel_model *model = &kernel_models[k % kernel_model_count];
        const stn_format arithmetic =
            below(&state, 2) ? narrow_of(model->kind) : wide_of(model->kind);
        kernel_case c = begin(k % kernel_model_count, arithmetic, shapes[below(&state, SHAPES)]);
        for (int v = 0; v < model->views; v++)
            c.arrays[v] = make(any_storage(arithmetic, any_format(model->kind, &state), &state),
                               c.over, model->use[v], 0, &state);
        check(&c);
    }
}

/* Every pair of formats for each kernel, contiguous and anyhow. */
static void test_formats(void **context)
{
    uint64_t state = 2;
    (void)context;
    for (int kernel = 0; kernel < kernel_model_count; kernel++)
        for (stn_format from = 0; from < STN_BUILTIN_FORMATS; from++)
            for (stn_format to = 0; to < STN_BUILTIN_FORMATS; to++) {
                const kernel_model *model = &kernel_models[kernel];
                if (!goes_with(model->kind, from) || !goes_with(model->kind, to))
                    continue;
                for (int way = 0; way < 4; way++) {
                    every_setting = 0;
                    const stn_format arithmetic =
                        way % 2 ? narrow_of(model->kind) : wide_of(model->kind);
                    if (oracle_quick() && (from * 7 + to + way) % (5 * oracle_quick()) != 0)
                        continue;
                    kernel_case c = begin(kernel, arithmetic, shapes[way < 2 ? 6 : 11]);
                    for (int v = 0; v < model->views; v++) {
                        const stn_format format = model->use[v] == KERNEL_IN ? from : to;
                        const stn_storage plain = stn_storage_of(format);
                        c.arrays[v] =
                            make(way < 1 ? plain : any_storage(arithmetic, format, &state), c.over,
                                 model->use[v], way < 2, &state);
                    }
                    check(&c);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_formats),
        cmocka_unit_test_setup_teardown(test_shapes, order_use_odd_modes, order_use_plain_modes),
    };
    const struct CMUnitTest on_device[] = {cmocka_unit_test(test_each)};
    const int failed = test_exec()
                           ? cmocka_run_group_tests_name(test_exec_name(), on_device, NULL, NULL)
                           : cmocka_run_group_tests_name("kernel_matrix", tests, NULL, NULL);
    order_release_executors();
    return failed;
}
