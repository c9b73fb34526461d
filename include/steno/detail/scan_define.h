/* What the macros of scan.h expand to. */
#ifndef STENO_SCAN_DEFINE_H
#define STENO_SCAN_DEFINE_H

#include "steno/detail/kernel_list.h"
#include "steno/detail/reduce_parts.h"
#include "steno/scan.h"

STN_BEGIN_DECLS

#define STN_LAST_DIMENSION (-1)

/* Called by the functions of STN_SCAN. */
STN_API stn_status stn_scan_run(const stn_exec *exec, const stn_reduction *scan,
                                stn_format arithmetic, int rank, const int64_t *extents,
                                stn_scan_kind kind, int dimension, const stn_view *result,
                                const stn_view *totals, const stn_argument *arguments);

/* Columns of a panel of elements that are scanned together. */
#define STN_SCAN_COLUMNS 8

STN_END_DECLS

/* clang-format off */

/* `count` rows of one column or of STN_SCAN_COLUMNS, then a multiple of 8: each element onto the chain
 * of its column, and what comes before the column, its carry, with the chain. `chains`, where they are
 * not NULL, and `ends` are the same; a single column is whole, and may have no carry. */
#define STN_SCAN_LOOP(function, T, combine)                                                        \
    STN_PANEL_VERSIONS_##T STN_KERNEL_EXACT_##T static void function(                              \
        const void *STN_KERNEL_RESTRICT stn_rows, int64_t stn_count, int64_t stn_width,            \
        const void *stn_chains, const void *STN_KERNEL_RESTRICT stn_carries,                       \
        void *STN_KERNEL_RESTRICT stn_results, void *STN_KERNEL_RESTRICT stn_ends)                 \
    {                                                                                              \
        const stn_##T *STN_KERNEL_RESTRICT stn_row = (const stn_##T *)stn_rows;                    \
        const stn_##T *STN_KERNEL_RESTRICT const stn_carry = (const stn_##T *)stn_carries;         \
        stn_##T *STN_KERNEL_RESTRICT stn_to = (stn_##T *)stn_results;                              \
        stn_##T *STN_KERNEL_RESTRICT const stn_chain = (stn_##T *)stn_ends;                        \
        stn_##T stn_a = stn_row[0];                                                                \
        if (stn_width == 1) {                                                                      \
            stn_to[0] = stn_carry ? combine(*stn_carry, stn_a) : stn_a;                            \
            for (int64_t stn_k = 1; stn_k < stn_count; stn_k++) {                                  \
                stn_a = combine(stn_a, stn_row[stn_k]);                                            \
                stn_to[stn_k] = stn_carry ? combine(*stn_carry, stn_a) : stn_a;                    \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k += 8) {                                   \
            const int stn_fresh = stn_k == 0 && !stn_chains;                                       \
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t stn_t = 0; stn_t < STN_SCAN_COLUMNS; stn_t++) {                           \
                const stn_##T stn_b =                                                              \
                    stn_fresh ? stn_row[stn_t] : combine(stn_chain[stn_t], stn_row[stn_t]);        \
                stn_to[stn_t] = combine(stn_carry[stn_t], stn_b);                                  \
                STN_SCAN_DOWN(T, combine, 1, stn_b, stn_c)                                         \
                STN_SCAN_DOWN(T, combine, 2, stn_c, stn_d)                                         \
                STN_SCAN_DOWN(T, combine, 3, stn_d, stn_e)                                         \
                STN_SCAN_DOWN(T, combine, 4, stn_e, stn_f)                                         \
                STN_SCAN_DOWN(T, combine, 5, stn_f, stn_g)                                         \
                STN_SCAN_DOWN(T, combine, 6, stn_g, stn_h)                                         \
                STN_SCAN_DOWN(T, combine, 7, stn_h, stn_i)                                         \
                stn_chain[stn_t] = stn_i;                                                          \
            }                                                                                      \
            stn_row += 8 * STN_SCAN_COLUMNS;                                                       \
            stn_to += 8 * STN_SCAN_COLUMNS;                                                        \
        }                                                                                          \
    }
#define STN_SCAN_DOWN(T, combine, row, above, here)                                                \
    const stn_##T here = combine(above, stn_row[row * STN_SCAN_COLUMNS + stn_t]);                  \
    stn_to[row * STN_SCAN_COLUMNS + stn_t] = combine(stn_carry[stn_t], here);

#define STN_SCAN_OF(name, parameters, CLASS, which, ...)                                           \
    STN_REDUCE_OF(name, parameters, CLASS, which, "sum, product, min and max", ~, __VA_ARGS__)
#define STN_SCANS_              ~, _NONE
#define STN_SCANS_sum           ~, _SCAN
#define STN_SCANS_product       ~, _SCAN
#define STN_SCANS_min           ~, _SCAN
#define STN_SCANS_max           ~, _SCAN
#define STN_REDUCE_IS_1_SCAN    STN_SCAN_BY_OPERATION, STN_MAP_VALUE
#define STN_REDUCE_IS_2_SCAN    STN_REDUCE_REFUSED, " takes one expression"
#define STN_REDUCE_IS_0_SCAN    STN_REDUCE_IS_2_SCAN
#define STN_REDUCE_IS_3_SCAN    STN_REDUCE_IS_2_SCAN
#define STN_SCAN_BY_OPERATION(name, parameters, CLASS, MAP, all, OPERATION, kind, op, text, ...)   \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, MAP, __VA_ARGS__)                         \
    STN_EACH_ARITHMETIC##CLASS(STN_SCAN_MAP, name, parameters, MAP, __VA_ARGS__)                   \
    STN_REDUCE_TABLE(name, text, kind, op, STN_MAPS##CLASS(name), 0, 0, 0, 0, 0, 0, 0)                   \
    STN_SCAN_LAUNCH(name, parameters, STN_WIDEST##CLASS)
#define STN_SCAN_MAP(T, name, parameters, MAP, ...)                                                \
    STN_KERNEL_BEGIN                                                                               \
    typedef stn_##T name##_mapped_##T;                                                             \
    STN_REDUCE_ELEMENT(name, T, stn_##T, parameters, MAP, __VA_ARGS__)                             \
    STN_REDUCE_MAP(name, T, parameters)                                                            \
    STN_KERNEL_END

#define STN_SCAN_OWN_CASE(...)                                                                     \
    STN_CHOOSE(STN_ARE_GIVEN(__VA_ARGS__), STN_SCAN_BY_OWN, STN_SCAN_LACKS)
#define STN_SCAN_LACKS(name, ...)                                                                  \
    STN_REFUSE(name, "steno: " #name ": map, combine or identity is empty")                        \
    STN_ANY_REDUCTION(name)
#define STN_SCAN_BY_OWN(name, parameters, CLASS, map, combine, identity)                           \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, STN_MAP_VALUE, map)                       \
    STN_EACH_ARITHMETIC##CLASS(STN_SCAN_OWN, name, parameters, map, combine, identity)             \
    STN_REDUCE_TABLE(name, #map, STN_REDUCE_WITH_own, "by " #combine "; " #identity,               \
                     STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name), 0, 0)                          \
    STN_SCAN_LAUNCH(name, parameters, STN_WIDEST##CLASS)
#define STN_SCAN_OWN(T, name, parameters, map, combine, identity)                                  \
    STN_SCAN_MAP(T, name, parameters, STN_MAP_VALUE, map)                                          \
    STN_REDUCE_OWN(T, name, combine, a, identity)                                                  \
    STN_KERNEL_BEGIN                                                                               \
    STN_SCAN_LOOP(name##_scan_loop_##T, T, name##_combined_##T)                                    \
    STN_KERNEL_END                                                                                 \
    static const stn_reduction_loops name##_loops_##T = {                                          \
        0, name##_combine_##T, name##_finish_##T, name##_identity_##T, name##_scan_loop_##T, 0};

#define STN_SCAN_LAUNCH(...) STN_SCAN_LAUNCH_(__VA_ARGS__)
#define STN_SCAN_LAUNCH_(name, parameters, T)                                                      \
    STN_REDUCE_CALL(name, parameters, T, _scan, (, stn_scan_kind stn_kind, const stn_view *stn_result),\
                    stn_scan_run, STN_RANK_BROADCAST, NULL, stn_kind, STN_LAST_DIMENSION, stn_result, NULL)\
    STN_REDUCE_CALL(name, parameters, T, _scan_dimension,                                          \
                    (, stn_scan_kind stn_kind, int stn_dimension, const stn_view *stn_result),     \
                    stn_scan_run, STN_RANK_BROADCAST, NULL, stn_kind, STN_SCAN_GIVEN, stn_result, NULL)\
    STN_REDUCE_CALL(name, parameters, T, _scan_total,                                              \
                    (, stn_scan_kind stn_kind, int stn_dimension, const stn_view *stn_result,      \
                     const stn_view *stn_totals),                                                  \
                    stn_scan_run, STN_RANK_BROADCAST, NULL, stn_kind, STN_SCAN_GIVEN, stn_result, stn_totals)\
    STN_REDUCE_CALL(name, parameters, T, _scan_over,                                               \
                    (, int stn_rank, const int64_t *stn_extents, stn_scan_kind stn_kind,           \
                     int stn_dimension, const stn_view *stn_result, const stn_view *stn_totals),   \
                    stn_scan_run, stn_rank, stn_extents, stn_kind, STN_SCAN_GIVEN,                 \
                    stn_result, stn_totals)
#define STN_SCAN_GIVEN stn_dimension < 0 ? STN_MAX_RANK : stn_dimension /* out of range */

/* clang-format on */

#endif
