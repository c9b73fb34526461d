/* Accessors with rules of rounding and overflow of their own, and a kernel for each. */
#ifndef TEST_ACCESSOR_RULES_H
#define TEST_ACCESSOR_RULES_H

#define WITH_SEED , item + 5
#define NO_SEED

/* ON_RULE(accessor, its format, arithmetic type, additional argument of a maker, rules of rounding
 * and overflow). */
/* clang-format off */
#define RANDOM(format, real, overflow)                                                             \
    ON_RULE(random_##format, format, real, WITH_SEED, STN_ROUND_STOCHASTIC, overflow)
#define CUT(format, real, overflow)                                                                \
    ON_RULE(cut_##format, format, real, NO_SEED, STN_ROUND_TOWARD_ZERO, overflow)
#define NEAREST(name, format, real, overflow)                                                      \
    ON_RULE(name, format, real, NO_SEED, STN_ROUND_NEAREST, overflow)
#define RULE_LIST                                                                                  \
    RANDOM(e4m3, f32, STN_OVERFLOW_DEFAULT)                                                        \
    MORE(RANDOM(bf16, f32, STN_OVERFLOW_SATURATE))                                                 \
    MORE(RANDOM(c32, c64, STN_OVERFLOW_DEFAULT))                                                   \
    DOUBLE(MORE(RANDOM(f16, f64, STN_OVERFLOW_DEFAULT)))                                           \
    DOUBLE(MORE(RANDOM(f32, f64, STN_OVERFLOW_NAN)))                                               \
    DOUBLE(MORE(RANDOM(i8, f64, STN_OVERFLOW_DEFAULT)))                                            \
    MORE(CUT(bf16, f32, STN_OVERFLOW_DEFAULT))                                                     \
    MORE(CUT(i16, f32, STN_OVERFLOW_DEFAULT))                                                      \
    DOUBLE(CUT(f32, f64, STN_OVERFLOW_DEFAULT))                                                    \
    DOUBLE(MORE(CUT(e5m2, f64, STN_OVERFLOW_INFINITY)))                                            \
    MORE(NEAREST(nan_e4m3, e4m3, f32, STN_OVERFLOW_NAN))                                           \
    MORE(NEAREST(infinite_e5m2, e5m2, f32, STN_OVERFLOW_INFINITY))                                 \
    DOUBLE(MORE(NEAREST(full_f16, f16, f64, STN_OVERFLOW_SATURATE)))                               \
    DOUBLE(MORE(NEAREST(full_f64, f64, f64, STN_OVERFLOW_SATURATE)))                               \
    DOUBLE(MORE(NEAREST(nan_f32, f32, f64, STN_OVERFLOW_NAN)))
/* clang-format on */

/* As accessor_define.h defines them. */
#define ON_RULE(type, format, real, seed, rounding, overflow)                                      \
    STN_ACCESSOR_BY_NAMES(type, 2, stn_##real, stn_##format, STN_DYNAMIC_EXTENTS, stn_free, RIGHT, \
                          STN_DYNAMIC_EXTENTS, 64, rounding, overflow, 0, 0, 1, stn_##real, 0, 0,  \
                          1)
RULE_LIST
#undef ON_RULE

/* Random bits depend on the position in memory: a part of an array has those of the whole. */
#define ON_RULE(type, format, real, argument, ...)                                                 \
    STEPS(type, real)                                                                              \
    RUNS(type, real)                                                                               \
    ROUTINE stn_u64 rule_##type(STN_MEM stn_##format *memory, STN_MEM stn_##real *wide,            \
                                STN_MEM stn_##real *scales, stn_u64 item)                          \
    {                                                                                              \
        const stn_size extents[2] = {ROWS, COLUMNS}, stride[1] = {GAPPED};                         \
        const stn_u64 seed = item << 20;                                                           \
        STN_MEM stn_##format *const codes = memory + REGION * item;                                \
        const type x = type##_make(codes, extents, stride argument);                               \
        stn_u64 sum = stn_hash_bits(item);                                                         \
        (void)wide, (void)scales;                                                                  \
        fill_##format(codes, REGION, seed);                                                        \
        sum = type##_steps(x, seed, sum);                                                          \
        sum = type##_runs(x, seed, sum);                                                           \
        sum = type##_runs(type##_dense(codes, ROWS, COLUMNS argument), seed + 1, sum);             \
        sum = type##_steps(type##_sub(x, stn_span_of(1, 3), stn_span_of(5, 9)), seed, sum);        \
        sum = type##_runs(type##_sub(x, stn_at(2), stn_all()), seed + 2, sum);                     \
        sum = fold_all_##format(sum, codes, REGION);                                               \
        return sum;                                                                                \
    }

RULE_LIST
#undef ON_RULE

#endif
