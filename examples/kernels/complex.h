/* c += a * b of complex numbers aligned to the size of one part (c8) or of both parts (c16). For C
 * and CUDA; see alignment.c. */
#ifndef COMPLEX_H
#define COMPLEX_H

#ifdef __CUDACC_RTC__
#    define ALIGN16 __align__(16)
#else
#    define ALIGN16 __attribute__((aligned(16)))
#endif

typedef struct c8 {
    double re, im;
} c8;

typedef struct ALIGN16 c16 {
    double re, im;
} c16;

#endif
