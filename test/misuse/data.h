/* Cases of test_misuse.c: data. */
#ifndef STENO_TEST_MISUSE_DATA_H
#define STENO_TEST_MISUSE_DATA_H

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "steno/accessor_view.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/event.h"
#include "steno/kernel.h"
#include "steno/reduce.h"

/* Two threads, for the life of the program. */
static inline const stn_exec *data_exec(void)
{
    static stn_exec *exec;
    if (!exec)
        expect_ok(stn_exec_create(&exec, "openmp:threads=2"));
    return exec;
}

static inline stn_view data_view(stn_storage storage, void *data, int rank, const int64_t *extents)
{
    stn_view view;
    expect_ok(stn_view_wrap(&view, "v", storage, data, rank, extents));
    return view;
}

/* ---- u64 of 2^63 and more ---- */

STN_MAP_INTEGER(data_itself, (inout(y)), y = y;)
STN_MAP_INTEGER(data_plus, (in(x), in(z), inout(y)), y = (int64_t)((uint64_t)x + (uint64_t)z);)
STN_REDUCE_INTEGER(data_total, sum, (in(x)), x)

enum { DATA_LARGE = 6 };
static const uint64_t data_large[DATA_LARGE] = {
    0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1024, UINT64_MAX};

/* An integer that i64 arithmetic does not have is told from one that is none. */
TEST_CASE(zero_points_of_i64_arithmetic)
{
    static const struct {
        double zero;
        const char *words;
    } cases[] = {
        {0x1p63, "zero point 9.22337e+18; in i64 arithmetic it must be between -2^63 and 2^63"},
        {-0x1p63, "zero point -9.22337e+18; in i64 arithmetic it must be between"},
        {1e300, "zero point 1e+300; in i64 arithmetic it must be between"},
        {2.5, "zero point 2.5; in i64 arithmetic it must be an integer"},
        {0x1p51 + 0.5, "in i64 arithmetic it must be an integer"}};
    const int64_t extents[] = {1};
    int64_t codes[1] = {0}, values[1] = {0};
    const stn_view y = data_view(stn_storage_of(STN_I64), values, 1, extents);
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_storage storage = stn_storage_of(STN_I64);
        storage.zero = cases[k].zero;
        const stn_view x = data_view(storage, codes, 1, extents);
        expect_error(data_plus_run(data_exec(), STN_I64, &x, &x, &y), STN_ERR_UNSUPPORTED,
                     cases[k].words);
    }
}

TEST_CASE(u64_keeps_its_bits_in_i64_arithmetic)
{
    const int64_t extents[] = {DATA_LARGE};
    uint64_t codes[DATA_LARGE], sums[DATA_LARGE], wanted = 0;
    int64_t total = 0;
    const stn_view x = data_view(stn_storage_of(STN_U64), codes, 1, extents);
    const stn_view y = data_view(stn_storage_of(STN_U64), sums, 1, extents);
    memcpy(codes, data_large, sizeof codes);
    expect_ok(data_itself_run(data_exec(), STN_I64, &x));
    assert_memory_equal(codes, data_large, sizeof codes);
    expect_ok(data_plus_run(data_exec(), STN_I64, &x, &x, &y));
    for (int k = 0; k < DATA_LARGE; k++) {
        assert_true(sums[k] == data_large[k] + data_large[k]);
        wanted += data_large[k];
    }
    expect_ok(data_total_reduce(data_exec(), STN_I64, &total, &x));
    assert_true((uint64_t)total == wanted);
    /* zero points do not matter: storing what was read changes nothing */
    for (stn_format format = STN_I64; format <= STN_U64; format += STN_U64 - STN_I64) {
        stn_storage storage = stn_storage_of(format);
        storage.zero = 5.0;
        const stn_view moved = data_view(storage, codes, 1, extents);
        expect_ok(data_itself_run(data_exec(), STN_I64, &moved));
        assert_memory_equal(codes, data_large, sizeof codes);
    }
}

TEST_CASE(copies_of_u64_keep_values_and_count)
{
    const int64_t extents[] = {DATA_LARGE};
    uint64_t codes[DATA_LARGE], moved[DATA_LARGE];
    int64_t to[DATA_LARGE];
    float floats[DATA_LARGE];
    stn_counters counters = {0, 0, 0};
    stn_storage counted = stn_storage_of(STN_I64), zero = stn_storage_of(STN_U64);
    counted.counters = &counters;
    zero.zero = -3.0;
    zero.counters = &counters;
    memcpy(codes, data_large, sizeof codes);
    const stn_view x = data_view(stn_storage_of(STN_U64), codes, 1, extents);
    const stn_view y = data_view(counted, to, 1, extents);
    const stn_view z = data_view(zero, moved, 1, extents);
    const stn_view f = data_view(stn_storage_of(STN_F32), floats, 1, extents);
    expect_ok(stn_view_copy(NULL, &y, &x));
    for (int k = 0; k < DATA_LARGE; k++)
        assert_true(to[k] == (data_large[k] > INT64_MAX ? INT64_MAX : (int64_t)data_large[k]));
    assert_int_equal(counters.saturated, 3);
    expect_ok(stn_view_copy(NULL, &z, &x)); /* value = code + 3 */
    for (int k = 0; k < DATA_LARGE; k++)
        assert_true(moved[k] == (data_large[k] < 3 ? 0 : data_large[k] - 3));
    assert_int_equal(counters.saturated, 5);
    expect_ok(stn_view_copy(NULL, &x, &z));
    for (int k = 0; k < DATA_LARGE; k++)
        assert_true(codes[k] == (data_large[k] < 3 ? 3 : data_large[k]));
    /* between two floats: rounded once; by way of a double it would be a tie */
    codes[0] = ((uint64_t)1 << 63) + ((uint64_t)1 << 39) + 1;
    codes[1] = ((uint64_t)1 << 63) + ((uint64_t)1 << 39);
    expect_ok(stn_view_copy(NULL, &f, &x));
    assert_true(floats[0] == 0x1.000002p63f && floats[1] == 0x1p63f);
    assert_true(floats[5] == 0x1p64f);
    to[0] = -(((int64_t)1 << 62) + ((int64_t)1 << 38) + 1);
    expect_ok(stn_view_copy(NULL, &f, &y));
    assert_true(floats[0] == -0x1.000002p62f);
}

/* ---- stochastic rounding of parts ---- */

STN_MAP(data_copy, (in(x), out(y)), y = x;)
STN_MAP(data_scatter, (at(i, j), in(x), scatter(y, 2)), STN_PUT(y, x, i, j);)
STN_MAP(data_scatter_line, (at(i), in(x), scatter(y, 1)), STN_PUT(y, x, i);)
STN_REDUCE(data_sum, sum, (in(x)), x)
STN_SCAN(data_running, sum, (in(x)), x)

#define STN_NAME     data_random
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_LAYOUT   STRIDED
#include "steno/accessor_define.h"
#include "make_view.h"
STN_ACCESSOR_FROM_VIEW(data_random)

enum { DATA_ROWS = 300, DATA_COLUMNS = 8, DATA_ALL = DATA_ROWS * DATA_COLUMNS };
static const int64_t data_shape[] = {DATA_ROWS, DATA_COLUMNS};

/* Ways to store 2.5 in every element of a part; the views are of the same extents. */
typedef void data_way(const stn_view *to, const stn_view *from);

static void data_by_copy(const stn_view *to, const stn_view *from)
{
    expect_ok(stn_view_copy(NULL, to, from));
}

static void data_by_fill(const stn_view *to, const stn_view *from)
{
    (void)from;
    expect_ok(stn_view_fill(NULL, to, 2.5));
}

static void data_by_kernel(const stn_view *to, const stn_view *from)
{
    expect_ok(data_copy_run(data_exec(), STN_F32, from, to));
}

static void data_by_scatter(const stn_view *to, const stn_view *from)
{
    if (to->rank == 2)
        expect_ok(data_scatter_run(data_exec(), STN_F64, from, to));
    else if (to->rank == 1)
        expect_ok(data_scatter_line_run(data_exec(), STN_F64, from, to));
    else
        data_by_copy(to, from);
}

static void data_by_set(const stn_view *to, const stn_view *from)
{
    int64_t indices[STN_MAX_RANK] = {0};
    const int64_t count = stn_view_count(to);
    (void)from;
    for (int64_t k = 0; k < count; k++) {
        for (int64_t d = to->rank - 1, rest = k; d >= 0; rest /= to->extent[d--])
            indices[d] = rest % to->extent[d];
        expect_ok(stn_view_set(to, to->rank, indices, 2.5));
    }
}

static void data_by_axpy(const stn_view *to, const stn_view *from)
{
    if (to->rank != 1) {
        data_by_copy(to, from);
        return;
    }
    expect_ok(stn_view_fill(NULL, to, 0.0));
    expect_ok(stn_axpy(data_exec(), STN_F64, 1.0, from, to));
}

static void data_by_reduction(const stn_view *to, const stn_view *from)
{
    stn_view wider;
    expect_ok(stn_view_insert_axis(&wider, from, from->rank));
    expect_ok(data_sum_reduce_into(data_exec(), STN_F64, 1u << from->rank, to, &wider));
}

static void data_by_scan(const stn_view *to, const stn_view *from)
{
    stn_view wider, result;
    expect_ok(stn_view_insert_axis(&wider, from, 0));
    expect_ok(stn_view_insert_axis(&result, to, 0));
    expect_ok(
        data_running_scan_dimension(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, 0, &result, &wider));
}

static void data_by_accessor(const stn_view *to, const stn_view *from)
{
    data_random x;
    if (to->rank != 2 || data_random_from_view(&x, to) != STN_OK) {
        data_by_copy(to, from);
        return;
    }
    for (int64_t i = 0; i < to->extent[0]; i++)
        for (int64_t j = 0; j < to->extent[1]; j++)
            data_random_set(x, i, j, 2.5);
}

static data_way *const data_ways[] = {data_by_copy,      data_by_fill, data_by_kernel,
                                      data_by_scatter,   data_by_set,  data_by_axpy,
                                      data_by_reduction, data_by_scan, data_by_accessor};

/* The parts that together are all of a view: rows, columns, halves of both with steps, and those
 * of a turned view. */
static void data_in_parts(const stn_view *to, const stn_view *from, data_way *store, int cut)
{
    const int order[] = {1, 0};
    const int64_t rows = to->extent[0], columns = to->extent[1];
    stn_view a, b;
    if (cut == 4) { /* columns, as rows of what is turned */
        expect_ok(stn_view_permute(&a, to, 2, order));
        expect_ok(stn_view_permute(&b, from, 2, order));
        data_in_parts(&a, &b, store, 0);
        return;
    }
    const int64_t parts = cut == 0 ? rows : cut == 1 ? columns : 4;
    for (int64_t p = 0; p < parts; p++) {
        const stn_slice lines[] = {stn_slice_index(p), stn_slice_all()};
        const stn_slice steps[] = {stn_slice_all(), stn_slice_index(p)};
        const stn_slice boxes[] = {
            stn_slice_range(p < 2 ? 0 : rows / 3, p < 2 ? rows / 3 : rows),
            stn_slice_strided(p % 2 ? columns - 1 : columns - 2, columns / 2, -2)};
        const stn_slice quarters[] = {
            stn_slice_strided(p / 2, rows / 2, 2),
            stn_slice_range(p % 2 * columns / 2, (p % 2 + 1) * columns / 2)};
        const stn_slice *slices[] = {lines, steps, boxes, quarters};
        expect_ok(stn_view_slice(&a, to, 2, slices[cut]));
        expect_ok(stn_view_slice(&b, from, 2, slices[cut]));
        if (cut == 3) { /* cut once more, from within */
            data_in_parts(&a, &b, store, 1);
            continue;
        }
        store(&a, &b);
    }
}

static void data_expect(const stn_view *view, const int8_t *wanted)
{
    for (int64_t i = 0; i < DATA_ROWS; i++)
        for (int64_t j = 0; j < DATA_COLUMNS; j++) {
            double value;
            expect_ok(STN_VIEW_GET(view, &value, i, j));
            assert_int_equal((int)value, wanted[i * DATA_COLUMNS + j]);
        }
}

/* Whatever the way and the cut, each element rounds as its number in the whole says. */
TEST_CASE(stochastic_parts_round_as_the_whole)
{
    static float values[DATA_ALL];
    static int8_t wanted[DATA_ALL];
    const char *layouts[] = {"right", "left", "tiled:4x3", "morton"};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 77;
    const stn_view from = data_view(stn_storage_of(STN_F32), values, 2, data_shape);
    for (int k = 0; k < DATA_ALL; k++) {
        values[k] = 2.5f;
        expect_ok(stn_encode(STN_F32, &storage, &wanted[k], 1, k, &values[k], 1));
    }
    for (int l = 0; l < 4; l++)
        for (int w = 0; w < COUNT_OF(data_ways); w++)
            for (int cut = 0; cut < 5; cut++) {
                stn_layout layout;
                stn_view to, handle;
                const int takes_any = data_ways[w] == data_by_copy ||
                                      data_ways[w] == data_by_fill || data_ways[w] == data_by_set;
                if (l > 1 && !takes_any)
                    continue;
                expect_ok(stn_layout_parse(layouts[l], &layout));
                to = create_view(NULL, "t", storage, &layout, 2, data_shape, 0);
                expect_ok(stn_view_share(&handle, &to));
                data_in_parts(&handle, &from, data_ways[w], cut);
                data_expect(&to, wanted);
                expect_ok(stn_view_release(&to));
                expect_ok(stn_view_release(&handle));
            }
}

/* 1000 x 8, row by row: no column may be all of one code. */
TEST_CASE(stochastic_rows_draw_different_numbers)
{
    const int64_t extents[] = {1000, 8}, row_extents[] = {8};
    static int8_t codes[8000];
    float row[8];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    const stn_view all = data_view(storage, codes, 2, extents);
    const stn_view from = data_view(stn_storage_of(STN_F32), row, 1, row_extents);
    for (int j = 0; j < 8; j++)
        row[j] = 0.5f;
    for (int64_t i = 0; i < 1000; i++) {
        const stn_slice slices[] = {stn_slice_index(i), stn_slice_all()};
        stn_view to;
        expect_ok(stn_view_slice(&to, &all, 2, slices));
        expect_ok(stn_view_copy(NULL, &to, &from));
    }
    for (int j = 0; j < 8; j++) {
        int sum = 0;
        for (int i = 0; i < 1000; i++)
            sum += codes[8 * i + j];
        assert_in_range(sum, 430, 570); /* 4.4 standard deviations */
    }
}

/* What has other numbers than offsets is not for accessors that draw by offsets. */
TEST_CASE(stochastic_accessors_draw_as_views_or_are_refused)
{
    int8_t codes[12] = {0};
    const int64_t extents[] = {3, 4}, left[] = {1, 3};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    stn_view view;
    data_random x;
    view = wrap_strided("turned", storage, codes, 2, extents, left);
    expect_error(data_random_from_view(&x, &view), STN_ERR_UNSUPPORTED,
                 "turned (i8, 3 x 4) rounds stochastically by the number of an element");
}

/* ---- storage that there cannot be ---- */

TEST_CASE(impossible_storage_is_refused_when_a_view_is_made)
{
    enum { CASES = 7 };
    double memory[4];
    const int64_t extents[] = {4};
    const char *words[CASES] = {"view codes: scale 0",
                                "view codes: scale nan",
                                "view codes: scale inf",
                                "view codes: zero point nan",
                                "view codes: rounding 9 is unknown (0 to 2)",
                                "view codes: overflow rule 9 is unknown (0 to 3)",
                                "view codes: format 4711 is unknown"};
    for (int k = 0; k < CASES; k++) {
        stn_storage storage = stn_storage_of(k == 6 ? 4711 : STN_F64);
        storage.scale = k == 0 ? 0.0 : k == 1 ? NAN : k == 2 ? INFINITY : 1.0;
        storage.zero = k == 3 ? NAN : 0.0;
        storage.rounding = (stn_rounding)(k == 4 ? 9 : 0);
        storage.overflow = (stn_overflow)(k == 5 ? 9 : 0);
        const stn_status wanted = k == 6 ? STN_ERR_FORMAT : STN_ERR_ARGUMENT;
        stn_view view;
        expect_error(stn_view_wrap(&view, "codes", storage, memory, 1, extents), wanted, words[k]);
        assert_int_equal(view.size, 0);
        expect_error(stn_view_create(NULL, &view, "codes", storage, 1, extents), wanted, words[k]);
    }
}

/* A scale that has become 0: every call says so, with the view, and each of them once. */
TEST_CASE(a_scale_that_has_become_0_is_named)
{
    enum { N = 6 };
    const int64_t extents[] = {N}, at[] = {4};
    double scales[N] = {1, 1, 1, 1, 0, 1}, wide[N] = {0}, value = 0.0;
    int8_t codes[N] = {0};
    const stn_scales each = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1}};
    const stn_view y = data_view(stn_storage_of(STN_F64), wide, 1, extents);
    for (int has_scales = 0; has_scales < 2; has_scales++) {
        const stn_status wrong = STN_ERR_ARGUMENT;
        stn_view x = data_view(stn_storage_of(STN_I8), codes, 1, extents);
        if (has_scales)
            expect_ok(stn_view_set_scales(&x, &each));
        else
            x.storage.scale = 0.0;
        expect_error(stn_view_get(&x, 1, at, &value), wrong, "stn_view_get: v (i8, 6): scale 0");
        expect_error(stn_view_set(&x, 1, at, 1.0), wrong, "stn_view_set: v (i8, 6): scale 0");
        expect_error(STN_VIEW_ATOMIC_ADD(&x, 1.0, 4), wrong,
                     "stn_view_atomic_add: v (i8, 6): scale 0");
        expect_error(stn_view_fill(NULL, &x, 1.0), wrong, "stn_view_fill: v (i8, 6): scale 0");
        expect_error(stn_view_copy(NULL, &x, &y), wrong, "stn_view_copy: v (i8, 6): scale 0");
        expect_error(stn_view_copy(NULL, &y, &x), wrong, "stn_view_copy: v (i8, 6): scale 0");
        expect_error(stn_dot(data_exec(), STN_F64, &value, &y, &x), wrong,
                     "stn_dot: v (i8, 6): scale 0");
        expect_error(data_copy_run(data_exec(), STN_F64, &x, &y), wrong,
                     "kernel data_copy: x: v (i8, 6): scale 0");
        expect_error(data_sum_reduce(data_exec(), STN_F64, &value, &x), wrong,
                     "kernel data_sum: x: v (i8, 6): scale 0");
        expect_error(data_sum_reduce_into(data_exec(), STN_F64, 0, &x, &y), wrong,
                     "kernel data_sum: result: v (i8, 6): scale 0");
        expect_error(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &x, &y), wrong,
                     "kernel data_running: result: v (i8, 6): scale 0");
    }
}

/* What does not go with doubles is named as well. */
TEST_CASE(elements_that_are_no_doubles_are_named)
{
    const int64_t extents[] = {1}, at[] = {0};
    stn_c128 number = {0, 0};
    double value;
    int8_t code = 0;
    stn_storage bad = stn_storage_of(STN_I8);
    const stn_view x = data_view(stn_storage_of(STN_C128), &number, 1, extents);
    const stn_status wrong = STN_ERR_UNSUPPORTED;
    bad.scale = 0.0;
    expect_error(stn_view_get(&x, 1, at, &value), wrong, "stn_view_get: v (c128, 1): format c128");
    expect_error(stn_view_set(&x, 1, at, 1.0), wrong, "stn_view_set: v (c128, 1): format c128");
    expect_error(STN_VIEW_ATOMIC_ADD(&x, 1.0, 0), wrong,
                 "stn_view_atomic_add: v (c128, 1): format");
    expect_error(stn_dot(data_exec(), STN_F64, &value, &x, &x), wrong,
                 "stn_dot: v (c128, 1): format");
    expect_error(stn_decode(STN_F64, &value, &bad, &code, 1, 1), STN_ERR_ARGUMENT,
                 "stn_decode: scale 0");
    expect_error(stn_encode(STN_F64, &bad, &code, 1, 0, &value, 1), STN_ERR_ARGUMENT,
                 "stn_encode: scale 0");
    expect_error(stn_view_get(&x, 1, at, &number.re), STN_ERR_UNSUPPORTED, "stn_view_get: v (c128");
    expect_error(stn_view_get_complex(&x, 1, at, &number), STN_ERR_ALIAS,
                 "stn_view_get_complex: v (c128, 1): value points into its memory");
}

TEST_CASE(random_access_views_are_read_only)
{
    double memory[4] = {0};
    const int64_t extents[] = {4};
    stn_view view = data_view(stn_storage_of(STN_F64), memory, 1, extents);
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_RANDOM_ACCESS));
    assert_true(view.read_only);
    expect_error(stn_view_fill(NULL, &view, 1.0), STN_ERR_ARGUMENT, "read-only");
}

/* ---- handles that are given back twice ---- */

TEST_CASE(a_handle_given_back_twice_is_noticed)
{
    const int64_t extents[] = {3, 4};
    double value;
    for (int times = 0; times < 200; times++) {
        stn_view v, w, next, copy;
        expect_ok(stn_view_create(NULL, &v, "twice", stn_storage_of(STN_F64), 2, extents));
        w = copy = v;
        expect_ok(stn_view_release(&v));
        if (times % 2) /* the owner has another life by now */
            expect_ok(stn_view_create(NULL, &next, "n", stn_storage_of(STN_F64), 2, extents));
        expect_error(stn_view_share(&v, &w), STN_ERR_ARGUMENT,
                     "(f64, 3 x 4): its memory was released");
        expect_error(STN_VIEW_GET(&w, &value, 0, 0), STN_ERR_ARGUMENT, "released");
        expect_error(stn_view_copy(NULL, &w, &copy), STN_ERR_ARGUMENT, "released");
        assert_int_equal(stn_view_use_count(&w), 0);
        expect_error(stn_view_release(&w), STN_ERR_ARGUMENT,
                     "(f64, 3 x 4): its memory was released");
        assert_int_equal(w.size, 0);
        if (times % 2) {
            assert_int_equal(stn_view_use_count(&next), 1);
            expect_ok(stn_view_release(&next));
        }
    }
}

/* ---- functions of the program's that change the modes ---- */

static void data_decode(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    memcpy(values, codes, (size_t)count * sizeof *values);
    fesetround(FE_UPWARD);
}

static void data_encode(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    memcpy(codes, values, (size_t)count * sizeof *values);
    fesetround(FE_DOWNWARD);
}

static int64_t data_offset(const void *context, int rank, const int64_t *extents,
                           const int64_t *indices)
{
    (void)context, (void)rank, (void)extents;
    fesetround(FE_UPWARD);
    return indices[0];
}

static int64_t data_span(const void *context, int rank, const int64_t *extents)
{
    (void)context, (void)rank;
    fesetround(FE_TOWARDZERO);
    return extents[0];
}

static void data_hook(const stn_event *event, void *context)
{
    (void)event, (void)context;
    fesetround(FE_UPWARD);
}

STN_MAP(data_third, (in(x), in(z), out(y)), y = z / STN_R(3.0) + STN_R(0.0) * x;)

TEST_CASE(a_text_for_devices_of_odd_codes_is_refused)
{
    stn_format_codec codec = {sizeof codec, "misuse-text", 8,    4,
                              data_decode,  data_encode,   NULL, "no text"};
    stn_format format;
    expect_error(stn_format_register(&format, &codec), STN_ERR_UNSUPPORTED,
                 "format 'misuse-text': 8 bytes aligned to 4");
    codec.bytes = codec.alignment = 16;
    expect_error(stn_format_register(&format, &codec), STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_format_find("misuse-text", &format), STN_ERR_FORMAT, NULL);
}

TEST_CASE(functions_that_change_the_modes_change_no_result)
{
    enum { N = 300 };
    static double codes[N], values[N], thirds[N];
    static float narrow[N];
    const int64_t extents[] = {N};
    const stn_format_codec codec = {sizeof codec, "misuse-modes", 8,    8,
                                    data_decode,  data_encode,    NULL, NULL};
    const stn_layout layout = stn_layout_custom(data_offset, data_span, NULL);
    stn_format format;
    stn_view mapped;
    expect_ok(stn_format_register(&format, &codec));
    for (int k = 0; k < N; k++) {
        codes[k] = values[k] = k / 7.0;
        thirds[k] = 0.0;
    }
    const stn_view x = data_view(stn_storage_of(format), codes, 1, extents);
    const stn_view z = data_view(stn_storage_of(STN_F64), values, 1, extents);
    const stn_view y = data_view(stn_storage_of(STN_F64), thirds, 1, extents);
    const stn_view f = data_view(stn_storage_of(STN_F32), narrow, 1, extents);
    stn_event_set_hook(data_hook, NULL);
    expect_ok(data_third_run(data_exec(), STN_F64, &x, &z, &y));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(thirds[k] == values[k] / 3.0);
    expect_ok(stn_view_copy(NULL, &f, &x));
    expect_ok(stn_view_copy(NULL, &x, &f));
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(narrow[k] == (float)values[k]);
    mapped = wrap_layout("mapped", stn_storage_of(STN_F32), narrow, &layout, 1, extents);
    expect_ok(stn_view_copy(NULL, &mapped, &z));
    expect_ok(stn_view_release(&mapped));
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(narrow[k] == (float)values[k]);
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
// clang-format off
#define MISUSE_DATA                                                                                \
    cmocka_unit_test(zero_points_of_i64_arithmetic),                                               \
    cmocka_unit_test(u64_keeps_its_bits_in_i64_arithmetic),                                        \
    cmocka_unit_test(copies_of_u64_keep_values_and_count),                                         \
    cmocka_unit_test(stochastic_parts_round_as_the_whole),                                         \
    cmocka_unit_test(stochastic_rows_draw_different_numbers),                                      \
    cmocka_unit_test(stochastic_accessors_draw_as_views_or_are_refused),                           \
    cmocka_unit_test(impossible_storage_is_refused_when_a_view_is_made),                           \
    cmocka_unit_test(elements_that_are_no_doubles_are_named),                                      \
    cmocka_unit_test(a_scale_that_has_become_0_is_named),                                          \
    cmocka_unit_test(random_access_views_are_read_only),                                           \
    cmocka_unit_test(a_handle_given_back_twice_is_noticed),                                        \
    cmocka_unit_test(a_text_for_devices_of_odd_codes_is_refused),                              \
        cmocka_unit_test(functions_that_change_the_modes_change_no_result),
// clang-format on

#endif
