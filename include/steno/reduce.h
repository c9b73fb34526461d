/* Reductions written once: what is calculated of each element, and how the results become one. Run
 * over views of any format, in any layout and under any scales, on any executor.
 *
 *     STN_REDUCE(total, sum, (in(x)), x)
 *     STN_REDUCE(dot, products, (in(x), in(y)), x, y)
 *     STN_REDUCE_BY(longest, (in(x), in(y)), x * x + y * y, a > b ? a : b, sqrt(a), 0)
 *     total_reduce(exec, STN_F64, &sum, &x);
 *
 * define, among names that begin with total_, functions of which the parameters come last:
 *
 *     stn_status total_reduce(const stn_exec *exec, stn_format arithmetic, void *result,
 *                             const stn_view *x);
 *     stn_status total_reduce_over(exec, arithmetic, int rank, const int64_t *extents,
 *                                  void *result, x);
 *     stn_status total_reduce_into(exec, arithmetic, unsigned reduced, const stn_view *result, x);
 *     stn_status total_reduce_into_over(exec, arithmetic, rank, extents, reduced, result, x);
 *     stn_status total_reduce_part(exec, arithmetic, int64_t first, stn_partial *part, x);
 *     stn_status total_reduce_finish(const stn_partial *part, void *result);
 *
 * for arithmetic STN_F64 and STN_F32; STN_REDUCE_INTEGER and STN_REDUCE_INTEGER_BY for STN_I64.
 * Parameters are real, index, bits, in and field of kernel.h, STN_MOST_REDUCE_PARAMETERS of them at
 * most, and the expressions have what kernels have: i, j, k, l, R(), STN_AT, functions of the
 * arithmetic type. The operations:
 *
 *     sum, product        of integers modulo 2^64: exact wherever the result fits
 *     products            takes x, y: the sum of x * y, folded by fma; the bits of stn_dot
 *     min, max            -0 < +0; NaN when there is one; empty +inf, -inf (INT64_MAX, INT64_MIN)
 *     argmin, argmax      the number, in C order of what is reduced, of the first of the least (or
 *                         greatest) elements, or of the first NaN; -1 when empty
 *     count, any, all     the expression is a condition
 *     norm1, norm_inf     of magnitudes, the sum and the largest; of integers modulo 2^64
 *     norm2               the root of the sum of squares, which neither overflows nor vanishes for
 *                         up to 2^38 elements; not for integers
 *
 * STN_REDUCE_BY takes map, combine (an expression of a and b, associative up to rounding), finalise
 * (of a) and identity, which is the value of no elements and need not be neutral: it is combined
 * with nothing.
 *
 * The result is a value of the arithmetic, or an int64_t for argmin, argmax, count, any and all.
 * Bit d of `reduced` says that dimension d of the space goes; the view `result` has the extents of
 * the others, in order, in any format, with any strides and scale. Floats are rounded once to its
 * format, integers go into integer formats as such.
 *
 * A part has the value of elements that begin with the number `first` of a larger reduction;
 * stn_partial_merge joins two neighbours. However a reduction is cut, merging its parts gives the
 * bits of the whole. Parts are plain bytes for processes of one program.
 *
 * The space is the broadcast of the views' extents, or what is given. The order is that of
 * doc/order.md: the same bits on every executor, for every number of threads and all strides. Of
 * n elements, at most ceil(log2(n)) + 1 additions touch one (doc/accuracy.md). Nothing is
 * allocated. Errors, before anything is written:
 * STN_ERR_ARGUMENT     a NULL, a read-only result, arithmetic the reduction does not have,
 *                      dimensions that there are not, a part of another operation
 * STN_ERR_SHAPE        extents that do not broadcast, a result of other extents, parts that are no
 *                      neighbours, a part that does not begin at 0 when it is finished
 * STN_ERR_ALIAS        the result overlaps a parameter, or repeats an element
 * STN_ERR_FORMAT, STN_ERR_UNSUPPORTED  a format that does not go with the arithmetic; integers into
 *                      an integer format with a scale; views that kernels refuse too (kernel.h)
 * STN_ERR_RANGE        more elements than can be counted */
#ifndef STENO_REDUCE_H
#define STENO_REDUCE_H

#include "steno/names/kernel_words.h"
#include "steno/names/hide.h"
#include "steno/reduce_parts.h"
#include "steno/scan.h"

/* clang-format off */
#define STN_REDUCE(name, operation, parameters, ...)                                               \
    STN_REDUCE_REAL(name, stn_op_##operation, parameters, #__VA_ARGS__, #operation, __VA_ARGS__)
#define STN_REDUCE_REAL(name, op, parameters, words, operation, ...)                               \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, f64, parameters, STN_MAP_##op, __VA_ARGS__)                       \
    STN_REDUCE_ELEMENT(name, op, f32, parameters, STN_MAP_##op, __VA_ARGS__)                       \
    STN_REDUCE_LOOPS(name, op, f64, parameters, STN_RESULT_##op)                                   \
    STN_REDUCE_LOOPS(name, op, f32, parameters, STN_RESULT_##op)                                   \
    STN_REDUCE_LAUNCH(name, parameters, f64, words, operation, STN_TRAITS_##op,                    \
                      &name##_loops_f64, &name##_loops_f32, 0, name##_map_f64, name##_map_f32, 0)

#define STN_REDUCE_INTEGER(name, operation, parameters, ...)                                       \
    STN_REDUCE_WHOLE(name, stn_op_##operation, parameters, #__VA_ARGS__, #operation, __VA_ARGS__)
#define STN_REDUCE_WHOLE(name, op, parameters, words, operation, ...)                              \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, i64, parameters, STN_MAP_##op, __VA_ARGS__)                       \
    STN_REDUCE_LOOPS(name, op, i64, parameters, STN_RESULT_##op)                                   \
    STN_REDUCE_LAUNCH(name, parameters, i64, words, operation, STN_TRAITS_##op, 0, 0,              \
                      &name##_loops_i64, 0, 0, name##_map_i64)

#define STN_REDUCE_BY(name, parameters, map, combine, finalise, identity)                          \
    STN_REDUCE_OWN(name, f64, combine, finalise, identity)                                         \
    STN_REDUCE_OWN(name, f32, combine, finalise, identity)                                         \
    STN_REDUCE_BY_REAL(name, name##_own, parameters, #map,                                         \
                       "by " #combine "; " #finalise "; " #identity, map)
#define STN_REDUCE_BY_REAL(name, op, parameters, words, operation, map)                            \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, f64, parameters, STN_MAP_VALUE, map)                              \
    STN_REDUCE_ELEMENT(name, op, f32, parameters, STN_MAP_VALUE, map)                              \
    STN_REDUCE_LOOPS(name, op, f64, parameters, STN_RESULT_VALUE)                                  \
    STN_REDUCE_LOOPS(name, op, f32, parameters, STN_RESULT_VALUE)                                  \
    STN_REDUCE_LAUNCH(name, parameters, f64, words, operation, 0, &name##_loops_f64,               \
                      &name##_loops_f32, 0, name##_map_f64, name##_map_f32, 0)

#define STN_REDUCE_INTEGER_BY(name, parameters, map, combine, finalise, identity)                  \
    STN_REDUCE_OWN(name, i64, combine, finalise, identity)                                         \
    STN_REDUCE_BY_WHOLE(name, name##_own, parameters, #map,                                        \
                        "by " #combine "; " #finalise "; " #identity, map)
#define STN_REDUCE_BY_WHOLE(name, op, parameters, words, operation, map)                           \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, i64, parameters, STN_MAP_VALUE, map)                              \
    STN_REDUCE_LOOPS(name, op, i64, parameters, STN_RESULT_VALUE)                                  \
    STN_REDUCE_LAUNCH(name, parameters, i64, words, operation, 0, 0, 0, &name##_loops_i64, 0, 0,   \
                      name##_map_i64)
/* clang-format on */

#include "steno/names/show.h"

#endif
