/* How many elements an iteration advances by: the advance of its streams in bytes over the size of
 * their numbers. */
#include <string.h>

#include "contract/distinct.h"

enum { ANSWERS = 16 };

/* Answers with the number of accesses that gave them. */
typedef struct vote {
    int64_t elements[ANSWERS];
    int32_t votes[ANSWERS];
    int answers;
} vote;

/* Bytes that the address moves by in an iteration; 0 when that is not known. */
static int64_t advance_of(const stn_advances *found, const stn_course *now,
                          const stn_access *access)
{
    uint64_t advance = 0;
    const int part[2] = {access->base, access->index};
    const int scale[2] = {1, access->scale};
    for (int k = 0; k < 2; k++) {
        if (part[k] < 0)
            continue;
        const int origin = now->origin[part[k] % STN_COURSE_REGISTERS];
        if (origin < 0 || !(found->is_known >> origin & 1))
            return 0;
        advance += (uint64_t)found->of[origin] * (uint64_t)scale[k];
    }
    const int64_t result = (int64_t)advance;
    return result == INT64_MIN ? 0 : result < 0 ? -result : result;
}

static void give(vote *to, int64_t advance, int element)
{
    if (advance == 0 || element == 0 || advance % element != 0 || advance / element > INT32_MAX)
        return;
    int k = 0;
    while (k < to->answers && to->elements[k] != advance / element)
        k++;
    if (k == ANSWERS)
        return;
    if (k == to->answers)
        to->votes[to->answers++] = 0;
    to->elements[k] = advance / element;
    to->votes[k]++;
}

/* Of equally frequent answers the smallest, but with conversions the largest: they show that one of
 * the streams is of the narrow type. */
static int32_t result_of(const vote *of, int prefers_many)
{
    int best = -1;
    for (int k = 0; k < of->answers; k++) {
        const int is_better = best >= 0 && (of->elements[k] > of->elements[best]) == prefers_many;
        if (best < 0 || of->votes[k] > of->votes[best] ||
            (of->votes[k] == of->votes[best] && is_better))
            best = k;
    }
    return best < 0 ? 0 : (int32_t)of->elements[best];
}

/* ---- accesses that do not tell the size of their numbers ---- */

/* The sizes that numbers have in a loop, in bytes. */
typedef struct sizes {
    int bytes[8];
    int count;
    int converts; /* between types of floating point */
} sizes;

static void add_size(sizes *to, int bytes)
{
    for (int k = 0; k < to->count; k++)
        if (to->bytes[k] == bytes)
            return;
    if (bytes > 0 && to->count < 8)
        to->bytes[to->count++] = bytes;
}

static int kind_bytes(int kind)
{
    return kind == STN_KIND_F64 ? 8 : kind == STN_KIND_F32 ? 4 : kind == STN_KIND_F16 ? 2 : 0;
}

/* Integers are as wide as their vectors have room for. */
static void add_integers(sizes *to, const stn_code *code, int32_t loop)
{
    const int widest = code->machine == STN_MACHINE_AARCH64 ? 128 : 512;
    int bits = 0, lanes = 1;
    for (int32_t i = code->loops[loop].first; i <= code->loops[loop].last; i++) {
        const stn_instruction *at = &code->instructions[i];
        if (code->loop_of[i] != loop)
            continue;
        if (at->operation == STN_OP_ARITHMETIC && at->lanes > lanes)
            lanes = at->lanes;
        for (int k = 0; k < at->accesses; k++)
            if (at->access[k].space == STN_SPACE_MEMORY && at->access[k].bits > bits)
                bits = at->access[k].bits;
    }
    if (lanes > 1)
        add_size(to, (bits < widest ? bits : widest) / 8 / lanes);
}

static sizes find_sizes(const stn_code *code, int32_t loop)
{
    sizes found = {.count = 0};
    for (int32_t i = code->loops[loop].first; i <= code->loops[loop].last; i++) {
        const stn_instruction *at = &code->instructions[i];
        if (code->loop_of[i] != loop)
            continue;
        if (at->operation == STN_OP_ARITHMETIC || at->operation == STN_OP_FMA)
            add_size(&found, kind_bytes(at->kind));
        if (at->operation != STN_OP_CONVERSION)
            continue;
        found.converts |= at->kind != STN_KIND_INTEGER;
        add_size(&found, at->kind == STN_KIND_INTEGER ? 4 : kind_bytes(at->kind));
    }
    if (found.count == 0)
        add_integers(&found, code, loop);
    return found;
}

static void vote_for(vote *votes, const sizes *of, const stn_access *access, int64_t advance)
{
    if (access->space != STN_SPACE_MEMORY || access->lanes > 1)
        return;
    if (access->element)
        give(votes, advance, access->element);
    for (int k = 0; k < of->count && !access->element; k++)
        give(votes, advance, of->bytes[k]);
}

int32_t stn_code_elements(const stn_code *code, int32_t loop)
{
    const stn_loop *range = &code->loops[loop];
    const stn_advances found = stn_course_advances(code, loop);
    const sizes of = find_sizes(code, loop);
    stn_course now;
    vote votes = {.answers = 0};
    stn_course_begin(&now, code, loop);
    for (int32_t n = 0; n <= range->last - range->first; n++) {
        const int32_t i = stn_loop_at(range, n);
        const stn_instruction *at = &code->instructions[i];
        for (int k = 0; k < at->accesses && code->loop_of[i] == loop; k++)
            vote_for(&votes, &of, &at->access[k], advance_of(&found, &now, &at->access[k]));
        stn_course_take(&now, code, loop, i);
    }
    return result_of(&votes, of.converts);
}
