/* zfp: blocks of 4^d floating-point values, at a fixed rate, precision or accuracy, or reversible.
 */
#include "codec/packer.h"

enum { RATE, PRECISION, ACCURACY };

#if STN_HAVE_ZFP
#    include <math.h>
#    include <string.h>
#    include <zfp.h>

/* Scratch memory: a stream, and values for checks. */
typedef struct zfp_memory {
    zfp_stream *stream;
    bitstream *bits; /* over `words` */
    int64_t word_bytes;
    int64_t used; /* bytes of `words` that may differ from 0 */
    char *values;
    uint64_t words[];
} zfp_memory;

/* Dimensions with more than one index, and their strides, which are 0 if values are contiguous.
 * Dimensions before the last four are merged. */
typedef struct zfp_shape {
    int rank;
    size_t extent[4];
    ptrdiff_t stride[4];
} zfp_shape;

static zfp_shape shape_of(const stn_cells *cells)
{
    zfp_shape shape = {0};
    for (int d = 0; d < cells->rank; d++) {
        if (cells->extent[d] <= 1)
            continue;
        if (shape.rank == 4) {
            shape.extent[0] *= shape.extent[1];
            memmove(shape.extent + 1, shape.extent + 2, 2 * sizeof *shape.extent);
            shape.rank = 3;
        }
        shape.extent[shape.rank] = (size_t)cells->extent[d];
        shape.stride[shape.rank++] = cells->stride ? (ptrdiff_t)cells->stride[d] : 0;
    }
    if (shape.rank == 0)
        shape.extent[shape.rank++] = 1;
    return shape;
}

static zfp_type type_of(const stn_cells *cells)
{
    return cells->component == STN_F64 ? zfp_type_double : zfp_type_float;
}

/* zfp's first extent is that of the contiguous dimension. */
static zfp_field field_of(const stn_cells *cells, const void *values)
{
    const zfp_shape shape = shape_of(cells);
    zfp_field field = {.type = type_of(cells), .data = (void *)(uintptr_t)values};
    size_t *const sizes[4] = {&field.nx, &field.ny, &field.nz, &field.nw};
    ptrdiff_t *const strides[4] = {&field.sx, &field.sy, &field.sz, &field.sw};
    for (int d = 0; d < shape.rank; d++) {
        *sizes[d] = shape.extent[shape.rank - 1 - d];
        *strides[d] = shape.stride[shape.rank - 1 - d];
    }
    return field;
}

/* More than any mode writes: a header per 4^d values, whose extents are rounded up to 4. */
static int64_t stream_bytes(const stn_cells *largest)
{
    int64_t count = 1;
    for (int d = 0; d < largest->rank; d++)
        count *= largest->extent[d] > 1 ? (largest->extent[d] + 3) / 4 * 4 : 1;
    return count * 9 + count / 4 * 4 + 4096;
}

static int64_t zfp_bytes(const stn_cells *largest)
{
    return (int64_t)sizeof(zfp_memory) + stream_bytes(largest) + stn_cells_bytes(largest) + 64;
}

/* Opens the stream of a thread. Returns NULL without memory. */
static zfp_memory *open_memory(stn_packer_state *state)
{
    zfp_memory *const memory = state->scratch;
    if (memory->stream)
        return memory;
    memory->word_bytes =
        (state->scratch_bytes - (int64_t)sizeof *memory - state->capacity - 64) / 64 * 64;
    memory->values = (char *)memory->words + memory->word_bytes;
    memory->bits = stream_open(memory->words, (size_t)memory->word_bytes);
    memory->stream = memory->bits ? zfp_stream_open(memory->bits) : NULL;
    state->decoder = memory->stream ? memory : NULL;
    if (!memory->stream && memory->bits)
        stream_close(memory->bits);
    return memory->stream ? memory : NULL;
}

static void set_mode(const stn_packer *packer, const stn_cells *cells, zfp_stream *stream)
{
    if (packer->given & 1u << RATE)
        zfp_stream_set_rate(stream, packer->value[RATE], type_of(cells), (uint)shape_of(cells).rank,
                            0);
    else if (packer->given & 1u << PRECISION)
        zfp_stream_set_precision(stream, (uint)packer->value[PRECISION]);
    else if (packer->given & 1u << ACCURACY)
        zfp_stream_set_accuracy(stream, packer->value[ACCURACY]);
    else
        zfp_stream_set_reversible(stream);
}

static double value_at(const stn_cells *cells, const void *values, int64_t k)
{
    return cells->component == STN_F64 ? ((const double *)values)[k]
                                       : (double)((const float *)values)[k];
}

static int all_are_finite(const stn_cells *cells, const void *values)
{
    for (int64_t k = 0; k < cells->count; k++)
        if (!isfinite(value_at(cells, values, k)))
            return 0;
    return 1;
}

/* Is the error of the values in `memory` within the bound? Reversible streams restore each bit. */
static int is_within(const stn_packer *packer, const stn_cells *cells, const void *values,
                     const void *decoded)
{
    if (!packer->given)
        return memcmp(values, decoded, (size_t)stn_cells_bytes(cells)) == 0;
    for (int64_t k = 0; k < cells->count; k++)
        if (!(fabs(value_at(cells, values, k) - value_at(cells, decoded, k)) <=
              packer->value[ACCURACY]))
            return 0;
    return 1;
}

static int64_t encode_zfp(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                          const void *values, uint8_t *bytes, int64_t capacity)
{
    zfp_memory *const memory = open_memory(state);
    if (!memory)
        return -1;
    if (!all_are_finite(cells, values))
        return 0;
    zfp_field field = field_of(cells, values);
    set_mode(packer, cells, memory->stream);
    if (zfp_stream_maximum_size(memory->stream, &field) > (size_t)memory->word_bytes)
        return 0;
    zfp_stream_rewind(memory->stream);
    const size_t length = zfp_compress(memory->stream, &field);
    memory->used = (int64_t)length > memory->used ? (int64_t)length : memory->used;
    if (length == 0 || length >= (size_t)capacity)
        return 0;
    if (!packer->given || packer->given & 1u << ACCURACY) {
        zfp_field decoded = field_of(cells, memory->values);
        zfp_stream_rewind(memory->stream);
        if (!zfp_decompress(memory->stream, &decoded) ||
            !is_within(packer, cells, values, memory->values))
            return 0;
    }
    memcpy(bytes, memory->words, length);
    return (int64_t)length;
}

/* The decoder of zfp reads beyond the end of streams that are too short, so they are copied before
 * zeros. */
static const char *decode_zfp(const stn_packer *packer, stn_packer_state *state,
                              const stn_cells *cells, const uint8_t *bytes, int64_t length,
                              void *values)
{
    zfp_memory *const memory = open_memory(state);
    if (!memory)
        return "there is no memory for zfp";
    zfp_field field = field_of(cells, values);
    set_mode(packer, cells, memory->stream);
    const size_t maximum = zfp_stream_maximum_size(memory->stream, &field);
    if (length > memory->word_bytes || maximum > (size_t)memory->word_bytes)
        return "the zfp stream is longer than any of its mode";
    memcpy(memory->words, bytes, (size_t)length);
    if (length < memory->used)
        memset((char *)memory->words + length, 0, (size_t)(memory->used - length));
    memory->used = length;
    zfp_stream_rewind(memory->stream);
    return zfp_decompress(memory->stream, &field) == (size_t)length
               ? NULL
               : "the zfp stream has another length";
}

static void close_zfp(stn_packer_state *state)
{
    zfp_memory *const memory = state->decoder;
    if (!memory)
        return;
    zfp_stream_close(memory->stream);
    stream_close(memory->bits);
}

#    define ZFP_ROW                                                                                \
        .library = "zfp " ZFP_VERSION_STRING, .scratch_bytes = zfp_bytes, .encode = encode_zfp,    \
        .decode = decode_zfp, .close = close_zfp,
#else
#    define ZFP_ROW
#endif

static const char *check(const stn_packer *packer)
{
    return (packer->given & (packer->given - 1)) != 0
               ? "zfp has one of rate, precision and accuracy"
               : NULL;
}

static stn_archive_loss loss_of(const stn_packer *packer)
{
    return !packer->given                   ? STN_ARCHIVE_LOSSLESS
           : packer->given & 1u << ACCURACY ? STN_ARCHIVE_BOUNDED
                                            : STN_ARCHIVE_UNBOUNDED;
}

const stn_packer_row stn_packer_zfp = {
    .name = "zfp",
    .needs = "libzfp",
    ZFP_ROW.parameters = "rate=1..64, precision=1..64 or accuracy=BOUND",
    .is_typed = 1,
    .takes_strides = 1,
    .bound_parameter = ACCURACY,
    .parameter = {{"rate", 1, 64, 0}, {"precision", 1, 64, 1}, {"accuracy", 1e-300, 1e300, 0}},
    .check = check,
    .loss_of = loss_of};
