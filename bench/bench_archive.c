/* bench archive: speed of archives, next to the libraries of their codecs and memcpy on one core.
 *
 *   bench_archive [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *                 [smooth|heat|waves|fluid|MATRIX.mtx]...
 *
 * Fields of f64 with three dimensions, or the values of matrices, are compressed (default: smooth;
 * bench/archive_fields.h). `encode` and `decode` are GB of field
 * per second by stn_archive_write and stn_archive_read; `library` is the same for the functions of
 * the library alone on the same blocks (zfp: on the whole field), in alternating rounds; `share` is
 * decode / library. `sum` is the speed of stn_sum through a view, and `random` the time of an
 * element at a random position through a view, with the default cache. The fastest round counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "archive_fields.h"
#include "codec/archive.h"
#include "frame.h"
#include "steno/archive.h"
#include "steno/array_functions.h"

#if STN_HAVE_ZSTD
#    include <zstd.h>
#endif
#if STN_HAVE_ZLIB
#    include <zlib.h>
#endif
#if STN_HAVE_LZ4
#    include <lz4.h>
#endif
#if STN_HAVE_BLOSC
#    include <blosc.h>
#endif
#if STN_HAVE_ZFP
#    include <zfp.h>
#endif

enum { RANDOM_READS = 20000 };

static const char *const codecs[] = {"none",
                                     "lz4",
                                     "zstd:level=1",
                                     "zstd",
                                     "zlib",
                                     "lzw",
                                     "blosc",
                                     "shuffle+lz4",
                                     "shuffle+zstd",
                                     "bitshuffle+lz4",
                                     "zfp",
                                     "zfp:rate=16",
                                     "zfp:rate=8",
                                     "zfp:accuracy=1e-6",
                                     "zfp:accuracy=1e-3",
                                     "sz:error=1e-6",
                                     "sz:error=1e-3"};

/* The field, and compressed blocks of the library. */
typedef struct bench_field {
    const char *name;
    int rank;
    int64_t extent[3], count;
    double *values, *decoded;
    char *packed; /* as large as the field, and some more per block */
    int64_t block;
    size_t *length;
} bench_field;

typedef struct bench_result {
    double encode, decode, library, sum, random, ratio, error;
} bench_result;

static double gbps(const bench_field *f, double seconds)
{
    return (double)f->count * 8 / seconds * 1e-9;
}

/* ---- the libraries alone ---- */

#if STN_HAVE_ZFP
static double run_zfp(bench_field *f, const char *codec, int decodes)
{
    void *const values = decodes ? f->decoded : f->values;
    const size_t n = (size_t)f->extent[0];
    zfp_field *const field = f->rank == 1 ? zfp_field_1d(values, zfp_type_double, n)
                                          : zfp_field_3d(values, zfp_type_double, n, n, n);
    bitstream *const bits = stream_open(f->packed, (size_t)f->count * 10 + 4096);
    zfp_stream *const stream = zfp_stream_open(bits);
    if (strstr(codec, "rate="))
        zfp_stream_set_rate(stream, atof(strstr(codec, "=") + 1), zfp_type_double, (uint)f->rank,
                            0);
    else if (strstr(codec, "accuracy="))
        zfp_stream_set_accuracy(stream, atof(strstr(codec, "=") + 1));
    else
        zfp_stream_set_reversible(stream);
    const double begin = measure_now();
    const size_t done = decodes ? zfp_decompress(stream, field) : zfp_compress(stream, field);
    const double seconds = measure_now() - begin;
    if (done == 0)
        bench_fail("zfp failed");
    zfp_stream_close(stream);
    stream_close(bits);
    zfp_field_free(field);
    return seconds;
}
#endif

typedef size_t pack_block(char *to, size_t capacity, const void *from, size_t bytes, int level,
                          int decodes);

#if STN_HAVE_ZSTD
static size_t pack_zstd(char *to, size_t capacity, const void *from, size_t bytes, int level,
                        int decodes)
{
    static ZSTD_DCtx *decoder;
    static ZSTD_CCtx *encoder;
    if (!decoder && (!(decoder = ZSTD_createDCtx()) || !(encoder = ZSTD_createCCtx())))
        return 0;
    return decodes ? ZSTD_decompressDCtx(decoder, to, capacity, from, bytes)
                   : ZSTD_compressCCtx(encoder, to, capacity, from, bytes, level);
}
#endif
#if STN_HAVE_ZLIB
static size_t pack_zlib(char *to, size_t capacity, const void *from, size_t bytes, int level,
                        int decodes)
{
    (void)level;
    uLongf length = capacity;
    const int status = decodes ? uncompress((Bytef *)to, &length, from, bytes)
                               : compress2((Bytef *)to, &length, from, bytes, 6);
    return status == Z_OK ? length : 0;
}
#endif
#if STN_HAVE_LZ4
static size_t pack_lz4(char *to, size_t capacity, const void *from, size_t bytes, int level,
                       int decodes)
{
    (void)level;
    return (size_t)(decodes ? LZ4_decompress_safe(from, to, (int)bytes, (int)capacity)
                            : LZ4_compress_default(from, to, (int)bytes, (int)capacity));
}
#endif
#if STN_HAVE_BLOSC
static size_t pack_blosc(char *to, size_t capacity, const void *from, size_t bytes, int level,
                         int decodes)
{
    (void)level;
    return (size_t)(decodes ? blosc_decompress_ctx(from, to, capacity, 1)
                            : blosc_compress_ctx(5, BLOSC_SHUFFLE, 8, bytes, from, to, capacity,
                                                 BLOSC_BLOSCLZ_COMPNAME, 0, 1));
}
#endif

static size_t copy(char *to, size_t capacity, const void *from, size_t bytes, int level,
                   int decodes)
{
    (void)level, (void)capacity, (void)decodes;
    memcpy(to, from, bytes);
    return bytes;
}

static pack_block *function_of(const char *codec)
{
    if (strcmp(codec, "none") == 0)
        return copy;
#if STN_HAVE_ZSTD
    if (strncmp(codec, "zstd", 4) == 0)
        return pack_zstd;
#endif
#if STN_HAVE_ZLIB
    if (strncmp(codec, "zlib", 4) == 0)
        return pack_zlib;
#endif
#if STN_HAVE_LZ4
    if (strncmp(codec, "lz4", 3) == 0)
        return pack_lz4;
#endif
#if STN_HAVE_BLOSC
    if (strncmp(codec, "blosc", 5) == 0)
        return pack_blosc;
#endif
    return NULL;
}

/* Seconds for all blocks. */
static double run_blocks(bench_field *f, pack_block *pack, int level, int decodes)
{
    const double begin = measure_now();
    const size_t bytes = (size_t)f->block * 8;
    for (int64_t k = 0; k * f->block < f->count; k++) {
        const int64_t first = k * f->block, left = f->count - first;
        const size_t these = left < f->block ? (size_t)left * 8 : bytes;
        char *const packed = f->packed + k * ((int64_t)bytes + 1024);
        if (decodes)
            pack((char *)(f->decoded + first), these, packed, f->length[k], level, 1);
        else
            f->length[k] =
                pack(packed, bytes + 1024, (const char *)(f->values + first), these, level, 0);
    }
    return measure_now() - begin;
}

static double run_library(bench_field *f, const char *codec, int decodes)
{
#if STN_HAVE_ZFP
    if (strncmp(codec, "zfp", 3) == 0)
        return run_zfp(f, codec, decodes);
#endif
    pack_block *const pack = function_of(codec);
    const int level = strstr(codec, "level=1") ? 1 : 3;
    return pack ? run_blocks(f, pack, level, decodes) : (double)NAN;
}

/* ---- archives ---- */

static double timed_read(const bench_frame *frame, stn_archive *archive, const stn_view *to)
{
    const double begin = measure_now();
    bench_must(stn_archive_read(frame->exec, to, archive, NULL));
    return measure_now() - begin;
}

static double timed_sum(const bench_frame *frame, const stn_view *view)
{
    double sum;
    const double begin = measure_now();
    bench_must(stn_sum(frame->exec, STN_F64, &sum, view));
    return measure_now() - begin;
}

static double timed_random(const bench_field *f, const stn_view *view)
{
    uint64_t state = 1;
    double value;
    const double begin = measure_now();
    for (int k = 0; k < RANDOM_READS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int64_t at = (int64_t)(state >> 20) % f->count, n = f->extent[f->rank - 1];
        const int64_t cube[3] = {at / n / n, at / n % n, at % n};
        bench_must(stn_view_get(view, f->rank, f->rank == 1 ? &at : cube, &value));
    }
    return (measure_now() - begin) / RANDOM_READS;
}

static void keep_less(double *best, double seconds)
{
    *best = seconds < *best || *best == 0.0 ? seconds : *best;
}

static bench_result measure(const bench_frame *frame, bench_field *f, const char *codec,
                            stn_archive *archive)
{
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    bench_result best = {0};
    stn_view from, to, view;
    bench_must(
        stn_view_wrap(&from, "field", stn_storage_of(STN_F64), f->values, f->rank, f->extent));
    bench_must(
        stn_view_wrap(&to, "decoded", stn_storage_of(STN_F64), f->decoded, f->rank, f->extent));
    const double begin = measure_now();
    bench_must(stn_archive_write(frame->exec, archive, &from, NULL));
    best.encode = measure_now() - begin;
    bench_must(stn_archive_describe(archive, &info));
    best.ratio = info.ratio;
    bench_must(stn_archive_view(&view, archive));
    f->block = archive->cells.count;
    (void)run_library(f, codec, 0);
    for (int r = 0; r < frame->repeats; r++) {
        keep_less(&best.library, run_library(f, codec, 1));
        keep_less(&best.decode, timed_read(frame, archive, &to));
    }
    for (int64_t k = 0; k < f->count; k++)
        best.error = fmax(best.error, fabs(f->values[k] - f->decoded[k]));
    keep_less(&best.sum, timed_sum(frame, &view));
    keep_less(&best.sum, timed_sum(frame, &view));
    best.random = timed_random(f, &view);
    bench_must(stn_view_release(&view));
    return best;
}

static void report(const bench_frame *frame, const bench_field *f, const char *codec,
                   const bench_result *r)
{
    const double library = gbps(f, r->library), decode = gbps(f, r->decode);
    printf("%-18s %7.2f %9.2g %9.3f %9.3f %9.3f %7.2f %9.3f %9.0f\n", codec, r->ratio, r->error,
           gbps(f, r->encode), decode, library, decode / library, gbps(f, r->sum), r->random * 1e9);
    if (frame->json)
        fprintf(frame->json,
                "{\"bench\": \"archive\", \"data\": \"%s\", \"codec\": \"%s\", \"ratio\": %.4g, "
                "\"error\": %.3g, "
                "\"encode_gbps\": %.4g, \"decode_gbps\": %.4g, \"library_gbps\": %.4g, "
                "\"sum_gbps\": %.4g, \"random_ns\": %.4g}\n",
                f->name, codec, r->ratio, r->error, gbps(f, r->encode), decode,
                isnan(library) ? 0.0 : library, gbps(f, r->sum), r->random * 1e9);
}

static void bench_codecs(const bench_frame *frame, bench_field *f)
{
    for (size_t k = 0; k < sizeof codecs / sizeof *codecs; k++) {
        const stn_archive_options options = STN_INIT(stn_archive_options, .codec = codecs[k]);
        stn_archive *archive;
        if (stn_archive_create(&archive, STN_F64, f->rank, f->extent, &options) ==
            STN_ERR_UNSUPPORTED)
            continue;
        const bench_result result = measure(frame, f, codecs[k], archive);
        report(frame, f, codecs[k], &result);
        stn_archive_release(archive);
    }
}

static void bench_data(const bench_frame *frame, const char *name)
{
    const bench_array data = bench_array_of(frame->exec, name, frame->bytes);
    const char *const slash = strrchr(name, '/');
    bench_field f = {.name = slash ? slash + 1 : name,
                     .rank = data.rank,
                     .count = data.count,
                     .values = data.values};
    memcpy(f.extent, data.extent, sizeof f.extent);
    f.decoded = bench_allocate(f.count, 8);
    f.packed = bench_allocate(2 * f.count + 65536, 8);
    f.length = bench_allocate(f.count, sizeof *f.length);
    printf("%s: %lld", f.name, (long long)f.extent[0]);
    for (int d = 1; d < f.rank; d++)
        printf(" x %lld", (long long)f.extent[d]);
    printf(" f64, %d thread%s\n\n", stn_exec_threads(frame->exec),
           stn_exec_threads(frame->exec) == 1 ? "" : "s");
    printf("%-18s %7s %9s %9s %9s %9s %7s %9s %9s\n", "codec", "ratio", "error", "encode", "decode",
           "library", "share", "sum", "random");
    printf("%-18s %7s %9s %9s %9s %9s %7s %9s %9s\n", "", "", "", "GB/s", "GB/s", "GB/s", "",
           "GB/s", "ns");
    bench_codecs(frame, &f);
    printf("\n");
    free(f.values);
    free(f.decoded);
    free(f.packed);
    free(f.length);
}

int main(int count, char **words)
{
    int options = count;
    while (options > 1 && words[options - 1][0] != '-' &&
           (options == 2 || strncmp(words[options - 2], "--", 2) != 0))
        options--;
    bench_frame frame = bench_begin(options, words);
    for (int k = options; k < count; k++)
        bench_data(&frame, words[k]);
    if (options == count)
        bench_data(&frame, "smooth");
    bench_end(&frame);
    return 0;
}
