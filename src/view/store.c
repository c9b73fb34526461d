/* See store.h. */
#define _GNU_SOURCE
#include "view/store.h"

#include <string.h>
#include <sys/mman.h>

#include "core/memory.h"
#include "view/create.h"
#include "view/layout/shape.h"
#include "view/view.h"

/* A store with its range of addresses. */
typedef struct reserved_store {
    stn_store store;
    void *data;
    size_t bytes;
} reserved_store;

static void free_store(void *data, void *context)
{
    reserved_store *const reserved = context;
    (void)data;
    reserved->store.release(reserved->store.context);
    munmap(reserved->data, reserved->bytes);
    stn_free(reserved);
}

/* The bytes of all tiles; a page for an empty view. 0: overflow. */
static size_t bytes_of(const stn_view_spec *spec, const int64_t *tile)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    if (stn_format_describe(spec->storage.format, &info) != STN_OK)
        return 0;
    int64_t bytes = info.bytes;
    for (int d = 0; d < spec->rank; d++)
        if (__builtin_mul_overflow(bytes, (spec->extents[d] + tile[d] - 1) / tile[d] * tile[d],
                                   &bytes))
            return 0;
    return bytes > 4096 ? (size_t)bytes : 4096;
}

static stn_status reserve(const stn_view_spec *spec, const int64_t *tile, const stn_store *store,
                          reserved_store **reserved)
{
    const size_t bytes = bytes_of(spec, tile);
    STN_TRY(stn_allocate(reserved, 1, sizeof **reserved, "view without memory"));
    **reserved = (reserved_store){*store, MAP_FAILED, bytes};
    if (bytes > 0)
        (*reserved)->data =
            mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((*reserved)->data != MAP_FAILED)
        return STN_OK;
    stn_free(*reserved);
    return stn_fail(STN_ERR_MEMORY, "view %s: there are too few addresses for its elements",
                    spec->label ? spec->label : "");
}

stn_status stn_view_create_stored(stn_view *view, const stn_view_spec *spec, const int64_t *tile,
                                  const stn_store *store)
{
    const stn_layout layout = stn_layout_tiled(spec->rank, tile, STN_LAYOUT_RIGHT);
    stn_view_spec known = *spec;
    reserved_store *reserved;
    memset(view, 0, sizeof *view);
    STN_TRY(reserve(spec, tile, store, &reserved));
    known.size = sizeof known;
    known.layout = &layout;
    known.data = reserved->data;
    known.free_data = free_store;
    known.context = reserved;
    const stn_status status = stn_view_adopt_any("stn_view_create", view, &known);
    if (status != STN_OK) {
        munmap(reserved->data, reserved->bytes);
        stn_free(reserved);
        return status;
    }
    ((stn_mapping *)(uintptr_t)view->extra->mapping)->store = &reserved->store; /* not shared yet */
    return STN_OK;
}

stn_status stn_view_expect_memory(const char *call, const stn_view *view)
{
    const stn_store *const store = stn_view_store(view);
    return store ? stn_fail(STN_ERR_UNSUPPORTED,
                            "%s: %s is %s: this operation requires elements in memory", call,
                            stn_view_text(view), store->state)
                 : STN_OK;
}
