/* Codes that are read and stored again: if the library assumes that every code returns, every code
 * of 8 and 16 bits does; and kernels leave elements that they do not assign unchanged, codes and
 * counters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/modes.h"
#include "format/returns.h"
#include "kernel_oracle.h"
#include "steno/kernel_fuse.h"

/* clang-format off */
STN_MAP(keep, (in(x), inout(y)), y = x > 0 ? x : y;)
STN_MAP_INTEGER(keep_integer, (in(x), inout(y)), y = x > 0 ? x : y;)
STN_FUSE(keep_f16, keep, f64, (in(x, f64), inout(y, f16)))
STN_FUSE(keep_e5m2, keep, f32, (in(x, f32), inout(y, e5m2)))
/* clang-format on */

enum { MOST = 1 << 16 };
static const double scales[] = {1,       -1,      0x1p-7,  0x1p60,   -0x1p-60, 0x1p100, 0x1p-130,
                                0x1p900, 0.3,     -7.1,    1e-30,    1e30,     1e-40,   3e37,
                                1e-300,  0x1p-24, 0x1p-20, 0x1p1000, 0x1p-1000};
static const double zeros[] = {0, 3, -128, 0.25, 1e6, -0.7, 0x1p40};
enum { SCALES = sizeof scales / sizeof *scales, ZEROS = sizeof zeros / sizeof *zeros };

static uint64_t codes[MOST], again[MOST];
static char values[MOST * sizeof(stn_c128)];

/* Do all codes of a run return, or those of finite values? */
static stn_return_kind find(const stn_run *run, int bits, int64_t bytes)
{
    const int64_t count = (int64_t)1 << bits;
    int all = 1, finite = 1;
    for (int64_t k = 0; k < count; k++)
        memcpy((char *)codes + k * bytes, &k, (size_t)bytes);
    stn_run_decode(run, values, codes, 1, count);
    stn_run_encode(run, values, again, 1, 0, count);
    for (int64_t k = 0; k < count; k++) {
        const double value = run->arithmetic == STN_F32   ? (double)((float *)(void *)values)[k]
                             : run->arithmetic == STN_F64 ? ((double *)(void *)values)[k]
                                                          : 0;
        const int is_same =
            memcmp((char *)codes + k * bytes, (char *)again + k * bytes, (size_t)bytes) == 0;
        all &= is_same;
        finite &= is_same || !isfinite(value);
    }
    return all ? STN_RETURNS_ALL : finite ? STN_RETURNS_FINITE : STN_RETURNS_SOME;
}

/* Storages of which all codes, or those of finite values, return; and of which that is known. */
static int returning, known_to_return;

static void check(stn_storage storage, stn_format arithmetic)
{
    const oracle_format *row = &oracle_formats[storage.format];
    stn_run run;
    const stn_modes modes = stn_modes_enter();
    stn_return_kind found = STN_RETURNS_SOME, known = STN_RETURNS_SOME;
    if (stn_run_init_in_modes(&run, arithmetic, &storage) == STN_OK) {
        found = find(&run, row->bits, run.bytes);
        known = stn_run_returns(&run);
    }
    stn_modes_leave(modes);
    if (known < found)
        fail_msg("%s in %d, scale %a zero %g rounding %d overflow %d: %d, but found %d", row->name,
                 arithmetic, storage.scale, storage.zero, storage.rounding, storage.overflow, known,
                 found);
    returning += found < STN_RETURNS_SOME;
    known_to_return += known < STN_RETURNS_SOME;
}

static void test_every_code(void **state)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_I64};
    (void)state;
    for (int format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < SCALES * ZEROS * 12; k++) {
            stn_storage storage = stn_storage_of((stn_format)format);
            storage.scale = scales[k % SCALES];
            storage.zero = zeros[k / SCALES % ZEROS];
            storage.rounding = (stn_rounding)(k / SCALES / ZEROS % 3);
            storage.overflow = (stn_overflow)(k / SCALES / ZEROS / 3);
            if (oracle_formats[format].bits > 16 || oracle_formats[format].kind == ORACLE_COMPLEX ||
                k % oracle_count(7, 1, 1) != 0)
                continue;
            for (int a = 0; a < 3; a++)
                check(storage, arithmetics[a]);
        }
    print_message("%d storages return, %d are known to\n", returning, known_to_return);
    assert_true(known_to_return * 10 > returning * 6);
}

/* Wide formats with common scales. */
static void test_known(void **state)
{
    static const struct {
        stn_format format, arithmetic;
        double scale;
        stn_return_kind returns;
    } cases[] = {
        {STN_F64, STN_F64, 1, STN_RETURNS_FINITE},     {STN_F32, STN_F64, 1, STN_RETURNS_FINITE},
        {STN_F32, STN_F32, 1, STN_RETURNS_FINITE},     {STN_F64, STN_F32, 1, STN_RETURNS_SOME},
        {STN_F32, STN_F64, 0.3, STN_RETURNS_FINITE},   {STN_F32, STN_F32, 0.3, STN_RETURNS_SOME},
        {STN_F32, STN_F32, 0.5, STN_RETURNS_SOME},     {STN_I32, STN_F64, 1, STN_RETURNS_ALL},
        {STN_I32, STN_F64, 0.3, STN_RETURNS_ALL},      {STN_I32, STN_F32, 1, STN_RETURNS_SOME},
        {STN_I64, STN_F64, 1, STN_RETURNS_SOME},       {STN_I64, STN_I64, 1, STN_RETURNS_ALL},
        {STN_C64, STN_C128, 1, STN_RETURNS_FINITE},    {STN_C128, STN_C64, 1, STN_RETURNS_SOME},
        {STN_C32, STN_C64, 0x1p-3, STN_RETURNS_FINITE}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        stn_storage storage = stn_storage_of(cases[k].format);
        stn_run run;
        storage.scale = cases[k].scale;
        assert_int_equal(stn_run_init(&run, cases[k].arithmetic, &storage), STN_OK);
        assert_int_equal(stn_run_returns(&run), cases[k].returns);
    }
}

/* A third of the elements are stored, the others keep their codes: also NaN with payloads,
 * infinities that would saturate, values that would be rounded, and those that counters would
 * count. */
static void check_kept(const stn_exec *exec, stn_storage storage, stn_format arithmetic)
{
    enum { N = 1 << 12 };
    const oracle_format *row = &oracle_formats[storage.format];
    const int64_t bytes = row->bits / 8, count = N;
    static double x[N];
    static float single[N];
    static int64_t whole[N];
    char y[N * 2], before[N * 2];
    stn_counters counters = {0};
    stn_view vx, vy;
    for (int64_t k = 0; k < N; k++) {
        const int64_t code = row->bits == 8 ? k : k * 17;
        whole[k] = k % 3 == 0 ? 1 + k % 5 : 0;
        single[k] = (float)(x[k] = (double)whole[k]);
        memcpy(y + k * bytes, &code, (size_t)bytes);
    }
    memcpy(before, y, sizeof y);
    storage.counters = storage.seed ? &counters : NULL;
    void *const from = arithmetic == STN_F64   ? (void *)x
                       : arithmetic == STN_F32 ? (void *)single
                                               : (void *)whole;
    assert_int_equal(stn_view_wrap(&vx, "x", stn_storage_of(arithmetic), from, 1, &count), 0);
    assert_int_equal(stn_view_wrap(&vy, "y", storage, y, 1, &count), STN_OK);
    assert_int_equal(arithmetic == STN_I64 ? keep_integer_run(exec, arithmetic, &vx, &vy)
                                           : keep_run(exec, arithmetic, &vx, &vy),
                     STN_OK);
    for (int64_t k = 0; k < N; k++)
        if (whole[k] == 0 && memcmp(y + k * bytes, before + k * bytes, (size_t)bytes) != 0)
            fail_msg("%s in %d, scale %g rounding %d: code %d has changed", row->name, arithmetic,
                     storage.scale, storage.rounding, (int)(row->bits == 8 ? k : k * 17));
    assert_true(counters.nan == 0);
}

static void test_kept(void **state)
{
    static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_I64};
    (void)state;
    for (int format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 3 * 3 * 4 * 2; k++) {
            stn_storage storage = stn_storage_of((stn_format)format);
            const stn_format arithmetic = arithmetics[k % 3];
            storage.scale = k / 3 % 3 == 0 ? 1.0 : k / 3 % 3 == 1 ? 0.3 : 0.25;
            storage.rounding = (stn_rounding)(k / 9 % 4 % 3);
            storage.overflow = k / 9 % 4 == 3 ? STN_OVERFLOW_SATURATE : STN_OVERFLOW_DEFAULT;
            storage.seed = (uint64_t)(k / 36);
            if (oracle_formats[format].bits > 16 || oracle_formats[format].kind == ORACLE_COMPLEX ||
                (arithmetic == STN_I64 &&
                 (oracle_formats[format].kind != ORACLE_INTEGER || storage.scale != 1.0)))
                continue;
            for (int setting = 0; setting < order_settings(); setting++)
                check_kept(order_use(setting), storage, arithmetic);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_code),
                                       cmocka_unit_test(test_known), cmocka_unit_test(test_kept)};
    const int failed = cmocka_run_group_tests_name("returns", tests, NULL, NULL);
    order_release_executors();
    return failed;
}
