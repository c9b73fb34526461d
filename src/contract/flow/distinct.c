/* Bytes at distinct addresses: a union of intervals per base and index register. */
#include "contract/flow/distinct.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { REGISTERS = 64 };

/* What is known of registers on the way: each write makes a new value of it, except for an added
 * constant, which only moves what it points to. */
typedef struct registers {
    int32_t value[REGISTERS];
    int64_t moved[REGISTERS];
} registers;

static void step(registers *now, const stn_machine_instruction *at, int32_t instruction)
{
    const int by_constant = at->step_register >= 0;
    for (uint64_t left = at->written; left; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        if (by_constant && at->step_register % REGISTERS == bit)
            now->moved[bit] = (int64_t)((uint64_t)now->moved[bit] + (uint64_t)at->step);
        else
            now->value[bit] = instruction + 1;
    }
}

static stn_code_place place(const registers *now, const stn_access *access)
{
    stn_code_place result = {.base = access->base, .index = access->index, .scale = access->scale};
    uint64_t from = (uint64_t)access->displacement;
    if (access->base >= 0) {
        result.base_value = now->value[access->base % REGISTERS];
        from += (uint64_t)now->moved[access->base % REGISTERS];
    }
    if (access->index >= 0) {
        result.index_value = now->value[access->index % REGISTERS];
        from += (uint64_t)now->moved[access->index % REGISTERS] * (uint64_t)access->scale;
    }
    result.from = (int64_t)from;
    result.to = (int64_t)(from + (uint64_t)access->bits / 8);
    return result;
}

#define ORDER(field)                                                                               \
    if (a->field != b->field)                                                                      \
    return a->field < b->field ? -1 : 1

static int compare(const void *one, const void *other)
{
    const stn_code_place *a = one, *b = other;
    ORDER(writes);
    ORDER(base);
    ORDER(base_value);
    ORDER(index);
    ORDER(index_value);
    ORDER(scale);
    ORDER(from);
    ORDER(to);
    return 0;
}

int stn_code_place_is_beside(const stn_code_place *a, const stn_code_place *b)
{
    return a->writes == b->writes && a->base == b->base && a->base_value == b->base_value &&
           a->index == b->index && a->index_value == b->index_value && a->scale == b->scale;
}

typedef struct collector {
    stn_code_place *places;
    int32_t count;
    registers now;
    stn_code_counts *counts;
} collector;

static void collect_access(collector *all, const stn_access *access)
{
    if (access->space != STN_SPACE_MEMORY)
        return;
    if (access->lanes > 1) { /* of a gather: anywhere */
        const int64_t bytes = (int64_t)access->bits / 8 * access->lanes;
        all->counts->distinct_read += access->reads ? bytes : 0;
        all->counts->distinct_written += access->writes ? bytes : 0;
        return;
    }
    stn_code_place found = place(&all->now, access);
    for (int writes = 0; writes < 2; writes++) {
        found.writes = writes;
        if (writes ? access->writes : access->reads)
            all->places[all->count++] = found;
    }
}

static void collect_instruction(collector *all, const stn_code *code, int32_t loop, int32_t i)
{
    const stn_machine_instruction *at = &code->instructions[i];
    const int counts = loop < 0 || code->loop_of[i] == loop;
    for (int k = 0; k < at->accesses && counts; k++)
        collect_access(all, &at->access[k]);
    if (loop < 0 || stn_code_in_loop(code, loop, i))
        step(&all->now, at, i);
}

static void unite(collector *all)
{
    int64_t reached = 0;
    for (int32_t k = 0; k < all->count; k++) {
        const stn_code_place *at = &all->places[k];
        const int continues = k > 0 && stn_code_place_is_beside(at, at - 1);
        const int64_t from = continues && at->from < reached ? reached : at->from;
        if (at->to > from)
            *(at->writes ? &all->counts->distinct_written : &all->counts->distinct_read) +=
                at->to - from;
        reached = continues && reached > at->to ? reached : at->to;
    }
}

static int64_t most_places(const stn_code *code, const stn_loop *range)
{
    int64_t most = 0;
    for (int32_t i = range->first; i <= range->last; i++)
        most += 2 * code->instructions[i].accesses;
    return most;
}

/* The accesses of a loop, sorted; gathers, which go anywhere, are only added to the counts. */
static stn_status collect(const stn_code *code, int32_t loop, collector *all)
{
    const stn_loop whole = {.last = code->count - 1};
    const stn_loop *range = loop < 0 ? &whole : &code->loops[loop];
    STN_TRY(stn_allocate(&all->places, most_places(code, range), sizeof *all->places,
                         "memory accesses"));
    for (int32_t k = 0; k <= range->last - range->first; k++)
        collect_instruction(all, code, loop, stn_loop_at(range, k));
    if (all->count > 0)
        qsort(all->places, (size_t)all->count, sizeof *all->places, compare);
    return STN_OK;
}

stn_status stn_code_distinct(const stn_code *code, int32_t loop, stn_code_counts *counts)
{
    collector *all;
    counts->distinct_read = counts->distinct_written = 0;
    STN_TRY(stn_allocate(&all, 1, sizeof *all, "registers"));
    memset(all, 0, sizeof *all);
    all->counts = counts;
    const stn_status status = collect(code, loop, all);
    if (status == STN_OK)
        unite(all);
    stn_free(all->places);
    stn_free(all);
    return status;
}

stn_status stn_code_places(const stn_code *code, stn_code_place **places, int32_t *count)
{
    stn_code_counts ignored;
    collector *all;
    *places = NULL;
    STN_TRY(stn_allocate(&all, 1, sizeof *all, "registers"));
    memset(all, 0, sizeof *all);
    all->counts = &ignored;
    ignored.distinct_read = ignored.distinct_written = 0;
    const stn_status status = collect(code, STN_LOOP_NONE, all);
    *places = all->places;
    *count = all->count;
    stn_free(all);
    return status;
}
