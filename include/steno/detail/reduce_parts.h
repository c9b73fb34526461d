/* Loops and functions of a reduction. */
#ifndef STENO_REDUCE_PARTS_H
#define STENO_REDUCE_PARTS_H

#include "steno/detail/kernel_list.h" /* first: gcc prints the list of includes that led to it */
#include "steno/detail/reduce_operations.h"
#include "steno/detail/reduce_state.h"

/* clang-format off */

/* Versions of a loop by instruction set. Rows of a panel have 8 elements: of f64, i64 and c64 one
 * vector of AVX-512, of f32 one of AVX2, of c128 two of AVX-512. */
#ifdef STN_KERNEL_ONE_VERSION
#    define STN_WIDE_VERSIONS
#    define STN_REDUCE_VERSIONS
#elif __GNUC__ >= 12
#    define STN_WIDE_VERSIONS                                                                      \
        __attribute__((__target_clones__("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#    define STN_REDUCE_VERSIONS __attribute__((__target_clones__("arch=x86-64-v3", "default")))
#else /* earlier versions recognize an architecture on Intel processors only */
#    define STN_WIDE_VERSIONS __attribute__((__target_clones__("avx512f", "arch=haswell", "default")))
#    define STN_REDUCE_VERSIONS __attribute__((__target_clones__("arch=haswell", "default")))
#endif
#define STN_PANEL_VERSIONS_f64  STN_WIDE_VERSIONS
#define STN_PANEL_VERSIONS_f32  STN_REDUCE_VERSIONS
#define STN_PANEL_VERSIONS_i64  STN_WIDE_VERSIONS
#define STN_PANEL_VERSIONS_c128 STN_WIDE_VERSIONS
#define STN_PANEL_VERSIONS_c64  STN_WIDE_VERSIONS

/* Access to members by functions: macros of the program may have the names of members. */
STN_KERNEL_INLINE const stn_tile *stn_panel_elements(const stn_panel *panel_)
{
    return &panel_->elements;
}
STN_KERNEL_INLINE double stn_panel_scale(const stn_panel *panel_) { return panel_->scale; }
STN_KERNEL_INLINE int64_t stn_panel_row(const stn_panel *panel_, int at_)
{
    return panel_->row[at_];
}
STN_KERNEL_INLINE int64_t stn_panel_tile(const stn_panel *panel_, int at_)
{
    return panel_->tile[at_];
}
STN_KERNEL_INLINE int64_t stn_panel_find(const stn_panel *panel_, int at_, int64_t tile_, int64_t row_,
                                         int64_t element_)
{
    const stn_panel_place *const place_ = &panel_->place[at_];
    const uint64_t beside_ = (uint64_t)tile_ * (uint64_t)place_->tile +
                            (uint64_t)row_ * (uint64_t)place_->row +
                            (uint64_t)element_ * (uint64_t)place_->element;
    return (int64_t)((uint64_t)place_->first + beside_); /* unused positions may have any value */
}

/* STN_REDUCE and STN_SCAN expand to DO, which depends on the operation and the number of expressions,
 * or to one error and functions that take any arguments. */
#define STN_REDUCE_OF(...)                STN_REDUCE_OF_(__VA_ARGS__)
#define STN_REDUCE_OF_(name, parameters, ...)                                                      \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_READS_, parameters), STN_REDUCE_DO, STN_REDUCE_ERROR))\
    (name, parameters, __VA_ARGS__)
#define STN_REDUCE_DO(name, parameters, CLASS, DO, ...) DO(name, parameters, CLASS, __VA_ARGS__)
#define STN_REDUCE_ERROR(name, parameters, ...)                                                    \
    STN_EXPLAIN_PARAMETERS(STN_READS_, name, parameters)                                           \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_REFUSED(name, parameters, CLASS, why, all, OPERATION, kind, op, ...)            \
    STN_REFUSE(name, "steno: " #name ": " op why)                                                  \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_UNKNOWN(name, parameters, CLASS, MAP, all, OPERATION, kind, op, ...)            \
    STN_REFUSE(name, "steno: " #name ": " op " is no operation of these; there are " all)          \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_UNNAMED(name, parameters, CLASS, MAP, all, ...)                                 \
    STN_REFUSE(name, "steno: " #name ": the operation is empty; there are " all)                   \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_CASE(lacks, takes, ...)                                                         \
    STN_REDUCE_CASE_(STN_CHOOSE(STN_IS_DEFINED(lacks), _NO, STN_IS_DEFINED(takes)), STN_EXPRESSIONS(__VA_ARGS__))
#define STN_REDUCE_CASE_(...)               STN_REDUCE_CASE__(__VA_ARGS__)
#define STN_REDUCE_CASE__(takes, count)     STN_REDUCE_IS_##count##takes
#define STN_REDUCE_IS_1_NO                  STN_REDUCE_UNKNOWN, ~
#define STN_REDUCE_IS_2_NO                  STN_REDUCE_UNKNOWN, ~
#define STN_REDUCE_IS_3_NO                  STN_REDUCE_UNKNOWN, ~
#define STN_REDUCE_IS_0_NO                  STN_REDUCE_UNKNOWN, ~
#define STN_REDUCE_IS_0_NONE                STN_REDUCE_UNNAMED, ~
#define STN_REDUCE_IS_1_NONE                STN_REDUCE_UNNAMED, ~
#define STN_REDUCE_IS_2_NONE                STN_REDUCE_UNNAMED, ~
#define STN_REDUCE_IS_3_NONE                STN_REDUCE_UNNAMED, ~
/* The number of expressions: 0 to 3, where 3 means more than two. */
#define STN_EXPRESSIONS(...)                STN_EXPRESSIONS_(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, ~)(__VA_ARGS__)
#define STN_EXPRESSIONS_(a, b, c, d, e, f, g, h, i, j, count, ...) STN_EXPRESSIONS_##count
#define STN_EXPRESSIONS_1(a)                STN_CHOOSE(STN_IS_EMPTY(a), 0, 1)
#define STN_EXPRESSIONS_2(...)              2
#define STN_EXPRESSIONS_3(...)              3

/* The arithmetic types of a class, in the order of the members of stn_reduction. */
#define STN_WIDEST_REAL                      f64
#define STN_WIDEST_INTEGER                   i64
#define STN_WIDEST_COMPLEX                   c128
#define STN_EACH_ARITHMETIC_REAL(DO, ...)    DO(f64, __VA_ARGS__) DO(f32, __VA_ARGS__)
#define STN_EACH_ARITHMETIC_INTEGER(DO, ...) DO(i64, __VA_ARGS__)
#define STN_EACH_ARITHMETIC_COMPLEX(DO, ...) DO(c128, __VA_ARGS__) DO(c64, __VA_ARGS__)
#define STN_MAPS_REAL(name)                  name##_map_f64, name##_map_f32, 0, 0, 0
#define STN_MAPS_INTEGER(name)               0, 0, name##_map_i64, 0, 0
#define STN_MAPS_COMPLEX(name)               0, 0, 0, name##_map_c128, name##_map_c64
#define STN_LOOPS_REAL(name)                 &name##_loops_f64, &name##_loops_f32, 0, 0, 0
#define STN_LOOPS_INTEGER(name)              0, 0, &name##_loops_i64, 0, 0
#define STN_LOOPS_COMPLEX(name)              0, 0, 0, &name##_loops_c128, &name##_loops_c64

/* ---- one element, and the loops ---- */

#define STN_REDUCE_ELEMENT(name, T, mapped, parameters, MAP, ...)                                  \
    STN_KERNEL_INLINE mapped name##_element_##T(                                                   \
        const int64_t stn_k STN_EACH_PARAMETER(STN_FORMAL, T, parameters))                         \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)stn_k, (void)sizeof(real_t);                                                         \
        STN_LITERALS(T) STN_REPEATS_##T STN_MATHS_##T                                              \
        {                                                                                          \
            STN_EACH_PARAMETER(STN_DECLARE, T, parameters)                                         \
            MAP(T, __VA_ARGS__)                                                                    \
            STN_EACH_NAMED(STN_END_SCOPE, parameters)                                              \
        }                                                                                          \
    }

/* Maps the elements of a tile. */
#define STN_REDUCE_MAP(name, T, parameters)                                                        \
    STN_REDUCE_VERSIONS STN_KERNEL_EXACT_##T static void name##_map_##T(                           \
        const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)                                          \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_tile_step(stn_tile_now);                                  \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        name##_mapped_##T *STN_KERNEL_RESTRICT const stn_mapped =                                  \
            (name##_mapped_##T *)stn_tile_scratch(stn_tile_now);                                   \
        (void)stn_i, (void)stn_d;                                                                  \
        STN_EACH_PARAMETER(STN_FETCH, T, parameters)                                               \
        STN_KERNEL_IVDEP                                                                           \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            stn_mapped[stn_k] =                                                                    \
                name##_element_##T(stn_k STN_EACH_PARAMETER(STN_ARGUMENT, T, parameters));         \
    }

/* Folds a panel: four lanes of each column at a time, beginning with the upper rows, which is nearly
 * the order of memory; then the lanes of a column. */
#define STN_REDUCE_PANEL(op, T, state, mapped, result, first, step, combine, identity, finish)     \
    STN_KERNEL_INLINE state op##_first_##T(                                                        \
        const mapped stn_m, const int64_t stn_number, const STN_PART_##T stn_scale)                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        (void)stn_number, (void)stn_scale;                                                         \
        return first;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE state op##_step_##T(const state stn_a, const mapped stn_m,                   \
                                          const int64_t stn_number, const STN_PART_##T stn_scale)  \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        (void)stn_number, (void)stn_scale;                                                         \
        return step;                                                                               \
    }                                                                                              \
    STN_KERNEL_INLINE state op##_both_##T(const state stn_a, const state stn_b)                    \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return combine;                                                                            \
    }                                                                                              \
    typedef state op##_state_##T;
#define STN_REDUCE_MAPPED(op, T, state, mapped, result, first, step, combine, identity, finish)    \
    typedef mapped op##_mapped_##T;

/* Loops of eight steps: clang must not unroll them before it vectorizes them; gcc does not vectorize
 * unrolled loops of complex numbers. */
#ifdef __clang__
#    define STN_PANEL_IVDEP      _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#    define STN_PANEL_IVDEP_PARTS STN_PANEL_IVDEP
#else
#    define STN_PANEL_IVDEP      STN_KERNEL_IVDEP
#    define STN_PANEL_IVDEP_PARTS STN_KERNEL_IVDEP _Pragma("GCC unroll 1")
#endif
#define STN_PANEL_IVDEP_f64  STN_PANEL_IVDEP
#define STN_PANEL_IVDEP_f32  STN_PANEL_IVDEP
#define STN_PANEL_IVDEP_i64  STN_PANEL_IVDEP
#define STN_PANEL_IVDEP_c128 STN_PANEL_IVDEP_PARTS
#define STN_PANEL_IVDEP_c64  STN_PANEL_IVDEP_PARTS
#define STN_REDUCE_FOLD(name, T, parameters, ...)                                                  \
    STN_PANEL_VERSIONS_##T STN_KERNEL_EXACT_##T static void name##_panel_##T(                      \
        const stn_panel *STN_KERNEL_RESTRICT stn_now, void *STN_KERNEL_RESTRICT stn_states)        \
    {                                                                                              \
        const stn_tile *const stn_tile_now = stn_panel_elements(stn_now);                          \
        const int64_t stn_tiles = stn_tile_count(stn_tile_now);                                    \
        const STN_PART_##T stn_scale = (STN_PART_##T)stn_panel_scale(stn_now);                     \
        name##_state_##T *STN_KERNEL_RESTRICT stn_to = (name##_state_##T *)stn_states;             \
        STN_EACH_PARAMETER(STN_PANEL_LOAD, T, parameters)                                          \
        for (int64_t stn_t = 0; stn_t < stn_tiles; stn_t++, stn_to += STN_PANEL_COLUMNS) {         \
            name##_state_##T stn_lane[4][STN_PANEL_COLUMNS] __attribute__((__aligned__(64)));      \
            STN_PANEL_HALF(name, T, parameters, 0,                                                 \
                           name##_first_##T(STN_PANEL_ELEMENT(name, T, parameters), stn_scale))    \
            STN_PANEL_HALF(name, T, parameters, 8,                                                 \
                           name##_step_##T(stn_lane[stn_j][stn_k],                                 \
                                           STN_PANEL_ELEMENT(name, T, parameters), stn_scale))     \
            STN_PANEL_IVDEP_##T                                                                    \
            for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++)                            \
                stn_to[stn_k] =                                                                    \
                    name##_both_##T(name##_both_##T(stn_lane[0][stn_k], stn_lane[2][stn_k]),       \
                                    name##_both_##T(stn_lane[1][stn_k], stn_lane[3][stn_k]));      \
        }                                                                                          \
    }
#define STN_PANEL_HALF(name, T, parameters, row, first)                                            \
    for (int64_t stn_j = 0; stn_j < 4; stn_j++) {                                                  \
        STN_EACH_PARAMETER(STN_PANEL_READ, T, parameters)                                          \
        STN_PANEL_IVDEP_##T                                                                        \
        for (int64_t stn_k = 0; stn_k < STN_PANEL_COLUMNS; stn_k++) {                              \
            name##_state_##T stn_v;                                                                \
            {                                                                                      \
                enum { stn_more = row };                                                           \
                stn_v = first;                                                                     \
            }                                                                                      \
            {                                                                                      \
                enum { stn_more = row + 4 };                                                       \
                stn_lane[stn_j][stn_k] = name##_step_##T(                                          \
                    stn_v, STN_PANEL_ELEMENT(name, T, parameters), stn_scale);                     \
            }                                                                                      \
        }                                                                                          \
    }
/* An element of row stn_j + stn_more, and its position in the reduction. */
#define STN_PANEL_ELEMENT(name, T, parameters)                                                     \
    name##_element_##T(stn_k STN_EACH_PARAMETER(STN_PANEL_ARGUMENT, T, parameters)),               \
        STN_PANEL_PLACE(STN_MAX_RANK)
#define STN_PANEL_PLACE(at) stn_panel_find(stn_now, at, stn_t, stn_j + stn_more, stn_k)

#define STN_PANEL_LOAD_SCALAR  STN_FETCH_SCALAR
#define STN_PANEL_LOAD_INDICES(...)
#define STN_PANEL_LOAD_INDEXED STN_FETCH_INDEXED
#define STN_PANEL_LOAD_VIEW(KIND, T, at, name)                                                     \
    const stn_##T *const stn_values_##at = (const stn_##T *)stn_tile_values(stn_tile_now, at);     \
    const int64_t stn_row_##at = stn_panel_row(stn_now, at),                                       \
                  stn_tile_##at = stn_panel_tile(stn_now, at);
#define STN_PANEL_READ_SCALAR(...)
#define STN_PANEL_READ_INDICES(...)
#define STN_PANEL_READ_INDEXED(...)
#define STN_PANEL_READ_VIEW(KIND, T, at, name)                                                     \
    const stn_##T *STN_KERNEL_RESTRICT const stn_p##at =                                           \
        stn_values_##at + stn_t * stn_tile_##at + stn_j * stn_row_##at;
#define STN_PANEL_ARGUMENT_SCALAR  STN_ARGUMENT_SCALAR
#define STN_PANEL_ARGUMENT_INDEXED STN_ARGUMENT_INDEXED
#define STN_PANEL_ARGUMENT_INDICES(KIND, T, at, ...)  STN_EACH_NAME(STN_PANEL_ARGUMENT_NAME, at, __VA_ARGS__)
#define STN_PANEL_ARGUMENT_NAME(at, d, name)          , STN_PANEL_PLACE(d)
#define STN_PANEL_ARGUMENT_VIEW(KIND, T, at, name)    , stn_p##at[stn_more * stn_row_##at + stn_k]

/* The loops of a reduction in arithmetic type T. */
#define STN_REDUCE_LOOPS(T, name, OPERATION, FOLD, THEIRS, parameters, MAP, ...)                   \
    STN_KERNEL_BEGIN                                                                               \
    OPERATION(STN_REDUCE_MAPPED, name, T)                                                          \
    STN_REDUCE_ELEMENT(name, T, name##_mapped_##T, parameters, MAP, __VA_ARGS__)                   \
    OPERATION(STN_REDUCE_PANEL, name, T)                                                           \
    STN_REDUCE_MAP(name, T, parameters)                                                            \
    FOLD(name, T, parameters, __VA_ARGS__)                                                         \
    STN_KERNEL_END                                                                                 \
    static const stn_reduction_loops name##_loops_##T = {name##_panel_##T, THEIRS(name, T)};

/* ---- operations of a program ---- */

#define STN_NO_OPERATION(name, T)  0, 0, 0, 0, 0
#define STN_OWN_OPERATION(name, T) name##_combine_##T, name##_finish_##T, name##_identity_##T, 0, 0
#define STN_REDUCE_OWN(T, name, combined, finalized, empty)                                        \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE stn_##T name##_combined_##T(const stn_##T a, const stn_##T b)                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t), (void)a, (void)b;                                                    \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        return STN_VALUE_##T(combined);                                                            \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T name##_finalized_##T(const stn_##T a)                                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t), (void)a;                                                             \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        return STN_VALUE_##T(finalized);                                                           \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_combine_##T(                                           \
        void *stn_to, const void *stn_left, const void *stn_right, int64_t stn_stretch,            \
        int64_t stn_runs)                                                                          \
    {                                                                                              \
        const stn_##T *const stn_a = (const stn_##T *)stn_left;                                    \
        const stn_##T *const stn_b = (const stn_##T *)stn_right;                                   \
        for (int64_t stn_r = 0; stn_r < stn_runs; stn_r++) {                                       \
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_stretch; stn_k++)                                  \
                ((stn_##T *)stn_to)[stn_r * stn_stretch + stn_k] = name##_combined_##T(            \
                    stn_a[2 * stn_r * stn_stretch + stn_k], stn_b[2 * stn_r * stn_stretch + stn_k]);\
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_EXACT_##T static void name##_finish_##T(const void *stn_states, void *stn_results,  \
                                                       int64_t stn_count)                          \
    {                                                                                              \
        for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                        \
            ((stn_##T *)stn_results)[stn_k] =                                                      \
                name##_finalized_##T(((const stn_##T *)stn_states)[stn_k]);                        \
    }                                                                                              \
    static void name##_identity_##T(void *stn_state)                                               \
    {                                                                                              \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t);                                                                      \
        STN_LITERALS(T) STN_MATHS_##T                                                              \
        *(stn_##T *)stn_state = STN_VALUE_##T(empty);                                              \
    }                                                                                              \
    STN_KERNEL_END

/* ---- launches ---- */

/* Detects expressions that consist of one parameter: in two scopes, the first parameters are variables
 * with distinct alignments, which are twice as large in the second scope. An expression has the
 * alignment of a variable only if it is that variable. */
#define STN_REDUCE_BARE(...)  STN_REDUCE_BARE_(__VA_ARGS__)
#define STN_REDUCE_BARE_(name, T, parameters, MAP, ...)                                            \
    STN_KERNEL_BEGIN                                                                               \
    static void name##_bare(int32_t *stn_bare)                                                     \
    {                                                                                              \
        typedef stn_##T real_t;                                                                    \
        (void)sizeof(real_t), (void)stn_bare;                                                      \
        STN_LITERALS(T) STN_REPEATS_f32 STN_MATHS_##T                                              \
        {                                                                                          \
            enum { stn_tag = 32 };                                                                 \
            STN_EACH_PARAMETER(STN_TAG, T, parameters)                                             \
            MAP##_TAGS(0, __VA_ARGS__)                                                             \
            STN_EACH_NAMED(STN_END_SCOPE, parameters)                                              \
        }                                                                                          \
        {                                                                                          \
            enum { stn_tag = 64 };                                                                 \
            STN_EACH_PARAMETER(STN_TAG, T, parameters)                                             \
            MAP##_TAGS(2, __VA_ARGS__)                                                             \
            STN_EACH_NAMED(STN_END_SCOPE, parameters)                                              \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_END
#define STN_UNUSED __attribute__((__unused__))
#define STN_TAG_SCALAR(KIND, T, at, name)        { STN_UNUSED STN_SCALAR(STN_SCALAR##KIND(T)) name;
#define STN_TAG_INDICES(KIND, T, at, ...)        STN_EACH_NAME(STN_TAG_NAME, at, __VA_ARGS__)
#define STN_TAG_NAME(at, d, name)                { STN_UNUSED int64_t name;
#define STN_TAG_INDEXED(KIND, T, at, name, rank) { STN_UNUSED stn_gather_##rank name;
#define STN_TAG_VIEW(KIND, T, at, name)                                                            \
    { __attribute__((__unused__, __aligned__(at < STN_TAGGED ? stn_tag << at % STN_TAGGED : 16))) stn_##T name;
#define STN_MAP_VALUE_TAGS(to, ...)               stn_bare[to] = (int32_t)__alignof__(__VA_ARGS__);
#define STN_MAP_CONDITION_TAGS(to, ...)
#define STN_MAP_STATE_TAGS(to, ...)
#define STN_MAP_PAIR_TAGS(to, left, right)                                                         \
    stn_bare[to] = (int32_t)__alignof__(left), stn_bare[to + 1] = (int32_t)__alignof__(right);

#define STN_REDUCE_TABLE(...) STN_REDUCE_TABLE_(__VA_ARGS__)
#define STN_REDUCE_TABLE_(name, text, operation, words, f64_map, f32_map, i64_map, c128_map, c64_map, ...)\
    static const stn_reduction name##_reduction = {                                                \
        {sizeof(stn_reduction), STN_KERNEL_VERSION, name##_count,                                  \
         #name, text, name##_parameters, f64_map, f32_map, i64_map, c128_map, c64_map, 0, 0,       \
         stn_kernel_probe, STN_KERNEL_IS_CHECKED, STN_KERNEL_IS_CPLUSPLUS},                        \
        operation, words, name##_bare, __VA_ARGS__};

/* The type of the result: double, int64_t or stn_c128. */
#define STN_REDUCE_RESULT(op, T, state, mapped, result, ...) result
#define STN_REDUCE_LAUNCH(...) STN_REDUCE_LAUNCH_(__VA_ARGS__)
#define STN_REDUCE_LAUNCH_(name, parameters, T, OPERATION)                                         \
    STN_REDUCE_LAUNCH_OF(name, parameters, T, OPERATION(STN_REDUCE_RESULT, name, T))
#define STN_REDUCE_LAUNCH_OF(name, parameters, T, result)                                          \
    STN_REDUCE_CALL(name, parameters, T, _reduce, (, result *stn_result), stn_reduce_run, STN_RANK_BROADCAST, NULL, stn_result)\
    STN_REDUCE_CALL(name, parameters, T, _reduce_over,                                             \
                    (, int stn_rank, const int64_t *stn_extents, result *stn_result),              \
                    stn_reduce_run, stn_rank, stn_extents, stn_result)                             \
    STN_REDUCE_CALL(name, parameters, T, _reduce_into, (, unsigned stn_reduced, const stn_view *stn_result),\
                    stn_reduce_into, STN_RANK_BROADCAST, NULL, stn_reduced, stn_result)            \
    STN_REDUCE_CALL(name, parameters, T, _reduce_into_over,                                        \
                    (, int stn_rank, const int64_t *stn_extents, unsigned stn_reduced, const stn_view *stn_result),\
                    stn_reduce_into, stn_rank, stn_extents, stn_reduced, stn_result)               \
    STN_REDUCE_CALL(name, parameters, T, _reduce_part, (, int64_t stn_first, stn_partial *stn_part),\
                    stn_reduce_parts, stn_first, STN_REDUCED_ALL, 0, stn_part)                     \
    STN_REDUCE_CALL(name, parameters, T, _reduce_parts,                                            \
                    (, int64_t stn_first, unsigned stn_reduced, stn_partial *stn_parts),           \
                    stn_reduce_parts, stn_first, STN_REDUCED_GIVEN, stn_reduced, stn_parts)        \
    static inline __attribute__((__unused__)) stn_status name##_reduce_merge(                      \
        stn_partial *stn_left, const stn_partial *stn_right)                                       \
    {                                                                                              \
        return stn_reduce_merge(&name##_reduction, stn_left, stn_right);                           \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_reduce_finish(                     \
        const stn_partial *stn_part, result *stn_result)                                           \
    {                                                                                              \
        return stn_reduce_finish(&name##_reduction, stn_part, stn_result);                         \
    }
/* A function of a reduction. Its parameters are executor, arithmetic type, `these` and those of the
 * list. It calls `call` with the reduction, the additional arguments and the list of arguments. */
#define STN_REDUCE_CALL(name, parameters, T, function, these, call, ...)                           \
    static inline __attribute__((__unused__)) stn_status name##function(                           \
        const stn_exec *stn_on, stn_format stn_arithmetic STN_PARAMETERS these                     \
        STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                                          \
    {                                                                                              \
        STN_KERNEL_ARGUMENTS(name, T, parameters)                                                  \
        return call(stn_on, &name##_reduction, stn_arithmetic, __VA_ARGS__, stn_arguments);        \
    }

/* ---- STN_REDUCE ---- */

/* Kind of an expression by operation, and the operations that integers and complex numbers lack. */
#define STN_TAKES_                 ~, _NONE
#define STN_TAKES_sum              ~, _VALUE
#define STN_TAKES_product          ~, _VALUE
#define STN_TAKES_products         ~, _PAIR
#define STN_TAKES_min              ~, _VALUE
#define STN_TAKES_max              ~, _VALUE
#define STN_TAKES_argmin           ~, _PLACE
#define STN_TAKES_argmax           ~, _PLACE
#define STN_TAKES_count            ~, _CONDITION
#define STN_TAKES_any              ~, _CONDITION
#define STN_TAKES_all              ~, _CONDITION
#define STN_TAKES_norm1            ~, _VALUE
#define STN_TAKES_norm2            ~, _VALUE
#define STN_TAKES_norm_inf         ~, _VALUE
#define STN_LACKS_INTEGER_norm2    ~, _YES
#define STN_LACKS_COMPLEX_min      ~, _YES
#define STN_LACKS_COMPLEX_max      ~, _YES
#define STN_LACKS_COMPLEX_argmin   ~, _YES
#define STN_LACKS_COMPLEX_argmax   ~, _YES
#define STN_LACKS_COMPLEX_count    ~, _YES
#define STN_LACKS_COMPLEX_any      ~, _YES
#define STN_LACKS_COMPLEX_all      ~, _YES
#define STN_OPERATIONS_REAL                                                                        \
    "sum, product, products, min, max, argmin, argmax, count, any, all, norm1, norm2 and norm_inf"
#define STN_OPERATIONS_INTEGER                                                                     \
    "sum, product, products, min, max, argmin, argmax, count, any, all, norm1 and norm_inf"
#define STN_OPERATIONS_COMPLEX     "sum, product, products, norm1, norm2 and norm_inf"

#define STN_REDUCE_IS_1_VALUE         STN_REDUCE_BY_OPERATION, STN_MAP_VALUE
#define STN_REDUCE_IS_1_PLACE         STN_REDUCE_BY_PLACES, STN_MAP_VALUE
#define STN_REDUCE_IS_1_CONDITION     STN_REDUCE_BY_OPERATION, STN_MAP_CONDITION
#define STN_REDUCE_IS_2_PAIR          STN_REDUCE_BY_OPERATION, STN_MAP_PAIR
#define STN_REDUCE_IS_2_VALUE         STN_REDUCE_REFUSED, " takes one expression"
#define STN_REDUCE_IS_0_VALUE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_0_PLACE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_2_PLACE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_3_PLACE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_0_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_0_PAIR          STN_REDUCE_IS_1_PAIR
#define STN_REDUCE_IS_3_VALUE         STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_2_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_3_CONDITION     STN_REDUCE_IS_2_VALUE
#define STN_REDUCE_IS_1_PAIR          STN_REDUCE_REFUSED, " takes two expressions, x and y"
#define STN_REDUCE_IS_3_PAIR          STN_REDUCE_IS_1_PAIR

#define STN_REDUCE_BY_OPERATION(...) STN_REDUCE_BY_LOOPS(STN_REDUCE_FOLD, STN_NO_OPERATION, __VA_ARGS__)
#define STN_REDUCE_BY_PLACES(...)    STN_REDUCE_BY_LOOPS(STN_FOLD_PLACES, STN_OPERATION_BY_ROWS, __VA_ARGS__)
#define STN_REDUCE_BY_LOOPS(FOLD, THEIRS, name, parameters, CLASS, MAP, all, OPERATION, kind, op, text, ...)\
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, MAP, __VA_ARGS__)                         \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, OPERATION, FOLD, THEIRS, parameters, MAP, __VA_ARGS__)\
    STN_REDUCE_TABLE(name, text, kind, op, STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name), 0, 0)  \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, OPERATION)

#define STN_REDUCE_OWN_CASE(...)                                                                   \
    STN_CHOOSE(STN_ARE_GIVEN(__VA_ARGS__), STN_REDUCE_BY_OWN, STN_REDUCE_LACKS)
#define STN_REDUCE_LACKS(name, ...)                                                                \
    STN_REFUSE(name, "steno: " #name ": map, combine, finalize or identity is empty")              \
    STN_ANY_REDUCTION(name)
#define STN_REDUCE_BY_OWN(name, parameters, CLASS, map, combine, finalize, identity)               \
    STN_KERNEL_DESCRIBE(name, parameters)                                                          \
    STN_REDUCE_BARE(name, STN_WIDEST##CLASS, parameters, STN_MAP_VALUE, map)                       \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_OWN, name, combine, finalize, identity)                  \
    STN_EACH_ARITHMETIC##CLASS(STN_REDUCE_LOOPS, name, STN_OPERATION_own, STN_REDUCE_FOLD,         \
                                STN_OWN_OPERATION, parameters, STN_MAP_VALUE, map)                 \
    STN_REDUCE_TABLE(name, #map, STN_REDUCE_WITH_own, "by " #combine "; " #finalize "; " #identity,\
                     STN_MAPS##CLASS(name), STN_LOOPS##CLASS(name), 0, 0)                          \
    STN_REDUCE_LAUNCH(name, parameters, STN_WIDEST##CLASS, STN_OPERATION_own)
/* clang-format on */

#endif
