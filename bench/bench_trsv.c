/* bench trsv: triangular systems of every real format, as a fraction of streaming the triangle, and
 * compared with OpenBLAS if it is installed and supports the format.
 *
 *   bench_trsv [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * The matrix has contiguous rows and is the largest that fits into N megabytes of f64. Arithmetic
 * is f64; f32 is also solved in f32. All solves alternate. fraction: the time in which the best
 * plain loop reads the bytes of the triangle, divided by the time of the solve. OpenBLAS: its time
 * divided by Steno's, median of the rounds. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "steno/blas.h"

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, UPPER = 121, LOWER = 122, NON_UNIT = 131 };
typedef void trsv_of(int order, int triangle, int transpose, int diagonal, int n, const void *a,
                     int leading, void *x, int step);

typedef struct peer {
    trsv_of *f64, *f32;
} peer;

static const bench_frame *frame;

static peer find_peer(void)
{
    peer found = {NULL, NULL};
    void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return found;
    void (*set_threads)(int) = NULL;
    *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
    if (!set_threads)
        return found;
    set_threads(frame->threads);
    *(void **)&found.f64 = dlsym(library, "cblas_dtrsv");
    *(void **)&found.f32 = dlsym(library, "cblas_strsv");
    return found;
}

/* ---- one row ---- */

typedef struct one_row {
    stn_format format, arithmetic;
    stn_triangle triangle;
    int64_t n;
    stn_view a, x;
    trsv_of *other;
} one_row;

/* Unit diagonal; small values of both signs elsewhere, which every format represents. */
static void make(one_row *r)
{
    const int64_t square[] = {r->n, r->n};
    bench_must(stn_view_create(frame->exec, &r->a, "a", stn_storage_of(r->format), 2, square));
    bench_must(stn_view_create(frame->exec, &r->x, "x", stn_storage_of(r->arithmetic), 1, &r->n));
    for (int64_t k = 0; k < r->n; k++) {
        const int64_t near[] = {k, (k * 7919 + 13) % r->n}, own[] = {k, k};
        bench_must(stn_view_set(&r->a, 2, near, k % 2 ? 0.25 : 1.0));
        bench_must(stn_view_set(&r->a, 2, own, 1.0));
    }
}

static double run(const one_row *r)
{
    bench_must(stn_view_fill(frame->exec, &r->x, 1.0));
    const double begin = measure_now();
    bench_must(stn_trsv(frame->exec, r->arithmetic, r->triangle, STN_DIAGONAL_NON_UNIT,
                        STN_NO_CONJUGATE, &r->a, &r->x));
    return measure_now() - begin;
}

static double run_other(const one_row *r)
{
    bench_must(stn_view_fill(frame->exec, &r->x, 1.0));
    const double begin = measure_now();
    r->other(ROW_MAJOR, r->triangle == STN_UPPER ? UPPER : LOWER, NO_TRANSPOSE, NON_UNIT, (int)r->n,
             r->a.data, (int)r->n, r->x.data, 1);
    return measure_now() - begin;
}

static void bench_row(one_row *r, const char *name)
{
    double ours[BENCH_MOST_REPEATS], ratio[BENCH_MOST_REPEATS];
    const double bytes = (double)r->n * (double)r->n / 2 * (double)bench_described(r->format).bytes;
    make(r);
    measure_stream_restart(frame->stream);
    for (int k = -1; k < frame->repeats; k++) {
        const double seconds = run(r), other = r->other ? run_other(r) : 0.0;
        measure_stream_round(frame->stream, (measure_mix){.read = 8});
        if (k < 0)
            continue;
        ours[k] = seconds;
        ratio[k] = other / seconds;
    }
    const double seconds = measure_median(ours, frame->repeats);
    const double fraction = measure_stream_seconds(frame->stream, bytes) / seconds;
    const double peer_ratio = measure_median(ratio, frame->repeats);
    const char *const triangle = r->triangle == STN_UPPER ? "upper" : "lower";
    char words[32] = "-";
    if (r->other)
        snprintf(words, sizeof words, "%.2f", peer_ratio);
    printf("| %-6s | %-3s | %s | %9.3f | %8.2f | %8s |\n", name,
           r->arithmetic == STN_F32 ? "f32" : "f64", triangle, 1e3 * seconds, fraction, words);
    if (frame->json)
        fprintf(frame->json,
                "{\"bench\":\"trsv\",\"format\":\"%s\",\"arithmetic\":\"%s\",\"triangle\":\"%s\","
                "\"n\":%lld,\"threads\":%d,\"seconds\":%.9g,\"fraction\":%.4f,\"openblas\":%.4f}\n",
                name, r->arithmetic == STN_F32 ? "f32" : "f64", triangle, (long long)r->n,
                frame->threads, seconds, fraction, r->other ? peer_ratio : 0.0);
    bench_must(stn_view_release(&r->a));
    bench_must(stn_view_release(&r->x));
}

int main(int count, char **words)
{
    bench_frame own = bench_begin(count, words);
    frame = &own;
    const peer other = find_peer();
    const int64_t n = (int64_t)sqrt((double)frame->bytes / 8) / 128 * 128;
    printf("%d threads, %lld rows\n\n", frame->threads, (long long)n);
    puts("| format | in  | triangle | ms | fraction | OpenBLAS |\n"
         "|--------|-----|-------|----------:|---------:|---------:|");
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4; k++) {
            const stn_format_info info = bench_described(format);
            one_row r = {.format = format,
                         .arithmetic = k / 2 ? STN_F32 : STN_F64,
                         .triangle = k % 2 ? STN_UPPER : STN_LOWER,
                         .n = n};
            if (info.kind == STN_CLASS_COMPLEX || (k / 2 && format != STN_F32))
                continue;
            r.other = format != r.arithmetic ? NULL : format == STN_F64 ? other.f64 : other.f32;
            bench_row(&r, info.name);
        }
    bench_end(&own);
    return 0;
}
