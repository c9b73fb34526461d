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

/* Magnitudes of the scales. */
typedef struct scale_range {
    double least, greatest;
    int are_one, are_exact; /* powers of two whose inverses are exact, too */
} scale_range;

/* Do the scaled values from `smallest` to `highest` stay between these bounds? */
static int stays(double smallest, double highest, const scale_range *scales, double minimum,
                 double maximum)
{
    return smallest * scales->least >= minimum && highest * scales->greatest <= maximum;
}

static stn_return_kind of_float(const stn_run *run, const stn_format_info *info, const range *wide,
                                const scale_range *scales)
{
    const int bits = info->fraction_bits + 1;
    if (bits > wide->bits || run->affine.zero != 0.0)
        return STN_RETURNS_SOME;
    if (scales->are_one)
        return STN_RETURNS_FINITE;
    /* Other scales than exact ones: values are rounded twice to more digits than the format has. */
    if (scales->are_exact)
        return stays(info->smallest, info->highest, scales, wide->smallest, wide->highest)
                   ? STN_RETURNS_FINITE
                   : STN_RETURNS_SOME;
    return run->rules.rounding == STN_ROUND_NEAREST && bits + 3 <= wide->bits &&
                   stays(info->smallest, info->highest, scales, wide->normal, wide->highest / 2)
               ? STN_RETURNS_FINITE
               : STN_RETURNS_SOME;
}

static stn_return_kind of_integer(const stn_run *run, const stn_format_info *info,
                                  const range *wide, const scale_range *scales)
{
    const double zero = run->affine.zero, maximum = ldexp(1.0, info->bits) + fabs(zero);
    const int is_exact =
        scales->are_exact && zero == trunc(zero) && maximum <= ldexp(1.0, wide->bits);
    if (is_exact)
        return stays(1.0, maximum, scales, wide->smallest, wide->highest) ? STN_RETURNS_ALL
                                                                          : STN_RETURNS_SOME;
    /* The errors of a few roundings stay below half a code. */
    return run->rules.rounding == STN_ROUND_NEAREST && maximum <= ldexp(1.0, wide->bits - 5) &&
                   stays(1.0, maximum, scales, wide->normal * maximum, wide->highest / 2)
               ? STN_RETURNS_ALL
               : STN_RETURNS_SOME;
}

static stn_return_kind find_returns(const stn_run *run, const scale_range *scales)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const range wide = range_of(run);
    if (run->entry->info.kind == STN_CLASS_REGISTERED ||
        stn_format_describe(run->real, &info) != STN_OK)
        return STN_RETURNS_SOME;
    if (run->arithmetic == STN_I64)
        return !run->rules.counters && (run->zero == 0 || info.bits < 64) ? STN_RETURNS_ALL
                                                                          : STN_RETURNS_SOME;
    return info.kind == STN_CLASS_INTEGER ? of_integer(run, &info, &wide, scales)
                                          : of_float(run, &info, &wide, scales);
}

stn_return_kind stn_run_returns(const stn_run *run)
{
    const stn_affine *const affine = &run->affine;
    const double scale = fabs(affine->scale);
    const scale_range scales = {scale, scale, affine->plain,
                                affine->plain || affine->inverse != 0.0};
    return find_returns(run, &scales);
}

stn_return_kind stn_run_returns_scaled(const stn_run *run, double least, double greatest)
{
    const scale_range scales = {.least = least, .greatest = greatest};
    return find_returns(run, &scales);
}
