/* What STN_MAP and its variants expand to. */
#ifndef STENO_KERNEL_DEFINE_H
#define STENO_KERNEL_DEFINE_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/kernel_parts.h"

/* clang-format off */
#define STN_MAP_CHOICE(name, parameters, DEFINE)                                                   \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FORM_, parameters), DEFINE, STN_MAP_ERROR))
#define STN_MAP_OF_REALS(name, parameters, text, ...)                                              \
    STN_CHECK_BODY(name, text)                                                                     \
    STN_KERNEL_DESCRIBE_OF(name, f64, parameters)                                                  \
    STN_KERNEL_SET_CONVERTS(name, STN_KERNEL_TEXT_CONVERTS(STN_KERNEL_TEXT_OF(__VA_ARGS__)))       \
    STN_KERNEL_HEAD(name, f64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, f64, parameters)                                                         \
    STN_KERNEL_HEAD(name, f32, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, f32, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, text, f64, STN_KERNEL_CHOSEN(name, f64),                   \
                      STN_KERNEL_CHOSEN(name, f32), 0, 0, 0)

#define STN_MAP_OF_INTEGERS(name, parameters, text, ...)                                           \
    STN_CHECK_BODY(name, text)                                                                     \
    STN_KERNEL_DESCRIBE_OF(name, i64, parameters)                                                  \
    STN_KERNEL_SET_CONVERTS(name, STN_KERNEL_TEXT_CONVERTS(STN_KERNEL_TEXT_OF(__VA_ARGS__)))       \
    STN_KERNEL_HEAD(name, i64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, i64, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, text, i64, 0, 0,                                           \
                      STN_KERNEL_CHOSEN(name, i64), 0, 0)

#define STN_MAP_OF_COMPLEX(name, parameters, text, ...)                                            \
    STN_CHECK_BODY(name, text)                                                                     \
    STN_KERNEL_DESCRIBE_OF(name, c128, parameters)                                                 \
    STN_KERNEL_SET_CONVERTS(name, STN_KERNEL_TEXT_CONVERTS(STN_KERNEL_TEXT_OF(__VA_ARGS__)))       \
    STN_KERNEL_HEAD(name, c128, parameters)                                                        \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, c128, parameters)                                                        \
    STN_KERNEL_HEAD(name, c64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, c64, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, text, c128, 0, 0, 0,                                       \
                      STN_KERNEL_CHOSEN(name, c128),                                               \
                      STN_KERNEL_CHOSEN(name, c64))

/* One error, and functions that take any arguments, so that calls are no further errors. */
#define STN_MAP_ERROR(name, parameters, ...)                                                       \
    STN_EXPLAIN_PARAMETERS(STN_FORM_, name, parameters)                                            \
    STN_ANY_KERNEL(name)
/* clang-format on */

#endif
