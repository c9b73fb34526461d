/* Basic blocks and natural loops of a function; dominators are in dominator.c. */
#include "contract/flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

int32_t stn_code_target(const stn_code *code, int32_t instruction)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    const int goes = at->flow == STN_FLOW_BRANCH || at->flow == STN_FLOW_JUMP;
    return goes && at->target != STN_NO_TARGET ? stn_code_at_address(code, at->target) : -1;
}

static int ends_block(stn_flow flow)
{
    return flow == STN_FLOW_BRANCH || flow == STN_FLOW_JUMP || flow == STN_FLOW_INDIRECT ||
           flow == STN_FLOW_END;
}

static int falls_through(stn_flow flow)
{
    return flow == STN_FLOW_BRANCH || !ends_block(flow);
}

/* block_of[i]: 1 if a block begins at i; then the block of each instruction. */
static void number_blocks(const stn_code *code, stn_graph *graph)
{
    memset(graph->block_of, 0, (size_t)code->count * sizeof *graph->block_of);
    graph->block_of[0] = 1;
    for (int32_t i = 0; i < code->count; i++) {
        const int32_t target = stn_code_target(code, i);
        if (target >= 0)
            graph->block_of[target] = 1;
        if (ends_block(code->instructions[i].flow) && i + 1 < code->count)
            graph->block_of[i + 1] = 1;
    }
    for (int32_t c = 0; c < code->case_count; c++)
        graph->block_of[code->cases[c].to] = 1;
    int32_t block = -1;
    for (int32_t i = 0; i < code->count; i++) {
        block += graph->block_of[i];
        graph->block_of[i] = block;
    }
    graph->blocks = block + 1;
}

/* Writes the successors of a block into `next` and returns their count. */
static int32_t list_ways(const stn_code *code, const stn_graph *graph, int32_t i, int32_t *next)
{
    const int32_t target = stn_code_target(code, i);
    int32_t count = 0;
    if (falls_through(code->instructions[i].flow) && i + 1 < code->count)
        next[count++] = graph->block_of[i] + 1;
    if (target >= 0)
        next[count++] = graph->block_of[target];
    for (int32_t c = stn_code_first_case(code, i); c < code->case_count && code->cases[c].from == i;
         c++)
        next[count++] = graph->block_of[code->cases[c].to];
    return count;
}

static void link_blocks(const stn_code *code, stn_graph *graph)
{
    int32_t ways = 0;
    for (int32_t i = 0; i < code->count; i++) {
        const int32_t block = graph->block_of[i];
        const int is_last = i + 1 == code->count || graph->block_of[i + 1] != block;
        if (i == 0 || graph->block_of[i - 1] != block)
            graph->first[block] = i;
        if (!is_last)
            continue;
        graph->ways[block] = ways;
        ways += list_ways(code, graph, i, graph->next + ways);
    }
    graph->ways[graph->blocks] = ways;
}

stn_status stn_graph_create(const stn_code *code, stn_graph *graph)
{
    memset(graph, 0, sizeof *graph);
    STN_TRY(stn_allocate(&graph->block_of, code->count, sizeof(int32_t), "basic blocks"));
    number_blocks(code, graph);
    const int64_t maximum = 2 * (int64_t)graph->blocks + code->case_count;
    STN_TRY(stn_allocate(&graph->first, graph->blocks, sizeof(int32_t), "basic blocks"));
    STN_TRY(stn_allocate(&graph->ways, (int64_t)graph->blocks + 1, sizeof(int32_t), "edges"));
    STN_TRY(stn_allocate(&graph->next, maximum, sizeof(int32_t), "edges"));
    link_blocks(code, graph);
    return stn_graph_dominate(graph);
}

void stn_graph_release(stn_graph *graph)
{
    stn_free(graph->block_of);
    stn_free(graph->first);
    stn_free(graph->ways);
    stn_free(graph->next);
    stn_free(graph->from);
    stn_free(graph->memory);
}

/* ---- loops ---- */

/* During the search, each loop is identified by its header, and inner loops are contracted into
 * it. */
typedef struct finder {
    const stn_graph *graph;
    int32_t *shrunk; /* block that a block was contracted into: a union-find forest */
    int32_t *around; /* of a block: header of the innermost loop; of a header: that of the parent
                        loop; -1: none */
    int32_t *is_header;
    int32_t *stack;
    int32_t *order; /* headers, inner loops before outer ones */
    int32_t headers;
} finder;

static int32_t find(int32_t *shrunk, int32_t block)
{
    while (shrunk[block] != block) {
        shrunk[block] = shrunk[shrunk[block]];
        block = shrunk[block];
    }
    return block;
}

static void push(finder *f, int32_t *depth, int32_t block, int32_t header)
{
    const int32_t top = find(f->shrunk, block);
    if (top == header)
        return;
    f->shrunk[top] = header;
    f->around[top] = header;
    f->stack[(*depth)++] = top;
}

/* All blocks that reach a back edge to the header without passing the header. */
static void collect(finder *f, int32_t header)
{
    const stn_graph *graph = f->graph;
    int32_t depth = 0;
    for (int32_t p = graph->before[header]; p < graph->before[header + 1]; p++) {
        const int32_t from = graph->from[p];
        if (!stn_graph_dominates(graph, header, from))
            continue;
        f->is_header[header] = 1;
        push(f, &depth, from, header);
    }
    while (depth > 0) {
        const int32_t block = f->stack[--depth];
        for (int32_t p = graph->before[block]; p < graph->before[block + 1]; p++)
            push(f, &depth, graph->from[p], header);
    }
    if (f->is_header[header])
        f->order[f->headers++] = header;
}

static stn_status find_headers(finder *f, int32_t **memory)
{
    const int32_t blocks = f->graph->blocks;
    STN_TRY(stn_allocate(memory, 5 * (int64_t)blocks, sizeof(int32_t), "loops"));
    f->shrunk = *memory;
    f->around = f->shrunk + blocks;
    f->is_header = f->around + blocks;
    f->stack = f->is_header + blocks;
    f->order = f->stack + blocks;
    for (int32_t b = 0; b < blocks; b++) {
        f->shrunk[b] = b;
        f->around[b] = -1;
        f->is_header[b] = 0;
    }
    for (int32_t number = blocks; number >= 1; number--)
        collect(f, f->graph->visited[number]);
    return STN_OK;
}

static int by_number(const void *one, const void *other)
{
    const int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

/* Numbers loops so that each is followed by its inner loops: number[header]. Reuses the stack and
 * the union-find forest as links between loops of the same parent. */
static void number_loops(finder *f, stn_code *code, int32_t *number)
{
    int32_t *const sibling = f->shrunk, *const child = f->stack;
    const int32_t blocks = f->graph->blocks;
    qsort(f->order, (size_t)f->headers, sizeof *f->order, by_number);
    int32_t top = -1;
    for (int32_t b = 0; b < blocks; b++)
        child[b] = -1;
    for (int32_t k = f->headers - 1; k >= 0; k--) {
        const int32_t header = f->order[k], parent = f->around[header];
        int32_t *list = parent < 0 ? &top : &child[parent];
        sibling[header] = *list;
        *list = header;
    }
    int32_t loop = 0;
    for (int32_t header = top; header >= 0;) {
        const int32_t parent = f->around[header];
        stn_loop *at = &code->loops[loop];
        memset(at, 0, sizeof *at);
        at->header = at->first = at->last = f->graph->first[header];
        at->parent = parent < 0 ? -1 : number[parent];
        at->depth = parent < 0 ? 1 : code->loops[at->parent].depth + 1;
        at->is_innermost = child[header] < 0;
        number[header] = loop++;
        int32_t next = child[header];
        for (int32_t up = header; next < 0 && up >= 0; up = f->around[up]) {
            next = sibling[up];
            code->loops[number[up]].end = loop;
        }
        header = next;
    }
}

static void widen(stn_loop *loop, int32_t first, int32_t last)
{
    if (loop->first > first)
        loop->first = first;
    if (loop->last < last)
        loop->last = last;
}

static void place_instructions(const finder *f, stn_code *code, const int32_t *number)
{
    for (int32_t i = 0; i < code->count; i++) {
        const int32_t block = f->graph->block_of[i];
        const int32_t header = f->is_header[block] ? block : f->around[block];
        code->loop_of[i] = header < 0 ? -1 : number[header];
        if (header < 0)
            continue;
        code->loops[number[header]].count++;
        widen(&code->loops[number[header]], i, i);
    }
    for (int32_t loop = code->loop_count - 1; loop >= 0; loop--) {
        const stn_loop *at = &code->loops[loop];
        if (at->parent < 0)
            continue;
        code->loops[at->parent].count += at->count;
        widen(&code->loops[at->parent], at->first, at->last);
    }
}

/* Jumps into the middle of an instruction, and a last instruction that does not end the function; a
 * call there does not return. Data between instructions have no successors. */
static void note_lost_ways(stn_code *code, const stn_graph *graph)
{
    for (int32_t i = 0; i < code->count; i++) {
        stn_machine_instruction *at = &code->instructions[i];
        const int goes = at->flow == STN_FLOW_BRANCH || at->flow == STN_FLOW_JUMP;
        const int misses =
            goes && stn_code_is_inside(code, at->target) && stn_code_target(code, i) < 0;
        const int runs_on =
            i + 1 == code->count && falls_through(at->flow) && at->flow != STN_FLOW_CALL;
        at->is_lost = (misses || runs_on) && stn_graph_dominates(graph, 0, graph->block_of[i]);
    }
}

static stn_status find_in_graph(stn_code *code, const stn_graph *graph, int32_t **memory)
{
    finder f = {.graph = graph};
    STN_TRY(find_headers(&f, memory));
    STN_TRY(stn_allocate(&code->loops, f.headers, sizeof *code->loops, "loops"));
    STN_TRY(stn_allocate(&code->loop_of, code->count, sizeof *code->loop_of, "loops"));
    code->loop_count = f.headers;
    int32_t *number;
    STN_TRY(stn_allocate(&number, graph->blocks, sizeof *number, "loops"));
    number_loops(&f, code, number);
    place_instructions(&f, code, number);
    note_lost_ways(code, graph);
    stn_free(number);
    return stn_graph_find_cycles(graph, code);
}

static void forget_loops(stn_code *code)
{
    stn_free(code->loops);
    stn_free(code->loop_of);
    stn_free(code->in_cycle);
    code->loops = NULL;
    code->loop_of = NULL;
    code->in_cycle = NULL;
    code->loop_count = 0;
    code->main_loop = code->main_cycle = code->cycle = -1;
    code->irreducible = 0;
}

stn_status stn_code_find_loops(stn_code *code)
{
    forget_loops(code);
    if (code->count == 0)
        return STN_OK;
    stn_graph graph;
    int32_t *memory = NULL;
    stn_status status = stn_graph_create(code, &graph);
    if (status == STN_OK)
        status = find_in_graph(code, &graph, &memory);
    if (status == STN_OK)
        status = stn_graph_mark_values(&graph, code);
    stn_free(memory);
    stn_graph_release(&graph);
    if (status == STN_OK)
        status = stn_code_choose_main_loop(code);
    if (status != STN_OK)
        forget_loops(code);
    return status;
}
