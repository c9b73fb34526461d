/* Looking for words in the text of a kernel. */
#include "launch/text.h"

#include <ctype.h>
#include <string.h>

/* Calls that neither use indices nor decide anything. */
static const char *const plain_calls[] = {
    "R",   "STN_R", "sqrt", "fabs", "fma",    "floor",  "ceil",         "exp",
    "log", "sin",   "cos",  "pow",  "real_t", "STN_AT", "STN_INDEX_AT", "STN_EXTENT_OF"};
static const char *const types[] = {"real_t", "int64_t", "uint64_t", "int", "double", "float"};
static const char *const qualifier = "const";
static const char *const branches[] = {"if", "return", "switch", "while", "for", "goto", "do"};

static int is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int is_one_of(const char *word, size_t length, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strlen(words[k]) == length && strncmp(words[k], word, length) == 0)
            return 1;
    return 0;
}

#define IS_ONE_OF(word, length, words) is_one_of(word, length, words, sizeof words / sizeof *words)

/* Is the word before this place of the text a type? */
static int follows_type(const char *text, const char *at)
{
    const char *end = at;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    const char *begin = end;
    while (begin > text && is_part_of_word(begin[-1]))
        begin--;
    return end < at && IS_ONE_OF(begin, (size_t)(end - begin), types);
}

/* A parameter, a variable of the kernel's own or a member of one; and not perhaps a macro. */
static int is_variable(const stn_kernel *kernel, const char *word, size_t length)
{
    if (word > kernel->text && word[-1] == '.')
        return 1;
    for (int at = 0; at < kernel->count; at++)
        if (is_one_of(word, length, &kernel->parameters[at].name, 1))
            return 1;
    for (const char *at = kernel->text; *at; at++)
        if (strncmp(at, word, length) == 0 && !is_part_of_word(at[length]) &&
            follows_type(kernel->text, at))
            return 1;
    return 0;
}

static unsigned traits_of_word(const stn_kernel *kernel, const char *word, size_t length)
{
    const int is_call = word[length + strspn(word + length, " \t\n")] == '(';
    if (length == 1 && strchr("ijkl", *word))
        return STN_TEXT_INDICES;
    if (IS_ONE_OF(word, length, branches))
        return STN_TEXT_BRANCHES;
    if (is_call && IS_ONE_OF(word, length, plain_calls))
        return 0;
    if (!is_call && (IS_ONE_OF(word, length, types) || is_one_of(word, length, &qualifier, 1) ||
                     is_variable(kernel, word, length)))
        return 0;
    return STN_TEXT_INDICES | STN_TEXT_BRANCHES; /* perhaps a macro */
}

static unsigned read_text(const stn_kernel *kernel)
{
    unsigned traits = STN_TEXT_READ;
    for (const char *text = kernel->text; *text;) {
        const char *word = text;
        while (is_part_of_word(*text))
            text++;
        if (text == word) {
            traits |=
                *text == '?' || *text == '&' || *text == '|' ? (unsigned)STN_TEXT_BRANCHES : 0;
            text++;
        } else if (!isdigit((unsigned char)*word)) {
            traits |= traits_of_word(kernel, word, (size_t)(text - word));
        }
    }
    return traits;
}

unsigned stn_kernel_traits(stn_kernel *kernel)
{
    unsigned traits = __atomic_load_n(&kernel->traits, __ATOMIC_RELAXED);
    if (!traits) {
        traits =
            kernel->text ? read_text(kernel) : STN_TEXT_READ | STN_TEXT_INDICES | STN_TEXT_BRANCHES;
        __atomic_store_n(&kernel->traits, traits, __ATOMIC_RELAXED);
    }
    return traits;
}

/* Behind ".re" of a complex number, and white space. */
static const char *behind_member(const char *text)
{
    text += strspn(text, " \t\n");
    if (*text == '.')
        for (text++; is_part_of_word(*text);)
            text++;
    return text + strspn(text, " \t\n");
}

int stn_text_assigns(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
        const char *behind = behind_member(at + length);
        const int begins = at == text || !(is_part_of_word(at[-1]) || at[-1] == '.');
        behind += *behind != '=' && *behind != '\0' && strchr("+-*/%^", *behind) != NULL;
        if (begins && behind[0] == '=' && behind[1] != '=')
            return 1;
    }
    return 0;
}

/* The field that a call of this macro names, when it is `name`: what stands behind it. Else NULL.
 */
static const char *behind_field(const char *call, const char *macro, const char *name)
{
    const size_t length = strlen(name);
    const char *field = call + strlen(macro);
    if (*field != '(' && !isspace((unsigned char)*field)) /* a longer word */
        return NULL;
    field += strspn(field, " \t\n(");
    return strncmp(field, name, length) == 0 && !is_part_of_word(field[length]) ? field + length
                                                                                : NULL;
}

/* Arguments up to the parenthesis that closes the call. */
static int count_arguments(const char *text)
{
    int count = 0, depth = 0;
    for (; *text && !(depth == 0 && *text == ')'); text++) {
        depth += (*text == '(') - (*text == ')');
        count += depth == 0 && *text == ',';
    }
    return count;
}

static int indexes_by(const char *text, const char *macro, const char *name, int arguments)
{
    for (const char *at = text ? strstr(text, macro) : NULL; at; at = strstr(at + 1, macro)) {
        const char *behind = behind_field(at, macro, name);
        if (behind && count_arguments(behind) != arguments)
            return 0;
    }
    return 1;
}

int stn_text_indexes(const char *text, const char *name, int count)
{
    return indexes_by(text, "STN_AT", name, count) &&
           indexes_by(text, "STN_INDEX_AT", name, count) &&
           indexes_by(text, "STN_PUT", name, count + 1);
}

int stn_text_puts(const char *text, const char *name)
{
    for (const char *at = text ? strstr(text, "STN_PUT") : NULL; at; at = strstr(at + 1, "STN_PUT"))
        if (behind_field(at, "STN_PUT", name))
            return 1;
    return 0;
}
