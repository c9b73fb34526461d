/* Formats of what preconditioners store. */
#ifndef STENO_SOLVER_FACTOR_FORMAT_H
#define STENO_SOLVER_FACTOR_FORMAT_H

#include "core/status.h"
#include "format/registry.h"

/* Of a number, or of each part of a complex one. */
static inline const stn_format_info *stn_parts_info(stn_format format)
{
    return &stn_format_entry_of(stn_format_entry_of(format)->info.component)->info;
}

/* What factors of a matrix are stored in where this is asked for: of a complex one, pairs of f64,
 * f32 and f16 too. */
static inline stn_format stn_factor_format(stn_format format, int is_complex)
{
    return !is_complex         ? format
           : format == STN_F64 ? STN_C128
           : format == STN_F32 ? STN_C64
           : format == STN_F16 ? STN_C32
                               : format;
}

/* Whether values of this largest magnitude are stored with a scale: always in formats of less range
 * than f32; in those of its range if f32 has no normal number of that magnitude. */
static inline int stn_factor_needs_scale(const stn_format_info *info, double most)
{
    if (most == 0.0)
        return 0;
    if (info->kind == STN_CLASS_INTEGER || info->exponent_bits < 8)
        return 1;
    return info->exponent_bits == 8 && (most > info->highest || most < 0x1p-126);
}

/* STN_ERR_FORMAT, and STN_ERR_UNSUPPORTED unless it holds real numbers with a sign, or of a complex
 * matrix complex ones. */
static inline stn_status stn_expect_factor_format(const char *call, stn_format asked,
                                                  int is_complex)
{
    const stn_format_entry *const entry = stn_format_entry_of(stn_factor_format(asked, is_complex));
    if (!entry)
        return STN_ERR_FORMAT;
    const stn_format_info *const info = &entry->info;
    if (is_complex && info->kind != STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format %s has no complex numbers", call,
                        info->name);
    if (!is_complex &&
        ((info->kind != STN_CLASS_FLOAT && info->kind != STN_CLASS_INTEGER) || !info->is_signed))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format %s has no real numbers with a sign", call,
                        info->name);
    return STN_OK;
}

#endif
