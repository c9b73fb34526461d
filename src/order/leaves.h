/* Leaves of the tree in arithmetic T, in place: eight of them are a leaf of the next level. */
#include "format/of.h"

STN_FN REAL of(fold_few)(REAL *leaves, int64_t count)
{
    if (count == 0)
        return 0; /* empty */
    for (; count > 1; count = (count + 1) / 2) {
        for (int64_t k = 0; k < count / 2; k++)
            leaves[k] = leaves[2 * k] + leaves[2 * k + 1];
        if (count % 2)
            leaves[count / 2] = leaves[count - 1];
    }
    return leaves[0];
}

STN_FN REAL of(fold_leaves)(REAL *leaves, int64_t count)
{
    int64_t k = 0, folded = 0;
    for (; k + 8 <= count; k += 8, folded++) {
        const REAL *const l = leaves + k;
        leaves[folded] = ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
    }
    if (k < count)
        leaves[folded++] = of(fold_few)(leaves + k, count - k);
    return of(fold_few)(leaves, folded);
}

#undef T
#undef REAL
