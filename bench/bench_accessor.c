/* bench accessor: runs read and written through accessors, compared with the library's tile codecs.
 *
 *   bench_accessor [--megabytes N] [--repeat N] [--json FILE]
 *
 * One thread. In cache: ns per element over tiles in L1, element by element (NAME_get, NAME_set),
 * as a run (NAME_load, NAME_store) and by the tile codec. From memory: the run and the tile codec
 * in turn over the same codes, which tiles in cache are decoded from or encoded to; `fraction` is
 * of the best streaming loop with the same bytes, `ratio` the run's time over the tile codec's. The
 * accessors are compiled for this machine, for which the tile codecs are selected as well. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "core/modes.h"
#include "format/run.h"
#include "measure/stream.h"
#include "steno/accessor.h"

#ifdef __clang__
#    define COMPILER "clang " __clang_version__
#else
#    define COMPILER "gcc " __VERSION__
#endif

enum { ELEMENTS = 256, MAX_REPEATS = 32, CACHE_ROUNDS = 400 };

typedef void pass(void *codes, void *values, int64_t count);

/* Passes of one accessor in both directions. */
typedef struct bench_way {
    stn_format format, arithmetic;
    const char *name;
    pass *element[2], *run[2]; /* reading, writing */
} bench_way;

typedef struct bench_settings {
    int repeats;
    int64_t bytes;
    FILE *json;
} bench_settings;

#define WAYS(real, format)                                                                         \
    STN_ACCESSOR_OF(real##_##format, 1, real, format, stn_right)                                   \
    static void real##_##format##_gets(void *codes, void *values, int64_t count)                   \
    {                                                                                              \
        const real##_##format x = real##_##format##_dense(codes, count);                           \
        for (int64_t k = 0; k < count; k++)                                                        \
            ((stn_##real *)values)[k] = real##_##format##_get(x, k);                               \
    }                                                                                              \
    static void real##_##format##_sets(void *codes, void *values, int64_t count)                   \
    {                                                                                              \
        const real##_##format x = real##_##format##_dense(codes, count);                           \
        for (int64_t k = 0; k < count; k++)                                                        \
            real##_##format##_set(x, k, ((const stn_##real *)values)[k]);                          \
    }                                                                                              \
    static void real##_##format##_loads(void *codes, void *values, int64_t count)                  \
    {                                                                                              \
        real##_##format##_load(real##_##format##_dense(codes, count), 0, count, values);           \
    }                                                                                              \
    static void real##_##format##_stores(void *codes, void *values, int64_t count)                 \
    {                                                                                              \
        real##_##format##_store(real##_##format##_dense(codes, count), 0, count, values);          \
    }
#define ENTRY(real, REAL, NAME, name)                                                              \
    {STN_##NAME,                                                                                   \
     STN_##REAL,                                                                                   \
     #name,                                                                                        \
     {real##_##name##_gets, real##_##name##_sets},                                                 \
     {real##_##name##_loads, real##_##name##_stores}},
#define WAYS_ROW(id, NAME, name, ...)  WAYS(f64, name) WAYS(f32, name)
#define ENTRY_ROW(id, NAME, name, ...) ENTRY(f64, F64, NAME, name) ENTRY(f32, F32, NAME, name)
#define NO_ROW(...)

STN_FORMAT_TABLE(WAYS_ROW, WAYS_ROW, NO_ROW)
static const bench_way ways[] = {STN_FORMAT_TABLE(ENTRY_ROW, ENTRY_ROW, NO_ROW)};

static void fail(const char *what)
{
    fprintf(stderr, "bench_accessor: %s\n", what);
    exit(1);
}

static stn_run tile_run; /* of the way that is measured */

static void tile_decodes(void *codes, void *values, int64_t count)
{
    (tile_run.arithmetic == STN_F64 ? tile_run.codec->decode_f64 : tile_run.codec->decode_f32)(
        values, codes, count, &tile_run.affine);
}

static void tile_encodes(void *codes, void *values, int64_t count)
{
    (tile_run.arithmetic == STN_F64 ? tile_run.codec->encode_f64 : tile_run.codec->encode_f32)(
        codes, values, count, &tile_run.affine);
}

static double cache_ns(pass *function)
{
    static _Alignas(64) char codes[ELEMENTS * 8], values[ELEMENTS * 8];
    double best = 1.0;
    for (int r = 0; r < 15; r++) {
        const double start = measure_now();
        for (int k = 0; k < CACHE_ROUNDS; k++) {
            function(codes, values, ELEMENTS);
            __asm__ volatile("" : : "r"(codes), "r"(values) : "memory");
        }
        const double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
    }
    return best / CACHE_ROUNDS / ELEMENTS * 1e9;
}

static double memory_seconds(pass *function, char *codes, int64_t code_bytes, int64_t count)
{
    static _Alignas(64) char values[ELEMENTS * 8];
    const double start = measure_now();
    for (int64_t k = 0; k < count; k += ELEMENTS)
        function(codes + k * code_bytes, values, ELEMENTS);
    return measure_now() - start;
}

static void bench(const bench_way *way, int writes, char *codes, measure_stream *stream,
                  const bench_settings *settings)
{
    const stn_storage storage = stn_storage_of(way->format);
    stn_format_info info = STN_FORMAT_INFO_INIT, arithmetic = STN_FORMAT_INFO_INIT;
    if (stn_run_init(&tile_run, way->arithmetic, &storage) ||
        stn_format_describe(way->format, &info) ||
        stn_format_describe(way->arithmetic, &arithmetic))
        fail(stn_error());
    pass *const tile = writes ? tile_encodes : tile_decodes;
    const int64_t count = settings->bytes / info.bytes / ELEMENTS * ELEMENTS;
    const measure_mix mix = {writes ? 0 : (int)info.bytes, 0, writes ? (int)info.bytes : 0};
    double run_seconds[MAX_REPEATS], tile_seconds[MAX_REPEATS];

    measure_stream_restart(stream);
    for (int r = 0; r < settings->repeats; r++) {
        measure_stream_round(stream, mix);
        run_seconds[r] = memory_seconds(way->run[writes], codes, info.bytes, count);
        tile_seconds[r] = memory_seconds(tile, codes, info.bytes, count);
    }
    const double element = cache_ns(way->element[writes]), run = cache_ns(way->run[writes]);
    const double by_tile = cache_ns(tile);
    const double run_median = measure_median(run_seconds, settings->repeats);
    const double tile_median = measure_median(tile_seconds, settings->repeats);
    const double streamed = measure_stream_seconds(stream, (double)count * (double)info.bytes);
    const char *direction = writes ? "write" : "read";
    printf("%-5s %-5s %-4s %8.3f %8.3f %8.3f %8.2f %9.2f %8.2f\n", way->name, direction,
           arithmetic.name, element, run, by_tile, run / by_tile, streamed / run_median,
           run_median / tile_median);
    if (settings->json)
        fprintf(settings->json,
                "{\"bench\": \"accessor\", \"format\": \"%s\", \"direction\": \"%s\", "
                "\"arith\": \"%s\", \"compiler\": \"%s\", \"n\": %lld, \"element_ns\": %.4f, "
                "\"run_ns\": %.4f, "
                "\"tile_ns\": %.4f, \"fraction\": %.4f, \"ratio\": %.4f}\n",
                way->name, direction, arithmetic.name, COMPILER, (long long)count, element, run,
                by_tile, streamed / run_median, run_median / tile_median);
}

static bench_settings parse(int count, char **words)
{
    static const struct option options[] = {{"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    bench_settings settings = {.repeats = 7, .bytes = 128 << 20};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 'm')
            settings.bytes = (int64_t)atoi(optarg) << 20;
        else if (option == 'r')
            settings.repeats = atoi(optarg);
        else if (option != 'j' || !(settings.json = fopen(optarg, "w")))
            fail("usage: bench_accessor [--megabytes N] [--repeat N] [--json FILE]");
    if (settings.bytes < 1 << 20 || settings.repeats < 2 || settings.repeats > MAX_REPEATS)
        fail("megabytes and repeats (2 to 32) must be positive");
    return settings;
}

int main(int count, char **words)
{
    bench_settings settings = parse(count, words);
    void *codes;
    if (stn_allocate(&codes, settings.bytes, 1, "codes"))
        fail(stn_error());
    memset(codes, 0x31, (size_t)settings.bytes);
    measure_stream *stream = measure_stream_create(settings.bytes, 1);
    if (!stream)
        fail("no memory");
    const stn_modes modes = stn_modes_enter();
    printf("%-15s %35s %18s\n", "", "in cache, ns per element", "from memory");
    printf("%-5s %-5s %-4s %8s %8s %8s %8s %9s %8s\n", "", "", "", "element", "run", "tile",
           "ratio", "fraction", "ratio");
    for (int writes = 0; writes < 2; writes++)
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
            bench(&ways[k], writes, codes, stream, &settings);
    stn_modes_leave(modes);
    if (settings.json && fclose(settings.json) != 0)
        fail("the JSON file could not be written");
    measure_stream_release(stream);
    stn_free(codes);
    return 0;
}
