/* Kernels of so many views that their tiles are long give the bits of kernel_oracle.h: with outputs
 * left alone, repeated elements, odd sizes and offsets, on every executor; so do the same kernels
 * from a text, and fused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "core/cpu.h"
#include "kernel_oracle.h"
#define STN_FUSED_TABLE static /* its calls are counted */
#include "steno/kernel_fuse.h"
#include "steno/kernel_text.h"

/* clang-format off */
STN_MAP(picked, (real(a), in(p), in(q), in(r), inout(s), masked(t), masked(u)),
    if (!(p < q))
        return;
    s = s + r;
    if (p < 0)
        return;
    STN_STORE(t, a * q - p);
    STN_STORE(u, r * STN_R(0.5));
)
STN_MAP(nine, (in(p), in(q), in(r), in(s), in(t), in(u), inout(v), out(w), out(x)),
    v = ((p + q) - r * s) + v;
    w = fma(t, u, p);
    x = u - t;
)
STN_MAP(placed, (at(i), in(p), in(q), in(r), in(s), in(t), out(u)),
    u = ((p - q) + (r - s)) + t * (real_t)i;
)
STN_MAP(placed_3, (in(p), in(q), in(r), in(s), in(t), at(i, j, k), out(u)),
    u = ((p - q) + (r - s)) + t * (real_t)(i + 2 * j + 3 * k);
)
STN_MAP_INTEGER(bits_of, (index(n), in(p), in(q), in(r), in(s), inout(t), masked(u),
                            masked(v)),
    if (p > q)
        return;
    t = t ^ (r & s) ^ n;
    if (s > r)
        STN_STORE(u, p ^ q);
    STN_STORE(v, q);
)
STN_MAP_COMPLEX(blended, (real(a), in(p), in(q), in(r), inout(s), out(t), masked(u)),
    s.re += p.re - q.im;
    s.im += p.im + q.re;
    t.re = r.im * a.re;
    t.im = r.re;
    if (p.re > 0)
        STN_STORE(u, q);
)

STN_FUSE(nine_f64, nine, f64,
         (in(p, f32), in(q, f16), in(r, i8), in(s, bf16), in(t, f64), in(u, i16), inout(v, f64),
          out(w, f32), out(x, f16)))
STN_FUSE(nine_f32, nine, f32,
         (in(p, f16), in(q, f16), in(r, i8), in(s, f32), in(t, e4m3), in(u, i16), inout(v, f16),
          out(w, f32), out(x, bf16)))

/* ---- the same, element by element ---- */
#define DEFINE_REALS(T, FMA)                                                                       \
    KERNEL_ELEMENT_OF(picked, T) \
    {                                                                                              \
        const stn_##T p = v[0].T, q = v[1].T, r = v[2].T, product = (stn_##T)n->real * q;                         \
        stored[3] = p < q;                                                                         \
        stored[4] = stored[5] = stored[3] && !(p < 0);                                             \
        if (stored[3])                                                                             \
            v[3].T = v[3].T + r;                                                                   \
        v[4].T = product - p;                                                                      \
        v[5].T = r / 2;                                                                            \
    }                                                                                              \
    KERNEL_ELEMENT_OF(nine, T)                                                          \
    {                                                                                              \
        const stn_##T product = v[2].T * v[3].T, sum = v[0].T + v[1].T, rest = sum - product;      \
        v[6].T = rest + v[6].T;                                                                    \
        v[7].T = FMA(v[4].T, v[5].T, v[0].T);                                                      \
        v[8].T = v[5].T - v[4].T;                                                                  \
        stored[6] = stored[7] = stored[8] = 1; \
    }                                                                                              \
    KERNEL_ELEMENT_OF(placed, T)                                     \
    {                                                                                              \
        const stn_##T left = v[0].T - v[1].T, right = v[2].T - v[3].T, sum = left + right;         \
        const stn_##T product = v[4].T * (stn_##T)(at[0] + 2 * at[1] + 3 * at[2]);                 \
        v[5].T = sum + product;                                                                    \
        stored[5] = 1; \
    }
DEFINE_REALS(f64, fma)
DEFINE_REALS(f32, fmaf)
#define DEFINE_COMPLEX(C, T)                                                                       \
    KERNEL_ELEMENT_OF(blended, C)                               \
    {                                                                                              \
        const stn_##T re = v[0].C.re - v[1].C.im, im = v[0].C.im + v[1].C.re;                      \
        v[3].C.re = v[3].C.re + re;                                                                \
        v[3].C.im = v[3].C.im + im;                                                                \
        v[4].C.re = v[2].C.im * (stn_##T)n->complex_number.re;                                                                 \
        v[4].C.im = v[2].C.re;                                                                     \
        v[5].C = v[1].C;                                                                           \
        stored[3] = stored[4] = 1;                                                                 \
        stored[5] = v[0].C.re > 0;                                                                 \
    }
DEFINE_COMPLEX(c128, f64)
DEFINE_COMPLEX(c64, f32)
/* clang-format on */

KERNEL_ELEMENT_OF(bits_of, i64)
{
    stored[4] = stored[6] = v[0].i64 <= v[1].i64;
    stored[5] = stored[4] && v[3].i64 > v[2].i64;
    v[4].i64 = v[4].i64 ^ (v[2].i64 & v[3].i64) ^ n->index;
    if (stored[5])
        v[5].i64 = v[0].i64 ^ v[1].i64;
    if (stored[6])
        v[6].i64 = v[1].i64;
}
KERNEL_ELEMENT(picked, STN_F64, f64, f32)
KERNEL_ELEMENT(nine, STN_F64, f64, f32)
KERNEL_ELEMENT(placed, STN_F64, f64, f32)
KERNEL_ELEMENT(bits_of, STN_I64, i64, i64)
KERNEL_ELEMENT(blended, STN_C128, c128, c64)

#define READS_3 KERNEL_IN, KERNEL_IN, KERNEL_IN
static const kernel_model models[] = {
    {"picked", ORACLE_FLOAT, 6, {READS_3, KERNEL_INOUT, KERNEL_OUT, KERNEL_OUT}, picked_element},
    {"nine",
     ORACLE_FLOAT,
     9,
     {READS_3, READS_3, KERNEL_INOUT, KERNEL_OUT, KERNEL_OUT},
     nine_element},
    {"placed", ORACLE_FLOAT, 6, {READS_3, KERNEL_IN, KERNEL_IN, KERNEL_OUT}, placed_element},
    {"bits_of",
     ORACLE_INTEGER,
     7,
     {READS_3, KERNEL_IN, KERNEL_INOUT, KERNEL_OUT, KERNEL_OUT},
     bits_of_element},
    {"blended",
     ORACLE_COMPLEX,
     6,
     {READS_3, KERNEL_INOUT, KERNEL_OUT, KERNEL_OUT},
     blended_element},
    {"placed_3", ORACLE_FLOAT, 6, {READS_3, KERNEL_IN, KERNEL_IN, KERNEL_OUT}, placed_element}};
/* Of those that name indices. */
static const int only_rank[] = {0, 0, 1, 0, 0, 3};

static stn_kernel counting[COUNT_OF(models)], *from_text[COUNT_OF(models)];

/* ---- the longest tile of a launch ---- */

static int64_t longest;

#define COUNTED(name, T)                                                                           \
    static void name##_counting_##T(const stn_tile *tile)                                          \
    {                                                                                              \
        int64_t seen = __atomic_load_n(&longest, __ATOMIC_RELAXED);                                \
        while (seen < tile->count &&                                                               \
               !__atomic_compare_exchange_n(&longest, &seen, tile->count, 0, __ATOMIC_RELAXED,     \
                                            __ATOMIC_RELAXED))                                     \
            continue;                                                                              \
        name##_loop_##T(tile);                                                                     \
    }
/* In the order of models: the class, and the parameters in a text. */
#define KERNELS(ROW)                                                                               \
    ROW(picked, REAL, "real(a), in(p), in(q), in(r), inout(s), masked(t), masked(u)")              \
    ROW(nine, REAL, "in(p), in(q), in(r), in(s), in(t), in(u), inout(v), out(w), out(x)")          \
    ROW(placed, REAL, "at(i), in(p), in(q), in(r), in(s), in(t), out(u)")                          \
    ROW(bits_of, INTEGER, "index(n), in(p), in(q), in(r), in(s), inout(t), masked(u), masked(v)")  \
    ROW(blended, COMPLEX, "real(a), in(p), in(q), in(r), inout(s), out(t), masked(u)")             \
    ROW(placed_3, REAL, "in(p), in(q), in(r), in(s), in(t), at(i, j, k), out(u)")
#define EACH_REAL(ITEM, name)                ITEM(name, f64) ITEM(name, f32)
#define EACH_INTEGER(ITEM, name)             ITEM(name, i64)
#define EACH_COMPLEX(ITEM, name)             ITEM(name, c128) ITEM(name, c64)
#define COUNTED_ROW(name, class, parameters) EACH_##class(COUNTED, name)
KERNELS(COUNTED_ROW)

static int fused_calls;
static void counting_nine_f64(const stn_tile *tile)
{
    __atomic_fetch_add(&fused_calls, 1, __ATOMIC_RELAXED);
    nine_f64_loop(tile);
}
static void counting_nine_f32(const stn_tile *tile)
{
    __atomic_fetch_add(&fused_calls, 1, __ATOMIC_RELAXED);
    nine_f32_loop(tile);
}

static int prepare(void **context)
{
    int k = 0;
    (void)context;
#define SET(name, T) counting[k].T = name##_counting_##T;
#define PREPARE_ROW(name, class, parameters)                                                       \
    expect_ok(stn_kernel_compile(&from_text[k], #name, parameters, name##_kernel.text,             \
                                 STN_KERNEL_##class));                                             \
    counting[k] = name##_kernel;                                                                   \
    EACH_##class(SET, name) k++;
    KERNELS(PREPARE_ROW)
    nine_f64_fused.loop = counting_nine_f64;
    nine_f32_fused.loop = counting_nine_f32;
    return 0;
}

static int clean(void **context)
{
    (void)context;
    for (int model = 0; model < COUNT_OF(models); model++)
        stn_kernel_release(from_text[model]);
    order_release_executors();
    return 0;
}

/* ---- cases ---- */

typedef struct many_case {
    const kernel_model *model;
    stn_format arithmetic;
    int rank;
    int64_t extent[3];
    kernel_numbers numbers;
    kernel_array arrays[KERNEL_VIEWS];
} many_case;

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

static stn_format any_format(oracle_class kind, uint64_t *state)
{
    for (;;) {
        const stn_format format = (stn_format)below(state, STN_BUILTIN_FORMATS);
        const oracle_class found = oracle_formats[format].kind;
        if (kind == ORACLE_FLOAT ? found != ORACLE_COMPLEX : found == kind)
            return format;
    }
}

static stn_storage any_storage(stn_format arithmetic, stn_format format, uint64_t *state)
{
    stn_storage storage = stn_storage_of(format);
    if (arithmetic == STN_F64 || arithmetic == STN_F32)
        return below(state, 2) ? order_target(arithmetic, format, state) : storage;
    storage.rounding = (stn_rounding)below(state, 3);
    storage.overflow = (stn_overflow)below(state, 4);
    storage.seed = order_next(state);
    return storage;
}

/* Rows that begin one element behind what there is of memory, and end two before it. */
static kernel_array make_inside(stn_storage storage, int rank, const int64_t *extent, int64_t step,
                                uint64_t *state)
{
    int64_t wider[3], stride[3], next = step;
    for (int d = rank - 1; d >= 0; d--) {
        wider[d] = extent[d] + (d == rank - 1 ? 3 : 0);
        stride[d] = next;
        next *= wider[d];
    }
    kernel_array array = kernel_make(storage, rank, wider, stride, state);
    array.extent[rank - 1] -= 3;
    array.first += step * array.element;
    return array;
}

/* What is read may be a row, a column, one number, or a row of strides 0. */
static kernel_array make(const many_case *c, int view, uint64_t *state)
{
    const stn_format any = below(state, 5) ? any_format(c->model->kind, state) : c->arithmetic;
    /* NaN and NaN again may be two payloads: not where another part would show it */
    const stn_format format = c->arithmetic == STN_C64 && any == STN_C128 ? STN_C64 : any;
    const stn_storage storage = any_storage(c->arithmetic, format, state);
    const int64_t way = c->model->use[view] == KERNEL_IN ? below(state, 9) : 8;
    int64_t extent[3], stride[3] = {1, 1, 1};
    memcpy(extent, c->extent, sizeof extent);
    if (way == 0)
        return kernel_make(storage, 0, extent, stride, state);
    if (way == 1)
        return kernel_make(storage, 1, &extent[c->rank - 1], (const int64_t[]){2}, state);
    if (way == 2 || way == 3) {
        extent[c->rank - 1] = 1;
        for (int d = c->rank - 3; d >= 0; d--)
            stride[d] = stride[d + 1] * extent[d + 1];
        return kernel_make(storage, c->rank, extent, stride, state);
    }
    if (way == 4)
        return kernel_make(storage, 1, &extent[c->rank - 1], (const int64_t[]){0}, state);
    static const int64_t steps[] = {1, 1, 1, 3, -1};
    const int64_t step = steps[below(state, 5)];
    if (below(state, 2))
        return make_inside(storage, c->rank, extent, step, state);
    stride[c->rank - 1] = step;
    for (int d = c->rank - 2; d >= 0; d--)
        stride[d] = stride[d + 1] * extent[d + 1];
    return kernel_make(storage, c->rank, extent, stride, state);
}

static const char *words_of(const many_case *c, const char *way, int setting)
{
    static char words[1500];
    int at = snprintf(words, sizeof words, "%s %s in %s on %s over", c->model->name, way,
                      oracle_formats[c->arithmetic].name, order_setting_name(setting));
    for (int d = 0; d < c->rank; d++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64, c->extent[d]);
    kernel_tell_arrays(words, sizeof words, at, c->arrays, c->model->views);
    return words;
}

static void launch(const many_case *c, const stn_kernel *kernel, const char *way, int setting)
{
    const char *words = words_of(c, way, setting);
    const stn_exec *exec = order_use(setting);
    stn_argument arguments[STN_MAX_PARAMETERS], *next = arguments;
    stn_view views[KERNEL_VIEWS];
    int v = 0;
    for (int at = 0; at < kernel->count; at++)
        if (kernel->parameters[at].kind == STN_PARAMETER_INDEX) {
            next++->index = c->numbers.index;
        } else if (kernel->parameters[at].kind == STN_PARAMETER_REAL) {
            if (c->model->kind == ORACLE_COMPLEX)
                next++->complex_number = c->numbers.complex_number;
            else
                next++->real = c->numbers.real;
        } else if (kernel->parameters[at].kind != STN_PARAMETER_AT) {
            views[v] = kernel_view(&c->arrays[v], "view");
            next++->view = &views[v];
            v++;
        }
    const order_modes saved = order_begin();
    const stn_status status =
        stn_kernel_run(exec, kernel, c->arithmetic, c->rank, c->extent, arguments);
    order_end(status, saved, words);
}

/* On every executor, on one instruction set after the other. */
enum { EXECUTORS = 5 };

static void check(many_case *c, const stn_kernel *text)
{
    static int counter;
    const stn_kernel *const kernels[2] = {&counting[c->model - models], text};
    uint8_t *before[KERNEL_VIEWS], *expected[KERNEL_VIEWS];
    const int sets = order_settings() / EXECUTORS;
    for (int v = 0; v < c->model->views; v++)
        before[v] = kernel_copy(&c->arrays[v]);
    expect_ok(stn_isa_use(STN_ISA_C));
    kernel_expect(c->model, c->arithmetic, c->rank, c->extent, &c->numbers, c->arrays);
    for (int v = 0; v < c->model->views; v++)
        expected[v] = kernel_copy(&c->arrays[v]);
    for (int e = 0; e < 2 * EXECUTORS; e++) {
        const int setting = counter % sets * EXECUTORS + e % EXECUTORS, is_text = e / EXECUTORS;
        for (int v = 0; v < c->model->views; v++)
            memcpy(c->arrays[v].memory, before[v], (size_t)c->arrays[v].bytes);
        launch(c, kernels[is_text], is_text ? "from a text" : "", setting);
        for (int v = 0; v < c->model->views; v++)
            kernel_check(&c->arrays[v], expected[v],
                         words_of(c, is_text ? "from a text" : "", setting));
    }
    counter++;
    for (int v = 0; v < c->model->views; v++) {
        free(before[v]);
        free(expected[v]);
        kernel_drop(&c->arrays[v]);
    }
}

static stn_format arithmetic_of(const kernel_model *model, int narrow)
{
    if (model->kind == ORACLE_INTEGER)
        return STN_I64;
    if (model->kind == ORACLE_COMPLEX)
        return narrow ? STN_C64 : STN_C128;
    return narrow ? STN_F32 : STN_F64;
}

static many_case begin(int model, int narrow, int rank, const int64_t *extent)
{
    many_case c = {.model = &models[model],
                   .arithmetic = arithmetic_of(&models[model], narrow),
                   .rank = rank,
                   .numbers = {0.7, {0.6, -0.8}, INT64_C(0x4000000000000123), 0}};
    memcpy(c.extent, extent, sizeof c.extent);
    return c;
}

/* Sizes at which tiles are of 128 elements, of two or three times that, and of 4 KiB, for one
 * thread to three; and rows that end in the middle of one. */
UNIT_TEST(test_shapes)
{
    static const int64_t extents[][3] = {{2047},    {4099},    {6501},     {13003},
                                         {3, 5003}, {41, 331}, {130, 129}, {2, 9, 700}};
    static const int ranks[] = {1, 1, 1, 1, 2, 2, 2, 3};
    const int rounds = oracle_quick() ? 1 : 4;
    uint64_t state = 31;
    for (int model = 0; model < COUNT_OF(models); model++)
        for (int k = 0; k < 8 * 2 * rounds; k++) {
            if (only_rank[model] && only_rank[model] != ranks[k % 8])
                continue;
            many_case c = begin(model, k / 8 % 2, ranks[k % 8], extents[k % 8]);
            for (int v = 0; v < c.model->views; v++)
                c.arrays[v] = make(&c, v, &state);
            check(&c, from_text[model]);
        }
}

static int has_mask(int model)
{
    for (int at = 0; at < counting[model].count; at++)
        if (counting[model].parameters[at].kind == STN_PARAMETER_MASKED)
            return 1;
    return 0;
}

/* Tiles are as long as they are meant to be, of 2 to 4 KiB, so that the other tests see them. */
UNIT_TEST(test_tiles_are_long)
{
    static const int64_t extent[3] = {13003};
    static const stn_format narrow[] = {STN_F16, STN_I8, STN_C64};
    const int64_t one = 1;
    uint64_t state = 32;
    for (int model = 0; model < COUNT_OF(models); model++)
        for (int k = 0; k < 2 && only_rank[model] < 2; k++) {
            many_case c = begin(model, k, 1, extent);
            const int64_t bytes = c.arithmetic == STN_C128 ? 16 : c.arithmetic == STN_F32 ? 4 : 8;
            const stn_storage storage =
                stn_storage_of(narrow[c.model->kind == ORACLE_INTEGER   ? 1
                                      : c.model->kind == ORACLE_COMPLEX ? 2
                                                                        : 0]);
            for (int v = 0; v < c.model->views; v++)
                c.arrays[v] = kernel_make(storage, 1, extent, &one, &state);
            longest = 0;
            launch(&c, &counting[model], "", 1); /* one thread */
            if (c.arithmetic != STN_C64)         /* stored as they are: nothing is decoded */
            {
                const int64_t masked = bytes == 4 ? 256 : bytes == 16 ? 64 : 128;
                assert_in_range(longest, has_mask(model) ? masked : 2048 / bytes,
                                has_mask(model) ? masked : 4096 / bytes);
            }
            longest = 0;
            launch(&c, &counting[model], "", 2); /* seven threads: each has something to do */
            assert_int_equal(longest, has_mask(model) && bytes == 16 ? 64 : 128);
            for (int v = 0; v < c.model->views; v++)
                kernel_drop(&c.arrays[v]);
        }
}

/* Fused, at offsets, with and without scales that are powers of two. */
UNIT_TEST(test_fused)
{
    static const stn_format formats[2][9] = {
        {STN_F32, STN_F16, STN_I8, STN_BF16, STN_F64, STN_I16, STN_F64, STN_F32, STN_F16},
        {STN_F16, STN_F16, STN_I8, STN_F32, STN_E4M3, STN_I16, STN_F16, STN_F32, STN_BF16}};
    static const int64_t extents[][3] = {{1}, {127}, {5003}, {40001}, {3, 5003}, {70, 129}};
    static const int ranks[] = {1, 1, 1, 1, 2, 2};
    uint64_t state = 33;
    for (int k = 0; k < 6; k++)
        for (int narrow = 0; narrow < 2; narrow++)
            for (int scaled = 0; scaled < 2; scaled++) {
                many_case c = begin(1, narrow, ranks[k], extents[k]);
                for (int v = 0; v < 9; v++) {
                    stn_storage storage = stn_storage_of(formats[narrow][v]);
                    if (scaled && formats[narrow][v] != c.arithmetic)
                        storage.scale = v % 2 ? 0.25 : -8.0;
                    c.arrays[v] = make_inside(storage, c.rank, c.extent, 1, &state);
                }
                fused_calls = 0;
                check(&c, from_text[1]);
                assert_true(fused_calls > 0);
            }
}

RUN_UNIT_TESTS(prepare, clean)
