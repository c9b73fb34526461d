/** @file
 * Accessors from views. The properties of a view are checked at run time against those of the
 * accessor type.
 *
 * @code
 * STN_ACCESSOR(xrange, 2, double, float)
 * STN_ACCESSOR_FROM_VIEW(xrange)       // xrange_from_view(&x, &view)
 * STN_ACCESSOR_FROM_VIEW(xrange_const) // the same for the read-only companion
 * @endcode
 */
#ifndef STENO_ACCESSOR_VIEW_H
#define STENO_ACCESSOR_VIEW_H

#include "steno/detail/macro_check.h"
#include "steno/accessor.h"
#include "steno/view.h"

/** @cond INTERNAL */
STN_BEGIN_DECLS

/* What an accessor type expects of a view; filled in by STN_ACCESSOR_FROM_VIEW. */
typedef struct stn_accessor_type {
    size_t size;      /* of this struct */
    const char *call; /* the name of the function, for messages */
    stn_format arithmetic, format, scale_format;
    stn_rounding rounding;
    stn_overflow overflow;
    int32_t rank, index_bits, is_const;
    int32_t has_scales, has_zeros, scale_mask, scale_dimension;
    int64_t scale_block, alignment;                     /* elements; bytes */
    int64_t extent[STN_MAX_RANK], stride[STN_MAX_RANK]; /* or STN_DYNAMIC */
} stn_accessor_type;

/* The number that the first element of a view draws by: for NAME_from_view. */
STN_API uint64_t stn_accessor_first(const stn_view *view);

/* The scales of a view, or its one scale, which the accessor may change: for NAME_from_view. */
STN_API void stn_accessor_scales(const stn_view *view, stn_scales *scales);

/* The checks of NAME_from_view; `x` must not be NULL and is neither read nor written: a pointer to
 * const would let compilers warn of what is not set yet. */
STN_API stn_status stn_accessor_expect(const stn_accessor_type *type, void *x,
                                       const stn_view *view);

STN_END_DECLS

/** @endcond */

/** Defines a function that creates an accessor from a view:
 * `stn_status NAME_from_view(NAME *x, const stn_view *view)`.
 *
 * *x reads (and writes) the elements of the view in its memory. *x is unchanged on errors.
 *
 * If the type has one scale (mask 0, scales of type double), the accessor uses the scale and the
 * zero point of *view, or the one of its scales that all of its elements share. The view must live
 * as long as the accessor. set_scale and fit_scales change the view, which must not be a const
 * object then. If the type selects scales by indices, the accessor uses the scales of the view,
 * which must be selected by the same dimensions, in blocks of the same extent, and contiguous along
 * the last of them. Other types refer to the elements only. A stochastic type uses the seed of the
 * view, and rounds a part as the whole would be.
 *
 * The function returns:
 * - STN_ERR_ARGUMENT: x or view is NULL, the view has no data, it is read-only and the type writes,
 * its scale or zero point is invalid, or its data is not aligned as the type requires
 * - STN_ERR_FORMAT: the view has another format
 * - STN_ERR_SHAPE: another rank, or another extent or stride than the type knows. The stride of a
 *   dimension with fewer than two indices does not matter, nor do those of an empty view
 * - STN_ERR_RANGE: the type has 32-bit indices, and the elements extend beyond them
 * - STN_ERR_UNSUPPORTED: a scale or zero point if the type has none; scales that are selected
 *   otherwise, or of another type; scales that differ between elements if the type has one. If the
 *   type writes: another rounding or overflow rule, or counters, since accessors do not count. A
 *   stochastic type with views whose random bits do not depend on offsets, such as those of layout
 *   left or with padded rows. Tiled, Morton and custom layouts; atomic views; memory that the host
 *   cannot access
 *
 * @param name  the accessor type, or its read-only companion */
#define STN_ACCESSOR_FROM_VIEW(name)                                                               \
    STN_STATIC_ASSERT((int)name##_format >= 0,                                                     \
                      #name ": views have formats, custom elements have none");                    \
    STN_FROM_VIEW_FN stn_status name##_from_view(name *stn_x, const stn_view *stn_of)              \
    {                                                                                              \
        const stn_shape stn_known = name##_stn_shape();                                            \
        stn_scales stn_selected;                                                                   \
        stn_accessor_type stn_expected = {sizeof stn_expected,                                     \
                                          #name "_from_view",                                      \
                                          name##_arithmetic,                                       \
                                          name##_format,                                           \
                                          name##_scale_format,                                     \
                                          (stn_rounding)name##_rounding,                           \
                                          (stn_overflow)name##_overflow,                           \
                                          name##_rank,                                             \
                                          name##_index_bits,                                       \
                                          name##_is_const,                                         \
                                          name##_has_scales,                                       \
                                          name##_has_zeros,                                        \
                                          name##_scale_mask,                                       \
                                          name##_scale_dimension,                                  \
                                          name##_scale_block,                                      \
                                          name##_alignment,                                        \
                                          {0},                                                     \
                                          {0}};                                                    \
        stn_status stn_result =                                                                    \
            stn_accessor_expect_shape(&stn_expected, &stn_known, stn_x, stn_of);                   \
        if (stn_result != STN_OK)                                                                  \
            return stn_result;                                                                     \
        stn_x->stn_data = STN_POINTER_LIKE(stn_x->stn_data, stn_accessor_data(stn_of));            \
        stn_accessor_shape(&stn_known, stn_of, stn_x->stn_extent, stn_x->stn_stride);              \
        stn_accessor_scales(stn_of, &stn_selected);                                                \
        name##_stn_attach(stn_x, stn_selected.data, stn_selected.stride, stn_selected.phase,       \
                          stn_accessor_zero(stn_of), stn_accessor_seed(stn_of),                    \
                          stn_accessor_first(stn_of));                                             \
        return STN_OK;                                                                             \
    }

/** @cond INTERNAL */
/* On the host in CUDA and HIP too, where STN_FN is for devices as well. */
#if defined(__GNUC__)
#    define STN_FROM_VIEW_FN static inline __attribute__((__unused__))
#else
#    define STN_FROM_VIEW_FN static inline
#endif

/* ---- what the macro reads of a view ---- */

STN_FROM_VIEW_FN stn_status stn_accessor_expect_shape(stn_accessor_type *type_,
                                                      const stn_shape *known_, void *x_,
                                                      const stn_view *view_)
{
    for (int d_ = 0; d_ < known_->stn_rank; d_++) {
        type_->extent[d_] = known_->stn_extent[d_];
        type_->stride[d_] = known_->stn_stride[d_];
    }
    return stn_accessor_expect(type_, x_, view_);
}
STN_FROM_VIEW_FN void *stn_accessor_data(const stn_view *view_) { return view_->data; }
STN_FROM_VIEW_FN void stn_accessor_shape(const stn_shape *known_, const stn_view *view_,
                                         stn_size *extent_, stn_size *stride_)
{
    for (int d_ = 0; d_ < known_->stn_rank; d_++) {
        extent_[d_] = view_->extent[d_];
        stride_[d_] =
            known_->stn_stride[d_] == STN_DYNAMIC ? view_->stride[d_] : known_->stn_stride[d_];
    }
}
/* The view's own zero point, which the accessor may change. */
STN_FROM_VIEW_FN const double *stn_accessor_zero(const stn_view *view_)
{
    return &view_->storage.zero;
}
STN_FROM_VIEW_FN uint64_t stn_accessor_seed(const stn_view *view_) { return view_->storage.seed; }

/* C++ wants a cast from void *. */
#ifdef __cplusplus
#    define STN_POINTER_LIKE(like, pointer) ((decltype(like))(pointer))
#else
#    define STN_POINTER_LIKE(like, pointer) (pointer)
#endif
/** @endcond */

#endif
