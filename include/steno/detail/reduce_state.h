/* Loops of reductions whose states have several values: those of the program, and of argmin and
 * argmax. Columns of a panel are vectors; each value of a state is a separate vector. */
#ifndef STENO_REDUCE_STATE_H
#define STENO_REDUCE_STATE_H

#include "steno/detail/reduce_operations.h"

/* clang-format off */

/* ---- columns ---- */

/* Folds column stn_k of tile stn_t of a panel, in the order of memory. All counts of elements are
 * constants, so compilers evaluate expressions of counts at compile time. */
#define STN_COLUMN(name, T, parameters, to)                                                        \
    name##_state_##T to;                                                                           \
    {                                                                                              \
        name##_state_##T stn_x, stn_y, stn_z;                                                      \
        STN_COLUMN_ROWS(name, T, parameters, to, 0, STN_COLUMN_FIRST)                                  \
        STN_COLUMN_ROWS(name, T, parameters, to, 4, STN_COLUMN_STEP)                                   \
        STN_COLUMN_ROWS(name, T, parameters, to, 8, STN_COLUMN_STEP)                                   \
        STN_COLUMN_ROWS(name, T, parameters, to, 12, STN_COLUMN_STEP)                                  \
        to = name##_both_##T(name##_both_##T(to, stn_y), name##_both_##T(stn_x, stn_z));           \
    }
#define STN_COLUMN_ROWS(name, T, parameters, to, row, DO)                                              \
    DO(name, T, parameters, row, to) DO(name, T, parameters, row + 1, stn_x)                       \
    DO(name, T, parameters, row + 2, stn_y) DO(name, T, parameters, row + 3, stn_z)
#define STN_COLUMN_FIRST(name, T, parameters, row, lane)                                           \
    {                                                                                              \
        enum { stn_j = row, stn_more = 0 };                                                        \
        STN_EACH_PARAMETER(STN_PANEL_READ, T, parameters)                                          \
        lane = name##_first_##T(STN_PANEL_ELEMENT(name, T, parameters), stn_scale);                \
    }
#define STN_COLUMN_STEP(name, T, parameters, row, lane)                                            \
    {                                                                                              \
        enum { stn_j = row, stn_more = 0 };                                                        \
        STN_EACH_PARAMETER(STN_PANEL_READ, T, parameters)                                          \
        lane = name##_step_##T(lane, STN_PANEL_ELEMENT(name, T, parameters), stn_scale);           \
    }

/* Begins a loop over panels: as stn_panel_loop. */
#define STN_COLUMNS_LOOP(function, name, T, parameters)                                            \
    STN_WIDE_VERSIONS STN_KERNEL_EXACT_##T static void function(                                   \
        const stn_panel *STN_KERNEL_RESTRICT stn_now, void *STN_KERNEL_RESTRICT stn_states)        \
    {                                                                                              \
        const stn_tile *const stn_tile_now = stn_panel_elements(stn_now);                          \
        const int64_t stn_tiles = stn_tile_count(stn_tile_now);                                    \
        const STN_PART_##T stn_scale = (STN_PART_##T)stn_panel_scale(stn_now);                     \
        name##_state_##T *STN_KERNEL_RESTRICT stn_to = (name##_state_##T *)stn_states;             \
        STN_EACH_PARAMETER(STN_PANEL_LOAD, T, parameters)

/* States of columns. */
#define STN_FOLD_COLUMNS(name, T, parameters)                                                      \
    STN_COLUMNS_LOOP(name##_panel_##T, name, T, parameters)                                        \
        for (int64_t stn_t = 0; stn_t < stn_tiles; stn_t++, stn_to += STN_PANEL_COLUMNS) {         \
            STN_PANEL_IVDEP_##T                                                                    \
            for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++) {                          \
                STN_COLUMN(name, T, parameters, stn_v)                                             \
                stn_to[stn_k] = stn_v;                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* ---- argmin and argmax ---- */

#define STN_KEY_f64 stn_i64
#define STN_KEY_f32 int32_t
#define STN_KEY_i64 stn_i64
#define STN_LAST_KEY_f64 INT64_MAX
#define STN_LAST_KEY_f32 INT32_MAX
#define STN_LAST_KEY_i64 INT64_MAX

/* The loop over rows finds the smallest key of each tile, and searches for its position only if it is
 * smaller than those of all preceding tiles. The state of a tile is that of all tiles up to it, which
 * does not change the combined state. */
#define STN_FOLD_PLACES(name, T, parameters, ...)                                                  \
    STN_FOLD_COLUMNS(name, T, parameters)                                                          \
    STN_KERNEL_INLINE STN_KEY_##T name##_key_##T(                                                  \
        const name##_mapped_##T stn_m, const int64_t stn_number, const STN_PART_##T stn_scale)     \
    {                                                                                              \
        return (STN_KEY_##T)stn_found_key(name##_first_##T(stn_m, stn_number, stn_scale));         \
    }                                                                                              \
    STN_COLUMNS_LOOP(name##_rows_##T, name, T, parameters)                                         \
        STN_KEY_##T stn_least = 0;                                                                 \
        for (int64_t stn_t = 0; stn_t < stn_tiles; stn_t++) {                                      \
            STN_KEY_##T stn_keys[STN_PANEL_COLUMNS] __attribute__((__aligned__(64))), stn_key;     \
            STN_PANEL_IVDEP                                                                        \
            for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++) {                          \
                STN_KEY_##T stn_v = STN_LAST_KEY_##T;                                              \
                STN_EACH_ROW(STN_KEYS_LEAST, name, T, parameters)                                  \
                stn_keys[stn_k] = stn_v;                                                           \
            }                                                                                      \
            stn_key = stn_keys[0];                                                                 \
            for (int64_t stn_k = 1; stn_k < STN_PANEL_COLUMNS; stn_k++)                            \
                stn_key = stn_keys[stn_k] < stn_key ? stn_keys[stn_k] : stn_key;                   \
            if (stn_t > 0 && stn_key >= stn_least) {                                               \
                stn_to[stn_t] = stn_to[stn_t - 1];                                                 \
                continue;                                                                          \
            }                                                                                      \
            stn_least = stn_key;                                                                   \
            __asm__ __volatile__("" : : : "memory"); /* keys are not kept in registers for the search */\
            STN_PANEL_IVDEP                                                                        \
            for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++) {                          \
                STN_KEY_##T stn_v = STN_PANEL_ROWS;                                                \
                STN_EACH_ROW(STN_KEYS_FIND, name, T, parameters)                                   \
                stn_keys[stn_k] = stn_v;                                                           \
            }                                                                                      \
            STN_KEY_##T stn_j = STN_PANEL_ROWS, stn_k = 0;                                         \
            for (int stn_column = 0; stn_column < STN_PANEL_COLUMNS; stn_column++)                 \
                if (stn_keys[stn_column] < stn_j)                                                  \
                    stn_j = stn_keys[stn_column], stn_k = stn_column;                              \
            stn_to[stn_t] = stn_found_of(stn_key, stn_panel_find(stn_now, STN_MAX_RANK, stn_t, stn_j, stn_k));\
        }                                                                                          \
    }
#define STN_EACH_ROW(DO, ...)                                                                      \
    DO(0, __VA_ARGS__) DO(1, __VA_ARGS__) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__)                    \
    DO(4, __VA_ARGS__) DO(5, __VA_ARGS__) DO(6, __VA_ARGS__) DO(7, __VA_ARGS__)                    \
    DO(8, __VA_ARGS__) DO(9, __VA_ARGS__) DO(10, __VA_ARGS__) DO(11, __VA_ARGS__)                  \
    DO(12, __VA_ARGS__) DO(13, __VA_ARGS__) DO(14, __VA_ARGS__) DO(15, __VA_ARGS__)
#define STN_KEYS_OF(row, name, T, parameters)                                                      \
    enum { stn_j = row, stn_more = 0 };                                                            \
    STN_EACH_PARAMETER(STN_PANEL_READ, T, parameters)                                              \
    const STN_KEY_##T stn_key_##row =                                                              \
        name##_key_##T(STN_PANEL_ELEMENT(name, T, parameters), stn_scale);
#define STN_KEYS_LEAST(row, name, T, parameters)                                                   \
    {                                                                                              \
        STN_KEYS_OF(row, name, T, parameters)                                                      \
        stn_v = stn_key_##row < stn_v ? stn_key_##row : stn_v;                                     \
    }
#define STN_KEYS_FIND(row, name, T, parameters)                                                    \
    {                                                                                              \
        STN_KEYS_OF(row, name, T, parameters)                                                      \
        const STN_KEY_##T stn_row = stn_key_##row == stn_key ? row : STN_PANEL_ROWS;               \
        stn_v = stn_row < stn_v ? stn_row : stn_v;                                                 \
    }
#define STN_OPERATION_BY_ROWS(name, T) 0, 0, 0, 0, name##_rows_##T

/* ---- states of the program ---- */

/* The loop over rows combines the columns of each tile. */
#define STN_FOLD_STATES(name, T, parameters, prefix, state, element)                               \
    STN_FOLD_COLUMNS(name, T, parameters)                                                          \
    STN_COLUMNS_LOOP(name##_rows_##T, name, T, parameters)                                         \
        for (int64_t stn_t = 0; stn_t < stn_tiles; stn_t++) {                                      \
            STN_EACH_NAME(STN_STATE_COLUMNS, stn_##T, STN_PARAMETERS state)                        \
            STN_PANEL_IVDEP_##T                                                                    \
            for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++) {                          \
                STN_COLUMN(name, T, parameters, stn_v)                                             \
                STN_EACH_NAME(STN_STATE_KEEP, stn_v, STN_PARAMETERS state)                         \
            }                                                                                      \
            STN_STATE_HALVE(name, T, 4, state)                                                     \
            STN_STATE_HALVE(name, T, 2, state)                                                     \
            {                                                                                      \
                enum { stn_k = 0, stn_half = 1 };                                                  \
                STN_STATE_BOTH(name, T, state)                                                     \
                stn_to[stn_t] = name##_both_##T(stn_v, stn_w);                                     \
            }                                                                                      \
        }                                                                                          \
    }
/* Not unrolled, because straight-line code is not vectorized and has branches. */
#define STN_STATE_HALVE(name, T, half, state)                                                      \
    STN_PANEL_IVDEP_PARTS                                                                          \
    for (int64_t stn_k = 0; stn_k < half; stn_k++) {                                               \
        enum { stn_half = half };                                                                  \
        STN_STATE_BOTH(name, T, state)                                                             \
        stn_v = name##_both_##T(stn_v, stn_w);                                                     \
        STN_EACH_NAME(STN_STATE_KEEP, stn_v, STN_PARAMETERS state)                                 \
    }
#define STN_STATE_BOTH(name, T, state)                                                             \
    name##_state_##T stn_v, stn_w;                                                                 \
    STN_EACH_NAME(STN_STATE_PAIR, ~, STN_PARAMETERS state)
#define STN_STATE_COLUMNS(T, d, name) T stn_of_##name[STN_PANEL_COLUMNS] __attribute__((__aligned__(64)));
#define STN_STATE_KEEP(from, d, name) stn_of_##name[stn_k] = from.name;
#define STN_STATE_PAIR(T, d, name)                                                                 \
    stn_v.name = stn_of_##name[stn_k];                                                             \
    stn_w.name = stn_of_##name[stn_k + stn_half];
#define STN_STATE_OPERATION(name, T)                                                               \
    name##_combine_##T, name##_finish_##T, name##_identity_##T, 0, name##_rows_##T

/* Assigns a list of values to the members of a state. */
#define STN_SET_STATE(T, to, names, values)                                                        \
    STN_SET_BY(STN_JOIN(STN_SET_, STN_NUMBER_OF names), T, to, STN_PARAMETERS names, STN_PARAMETERS values)
#define STN_SET_BY(...)                                STN_SET_BY_(__VA_ARGS__)
#define STN_SET_BY_(SET, ...)                          SET(__VA_ARGS__)
#define STN_SET_1(T, to, p, a)                         to.p = STN_VALUE_##T(a);
#define STN_SET_2(T, to, p, q, a, b)                   STN_SET_1(T, to, p, a) STN_SET_1(T, to, q, b)
#define STN_SET_3(T, to, p, q, r, a, b, c)             STN_SET_2(T, to, p, q, a, b) STN_SET_1(T, to, r, c)
#define STN_SET_4(T, to, p, q, r, s, a, b, c, d)       STN_SET_3(T, to, p, q, r, a, b, c) STN_SET_1(T, to, s, d)
#define STN_STATE_MEMBER(T, d, name)                   T name;
#define STN_STATE_RESULT(T, d, value)                  stn_result[d] = STN_VALUE_##T(value);

/* The state as a type, its merging, results and value without elements. */
#define STN_REDUCE_VALUES(T, name, state, results, identity, ...)                                  \
    STN_KERNEL_BEGIN                                                                               \
    typedef struct name##_values_##T {                                                             \
        STN_EACH_NAME(STN_STATE_MEMBER, stn_##T, STN_PARAMETERS state)                             \
    } name##_values_##T;                                                                           \
    STN_KERNEL_INLINE name##_values_##T name##_combined_##T(name##_values_##T a,                   \
                                                            const name##_values_##T b)             \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t), (void)b;                                                             \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        { __VA_ARGS__ }                                                                            \
        return a;                                                                                  \
    }                                                                                              \
    STN_KERNEL_INLINE void name##_finalized_##T(const name##_values_##T a, stn_##T *stn_result)    \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t), (void)a;                                                             \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        STN_EACH_NAME(STN_STATE_RESULT, T, STN_PARAMETERS results)                                 \
    }                                                                                              \
    STN_KERNEL_INLINE void name##_halve_##T(name##_values_##T *stn_to,                             \
                                            const name##_values_##T *stn_left,                     \
                                            const name##_values_##T *stn_right, int64_t stn_stretch,\
                                            int64_t stn_runs)                                      \
    {                                                                                              \
        STN_KERNEL_IVDEP                                                                           \
        for (int64_t stn_r = 0; stn_r < stn_runs; stn_r++)                                         \
            for (int64_t stn_k = 0; stn_k < stn_stretch; stn_k++)                                  \
                stn_to[stn_r * stn_stretch + stn_k] =                                              \
                    name##_combined_##T(stn_left[2 * stn_r * stn_stretch + stn_k],                 \
                                        stn_right[2 * stn_r * stn_stretch + stn_k]);               \
    }                                                                                              \
    STN_PANEL_VERSIONS_##T STN_KERNEL_EXACT_##T static void name##_combine_##T(                    \
        void *stn_to, const void *stn_left, const void *stn_right, int64_t stn_stretch,            \
        int64_t stn_runs)                                                                          \
    {                                                                                              \
        name##_values_##T *const stn_c = (name##_values_##T *)stn_to;                              \
        const name##_values_##T *const stn_a = (const name##_values_##T *)stn_left;                \
        const name##_values_##T *const stn_b = (const name##_values_##T *)stn_right;               \
        if (stn_stretch == 1)                                                                      \
            name##_halve_##T(stn_c, stn_a, stn_b, 1, stn_runs);                                    \
        else if (stn_stretch == 2)                                                                 \
            name##_halve_##T(stn_c, stn_a, stn_b, 2, stn_runs);                                    \
        else if (stn_stretch == 4)                                                                 \
            name##_halve_##T(stn_c, stn_a, stn_b, 4, stn_runs);                                    \
        for (int64_t stn_r = 0; (stn_stretch == 3 || stn_stretch > 4) && stn_r < stn_runs; stn_r++) {\
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_stretch; stn_k++)                                  \
                stn_c[stn_r * stn_stretch + stn_k] =                                               \
                    name##_combined_##T(stn_a[2 * stn_r * stn_stretch + stn_k],                    \
                                        stn_b[2 * stn_r * stn_stretch + stn_k]);                   \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_finish_##T(const void *stn_states, void *stn_results,  \
                                                       int64_t stn_count)                          \
    {                                                                                              \
        enum { stn_width = STN_NUMBER_OF results };                                                \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            name##_finalized_##T(((const name##_values_##T *)stn_states)[stn_k],                   \
                                 (stn_##T *)stn_results + stn_k * stn_width);                      \
    }                                                                                              \
    static void name##_identity_##T(void *stn_state)                                               \
    {                                                                                              \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t);                                                                      \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        name##_values_##T stn_v;                                                                   \
        STN_SET_STATE(T, stn_v, state, identity)                                                   \
        *(name##_values_##T *)stn_state = stn_v;                                                   \
    }                                                                                              \
    STN_KERNEL_END

/* Three lists of one to four items, or of one or two complex ones, and a list of results. */
#define STN_STATE_CASE(CLASS, ...)                                                                 \
    STN_CHOOSE(STN_STATE_ARE_LISTS(__VA_ARGS__), STN_STATE_ARE, STN_STATE_ARE_NOT)(CLASS, __VA_ARGS__)
#define STN_STATE_ARE_LISTS(state, element, results, identity)                                     \
    STN_BOTH(STN_BOTH(STN_IS_LIST(state), STN_IS_LIST(element)),                                   \
             STN_BOTH(STN_IS_LIST(results), STN_IS_LIST(identity)))
#define STN_STATE_ARE_NOT(CLASS, ...) STN_STATE_LACKS##CLASS
#define STN_STATE_ARE(CLASS, state, element, results, identity)                                    \
    STN_CHOOSE(STN_BOTH(STN_IS_DEFINED(STN_STATE_FORM(CLASS, STN_NUMBER_OF state, STN_NUMBER_OF element,\
                                                      STN_NUMBER_OF identity)),                    \
                        STN_IS_DEFINED(STN_STATE_FORM(CLASS, STN_NUMBER_OF results, STN_NUMBER_OF results,\
                                                      STN_NUMBER_OF results))),                    \
               STN_REDUCE_BY_STATE, STN_STATE_LACKS##CLASS)
#define STN_STATE_FORM(...)                       STN_STATE_FORM_(__VA_ARGS__)
#define STN_STATE_FORM_(CLASS, a, b, c)           STN_STATE_FORM##CLASS##_##a##_##b##_##c
#define STN_STATE_FORM_REAL_1_1_1                 ~, _YES
#define STN_STATE_FORM_REAL_2_2_2                 ~, _YES
#define STN_STATE_FORM_REAL_3_3_3                 ~, _YES
#define STN_STATE_FORM_REAL_4_4_4                 ~, _YES
#define STN_STATE_FORM_INTEGER_1_1_1              ~, _YES
#define STN_STATE_FORM_INTEGER_2_2_2              ~, _YES
#define STN_STATE_FORM_INTEGER_3_3_3              ~, _YES
#define STN_STATE_FORM_INTEGER_4_4_4              ~, _YES
#define STN_STATE_FORM_COMPLEX_1_1_1              ~, _YES
#define STN_STATE_FORM_COMPLEX_2_2_2              ~, _YES
#define STN_STATE_LACKS_REAL(name, ...)           STN_STATE_REFUSED(name, "1 to 4 items")
#define STN_STATE_LACKS_INTEGER(name, ...)        STN_STATE_REFUSED(name, "1 to 4 items")
#define STN_STATE_LACKS_COMPLEX(name, ...)        STN_STATE_REFUSED(name, "1 or 2 items")
#define STN_STATE_REFUSED(name, items)                                                             \
    STN_REFUSE(name, "steno: " #name ": state, element and identity must be lists in parentheses of "\
                     "the same number of items, and results a list; they have " items)             \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_BY_STATE(name, parameters, CLASS, text, words, state, element, results, identity, ...)\
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, STN_MAP_STATE, name)                      \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_VALUES, name, state, results, identity, __VA_ARGS__)     \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, STN_OPERATION_state, STN_FOLD_STATES,       \
                                STN_STATE_OPERATION, parameters, STN_MAP_STATE, name, state, element)\
    STN_REDUCE_TABLE(name, text, STN_REDUCE_WITH_state, words, STN_MAPS##CLASS(name),              \
                     STN_LOOPS##CLASS(name), STN_NUMBER_OF state, STN_NUMBER_OF results)           \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, STN_OPERATION_state)
/* clang-format on */

#endif
