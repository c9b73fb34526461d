/* Parts of STN_MAP: the code of each kind of parameter, and the functions of a kernel. */
#ifndef STENO_KERNEL_PARTS_H
#define STENO_KERNEL_PARTS_H

#include "steno/complex.h"
#include "steno/detail/accessor/parts.h"
#include "steno/detail/kernel_element.h"
#include "steno/detail/kernel_math.h"

/* clang-format off */

/* ---- code of parameters ----
 *
 * STN_EACH_PARAMETER calls these macros by class: ITEM_SCALAR for real, index and bits, ITEM_INDICES
 * for at, ITEM_VIEW for in, inout, out and masked, ITEM_REACH for shifted and stencil, and
 * ITEM_INDEXED for gather and scatter. KIND is _REAL, _IN and so on, T the arithmetic type. */

/* Types of scalars in bodies, as the names of formats. */
#define STN_SCALAR(...)        STN_SCALAR_(__VA_ARGS__)
#define STN_SCALAR_(name)      stn_##name
#define STN_SCALAR_REAL(T)     T
#define STN_SCALAR_INDEX(T)    i64
#define STN_SCALAR_BITS(T)     u64

/* In the prototypes of the launches. */
#define STN_PROTOTYPE_SCALAR(KIND, T, at, name)   , STN_ARGUMENT_TYPE##KIND(T) stn_##name##_##at
#define STN_PROTOTYPE_INDICES(KIND, T, at, ...)
#define STN_PROTOTYPE_VIEW(KIND, T, at, ...)      , const stn_view *STN_PROTOTYPE_NAME(at, __VA_ARGS__, ~)
#define STN_PROTOTYPE_REACH    STN_PROTOTYPE_VIEW
#define STN_PROTOTYPE_INDEXED  STN_PROTOTYPE_VIEW
#define STN_PROTOTYPE_NAME(at, name, ...)         stn_##name##_##at
#define STN_ARGUMENT_TYPE_REAL(T)   STN_REAL_ARGUMENT_##T
#define STN_ARGUMENT_TYPE_INDEX(T)  int64_t
#define STN_ARGUMENT_TYPE_BITS(T)   uint64_t
#define STN_REAL_ARGUMENT_f64  double
#define STN_REAL_ARGUMENT_i64  int64_t
#define STN_REAL_ARGUMENT_c128 stn_c128

/* Arguments of the launches. */
#define STN_KERNEL_ARGUMENTS(name, T, parameters)                                                  \
    stn_argument stn_arguments[name##_count + 1], *stn_next_argument = stn_arguments;              \
    STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                    \
    stn_set_index(stn_next_argument, 0); /* an additional one, because the list may be empty */
#define STN_PASS_SCALAR(KIND, T, at, name) STN_PASS##KIND(T)(stn_next_argument++, stn_##name##_##at);
#define STN_PASS_INDICES(KIND, T, at, ...)
#define STN_PASS_VIEW(KIND, T, at, ...)    stn_set_view(stn_next_argument++, STN_PROTOTYPE_NAME(at, __VA_ARGS__, ~));
#define STN_PASS_REACH                     STN_PASS_VIEW
#define STN_PASS_INDEXED                   STN_PASS_VIEW
#define STN_PASS_REAL(T)                   stn_set_real_##T
#define STN_PASS_INDEX(T)                  stn_set_index
#define STN_PASS_BITS(T)                   stn_set_bits

/* The table of parameters. */
#define STN_DESCRIBE_ONE(KIND, rank, ...)                                                          \
    {STN_PARAMETER##KIND, #__VA_ARGS__, rank, {0, 0, 0, 0}, STN_BOUNDARY_NEAREST, 0, 0},
#define STN_DESCRIBE_SCALAR(KIND, T, at, name)        STN_DESCRIBE_ONE(KIND, 0, name)
#define STN_DESCRIBE_INDICES(KIND, T, at, ...)                                                     \
    STN_DESCRIBE_ONE(KIND, STN_NUMBER_OF(__VA_ARGS__), __VA_ARGS__)
#define STN_DESCRIBE_VIEW(KIND, T, at, name)          STN_DESCRIBE_ONE(KIND, 0, name)
#define STN_DESCRIBE_INDEXED(KIND, T, at, name, rank) STN_DESCRIBE_ONE(KIND, rank, name)
#define STN_DESCRIBE_REACH(KIND, T, at, name, rule, ...)                                           \
    {STN_PARAMETER##KIND, #name, STN_NUMBER_OF(__VA_ARGS__), {STN_FOUR_OFFSETS(__VA_ARGS__, 0, 0, 0, 0)},\
     STN_RULE(T, STN_RULE_##rule)},
#define STN_FOUR_OFFSETS(...)               STN_FOUR_OFFSETS_(__VA_ARGS__)
#define STN_FOUR_OFFSETS_(i, j, k, l, ...)  (int32_t)(i), (int32_t)(j), (int32_t)(k), (int32_t)(l)
#define STN_RULE(...)                       STN_RULE_OF(__VA_ARGS__)
#define STN_RULE_OF(T, rule, value)         rule, STN_RULE_VALUE_##T(value)
#define STN_RULE_nearest                    STN_BOUNDARY_NEAREST, 0
#define STN_RULE_zero                       STN_BOUNDARY_ZERO, 0
#define STN_RULE_periodic                   STN_BOUNDARY_PERIODIC, 0
#define STN_RULE_inside                     STN_BOUNDARY_INSIDE, 0
#define STN_RULE_value(value)               STN_BOUNDARY_VALUE, value
#define STN_RULE_VALUE_f64(value)           (double)(value), 0
#define STN_RULE_VALUE_i64(value)           0, (int64_t)(value)
#define STN_RULE_VALUE_c128(value)          (double)(value), 0

/* Members of a struct, so that two parameters with the same name are an error, and checks of offsets
 * and radii. C would silently truncate 1.5 to 1. */
#define STN_MEMBER_SCALAR(KIND, T, at, name)        char name;
#define STN_MEMBER_INDICES(KIND, T, at, ...)        STN_EACH_NAME(STN_MEMBER_NAME, at, __VA_ARGS__)
#define STN_MEMBER_NAME(at, d, name)                char name;
#define STN_MEMBER_VIEW(KIND, T, at, name)          char name;
#define STN_MEMBER_INDEXED(KIND, T, at, name, rank) char name;
#define STN_MEMBER_REACH(KIND, T, at, name, rule, ...)                                             \
    char name;                                                                                     \
    STN_STATIC_ASSERT(STN_RULE_FITS(T, STN_RULE_##rule) STN_EACH_NAME(STN_FITS##KIND, ~, __VA_ARGS__),\
                      "steno: " STN_WORD##KIND "(" #name ", " #rule ", " #__VA_ARGS__ "): "        \
                      STN_FITS_TEXT##KIND STN_RULE_TEXT_##T);
#define STN_WORD_SHIFTED                      "shifted"
#define STN_WORD_STENCIL                      "stencil"
#define STN_FITS_TEXT_SHIFTED                 "offsets must be integers"
#define STN_FITS_TEXT_STENCIL                 "radii must be integers of at least 0"
#define STN_FITS_SHIFTED(at, d, offset)                                                            \
    && STN_IS_INTEGER(offset) && (int64_t)(offset) == (int32_t)(offset)
#define STN_FITS_STENCIL(at, d, radius)       STN_FITS_SHIFTED(at, d, radius) && (int32_t)(radius) >= 0
#define STN_RULE_FITS(...)                    STN_RULE_FITS_(__VA_ARGS__)
#define STN_RULE_FITS_(T, rule, value)        STN_RULE_FITS_##T(value)
#define STN_RULE_FITS_f64(value)              1
#define STN_RULE_FITS_i64(value)              STN_IS_INTEGER(value)
#define STN_RULE_FITS_c128(value)             1
#define STN_RULE_TEXT_f64
#define STN_RULE_TEXT_i64                     ", and so must value(c) in integer kernels"
#define STN_RULE_TEXT_c128
#ifdef __cplusplus
#    define STN_IS_INTEGER(value)             ((__typeof__(value))1 / 2 == 0)
#else
#    define STN_IS_INTEGER(value)             _Generic(value, float : 0, double : 0, long double : 0, default : 1)
#endif

/* Parameters of the function of an element. */
#define STN_FORMAL_SCALAR(KIND, T, at, name)        , const STN_SCALAR(STN_SCALAR##KIND(T)) stn_of_##at
#define STN_FORMAL_INDICES(KIND, T, at, ...)        STN_EACH_NAME(STN_FORMAL_NAME, at, __VA_ARGS__)
#define STN_FORMAL_NAME(at, d, name)                , const int64_t stn_of_##at##_##d
#define STN_FORMAL_VIEW(KIND, T, at, name)          STN_FORMAL##KIND(T, at)
#define STN_FORMAL_REACH(KIND, T, at, ...)          STN_FORMAL##KIND(T, at)
#define STN_FORMAL_INDEXED(KIND, T, at, name, rank) , const stn_indexed *const stn_of_##at
#define STN_FORMAL_IN(T, at)                        , const stn_##T stn_of_##at
#define STN_FORMAL_INOUT(T, at)                     , stn_##T *const stn_to_##at
#define STN_FORMAL_OUT(T, at)                       , stn_##T *const stn_to_##at STN_FORMAL_FLAG(at)
#define STN_FORMAL_MASKED(T, at)                                                                   \
    , const stn_##T stn_of_##at, stn_##T *const stn_to_##at, stn_mask_##T *const stn_mask_##at
#define STN_FORMAL_SHIFTED(T, at)                   , const stn_##T stn_of_##at
#define STN_FORMAL_STENCIL(T, at)                   , const stn_stencil stn_around_##at

/* Variables of the body, which may have the names of functions. Each variable begins a scope.
 *
 * A body is compiled once per arithmetic type. Errors that only these headers detect are reported for
 * the first type: there, read-only variables are const and stn_repeats is 0. */
#define STN_CONST_f64  const
#define STN_CONST_f32
#define STN_CONST_i64  const
#define STN_CONST_c128 const
#define STN_CONST_c64
#define STN_REPEATS_f64
#define STN_REPEATS_f32  enum { stn_repeats = 1 };
#define STN_REPEATS_i64
#define STN_REPEATS_c128
#define STN_REPEATS_c64  enum { stn_repeats = 1 };
#define STN_VARIABLE(T, type, name, ...)                                                           \
    {                                                                                              \
    type name = __VA_ARGS__;                                                                       \
    (void)name;                                                                                    \
    STN_UNMASKED(T, name)
#define STN_DECLARE_SCALAR(KIND, T, at, name)                                                      \
    STN_VARIABLE(T, STN_CONST_##T STN_SCALAR(STN_SCALAR##KIND(T)), name, stn_of_##at)
#define STN_DECLARE_INDICES(KIND, T, at, ...)         STN_EACH_NAME(STN_DECLARE_NAME, (T, at), __VA_ARGS__)
#define STN_DECLARE_NAME(T_at, d, name)               STN_DECLARE_NAME_(STN_PARAMETERS T_at, d, name)
#define STN_DECLARE_NAME_(...)                        STN_DECLARE_INDEX(__VA_ARGS__)
#define STN_DECLARE_INDEX(T, at, d, name)                                                          \
    STN_VARIABLE(T, STN_CONST_##T int64_t, name, stn_of_##at##_##d)
#define STN_DECLARE_VIEW(KIND, T, at, name)           STN_DECLARE##KIND(T, at, name)
#define STN_DECLARE_REACH(KIND, T, at, ...)           STN_DECLARE##KIND(T, at, __VA_ARGS__)
#define STN_DECLARE_INDEXED(KIND, T, at, name, rank)  STN_DECLARE##KIND(T, at, name, rank)
#define STN_DECLARE_IN(T, at, name)                                                                \
    STN_VARIABLE(T, STN_CONST_##T stn_##T, name, stn_of_##at)
#define STN_DECLARE_INOUT(T, at, name)                                                             \
    {                                                                                              \
    stn_##T name = *stn_to_##at;                                                                   \
    STN_UNMASKED(T, name)                                                                          \
    STN_AT_END(stn_store_##T) stn_store_##name = {stn_to_##at, &name};
#define STN_DECLARE_OUT(T, at, name)                                                               \
    {                                                                                              \
    stn_##T name = stn_unassigned_##T();                                                           \
    STN_UNMASKED(T, name)                                                                          \
    STN_AT_END(stn_result_##T) stn_store_##name = {stn_to_##at, &name STN_ARGUMENT_FLAG(at)};
#define STN_DECLARE_MASKED(T, at, name)                                                            \
    {                                                                                              \
    STN_CONST_##T stn_##T name = stn_of_##at;                                                      \
    (void)name;                                                                                    \
    STN_AT_END(stn_masked_##T) stn_masked_##name = {name, 0, stn_to_##at, stn_mask_##at};
#define STN_DECLARE_SHIFTED(T, at, name, ...)         STN_DECLARE_IN(T, at, name)
#define STN_DECLARE_STENCIL(T, at, name, rule, ...)                                                \
    STN_VARIABLE(T, const STN_JOIN(stn_stencil_, STN_NUMBER_OF(__VA_ARGS__)), name, {&stn_around_##at})
#define STN_DECLARE_GATHER(T, at, name, rank)                                                      \
    STN_VARIABLE(T, const stn_gather_##rank, name, {stn_of_##at})
#define STN_DECLARE_SCATTER(T, at, name, rank)                                                     \
    STN_VARIABLE(T, const stn_scatter_##rank, name, {stn_of_##at})
#define STN_END_SCOPE(at, d, name)                    }

/* For STN_STORE with a parameter that is not masked: after the error, the assignment is valid. */
#define STN_UNMASKED(T, name) stn_unmasked_##T stn_masked_##name __attribute__((__unused__));
#define STN_IS_MASKED(stored)                                                                      \
    (sizeof(stored) > sizeof((stored).stn_value) + sizeof((stored).stn_mask))

/* The loop over a tile: variables before it, and arguments of each element. */
#define STN_FETCH_SCALAR(KIND, T, at, name)         STN_FETCH_OF(STN_SCALAR##KIND(T), at)
#define STN_FETCH_OF(...)                           STN_FETCH_OF_(__VA_ARGS__)
#define STN_FETCH_OF_(type, at)                     const stn_##type stn_p##at = stn_tile_##type(stn_tile_now, at);
#define STN_FETCH_INDICES(KIND, T, at, ...)
#define STN_FETCH_VIEW(KIND, T, at, name)           STN_FETCH##KIND(T, at)
#define STN_FETCH_REACH(KIND, T, at, name, rule, ...) STN_FETCH##KIND(T, at, __VA_ARGS__)
#define STN_FETCH_INDEXED(KIND, T, at, name, rank)                                                 \
    const stn_indexed *const stn_p##at = stn_tile_indexed(stn_tile_now, at);
#define STN_FETCH_IN(T, at)                                                                        \
    const stn_##T *STN_KERNEL_RESTRICT const stn_p##at =                                           \
        (const stn_##T *)stn_tile_values(stn_tile_now, at);
#define STN_FETCH_INOUT(T, at)                                                                     \
    stn_##T *STN_KERNEL_RESTRICT const stn_p##at = (stn_##T *)stn_tile_values(stn_tile_now, at);
#define STN_FETCH_OUT(T, at)                        STN_FETCH_INOUT(T, at) STN_FETCH_FLAG(at)
#define STN_FETCH_MASKED(T, at)                                                                    \
    STN_FETCH_INOUT(T, at)                                                                         \
    stn_mask_##T *STN_KERNEL_RESTRICT const stn_mask_##at =                                        \
        (stn_mask_##T *)stn_tile_mask(stn_tile_now, at);
#define STN_FETCH_SHIFTED(T, at, ...)               STN_FETCH_IN(T, at)
#define STN_FETCH_STENCIL(T, at, ...)                                                              \
    const stn_stencil_rows *STN_KERNEL_RESTRICT const stn_p##at =                                  \
        (const stn_stencil_rows *)stn_tile_values(stn_tile_now, at);                               \
    const int64_t stn_column_##at =                                                                \
        stn_i[STN_NUMBER_OF(__VA_ARGS__) - 1] - stn_stencil_rows_first(stn_p##at);
#define STN_ARGUMENT_SCALAR(KIND, T, at, name)      , stn_p##at
#define STN_ARGUMENT_INDICES(KIND, T, at, ...)      STN_EACH_NAME(STN_ARGUMENT_NAME, at, __VA_ARGS__)
#define STN_ARGUMENT_NAME(at, d, name)              , stn_i[d] + stn_d[d] * stn_k
#define STN_ARGUMENT_VIEW(KIND, T, at, name)        STN_ARGUMENT##KIND(at)
#define STN_ARGUMENT_REACH(KIND, T, at, name, rule, ...) STN_ARGUMENT##KIND(at, __VA_ARGS__)
#define STN_ARGUMENT_INDEXED(KIND, T, at, name, rank) , stn_p##at
#define STN_ARGUMENT_IN(at)                         , stn_p##at[stn_k]
#define STN_ARGUMENT_INOUT(at)                      , stn_p##at + stn_k
#define STN_ARGUMENT_OUT(at)                        , stn_p##at + stn_k STN_ARGUMENT_FLAG(at)
#define STN_ARGUMENT_MASKED(at)                     , stn_p##at[stn_k], stn_p##at + stn_k, stn_mask_##at + stn_k
#define STN_ARGUMENT_SHIFTED(at, ...)               , stn_p##at[stn_k]
#define STN_ARGUMENT_STENCIL(at, ...)                                                              \
    , stn_stencil_of(stn_p##at, stn_column_##at + stn_k, stn_i, stn_d, stn_k,                      \
                  STN_NUMBER_OF(__VA_ARGS__), STN_FOUR_OFFSETS(__VA_ARGS__, 0, 0, 0, 0))

/* ---- the body ---- */

#ifdef __cplusplus
#    define STN_KERNEL_IS_CPLUSPLUS 1
#else
#    define STN_KERNEL_IS_CPLUSPLUS 0
#endif

/* Stores at the end of an element, on every path. */
#define STN_AT_END(type)  type __attribute__((__cleanup__(type##_at_end), __unused__))
#ifdef STN_KERNEL_CHECKED
#    define STN_KERNEL_IS_CHECKED 1
#    define STN_FORMAL_FLAG(at)   , int *const stn_flag_##at
#    define STN_FETCH_FLAG(at) int *const stn_flag_##at = stn_tile_flags(stn_tile_now) + at;
#    define STN_ARGUMENT_FLAG(at)   , stn_flag_##at
#    define STN_MEMBER_FLAG             int *flag_;
#else
#    define STN_KERNEL_IS_CHECKED 0
#    define STN_FORMAL_FLAG(at)
#    define STN_FETCH_FLAG(at)
#    define STN_ARGUMENT_FLAG(at)
#    define STN_MEMBER_FLAG
#endif

/* Masks have the width of the elements, so that compilers can vectorize loops. */
typedef int64_t stn_mask_f64;
typedef int32_t stn_mask_f32;
typedef int64_t stn_mask_i64;
typedef int64_t stn_mask_c128;
typedef int32_t stn_mask_c64;
#define STN_DEFINE_UNMASKED(T)                                                                     \
    typedef struct stn_unmasked_##T {                                                              \
        stn_##T stn_value;                                                                         \
        stn_mask_##T stn_mask;                                                                     \
    } stn_unmasked_##T;
STN_EACH_ARITHMETIC(STN_DEFINE_UNMASKED)

/* Initial value of an output. In checked kernels: a NaN that no operation returns, or an unlikely
 * integer. */
#ifdef STN_KERNEL_CHECKED
STN_KERNEL_INLINE stn_f64 stn_unassigned_f64(void)
{
    const uint64_t bits_ = 0x7ff453544e4f5554u;
    stn_f64 value_;
    __builtin_memcpy(&value_, &bits_, sizeof value_);
    return value_;
}
STN_KERNEL_INLINE stn_f32 stn_unassigned_f32(void)
{
    const uint32_t bits_ = 0x7fa5544eu;
    stn_f32 value_;
    __builtin_memcpy(&value_, &bits_, sizeof value_);
    return value_;
}
STN_KERNEL_INLINE stn_i64 stn_unassigned_i64(void) { return (stn_i64)0x8ff453544e4f5554u; }
#else
STN_KERNEL_INLINE stn_f64 stn_unassigned_f64(void) { return __builtin_nan(""); }
STN_KERNEL_INLINE stn_f32 stn_unassigned_f32(void) { return __builtin_nanf(""); }
STN_KERNEL_INLINE stn_i64 stn_unassigned_i64(void) { return 0; }
#endif
STN_KERNEL_INLINE stn_c128 stn_unassigned_c128(void)
{
    const stn_c128 value_ = {stn_unassigned_f64(), stn_unassigned_f64()};
    return value_;
}
STN_KERNEL_INLINE stn_c64 stn_unassigned_c64(void)
{
    const stn_c64 value_ = {stn_unassigned_f32(), stn_unassigned_f32()};
    return value_;
}

/* Types of parts: both parts of a complex output must be assigned. */
#define STN_PART_f64            stn_f64
#define STN_PART_f32            stn_f32
#define STN_PART_i64            stn_i64
#define STN_PART_c128           stn_f64
#define STN_PART_c64            stn_f32
#ifdef STN_KERNEL_CHECKED
#    define STN_CHECK_ASSIGNED(T)                                                                  \
        const stn_##T unassigned_ = stn_unassigned_##T();                                          \
        enum { part_ = sizeof(STN_PART_##T) };                                                     \
        for (size_t at_ = 0; at_ < sizeof unassigned_; at_ += part_)                               \
            if (__builtin_memcmp((const char *)result_->to_ + at_, &unassigned_, part_) == 0)      \
                __atomic_store_n(result_->flag_, 1, __ATOMIC_RELAXED);
#else
#    define STN_CHECK_ASSIGNED(T)
#endif

#define STN_DEFINE_AT_END(T)                                                                       \
    typedef struct stn_store_##T { stn_##T *to_; const stn_##T *value_; } stn_store_##T;           \
    STN_KERNEL_INLINE void stn_store_##T##_at_end(stn_store_##T *store_)                           \
    {                                                                                              \
        *store_->to_ = STN_UNFUSED_##T(*store_->value_);                                           \
    }                                                                                              \
    typedef struct stn_result_##T {                                                                \
        stn_##T *to_;                                                                              \
        const stn_##T *value_;                                                                     \
        STN_MEMBER_FLAG                                                                            \
    } stn_result_##T;                                                                              \
    STN_KERNEL_INLINE void stn_result_##T##_at_end(stn_result_##T *result_)                        \
    {                                                                                              \
        *result_->to_ = STN_UNFUSED_##T(*result_->value_);                                         \
        STN_CHECK_ASSIGNED(T)                                                                      \
    }                                                                                              \
    typedef struct stn_masked_##T {                                                                \
        stn_##T stn_value;                                                                         \
        stn_mask_##T stn_mask;                                                                     \
        stn_##T *to_;                                                                              \
        stn_mask_##T *to_mask_;                                                                    \
    } stn_masked_##T;                                                                              \
    STN_KERNEL_INLINE void stn_masked_##T##_at_end(stn_masked_##T *result_)                        \
    {                                                                                              \
        *result_->to_ = STN_UNFUSED_##T(result_->stn_value);                                       \
        *result_->to_mask_ = result_->stn_mask;                                                    \
    }

STN_EACH_ARITHMETIC(STN_DEFINE_AT_END)

/* Checked in each kernel, because a pragma may precede it. */
#define STN_DOUBLE_LITERALS                                                                        \
    STN_STATIC_ASSERT(sizeof 0.1 == sizeof(double),                                                \
                      "steno: kernels keep their promises without -fsingle-precision-constant only");

/* R(0.1) in C++ (STN_SHORT_NAMES): an object in a namespace that bodies use. */
#if defined(__cplusplus) && defined(STN_SHORT_NAMES) && !defined(R)
extern "C++" {
template <typename real_> struct stn_literal {
    template <typename number_> constexpr real_ operator()(number_ value_) const
    {
        return (real_)value_;
    }
};
#    define STN_DEFINE_LITERAL(T)                                                                  \
        namespace stn_literals_of_##T                                                              \
        {                                                                                          \
        static constexpr stn_literal<stn_##T> R __attribute__((__unused__)) = stn_literal<stn_##T>();\
        }
STN_EACH_ARITHMETIC(STN_DEFINE_LITERAL)
}
#    define STN_LITERALS(T)                                                                        \
        STN_DOUBLE_LITERALS                                                                        \
        using namespace ::stn_literals_of_##T;
#else
#    define STN_LITERALS(T) STN_DOUBLE_LITERALS
#endif

/* ---- the functions of a kernel ---- */

#define STN_KERNEL_DESCRIBE(name, parameters)                                                      \
    STN_KERNEL_DESCRIBE_OF(name, f64, parameters)
/* With an additional element, because the list may be empty. */
#define STN_KERNEL_DESCRIBE_OF(name, T, parameters)                                                \
    struct name##_parameters_have_different_names {                                                \
        STN_EACH_PARAMETER(STN_MEMBER, T, parameters)                                              \
        char stn_end;                                                                              \
    };                                                                                             \
    static const stn_parameter name##_parameters[] = {                                             \
        STN_EACH_PARAMETER(STN_DESCRIBE, T, parameters)                                            \
        {STN_PARAMETER_REAL, 0, 0, {0, 0, 0, 0}, STN_BOUNDARY_NEAREST, 0, 0}};                     \
    enum {                                                                                         \
        name##_count = sizeof name##_parameters / sizeof *name##_parameters - 1,                   \
        name##_rank = 0 STN_EACH_PARAMETER(STN_RANK, T, parameters)                                \
    };                                                                                             \
    STN_KERNEL_KINDS(name, T, parameters)

/* The kinds of parameters in order. A fused loop repeats this type, and compilers report a conflict if
 * the kinds differ. */
#define STN_KERNEL_KINDS(name, T, parameters)                                                      \
    typedef void name##_parameters_in_order(STN_EACH_PARAMETER(STN_TYPE, T, parameters) int);
#define STN_TYPE_SCALAR(KIND, T, at, ...) struct stn_parameter##KIND *,
#define STN_TYPE_INDICES                  STN_TYPE_SCALAR
#define STN_TYPE_VIEW                     STN_TYPE_SCALAR
#define STN_TYPE_REACH                    STN_TYPE_SCALAR
#define STN_TYPE_INDEXED                  STN_TYPE_SCALAR
struct stn_parameter_REAL;
struct stn_parameter_INDEX;
struct stn_parameter_BITS;
struct stn_parameter_AT;
struct stn_parameter_IN;
struct stn_parameter_INOUT;
struct stn_parameter_OUT;
struct stn_parameter_MASKED;
struct stn_parameter_SHIFTED;
struct stn_parameter_STENCIL;
struct stn_parameter_GATHER;
struct stn_parameter_SCATTER;

/* The number of indices. Launches check that all parameters agree. */
#define STN_RANK_SCALAR(...)
#define STN_RANK_INDICES(KIND, T, at, ...)          | STN_NUMBER_OF(__VA_ARGS__)
#define STN_RANK_VIEW(...)
#define STN_RANK_REACH(KIND, T, at, name, rule, ...) STN_RANK##KIND(__VA_ARGS__)
#define STN_RANK_SHIFTED(...)
#define STN_RANK_STENCIL(...)                       | STN_NUMBER_OF(__VA_ARGS__)
#define STN_RANK_INDEXED(...)

/* Steps of the indices by rank: only the last index differs between the elements of a tile. Constants
 * let compilers vectorize it. */
static const int64_t stn_steps_of_rank[2 * STN_MAX_RANK][STN_MAX_RANK] __attribute__((__unused__)) = {
    {0}, {1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1},
    {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 1}};

/* Code before and after the body. STN_MAP inserts the body itself, because clang lists every macro that
 * an erroneous token passed through. */
#define STN_KERNEL_HEAD(name, T, parameters)                                                       \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_BODY void name##_element_##T(                                                       \
        const int64_t stn_k STN_EACH_PARAMETER(STN_FORMAL, T, parameters))                         \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)stn_k, (void)sizeof(real_t);                                                         \
        STN_LITERALS(T) STN_REPEATS_##T STN_MATHS_##T                                              \
        {                                                                                          \
            STN_EACH_PARAMETER(STN_DECLARE, T, parameters)                                         \
            {
#define STN_KERNEL_TAIL(name, T, parameters)                                                       \
            }                                                                                      \
            STN_EACH_NAMED(STN_END_SCOPE, parameters)                                              \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_LOOPS(name, T, parameters)                                                          \
    STN_KERNEL_END
#ifdef STN_KERNEL_TWO_LOOPS
#    define STN_KERNEL_LOOPS(name, T, parameters)                                                  \
        STN_KERNEL_LOOP_AS(name, name##_loop_##T, STN_KERNEL_FAST_##T, T, parameters)              \
        STN_KERNEL_LOOP_AS(name, name##_exact_loop_##T, STN_KERNEL_EXACT_##T, T, parameters)
#else
#    define STN_KERNEL_LOOPS(name, T, parameters)                                                  \
        STN_KERNEL_LOOP_AS(name, name##_loop_##T, STN_KERNEL_EXACT_##T, T, parameters)
#endif
#define STN_KERNEL_LOOP_AS(name, loop, EXACT, T, parameters)                                       \
    STN_KERNEL_VERSIONS EXACT static void loop(const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)   \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_steps_of_rank[name##_rank];                               \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        (void)stn_i, (void)stn_d;                                                                  \
        STN_EACH_PARAMETER(STN_FETCH, T, parameters)                                               \
        if (stn_count == STN_TILE_ELEMENTS) {                                                      \
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t stn_k = 0; stn_k < STN_TILE_ELEMENTS; stn_k++)                            \
                STN_KERNEL_STEP(name, T, parameters)                                               \
        } else {                                                                                   \
            STN_KERNEL_IVDEP                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                    \
                STN_KERNEL_STEP(name, T, parameters)                                               \
        }                                                                                          \
    }
#define STN_KERNEL_STEP(name, T, parameters)                                                       \
    name##_element_##T(stn_k STN_EACH_PARAMETER(STN_ARGUMENT, T, parameters));

#define STN_KERNEL_LAUNCH(name, parameters, words, T, ...)                                         \
    STN_KERNEL_BEGIN                                                                               \
    static const stn_kernel name##_kernel = {                                                      \
        sizeof(stn_kernel),                                                                        \
        STN_KERNEL_VERSION,                                                                        \
        name##_count,                                                                              \
        #name,                                                                                     \
        words,                                                                                     \
        name##_parameters,                                                                         \
        __VA_ARGS__,                                                                               \
        __start_stn_fused,                                                                         \
        __stop_stn_fused,                                                                          \
        stn_kernel_probe,                                                                          \
        STN_KERNEL_IS_CHECKED,                                                                     \
        STN_KERNEL_IS_CPLUSPLUS};                                                                  \
    STN_KERNEL_END                                                                                 \
    static inline __attribute__((__unused__)) stn_status name##_run_over(                          \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_rank,                           \
        const int64_t *stn_extents STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        STN_KERNEL_ARGUMENTS(name, T, parameters)                                                  \
        return stn_kernel_run(stn_on, &name##_kernel, stn_arithmetic, stn_rank, stn_extents,       \
                              stn_arguments);                                                      \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_run(                               \
        const stn_exec *stn_on,                                                                    \
        stn_format stn_arithmetic STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                \
    {                                                                                              \
        STN_KERNEL_ARGUMENTS(name, T, parameters)                                                  \
        return stn_kernel_run(stn_on, &name##_kernel, stn_arithmetic, STN_RANK_BROADCAST, NULL, stn_arguments);\
    }

/* clang-format on */

#endif
