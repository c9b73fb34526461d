/* Partial results: the blocks of complete tiles, combined as far as possible without neighbors, and
 * the mapped elements at both edges, which belong to tiles shared with neighbors. */
#include "core/modes.h"
#include "core/status.h"
#include "reduce/remote.h"
#include "steno/detail/reduce_operations.h"

enum { HEAD, TAIL };

/* A reduction in the arithmetic of a part. */
typedef struct part_kind {
    const stn_reduction *reduction;
    stn_monoid monoid;
    stn_format arithmetic;
    int scales; /* number of scales in which states are kept */
} part_kind;

/* FNV-1a hash of the operation's text, with the arithmetic in the last byte. */
static uint64_t mark_of(const stn_reduction *reduction, stn_format arithmetic)
{
    uint64_t mark = 0xcbf29ce484222325u;
    for (const char *word = reduction->words; *word; word++)
        mark = (mark ^ (unsigned char)*word) * 0x100000001b3u;
    return mark << 8 | (uint64_t)(arithmetic & 0xff);
}

static int has_arithmetic(const stn_reduction *reduction, stn_format arithmetic)
{
    const stn_kernel *kernel = &reduction->kernel;
    return (arithmetic == STN_F64 && kernel->f64) || (arithmetic == STN_F32 && kernel->f32) ||
           (arithmetic == STN_I64 && kernel->i64) || (arithmetic == STN_C128 && kernel->c128) ||
           (arithmetic == STN_C64 && kernel->c64);
}

/* States of norms are kept in all scales. */
static int scales_of(const stn_reduction *reduction)
{
    return reduction->operation == STN_REDUCE_WITH_norm2 ? 3 : 1;
}

/* ---- consistency of a part ---- */

static int64_t end_of(const stn_partial *part)
{
    return part->first + part->count;
}

/* Elements before the first tile that begins in the part; all, if none does. */
static int64_t head_of(int64_t first, int64_t count)
{
    const int64_t head = (STN_TILE_ELEMENTS - first % STN_TILE_ELEMENTS) % STN_TILE_ELEMENTS;
    return head < count ? head : count;
}

/* The largest aligned block of tiles from `tile` on, up to `end`. */
static int64_t largest_block(int64_t tile, int64_t end)
{
    int64_t tiles = tile ? tile & -tile : INT64_MAX / 2 + 1;
    while (tiles > end - tile)
        tiles /= 2;
    return tiles;
}

/* The elements determine the blocks: however the part was merged, no two of its blocks can be
 * combined. So there are at most two of each size. */
static int has_its_blocks(const stn_partial *part)
{
    int64_t tile = (part->first + part->head) / STN_TILE_ELEMENTS;
    const int64_t end = tile + (part->count - part->head) / STN_TILE_ELEMENTS;
    int b = 0;
    for (; tile < end; tile += part->block_tiles[b++])
        if (b == part->blocks || part->block_tiles[b] != largest_block(tile, end))
            return 0;
    return b == part->blocks;
}

/* Parts come from other processes: returns what is invalid, or NULL. */
static const char *flaw_of(const stn_partial *part)
{
    int64_t end;
    if ((uintptr_t)part % _Alignof(stn_partial) != 0)
        return "it is not aligned to the alignment of stn_partial";
    if (part->size != sizeof *part || part->reserved != 0)
        return "it has an unknown version";
    if (part->first < 0 || part->count < 0 ||
        __builtin_add_overflow(part->first, part->count, &end))
        return "its range of elements is invalid";
    if (part->head != head_of(part->first, part->count) ||
        part->tail != (part->count - part->head) % STN_TILE_ELEMENTS)
        return "its edges do not match its elements";
    if (part->blocks < 0 || part->blocks > STN_PARTIAL_BLOCKS || !has_its_blocks(part))
        return "its blocks do not match its elements";
    return NULL;
}

/* The state of block b in one of the scales. States of several values have one scale and more
 * words; there are enough, because those of the other scales follow. */
static int has_wide_states(const stn_reduction *reduction)
{
    return reduction->operation == STN_REDUCE_WITH_state;
}

static void *state_of(const stn_reduction *reduction, const stn_partial *part, int s, int b)
{
    char *const first = (char *)(uintptr_t)part->block;
    return first + (has_wide_states(reduction)
                        ? (size_t)b * STN_STATE_BYTES
                        : ((size_t)s * STN_PARTIAL_BLOCKS + (size_t)b) * sizeof part->block[0][0]);
}

/* Are there nonzero bytes after the first bytes of a state or an element? */
static int has_more(const uint64_t *words, int32_t bytes, int32_t buffer)
{
    static const char none[STN_MAPPED_BYTES];
    return memcmp((const char *)words + bytes, none, (size_t)(buffer - bytes)) != 0;
}

/* Is the number inside the block that begins at `tile`? True for operations without numbers. */
static int has_its_number(const stn_reduction *reduction, const uint64_t *words, int64_t tile,
                          int64_t tiles)
{
    stn_found found;
    if (!stn_operation_is_numbered(reduction->operation))
        return 1;
    memcpy(&found, words, sizeof found);
    return found.number / STN_TILE_ELEMENTS >= tile &&
           found.number / STN_TILE_ELEMENTS < tile + tiles && found.number >= 0;
}

/* Is this a possible number of true conditions among `elements`? True for operations not on
 * conditions. */
static int has_its_conditions(const stn_reduction *reduction, const uint64_t *words,
                              int64_t elements)
{
    const stn_reduction_kind kind = reduction->operation;
    const int counts = kind == STN_REDUCE_WITH_count;
    const int decides = kind == STN_REDUCE_WITH_any || kind == STN_REDUCE_WITH_all;
    return !(counts || decides) || words[0] <= (counts ? (uint64_t)elements : 1);
}

static int has_its_state(const stn_reduction *reduction, int32_t bytes, const uint64_t *words,
                         int64_t tile, int64_t tiles)
{
    const int32_t buffer = has_wide_states(reduction) ? STN_STATE_BYTES : 16;
    return !has_more(words, bytes, buffer) && has_its_number(reduction, words, tile, tiles) &&
           has_its_conditions(reduction, words, tiles * STN_TILE_ELEMENTS);
}

/* Can the reduction have produced these states and elements? */
static int has_its_states(const part_kind *kind, const stn_partial *part)
{
    const stn_reduction *reduction = kind->reduction;
    const int32_t edge[2] = {part->head, part->tail};
    int64_t tile = (part->first + part->head) / STN_TILE_ELEMENTS;
    for (int b = 0; b < part->blocks; tile += part->block_tiles[b++])
        for (int s = 0; s < kind->scales; s++)
            if (!has_its_state(reduction, kind->monoid.state_bytes, state_of(reduction, part, s, b),
                               tile, part->block_tiles[b]))
                return 0;
    for (int e = HEAD; e <= TAIL; e++)
        for (int32_t k = 0; k < edge[e]; k++)
            if (has_more(part->edge[e][k], kind->monoid.mapped_bytes, STN_MAPPED_BYTES) ||
                !has_its_conditions(reduction, part->edge[e][k], 1))
                return 0;
    return 1;
}

static stn_status expect_reduction(const char *call, const stn_reduction *reduction)
{
    if (!reduction)
        return stn_fail(STN_ERR_ARGUMENT, "%s: reduction is NULL", call);
    return stn_kernel_expect(call, &reduction->kernel, sizeof *reduction);
}

/* Checks the part; `which` is "left ", "right " or "". */
static stn_status expect(const stn_reduction *reduction, const char *which, const stn_partial *part,
                         part_kind *kind)
{
    const char *const name = reduction->kernel.name;
    if (!part)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: the %spart is NULL", name, which);
    const char *const flaw = flaw_of(part);
    if (flaw)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: the %spart is not a partial result: %s", name,
                        which, flaw);
    const stn_format arithmetic = (stn_format)(part->mark & 0xff);
    if (!has_arithmetic(reduction, arithmetic) || mark_of(reduction, arithmetic) != part->mark)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: the %spart belongs to another operation",
                        name, which);
    *kind = (part_kind){reduction, stn_monoid_of(reduction, arithmetic), arithmetic,
                        scales_of(reduction)};
    if (!has_its_states(kind, part))
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: the %spart is not a partial result: its values cannot occur in "
                        "this reduction",
                        name, which);
    return STN_OK;
}

/* ---- blocks: the tree of a part; a row has states in all scales ---- */

typedef struct part_tree {
    stn_tree tree;
    _Alignas(16) char states[STN_TREE_BLOCKS * STN_STATE_BYTES]; /* with three scales: 24 bytes */
} part_tree;
_Static_assert((int)STN_TREE_BLOCKS > STN_PARTIAL_BLOCKS,
               "the blocks of a part fit into the workspace");

static int64_t first_tile(const stn_partial *part)
{
    return (part->first + part->head) / STN_TILE_ELEMENTS;
}

static void begin_tree(const part_kind *kind, part_tree *tree, int64_t tile)
{
    stn_tree_begin(&tree->tree, kind->monoid.combine, kind->monoid.state_bytes, kind->scales,
                   tree->states, tile);
}

static void push_blocks(const part_kind *kind, part_tree *tree, const stn_partial *part)
{
    const int32_t bytes = kind->monoid.state_bytes;
    for (int b = 0; b < part->blocks; b++) {
        char row[3 * STN_STATE_BYTES];
        for (int s = 0; s < kind->scales; s++)
            memcpy(row + s * bytes, state_of(kind->reduction, part, s, b), (size_t)bytes);
        stn_tree_push(&tree->tree, row, __builtin_ctzll((uint64_t)part->block_tiles[b]));
    }
}

static void store_blocks_of_part(const part_kind *kind, const part_tree *tree, stn_partial *part)
{
    const int32_t bytes = kind->monoid.state_bytes;
    memset(part->block, 0, sizeof part->block);
    memset(part->block_tiles, 0, sizeof part->block_tiles);
    part->blocks = tree->tree.blocks;
    for (int b = 0; b < part->blocks; b++) {
        part->block_tiles[b] = (int64_t)1 << tree->tree.scale[b];
        for (int s = 0; s < kind->scales; s++)
            memcpy(state_of(kind->reduction, part, s, b),
                   tree->states + b * tree->tree.bytes + s * bytes, (size_t)bytes);
    }
}

static double scale_of(const part_kind *kind, int s)
{
    return kind->scales == 1 ? 1.0 : stn_norm_scale_of(kind->arithmetic, s);
}

/* Elements at an edge, the first of which begins the tree's next tile. */
static void push_edge(const part_kind *kind, part_tree *tree, uint64_t (*edge)[4], int64_t count)
{
    const stn_monoid *monoid = &kind->monoid;
    _Alignas(16) char mapped[STN_TILE_ELEMENTS * STN_MAPPED_BYTES];
    _Alignas(16) char row[3 * STN_STATE_BYTES];
    for (int64_t k = 0; k < count; k++)
        memcpy(mapped + k * monoid->mapped_bytes, edge[k], (size_t)monoid->mapped_bytes);
    for (int s = 0; s < kind->scales; s++) {
        stn_fold_mapped(monoid, mapped, count, tree->tree.leaf * STN_TILE_ELEMENTS,
                        scale_of(kind, s), row + s * monoid->state_bytes);
    }
    stn_tree_push(&tree->tree, row, 0);
}

/* ---- creation ---- */

static __attribute__((noinline)) void map_edge(const stn_reduce_job *job, int64_t output,
                                               int64_t begin, int64_t count, uint64_t (*edge)[4])
{
    _Alignas(16) char mapped[STN_TILE_ELEMENTS * STN_MAPPED_BYTES];
    const int64_t bytes = job->monoid.mapped_bytes;
    if (count == 0)
        return;
    const char *from = stn_reduce_map(job, output, begin, count, mapped);
    for (int64_t k = 0; k < count; k++)
        memcpy(edge[k], from + k * bytes, (size_t)bytes);
}

/* The largest aligned blocks, equal for all parts, because they have the same elements. */
static void set_blocks(const stn_reduce_job *job, stn_partial *parts)
{
    int64_t tile = first_tile(parts);
    const int64_t end = tile + (parts->count - parts->head) / STN_TILE_ELEMENTS;
    for (int b = 0; tile < end; tile += parts->block_tiles[b++])
        for (int64_t output = 0; output < job->outputs; output++) {
            parts[output].block_tiles[b] = largest_block(tile, end);
            parts[output].blocks = b + 1;
        }
}

static int64_t tiles_before(const stn_partial *part, int block)
{
    int64_t tiles = 0;
    for (int b = 0; b < block; b++)
        tiles += part->block_tiles[b];
    return tiles;
}

static void fold_blocks(stn_reduce_job *job, const part_kind *kind, stn_partial *parts)
{
    int64_t tile = job->outputs > 0 ? first_tile(parts) : 0;
    for (int b = 0; job->outputs > 0 && b < parts->blocks; tile += parts->block_tiles[b++])
        for (int s = 0; s < kind->scales; s++) {
            job->scale = scale_of(kind, s);
            stn_reduce_range(job, tile * STN_TILE_ELEMENTS - job->first,
                             parts->block_tiles[b] * STN_TILE_ELEMENTS,
                             state_of(kind->reduction, parts, s, b), sizeof *parts);
        }
}

static void begin_part(const stn_reduce_job *job, const part_kind *kind, stn_partial *part)
{
    memset(part, 0, sizeof *part);
    part->size = sizeof *part;
    part->mark = mark_of(kind->reduction, kind->arithmetic);
    part->first = job->first;
    part->count = job->elements;
    part->head = (int32_t)head_of(job->first, job->elements);
    part->tail = (int32_t)((job->elements - part->head) % STN_TILE_ELEMENTS);
}

static void begin_parts(const stn_reduce_job *job, const part_kind *kind, stn_partial *parts)
{
    for (int64_t output = 0; output < job->outputs; output++)
        begin_part(job, kind, &parts[output]);
    if (job->outputs > 0)
        set_blocks(job, parts);
}

static void map_edges(const stn_reduce_job *job, stn_partial *parts)
{
    for (int64_t output = 0; output < job->outputs; output++) {
        stn_partial *const part = &parts[output];
        map_edge(job, output, 0, part->head, part->edge[HEAD]);
        map_edge(job, output, job->elements - part->tail, part->tail, part->edge[TAIL]);
    }
}

static void compute_on_host(stn_reduce_job *job, const part_kind *kind, stn_partial *parts)
{
    map_edges(job, parts);
    fold_blocks(job, kind, parts);
    stn_workspaces_return(job->launch.workspaces);
}

/* On a device: queues all computations at once. */
static __attribute__((noinline)) stn_status
compute_on_device(stn_reduce_job *job, const part_kind *kind, stn_partial *parts)
{
    stn_remote_range range[3 * STN_PARTIAL_BLOCKS + 2];
    int count = 0;
    if (parts->head)
        range[count++] = (stn_remote_range){0, parts->head, 0.0, parts->edge[HEAD]};
    if (parts->tail)
        range[count++] =
            (stn_remote_range){job->elements - parts->tail, parts->tail, 0.0, parts->edge[TAIL]};
    for (int b = 0, s = 0; b < parts->blocks; s = s + 1 < kind->scales ? s + 1 : 0, b += s == 0) {
        const int64_t tile = first_tile(parts) + tiles_before(parts, b);
        range[count++] = (stn_remote_range){
            tile * STN_TILE_ELEMENTS - job->first, parts->block_tiles[b] * STN_TILE_ELEMENTS,
            scale_of(kind, s), state_of(kind->reduction, parts, s, b)};
    }
    return stn_reduce_remote_ranges(job, range, count, sizeof *parts);
}

static stn_status compute_parts(const stn_exec *exec, const stn_reduction *reduction,
                                stn_format arithmetic, int64_t first,
                                stn_reduced_dimensions dimensions, unsigned reduced,
                                stn_partial *parts, const stn_argument *arguments)
{
    stn_reduce_job job;
    int64_t end;
    STN_TRY(stn_reduce_begin(&job, exec, reduction, arithmetic, arguments));
    stn_slot slots[reduction->kernel.count + 1];
    job.launch.slots = slots;
    if (!parts)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: part is NULL", reduction->kernel.name);
    if (first < 0)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: first is %lld; it must be at least 0",
                        reduction->kernel.name, (long long)first);
    STN_TRY(stn_reduce_plan(&job, -1, NULL, dimensions, reduced, NULL, arguments));
    if (__builtin_add_overflow(first, job.elements, &end))
        return stn_fail(STN_ERR_RANGE, "kernel %s: more than 2^63 - 1 elements",
                        reduction->kernel.name);
    const part_kind kind = {reduction, job.monoid, arithmetic, scales_of(reduction)};
    if (!stn_exec_device(exec))
        STN_TRY(stn_reduce_acquire_workspaces(&job));
    job.first = first;
    begin_parts(&job, &kind, parts);
    if (!stn_exec_device(exec))
        compute_on_host(&job, &kind, parts);
    else if (job.outputs > 0)
        STN_TRY(compute_on_device(&job, &kind, parts));
    return stn_launch_report(&job.launch);
}

stn_status stn_reduce_parts(const stn_exec *exec, const stn_reduction *reduction,
                            stn_format arithmetic, int64_t first, stn_reduced_dimensions dimensions,
                            unsigned reduced, stn_partial *parts, const stn_argument *arguments)
{
    STN_RETURN_IN_MODES(
        compute_parts(exec, reduction, arithmetic, first, dimensions, reduced, parts, arguments));
}

/* ---- merging ---- */

/* Appends the elements of the right part's head to the left part's tail. A completed tile is
 * folded, unless it begins before the left part. */
static void append_head(const part_kind *kind, part_tree *tree, stn_partial *left,
                        const stn_partial *right)
{
    const int in_head = left->blocks == 0 && left->tail == 0 && end_of(left) % STN_TILE_ELEMENTS;
    uint64_t tile[STN_TILE_ELEMENTS][4];
    if (in_head) {
        memcpy(left->edge[HEAD] + left->head, right->edge[HEAD],
               (size_t)right->head * sizeof *tile);
        left->head += right->head;
        return;
    }
    memcpy(tile, left->edge[TAIL], (size_t)left->tail * sizeof *tile);
    memcpy(tile + left->tail, right->edge[HEAD], (size_t)right->head * sizeof *tile);
    left->tail += right->head;
    if (left->tail < STN_TILE_ELEMENTS) {
        memcpy(left->edge[TAIL], tile, (size_t)left->tail * sizeof *tile);
        return;
    }
    push_edge(kind, tree, tile, STN_TILE_ELEMENTS);
    left->tail = 0;
}

static void append(const part_kind *kind, stn_partial *left, const stn_partial *right)
{
    part_tree tree;
    begin_tree(kind, &tree, first_tile(left));
    push_blocks(kind, &tree, left);
    if (right->head)
        append_head(kind, &tree, left, right);
    if (tree.tree.blocks == 0) /* the first tile may belong to the right part */
        tree.tree.leaf = first_tile(right);
    push_blocks(kind, &tree, right);
    store_blocks_of_part(kind, &tree, left);
    if (right->tail) {
        memcpy(left->edge[TAIL], right->edge[TAIL], sizeof right->edge[TAIL]);
        left->tail = right->tail;
    }
    left->count += right->count;
}

static const char *arithmetic_words(const stn_partial *part)
{
    return stn_format_text((stn_format)(part->mark & 0xff));
}

static stn_status merge(const stn_reduction *reduction, stn_partial *left, const stn_partial *right)
{
    part_kind kind;
    int64_t end;
    STN_TRY(expect_reduction("stn_reduce_merge", reduction));
    const char *const name = reduction->kernel.name;
    STN_TRY(expect(reduction, "left ", left, &kind));
    STN_TRY(expect(reduction, "right ", right, &kind));
    if (left->mark != right->mark)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: the left part is in %s arithmetic, the right part in %s", name,
                        arithmetic_words(left), arithmetic_words(right));
    if (end_of(left) != right->first)
        return stn_fail(
            STN_ERR_SHAPE,
            "kernel %s: the left part ends before element %lld, but the right part begins at %lld",
            name, (long long)end_of(left), (long long)right->first);
    if (__builtin_add_overflow(end_of(left), right->count, &end))
        return stn_fail(STN_ERR_RANGE, "kernel %s: more than 2^63 - 1 elements", name);
    append(&kind, left, right);
    return STN_OK;
}

stn_status stn_reduce_merge(const stn_reduction *reduction, stn_partial *left,
                            const stn_partial *right)
{
    STN_RETURN_IN_MODES(merge(reduction, left, right));
}

/* ---- final result ---- */

/* The state of all elements in the appropriate scale; returns its index. */
static int fold_part(const part_kind *kind, const stn_partial *part, void *state)
{
    const int32_t bytes = kind->monoid.state_bytes;
    uint64_t tail[STN_PARTIAL_EDGE][4];
    part_tree tree;
    begin_tree(kind, &tree, 0);
    push_blocks(kind, &tree, part);
    memcpy(tail, part->edge[TAIL], sizeof tail);
    if (part->tail)
        push_edge(kind, &tree, tail, part->tail);
    const char *row = stn_tree_fold(&tree.tree);
    const int which = kind->scales == 3 ? stn_norm_range(kind->arithmetic, row) : 0;
    memcpy(state, row + which * bytes, (size_t)bytes);
    return which;
}

static stn_status finish(const stn_reduction *reduction, const stn_partial *part, void *result)
{
    _Alignas(16) char state[STN_STATE_BYTES];
    part_kind kind;
    int which = 0;
    STN_TRY(expect_reduction("stn_reduce_finish", reduction));
    STN_TRY(expect(reduction, "", part, &kind));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: result is NULL", reduction->kernel.name);
    if (part->first != 0)
        return stn_fail(STN_ERR_SHAPE,
                        "kernel %s: the part begins at element %lld; it must begin at 0",
                        reduction->kernel.name, (long long)part->first);
    if (part->count == 0)
        kind.monoid.identity(state);
    else
        which = fold_part(&kind, part, state);
    stn_finish(&kind.monoid, state, state, 1, scale_of(&kind, which));
    stn_reduce_to_value(&kind.monoid, state, result);
    return STN_OK;
}

stn_status stn_reduce_finish(const stn_reduction *reduction, const stn_partial *part, void *result)
{
    STN_RETURN_IN_MODES(finish(reduction, part, result));
}
