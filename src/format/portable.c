/* The codecs in portable C: the scalar codec of codec.h in a loop. Codecs of other instruction sets
 * must have the same bits; used on processors without them. */
#include "format/portable.h"

#define FLOAT_CODE(name)                                                                           \
    STN_FN stn_u64 name##_encode(stn_u64 value, const stn_rules *rules, stn_u64 random,            \
                                 unsigned *events)                                                 \
    {                                                                                              \
        return stn_float_encode(value, stn_##name##_kind(), rules->rounding, rules->overflow,      \
                                random, events);                                                   \
    }

#define FLOAT_VALUES(name)                                                                         \
    STN_FN double name##_value_f64(stn_u64 code)                                                   \
    {                                                                                              \
        return stn_f64_of_bits(stn_float_decode(code, stn_##name##_kind()));                       \
    }                                                                                              \
    STN_FN float name##_value_f32(stn_u64 code)                                                    \
    {                                                                                              \
        return stn_f32_of_f64_bits(stn_float_decode(code, stn_##name##_kind()));                   \
    }

#define INTEGER_CODE(name, bits, is_signed)                                                        \
    STN_FN stn_u64 name##_encode(stn_u64 value, const stn_rules *rules, stn_u64 random,            \
                                 unsigned *events)                                                 \
    {                                                                                              \
        return stn_integer_encode(value, bits, is_signed, rules->rounding, random, events);        \
    }

/* With a zero point, its code represents 0 instead of code 0. */
STN_FN unsigned events_about_zero(unsigned events, int is_nonzero, int is_zero_point)
{
    const int is_lost = is_nonzero && is_zero_point && !(events & STN_EVENT_SATURATED);
    return (events & ~STN_EVENT_UNDERFLOWED) | (is_lost ? STN_EVENT_UNDERFLOWED : 0);
}

#define FLOAT_EVENTS(name, T, type)                                                                \
    STN_FN unsigned name##_events_##T(unsigned events, type value, stn_u64 code,                   \
                                      const stn_affine *affine)                                    \
    {                                                                                              \
        (void)value, (void)code, (void)affine;                                                     \
        return events;                                                                             \
    }
#define INTEGER_EVENTS(name, T, type)                                                              \
    STN_FN unsigned name##_events_##T(unsigned events, type value, stn_u64 code,                   \
                                      const stn_affine *affine)                                    \
    {                                                                                              \
        if (affine->plain || affine->zero == 0.0)                                                  \
            return events;                                                                         \
        return events_about_zero(events, value != 0,                                               \
                                 name##_value_##T(code) == (type)affine->zero);                    \
    }

/* An unsigned code keeps its type, so that the top bit of u64 is part of the value. */
#define INTEGER_VALUES(name, bits, is_signed)                                                      \
    STN_FN double name##_value_f64(stn_u64 code)                                                   \
    {                                                                                              \
        return is_signed ? (double)stn_integer_decode(code, bits, 1) : (double)code;               \
    }                                                                                              \
    STN_FN float name##_value_f32(stn_u64 code)                                                    \
    {                                                                                              \
        return is_signed ? (float)stn_integer_decode(code, bits, 1) : (float)code;                 \
    }

#define RUNS(name, bits, T, type)                                                                  \
    static void name##_decode_##T(void *restrict values, const void *restrict codes,               \
                                  int64_t count, const stn_affine *affine)                         \
    {                                                                                              \
        type *to = values;                                                                         \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const type x = name##_value_##T(stn_code_get_##bits(codes, k));                        \
            to[k] = affine->plain ? x : (x - (type)affine->zero) * (type)affine->scale;            \
        }                                                                                          \
    }                                                                                              \
    static void name##_store_##T(void *restrict codes, const void *restrict values, int64_t count, \
                                 const stn_affine *affine, const stn_rules *rules)                 \
    {                                                                                              \
        const type *from = values;                                                                 \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const stn_u64 value = stn_quotient_##T(from[k], affine);                               \
            unsigned events = 0;                                                                   \
            const stn_u64 code = name##_encode(value, rules, stn_rules_random(rules, k), &events); \
            stn_code_put_##bits(codes, k, code);                                                   \
            if (rules->counters)                                                                   \
                stn_rules_count(rules, name##_events_##T(events, from[k], code, affine));          \
        }                                                                                          \
    }                                                                                              \
    static void name##_encode_##T(void *restrict codes, const void *restrict values,               \
                                  int64_t count, const stn_affine *affine)                         \
    {                                                                                              \
        static const stn_rules nearest = {.rounding = STN_ROUND_NEAREST};                          \
        name##_store_##T(codes, values, count, affine, &nearest);                                  \
    }

#define FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)               \
    FLOAT_CODE(name)                                                                               \
    FLOAT_VALUES(name)                                                                             \
    FLOAT_EVENTS(name, f64, double)                                                                \
    FLOAT_EVENTS(name, f32, float)                                                                 \
    RUNS(name, bits, f64, double)                                                                  \
    RUNS(name, bits, f32, float)
#define INTEGER_ROW(id, NAME, name, bits, is_signed)                                               \
    INTEGER_CODE(name, bits, is_signed)                                                            \
    INTEGER_VALUES(name, bits, is_signed)                                                          \
    INTEGER_EVENTS(name, f64, double)                                                              \
    INTEGER_EVENTS(name, f32, float)                                                               \
    RUNS(name, bits, f64, double)                                                                  \
    RUNS(name, bits, f32, float)
#define NO_ROW(...)

STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, NO_ROW)

#define CODEC_ROW(id, NAME, name, ...)                                                             \
    [STN_##NAME] = {{name##_decode_f64, name##_decode_f32, name##_encode_f64, name##_encode_f32},  \
                    name##_store_f64,                                                              \
                    name##_store_f32},

static const stn_portable_codec codecs[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(CODEC_ROW, CODEC_ROW, NO_ROW)};

const stn_portable_codec *stn_portable_codec_of(stn_format format)
{
    return &codecs[format];
}

void stn_rules_count(const stn_rules *rules, unsigned events)
{
    stn_counters *const counters = rules->counters;
    if (events & STN_EVENT_SATURATED)
        __atomic_fetch_add(&counters->saturated, 1, __ATOMIC_RELAXED);
    if (events & STN_EVENT_UNDERFLOWED)
        __atomic_fetch_add(&counters->underflowed, 1, __ATOMIC_RELAXED);
    if (events & STN_EVENT_NAN)
        __atomic_fetch_add(&counters->nan, 1, __ATOMIC_RELAXED);
}
