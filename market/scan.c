/* Number scanners. Decimals of at most 19 digits and moderate exponents, which are nearly all, use
 * exact integer arithmetic; others use the C library's strtod. */
#define _GNU_SOURCE
#include "market/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* 5^27 is the largest power of five below 2^64. */
enum { EXACT_DIGITS = 19, EXACT_POWER = 27 };

/* Exponents are limited to this: far above the digits that a line can hold, so that these cannot
 * compensate it. */
enum { EXPONENT_LIMIT = 10000000 };

/* clang-format off */
static const uint64_t power_of_five[EXACT_POWER + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u,
    244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u,
    3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
    11920928955078125u, 59604644775390625u, 298023223876953125u, 1490116119384765625u,
    7450580596923828125u,
};
/* clang-format on */

/* (significand + something below its last bit if `inexact`) * 2^exponent as a double. The top bit
 * of the significand is set; the result is normal and in range. */
static double round_to_double(uint64_t significand, int inexact, int exponent)
{
    const uint64_t half = 1u << 10;
    const uint64_t rest = significand & (2 * half - 1);
    uint64_t kept = significand >> 11;
    if (rest > half || (rest == half && (inexact || (kept & 1))))
        kept++;
    /* The sum carries into the exponent if rounding reaches the next power of two. */
    const uint64_t bits = ((uint64_t)(exponent + 63 + 1023) << 52) + (kept - (UINT64_C(1) << 52));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* digits * 10^power, correctly rounded, for nonzero digits and |power| <= EXACT_POWER. */
static double scale_by_power_of_ten(uint64_t digits, int power)
{
    if (power < 0) {
        /* Both sides are normalized, and the dividend has 63 more bits, so that the quotient has 63
         * or 64: enough to round, with the remainder as sticky bit. */
        const int dividend_shift = __builtin_clzll(digits);
        const uint64_t five = power_of_five[-power];
        const int divisor_shift = __builtin_clzll(five);
        const wide dividend = (wide)(digits << dividend_shift) << 63;
        const uint64_t divisor = five << divisor_shift;
        const uint64_t quotient = (uint64_t)(dividend / divisor);
        const int inexact = (uint64_t)dividend != quotient * divisor;
        const int shift = __builtin_clzll(quotient);
        return round_to_double(quotient << shift, inexact,
                               divisor_shift - dividend_shift - 63 + power - shift);
    }
    const wide product = (wide)digits * power_of_five[power];
    const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if (high == 0)
        return round_to_double(low << __builtin_clzll(low), 0, power - __builtin_clzll(low));
    const int shift = __builtin_clzll(high);
    const wide normal = product << shift;
    return round_to_double((uint64_t)(normal >> 64), (uint64_t)normal != 0, power + 64 - shift);
}

static int is_sign(char c)
{
    return c == '+' || c == '-';
}

static int is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* Scans a word for infinity or NaN. Other words are left unread. */
static stn_scan scan_word(char **at, double *value)
{
    const char *const names[] = {"inf", "infinity", "nan"};
    const int negative = **at == '-';
    char *const word = *at + is_sign(**at);
    for (size_t w = 0; w < sizeof names / sizeof names[0]; w++) {
        size_t same = 0;
        while (names[w][same] && (word[same] | 0x20) == names[w][same])
            same++;
        if (!names[w][same] && !is_letter(word[same])) {
            const double magnitude = names[w][0] == 'n' ? (double)NAN : (double)INFINITY;
            *value = negative ? -magnitude : magnitude;
            *at = word + same;
            return STN_SCAN_NONFINITE;
        }
    }
    return STN_SCAN_WORD;
}

stn_scan stn_scan_integer(char **at, int64_t *value)
{
    char *digit = *at + is_sign(**at);
    double unused;
    if (!stn_is_digit(*digit))
        return scan_word(at, &unused);
    const int negative = **at == '-';
    int overflow = 0;
    int64_t sum = 0;
    for (; stn_is_digit(*digit); digit++) {
        const int unit = negative ? '0' - *digit : *digit - '0';
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, unit, &sum))
            overflow = 1;
    }
    *at = digit;
    *value = sum;
    return overflow ? STN_SCAN_RANGE : STN_SCAN_OK;
}

/* The value of the token [begin, end) by the C library; exponent_letter is NULL if it has none. */
static stn_scan scan_by_library(char *begin, char *exponent_letter, char *end, locale_t plain,
                                double *value)
{
    const char after = *end, letter = exponent_letter ? *exponent_letter : '\0';
    *end = '\0';
    if (exponent_letter)
        *exponent_letter = 'e';
    *value = strtod_l(begin, NULL, plain);
    if (exponent_letter)
        *exponent_letter = letter;
    *end = after;
    return isinf(*value) ? STN_SCAN_RANGE : STN_SCAN_OK;
}

/* The exponent at *at, after its letter, limited to EXPONENT_LIMIT. */
static int scan_exponent(char **at, int *exponent)
{
    char *digit = *at + is_sign(**at);
    if (!stn_is_digit(*digit))
        return 0;
    int sum = 0;
    for (; stn_is_digit(*digit); digit++)
        sum = sum < EXPONENT_LIMIT ? 10 * sum + (*digit - '0') : EXPONENT_LIMIT;
    *exponent = **at == '-' ? -sum : sum;
    *at = digit;
    return 1;
}

/* Number of digits of [first, end) from the first nonzero digit on; at most one byte is the decimal
 * point. */
static int64_t count_significant(const char *first, const char *end, int64_t digits)
{
    for (; first < end && (*first == '0' || *first == '.'); first++)
        digits -= *first == '0';
    return digits;
}

stn_scan stn_scan_real(char **at, locale_t plain, double *value)
{
    char *const first = *at + is_sign(**at);
    uint64_t significand = 0; /* wraps around beyond 19 digits, and is then not used */
    char *digit = first;
    for (; stn_is_digit(*digit); digit++)
        significand = 10 * significand + (uint64_t)(*digit - '0');
    int64_t digits = digit - first, power = 0;
    if (*digit == '.') {
        char *const fraction = ++digit;
        for (; stn_is_digit(*digit); digit++)
            significand = 10 * significand + (uint64_t)(*digit - '0');
        power = fraction - digit;
        digits -= power;
    }
    if (digits == 0)
        return scan_word(at, value);
    char *const end_of_digits = digit;
    char *letter = NULL;
    int exponent = 0;
    if ((*digit | 0x20) == 'e' || (*digit | 0x20) == 'd') {
        letter = digit++;
        if (!scan_exponent(&digit, &exponent))
            return STN_SCAN_WORD;
    }
    char *const begin = *at;
    *at = digit;
    power += exponent;
    if (digits > EXACT_DIGITS)
        digits = count_significant(first, end_of_digits, digits);
    if (digits > EXACT_DIGITS || (significand && (power > EXACT_POWER || power < -EXACT_POWER)))
        return scan_by_library(begin, letter, digit, plain, value);
    const double magnitude = significand ? scale_by_power_of_ten(significand, (int)power) : 0.0;
    *value = *begin == '-' ? -magnitude : magnitude;
    return STN_SCAN_OK;
}
