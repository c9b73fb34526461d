/* Irreducible cycles: those that are entered at several places, so that they are no natural loops.
 * Where each loop is taken as one node and its jumps back to the header are left out, every cycle
 * that is left is one. */
#include "contract/flow/flow.h"

#include <string.h>

#include "core/memory.h"

/* The nodes of a loop are its own blocks but for its header, and the headers of the loops in it,
 * which stand for these. */
typedef struct search {
    const stn_graph *graph;
    stn_code *code;
    int32_t *shrunk; /* header of the loop that a block has shrunk into: a forest for find() */
    int32_t *next;   /* by block: the next node of the same loop, -1 after the last */
    int32_t *index;  /* of a node: NEW, when it was met, or DONE */
    int32_t *least;  /* index of the first node met that it leads to */
    int32_t *from;   /* the predecessor to be looked at next */
    int32_t *way;    /* to the node that is looked at */
    int32_t *open;   /* nodes that are met and not DONE */
    int32_t *node;   /* the first of each loop; [0]: of what is in none, [1]: of loop 0, ... */
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

/* All nodes from `first` in s->open on lead to each other: an irreducible cycle of the loop.
 * Returns the last instruction of one of them. */
static int32_t mark(search *s, int32_t loop, int32_t first)
{
    int32_t found = -1;
    for (int32_t k = first; k < s->opened; k++) {
        const int32_t node = s->open[k];
        const int32_t end =
            node + 1 < s->graph->blocks ? s->graph->first[node + 1] : s->code->count;
        const int is_block = s->code->loop_of[end - 1] == loop; /* of its own */
        if (is_block)
            memset(s->code->in_cycle + s->graph->first[node], STN_CYCLE_INSIDE,
                   (size_t)(end - s->graph->first[node]));
        found = is_block || found < 0 ? end - 1 : found;
    }
    return found;
}

/* The nodes that lead to each other, of which `node` was met first, are done. */
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

/* Strongly connected components against the ways, from `node` on: R. Tarjan, "Depth-first search
 * and linear graph algorithms", 1972. An instruction of one that is a cycle; -1: none is. */
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

/* An instruction of a cycle of the loop, or, with -1, of what is in none; -1: there is none. */
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

/* A way back from `from` into the loop, and so into those around it, may close a cycle. */
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

/* Compilers put such before loops, where nothing leads to. */
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

/* Handlers of exceptions have no visible way from the entry, but back to what they handle. */
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
    for (int32_t loop = code->loop_count - 1; loop >= 0; loop--) { /* those inside come first */
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
