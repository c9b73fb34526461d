/* Doubles in byte planes: all first bytes, then all second bytes, and so on. Reading only the first
 * planes gives truncated doubles and moves fewer bytes; the kernel is the same. */
#include <math.h>
#include <stdio.h>

#include "steno/accessor.h"

typedef struct planes {
    stn_size pitch; /* bytes from one plane to the next */
    int count;      /* planes that are accessed, 1 to 8; the first contain sign and exponent */
} planes;

STN_FN double plane_load(const uint8_t *data, stn_size index, planes with)
{
    stn_u64 bits = 0;
    for (int p = 0; p < with.count; p++)
        bits |= (stn_u64)data[p * with.pitch + index] << (56 - 8 * p);
    return stn_f64_of_bits(bits);
}

STN_FN void plane_store(uint8_t *data, stn_size index, double value, planes with)
{
    for (int p = 0; p < with.count; p++)
        data[p * with.pitch + index] = (uint8_t)(stn_bits_of_f64(value) >> (56 - 8 * p));
}

STN_ACCESSOR_CUSTOM(planar, 1, double, uint8_t, planes, plane_load, plane_store)

#define DEFINE_DOT(name, X, Y)                                                                     \
    static X##_real name(X x, Y y)                                                                 \
    {                                                                                              \
        X##_real sum = 0;                                                                          \
        for (stn_size i = 0; i < X##_length(x, 0); i++)                                            \
            sum += X##_get(x, i) * Y##_get(y, i);                                                  \
        return sum;                                                                                \
    }
STN_ACCESSOR(dense, 1, double, double)
DEFINE_DOT(dot_dense, dense_const, dense_const)
DEFINE_DOT(dot_planar, planar_const, dense_const)

enum { N = 4096 };
static double x[N], y[N];
static uint8_t bytes[8 * N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 + sin(i);
        y[i] = 2.0 + cos(3.0 * i);
    }
    const planar whole = planar_dense(bytes, N, (planes){N, 8});
    planar_store(whole, 0, N, x);

    const dense_const ys = dense_to_const(dense_dense(y, N));
    const double exact = dot_dense(dense_to_const(dense_dense(x, N)), ys);
    int right = 1;
    printf("planes  bytes read  error of the dot product\n");
    for (int count = 2; count <= 8; count++) {
        const planar part = planar_dense(bytes, N, (planes){N, count});
        const double sum = dot_planar(planar_to_const(part), ys);
        const double error = (exact - sum) / exact;
        printf("%6d  %10d  %.1e\n", count, count * N, error);
        /* a sign, 11 bits of exponent, and the rest of the bytes */
        right = right && error >= 0.0 && error <= ldexp(1.0, 12 - 8 * count);
    }
    return !(right && dot_planar(planar_to_const(whole), ys) == exact);
}
