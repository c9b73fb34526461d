/* What the tests of formats measure Steno against: the table of formats as data, codecs in ordinary
 * floating-point arithmetic that share no code with the library, and the inputs that
 * test/oracle/generate.py knows too. */
#ifndef STENO_TEST_ORACLE_H
#define STENO_TEST_ORACLE_H

#include "steno/codec.h"

typedef enum oracle_class { ORACLE_FLOAT, ORACLE_INTEGER, ORACLE_COMPLEX } oracle_class;

/* A row of STN_FORMAT_TABLE. Codes are little-endian integers of `bits` bits; of a complex format
 * this is its component. */
typedef struct oracle_format {
    oracle_class kind;
    int32_t id, component;
    const char *name;
    int bits, exponent_bits, fraction_bits, finite_only, is_signed;
    stn_overflow overflow_rule;
} oracle_format;

/* By id. */
extern const oracle_format oracle_formats[STN_BUILTIN_FORMATS];

/* ---- decoding: exact in f64, else rounded once by the hardware; NaN for every NaN code ---- */

double oracle_decode(const oracle_format *format, uint64_t code);
float oracle_decode_f32(const oracle_format *format, uint64_t code);
int oracle_is_nan(const oracle_format *format, uint64_t code);

/* Codes of the largest finite value of a float format and of any format, of infinity (0: none) and
 * of the canonical NaN. */
uint64_t oracle_top(const oracle_format *format);
uint64_t oracle_largest(const oracle_format *format);
uint64_t oracle_infinity(const oracle_format *format);
uint64_t oracle_nan(const oracle_format *format);

/* ---- encoding ---- */

/* Where a magnitude lies: at `offset`, 0 <= offset < 1, from the value of the code `below` to the
 * next; or `beyond` everything that rounding could bring back. Float codes are without sign. */
typedef struct oracle_bracket {
    uint64_t below;
    double offset;
    int beyond;
} oracle_bracket;

typedef struct oracle_rule {
    stn_rounding rounding;
    stn_overflow overflow;
    uint64_t random;
} oracle_rule;

oracle_bracket oracle_bracket_of(const oracle_format *format, double magnitude);

/* Code of x, whose magnitude has this bracket (any, when x is not finite). */
uint64_t oracle_round(const oracle_format *format, double x, oracle_bracket bracket,
                      oracle_rule rule, unsigned *events);

uint64_t oracle_encode(const oracle_format *format, double x, oracle_rule rule, unsigned *events);

/* ---- Steno's scalar codec by row of the table ---- */

uint64_t steno_encode(const oracle_format *format, double x, oracle_rule rule, unsigned *events);
double steno_decode(const oracle_format *format, uint64_t code);
float steno_decode_f32(const oracle_format *format, uint64_t code);
stn_float_kind steno_kind(const oracle_format *format);

/* ---- inputs ---- */

/* Codes to decode, and to encode around: every one of up to 16 bits, else each exponent or power of
 * two with its neighbourhood, and random ones. */
int64_t oracle_code_count(const oracle_format *format);
uint64_t oracle_code(const oracle_format *format, int64_t k);

/* Distance from the value of a finite code to the next one away from zero. */
double oracle_step(const oracle_format *format, uint64_t code);

/* Calls `use` with the values that are hard to encode: values of codes, of which every `step`th is
 * taken, halves and quarters between them, values beyond the largest, specials and powers of two;
 * each with its neighbors in f64 and f32, of both signs. k counts the calls that differ in more. */
typedef void oracle_use(const oracle_format *format, double x, uint64_t k);
void oracle_hard_values(const oracle_format *format, int64_t step, oracle_use *use);

/* Output k of SplitMix64 started with `seed`. */
uint64_t oracle_random(uint64_t seed, uint64_t k);

/* The random bits of stochastic rounding: another implementation of stn_rounding_bits. */
uint64_t oracle_rounding_bits(uint64_t seed, uint64_t index);

/* Input k of the random encodings, as bits: half are anything, half in the format's range, of which
 * half are cut to few bits so that ties are met. generate.py has the same. */
uint64_t oracle_input_f64(const oracle_format *format, uint64_t k);
uint32_t oracle_input_f32(const oracle_format *format, uint64_t k);

/* Values every encoder should be asked for: zeros, infinities, NaN of all kinds, extremes. */
extern const uint64_t oracle_specials_f64[];
extern const int oracle_special_f64_count;
extern const uint32_t oracle_specials_f32[];
extern const int oracle_special_f32_count;

/* CRC-32 (as zlib's) of the little-endian bytes of a word, continuing `crc`, which starts at 0. */
uint32_t oracle_crc(uint32_t crc, uint64_t word, int bytes);

/* 0, or how many times a run is to be shorter than usual ones of those that should be short
 * (STENO_TEST_QUICK): at least 1. */
int oracle_quick(void);

/* Whether case k of equal ones is left out of the shortest runs, those under sanitizers: two of
 * three. */
int oracle_leaves_out(int k);

/* Is this a run of all combinations, however long (STENO_TEST_FULL)? */
int oracle_full(void);

/* How many, in a short run, a usual one, and one of all combinations. */
int oracle_count(int quick, int usual, int full);

#endif
