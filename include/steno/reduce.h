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
 *     stn_status total_reduce(const stn_exec *exec, stn_format arithmetic, double *result,
 *                             const stn_view *x);
 *     stn_status total_reduce_over(exec, arithmetic, int rank, const int64_t *extents,
 *                                  double *result, x);
 *     stn_status total_reduce_into(exec, arithmetic, unsigned reduced, const stn_view *result, x);
 *     stn_status total_reduce_into_over(exec, arithmetic, rank, extents, reduced, result, x);
 *     stn_status total_reduce_part(exec, arithmetic, int64_t first, stn_partial *part, x);
 *     stn_status total_reduce_parts(exec, arithmetic, first, reduced, stn_partial *parts, x);
 *     stn_status total_reduce_merge(stn_partial *left, const stn_partial *right);
 *     stn_status total_reduce_finish(const stn_partial *part, double *result);
 *
 * for arithmetic STN_F64 and STN_F32; STN_REDUCE_INTEGER and STN_REDUCE_INTEGER_BY for STN_I64,
 * STN_REDUCE_COMPLEX and STN_REDUCE_COMPLEX_BY for STN_C128 and STN_C64. Parameters are real,
 * index, bits, at, in and gather of kernel.h, and the expressions have what kernels have: STN_R(),
 * STN_AT, functions of the arithmetic type. A program compiles one loop over tiles for each
 * arithmetic, and for its own operations combine and finalise. The operations:
 *
 *     sum, product        of integers modulo 2^64: exact wherever the result fits
 *     products            takes x, y: the sum of x * y, folded by fma; the bits of stn_dot. Complex
 *                         products are not conjugated, and take two fma for each part
 *     min, max            -0 < +0; NaN when there is one; empty +inf, -inf (INT64_MAX, INT64_MIN)
 *     argmin, argmax      the number, in C order of what is reduced, of the first of the least (or
 *                         greatest) elements, or of the first NaN; -1 when empty
 *     count, any, all     the expression is a condition
 *     norm1, norm_inf     of magnitudes, the sum and the largest; of integers modulo 2^64; of
 *                         complex numbers, which have no extremes and conditions, real as norm2 is
 *     norm2               the root of the sum of squares, which neither overflows nor vanishes for
 *                         up to 2^38 elements; not for integers
 *
 * STN_REDUCE_BY takes map, combine (an expression of a and b, associative and commutative up to
 * rounding), finalise (of a) and identity, of which the value of no elements is finalised; it need
 * not be neutral, since it is combined with nothing.
 *
 * The result is a double; with STN_REDUCE_INTEGER, and for argmin, argmax, count, any and all, an
 * int64_t; with STN_REDUCE_COMPLEX, but for norms, a stn_c128. That of f32 or c64 is widened. Bit d
 * of `reduced` says that dimension d of the space goes; the view `result` has the extents of the
 * others, in order, in any format, with any strides and scale. Floats are rounded once to its
 * format, integers go into integer formats as such.
 *
 * A part has the value of elements that begin with the number `first` of a larger reduction; _parts
 * makes one for each output that `reduced` leaves, in C order. _merge joins two neighbours in
 * *left, which is as it was on errors. However a reduction is cut, merging its parts gives the bits
 * of the whole. Parts are plain bytes for processes of one program.
 *
 * The space is the broadcast of the views' extents, or what is given. The order is that of
 * doc/order.md: the same bits on every executor, for every number of threads and all layouts. Of
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

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/kernel_list.h"
#include "steno/detail/reduce_parts.h"
#include "steno/scan.h"

/* See kernel_missing.h. */
#undef STN_REDUCE
#undef STN_REDUCE_INTEGER
#undef STN_REDUCE_COMPLEX
#undef STN_REDUCE_BY
#undef STN_REDUCE_INTEGER_BY
#undef STN_REDUCE_COMPLEX_BY

/* clang-format off */

/* ---- real, integer and complex reductions by an operation of the library ---- */

#define STN_REDUCE(name, operation, parameters, ...)                                               \
    STN_REDUCE_OF(name, parameters, _REAL,                                                         \
                  STN_REDUCE_CASE(STN_LACKS_REAL_##operation, STN_TAKES_##operation, __VA_ARGS__), \
                  STN_OPERATIONS_REAL, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,     \
                  #operation, #__VA_ARGS__, __VA_ARGS__)
#define STN_REDUCE_INTEGER(name, operation, parameters, ...)                                       \
    STN_REDUCE_OF(name, parameters, _INTEGER,                                                      \
                  STN_REDUCE_CASE(STN_LACKS_INTEGER_##operation, STN_TAKES_##operation, __VA_ARGS__),\
                  STN_OPERATIONS_INTEGER, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,  \
                  #operation, #__VA_ARGS__, __VA_ARGS__)
#define STN_REDUCE_COMPLEX(name, operation, parameters, ...)                                       \
    STN_REDUCE_OF(name, parameters, _COMPLEX,                                                      \
                  STN_REDUCE_CASE(STN_LACKS_COMPLEX_##operation, STN_TAKES_##operation, __VA_ARGS__),\
                  STN_OPERATIONS_COMPLEX, STN_OPERATION_##operation, STN_REDUCE_WITH_##operation,  \
                  #operation, #__VA_ARGS__, __VA_ARGS__)

/* What an operation takes, and what integers and complex numbers lack. */
#define STN_TAKES_                 ~, _NONE
#define STN_TAKES_sum              ~, _VALUE
#define STN_TAKES_product          ~, _VALUE
#define STN_TAKES_products         ~, _PAIR
#define STN_TAKES_min              ~, _VALUE
#define STN_TAKES_max              ~, _VALUE
#define STN_TAKES_argmin           ~, _VALUE
#define STN_TAKES_argmax           ~, _VALUE
#define STN_TAKES_count            ~, _CONDITION
#define STN_TAKES_any              ~, _CONDITION
#define STN_TAKES_all              ~, _CONDITION
#define STN_TAKES_norm1            ~, _VALUE
#define STN_TAKES_norm2            ~, _VALUE
#define STN_TAKES_norm_inf         ~, _VALUE
#define STN_LACKS_INTEGER_norm2    ~, _YES
#define STN_LACKS_COMPLEX_min      ~, _YES
#define STN_LACKS_COMPLEX_max      ~, _YES
#define STN_LACKS_COMPLEX_argmin   ~, _YES
#define STN_LACKS_COMPLEX_argmax   ~, _YES
#define STN_LACKS_COMPLEX_count    ~, _YES
#define STN_LACKS_COMPLEX_any      ~, _YES
#define STN_LACKS_COMPLEX_all      ~, _YES
#define STN_OPERATIONS_REAL                                                                        \
    "sum, product, products, min, max, argmin, argmax, count, any, all, norm1, norm2 and norm_inf"
#define STN_OPERATIONS_INTEGER                                                                     \
    "sum, product, products, min, max, argmin, argmax, count, any, all, norm1 and norm_inf"
#define STN_OPERATIONS_COMPLEX     "sum, product, products, norm1, norm2 and norm_inf"

#define STN_REDUCE_IS_1_VALUE         STN_REDUCE_BY_OPERATION, STN_MAP_VALUE
#define STN_REDUCE_IS_1_CONDITION     STN_REDUCE_BY_OPERATION, STN_MAP_CONDITION
#define STN_REDUCE_IS_2_PAIR          STN_REDUCE_BY_OPERATION, STN_MAP_PAIR
#define STN_REDUCE_IS_2_VALUE         STN_REDUCE_REFUSED, " takes one expression"
#define STN_REDUCE_IS_0_VALUE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_0_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_0_PAIR          STN_REDUCE_IS_1_PAIR
#define STN_REDUCE_IS_3_VALUE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_2_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_3_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_1_PAIR          STN_REDUCE_REFUSED, " takes two expressions, x and y"
#define STN_REDUCE_IS_3_PAIR          STN_REDUCE_IS_1_PAIR

#define STN_REDUCE_BY_OPERATION(name, parameters, CLASS, MAP, all, OPERATION, kind, op, text, ...) \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, MAP, __VA_ARGS__)                         \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, OPERATION, STN_NO_OPERATION, parameters,    \
                                MAP, __VA_ARGS__)                                                  \
    STN_REDUCE_TABLE(name, text, kind, op, STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name))          \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, OPERATION)

/* ---- by one of the program's own ---- */

#define STN_REDUCE_BY(name, parameters, map, combine, finalise, identity)                          \
    STN_REDUCE_OF(name, parameters, _REAL, STN_REDUCE_OWN_CASE(map, combine, finalise, identity),  \
                  map, combine, finalise, identity)
#define STN_REDUCE_INTEGER_BY(name, parameters, map, combine, finalise, identity)                  \
    STN_REDUCE_OF(name, parameters, _INTEGER, STN_REDUCE_OWN_CASE(map, combine, finalise, identity),\
                  map, combine, finalise, identity)
#define STN_REDUCE_COMPLEX_BY(name, parameters, map, combine, finalise, identity)                  \
    STN_REDUCE_OF(name, parameters, _COMPLEX, STN_REDUCE_OWN_CASE(map, combine, finalise, identity),\
                  map, combine, finalise, identity)
#define STN_REDUCE_OWN_CASE(...)                                                                   \
    STN_CHOOSE(STN_ARE_GIVEN(__VA_ARGS__), STN_REDUCE_BY_OWN, STN_REDUCE_LACKS)
#define STN_REDUCE_LACKS(name, ...)                                                                \
    STN_REFUSE(name, "steno: " #name ": map, combine, finalise or identity is empty")              \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_BY_OWN(name, parameters, CLASS, map, combine, finalise, identity)               \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, STN_MAP_VALUE, map)                       \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_OWN, name, combine, finalise, identity)                  \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, STN_OPERATION_own, STN_OWN_OPERATION,       \
                                parameters, STN_MAP_VALUE, map)                                    \
    STN_REDUCE_TABLE(name, #map, STN_REDUCE_WITH_own, "by " #combine "; " #finalise "; " #identity,\
                     STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name))                                \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, STN_OPERATION_own)
/* clang-format on */

#endif
