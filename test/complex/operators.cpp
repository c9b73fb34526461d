// Complex numbers in C++: operators, also with real numbers and elements of accessors, and the same
// memory as std::complex. Prints nothing and gives 0.
#include <complex>
#include <cstring>

#include "steno/accessor.hpp"
#include "steno/complex.h"

STN_ACCESSOR(narrow, 1, stn_c128, stn_c64)

static_assert(sizeof(stn_c128) == sizeof(std::complex<double>) &&
                  alignof(stn_c128) == alignof(std::complex<double>) &&
                  sizeof(stn_c64) == sizeof(std::complex<float>) &&
                  alignof(stn_c64) == alignof(std::complex<float>),
              "the layout of std::complex");

// As Kokkos::complex is: aligned to its size.
struct alignas(16) aligned {
    double re, im;
    aligned(double a, double b) : re(a), im(b) {}
    double real() const { return re; }
    double imag() const { return im; }
};

static int failed;

static void check(bool right, int line)
{
    if (!right)
        failed = line;
}
#define CHECK(...) check((__VA_ARGS__), __LINE__)

template <typename complex, typename real> static void check_operators(complex one, complex i)
{
    const real two = 2;
    complex z = one + two * i;
    CHECK(z == two * i + one && z != one && !(z == two) && !(two == z) && z != two && two != z);
    CHECK(one == real(1) && real(1) == one && !(one != real(1)) && !(real(1) != one));
    CHECK(+z == z && -z == -one - i * two && z - one == i * two);
    CHECK(z * z == real(-3) + real(4) * i && z / i == two - i && z / two == real(0.5) + i);
    CHECK(real(5) / z == one - two * i && two - z == one - two * i && z + two == two + z);
    z += one;
    z -= real(1);
    z *= two;
    z /= i;
    CHECK(z == real(4) - two * i);
    z *= i;
    z /= two;
    z += real(3);
    z -= i;
    CHECK(z == real(4) + i);
}

// Products with real numbers are rounded before they are added to anything, whatever may be fused.
template <typename complex, typename real> static void check_rounding()
{
    for (int k = 1; k < 100; k++) {
        const real tenth = real(k) / 10;
        const complex z = {real(1) / real(k), real(k) / 3}, w = {real(k) / 7, real(-0.1)};
        volatile real re = z.re * tenth, im = z.im * tenth;
        const complex sum = {re + w.re, im + w.im}, less = {w.re - re, w.im - im};
        CHECK(z * tenth + w == sum && tenth * z + w == sum && w - z * tenth == less);
        complex x = z;
        x *= tenth;
        CHECK(x + w == sum);
    }
}

static void check_memory()
{
    const std::complex<double> z(1.5, -2.5);
    const stn_c128 same = stn_c128_of_cxx(z);
    const std::complex<double> back = stn_c128_to_cxx<std::complex<double>>(same);
    const std::complex<float> c(0.5f, -0.0f);
    const stn_c64 d = stn_c64_of_cxx(c);
    CHECK(std::memcmp(&z, &same, sizeof z) == 0 && back == z);
    CHECK(std::memcmp(&c, &d, sizeof c) == 0 && stn_c64_to_cxx<std::complex<float>>(d) == c);
    const aligned a = stn_c128_to_cxx<aligned>(same);
    CHECK(std::memcmp(&a, &same, sizeof same) == 0 && stn_c128_of_cxx(a) == same);
}

// Pointers are cast in either direction: what is stored through one is read through the other.
template <typename real, typename complex>
__attribute__((noinline)) static real through_both(std::complex<real> *theirs, complex *ours,
                                                   const narrow &x)
{
    ours->re = 5;
    *theirs = real(1);
    real sum = ours->re;
    x(0) = stn_c128_of(3, 0);
    sum += theirs->real();
    *theirs = real(2);
    return sum + real(stn_c128_real(x(0)));
}

static void check_aliases()
{
    std::complex<double> wide = 0.0;
    std::complex<float> single = 0.0f, other = 0.0f;
    stn_c64 *const ours = reinterpret_cast<stn_c64 *>(&single);
    CHECK(through_both(&single, ours, narrow_dense(ours, 1)) == 6);
    CHECK(through_both(&wide, reinterpret_cast<stn_c128 *>(&wide),
                       narrow_dense(reinterpret_cast<stn_c64 *>(&other), 1)) == 5);
}

template <typename accessor> static void check_compound(accessor x)
{
    x(0) = stn_c128_of(2, 4);
    CHECK((x(0) *= 1.5) == stn_c128_of(3, 6) && (x(0) /= 3) == stn_c128_of(1, 2));
    CHECK((x(0) += 2) == stn_c128_of(3, 2) && (x(0) -= 0.1) == stn_c128_of(2.9f, 2));
    x(1) = x(0);
    x(1) *= x(1);
    x(1) += stn_c128_of(0, 1);
    const double part = 2.9f;
    CHECK(x(1) == stn_c128_of(float(part * part - 4), float(4 * part) + 1.0f));
}

// Where a program has operators of its own, those of complex numbers are found all the same.
namespace elsewhere
{
struct apart {
};
static apart operator*(double, apart a)
{
    return a;
}
static apart operator+(apart a, apart)
{
    return a;
}
STN_ACCESSOR(inside, 1, stn_c128, stn_c64)

static stn_c128 sum_of(inside x)
{
    (void)(2.0 * apart() + apart());
    x(0) *= 2.0;
    return 2.0 * x(0) + x(0);
}
} // namespace elsewhere

static void check_elements()
{
    stn_c64 memory[2] = {stn_c64_of(1, 2), stn_c64_of(3, -1)};
    const narrow x = narrow_dense(memory, 2);
    x(0) = 2.0 * x(0);
    x(1) = x(1) * x(0) + 1.0;
    CHECK(memory[0] == stn_c64_of(2, 4) && memory[1] == stn_c64_of(11, 10));
    CHECK(x(0) == stn_c128_of(2, 4) && x(0) / 2.0 == stn_c128_of(1, 2) && -x(0) != x(1));
    check_compound(x);
    x(0) = stn_c128_of(1, 2);
    CHECK(elsewhere::sum_of(elsewhere::inside_dense(memory, 2)) == stn_c128_of(6, 12));
    check_compound(stn::accessor<1, stn_c128, stn_c64>(memory, 2));
}

int main()
{
    check_operators<stn_c128, double>(stn_c128_of(1, 0), stn_c128_of(0, 1));
    check_operators<stn_c64, float>(stn_c64_of(1, 0), stn_c64_of(0, 1));
    check_rounding<stn_c128, double>();
    check_rounding<stn_c64, float>();
    check_memory();
    check_elements();
    check_aliases();
    CHECK(stn_c128_sqrt(stn_c128_of(-4, -0.0)) == -2.0 * stn_c128_of(0, 1));
    CHECK(stn_c64_abs(stn_c64_pow(stn_c64_of(0, 1), stn_c64_of(2, 0)) + 1.0f) < 1e-6f);
    return failed == 0 ? 0 : failed < 250 ? failed : 1;
}
