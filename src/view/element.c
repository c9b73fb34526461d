/* Single elements, with all checks. */
#include "core/modes.h"
#include "core/status.h"
#include "format/run.h"
#include "steno/complex.h"
#include "view/number.h"
#include "view/scales.h"

/* Locates an element, and describes its storage, including its own scale if it has one. */
static stn_status locate(const char *call, stn_format arithmetic, const stn_view *view, int count,
                         const int64_t *indices, void **address, stn_run *run)
{
    STN_TRY(stn_view_locate(call, view, count, indices, address));
    stn_storage storage = view->storage;
    storage.scale = stn_scale_at(view, indices);
    const stn_status status = stn_run_init_in_modes(run, arithmetic, &storage);
    return status == STN_OK ? STN_OK : stn_view_error_prefix(call, view, status);
}

/* Returns whether the bytes of a value and of a code overlap. */
static int overlap(const void *value, int64_t value_bytes, const void *code, int64_t code_bytes)
{
    const uintptr_t a = (uintptr_t)value, b = (uintptr_t)code;
    return a < b + (uintptr_t)code_bytes && b < a + (uintptr_t)value_bytes;
}

static stn_status get(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, void *value)
{
    void *address = NULL;
    stn_run run;
    if (!value)
        return stn_fail(STN_ERR_ARGUMENT, "%s: value is NULL", call);
    STN_TRY(locate(call, arithmetic, view, count, indices, &address, &run));
    if (overlap(value, stn_arithmetic_bytes(arithmetic), address, run.bytes))
        return stn_fail(STN_ERR_ALIAS, "%s: %s: value points into its memory", call,
                        stn_view_text(view));
    stn_run_decode(&run, value, address, 1, 1);
    return STN_OK;
}

static stn_status set(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, const void *value)
{
    void *address = NULL;
    stn_run run;
    STN_TRY(locate(call, arithmetic, view, count, indices, &address, &run));
    STN_TRY(stn_view_writable(call, view));
    STN_TRY(stn_view_expect_stored(call, view, indices));
    const int64_t number = (int64_t)stn_view_number(view, indices);
    stn_run_encode(&run, value, address, 1, number, 1);
    return STN_OK;
}

stn_status stn_view_get(const stn_view *view, int count, const int64_t *indices, double *value)
{
    STN_RETURN_IN_MODES(get("stn_view_get", STN_F64, view, count, indices, value));
}

stn_status stn_view_set(const stn_view *view, int count, const int64_t *indices, double value)
{
    STN_RETURN_IN_MODES(set("stn_view_set", STN_F64, view, count, indices, &value));
}

stn_status stn_view_get_complex(const stn_view *view, int count, const int64_t *indices,
                                stn_c128 *value)
{
    STN_RETURN_IN_MODES(get("stn_view_get_complex", STN_C128, view, count, indices, value));
}

stn_status stn_view_set_complex(const stn_view *view, int count, const int64_t *indices,
                                stn_c128 value)
{
    STN_RETURN_IN_MODES(set("stn_view_set_complex", STN_C128, view, count, indices, &value));
}
