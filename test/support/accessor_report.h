/* Checked mode with a recorder: defines STN_CHECKED and STN_CHECK_FAILED and includes accessor.h.
 * For one source file of a program. */
#ifndef STENO_TEST_ACCESSOR_REPORT_H
#define STENO_TEST_ACCESSOR_REPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void record(const char *accessor, const char *problem, int dimension, int64_t value,
                   int64_t extent);

#define STN_CHECKED
#define STN_CHECK_FAILED record
#include "steno/accessor.h"

/* The first report since the last look, and how many there were. */
static struct {
    int count;
    const char *accessor, *problem;
    int dimension;
    int64_t value, extent;
} report;

static void record(const char *accessor, const char *problem, int dimension, int64_t value,
                   int64_t extent)
{
    if (report.count++ > 0)
        return;
    report.accessor = accessor;
    report.problem = problem;
    report.dimension = dimension;
    report.value = value;
    report.extent = extent;
}

static void reported(const char *accessor, const char *problem, int dimension, int64_t value,
                     int64_t extent)
{
    assert_true(report.count > 0);
    assert_string_equal(report.accessor, accessor);
    assert_string_equal(report.problem, problem);
    assert_int_equal(report.dimension, dimension);
    assert_int_equal(report.value, value);
    assert_int_equal(report.extent, extent);
    memset(&report, 0, sizeof report);
}

static void nothing_reported(void)
{
    if (report.count > 0)
        fail_msg("%s: %s", report.accessor, report.problem);
}

#endif
