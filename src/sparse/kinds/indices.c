/* Arrays of indices in views. */
#include "sparse/kinds/indices.h"

#include "core/status.h"
#include "format/registry.h"
#include "view/view.h"

stn_status stn_indices_init(stn_indices *result, const char *call, const char *matrix,
                            const char *what, const stn_view *view, int rank)
{
    if (stn_view_is_empty(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: matrix %s: %s is missing", call, matrix, what);
    STN_TRY(stn_view_expect(call, view, rank));
    STN_TRY(stn_view_expect_usable(call, NULL, view));
    const stn_format_info *const info = &stn_format_entry_of(view->storage.format)->info;
    if (info->kind != STN_CLASS_INTEGER || view->storage.scale != 1.0 ||
        view->storage.zero != 0.0 || stn_view_has_scales(view))
        return stn_fail(STN_ERR_FORMAT, "%s: matrix %s: %s, %s, must be integers without scales",
                        call, matrix, what, stn_view_text(view));
    result->call = call;
    result->matrix = matrix;
    result->what = what;
    result->count = view->extent[0];
    return stn_reader_init(&result->reader, call, NULL, STN_I64, view);
}
