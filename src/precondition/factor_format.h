/* Formats in which preconditioners are stored. */
#ifndef STENO_PRECONDITION_FACTOR_FORMAT_H
#define STENO_PRECONDITION_FACTOR_FORMAT_H

#include "core/status.h"
#include "format/registry.h"

/* Format of a real number, or of each part of a complex one. */
static inline const stn_format_info *stn_parts_info(stn_format format)
{
    return &stn_format_entry_of(stn_format_entry_of(format)->info.component)->info;
}

/* Format in which factors are stored for a requested format: complex matrices use pairs of f64, f32
 * and f16. */
static inline stn_format stn_factor_format(stn_format format, int is_complex)
{
    return !is_complex         ? format
           : format == STN_F64 ? STN_C128
           : format == STN_F32 ? STN_C64
           : format == STN_F16 ? STN_C32
                               : format;
}

/* Are values with this largest magnitude stored with a scale? Always in formats with a smaller
 * range than f32; in formats with that range if the magnitude is not a normal number of f32. */
static inline int stn_factor_needs_scale(const stn_format_info *info, double max)
{
    if (max == 0.0)
        return 0;
    if (info->kind == STN_CLASS_INTEGER || info->exponent_bits < 8)
        return 1;
    return info->exponent_bits == 8 && (max > info->highest || max < 0x1p-126);
}

/* Checks a format: STN_ERR_FORMAT if it is invalid, STN_ERR_UNSUPPORTED unless it is real and
 * signed or, for a complex matrix, complex. */
static inline stn_status stn_expect_factor_format(const char *call, stn_format asked,
                                                  int is_complex)
{
    const stn_format_entry *const entry = stn_format_entry_of(stn_factor_format(asked, is_complex));
    if (!entry)
        return STN_ERR_FORMAT;
    const stn_format_info *const info = &entry->info;
    if (is_complex && info->kind != STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format %s is not complex, but the matrix is",
                        call, info->name);
    if (!is_complex &&
        ((info->kind != STN_CLASS_FLOAT && info->kind != STN_CLASS_INTEGER) || !info->is_signed))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format %s is not a signed real format", call,
                        info->name);
    return STN_OK;
}

#endif
