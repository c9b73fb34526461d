/* Integer formats in i64 arithmetic. */
#include "format/integer64.h"

#include <math.h>

#include "format/portable.h"

/* Formats are constants in each call, so that these loops compile to vector conversions. */
#define INLINE static inline __attribute__((always_inline))

INLINE void decode(int64_t *restrict values, const void *restrict codes, int64_t count,
                   int64_t zero, int bits, int is_signed)
{
    for (int64_t k = 0; k < count; k++)
        values[k] =
            (int64_t)((stn_u64)stn_integer_decode(stn_code_get(codes, k, bits), bits, is_signed) -
                      (stn_u64)zero);
}

INLINE int all_fit(const int64_t *restrict values, int is_unsigned, int64_t count, int bits,
                   int is_signed)
{
    const stn_u64 shift = is_signed ? (stn_u64)1 << (bits - 1) : 0;
    stn_u64 beyond = 0, any = 0;
    for (int64_t k = 0; k < count; k++) {
        beyond |= bits < 64   ? ((stn_u64)values[k] + shift) >> (bits & 63)
                  : is_signed ? 0
                              : (stn_u64)values[k] >> 63;
        any |= (stn_u64)values[k];
    }
    return beyond == 0 && !(is_unsigned && any >> 63);
}

INLINE int64_t encode(void *restrict codes, const int64_t *restrict values, int is_unsigned,
                      int64_t count, stn_wide zero, int bits, int is_signed)
{
    const stn_wide highest = (stn_wide)(~(stn_u64)0 >> (64 - bits + is_signed));
    const stn_wide lowest = is_signed ? -highest - 1 : 0;
    int64_t saturated = 0;
    if (zero == 0 && all_fit(values, is_unsigned, count, bits, is_signed)) {
        for (int64_t k = 0; k < count; k++)
            stn_code_put(codes, k, bits, (stn_u64)values[k]);
        return 0;
    }
    for (int64_t k = 0; k < count; k++) {
        const stn_wide value = is_unsigned ? (stn_wide)(stn_u64)values[k] : (stn_wide)values[k];
        const stn_wide exact = value + zero;
        const stn_wide kept = exact > highest ? highest : exact < lowest ? lowest : exact;
        saturated += kept != exact;
        stn_code_put(codes, k, bits, (stn_u64)kept);
    }
    return saturated;
}

#define RUNS(name, bits, is_signed)                                                                \
    static void name##_decode(int64_t *restrict values, const void *restrict codes, int64_t count, \
                              int64_t zero)                                                        \
    {                                                                                              \
        decode(values, codes, count, zero, bits, is_signed);                                       \
    }                                                                                              \
    static int64_t name##_encode(void *restrict codes, const int64_t *restrict values,             \
                                 int is_unsigned, int64_t count, stn_wide zero)                    \
    {                                                                                              \
        return encode(codes, values, is_unsigned, count, zero, bits, is_signed);                   \
    }
#define NO_ROW(...)
#define RUNS_ROW(id, NAME, name, bits, is_signed)   RUNS(name, bits, is_signed)
#define DECODE_ROW(id, NAME, name, bits, is_signed) [STN_##NAME] = name##_decode,
#define ENCODE_ROW(id, NAME, name, bits, is_signed) [STN_##NAME] = name##_encode,

STN_FORMAT_TABLE(NO_ROW, RUNS_ROW, NO_ROW)

typedef void decode_run(int64_t *restrict, const void *restrict, int64_t, int64_t);
typedef int64_t encode_run(void *restrict, const int64_t *restrict, int, int64_t, stn_wide);
static decode_run *const decoders[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(NO_ROW, DECODE_ROW, NO_ROW)};
static encode_run *const encoders[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(NO_ROW, ENCODE_ROW, NO_ROW)};

void stn_decode_i64(stn_format format, int64_t *values, const void *codes, int64_t count,
                    int64_t zero)
{
    decoders[format](values, codes, count, zero);
}

void stn_encode_i64_value(stn_format format, void *codes, const int64_t *values, int is_unsigned,
                          int64_t count, stn_wide zero, stn_counters *counters)
{
    const int64_t saturated = encoders[format](codes, values, is_unsigned, count, zero);
    if (counters && saturated)
        __atomic_fetch_add(&counters->saturated, saturated, __ATOMIC_RELAXED);
}

void stn_encode_i64(stn_format format, void *codes, const int64_t *values, int64_t count,
                    int64_t zero, stn_counters *counters)
{
    if (format != STN_I64 && format != STN_U64) {
        stn_encode_i64_value(format, codes, values, 0, count, zero, counters);
        return;
    }
    for (int64_t k = 0; k < count; k++)
        stn_code_put(codes, k, 64, (stn_u64)values[k] + (stn_u64)zero);
}

/* A nonzero magnitude of more than 53 bits. */
static double widen(stn_u64 magnitude, int keeps_rest)
{
    const int dropped = 11 - __builtin_clzll(magnitude);
    const stn_u64 rest = magnitude & (((stn_u64)1 << dropped) - 1);
    stn_u64 kept = magnitude >> dropped;
    if (rest && keeps_rest)
        kept |= 1;
    return ldexp((double)kept, dropped);
}

void stn_widen_integers(void *values, int64_t count, int is_unsigned, stn_format format,
                        stn_rounding rounding)
{
    const int is_f64 = format == STN_F64 || format >= STN_BUILTIN_FORMATS;
    const int is_nearest = is_f64 && rounding != STN_ROUND_TOWARD_ZERO;
    for (int64_t k = 0; k < count; k++) {
        stn_u64 bits;
        memcpy(&bits, (char *)values + 8 * k, sizeof bits);
        const int is_negative = !is_unsigned && bits >> 63;
        const stn_u64 magnitude = is_negative ? 0 - bits : bits;
        const double size =
            magnitude >> 53 == 0 || is_nearest ? (double)magnitude : widen(magnitude, !is_f64);
        const double value = is_negative ? -size : size;
        memcpy((char *)values + 8 * k, &value, sizeof value);
    }
}
