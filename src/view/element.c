/* Single elements, with all checks. */
#include "core/status.h"
#include "steno/complex.h"
#include "view/number.h"
#include "view/scales.h"

/* How one element is stored: with its own scale, where it has one. */
static stn_storage storage_at(const stn_view *view, const int64_t *indices)
{
    stn_storage storage = view->storage;
    storage.scale = stn_scale_at(view, indices);
    return storage;
}

static stn_status get(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, void *value)
{
    void *address = NULL;
    if (!value)
        return stn_fail(STN_ERR_ARGUMENT, "%s: value is NULL", call);
    STN_TRY(stn_view_locate(call, view, count, indices, &address));
    const stn_storage storage = storage_at(view, indices);
    return stn_decode(arithmetic, value, &storage, address, 1, 1);
}

static stn_status set(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, const void *value)
{
    void *address = NULL;
    STN_TRY(stn_view_locate(call, view, count, indices, &address));
    STN_TRY(stn_view_writable(call, view));
    const stn_storage storage = storage_at(view, indices);
    const int64_t number = (int64_t)stn_view_number(view, indices);
    return stn_encode(arithmetic, &storage, address, 1, number, value, 1);
}

stn_status stn_view_get(const stn_view *view, int count, const int64_t *indices, double *value)
{
    return get("stn_view_get", STN_F64, view, count, indices, value);
}

stn_status stn_view_set(const stn_view *view, int count, const int64_t *indices, double value)
{
    return set("stn_view_set", STN_F64, view, count, indices, &value);
}

stn_status stn_view_get_complex(const stn_view *view, int count, const int64_t *indices,
                                stn_c128 *value)
{
    return get("stn_view_get_complex", STN_C128, view, count, indices, value);
}

stn_status stn_view_set_complex(const stn_view *view, int count, const int64_t *indices,
                                stn_c128 value)
{
    return set("stn_view_set_complex", STN_C128, view, count, indices, &value);
}
