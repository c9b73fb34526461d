/* Range of formats: detection of values out of range, and scales that avoid them. */
#include "format/fit.h"

#include <float.h>
#include <math.h>

#include "core/modes.h"
#include "core/status.h"
#include "format/registry.h"
#include "format/run.h"

/* Largest finite magnitudes above and below zero: unsigned formats have none below. */
typedef struct reach {
    double above, below;
} reach;

static reach reach_of(stn_format arithmetic, const void *values, int64_t count)
{
    reach found = {0.0, 0.0};
    for (int64_t k = 0; k < count; k++) {
        const double x = arithmetic == STN_F64 ? ((const double *)values)[k]
                                               : (double)((const float *)values)[k];
        if (!isfinite(x))
            continue;
        found.above = x > found.above ? x : found.above;
        found.below = -x > found.below ? -x : found.below;
    }
    return found;
}

/* The smallest power of two that is not less than a positive x. */
static double power_above(double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent);
    return ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

/* The smallest scale with magnitude / scale <= highest in the rounding of the arithmetic type. */
static double exact_scale(double magnitude, double highest, stn_format arithmetic)
{
    if (arithmetic == STN_F32) {
        float scale = (float)(magnitude / highest);
        while ((double)((float)magnitude / scale) > highest)
            scale = nextafterf(scale, INFINITY);
        return (double)scale;
    }
    double scale = magnitude / highest;
    while (magnitude / scale > highest)
        scale = nextafter(scale, INFINITY);
    return scale;
}

static double scale_for(double magnitude, double highest, stn_format arithmetic,
                        stn_scale_choice choice)
{
    const double minimum = arithmetic == STN_F64 ? 0x1p-1022 : 0x1p-126;
    if (magnitude == 0.0)
        return 0.0;
    if (magnitude / highest == 0.0)
        return minimum;
    double scale = choice == STN_SCALE_EXACT ? exact_scale(magnitude, highest, arithmetic)
                                             : power_above(magnitude / highest);
    if (choice == STN_SCALE_POWER_OF_TWO && magnitude / scale > highest)
        scale *= 2.0;
    return scale < minimum ? minimum : scale;
}

/* Largest magnitude that both the format and the arithmetic of the quotient represent. The largest
 * 64-bit integers are below the double that describes them. */
static double limit_above(const stn_format_info *info, stn_format arithmetic)
{
    const double highest = info->kind == STN_CLASS_INTEGER && info->bits == 64
                               ? nextafter(info->highest, 0.0)
                               : info->highest;
    return arithmetic == STN_F32 && highest > (double)FLT_MAX ? (double)FLT_MAX : highest;
}

static double limit_below(const stn_format_info *info, stn_format arithmetic)
{
    return arithmetic == STN_F32 && -info->lowest > (double)FLT_MAX ? (double)FLT_MAX
                                                                    : -info->lowest;
}

stn_status stn_fit_scale(stn_storage *storage, stn_format arithmetic, const void *values,
                         int64_t count, stn_scale_choice choice)
{
    if (!storage || count < 0 || (count > 0 && !values))
        return stn_fail(STN_ERR_ARGUMENT, "%s",
                        !storage    ? "storage is NULL"
                        : count < 0 ? "count is negative"
                                    : "values is NULL");
    if (choice != STN_SCALE_POWER_OF_TWO && choice != STN_SCALE_EXACT)
        return stn_fail(STN_ERR_ARGUMENT, "choice is %d", (int)choice);
    if (arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "arithmetic is %s; it must be f64 or f32",
                        stn_format_text(arithmetic));
    if (storage->zero != 0.0)
        return stn_fail(STN_ERR_UNSUPPORTED, "the zero point is %g; it must be 0", storage->zero);
    const stn_format_entry *entry = stn_format_entry_of(storage->format);
    if (!entry)
        return STN_ERR_FORMAT;
    const stn_format_info *info = &entry->info;
    if ((info->kind != STN_CLASS_FLOAT && info->kind != STN_CLASS_INTEGER &&
         info->kind != STN_CLASS_BLOCK) ||
        !(info->highest > 0.0))
        return stn_fail(STN_ERR_UNSUPPORTED, "format %s has no known range", info->name);
    const stn_modes modes = stn_modes_enter();
    const reach found = reach_of(arithmetic, values, count);
    stn_status status = STN_OK;
    if (info->lowest == 0.0 && found.below > 0.0) {
        status = stn_fail(STN_ERR_RANGE, "%g is negative, but format %s is unsigned", -found.below,
                          info->name);
    } else {
        const double above =
            scale_for(found.above, limit_above(info, arithmetic), arithmetic, choice);
        const double below =
            scale_for(found.below, limit_below(info, arithmetic), arithmetic, choice);
        const double scale = above > below ? above : below;
        storage->scale = scale == 0.0 ? 1.0 : scale;
    }
    stn_modes_leave(modes);
    return status;
}

stn_status stn_storage_fit_scale(stn_storage *storage, stn_format arithmetic, const void *values,
                                 int64_t count, stn_scale_choice choice)
{
    const stn_status status = stn_fit_scale(storage, arithmetic, values, count, choice);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "stn_storage_fit_scale");
}

/* ---- encoding with detection of values out of range ---- */

static void add_counters(stn_counters *to, const stn_counters *from)
{
    __atomic_fetch_add(&to->saturated, from->saturated, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->underflowed, from->underflowed, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->nan, from->nan, __ATOMIC_RELAXED);
}

static int is_lost(const double *values, const double *stored, int64_t parts)
{
    int lost = 0;
    for (int64_t p = 0; p < parts; p++)
        lost |= isfinite(values[p]) && !isfinite(stored[p]);
    return lost;
}

stn_status stn_encode_within(stn_format arithmetic, const stn_storage *storage, void *codes,
                             int64_t first, const double *values, int64_t count, double *stored,
                             int64_t *outside)
{
    const int64_t parts = arithmetic == STN_C128 ? 2 : 1;
    stn_counters all = {0}, one = {0};
    stn_storage counted = *storage;
    stn_run run;
    counted.counters = &all;
    STN_TRY(stn_encode(arithmetic, &counted, codes, 1, first, values, count));
    STN_TRY(stn_decode(arithmetic, stored, storage, codes, 1, count));
    if (storage->counters)
        add_counters(storage->counters, &all);
    counted.counters = &one;
    STN_TRY(stn_run_init(&run, arithmetic, &counted));
    int64_t k = 0;
    for (; k < count && !is_lost(values + k * parts, stored + k * parts, parts); k++) {
        if (all.saturated == 0)
            continue;
        char *const code = (char *)codes + k * run.bytes;
        STN_TRY(stn_encode(arithmetic, &counted, code, 1, first + k, values + k * parts, 1));
        if (one.saturated > 0)
            break;
    }
    *outside = k;
    return STN_OK;
}
