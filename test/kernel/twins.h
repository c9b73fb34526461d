/* Kernels of test_kernel_text, which defines REAL, INTEGER and COMPLEX. Those that read beyond a
 * radius begin with beyond_, those outside of a view with outside_. Constructs are tried as they
 * are written by hand, whatever a compiler thinks of their style. */
#ifndef STENO_TEST_KERNEL_TWINS_H
#define STENO_TEST_KERNEL_TWINS_H

#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wsequence-point"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wabsolute-value"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* clang-format off */
REAL(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
REAL(precedence, (real(alpha), in(x), in(z), out(w)),
    w = alpha - x - z * x / alpha + -x - +z - (x - (z - alpha)) / 3;
)
REAL(literals, (in(x), out(w)),
    w = x * 010 + 0x1F - 1e-3 * x + .5 + 3u + 2L + 1ull + 0x1p-3 + 1.f + 1.5F * x + 0.1f - 12345678901 * x
        + 0xffffffff + 0x7fffffffffffffff + 0xffffffffffffffff - 5.e2;
)
REAL(literals_of_real, (in(x), inout(y)),
    y = R(0.1) * x + STN_R(0x1.8p1) * y - R(3) + (real_t)7;
)
REAL(double_in_float, (in(x), in(z), inout(y)),
    y = 0.1 * x + y * z;
    y += 0.1;
    y *= 1.0 / 3.0;
    y -= x * 0.7f;
    const double d = x;
    const float f = z;
    y = y + d * f + (float)d * (double)f;
)
REAL(functions, (real(alpha), in(x), in(z), out(w)),
    w = sqrt(fabs(x)) + floor(z) - ceil(x) * fma(x, z, alpha) + sqrt(2) + fabs(-3) + floor(0.1 * x);
)
REAL(transcendental, (in(x), in(z), out(w)),
    w = exp(sin(x)) + cos(z) * log(fabs(x) + R(1)) + pow(fabs(z), R(0.25));
)
REAL(comparisons, (in(x), in(z), out(w)),
    w = (x < z) + 2 * (x <= z) + 4 * (x > z) + 8 * (x >= z) + 16 * (x == z) + 32 * (x != z) + 64 * !x;
)
REAL(logic, (in(x), in(z), out(w)),
    w = x > 0 && z > 0 ? 1 : x < 0 || !(z < x) && x != 3 ? 2 : !z ? 3.5 : x;
)
REAL(conditional_of_types, (in(x), in(z), out(w)),
    const int64_t n = x > z ? 3 : -5;
    w = (n > 0 ? n : x) + (x < 0 ? 1 : 2) / 2 + (n < 0 ? 1u : 2) + (n ? 0.1 : n) + (n > 0 ? n : n == -5);
)
REAL(bounded, (real(alpha), inout(y)),
    if (fabs(y) <= fabs(alpha)) return;
    y = y < 0 ? -fabs(alpha) : fabs(alpha);
)
REAL(branches, (in(x), in(z), inout(y), masked(w)),
    if (!(x < z))
        return;
    y = y + x;
    if (x < 0)
        return;
    STN_STORE(w, sqrt(z - x) * R(0.1) + w / 8);
)
REAL(nested_branches, (in(x), in(z), inout(y), inout(w)),
    real_t t = 0;
    if (x > z) {
        t = x;
        if (z > 0) { t += z; if (x > 5) return; w = t; } else t -= 1;
        y = t;
    } else if (x == z)
        w = 1;
    else {
        real_t t = z;
        t++;
        if (t < 10) { y--; } else { ++y; }
        w = t;
    }
    if (x > 0) if (z > 0) w = 8; else w = 9;
    y += t;
)
REAL(stopped, (in(x), out(w)), w = x; if (x < 1) ; else return; w += 1; return; w = 100;)
REAL(loops, (in(x), in(z), inout(y)),
    const int64_t bound = fabs(x) < 40 ? (int64_t)fabs(x) : 7;
    real_t sum = 0;
    for (int64_t n = 0; n < bound; n++)
        sum += z / (real_t)(n + 1);
    int n = 0;
    while (n < 20) {
        n++;
        if (n % 3 == 0)
            continue;
        if (sum > 1000)
            break;
        sum = sum * R(1.25);
    }
    do { sum -= 1; n--; if (sum < -5) break; } while (n > 3 && sum > 2);
    y = sum + (real_t)n;
)
REAL(loops_in_loops, (in(x), in(z), inout(w)),
    int64_t total = 0, a, b;
    const int64_t most = fabs(x) < 9 ? (int64_t)x : 4, other = fabs(z) < 6 ? (int64_t)z : 3;
    for (a = 0, b = 100; a < most; a++, b--) {
        for (int64_t c = 0; ; c += 2) {
            if (c > other + a) break;
            if (c == 4) continue;
            real_t fresh = 1;
            while (fresh < 4) { fresh *= 2; if (a == 2) break; if (c == 6 && x > 5) return; }
            total += c * b + (int64_t)fresh;
        }
        if (total > 4000)
            return;
        w = (real_t)total;
    }
)
REAL(forever, (in(x), inout(w)),
    int n = 0;
    for (;;) { if (++n > 50 || x > (real_t)n) break; }
    while (1) { n++; if (n & 8) { w = n; return; } }
)
REAL(steps, (in(x), inout(y)),
    int64_t a = 3, b = a++ + 2;
    b += a--;
    b -= ++a;
    y++;
    real_t old = y--;
    --y;
    y = y + old * (real_t)(++a * 10 + b--) + (real_t)b;
)
REAL(effects, (in(x), in(z), inout(y), out(w)),
    real_t a = 1, b = 2;
    if (x > 0 && (a = z) > 1 || (b = a += 3) < 6)
        y = a = b;
    w = z > x ? (a++, b *= 2) : (b += a);
    y += b + (x > 3 ? a-- : 0), b = 9;
    y = y + a + b + (0, 4);
)
REAL(flags, (in(x), in(z), out(w)),
    int flag = x > z, other = !flag;
    flag = flag == other;
    flag |= x > 1;
    other = (flag = x < 9) + 1;
    w = flag ? other : flag + 3;
)
REAL(casts, (in(x), in(z), out(w)),
    const real_t t = fabs(x) < 1000 ? x : 17, u = fabs(z) < 1000 ? fabs(z) : 5;
    w = (int)t + (int64_t)(t * 3) + (uint64_t)u * 0.5 + (float)(t * 0.1) + (double)t + (int)(t > 1) + -(int)u
        + (real_t)(int64_t)t / 2 + (int)1.9 + (int64_t)-1.9 + (uint64_t)2.5f;
    (void)w;
)
REAL(shadows, (at(i), in(x), out(w)),
    real_t t = x;
    for (int64_t i = 0, j = 4; i < j; i++) { real_t x = (real_t)i; t += x; { int64_t t = 3; t++; } }
    w = t + x + (real_t)i;
)
REAL(undone, (in(x), masked(w), inout(y)), const real_t unused = x; (void)unused; (void)w; ;;)
REAL(moved, (in(x), in(z), out(w), inout(y)), const real_t t = y; y = x; w = t; real_t a = z; a = -0.0; w = w + a;)
REAL(fixed, (out(w)), w = 2.5;)
REAL(begins, (in(x), out(w)), if (x > 0) w += x; else w = 3; w = w < 0 ? 1 : 2;)
REAL(row_places, (at(i), in(x), inout(y)), y = (real_t)(1000 * i) + x;)
REAL(places, (in(x), at(i, j, k), inout(y)), y = (real_t)(1000 * i + 100 * j + 10 * k) + x;)
REAL(numbers, (index(n), bits(m), real(alpha), in(x), out(w)),
    w = (real_t)(n % 1000) + (real_t)(m >> 60) * x + alpha + (real_t)(m * 3) + n + m;
)
REAL(integers_in_real, (at(i), index(n), bits(m), in(x), inout(y)),
    int64_t a = n % 1000003 - i * 7919;
    uint64_t b = m ^ (uint64_t)i * 0x9E3779B97F4A7C15;
    b = b * 6364136223846793005u + 1442695040888963407ull;
    b ^= b >> 33; b |= 5; b &= ~2ull; b <<= 3; b >>= 2; b += 7; b -= 9; b *= 11; b %= 1000003; b /= 3;
    a += a % 7 - a / -3 + ((a & 1023) << 2) + (a >> 1) + (a & 255) + (a | 16) + (a ^ 99) + ~a + -a;
    a *= 3; a /= 2; a %= 10007; a >>= 2; a &= 4095; a <<= 1; a |= 3; a ^= 77; a -= 5;
    const int c = (int)(a % 100) * 7 - 3, d = c % 5 + ((c & 31) << 3) - (c >> 1) + (c & 6) + (c ^ 9) + ~c;
    y = (real_t)a + (real_t)(b % 1000) * x + d + (c < 0) + (a == 5) + (b != 7u) + (b > 500) + (a <= c);
)
REAL(unsigned_numbers, (in(x), out(w), at(i)),
    w = (real_t)(0xffffffff + 1) + (real_t)(2147483648 - 1) + (real_t)((1u << 31) * 2) + (real_t)(0u - 1)
        + (real_t)(-1 < 0u) + (real_t)(~0u >> 4) + (real_t)(-7 / 2u) + (real_t)(i - 5u) + (real_t)-3u
        + (real_t)(0x80000000 / -1) + x + (real_t)(3000000000u % 7);
)
REAL(gather, (at(i), gather(u, 1), gather(places_of, 1), out(w)),
    w = STN_AT(u, (STN_INDEX_AT(places_of, i) % 7 + 7) % STN_EXTENT_OF(u, 0));
)
REAL(guarded, (at(i), in(x), gather(u, 1), out(w)),
    const int64_t n = STN_EXTENT_OF(u, 0);
    w = 0;
    if (i > 0 && STN_AT(u, i - 1) > 0 || i + 1 < n && STN_AT(u, i + 1) < x)
        w = i + 2 < n ? STN_AT(u, i + 2) : STN_AT(u, 0) * STN_AT(u, n - 1);
    for (int64_t e = i; e < n && e < i + 4; e++)
        w = w + STN_AT(u, e);
)
REAL(scatter, (at(i), in(x), scatter(p, 1)),
    if (x > 1) STN_PUT(p, 2 * x, STN_EXTENT_OF(p, 0) - 1 - i);
    else if (x < -1) { STN_PUT(p, 0.1, STN_EXTENT_OF(p, 0) - 1 - i); return; }
)
INTEGER(integers, (real(alpha), index(n), bits(m), in(x), inout(y)),
    y = (x ^ n) / 4 + (y / 4) % 1000 + alpha + (real_t)(m % 5) + R(2);
    y = y % 1000 < 0 ? -(y % 1000) : y % 1000;
)
INTEGER(pick_integers, (at(i), in(x), masked(w)), if (x > i) STN_STORE(w, x - i);)
INTEGER(divisions, (in(x), in(z), out(w)),
    const int64_t d = z % 1000 == 0 ? 7 : z % 1000;
    w = x / 8 / d + x % d + (x >> 3) + (int64_t)((uint64_t)x / 10) + (int64_t)((uint64_t)x % 10) + (int64_t)((uint64_t)x >> 40);
)
INTEGER(floats_in_integers, (in(x), inout(y)),
    const double t = x % 100000 * 0.5;
    y = t + sqrt(fabs(t)) + (float)(x % 1000) / 3;
    y += 0.75;
)
INTEGER(integer_elements, (at(i), gather(u, 1), in(x), scatter(p, 1)),
    STN_PUT(p, STN_AT(u, STN_EXTENT_OF(u, 0) - 1 - i) / 2 + x / 4 + STN_INDEX_AT(u, i) / 4, i);
)
COMPLEX(turn, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
COMPLEX(complex_variables, (real(a), in(x), in(z), out(w)),
    const real_t turned = {a.re * x.re - a.im * x.im, a.re * x.im + a.im * x.re}, half = {0.5};
    real_t s = x.re > 0 ? turned : z, t = {0}, none;
    none = s;
    t.im++;
    t.re = s.im -= 0.1;
    if (z.re < z.im) { s = t; s.re *= 2; }
    w = s;
    w.im = w.im + sqrt(fabs(t.re)) + half.re + half.im + none.re;
)
COMPLEX(pick_complex, (in(x), inout(y)), if (x.re > 0) y = x; else if (x.im > 0) y.im = 3;)
COMPLEX(store_complex, (in(x), masked(y)), if (x.re > 0) STN_STORE(y, x); else if (x.im > 0) { real_t t = y; t.im = 3; STN_STORE(y, t); })
COMPLEX(swap_elements, (at(i), gather(u, 1), out(w)),
    const real_t z = STN_AT(u, STN_EXTENT_OF(u, 0) - 1 - i);
    w.re = z.im;
    w.im = STN_AT(u, i).re;
)
COMPLEX(loop_complex, (in(x), inout(y)),
    real_t z = {0, 0};
    int n = 0;
    for (; n < 30 && z.re * z.re + z.im * z.im < 4; n++) {
        const real_t square = {z.re * z.re - z.im * z.im, 2 * z.re * z.im};
        z.re = square.re + x.re;
        z.im = square.im + x.im;
    }
    if (n < 30) return;
    y = z;
)
REAL(line, (at(i), stencil(u, nearest, 3), out(v)),
    real_t sum = 0;
    for (int64_t a = -3; a <= 3; a++)
        sum = sum * R(0.75) + STN_AT(u, i + a);
    v = sum;
)
REAL(five_points, (at(i, j), stencil(u, nearest, 1, 1), out(v)),
    v = R(0.5) * STN_AT(u, i, j) + R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)
        + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1));
)
REAL(wide_plane, (at(i, j), stencil(u, nearest, 0x1, 2), in(x), inout(v)),
    real_t sum = x;
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -2; b <= 2; b++)
            sum = sum * R(0.75) + STN_AT(u, i + a, j + b);
    v = v + sum;
)
REAL(cube, (at(i, j, k), stencil(u, nearest, 1, 2, 1), stencil(w, nearest, 0, 2, 0), masked(v)),
    if ((i + j + k) % 3 == 0)
        return;
    real_t sum = STN_AT(w, i, j + 2, k) - STN_AT(w, i, j - 2, k);
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -2; b <= 2; b++)
            for (int64_t c = -1; c <= 1; c++)
                sum = sum * R(0.75) + STN_AT(u, i + a, j + b, k + c);
    STN_STORE(v, sum);
)
REAL(four, (at(i, j, k, l), stencil(u, nearest, 1, 0, 1, 1), out(v)),
    v = STN_AT(u, i - 1, j, k + 1, l) + R(2) * STN_AT(u, i + 1, j, k - 1, l - 1) - STN_AT(u, i, j, k, l + 1);
)
REAL(upwind, (at(i, j), stencil(u, nearest, 1, 2), in(x), out(v)),
    const int64_t way = x > 0 ? -1 : 1;
    v = x * (STN_AT(u, i, j) - STN_AT(u, i, j + 2 * way)) + STN_AT(u, i + (j & 1), j);
    if (i > 0 && STN_AT(u, i - 1, j) > v)
        v = (real_t)STN_EXTENT_OF(u, 0) + 100 * (real_t)STN_EXTENT_OF(u, 1);
)
REAL(inner_points, (at(i, j), stencil(u, inside, 1, 1), inout(v)),
    v = R(0.5) * STN_AT(u, i, j) + R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i, j + 1)) + v;
)
REAL(inner_cube, (at(i, j, k), stencil(u, inside, 0, 1, 2), stencil(w, zero, 1, 0, 0), masked(v)),
    if ((i + j + k) % 3)
        STN_STORE(v, STN_AT(u, i, j - 1, k + 2) * STN_AT(w, i - 1, j, k));
)
REAL(near_and_far, (at(i), stencil(u, nearest, 1), gather(w, 1), out(v)),
    v = STN_AT(u, i + 1) + STN_AT(w, STN_EXTENT_OF(w, 0) - 1 - i);
)
INTEGER(integer_plane, (at(i, j), stencil(u, nearest, 2, 1), out(v)),
    uint64_t sum = 0;
    for (int64_t a = -2; a <= 2; a++)
        for (int64_t b = -1; b <= 1; b++)
            sum = sum * 3 + (uint64_t)STN_AT(u, i + a, j + b);
    v = (real_t)(sum >> 60);
)
COMPLEX(complex_plane, (at(i, j), stencil(u, nearest, 1, 1), inout(v)),
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -1; b <= 1; b++) {
            const real_t near = STN_AT(u, i + a, j + b);
            v.re = v.re / 2 + near.im;
            v.im = v.im - near.re;
        }
)
REAL(beyond_line, (at(i), stencil(u, nearest, 2), out(v)), v = STN_AT(u, i + 3) + STN_AT(u, i - 2);)
REAL(beyond_row, (at(i, j), stencil(u, nearest, 0, 3), in(x), out(v)), v = STN_AT(u, i - 1, j) + x;)
REAL(beyond_column, (at(i, j), stencil(u, nearest, 3, 0), in(x), out(v)), v = STN_AT(u, i, j - 1) + x;)
REAL(beyond_middle, (at(i, j, k), stencil(u, nearest, 1, 1, 1), stencil(w, nearest, 1, 0, 1), out(v)),
    v = STN_AT(u, i, j + 1, k) + STN_AT(w, i, j + 1, k);
)
REAL(beyond_all, (at(i), stencil(u, nearest, 1), out(v)),
    v = STN_AT(u, 0x7fffffffffffffff) + STN_AT(u, -0x7fffffffffffffff - 1);
)
COMPLEX(beyond_complex, (at(i), stencil(u, nearest, 0), inout(v)), v.re = STN_AT(u, i - 1).im;)
INTEGER(beyond_integer, (at(i), stencil(u, nearest, 0), out(v)), v = STN_AT(u, i + 1) + 5;)
REAL(outside_line, (at(i), gather(u, 1), out(v)), v = STN_AT(u, i + 1) + STN_AT(u, i - 1) + 1;)
REAL(outside_row, (at(i, j), gather(u, 2), in(x), out(v)), v = STN_AT(u, i, j + 1) + x;)
REAL(outside_column, (at(i, j), gather(u, 2), in(x), out(v)), v = STN_AT(u, i - 1, j) + x;)
REAL(outside_index, (at(i), gather(u, 1), gather(w, 1), out(v)),
    v = STN_AT(u, 0) + (real_t)STN_INDEX_AT(w, i - 1);
)
REAL(outside_put, (at(i, j), in(x), scatter(u, 2)), STN_PUT(u, x, i + 1, j - 1);)
INTEGER(outside_put_integer, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i - 2);)
COMPLEX(outside_complex, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i + 1);)
COMPLEX(outside_read_complex, (at(i), gather(u, 1), inout(v)), v = STN_AT(u, i + 1);)
/* clang-format on */

#endif
