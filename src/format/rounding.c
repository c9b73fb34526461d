/* Loops of format/rounding.h in arithmetic STN_FORMAT, f64 or f32, on STN_ISA. */
#include "format/rounding.h"

#include <math.h>

#include "core/versions.h"
#include "format/vec.h"
#include "format/vec/quotient.h"

#define OF__(name, format) name##_##format
#define OF_(name, format)  OF__(name, format)
#define OF(name)           OF_(name, STN_FORMAT)

#ifdef __AVX512BW__
enum { HAS_MASKS_OF_BYTES = 1 };
#else
enum { HAS_MASKS_OF_BYTES = 0 };
#endif
#ifdef __AVX2__
enum { HAS_MASKS_OF_WORDS = 1 };
#else
enum { HAS_MASKS_OF_WORDS = 0 };
#endif

typedef code value;
typedef uint64_t word_f64;
typedef uint32_t word_f32;
typedef OF(word) word;

STN_FN double trunc_f64(double x)
{
    return __builtin_trunc(x);
}
STN_FN float trunc_f32(float x)
{
    return __builtin_truncf(x);
}
STN_FN double absolute_f64(double x)
{
    return __builtin_fabs(x);
}
STN_FN float absolute_f32(float x)
{
    return __builtin_fabsf(x);
}
STN_FN double with_sign_f64(double x, double sign)
{
    return __builtin_copysign(x, sign);
}
STN_FN float with_sign_f32(float x, float sign)
{
    return __builtin_copysignf(x, sign);
}

/* The upper 31 random bits, aligned with the bits that are removed. Adding them carries into the
 * remaining bits if and only if the complement of the random bits is less than the fraction
 * (stn_rounds_up). */
STN_FN word carry_of(uint32_t bits, int right, int left)
{
    return (word)(bits >> right) << left;
}
/* The same for a fraction from 0 to 1. Comparing is exact, adding is not. */
STN_FN int rounds_up_f64(double fraction, uint32_t bits)
{
    return fraction >= 1.0 - (double)(int32_t)(bits >> 1) * 0x1p-31;
}
STN_FN int rounds_up_f32(float fraction, uint32_t bits)
{
    const int32_t cut = (int32_t)((fraction >= 0.0f ? fraction : 0.0f) * 0x1p31f);
    return (int)(((uint32_t)cut + (bits >> 1)) >> 31);
}

STN_FN vf64x2 product_f64(vf64x2 x, double by)
{
    return (vf64x2){v_mul_f64(x.low, v_set_f64(by)), v_mul_f64(x.high, v_set_f64(by))};
}
STN_FN vf32 product_f32(vf32 x, float by)
{
    return v_mul_f32(x, v_set_f32(by));
}

/* `count` quotients of a few values, which may be in the same array. */
STN_FN void divide_by(value *to, const value *from, int64_t count, const OF(divisor) * divisor)
{
    int64_t k = 0;
    value rest[V_PIECE] = {0};
    for (; k + V_PIECE <= count; k += V_PIECE)
        OF(v_store)(to + k, OF(quotient)(OF(v_load)(from + k), divisor));
    if (k == count)
        return;
    memcpy(rest, from + k, (size_t)(count - k) * sizeof *rest);
    OF(v_store)(rest, OF(quotient)(OF(v_load)(rest), divisor));
    memcpy(to + k, rest, (size_t)(count - k) * sizeof *rest);
}

static void divide(void *quotients, const void *values, int64_t count, const stn_affine *affine)
{
    const OF(divisor) divisor = OF(take_divisor)(affine);
    divide_by(quotients, values, count, &divisor);
}

/* Reciprocals of several scales are computed in vectors. */
enum { DIVISORS = 32 };
typedef struct divisors {
    value inverse[DIVISORS], lower[DIVISORS], rest[DIVISORS];
    int divides[DIVISORS];
} divisors;

STN_FN void find_divisors(divisors *restrict to, const value *restrict scales, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const OF(divisor) divisor = OF(divisor_of)(scales[k]);
        to->inverse[k] = divisor.inverse;
        to->lower[k] = divisor.lower;
        to->rest[k] = divisor.rest;
        to->divides[k] = divisor.divides;
    }
}

/* The number of blocks that `count` values begin, at most DIVISORS. */
static int64_t blocks_of(int64_t count, int64_t left, int64_t block)
{
    int64_t blocks = 1;
    for (int64_t end = left; end < count && blocks < DIVISORS; end += block)
        blocks++;
    return blocks;
}

static void divide_blocks(void *quotients, const void *values, int64_t count, const void *scales,
                          int64_t left, int64_t block)
{
    value *const to = quotients;
    const value *const from = values, *scale = scales;
    divisors all;
    for (int64_t k = 0, d = 0, end; k < count; k = end, d = (d + 1) % DIVISORS, scale++) {
        if (d == 0)
            find_divisors(&all, scale, blocks_of(count - k, left, block));
        const OF(divisor) divisor = {.scale = *scale,
                                     .inverse = all.inverse[d],
                                     .lower = all.lower[d],
                                     .rest = all.rest[d],
                                     .divides = all.divides[d]};
        end = count - k < left ? count : k + left;
        left = block;
        divide_by(to + k, from + k, end - k, &divisor);
    }
}

static void multiply_blocks(void *products, const void *values, int64_t count, const void *scales,
                            int64_t left, int64_t block)
{
    value *const to = products;
    const value *const from = values, *scale = scales;
    for (int64_t k = 0, end; k < count; scale++) {
        const value by = *scale; /* stores might change it */
        end = count - k < left ? count : k + left;
        left = block;
        for (; k + V_PIECE <= end; k += V_PIECE)
            OF(v_store)(to + k, OF(product)(OF(v_load)(from + k), by));
        for (; k < end; k++)
            to[k] = from[k] * by;
    }
}

static void draw(uint32_t *bits, int64_t count, uint32_t first, uint32_t step, int shift,
                 uint64_t key)
{
    for (uint32_t k = 0; k < (uint32_t)count; k++)
        bits[k] = stn_rounding_hash(first + (k >> shift) * step + (k & (uint32_t)shift), key);
}

/* Of magnitudes from grid->normal to grid->largest: bits are removed from the significand. Returns
 * whether other values occur that are not 0. */
STN_FN int round_normal(value *restrict to, const value *restrict from, int64_t count,
                        const stn_grid *grid, const uint32_t *restrict bits)
{
    const value normal = (value)grid->normal, largest = (value)grid->largest;
    const int cut = grid->cut, right = cut < 32 ? 32 - cut : 1, left = cut < 32 ? 0 : cut - 31;
    const word kept = ~(word)0 << cut;
    word others = 0;
    for (int64_t k = 0; k < count; k++) {
        const value x = from[k], magnitude = OF(absolute)(x);
        word all;
        memcpy(&all, &x, sizeof all);
        all = (all + (bits ? carry_of(bits[k], right, left) : 0)) & kept;
        memcpy(&to[k], &all, sizeof all);
        others |= (word)((!(magnitude >= normal) & (x != 0)) | !(magnitude <= largest));
    }
    return others != 0;
}

/* Of magnitudes below grid->normal; NaN is copied. */
STN_FN void round_others(value *restrict to, const value *restrict from, int64_t count,
                         const stn_grid *grid, const uint32_t *restrict bits)
{
    const value normal = (value)grid->normal, quantum = (value)grid->quantum;
    const value per_quantum = (value)(1.0 / grid->quantum);
    for (int64_t k = 0; k < count; k++) {
        const value x = from[k], magnitude = OF(absolute)(x), of_normal = to[k];
        const value quotient = magnitude * per_quantum, whole = OF(trunc)(quotient);
        const int up = bits ? OF(rounds_up)(quotient - whole, bits[k]) : 0;
        const value rounded = OF(with_sign)((whole + (value)up) * quantum, x);
        to[k] = magnitude < normal ? rounded : x != x ? x : of_normal;
    }
}

/* To integers; infinity and NaN are copied. */
STN_FN void round_to_integers(value *restrict to, const value *restrict from, int64_t count,
                              const uint32_t *restrict bits)
{
    for (int64_t k = 0; k < count; k++) {
        const value x = from[k], whole = OF(trunc)(x);
        const int up = bits ? OF(rounds_up)(OF(absolute)(x - whole), bits[k]) : 0;
        to[k] = bits ? whole + OF(with_sign)((value)up, x) : whole;
    }
}

static int round_tile(const stn_rule_tile *tile, const stn_grid *grid, const uint32_t *bits)
{
    value *const to = tile->rounded;
    const value *const from = tile->values;
    const int64_t count = tile->count;
    if (grid->cut == 0 && bits)
        round_to_integers(to, from, count, bits);
    else if (grid->cut == 0)
        round_to_integers(to, from, count, NULL);
    else if (bits && round_normal(to, from, count, grid, bits))
        round_others(to, from, count, grid, bits);
    else if (!bits && round_normal(to, from, count, grid, NULL))
        round_others(to, from, count, grid, NULL);
    else
        return 0;
    return 1;
}

/* May symmetric limits affect a value? Magnitudes are compared as bits; values given as 0 are not
 * lost. */
static int may_find(const stn_rule_tile *tile, const stn_grid *grid)
{
    const value *const x = tile->rounded, *const given = tile->given;
    const value limits[] = {(value)grid->lost_to, (value)grid->highest};
    word bits[2], least = (word)-1, greatest = 0;
    memcpy(bits, limits, sizeof bits);
    for (int64_t k = 0; k < tile->count; k++) {
        word size, before;
        memcpy(&size, &x[k], sizeof size);
        memcpy(&before, &given[k], sizeof before);
        size <<= 1;
        const word kept = size | -(word)(before << 1 == 0);
        least = kept < least ? kept : least;
        greatest = size > greatest ? size : greatest;
    }
    return least <= bits[0] << 1 || greatest > bits[1] << 1;
}

static int find(const stn_rule_tile *tile, const stn_grid *grid, int64_t *lost)
{
    const value *const x = tile->rounded, *const given = tile->given;
    const value lowest = (value)grid->lowest, highest = (value)grid->highest;
    const value lost_from = (value)grid->lost_from, lost_to = (value)grid->lost_to;
    word outside = 0, count = 0;
    if (!lost) {
        for (int64_t k = 0; k < tile->count; k++)
            outside |= (word)(!(x[k] >= lowest) | !(x[k] <= highest));
        return outside != 0;
    }
    if (grid->lowest == -grid->highest && !may_find(tile, grid))
        return 0;
    for (int64_t k = 0; k < tile->count; k++) {
        outside |= (word)(!(x[k] >= lowest) | !(x[k] <= highest));
        count += (word)((x[k] >= lost_from) & (x[k] <= lost_to) & (given[k] != 0));
    }
    *lost += (int64_t)count;
    return outside != 0;
}

static void count_outside(const stn_rule_tile *tile, const stn_grid *grid, int keeps_infinity,
                          int64_t *outside, int64_t *nan)
{
    const value *const x = tile->rounded, *const from = tile->values;
    const value lowest = (value)grid->lowest, highest = (value)grid->highest;
    const value limit = keeps_infinity ? (value)INFINITY : (value)NAN; /* NaN: equal to none */
    word saturated = 0, nans = 0;
    for (int64_t k = 0; k < tile->count; k++) {
        saturated +=
            (word)(((x[k] < lowest) | (x[k] > highest)) & (OF(absolute)(from[k]) != limit));
        nans += (word)(from[k] != from[k]);
    }
    *outside += (int64_t)saturated;
    *nan += (int64_t)nans;
}

static void replace(const stn_rule_tile *tile, const stn_grid *grid, double beyond, double infinite)
{
    value *const x = tile->rounded;
    const value *const from = tile->values;
    const value lowest = (value)grid->lowest, highest = (value)grid->highest;
    const value of_finite = (value)beyond, of_infinite = (value)infinite;
    STN_APART
    for (int64_t k = 0; k < tile->count; k++) {
        const value by = OF(absolute)(from[k]) == (value)INFINITY ? of_infinite : of_finite;
        x[k] = ((x[k] < lowest) | (x[k] > highest)) ? OF(with_sign)(by, x[k]) : x[k];
    }
}

/* Sizes are constants in each call. Without masked stores of small codes, only `owned` ones, which
 * no other thread accesses, can be stored: together with their neighbors. */
#define DEFINE_STORE_MASKED(T)                                                                     \
    static void store_masked_##T(T *restrict to, const T *restrict codes,                          \
                                 const word *restrict mask, int64_t count)                         \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            if (mask[k])                                                                           \
                to[k] = codes[k];                                                                  \
    }                                                                                              \
    static void blend_##T(T *restrict to, const T *restrict codes, const word *restrict mask,      \
                          int64_t count)                                                           \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = mask[k] ? codes[k] : to[k];                                                    \
    }
DEFINE_STORE_MASKED(uint8_t)
DEFINE_STORE_MASKED(uint16_t)
DEFINE_STORE_MASKED(uint32_t)
DEFINE_STORE_MASKED(uint64_t)

#define STORE(T, has_masks)                                                                        \
    case sizeof(T):                                                                                \
        if (has_masks)                                                                             \
            store_masked_##T(to, codes, mask, count);                                              \
        else if (owned)                                                                            \
            blend_##T(to, codes, mask, count);                                                     \
        return (has_masks) || owned;

static int store_masked(void *to, const void *codes, int64_t bytes, const void *mask, int64_t count,
                        int owned)
{
    switch (bytes) {
        STORE(uint8_t, HAS_MASKS_OF_BYTES)
        STORE(uint16_t, HAS_MASKS_OF_BYTES)
        STORE(uint32_t, HAS_MASKS_OF_WORDS)
        STORE(uint64_t, HAS_MASKS_OF_WORDS)
    default:
        return 0;
    }
}

extern const stn_rule_loops STN_INSTANCE(stn_rule_loops);
const stn_rule_loops STN_INSTANCE(stn_rule_loops) = {divide,        divide_blocks, multiply_blocks,
                                                     draw,          round_tile,    find,
                                                     count_outside, replace,       store_masked};
