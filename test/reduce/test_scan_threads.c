/* Scans of few rows hand on what comes before a block from thread to thread: the same bits for any
 * number of threads, however many are granted, and while other scans run. */
#include <stdio.h>

#include "measure/openmp.h"
#include "check.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN_BY(decaying, (in(x)), x, a * STN_R(0.75) + b, 5)
/* clang-format on */

enum { MOST = 300000, CALLERS = 3 };

static const int threads[] = {1, 2, 3, 5, 16};

static double values[MOST], expected[MOST], found[CALLERS][MOST];
static float narrow[MOST];
static stn_exec *execs[COUNT_OF(threads)];

static int prepare(void **context)
{
    uint64_t state = 5;
    for (int k = 0; k < MOST; k++) {
        values[k] = (double)(int64_t)(order_next(&state) >> 40) / 77.0 - 100000.0;
        narrow[k] = (float)values[k];
    }
    for (int e = 0; e < COUNT_OF(threads); e++) {
        char words[40];
        (void)snprintf(words, sizeof words, "%s:threads=%d", e % 2 ? "threads" : OPENMP,
                       threads[e]);
        expect_ok(stn_exec_create(&execs[e], words));
    }
    return check_make_execs(context);
}

static int release(void **context)
{
    for (int e = 0; e < COUNT_OF(threads); e++)
        stn_exec_release(execs[e]);
    return check_release_execs(context);
}

typedef struct scan_case {
    int64_t rows, length;
    int exclusive, decays, is_narrow;
} scan_case;

static stn_status scan(const stn_exec *exec, const scan_case *c, double *to)
{
    const int64_t extents[] = {c->rows, c->length};
    const stn_view x = check_view("x", c->is_narrow ? STN_F32 : STN_F64,
                                  c->is_narrow ? (void *)narrow : (void *)values, 2, extents, NULL);
    stn_view result = check_view("result", STN_F64, to, 2, extents, NULL);
    result.traits = STN_TRAIT_STREAMING;
    return c->decays ? decaying_scan(exec, STN_F64, (stn_scan_kind)c->exclusive, &result, &x)
                     : running_scan(exec, STN_F64, (stn_scan_kind)c->exclusive, &result, &x);
}

static int is_as_expected(const scan_case *c, const double *to)
{
    return memcmp(to, expected, (size_t)(c->rows * c->length) * sizeof *to) == 0;
}

/* The reference executor has one thread, which goes through each row in one go. */
static void expect(const scan_case *c)
{
    expect_ok(scan(check_execs[0], c, expected));
}

static const int64_t shapes[][2] = {{1, MOST},  {1, 131072}, {1, 131073}, {1, 131200}, {1, 16385},
                                    {3, 99999}, {7, 40000},  {2, 32768},  {3, 8192},   {5, 60000}};

static scan_case case_of(int shape, int kind)
{
    const scan_case c = {shapes[shape][0], shapes[shape][1], kind & 1, kind >> 1 & 1, kind >> 2};
    return c;
}

UNIT_TEST(test_threads)
{
    for (int shape = 0; shape < COUNT_OF(shapes); shape++)
        for (int kind = 0; kind < 8; kind++) {
            const scan_case c = case_of(shape, kind);
            expect(&c);
            for (int e = 0; e < COUNT_OF(threads); e++) {
                memset(found, 0, sizeof *found);
                expect_ok(scan(execs[e], &c, found[0]));
                if (!is_as_expected(&c, found[0]))
                    fail_msg("%d rows of %d, kind %d, %d threads: other bits", (int)c.rows,
                             (int)c.length, kind, threads[e]);
            }
        }
}

/* Several callers at a time. With one active level each is granted one thread, which goes through
 * all parts one after the other; with two it is granted several. */
UNIT_TEST(test_nested)
{
    const int before = omp_get_max_active_levels();
    for (int levels = 1; levels <= 2; levels++)
        for (int shape = 0; shape < COUNT_OF(shapes); shape++) {
            const scan_case c = case_of(shape, shape % 8);
            int wrong = 0;
            expect(&c);
            memset(found, 0, sizeof found);
            omp_set_max_active_levels(levels);
#pragma omp parallel num_threads(CALLERS) reduction(+ : wrong)
            for (int t = omp_get_thread_num(); t < CALLERS; t += omp_get_num_threads()) {
                wrong += scan(execs[1 + t], &c, found[t]) != STN_OK;
                wrong += !is_as_expected(&c, found[t]);
            }
            omp_set_max_active_levels(before);
            assert_int_equal(wrong, 0);
        }
}

RUN_UNIT_TESTS(prepare, release)
