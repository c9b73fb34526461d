/* Means and sums of squared deviations in arithmetic T, merged in the order of sums: the statements
 * of stn_variance with equal counts, which are constants. */
#include "core/shuffle.h"
#include "format/of.h"

/* Indices of the elements of two registers of 2, 4, 8 or 16 lanes that are in one half of each
 * group of 2 * half lanes: the lower half, or for a = half the upper one. */
#ifndef STN_HALVES_1_2
#    define STN_HALVES_1_2(a)  a, a + 2
#    define STN_HALVES_1_4(a)  STN_HALVES_1_2(a), STN_HALVES_1_2(a + 4)
#    define STN_HALVES_1_8(a)  STN_HALVES_1_4(a), STN_HALVES_1_4(a + 8)
#    define STN_HALVES_1_16(a) STN_HALVES_1_8(a), STN_HALVES_1_8(a + 16)
#    define STN_HALVES_2_4(a)  a, a + 1, a + 4, a + 5
#    define STN_HALVES_2_8(a)  STN_HALVES_2_4(a), STN_HALVES_2_4(a + 8)
#    define STN_HALVES_2_16(a) STN_HALVES_2_8(a), STN_HALVES_2_8(a + 16)
#    define STN_HALVES_4_8(a)  a, a + 1, a + 2, a + 3, a + 8, a + 9, a + 10, a + 11
#    define STN_HALVES_4_16(a) STN_HALVES_4_8(a), STN_HALVES_4_8(a + 16)
#    define STN_HALVES_8_16(a)                                                                     \
        a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 16, a + 17, a + 18, a + 19,        \
            a + 20, a + 21, a + 22, a + 23
/* By arithmetic type. */
#    if defined(__AVX512F__)
#        define STN_EACH_HALF_f32(DO) DO(8) DO(4) DO(2) DO(1)
#        define STN_HALVES_8_f32      STN_HALVES_8_16
#        define STN_HALVES_4_f32      STN_HALVES_4_16
#        define STN_HALVES_2_f32      STN_HALVES_2_16
#        define STN_HALVES_1_f32      STN_HALVES_1_16
#        define STN_EACH_HALF_f64(DO) DO(4) DO(2) DO(1)
#        define STN_HALVES_4_f64      STN_HALVES_4_8
#        define STN_HALVES_2_f64      STN_HALVES_2_8
#        define STN_HALVES_1_f64      STN_HALVES_1_8
#    elif defined(__AVX2__)
#        define STN_EACH_HALF_f32(DO) DO(4) DO(2) DO(1)
#        define STN_HALVES_4_f32      STN_HALVES_4_8
#        define STN_HALVES_2_f32      STN_HALVES_2_8
#        define STN_HALVES_1_f32      STN_HALVES_1_8
#        define STN_EACH_HALF_f64(DO) DO(2) DO(1)
#        define STN_HALVES_2_f64      STN_HALVES_2_4
#        define STN_HALVES_1_f64      STN_HALVES_1_4
#    else
#        define STN_EACH_HALF_f32(DO) DO(2) DO(1)
#        define STN_HALVES_2_f32      STN_HALVES_2_4
#        define STN_HALVES_1_f32      STN_HALVES_1_4
#        define STN_EACH_HALF_f64(DO) DO(1)
#        define STN_HALVES_1_f64      STN_HALVES_1_2
#    endif
#endif

/* Merges b into a; both have `count` elements per lane. */
STN_FN void of(merge_halves)(V *mean, V *squares, V mean_b, V squares_b, REAL count)
{
    const V step = of(v_sub)(mean_b, *mean);
    *squares = of(v_fma)(of(v_mul)(step, step), of(v_set)(count * (REAL)0.5),
                         of(v_add)(*squares, squares_b));
    *mean = of(v_fma)(step, of(v_set)((REAL)0.5), *mean);
}

/* Merges the next row of lanes into lanes of `count` elements. */
STN_FN void of(merge_row)(V *mean, V *squares, const V *x, int count)
{
    const REAL share = (REAL)1 / (REAL)(count + 1), weight = (REAL)count * share;
    STN_UNROLL(16)
    for (int r = 0; r < PIECES * of(WIDE); r++) {
        const V step = of(v_sub)(x[r], mean[r]);
        squares[r] = of(v_fma)(of(v_mul)(step, step), of(v_set)(weight), squares[r]);
        mean[r] = of(v_fma)(step, of(v_set)(share), mean[r]);
    }
}

STN_FN void of(read_row)(V *x, const code *codes, const AFFINE *affine, int plain)
{
    if (of(STN_FETCHES))
        fetch(codes, STN_LANES * sizeof *codes);
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(set_piece)(x + p * of(WIDE), of(read)(codes + p * V_PIECE, affine, plain));
}

/* A tile: lanes of the first register. */
STN_FN void of(moments_tile)(V *to_mean, V *to_squares, const code *x, const AFFINE *affine,
                             int plain)
{
    V mean[PIECES * of(WIDE)], squares[PIECES * of(WIDE)], row[PIECES * of(WIDE)];
    of(read_row)(mean, x, affine, plain);
    STN_UNROLL(16)
    for (int r = 0; r < PIECES * of(WIDE); r++)
        squares[r] = of(v_set)(0);
    STN_UNROLL(4)
    for (int k = 1; k < STN_TILE_ELEMENTS / STN_LANES; k++) {
        of(read_row)(row, x + k * STN_LANES, affine, plain);
        of(merge_row)(mean, squares, row, k);
    }
    REAL count = STN_TILE_ELEMENTS / STN_LANES;
    for (int half = PIECES * of(WIDE) / 2; half > 0; half /= 2, count *= 2)
        for (int r = 0; r < half; r++)
            of(merge_halves)(mean + r, squares + r, mean[r + half], squares[r + half], count);
    *to_mean = mean[0];
    *to_squares = squares[0];
}

/* Lanes of several tiles, in groups of a power of two: merges both halves of each group. So the
 * lanes of a register take one step together with those of other tiles. With one lane per tile, the
 * same step merges adjacent tiles. */
typedef struct of(groups)
{
    V mean[STN_EXACT_TILES], squares[STN_EXACT_TILES];
    int registers;
    REAL count; /* elements of a lane */
}
of(groups);

#define STN_MERGE_GROUPS(half)                                                                     \
    for (int r = 0; r < groups->registers; r += 2) {                                               \
        const V *const m = groups->mean + r, *const s = groups->squares + r;                       \
        V mean = STN_SHUFFLE_TO(m[0], m[1], of(STN_HALVES_##half)(0));                             \
        V squares = STN_SHUFFLE_TO(s[0], s[1], of(STN_HALVES_##half)(0));                          \
        of(merge_halves)(&mean, &squares, STN_SHUFFLE_TO(m[0], m[1], of(STN_HALVES_##half)(half)), \
                         STN_SHUFFLE_TO(s[0], s[1], of(STN_HALVES_##half)(half)), groups->count);  \
        groups->mean[r / 2] = mean;                                                                \
        groups->squares[r / 2] = squares;                                                          \
    }                                                                                              \
    groups->registers = (groups->registers + 1) / 2;                                               \
    groups->count *= 2;

STN_FN void of(merge_groups)(of(groups) * groups){of(STN_EACH_HALF)(STN_MERGE_GROUPS)}

STN_FN void of(merge_tiles)(of(groups) * groups)
{
    STN_MERGE_GROUPS(1)
}

#undef STN_MERGE_GROUPS

/* Of complete tiles, a power of two of them up to STN_EXACT_TILES. */
STN_FN void of(moments_run)(double *moments, const code *x, const AFFINE *affine, int64_t tiles,
                            int plain)
{
    of(groups) groups = {.registers = (int)tiles,
                         .count = (REAL)STN_TILE_ELEMENTS / (sizeof(V) / sizeof(REAL))};
    for (int64_t t = 0; t < tiles; t++)
        of(moments_tile)(groups.mean + t, groups.squares + t, x + t * STN_TILE_ELEMENTS, affine,
                         plain);
    of(merge_groups)(&groups);
    for (; tiles > 1; tiles /= 2)
        of(merge_tiles)(&groups);
    moments[0] = (double)groups.mean[0][0];
    moments[1] = (double)groups.squares[0][0];
}

static void of(moments)(double *moments, const void *x, const stn_affine *affine, int64_t tiles)
{
    if (affine->plain) {
        of(moments_run)(moments, x, NULL, tiles, 1);
        return;
    }
    const AFFINE own = of(take_affine)(affine);
    of(moments_run)(moments, x, &own, tiles, 0);
}

#undef T
#undef REAL
