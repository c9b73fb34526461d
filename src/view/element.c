/* Single elements, with all checks. */
#include "core/modes.h"
#include "core/status.h"
#include "format/run.h"
#include "steno/complex.h"
#include "view/layout/lines.h"
#include "view/number.h"
#include "view/scales.h"
#include "view/store.h"

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

/* Elements that are not in memory have at most STN_CODE_BYTES bytes. */
static void move_stored(const stn_view *view, const int64_t *indices, int64_t bytes, void *code,
                        int stores)
{
    stn_view_line line = {.dimension = -1, .count = 1};
    memcpy(line.index, indices, (size_t)view->rank * sizeof *indices);
    if (stores)
        stn_view_line_scatter(view, &line, bytes, code);
    else
        stn_view_line_gather(view, &line, bytes, code);
}

static stn_status get(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, void *value)
{
    _Alignas(STN_CODE_BYTES) char code[STN_CODE_BYTES];
    void *address = NULL;
    stn_run run;
    if (!value)
        return stn_fail(STN_ERR_ARGUMENT, "%s: value is NULL", call);
    STN_TRY(locate(call, arithmetic, view, count, indices, &address, &run));
    if (stn_view_store(view)) {
        move_stored(view, indices, run.bytes, code, 0);
        address = code;
    }
    if (overlap(value, stn_arithmetic_bytes(arithmetic), address, run.bytes))
        return stn_fail(STN_ERR_ALIAS, "%s: %s: value points into its memory", call,
                        stn_view_text(view));
    stn_run_decode(&run, value, address, 1, 1);
    return STN_OK;
}

static stn_status set(const char *call, stn_format arithmetic, const stn_view *view, int count,
                      const int64_t *indices, const void *value)
{
    _Alignas(STN_CODE_BYTES) char code[STN_CODE_BYTES];
    void *address = NULL;
    stn_run run;
    STN_TRY(locate(call, arithmetic, view, count, indices, &address, &run));
    STN_TRY(stn_view_writable(call, view));
    STN_TRY(stn_view_expect_stored(call, view, indices));
    const int64_t number = (int64_t)stn_view_number(view, indices);
    stn_run_encode(&run, value, stn_view_store(view) ? code : address, 1, number, 1);
    if (stn_view_store(view))
        move_stored(view, indices, run.bytes, code, 1);
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
