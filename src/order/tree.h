/* The tree over tiles: leaves combine pairwise by index, like a binary counter, with lower
 * indices on the left; the remaining ones fold from the right. Leaves are rows of states of
 * adjacent sums. */
#ifndef STENO_ORDER_TREE_H
#define STENO_ORDER_TREE_H

#include <stdint.h>

#include "steno/detail/reduce_types.h"

/* Sums in f64; and of doubles that are floats, rounded to floats: the same bits as in f32,
 * because 53 bits are more than twice 24 plus two. */
stn_combine stn_add_f64, stn_add_f32;
static inline stn_combine *stn_add_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? stn_add_f64 : stn_add_f32;
}

/* Combines `count` leaves of `run` states each, in place, into the first one; indices are
 * aligned. */
void stn_fold_leaves(stn_combine *combine, int64_t bytes, void *leaves, int64_t run, int64_t count);

/* Blocks of a power of two leaves, in order: first growing, if the first leaf is not leaf 0,
 * then shrinking. Two adjacent siblings are combined. */
enum { STN_TREE_BLOCKS = 128, STN_TREE_LEVELS = 64 };
typedef struct stn_tree {
    stn_combine *combine;
    int64_t bytes; /* of a row of states */
    int64_t width; /* states of a row */
    int64_t leaf;  /* index of the next one */
    int blocks;
    int8_t scale[STN_TREE_BLOCKS]; /* log2 of the leaves of each block */
    char *states;                  /* states of each block */
} stn_tree;

/* `bytes`: size of a state; `states`: buffer for STN_TREE_LEVELS rows if the first leaf is leaf
 * 0 and at most 2^(STN_TREE_LEVELS - 1) follow. */
static inline void stn_tree_begin(stn_tree *tree, stn_combine *combine, int64_t bytes,
                                  int64_t width, void *states, int64_t leaf)
{
    tree->combine = combine;
    tree->bytes = width * bytes;
    tree->width = width;
    tree->leaf = leaf;
    tree->blocks = 0;
    tree->states = states;
}

/* Adds the row of an aligned block of 2^scale leaves. */
void stn_tree_push(stn_tree *tree, const void *states, int scale);

/* The row of all leaves, at least one; the tree is destroyed. */
void *stn_tree_fold(stn_tree *tree);

/* The carry of the next leaf: all leaves, folded from the left onto `base`, in `carry`; NULL
 * without leaves and base. */
const void *stn_tree_carry(const stn_tree *tree, const void *base, void *carry);

#endif
