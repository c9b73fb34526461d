/* Scans written once: each element becomes the value of all elements of its row up to it.
 *
 *     STN_SCAN(running, sum, (in(x)), x)
 *     running_scan(exec, STN_F64, 0, &result, &x);
 *
 * defines, among names that begin with running_,
 *
 *     stn_status running_scan(const stn_exec *exec, stn_format arithmetic, int exclusive,
 *                             const stn_view *result, const stn_view *x);
 *     stn_status running_scan_along(const stn_exec *exec, stn_format arithmetic, int exclusive,
 *                                   int dimension, const stn_view *result, const stn_view *x);
 *
 * for arithmetic STN_F64 and STN_F32; STN_SCAN_INTEGER for STN_I64. The operation is sum, product,
 * min or max; STN_SCAN_BY and STN_SCAN_INTEGER_BY take map, combine (an expression of a and b) and
 * identity instead. Parameters are those of STN_REDUCE.
 *
 * The space is the broadcast of the views' extents; each line of it along the last dimension, or
 * along `dimension`, is scanned by itself. The result has its extents, in any format, with any
 * strides and scale. Inclusive scans include the element, exclusive ones end before it, and begin
 * with the identity. doc/order.md says what the order is: the same bits for every executor, number
 * of threads and layout. At most 128 additions touch an element of the result's own tile of 128,
 * and 2 ceil(log2(n)) one before it (doc/accuracy.md); integers are exact modulo 2^64.
 *
 * Errors are those of reductions into a view; STN_ERR_ARGUMENT for a dimension that there is not. A
 * result that overlaps a parameter is refused, also the same view. */
#ifndef STENO_SCAN_H
#define STENO_SCAN_H

#include "steno/names/kernel_words.h"
#include "steno/names/hide.h"
#include "steno/reduce_parts.h"

STN_BEGIN_DECLS

/* Up to STN_STRETCH_TILES tiles that begin with a tile, scanned: what comes before them is `carry`,
 * or nothing when that is NULL. Their own value, as a reduction has it, goes into `state`. There
 * must be room for one more result, which means nothing. */
typedef void stn_scan_loop(const stn_stretch *stretch, const void *carry, int exclusive,
                           void *results, void *state);

typedef struct stn_scan {
    stn_reduction reduction;
    stn_scan_loop *f64, *f32, *i64;
} stn_scan;

/* What the functions of STN_SCAN call; dimension -1 is the last one. */
STN_API stn_status stn_scan_run(const stn_exec *exec, stn_scan *scan, stn_format arithmetic,
                                int exclusive, int dimension, const stn_view *result,
                                const stn_argument *arguments);

/* Tiles side by side: row k has the elements k of STN_ABREAST tiles, which follow each other in
 * `values`. This many rows at a time; of fewer tiles, the last one stands in for those that there
 * are not. Elements have 4 or 8 bytes. */
#define STN_ABREAST      8
#define STN_ABREAST_ROWS 32
STN_API void stn_scan_abreast(void *rows, const void *values, int64_t tiles, int64_t bytes);
STN_API void stn_scan_apart(void *values, const void *rows, int64_t tiles, int64_t bytes);

STN_END_DECLS

/* clang-format off */

/* Rows of tiles side by side: each element is a chain of dependent operations down its column.
 * `fresh`: these rows are the first ones. */
#define STN_SCAN_DOWN(op, T, row, above) op##_combine_##T(above, stn_from[row * STN_ABREAST + stn_t])
#define STN_SCAN_ROWS(name, op, T)                                                                 \
    STN_KERNEL_INLINE void name##_rows_##T(const stn_##T *stn_from,                                \
                                           stn_##T *STN_KERNEL_RESTRICT stn_to,                    \
                                           stn_##T *STN_KERNEL_RESTRICT stn_chain,                 \
                                           const stn_##T *STN_KERNEL_RESTRICT stn_carry,           \
                                           const int stn_fresh)                                    \
    {                                                                                              \
        for (int64_t stn_t = 0; stn_t < STN_ABREAST; stn_t++) {                                    \
            const stn_##T stn_a = stn_fresh ? stn_from[stn_t]                                      \
                                            : STN_SCAN_DOWN(op, T, 0, stn_chain[stn_t]),           \
                          stn_b = STN_SCAN_DOWN(op, T, 1, stn_a),                                  \
                          stn_c = STN_SCAN_DOWN(op, T, 2, stn_b),                                  \
                          stn_d = STN_SCAN_DOWN(op, T, 3, stn_c),                                  \
                          stn_e = STN_SCAN_DOWN(op, T, 4, stn_d),                                  \
                          stn_f = STN_SCAN_DOWN(op, T, 5, stn_e),                                  \
                          stn_g = STN_SCAN_DOWN(op, T, 6, stn_f),                                  \
                          stn_h = STN_SCAN_DOWN(op, T, 7, stn_g);                                  \
            stn_to[stn_t] = op##_combine_##T(stn_carry[stn_t], stn_a);                             \
            stn_to[STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_b);               \
            stn_to[2 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_c);           \
            stn_to[3 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_d);           \
            stn_to[4 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_e);           \
            stn_to[5 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_f);           \
            stn_to[6 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_g);           \
            stn_to[7 * STN_ABREAST + stn_t] = op##_combine_##T(stn_carry[stn_t], stn_h);           \
            stn_chain[stn_t] = stn_h;                                                              \
        }                                                                                          \
    }

/* A tile by itself, and several abreast. `first`: the tile has no carry, which is the identity
 * then. Exclusive results are the inclusive ones, an element further on. */
#define STN_SCAN_TILES(name, op, T)                                                                \
    STN_KERNEL_INLINE void name##_alone_##T(const stn_##T *stn_value,                              \
                                          stn_##T *STN_KERNEL_RESTRICT stn_result,                 \
                                          const int64_t stn_count, const stn_##T stn_carry,        \
                                          const int stn_first, const int stn_exclusive)            \
    {                                                                                              \
        stn_##T stn_a = stn_value[0];                                                              \
        stn_result[0] = stn_exclusive ? stn_carry                                                  \
                        : stn_first   ? stn_a                                                      \
                                      : op##_combine_##T(stn_carry, stn_a);                        \
        for (int64_t stn_k = 1; stn_k < stn_count; stn_k++) {                                      \
            const stn_##T stn_next = op##_combine_##T(stn_a, stn_value[stn_k]);                    \
            const stn_##T stn_now = stn_exclusive ? stn_a : stn_next;                              \
            stn_result[stn_k] = stn_first ? stn_now : op##_combine_##T(stn_carry, stn_now);        \
            stn_a = stn_next;                                                                      \
        }                                                                                          \
    }                                                                                              \
    STN_REDUCE_VERSIONS __attribute__((__noinline__)) STN_KERNEL_EXACT_##T static void             \
    name##_abreast_##T(                                                                            \
        const stn_##T *stn_value, stn_##T *STN_KERNEL_RESTRICT stn_result,                         \
        const int64_t stn_tiles,                                                                   \
        const stn_##T *stn_carries, const int stn_exclusive)                                       \
    {                                                                                              \
        stn_##T stn_from[STN_ABREAST_ROWS * STN_ABREAST] __attribute__((__aligned__(64)));         \
        stn_##T stn_to[STN_ABREAST_ROWS * STN_ABREAST] __attribute__((__aligned__(64)));           \
        stn_##T stn_chain[STN_ABREAST] __attribute__((__aligned__(64)));                           \
        stn_##T stn_carry[STN_ABREAST] __attribute__((__aligned__(64)));                           \
        for (int64_t stn_t = 0; stn_t < STN_ABREAST; stn_t++)                                      \
            stn_carry[stn_t] = stn_carries[stn_t < stn_tiles ? stn_t : stn_tiles - 1];             \
        for (int64_t stn_at = 0; stn_at < STN_TILE_ELEMENTS; stn_at += STN_ABREAST_ROWS) {         \
            int64_t stn_k = 0;                                                                     \
            stn_scan_abreast(stn_from, stn_value + stn_at, stn_tiles, (int64_t)sizeof *stn_value); \
            if (stn_at == 0) {                                                                     \
                name##_rows_##T(stn_from, stn_to, stn_chain, stn_carry, 1);                        \
                stn_k = STN_ABREAST * 8;                                                           \
            }                                                                                      \
            for (; stn_k < STN_ABREAST * STN_ABREAST_ROWS; stn_k += STN_ABREAST * 8)               \
                name##_rows_##T(stn_from + stn_k, stn_to + stn_k, stn_chain, stn_carry, 0);        \
            stn_scan_apart(stn_result + stn_at + stn_exclusive, stn_to, stn_tiles,                 \
                           (int64_t)sizeof *stn_value);                                            \
        }                                                                                          \
        if (stn_exclusive)                                                                         \
            for (int64_t stn_t = 0; stn_t < stn_tiles; stn_t++)                                    \
                stn_result[stn_t * STN_TILE_ELEMENTS] = stn_carries[stn_t];                        \
    }

/* The element of a tile that is `row` behind lane stn_l. */
#define STN_SCAN_TAKE(name, T, parameters, row)                                                    \
    stn_##T stn_v##row;                                                                            \
    {                                                                                              \
        const int64_t stn_k = stn_from + stn_l + row;                                              \
        stn_v##row = STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k);                       \
        stn_v[stn_l + row] = stn_v##row;                                                           \
    }

/* Up to STN_ABREAST whole tiles at a time: their elements, their values, what is before each, and
 * the results. The first tile of a row is by itself, and so is the last one when it is not whole.
 */
#define STN_SCAN_LOOP(name, op, T, parameters)                                                     \
    STN_KERNEL_BEGIN                                                                               \
    STN_SCAN_ROWS(name, op, T)                                                                     \
    STN_SCAN_TILES(name, op, T)                                                                    \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_scan_loop_##T(                     \
        const stn_stretch *STN_KERNEL_RESTRICT stn_now, const void *stn_carried,                   \
        int stn_exclusive, void *STN_KERNEL_RESTRICT stn_results, void *stn_state)                 \
    {                                                                                              \
        enum { stn_few = 3 };                                                                      \
        stn_##T stn_tiles[STN_STRETCH_TILES], stn_eight[STN_ABREAST][8];                           \
        stn_##T stn_level[8], stn_before[STN_STRETCH_TILES];                                       \
        int64_t stn_done = 0, stn_at_tile = 0;                                                     \
        STN_REDUCE_BEGIN(T, parameters, STN_BEFORE)                                                \
        stn_##T *STN_KERNEL_RESTRICT const stn_value = (stn_##T *)stn_tile_spare(stn_tile_now);    \
        while (stn_done < stn_count) {                                                             \
            const int stn_first = stn_done == 0 && !stn_carried;                                   \
            const int64_t stn_left = stn_count - stn_done, stn_whole = stn_left / STN_TILE_ELEMENTS; \
            const int64_t stn_most = stn_first ? 1 : STN_ABREAST;                                  \
            const int64_t stn_full = stn_whole < stn_most ? stn_whole : stn_most;                  \
            const int64_t stn_some = stn_full ? stn_full * STN_TILE_ELEMENTS : stn_left;           \
            stn_##T *STN_KERNEL_RESTRICT const stn_to = (stn_##T *)stn_results + stn_done;         \
            for (int64_t stn_t = 0; stn_t < stn_full; stn_t++) {                                   \
                stn_##T *const stn_v = stn_value + stn_t * STN_TILE_ELEMENTS;                      \
                const int64_t stn_from = stn_done + stn_t * STN_TILE_ELEMENTS;                     \
                stn_##T stn_lane[STN_LANES];                                                       \
                for (int64_t stn_l = 0; stn_l < STN_LANES; stn_l++) {                              \
                    STN_SCAN_TAKE(name, T, parameters, 0)                                          \
                    STN_SCAN_TAKE(name, T, parameters, 32)                                         \
                    STN_SCAN_TAKE(name, T, parameters, 64)                                         \
                    STN_SCAN_TAKE(name, T, parameters, 96)                                         \
                    stn_lane[stn_l] = op##_combine_##T(                                            \
                        op##_combine_##T(op##_combine_##T(stn_v0, stn_v32), stn_v64), stn_v96);    \
                }                                                                                  \
                for (int64_t stn_l = 0; stn_l < 16; stn_l++)                                       \
                    stn_lane[stn_l] = op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 16]);     \
                for (int64_t stn_l = 0; stn_l < 8; stn_l++)                                        \
                    stn_eight[stn_t][stn_l] =                                                      \
                        op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 8]);                    \
            }                                                                                      \
            STN_REDUCE_NO_GATHERS                                                                  \
            for (int64_t stn_t = 0; stn_t < stn_full; stn_t++)                                     \
                stn_tiles[stn_at_tile + stn_t] = op##_of_eight_##T(stn_eight[stn_t]);              \
            for (int64_t stn_k = stn_done; !stn_full && stn_k < stn_count; stn_k++)                \
                stn_value[stn_k - stn_done] = STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k); \
            if (!stn_full)                                                                         \
                stn_tiles[stn_at_tile] = op##_of_some_##T(stn_value, stn_some, 0, stn_scale);      \
            for (int64_t stn_t = stn_at_tile; stn_t < stn_at_tile + stn_full + !stn_full; stn_t++) {     \
                stn_##T stn_sum = stn_tiles[stn_t];                                                \
                int stn_begun = stn_carried != 0, stn_k = 0;                                       \
                if (stn_begun)                                                                     \
                    stn_before[stn_t] = *(const stn_##T *)stn_carried;                             \
                for (int stn_b = 7; stn_b >= 0; stn_b--)                                           \
                    if (stn_t >> stn_b & 1) {                                                      \
                        stn_before[stn_t] =                                                        \
                            stn_begun ? op##_combine_##T(stn_before[stn_t], stn_level[stn_b])      \
                                      : stn_level[stn_b];                                          \
                        stn_begun = 1;                                                             \
                    }                                                                              \
                for (; stn_t >> stn_k & 1; stn_k++)                                                \
                    stn_sum = op##_combine_##T(stn_level[stn_k], stn_sum);                         \
                stn_level[stn_k] = stn_sum;                                                        \
            }                                                                                      \
            if (stn_full >= stn_few)                                                               \
                name##_abreast_##T(stn_value, stn_to, stn_full, stn_before + stn_at_tile,          \
                                   stn_exclusive);                                                 \
            else                                                                                   \
                for (int64_t stn_t = 0; stn_t * STN_TILE_ELEMENTS < stn_some; stn_t++)             \
                    name##_alone_##T(stn_value + stn_t * STN_TILE_ELEMENTS,                        \
                                   stn_to + stn_t * STN_TILE_ELEMENTS,                             \
                                   stn_full ? STN_TILE_ELEMENTS : stn_some,                        \
                                   stn_first ? op##_identity_##T() : stn_before[stn_at_tile + stn_t], \
                                   stn_first, stn_exclusive);                                      \
            stn_at_tile += stn_full + !stn_full;                                                   \
            stn_done += stn_some;                                                                  \
        }                                                                                          \
        *(stn_##T *)stn_state = op##_of_tiles_##T(stn_tiles, stn_at_tile);                         \
    }                                                                                              \
    STN_KERNEL_END

#define STN_SCAN(name, operation, parameters, ...)                                                 \
    STN_SCAN_REAL(name, stn_op_##operation, parameters, STN_SCANNED_##operation, #__VA_ARGS__,     \
                  #operation, __VA_ARGS__)
#define STN_SCAN_INTEGER(name, operation, parameters, ...)                                         \
    STN_SCAN_WHOLE(name, stn_op_##operation, parameters, STN_SCANNED_##operation, #__VA_ARGS__,    \
                   #operation, __VA_ARGS__)
#define STN_SCAN_BY(name, parameters, map, combine, identity)                                      \
    STN_REDUCE_OWN(name, f64, combine, a, identity)                                                \
    STN_REDUCE_OWN(name, f32, combine, a, identity)                                                \
    STN_SCAN_REAL(name, name##_own, parameters, STN_MAP_VALUE, #map, "by " #combine "; " #identity,\
                  map)
#define STN_SCAN_INTEGER_BY(name, parameters, map, combine, identity)                              \
    STN_REDUCE_OWN(name, i64, combine, a, identity)                                                \
    STN_SCAN_WHOLE(name, name##_own, parameters, STN_MAP_VALUE, #map,                              \
                   "by " #combine "; " #identity, map)

/* Other operations are not scanned: there is no such macro. */
#define STN_SCANNED_sum     STN_MAP_VALUE
#define STN_SCANNED_product STN_MAP_VALUE
#define STN_SCANNED_min     STN_MAP_VALUE
#define STN_SCANNED_max     STN_MAP_VALUE

#define STN_SCAN_REAL(name, op, parameters, MAP, words, operation, ...)                            \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, f64, parameters, MAP, __VA_ARGS__)                                \
    STN_REDUCE_ELEMENT(name, op, f32, parameters, MAP, __VA_ARGS__)                                \
    STN_REDUCE_LOOPS(name, op, f64, parameters, STN_RESULT_VALUE)                                  \
    STN_REDUCE_LOOPS(name, op, f32, parameters, STN_RESULT_VALUE)                                  \
    STN_SCAN_LOOP(name, op, f64, parameters)                                                       \
    STN_SCAN_LOOP(name, op, f32, parameters)                                                       \
    STN_SCAN_LAUNCH(name, parameters, f64, words, operation, &name##_loops_f64, &name##_loops_f32, \
                    0, name##_map_f64, name##_map_f32, 0, name##_scan_loop_f64,                    \
                    name##_scan_loop_f32, 0)
#define STN_SCAN_WHOLE(name, op, parameters, MAP, words, operation, ...)                           \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_ELEMENT(name, op, i64, parameters, MAP, __VA_ARGS__)                                \
    STN_REDUCE_LOOPS(name, op, i64, parameters, STN_RESULT_VALUE)                                  \
    STN_SCAN_LOOP(name, op, i64, parameters)                                                       \
    STN_SCAN_LAUNCH(name, parameters, i64, words, operation, 0, 0, &name##_loops_i64, 0, 0,        \
                    name##_map_i64, 0, 0, name##_scan_loop_i64)

#define STN_SCAN_LAUNCH(name, parameters, T, words, operation, f64_loops, f32_loops, i64_loops,    \
                        f64_map, f32_map, i64_map, ...)                                            \
    static stn_scan name##_scanned = {                                                             \
        {{sizeof(stn_kernel), 0, (int32_t)(sizeof name##_parameters / sizeof *name##_parameters),  \
          #name, words, name##_parameters, f64_map, f32_map, i64_map, 0, 0, 0, stn_kernel_probe},  \
         operation, 0, f64_loops, f32_loops, i64_loops, 0, 0, {0, 0}},                             \
        __VA_ARGS__};                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_scan_along(                        \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_exclusive, int stn_dimension,   \
        const stn_view *stn_result STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_REDUCE_EXPECT_FEW(name, "a scan");                                                     \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_scan_run(stn_on, &name##_scanned, stn_arithmetic, stn_exclusive,                \
                            stn_dimension < 0 ? STN_MAX_RANK : stn_dimension, stn_result,          \
                            stn_arguments);                                                        \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_scan(                              \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_exclusive,                      \
        const stn_view *stn_result STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_scan_run(stn_on, &name##_scanned, stn_arithmetic, stn_exclusive, -1,            \
                            stn_result, stn_arguments);                                            \
    }

/* clang-format on */

#include "steno/names/show.h"

#endif
