/* What reductions, scans and partial results refuse: the status, the kernel and the argument in the
 * message, and that nothing is written. */
#define STN_KERNEL_ONE_VERSION
#define STN_KERNEL_CHECKED
#include "make_view.h"
#include "order_oracle.h"
#include "partial_model.h"
#include "reduce_check.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(most, max, (in(x)), x)
STN_REDUCE(nonzeros, count, (in(x)), x != 0)
STN_REDUCE_INTEGER(sum_of_integers, sum, (in(x)), x)
STN_REDUCE(weighed, sum, (at(i, j), index(n), gather(u, 1), in(x)), x * STN_AT(u, i + n))
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(weighed_scan, sum, (at(i, j), index(n), gather(u, 1), in(x)), x * STN_AT(u, i + n))
STN_SCAN_INTEGER(integer_scan, max, (at(i, j), index(n), gather(u, 1), in(x)), x + STN_INDEX_AT(u, i + n))
/* clang-format on */

/* The message contains both texts. */
#define EXPECT_ERROR_2(call, status, text, more)                                                   \
    do {                                                                                           \
        expect_error(call, status, text);                                                          \
        assert_non_null(strstr(stn_error(), more));                                                \
    } while (0)
static const stn_status argument = STN_ERR_ARGUMENT, unsupported = STN_ERR_UNSUPPORTED,
                        shape = STN_ERR_SHAPE, alias = STN_ERR_ALIAS;

enum { ROWS = 20, COLUMNS = 30 };
static double values[ROWS * COLUMNS], row_values[COLUMNS];
static const int64_t extents[] = {ROWS, COLUMNS}, rows = ROWS, columns = COLUMNS, zero = 0;

/* ---- reductions ---- */

UNIT_TEST(test_reductions)
{
    double result = -77.0, out[COLUMNS] = {-77.0};
    int64_t whole = -77;
    const stn_exec *const exec = check_execs[2];
    const stn_view x = check_view("left", STN_F64, values, 2, extents, NULL),
                   y = check_view("right", STN_F64, row_values, 1, &columns, NULL),
                   into = check_view("out", STN_F64, out, 1, &rows, NULL),
                   repeated = check_view("out", STN_F64, out, 1, &rows, &zero), none = {.size = 0};
    stn_view atomic = into, read_only = into, complex_out = into, scaled = into;
    expect_ok(stn_view_set_traits(&atomic, STN_TRAIT_ATOMIC));
    read_only.read_only = 1;
    complex_out.storage = stn_storage_of(STN_C128);
    scaled.storage = stn_storage_of(STN_I64);
    scaled.storage.scale = 2.0;
    expect_error(total_reduce(NULL, STN_F64, &result, &x), argument, "total");
    EXPECT_ERROR_2(total_reduce(exec, STN_F64, NULL, &x), argument, "total", "result is NULL");
    EXPECT_ERROR_2(total_reduce(exec, STN_F64, &result, NULL), argument, "total", "x is NULL");
    EXPECT_ERROR_2(total_reduce(exec, STN_I64, &result, &x), argument, "total", "i64");
    expect_error(sum_of_integers_reduce(exec, STN_F64, &whole, &x), argument, "f64");
    EXPECT_ERROR_2(sum_of_integers_reduce(exec, STN_I64, &whole, &x), unsupported,
                   "kernel sum_of_integers: x", "f64 cannot be used with arithmetic i64");
    EXPECT_ERROR_2(dot_reduce(exec, STN_F64, &result, &x, &into), shape, "dot", "y");
    EXPECT_ERROR_2(total_reduce_over(exec, STN_F64, 1, &rows, &result, &x), shape, "total", "x");
    expect_error(total_reduce_into(exec, STN_F64, 2, NULL, &x), argument, "result is NULL");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 4, &into, &x), argument, "total", "0x4");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 1, &into, &x), shape, "total", "result");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 0, &into, &x), shape, "total", "result");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 3, &into, &x), shape, "total", "result");
    expect_error(dot_reduce_into(exec, STN_F64, 1, &y, &x, &y), alias, "result overlaps y");
    expect_error(total_reduce_into(exec, STN_F64, 2, &none, &x), argument,
                 "kernel total: result is an empty view");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 2, &atomic, &x), unsupported,
                   "kernel total: result: out", "is atomic");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 2, &read_only, &x), argument, "read-only",
                   "out");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 2, &repeated, &x), alias, "repeats", "out");
    EXPECT_ERROR_2(total_reduce_into(exec, STN_F64, 2, &complex_out, &x), unsupported,
                   "kernel total: result", "c128 cannot be used with arithmetic f64");
    EXPECT_ERROR_2(nonzeros_reduce_into(exec, STN_F64, 2, &scaled, &x), unsupported,
                   "kernel nonzeros: result", "scale");
    assert_true(result == -77.0 && out[0] == -77.0 && whole == -77);
}

/* Macros refuse other kinds of parameters when they are compiled: a stencil described by hand. */
UNIT_TEST(test_stencils)
{
    static const stn_parameter stencil[] = {
        {STN_PARAMETER_AT, "i, j", 2, {0}, STN_BOUNDARY_NEAREST, 0, 0},
        {STN_PARAMETER_INDEX, "n", 0, {0}, STN_BOUNDARY_NEAREST, 0, 0},
        {STN_PARAMETER_STENCIL, "u", 1, {1}, STN_BOUNDARY_NEAREST, 0, 0},
        {STN_PARAMETER_IN, "x", 0, {0}, STN_BOUNDARY_NEAREST, 0, 0}};
    static const char text[] =
        "kernel weighed: the kind of parameter u is not available in reductions";
    double result = -1.0, out[ROWS] = {-77.0};
    const stn_view x = check_line(STN_F64, values, ROWS),
                   u = check_view("weights", STN_F64, row_values, 1, &rows, NULL),
                   one = check_view("result", STN_F64, out, 0, NULL, NULL),
                   to = check_view("result", STN_F64, out, 1, &rows, NULL);
    const stn_argument arguments[] = {{.index = 0}, {.view = &u}, {.view = &x}};
    static stn_partial part, before;
    stn_reduction r = weighed_reduction, scan = weighed_scan_reduction;
    r.kernel.parameters = scan.kernel.parameters = stencil;
    memset(&part, 0x55, sizeof part);
    before = part;
    for (int e = 0; e < CHECK_EXECS; e++) {
        const stn_exec *const exec = check_execs[e];
        expect_error(stn_reduce_run(exec, &r, STN_F64, -1, NULL, &result, arguments), unsupported,
                     text);
        expect_error(stn_reduce_into(exec, &r, STN_F64, -1, NULL, 1, &one, arguments), unsupported,
                     text);
        expect_error(stn_reduce_parts(exec, &r, STN_F64, 0, STN_REDUCED_ALL, 0, &part, arguments),
                     unsupported, text);
        expect_error(stn_scan_run(exec, &scan, STN_F64, -1, NULL, 0, -1, &to, NULL, arguments),
                     unsupported,
                     "kernel weighed_scan: the kind of parameter u is not available in reductions");
    }
    assert_true(result == -1.0 && out[0] == -77.0);
    assert_memory_equal(&part, &before, sizeof part);
}

/* ---- scans ---- */

UNIT_TEST(test_scans)
{
    const int64_t n = 50, other = 51, nothing = 0;
    double from[50] = {0}, out[51] = {-77.0};
    const stn_exec *const exec = check_execs[1];
    const stn_view x = check_view("left", STN_F64, from, 1, &n, NULL),
                   to = check_view("right", STN_F64, out, 1, &n, NULL),
                   longer = check_view("right", STN_F64, out, 1, &other, NULL),
                   scalar = check_view("one", STN_F64, from, 0, NULL, NULL),
                   one = check_view("right", STN_F64, out, 0, NULL, NULL),
                   empty = check_view("left", STN_F64, from, 1, &nothing, NULL),
                   to_empty = check_view("right", STN_F64, out, 1, &nothing, NULL);
    stn_view read_only = to;
    read_only.read_only = 1;
    const stn_scan_kind kind = STN_SCAN_INCLUSIVE;
    expect_error(running_scan(NULL, STN_F64, kind, &to, &x), argument, "running");
    expect_error(running_scan(exec, STN_I64, kind, &to, &x), argument, "running");
    expect_error(running_scan(exec, STN_F64, (stn_scan_kind)2, &to, &x), argument, "kind is 2");
    expect_error(running_scan(exec, STN_F64, kind, NULL, &x), argument, "result is NULL");
    expect_error(running_scan(exec, STN_F64, kind, &to, NULL), argument, "x is NULL");
    expect_error(running_scan(exec, STN_F64, kind, &longer, &x), shape, "result");
    expect_error(running_scan(exec, STN_F64, kind, &x, &x), alias, "result overlaps x");
    expect_error(running_scan_dimension(exec, STN_F64, kind, 1, &to, &x), argument, "dimension 1");
    expect_error(running_scan_dimension(exec, STN_F64, kind, -1, &to, &x), argument, "dimension");
    expect_error(running_scan(exec, STN_F64, kind, &one, &scalar), argument, "dimension");
    expect_error(running_scan(exec, STN_F64, kind, &read_only, &x), argument, "read-only");
    expect_ok(running_scan(exec, STN_F64, kind, &to_empty, &empty));
    assert_true(out[0] == -77.0);
}

UNIT_TEST(test_totals_of_scans)
{
    static const int64_t four[] = {4, COLUMNS};
    double out[4 * COLUMNS], totals[4];
    const stn_view x = check_line(STN_F64, row_values, COLUMNS),
                   to = check_view("result", STN_F64, out, 2, four, NULL),
                   ends = check_view("totals", STN_F64, totals, 1, four, NULL),
                   inside = check_view("totals", STN_F64, out, 1, four, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        const stn_exec *const exec = check_execs[e];
        expect_error(running_scan_total(exec, STN_F64, STN_SCAN_INCLUSIVE, 0, &to, &ends, &to),
                     alias, "result overlaps");
        expect_error(running_scan_over(exec, STN_F64, 2, four, 0, 1, &to, &inside, &x), alias,
                     "totals overlaps result");
        expect_error(running_scan_over(exec, STN_F64, 2, four, 0, 0, &to, &ends, &x), shape,
                     "totals must have extents 30");
        expect_error(running_scan_over(exec, STN_F64, 2, four, 0, 2, &to, &ends, &x), argument,
                     "dimension 2 is out of range");
    }
}

UNIT_TEST(test_formats_of_scans)
{
    static stn_c128 complex_out[ROWS * COLUMNS];
    static int64_t integers[ROWS], whole[ROWS * COLUMNS], whole_out[ROWS * COLUMNS];
    const stn_exec *const exec = check_execs[1];
    const stn_scan_kind kind = STN_SCAN_INCLUSIVE;
    const stn_view x = check_view("x", STN_F64, values, 2, extents, NULL),
                   whole_x = check_view("x", STN_I64, whole, 2, extents, NULL),
                   u = check_view("weights", STN_F64, row_values, 1, &rows, NULL),
                   places = check_view("weights", STN_I64, integers, 1, &rows, NULL),
                   to = check_view("result", STN_C128, complex_out, 2, extents, NULL);
    stn_view scaled = check_view("result", STN_I64, whole_out, 2, extents, NULL);
    scaled.storage.scale = 0.5;
    complex_out[0].re = -77.0;
    whole_out[0] = -77;
    expect_error(weighed_scan_scan(exec, STN_F64, kind, &to, 0, &u, &x), unsupported,
                 "kernel weighed_scan: result: result (c128, 20 x 30): format c128 cannot be used "
                 "with arithmetic f64");
    expect_error(weighed_scan_scan(exec, STN_F64, kind, &x, 0, &u, &to), unsupported,
                 "kernel weighed_scan: x: result (c128, 20 x 30): format c128 cannot be used with "
                 "arithmetic f64");
    expect_error(integer_scan_scan(exec, STN_I64, kind, &scaled, 0, &places, &whole_x), unsupported,
                 "kernel integer_scan: result: ");
    assert_true(complex_out[0].re == -77.0 && whole_out[0] == -77);
}

/* ---- parts ---- */

UNIT_TEST(test_parts)
{
    static stn_partial part, next, other, kept, narrow;
    static double x_values[1000];
    const stn_exec *const exec = check_execs[1];
    double result = -77.0;
    const stn_view x = check_line(STN_F64, x_values, 1000);
    expect_ok(total_reduce_part(exec, STN_F64, 0, &part, &x));
    expect_ok(total_reduce_part(exec, STN_F64, 1001, &next, &x));
    expect_ok(most_reduce_part(exec, STN_F64, 1000, &other, &x));
    expect_ok(total_reduce_part(exec, STN_F32, 1000, &narrow, &x));
    kept = part;
    EXPECT_ERROR_2(total_reduce_merge(&part, &next), shape, "1000", "1001");
    expect_error(total_reduce_merge(&part, &part), shape, NULL);
    expect_error(total_reduce_merge(&part, &other), argument,
                 "right part belongs to another operation");
    expect_error(total_reduce_merge(NULL, &next), argument, "NULL");
    expect_error(total_reduce_merge(&part, NULL), argument, "NULL");
    expect_error(total_reduce_merge(&part, &narrow), argument,
                 "the left part is in f64 arithmetic, the right part in f32");
    EXPECT_ERROR_2(total_reduce_finish(&next, &result), shape, "total", "1001");
    EXPECT_ERROR_2(most_reduce_finish(&part, &result), argument, "most", "operation");
    EXPECT_ERROR_2(total_reduce_finish(&part, NULL), argument, "total", "result");
    expect_error(total_reduce_part(exec, STN_F64, -1, &part, &x), argument, "-1");
    expect_error(total_reduce_part(exec, STN_F64, INT64_MAX - 5, &part, &x), STN_ERR_RANGE, NULL);
    expect_error(total_reduce_part(exec, STN_F64, 0, NULL, &x), argument, "part");
    assert_memory_equal(&part, &kept, sizeof part);
    part.blocks = 121;
    expect_error(total_reduce_finish(&part, &result), argument, "is not a partial result");
    part = kept;
    part.tail++;
    expect_error(total_reduce_merge(&part, &next), argument, "is not a partial result");
    part = next = kept;
    part.mark = next.mark ^= UINT64_C(1) << 40;
    next.first = 1000 * 128;
    part.count = 1000;
    expect_error(total_reduce_merge(&part, &kept), argument,
                 "left part belongs to another operation");
    memset(&part, 0, sizeof part);
    part.size = sizeof part;
    part.mark = kept.mark ^ UINT64_C(1) << 40;
    next = part;
    expect_error(total_reduce_merge(&part, &next), argument, "operation");
    assert_true(result == -77.0);
}

/* A partial result followed by bytes that must not change. */
typedef struct painted_part {
    stn_partial part;
    unsigned char after[4096];
} painted_part;

static painted_part left, right;

static void paint(painted_part *painted)
{
    memset(painted->after, 0x5a, sizeof painted->after);
}

static void check_paint(const painted_part *painted)
{
    for (int k = 0; k < COUNT_OF(painted->after); k++)
        if (painted->after[k] != 0x5a)
            fail_msg("byte %d after a part was written", k);
}

/* 118 blocks of 2, 1, 2, 1, ... tiles: two aligned neighbors would be one block. */
UNIT_TEST(invalid_blocks_are_refused)
{
    paint(&left);
    left.part =
        partial_made(&partial_kinds[0], partial_mark(check_execs[0], &partial_kinds[0]), 0, 0);
    left.part.blocks = 118;
    for (int b = 0; b < left.part.blocks; b++) {
        left.part.block_tiles[b] = 2 - b % 2;
        left.part.count += left.part.block_tiles[b] * STN_TILE_ELEMENTS;
    }
    right = left;
    right.part.first = left.part.count;
    expect_error(stn_reduce_merge(partial_kinds[0].reduction, &left.part, &right.part),
                 STN_ERR_ARGUMENT, "left part");
    assert_non_null(strstr(stn_error(), "blocks"));
    check_paint(&left);
}

/* A count is at most the number of elements of its block, a truth value at most 1. */
UNIT_TEST(invalid_conditions_are_refused)
{
    static const struct {
        int kind, in_edge;
        uint64_t value;
        int is_valid;
    } cases[] = {{7, 0, (uint64_t)INT64_MAX - 5, 0},
                 {7, 0, (uint64_t)-3, 0},
                 {7, 0, 257, 0},
                 {7, 0, 256, 1},
                 {7, 1, 2, 0},
                 {7, 1, (uint64_t)-1, 0},
                 {7, 1, 1, 1},
                 {8, 0, 2, 0},
                 {8, 0, 1, 1},
                 {8, 1, 2, 0},
                 {9, 0, 2, 0},
                 {9, 0, 0, 1},
                 {9, 1, 3, 0},
                 {9, 1, 0, 1}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const struct partial_kind *const kind = &partial_kinds[cases[k].kind];
        const uint64_t mark = partial_mark(check_execs[0], kind);
        const stn_status expected = cases[k].is_valid ? STN_OK : STN_ERR_ARGUMENT;
        stn_partial first = partial_made(kind, mark, 0, 260);
        const stn_partial second = partial_made(kind, mark, 260, 260);
        int64_t result = -1;
        *(cases[k].in_edge ? &first.edge[1][3][0] : &first.block[0][0][0]) = cases[k].value;
        expect_error(stn_reduce_finish(kind->reduction, &first, &result), expected, NULL);
        assert_true(cases[k].is_valid == (result != -1));
        expect_error(stn_reduce_merge(kind->reduction, &first, &second), expected,
                     cases[k].is_valid ? NULL : "the left part is not a partial result");
    }
}

/* Random changes, of which test/fuzz/fuzz_partial.c makes more. */
UNIT_TEST(changed_parts_are_merged_or_refused)
{
    uint64_t state = 14;
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[28 + 5 * 4];
        for (int k = 0; k < COUNT_OF(bytes); k++)
            bytes[k] = (uint8_t)(order_next(&state) >> 56);
        paint(&left);
        paint(&right);
        const char *complaint = partial_try(check_execs[0], bytes, 28 + (size_t)(round % 5) * 5,
                                            &left.part, &right.part);
        if (complaint)
            fail_msg("round %d: %s: %s", round, complaint, stn_error());
        check_paint(&left);
        check_paint(&right);
    }
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
