/* Every code and the values between codes: for each format and each arithmetic type that matches
 * it, a kernel that reads element `item`, which is code number `item` (all codes of 8 and 16 bits,
 * others at random), and stores the value in the middle between it and the next one, which is a
 * tie, its neighbors, and an input of any kind. Part of kernels.h with EVERY_CODE. */
#ifndef TEST_ACCESSOR_CODES_H
#define TEST_ACCESSOR_CODES_H

enum { CODES = 1 << 16 };

/* Code number `item`; those of more than 16 bits are spread over all there are. */
#define CODE_NUMBER(name, item)                                                                    \
    code_##name(sizeof(stn_##name) > 2 ? stn_hash_bits(item) ^ ((item)&3) : (item))

#define MIDDLE_f64(a, b)  ((a) + ((b) - (a)) * 0.5)
#define MIDDLE_f32(a, b)  ((a) + ((b) - (a)) * 0.5f)
#define MIDDLE_i64(a, b)  ((stn_i64)(((stn_u64)(a) >> 1) + ((stn_u64)(b) >> 1)))
#define MIDDLE_c64(a, b)  stn_c64_of(MIDDLE_f32((a).re, (b).re), MIDDLE_f32((a).im, (b).im))
#define MIDDLE_c128(a, b) stn_c128_of(MIDDLE_f64((a).re, (b).re), MIDDLE_f64((a).im, (b).im))
/* Sign and payload of a NaN are promised nowhere: it stays. */
#define MOVED_f64(x, by)  ((x) == (x) ? stn_f64_of_bits(stn_bits_of_f64(x) + (stn_u64)(by)) : (x))
#define MOVED_f32(x, by)  ((x) == (x) ? stn_f32_of_bits(stn_bits_of_f32(x) + (stn_u32)(by)) : (x))
#define MOVED_i64(x, by)  ((stn_i64)((stn_u64)(x) + (stn_u64)(by)))
#define MOVED_c64(x, by)  stn_c64_of(MOVED_f32((x).re, by), MOVED_f32((x).im, by))
#define MOVED_c128(x, by) stn_c128_of(MOVED_f64((x).re, by), MOVED_f64((x).im, by))

/* The word of one store: what it returns, and the code. */
#define STORE_WORD(type, format, real, value)                                                      \
    sum = fold_##real(sum, type##_set(x, 0, 0, value));                                            \
    sum = fold_##format(sum, memory[item]);

#define CODES_KERNEL(type, format, real)                                                           \
    ROUTINE stn_u64 codes_##type(STN_MEM stn_##format *memory, stn_u64 item)                       \
    {                                                                                              \
        const type x = type##_dense(memory + item, 1, 1);                                          \
        stn_##real low, high, middle;                                                              \
        stn_u64 sum;                                                                               \
        memory[item] = CODE_NUMBER(format, item + 1);                                              \
        high = type##_get(x, 0, 0);                                                                \
        memory[item] = CODE_NUMBER(format, item);                                                  \
        low = type##_get(x, 0, 0);                                                                 \
        sum = fold_##real(0, low);                                                                 \
        middle = MIDDLE_##real(low, high);                                                         \
        STORE_WORD(type, format, real, low)                                                        \
        STORE_WORD(type, format, real, middle)                                                     \
        STORE_WORD(type, format, real, MOVED_##real(middle, 1))                                    \
        STORE_WORD(type, format, real, MOVED_##real(middle, -1))                                   \
        STORE_WORD(type, format, real, input_##real(item))                                         \
        return sum;                                                                                \
    }

#define ON_PLAIN(format, real) CODES_KERNEL(format##_##real, format, real)
PLAIN_LIST
#undef ON_PLAIN

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIP__) || defined(__HIPCC_RTC__)
#    define ON_PLAIN(format, real)                                                                 \
        extern "C" __global__ void all_codes_##format##_##real(stn_##format *memory,               \
                                                               stn_u64 *words)                     \
        {                                                                                          \
            const stn_u64 item = blockIdx.x * (stn_u64)blockDim.x + threadIdx.x;                   \
            if (item < CODES)                                                                      \
                words[item] = codes_##format##_##real(memory, item);                               \
        }
#else
#    define ON_PLAIN(format, real)                                                                 \
        ROUTINE void all_codes_##format##_##real(void *memory, stn_u64 *words)                     \
        {                                                                                          \
            for (stn_u64 item = 0; item < CODES; item++)                                           \
                words[item] = codes_##format##_##real((stn_##format *)memory, item);               \
        }
#endif
PLAIN_LIST
#undef ON_PLAIN

#endif
