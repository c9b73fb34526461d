/* Which elements of a launch on a device a thread processes: several neighbors, elements of
 * adjacent rows, or whole blocks. */
#include "core/status.h"
#include "map/describe.h"
#include "steno/block_codec.h"
#include "view/blocks.h"

/* ---- several neighbors per thread ---- */

enum { MIN_CHUNKS = 4, STENCIL_ROWS = 4 };

/* Do elements along the dimension have addresses, and are they read or written directly? Those of a
 * block are read together. */
static int is_simple(const stn_description *r, int at, int along)
{
    const stn_slot *const slot = &r->launch->slots[at];
    const stn_source_view *const v = &r->source->views[at];
    const int is_read = v->block && (slot->kind == STN_PARAMETER_IN || r->source->blocks);
    return slot->kind <= STN_PARAMETER_OUT && (is_read || slot->reader.plain) && !v->mapping_rank &&
           v->layout == STN_SOURCE_STRIDED && !v->scale_bytes && !v->counts && !v->staged &&
           v->step[along] <= 1;
}

/* Neighbors that whole accesses of the largest size move: those of blocks as if each element had a
 * whole number of bytes. */
static int neighbors_of(const stn_source_view *v)
{
    const int bits = v->block ? stn_block_bits(v->block) : 8 * v->bytes;
    return STN_SOURCE_ACCESS / (bits < 8 ? 1 : (int)stn_source_access(bits / 8));
}

/* Does each chunk of a row begin at a multiple of its accesses, and those of blocks in one block?
 */
static int is_aligned(const stn_description *r, int at, int along, int neighbors)
{
    const stn_slot *const slot = &r->launch->slots[at];
    const stn_source_view *const v = &r->source->views[at];
    int is =
        v->block
            ? r->numbers[v->mapping] % neighbors == 0
            : (uintptr_t)slot->view->data % (uintptr_t)stn_source_access(v->bytes * neighbors) == 0;
    for (int d = 0; d < r->source->rank; d++)
        is &= d == along || r->launch->extent[d] <= 1 ||
              r->numbers[v->place + 1 + d] % neighbors == 0;
    return is;
}

int stn_describe_neighbors(const stn_description *r, int along)
{
    int neighbors = STN_SOURCE_ACCESS, has_chunks = 0;
    if (along < 0 || r->source->is_host || r->launch->unit)
        return 1;
    for (int at = 0; at < r->launch->kernel->count; at++) {
        const stn_source_view *const v = &r->source->views[at];
        const stn_parameter_kind kind = r->launch->kernel->parameters[at].kind;
        const int is_single = r->source->blocks && kind == STN_PARAMETER_OUT && !v->block;
        if (kind < STN_PARAMETER_IN || is_single)
            continue;
        if (!is_simple(r, at, along))
            return 1;
        has_chunks |= v->step[along] == 1;
        if (v->step[along] == 1 && neighbors_of(v) < neighbors)
            neighbors = neighbors_of(v);
    }
    for (int at = 0; at < r->launch->kernel->count && has_chunks; at++)
        if (r->launch->kernel->parameters[at].kind >= STN_PARAMETER_IN &&
            r->source->views[at].step[along] == 1 && !is_aligned(r, at, along, neighbors))
            return 1;
    return has_chunks ? neighbors : 1;
}

int stn_describe_is_long(int64_t row, int neighbors)
{
    return row % neighbors == 0 || row >= MIN_CHUNKS * neighbors;
}

/* The elements that need no boundary of any view: in each dimension, indices from the first one of
 * `range` to before the second one. Returns 0 if no view has a reach. */
static int find_inner(const stn_description *r, int64_t range[STN_MAX_RANK][2])
{
    int has = 0;
    for (int d = 0; d < r->source->rank; d++) {
        range[d][0] = 0;
        range[d][1] = r->launch->extent[d];
    }
    for (int at = 0; at < r->launch->kernel->count; at++) {
        const stn_parameter *const p = &r->launch->kernel->parameters[at];
        if (!stn_source_has_reach(p))
            continue;
        has = 1;
        for (int d = 0; d < r->source->rank; d++) {
            int before, after;
            stn_source_reach(p, d, &before, &after);
            const int64_t end = r->launch->slots[at].view->extent[d] - after;
            range[d][0] = -before > range[d][0] ? -before : range[d][0];
            range[d][1] = end < range[d][1] ? end : range[d][1];
        }
    }
    return has;
}

/* Assigns groups of rows to threads. */
static void describe_groups(stn_description *r)
{
    int64_t range[STN_MAX_RANK][2];
    const int rank = r->source->rank, along = rank > 1 ? rank - 2 : 0;
    if (rank == 0 || r->source->is_host || r->numbers[0] == 0 || !find_inner(r, range))
        return;
    const int64_t extent = r->launch->extent[along];
    r->source->group = rank > 1 ? STENCIL_ROWS : 1;
    const int64_t groups = (extent + r->source->group - 1) / r->source->group;
    r->source->chunks = stn_describe_number(r, r->numbers[0] / extent * groups);
    (void)stn_describe_number(r, groups);
    r->source->inner = r->source->numbers;
    for (int d = 0; d < rank; d++) {
        const int64_t last = range[d][1] - (d == along ? r->source->group - 1 : 0);
        (void)stn_describe_number(r, range[d][0]);
        (void)stn_describe_number(r, last > range[d][0] ? last - range[d][0] : 0);
    }
}

/* ---- whole blocks ---- */

/* Assigns the elements of whole blocks to threads. */
static stn_status describe_blocks(stn_description *r)
{
    stn_source *const s = r->source;
    int64_t chunks = r->numbers[0], of_row = 1;
    for (int at = 0; at < r->launch->kernel->count; at++) {
        const stn_slot *const slot = &r->launch->slots[at];
        if (!slot->written || !s->views[at].block || s->views[at].staged)
            continue;
        const int elements = (int)stn_block_builtin(s->views[at].block)->elements;
        s->along = stn_describe_block_dimension(r, slot->view);
        s->blocks = elements > s->blocks ? elements : s->blocks;
    }
    if (!s->blocks)
        return STN_OK;
    if (s->along >= 0 && r->launch->extent[s->along] > 0) {
        of_row = (r->launch->extent[s->along] + s->blocks - 1) / s->blocks;
        chunks = chunks / r->launch->extent[s->along] * of_row;
    }
    s->wide = stn_describe_neighbors(r, s->along);
    s->chunks = stn_describe_number(r, chunks);
    (void)stn_describe_number(r, of_row);
    return STN_OK;
}

stn_status stn_describe_chunks(stn_description *r)
{
    const stn_source *const s = r->source;
    STN_TRY(describe_blocks(r));
    if (s->blocks)
        return STN_OK;
    const int neighbors = stn_describe_neighbors(r, s->rank - 1);
    const int64_t row = s->rank > 0 ? r->launch->extent[s->rank - 1] : 1;
    r->source->along = s->rank - 1;
    r->source->wide = s->rank == 1 || stn_describe_is_long(row, neighbors) ? neighbors : 1;
    if (s->wide == 1)
        describe_groups(r);
    if (s->wide == 1 || row == 0)
        return STN_OK;
    const int64_t of_row = (row + s->wide - 1) / s->wide;
    r->source->chunks = stn_describe_number(r, r->numbers[0] / row * of_row);
    (void)stn_describe_number(r, of_row);
    return STN_OK;
}

int64_t stn_describe_work(const stn_description *r)
{
    const int has_parts =
        (r->source->wide > 1 || r->source->group > 0 || r->source->blocks > 0) && r->numbers[0] > 0;
    return has_parts ? r->numbers[r->source->chunks] : r->numbers[0];
}
