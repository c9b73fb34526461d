/* stn_view_convert: a new view with the elements of another one in another format. */
#include "core/modes.h"
#include "core/status.h"
#include "view/create.h"
#include "view/scales.h"

static int is_default(const stn_view *view)
{
    return view->storage.scale == 1.0 && view->storage.zero == 0.0 && !stn_view_has_scales(view);
}

/* Scales where values would be rounded to integers, or would overflow. */
static stn_status fit(const stn_exec *exec, stn_view *view, const stn_view *from)
{
    stn_format_info to = STN_FORMAT_INFO_INIT, of = STN_FORMAT_INFO_INIT;
    stn_view fitted = *view;
    STN_TRY(stn_format_describe(view->storage.format, &to));
    STN_TRY(stn_format_describe(from->storage.format, &of));
    if (!is_default(view) || to.kind > STN_CLASS_INTEGER || of.kind == STN_CLASS_COMPLEX ||
        of.kind == STN_CLASS_OPAQUE)
        return STN_OK;
    STN_TRY(stn_view_fit_scales(exec, &fitted, from, STN_SCALE_POWER_OF_TWO));
    const int are_integers = of.kind == STN_CLASS_INTEGER && is_default(from);
    if (fitted.storage.scale > 1.0 || (to.kind == STN_CLASS_INTEGER && !are_integers))
        view->storage.scale = fitted.storage.scale;
    return STN_OK;
}

static stn_status convert(const stn_exec *exec, stn_view *view, const stn_view *from,
                          stn_storage storage)
{
    static const char call[] = "stn_view_convert";
    stn_view result;
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    STN_TRY(stn_view_check(call, from));
    if (stn_view_is_empty(from))
        return stn_fail(STN_ERR_ARGUMENT, "%s: from is " STN_EMPTY_VIEW, call);
    const stn_layout layout = stn_layout_of(
        stn_view_layout(from) == STN_LAYOUT_LEFT ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
    STN_TRY(stn_view_create_in(call, &result, exec, STN_SPACE_HOST, from->label, storage, &layout,
                               from->rank, from->extent, STN_CREATE_UNINITIALIZED));
    stn_status status = fit(exec, &result, from);
    if (status == STN_OK)
        status = stn_view_copy(exec, &result, from);
    if (status != STN_OK) {
        stn_view_release(&result);
        return status;
    }
    *view = result;
    return STN_OK;
}

stn_status stn_view_convert(const stn_exec *exec, stn_view *view, const stn_view *from,
                            stn_storage storage)
{
    STN_RETURN_IN_MODES(convert(exec, view, from, storage));
}
