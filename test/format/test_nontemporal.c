/* Runs longer than the caches are stored around them: the same codes, and no other bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "format/run.h"

enum { COUNT = 9000, ROOM = COUNT * 16 + 256, GUARD = 0x5a };

static double values[2 * COUNT];

static void fill(void)
{
    for (int k = 0; k < 2 * COUNT; k++)
        values[k] = (double)(stn_random_bits(3, (uint64_t)k) >> 44) * 0x1p-12 - 128.0;
}

static void check(stn_format format, int64_t offset, int64_t count, stn_rounding rounding)
{
    static _Alignas(64) unsigned char plain[ROOM], past[ROOM];
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_storage storage = stn_storage_of(format);
    stn_run run;
    assert_int_equal(stn_format_describe(format, &info), STN_OK);
    const stn_format arithmetic = info.kind == STN_CLASS_COMPLEX ? STN_C128 : STN_F64;
    storage.rounding = rounding;
    storage.seed = 7;
    assert_int_equal(stn_run_init(&run, arithmetic, &storage), STN_OK);
    memset(plain, GUARD, sizeof plain);
    memset(past, GUARD, sizeof past);
    stn_run_encode(&run, values, plain + offset, 1, 5, count);
    stn_run_encode_nontemporal(&run, values, past + offset, 5, count);
    assert_memory_equal(plain, past, sizeof plain);
}

static void every_format_length_and_offset(void **state)
{
    static const int64_t counts[] = {0, 1, 31, 127, 128, 1024, 2047, 2048, 2049, 4096, COUNT};
    static const int64_t offsets[] = {0, 16, 48, 64, 1, 7};
    (void)state;
    fill();
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
                check(format, offsets[o], counts[c], STN_ROUND_NEAREST);
}

static void stochastic_rounding_keeps_its_indices(void **state)
{
    (void)state;
    fill();
    check(STN_F16, 2, COUNT, STN_ROUND_STOCHASTIC);
    check(STN_C32, 4, COUNT, STN_ROUND_STOCHASTIC);
}

static void the_public_call_takes_this_way(void **state)
{
    const int64_t count = (16 << 20) / 2 + 77;
    const stn_storage storage = stn_storage_of(STN_F16);
    float *long_run;
    uint16_t *codes;
    (void)state;
    assert_int_equal(stn_allocate(&long_run, count, sizeof *long_run, "values"), STN_OK);
    assert_int_equal(stn_allocate(&codes, count + 1, sizeof *codes, "codes"), STN_OK);
    for (int64_t k = 0; k < count; k++)
        long_run[k] = (float)(k % 2048);
    codes[count] = 0xbeef;
    assert_int_equal(stn_encode(STN_F32, &storage, codes, 1, 0, long_run, count), STN_OK);
    for (int64_t k = 0; k < count; k++)
        if (stn_f16_to_f32((stn_f16){codes[k]}) != long_run[k])
            fail_msg("element %lld", (long long)k);
    assert_int_equal(codes[count], 0xbeef);
    stn_free(long_run);
    stn_free(codes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_length_and_offset),
        cmocka_unit_test(stochastic_rounding_keeps_its_indices),
        cmocka_unit_test(the_public_call_takes_this_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
