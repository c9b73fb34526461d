/** @file
 * Block formats: blocks of elements with a common scale, such as block floating point (`bfp16`),
 * the OCP MX formats (`mxfp4`) and NVFP4.
 *
 * stn_view_create() creates views in these formats, and operations read and write them as views in
 * other formats. The blocks are located along the last dimension, or the first one in layout left.
 * Each row is stored in whole blocks; the last one may be filled in part.
 *
 * - Elements have no addresses: stn_view_address(), atomic operations, stn_view_resize(), accessors
 *   of views and stn_view_wrap() refuse these views with STN_ERR_UNSUPPORTED. stn_view_blocks()
 *   returns the memory of the blocks.
 * - On devices, a kernel stores whole blocks: scatters, scans, and reductions that store results in
 *   these views return STN_ERR_UNSUPPORTED, and so do kernels with outputs whose blocks are located
 *   along different dimensions, and registered formats.
 * - stn_view_slice() refuses parts that would cut a block.
 * - Values are rounded to nearest, ties to even. The storage can have a scale, but no zero point,
 *   counters, or other rules.
 * - A block is encoded from all of its elements. An operation that stores only some of them keeps
 *   the others: before the next operation on the view, the block is decoded and encoded again with
 *   the new elements. The other elements can be rounded again if the scale changes.
 * - NaN and infinity make all elements of their block NaN, as does a finite value whose quotient by
 *   the scale of the storage exceeds f64. Finite values beyond the range of the format become its
 *   largest value.
 * - A copy between views in the same format and with the same scale moves the blocks, if both views
 *   consist of whole blocks along the same dimension.
 *
 * stn_decode() and stn_encode() convert contiguous blocks with inline scales.
 */
#ifndef STENO_BLOCK_FORMAT_H
#define STENO_BLOCK_FORMAT_H

#include "steno/detail/macro_check.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Memory of the blocks of a view. Initialize it with STN_BLOCK_ARRAYS_INIT.
 *
 * Block b, in C order, has its codes at `codes` + b * `code_step` and its scale at `scales` +
 * b * `scale_step`. Each row of a view begins with a new block. */
typedef struct stn_block_arrays {
    size_t size;        /**< Size of this struct in bytes. */
    void *codes;        /**< Codes of the first block. */
    void *scales;       /**< Scale of the first block. */
    int64_t code_step;  /**< Bytes between the codes of adjacent blocks. */
    int64_t scale_step; /**< Bytes between the scales of adjacent blocks. */
    int64_t row_blocks; /**< Number of blocks of a row. */
    int64_t blocks;     /**< Number of blocks. */
} stn_block_arrays;
/** Initializer of stn_block_arrays. */
#define STN_BLOCK_ARRAYS_INIT STN_INIT(stn_block_arrays)

/** Returns the memory of the blocks of a view.
 *
 * Blocks that are waiting for elements are encoded first. Later operations on the view may change
 * the memory, which is valid until the view is released. The memory of a view in device memory is
 * accessible to kernels on the device only.
 *
 * @param view         a view of a whole array in a block format
 * @param[out] arrays  the memory; its size must be set
 * @retval STN_ERR_ARGUMENT     a pointer is NULL
 * @retval STN_ERR_UNSUPPORTED  the view is not in a block format, or is a part of an array */
STN_API stn_status stn_view_blocks(const stn_view *view, stn_block_arrays *arrays);

/** Creates a view of blocks in memory of the caller.
 *
 * If `arrays->scales` is NULL, the scales are inline: each block consists of its scale followed by
 * its codes. Otherwise scales are a separate array. `code_step` and `scale_step` can be 0, for
 * contiguous arrays; the numbers of blocks are ignored. The memory must live as long as the view.
 * Codes and scales can be at any address (alignment 1). stn_view_set_space() declares memory of a
 * device; in OpenCL, both arrays must be in one buffer.
 *
 * @param[out] view  the view, to be released with stn_view_release(); empty on error
 * @param spec       label, storage, layout, rank and extents; `data` is NULL
 * @param arrays     codes and scales
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, or a step is smaller than the data of a block
 * @retval STN_ERR_FORMAT       the format is not a block format
 * @retval STN_ERR_UNSUPPORTED  the layout, or a rule of the storage, cannot be used
 * @retval STN_ERR_RANGE        the blocks exceed the address space
 * @retval STN_ERR_MEMORY       out of memory or addresses
 *
 * @code
 * stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = codes, .scales = scales);
 * status = stn_view_wrap_blocks(&x, &STN_VIEW_SPEC(.storage = stn_storage_of(STN_MXFP4), .rank = 2,
 *                                                  .extents = extents), &arrays);
 * @endcode */
STN_API stn_status stn_view_wrap_blocks(stn_view *view, const stn_view_spec *spec,
                                        const stn_block_arrays *arrays);

/** Codec of a block format that a program registers.
 *
 * Several threads may call the functions at the same time. Floating-point modes that they change
 * are restored. Decoding and encoding a block of decoded values must return the same values. */
typedef struct stn_block_codec {
    size_t size;         /**< Size of this struct in bytes. */
    const char *name;    /**< Letters, digits, '_' and '-'; copied. */
    int64_t elements;    /**< Elements of a block: 2 to 64. */
    int64_t code_bytes;  /**< Bytes of the codes of a block: 1 to 1024. */
    int64_t scale_bytes; /**< Bytes of the scale of a block: 0 to 64. */
    /** Decodes a block of `elements` values. Codes and scale can be at any address. */
    void (*decode)(double *values, const void *codes, const void *scale, void *context);
    /** Encodes a block of `elements` values. Elements after the end of a row are 0. */
    void (*encode)(void *codes, void *scale, const double *values, void *context);
    void *context; /**< Passed to both functions. */
} stn_block_codec;
/** Initializer of stn_block_codec. */
#define STN_BLOCK_CODEC_INIT STN_INIT(stn_block_codec)

/** Registers a block format for the life of the process.
 *
 * In new memory, the scales are inline. A block of zero bytes must decode to zeros.
 *
 * @param[out] format  id of the new format
 * @param codec        the codec
 * @retval STN_ERR_ARGUMENT  the codec is invalid, or a pointer is NULL
 * @retval STN_ERR_FORMAT    a format of this name exists
 * @retval STN_ERR_RANGE     there are 1024 registered formats already */
STN_API stn_status stn_format_register_blocks(stn_format *format, const stn_block_codec *codec);

STN_END_DECLS

#endif
