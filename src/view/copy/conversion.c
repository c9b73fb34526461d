/* Conversion of elements of one view to elements of another. */
#include "core/status.h"
#include "format/integer64.h"
#include "view/copy/copy.h"
#include "view/number.h"
#include "view/overlap.h"
#include "view/scale_run.h"

static int is_plain(const stn_view *view)
{
    return !stn_view_has_scales(view) && view->storage.scale == 1.0 && view->storage.zero == 0.0;
}

/* Returns whether all values of the format, or of its parts, are exact in f32. */
static int fits_f32(const stn_format_info *info)
{
    if (info->kind == STN_CLASS_INTEGER)
        return info->bits <= 24;
    return (info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_COMPLEX) &&
           info->exponent_bits <= 8 && info->fraction_bits <= 23;
}

static int same_codes(const stn_view *to, const stn_view *from, const stn_format_info *info)
{
    if (to->storage.format != from->storage.format)
        return 0;
    if (info->kind == STN_CLASS_OPAQUE)
        return 1;
    return stn_view_same_scales(to, from) && to->storage.zero == from->storage.zero;
}

/* 128 bits hold the difference of two such zero points, and codes shifted by it. */
static int is_whole(double zero)
{
    return zero > -0x1p125 && zero < 0x1p125 && zero == (double)(stn_wide)zero;
}

static int stays_integer(const stn_view *view, const stn_format_info *info)
{
    return info->kind == STN_CLASS_INTEGER && !stn_view_has_scales(view) &&
           view->storage.scale == 1.0 && is_whole(view->storage.zero);
}

static stn_format arithmetic_of(const stn_view *to, const stn_format_info *a, const stn_view *from,
                                const stn_format_info *b)
{
    const int narrow = fits_f32(a) && fits_f32(b) && is_plain(to) && is_plain(from);
    if (a->kind == STN_CLASS_COMPLEX)
        return narrow ? STN_C64 : STN_C128;
    if (stays_integer(to, a) && stays_integer(from, b))
        return STN_I64;
    return narrow ? STN_F32 : STN_F64;
}

/* Scales per element replace that of the storage. Integers are shifted when they are stored. */
static stn_status init_run(stn_run *run, const char *call, stn_format arithmetic,
                           const stn_exec *exec, const stn_view *view)
{
    stn_storage storage = view->storage;
    if (stn_view_has_scales(view))
        storage.scale = 1.0;
    if (arithmetic == STN_I64)
        storage.zero = 0.0;
    const stn_status status = stn_run_init(run, arithmetic, &storage);
    if (status != STN_OK)
        return stn_view_error_prefix(call, view, status);
    stn_view_number_run(run, view);
    if (stn_exec_is_reference(exec))
        stn_run_use_scalar(run);
    return STN_OK;
}

/* Integers are exact: the stored code is the code read, shifted by the difference of the zero
 * points. */
static void keep_integers(stn_conversion *conversion, double to_zero, double from_zero)
{
    stn_run *to = &conversion->to;
    to->zero = (stn_wide)to_zero - (stn_wide)from_zero;
    to->values = conversion->from.real == STN_U64 ? STN_RUN_OF_UNSIGNED : STN_RUN_OF_SIGNED;
}

/* Returns whether 64-bit integers would be rounded to doubles before they are rounded to the
 * format. */
static int rounds_twice(const stn_view *to, const stn_format_info *a, const stn_view *from,
                        const stn_format_info *b)
{
    return b->kind == STN_CLASS_INTEGER && b->bits == 64 && is_plain(from) &&
           a->kind == STN_CLASS_FLOAT && is_plain(to) &&
           (a->bits < 64 || to->storage.rounding != STN_ROUND_NEAREST);
}

void stn_conversion_widen(const stn_conversion *conversion, void *values, int64_t count)
{
    if (conversion->widens)
        stn_widen_integers(values, count, conversion->from.real == STN_U64, conversion->to.real,
                           conversion->to.rules.rounding);
}

stn_status stn_conversion_init(stn_conversion *conversion, int *moves, const char *call,
                               const stn_exec *exec, const stn_view *to, const stn_view *from)
{
    const stn_format_info *a = &stn_format_entry_of(to->storage.format)->info;
    const stn_format_info *b = &stn_format_entry_of(from->storage.format)->info;
    *moves = same_codes(to, from, a);
    if (*moves)
        return STN_OK;
    if (a->kind == STN_CLASS_OPAQUE || b->kind == STN_CLASS_OPAQUE ||
        (a->kind == STN_CLASS_COMPLEX) != (b->kind == STN_CLASS_COMPLEX))
        return stn_fail(STN_ERR_FORMAT, "%s: elements of %s cannot be converted to those of %s",
                        call, stn_view_text(from), stn_view_text(to));
    const stn_format arithmetic = arithmetic_of(to, a, from, b);
    STN_TRY(init_run(&conversion->to, call, arithmetic, exec, to));
    conversion->widens = arithmetic == STN_F64 && rounds_twice(to, a, from, b);
    STN_TRY(
        init_run(&conversion->from, call, conversion->widens ? STN_I64 : arithmetic, exec, from));
    if (arithmetic == STN_I64)
        keep_integers(conversion, to->storage.zero, from->storage.zero);
    conversion->value_bytes =
        stn_arithmetic_bytes(conversion->to.arithmetic) * conversion->to.parts;
    STN_TRY(stn_scales_check(call, conversion->to.arithmetic, to));
    return stn_scales_check(call, conversion->from.arithmetic, from);
}
