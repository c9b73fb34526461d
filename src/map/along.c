/* Data sent with a launch: scales, offsets of custom layouts, and counters and flags that kernels
 * write. */
#include "map/along.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "view/blocks.h"
#include "view/remote.h"
#include "view/scale_run.h"

/* ---- scales, and offsets of custom layouts ---- */

int64_t stn_described_step(const stn_mapping *mapping, int dimension)
{
    uint64_t step = 1; /* wraps for empty views */
    for (int m = dimension + 1; m < mapping->rank; m++)
        step *= (uint64_t)mapping->extent[m];
    return (int64_t)step;
}

/* Reserves this number of bytes, and a constant with their offset. */
static stn_status add_extra(stn_description *r, const char *name, int64_t bytes, int *number,
                            void **buffer)
{
    const int64_t begin = (r->extra_bytes + STN_LINE - 1) / STN_LINE * STN_LINE;
    char *more;
    STN_TRY(stn_allocate(&more, begin + bytes, 1, name));
    if (r->extra_bytes > 0)
        memcpy(more, r->extra, (size_t)r->extra_bytes);
    memset(more + r->extra_bytes, 0, (size_t)(begin - r->extra_bytes)); /* all bytes are compared */
    stn_free(r->extra);
    r->extra = more;
    r->extra_bytes = begin + bytes;
    r->source->has_extra = 1;
    *number = stn_describe_number(r, begin);
    *buffer = more + begin;
    return STN_OK;
}

/* Scales are in host memory, where they are checked. Those of all elements, from the lowest address
 * to the highest, are sent. */
static stn_status add_scales(stn_description *r, const stn_described *of, stn_source_view *v)
{
    const stn_view *const view = of->slot->view;
    const stn_scales all = stn_scales_of(view), *const scales = &all;
    int64_t lowest, highest;
    void *buffer;
    stn_scales_reach(view, scales, &lowest, &highest);
    v->scales = stn_describe_number(r, -lowest);
    (void)stn_describe_number(r, scales->phase);
    (void)stn_describe_number(r, scales->block);
    v->scale_dimension = -1;
    for (int d = 0; d < of->rank; d++) {
        const int own = of->own[d];
        const int64_t stride = own < 0 ? 0 : scales->stride[own];
        (void)stn_describe_number(r, stride);
        v->scale_step[d] = stride != 0;
        if (own >= 0 && own == scales->dimension)
            v->scale_dimension = d;
    }
    const int64_t count = highest - lowest + 1;
    r->reach = (uint64_t)count > r->reach ? (uint64_t)count : r->reach;
    STN_TRY(add_extra(r, of->name, count * v->scale_bytes, &v->scales_at, &buffer));
    memcpy(buffer, (const char *)scales->data + lowest * v->scale_bytes,
           (size_t)(count * v->scale_bytes));
    return STN_OK;
}

/* Offsets of all elements of the mapped array in C order. */
static stn_status add_offsets(stn_description *r, const stn_described *of, stn_source_view *v)
{
    const stn_mapping *const mapping = stn_view_mapping(of->slot->view);
    const int64_t count = stn_described_step(mapping, -1);
    int64_t index[STN_MAX_RANK] = {0}, *places;
    void *buffer;
    STN_TRY(add_extra(r, of->name, count * (int64_t)sizeof *places, &v->places_at, &buffer));
    places = buffer;
    for (int64_t k = 0; k < count; k++) {
        places[k] = stn_mapping_offset(mapping, index);
        (void)stn_nest_next(mapping->rank, mapping->extent, index);
    }
    return STN_OK;
}

stn_status stn_describe_along(stn_description *r, const stn_described *of, stn_source_view *v)
{
    if (stn_view_count(of->slot->view) == 0)
        return STN_OK;
    if (v->scale_bytes)
        STN_TRY(add_scales(r, of, v));
    return v->layout == STN_SOURCE_TABLE ? add_offsets(r, of, v) : STN_OK;
}

/* ---- flags of accesses beyond the radius, and counters ---- */

enum { COUNTER_WORDS = sizeof(stn_counters) / 4 };

void stn_describe_counters(stn_description *r, stn_counters *counters, stn_source_view *v)
{
    v->counts = STN_MAX_PARAMETERS + r->counted * COUNTER_WORDS;
    r->counters[r->counted++] = counters;
    r->source->reports = 1;
}

static size_t bytes_of_words(const stn_description *r)
{
    return (size_t)(STN_MAX_PARAMETERS + r->counted * COUNTER_WORDS) * 4;
}

static stn_status acquire_words(stn_description *r)
{
    const size_t bytes = bytes_of_words(r);
    STN_TRY(
        stn_device_acquire_scratch(r->device, r->launch->kernel->name, (int64_t)bytes, &r->words));
    STN_TRY(stn_device_fill(r->device, r->words->memory, 0, bytes));
    return stn_describe_memory(r, r->words->memory);
}

stn_status stn_describe_declared(stn_description *r, int *beyond)
{
    int32_t words[STN_MAX_PARAMETERS + STN_DESCRIBED_ARGUMENTS * COUNTER_WORDS];
    if (!r->words)
        return STN_OK;
    STN_TRY(stn_device_copy(r->device, words, r->words->memory, bytes_of_words(r)));
    STN_TRY(stn_device_wait(r->device));
    for (int at = 0; at < r->launch->kernel->count && beyond; at++)
        beyond[at] = words[at];
    for (int k = 0; k < r->counted; k++)
        stn_remote_count(r->counters[k], words + STN_MAX_PARAMETERS + k * COUNTER_WORDS);
    return STN_OK;
}

/* ---- elements in blocks, stored in any order ---- */

static stn_status add_stage(stn_description *r, stn_described_stage stage)
{
    stn_described_stage *more;
    STN_TRY(stn_allocate(&more, r->stages + 1, sizeof *more, r->launch->kernel->name));
    if (r->stages > 0)
        memcpy(more, r->stage, (size_t)r->stages * sizeof *more);
    more[r->stages++] = stage;
    stn_free(r->stage);
    r->stage = more;
    return STN_OK;
}

/* Positions from the lowest offset to the highest. */
stn_status stn_describe_stage(stn_description *r, const stn_view *view, stn_source_view *v)
{
    static const int64_t zero[STN_MAX_RANK];
    int64_t strides[STN_MAX_RANK], before = 0, after = 0;
    stn_blocks_strides(view, strides);
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach = view->extent[d] > 1 ? (view->extent[d] - 1) * strides[d] : 0;
        before -= reach < 0 ? reach : 0;
        after += reach > 0 ? reach : 0;
    }
    const int64_t begin = r->staged_count + before;
    r->staged_count = begin + after + 1;
    v->staged = stn_describe_number(r, begin - stn_view_element_offset(view, zero));
    r->source->stages = 1;
    return add_stage(r, (stn_described_stage){view, begin});
}

static stn_status acquire_stages(stn_description *r)
{
    const int64_t bytes = r->staged_count * (int64_t)sizeof(double);
    STN_TRY(stn_device_acquire_scratch(r->device, r->launch->kernel->name, bytes, &r->staged));
    STN_TRY(stn_device_fill(r->device, r->staged->memory, 0xff, (size_t)bytes));
    return stn_describe_memory(r, r->staged->memory);
}

stn_status stn_describe_encode(const stn_description *r)
{
    for (int k = 0; k < r->stages; k++) {
        stn_view codes = *r->stage[k].view;
        stn_blocks_strides(r->stage[k].view, codes.stride);
        codes.data = (double *)r->staged->memory + r->stage[k].begin;
        codes.storage = stn_storage_of(STN_F64);
        codes.space = STN_SPACE_DEVICE;
        codes.owner = r->stage[k].view->owner; /* which is on the same device */
        codes.extra = NULL;
        codes.traits = 0;
        codes.first = 0;
        STN_TRY(stn_launch_error_prefix(
            r->launch, stn_remote_encode(r->launch->exec, r->stage[k].view, &codes)));
    }
    return STN_OK;
}

/* ---- sending ---- */

static stn_status send_extra(stn_description *r)
{
    void *memory;
    if (r->extra_bytes == 0)
        return STN_OK;
    STN_TRY(stn_device_constant_get(r->device, r->launch->kernel->name, r->extra,
                                    (size_t)r->extra_bytes, &r->constant, &memory));
    return stn_describe_memory(r, memory);
}

stn_status stn_describe_send(stn_description *r)
{
    STN_TRY(send_extra(r));
    if (r->source->reports && !r->source->is_host)
        STN_TRY(acquire_words(r));
    return r->stages > 0 ? acquire_stages(r) : STN_OK;
}

void stn_describe_release(stn_description *r)
{
    stn_free(r->extra);
    stn_free(r->stage);
    stn_device_constant_release(r->device, r->constant);
    stn_device_return_scratch(r->device, r->words);
    stn_device_return_scratch(r->device, r->staged);
}
