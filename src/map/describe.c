/* Description of a launch for a device: constants, and the storage of each view. */
#include <string.h>

#include "core/status.h"
#include "map/along.h"
#include "view/blocks.h"
#include "view/layout/mapping.h"
#include "view/layout/shape.h"
#include "view/number.h"
#include "view/remote.h"
#include "view/scale_run.h"
#include "view/segmented.h"

static const char *name_of(const stn_description *r, int at)
{
    return r->launch->kernel->parameters[at].name;
}

/* ---- constants ---- */

int stn_describe_number(stn_description *r, int64_t number)
{
    if (r->source->numbers < STN_DESCRIBED_NUMBERS)
        r->numbers[r->source->numbers] = number;
    return r->source->numbers++;
}

int stn_describe_bits(stn_description *r, double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return stn_describe_number(r, bits);
}

static void add_parameter(stn_description *r, int at)
{
    const stn_number *const number = &r->launch->numbers[at];
    int64_t bits[2] = {0, 0};
    const int is_c64 = r->launch->arithmetic == STN_C64;
    if (r->launch->kernel->parameters[at].kind != STN_PARAMETER_REAL)
        memcpy(bits, number, sizeof *bits);
    else if (is_c64) {
        memcpy(bits, &number->c64.re, sizeof number->c64.re);
        memcpy(bits + 1, &number->c64.im, sizeof number->c64.im);
    } else
        memcpy(bits, number, (size_t)r->launch->bytes);
    r->source->number[at] = stn_describe_number(r, bits[0]);
    if (r->launch->bytes == 16 || is_c64)
        (void)stn_describe_number(r, bits[1]);
}

/* ---- views ---- */

static stn_status check_view(const stn_description *r, const stn_view *view)
{
    const stn_format format = view->storage.format;
    const int is_own = format >= STN_BUILTIN_FORMATS;
    const char *what = NULL;
    if (r->launch->unit)
        return STN_OK;
    if (is_own && (r->source->is_host || !stn_format_is_on_devices(format)))
        what = "has a registered format without a device text";
    else if (view->storage.counters && r->source->is_host)
        what = "has counters";
    if (what)
        return stn_fail(STN_ERR_UNSUPPORTED, "kernel %s: %s %s", r->launch->kernel->name,
                        stn_view_text(view), what);
    stn_status status = stn_device_expect_format(r->device, stn_view_text(view), format);
    if (status == STN_OK && stn_view_has_scales(view))
        status = stn_device_expect_format(r->device, "a view's array of scales",
                                          stn_view_whole(view)->scales.format);
    return stn_launch_error_prefix(r->launch, status);
}

/* Indexed by the dimensions of the space, or by separate indices? */
static int is_of_space(const stn_slot *slot)
{
    return slot->kind < STN_PARAMETER_SHIFTED;
}

/* The dimension of the view that corresponds to a dimension of the space (counted from the last),
 * or none. */
static int own_dimension(const stn_description *r, const stn_slot *slot, int d)
{
    const stn_view *const view = slot->view;
    const int rank = r->from ? r->views_rank : r->launch->rank, from = r->from ? r->from[d] : d;
    const int own = is_of_space(slot) ? from - (rank - view->rank) : d;
    const int repeats = own >= 0 && is_of_space(slot) && view->extent[own] == 1;
    return own < 0 || repeats ? -1 : own;
}

/* Are offsets computed by a layout? Not if the view is traversed in memory order, and not in
 * planes, whose elements are in C order. */
static int is_mapped(const stn_slot *slot)
{
    return stn_view_mapping(slot->view) && !slot->reader.plain && !stn_view_planes_of(slot->view);
}

static int is_table(const stn_slot *slot)
{
    return is_mapped(slot) && stn_view_mapping(slot->view)->layout.kind == STN_LAYOUT_CUSTOM;
}

/* Stride of a mapped view: in indices of the mapping, or of a table in C order. */
static int64_t stride_of(const stn_described *of, int d)
{
    const stn_slot *const slot = of->slot;
    const int own = of->own[d];
    if (is_of_space(slot) && slot->reader.plain)
        return slot->stride[d];
    if (own < 0)
        return 0;
    if (stn_view_planes_of(slot->view)) {
        int64_t steps[STN_MAX_RANK];
        stn_view_linear_steps(slot->view, steps);
        return steps[own];
    }
    if (!is_table(slot) || slot->view->axis[own] < 0)
        return slot->view->stride[own];
    return slot->view->stride[own] *
           stn_described_step(stn_view_mapping(slot->view), slot->view->axis[own]);
}

/* The elements of the mapped array are numbered in C order. */
static void add_table(stn_description *r, const stn_view *view, stn_source_view *v)
{
    v->layout = STN_SOURCE_TABLE;
    v->mapping = stn_describe_number(r, (int64_t)view->first);
}

/* Strides are indices of these dimensions of the mapping. */
static void set_axes(const stn_described *of, stn_source_view *v)
{
    v->mapping_rank = stn_view_mapping(of->slot->view)->rank;
    for (int d = 0; d < v->rank; d++)
        v->axis[d] = of->own[d] < 0 ? -1 : of->slot->view->axis[of->own[d]];
}

static void add_partial(stn_description *r, const stn_view *view, stn_source_view *v)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    const int is_packed = mapping->layout.kind == STN_LAYOUT_PACKED;
    const int64_t first[2] = {0, 0}, *const extent = mapping->extent;
    int64_t base[STN_MAX_RANK];
    stn_view_base(view, base);
    v->layout = is_packed ? STN_SOURCE_PACKED : STN_SOURCE_BANDED;
    v->mapping = r->source->numbers;
    for (int m = 0; m < 2; m++)
        (void)stn_describe_number(r, base[m]);
    if (is_packed)
        (void)stn_describe_number(r, stn_mapping_grows(mapping) ? 0 : 2 * extent[0] - 1);
    for (int m = 0; m < 2 && !is_packed; m++)
        (void)stn_describe_number(r, mapping->within[m]);
    if (!is_packed) {
        (void)stn_describe_number(r, stn_mapping_offset(mapping, first));
        (void)stn_describe_number(r, mapping->span - 1);
    }
    const uint64_t reach = 4 * (uint64_t)mapping->span + 2 * (uint64_t)(extent[0] + extent[1]);
    r->reach = reach > r->reach ? reach : r->reach; /* bound on intermediate sums and products */
}

static void add_mapping(stn_description *r, const stn_view *view, stn_source_view *v)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    const int is_tiled = mapping->layout.kind == STN_LAYOUT_TILED;
    int64_t base[STN_MAX_RANK];
    stn_view_base(view, base);
    v->layout = is_tiled ? STN_SOURCE_TILED : STN_SOURCE_MORTON;
    v->mapping = r->source->numbers;
    for (int m = 0; m < mapping->rank; m++) {
        (void)stn_describe_number(r, base[m]);
        (void)stn_describe_number(r,
                                  is_tiled ? mapping->layout.tile[m] : (int64_t)mapping->mask[m]);
        if (is_tiled) {
            (void)stn_describe_number(r, mapping->tile_stride[m]);
            (void)stn_describe_number(r, mapping->within[m]);
        }
    }
}

/* The stride of a dimension of a tiled mapping; 0: offsets are not linear in its index. */
static int64_t linear_stride(const stn_mapping *mapping, int m)
{
    const int64_t tile = mapping->layout.tile[m], within = mapping->within[m];
    const int64_t across = mapping->tile_stride[m];
    return tile == 1 ? across : mapping->extent[m] <= tile || across == tile * within ? within : 0;
}

static int is_linear(const stn_mapping *mapping)
{
    int is = mapping->layout.kind == STN_LAYOUT_TILED;
    for (int m = 0; m < mapping->rank && is; m++)
        is = linear_stride(mapping, m) != 0;
    return is;
}

/* Rows of whole blocks: the strides of the view are in indices of its mapping. */
static void add_linear(stn_description *r, const stn_described *of, stn_source_view *v)
{
    const stn_view *const view = of->slot->view;
    const stn_mapping *const mapping = stn_view_mapping(view);
    int64_t base[STN_MAX_RANK], first = 0;
    stn_view_base(view, base);
    for (int m = 0; m < mapping->rank; m++)
        first += base[m] * linear_stride(mapping, m);
    v->mapping = stn_describe_number(r, first);
    for (int d = 0; d < v->rank; d++) {
        const int axis = of->own[d] < 0 ? -1 : view->axis[of->own[d]];
        int64_t *const stride = &r->numbers[v->place + 1 + d];
        *stride *= axis < 0 ? 0 : linear_stride(mapping, axis);
        v->step[d] = (signed char)(*stride == 0 || *stride == 1 ? *stride : 2);
    }
}

static void add_strides(stn_description *r, const stn_described *of, stn_source_view *v,
                        int64_t offset)
{
    const stn_view *const view = of->slot->view;
    const int of_space = is_of_space(of->slot);
    uint64_t reach = 0;
    v->rank = of->rank;
    v->place = stn_describe_number(r, offset);
    for (int d = 0; d < of->rank && d < STN_MAX_RANK; d++) { /* gcc 12 assumes 8 more iterations */
        const int64_t stride = stride_of(of, d);
        const int64_t extent = of_space ? r->launch->extent[d] : view->extent[d];
        v->step[d] = (signed char)(stride == 0 || stride == 1 ? stride : 2);
        (void)stn_describe_number(r, stride);
        reach += (uint64_t)extent * (uint64_t)(stride < 0 ? -stride : stride);
    }
    r->reach = reach > r->reach ? reach : r->reach;
    if (!is_mapped(of->slot))
        return;
    const uint64_t span = (uint64_t)stn_view_mapping(view)->span;
    r->reach = span > r->reach ? span : r->reach;
    if (is_table(of->slot)) {
        add_table(r, view, v);
        return;
    }
    if (stn_format_block(view->storage.format) && is_linear(stn_view_mapping(view))) {
        add_linear(r, of, v);
        return;
    }
    set_axes(of, v);
    if (stn_mapping_is_partial(stn_view_mapping(view)))
        add_partial(r, view, v);
    else
        add_mapping(r, view, v);
}

static void add_extents(stn_description *r, const stn_view *view, stn_source_view *v)
{
    v->extents = r->source->numbers;
    for (int d = 0; d < view->rank; d++)
        (void)stn_describe_number(r, view->extent[d]);
}

/* Element numbers for random bits are linear in the indices: those of the view, in C order of the
 * space, whose dimensions may have been merged; for a subview those of the whole array. */
static void add_draws(stn_description *r, const stn_described *of, stn_source_view *v)
{
    const stn_slot *const slot = of->slot;
    const stn_view *const view = slot->view;
    int64_t steps[STN_MAX_RANK], of_view[STN_MAX_RANK], step = 1;
    v->is_stochastic = slot->written && view->storage.rounding == STN_ROUND_STOCHASTIC;
    if (!v->is_stochastic)
        return;
    const int in_order = stn_view_draws_in_order(view);
    stn_view_draw_steps(view, of_view);
    for (int d = v->rank - 1; d >= 0; d--) {
        const int own = of->own[d];
        steps[d] = step;
        step *= r->launch->extent[d];
        if (is_of_space(slot) && in_order && !of->is_permuted &&
            (slot->reader.plain || !stn_view_mapping(view)))
            continue;
        steps[d] = own < 0 ? 0 : of_view[own];
    }
    v->draws = stn_describe_number(r, (int64_t)slot->reader.run.rules.seed);
    (void)stn_describe_number(r, (int64_t)stn_view_draw_first(view));
    for (int d = 0; d < v->rank; d++)
        (void)stn_describe_number(r, steps[d]);
}

static void add_affine(stn_description *r, const stn_slot *slot, stn_source_view *v)
{
    stn_unscaled copy;
    const stn_view *const view = stn_view_with_one_scale(slot->view, &copy);
    const int has_scales = stn_view_has_scales(view) && !slot->reader.plain;
    const int is_real = slot->reader.run.arithmetic != STN_I64; /* the scale of integers is 1 */
    v->has_scale = is_real && !has_scales && view->storage.scale != 1.0;
    v->has_zero = view->storage.zero != 0.0;
    v->scale_bytes = !is_real || !has_scales                          ? 0
                     : stn_view_whole(view)->scales.format == STN_F32 ? 4
                                                                      : 8;
    if (v->has_scale || v->has_zero || v->scale_bytes) {
        v->affine = stn_describe_bits(r, view->storage.scale); /* indices need all of it */
        (void)stn_describe_bits(r, view->storage.zero);
    }
}

static void add_codec(stn_description *r, const stn_slot *slot, stn_source_view *v)
{
    const stn_run *const run = &slot->reader.run;
    v->bytes = (int)run->bytes;
    v->part = stn_format_entry_of(run->real)->word;
    v->format = v->block ? v->part : run->entry->word;
    if (r->launch->unit)
        return;
    v->device_text = run->entry->codec.device_text;
    v->widens = slot->kind == STN_PARAMETER_IN ? r->launch->widens : 0;
    v->is_whole = v->part != v->format && !r->source->is_host &&
                  (uintptr_t)slot->view->data % (uint64_t)v->bytes == 0;
    add_affine(r, slot, v);
    v->rounding = (signed char)run->rules.rounding;
    v->overflow = (signed char)run->rules.overflow;
    const stn_return_kind returns = slot->kind != STN_PARAMETER_INOUT       ? STN_RETURNS_ALL
                                    : v->scale_bytes || run->rules.counters ? STN_RETURNS_SOME
                                                                            : stn_run_returns(run);
    const int is_copied = v->bytes >= 4 && (v->bytes & (v->bytes - 1)) == 0;
    const int is_wide = is_copied && v->overflow <= (int)STN_OVERFLOW_INFINITY;
    v->returns_finite = returns != STN_RETURNS_SOME;
    v->returns = returns == STN_RETURNS_ALL || (v->returns_finite && is_wide);
    if (slot->written && run->rules.counters && !v->device_text)
        stn_describe_counters(r, run->rules.counters, v);
}

/* ---- memory ---- */

/* Codes and scales are one argument of the kernel. */
static stn_status locate_blocks(stn_description *r, const stn_view *view, stn_blocks memory,
                                int64_t *offset)
{
    void **const codes = &r->handles[r->count], *scales;
    int64_t ignored;
    STN_TRY(stn_device_locate(r->device, memory.codes, codes, offset));
    STN_TRY(stn_device_locate(r->device, memory.scales, &scales, &ignored));
    const int are_addresses = scales == (void *)memory.scales;
    return scales == *codes || are_addresses
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED,
                          "kernel %s: codes and scales of %s are in different buffers of %s",
                          r->launch->kernel->name, stn_view_text(view), r->device->resource);
}

static stn_status locate(stn_description *r, const char *name, const stn_view *view,
                         int64_t *offset)
{
    const stn_block_format *format;
    stn_blocks memory;
    *offset = 0;
    if (stn_view_count(view) == 0)
        return STN_OK;
    STN_TRY(stn_launch_error_prefix(r->launch, stn_remote_expect_here(name, r->device, view)));
    if (stn_blocks_of(view, &format, &memory))
        return locate_blocks(r, view, memory, offset);
    STN_TRY(stn_device_locate(r->device, view->data, &r->handles[r->count], offset));
    if (stn_view_planes_of(view)) /* the first plane, from element (0, ...) on */
        *offset += (int64_t)view->first * (int64_t)sizeof(uint32_t);
    return STN_OK;
}

static void add_blocks(stn_description *r, const stn_view *view, stn_source_view *v)
{
    const stn_block_format *format;
    stn_blocks memory;
    if (!stn_blocks_of(view, &format, &memory))
        return;
    v->block = view->storage.format;
    v->aligned = (signed char)stn_source_access(
        (int64_t)((uintptr_t)memory.codes | (uintptr_t)memory.code_step));
    v->blocks = stn_describe_number(r, memory.scales - memory.codes);
    (void)stn_describe_number(r, memory.code_step);
    (void)stn_describe_number(r, memory.scale_step);
}

static void add_planes(stn_description *r, const stn_view *view, stn_source_view *v)
{
    const stn_planes *const planes = stn_view_planes_of(view);
    if (!planes)
        return;
    const int64_t first = (int64_t)view->first, span = stn_view_mapping(view)->span;
    v->planes = planes->count;
    v->planes_at = stn_describe_number(r, 4 * span - 2 * first);
    (void)stn_describe_number(r, 6 * span - 2 * first);
}

/* The host waits for kernels that use host-accessible memory. */
static stn_status add_use(const stn_view *view, stn_device_argument *argument)
{
    int64_t first, bytes;
    if (view->space == STN_SPACE_HOST || view->space == STN_SPACE_DEVICE ||
        stn_view_count(view) == 0)
        return STN_OK;
    if (stn_format_block(view->storage.format)) {
        argument->shared = stn_blocks_range(view, &argument->shared_bytes);
        return STN_OK;
    }
    STN_TRY(stn_view_bytes(view, &first, &bytes));
    argument->shared = (char *)view->data + first;
    argument->shared_bytes = (size_t)bytes;
    return STN_OK;
}

static stn_status add_view(stn_description *r, const stn_described *of, stn_source_view *v)
{
    const stn_slot *const slot = of->slot;
    int64_t offset;
    STN_TRY(check_view(r, slot->view));
    STN_TRY(locate(r, of->name, slot->view, &offset));
    memset(v, 0, sizeof *v);
    add_strides(r, of, v, offset);
    add_blocks(r, slot->view, v);
    if (of->is_staged)
        STN_TRY(stn_describe_stage(r, slot->view, v));
    add_planes(r, slot->view, v);
    if (!is_of_space(slot))
        add_extents(r, slot->view, v);
    add_codec(r, slot, v);
    add_draws(r, of, v);
    stn_describe_argument(r);
    STN_TRY(add_use(slot->view, &r->arguments[r->count - 1]));
    return stn_describe_along(r, of, v);
}

/* Does the body call a function that updates elements atomically? */
static int has_updates(const char *text)
{
    static const char *const names[] = {"STN_ADD", "STN_MIN", "STN_MAX"};
    int has = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        has |= strstr(text, names[k]) != NULL;
    return has;
}

static stn_status check_updates(const stn_description *r, const stn_slot *slot)
{
    const int64_t bytes = slot->reader.run.bytes;
    if (slot->kind != STN_PARAMETER_SCATTER || r->source->is_host || r->launch->unit ||
        !has_updates(r->launch->kernel->text))
        return STN_OK;
    if (stn_view_planes_of(slot->view))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: the parts of an element of %s are in several planes, which a "
                        "device cannot update atomically",
                        r->launch->kernel->name, stn_view_text(slot->view));
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "kernel %s: elements of %s have %lld bytes; a device updates elements of 1, 2, "
                    "4 and 8 bytes atomically",
                    r->launch->kernel->name, stn_view_text(slot->view), (long long)bytes);
}

/* ---- outputs in blocks ---- */

static int is_in_blocks(const stn_slot *slot)
{
    return slot->view && stn_format_block(slot->view->storage.format) != NULL;
}

int stn_describe_block_dimension(const stn_description *r, const stn_view *view)
{
    const int before = r->launch->rank - view->rank;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] == stn_view_mapping(view)->rank - 1)
            return d + before;
    return -1;
}

/* Are elements stored in another order than that of blocks along a dimension of the space? Threads
 * compute whole blocks of the first output in blocks, and of those along the same dimension. */
static int is_staged(const stn_description *r, const stn_slot *slot)
{
    if (!slot->written || !is_in_blocks(slot) || r->launch->unit)
        return 0;
    if (!is_of_space(slot))
        return 1;
    const stn_slot *first = r->launch->slots;
    while (!is_in_blocks(first) || !is_of_space(first) || !first->written)
        first++;
    return stn_describe_block_dimension(r, slot->view) !=
           stn_describe_block_dimension(r, first->view);
}

static stn_status add_slot(stn_description *r, int at)
{
    const stn_slot *const slot = &r->launch->slots[at];
    STN_TRY(check_updates(r, slot));
    stn_described of = {
        slot, name_of(r, at),    is_of_space(slot) ? r->launch->rank : slot->view->rank, {0},
        0,    is_staged(r, slot)};
    for (int d = 0; d < of.rank; d++)
        of.own[d] = own_dimension(r, slot, d);
    return add_view(r, &of, &r->source->views[at]);
}

stn_status stn_describe_view(stn_description *r, const stn_slot *slot, const char *name, int rank,
                             const int *own, stn_source_view *v)
{
    stn_described of = {slot, name, rank, {0}, 0, slot->written && is_in_blocks(slot)};
    for (int d = 0; d < rank; d++) {
        of.own[d] = own[d];
        of.is_permuted |= own[d] != d;
    }
    return add_view(r, &of, v);
}

/* ---- the whole ---- */

/* The names of indices are in one text, separated by commas. */
static void find_names(stn_description *r, const stn_parameter *p)
{
    const char *name = p->name;
    for (int d = 0; d < p->rank; d++) {
        int to = d;
        name += strspn(name, " ,");
        for (int k = 0; k < p->rank && r->from; k++)
            to = r->from[k] == d ? k : to;
        r->source->names[to] = name;
        r->source->lengths[to] = (int)strcspn(name, " ,");
        name += r->source->lengths[to];
    }
}

stn_status stn_describe(stn_description *r, const stn_launch *launch)
{
    uint64_t count = 1;
    r->launch = launch;
    r->device = launch->exec->device ? launch->exec->device : launch->exec->compiler;
    STN_TRY(stn_launch_error_prefix(
        launch, stn_device_expect_format(r->device, "its arithmetic", launch->arithmetic)));
    r->source->kernel = launch->kernel;
    r->source->arithmetic = launch->arithmetic;
    r->source->rank = launch->rank;
    r->source->has_f64 = r->device->has_f64;
    r->source->is_host = launch->exec->device == NULL;
    r->source->shares = launch->shares;
    r->source->unit = launch->unit;
    for (int d = 0; d < launch->rank; d++)
        count *= (uint64_t)launch->extent[d];
    (void)stn_describe_number(r, (int64_t)count);
    for (int d = 0; d < launch->rank; d++)
        (void)stn_describe_number(r, launch->extent[d]);
    r->count = 1;
    r->reach = count;
    for (int at = 0; at < launch->kernel->count; at++) {
        if (launch->slots[at].view)
            STN_TRY(add_slot(r, at));
        else if (launch->kernel->parameters[at].kind == STN_PARAMETER_AT)
            find_names(r, &launch->kernel->parameters[at]);
        else
            add_parameter(r, at);
    }
    return STN_OK;
}

void stn_describe_argument(stn_description *r)
{
    r->arguments[r->count] =
        (stn_device_argument){.value = &r->handles[r->count], .bytes = sizeof(void *)};
    r->count++;
}

stn_status stn_describe_memory(stn_description *r, const void *memory)
{
    int64_t offset;
    r->handles[r->count] = NULL;
    if (memory)
        STN_TRY(stn_device_locate(r->device, memory, &r->handles[r->count], &offset));
    stn_describe_argument(r);
    return STN_OK;
}

/* ---- the end ---- */

stn_status stn_describe_end(stn_description *r)
{
    r->source->is_wide = r->reach > INT32_MAX || r->source->is_host;
    const int maximum = (STN_DESCRIBED_BYTES - (r->count - 1) * (int)sizeof(void *)) / 8;
    if (r->source->numbers > (maximum < STN_DESCRIBED_NUMBERS ? maximum : STN_DESCRIBED_NUMBERS))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: its views need %d constants on the device; the maximum is %d",
                        r->launch->kernel->name, r->source->numbers,
                        maximum < STN_DESCRIBED_NUMBERS ? maximum : STN_DESCRIBED_NUMBERS);
    STN_TRY(stn_describe_send(r));
    r->arguments[0] =
        (stn_device_argument){.value = r->numbers,
                              .bytes = (size_t)r->source->numbers * sizeof *r->numbers,
                              .is_constants = 1};
    return STN_OK;
}

void stn_describe_key(const stn_description *r, stn_device_key *key)
{
    const stn_kernel *const kernel = r->launch->kernel;
    stn_describe_part(key, r->source, sizeof *r->source);
    stn_describe_part(key, kernel->text, strlen(kernel->text));
    stn_describe_part(key, kernel->parameters, (size_t)kernel->count * sizeof *kernel->parameters);
    for (int at = 0; at < kernel->count; at++)
        stn_describe_part(key, name_of(r, at), strlen(name_of(r, at)) + 1);
    for (int d = 0; d < STN_MAX_RANK && r->source->names[d]; d++)
        stn_describe_part(key, r->source->names[d], (size_t)r->source->lengths[d]);
}
