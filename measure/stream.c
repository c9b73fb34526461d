/* Streaming loops in several variants, of which the fastest counts. */
#define _GNU_SOURCE
#include "measure/stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    LINE = 64,
    STEP = 4 * LINE,       /* elements per step of a stream */
    AHEAD = 512,           /* prefetch distance in bytes */
    WIDTHS = 5,            /* 1, 2, 4, 8, 16 streams */
    WAYS = WIDTHS * 2 * 2, /* times prefetch, times non-temporal stores */
    MAX_ROUNDS = 64,
    HUGE_PAGE = 2 << 20
};

typedef uint64_t line __attribute__((vector_size(LINE)));

struct measure_stream {
    char *memory;
    int64_t bytes;
    int threads;
    int rounds[WAYS];
    double seconds_per_byte[WAYS][MAX_ROUNDS];
};

double measure_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure_median(double *values, int count)
{
    if (count == 0)
        return 0.0;
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

measure_stream *measure_stream_create(int64_t bytes, int threads)
{
    measure_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->bytes = (bytes < (1 << 20) ? 1 << 20 : bytes) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE;
    stream->threads = threads;
    stream->memory = aligned_alloc(HUGE_PAGE, (size_t)stream->bytes);
    if (!stream->memory) {
        free(stream);
        return NULL;
    }
    (void)madvise(stream->memory, (size_t)stream->bytes, MADV_HUGEPAGE);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t at = 0; at < stream->bytes; at += LINE)
        memset(stream->memory + at, 0, LINE);
    return stream;
}

void measure_stream_release(measure_stream *stream)
{
    if (stream)
        free(stream->memory);
    free(stream);
}

static inline void put(char *at, const line *value, int past)
{
    if (!past) {
        *(line *)at = *value;
        return;
    }
#if defined(__x86_64__)
    for (int k = 0; k < LINE / 8; k++)
        __builtin_ia32_movnti64((long long *)at + k, (long long)(*value)[k]);
#else
    *(line *)at = *value;
#endif
}

#if defined(__x86_64__)
#    define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define WIDEST __attribute__((noinline))
#endif

WIDEST static uint64_t read_lines(const char *at, int64_t lines, int prefetch)
{
    line a = {0}, b = {0};
    for (int64_t k = 0; k < lines; k += 2) { /* a step has lines by four */
        if (prefetch) {
            __builtin_prefetch(at + k * LINE + AHEAD);
            __builtin_prefetch(at + k * LINE + LINE + AHEAD);
        }
        a += *(const line *)(at + k * LINE);
        b += *(const line *)(at + k * LINE + LINE);
    }
    a += b;
    return a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
}

WIDEST static void update_lines(char *at, int64_t lines, uint64_t value, int prefetch)
{
    for (int64_t k = 0; k < lines; k++) {
        if (prefetch)
            __builtin_prefetch(at + k * LINE + AHEAD, 1);
        *(line *)(at + k * LINE) += value;
    }
}

WIDEST static void write_lines(char *at, int64_t lines, uint64_t value, int past)
{
    const line all = {value, value, value, value, value, value, value, value};
    for (int64_t k = 0; k < lines; k++)
        put(at + k * LINE, &all, past);
}

/* Number of elements of a mix that fit into the memory, in complete steps for every stream of every
 * thread. */
static int64_t elements_of(const measure_stream *stream, measure_mix mix, int streams)
{
    const int64_t unit = (int64_t)STEP * streams * stream->threads;
    return stream->bytes / (mix.read + mix.update + mix.write) / unit * unit;
}

/* One thread's share of a round: one step of each stream in turn. */
static uint64_t walk(const measure_stream *stream, measure_mix mix, int streams, int prefetch,
                     int past, int thread)
{
    const int64_t all = elements_of(stream, mix, streams);
    const int64_t each = all / stream->threads / streams;
    const int64_t start = all / stream->threads * thread;
    char *read = stream->memory, *update = read + all * mix.read,
         *write = update + all * mix.update;
    uint64_t sum = 0;
    for (int64_t at = 0; at < each; at += STEP)
        for (int s = 0; s < streams; s++) {
            const int64_t element = start + s * each + at;
            if (mix.read)
                sum += read_lines(read + element * mix.read, STEP / LINE * mix.read, prefetch);
            if (mix.update)
                update_lines(update + element * mix.update, STEP / LINE * mix.update, sum,
                             prefetch);
            if (mix.write)
                write_lines(write + element * mix.write, STEP / LINE * mix.write, sum, past);
        }
    return sum;
}

/* Seconds per byte; 0 if there is no data. */
static double run_way(measure_stream *stream, measure_mix mix, int way)
{
    const int streams = 1 << way / 4, prefetch = way & 1, past = way >> 1 & 1;
    const int64_t all = elements_of(stream, mix, streams);
    if ((past && !mix.write) || all == 0)
        return 0.0;
    uint64_t sum = 0;
    const double start = measure_now();
#pragma omp parallel for num_threads(stream->threads) schedule(static, 1) reduction(+ : sum)
    for (int t = 0; t < stream->threads; t++)
        sum += walk(stream, mix, streams, prefetch, past, t);
    const double seconds = measure_now() - start;
    __asm__ volatile("" : : "r"(sum));
    const double each = seconds / ((double)all * measure_mix_bytes(mix));
    stream->seconds_per_byte[way][stream->rounds[way]++ % MAX_ROUNDS] = each;
    return each;
}

/* Number of rounds that are remembered. */
static int rounds_of(const measure_stream *stream, int way)
{
    return stream->rounds[way] < MAX_ROUNDS ? stream->rounds[way] : MAX_ROUNDS;
}

/* Variants that are clearly slower after two rounds are dropped to save time. */
static int in_the_running(const measure_stream *stream, int way)
{
    double least = 1.0;
    if (stream->rounds[way] < 2)
        return 1;
    for (int k = 0; k < WAYS; k++)
        for (int r = 0; r < rounds_of(stream, k); r++)
            if (stream->seconds_per_byte[k][r] < least)
                least = stream->seconds_per_byte[k][r];
    for (int r = 0; r < rounds_of(stream, way); r++)
        if (stream->seconds_per_byte[way][r] < 1.25 * least)
            return 1;
    return 0;
}

double measure_stream_round(measure_stream *stream, measure_mix mix)
{
    double least = 1.0;
    for (int way = 0; way < WAYS; way++)
        if (in_the_running(stream, way)) {
            const double seconds = run_way(stream, mix, way);
            least = seconds > 0.0 && seconds < least ? seconds : least;
        }
    return least;
}

double measure_stream_seconds(const measure_stream *stream, double bytes)
{
    double least = 0.0;
    for (int way = 0; way < WAYS; way++) {
        double rounds[MAX_ROUNDS];
        memcpy(rounds, stream->seconds_per_byte[way], sizeof rounds);
        const double median = measure_median(rounds, rounds_of(stream, way));
        if (stream->rounds[way] >= 2 && (least == 0.0 || median < least))
            least = median;
    }
    return least * bytes;
}

void measure_stream_restart(measure_stream *stream)
{
    memset(stream->rounds, 0, sizeof stream->rounds);
}
