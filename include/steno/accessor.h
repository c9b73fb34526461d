/* Accessors: plain struct types that read and write arrays of a narrow storage format in a wide
 * arithmetic type. This header needs no library and nothing but its own folder; it is C11, C++11,
 * CUDA C++, HIP and OpenCL C alike, and gives the same bits in all of them.
 *
 *     STN_ACCESSOR(xrange, 2, double, float)    // name, rank, arithmetic type, storage type
 *
 *     xrange x = xrange_dense(data, rows, columns);
 *     double v = xrange_get(x, i, j);           // a float, as a double
 *     xrange_set(x, i, j, 2.0 * v);             // rounded once, to float
 *     xrange s = xrange_sub(x, stn_span_of(1, 4), stn_all());            // no copy
 *     xrange_load(x, i, j, count, values);      // a run of elements at once
 *
 * An accessor owns nothing: it is a pointer, extents and strides by value. In C++ there is x(i, j)
 * as well, and X::real. The contract of every function stands at the end of this file.
 *
 * Multiplications and additions in a caller's code may fuse when its compiler is allowed to
 * (-ffp-contract, --fmad): bits are the same everywhere only where it is not. */
#ifndef STENO_ACCESSOR_H
#define STENO_ACCESSOR_H

#include "steno/detail/names/hide.h"
#include "steno/detail/accessor/define.h"

/* ---- types, as they are written in the macros below ---- */

/* Arithmetic. f64 and f32 go with every real storage, i64 with integers, c128 and c64 with complex
 * storage. */
#define STN_REAL_double   f64
#define STN_REAL_float    f32
#define STN_REAL_int64_t  i64
#define STN_REAL_stn_f64  f64
#define STN_REAL_stn_f32  f32
#define STN_REAL_stn_i64  i64
#define STN_REAL_stn_c128 c128
#define STN_REAL_stn_c64  c64

/* Storage, by C's names; by the library's in format_table.h. */
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

/* ---- accessor types; the rank is a literal from 1 to 8 ---- */

/* Row-major: the last dimension is contiguous, the other strides are given at run time. */
#define STN_ACCESSOR(name, rank, real, storage)                                                    \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_right)

/* Column-major: the first dimension is contiguous. */
#define STN_ACCESSOR_LEFT(name, rank, real, storage)                                               \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_left)

/* Blocks by column: the last but one dimension is contiguous. The rank is at least 2. */
#define STN_ACCESSOR_BLOCK_COL_MAJOR(name, rank, real, storage)                                    \
    STN_STATIC_ASSERT((rank) >= 2, #name ": blocks by column have at least two dimensions");       \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_block_col_major)

/* Every stride is given at run time; 0 repeats an element, negative ones go backwards. */
#define STN_ACCESSOR_STRIDED(name, rank, real, storage)                                            \
    STN_ACCESSOR_OF(name, rank, STN_REAL_##real, STN_STORAGE_##storage, stn_strided)

/* Extents and strides are part of the type: lists such as (8, STN_DYNAMIC) and (8, 1). */
#define STN_ACCESSOR_STATIC(name, rank, real, storage, extents, strides)                           \
    STN_STATIC_ASSERT(STN_COUNT_LIST(extents) == (rank), #name ": one extent per dimension");      \
    STN_STATIC_ASSERT(STN_COUNT_LIST(strides) == (rank), #name ": one stride per dimension");      \
    STN_EXPAND_ACCESSOR(name, rank, STN_REAL_##real, STN_STORAGE_##storage, extents, stn_fixed,    \
                        stn_static, strides, 64, STN_ROUND_NEAREST, 0, STN_OVERFLOW_DEFAULT, 0, 0, \
                        1, f64, 0, 0, 1)

/* Row-major, of elements whose addresses are multiples of `bytes`: a literal, a power of two that
 * divides their size. GPUs then read and store a complex number by one access, in place of one per
 * part; it is checked where STN_CHECKED is defined, and by NAME_from_view. */
#define STN_ACCESSOR_ALIGNED(name, rank, real, storage, bytes)                                     \
    STN_EXPAND_ACCESSOR(name, rank, STN_REAL_##real, STN_STORAGE_##storage, STN_DYNAMIC_EXTENTS,   \
                        stn_free, stn_right, STN_DYNAMIC_EXTENTS, 64, STN_ROUND_NEAREST, 0,        \
                        STN_OVERFLOW_DEFAULT, 0, 0, 1, f64, 0, 1, bytes)

/* Row-major with scales: value = scale * code. `mask` says which indices select a scale: its bit 0
 * stands for the last dimension, bit 1 for the one before, and so on. 0: one scale for all; of rank
 * 2, 0x2: one per row, 0x1: one per column. Scales have the arithmetic type, f64 or f32. */
#define STN_ACCESSOR_SCALED(name, rank, real, storage, mask)                                       \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, 1, 0)

/* The same, but `block` neighbours along the last selected dimension share a scale. */
#define STN_ACCESSOR_BLOCK_SCALED(name, rank, real, storage, mask, block)                          \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, block, 0)

/* Each scale comes with a zero point: value = scale * (code - zero). */
#define STN_ACCESSOR_AFFINE(name, rank, real, storage, mask)                                       \
    STN_ACCESSOR_WITH_SCALES(name, rank, STN_REAL_##real, STN_STORAGE_##storage, mask, 1, 1)

/* Elements by functions of the user's, which know where element `index` of `data` is:
 *     real load(const element *data, stn_size index, context_type context);
 *     void store(element *data, stn_size index, real value, context_type context);
 * Extents and strides count elements, whatever their size in memory. In OpenCL C, `data` is
 * __global. */
#define STN_ACCESSOR_CUSTOM(name, rank, real, element, context_type, load, store)                  \
    STN_EXPAND_CUSTOM(name, rank, STN_REAL_##real, element, STN_DYNAMIC_EXTENTS, stn_free,         \
                      stn_right, STN_DYNAMIC_EXTENTS, 64, context_type, load, store)

/* Any other combination: steno/accessor_define.h. */

/* ---- pointers of other types ----
 *
 * STN_CODES_OF(p): p as a pointer to the library's type of the same bits, without a cast: of a
 * _Float16 * and CUDA's and HIP's __half * a stn_f16 *, of a __nv_bfloat16 * and __hip_bfloat16 * a
 * stn_bf16 *, and p itself of the library's types, among them float and double; to const where p
 * is. The memory may be used by both types. STN_FORMAT_OF(p) is the format's id, STN_F16 and so on,
 * for views: stn_storage_of(STN_FORMAT_OF(p)). To ask for another type is a compile error. Not in
 * OpenCL C, where pointers are cast. */

/* ---- between accessor types ---- */

/* Compile-time check that two accessors compute in the same arithmetic type. */
#define STN_SAME_REAL(a, b)                                                                        \
    STN_STATIC_ASSERT((int)a##_arithmetic == (int)b##_arithmetic,                                  \
                      #a " and " #b " compute in different arithmetic types")

/* Defines `to function(from x, stn_span s0, ...)`, which takes a slice of an accessor of rank
 * `rank`: the dimensions whose bits in `mask` are set are kept (bit 0: the last one), of each other
 * one its span's first index. Both types are without scales and of the same storage; where `to`
 * knows an extent or a stride the slice must have it, or the result is empty (and reported in
 * checked mode). With all bits set it turns one layout into another. */
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

/* ---- the functions of an accessor type NAME of rank 2 with f64 arithmetic and f32 storage ----
 *
 * Others differ in the number of indices and in types: real is NAME_real, the arithmetic type,
 * element the storage type. An index is an stn_size (int64), or an int32 in types with 32-bit
 * indices. Functions marked * do not exist in NAME_const, the read-only companion over const
 * elements; to call one there is a compile error. Names that begin with NAME_ and stand here are
 * the type's, those that begin with NAME_stn are the macros' own, and the members too (stn_data):
 * no other names are taken. A program with a function m_load calls its accessor m_range, say, and
 * may add `typedef m_range m;`.
 *
 * Making one (nothing is allocated or read):
 *   NAME NAME_dense(element *data, n0, n1);      row-major, or as the layout has it, without gaps
 *   NAME NAME_make(element *data, const stn_size *extents, const stn_size *strides);
 *       `extents` may be NULL when the type knows all; `strides` lists those that the type does not
 *       know, in the order of dimensions, in elements; NULL for a dense array.
 *       Further arguments of both, in this order: scales and (in _make) the scales' strides, zero
 *       points, seed, context. The scales' strides are those of the selected dimensions except the
 *       last, in order; NULL: dense.
 *   NAME_const NAME_to_const(x);
 *
 * What it is:
 *   NAME_rank, NAME_arithmetic and NAME_format (ids), NAME_extent_K, NAME_stride_K (constants or
 *       STN_DYNAMIC), NAME_is_const, NAME_alignment (bytes; 1: none but what the storage type has)
 *   stn_size NAME_length(x, d);    extent of dimension d; 1 for d >= rank
 *   stn_size NAME_stride(x, d);    in elements
 *   stn_size NAME_count(x);        number of elements
 *   element *NAME_data(x);
 *   element *NAME_address(x, i, j);
 *   stn_size NAME_offset(x, i, j); from data, in elements
 *
 * One element:
 *   real NAME_get(x, i, j);
 *   real NAME_set(x, i, j, value); *   the value as it is stored, which is what a get would give
 *   real NAME_add(x, i, j, value); *   a get, the operation and a set; _subtract, _multiply,
 * _divide
 *
 * A run of `count` elements in C order of the indices, which goes on in the next row:
 *   void NAME_load(x, i, j, count, real *values);
 *   void NAME_store(x, i, j, count, const real *values); *
 *   void NAME_load_vector(x, i, j, real *values);
 *   void NAME_store_vector(x, i, j, const real *values); *
 *       the NAME_vector contiguous elements in 16 bytes at an address that is a multiple of 16: one
 *       access of a GPU's thread. With scales, they share the first one's.
 *   void NAME_load_vector_streaming(x, i, j, real *values);
 *   void NAME_store_vector_streaming(x, i, j, const real *values); *
 *       the same of memory that is not used again soon, as a hint: evicted first by NVIDIA's caches
 *       (ld.cs, st.cs), stored past the caches by x86-64 and by clang. There such stores are seen
 * in order with others only behind a fence (sfence, or the end of a parallel region). `values` does
 * not overlap the elements.
 *
 * A part, in the same memory:
 *   NAME NAME_sub(x, stn_span, stn_span);   stn_span_of(begin, end), stn_at(i), stn_all(); the rank
 *       stays. Not for types that know extents: see STN_ACCESSOR_SLICE.
 *   NAME NAME_transpose(x, a, b);           strided types without scales and known extents only
 *   NAME NAME_every(x, d, step);            the same
 *   NAME NAME_reverse(x, d);                the same
 *
 * Scales (a change of one changes the value of every element that has it):
 *   real NAME_scale(x, i, j);                        of that element
 *   real NAME_set_scale(x, i, j, value); *           as stored
 *   real NAME_scale_direct(x, indices);              by the selecting indices only, NAME_scale_rank
 *   real NAME_set_scale_direct(x, indices, value); * of them; in blocks where there are any
 *   stn_size NAME_scale_count(x), NAME_scale_stride(x, d); scale *NAME_scales(x);
 *   stn_size NAME_fit_scales(x, const real *values, int exact); *
 *       Sets every scale to the least with which the elements of `values`, a dense array of all in
 *       C order, fit the format: a power of two, or with `exact` any. NaN and infinities are passed
 *       over, zeros alone give 1. Codes are left as they are: store afterwards. Returns how many
 *       scales could not do it (negative values in an unsigned format, beyond the scale's range).
 *
 * Reading is exact wherever the value fits the arithmetic type, else rounded once to nearest; then
 * the zero point is subtracted and the scale multiplied, each rounded once. Writing divides by the
 * scale, adds the zero point, each rounded once, and rounds the result once to the format: half a
 * unit in its last place to nearest, less than one otherwise. Integers saturate and store NaN as 0;
 * in i64 arithmetic u64 is read and written modulo 2^64.
 *
 * Errors: none are looked for, unless STN_CHECKED is defined before this header is included: see
 * steno/detail/accessor/index.h. */

#include "steno/detail/names/show.h"

#endif
