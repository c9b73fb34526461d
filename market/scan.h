/* Numbers in a text: indices, integers and correctly rounded decimals, in the C locale. Every
 * text ends with a byte that no number contains, such as a newline, so that no end checks are
 * needed. */
#ifndef STENO_MARKET_SCAN_H
#define STENO_MARKET_SCAN_H

#include <locale.h>
#include <stdint.h>

typedef enum stn_scan {
    STN_SCAN_OK = 0,
    STN_SCAN_WORD = 1,      /* no number begins here */
    STN_SCAN_NONFINITE = 2, /* infinity or NaN, as a word */
    STN_SCAN_RANGE = 3      /* a number out of the type's range; *at moves past it */
} stn_scan;

/* Each reads the number at *at and moves *at past it. */
stn_scan stn_scan_integer(char **at, int64_t *value);

/* [+-] digits [. digits] [(e|E|d|D) [+-] digits], rounded to nearest even, or a word for
 * infinity or NaN, whose value is set and which *at moves past. Overflow yields infinity.
 * `plain` is the locale "C". The text is modified during the call. */
stn_scan stn_scan_real(char **at, locale_t plain, double *value);

static inline int stn_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The common form of an index: 1 to 18 digits. 0 for any other text. */
static inline int stn_scan_index(char **at, int64_t *value)
{
    char *digit = *at;
    int64_t sum = 0;
    for (; stn_is_digit(*digit); digit++) {
        if (digit - *at == 18)
            return 0;
        sum = 10 * sum + (*digit - '0');
    }
    const int found = digit > *at;
    *at = digit;
    *value = sum;
    return found;
}

#endif
