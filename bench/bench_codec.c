/* bench codec: every format, direction and instruction set, in cache and from memory.
 *
 *   bench_codec [--format F] [--threads N] [--streams N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * In cache: ns per element and bytes of codes per second of one core over tiles in L1. From memory:
 * all threads; decoding reads codes once into tiles that stay in cache, encoding reads values of
 * the arithmetic type and writes codes. `fraction` is of the best streaming loop with the same
 * reads and writes, measured between the rounds of the same run. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/openmp.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "core/modes.h"
#include "format/run.h"
#include "measure/stream.h"

/* Elements decoded at a time (more, and stores to the tiles hold up the loads), and encoded. */
enum {
    DECODED = 2 * STN_TILE_ELEMENTS,
    ENCODED = 16 * STN_TILE_ELEMENTS,
    MAX_REPEATS = 32,
    CACHE_ROUNDS = 400
};

typedef struct bench_settings {
    int threads, streams, repeats; /* streams: runs that a thread reads concurrently */
    int64_t bytes;                 /* of the codes or values that are streamed */
    stn_format only;               /* only this format; -1: all */
    FILE *json;
} bench_settings;

/* One row: a format in one direction, arithmetic and instruction set. */
typedef struct bench_row {
    stn_format_info info;
    stn_format arithmetic;
    stn_isa isa;
    int encode;
    stn_run run;
    double cache_ns, seconds[MAX_REPEATS], stream_seconds;
} bench_row;

typedef struct bench_arrays {
    char *codes, *values;
} bench_arrays;

static void fail(const char *what)
{
    fprintf(stderr, "bench_codec: %s\n", what);
    exit(1);
}

static void must(stn_status status)
{
    if (status != STN_OK)
        fail(stn_error());
}

static measure_mix mix_of(const bench_row *row)
{
    const int codes = (int)row->info.bytes, values = (int)stn_arithmetic_bytes(row->arithmetic);
    return row->encode ? (measure_mix){values, 0, codes} : (measure_mix){codes, 0, 0};
}

/* Elements of a row's run through memory: the wider side takes settings->bytes. */
static int64_t elements_of(const bench_row *row, const bench_settings *settings)
{
    const measure_mix mix = mix_of(row);
    const int widest = mix.read > mix.write ? mix.read : mix.write;
    const int64_t unit = (int64_t)ENCODED * settings->streams * settings->threads;
    return settings->bytes / widest / unit * unit;
}

static void decode_tile(const bench_row *row, void *values, const void *codes, int64_t count)
{
    const stn_run *run = &row->run;
    (row->arithmetic == STN_F64 ? run->codec->decode_f64
                                : run->codec->decode_f32)(values, codes, count, &run->affine);
}

static void encode_tile(const bench_row *row, const void *values, void *codes, int64_t count)
{
    const stn_run *run = &row->run;
    (row->arithmetic == STN_F64 ? run->codec->encode_f64
                                : run->codec->encode_f32)(codes, values, count, &run->affine);
}

static void run_cache(bench_row *row)
{
    static _Alignas(64) char codes[STN_TILE_ELEMENTS * 16], values[STN_TILE_ELEMENTS * 16];
    double best = 1.0;
    for (int r = 0; r < 15; r++) {
        const double start = measure_now();
        for (int k = 0; k < CACHE_ROUNDS; k++)
            if (row->encode)
                encode_tile(row, values, codes, STN_TILE_ELEMENTS);
            else
                decode_tile(row, values, codes, STN_TILE_ELEMENTS);
        const double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
    }
    row->cache_ns = best / CACHE_ROUNDS / STN_TILE_ELEMENTS * 1e9;
}

/* A thread's streams in turn, one chunk each. */
static void run_share(const bench_row *row, const bench_arrays *arrays,
                      const bench_settings *settings, int thread)
{
    const int64_t value_bytes = stn_arithmetic_bytes(row->arithmetic);
    const int streams = settings->streams;
    const int64_t each = elements_of(row, settings) / settings->threads / streams;
    _Alignas(64) char tiles[DECODED * 16];
    const stn_modes modes = stn_modes_enter();
    const int64_t chunk = row->encode ? ENCODED : DECODED;
    for (int64_t at = 0; at < each; at += chunk)
        for (int s = 0; s < streams; s++) {
            const int64_t k = (thread * streams + s) * each + at;
            char *codes = arrays->codes + k * row->info.bytes;
            if (row->encode)
                stn_run_encode_nontemporal(&row->run, arrays->values + k * value_bytes, codes, k,
                                           chunk);
            else
                decode_tile(row, tiles, codes, chunk);
        }
    stn_modes_leave(modes);
}

static double run_memory(const bench_row *row, const bench_arrays *arrays,
                         const bench_settings *settings)
{
    const double start = measure_now();
#pragma omp parallel num_threads(settings->threads)
    for (int t = omp_get_thread_num(); t < settings->threads; t += omp_get_num_threads())
        run_share(row, arrays, settings, t);
    return measure_now() - start;
}

static void print_row(const bench_row *row, const bench_settings *settings)
{
    double seconds[MAX_REPEATS];
    const measure_mix mix = mix_of(row);
    const int64_t elements = elements_of(row, settings);
    const double bytes = (double)elements * measure_mix_bytes(mix);
    memcpy(seconds, row->seconds, sizeof seconds);
    const double median = measure_median(seconds, settings->repeats);
    const double stream = row->stream_seconds * bytes;
    stn_format_info arithmetic = STN_FORMAT_INFO_INIT;
    must(stn_format_describe(row->arithmetic, &arithmetic));
    const char *direction = row->encode ? "encode" : "decode";
    printf("%-6s %-6s %-4s %-7s %8.3f %9.1f %8.3f %9.1f %9.1f %9.2f\n", row->info.name, direction,
           arithmetic.name, stn_isa_name(row->isa), row->cache_ns,
           (double)row->info.bytes / row->cache_ns, median / (double)elements * 1e9,
           bytes / median / 1e9, bytes / stream / 1e9, stream / median);
    if (settings->json)
        fprintf(
            settings->json,
            "{\"bench\": \"codec\", \"format\": \"%s\", \"direction\": \"%s\", \"arith\": \"%s\", "
            "\"isa\": \"%s\", \"threads\": %d, \"n\": %lld, \"cache_ns\": %.4f, "
            "\"seconds\": %.6g, \"bytes\": %.0f, \"gbps\": %.3f, \"stream_gbps\": %.3f, "
            "\"fraction\": %.4f}\n",
            row->info.name, direction, arithmetic.name, stn_isa_name(row->isa), settings->threads,
            (long long)elements, row->cache_ns, median, bytes, bytes / median / 1e9,
            bytes / stream / 1e9, stream / median);
}

/* Both instruction sets and stream in turn, round by round. */
static void bench_group(bench_row *rows, int count, const bench_arrays *arrays,
                        measure_stream *stream, const bench_settings *settings)
{
    for (int k = 0; k < count; k++)
        run_cache(&rows[k]);
    measure_stream_restart(stream);
    for (int r = 0; r < settings->repeats; r++) {
        measure_stream_round(stream, mix_of(&rows[0]));
        for (int k = 0; k < count; k++)
            rows[k].seconds[r] = run_memory(&rows[k], arrays, settings);
    }
    for (int k = 0; k < count; k++) {
        rows[k].stream_seconds = measure_stream_seconds(stream, 1.0);
        print_row(&rows[k], settings);
    }
}

static void bench_format(stn_format format, stn_format arithmetic, int encode,
                         const bench_arrays *arrays, measure_stream *stream,
                         const bench_settings *settings)
{
    static bench_row rows[STN_ISA_COUNT];
    const stn_storage storage = stn_storage_of(format);
    int count = 0;
    for (int isa = 0; isa < STN_ISA_COUNT; isa++) {
        if (!stn_isa_available((stn_isa)isa))
            continue;
        bench_row *row = &rows[count++];
        memset(row, 0, sizeof *row);
        must(stn_isa_use((stn_isa)isa));
        must(stn_format_describe(format, &row->info));
        must(stn_run_init(&row->run, arithmetic, &storage));
        row->arithmetic = arithmetic;
        row->isa = (stn_isa)isa;
        row->encode = encode;
    }
    bench_group(rows, count, arrays, stream, settings);
}

static void fill(const bench_arrays *arrays, const bench_settings *settings)
{
#pragma omp parallel for num_threads(settings->threads) schedule(static)
    for (int64_t k = 0; k < settings->bytes / 8; k++) {
        const double value = (double)(stn_random_bits(1, (uint64_t)k) >> 40) * 0x1p-20 - 8.0;
        memcpy(arrays->values + 8 * k, &value, sizeof value);
        memcpy(arrays->codes + 8 * k, &(uint64_t){0x3c3b3a3938373635u}, sizeof value);
    }
}

static bench_settings parse(int count, char **words)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"streams", required_argument, NULL, 's'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    bench_settings settings = {.threads = omp_get_max_threads(),
                               .streams = 2,
                               .repeats = 9,
                               .bytes = 256 << 20,
                               .only = -1};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 't')
            settings.threads = atoi(optarg);
        else if (option == 'm')
            settings.bytes = (int64_t)atoi(optarg) << 20;
        else if (option == 'r')
            settings.repeats = atoi(optarg);
        else if (option == 's')
            settings.streams = atoi(optarg);
        else if (option == 'f')
            must(stn_format_find(optarg, &settings.only));
        else if (option != 'j' || !(settings.json = fopen(optarg, "w")))
            fail("usage: bench_codec [--format F] [--threads N] [--streams N] [--megabytes N] "
                 "[--repeat N] [--json FILE]");
    if (settings.threads < 1 || settings.streams < 1 || settings.bytes < 1 << 20 ||
        settings.repeats < 2 || settings.repeats > MAX_REPEATS)
        fail("threads, streams, megabytes and repeats (2 to 32) must be positive");
    return settings;
}

int main(int count, char **words)
{
    bench_settings settings = parse(count, words);
    bench_arrays arrays;
    must(stn_allocate(&arrays.codes, settings.bytes, 1, "codes"));
    must(stn_allocate(&arrays.values, settings.bytes, 1, "values"));
    fill(&arrays, &settings);
    measure_stream *stream = measure_stream_create(settings.bytes, settings.threads);
    if (!stream)
        fail("no memory");
    printf("%-6s %-6s %-4s %-7s %8s %9s %8s %9s %9s %9s\n", "format", "", "", "isa", "ns/elem",
           "GB/s", "ns/elem", "GB/s", "stream", "fraction");
    printf("%33s %18s\n", "in cache", "from memory");
    for (int encode = 0; encode < 2; encode++)
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
            stn_format_info info = STN_FORMAT_INFO_INIT;
            must(stn_format_describe(format, &info));
            if (settings.only >= 0 && settings.only != format)
                continue;
            if (info.kind == STN_CLASS_COMPLEX)
                continue; /* equals the codec of its component with twice the number of elements */
            bench_format(format, STN_F64, encode, &arrays, stream, &settings);
            bench_format(format, STN_F32, encode, &arrays, stream, &settings);
        }
    if (settings.json && fclose(settings.json) != 0)
        fail("the JSON file could not be written");
    measure_stream_release(stream);
    stn_free(arrays.codes);
    stn_free(arrays.values);
    return 0;
}
