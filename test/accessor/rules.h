/* Accessors with rules of rounding and overflow of their own, and a kernel for each. */
#ifndef TEST_ACCESSOR_RULES_H
#define TEST_ACCESSOR_RULES_H

/* ---- stochastic rounding ---- */

#define STN_NAME     random_e4m3
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  stn_e4m3
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include ACCESSOR_DEFINE

#define STN_NAME     random_bf16
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  stn_bf16
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include ACCESSOR_DEFINE

#define STN_NAME     random_c32
#define STN_RANK     2
#define STN_REAL     stn_c64
#define STN_STORAGE  stn_c32
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include ACCESSOR_DEFINE

#ifdef STN_HAVE_DOUBLE
#    define STN_NAME     random_f16
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  stn_f16
#    define STN_ROUNDING STN_ROUND_STOCHASTIC
#    include ACCESSOR_DEFINE

#    define STN_NAME     random_f32
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  float
#    define STN_ROUNDING STN_ROUND_STOCHASTIC
#    define STN_OVERFLOW STN_OVERFLOW_NAN
#    include ACCESSOR_DEFINE

#    define STN_NAME     random_i8
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  int8_t
#    define STN_ROUNDING STN_ROUND_STOCHASTIC
#    include ACCESSOR_DEFINE
#endif

/* ---- toward zero ---- */

#define STN_NAME     cut_bf16
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  stn_bf16
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#include ACCESSOR_DEFINE

#define STN_NAME     cut_i16
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  int16_t
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#include ACCESSOR_DEFINE

#ifdef STN_HAVE_DOUBLE
#    define STN_NAME     cut_f32
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  float
#    define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#    include ACCESSOR_DEFINE

#    define STN_NAME     cut_e5m2
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  stn_e5m2
#    define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#    define STN_OVERFLOW STN_OVERFLOW_INFINITY
#    include ACCESSOR_DEFINE
#endif

/* ---- overflow ---- */

#define STN_NAME     nan_e4m3
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  stn_e4m3
#define STN_OVERFLOW STN_OVERFLOW_NAN
#include ACCESSOR_DEFINE

#define STN_NAME     infinite_e5m2
#define STN_RANK     2
#define STN_REAL     float
#define STN_STORAGE  stn_e5m2
#define STN_OVERFLOW STN_OVERFLOW_INFINITY
#include ACCESSOR_DEFINE

#ifdef STN_HAVE_DOUBLE
#    define STN_NAME     full_f16
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  stn_f16
#    define STN_OVERFLOW STN_OVERFLOW_SATURATE
#    include ACCESSOR_DEFINE

#    define STN_NAME     full_f64
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  double
#    define STN_OVERFLOW STN_OVERFLOW_SATURATE
#    include ACCESSOR_DEFINE

#    define STN_NAME     nan_f32
#    define STN_RANK     2
#    define STN_REAL     double
#    define STN_STORAGE  float
#    define STN_OVERFLOW STN_OVERFLOW_NAN
#    include ACCESSOR_DEFINE
#endif

/* ---- kernels ---- */

#define WITH_SEED , item + 5
#define WITHOUT_SEED

#define WITH_SEED , item + 5
#define NO_SEED

/* ON_RULE(accessor, its format, arithmetic type, what a maker takes besides). */
/* clang-format off */
#define RULE_LIST                                            \
    ON_RULE(random_e4m3, e4m3, f32, WITH_SEED)               \
    MORE(ON_RULE(random_bf16, bf16, f32, WITH_SEED))         \
    MORE(ON_RULE(random_c32, c32, c64, WITH_SEED))           \
    DOUBLE(MORE(ON_RULE(random_f16, f16, f64, WITH_SEED)))   \
    DOUBLE(MORE(ON_RULE(random_f32, f32, f64, WITH_SEED)))   \
    DOUBLE(MORE(ON_RULE(random_i8, i8, f64, WITH_SEED)))     \
    MORE(ON_RULE(cut_bf16, bf16, f32, NO_SEED))              \
    MORE(ON_RULE(cut_i16, i16, f32, NO_SEED))                \
    DOUBLE(ON_RULE(cut_f32, f32, f64, NO_SEED))              \
    DOUBLE(MORE(ON_RULE(cut_e5m2, e5m2, f64, NO_SEED)))      \
    MORE(ON_RULE(nan_e4m3, e4m3, f32, NO_SEED))              \
    MORE(ON_RULE(infinite_e5m2, e5m2, f32, NO_SEED))         \
    DOUBLE(MORE(ON_RULE(full_f16, f16, f64, NO_SEED)))       \
    DOUBLE(MORE(ON_RULE(full_f64, f64, f64, NO_SEED)))       \
    DOUBLE(MORE(ON_RULE(nan_f32, f32, f64, NO_SEED)))
/* clang-format on */

/* Random bits go by the place in memory: a part of an array draws those that the whole does. */
#define RULE_KERNEL(type, format, real, ...)                                                       \
    STEPS(type, real)                                                                              \
    RUNS(type, real)                                                                               \
    ROUTINE stn_u64 rule_##type(STN_MEM stn_##format *memory, STN_MEM stn_##real *wide,            \
                                STN_MEM stn_##real *scales, stn_u64 item)                          \
    {                                                                                              \
        const stn_size extents[2] = {ROWS, COLUMNS}, stride[1] = {GAPPED};                         \
        const stn_u64 seed = item << 20;                                                           \
        STN_MEM stn_##format *const codes = memory + REGION * item;                                \
        const type x = type##_make(codes, extents, stride __VA_ARGS__);                            \
        stn_u64 sum = stn_hash_bits(item);                                                         \
        (void)wide, (void)scales;                                                                  \
        fill_##format(codes, REGION, seed);                                                        \
        sum = type##_steps(x, seed, sum);                                                          \
        sum = type##_runs(x, seed, sum);                                                           \
        sum = type##_runs(type##_dense(codes, ROWS, COLUMNS __VA_ARGS__), seed + 1, sum);          \
        sum = type##_steps(type##_sub(x, stn_span_of(1, 3), stn_span_of(5, 9)), seed, sum);        \
        sum = type##_runs(type##_sub(x, stn_at(2), stn_all()), seed + 2, sum);                     \
        sum = fold_all_##format(sum, codes, REGION);                                               \
        return sum;                                                                                \
    }

#define ON_RULE(type, format, real, ...) RULE_KERNEL(type, format, real, __VA_ARGS__)
RULE_LIST
#undef ON_RULE

#endif
