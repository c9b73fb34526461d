/* Reading Matrix Market files, with notes about what is odd in them. */
#include "market.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* The library speaks of its flag, users of the command have an option. */
static stn_status speak_of_option(stn_status status)
{
    static const char flag[] = "; STN_MARKET_SUM adds";
    char words[512];
    snprintf(words, sizeof words, "%s", stn_error());
    const char *const at = strstr(words, flag);
    return at ? stn_fail(status, "%.*s; --sum adds%s", (int)(at - words), words,
                         at + sizeof flag - 1)
              : status;
}

stn_status market_read(const char *path, int sum, stn_matrix *matrix)
{
    const stn_status status = stn_matrix_read_market(path, matrix, sum ? STN_MARKET_SUM : 0);
    if (status != STN_OK)
        return speak_of_option(status);
    if (matrix->unused_values > 0)
        fprintf(stderr,
                "steno: note: %s says pattern, but has %" PRId64
                " value%s, left out: every entry is 1\n",
                path, matrix->unused_values, matrix->unused_values == 1 ? "" : "s");
    if (matrix->summed > 0)
        fprintf(stderr, "steno: note: %s: %" PRId64 " of %" PRId64 " entries %s\n", path,
                matrix->summed, matrix->stored,
                matrix->field == STN_MARKET_PATTERN ? "repeat an earlier one"
                                                    : "are added to an earlier one");
    return STN_OK;
}
