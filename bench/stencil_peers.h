/* Loops written by hand, with which bench_stencils compares kernels: C over arrays of values, and
 * AVX-512 intrinsics over f16 codes where the compiler's target has them. */
#ifndef STENCIL_PEERS_H
#define STENCIL_PEERS_H

#include <stdint.h>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__F16C__)
#    include <immintrin.h>
#    define PEER_HAS_F16 1
#else
#    define PEER_HAS_F16 0
#endif

/* A row of `count` elements: u and v are its first elements, n and m the elements between rows and
 * between planes. */
typedef void peer_row(const void *u, void *v, int64_t count, int64_t n, int64_t m);

/* A row of `count` cells: f are their populations before, g those after the step. */
typedef void peer_cells(const void *const *f, void *const *g, int64_t count, double relaxation);

enum { PEER_SCALE = 1 << 14 }; /* codes of fluids are multiplied by 1 / PEER_SCALE */

#define PEER_WHOLE __attribute__((always_inline)) /* steps in loops */

/* Without the pragma, gcc does not vectorize the loops over scalars. */
#define PEER_PRAGMA(text) _Pragma(#text)
#define PEER_SIMD_1       PEER_PRAGMA(omp simd)
#define PEER_SIMD_16
#define PEER_JOIN_(a, b) a##b
#define PEER_JOIN(a, b)  PEER_JOIN_(a, b)
#define PEER_SIMD(step)  PEER_JOIN(PEER_SIMD_, step)

#define T(name)     name##_f64
#define CODE        double
#define REAL        double
#define SCALAR      double
#define STEP        1
#define LOAD(p)     (*(p))
#define STORE(p, x) (*(p) = (x))
#include "stencil_loops.h"

#define T(name)     name##_f32
#define CODE        float
#define REAL        float
#define SCALAR      float
#define STEP        1
#define LOAD(p)     (*(p))
#define STORE(p, x) (*(p) = (x))
#include "stencil_loops.h"

/* f32 in f64 arithmetic. */
#define T(name)     name##_f32_f64
#define CODE        float
#define REAL        double
#define SCALAR      double
#define STEP        1
#define LOAD(p)     ((double)*(p))
#define STORE(p, x) (*(p) = (float)(x))
#include "stencil_loops.h"

#if PEER_HAS_F16
static inline __m512 peer_load(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
static inline void peer_store(uint16_t *p, __m512 x)
{
    /* Unmasked, the macro at -O0 converts -1 to a mask, which warns. */
    _mm256_storeu_si256((__m256i *)(void *)p,
                        _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT));
}

#    define T(name)     name##_f16
#    define CODE        uint16_t
#    define REAL        __m512
#    define SCALAR      float
#    define STEP        16
#    define LOAD(p)     peer_load(p)
#    define STORE(p, x) peer_store(p, x)
#    include "stencil_loops.h"

#    define T(name)     name##_scaled_f16
#    define CODE        uint16_t
#    define REAL        __m512
#    define SCALAR      float
#    define STEP        16
#    define LOAD(p)     (peer_load(p) * (1.0f / PEER_SCALE))
#    define STORE(p, x) peer_store(p, (x) * (float)PEER_SCALE)
#    include "stencil_loops.h"

/* Cells at the ends of rows, which have neighbors at the other end. */
#    define T(name)     name##_cell_f16
#    define CODE        uint16_t
#    define REAL        float
#    define SCALAR      float
#    define STEP        1
#    define LOAD(p)     (_cvtsh_ss(*(p)) * (1.0f / PEER_SCALE))
#    define STORE(p, x) (*(p) = _cvtss_sh((x) * (float)PEER_SCALE, _MM_FROUND_TO_NEAREST_INT))
#    include "stencil_loops.h"
#else
#    define five_row_f16         NULL
#    define seven_row_f16        NULL
#    define nine_row_f16         NULL
#    define twenty_seven_row_f16 NULL
#    define d2q9_row_scaled_f16  NULL
#    define d3q19_row_scaled_f16 NULL
#    define d3q19_row_cell_f16   NULL
#endif

#endif
