/* The kernel that copies elements, for one pair of formats. WAY is the conversion: 0 codes are
 * moved, one UNIT at a time; 1 floating point, in REAL; 2 the same for 64-bit integers, so that
 * they are rounded only once; 3 integers. The rules are those of copies on the host. COUNTS:
 * counters are updated. CONSTANT: the only code read is the one in the arguments. NEIGHBORS: number
 * of adjacent elements that a thread accesses together, as a TO_WORD and a FROM_WORD. */
#include "expr/device/given.h"
#define A STN_OF(a)
#define TALLY(k)                                                                                   \
    do {                                                                                           \
        if (STN_ADD_32(counts + 2 * (k), 1u) == 0xffffffffu)                                       \
            (void)STN_ADD_32(counts + 2 * (k) + 1, 1u);                                            \
    } while (0)
#if COUNTS
#    define GIVEN STN_PASSED(struct arguments) a, stn_u64 draw, STN_GLOBAL stn_u32 *counts
#    define PASS  a, draw, counts
#else
#    define GIVEN STN_PASSED(struct arguments) a, stn_u64 draw
#    define PASS  a, draw
#endif
enum { RANK = 16 };
struct arguments {
    stn_u64 code[2] __attribute__((aligned(16)));
    stn_u64 count, seed, draw_first, shift_low;
    stn_i64 shift_high;
    stn_u64 to_scale, to_zero, from_scale, from_zero; /* bits of doubles */
    stn_u64 extent[RANK];
    stn_i64 to[RANK], from[RANK];
    stn_u64 draw[RANK];
    stn_i64 to_offset, from_offset;
    int rank, unused;
    stn_u64 chunks, of_row; /* of NEIGHBORS elements: all, and per row of the last dimension */
};
#if WAY == 0
typedef UNIT to_code;
typedef UNIT from_code;
STN_FN UNIT stored(UNIT code, GIVEN)
{
    return code;
}
#else
#    define PASTE2(a, b)       a##b
#    define PASTE4(a, b, c, d) a##b##c##d
#    define TYPE(name)         PASTE2(stn_, name)
#    define GIVEN_REAL(bits)   ((real)stn_given_as(bits))
#    define PASTE3(a, b, c)    a##b##c
#    define KIND(name)         PASTE3(stn_, name, _kind)
#    define WIDE(real)         PASTE2(stn_wide_, real)
#    define READ(real, name)   PASTE4(stn_read_, real, _, name)
#    define WRITE(real, name)  PASTE4(stn_write_, real, _, name)
typedef TYPE(TO) to_code;
typedef TYPE(FROM) from_code;
#    if WAY == 3
STN_FN to_code stored(from_code code, GIVEN)
{
    const int bits = 8 * sizeof(to_code), is_signed = (to_code)-1 < (to_code)1;
    const stn_u64 one = 1, least = is_signed ? 0 - (one << (bits - 1)) : 0;
    const stn_u64 most = bits - is_signed == 64 ? ~(stn_u64)0 : (one << (bits - is_signed)) - 1;
    const int is_negative = (from_code)-1 < (from_code)1 && (stn_i64)code < 0;
    const stn_u64 low = (stn_u64)code + A.shift_low;
    const stn_i64 high = A.shift_high - is_negative + (low < (stn_u64)code);
    const int is_below = high < 0 && (high < -is_signed || !is_signed || low < least);
    const int is_above = high > 0 || (high == 0 && low > most);
#        if COUNTS
    if (is_below || is_above)
        TALLY(0);
#        endif
    return (to_code)(is_below ? least : is_above ? most : low);
}
#    else
#        if WAY == 2
STN_FN double widened(from_code code)
{
    const int is_negative = (from_code)-1 < (from_code)1 && (stn_i64)code < 0;
    const stn_u64 magnitude = is_negative ? 0 - (stn_u64)code : (stn_u64)code;
    double size = (double)magnitude;
    if (magnitude >> 53 && !(sizeof(to_code) == 8 && ROUNDING != STN_ROUND_TOWARD_ZERO)) {
        const int dropped = 11 - STN_LEADING_ZEROS(magnitude);
        stn_u64 kept = magnitude >> dropped;
        if (kept << dropped != magnitude && sizeof(to_code) < 8)
            kept |= 1;
        size = (double)kept * stn_f64_of_bits((stn_u64)(1023 + dropped) << 52);
    }
    return is_negative ? -size : size;
}
#        else
STN_FN TYPE(REAL) widened(from_code code)
{
    return READ(REAL, FROM)(code);
}
#        endif
STN_FN to_code stored(from_code code, GIVEN)
{
    typedef TYPE(REAL) real;
    real value = widened(code);
    if (AFFINE & 1)
        value = (value - GIVEN_REAL(A.from_zero)) * GIVEN_REAL(A.from_scale);
#        if COUNTS
    const real given = value;
#        endif
    if (AFFINE & 2)
        value = value / GIVEN_REAL(A.to_scale);
    if ((AFFINE & 2) && A.to_zero << 1 != 0)
        value = value + GIVEN_REAL(A.to_zero);
    const to_code made =
        WRITE(REAL, TO)(value, (stn_rounding)ROUNDING, (stn_overflow)OVERFLOW, A.seed, draw);
#        if COUNTS
    const stn_u64 random = ROUNDING == STN_ROUND_STOCHASTIC ? stn_random_bits(A.seed, draw) : 0;
    unsigned events = 0;
#            if INTEGER
    (void)stn_integer_encode(WIDE(REAL)(value), 8 * sizeof(to_code), (to_code)-1 < (to_code)1,
                             (stn_rounding)ROUNDING, random, &events);
    if ((AFFINE & 2) && A.to_zero << 1 != 0) {
        events &= ~STN_EVENT_UNDERFLOWED;
        if (given != 0 && !(events & STN_EVENT_SATURATED) &&
            READ(REAL, TO)(made) == GIVEN_REAL(A.to_zero))
            events |= STN_EVENT_UNDERFLOWED;
    }
#            else
    (void)given;
    (void)stn_float_encode(WIDE(REAL)(value), KIND(TO)(), (stn_rounding)ROUNDING,
                           (stn_overflow)OVERFLOW, random, &events);
#            endif
    for (int k = 0; k < 3; k++)
        if (events >> k & 1)
            TALLY(k);
#        endif
#        if USUAL == 64
    return made == made ? made : stn_f64_of_bits(0x7ff8000000000000u);
#        elif USUAL == 32
    return made == made ? made : stn_f32_of_bits(0x7fc00000u);
#        else
    return made;
#        endif
}
#    endif
#endif

/* Adds the offsets of the element with index `rest` in C order of dimensions 0 to `end`. */
#define OFFSETS(end)                                                                               \
    for (int d = (end); d >= 0; d--) {                                                             \
        const INDEX before = d ? rest / (INDEX)A.extent[d] : 0;                                    \
        const INDEX index = rest - before * (INDEX)A.extent[d];                                    \
        target += (stn_i64)index * A.to[d];                                                        \
        source += (stn_i64)index * A.from[d];                                                      \
        draw += index * A.draw[d];                                                                 \
        rest = before;                                                                             \
    }

/* The code `k` elements after `source`. */
#if CONSTANT
#    define CODE(k) (*(STN_CONSTANT const from_code *)((STN_CONSTANT const char *)A.code + source))
#else
#    define CODE(k) ((STN_GLOBAL const from_code *)(from + source))[k]
#endif

STN_DEVICE_KERNEL steno_copy(STN_GLOBAL char *to, STN_GLOBAL const char *from,
                             STN_GIVEN(struct arguments) a
#if COUNTS
                             ,
                             STN_GLOBAL stn_u32 *counts
#endif
)
{
    const INDEX step = (INDEX)STN_THREADS;
#if NEIGHBORS > 1
    const int last = A.rank - 1;
    for (INDEX n = (INDEX)STN_THREAD; n < A.chunks; n += step) {
        stn_i64 source = A.from_offset, target = A.to_offset;
        stn_u64 draw = A.draw_first;
        INDEX rest = last > 0 ? n / (INDEX)A.of_row : 0;
        const INDEX begin = (n - rest * (INDEX)A.of_row) * NEIGHBORS;
        OFFSETS(last - 1)
        target += (stn_i64)begin * (stn_i64)sizeof(to_code);
        source += (stn_i64)begin * A.from[last];
        draw += begin * A.draw[last];
        const INDEX left = (INDEX)A.extent[last] - begin;
        STN_GLOBAL to_code *const put = (STN_GLOBAL to_code *)(to + target);
        if (left < NEIGHBORS) {
            for (INDEX k = 0; k < left; k++, draw += A.draw[last])
                put[k] = stored(CODE(k), PASS);
            continue;
        }
        union {
            FROM_WORD word;
            from_code code[NEIGHBORS];
        } codes;
        union {
            TO_WORD word;
            to_code code[NEIGHBORS];
        } made;
#    if CONSTANT
        STN_UNROLL for (int k = 0; k < NEIGHBORS; k++) codes.code[k] = CODE(k);
#    else
        codes.word = *(STN_GLOBAL const FROM_WORD *)(from + source);
#    endif
        STN_UNROLL for (int k = 0; k < NEIGHBORS; k++)
        {
            made.code[k] = stored(codes.code[k], PASS);
            draw += A.draw[last];
        }
        *(STN_GLOBAL TO_WORD *)put = made.word;
    }
#else
    for (INDEX n = (INDEX)STN_THREAD; n < A.count; n += step) {
        stn_i64 source = A.from_offset, target = A.to_offset;
        stn_u64 draw = A.draw_first;
        INDEX rest = n;
        OFFSETS(A.rank - 1)
        *(STN_GLOBAL to_code *)(to + target) = stored(CODE(0), PASS);
    }
#endif
}
