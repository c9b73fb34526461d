/* Kernels that use their indices, one for each rank from 1: ITEM(rank, at(...), the first index, a
 * value computed from the first four). */
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
#define OF_RANKS(prefix, suffix)                                                                   \
    {prefix##_0##suffix, prefix##_1##suffix, prefix##_2##suffix, prefix##_3##suffix,               \
     prefix##_4##suffix, prefix##_5##suffix, prefix##_6##suffix, prefix##_7##suffix,               \
     prefix##_8##suffix}
/* clang-format on */

#endif
