/* Reductions of parts, merged in any order of neighbours, give the bits of the whole; so do
 * reductions inside parallel regions, and with fewer threads than asked for. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "core/cpu.h"
#include "reduce_cases.h"
#include "reduce_kernels.h"
#include "check.h"

enum { MOST_PARTS = 9 };

/* Expressions with indices count them from the beginning of a part. */
static int has_indices(int model)
{
    return strcmp(reduce_models[model].name, "numbered") == 0 ||
           strcmp(reduce_models[model].name, "gathered") == 0 ||
           strcmp(reduce_models[model].name, "has_after") == 0 ||
           strcmp(reduce_models[model].name, "all_after") == 0;
}

static stn_format arithmetic_of(int model, int k)
{
    return reduce_models[model].is_integer ? STN_I64 : k % 2 ? STN_F32 : STN_F64;
}

/* Whatever the type of a result is: its bytes, the others zero. */
typedef union result_bytes {
    double f64;
    int64_t i64;
} result_bytes;

static reduce_value value_of(const reduce_case *c, const result_bytes *bytes)
{
    if (c->arithmetic == STN_I64 || reduce_counts(c->model->operation))
        return (reduce_value){0.0, bytes->i64};
    return (reduce_value){bytes->f64, 0};
}

static void check(const reduce_case *c, const result_bytes *found, reduce_value expected,
                  const char *words)
{
    const reduce_rule rule = reduce_rule_of(c->model, c->arithmetic);
    const reduce_value value = value_of(c, found);
    if (!reduce_same(&rule, value, expected))
        fail_msg("%s: %a (%" PRId64 "), not %a (%" PRId64 ")", words, value.real, value.integer,
                 expected.real, expected.integer);
}

static int model_of(const reduce_case *c)
{
    return (int)(c->model - reduce_models);
}

/* ---- parts ---- */

/* Where the parts begin, in indices of the first dimension; the last entry is where they end. */
typedef struct split {
    int parts;
    int64_t begin[MOST_PARTS + 1];
} split;

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Anywhere, near each other, or at multiples of a tile; some parts are empty. */
static split any_split(int64_t extent, uint64_t *state)
{
    split s = {2 + (int)reduce_below(state, MOST_PARTS - 1), {0}};
    const int64_t way = reduce_below(state, 4), middle = reduce_below(state, extent + 1);
    for (int p = 1; p < s.parts; p++) {
        int64_t at = reduce_below(state, extent + 1);
        if (way == 1)
            at = middle + reduce_below(state, 9);
        if (way == 2)
            at = at / 128 * 128;
        s.begin[p] = at < extent ? at : extent;
    }
    s.begin[s.parts] = extent;
    qsort(s.begin, (size_t)s.parts + 1, sizeof *s.begin, ascending);
    return s;
}

static void slice(const reduce_case *c, int64_t begin, int64_t end, stn_view *views)
{
    for (int v = 0; v < c->model->views; v++) {
        const stn_view whole = kernel_view(&c->arrays[v], "input");
        stn_slice slices[KERNEL_RANK];
        slices[0] = stn_slice_range(begin, end);
        for (int d = 1; d < whole.rank; d++)
            slices[d] = stn_slice_all();
        expect_ok_for(stn_view_slice(&views[v], &whole, whole.rank, slices), "slice");
    }
}

static void make_part(const reduce_case *c, int64_t begin, int64_t end, int setting,
                      stn_partial *part, const char *words)
{
    stn_view views[REDUCE_VIEWS];
    int64_t row = 1;
    for (int d = 1; d < c->rank; d++)
        row *= c->extent[d];
    slice(c, begin, end, views);
    memset(part, 0x5A, sizeof *part);
    const reduce_call call = {.exec = reduce_use(setting),
                              .arithmetic = c->arithmetic,
                              .first = begin * row,
                              .part = part,
                              .numbers = &c->numbers,
                              .views = views};
    expect_ok_for(reduce_launch(model_of(c), REDUCE_PART, &call), words);
}

static void finish(const reduce_case *c, stn_partial *part, result_bytes *result, const char *words)
{
    memset(result, 0, sizeof *result);
    const reduce_call call = {.part = part, .value = result};
    expect_ok_for(reduce_launch(model_of(c), REDUCE_FINISH, &call), words);
}

/* Merge neighbours until one part is left; `from_left`: always the first two. */
static void merge_all(const reduce_case *c, stn_partial *part, int parts, int from_left,
                      uint64_t *state, const char *words)
{
    while (parts > 1) {
        const int64_t at = from_left ? 0 : reduce_below(state, parts - 1);
        stn_partial sent; /* as another process would get it */
        memcpy(&sent, &part[at + 1], sizeof sent);
        const reduce_call call = {.part = &part[at], .other = &sent};
        expect_ok_for(reduce_launch(model_of(c), REDUCE_MERGE, &call), words);
        memmove(&part[at + 1], &part[at + 2], (size_t)(parts - at - 2) * sizeof *part);
        parts--;
    }
}

static const char *words_of(const reduce_case *c, const split *s, int from_left)
{
    static char words[1200];
    int at = snprintf(words, sizeof words, "%s, merged %s, parts at",
                      reduce_words(c, "in parts", 0, 0), from_left ? "from the left" : "anyhow");
    for (int p = 0; p <= s->parts; p++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64, s->begin[p]);
    return words;
}

static void check_parts(const reduce_case *c, uint64_t *state)
{
    static stn_partial made[MOST_PARTS], merged[MOST_PARTS];
    const reduce_value expected = reduce_expect(c);
    const split s = any_split(c->extent[0], state);
    for (int p = 0; p < s.parts; p++) {
        const int setting = (int)reduce_below(state, reduce_settings());
        make_part(c, s.begin[p], s.begin[p + 1], setting, &made[p], words_of(c, &s, 1));
    }
    for (int from_left = 0; from_left < 2; from_left++) {
        result_bytes result;
        const char *words = words_of(c, &s, from_left);
        memcpy(merged, made, sizeof merged);
        merge_all(c, merged, s.parts, from_left, state, words);
        finish(c, &merged[0], &result, words);
        check(c, &result, expected, words);
    }
}

TEST_CASE(test_parts)
{
    static const reduce_shape over[] = {{1, {5}},      {1, {127}},      {1, {300}},
                                        {1, {1000}},   {1, {4097}},     {1, {128 * 70}},
                                        {2, {37, 31}}, {2, {200, 128}}, {3, {9, 5, 33}}};
    const int rounds = oracle_quick() ? 9 : 45;
    uint64_t state = 11;
    for (int model = 0; model < reduce_model_count; model++)
        for (int k = 0; k < rounds && !has_indices(model); k++) {
            const reduce_wish wish = {.model = model,
                                      .arithmetic = arithmetic_of(model, k),
                                      .format = -1,
                                      .over = over[k % 9],
                                      .layout = REDUCE_PLAIN,
                                      .kind = k % REDUCE_KINDS};
            reduce_case c = reduce_begin(wish, &state);
            check_parts(&c, &state);
            reduce_end(&c);
        }
}

static stn_status merge_first(stn_partial *left, const stn_partial *right)
{
    const reduce_call call = {.part = left, .other = right};
    return reduce_launch(0, REDUCE_MERGE, &call);
}

/* Parts that do not fit together, and results of what is not the whole. */
TEST_CASE(test_refused)
{
    static stn_partial part[4], before;
    uint64_t state = 12;
    double result = 3.0;
    reduce_case c =
        reduce_begin((reduce_wish){0, STN_F64, STN_F64, {1, {500}}, REDUCE_PLAIN, 0, 1}, &state);
    reduce_case other =
        reduce_begin((reduce_wish){2, STN_F64, STN_F64, {1, {500}}, REDUCE_PLAIN, 0, 1}, &state);
    make_part(&c, 0, 130, 0, &part[0], "part");
    make_part(&c, 131, 300, 0, &part[1], "part");
    make_part(&other, 130, 300, 0, &part[2], "part");
    c.arithmetic = STN_F32;
    make_part(&c, 130, 300, 0, &part[3], "part");
    memcpy(&before, &part[0], sizeof before);
    assert_int_equal(merge_first(&part[0], &part[1]), STN_ERR_SHAPE);
    assert_int_equal(merge_first(&part[0], &part[0]), STN_ERR_SHAPE);
    assert_int_not_equal(merge_first(&part[0], &part[2]), STN_OK);
    assert_int_not_equal(merge_first(&part[0], &part[3]), STN_OK);
    assert_int_not_equal(merge_first(&part[0], NULL), STN_OK);
    assert_int_not_equal(merge_first(NULL, &part[0]), STN_OK);
    assert_memory_equal(&part[0], &before, sizeof before);
    const reduce_call call = {.part = &part[1], .value = &result};
    assert_int_not_equal(reduce_launch(0, REDUCE_FINISH, &call), STN_OK);
    assert_true(result == 3.0);
    const reduce_call foreign = {.part = &part[0], .value = &result};
    assert_int_not_equal(reduce_launch(2, REDUCE_FINISH, &foreign), STN_OK);
    assert_true(result == 3.0);
    reduce_end(&c);
    reduce_end(&other);
}

/* ---- threads ---- */

enum { CALLERS = 2 };

/* Each caller with an executor of its own, inside a parallel region. */
static void reduce_nested(const reduce_case *c, const char *resource, result_bytes *results,
                          stn_status *statuses)
{
    stn_view views[REDUCE_VIEWS];
    stn_exec *exec[CALLERS] = {NULL};
    for (int v = 0; v < c->model->views; v++)
        views[v] = kernel_view(&c->arrays[v], "input");
    for (int t = 0; t < CALLERS; t++)
        expect_ok_for(stn_exec_create(&exec[t], resource), resource);
    memset(results, 0, CALLERS * sizeof *results);
#pragma omp parallel for num_threads(CALLERS) schedule(static, 1)
    for (int t = 0; t < CALLERS; t++) {
        const reduce_call call = {.exec = exec[t],
                                  .arithmetic = c->arithmetic,
                                  .value = &results[t],
                                  .numbers = &c->numbers,
                                  .views = views};
        statuses[t] = reduce_launch(model_of(c), REDUCE_FULL, &call);
    }
    for (int t = 0; t < CALLERS; t++)
        stn_exec_release(exec[t]);
}

static void check_nested(const reduce_case *c, const char *what)
{
    static const char *const resources[] = {"openmp", "openmp:threads=3", "openmp:threads=7"};
    const reduce_value expected = reduce_expect(c);
    for (int k = 0; k < 3; k++) {
        result_bytes results[CALLERS];
        stn_status statuses[CALLERS] = {STN_OK, STN_OK};
        reduce_nested(c, resources[k], results, statuses);
        for (int t = 0; t < CALLERS; t++) {
            expect_ok_for(statuses[t], what);
            check(c, &results[t], expected, what);
        }
    }
}

static void check_every_model(const char *what)
{
    uint64_t state = 13;
    assert_int_equal(stn_isa_use(STN_ISA_C), STN_OK);
    for (int model = 0; model < reduce_model_count; model++) {
        const reduce_wish wish = {.model = model,
                                  .arithmetic = arithmetic_of(model, model),
                                  .format = -1,
                                  .over = {2, {128, 9 * 128 + 5}},
                                  .layout = REDUCE_PLAIN,
                                  .kind = ORDER_MIXED};
        reduce_case c = reduce_begin(wish, &state);
        check_nested(&c, what);
        reduce_end(&c);
    }
}

TEST_CASE(test_threads)
{
    const int threads = omp_get_max_threads(), levels = omp_get_max_active_levels();
    check_every_model("nested");
    omp_set_max_active_levels(2);
    check_every_model("nested, two levels active");
    omp_set_max_active_levels(1);
    omp_set_num_threads(5);
    check_every_model("nested, five threads");
    omp_set_dynamic(1);
    check_every_model("nested, threads as they come");
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    omp_set_max_active_levels(levels);
}

/* The limit is read when a program begins: this one again, with the argument that says so. */
static const char *program;
extern char **environ;

TEST_CASE(test_thread_limit)
{
    char name[] = "limited", limit[] = "OMP_THREAD_LIMIT";
    char *words[] = {(char *)(uintptr_t)program, name, NULL};
    pid_t child;
    int status = 1;
    assert_int_equal(setenv(limit, "2", 1), 0);
    assert_int_equal(posix_spawn(&child, program, NULL, NULL, words, environ), 0);
    assert_int_equal(unsetenv(limit), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) /* under an emulator */
        skip();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_CASE(test_limited)
{
    assert_int_equal(omp_get_thread_limit(), 2);
    check_every_model("no more than two threads");
}

int main(int count, char **words)
{
    const struct CMUnitTest limited[] = {cmocka_unit_test(test_limited)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_thread_limit),
    };
    program = words[0];
    const int failed =
        count > 1 ? cmocka_run_group_tests_name("reduce_parts, limited", limited, NULL, NULL)
                  : cmocka_run_group_tests_name("reduce_parts", tests, NULL, NULL);
    reduce_release();
    return failed;
}
