/* Functions of complex.h by names without the type, and products in a program's own words, in
 * kernels of both types on the host, and on an OpenCL device where there is one. */
#include <stdlib.h>

#include "measure/openmp.h"
#include "complex/named.h"
#include "steno/complex.h"
#include "steno/kernel.h"
#include "steno/view.h"
#include "make_view.h"

/* clang-format off */
#define IN_WORDS(a, b) ((real_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re})
STN_MAP_COMPLEX(in_words, (in(x), in(y), out(u), inout(v), masked(w)),
                u = IN_WORDS(x, y);
                v = IN_WORDS(x, v);
                if (x.re > y.re) STN_STORE(w, IN_WORDS(y, y));)
/* clang-format on */

enum { COUNT = 6, MULTIPLIED = 37 };
static const stn_c128 numbers[COUNT] = {{0.5, 0.25}, {-1.5, 2},     {3, -0.75},
                                        {-2, -1},    {0.125, -3.5}, {1, 0.0625}};

#define ROW(name) stn_c128_##name, stn_c64_##name
static const struct {
    stn_c128 (*wide)(stn_c128);
    stn_c64 (*narrow)(stn_c64);
} functions[] = {{ROW(proj)}, {ROW(sqrt)}, {ROW(exp)},   {ROW(log)},   {ROW(log10)}, {ROW(sin)},
                 {ROW(cos)},  {ROW(tan)},  {ROW(asin)},  {ROW(acos)},  {ROW(atan)},  {ROW(sinh)},
                 {ROW(cosh)}, {ROW(tanh)}, {ROW(asinh)}, {ROW(acosh)}, {ROW(atanh)}};

static stn_c128 expected_of(int n, stn_c128 x)
{
    return n < COUNT_OF(functions)    ? functions[n].wide(x)
           : n == COUNT_OF(functions) ? stn_c128_pow(x, stn_c128_conj(x))
                                      : stn_c128_polar(stn_c128_abs(x), stn_c128_arg(x));
}
static stn_c128 narrow_of(int n, stn_c128 x)
{
    const stn_c64 z = stn_c64_of((float)x.re, (float)x.im);
    const stn_c64 y = n < COUNT_OF(functions)    ? functions[n].narrow(z)
                      : n == COUNT_OF(functions) ? stn_c64_pow(z, stn_c64_conj(z))
                                                 : stn_c64_polar(stn_c64_abs(z), stn_c64_arg(z));
    return stn_c128_of(y.re, y.im);
}

static void check_all(const stn_exec *on, double tolerance)
{
    static const int64_t extent = COUNT;
    const stn_format arithmetics[] = {STN_C128, STN_C64};
    stn_view x, y, from;
    stn_c128 found[COUNT];
    expect_ok(stn_view_wrap_const(&from, "from", stn_storage_of(STN_C128), numbers, 1, &extent));
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_C128), 1, &extent));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_C128), 1, &extent));
    expect_ok(stn_view_copy(on, &x, &from));
    for (int n = 0; n < NAMED; n++)
        for (int k = 0; k < 2; k++) {
            const stn_view to = wrap_view("to", stn_storage_of(STN_C128), found, 1, &extent);
            expect_ok(named_run(on, arithmetics[k], n, &x, &y));
            expect_ok(stn_view_copy(on, &to, &y));
            expect_ok(stn_exec_wait(on));
            for (int i = 0; i < COUNT; i++) {
                const stn_c128 good =
                    k == 0 ? expected_of(n, numbers[i]) : narrow_of(n, numbers[i]);
                const double off = stn_c128_abs(stn_c128_subtract(found[i], good));
                if (!(off <= tolerance * (k == 0 ? 0x1p-52 : 0x1p-23) * stn_c128_abs(good)))
                    fail_msg("function %d of number %d in %s: %.17g %.17g, not %.17g %.17g", n, i,
                             k == 0 ? "c128" : "c64", found[i].re, found[i].im, good.re, good.im);
            }
        }
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
}

/* A product as C rounds it: each operation by itself. */
#define DEFINE_ROUNDED(T, real)                                                                    \
    static stn_c128 rounded_##T(stn_c128 a, stn_c128 b)                                            \
    {                                                                                              \
        const real x = (real)a.re, y = (real)a.im, u = (real)b.re, v = (real)b.im;                 \
        const volatile real xu = x * u, yv = y * v, xv = x * v, yu = y * u;                        \
        return stn_c128_of((real)(xu - yv), (real)(xv + yu));                                      \
    }
DEFINE_ROUNDED(c128, double)
DEFINE_ROUNDED(c64, float)

static void expect_pair(const char *what, int i, stn_c128 found, stn_c128 good)
{
    if (found.re != good.re || found.im != good.im)
        fail_msg("%s of pair %d: %.17g %.17g, not %.17g %.17g", what, i, found.re, found.im,
                 good.re, good.im);
}

/* Compilers fuse no product of a kernel, whatever they make of its loop. */
static void check_in_words(const stn_exec *on, stn_format format,
                           stn_c128 (*rounded)(stn_c128, stn_c128))
{
    static const int64_t extent = MULTIPLIED;
    const stn_storage storage = stn_storage_of(format);
    stn_view views[5];
    stn_c128 x[MULTIPLIED], y[MULTIPLIED], found[3][MULTIPLIED];
    for (int n = 0; n < 5; n++)
        expect_ok(stn_view_create(on, &views[n], "v", storage, 1, &extent));
    for (int i = 0; i < MULTIPLIED; i++) {
        x[i] = stn_c128_of((float)(1 + i / 7.0), (float)(3 - i / 11.0));
        y[i] = stn_c128_of((float)(i / 10.0), (float)(1 / 3.0 - 0.3 * i));
    }
    for (int n = 0; n < 5; n++) {
        stn_view from;
        expect_ok(stn_view_wrap_const(&from, "from", stn_storage_of(STN_C128), n == 0 ? x : y, 1,
                                      &extent));
        expect_ok(stn_view_copy(on, &views[n], &from));
    }
    expect_ok(in_words_run(on, format, &views[0], &views[1], &views[2], &views[3], &views[4]));
    for (int n = 0; n < 3; n++) {
        const stn_view to = wrap_view("to", stn_storage_of(STN_C128), found[n], 1, &extent);
        expect_ok(stn_view_copy(on, &to, &views[2 + n]));
    }
    expect_ok(stn_exec_wait(on));
    for (int i = 0; i < MULTIPLIED; i++) {
        expect_pair("out", i, found[0][i], rounded(x[i], y[i]));
        expect_pair("inout", i, found[1][i], rounded(x[i], y[i]));
        expect_pair("masked", i, found[2][i], x[i].re > y[i].re ? rounded(y[i], y[i]) : y[i]);
    }
    for (int n = 0; n < 5; n++)
        expect_ok(stn_view_release(&views[n]));
}

static void check_products(const char *name)
{
    stn_exec *on;
    expect_ok(stn_exec_create(&on, name));
    check_in_words(on, STN_C128, rounded_c128);
    check_in_words(on, STN_C64, rounded_c64);
    stn_exec_release(on);
}
UNIT_TEST(test_products)
{
    check_products("reference");
    check_products(OPENMP);
}

/* The same functions: the same bits. */
UNIT_TEST(test_host)
{
    stn_exec *host;
    expect_ok(stn_exec_create(&host, "reference"));
    check_all(host, 0);
    stn_exec_release(host);
}

UNIT_TEST(test_device)
{
    stn_exec *device;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    check_all(device, 32);
    stn_exec_release(device);
}

RUN_UNIT_TESTS(NULL, NULL)
