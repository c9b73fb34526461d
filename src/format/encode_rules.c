/* Encoding by rounding and overflow rules and with counters: values are rounded in tiles, and the
 * codec encodes them, which is exact then. */
#include <float.h>
#include <math.h>

#include "core/memory.h"
#include "format/rounding.h"

#define STN_TEMPLATE      stn_rule_loops
#define STN_TEMPLATE_TYPE const stn_rule_loops
#include "format/arithmetic_table.h"

/* RULE_PIECE values are processed at a time; fewer than FEW_VALUES are faster in the scalar codec.
 */
enum { RULE_PIECE = 2 * STN_TILE_ELEMENTS, FEW_VALUES = 16 };

#define FLOAT_ROW(id, NAME, name, ...) [STN_##NAME] = stn_##name##_kind,
static stn_float_kind (*const kinds[STN_BUILTIN_FORMATS])(void) = {
    STN_FORMAT_TABLE(FLOAT_ROW, STN_NO_ROW, STN_NO_ROW)};

const stn_rule_loops *stn_rule_loops_of(stn_format arithmetic)
{
    return loops[stn_isa_chosen()][arithmetic == STN_F32];
}

stn_float_kind stn_float_kind_of(stn_format format)
{
    return kinds[format]();
}

int stn_overflow_is_default(stn_format real, stn_overflow overflow)
{
    return overflow == STN_OVERFLOW_DEFAULT || !kinds[real] || overflow == kinds[real]().overflow;
}

/* ---- the values of a format ---- */

/* The next double toward zero. */
static double smaller(double x)
{
    return stn_f64_of_bits(stn_bits_of_f64(x) - 1);
}

/* Toward zero to a value of f32 arithmetic. */
static double limit_of_f32(double x)
{
    return fabs(x) > FLT_MAX ? copysign(FLT_MAX, x)
                             : stn_f64_of_bits(stn_bits_of_f64(x) & ~(uint64_t)0x1fffffff);
}

static void find_float(stn_grid *grid, const stn_format_info *info, int is_f32)
{
    const uint64_t bits = stn_bits_of_f64(info->highest);
    const double binade = stn_f64_of_bits(bits & 0x7ff0000000000000u);
    const double middle = info->highest + binade * (info->epsilon / 2);
    const int is_odd = bits >> (52 - info->fraction_bits) & 1;
    grid->highest = is_odd ? smaller(middle) : middle;
    grid->lowest = -grid->highest;
    grid->lost_to = info->smallest / 2;
    grid->lost_from = -grid->lost_to;
    grid->largest = info->highest;
    grid->cut = (is_f32 ? 23 : 52) - info->fraction_bits;
    if (info->exponent_bits >= (is_f32 ? 8 : 11)) {
        grid->normal = 0.0;
        grid->quantum = 1.0;
    } else {
        grid->normal = info->smallest / info->epsilon;
        grid->quantum = info->smallest;
    }
}

/* An even limit takes ties, an odd one does not. */
static void find_integer(stn_grid *grid, const stn_format_info *info, double zero, int is_f32)
{
    grid->highest = smaller(info->highest + 0.5);
    grid->lowest = info->lowest - 0.5;
    grid->normal = INFINITY;
    grid->quantum = 1.0;
    grid->cut = 0;
    if (zero != trunc(zero) || zero < info->lowest || zero > info->highest) {
        grid->lost_from = 1.0;
        grid->lost_to = 0.0;
        return;
    }
    const int is_odd = fmod(zero, 2.0) != 0.0;
    const double half = fabs(zero) < (is_f32 ? 0x1p23 : 0x1p52) ? 0.5 : 0.0;
    grid->lost_from = zero - half;
    grid->lost_to = zero + half;
    if (is_odd && half != 0.0 && is_f32) {
        grid->lost_from = (double)nextafterf((float)grid->lost_from, INFINITY);
        grid->lost_to = (double)nextafterf((float)grid->lost_to, -INFINITY);
    } else if (is_odd && half != 0.0) {
        grid->lost_from = nextafter(grid->lost_from, INFINITY);
        grid->lost_to = nextafter(grid->lost_to, -INFINITY);
    }
}

static void find_grid(stn_grid *grid, const stn_run *run)
{
    const stn_format_info *const info = &stn_format_entry_of(run->real)->info;
    const int is_f32 = run->arithmetic == STN_F32;
    if (kinds[run->real])
        find_float(grid, info, is_f32);
    else
        find_integer(grid, info, run->affine.plain ? 0.0 : run->affine.zero, is_f32);
    if (is_f32) {
        grid->highest = limit_of_f32(grid->highest);
        grid->lowest = limit_of_f32(grid->lowest);
        grid->largest = limit_of_f32(grid->largest);
    }
}

/* ---- the rules of a run ---- */

typedef struct plan {
    const stn_rule_loops *loops;
    stn_grid grid;
    int rounds, counts;
    int replaces, keeps_infinity; /* values outside of the range */
    double beyond, infinite;      /* replace finite and infinite ones */
    int is_scalar;                /* the codec cannot encode the replacement */
} plan;

static void plan_overflow(plan *p, const stn_run *run)
{
    const stn_float_kind kind = kinds[run->real]();
    const stn_format_info *const info = &stn_format_entry_of(run->real)->info;
    const stn_overflow rule =
        run->rules.overflow == STN_OVERFLOW_DEFAULT ? kind.overflow : run->rules.overflow;
    const int is_cut =
        rule == STN_OVERFLOW_INFINITY && run->rules.rounding == STN_ROUND_TOWARD_ZERO;
    p->keeps_infinity = rule == STN_OVERFLOW_INFINITY && !kind.finite_only;
    p->replaces = rule != kind.overflow || is_cut;
    p->infinite = p->keeps_infinity               ? (double)INFINITY
                  : rule == STN_OVERFLOW_SATURATE ? info->highest
                                                  : (double)NAN;
    p->beyond = is_cut ? info->highest : p->infinite;
    p->is_scalar = p->replaces && (kind.overflow == STN_OVERFLOW_SATURATE
                                       ? p->keeps_infinity
                                       : info->fraction_bits > 23 && run->arithmetic == STN_F32);
}

static void make_plan(plan *p, const stn_run *run, const stn_rule_loops *these)
{
    *p = (plan){.loops = these, .counts = run->rules.counters != NULL};
    find_grid(&p->grid, run);
    p->rounds = run->rules.rounding != STN_ROUND_NEAREST &&
                (p->grid.cut > 0 || p->grid.normal == (double)INFINITY);
    if (kinds[run->real])
        plan_overflow(p, run);
}

/* ---- random bits ---- */

/* Of `count` parts whose indices have a constant step. */
static void draw_steady(const stn_run *run, const stn_rule_loops *these, uint32_t *bits,
                        uint64_t first, int64_t step, int64_t count)
{
    const int shift = run->parts == 2;
    const uint64_t seed = run->rules.seed, by = (uint64_t)step << shift;
    const uint64_t from = first << shift;
    const uint64_t last = from + (uint64_t)((count - 1) >> shift) * by + (uint64_t)shift;
    if (from >> 32 == last >> 32 && step < 1 << 20 && step > -(1 << 20)) {
        these->draw(bits, count, (uint32_t)from, (uint32_t)by, shift,
                    stn_random_bits(seed, from >> 32));
        return;
    }
    for (int64_t k = 0; k < count; k++) {
        const uint64_t index = from + (uint64_t)(k >> shift) * by + (uint64_t)(k & shift);
        bits[k] = stn_rounding_hash((uint32_t)index, stn_random_bits(seed, index >> 32));
    }
}

static void draw(const stn_run *run, const stn_rule_loops *these, uint32_t *bits, int64_t first,
                 int64_t count)
{
    for (int64_t k = 0, done; k < count; k += done) {
        uint64_t from = (uint64_t)first + (uint64_t)k;
        int64_t step = 1;
        done = count - k;
        if (run->draws_of)
            from = run->draws_of(run->numbered, from, &done, &step);
        draw_steady(run, these, bits + k * run->parts, from, step, done * run->parts);
    }
}

/* ---- encoding ---- */

/* By the scalar codec, in pieces whose random numbers have a constant step. */
static void encode_scalar(const stn_run *run, const char *values, char *codes, int64_t first,
                          int64_t count)
{
    const int64_t value_bytes = stn_arithmetic_bytes(run->arithmetic) * run->parts;
    stn_rules rules = run->rules;
    for (int64_t k = 0, done; k < count; k += done) {
        done = count - k;
        rules.first = (uint64_t)first + (uint64_t)k;
        rules.step = 1;
        if (run->draws_of)
            rules.first = run->draws_of(run->numbered, rules.first, &done, &rules.step);
        (run->arithmetic == STN_F64 ? run->portable->store_f64 : run->portable->store_f32)(
            codes + k * run->bytes, values + k * value_bytes, done * run->parts, &run->affine,
            &rules);
    }
}

/* A piece of at most RULE_PIECE values. */
static void encode_piece(const plan *p, const stn_run *run, const char *values, char *codes,
                         int64_t first, int64_t count)
{
    static const stn_affine plain = {.scale = 1.0, .inverse = 1.0, .plain = 1};
    _Alignas(64) double quotients[RULE_PIECE], rounded[RULE_PIECE];
    uint32_t bits[RULE_PIECE];
    stn_rule_tile tile = {values, values, rounded, count * run->parts};
    int64_t saturated = 0, underflowed = 0, nan = 0;
    int may_be_outside = 1;
    if (!run->affine.plain) {
        p->loops->divide(quotients, values, tile.count, &run->affine);
        tile.values = quotients;
        if (kinds[run->real] || run->affine.zero == 0.0)
            tile.given = quotients;
    }
    if (p->rounds && run->rules.rounding == STN_ROUND_STOCHASTIC)
        draw(run, p->loops, bits, first, count);
    if (p->rounds)
        may_be_outside = p->loops->round(&tile, &p->grid,
                                         run->rules.rounding == STN_ROUND_STOCHASTIC ? bits : NULL);
    else
        tile.rounded = (void *)(uintptr_t)tile.values;
    if ((p->counts || (p->replaces && may_be_outside)) &&
        p->loops->find(&tile, &p->grid, p->counts ? &underflowed : NULL)) {
        if (p->is_scalar) {
            encode_scalar(run, values, codes, first, count);
            return;
        }
        if (p->counts)
            p->loops->count(&tile, &p->grid, p->keeps_infinity, &saturated, &nan);
        if (p->replaces) {
            if (!p->rounds)
                tile.rounded = memcpy(rounded, tile.values,
                                      (size_t)(tile.count * stn_arithmetic_bytes(run->arithmetic)));
            p->loops->replace(&tile, &p->grid, p->beyond, p->infinite);
        }
    }
    if (p->counts)
        stn_rules_add(&run->rules, saturated, underflowed, nan);
    (run->arithmetic == STN_F64 ? run->codec->encode_f64
                                : run->codec->encode_f32)(codes, tile.rounded, tile.count, &plain);
}

void stn_encode_by_rules(const stn_run *run, const void *values, void *codes, int64_t first,
                         int64_t count)
{
    const int64_t value_bytes = stn_arithmetic_bytes(run->arithmetic) * run->parts;
    const stn_rule_loops *const these = stn_rule_loops_of(run->arithmetic);
    const int64_t batch = run->parts == 2 ? RULE_PIECE / 2 : RULE_PIECE;
    plan p;
    if (!these || run->codec == &run->portable->codec || count * run->parts < FEW_VALUES) {
        encode_scalar(run, values, codes, first, count);
        return;
    }
    make_plan(&p, run, these);
    for (int64_t k = 0, done; k < count; k += done) {
        done = count - k < batch ? count - k : batch;
        if (k + done < count)
            stn_prefetch((const char *)values + (k + done) * value_bytes, batch * value_bytes);
        encode_piece(&p, run, (const char *)values + k * value_bytes,
                     (char *)codes + k * run->bytes, first + k, done);
    }
}
