/* Reductions and scans give the bits of the reference executor however many threads are granted:
 * inside parallel regions, nested ones too, and in processes whose limits are lower than what is
 * asked for. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#define _POSIX_C_SOURCE        200809L
#include <stdlib.h>

#include "measure/openmp.h"
#include "check.h"
#include "fewer_threads.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(greatest_at, argmax, (in(x)), x)
STN_REDUCE(length, norm2, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
/* clang-format on */

enum { ROWS = 300, COLUMNS = 211, COUNT = ROWS * COLUMNS };

/* The results of every entry point. */
typedef struct outcome {
    double total, dot, length, of_parts;
    int64_t place;
    double rows[ROWS], columns[COLUMNS];
    double scanned[COUNT], down[COUNT];
} outcome;

static float narrow[COUNT];
static double wide[COUNT];
static outcome expected;

static void fill(void)
{
    for (int64_t k = 0; k < COUNT; k++) {
        const uint64_t random = (uint64_t)(k + 1) * UINT64_C(0x9E3779B97F4A7C15);
        narrow[k] = (float)(int64_t)(random >> 40) / 77.0f - 100000.0f;
        wide[k] = (double)(int64_t)(random >> 20) / 3.0;
    }
}

static stn_status wrap(stn_view *view, stn_format format, void *data, int rank,
                       const int64_t *extents)
{
    return stn_view_wrap(view, "view", stn_storage_of(format), data, rank, extents);
}

static stn_status reduce_in_parts(const stn_exec *exec, double *result)
{
    stn_partial part[2];
    stn_view piece;
    const int64_t cut = 12345, rest = COUNT - cut;
    stn_status status = wrap(&piece, STN_F32, narrow, 1, &cut);
    status = status ? status : total_reduce_part(exec, STN_F64, 0, &part[0], &piece);
    status = status ? status : wrap(&piece, STN_F32, narrow + cut, 1, &rest);
    status = status ? status : total_reduce_part(exec, STN_F64, cut, &part[1], &piece);
    status = status ? status : total_reduce_merge(&part[0], &part[1]);
    return status ? status : total_reduce_finish(&part[0], result);
}

static stn_status calculate(const stn_exec *exec, outcome *o)
{
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_view x, y, rows, columns, scanned, down;
    memset(o, 0, sizeof *o);
    if (wrap(&x, STN_F32, narrow, 2, extents) || wrap(&y, STN_F64, wide, 2, extents) ||
        wrap(&rows, STN_F64, o->rows, 1, &extents[0]) ||
        wrap(&columns, STN_F64, o->columns, 1, &extents[1]) ||
        wrap(&scanned, STN_F64, o->scanned, 2, extents) ||
        wrap(&down, STN_F64, o->down, 2, extents))
        return STN_ERR_ARGUMENT;
    stn_status status = total_reduce(exec, STN_F64, &o->total, &x);
    status = status ? status : dot_reduce(exec, STN_F64, &o->dot, &x, &y);
    status = status ? status : length_reduce(exec, STN_F64, &o->length, &y);
    status = status ? status : greatest_at_reduce(exec, STN_F64, &o->place, &x);
    status = status ? status : total_reduce_into(exec, STN_F64, 2, &rows, &x);
    status = status ? status : dot_reduce_into(exec, STN_F64, 1, &columns, &x, &y);
    status = status ? status : running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &scanned, &x);
    status =
        status ? status : running_scan_dimension(exec, STN_F64, STN_SCAN_EXCLUSIVE, 0, &down, &y);
    return status ? status : reduce_in_parts(exec, &o->of_parts);
}

/* A scan of one long row, which all threads share. */
static stn_status scan_line(const stn_exec *exec, double *to)
{
    const int64_t count = COUNT;
    stn_view x, result;
    if (wrap(&x, STN_F32, narrow, 1, &count) || wrap(&result, STN_F64, to, 1, &count))
        return STN_ERR_ARGUMENT;
    return running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &result, &x);
}
static double expected_line[COUNT];

static int is_wrong(const stn_exec *exec)
{
    outcome *found = malloc(sizeof *found);
    double *line = malloc(sizeof expected_line);
    const int wrong = !found || !line || calculate(exec, found) != STN_OK ||
                      scan_line(exec, line) != STN_OK ||
                      memcmp(found, &expected, sizeof expected) != 0 ||
                      memcmp(line, expected_line, sizeof expected_line) != 0;
    free(found);
    free(line);
    return wrong;
}

static int prepare(void **context)
{
    (void)context;
    stn_exec *reference;
    fill();
    expect_ok(stn_exec_create(&reference, "reference"));
    expect_ok(calculate(reference, &expected));
    expect_ok(scan_line(reference, expected_line));
    stn_exec_release(reference);
    return 0;
}

static const char *const resources[] = {OPENMP, OPENMP ":threads=1", "threads:threads=2",
                                        "threads:threads=5", OPENMP ":threads=16"};

/* With this many callers at once; one of them has no region around it. */
static int count_wrong(int callers)
{
    int wrong = 0;
    for (int r = 0; r < COUNT_OF(resources); r++) {
        stn_exec *exec = NULL;
        if (stn_exec_create(&exec, resources[r]) != STN_OK)
            return -1;
        if (callers == 1)
            wrong += is_wrong(exec);
        else {
#pragma omp parallel num_threads(callers) reduction(+ : wrong)
            wrong += is_wrong(exec);
        }
        stn_exec_release(exec);
    }
    return wrong;
}

UNIT_TEST(test_threads)
{
    assert_int_equal(expected.of_parts == expected.total, 1);
    assert_int_equal(count_wrong(1), 0);
}

UNIT_TEST(test_nested)
{
    const int levels = omp_get_max_active_levels(), threads = omp_get_max_threads();
    for (int nested = 1; nested <= 3; nested++) {
        omp_set_max_active_levels(nested);
        omp_set_num_threads(nested);
        assert_int_equal(count_wrong(3), 0);
        assert_int_equal(count_wrong(1), 0);
    }
    omp_set_max_active_levels(levels);
    omp_set_num_threads(threads);
}

UNIT_TEST(test_fewer_threads_than_asked)
{
    fewer_threads_try();
}

int main(int count, char **arguments)
{
    if (fewer_threads_here(count, arguments))
        return prepare(NULL) != 0 || count_wrong(1) != 0 || count_wrong(2) != 0;
    return run_unit_tests("reduce_threads", prepare, NULL);
}
