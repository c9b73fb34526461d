/* Static variables in the text of a body. The headers refuse them as far as compilers can see them
 * (steno/detail/kernel_body.h); this is the exact rule. */
#include "map/launch.h"

#include <string.h>

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The end of a comment, a string or a character that begins here, or NULL. */
static const char *skip_quoted(const char *text)
{
    if (text[0] == '/' && text[1] == '/')
        return text + strcspn(text, "\n");
    if (text[0] == '/' && text[1] == '*') {
        const char *const end = strstr(text + 2, "*/");
        return end ? end + 2 : text + strlen(text);
    }
    if (text[0] != '"' && text[0] != '\'')
        return NULL;
    const char *at = text + 1;
    while (*at && *at != *text)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* A declaration after `static`, up to its initial value or its end, is that of a constant if const
 * stands among its words: before `static`, or after the last *. */
int stn_body_has_variable(const char *text)
{
    int declares = 0, is_const = 0, was_const = 0;
    const char *at = strstr(text, "static") ? text : "";
    while (*at) {
        const char *const end = skip_quoted(at);
        size_t length = 1;
        if (end) {
            at = end;
            continue;
        }
        while (is_word(at[0]) && is_word(at[length]))
            length++;
        if (declares && strchr(";={,", *at)) {
            if (!is_const)
                return 1;
            declares = 0;
        }
        if (*at == '*')
            is_const = 0;
        if (length == 6 && strncmp(at, "static", 6) == 0)
            declares = 1, is_const = was_const;
        if (!strchr(" \t\r\n", *at))
            was_const = length == 5 && strncmp(at, "const", 5) == 0;
        is_const |= was_const;
        at += length;
    }
    return declares && !is_const;
}
