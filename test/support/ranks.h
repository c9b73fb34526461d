/* Kernels that use their indices, one for each rank of a space but 0: ITEM(rank, at(...), the first
 * index, a number of the first four). */
#ifndef STENO_TEST_RANKS_H
#define STENO_TEST_RANKS_H

/* clang-format off */
#define RANKS(ITEM)                                                                                \
    ITEM(1, at(i), i, 1000 * i)                                                                    \
    ITEM(2, at(i, j), i, 1000 * i + 100 * j)                                                       \
    ITEM(3, at(i, j, k), i, 1000 * i + 100 * j + 10 * k)                                           \
    ITEM(4, at(i, j, k, l), i, 1000 * i + 100 * j + 10 * k + l)                                    \
    ITEM(5, at(i, j, k, l, e), i, 1000 * i + 100 * j + 10 * k + l)                                 \
    ITEM(6, at(i, j, k, l, e, f), i, 1000 * i + 100 * j + 10 * k + l)                              \
    ITEM(7, at(i, j, k, l, e, f, g), i, 1000 * i + 100 * j + 10 * k + l)                           \
    ITEM(8, at(i, j, k, l, e, f, g, h), i, 1000 * i + 100 * j + 10 * k + l)

/* The functions of these, by rank. */
#define OF_RANKS(before, behind)                                                                   \
    {before##_0##behind, before##_1##behind, before##_2##behind, before##_3##behind,               \
     before##_4##behind, before##_5##behind, before##_6##behind, before##_7##behind,               \
     before##_8##behind}
/* clang-format on */

#endif
