/** @file
 * Accessors: plain struct types that read and write arrays of a narrow storage format in a wide
 * arithmetic type.
 *
 * This header needs no library and no other file than its own folder. It is valid C11, C++11, CUDA
 * C++, HIP and OpenCL C, with the same bits in all of them.
 *
 * @code
 * STN_ACCESSOR(xrange, 2, double, float) // name, rank, arithmetic type, storage type
 *
 * xrange x = xrange_dense(data, rows, columns);
 * double v = xrange_get(x, i, j);                         // a float, as a double
 * xrange_set(x, i, j, 2.0 * v);                           // rounded once, to float
 * xrange s = xrange_sub(x, stn_span_of(1, 4), stn_all()); // no copy
 * xrange_load(x, i, j, count, values);                    // consecutive elements
 * @endcode
 *
 * An accessor is a value: a pointer, extents and strides. It owns nothing. In C++, x(i, j) and
 * X::real exist as well. The functions of an accessor type are listed below.
 *
 * The compiler may fuse multiplications and additions in the caller's code (-ffp-contract, --fmad).
 * The bits are the same everywhere only if it does not.
 */
#ifndef STENO_ACCESSOR_H
#define STENO_ACCESSOR_H

#include "steno/detail/accessor/macro_check.h"
#include "steno/detail/accessor/define.h"

/* ---- types, as they are written in the macros below ---- */

/** @cond INTERNAL */

/* Arithmetic types. f64 and f32 match every real storage, i64 integers, c128 and c64 complex
 * storage. */
#define STN_REAL_double   f64
#define STN_REAL_float    f32
#define STN_REAL_int64_t  i64
#define STN_REAL_stn_f64  f64
#define STN_REAL_stn_f32  f32
#define STN_REAL_stn_i64  i64
#define STN_REAL_stn_c128 c128
#define STN_REAL_stn_c64  c64

/* Storage by the names of C. format_table.h has the names of the library. */
#define STN_STORAGE_double   f64
#define STN_STORAGE_float    f32
#define STN_STORAGE_int8_t   i8
#define STN_STORAGE_uint8_t  u8
#define STN_STORAGE_int16_t  i16
#define STN_STORAGE_uint16_t u16
#define STN_STORAGE_int32_t  i32
#define STN_STORAGE_uint32_t u32
#define STN_STORAGE_int64_t  i64
#define STN_STORAGE_uint64_t u64
/** @endcond */

/* ---- accessor types; the rank is a literal from 1 to 8 ---- */

/** Defines a row-major accessor type: the last dimension is contiguous, the other strides are given
 * at run time.
 * @param name     name of the type
 * @param rank     number of dimensions, a literal from 1 to 8
 * @param real     arithmetic type: double, float, int64_t, stn_c128, stn_c64
 * @param storage  storage type: a type of C or of the library (stn_f16, ...) */
#define STN_ACCESSOR(name, rank, real, storage)                                                    \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_right)

/** Column-major version of STN_ACCESSOR: the first dimension is contiguous. */
#define STN_ACCESSOR_LEFT(name, rank, real, storage)                                               \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_left)

/** Version of STN_ACCESSOR for blocks by column: the last but one dimension is contiguous. The rank
 * is at least 2. */
#define STN_ACCESSOR_BLOCK_COL_MAJOR(name, rank, real, storage)                                    \
    STN_STATIC_ASSERT((rank) >= 2, #name ": blocks by column have at least two dimensions");       \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_block_col_major)

/** Version of STN_ACCESSOR with all strides given at run time. Stride 0 repeats an element; strides
 * may be negative. */
#define STN_ACCESSOR_STRIDED(name, rank, real, storage)                                            \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_strided)

/** Version of STN_ACCESSOR whose extents and strides are part of the type. `extents` and `strides`
 * are lists with a number or STN_DYNAMIC for each dimension, such as (8, STN_DYNAMIC) and (8, 1).
 */
#define STN_ACCESSOR_STATIC(name, rank, real, storage, extents, strides)                           \
    STN_STATIC_ASSERT(STN_COUNT_LIST(extents) == (rank), #name ": one extent per dimension");      \
    STN_STATIC_ASSERT(STN_COUNT_LIST(strides) == (rank), #name ": one stride per dimension");      \
    STN_EXPAND_ACCESSOR(name, rank, STN_REAL_##real, STN_STORAGE_##storage, extents, stn_fixed,    \
                        stn_static, strides, 64, STN_ROUND_NEAREST, 0, STN_OVERFLOW_DEFAULT, 0, 0, \
                        1, f64, 0, 0, 1)

/** Version of STN_ACCESSOR with aligned elements.
 *
 * The addresses of elements are multiples of `bytes`, a literal power of two that divides the size
 * of an element. GPUs read and store an aligned complex number by one access instead of one per
 * part. The alignment is checked by NAME_from_view, and if STN_CHECKED is defined. */
#define STN_ACCESSOR_ALIGNED(name, rank, real, storage, bytes)                                     \
    STN_EXPAND_ACCESSOR(name, rank, STN_REAL_##real, STN_STORAGE_##storage, STN_DYNAMIC_EXTENTS,   \
                        stn_free, stn_right, STN_DYNAMIC_EXTENTS, 64, STN_ROUND_NEAREST, 0,        \
                        STN_OVERFLOW_DEFAULT, 0, 0, 1, f64, 0, 1, bytes)

/** Version of STN_ACCESSOR with scales of the arithmetic type, double or float: value = scale *
 * code.
 *
 * `mask` are the indices that select a scale: bit 0 is the last dimension, bit 1 the one before it,
 * and so on. 0: one scale for all elements; for rank 2, 0x2: one per row, 0x1: one per column. */
#define STN_ACCESSOR_SCALED(name, rank, real, storage, mask)                                       \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, 1, 0)

/** Version of STN_ACCESSOR_SCALED with a scale for each block of elements: `block` is the number of
 * consecutive indices of the last selected dimension with one scale. */
#define STN_ACCESSOR_BLOCK_SCALED(name, rank, real, storage, mask, block)                          \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, block, 0)

/** Version of STN_ACCESSOR_SCALED with a zero point for each scale: value = scale * (code - zero).
 */
#define STN_ACCESSOR_AFFINE(name, rank, real, storage, mask)                                       \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, 1, 1)

/** Version of STN_ACCESSOR whose elements are read and written by functions of the program.
 *
 * `data` points to values of the type `element`. `load` and `store` receive the index of the
 * element and a context of `context_type`:
 *
 * @code
 * real load(const element *data, stn_size index, context_type context);
 * void store(element *data, stn_size index, real value, context_type context);
 * @endcode
 *
 * Extents and strides count elements, whatever their size in memory is. In OpenCL C, `data` is
 * __global. */
#define STN_ACCESSOR_CUSTOM(name, rank, real, element, context_type, load, store)                  \
    STN_EXPAND_CUSTOM(name, rank, STN_REAL_##real, element, STN_DYNAMIC_EXTENTS, stn_free,         \
                      stn_right, STN_DYNAMIC_EXTENTS, 64, context_type, load, store)

/* accessor_define.h defines all other combinations. */

/* ---- pointers of other types ---- */

#ifdef STN_DOXYGEN
/** Converts a pointer `p` to the type of the library with the same bits, without a cast.
 *
 * _Float16 * and __half * of CUDA and HIP become stn_f16 *; __nv_bfloat16 * and __hip_bfloat16 *
 * become stn_bf16 *. Types of the library, among them float and double, are unchanged, and so is
 * const. The memory may be used by both types. Any other type is a compile error. The macro does
 * not exist in OpenCL C, where pointers are cast. */
#    define STN_CODES_OF(p)
/** Returns the id of the format of a pointer's elements, such as STN_F16, for
 * stn_storage_of(STN_FORMAT_OF(`p`)). */
#    define STN_FORMAT_OF(p)
#endif

/* ---- between accessor types ---- */

/** Checks at compile time that the accessor types `a` and `b` have the same arithmetic type. */
#define STN_SAME_REAL(a, b)                                                                        \
    STN_STATIC_ASSERT((int)a##_arithmetic == (int)b##_arithmetic,                                  \
                      #a " and " #b " compute in different arithmetic types")

/** Defines a function that returns a slice of an accessor: `to function(from x, stn_span s0, ...)`.
 *
 * Of the dimensions that are not kept, the first index of the span is used. Both types have the
 * same storage and no scales. If `to` knows an extent or a stride at compile time, the slice must
 * have it; otherwise the result is empty, and reported in checked mode. If all dimensions are kept,
 * the function converts one layout to another.
 *
 * @param function  name of the function
 * @param from      accessor type
 * @param rank_     rank of `from`, a literal
 * @param to        accessor type of the result
 * @param mask      dimensions that are kept: bit 0 is the last one */
#define STN_ACCESSOR_SLICE(function, from, rank_, to, mask)                                        \
    STN_STATIC_ASSERT((mask) >> (rank_) == 0 && STN_COUNT_BITS(mask) == (int)to##_rank,            \
                      #function ": the mask keeps another number of dimensions than " #to " has"); \
    STN_STATIC_ASSERT((int)from##_rank == (rank_), #function ": " #from " has another rank");      \
    STN_STATIC_ASSERT((int)from##_alignment >= (int)to##_alignment,                                \
                      #function ": elements of " #to " are aligned, and those of " #from " less"); \
    STN_STATIC_ASSERT((int)from##_is_plain && (int)to##_is_plain,                                  \
                      #function ": slices are for accessors without scales and seeds");            \
    STN_FN to function(from stn_x STN_EACH_##rank_(STN_SPAN, from))                                \
    {                                                                                              \
        const stn_shape stn_known = to##_stn_shape();                                              \
        to stn_y;                                                                                  \
        int stn_d = 0, stn_fits = 1;                                                               \
        stn_size stn_moved = 0;                                                                    \
        STN_EACH_##rank_(STN_SLICE_DIMENSION, (from, rank_, function, mask)) stn_y.stn_data =      \
            stn_x.stn_data + stn_moved;                                                            \
        for (stn_d = 0; stn_d < to##_rank && !stn_fits; stn_d++)                                   \
            stn_y.stn_extent[stn_d] = 0;                                                           \
        return stn_y;                                                                              \
    }

/** @cond INTERNAL */
/* ---- what the macros above share ---- */

#define STN_ACCESSOR_OF(name, rank, real, format, layout)                                          \
    STN_EXPAND_ACCESSOR(name, rank, real, format, STN_DYNAMIC_EXTENTS, stn_free, layout,           \
                        STN_DYNAMIC_EXTENTS, 64, STN_ROUND_NEAREST, 0, STN_OVERFLOW_DEFAULT, 0, 0, \
                        1, f64, 0, 0, 1)
#define STN_ACCESSOR_WITH_SCALES(name, rank, real, format, mask, block, ZEROS)                     \
    STN_EXPAND_ACCESSOR(name, rank, real, format, STN_DYNAMIC_EXTENTS, stn_free, stn_right,        \
                        STN_DYNAMIC_EXTENTS, 64, STN_ROUND_NEAREST, 0, STN_OVERFLOW_DEFAULT, 1,    \
                        mask, block, real, ZEROS, 0, 1)
#define STN_EXPAND_ACCESSOR(...) STN_DEFINE_ACCESSOR(__VA_ARGS__)
#define STN_EXPAND_CUSTOM(...)   STN_DEFINE_CUSTOM(__VA_ARGS__)

/* For accessor_define.h: the names of its choices are replaced before anything is pasted. */
#define STN_ACCESSOR_BY_NAMES(...) STN_ACCESSOR_BY_NAMES_(__VA_ARGS__)
#define STN_ACCESSOR_BY_NAMES_(name, rank, real, storage, extents, cuts, layout, strides, bits,    \
                               rounding, overflow, SCALES, mask, block, scale, ZEROS, ALIGNED,     \
                               bytes)                                                              \
    STN_EXPAND_ACCESSOR(name, rank, STN_REAL_##real, STN_STORAGE_##storage, extents, cuts,         \
                        STN_LAYOUT_OF_##layout, strides, bits, rounding, STN_HAS_SEED_##rounding,  \
                        overflow, SCALES, mask, block, STN_STORAGE_##scale, ZEROS, ALIGNED, bytes)
#define STN_ACCESSOR_BY_NAMES_CUSTOM(...) STN_ACCESSOR_BY_NAMES_CUSTOM_(__VA_ARGS__)
#define STN_ACCESSOR_BY_NAMES_CUSTOM_(name, rank, real, element, extents, cuts, layout, ...)       \
    STN_EXPAND_CUSTOM(name, rank, STN_REAL_##real, element, extents, cuts, STN_LAYOUT_OF_##layout, \
                      __VA_ARGS__)
#define STN_LAYOUT_OF_RIGHT                stn_right
#define STN_LAYOUT_OF_LEFT                 stn_left
#define STN_LAYOUT_OF_STRIDED              stn_strided
#define STN_LAYOUT_OF_BLOCK_COL_MAJOR      stn_block_col_major
#define STN_LAYOUT_OF_stn_right            stn_right
#define STN_LAYOUT_OF_stn_static           stn_static
#define STN_HAS_SEED_STN_ROUND_NEAREST     0
#define STN_HAS_SEED_STN_ROUND_TOWARD_ZERO 0
#define STN_HAS_SEED_STN_ROUND_STOCHASTIC  1

/** @endcond */

/** @file
 * ## Functions of an accessor type
 *
 * The lists show a type NAME of rank 2. Other ranks have other numbers of indices. `real` is
 * NAME_real, the arithmetic type, and `element` the storage type. An index is an stn_size, or an
 * int32 in types with 32-bit indices. Functions marked with * do not exist in NAME_const, the
 * read-only companion with const elements; calling one there is a compile error. A type uses the
 * names below and names that begin with NAME_stn, no others. Members begin with stn_ as well.
 *
 * Creation, without allocating or reading:
 *
 * - `NAME NAME_dense(element *data, n0, n1)`: an array in the layout of the type, without gaps
 * - `NAME NAME_make(element *data, const stn_size *extents, const stn_size *strides)`: an array
 *   with the given extents (NULL if the type knows all) and strides in elements: those that the
 *   type does not know, in the order of dimensions; NULL: dense
 * - `NAME_const NAME_to_const(x)`: the read-only companion
 *
 * Further arguments of the first two, if the type needs them, in this order: scales; strides of the
 * scales (NAME_make only) of the selected dimensions except the last, NULL: dense; zero points;
 * seed; context.
 *
 * Properties:
 *
 * - `NAME_rank` `NAME_arithmetic` `NAME_format`: rank; ids of the arithmetic type and of the
 *   format
 * - `NAME_extent_K` `NAME_stride_K`: constants, or STN_DYNAMIC
 * - `NAME_is_const` `NAME_alignment`: 1 for NAME_const; bytes, 1: that of the storage type
 * - `stn_size NAME_length(x, d)`: extent of dimension d; 1 if d is at least the rank
 * - `stn_size NAME_stride(x, d)`: stride in elements
 * - `stn_size NAME_count(x)`: number of elements
 * - `element *NAME_data(x)`: pointer to the first element
 * - `element *NAME_address(x, i, j)`: pointer to an element
 * - `stn_size NAME_offset(x, i, j)`: its offset from the data, in elements
 *
 * One element:
 *
 * - `real NAME_get(x, i, j)`: returns its value
 * - `real NAME_set(x, i, j, value)` *: stores a value and returns the stored value, as NAME_get
 *   would
 * - `real NAME_add(x, i, j, value)` *: a get, the operation and a set; also _subtract, _multiply,
 *   _divide
 *
 * Consecutive elements in C order of the indices, continuing in the next row:
 *
 * - `void NAME_load(x, i, j, count, real *values)`: reads `count` elements
 * - `void NAME_store(x, i, j, count, const real *values)` *: stores `count` elements
 * - `void NAME_load_vector(x, i, j, real *values)`: reads the NAME_vector contiguous elements in
 *   16 bytes at an address that is a multiple of 16, with one access of a GPU's thread. Vectors of
 *   f24, f40 and f48 have 48, 80 and 48 bytes. With scales, the elements use the scale of the first
 *   one
 * - `void NAME_store_vector(x, i, j, const real *values)` *: stores them
 * - `void NAME_load_vector_streaming(x, i, j, real *values)`: the same for memory that is not
 *   used again soon: NVIDIA's caches evict it first (ld.cs)
 * - `void NAME_store_vector_streaming(x, i, j, const real *values)` *: the same (st.cs); x86-64
 *   and clang store past the caches. The order of such stores and others is visible only after a
 *   fence (sfence, or the end of a parallel region)
 *
 * `values` must not overlap the elements.
 *
 * Parts, in the same memory:
 *
 * - `NAME NAME_sub(x, stn_span, stn_span)`: a part of the same rank: stn_span_of(), stn_at(),
 *   stn_all(). Types that know extents use STN_ACCESSOR_SLICE instead
 * - `NAME NAME_transpose(x, a, b)`: dimensions a and b exchanged; strided types without scales
 *   and known extents only
 * - `NAME NAME_every(x, d, step)`: every step-th index of dimension d; the same types
 * - `NAME NAME_reverse(x, d)`: dimension d reversed; the same types
 *
 * Scales; a change affects the value of every element with this scale:
 *
 * - `real NAME_scale(x, i, j)`: returns the scale of an element
 * - `real NAME_set_scale(x, i, j, value)` *: sets it and returns the stored value
 * - `real NAME_scale_direct(x, indices)`: by the NAME_scale_rank selecting indices only, in
 *   blocks if there are any
 * - `real NAME_set_scale_direct(x, indices, value)` *: the same
 * - `stn_size NAME_scale_count(x)` `NAME_scale_stride(x, d)`: number of scales; stride
 * - `scale *NAME_scales(x)`: pointer to the first scale
 * - `stn_size NAME_fit_scales(x, const real *values, stn_scale_choice choice)` *: sets every
 *   scale to the smallest one with which the elements of `values`, a dense array of all elements
 *   in C order, fit the format: a power of two, or with STN_SCALE_EXACT any number. NaN and
 *   infinities are skipped; if all are zero, the scale is 1. Codes are unchanged: store the values
 *   afterwards. Returns the number of scales that do not suffice (negative values in an unsigned
 *   format, beyond the range of scales)
 *
 * Reading is exact if the arithmetic type can represent the value; otherwise it is rounded once to
 * nearest. Then the zero point is subtracted and the scale multiplied, each rounded once. Writing
 * divides by the scale and adds the zero point, each rounded once, and rounds the result once to
 * the format: the error is at most half a unit in the last place to nearest, otherwise less than
 * one unit. Integers saturate and store NaN as 0. In i64 arithmetic, u64 is read and written modulo
 * 2^64.
 *
 * Errors are not checked, unless STN_CHECKED is defined before this header is included: then
 * invalid indices, spans, extents and scales are passed to STN_CHECK_FAILED(accessor, problem,
 * dimension, value, extent), which a program may define. By default it prints a line and ends the
 * program. If it returns, nothing has been accessed: reads return 0, and parts are empty.
 */

#endif
