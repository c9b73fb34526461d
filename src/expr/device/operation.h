/* The operation of a reduction as functions: begin a state with an element, add elements,
 * combine two states, and finish the last one. */
#define STN_DEVICE_TEXT
#define STN_KERNEL_INLINE STN_FN
#define STN_KERNEL_BEGIN
#define STN_KERNEL_END
#define STN_KERNEL_NO_FUSING
#define STN_PART_f64  stn_f64
#define STN_PART_f32  stn_f32
#define STN_PART_i64  stn_i64
#define STN_PART_c128 stn_f64
#define STN_PART_c64  stn_f32
#include "steno/detail/reduce_operations.h"
#define STN_DEFINE(op, T, state, mapped, result, first, step, combined, empty, finished)           \
    typedef state stn_state;                                                                       \
    typedef mapped stn_mapped;                                                                     \
    typedef result stn_result;                                                                     \
    typedef STN_PART_##T stn_scaling;                                                              \
    STN_FN stn_state stn_begun(stn_mapped stn_m, stn_i64 stn_number, stn_scaling stn_scale)        \
    {                                                                                              \
        (void)stn_number, (void)stn_scale;                                                         \
        return first;                                                                              \
    }                                                                                              \
    STN_FN stn_state stn_onto(stn_state stn_a, stn_mapped stn_m, stn_i64 stn_number,               \
                              stn_scaling stn_scale)                                               \
    {                                                                                              \
        (void)stn_number, (void)stn_scale;                                                         \
        return step;                                                                               \
    }                                                                                              \
    STN_FN stn_state stn_both(stn_state stn_a, stn_state stn_b)                                    \
    {                                                                                              \
        return combined;                                                                           \
    }                                                                                              \
    STN_FN stn_result stn_finished(stn_state stn_a, stn_scaling stn_scale)                         \
    {                                                                                              \
        (void)stn_scale;                                                                           \
        return finished;                                                                           \
    }
