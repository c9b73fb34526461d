/* Irreducible cycles: cycles with several entries, which are not natural loops. If each loop is
 * contracted to one node and its back edges are removed, every remaining cycle is irreducible. */
#include "contract/flow/flow.h"

#include <string.h>

#include "core/memory.h"

/* The nodes of a loop are its own blocks except for its header, and the headers of its inner loops,
 * which represent these. */
typedef struct search {
    const stn_graph *graph;
    stn_code *code;
    int32_t *shrunk; /* header of the loop that a block was contracted into: a union-find forest */
    int32_t *next;   /* by block: next node of the same loop, -1 after the last */
    int32_t *index;  /* of a node: NEW, its visit index, or DONE */
    int32_t *least;  /* lowest visit index reachable from the node */
    int32_t *from;   /* next predecessor to visit */
    int32_t *way;    /* path to the current node */
    int32_t *open;   /* visited nodes that are not DONE */
    int32_t *node;   /* first node of each loop; [0]: outside of loops, [1]: loop 0, ... */
    int32_t depth, opened, met;
} search;

enum { NEW = 0, DONE = INT32_MAX, ARRAYS = 7 };

static int32_t find(int32_t *shrunk, int32_t block)
{
    while (shrunk[block] != block) {
        shrunk[block] = shrunk[shrunk[block]];
        block = shrunk[block];
    }
    return block;
}

static void enter(search *s, int32_t node)
{
    s->index[node] = s->least[node] = ++s->met;
    s->from[node] = s->graph->before[node];
    s->way[s->depth++] = node;
    s->open[s->opened++] = node;
}

/* The nodes from `first` on in s->open reach each other: an irreducible cycle of the loop. Returns
 * the last instruction of one of them. */
static int32_t mark(search *s, int32_t loop, int32_t first)
{
    int32_t found = -1;
    for (int32_t k = first; k < s->opened; k++) {
        const int32_t node = s->open[k];
        const int32_t end =
            node + 1 < s->graph->blocks ? s->graph->first[node + 1] : s->code->count;
        const int is_block = s->code->loop_of[end - 1] == loop; /* not an inner loop */
        if (is_block)
            memset(s->code->in_cycle + s->graph->first[node], STN_CYCLE_INSIDE,
                   (size_t)(end - s->graph->first[node]));
        found = is_block || found < 0 ? end - 1 : found;
    }
    return found;
}

/* Completes the component whose first visited node is `node`. */
static int32_t leave(search *s, int32_t loop, int32_t node)
{
    int32_t first = s->opened - 1;
    while (s->open[first] != node)
        first--;
    const int32_t found = s->opened - first > 1 ? mark(s, loop, first) : -1;
    for (int32_t k = first; k < s->opened; k++)
        s->index[s->open[k]] = DONE;
    s->opened = first;
    return found;
}

static void lower(search *s, int32_t node, int32_t index)
{
    if (s->least[node] > index)
        s->least[node] = index;
}

/* Strongly connected components of the reversed graph from `node` on: R. Tarjan, "Depth-first
 * search and linear graph algorithms", 1972. Returns an instruction of a cycle; -1: none. */
static int32_t search_from(search *s, int32_t loop, int32_t header, int32_t node)
{
    int32_t found = -1;
    enter(s, node);
    while (s->depth > 0) {
        const int32_t at = s->way[s->depth - 1];
        if (s->from[at] < s->graph->before[at + 1]) {
            const int32_t before = find(s->shrunk, s->graph->from[s->from[at]++]);
            if (before == header || s->index[before] == DONE)
                continue;
            if (s->index[before] == NEW)
                enter(s, before);
            else
                lower(s, at, s->index[before]);
            continue;
        }
        s->depth--;
        if (s->depth > 0)
            lower(s, s->way[s->depth - 1], s->least[at]);
        if (s->least[at] != s->index[at])
            continue;
        const int32_t cycle = leave(s, loop, at);
        found = cycle >= 0 ? cycle : found;
    }
    return found;
}

/* An instruction of a cycle of the loop, or outside of loops for -1; -1: none. */
static int32_t search_loop(search *s, int32_t loop)
{
    const int32_t header = loop < 0 ? -1 : s->graph->block_of[s->code->loops[loop].header];
    int32_t found = -1;
    for (int32_t node = s->node[loop + 1]; node >= 0; node = s->next[node]) {
        const int32_t cycle = s->index[node] == NEW ? search_from(s, loop, header, node) : -1;
        found = cycle >= 0 ? cycle : found;
    }
    return found;
}

static void list_nodes(search *s)
{
    const stn_code *code = s->code;
    for (int32_t loop = -1; loop < code->loop_count; loop++)
        s->node[loop + 1] = -1;
    for (int32_t b = s->graph->blocks - 1; b >= 0; b--) {
        const int32_t first = s->graph->first[b], inner = code->loop_of[first];
        const int is_header = inner >= 0 && code->loops[inner].header == first;
        const int32_t of = is_header ? code->loops[inner].parent : inner;
        s->shrunk[b] = b;
        s->index[b] = NEW;
        s->next[b] = s->node[of + 1];
        s->node[of + 1] = b;
    }
}

static void shrink(search *s, int32_t loop, int32_t header)
{
    for (int32_t node = s->node[loop + 1]; node >= 0; node = s->next[node]) {
        s->shrunk[node] = header;
        s->index[node] = DONE;
    }
}

/* An edge from unreachable code at `from` back into the loop may close a cycle of it and of the
 * loops around it. */
static void note_return(stn_code *code, int32_t from, int32_t loop)
{
    code->in_cycle[from] = STN_CYCLE_RETURNS;
    for (;; loop = code->loops[loop].parent) {
        int32_t *const cycle = loop < 0 ? &code->cycle : &code->loops[loop].cycle;
        code->irreducible += *cycle < 0;
        *cycle = *cycle < 0 ? from : *cycle;
        if (loop < 0)
            return;
    }
}

/* Compilers insert padding before loops, which is unreachable. */
int stn_code_is_padding(const stn_code *code, int32_t first, int32_t end)
{
    int does = 0;
    for (int32_t i = first; i < end; i++) {
        const stn_machine_instruction *at = &code->instructions[i];
        does |= at->flow != STN_FLOW_NEXT || at->operation != STN_OP_OTHER || at->accesses > 0 ||
                at->written != 0;
    }
    return !does;
}

/* Exception handlers have no visible path from the entry, but may return to the code they
 * protect. */
static void find_returns(const stn_graph *graph, stn_code *code)
{
    for (int32_t i = 0; i < code->count; i++)
        if (code->machine == STN_MACHINE_NVIDIA || stn_code_is_unresolved_jump(code, i))
            return;
    for (int32_t b = 0; b < graph->blocks; b++) {
        const int32_t end = b + 1 < graph->blocks ? graph->first[b + 1] : code->count;
        for (int32_t w = graph->ways[b]; w < graph->ways[b + 1]; w++)
            if (!stn_graph_dominates(graph, 0, b) &&
                stn_graph_dominates(graph, 0, graph->next[w]) &&
                !stn_code_is_padding(code, graph->first[b], end))
                note_return(code, end - 1, code->loop_of[graph->first[graph->next[w]]]);
    }
}

stn_status stn_graph_find_cycles(const stn_graph *graph, stn_code *code)
{
    const int64_t blocks = graph->blocks;
    int32_t *memory;
    STN_TRY(stn_allocate(&code->in_cycle, code->count, 1, "irreducible cycles"));
    memset(code->in_cycle, 0, (size_t)code->count);
    STN_TRY(stn_allocate(&memory, ARRAYS * blocks + code->loop_count + 1, sizeof *memory,
                         "irreducible cycles"));
    search s = {.graph = graph, .code = code, .node = memory + ARRAYS * blocks};
    int32_t **const arrays[ARRAYS] = {&s.shrunk, &s.next, &s.index, &s.least,
                                      &s.from,   &s.way,  &s.open};
    for (int k = 0; k < ARRAYS; k++)
        *arrays[k] = memory + k * blocks;
    list_nodes(&s);
    for (int32_t loop = code->loop_count - 1; loop >= 0; loop--) { /* inner loops first */
        code->loops[loop].cycle = search_loop(&s, loop);
        code->irreducible += code->loops[loop].cycle >= 0;
        shrink(&s, loop, graph->block_of[code->loops[loop].header]);
    }
    code->cycle = search_loop(&s, -1);
    code->irreducible += code->cycle >= 0;
    stn_free(memory);
    find_returns(graph, code);
    return STN_OK;
}
