/* What is wrong with the text of a body, found when the program is compiled: that there is none,
 * and variables that keep their value from one element to the next. Elements are calculated in no
 * particular order, by several threads, and on devices, so that only constants may be static.
 *
 * The first launch of a kernel looks again (src/map/launch.c), because the C compilers' part of
 * this is incomplete: gcc looks at the text as far as its string functions are constant
 * expressions, and clang, which knows no such functions, warns where functions that are extern
 * inline have such variables (STN_KERNEL_BODY). */
#ifndef STENO_KERNEL_BODY_H
#define STENO_KERNEL_BODY_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/accessor/parts.h"

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

#if defined(__cplusplus)
extern "C++" {
constexpr bool stn_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/* Does the text begin with this word, and does the word end there? */
constexpr bool stn_has_word(const char *text, const char *word)
{
    return *word == 0 ? !stn_is_word(*text) : *text == *word && stn_has_word(text + 1, word + 1);
}
/* Is the variable const that is declared from here to its = or ;? What a pointer points to is not
 * the variable. */
constexpr bool stn_is_const(const char *text, bool is)
{
    return *text == 0 || *text == ';' || *text == '=' || *text == '{' || *text == ',' ? is
           : *text == '*'                                              ? stn_is_const(text + 1, false)
           : !stn_is_word(text[-1]) && stn_has_word(text, "const") ? stn_is_const(text + 5, true)
                                                                   : stn_is_const(text + 1, is);
}
constexpr bool stn_is_mutable(const char *text, size_t at)
{
    return (at == 0 || !stn_is_word(text[at - 1])) && stn_has_word(text + at, "static") &&
           !stn_is_const(text + at + 6, at >= 6 && stn_has_word(text + at - 6, "const"));
}
/* By halves: recursion is limited. */
constexpr bool stn_has_mutable(const char *text, size_t begin, size_t end)
{
    return end - begin == 1 ? stn_is_mutable(text, begin)
                            : stn_has_mutable(text, begin, begin + (end - begin) / 2) ||
                                  stn_has_mutable(text, begin + (end - begin) / 2, end);
}
}
#    define STN_HAS_MUTABLE(text) stn_has_mutable(text, 0, sizeof(text))
#elif defined(__clang__)
#    define STN_HAS_MUTABLE(text) 0
#else
/* The first two places where a declaration begins with the word, and the first ones directly after
 * another statement. Constants are appended, so that each of these is found. A declaration is that of
 * a variable if the next const is after its end. Bodies with a "const static" are left to the launch. */
#    define STN_HAS_MUTABLE(text)                                                                  \
        (!__builtin_strstr(text, "const static ") &&                                               \
         (STN_IS_MUTABLE(STN_STATIC(" " text, " static ")) ||                                      \
          STN_IS_MUTABLE(1 + __builtin_strstr(STN_STATIC(" " text, " static "), " static ")) ||    \
          STN_IS_MUTABLE(STN_STATIC(text, ";static ")) ||                                          \
          STN_IS_MUTABLE(STN_STATIC(text, "{static "))))
#    define STN_STATIC(text, word)                                                                 \
        (1 + __builtin_strstr(text word "const ;" word "const ;", word))
#    define STN_IS_MUTABLE(place)                                                                  \
        (__builtin_strlen(__builtin_strstr(place, "const")) <                                      \
         __builtin_strlen(place) - __builtin_strcspn(place, ";={"))
#endif
/* clang-format on */

#endif
