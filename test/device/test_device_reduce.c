/* Reductions and scans on devices give the bits of `reference` where test_reduce_matrix and
 * test_scan_matrix, which run on devices too, have no case: complex numbers, partial results,
 * results in host memory, counters, totals of scans, and shapes that a device divides otherwise. */
#include "core/memory.h"
#include "device.h"
#include "steno/reduce.h"
#include "steno/scan.h"

#define NOTHING ((real_t){3, 4})
/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(where_greatest, argmax, (in(x), in(y)), y - x)
STN_REDUCE(how_many, count, (in(x), in(y)), isless(x, y))
STN_REDUCE(size2, norm2, (in(x)), x)
STN_REDUCE(gathered, sum, (at(i, j), bits(m), in(x), gather(y, 2)),
    x * STN_AT(y, i % STN_EXTENT_OF(y, 0), 0) + (real_t)(m >> 60))
STN_REDUCE_BY(leaning, (in(x)), x * STN_R(0.5), a + STN_R(0.75) * b, sqrt(fabs(a)), STN_R(7))
STN_REDUCE_INTEGER(whole, sum, (index(n), in(x)), x ^ n)
STN_REDUCE_INTEGER(whole_where, argmin, (in(x)), x % 1000)
STN_REDUCE_INTEGER_BY(appended, (in(x)), x, (int64_t)((uint64_t)a * 31 + (uint64_t)b), ~a, 7)
STN_REDUCE_COMPLEX(complex_total, sum, (in(x)), x)
STN_REDUCE_COMPLEX(complex_product, product, (in(x)), x)
STN_REDUCE_COMPLEX(complex_inner, products, (in(x), in(y)), x, y)
STN_REDUCE_COMPLEX(complex_size1, norm1, (in(x)), x)
STN_REDUCE_COMPLEX(complex_size2, norm2, (in(x)), x)
STN_REDUCE_COMPLEX(complex_largest, norm_inf, (in(x)), x)
STN_REDUCE_COMPLEX_BY(complex_last, (in(x)), x, b, a, NOTHING)
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(highest, max, (real(half), in(x)), half * x)
STN_SCAN_BY(decaying, (in(x)), x, a * STN_R(0.75) + b, 5)
STN_SCAN_INTEGER(whole_running, sum, (index(n), in(x)), x ^ n)

enum { VIEWS = 2 };

/* The value of all elements, or, if `value` is NULL, results in a view; and partial results. */
typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, void *value,
                          unsigned reduced, const stn_view *result, const stn_view *v);
typedef stn_status launch_parts(const stn_exec *exec, stn_format arithmetic, int64_t first,
                                unsigned reduced, stn_partial *parts, const stn_view *v);
typedef struct row {
    const char *name;
    launch *run;
    launch_parts *run_parts;
    oracle_class kind, gives;
    int is_2d;
} row;
#define EACH_ROW(ROW)                                                                              \
    ROW(total, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(inner, double, FLOAT, FLOAT, 0, &v[0], &v[1])                                              \
    ROW(where_greatest, int64_t, FLOAT, INTEGER, 0, &v[0], &v[1])                                  \
    ROW(how_many, int64_t, FLOAT, INTEGER, 0, &v[0], &v[1])                                        \
    ROW(size2, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(gathered, double, FLOAT, FLOAT, 1, (uint64_t)7 << 60, &v[0], &v[1])                        \
    ROW(leaning, double, FLOAT, FLOAT, 0, &v[0])                                                   \
    ROW(whole, int64_t, INTEGER, INTEGER, 0, 12345, &v[0])                                         \
    ROW(whole_where, int64_t, INTEGER, INTEGER, 0, &v[0])                                          \
    ROW(appended, int64_t, INTEGER, INTEGER, 0, &v[0])                                             \
    ROW(complex_total, stn_c128, COMPLEX, COMPLEX, 0, &v[0])                                       \
    ROW(complex_product, stn_c128, COMPLEX, COMPLEX, 0, &v[0])                                     \
    ROW(complex_inner, stn_c128, COMPLEX, COMPLEX, 0, &v[0], &v[1])                                \
    ROW(complex_size1, double, COMPLEX, FLOAT, 0, &v[0])                                           \
    ROW(complex_size2, double, COMPLEX, FLOAT, 0, &v[0])                                           \
    ROW(complex_largest, double, COMPLEX, FLOAT, 0, &v[0])                                         \
    ROW(complex_last, stn_c128, COMPLEX, COMPLEX, 0, &v[0])
/* clang-format on */
#define LAUNCH(name, type, kind, gives, is_2d, ...)                                                \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, void *value,         \
                                 unsigned reduced, const stn_view *result, const stn_view *v)      \
    {                                                                                              \
        return value ? name##_reduce(exec, arithmetic, (type *)value, __VA_ARGS__)                 \
                     : name##_reduce_into(exec, arithmetic, reduced, result, __VA_ARGS__);         \
    }                                                                                              \
    static stn_status parts_##name(const stn_exec *exec, stn_format arithmetic, int64_t first,     \
                                   unsigned reduced, stn_partial *parts, const stn_view *v)        \
    {                                                                                              \
        return name##_reduce_parts(exec, arithmetic, first, reduced, parts, __VA_ARGS__);          \
    }
EACH_ROW(LAUNCH)
#define TABLE_ROW(name, type, kind, gives, is_2d, ...)                                             \
    {#name, run_##name, parts_##name, ORACLE_##kind, ORACLE_##gives, is_2d},
static const row rows[] = {EACH_ROW(TABLE_ROW)};
enum { ROWS = COUNT_OF(rows) };

static int rounds(void)
{
    return device_computes() ? oracle_count(1, 1, 40) : 1;
}

/* ---- one case ---- */

typedef struct operands {
    const row *row;
    twins t[VIEWS];
    stn_view here[VIEWS], there[VIEWS];
    stn_format arithmetic;
    int64_t extent[3];
    int rank;
    char what[400];
} operands;

static operands make_operands(const row *r)
{
    static const int64_t lengths[] = {1, 2, 5, 31, 33, 100, 127, 128, 129, 300};
    operands o = {.row = r, .rank = r->is_2d ? 2 : 1 + (int)chance(3)};
    o.arithmetic = any_arithmetic(r->kind);
    int at = snprintf(o.what, sizeof o.what, "%s in %s over", r->name, row_of(o.arithmetic)->name);
    for (int d = 0; d < o.rank; d++) {
        o.extent[d] = lengths[chance(o.rank == 3 ? 5 : 10)];
        at += snprintf(o.what + at, sizeof o.what - (size_t)at, " %d", (int)o.extent[d]);
    }
    for (int v = 0; v < VIEWS; v++) {
        const stn_storage s = any_storage(r->kind, any_format(r->kind));
        int64_t extent[3];
        for (int d = 0; d < o.rank; d++) /* the second view may be broadcast */
            extent[d] = v && chance(4) == 0 ? 1 : o.extent[d];
        o.t[v] = any_twins(s, o.rank, extent);
        if (chance(4))
            tame_twins(&o.t[v]);
        o.here[v] = o.t[v].host_part;
        o.there[v] = o.t[v].device_part;
        at +=
            snprintf(o.what + at, sizeof o.what - (size_t)at, ", %s (scale %g, zero %g, layout %d)",
                     row_of(s.format)->name, s.scale, s.zero, (int)stn_view_layout(&o.here[v]));
    }
    return o;
}

/* Words of a value, with one NaN for all. */
static void expect_result(const operands *o, const double *found, const double *expected)
{
    for (int k = 0; k < 1 + (o->row->gives == ORACLE_COMPLEX) && device_computes(); k++)
        if (memcmp(found + k, expected + k, 8) != 0 &&
            (o->row->gives == ORACLE_INTEGER || found[k] == found[k] || expected[k] == expected[k]))
            fail_msg("%s: %a, on the host %a", o->what, found[k], expected[k]);
}

static void try_value(const operands *o)
{
    double expected[2] = {1, 2}, found[2] = {3, 4};
    const row *const r = o->row;
    const stn_status on_host = r->run(host_exec, o->arithmetic, expected, 0, NULL, o->here);
    expect_both(o->what, on_host, r->run(device_exec, o->arithmetic, found, 0, NULL, o->there));
    if (on_host == STN_OK)
        expect_result(o, found, expected);
}

static int kept_of(const operands *o, unsigned reduced, int64_t *extent)
{
    int rank = 0;
    for (int d = 0; d < o->rank; d++)
        if (!(reduced >> d & 1))
            extent[rank++] = o->extent[d];
    return rank;
}

/* Into a view on the device, or into one of the host, which is copied there to be compared. */
static void try_into(operands *o, unsigned reduced, int is_host)
{
    const row *const r = o->row;
    const stn_storage s = any_target(r->gives);
    const size_t end = strlen(o->what);
    int64_t extent[3];
    const int rank = kept_of(o, reduced, extent);
    twins t = is_host ? make_twins(s, NULL, rank, extent) : any_twins(s, rank, extent);
    stn_view to = t.device_part;
    count_some(&t, 0);
    if (is_host)
        expect_ok(stn_view_mirror(device_exec, &to, &t.device, STN_SPACE_HOST));
    to.storage.counters = t.device_part.storage.counters;
    snprintf(o->what + end, sizeof o->what - end, " into %s (scale %g, rounding %d) over 0x%x",
             row_of(s.format)->name, s.scale, (int)s.rounding, reduced);
    const stn_status on_host =
        r->run(host_exec, o->arithmetic, NULL, reduced, &t.host_part, o->here);
    expect_both(o->what, on_host, r->run(device_exec, o->arithmetic, NULL, reduced, &to, o->there));
    if (is_host && on_host == STN_OK)
        expect_ok(stn_view_copy(device_exec, &t.device, &to));
    if (!is_host || on_host == STN_OK)
        expect_numbers(&t, o->what);
    expect_counts(0, o->what);
    if (is_host)
        expect_ok(stn_view_release(&to));
    release_twins(&t);
}

/* NaN are compared by their presence only: bytes of a part are numbers. */
static int is_same_part(const operands *o, const stn_partial *a, const stn_partial *b)
{
    const int is_narrow = o->arithmetic == STN_F32 || o->arithmetic == STN_C64;
    for (size_t k = 0; k < sizeof *a; k += 4) {
        uint32_t x, y;
        double wide_x, wide_y;
        memcpy(&x, (const char *)a + k, 4);
        memcpy(&y, (const char *)b + k, 4);
        memcpy(&wide_x, (const char *)a + k / 8 * 8, 8);
        memcpy(&wide_y, (const char *)b + k / 8 * 8, 8);
        const int are_nan = is_narrow
                                ? (x & 0x7fffffffu) > 0x7f800000u && (y & 0x7fffffffu) > 0x7f800000u
                                : wide_x != wide_x && wide_y != wide_y;
        if (x != y && (!are_nan || o->row->kind == ORACLE_INTEGER))
            return 0;
    }
    return 1;
}

static void try_parts(const operands *o, unsigned reduced)
{
    static const int64_t firsts[] = {0, 1, 127, 128, 12345, 1 << 20};
    int64_t extent[3], count = 1;
    const int rank = kept_of(o, reduced, extent);
    for (int d = 0; d < rank; d++)
        count *= extent[d];
    stn_partial *const parts = test_calloc((size_t)(2 * count), sizeof *parts);
    const int64_t first = firsts[chance(6)];
    const stn_status on_host =
        o->row->run_parts(host_exec, o->arithmetic, first, reduced, parts, o->here);
    expect_both(
        o->what, on_host,
        o->row->run_parts(device_exec, o->arithmetic, first, reduced, parts + count, o->there));
    for (int64_t k = 0; k < count && device_computes(); k++)
        if (!is_same_part(o, &parts[k], &parts[count + k]))
            fail_msg("%s: part %d from %d on differs", o->what, (int)k, (int)first);
    test_free(parts);
}

TEST_CASE(reductions_give_the_bits_of_the_host)
{
    for (int k = 0; k < rounds() * ROWS; k++) {
        const int is_turn = k % (2 * (oracle_quick() ? oracle_quick() : 1)) == 0;
        if (!device_has_turn(k) || (!oracle_full() && device_computes() && !is_turn &&
                                    (oracle_quick() || rows[k % ROWS].kind != ORACLE_COMPLEX)))
            continue;
        operands o = make_operands(&rows[k % ROWS]);
        const unsigned reduced = 1 + (unsigned)chance((1u << o.rank) - 1);
        const int way = (int)chance(4);
        if (way == 0)
            try_value(&o);
        else if (way == 3)
            try_parts(&o, reduced);
        else
            try_into(&o, reduced, way == 1);
        for (int v = 0; v < VIEWS; v++)
            release_twins(&o.t[v]);
    }
}

/* ---- scans, with totals ---- */

static stn_status run_scan(int scan, const stn_exec *exec, stn_format arithmetic,
                           stn_scan_kind exclusive, int dimension, const stn_view *to,
                           const stn_view *totals, const stn_view *x)
{
    return scan == 0 ? running_scan_total(exec, arithmetic, exclusive, dimension, to, totals, x)
           : scan == 1
               ? highest_scan_total(exec, arithmetic, exclusive, dimension, to, totals, 0.7, x)
           : scan == 2 ? decaying_scan_total(exec, arithmetic, exclusive, dimension, to, totals, x)
                       : whole_running_scan_total(exec, arithmetic, exclusive, dimension, to,
                                                  totals, 12345, x);
}

static void try_scan(int scan, twins x, twins to, twins totals, stn_format arithmetic,
                     int dimension)
{
    char what[200];
    const stn_scan_kind exclusive = (stn_scan_kind)chance(2);
    snprintf(what, sizeof what, "scan %d in %s along %d of %d, exclusive %d: %s to %s, totals %s",
             scan, row_of(arithmetic)->name, dimension, x.host_part.rank, (int)exclusive,
             row_of(x.host.storage.format)->name, row_of(to.host.storage.format)->name,
             row_of(totals.host.storage.format)->name);
    count_some(&to, 0);
    count_some(&totals, 1);
    expect_both(what,
                run_scan(scan, host_exec, arithmetic, exclusive, dimension, &to.host_part,
                         &totals.host_part, &x.host_part),
                run_scan(scan, device_exec, arithmetic, exclusive, dimension, &to.device_part,
                         &totals.device_part, &x.device_part));
    expect_numbers(&to, what);
    expect_numbers(&totals, what);
    expect_counts(0, what);
    expect_counts(1, what);
    release_twins(&x);
    release_twins(&to);
    release_twins(&totals);
}

TEST_CASE(scans_give_the_bits_of_the_host)
{
    for (int k = 0; k < 4 * rounds(); k++) {
        const oracle_class kind = k % 4 == 3 ? ORACLE_INTEGER : ORACLE_FLOAT;
        int64_t extent[3], rest[3];
        const int rank = 1 + (int)chance(3), dimension = (int)chance((uint64_t)rank);
        if (!device_has_turn(k))
            continue;
        for (int d = 0, n = 0; d < rank; d++) {
            extent[d] = 1 + (int64_t)chance(d == dimension ? 300 : 40);
            if (d != dimension)
                rest[n++] = extent[d];
        }
        twins x = any_twins(any_storage(kind, any_format(kind)), rank, extent);
        tame_twins(&x);
        try_scan(k % 4, x, any_twins(any_target(kind), rank, extent),
                 any_twins(any_target(kind), rank - 1, rest), any_arithmetic(kind), dimension);
    }
}

/* One text for lines along each dimension, of an operation that depends on left and right. */
TEST_CASE(scans_take_all_shapes)
{
    static const int64_t shapes[][2] = {{1, 1},       {3, 127},    {2, 128},  {2, 129}, {5, 257},
                                        {1, 1000003}, {100001, 2}, {300, 40}, {0, 5},   {5, 0}};
    const stn_storage f32 = stn_storage_of(STN_F32);
    for (int k = 0; k < 2 * COUNT_OF(shapes); k++) {
        const int64_t *const shape = shapes[k / 2];
        twins x = make_twins(f32, NULL, 2, shape);
        tame_twins(&x);
        try_scan(2, x, make_twins(f32, NULL, 2, shape), make_twins(f32, NULL, 1, &shape[1 - k % 2]),
                 STN_F32, k % 2);
    }
}

/* ---- sizes and shapes, one text for all ---- */

static void try_size(stn_format format, const int64_t *whole, int64_t columns)
{
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_range(0, columns)};
    twins x = make_twins(stn_storage_of(format), NULL, 2, whole);
    double expected, found;
    char what[80];
    tame_twins(&x);
    slice_twins(&x, slices);
    for (int d = 0; d < 2; d++) {
        twins to = make_twins(stn_storage_of(STN_F64), NULL, 1, &x.host_part.extent[1 - d]);
        snprintf(what, sizeof what, "%d x %d of %s, dimension %d", (int)whole[0], (int)columns,
                 row_of(format)->name, d);
        expect_ok(
            inner_reduce_into(host_exec, STN_F64, 1u << d, &to.host, &x.host_part, &x.host_part));
        expect_ok(inner_reduce_into(device_exec, STN_F64, 1u << d, &to.device, &x.device_part,
                                    &x.device_part));
        expect_numbers(&to, what);
        release_twins(&to);
    }
    expect_ok(inner_reduce(host_exec, STN_F64, &expected, &x.host_part, &x.host_part));
    expect_ok(inner_reduce(device_exec, STN_F64, &found, &x.device_part, &x.device_part));
    assert_true(expected == found || (expected != expected && found != found));
    release_twins(&x);
}

/* Contiguous rows, and rows that begin at multiples of 64 elements, of which several are one access
 * and the last ones fewer. */
TEST_CASE(takes_all_shapes)
{
    static const stn_format formats[] = {STN_F64, STN_F16, STN_E4M3, STN_F32, STN_I8};
    static const int64_t contiguous[][2] = {{20000, 5}, {3, 50001},  {1000, 257},        {130, 3},
                                            {0, 7},     {7, 0},      {129, 128},         {1, 4095},
                                            {1, 4096},  {1, 300000}, {1, (1 << 20) + 77}};
    static const int64_t padded[][2] = {{37, 1000}, {700, 1007}, {129, 6}, {1, 67}, {40000, 17}};
    for (int k = 0; k < COUNT_OF(contiguous); k++)
        try_size(STN_F32, contiguous[k], contiguous[k][1]);
    for (int k = 0; k < oracle_count(2, 3, 5); k++)
        for (int n = 0; n < 5; n++)
            try_size(formats[k], (int64_t[]){padded[n][0], (padded[n][1] + 64) / 64 * 64},
                     padded[n][1]);
}

/* An operation of the program's, which depends on left and right: of each column, and of all
 * elements. What does not fit is counted. */
TEST_CASE(finishes_columns)
{
    static const int64_t extents[2] = {5000, 40};
    stn_storage narrow = stn_storage_of(STN_E5M2);
    double expected, found;
    narrow.scale = 0x1p-60;
    twins x = make_twins(stn_storage_of(STN_F32), NULL, 2, extents);
    twins to = make_twins(stn_storage_of(STN_F64), NULL, 1, &extents[1]);
    twins counted = make_twins(narrow, NULL, 1, &extents[1]);
    tame_twins(&x);
    count_always(&counted, 0);
    expect_ok(leaning_reduce_into(host_exec, STN_F64, 1, &to.host, &x.host));
    expect_ok(leaning_reduce_into(device_exec, STN_F64, 1, &to.device, &x.device));
    expect_same(&to, "an operation of the program's, for each column");
    expect_ok(leaning_reduce(host_exec, STN_F64, &expected, &x.host));
    expect_ok(leaning_reduce(device_exec, STN_F64, &found, &x.device));
    assert_memory_equal(&expected, &found, sizeof found);
    expect_ok(total_reduce_into(host_exec, STN_F32, 1, &counted.host_part, &x.host));
    expect_ok(total_reduce_into(device_exec, STN_F32, 1, &counted.device_part, &x.device));
    expect_same(&counted, "columns");
    expect_counts(0, "columns");
    assert_int_equal(device_counters(0)->saturated, 40);
    release_twins(&x);
    release_twins(&to);
    release_twins(&counted);
}

/* More blocks of a row than a group of threads has, into device memory. */
TEST_CASE(finishes_rows)
{
    static const int64_t extents[2] = {2, 600001};
    twins x = make_twins(stn_storage_of(STN_E4M3), NULL, 2, extents);
    twins to = make_twins(stn_storage_of(STN_F64), NULL, 1, extents);
    tame_twins(&x);
    expect_ok(leaning_reduce_into(host_exec, STN_F64, 2, &to.host, &x.host));
    expect_ok(leaning_reduce_into(device_exec, STN_F64, 2, &to.device, &x.device));
    expect_same(&to, "an operation of the program's, for each row");
    release_twins(&x);
    release_twins(&to);
}

/* Norms whose squares are out of range, also of lines and into host memory. */
TEST_CASE(takes_norms_of_any_size)
{
    static const int64_t extents[2] = {4, 500};
    static const double sizes[4] = {1e300, 1e-300, 1.0, 0.0};
    twins x = make_twins(f64(), NULL, 2, extents), to = make_twins(f64(), NULL, 1, extents);
    stn_view on_host;
    for (int k = 0; k < 2000; k++)
        ((double *)x.host.data)[k] = sizes[k / 500] * (1.0 + (double)chance(1000) / 997.0);
    send_twins(&x);
    expect_ok(stn_view_mirror(device_exec, &on_host, &to.device, STN_SPACE_HOST));
    expect_ok(size2_reduce_into(host_exec, STN_F64, 2, &to.host, &x.host));
    expect_ok(size2_reduce_into(device_exec, STN_F64, 2, &to.device, &x.device));
    expect_same(&to, "norms on the device");
    expect_ok(size2_reduce_into(device_exec, STN_F64, 2, &on_host, &x.device));
    assert_memory_equal(on_host.data, to.host.data, 32);
    for (int k = 0; k < 4; k++) {
        const stn_slice slices[] = {stn_slice_index(k), stn_slice_all()};
        const stn_view line = slice_view(&x.device, 2, slices);
        const double expected = ((double *)to.host.data)[k];
        double found;
        expect_ok(size2_reduce(device_exec, STN_F64, &found, &line));
        assert_true(expected == found && expected < 1e305 && (k == 3 || expected > 1e-305));
    }
    expect_ok(stn_view_release(&on_host));
    release_twins(&to);
    release_twins(&x);
}

/* A norm of three parts, one of them of the host's. */
TEST_CASE(merges_parts)
{
    static const int64_t count = 300000, cuts[4] = {0, 100001, 140000, 300000};
    twins x = make_twins(stn_storage_of(STN_F32), NULL, 1, &count);
    stn_partial parts[3];
    double expected, found;
    tame_twins(&x);
    for (int k = 0; k < 3; k++) {
        const stn_slice slice = stn_slice_range(cuts[k], cuts[k + 1]);
        slice_twins(&x, &slice);
        expect_ok(size2_reduce_part(k == 1 ? host_exec : device_exec, STN_F32, cuts[k], &parts[k],
                                    k == 1 ? &x.host_part : &x.device_part));
    }
    expect_ok(size2_reduce_merge(&parts[1], &parts[2]));
    expect_ok(size2_reduce_merge(&parts[0], &parts[1]));
    expect_ok(size2_reduce_finish(&parts[0], &found));
    expect_ok(size2_reduce(host_exec, STN_F32, &expected, &x.host));
    assert_memory_equal(&expected, &found, sizeof found);
    release_twins(&x);
}

/* ---- every allocation that fails ---- */

TEST_CASE(survives_without_memory)
{
    static const int64_t extents[2] = {40000, 3};
    twins x = make_twins(stn_storage_of(STN_F16), NULL, 2, extents);
    twins sums = make_twins(stn_storage_of(STN_F32), NULL, 1, &extents[1]);
    double value = 0;
    expect_ok(stn_view_fill(device_exec, &x.device, 0x1p-14));
    for (int64_t nth = 1;; nth++) {
        stn_fail_allocation(nth);
        stn_status status = total_reduce_into(device_exec, STN_F32, 1, &sums.device, &x.device);
        if (status == STN_OK)
            status = size2_reduce(device_exec, STN_F64, &value, &x.device);
        stn_fail_allocation(0);
        if (status == STN_OK && nth > 3)
            break;
        if (status != STN_ERR_MEMORY)
            fail_msg("allocation %d: %s, %s", (int)nth, stn_status_name(status), stn_error());
    }
    assert_true(value > 0.02 && value < 0.03);
    release_twins(&x);
    release_twins(&sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reductions_give_the_bits_of_the_host),
                                       cmocka_unit_test(scans_give_the_bits_of_the_host),
                                       cmocka_unit_test(survives_without_memory),
                                       cmocka_unit_test(scans_take_all_shapes),
                                       cmocka_unit_test(takes_all_shapes),
                                       cmocka_unit_test(finishes_columns),
                                       cmocka_unit_test(finishes_rows),
                                       cmocka_unit_test(takes_norms_of_any_size),
                                       cmocka_unit_test(merges_parts)};
    return device_main(tests, COUNT_OF(tests), 2);
}
