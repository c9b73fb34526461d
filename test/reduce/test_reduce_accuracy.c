/* Sums, dot products and norms keep the error bounds that doc/accuracy.md states, against sums in
 * twice the precision; a running sum does not. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "make_view.h"
#include "measure/exact.h"
#include "order_oracle.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(size, norm2, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
STN_REDUCE_BY(depth, (in(x)), 0 * x, (a > b ? a : b) + 1, a, 0)
/* clang-format on */

/* Two vectors as they are stored, and the values they hold. */
typedef struct operands {
    stn_format arithmetic, format;
    int64_t count;
    stn_view x, y;
    double *x_values, *y_values;
} operands;

static double *fill(stn_view *view, stn_format format, int64_t count, measure_data kind,
                    uint64_t seed, int power)
{
    const stn_storage storage = stn_storage_of(format);
    double *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    expect_ok(stn_view_create(NULL, view, "x", storage, 1, &count));
    for (int64_t k = 0; k < count; k++)
        values[k] = ldexp(measure_datum(kind, seed, k, count), power);
    expect_ok(stn_encode(STN_F64, &storage, view->data, 1, 0, values, count));
    expect_ok(stn_decode(STN_F64, values, &storage, view->data, 1, count));
    return values;
}

static operands make(stn_format arithmetic, stn_format format, int64_t count, measure_data kind,
                     uint64_t seed, int power)
{
    operands o = {.arithmetic = arithmetic, .format = format, .count = count};
    o.x_values = fill(&o.x, format, count, kind, seed, power);
    o.y_values = fill(&o.y, format, count, MEASURE_RANDOM, seed + 1, 0);
    return o;
}

static void drop(operands *o)
{
    stn_view_release(&o->x);
    stn_view_release(&o->y);
    free(o->x_values);
    free(o->y_values);
}

/* ---- three calculations: by Steno, one after the other, and exactly ---- */

typedef enum calculation { TOTAL, INNER, SIZE, CALCULATIONS } calculation;
static const char *const names[CALCULATIONS] = {"sum", "dot product", "norm"};

static double by_steno(const operands *o, calculation what)
{
    double result = 0.0;
    stn_exec *exec = NULL;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    const stn_status status = what == TOTAL ? total_reduce(exec, o->arithmetic, &result, &o->x)
                              : what == INNER
                                  ? inner_reduce(exec, o->arithmetic, &result, &o->x, &o->y)
                                  : size_reduce(exec, o->arithmetic, &result, &o->x);
    if (status != STN_OK)
        fail_msg("%s", stn_error());
    stn_exec_release(exec);
    return result;
}

/* The factor that an element of x is multiplied by. */
static double factor(const operands *o, calculation what, int64_t k)
{
    return what == TOTAL ? 1.0 : what == INNER ? o->y_values[k] : o->x_values[k];
}

static double one_after_the_other(const operands *o, calculation what)
{
    double sum = 0.0;
    for (int64_t k = 0; k < o->count; k++)
        sum = order_add(o->arithmetic, sum,
                        order_multiply(o->arithmetic, o->x_values[k], factor(o, what, k)));
    if (what == SIZE)
        sum = o->arithmetic == STN_F64 ? sqrt(sum) : (double)sqrtf((float)sum);
    return sum;
}

/* The exact sum, and that of the magnitudes. */
static measure_sum exactly(const operands *o, calculation what, double *magnitudes)
{
    measure_sum sum = {0.0, 0.0}, sizes = {0.0, 0.0};
    for (int64_t k = 0; k < o->count; k++) {
        const double x = o->x_values[k], y = factor(o, what, k);
        sum = measure_add_product(sum, x, y);
        sizes = measure_add_product(sizes, fabs(x), fabs(y));
    }
    *magnitudes = sizes.high;
    return sum;
}

/* The error in units of the rounding error times the sum of the magnitudes; of a norm, times the
 * norm. */
static double error_of(const operands *o, calculation what, double found)
{
    const double unit = o->arithmetic == STN_F64 ? 0x1p-53 : 0x1p-24;
    double magnitudes;
    measure_sum exact = exactly(o, what, &magnitudes);
    if (magnitudes == 0.0)
        return found == 0.0 ? 0.0 : (double)INFINITY;
    if (what != SIZE)
        return fabs(measure_minus(exact, found)) / (unit * magnitudes);
    exact = measure_add_product(exact, -found, found); /* (norm - found) (norm + found) */
    return fabs(exact.high) / ((sqrt(magnitudes) + found) * unit * sqrt(magnitudes));
}

/* As doc/accuracy.md has it. */
static double bound_of(calculation what, int64_t count)
{
    const double sum = ceil(log2((double)count)) + 1;
    const double first = what == TOTAL ? sum : what == INNER ? sum + 1 : (sum + 1) / 2 + 1;
    return first * (1 + 0x1p-16); /* terms of second order, in f32 */
}

static void check(const operands *o, measure_data kind)
{
    for (calculation what = TOTAL; what < CALCULATIONS; what++) {
        const double error = error_of(o, what, by_steno(o, what));
        if (!(error <= bound_of(what, o->count)))
            fail_msg("%s of %" PRId64 " %s values stored as %s, in %s: %g units, at most %g",
                     names[what], o->count, measure_data_name(kind), oracle_formats[o->format].name,
                     oracle_formats[o->arithmetic].name, error, bound_of(what, o->count));
    }
}

/* ---- tests ---- */

static const int64_t counts[] = {1, 2, 31, 33, 127, 128, 129, 1000, 4097, 100003};

UNIT_TEST(test_bounds)
{
    static const stn_format formats[] = {STN_F32, STN_F16, STN_BF16, STN_F64};
    for (measure_data kind = 0; kind < MEASURE_KINDS; kind++)
        for (int n = 0; n < COUNT_OF(counts); n++)
            for (int f = 0; f < 7; f++) {
                const stn_format arithmetic = f < 3 ? STN_F32 : STN_F64;
                operands o = make(arithmetic, formats[f < 3 ? f : f - 3], counts[n], kind,
                                  (uint64_t)(10 * n), 0);
                check(&o, kind);
                drop(&o);
            }
}

static double depth_of(const stn_exec *exec, const stn_view *x)
{
    double depth = -1.0;
    expect_ok(depth_reduce(exec, STN_F64, &depth, x));
    return depth;
}

/* The additions that the bounds count: of no sum more than ceil(log2 n) + 1, and of one tile all.
 */
UNIT_TEST(test_additions)
{
    enum { MOST = 70000, DENSE = 3000 };
    static float values[MOST];
    stn_exec *exec = NULL;
    expect_ok(stn_exec_create(&exec, OPENMP));
    for (int64_t n = 1; n <= MOST; n += n < DENSE ? 1 : 997) {
        const stn_view x = wrap_view("x", stn_storage_of(STN_F32), values, 1, &n);
        assert_true(depth_of(exec, &x) <= ceil(log2((double)n)) + 1);
        if (n == 128)
            assert_true(depth_of(exec, &x) == 8);
    }
    stn_exec_release(exec);
}

/* Norms whose squares are beyond the range of the arithmetic, or below it. */
UNIT_TEST(test_norms_out_of_range)
{
    static const struct {
        stn_format arithmetic;
        int power;
    } ways[] = {{STN_F64, 1000}, {STN_F64, -1000}, {STN_F64, 540}, {STN_F64, -520},
                {STN_F32, 110},  {STN_F32, -120},  {STN_F32, 64},  {STN_F32, -66}};
    for (int way = 0; way < 8; way++)
        for (int n = 0; n < COUNT_OF(counts); n++) {
            const stn_format arithmetic = ways[way].arithmetic;
            operands o =
                make(arithmetic, arithmetic, counts[n], MEASURE_POSITIVE, 7, ways[way].power);
            const double found = ldexp(by_steno(&o, SIZE), -ways[way].power);
            for (int64_t k = 0; k < o.count; k++)
                o.x_values[k] = ldexp(o.x_values[k], -ways[way].power);
            const double error = error_of(&o, SIZE, found);
            if (!(error <= bound_of(SIZE, o.count)))
                fail_msg("norm of %" PRId64 " values near 2^%d in %s: %g units, at most %g",
                         o.count, ways[way].power, oracle_formats[arithmetic].name, error,
                         bound_of(SIZE, o.count));
            drop(&o);
        }
}

/* ---- scans ---- */

/* Each element against the exact sum up to it: 128 roundings of its own tile, and 2 log2 n of what
 * is before. */
static void check_scan(const operands *o, const void *scanned, measure_data kind)
{
    const double unit = o->arithmetic == STN_F64 ? 0x1p-53 : 0x1p-24;
    measure_sum sum = {0.0, 0.0};
    double before = 0.0, own = 0.0;
    for (int64_t k = 0; k < o->count; k++) {
        const double found = o->arithmetic == STN_F64 ? ((const double *)scanned)[k]
                                                      : (double)((const float *)scanned)[k];
        before = k % 128 == 0 ? before + own : before;
        own = (k % 128 == 0 ? 0.0 : own) + fabs(o->x_values[k]);
        sum = measure_add(sum, o->x_values[k]);
        const double most = unit * (2 * ceil(log2((double)o->count)) * before + 128 * own);
        if (!(fabs(measure_minus(sum, found)) <= most))
            fail_msg("element %" PRId64 " of a scan of %s values in %s: %g off, at most %g", k,
                     measure_data_name(kind), oracle_formats[o->arithmetic].name,
                     measure_minus(sum, found), most);
    }
}

UNIT_TEST(test_scans)
{
    stn_exec *exec = NULL;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    for (measure_data kind = 0; kind < MEASURE_KINDS; kind++)
        for (int n = 0; n < COUNT_OF(counts); n++)
            for (int narrow = 0; narrow < 2; narrow++) {
                const stn_format arithmetic = narrow ? STN_F32 : STN_F64;
                operands o = make(arithmetic, STN_F32, counts[n], kind, 17, 0);
                stn_view result;
                expect_ok(stn_view_create(NULL, &result, "scanned", stn_storage_of(arithmetic), 1,
                                          &counts[n]));
                expect_ok(running_scan(exec, arithmetic, STN_SCAN_INCLUSIVE, &result, &o.x));
                check_scan(&o, result.data, kind);
                stn_view_release(&result);
                drop(&o);
            }
    stn_exec_release(exec);
}

/* The bounds say something: sums one after the other do not keep them. */
UNIT_TEST(test_running_sums_break_the_bounds)
{
    for (int narrow = 0; narrow < 2; narrow++)
        for (calculation what = TOTAL; what < CALCULATIONS; what++) {
            const stn_format arithmetic = narrow ? STN_F32 : STN_F64;
            operands o = make(arithmetic, arithmetic, 1 << 20, MEASURE_CONSTANT, 3, 0);
            for (int64_t k = 0; k < o.count; k++)
                o.y_values[k] = 0.1;
            const double error = error_of(&o, what, one_after_the_other(&o, what));
            if (!(error > bound_of(what, o.count)))
                fail_msg("a running %s in %s errs by %g units only, and %g are allowed",
                         names[what], oracle_formats[arithmetic].name, error,
                         bound_of(what, o.count));
            drop(&o);
        }
}

RUN_UNIT_TESTS(NULL, NULL)
