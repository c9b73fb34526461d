/* Values divided by a scale have the bits of a division: vectors of ordinary values and zeros,
 * which encoders multiply by the reciprocal of the scale, and the limits beyond which they divide.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "steno/codec.h"
#include "steno/format.h"

enum { COUNT = 64, ROUNDS = 100 };

static const double scales[] = {0.1,         -0.7,      1.0 / 3.0, 0x1.fffffep0, 0x1.000002p0,
                                448.0 / 3.0, 0x1.8p-59, -0x1.8p59, 0x1.8p-61,    0x1.8p61};

/* A value with random digits and an exponent within `range`; one in eight is a zero. */
static double value_of(uint64_t random, int range)
{
    const double digits = 1.0 + (double)(random >> 12) * 0x1p-52;
    const double size = ldexp(digits, (int)(random % (uint64_t)(2 * range + 1)) - range);
    return copysign(random >> 5 & 7 ? size : 0.0, random & 0x10 ? -1.0 : 1.0);
}

static void check_f64(double scale, int range, uint64_t seed)
{
    stn_storage storage = stn_storage_of(STN_F64);
    double values[COUNT], stored[COUNT];
    storage.scale = scale;
    for (int k = 0; k < COUNT; k++)
        values[k] = value_of(stn_random_bits(seed, (uint64_t)k), range);
    assert_int_equal(STN_OK, stn_encode(STN_F64, &storage, stored, 1, 0, values, COUNT));
    for (int k = 0; k < COUNT; k++)
        assert_true(stn_bits_of_f64(stored[k]) == stn_bits_of_f64(values[k] / scale));
}

static void check_f32(float scale, int range, uint64_t seed)
{
    stn_storage storage = stn_storage_of(STN_F32);
    float values[COUNT], stored[COUNT];
    storage.scale = (double)scale;
    for (int k = 0; k < COUNT; k++)
        values[k] = (float)value_of(stn_random_bits(seed, (uint64_t)k), range);
    assert_int_equal(STN_OK, stn_encode(STN_F32, &storage, stored, 1, 0, values, COUNT));
    for (int k = 0; k < COUNT; k++)
        assert_true(stn_bits_of_f32(stored[k]) == stn_bits_of_f32(values[k] / scale));
}

/* Ranges within the limits, and with values beyond them. */
UNIT_TEST(quotients_have_the_bits_of_divisions)
{
    static const int ranges[] = {1, 40, 59, 62, 120, 499, 502, 1000};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (uint64_t round = 0; round < ROUNDS; round++) {
                check_f64(scales[s], ranges[r], round);
                check_f32((float)scales[s], ranges[r] < 120 ? ranges[r] : 120, round);
            }
}

RUN_UNIT_TESTS(NULL, NULL)
