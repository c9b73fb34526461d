/* Reductions give the bits of reduce_oracle.c for every operation, format, layout, shape and
 * broadcast, in every arithmetic, on every executor and instruction set, whole and into views, and
 * touch nothing but the elements of the result. Loops are compiled once, for this processor, and a
 * few in a version for each instruction set, as programs have them. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec.h"
#include "reduce_cases.h"
#include "reduce_kernels.h"

static const reduce_shape shapes[] = {
    {0, {0}},
    {1, {0}},
    {1, {1}},
    {1, {31}},
    {1, {127}},
    {1, {128}},
    {1, {129}},
    {1, {1000}},
    {1, {4097}},
    {2, {0, 10}},
    {2, {10, 0}},
    {2, {1, 700}},
    {2, {300, 1}},
    {2, {9, 131}},
    {2, {131, 9}},
    {2, {40, 33}},
    {2, {130, 65}},
    {3, {3, 5, 7}},
    {3, {2, 1, 257}},
    {3, {260, 2, 3}},
    {3, {3, 140, 5}},
    {4, {3, 2, 4, 5}},
    {4, {2, 3, 0, 5}},
    {4, {5, 33, 2, 9}},
    {5, {2, 3, 1, 2, 9}},
    {6, {2, 1, 3, 2, 2, 3}},
    {8, {2, 1, 2, 3, 1, 2, 2, 3}},
};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

static int gives_integer(const reduce_case *c)
{
    return c->arithmetic == STN_I64 || reduce_counts(c->model->operation);
}

static int model_of(const reduce_case *c)
{
    return (int)(c->model - reduce_models);
}

static int model_called(const char *name)
{
    for (int model = 0; model < reduce_model_count; model++)
        if (strcmp(reduce_models[model].name, name) == 0)
            return model;
    fail_msg("no model %s", name);
    return 0;
}

static void make_views(const reduce_case *c, stn_view *views)
{
    for (int v = 0; v < c->model->views; v++)
        views[v] = kernel_view(&c->arrays[v], "input");
}

/* ---- loops in versions ---- */

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(where_least, argmin, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE_INTEGER(greatest_integer, max, (in(x)), x)
REDUCE_DEFINE_LAUNCH(total, (&v[0]))
REDUCE_DEFINE_LAUNCH(where_least, (&v[0]))
REDUCE_DEFINE_LAUNCH(inner, (&v[0], &v[1]))
REDUCE_DEFINE_LAUNCH(greatest_integer, (&v[0]))
/* clang-format on */

static const struct {
    const char *name;
    stn_status (*launch)(reduce_way way, const reduce_call *call);
} in_versions[] = {{"total", launch_total},
                   {"where_least", launch_where_least},
                   {"inner", launch_inner},
                   {"greatest_integer", launch_greatest_integer}};
enum { IN_VERSIONS = (int)(sizeof in_versions / sizeof *in_versions) };
static int version = -1; /* the row whose loops are launched, if any */

static stn_status launch(const reduce_case *c, reduce_way way, const reduce_call *call)
{
    return version < 0 ? reduce_launch(model_of(c), way, call)
                       : in_versions[version].launch(way, call);
}

/* ---- whole ---- */

typedef union storage_of_result {
    double f64;
    int64_t i64;
    uint8_t bytes[16];
} storage_of_result;

static reduce_value value_of(const reduce_case *c, const storage_of_result *stored)
{
    if (gives_integer(c))
        return (reduce_value){0.0, stored->i64};
    return (reduce_value){stored->f64, 0};
}

static void check_value(const reduce_case *c, const storage_of_result *stored,
                        reduce_value expected, const char *words)
{
    const reduce_rule rule = reduce_rule_of(c->model, c->arithmetic);
    const reduce_value found = value_of(c, stored);
    if (!reduce_same(&rule, found, expected))
        fail_msg("%s: %a (%" PRId64 "), not %a (%" PRId64 ")", words, found.real, found.integer,
                 expected.real, expected.integer);
    for (size_t k = sizeof stored->f64; k < sizeof *stored; k++)
        if (stored->bytes[k] != 0xA5)
            fail_msg("%s: wrote behind the result", words);
}

static void check_whole(const reduce_case *c, reduce_value expected, reduce_way way, int setting)
{
    const char *words = reduce_words(c, way == REDUCE_FULL ? "whole" : "whole over", 0, setting);
    storage_of_result stored;
    stn_view views[REDUCE_VIEWS];
    make_views(c, views);
    memset(&stored, 0xA5, sizeof stored);
    const reduce_call call = {.exec = reduce_use(setting),
                              .arithmetic = c->arithmetic,
                              .rank = c->rank,
                              .extent = c->extent,
                              .value = &stored,
                              .numbers = &c->numbers,
                              .views = views};
    const order_modes saved = order_begin();
    const stn_status status = launch(c, way, &call);
    order_end(status, saved, words);
    check_value(c, &stored, expected, words);
}

/* ---- into a view ---- */

static kernel_array make_result(const reduce_case *c, unsigned reduced, uint64_t *state)
{
    reduce_shape own = {0, {0}};
    int64_t stride[KERNEL_RANK];
    for (int d = 0; d < c->rank; d++)
        if (!(reduced >> d & 1))
            own.extent[own.rank++] = c->extent[d];
    reduce_lay_out(own, (reduce_layout)reduce_below(state, REDUCE_LAYOUTS), state, stride);
    const stn_format format = reduce_below(state, 3) ? reduce_any_format(0, state)
                              : gives_integer(c)     ? STN_I64
                                                     : c->arithmetic;
    return kernel_make(reduce_target(c->arithmetic, gives_integer(c), format, state), own.rank,
                       own.extent, stride, state);
}

static void check_into(const reduce_case *c, unsigned reduced, const kernel_array *result,
                       const uint8_t *before, const uint8_t *expected, reduce_way way, int setting)
{
    char words[1000];
    stn_view views[REDUCE_VIEWS];
    (void)snprintf(words, sizeof words, "%s into %s %a %g rounding %d stride %" PRId64,
                   reduce_words(c, way == REDUCE_INTO ? "over" : "over given", reduced, setting),
                   oracle_formats[result->storage.format].name, result->storage.scale,
                   result->storage.zero, (int)result->storage.rounding,
                   result->rank ? result->stride[0] : 0);
    make_views(c, views);
    memcpy(result->memory, before, (size_t)result->bytes);
    const stn_view view = kernel_view(result, "result");
    const reduce_call call = {.exec = reduce_use(setting),
                              .arithmetic = c->arithmetic,
                              .rank = c->rank,
                              .extent = c->extent,
                              .reduced = reduced,
                              .result = &view,
                              .numbers = &c->numbers,
                              .views = views};
    const order_modes saved = order_begin();
    const stn_status status = launch(c, way, &call);
    order_end(status, saved, words);
    kernel_check(result, expected, words);
}

/* ---- one case ---- */

static void run_whole(reduce_case *c, reduce_way way)
{
    const reduce_value expected = reduce_expect(c);
    for (int setting = 0; setting < reduce_settings(); setting++)
        if (reduce_has_turn(setting))
            check_whole(c, expected, way, setting);
    reduce_case_number++;
}

static void run_into_result(const reduce_case *c, unsigned reduced, kernel_array *result,
                            reduce_way way)
{
    uint8_t *before = kernel_copy(result);
    reduce_expect_into(c, reduced, result);
    uint8_t *expected = kernel_copy(result);
    for (int setting = 0; setting < reduce_settings(); setting++)
        if (reduce_has_turn(setting))
            check_into(c, reduced, result, before, expected, way, setting);
    reduce_case_number++;
    free(before);
    free(expected);
    kernel_drop(result);
}

static void run_into(const reduce_case *c, unsigned reduced, reduce_way way, uint64_t *state)
{
    kernel_array result = make_result(c, reduced, state);
    run_into_result(c, reduced, &result, way);
}

/* Another extent of the space than the arrays have, where they have 1 or nothing. */
static void widen(reduce_case *c, uint64_t *state)
{
    if (c->rank < 4 && reduce_below(state, 2)) {
        memmove(c->extent + 1, c->extent, (size_t)c->rank * sizeof *c->extent);
        c->extent[0] = 1 + reduce_below(state, 3);
        c->rank++;
        return;
    }
    for (int d = 0; d < c->rank; d++)
        if (c->extent[d] == 1)
            c->extent[d] = 1 + reduce_below(state, 4);
}

static stn_format arithmetic_of(int model, int k)
{
    return reduce_models[model].is_integer ? STN_I64 : k % 2 ? STN_F32 : STN_F64;
}

/* Whole, over a wider space, and over some of its dimensions. */
static void run_all(reduce_case *c, uint64_t *state)
{
    const unsigned reduced = (unsigned)reduce_below(state, (int64_t)1 << c->rank);
    run_whole(c, REDUCE_FULL);
    run_into(c, reduced, REDUCE_INTO, state);
    widen(c, state);
    if (reduce_below(state, 2))
        run_whole(c, REDUCE_FULL_OVER);
    else
        run_into(c, (unsigned)reduce_below(state, (int64_t)1 << c->rank), REDUCE_INTO_OVER, state);
}

/* Every shape for each operation, with random formats, layouts and data. */
static void test_shapes(void **context)
{
    const int rounds = oracle_count(1, 1, 4);
    uint64_t state = 1;
    (void)context;
    for (int model = 0; model < reduce_model_count; model++)
        for (int k = 0; k < SHAPES * 2 * rounds; k++) {
            if (oracle_quick() && (model + k) % oracle_quick() != 0)
                continue;
            const reduce_wish wish = {
                .model = model,
                .arithmetic = arithmetic_of(model, k / SHAPES),
                .format = k < SHAPES ? arithmetic_of(model, 0) : -1,
                .over = shapes[k % SHAPES],
                .layout =
                    k < SHAPES ? REDUCE_PLAIN : (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS),
                .kind = k < SHAPES ? ORDER_MIXED : (int)reduce_below(&state, REDUCE_KINDS)};
            reduce_every_setting = k < SHAPES && (model + k) % oracle_count(64, 8, 1) == 0;
            reduce_case c = reduce_begin(wish, &state);
            run_all(&c, &state);
            reduce_end(&c);
        }
}

/* Each operation in one of the ways, over a random shape, with random formats, layouts and data:
 * for devices, where each combination is compiled. */
static void test_each(void **context)
{
    uint64_t state = 8;
    (void)context;
    reduce_every_setting = 0;
    for (int k = 0; k < oracle_count(1, 1, 30) * reduce_model_count; k++) {
        const int model = k % reduce_model_count;
        const reduce_wish wish = {.model = model,
                                  .arithmetic = arithmetic_of(model, (int)reduce_below(&state, 2)),
                                  .format = -1,
                                  .over = shapes[reduce_below(&state, SHAPES)],
                                  .layout = (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS),
                                  .kind = (int)reduce_below(&state, REDUCE_KINDS)};
        reduce_case c = reduce_begin(wish, &state);
        const unsigned reduced = (unsigned)reduce_below(&state, (int64_t)1 << c.rank);
        const int64_t way = reduce_below(&state, 3);
        if (way == 0)
            run_whole(&c, REDUCE_FULL);
        else if (way == 1)
            run_into(&c, reduced, REDUCE_INTO, &state);
        else
            widen(&c, &state);
        if (way == 2)
            run_into(&c, reduced, REDUCE_INTO_OVER, &state);
        reduce_end(&c);
    }
}

static void check_format(int model, stn_format format, int layout, int way, uint64_t *state)
{
    static const reduce_shape over[] = {{1, {1027}}, {2, {37, 130}}, {3, {4, 33, 6}}};
    const reduce_wish wish = {.model = model,
                              .arithmetic = arithmetic_of(model, way),
                              .format = format,
                              .over = over[layout ? reduce_below(state, 3) : 0],
                              .layout = (reduce_layout)layout,
                              .kind = (int)reduce_below(state, REDUCE_KINDS),
                              .is_plain = way / 2};
    reduce_case c = reduce_begin(wish, state);
    run_all(&c, state);
    reduce_end(&c);
}

/* Every format for each operation and layout; where no scale is in the way, in each arithmetic. */
static void test_formats(void **context)
{
    uint64_t state = 2;
    (void)context;
    reduce_every_setting = 0;
    for (int model = 0; model < reduce_model_count; model++)
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
            for (int layout = 0; layout < REDUCE_LAYOUTS; layout++) {
                if (!reduce_reads(reduce_models[model].is_integer, format))
                    continue;
                if (oracle_quick() && (model + format + layout) % (4 * oracle_quick()) != 0)
                    continue;
                const int scaled = (model + format + layout) % 2, one = (format / 2 + layout) % 2;
                for (int way = 2; way < 4; way++)
                    if (oracle_count(1, !scaled && way % 2 == one, 1))
                        check_format(model, format, layout, way, &state);
                if (oracle_count(1, scaled, 1))
                    check_format(model, format, layout, one, &state);
            }
}

static void test_versions(void **context)
{
    uint64_t state = 5;
    (void)context;
    reduce_every_setting = 0;
    for (version = 0; version < IN_VERSIONS; version++) {
        const int model = model_called(in_versions[version].name);
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
            if (reduce_reads(reduce_models[model].is_integer, format))
                for (int layout = 0; layout < REDUCE_LAYOUTS; layout++)
                    check_format(model, format, layout, (format + layout) % 2, &state);
    }
    version = -1;
}

/* Every set of dimensions of a space of rank 4, for each operation. */
static void test_dimensions(void **context)
{
    static const reduce_shape over = {4, {5, 4, 3, 7}};
    uint64_t state = 3;
    (void)context;
    reduce_every_setting = 0;
    for (int model = 0; model < reduce_model_count; model++)
        for (unsigned reduced = 0; reduced < 16; reduced++) {
            const reduce_wish wish = {.model = model,
                                      .arithmetic = arithmetic_of(model, (int)reduced),
                                      .format = -1,
                                      .over = over,
                                      .layout = (reduce_layout)(reduced % REDUCE_LAYOUTS),
                                      .kind = (int)reduced % REDUCE_KINDS};
            reduce_case c = reduce_begin(wish, &state);
            run_into(&c, reduced, REDUCE_INTO, &state);
            reduce_end(&c);
        }
}

/* More than a thousand tiles, so that every level of the tree is there, and dimensions of many
 * tiles: rows, columns, and lines in the middle. */
static void test_many_tiles(void **context)
{
    static const reduce_shape over[] = {{1, {128 * 1027 + 5}},
                                        {2, {3, 128 * 300 + 77}},
                                        {2, {128 * 300 + 1, 3}},
                                        {3, {2, 128 * 90 + 33, 5}},
                                        {2, {700, 211}}};
    uint64_t state = 4;
    (void)context;
    reduce_every_setting = 0;
    for (int model = 0; model < reduce_model_count; model++)
        for (int k = 0; k < oracle_count(1, 2, 5); k++) {
            const int which = (model + k) % 5;
            if (oracle_quick() && model % oracle_quick() != 0)
                continue;
            const reduce_wish wish = {.model = model,
                                      .arithmetic = arithmetic_of(model, k + model),
                                      .format = -1,
                                      .over = over[which],
                                      .layout = (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS),
                                      .kind = k % 2 ? ORDER_ANY : ORDER_MIXED};
            reduce_case c = reduce_begin(wish, &state);
            run_whole(&c, REDUCE_FULL);
            if (c.rank > 1)
                run_into(&c, 1u << (which == 1 || which == 3 || k == 4), REDUCE_INTO, &state);
            reduce_end(&c);
        }
}

/* Columns, and short rows: about the columns that a loop holds, the widths that they are split
 * into, and the elements at which groups of lanes change; by memory and across it. */
static void test_side_by_side(void **context)
{
    static const reduce_shape over[] = {
        {2, {16, 33}},    {2, {17, 31}},  {2, {32, 65}},   {2, {33, 95}},    {2, {64, 32}},
        {2, {65, 64}},    {2, {127, 33}}, {2, {128, 97}},  {2, {129, 1025}}, {2, {128, 2049}},
        {2, {257, 4100}}, {2, {8, 4097}}, {2, {255, 519}}, {2, {256, 32}},   {3, {2, 100, 530}},
    };
    enum { COUNT = (int)(sizeof over / sizeof *over) };
    uint64_t state = 7;
    (void)context;
    reduce_every_setting = 0;
    for (int model = 0; model < reduce_model_count; model++)
        for (int k = 0; k < 4 * COUNT; k++) {
            const reduce_shape shape = over[k % COUNT];
            const int is_short = k / COUNT % 2; /* as rows that are transposed */
            reduce_wish wish = {.model = model,
                                .arithmetic = arithmetic_of(model, k + model),
                                .format = k < 2 * COUNT ? arithmetic_of(model, k + model) : -1,
                                .over = shape,
                                .layout = is_short ? REDUCE_LEFT : REDUCE_PLAIN,
                                .kind = ORDER_MIXED,
                                .is_plain = k < 2 * COUNT};
            if (k >= 3 * COUNT)
                wish.layout = (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS);
            if ((model + k) % oracle_count(16 * oracle_quick(), 9, 3) != 0)
                continue;
            reduce_case c = reduce_begin(wish, &state);
            run_into(&c, 1u << (shape.rank - 2), REDUCE_INTO, &state);
            reduce_end(&c);
        }
}

/* One operation of each kind over 2^20 and some elements. */
static void test_large(void **context)
{
    static const char *const names[] = {"total", "where_least", "size2",
                                        "inner", "leaning",     "appended"};
    uint64_t state = 5;
    (void)context;
    reduce_every_setting = 0;
    for (int k = 0; k < (oracle_quick() ? 2 : 6); k++) {
        const int model = model_called(names[k]);
        const reduce_wish wish = {.model = model,
                                  .arithmetic = arithmetic_of(model, k),
                                  .format = reduce_models[model].is_integer ? STN_I8 : STN_F32,
                                  .over = {1, {(1 << 20) + 128 * 37 + 11}},
                                  .layout = REDUCE_PLAIN,
                                  .kind = ORDER_MIXED};
        reduce_case c = reduce_begin(wish, &state);
        run_whole(&c, REDUCE_FULL);
        reduce_end(&c);
    }
}

/* The sum of three integers, into one element of a format. */
static void check_rounding(const int64_t *parts, stn_format format, stn_rounding rounding)
{
    uint64_t state = 6;
    const reduce_wish wish = {
        model_called("total_integer"), STN_I64, STN_I64, {1, {3}}, REDUCE_PLAIN, ORDER_SIGNS, 1};
    reduce_case c = reduce_begin(wish, &state);
    stn_storage storage = stn_storage_of(format);
    storage.rounding = rounding;
    c.numbers.index = 0;
    c.arrays[0].storage.zero = 0;
    for (int64_t k = 0; k < 3; k++)
        reduce_put_code(&c.arrays[0], 1, &k, (uint64_t)parts[k]);
    kernel_array result = kernel_make(storage, 0, c.extent, c.extent, &state);
    run_into_result(&c, 1, &result, REDUCE_INTO);
    reduce_end(&c);
}

/* Integers in the middle between two values of a float format, and just beside it. */
static void test_rounded_once(void **context)
{
    (void)context;
    reduce_every_setting = 0;
    for (int64_t high = 52; high < 63; high++)
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
            const oracle_format *f = &oracle_formats[format];
            if (f->kind != ORACLE_FLOAT)
                continue;
            for (int way = 0; way < 12; way++) {
                const int64_t sign = way & 1 ? -1 : 1, whole = sign * ((int64_t)1 << high);
                const int64_t half = whole >> (f->fraction_bits + 1);
                const int64_t parts[] = {whole, half, way / 4 - 1};
                check_rounding(parts, format, way & 2 ? STN_ROUND_TOWARD_ZERO : STN_ROUND_NEAREST);
            }
        }
}

enum { REFUSED = 30 };
static double refused_memory[REFUSED];

/* Results that cannot be stored are refused, and nothing is written. */
static void refuse(stn_status wanted, const stn_view *x, unsigned reduced, const stn_view *result)
{
    uint8_t before[sizeof refused_memory];
    const reduce_call call = {.exec = reduce_use(1),
                              .arithmetic = STN_F64,
                              .reduced = reduced,
                              .result = result,
                              .views = x};
    memcpy(before, refused_memory, sizeof before);
    const stn_status status = reduce_launch(model_called("total"), REDUCE_INTO, &call);
    if (status != wanted)
        fail_msg("%s, not %s", stn_status_name(status), stn_status_name(wanted));
    if (!strstr(stn_error(), "kernel total"))
        fail_msg("the message names no kernel: %s", stn_error());
    assert_memory_equal(refused_memory, before, sizeof before);
}

static stn_view part_of_memory(int64_t first, int rank, const int64_t *extents,
                               const int64_t *strides)
{
    stn_view view;
    assert_int_equal(
        stn_view_wrap_spec(&view,
                           &STN_VIEW_SPEC(.label = "result", .storage = stn_storage_of(STN_F64),
                                          .data = refused_memory + first, .rank = rank,
                                          .extents = extents, .strides = strides)),
        STN_OK);
    return view;
}

static void test_refused(void **context)
{
    static const int64_t extents[] = {4, 5}, four = 4, five = 5, repeated = 0;
    (void)context;
    for (int k = 0; k < REFUSED; k++)
        refused_memory[k] = k;
    const stn_view x = part_of_memory(0, 2, extents, NULL);
    stn_view rows = part_of_memory(20, 1, &four, NULL);
    stn_view columns = part_of_memory(20, 1, &five, NULL);
    const stn_view inside = part_of_memory(19, 1, &four, NULL);
    const stn_view same_place = part_of_memory(20, 1, &four, &repeated);
    const stn_view whole = part_of_memory(20, 0, NULL, NULL);
    refuse(STN_ERR_SHAPE, &x, 1, &rows);
    refuse(STN_ERR_SHAPE, &x, 2, &columns);
    refuse(STN_ERR_SHAPE, &x, 3, &rows);
    refuse(STN_ERR_SHAPE, &x, 0, &rows);
    refuse(STN_ERR_SHAPE, &x, 2, &whole);
    refuse(STN_ERR_ALIAS, &x, 2, &inside);
    refuse(STN_ERR_ALIAS, &x, 2, &same_place);
    refuse(STN_ERR_ARGUMENT, &x, 2, NULL);
    refuse(STN_ERR_ARGUMENT, &x, 4, &rows);
    rows.read_only = 1;
    refuse(STN_ERR_ARGUMENT, &x, 2, &rows);
    columns.storage.format = STN_C64;
    refuse(STN_ERR_UNSUPPORTED, &x, 1, &columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_many_tiles),
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_rounded_once),
        cmocka_unit_test(test_refused),
        cmocka_unit_test_setup_teardown(test_dimensions, order_use_odd_modes,
                                        order_use_plain_modes),
    };
    const struct CMUnitTest on_device[] = {cmocka_unit_test(test_each)};
    const int failed = test_exec()
                           ? cmocka_run_group_tests_name(test_exec_name(), on_device, NULL, NULL)
                           : cmocka_run_group_tests_name("reduce_matrix", tests, NULL, NULL);
    reduce_release();
    return failed;
}
