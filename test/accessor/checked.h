/* A kernel in checked mode, in every language of devices: it is compiled, not run. */
#ifndef TEST_ACCESSOR_CHECKED_H
#define TEST_ACCESSOR_CHECKED_H

#define STN_CHECKED
#ifdef STENO_SINGLE_FILE
#    include "steno_accessor.h"
#else
#    include "steno/accessor.h"
#endif

STN_ACCESSOR(checked_f16, 2, float, stn_f16)
STN_ACCESSOR_BLOCK_SCALED(checked_i8, 2, float, int8_t, 0x3, 4)

#ifdef STN_OPENCL
kernel
#else
extern "C" __global__
#endif
    void
    run_checked(STN_MEM stn_f16 *codes, STN_MEM stn_i8 *integers, STN_MEM float *scales)
{
    const checked_f16 x = checked_f16_dense(codes, 3, 4);
    const checked_i8 y = checked_i8_dense(integers, 4, 8, scales);
    float values[4];
    checked_f16_load(x, 1, 0, 4, values);
    checked_i8_store(checked_i8_sub(y, stn_at(1), stn_span_of(4, 8)), 0, 0, 4, values);
    checked_i8_set(y, 0, 9, checked_f16_get(x, 1, 2));
}

#endif
