/* What programs bring to views on devices: a format of their own, and counters. */
#ifndef STENO_TEST_DEVICE_OWN_H
#define STENO_TEST_DEVICE_OWN_H

#include <math.h>

#include "device_twins.h"
#include "check.h"

/* ---- a format of the program's own: multiples of 1/256, and a NaN ---- */

#define OWN_NAN 0x8000
static void decode_own(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++) {
        const uint16_t code = ((const uint16_t *)codes)[k];
        values[k] = code == OWN_NAN ? NAN : (double)(int16_t)code / 256;
    }
}

static void encode_own(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++) {
        const double whole = floor(fmin(fmax(values[k], -100), 100) * 256 + 0.5);
        ((uint16_t *)codes)[k] = values[k] != values[k] ? OWN_NAN : (uint16_t)(int16_t)whole;
    }
}

static const char own_text[] =
    "STN_FN stn_f64 decode(stn_u16 code)\n"
    "{\n"
    "    const long long half = (stn_i16)code;\n"
    "    return code == 0x8000 ? stn_f64_of_bits(0x7ff8000000000000u) : (stn_f64)half / 256;\n"
    "}\n"
    "STN_FN stn_u16 encode(stn_f64 value)\n"
    "{\n"
    "    if (value != value)\n"
    "        return 0x8000;\n"
    "    return (stn_u16)(stn_i16)floor(fmin(fmax(value, (stn_f64)-100), (stn_f64)100) * 256 +\n"
    "                                   (stn_f64)0.5);\n"
    "}\n";

static stn_format own_format(void)
{
    static const stn_format_codec codec = {sizeof codec, "own",      2,    2,
                                           decode_own,   encode_own, NULL, own_text};
    static stn_format format;
    if (format == 0)
        expect_ok(stn_format_register(&format, &codec));
    return format;
}

/* ---- counters, of the host's and of the device's view ---- */

enum { COUNTED = 4 };
static stn_counters counted[COUNTED][2];

__attribute__((unused)) static void count_always(twins *t, int at)
{
    memset(counted[at], 0, sizeof counted[at]);
    t->host_part.storage.counters = &counted[at][0];
    t->device_part.storage.counters = &counted[at][1];
}

/* In one case of three. */
__attribute__((unused)) static void count_some(twins *t, int at)
{
    memset(counted[at], 0, sizeof counted[at]);
    if (chance(3) == 0)
        count_always(t, at);
}

__attribute__((unused)) static void expect_counts(int at, const char *what)
{
    const stn_counters *const here = &counted[at][0], *const there = &counted[at][1];
    if (memcmp(here, there, sizeof *here) != 0)
        fail_msg("%s: view %d has %lld saturated, %lld underflowed, %lld NaN, on the host %lld, "
                 "%lld, %lld",
                 what, at, (long long)there->saturated, (long long)there->underflowed,
                 (long long)there->nan, (long long)here->saturated, (long long)here->underflowed,
                 (long long)here->nan);
}

#endif
