/* The basic blocks of a function as a graph, with its dominators. */
#ifndef STENO_CONTRACT_FLOW_H
#define STENO_CONTRACT_FLOW_H

#include "contract/isa/code.h"

/* Blocks are numbered from 0 by address; block 0 is the entry. Code that is reached only by an
 * indirect jump has no visible path from the entry. It forms further regions, each with its own
 * entry: a block without predecessors, or else the first remaining one. Edges into other regions
 * are ignored, so that such code neither hides nor creates loops. */
typedef struct stn_graph {
    int32_t blocks;
    int32_t *block_of; /* block of each instruction */
    int32_t *first;    /* first instruction of each block */
    int32_t *ways;     /* per block, plus one: index of its first successor in next */
    int32_t *next;     /* successors */

    /* set by stn_graph_dominate */
    int32_t *before;  /* blocks + 1: predecessors of b are from[before[b]] to from[before[b + 1]] */
    int32_t *from;    /* predecessors in the same region */
    int32_t *visited; /* blocks + 1: blocks by depth-first number from 1; [0]: -1 */
    int32_t *number;  /* depth-first number of each block */
    int32_t *dominator; /* blocks + 1, by depth-first number: immediate dominator; 0 for an entry */
    int32_t *opens;     /* blocks + 1, by depth-first number: position in the dominator tree */
    int32_t *weight;    /* size of the subtree */
    int32_t *memory;
} stn_graph;

/* The graph must be released even after an error. */
stn_status stn_graph_create(const stn_code *code, stn_graph *graph);
stn_status stn_graph_dominate(stn_graph *graph);
void stn_graph_release(stn_graph *graph);

/* Does every path from the entry of the region to `block` contain `above`? */
static inline int stn_graph_dominates(const stn_graph *graph, int32_t above, int32_t block)
{
    const int32_t a = graph->number[above], b = graph->number[block];
    return graph->opens[b] >= graph->opens[a] &&
           graph->opens[b] < graph->opens[a] + graph->weight[a];
}

/* cycle.c: finds the irreducible cycles of the code, after its loops. */
stn_status stn_graph_find_cycles(const stn_graph *graph, stn_code *code);

/* cycle.c: are the instructions padding, as compilers insert before loops? */
int stn_code_is_padding(const stn_code *code, int32_t first, int32_t end);

/* value.c: computes value numbers and origins of all addresses. STN_ERR_MEMORY. */
stn_status stn_graph_mark_values(const stn_graph *graph, stn_code *code);

/* The target instruction of a branch or jump in this function; -1: none. */
int32_t stn_code_target(const stn_code *code, int32_t instruction);

#endif
