/* Block formats: codecs of whole blocks, whose values are exchanged as f64. */
#ifndef STENO_FORMAT_BLOCK_H
#define STENO_FORMAT_BLOCK_H

#include <stdint.h>

#include "steno/block_format.h"

enum { STN_BLOCK_MOST_ELEMENTS = 64 };

/* Blocks of bfp8, bfp16 and bfp32. */
enum { STN_BFP_BLOCK = 32, STN_BFP_SCALE_BYTES = 2 };

/* Adjacent blocks: where the first one is, and the bytes from one to the next. */
typedef struct stn_blocks {
    unsigned char *codes, *scales;
    int64_t code_step, scale_step;
} stn_blocks;

/* In the modes of core/modes.h. `count` blocks; their values are contiguous. */
typedef struct stn_block_format stn_block_format;
typedef void stn_decode_blocks(const stn_block_format *format, double *restrict values,
                               stn_blocks blocks, int64_t count);
typedef void stn_encode_blocks(const stn_block_format *format, stn_blocks blocks,
                               const double *restrict values, int64_t count);

struct stn_block_format {
    int64_t elements, code_bytes, scale_bytes;
    int is_inline; /* scales in new memory precede the codes of each block */
    stn_decode_blocks *decode;
    stn_encode_blocks *encode;
    stn_block_codec codec; /* of a registered format */
};

/* Of the built-in formats, for one instruction set. */
typedef struct stn_block_codecs {
    struct {
        stn_decode_blocks *decode;
        stn_encode_blocks *encode;
    } row[STN_BLOCK_FORMATS];
} stn_block_codecs;

/* The built-in format with an id, from STN_BFP8 on. */
const stn_block_format *stn_block_builtin(stn_format format);

/* The members of a description that follow from the row of the table. */
void stn_block_describe(stn_format_info *info);

/* The format of a codec that a program registers. */
stn_block_format stn_block_registered(const stn_block_codec *codec);

/* Contiguous blocks with inline scales. */
static inline stn_blocks stn_blocks_inline(const stn_block_format *format, void *memory)
{
    unsigned char *const bytes = (unsigned char *)memory;
    const int64_t step = format->code_bytes + format->scale_bytes;
    return (stn_blocks){bytes + format->scale_bytes, bytes, step, step};
}

static inline stn_blocks stn_blocks_from(stn_blocks blocks, int64_t block)
{
    blocks.codes += block * blocks.code_step;
    blocks.scales += block * blocks.scale_step;
    return blocks;
}

#endif
