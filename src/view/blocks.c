/* Views in block formats. The layout is tiled: a tile is a block, so the offset of an element
 * consists of the number of its block and its number in the block. */
#include "view/blocks.h"

#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/device.h"
#include "exec/exec.h"
#include "view/layout/mapping.h"
#include "view/layout/shape.h"
#include "view/create.h"
#include "view/owner.h"
#include "view/staging.h"
#include "view/view.h"

typedef struct block_store {
    const stn_block_format *format;
    stn_blocks memory;
    int64_t row, row_blocks, blocks; /* elements and blocks of a row; blocks of the array */
    stn_view owned;                  /* the bytes of new memory, or empty */
    const char *name;                /* of the format */
    stn_staging staging;
} block_store;

/* ---- reading ---- */

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The elements of a block: fewer at the end of a row. */
static int64_t elements_of(const block_store *store, int64_t block)
{
    return less(store->format->elements,
                store->row - block % store->row_blocks * store->format->elements);
}

static void decode(const block_store *store, double *values, int64_t block, int64_t count)
{
    store->format->decode(store->format, values, stn_blocks_from(store->memory, block), count);
}

/* Replaces elements that have been stored, but not encoded. */
static void overlay(const stn_staged *staged, double *values, int64_t elements)
{
    for (int64_t k = 0; k < elements; k++)
        if (staged->stored >> k & 1)
            values[k] = staged->values[k];
}

/* Decodes one block with the elements that are waiting. */
static void read_block(block_store *store, double *values, int64_t block)
{
    decode(store, values, block, 1);
    if (atomic_load_explicit(&store->staging.count, memory_order_acquire) == 0)
        return;
    pthread_mutex_lock(&store->staging.lock);
    const stn_staged *const staged = stn_staging_find(&store->staging, block);
    if (staged)
        overlay(staged, values, store->format->elements);
    pthread_mutex_unlock(&store->staging.lock);
}

static void read_run(block_store *store, int64_t offset, int64_t count, double *values)
{
    const int64_t elements = store->format->elements;
    double block[STN_BLOCK_MOST_ELEMENTS];
    while (count > 0) {
        const int64_t first = offset % elements, part = less(count, elements - first);
        const int is_idle = atomic_load_explicit(&store->staging.count, memory_order_acquire) == 0;
        int64_t done = part;
        if (part == elements && is_idle) {
            done = count / elements * elements;
            decode(store, values, offset / elements, count / elements);
        } else {
            read_block(store, block, offset / elements);
            memcpy(values, block + first, (size_t)part * sizeof *values);
        }
        offset += done;
        values += done;
        count -= done;
    }
}

/* ---- writing ---- */

static void encode(const block_store *store, int64_t block, const double *values, int64_t count)
{
    store->format->encode(store->format, stn_blocks_from(store->memory, block), values, count);
}

/* Encodes a block of which all `elements` are given. */
static void write_block(block_store *store, int64_t block, const double *values, int64_t elements)
{
    double whole[STN_BLOCK_MOST_ELEMENTS] = {0};
    memcpy(whole, values, (size_t)elements * sizeof *values);
    encode(store, block, whole, 1);
}

static void forget(block_store *store, int64_t block, int64_t count)
{
    if (atomic_load_explicit(&store->staging.count, memory_order_acquire) == 0)
        return;
    pthread_mutex_lock(&store->staging.lock);
    for (int64_t k = 0; k < count; k++)
        stn_staging_remove(&store->staging, block + k);
    pthread_mutex_unlock(&store->staging.lock);
}

/* Elements first, first + step, ... of a block. */
static void write_some(block_store *store, int64_t block, int64_t first, int64_t step,
                       int64_t count, const double *values)
{
    const int64_t elements = elements_of(store, block);
    const uint64_t all = elements == 64 ? ~(uint64_t)0 : ((uint64_t)1 << elements) - 1;
    pthread_mutex_lock(&store->staging.lock);
    stn_staged *const staged = stn_staging_add(&store->staging, block);
    for (int64_t k = 0; staged && k < count; k++) {
        staged->values[first + k * step] = values[k];
        staged->stored |= (uint64_t)1 << (first + k * step);
    }
    if (staged && staged->stored == all) {
        write_block(store, block, staged->values, elements);
        stn_staging_remove(&store->staging, block);
    }
    pthread_mutex_unlock(&store->staging.lock);
}

static void write_run(block_store *store, int64_t offset, int64_t count, const double *values)
{
    const int64_t elements = store->format->elements;
    while (count > 0) {
        const int64_t block = offset / elements, first = offset % elements;
        const int64_t valid = elements_of(store, block), part = less(count, valid - first);
        int64_t done = part;
        if (part == elements) {
            done = count / elements * elements;
            encode(store, block, values, count / elements);
            forget(store, block, count / elements);
        } else if (part == valid) {
            write_block(store, block, values, valid);
            forget(store, block, 1);
        } else {
            write_some(store, block, first, 1, part, values);
        }
        offset += done;
        values += done;
        count -= done;
    }
}

static void encode_staged(void *context, const stn_staged *staged)
{
    block_store *const store = context;
    const int64_t elements = elements_of(store, staged->block);
    double values[STN_BLOCK_MOST_ELEMENTS];
    decode(store, values, staged->block, 1);
    overlay(staged, values, elements);
    write_block(store, staged->block, values, elements);
}

static void flush(block_store *store)
{
    if (atomic_load_explicit(&store->staging.count, memory_order_acquire) == 0)
        return;
    const stn_modes modes = stn_modes_enter();
    pthread_mutex_lock(&store->staging.lock);
    stn_staging_drain(&store->staging, encode_staged, store);
    pthread_mutex_unlock(&store->staging.lock);
    stn_modes_leave(modes);
}

/* ---- the store ---- */

static void move(void *context, int64_t offset, int64_t stride, int64_t count, void *codes,
                 int stores)
{
    block_store *const store = context;
    const int64_t elements = store->format->elements;
    double *const values = codes;
    double block[STN_BLOCK_MOST_ELEMENTS];
    if (stride == 1 && stores) {
        write_run(store, offset, count, values);
    } else if (stride == 1) {
        read_run(store, offset, count, values);
    } else if (stores) {
        write_some(store, offset / elements, offset % elements, stride, count, values);
    } else {
        read_block(store, block, offset / elements);
        for (int64_t k = 0; k < count; k++)
            values[k] = block[offset % elements + k * stride];
    }
}

static stn_status prepare(void *context, const char *call, const stn_exec *exec)
{
    block_store *const store = context;
    (void)exec;
    if (store->staging.has_failed)
        return stn_fail(STN_ERR_MEMORY,
                        "%s: out of memory: elements of a view in format %s have not been stored",
                        call, store->name);
    flush(store);
    return STN_OK;
}

static void release(void *context)
{
    block_store *const store = context;
    flush(store);
    stn_staging_release(&store->staging);
    (void)stn_view_release(&store->owned);
    stn_free(store);
}

/* ---- creation ---- */

static stn_status refuse_layout(const stn_view_spec *spec, const char *name)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "view %s: layout %s; views in block formats (%s) have layout right, left, or "
                    "strided with contiguous elements and rows at a distance of complete blocks",
                    spec->label ? spec->label : "", stn_layout_name(spec->layout->kind), name);
}

/* Returns whether the layout is that of a view of such blocks. */
static int is_tile(const stn_layout *layout, int rank, int64_t elements)
{
    if (layout->kind != STN_LAYOUT_TILED || layout->rank != rank)
        return 0;
    for (int d = 0; d < rank; d++)
        if (layout->tile[d] != (d == rank - 1 ? elements : 1))
            return 0;
    return 1;
}

static int is_vector(const stn_layout *layout, int rank)
{
    return layout->kind == STN_LAYOUT_STRIDED && layout->rank == 1 && rank == 1 &&
           layout->stride[0] == 1;
}

/* Elements from one row to the next in a strided layout of contiguous rows; otherwise 0. */
static int64_t strided_row(const stn_view_spec *spec, int64_t elements)
{
    const stn_layout *const layout = spec->layout;
    const int last = spec->rank - 1;
    if (!layout || layout->kind != STN_LAYOUT_STRIDED || layout->rank != spec->rank || last < 1 ||
        spec->rank > STN_MAX_RANK || !spec->extents)
        return 0;
    const int64_t row = layout->stride[last - 1];
    if (layout->stride[last] != 1 || row < spec->extents[last] || row % elements != 0)
        return 0;
    for (int d = last - 2; d >= 0; d--) {
        int64_t stride;
        if (__builtin_mul_overflow(layout->stride[d + 1], spec->extents[d + 1], &stride) ||
            layout->stride[d] != stride)
            return 0;
    }
    return row;
}

static stn_status check_spec(const stn_view_spec *spec, const stn_block_format *format)
{
    const char *const name = stn_format_text(spec->storage.format);
    STN_TRY(stn_view_shape_check(spec->label, &spec->storage, spec->rank, spec->extents));
    if (spec->layout && spec->layout->kind != STN_LAYOUT_RIGHT &&
        spec->layout->kind != STN_LAYOUT_LEFT && strided_row(spec, format->elements) == 0 &&
        !is_vector(spec->layout, spec->rank) &&
        !is_tile(spec->layout, spec->rank, format->elements))
        return refuse_layout(spec, name);
    return STN_OK;
}

/* Counts rows and blocks. */
static stn_status count_blocks(block_store *store, const stn_view_spec *spec)
{
    const int64_t elements = store->format->elements;
    store->row = spec->rank > 0 ? spec->extents[spec->rank - 1] : 1;
    const int64_t distance = strided_row(spec, elements);
    store->row_blocks =
        distance > 0 ? distance / elements : store->row / elements + (store->row % elements != 0);
    store->blocks = store->row_blocks;
    for (int d = 0; d < spec->rank - 1; d++)
        if (__builtin_mul_overflow(store->blocks, spec->extents[d], &store->blocks))
            return stn_fail(STN_ERR_RANGE, "view %s exceeds the address space",
                            spec->label ? spec->label : "");
    return STN_OK;
}

static void reverse(const stn_view_spec *spec, int64_t *extents)
{
    for (int d = 0; d < spec->rank; d++)
        extents[d] = spec->extents[spec->rank - 1 - d];
}

/* Creates the view of a store, which is released if the call fails. In layout left, the dimensions
 * of the store are reversed. Blocks between rows are beyond the extent of the view. */
static stn_status create_view(stn_view *view, const stn_view_spec *given, block_store *store)
{
    stn_view_spec known = *given, *const spec = &known;
    int64_t tile[STN_MAX_RANK], extents[STN_MAX_RANK];
    int order[STN_MAX_RANK];
    const int is_left = spec->layout && spec->layout->kind == STN_LAYOUT_LEFT;
    const stn_store calls = {.move = move,
                             .prepare = prepare,
                             .release = release,
                             .context = store,
                             .state = "stored in blocks",
                             .moves_runs = 1};
    for (int d = 0; d < spec->rank; d++) {
        tile[d] = d == spec->rank - 1 ? store->format->elements : 1;
        order[d] = spec->rank - 1 - d;
    }
    const int is_strided = strided_row(spec, store->format->elements) > 0;
    if (is_strided) {
        memcpy(extents, spec->extents, (size_t)spec->rank * sizeof *extents);
        extents[spec->rank - 1] = store->row_blocks * store->format->elements;
        spec->extents = extents;
    }
    const stn_status status = stn_view_create_stored(view, spec, tile, &calls);
    if (status != STN_OK) {
        release(store);
        return status;
    }
    if (is_strided)
        view->extent[spec->rank - 1] = store->row;
    return is_left ? stn_view_permute(view, view, spec->rank, order) : STN_OK;
}

static stn_status create_store(const stn_view_spec *spec, block_store **store)
{
    STN_TRY(stn_allocate(store, 1, sizeof **store, "view in a block format"));
    memset(*store, 0, sizeof **store);
    (*store)->format = stn_format_block(spec->storage.format);
    (*store)->name = stn_format_entry_of(spec->storage.format)->info.name;
    stn_staging_init(&(*store)->staging);
    const stn_status status = count_blocks(*store, spec);
    if (status != STN_OK)
        release(*store);
    return status;
}

static stn_blocks separate(const stn_block_format *format, void *codes, void *scales)
{
    return (stn_blocks){codes, scales, format->code_bytes, format->scale_bytes};
}

static stn_status allocate(block_store *store, const stn_exec *exec, stn_space space,
                           const stn_view_spec *spec)
{
    const stn_block_format *const format = store->format;
    const int64_t bytes = format->code_bytes + format->scale_bytes;
    int64_t all;
    if (__builtin_mul_overflow(store->blocks, bytes, &all))
        return stn_fail(STN_ERR_RANGE, "view %s exceeds the address space", spec->label);
    STN_TRY(stn_view_create_in("blocks", &store->owned, exec, space, spec->label,
                               stn_storage_of(STN_U8), NULL, 1, &all,
                               spec->flags & ~(unsigned)STN_CREATE_PADDED));
    unsigned char *const memory = store->owned.data;
    store->memory = format->is_inline
                        ? stn_blocks_inline(format, memory)
                        : separate(format, memory, memory + store->blocks * format->code_bytes);
    return STN_OK;
}

/* A view in the memory of a device, which its owner names. */
static void set_space(stn_view *view, const stn_exec *exec, stn_space space)
{
    if (space == STN_SPACE_HOST)
        return;
    view->space = (uint8_t)space;
    view->owner->space = space;
    view->owner->device = exec->device;
    stn_device_share(exec->device);
}

/* The store and the view of a description. `memory` is NULL for new memory. */
static stn_status adopt(block_store *store, const stn_blocks *memory, const stn_view_spec *spec)
{
    const int64_t step =
        memory->code_step > memory->scale_step ? memory->code_step : memory->scale_step;
    int64_t bytes;
    store->memory = *memory;
    return __builtin_mul_overflow(store->blocks, step, &bytes)
               ? stn_fail(STN_ERR_RANGE, "view %s: its blocks exceed the address space",
                          spec->label ? spec->label : "")
               : STN_OK;
}

static stn_status create(stn_view *view, const stn_exec *exec, stn_space space,
                         const stn_view_spec *given, const stn_blocks *memory)
{
    int64_t extents[STN_MAX_RANK] = {0};
    stn_view_spec spec = *given;
    block_store *store;
    STN_TRY(check_spec(&spec, stn_format_block(spec.storage.format)));
    if (spec.layout && spec.layout->kind == STN_LAYOUT_LEFT) {
        reverse(&spec, extents);
        spec.extents = extents;
    }
    STN_TRY(create_store(&spec, &store));
    const stn_status status =
        memory ? adopt(store, memory, &spec) : allocate(store, exec, space, &spec);
    if (status != STN_OK) {
        release(store);
        return status;
    }
    spec.flags = 0;
    STN_TRY(create_view(view, &spec, store));
    set_space(view, exec, space);
    return STN_OK;
}

stn_status stn_blocks_create(const stn_exec *exec, stn_space space, stn_view *view,
                             const stn_view_spec *spec)
{
    return create(view, exec, space, spec, NULL);
}

/* ---- public functions ---- */

/* Uses the default for a step of 0. */
static stn_status step_of(const char *what, int64_t step, int64_t bytes, int64_t *result)
{
    *result = step == 0 ? bytes : step;
    return step == 0 || step >= bytes
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "stn_view_wrap_blocks: %s is %lld; it must be 0 or at least %lld bytes",
                          what, (long long)step, (long long)bytes);
}

static stn_status blocks_of(const stn_block_format *format, const stn_block_arrays *arrays,
                            stn_blocks *memory)
{
    const int64_t both = format->code_bytes + format->scale_bytes;
    unsigned char *const codes = arrays->codes;
    if (!arrays->codes)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_wrap_blocks: codes is NULL");
    if (!arrays->scales) {
        *memory = stn_blocks_inline(format, codes);
        STN_TRY(step_of("code_step", arrays->code_step, both, &memory->code_step));
        memory->scale_step = memory->code_step;
        return STN_OK;
    }
    *memory = separate(format, codes, arrays->scales);
    STN_TRY(step_of("code_step", arrays->code_step, format->code_bytes, &memory->code_step));
    return step_of("scale_step", arrays->scale_step, format->scale_bytes, &memory->scale_step);
}

static stn_status wrap_blocks(stn_view *view, const stn_view_spec *given,
                              const stn_block_arrays *given_arrays)
{
    stn_view_spec spec;
    stn_block_arrays arrays;
    stn_blocks memory;
    STN_TRY(STN_STRUCT_READ(&spec, given, stn_view_spec, context, "stn_view_wrap_blocks: spec"));
    STN_TRY(STN_STRUCT_READ(&arrays, given_arrays, stn_block_arrays, scale_step,
                            "stn_view_wrap_blocks: arrays"));
    if (!stn_format_entry_of(spec.storage.format))
        return STN_ERR_FORMAT;
    const stn_block_format *const format = stn_format_block(spec.storage.format);
    if (!format)
        return stn_fail(STN_ERR_FORMAT, "stn_view_wrap_blocks: %s is not a block format",
                        stn_format_text(spec.storage.format));
    if (spec.data || spec.const_data || spec.free_data || spec.strides || spec.flags)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_wrap_blocks: data, free_data, strides and flags of spec must be "
                        "0; arrays describes the memory");
    STN_TRY(blocks_of(format, &arrays, &memory));
    const stn_status status = create(view, NULL, STN_SPACE_HOST, &spec, &memory);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "stn_view_wrap_blocks");
}

stn_status stn_view_wrap_blocks(stn_view *view, const stn_view_spec *spec,
                                const stn_block_arrays *arrays)
{
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_wrap_blocks: view is NULL");
    memset(view, 0, sizeof *view);
    return wrap_blocks(view, spec, arrays);
}

/* The store of a view in a block format, otherwise NULL. */
static block_store *store_of(const stn_view *view)
{
    const stn_store *const store = stn_view_store(view);
    return store && store->move == move ? store->context : NULL;
}

/* Returns whether the view is the whole array, without blocks between rows. */
static int is_whole(const stn_view *view, const block_store *store)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    int64_t count = store->row;
    for (int d = 0; d < mapping->rank - 1; d++)
        count *= mapping->extent[d];
    return view->rank == mapping->rank && stn_view_count(view) == count;
}

stn_status stn_view_blocks(const stn_view *view, stn_block_arrays *arrays)
{
    static const char call[] = "stn_view_blocks";
    STN_TRY(stn_view_check(call, view));
    STN_TRY(STN_STRUCT_CHECK(arrays, stn_block_arrays, scale_step, "stn_view_blocks: arrays"));
    block_store *const store = stn_view_is_empty(view) ? NULL : store_of(view);
    if (!store || !is_whole(view, store))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is not a view of %s", call,
                        stn_view_text(view), store ? "all elements of its array" : "blocks");
    if (view->space != STN_SPACE_DEVICE)
        STN_TRY(stn_view_expect_reached(call, NULL, view));
    const stn_block_arrays known = {.size = sizeof known,
                                    .codes = store->memory.codes,
                                    .scales = store->memory.scales,
                                    .code_step = store->memory.code_step,
                                    .scale_step = store->memory.scale_step,
                                    .row_blocks = store->row_blocks,
                                    .blocks = store->blocks};
    STN_STRUCT_WRITE(arrays, &known, stn_block_arrays);
    return STN_OK;
}

/* ---- memory, for devices ---- */

int stn_blocks_of(const stn_view *view, const stn_block_format **format, stn_blocks *memory)
{
    const block_store *const store = store_of(view);
    if (!store)
        return 0;
    *format = store->format;
    *memory = store->memory;
    return 1;
}

void stn_blocks_strides(const stn_view *view, int64_t *strides)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    for (int d = 0; d < view->rank; d++)
        strides[d] = view->stride[d] *
                     (view->axis[d] == mapping->rank - 1 ? 1 : mapping->tile_stride[view->axis[d]]);
}

void *stn_blocks_range(const stn_view *view, size_t *bytes)
{
    const block_store *const store = store_of(view);
    const stn_blocks *const at = &store->memory;
    unsigned char *const first = at->codes < at->scales ? at->codes : at->scales;
    const int64_t last = store->blocks > 0 ? store->blocks - 1 : 0;
    const unsigned char *const codes_end =
        at->codes + last * at->code_step + store->format->code_bytes;
    const unsigned char *const scales_end =
        at->scales + last * at->scale_step + store->format->scale_bytes;
    *bytes = (size_t)((codes_end > scales_end ? codes_end : scales_end) - first);
    return first;
}

int stn_blocks_are_dense(const stn_view *view)
{
    const block_store *const store = store_of(view);
    size_t bytes;
    (void)stn_blocks_range(view, &bytes);
    return (int64_t)bytes ==
           store->blocks * (store->format->code_bytes + store->format->scale_bytes);
}

typedef struct moved_blocks {
    stn_view_extra extra;
    stn_mapping mapping;
    stn_store store;
    block_store blocks; /* nothing is staged in it */
} moved_blocks;

stn_status stn_blocks_move(stn_owner *owner, stn_view *view, void *copy)
{
    const block_store *const from = store_of(view);
    size_t bytes;
    const unsigned char *const first = stn_blocks_range(view, &bytes);
    moved_blocks *moved;
    STN_TRY(stn_allocate(&moved, 1, sizeof *moved, "copy of blocks"));
    memset(moved, 0, sizeof *moved);
    block_store *const to = &moved->blocks;
    to->format = from->format;
    to->name = from->name;
    to->row = from->row;
    to->row_blocks = from->row_blocks;
    to->blocks = from->blocks;
    to->memory = from->memory;
    to->memory.codes = (unsigned char *)copy + (from->memory.codes - first);
    to->memory.scales = (unsigned char *)copy + (from->memory.scales - first);
    stn_staging_init(&to->staging);
    moved->store = *stn_view_store(view);
    moved->store.context = to;
    moved->mapping = *stn_view_mapping(view);
    moved->mapping.store = &moved->store;
    moved->extra.mapping = &moved->mapping;
    stn_owner_add_extra(owner, &moved->extra);
    view->extra = &moved->extra;
    view->data = copy;
    view->read_only = 1;
    return STN_OK;
}

/* ---- checks of other files ---- */

stn_status stn_blocks_refuse_wrap(const char *call, const char *label, stn_format format)
{
    return (uint32_t)format >= STN_BUILTIN_FORMATS && stn_format_entry_of(format) &&
                   stn_format_block(format)
               ? stn_fail(STN_ERR_UNSUPPORTED,
                          "%s: view %s: elements of block format %s have no addresses; "
                          "stn_view_wrap_blocks wraps blocks",
                          call, label ? label : "", stn_format_text(format))
               : STN_OK;
}

int stn_blocks_rows(const stn_view *view, stn_blocks *blocks, int64_t *row_blocks)
{
    static const int64_t zero[STN_MAX_RANK];
    const block_store *const store = store_of(view);
    const int last = view->rank - 1;
    if (!store || view->storage.scale != 1.0 || view->rank < 1 || view->rank > 2)
        return 0;
    const stn_mapping *const mapping = stn_view_mapping(view);
    const int64_t elements = store->format->elements;
    const int64_t first = stn_view_element_offset(view, zero);
    if (view->axis[last] != mapping->rank - 1 || view->stride[last] != 1 || first % elements != 0)
        return 0;
    *blocks = stn_blocks_from(store->memory, first / elements);
    *row_blocks =
        view->rank == 1 ? 0 : view->stride[0] * mapping->tile_stride[view->axis[0]] / elements;
    return 1;
}

int stn_blocks_steps(const stn_view *view, const stn_block_format **format, stn_blocks *first,
                     int64_t *steps)
{
    static const int64_t zero[STN_MAX_RANK];
    const block_store *const store = store_of(view);
    int along = -1;
    if (!store || stn_view_count(view) == 0)
        return -1;
    const stn_mapping *const mapping = stn_view_mapping(view);
    const int64_t elements = store->format->elements;
    const int64_t offset = stn_view_element_offset(view, zero);
    for (int d = 0; d < view->rank; d++) {
        const int axis = view->axis[d];
        if (axis == mapping->rank - 1)
            along = d;
        else
            steps[d] = axis < 0 ? 0 : view->stride[d] * mapping->tile_stride[axis] / elements;
    }
    if (along < 0 || view->stride[along] != 1 || offset % elements != 0)
        return -1;
    const int64_t begin = offset / elements % store->row_blocks * elements;
    if (view->extent[along] % elements != 0 && begin + view->extent[along] != store->row)
        return -1;
    *format = store->format;
    *first = stn_blocks_from(store->memory, offset / elements);
    return along;
}

/* The first and last index must be at the boundaries of blocks, or the last one at the end. */
static int cuts(const stn_view *view, int d, const stn_slice *slice, int64_t elements)
{
    const int64_t extent = view->extent[d];
    if (slice->mode == STN_SLICE_ALL || (slice->mode == STN_SLICE_INDEX && extent == 1))
        return 0;
    if (slice->mode == STN_SLICE_RANGE && slice->count == 0)
        return 0;
    if (slice->mode == STN_SLICE_INDEX || view->stride[d] < 0)
        return slice->mode == STN_SLICE_INDEX || slice->count != extent || slice->step != 1;
    return (slice->count > 1 && slice->step != 1) || slice->begin % elements != 0 ||
           (slice->count % elements != 0 && slice->begin + slice->count != extent);
}

stn_status stn_blocks_check_slices(const char *call, const stn_view *view, const stn_slice *slices)
{
    const block_store *const store = store_of(view);
    const int axis = store ? stn_view_mapping(view)->rank - 1 : -1;
    for (int d = 0; d < view->rank && store; d++)
        if (view->axis[d] == axis && cuts(view, d, &slices[d], store->format->elements))
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "%s: %s: the slice of dimension %d would cut blocks of %lld elements; "
                            "it must begin at a multiple of this number, have step 1, and end at a "
                            "multiple or at the extent %lld",
                            call, stn_view_text(view), d, (long long)store->format->elements,
                            (long long)view->extent[d]);
    return STN_OK;
}
