/* Complex reductions against their definition (doc/order.md), written a second time: lanes, tiles,
 * and the tree over them, on pairs of numbers. */
#include <math.h>

#include "check.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_COMPLEX(total, sum, (in(x)), x)
STN_REDUCE_COMPLEX(grown, product, (in(x)), x)
STN_REDUCE_COMPLEX(inner, products, (in(x), in(y)), x, y)
STN_REDUCE_COMPLEX(size1, norm1, (in(x)), x)
STN_REDUCE_COMPLEX(size2, norm2, (in(x)), x)
STN_REDUCE_COMPLEX(largest, norm_inf, (in(x)), x)
#define NOTHING ((real_t){0, 0})
STN_REDUCE_COMPLEX_BY(left, (in(x)), x, a, a, NOTHING)
/* Products of parts in a program's own words, which gcc must not fuse. */
#define TURNED(a, b) ((real_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re})
#define UNTURNED     ((real_t){1, 0})
STN_REDUCE_COMPLEX(turned, sum, (in(x), in(y)), TURNED(x, y))
STN_REDUCE_COMPLEX_BY(turning, (in(x)), x, TURNED(a, b), a, UNTURNED)
/* clang-format on */

enum { MOST = 6000 };

/* ---- the definition, in either width ---- */
#define DEFINE(T, real, fused, root)                                                               \
    static stn_##T start_##T(int way, stn_##T x, stn_##T y)                                        \
    {                                                                                              \
        const real re = x.re * y.re, im = x.re * y.im;                                             \
        const real both[2] = {re - x.im * y.im, im + x.im * y.re};                                 \
        if (way == 2 || way == 7)                                                                  \
            return (stn_##T){both[0], both[1]};                                                    \
        if (way == 4)                                                                              \
            return (stn_##T){fused(x.im, x.im, x.re * x.re), 0};                                   \
        if (way == 3 || way == 5)                                                                  \
            return (stn_##T){size_##T(x), 0};                                                      \
        return x;                                                                                  \
    }                                                                                              \
    static stn_##T join_##T(int way, stn_##T a, stn_##T b)                                         \
    {                                                                                              \
        const real re = a.re * b.re, im = a.re * b.im;                                             \
        if (way == 1 || way == 8)                                                                  \
            return (stn_##T){re - a.im * b.im, im + a.im * b.re};                                  \
        if (way == 5)                                                                              \
            return a.re > b.re ? a : b;                                                            \
        return way == 6 ? a : (stn_##T){a.re + b.re, a.im + b.im};                                 \
    }                                                                                              \
    static stn_##T next_##T(int way, stn_##T a, stn_##T x, stn_##T y)                              \
    {                                                                                              \
        if (way == 2)                                                                              \
            return (stn_##T){fused(-x.im, y.im, fused(x.re, y.re, a.re)),                          \
                             fused(x.im, y.re, fused(x.re, y.im, a.im))};                          \
        if (way == 4)                                                                              \
            return (stn_##T){fused(x.im, x.im, fused(x.re, x.re, a.re)), 0};                       \
        return join_##T(way, a, start_##T(way, x, y));                                             \
    }                                                                                              \
    static stn_##T tile_##T(int way, const stn_##T *x, const stn_##T *y, int64_t step,             \
                            int64_t count)                                                         \
    {                                                                                              \
        stn_##T lane[32];                                                                          \
        for (int64_t k = 0; k < count; k++)                                                        \
            lane[k % 32] = k < 32 ? start_##T(way, x[k * step], y[k * step])                       \
                                  : next_##T(way, lane[k % 32], x[k * step], y[k * step]);         \
        for (int64_t half = 16; half > 0; half /= 2)                                               \
            for (int64_t l = 0; l < half && l + half < count; l++)                                 \
                lane[l] = join_##T(way, lane[l], lane[l + half]);                                  \
        return lane[0];                                                                            \
    }                                                                                              \
    static stn_##T tree_##T(int way, const stn_##T *x, const stn_##T *y, int64_t step,             \
                            int64_t count)                                                         \
    {                                                                                              \
        int64_t half = 128;                                                                        \
        if (count <= half)                                                                         \
            return tile_##T(way, x, y, step, count);                                               \
        while (2 * half < count)                                                                   \
            half *= 2;                                                                             \
        return join_##T(way, tree_##T(way, x, y, step, half),                                      \
                        tree_##T(way, x + half * step, y + half * step, step, count - half));      \
    }                                                                                              \
    static stn_##T expected_##T(int way, const stn_##T *x, const stn_##T *y, int64_t step,         \
                                int64_t count)                                                     \
    {                                                                                              \
        stn_##T value = tree_##T(way, x, y, step, count);                                          \
        if (way == 4)                                                                              \
            value.re = root(value.re);                                                             \
        return value;                                                                              \
    }
static double size_c128_re(double re, double im)
{
    return sqrt(fma(re, re, im * im)); /* in range here */
}
static double size_c128(stn_c128 x)
{
    return size_c128_re(fabs(x.re), fabs(x.im));
}
static float size_c64(stn_c64 x)
{
    return (float)size_c128_re((double)x.re, (double)x.im);
}
/* clang-format off */
DEFINE(c128, double, fma, sqrt)
DEFINE(c64, float, fmaf, sqrtf)
/* clang-format on */

/* ---- data ---- */

static stn_c128 x_wide[MOST], y_wide[MOST];
static stn_c64 x_narrow[MOST], y_narrow[MOST];

static int prepare(void **context)
{
    uint64_t state = 9;
    for (int k = 0; k < MOST; k++) {
        double part[4];
        for (int p = 0; p < 4; p++)
            part[p] = (double)(int64_t)(order_next(&state) >> 42) / 2097152.0 - 1.0;
        x_narrow[k] = (stn_c64){(float)part[0], (float)part[1]};
        y_narrow[k] = (stn_c64){(float)part[2], (float)part[3]};
        x_wide[k] = (stn_c128){part[0], part[1]};
        y_wide[k] = (stn_c128){part[2], part[3]};
    }
    return check_make_execs(context);
}

enum { WAYS = 9 };
static const char *const names[WAYS] = {"sum",      "product", "products", "norm1",  "norm2",
                                        "norm_inf", "own",     "turned",   "turning"};

static int is_real(int way)
{
    return way >= 3 && way <= 5;
}

static stn_status whole(int way, const stn_exec *exec, stn_format arithmetic, void *result,
                        const stn_view *x, const stn_view *y)
{
    return way == 0   ? total_reduce(exec, arithmetic, result, x)
           : way == 1 ? grown_reduce(exec, arithmetic, result, x)
           : way == 2 ? inner_reduce(exec, arithmetic, result, x, y)
           : way == 3 ? size1_reduce(exec, arithmetic, result, x)
           : way == 4 ? size2_reduce(exec, arithmetic, result, x)
           : way == 5 ? largest_reduce(exec, arithmetic, result, x)
           : way == 6 ? left_reduce(exec, arithmetic, result, x)
           : way == 7 ? turned_reduce(exec, arithmetic, result, x, y)
                      : turning_reduce(exec, arithmetic, result, x);
}

static stn_status into(int way, const stn_exec *exec, stn_format arithmetic, unsigned reduced,
                       const stn_view *result, const stn_view *x, const stn_view *y)
{
    return way == 0   ? total_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 1 ? grown_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 2 ? inner_reduce_into(exec, arithmetic, reduced, result, x, y)
           : way == 3 ? size1_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 4 ? size2_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 5 ? largest_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 6 ? left_reduce_into(exec, arithmetic, reduced, result, x)
           : way == 7 ? turned_reduce_into(exec, arithmetic, reduced, result, x, y)
                      : turning_reduce_into(exec, arithmetic, reduced, result, x);
}

/* ---- checks ---- */

/* Elements from `first` on, `step` apart. */
static void expect(int way, stn_format arithmetic, const void *found, int64_t first, int64_t step,
                   int64_t count, const char *what)
{
    const stn_c128 wide = expected_c128(way, x_wide + first, y_wide + first, step, count);
    const stn_c64 narrow = expected_c64(way, x_narrow + first, y_narrow + first, step, count);
    const size_t parts = is_real(way) ? 1 : 2;
    const int same = arithmetic == STN_C128 ? memcmp(found, &wide, parts * sizeof(double)) == 0
                                            : memcmp(found, &narrow, parts * sizeof(float)) == 0;
    if (!same)
        fail_msg("%s of %d elements, %s, %s", names[way], (int)count, what,
                 arithmetic == STN_C128 ? "c128" : "c64");
}

UNIT_TEST(test_whole)
{
    static const int64_t counts[] = {1, 2, 31, 32, 33, 100, 127, 128, 129, 300, 2049, MOST};
    for (int c = 0; c < COUNT_OF(counts); c++)
        for (int way = 0; way < WAYS; way++)
            for (int e = 0; e < CHECK_EXECS; e++)
                for (int narrow = 0; narrow < 2; narrow++) {
                    const stn_format arithmetic = narrow ? STN_C64 : STN_C128;
                    const stn_view x =
                        check_line(arithmetic, narrow ? (void *)x_narrow : x_wide, counts[c]);
                    const stn_view y =
                        check_line(arithmetic, narrow ? (void *)y_narrow : y_wide, counts[c]);
                    double found[2] = {0};
                    expect_ok(whole(way, check_execs[e], arithmetic, found, &x, &y));
                    const float rounded[2] = {(float)found[0], (float)found[1]};
                    expect(way, arithmetic, narrow ? (const void *)rounded : found, 0, 1, counts[c],
                           "the whole");
                    assert_true(!narrow ||
                                (found[0] == (double)rounded[0] && found[1] == (double)rounded[1]));
                }
}

static void check_into(int way, int e, int narrow, int64_t rows, int64_t columns, unsigned reduced)
{
    static char found[MOST * sizeof(stn_c128)];
    const stn_format arithmetic = narrow ? STN_C64 : STN_C128;
    const stn_format to = !is_real(way) ? arithmetic : narrow ? STN_F32 : STN_F64;
    const int64_t bytes = to == STN_C128 ? 16 : to == STN_F32 ? 4 : 8;
    const int64_t extents[] = {rows, columns}, outputs = reduced == 1 ? columns : rows;
    const stn_view x =
        check_view("x", arithmetic, narrow ? (void *)x_narrow : x_wide, 2, extents, NULL);
    const stn_view y =
        check_view("y", arithmetic, narrow ? (void *)y_narrow : y_wide, 2, extents, NULL);
    const stn_view result = check_view("result", to, found, 1, &outputs, NULL);
    expect_ok(into(way, check_execs[e], arithmetic, reduced, &result, &x, &y));
    for (int64_t o = 0; o < outputs; o++)
        expect(way, arithmetic, found + o * bytes, reduced == 1 ? o : o * columns,
               reduced == 1 ? columns : 1, reduced == 1 ? rows : columns,
               reduced == 1 ? "a column" : "a row");
}

UNIT_TEST(test_rows_and_columns)
{
    static const int64_t shapes[][2] = {{3, 300}, {300, 3},  {200, 8}, {8, 200},
                                        {40, 20}, {20, 100}, {1, 77},  {150, 40}};
    for (int s = 0; s < COUNT_OF(shapes); s++)
        for (int way = 0; way < WAYS; way++)
            for (int e = 0; e < CHECK_EXECS; e++)
                for (int narrow = 0; narrow < 2; narrow++)
                    for (unsigned reduced = 1; reduced <= 2; reduced++)
                        check_into(way, e, narrow, shapes[s][0], shapes[s][1], reduced);
}

/* Cut anywhere, merged, and finished: the bits of the whole. */
UNIT_TEST(test_parts)
{
    static const int64_t cuts[] = {0, 1, 100, 128, 777, 2048, MOST};
    static stn_partial low, high;
    for (int c = 0; c < COUNT_OF(cuts); c++) {
        const stn_view x = check_line(STN_C128, x_wide, cuts[c]);
        const stn_view y = check_line(STN_C128, y_wide, cuts[c]);
        const stn_view x2 = check_line(STN_C128, x_wide + cuts[c], MOST - cuts[c]);
        const stn_view y2 = check_line(STN_C128, y_wide + cuts[c], MOST - cuts[c]);
        double found[2] = {0};
        expect_ok(inner_reduce_part(check_execs[2], STN_C128, 0, &low, &x, &y));
        expect_ok(inner_reduce_part(check_execs[1], STN_C128, cuts[c], &high, &x2, &y2));
        expect_ok(inner_reduce_merge(&low, &high));
        expect_ok(inner_reduce_finish(&low, (stn_c128 *)found));
        expect(2, STN_C128, found, 0, 1, MOST, "in parts");
        expect_ok(size2_reduce_part(check_execs[2], STN_C128, 0, &low, &x));
        expect_ok(size2_reduce_part(check_execs[1], STN_C128, cuts[c], &high, &x2));
        expect_ok(size2_reduce_merge(&low, &high));
        expect_ok(size2_reduce_finish(&low, found));
        expect(4, STN_C128, found, 0, 1, MOST, "in parts");
    }
}

/* Squares beyond the range, and parts of sizes that leave it. */
UNIT_TEST(test_range)
{
    static const double factors[] = {0x1p1000, 0x1p-1000};
    static stn_c128 values[1000];
    for (int f = 0; f < 2; f++) {
        const stn_view x = check_line(STN_C128, values, 1000);
        for (int k = 0; k < 1000; k++)
            values[k] = (stn_c128){3.0 * factors[f], -4.0 * factors[f]};
        for (int e = 0; e < CHECK_EXECS; e++) {
            double found;
            expect_ok(size2_reduce(check_execs[e], STN_C128, &found, &x));
            assert_true(fabs(found / factors[f] - 5.0 * sqrt(1000.0)) < 1e-10);
            expect_ok(largest_reduce(check_execs[e], STN_C128, &found, &x));
            assert_true(found == 5.0 * factors[f]);
            expect_ok(size1_reduce(check_execs[e], STN_C128, &found, &x));
            assert_true(found == 5000.0 * factors[f]);
        }
    }
}

RUN_UNIT_TESTS(prepare, check_release_execs)
