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

/* Push the sum of 2^scale leaves at once; the number of leaves so far is a multiple of 2^scale. */
static inline void stn_tree_push_block(stn_tree *tree, double sum, int scale)
{
    int k = scale;
    for (uint64_t count = tree->count >> scale; count & 1; count >>= 1)
        sum = stn_tree_add(tree, tree->level[k++], sum);
    tree->level[k] = sum;
    tree->count += (uint64_t)1 << scale;
}

/* Push `count` leaves, `step` apart. Aligned fours go together, without the branches of the
 * counter. */
static inline void stn_tree_push(stn_tree *tree, const double *leaves, int64_t step, int64_t count)
{
    int64_t k = 0;
    if (tree->count % 4 == 0)
        for (; k + 4 <= count; k += 4) {
            const double *four = leaves + k * step;
            const double low = stn_tree_add(tree, four[0], four[step]);
            const double high = stn_tree_add(tree, four[2 * step], four[3 * step]);
            stn_tree_push_block(tree, stn_tree_add(tree, low, high), 2);
        }
    for (; k < count; k++)
        stn_tree_push_block(tree, leaves[k * step], 0);
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
