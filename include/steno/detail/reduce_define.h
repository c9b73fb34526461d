/* What the macros of reduce.h expand to. */
#ifndef STENO_REDUCE_DEFINE_H
#define STENO_REDUCE_DEFINE_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/kernel_list.h"
#include "steno/detail/reduce_parts.h"

/* clang-format off */

/* Kind of an expression by operation, and the operations that integers and complex numbers lack. */
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

#define STN_REDUCE_OWN_CASE(...)                                                                   \
    STN_CHOOSE(STN_ARE_GIVEN(__VA_ARGS__), STN_REDUCE_BY_OWN, STN_REDUCE_LACKS)
#define STN_REDUCE_LACKS(name, ...)                                                                \
    STN_REFUSE(name, "steno: " #name ": map, combine, finalize or identity is empty")              \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_BY_OWN(name, parameters, CLASS, map, combine, finalize, identity)               \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, STN_MAP_VALUE, map)                       \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_OWN, name, combine, finalize, identity)                  \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, STN_OPERATION_own, STN_OWN_OPERATION,       \
                                parameters, STN_MAP_VALUE, map)                                    \
    STN_REDUCE_TABLE(name, #map, STN_REDUCE_WITH_own, "by " #combine "; " #finalize "; " #identity,\
                     STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name))                                \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, STN_OPERATION_own)
/* clang-format on */

#endif
