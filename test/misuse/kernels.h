/* Cases of test_misuse.c: kernels. */
#ifndef STENO_TEST_MISUSE_KERNELS_H
#define STENO_TEST_MISUSE_KERNELS_H

#include <math.h>
#include <string.h>

#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "check.h"

static const char *const misuse_executors[] = {"reference", "openmp:threads=2"};
enum { MISUSE_EXECUTORS = 2, MISUSE_ELEMENTS = 6 };

static stn_exec *misuse_exec(int which)
{
    stn_exec *exec = NULL;
    expect_ok(stn_exec_create(&exec, misuse_executors[which]));
    return exec;
}

static stn_view misuse_line(const char *label, stn_storage storage, void *data)
{
    const int64_t count = MISUSE_ELEMENTS;
    stn_view view;
    expect_ok(stn_view_wrap(&view, label, storage, data, 1, &count));
    return view;
}

/* ---- a variable of the body's own by a parameter's name is no assignment to the parameter ---- */

/* clang-format off */
#define MISUSE_SHADOWING(ROW)                                                                      \
    ROW(block, {real_t z = x; y = z;})                                                             \
    ROW(constant, {const real_t z = x; y = z;})                                                    \
    ROW(second, {real_t t = x, z = t; y = z;})                                                     \
    ROW(later, {real_t z; z = x; y = z;})                                                          \
    ROW(inner, {{real_t z = x; {z = z + 0; y = z;}}})                                              \
    ROW(in_parentheses, {real_t (z) = x; y = z;})                                                  \
    ROW(another_type, {double z = (double)x; y = (real_t)z;})                                      \
    ROW(loop, {for (int64_t n = 0, z = 1; n < z; n++) y = x;})                                     \
    ROW(comparison, {y = x + 0 * (z == x);})                                                       \
    ROW(text, {"z = x;"; y = x;})                                                                  \
    ROW(remark, {/* z = x; */ y = x; /* z = 1 */})                                                 \
    ROW(by_macro, {MISUSE_DECLARE(z) = x; y = z;})                                                 \
    ROW(by_type, {misuse_real z = x; y = (real_t)z;})                                              \
    ROW(by_pointer, {const real_t *const p = &x; y = *p;})
#define MISUSE_DECLARE(name) real_t name
typedef double misuse_real;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wconversion"
#define MISUSE_DEFINE(name, ...)                                                                   \
    STN_MAP(misuse_out_##name, (in(x), out(y), masked(z)), __VA_ARGS__)                            \
    STN_MAP(misuse_inout_##name, (in(x), out(y), inout(z)), __VA_ARGS__)
MISUSE_SHADOWING(MISUSE_DEFINE)
#pragma GCC diagnostic pop
/* clang-format on */

typedef stn_status misuse_run(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                              const stn_view *y, const stn_view *z);

/* Codes that storing again would change: towards zero, 0.3 times the code divided by 0.3. */
static void check_left_alone(misuse_run *run, const char *name)
{
    stn_storage codes = stn_storage_of(STN_I16);
    codes.scale = 0.3;
    codes.rounding = STN_ROUND_TOWARD_ZERO;
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        double x[] = {1, 2, 3, 4, 5, 6}, y[MISUSE_ELEMENTS] = {0};
        int16_t z[] = {11, 12, 13, 14, 17, 19};
        static const int16_t before[] = {11, 12, 13, 14, 17, 19};
        const stn_view vx = misuse_line("x", stn_storage_of(STN_F64), x),
                       vy = misuse_line("y", stn_storage_of(STN_F64), y),
                       vz = misuse_line("z", codes, z);
        stn_exec *const exec = misuse_exec(e);
        assert_int_equal(run(exec, STN_F64, &vx, &vy, &vz), STN_OK);
        stn_exec_release(exec);
        if (memcmp(z, before, sizeof z) != 0)
            fail_msg("%s: z was stored", name);
        assert_memory_equal(x, y, sizeof x);
    }
}

TEST_CASE(a_parameter_that_is_shadowed_is_left_alone)
{
#define MISUSE_CHECK(name, ...)                                                                    \
    check_left_alone(misuse_out_##name##_run, #name);                                              \
    check_left_alone(misuse_inout_##name##_run, #name);
    MISUSE_SHADOWING(MISUSE_CHECK)
}

static stn_kernel *misuse_text;
static stn_status run_misuse_text(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                                  const stn_view *y, const stn_view *z)
{
    const stn_argument arguments[] = {{.view = x}, {.view = y}, {.view = z}};
    return stn_kernel_run(exec, misuse_text, arithmetic, STN_RANK_BROADCAST, NULL, arguments);
}

TEST_CASE(a_parameter_that_a_text_shadows_is_left_alone)
{
    static const char *const texts[] = {
        "{real_t z = x; y = z;}",         "real_t z = x; y = z;",
        "{real_t t = x, z = t; y = z;}",  "{real_t z; z = x; y = z;}",
        "{{double const z = x; y = z;}}", "y = x; // z = x;"};
    static const char *const parameters[] = {"in(x), out(y), masked(z)", "in(x), out(y), inout(z)"};
    for (size_t k = 0; k < 2 * sizeof texts / sizeof *texts; k++) {
        expect_ok(stn_kernel_compile(&misuse_text, "text", parameters[k % 2], texts[k / 2],
                                     STN_KERNEL_REAL));
        check_left_alone(run_misuse_text, texts[k / 2]);
        stn_kernel_release(misuse_text);
    }
}

/* Where all of it is told, outputs are assigned as before. */
STN_MAP(misuse_assigns, (in(x), out(y), out(z)), real_t t = x; y = z = t; z = z + y - (real_t)x;)
TEST_CASE(what_is_assigned_is_stored)
{
    double x[] = {1, 2, 3, 4, 5, 6};
    int16_t y[MISUSE_ELEMENTS] = {0}, z[MISUSE_ELEMENTS] = {0};
    const stn_view vx = misuse_line("x", stn_storage_of(STN_F64), x),
                   vy = misuse_line("y", stn_storage_of(STN_I16), y),
                   vz = misuse_line("z", stn_storage_of(STN_I16), z);
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        expect_ok(misuse_assigns_run(exec, STN_F64, &vx, &vy, &vz));
        for (int k = 0; k < MISUSE_ELEMENTS; k++)
            assert_true(y[k] == k + 1 && z[k] == k + 1);
        stn_exec_release(exec);
    }
}

/* ---- what a scatter may be ---- */

#define MISUSE_STORE(u, value) STN_PUT(u, value, i)
/* clang-format off */
STN_MAP(misuse_hidden, (at(i), in(x), scatter(u, 1)), MISUSE_STORE(u, x + 1);)
STN_MAP(misuse_hidden_two, (at(i), in(x), scatter(u, 1), gather(w, 1)), MISUSE_STORE(u, x + STN_AT(w, i));)
/* clang-format on */

typedef struct misuse_fields {
    double x[MISUSE_ELEMENTS], u[MISUSE_ELEMENTS], before[MISUSE_ELEMENTS];
    float narrow[MISUSE_ELEMENTS], narrow_before[MISUSE_ELEMENTS];
    stn_view vx, vu, vnarrow;
} misuse_fields;

static void begin_fields(misuse_fields *f)
{
    for (int k = 0; k < MISUSE_ELEMENTS; k++) {
        f->x[k] = k;
        f->u[k] = f->before[k] = -k;
        f->narrow[k] = f->narrow_before[k] = (float)(-k);
    }
    f->vx = misuse_line("x", stn_storage_of(STN_F64), f->x);
    f->vu = misuse_line("u", stn_storage_of(STN_F64), f->u);
    f->vnarrow = misuse_line("narrow", stn_storage_of(STN_F32), f->narrow);
}

static void expect_kept(const misuse_fields *f)
{
    assert_memory_equal(f->u, f->before, sizeof f->u);
    assert_memory_equal(f->narrow, f->narrow_before, sizeof f->narrow);
}

TEST_CASE(a_scatter_into_a_read_only_view_is_refused)
{
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        misuse_fields f;
        begin_fields(&f);
        expect_ok(misuse_hidden_run(exec, STN_F64, &f.vx, &f.vnarrow));
        assert_true(f.narrow[0] == 1 && f.narrow[5] == 6);
        begin_fields(&f);
        f.vu.read_only = f.vnarrow.read_only = 1;
        expect_error(misuse_hidden_run(exec, STN_F64, &f.vx, &f.vu), STN_ERR_ARGUMENT,
                     "kernel misuse_hidden: u is read-only");
        expect_error(misuse_hidden_run(exec, STN_F64, &f.vx, &f.vnarrow), STN_ERR_ARGUMENT,
                     "kernel misuse_hidden: u is read-only");
        expect_kept(&f);
        stn_exec_release(exec);
    }
}

TEST_CASE(a_scatter_into_what_overlaps_is_refused)
{
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        misuse_fields f;
        begin_fields(&f);
        expect_error(misuse_hidden_run(exec, STN_F64, &f.vu, &f.vu), STN_ERR_ALIAS,
                     "kernel misuse_hidden: u overlaps x");
        expect_error(misuse_hidden_two_run(exec, STN_F64, &f.vx, &f.vnarrow, &f.vnarrow),
                     STN_ERR_ALIAS, "kernel misuse_hidden_two: u overlaps w");
        expect_kept(&f);
        stn_exec_release(exec);
    }
}

TEST_CASE(a_text_that_stores_into_a_read_only_view_is_refused)
{
    misuse_fields f;
    stn_kernel *kernel = NULL;
    begin_fields(&f);
    f.vu.read_only = 1;
    expect_ok(stn_kernel_compile(&kernel, "text", "at(i), in(x), scatter(u, 1)",
                                 "STN_PUT /**/ (u, x + 1, i);", STN_KERNEL_REAL));
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        const stn_argument wrong[] = {{.view = &f.vx}, {.view = &f.vu}},
                           same[] = {{.view = &f.vnarrow}, {.view = &f.vnarrow}};
        expect_error(stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, wrong),
                     STN_ERR_ARGUMENT, "kernel text: u is read-only");
        expect_error(stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, same),
                     STN_ERR_ALIAS, "kernel text: u overlaps x");
        expect_kept(&f);
        stn_exec_release(exec);
    }
    stn_kernel_release(kernel);
}

/* Parameters say everything, in texts too. */
TEST_CASE(a_text_that_does_not_declare_is_refused)
{
    static const struct {
        const char *parameters, *body, *words;
    } texts[] = {
        {"field(u), out(y)", "y = 0;", "'field' was replaced: gather(u, 2)"},
        {"out(y)", "y = i;", "unknown name 'i'; at(i, j) names indices"},
        {"in(x), out(y)", "if (x > 0) y = x;", "the output 'y' is not assigned on every path"},
        {"gather(u, 1), out(y)", "y = 0; STN_PUT(u, 1, 0);", "'u' is a gather parameter"},
        {"scatter(u, 1)", "STN_PUT(u, 1, 0, 0);", "more indices than the view has dimensions"},
        {"masked(y)", "y = 1;", "'y' is masked; STN_STORE stores it"},
        {"at(i), stencil(u, 1), out(y)", "y = 0;", "a boundary must be nearest, zero, periodic,"}};
    for (int k = 0; k < COUNT_OF(texts); k++) {
        stn_kernel *kernel = NULL;
        expect_error(stn_kernel_compile(&kernel, "text", texts[k].parameters, texts[k].body,
                                        STN_KERNEL_REAL),
                     STN_ERR_PARSE, texts[k].words);
        assert_null(kernel);
    }
}

/* ---- what a kernel runs over ---- */

/* clang-format off */
STN_MAP(misuse_fields_only, (at(i), scatter(u, 1)), STN_PUT(u, 7, i);)
STN_MAP(misuse_near_only, (at(i), stencil(u, nearest, 1), scatter(w, 1)), STN_PUT(w, STN_AT(u, i), i);)
STN_MAP(misuse_numbers_only, (real(a)), (void)a;)
STN_MAP(misuse_double, (inout(y)), y = y + y;)
STN_REDUCE(misuse_total, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_SCAN(misuse_running, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_SCAN(misuse_sums, sum, (in(x)), x)
/* clang-format on */

/* Tables of an older header, or a later one. */
TEST_CASE(a_program_of_other_headers_is_told_to_be_compiled_again)
{
    static const char words[] = "headers of another version of Steno than this library";
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        misuse_fields f;
        begin_fields(&f);
        const stn_argument arguments[] = {{.view = &f.vu}};
        stn_kernel older = misuse_double_kernel, smaller = misuse_double_kernel;
        older.version--;
        smaller.size -= 8;
        expect_error(stn_kernel_run(exec, &older, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                     STN_ERR_UNSUPPORTED, words);
        expect_error(stn_kernel_run(exec, &smaller, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                     STN_ERR_UNSUPPORTED, words);
        assert_memory_equal(f.u, f.before, sizeof f.u);
        stn_exec_release(exec);
    }
}

STN_REDUCE(misuse_sum, sum, (in(x)), x)
STN_REDUCE(misuse_greatest, argmax, (in(x)), x)
STN_REDUCE_COMPLEX(misuse_complex_sum, sum, (in(z)), z)

TEST_CASE(a_reduction_of_other_headers_is_told_to_be_compiled_again)
{
    static const char words[] = "headers of another version of Steno than this library";
    stn_exec *const exec = misuse_exec(1);
    stn_reduction other[] = {misuse_sum_reduction, misuse_sum_reduction};
    stn_partial part, next;
    misuse_fields f;
    begin_fields(&f);
    const stn_argument arguments[] = {{.view = &f.vx}};
    expect_ok(misuse_sum_reduce_part(exec, STN_F64, 0, &part, &f.vx));
    expect_ok(misuse_sum_reduce_part(exec, STN_F64, MISUSE_ELEMENTS, &next, &f.vx));
    other[0].kernel.version--;
    other[1].kernel.size -= 8;
    for (int k = 0; k < 2; k++) {
        double result = -1.0;
        expect_error(stn_reduce_run(exec, &other[k], STN_F64, -1, NULL, &result, arguments),
                     STN_ERR_UNSUPPORTED, words);
        expect_error(stn_reduce_into(exec, &other[k], STN_F64, -1, NULL, 0, &f.vu, arguments),
                     STN_ERR_UNSUPPORTED, words);
        expect_error(
            stn_scan_run(exec, &other[k], STN_F64, -1, NULL, 0, -1, &f.vu, NULL, arguments),
            STN_ERR_UNSUPPORTED, words);
        expect_error(stn_reduce_parts(exec, &other[k], STN_F64, 0, 1, 0, &part, arguments),
                     STN_ERR_UNSUPPORTED, words);
        expect_error(stn_reduce_merge(&other[k], &part, &next), STN_ERR_UNSUPPORTED, words);
        expect_error(stn_reduce_finish(&other[k], &part, &result), STN_ERR_UNSUPPORTED, words);
        assert_true(result == -1.0);
    }
    expect_kept(&f);
    stn_exec_release(exec);
}

TEST_CASE(fields_alone_need_extents)
{
    const char *const words =
        "no parameter of kind in, inout, out or masked determines the extents, and none are given";
    const int64_t extent = MISUSE_ELEMENTS;
    double result = -1, one = -1;
    stn_view of_one;
    stn_partial part;
    expect_ok(stn_view_wrap(&of_one, "one", stn_storage_of(STN_F64), &one, 0, NULL));
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        misuse_fields f;
        begin_fields(&f);
        expect_error(misuse_fields_only_run(exec, STN_F64, &f.vu), STN_ERR_ARGUMENT, words);
        expect_error(misuse_near_only_run(exec, STN_F64, &f.vx, &f.vu), STN_ERR_ARGUMENT, words);
        expect_error(misuse_numbers_only_run(exec, STN_F64, 1), STN_ERR_ARGUMENT, words);
        expect_error(misuse_total_reduce(exec, STN_F64, &result, &f.vu), STN_ERR_ARGUMENT, words);
        expect_error(misuse_total_reduce_into(exec, STN_F64, 0, &of_one, &f.vu), STN_ERR_ARGUMENT,
                     words);
        expect_error(misuse_total_reduce_part(exec, STN_F64, 0, &part, &f.vu), STN_ERR_ARGUMENT,
                     words);
        expect_error(misuse_running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &of_one, &f.vu),
                     STN_ERR_ARGUMENT, words);
        expect_kept(&f);
        assert_true(result == -1 && one == -1);
        expect_ok(misuse_fields_only_run_over(exec, STN_F64, 1, &extent, &f.vu));
        assert_true(f.u[0] == 7 && f.u[5] == 7);
        stn_exec_release(exec);
    }
}

TEST_CASE(a_rank_without_extents_is_refused)
{
    static const int64_t wide[] = {1, 299};
    double result = -1;
    for (int e = 0; e < MISUSE_EXECUTORS; e++) {
        stn_exec *const exec = misuse_exec(e);
        misuse_fields f;
        begin_fields(&f);
        expect_error(misuse_double_run_over(exec, STN_F64, 5, NULL, &f.vu), STN_ERR_ARGUMENT,
                     "kernel misuse_double: rank is 5, but extents is NULL");
        expect_error(misuse_double_run_over(exec, STN_F64, 9, NULL, &f.vu), STN_ERR_ARGUMENT,
                     "rank 9 is out of range (0 to 8)");
        expect_error(misuse_double_run_over(exec, STN_F64, -3, NULL, &f.vu), STN_ERR_ARGUMENT,
                     "rank -3 is out of range (0 to 8)");
        expect_error(misuse_double_run_over(exec, STN_F64, 0, NULL, &f.vu), STN_ERR_SHAPE,
                     "y must have the extents that the kernel runs over, no dimensions: u (f64");
        expect_error(misuse_double_run_over(exec, STN_F64, 2, wide, &f.vu), STN_ERR_SHAPE,
                     "y must have the extents that the kernel runs over, 1 x 299: u (f64");
        expect_error(misuse_sum_reduce_over(exec, STN_F64, 1, NULL, &result, &f.vu),
                     STN_ERR_ARGUMENT, "kernel misuse_sum: rank is 1, but extents is NULL");
        expect_error(misuse_sum_reduce_into_over(exec, STN_F64, 1, NULL, 0, &f.vx, &f.vu),
                     STN_ERR_ARGUMENT, "rank is 1, but extents is NULL");
        expect_kept(&f);
        assert_true(result == -1);
        stn_exec_release(exec);
    }
}

/* Messages name what was given, and what it should have been. */
TEST_CASE(errors_name_what_was_given)
{
    double result = -1, scanned[MISUSE_ELEMENTS];
    stn_partial part;
    misuse_fields f;
    const int64_t few = MISUSE_ELEMENTS - 1;
    stn_exec *const exec = misuse_exec(1);
    stn_view to, scalar;
    begin_fields(&f);
    expect_ok(stn_view_wrap(&to, "to", stn_storage_of(STN_F64), scanned, 1, &few));
    expect_ok(stn_view_wrap(&scalar, "s", stn_storage_of(STN_F64), scanned, 0, NULL));
    expect_error(misuse_sum_reduce_part(exec, STN_F64, -2, &part, &f.vx), STN_ERR_ARGUMENT,
                 "kernel misuse_sum: first is -2; it must be at least 0");
    expect_error(misuse_sum_reduce(exec, (stn_format)9999, &result, &f.vx), STN_ERR_ARGUMENT,
                 "kernel misuse_sum: arithmetic 9999 is not a format");
    expect_error(misuse_sum_reduce_into(exec, STN_F64, 0, &to, &f.vx), STN_ERR_SHAPE,
                 "kernel misuse_sum: result must have extents 6: to (");
    expect_error(misuse_sum_reduce_into(exec, STN_F64, 1, &to, &f.vx), STN_ERR_SHAPE,
                 "kernel misuse_sum: result must have no dimensions: to (");
    expect_error(misuse_sum_reduce_into(exec, STN_F64, 4, &to, &f.vx), STN_ERR_ARGUMENT,
                 "kernel misuse_sum: reduced is 0x4, but the kernel runs over 1 dimensions");
    expect_error(misuse_sums_scan_dimension(exec, STN_F64, STN_SCAN_INCLUSIVE, -2, &f.vu, &f.vx),
                 STN_ERR_ARGUMENT,
                 "the dimension to scan along is out of range: the views have rank 1");
    expect_error(misuse_sums_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &f.vnarrow, &scalar),
                 STN_ERR_SHAPE, "result must have no dimensions");
    stn_exec_release(exec);
}

/* Not the half of one that a float is. */
TEST_CASE(a_result_of_f32_is_a_whole_double)
{
    float values[] = {1.5f, -0.25f, 8.0f}, complex_values[] = {1.5f, -2.0f, 0.25f, 3.0f};
    const int64_t three = 3, two = 2;
    stn_view x, z;
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F32), values, 1, &three));
    expect_ok(stn_view_wrap(&z, "z", stn_storage_of(STN_C64), complex_values, 1, &two));
    for (int threads = 0; threads < MISUSE_EXECUTORS; threads++) {
        double sum = -1.0, product = -1.0, of_part = -1.0;
        int64_t greatest = -1;
        stn_c128 complex_sum = {-1.0, -1.0};
        stn_partial part;
        stn_exec *const exec = misuse_exec(threads);
        expect_ok(misuse_sum_reduce(exec, STN_F32, &sum, &x));
        expect_ok(stn_dot(exec, STN_F32, &product, &x, &x));
        expect_ok(misuse_greatest_reduce(exec, STN_F32, &greatest, &x));
        expect_ok(misuse_complex_sum_reduce(exec, STN_C64, &complex_sum, &z));
        expect_ok(misuse_sum_reduce_part(exec, STN_F32, 0, &part, &x));
        expect_ok(misuse_sum_reduce_finish(&part, &of_part));
        assert_true(sum == 9.25 && product == 66.3125 && greatest == 2 && of_part == 9.25);
        assert_true(complex_sum.re == 1.75 && complex_sum.im == 1.0);
        stn_exec_release(exec);
    }
}

STN_MAP(misuse_raise, (at(i), in(x), scatter(y, 1)), STN_MAX(y, x, i);)

/* In the kernel's arithmetic, whether elements have scales of their own or one for all. */
TEST_CASE(an_update_under_scales_is_one_under_their_scale)
{
    enum { N = 2000 };
    static float values[N];
    static uint32_t codes[2][N];
    static double factors[N];
    static const int64_t extent = N;
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1}};
    stn_storage storage = stn_storage_of(STN_U32);
    stn_view x, y;
    stn_exec *const exec = misuse_exec(0);
    storage.scale = 0.3;
    for (int k = 0; k < N; k++) {
        values[k] = (float)k / 16;
        factors[k] = storage.scale;
    }
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F32), values, 1, &extent));
    for (int k = 0; k < 2; k++) {
        expect_ok(stn_view_wrap(&y, "y", storage, codes[k], 1, &extent));
        if (k == 1)
            expect_ok(stn_view_set_scales(&y, &scales));
        expect_ok(misuse_raise_run(exec, STN_F32, &x, &y));
    }
    stn_exec_release(exec);
    assert_memory_equal(codes[0], codes[1], sizeof codes[0]);
}

TEST_CASE(a_kernel_without_a_view_is_refused)
{
    expect_error(misuse_double_run(NULL, STN_F64, NULL), STN_ERR_ARGUMENT, NULL);
}

TEST_CASE(an_option_of_an_executor_that_is_none_is_refused)
{
    stn_exec *exec;
    expect_error(stn_exec_create(&exec, "openmp:threads=2,jitt"), STN_ERR_ARGUMENT,
                 "the valid options are threads=N");
    assert_null(exec);
}

/* Each with a comma behind it. */
#define MISUSE_KERNELS                                                                             \
    cmocka_unit_test(a_parameter_that_is_shadowed_is_left_alone),                                  \
        cmocka_unit_test(a_parameter_that_a_text_shadows_is_left_alone),                           \
        cmocka_unit_test(what_is_assigned_is_stored),                                              \
        cmocka_unit_test(a_scatter_into_a_read_only_view_is_refused),                              \
        cmocka_unit_test(a_scatter_into_what_overlaps_is_refused),                                 \
        cmocka_unit_test(a_text_that_does_not_declare_is_refused),                                 \
        cmocka_unit_test(a_text_that_stores_into_a_read_only_view_is_refused),                     \
        cmocka_unit_test(fields_alone_need_extents),                                               \
        cmocka_unit_test(a_program_of_other_headers_is_told_to_be_compiled_again),                 \
        cmocka_unit_test(a_reduction_of_other_headers_is_told_to_be_compiled_again),               \
        cmocka_unit_test(a_rank_without_extents_is_refused),                                       \
        cmocka_unit_test(errors_name_what_was_given),                                              \
        cmocka_unit_test(a_result_of_f32_is_a_whole_double),                                       \
        cmocka_unit_test(an_update_under_scales_is_one_under_their_scale),                         \
        cmocka_unit_test(a_kernel_without_a_view_is_refused),                                      \
        cmocka_unit_test(an_option_of_an_executor_that_is_none_is_refused),

#endif
