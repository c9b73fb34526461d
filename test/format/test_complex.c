/* The functions of complex.h: arithmetic against quad precision, functions against the C library in
 * long double, special values against C's own. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "steno/complex.h"

/* At least 113 bits: a product of doubles is exact. */
#if defined(__x86_64__)
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

static uint64_t state = 1;

static double random_unit(void)
{
    return (double)(stn_hash_bits(state++) >> 11) * 0x1p-53;
}

static double random_signed(void)
{
    const double x = 1 + random_unit();
    return stn_hash_bits(state++) & 1 ? -x : x;
}

/* Of random exponent between -span and span. */
static double random_graded(int span)
{
    const int exponent = (int)(random_unit() * (2 * span + 1)) - span;
    return ldexp(random_signed(), exponent);
}

static stn_c128 random_pair(int span)
{
    const double re = random_graded(span), im = random_graded(span);
    return stn_c128_of(re, im);
}

/* Out of line: gcc 12 takes the rounding away where it makes vectors of it. */
__attribute__((__noinline__)) static stn_c64 rounded(stn_c128 z)
{
    return stn_c64_of((float)z.re, (float)z.im);
}

__attribute__((__noinline__)) static stn_c128 widened(stn_c64 z)
{
    return stn_c128_of(z.re, z.im);
}

static stn_c128 times_two_to(stn_c128 z, int power)
{
    return stn_c128_of(ldexp(z.re, power), ldexp(z.im, power));
}

static int is_thin(void)
{
    return getenv("STENO_TEST_FULL") == NULL;
}

static quad quad_magnitude(quad x)
{
    return x < 0 ? -x : x;
}

/* ---- division ---- */

/* In which parts, in units of epsilon, differ from the exact ones, and in which the number does. */
typedef struct quotient_error {
    double part, number;
} quotient_error;

static double error_of(double found, quad exact, double epsilon, double least)
{
    quad off = quad_magnitude((quad)found - exact);
    const quad size = quad_magnitude(exact);
    if (size > (epsilon < 1e-10 ? (quad)DBL_MAX : (quad)FLT_MAX))
        return isinf(found) && (found > 0) == (exact > 0) ? 0 : 1e9;
    off = off < least ? 0 : off - (quad)least;
    return off == 0 ? 0 : size == 0 ? 1e9 : (double)(off / size / (quad)epsilon);
}

/* Products are exact and sums are rounded to 113 bits, of which cancellation takes none: so close
 * factors have no more than 106. */
static quotient_error check_quotient(stn_c128 found, stn_c128 a, stn_c128 b, double epsilon,
                                     double least)
{
    const quad norm = (quad)b.re * b.re + (quad)b.im * b.im;
    const quad re = ((quad)a.re * b.re + (quad)a.im * b.im) / norm;
    const quad im = ((quad)a.im * b.re - (quad)a.re * b.im) / norm;
    const double of_re = error_of(found.re, re, epsilon, least),
                 of_im = error_of(found.im, im, epsilon, least);
    const quad off = (found.re - re) * (found.re - re) + (found.im - im) * (found.im - im);
    return (quotient_error){of_re > of_im ? of_re : of_im,
                            sqrt((double)(off / (re * re + im * im))) / epsilon};
}

static quotient_error of_c128(stn_c128 a, stn_c128 b)
{
    return check_quotient(stn_c128_divide(a, b), a, b, DBL_EPSILON, 0x1p-1074);
}

static quotient_error of_c64(stn_c64 a, stn_c64 b)
{
    return check_quotient(widened(stn_c64_divide(a, b)), widened(a), widened(b), FLT_EPSILON,
                          0x1p-149);
}

static void test_quotients_of_random_pairs(void **unused)
{
    const int count = is_thin() ? 200000 : 2000000;
    double part = 0, number = 0, fast = 0, part_f32 = 0;
    (void)unused;
    for (int k = 0; k < count; k++) {
        const stn_c128 a = random_pair(2), b = random_pair(2);
        const quotient_error e = of_c128(a, b), f = of_c64(rounded(a), rounded(b));
        const quotient_error g = check_quotient(stn_c128_divide_fast(a, b), a, b, DBL_EPSILON, 0);
        part = fmax(part, e.part);
        number = fmax(number, e.number);
        part_f32 = fmax(part_f32, f.part);
        fast = fmax(fast, g.number);
    }
    print_message("largest errors: part %.3f eps, number %.3f, part of c64 %.3f, fast %.3f\n", part,
                  number, part_f32, fast);
    assert_true(part <= 1.5 && number <= 1.5 && part_f32 <= 1.5 && fast <= 3);
}

/* Parts of any magnitudes with which no part is lost next to the other. */
static stn_c128 graded_pair(int all, int between)
{
    const int power = (int)(random_unit() * 2 * all) - all;
    return times_two_to(random_pair(between), power);
}

static void test_quotients_of_graded_pairs(void **unused)
{
    const int count = is_thin() ? 200000 : 2000000;
    double part = 0, part_f32 = 0;
    (void)unused;
    for (int k = 0; k < count; k++) {
        const stn_c128 a = graded_pair(700, 370), b = graded_pair(700, 370);
        const stn_c64 c = rounded(graded_pair(80, 45)), d = rounded(graded_pair(80, 45));
        if (isfinite(a.re) && isfinite(a.im) && isfinite(b.re) && isfinite(b.im) &&
            (b.re != 0 || b.im != 0))
            part = fmax(part, of_c128(a, b).part);
        if (d.re != 0 || d.im != 0)
            part_f32 = fmax(part_f32, of_c64(c, d).part);
    }
    print_message("largest errors: part %.3f eps, of c64 %.3f\n", part, part_f32);
    assert_true(part <= 1.5 && part_f32 <= 1.5);
}

/* The same bits by every compiler and instruction set, with fma and without. */
static uint64_t hash_of(uint64_t hash, stn_c128 z)
{
    return stn_hash_bits(stn_hash_bits(hash ^ stn_bits_of_f64(z.re)) ^ stn_bits_of_f64(z.im));
}

static void test_same_bits(void **unused)
{
    uint64_t hash = 0;
    (void)unused;
    state = 77;
    for (int k = 0; k < 50000; k++) {
        const stn_c128 a = random_pair(900), b = random_pair(900);
        const stn_c64 c = rounded(random_pair(120)), d = rounded(random_pair(120));
        const stn_c64 of_c = stn_c64_multiply(c, rounded(random_pair(5)));
        hash = hash_of(hash, stn_c128_divide(a, b));
        hash = hash_of(hash, widened(stn_c64_divide(c, d)));
        hash = hash_of(hash, stn_c128_sqrt(a));
        hash = hash_of(hash, widened(stn_c64_sqrt(d)));
        hash = hash_of(hash, stn_c128_of(stn_c128_abs(b), stn_c64_abs(d)));
        hash = hash_of(hash, widened(of_c));
        hash = hash_of(hash, stn_c128_of(stn_c128_norm(b) - 1, stn_c64_norm(d)));
    }
    print_message("%016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x3c69c5960b673f18u);
}

/* ---- what C says of infinities and zeros ---- */

static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, -3.0, INFINITY, -INFINITY, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static double complex c_of(stn_c128 z)
{
    return stn_c128_to_c(z);
}

static int same_part(double found, double expected)
{
    return isnan(expected) || (found == expected && signbit(found) == signbit(expected)) ||
           (expected != 0 && fabs(found - expected) <= 4 * DBL_EPSILON * fabs(expected));
}

/* What C gives as NaN may be more here, but a number is infinite where C's is. Zeros of quotients
 * have the signs of products of the operands, which are not always C's. */
static void check_as_c(const char *what, stn_c128 a, stn_c128 b, stn_c128 found, double complex z)
{
    const double zero = *what == '/' ? 0.0 : -0.0;
    const int c_infinite = isinf(creal(z)) || isinf(cimag(z));
    const int infinite = isinf(found.re) || isinf(found.im);
    if (infinite != c_infinite || !same_part(found.re + zero, creal(z) + zero) ||
        !same_part(found.im + zero, cimag(z) + zero))
        fail_msg("(%g %g) %s (%g %g) is %g %g, in C %g %g", a.re, a.im, what, b.re, b.im, found.re,
                 found.im, creal(z), cimag(z));
}

static void test_products_and_quotients_of_specials(void **unused)
{
    (void)unused;
    for (int k = 0; k < SPECIALS * SPECIALS * SPECIALS * SPECIALS; k++) {
        const stn_c128 a = stn_c128_of(special[k % SPECIALS], special[k / SPECIALS % SPECIALS]);
        const stn_c128 b = stn_c128_of(special[k / SPECIALS / SPECIALS % SPECIALS],
                                       special[k / SPECIALS / SPECIALS / SPECIALS]);
        check_as_c("*", a, b, stn_c128_multiply(a, b), c_of(a) * c_of(b));
        check_as_c("/", a, b, stn_c128_divide(a, b), c_of(a) / c_of(b));
    }
}

static void check(stn_c128 z, double re, double im)
{
    if (!same_part(z.re, re) || !same_part(z.im, im) || isnan(z.re) != isnan(re) ||
        isnan(z.im) != isnan(im))
        fail_msg("%.17g %.17g instead of %.17g %.17g", z.re, z.im, re, im);
}

static void test_quotients_at_the_ends_of_the_range(void **unused)
{
    const double most = DBL_MAX, least = 0x1p-1074;
    (void)unused;
    check(stn_c128_divide(stn_c128_of(most, most), stn_c128_of(most, most)), 1, 0);
    check(stn_c128_divide(stn_c128_of(most, 0), stn_c128_of(most, most)), 0.5, -0.5);
    check(stn_c128_divide(stn_c128_of(1, 0), stn_c128_of(0.75 * most, 0.75 * most)),
          0x1.5555555555555p-1 / most, -(0x1.5555555555555p-1 / most));
    check(stn_c128_divide(stn_c128_of(1, 1), stn_c128_of(INFINITY, 0)), 0, 0);
    check(stn_c128_divide(stn_c128_of(1, 1), stn_c128_of(INFINITY, INFINITY)), 0, 0);
    check(stn_c128_divide(stn_c128_of(INFINITY, NAN), stn_c128_of(1, 1)), INFINITY, -INFINITY);
    check(stn_c128_divide(stn_c128_of(1, 1), stn_c128_of(0, 0)), INFINITY, INFINITY);
    check(stn_c128_divide(stn_c128_of(0, 0), stn_c128_of(0, 0)), NAN, NAN);
    check(stn_c128_divide(stn_c128_of(least, least), stn_c128_of(least, least)), 1, 0);
    check(stn_c128_divide(stn_c128_of(DBL_MIN, 0), stn_c128_of(DBL_MIN, 0)), 1, 0);
    check(stn_c128_divide(stn_c128_of(1e308, 1e-300), stn_c128_of(1, 0)), 1e308, 1e-300);
    check(stn_c128_divide(stn_c128_of(1e308, 1e-300), stn_c128_of(0, 1)), 1e-300, -1e308);
    check(stn_c128_multiply(stn_c128_of(INFINITY, NAN), stn_c128_of(1, 0)), INFINITY, NAN);
    check(stn_c128_multiply(stn_c128_of(1, 0), stn_c128_of(INFINITY, INFINITY)), INFINITY,
          INFINITY);
}

/* ---- functions ---- */

typedef stn_c128 function(stn_c128 z);
typedef long double complex wide_function(long double complex z);
typedef double complex c_function(double complex z);
typedef stn_c64 narrow_function(stn_c64 z);

/* C has none. Parts are divided one by one, so that no infinite one makes the other NaN. */
static long double complex exact_log10(long double complex z)
{
    const long double complex w = clogl(z);
    const long double parts[2] = {creall(w) / logl(10), cimagl(w) / logl(10)};
    long double complex made;
    memcpy(&made, parts, sizeof made);
    return made;
}
static double complex log10_of_c(double complex z)
{
    const double complex w = clog(z);
    const double parts[2] = {creal(w) / log(10), cimag(w) / log(10)};
    double complex made;
    memcpy(&made, parts, sizeof made);
    return made;
}

static const struct {
    const char *name;
    function *ours;
    narrow_function *narrow;
    wide_function *exact;
    c_function *in_c;
    double bound; /* epsilon of each part */
} functions[] = {
#define FUNCTION(name, bound)                                                                      \
    {                                                                                              \
#        name, stn_c128_##name, stn_c64_##name, c##name##l, c##name, bound                         \
    }
    FUNCTION(sqrt, 2),  FUNCTION(exp, 2),
    FUNCTION(log, 3),   FUNCTION(sin, 3),
    FUNCTION(cos, 3),   FUNCTION(tan, 5),
    FUNCTION(asin, 4),  FUNCTION(acos, 4),
    FUNCTION(atan, 4),  FUNCTION(sinh, 3),
    FUNCTION(cosh, 3),  FUNCTION(tanh, 5),
    FUNCTION(asinh, 4), FUNCTION(acosh, 4),
    FUNCTION(atanh, 4), {"log10", stn_c128_log10, stn_c64_log10, exact_log10, log10_of_c, 4},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double units(double found, long double exact, double epsilon, double least)
{
    const long double off = fabsl((long double)found - exact);
    if (isnan(found))
        return 1e9;
    if (isinf(found))
        return fabsl(exact) >= (epsilon < 1e-10 ? 0x1.ffffffffffffep1023L : 0x1.fffffcp127L) ? 0
                                                                                             : 1e9;
    return off <= 4 * least ? 0 : (double)(off / fabsl(exact)) / epsilon;
}

/* Numbers of all kinds of sizes, near the axes, the unit circle and the branch points. */
static stn_c128 interesting(int k, int span)
{
    const double x = random_graded(k % 3 == 0 ? span : 3), y = random_graded(k % 5 < 2 ? span : 3);
    const double angle = 7 * random_signed(), near = 1 + random_graded(span) * 0x1p-20;
    switch (k % 7) {
    case 0:
        return stn_c128_of(cos(angle), sin(angle));
    case 1:
        return stn_c128_of(fabs(near) < 2 ? near : 1, y);
    case 2:
        return stn_c128_of(-1, x);
    case 3:
        return stn_c128_of(x, y);
    default:
        return stn_c128_of(30 * (random_unit() - 0.5), 30 * (random_unit() - 0.5));
    }
}

/* The larger error of the parts, which is printed if it exceeds the bound. */
static double function_error(int f, stn_c128 z, stn_c128 found, double epsilon, double least,
                             int *failed)
{
    const long double complex exact = functions[f].exact(stn_c128_to_c(z));
    const double error = fmax(units(found.re, creall(exact), epsilon, least),
                              units(found.im, cimagl(exact), epsilon, least));
    if (error > functions[f].bound && (*failed)++ < 20)
        print_message("%s(%.17g, %.17g) = %.17g %.17g, exact %.17Lg %.17Lg\n", functions[f].name,
                      z.re, z.im, found.re, found.im, creall(exact), cimagl(exact));
    return error;
}

static void test_errors_of_functions(void **unused)
{
    const int count = is_thin() ? 6000 : 300000;
    int failed = 0;
    (void)unused;
    for (int f = 0; f < FUNCTIONS; f++) {
        double worst = 0, worst_f32 = 0;
        for (int k = 0; k < count; k++) {
            const stn_c128 z = interesting(k, 60);
            const stn_c64 c = rounded(z);
            worst = fmax(
                worst, function_error(f, z, functions[f].ours(z), DBL_EPSILON, 0x1p-1074, &failed));
            worst_f32 =
                fmax(worst_f32, function_error(f, widened(c), widened(functions[f].narrow(c)),
                                               FLT_EPSILON, 0x1p-149, &failed));
        }
        print_message("%-6s %.2f eps, c64 %.2f\n", functions[f].name, worst, worst_f32);
    }
    assert_int_equal(failed, 0);
}

static void test_error_of_pow_and_polar(void **unused)
{
    double worst = 0, of_abs = 0, of_polar = 0;
    (void)unused;
    for (int k = 0; k < 20000; k++) {
        const stn_c128 z = random_pair(8), w = random_pair(3);
        const long double complex lz = stn_c128_to_c(z), lw = stn_c128_to_c(w);
        const long double complex exponent = lw * clogl(lz), exact = cexpl(exponent);
        const stn_c128 found = stn_c128_pow(z, w), p = stn_c128_polar(z.re, w.im);
        const double off = (double)(cabsl((long double complex)stn_c128_to_c(found) - exact) /
                                    cabsl(exact) / (4 + 3 * cabsl(exponent)));
        const long double r = hypotl(z.re, z.im);
        worst = fmax(worst, off / DBL_EPSILON);
        of_abs = fmax(of_abs, units(stn_c128_abs(z), r, DBL_EPSILON, 0));
        of_polar = fmax(of_polar, units(p.re, z.re * cosl(w.im), DBL_EPSILON, 0));
        of_polar = fmax(of_polar, units(p.im, z.re * sinl(w.im), DBL_EPSILON, 0));
        assert_true(stn_c128_arg(z) == atan2(z.im, z.re));
    }
    print_message("pow %.2f of its bound, abs %.2f eps, polar %.2f\n", worst, of_abs, of_polar);
    assert_true(worst <= 1 && of_abs < 1 && of_polar <= 2);
    check(stn_c128_pow(stn_c128_of(0, 0), stn_c128_of(0, 0)), 1, 0);
    check(stn_c128_pow(stn_c128_of(0, 0), stn_c128_of(2, 1)), 0, 0);
    check(stn_c128_pow(stn_c128_of(NAN, INFINITY), stn_c128_of(0, -0.0)), 1, 0);
}

/* The results of the C library. Annex G does not specify signs next to a NaN, and those of
 * exp(-inf + i inf). */
static void test_functions_of_specials(void **unused)
{
    static const double parts[] = {0.0,   -0.0,    1.5,      -1.5,      800.0, -800.0,
                                   1e300, -1e-300, INFINITY, -INFINITY, NAN};
    enum { PARTS = sizeof parts / sizeof *parts };
    int failed = 0;
    (void)unused;
    for (int f = 0; f < FUNCTIONS; f++)
        for (int k = 0; k < PARTS * PARTS; k++) {
            const stn_c128 z = stn_c128_of(parts[k % PARTS], parts[k / PARTS]);
            const stn_c128 found = functions[f].ours(z);
            const double complex c = functions[f].in_c(c_of(z));
            const double of_c[] = {creal(c), cimag(c)}, mine[] = {found.re, found.im};
            for (int p = 0; p < 2; p++) {
                const int open = isnan(of_c[1 - p]) || (z.re < -1e308 && isinf(z.im));
                const int special_value = isnan(of_c[p]) || isinf(of_c[p]) || of_c[p] == 0;
                const int same =
                    isnan(of_c[p]) ? isnan(mine[p])
                    : special_value
                        ? (open ? fabs(mine[p]) == fabs(of_c[p]) : same_part(mine[p], of_c[p]))
                        : fabs(mine[p] - of_c[p]) <= 8 * DBL_EPSILON * fabs(of_c[p]);
                if (!same && failed++ < 60)
                    print_message("%s(%g, %g) is %g %g, in C %g %g\n", functions[f].name, z.re,
                                  z.im, found.re, found.im, of_c[0], of_c[1]);
            }
        }
    assert_int_equal(failed, 0);
}

static void test_projection(void **unused)
{
    static const double parts[] = {0.0, -0.0, 1.5, -3.0, INFINITY, -INFINITY, NAN};
    enum { PARTS = sizeof parts / sizeof *parts };
    (void)unused;
    for (int k = 0; k < PARTS * PARTS; k++) {
        const stn_c128 z = stn_c128_of(parts[k % PARTS], parts[k / PARTS]), p = stn_c128_proj(z);
        const stn_c64 narrow = stn_c64_proj(rounded(z));
        const double complex c = cproj(c_of(z));
        assert_true(same_part(p.re, creal(c)) && (isnan(z.im) || same_part(p.im, cimag(c))));
        assert_true(same_part(narrow.re, p.re) && same_part(narrow.im, (double)(float)p.im));
    }
}

static void test_where_simple_formulas_fail(void **unused)
{
    const double least = 0x1p-1074;
    /* Values computed with more digits; an error of `error` is allowed. */
    const struct {
        double found, exact, error;
    } cases[] = {{stn_c128_sqrt(stn_c128_of(1e308, 1e308)).re, 1.09868411346781e154, 1e-14},
                 {stn_c128_sqrt(stn_c128_of(1e308, 1e308)).im, 4.55089860562227e153, 1e-14},
                 /* |z|^2 near 1, both parts' below 1/2 */
                 {stn_c128_log(stn_c128_of(-0.68775513920369913, 0.69639499020547357)).re,
                  -0.021467783121975993, 2 * DBL_EPSILON},
                 {stn_c128_asinh(stn_c128_of(-1e10, 0)).re, -23.7189981105004, 4e-15},
                 {stn_c128_acosh(stn_c128_of(-2, -0.0)).re, 1.31695789692482, 7e-15},
                 {stn_c128_acosh(stn_c128_of(-2, -0.0)).im, -3.14159265358979, 3e-15},
                 {stn_c128_exp(stn_c128_of(1400, 1e-300)).im, 1.0288e308, 1},
                 /* half of the least number would be 0 */
                 {stn_c128_sinh(stn_c128_of(711, least)).im, 1.5001382836657022e-15, 1e-13},
                 {stn_c128_cosh(stn_c128_of(-730, 3 * least)).im, -8.0324439789486315e-7, 1e-13},
                 {stn_c128_sinh(stn_c128_of(1420, least)).im, 1.2328747663842477e293, 1e-13},
                 {stn_c128_sin(stn_c128_of(least, 740)).re, 0.00589754508503377, 1e-13},
                 {(double)stn_c64_sinh(stn_c64_of(103, 0x1p-149f)).im, 0.37829646796230710, 1e-6},
                 {stn_c128_atanh(stn_c128_of(1, 1e-200)).re, 230.605082890, 1e-9}};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (!(fabs(cases[k].found / cases[k].exact - 1) < cases[k].error))
            fail_msg("case %d: %.17g, not %.17g", (int)k, cases[k].found, cases[k].exact);
    check(stn_c128_sqrt(stn_c128_of(-1, -0.0)), 0, -1);
    check(stn_c128_sqrt(stn_c128_of(NAN, INFINITY)), INFINITY, INFINITY);
    check(stn_c128_exp(stn_c128_of(INFINITY, 0)), INFINITY, 0);
    check(stn_c128_tanh(stn_c128_of(800, 1)), 1, 0);
    assert_true(stn_c128_asinh(stn_c128_of(-1e10, 0)).im == 0);
    assert_true(isinf(stn_c128_exp(stn_c128_of(1400, 1e-300)).re));
    assert_true(stn_c128_norm(stn_c128_of(3, 4)) == 25 && stn_c128_abs(stn_c128_of(3, 4)) == 5);
    assert_true(stn_c128_abs(stn_c128_of(NAN, -INFINITY)) == INFINITY);
    assert_true(stn_c128_abs(stn_c128_of(least, 0)) == least);
    assert_true(stn_c128_equal(stn_c128_of(0, 1), stn_c128_of(-0.0, 1)));
    assert_false(stn_c128_equal(stn_c128_of(NAN, 1), stn_c128_of(NAN, 1)));
}

static void check_c64(stn_c64 z, float re, float im)
{
    check(widened(z), (double)re, (double)im);
}

static void test_parts_sums_and_products(void **unused)
{
    const stn_c128 a = stn_c128_of(3, -2), b = stn_c128_of(0.5, 4);
    const stn_c64 c = stn_c64_of(3, -2), d = stn_c64_of(0.5f, 4);
    (void)unused;
    assert_true(stn_c128_real(a) == 3 && stn_c128_imag(a) == -2);
    assert_true(stn_c64_real(c) == 3 && stn_c64_imag(c) == -2);
    assert_true(stn_c128_squared_norm(a) == 13 && stn_c64_squared_norm(c) == 13);
    assert_true(stn_c64_abs(stn_c64_of(3, 4)) == 5);
    assert_true(stn_c128_abs(stn_c128_of(3e200, -4e200)) == hypot(3e200, 4e200));
    assert_true(isfinite(stn_c128_abs(stn_c128_of(1e300, 1e300))));
    check(stn_c128_conj(a), 3, 2);
    check(stn_c128_conj(stn_c128_of(1, 0)), 1, -0.0);
    check(stn_c128_negate(a), -3, 2);
    check(stn_c128_add(a, b), 3.5, 2);
    check(stn_c128_subtract(a, b), 2.5, -6);
    check(stn_c128_multiply(a, b), 9.5, 11);
    check(stn_c128_divide(stn_c128_of(8, -4), stn_c128_of(0, 2)), -2, -4);
    check(stn_c128_divide(stn_c128_of(0x1p1000, 0), stn_c128_of(0x1p999, 0x1p999)), 1, -1);
    check(stn_c128_divide(stn_c128_of(0x1p-1000, 0), stn_c128_of(0, 0x1p-1000)), 0, -1);
    check_c64(stn_c64_conj(c), 3, 2);
    check_c64(stn_c64_negate(c), -3, 2);
    check_c64(stn_c64_add(c, d), 3.5f, 2);
    check_c64(stn_c64_subtract(c, d), 2.5f, -6);
    check_c64(stn_c64_multiply(c, d), 9.5f, 11);
    check_c64(stn_c64_divide(stn_c64_of(10, 5), stn_c64_of(-1, -2)), -4, 3);
    check_c64(stn_c64_divide(stn_c64_of(0x1p126f, 0), stn_c64_of(0x1p125f, -0x1p125f)), 1, 1);
}

static void test_is_the_complex_of_c(void **unused)
{
    const stn_c64 c = stn_c64_of_c(1.5f - 2.5f * I);
    const double complex z = stn_c128_to_c(stn_c128_of(1, -0.0));
    (void)unused;
    assert_int_equal(sizeof(stn_c128), sizeof(double complex));
    assert_int_equal(sizeof(stn_c64), sizeof(float complex));
    assert_int_equal(_Alignof(stn_c128), _Alignof(double complex));
    assert_true(c.re == 1.5f && c.im == -2.5f && crealf(stn_c64_to_c(c)) == 1.5f);
    assert_true(creal(z) == 1 && cimag(z) == 0 && signbit(cimag(z)));
    assert_true(stn_c128_of_c(z).re == 1 && cimagf(stn_c64_to_c(c)) == -2.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotients_of_random_pairs),
        cmocka_unit_test(test_quotients_of_graded_pairs),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_products_and_quotients_of_specials),
        cmocka_unit_test(test_quotients_at_the_ends_of_the_range),
        cmocka_unit_test(test_errors_of_functions),
        cmocka_unit_test(test_error_of_pow_and_polar),
        cmocka_unit_test(test_functions_of_specials),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_where_simple_formulas_fail),
        cmocka_unit_test(test_parts_sums_and_products),
        cmocka_unit_test(test_is_the_complex_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
