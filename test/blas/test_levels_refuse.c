/* What every function refuses: each status of blas.h with the name of the
 * function in the sentence, and nothing written; what becomes of a call for which there is no
 * memory; what is counted of results that do not fit. All from the table of levels.c. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "levels.h"
#include "order_oracle.h"
#include "check.h"

enum { N = 6, ROOM = 64 };
static const levels_choice choice = {.alpha = {2.0, 0.5},
                                     .beta = {0.5, 1.0},
                                     .c = 0.6,
                                     .s = 0.8,
                                     .parameter = {-1.0, 0.5, 0.25, 2.0, 3.0}};

/* ---- operands, good to begin with; a test spoils one ---- */

typedef struct operands {
    const levels_function *f;
    stn_format arithmetic;
    double memory[LEVELS_VIEWS][2 * ROOM], before[LEVELS_VIEWS][2 * ROOM];
    stn_view view[LEVELS_VIEWS];
    const stn_view *given[LEVELS_VIEWS];
    const stn_exec *exec;
    levels_choice choice;
} operands;

static operands make_operands(const levels_function *f, stn_format arithmetic)
{
    static const char *const labels[] = {"alfa", "bravo", "charlie"};
    operands o = {.f = f, .arithmetic = arithmetic, .exec = order_use(1), .choice = choice};
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        levels_extents(f, v, N, N, extents);
        for (int k = 0; k < 2 * ROOM; k++)
            o.memory[v][k] = o.before[v][k] = k % 7 - 3.0;
        expect_ok(stn_view_wrap(&o.view[v], labels[v], stn_storage_of(arithmetic), o.memory[v],
                                levels_rank(f, v), extents));
    }
    return o;
}

static void give(operands *o)
{
    for (int v = 0; o->f->shapes[v]; v++) {
        o->view[v].data = o->view[v].data ? o->memory[v] : NULL;
        o->given[v] = &o->view[v];
    }
}

static void run_refused(operands *o, stn_status wanted, const char *what)
{
    levels_result result = {{7.0, 7.0}, 7};
    const stn_status status = o->f->run(o->exec, o->arithmetic, &o->choice, o->given, &result);
    if (status != wanted)
        fail_msg("%s, %s: %s, not %s: %s", o->f->name, what, stn_status_name(status),
                 stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), o->f->name))
        fail_msg("%s, %s: '%s' does not say whose error it is", o->f->name, what, stn_error());
    assert_true(result.number.re == 7.0 && result.place == 7);
    assert_memory_equal(o->memory, o->before, sizeof o->memory);
}

static void refused(operands *o, stn_status wanted, const char *what)
{
    give(o);
    run_refused(o, wanted, what);
}

static stn_format arithmetic_of(const levels_function *f)
{
    return f->kinds & LEVELS_REAL ? STN_F64 : STN_C128;
}

static void each(void (*test)(const levels_function *f, stn_format arithmetic))
{
    for (int f = 0; f < levels_count; f++) {
        if (levels_functions[f].kinds & LEVELS_REAL)
            test(&levels_functions[f], STN_F64);
        if (levels_functions[f].kinds & LEVELS_COMPLEX)
            test(&levels_functions[f], STN_C128);
    }
}

/* ---- arguments ---- */

static void refuse_arguments(const levels_function *f, stn_format arithmetic)
{
    operands good = make_operands(f, arithmetic), o = good;
    o.exec = NULL;
    refused(&o, STN_ERR_ARGUMENT, "exec NULL");
    for (int v = 0; f->shapes[v]; v++) {
        o = good;
        give(&o);
        o.given[v] = NULL;
        run_refused(&o, STN_ERR_ARGUMENT, "NULL");
        o = good;
        memset(&o.view[v], 0, sizeof o.view[v]);
        refused(&o, STN_ERR_ARGUMENT, "a view of nothing");
        o = good;
        o.view[v].size += 8;
        refused(&o, STN_ERR_ARGUMENT, "another version");
        o = good;
        o.view[v].storage.scale = 0.0;
        refused(&o, STN_ERR_ARGUMENT, "scale 0");
        o = good;
        o.view[v].read_only = 1;
        if (f->written >> v & 1)
            refused(&o, STN_ERR_ARGUMENT, "read-only");
    }
}

TEST_CASE(test_arguments)
{
    each(refuse_arguments);
}

static void refuse_choices(const levels_function *f, stn_format arithmetic)
{
    if (!strchr(f->shapes, 's'))
        return;
    operands good = make_operands(f, arithmetic), o = good;
    o.choice.triangle = (stn_triangle)2;
    refused(&o, STN_ERR_ARGUMENT, "triangle 2");
    if (f->shapes[0] != 's' || f->shapes[2])
        return;
    o = good;
    o.choice.diagonal = (stn_diagonal)-1;
    refused(&o, STN_ERR_ARGUMENT, "diagonal -1");
    o = good;
    o.choice.conj = (stn_conjugate)5;
    refused(&o, STN_ERR_ARGUMENT, "conj 5");
}

TEST_CASE(test_choices)
{
    const int64_t count = N;
    double memory[2][N] = {{0}}, sum = 0, numbers[5] = {0};
    stn_c128 z = {0, 0};
    stn_view x, y;
    each(refuse_choices);
    const stn_exec *exec = order_use(1);
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), memory[0], 1, &count));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), memory[1], 1, &count));
    numbers[0] = 0.5;
    assert_int_equal(stn_rotm(exec, STN_F64, &x, &y, numbers), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotm(exec, STN_F64, &x, &y, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_nrm2(exec, STN_F64, NULL, &x), STN_ERR_ARGUMENT);
    assert_int_equal(stn_asum(exec, STN_F64, NULL, &x), STN_ERR_ARGUMENT);
    assert_int_equal(stn_iamax(exec, STN_F64, NULL, &x), STN_ERR_ARGUMENT);
    assert_int_equal(stn_dot(exec, STN_F64, NULL, &x, &y), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotg(STN_F64, NULL, &sum, &sum, &sum), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotg(STN_F64, &sum, &sum, &sum, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotg(STN_C64, &sum, &sum, &sum, &sum), STN_ERR_UNSUPPORTED);
    assert_int_equal(stn_rotg_complex(STN_C64, &z, NULL, &sum, &z), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotg_complex(STN_F64, &z, &z, &sum, &z), STN_ERR_UNSUPPORTED);
    assert_int_equal(stn_rotmg(STN_F64, &sum, &sum, &sum, 1.0, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_rotmg(STN_I64, &sum, &sum, &sum, 1.0, numbers), STN_ERR_UNSUPPORTED);
    x.storage = y.storage = stn_storage_of(STN_C64);
    assert_int_equal(stn_dotu(exec, STN_C64, NULL, &x, &y), STN_ERR_ARGUMENT);
    assert_int_equal(stn_dotc(exec, STN_C64, NULL, &x, &y), STN_ERR_ARGUMENT);
}

/* ---- arithmetic and formats ---- */

static void refuse_formats(const levels_function *f, stn_format arithmetic)
{
    static const stn_format all[] = {STN_F64, STN_F32, STN_C128, STN_C64,
                                     STN_F16, STN_I64, -1,       99999};
    operands good = make_operands(f, arithmetic), o = good;
    stn_format opaque;
    expect_ok(stn_format_opaque(&opaque, 8, 8));
    for (int k = 0; k < 8; k++) {
        const int kinds = k < 2 ? LEVELS_REAL : k < 4 ? LEVELS_COMPLEX : 0;
        o = good;
        o.arithmetic = all[k];
        if (!(f->kinds & kinds))
            refused(&o, STN_ERR_UNSUPPORTED, "arithmetic");
    }
    for (int v = 0; f->shapes[v]; v++) {
        o = good;
        o.view[v].storage = stn_storage_of(arithmetic == STN_F64 ? STN_C64 : STN_F32);
        refused(&o, STN_ERR_UNSUPPORTED, "format of the other kind");
        o = good;
        o.view[v].storage = stn_storage_of(opaque);
        refused(&o, STN_ERR_UNSUPPORTED, "opaque");
        o = good;
        o.view[v].traits = STN_TRAIT_ATOMIC;
        refused(&o, STN_ERR_UNSUPPORTED, "atomic");
    }
}

TEST_CASE(test_formats)
{
    each(refuse_formats);
}

/* ---- shapes ---- */

static void refuse_shapes(const levels_function *f, stn_format arithmetic)
{
    operands good = make_operands(f, arithmetic), o = good;
    for (int v = 0; f->shapes[v]; v++) {
        const int rank = levels_rank(f, v);
        o = good;
        o.view[v].rank = rank == 1 ? 0 : 1;
        refused(&o, STN_ERR_SHAPE, "a lower rank");
        o = good;
        o.view[v].rank = (int8_t)(rank + 1);
        o.view[v].extent[rank] = o.view[v].stride[rank] = 1;
        refused(&o, STN_ERR_SHAPE, "a higher rank");
        for (int d = 0; d < rank - (f->shapes[v] == 'w') && f->shapes[1]; d++) {
            o = good;
            o.view[v].extent[d]--;
            refused(&o, STN_ERR_SHAPE, "an extent");
            o.view[v].extent[d] = 1; /* which would be broadcast */
            refused(&o, STN_ERR_SHAPE, "extent 1");
        }
    }
}

TEST_CASE(test_shapes)
{
    each(refuse_shapes);
}

/* ---- aliases ---- */

static void refuse_aliases(const levels_function *f, stn_format arithmetic)
{
    operands good = make_operands(f, arithmetic), o = good;
    for (int v = 0; f->shapes[v]; v++) {
        if (!(f->written >> v & 1))
            continue;
        o = good;
        o.view[v].stride[0] = 0;
        refused(&o, STN_ERR_ALIAS, "one element again and again");
        for (int other = 0; f->shapes[other]; other++) {
            o = good;
            give(&o);
            o.view[v].data = (char *)o.memory[other] + (arithmetic == STN_F64 ? 8 : 16);
            if (other != v)
                run_refused(&o, STN_ERR_ALIAS, "overlap");
        }
    }
}

TEST_CASE(test_aliases)
{
    each(refuse_aliases);
}

/* ---- memory ---- */

/* Let allocation 1, 2, ... fail until the call succeeds. */
static void lack_memory(const levels_function *f, stn_format arithmetic)
{
    levels_result result;
    for (int setting = 0; setting < order_settings(); setting += 2) {
        operands o = make_operands(f, arithmetic);
        o.exec = order_use(setting);
        give(&o);
        for (int64_t nth = 1;; nth++) {
            assert_true(nth < 20);
            stn_fail_allocation(nth);
            const stn_status status = f->run(o.exec, o.arithmetic, &o.choice, o.given, &result);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            if (status != STN_ERR_MEMORY || !strstr(stn_error(), f->name))
                fail_msg("%s: %s", f->name, stn_error());
            assert_memory_equal(o.memory, o.before, sizeof o.memory);
        }
    }
}

TEST_CASE(test_no_memory)
{
    each(lack_memory);
}

/* ---- results that do not fit ---- */

/* i8 saturates: as many are counted as the model has values beyond it. */
static void count_saturated(const levels_function *f, int setting)
{
    int8_t codes[LEVELS_VIEWS][N * N];
    stn_c128 values[LEVELS_VIEWS][N * N];
    stn_view view[LEVELS_VIEWS];
    const stn_view *given[LEVELS_VIEWS];
    stn_counters counters[LEVELS_VIEWS] = {{0, 0, 0}};
    levels_result result;
    levels_choice big = {.alpha = {3, 0},
                         .beta = {2, 0},
                         .c = 2,
                         .s = 1.5,
                         .diagonal = STN_DIAGONAL_UNIT,
                         .parameter = {-1, 3, 2, 1, 3}};
    levels_problem p = {.arithmetic = STN_F64,
                        .m = N,
                        .n = N,
                        .choice = &big,
                        .v = {values[0], values[1], values[2]}};
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        stn_storage storage = stn_storage_of(STN_I8);
        storage.counters = &counters[v];
        levels_extents(f, v, N, N, extents);
        for (int k = 0; k < N * N; k++) {
            codes[v][k] = (int8_t)((k * 37 + v * 11) % 97 - 40);
            values[v][k] = (stn_c128){codes[v][k], 0};
        }
        expect_ok(stn_view_wrap(&view[v], "v", storage, codes[v], levels_rank(f, v), extents));
        given[v] = &view[v];
    }
    expect_ok(f->run(order_use(setting), STN_F64, &big, given, &result));
    f->model(&p);
    for (int v = 0; f->shapes[v]; v++) {
        int64_t saturated = 0;
        for (int k = 0; k < stn_view_count(&view[v]) && f->written >> v & 1; k++)
            saturated += values[v][k].re < -128.5 || values[v][k].re >= 127.5;
        if (counters[v].saturated != saturated)
            fail_msg("%s on %s: %" PRId64 " saturated, not %" PRId64, f->name,
                     order_setting_name(setting), counters[v].saturated, saturated);
        if (f->written >> v & 1 && saturated == 0 && strcmp(f->name, "stn_swap") != 0)
            fail_msg("%s saturates nothing", f->name);
    }
}

TEST_CASE(test_counted)
{
    for (int f = 0; f < levels_count; f++)
        for (int setting = 0; setting < order_settings(); setting++)
            if (arithmetic_of(&levels_functions[f]) == STN_F64)
                count_saturated(&levels_functions[f], setting);
}

/* Plain values, which have quick ways: hemv of real ones, one view for x and y, no x at all. */
TEST_CASE(test_quick)
{
    static const int64_t extents[] = {100, 100}, strides[] = {1, 100};
    static double matrix[100 * 100], values[100], results[100];
    const stn_c128 one = {1, 0};
    const stn_exec *exec = order_use(order_settings() - 1);
    stn_view a, x, y;
    for (int k = 0; k < 100; k++)
        values[k] = 1 + k;
    assert_int_equal(
        stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "A", .storage = stn_storage_of(STN_F64),
                                              .data = matrix, .rank = 2, .extents = extents,
                                              .strides = strides)),
        STN_OK);
    assert_int_equal(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), values, 1, extents), STN_OK);
    assert_int_equal(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), results, 1, extents), STN_OK);
    assert_int_equal(stn_hemv(exec, STN_F64, STN_LOWER, one, &a, &x, one, &y), STN_ERR_UNSUPPORTED);
    assert_int_equal(stn_symv(exec, STN_F64, STN_LOWER, 1, &a, &x, 0, &x), STN_ERR_ALIAS);
    assert_int_not_equal(
        stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &a, NULL),
        STN_OK);
    for (int k = 0; k < 100; k++)
        assert_true(values[k] == 1 + k && results[k] == 0);
}

/* Each of these views repeats elements too. */
TEST_CASE(test_results_are_whole)
{
    static const int64_t extents[] = {4, 4};
    static double memory[64], values[4];
    const stn_exec *exec = order_use(0);
    const stn_layout banded = stn_layout_banded(1, 1, 3, STN_LAYOUT_RIGHT),
                     packed = stn_layout_packed(STN_LOWER, STN_LAYOUT_RIGHT);
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view a, p, x, y;
    expect_ok(
        stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "A", .storage = f64, .data = memory,
                                              .layout = &banded, .rank = 2, .extents = extents)));
    expect_ok(
        stn_view_wrap_spec(&p, &STN_VIEW_SPEC(.label = "P", .storage = f64, .data = memory,
                                              .layout = &packed, .rank = 2, .extents = extents)));
    expect_ok(stn_view_wrap(&x, "x", f64, values, 1, extents));
    assert_int_equal(stn_ger(exec, STN_F64, 1, &x, &x, &a), STN_ERR_UNSUPPORTED);
    assert_non_null(strstr(stn_error(), "is banded"));
    assert_int_equal(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &a), STN_ERR_UNSUPPORTED);
    assert_int_equal(stn_ger(exec, STN_F64, 1, &x, &x, &p), STN_ERR_UNSUPPORTED);
    assert_non_null(strstr(stn_error(), "is packed"));
    expect_ok(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &p));
    const stn_slice three = stn_slice_range(0, 3);
    expect_ok(stn_view_slice(&y, &x, 1, &three));
    expect_ok(stn_view_wrap(&a, "A", f64, memory, 2, extents));
    assert_int_equal(stn_ger(exec, STN_F64, 1, &x, &y, &a), STN_ERR_SHAPE);
    assert_non_null(strstr(stn_error(), "times the transpose of"));
}

static void says(stn_status status, stn_status wanted, const char *message)
{
    assert_int_equal(status, wanted);
    assert_string_equal(stn_error(), message);
}

/* Which argument it is, its value, and what is allowed. */
TEST_CASE(test_messages)
{
    static const int64_t extents[] = {4, 4};
    static double memory[64];
    const stn_exec *exec = order_use(0);
    const stn_status wrong = STN_ERR_ARGUMENT, missing = STN_ERR_UNSUPPORTED;
    stn_view a, c, x, z, none = {.size = 0}, other;
    stn_c128 result;
    double value;
    expect_ok(stn_view_wrap(&a, "A", stn_storage_of(STN_F64), memory, 2, extents));
    expect_ok(stn_view_wrap(&c, "C", stn_storage_of(STN_F64), memory + 16, 2, extents));
    expect_ok(stn_view_wrap(&x, "X", stn_storage_of(STN_F64), memory + 32, 1, extents));
    expect_ok(stn_view_wrap(&z, "Z", stn_storage_of(STN_C128), memory + 48, 1, extents));
    other = x;
    other.size = 1;
    says(stn_axpy(exec, STN_F64, 1, NULL, &x), wrong, "stn_axpy: x is NULL");
    says(stn_axpy(exec, STN_F64, 1, &x, &none), wrong, "stn_axpy: y is a view of nothing");
    says(stn_axpy(exec, STN_F64, 1, &x, &other), wrong,
         "stn_axpy: y is not an initialized view: its member size is 1, not 256");
    says(stn_dotu(exec, STN_C128, &result, &z, NULL), wrong, "stn_dotu: y is NULL");
    says(stn_gemv(exec, STN_F64, 1, NULL, &x, 0, &x), wrong, "stn_gemv: a is NULL");
    says(stn_gemm(exec, STN_F64, 1, &a, NULL, 0, &c), wrong, "stn_gemm: b is NULL");
    says(stn_gemm(exec, STN_F64, 1, &a, &a, 0, &none), wrong, "stn_gemm: c is a view of nothing");
    says(stn_symm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, 1, &a, NULL, 0, &c), wrong,
         "stn_symm: b is NULL");
    says(stn_symm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, 1, NULL, &a, 0, &c), wrong,
         "stn_symm: a is NULL");
    says(stn_dot(exec, STN_I32, &value, &x, &x), missing,
         "stn_dot: arithmetic is i32; it must be f64 or f32");
    says(stn_nrm2(exec, 9999, &value, &x), missing,
         "stn_nrm2: arithmetic is format 9999; it must be f64, f32, c128 or c64");
    says(stn_rotg(STN_C64, memory, memory, memory, memory), missing,
         "stn_rotg: arithmetic is c64; it must be f64 or f32");
    says(stn_rotg(STN_F64, memory, memory, NULL, memory), wrong, "stn_rotg: c is NULL");
    says(stn_trsv(exec, STN_F64, (stn_triangle)7, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &a, &x),
         wrong, "stn_trsv: triangle is 7; it must be STN_LOWER (0) or STN_UPPER (1)");
    says(stn_trsv(exec, STN_F64, STN_LOWER, (stn_diagonal)2, STN_NO_CONJUGATE, &a, &x), wrong,
         "stn_trsv: diagonal is 2; it must be STN_DIAGONAL_NON_UNIT (0) or STN_DIAGONAL_UNIT (1)");
    says(stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, (stn_conjugate)-1, &a, &x), wrong,
         "stn_trsv: conj is -1; it must be STN_NO_CONJUGATE (0) or STN_CONJUGATE (1)");
    says(stn_symm(exec, STN_F64, (stn_side)3, STN_LOWER, 1, &a, &a, 0, &c), wrong,
         "stn_symm: side is 3; it must be STN_SIDE_LEFT (0) or STN_SIDE_RIGHT (1)");
}

RUN_TESTS(NULL, order_teardown, UNIT(test_arguments), UNIT(test_choices), UNIT(test_formats),
          UNIT(test_shapes), UNIT(test_aliases), UNIT(test_no_memory), UNIT(test_counted),
          UNIT(test_quick), UNIT(test_results_are_whole), UNIT(test_messages))
