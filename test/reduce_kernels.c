/* See reduce_kernels.h: the reductions that reduce_models.c describes, as programs write them. */
#include "reduce_kernels.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(grown, product, (in(x)), R(1) + x / (R(64) * (R(1) + fabs(x))))
STN_REDUCE(least, min, (in(x)), x)
STN_REDUCE(greatest, max, (real(a), in(x), in(y)), y - a * x)
STN_REDUCE(where_least, argmin, (in(x)), x)
STN_REDUCE(where_greatest, argmax, (real(a), in(x), in(y)), y - a * x)
STN_REDUCE(how_many, count, (in(x), in(y)), x < y)
STN_REDUCE(has_negative, any, (in(x)), x < 0)
STN_REDUCE(has_numbers_only, all, (in(x)), x == x)
STN_REDUCE(size1, norm1, (in(x)), x)
STN_REDUCE(size2, norm2, (in(x)), x)
STN_REDUCE(size_largest, norm_inf, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(numbered, sum, (index(n), in(x)),
    x + (real_t)(1000 * i + 100 * j + 10 * k + l + n % 1000))
STN_REDUCE(gathered, sum, (bits(m), in(x), field(u)),
    x * STN_AT(u, i % STN_EXTENT_OF(u, 0)) + (real_t)(m >> 60))
STN_REDUCE_BY(leaning, (in(x)), x * R(0.5), a + R(0.75) * b, a * R(3), R(7))
STN_REDUCE_INTEGER(total_integer, sum, (index(n), in(x)), x ^ n)
STN_REDUCE_INTEGER(product_integer, product, (in(x)), x | 1)
STN_REDUCE_INTEGER(least_integer, min, (in(x)), x)
STN_REDUCE_INTEGER(greatest_integer, max, (in(x)), x)
STN_REDUCE_INTEGER(where_least_integer, argmin, (in(x)), x)
STN_REDUCE_INTEGER(where_greatest_integer, argmax, (in(x)), x % 1000)
STN_REDUCE_INTEGER(how_many_integer, count, (in(x), in(y)), x < y)
STN_REDUCE_INTEGER(has_after, any, (index(n), in(x)), x > i + n % 3)
STN_REDUCE_INTEGER(all_after, all, (index(n), in(x)), x > i + n % 3)
STN_REDUCE_INTEGER(size1_integer, norm1, (in(x)), x % 1000)
STN_REDUCE_INTEGER(size_largest_integer, norm_inf, (in(x)), x % 1000)
STN_REDUCE_INTEGER(inner_integer, products, (in(x), in(y)), x % 1000, y % 1000)
STN_REDUCE_INTEGER_BY(appended, (in(x)), x,
    (int64_t)((uint64_t)a * 31 + (uint64_t)b), ~a, 7)


/* By the order of reduce_models. */
#define EACH_KERNEL(ITEM)                                                                          \
    ITEM(total, (&v[0]))                                                                           \
    ITEM(grown, (&v[0]))                                                                           \
    ITEM(least, (&v[0]))                                                                           \
    ITEM(greatest, (n->real, &v[0], &v[1]))                                                        \
    ITEM(where_least, (&v[0]))                                                                     \
    ITEM(where_greatest, (n->real, &v[0], &v[1]))                                                  \
    ITEM(how_many, (&v[0], &v[1]))                                                                 \
    ITEM(has_negative, (&v[0]))                                                                    \
    ITEM(has_numbers_only, (&v[0]))                                                                \
    ITEM(size1, (&v[0]))                                                                           \
    ITEM(size2, (&v[0]))                                                                           \
    ITEM(size_largest, (&v[0]))                                                                    \
    ITEM(inner, (&v[0], &v[1]))                                                                    \
    ITEM(numbered, (n->index, &v[0]))                                                              \
    ITEM(gathered, (n->bits, &v[0], &v[1]))                                                        \
    ITEM(leaning, (&v[0]))                                                                         \
    ITEM(total_integer, (n->index, &v[0]))                                                         \
    ITEM(product_integer, (&v[0]))                                                                 \
    ITEM(least_integer, (&v[0]))                                                                   \
    ITEM(greatest_integer, (&v[0]))                                                                \
    ITEM(where_least_integer, (&v[0]))                                                             \
    ITEM(where_greatest_integer, (&v[0]))                                                          \
    ITEM(how_many_integer, (&v[0], &v[1]))                                                         \
    ITEM(has_after, (n->index, &v[0]))                                                             \
    ITEM(all_after, (n->index, &v[0]))                                                             \
    ITEM(size1_integer, (&v[0]))                                                                   \
    ITEM(size_largest_integer, (&v[0]))                                                            \
    ITEM(inner_integer, (&v[0], &v[1]))                                                            \
    ITEM(appended, (&v[0]))
EACH_KERNEL(REDUCE_DEFINE_LAUNCH)
/* clang-format on */

#define LAUNCH_ROW(name, arguments) launch_##name,
typedef stn_status launch_function(reduce_way way, const reduce_call *call);
static launch_function *const launches[] = {EACH_KERNEL(LAUNCH_ROW)};

stn_status reduce_launch(int model, reduce_way way, const reduce_call *call)
{
    return launches[model](way, call);
}
