/* What a body's words mean on a device: what they mean in C, or the kernel is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* of OpenCL, in bodies */

#include "device_run.h"
#include "exec/device.h"
#include "exec/exec.h"
#include "exec/kernel.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/scan.h"

/* clang-format off */
/* Before macros of these names. */
STN_MAP(as_names, (real(step), in(max), in(length), out(dot)),
    const real_t clamp = max * step, barrier = length;
    dot = clamp + barrier;
)
/* clang-format on */

/* ---- functions of a program's, with names that languages of devices have ---- */

/* clang-format off */
#define OWN_OF_1(ROW) ROW(sign) ROW(degrees) ROW(length) ROW(rsqrt) ROW(normalize) ROW(popcount)   \
    ROW(native_sin) ROW(exp10) ROW(convert_int)
#define OWN_OF_2(ROW) ROW(step) ROW(max) ROW(min) ROW(dot) ROW(rotate) ROW(distance) ROW(isequal)
#define OWN_OF_3(ROW) ROW(mix) ROW(mad) ROW(clamp) ROW(smoothstep) ROW(select) ROW(bitselect)
#define KERNEL_1(name) STN_MAP(own_##name, (in(x), out(y)), y = name(x);)
#define KERNEL_2(name) STN_MAP(own_##name, (in(x), out(y)), y = name(x, STN_R(0.5));)
#define KERNEL_3(name) STN_MAP(own_##name, (in(x), out(y)), y = name(x, STN_R(0.5), STN_R(2));)

/* Macros, since C libraries have functions of some of these names. */
#define sign(x)             ((x) + 1)
#define degrees(x)          ((x) + 1)
#define length(x)           ((x) + 1)
#define rsqrt(x)            ((x) + 1)
#define normalize(x)        ((x) + 1)
#define popcount(x)         ((x) + 1)
#define native_sin(x)       ((x) + 1)
#define exp10(x)            ((x) + 1)
#define convert_int(x)      ((x) + 1)
#define step(x, y)          ((x) + 2 * (y))
#define max(x, y)           ((x) + 2 * (y))
#define min(x, y)           ((x) + 2 * (y))
#define dot(x, y)           ((x) + 2 * (y))
#define rotate(x, y)        ((x) + 2 * (y))
#define distance(x, y)      ((x) + 2 * (y))
#define isequal(x, y)       ((x) + 2 * (y))
#define mix(x, y, z)        ((x) + 2 * (y) + 3 * (z))
#define mad(x, y, z)        ((x) + 2 * (y) + 3 * (z))
#define clamp(x, y, z)      ((x) + 2 * (y) + 3 * (z))
#define smoothstep(x, y, z) ((x) + 2 * (y) + 3 * (z))
#define select(x, y, z)     ((x) + 2 * (y) + 3 * (z))
#define bitselect(x, y, z)  ((x) + 2 * (y) + 3 * (z))
OWN_OF_1(KERNEL_1)
OWN_OF_2(KERNEL_2)
OWN_OF_3(KERNEL_3)
STN_REDUCE(own_total, sum, (in(x)), mix(x, STN_R(0.5), STN_R(2)))
static inline double hadd(double x, double y)
{
    return x < y ? y : x;
}
STN_REDUCE_BY(own_largest, (in(x)), x, hadd(a, b), a, 0)
STN_SCAN(own_running, sum, (in(x)), mix(x, STN_R(0.5), STN_R(2)))
#undef select

/* ---- what is the same in C and there ---- */

STN_MAP(long_long, (in(x), out(y)),
    unsigned long int long a = 0xffffffffffffffffull;
    long unsigned long b = 0xfffffffffffffffful;
    long int long c = 1ll << 62;
    const char two[] = "long long";
    a += 5;
    b += 7;
    c += c / 2;
    y = x + (real_t)a + (real_t)b + (real_t)c + (real_t)sizeof c + (real_t)sizeof two;
)
STN_MAP(of_float, (in(x), out(y)),
    const float z = (float)(x * STN_R(0.1));
    y = sqrtf((float)fabs(x)) + fabsf(z) + fmaf((float)x, z, 0.3f) + fma(x, x, STN_R(0.1));
)
STN_MAP(zeros, (in(x), out(y)),
    y = x < 20 ? (real_t)(int)(x / 16) : 1 / ((real_t)lrint(STN_R(20) - x) + 0);
)
STN_MAP(far, (in(x), out(y)),
    y = scalbln(x, 8589934592L) + scalbln(x, -8589934591L) + scalbln(x, -1070) + scalbln(x, 3);
)
STN_MAP(by_table, (in(x), out(y)),
    static const real_t weights[4] = {STN_R(0.5), STN_R(-0.25), STN_R(3), STN_R(7)};
    static const int at[] = {2, 1, 3, 0}, first = 1;
    static const real_t *const also = weights, last = STN_R(0.1);
    const int k = (int)(fabs(x) * 8) % 4;
    y = x * weights[at[k]] + also[(k + first) % 4] - last;
)
STN_MAP(by_bits, (in(x), out(y)),
    const float z = (float)x;
    int32_t code;
    memcpy(&code, &z, sizeof code);
    const real_t t[2] = {x, floorf(z) + cosf(0)};
    real_t s[2];
    memcpy(s, t, sizeof t);
    y = (real_t)(code >> 23 & 255) + s[0] * s[1] + (real_t)(fpclassify(x) == FP_ZERO ? 3 : isnan(nan("")));
)
STN_MAP(fused_by_word, (in(x), out(y)),
    _Pragma("OPENCL FP_CONTRACT ON") real_t t = x * STN_R(0.1);
    y = x * STN_R(0.1) * x - t * x + (x * x * STN_R(0.1) + STN_R(0.7) * x);
)
/* clang-format on */

#define STN_KERNEL_NAME       commented
#define STN_KERNEL_PARAMETERS (in(x), out(y))
#define STN_KERNEL_FILE       "kernel/commented.k"
#include "steno/kernel_file.h"
#include "check.h"

static const int64_t extents[1] = {200};

/* Numbers of which products round. */
static void make_pair(twins *x, twins *y)
{
    seed = 4;
    make_part(x, stn_storage_of(STN_F64), 1, extents);
    make_part(y, stn_storage_of(STN_F64), 1, extents);
    for (int64_t k = 0; k < extents[0]; k++)
        expect_ok(STN_VIEW_SET(&x->host_part, (double)(k - 100) * 0.37, k));
    expect_ok(stn_view_copy(on, &x->device, &x->host));
}

/* ---- tests ---- */

typedef struct own_row {
    const char *name;
    stn_status (*run)(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                      const stn_view *y);
} own_row;
#define OWN_ROW(name) {#name, own_##name##_run},
#define ROW_OF(name)  {#name, name##_run},
static const own_row own[] = {OWN_OF_1(OWN_ROW) OWN_OF_2(OWN_ROW) OWN_OF_3(OWN_ROW)};
static const own_row shared[] = {ROW_OF(long_long) ROW_OF(of_float) ROW_OF(zeros) ROW_OF(
    by_table) ROW_OF(by_bits) ROW_OF(far) ROW_OF(fused_by_word) ROW_OF(commented)};
enum { OWN = sizeof own / sizeof *own, SHARED = sizeof shared / sizeof *shared };

/* Only a body's text goes to a device, which has other functions of these names. */
static void refuses_functions_of_the_program(void **state)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32};
    twins x, y;
    (void)state;
    make_pair(&x, &y);
    for (int k = 0; k < 2 * OWN; k++) {
        const stn_format arithmetic = arithmetics[k % 2];
        expect_ok(own[k / 2].run(reference, arithmetic, &x.host_part, &y.host_part));
        refused(own[k / 2].run(on, arithmetic, &x.device_part, &y.device_part), STN_ERR_DEVICE,
                own[k / 2].name);
    }
    release_twins(&x);
    release_twins(&y);
}

static void refuses_them_in_reductions_and_scans(void **state)
{
    twins x, y;
    double total;
    (void)state;
    make_pair(&x, &y);
    expect_ok(own_total_reduce(reference, STN_F64, &total, &x.host_part));
    refused(own_total_reduce(on, STN_F64, &total, &x.device_part), STN_ERR_DEVICE, "mix");
    expect_ok(own_largest_reduce(reference, STN_F64, &total, &x.host_part));
    refused(own_largest_reduce(on, STN_F64, &total, &x.device_part), STN_ERR_DEVICE, "hadd");
    expect_ok(own_running_scan(reference, STN_F64, STN_SCAN_INCLUSIVE, &y.host_part, &x.host_part));
    refused(own_running_scan(on, STN_F64, STN_SCAN_INCLUSIVE, &y.device_part, &x.device_part),
            STN_ERR_DEVICE, "mix");
    release_twins(&x);
    release_twins(&y);
}

/* Variables may have their names. */
static void takes_names(void **state)
{
    twins x, y;
    (void)state;
    make_pair(&x, &y);
    expect_ok(as_names_run(reference, STN_F64, 3, &x.host_part, &x.host_part, &y.host_part));
    expect_ok(as_names_run(on, STN_F64, 3, &x.device_part, &x.device_part, &y.device_part));
    expect_numbers(&y, "as_names");
    release_twins(&x);
    release_twins(&y);
}

static void calculates_as_c_does(void **state)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32};
    twins x, y;
    (void)state;
    make_pair(&x, &y);
    for (int k = 0; k < 2 * SHARED; k++) {
        expect_ok(shared[k / 2].run(reference, arithmetics[k % 2], &x.host_part, &y.host_part));
        expect_ok(shared[k / 2].run(on, arithmetics[k % 2], &x.device_part, &y.device_part));
        expect_numbers(&y, shared[k / 2].name);
    }
    release_twins(&x);
    release_twins(&y);
}

/* ---- devices without double ---- */

STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(norm, norm2, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
STN_MAP(scaled_sum, (real(a), in(x), inout(y)), y = a * x + sqrt(fabs(y));)
STN_MAP_INTEGER(added, (in(x), inout(y)), y = x + labs(y);)
STN_MAP_INTEGER(rooted, (in(x), inout(y)), y = (int64_t)sqrt((double)x);)

/* The device as it is without: the compiler knows no type of the name. */
static void take_double_away(stn_device *device, stn_device_calls *narrow)
{
    static const char words[] = "#undef cl_khr_fp64\n#undef __opencl_c_fp64\n"
                                "#define double struct no_double\n";
    static char dialect[8192];
    *narrow = *device->calls;
    assert_true(snprintf(dialect, sizeof dialect, "%s%s", words, narrow->dialect) <
                (int)sizeof dialect);
    narrow->dialect = dialect;
    device->calls = narrow;
    device->has_f64 = 0;
    stn_device_drop_kernels(device);
}

static void run_in_f32(twins *x, twins *y, twins *codes)
{
    double here = 1, there = 2;
    expect_ok(stn_view_fill(on, &codes->device, 3.25));
    expect_ok(stn_view_fill(NULL, &codes->host, 3.25));
    expect_numbers(codes, "a fill");
    expect_ok(stn_view_copy(reference, &codes->host_part, &x->host_part));
    expect_ok(stn_view_copy(on, &codes->device_part, &x->device_part));
    expect_numbers(codes, "a conversion");
    expect_ok(scaled_sum_run(reference, STN_F32, 0.1, &codes->host_part, &y->host_part));
    expect_ok(scaled_sum_run(on, STN_F32, 0.1, &codes->device_part, &y->device_part));
    expect_ok(
        running_scan(reference, STN_F32, STN_SCAN_INCLUSIVE, &y->host_part, &codes->host_part));
    expect_ok(running_scan(on, STN_F32, STN_SCAN_INCLUSIVE, &y->device_part, &codes->device_part));
    expect_numbers(y, "a kernel and a scan");
    expect_ok(total_reduce(reference, STN_F32, &here, &x->host_part));
    expect_ok(total_reduce(on, STN_F32, &there, &x->device_part));
    assert_true(here == there);
    expect_ok(norm_reduce(reference, STN_F32, &here, &x->host_part));
    expect_ok(norm_reduce(on, STN_F32, &there, &x->device_part));
    assert_true(here == there);
    expect_ok(stn_dot(reference, STN_F32, &here, &x->host_part, &codes->host_part));
    expect_ok(stn_dot(on, STN_F32, &there, &x->device_part, &codes->device_part));
    assert_true(here == there);
}

static void needs_no_double(void **state)
{
    stn_device_calls narrow;
    stn_device *const device = on->device;
    const stn_device_calls *const calls = device->calls;
    twins x, y, codes, whole, wide;
    double value;
    (void)state;
    if (strncmp(resource, "opencl", 6) != 0)
        skip();
    make_pair(&wide, &whole);
    release_twins(&whole);
    make_part(&x, stn_storage_of(STN_F32), 1, extents);
    stn_storage storage = stn_storage_of(STN_F32);
    make_part(&codes, stn_storage_of(STN_F16), 1, extents);
    storage.scale = 0.3;
    make_part(&y, storage, 1, extents);
    make_part(&whole, stn_storage_of(STN_I32), 1, extents);
    expect_ok(stn_view_copy(reference, &x.host_part, &wide.host_part));
    expect_ok(stn_view_copy(reference, &y.host_part, &wide.host_part));
    expect_ok(stn_view_copy(on, &x.device, &x.host));
    expect_ok(stn_view_copy(on, &y.device, &y.host));
    take_double_away(device, &narrow);
    run_in_f32(&x, &y, &codes);
    expect_ok(added_run(reference, STN_I64, &whole.host_part, &whole.host_part));
    expect_ok(added_run(on, STN_I64, &whole.device_part, &whole.device_part));
    expect_numbers(&whole, "integers");
    static const char words[] = "does not support double";
    refused(scaled_sum_run(on, STN_F64, 1, &x.device_part, &y.device_part), STN_ERR_UNSUPPORTED,
            words);
    refused(scaled_sum_run(on, STN_F32, 1, &wide.device_part, &y.device_part), STN_ERR_UNSUPPORTED,
            words);
    refused(total_reduce(on, STN_F64, &value, &x.device_part), STN_ERR_UNSUPPORTED, words);
    refused(stn_view_copy(on, &wide.device_part, &x.device_part), STN_ERR_UNSUPPORTED, words);
    refused(rooted_run(on, STN_I64, &whole.device_part, &whole.device_part), STN_ERR_DEVICE,
            "stn_lacks_double_sqrt");
    device->calls = calls;
    device->has_f64 = 1;
    stn_device_drop_kernels(device);
    release_twins(&x);
    release_twins(&y);
    release_twins(&codes);
    release_twins(&whole);
    release_twins(&wide);
}

static stn_status compile_one(int at, int architecture)
{
    twins x, y;
    (void)architecture;
    make_pair(&x, &y);
    const stn_status status =
        at < OWN ? own[at].run(on, STN_F64, &x.device_part, &y.device_part)
                 : shared[at - OWN].run(on, STN_F64, &x.device_part, &y.device_part);
    const int is_refused = status == STN_ERR_DEVICE && strstr(stn_error(), "stn_name_");
    release_twins(&x);
    release_twins(&y);
    if (at < OWN)
        return is_refused ? STN_OK : status == STN_OK ? STN_ERR_RANGE : status;
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(OWN + SHARED, compile_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_functions_of_the_program),
        cmocka_unit_test(refuses_them_in_reductions_and_scans), cmocka_unit_test(takes_names),
        cmocka_unit_test(calculates_as_c_does), cmocka_unit_test(needs_no_double)};
    const struct CMUnitTest compile[] = {cmocka_unit_test(compiles_for_cuda)};
    setenv("STENO_CACHE", "off", 1);
    return run_on_devices(tests, sizeof tests / sizeof *tests, compile);
}
