/* Checks of the arguments of accessor macros by the preprocessor: an invalid argument is one error,
 * and nothing is defined. */
#ifndef STENO_ACCESSOR_REQUIRE_H
#define STENO_ACCESSOR_REQUIRE_H

#include "steno/detail/accessor/parts.h"

/* STN_IS(x) is 1 if the macro x is defined as `~, 1`, otherwise 0. */
#define STN_IS(...)              STN_IS_SECOND(__VA_ARGS__, 0, ~)
#define STN_IS_SECOND(a, b, ...) b

#define STN_RANK_1 ~, 1
#define STN_RANK_2 ~, 1
#define STN_RANK_3 ~, 1
#define STN_RANK_4 ~, 1
#define STN_RANK_5 ~, 1
#define STN_RANK_6 ~, 1
#define STN_RANK_7 ~, 1
#define STN_RANK_8 ~, 1

#define STN_ARITHMETIC_f64  ~, 1
#define STN_ARITHMETIC_f32  ~, 1
#define STN_ARITHMETIC_i64  ~, 1
#define STN_ARITHMETIC_c128 ~, 1
#define STN_ARITHMETIC_c64  ~, 1

/* Valid pairs of arithmetic and storage, and arithmetic types with scales. */
#define STN_PAIR_stn_floats_stn_floats       ~, 1
#define STN_PAIR_stn_floats_stn_integers     ~, 1
#define STN_PAIR_stn_integers_stn_integers   ~, 1
#define STN_PAIR_stn_complexes_stn_complexes ~, 1
#define STN_SCALED_0_stn_floats              ~, 1
#define STN_SCALED_0_stn_integers            ~, 1
#define STN_SCALED_0_stn_complexes           ~, 1
#define STN_SCALED_1_stn_floats              ~, 1

#define STN_PAIR(...)                   STN_PAIR_(__VA_ARGS__)
#define STN_PAIR_(arithmetic, storage)  STN_PAIR_##arithmetic##_##storage
#define STN_SCALED(...)                 STN_SCALED_(__VA_ARGS__)
#define STN_SCALED_(SCALES, arithmetic) STN_SCALED_##SCALES##_##arithmetic

/* clang-format off */
/* DEFINE(name, rank, real, ...) if its arguments are valid. */
#define STN_UNNAMED_ ~, 1
#define STN_DEMAND_NAME(DEFINE, name, ...)                                                         \
    STN_DEMAND_NAME_(STN_IS(STN_UNNAMED_##name), DEFINE, name, __VA_ARGS__)
#define STN_DEMAND_NAME_(...)                       STN_DEMAND_NAME__(__VA_ARGS__)
#define STN_DEMAND_NAME__(is, ...)                  STN_DEMAND_NAME_##is(__VA_ARGS__)
#define STN_DEMAND_NAME_0(...)                      STN_DEMAND_RANK(__VA_ARGS__)
#define STN_DEMAND_NAME_1(...)                                                                     \
    STN_STATIC_ASSERT(0, "the first argument, the name of the accessor type, is empty");

#define STN_DEMAND_RANK(DEFINE, name, rank, real, ...)                                             \
    STN_DEMAND_RANK_(STN_IS(STN_RANK_##rank), DEFINE, name, rank, real, __VA_ARGS__)
#define STN_DEMAND_RANK_(...)                       STN_DEMAND_RANK__(__VA_ARGS__)
#define STN_DEMAND_RANK__(is, ...)                  STN_DEMAND_RANK_##is(__VA_ARGS__)
#define STN_DEMAND_RANK_1(...)                    STN_DEMAND_REAL(__VA_ARGS__)
#define STN_DEMAND_RANK_0(DEFINE, name, rank, ...)                                                 \
    STN_STATIC_ASSERT(0, #name ": the rank is a literal from 1 to 8, not " #rank);

#define STN_DEMAND_REAL(DEFINE, name, rank, real, ...)                                             \
    STN_DEMAND_REAL_(STN_IS(STN_ARITHMETIC_##real), DEFINE, name, rank, real, __VA_ARGS__)
#define STN_DEMAND_REAL_(...)                       STN_DEMAND_REAL__(__VA_ARGS__)
#define STN_DEMAND_REAL__(is, DEFINE, ...)          STN_DEMAND_REAL_##is(DEFINE, __VA_ARGS__)
#define STN_DEMAND_REAL_1(DEFINE, ...)            DEFINE(__VA_ARGS__)
#define STN_DEMAND_REAL_0(DEFINE, name, rank, real, ...)                                           \
    STN_STATIC_ASSERT(0, #name ": no arithmetic type: " #real                                      \
                      " (there are double, float, int64_t, stn_c128, stn_c64)");

#define STN_DEMAND_STORAGE(DEFINE, SCALES, name, rank, real, format, ...)                          \
    STN_DEMAND_STORAGE_(STN_IS(STN_PAIR(STN_CLASS_##real, STN_CLASS_##format)), DEFINE, SCALES,    \
                        name, rank, real, format, __VA_ARGS__)
#define STN_DEMAND_STORAGE_(...)                    STN_DEMAND_STORAGE__(__VA_ARGS__)
#define STN_DEMAND_STORAGE__(is, ...)               STN_DEMAND_STORAGE_##is(__VA_ARGS__)
#define STN_DEMAND_STORAGE_1(...)                 STN_DEMAND_SCALES(__VA_ARGS__)
#define STN_DEMAND_STORAGE_0(DEFINE, SCALES, name, rank, real, format, ...)                        \
    STN_STATIC_ASSERT(0, #name ": storage that " #real " arithmetic cannot read: " #format);

#define STN_DEMAND_SCALES(DEFINE, SCALES, name, rank, real, ...)                                   \
    STN_DEMAND_SCALES_(STN_IS(STN_SCALED(SCALES, STN_CLASS_##real)), DEFINE, name, rank, real,     \
                       __VA_ARGS__)
#define STN_DEMAND_SCALES_(...)                     STN_DEMAND_SCALES__(__VA_ARGS__)
#define STN_DEMAND_SCALES__(is, ...)                STN_DEMAND_SCALES_##is(__VA_ARGS__)
#define STN_DEMAND_SCALES_1(DEFINE, ...)          DEFINE(__VA_ARGS__)
#define STN_DEMAND_SCALES_0(DEFINE, name, rank, real, ...)                                         \
    STN_STATIC_ASSERT(0, #name ": scales are for f64 and f32 arithmetic, not " #real);
/* clang-format on */

#endif
