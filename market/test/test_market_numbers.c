/* Numbers in Matrix Market files: bit for bit as the C library reads them, in any locale. */
#define _GNU_SOURCE
#include "check.h"
#include "market/scan.h"
#include "steno/market.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A pseudo-random number, for texts: xorshift64. */
static uint64_t next_random(void)
{
    static uint64_t bits = UINT64_C(88172645463325252);
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    return bits;
}

/* A decimal of any size and any number of digits, followed by '\n'. */
static void make_decimal(char *text, size_t capacity)
{
    const uint64_t digits = next_random() >> next_random() % 64;
    const int places = (int)(next_random() % 20) + 1, exponent = (int)(next_random() % 80) - 40;
    switch (next_random() % 4) {
    case 0: {
        const uint64_t bits = next_random();
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(text, capacity, "%.*g\n", places, isfinite(value) ? value : 1.0);
        break;
    }
    case 1:
        snprintf(text, capacity, "%" PRIu64 "e%d\n", digits, exponent);
        break;
    case 2: /* half way between two doubles */
        snprintf(text, capacity, "%" PRIu64 "%s\n", (digits >> 10) | (UINT64_C(1) << 53) | 1,
                 digits & 1 ? ".0000000000000000000000000001" : "");
        break;
    default:
        snprintf(text, capacity, "-%" PRIu64 ".%0*" PRIu64 "E%+d\n", digits % 1000, places,
                 next_random() >> 20, exponent);
    }
}

/* strtod of the C library rounds correctly and is compared bit for bit. */
UNIT_TEST(decimals_are_rounded_correctly)
{
    const int count = getenv("STENO_TEST_QUICK") ? 20000 : 1000000;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (int n = 0; n < count; n++) {
        char text[128], *at = text;
        double value;
        make_decimal(text, sizeof text);
        const double expected = strtod_l(text, NULL, plain);
        const stn_scan result = stn_scan_real(&at, plain, &value);
        if (isinf(expected))
            assert_int_equal(result, STN_SCAN_RANGE);
        else if (result != STN_SCAN_OK || *at != '\n' ||
                 memcmp(&value, &expected, sizeof value) != 0)
            fail_msg("%s read as %a, not %a", text, value, expected);
    }
    freelocale(plain);
}

static void assert_decimal(const char *text, double expected)
{
    char line[512], *at = line;
    double value;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    snprintf(line, sizeof line, "%s\n", text);
    assert_int_equal(stn_scan_real(&at, plain, &value), STN_SCAN_OK);
    freelocale(plain);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%s read as %a, not %a", text, value, expected);
    assert_int_equal(*at, '\n');
}

UNIT_TEST(decimals_at_the_limits_are_read)
{
    assert_decimal("9999999999999999999", 1e19);
    assert_decimal("18446744073709551617", 0x1p64);
    assert_decimal("9007199254740993", 0x1p53);
    assert_decimal("9007199254740995", 0x1.0000000000002p53);
    assert_decimal("1.7976931348623158e308", 0x1.fffffffffffffp1023);
    assert_decimal("2.2250738585072011e-308", 0x0.fffffffffffffp-1022);
    assert_decimal("4.9e-324", 0x1p-1074);
    assert_decimal("1e-400", 0.0);
    assert_decimal("-0", -0.0);
    assert_decimal("0e999999999999", 0.0);
    assert_decimal("0.00000000000000000000000000000000000000012345e40", 1.2345);
    assert_decimal("0.1000000000000000055511151231257827021181583404541015625", 0.1);
    assert_decimal("12345678901234567890123456789012345678901234567890D-49", 1.2345678901234567);
}

/* 0.00...07, with `places` digits after the point, times 10^exponent. */
static stn_scan scan_long(int places, int64_t exponent, double *value)
{
    const size_t length = (size_t)places + 2;
    char *const text = malloc(length + 32), *at = text;
    assert_non_null(text);
    memset(text, '0', length);
    text[1] = '.';
    snprintf(text + length - 1, 32, "7e%" PRId64 "\n", exponent);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const stn_scan result = stn_scan_real(&at, plain, value);
    freelocale(plain);
    free(text);
    return result;
}

/* An exponent makes up for the digits of a line, but not where it is cut for being too large. */
UNIT_TEST(exponents_beyond_all_digits_are_told_apart)
{
    for (int places = 10; places <= 100000; places *= 10) {
        double value;
        assert_int_equal(scan_long(places, places, &value), STN_SCAN_OK);
        assert_true(value == 7.0);
        assert_int_equal(scan_long(places, 1000000000000 + places, &value), STN_SCAN_RANGE);
        assert_int_equal(scan_long(places, -1000000000000, &value), STN_SCAN_OK);
        assert_true(value == 0.0);
    }
}

static void assert_integer(const char *text, stn_scan result, int64_t expected)
{
    char line[64], *at = line;
    int64_t value = 0;
    snprintf(line, sizeof line, "%s\n", text);
    assert_int_equal(stn_scan_integer(&at, &value), result);
    if (result == STN_SCAN_OK)
        assert_int_equal(value, expected);
    if (result != STN_SCAN_WORD)
        assert_int_equal(*at, '\n');
}

UNIT_TEST(integers_are_exact)
{
    assert_integer("9223372036854775807", STN_SCAN_OK, INT64_MAX);
    assert_integer("-9223372036854775808", STN_SCAN_OK, INT64_MIN);
    assert_integer("+0000000000000000000000000000012", STN_SCAN_OK, 12);
    assert_integer("9223372036854775808", STN_SCAN_RANGE, 0);
    assert_integer("-9223372036854775809", STN_SCAN_RANGE, 0);
    assert_integer("18446744073709551617", STN_SCAN_RANGE, 0);
    assert_integer("+", STN_SCAN_WORD, 0);
    assert_integer("--1", STN_SCAN_WORD, 0);
}

/* A locale that writes a comma for the decimal point: one of the system, or made here. */
static int enter_comma_locale(void)
{
    const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "./comma-locale"};
    for (int c = 0; c < COUNT_OF(commas); c++) {
        if (commas[c][0] == '.') {
            setenv("LOCPATH", ".", 1);
            if (system("localedef -i de_DE -f UTF-8 ./comma-locale >/dev/null 2>&1") == -1)
                return 0;
        }
        if (setlocale(LC_ALL, commas[c][0] == '.' ? "comma-locale" : commas[c]))
            return 1;
    }
    return 0;
}

static void leave_comma_locale(void)
{
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    if (system("rm -rf ./comma-locale") != 0)
        print_message("comma-locale could not be removed\n");
}

UNIT_TEST(the_locale_does_not_matter)
{
    if (!enter_comma_locale()) {
        leave_comma_locale();
        print_message("skipped: there is no locale with a decimal comma\n");
        skip();
    }
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    assert_decimal("1.5", 1.5);
    assert_decimal("1.5e-300", 1.5e-300);

    const char *const path = "market-locale.mtx";
    double values[] = {0.25, 1.5e-300};
    const stn_market_matrix matrix =
        STN_INIT(stn_market_matrix, .storage = STN_MARKET_DENSE, .rows = 1, .columns = 2,
                 .entries = 2, .value_format = STN_F64, .values = values);
    expect_ok(stn_market_write_file(&matrix, path));
    assert_int_equal(localeconv()->decimal_point[0], ',');
    stn_market_matrix back = STN_MARKET_MATRIX_INIT;
    expect_ok(stn_market_read_file(&back, path, 0));
    assert_memory_equal(back.values, values, sizeof values);
    stn_market_release(&back);
    unlink(path);
    leave_comma_locale();
}

RUN_UNIT_TESTS(NULL, NULL)
