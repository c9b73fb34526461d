/** @file
 * Scans written once: each element of the result combines all elements of its row up to it.
 *
 * @code
 * STN_SCAN(running, sum, (in(x)), x)
 * running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &result, &x);
 * @endcode
 *
 * STN_SCAN defines these functions, and other names that begin with the name of the scan:
 *
 * @code
 * stn_status running_scan(const stn_exec *exec, stn_format arithmetic, stn_scan_kind kind,
 *                         const stn_view *result, const stn_view *x);
 * stn_status running_scan_dimension(exec, arithmetic, kind, int dimension, result, x);
 * stn_status running_scan_total(exec, arithmetic, kind, dimension, result,
 *                               const stn_view *totals, x);
 * stn_status running_scan_over(exec, arithmetic, int rank, const int64_t *extents, kind,
 *                              dimension, result, totals, x);
 * @endcode
 *
 * The arithmetic type is STN_F64 or STN_F32; that of STN_SCAN_INTEGER is STN_I64. The space is the
 * broadcast of the extents of the views. Each line along the last dimension, or along `dimension`,
 * is scanned separately:
 *
 * - `kind`: STN_SCAN_INCLUSIVE or STN_SCAN_EXCLUSIVE
 * - `result`: a view with the extents of the space, in any format, with any strides and scale
 * - `totals`: NULL, or a view without the scanned dimension: the reduction of each line
 *
 * doc/order.md defines the order of operations: the result has the same bits on every executor, for
 * every number of threads and every layout. At most 128 additions of its own tile and
 * 2 ceil(log2(n)) of earlier tiles affect an element of the result (doc/accuracy.md). Integers are
 * exact modulo 2^64.
 *
 * The errors are those of reductions into a view (reduce.h). In addition:
 * @retval STN_ERR_ARGUMENT  the dimension is out of range, or the kind is invalid
 * @retval STN_ERR_ALIAS     the result overlaps a parameter, or is the same view
 */
#ifndef STENO_SCAN_H
#define STENO_SCAN_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
/** Elements that an element of a scan combines. */
typedef enum stn_scan_kind {
    STN_SCAN_INCLUSIVE = 0, /**< up to and including the element */
    STN_SCAN_EXCLUSIVE = 1  /**< before the element; the first one is the identity */
} stn_scan_kind;

#include "steno/detail/scan_define.h"

/** @cond INTERNAL */
#undef STN_SCAN /* of kernel_missing.h */
#undef STN_SCAN_INTEGER
#undef STN_SCAN_BY
#undef STN_SCAN_INTEGER_BY
/** @endcond */

/* clang-format off */

/** Defines a scan by `sum`, `product`, `min` or `max`, for STN_F64 and STN_F32.
 * @param name        prefix of the functions
 * @param operation   operation of the library
 * @param parameters  parameter list in parentheses
 * @param ...         expression of an element */
#define STN_SCAN(name, operation, parameters, ...)                                                 \
    STN_SCAN_OF(name, parameters, _REAL, STN_REDUCE_CASE(~, STN_SCANS_##operation, __VA_ARGS__),   \
                STN_REDUCE_WITH_##operation, #operation, #__VA_ARGS__, __VA_ARGS__)

/** STN_SCAN() for STN_I64. */
#define STN_SCAN_INTEGER(name, operation, parameters, ...)                                         \
    STN_SCAN_OF(name, parameters, _INTEGER, STN_REDUCE_CASE(~, STN_SCANS_##operation, __VA_ARGS__),\
                STN_REDUCE_WITH_##operation, #operation, #__VA_ARGS__, __VA_ARGS__)

/** Defines a scan by an operation of the program, for STN_F64 and STN_F32.
 * @param name        prefix of the functions
 * @param parameters  parameter list in parentheses
 * @param map         expression of an element
 * @param combine     expression of `a` and `b`, associative and commutative up to rounding
 * @param identity    first element of an exclusive scan */
#define STN_SCAN_BY(name, parameters, map, combine, identity)                                      \
    STN_REDUCE_OF(name, parameters, _REAL, STN_SCAN_OWN_CASE(map, combine, identity), map, combine, identity)

/** STN_SCAN_BY() for STN_I64. */
#define STN_SCAN_INTEGER_BY(name, parameters, map, combine, identity)                              \
    STN_REDUCE_OF(name, parameters, _INTEGER, STN_SCAN_OWN_CASE(map, combine, identity), map, combine, identity)
/* clang-format on */

#endif
