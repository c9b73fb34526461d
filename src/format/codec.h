/* A codec decodes and encodes contiguous runs of one format for one instruction set. */
#ifndef STENO_FORMAT_CODEC_H
#define STENO_FORMAT_CODEC_H

#include "core/cpu.h"
#include "steno/detail/tile.h"
#include "steno/format.h"

/* Scale and zero point in the form used by codecs: value = (code - zero) * scale. */
enum {
    STN_BLOCK = 32,      /* codes per scale, in loops over blocks */
    STN_BLOCK_SCALES = 2 /* those loops' value of `plain` */
};

typedef struct stn_affine {
    double scale, zero;
    double inverse; /* 1 / scale if multiplying by it is exact, else 0: divide */
    int plain;      /* scale 1, zero 0: nothing to apply */
    /* In loops over blocks, code k, counted from this one on, has the scale blocks[k / 32]. */
    const void *codes;
    const float *blocks;
    /* In loops over two or three planes of segmented values, which begin with these elements and
     * `codes`; `lower` is NULL for two. */
    const uint16_t *middle, *lower;
} stn_affine;

static inline stn_affine stn_affine_plain(void)
{
    return (stn_affine){.scale = 1.0, .inverse = 1.0, .plain = 1};
}

/* Contiguous runs of any length and alignment. Encoders round to nearest, overflow by the
 * format's rule and count nothing. The caller has set the floating-point modes (core/modes.h). */
typedef void stn_decode_run(void *restrict values, const void *restrict codes, int64_t count,
                            const stn_affine *affine);
typedef void stn_encode_run(void *restrict codes, const void *restrict values, int64_t count,
                            const stn_affine *affine);

typedef struct stn_codec {
    stn_decode_run *decode_f64, *decode_f32;
    stn_encode_run *encode_f64, *encode_f32;
} stn_codec;

/* The codec of a built-in real format for the instruction set in use, or for a given one. */
const stn_codec *stn_codec_of(stn_format format);
const stn_codec *stn_codec_on(stn_format format, stn_isa isa);

/* Scale and zero point of a storage in f64 or f32 arithmetic. */
void stn_affine_init(stn_affine *affine, const stn_storage *storage, stn_format arithmetic);

#endif
