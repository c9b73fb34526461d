/* The codec of STN_FORMAT for STN_ISA: pieces of vectors, four at a time. */
#include "format/codec.h"
#include "format/vec.h"
#include "format/vec/affine.h"

/* Runs in arithmetic T. `plain` is a constant in each call, so that each function yields two loops.
 * The last, partial piece overlaps the previous one; if there is none, it goes through buffers. */
#define STN_RUNS(T, type)                                                                          \
    STN_FN void decode_##T##_run(type *restrict values, const code *restrict codes, int64_t count, \
                                 const affine_##T *affine, int plain)                              \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE) {                                       \
            for (int piece = 0; piece < 4; piece++)                                                \
                v_store_##T(values + k + piece * V_PIECE,                                          \
                            read_##T(codes + k + piece * V_PIECE, affine, plain));                 \
        }                                                                                          \
        for (; k + V_PIECE <= count; k += V_PIECE)                                                 \
            v_store_##T(values + k, read_##T(codes + k, affine, plain));                           \
        if (k < count && count >= V_PIECE) {                                                       \
            v_store_##T(values + count - V_PIECE,                                                  \
                        read_##T(codes + count - V_PIECE, affine, plain));                         \
        } else if (k < count) {                                                                    \
            const size_t rest = (size_t)(count - k);                                               \
            code padded[V_PIECE] = {0};                                                            \
            type decoded[V_PIECE];                                                                 \
            memcpy(padded, codes + k, rest * sizeof *padded);                                      \
            v_store_##T(decoded, read_##T(padded, affine, plain));                                 \
            memcpy(values + k, decoded, rest * sizeof *decoded);                                   \
        }                                                                                          \
    }                                                                                              \
    STN_FN void encode_##T##_run(code *restrict codes, const type *restrict values, int64_t count, \
                                 const affine_##T *affine, int plain)                              \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE)                                         \
            for (int piece = 0; piece < 4; piece++)                                                \
                write_##T(codes + k + piece * V_PIECE, v_load_##T(values + k + piece * V_PIECE),   \
                          affine, plain);                                                          \
        for (; k + V_PIECE <= count; k += V_PIECE)                                                 \
            write_##T(codes + k, v_load_##T(values + k), affine, plain);                           \
        if (k < count && count >= V_PIECE) {                                                       \
            write_##T(codes + count - V_PIECE, v_load_##T(values + count - V_PIECE), affine,       \
                      plain);                                                                      \
        } else if (k < count) {                                                                    \
            const size_t rest = (size_t)(count - k);                                               \
            type padded[V_PIECE] = {0};                                                            \
            code encoded[V_PIECE];                                                                 \
            memcpy(padded, values + k, rest * sizeof *padded);                                     \
            write_##T(encoded, v_load_##T(padded), affine, plain);                                 \
            memcpy(codes + k, encoded, rest * sizeof *encoded);                                    \
        }                                                                                          \
    }                                                                                              \
    static void decode_##T(void *restrict values, const void *restrict codes, int64_t count,       \
                           const stn_affine *affine)                                               \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        if (affine->plain)                                                                         \
            decode_##T##_run(values, codes, count, &own, 1);                                       \
        else                                                                                       \
            decode_##T##_run(values, codes, count, &own, 0);                                       \
    }                                                                                              \
    static void encode_##T(void *restrict codes, const void *restrict values, int64_t count,       \
                           const stn_affine *affine)                                               \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        if (affine->plain)                                                                         \
            encode_##T##_run(codes, values, count, &own, 1);                                       \
        else                                                                                       \
            encode_##T##_run(codes, values, count, &own, 0);                                       \
    }

STN_RUNS(f64, double)
STN_RUNS(f32, float)

extern const stn_codec STN_INSTANCE(stn_codec);
const stn_codec STN_INSTANCE(stn_codec) = {decode_f64, decode_f32, encode_f64, encode_f32};
