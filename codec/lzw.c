/* LZW (T. A. Welch, A technique for high-performance data compression, 1984).
 *
 * A dictionary of strings is built alike by encoder and decoder. It begins with the 256 strings of
 * one byte. The encoder writes the code of the longest string in the dictionary that the next bytes
 * begin with, and adds this string and the byte after it under the next code, 256 + i after code
 * number i (from 0). So code number i is less than 256 + i, and is written with as many bits as
 * 255 + i has, 8 to 16, the lowest bits first. With 65536 strings the dictionary is full and is not
 * changed any more.
 *
 * The decoder needs no strings: string 256 + i is what code number i decodes to, and the byte after
 * it in the output. */
#include <string.h>

#include "codec/packer.h"

enum { CODES = 1 << 16, SLOTS = 1 << 17, FIRST = 256 };

/* Dictionary of the encoder: a hash table of (prefix, byte) with linear probing. Entries of earlier
 * blocks have another serial number. */
typedef struct dictionary {
    uint64_t serial;      /* of the block, from 1 */
    uint64_t slot[SLOTS]; /* serial, 24 bits of the key, 16 bits of the code */
} dictionary;

/* Of the decoder: code 256 + i is `length[i]` bytes of the output from `start[i]` on. */
typedef struct strings {
    uint32_t start[CODES], length[CODES];
} strings;

typedef struct lzw_memory {
    dictionary encoder;
    strings decoder;
} lzw_memory;

static int64_t lzw_bytes(const stn_cells *largest)
{
    (void)largest;
    return sizeof(lzw_memory);
}

/* Bits of code number i. */
static int width_of(int64_t i)
{
    const int64_t highest = i < CODES - FIRST ? FIRST - 1 + i : CODES - 1;
    return 64 - __builtin_clzll((unsigned long long)highest);
}

/* ---- bits ---- */

typedef struct bit_stream {
    uint64_t bits;   /* not yet stored, or not yet used */
    int count;       /* of them */
    int64_t at, end; /* in bytes */
} bit_stream;

/* Returns 0 if the bytes are full. */
static int put(bit_stream *stream, uint8_t *bytes, uint32_t code, int width)
{
    stream->bits |= (uint64_t)code << stream->count;
    for (stream->count += width; stream->count >= 8; stream->count -= 8, stream->bits >>= 8) {
        if (stream->at == stream->end)
            return 0;
        bytes[stream->at++] = (uint8_t)stream->bits;
    }
    return 1;
}

/* Returns 0 if there are not enough bytes. */
static int get(bit_stream *stream, const uint8_t *bytes, uint32_t *code, int width)
{
    for (; stream->count < width; stream->count += 8) {
        if (stream->at == stream->end)
            return 0;
        stream->bits |= (uint64_t)bytes[stream->at++] << stream->count;
    }
    *code = (uint32_t)stream->bits & ((1u << width) - 1);
    stream->bits >>= width;
    stream->count -= width;
    return 1;
}

/* ---- encoder ---- */

/* The code of a prefix and a byte; -1: unknown, and `slot` is where it is to be added. */
static int64_t find(const dictionary *known, uint32_t prefix, uint8_t byte, uint32_t *slot)
{
    const uint64_t key = known->serial << 24 | prefix << 8 | byte;
    uint32_t at = (prefix << 8 | byte) * 0x9e3779b1u >> 15;
    for (; known->slot[at] >> 40 == known->serial; at = (at + 1) % SLOTS)
        if (known->slot[at] >> 16 == key)
            return known->slot[at] & 0xffff;
    *slot = at;
    return -1;
}

static void begin_block(dictionary *known)
{
    if (++known->serial < 1 << 24)
        return;
    memset(known, 0, sizeof *known);
    known->serial = 1;
}

static int64_t encode_lzw(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                          const void *values, uint8_t *bytes, int64_t capacity)
{
    (void)packer;
    dictionary *const known = &((lzw_memory *)state->scratch)->encoder;
    const uint8_t *const from = values;
    bit_stream stream = {.end = capacity};
    uint32_t prefix = from[0], slot;
    int64_t written = 0;
    begin_block(known);
    for (int64_t k = 1; k < stn_cells_bytes(cells); k++) {
        const int64_t code = find(known, prefix, from[k], &slot);
        if (code >= 0) {
            prefix = (uint32_t)code;
            continue;
        }
        if (!put(&stream, bytes, prefix, width_of(written)))
            return 0;
        if (written < CODES - FIRST)
            known->slot[slot] =
                (known->serial << 24 | prefix << 8 | from[k]) << 16 | (uint64_t)(FIRST + written);
        written++;
        prefix = from[k];
    }
    /* The last byte is completed by zeros. */
    if (!put(&stream, bytes, prefix, width_of(written)) ||
        (stream.count > 0 && !put(&stream, bytes, 0, 8 - stream.count)))
        return 0;
    return stream.at;
}

/* ---- decoder ---- */

static const char *decode_lzw(const stn_packer *packer, stn_packer_state *state,
                              const stn_cells *cells, const uint8_t *bytes, int64_t length,
                              void *values)
{
    (void)packer;
    strings *const known = &((lzw_memory *)state->scratch)->decoder;
    uint8_t *const to = values;
    bit_stream stream = {.end = length};
    const int64_t count = stn_cells_bytes(cells);
    uint32_t code;
    for (int64_t at = 0, i = 0, part; at < count; at += part, i++) {
        if (!get(&stream, bytes, &code, width_of(i)))
            return "the LZW codes end early";
        const int64_t known_count = i < CODES - FIRST ? i : CODES - FIRST;
        if (code >= FIRST + known_count)
            return "an LZW code is not defined";
        part = code < FIRST ? 1 : known->length[code - FIRST];
        if (part > count - at)
            return "the LZW codes decode to more bytes than the block has";
        if (code < FIRST)
            to[at] = (uint8_t)code;
        else /* the last byte of the source may be the first of the target */
            for (int64_t k = 0, start = known->start[code - FIRST]; k < part; k++)
                to[at + k] = to[start + k];
        if (i < CODES - FIRST) {
            known->start[i] = (uint32_t)at;
            known->length[i] = (uint32_t)part + 1;
        }
    }
    return stream.at == length && stream.bits == 0 ? NULL : "bytes follow the LZW codes";
}

const stn_packer_row stn_packer_lzw = {.name = "lzw",
                                       .library = "Steno",
                                       .parameters = "",
                                       .scratch_bytes = lzw_bytes,
                                       .encode = encode_lzw,
                                       .decode = decode_lzw};
