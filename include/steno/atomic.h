/** @file
 * Atomic operations on elements of views, in every format, and on plain arrays.
 *
 * Each operation is indivisible and has relaxed memory order: it orders no other accesses. If an
 * element signals that other data is available, use the fences of <stdatomic.h>: release before the
 * store, acquire after the load. A plain access to an element during an atomic operation is a race,
 * and so is an atomic operation through a view of another format on the same bytes.
 *
 * Elements of 1, 2, 4 and 8 bytes at multiples of their size need no lock, nor do elements of 16
 * bytes if the processor has cmpxchg16b and AVX. All others, up to 64 bytes, use one of a table of
 * locks, selected by the address. A call holds at most one lock.
 *
 * The functions on views convert values as stn_decode() and stn_encode() do, with the scale and the
 * rules of the view. Stochastic rounding uses new random bits for each operation. Counters count
 * stored values. The type of values is selected by `arithmetic`: STN_F64 (double) for real formats,
 * STN_I64 (int64_t) for integers with scale 1, STN_C128 (stn_c128) for complex formats. The format
 * of structs (stn_format_opaque()) is its own arithmetic type. An element is selected by `count`
 * `indices`, one per dimension.
 *
 * Errors of all functions, after which nothing is written:
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, a view that would be written is read-only, or
 *                              `arithmetic` or the operation is invalid
 * @retval STN_ERR_SHAPE        the number of indices is not the rank
 * @retval STN_ERR_RANGE        an index is out of range
 * @retval STN_ERR_FORMAT       the format is invalid
 * @retval STN_ERR_UNSUPPORTED  the format does not match the arithmetic type, the elements have
 *                              more than 64 bytes, or the host cannot access the memory
 */
#ifndef STENO_ATOMIC_H
#define STENO_ATOMIC_H

#include "steno/detail/macro_check.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Returns 1 if elements of a size of `bytes`, at multiples of this size, need no lock, otherwise
 * 0. */
STN_API int stn_atomic_is_lock_free(int64_t bytes);

/* ---- elements of views ---- */

/** Loads an element.
 * @param view            the view
 * @param count, indices  the rank, and the index of the element in each dimension
 * @param arithmetic      type of the value
 * @param[out] value      the value */
STN_API stn_status stn_view_atomic_load(const stn_view *view, int count, const int64_t *indices,
                                        stn_format arithmetic, void *value);

/** Stores `value` in an element. See stn_view_atomic_load. */
STN_API stn_status stn_view_atomic_store(const stn_view *view, int count, const int64_t *indices,
                                         stn_format arithmetic, const void *value);
/** Stores `value` in an element and returns the previous value in `old`, which may be the same
 * object. See stn_view_atomic_load. */
STN_API stn_status stn_view_atomic_exchange(const stn_view *view, int count, const int64_t *indices,
                                            stn_format arithmetic, const void *value, void *old);

/** Stores an element if its value is the expected one. Element and type are selected as by
 * stn_view_atomic_load.
 *
 * The decoded element is compared with *`expected` bit by bit: -0 differs from +0, and all NaN are
 * equal. If they are equal, `desired` is stored and `exchanged` is 1. Otherwise, the value of the
 * element is returned in *expected, and `exchanged` is 0. The function does not fail spuriously. */
STN_API stn_status stn_view_atomic_compare_exchange(const stn_view *view, int count,
                                                    const int64_t *indices, stn_format arithmetic,
                                                    void *expected, const void *desired,
                                                    int *exchanged);

/** Operations of stn_view_atomic_update(). */
typedef enum stn_atomic_op {
    STN_ATOMIC_ADD = 0,        /**< element + operand */
    STN_ATOMIC_SUBTRACT = 1,   /**< element - operand */
    STN_ATOMIC_MULTIPLY = 2,   /**< element * operand */
    STN_ATOMIC_DIVIDE = 3,     /**< element / operand; of integers toward zero */
    STN_ATOMIC_MIN = 4,        /**< The smaller one; -0 is less than +0; a number instead of NaN. */
    STN_ATOMIC_MAX = 5,        /**< The larger one, with the same rules. */
    STN_ATOMIC_AND = 6,        /**< Bitwise and with the low bits of the operand. */
    STN_ATOMIC_OR = 7,         /**< Bitwise or. */
    STN_ATOMIC_XOR = 8,        /**< Bitwise exclusive or. */
    STN_ATOMIC_SHIFT_LEFT = 9, /**< Left shift without saturation. */
    STN_ATOMIC_SHIFT_RIGHT = 10 /**< Right shift that preserves the sign. */
} stn_atomic_op;

/** Updates an element: element = element op operand.
 *
 * Real values are computed once in f64, complex values by the functions of complex.h. Integers are
 * computed exactly and saturate at the limits of the format. Operands are signed, also for u64.
 *
 * @param view            the view
 * @param count, indices  the rank, and the index of the element in each dimension
 * @param arithmetic      type of the values
 * @param op, operand     operation and operand
 * @param[out] old        the previous value; or NULL
 * @retval STN_ERR_UNSUPPORTED  in addition: min or max of complex values, bitwise operations and
 *                              shifts other than in STN_I64 or with a zero point, or opaque formats
 * @retval STN_ERR_RANGE        in addition: an integer is divided by 0, or a shift is not between 0
 *                              and the bits of the format minus 1 */
STN_API stn_status stn_view_atomic_update(const stn_view *view, int count, const int64_t *indices,
                                          stn_format arithmetic, stn_atomic_op op,
                                          const void *operand, void *old);

/** Adds `value` to the element of the real `view` that `count` `indices` select. */
STN_API stn_status stn_view_atomic_add(const stn_view *view, int count, const int64_t *indices,
                                       double value);
/** Calls stn_view_atomic_add() with a list of indices: STN_VIEW_ATOMIC_ADD(&view, 1.0, i, j). */
#define STN_VIEW_ATOMIC_ADD(view, value, ...)                                                      \
    stn_view_atomic_add(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)

STN_END_DECLS

/* ---- elements of plain arrays ---- */

#ifdef STN_DOXYGEN
/** Adds `value` to the object `x`, at a multiple of its size, and returns the previous value.
 *
 * The same functions exist for f32, i64, i32, f16 and bf16. 16-bit floats are computed in f32 and
 * rounded once. Integers wrap around. Nothing is checked. */
double stn_atomic_add_f64(double *x, double value);
/** Replaces `x` by the smaller one of it and `value`, as stn_atomic_add_f64. */
double stn_atomic_min_f64(double *x, double value);
/** Replaces `x` by the larger one of it and `value`, as stn_atomic_add_f64. */
double stn_atomic_max_f64(double *x, double value);
#endif

/** @cond INTERNAL */
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

/** @endcond */

#endif
