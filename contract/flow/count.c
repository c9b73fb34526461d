/* Counts the operations of a function, or of an iteration of a loop without its inner loops. */
#include <string.h>

#include "contract/flow/distinct.h"
#include "core/memory.h"

static int width_of(int bits)
{
    int width = STN_WIDTH_8;
    while (width < STN_WIDTH_512 && 8 << width < bits)
        width++;
    return width;
}

static int64_t bytes_of(const stn_access *access)
{
    return (int64_t)access->bits / 8 * access->lanes;
}

static void count_stack(stn_code_counts *counts, const stn_access *access)
{
    counts->stack_loads += access->reads != 0;
    counts->stack_stores += access->writes != 0;
    counts->stack_bytes += bytes_of(access) * ((access->reads != 0) + (access->writes != 0));
}

/* A gather of n elements counts as n loads, a scatter as n stores. */
static void count_memory(stn_code_counts *counts, const stn_access *access)
{
    if (access->bits == 0) {
        counts->unsized_loads += access->reads != 0;
        counts->unsized_stores += access->writes != 0;
        return;
    }
    const int width = width_of(access->bits), times = access->lanes;
    if (access->reads) {
        counts->loads[width] += times;
        counts->raw_read += bytes_of(access);
        counts->gathers += times > 1;
    }
    if (access->writes) {
        counts->stores[width] += times;
        counts->raw_written += bytes_of(access);
        counts->scatters += times > 1;
    }
}

static void count_access(stn_code_counts *counts, const stn_access *access)
{
    switch (access->space) {
    case STN_SPACE_MEMORY:
        count_memory(counts, access);
        break;
    case STN_SPACE_STACK:
        count_stack(counts, access);
        break;
    case STN_SPACE_LOCAL:
        counts->local_loads += access->reads != 0;
        counts->local_stores += access->writes != 0;
        counts->stack_bytes += bytes_of(access) * ((access->reads != 0) + (access->writes != 0));
        break;
    case STN_SPACE_SHARED:
        counts->shared_loads += access->reads != 0;
        counts->shared_stores += access->writes != 0;
        break;
    case STN_SPACE_CONSTANT:
        counts->constant_loads += access->reads != 0;
        break;
    }
}

static void count_operation(stn_code_counts *counts, const stn_machine_instruction *at)
{
    const int is_packed = at->lanes > 1, kind = at->kind;
    switch (at->operation) {
    case STN_OP_ARITHMETIC:
        (is_packed ? counts->packed : counts->scalar)[kind]++;
        break;
    case STN_OP_FMA:
        (is_packed ? counts->packed_fma : counts->scalar_fma)[kind]++;
        break;
    case STN_OP_CONVERSION:
        counts->packed_conversions += is_packed;
        counts->scalar_conversions += !is_packed;
        break;
    case STN_OP_UNKNOWN:
        counts->unknown++;
        break;
    case STN_OP_OTHER:
        break;
    }
    counts->divisions += at->divides != 0;
    counts->approximations += at->approximates != 0;
}

static void count_flow(const stn_code *code, stn_code_counts *counts, int32_t instruction)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    const int goes = at->flow == STN_FLOW_BRANCH || at->flow == STN_FLOW_JUMP;
    const int leaves = stn_code_leaves(code, at);
    counts->calls += leaves;
    counts->branches += goes && !leaves;
    counts->branches +=
        at->flow == STN_FLOW_INDIRECT && !stn_code_is_unresolved_jump(code, instruction);
}

static void count_instruction(const stn_code *code, stn_code_counts *counts, int32_t instruction)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    counts->instructions++;
    for (int k = 0; k < at->accesses; k++)
        count_access(counts, &at->access[k]);
    counts->repeats += at->repeats;
    counts->cache_hints += at->is_hint;
    count_operation(counts, at);
    count_flow(code, counts, instruction);
    stn_code_count_registers(code, instruction, counts);
}

static int is_counted(const stn_code *code, int32_t loop, int32_t instruction)
{
    return loop < 0 || (code->loop_of && code->loop_of[instruction] == loop);
}

stn_status stn_code_count(const stn_code *code, int32_t loop, stn_code_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->size = sizeof *counts;
    const int32_t first = loop < 0 ? 0 : code->loops[loop].first;
    const int32_t last = loop < 0 ? code->count - 1 : code->loops[loop].last;
    for (int32_t i = first; i <= last; i++)
        if (is_counted(code, loop, i))
            count_instruction(code, counts, i);
    for (int32_t i = 0; i < code->count; i++) {
        counts->unresolved_jumps += stn_code_is_unresolved_jump(code, i);
        counts->lost_ways += code->instructions[i].is_lost;
        counts->unknown_registers += code->gpu && !code->gpu[i].is_known;
    }
    counts->irreducible = loop < 0 ? code->irreducible : code->loops[loop].cycle >= 0;
    if (loop >= 0)
        STN_TRY(stn_code_elements(code, loop, &counts->elements));
    return stn_code_distinct(code, loop, counts);
}

/* ---- the main loop ---- */

static int has_width(const stn_access *access)
{
    return access->space == STN_SPACE_MEMORY || access->space == STN_SPACE_SHARED;
}

typedef struct rank {
    int32_t bits, lanes, instructions;
    int is_around; /* loops inside it access memory */
} rank;

/* An access of unknown size may be narrow. */
static int32_t least_bits(const stn_access *access)
{
    return access->bits > 0 ? access->bits : 8;
}

static void raise_rank(rank *of, const stn_machine_instruction *at)
{
    for (int k = 0; k < at->accesses; k++)
        if (has_width(&at->access[k]) && least_bits(&at->access[k]) > of->bits)
            of->bits = least_bits(&at->access[k]);
    const int computes = at->operation == STN_OP_ARITHMETIC || at->operation == STN_OP_FMA;
    if (computes && at->lanes > of->lanes)
        of->lanes = at->lanes;
    of->instructions++;
}

static int is_above(const rank *one, const rank *other)
{
    return one->bits != other->bits     ? one->bits > other->bits
           : one->lanes != other->lanes ? one->lanes > other->lanes
                                        : one->instructions > other->instructions;
}

static void rank_loops(const stn_code *code, rank *ranks)
{
    memset(ranks, 0, (size_t)code->loop_count * sizeof *ranks);
    for (int32_t i = 0; i < code->count; i++)
        if (code->loop_of[i] >= 0)
            raise_rank(&ranks[code->loop_of[i]], &code->instructions[i]);
    for (int32_t loop = code->loop_count - 1; loop >= 0; loop--) /* inner loops first */
        if (code->loops[loop].parent >= 0 && (ranks[loop].bits > 0 || ranks[loop].is_around))
            ranks[code->loops[loop].parent].is_around = 1;
}

/* Inner loops that access only the stack, such as those that clear an array of sums, are
 * ignored. */
static int is_innermost(const stn_code *code, const rank *ranks, int32_t loop, int touches_memory)
{
    return touches_memory ? ranks[loop].bits > 0 && !ranks[loop].is_around
                          : code->loops[loop].is_innermost;
}

static int32_t highest(const stn_code *code, const rank *ranks, int touches_memory)
{
    int32_t best = -1;
    for (int32_t loop = 0; loop < code->loop_count; loop++)
        if (is_innermost(code, ranks, loop, touches_memory) &&
            (best < 0 || is_above(&ranks[loop], &ranks[best])))
            best = loop;
    return best;
}

/* An instruction of an irreducible cycle that ranks at least as high as the main loop; -1: none.
 * `ranks` has an element for each loop and, at [0], for code outside of loops. */
static int32_t find_rival(const stn_code *code, const rank *main, rank *ranks)
{
    memset(ranks, 0, ((size_t)code->loop_count + 1) * sizeof *ranks);
    for (int32_t i = 0; i < code->count; i++)
        if (code->in_cycle[i])
            raise_rank(&ranks[code->loop_of[i] + 1], &code->instructions[i]);
    for (int32_t loop = -1; loop < code->loop_count; loop++) {
        const int32_t cycle = loop < 0 ? code->cycle : code->loops[loop].cycle;
        if (cycle >= 0 && !is_above(main, &ranks[loop + 1]))
            return cycle;
    }
    return -1;
}

stn_status stn_code_choose_main_loop(stn_code *code)
{
    rank *ranks;
    code->main_loop = -1;
    if (code->loop_count == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&ranks, (int64_t)code->loop_count + 1, sizeof *ranks, "loops"));
    rank_loops(code, ranks);
    code->main_loop = highest(code, ranks, 1);
    if (code->main_loop < 0)
        code->main_loop = highest(code, ranks, 0);
    const rank main = ranks[code->main_loop];
    code->main_cycle = find_rival(code, &main, ranks);
    stn_free(ranks);
    return STN_OK;
}
