/* Parts of reductions as another process might send them: what bytes say is made of the definition
 * in doc/order.md, spoilt here and there, and merged. Shared by a test and by a fuzzer. */
#ifndef STENO_TEST_PARTIAL_MODEL_H
#define STENO_TEST_PARTIAL_MODEL_H

#include <string.h>

#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(model_total, sum, (in(x)), x)
STN_REDUCE(model_length, norm2, (in(x)), x)
STN_REDUCE(model_least, argmin, (in(x)), x)
STN_REDUCE(model_dot, products, (in(x), in(y)), x, y)
STN_REDUCE(model_positive, count, (in(x)), x > 0)
STN_REDUCE(model_some, any, (in(x)), x > 0)
STN_REDUCE(model_every, all, (in(x)), x > 0)
STN_REDUCE_INTEGER(model_whole, sum, (in(x)), x)
/* clang-format on */

enum {
    PARTIAL_KINDS = 10,
    PARTIAL_TOP = 56 /* 2^56 tiles have more elements than can be counted */
};

/* What states of conditions are. */
enum { PARTIAL_TRUTH = 1, PARTIAL_COUNT };

static const struct partial_kind {
    const stn_reduction *reduction;
    stn_format arithmetic;
    int scales, numbered, state_bytes, mapped_bytes, condition;
} partial_kinds[PARTIAL_KINDS] = {
    {&model_total_reduction, STN_F64, 1, 0, 8, 8, 0},
    {&model_total_reduction, STN_F32, 1, 0, 4, 4, 0},
    {&model_length_reduction, STN_F64, 3, 0, 8, 8, 0},
    {&model_length_reduction, STN_F32, 3, 0, 4, 4, 0},
    {&model_least_reduction, STN_F64, 1, 1, 16, 8, 0},
    {&model_dot_reduction, STN_F64, 1, 0, 8, 16, 0},
    {&model_whole_reduction, STN_I64, 1, 0, 8, 8, 0},
    {&model_positive_reduction, STN_F64, 1, 0, 8, 8, PARTIAL_COUNT},
    {&model_some_reduction, STN_F32, 1, 0, 8, 8, PARTIAL_TRUTH},
    {&model_every_reduction, STN_F64, 1, 0, 8, 8, PARTIAL_TRUTH},
};

/* The bytes that decide, taken one after the other; 0 behind the last. */
typedef struct partial_words {
    const uint8_t *at, *end;
} partial_words;

static uint64_t partial_take(partial_words *words, int bytes)
{
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++)
        value = value << 8 | (words->at < words->end ? *words->at++ : 0);
    return value;
}

/* The mark of an operation: that of a part of nothing. */
static uint64_t partial_mark(const stn_exec *exec, const struct partial_kind *kind)
{
    static double nothing;
    const int64_t none = 0;
    stn_partial part;
    stn_view x;
    memset(&x, 0, sizeof x);
    memset(&part, 0, sizeof part);
    (void)stn_view_wrap(&x, "x", stn_storage_of(kind->arithmetic), &nothing, 1, &none);
    const stn_argument arguments[2] = {{.view = &x}, {.view = &x}};
    (void)stn_reduce_parts(exec, kind->reduction, kind->arithmetic, 0, STN_REDUCED_ALL, 0, &part,
                           arguments);
    return part.mark;
}

/* Append the blocks of the tiles begin to end - 1 that lie in the 2^level tiles from `tile` on. */
static void partial_add_blocks(stn_partial *part, const struct partial_kind *kind, int level,
                               int64_t tile, int64_t begin, int64_t end)
{
    const int64_t tiles = INT64_C(1) << level;
    if (tile >= end || tile + tiles <= begin)
        return;
    if (tile >= begin && tile + tiles <= end) {
        const int b = part->blocks++;
        part->block_tiles[b] = tiles;
        for (int s = 0; s < kind->scales; s++) {
            part->block[s][b][0] = kind->condition ? 1 : 0x3f800000; /* finite in f64, 1 in f32 */
            part->block[s][b][1] = kind->numbered ? (uint64_t)tile * STN_TILE_ELEMENTS + 5 : 0;
        }
        return;
    }
    partial_add_blocks(part, kind, level - 1, tile, begin, end);
    partial_add_blocks(part, kind, level - 1, tile + tiles / 2, begin, end);
}

static stn_partial partial_made(const struct partial_kind *kind, uint64_t mark, int64_t first,
                                int64_t count)
{
    const int64_t end = first + count, begin = (first - 1) / STN_TILE_ELEMENTS + (first > 0);
    stn_partial part;
    memset(&part, 0, sizeof part);
    part.size = sizeof part;
    part.mark = mark;
    part.first = first;
    part.count = count;
    if (begin > end / STN_TILE_ELEMENTS) {
        part.head = (int32_t)count;
    } else {
        part.head = (int32_t)(begin * STN_TILE_ELEMENTS - first);
        part.tail = (int32_t)(end % STN_TILE_ELEMENTS);
        partial_add_blocks(&part, kind, PARTIAL_TOP, 0, begin, end / STN_TILE_ELEMENTS);
    }
    return part;
}

/* Conditions are 0 or 1, and a block has as many that hold as it has elements, at most. */
static int partial_has_conditions(const struct partial_kind *kind, const stn_partial *part)
{
    for (int b = 0; b < part->blocks; b++)
        if (part->block[0][b][0] > (kind->condition == PARTIAL_TRUTH
                                        ? 1
                                        : (uint64_t)part->block_tiles[b] * STN_TILE_ELEMENTS))
            return 0;
    for (int k = 0; k < STN_PARTIAL_EDGE; k++)
        if ((k < part->head && part->edge[0][k][0] > 1) ||
            (k < part->tail && part->edge[1][k][0] > 1))
            return 0;
    return 1;
}

/* Does it have what parts of its elements have, and nothing else? */
static int partial_is_sound(const struct partial_kind *kind, const stn_partial *part)
{
    if (part->first < 0 || part->count < 0 || part->first > INT64_MAX - part->count)
        return 0;
    const stn_partial model = partial_made(kind, part->mark, part->first, part->count);
    if (part->size != model.size || part->reserved != 0 || part->blocks != model.blocks ||
        part->head != model.head || part->tail != model.tail ||
        memcmp(part->block_tiles, model.block_tiles,
               (size_t)model.blocks * sizeof *model.block_tiles) != 0)
        return 0;
    for (int b = 0; b < part->blocks && kind->numbered; b++)
        if (part->block[0][b][1] - model.block[0][b][1] + 5 >=
            (uint64_t)part->block_tiles[b] * STN_TILE_ELEMENTS)
            return 0;
    return !kind->condition || partial_has_conditions(kind, part);
}

/* Spoil something of a part. */
static void partial_spoil(stn_partial *part, partial_words *words)
{
    const int what = (int)partial_take(words, 1) % 10;
    const uint64_t where = partial_take(words, 2), value = partial_take(words, 1);
    const int b = (int)(where % STN_PARTIAL_BLOCKS);
    switch (what) {
    case 0:
        part->blocks = (int32_t)value;
        break;
    case 1:
        part->block_tiles[b] = (int64_t)(UINT64_C(1) << value % 64);
        break;
    case 2:
        part->head += (int32_t)(value - 128);
        break;
    case 3:
        part->tail += (int32_t)(value - 128);
        break;
    case 4:
        part->first = (int64_t)((uint64_t)part->first + value - 128);
        break;
    case 5:
        part->count = (int64_t)((uint64_t)part->count + value - 128);
        break;
    case 6: { /* two neighbours change places */
        const int64_t tiles = part->block_tiles[b % (STN_PARTIAL_BLOCKS - 1)];
        part->block_tiles[b % (STN_PARTIAL_BLOCKS - 1)] =
            part->block_tiles[b % (STN_PARTIAL_BLOCKS - 1) + 1];
        part->block_tiles[b % (STN_PARTIAL_BLOCKS - 1) + 1] = tiles;
        break;
    }
    case 7: { /* blocks of 1 and 2 tiles, as many as there are, with a count that goes with them */
        part->blocks = (int32_t)(value % (STN_PARTIAL_BLOCKS + 1));
        part->count = part->head + part->tail;
        for (int k = 0; k < part->blocks; k++) {
            part->block_tiles[k] = 2 - (k + (int)where) % 2;
            part->count += part->block_tiles[k] * STN_TILE_ELEMENTS;
        }
        break;
    }
    default:
        ((unsigned char *)part)[where % sizeof *part] ^= (unsigned char)value;
    }
}

/* A number of any size. */
static int64_t partial_number(partial_words *words)
{
    const uint64_t bits = partial_take(words, 1) % 64;
    return (int64_t)(partial_take(words, 8) >> 1 >> (63 - bits));
}

/* Merge two parts that the bytes describe, and finish what comes of it; NULL, or what is wrong
 * with that. `left` and `right` are where they are put. */
static const char *partial_try(const stn_exec *exec, const uint8_t *bytes, size_t size,
                               stn_partial *left, stn_partial *right)
{
    static uint64_t marks[PARTIAL_KINDS];
    partial_words words = {bytes, bytes + size};
    const int at = (int)partial_take(&words, 1) % PARTIAL_KINDS;
    const struct partial_kind *kind = &partial_kinds[at];
    marks[at] = marks[at] ? marks[at] : partial_mark(exec, kind);
    const int64_t first = partial_number(&words) >> 2, count = partial_number(&words) >> 2;
    *left = partial_made(kind, marks[at], first, count);
    *right = partial_made(kind, marks[at], first + count, partial_number(&words) >> 2);
    const int spoilt = words.at < words.end;
    while (words.at < words.end)
        partial_spoil(partial_take(&words, 1) % 2 ? left : right, &words);
    const stn_partial before = *left;
    const int sound = partial_is_sound(kind, left) && partial_is_sound(kind, right);
    const stn_status status = stn_reduce_merge(kind->reduction, left, right);
    uint64_t result[2];
    if (status != STN_OK && memcmp(&before, left, sizeof before) != 0)
        return "a part that is refused is changed";
    if (status != STN_OK && !spoilt)
        return "parts are refused that are sound";
    if (status == STN_OK && before.mark == marks[at] && !sound)
        return "a part is merged that is none";
    if (status == STN_OK && before.mark == marks[at] && !partial_is_sound(kind, left))
        return "what was merged is no part";
    (void)stn_reduce_finish(kind->reduction, left, result);
    (void)stn_reduce_finish(kind->reduction, right, result);
    return NULL;
}

#endif
