/* A scanner for static variables in the text of a body. C++ programs run it at compile time, and
 * the library at the first launch. It skips string literals, character literals and comments.
 *
 * The state is an integer, because constexpr functions of C++11 consist of one expression. The text
 * is halved recursively, because compilers limit the depth of recursion. */
#ifndef STENO_KERNEL_STATIC_H
#define STENO_KERNEL_STATIC_H

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

STN_SCANNER int stn_is_letter(char c_)
{
    return (c_ >= 'a' && c_ <= 'z') || (c_ >= 'A' && c_ <= 'Z') || (c_ >= '0' && c_ <= '9') ||
           c_ == '_';
}
/* Does the text begin with this complete word? */
STN_SCANNER int stn_has_word(const char *text_, const char *word_)
{
    return *word_ == 0 ? !stn_is_letter(*text_)
                       : *text_ == *word_ && stn_has_word(text_ + 1, word_ + 1);
}
/* Is this ' a digit separator, as in 10'000? */
STN_SCANNER int stn_is_separator(const char *text_, size_t at_)
{
    return at_ > 0 && text_[at_ - 1] >= '0' && text_[at_ - 1] <= '9' &&
           stn_is_letter(text_[at_ + 1]) && !(at_ > 1 && text_[at_ - 2] == 'u');
}
/* The character that begins a literal or a comment here (* for block comments), or 0. */
STN_SCANNER char stn_quote_of(const char *text_, size_t at_)
{
    return text_[at_] == '"' || (text_[at_] == '\'' && !stn_is_separator(text_, at_)) ? text_[at_]
           : text_[at_] == '/' && (text_[at_ + 1] == '/' || text_[at_ + 1] == '*') ? text_[at_ + 1]
                                                                                   : (char)0;
}
STN_SCANNER uint64_t stn_text_quote(uint64_t state_, char quote_)
{
    return state_ | (uint64_t)quote_ << STN_TEXT_QUOTE |
           (quote_ == '/' || quote_ == '*' ? (uint64_t)STN_TEXT_SKIPS : 0);
}
STN_SCANNER uint64_t stn_text_quoted(uint64_t state_, const char *text_, char quote_)
{
    return (quote_ == '"' || quote_ == '\'') && *text_ == '\\' ? state_ | STN_TEXT_SKIPS
           : quote_ == '*' && *text_ == '*' && text_[1] == '/'
               ? (state_ ^ (uint64_t)quote_ << STN_TEXT_QUOTE) | STN_TEXT_SKIPS
           : quote_ != '*' && *text_ == (quote_ == '/' ? '\n' : quote_)
               ? state_ ^ (uint64_t)quote_ << STN_TEXT_QUOTE
               : state_;
}
/* In a class, `static` begins a member function; in [], it is the extent of an array parameter. */
STN_SCANNER uint64_t stn_text_word(uint64_t state_, const char *text_, size_t at_)
{
    return stn_has_word(text_ + at_, "static")
               ? state_ | (state_ >> STN_TEXT_BRACES & 1 || (at_ > 0 && text_[at_ - 1] == '[')
                               ? 0
                               : (uint64_t)STN_TEXT_STATIC)
           : stn_has_word(text_ + at_, "const")     ? state_ | STN_TEXT_CONST
           : stn_has_word(text_ + at_, "constexpr") ? state_ | STN_TEXT_CONSTEXPR
           : stn_has_word(text_ + at_, "struct") || stn_has_word(text_ + at_, "class") ||
                   stn_has_word(text_ + at_, "union")
               ? state_ | STN_TEXT_CLASS
               : state_;
}
/* The end of a declaration, or the beginning of its initial value. */
STN_SCANNER uint64_t stn_text_end(uint64_t state_)
{
    return (state_ & ~(uint64_t)STN_TEXT_DECLARATION) |
           ((state_ & STN_TEXT_STATIC) && !(state_ & (STN_TEXT_CONST | STN_TEXT_CONSTEXPR))
                ? (uint64_t)STN_TEXT_FOUND
                : 0);
}
STN_SCANNER uint64_t stn_text_braces(uint64_t state_, uint64_t braces_)
{
    return (stn_text_end(state_) & STN_TEXT_BELOW) | braces_ << STN_TEXT_BRACES;
}
STN_SCANNER uint64_t stn_text_sign(uint64_t state_, char sign_)
{
    return sign_ == ';' || sign_ == '=' || sign_ == 0 ? stn_text_end(state_)
           : sign_ == '{' ? stn_text_braces(state_, state_ >> STN_TEXT_BRACES << 1 |
                                                        !!(state_ & STN_TEXT_CLASS))
           : sign_ == '}' ? stn_text_braces(state_, state_ >> STN_TEXT_BRACES >> 1)
           : sign_ == '(' ? state_ & ~(uint64_t)STN_TEXT_CLASS
           : sign_ == '*' ? state_ & ~(uint64_t)STN_TEXT_CONST
                          : state_;
}
/* The state after the character text[at], including the 0 at the end. */
STN_SCANNER uint64_t stn_text_step(uint64_t state_, const char *text_, size_t at_)
{
    return state_ & STN_TEXT_SKIPS ? state_ ^ STN_TEXT_SKIPS
           : state_ >> STN_TEXT_QUOTE & 0xff
               ? stn_text_quoted(state_, text_ + at_, (char)(state_ >> STN_TEXT_QUOTE & 0xff))
           : stn_is_letter(text_[at_])
               ? (at_ > 0 && stn_is_letter(text_[at_ - 1]) ? state_
                                                           : stn_text_word(state_, text_, at_))
           : stn_quote_of(text_, at_) ? stn_text_quote(state_, stn_quote_of(text_, at_))
                                      : stn_text_sign(state_, text_[at_]);
}
STN_SCANNER uint64_t stn_text_scan(uint64_t state_, const char *text_, size_t begin_, size_t end_)
{
    return end_ - begin_ == 1
               ? stn_text_step(state_, text_, begin_)
               : stn_text_scan(stn_text_scan(state_, text_, begin_, begin_ + (end_ - begin_) / 2),
                               text_, begin_ + (end_ - begin_) / 2, end_);
}
/* `length` includes the 0 at the end. */
STN_SCANNER int stn_has_static_variable(const char *text_, size_t length_)
{
    return (int)(stn_text_scan(0, text_, 0, length_) & STN_TEXT_FOUND);
}

#ifdef __cplusplus
}
#endif

#endif
