/* The planes of segmented views (view/segmented.h), which these loops only read: codes are the
 * upper 32 bits of binary64. Plain storage is the first plane alone; otherwise, the affine has the
 * other planes. */
#include "format/codec.h"

typedef uint32_t code;

#define SEGMENTED_CODES
#define ONLY_F64

typedef uint64_t upper_bits __attribute__((vector_size(sizeof(vf64))));
enum { UPPER_LANES = sizeof(vf64) / sizeof(double) };

/* load_upper: elements of the first plane. load_part: of a lower plane, whose elements are signed;
 * compilers convert them one by one without intrinsics. */
#if defined(__AVX512F__)
STN_FN upper_bits load_upper(const code *p)
{
    const __m256i part = _mm256_loadu_si256((const void *)p);
    return (upper_bits)_mm512_slli_epi64(_mm512_cvtepu32_epi64(part), 32);
}

STN_FN upper_bits load_part(const uint16_t *p)
{
    return (upper_bits)_mm512_cvtepi16_epi64(_mm_loadu_si128((const void *)p));
}
#elif defined(__AVX2__)
STN_FN upper_bits load_upper(const code *p)
{
    const __m128i part = _mm_loadu_si128((const void *)p);
    return (upper_bits)_mm256_slli_epi64(_mm256_cvtepu32_epi64(part), 32);
}

STN_FN upper_bits load_part(const uint16_t *p)
{
    return (upper_bits)_mm256_cvtepi16_epi64(_mm_loadl_epi64((const void *)p));
}
#else
STN_FN upper_bits load_upper(const code *p)
{
    uint32_t part __attribute__((vector_size(sizeof(vf64) / 2)));
    memcpy(&part, p, sizeof part);
    return __builtin_convertvector(part, upper_bits) << 32;
}

STN_FN upper_bits load_part(const uint16_t *p)
{
    typedef int64_t wide __attribute__((vector_size(sizeof(vf64))));
    int16_t part __attribute__((vector_size(sizeof(vf64) / 4)));
    memcpy(&part, p, sizeof part);
    return (upper_bits) __builtin_convertvector(part, wide);
}
#endif

STN_FN vf64x2 load_f64(const code *p)
{
    return (vf64x2){(vf64)load_upper(p), (vf64)load_upper(p + UPPER_LANES)};
}
STN_FN vf32 load_f32(const code *p)
{
    return v_narrow(load_f64(p));
}

STN_FN vf64 load_half(const code *p, const stn_affine *planes)
{
    const ptrdiff_t at = p - (const code *)planes->codes;
    upper_bits bits = load_upper(p) + (load_part(planes->middle + at) << 16);
    if (planes->lower)
        bits += load_part(planes->lower + at);
    return (vf64)bits;
}

/* Complete pieces, of two or three planes. */
STN_FN vf64x2 load_planes(const code *p, const stn_affine *planes)
{
    return (vf64x2){load_half(p, planes), load_half(p + UPPER_LANES, planes)};
}
