/* The codec of STN_FORMAT on STN_ISA: pieces through the vector vocabulary, four at a time. */
#include "format/codec.h"
#include "format/vec.h"

/* A run that streams from memory is asked for this many bytes ahead. */
enum { AHEAD = 1024, LINE = 64 };

STN_FN void prefetch_codes(const code *p, int64_t count)
{
    for (int64_t at = 0; at < count * (int64_t)sizeof *p; at += LINE)
        __builtin_prefetch((const char *)p + at + AHEAD, 0, 3);
}

STN_FN vf64x2 read_f64(const code *p, const stn_affine *affine, int plain)
{
    vf64x2 x = load_f64(p);
    if (!plain) {
        const vf64 zero = v_set_f64(affine->zero), scale = v_set_f64(affine->scale);
        x.low = v_mul_f64(v_sub_f64(x.low, zero), scale);
        x.high = v_mul_f64(v_sub_f64(x.high, zero), scale);
    }
    return x;
}

STN_FN vf32 read_f32(const code *p, const stn_affine *affine, int plain)
{
    const vf32 x = load_f32(p);
    if (plain)
        return x;
    const vf32 zero = v_set_f32((float)affine->zero), scale = v_set_f32((float)affine->scale);
    return v_mul_f32(v_sub_f32(x, zero), scale);
}

STN_FN vf64 unscale_f64(vf64 x, const stn_affine *affine)
{
    x = affine->inverse != 0.0 ? v_mul_f64(x, v_set_f64(affine->inverse))
                               : v_div_f64(x, v_set_f64(affine->scale));
    return affine->zero != 0.0 ? v_add_f64(x, v_set_f64(affine->zero)) : x;
}

STN_FN void write_f64(code *p, vf64x2 x, const stn_affine *affine, int plain)
{
    if (!plain) {
        x.low = unscale_f64(x.low, affine);
        x.high = unscale_f64(x.high, affine);
    }
    store_f64(p, x);
}

STN_FN void write_f32(code *p, vf32 x, const stn_affine *affine, int plain)
{
    if (!plain) {
        x = affine->inverse != 0.0 ? v_mul_f32(x, v_set_f32((float)affine->inverse))
                                   : v_div_f32(x, v_set_f32((float)affine->scale));
        if (affine->zero != 0.0)
            x = v_add_f32(x, v_set_f32((float)affine->zero));
    }
    store_f32(p, x);
}

/* Runs in arithmetic T. `plain` is a constant at each call, so two loops come out of each function.
 * The last, partial piece goes through buffers of a whole one. */
#define STN_RUNS(T, type)                                                                          \
    STN_FN void decode_##T##_run(type *restrict values, const code *restrict codes, int64_t count, \
                                 const stn_affine *affine, int plain)                              \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE) {                                       \
            prefetch_codes(codes + k, 4 * V_PIECE);                                                \
            for (int piece = 0; piece < 4; piece++)                                                \
                v_store_##T(values + k + piece * V_PIECE,                                          \
                            read_##T(codes + k + piece * V_PIECE, affine, plain));                 \
        }                                                                                          \
        for (; k + V_PIECE <= count; k += V_PIECE)                                                 \
            v_store_##T(values + k, read_##T(codes + k, affine, plain));                           \
        if (k < count) {                                                                           \
            const size_t rest = (size_t)(count - k);                                               \
            code some[V_PIECE] = {0};                                                              \
            type decoded[V_PIECE];                                                                 \
            memcpy(some, codes + k, rest * sizeof *some);                                          \
            v_store_##T(decoded, read_##T(some, affine, plain));                                   \
            memcpy(values + k, decoded, rest * sizeof *decoded);                                   \
        }                                                                                          \
    }                                                                                              \
    STN_FN void encode_##T##_run(code *restrict codes, const type *restrict values, int64_t count, \
                                 const stn_affine *affine, int plain)                              \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE)                                         \
            for (int piece = 0; piece < 4; piece++)                                                \
                write_##T(codes + k + piece * V_PIECE, v_load_##T(values + k + piece * V_PIECE),   \
                          affine, plain);                                                          \
        for (; k + V_PIECE <= count; k += V_PIECE)                                                 \
            write_##T(codes + k, v_load_##T(values + k), affine, plain);                           \
        if (k < count) {                                                                           \
            const size_t rest = (size_t)(count - k);                                               \
            type some[V_PIECE] = {0};                                                              \
            code encoded[V_PIECE];                                                                 \
            memcpy(some, values + k, rest * sizeof *some);                                         \
            write_##T(encoded, v_load_##T(some), affine, plain);                                   \
            memcpy(codes + k, encoded, rest * sizeof *encoded);                                    \
        }                                                                                          \
    }                                                                                              \
    static void decode_##T(void *restrict values, const void *restrict codes, int64_t count,       \
                           const stn_affine *affine)                                               \
    {                                                                                              \
        if (affine->plain)                                                                         \
            decode_##T##_run(values, codes, count, affine, 1);                                     \
        else                                                                                       \
            decode_##T##_run(values, codes, count, affine, 0);                                     \
    }                                                                                              \
    static void encode_##T(void *restrict codes, const void *restrict values, int64_t count,       \
                           const stn_affine *affine)                                               \
    {                                                                                              \
        if (affine->plain)                                                                         \
            encode_##T##_run(codes, values, count, affine, 1);                                     \
        else                                                                                       \
            encode_##T##_run(codes, values, count, affine, 0);                                     \
    }

STN_RUNS(f64, double)
STN_RUNS(f32, float)

extern const stn_codec STN_INSTANCE(stn_codec);
const stn_codec STN_INSTANCE(stn_codec) = {decode_f64, decode_f32, encode_f64, encode_f32};
