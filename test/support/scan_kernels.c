/* See scan_kernels.h. */
#include "scan_kernels.h"

#include "ranks.h"
#include "steno/reduce.h"

/* clang-format off */
STN_SCAN(total, sum, (in(x)), x)
STN_SCAN(grown, product, (in(x)), STN_R(1) + x / (STN_R(64) * (STN_R(1) + fabs(x))))
STN_SCAN(least, min, (in(x)), x)
STN_SCAN(greatest, max, (real(a), in(x), in(y)), y - a * x)
STN_SCAN(numbered_0, sum, (index(n), in(x)), x + (real_t)(n % 1000))
#define NUMBERED(rank, indices, first, number)                                                     \
    STN_SCAN(numbered_##rank, sum, (indices, index(n), in(x)), x + (real_t)(number + n % 1000))
RANKS(NUMBERED)
STN_SCAN_BY(leaning, (in(x)), x * STN_R(0.5), a + STN_R(0.75) * b, STN_R(7))
STN_SCAN_INTEGER(total_integer, sum, (index(n), in(x)), x ^ n)
STN_SCAN_INTEGER(product_integer, product, (in(x)), x | 1)
STN_SCAN_INTEGER(least_integer, min, (in(x)), x)
STN_SCAN_INTEGER(greatest_integer, max, (in(x)), x)
STN_SCAN_INTEGER_BY(appended, (in(x)), x, (int64_t)((uint64_t)a * 31 + (uint64_t)b), 7)
/* clang-format on */

const char *const scan_names[] = {
    "total",         "grown",           "least",         "greatest",         "numbered", "leaning",
    "total_integer", "product_integer", "least_integer", "greatest_integer", "appended"};
const int scan_count = (int)(sizeof scan_names / sizeof *scan_names);

#define ARGUMENTS(...) __VA_ARGS__
#define SCAN(name, arguments)                                                                      \
    (dimension < 0 ? name##_scan(exec, c->arithmetic, exclusive, result, ARGUMENTS arguments)      \
                   : name##_scan_dimension(exec, c->arithmetic, exclusive, dimension, result,      \
                                           ARGUMENTS arguments))

typedef stn_status numbered_launch(const stn_exec *exec, stn_format arithmetic,
                                   stn_scan_kind exclusive, const stn_view *result, int64_t n,
                                   const stn_view *x);
typedef stn_status numbered_launch_dimension(const stn_exec *exec, stn_format arithmetic,
                                             stn_scan_kind exclusive, int dimension,
                                             const stn_view *result, int64_t n, const stn_view *x);

static stn_status launch_numbered(const stn_exec *exec, const reduce_case *c,
                                  stn_scan_kind exclusive, int dimension, const stn_view *result,
                                  const stn_view *v)
{
    static numbered_launch *const whole[] = OF_RANKS(numbered, _scan);
    static numbered_launch_dimension *const of_dimension[] = OF_RANKS(numbered, _scan_dimension);
    const int64_t n = c->numbers.index;
    return dimension < 0
               ? whole[v->rank](exec, c->arithmetic, exclusive, result, n, v)
               : of_dimension[v->rank](exec, c->arithmetic, exclusive, dimension, result, n, v);
}

stn_status scan_launch(int scan, const stn_exec *exec, const reduce_case *c,
                       stn_scan_kind exclusive, int dimension, const stn_view *result,
                       const stn_view *v)
{
    const kernel_numbers *n = &c->numbers;
    switch (scan) {
    case 0:
        return SCAN(total, (&v[0]));
    case 1:
        return SCAN(grown, (&v[0]));
    case 2:
        return SCAN(least, (&v[0]));
    case 3:
        return SCAN(greatest, (n->real, &v[0], &v[1]));
    case 4:
        return launch_numbered(exec, c, exclusive, dimension, result, v);
    case 5:
        return SCAN(leaning, (&v[0]));
    case 6:
        return SCAN(total_integer, (n->index, &v[0]));
    case 7:
        return SCAN(product_integer, (&v[0]));
    case 8:
        return SCAN(least_integer, (&v[0]));
    case 9:
        return SCAN(greatest_integer, (&v[0]));
    default:
        return SCAN(appended, (&v[0]));
    }
}
