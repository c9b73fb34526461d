/* Looking for words in the text of a kernel, between its comments. */
#include "map/text.h"

#include <ctype.h>
#include <string.h>

#include "steno/kernel_math.h"

/* Calls that neither use indices nor decide anything. */
#define NAME(name)        #name,
#define NAMED(name, type) #name,
static const char *const plain_calls[] = {
    "R",
    "STN_R",
    "real_t",
    "STN_AT",
    "STN_INDEX_AT",
    "STN_EXTENT_OF",
    STN_MATH_OF_1(NAME) STN_MATH_OF_2(NAME) STN_MATH_OF_3(NAME) STN_MATH_BY_INTEGER(NAMED)
        STN_MATH_TO_INTEGER(NAMED) STN_MATH_OTHERS(NAME) STN_MATH_MACROS_OF_1(NAME)
            STN_MATH_MACROS_OF_2(NAME)};
static const char *const constants[] = {"INFINITY", "NAN", "HUGE_VAL"};
static const char *const types[] = {"real_t", "int64_t", "uint64_t", "int", "double", "float"};
static const char *const qualifier = "const";
static const char *const branches[] = {"if", "return", "switch", "while", "for", "goto", "do"};

static int is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the comment that begins here, if one does. */
static const char *behind_comment(const char *text)
{
    const char *end = NULL;
    if (strncmp(text, "//", 2) == 0)
        end = strchr(text, '\n');
    else if (strncmp(text, "/*", 2) == 0)
        end = strstr(text + 2, "*/");
    else
        return text;
    return !end ? text + strlen(text) : *end == '*' ? end + 2 : end;
}

/* Behind white space and comments. */
static const char *behind_blank(const char *text)
{
    for (const char *from = NULL; from != text;) {
        from = text;
        text = behind_comment(text + strspn(text, " \t\r\n"));
    }
    return text;
}

/* The next place of this word; NULL: there is none. */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    while (text && *text) {
        const char *const begin = text;
        while (is_part_of_word(*text))
            text++;
        if ((size_t)(text - begin) == length && memcmp(begin, word, length) == 0)
            return begin;
        if (text == begin)
            text = behind_comment(text) > text ? behind_comment(text) : text + 1;
    }
    return NULL;
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
    const int is_call = *behind_blank(word + length) == '(';
    if (length == 1 && strchr("ijkl", *word))
        return STN_TEXT_INDICES;
    if (IS_ONE_OF(word, length, branches))
        return STN_TEXT_BRANCHES;
    if (is_call && IS_ONE_OF(word, length, plain_calls))
        return 0;
    if (!is_call && (IS_ONE_OF(word, length, types) || IS_ONE_OF(word, length, constants) ||
                     is_one_of(word, length, &qualifier, 1) || is_variable(kernel, word, length)))
        return 0;
    return STN_TEXT_INDICES | STN_TEXT_BRANCHES | STN_TEXT_HIDES; /* perhaps a macro */
}

/* What is no word. Words within quotes are none, and directives and lines that go on (of a kernel
 * in a file) are not followed. */
static unsigned traits_of_sign(char sign)
{
    if (sign == '?' || sign == '&' || sign == '|')
        return STN_TEXT_BRANCHES;
    return sign != '\0' && strchr("\"'\\#", sign)
               ? STN_TEXT_INDICES | STN_TEXT_BRANCHES | STN_TEXT_HIDES
               : 0;
}

static unsigned read_text(const stn_kernel *kernel)
{
    unsigned traits = STN_TEXT_READ;
    for (const char *text = kernel->text; *text;) {
        const char *word = text = behind_comment(text);
        while (is_part_of_word(*text))
            text++;
        if (text == word) {
            traits |= traits_of_sign(*text);
            text += *text != '\0';
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
        traits = kernel->text
                     ? read_text(kernel)
                     : STN_TEXT_READ | STN_TEXT_INDICES | STN_TEXT_BRANCHES | STN_TEXT_HIDES;
        if (kernel->probe)
            traits |= kernel->probe() * STN_TEXT_BREAKS;
        __atomic_store_n(&kernel->traits, traits, __ATOMIC_RELAXED);
    }
    return traits;
}

/* Behind ".re" of a complex number, and white space. */
static const char *behind_member(const char *text)
{
    text = behind_blank(text);
    if (*text == '.')
        for (text = behind_blank(text + 1); is_part_of_word(*text);)
            text++;
    return behind_blank(text);
}

/* The word or sign that stands next, and what is behind it; of no length at the end. */
static const char *take_token(const char **text, size_t *length)
{
    const char *const token = behind_blank(*text);
    *length = 0;
    while (is_part_of_word(token[*length]))
        ++*length;
    *length += *length == 0 && *token != '\0';
    *text = token + *length;
    return token;
}

/* Is this name that of a variable of the text's own, or of its functions' parameters? Behind a type
 * and behind commas, up to the parenthesis or semicolon that ends it, stand declared names. */
static int declares(const char *text, const char *name)
{
    size_t length;
    int depth = -1, expects = 0; /* depth -1: not behind a type */
    for (const char *token = take_token(&text, &length); length;
         token = take_token(&text, &length)) {
        if (IS_ONE_OF(token, length, types) || is_one_of(token, length, &qualifier, 1)) {
            depth = depth < 0 ? 0 : depth;
            expects = 1;
        } else if (*token == ';' || (depth == 0 && *token == ')')) {
            depth = -1;
            expects = 0;
        } else if (depth >= 0 && is_part_of_word(*token)) {
            if (expects && is_one_of(token, length, &name, 1))
                return 1;
            expects = 0;
        } else if (depth >= 0) {
            expects = (expects && strchr("*(", *token)) || (depth == 0 && *token == ',');
            depth += (strchr("([{", *token) != NULL) - (strchr(")]}", *token) != NULL);
        }
    }
    return 0;
}

int stn_text_assigns(const char *text, const char *name)
{
    const char *const whole = text;
    size_t length;
    char before = '\0';
    for (const char *token = take_token(&text, &length); length;
         token = take_token(&text, &length)) {
        const char *behind = behind_member(token + length);
        behind += *behind != '=' && *behind != '\0' && strchr("+-*/%^", *behind) != NULL;
        if (before != '.' && is_one_of(token, length, &name, 1) && behind[0] == '=' &&
            behind[1] != '=')
            return !declares(whole, name);
        before = *token;
    }
    return 0;
}

/* The field that a call of this macro names, when it is `name`: what stands behind it. Else NULL.
 */
static const char *behind_field(const char *call, const char *macro, const char *name)
{
    const size_t length = strlen(name);
    const char *field = behind_blank(call + strlen(macro));
    while (*field == '(')
        field = behind_blank(field + 1);
    return strncmp(field, name, length) == 0 && !is_part_of_word(field[length]) ? field + length
                                                                                : NULL;
}

/* Arguments up to the parenthesis that closes the call. */
static int count_arguments(const char *text)
{
    int count = 0, depth = 0;
    for (text = behind_blank(text); *text && !(depth == 0 && *text == ')');
         text = behind_blank(text + 1)) {
        depth += (*text == '(') - (*text == ')');
        count += depth == 0 && *text == ',';
    }
    return count;
}

static int indexes_by(const char *text, const char *macro, const char *name, int arguments)
{
    for (const char *at = find_word(text, macro); at; at = find_word(at + 1, macro)) {
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
    for (const char *at = find_word(text, "STN_PUT"); at; at = find_word(at + 1, "STN_PUT"))
        if (behind_field(at, "STN_PUT", name))
            return 1;
    return 0;
}
