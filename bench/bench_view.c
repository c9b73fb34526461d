/* bench view: views compared with C code without them, in the same run.
 *
 *   bench_view [--only NAME] [--threads N] [--megabytes N] [--side N] [--repeat N] [--json FILE]
 *
 * Small things in ns per call; copies, fills and loops over arrays as a fraction of the baseline's
 * speed: above 1 the view is the faster one. Rounds of both alternate, medians count. --megabytes
 * is the size of large arrays, --side the rows of transposed matrices. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/openmp.h"
#include "core/memory.h"
#include "measure/stream.h"
#include "steno/view.h"
#include "view_loops.h"

enum { MAX_REPEATS = 64, SMALL = 100 };

typedef struct bench_settings {
    int threads, repeats;
    int64_t bytes, side;
    const char *only;
    FILE *json;
    stn_exec *exec;
} bench_settings;

static bench_settings settings = {.repeats = 9, .bytes = 800000000, .side = 8192};
static volatile double sink;

static void fail(const char *what)
{
    fprintf(stderr, "bench_view: %s\n", what);
    exit(1);
}

static void must(stn_status status)
{
    if (status != STN_OK)
        fail(stn_error());
}

/* One row: an operation with views and without, `calls` times per round. */
typedef struct bench_row {
    const char *name, *baseline;
    void (*view)(void *context), (*raw)(void *context);
    void *context;
    int64_t calls;
    double bytes; /* moved by one call; 0: report ns per call */
} bench_row;

static int is_wanted(const char *name)
{
    return !settings.only || strstr(name, settings.only);
}

static double seconds_of(void (*work)(void *), const bench_row *row)
{
    const double start = measure_now();
    for (int64_t k = 0; k < row->calls; k++)
        work(row->context);
    return (measure_now() - start) / (double)row->calls;
}

static void print_row(const bench_row *row, double view, double raw)
{
    printf("%-34s %14.1f %14.1f %7.2f  %s", row->name, view * 1e9, raw * 1e9, raw / view,
           row->baseline);
    if (row->bytes > 0)
        printf(", %.1f GB/s", row->bytes / view / 1e9);
    printf("\n");
    fflush(stdout);
    if (settings.json)
        fprintf(settings.json,
                "{\"bench\": \"view\", \"name\": \"%s\", \"threads\": %d, \"ns\": %.2f, "
                "\"baseline\": \"%s\", \"baseline_ns\": %.2f, \"ratio\": %.4f, \"bytes\": %.0f}\n",
                row->name, settings.threads, view * 1e9, row->baseline, raw * 1e9, raw / view,
                row->bytes);
}

static void bench(bench_row row)
{
    double view[MAX_REPEATS], raw[MAX_REPEATS];
    row.view(row.context);
    row.raw(row.context);
    for (int r = 0; r < settings.repeats; r++) {
        view[r] = seconds_of(row.view, &row);
        raw[r] = seconds_of(row.raw, &row);
    }
    print_row(&row, measure_median(view, settings.repeats), measure_median(raw, settings.repeats));
}

/* ---- small things ---- */

typedef struct small_things {
    stn_view from, to, cube;
    int numbers[SMALL], others[SMALL];
} small_things;

static void create_small(void *context)
{
    (void)context;
    stn_view view;
    const int64_t extents[] = {SMALL};
    must(stn_view_create(NULL, &view, "x", stn_storage_of(STN_I32), 1, extents));
    stn_view_release(&view);
}

static void calloc_small(void *context)
{
    (void)context;
    int *volatile numbers = aligned_alloc(64, 448);
    memset(numbers, 0, SMALL * sizeof *numbers);
    free(numbers);
}

static void share_small(void *context)
{
    const small_things *things = context;
    stn_view view;
    must(stn_view_share(&view, &things->from));
    stn_view_release(&view);
}

static void count_small(void *context)
{
    static int64_t handles;
    (void)context;
    __atomic_fetch_add(&handles, 1, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&handles, 1, __ATOMIC_ACQ_REL);
}

static void slice_small(void *context)
{
    const small_things *things = context;
    stn_view part;
    const stn_slice slices[] = {stn_slice_index(1), stn_slice_all(), stn_slice_all()};
    must(stn_view_slice(&part, &things->cube, 3, slices));
    sink = (double)part.rank;
}

static void struct_small(void *context)
{
    const small_things *things = context;
    stn_view part;
    part = things->cube;
    __asm__ volatile("" : : "g"(&part) : "memory");
}

static void copy_small(void *context)
{
    const small_things *things = context;
    must(stn_view_copy(settings.exec, &things->to, &things->from));
}

static void memcpy_small(void *context)
{
    small_things *things = context;
    memcpy(things->others, things->numbers, sizeof things->numbers);
    __asm__ volatile("" : : "g"(things) : "memory");
}

static void fill_small(void *context)
{
    const small_things *things = context;
    must(stn_view_fill(settings.exec, &things->to, 3.0));
}

static void loop_small(void *context)
{
    small_things *things = context;
    for (int k = 0; k < SMALL; k++)
        things->others[k] = 3;
    __asm__ volatile("" : : "g"(things) : "memory");
}

static void bench_small(void)
{
    static small_things things;
    const int64_t extents[] = {SMALL}, cube[] = {4, 5, 6};
    const stn_storage i32 = stn_storage_of(STN_I32);
    if (!is_wanted("small"))
        return;
    must(stn_view_create(NULL, &things.from, "from", i32, 1, extents));
    must(stn_view_create(NULL, &things.to, "to", i32, 1, extents));
    must(stn_view_create(NULL, &things.cube, "cube", i32, 3, cube));
    const int64_t calls = 100000;
    bench((bench_row){"small: create, zero, free 100 ints", "aligned_alloc, memset, free",
                      create_small, calloc_small, &things, calls, 0});
    bench((bench_row){"small: share, release", "two atomic additions", share_small, count_small,
                      &things, calls, 0});
    bench((bench_row){"small: subview(1, all, all)", "a copy of the struct", slice_small,
                      struct_small, &things, calls, 0});
    bench(
        (bench_row){"small: copy 100 ints", "memcpy", copy_small, memcpy_small, &things, calls, 0});
    bench((bench_row){"small: fill 100 ints", "a loop", fill_small, loop_small, &things, calls, 0});
    stn_view_release(&things.from);
    stn_view_release(&things.to);
    stn_view_release(&things.cube);
}

/* ---- large arrays ---- */

typedef struct large_arrays {
    stn_view to, from;
    stn_view flat[2]; /* arrays of `bytes` for memcpy, if to and from have different sizes */
    int64_t bytes;    /* of `to`, or the mean of to and from */
    int64_t side;
} large_arrays;

/* The bytes of a thread; called in a parallel region. */
static void find_share(const large_arrays *arrays, int64_t *begin, int64_t *end)
{
    const int64_t part = omp_get_thread_num(), parts = omp_get_num_threads();
    *begin = arrays->bytes / 64 * part / parts * 64;
    *end = part == parts - 1 ? arrays->bytes : arrays->bytes / 64 * (part + 1) / parts * 64;
}

static void copy_large(void *context)
{
    const large_arrays *arrays = context;
    must(stn_view_copy(settings.exec, &arrays->to, &arrays->from));
}

/* Copies by memcpy, one part per thread. */
static void memcpy_large(void *context)
{
    const large_arrays *arrays = context;
    char *const to = arrays->flat[0].data ? arrays->flat[0].data : arrays->to.data;
    const char *const from = arrays->flat[1].data ? arrays->flat[1].data : arrays->from.data;
#pragma omp parallel num_threads(settings.threads)
    {
        int64_t begin, end;
        find_share(arrays, &begin, &end);
        memcpy(to + begin, from + begin, (size_t)(end - begin));
    }
}

static void fill_zero(void *context)
{
    const large_arrays *arrays = context;
    must(stn_view_fill(settings.exec, &arrays->to, 0.0));
}

static void fill_value(void *context)
{
    const large_arrays *arrays = context;
    must(stn_view_fill(settings.exec, &arrays->to, 1.5));
}

static void memset_parts(const large_arrays *arrays, int byte)
{
#pragma omp parallel num_threads(settings.threads)
    {
        int64_t begin, end;
        find_share(arrays, &begin, &end);
        memset((char *)arrays->to.data + begin, byte, (size_t)(end - begin));
    }
}

static void memset_large(void *context)
{
    memset_parts(context, 0);
}

/* A nonzero value, because zeros are faster on some machines. */
static void memset_other(void *context)
{
    memset_parts(context, 0x3f);
}

static void make(stn_view *view, const char *label, stn_format format, const stn_layout *layout,
                 int rank, const int64_t *extents)
{
    must(stn_view_create_spec(settings.exec, view,
                              &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(format),
                                             .layout = layout, .rank = rank, .extents = extents)));
}

static void bench_flat(void)
{
    const int64_t count[] = {settings.bytes / 8};
    large_arrays arrays = {.bytes = count[0] * 8};
    if (!is_wanted("flat"))
        return;
    make(&arrays.to, "to", STN_F64, NULL, 1, count);
    make(&arrays.from, "from", STN_F64, NULL, 1, count);
    must(stn_view_fill(settings.exec, &arrays.from, 1.25));
    bench((bench_row){"flat: copy doubles", "memcpy", copy_large, memcpy_large, &arrays, 1,
                      2.0 * (double)arrays.bytes});
    must(stn_view_fill(settings.exec, &arrays.to, 1.0));
    bench((bench_row){"flat: fill with 0", "memset", fill_zero, memset_large, &arrays, 1,
                      (double)arrays.bytes});
    bench((bench_row){"flat: fill with 1.5", "memset with 0x3f", fill_value, memset_other, &arrays,
                      1, (double)arrays.bytes});
    stn_view_release(&arrays.to);
    stn_view_release(&arrays.from);
}

static void resize_large(void *context)
{
    large_arrays *arrays = context;
    const int64_t rows = arrays->from.extent[0], extents[] = {rows + rows / 10, 100};
    stn_view view;
    must(stn_view_share(&view, &arrays->from));
    must(stn_view_resize(settings.exec, &view, 2, extents, 0));
    stn_view_release(&view);
}

/* New memory, the old part copied and the rest zeroed. */
static void resize_raw(void *context)
{
    const large_arrays *arrays = context;
    const int64_t rows = arrays->from.extent[0], more = (rows + rows / 10) * 800;
    large_arrays target = {.bytes = arrays->bytes};
    must(stn_allocate(&target.to.data, more, 1, "new"));
    target.from.data = arrays->from.data;
    memcpy_large(&target);
    target.bytes = more - arrays->bytes;
    target.from.data = target.to.data;
    target.to.data = (char *)target.from.data + arrays->bytes;
    memset_large(&target);
    stn_free(target.from.data);
}

static void bench_resize(void)
{
    const int64_t extents[] = {settings.bytes / 8 / 100, 100};
    large_arrays arrays = {.bytes = extents[0] * 800};
    if (!is_wanted("resize"))
        return;
    make(&arrays.from, "from", STN_F64, NULL, 2, extents);
    bench((bench_row){"resize: 1.1 times the rows", "malloc, memcpy, memset", resize_large,
                      resize_raw, &arrays, 1, 2.1 * (double)arrays.bytes});
    stn_view_release(&arrays.from);
}

/* ---- other layouts ---- */

/* The loops of a program that knows both layouts: rows to columns. */
static void transpose_naive(void *context)
{
    const large_arrays *arrays = context;
    const int64_t n = arrays->side;
    const double *from = arrays->from.data;
    double *to = arrays->to.data;
#pragma omp parallel for num_threads(settings.threads)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            to[i + j * n] = from[i * n + j];
}

static void bench_pair(const char *name, stn_format to, stn_layout to_layout, stn_format from,
                       stn_layout from_layout)
{
    const int64_t extents[] = {settings.side, settings.side};
    large_arrays arrays = {.side = settings.side};
    stn_format_info a = STN_FORMAT_INFO_INIT, b = STN_FORMAT_INFO_INIT;
    if (!is_wanted(name))
        return;
    must(stn_format_describe(to, &a));
    must(stn_format_describe(from, &b));
    make(&arrays.to, "to", to, &to_layout, 2, extents);
    make(&arrays.from, "from", from, &from_layout, 2, extents);
    must(stn_view_fill(settings.exec, &arrays.from, 1.25));
    arrays.bytes = settings.side * settings.side * (a.bytes + b.bytes) / 2;
    const double bytes = 2.0 * (double)arrays.bytes;
    for (int k = 0; k < 2 && a.bytes != b.bytes; k++)
        make(&arrays.flat[k], "flat", STN_U8, NULL, 1, &arrays.bytes);
    bench(
        (bench_row){name, "memcpy of the same bytes", copy_large, memcpy_large, &arrays, 1, bytes});
    if (to == STN_F64 && from == STN_F64 && to_layout.kind == STN_LAYOUT_LEFT &&
        from_layout.kind == STN_LAYOUT_RIGHT)
        bench((bench_row){"turn: against two loops", "two loops", copy_large, transpose_naive,
                          &arrays, 1, bytes});
    stn_view_release(&arrays.to);
    stn_view_release(&arrays.from);
    stn_view_release(&arrays.flat[0]);
    stn_view_release(&arrays.flat[1]);
}

static void bench_layouts(void)
{
    static const int64_t small[] = {8, 8}, large[] = {64, 64};
    const stn_layout right = stn_layout_of(STN_LAYOUT_RIGHT), left = stn_layout_of(STN_LAYOUT_LEFT);
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_layout tiled = stn_layout_tiled(2, small, STN_LAYOUT_RIGHT);
    const stn_layout tiled_left = stn_layout_tiled(2, small, STN_LAYOUT_LEFT);
    const stn_layout tiled_large = stn_layout_tiled(2, large, STN_LAYOUT_RIGHT);
    bench_pair("turn: f64 right to left", STN_F64, left, STN_F64, right);
    bench_pair("turn: f64 left to right", STN_F64, right, STN_F64, left);
    bench_pair("turn: f32 right to left", STN_F32, left, STN_F32, right);
    bench_pair("turn: f16 right to left", STN_F16, left, STN_F16, right);
    bench_pair("turn: i8 right to left", STN_I8, left, STN_I8, right);
    bench_pair("turn: c128 right to left", STN_C128, left, STN_C128, right);
    bench_pair("layout: f64 right to tiled 8x8", STN_F64, tiled, STN_F64, right);
    bench_pair("layout: f64 tiled 8x8 to right", STN_F64, right, STN_F64, tiled);
    bench_pair("layout: f64 right to tiled 8x8 left", STN_F64, tiled_left, STN_F64, right);
    bench_pair("layout: f64 right to tiled 64x64", STN_F64, tiled_large, STN_F64, right);
    bench_pair("layout: f64 right to morton", STN_F64, morton, STN_F64, right);
    bench_pair("layout: f64 morton to right", STN_F64, right, STN_F64, morton);
    bench_pair("format: f64 to f32", STN_F32, right, STN_F64, right);
    bench_pair("format: f64 to f16", STN_F16, right, STN_F64, right);
    bench_pair("format: f16 to f64", STN_F64, right, STN_F16, right);
    bench_pair("format: i64 to i32", STN_I32, right, STN_I64, right);
    bench_pair("format: f64 right to f16 left", STN_F16, left, STN_F64, right);
}

/* ---- subviews with gaps, compared with plain loops ---- */

static void gaps_naive(void *context)
{
    const large_arrays *arrays = context;
    const int64_t rows = arrays->to.extent[0], columns = arrays->to.extent[1];
    const int64_t *to_stride = arrays->to.stride, *from_stride = arrays->from.stride;
    double *const to = arrays->to.data;
    const double *const from = arrays->from.data;
#pragma omp parallel for num_threads(settings.threads)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * to_stride[0] + j * to_stride[1]] = from[i * from_stride[0] + j * from_stride[1]];
}

/* From a slice of one matrix to the slice of the other that has these steps. */
static void bench_gaps(const char *name, int64_t to_step, int64_t from_step, int64_t columns)
{
    const int64_t extents[] = {settings.side, settings.side};
    large_arrays arrays = {.side = settings.side};
    stn_view to, from;
    if (!is_wanted(name))
        return;
    make(&to, "to", STN_F64, NULL, 2, extents);
    make(&from, "from", STN_F64, NULL, 2, extents);
    must(stn_view_fill(settings.exec, &from, 1.25));
    const stn_slice to_slices[] = {stn_slice_all(), stn_slice_strided(0, columns, to_step)};
    const stn_slice from_slices[] = {stn_slice_all(), stn_slice_strided(0, columns, from_step)};
    must(stn_view_slice(&arrays.to, &to, 2, to_slices));
    must(stn_view_slice(&arrays.from, &from, 2, from_slices));
    bench((bench_row){name, "two loops", copy_large, gaps_naive, &arrays, 1,
                      16.0 * (double)(settings.side * columns)});
    stn_view_release(&to);
    stn_view_release(&from);
}

static void bench_strided(void)
{
    const int64_t half = settings.side / 2;
    bench_gaps("gaps: every other column to every other", 2, 2, half);
    bench_gaps("gaps: every other column to a block", 1, 2, half);
    bench_gaps("gaps: a block to every other column", 2, 1, half);
    bench_gaps("gaps: block of half the columns", 1, 1, half);
    bench_gaps("gaps: one column", 1, 1, 1);
    bench_gaps("gaps: 7 columns", 1, 1, 7);
}

/* ---- loops through accessors of views ---- */

static void bench_loops(void)
{
    const int64_t extents[] = {BENCH_EDGE, BENCH_EDGE, BENCH_EDGE};
    bench_cubes both;
    if (!is_wanted("loop"))
        return;
    make(&both.from, "from", STN_F64, NULL, 3, extents);
    make(&both.to, "to", STN_F64, NULL, 3, extents);
    must(stn_view_fill(settings.exec, &both.from, 1.25));
    static const char raw[] = "raw pointers";
    bench((bench_row){"loop: sum of 200^3", raw, bench_sum_view, bench_sum_raw, &both, 3, 0});
    bench((bench_row){"loop: sum of 200^3, static", raw, bench_sum_fixed, bench_sum_raw, &both, 3,
                      0});
    bench((bench_row){"loop: 27 points", raw, bench_stencil_view, bench_stencil_raw, &both, 1, 0});
    bench((bench_row){"loop: 27 points, static", raw, bench_stencil_fixed, bench_stencil_raw, &both,
                      1, 0});
    bench((bench_row){"loop: 27 points, checked", raw, bench_stencil_checked, bench_stencil_raw,
                      &both, 1, 0});
    stn_view_release(&both.from);
    stn_view_release(&both.to);
}

/* ---- the command line ---- */

static void parse(int count, char **words)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"side", required_argument, NULL, 's'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    settings.threads = omp_get_max_threads();
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 't')
            settings.threads = atoi(optarg);
        else if (option == 'm')
            settings.bytes = (int64_t)atoi(optarg) * 1000000;
        else if (option == 's')
            settings.side = atoi(optarg);
        else if (option == 'r')
            settings.repeats = atoi(optarg);
        else if (option == 'o')
            settings.only = optarg;
        else if (option != 'j' || !(settings.json = fopen(optarg, "w")))
            fail("usage: bench_view [--only NAME] [--threads N] [--megabytes N] [--side N] "
                 "[--repeat N] [--json FILE]");
    if (settings.threads < 1 || settings.bytes < 1000000 || settings.side < 1 ||
        settings.repeats < 2 || settings.repeats > MAX_REPEATS)
        fail("threads, megabytes, side and repeats (2 to 64) must be positive");
}

int main(int count, char **words)
{
    char resource[64];
    parse(count, words);
    snprintf(resource, sizeof resource, OPENMP ":threads=%d", settings.threads);
    must(stn_exec_create(&settings.exec, resource));
    printf("%-34s %14s %14s %7s  %s\n", "", "ns", "baseline ns", "ratio", "baseline");
    bench_small();
    bench_flat();
    bench_resize();
    bench_layouts();
    bench_strided();
    bench_loops();
    stn_exec_release(settings.exec);
    if (settings.json && fclose(settings.json) != 0)
        fail("the JSON file could not be written");
    return 0;
}
