/* Does storing an element that was read restore its code? */
#include "format/returns.h"

#include <float.h>
#include <math.h>

/* Of the arithmetic of a run. */
typedef struct range {
    int bits; /* bits of a significand */
    double smallest, normal, highest;
} range;

static range range_of(const stn_run *run)
{
    return run->arithmetic == STN_F32 ? (range){24, 0x1p-149, 0x1p-126, FLT_MAX}
                                      : (range){53, 0x1p-1074, 0x1p-1022, DBL_MAX};
}

/* Do the scaled values from `smallest` to `highest` stay between these bounds? */
static int stays(double smallest, double highest, double scale, double minimum, double maximum)
{
    return smallest * fabs(scale) >= minimum && highest * fabs(scale) <= maximum;
}

static stn_return_kind of_float(const stn_run *run, const stn_format_info *info, const range *wide)
{
    const stn_affine *affine = &run->affine;
    const double scale = affine->scale;
    const int bits = info->fraction_bits + 1;
    if (bits > wide->bits || affine->zero != 0.0)
        return STN_RETURNS_SOME;
    if (affine->plain)
        return STN_RETURNS_FINITE;
    /* The scale is exact; otherwise values are rounded twice to more digits than the format has. */
    if (affine->inverse != 0.0)
        return stays(info->smallest, info->highest, scale, wide->smallest, wide->highest)
                   ? STN_RETURNS_FINITE
                   : STN_RETURNS_SOME;
    return run->rules.rounding == STN_ROUND_NEAREST && bits + 3 <= wide->bits &&
                   stays(info->smallest, info->highest, scale, wide->normal, wide->highest / 2)
               ? STN_RETURNS_FINITE
               : STN_RETURNS_SOME;
}

static stn_return_kind of_integer(const stn_run *run, const stn_format_info *info,
                                  const range *wide)
{
    const stn_affine *affine = &run->affine;
    const double maximum = ldexp(1.0, info->bits) + fabs(affine->zero);
    const int is_exact = (affine->inverse != 0.0 || affine->plain) &&
                         affine->zero == trunc(affine->zero) && maximum <= ldexp(1.0, wide->bits);
    if (is_exact)
        return stays(1.0, maximum, affine->scale, wide->smallest, wide->highest) ? STN_RETURNS_ALL
                                                                                 : STN_RETURNS_SOME;
    /* The errors of a few roundings stay below half a code. */
    return run->rules.rounding == STN_ROUND_NEAREST && maximum <= ldexp(1.0, wide->bits - 5) &&
                   stays(1.0, maximum, affine->scale, wide->normal * maximum, wide->highest / 2)
               ? STN_RETURNS_ALL
               : STN_RETURNS_SOME;
}

stn_return_kind stn_run_returns(const stn_run *run)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const range wide = range_of(run);
    if (run->rules.counters || run->entry->info.kind == STN_CLASS_REGISTERED ||
        stn_format_describe(run->real, &info) != STN_OK)
        return STN_RETURNS_SOME;
    if (run->arithmetic == STN_I64)
        return run->zero == 0 || info.bits < 64 ? STN_RETURNS_ALL : STN_RETURNS_SOME;
    return info.kind == STN_CLASS_INTEGER ? of_integer(run, &info, &wide)
                                          : of_float(run, &info, &wide);
}
