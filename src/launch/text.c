/* Looking for words in the text of a kernel. */
#include "launch/text.h"

#include <ctype.h>
#include <string.h>

/* Calls that neither use indices nor decide anything. */
static const char *const plain_calls[] = {"R",   "STN_R", "sqrt", "fabs", "fma", "floor", "ceil",
                                          "exp", "log",   "sin",  "cos",  "pow", "real_t"};
static const char *const branches[] = {"if", "return", "switch", "while", "for", "goto", "do"};

static int is_one_of(const char *word, size_t length, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strlen(words[k]) == length && strncmp(words[k], word, length) == 0)
            return 1;
    return 0;
}

static unsigned traits_of_word(const char *word, size_t length, int is_call)
{
    unsigned traits = 0;
    if (length == 1 && strchr("ijkl", *word))
        traits |= STN_TEXT_INDICES;
    if (is_one_of(word, length, branches, sizeof branches / sizeof *branches))
        return STN_TEXT_BRANCHES;
    if (is_call && !is_one_of(word, length, plain_calls, sizeof plain_calls / sizeof *plain_calls))
        traits |= STN_TEXT_INDICES | STN_TEXT_BRANCHES; /* perhaps a macro */
    return traits;
}

static unsigned read_text(const char *text)
{
    unsigned traits = STN_TEXT_READ;
    while (*text) {
        const char *word = text;
        while (isalnum((unsigned char)*text) || *text == '_')
            text++;
        if (text == word) {
            traits |=
                *text == '?' || *text == '&' || *text == '|' ? (unsigned)STN_TEXT_BRANCHES : 0;
            text++;
        } else if (!isdigit((unsigned char)*word)) {
            traits |=
                traits_of_word(word, (size_t)(text - word), text[strspn(text, " \t\n")] == '(');
        }
    }
    return traits;
}

unsigned stn_kernel_traits(stn_kernel *kernel)
{
    unsigned traits = __atomic_load_n(&kernel->traits, __ATOMIC_RELAXED);
    if (!traits) {
        traits = kernel->text ? read_text(kernel->text)
                              : STN_TEXT_READ | STN_TEXT_INDICES | STN_TEXT_BRANCHES;
        __atomic_store_n(&kernel->traits, traits, __ATOMIC_RELAXED);
    }
    return traits;
}

int stn_text_assigns(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
        const char *behind = at + length + strspn(at + length, " \t\n");
        const int begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        behind += *behind != '=' && *behind != '\0' && strchr("+-*/%^", *behind) != NULL;
        if (begins && behind[0] == '=' && behind[1] != '=')
            return 1;
    }
    return 0;
}
