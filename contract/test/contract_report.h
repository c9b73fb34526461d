/* Contracts of a text checked against an image, and their report. */
#ifndef STENO_TEST_CONTRACT_REPORT_H
#define STENO_TEST_CONTRACT_REPORT_H

#include "check.h"
#include "steno/contract.h"

#include <stdio.h>

static char report[8192]; /* of the last check */

/* The report contains each of the parts up to NULL, except those that begin with "no ". */
static inline void expect_report(stn_image *image, const char *contract, stn_status expected,
                                 int held, int broken, int skipped, const char *const *parts)
{
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    report[0] = '\0';
    FILE *file = fmemopen(report, sizeof report, "w");
    assert_non_null(file);
    const stn_status status = stn_contract_check_text(image, contract, "a.cg", file, &result);
    fclose(file);
    if (status != expected)
        fail_msg("%s: %s: %s", contract, stn_status_name(status), stn_error());
    if (result.held != held || result.broken != broken || result.skipped != skipped)
        fail_msg("%s\n%d held, %d broken, %d skipped:\n%s", contract, (int)result.held,
                 (int)result.broken, (int)result.skipped, report);
    for (; *parts; parts++) {
        const int absent = strncmp(*parts, "no ", 3) == 0;
        if ((strstr(report, *parts + 3 * absent) == NULL) != absent)
            fail_msg("%s\n'%s' in:\n%s", contract, *parts, report);
    }
}

/* image, contract, status, then the numbers of facts: held, broken and skipped; parts of the report
 */
#define EXPECT_STATUS_AND_REPORT(image, contract, status, held, broken, skipped, ...)              \
    expect_report(image, contract, status, held, broken, skipped,                                  \
                  (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_REPORT(image, contract, held, broken, skipped, ...)                                 \
    EXPECT_STATUS_AND_REPORT(image, contract, STN_OK, held, broken, skipped, __VA_ARGS__)

#endif
