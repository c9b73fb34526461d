/* Codecs of bytes: zstd, zlib, LZ4 and c-blosc, each if its library was present at build time; and
 * blocks stored unchanged. */
#include <stdlib.h>
#include <string.h>

#include "codec/packer.h"

#if STN_HAVE_ZSTD || STN_HAVE_ZLIB
static const char wrong_length[] = "it decodes to another number of bytes";
#endif

/* ---- none: the archive stores unchanged elements ---- */

static int64_t keep(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                    const void *values, uint8_t *bytes, int64_t capacity)
{
    (void)packer, (void)state, (void)cells, (void)values, (void)bytes, (void)capacity;
    return 0;
}

static const char *refuse(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                          const uint8_t *bytes, int64_t length, void *values)
{
    (void)packer, (void)state, (void)cells, (void)bytes, (void)length, (void)values;
    return "its method is not that of an archive without compression";
}

const stn_packer_row stn_packer_none = {
    .name = "none", .library = "Steno", .parameters = "", .encode = keep, .decode = refuse};

/* ---- zstd ---- */

#if STN_HAVE_ZSTD
#    include <zstd.h>
#    include <zstd_errors.h>

static int64_t encode_zstd(const stn_packer *packer, stn_packer_state *state,
                           const stn_cells *cells, const void *values, uint8_t *bytes,
                           int64_t capacity)
{
    if (!state->encoder && !(state->encoder = ZSTD_createCCtx()))
        return -1;
    const int level = (int)stn_packer_value(packer, 0, 3);
    const size_t length = ZSTD_compressCCtx(state->encoder, bytes, (size_t)capacity, values,
                                            (size_t)stn_cells_bytes(cells), level);
    if (ZSTD_isError(length))
        return ZSTD_getErrorCode(length) == ZSTD_error_memory_allocation ? -1 : 0;
    return (int64_t)length;
}

static const char *decode_zstd(const stn_packer *packer, stn_packer_state *state,
                               const stn_cells *cells, const uint8_t *bytes, int64_t length,
                               void *values)
{
    (void)packer;
    if (!state->decoder && !(state->decoder = ZSTD_createDCtx()))
        return "there is no memory for zstd";
    const size_t decoded = ZSTD_decompressDCtx(
        state->decoder, values, (size_t)stn_cells_bytes(cells), bytes, (size_t)length);
    if (ZSTD_isError(decoded))
        return ZSTD_getErrorName(decoded);
    return decoded == (size_t)stn_cells_bytes(cells) ? NULL : wrong_length;
}

static void close_zstd(stn_packer_state *state)
{
    ZSTD_freeCCtx(state->encoder);
    ZSTD_freeDCtx(state->decoder);
}

#    define ZSTD_ROW                                                                               \
        .library = "zstd " ZSTD_VERSION_STRING, .encode = encode_zstd, .decode = decode_zstd,      \
        .close = close_zstd,
#else
#    define ZSTD_ROW
#endif

const stn_packer_row stn_packer_zstd = {.name = "zstd",
                                        .needs = "libzstd",
                                        ZSTD_ROW.parameters = "level=1..22 (3)",
                                        .parameter = {{"level", 1, 22, 1}}};

/* ---- zlib ---- */

#if STN_HAVE_ZLIB
#    include <zlib.h>

static z_stream *open_deflate(int level)
{
    z_stream *const stream = calloc(1, sizeof *stream);
    if (stream && deflateInit(stream, level) == Z_OK)
        return stream;
    free(stream);
    return NULL;
}

static z_stream *open_inflate(void)
{
    z_stream *const stream = calloc(1, sizeof *stream);
    if (stream && inflateInit(stream) == Z_OK)
        return stream;
    free(stream);
    return NULL;
}

static int64_t encode_zlib(const stn_packer *packer, stn_packer_state *state,
                           const stn_cells *cells, const void *values, uint8_t *bytes,
                           int64_t capacity)
{
    if (!state->encoder && !(state->encoder = open_deflate((int)stn_packer_value(packer, 0, 6))))
        return -1;
    z_stream *const stream = state->encoder;
    (void)deflateReset(stream); /* fails for an invalid stream only */
    stream->next_in = (z_const Bytef *)(uintptr_t)values;
    stream->avail_in = (uInt)stn_cells_bytes(cells);
    stream->next_out = bytes;
    stream->avail_out = (uInt)capacity;
    return deflate(stream, Z_FINISH) == Z_STREAM_END ? (int64_t)stream->total_out : 0;
}

static const char *decode_zlib(const stn_packer *packer, stn_packer_state *state,
                               const stn_cells *cells, const uint8_t *bytes, int64_t length,
                               void *values)
{
    (void)packer;
    if (!state->decoder && !(state->decoder = open_inflate()))
        return "there is no memory for zlib";
    z_stream *const stream = state->decoder;
    (void)inflateReset(stream);
    stream->next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream->avail_in = (uInt)length;
    stream->next_out = values;
    stream->avail_out = (uInt)stn_cells_bytes(cells);
    if (inflate(stream, Z_FINISH) != Z_STREAM_END)
        return stream->msg ? stream->msg : "the zlib stream is incomplete or too long";
    return stream->avail_in == 0 && stream->avail_out == 0 ? NULL : wrong_length;
}

static void close_zlib(stn_packer_state *state)
{
    if (state->encoder)
        deflateEnd(state->encoder);
    if (state->decoder)
        inflateEnd(state->decoder);
    free(state->encoder);
    free(state->decoder);
}

#    define ZLIB_ROW                                                                               \
        .library = "zlib " ZLIB_VERSION, .encode = encode_zlib, .decode = decode_zlib,             \
        .close = close_zlib,
#else
#    define ZLIB_ROW
#endif

const stn_packer_row stn_packer_zlib = {.name = "zlib",
                                        .needs = "zlib",
                                        ZLIB_ROW.parameters = "level=1..9 (6)",
                                        .parameter = {{"level", 1, 9, 1}}};

/* ---- LZ4 ---- */

#if STN_HAVE_LZ4
#    include <lz4.h>
#    include <lz4hc.h>

static int64_t encode_lz4(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                          const void *values, uint8_t *bytes, int64_t capacity)
{
    const int level = (int)stn_packer_value(packer, 0, 1), count = (int)stn_cells_bytes(cells);
    const int bytes_of_state = level > 1 ? LZ4_sizeofStateHC() : LZ4_sizeofState();
    if (!state->encoder && !(state->encoder = malloc((size_t)bytes_of_state)))
        return -1;
    return level > 1 ? LZ4_compress_HC_extStateHC(state->encoder, values, (char *)bytes, count,
                                                  (int)capacity, level)
                     : LZ4_compress_fast_extState(state->encoder, values, (char *)bytes, count,
                                                  (int)capacity, 1);
}

static const char *decode_lz4(const stn_packer *packer, stn_packer_state *state,
                              const stn_cells *cells, const uint8_t *bytes, int64_t length,
                              void *values)
{
    (void)packer, (void)state;
    const int count = (int)stn_cells_bytes(cells);
    return LZ4_decompress_safe((const char *)bytes, values, (int)length, count) == count
               ? NULL
               : "the LZ4 block is malformed";
}

static void close_lz4(stn_packer_state *state)
{
    free(state->encoder);
}

#    define LZ4_ROW                                                                                \
        .library = "lz4 " LZ4_VERSION_STRING, .encode = encode_lz4, .decode = decode_lz4,          \
        .close = close_lz4,
#else
#    define LZ4_ROW
#endif

const stn_packer_row stn_packer_lz4 = {.name = "lz4",
                                       .needs = "liblz4",
                                       LZ4_ROW.parameters = "level=1..12 (1)",
                                       .parameter = {{"level", 1, 12, 1}}};

/* ---- c-blosc ---- */

#if STN_HAVE_BLOSC
#    include <blosc.h>

static int64_t encode_blosc(const stn_packer *packer, stn_packer_state *state,
                            const stn_cells *cells, const void *values, uint8_t *bytes,
                            int64_t capacity)
{
    (void)state;
    const int length =
        blosc_compress_ctx((int)stn_packer_value(packer, 0, 5), BLOSC_SHUFFLE, (size_t)cells->bytes,
                           (size_t)stn_cells_bytes(cells), values, bytes, (size_t)capacity,
                           BLOSC_BLOSCLZ_COMPNAME, 0, 1);
    return length > 0 ? length : 0;
}

static const char *decode_blosc(const stn_packer *packer, stn_packer_state *state,
                                const stn_cells *cells, const uint8_t *bytes, int64_t length,
                                void *values)
{
    (void)packer, (void)state;
    size_t count;
    if (length < BLOSC_MIN_HEADER_LENGTH ||
        blosc_cbuffer_validate(bytes, (size_t)length, &count) != 0 ||
        count != (size_t)stn_cells_bytes(cells))
        return "the header of the blosc chunk is invalid";
    return blosc_decompress_ctx(bytes, values, count, 1) == (int)count
               ? NULL
               : "the blosc chunk is malformed";
}

#    define BLOSC_ROW                                                                              \
        .library = "c-blosc " BLOSC_VERSION_STRING, .encode = encode_blosc, .decode = decode_blosc,
#else
#    define BLOSC_ROW
#endif

const stn_packer_row stn_packer_blosc = {.name = "blosc",
                                         .needs = "c-blosc",
                                         BLOSC_ROW.parameters = "level=1..9 (5)",
                                         .parameter = {{"level", 1, 9, 1}}};
