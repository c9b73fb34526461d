/* Reductions and scans allocate nothing: the library never, and what it is linked with not after
 * the first call of an executor. Every call of malloc and its like in the process is counted. */
#define _POSIX_C_SOURCE        200809L
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "core/memory.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* ---- counting: the C library's functions are replaced by ones that count and go on to it; a
 * sanitizer, which replaces them itself, calls back ---- */

static _Atomic int64_t allocations;

#if defined(__SANITIZE_ADDRESS__)
#    define UNDER_SANITIZER
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define UNDER_SANITIZER
#    endif
#    if __has_feature(thread_sanitizer)
#        define THREAD_SANITIZER 1
#    endif
#endif
#ifndef THREAD_SANITIZER
#    define THREAD_SANITIZER 0
#endif

#ifdef UNDER_SANITIZER
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static void on_malloc(const volatile void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
    atomic_fetch_add(&allocations, 1);
}

static void on_free(const volatile void *memory)
{
    (void)memory;
}

static void begin_counting(void)
{
    assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0);
}
#else
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, bytes);
}

static void begin_counting(void) {}
#endif

/* ---- every entry point ---- */

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(placed, sum, (at(i, j), in(x)), x * (real_t)(i + j))
STN_REDUCE(least_at, argmin, (in(x)), x)
STN_REDUCE(length, norm2, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(fused, sum, (in(x)), x)
STN_REDUCE_INTEGER(integers, sum, (in(x)), x)
STN_REDUCE_BY(longest, (in(x), in(y)), x * x + y * y, a > b ? a : b, sqrt(a), 0)
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN_INTEGER(running_integers, sum, (in(x)), x)
/* clang-format on */

enum { ROWS = 700, COLUMNS = 300, NARROW = 5, COUNT = ROWS * COLUMNS };

static double values[COUNT], results[COUNT];
static stn_f16 halves[COUNT];
static int8_t bytes[COUNT];
static int64_t whole_results[COUNT];
static stn_partial parts[2];

typedef struct scene {
    stn_view line, halves, matrix, tall, small, large; /* large: its squares overflow */
    stn_view half_matrix, byte_matrix;
    stn_view rows, columns, tall_rows, few, one, scanned, line_scanned, whole_scanned;
} scene;

static int64_t wide_extents[] = {ROWS, COLUMNS}, tall_extents[] = {COUNT / NARROW, NARROW};

static scene make_scene(void)
{
    static double huge[1000];
    const int64_t rows = ROWS, columns = COLUMNS, few = NARROW, tall = COUNT / NARROW;
    for (int64_t k = 0; k < COUNT; k++) {
        values[k] = (double)(k % 77) - 30.0;
        halves[k] = stn_f16_from_f64(values[k]);
        bytes[k] = (int8_t)(k % 100);
    }
    for (int k = 0; k < 1000; k++)
        huge[k] = 1e300;
    return (scene){.line = check_line(STN_F64, values, COUNT),
                   .halves = check_line(STN_F16, halves, COUNT),
                   .matrix = check_view("x", STN_F64, values, 2, wide_extents, NULL),
                   .tall = check_view("x", STN_F64, values, 2, tall_extents, NULL),
                   .small = check_line(STN_F64, values, 100),
                   .large = check_line(STN_F64, huge, 1000),
                   .half_matrix = check_view("x", STN_F16, halves, 2, wide_extents, NULL),
                   .byte_matrix = check_view("x", STN_I8, bytes, 2, wide_extents, NULL),
                   .rows = check_view("rows", STN_F64, results, 1, &rows, NULL),
                   .columns = check_view("columns", STN_F64, results, 1, &columns, NULL),
                   .tall_rows = check_view("tall", STN_F64, results, 1, &tall, NULL),
                   .few = check_view("few", STN_F64, results, 1, &few, NULL),
                   .one = check_view("one", STN_F64, results, 0, NULL, NULL),
                   .scanned = check_view("scanned", STN_F64, results, 2, wide_extents, NULL),
                   .line_scanned = check_line(STN_F64, results, COUNT),
                   .whole_scanned =
                       check_view("scanned", STN_I64, whole_results, 2, wide_extents, NULL)};
}

static stn_status run_whole(const scene *s, const stn_exec *exec)
{
    int64_t number;
    double value;
    return total_reduce(exec, STN_F64, &value, &s->line) |
           total_reduce(exec, STN_F64, &value, &s->halves) |
           total_reduce(exec, STN_F64, &value, &s->small) |
           total_reduce_over(exec, STN_F64, 2, wide_extents, &value, &s->matrix) |
           placed_reduce(exec, STN_F64, &value, &s->half_matrix) |
           least_at_reduce(exec, STN_F64, &number, &s->line) |
           length_reduce(exec, STN_F64, &value, &s->large) |
           dot_reduce(exec, STN_F64, &value, &s->line, &s->halves) |
           fused_reduce(exec, STN_F64, &value, &s->halves) |
           longest_reduce(exec, STN_F64, &value, &s->line, &s->halves) |
           integers_reduce(exec, STN_I64, &number, &s->byte_matrix);
}

static stn_status run_into(const scene *s, const stn_exec *exec)
{
    return total_reduce_into(exec, STN_F64, 2, &s->rows, &s->matrix) |
           total_reduce_into(exec, STN_F64, 1, &s->columns, &s->matrix) |
           total_reduce_into(exec, STN_F64, 1, &s->columns, &s->half_matrix) |
           total_reduce_into(exec, STN_F64, 1, &s->few, &s->tall) |
           total_reduce_into(exec, STN_F64, 2, &s->tall_rows, &s->tall) |
           total_reduce_into(exec, STN_F64, 3, &s->one, &s->matrix) |
           placed_reduce_into(exec, STN_F64, 1, &s->columns, &s->half_matrix) |
           least_at_reduce_into(exec, STN_F64, 1, &s->columns, &s->matrix) |
           longest_reduce_into(exec, STN_F64, 2, &s->rows, &s->matrix, &s->half_matrix) |
           total_reduce_into_over(exec, STN_F64, 2, wide_extents, 1, &s->columns, &s->matrix);
}

static stn_status run_parts(const scene *s, const stn_exec *exec)
{
    double value;
    return total_reduce_part(exec, STN_F64, 0, &parts[0], &s->line) |
           total_reduce_part(exec, STN_F64, COUNT, &parts[1], &s->halves) |
           total_reduce_merge(&parts[0], &parts[1]) | total_reduce_finish(&parts[0], &value) |
           length_reduce_part(exec, STN_F64, 0, &parts[0], &s->large) |
           length_reduce_finish(&parts[0], &value);
}

static stn_status run_scans(const scene *s, const stn_exec *exec)
{
    return running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &s->scanned, &s->matrix) |
           running_scan(exec, STN_F64, STN_SCAN_EXCLUSIVE, &s->scanned, &s->half_matrix) |
           running_scan_dimension(exec, STN_F64, STN_SCAN_INCLUSIVE, 0, &s->scanned, &s->matrix) |
           running_scan_dimension(exec, STN_F64, STN_SCAN_EXCLUSIVE, 0, &s->scanned,
                                  &s->half_matrix) |
           running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &s->line_scanned, &s->halves) |
           running_integers_scan(exec, STN_I64, STN_SCAN_INCLUSIVE, &s->whole_scanned,
                                 &s->byte_matrix);
}

typedef stn_status run_some(const scene *s, const stn_exec *exec);

/* Allocations in three calls. */
static int64_t count_in_calls(run_some *run, const scene *s, int e)
{
    const int64_t before = atomic_load(&allocations);
    for (int k = 0; k < 3; k++)
        assert_int_equal(run(s, check_execs[e]), STN_OK);
    return atomic_load(&allocations) - before;
}

/* The first call may start threads, which a sanitizer gives memory when they begin to work, in a
 * later call on a busy machine; the library itself allocates nothing even then. */
static void check_run(run_some *run, int e)
{
    enum { TRIES = 50 };
    const scene s = make_scene();
    int64_t found = 1;
    stn_fail_allocation(1);
    const stn_status first = run(&s, check_execs[e]);
    for (int k = 0; k < TRIES && found > 0 && first == STN_OK; k++) {
        if (k > 0)
            nanosleep(&(struct timespec){0, 10000000}, NULL);
        found = count_in_calls(run, &s, e);
    }
    stn_fail_allocation(0);
    assert_int_equal(first, STN_OK);
    if (found > 0)
        fail_msg("executor %d: %d allocations in three calls", e, (int)found);
}

UNIT_TEST(test_counting)
{
    const int64_t before = atomic_load(&allocations);
    void *volatile memory = malloc(100);
    void *volatile lines = aligned_alloc(64, 128);
    free(memory);
    free(lines);
    const int64_t counted = atomic_load(&allocations) - before;
    if (counted != 2 && !(THREAD_SANITIZER && counted == 1)) /* whose hooks are for malloc alone */
        fail_msg("%d of 2 allocations are counted", (int)counted);
}

#define COUNTED(name)                                                                              \
    UNIT_TEST(test_##name)                                                                         \
    {                                                                                              \
        for (int e = 0; e < CHECK_EXECS; e++)                                                      \
            check_run(run_##name, e);                                                              \
    }
COUNTED(whole)
COUNTED(into)
COUNTED(parts)
COUNTED(scans)

static int prepare(void **context)
{
    begin_counting();
    return check_make_execs(context);
}

RUN_UNIT_TESTS(prepare, check_release_execs)
