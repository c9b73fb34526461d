/* The functions of <math.h> in kernels, reductions and texts are those of the arithmetic: in f32,
 * the bits of the float function, and its type. */
#define STN_KERNEL_ONE_VERSION
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "measure/openmp.h"
#include "next_number.h"
#include "steno/event.h"
#include "steno/kernel.h"
#include "steno/detail/kernel_math.h"
#include "steno/kernel_text.h"
#include "steno/reduce.h"
#include "make_view.h"

/* clang-format off */
#define NUMBER_OF(name)        AT_##name,
#define NUMBER_BY(name, type)  AT_##name,
enum {
    STN_MATH_OF_1(NUMBER_OF) STN_MATH_OF_2(NUMBER_OF) STN_MATH_OF_3(NUMBER_OF)
    STN_MATH_BY_INTEGER(NUMBER_BY) STN_MATH_TO_INTEGER(NUMBER_BY) STN_MATH_MACROS_OF_1(NUMBER_OF)
    STN_MATH_MACROS_OF_2(NUMBER_OF) AT_nexttoward, AT_nextup, AT_nextdown, FUNCTIONS
};

/* Second arguments that are doubles, and integers of another type. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#define OF_1(name)         n == AT_##name ? name(x) :
#define OF_2(name)         n == AT_##name ? (n % 2 ? name(x, z) : name(x, 0.1)) :
#define OF_3(name)         n == AT_##name ? name(x, z, 0.1) :
#define BY(name, type)     n == AT_##name ? name(x, INT64_C(-3)) :
#define TO(name, type)     n == AT_##name ? (real_t)name(x) :
#define IS_1(name)         n == AT_##name ? (real_t)(name(x) != 0) :
#define IS_2(name)         n == AT_##name ? (real_t)(name(x, z) != 0) :
#define NUMBERS                                                                                    \
    (STN_MATH_OF_1(OF_1) STN_MATH_OF_2(OF_2) STN_MATH_OF_3(OF_3) STN_MATH_BY_INTEGER(BY)           \
     n == AT_nexttoward ? nexttoward(x, 0.1) : n == AT_nextup ? nextup(x) :                         \
     n == AT_nextdown ? nextdown(x) : x)
#define EVERY                                                                                      \
    (STN_MATH_TO_INTEGER(TO) STN_MATH_MACROS_OF_1(IS_1) STN_MATH_MACROS_OF_2(IS_2)                 \
     sizeof NUMBERS == sizeof(real_t) ? NUMBERS : STN_R(-777))

STN_MAP(every, (index(n), in(x), in(z), out(y)), y = EVERY;)
STN_REDUCE(every_sum, sum, (index(n), in(x), in(z)), EVERY)
STN_MAP(parts, (in(x), out(y)), {
    int exponent, quotient;
    real_t whole;
    const real_t fraction = frexp(x, &exponent), rest = modf(x, &whole);
    const real_t remainder_of = remquo(x, STN_R(0.7), &quotient);
    y = sizeof frexp(x, &exponent) + sizeof nan("") != 2 * sizeof(real_t)
        ? STN_R(-777) : fraction + 3 * rest + 5 * remainder_of + STN_R(exponent) + STN_R(quotient % 4);
})
STN_MAP(plain, (in(x), out(y)), y = x;)
STN_MAP(next, (in(x), out(z), out(y)), z = nextup(x); y = nextdown(x);)
/* Parameters and variables may have the names of functions. */
STN_MAP(named, (real(round), index(trunc), in(fmin), inout(log2), gather(erf, 1)), {
    const real_t tanh = fmin + round;
    log2 = log2 + tanh + STN_R(trunc) + STN_AT(erf, 0);
})
STN_MAP_COMPLEX(parts_of, (in(x), out(y)), {
    y.re = hypot(x.re, 0.1);
    y.im = sizeof hypot(x.re, 0.1) == sizeof x.re;
})

/* What each function is, called by its own name. */
static double wanted_f64(int n, double x, double z)
{
    typedef double real_t;
#define nextup(number)   above_f64(number)
#define nextdown(number) (-above_f64(-(number)))
    return EVERY;
#undef nextup
#undef nextdown
}
#undef OF_1
#undef OF_2
#undef OF_3
#undef BY
#undef TO
#define OF_1(name)         n == AT_##name ? name##f(x) :
#define OF_2(name)         n == AT_##name ? (n % 2 ? name##f(x, z) : name##f(x, 0.1f)) :
#define OF_3(name)         n == AT_##name ? name##f(x, z, 0.1f) :
#define BY(name, type)     n == AT_##name ? name##f(x, -3) :
#define TO(name, type)     n == AT_##name ? (float)name##f(x) :
static float wanted_f32(int n, float x, float z)
{
    typedef float real_t;
    return STN_MATH_OF_1(OF_1) STN_MATH_OF_2(OF_2) STN_MATH_OF_3(OF_3) STN_MATH_BY_INTEGER(BY)
           STN_MATH_TO_INTEGER(TO) STN_MATH_MACROS_OF_1(IS_1) STN_MATH_MACROS_OF_2(IS_2)
           n == AT_nexttoward ? nexttowardf(x, 0.1) :
           n == AT_nextup ? above_f32(x) : -above_f32(-x);
}
#pragma GCC diagnostic pop

#define TEXT_1(name)       [AT_##name] = "y = " #name "(x);",
#define TEXT_2(name)       [AT_##name] = AT_##name % 2 ? "y = " #name "(x, z);" : "y = " #name "(x, 0.1);",
#define TEXT_3(name)       [AT_##name] = "y = " #name "(x, z, 0.1);",
#define TEXT_TO(name, type) [AT_##name] = "y = " #name "(x);",
#define TEXT_BY(name, type) [AT_##name] = "y = " #name "(x, (int64_t)-3);",
#define TEXT_IS_2(name)    [AT_##name] = "y = " #name "(x, z);",
static const char *const texts[FUNCTIONS] = {
    STN_MATH_OF_1(TEXT_1) STN_MATH_OF_2(TEXT_2) STN_MATH_OF_3(TEXT_3) STN_MATH_BY_INTEGER(TEXT_BY)
    STN_MATH_TO_INTEGER(TEXT_TO) STN_MATH_MACROS_OF_1(TEXT_1) STN_MATH_MACROS_OF_2(TEXT_IS_2)
    [AT_nexttoward] = "y = nexttoward(x, 0.1);", [AT_nextup] = "y = nextup(x);",
    [AT_nextdown] = "y = nextdown(x);"};
/* clang-format on */

enum { N = 16 };
static const double xs[N] = {0.0, -0.0, 0.5,  -0.75, 1.0, 1.5, 2.5,   -2.5,
                             3.7, 10.1, 1e-3, 99.25, 0.3, 0.1, -1e-5, 4.0},
                    zs[N] = {1.0, 2.0, -0.5, 0.75, 3.0, 0.25, -1.5, 2.5,
                             7.0, 0.1, 2e-3, -4.0, 0.3, 0.2,  1e-5, -0.0};
static double x_f64[N], z_f64[N], y_f64[N];
static float x_f32[N], z_f32[N], y_f32[N];
static stn_view x, z, y;
static stn_exec *exec;

static void wrap(stn_format format)
{
    const int64_t count = N;
    const int wide = format == STN_F64;
    const stn_storage storage = stn_storage_of(format);
    for (int k = 0; k < N; k++) {
        x_f64[k] = xs[k], z_f64[k] = zs[k], y_f64[k] = -7.0;
        x_f32[k] = (float)xs[k], z_f32[k] = (float)zs[k], y_f32[k] = -7.0f;
    }
    x = wrap_view("x", storage, wide ? (void *)x_f64 : x_f32, 1, &count);
    z = wrap_view("z", storage, wide ? (void *)z_f64 : z_f32, 1, &count);
    y = wrap_view("y", storage, wide ? (void *)y_f64 : y_f32, 1, &count);
}

static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void expect(const char *tier, int n, int k, int wide, double got)
{
    const double wanted =
        wide ? wanted_f64(n, x_f64[k], z_f64[k]) : (double)wanted_f32(n, x_f32[k], z_f32[k]);
    if (!same(got, wanted))
        fail_msg("%s, %s: '%s' of %a and %a: %a, not %a", tier, wide ? "f64" : "f32", texts[n],
                 xs[k], zs[k], got, wanted);
}

static void expect_all(const char *tier, int n, int wide)
{
    for (int k = 0; k < N; k++)
        expect(tier, n, k, wide, wide ? y_f64[k] : (double)y_f32[k]);
}

/* Of one element: it is the sum. */
static double sum_of(int n, int k, int wide)
{
    double sum = -7.0;
    const stn_storage storage = x.storage;
    const stn_view of_x = wrap_view("x", storage, wide ? (void *)(x_f64 + k) : x_f32 + k, 0, NULL);
    const stn_view of_z = wrap_view("z", storage, wide ? (void *)(z_f64 + k) : z_f32 + k, 0, NULL);
    expect_ok(every_sum_reduce(exec, wide ? STN_F64 : STN_F32, &sum, n, &of_x, &of_z));
    return sum;
}

UNIT_TEST(test_kernels)
{
    for (int wide = 0; wide < 2; wide++) {
        wrap(wide ? STN_F64 : STN_F32);
        for (int n = 0; n < FUNCTIONS; n++) {
            expect_ok(every_run(exec, wide ? STN_F64 : STN_F32, n, &x, &z, &y));
            expect_all("kernel", n, wide);
        }
    }
}

UNIT_TEST(test_reductions)
{
    for (int wide = 0; wide < 2; wide++) {
        wrap(wide ? STN_F64 : STN_F32);
        for (int n = 0; n < FUNCTIONS; n++)
            for (int k = 0; k < N; k++)
                expect("reduction", n, k, wide, sum_of(n, k, wide));
    }
}

UNIT_TEST(test_texts)
{
    const stn_argument arguments[] = {{.view = &x}, {.view = &z}, {.view = &y}};
    for (int wide = 0; wide < 2; wide++) {
        wrap(wide ? STN_F64 : STN_F32);
        for (int n = 0; n < FUNCTIONS; n++) {
            stn_kernel *kernel;
            expect_ok(stn_kernel_compile(&kernel, "text", "in(x), in(z), out(y)", texts[n],
                                         STN_KERNEL_REAL));
            expect_ok(stn_kernel_run(exec, kernel, wide ? STN_F64 : STN_F32, STN_RANK_BROADCAST,
                                     NULL, arguments));
            stn_kernel_release(kernel);
            expect_all("text", n, wide);
        }
    }
}

UNIT_TEST(test_constants_of_texts)
{
    stn_kernel *kernel;
    const stn_argument arguments[] = {{.view = &x}, {.view = &y}};
    wrap(STN_F64);
    expect_ok(stn_kernel_compile(
        &kernel, "text", "in(x), out(y)",
        "y = isnan(NAN) + 2 * isinf(INFINITY) + 4 * (x < HUGE_VAL) + "
        "8 * signbit(-INFINITY) + lrint(1e300 * HUGE_VAL) / 4611686018427387904;",
        STN_KERNEL_REAL));
    expect_ok(stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments));
    stn_kernel_release(kernel);
    assert_true(y_f64[0] == 16.0);
}

UNIT_TEST(test_results_by_pointers)
{
    wrap(STN_F32);
    expect_ok(parts_run(exec, STN_F32, &x, &y));
    for (int k = 0; k < N; k++) {
        int exponent, quotient;
        float whole;
        const float fraction = frexpf(x_f32[k], &exponent), rest = modff(x_f32[k], &whole),
                    left = remquof(x_f32[k], 0.7f, &quotient);
        assert_true(y_f32[k] ==
                    fraction + 3 * rest + 5 * left + (float)exponent + (float)(quotient % 4));
    }
}

static void count_notes(const stn_event *event, void *notes)
{
    *(int *)notes += event->kind == STN_EVENT_NOTE;
}

/* From -0, infinities, the greatest number and the least, compiled with the program and at run
 * time.
 */
UNIT_TEST(test_next_numbers)
{
    static const float numbers[6] = {-0.0f, INFINITY, -INFINITY, FLT_MAX, -FLT_TRUE_MIN, NAN};
    static const float above[6] = {FLT_TRUE_MIN, INFINITY, -FLT_MAX, INFINITY, -0.0f, NAN};
    static const char *const resources[2] = {OPENMP, "threads:jit"};
    int notes = 0, without = 0;
    wrap(STN_F32);
    stn_event_set_hook(count_notes, &without);
    stn_exec *plainly;
    expect_ok(stn_exec_create(&plainly, "threads:jit"));
    expect_ok(plain_run(plainly, STN_F32, &x, &y));
    stn_exec_release(plainly);
    stn_event_set_hook(count_notes, &notes);
    for (int n = 0; n < 2; n++) {
        stn_exec *any;
        expect_ok(stn_exec_create(&any, resources[n]));
        wrap(STN_F32);
        memcpy(x_f32, numbers, sizeof numbers);
        expect_ok(next_run(any, STN_F32, &x, &z, &y));
        stn_exec_release(any);
        for (int k = 0; k < N; k++) {
            assert_true(same((double)z_f32[k], (double)(k < 6 ? above[k] : above_f32(x_f32[k]))));
            x_f32[k] = -x_f32[k];
        }
        expect_ok(next_run(exec, STN_F32, &x, &x, &y));
        for (int k = 0; k < N; k++)
            assert_true(same((double)y_f32[k], (double)-z_f32[k]));
    }
    stn_event_set_hook(NULL, NULL);
    /* what is not compiled at run time is run otherwise: nothing is under an emulator */
    assert_int_equal(notes, without);
}

UNIT_TEST(test_names_of_functions)
{
    wrap(STN_F32);
    expect_ok(named_run(exec, STN_F32, 1.0, 2, &x, &y, &z));
    assert_true(y_f32[4] == -7.0f + (1.0f + 1.0f) + 2.0f + 1.0f);
}

UNIT_TEST(test_parts_of_complex_numbers)
{
    stn_c64 from = {0.3f, 0.0f}, to = {-1, -1};
    const stn_view vfrom = wrap_view("from", stn_storage_of(STN_C64), &from, 0, NULL);
    const stn_view vto = wrap_view("to", stn_storage_of(STN_C64), &to, 0, NULL);
    expect_ok(parts_of_run(exec, STN_C64, &vfrom, &vto));
    assert_true(to.re == hypotf(0.3f, 0.1f) && to.im == 1.0f);
}

static int begin(void **context)
{
    (void)context;
    return stn_exec_create(&exec, "threads:threads=2") != STN_OK;
}

static int end(void **context)
{
    (void)context;
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(begin, end)
