/* Runs of format/portable.c in arithmetic T. */
#include "format/of.h"

INLINE void of(decode)(code_format f, REAL *restrict to, const void *restrict codes, int64_t count,
                       const stn_affine *affine)
{
    for (int64_t k = 0; k < count; k++) {
        const REAL x = of(value)(f, stn_code_get(codes, k, f.bits));
        to[k] = affine->plain ? x : (x - (REAL)affine->zero) * (REAL)affine->scale;
    }
}

/* With a zero point, its code represents 0 instead of code 0. */
INLINE unsigned of(events)(code_format f, unsigned events, REAL value, stn_u64 code,
                           const stn_affine *affine)
{
    if (!f.is_integer || affine->plain || affine->zero == 0.0)
        return events;
    const int is_lost =
        value != 0 && of(value)(f, code) == (REAL)affine->zero && !(events & STN_EVENT_SATURATED);
    return (events & ~STN_EVENT_UNDERFLOWED) | (is_lost ? STN_EVENT_UNDERFLOWED : 0);
}

INLINE void of(store)(code_format f, void *restrict codes, const REAL *restrict from, int64_t count,
                      const stn_affine *affine, const stn_rules *rules)
{
    for (int64_t k = 0; k < count; k++) {
        const stn_u64 value = of(stn_quotient)(from[k], affine);
        unsigned events = 0;
        const stn_u64 code = encode(f, value, rules, stn_rules_random(rules, k), &events);
        stn_code_put(codes, k, f.bits, code);
        if (rules->counters)
            stn_rules_count(rules, of(events)(f, events, from[k], code, affine));
    }
}

#undef T
#undef REAL
