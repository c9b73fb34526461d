/* Reductions: parts that are merged, fused loops, what is refused, and that nothing is allocated.
 */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include "check.h"
#include "core/memory.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(most, max, (in(x)), x)
STN_REDUCE(least_at, argmin, (in(x)), x)
STN_REDUCE(nonzeros, count, (in(x)), x != 0)
STN_REDUCE(norm_2, norm2, (in(x)), x)
STN_REDUCE_INTEGER(sum_of_integers, sum, (in(x)), x)

/* clang-format on */

enum { MOST = 40000 };

static const double infinity = (double)INFINITY;
static double x_values[MOST], y_values[MOST];

static void fill(void)
{
    uint64_t state = 5;
    for (int64_t k = 0; k < MOST; k++) {
        x_values[k] = (double)(int64_t)(order_next(&state) >> 40) / 77.0 - 100000.0;
        y_values[k] = (double)(int64_t)(order_next(&state) >> 50) / 3.0;
    }
}

/* ---- what is refused ---- */

static void refused(stn_status status, stn_status expected, const char *words, const char *more)
{
    if (status != expected)
        fail_msg("%s, not %s: %s", stn_status_name(status), stn_status_name(expected), stn_error());
    if (!strstr(stn_error(), words) || !strstr(stn_error(), more))
        fail_msg("'%s' does not name '%s' and '%s'", stn_error(), words, more);
}

UNIT_TEST(test_refused)
{
    const int64_t extents[] = {20, 30}, rows[] = {20}, columns[] = {30}, zero[] = {0};
    double result = -77.0, out[30] = {-77.0};
    int64_t whole = -77;
    const stn_exec *exec = check_execs[2];
    const stn_view x = check_view("left", STN_F64, x_values, 2, extents, NULL);
    const stn_view y = check_view("right", STN_F64, y_values, 1, columns, NULL);
    const stn_view into = check_view("out", STN_F64, out, 1, rows, NULL);
    const stn_view integer = check_view("out", STN_I64, out, 1, rows, NULL);
    stn_view other = into;
    refused(total_reduce(NULL, STN_F64, &result, &x), STN_ERR_ARGUMENT, "total", "");
    refused(total_reduce(exec, STN_F64, NULL, &x), STN_ERR_ARGUMENT, "total", "result is NULL");
    refused(total_reduce(exec, STN_F64, &result, NULL), STN_ERR_ARGUMENT, "total", "x is NULL");
    refused(total_reduce(exec, STN_I64, &result, &x), STN_ERR_ARGUMENT, "total", "i64");
    refused(sum_of_integers_reduce(exec, STN_F64, &whole, &x), STN_ERR_ARGUMENT, "f64", "");
    refused(sum_of_integers_reduce(exec, STN_I64, &whole, &x), STN_ERR_UNSUPPORTED,
            "kernel sum_of_integers: x", "f64 cannot be used with arithmetic i64");
    refused(dot_reduce(exec, STN_F64, &result, &x, &into), STN_ERR_SHAPE, "dot", "y");
    refused(total_reduce_over(exec, STN_F64, 1, rows, &result, &x), STN_ERR_SHAPE, "total", "x");
    refused(total_reduce_into(exec, STN_F64, 2, NULL, &x), STN_ERR_ARGUMENT, "result is NULL", "");
    refused(total_reduce_into(exec, STN_F64, 4, &into, &x), STN_ERR_ARGUMENT, "total", "0x4");
    refused(total_reduce_into(exec, STN_F64, 1, &into, &x), STN_ERR_SHAPE, "total", "result");
    refused(total_reduce_into(exec, STN_F64, 0, &into, &x), STN_ERR_SHAPE, "total", "result");
    refused(total_reduce_into(exec, STN_F64, 3, &into, &x), STN_ERR_SHAPE, "total", "result");
    refused(dot_reduce_into(exec, STN_F64, 1, &y, &x, &y), STN_ERR_ALIAS, "result overlaps y", "");
    memset(&other, 0, sizeof other);
    refused(total_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_ARGUMENT,
            "kernel total: result is a view of nothing", "");
    other = into;
    check_must(stn_view_set_traits(&other, STN_TRAIT_ATOMIC));
    refused(total_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_UNSUPPORTED,
            "kernel total: result: out", "is atomic");
    other = into;
    other.read_only = 1;
    refused(total_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_ARGUMENT, "read-only", "out");
    other = check_view("out", STN_F64, out, 1, rows, zero);
    refused(total_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_ALIAS, "repeats", "out");
    other = check_view("out", STN_C128, out, 1, (const int64_t[]){20}, NULL);
    other.extent[0] = 20;
    refused(total_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_UNSUPPORTED,
            "kernel total: result", "c128 cannot be used with arithmetic f64");
    other = integer;
    other.storage.scale = 2.0;
    refused(nonzeros_reduce_into(exec, STN_F64, 2, &other, &x), STN_ERR_UNSUPPORTED,
            "kernel nonzeros: result", "scale");
    assert_true(result == -77.0 && out[0] == -77.0);
}

/* ---- parts ---- */

/* Cut unevenly into seven parts, which are sent as bytes and merged in two ways. */
static void check_parts(int64_t count, const stn_exec *exec)
{
    static unsigned char sent[7][sizeof(stn_partial)];
    static stn_partial parts[7];
    const int64_t wished[] = {0,         count / 100,   count / 100 + 1, count / 7,
                              count / 2, count / 2 + 3, 3 * count / 4,   count};
    int64_t cuts[8] = {0};
    double whole, found;
    const stn_view x = check_line(STN_F64, x_values, count);
    check_must(total_reduce(check_execs[0], STN_F64, &whole, &x));
    for (int p = 1; p < 8; p++) {
        const int64_t cut = wished[p] < count ? wished[p] : count;
        cuts[p] = cut < cuts[p - 1] ? cuts[p - 1] : cut;
    }
    for (int way = 0; way < 2; way++) {
        for (int p = 0; p < 7; p++) {
            const int64_t begin = cuts[p];
            const stn_view some = check_line(STN_F64, x_values + begin, cuts[p + 1] - begin);
            stn_partial part;
            check_must(total_reduce_part(exec, STN_F64, begin, &part, &some));
            memcpy(sent[p], &part, sizeof part);
        }
        memcpy(parts, sent, sizeof parts);
        for (int p = 1; p < 7 && way == 0; p++)
            check_must(total_reduce_merge(&parts[0], &parts[p]));
        for (int p = 5; p >= 0 && way == 1; p--)
            check_must(total_reduce_merge(&parts[p], &parts[p + 1]));
        check_must(total_reduce_finish(&parts[0], &found));
        if (check_bits(found) != check_bits(whole))
            fail_msg("%d elements in parts: %a, not %a", (int)count, found, whole);
    }
}

UNIT_TEST(test_parts)
{
    static const int64_t counts[] = {0, 5, 100, 128, 300, 1000, 5000, MOST};
    fill();
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int e = 0; e < CHECK_EXECS; e++)
            check_parts(counts[k], check_execs[e]);
}

UNIT_TEST(test_parts_of_norms_and_places)
{
    static double values[1000];
    static stn_partial left, right;
    const stn_view x = check_line(STN_F64, values, 300), y = check_line(STN_F64, values + 300, 700);
    const stn_view all = check_line(STN_F64, values, 1000);
    static const double factors[] = {1.0, 0x1p800, 0x1p-800};
    for (int f = 0; f < 3; f++) {
        double whole, found;
        int64_t place;
        for (int k = 0; k < 1000; k++)
            values[k] = factors[f] * (1.0 / (k + 3) - (k == 777));
        check_must(norm_2_reduce(check_execs[2], STN_F64, &whole, &all));
        check_must(norm_2_reduce_part(check_execs[1], STN_F64, 0, &left, &x));
        check_must(norm_2_reduce_part(check_execs[2], STN_F64, 300, &right, &y));
        check_must(norm_2_reduce_merge(&left, &right));
        check_must(norm_2_reduce_finish(&left, &found));
        assert_true(check_bits(found) == check_bits(whole) && whole > 0.0 && whole < infinity);
        check_must(least_at_reduce_part(check_execs[1], STN_F64, 0, &left, &x));
        check_must(least_at_reduce_part(check_execs[2], STN_F64, 300, &right, &y));
        check_must(least_at_reduce_merge(&left, &right));
        check_must(least_at_reduce_finish(&left, &place));
        assert_int_equal(place, 777);
    }
}

/* Parts of each row or column, cut along what is reduced: the bits of the whole matrix's. */
static void check_parts_into(int64_t rows, int64_t columns, unsigned reduced, int64_t cut,
                             const stn_exec *exec)
{
    static stn_partial low[60], high[60];
    static double whole[60], norms[60];
    const int64_t extents[] = {rows, columns}, outputs = reduced == 1 ? columns : rows;
    const stn_view x = check_view("x", STN_F64, x_values, 2, extents, NULL);
    const stn_view sums = check_view("result", STN_F64, whole, 1, &outputs, NULL);
    const stn_view sizes_of = check_view("result", STN_F64, norms, 1, &outputs, NULL);
    const stn_slice cuts[2][2] = {
        {stn_slice_range(0, cut), stn_slice_all()},
        {stn_slice_range(cut, reduced == 1 ? rows : columns), stn_slice_all()}};
    stn_view piece[2];
    for (int p = 0; p < 2; p++) {
        const stn_slice slices[2] = {cuts[p][reduced == 2], cuts[p][reduced == 1]};
        check_must(stn_view_slice(&piece[p], &x, 2, slices));
    }
    check_must(total_reduce_into(check_execs[0], STN_F64, reduced, &sums, &x));
    check_must(norm_2_reduce_into(check_execs[0], STN_F64, reduced, &sizes_of, &x));
    check_must(total_reduce_parts(exec, STN_F64, 0, reduced, low, &piece[0]));
    check_must(total_reduce_parts(exec, STN_F64, cut, reduced, high, &piece[1]));
    for (int64_t o = 0; o < outputs; o++) {
        double found;
        check_must(total_reduce_merge(&low[o], &high[o]));
        check_must(total_reduce_finish(&low[o], &found));
        assert_true(check_bits(found) == check_bits(whole[o]));
    }
    check_must(norm_2_reduce_parts(exec, STN_F64, 0, reduced, low, &piece[0]));
    check_must(norm_2_reduce_parts(exec, STN_F64, cut, reduced, high, &piece[1]));
    for (int64_t o = 0; o < outputs; o++) {
        double found;
        check_must(norm_2_reduce_merge(&low[o], &high[o]));
        check_must(norm_2_reduce_finish(&low[o], &found));
        assert_true(check_bits(found) == check_bits(norms[o]));
    }
}

UNIT_TEST(test_parts_of_rows_and_columns)
{
    fill();
    for (int e = 0; e < CHECK_EXECS; e++)
        for (unsigned reduced = 1; reduced <= 2; reduced++) {
            check_parts_into(reduced == 1 ? 500 : 60, reduced == 1 ? 60 : 500, reduced, 300,
                             check_execs[e]);
            check_parts_into(700, 50, 1, 128, check_execs[e]);
            check_parts_into(40, 1000, 2, 129, check_execs[e]);
            check_parts_into(5, 3, reduced, 1, check_execs[e]);
        }
}

UNIT_TEST(test_parts_refused)
{
    static stn_partial part, next, other, kept;
    double result = -77.0;
    const stn_view x = check_line(STN_F64, x_values, 1000);
    check_must(total_reduce_part(check_execs[1], STN_F64, 0, &part, &x));
    check_must(total_reduce_part(check_execs[1], STN_F64, 1001, &next, &x));
    check_must(most_reduce_part(check_execs[1], STN_F64, 1000, &other, &x));
    kept = part;
    refused(total_reduce_merge(&part, &next), STN_ERR_SHAPE, "1000", "1001");
    refused(total_reduce_merge(&part, &other), STN_ERR_ARGUMENT,
            "right part belongs to another operation", "");
    refused(total_reduce_merge(NULL, &next), STN_ERR_ARGUMENT, "NULL", "");
    refused(total_reduce_merge(&part, NULL), STN_ERR_ARGUMENT, "NULL", "");
    check_must(total_reduce_part(check_execs[1], STN_F32, 1000, &other, &x));
    refused(total_reduce_merge(&part, &other), STN_ERR_ARGUMENT,
            "the left part is in f64 arithmetic, the right part in f32", "");
    refused(total_reduce_finish(&next, &result), STN_ERR_SHAPE, "total", "1001");
    refused(most_reduce_finish(&part, &result), STN_ERR_ARGUMENT, "most", "operation");
    refused(total_reduce_finish(&part, NULL), STN_ERR_ARGUMENT, "total", "result");
    refused(total_reduce_part(check_execs[1], STN_F64, -1, &part, &x), STN_ERR_ARGUMENT, "-1", "");
    refused(total_reduce_part(check_execs[1], STN_F64, INT64_MAX - 5, &part, &x), STN_ERR_RANGE, "",
            "");
    refused(total_reduce_part(check_execs[1], STN_F64, 0, NULL, &x), STN_ERR_ARGUMENT, "part", "");
    part.blocks = 121;
    refused(total_reduce_finish(&part, &result), STN_ERR_ARGUMENT, "is not a partial result", "");
    part = kept;
    part.tail++;
    refused(total_reduce_merge(&part, &next), STN_ERR_ARGUMENT, "is not a partial result", "");
    part = next = kept;
    part.mark = next.mark ^= UINT64_C(1) << 40;
    next.first = 1000 * 128;
    part.count = 1000;
    refused(total_reduce_merge(&part, &kept), STN_ERR_ARGUMENT,
            "left part belongs to another operation", "");
    memset(&part, 0, sizeof part);
    part.size = sizeof part;
    part.mark = kept.mark ^ UINT64_C(1) << 40;
    next = part;
    refused(total_reduce_merge(&part, &next), STN_ERR_ARGUMENT, "operation", "");
    assert_true(result == -77.0);
}

/* ---- memory ---- */

/* Every allocation fails: there is none. */
UNIT_TEST(test_no_memory)
{
    const int64_t extents[] = {200, 200}, count = 200;
    double out[200], sum;
    static stn_partial part;
    const stn_view x = check_view("x", STN_F64, x_values, 2, extents, NULL);
    const stn_view result = check_view("result", STN_F64, out, 1, &count, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        stn_fail_allocation(1);
        check_must(total_reduce(check_execs[e], STN_F64, &sum, &x));
        check_must(total_reduce_into(check_execs[e], STN_F64, 1, &result, &x));
        check_must(total_reduce_into(check_execs[e], STN_F64, 2, &result, &x));
        check_must(total_reduce_part(check_execs[e], STN_F64, 0, &part, &x));
        check_must(total_reduce_merge(
            &part, &(stn_partial){.size = sizeof part, .mark = part.mark, .first = 40000}));
        check_must(total_reduce_finish(&part, &sum));
        stn_fail_allocation(0);
    }
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
