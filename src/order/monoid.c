/* The operations of the library, from the table of reduce_operations.h. */
#include "order/monoid.h"

#include <string.h>

#include "steno/detail/reduce_parts.h"
#include "steno/scan.h"
#include "order/schedule.h"

/* clang-format off */

#define DEFINE_MONOID(op, T, state, mapped, result, first, step, combined, empty, finished)        \
    STN_REDUCE_PANEL(op, T, state, mapped, result, first, step, combined, empty, finished)         \
    STN_WIDE_VERSIONS STN_KERNEL_FAST_##T static void op##_accumulate_##T(                        \
        const void *elements, int64_t count, int64_t number, double factor, int fresh, void *states)\
    {                                                                                              \
        const mapped *STN_KERNEL_RESTRICT const element = elements;                                \
        state *STN_KERNEL_RESTRICT const to = states;                                              \
        const STN_PART_##T scale = (STN_PART_##T)factor;                                           \
        for (int64_t k = 0; fresh && k < count; k++)                                               \
            to[k] = op##_first_##T(element[k], number, scale);                                     \
        for (int64_t k = 0; !fresh && k < count; k++)                                              \
            to[k] = op##_step_##T(to[k], element[k], number, scale);                               \
    }                                                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_FAST_##T static void op##_tile_##T(                              \
        const void *elements, int64_t count, int64_t number, double factor, void *to)              \
    {                                                                                              \
        const mapped *STN_KERNEL_RESTRICT const element = elements;                                \
        const STN_PART_##T scale = (STN_PART_##T)factor;                                           \
        int64_t held = count < STN_LANES ? count : STN_LANES;                                      \
        state lane[STN_LANES];                                                                     \
        for (int64_t k = 0; k < held; k++)                                                         \
            lane[k] = op##_first_##T(element[k], number + k, scale);                               \
        for (int64_t e = STN_LANES; e < count; e += STN_LANES) {                                   \
            const int64_t batch = count - e < STN_LANES ? count - e : STN_LANES;                    \
            for (int64_t k = 0; k < batch; k++)                                                     \
                lane[k] = op##_step_##T(lane[k], element[e + k], number + e + k, scale);           \
        }                                                                                          \
        for (int64_t half = STN_LANES / 2; half > 0; held = held < half ? held : half, half /= 2) {\
            const int64_t others = held - half < half ? held - half : half;                        \
            for (int64_t k = 0; k < others; k++)                                                   \
                lane[k] = op##_both_##T(lane[k], lane[half + k]);                                  \
        }                                                                                          \
        *(state *)to = lane[0];                                                                    \
    }                                                                                              \
    STN_KERNEL_FAST_##T static void op##_finish_##T(const void *states, void *results,            \
                                                     int64_t count, double factor)                 \
    {                                                                                              \
        const STN_PART_##T stn_scale = (STN_PART_##T)factor;                                       \
        (void)stn_scale;                                                                           \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const state stn_a = ((const state *)states)[k];                                        \
            ((result *)results)[k] = finished;                                                     \
        }                                                                                          \
    }                                                                                              \
    static void op##_identity_##T(void *to)                                                        \
    {                                                                                              \
        *(state *)to = empty;                                                                      \
    }

/* Combinations of states. Several operations share one: FOLD_op(T) is its name. */
#define DEFINE_FOLD(op, T)                                                                         \
    STN_KERNEL_INLINE STN_KERNEL_FAST_##T void halve_##op##_##T(                                   \
        op##_state_##T *to, const op##_state_##T *left, const op##_state_##T *right,               \
        const int64_t run, int64_t runs)                                                           \
    {                                                                                              \
        STN_KERNEL_IVDEP                                                                           \
        for (int64_t r = 0; r < runs; r++)                                                         \
            for (int64_t k = 0; k < run; k++)                                                      \
                to[r * run + k] = op##_both_##T(left[2 * r * run + k], right[2 * r * run + k]);    \
    }                                                                                              \
    STN_WIDE_VERSIONS STN_KERNEL_FAST_##T static void combine_##op##_##T(                          \
        void *results, const void *lefts, const void *rights, int64_t run, int64_t runs)           \
    {                                                                                              \
        const op##_state_##T *const left = lefts, *const right = rights;                           \
        op##_state_##T *const to = results;                                                        \
        if (run == 1)                                                                              \
            halve_##op##_##T(to, left, right, 1, runs);                                            \
        else if (run == 2)                                                                         \
            halve_##op##_##T(to, left, right, 2, runs);                                            \
        else if (run == 4)                                                                         \
            halve_##op##_##T(to, left, right, 4, runs);                                            \
        for (int64_t r = 0; (run == 3 || run > 4) && r < runs; r++) {                              \
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t k = 0; k < run; k++)                                                      \
                to[r * run + k] = op##_both_##T(left[2 * r * run + k], right[2 * r * run + k]);    \
        }                                                                                          \
    }                                                                                              \
    STN_REDUCE_VERSIONS STN_KERNEL_FAST_##T static void columns_##op##_##T(void *states, int64_t tiles)\
    {                                                                                              \
        op##_state_##T *const to = states;                                                         \
        STN_KERNEL_IVDEP                                                                           \
        for (int64_t t = 0; t < tiles; t++) {                                                      \
            const op##_state_##T *const each = to + t * STN_PANEL_COLUMNS;                         \
            const op##_state_##T a = op##_both_##T(op##_both_##T(each[0], each[4]),                \
                                                   op##_both_##T(each[2], each[6]));               \
            const op##_state_##T b = op##_both_##T(op##_both_##T(each[1], each[5]),                \
                                                   op##_both_##T(each[3], each[7]));               \
            to[t] = op##_both_##T(a, b);                                                           \
        }                                                                                          \
    }
#define FOLD_sum(T)      sum_##T
#define FOLD_product(T)  product_##T
#define FOLD_products(T) sum_##T
#define FOLD_min(T)      min_##T
#define FOLD_max(T)      max_##T
#define FOLD_argmin(T)   argmin_f64
#define FOLD_argmax(T)   argmin_f64
#define FOLD_any(T)      any_i64
#define FOLD_all(T)      all_i64
#define FOLD_norm1(T)    STN_JOIN(sum_, PART_##T)
#define FOLD_norm2(T)    STN_JOIN(sum_, PART_##T)
#define FOLD_norm_inf(T) STN_JOIN(LARGER_, PART_##T)
#define PART_f64         f64
#define PART_f32         f32
#define PART_i64         i64
#define PART_c128        f64
#define PART_c64         f32
#define LARGER_f64       max_f64
#define LARGER_f32       max_f32
#define LARGER_i64       norm_inf_i64

#define MONOID(op, T, state, mapped, result, first, step, combined, empty, finished)               \
    {(int32_t)sizeof(state), (int32_t)sizeof(mapped), (int32_t)sizeof(result), FORMAT_OF(result),  \
     STN_JOIN(combine_, FOLD_##op(T)), STN_JOIN(columns_, FOLD_##op(T)), op##_accumulate_##T,      \
     op##_tile_##T, op##_finish_##T, op##_identity_##T, NULL, NULL, NULL, NULL, NULL, 0, 1},

#define FORMAT_OF(type)                                                                            \
    _Generic(*(type *)0, double : STN_F64, float : STN_F32, int64_t : STN_I64, stn_c128            \
             : STN_C128, stn_c64 : STN_C64)

/* Operations by arithmetic type: f64 f32 i64 c128 c64. */
#define EACH_OPERATION(ALL, REAL, SIZE)                                                            \
    ALL(sum) ALL(product) ALL(products) REAL(min) REAL(max) REAL(argmin) REAL(argmax) ALL(norm1)   \
    SIZE(norm2) ALL(norm_inf)

#define DEFINE(op, T)   STN_OPERATION_##op(DEFINE_MONOID, op, T)
#define DEFINE_REAL(op) DEFINE(op, f64) DEFINE(op, f32) DEFINE(op, i64)
#define DEFINE_ALL(op)  DEFINE_REAL(op) DEFINE(op, c128) DEFINE(op, c64)
#define DEFINE_SIZE(op) DEFINE(op, f64) DEFINE(op, f32) DEFINE(op, c128) DEFINE(op, c64)

STN_KERNEL_BEGIN
EACH_OPERATION(DEFINE_ALL, DEFINE_REAL, DEFINE_SIZE)
DEFINE(any, i64) DEFINE(all, i64)
#define FOLD_REAL(op) DEFINE_FOLD(op, f64) DEFINE_FOLD(op, f32) DEFINE_FOLD(op, i64)
#define FOLD_ALL(op)  FOLD_REAL(op) DEFINE_FOLD(op, c128) DEFINE_FOLD(op, c64)
FOLD_ALL(sum) FOLD_ALL(product) FOLD_REAL(min) FOLD_REAL(max)
DEFINE_FOLD(argmin, f64) DEFINE_FOLD(any, i64) DEFINE_FOLD(all, i64) DEFINE_FOLD(norm_inf, i64)
#define DEFINE_SCAN(op, T)                                                                         \
    STN_SCAN_LOOP(op##_scan_##T, T, op##_both_##T)                                                 \
    STN_REDUCE_ELEMENT(op, T, stn_##T, (in(x)), STN_MAP_VALUE, x)                                  \
    STN_REDUCE_FOLD(op, T, (in(x)), x)
DEFINE_SCAN(sum, f64) DEFINE_SCAN(sum, f32) DEFINE_SCAN(sum, i64)
DEFINE_SCAN(product, f64) DEFINE_SCAN(product, f32) DEFINE_SCAN(product, i64)
DEFINE_SCAN(min, f64) DEFINE_SCAN(min, f32) DEFINE_SCAN(min, i64)
DEFINE_SCAN(max, f64) DEFINE_SCAN(max, f32) DEFINE_SCAN(max, i64)
STN_KERNEL_END

#define ROW(op, T)   STN_OPERATION_##op(MONOID, op, T)
#define ROW_ALL(op)  [STN_REDUCE_WITH_##op] = {ROW(op, f64) ROW(op, f32) ROW(op, i64) ROW(op, c128) ROW(op, c64)},
#define ROW_REAL(op) [STN_REDUCE_WITH_##op] = {ROW(op, f64) ROW(op, f32) ROW(op, i64)},
#define ROW_SIZE(op) [STN_REDUCE_WITH_##op] = {ROW(op, f64) ROW(op, f32) {0} , ROW(op, c128) ROW(op, c64)},
/* Conditions are integers in each arithmetic type. */
#define ROW_CONDITION(op, as) [STN_REDUCE_WITH_##op] = {ROW(as, i64) ROW(as, i64) ROW(as, i64)},
static const stn_monoid monoids[][5] = {EACH_OPERATION(ROW_ALL, ROW_REAL, ROW_SIZE)
    ROW_CONDITION(count, sum) ROW_CONDITION(any, any) ROW_CONDITION(all, all)};

/* Operations of scans. */
typedef struct scan_loops { stn_scan_loop *scan; stn_panel_loop *panel; } scan_loops;
#define SCANS(op, T)   {op##_scan_##T, op##_panel_##T}
#define SCANS_ROW(op)  [STN_REDUCE_WITH_##op] = {SCANS(op, f64), SCANS(op, f32), SCANS(op, i64)}
static const scan_loops scans[][3] = {SCANS_ROW(sum), SCANS_ROW(product), SCANS_ROW(min), SCANS_ROW(max)};
/* clang-format on */

/* ---- by arithmetic type, and of programs ---- */

static int row_of(stn_format arithmetic)
{
    return arithmetic == STN_F64    ? 0
           : arithmetic == STN_F32  ? 1
           : arithmetic == STN_I64  ? 2
           : arithmetic == STN_C128 ? 3
                                    : 4;
}

stn_monoid stn_monoid_of(const stn_reduction *reduction, stn_format arithmetic)
{
    const stn_reduction_loops *const loops[] = {reduction->f64, reduction->f32, reduction->i64,
                                                reduction->c128, reduction->c64};
    static const int32_t bytes[] = {8, 4, 8, 16, 8};
    const int row = row_of(arithmetic);
    const int is_state = reduction->operation == STN_REDUCE_WITH_state;
    const int values = is_state ? reduction->values : 1,
              results = is_state ? reduction->results : 1;
    stn_monoid monoid = monoids[is_state ? STN_REDUCE_WITH_own : reduction->operation][row];
    const stn_reduction_loops *const own = loops[row];
    monoid.fold = own ? own->panel : NULL;
    monoid.rows = own ? own->rows : NULL;
    if (reduction->operation < (int)(sizeof scans / sizeof *scans) && row < 3) {
        monoid.scan = scans[reduction->operation][row].scan;
        monoid.panel = scans[reduction->operation][row].panel;
    }
    monoid.copies = monoid.panel != NULL || reduction->operation == STN_REDUCE_WITH_sum ||
                    reduction->operation == STN_REDUCE_WITH_product;
    if (reduction->operation != STN_REDUCE_WITH_own && !is_state)
        return monoid;
    return (stn_monoid){.state_bytes = values * bytes[row],
                        .mapped_bytes = values * bytes[row],
                        .result_bytes = results * bytes[row],
                        .result = arithmetic,
                        .combine = own->combine,
                        .identity = own->identity,
                        .scan = own->scan,
                        .fold = own->panel,
                        .rows = own->rows,
                        .own = own,
                        .copies = 1,
                        .results = results};
}

void stn_accumulate(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                    double scale, int fresh, void *lanes)
{
    if (!monoid->own)
        monoid->accumulate(mapped, count, number, scale, fresh, lanes);
    else if (fresh)
        memcpy(lanes, mapped, (size_t)(count * monoid->state_bytes));
    else
        monoid->combine(lanes, lanes, mapped, count, 1);
}

void stn_finish(const stn_monoid *monoid, const void *states, void *results, int64_t count,
                double scale)
{
    if (monoid->own)
        monoid->own->finish(states, results, count);
    else
        monoid->finish(states, results, count, scale);
}

/* ---- folds ---- */

void stn_fold_lanes(const stn_monoid *monoid, int64_t width, int64_t count, void *lanes)
{
    const int64_t row = width * monoid->state_bytes;
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2) {
        const int64_t others = count - half < half ? count - half : half;
        if (others > 0)
            monoid->combine(lanes, lanes, (char *)lanes + half * row, others * width, 1);
        count = count < half ? count : half;
    }
}

void stn_fold_columns(const stn_monoid *monoid, int64_t tiles, void *states)
{
    if (monoid->columns) {
        monoid->columns(states, tiles);
        return;
    }
    for (int64_t half = STN_PANEL_COLUMNS / 2; half > 0; half /= 2)
        monoid->combine(states, states, (char *)states + half * monoid->state_bytes, half, tiles);
}

void stn_fold_mapped(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                     double scale, void *state)
{
    _Alignas(16) char lanes[STN_LANES * STN_STATE_BYTES];
    const int64_t bytes = monoid->state_bytes;
    if (!monoid->own) {
        monoid->tile(mapped, count, number, scale, state);
        return;
    }
    memcpy(lanes, mapped, (size_t)((count < STN_LANES ? count : STN_LANES) * bytes));
    for (int64_t e = STN_LANES; e < count; e += STN_LANES)
        monoid->combine(lanes, lanes, (const char *)mapped + e * bytes,
                        count - e < STN_LANES ? count - e : STN_LANES, 1);
    stn_fold_lanes(monoid, 1, count < STN_LANES ? count : STN_LANES, lanes);
    memcpy(state, lanes, (size_t)bytes);
}
