/* Every function and condition of <math.h> in every arithmetic on every executor: bodies are made
 * of the table that lists them, the expected values by the C library's functions of each type. */
#define STN_KERNEL_ONE_VERSION
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>

#include "device.h"
#include "exec/exec.h"
#include "exec/kernel.h"
#include "next_number.h"
#include "steno/detail/kernel_math.h"
#include "steno/event.h"
#include "steno/kernel.h"

/* clang-format off */

/* CASE(name, statements): `r` becomes the function's value at `a` and `b`, of type `part`. OF says
 * how the function of that type is called. */
#define CASE_1(name)         CASE_OF_1(name, OF(name))
#define CASE_2(name)         CASE_OF_2(name, OF(name))
#define CASE_3(name)         CASE_OF_3(name, OF(name))
#define CASE_BY(name, type)  CASE_OF_BY(name, OF(name))
#define CASE_TO(name, type)  CASE_OF_TO(name, OF(name))
#define CASE_OF_1(name, f)   CASE(name, r = f(a);)
#define CASE_OF_2(name, f)   CASE(name, r = f(a, b);)
#define CASE_OF_3(name, f)   CASE(name, r = f(a, b, 0.1);)
#define CASE_OF_BY(name, f)  CASE(name, r = f(a, -3);)
#define CASE_OF_TO(name, f)  CASE(name, if (a > -1e9 && a < 1e9) r = (part)f(a);)
#define CASE_NEXT(name, sign) CASE(name, r = name(a);)
#define CASE_IS_1(name)      CASE(name, r = (part)(name(a) != 0);)
#define CASE_IS_2(name)      CASE(name, r = (part)((name(a, b) != 0) + 2 * (name(a, 0.1) != 0));)
#define CASE_OTHER(name)     CASE_OTHER_##name(OF(name))
#define CASE_OTHER_nexttoward(f) CASE(nexttoward, r = f(a, 0.1); if (b > 2) r = f(a, b);)
#define CASE_OTHER_frexp(f)  CASE(frexp, int e = 0; r = f(a, &e); if (r - r == 0) r = 3 * r + (part)e;)
#define CASE_OTHER_modf(f)   CASE(modf, part v[2]; v[1] = 5; r = f(a, &v[0]); r = 3 * r + v[0] + v[1];)
#define CASE_OTHER_remquo(f) CASE(remquo, int q = 0; r = f(a, b, &q); if (r == r) r = 9 * r + (part)(q % 8);)
#define CASE_OTHER_nan(f)    CASE(nan, r = f("");)
#define FUNCTIONS_OF_TYPE                                                                          \
    STN_MATH_OF_1(CASE_1) STN_MATH_OF_2(CASE_2) STN_MATH_OF_3(CASE_3)                              \
    STN_MATH_BY_INTEGER(CASE_BY) STN_MATH_TO_INTEGER(CASE_TO) STN_MATH_OTHERS(CASE_OTHER)
#define CONDITIONS                                                                                 \
    STN_MATH_MACROS_OF_1(CASE_IS_1) STN_MATH_MACROS_OF_2(CASE_IS_2)                                \
    CASE(fpclassify, r = (part)(1 + fpclassify(a)); if (fpclassify(a) == FP_SUBNORMAL) r = -r;)

/* The first ones are rounded correctly; others are not, and on devices they may be another's. */
enum {
#define CASE(name, ...) AT_##name,
    FUNCTIONS_OF_TYPE CONDITIONS STN_MATH_NEXT(CASE_NEXT)
#undef CASE
    FUNCTIONS
};
static const char *const names[FUNCTIONS] = {
#define CASE(name, ...) #name,
    FUNCTIONS_OF_TYPE CONDITIONS STN_MATH_NEXT(CASE_NEXT)
#undef CASE
};

/* What a text says of each, in the arithmetic's functions and in those of float. */
#define OF(name) name
static const char *const statements[FUNCTIONS] = {
#define CASE(name, ...) #__VA_ARGS__,
    FUNCTIONS_OF_TYPE CONDITIONS STN_MATH_NEXT(CASE_NEXT)
#undef CASE
};
#undef OF
#define OF(name) name##f
static const char *const statements_of_float[FUNCTIONS] = {
#define CASE(name, ...) #__VA_ARGS__,
    FUNCTIONS_OF_TYPE
#undef CASE
};
#undef OF

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"

/* The values, from the C library. */
static double next_up(double number)
{
    return number != number || number > DBL_MAX ? number : above_f64(number);
}
static float next_up_of_float(float number)
{
    return number != number || number > FLT_MAX ? number : above_f32(number);
}
#define CASE(name, ...) if (n == AT_##name) { __VA_ARGS__ }
#define OF(name) name
static double wanted_f64(int n, double a, double b)
{
    typedef double part;
    double r = 0;
    FUNCTIONS_OF_TYPE CONDITIONS
    if (n == AT_nextup)
        r = next_up(a);
    if (n == AT_nextdown)
        r = -next_up(-a);
    return r;
}
#undef OF
#define OF(name) name##f
static float wanted_f32(int n, float a, float b)
{
    typedef float part;
    float r = 0;
    FUNCTIONS_OF_TYPE CONDITIONS
    if (n == AT_nextup)
        r = next_up_of_float(a);
    if (n == AT_nextdown)
        r = -next_up_of_float(-a);
    return r;
}
#undef OF

/* The kernels, compiled with the program. */
#define OF(name) name
#define EVERY FUNCTIONS_OF_TYPE CONDITIONS STN_MATH_NEXT(CASE_NEXT)
STN_MAP(every, (in(which), in(x), in(z), out(y)),
    typedef real_t part;
    const int n = (int)which;
    const real_t a = x, b = z;
    real_t r = 0;
    EVERY
    y = r;
)
STN_MAP_COMPLEX(every_part, (in(which), in(x), in(z), out(y)),
    typedef __typeof__(+x.re) part;
    const int n = (int)which.re;
    const part a = x.re, b = z.im;
    part r = 0;
    EVERY
    y.re = r;
    y.im = r;
)
#undef EVERY
#define EVERY FUNCTIONS_OF_TYPE CONDITIONS
/* Numbers are the bits of doubles. */
STN_MAP_INTEGER(every_integer, (in(which), in(x), in(z), out(y)),
    typedef double part;
    const int n = (int)which;
    double a, b, r = 0;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &z, sizeof b);
    EVERY
    memcpy(&y, &r, sizeof r);
)
#undef OF
#undef CASE
#pragma GCC diagnostic pop
/* clang-format on */

static const char *resource; /* of the executor */

/* ---- bodies as texts ---- */

/* What stands before and behind the statements. */
typedef struct arithmetic_row {
    stn_format arithmetic, format;
    const stn_kernel *kernel;
    const char *begin, *end;
    int is_wide, has_next;
} arithmetic_row;
static const arithmetic_row arithmetics[] = {
    {STN_F64, STN_F64, &every_kernel,
     "const int n = (int)which; const double a = x, b = z; double r = 0; typedef double part;\n",
     "y = r;", 1, 1},
    {STN_F32, STN_F32, &every_kernel,
     "const int n = (int)which; const float a = x, b = z; float r = 0; typedef float part;\n",
     "y = r;", 0, 1},
    {STN_I64, STN_I64, &every_integer_kernel,
     "const int n = (int)which; double a, b, r = 0; typedef double part; memcpy(&a, &x, sizeof a); "
     "memcpy(&b, &z, 8);\n",
     "memcpy(&y, &r, 8);", 1, 0},
    {STN_C128, STN_C128, &every_part_kernel,
     "const int n = (int)which.re; const double a = x.re, b = z.im; double r = 0; typedef double "
     "part;\n",
     "y.re = y.im = r;", 1, 1},
    {STN_C64, STN_C64, &every_part_kernel,
     "const int n = (int)which.re; const float a = x.re, b = z.im; float r = 0; typedef float "
     "part;\n",
     "y.re = y.im = r;", 0, 1}};
enum { ARITHMETICS = sizeof arithmetics / sizeof *arithmetics, ROWS = 2 * FUNCTIONS, ROOM = 65536 };

/* Rounded once, and conditions: the same bits. */
static int is_exact(int n)
{
    static const int loose[] = {
        AT_acos, AT_asin, AT_atan, AT_cos,  AT_sin,    AT_tan,    AT_acosh, AT_asinh, AT_atanh,
        AT_cosh, AT_sinh, AT_tanh, AT_exp,  AT_exp2,   AT_expm1,  AT_log,   AT_log10, AT_log1p,
        AT_log2, AT_cbrt, AT_erf,  AT_erfc, AT_lgamma, AT_tgamma, AT_atan2, AT_hypot, AT_pow};
    for (size_t k = 0; k < sizeof loose / sizeof *loose; k++)
        if (n % FUNCTIONS == loose[k])
            return 0;
    return 1;
}

/* Functions of float as well are those whose number is FUNCTIONS or more. Texts for devices take
 * their time to compile: but in a full run those that devices approximate are left out. */
static int takes(const arithmetic_row *row, int n, int all)
{
    const int is_there =
        n < FUNCTIONS ? row->has_next || n < AT_nextup : statements_of_float[n - FUNCTIONS] != NULL;
    return is_there && (all || is_exact(n));
}

static void make_text(const arithmetic_row *row, int all, char text[ROOM])
{
    int at = snprintf(text, ROOM, "%s", row->begin);
    for (int n = 0; n < ROWS; n++) {
        if (!takes(row, n, all))
            continue;
        if (n < FUNCTIONS)
            at +=
                snprintf(text + at, (size_t)(ROOM - at), "if (n == %d) { %s }\n", n, statements[n]);
        else
            at += snprintf(text + at, (size_t)(ROOM - at),
                           "if (n == %d) { const float f = (float)a, g = (float)b; "
                           "const float a = f, b = g; typedef float part; float s = 0; "
                           "{ float r = 0; %s s = r; } r = s; }\n",
                           n, statements_of_float[n - FUNCTIONS]);
    }
    at += snprintf(text + at, (size_t)(ROOM - at), "%s", row->end);
    assert_true(at < ROOM);
}

/* ---- numbers ---- */

enum { N = 32 };
static const double xs[N] = {0.0,      -0.0,    0.5,      -0.75, 1.0,    1.5,     2.5,  -2.5,
                             3.7,      10.1,    1e-3,     99.25, 0.3,    0.1,     0.1f, 4.0,
                             INFINITY, NAN,     1e-310,   1e-40, 0x1p70, -9.25,   -0.5, 0.49,
                             -1e-5,    0x1p-30, 16777217, 1e30,  7.0,    -0x1p40, 20,   -INFINITY},
                    zs[N] = {1.0,  2.0, -0.5, 0.75, 3.0,  0.25,      -1.5, 2.5, 7.0, 0.1, 2e-3,
                             -4.0, 0.3, 0.2,  1e-5, -0.0, 2.0,       1.0,  3.0, 0.7, 5.0, 0.7,
                             NAN,  2.0, 1.0,  0.5,  3.0,  -INFINITY, 0.0,  3.0, 4.0, 2.0};

static double x_of(const arithmetic_row *row, int k)
{
    return row->is_wide ? xs[k] : (double)(float)xs[k];
}

static double z_of(const arithmetic_row *row, int k)
{
    return row->is_wide ? zs[k] : (double)(float)zs[k];
}

/* The bytes of a view of these numbers: of an integer their bits, of a complex one in both parts.
 */
static void put_numbers(const arithmetic_row *row, const double *numbers, int count, void *to)
{
    for (int k = 0; k < count; k++) {
        const float narrow = (float)numbers[k];
        switch (row->arithmetic) {
        case STN_C128:
            ((double *)to)[2 * k] = ((double *)to)[2 * k + 1] = numbers[k];
            break;
        case STN_C64:
            ((float *)to)[2 * k] = ((float *)to)[2 * k + 1] = narrow;
            break;
        case STN_F32:
            ((float *)to)[k] = narrow;
            break;
        default:
            ((double *)to)[k] = numbers[k];
        }
    }
}

static double result_of(const arithmetic_row *row, const void *from, int k)
{
    const int at = row->arithmetic == STN_C128 || row->arithmetic == STN_C64 ? 2 * k + 1 : k;
    return row->is_wide ? ((const double *)from)[at] : (double)((const float *)from)[at];
}

static double wanted(const arithmetic_row *row, int n, int k)
{
    const double x = x_of(row, k), z = z_of(row, k);
    if (n >= FUNCTIONS)
        return (double)wanted_f32(n - FUNCTIONS, (float)x, (float)z);
    return row->is_wide ? wanted_f64(n, x, z) : (double)wanted_f32(n, (float)x, (float)z);
}

/* ---- comparing ---- */

/* Which zero fmin and fmax give is open. */
static int is_open(const arithmetic_row *row, int n, int k)
{
    const int is_extreme = n % FUNCTIONS == AT_fmin || n % FUNCTIONS == AT_fmax;
    return is_extreme && x_of(row, k) == 0 && z_of(row, k) == 0;
}

static int is_near(double a, double b, int is_wide)
{
    const double unit = is_wide ? DBL_EPSILON : (double)FLT_EPSILON;
    return fabs(a - b) <= 64 * unit * fmax(1, fabs(b));
}

static void expect(const arithmetic_row *row, int n, int k, double got, int is_device)
{
    const double want = wanted(row, n, k);
    const int is_wide = row->is_wide && n < FUNCTIONS;
    if ((isnan(got) && isnan(want)) || memcmp(&got, &want, sizeof got) == 0 || is_open(row, n, k))
        return;
    if (is_device && !is_exact(n) && is_near(got, want, is_wide))
        return;
    fail_msg("%s, arithmetic %d: %s%s of %a and %a: %a, not %a", resource, (int)row->arithmetic,
             names[n % FUNCTIONS], n < FUNCTIONS ? "" : "f", x_of(row, k), z_of(row, k), got, want);
}

/* ---- running ---- */

/* Row n is function n of all numbers; those that a text leaves out give 0. */
static _Alignas(16) unsigned char which_bytes[16 * ROWS], x_bytes[16 * N], z_bytes[16 * N],
    y_bytes[16 * N * ROWS];

static void put_which(const arithmetic_row *row)
{
    double all[ROWS];
    for (int n = 0; n < ROWS; n++) {
        all[n] = n;
        if (row->arithmetic == STN_I64)
            ((int64_t *)which_bytes)[n] = n;
    }
    if (row->arithmetic != STN_I64)
        put_numbers(row, all, ROWS, which_bytes);
}

typedef struct operands {
    stn_view which, x, z, y;
} operands;

static void wrap_operands(operands *o, const arithmetic_row *row)
{
    const stn_storage storage = stn_storage_of(row->format);
    const int64_t rows[2] = {ROWS, 1}, row_of[1] = {N}, all[2] = {ROWS, N};
    put_which(row);
    put_numbers(row, xs, N, x_bytes);
    put_numbers(row, zs, N, z_bytes);
    expect_ok(stn_view_wrap(&o->which, "which", storage, which_bytes, 2, rows));
    expect_ok(stn_view_wrap(&o->x, "x", storage, x_bytes, 1, row_of));
    expect_ok(stn_view_wrap(&o->z, "z", storage, z_bytes, 1, row_of));
    expect_ok(stn_view_wrap(&o->y, "y", storage, y_bytes, 2, all));
}

static stn_status run_on(const stn_exec *exec, const arithmetic_row *row, const stn_kernel *kernel,
                         const operands *o)
{
    const stn_argument arguments[] = {
        {.view = &o->which}, {.view = &o->x}, {.view = &o->z}, {.view = &o->y}};
    return stn_kernel_run(exec, kernel, row->arithmetic, STN_RANK_BROADCAST, NULL, arguments);
}

static void expect_all(const arithmetic_row *row, int rows, int all, int is_device)
{
    for (int n = 0; n < rows; n++)
        for (int k = 0; k < N && takes(row, n, all); k++)
            expect(row, n, k, result_of(row, y_bytes, n * N + k), is_device);
}

static void run_on_host(const stn_exec *exec, const arithmetic_row *row, const stn_kernel *kernel,
                        int rows)
{
    operands o;
    wrap_operands(&o, row);
    memset(y_bytes, 0x55, sizeof y_bytes);
    expect_ok(run_on(exec, row, kernel, &o));
    expect_all(row, rows, 1, 0);
}

TEST_CASE(without_a_compiler)
{
    static const char *const resources[] = {"reference", "threads:threads=2"};
    for (int k = 0; k < 2; k++) {
        stn_exec *exec;
        resource = resources[k];
        expect_ok(stn_exec_create(&exec, resource));
        for (int at = 0; at < ARITHMETICS; at++)
            run_on_host(exec, &arithmetics[at], arithmetics[at].kernel, FUNCTIONS);
        stn_exec_release(exec);
    }
}

STN_MAP(plain, (in(x), out(y)), y = x;)

static int notes;
static char note[1024];

static void count_notes(const stn_event *event, void *none)
{
    (void)none;
    if (event->kind != STN_EVENT_NOTE)
        return;
    notes++;
    snprintf(note, sizeof note, "%s", event->note);
}

/* Is there a compiler that makes code for this machine? */
static int compiles(const stn_exec *exec)
{
    operands o;
    wrap_operands(&o, &arithmetics[0]);
    expect_ok(plain_run(exec, STN_F64, &o.x, &o.z));
    return notes == 0;
}

TEST_CASE(compiled_at_run_time)
{
    static char text[ROOM];
    stn_exec *exec;
    resource = "threads:jit";
    notes = 0;
    stn_event_set_hook(count_notes, NULL);
    expect_ok(stn_exec_create(&exec, resource));
    for (int at = 0; at < ARITHMETICS && compiles(exec); at++) {
        stn_kernel kernel = *arithmetics[at].kernel;
        make_text(&arithmetics[at], 1, text);
        kernel.text = text;
        run_on_host(exec, &arithmetics[at], &kernel, ROWS);
        if (notes != 0)
            fail_msg("%s", note);
    }
    stn_event_set_hook(NULL, NULL);
    stn_exec_release(exec);
}

/* ---- devices ---- */

static stn_view send(const stn_view *host)
{
    stn_view view =
        create_view(device_exec, host->label, host->storage, NULL, host->rank, host->extent, 0);
    expect_ok(stn_view_copy(device_exec, &view, host));
    return view;
}

static void run_on_device(const arithmetic_row *row)
{
    static char text[ROOM];
    stn_kernel kernel = *row->kernel;
    operands here;
    wrap_operands(&here, row);
    make_text(row, oracle_full(), text);
    kernel.text = text;
    operands there = {send(&here.which), send(&here.x), send(&here.z), send(&here.y)};
    expect_both("functions", STN_OK, run_on(device_exec, row, &kernel, &there));
    if (device_computes()) {
        expect_ok(stn_view_copy(device_exec, &here.y, &there.y));
        expect_all(row, ROWS, oracle_full(), 1);
    }
    expect_ok(stn_view_release(&there.which));
    expect_ok(stn_view_release(&there.x));
    expect_ok(stn_view_release(&there.z));
    expect_ok(stn_view_release(&there.y));
}

TEST_CASE(on_a_device)
{
    for (int at = 0; at < ARITHMETICS; at++)
        if (device_has_turn(at))
            run_on_device(&arithmetics[at]);
}

int main(void)
{
    const struct CMUnitTest host[] = {cmocka_unit_test(without_a_compiler),
                                      cmocka_unit_test(compiled_at_run_time)};
    const struct CMUnitTest device[] = {cmocka_unit_test(on_a_device)};
    resource = test_exec_name();
    if (resource)
        return device_main(device, 1, 1);
    setenv("STENO_CACHE", "off", 1);
    return cmocka_run_group_tests_name("math on the host", host, NULL, NULL);
}
