/* Repetition over the dimensions of an accessor, and their constants.
 *
 * STN_EACH_3(ITEM, name) is ITEM(name, 0) ITEM(name, 1) ITEM(name, 2). */
#ifndef STENO_ACCESSOR_RANK_H
#define STENO_ACCESSOR_RANK_H

#define STN_EACH_1(ITEM, name) ITEM(name, 0)
#define STN_EACH_2(ITEM, name) STN_EACH_1(ITEM, name) ITEM(name, 1)
#define STN_EACH_3(ITEM, name) STN_EACH_2(ITEM, name) ITEM(name, 2)
#define STN_EACH_4(ITEM, name) STN_EACH_3(ITEM, name) ITEM(name, 3)
#define STN_EACH_5(ITEM, name) STN_EACH_4(ITEM, name) ITEM(name, 4)
#define STN_EACH_6(ITEM, name) STN_EACH_5(ITEM, name) ITEM(name, 5)
#define STN_EACH_7(ITEM, name) STN_EACH_6(ITEM, name) ITEM(name, 6)
#define STN_EACH_8(ITEM, name) STN_EACH_7(ITEM, name) ITEM(name, 7)

/* An extent or a stride that is known at run time only. */
#define STN_DYNAMIC (-2147483647 - 1)

/* Extents of an accessor that are all known at run time only. */
#define STN_DYNAMIC_EXTENTS                                                                        \
    (STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC,    \
     STN_DYNAMIC)

/* STN_PICK(k, (a, b, c)): entry k of a list, from 0; STN_DYNAMIC beyond its end. */
#define STN_PICK(k, list)                                                                          \
    STN_PICK_FROM(k, STN_UNPACK list, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC,          \
                  STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, 0)
#define STN_UNPACK(...)       __VA_ARGS__
#define STN_PICK_FROM(k, ...) STN_PICK_##k(__VA_ARGS__)
#define STN_PICK_0(a, ...)    a
#define STN_PICK_1(a, b, ...) b
#define STN_PICK_2(a, b, ...) STN_PICK_0(__VA_ARGS__)
#define STN_PICK_3(a, b, ...) STN_PICK_1(__VA_ARGS__)
#define STN_PICK_4(a, b, ...) STN_PICK_2(__VA_ARGS__)
#define STN_PICK_5(a, b, ...) STN_PICK_3(__VA_ARGS__)
#define STN_PICK_6(a, b, ...) STN_PICK_4(__VA_ARGS__)
#define STN_PICK_7(a, b, ...) STN_PICK_5(__VA_ARGS__)

/* The number of entries of a list, at most 8. */
#define STN_COUNT_LIST(list)                          STN_COUNT_OF(STN_UNPACK list, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define STN_COUNT_OF(...)                             STN_COUNT_OF_(__VA_ARGS__)
#define STN_COUNT_OF_(a, b, c, d, e, f, g, h, n, ...) n

/* Constant strides by layout, and the order of dimensions, fastest first, in which missing strides
 * are computed. */
#define STN_STRIDE_stn_right(rank, k, list)           ((k) == (rank)-1 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_left(rank, k, list)            ((k) == 0 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_block_col_major(rank, k, list) ((k) == (rank)-2 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_strided(rank, k, list)         STN_DYNAMIC
#define STN_STRIDE_stn_static(rank, k, list)          STN_PICK(k, list)

#define STN_FASTEST_stn_right(rank, p) ((rank)-1 - (p))
#define STN_FASTEST_stn_left(rank, p)  (p)
#define STN_FASTEST_stn_block_col_major(rank, p)                                                   \
    ((p) == 0 ? (rank)-2 : (p) == 1 ? (rank)-1 : (rank)-1 - (p))
#define STN_FASTEST_stn_strided(rank, p) ((rank)-1 - (p))
#define STN_FASTEST_stn_static(rank, p)  ((rank)-1 - (p))

#endif
