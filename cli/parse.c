/* Parsing of command line arguments: numbers, lists, options. */
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { MAX_WORD = 64 };

static double factor_of(const char *suffix)
{
    if (suffix[0] != '\0' && suffix[1] != '\0')
        return 0.0;
    switch (suffix[0]) {
    case '\0':
        return 1.0;
    case 'k':
    case 'K':
        return 0x1p10;
    case 'M':
        return 0x1p20;
    case 'G':
        return 0x1p30;
    default:
        return 0.0;
    }
}

stn_status parse_count(const char *what, const char *text, int64_t maximum, int64_t *count)
{
    char *end;
    const int digit = *text >= '0' && *text <= '9';
    const double number = digit ? strtod(text, &end) : 0.0;
    const double factor = digit && !strpbrk(text, "xXpP") ? factor_of(end) : 0.0;
    const double value = number * factor;
    if (factor == 0.0 || value == 0.0 || value != floor(value))
        return stn_fail(STN_ERR_ARGUMENT, "%s '%s' must be a positive integer", what, text);
    if (!(value <= (double)maximum))
        return stn_fail(STN_ERR_RANGE, "%s %s is too large: at most %g", what, text,
                        (double)maximum);
    *count = (int64_t)value;
    return STN_OK;
}

/* Copies [text, end) as a string; a word that is too long is truncated in a recognizable way. */
static void copy_word(char *word, const char *text, const char *end)
{
    const size_t length = (size_t)(end - text);
    const size_t copied = length < MAX_WORD ? length : MAX_WORD - 1;
    memcpy(word, text, copied);
    word[copied] = '\0';
}

stn_status parse_size(const char *text, int64_t *count, int64_t *rows, int64_t *columns)
{
    const char *x = strchr(text, 'x');
    char word[MAX_WORD];
    *rows = *columns = 0;
    if (!x)
        return parse_count("size", text, MAX_SIZE, count);
    copy_word(word, text, x);
    if (!word[0] || !x[1])
        return stn_fail(STN_ERR_ARGUMENT, "size '%s' is not of the form ROWSxCOLUMNS", text);
    STN_TRY(parse_count("number of rows", word, INT32_MAX, rows));
    STN_TRY(parse_count("number of columns", x + 1, INT32_MAX, columns));
    *count = *rows * *columns;
    if (*count > MAX_SIZE)
        return stn_fail(STN_ERR_RANGE, "size %s is too large: at most %g elements", text,
                        (double)MAX_SIZE);
    return STN_OK;
}

stn_status parse_list(const char *what, const char *text,
                      stn_status (*take)(const char *word, void *context), void *context)
{
    for (const char *end;; text = end + 1) {
        char word[MAX_WORD];
        end = strchr(text, ',');
        if (!end)
            end = text + strlen(text);
        if (end == text)
            return stn_fail(STN_ERR_ARGUMENT, "an empty %s in the list", what);
        copy_word(word, text, end);
        STN_TRY(take(word, context));
        if (*end == '\0')
            return STN_OK;
    }
}

int next_option(int argc, char **argv, const struct option *options)
{
    char letters[16] = ":h"; /* and letters of options with a value */
    size_t length = 2;
    for (const struct option *known = options; known->name && length + 2 < sizeof letters; known++)
        if (known->has_arg && known->val < FIRST_LONG_OPTION) {
            letters[length++] = (char)known->val;
            letters[length++] = ':';
        }
    opterr = 0;
    const int option = getopt_long(argc, argv, letters, options, NULL);
    if (option == ':')
        stn_fail(STN_ERR_ARGUMENT, "option '%s' requires a value; see steno %s --help",
                 argv[optind - 1], argv[0]);
    else if (option == '?' && optopt > 0 && optopt < FIRST_LONG_OPTION)
        stn_fail(STN_ERR_ARGUMENT, "unknown option '-%c'; see steno %s --help", optopt, argv[0]);
    else if (option == '?')
        stn_fail(STN_ERR_ARGUMENT, "option '%s' is %s; see steno %s --help", argv[optind - 1],
                 optopt ? "used with a value that it does not accept" : "unknown", argv[0]);
    return option == ':' ? '?' : option;
}
