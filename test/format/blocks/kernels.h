/* All functions of steno/block_codec.h and of accessors of blocks in kernels of OpenCL C, CUDA C++
 * and HIP, and in functions of C and C++: blocks are encoded, decoded, and read by element. */
#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#    include "steno/accessor.h" /* of the text of runtime_compiler.c */
#endif
#include "steno/accessor_block.h"

#if defined(STN_OPENCL)
#    define KERNEL __kernel
#    define GLOBAL __global
#    define ITEM   ((int)get_global_id(0))
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)
#    define KERNEL extern "C" __global__
#    define GLOBAL
#    define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#else
#    define KERNEL static
#    define GLOBAL
#    define ITEM 0
#endif

KERNEL void convert(GLOBAL stn_u8 *codes, GLOBAL stn_u8 *scales, GLOBAL const double *values,
                    GLOBAL double *elements, int format, int code_bytes, int scale_bytes)
{
    const int block = ITEM, count = stn_block_elements(format);
    GLOBAL stn_u8 *const code = codes + block * code_bytes;
    GLOBAL stn_u8 *const scale = scales + block * scale_bytes;
    double decoded[STN_BLOCK_ELEMENTS];
    int k;
    for (k = 0; k < count; k++)
        decoded[k] = values[block * count + k];
    stn_block_encode(format, code, scale, decoded);
    stn_block_decode(format, decoded, code, scale);
    for (k = 0; k < count; k++)
        elements[block * count + k] = decoded[k] - stn_block_read(format, code, scale, k);
}

/* For each row of the format table: a thread stores a row of an array in blocks, and reads it by
 * element and by block. */
#define ACCESS_ROW(id, NAME, name, element, count, scale, placement)                               \
    STN_ACCESSOR_BLOCKS(name##_blocks, 2, double, STN_##NAME)                                      \
    KERNEL void access_##name(GLOBAL stn_u8 *codes, GLOBAL stn_u8 *scales,                         \
                              GLOBAL const double *values, GLOBAL double *elements,                \
                              GLOBAL double *loaded, int rows, int columns)                        \
    {                                                                                              \
        const name##_blocks x = name##_blocks_dense(codes, scales, rows, columns);                 \
        const name##_blocks_const y = name##_blocks_to_const(x);                                   \
        const int i = ITEM, first = i * columns;                                                   \
        double block[name##_blocks_block];                                                         \
        int b, k, j = 0;                                                                           \
        for (b = 0; b < (int)name##_blocks_row_blocks(x); b++) {                                   \
            for (k = 0; k < name##_blocks_block; k++)                                              \
                block[k] = values[first + (j + k < columns ? j + k : 0)];                          \
            name##_blocks_store_block(x, i, b, block);                                             \
            name##_blocks_const_load_block(y, i, b, block);                                        \
            for (k = 0; k < name##_blocks_block && j < columns; k++, j++)                          \
                loaded[first + j] = block[k];                                                      \
        }                                                                                          \
        for (j = 0; j < (int)name##_blocks_length(x, 1); j++)                                      \
            elements[first + j] = name##_blocks_get(x, i, j);                                      \
    }
STN_BLOCK_TABLE(ACCESS_ROW)

/* Three dimensions, float, inline scales and a global factor. */
STN_ACCESSOR_BLOCKS(cube, 3, float, STN_NVFP4)
KERNEL void access_cube(GLOBAL stn_u8 *blocks, GLOBAL float *elements)
{
    const cube x = cube_scaled(cube_dense(blocks, 0, 2, 3, 20), 0.25f);
    float block[cube_block];
    int k;
    for (k = 0; k < cube_block; k++)
        block[k] = k < 4 ? 0.25f * (float)k : 7.0f;
    cube_store_block(x, 1, 2, 1, block);
    for (k = 0; k < 4; k++)
        elements[k] = cube_get(x, 1, 2, 16 + k);
    elements[4] = (float)cube_length(x, 2) + (float)cube_length(x, 3);
}

#ifndef STN_OPENCL
#    if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
/* Values come back that every format represents. */
#        define EXPECT_ROW(id, NAME, name, element, count, scale, placement)                       \
            for (k = 0; k < COLUMNS; k++)                                                          \
                elements[k] = loaded[k] = -1.0;                                                    \
            access_##name(codes, scales, values, elements, loaded, 1, COLUMNS);                    \
            for (k = 0; k < COLUMNS; k++)                                                          \
                if (elements[k] != values[k] || loaded[k] != values[k])                            \
                    return STN_##NAME;
static int access_all(void)
{
    enum { COLUMNS = 40 };
    double values[COLUMNS], elements[COLUMNS], loaded[COLUMNS];
    stn_u8 codes[4 * STN_BLOCK_ELEMENTS * 2], scales[8], blocks[12 * 9] = {0};
    float numbers[5];
    int k;
    for (k = 0; k < COLUMNS; k++)
        values[k] = k % 3 == 0 ? 1.5 : k % 3 == 1 ? -1.0 : 0.0;
    STN_BLOCK_TABLE(EXPECT_ROW)
    access_cube(blocks, numbers);
    for (k = 0; k < 4; k++)
        if (numbers[k] != 0.25f * (float)k)
            return 1;
    return numbers[4] != 21.0f || blocks[11 * 9] == 0 || blocks[10 * 9] != 0;
}

/* The two ways to read agree. */
int main(void)
{
    double values[STN_BLOCK_ELEMENTS], elements[STN_BLOCK_ELEMENTS], again[STN_BLOCK_ELEMENTS];
    stn_u8 codes[4 * STN_BLOCK_ELEMENTS] = {0}, scale[2] = {0};
    int format, k;
    for (format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        for (k = 0; k < STN_BLOCK_ELEMENTS; k++)
            values[k] = k % 3 == 0 ? 1.5 : k % 3 == 1 ? -1.0 : 0.0;
        convert(codes, scale, values, elements, format, 0, 0);
        stn_block_decode(format, again, codes, scale);
        for (k = 0; k < stn_block_elements(format); k++)
            if (elements[k] != 0.0 || again[k] != values[k])
                return format;
    }
    return access_all();
}
#    endif
#endif
