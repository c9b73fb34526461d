/* Rows of stencils and fluids written by hand. stencil_peers.h includes this file once per kind of
 * loop, with these definitions, which this file removes:
 *
 *   T(name)       the function's name
 *   CODE          the stored element
 *   REAL, SCALAR  operands of the arithmetic: a scalar or a vector of `STEP` elements; one element
 *   STEP          elements per step
 *   LOAD(p)       value of the codes at p
 *   STORE(p, x)   stores a value */

/* The expressions of the kernels in bench_stencils.c; n and m are the elements between rows and
 * between planes. */
static inline REAL T(five)(const CODE *p, int64_t n, int64_t m)
{
    (void)m;
    return (SCALAR)0.5 * LOAD(p) +
           (SCALAR)0.125 * ((LOAD(p - n) + LOAD(p + n)) + (LOAD(p - 1) + LOAD(p + 1)));
}

static inline REAL T(seven)(const CODE *p, int64_t n, int64_t m)
{
    return (SCALAR)0.25 * LOAD(p) +
           (SCALAR)0.125 * ((LOAD(p - m) + LOAD(p + m)) + (LOAD(p - n) + LOAD(p + n)) +
                            (LOAD(p - 1) + LOAD(p + 1)));
}

static inline REAL T(nine)(const CODE *p, int64_t n, int64_t m)
{
    (void)m;
    return (SCALAR)0.25 * LOAD(p) +
           (SCALAR)0.125 * ((LOAD(p - n) + LOAD(p + n)) + (LOAD(p - 1) + LOAD(p + 1))) +
           (SCALAR)0.0625 *
               ((LOAD(p - n - 1) + LOAD(p - n + 1)) + (LOAD(p + n - 1) + LOAD(p + n + 1)));
}

static inline REAL T(twenty_seven)(const CODE *p, int64_t n, int64_t m)
{
    const REAL near =
        (LOAD(p - m) + LOAD(p + m)) + (LOAD(p - n) + LOAD(p + n)) + (LOAD(p - 1) + LOAD(p + 1));
    const REAL edge = ((LOAD(p - m - n) + LOAD(p - m + n)) + (LOAD(p + m - n) + LOAD(p + m + n))) +
                      ((LOAD(p - m - 1) + LOAD(p - m + 1)) + (LOAD(p + m - 1) + LOAD(p + m + 1))) +
                      ((LOAD(p - n - 1) + LOAD(p - n + 1)) + (LOAD(p + n - 1) + LOAD(p + n + 1)));
    const REAL corner =
        ((LOAD(p - m - n - 1) + LOAD(p - m - n + 1)) +
         (LOAD(p - m + n - 1) + LOAD(p - m + n + 1))) +
        ((LOAD(p + m - n - 1) + LOAD(p + m - n + 1)) + (LOAD(p + m + n - 1) + LOAD(p + m + n + 1)));
    return (SCALAR)0.125 * LOAD(p) + (SCALAR)0.0625 * near + (SCALAR)0.03125 * edge +
           (SCALAR)0.015625 * corner;
}

#define F(q)      LOAD((const CODE *)f[q] + k)
#define PUT(q, x) STORE((CODE *)g[q] + k, x)
#define PAIR(a, b, weight, velocity)                                                               \
    {                                                                                              \
        const REAL along = velocity, even = rest + square * (along * along);                       \
        PUT(a, kept *f##a + (weight) * (even + three * along));                                    \
        PUT(b, kept *f##b + (weight) * (even - three * along));                                    \
    }

/* The step of cell k. */
static inline PEER_WHOLE void T(d2q9)(const void *const *f, void *const *g, int64_t k, SCALAR omega)
{
    const SCALAR kept = (SCALAR)1 - omega, axis = omega * (SCALAR)0.1111111111111111;
    const SCALAR corner = omega * (SCALAR)0.02777777777777778;
    const REAL f0 = F(0), f1 = F(1), f2 = F(2), f3 = F(3), f4 = F(4), f5 = F(5), f6 = F(6);
    const REAL f7 = F(7), f8 = F(8);
    const REAL extra = f0 + ((f1 + f2) + (f3 + f6)) + ((f4 + f7) + (f5 + f8));
    const REAL rho = (SCALAR)1 + extra, inverse = (SCALAR)1 / rho;
    const REAL x = ((f3 - f6) + (f4 - f7) + (f5 - f8)) * inverse;
    const REAL y = ((f1 - f2) + (f4 - f7) - (f5 - f8)) * inverse;
    const REAL square = (SCALAR)4.5 * rho, three = (SCALAR)3 * rho;
    const REAL rest = extra - (SCALAR)1.5 * rho * (x * x + y * y);
    PUT(0, kept * f0 + (SCALAR)4 * axis * rest);
    PAIR(1, 2, axis, y)
    PAIR(3, 6, axis, x)
    PAIR(4, 7, corner, x + y)
    PAIR(5, 8, corner, x - y)
}

static inline PEER_WHOLE void T(d3q19)(const void *const *f, void *const *g, int64_t k,
                                       SCALAR omega)
{
    const SCALAR kept = (SCALAR)1 - omega, axis = omega * (SCALAR)0.05555555555555555;
    const SCALAR edge = omega * (SCALAR)0.02777777777777778;
    const REAL f0 = F(0), f1 = F(1), f2 = F(2), f3 = F(3), f4 = F(4), f5 = F(5), f6 = F(6);
    const REAL f7 = F(7), f8 = F(8), f9 = F(9), f10 = F(10), f11 = F(11), f12 = F(12);
    const REAL f13 = F(13), f14 = F(14), f15 = F(15), f16 = F(16), f17 = F(17), f18 = F(18);
    const REAL axis_sum = (f1 + f2) + (f3 + f4) + (f5 + f6);
    const REAL edge_sum =
        (f7 + f8) + (f9 + f10) + (f11 + f12) + (f13 + f14) + (f15 + f16) + (f17 + f18);
    const REAL extra = f0 + (axis_sum + edge_sum);
    const REAL rho = (SCALAR)1 + extra, inverse = (SCALAR)1 / rho;
    const REAL x = ((f1 - f2) + (f7 - f8) + (f10 - f9) + (f11 - f12) + (f14 - f13)) * inverse;
    const REAL y = ((f3 - f4) + (f7 - f8) + (f9 - f10) + (f15 - f16) + (f18 - f17)) * inverse;
    const REAL z = ((f5 - f6) + (f11 - f12) + (f13 - f14) + (f15 - f16) + (f17 - f18)) * inverse;
    const REAL square = (SCALAR)4.5 * rho, three = (SCALAR)3 * rho;
    const REAL rest = extra - (SCALAR)1.5 * rho * (x * x + y * y + z * z);
    PUT(0, kept * f0 + (SCALAR)6 * axis * rest);
    PAIR(1, 2, axis, x)
    PAIR(3, 4, axis, y)
    PAIR(5, 6, axis, z)
    PAIR(7, 8, edge, y + x)
    PAIR(9, 10, edge, y - x)
    PAIR(11, 12, edge, z + x)
    PAIR(13, 14, edge, z - x)
    PAIR(15, 16, edge, z + y)
    PAIR(17, 18, edge, z - y)
}

/* Steps of a row of `count` elements or cells; the last vector overlaps the previous one. */
#define EACH_STEP(k, ...)                                                                          \
    PEER_SIMD(STEP)                                                                                \
    for (int64_t step = 0; step < count; step += STEP) {                                           \
        const int64_t k = step + STEP <= count ? step : count - STEP;                              \
        __VA_ARGS__;                                                                               \
    }
#define STENCIL_ROW(name)                                                                          \
    static inline void T(name##_row)(const void *from, void *to, int64_t count, int64_t n,         \
                                     int64_t m)                                                    \
    {                                                                                              \
        const CODE *const restrict u = from;                                                       \
        CODE *const restrict v = to;                                                               \
        EACH_STEP(k, STORE(v + k, T(name)(u + k, n, m)))                                           \
    }
#define FLUID_ROW(name)                                                                            \
    static inline void T(name##_row)(const void *const *f, void *const *g, int64_t count,          \
                                     double omega)                                                 \
    {                                                                                              \
        EACH_STEP(k, T(name)(f, g, k, (SCALAR)omega))                                              \
    }
STENCIL_ROW(five)
STENCIL_ROW(seven)
STENCIL_ROW(nine)
STENCIL_ROW(twenty_seven)
FLUID_ROW(d2q9)
FLUID_ROW(d3q19)

#undef FLUID_ROW
#undef STENCIL_ROW
#undef EACH_STEP
#undef PAIR
#undef PUT
#undef F
#undef T
#undef CODE
#undef REAL
#undef SCALAR
#undef STEP
#undef LOAD
#undef STORE
