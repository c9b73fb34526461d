/* Planning of a launch: checks, broadcasting, and access to each view. */
#include "map/panel.h"

#include <stdio.h>
#include <string.h>

#include "core/nontemporal.h"
#include "core/status.h"
#include "core/tune.h"
#include "expr/program.h"
#include "map/mask.h"
#include "order/schedule.h"
#include "view/number.h"
#include "view/overlap.h"
#include "view/scale_run.h"

static const char *name_of(const stn_launch *launch, int at)
{
    return launch->kernel->parameters[at].name;
}

static stn_status refuse_arithmetic(const stn_launch *launch)
{
    const stn_kernel *const kernel = launch->kernel;
    const struct {
        const char *name;
        int is_available;
    } types[] = {{"f64", kernel->f64 != NULL},
                 {"f32", kernel->f32 != NULL},
                 {"i64", kernel->i64 != NULL},
                 {"c128", kernel->c128 != NULL},
                 {"c64", kernel->c64 != NULL}};
    char allowed[40] = "";
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].is_available)
            (void)snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s",
                           *allowed ? " or " : "", types[k].name);
    return stn_fail(STN_ERR_ARGUMENT, "kernel %s: arithmetic is %s; it must be %s", kernel->name,
                    stn_format_text(launch->arithmetic), allowed);
}

static stn_status choose_loop(stn_launch *launch)
{
    const stn_kernel *kernel = launch->kernel;
    switch (launch->arithmetic) {
    case STN_F64:
        launch->loop = kernel->f64;
        break;
    case STN_F32:
        launch->loop = kernel->f32;
        break;
    case STN_I64:
        launch->loop = kernel->i64;
        break;
    case STN_C128:
        launch->loop = kernel->c128;
        break;
    case STN_C64:
        launch->loop = kernel->c64;
        break;
    default:
        launch->loop = NULL;
    }
    if (!launch->loop)
        return refuse_arithmetic(launch);
    launch->bytes = stn_arithmetic_bytes(launch->arithmetic);
    return STN_OK;
}

/* ---- scalars ---- */

static void set_real(stn_launch *launch, int at, const stn_argument *argument)
{
    stn_number *number = &launch->numbers[at];
    switch (launch->arithmetic) {
    case STN_F64:
        number->f64 = argument->real;
        break;
    case STN_F32:
        number->f32 = (float)argument->real;
        break;
    case STN_I64:
        number->i64 = argument->index;
        break;
    case STN_C128:
        number->c128 = argument->complex_number;
        break;
    default:
        number->c64 =
            (stn_c64){(float)argument->complex_number.re, (float)argument->complex_number.im};
    }
}

/* ---- views ---- */

stn_status stn_launch_error_prefix(const stn_launch *launch, stn_status status)
{
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "kernel %s", launch->kernel->name);
}

stn_status stn_launch_expect_view(const stn_launch *launch, const char *name, const stn_view *view)
{
    char call[160];
    if (view && stn_view_is_sound(view) && !stn_view_is_empty(view))
        return STN_OK;
    (void)snprintf(call, sizeof call, "kernel %s", launch->kernel->name);
    return stn_view_expect_argument(call, name, view, view ? view->rank : 0);
}

static stn_status expect_view(const stn_launch *launch, int at, const stn_view *view)
{
    const char *name = name_of(launch, at);
    STN_TRY(stn_launch_expect_view(launch, name, view));
    return stn_launch_error_prefix(launch, stn_view_expect_usable(name, launch->exec, view));
}

/* Conversion of the view's elements to the arithmetic type and back. */
static stn_status init_run(stn_launch *launch, int at)
{
    stn_slot *slot = &launch->slots[at];
    STN_TRY(stn_launch_error_prefix(launch,
                                    stn_reader_init(&slot->reader, name_of(launch, at),
                                                    launch->exec, launch->arithmetic, slot->view)));
    launch->numbers[at].f64 = slot->reader.run.affine.scale;
    return STN_OK;
}

static stn_status set_view(stn_launch *launch, int at, const stn_view *view)
{
    stn_slot *slot = &launch->slots[at];
    const char *kernel = launch->kernel->name;
    STN_TRY(expect_view(launch, at, view));
    slot->view = view;
    slot->written = stn_parameter_is_written(slot->kind) || slot->kind == STN_PARAMETER_SCATTER;
    if (launch->kernel->parameters[at].rank > 0 &&
        launch->kernel->parameters[at].rank != view->rank)
        return stn_fail(STN_ERR_SHAPE, "kernel %s: %s has rank %d in the kernel: %s", kernel,
                        name_of(launch, at), (int)launch->kernel->parameters[at].rank,
                        stn_view_text(view));
    if (slot->written && stn_view_is_read_only(view))
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: %s is read-only: %s", kernel,
                        name_of(launch, at), stn_view_text(view));
    return init_run(launch, at);
}

void stn_launch_set_field(stn_launch *launch, int at)
{
    stn_slot *slot = &launch->slots[at];
    launch->beyond[at] = 0;
    slot->indexed.beyond = &launch->beyond[at];
    slot->indexed.data = slot->view->data;
    slot->indexed.reader = &slot->reader;
    slot->indexed.view = slot->view;
    slot->indexed.native = stn_launch_is_plain(launch, slot);
    stn_indexed_form(&slot->indexed.form, &slot->reader, launch->exec);
    stn_reader_steps(&slot->reader, slot->indexed.stride);
    for (int d = 0; d < slot->view->rank; d++) /* with at most one index, the stride is unused */
        slot->indexed.stride[d] =
            (int64_t)((uint64_t)slot->indexed.stride[d] * (uint64_t)slot->reader.run.bytes);
    launch->numbers[at].indexed = &slot->indexed;
}

/* ---- the space ---- */

void stn_launch_write_extents(int rank, const int64_t *extents, char extents_text[STN_EXTENTS_TEXT])
{
    snprintf(extents_text, STN_EXTENTS_TEXT, "no dimensions");
    for (int d = 0, at = 0; d < rank; d++)
        at += snprintf(extents_text + at, (size_t)(STN_EXTENTS_TEXT - at), "%s%lld", d ? " x " : "",
                       (long long)extents[d]);
}

/* Extents are aligned at the last dimension; 1 matches any extent. */
static stn_status widen_space(stn_launch *launch, int at)
{
    const stn_view *view = launch->slots[at].view;
    for (int d = 0; d < view->rank; d++) {
        int64_t *extent = &launch->extent[launch->rank - view->rank + d];
        if (*extent == 1)
            *extent = view->extent[d];
        else if (view->extent[d] != 1 && view->extent[d] != *extent)
            return stn_fail(STN_ERR_SHAPE,
                            "kernel %s: %s does not match extent %lld of dimension %d: %s",
                            launch->kernel->name, name_of(launch, at), (long long)*extent,
                            launch->rank - view->rank + d, stn_view_text(view));
    }
    return STN_OK;
}

static int is_empty(const stn_launch *launch)
{
    int is = 0;
    for (int d = 0; d < launch->rank; d++)
        is |= launch->extent[d] == 0;
    return is;
}

/* Equal ranks; extents may differ. */
static stn_status fit_shifted(stn_launch *launch, int at)
{
    stn_slot *slot = &launch->slots[at];
    const stn_view *view = slot->view;
    uint64_t shift = 0; /* strides of dimensions with one element may have any value */
    stn_reader_steps(&slot->reader, slot->stride);
    for (int d = 0; d < launch->rank; d++) {
        if (view->extent[d] == 0 && !is_empty(launch))
            return stn_fail(STN_ERR_SHAPE, "kernel %s: %s has no elements: %s",
                            launch->kernel->name, name_of(launch, at), stn_view_text(view));
        shift += (uint64_t)launch->kernel->parameters[at].offset[d] * (uint64_t)slot->stride[d];
    }
    slot->shift = (int64_t)shift;
    return STN_OK;
}

static stn_status fit_space(stn_launch *launch, int at)
{
    stn_slot *slot = &launch->slots[at];
    const stn_view *view = slot->view;
    const int more = launch->rank - view->rank;
    if (slot->kind == STN_PARAMETER_SHIFTED)
        return fit_shifted(launch, at);
    slot->shift = 0;
    const int64_t *const steps = slot->reader.steps;
    int fits = more >= 0, repeats = more > 0;
    for (int d = 0; d < launch->rank && fits; d++) {
        const int64_t extent = d < more ? 1 : view->extent[d - more];
        fits = extent == launch->extent[d] || extent == 1;
        repeats = repeats || extent != launch->extent[d];
        slot->stride[d] = extent == 1 ? 0 : steps[d - more];
    }
    if (!fits || (repeats && stn_parameter_is_written(slot->kind))) {
        char extents_text[STN_EXTENTS_TEXT];
        stn_launch_write_extents(launch->rank, launch->extent, extents_text);
        return stn_fail(
            STN_ERR_SHAPE, "kernel %s: %s must have the extents that the kernel runs over, %s: %s",
            launch->kernel->name, name_of(launch, at), extents_text, stn_view_text(view));
    }
    if (stn_parameter_is_written(slot->kind) && !stn_view_is_unique(view))
        return stn_fail(STN_ERR_ALIAS, "kernel %s: %s repeats elements: %s", launch->kernel->name,
                        name_of(launch, at), stn_view_text(view));
    return STN_OK;
}

/* Among the views that define the extents of the space; -1: none. */
static int highest_rank(const stn_launch *launch)
{
    int rank = -1;
    for (int v = 0; v < launch->views; v++) {
        const stn_slot *slot = &launch->slots[launch->view_at[v]];
        if (slot->kind != STN_PARAMETER_SHIFTED && slot->view->rank > rank)
            rank = slot->view->rank;
    }
    return rank;
}

/* The given extents, or the broadcast of those of the views. */
static stn_status begin_space(stn_launch *launch, int rank, const int64_t *extents)
{
    const char *const name = launch->kernel->name;
    const int is_given = extents || rank != -1;
    if (is_given && (rank < 0 || rank > STN_MAX_RANK))
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: rank %d is out of range (0 to %d)", name,
                        rank, STN_MAX_RANK);
    if (is_given && rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: rank is %d, but extents is NULL", name, rank);
    if (!is_given && highest_rank(launch) < 0)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "kernel %s: no parameter of kind in, inout, out or masked determines the extents, "
            "and none are given",
            name);
    launch->rank = is_given ? rank : highest_rank(launch);
    for (int d = 0; d < STN_MAX_RANK; d++)
        launch->extent[d] = 1;
    for (int d = 0; d < launch->rank && is_given; d++)
        launch->extent[d] = extents[d];
    for (int v = 0; v < launch->views && !is_given; v++)
        if (launch->slots[launch->view_at[v]].kind != STN_PARAMETER_SHIFTED)
            STN_TRY(widen_space(launch, launch->view_at[v]));
    return STN_OK;
}

/* Names the view that determines the number of dimensions, unless the extents are given. */
static stn_status refuse_indices(const stn_launch *launch, int is_given)
{
    int widest = launch->views;
    for (int v = launch->views - 1; v >= 0 && !is_given; v--) {
        const stn_slot *const slot = &launch->slots[launch->view_at[v]];
        if (slot->kind != STN_PARAMETER_SHIFTED && slot->view->rank == launch->rank)
            widest = v;
    }
    const int has_view = widest < launch->views;
    return stn_fail(STN_ERR_SHAPE, "kernel %s has %d %s, but runs over %d dimension%s%s%s",
                    launch->kernel->name, launch->indices,
                    launch->indices == 1 ? "index" : "indices", launch->rank,
                    launch->rank == 1 ? "" : "s", has_view ? ", those of " : "",
                    has_view ? stn_view_text(launch->slots[launch->view_at[widest]].view) : "");
}

static stn_status find_space(stn_launch *launch, int rank, const int64_t *extents)
{
    int64_t count = 1;
    int overflows = 0;
    const int is_given = extents || rank != -1;
    STN_TRY(begin_space(launch, rank, extents));
    if (launch->indices > 0 && launch->indices != launch->rank)
        return refuse_indices(launch, is_given);
    for (int d = 0; d < launch->rank; d++) {
        if (launch->extent[d] < 0)
            return stn_fail(STN_ERR_SHAPE, "kernel %s: extent %lld of dimension %d is negative",
                            launch->kernel->name, (long long)launch->extent[d], d);
        overflows |= __builtin_mul_overflow(count, launch->extent[d], &count);
    }
    if (overflows && !is_empty(launch))
        return stn_fail(STN_ERR_RANGE, "kernel %s: more than 2^63 - 1 elements",
                        launch->kernel->name);
    for (int v = 0; v < launch->views; v++)
        STN_TRY(fit_space(launch, launch->view_at[v]));
    return STN_OK;
}

/* ---- overlap ---- */

static int is_same(const stn_launch *launch, const stn_slot *a, const stn_slot *b)
{
    if (stn_parameter_is_field(a->kind) || stn_parameter_is_field(b->kind) ||
        a->kind == STN_PARAMETER_SHIFTED || b->kind == STN_PARAMETER_SHIFTED)
        return 0;
    if (!a->reader.plain || !b->reader.plain)
        return stn_view_is_same(a->view, b->view);
    return a->view->data == b->view->data && a->view->storage.format == b->view->storage.format &&
           memcmp(a->stride, b->stride, (size_t)launch->rank * sizeof *a->stride) == 0;
}

static stn_status check_overlap(stn_launch *launch, int written, int other)
{
    stn_slot *to = &launch->slots[written], *from = &launch->slots[other];
    if (is_same(launch, to, from) && !from->written) {
        from->shared = launch->shares = 1;
        return STN_OK;
    }
    if (!stn_view_may_share(to->view, from->view))
        return STN_OK;
    return stn_fail(STN_ERR_ALIAS, "kernel %s: %s overlaps %s: %s and %s", launch->kernel->name,
                    name_of(launch, written), name_of(launch, other), stn_view_text(to->view),
                    stn_view_text(from->view));
}

/* In the dimensions of the views, before they are permuted and merged. */
static stn_status check_overlaps(stn_launch *launch)
{
    for (int a = 0; a < launch->kernel->count; a++)
        if (launch->slots[a].view && launch->slots[a].written)
            for (int b = 0; b < launch->kernel->count; b++)
                if (b != a && launch->slots[b].view)
                    STN_TRY(check_overlap(launch, a, b));
    return STN_OK;
}

/* ---- tiles ---- */

void stn_launch_empty(int rank, int64_t *extents)
{
    int is_empty = 0;
    for (int d = 0; d < rank; d++)
        is_empty |= extents[d] == 0;
    for (int d = 0; d < rank && is_empty; d++)
        extents[d] = 0;
}

/* Does the view consist of one repeated tile? */
static int is_repeated(const stn_launch *launch, const stn_slot *slot)
{
    return launch->columns ? slot->rows == STN_ROWS_REPEAT : slot->stride[launch->rank - 1] == 0;
}

/* Processors that need several streams of memory also need prefetching: on Zen 4, axpy from f32
 * into f64 reaches 0.88 of streaming without and 0.70 with it. Prefetching also helps launches that
 * take long between accesses to a view: those with many views, or with values found by scales or by
 * a layout. */
static int wants_fetching(const stn_launch *launch)
{
    int by_place = 0;
    for (int v = 0; v < launch->views; v++)
        by_place |= !launch->slots[launch->view_at[v]].reader.plain;
    return by_place || launch->views > STN_MANY_VIEWS ||
           (launch->converts && (launch->stencil.views || stn_tuned()->prefetch));
}

/* With masks, which follow the values in the buffers. */
static int64_t masked_tile(const stn_launch *launch, int64_t decoded)
{
    const int64_t least = launch->bytes == 16 ? STN_TILE_ELEMENTS / 2 : STN_TILE_ELEMENTS;
    const int64_t bytes = launch->bytes + stn_mask_bytes(launch->arithmetic);
    const int64_t cached = STN_CACHED_BYTES / (decoded * bytes);
    const int64_t count = STN_TILE_BYTES / launch->bytes;
    const int64_t most = (cached < count ? cached : count) & -least;
    return most < least ? least : most;
}

/* Long tiles have less overhead, as long as decoded tiles stay in L1. Those of many views exceed
 * it in any case: with 38 views, 4 KB per view take a tenth less than 2 KB. In-place loops need no
 * buffers: from memory, a step of CG takes a tenth less with tiles of a megabyte than with 4 KB. */
static void choose_tile(stn_launch *launch)
{
    const int is_fused = launch->tile != STN_TILE_ELEMENTS;
    const int may_grow = !is_fused && !stn_program_is_loop(launch->loop);
    int64_t decoded = 0;
    launch->converts = 0;
    for (int v = 0; v < launch->views; v++) {
        stn_slot *slot = &launch->slots[launch->view_at[v]];
        slot->buffer_index = (int)decoded;
        decoded += (!slot->native || slot->kind == STN_PARAMETER_SHIFTED) && !slot->panel &&
                   slot->lines < 0;
        launch->converts |= !slot->native && !slot->panel && !is_repeated(launch, slot);
    }
    launch->fetches = !is_fused && wants_fetching(launch);
    int64_t bytes = decoded ? STN_TILE_BYTES : STN_LONG_BYTES;
    if (decoded > STN_CACHED_BYTES / STN_TILE_BYTES && decoded <= STN_MANY_VIEWS)
        bytes = STN_CACHED_BYTES / decoded;
    if (bytes < STN_MIN_BYTES)
        bytes = STN_MIN_BYTES;
    if (stn_exec_is_reference(launch->exec))
        launch->tile = 1;
    else if (launch->masks > 0)
        launch->tile = masked_tile(launch, may_grow ? decoded : STN_MAX_PARAMETERS);
    else if (may_grow)
        launch->tile = bytes / launch->bytes & -STN_TILE_ELEMENTS;
}

/* Tiles are distributed over threads, so there must be several per thread. */
static void count_tiles(stn_launch *launch)
{
    const int64_t extent = launch->extent[launch->rank - 1];
    choose_tile(launch);
    launch->rows = 1;
    for (int d = 0; d < launch->rank - 1; d++)
        launch->rows *= launch->extent[d];
    if (launch->tile > STN_TILE_ELEMENTS) {
        const int64_t parts = 8 * (int64_t)launch->exec->threads, count = launch->rows * extent;
        const int64_t share = count < parts ? 0 : count / parts;
        const int64_t fewer = share / STN_TILE_ELEMENTS * STN_TILE_ELEMENTS;
        if (launch->tile > fewer)
            launch->tile = fewer < STN_TILE_ELEMENTS ? STN_TILE_ELEMENTS : fewer;
    }
    if (launch->columns && launch->tile > launch->columns)
        launch->tile -= launch->tile % launch->columns;
    else if (launch->columns)
        launch->tile = launch->columns;
    launch->buffer = launch->tile * launch->bytes;
    if (launch->masks > 0)
        launch->buffer += launch->tile * stn_mask_bytes(launch->arithmetic);
    launch->buffer = (launch->buffer + 15) & -16; /* alignment of values of any arithmetic type */
    launch->tiles_per_row = extent <= launch->tile ? extent > 0 : (extent - 1) / launch->tile + 1;
    launch->pieces =
        launch->blocks ? stn_panel_count(launch) : launch->rows * launch->tiles_per_row;
}

static stn_return_kind returns_of(const stn_slot *slot)
{
    double least, greatest;
    if (!stn_view_has_scales(slot->view))
        return stn_run_returns(&slot->reader.run);
    return stn_scales_find_range(slot->view, &least, &greatest)
               ? stn_run_returns_scaled(&slot->reader.run, least, greatest)
               : STN_RETURNS_SOME;
}

/* Do all tiles of the view begin and end at cache lines? */
static int has_whole_lines(const stn_launch *launch, const stn_slot *slot)
{
    const int64_t bytes = slot->reader.run.bytes;
    uintptr_t bits =
        (uintptr_t)stn_reader_at(&slot->reader, 0) | (uintptr_t)(launch->columns * bytes);
    for (int d = 0; d < launch->rank - 1; d++)
        bits |= (uintptr_t)(slot->stride[d] * bytes);
    return bits % STN_LINE == 0;
}

/* With many views, hardware reads every line before it is stored, although few of them are needed
 * again: D3Q19 into f16 takes a sixth less with non-temporal stores. D2Q9 with rows that do not
 * begin at lines takes a third more on Zen 4. The pieces of rows in panels are too short for
 * hardware to prefetch them. In-place loops cannot use non-temporal stores. */
static void choose_streams(stn_launch *launch)
{
    int64_t bytes = 0;
    launch->streams = 0;
    for (int round = 0; round < 2; round++)
        for (int v = 0; v < launch->views; v++) {
            stn_slot *slot = &launch->slots[launch->view_at[v]];
            const int may = slot->kind == STN_PARAMETER_OUT && slot->reader.plain &&
                            (slot->panel ? !slot->transposed : !slot->native) &&
                            slot->stride[launch->rank - 1] == 1 &&
                            stn_launch_rows_follow(launch, slot);
            if (round == 0)
                bytes += may ? stn_view_count(slot->view) * slot->reader.run.bytes : 0;
            slot->streams =
                may &&
                ((slot->view->traits & STN_TRAIT_STREAMING) ||
                 (stn_passes_caches(bytes) && (slot->panel || (launch->views > STN_MANY_VIEWS &&
                                                               has_whole_lines(launch, slot)))));
            launch->streams |= slot->streams;
        }
}

static void choose_accesses(stn_launch *launch)
{
    for (int at = 0; at < launch->kernel->count; at++) {
        stn_slot *slot = &launch->slots[at];
        if (!slot->view)
            continue;
        if (stn_parameter_is_field(slot->kind)) {
            stn_launch_set_field(launch, at);
            continue;
        }
        slot->native =
            (slot->stride[launch->rank - 1] == 1 || launch->extent[launch->rank - 1] == 1) &&
            (stn_launch_rows_follow(launch, slot) || launch->rows_in_place) &&
            stn_launch_is_plain(launch, slot);
        slot->direct = slot->native;
        slot->native &= slot->kind != STN_PARAMETER_MASKED && !slot->shared;
        slot->returns = slot->kind == STN_PARAMETER_INOUT ? returns_of(slot) : STN_RETURNS_ALL;
    }
    choose_streams(launch);
}

/* Index names or shifted dimensions: one per dimension of the space. */
static stn_status set_indices(stn_launch *launch, int at)
{
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    const stn_parameter_kind kind = parameter->kind;
    if (kind != STN_PARAMETER_AT && kind != STN_PARAMETER_SHIFTED && kind != STN_PARAMETER_STENCIL)
        return STN_OK;
    for (int before = 0; before < at && kind == STN_PARAMETER_AT; before++)
        if (launch->kernel->parameters[before].kind == kind)
            return stn_fail(STN_ERR_ARGUMENT, "kernel %s: at is used twice; at(%s, %s) names both",
                            launch->kernel->name, launch->kernel->parameters[before].name,
                            parameter->name);
    launch->indexed |= kind != STN_PARAMETER_SHIFTED;
    launch->shifted |= kind == STN_PARAMETER_SHIFTED;
    launch->stencil.bounded |=
        kind != STN_PARAMETER_AT && parameter->boundary == STN_BOUNDARY_INSIDE;
    if (launch->indices > 0 && launch->indices != parameter->rank)
        return stn_fail(
            STN_ERR_SHAPE, "kernel %s: %s has %d dimensions, but other parameters have %d",
            launch->kernel->name, parameter->name, (int)parameter->rank, launch->indices);
    launch->indices = parameter->rank;
    return STN_OK;
}

stn_status stn_launch_find(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments)
{
    STN_TRY(choose_loop(launch));
    const stn_argument *argument = arguments;
    launch->rank = launch->views = launch->shares = launch->stencil.views = 0;
    launch->indices = launch->indexed = launch->shifted = launch->masks = 0;
    launch->unit = launch->widens = launch->stencil.bounded = 0;
    for (int at = 0; at < launch->kernel->count; at++) {
        const stn_parameter_kind kind = launch->kernel->parameters[at].kind;
        launch->slots[at].kind = kind;
        launch->slots[at].view = NULL;
        launch->slots[at].shared = 0;
        launch->slots[at].lines = -1;
        launch->unassigned[at] = 0;
        STN_TRY(set_indices(launch, at));
        if (stn_parameter_is_view(kind)) {
            STN_TRY(set_view(launch, at, argument++->view));
            if (!stn_parameter_is_field(kind))
                launch->view_at[launch->views++] = at;
            launch->masks += kind == STN_PARAMETER_MASKED;
            if (kind == STN_PARAMETER_STENCIL)
                launch->stencil.view_at[launch->stencil.views++] = at;
        } else if (kind == STN_PARAMETER_REAL)
            set_real(launch, at, argument++);
        else if (kind != STN_PARAMETER_AT)
            launch->numbers[at].u64 = argument++->bits;
    }
    return find_space(launch, rank, extents);
}

stn_status stn_launch_plan_remote(stn_launch *launch, int rank, const int64_t *extents,
                                  const stn_argument *arguments)
{
    STN_TRY(stn_launch_find(launch, rank, extents, arguments));
    STN_TRY(check_overlaps(launch));
    launch->has_tiles = 0;
    const int is_flat = stn_launch_is_flat(launch);
    for (int v = 0; v < launch->views; v++) {
        const stn_slot *const slot = &launch->slots[launch->view_at[v]];
        launch->indexed |= (slot->view->storage.rounding == STN_ROUND_STOCHASTIC &&
                            !stn_view_draws_in_order(slot->view)) ||
                           (!slot->reader.plain && !is_flat);
    }
    stn_launch_empty(launch->rank, launch->extent);
    stn_launch_order(launch);
    return STN_OK;
}

stn_status stn_launch_plan(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments)
{
    STN_TRY(stn_launch_find(launch, rank, extents, arguments));
    STN_TRY(check_overlaps(launch));
    launch->has_tiles = stn_exec_has_loops(launch->exec);
    stn_launch_empty(launch->rank, launch->extent);
    stn_stencil_share_rows(launch);
    stn_launch_order(launch);
    launch->tile = STN_TILE_ELEMENTS;
    choose_accesses(launch);
    stn_launch_fuse(launch);
    count_tiles(launch);
    return launch->stencil.views || launch->stencil.bounded ? stn_stencil_create_plan(launch)
                                                            : STN_OK;
}
