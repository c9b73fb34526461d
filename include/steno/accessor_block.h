/** @file
 * Accessors of blocks: plain struct types that read an array in a block format by element, and read
 * and write whole blocks (block_format.h).
 *
 * This header needs no library. It is valid C11, C++11, CUDA C++, HIP, and OpenCL C on devices with
 * double, with the bits of the library in all of them.
 *
 * @code
 * STN_ACCESSOR_BLOCKS(weights, 2, double, STN_MXFP4) // name, rank, arithmetic type, format
 *
 * weights w = weights_dense(codes, scales, rows, columns);
 * double v = weights_get(w, i, j);
 * double values[weights_block];
 * weights_load_block(w, i, b, values);  // elements b * weights_block, ... of row i
 * weights_store_block(w, i, b, values); // a thread writes whole blocks
 * @endcode
 *
 * Blocks are located along the last dimension, and each row begins with a new block. The functions
 * of an accessor type are listed below.
 */
#ifndef STENO_ACCESSOR_BLOCK_H
#define STENO_ACCESSOR_BLOCK_H

#include "steno/accessor.h"
#include "steno/block_codec.h"

#ifdef STN_HAVE_DOUBLE

/** Defines an accessor type of blocks, and its read-only companion `name`_const.
 * @param name    name of the type
 * @param rank    number of dimensions, a literal from 1 to 8
 * @param real    arithmetic type: double or float
 * @param format  STN_BFP8 to STN_NVFP4 */
#    define STN_ACCESSOR_BLOCKS(name, rank, real, format)                                          \
        STN_BLOCKS_OF(name, rank, STN_REAL_##real, format)

/** @file
 * ## Functions of an accessor type of blocks
 *
 * The lists show a type NAME of rank 2. `real` is the arithmetic type, and `bytes` stn_u8. A block
 * is identified by the indices of its row and its number b in the row.
 *
 * - `NAME_rank` `NAME_format` `NAME_block`: rank, id of the format, number of elements of a block
 * - `NAME NAME_dense(bytes *codes, bytes *scales, n0, n1)`: contiguous blocks in C order. If
 *   `scales` is NULL (0 in OpenCL C), each block consists of its scale followed by its codes.
 * - `NAME NAME_make(bytes *codes, bytes *scales, code_step, scale_step, const stn_size *extents)`:
 *   blocks at these distances in bytes, as stn_view_blocks() returns them
 * - `NAME NAME_scaled(x, real scale)`: the same blocks with another scale of all elements, such as
 *   the global factor of nvfp4; NAME_dense() and NAME_make() set 1
 * - `NAME_const NAME_to_const(x)`: the read-only companion, which lacks NAME_store_block()
 * - `stn_size NAME_length(x, d)`: extent of dimension d; 1 if d is at least the rank
 * - `stn_size NAME_row_blocks(x)`: number of blocks of a row
 * - `real NAME_get(x, i, j)`: returns the value of an element
 * - `void NAME_load_block(x, i, b, real *values)`: decodes a block, NAME_block values. Those after
 *   the end of the row are 0.
 * - `void NAME_store_block(x, i, b, const real *values)`: encodes a block of NAME_block values.
 *   Those after the end of the row are not read.
 *
 * Values are decoded exactly; float rounds them to nearest. Then they are multiplied by the scale,
 * or divided before they are encoded, rounded once. Two threads must not write one block.
 *
 * Errors are not checked, unless STN_CHECKED is defined, as for other accessors.
 */

/** @cond INTERNAL */
#    define STN_BLOCKS_OF(...) STN_DEFINE_BLOCKS(__VA_ARGS__)

/* The number of a block in C order, from the indices of its row. */
#    define STN_BLOCK_ROW(name, k)                                                                 \
        stn_row = (k) == name##_rank - 1 ? stn_row : stn_row * stn_x.stn_extent[k] + stn_i_##k;
#    define STN_BLOCK_EXTENT(name, k)                                                              \
        ((k) == name##_rank - 1 ? name##_row_blocks(stn_x) : stn_x.stn_extent[k])
#    define STN_AND_BLOCK(name, k)                                                                 \
        &&STN_HOLDS(stn_i_##k >= 0 && stn_i_##k < STN_BLOCK_EXTENT(name, k), #name, "index", k,    \
                    stn_i_##k, STN_BLOCK_EXTENT(name, k))
#    define STN_BLOCK_LENGTH(name, k)                                                              \
        if (stn_d == (k))                                                                          \
            return stn_x.stn_extent[k];
#    define STN_BLOCK_NO_EXTENT(name, k) name##_extent_##k = STN_DYNAMIC,

/* Declares the position of a block, the number of its elements from there to the end of the row,
 * and its values; returns from the function if the index is out of range. */
#    define STN_BLOCK_PLACE(name, rank_)                                                           \
        const stn_size stn_i[] = {STN_EACH_##rank_(STN_LIST_INDEX, name) 0};                       \
        stn_size stn_row = 0, stn_left;                                                            \
        stn_f64 stn_block[name##_block];                                                           \
        int stn_k;                                                                                 \
        if (!(1 STN_EACH_##rank_(STN_AND_BLOCK, name)))                                            \
            return;                                                                                \
        STN_EACH_##rank_(STN_BLOCK_ROW, name) stn_row =                                            \
            stn_row * name##_row_blocks(stn_x) + stn_i[(rank_)-1];                                 \
        stn_left = stn_x.stn_extent[(rank_)-1] - stn_i[(rank_)-1] * name##_block

#    define STN_DEFINE_BLOCK_READS(name, byte, rank_, real, format)                                \
        typedef struct name {                                                                      \
            STN_MEM byte *stn_codes, *stn_scales;                                                  \
            stn_size stn_code_step, stn_scale_step, stn_extent[rank_];                             \
            stn_##real stn_scale;                                                                  \
        } name;                                                                                    \
        typedef stn_##real name##_real;                                                            \
        typedef stn_size name##_index;                                                             \
        enum {                                                                                     \
            name##_rank = rank_,                                                                   \
            name##_format = format,                                                                \
            name##_block = (int)(format) == (int)STN_NVFP4 ? 16 : 32,                              \
            STN_EACH_##rank_(STN_BLOCK_NO_EXTENT, name) name##_stn_end                             \
        };                                                                                         \
        STN_FN name name##_make(STN_MEM byte *stn_codes, STN_MEM byte *stn_scales,                 \
                                stn_size stn_code_step, stn_size stn_scale_step,                   \
                                const stn_size *stn_extents)                                       \
        {                                                                                          \
            name stn_x;                                                                            \
            int stn_d;                                                                             \
            stn_x.stn_codes = stn_codes;                                                           \
            stn_x.stn_scales = stn_scales;                                                         \
            stn_x.stn_code_step = stn_code_step;                                                   \
            stn_x.stn_scale_step = stn_scale_step;                                                 \
            for (stn_d = 0; stn_d < (rank_); stn_d++)                                              \
                stn_x.stn_extent[stn_d] = stn_extents[stn_d];                                      \
            stn_x.stn_scale = 1;                                                                   \
            return stn_x;                                                                          \
        }                                                                                          \
        STN_FN name name##_dense(STN_MEM byte *stn_codes,                                          \
                                 STN_MEM byte *stn_scales STN_EACH_##rank_(STN_SIZE, name))        \
        {                                                                                          \
            const stn_size stn_n[] = {STN_EACH_##rank_(STN_LIST_SIZE, name) 0};                    \
            const stn_size stn_bytes = name##_block * stn_block_bits(format) / 8;                  \
            const stn_size stn_scale = (int)(format) <= (int)STN_BFP32 ? 2 : 1;                    \
            if (!stn_scales)                                                                       \
                return name##_make(stn_codes + stn_scale, stn_codes, stn_bytes + stn_scale,        \
                                   stn_bytes + stn_scale, stn_n);                                  \
            return name##_make(stn_codes, stn_scales, stn_bytes, stn_scale, stn_n);                \
        }                                                                                          \
        STN_FN name name##_scaled(name stn_x, stn_##real stn_scale)                                \
        {                                                                                          \
            stn_x.stn_scale = stn_scale;                                                           \
            return stn_x;                                                                          \
        }                                                                                          \
        STN_FN stn_size name##_length(name stn_x, int stn_d)                                       \
        {                                                                                          \
            STN_EACH_##rank_(STN_BLOCK_LENGTH, name) return 1;                                     \
        }                                                                                          \
        STN_FN stn_size name##_row_blocks(name stn_x)                                              \
        {                                                                                          \
            return (stn_x.stn_extent[(rank_)-1] + name##_block - 1) / name##_block;                \
        }                                                                                          \
        STN_FN stn_##real name##_get(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))             \
        {                                                                                          \
            const stn_size stn_i[] = {STN_EACH_##rank_(STN_LIST_INDEX, name) 0};                   \
            stn_size stn_row = 0;                                                                  \
            if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                       \
                return 0;                                                                          \
            STN_EACH_##rank_(STN_BLOCK_ROW, name) stn_row =                                        \
                stn_row * name##_row_blocks(stn_x) + stn_i[(rank_)-1] / name##_block;              \
            return stn_read_##real##_f64(                                                          \
                       stn_block_read(format, stn_x.stn_codes + stn_row * stn_x.stn_code_step,     \
                                      stn_x.stn_scales + stn_row * stn_x.stn_scale_step,           \
                                      (int)(stn_i[(rank_)-1] % name##_block))) *                   \
                   stn_x.stn_scale;                                                                \
        }                                                                                          \
        STN_FN_LONG void name##_load_block(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),       \
                                           stn_##real *stn_values)                                 \
        {                                                                                          \
            STN_BLOCK_PLACE(name, rank_);                                                          \
            stn_block_decode(format, stn_block, stn_x.stn_codes + stn_row * stn_x.stn_code_step,   \
                             stn_x.stn_scales + stn_row * stn_x.stn_scale_step);                   \
            for (stn_k = 0; stn_k < name##_block; stn_k++)                                         \
                stn_values[stn_k] =                                                                \
                    stn_k < stn_left ? stn_read_##real##_f64(stn_block[stn_k]) * stn_x.stn_scale   \
                                     : 0;                                                          \
        }

#    define STN_DEFINE_BLOCK_WRITES(name, rank_, real, format)                                     \
        STN_FN name##_const name##_to_const(name stn_x)                                            \
        {                                                                                          \
            const name##_const stn_y =                                                             \
                name##_const_make(stn_x.stn_codes, stn_x.stn_scales, stn_x.stn_code_step,          \
                                  stn_x.stn_scale_step, stn_x.stn_extent);                         \
            return name##_const_scaled(stn_y, stn_x.stn_scale);                                    \
        }                                                                                          \
        STN_FN_LONG void name##_store_block(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),      \
                                            const stn_##real *stn_values)                          \
        {                                                                                          \
            STN_BLOCK_PLACE(name, rank_);                                                          \
            for (stn_k = 0; stn_k < name##_block; stn_k++)                                         \
                stn_block[stn_k] =                                                                 \
                    stn_k < stn_left ? (stn_f64)(stn_values[stn_k] / stn_x.stn_scale) : 0;         \
            stn_block_encode(format, stn_x.stn_codes + stn_row * stn_x.stn_code_step,              \
                             stn_x.stn_scales + stn_row * stn_x.stn_scale_step, stn_block);        \
        }

#    define STN_DEFINE_BLOCKS(name, rank, real, format)                                            \
        STN_STATIC_ASSERT((int)(format) >= (int)STN_BFP8 && (int)(format) <= (int)STN_NVFP4,       \
                          #name ": the format is not a block format");                             \
        STN_DEFINE_BLOCK_READS(name, stn_u8, rank, real, format)                                   \
        STN_DEFINE_BLOCK_READS(name##_const, const stn_u8, rank, real, format)                     \
        STN_DEFINE_BLOCK_WRITES(name, rank, real, format)
/** @endcond */

#endif

#endif
