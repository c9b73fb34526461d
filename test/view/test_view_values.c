/* Values of views: u64 beyond i64, zero points, and stochastic rounding of parts, which every
 * operation rounds as it would in the whole view. */
#include "steno/accessor_view.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "make_view.h"

STN_MAP(copy, (in(x), out(y)), y = x;)
STN_MAP(scatter_matrix, (at(i, j), in(x), scatter(y, 2)), STN_PUT(y, x, i, j);)
STN_MAP(scatter_vector, (at(i), in(x), scatter(y, 1)), STN_PUT(y, x, i);)
STN_MAP_INTEGER(itself, (inout(y)), y = y;)
STN_MAP_INTEGER(plus, (in(x), in(z), inout(y)), y = (int64_t)((uint64_t)x + (uint64_t)z);)
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE_INTEGER(integer_total, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)

static stn_exec *exec;

static stn_view vector(stn_storage storage, void *data, int64_t count)
{
    return wrap_view("v", storage, data, 1, &count);
}

static stn_storage with_zero(stn_format format, double zero)
{
    stn_storage storage = stn_storage_of(format);
    storage.zero = zero;
    return storage;
}

/* ---- integers ---- */

enum { LARGE = 6 };
static const uint64_t large[LARGE] = {
    0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1024, UINT64_MAX};

UNIT_TEST(u64_keeps_its_bits_in_i64_arithmetic)
{
    uint64_t codes[LARGE], sums[LARGE], expected = 0;
    int64_t sum = 0;
    const stn_view x = vector(stn_storage_of(STN_U64), codes, LARGE);
    const stn_view y = vector(stn_storage_of(STN_U64), sums, LARGE);
    memcpy(codes, large, sizeof codes);
    expect_ok(itself_run(exec, STN_I64, &x));
    assert_memory_equal(codes, large, sizeof codes);
    expect_ok(plus_run(exec, STN_I64, &x, &x, &y));
    for (int k = 0; k < LARGE; k++) {
        assert_true(sums[k] == large[k] + large[k]);
        expected += large[k];
    }
    expect_ok(integer_total_reduce(exec, STN_I64, &sum, &x));
    assert_true((uint64_t)sum == expected);
    /* with a zero point, storing the value read changes nothing either */
    for (stn_format format = STN_I64; format <= STN_U64; format += STN_U64 - STN_I64) {
        const stn_view moved = vector(with_zero(format, 5.0), codes, LARGE);
        expect_ok(itself_run(exec, STN_I64, &moved));
        assert_memory_equal(codes, large, sizeof codes);
    }
}

UNIT_TEST(copies_of_u64_saturate_and_count)
{
    uint64_t codes[LARGE], moved[LARGE];
    int64_t to[LARGE];
    float floats[LARGE];
    stn_counters counters = {0, 0, 0};
    stn_storage counted = stn_storage_of(STN_I64), shifted = with_zero(STN_U64, -3.0);
    counted.counters = shifted.counters = &counters;
    memcpy(codes, large, sizeof codes);
    const stn_view x = vector(stn_storage_of(STN_U64), codes, LARGE);
    const stn_view y = vector(counted, to, LARGE), z = vector(shifted, moved, LARGE);
    const stn_view f = vector(stn_storage_of(STN_F32), floats, LARGE);
    expect_ok(stn_view_copy(NULL, &y, &x));
    for (int k = 0; k < LARGE; k++)
        assert_true(to[k] == (large[k] > INT64_MAX ? INT64_MAX : (int64_t)large[k]));
    assert_int_equal(counters.saturated, 3);
    expect_ok(stn_view_copy(NULL, &z, &x)); /* value = code + 3 */
    for (int k = 0; k < LARGE; k++)
        assert_true(moved[k] == (large[k] < 3 ? 0 : large[k] - 3));
    assert_int_equal(counters.saturated, 5);
    expect_ok(stn_view_copy(NULL, &x, &z));
    for (int k = 0; k < LARGE; k++)
        assert_true(codes[k] == (large[k] < 3 ? 3 : large[k]));
    /* between two floats: rounded once; a double in between would be a tie */
    codes[0] = ((uint64_t)1 << 63) + ((uint64_t)1 << 39) + 1;
    codes[1] = ((uint64_t)1 << 63) + ((uint64_t)1 << 39);
    expect_ok(stn_view_copy(NULL, &f, &x));
    assert_true(floats[0] == 0x1.000002p63f && floats[1] == 0x1p63f && floats[5] == 0x1p64f);
    to[0] = -(((int64_t)1 << 62) + ((int64_t)1 << 38) + 1);
    expect_ok(stn_view_copy(NULL, &f, &y));
    assert_true(floats[0] == -0x1.000002p62f);
}

/* value = code - zero, exactly, for every zero point. */
UNIT_TEST(copies_of_integers_are_exact_with_large_zero_points)
{
    __extension__ typedef __int128 wide;
    enum { N = 4 };
    static const double zeros[] = {0x1p60,  0x1p62,  0x1p63 - 1024, 0x1p63,
                                   -0x1p62, -0x1p63, 0x1p64,        -0x1p80};
    const int64_t values[N] = {INT64_MIN, -1, 1, INT64_MAX - 1};
    int64_t from[N], back[N];
    uint64_t codes[N] = {0};
    memcpy(from, values, sizeof values);
    const stn_view x = vector(stn_storage_of(STN_I64), from, N);
    const stn_view again = vector(stn_storage_of(STN_I64), back, N);
    for (int z = 0; z < COUNT_OF(zeros); z++) {
        const stn_view moved = vector(with_zero(STN_U64, zeros[z]), codes, N);
        expect_ok(stn_view_copy(NULL, &moved, &x));
        expect_ok(stn_view_copy(NULL, &again, &moved));
        for (int k = 0; k < N; k++) {
            const wide exact = (wide)values[k] + (wide)zeros[z];
            const wide code = exact < 0 ? 0 : exact > UINT64_MAX ? (wide)UINT64_MAX : exact;
            const wide value = code - (wide)zeros[z];
            assert_true(codes[k] == (uint64_t)code);
            assert_true(back[k] == (value < INT64_MIN   ? INT64_MIN
                                    : value > INT64_MAX ? INT64_MAX
                                                        : (int64_t)value));
        }
    }
    /* two zero points whose difference exceeds 64 bits */
    const stn_view a = vector(with_zero(STN_U64, 0x1p63), codes, N);
    const stn_view b = vector(with_zero(STN_I64, -0x1p63), back, N);
    memcpy(codes, (uint64_t[]){0, 1, 5, UINT64_MAX}, sizeof codes);
    expect_ok(stn_view_copy(NULL, &b, &a)); /* -2^63, 1 - 2^63, 5 - 2^63, 2^63 - 1, minus 2^63 */
    for (int k = 0; k < N; k++)
        assert_true(back[k] == (k < 3 ? INT64_MIN : -1));
}

/* ---- stochastic rounding of parts ---- */

#define STN_NAME     random_elements
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_LAYOUT   STRIDED
#include "steno/accessor_define.h"
STN_ACCESSOR_FROM_VIEW(random_elements)

enum { ROWS = 300, COLUMNS = 8, ALL = ROWS * COLUMNS };
static const int64_t shape[] = {ROWS, COLUMNS};

/* Stores 2.5 in every element of a part; both views have the same extents. */
typedef void store_function(const stn_view *to, const stn_view *from);

static void by_copy(const stn_view *to, const stn_view *from)
{
    expect_ok(stn_view_copy(NULL, to, from));
}

static void by_fill(const stn_view *to, const stn_view *from)
{
    (void)from;
    expect_ok(stn_view_fill(NULL, to, 2.5));
}

static void by_kernel(const stn_view *to, const stn_view *from)
{
    expect_ok(copy_run(exec, STN_F32, from, to));
}

static void by_scatter(const stn_view *to, const stn_view *from)
{
    if (to->rank == 2)
        expect_ok(scatter_matrix_run(exec, STN_F64, from, to));
    else
        expect_ok(scatter_vector_run(exec, STN_F64, from, to));
}

static void by_set(const stn_view *to, const stn_view *from)
{
    int64_t indices[STN_MAX_RANK] = {0};
    (void)from;
    do
        expect_ok(stn_view_set(to, to->rank, indices, 2.5));
    while (next_indices(to->rank, to->extent, indices));
}

static void by_axpy(const stn_view *to, const stn_view *from)
{
    if (to->rank != 1) {
        by_copy(to, from);
        return;
    }
    expect_ok(stn_view_fill(NULL, to, 0.0));
    expect_ok(stn_axpy(exec, STN_F64, 1.0, from, to));
}

static void by_reduction(const stn_view *to, const stn_view *from)
{
    stn_view wider;
    expect_ok(stn_view_insert_axis(&wider, from, from->rank));
    expect_ok(total_reduce_into(exec, STN_F64, 1u << from->rank, to, &wider));
}

static void by_scan(const stn_view *to, const stn_view *from)
{
    stn_view wider, result;
    expect_ok(stn_view_insert_axis(&wider, from, 0));
    expect_ok(stn_view_insert_axis(&result, to, 0));
    expect_ok(running_scan_dimension(exec, STN_F64, STN_SCAN_INCLUSIVE, 0, &result, &wider));
}

static void by_accessor(const stn_view *to, const stn_view *from)
{
    random_elements x;
    if (to->rank != 2 || random_elements_from_view(&x, to) != STN_OK) {
        by_copy(to, from);
        return;
    }
    for (int64_t i = 0; i < to->extent[0]; i++)
        for (int64_t j = 0; j < to->extent[1]; j++)
            random_elements_set(x, i, j, 2.5);
}

/* Those before STRIDED_STORES store to views of any layout. */
enum { STRIDED_STORES = 3 };
static store_function *const stores[] = {by_copy, by_fill,      by_set,  by_kernel,  by_scatter,
                                         by_axpy, by_reduction, by_scan, by_accessor};

/* Stores to parts that together are the view: rows, columns, boxes with steps, columns of quarters,
 * and rows of the transposed view. */
enum { CUTS = 5 };
static void store_parts(const stn_view *to, const stn_view *from, store_function *store, int cut)
{
    const int64_t rows = to->extent[0], columns = to->extent[1];
    stn_view a, b;
    if (cut == 4) {
        static const int order[] = {1, 0};
        expect_ok(stn_view_permute(&a, to, 2, order));
        expect_ok(stn_view_permute(&b, from, 2, order));
        store_parts(&a, &b, store, 0);
        return;
    }
    const int64_t parts = cut == 0 ? rows : cut == 1 ? columns : 4;
    for (int64_t p = 0; p < parts; p++) {
        const stn_slice slices[][2] = {
            {stn_slice_index(p), stn_slice_all()},
            {stn_slice_all(), stn_slice_index(p)},
            {stn_slice_range(p < 2 ? 0 : rows / 3, p < 2 ? rows / 3 : rows),
             stn_slice_strided(p % 2 ? columns - 1 : columns - 2, columns / 2, -2)},
            {stn_slice_strided(p / 2, rows / 2, 2),
             stn_slice_range(p % 2 * columns / 2, (p % 2 + 1) * columns / 2)}};
        a = slice_view(to, 2, slices[cut]);
        b = slice_view(from, 2, slices[cut]);
        if (cut == 3)
            store_parts(&a, &b, store, 1);
        else
            store(&a, &b);
    }
}

/* Each element rounds by its index in the whole view, for every operation and part. */
UNIT_TEST(parts_round_stochastically_as_the_whole)
{
    static const char *const layouts[] = {"right", "left", "tiled:4x3", "morton"};
    static float values[ALL];
    static int8_t expected[ALL];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 77;
    const stn_view from = wrap_view("from", stn_storage_of(STN_F32), values, 2, shape);
    for (int k = 0; k < ALL; k++) {
        values[k] = 2.5f;
        expect_ok(stn_encode(STN_F32, &storage, &expected[k], 1, k, &values[k], 1));
    }
    for (int l = 0; l < COUNT_OF(layouts); l++)
        for (int s = 0; s < (l < 2 ? COUNT_OF(stores) : STRIDED_STORES); s++)
            for (int cut = 0; cut < CUTS; cut++) {
                stn_layout layout;
                expect_ok(stn_layout_parse(layouts[l], &layout));
                stn_view to = create_view(NULL, layouts[l], storage, &layout, 2, shape, 0);
                store_parts(&to, &from, stores[s], cut);
                for (int64_t k = 0; k < ALL; k++)
                    assert_int_equal((int)VALUE_AT(&to, k / COLUMNS, k % COLUMNS), expected[k]);
                expect_ok(stn_view_release(&to));
            }
}

/* No column of a matrix copied row by row has one code only. */
UNIT_TEST(rows_draw_different_random_numbers)
{
    enum { COUNT = 1000 };
    const int64_t extents[] = {COUNT, 8};
    static int8_t codes[COUNT * 8];
    float row[8] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    const stn_view all = wrap_view("all", storage, codes, 2, extents);
    const stn_view from = vector(stn_storage_of(STN_F32), row, 8);
    for (int64_t i = 0; i < COUNT; i++) {
        const stn_view to =
            slice_view(&all, 2, (const stn_slice[]){stn_slice_index(i), stn_slice_all()});
        expect_ok(stn_view_copy(NULL, &to, &from));
    }
    for (int j = 0; j < 8; j++) {
        int sum = 0;
        for (int i = 0; i < COUNT; i++)
            sum += codes[8 * i + j];
        assert_in_range(sum, 430, 570); /* 4.4 standard deviations */
    }
}

/* Accessors draw by offsets, which differ from the indices of other layouts. */
UNIT_TEST(accessors_of_other_layouts_do_not_draw)
{
    int8_t codes[12] = {0};
    const int64_t extents[] = {3, 4}, left[] = {1, 3};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    const stn_view view = wrap_strided("turned", storage, codes, 2, extents, left);
    random_elements x;
    expect_error(random_elements_from_view(&x, &view), STN_ERR_UNSUPPORTED,
                 "turned (i8, 3 x 4) rounds stochastically by the number of an element");
}

RUN_UNIT_TESTS_ON(exec, "threads:threads=2")
