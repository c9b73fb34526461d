/* Integer formats in i64 arithmetic. */
#include "format/integer64.h"

#include "format/portable.h"

__extension__ typedef __int128 wide;

STN_FN int64_t saturate(wide x)
{
    return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}

STN_FN wide value_of(stn_u64 code, int bits, int is_signed)
{
    return is_signed ? (wide)stn_integer_decode(code, bits, 1) : (wide)code;
}

/* Without a zero point, and short of u64, these loops become plain vector conversions; encoding
 * looks first whether all values fit. */
#define RUNS(name, bits, is_signed)                                                                \
    static void name##_decode(int64_t *restrict values, const void *restrict codes, int64_t count, \
                              int64_t zero)                                                        \
    {                                                                                              \
        if (zero == 0 && (is_signed || bits < 64)) {                                               \
            for (int64_t k = 0; k < count; k++)                                                    \
                values[k] = stn_integer_decode(stn_code_get_##bits(codes, k), bits, is_signed);    \
            return;                                                                                \
        }                                                                                          \
        for (int64_t k = 0; k < count; k++)                                                        \
            values[k] = saturate(value_of(stn_code_get_##bits(codes, k), bits, is_signed) - zero); \
    }                                                                                              \
    static int name##_all_fit(const int64_t *restrict values, int64_t count)                       \
    {                                                                                              \
        const stn_u64 shift = is_signed ? (stn_u64)1 << (bits - 1) : 0;                            \
        stn_u64 beyond = 0;                                                                        \
        for (int64_t k = 0; k < count; k++)                                                        \
            beyond |= bits < 64   ? ((stn_u64)values[k] + shift) >> (bits & 63)                    \
                      : is_signed ? 0                                                              \
                                  : (stn_u64)values[k] >> 63;                                      \
        return beyond == 0;                                                                        \
    }                                                                                              \
    static int64_t name##_encode(void *restrict codes, const int64_t *restrict values,             \
                                 int64_t count, int64_t zero)                                      \
    {                                                                                              \
        const wide highest = (wide)(~(stn_u64)0 >> (64 - bits + is_signed));                       \
        const wide lowest = is_signed ? -highest - 1 : 0;                                          \
        int64_t saturated = 0;                                                                     \
        if (zero == 0 && name##_all_fit(values, count)) {                                          \
            for (int64_t k = 0; k < count; k++)                                                    \
                stn_code_put_##bits(codes, k, (stn_u64)values[k]);                                 \
            return 0;                                                                              \
        }                                                                                          \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const wide exact = (wide)values[k] + zero;                                             \
            const wide kept = exact > highest ? highest : exact < lowest ? lowest : exact;         \
            saturated += kept != exact;                                                            \
            stn_code_put_##bits(codes, k, (stn_u64)kept);                                          \
        }                                                                                          \
        return saturated;                                                                          \
    }

#define NO_ROW(...)
#define RUNS_ROW(id, NAME, name, bits, is_signed)   RUNS(name, bits, is_signed)
#define DECODE_ROW(id, NAME, name, bits, is_signed) [STN_##NAME] = name##_decode,
#define ENCODE_ROW(id, NAME, name, bits, is_signed) [STN_##NAME] = name##_encode,

STN_FORMAT_TABLE(NO_ROW, RUNS_ROW, NO_ROW)

typedef void decode_run(int64_t *restrict, const void *restrict, int64_t, int64_t);
typedef int64_t encode_run(void *restrict, const int64_t *restrict, int64_t, int64_t);
static decode_run *const decoders[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(NO_ROW, DECODE_ROW, NO_ROW)};
static encode_run *const encoders[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(NO_ROW, ENCODE_ROW, NO_ROW)};

void stn_decode_i64(stn_format format, int64_t *values, const void *codes, int64_t count,
                    int64_t zero)
{
    decoders[format](values, codes, count, zero);
}

void stn_encode_i64(stn_format format, void *codes, const int64_t *values, int64_t count,
                    int64_t zero, stn_counters *counters)
{
    const int64_t saturated = encoders[format](codes, values, count, zero);
    if (counters && saturated)
        __atomic_fetch_add(&counters->saturated, saturated, __ATOMIC_RELAXED);
}
