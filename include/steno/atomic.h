/* Atomic operations on elements of views, in every format, and on plain arrays.
 *
 * Each operation happens at one moment of its element and in relaxed order: it orders nothing else.
 * Where it is to publish other data, put atomic_thread_fence(memory_order_release) before it, and
 * (memory_order_acquire) behind what reads it. Operations on an element that run at the same time
 * as a plain access to it, or as atomic ones through a view of another format over the same bytes,
 * are a race.
 *
 * Elements of 1, 2, 4 and 8 bytes at a multiple of their size take no lock, and neither do those of
 * 16 bytes where the processor has cmpxchg16b and AVX. All others, up to 64 bytes, take one of a
 * table of locks, chosen by the address: two elements may share one, no call holds two. */
#ifndef STENO_ATOMIC_H
#define STENO_ATOMIC_H

#include "steno/detail/macro_check.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* Do elements of this size, at multiples of it, take no lock here? */
STN_API int stn_atomic_is_lock_free(int64_t bytes);

/* ---- elements of views ----
 *
 * `arithmetic` is what values are: STN_F64, a double, for every real format and integers; STN_I64,
 * an int64_t, for integers with scale 1; STN_C128, an stn_c128, for complex formats; and an opaque
 * format for itself, whose values are its bytes. Values are read and stored as stn_decode and
 * stn_encode do: saturating, in i64 modulo 2^64, scaled and rounded once, by the view's rules.
 * Stochastic rounding draws other bits each time. Counters count what was stored.
 *
 * Errors of all: STN_ERR_ARGUMENT (null pointers, a read-only view that would be written, no such
 * arithmetic or operation), STN_ERR_SHAPE and STN_ERR_RANGE as stn_view_offset, STN_ERR_FORMAT,
 * STN_ERR_UNSUPPORTED (a format that does not go with the arithmetic, elements above 64 bytes,
 * memory the host cannot reach). Nothing is written on an error. */

STN_API stn_status stn_view_atomic_load(const stn_view *view, int count, const int64_t *indices,
                                        stn_format arithmetic, void *value);

STN_API stn_status stn_view_atomic_store(const stn_view *view, int count, const int64_t *indices,
                                         stn_format arithmetic, const void *value);

/* *old becomes what was there; `old` may be `value`. */
STN_API stn_status stn_view_atomic_exchange(const stn_view *view, int count, const int64_t *indices,
                                            stn_format arithmetic, const void *value, void *old);

/* If the element, decoded, has the bits of *expected, `desired` is stored and *exchanged is 1; else
 * *expected becomes the element and *exchanged is 0. Never fails without a reason. NaN of whatever
 * bits are decoded to one; -0 is not +0. */
STN_API stn_status stn_view_atomic_compare_exchange(const stn_view *view, int count,
                                                    const int64_t *indices, stn_format arithmetic,
                                                    void *expected, const void *desired,
                                                    int *exchanged);

/* What becomes of an element and an operand. */
typedef enum stn_atomic_op {
    STN_ATOMIC_ADD = 0,
    STN_ATOMIC_SUBTRACT = 1,
    STN_ATOMIC_MULTIPLY = 2,
    STN_ATOMIC_DIVIDE = 3, /* of integers: toward zero; by 0 is STN_ERR_RANGE */
    STN_ATOMIC_MIN = 4,    /* of a number and NaN: the number; -0 is less than +0 */
    STN_ATOMIC_MAX = 5,
    STN_ATOMIC_AND = 6, /* the bitwise ones take the low bits of the operand */
    STN_ATOMIC_OR = 7,
    STN_ATOMIC_XOR = 8,
    STN_ATOMIC_SHIFT_LEFT = 9,  /* bits that leave are lost */
    STN_ATOMIC_SHIFT_RIGHT = 10 /* the sign is kept */
} stn_atomic_op;

/* element = element op operand, computed once in f64, exactly in integers (which saturate at the
 * limits of the format; values of u64 are what they are there, operands are signed), or by the
 * functions of complex.h; *old becomes what was there (NULL: not wanted).
 *
 * Complex values have no order, and only integers in STN_I64 have bits: STN_ERR_UNSUPPORTED, also
 * for bits where there is a zero point, and for opaque formats. Shifts are by 0 to one less than
 * the bits of the format, else STN_ERR_RANGE. */
STN_API stn_status stn_view_atomic_update(const stn_view *view, int count, const int64_t *indices,
                                          stn_format arithmetic, stn_atomic_op op,
                                          const void *operand, void *old);

/* STN_VIEW_ATOMIC_ADD(&view, value, i, j): the element of a real view += value. */
STN_API stn_status stn_view_atomic_add(const stn_view *view, int count, const int64_t *indices,
                                       double value);
#define STN_VIEW_ATOMIC_ADD(view, value, ...)                                                      \
    stn_view_atomic_add(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)

STN_END_DECLS

/* ---- elements of plain arrays ----
 *
 * stn_atomic_add_f64(&x, value), _min_, _max_; the same for f32, i64, i32, f16 and bf16: *x becomes
 * the sum or the lesser or greater of both; returns what it was. 16-bit floats compute in f32 and
 * round once. Integers wrap around. No checks: x is at a multiple of its size. */

#define STN_ATOMIC_HELPER(name, op, type, real, unpack, pack, becomes)                             \
    STN_FN real stn_atomic_##op##_##name(type *x_, real value_)                                    \
    {                                                                                              \
        type old_, fresh_;                                                                         \
        real is_;                                                                                  \
        __atomic_load(x_, &old_, __ATOMIC_RELAXED);                                                \
        do {                                                                                       \
            is_ = unpack(old_);                                                                    \
            fresh_ = pack(becomes);                                                                \
        } while (!__atomic_compare_exchange(x_, &old_, &fresh_, 1, __ATOMIC_RELAXED,               \
                                            __ATOMIC_RELAXED));                                    \
        return is_;                                                                                \
    }
#define STN_ATOMIC_FLOAT(name, type, real, unpack, pack)                                           \
    STN_ATOMIC_HELPER(name, add, type, real, unpack, pack, is_ + value_)                           \
    STN_ATOMIC_HELPER(name, min, type, real, unpack, pack,                                         \
                      value_ < is_ || is_ != is_ ? value_ : is_)                                   \
    STN_ATOMIC_HELPER(name, max, type, real, unpack, pack,                                         \
                      value_ > is_ || is_ != is_ ? value_ : is_)
#define STN_ATOMIC_INTEGER(name, type)                                                             \
    STN_FN type stn_atomic_add_##name(type *x_, type value_)                                       \
    {                                                                                              \
        return __atomic_fetch_add(x_, value_, __ATOMIC_RELAXED);                                   \
    }                                                                                              \
    STN_ATOMIC_HELPER(name, min, type, type, STN_ATOMIC_SAME, STN_ATOMIC_SAME,                     \
                      value_ < is_ ? value_ : is_)                                                 \
    STN_ATOMIC_HELPER(name, max, type, type, STN_ATOMIC_SAME, STN_ATOMIC_SAME,                     \
                      value_ > is_ ? value_ : is_)
#define STN_ATOMIC_SAME(x) (x)

STN_ATOMIC_FLOAT(f64, double, double, STN_ATOMIC_SAME, STN_ATOMIC_SAME)
STN_ATOMIC_FLOAT(f32, float, float, STN_ATOMIC_SAME, STN_ATOMIC_SAME)
STN_ATOMIC_FLOAT(f16, stn_f16, float, stn_f16_to_f32, stn_f16_from_f32)
STN_ATOMIC_FLOAT(bf16, stn_bf16, float, stn_bf16_to_f32, stn_bf16_from_f32)
STN_ATOMIC_INTEGER(i64, int64_t)
STN_ATOMIC_INTEGER(i32, int32_t)

#undef STN_ATOMIC_HELPER
#undef STN_ATOMIC_FLOAT
#undef STN_ATOMIC_INTEGER
#undef STN_ATOMIC_SAME

#endif
