/* Accessor types of rank 2, one for every rounding and overflow rule, of the storage RULES_STORAGE
 * in RULES_REAL, which the file that includes this defines; RULES_NAME(rule) is the type's name. */
#ifndef STENO_TEST_ACCESSOR_RULES_H
#    define STENO_TEST_ACCESSOR_RULES_H

#    include "accessor_types.h"

#    define RULES_CHECK(name, arguments)  RULES_CHECK_(name, arguments)
#    define RULES_CHECK_(name, arguments) CHECK_TYPE(name, 2, RIGHT, FEW, arguments, NO, , )
#    define RULES_LIST(tag)                                                                        \
        &tag##_nearest_default_type, &tag##_nearest_infinity_type, &tag##_nearest_saturate_type,   \
            &tag##_nearest_nan_type, &tag##_toward_zero_default_type,                              \
            &tag##_toward_zero_infinity_type, &tag##_toward_zero_saturate_type,                    \
            &tag##_toward_zero_nan_type, &tag##_stochastic_default_type,                           \
            &tag##_stochastic_infinity_type, &tag##_stochastic_saturate_type,                      \
            &tag##_stochastic_nan_type

#endif

#define STN_NAME     RULES_NAME(nearest_default)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_NEAREST
#define STN_OVERFLOW STN_OVERFLOW_DEFAULT
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(nearest_default), PLAIN)

#define STN_NAME     RULES_NAME(nearest_infinity)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_NEAREST
#define STN_OVERFLOW STN_OVERFLOW_INFINITY
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(nearest_infinity), PLAIN)

#define STN_NAME     RULES_NAME(nearest_saturate)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_NEAREST
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(nearest_saturate), PLAIN)

#define STN_NAME     RULES_NAME(nearest_nan)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_NEAREST
#define STN_OVERFLOW STN_OVERFLOW_NAN
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(nearest_nan), PLAIN)

#define STN_NAME     RULES_NAME(toward_zero_default)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#define STN_OVERFLOW STN_OVERFLOW_DEFAULT
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(toward_zero_default), PLAIN)

#define STN_NAME     RULES_NAME(toward_zero_infinity)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#define STN_OVERFLOW STN_OVERFLOW_INFINITY
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(toward_zero_infinity), PLAIN)

#define STN_NAME     RULES_NAME(toward_zero_saturate)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(toward_zero_saturate), PLAIN)

#define STN_NAME     RULES_NAME(toward_zero_nan)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#define STN_OVERFLOW STN_OVERFLOW_NAN
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(toward_zero_nan), PLAIN)

#define STN_NAME     RULES_NAME(stochastic_default)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_OVERFLOW STN_OVERFLOW_DEFAULT
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(stochastic_default), SEEDED)

#define STN_NAME     RULES_NAME(stochastic_infinity)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_OVERFLOW STN_OVERFLOW_INFINITY
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(stochastic_infinity), SEEDED)

#define STN_NAME     RULES_NAME(stochastic_saturate)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(stochastic_saturate), SEEDED)

#define STN_NAME     RULES_NAME(stochastic_nan)
#define STN_RANK     2
#define STN_REAL     RULES_REAL
#define STN_STORAGE  RULES_STORAGE
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#define STN_OVERFLOW STN_OVERFLOW_NAN
#include "steno/accessor_define.h"
RULES_CHECK(RULES_NAME(stochastic_nan), SEEDED)

#undef RULES_NAME
#undef RULES_REAL
#undef RULES_STORAGE
