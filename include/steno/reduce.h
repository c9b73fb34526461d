/** @file
 * Reductions written once: the computation of each element, and the operation that combines the
 * results, run over views of any format, layout and scale, on any executor.
 *
 * @code
 * STN_REDUCE(total, sum, (in(x)), x)
 * STN_REDUCE(dot, products, (in(x), in(y)), x, y)
 * STN_REDUCE_BY(longest, (in(x), in(y)), x * x + y * y, a > b ? a : b, sqrt(a), 0)
 * total_reduce(exec, STN_F64, &sum, &x);
 * @endcode
 *
 * STN_REDUCE defines these functions, and other names that begin with the name of the reduction.
 * The parameters of the reduction are the last arguments:
 *
 * @code
 * stn_status total_reduce(const stn_exec *exec, stn_format arithmetic, double *result,
 *                         const stn_view *x);
 * stn_status total_reduce_over(exec, arithmetic, int rank, const int64_t *extents,
 *                              double *result, x);
 * stn_status total_reduce_into(exec, arithmetic, unsigned reduced, const stn_view *result, x);
 * stn_status total_reduce_into_over(exec, arithmetic, rank, extents, reduced, result, x);
 * stn_status total_reduce_part(exec, arithmetic, int64_t first, stn_partial *part, x);
 * stn_status total_reduce_parts(exec, arithmetic, first, reduced, stn_partial *parts, x);
 * stn_status total_reduce_merge(stn_partial *left, const stn_partial *right);
 * stn_status total_reduce_finish(const stn_partial *part, double *result);
 * @endcode
 *
 * The arithmetic type is STN_F64 or STN_F32; that of the _INTEGER macros is STN_I64, that of the
 * _COMPLEX macros STN_C128 or STN_C64. Parameters are real, index, bits, at, in and gather of
 * kernel.h. Expressions may use what bodies of kernels use: STN_R, STN_AT, functions of the
 * arithmetic type.
 *
 * ## Operations
 *
 * - `sum`, `product`: of integers modulo 2^64, exact if the result fits
 * - `products`: takes x, y: the sum of x * y, accumulated by fma, with the bits of stn_dot().
 * Complex products are not conjugated, and use two fma for each part
 * - `min`, `max`: -0 < +0; NaN if an element is NaN; of no elements +inf, -inf (INT64_MAX,
 * INT64_MIN)
 * - `argmin`, `argmax`: the index, in C order of the reduced dimensions, of the first smallest (or
 *   largest) element, or of the first NaN; -1 if there are no elements
 * - `count`, `any`, `all`: the expression is a condition
 * - `norm1`, `norm_inf`: sum and maximum of the magnitudes; of integers modulo 2^64
 * - `norm2`: root of the sum of squares, without overflow and underflow for up to 2^38 elements;
 * not for integers
 *
 * Complex numbers have sum, product, products and norms, which are real.
 *
 * ## Results
 *
 * The result is a double; with the _INTEGER macros, and for argmin, argmax, count, any and all, an
 * int64_t; with the _COMPLEX macros a stn_c128, except for norms. A result in f32 or c64 is
 * widened.
 *
 * Bit d of `reduced` selects dimension d of the space. The view `result` has the extents of the
 * other dimensions, in order, in any format, with any strides and scale. Floats are rounded once to
 * its format; integers are stored in integer formats without conversion.
 *
 * A part is the value of elements whose first index in a larger reduction is `first`. _parts
 * creates one for each output that `reduced` leaves, in C order. _merge joins two adjacent parts in
 * *left, which is unchanged on errors. For every division into parts, the merged result has the
 * bits of the whole. Parts are plain bytes for processes of one program.
 *
 * The space is the broadcast of the extents of the views, or given. The order is that of
 * doc/order.md: the result has the same bits on every executor, for every number of threads and
 * every layout. Of n elements, at most ceil(log2(n)) + 1 additions affect each one
 * (doc/accuracy.md). Nothing is allocated.
 *
 * ## Errors
 *
 * Errors, before anything is written:
 * @retval STN_ERR_ARGUMENT     an argument is NULL, the result is read-only, the reduction does not
 *                              have this arithmetic type, `reduced` selects a missing dimension, or
 *                              a part is of another operation
 * @retval STN_ERR_SHAPE        extents cannot be broadcast, the result has other extents, parts are
 *                              not adjacent, or the part that is finished does not begin at 0
 * @retval STN_ERR_ALIAS        the result overlaps a parameter, or repeats an element
 * @retval STN_ERR_FORMAT       the arithmetic type does not support a format
 * @retval STN_ERR_UNSUPPORTED  the same, for some formats; integers into an integer format with a
 *                              scale; views that kernels refuse, too (kernel.h)
 * @retval STN_ERR_RANGE        the number of elements exceeds 64 bits
 */
#ifndef STENO_REDUCE_H
#define STENO_REDUCE_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/reduce_parts.h"
#include "steno/scan.h"

/** @cond INTERNAL */
#undef STN_REDUCE /* of kernel_missing.h */
#undef STN_REDUCE_INTEGER
#undef STN_REDUCE_COMPLEX
#undef STN_REDUCE_BY
#undef STN_REDUCE_INTEGER_BY
#undef STN_REDUCE_COMPLEX_BY
#undef STN_REDUCE_STATE
#undef STN_REDUCE_INTEGER_STATE
#undef STN_REDUCE_COMPLEX_STATE
/** @endcond */

/* clang-format off */

/** Defines a reduction by an operation of the library, for STN_F64 and STN_F32.
 * @param name        prefix of the functions
 * @param operation   one of the operations above
 * @param parameters  parameter list in parentheses
 * @param ...         expression of an element; two for `products` */
#define STN_REDUCE(name, operation, parameters, ...)                                               \
    STN_REDUCE_OF(name, parameters, _REAL,                                                         \
                  STN_REDUCE_CASE(STN_LACKS_REAL_##operation, STN_TAKES_##operation, __VA_ARGS__), \
                  STN_OPERATIONS_REAL, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,     \
                  #operation, #__VA_ARGS__, __VA_ARGS__)

/** STN_REDUCE() for STN_I64. */
#define STN_REDUCE_INTEGER(name, operation, parameters, ...)                                       \
    STN_REDUCE_OF(name, parameters, _INTEGER,                                                      \
                  STN_REDUCE_CASE(STN_LACKS_INTEGER_##operation, STN_TAKES_##operation, __VA_ARGS__),\
                  STN_OPERATIONS_INTEGER, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,  \
                  #operation, #__VA_ARGS__, __VA_ARGS__)

/** STN_REDUCE() for STN_C128 and STN_C64. */
#define STN_REDUCE_COMPLEX(name, operation, parameters, ...)                                       \
    STN_REDUCE_OF(name, parameters, _COMPLEX,                                                      \
                  STN_REDUCE_CASE(STN_LACKS_COMPLEX_##operation, STN_TAKES_##operation, __VA_ARGS__),\
                  STN_OPERATIONS_COMPLEX, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,  \
                  #operation, #__VA_ARGS__, __VA_ARGS__)

/** Defines a reduction by an operation of the program, for STN_F64 and STN_F32.
 * @param name        prefix of the functions
 * @param parameters  parameter list in parentheses
 * @param map         expression of an element
 * @param combine     expression of `a` and `b`, associative and commutative up to rounding
 * @param finalize    expression of `a`, applied to the combined value
 * @param identity    value without elements before it is finalized. It is not combined with
 *                    elements and need not be neutral */
#define STN_REDUCE_BY(name, parameters, map, combine, finalize, identity)                          \
    STN_REDUCE_OF(name, parameters, _REAL, STN_REDUCE_OWN_CASE(map, combine, finalize, identity),  \
                  map, combine, finalize, identity)

/** STN_REDUCE_BY() for STN_I64. */
#define STN_REDUCE_INTEGER_BY(name, parameters, map, combine, finalize, identity)                  \
    STN_REDUCE_OF(name, parameters, _INTEGER, STN_REDUCE_OWN_CASE(map, combine, finalize, identity),\
                  map, combine, finalize, identity)

/** STN_REDUCE_BY() for STN_C128 and STN_C64. */
#define STN_REDUCE_COMPLEX_BY(name, parameters, map, combine, finalize, identity)                  \
    STN_REDUCE_OF(name, parameters, _COMPLEX, STN_REDUCE_OWN_CASE(map, combine, finalize, identity),\
                  map, combine, finalize, identity)

/** Defines a reduction whose state has several named values, for STN_F64 and STN_F32.
 *
 * Each function of the reduction computes all results in one pass. `_reduce` stores them in an array.
 * The result of `_reduce_into` has one more dimension, the last one, if there are several results.
 *
 * @param name        prefix of the functions
 * @param parameters  parameter list in parentheses
 * @param state       names of one to four values of type real_t, in parentheses
 * @param element     expressions of the values of one element, in parentheses
 * @param results     expressions of `a`, a combined state, in parentheses: one to four
 * @param identity    values without elements, in parentheses. They are not merged and need not be
 *                    neutral
 * @param ...         statements that merge the state `b` into the state `a`. The operation must be
 *                    associative and commutative up to rounding
 * @code
 * STN_REDUCE_STATE(range, (in(x)), (least, most), (x, x), (a.least, a.most), (INFINITY, -INFINITY),
 *                  a.least = fmin(a.least, b.least); a.most = fmax(a.most, b.most);)
 * double extremes[2];
 * range_reduce(exec, STN_F64, extremes, &x);
 * @endcode */
#define STN_REDUCE_STATE(name, parameters, state, element, results, identity, ...)                 \
    STN_REDUCE_OF(name, parameters, _REAL, STN_STATE_CASE(_REAL, state, element, results, identity),\
                  #element, "state " #state "\n" #__VA_ARGS__ "\n" #results "\n" #identity, \
                  state, element, results, identity, __VA_ARGS__)

/** STN_REDUCE_STATE() for STN_I64. */
#define STN_REDUCE_INTEGER_STATE(name, parameters, state, element, results, identity, ...)         \
    STN_REDUCE_OF(name, parameters, _INTEGER, STN_STATE_CASE(_INTEGER, state, element, results, identity),\
                  #element, "state " #state "\n" #__VA_ARGS__ "\n" #results "\n" #identity, \
                  state, element, results, identity, __VA_ARGS__)

/** STN_REDUCE_STATE() for STN_C128 and STN_C64, with one or two values and results. */
#define STN_REDUCE_COMPLEX_STATE(name, parameters, state, element, results, identity, ...)         \
    STN_REDUCE_OF(name, parameters, _COMPLEX, STN_STATE_CASE(_COMPLEX, state, element, results, identity),\
                  #element, "state " #state "\n" #__VA_ARGS__ "\n" #results "\n" #identity, \
                  state, element, results, identity, __VA_ARGS__)
/* clang-format on */

#endif
