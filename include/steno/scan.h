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
 * along `dimension`, is scanned by itself. The result has its extents, in any format, layout and
 * scale. Inclusive scans include the element, exclusive ones end before it, and begin with the
 * identity. doc/order.md says what the order is: the same bits for every executor, number of
 * threads and layout. An element is within (128 + log2(n)) roundings of the exact value; integers
 * are exact modulo 2^64.
 *
 * Errors are those of reductions into a view; STN_ERR_ARGUMENT for a dimension that there is not. A
 * result that overlaps a parameter is refused, also the same view. */
#ifndef STENO_SCAN_H
#define STENO_SCAN_H

#include "steno/reduce_parts.h"

STN_BEGIN_DECLS

/* Up to STN_STRETCH_TILES tiles that begin with a tile, scanned: what comes before them is `carry`,
 * or nothing when that is NULL. Their own value, as a reduction has it, goes into `state`. */
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

STN_END_DECLS

/* clang-format off */

/* A tile, and four of them side by side: each is a chain of dependent operations. `first`: the tile
 * has no carry, which is the identity then. */
#define STN_SCAN_LOOP(name, op, T, parameters)                                                     \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE void name##_go_##T(const stn_##T *value, stn_##T *STN_KERNEL_RESTRICT to,    \
                                         const int64_t count, const stn_##T carry,                 \
                                         const int first, const int exclusive)                     \
    {                                                                                              \
        stn_##T stn_a = value[0];                                                                  \
        to[0] = exclusive ? carry : first ? stn_a : op##_combine_##T(carry, stn_a);                \
        for (int64_t stn_k = 1; stn_k < count; stn_k++) {                                          \
            const stn_##T stn_next = op##_combine_##T(stn_a, value[stn_k]);                        \
            const stn_##T stn_now = exclusive ? stn_a : stn_next;                                  \
            to[stn_k] = first ? stn_now : op##_combine_##T(carry, stn_now);                        \
            stn_a = stn_next;                                                                      \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_INLINE void name##_go_four_##T(const stn_##T *value,                                \
                                              stn_##T *STN_KERNEL_RESTRICT to,                     \
                                              const stn_##T *carry, const int exclusive)           \
    {                                                                                              \
        enum { stn_b = STN_TILE_ELEMENTS, stn_c = 2 * stn_b, stn_d = 3 * stn_b };                  \
        stn_##T stn_v = value[0], stn_w = value[stn_b], stn_x = value[stn_c], stn_y = value[stn_d];\
        const stn_##T stn_e = carry[0], stn_f = carry[1], stn_g = carry[2], stn_h = carry[3];      \
        to[0] = exclusive ? stn_e : op##_combine_##T(stn_e, stn_v);                                \
        to[stn_b] = exclusive ? stn_f : op##_combine_##T(stn_f, stn_w);                            \
        to[stn_c] = exclusive ? stn_g : op##_combine_##T(stn_g, stn_x);                            \
        to[stn_d] = exclusive ? stn_h : op##_combine_##T(stn_h, stn_y);                            \
        for (int64_t stn_k = 1; stn_k < STN_TILE_ELEMENTS; stn_k++) {                              \
            const stn_##T stn_p = stn_v, stn_q = stn_w, stn_r = stn_x, stn_s = stn_y;              \
            stn_v = op##_combine_##T(stn_v, value[stn_k]);                                         \
            stn_w = op##_combine_##T(stn_w, value[stn_b + stn_k]);                                 \
            stn_x = op##_combine_##T(stn_x, value[stn_c + stn_k]);                                 \
            stn_y = op##_combine_##T(stn_y, value[stn_d + stn_k]);                                 \
            to[stn_k] = op##_combine_##T(stn_e, exclusive ? stn_p : stn_v);                        \
            to[stn_b + stn_k] = op##_combine_##T(stn_f, exclusive ? stn_q : stn_w);                \
            to[stn_c + stn_k] = op##_combine_##T(stn_g, exclusive ? stn_r : stn_x);                \
            to[stn_d + stn_k] = op##_combine_##T(stn_h, exclusive ? stn_s : stn_y);                \
        }                                                                                          \
    }                                                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_scan_loop_##T(                     \
        const stn_stretch *STN_KERNEL_RESTRICT stn_now, const void *stn_carried,                   \
        int stn_exclusive, void *STN_KERNEL_RESTRICT stn_results, void *stn_state)                 \
    {                                                                                              \
        stn_##T stn_value[STN_STRETCH_TILES * STN_TILE_ELEMENTS];                                  \
        stn_##T stn_tiles[STN_STRETCH_TILES], stn_eight[STN_STRETCH_TILES][8];                     \
        stn_##T stn_level[8], stn_before[STN_STRETCH_TILES];                                       \
        stn_##T *STN_KERNEL_RESTRICT const stn_to = (stn_##T *)stn_results;                        \
        int64_t stn_full = 0, stn_at = 0;                                                          \
        STN_REDUCE_BEGIN(T, parameters, STN_BEFORE)                                                \
        stn_tiles[0] = op##_identity_##T();                                                        \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            stn_value[stn_k] = STN_REDUCE_TAKEN(name, T, parameters, STN_GIVE, stn_k);             \
        for (; stn_count - stn_at >= STN_TILE_ELEMENTS; stn_at += STN_TILE_ELEMENTS) {             \
            const stn_##T *const stn_v = stn_value + stn_at;                                       \
            stn_##T stn_lane[STN_LANES];                                                           \
            for (int64_t stn_l = 0; stn_l < STN_LANES; stn_l++)                                    \
                stn_lane[stn_l] = op##_combine_##T(                                                \
                    op##_combine_##T(op##_combine_##T(stn_v[stn_l], stn_v[stn_l + 32]),            \
                                     stn_v[stn_l + 64]),                                           \
                    stn_v[stn_l + 96]);                                                            \
            for (int64_t stn_l = 0; stn_l < 16; stn_l++)                                           \
                stn_lane[stn_l] = op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 16]);         \
            for (int64_t stn_l = 0; stn_l < 8; stn_l++)                                            \
                stn_eight[stn_full][stn_l] =                                                       \
                    op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + 8]);                        \
            stn_full++;                                                                            \
        }                                                                                          \
        STN_REDUCE_NO_GATHERS                                                                      \
        for (int64_t stn_t = 0; stn_t < stn_full; stn_t++)                                         \
            stn_tiles[stn_t] = op##_of_eight_##T(stn_eight[stn_t]);                                \
        if (stn_at < stn_count)                                                                    \
            stn_tiles[stn_full] =                                                                  \
                op##_of_some_##T(stn_value + stn_at, stn_count - stn_at, 0, stn_scale);            \
        for (int64_t stn_t = 0; stn_t * STN_TILE_ELEMENTS < stn_count; stn_t++) {                  \
            stn_##T stn_sum = stn_tiles[stn_t];                                                    \
            int stn_begun = stn_carried != 0, stn_k = 0;                                           \
            if (stn_begun)                                                                         \
                stn_before[stn_t] = *(const stn_##T *)stn_carried;                                 \
            for (int stn_b = 7; stn_b >= 0; stn_b--)                                               \
                if (stn_t >> stn_b & 1) {                                                          \
                    stn_before[stn_t] =                                                            \
                        stn_begun ? op##_combine_##T(stn_before[stn_t], stn_level[stn_b])          \
                                  : stn_level[stn_b];                                              \
                    stn_begun = 1;                                                                 \
                }                                                                                  \
            for (; stn_t >> stn_k & 1; stn_k++)                                                    \
                stn_sum = op##_combine_##T(stn_level[stn_k], stn_sum);                             \
            stn_level[stn_k] = stn_sum;                                                            \
        }                                                                                          \
        *(stn_##T *)stn_state =                                                                    \
            op##_of_tiles_##T(stn_tiles, stn_full + (stn_at < stn_count));                         \
        for (stn_at = 0; stn_at < stn_count;) {                                                    \
            const int64_t stn_left = stn_count - stn_at;                                           \
            const int stn_first = stn_at == 0 && !stn_carried;                                     \
            const stn_##T *const stn_carry = stn_before + stn_at / STN_TILE_ELEMENTS;              \
            if (stn_left >= 4 * STN_TILE_ELEMENTS && !stn_first) {                                 \
                if (stn_exclusive)                                                                 \
                    name##_go_four_##T(stn_value + stn_at, stn_to + stn_at, stn_carry, 1);         \
                else                                                                               \
                    name##_go_four_##T(stn_value + stn_at, stn_to + stn_at, stn_carry, 0);         \
                stn_at += 4 * STN_TILE_ELEMENTS;                                                   \
            } else {                                                                               \
                name##_go_##T(stn_value + stn_at, stn_to + stn_at,                                 \
                              stn_left < STN_TILE_ELEMENTS ? stn_left : STN_TILE_ELEMENTS,         \
                              stn_first ? op##_identity_##T() : *stn_carry, stn_first,             \
                              stn_exclusive);                                                      \
                stn_at += STN_TILE_ELEMENTS;                                                       \
            }                                                                                      \
        }                                                                                          \
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
          #name, words, name##_parameters, f64_map, f32_map, i64_map, 0, 0, 0},                    \
         operation, 0, f64_loops, f32_loops, i64_loops, 0, 0, {0, 0}},                             \
        __VA_ARGS__};                                                                              \
    static inline __attribute__((unused)) stn_status name##_scan_along(                            \
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
    static inline __attribute__((unused)) stn_status name##_scan(                                  \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_exclusive,                      \
        const stn_view *stn_result STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_scan_run(stn_on, &name##_scanned, stn_arithmetic, stn_exclusive, -1,            \
                            stn_result, stn_arguments);                                            \
    }

/* clang-format on */

#endif
