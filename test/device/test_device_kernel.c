/* Kernels on devices give the bits of `reference`, for every kind of parameter, arithmetic, format,
 * rounding, scale and strides. Each text that is new to a device takes its compiler some tenths of
 * a second: combinations are drawn by chance, and more of them where STENO_TEST_FULL is set. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "compile_events.h"
#include "core/memory.h"
#include "device_run.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "check.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(fused, (real(alpha), in(x), in(w), out(y)),
    y = fma(alpha, x, w) / (fabs(w) + STN_R(0.1));
)
STN_MAP(cut, (real(bound), inout(y)),
    if (fabs(y) <= bound)
        return;
    y = y < 0 ? -bound : bound;
)
STN_MAP(pick, (in(x), inout(w), masked(y)),
    if (!isless(x, w) || isnan(w - 1.0f))
        return;
    w = w - x;
    for (int k = 0; k < 3; k++)
        if (x < (real_t)k)
            return;
    STN_STORE(y, sqrt(fmax(x, 0)) * STN_R(0.1));
)
STN_MAP(words, (real(kernel), in(half), in(V), out(new)),
    const real_t class = kernel * half, global = V;
    real_t log = fabs(class);
    new = class + global - log;
)
STN_MAP(where, (at(i, j), in(x), out(y)),
    y = x + (real_t)(1000 * i + j);
)
STN_MAP(numbered, (index(n), bits(m), in(x), out(y)),
    y = (real_t)(n % 1000) + (real_t)(m >> 60) * floor(x);
)
STN_MAP(nearest, (shifted(u, nearest, -1, 2), out(y)), y = 2 * u;)
STN_MAP(zero, (shifted(u, zero, 3, -1), in(x), out(y)), y = u + x;)
STN_MAP(periodic, (shifted(u, periodic, -50, 1), out(y)), y = u;)
STN_MAP(valued, (shifted(u, value(1.5), 0, 1), out(y)), y = u;)
STN_MAP(inside, (shifted(u, inside, -1, 1), in(x), inout(y)), y = u - x;)
STN_MAP(five, (stencil(u, nearest, 1, 1), at(i, j), out(y)),
    y = STN_R(0.5) * STN_AT(u, i, j) + STN_R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) +
                                              STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1));
)
STN_MAP(within, (at(i, j), stencil(u, inside, 0, 2), inout(y)),
    y = STN_AT(u, i, j - 2) - STN_AT(u, i, j + 2);
)
STN_MAP(turned, (at(i, j), gather(u, 2), out(y)),
    y = STN_AT(u, STN_EXTENT_OF(u, 0) - 1 - i, j);
)
STN_MAP(spread, (at(i, j), in(x), scatter(y, 2)),
    STN_PUT(y, x + 1, i, STN_EXTENT_OF(y, 1) - 1 - j);
)
STN_MAP(gathered, (at(i, j), gather(n, 2), gather(u, 2), out(y)),
    y = STN_AT(u, ((STN_INDEX_AT(n, i, j) % 5) + 5) % 5, 0);
)
STN_MAP(extremes, (at(i, j), in(x), scatter(y, 2)),
    STN_MIN(y, x, i / 4, 0);
    STN_MAX(y, x, i / 4, 1);
)
STN_MAP_INTEGER(hashed, (in(x), inout(y)),
    const unsigned long long mixed = (uint64_t)x * 0x9E3779B97F4A7C15ull >> 40;
    const long long less = INT64_MIN + 1LL;
    y = (int64_t)mixed + (int64_t)sizeof(long long) + (less < 0) + abs(-3) - 5 +
        (int64_t)(uint8_t)x;
)
STN_MAP_INTEGER(whole, (index(n), in(x), inout(y)),
    y = (x ^ n) + (y / 4) % 1000;
)
STN_MAP_INTEGER(counted, (at(i, j), in(x), scatter(y, 2)),
    STN_ADD(y, x & 1, i / 4, 0);
)
STN_MAP_INTEGER(shifted_whole, (shifted(u, value(-7), 1, 0), out(y)), y = u;)
STN_MAP_COMPLEX(turn, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
STN_MAP_COMPLEX(conjugated, (shifted(u, zero, 0, 1), out(y)),
    y = u;
    y.im = -y.im;
)
/* clang-format on */

enum { VIEWS = 3 };
typedef stn_status run(const stn_exec *exec, stn_format arithmetic, const stn_view *v);

#define RUN(name, ...)                                                                             \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, const stn_view *v)   \
    {                                                                                              \
        return name##_run(exec, arithmetic, __VA_ARGS__);                                          \
    }
#define RUN_OVER(name, ...)                                                                        \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, const stn_view *v)   \
    {                                                                                              \
        return name##_run_over(exec, arithmetic, 2, v[2].extent, __VA_ARGS__);                     \
    }
RUN(axpy, 0.7, &v[0], &v[2])
RUN(fused, -1.3, &v[0], &v[1], &v[2])
RUN(cut, 2.25, &v[2])
RUN(pick, &v[0], &v[1], &v[2])
RUN(words, 0.75, &v[0], &v[1], &v[2])
RUN(where, &v[0], &v[2])
RUN(numbered, -123456, (uint64_t)7 << 60, &v[0], &v[2])
RUN(nearest, &v[0], &v[2])
RUN(zero, &v[0], &v[1], &v[2])
RUN(periodic, &v[0], &v[2])
RUN(valued, &v[0], &v[2])
RUN(inside, &v[0], &v[1], &v[2])
RUN(five, &v[0], &v[2])
RUN(within, &v[0], &v[2])
RUN(turned, &v[0], &v[2])
RUN(spread, &v[0], &v[2])
RUN(gathered, &v[1], &v[0], &v[2])
RUN(extremes, &v[0], &v[2])
RUN(hashed, &v[0], &v[2])
RUN(whole, 12345, &v[0], &v[2])
RUN(counted, &v[0], &v[2])
RUN(shifted_whole, &v[0], &v[2])
RUN(turn, ((stn_c128){0.7, -0.2}), &v[0], &v[2])
RUN(conjugated, &v[0], &v[2])

/* `finite`: infinities and NaN may not be among the values. */
typedef struct row {
    const char *name;
    run *run;
    oracle_class kind;
    int is_2d, finite;
} row;
#define ROW(name, kind, is_2d, finite)                                                             \
    {                                                                                              \
#        name, run_##name, ORACLE_##kind, is_2d, finite                                            \
    }
static const row rows[] = {ROW(axpy, FLOAT, 0, 0),      ROW(fused, FLOAT, 0, 0),
                           ROW(cut, FLOAT, 0, 0),       ROW(words, FLOAT, 0, 0),
                           ROW(pick, FLOAT, 0, 0),      ROW(where, FLOAT, 1, 0),
                           ROW(numbered, FLOAT, 0, 0),  ROW(nearest, FLOAT, 1, 0),
                           ROW(zero, FLOAT, 1, 0),      ROW(periodic, FLOAT, 1, 0),
                           ROW(valued, FLOAT, 1, 0),    ROW(inside, FLOAT, 1, 0),
                           ROW(five, FLOAT, 1, 0),      ROW(within, FLOAT, 1, 0),
                           ROW(turned, FLOAT, 1, 0),    ROW(spread, FLOAT, 1, 0),
                           ROW(gathered, FLOAT, 1, 1),  ROW(extremes, FLOAT, 1, 1),
                           ROW(hashed, INTEGER, 0, 0),  ROW(whole, INTEGER, 0, 0),
                           ROW(counted, INTEGER, 1, 0), ROW(shifted_whole, INTEGER, 1, 0),
                           ROW(turn, COMPLEX, 0, 0),    ROW(conjugated, COMPLEX, 1, 0)};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

/* ---- data ---- */

/* The same numbers here and there; not any codes, where kernels want finite ones. */
static void set_numbers(twins *t)
{
    const int is_complex = row_of(t->host.storage.format)->kind == ORACLE_COMPLEX;
    int64_t index[STN_MAX_RANK] = {0};
    int64_t count = stn_view_count(&t->host);
    for (int64_t k = 0; k < count && !is_complex; k++) {
        int64_t rest = k;
        for (int d = t->host.rank - 1; d >= 0; d--) {
            index[d] = rest % t->host.extent[d];
            rest /= t->host.extent[d];
        }
        expect_ok(stn_view_set(&t->host, t->host.rank, index,
                               (double)((int64_t)chance(2001) - 1000) / 16));
    }
    expect_ok(stn_view_copy(on, &t->device, &t->host));
}

/* ---- one case ---- */

static int is_jit(void)
{
    return strcmp(resource, "openmp:jit") == 0;
}

/* What code is compiled for on the host: rows, one behind the other or apart. */
static void make_rows(twins *t, stn_storage storage, int rank, const int64_t *extents)
{
    int64_t whole[3];
    stn_slice slices[3];
    for (int d = 0; d < rank; d++) {
        const int64_t before = (int64_t)chance(3);
        whole[d] = extents[d] + before + (int64_t)chance(2);
        slices[d] = stn_slice_range(before, before + extents[d]);
    }
    make_twins(t, storage, NULL, rank, whole);
    expect_ok(stn_view_slice(&t->host_part, &t->host, rank, slices));
    expect_ok(stn_view_slice(&t->device_part, &t->device, rank, slices));
}

/* Contiguous, or in rows that begin at multiples of 16 elements; others, in front or between, are
 * not to change. */
static void make_contiguous(twins *t, stn_storage storage, int rank, const int64_t *extents,
                            int is_padded)
{
    int64_t whole[3] = {extents[0] + 16, extents[1], extents[2]};
    stn_slice slices[3] = {stn_slice_range(0, extents[0]), stn_slice_all(), stn_slice_all()};
    if (is_padded && rank > 1) {
        whole[rank - 1] = (extents[rank - 1] + 31) / 16 * 16;
        slices[rank - 1] = stn_slice_range(0, extents[rank - 1]);
    }
    make_twins(t, storage, NULL, rank, whole);
    expect_ok(stn_view_slice(&t->host_part, &t->host, rank, slices));
    expect_ok(stn_view_slice(&t->device_part, &t->device, rank, slices));
}

static void try_one(const row *r, stn_format format)
{
    char what[400];
    twins t[VIEWS];
    stn_view here[VIEWS], there[VIEWS];
    int64_t extents[3] = {1 + (int64_t)chance(40), 1 + (int64_t)chance(150),
                          1 + (int64_t)chance(9)};
    const int rank = r->is_2d ? 2 : 1 + (int)chance(3);
    const stn_format arithmetic = r->kind == ORACLE_INTEGER   ? STN_I64
                                  : r->kind == ORACLE_COMPLEX ? (chance(2) ? STN_C64 : STN_C128)
                                  : chance(2)                 ? STN_F32
                                                              : STN_F64;
    int at = snprintf(what, sizeof what, "%s on %s in %s, rank %d:", r->name, resource,
                      row_of(arithmetic)->name, rank);
    const int is_contiguous = !is_jit() && chance(2); /* several elements are one access */
    const int is_padded = (int)chance(2);
    if (r->is_2d) /* kernels name rows and columns that there are */
        extents[0] += 5, extents[1] += 2;
    for (int v = 0; v < VIEWS; v++) {
        stn_storage s = any_storage(r->kind, v == 0 ? format : any_format(r->kind));
        if (r->run == run_extremes) /* whatever the order in which elements are updated */
            s.rounding = STN_ROUND_NEAREST;
        int64_t own[3] = {extents[0], extents[1], extents[2]};
        if (is_jit() && v == 0 && !r->is_2d && chance(4) == 0)
            own[chance((uint64_t)rank)] = 1; /* which is repeated */
        if (is_contiguous)
            make_contiguous(&t[v], s, rank, own, is_padded);
        else
            (is_jit() && chance(8) ? make_rows : make_operand)(&t[v], s, rank, own);
        if (r->finite)
            set_numbers(&t[v]);
        count_some(&t[v], v);
        here[v] = t[v].host_part;
        there[v] = t[v].device_part;
        at += snprintf(what + at, sizeof what - (size_t)at, " %s (scale %g, zero %g, rounding %d)",
                       row_of(s.format)->name, s.scale, s.zero, (int)s.rounding);
    }
    const stn_status expected = r->run(reference, arithmetic, here);
    const stn_status found = r->run(on, arithmetic, there);
    if (expected != found)
        fail_msg("%s: %s, on the host %s: %s", what, stn_status_name(found),
                 stn_status_name(expected), stn_error());
    for (int v = 0; v < VIEWS; v++) {
        expect_numbers(&t[v], what);
        expect_counts(v, what);
        release_twins(&t[v]);
    }
}

static int rounds(void)
{
    return getenv("STENO_TEST_FULL") ? 40 : getenv("STENO_TEST_QUICK") ? 1 : 3;
}

static void gives_the_bits_of_the_host(void **state)
{
    (void)state;
    seed = 4;
    for (int k = 0; k < ROWS; k++)
        for (int round = 0; round < rounds(); round++) {
            stn_format format = (stn_format)((k * 5 + round * 3) % STN_BUILTIN_FORMATS);
            try_one(&rows[k], goes_with(rows[k].kind, format) ? format : any_format(rows[k].kind));
        }
}

/* ---- on the host: what is compiled, and what is not ---- */

/* All of them are texts that the compiler takes. */
static void compiles_on_the_host(void **state)
{
    compilations = notes = 0;
    stn_event_set_hook(listen, NULL);
    gives_the_bits_of_the_host(state);
    stn_event_set_hook(NULL, NULL);
    if (notes)
        fail_msg("%d notes, the last one %s", notes, last_note);
    print_message("%d compilations for %d kernels, %d times\n", compilations, (int)ROWS, rounds());
    assert_true(6 * compilations > ROWS * rounds());
}

/* ---- what is refused, and what is told ---- */

STN_MAP(beyond, (at(i, j), stencil(u, zero, 1, 1), out(y)), y = STN_AT(u, i + 2, j);)

static void tells_what_is_beyond(void **state)
{
    static const int64_t extents[2] = {6, 8};
    stn_view u, y;
    (void)state;
    expect_ok(stn_view_create(on, &u, "u", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 2, extents));
    refused(beyond_run(on, STN_F64, &u, &y), STN_ERR_RANGE, "beyond its radius");
    expect_ok(stn_view_release(&u));
    expect_ok(stn_view_release(&y));
}

/* As on the host, whatever the arithmetic: 3 times this scale is less than 3, but not in f32. */
static void reads_indices_in_f64(void **state)
{
    static const int64_t extents[2] = {6, 40};
    stn_storage storage = stn_storage_of(STN_F32);
    stn_view n, here, u, y, back;
    double value;
    (void)state;
    expect_ok(stn_view_create(NULL, &here, "here", storage, 2, extents));
    for (int64_t k = 0; k < extents[0]; k++)
        expect_ok(STN_VIEW_SET(&here, (double)k, k, 0));
    expect_ok(stn_view_mirror_view(on, &u, &here, stn_exec_space(on), STN_MIRROR_COPY));
    expect_ok(stn_view_create(on, &y, "y", storage, 2, extents));
    storage.scale = 1 - 0x1p-26;
    expect_ok(stn_view_create(on, &n, "n", storage, 2, extents));
    expect_ok(stn_view_fill(on, &n, 3));
    expect_ok(gathered_run(on, STN_F32, &n, &u, &y));
    expect_ok(stn_view_mirror_view(on, &back, &y, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(STN_VIEW_GET(&back, &value, 5, 7));
    assert_true(value == 2);
    expect_ok(stn_view_release(&back));
    expect_ok(stn_view_release(&n));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&u));
    expect_ok(stn_view_release(&here));
}

/* A device keeps scales that it was sent, and is sent again what has changed. */
static void reads_scales_as_they_are(void **state)
{
    static const int64_t extents[2] = {6, 300};
    double factors[6] = {1, 0.3, -2, 4, 0.125, 3};
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    twins x, y;
    (void)state;
    make_twins(&x, stn_storage_of(STN_I8), NULL, 2, extents);
    make_twins(&y, stn_storage_of(STN_F32), NULL, 2, extents);
    expect_ok(stn_view_set_scales(&x.host_part, &scales));
    expect_ok(stn_view_set_scales(&x.device_part, &scales));
    for (int k = 0; k < 12; k++) {
        factors[k % 6] = k % 4 ? factors[k % 6] + 1 : 7;
        expect_ok(axpy_run(reference, STN_F64, 0.5, &x.host_part, &y.host));
        expect_ok(axpy_run(on, STN_F64, 0.5, &x.device_part, &y.device));
        factors[(k + 3) % 6] *= 2; /* of the next one: what is queued has its own */
    }
    expect_numbers(&y, "scales that change");
    release_twins(&x);
    release_twins(&y);
}

/* Their language says more than C does. */
static void refuses_texts(void **state)
{
    static const int64_t extent = 5;
    stn_kernel *kernel;
    stn_view y;
    (void)state;
    expect_ok(stn_kernel_compile(&kernel, "a name", "index(n), inout(y)", "y = y / n;",
                                 STN_KERNEL_INTEGER));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_I32), 1, &extent));
    const stn_argument arguments[] = {{.index = 0}, {.view = &y}};
    refused(stn_kernel_run(on, kernel, STN_I64, STN_RANK_BROADCAST, NULL, arguments),
            STN_ERR_UNSUPPORTED,
            "kernel a name: a kernel text given at run time runs on the host only");
    stn_kernel_release(kernel);
    expect_ok(stn_view_release(&y));
}

/* The threads of an OpenCL implementation are not in a child. */
static void refuses_a_forked_process(void **state)
{
    int status;
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        stn_exec *other;
        alarm(20);
        _exit(stn_exec_create(&other, resource) == STN_ERR_UNSUPPORTED ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void refuses_what_devices_lack(void **state)
{
    static const int64_t extents[2] = {6, 8};
    double factors[6] = {1, 2, 3, 0, 5, 6};
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    const stn_format_codec without_text =
        STN_INIT(stn_format_codec, .name = resource[0] == 'c' ? "on-cuda" : "on-opencl", .bytes = 2,
                 .alignment = 2, .decode = decode_own, .encode = encode_own);
    stn_format format;
    stn_view x, y, here, own;
    (void)state;
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 2, extents));
    refused(axpy_run(on, STN_F64, 1, &here, &y), STN_ERR_UNSUPPORTED, "here");
    refused(axpy_run(reference, STN_F64, 1, &here, &y), STN_ERR_UNSUPPORTED, "y");
    refused(axpy_run(on, STN_I64, 1, &y, &y), STN_ERR_ARGUMENT, "i64");
    refused(where_run(on, STN_F64, &y, &y), STN_OK, "");
    expect_ok(stn_format_register(&format, &without_text));
    expect_ok(stn_view_create(on, &own, "own", stn_storage_of(format), 2, extents));
    refused(axpy_run(on, STN_F64, 1, &x, &own), STN_ERR_UNSUPPORTED,
            "8, device) has a registered format without a device text");
    expect_ok(stn_view_release(&own));
    expect_ok(stn_view_set_scales(&x, &scales));
    refused(axpy_run(on, STN_F64, 1, &x, &y), STN_ERR_ARGUMENT, "x");
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&here));
}

static void takes_empty_and_single_views(void **state)
{
    static const int64_t none[2] = {0, 5}, one[2] = {1, 1};
    stn_view x, y;
    (void)state;
    for (int k = 0; k < 2; k++) {
        expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F16), 2, k ? one : none));
        expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 2, k ? one : none));
        expect_ok(axpy_run(on, STN_F64, 1, &x, &y));
        expect_ok(stn_exec_wait(on));
        expect_ok(stn_view_release(&x));
        expect_ok(stn_view_release(&y));
    }
}

/* ---- without a GPU: NVRTC takes the texts ---- */

static stn_status compile_row(int at, int architecture)
{
    const row *const r = &rows[at];
    const stn_format arithmetic = r->kind == ORACLE_INTEGER   ? STN_I64
                                  : r->kind == ORACLE_COMPLEX ? STN_C64
                                  : at % 2                    ? STN_F32
                                                              : STN_F64;
    static const int64_t extents[2] = {7, 9};
    stn_view views[VIEWS];
    if (rounds() < 40 && at % 3 != architecture)
        return STN_OK;
    const stn_layout own = stn_layout_custom(own_offset, own_span, NULL);
    static stn_counters counters;
    static float rows_of[7] = {1, 2, 3, 4, 5, 6, 7};
    const stn_scales scales = {
        .data = rows_of, .format = STN_F32, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    for (int v = 0; v < VIEWS; v++)
        expect_ok(stn_view_create_spec(
            on, &views[v],
            &STN_VIEW_SPEC(.label = "view", .storage = any_storage(r->kind, any_format(r->kind)),
                           .layout = at % 4 == v ? &own : NULL, .rank = 2, .extents = extents)));
    if (at % 3 == 0) /* which have no numbers of the stand-in's */
        views[2].storage.counters = &counters;
    for (int v = 0; v < VIEWS && r->kind != ORACLE_INTEGER; v++)
        if ((at + 1) % 4 == v)
            expect_ok(stn_view_set_scales(&views[v], &scales));
    const stn_status status = r->run(on, arithmetic, views);
    for (int v = 0; v < VIEWS; v++)
        expect_ok(stn_view_release(&views[v]));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(ROWS, compile_row);
}

/* ---- every allocation that fails ---- */

/* A device that is opened, filled, computes and is read; STN_ERR_MEMORY, or the sum. */
static stn_status use_device(double *value)
{
    static const int64_t extents[2] = {5, 7};
    stn_exec *exec = NULL;
    stn_view x = {0}, y = {0}, back = {0};
    stn_status status = stn_exec_create(&exec, resource);
    if (status == STN_OK)
        status = stn_view_create(exec, &x, "x", stn_storage_of(STN_F16), 2, extents);
    if (status == STN_OK)
        status = stn_view_create(exec, &y, "y", stn_storage_of(STN_F64), 2, extents);
    if (status == STN_OK)
        status = stn_view_fill(exec, &x, 1.5);
    if (status == STN_OK)
        status = axpy_run(exec, STN_F64, 2.0, &x, &y);
    if (status == STN_OK)
        status = stn_view_mirror_view(exec, &back, &y, STN_SPACE_HOST, STN_MIRROR_COPY);
    if (status == STN_OK)
        status = STN_VIEW_GET(&back, value, 4, 6);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&back));
    stn_exec_release(exec);
    return status;
}

static void survives_without_memory(void **state)
{
    double value = 0;
    (void)state;
    for (int64_t nth = 1;; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = use_device(&value);
        stn_fail_allocation(0);
        if (status == STN_OK && nth > 5)
            break;
        if (status != STN_ERR_MEMORY)
            fail_msg("allocation %d: %s, %s", (int)nth, stn_status_name(status), stn_error());
    }
    assert_true(value == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_bits_of_the_host),
                                       cmocka_unit_test(tells_what_is_beyond),
                                       cmocka_unit_test(reads_indices_in_f64),
                                       cmocka_unit_test(reads_scales_as_they_are),
                                       cmocka_unit_test(refuses_texts),
                                       cmocka_unit_test(refuses_a_forked_process),
                                       cmocka_unit_test(refuses_what_devices_lack),
                                       cmocka_unit_test(takes_empty_and_single_views)};
    const struct CMUnitTest on_the_host[] = {
        cmocka_unit_test(compiles_on_the_host), cmocka_unit_test(tells_what_is_beyond),
        cmocka_unit_test(reads_indices_in_f64), cmocka_unit_test(takes_empty_and_single_views)};
    const char *const resources[] = {cuda_resource(), opencl_resource()};
    const struct CMUnitTest alone[] = {cmocka_unit_test(survives_without_memory)};
    const struct CMUnitTest on_stand_in[] = {cmocka_unit_test(compiles_for_cuda)};
    int failed = 0;
    setenv("STENO_CACHE", "off", 1); /* each text is compiled */
    cuda_choose(0);
    if (cuda_is_stand_in()) { /* of the driver; a compiler may be there */
        cuda_choose_compiler();
        failed += cmocka_run_group_tests_name(cuda_is_hip() ? "hipRTC" : "NVRTC", on_stand_in, NULL,
                                              NULL);
    }
    if (cuda_is_compiler_only())
        return failed;
    for (int k = cuda_is_stand_in(); k < 2 && !cuda_is_hip(); k++) {
        resource = resources[k];
        if (stn_exec_create(&on, resource) != STN_OK) {
            print_message("skipped: %s\n", stn_error());
            continue;
        }
        stn_exec_release(on);
        failed += cmocka_run_group_tests_name(resource, alone, NULL, NULL);
        failed += cmocka_run_group_tests_name(resource, tests, open_device, close_device);
    }
    if (cuda_is_hip())
        return failed;
    resource = "openmp:jit";
    failed += cmocka_run_group_tests_name(resource, on_the_host, open_device, close_device);
    return failed;
}
