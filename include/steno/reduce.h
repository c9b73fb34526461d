/* Reductions written once: what is calculated of each element, and how the results become one. Run
 * over views of any format, layout and scale, on any executor.
 *
 *     STN_REDUCE(total, sum, (in(x)), x)
 *     STN_REDUCE(dot, products, (in(x), in(y)), x, y)
 *     STN_REDUCE_BY(longest, (in(x), in(y)), x * x + y * y, a > b ? a : b, sqrt(a), 0)
 *     total_reduce(exec, STN_F64, &sum, &x);
 */
#ifndef STENO_REDUCE_H
#define STENO_REDUCE_H

#include "steno/reduce_parts.h"

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

#endif
