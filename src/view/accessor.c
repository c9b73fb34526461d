/* Requirements on a view that an accessor type reads and writes (steno/accessor_view.h). */
#include "steno/accessor_view.h"

#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "format/registry.h"
#include "view/number.h"
#include "view/scale_run.h"

static stn_status check_format(const stn_accessor_type *type, const stn_view *view)
{
    if (view->storage.format != type->format)
        return stn_fail(STN_ERR_FORMAT, "%s: %s has format %s, not %s", type->call,
                        stn_view_text(view), stn_format_text(view->storage.format),
                        stn_format_text(type->format));
    if (stn_view_is_read_only(view) && !type->is_const)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is read-only, but the accessor writes",
                        type->call, stn_view_text(view));
    if (!view->data && stn_view_count(view) > 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: data is NULL", type->call, stn_view_text(view));
    return STN_OK;
}

/* ---- extents and strides ---- */

static stn_status check_shape(const stn_accessor_type *type, const stn_view *view)
{
    const int is_empty = stn_view_count(view) == 0;
    for (int d = 0; d < type->rank; d++) {
        const int64_t extent = view->extent[d], stride = view->stride[d];
        if (type->extent[d] != STN_DYNAMIC && type->extent[d] != extent)
            return stn_fail(STN_ERR_SHAPE, "%s: %s has extent %lld in dimension %d, not %lld",
                            type->call, stn_view_text(view), (long long)extent, d,
                            (long long)type->extent[d]);
        if (type->stride[d] != STN_DYNAMIC && type->stride[d] != stride && extent > 1 && !is_empty)
            return stn_fail(STN_ERR_SHAPE, "%s: %s has stride %lld in dimension %d, not %lld",
                            type->call, stn_view_text(view), (long long)stride, d,
                            (long long)type->stride[d]);
    }
    return STN_OK;
}

/* The largest index or distance between elements in either direction; INT64_MAX means larger. */
static int64_t furthest_of(const stn_view *view)
{
    const int is_empty = stn_view_count(view) == 0;
    int64_t sum = 0, largest = 0;
    for (int d = 0; d < view->rank; d++) {
        int64_t reach;
        if (view->extent[d] - 1 > largest)
            largest = view->extent[d] - 1;
        if (!is_empty && (__builtin_mul_overflow(view->extent[d] - 1, view->stride[d], &reach) ||
                          __builtin_add_overflow(sum, reach < 0 ? -reach : reach, &sum)))
            return INT64_MAX;
    }
    return sum > largest ? sum : largest;
}

/* Elements must be at multiples of their size from data. */
static stn_status check_alignment(const stn_accessor_type *type, const stn_view *view)
{
    if ((uintptr_t)view->data % (uint64_t)type->alignment == 0 || stn_view_count(view) == 0)
        return STN_OK;
    return stn_fail(STN_ERR_ARGUMENT, "%s: %s is at %p, which is not a multiple of %lld bytes",
                    type->call, stn_view_text(view), view->data, (long long)type->alignment);
}

static stn_status check_span(const stn_accessor_type *type, const stn_view *view)
{
    const int64_t furthest = type->index_bits == 32 ? furthest_of(view) : 0;
    return furthest <= INT32_MAX
               ? STN_OK
               : stn_fail(STN_ERR_RANGE, "%s: %s reaches to %lld, 32-bit indices to %lld",
                          type->call, stn_view_text(view), (long long)furthest,
                          (long long)INT32_MAX);
}

/* ---- rules of storing ---- */

static const char *rounding_words(stn_rounding rounding)
{
    switch (rounding) {
    case STN_ROUND_NEAREST:
        return "to nearest";
    case STN_ROUND_TOWARD_ZERO:
        return "toward zero";
    case STN_ROUND_STOCHASTIC:
        return "stochastically";
    }
    return "by no known rule";
}

static const char *overflow_words(stn_overflow overflow)
{
    switch (overflow) {
    case STN_OVERFLOW_DEFAULT:
        return "the format's default";
    case STN_OVERFLOW_INFINITY:
        return "infinity";
    case STN_OVERFLOW_SATURATE:
        return "the largest finite value";
    case STN_OVERFLOW_NAN:
        return "NaN";
    }
    return "nothing known";
}

#define FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)               \
    [id] = overflow_rule,

#define INTEGER_ROW(id, ...) [id] = STN_OVERFLOW_SATURATE,
#define NO_ROW(...)
static const stn_overflow overflow_rules[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, NO_ROW)};

/* The overflow rule in effect: integers have only one. */
static stn_overflow effective(stn_overflow overflow, stn_format format)
{
    const stn_format_info *info = &stn_format_entry_of(format)->info;
    return overflow == STN_OVERFLOW_DEFAULT || info->kind == STN_CLASS_INTEGER
               ? overflow_rules[info->component]
               : overflow;
}

static stn_status check_rules(const stn_accessor_type *type, const stn_view *view)
{
    const stn_storage *storage = &view->storage;
    const stn_overflow has = effective(storage->overflow, type->format);
    const stn_overflow wanted = effective(type->overflow, type->format);
    if (storage->rounding != type->rounding)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is rounded %s, not %s", type->call,
                        stn_view_text(view), rounding_words(storage->rounding),
                        rounding_words(type->rounding));
    if (has != wanted)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s overflows to %s, not to %s", type->call,
                        stn_view_text(view), overflow_words(has), overflow_words(wanted));
    if (storage->counters)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s has counters, which accessors do not update",
                        type->call, stn_view_text(view));
    return STN_OK;
}

/* Accessors draw random bits by offset, so offsets must be the numbers of the view's elements. */
static stn_status check_draws(const stn_accessor_type *type, const stn_view *view)
{
    int64_t steps[STN_MAX_RANK];
    if (type->rounding != STN_ROUND_STOCHASTIC || stn_view_count(view) == 0)
        return STN_OK;
    stn_view_draw_steps(view, steps);
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] > 1 && steps[d] != view->stride[d])
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "%s: %s rounds stochastically by the number of an element, %lld from "
                            "one to the next in dimension %d, and the accessor by its offset, %lld",
                            type->call, stn_view_text(view), (long long)steps[d], d,
                            (long long)view->stride[d]);
    return STN_OK;
}

uint64_t stn_accessor_first(const stn_view *view)
{
    return stn_view_draw_first(view);
}

/* ---- scale and zero point ---- */

void stn_accessor_scales(const stn_view *view, stn_scales *scales)
{
    *scales = stn_scales_of(view);
    if (!scales->data)
        scales->data = (void *)(uintptr_t)&view->storage.scale;
    if (scales->dimension < 0 || view->extent[scales->dimension] == 1)
        scales->phase = 0;
}

static stn_status check_no_scales(const stn_accessor_type *type, const stn_view *view)
{
    const stn_storage *storage = &view->storage;
    if (!type->has_scales && stn_view_has_scales(view))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s has scales, but the accessor has none",
                        type->call, stn_view_text(view));
    if (!type->has_scales && storage->scale != 1.0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scale %.17g; it must be 1 for an accessor without scales",
                        type->call, stn_view_text(view), storage->scale);
    if (!type->has_zeros && storage->zero != 0.0)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s: %s has zero point %.17g; it must be 0 for an accessor without zero points",
            type->call, stn_view_text(view), storage->zero);
    return STN_OK;
}

static stn_status refuse_selection(const stn_accessor_type *type, const stn_view *view, int d,
                                   const char *text)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: the scales of %s %s dimension %d, unlike the accessor's", type->call,
                    stn_view_text(view), text, d);
}

/* Scales selected by dimensions: the dimensions and blocks must be the same. */
static stn_status check_selected_scales(const stn_accessor_type *type, const stn_view *view)
{
    const stn_scales all = stn_scales_of(view), *const scales = &all;
    if (!scales->data)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has one scale, but the accessor selects scales by mask 0x%x",
                        type->call, stn_view_text(view), (unsigned)type->scale_mask);
    if (type->scale_format != scales->format)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the scales of %s are %s, but the accessor's are %s", type->call,
                        stn_view_text(view), stn_format_text(scales->format),
                        stn_format_text(type->scale_format));
    if (type->has_zeros)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has one zero point, but the accessor has one for each scale",
                        type->call, stn_view_text(view));
    for (int d = 0; d < view->rank; d++) {
        const int selects = type->scale_mask >> (view->rank - 1 - d) & 1;
        const int64_t block = scales->dimension == d ? scales->block : 1;
        if (!selects && scales->stride[d] != 0 && view->extent[d] > 1)
            return refuse_selection(type, view, d, "are selected by");
        if (selects && scales->stride[d] != 0 && view->extent[d] > 1 &&
            block != (d == type->scale_dimension ? type->scale_block : 1))
            return refuse_selection(type, view, d, "are in blocks along");
        if (d == type->scale_dimension && scales->stride[d] != 1 && view->extent[d] > 1)
            return refuse_selection(type, view, d, "are no neighbours along");
    }
    return stn_scales_check(type->call, type->arithmetic, view);
}

/* Scale and zero point are read from the view: one f64 each. */
static stn_status check_global_scale(const stn_accessor_type *type, const stn_view *view)
{
    const stn_storage used = stn_view_storage(view), *storage = &used;
    const stn_format format =
        stn_view_has_scales(view) ? stn_view_whole(view)->scales.format : STN_F64;
    if (type->scale_format != format)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the scale of %s is an %s, but the accessor's is an %s", type->call,
                        stn_view_text(view), stn_format_text(format),
                        stn_format_text(type->scale_format));
    if (type->has_zeros && type->arithmetic != STN_F64)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the zero point of %s is an f64, but the accessor's is an %s",
                        type->call, stn_view_text(view), stn_format_text(type->arithmetic));
    const double scale =
        type->arithmetic == STN_F32 ? (double)(float)storage->scale : storage->scale;
    if (!isfinite(scale) || scale == 0.0)
        return stn_fail(
            STN_ERR_ARGUMENT, "%s: %s has scale %.17g, which is zero or infinite in %s arithmetic",
            type->call, stn_view_text(view), storage->scale, stn_format_text(type->arithmetic));
    if (!isfinite(storage->zero))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s has zero point %g, which is not finite",
                        type->call, stn_view_text(view), storage->zero);
    return STN_OK;
}

stn_status stn_accessor_expect(const stn_accessor_type *type, void *x, const stn_view *view)
{
    stn_accessor_type known;
    STN_TRY(STN_STRUCT_READ(&known, type, stn_accessor_type, stride, "stn_accessor_expect: type"));
    type = &known;
    if (!x)
        return stn_fail(STN_ERR_ARGUMENT, "%s: x is NULL", type->call);
    STN_TRY(stn_view_expect(type->call, view, type->rank));
    STN_TRY(type->scale_mask ? stn_view_expect_strided(type->call, NULL, view)
                             : stn_view_expect_plain(type->call, NULL, view));
    STN_TRY(check_format(type, view));
    STN_TRY(check_shape(type, view));
    STN_TRY(check_span(type, view));
    STN_TRY(check_alignment(type, view));
    if (!type->is_const) {
        STN_TRY(check_rules(type, view));
        STN_TRY(check_draws(type, view));
    }
    STN_TRY(check_no_scales(type, view));
    return !type->has_scales  ? STN_OK
           : type->scale_mask ? check_selected_scales(type, view)
                              : check_global_scale(type, view);
}
