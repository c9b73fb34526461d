/* Parts of a reduction: the blocks of whole tiles that a part has, as far as they are combined
 * without its neighbours, and the mapped elements at its edges, which belong to tiles of others
 * too.
 */
#include "launch/reduce.h"

#include <stdatomic.h>

#include "core/modes.h"
#include "core/status.h"
#include "steno/reduce_operations.h"

enum { HEAD, TAIL };

/* ---- reductions of the program, by the mark of their operation ---- */

static atomic_flag busy = ATOMIC_FLAG_INIT;
static stn_reduction *known;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        continue;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

void stn_reduction_register(stn_reduction *reduction)
{
    stn_reduction_know(reduction);
    lock();
    reduction->next = known;
    known = reduction;
    unlock();
}

void stn_reduction_forget(stn_reduction *reduction)
{
    lock();
    for (stn_reduction **at = &known; *at; at = &(*at)->next)
        if (*at == reduction) {
            *at = reduction->next;
            break;
        }
    unlock();
}

static const stn_reduction_loops *loops_of(const stn_reduction *reduction, stn_format arithmetic)
{
    return arithmetic == STN_F64   ? reduction->f64
           : arithmetic == STN_F32 ? reduction->f32
           : arithmetic == STN_I64 ? reduction->i64
                                   : NULL;
}

/* FNV-1a over the words of the operation; the arithmetic in the last byte. */
static uint64_t mark_of(const stn_reduction *reduction, stn_format arithmetic)
{
    uint64_t mark = 0xcbf29ce484222325u;
    for (const char *word = reduction->operation; *word; word++)
        mark = (mark ^ (unsigned char)*word) * 0x100000001b3u;
    return mark << 8 | (uint64_t)(arithmetic & 0xff);
}

static stn_format arithmetic_of(const stn_partial *part)
{
    return (stn_format)(part->mark & 0xff);
}

static const stn_reduction *find(const stn_partial *part)
{
    const stn_reduction *found;
    lock();
    for (found = known; found; found = found->next)
        if (loops_of(found, arithmetic_of(part)) &&
            mark_of(found, arithmetic_of(part)) == part->mark)
            break;
    unlock();
    return found;
}

/* ---- what a part is ---- */

/* States of how many scales are kept. */
static int scales_of(const stn_reduction *reduction)
{
    return reduction->traits & STN_OPERATION_SCALED ? 3 : 1;
}

static int64_t end_of(const stn_partial *part)
{
    return part->first + part->count;
}

/* Elements before the first tile that begins in the part; all, when none does. */
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

/* Elements decide what blocks a part has: however it was merged, no two of them could be one. So
 * there are never more than two of a size. */
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

/* Parts come from other processes: what about this one cannot be, or NULL. */
static const char *flaw_of(const stn_partial *part)
{
    int64_t end;
    if ((uintptr_t)part % _Alignof(stn_partial) != 0)
        return "it is not aligned as a stn_partial";
    if (part->size != sizeof *part || part->reserved != 0)
        return "it is of another version of the library, or not one at all";
    if (part->first < 0 || part->count < 0 ||
        __builtin_add_overflow(part->first, part->count, &end))
        return "there are no such elements";
    if (part->head != head_of(part->first, part->count) ||
        part->tail != (part->count - part->head) % STN_TILE_ELEMENTS)
        return "its edges do not go with its elements";
    if (part->blocks < 0 || part->blocks > STN_PARTIAL_BLOCKS || !has_its_blocks(part))
        return "its blocks do not go with its elements";
    return NULL;
}

static stn_status expect(const char *call, const char *which, const stn_partial *part)
{
    if (!part)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the %spart is NULL", call, which);
    const char *flaw = flaw_of(part);
    if (flaw)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the %spart is no part of a reduction: %s", call,
                        which, flaw);
    return STN_OK;
}

/* Are there bytes behind the first ones of a state or an element that are not 0? */
static int has_more(const uint64_t words[2], int32_t bytes)
{
    static const char none[STN_STATE_BYTES];
    return memcmp((const char *)words + bytes, none, (size_t)(STN_STATE_BYTES - bytes)) != 0;
}

/* The number of an element of the block that begins at `tile`? Always so but with operations that
 * know no numbers. */
static int has_its_number(const stn_reduction *reduction, const uint64_t words[2], int64_t tile,
                          int64_t tiles)
{
    stn_place place;
    if (!(reduction->traits & STN_OPERATION_NUMBERED))
        return 1;
    memcpy(&place, words, sizeof place);
    return place.number / STN_TILE_ELEMENTS >= tile &&
           place.number / STN_TILE_ELEMENTS < tile + tiles && place.number >= 0;
}

/* Conditions hold or do not: is this how many of `elements` do? Always so but with operations on
 * conditions. */
static int has_its_conditions(const stn_reduction *reduction, const uint64_t words[2],
                              int64_t elements)
{
    const uint32_t traits = reduction->traits & (STN_OPERATION_COUNTS | STN_OPERATION_DECIDES);
    return !traits || words[0] <= (traits == STN_OPERATION_COUNTS ? (uint64_t)elements : 1);
}

static int has_its_state(const stn_reduction *reduction, int32_t bytes, const uint64_t words[2],
                         int64_t tile, int64_t tiles)
{
    return !has_more(words, bytes) && has_its_number(reduction, words, tile, tiles) &&
           has_its_conditions(reduction, words, tiles * STN_TILE_ELEMENTS);
}

/* Could the reduction have made these states and elements? */
static int has_its_states(const stn_reduction *reduction, const stn_partial *part)
{
    const stn_reduction_loops *loops = loops_of(reduction, arithmetic_of(part));
    const int32_t edge[2] = {part->head, part->tail};
    int64_t tile = (part->first + part->head) / STN_TILE_ELEMENTS;
    for (int b = 0; b < part->blocks; tile += part->block_tiles[b++])
        for (int s = 0; s < scales_of(reduction); s++)
            if (!has_its_state(reduction, loops->state_bytes, part->block[s][b], tile,
                               part->block_tiles[b]))
                return 0;
    for (int e = HEAD; e <= TAIL; e++)
        for (int32_t k = 0; k < edge[e]; k++)
            if (has_more(part->edge[e][k], loops->mapped_bytes) ||
                !has_its_conditions(reduction, part->edge[e][k], 1))
                return 0;
    return 1;
}

static stn_status expect_states(const char *call, const char *which, const stn_reduction *reduction,
                                const stn_partial *part)
{
    if (!has_its_states(reduction, part))
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: the %spart is no part of a reduction: its values are none of %s", call,
                        which, reduction->kernel.name);
    return STN_OK;
}

/* ---- blocks ---- */

/* The block behind those there are; two of one size become one where they are aligned. `tile` is
 * where it begins. */
static void push_block(const stn_reduction_loops *loops, int scales, stn_partial *part,
                       int64_t tile, int64_t tiles, uint64_t state[3][2])
{
    int b = part->blocks;
    for (int s = 0; s < scales; s++)
        memcpy(part->block[s][b], state[s], sizeof *state);
    for (; b > 0 && part->block_tiles[b - 1] == tiles && tile % (2 * tiles) == tiles; b--) {
        for (int s = 0; s < scales; s++)
            loops->combine(part->block[s][b - 1], part->block[s][b], 1);
        tile -= tiles;
        tiles *= 2;
    }
    part->block_tiles[b] = tiles;
    part->blocks = b + 1;
}

/* The tile behind the blocks of a part. */
static int64_t next_tile(const stn_partial *part)
{
    int64_t tile = (part->first + part->head) / STN_TILE_ELEMENTS;
    for (int b = 0; b < part->blocks; b++)
        tile += part->block_tiles[b];
    return tile;
}

/* Elements at an edge, the first of which begins a tile, in each scale. */
static void fold_edge(const stn_reduction_loops *loops, int scales, stn_format arithmetic,
                      uint64_t (*edge)[2], int64_t count, int64_t number, uint64_t state[3][2])
{
    _Alignas(16) char mapped[STN_TILE_ELEMENTS * STN_STATE_BYTES];
    for (int64_t k = 0; k < count; k++)
        memcpy(mapped + k * loops->mapped_bytes, edge[k], (size_t)loops->mapped_bytes);
    memset(state, 0, 3 * sizeof *state);
    for (int s = 0; s < scales; s++)
        loops->fold_mapped(mapped, count, number,
                           scales == 1 ? 1.0 : stn_norm_scale_of(arithmetic, s), state[s]);
}

/* ---- making a part ---- */

static __attribute__((noinline)) void map_edge(stn_reduce_job *job, int64_t begin, int64_t count,
                                               uint64_t (*edge)[2])
{
    _Alignas(16) char mapped[STN_TILE_ELEMENTS * STN_STATE_BYTES];
    const int64_t bytes = job->loops->mapped_bytes;
    if (count == 0)
        return;
    stn_reduce_map(job, begin, count, mapped);
    for (int64_t k = 0; k < count; k++)
        memcpy(edge[k], mapped + k * bytes, (size_t)bytes);
}

/* Aligned blocks, as large as fit. */
static void fold_tiles(stn_reduce_job *job, stn_partial *part)
{
    const int scales = scales_of(job->reduction);
    int64_t tile = next_tile(part);
    const int64_t end = tile + (part->count - part->head) / STN_TILE_ELEMENTS;
    while (tile < end) {
        uint64_t state[3][2] = {{0}};
        const int64_t tiles = largest_block(tile, end);
        for (int s = 0; s < scales; s++) {
            job->scale = scales == 1 ? 1.0 : stn_norm_scale_of(job->launch.arithmetic, s);
            stn_reduce_range(job, tile * STN_TILE_ELEMENTS - part->first, tiles * STN_TILE_ELEMENTS,
                             state[s]);
        }
        push_block(job->loops, scales, part, tile, tiles, state);
        tile += tiles;
    }
}

static stn_status make_part(const stn_exec *exec, stn_reduction *reduction, stn_format arithmetic,
                            int64_t first, stn_partial *part, const stn_argument *arguments)
{
    stn_reduce_job job;
    int64_t end;
    STN_TRY(stn_reduce_begin(&job, exec, reduction, arithmetic, arguments));
    if (!part)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: part is NULL", reduction->kernel.name);
    if (first < 0)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: first is %lld; elements count from 0",
                        reduction->kernel.name, (long long)first);
    STN_TRY(stn_reduce_plan(&job, -1, NULL, 1, 0, NULL, arguments));
    if (__builtin_add_overflow(first, job.elements, &end))
        return stn_fail(STN_ERR_RANGE, "kernel %s: more elements than can be counted",
                        reduction->kernel.name);
    STN_TRY(stn_reduce_take_workspaces(&job));
    job.first = first;
    memset(part, 0, sizeof *part);
    part->size = sizeof *part;
    part->mark = mark_of(reduction, arithmetic);
    part->first = first;
    part->count = job.elements;
    part->head = (int32_t)head_of(first, job.elements);
    part->tail = (int32_t)((job.elements - part->head) % STN_TILE_ELEMENTS);
    map_edge(&job, 0, part->head, part->edge[HEAD]);
    fold_tiles(&job, part);
    map_edge(&job, job.elements - part->tail, part->tail, part->edge[TAIL]);
    stn_workspaces_give_back(job.launch.workspaces);
    return stn_launch_tell(&job.launch);
}

stn_status stn_reduce_part(const stn_exec *exec, stn_reduction *reduction, stn_format arithmetic,
                           int64_t first, stn_partial *part, const stn_argument *arguments)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = make_part(exec, reduction, arithmetic, first, part, arguments);
    stn_modes_leave(modes);
    return status;
}

/* ---- merging ---- */

/* Elements of the right one's head go behind the left one's last ones. A tile that they complete is
 * folded, unless it begins before the left one. */
static void append_head(const stn_reduction_loops *loops, int scales, stn_partial *left,
                        const stn_partial *right)
{
    const stn_format arithmetic = arithmetic_of(left);
    const int in_head = left->blocks == 0 && left->tail == 0 && end_of(left) % STN_TILE_ELEMENTS;
    uint64_t tile[STN_TILE_ELEMENTS][2], state[3][2];
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
    const int64_t at = next_tile(left);
    fold_edge(loops, scales, arithmetic, tile, STN_TILE_ELEMENTS, at * STN_TILE_ELEMENTS, state);
    push_block(loops, scales, left, at, 1, state);
    left->tail = 0;
}

static void append(const stn_reduction_loops *loops, int scales, stn_partial *left,
                   const stn_partial *right)
{
    int64_t tile = (right->first + right->head) / STN_TILE_ELEMENTS;
    if (right->head)
        append_head(loops, scales, left, right);
    for (int b = 0; b < right->blocks; b++) {
        uint64_t state[3][2];
        for (int s = 0; s < 3; s++)
            memcpy(state[s], right->block[s][b], sizeof *state);
        push_block(loops, scales, left, tile, right->block_tiles[b], state);
        tile += right->block_tiles[b];
    }
    if (right->tail) {
        memcpy(left->edge[TAIL], right->edge[TAIL], sizeof right->edge[TAIL]);
        left->tail = right->tail;
    }
    left->count += right->count;
}

static stn_status merge(stn_partial *left, const stn_partial *right)
{
    static const char call[] = "stn_partial_merge";
    int64_t end;
    STN_TRY(expect(call, "left ", left));
    STN_TRY(expect(call, "right ", right));
    if (left->mark != right->mark)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_partial_merge: the parts are of two operations or arithmetics");
    if (end_of(left) != right->first)
        return stn_fail(STN_ERR_SHAPE, "stn_partial_merge: a part up to %lld and one from %lld on",
                        (long long)end_of(left), (long long)right->first);
    if (__builtin_add_overflow(end_of(left), right->count, &end))
        return stn_fail(STN_ERR_RANGE, "stn_partial_merge: more elements than can be counted");
    const stn_reduction *reduction = find(left);
    if (!reduction)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_partial_merge: no reduction of this program has this operation");
    STN_TRY(expect_states(call, "left ", reduction, left));
    STN_TRY(expect_states(call, "right ", reduction, right));
    append(loops_of(reduction, arithmetic_of(left)), scales_of(reduction), left, right);
    return STN_OK;
}

stn_status stn_partial_merge(stn_partial *left, const stn_partial *right)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = merge(left, right);
    stn_modes_leave(modes);
    return status;
}

/* ---- the end ---- */

/* Blocks, and what is left behind them, fold from the right. */
static void fold_part(const stn_reduction_loops *loops, int scales, const stn_partial *part,
                      uint64_t state[3][2])
{
    int b = part->blocks;
    uint64_t tail[STN_PARTIAL_EDGE][2], left[2];
    if (part->tail) {
        memcpy(tail, part->edge[TAIL], sizeof tail);
        fold_edge(loops, scales, arithmetic_of(part), tail, part->tail,
                  next_tile(part) * STN_TILE_ELEMENTS, state);
    } else {
        b--;
        for (int s = 0; s < 3; s++)
            memcpy(state[s], part->block[s][b], sizeof left);
    }
    while (--b >= 0)
        for (int s = 0; s < scales; s++) {
            memcpy(left, part->block[s][b], sizeof left);
            loops->combine(left, state[s], 1);
            memcpy(state[s], left, sizeof left);
        }
}

static stn_status finish(const stn_reduction *reduction, const stn_partial *part, void *result)
{
    const char *name = reduction ? reduction->kernel.name : "stn_reduce_finish";
    uint64_t state[3][2] = {{0}};
    STN_TRY(expect(name, "", part));
    if (!reduction || !result)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: %s is NULL", name,
                        reduction ? "result" : "reduction");
    const stn_format arithmetic = arithmetic_of(part);
    const stn_reduction_loops *loops = loops_of(reduction, arithmetic);
    if (!loops || mark_of(reduction, arithmetic) != part->mark)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: the part is of another operation", name);
    STN_TRY(expect_states(name, "", reduction, part));
    if (part->first != 0)
        return stn_fail(STN_ERR_SHAPE, "kernel %s: the part begins at element %lld, not at 0", name,
                        (long long)part->first);
    int which = 0;
    if (part->count == 0) {
        loops->identity(state[0]);
    } else {
        fold_part(loops, scales_of(reduction), part, state);
        which = scales_of(reduction) == 3 ? stn_norm_range(arithmetic, state[0]) : 0;
    }
    loops->finish(state[which], result, 1, which ? stn_norm_scale_of(arithmetic, which) : 1.0);
    return STN_OK;
}

stn_status stn_reduce_finish(const stn_reduction *reduction, const stn_partial *part, void *result)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = finish(reduction, part, result);
    stn_modes_leave(modes);
    return status;
}
