/* Rows of states, combined in tree order. */
#include "order/tree.h"

#include <string.h>

#include "steno/detail/kernel_compiler.h"

void stn_add_f64(void *to, const void *left, const void *right, int64_t run, int64_t runs)
{
    const double *a = left, *b = right;
    double *sum = to;
    // clang-format off
    STN_KERNEL_IVDEP /* pairs lie ahead of their sums */
    for (int64_t r = 0; run == 1 && r < runs; r++)
        sum[r] = a[2 * r] + b[2 * r];
    // clang-format on
    for (int64_t r = 0; run > 1 && r < runs; r++)
        for (int64_t k = 0; k < run; k++)
            sum[r * run + k] = a[2 * r * run + k] + b[2 * r * run + k];
}

void stn_add_f32(void *to, const void *left, const void *right, int64_t run, int64_t runs)
{
    const double *a = left, *b = right;
    double *sum = to;
    // clang-format off
    STN_KERNEL_IVDEP /* pairs lie ahead of their sums */
    for (int64_t r = 0; run == 1 && r < runs; r++)
        sum[r] = (double)(float)(a[2 * r] + b[2 * r]);
    // clang-format on
    for (int64_t r = 0; run > 1 && r < runs; r++)
        for (int64_t k = 0; k < run; k++)
            sum[r * run + k] = (double)(float)(a[2 * r * run + k] + b[2 * r * run + k]);
}

void stn_fold_leaves(stn_combine *combine, int64_t bytes, void *leaves, int64_t run, int64_t count)
{
    const int64_t row = run * bytes;
    char *first = leaves;
    for (; count > 1; count = (count + 1) / 2) {
        combine(first, first, first + row, run, count / 2);
        if (count % 2)
            memcpy(first + count / 2 * row, first + (count - 1) * row, (size_t)row);
    }
}

void stn_tree_push(stn_tree *tree, const void *states, int scale)
{
    const char *right = states;
    int b = tree->blocks;
    tree->leaf += (int64_t)1 << scale;
    for (; b > 0 && tree->scale[b - 1] == scale && !(tree->leaf >> scale & 1); b--, scale++) {
        char *left = tree->states + (b - 1) * tree->bytes;
        tree->combine(left, left, right, tree->width, 1);
        right = left;
    }
    char *to = tree->states + b * tree->bytes;
    if (right != to)
        memcpy(to, right, (size_t)tree->bytes);
    tree->scale[b] = (int8_t)scale;
    tree->blocks = b + 1;
}

void *stn_tree_fold(stn_tree *tree)
{
    for (int b = tree->blocks - 1; b > 0; b--) {
        char *left = tree->states + (b - 1) * tree->bytes;
        tree->combine(left, left, left + tree->bytes, tree->width, 1);
    }
    return tree->states;
}

const void *stn_tree_carry(const stn_tree *tree, const void *base, void *carry)
{
    if (base || tree->blocks > 0)
        memcpy(carry, base ? base : tree->states, (size_t)tree->bytes);
    for (int b = !base; b < tree->blocks; b++)
        tree->combine(carry, carry, tree->states + b * tree->bytes, tree->width, 1);
    return base || tree->blocks > 0 ? carry : NULL;
}
