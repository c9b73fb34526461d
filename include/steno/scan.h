/** @file
 * Scans written once: each element of the result combines all elements of its row up to it.
 *
 * @code
 * STN_SCAN(running, sum, (in(x)), x)
 * running_scan(exec, STN_F64, 0, &result, &x);
 * @endcode
 *
 * STN_SCAN defines these functions, and other names that begin with the name of the scan:
 *
 * @code
 * stn_status running_scan(const stn_exec *exec, stn_format arithmetic, int exclusive,
 *                         const stn_view *result, const stn_view *x);
 * stn_status running_scan_dimension(exec, arithmetic, exclusive, int dimension, result, x);
 * stn_status running_scan_total(exec, arithmetic, exclusive, dimension, result,
 *                               const stn_view *totals, x);
 * stn_status running_scan_over(exec, arithmetic, int rank, const int64_t *extents, exclusive,
 *                              dimension, result, totals, x);
 * @endcode
 *
 * The arithmetic type is STN_F64 or STN_F32; that of STN_SCAN_INTEGER is STN_I64. The space is the
 * broadcast of the extents of the views. Each line along the last dimension, or along `dimension`,
 * is scanned separately:
 *
 * - `exclusive`: 0: an element of the result includes its own element. Otherwise it ends before
 * that element, and the first element of a line is the identity
 * - `result`: a view with the extents of the space, in any format, with any strides and scale
 * - `totals`: NULL, or a view without the scanned dimension: the reduction of each line
 *
 * doc/order.md defines the order of operations: the result has the same bits on every executor, for
 * every number of threads and every layout. At most 128 additions of its own tile and
 * 2 ceil(log2(n)) of earlier tiles affect an element of the result (doc/accuracy.md). Integers are
 * exact modulo 2^64.
 *
 * The errors are those of reductions into a view (reduce.h). In addition:
 * @retval STN_ERR_ARGUMENT  the dimension is out of range
 * @retval STN_ERR_ALIAS     the result overlaps a parameter, or is the same view
 */
#ifndef STENO_SCAN_H
#define STENO_SCAN_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/kernel_list.h"
#include "steno/detail/reduce_parts.h"

/** @cond INTERNAL */
STN_BEGIN_DECLS

/* What the functions of STN_SCAN call; dimension -1 is the last one. Rank -1 and `extents` NULL:
 * the broadcast of the views' extents. */
STN_API stn_status stn_scan_run(const stn_exec *exec, const stn_reduction *scan,
                                stn_format arithmetic, int rank, const int64_t *extents,
                                int exclusive, int dimension, const stn_view *result,
                                const stn_view *totals, const stn_argument *arguments);

/* Columns of a panel of elements that are scanned side by side. */
#define STN_SCAN_COLUMNS 8

STN_END_DECLS

/* See kernel_missing.h. */
#undef STN_SCAN
#undef STN_SCAN_INTEGER
#undef STN_SCAN_BY
#undef STN_SCAN_INTEGER_BY

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
            STN_KERNEL_APART                                                                       \
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

/** @endcond */
/** Defines a scan for STN_F64 and STN_F32 by an operation of the library.
 *
 * @param name        name of the scan
 * @param operation   sum, product, min or max
 * @param parameters  list of parameters in parentheses, as for STN_REDUCE
 * @param ...         expression: the element */
#define STN_SCAN(name, operation, parameters, ...)                                                 \
    STN_SCAN_OF(name, parameters, _REAL, STN_REDUCE_CASE(~, STN_SCANS_##operation, __VA_ARGS__),   \
                STN_REDUCE_WITH_##operation, #operation, #__VA_ARGS__, __VA_ARGS__)
/** Version of STN_SCAN for STN_I64: the same parameters. */
#define STN_SCAN_INTEGER(name, operation, parameters, ...)                                         \
    STN_SCAN_OF(name, parameters, _INTEGER, STN_REDUCE_CASE(~, STN_SCANS_##operation, __VA_ARGS__),\
                STN_REDUCE_WITH_##operation, #operation, #__VA_ARGS__, __VA_ARGS__)
/** @cond INTERNAL */
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
    STN_REDUCE_TABLE(name, text, kind, op, STN_MAPS##CLASS(name), 0, 0, 0, 0, 0)                   \
    STN_SCAN_LAUNCH(name, parameters, STN_WIDEST##CLASS)
#define STN_SCAN_MAP(T, name, parameters, MAP, ...)                                                \
    STN_KERNEL_BEGIN                                                                               \
    typedef stn_##T name##_mapped_##T;                                                             \
    STN_REDUCE_ELEMENT(name, T, stn_##T, parameters, MAP, __VA_ARGS__)                             \
    STN_REDUCE_MAP(name, T, parameters)                                                            \
    STN_KERNEL_END

/** @endcond */
/** Defines a scan for STN_F64 and STN_F32 by an operation of the program.
 *
 * @param name        name of the scan
 * @param parameters  list of parameters in parentheses, as for STN_REDUCE
 * @param map         expression: the element
 * @param combine     expression of a and b, associative up to rounding
 * @param identity    first element of an exclusive scan */
#define STN_SCAN_BY(name, parameters, map, combine, identity)                                      \
    STN_REDUCE_OF(name, parameters, _REAL, STN_SCAN_OWN_CASE(map, combine, identity), map, combine, identity)
/** Version of STN_SCAN_BY for STN_I64: the same parameters. */
#define STN_SCAN_INTEGER_BY(name, parameters, map, combine, identity)                              \
    STN_REDUCE_OF(name, parameters, _INTEGER, STN_SCAN_OWN_CASE(map, combine, identity), map, combine, identity)
/** @cond INTERNAL */
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
                     STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name))                                \
    STN_SCAN_LAUNCH(name, parameters, STN_WIDEST##CLASS)
#define STN_SCAN_OWN(T, name, parameters, map, combine, identity)                                  \
    STN_SCAN_MAP(T, name, parameters, STN_MAP_VALUE, map)                                          \
    STN_REDUCE_OWN(T, name, combine, a, identity)                                                  \
    STN_KERNEL_BEGIN                                                                               \
    STN_SCAN_LOOP(name##_scan_loop_##T, T, name##_combined_##T)                                    \
    STN_KERNEL_END                                                                                 \
    static const stn_reduction_loops name##_loops_##T = {                                          \
        0, name##_combine_##T, name##_finish_##T, name##_identity_##T, name##_scan_loop_##T};

#define STN_SCAN_LAUNCH(...) STN_SCAN_LAUNCH_(__VA_ARGS__)
#define STN_SCAN_LAUNCH_(name, parameters, T)                                                      \
    STN_REDUCE_CALL(name, parameters, T, _scan, (, int stn_exclusive, const stn_view *stn_result), \
                    stn_scan_run, -1, NULL, stn_exclusive, -1, stn_result, NULL)                   \
    STN_REDUCE_CALL(name, parameters, T, _scan_dimension,                                          \
                    (, int stn_exclusive, int stn_dimension, const stn_view *stn_result),          \
                    stn_scan_run, -1, NULL, stn_exclusive, STN_SCAN_GIVEN, stn_result, NULL)       \
    STN_REDUCE_CALL(name, parameters, T, _scan_total,                                              \
                    (, int stn_exclusive, int stn_dimension, const stn_view *stn_result,           \
                     const stn_view *stn_totals),                                                  \
                    stn_scan_run, -1, NULL, stn_exclusive, STN_SCAN_GIVEN, stn_result, stn_totals) \
    STN_REDUCE_CALL(name, parameters, T, _scan_over,                                               \
                    (, int stn_rank, const int64_t *stn_extents, int stn_exclusive,                \
                     int stn_dimension, const stn_view *stn_result, const stn_view *stn_totals),   \
                    stn_scan_run, stn_rank, stn_extents, stn_exclusive, STN_SCAN_GIVEN,            \
                    stn_result, stn_totals)
#define STN_SCAN_GIVEN stn_dimension < 0 ? STN_MAX_RANK : stn_dimension /* not -1 */

/** @endcond */
/* clang-format on */

#endif
