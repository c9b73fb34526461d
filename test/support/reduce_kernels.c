/* See reduce_kernels.h: the reductions that reduce_models.c describes, as programs write them. */
#include "reduce_kernels.h"

#include "ranks.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(grown, product, (in(x)), STN_R(1) + x / (STN_R(64) * (STN_R(1) + fabs(x))))
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
STN_REDUCE(numbered_0, sum, (index(n), in(x)), x + (real_t)(n % 1000))
STN_REDUCE(gathered_0, sum, (bits(m), in(x), gather(u, 1)), x * STN_AT(u, 0) + (real_t)(m >> 60))
#define USING_INDICES(rank, indices, first, number)                                                \
    STN_REDUCE(numbered_##rank, sum, (indices, index(n), in(x)),                                   \
               x + (real_t)(number + n % 1000))                                                    \
    STN_REDUCE(gathered_##rank, sum, (indices, bits(m), in(x), gather(u, 1)),                      \
               x * STN_AT(u, first % STN_EXTENT_OF(u, 0)) + (real_t)(m >> 60))                     \
    STN_REDUCE_INTEGER(has_after_##rank, any, (indices, index(n), in(x)), x > first + n % 3)       \
    STN_REDUCE_INTEGER(all_after_##rank, all, (indices, index(n), in(x)), x > first + n % 3)
RANKS(USING_INDICES)
STN_REDUCE_BY(leaning, (in(x)), x * STN_R(0.5), a + STN_R(0.75) * b, a * STN_R(3), STN_R(7))
STN_REDUCE_INTEGER(total_integer, sum, (index(n), in(x)), x ^ n)
STN_REDUCE_INTEGER(product_integer, product, (in(x)), x | 1)
STN_REDUCE_INTEGER(least_integer, min, (in(x)), x)
STN_REDUCE_INTEGER(greatest_integer, max, (in(x)), x)
STN_REDUCE_INTEGER(where_least_integer, argmin, (in(x)), x)
STN_REDUCE_INTEGER(where_greatest_integer, argmax, (in(x)), x % 1000)
STN_REDUCE_INTEGER(how_many_integer, count, (in(x), in(y)), x < y)
STN_REDUCE_INTEGER(has_after_0, any, (index(n), in(x)), x > n % 3)
STN_REDUCE_INTEGER(all_after_0, all, (index(n), in(x)), x > n % 3)
STN_REDUCE_INTEGER(size1_integer, norm1, (in(x)), x % 1000)
STN_REDUCE_INTEGER(size_largest_integer, norm_inf, (in(x)), x % 1000)
STN_REDUCE_INTEGER(inner_integer, products, (in(x), in(y)), x % 1000, y % 1000)
STN_REDUCE_INTEGER_BY(appended, (in(x)), x,
    (int64_t)((uint64_t)a * 31 + (uint64_t)b), ~a, 7)

/* One launch for the kernels of all ranks. */
typedef stn_status launch_function(reduce_way way, const reduce_call *call);
#define OF_ONE_RANK(rank, indices, first, number)                                                                    \
    REDUCE_DEFINE_LAUNCH(numbered_##rank, (n->index, &v[0]))                                       \
    REDUCE_DEFINE_LAUNCH(gathered_##rank, (n->bits, &v[0], &v[1]))                                 \
    REDUCE_DEFINE_LAUNCH(has_after_##rank, (n->index, &v[0]))                                      \
    REDUCE_DEFINE_LAUNCH(all_after_##rank, (n->index, &v[0]))
OF_ONE_RANK(0, ~, ~, ~)
RANKS(OF_ONE_RANK)
#define OF_ALL_RANKS(name)                                                                         \
    static stn_status launch_##name(reduce_way way, const reduce_call *c)                          \
    {                                                                                              \
        static launch_function *const launches[] = OF_RANKS(launch_##name, );                      \
        const int is_over = way == REDUCE_FULL_OVER || way == REDUCE_INTO_OVER;                    \
        return launches[is_over ? c->rank : way >= REDUCE_MERGE ? 0 : c->views->rank](way, c);     \
    }
OF_ALL_RANKS(numbered)
OF_ALL_RANKS(gathered)
OF_ALL_RANKS(has_after)
OF_ALL_RANKS(all_after)

/* By the order of reduce_models. */
#define EACH_KERNEL(ITEM, RANKED)                                                                   \
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
    RANKED(numbered)                                                                               \
    RANKED(gathered)                                                                               \
    ITEM(leaning, (&v[0]))                                                                         \
    ITEM(total_integer, (n->index, &v[0]))                                                         \
    ITEM(product_integer, (&v[0]))                                                                 \
    ITEM(least_integer, (&v[0]))                                                                   \
    ITEM(greatest_integer, (&v[0]))                                                                \
    ITEM(where_least_integer, (&v[0]))                                                             \
    ITEM(where_greatest_integer, (&v[0]))                                                          \
    ITEM(how_many_integer, (&v[0], &v[1]))                                                         \
    RANKED(has_after)                                                                              \
    RANKED(all_after)                                                                              \
    ITEM(size1_integer, (&v[0]))                                                                   \
    ITEM(size_largest_integer, (&v[0]))                                                            \
    ITEM(inner_integer, (&v[0], &v[1]))                                                            \
    ITEM(appended, (&v[0]))
#define NOTHING(name)
EACH_KERNEL(REDUCE_DEFINE_LAUNCH, NOTHING)
/* clang-format on */
#define RANKED_ROW(name)            launch_##name,
#define LAUNCH_ROW(name, arguments) launch_##name,
static launch_function *const launches[] = {EACH_KERNEL(LAUNCH_ROW, RANKED_ROW)};

stn_status reduce_launch(int model, reduce_way way, const reduce_call *call)
{
    return launches[model](way, call);
}
