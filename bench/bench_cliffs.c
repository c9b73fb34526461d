/* bench cliffs: slow programs next to their alternatives: the table of doc/fast_and_slow.md.
 *
 *   bench_cliffs [--threads N] [--repeat N] [--json FILE]
 *
 * Matrices of 2048 x 2048 elements, unless stated otherwise. Both alternate; the minima of their
 * times are compared. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "frame.h"
#include "steno/array_functions.h"
#include "steno/kernel.h"
#include "steno/reduce.h"

/* clang-format off */
STN_MAP(noise, (at(i, j), out(x)),
    const real_t t = STN_R(0.6180339887498949) * (real_t)(i * 7919 + j * 104729);
    x = t - floor(t);
)
STN_MAP(axpy, (real(a), in(x), inout(y)), y = a * x + y;)
STN_MAP_INTEGER(axpy_integer, (real(a), in(x), inout(y)), y = a * x + y;)
STN_MAP(reversed, (at(i, j), gather(u, 2), out(v)), v = STN_AT(u, i, STN_EXTENT_OF(u, 1) - 1 - j);)
#define FIVE(boundary)                                                                             \
    STN_MAP(boundary##_5, (at(i, j), stencil(u, boundary, 1, 1), out(v)),                          \
        v = STN_R(0.5) * STN_AT(u, i, j) +                                                         \
            STN_R(0.125) * ((STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +                          \
                            (STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1)));                          \
    )
FIVE(zero)
FIVE(nearest)
FIVE(periodic)
FIVE(inside)
STN_REDUCE_STATE(log_sum_exp, (in(x)),
    (most, sum), (x, 1), (a.most + log(a.sum)), (-INFINITY, 1),
    const real_t most = fmax(a.most, b.most);
    a.sum = a.sum * exp(a.most - most) + b.sum * exp(b.most - most);
    a.most = most;)
STN_REDUCE(sum_exp, sum, (real(shift), in(x)), exp(x - shift))
/* clang-format on */

enum { SIDE = 2048, VIEWS = 2, TINY = 16 };

typedef enum arrangement { ROWS, COLUMNS, EVERY_EIGHTH, SHORT, REVERSED } arrangement;

/* One of the two programs that are compared: x is v[0], y is v[1]. */
typedef struct program {
    const char *name, *resource; /* NULL: the executor of the bench */
    void (*run)(const struct program *p);
    stn_format arithmetic;
    stn_storage storage[VIEWS];
    arrangement arranged[VIEWS];
    const stn_exec *exec;
    stn_view whole[VIEWS], v[VIEWS];
} program;

static stn_counters counters;

/* ---- programs ---- */

static void copy(const program *p)
{
    bench_must(stn_view_copy(p->exec, &p->v[1], &p->v[0]));
}

static void add(const program *p)
{
    bench_must(p->arithmetic == STN_I64
                   ? axpy_integer_run(p->exec, STN_I64, 3, &p->v[0], &p->v[1])
                   : axpy_run(p->exec, p->arithmetic, 1e-3, &p->v[0], &p->v[1]));
}

/* One launch per row of the first 16 elements. */
static void add_tiny(const program *p)
{
    for (int64_t k = 0; k < SIDE; k++) {
        const stn_slice slices[] = {stn_slice_index(k), stn_slice_range(0, TINY)};
        stn_view x, y;
        bench_must(stn_view_slice(&x, &p->v[0], 2, slices));
        bench_must(stn_view_slice(&y, &p->v[1], 2, slices));
        bench_must(axpy_run(p->exec, p->arithmetic, 1e-3, &x, &y));
    }
}

static void gather_reversed(const program *p)
{
    bench_must(reversed_run(p->exec, p->arithmetic, &p->v[0], &p->v[1]));
}

/* The same elements by a stride of -1. */
static void copy_reversed(const program *p)
{
    const stn_slice slices[] = {stn_slice_all(), stn_slice_strided(SIDE - 1, SIDE, -1)};
    stn_view backward;
    bench_must(stn_view_slice(&backward, &p->v[0], 2, slices));
    bench_must(stn_view_copy(p->exec, &p->v[1], &backward));
}

#define RUN_FIVE(boundary)                                                                         \
    static void run_##boundary(const program *p)                                                   \
    {                                                                                              \
        bench_must(boundary##_5_run(p->exec, p->arithmetic, &p->v[0], &p->v[1]));                  \
    }
RUN_FIVE(zero)
RUN_FIVE(nearest)
RUN_FIVE(periodic)
RUN_FIVE(inside)

#define RUN_REDUCTION(name, call, ...)                                                             \
    static void run_##name(const program *p)                                                       \
    {                                                                                              \
        double result[4];                                                                          \
        bench_must(call(p->exec, p->arithmetic, __VA_ARGS__));                                     \
    }
RUN_REDUCTION(sum, stn_sum, result, &p->v[0])
RUN_REDUCTION(variance, stn_variance, result, &p->v[0], 0)
RUN_REDUCTION(log_sum_exp, log_sum_exp_reduce, result, &p->v[0])
RUN_REDUCTION(max, stn_max, result, &p->v[0])
RUN_REDUCTION(norm, stn_norm, result, &p->v[0])

static void run_argmin(const program *p)
{
    int64_t index;
    bench_must(stn_argmin(p->exec, p->arithmetic, &index, &p->v[0]));
}

static void run_integer_sum(const program *p)
{
    int64_t sum;
    bench_must(stn_sum_integer(p->exec, STN_I64, &sum, &p->v[0]));
}

static void run_two_passes(const program *p)
{
    double most, sum;
    bench_must(stn_max(p->exec, p->arithmetic, &most, &p->v[0]));
    bench_must(sum_exp_reduce(p->exec, p->arithmetic, &sum, most, &p->v[0]));
}

/* ---- views ---- */

static void make_view(program *p, int v)
{
    static const char *const names[VIEWS] = {"x", "y"};
    const arrangement how = p->arranged[v];
    const int64_t extents[] = {SIDE, how == EVERY_EIGHTH ? 8 * SIDE : how == SHORT ? TINY : SIDE};
    const stn_layout layout = stn_layout_of(how == COLUMNS ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
    const stn_slice every[] = {stn_slice_all(), how == REVERSED
                                                    ? stn_slice_strided(SIDE - 1, SIDE, -1)
                                                    : stn_slice_strided(0, SIDE, 8)};
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.label = names[v];
    spec.storage = p->storage[v];
    spec.layout = &layout;
    spec.rank = 2;
    spec.extents = extents;
    bench_must(stn_view_create_spec(p->exec, &p->whole[v], &spec));
    bench_must(noise_run(p->exec, STN_F64, &p->whole[v]));
    p->v[v] = p->whole[v];
    if (how == EVERY_EIGHTH || how == REVERSED)
        bench_must(stn_view_slice(&p->v[v], &p->whole[v], 2, every));
}

static void begin(program *p, const bench_frame *frame, stn_exec **own)
{
    *own = NULL;
    if (p->resource)
        bench_must(stn_exec_create(own, p->resource));
    p->exec = *own ? *own : frame->exec;
    for (int v = 0; v < VIEWS; v++)
        make_view(p, v);
}

static void end(program *p, stn_exec *own)
{
    for (int v = 0; v < VIEWS; v++)
        bench_must(stn_view_release(&p->whole[v]));
    stn_exec_release(own);
}

/* ---- the table ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compare(program slow, program fast, const bench_frame *frame)
{
    program *const both[] = {&slow, &fast};
    stn_exec *own[2];
    double least[2] = {1e9, 1e9};
    for (int k = 0; k < 2; k++)
        begin(both[k], frame, &own[k]);
    for (int r = 0; r <= frame->repeats; r++)
        for (int k = 0; k < 2; k++) {
            const double start = now();
            both[k]->run(both[k]);
            const double seconds = now() - start;
            least[k] = r > 0 && seconds < least[k] ? seconds : least[k];
        }
    for (int k = 0; k < 2; k++)
        end(both[k], own[k]);
    printf("%-42s %-34s %9.3f %9.3f %7.2f\n", slow.name, fast.name, 1e3 * least[0], 1e3 * least[1],
           least[0] / least[1]);
    if (frame->json)
        fprintf(frame->json,
                "{\"slow\": \"%s\", \"alternative\": \"%s\", \"threads\": %d, \"seconds\": %.9g, "
                "\"alternative_seconds\": %.9g}\n",
                slow.name, fast.name, frame->threads, least[0], least[1]);
    fflush(stdout);
}

static program make(const char *name, void (*run)(const program *p), stn_format arithmetic,
                    stn_storage x, stn_storage y)
{
    return (program){.name = name, .run = run, .arithmetic = arithmetic, .storage = {x, y}};
}

static program arranged(program p, arrangement x, arrangement y)
{
    p.arranged[0] = x;
    p.arranged[1] = y;
    return p;
}

static program on(program p, const char *resource)
{
    p.resource = resource;
    return p;
}

static stn_storage of(stn_format format)
{
    return stn_storage_of(format);
}

static stn_storage ruled(stn_rounding rounding, stn_overflow overflow, int counts, double scale)
{
    stn_storage s = of(STN_F16);
    s.rounding = rounding;
    s.overflow = overflow;
    s.counters = counts ? &counters : NULL;
    s.scale = scale;
    return s;
}

static void compare_rules(const bench_frame *frame)
{
    static const struct {
        const char *name;
        stn_rounding rounding;
        stn_overflow overflow;
        int counts;
        double scale;
    } rules[] = {
        {"toward zero", STN_ROUND_TOWARD_ZERO, STN_OVERFLOW_DEFAULT, 0, 1.0},
        {"stochastic", STN_ROUND_STOCHASTIC, STN_OVERFLOW_DEFAULT, 0, 1.0},
        {"saturate", STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 0, 1.0},
        {"counters", STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 1, 1.0},
        {"scale 0.1", STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0.1},
    };
    const program nearest = make("nearest", copy, STN_F64, of(STN_F64), of(STN_F16));
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char name[60];
        snprintf(name, sizeof name, "copy f64 to f16, %s", rules[k].name);
        compare(make(name, copy, STN_F64, of(STN_F64),
                     ruled(rules[k].rounding, rules[k].overflow, rules[k].counts, rules[k].scale)),
                nearest, frame);
    }
    stn_storage shifted = of(STN_I16), plain = of(STN_I16);
    plain.scale = shifted.scale = 0x1p-10;
    shifted.zero = 100;
    compare(make("axpy of i16, zero point 100", add, STN_F32, shifted, shifted),
            make("no zero point", add, STN_F32, plain, plain), frame);
}

static void compare_stencils(const bench_frame *frame)
{
    const stn_storage f16 = of(STN_F16), f32 = of(STN_F32);
    const program five = make("threads", run_periodic, STN_F32, f32, f32);
    compare(on(make("5 points, periodic, threads:jit", run_periodic, STN_F32, f32, f32),
               "threads:threads=1,jit"),
            on(five, "threads:threads=1"), frame);
    compare(make("5 points f32, periodic", run_periodic, STN_F32, f32, f32),
            make("inside", run_inside, STN_F32, f32, f32), frame);
    compare(make("5 points f32, nearest", run_nearest, STN_F32, f32, f32),
            make("inside", run_inside, STN_F32, f32, f32), frame);
    compare(make("5 points f32, zero", run_zero, STN_F32, f32, f32),
            make("inside", run_inside, STN_F32, f32, f32), frame);
    compare(make("gather of f16, reversed rows", gather_reversed, STN_F32, f16, f32),
            make("gather of f32", gather_reversed, STN_F32, f32, f32), frame);
    compare(make("gather of f16, reversed rows", gather_reversed, STN_F32, f16, f32),
            make("copy of a slice with step -1", copy_reversed, STN_F32, f16, f32), frame);
}

static void compare_layouts(const bench_frame *frame)
{
    const stn_storage f64 = of(STN_F64), f16 = of(STN_F16), i64 = of(STN_I64), i32 = of(STN_I32);
    const program flat = make("both by row", add, STN_F64, f64, f64);
    compare(arranged(make("axpy, x by column, y by row", add, STN_F64, f64, f64), COLUMNS, ROWS),
            flat, frame);
    compare(arranged(make("the same of f16 in f32", add, STN_F32, f16, f16), COLUMNS, ROWS),
            make("both by row", add, STN_F32, f16, f16), frame);
    compare(arranged(make("axpy of reversed rows of f16 in f32", add, STN_F32, f16, f16), REVERSED,
                     ROWS),
            make("forward rows", add, STN_F32, f16, f16), frame);
    compare(arranged(make("axpy of every eighth element of x", add, STN_F64, f64, f64),
                     EVERY_EIGHTH, ROWS),
            flat, frame);
    compare(arranged(make("2048 launches of 16 elements", add_tiny, STN_F64, f64, f64), ROWS, ROWS),
            arranged(make("one launch of 2048 x 16", add, STN_F64, f64, f64), SHORT, SHORT), frame);
    compare(make("axpy of i64 in i64", add, STN_I64, i64, i64), flat, frame);
    compare(make("sum of i64 in f64", run_sum, STN_F64, i64, i64),
            make("sum of i64 in i64", run_integer_sum, STN_I64, i64, i64), frame);
    compare(make("sum of i64 in f64", run_sum, STN_F64, i64, i64),
            make("sum of i32 in f64", run_sum, STN_F64, i32, i32), frame);
    compare(make("axpy of f40", add, STN_F64, of(STN_F40), of(STN_F40)),
            make("axpy of f32 in f64", add, STN_F64, of(STN_F32), of(STN_F32)), frame);
    compare(on(make("axpy of f16, executor reference", add, STN_F32, f16, f16), "reference"),
            on(make("threads with one thread", add, STN_F32, f16, f16), "threads:threads=1"),
            frame);
}

static void compare_reductions(const bench_frame *frame)
{
    const stn_storage f64 = of(STN_F64), f16 = of(STN_F16);
    stn_storage tenth = f16, eighth = f16;
    tenth.scale = 0.1;
    eighth.scale = 0.125;
    const program sum = make("sum", run_sum, STN_F64, f64, f64);
    const program narrow = make("sum of f16 in f32", run_sum, STN_F32, f16, f16);
    compare(make("sum of f16, scale 0.1", run_sum, STN_F64, tenth, f16),
            make("scale 0.125", run_sum, STN_F64, eighth, f16), frame);
    compare(make("variance of f64", run_variance, STN_F64, f64, f64), sum, frame);
    compare(make("variance of f16 in f32", run_variance, STN_F32, f16, f16), narrow, frame);
    compare(make("maximum of f16 in f32", run_max, STN_F32, f16, f16), narrow, frame);
    compare(make("norm of f16 in f32", run_norm, STN_F32, f16, f16), narrow, frame);
    compare(arranged(make("sum of reversed rows of f16 in f32", run_sum, STN_F32, f16, f16),
                     REVERSED, ROWS),
            narrow, frame);
    compare(make("argmin of f64", run_argmin, STN_F64, f64, f64), sum, frame);
    compare(make("argmin of f16 in f32", run_argmin, STN_F32, f16, f16), narrow, frame);
    compare(make("log-sum-exp as a state", run_log_sum_exp, STN_F64, f64, f64),
            make("maximum, then sum of exp", run_two_passes, STN_F64, f64, f64), frame);
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    printf("%-42s %-34s %9s %9s %7s\n", "slow", "alternative", "ms", "ms", "factor");
    compare_rules(&frame);
    compare_stencils(&frame);
    compare_layouts(&frame);
    compare_reductions(&frame);
    bench_end(&frame);
    return 0;
}
