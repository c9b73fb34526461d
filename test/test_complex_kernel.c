/* Functions of complex.h by names without the type, in kernels of both types on the host, and on an
 * OpenCL device where there is one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "complex/named.h"
#include "steno/complex.h"
#include "steno/view.h"

enum { COUNT = 6 };
static const stn_c128 numbers[COUNT] = {{0.5, 0.25}, {-1.5, 2},     {3, -0.75},
                                        {-2, -1},    {0.125, -3.5}, {1, 0.0625}};

#define ROW(name) stn_c128_##name, stn_c64_##name
static const struct {
    stn_c128 (*wide)(stn_c128);
    stn_c64 (*narrow)(stn_c64);
} functions[] = {{ROW(proj)}, {ROW(sqrt)}, {ROW(exp)},   {ROW(log)},   {ROW(log10)}, {ROW(sin)},
                 {ROW(cos)},  {ROW(tan)},  {ROW(asin)},  {ROW(acos)},  {ROW(atan)},  {ROW(sinh)},
                 {ROW(cosh)}, {ROW(tanh)}, {ROW(asinh)}, {ROW(acosh)}, {ROW(atanh)}};
enum { FUNCTIONS = (int)(sizeof functions / sizeof *functions) };

static void must(stn_status status)
{
    if (status != STN_OK)
        fail_msg("%s: %s", stn_status_name(status), stn_error());
}

static stn_c128 expected_of(int n, stn_c128 x)
{
    return n < FUNCTIONS    ? functions[n].wide(x)
           : n == FUNCTIONS ? stn_c128_pow(x, stn_c128_conj(x))
                            : stn_c128_polar(stn_c128_abs(x), stn_c128_arg(x));
}
static stn_c128 narrow_of(int n, stn_c128 x)
{
    const stn_c64 z = stn_c64_of((float)x.re, (float)x.im);
    const stn_c64 y = n < FUNCTIONS    ? functions[n].narrow(z)
                      : n == FUNCTIONS ? stn_c64_pow(z, stn_c64_conj(z))
                                       : stn_c64_polar(stn_c64_abs(z), stn_c64_arg(z));
    return stn_c128_of(y.re, y.im);
}

static void check_all(const stn_exec *on, double tolerance)
{
    static const int64_t extent = COUNT;
    const stn_format arithmetics[] = {STN_C128, STN_C64};
    stn_view x, y, from;
    stn_c128 found[COUNT];
    must(stn_view_wrap_const(&from, "from", stn_storage_of(STN_C128), numbers, 1, &extent, NULL));
    must(stn_view_create(on, &x, "x", stn_storage_of(STN_C128), NULL, 1, &extent, 0));
    must(stn_view_create(on, &y, "y", stn_storage_of(STN_C128), NULL, 1, &extent, 0));
    must(stn_view_copy(on, &x, &from));
    for (int n = 0; n < NAMED; n++)
        for (int k = 0; k < 2; k++) {
            stn_view to;
            must(stn_view_wrap(&to, "to", stn_storage_of(STN_C128), found, 1, &extent, NULL));
            must(named_run(on, arithmetics[k], n, &x, &y));
            must(stn_view_copy(on, &to, &y));
            must(stn_exec_wait(on));
            for (int i = 0; i < COUNT; i++) {
                const stn_c128 good =
                    k == 0 ? expected_of(n, numbers[i]) : narrow_of(n, numbers[i]);
                const double off = stn_c128_abs(stn_c128_subtract(found[i], good));
                if (!(off <= tolerance * (k == 0 ? 0x1p-52 : 0x1p-23) * stn_c128_abs(good)))
                    fail_msg("function %d of number %d in %s: %.17g %.17g, not %.17g %.17g", n, i,
                             k == 0 ? "c128" : "c64", found[i].re, found[i].im, good.re, good.im);
            }
        }
    must(stn_view_release(&x));
    must(stn_view_release(&y));
}

/* The same functions: the same bits. */
static void test_host(void **unused)
{
    stn_exec *host;
    (void)unused;
    must(stn_exec_create("reference", &host));
    check_all(host, 0);
    stn_exec_release(host);
}

static void test_device(void **unused)
{
    stn_exec *device;
    (void)unused;
    if (stn_exec_create("opencl", &device) != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    check_all(device, 32);
    stn_exec_release(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_host), cmocka_unit_test(test_device)};
    return cmocka_run_group_tests_name("complex functions in kernels", tests, NULL, NULL);
}
