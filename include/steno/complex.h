/* Complex numbers as plain structs: the same layout as C's _Complex, C++'s std::complex and CUDA's.
 */
#ifndef STENO_COMPLEX_H
#define STENO_COMPLEX_H

#include "steno/codec.h"

typedef struct stn_c128 {
    double re, im;
} stn_c128;

typedef struct stn_c64 {
    float re, im;
} stn_c64;

/* Two binary16 parts: a storage format only. */
typedef struct stn_c32 {
    stn_f16 re, im;
} stn_c32;

#endif
