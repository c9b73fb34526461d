/* Reductions and scans of many views, in formats that are decoded: the bits of reduce_oracle.h for
 * the whole, rows, columns, parts and scans, with as many parameters as there can be. One version
 * of each loop, which are long. */
#define STN_KERNEL_ONE_VERSION
#include <stdio.h>

#include "make_view.h"
#include "reduce_check.h"
#include "reduce_oracle.h"
#include "steno/reduce.h"

/* clang-format off */
#define FIVE  (in(a), in(b), in(c), in(d), in(e))
#define NINE  (in(a), in(b), in(c), in(d), in(e), in(f), in(g), in(h), in(m))
#define MOST  (real(factor), in(a), in(b), in(c), in(d), in(e), in(f), in(g), in(h), in(m), in(n),  \
               in(o), in(p), in(q), in(r), in(s), in(t), in(u), in(v), in(w), in(x), in(y), in(z))
#define SUM_5 a * STN_R(0.1) + b + c + d + e
#define SUM_9 a * STN_R(0.1) + b + c + d + e + f + g + h + m
#define SUM_22 a * factor + b + c + d + e + f + g + h + m + n + o + p + q + r + s + t + u + v + w  \
               + x + y + z
STN_REDUCE(five, sum, FIVE, SUM_5)
STN_REDUCE(nine, sum, NINE, SUM_9)
STN_REDUCE(most, sum, MOST, SUM_22)
STN_SCAN(five_running, sum, FIVE, SUM_5)
STN_SCAN(nine_running, sum, NINE, SUM_9)
STN_SCAN(most_running, sum, MOST, SUM_22)
#define VIEWS_5  &x[0], &x[1], &x[2], &x[3], &x[4]
#define VIEWS_9  VIEWS_5, &x[5], &x[6], &x[7], &x[8]
#define VIEWS_22 VIEWS_9, &x[9], &x[10], &x[11], &x[12], &x[13], &x[14], &x[15], &x[16], &x[17],   \
                 &x[18], &x[19], &x[20], &x[21]
/* clang-format on */

enum { VIEWS = 22, ELEMENTS = 100000 };
static const double factor = 0.7;

/* ---- data ---- */

static double codes[VIEWS][ELEMENTS];
static stn_view x[VIEWS];
static reduce_value mapped[ELEMENTS];

/* Quarters below 4, which every format here has. */
static double element(int view, int64_t k)
{
    return (double)((k * 7 + k / 31 * 5 + view * 13) % 31 - 15) / 4.0;
}

/* The views of a matrix, one format after the other, the last few as they are computed with. */
static void make_views(stn_format arithmetic, const int64_t *extent)
{
    static const stn_format formats[] = {STN_F16, STN_I8,  STN_BF16, STN_E4M3,
                                         STN_F32, STN_F64, STN_I16};
    static double values[ELEMENTS];
    for (int v = 0; v < VIEWS; v++) {
        stn_storage storage = stn_storage_of(v >= 18 ? arithmetic : formats[v % 7]);
        storage.scale = storage.format == STN_I8 || storage.format == STN_I16 ? 0.25 : 1.0;
        for (int64_t k = 0; k < extent[0] * extent[1]; k++)
            values[k] = element(v, k);
        expect_ok(stn_encode(STN_F64, &storage, codes[v], 1, 0, values, extent[0] * extent[1]));
        x[v] = wrap_view("x", storage, codes[v], 2, extent);
    }
}

/* What the expressions give, one rounding for each operation. */
static void map(stn_format arithmetic, int views, int64_t count)
{
    const double weight = order_round(arithmetic, views == VIEWS ? factor : 0.1);
    for (int64_t k = 0; k < count; k++) {
        double sum = order_multiply(arithmetic, element(0, k), weight);
        for (int v = 1; v < views; v++)
            sum = order_add(arithmetic, sum, element(v, k));
        mapped[k] = (reduce_value){sum, 0};
    }
}

/* ---- launches ---- */

/* One of three functions, by the number of views; with views as last arguments, or without. */
#define BY_COUNT(count, function, ...)                                                             \
    ((count) == 5   ? five##function(__VA_ARGS__)                                                  \
     : (count) == 9 ? nine##function(__VA_ARGS__)                                                  \
                    : most##function(__VA_ARGS__))
#define WITH_VIEWS(count, function, ...)                                                           \
    ((count) == 5   ? five##function(__VA_ARGS__, VIEWS_5)                                         \
     : (count) == 9 ? nine##function(__VA_ARGS__, VIEWS_9)                                         \
                    : most##function(__VA_ARGS__, factor, VIEWS_22))

/* ---- checks ---- */

typedef struct views_case {
    int views, exec;
    stn_format arithmetic;
    int64_t extent[2];
    reduce_rule rule;
} views_case;

static void check(const views_case *c, const char *what, int64_t at, double found,
                  reduce_value expected)
{
    if (!reduce_same(&c->rule, (reduce_value){found, 0}, expected))
        fail_msg("%s of %d views in %s, %d x %d, executor %d: output %d is %a, not %a", what,
                 c->views, c->arithmetic == STN_F32 ? "f32" : "f64", (int)c->extent[0],
                 (int)c->extent[1], c->exec, (int)at, found, expected.real);
}

/* The line of mapped elements that an output is of. */
static int64_t gather(const views_case *c, unsigned reduced, int64_t output, reduce_value *line)
{
    const int64_t rows = c->extent[0], columns = c->extent[1];
    const int64_t count = reduced == 1 ? rows : columns;
    for (int64_t k = 0; k < count; k++)
        line[k] = mapped[reduced == 1 ? k * columns + output : output * columns + k];
    return count;
}

static reduce_value line[ELEMENTS], scanned[ELEMENTS];
static double found[ELEMENTS];

static double value_at(const views_case *c, int64_t k)
{
    float narrow;
    memcpy(&narrow, (const char *)found + 4 * k, sizeof narrow);
    return c->arithmetic == STN_F32 ? (double)narrow : found[k];
}

static void check_whole(const views_case *c)
{
    const reduce_value expected = reduce_order(&c->rule, mapped, NULL, c->extent[0] * c->extent[1]);
    expect_ok(WITH_VIEWS(c->views, _reduce, check_execs[c->exec], c->arithmetic, found));
    check(c, "the whole", 0, *found, expected);
}

static void check_lines(const views_case *c, unsigned reduced)
{
    const int64_t outputs = c->extent[reduced == 1];
    const stn_view to = check_view("result", c->arithmetic, found, 1, &outputs, NULL);
    memset(found, 0x55, sizeof found);
    expect_ok(
        WITH_VIEWS(c->views, _reduce_into, check_execs[c->exec], c->arithmetic, reduced, &to));
    for (int64_t o = 0; o < outputs; o++) {
        const int64_t count = gather(c, reduced, o, line);
        check(c, reduced == 1 ? "columns" : "rows", o, value_at(c, o),
              reduce_order(&c->rule, line, NULL, count));
    }
}

static void check_scans(const views_case *c, int dimension, int exclusive)
{
    const int64_t columns = c->extent[1], lines = c->extent[dimension == 0];
    const stn_view to = check_view("result", c->arithmetic, found, 2, c->extent, NULL);
    expect_ok(WITH_VIEWS(c->views, _running_scan_dimension, check_execs[c->exec], c->arithmetic,
                         (stn_scan_kind)exclusive, dimension, &to));
    for (int64_t o = 0; o < lines; o++) {
        const int64_t count = gather(c, dimension == 0 ? 1 : 2, o, line);
        reduce_scan(&c->rule, exclusive, line, count, scanned);
        for (int64_t k = 0; k < count; k++)
            check(c, "scans", o, value_at(c, dimension == 0 ? k * columns + o : o * columns + k),
                  scanned[k]);
    }
}

/* The rows before one of them, and from it on. */
static void check_parts(const views_case *c)
{
    static stn_partial part[2];
    stn_view all[VIEWS];
    const int64_t row = c->extent[0] / 3, columns = c->extent[1];
    memcpy(all, x, sizeof all);
    for (int p = 0; p < 2; p++) {
        for (int v = 0; v < VIEWS; v++) {
            const stn_slice rows[] = {
                p ? stn_slice_range(row, c->extent[0]) : stn_slice_range(0, row), stn_slice_all()};
            expect_ok(stn_view_slice(&x[v], &all[v], 2, rows));
        }
        expect_ok(WITH_VIEWS(c->views, _reduce_part, check_execs[c->exec], c->arithmetic,
                             p ? row * columns : 0, &part[p]));
    }
    memcpy(x, all, sizeof all);
    expect_ok(BY_COUNT(c->views, _reduce_merge, &part[0], &part[1]));
    expect_ok(BY_COUNT(c->views, _reduce_finish, &part[0], found));
    check(c, "parts", 0, *found, reduce_order(&c->rule, mapped, NULL, c->extent[0] * columns));
}

static void check_all(views_case *c)
{
    for (c->exec = 0; c->exec < CHECK_EXECS; c->exec++) {
        check_whole(c);
        check_parts(c);
        for (unsigned reduced = 1; reduced <= 2; reduced++)
            check_lines(c, reduced);
        for (int way = 0; way < 4; way++)
            check_scans(c, way / 2, way % 2);
    }
}

static void check_views(int views)
{
    static const int64_t extents[][2] = {{131, 700}, {300, 9},  {1030, 40},
                                         {9, 131},   {5, 3001}, {1, 513}};
    for (int k = 0; k < COUNT_OF(extents); k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            views_case c = {.views = views, .arithmetic = narrow ? STN_F32 : STN_F64};
            memcpy(c.extent, extents[k], sizeof c.extent);
            c.rule = (reduce_rule){.operation = REDUCE_SUM, .arithmetic = c.arithmetic};
            make_views(c.arithmetic, c.extent);
            map(c.arithmetic, views, c.extent[0] * c.extent[1]);
            check_all(&c);
        }
}

UNIT_TEST(test_five_views)
{
    check_views(5);
}

UNIT_TEST(test_nine_views)
{
    check_views(9);
}

UNIT_TEST(test_most_views)
{
    assert_int_equal(most_reduction.kernel.count, VIEWS + 1);
    check_views(VIEWS);
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
