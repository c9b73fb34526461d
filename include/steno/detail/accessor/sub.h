/* Sub-ranges, slices and permutations of an accessor. */
#ifndef STENO_ACCESSOR_SUB_H
#define STENO_ACCESSOR_SUB_H

#include "steno/detail/accessor/parts.h"

/* ---- sub-ranges ---- */

#define STN_CUT(name, k)                                                                           \
    if (!(STN_HOLDS(stn_span_begin(stn_s_##k) >= 0 &&                                              \
                        stn_span_begin(stn_s_##k) <= stn_span_end(stn_s_##k, stn_x.stn_extent[k]), \
                    #name, "beginning", k, stn_span_begin(stn_s_##k), stn_x.stn_extent[k]) &&      \
          STN_HOLDS(stn_span_end(stn_s_##k, stn_x.stn_extent[k]) <= stn_x.stn_extent[k], #name,    \
                    "end", k, stn_span_end(stn_s_##k, stn_x.stn_extent[k]), stn_x.stn_extent[k]))) \
        return name##_stn_empty(stn_x);                                                            \
    stn_moved += stn_span_begin(stn_s_##k) * STN_STRIDE(name, k);                                  \
    stn_x.stn_extent[k] = stn_span_end(stn_s_##k, stn_x.stn_extent[k]) - stn_span_begin(stn_s_##k);
#define STN_CUT_SCALES(name, k)                                                                    \
    if (k == name##_scale_dimension) {                                                             \
        stn_scales_moved += (stn_x.stn_phase + stn_span_begin(stn_s_##k)) / name##_scale_block;    \
        stn_x.stn_phase = (stn_x.stn_phase + stn_span_begin(stn_s_##k)) % name##_scale_block;      \
    } else if (STN_SELECTS(name, k)) {                                                             \
        stn_scales_moved += stn_span_begin(stn_s_##k) * stn_x.stn_scale_stride[k];                 \
    }
/* clang-format off */
#define STN_DEFINE_SUB_stn_free(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                         \
    STN_FN name name##_sub(name stn_x STN_EACH_##rank_(STN_SPAN, name))                            \
    {                                                                                              \
        stn_size stn_moved = 0;                                                                    \
        STN_IF_##SCALES(stn_size stn_scales_moved = 0;)                                            \
        STN_EACH_##rank_(STN_CUT, name)                                                            \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_CUT_SCALES, name))                                    \
        STN_IF_##SCALES(stn_x.stn_factors += stn_scales_moved;)                                    \
        STN_IF_##ZEROS(stn_x.stn_zeros += stn_scales_moved;)                                       \
        STN_IF_##SEED(stn_x.stn_origin += stn_moved;)                                              \
        STN_IF_##CONTEXT(stn_x.stn_origin += stn_moved; stn_moved = 0;)                            \
        stn_x.stn_data += stn_moved;                                                               \
        return stn_x;                                                                              \
    }
/* clang-format on */

#define STN_DEFINE_SUB_stn_fixed(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                        \
    STN_UNAVAILABLE(name, name##_sub,                                                              \
                    "extents of " #name " are part of its type: cut it by STN_ACCESSOR_SLICE",     \
                    name STN_EACH_##rank_(STN_SPAN, name))

/* ---- permutations of types with dynamic strides and no properties of single dimensions ---- */

#define STN_DEFINE_REARRANGE_stn_right(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_stn_left(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_stn_block_col_major(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_stn_static(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_stn_strided(name, rank_, CUTS, SCALES, SEED)                          \
    STN_REARRANGE_##CUTS##_##SCALES(name, rank_, SEED)

#define STN_REARRANGE_stn_free_1(name, rank_, SEED)
#define STN_REARRANGE_stn_fixed_0(name, rank_, SEED)
#define STN_REARRANGE_stn_fixed_1(name, rank_, SEED)
/* clang-format off */
#define STN_REARRANGE_stn_free_0(name, rank_, SEED)                                                \
    STN_FN name name##_transpose(name stn_x, int stn_a, int stn_b)                                 \
    {                                                                                              \
        name stn_to = stn_x;                                                                       \
        if (!(STN_HOLDS(stn_a >= 0 && stn_a < rank_, #name, "dimension", stn_a, stn_a, rank_) &&   \
              STN_HOLDS(stn_b >= 0 && stn_b < rank_, #name, "dimension", stn_b, stn_b, rank_)))    \
            return name##_stn_empty(stn_x);                                                        \
        stn_to.stn_extent[stn_a] = stn_x.stn_extent[stn_b];                                        \
        stn_to.stn_extent[stn_b] = stn_x.stn_extent[stn_a];                                        \
        stn_to.stn_stride[stn_a] = stn_x.stn_stride[stn_b];                                        \
        stn_to.stn_stride[stn_b] = stn_x.stn_stride[stn_a];                                        \
        return stn_to;                                                                             \
    }                                                                                              \
    STN_FN name name##_every(name stn_x, int stn_d, stn_size stn_step)                             \
    {                                                                                              \
        if (!(STN_HOLDS(stn_d >= 0 && stn_d < rank_, #name, "dimension", stn_d, stn_d, rank_) &&   \
              STN_HOLDS(stn_step > 0, #name, "step", stn_d, stn_step, stn_x.stn_extent[stn_d])))   \
            return name##_stn_empty(stn_x);                                                        \
        stn_x.stn_extent[stn_d] = (stn_x.stn_extent[stn_d] + stn_step - 1) / stn_step;             \
        stn_x.stn_stride[stn_d] *= stn_step;                                                       \
        return stn_x;                                                                              \
    }                                                                                              \
    STN_FN name name##_reverse(name stn_x, int stn_d)                                              \
    {                                                                                              \
        if (!STN_HOLDS(stn_d >= 0 && stn_d < rank_, #name, "dimension", stn_d, stn_d, rank_))      \
            return name##_stn_empty(stn_x);                                                        \
        if (stn_x.stn_extent[stn_d] > 0) {                                                         \
            const stn_size stn_last = (stn_x.stn_extent[stn_d] - 1) * stn_x.stn_stride[stn_d];     \
            STN_IF_##SEED(stn_x.stn_origin += stn_last;)                                           \
            stn_x.stn_data += stn_last;                                                            \
        }                                                                                          \
        stn_x.stn_stride[stn_d] = -stn_x.stn_stride[stn_d];                                        \
        return stn_x;                                                                              \
    }
/* clang-format on */

/* One dimension of STN_ACCESSOR_SLICE; `arguments` are from, rank, function, mask. */
#define STN_SLICE_DIMENSION(arguments, k) STN_SLICE_DIMENSION_(k, STN_UNPACK arguments)
#define STN_SLICE_DIMENSION_(...)         STN_SLICE_DIMENSION__(__VA_ARGS__)
#define STN_SLICE_DIMENSION__(k, from, rank, function, mask)                                       \
    {                                                                                              \
        const stn_size stn_begin = stn_span_begin(stn_s_##k),                                      \
                       stn_end = stn_span_end(stn_s_##k, stn_x.stn_extent[k]);                     \
        stn_fits = stn_fits &&                                                                     \
                   STN_HOLDS(stn_begin >= 0 && stn_begin <= stn_end, #function, "beginning", k,    \
                             stn_begin, stn_x.stn_extent[k]) &&                                    \
                   STN_HOLDS(stn_end <= stn_x.stn_extent[k], #function, "end", k, stn_end,         \
                             stn_x.stn_extent[k]);                                                 \
        stn_moved += stn_begin * STN_STRIDE(from, k);                                              \
        if ((mask) >> (rank - 1 - k) & 1) {                                                        \
            stn_y.stn_extent[stn_d] = stn_end - stn_begin;                                         \
            stn_y.stn_stride[stn_d] = STN_STRIDE(from, k);                                         \
            stn_fits = stn_shape_knows(&stn_known, #function, stn_d, stn_y.stn_extent[stn_d],      \
                                       stn_y.stn_stride[stn_d]) &&                                 \
                       stn_fits;                                                                   \
            stn_d++;                                                                               \
        } else {                                                                                   \
            stn_fits = stn_fits && STN_HOLDS(stn_begin < stn_x.stn_extent[k], #function, "index",  \
                                             k, stn_begin, stn_x.stn_extent[k]);                   \
        }                                                                                          \
    }

#endif
