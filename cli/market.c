/* Reads Matrix Market files and prints notes about deviations from the specification. */
#include "market.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* Replaces each `from` in `text` by `to`, which is shorter. */
static void replace(char *text, const char *from, const char *to)
{
    for (char *at = text; (at = strstr(at, from)) != NULL; at += strlen(to)) {
        memcpy(at, to, strlen(to));
        memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    }
}

/* Replaces the flags of the library by the options of the command. */
static stn_status name_options(stn_status status)
{
    char message[512];
    snprintf(message, sizeof message, "%s", stn_error());
    replace(message, "STN_MARKET_SUM", "--sum");
    replace(message, "STN_MARKET_LENIENT", "--lenient");
    return stn_fail(status, "%s", message);
}

/* Text after the number of deviations, by stn_market_deviation. */
static const char *const deviations[] = {
    "byte-order mark%s at the beginning",
    "run%s of white space before the banner",
    "field%s other than complex in a hermitian matrix, read as symmetric",
    "explicit zero%s on the diagonal of a skew-symmetric matrix",
    "comment%s at the end of a line",
    "value%s spelled as infinity or NaN",
    "value%s beyond the range of double, read as infinity",
};

static void print_deviations(const char *path, const stn_market_matrix *matrix)
{
    for (size_t k = 0; k < sizeof deviations / sizeof *deviations; k++) {
        const int64_t count = matrix->deviations[k];
        if (count == 0)
            continue;
        fprintf(stderr, "steno: note: %s: %" PRId64 " ", path, count);
        fprintf(stderr, deviations[k], count == 1 ? "" : "s");
        fputc('\n', stderr);
    }
}

stn_status market_read(const char *path, unsigned flags, stn_market_matrix *matrix)
{
    *matrix = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
    const stn_status status = stn_market_read_file(matrix, path, flags);
    if (status != STN_OK)
        return name_options(status);
    print_deviations(path, matrix);
    if (matrix->unused_values > 0)
        fprintf(stderr,
                "steno: note: %s: ignored %" PRId64
                " value%s of a pattern matrix, in which every entry is 1\n",
                path, matrix->unused_values, matrix->unused_values == 1 ? "" : "s");
    if (matrix->summed > 0)
        fprintf(stderr, "steno: note: %s: %" PRId64 " of %" PRId64 " entries %s\n", path,
                matrix->summed, matrix->stored,
                matrix->field == STN_MARKET_PATTERN ? "repeat an earlier one"
                                                    : "are added to an earlier one");
    return STN_OK;
}

const char *market_option(unsigned flags)
{
    return flags & STN_MARKET_SUM ? "--sum" : "--lenient";
}
