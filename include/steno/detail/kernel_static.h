/* Static variables in the text of a body: a scanner that C++ programs run when they are compiled
 * and the library runs at the first launch. It skips string literals, character literals and
 * comments.
 *
 * The state is an integer, because constexpr functions of C++11 are one expression, and because the
 * text is halved recursively: compilers limit the depth. */
#ifndef STENO_KERNEL_STATIC_H
#define STENO_KERNEL_STATIC_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#    define STN_SCANNER constexpr
extern "C++" {
#else
#    define STN_SCANNER static inline
#endif

enum {
    STN_TEXT_FOUND = 1,  /* a static variable that is not const */
    STN_TEXT_SKIPS = 2,  /* the next character is skipped */
    STN_TEXT_STATIC = 4, /* within a declaration after `static` */
    STN_TEXT_CONST = 8,  /* `const` occurred in this declaration, and no * after it */
    STN_TEXT_CONSTEXPR = 16,
    STN_TEXT_CLASS = 32, /* the next brace is that of a class */
    STN_TEXT_DECLARATION = STN_TEXT_STATIC | STN_TEXT_CONST | STN_TEXT_CONSTEXPR | STN_TEXT_CLASS,
    STN_TEXT_QUOTE = 8,     /* shift: the character that began a literal or a comment, or 0 */
    STN_TEXT_BRACES = 16,   /* shift: one bit per open brace, 1 for classes, the innermost lowest */
    STN_TEXT_BELOW = 0xffff /* the bits below the braces */
};

STN_SCANNER int stn_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/* Does the text begin with this word, and does the word end there? */
STN_SCANNER int stn_has_word(const char *text, const char *word)
{
    return *word == 0 ? !stn_is_letter(*text) : *text == *word && stn_has_word(text + 1, word + 1);
}
/* Is this ' between the digits of a number, as in 10'000? */
STN_SCANNER int stn_is_separator(const char *text, size_t at)
{
    return at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9' && stn_is_letter(text[at + 1]) &&
           !(at > 1 && text[at - 2] == 'u');
}
/* The character that begins a literal or a comment here (* for comments in slashes and asterisks),
 * or 0. */
STN_SCANNER char stn_quote_of(const char *text, size_t at)
{
    return text[at] == '"' || (text[at] == '\'' && !stn_is_separator(text, at)) ? text[at]
           : text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*')    ? text[at + 1]
                                                                                : (char)0;
}
STN_SCANNER uint64_t stn_text_quote(uint64_t state, char quote)
{
    return state | (uint64_t)quote << STN_TEXT_QUOTE |
           (quote == '/' || quote == '*' ? (uint64_t)STN_TEXT_SKIPS : 0);
}
STN_SCANNER uint64_t stn_text_quoted(uint64_t state, const char *text, char quote)
{
    return (quote == '"' || quote == '\'') && *text == '\\' ? state | STN_TEXT_SKIPS
           : quote == '*' && *text == '*' && text[1] == '/'
               ? (state ^ (uint64_t)quote << STN_TEXT_QUOTE) | STN_TEXT_SKIPS
           : quote != '*' && *text == (quote == '/' ? '\n' : quote)
               ? state ^ (uint64_t)quote << STN_TEXT_QUOTE
               : state;
}
/* In a class, `static` begins a member function; in [], it is the extent of an array parameter. */
STN_SCANNER uint64_t stn_text_word(uint64_t state, const char *text, size_t at)
{
    return stn_has_word(text + at, "static")
               ? state | (state >> STN_TEXT_BRACES & 1 || (at > 0 && text[at - 1] == '[')
                              ? 0
                              : (uint64_t)STN_TEXT_STATIC)
           : stn_has_word(text + at, "const")     ? state | STN_TEXT_CONST
           : stn_has_word(text + at, "constexpr") ? state | STN_TEXT_CONSTEXPR
           : stn_has_word(text + at, "struct") || stn_has_word(text + at, "class") ||
                   stn_has_word(text + at, "union")
               ? state | STN_TEXT_CLASS
               : state;
}
/* The end of a declaration, or the beginning of its initial value. */
STN_SCANNER uint64_t stn_text_end(uint64_t state)
{
    return (state & ~(uint64_t)STN_TEXT_DECLARATION) |
           ((state & STN_TEXT_STATIC) && !(state & (STN_TEXT_CONST | STN_TEXT_CONSTEXPR))
                ? (uint64_t)STN_TEXT_FOUND
                : 0);
}
STN_SCANNER uint64_t stn_text_braces(uint64_t state, uint64_t braces)
{
    return (stn_text_end(state) & STN_TEXT_BELOW) | braces << STN_TEXT_BRACES;
}
STN_SCANNER uint64_t stn_text_sign(uint64_t state, char sign)
{
    return sign == ';' || sign == '=' || sign == 0 ? stn_text_end(state)
           : sign == '{'
               ? stn_text_braces(state, state >> STN_TEXT_BRACES << 1 | !!(state & STN_TEXT_CLASS))
           : sign == '}' ? stn_text_braces(state, state >> STN_TEXT_BRACES >> 1)
           : sign == '(' ? state & ~(uint64_t)STN_TEXT_CLASS
           : sign == '*' ? state & ~(uint64_t)STN_TEXT_CONST
                         : state;
}
/* The state after the character text[at]. The 0 at the end is one of them. */
STN_SCANNER uint64_t stn_text_step(uint64_t state, const char *text, size_t at)
{
    return state & STN_TEXT_SKIPS ? state ^ STN_TEXT_SKIPS
           : state >> STN_TEXT_QUOTE & 0xff
               ? stn_text_quoted(state, text + at, (char)(state >> STN_TEXT_QUOTE & 0xff))
           : stn_is_letter(text[at])
               ? (at > 0 && stn_is_letter(text[at - 1]) ? state : stn_text_word(state, text, at))
           : stn_quote_of(text, at) ? stn_text_quote(state, stn_quote_of(text, at))
                                    : stn_text_sign(state, text[at]);
}
STN_SCANNER uint64_t stn_text_scan(uint64_t state, const char *text, size_t begin, size_t end)
{
    return end - begin == 1
               ? stn_text_step(state, text, begin)
               : stn_text_scan(stn_text_scan(state, text, begin, begin + (end - begin) / 2), text,
                               begin + (end - begin) / 2, end);
}
/* `length` includes the 0 at the end. */
STN_SCANNER int stn_has_static_variable(const char *text, size_t length)
{
    return (int)(stn_text_scan(0, text, 0, length) & STN_TEXT_FOUND);
}

#ifdef __cplusplus
}
#endif

#endif
