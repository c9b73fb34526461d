/* The basic blocks of a function as a graph, with its dominators. */
#ifndef STENO_CONTRACT_FLOW_H
#define STENO_CONTRACT_FLOW_H

#include "contract/isa/code.h"

/* Blocks are numbered from 0 in order of addresses; block 0 is the entry.
 *
 * Code that only a jump through a table or a register leads to has no visible way from the entry.
 * It makes further regions, each with an entry of its own: a block that nothing jumps to, or else
 * the first one left. An edge into another region is no edge, so such code neither hides loops nor
 * makes any. */
typedef struct stn_graph {
    int32_t blocks;
    int32_t *block_of; /* of each instruction */
    int32_t *first;    /* first instruction of each block */
    int32_t *ways;     /* of each block, and one more: the first of its ways in next */
    int32_t *next;     /* the blocks that follow */

    /* by stn_graph_dominate */
    int32_t *before;  /* blocks + 1: predecessors of b are from[before[b]] to from[before[b + 1]] */
    int32_t *from;    /* of the same region */
    int32_t *visited; /* blocks + 1: blocks by their number in a depth-first walk from 1; [0]: -1 */
    int32_t *number;  /* that number of each block */
    int32_t *dominator; /* blocks + 1, by such numbers: the immediate dominator; 0 of an entry */
    int32_t *opens;     /* blocks + 1, by such numbers: place in the tree of dominators, and the */
    int32_t *weight;    /* size of the subtree */
    int32_t *memory;
} stn_graph;

/* Release the graph whether this succeeds or not. */
stn_status stn_graph_make(const stn_code *code, stn_graph *graph);
stn_status stn_graph_dominate(stn_graph *graph);
void stn_graph_release(stn_graph *graph);

/* Whether every way from the entry of the region to `block` passes `above`. */
static inline int stn_graph_dominates(const stn_graph *graph, int32_t above, int32_t block)
{
    const int32_t a = graph->number[above], b = graph->number[block];
    return graph->opens[b] >= graph->opens[a] &&
           graph->opens[b] < graph->opens[a] + graph->weight[a];
}

/* cycle.c: fills in the cycles of the code, whose loops are those of the graph. */
stn_status stn_graph_find_cycles(const stn_graph *graph, stn_code *code);

/* cycle.c: whether instructions do nothing, as those that compilers put before loops. */
int stn_code_is_padding(const stn_code *code, int32_t first, int32_t end);

/* value.c: fills in the values and origins of all addresses. STN_ERR_MEMORY. */
stn_status stn_graph_mark_values(const stn_graph *graph, stn_code *code);

/* The instruction of this function that a branch or jump leads to, -1 where there is none. */
int32_t stn_code_target(const stn_code *code, int32_t instruction);

#endif
