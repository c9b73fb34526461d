/* What looks like a mistake of mistakes.c and is none. */
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"

/* A macro R of the program: bodies that do not use R(...) are unchanged. */
#undef R
#define R 8.314

enum { WIDTH = 1 };
/* clang-format off */
STN_MAP(own_macro, (at(i, j), stencil(u, value(0.5), WIDTH, 2 * WIDTH), shifted(v, nearest, -1, +1), in(x), out(y)),
    static const real_t table[2] = {1, 2};
    static int const one = 1;
    real_t const static_part = x * STN_R(R) * table[one];
    y = STN_AT(u, i, j + one) + v + static_part;)
STN_MAP_INTEGER(integers, (shifted(v, value(-2), -1, WIDTH), in(x), inout(y)), y = x + v;)
STN_MAP(nested, (at(i), gather(columns, 1), scatter(u, 1), stencil(v, zero, 1)),
    if (STN_EXTENT_OF(columns, 0) == STN_EXTENT_OF(v, 0))
        STN_PUT(u, STN_AT(u, STN_INDEX_AT(columns, STN_INDEX_AT(columns, i))) + STN_AT(v, i), i);)
STN_REDUCE(pairs, products, (in(x), in(y)), x, y)
STN_REDUCE_BY(by, (in(x)), (x), a > b ? a : b, a * STN_R(R), 0)
STN_SCAN(scanned, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_SCAN_BY(scanned_by, (in(x)), x, a + b, 0)
STN_MAP(plain, (in(x), inout(y)), y = x;)
STN_FUSE(fused, plain, f64, (in(x, f16), inout(y, f32)))
/* clang-format on */
