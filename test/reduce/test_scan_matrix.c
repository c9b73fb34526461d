/* Scans give the bits of reduce_oracle.c for every operation, format, layout and shape, inclusive
 * and exclusive, along every dimension, on every executor and instruction set, and touch nothing
 * but the elements of the result. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec.h"
#include "reduce_cases.h"
#include "scan_kernels.h"
#include "steno/reduce.h"

/* The last one has its loops here, in a version for each instruction set, as programs have them. */
STN_SCAN(total, sum, (in(x)), x)

static const char *name_of(int scan)
{
    return scan < scan_count ? scan_names[scan] : "total";
}

static int model_of(int scan)
{
    for (int model = 0; model < reduce_model_count; model++)
        if (strcmp(reduce_models[model].name, name_of(scan)) == 0)
            return model;
    fail_msg("no model %s", name_of(scan));
    return 0;
}

/* Along a dimension, or with -1 along the last. */
static stn_status launch(int scan, const stn_exec *exec, const reduce_case *c, int exclusive,
                         int dimension, const stn_view *result, const stn_view *v)
{
    if (scan < scan_count)
        return scan_launch(scan, exec, c, (stn_scan_kind)exclusive, dimension, result, v);
    return dimension < 0 ? total_scan(exec, c->arithmetic, (stn_scan_kind)exclusive, result, &v[0])
                         : total_scan_dimension(exec, c->arithmetic, (stn_scan_kind)exclusive,
                                                dimension, result, &v[0]);
}

static const reduce_shape shapes[] = {
    {1, {0}},         {1, {1}},         {1, {127}},       {1, {128}},        {1, {129}},
    {1, {1000}},      {1, {4097}},      {2, {0, 10}},     {2, {10, 0}},      {2, {1, 700}},
    {2, {300, 1}},    {2, {9, 131}},    {2, {131, 9}},    {2, {260, 65}},    {3, {3, 5, 7}},
    {3, {2, 1, 257}}, {3, {260, 2, 3}}, {3, {3, 140, 5}}, {4, {3, 2, 4, 5}}, {5, {2, 3, 1, 2, 9}},
};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

static kernel_array make_result(const reduce_case *c, uint64_t *state)
{
    reduce_shape own = {c->rank, {0}};
    int64_t stride[KERNEL_RANK];
    memcpy(own.extent, c->extent, sizeof own.extent);
    reduce_lay_out(own, (reduce_layout)reduce_below(state, REDUCE_LAYOUTS), state, stride);
    const int is_integer = c->arithmetic == STN_I64;
    const stn_format format =
        reduce_below(state, 3) ? reduce_any_format(is_integer, state) : c->arithmetic;
    return kernel_make(reduce_target(c->arithmetic, is_integer, format, state), own.rank,
                       own.extent, stride, state);
}

static void check_setting(int scan, const reduce_case *c, int exclusive, int dimension,
                          const kernel_array *result, const uint8_t *before,
                          const uint8_t *expected, int setting)
{
    char words[1000];
    stn_view views[REDUCE_VIEWS];
    (void)snprintf(words, sizeof words, "%s along %d into %s %a %g rounding %d",
                   reduce_words(c, exclusive ? "exclusive" : "inclusive", 0, setting), dimension,
                   oracle_formats[result->storage.format].name, result->storage.scale,
                   result->storage.zero, (int)result->storage.rounding);
    for (int v = 0; v < c->model->views; v++)
        views[v] = kernel_view(&c->arrays[v], "input");
    memcpy(result->memory, before, (size_t)result->bytes);
    const stn_view view = kernel_view(result, "result");
    const stn_exec *exec = reduce_use(setting);
    const order_modes saved = order_begin();
    const stn_status status = launch(scan, exec, c, exclusive, dimension, &view, views);
    order_end(status, saved, words);
    kernel_check(result, expected, words);
}

static void run(int scan, const reduce_case *c, int exclusive, int dimension, uint64_t *state)
{
    kernel_array result = make_result(c, state);
    uint8_t *before = kernel_copy(&result);
    reduce_expect_scan(c, exclusive, dimension < 0 ? c->rank - 1 : dimension, &result);
    uint8_t *expected = kernel_copy(&result);
    for (int setting = 0; setting < reduce_settings(); setting++)
        if (reduce_has_turn(setting))
            check_setting(scan, c, exclusive, dimension, &result, before, expected, setting);
    reduce_case_number++;
    free(before);
    free(expected);
    kernel_drop(&result);
}

static stn_format arithmetic_of(int scan, int k)
{
    return reduce_models[model_of(scan)].is_integer ? STN_I64 : k % 2 ? STN_F32 : STN_F64;
}

/* Every shape for each operation, inclusive and exclusive, along the last dimension and any. */
static void test_shapes(void **context)
{
    const int rounds = oracle_count(1, 2, 6);
    uint64_t state = 21;
    (void)context;
    for (int scan = 0; scan <= scan_count; scan++)
        for (int k = 0; k < SHAPES * 2 * rounds; k++) {
            const reduce_wish wish = {
                .model = model_of(scan),
                .arithmetic = arithmetic_of(scan, k / SHAPES),
                .format = k < SHAPES ? arithmetic_of(scan, 0) : -1,
                .over = shapes[k % SHAPES],
                .layout =
                    k < SHAPES ? REDUCE_PLAIN : (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS),
                .kind = k < SHAPES ? ORDER_MIXED : (int)reduce_below(&state, REDUCE_KINDS)};
            reduce_every_setting = k < SHAPES && (scan + k) % oracle_count(64, 4, 1) == 0;
            reduce_case c = reduce_begin(wish, &state);
            run(scan, &c, k / SHAPES % 2, -1, &state);
            run(scan, &c, (k / SHAPES + 1) % 2, (int)reduce_below(&state, c.rank), &state);
            reduce_end(&c);
        }
}

/* Each operation once, of random formats, layout, shape and dimension: for devices, where each
 * combination is compiled. */
static void test_each(void **context)
{
    uint64_t state = 24;
    (void)context;
    reduce_every_setting = 0;
    for (int k = 0; k < oracle_count(1, 1, 30) * scan_count; k++) {
        const int scan = k % scan_count;
        const reduce_wish wish = {.model = model_of(scan),
                                  .arithmetic = arithmetic_of(scan, (int)reduce_below(&state, 2)),
                                  .format = -1,
                                  .over = shapes[reduce_below(&state, SHAPES)],
                                  .layout = (reduce_layout)reduce_below(&state, REDUCE_LAYOUTS),
                                  .kind = (int)reduce_below(&state, REDUCE_KINDS)};
        reduce_case c = reduce_begin(wish, &state);
        run(scan, &c, (int)reduce_below(&state, 2), (int)reduce_below(&state, c.rank), &state);
        reduce_end(&c);
    }
}

/* Every format for each operation and layout. */
static void test_formats(void **context)
{
    static const reduce_shape over[] = {{1, {1027}}, {2, {37, 130}}, {3, {4, 133, 6}}};
    uint64_t state = 22;
    (void)context;
    reduce_every_setting = 0;
    for (int scan = 0; scan <= scan_count; scan++)
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
            for (int layout = 0; layout < REDUCE_LAYOUTS; layout++) {
                if (!reduce_reads(reduce_models[model_of(scan)].is_integer, format))
                    continue;
                if (oracle_quick() && (scan + format + layout) % (4 * oracle_quick()) != 0)
                    continue;
                const reduce_wish wish = {.model = model_of(scan),
                                          .arithmetic = arithmetic_of(scan, format + layout),
                                          .format = format,
                                          .over = over[reduce_below(&state, 3)],
                                          .layout = (reduce_layout)layout,
                                          .kind = (int)reduce_below(&state, REDUCE_KINDS)};
                reduce_case c = reduce_begin(wish, &state);
                run(scan, &c, (int)reduce_below(&state, 2), (int)reduce_below(&state, c.rank),
                    &state);
                reduce_end(&c);
            }
}

/* Carries over more than a thousand tiles, along lines that follow each other and that do not. */
static void test_many_tiles(void **context)
{
    static const reduce_shape over[] = {
        {1, {128 * 1027 + 5}}, {2, {3, 128 * 130 + 77}}, {2, {128 * 130 + 1, 3}}};
    uint64_t state = 23;
    (void)context;
    reduce_every_setting = 0;
    for (int scan = 0; scan <= scan_count; scan++)
        for (int k = 0; k < 3; k++) {
            if (oracle_quick() && k != scan % 3)
                continue;
            const reduce_wish wish = {.model = model_of(scan),
                                      .arithmetic = arithmetic_of(scan, k + scan),
                                      .format = -1,
                                      .over = over[k],
                                      .layout = REDUCE_PLAIN,
                                      .kind = ORDER_MIXED};
            reduce_case c = reduce_begin(wish, &state);
            run(scan, &c, k % 2, k == 2 ? 0 : -1, &state);
            reduce_end(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_many_tiles),
        cmocka_unit_test_setup_teardown(test_many_tiles, order_use_odd_modes,
                                        order_use_plain_modes),
    };
    const struct CMUnitTest on_device[] = {cmocka_unit_test(test_each)};
    const int failed = test_exec()
                           ? cmocka_run_group_tests_name(test_exec_name(), on_device, NULL, NULL)
                           : cmocka_run_group_tests_name("scan_matrix", tests, NULL, NULL);
    reduce_release();
    return failed;
}
