/* What STN_REDUCE is made of: the loops and functions that come of a reduction. */
#ifndef STENO_REDUCE_PARTS_H
#define STENO_REDUCE_PARTS_H

#include "steno/names/hide.h"
#include "steno/reduce_operations.h"

/* clang-format off */

/* As STN_KERNEL_VERSIONS; the one in the middle has fma too. */
#ifndef STN_KERNEL_ONE_VERSION
#    define STN_REDUCE_VERSIONS __attribute__((__target_clones__("avx512f", "arch=haswell", "default")))
#else
#    define STN_REDUCE_VERSIONS
#endif

/* Members, which macros find in a program that may have macros of the same names. */
STN_KERNEL_INLINE const stn_tile *stn_stretch_tile(const stn_stretch *stretch)
{
    return &stretch->tile;
}
STN_KERNEL_INLINE int64_t stn_stretch_number(const stn_stretch *stretch)
{
    return stretch->number;
}
STN_KERNEL_INLINE double stn_stretch_scale(const stn_stretch *stretch)
{
    return stretch->scale;
}
STN_KERNEL_INLINE int32_t stn_lane_rows(const stn_lane *lane)
{
    return lane->rows;
}
STN_KERNEL_INLINE int32_t stn_lane_combines(const stn_lane *lane)
{
    return lane->combines;
}

/* ---- one element, and the loops over a stretch of them ---- */

#define STN_REDUCE_ELEMENT(name, op, T, parameters, MAP, ...)                                      \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE op##_mapped_##T name##_element_##T(                                          \
        const int64_t i, const int64_t j, const int64_t k,                                         \
        const int64_t l STN_EACH_PARAMETER(STN_TAKE, T, parameters))                               \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)i, (void)j, (void)k, (void)l, (void)sizeof(real_t);                                  \
        STN_LITERALS STN_MATHS_##T                                                                 \
        {                                                                                          \
            STN_EACH_PARAMETER(STN_OPEN, T, parameters)                                            \
            MAP(T, __VA_ARGS__)                                                                    \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_END

/* The element stn_k of the stretch. */
#define STN_REDUCE_TAKEN(name, T, parameters, GIVE, at)                                            \
    name##_element_##T(stn_i[0] + stn_d[0] * (at), stn_i[1] + stn_d[1] * (at),                     \
                       stn_i[2] + stn_d[2] * (at),                                                 \
                       stn_i[3] + stn_d[3] * (at) STN_EACH_PARAMETER(GIVE, T, parameters))

#define STN_REDUCE_BEGIN(T, parameters, BEFORE)                                                    \
    const stn_tile *const stn_tile_now = stn_stretch_tile(stn_now);                                \
    const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                     \
        const int64_t *const stn_d = stn_tile_step(stn_tile_now);                                  \
    const int64_t stn_count = stn_tile_count(stn_tile_now);                                        \
    const int64_t stn_number = stn_stretch_number(stn_now);                                        \
    const stn_##T stn_scale = (stn_##T)stn_stretch_scale(stn_now);                                 \
    enum { stn_has_many = 0 };                                                                     \
    STN_EACH_PARAMETER(BEFORE, T, parameters)                                                      \
    (void)stn_i, (void)stn_d, (void)stn_number, (void)stn_scale, (void)stn_count;

/* Tiles, each folded to eight lanes, and then those. READ stands before elements that GIVE finds by
 * `base` and the number behind it; stn_at is where they are in the stretch, stn_some how many. */
#define STN_REDUCE_FOLD(function, name, op, T, parameters, BEFORE, READ, GIVE, base)               \
    STN_KERNEL_EXACT_##T static void function(const stn_stretch *STN_KERNEL_RESTRICT stn_now,      \
                                              void *stn_state)                                     \
    {                                                                                              \
        op##_state_##T stn_tiles[STN_STRETCH_TILES], stn_eight[STN_STRETCH_TILES][8];              \
        int64_t stn_full = 0, stn_tile_at = 0;                                                     \
        STN_REDUCE_BEGIN(T, parameters, BEFORE)                                                    \
        for (; stn_count - stn_tile_at >= STN_TILE_ELEMENTS; stn_tile_at += STN_TILE_ELEMENTS) {   \
            op##_state_##T stn_lane[STN_LANES];                                                    \
            STN_REDUCE_ROWS(name, op, T, parameters, READ, GIVE, base)                             \
            for (int64_t stn_l = 0; stn_l < 16; stn_l++)                                           \
                stn_lane[stn_l] = op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 16]);         \
            for (int64_t stn_l = 0; stn_l < 8; stn_l++)                                            \
                stn_eight[stn_full][stn_l] =                                                       \
                    op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 8]);                        \
            stn_full++;                                                                            \
        }                                                                                          \
        STN_REDUCE_NO_GATHERS                                                                      \
        for (int64_t stn_t = 0; stn_t < stn_full; stn_t++)                                         \
            stn_tiles[stn_t] = op##_of_eight_##T(stn_eight[stn_t]);                                \
        if (stn_tile_at < stn_count) {                                                             \
            const int64_t stn_at = stn_tile_at, stn_some = stn_count - stn_at;                     \
            op##_mapped_##T stn_mapped[STN_TILE_ELEMENTS];                                         \
            STN_EACH_PARAMETER(READ, T, parameters)                                                \
            for (int64_t stn_l = 0; stn_l < stn_some; stn_l++) {                                   \
                const int64_t stn_k = base + stn_l;                                                \
                (void)stn_k;                                                                       \
                stn_mapped[stn_l] = STN_REDUCE_TAKEN(name, T, parameters, GIVE, stn_at + stn_l);   \
            }                                                                                      \
            stn_tiles[stn_full++] =                                                                \
                op##_of_some_##T(stn_mapped, stn_some, stn_number + stn_at, stn_scale);            \
        }                                                                                          \
        *(op##_state_##T *)stn_state = op##_of_tiles_##T(stn_tiles, stn_full);                     \
    }
/* Eight lanes of each tile, for a loop over tiles. */
#ifdef __clang__
#    define STN_REDUCE_NO_GATHERS _Pragma("clang loop vectorize(disable)")
#else
#    define STN_REDUCE_NO_GATHERS
#endif

/* The four rows of a tile onto its lanes: gcc keeps them in registers from loop to loop, and two
 * loops of two rows read memory more nearly in order; clang keeps them in one loop only. */
#ifdef __clang__
#    define STN_REDUCE_ROWS(name, op, T, parameters, READ, GIVE, base)                             \
        {                                                                                          \
            const int64_t stn_at = stn_tile_at, stn_some = STN_TILE_ELEMENTS;                      \
            (void)stn_some;                                                                        \
            STN_EACH_PARAMETER(READ, T, parameters)                                                \
            for (int64_t stn_l = 0; stn_l < STN_LANES; stn_l++) {                                  \
                op##_state_##T stn_v;                                                              \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 0, STN_REDUCE_FRESH)           \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 32, STN_REDUCE_ONTO)           \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 64, STN_REDUCE_ONTO)           \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 96, STN_REDUCE_ONTO)           \
                stn_lane[stn_l] = stn_v;                                                           \
            }                                                                                      \
        }
#else
#    define STN_REDUCE_ROWS(name, op, T, parameters, READ, GIVE, base)                             \
        {                                                                                          \
            const int64_t stn_at = stn_tile_at, stn_some = 2 * STN_LANES;                          \
            (void)stn_some;                                                                        \
            STN_EACH_PARAMETER(READ, T, parameters)                                                \
            for (int64_t stn_l = 0; stn_l < STN_LANES; stn_l++) {                                  \
                op##_state_##T stn_v;                                                              \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 0, STN_REDUCE_FRESH)           \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 32, STN_REDUCE_ONTO)           \
                stn_lane[stn_l] = stn_v;                                                           \
            }                                                                                      \
        }                                                                                          \
        {                                                                                          \
            const int64_t stn_at = stn_tile_at + 2 * STN_LANES, stn_some = 2 * STN_LANES;          \
            (void)stn_some;                                                                        \
            STN_EACH_PARAMETER(READ, T, parameters)                                                \
            for (int64_t stn_l = 0; stn_l < STN_LANES; stn_l++) {                                  \
                op##_state_##T stn_v = stn_lane[stn_l];                                            \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 0, STN_REDUCE_ONTO)            \
                STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, 32, STN_REDUCE_ONTO)           \
                stn_lane[stn_l] = stn_v;                                                           \
            }                                                                                      \
        }
#endif
#define STN_REDUCE_ROW(name, op, T, parameters, GIVE, base, row, ONTO)                             \
    {                                                                                              \
        const int64_t stn_k = base + stn_l + row;                                                  \
        (void)stn_k;                                                                               \
        stn_v = ONTO(op, T, STN_REDUCE_TAKEN(name, T, parameters, GIVE, stn_at + stn_l + row),     \
                     stn_number + stn_at + stn_l + row);                                           \
    }
#define STN_REDUCE_FRESH(op, T, element, number) op##_first_##T(element, number, stn_scale)
#define STN_REDUCE_ONTO(op, T, element, number)  op##_step_##T(stn_v, element, number, stn_scale)
#define STN_READ_NOTHING_REAL(T, at, name)
#define STN_READ_NOTHING_INDEX(T, at, name)
#define STN_READ_NOTHING_BITS(T, at, name)
#define STN_READ_NOTHING_IN(T, at, name)
#define STN_READ_NOTHING_FIELD(T, at, name)
#define STN_READ_NOTHING_NEAR(T, at, name, ...)                                                    \
    STN_STATIC_ASSERT(0, #name ": a field with a reach is for kernels of elements");


/* Four rows and the states do not meet. clang looks for itself, and is loud about loops that calls
 * keep from being vectors. */
#ifdef __clang__
#    define STN_REDUCE_APART
#else
#    define STN_REDUCE_APART STN_KERNEL_APART
#endif

/* Rows 1 to 3 of a lane of some columns onto the states of the first one. */
#define STN_REDUCE_NEXT_ROW(name, op, T, row)                                                      \
    if (stn_lane_rows(stn_plan + stn_l) > row) {                                                   \
        STN_REDUCE_APART                                                                           \
        for (int64_t stn_j = 0; stn_j < STN_COLUMNS; stn_j++)                                      \
            (*stn_top)[stn_j] =                                                                    \
                op##_step_##T((*stn_top)[stn_j], name##_one_##T(stn_row + row, stn_at + stn_j),    \
                              stn_stretch_number(stn_row + row), stn_scale);                       \
    }

/* An operation by the name of a reduction that has it: what is fused knows no other. */
#define STN_REDUCE_AS(name, op, T)                                                                 \
    typedef op##_state_##T name##_as_state_##T;                                                    \
    typedef op##_mapped_##T name##_as_mapped_##T;                                                  \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE op##_state_##T name##_as_first_##T(                                          \
        const op##_mapped_##T stn_m, const int64_t stn_number, const stn_##T stn_scale)            \
    {                                                                                              \
        return op##_first_##T(stn_m, stn_number, stn_scale);                                       \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T name##_as_step_##T(                                           \
        const op##_state_##T stn_a, const op##_mapped_##T stn_m, const int64_t stn_number,         \
        const stn_##T stn_scale)                                                                   \
    {                                                                                              \
        return op##_step_##T(stn_a, stn_m, stn_number, stn_scale);                                 \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T name##_as_combine_##T(const op##_state_##T stn_a,             \
                                                           const op##_state_##T stn_b)             \
    {                                                                                              \
        return op##_combine_##T(stn_a, stn_b);                                                     \
    }                                                                                              \
    STN_OPERATION_FOLDS(name##_as, T)                                                              \
    STN_KERNEL_END

#define STN_REDUCE_LOOPS(name, op, T, parameters, RESULT)                                          \
    STN_REDUCE_AS(name, op, T)                                                                     \
    STN_KERNEL_BEGIN                                                                               \
    STN_REDUCE_VERSIONS                                                                            \
    STN_REDUCE_FOLD(name##_fold_##T, name, op, T, parameters, STN_BEFORE, STN_READ_NOTHING,        \
                    STN_GIVE, stn_at)                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_accumulate_##T(                    \
        const stn_stretch *STN_KERNEL_RESTRICT stn_now, void *STN_KERNEL_RESTRICT stn_states,      \
        int stn_fresh)                                                                             \
    {                                                                                              \
        op##_state_##T *STN_KERNEL_RESTRICT const stn_state = (op##_state_##T *)stn_states;        \
        STN_REDUCE_BEGIN(T, parameters, STN_BEFORE)                                                \
        if (stn_fresh)                                                                             \
            for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                    \
                stn_state[stn_k] =                                                                 \
                    op##_first_##T(STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k),         \
                                   stn_number, stn_scale);                                         \
        else                                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                    \
                stn_state[stn_k] =                                                                 \
                    op##_step_##T(stn_state[stn_k],                                                \
                                  STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k),          \
                                  stn_number, stn_scale);                                          \
    }                                                                                              \
    STN_KERNEL_INLINE op##_mapped_##T name##_one_##T(const stn_stretch *stn_now,                   \
                                                     const int64_t stn_k)                          \
    {                                                                                              \
        STN_REDUCE_BEGIN(T, parameters, STN_BEFORE)                                                \
        return STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k);                             \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T name##_lane_##T(                                              \
        const stn_stretch *stn_row, const int64_t stn_k, const stn_##T stn_scale)                  \
    {                                                                                              \
        op##_state_##T stn_v = op##_first_##T(name##_one_##T(stn_row, stn_k),                      \
                                              stn_stretch_number(stn_row), stn_scale);             \
        stn_v = op##_step_##T(stn_v, name##_one_##T(stn_row + 1, stn_k),                           \
                              stn_stretch_number(stn_row + 1), stn_scale);                         \
        stn_v = op##_step_##T(stn_v, name##_one_##T(stn_row + 2, stn_k),                           \
                              stn_stretch_number(stn_row + 2), stn_scale);                         \
        return op##_step_##T(stn_v, name##_one_##T(stn_row + 3, stn_k),                            \
                             stn_stretch_number(stn_row + 3), stn_scale);                          \
    }                                                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_lanes_##T(                         \
        const stn_stretch *STN_KERNEL_RESTRICT stn_rows,                                           \
        const stn_lane *STN_KERNEL_RESTRICT stn_plan, int64_t stn_lanes,                           \
        void *STN_KERNEL_RESTRICT stn_states)                                                      \
    {                                                                                              \
        op##_state_##T *STN_KERNEL_RESTRICT const stn_state = (op##_state_##T *)stn_states;        \
        const stn_##T stn_scale = (stn_##T)stn_stretch_scale(stn_rows);                            \
        const int64_t stn_count = stn_tile_count(stn_stretch_tile(stn_rows));                      \
        (void)stn_scale;                                                                           \
        if (stn_lanes == 4 && stn_lane_rows(stn_plan + 3) == 4) { /* all of a whole tile */        \
            STN_REDUCE_APART                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                    \
                stn_state[stn_k] = op##_combine_##T(                                               \
                    op##_combine_##T(name##_lane_##T(stn_rows, stn_k, stn_scale),                  \
                                     name##_lane_##T(stn_rows + 4, stn_k, stn_scale)),             \
                    op##_combine_##T(name##_lane_##T(stn_rows + 8, stn_k, stn_scale),              \
                                     name##_lane_##T(stn_rows + 12, stn_k, stn_scale)));           \
            return;                                                                                \
        }                                                                                          \
        for (int64_t stn_c = 0; stn_c < stn_count; stn_c += STN_COLUMNS) {                         \
            const int64_t stn_left = stn_count - STN_COLUMNS;                                      \
            const int64_t stn_at = stn_c < stn_left ? stn_c : stn_left;                            \
            op##_state_##T stn_some[STN_LANE_STATES][STN_COLUMNS];                                 \
            op##_state_##T (*stn_top)[STN_COLUMNS] = stn_some;                                     \
            const stn_stretch *stn_row = stn_rows;                                                 \
            for (int64_t stn_l = 0; stn_l < stn_lanes; stn_l++) {                                  \
                STN_REDUCE_APART                                                                   \
                for (int64_t stn_j = 0; stn_j < STN_COLUMNS; stn_j++)                              \
                    (*stn_top)[stn_j] = op##_first_##T(name##_one_##T(stn_row, stn_at + stn_j),    \
                                                       stn_stretch_number(stn_row), stn_scale);    \
                STN_REDUCE_NEXT_ROW(name, op, T, 1)                                                \
                STN_REDUCE_NEXT_ROW(name, op, T, 2)                                                \
                STN_REDUCE_NEXT_ROW(name, op, T, 3)                                                \
                stn_row += stn_lane_rows(stn_plan + stn_l);                                        \
                for (int64_t stn_k = stn_lane_combines(stn_plan + stn_l); stn_k > 0; stn_k--) {    \
                    stn_top--;                                                                     \
                    STN_REDUCE_APART                                                               \
                    for (int64_t stn_j = 0; stn_j < STN_COLUMNS; stn_j++)                          \
                        stn_top[0][stn_j] =                                                        \
                            op##_combine_##T(stn_top[0][stn_j], stn_top[1][stn_j]);                \
                }                                                                                  \
                stn_top++;                                                                         \
            }                                                                                      \
            for (int64_t stn_j = 0; stn_j < STN_COLUMNS; stn_j++)                                  \
                stn_state[stn_at + stn_j] = stn_some[0][stn_j];                                    \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_map_##T(                                               \
        const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)                                          \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_tile_step(stn_tile_now);                                  \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        op##_mapped_##T *const stn_mapped = (op##_mapped_##T *)                                    \
            stn_tile_values(stn_tile_now, sizeof name##_parameters / sizeof *name##_parameters);   \
        STN_EACH_PARAMETER(STN_BEFORE, T, parameters)                                              \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            stn_mapped[stn_k] = STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k);            \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_fold_mapped_##T(                                       \
        const void *stn_mapped, int64_t stn_count, int64_t stn_number, double stn_scale,           \
        void *stn_state)                                                                           \
    {                                                                                              \
        *(op##_state_##T *)stn_state = op##_of_some_##T(                                           \
            (const op##_mapped_##T *)stn_mapped, stn_count, stn_number, (stn_##T)stn_scale);       \
    }                                                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_combine_##T(                       \
        void *STN_KERNEL_RESTRICT stn_left, const void *STN_KERNEL_RESTRICT stn_right,             \
        int64_t stn_count)                                                                         \
    {                                                                                              \
        op##_state_##T *STN_KERNEL_RESTRICT const stn_a = (op##_state_##T *)stn_left;              \
        const op##_state_##T *STN_KERNEL_RESTRICT const stn_b = (const op##_state_##T *)stn_right; \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            stn_a[stn_k] = op##_combine_##T(stn_a[stn_k], stn_b[stn_k]);                           \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_finish_##T(                                            \
        const void *stn_states, void *stn_results, int64_t stn_count, double stn_scale)            \
    {                                                                                              \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            ((op##_result_##T *)stn_results)[stn_k] = op##_finish_##T(                             \
                ((const op##_state_##T *)stn_states)[stn_k], (stn_##T)stn_scale);                  \
    }                                                                                              \
    static void name##_identity_##T(void *stn_state)                                               \
    {                                                                                              \
        *(op##_state_##T *)stn_state = op##_identity_##T();                                        \
    }                                                                                              \
    STN_KERNEL_END                                                                                 \
    static const stn_reduction_loops name##_loops_##T = {                                          \
        (int32_t)sizeof(op##_state_##T),                                                           \
        (int32_t)sizeof(op##_mapped_##T),                                                          \
        (int32_t)sizeof(op##_result_##T),                                                          \
        RESULT(T),                                                                                 \
        name##_fold_##T,                                                                           \
        name##_accumulate_##T,                                                                     \
        name##_lanes_##T,                                                                          \
        name##_map_##T,                                                                            \
        name##_fold_mapped_##T,                                                                    \
        name##_combine_##T,                                                                        \
        name##_finish_##T,                                                                         \
        name##_identity_##T};

/* ---- user-defined operations: name_own ---- */

#define STN_REDUCE_OWN(name, T, combined, finalised, empty)                                        \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE stn_##T name##_combined_##T(const stn_##T a, const stn_##T b)                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        STN_LITERALS STN_MATHS_##T                                                                 \
        return (real_t)(combined);                                                                 \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T name##_finalised_##T(const stn_##T a)                                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        STN_LITERALS STN_MATHS_##T                                                                 \
        return (real_t)(finalised);                                                                \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T name##_empty_##T(void)                                               \
    {                                                                                              \
        typedef stn_##T real_t;                                                                    \
        STN_LITERALS STN_MATHS_##T                                                                 \
        return (real_t)(empty);                                                                    \
    }                                                                                              \
    STN_KERNEL_END                                                                                 \
    STN_OPERATION_OF_VALUES(name##_own, T, stn_m, name##_combined_##T(a, stn_m),               \
                            name##_combined_##T(a, b), name##_empty_##T(),                 \
                            name##_finalised_##T(a))

/* ---- launches ---- */

#define STN_REDUCE_EXPECT_FEW(name, what)                                                          \
    STN_STATIC_ASSERT(sizeof name##_parameters / sizeof *name##_parameters <=                      \
                          STN_MOST_REDUCE_PARAMETERS,                                              \
                      #name ": " what " has " STN_REDUCE_WORDS(STN_MOST_REDUCE_PARAMETERS)         \
                      " parameters at most")
#define STN_REDUCE_WORDS(...)  STN_REDUCE_WORDS_(__VA_ARGS__)
#define STN_REDUCE_WORDS_(...) #__VA_ARGS__

#define STN_REDUCE_LAUNCH(name, parameters, T, words, operation, traits, f64_loops, f32_loops, i64_loops, \
                          f64_map, f32_map, i64_map)                                               \
    static stn_reduction name##_reduction = {                                                      \
        {sizeof(stn_kernel), 0, (int32_t)(sizeof name##_parameters / sizeof *name##_parameters),   \
         #name, words, name##_parameters, f64_map, f32_map, i64_map, 0, 0, 0,                      \
         stn_kernel_probe},                                                                        \
        operation,                                                                                 \
        traits,                                                                                    \
        f64_loops,                                                                                 \
        f32_loops,                                                                                 \
        i64_loops,                                                                                 \
        0,                                                                                         \
        0,                                                                                         \
        {0, 0}};                                                                                   \
    __attribute__((__constructor__)) static void name##_come(void)                                 \
    {                                                                                              \
        STN_REDUCE_EXPECT_FEW(name, "a reduction");                                                \
        stn_reduction_register(&name##_reduction);                                                 \
    }                                                                                              \
    __attribute__((__destructor__)) static void name##_go(void)                                    \
    {                                                                                              \
        stn_reduction_forget(&name##_reduction);                                                   \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_over(                       \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_rank,                           \
        const int64_t *stn_extents, void *stn_result                                               \
        STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                                          \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_reduce_run(stn_on, &name##_reduction, stn_arithmetic, stn_rank, stn_extents,    \
                              stn_result, stn_arguments);                                          \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce(                            \
        const stn_exec *stn_on, stn_format stn_arithmetic, void *stn_result                        \
        STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                                          \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_reduce_run(stn_on, &name##_reduction, stn_arithmetic, -1, NULL, stn_result,     \
                              stn_arguments);                                                      \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_into_over(                  \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_rank,                           \
        const int64_t *stn_extents, unsigned stn_reduced, const stn_view *stn_result               \
        STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                                          \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_reduce_into(stn_on, &name##_reduction, stn_arithmetic, stn_rank, stn_extents,   \
                               stn_reduced, stn_result, stn_arguments);                            \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_into(                       \
        const stn_exec *stn_on, stn_format stn_arithmetic, unsigned stn_reduced,                   \
        const stn_view *stn_result STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_reduce_into(stn_on, &name##_reduction, stn_arithmetic, -1, NULL, stn_reduced,   \
                               stn_result, stn_arguments);                                         \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_part(                       \
        const stn_exec *stn_on, stn_format stn_arithmetic, int64_t stn_first,                      \
        stn_partial *stn_part STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                    \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_reduce_part(stn_on, &name##_reduction, stn_arithmetic, stn_first, stn_part,     \
                               stn_arguments);                                                     \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_finish(                     \
        const stn_partial *stn_part, void *stn_result)                                             \
    {                                                                                              \
        return stn_reduce_finish(&name##_reduction, stn_part, stn_result);                         \
    }

/* clang-format on */

#include "steno/names/show.h"

#endif
