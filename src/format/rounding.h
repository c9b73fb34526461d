/* Storing by rules that the encoders of codecs do not have: a tile of values is replaced by values
 * that these encoders store as the codes of the rules, and events are counted. */
#ifndef STENO_FORMAT_ROUNDING_H
#define STENO_FORMAT_ROUNDING_H

#include "format/run.h"

/* The values of a format, as seen from an arithmetic type. */
typedef struct stn_grid {
    /* Values that do not saturate when rounded to nearest. */
    double lowest, highest;
    /* Values that become 0 or, in integers with a zero point, the code of 0. */
    double lost_from, lost_to;
    /* Magnitudes below `normal` are multiples of `quantum`; above, up to `largest`, `cut` bits are
     * removed. */
    double normal, quantum, largest;
    int cut;
} stn_grid;

/* Values, of the arithmetic type of the loops. `rounded` may be the array of values if they are
 * not rounded. `given` are the values before scale and zero point, or the values. */
typedef struct stn_rule_tile {
    const void *given, *values;
    void *rounded;
    int64_t count;
} stn_rule_tile;

/* Loops over a tile, in f64 or f32 arithmetic. */
typedef struct stn_rule_loops {
    /* The values that are rounded to codes. */
    void (*divide)(void *quotients, const void *values, int64_t count, const stn_affine *affine);
    /* Quotients and products of values and scales of the arithmetic type: `left` values with the
     * first scale, then `block` values with each further one. The results may replace the values.
     */
    void (*divide_blocks)(void *quotients, const void *values, int64_t count, const void *scales,
                          int64_t left, int64_t block);
    void (*multiply_blocks)(void *products, const void *values, int64_t count, const void *scales,
                            int64_t left, int64_t block);
    /* bits[k] is the hash of index first + (k >> shift) * step + (k & shift). */
    void (*draw)(uint32_t *bits, int64_t count, uint32_t first, uint32_t step, int shift,
                 uint64_t key);
    /* Rounds to values of the format; without bits, toward zero. Returns 0 if none is outside of
     * the range or NaN. */
    int (*round)(const stn_rule_tile *tile, const stn_grid *grid, const uint32_t *bits);
    /* Is a rounded value outside of the range or NaN? Adds the number of lost values to *lost,
     * unless it is NULL. */
    int (*find)(const stn_rule_tile *tile, const stn_grid *grid, int64_t *lost);
    /* Adds the numbers of values outside of the range and NaN. `keeps_infinity`: an infinity is not
     * outside. */
    void (*count)(const stn_rule_tile *tile, const stn_grid *grid, int keeps_infinity,
                  int64_t *outside, int64_t *nan);
    /* Replaces rounded values outside of the range. */
    void (*replace)(const stn_rule_tile *tile, const stn_grid *grid, double beyond,
                    double infinite);
    /* Stores the codes whose mask, of the size of a value, is set. Returns 0 if this is not
     * supported: without masked stores, except for `owned` codes, whose unmasked neighbors may be
     * stored unchanged. */
    int (*store_masked)(void *to, const void *codes, int64_t bytes, const void *mask, int64_t count,
                        int owned);
} stn_rule_loops;

/* NULL in portable C. */
const stn_rule_loops *stn_rule_loops_of(stn_format arithmetic);

/* Encodes contiguous elements by the rules of a run, whose member `portable` is set. */
void stn_encode_by_rules(const stn_run *run, const void *values, void *codes, int64_t first,
                         int64_t count);

/* Does rounding to nearest by the codec of a real format obey an overflow rule? */
int stn_overflow_is_default(stn_format real, stn_overflow overflow);

/* Parameters of a built-in float format. */
stn_float_kind stn_float_kind_of(stn_format format);

#endif
