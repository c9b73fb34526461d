/* What a body's words mean on a device: what they mean in C, or the kernel is refused. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* of OpenCL, in bodies */
#include "device.h"
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

static const int64_t extents[1] = {200};

/* Numbers of which products round. */
static void make_pair(twins *x, twins *y)
{
    device_seed = 4;
    *x = make_part(f64(), 1, extents);
    *y = make_part(f64(), 1, extents);
    for (int64_t k = 0; k < extents[0]; k++)
        expect_ok(STN_VIEW_SET(&x->host_part, (double)(k - 100) * 0.37, k));
    send_twins(x);
}

/* ---- tests ---- */

typedef struct own_row {
    const char *name;
    stn_status (*run)(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                      const stn_view *y);
} own_row;
#define OWN_ROW(name) {#name, own_##name##_run},
static const own_row own[] = {OWN_OF_1(OWN_ROW) OWN_OF_2(OWN_ROW) OWN_OF_3(OWN_ROW)};
static const own_row shared[] = {{"long_long", long_long_run}, {"of_float", of_float_run},
                                 {"zeros", zeros_run},         {"by_table", by_table_run},
                                 {"by_bits", by_bits_run},     {"far", far_run},
                                 {"fused", fused_by_word_run}, {"commented", commented_run}};
enum { OWN = COUNT_OF(own), SHARED = COUNT_OF(shared) };

/* Only a body's text goes to a device, which has other functions of these names. */
TEST_CASE(refuses_functions_of_the_program)
{
    twins x, y;
    make_pair(&x, &y);
    for (int k = 0; k < OWN; k++) {
        const stn_format arithmetic = k % 2 ? STN_F32 : STN_F64;
        if (!device_has_turn(k))
            continue;
        expect_ok(own[k].run(host_exec, arithmetic, &x.host_part, &y.host_part));
        expect_both(own[k].name, STN_ERR_DEVICE,
                    own[k].run(device_exec, arithmetic, &x.device_part, &y.device_part));
        if (!strstr(stn_error(), own[k].name))
            fail_msg("%s: %s", own[k].name, stn_error());
    }
    release_twins(&x);
    release_twins(&y);
}

TEST_CASE(refuses_them_in_reductions_and_scans)
{
    twins x, y;
    double total;
    make_pair(&x, &y);
    expect_ok(own_total_reduce(host_exec, STN_F64, &total, &x.host_part));
    expect_error(own_total_reduce(device_exec, STN_F64, &total, &x.device_part), STN_ERR_DEVICE,
                 "mix");
    expect_ok(own_largest_reduce(host_exec, STN_F64, &total, &x.host_part));
    expect_error(own_largest_reduce(device_exec, STN_F64, &total, &x.device_part), STN_ERR_DEVICE,
                 "hadd");
    expect_ok(own_running_scan(host_exec, STN_F64, STN_SCAN_INCLUSIVE, &y.host_part, &x.host_part));
    expect_error(
        own_running_scan(device_exec, STN_F64, STN_SCAN_INCLUSIVE, &y.device_part, &x.device_part),
        STN_ERR_DEVICE, "mix");
    release_twins(&x);
    release_twins(&y);
}

/* Variables may have their names. */
TEST_CASE(takes_names)
{
    twins x, y;
    make_pair(&x, &y);
    expect_ok(as_names_run(host_exec, STN_F64, 3, &x.host_part, &x.host_part, &y.host_part));
    expect_ok(
        as_names_run(device_exec, STN_F64, 3, &x.device_part, &x.device_part, &y.device_part));
    expect_numbers(&y, "as_names");
    release_twins(&x);
    release_twins(&y);
}

TEST_CASE(calculates_as_c_does)
{
    twins x, y;
    make_pair(&x, &y);
    for (int k = 0; k < 2 * SHARED; k++) {
        const own_row *const row = &shared[k / 2];
        const stn_format arithmetic = k % 2 ? STN_F32 : STN_F64;
        if (!device_has_turn(k))
            continue;
        expect_both(row->name, row->run(host_exec, arithmetic, &x.host_part, &y.host_part),
                    row->run(device_exec, arithmetic, &x.device_part, &y.device_part));
        expect_numbers(&y, row->name);
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
    expect_ok(stn_view_fill(device_exec, &codes->device, 3.25));
    expect_ok(stn_view_fill(NULL, &codes->host, 3.25));
    expect_numbers(codes, "a fill");
    expect_ok(stn_view_copy(host_exec, &codes->host_part, &x->host_part));
    expect_ok(stn_view_copy(device_exec, &codes->device_part, &x->device_part));
    expect_numbers(codes, "a conversion");
    expect_ok(scaled_sum_run(host_exec, STN_F32, 0.1, &codes->host_part, &y->host_part));
    expect_ok(scaled_sum_run(device_exec, STN_F32, 0.1, &codes->device_part, &y->device_part));
    expect_ok(
        running_scan(host_exec, STN_F32, STN_SCAN_INCLUSIVE, &y->host_part, &codes->host_part));
    expect_ok(running_scan(device_exec, STN_F32, STN_SCAN_INCLUSIVE, &y->device_part,
                           &codes->device_part));
    expect_numbers(y, "a kernel and a scan");
    expect_ok(total_reduce(host_exec, STN_F32, &here, &x->host_part));
    expect_ok(total_reduce(device_exec, STN_F32, &there, &x->device_part));
    assert_true(here == there);
    expect_ok(norm_reduce(host_exec, STN_F32, &here, &x->host_part));
    expect_ok(norm_reduce(device_exec, STN_F32, &there, &x->device_part));
    assert_true(here == there);
    expect_ok(stn_dot(host_exec, STN_F32, &here, &x->host_part, &codes->host_part));
    expect_ok(stn_dot(device_exec, STN_F32, &there, &x->device_part, &codes->device_part));
    assert_true(here == there);
}

TEST_CASE(needs_no_double)
{
    stn_device_calls narrow;
    stn_device *const device = device_exec->device;
    const stn_device_calls *const calls = device->calls;
    twins wide, unused;
    double value;
    if (strncmp(test_exec_name(), "opencl", 6) != 0)
        skip();
    make_pair(&wide, &unused);
    release_twins(&unused);
    stn_storage storage = stn_storage_of(STN_F32);
    storage.scale = 0.3;
    twins x = make_part(stn_storage_of(STN_F32), 1, extents), y = make_part(storage, 1, extents);
    twins codes = make_part(stn_storage_of(STN_F16), 1, extents);
    twins whole = make_part(stn_storage_of(STN_I32), 1, extents);
    expect_ok(stn_view_copy(host_exec, &x.host_part, &wide.host_part));
    expect_ok(stn_view_copy(host_exec, &y.host_part, &wide.host_part));
    send_twins(&x);
    send_twins(&y);
    take_double_away(device, &narrow);
    run_in_f32(&x, &y, &codes);
    expect_ok(added_run(host_exec, STN_I64, &whole.host_part, &whole.host_part));
    expect_ok(added_run(device_exec, STN_I64, &whole.device_part, &whole.device_part));
    expect_numbers(&whole, "integers");
    static const char words[] = "does not support double";
    expect_error(scaled_sum_run(device_exec, STN_F64, 1, &x.device_part, &y.device_part),
                 STN_ERR_UNSUPPORTED, words);
    expect_error(scaled_sum_run(device_exec, STN_F32, 1, &wide.device_part, &y.device_part),
                 STN_ERR_UNSUPPORTED, words);
    expect_error(total_reduce(device_exec, STN_F64, &value, &x.device_part), STN_ERR_UNSUPPORTED,
                 words);
    expect_error(stn_view_copy(device_exec, &wide.device_part, &x.device_part), STN_ERR_UNSUPPORTED,
                 words);
    expect_error(rooted_run(device_exec, STN_I64, &whole.device_part, &whole.device_part),
                 STN_ERR_DEVICE, "stn_lacks_double_sqrt");
    device->calls = calls;
    device->has_f64 = 1;
    stn_device_drop_kernels(device);
    release_twins(&x);
    release_twins(&y);
    release_twins(&codes);
    release_twins(&whole);
    release_twins(&wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calculates_as_c_does), cmocka_unit_test(refuses_functions_of_the_program),
        cmocka_unit_test(refuses_them_in_reductions_and_scans), cmocka_unit_test(takes_names),
        cmocka_unit_test(needs_no_double)};
    return device_main(tests, COUNT_OF(tests), 2);
}
