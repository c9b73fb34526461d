/* y = alpha x + y and a dot product as templates over the types of x and y, for every
 * storage, rank, layout and scale. */
#include <cstdint>
#include <cstdio>

#include "steno/accessor.hpp"

/* ---- the loops ---- */

template <class X, class Y> void axpy(typename Y::real alpha, X x, Y y)
{
    for (stn_size i = 0; i < x.length(0); i++)
        y(i) += alpha * x(i);
}

template <class X, class Y> typename Y::real dot(X x, Y y)
{
    typename Y::real sum = typename Y::real();
    for (stn_size i = 0; i < x.length(0); i++)
        sum = sum + x(i) * y(i);
    return sum;
}

/* ---- the storages ---- */

enum { COUNT = 1000 };

template <class storage> void try_storage(const char *name)
{
    static storage kept[COUNT];
    static double sums[COUNT];
    const stn::accessor<1, double, storage> x(kept, COUNT);
    const stn::accessor<1, double, double> y(sums, COUNT);
    for (stn_size i = 0; i < COUNT; i++) {
        x(i) = 1.0 / (double)(i + 3);
        y(i) = 1.0;
    }
    axpy(2.5, x, y);
    std::printf("%-16s %6d bytes  x(1) = %.10f  y(1) = %.10f  x.y = %.8f\n", name, (int)sizeof kept,
                (double)x(1), (double)y(1), dot(x.to_const(), y));
}

int main()
{
    try_storage<double>("double");
    try_storage<float>("float");
    try_storage<stn_f16>("stn_f16");
    try_storage<stn_bf16>("stn_bf16");

    /* A matrix of 8-bit integers with one scale per column. */
    int8_t codes[4 * 2];
    double scales[2] = {1.0 / 64, 1.0 / 8};
    const stn::accessor<2, double, int8_t, stn::right, stn::scaled<0x1>> q(codes, scales, 4, 2);
    for (stn_size i = 0; i < 4; i++) {
        q(i, 0) = 0.4 * (double)i;
        q(i, 1) = 3.0 * (double)i;
    }
    std::printf("q(3, 0) = %g, q(3, 1) = %g\n", (double)q(3, 0), (double)q(3, 1));

    /* Complex numbers, stored as pairs of floats. */
    stn_c64 z[2] = {{3, 4}, {1, -1}};
    const stn::accessor<1, stn_c128, stn_c64> c(z, 2);
    c(1) += 2.0 * c(0);
    std::printf("c(1) = %g%+gi, %s\n", stn_c128(c(1)).re, stn_c128(c(1)).im,
                c(1) == stn_c128_of(7, 7) ? "as it should be" : "wrong");
    return c(1) == stn_c128_of(7, 7) ? 0 : 1;
}
