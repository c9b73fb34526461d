/* Fused loops: taken where they fit and nowhere else, with the bits of the reference executor, for
 * every format. */
#include "measure/openmp.h"
#include "oracle.h"
#define STN_FUSED_TABLE static /* its calls are counted */
#include "steno/kernel_fuse.h"
#include "make_view.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(cut, (at(i), in(x), out(y)),
    if (x > 3)
        return;
    y = x + (real_t)i;
)
STN_MAP_INTEGER(triple, (in(x), out(y)), y = 3 * x;)

#define FUSE_ROW(id, NAME, name, ...)                                                              \
    STN_FUSE(axpy_##name, axpy, f64, (real(alpha), in(x, name), inout(y, f64)))                    \
    STN_FUSE(axpy_into_##name, axpy, f32, (real(alpha), in(x, f32), inout(y, name)))
#define NO_ROW(...)
STN_FORMAT_TABLE(FUSE_ROW, FUSE_ROW, NO_ROW)
STN_FUSE(cut_f64, cut, f64, (at(i), in(x, f32), out(y, f64)))
STN_FUSE(cut_f32, cut, f64, (at(i), in(x, f64), out(y, f32)))
STN_FUSE(triple_i8, triple, i64, (in(x, i8), out(y, i32)))

/* ---- how often each loop is called ---- */

#define COUNTED(name)                                                                              \
    static int name##_calls;                                                                       \
    static void name##_counting(const stn_tile *tile)                                              \
    {                                                                                              \
        __atomic_fetch_add(&name##_calls, 1, __ATOMIC_RELAXED);                                    \
        name##_loop(tile);                                                                         \
    }
#define COUNTED_ROW(id, NAME, name, ...) COUNTED(axpy_##name) COUNTED(axpy_into_##name)
STN_FORMAT_TABLE(COUNTED_ROW, COUNTED_ROW, NO_ROW)
COUNTED(cut_f64)
COUNTED(cut_f32)
COUNTED(triple_i8)

#define COUNT(name)               name##_fused.loop = name##_counting;
#define COUNT_ROW(id, NAME, name, ...) COUNT(axpy_##name) COUNT(axpy_into_##name)
static int count_calls(void **state)
{
    (void)state;
    STN_FORMAT_TABLE(COUNT_ROW, COUNT_ROW, NO_ROW)
    COUNT(cut_f64)
    COUNT(cut_f32)
    COUNT(triple_i8)
    return 0;
}
/* clang-format on */

enum { MOST = 20000 };

static const int64_t sizes[] = {0, 1, 127, 128, 129, 511, 513, 5000, MOST};

static char x_codes[MOST * 8], y_start[MOST * 8], y_found[MOST * 8], y_expected[MOST * 8];
static double numbers[MOST];

static stn_exec *made(const char *resource)
{
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, resource));
    return exec;
}

/* Values of which every format has some, beyond the range of many, and NaN. */
static void fill(stn_format format, char *codes)
{
    const stn_storage storage = stn_storage_of(format);
    for (int64_t k = 0; k < MOST; k++)
        numbers[k] = (double)(k * 7919 % 2003) / 7.0 - (k % 3 ? 20.0 : 100.0);
    numbers[77] = 1e300;
    numbers[78] = (double)NAN;
    expect_ok(stn_encode(STN_F64, &storage, codes, 1, 0, numbers, MOST));
}

static stn_view wrapped(const char *label, stn_format format, void *data, int64_t count,
                        int64_t stride)
{
    const stn_view view = wrap_strided(label, stn_storage_of(format), data, 1, &count, &stride);
    return view;
}

/* The scale belongs to the view that is stored in another format, or else to x. */
static void run(const stn_exec *exec, stn_format arithmetic, stn_format x_format,
                stn_format y_format, double scale, char *y_codes, int64_t count)
{
    stn_view x = wrapped("x", x_format, x_codes, count, 1);
    stn_view y = wrapped("y", y_format, y_codes, count, 1);
    (y_format != arithmetic ? &y : &x)->storage.scale = scale;
    memcpy(y_codes, y_start, sizeof y_start);
    expect_ok(axpy_run(exec, arithmetic, 1.1, &x, &y));
}

static uint64_t code_at(const char *codes, int64_t k, size_t bytes)
{
    uint64_t code = 0;
    memcpy(&code, codes + (size_t)k * bytes, bytes);
    return code;
}

/* What was found has the bits that are expected; any NaN is as good as another. */
static int are_same(stn_format format)
{
    const oracle_format *row = &oracle_formats[format];
    const size_t bytes = (size_t)row->bits / 8;
    if (memcmp(y_found, y_expected, sizeof y_found) == 0)
        return 1;
    for (int64_t k = 0; k < MOST; k++) {
        const uint64_t found = code_at(y_found, k, bytes), expected = code_at(y_expected, k, bytes);
        if (found != expected && (row->kind != ORACLE_FLOAT || !oracle_is_nan(row, found) ||
                                  !oracle_is_nan(row, expected)))
            return 0;
    }
    return 1;
}

/* Does every finite code of y come back when it is read and stored again? */
static int returns(stn_format arithmetic, stn_format format, double scale)
{
    const oracle_format *row = &oracle_formats[format];
    const int digits = arithmetic == STN_F64 ? 53 : 24;
    const int least = arithmetic == STN_F64 ? -1074 : -149,
              most = arithmetic == STN_F64 ? 1024 : 128;
    const int exponent = ilogb(scale);
    if (row->kind == ORACLE_INTEGER)
        return row->bits + (scale == 1.0 ? 0 : 6) <= digits;
    const int bias = (1 << (row->exponent_bits - 1)) - 1;
    return row->fraction_bits < digits && 1 - bias - row->fraction_bits + exponent >= least &&
           1 + bias + exponent <= most;
}

static void check(stn_format arithmetic, stn_format x_format, stn_format y_format, double scale,
                  int *calls)
{
    const int narrow = x_format != arithmetic || y_format != arithmetic;
    const int fits = (scale == 1.0 || (narrow && scale != 0.3)) &&
                     returns(arithmetic, y_format, y_format == arithmetic ? 1.0 : scale);
    stn_exec *const reference = made("reference"), *const threads = made(OPENMP ":threads=3");
    fill(x_format, x_codes);
    fill(y_format, y_start);
    for (int s = 0; s < COUNT_OF(sizes); s++) {
        *calls = 0;
        run(reference, arithmetic, x_format, y_format, scale, y_expected, sizes[s]);
        assert_int_equal(*calls, 0);
        run(threads, arithmetic, x_format, y_format, scale, y_found, sizes[s]);
        if ((*calls > 0) != (fits && sizes[s] > 0))
            fail_msg("%d calls for formats %d and %d in %d, scale %g", *calls, x_format, y_format,
                     arithmetic, scale);
        if (!are_same(y_format))
            fail_msg("formats %d and %d, scale %g, %d elements", x_format, y_format, scale,
                     (int)sizes[s]);
    }
    stn_exec_release(reference);
    stn_exec_release(threads);
}

UNIT_TEST(test_every_format)
{
    static const double scales[] = {1.0, 0x1p-7, 0x1p3, 0x1p60, 0x1p-60, 0.3};
#define CHECK_ROW(id, NAME, name, ...)                                                             \
    check(STN_F64, STN_##NAME, STN_F64, scales[k], &axpy_##name##_calls);                          \
    check(STN_F32, STN_F32, STN_##NAME, scales[k], &axpy_into_##name##_calls);
    for (int k = 0; k < COUNT_OF(scales); k++) {
        STN_FORMAT_TABLE(CHECK_ROW, CHECK_ROW, NO_ROW)
    }
}

/* Strides, other scales, rules and shared arrays are for the library's codecs. */
UNIT_TEST(test_where_it_does_not_fit)
{
    stn_exec *const exec = made("threads:threads=2");
    stn_view x = wrapped("x", STN_F16, x_codes, 1000, 2);
    stn_view y = wrapped("y", STN_F64, y_found, 1000, 1);
    fill(STN_F16, x_codes);
    memset(y_found, 0, sizeof y_found);
    axpy_f16_calls = axpy_f64_calls = 0;
    expect_ok(axpy_run(exec, STN_F64, 1.0, &x, &y));
    x = wrapped("x", STN_F16, x_codes, 1000, 1);
    x.storage.scale = 3.0;
    expect_ok(axpy_run(exec, STN_F64, 1.0, &x, &y));
    y.storage.rounding = STN_ROUND_TOWARD_ZERO;
    x.storage.scale = 1.0;
    x.storage.zero = 1.0;
    expect_ok(axpy_run(exec, STN_F64, 1.0, &x, &y));
    expect_ok(axpy_run(exec, STN_F32, 1.0, &x, &y));
    y = wrapped("y", STN_F64, y_found, 1000, 1);
    expect_ok(axpy_run(exec, STN_F64, 1.0, &y, &y));
    assert_int_equal(axpy_f16_calls + axpy_f64_calls, 0);
    x.storage.zero = 0.0;
    expect_ok(axpy_run(exec, STN_F64, 1.0, &x, &y));
    assert_true(axpy_f16_calls > 0);
    stn_exec_release(exec);
}

/* Outputs begin as NaN. */
UNIT_TEST(test_unassigned)
{
    stn_exec *const exec = made("threads:threads=2");
    float single[300], into_single[300];
    double wide[300], into_wide[300];
    const stn_view x32 = wrapped("x", STN_F32, single, 300, 1);
    const stn_view x64 = wrapped("x", STN_F64, wide, 300, 1);
    const stn_view y32 = wrapped("y", STN_F32, into_single, 300, 1);
    const stn_view y64 = wrapped("y", STN_F64, into_wide, 300, 1);
    for (int k = 0; k < 300; k++) {
        wide[k] = single[k] = (float)(k % 7);
        into_wide[k] = into_single[k] = -5.0f;
    }
    expect_ok(cut_run(exec, STN_F64, &x32, &y64));
    assert_true(cut_f64_calls > 0);
    expect_ok(cut_run(exec, STN_F64, &x64, &y32));
    assert_true(cut_f32_calls > 0);
    for (int k = 0; k < 300; k++) {
        const int is = k % 7 <= 3;
        assert_true(is ? into_wide[k] == k % 7 + k : isnan(into_wide[k]));
        assert_true(is ? (double)into_single[k] == into_wide[k] : isnan(into_single[k]));
    }
    stn_exec_release(exec);
}

UNIT_TEST(test_integers)
{
    stn_exec *const exec = made("threads:threads=2");
    int8_t from[200];
    int32_t to[200] = {0};
    const stn_view x = wrapped("x", STN_I8, from, 200, 1), y = wrapped("y", STN_I32, to, 200, 1);
    for (int k = 0; k < 200; k++)
        from[k] = (int8_t)(k - 100);
    expect_ok(triple_run(exec, STN_I64, &x, &y));
    assert_true(triple_i8_calls > 0);
    for (int k = 0; k < 200; k++)
        assert_int_equal(to[k], 3 * (k - 100));
    stn_exec_release(exec);
}

RUN_UNIT_TESTS(count_calls, NULL)
