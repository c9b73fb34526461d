/* What looks like a mistake of mistakes.c and is none. */
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"

/* A macro R of the program: bodies are unchanged. */
#define R 8.314

enum { WIDTH = 1 };
/* clang-format off */
STN_MAP(own_macro, (at(i, j), stencil(u, value(0.5), WIDTH, 2 * WIDTH), shifted(v, nearest, -1, +1), in(x), out(y)),
    static const real_t table[2] = {1, 2};
    static int const one = 1;
    real_t const static_part = x * STN_R(R) * table[one];
    y = STN_AT(u, i, j + one) + v + static_part;)
STN_MAP(literals, (in(x), out(y)),
    static const char text[] = "static int a;"; const char *const s = "\\" /* ' */ "; static int n;";
    static const char quotes[] = {'"', '\'', '\\'};
    y = x + STN_R(s[0] == text[0] || quotes[0] == ';'); /* static int n; */)
#ifdef __cplusplus
STN_MAP(own_types, (at(i), out(y)),
    static constexpr double t[2] = {1, 2};
    constexpr static const char *letters = "ab";
    const double static half = 0.5; double static const two = 2; int const static one = 1;
    static_assert(sizeof(real_t) >= 4, "static int n;");
    struct base {int n;};
    struct functions : base {
        static real_t f(real_t a) {static const real_t table[1] = {1}; return a + table[0];}
        static constexpr int three() {return 3;}
    };
    y = functions::f((real_t)t[i & 1]) + STN_R(functions::three() + letters[0] + half * two * one);)
#    if __cplusplus >= 201402L
STN_MAP(separated, (out(y)), static const int n[2] = {10'000, 20'000}; y = STN_R(n[0]);)
#    endif
#endif
STN_MAP_INTEGER(integers, (shifted(v, value(-2), -1, WIDTH), in(x), inout(y)), y = x + v;)
STN_MAP(nested, (at(i), gather(columns, 1), scatter(u, 1), stencil(v, zero, 1)),
    if (STN_EXTENT_OF(columns, 0) == STN_EXTENT_OF(v, 0))
        STN_PUT(u, STN_AT(u, STN_INDEX_AT(columns, STN_INDEX_AT(columns, i))) + STN_AT(v, i), i);)
STN_REDUCE(pairs, products, (in(x), in(y)), x, y)
STN_REDUCE_BY(by, (in(x)), (x), a > b ? a : b, a * STN_R(R), 0)
STN_SCAN(scanned, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_SCAN_BY(scanned_by, (in(x)), x, a + b, 0)
STN_MAP(masked_choice, (in(x), masked(y)), x > 0 ? STN_STORE(y, x) : (void)0; if (x < 0) STN_STORE(y, -x);)
STN_MAP(plain, (in(x), inout(y)), y = x;)
STN_FUSE(fused, plain, f64, (in(x, f16), inout(y, f32)))
/* clang-format on */
