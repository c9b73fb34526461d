/* The order of reductions and scans, element by element: see reduce_oracle.h. */
#include "reduce_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, TILE = 128, LEVELS = 56 };

/* ---- one operation on two values ---- */

static double multiply_add(stn_format arithmetic, double a, double b, double c)
{
    return arithmetic == STN_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

static int64_t wrap(uint64_t bits)
{
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static reduce_value add(stn_format arithmetic, reduce_value a, reduce_value b)
{
    return (reduce_value){order_add(arithmetic, a.real, b.real),
                          wrap((uint64_t)a.integer + (uint64_t)b.integer)};
}

static reduce_value multiply(stn_format arithmetic, reduce_value a, reduce_value b)
{
    return (reduce_value){order_multiply(arithmetic, a.real, b.real),
                          wrap((uint64_t)a.integer * (uint64_t)b.integer)};
}

/* Does a come before b where the lowest comes first: -0 before +0? */
static int is_less(stn_format arithmetic, reduce_value a, reduce_value b)
{
    if (arithmetic == STN_I64)
        return a.integer < b.integer;
    if (a.real == b.real)
        return signbit(a.real) && !signbit(b.real);
    return a.real < b.real;
}

/* Is b to be taken instead of a, which stands before it? A NaN stays, and replaces what is none. */
static int is_better(stn_format arithmetic, int lowest, reduce_value a, reduce_value b)
{
    if (arithmetic != STN_I64 && isnan(a.real))
        return 0;
    if (arithmetic != STN_I64 && isnan(b.real))
        return 1;
    return lowest ? is_less(arithmetic, b, a) : is_less(arithmetic, a, b);
}

/* ---- values on their way ---- */

typedef struct partial {
    int present;
    reduce_value value;
} partial;

/* What a sum of this kind does with two partial values. */
static reduce_operation kernel_of(reduce_operation operation)
{
    switch (operation) {
    case REDUCE_COUNT:
    case REDUCE_NORM1:
    case REDUCE_NORM2:
    case REDUCE_PRODUCTS:
        return REDUCE_SUM;
    case REDUCE_NORM_INF:
    case REDUCE_ANY:
        return REDUCE_MAX;
    case REDUCE_ALL:
        return REDUCE_MIN;
    default:
        return operation;
    }
}

/* The arithmetic of the partial values. */
static stn_format arithmetic_of(const reduce_rule *rule)
{
    const reduce_operation o = rule->operation;
    return o == REDUCE_COUNT || o == REDUCE_ANY || o == REDUCE_ALL ? STN_I64 : rule->arithmetic;
}

static partial combine(const reduce_rule *rule, partial left, partial right)
{
    const stn_format arithmetic = arithmetic_of(rule);
    const reduce_operation operation = kernel_of(rule->operation);
    if (!left.present)
        return right;
    if (!right.present)
        return left;
    switch (operation) {
    case REDUCE_SUM:
        left.value = add(arithmetic, left.value, right.value);
        return left;
    case REDUCE_PRODUCT:
        left.value = multiply(arithmetic, left.value, right.value);
        return left;
    case REDUCE_BY:
        left.value = rule->combine(arithmetic, left.value, right.value);
        return left;
    default:
        return is_better(arithmetic, operation == REDUCE_MIN, left.value, right.value) ? right
                                                                                       : left;
    }
}

/* An element as the first value of a lane. */
static reduce_value begin(const reduce_rule *rule, reduce_value x, reduce_value y)
{
    switch (rule->operation) {
    case REDUCE_PRODUCTS:
        return multiply(rule->arithmetic, x, y);
    case REDUCE_NORM2:
        return multiply(rule->arithmetic, x, x);
    case REDUCE_NORM1:
    case REDUCE_NORM_INF:
        return (reduce_value){fabs(x.real),
                              x.integer < 0 ? wrap(0 - (uint64_t)x.integer) : x.integer};
    case REDUCE_COUNT:
    case REDUCE_ANY:
    case REDUCE_ALL:
        return (reduce_value){0.0, x.integer != 0};
    default:
        return x;
    }
}

static partial fold(const reduce_rule *rule, partial lane, reduce_value x, reduce_value y)
{
    const reduce_value other = rule->operation == REDUCE_PRODUCTS ? y : x;
    const partial element = {1, begin(rule, x, y)};
    if (!lane.present || (rule->operation != REDUCE_PRODUCTS && rule->operation != REDUCE_NORM2))
        return combine(rule, lane, element);
    lane.value.real = multiply_add(rule->arithmetic, x.real, other.real, lane.value.real);
    lane.value.integer = add(STN_I64, lane.value, multiply(STN_I64, x, other)).integer;
    return lane;
}

/* ---- the order ---- */

/* Tile `tile` of the elements. */
static partial reduce_tile(const reduce_rule *rule, const reduce_value *x, const reduce_value *y,
                           int64_t count, int64_t tile)
{
    partial lane[LANES];
    memset(lane, 0, sizeof lane);
    for (int64_t e = tile * TILE; e < count && e < (tile + 1) * TILE; e++)
        lane[e % LANES] = fold(rule, lane[e % LANES], x[e], y[e]);
    for (int h = LANES / 2; h >= 1; h /= 2)
        for (int l = 0; l < h; l++)
            lane[l] = combine(rule, lane[l], lane[l + h]);
    return lane[0];
}

/* The sums of the binary counter. */
typedef struct counter {
    partial level[LEVELS];
} counter;

static void count_tile(const reduce_rule *rule, counter *blocks, partial tile)
{
    int bit = 0;
    for (; blocks->level[bit].present; bit++) {
        tile = combine(rule, blocks->level[bit], tile);
        blocks->level[bit].present = 0;
    }
    blocks->level[bit] = tile;
}

/* What is left over, from the right. */
static partial from_the_right(const reduce_rule *rule, const counter *blocks)
{
    partial total = {0, {0.0, 0}};
    for (int bit = 0; bit < LEVELS; bit++)
        total = combine(rule, blocks->level[bit], total);
    return total;
}

/* The same blocks from the left. */
static partial from_the_left(const reduce_rule *rule, const counter *blocks)
{
    partial total = {0, {0.0, 0}};
    for (int bit = LEVELS - 1; bit >= 0; bit--)
        total = combine(rule, total, blocks->level[bit]);
    return total;
}

static partial reduce_tree(const reduce_rule *rule, const reduce_value *x, const reduce_value *y,
                           int64_t count)
{
    counter blocks;
    memset(&blocks, 0, sizeof blocks);
    for (int64_t tile = 0; tile * TILE < count; tile++)
        count_tile(rule, &blocks, reduce_tile(rule, x, y, count, tile));
    return from_the_right(rule, &blocks);
}

/* ---- results ---- */

static reduce_value identity_of(const reduce_rule *rule)
{
    switch (rule->operation) {
    case REDUCE_PRODUCT:
    case REDUCE_ALL:
        return (reduce_value){1.0, 1};
    case REDUCE_MIN:
        return (reduce_value){(double)INFINITY, INT64_MAX};
    case REDUCE_MAX:
        return (reduce_value){-(double)INFINITY, INT64_MIN};
    case REDUCE_BY:
        return rule->identity;
    default:
        return (reduce_value){0.0, 0};
    }
}

/* Of norm2: powers of two that the elements are multiplied by, and the least sum of squares that is
 * taken as it is (doc/order.md). */
typedef struct norm_limits {
    int down, up;
    double least;
} norm_limits;
static const norm_limits limits_f64 = {-600, 600, 0x1p-900}, limits_f32 = {-100, 100, 0x1p-80f};

static double root(const reduce_rule *rule, const reduce_value *x, int64_t count, int shift)
{
    reduce_value *scaled = malloc((size_t)count * sizeof *scaled);
    if (!scaled)
        abort();
    for (int64_t e = 0; e < count; e++)
        scaled[e].real = order_round(rule->arithmetic, ldexp(x[e].real, shift));
    const double square = reduce_tree(rule, scaled, scaled, count).value.real;
    free(scaled);
    const double narrow = rule->arithmetic == STN_F32 ? (double)sqrtf((float)square) : sqrt(square);
    return order_round(rule->arithmetic, ldexp(narrow, -shift));
}

/* The root of the sum of squares, which is taken again of smaller or larger elements where it left
 * the range of the arithmetic. */
static double norm2(const reduce_rule *rule, const reduce_value *x, int64_t count, double square)
{
    const norm_limits limits = rule->arithmetic == STN_F32 ? limits_f32 : limits_f64;
    const int shift = isinf(square) ? limits.down : square < limits.least ? limits.up : 0;
    return root(rule, x, count, shift);
}

/* The first of the best elements; -1 where there are none. */
static int64_t where(const reduce_rule *rule, const reduce_value *x, int64_t count)
{
    const int lowest = rule->operation == REDUCE_ARGMIN;
    int64_t best = count > 0 ? 0 : -1;
    for (int64_t e = 1; e < count; e++)
        if (is_better(rule->arithmetic, lowest, x[best], x[e]))
            best = e;
    return best;
}

int reduce_counts(reduce_operation operation)
{
    return operation >= REDUCE_ARGMIN && operation <= REDUCE_ALL;
}

reduce_value reduce_order(const reduce_rule *rule, const reduce_value *x, const reduce_value *y,
                          int64_t count)
{
    if (rule->operation == REDUCE_ARGMIN || rule->operation == REDUCE_ARGMAX)
        return (reduce_value){0.0, where(rule, x, count)};
    partial total = reduce_tree(rule, x, rule->operation == REDUCE_PRODUCTS ? y : x, count);
    if (!total.present)
        total.value = identity_of(rule);
    if (rule->operation == REDUCE_NORM2 && total.present)
        total.value.real = norm2(rule, x, count, total.value.real);
    if (rule->operation == REDUCE_BY && rule->finalize)
        total.value = rule->finalize(rule->arithmetic, total.value);
    return total.value;
}

int reduce_same(const reduce_rule *rule, reduce_value a, reduce_value b)
{
    if (rule->arithmetic == STN_I64 || reduce_counts(rule->operation))
        return a.integer == b.integer;
    return order_same(a.real, b.real);
}

void reduce_scan(const reduce_rule *rule, int exclusive, const reduce_value *x, int64_t count,
                 reduce_value *scanned)
{
    counter blocks;
    memset(&blocks, 0, sizeof blocks);
    for (int64_t tile = 0; tile * TILE < count; tile++) {
        const partial carry = from_the_left(rule, &blocks);
        partial within = {0, {0.0, 0}};
        for (int64_t e = tile * TILE; e < count && e < (tile + 1) * TILE; e++) {
            const partial before = combine(rule, carry, within);
            within = combine(rule, within, (partial){1, x[e]});
            const partial own = exclusive ? before : combine(rule, carry, within);
            scanned[e] = own.present ? own.value : identity_of(rule);
        }
        count_tile(rule, &blocks, reduce_tile(rule, x, x, count, tile));
    }
}

/* ---- elements ---- */

__extension__ typedef __int128 wide;

static wide integer_of(const oracle_format *format, uint64_t code)
{
    const wide one = 1;
    const int is_negative = format->is_signed && code >> (format->bits - 1) & 1;
    return (wide)code - (is_negative ? one << format->bits : 0);
}

reduce_value reduce_decode(stn_format arithmetic, const stn_storage *storage, uint64_t code)
{
    const oracle_format *format = &oracle_formats[storage->format];
    if (arithmetic != STN_I64)
        return (reduce_value){order_decode(arithmetic, storage, code), 0};
    const wide exact = integer_of(format, code) - (wide)storage->zero;
    return (reduce_value){0.0, (int64_t)(uint64_t)exact}; /* modulo 2^64 */
}

/* 64 bits are modulo 2^64; narrower formats saturate. */
static uint64_t encode_to_integer(const stn_storage *storage, int64_t value)
{
    const oracle_format *format = &oracle_formats[storage->format];
    const wide one = 1, codes = one << format->bits;
    const wide lowest = format->is_signed ? -codes / 2 : 0;
    const wide highest = format->is_signed ? codes / 2 - 1 : codes - 1;
    wide exact = (wide)value + (wide)storage->zero;
    if (format->bits == 64)
        return (uint64_t)exact;
    exact = exact < lowest ? lowest : exact > highest ? highest : exact;
    return (uint64_t)(exact < 0 ? exact + codes : exact);
}

/* The double next to `value` towards zero; with `sticky`, what does not fit shows in its last bit,
 * which narrower formats do not have, so that they are rounded to as from `value`. */
static double cut(int64_t value, int sticky)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int shift = 0;
    while (magnitude >> shift >> 53)
        shift++;
    const uint64_t kept = magnitude >> shift, lost = magnitude - (kept << shift);
    const double rounded = ldexp((double)(kept | (sticky && lost != 0)), shift);
    return value < 0 ? -rounded : rounded;
}

uint64_t reduce_encode(stn_format arithmetic, const stn_storage *storage, reduce_value value,
                       int is_integer, int64_t draw)
{
    const oracle_format *format = &oracle_formats[storage->format];
    unsigned events = 0;
    if (!is_integer)
        return order_encode(arithmetic, storage, value.real, draw, &events);
    if (format->kind == ORACLE_INTEGER)
        return encode_to_integer(storage, value.integer);
    const oracle_rule rule = {storage->rounding, storage->overflow,
                              oracle_rounding_bits(storage->seed, (uint64_t)draw)};
    if (format->bits == 64)
        return stn_bits_of_f64(storage->rounding == STN_ROUND_TOWARD_ZERO ? cut(value.integer, 0)
                                                                          : (double)value.integer);
    return oracle_encode(format, cut(value.integer, 1), rule, &events);
}
