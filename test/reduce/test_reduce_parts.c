/* Reductions of parts, merged in any order of neighbors, give the bits of the whole: of every model
 * in parts of any size, of rows and columns, and of norms out of range. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reduce_cases.h"
#include "reduce_check.h"
#include "reduce_kernels.h"

STN_REDUCE(sum_of, sum, (in(x)), x)
STN_REDUCE(length, norm2, (in(x)), x)
STN_REDUCE(least_at, argmin, (in(x)), x)

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

/* Merge neighbors until one part is left; `from_left`: always the first two. */
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

UNIT_TEST(test_parts)
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

/* A part, merged with the next one, and its result, with a type of its own. */
#define EXPECT_OF_TWO(name, left, right, result)                                                   \
    expect_ok(name##_reduce_merge(left, right));                                                   \
    expect_ok(name##_reduce_finish(left, result))

UNIT_TEST(test_parts_of_norms_and_places)
{
    static const double factors[] = {1.0, 0x1p800, 0x1p-800};
    static double values[1000];
    static stn_partial left, right;
    const stn_view x = check_line(STN_F64, values, 300), y = check_line(STN_F64, values + 300, 700),
                   all = check_line(STN_F64, values, 1000);
    for (int f = 0; f < 3; f++) {
        double whole, found;
        int64_t place;
        for (int k = 0; k < 1000; k++)
            values[k] = factors[f] * (1.0 / (k + 3) - (k == 777));
        expect_ok(length_reduce(check_execs[2], STN_F64, &whole, &all));
        expect_ok(length_reduce_part(check_execs[1], STN_F64, 0, &left, &x));
        expect_ok(length_reduce_part(check_execs[2], STN_F64, 300, &right, &y));
        EXPECT_OF_TWO(length, &left, &right, &found);
        assert_true(check_bits(found) == check_bits(whole) && whole > 0.0 && isfinite(whole));
        expect_ok(least_at_reduce_part(check_execs[1], STN_F64, 0, &left, &x));
        expect_ok(least_at_reduce_part(check_execs[2], STN_F64, 300, &right, &y));
        EXPECT_OF_TWO(least_at, &left, &right, &place);
        assert_int_equal(place, 777);
    }
}

/* One part for each row or column, cut along what is reduced: the bits of the whole matrix's. */
static void check_parts_into(int64_t rows, int64_t columns, unsigned reduced, int64_t cut,
                             const stn_exec *exec)
{
    static stn_partial low[60], high[60];
    static double values[60 * 1000], whole[60];
    const int64_t extents[] = {rows, columns}, outputs = reduced == 1 ? columns : rows;
    const stn_slice all = stn_slice_all(), first = stn_slice_range(0, cut),
                    rest = stn_slice_range(cut, reduced == 1 ? rows : columns);
    const stn_view x = check_view("x", STN_F64, values, 2, extents, NULL),
                   result = check_view("result", STN_F64, whole, 1, &outputs, NULL);
    stn_view left, right;
    uint64_t state = 5;
    for (int64_t k = 0; k < rows * columns; k++)
        values[k] = (double)(int64_t)(order_next(&state) >> 40) / 77.0 - 100000.0;
    expect_ok(stn_view_slice(&left, &x, 2,
                             reduced == 1 ? (const stn_slice[]){first, all}
                                          : (const stn_slice[]){all, first}));
    expect_ok(stn_view_slice(&right, &x, 2,
                             reduced == 1 ? (const stn_slice[]){rest, all}
                                          : (const stn_slice[]){all, rest}));
#define CHECK_PARTS(name)                                                                          \
    expect_ok(name##_reduce_into(check_execs[0], STN_F64, reduced, &result, &x));                  \
    expect_ok(name##_reduce_parts(exec, STN_F64, 0, reduced, low, &left));                         \
    expect_ok(name##_reduce_parts(exec, STN_F64, cut, reduced, high, &right));                     \
    for (int64_t o = 0; o < outputs; o++) {                                                        \
        double found;                                                                              \
        EXPECT_OF_TWO(name, &low[o], &high[o], &found);                                            \
        assert_true(check_bits(found) == check_bits(whole[o]));                                    \
    }
    CHECK_PARTS(sum_of)
    CHECK_PARTS(length)
}

UNIT_TEST(test_parts_of_rows_and_columns)
{
    static const struct {
        int64_t rows, columns;
        unsigned reduced;
        int64_t cut;
    } cases[] = {{500, 60, 1, 300},  {60, 500, 2, 300}, {700, 50, 1, 128},
                 {40, 1000, 2, 129}, {5, 3, 1, 1},      {5, 3, 2, 1}};
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int k = 0; k < COUNT_OF(cases); k++)
            check_parts_into(cases[k].rows, cases[k].columns, cases[k].reduced, cases[k].cut,
                             check_execs[e]);
}

static int release(void **context)
{
    reduce_release();
    return check_release_execs(context);
}

RUN_UNIT_TESTS(check_make_execs, release)
