/* Checks of the text of a body at compile time: it must not be empty, and its static variables must
 * be const, because elements are computed in any order, by several threads and on devices.
 *
 * In C++, the scanner of kernel_static.h searches for static variables. In C, gcc uses built-in
 * string functions, which are constant expressions. clang has no such functions; it warns about
 * such variables in extern inline functions (STN_KERNEL_BODY). The first launch of a kernel runs
 * the scanner again (src/map/launch.c). Every correct body is accepted. */
#ifndef STENO_KERNEL_BODY_H
#define STENO_KERNEL_BODY_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/accessor/parts.h"
#ifdef __cplusplus
#    include "steno/detail/kernel_static.h"
#endif

/* clang-format off */
#define STN_CHECK_BODY(name, text)                                                                 \
    STN_CHECK_BEGIN                                                                                \
    STN_STATIC_ASSERT(sizeof(text) > 1, "steno: " #name ": the body is missing");                  \
    STN_STATIC_ASSERT(!STN_HAS_MUTABLE(text),                                                      \
                      "steno: " #name ": static variables of a body must be const");               \
    STN_CHECK_END
/* gcc evaluates constant expressions beyond those that C requires; texts may be long. */
#if defined(__clang__)
#    define STN_CHECK_BEGIN                                                                        \
        _Pragma("clang diagnostic push")                                                           \
        _Pragma("clang diagnostic ignored \"-Woverlength-strings\"")
#    define STN_CHECK_END _Pragma("clang diagnostic pop")
#else
#    define STN_CHECK_BEGIN                                                                        \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpedantic\"")            \
        _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"")
#    define STN_CHECK_END _Pragma("GCC diagnostic pop")
#endif

/* Compilers limit the number of steps. The first launch scans longer texts. */
#if defined(__cplusplus)
#    define STN_HAS_MUTABLE(text)                                                                  \
        (sizeof(text) <= STN_SCANNED_TEXT && stn_has_static_variable(text, sizeof(text)))
enum { STN_SCANNED_TEXT = 16384 };
#elif defined(__clang__)
#    define STN_HAS_MUTABLE(text) 0
#else
/* Examines the first statements that begin with `static`. Constant declarations are appended, so that
 * the search always succeeds. A declaration is one of a mutable variable if the next `const` follows its
 * end. Bodies with string literals are left to the launch. */
#    define STN_HAS_MUTABLE(text)                                                                  \
        (!__builtin_strchr(text, '"') &&                                                           \
         (STN_IS_MUTABLE(STN_STATIC(";" text, ";static ")) ||                                      \
          STN_IS_MUTABLE(STN_STATIC(text, "; static ")) ||                                         \
          STN_IS_MUTABLE(1 + __builtin_strstr(STN_STATIC(text, "; static "), "; static ")) ||      \
          STN_IS_MUTABLE(STN_STATIC(text, "{static ")) ||                                          \
          STN_IS_MUTABLE(STN_STATIC(text, "{ static ")) ||                                         \
          STN_IS_MUTABLE(STN_STATIC(text, "} static "))))
#    define STN_STATIC(text, word)                                                                 \
        (1 + __builtin_strstr(text word "const ;" word "const ;", word))
#    define STN_IS_MUTABLE(place)                                                                  \
        (__builtin_strlen(__builtin_strstr(place, "const")) <                                      \
         __builtin_strlen(place) - __builtin_strcspn(place, ";={"))
#endif
/* clang-format on */

#endif
