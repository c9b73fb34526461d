/* The codecs in portable C: the scalar codec of codec.h in a loop. Codecs of other instruction sets
 * must have the same bits; used on processors without them. */
#include "format/portable.h"

#define INLINE static inline __attribute__((always_inline))

/* A format, which is a constant in each call. */
typedef struct code_format {
    int bits, is_integer, is_signed;
    stn_float_kind kind; /* of floats */
} code_format;

INLINE stn_u64 encode(code_format f, stn_u64 value, const stn_rules *rules, stn_u64 random,
                      unsigned *events)
{
    return f.is_integer
               ? stn_integer_encode(value, f.bits, f.is_signed, rules->rounding, random, events)
               : stn_float_encode(value, f.kind, rules->rounding, rules->overflow, random, events);
}

/* An unsigned code keeps its type, so that the top bit of u64 is part of the value. */
INLINE double value_f64(code_format f, stn_u64 code)
{
    return !f.is_integer ? stn_f64_of_bits(stn_float_decode(code, f.kind))
           : f.is_signed ? (double)stn_integer_decode(code, f.bits, 1)
                         : (double)code;
}

INLINE float value_f32(code_format f, stn_u64 code)
{
    return !f.is_integer ? stn_f32_of_f64_bits(stn_float_decode(code, f.kind))
           : f.is_signed ? (float)stn_integer_decode(code, f.bits, 1)
                         : (float)code;
}

#define T    f64
#define REAL double
#include "format/portable_runs.h"

#define T    f32
#define REAL float
#include "format/portable_runs.h"

#define DEFINE_RUNS(name, T, ...)                                                                  \
    static void name##_decode_##T(void *restrict values, const void *restrict codes,               \
                                  int64_t count, const stn_affine *affine)                         \
    {                                                                                              \
        decode_##T((code_format){__VA_ARGS__}, values, codes, count, affine);                      \
    }                                                                                              \
    static void name##_store_##T(void *restrict codes, const void *restrict values, int64_t count, \
                                 const stn_affine *affine, const stn_rules *rules)                 \
    {                                                                                              \
        store_##T((code_format){__VA_ARGS__}, codes, values, count, affine, rules);                \
    }                                                                                              \
    static void name##_encode_##T(void *restrict codes, const void *restrict values,               \
                                  int64_t count, const stn_affine *affine)                         \
    {                                                                                              \
        static const stn_rules nearest = {.rounding = STN_ROUND_NEAREST};                          \
        name##_store_##T(codes, values, count, affine, &nearest);                                  \
    }
#define FLOAT_ROW(id, NAME, name, bits, ...)                                                       \
    DEFINE_RUNS(name, f64, bits, 0, 1, stn_##name##_kind())                                        \
    DEFINE_RUNS(name, f32, bits, 0, 1, stn_##name##_kind())
#define INTEGER_ROW(id, NAME, name, bits, is_signed)                                               \
    DEFINE_RUNS(name, f64, bits, 1, is_signed, {0})                                                \
    DEFINE_RUNS(name, f32, bits, 1, is_signed, {0})
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

void stn_rules_add(const stn_rules *rules, int64_t saturated, int64_t underflowed, int64_t nan)
{
    stn_counters *const counters = rules->counters;
    if (saturated)
        __atomic_fetch_add(&counters->saturated, saturated, __ATOMIC_RELAXED);
    if (underflowed)
        __atomic_fetch_add(&counters->underflowed, underflowed, __ATOMIC_RELAXED);
    if (nan)
        __atomic_fetch_add(&counters->nan, nan, __ATOMIC_RELAXED);
}

void stn_rules_count(const stn_rules *rules, unsigned events)
{
    stn_rules_add(rules, (events & STN_EVENT_SATURATED) != 0, (events & STN_EVENT_UNDERFLOWED) != 0,
                  (events & STN_EVENT_NAN) != 0);
}
