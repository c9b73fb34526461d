/* Parts of an accessor in the same memory: sub-ranges, slices, other arrangements of dimensions. */
#ifndef STENO_ACCESSOR_SUB_H
#define STENO_ACCESSOR_SUB_H

#include "steno/detail/accessor/parts.h"

/* ---- sub-ranges ---- */

#define STN_CUT(name, k)                                                                           \
    if (!(STN_HOLDS(s##k.begin >= 0 && s##k.begin <= stn_span_end(s##k, x.extent[k]), #name,       \
                    "beginning", k, s##k.begin, x.extent[k]) &&                                    \
          STN_HOLDS(stn_span_end(s##k, x.extent[k]) <= x.extent[k], #name, "end", k, s##k.end,     \
                    x.extent[k])))                                                                 \
        return name##_empty(x);                                                                    \
    moved += s##k.begin * STN_STRIDE(name, k);                                                     \
    x.extent[k] = stn_span_end(s##k, x.extent[k]) - s##k.begin;
#define STN_CUT_SCALES(name, k)                                                                    \
    if (k == name##_scale_dimension) {                                                             \
        scales_moved += (x.phase + s##k.begin) / name##_scale_block;                               \
        x.phase = (x.phase + s##k.begin) % name##_scale_block;                                     \
    } else if (STN_SELECTS(name, k)) {                                                             \
        scales_moved += s##k.begin * x.scale_stride[k];                                            \
    }
/* clang-format off */
#define STN_DEFINE_SUB_FREE(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                             \
    STN_FN name name##_sub(name x STN_EACH_##rank_(STN_SPAN, name))                                \
    {                                                                                              \
        stn_size moved = 0;                                                                        \
        STN_IF_##SCALES(stn_size scales_moved = 0;)                                                \
        STN_EACH_##rank_(STN_CUT, name)                                                            \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_CUT_SCALES, name) x.scales += scales_moved;)          \
        STN_IF_##ZEROS(x.zeros += scales_moved;)                                                   \
        STN_IF_##SEED(x.origin += moved;)                                                          \
        STN_IF_##CONTEXT(x.origin += moved; moved = 0;)                                            \
        x.data += moved;                                                                           \
        return x;                                                                                  \
    }
/* clang-format on */

#define STN_DEFINE_SUB_FIXED(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                            \
    STN_UNAVAILABLE(name, name##_sub,                                                              \
                    "extents of " #name " are part of its type: cut it by STN_ACCESSOR_SLICE",     \
                    name STN_EACH_##rank_(STN_SPAN, name))

/* ---- arrangements, where every stride is given at run time and nothing hangs on a dimension ----
 */

#define STN_DEFINE_REARRANGE_RIGHT(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_LEFT(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_BLOCK_COL_MAJOR(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_STATIC(name, rank_, CUTS, SCALES, SEED)
#define STN_DEFINE_REARRANGE_STRIDED(name, rank_, CUTS, SCALES, SEED)                              \
    STN_REARRANGE_##CUTS##_##SCALES(name, rank_, SEED)

#define STN_REARRANGE_FREE_YES(name, rank_, SEED)
#define STN_REARRANGE_FIXED_NO(name, rank_, SEED)
#define STN_REARRANGE_FIXED_YES(name, rank_, SEED)
/* clang-format off */
#define STN_REARRANGE_FREE_NO(name, rank_, SEED)                                                   \
    STN_FN name name##_transpose(name x, int a, int b)                                             \
    {                                                                                              \
        name to = x;                                                                               \
        if (!(STN_HOLDS(a >= 0 && a < rank_, #name, "dimension", a, a, rank_) &&                   \
              STN_HOLDS(b >= 0 && b < rank_, #name, "dimension", b, b, rank_)))                    \
            return name##_empty(x);                                                                \
        to.extent[a] = x.extent[b];                                                                \
        to.extent[b] = x.extent[a];                                                                \
        to.stride[a] = x.stride[b];                                                                \
        to.stride[b] = x.stride[a];                                                                \
        return to;                                                                                 \
    }                                                                                              \
    STN_FN name name##_every(name x, int d, stn_size step)                                         \
    {                                                                                              \
        if (!(STN_HOLDS(d >= 0 && d < rank_, #name, "dimension", d, d, rank_) &&                   \
              STN_HOLDS(step > 0, #name, "step", d, step, x.extent[d])))                           \
            return name##_empty(x);                                                                \
        x.extent[d] = (x.extent[d] + step - 1) / step;                                             \
        x.stride[d] *= step;                                                                       \
        return x;                                                                                  \
    }                                                                                              \
    STN_FN name name##_reverse(name x, int d)                                                      \
    {                                                                                              \
        if (!STN_HOLDS(d >= 0 && d < rank_, #name, "dimension", d, d, rank_))                      \
            return name##_empty(x);                                                                \
        if (x.extent[d] > 0) {                                                                     \
            const stn_size last = (x.extent[d] - 1) * x.stride[d];                                 \
            STN_IF_##SEED(x.origin += last;)                                                       \
            x.data += last;                                                                        \
        }                                                                                          \
        x.stride[d] = -x.stride[d];                                                                \
        return x;                                                                                  \
    }
/* clang-format on */

/* One dimension of STN_ACCESSOR_SLICE; `arguments` are from, rank, function, mask. */
#define STN_SLICE_DIMENSION(arguments, k) STN_SLICE_DIMENSION_(k, STN_UNPACK arguments)
#define STN_SLICE_DIMENSION_(...)         STN_SLICE_DIMENSION__(__VA_ARGS__)
#define STN_SLICE_DIMENSION__(k, from, rank, function, mask)                                       \
    {                                                                                              \
        const stn_size begin = s##k.begin, end = stn_span_end(s##k, x.extent[k]);                  \
        fits = fits &&                                                                             \
               STN_HOLDS(begin >= 0 && begin <= end, #function, "beginning", k, begin,             \
                         x.extent[k]) &&                                                           \
               STN_HOLDS(end <= x.extent[k], #function, "end", k, end, x.extent[k]);               \
        moved += begin * STN_STRIDE(from, k);                                                      \
        if ((mask) >> (rank - 1 - k) & 1) {                                                        \
            y.extent[d] = end - begin;                                                             \
            y.stride[d] = STN_STRIDE(from, k);                                                     \
            fits = stn_shape_knows(&shape, #function, d, y.extent[d], y.stride[d]) && fits;        \
            d++;                                                                                   \
        } else {                                                                                   \
            fits =                                                                                 \
                fits && STN_HOLDS(begin < x.extent[k], #function, "index", k, begin, x.extent[k]); \
        }                                                                                          \
    }

#endif
