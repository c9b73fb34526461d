/* Complex numbers on OpenCL devices: products, quotients, roots, magnitudes and norms have the bits
 * that this program's have, and every function of complex.h can be called. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "check.h"
#include "opencl.h"
#include "steno/complex.h"

#define SOURCE  STENO_TEST_DATA "/../.."
#define OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt "

enum { COUNT = 4096, RESULTS = 4 };

static int device_count;

/* Any bits, so of every size, infinite ones and NaN among them, but more often of middling size. */
static stn_u64 bits_of(int k, int is_any, stn_u64 exponent_mask, stn_u64 middle)
{
    const stn_u64 bits = stn_hash_bits((stn_u64)k + 1);
    return is_any ? bits : (bits & ~exponent_mask) | middle;
}

static double double_of(int k)
{
    return stn_f64_of_bits(bits_of(k, k % 5 == 0, (stn_u64)0x7c0 << 52, (stn_u64)0x3c0 << 52));
}

static float float_of(int k)
{
    return stn_f32_of_bits((stn_u32)bits_of(k, k % 5 == 0, 0x70000000u, 0x30000000u));
}

static void check_c128(const opencl_device *d)
{
    static stn_c128 x[COUNT], y[COUNT], z[RESULTS * COUNT];
    const opencl_array arrays[] = {{x, sizeof x}, {y, sizeof y}, {z, sizeof z}};
    for (int k = 0; k < COUNT; k++) {
        x[k] = stn_c128_of(double_of(4 * k), double_of(4 * k + 1));
        y[k] = stn_c128_of(double_of(4 * k + 2), double_of(4 * k + 3));
    }
    opencl_run(d, "all_c128", COUNT, arrays, 3, NULL, 0);
    opencl_run(d, "same_c128", COUNT, arrays, 3, NULL, 0);
    for (int k = 0; k < COUNT; k++) {
        const stn_c128 expected[RESULTS] = {stn_c128_multiply(x[k], y[k]),
                                            stn_c128_divide(x[k], y[k]), stn_c128_sqrt(x[k]),
                                            stn_c128_of(stn_c128_abs(x[k]), stn_c128_norm(x[k]))};
        for (int r = 0; r < RESULTS; r++) {
            const double found[] = {z[RESULTS * k + r].re, z[RESULTS * k + r].im},
                         in_c[] = {expected[r].re, expected[r].im};
            for (int p = 0; p < 2; p++)
                if (stn_bits_of_f64(found[p]) != stn_bits_of_f64(in_c[p]) &&
                    (found[p] == found[p] || in_c[p] == in_c[p]))
                    fail_msg("%s, c128 %d, result %d, part %d: %a, in C11 %a", d->name, k, r, p,
                             found[p], in_c[p]);
        }
    }
}

static void check_c64(const opencl_device *d)
{
    static stn_c64 x[COUNT], y[COUNT], z[RESULTS * COUNT];
    const opencl_array arrays[] = {{x, sizeof x}, {y, sizeof y}, {z, sizeof z}};
    for (int k = 0; k < COUNT; k++) {
        x[k] = stn_c64_of(float_of(4 * k), float_of(4 * k + 1));
        y[k] = stn_c64_of(float_of(4 * k + 2), float_of(4 * k + 3));
    }
    opencl_run(d, "all_c64", COUNT, arrays, 3, NULL, 0);
    opencl_run(d, "same_c64", COUNT, arrays, 3, NULL, 0);
    for (int k = 0; k < COUNT; k++) {
        const stn_c64 expected[RESULTS] = {stn_c64_multiply(x[k], y[k]), stn_c64_divide(x[k], y[k]),
                                           stn_c64_sqrt(x[k]),
                                           stn_c64_of(stn_c64_abs(x[k]), stn_c64_norm(x[k]))};
        for (int r = 0; r < RESULTS; r++) {
            const float found[] = {z[RESULTS * k + r].re, z[RESULTS * k + r].im},
                        in_c[] = {expected[r].re, expected[r].im};
            for (int p = 0; p < 2; p++)
                if (stn_bits_of_f32(found[p]) != stn_bits_of_f32(in_c[p]) &&
                    (found[p] == found[p] || in_c[p] == in_c[p]))
                    fail_msg("%s, c64 %d, result %d, part %d: %a, in C11 %a", d->name, k, r, p,
                             (double)found[p], (double)in_c[p]);
        }
    }
}

TEST_CASE(has_the_same_bits)
{
    const char *const text = "#include \"kernels.h\"\n";
    for (int k = 0; k < device_count; k++) {
        opencl_device d;
        opencl_open(&d, k);
        print_message("%s, double: %s\n", d.name, d.has_double ? "yes" : "no");
        opencl_build(&d, &text, 1, OPTIONS "-I " SOURCE "/include -I " SOURCE "/test/complex");
        check_c64(&d);
        if (d.has_double)
            check_c128(&d);
        opencl_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_the_same_bits)};
    device_count = opencl_count();
    if (device_count == 0) {
        print_message("skipped: no OpenCL device, or no libOpenCL.so.1\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
