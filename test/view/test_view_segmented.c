/* Segmented views: every value is exact at full depth and rounded at others, and operations have
 * the bits that views of the same values in memory have. */
#include "check.h"

#include <math.h>

#include "make_view.h"
#include "steno/array_functions.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/codec.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/scan.h"

enum { N = 23, M = 301, COUNT = N * M };
static const double PI = 3.14159265358979323846;

static const char *const resources[] = {"reference", "threads:threads=1", "threads:threads=3"};
enum { EXECS = 3 };
static stn_exec *execs[EXECS];

static int create_execs(void **state)
{
    (void)state;
    for (int e = 0; e < EXECS; e++)
        if (stn_exec_create(&execs[e], resources[e]) != STN_OK)
            return -1;
    return 0;
}

static int release_execs(void **state)
{
    (void)state;
    for (int e = 0; e < EXECS; e++)
        stn_exec_release(execs[e]);
    return 0;
}

static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* ---- a model of the rounding ---- */

static int is_nan(uint64_t bits)
{
    return bits << 1 > UINT64_C(0xffe0000000000000);
}

/* The magnitude, rounded to a multiple of 2^low; ties away from zero. */
static uint64_t rounded(uint64_t bits, int low)
{
    const uint64_t sign = bits >> 63 << 63, half = UINT64_C(1) << (low - 1);
    return sign | (((bits ^ sign) + half) >> low << low);
}

static uint64_t expected_bits(uint64_t bits, int planes)
{
    if (is_nan(bits))
        return (bits >> 32 << 32) | UINT64_C(1) << 51;
    if (planes == 3)
        return bits;
    return planes == 2 ? rounded(bits, 16) : rounded(rounded(bits, 16), 32);
}

/* Boundaries of each plane, with both signs: zero, subnormal and largest values, infinities, NaN.
 */
static int64_t fill_special(uint64_t *bits)
{
    static const uint64_t upper[] = {0,          1,          0x000fffff, 0x00100000, 0x3ff00000,
                                     0x3fffffff, 0x7fefffff, 0x7ff00000, 0x7ff00001, 0x7fffffff};
    static const uint64_t parts[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    int64_t count = 0;
    for (uint64_t sign = 0; sign < 2; sign++)
        for (int u = 0; u < COUNT_OF(upper); u++)
            for (int m = 0; m < COUNT_OF(parts); m++)
                for (int l = 0; l < COUNT_OF(parts); l++)
                    bits[count++] = sign << 63 | upper[u] << 32 | parts[m] << 16 | parts[l];
    return count;
}

static void check_values(const stn_exec *exec, uint64_t *bits, int64_t count)
{
    uint64_t *const found = malloc((size_t)count * sizeof *found);
    assert_non_null(found);
    stn_view segmented, part;
    const stn_view from = wrap_view("from", f64(), bits, 1, &count);
    const stn_view to = wrap_view("to", f64(), found, 1, &count);
    expect_ok(stn_view_create_segmented(exec, &segmented, "segmented", 1, &count));
    expect_ok(stn_view_copy(exec, &segmented, &from));
    for (int planes = 3; planes >= 1; planes--) {
        expect_ok(stn_view_planes(&part, &segmented, planes));
        assert_int_equal(stn_view_plane_count(&part), planes);
        memset(found, 0, (size_t)count * sizeof *found);
        expect_ok(stn_view_copy(exec, &to, &part));
        for (int64_t k = 0; k < count; k++)
            if (found[k] != expected_bits(bits[k], planes))
                fail_msg("%d planes of %016llx are %016llx", planes, (unsigned long long)bits[k],
                         (unsigned long long)found[k]);
        expect_ok(stn_view_release(&part));
    }
    expect_ok(stn_view_release(&segmented));
    free(found);
}

UNIT_TEST(boundaries_of_planes_are_exact_or_rounded)
{
    static uint64_t bits[1000];
    const int64_t count = fill_special(bits);
    for (int e = 0; e < EXECS; e++)
        check_values(execs[e], bits, count);
}

UNIT_TEST(random_bits_are_exact_or_rounded)
{
    enum { RANDOM = 20000 };
    static uint64_t bits[RANDOM];
    uint64_t state = 1;
    for (int k = 0; k < RANDOM; k++)
        bits[k] = next(&state);
    check_values(execs[2], bits, RANDOM);
}

UNIT_TEST(rounded_values_are_within_the_bounds)
{
    uint64_t state = 2;
    for (int k = 0; k < 2000; k++) {
        const double value = ldexp(1.0 + (double)(next(&state) >> 12) * 0x1p-52, k % 600 - 300);
        const double two = stn_f64_of_bits(expected_bits(stn_bits_of_f64(value), 2));
        const double one = stn_f64_of_bits(expected_bits(stn_bits_of_f64(value), 1));
        assert_true(fabs(two - value) <= 0x1p-37 * value);
        assert_true(fabs(one - value) <= (0x1p-21 + 0x1p-37) * value);
    }
}

/* ---- the layout of the planes ---- */

UNIT_TEST(wrapped_memory_has_the_documented_planes)
{
    static uint64_t bits[720];
    const int64_t count = fill_special(bits), extents[] = {count / 8, 8};
    uint64_t *const memory = calloc((size_t)count, sizeof *memory);
    assert_non_null(memory);
    stn_view planes;
    const stn_view from = wrap_view("from", f64(), bits, 2, extents);
    expect_ok(stn_view_wrap_segmented(&planes, "planes", memory, 2, extents));
    expect_ok(stn_view_copy(execs[1], &planes, &from));
    const uint32_t *const upper = (const uint32_t *)(const void *)memory;
    const int16_t *const middle = (const int16_t *)(const void *)(upper + count);
    const int16_t *const lower = middle + count;
    for (int64_t k = 0; k < count; k++) {
        const uint64_t sum = ((uint64_t)upper[k] << 32) + ((uint64_t)(int64_t)middle[k] << 16) +
                             (uint64_t)(int64_t)lower[k];
        assert_true(sum == expected_bits(bits[k], 3));
    }
    expect_ok(stn_view_release(&planes));
    free(memory);
}

/* ---- operations ---- */

STN_MAP(saxpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(cross, (at(i, j), stencil(u, nearest, 1, 2), out(v)),
        v = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) - STN_AT(u, i, j - 2);)
STN_SCAN(running, sum, (in(x)), x)

typedef struct pair {
    stn_view segmented, full, plain; /* full: all planes, of which segmented reads some */
    double *values;                  /* of the plain view */
} pair;

/* The same values, segmented and in memory. */
static pair create_pair(int planes, int rank, const int64_t *extents, uint64_t seed)
{
    pair p;
    int64_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= extents[d];
    p.values = malloc((size_t)count * sizeof *p.values);
    assert_non_null(p.values);
    for (int64_t k = 0; k < count; k++)
        p.values[k] = (double)(int64_t)next(&seed) * 0x1p-62;
    p.plain = wrap_view("plain", f64(), p.values, rank, extents);
    expect_ok(stn_view_create_segmented(NULL, &p.full, "segmented", rank, extents));
    expect_ok(stn_view_copy(NULL, &p.full, &p.plain));
    expect_ok(stn_view_planes(&p.segmented, &p.full, planes));
    expect_ok(stn_view_copy(NULL, &p.plain, &p.segmented));
    return p;
}

static void release_pair(pair *p)
{
    expect_ok(stn_view_release(&p->segmented));
    expect_ok(stn_view_release(&p->full));
    free(p->values);
}

#define FOR_EACH_DEPTH(e, planes)                                                                  \
    for (int e = 0; e < EXECS; e++)                                                                \
        for (int planes = 1; planes <= 3; planes++)

UNIT_TEST(reductions_and_products_have_the_bits_of_memory)
{
    const int64_t n = COUNT, extents[] = {N, M};
    FOR_EACH_DEPTH(e, planes)
    {
        pair x = create_pair(planes, 1, &n, 3), y = create_pair(2, 1, &n, 4);
        pair a = create_pair(planes, 2, extents, 5);
        for (int arithmetic = STN_F64; arithmetic <= STN_F32; arithmetic++) {
            double found, expected;
            expect_ok(stn_dot(execs[e], arithmetic, &found, &x.segmented, &y.segmented));
            expect_ok(stn_dot(execs[e], arithmetic, &expected, &x.plain, &y.plain));
            assert_true(found == expected);
            expect_ok(stn_dot(execs[e], arithmetic, &found, &x.segmented, &y.plain));
            assert_true(found == expected);
            expect_ok(stn_dot(execs[e], arithmetic, &found, &x.plain, &y.segmented));
            assert_true(found == expected);
            expect_ok(stn_dot(execs[e], arithmetic, &found, &x.segmented, &x.segmented));
            expect_ok(stn_dot(execs[e], arithmetic, &expected, &x.plain, &x.plain));
            assert_true(found == expected);
            expect_ok(stn_sum(execs[e], arithmetic, &found, &a.segmented));
            expect_ok(stn_sum(execs[e], arithmetic, &expected, &a.plain));
            assert_true(found == expected);
            expect_ok(stn_nrm2(execs[e], arithmetic, &found, &x.segmented));
            expect_ok(stn_nrm2(execs[e], arithmetic, &expected, &x.plain));
            assert_true(found == expected);
        }
        release_pair(&x);
        release_pair(&y);
        release_pair(&a);
    }
}

/* The matrix, its transpose, and a part whose rows are not adjacent. */
UNIT_TEST(gemv_has_the_bits_of_memory)
{
    const int64_t extents[] = {N, M};
    const stn_slice inner[] = {stn_slice_range(2, N - 3), stn_slice_strided(5, 140, 2)};
    const int order[] = {1, 0};
    FOR_EACH_DEPTH(e, planes)
    {
        pair a = create_pair(planes, 2, extents, 6);
        for (int shape = 0; shape < 3; shape++) {
            stn_view s = a.segmented, p = a.plain;
            if (shape == 2) {
                s = slice_view(&a.segmented, 2, inner);
                p = slice_view(&a.plain, 2, inner);
            } else if (shape == 1) {
                expect_ok(stn_view_permute(&s, &a.segmented, 2, order));
                expect_ok(stn_view_permute(&p, &a.plain, 2, order));
            }
            pair x = create_pair(planes, 1, &p.extent[1], 7);
            pair y = create_pair(3, 1, &p.extent[0], 8);
            double found[M], expected[M];
            const stn_view copy = wrap_view("copy", f64(), found, 1, p.extent);
            const stn_view other = wrap_view("other", f64(), expected, 1, p.extent);
            for (int arithmetic = STN_F64; arithmetic <= STN_F32; arithmetic++) {
                expect_ok(
                    stn_gemv(execs[e], arithmetic, 0.7, &s, &x.segmented, -0.3, &y.segmented));
                expect_ok(stn_gemv(execs[e], arithmetic, 0.7, &p, &x.plain, -0.3, &y.plain));
                expect_ok(stn_view_copy(NULL, &copy, &y.segmented));
                assert_memory_equal(found, y.values, (size_t)p.extent[0] * sizeof *found);
                expect_ok(stn_gemv(execs[e], arithmetic, 0.7, &s, &x.plain, 0.0, &copy));
                expect_ok(stn_gemv(execs[e], arithmetic, 0.7, &p, &x.plain, 0.0, &other));
                assert_memory_equal(found, expected, (size_t)p.extent[0] * sizeof *found);
            }
            release_pair(&x);
            release_pair(&y);
        }
        release_pair(&a);
    }
}

static void expect_same(const stn_view *segmented, const stn_view *plain)
{
    static double found[COUNT];
    const stn_view copy = wrap_view("copy", f64(), found, plain->rank, plain->extent);
    expect_ok(stn_view_copy(NULL, &copy, segmented));
    assert_memory_equal(found, plain->data, (size_t)stn_view_count(plain) * sizeof *found);
}

UNIT_TEST(kernels_and_scans_have_the_bits_of_memory)
{
    const int64_t extents[] = {N, M};
    FOR_EACH_DEPTH(e, planes)
    {
        pair x = create_pair(planes, 2, extents, 9), y = create_pair(3, 2, extents, 10);
        expect_ok(saxpy_run(execs[e], STN_F64, 0.3, &x.segmented, &y.segmented));
        expect_ok(saxpy_run(execs[e], STN_F64, 0.3, &x.plain, &y.plain));
        expect_same(&y.segmented, &y.plain);
        expect_ok(cross_run(execs[e], STN_F64, &x.segmented, &y.segmented));
        expect_ok(cross_run(execs[e], STN_F64, &x.plain, &y.plain));
        expect_same(&y.segmented, &y.plain);
        expect_ok(running_scan_dimension(execs[e], STN_F64, STN_SCAN_INCLUSIVE, 1, &y.segmented,
                                         &x.segmented));
        expect_ok(
            running_scan_dimension(execs[e], STN_F64, STN_SCAN_INCLUSIVE, 1, &y.plain, &x.plain));
        expect_same(&y.segmented, &y.plain);
        release_pair(&x);
        release_pair(&y);
    }
}

UNIT_TEST(copies_convert_parts_and_scales)
{
    static float found[N * M], expected[N * M];
    const int64_t extents[] = {N, M};
    const stn_slice slices[] = {stn_slice_strided(N - 1, 7, -3), stn_slice_strided(4, 90, 3)};
    FOR_EACH_DEPTH(e, planes)
    {
        pair a = create_pair(planes, 2, extents, 11);
        const stn_storage f32 = stn_storage_of(STN_F32);
        stn_view s = slice_view(&a.segmented, 2, slices), p = slice_view(&a.plain, 2, slices);
        const stn_view one = wrap_view("one", f32, found, 2, s.extent);
        const stn_view other = wrap_view("other", f32, expected, 2, s.extent);
        s.storage.scale = p.storage.scale = 0.3;
        expect_ok(stn_view_copy(execs[e], &one, &s));
        expect_ok(stn_view_copy(execs[e], &other, &p));
        assert_memory_equal(found, expected, (size_t)stn_view_count(&s) * sizeof *found);
        release_pair(&a);
    }
}

UNIT_TEST(elements_are_read_and_written)
{
    const int64_t extents[] = {N, M};
    pair a = create_pair(1, 2, extents, 12);
    expect_ok(STN_VIEW_SET(&a.full, PI, 3, 4));
    assert_true(VALUE_AT(&a.full, 3, 4) == PI);
    assert_true(VALUE_AT(&a.segmented, 3, 4) ==
                stn_f64_of_bits(expected_bits(stn_bits_of_f64(PI), 1)));
    assert_true(VALUE_AT(&a.full, 3, 5) != PI);
    release_pair(&a);
}

/* ---- handles and errors ---- */

UNIT_TEST(depths_share_the_elements_and_their_memory)
{
    const int64_t n = 100;
    stn_view full, coarse, deep;
    expect_ok(stn_view_create_segmented(execs[1], &full, "x", 1, &n));
    expect_ok(stn_view_planes(&coarse, &full, 1));
    assert_int_equal(stn_view_use_count(&full), 2);
    assert_int_equal(coarse.read_only, 1);
    assert_int_equal(full.read_only, 0);
    assert_int_equal(stn_view_equal(&coarse, &full), 0);
    expect_ok(stn_view_fill(execs[1], &full, 0.75));
    expect_ok(stn_view_release(&full));
    assert_true(VALUE_AT(&coarse, 99) == 0.75);
    expect_ok(stn_view_planes(&deep, &coarse, 3));
    expect_error(stn_view_fill(execs[1], &deep, 1.0), STN_ERR_ARGUMENT, "read-only");
    expect_ok(stn_view_planes(&coarse, &coarse, 2)); /* in place */
    assert_int_equal(stn_view_plane_count(&coarse), 2);
    assert_int_equal(stn_view_use_count(&coarse), 2);
    expect_ok(stn_view_release(&coarse));
    expect_ok(stn_view_release(&deep));
}

UNIT_TEST(overlaps_of_depths_are_found)
{
    const int64_t extents[] = {N, N};
    pair a = create_pair(1, 2, extents, 13);
    const stn_slice row[] = {stn_slice_index(2), stn_slice_all()};
    const stn_slice other[] = {stn_slice_index(3), stn_slice_all()};
    const stn_view x = slice_view(&a.segmented, 2, row), y = slice_view(&a.full, 2, row);
    const stn_view z = slice_view(&a.full, 2, other);
    expect_error(stn_axpy(execs[1], STN_F64, 2.0, &x, &y), STN_ERR_ALIAS, "");
    expect_ok(stn_axpy(execs[1], STN_F64, 2.0, &x, &z));
    release_pair(&a);
}

UNIT_TEST(empty_views_are_supported)
{
    const int64_t none[][2] = {{0, 5}, {5, 0}};
    for (int k = 0; k < 2; k++) {
        stn_view view, coarse;
        double sum = 1.0;
        expect_ok(stn_view_create_segmented(execs[1], &view, "none", 2, none[k]));
        expect_ok(stn_view_planes(&coarse, &view, 1));
        expect_ok(stn_sum(execs[1], STN_F64, &sum, &coarse));
        assert_true(sum == 0.0);
        double products[25] = {1.0};
        const int64_t square[] = {none[k][0], none[k][0]};
        const stn_view product = wrap_view("product", f64(), products, 2, square);
        stn_view turned;
        expect_ok(stn_view_permute(&turned, &coarse, 2, (const int[]){1, 0}));
        expect_ok(stn_gemm(execs[1], STN_F64, 1.0, &coarse, &turned, 0.0, &product));
        assert_true(products[0] == (k == 0));
        expect_ok(stn_view_release(&coarse));
        expect_ok(stn_view_release(&view));
    }
}

UNIT_TEST(invalid_arguments_are_refused)
{
    const int64_t n = 10, negative = -1;
    double memory[11];
    stn_view view, part, plain = wrap_view("plain", f64(), memory, 1, &n);
    const stn_slice slice = stn_slice_range(2, 5);
    void *address;
    expect_refused(STN_ERR_ARGUMENT, "view is NULL",
                   stn_view_create_segmented(NULL, NULL, "x", 1, &n));
    expect_refused(STN_ERR_ARGUMENT, "rank 0 is out of range (1 to 8)",
                   stn_view_create_segmented(NULL, &view, "x", 0, &n));
    expect_refused(STN_ERR_ARGUMENT, "extents is NULL",
                   stn_view_create_segmented(NULL, &view, "x", 1, NULL));
    expect_refused(STN_ERR_SHAPE, "-1", stn_view_create_segmented(NULL, &view, "x", 1, &negative));
    expect_refused(STN_ERR_ARGUMENT, "data is NULL",
                   stn_view_wrap_segmented(&view, "x", NULL, 1, &n));
    expect_refused(STN_ERR_ARGUMENT, "aligned",
                   stn_view_wrap_segmented(&view, "x", (char *)memory + 4, 1, &n));
    expect_refused(STN_ERR_UNSUPPORTED, "is not segmented", stn_view_planes(&view, &plain, 1));
    expect_ok(stn_view_wrap_segmented(&view, "x", memory, 1, &n));
    expect_refused(STN_ERR_RANGE, "planes is 0; it must be 1, 2 or 3",
                   stn_view_planes(&part, &view, 0));
    expect_refused(STN_ERR_RANGE, "planes is 4", stn_view_planes(&part, &view, 4));
    expect_refused(STN_ERR_ARGUMENT, "result is NULL", stn_view_planes(NULL, &view, 1));
    expect_ok(stn_view_slice(&part, &view, 1, &slice));
    expect_refused(STN_ERR_ARGUMENT, "stn_view_share_slice", stn_view_planes(&part, &part, 1));
    assert_int_equal(stn_view_plane_count(&plain), 0);
    assert_int_equal(stn_view_plane_count(NULL), 0);
    expect_error(stn_view_address(&view, 1, (const int64_t[]){1}, &address), STN_ERR_UNSUPPORTED,
                 "segmented");
    expect_error(stn_view_atomic_add(&view, 1, (const int64_t[]){1}, 1.0), STN_ERR_UNSUPPORTED,
                 "segmented");
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    expect_ok(stn_view_release(&view));
}

RUN_UNIT_TESTS(create_execs, release_execs)
