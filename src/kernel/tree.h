/* The order of every sum over tiles: tiles combine pairwise by index, as a binary counter does,
 * with the lower index on the left; what is left over folds from the right. */
#ifndef STENO_KERNEL_TREE_H
#define STENO_KERNEL_TREE_H

#include <stdint.h>

typedef struct stn_tree {
    double level[64]; /* level k holds the sum of 2^k leaves where bit k of count is set */
    uint64_t count;   /* leaves pushed */
    int narrow;       /* arithmetic f32: every sum is rounded to it */
} stn_tree;

/* In f32 the sum of two floats is taken in f64 and rounded again: the same bits, since 53 bits are
 * more than twice 24 and two. */
static inline double stn_tree_add(const stn_tree *tree, double left, double right)
{
    const double sum = left + right;
    return tree->narrow ? (double)(float)sum : sum;
}

static inline void stn_tree_push(stn_tree *tree, double leaf)
{
    int k = 0;
    for (uint64_t count = tree->count; count & 1; count >>= 1)
        leaf = stn_tree_add(tree, tree->level[k++], leaf);
    tree->level[k] = leaf;
    tree->count++;
}

/* The sum of all leaves; +0 when there are none. */
static inline double stn_tree_fold(const stn_tree *tree)
{
    if (tree->count == 0)
        return 0.0;
    int k = __builtin_ctzll(tree->count);
    double sum = tree->level[k];
    for (uint64_t rest = tree->count >> k >> 1; rest; rest >>= 1) {
        k++;
        if (rest & 1)
            sum = stn_tree_add(tree, tree->level[k], sum);
    }
    return sum;
}

#endif
