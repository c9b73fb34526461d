/* The tree over tiles: leaves combine pairwise by number, as a binary counter does, lower numbers
 * on the left; what is left over folds from the right. Leaves are rows of states, of several sums
 * side by side. */
#ifndef STENO_SUM_TREE_H
#define STENO_SUM_TREE_H

#include <stdint.h>

#include "steno/detail/reduce_types.h"

/* Sums in f64; and of doubles that are floats, rounded to floats: the same bits as in f32, since 53
 * bits are more than twice 24 and two. */
stn_combine stn_add_f64, stn_add_f32;
static inline stn_combine *stn_add_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? stn_add_f64 : stn_add_f32;
}

/* `count` leaves of `run` states each, in place, become the first one: those whose number is
 * aligned as the tree has them. */
void stn_fold_leaves(stn_combine *combine, int64_t bytes, void *leaves, int64_t run, int64_t count);

/* Blocks of a power of two leaves, in order: first growing, where the first leaf is not number 0,
 * then shrinking. Two of the same size that belong together are one. */
enum { STN_TREE_BLOCKS = 128, STN_TREE_LEVELS = 64 };
typedef struct stn_tree {
    stn_combine *combine;
    int64_t bytes; /* of a row of states */
    int64_t width; /* states of a row */
    int64_t leaf;  /* the number of the next one */
    int blocks;
    int8_t scale[STN_TREE_BLOCKS]; /* of each block, the logarithm of its leaves */
    char *states;                  /* of each block */
} stn_tree;

/* `bytes`: of a state; `states`: room for STN_TREE_LEVELS rows where the first leaf is number 0,
 * and not more than 2^(STN_TREE_LEVELS - 1) follow. */
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

/* The row of an aligned block of 2^scale leaves. */
void stn_tree_push(stn_tree *tree, const void *states, int scale);

/* The row of all leaves, of which there is one at least; the tree is no more. */
void *stn_tree_fold(stn_tree *tree);

/* What comes behind them begins with this row: all leaves, folded from the left onto `base`, in
 * `carry`; NULL when there are neither leaves nor a base. */
const void *stn_tree_carry(const stn_tree *tree, const void *base, void *carry);

#endif
