/* Reductions whose state has several values: the bits of the order of doc/order.md, written here a
 * second time, for the whole, rows, columns and parts, from several formats and strides, on every
 * executor of the host; results that are refused. */
#define STN_KERNEL_ONE_VERSION
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "reduce_check.h"
#include "steno/array_functions.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_STATE(moments, (in(x)),
    (count, mean, squares), (1, x, 0), (a.mean, a.squares / a.count), (0, 0, 0),
    const real_t count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    a.squares = a.squares + b.squares + step * step * (a.count * share);
    a.mean += step * share;
    a.count = count;)
STN_REDUCE_STATE(extremes, (at(i, j), index(columns), in(x)),
    (least, where, most, last), (x, i * columns + j, x, i * columns + j),
    (a.least, a.where, a.most, a.last), (INFINITY, -1, -INFINITY, -1),
    if (b.least < a.least || (b.least == a.least && b.where < a.where))
        a.least = b.least, a.where = b.where;
    if (b.most > a.most || (b.most == a.most && b.last > a.last))
        a.most = b.most, a.last = b.last;)
STN_REDUCE_STATE(dots, (in(x), in(y)),
    (xx, xy, yy), (x * x, x * y, y * y), (a.xy / sqrt(a.xx * a.yy)), (0, 0, 0),
    a.xx += b.xx; a.xy += b.xy; a.yy += b.yy;)
STN_REDUCE_STATE(logsumexp, (in(x)),
    (most, sum), (x, 1), (a.most + log(a.sum)), (-INFINITY, 1),
    const real_t most = fmax(a.most, b.most);
    a.sum = a.sum * exp(a.most - most) + b.sum * exp(b.most - most);
    a.most = most;)
STN_REDUCE_INTEGER_STATE(range, (in(x)),
    (least, most), (x, x), (a.least, a.most, (int64_t)((uint64_t)a.most - (uint64_t)a.least)),
    (INT64_MAX, INT64_MIN),
    a.least = b.least < a.least ? b.least : a.least;
    a.most = b.most > a.most ? b.most : a.most;)
STN_REDUCE_COMPLEX_STATE(both, (in(x)),
    (sum, product), (x, x), (a.sum, a.product), (stn_c_of(0, 0), stn_c_of(1, 0)),
    a.sum = stn_c_add(a.sum, b.sum);
    a.product = stn_c_multiply(a.product, b.product);)
/* clang-format on */

/* ---- expected moments ---- */

typedef struct state {
    double count, mean, squares;
} state;

/* In f32, each operation is rounded to float. */
static state merge(stn_format arithmetic, state a, state b)
{
    if (arithmetic == STN_F32) {
        const float an = (float)a.count, am = (float)a.mean, bn = (float)b.count;
        const float count = an + bn, share = bn / count, step = (float)b.mean - am;
        const float weight = an * share, square = step * step, more = square * weight;
        const float sum = (float)a.squares + (float)b.squares, moved = step * share;
        return (state){(double)count, (double)(am + moved), (double)(sum + more)};
    }
    const double count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    const double weight = a.count * share, square = step * step, more = square * weight;
    const double moved = step * share, sum = a.squares + b.squares;
    return (state){count, a.mean + moved, sum + more};
}

static state tile_of(stn_format arithmetic, const double *x, int64_t count)
{
    state lane[32];
    int64_t held = count < 32 ? count : 32;
    for (int64_t e = 0; e < count; e++) {
        const state one = {1, x[e], 0};
        lane[e % 32] = e < 32 ? one : merge(arithmetic, lane[e % 32], one);
    }
    for (int64_t h = 16; h > 0; h /= 2) {
        for (int64_t l = 0; l < h && l + h < held; l++)
            lane[l] = merge(arithmetic, lane[l], lane[l + h]);
        held = held < h ? held : h;
    }
    return lane[0];
}

/* The tree over tiles begin to end - 1: the largest power of two of tiles, and the rest. */
static state tree_of(stn_format arithmetic, const double *x, int64_t count)
{
    int64_t left = 128;
    if (count <= 128)
        return tile_of(arithmetic, x, count);
    while (2 * left < count)
        left *= 2;
    return merge(arithmetic, tree_of(arithmetic, x, left),
                 tree_of(arithmetic, x + left, count - left));
}

/* ---- data ---- */

enum { MOST = 60000 };
static double codes[MOST], values[MOST], line[MOST], found[2 * MOST];

static stn_view make_view(stn_format format, const int64_t *extent, int by_column)
{
    const stn_storage storage = stn_storage_of(format);
    const int64_t strides[] = {by_column ? 1 : extent[1], by_column ? extent[0] : 1};
    stn_view x = check_view("x", format, codes, 2, extent, strides);
    for (int64_t i = 0; i < extent[0]; i++)
        for (int64_t j = 0; j < extent[1]; j++) {
            const int64_t k = i * extent[1] + j;
            void *code;
            values[k] = (double)((k * 7919 + k / 31) % 1009 - 300) / 8.0;
            expect_ok(stn_view_address(&x, 2, (const int64_t[]){i, j}, &code));
            expect_ok(stn_encode(STN_F64, &storage, code, 1, 0, &values[k], 1));
            expect_ok(stn_decode(STN_F64, &values[k], &storage, code, 1, 1));
        }
    return x;
}

static void expect_moments(stn_format arithmetic, const double *x, int64_t count, double mean,
                           double variance, const char *words)
{
    const state s = tree_of(arithmetic, x, count);
    const double expected =
        arithmetic == STN_F32 ? (double)((float)s.squares / (float)s.count) : s.squares / s.count;
    if (mean != s.mean || variance != expected)
        fail_msg("%s: %a and %a, not %a and %a", words, mean, variance, s.mean, expected);
}

static double stored(stn_format arithmetic, int64_t k)
{
    float narrow;
    memcpy(&narrow, (const char *)found + 4 * k, sizeof narrow);
    return arithmetic == STN_F32 ? (double)narrow : found[k];
}

static void check_lines(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                        unsigned reduced, const char *words)
{
    const int64_t rows = x->extent[0], columns = x->extent[1];
    const int64_t outputs = reduced == 1 ? columns : rows, count = reduced == 1 ? rows : columns;
    const int64_t extent[] = {outputs, 2};
    const stn_view result = check_view("result", arithmetic, found, 2, extent, NULL);
    expect_ok_for(moments_reduce_into(exec, arithmetic, reduced, &result, x), words);
    for (int64_t o = 0; o < outputs; o++) {
        for (int64_t k = 0; k < count; k++)
            line[k] = values[reduced == 1 ? k * columns + o : o * columns + k];
        expect_moments(arithmetic, line, count, stored(arithmetic, 2 * o),
                       stored(arithmetic, 2 * o + 1), words);
    }
}

static void check_parts(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                        const char *words)
{
    static stn_partial part[2];
    const int64_t row = x->extent[0] / 3, columns = x->extent[1];
    double result[2];
    for (int p = 0; p < 2; p++) {
        stn_view some;
        const stn_slice slices[] = {
            p ? stn_slice_range(row, x->extent[0]) : stn_slice_range(0, row), stn_slice_all()};
        expect_ok(stn_view_slice(&some, x, 2, slices));
        expect_ok(moments_reduce_part(exec, arithmetic, p ? row * columns : 0, &part[p], &some));
    }
    expect_ok(moments_reduce_merge(&part[0], &part[1]));
    expect_ok(moments_reduce_finish(&part[0], result));
    expect_moments(arithmetic, values, x->extent[0] * columns, result[0], result[1], words);
}

UNIT_TEST(test_moments)
{
    static const int64_t extents[][2] = {{1, 1},    {3, 50},   {130, 9},  {9, 131},
                                         {300, 40}, {40, 300}, {2, 4097}, {513, 100}};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    for (int k = 0; k < 2 * COUNT_OF(extents) * CHECK_EXECS; k++) {
        const int64_t *const extent = extents[k / 2 % COUNT_OF(extents)];
        const int e = k / 2 / COUNT_OF(extents);
        const stn_format arithmetic = k % 2 ? STN_F32 : STN_F64;
        const stn_view x = make_view(formats[(k / 2 + e) % 4], extent, (k + e) / 2 % 2);
        double result[2];
        char words[80];
        snprintf(words, sizeof words, "case %d, executor %d", k, e);
        expect_ok_for(moments_reduce(check_execs[e], arithmetic, result, &x), words);
        expect_moments(arithmetic, values, extent[0] * extent[1], result[0], result[1], words);
        check_lines(check_execs[e], arithmetic, &x, 1, words);
        check_lines(check_execs[e], arithmetic, &x, 2, words);
        check_parts(check_execs[e], arithmetic, &x, words);
    }
}

/* ---- other states ---- */

UNIT_TEST(test_extremes_with_locations)
{
    const int64_t extent[] = {37, 211};
    const stn_view x = make_view(STN_F16, extent, 0);
    int64_t least = 0, last = 0;
    for (int64_t k = 1; k < extent[0] * extent[1]; k++) {
        least = values[k] < values[least] ? k : least;
        last = values[k] >= values[last] ? k : last;
    }
    for (int e = 0; e < CHECK_EXECS; e++) {
        double result[4];
        const int64_t rows[] = {37, 4};
        const stn_view to = check_view("result", STN_F64, found, 2, rows, NULL);
        expect_ok(extremes_reduce(check_execs[e], STN_F64, result, extent[1], &x));
        assert_true(result[0] == values[least] && result[1] == (double)least);
        assert_true(result[2] == values[last] && result[3] == (double)last);
        expect_ok(extremes_reduce_into(check_execs[e], STN_F64, 1u << 1, &to, extent[1], &x));
        for (int64_t i = 0; i < 37; i++)
            assert_true(found[4 * i] == values[(int64_t)found[4 * i + 1]]);
    }
}

UNIT_TEST(test_pairs)
{
    const double x[] = {1, 2, 3, 4}, y[] = {2, 4, 6, 8}, far[] = {1000, 1000};
    const int64_t integers[] = {5, -7, 3};
    const stn_c128 numbers[] = {{1, 1}, {2, 0}, {0, 1}};
    const stn_view a = check_line(STN_F64, x, 4), b = check_line(STN_F64, y, 4);
    const stn_view i = check_line(STN_I64, integers, 3), z = check_line(STN_C128, numbers, 3);
    const stn_view large = check_line(STN_F64, far, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        double cosine, sum;
        int64_t ends[3];
        stn_c128 results[2];
        expect_ok(dots_reduce(check_execs[e], STN_F64, &cosine, &a, &b));
        assert_true(cosine == 1.0);
        expect_ok(logsumexp_reduce(check_execs[e], STN_F64, &sum, &large));
        assert_true(fabs(sum - (1000 + log(2))) < 1e-12);
        expect_ok(range_reduce(check_execs[e], STN_I64, ends, &i));
        assert_true(ends[0] == -7 && ends[1] == 5 && ends[2] == 12);
        expect_ok(both_reduce(check_execs[e], STN_C128, results, &z));
        assert_true(results[0].re == 3 && results[0].im == 2);
        assert_true(results[1].re == -2 && results[1].im == 2);
    }
}

UNIT_TEST(test_no_elements)
{
    const stn_view none = check_line(STN_F64, codes, 0);
    double result[4] = {0};
    expect_ok(moments_reduce(check_execs[1], STN_F64, result, &none));
    assert_true(result[0] == 0 && isnan(result[1]));
    int64_t ends[3];
    const stn_view integers = check_line(STN_I64, codes, 0);
    expect_ok(range_reduce(check_execs[1], STN_I64, ends, &integers));
    assert_true(ends[0] == INT64_MAX && ends[1] == INT64_MIN);
}

UNIT_TEST(test_refused)
{
    static stn_partial moments_part, dots_part;
    const int64_t extent[] = {2, 3}, two = 2, ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const stn_view x = check_view("x", STN_F64, codes, 2, extent, NULL);
    const stn_view flat = check_line(STN_F64, found, two);
    const stn_view deep = check_view("x", STN_F64, codes, 8, ones, NULL);
    const stn_view same = check_view("to", STN_F64, found, 8, ones, NULL);
    double result[2];
    expect_error(moments_reduce_into(check_execs[1], STN_F64, 1u << 1, &flat, &x), STN_ERR_SHAPE,
                 "result must have extents 2 x 2");
    expect_error(moments_reduce_into(check_execs[1], STN_F64, 0, &same, &deep), STN_ERR_SHAPE,
                 "result would have rank 9: 8 dimensions and one for 2 results");
    expect_error(moments_reduce(check_execs[1], STN_I64, result, &x), STN_ERR_ARGUMENT,
                 "it must be f64 or f32");
    expect_ok(moments_reduce_part(check_execs[1], STN_F64, 0, &moments_part, &x));
    expect_ok(dots_reduce_part(check_execs[1], STN_F64, 6, &dots_part, &x, &x));
    expect_error(moments_reduce_merge(&moments_part, &dots_part), STN_ERR_ARGUMENT,
                 "belongs to another operation");
}

/* ---- mean and variance of array_functions.h ---- */

/* The variance in extended precision, by two passes. */
static long double variance_of(const double *x, int64_t count, long double *mean)
{
    long double sum = 0, squares = 0;
    for (int64_t k = 0; k < count; k++)
        sum += (long double)x[k];
    *mean = sum / (long double)count;
    for (int64_t k = 0; k < count; k++)
        squares += ((long double)x[k] - *mean) * ((long double)x[k] - *mean);
    return squares / (long double)count;
}

UNIT_TEST(test_variance_is_accurate)
{
    static const double offsets[] = {0, 1e3, 1e6, 1e9};
    static const int64_t counts[] = {2, 100, 129, 5000, 60000};
    for (int k = 0; k < COUNT_OF(offsets) * COUNT_OF(counts); k++) {
        const int64_t count = counts[k / COUNT_OF(offsets)];
        long double mean;
        double found_mean, found_variance;
        for (int64_t e = 0; e < count; e++)
            values[e] = offsets[k % COUNT_OF(offsets)] + (double)((e * 7919) % 1009) / 1024.0;
        const long double exact = variance_of(values, count, &mean);
        const double ratio = (double)(mean * mean / exact);
        const stn_view x = check_line(STN_F64, values, count);
        expect_ok(stn_mean(check_execs[2], STN_F64, &found_mean, &x));
        expect_ok(stn_variance(check_execs[2], STN_F64, &found_variance, &x, 0));
        const double bound =
            4 * (ceil(log2((double)count)) + 1) * DBL_EPSILON / 2 * sqrt(1 + ratio);
        assert_true(fabsl((long double)found_mean - mean) <=
                    (ceil(log2((double)count)) + 4) * DBL_EPSILON / 2 * (double)fabsl(mean));
        assert_true(fabsl((long double)found_variance - exact) <= (long double)bound * exact);
    }
}

UNIT_TEST(test_mean_and_variance)
{
    const double x[2][4] = {{1, 2, 3, 4}, {2, 2, 2, 6}}, infinite[] = {INFINITY, 1, 2};
    const stn_c128 numbers[] = {{1, 2}, {3, 6}};
    const int64_t extent[] = {2, 4};
    const stn_view all = check_view("x", STN_F64, x, 2, extent, NULL);
    const stn_view lost = check_line(STN_F64, infinite, 3), none = check_line(STN_F64, x, 0);
    const stn_view one = check_line(STN_F64, x, 1), z = check_line(STN_C128, numbers, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        const stn_exec *const exec = check_execs[e];
        double value, rows[2];
        stn_c128 complex, into;
        const stn_view to = check_line(STN_F64, rows, 2);
        const stn_view to_complex = check_view("mean", STN_C128, &into, 0, NULL, NULL);
        expect_ok(stn_mean(exec, STN_F64, &value, &all));
        assert_true(value == 2.75);
        expect_ok(stn_mean_into(exec, STN_F64, &to, &all, 1u << 1));
        assert_true(rows[0] == 2.5 && rows[1] == 3);
        expect_ok(stn_variance(exec, STN_F64, &value, &all, 0));
        assert_true(value == 2.1875);
        expect_ok(stn_variance_into(exec, STN_F32, &to, &all, 1u << 1, 1));
        assert_true(rows[0] == (double)(5.0f / 3.0f) && rows[1] == 4);
        expect_ok(stn_variance(exec, STN_F64, &value, &lost, 0));
        assert_true(isnan(value));
        expect_ok(stn_variance(exec, STN_F64, &value, &one, 1));
        assert_true(isnan(value));
        expect_ok(stn_variance(exec, STN_F64, &value, &none, 1));
        assert_true(isnan(value));
        expect_ok(stn_mean(exec, STN_F64, &value, &none));
        assert_true(isnan(value));
        expect_ok(stn_mean_complex(exec, STN_C128, &complex, &z));
        expect_ok(stn_mean_into(exec, STN_C128, &to_complex, &z, 1));
        assert_true(complex.re == 2 && complex.im == 4 && into.re == 2 && into.im == 4);
        expect_error(stn_variance(exec, STN_F64, &value, &all, -1), STN_ERR_ARGUMENT,
                     "stn_variance: ddof is -1; it must be at least 0");
        expect_error(stn_variance(exec, STN_C128, &value, &z, 0), STN_ERR_ARGUMENT, "must be f64");
        expect_error(stn_mean(exec, STN_F64, NULL, &all), STN_ERR_ARGUMENT, "result is NULL");
        expect_error(stn_mean_into(exec, STN_I64, &to, &all, 2), STN_ERR_ARGUMENT, "must be f64");
    }
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
