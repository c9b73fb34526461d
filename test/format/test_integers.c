/* gemv and dot of integer codes, with and without instructions for dot products of bytes: the
 * results of the reference executor, and sums of int64_t. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/openmp.h"
#include "core/cpu.h"
#include "steno/blas.h"
#include "check.h"

enum { MOST_ROWS = 70, MOST_COLUMNS = 17000, CASES = 60 };

static const stn_format formats[] = {STN_I8, STN_U8, STN_I16, STN_U16};
static char codes[MOST_ROWS * MOST_COLUMNS * 2], vector[MOST_COLUMNS * 2];
static double values[MOST_COLUMNS];
static uint64_t seed = 1;
static stn_exec *reference, *one_thread, *two_threads;

static int create_executors(void **state)
{
    (void)state;
    expect_ok(stn_exec_create(&reference, "reference"));
    expect_ok(stn_exec_create(&one_thread, OPENMP ":threads=1"));
    expect_ok(stn_exec_create(&two_threads, "threads:threads=2"));
    return 0;
}

static int release_executors(void **state)
{
    (void)state;
    stn_exec_release(reference);
    stn_exec_release(one_thread);
    stn_exec_release(two_threads);
    return 0;
}

static int64_t draw(int64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % below;
}

static int64_t get(stn_format format, const char *from, int64_t k)
{
    switch (format) {
    case STN_I8:
        return ((const int8_t *)from)[k];
    case STN_U8:
        return ((const uint8_t *)from)[k];
    case STN_I16:
        return ((const int16_t *)(const void *)from)[k];
    default:
        return ((const uint16_t *)(const void *)from)[k];
    }
}

static void set(stn_format format, char *to, int64_t k, int64_t value)
{
    const int bytes = format == STN_I8 || format == STN_U8 ? 1 : 2;
    memcpy(to + k * bytes, &value, (size_t)bytes); /* little-endian */
}

/* Random codes, the lowest, the highest, zeros, or the two lowest. */
static void fill(stn_format format, int kind, char *to, int64_t count)
{
    const int64_t all = format == STN_I8 || format == STN_U8 ? 1 << 8 : 1 << 16;
    const int64_t low = format == STN_I8 || format == STN_I16 ? -all / 2 : 0, high = low + all - 1;
    for (int64_t k = 0; k < count; k++)
        set(format, to, k,
            kind == 0   ? low + draw(high - low + 1)
            : kind == 1 ? low
            : kind == 2 ? high
            : kind == 3 ? 0
                        : low + draw(2));
}

static stn_view wrap(stn_format format, void *data, int rank, const int64_t *extents,
                     const int64_t *strides)
{
    stn_view view;
    expect_ok(stn_view_wrap_spec(
        &view, &STN_VIEW_SPEC(.label = "operand", .storage = stn_storage_of(format), .data = data,
                              .rank = rank, .extents = extents, .strides = strides)));
    return view;
}

/* A times a vector; the reference executor, and another one, from the same view. */
static void expect_same_product(const stn_exec *exec, double alpha, const stn_view *a,
                                const stn_view *x, double *found)
{
    double expected[MOST_ROWS];
    const int64_t rows = a->extent[0];
    const stn_view e = wrap(STN_F64, expected, 1, &rows, NULL),
                   y = wrap(STN_F64, found, 1, &rows, NULL);
    expect_ok(stn_gemv(reference, STN_F64, alpha, a, x, 0.0, &e));
    expect_ok(stn_gemv(exec, STN_F64, alpha, a, x, 0.0, &y));
    for (int64_t r = 0; r < rows; r++)
        if (!isnan(expected[r]) || !isnan(found[r]))
            assert_memory_equal(&found[r], &expected[r], sizeof *found);
}

static void check_case(stn_format format, int number)
{
    const int64_t rows = 1 + draw(number % 5 ? 9 : MOST_ROWS);
    const int64_t columns = 1 + draw(number % 20 ? 400 : MOST_COLUMNS - 2);
    const int64_t extents[] = {rows, columns}, strides[] = {columns + draw(3), 1};
    double found[MOST_ROWS], dots[2];
    fill(format, number % 5, codes, rows * strides[0]);
    fill(format, number / 5 % 5, vector, columns);
    for (int64_t k = 0; k < columns; k++)
        values[k] = (double)get(format, vector, k);
    const stn_view a = wrap(format, codes, 2, extents, strides);
    const stn_view row = wrap(format, codes, 1, &columns, NULL);
    const stn_view x = wrap(format, vector, 1, &columns, NULL);
    const stn_view v = wrap(STN_F64, values, 1, &columns, NULL);
    expect_same_product(two_threads, 1.0, &a, &v, found);
    expect_same_product(two_threads, 1.0, &a, &x, found);
    expect_ok(stn_dot(reference, STN_F64, &dots[0], &row, &x));
    expect_ok(stn_dot(two_threads, STN_F64, &dots[1], &row, &x));
    assert_memory_equal(&dots[1], &dots[0], sizeof dots[0]);
    for (int64_t r = 0; r < rows; r++) {
        int64_t sum = 0;
        for (int64_t k = 0; k < columns; k++)
            sum += get(format, codes, r * strides[0] + k) * get(format, vector, k);
        assert_true(found[r] == (double)sum); /* all are below 2^53 */
    }
}

static void check_cases(void)
{
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int number = 0; number < CASES; number++)
            check_case(formats[f], number);
}

/* Every instruction set that is built and that the processor has is available. */
static void test_built_sets(void **state)
{
    (void)state;
#ifdef STN_HAVE_ISA_AVX2
    assert_int_equal(stn_isa_available(STN_ISA_AVX2),
                     __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
#ifdef STN_HAVE_ISA_AVX512
    assert_int_equal(stn_isa_available(STN_ISA_AVX512),
                     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
#endif
#ifdef STN_HAVE_ISA_NEON
    assert_int_equal(stn_isa_available(STN_ISA_NEON), 1);
#endif
}

static void test_every_instruction_set(void **state)
{
    const stn_isa usual = stn_isa_chosen();
    (void)state;
    for (int isa = STN_ISA_C; isa < STN_ISA_COUNT; isa++) {
        if (!stn_isa_available((stn_isa)isa))
            continue;
        expect_ok(stn_isa_use((stn_isa)isa));
        check_cases();
        stn_isa_forget_dots(1);
        assert_int_equal(stn_isa_dots(), 0);
        check_cases();
        stn_isa_forget_dots(0);
    }
    expect_ok(stn_isa_use(usual));
}

enum { ROWS = 40, COLUMNS = 300 };
static const int64_t shape[] = {ROWS, COLUMNS};

/* Scales that are powers of two are factors of the sum; others are multiplied with the codes. */
static void test_scales(void **state)
{
    static const double scales[] = {1.0, 0.0625, 0.1};
    double found[ROWS];
    (void)state;
    fill(STN_I8, 0, codes, (int64_t)ROWS * COLUMNS);
    fill(STN_I8, 0, vector, COLUMNS);
    for (int k = 0; k < 9; k++) {
        stn_view a = wrap(STN_I8, codes, 2, shape, NULL),
                 x = wrap(STN_I8, vector, 1, shape + 1, NULL);
        a.storage.scale = scales[k % 3];
        x.storage.scale = scales[k / 3];
        expect_same_product(one_thread, 1.5, &a, &x, found);
    }
}

/* Values that are not codes of the matrix: too large, fractions, -0, infinite, NaN. */
static void test_values_that_are_no_integers(void **state)
{
    static const double others[] = {128.0, -129.0, 0.5, -0.0, 1e300, (double)INFINITY, (double)NAN};
    double found[ROWS];
    (void)state;
    for (size_t k = 0; k < 2 * sizeof others / sizeof *others; k++) {
        fill(STN_I8, 4, codes, (int64_t)ROWS * COLUMNS);
        memset(values, 0, sizeof values);
        values[k % 2 ? COLUMNS - 1 : 0] = others[k / 2];
        const stn_view a = wrap(STN_I8, codes, 2, shape, NULL);
        const stn_view v = wrap(STN_F64, values, 1, shape + 1, NULL);
        expect_same_product(one_thread, 1.0, &a, &v, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_sets),
        cmocka_unit_test(test_every_instruction_set),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_values_that_are_no_integers),
    };
    return cmocka_run_group_tests(tests, create_executors, release_executors);
}
