/* Values of address registers: value number, offset, and the pointers that they may be derived
 * from. Each write creates a new value number, except for copies and added constants. If several
 * values reach a block, it begins with a new one (a phi of static single assignment). Hence two
 * addresses with the same value number are at a known distance on every path. Origins are bits: one
 * for each argument register, and one for each loaded pointer. Two addresses with a common origin
 * may belong to one array. Products and values of less than 64 bits are not pointers. Values from
 * the stack or from a call may have any origin, because functions spill computed addresses. */
#include <string.h>

#include "contract/flow/flow.h"
#include "core/memory.h"

enum { REGISTERS = 64, GENERAL = 32, LOADS = 31, POINTER_BITS = 64, MAX_ROUNDS = 16 };

#define ANYWHERE  (~UINT64_C(0))
#define CONSTANTS (UINT64_C(1) << 63) /* addresses in the code, such as those of static arrays */

/* CPUs: by register number. GPUs: by the last six bits of the value number (sass_values.h); their
 * origins are not computed. */
typedef struct state {
    int64_t value[REGISTERS], moved[REGISTERS];
    uint64_t origins[GENERAL];
} state;

typedef struct values {
    stn_code *code;
    const stn_graph *graph;
    state *begin;              /* by block */
    uint64_t *values_of_block; /* by block, bit per register: several values reach it */
    unsigned char *is_reached, *is_waiting;
    int32_t *waiting;
    int32_t count;
} values;

static uint64_t bit(int number)
{
    return UINT64_C(1) << number;
}

/* ---- origins ---- */

typedef enum loaded { LOADS_NOTHING, LOADS_MEMORY, LOADS_STACK } loaded;

static loaded loads(const stn_machine_instruction *at)
{
    loaded found = LOADS_NOTHING;
    for (int k = 0; k < at->accesses && found != LOADS_STACK; k++)
        if (at->access[k].reads && at->access[k].bits >= POINTER_BITS)
            found = at->access[k].space == STN_SPACE_STACK ? LOADS_STACK : LOADS_MEMORY;
    return found;
}

static uint64_t result_of(const stn_machine_instruction *at, const uint64_t now[GENERAL])
{
    uint64_t result = 0;
    if (at->flow == STN_FLOW_CALL || at->pointers == ANYWHERE || loads(at) == LOADS_STACK ||
        at->operation == STN_OP_UNKNOWN)
        return ANYWHERE;
    for (int r = 0; r < GENERAL; r++)
        result |= at->pointers >> r & 1 ? now[r] : 0;
    return result;
}

static void pass_origins(const stn_code *code, int32_t i, uint64_t now[GENERAL])
{
    const stn_machine_instruction *at = &code->instructions[i];
    const uint64_t result = at->written ? result_of(at, now) : 0;
    int k = 0; /* each loaded register may hold a different pointer */
    for (int r = 0; r < GENERAL; r++) {
        if (!(at->written >> r & 1) || r == at->step_register)
            continue;
        now[r] = result;
        if (loads(at) == LOADS_MEMORY)
            now[r] |= bit(GENERAL + (2 * i + k++) % LOADS);
    }
}

static uint64_t origins_of(const stn_access *access, const uint64_t now[GENERAL])
{
    uint64_t result = 0;
    if (access->base >= GENERAL || access->lanes > 1)
        return ANYWHERE;
    if (access->base >= 0)
        result = now[access->base];
    if (access->index >= 0 && access->index < GENERAL && access->scale == 1)
        result |= now[access->index];
    return result ? result : CONSTANTS;
}

/* Arguments have separate origins; other registers may point anywhere. */
static uint64_t first_origin(const stn_code *code, int number)
{
    enum {
        X86_ARGUMENTS = 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9,
        A64_ARGUMENTS = 0xff
    };
    const int arguments = code->machine == STN_MACHINE_X86_64 ? X86_ARGUMENTS : A64_ARGUMENTS;
    return arguments >> number & 1 ? bit(number) : ANYWHERE;
}

/* ---- values ---- */

/* Unique value numbers. */
static int64_t new_value(int32_t instruction, int number)
{
    return ((int64_t)instruction + 1) * REGISTERS + number;
}

static int64_t own_value(int32_t block, int number)
{
    return -((int64_t)block * REGISTERS + number) - 1;
}

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void pass(const stn_code *code, int32_t i, state *now)
{
    const stn_machine_instruction *at = &code->instructions[i];
    const int is_copy = at->copies && at->copy_from >= 0;
    const int from = is_copy ? at->copy_from % REGISTERS : 0;
    const int64_t value = now->value[from], moved = sum(now->moved[from], at->copy_offset);
    for (uint64_t left = at->written; left; left &= left - 1) {
        const int r = __builtin_ctzll(left);
        if (at->step_register >= 0 && at->step_register % REGISTERS == r) {
            now->moved[r] = sum(now->moved[r], at->step);
        } else {
            now->value[r] = is_copy && at->copy_to % REGISTERS == r ? value : new_value(i, r);
            now->moved[r] = is_copy && at->copy_to % REGISTERS == r ? moved : 0;
        }
    }
    if (code->machine != STN_MACHINE_NVIDIA)
        pass_origins(code, i, now->origins);
}

/* Adds the offset of an address register. */
static int64_t take(stn_access *access, const state *now, int number, int scale)
{
    if (number < 0)
        return 0;
    const int r = number % REGISTERS;
    access->moved = sum(access->moved, (int64_t)((uint64_t)now->moved[r] * (uint64_t)scale));
    return now->value[r];
}

static void mark(const stn_code *code, stn_access *access, const state *now)
{
    access->moved = access->displacement;
    access->base_value = take(access, now, access->base, 1);
    access->index_value = take(access, now, access->index, access->scale);
    access->origins =
        code->machine == STN_MACHINE_NVIDIA ? ANYWHERE : origins_of(access, now->origins);
}

/* ---- paths ---- */

static int32_t block_end(const values *v, int32_t block)
{
    return block + 1 < v->graph->blocks ? v->graph->first[block + 1] : v->code->count;
}

static void set_own(state *now, int32_t block, uint64_t values_of_block)
{
    for (int r = 0; r < REGISTERS; r++)
        if (values_of_block >> r & 1) {
            now->value[r] = own_value(block, r);
            now->moved[r] = 0;
        }
}

static void wait(values *v, int32_t block)
{
    if (!v->is_waiting[block])
        v->waiting[v->count++] = block;
    v->is_waiting[block] = 1;
}

static void follow_block(const values *v, int32_t block, state *now)
{
    *now = v->begin[block];
    for (int32_t i = v->graph->first[block]; i < block_end(v, block); i++)
        pass(v->code, i, now);
}

/* Every block begins with the state of the first path that reaches it. */
static void spread(values *v, int32_t root)
{
    const stn_graph *graph = v->graph;
    state now;
    v->values_of_block[root] = ~UINT64_C(0);
    set_own(&v->begin[root], root, v->values_of_block[root]);
    for (int r = 0; r < GENERAL; r++)
        v->begin[root].origins[r] = root == 0 ? first_origin(v->code, r) : ANYWHERE;
    v->is_reached[root] = 1;
    wait(v, root);
    while (v->count > 0) {
        const int32_t block = v->waiting[--v->count];
        v->is_waiting[block] = 0;
        follow_block(v, block, &now);
        for (int32_t w = graph->ways[block]; w < graph->ways[block + 1]; w++) {
            const int32_t to = graph->next[w];
            if (v->is_reached[to])
                continue;
            v->begin[to] = now;
            set_own(&v->begin[to], to, v->values_of_block[to]);
            v->is_reached[to] = 1;
            wait(v, to);
        }
    }
}

/* Registers whose value on an edge differs from the state at the beginning of the block. */
static uint64_t differing(const state *incoming, const state *begin, uint64_t values_of_block)
{
    uint64_t found = 0;
    for (int r = 0; r < REGISTERS; r++)
        if (incoming->value[r] != begin->value[r] || incoming->moved[r] != begin->moved[r])
            found |= bit(r);
    return found & ~values_of_block;
}

/* Do all edges into each block agree? Registers that differ get a new value. */
static int agree(values *v, int rounds)
{
    const stn_graph *graph = v->graph;
    int agreed = 1;
    state now;
    for (int32_t b = 0; b < graph->blocks; b++) {
        if (!v->is_reached[b])
            continue;
        follow_block(v, b, &now);
        for (int32_t w = graph->ways[b]; w < graph->ways[b + 1]; w++) {
            const int32_t to = graph->next[w];
            const uint64_t more = differing(&now, &v->begin[to], v->values_of_block[to]);
            v->values_of_block[to] |= more && rounds > MAX_ROUNDS ? ~UINT64_C(0) : more;
            agreed &= !more;
        }
    }
    return agreed;
}

/* Nested loops take one round each. */
static void settle(values *v)
{
    int rounds = 0;
    do {
        memset(v->is_reached, 0, (size_t)v->graph->blocks);
        for (int32_t b = 0; b < v->graph->blocks; b++)
            if (!v->is_reached[b] &&
                (b == 0 || !stn_code_is_padding(v->code, v->graph->first[b], block_end(v, b))))
                spread(v, b);
    } while (!agree(v, rounds++));
}

/* Unites the origins of all paths. */
static void unite_origins(values *v)
{
    const stn_graph *graph = v->graph;
    state now;
    for (int32_t b = graph->blocks - 1; b >= 0; b--)
        if (v->is_reached[b])
            wait(v, b);
    while (v->count > 0) {
        const int32_t block = v->waiting[--v->count];
        v->is_waiting[block] = 0;
        follow_block(v, block, &now);
        for (int32_t w = graph->ways[block]; w < graph->ways[block + 1]; w++) {
            state *to = &v->begin[graph->next[w]];
            uint64_t more = 0;
            for (int r = 0; r < GENERAL; r++) {
                more |= now.origins[r] & ~to->origins[r];
                to->origins[r] |= now.origins[r];
            }
            if (more)
                wait(v, graph->next[w]);
        }
    }
}

static void mark_all(const values *v)
{
    state now;
    for (int32_t b = 0; b < v->graph->blocks; b++) {
        now = v->begin[b]; /* unreachable blocks: all zeros, one value with any origin */
        for (int32_t i = v->graph->first[b]; i < block_end(v, b); i++) {
            stn_machine_instruction *at = &v->code->instructions[i];
            for (int k = 0; k < at->accesses; k++)
                mark(v->code, &at->access[k], &now);
            pass(v->code, i, &now);
        }
    }
}

/* ---- entry point ---- */

static stn_status find(values *v)
{
    const int64_t blocks = v->graph->blocks;
    STN_TRY(stn_allocate(&v->begin, blocks, sizeof *v->begin, "registers"));
    STN_TRY(stn_allocate(&v->values_of_block, blocks, sizeof *v->values_of_block, "registers"));
    STN_TRY(stn_allocate(&v->waiting, blocks, sizeof *v->waiting, "basic blocks"));
    STN_TRY(stn_allocate(&v->is_reached, 2 * blocks, 1, "basic blocks"));
    memset(v->begin, 0, (size_t)blocks * sizeof *v->begin);
    memset(v->values_of_block, 0, (size_t)blocks * sizeof *v->values_of_block);
    memset(v->is_reached, 0, 2 * (size_t)blocks);
    v->is_waiting = v->is_reached + blocks;
    settle(v);
    unite_origins(v);
    mark_all(v);
    return STN_OK;
}

stn_status stn_graph_mark_values(const stn_graph *graph, stn_code *code)
{
    values v = {.code = code, .graph = graph};
    const stn_status status = find(&v);
    stn_free(v.begin);
    stn_free(v.values_of_block);
    stn_free(v.waiting);
    stn_free(v.is_reached);
    return status;
}
