/* Filling views: copies of one value. */
#include <math.h>
#include <string.h>

#include "core/modes.h"
#include "core/status.h"
#include "view/copy/copy.h"
#include "view/scale_run.h"
#include "view/trace.h"

/* Returns whether all elements get the same code: no stochastic rounding of a finite value, no
 * scale per element, and a size that a format of the library may have. */
static int is_one_code(const stn_view *view, const stn_run *run, double value)
{
    const int draws = view->storage.rounding == STN_ROUND_STOCHASTIC && isfinite(value);
    return !draws && !stn_view_has_scales(view) && run->bytes <= STN_CODE_BYTES &&
           run->entry->info.alignment <= STN_CODE_BYTES;
}

void stn_counters_add(stn_counters *counters, const stn_counters *events, int64_t count)
{
    if (!counters)
        return;
    __atomic_fetch_add(&counters->saturated, events->saturated * count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters->underflowed, events->underflowed * count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters->nan, events->nan * count, __ATOMIC_RELAXED);
}

static stn_status fill_by_code(const stn_exec *exec, const stn_view *view, stn_run *run,
                               const void *value)
{
    _Alignas(STN_CODE_BYTES) char code[STN_CODE_BYTES];
    stn_counters events = {0, 0, 0};
    const int64_t count = stn_view_count(view);
    if (count == 0)
        return STN_OK;
    if (run->rules.counters)
        run->rules.counters = &events;
    stn_run_encode(run, value, code, 1, 0, 1);
    stn_counters_add(view->storage.counters, &events, count);
    return stn_fill_codes("stn_view_fill", exec, view, code);
}

static stn_status check(const stn_view *view, const stn_format_info *info)
{
    if (info->kind == STN_CLASS_OPAQUE)
        return stn_fail(
            STN_ERR_FORMAT,
            "stn_view_fill: elements of %s are opaque and cannot be filled with a number",
            stn_view_text(view));
    if (!stn_view_is_unique(view))
        return stn_fail(STN_ERR_ALIAS, "stn_view_fill: %s repeats elements", stn_view_text(view));
    return stn_scales_check("stn_view_fill", STN_F64, view);
}

static stn_status fill(const stn_exec *exec, const stn_view *view, double value)
{
    const double parts[2] = {value, 0.0};
    stn_unscaled copy;
    stn_run run;
    STN_TRY(stn_copy_expect("stn_view_fill", exec, view, view));
    if (stn_view_is_empty(view))
        return STN_OK;
    view = stn_view_with_one_scale(view, &copy);
    const stn_format_info *info = &stn_format_entry_of(view->storage.format)->info;
    const stn_format arithmetic = info->kind == STN_CLASS_COMPLEX ? STN_C128 : STN_F64;
    stn_storage storage = view->storage;
    if (stn_view_has_scales(view))
        storage.scale = 1.0; /* replaced by the scale of each element */
    STN_TRY(check(view, info));
    const stn_status result = stn_run_init_in_modes(&run, arithmetic, &storage);
    if (result != STN_OK)
        return stn_view_error_prefix("stn_view_fill", view, result);
    const stn_view from = stn_view_repeated(stn_storage_of(arithmetic), parts, view);
    const uint64_t id = stn_trace_begin("fill", view);
    const stn_status status = is_one_code(view, &run, value)
                                  ? fill_by_code(exec, view, &run, parts)
                                  : stn_copy_elements("stn_view_fill", exec, view, &from);
    stn_trace_end("fill", view, id);
    return status;
}

stn_status stn_view_fill(const stn_exec *exec, const stn_view *view, double value)
{
    STN_RETURN_IN_MODES(fill(exec, view, value));
}
