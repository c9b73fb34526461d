/* Copies, fills, scales and single elements do not depend on the floating-point modes of the caller
 * or of its functions, raise no trap that it has enabled, and leave its flags unchanged. */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <math.h>
#if defined(__x86_64__)
#    include <xmmintrin.h>
#endif

#include "steno/event.h"
#include "steno/kernel.h"
#include "make_view.h"

enum { COUNT = 6 };
static const int64_t six = COUNT;

static stn_view wrap(stn_storage storage, void *data)
{
    return wrap_view("v", storage, data, 1, &six);
}

static stn_storage with(stn_format format, double scale, double zero)
{
    stn_storage storage = stn_storage_of(format);
    storage.scale = scale;
    storage.zero = zero;
    return storage;
}

/* All conversions of a view; the results are the codes after two fills and two copies. */
static void use(uint8_t results[4][8 * COUNT])
{
    int8_t small[COUNT] = {1, -2, 3, 4, 5, 127};
    int16_t wide[COUNT];
    double values[COUNT], scales[COUNT] = {0.5, 3, 1e-310, 7, 0.1, 1};
    const stn_scales each = {
        .data = scales, .format = STN_F64, .dimension = 0, .block = 1, .stride = {1}};
    const stn_view x = wrap(with(STN_I8, 1, 2), small), y = wrap(with(STN_I16, 1, 0), wide);
    stn_view z = wrap(with(STN_F64, 0x1p-1060, 0), values);
    const int64_t at[] = {1};
    double value;
    expect_ok(stn_view_copy(NULL, &y, &x));
    memcpy(results[0], wide, sizeof wide);
    expect_ok(stn_view_fill(NULL, &z, 0x1.3p-1061));
    memcpy(results[1], values, sizeof values);
    expect_ok(stn_view_copy(NULL, &z, &x));
    memcpy(results[2], values, sizeof values);
    expect_ok(stn_view_get(&z, 1, at, &value));
    expect_ok(stn_view_set(&z, 1, at, value / 3));
    expect_ok(stn_view_set_scales(&z, &each));
    expect_ok(stn_view_fill(NULL, &z, 0.3));
    memcpy(results[3], values, sizeof values);
    expect_ok(stn_view_fit_scales(NULL, &z, &x, STN_SCALE_EXACT));
}

static uint8_t expected[4][8 * COUNT];

static void check_results(void)
{
    uint8_t results[4][8 * COUNT] = {{0}};
    use(results);
    assert_memory_equal(results, expected, sizeof results);
}

/* The first call leaves the flags unchanged, too. */
static int use_default_modes(void **context)
{
    (void)context;
    feclearexcept(FE_ALL_EXCEPT);
    use(expected);
    return fetestexcept(FE_ALL_EXCEPT) != 0;
}

UNIT_TEST(rounding_directions)
{
    static const int directions[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int k = 0; k < COUNT_OF(directions); k++) {
        assert_int_equal(fesetround(directions[k]), 0);
        check_results();
        assert_int_equal(fegetround(), directions[k]);
    }
    fesetround(FE_TONEAREST);
}

UNIT_TEST(exception_flags)
{
    feclearexcept(FE_ALL_EXCEPT);
    check_results();
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
}

UNIT_TEST(traps)
{
    double scales[COUNT] = {1, NAN, 1, 1, 1, 1}, values[COUNT];
    const stn_scales each = {
        .data = scales, .format = STN_F64, .dimension = 0, .block = 1, .stride = {1}};
    stn_view z = wrap(f64(), values);
    expect_ok(stn_view_set_scales(&z, &each));
    if (feenableexcept(FE_ALL_EXCEPT) == -1)
        return; /* no traps here, as on most processors of AArch64 */
    check_results();
    expect_error(stn_view_fill(NULL, &z, 1), STN_ERR_ARGUMENT, NULL);
    assert_int_equal(fegetexcept() & FE_DIVBYZERO, FE_DIVBYZERO);
    fedisableexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)
UNIT_TEST(subnormals_as_zeros)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); /* flush to zero, denormals are zero */
    check_results();
    assert_int_equal(_mm_getcsr() & 0x8040, 0x8040);
    _mm_setcsr(before);
}
#endif

/* ---- functions of the program that change the modes ---- */

static void decode_upward(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    memcpy(values, codes, (size_t)count * sizeof *values);
    fesetround(FE_UPWARD);
}

static void encode_downward(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    memcpy(codes, values, (size_t)count * sizeof *values);
    fesetround(FE_DOWNWARD);
}

static int64_t offset_upward(const void *context, int rank, const int64_t *extents,
                             const int64_t *indices)
{
    (void)context, (void)rank, (void)extents;
    fesetround(FE_UPWARD);
    return indices[0];
}

static int64_t span_toward_zero(const void *context, int rank, const int64_t *extents)
{
    (void)context, (void)rank;
    fesetround(FE_TOWARDZERO);
    return extents[0];
}

static void hook_upward(const stn_event *event, void *context)
{
    (void)event, (void)context;
    fesetround(FE_UPWARD);
}

STN_MAP(third, (in(x), in(z), out(y)), y = z / STN_R(3.0) + STN_R(0.0) * x;)

UNIT_TEST(codecs_with_device_texts_are_refused)
{
    stn_format_codec codec = {sizeof codec,  "test-text",     8,    4,
                              decode_upward, encode_downward, NULL, "no text"};
    stn_format format;
    expect_error(stn_format_register(&format, &codec), STN_ERR_UNSUPPORTED,
                 "format 'test-text': 8 bytes aligned to 4");
    codec.bytes = codec.alignment = 16;
    expect_error(stn_format_register(&format, &codec), STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_format_find("test-text", &format), STN_ERR_FORMAT, NULL);
}

UNIT_TEST(functions_of_the_program_change_modes)
{
    enum { N = 300 };
    static double codes[N], values[N], thirds[N];
    static float narrow[N];
    const int64_t extents[] = {N};
    const stn_format_codec codec = {sizeof codec,  "test-modes",    8,    8,
                                    decode_upward, encode_downward, NULL, NULL};
    const stn_layout layout = stn_layout_custom(offset_upward, span_toward_zero, NULL);
    stn_format format;
    expect_ok(stn_format_register(&format, &codec));
    for (int k = 0; k < N; k++) {
        codes[k] = values[k] = k / 7.0;
        thirds[k] = 0.0;
    }
    const stn_view x = wrap_view("v", stn_storage_of(format), codes, 1, extents);
    const stn_view z = wrap_view("v", f64(), values, 1, extents);
    const stn_view y = wrap_view("v", f64(), thirds, 1, extents);
    const stn_view f = wrap_view("v", stn_storage_of(STN_F32), narrow, 1, extents);
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    stn_event_set_hook(hook_upward, NULL);
    expect_ok(third_run(exec, STN_F64, &x, &z, &y));
    stn_event_set_hook(NULL, NULL);
    stn_exec_release(exec);
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(thirds[k] == values[k] / 3.0);
    expect_ok(stn_view_copy(NULL, &f, &x));
    expect_ok(stn_view_copy(NULL, &x, &f));
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(narrow[k] == (float)values[k]);
    stn_view mapped = wrap_layout("mapped", stn_storage_of(STN_F32), narrow, &layout, 1, extents);
    expect_ok(stn_view_copy(NULL, &mapped, &z));
    expect_ok(stn_view_release(&mapped));
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (int k = 0; k < N; k++)
        assert_true(narrow[k] == (float)values[k]);
}

RUN_UNIT_TESTS(use_default_modes, NULL)
