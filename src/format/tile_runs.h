/* Runs of format/tile.c in arithmetic T. `plain` is a constant in each call, so that each function
 * yields two loops. The last, partial piece overlaps the previous one; if there is none, it goes
 * through buffers. A single value that is encoded fills all lanes: a vector that is loaded after
 * one of its elements has been stored waits for that store. */
#include "format/of.h"

STN_FN void of(decode_run)(REAL *restrict values, const code *restrict codes, int64_t count,
                           const AFFINE *affine, int plain)
{
    int64_t k = 0;
    for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE) {
        for (int piece = 0; piece < 4; piece++)
            of(v_store)(values + k + piece * V_PIECE,
                        of(read)(codes + k + piece * V_PIECE, affine, plain));
    }
    for (; k + V_PIECE <= count; k += V_PIECE)
        of(v_store)(values + k, of(read)(codes + k, affine, plain));
    if (k < count && count >= V_PIECE) {
        of(v_store)(values + count - V_PIECE, of(read)(codes + count - V_PIECE, affine, plain));
    } else if (k < count) {
        const size_t rest = (size_t)(count - k);
        code padded[V_PIECE] = {0};
        REAL decoded[V_PIECE];
        memcpy(padded, codes + k, rest * sizeof *padded);
        of(v_store)(decoded, of(read)(padded, affine, plain));
        memcpy(values + k, decoded, rest * sizeof *decoded);
    }
}

STN_FN void of(encode_run)(code *restrict codes, const REAL *restrict values, int64_t count,
                           const of(divisor) * divisor, int plain)
{
    int64_t k = 0;
    for (; k + 4 * V_PIECE <= count; k += 4 * V_PIECE)
        for (int piece = 0; piece < 4; piece++)
            of(write_by)(codes + k + piece * V_PIECE, of(v_load)(values + k + piece * V_PIECE),
                         divisor, plain);
    for (; k + V_PIECE <= count; k += V_PIECE)
        of(write_by)(codes + k, of(v_load)(values + k), divisor, plain);
    if (count == 1) {
        REAL same[V_PIECE];
        code encoded[V_PIECE];
        for (int lane = 0; lane < V_PIECE; lane++)
            same[lane] = *values;
        of(write_by)(encoded, of(v_load)(same), divisor, plain);
        memcpy(codes, encoded, sizeof *encoded);
    } else if (k < count && count >= V_PIECE) {
        of(write_by)(codes + count - V_PIECE, of(v_load)(values + count - V_PIECE), divisor, plain);
    } else if (k < count) {
        const size_t rest = (size_t)(count - k);
        REAL padded[V_PIECE] = {0};
        code encoded[V_PIECE];
        memcpy(padded, values + k, rest * sizeof *padded);
        of(write_by)(encoded, of(v_load)(padded), divisor, plain);
        memcpy(codes + k, encoded, rest * sizeof *encoded);
    }
}

static void of(decode)(void *restrict values, const void *restrict codes, int64_t count,
                       const stn_affine *affine)
{
    const AFFINE own = of(take_affine)(affine);
    if (affine->plain)
        of(decode_run)(values, codes, count, &own, 1);
    else
        of(decode_run)(values, codes, count, &own, 0);
}

static void of(encode)(void *restrict codes, const void *restrict values, int64_t count,
                       const stn_affine *affine)
{
    const of(divisor) own = of(take_divisor)(affine);
    if (affine->plain)
        of(encode_run)(codes, values, count, &own, 1);
    else
        of(encode_run)(codes, values, count, &own, 0);
}

#undef T
#undef REAL
