/* Elements of gather, scatter and stencil views by their indices. */
#ifndef STENO_KERNEL_ELEMENT_H
#define STENO_KERNEL_ELEMENT_H

#include "steno/detail/kernel_list.h" /* first: gcc prints the list of includes that led to it */
#include "steno/complex.h"
#include "steno/kernel_text.h"
#include "steno/detail/accessor/parts.h"
#include "steno/detail/kernel_code.h"

/* clang-format off */

/* ---- complex numbers and members ---- */

/* stn_unfused_T prevents gcc (12 and others) from fusing complex products in spite of
 * -ffp-contract=off. It fuses a difference of products that is stored next to a sum of products, as
 * the parts of a complex product are. Exclusive or of one part with a variable that is 0, and that
 * gcc does not know to be constant, prevents this. The variable is in a read-only section. */
#if defined(__clang__) || !defined(__OPTIMIZE__)
#    define STN_DEFINE_UNFUSED(C, T, bits)                                                         \
        STN_KERNEL_INLINE stn_##C stn_unfused_##C(const stn_##C value_) { return value_; }
#else
#    ifdef __ELF__
static uint64_t stn_zero_bits __attribute__((__used__, __section__(".data.rel.ro.stn"))) = 0;
#    else
static uint64_t stn_zero_bits __attribute__((__used__));
#    endif
#    define STN_DEFINE_UNFUSED(C, T, bits)                                                         \
        STN_KERNEL_INLINE stn_##C stn_unfused_##C(stn_##C value_)                                  \
        {                                                                                          \
            value_.im = stn_##T##_of_bits(stn_bits_of_##T(value_.im) ^ (bits)stn_zero_bits);       \
            return value_;                                                                         \
        }
#endif
STN_DEFINE_UNFUSED(c128, f64, uint64_t)
STN_DEFINE_UNFUSED(c64, f32, uint32_t)
#define STN_UNFUSED_f64(value)  (value)
#define STN_UNFUSED_f32(value)  (value)
#define STN_UNFUSED_i64(value)  (value)
#define STN_UNFUSED_c128(value) stn_unfused_c128(value)
#define STN_UNFUSED_c64(value)  stn_unfused_c64(value)

/* Access to members by functions: macros of the program may have the names of members. */
#define STN_DEFINE_MEMBER(name, result, from, element)                                             \
    STN_KERNEL_INLINE result name from                                                             \
    {                                                                                              \
        return element;                                                                            \
    }
STN_DEFINE_MEMBER(stn_tile_index, const int64_t *, (const stn_tile *tile_), tile_->index)
STN_DEFINE_MEMBER(stn_tile_step, const int64_t *, (const stn_tile *tile_), tile_->step)
STN_DEFINE_MEMBER(stn_tile_count, int64_t, (const stn_tile *tile_), tile_->count)
STN_DEFINE_MEMBER(stn_tile_scratch, void *, (const stn_tile *tile_), tile_->buffer)
STN_DEFINE_MEMBER(stn_tile_flags, int *, (const stn_tile *tile_), tile_->flags)
STN_DEFINE_MEMBER(stn_tile_values, void *, (const stn_tile *tile_, size_t at), tile_->values[at])
STN_DEFINE_MEMBER(stn_tile_mask, void *, (const stn_tile *tile_, size_t at), tile_->numbers[at].mask)
STN_DEFINE_MEMBER(stn_tile_f64, stn_f64, (const stn_tile *tile_, int at), tile_->numbers[at].f64)
STN_DEFINE_MEMBER(stn_tile_f32, stn_f32, (const stn_tile *tile_, int at), tile_->numbers[at].f32)
STN_DEFINE_MEMBER(stn_tile_i64, stn_i64, (const stn_tile *tile_, int at), tile_->numbers[at].i64)
STN_DEFINE_MEMBER(stn_tile_u64, stn_u64, (const stn_tile *tile_, int at), tile_->numbers[at].u64)
STN_DEFINE_MEMBER(stn_tile_c128, stn_c128, (const stn_tile *tile_, int at), tile_->numbers[at].c128)
STN_DEFINE_MEMBER(stn_tile_c64, stn_c64, (const stn_tile *tile_, int at), tile_->numbers[at].c64)
STN_DEFINE_MEMBER(stn_tile_indexed, const stn_indexed *, (const stn_tile *tile_, int at), tile_->numbers[at].indexed)
STN_DEFINE_MEMBER(stn_stencil_rows_first, int64_t, (const stn_stencil_rows *rows_), rows_->first)

#define STN_DEFINE_SETTER(name, type, element)                                                     \
    STN_KERNEL_INLINE void name(stn_argument *argument_, type number_)                             \
    {                                                                                              \
        argument_->element = number_;                                                              \
    }
STN_DEFINE_SETTER(stn_set_real_f64, double, real)
STN_DEFINE_SETTER(stn_set_real_i64, int64_t, index)
STN_DEFINE_SETTER(stn_set_real_c128, stn_c128, complex_number)
STN_DEFINE_SETTER(stn_set_index, int64_t, index)
STN_DEFINE_SETTER(stn_set_bits, uint64_t, bits)
STN_DEFINE_SETTER(stn_set_view, const stn_view *, view)

/* With STN_KERNEL_CHECKED defined, indices of gather and scatter are compared with the extents, and
 * outputs must be assigned. */
#ifdef STN_KERNEL_CHECKED
#    define STN_KERNEL_CHECKS 1
#else
#    define STN_KERNEL_CHECKS 0
#endif

/* ---- gather and scatter: one to eight indices; unused ones are 0 ---- */

#define STN_ALL_INDICES                                                                            \
    int64_t i_, int64_t j_, int64_t k_, int64_t l_, int64_t m_, int64_t n_, int64_t o_, int64_t p_
STN_KERNEL_INLINE int64_t stn_indexed_offset(const stn_indexed *indexed_, int count_, STN_ALL_INDICES)
{
    return i_ * indexed_->stride[0] + (count_ > 1 ? j_ * indexed_->stride[1] : 0) +
           (count_ > 2 ? k_ * indexed_->stride[2] : 0) + (count_ > 3 ? l_ * indexed_->stride[3] : 0) +
           (count_ > 4 ? m_ * indexed_->stride[4] : 0) + (count_ > 5 ? n_ * indexed_->stride[5] : 0) +
           (count_ > 6 ? o_ * indexed_->stride[6] : 0) + (count_ > 7 ? p_ * indexed_->stride[7] : 0);
}
STN_KERNEL_INLINE int stn_is_within(const stn_indexed *indexed_, int count_, int d_, int64_t index_)
{
    return count_ <= d_ || (index_ >= 0 && index_ < indexed_->view->extent[d_]);
}
/* Returns 1 if the element exists or indices are not checked. */
STN_KERNEL_INLINE int stn_indexed_has(const stn_indexed *indexed_, int count_, STN_ALL_INDICES)
{
    if (!STN_KERNEL_CHECKS ||
        (count_ == indexed_->view->rank && stn_is_within(indexed_, count_, 0, i_) &&
         stn_is_within(indexed_, count_, 1, j_) && stn_is_within(indexed_, count_, 2, k_) &&
         stn_is_within(indexed_, count_, 3, l_) && stn_is_within(indexed_, count_, 4, m_) &&
         stn_is_within(indexed_, count_, 5, n_) && stn_is_within(indexed_, count_, 6, o_) &&
         stn_is_within(indexed_, count_, 7, p_)))
        return 1;
    __atomic_store_n(indexed_->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
STN_KERNEL_INLINE int64_t stn_index_at(const stn_indexed *indexed_, int count_, STN_ALL_INDICES)
{
    return stn_indexed_has(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_)
               ? stn_indexed_read_index(indexed_, stn_indexed_offset(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_))
               : 0;
}
STN_KERNEL_INLINE int64_t stn_indexed_extent(const stn_indexed *indexed_, int64_t dimension_)
{
    return indexed_->view->extent[dimension_];
}

/* ---- stencils ---- */

/* A stencil view relative to one element. */
typedef struct stn_stencil {
    const void *const *rows;
    int64_t column; /* of the element in its row */
    int64_t here[STN_STENCIL_RANK];
    int32_t radius[STN_STENCIL_RANK];
    int32_t rank;
    const stn_view *view;
    int *beyond;
} stn_stencil;

STN_KERNEL_INLINE stn_stencil stn_stencil_of(const stn_stencil_rows *rows_, int64_t column_,
                                             const int64_t *first_, const int64_t *step_, int64_t at_,
                                             int32_t rank_, int32_t i_, int32_t j_, int32_t k_,
                                             int32_t l_)
{
    const stn_stencil place_ = {rows_->rows, column_,
                               {first_[0] + step_[0] * at_, first_[1] + step_[1] * at_,
                                first_[2] + step_[2] * at_, first_[3] + step_[3] * at_},
                               {i_, j_, k_, l_}, rank_, rows_->view, rows_->beyond};
    return place_;
}
/* The difference wraps only if it is not a constant: compilers vectorize the plain difference, and an
 * index of the program may be any number. */
STN_KERNEL_INLINE int stn_stencil_reaches(const stn_stencil *u_, int d_, int64_t index_)
{
    const int64_t distance_ = __builtin_constant_p(index_ - u_->here[d_])
                                 ? index_ - u_->here[d_]
                                 : (int64_t)((uint64_t)index_ - (uint64_t)u_->here[d_]);
    return distance_ >= -u_->radius[d_] && distance_ <= u_->radius[d_];
}
STN_KERNEL_INLINE int stn_stencil_has(const stn_stencil *u_, int count_, int64_t i_, int64_t j_,
                                      int64_t k_, int64_t l_)
{
    if (count_ == u_->rank && stn_stencil_reaches(u_, 0, i_) &&
        (count_ < 2 || stn_stencil_reaches(u_, 1, j_)) &&
        (count_ < 3 || stn_stencil_reaches(u_, 2, k_)) &&
        (count_ < 4 || stn_stencil_reaches(u_, 3, l_)))
        return 1;
    __atomic_store_n(u_->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
/* An element within the radius; `size` in bytes. */
STN_KERNEL_INLINE const void *stn_stencil_find(const stn_stencil *u_, int count_, int64_t i_, int64_t j_,
                                            int64_t k_, int64_t l_, int64_t size_)
{
    const int64_t distance_[STN_STENCIL_RANK] = {i_ - u_->here[0], j_ - u_->here[1],
                                             k_ - u_->here[2], l_ - u_->here[3]};
    int64_t row_ = 0;
    if (count_ > 1)
        row_ = distance_[0] + u_->radius[0];
    if (count_ > 2)
        row_ = row_ * (2 * u_->radius[1] + 1) + distance_[1] + u_->radius[1];
    if (count_ > 3)
        row_ = row_ * (2 * u_->radius[2] + 1) + distance_[2] + u_->radius[2];
    return (const char *)u_->rows[row_] + (u_->column + distance_[count_ - 1]) * size_;
}
STN_KERNEL_INLINE int64_t stn_stencil_extent(const stn_stencil *u_, int64_t dimension_)
{
    return u_->view->extent[dimension_];
}

/* ---- by arithmetic type; the last argument of stn_at_T and stn_stencil_at_T selects an overload ---- */

#define STN_DEFINE_INTO(T, name, operation)                                                        \
    STN_KERNEL_INLINE void stn_##name##_##T(const stn_indexed *indexed_, int count_, STN_ALL_INDICES,\
                                            stn_##T value_)                                        \
    {                                                                                              \
        if (stn_indexed_has(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_))                     \
            stn_indexed_update(indexed_, stn_indexed_offset(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_),\
                             operation, &value_);                                                  \
    }
#define STN_DEFINE_ELEMENT(T)                                                                      \
    /* The value of an element outside the view. */                                                \
    STN_KERNEL_INLINE stn_##T stn_nothing_##T(void)                                                \
    {                                                                                              \
        stn_##T nothing_;                                                                          \
        __builtin_memset(&nothing_, 0, sizeof nothing_);                                           \
        return nothing_;                                                                           \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_at_##T(const stn_indexed *indexed_, int count_, STN_ALL_INDICES, \
                                         const stn_##T *type_)                                     \
    {                                                                                              \
        (void)type_;                                                                               \
        if (!stn_indexed_has(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_))                    \
            return stn_nothing_##T();                                                              \
        return stn_element_read_##T(indexed_, stn_indexed_offset(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_));\
    }                                                                                              \
    STN_KERNEL_INLINE void stn_put_##T(const stn_indexed *indexed_, int count_, STN_ALL_INDICES,   \
                                       stn_##T value_)                                             \
    {                                                                                              \
        if (stn_indexed_has(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_))                     \
            stn_element_write_##T(indexed_, stn_indexed_offset(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_),\
                                  STN_UNFUSED_##T(value_));                                        \
    }                                                                                              \
    STN_DEFINE_INTO(T, min_into, -1)                                                               \
    STN_DEFINE_INTO(T, add_into, 0)                                                                \
    STN_DEFINE_INTO(T, max_into, 1)                                                                \
    STN_KERNEL_INLINE stn_##T stn_stencil_at_##T(const stn_stencil *u_, int count_, int64_t i_,    \
                                              int64_t j_, int64_t k_, int64_t l_, int64_t m_,      \
                                              int64_t n_, int64_t o_, int64_t p_, const stn_##T *type_)\
    {                                                                                              \
        (void)type_, (void)m_, (void)n_, (void)o_, (void)p_;                                       \
        if (!stn_stencil_has(u_, count_, i_, j_, k_, l_))                                          \
            return stn_nothing_##T();                                                              \
        return *(const stn_##T *)stn_stencil_find(u_, count_, i_, j_, k_, l_, (int64_t)sizeof *type_);\
    }                                                                                              \
    STN_ELEMENT_OVERLOADS(T)

/* ---- by kind, rank and arithmetic type ----
 *
 * The macros of kernel.h continue these calls. A view of another kind or rank is one error. A view
 * without elements then replaces it, so that no other errors follow. In C, the view is a variable of a
 * statement expression, so that an error in its name is not repeated. */

enum { stn_repeats = 0 }; /* 1 in functions whose body is compiled a second time */

#define STN_READ_OF(count, view, name)                                                             \
    STN_READ_BY(count, view)((__extension__({                                                      \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_READ(count, view),                                 \
                          "steno: STN_AT(" name ", ...) with " STN_JOIN(STN_INDICES_TEXT_, count) ": "\
                          "it takes a gather, scatter or stencil of that rank");                   \
        STN_END_VIEW(STN_IS_READ(count, view))                                                     \
    }) STN_ELEMENTS(view))
#define STN_INDEX_OF(count, view, name)                                                            \
    stn_index_at((__extension__({                                                                  \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_ANYWHERE(count, view),                             \
                          "steno: STN_INDEX_AT(" name ", ...) with " STN_JOIN(STN_INDICES_TEXT_, count)\
                          ": it takes a gather or scatter of that rank");                          \
        STN_END_VIEW(STN_IS_ANYWHERE(count, view))                                                 \
    }) STN_INDEXED(view))
#define STN_WRITE_OF(count, view, name, function)                                                  \
    STN_OF_REAL(function)((__extension__({                                                         \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_WRITTEN(count, view),                              \
                          "steno: " name ", ...) with " STN_JOIN(STN_INDICES_TEXT_, count)         \
                          ": it takes a scatter of that rank");                                    \
        STN_END_VIEW(STN_IS_WRITTEN(count, view))                                                  \
    }) STN_INDEXED(view))
#define STN_EXTENT_BY(view, name)                                                                  \
    STN_EXTENT_FROM(view)((__extension__({                                                         \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_INDEXED(view),                                     \
                          "steno: STN_EXTENT_OF(" name ", ...) takes a gather, scatter or stencil");\
        STN_END_VIEW(STN_IS_INDEXED(view))                                                         \
    }) STN_ELEMENTS(view))
#define STN_INDICES_TEXT_0 "0 indices"
#define STN_INDICES_TEXT_1 "1 index"
#define STN_INDICES_TEXT_2 "2 indices"
#define STN_INDICES_TEXT_3 "3 indices"
#define STN_INDICES_TEXT_4 "4 indices"
#define STN_INDICES_TEXT_5 "5 indices"
#define STN_INDICES_TEXT_6 "6 indices"
#define STN_INDICES_TEXT_7 "7 indices"
#define STN_INDICES_TEXT_8 "8 indices"
#define STN_INDICES_TEXT_9 "9 indices"

#ifdef __cplusplus
#    define STN_OF_REAL(function)        function##_of
#    define STN_AS_REAL(value)           (real_t)(value)
#    define STN_BEGIN_VIEW(view)
#    define STN_END_VIEW(is)
#    define STN_ELEMENTS(view)           , stn_elements_of(view)
#    define STN_INDEXED(view)            , stn_indexed_of(view)
#    define STN_IS_READ(count, view)     (sizeof(stn_is_read(view)) == count)
#    define STN_IS_ANYWHERE(count, view) (sizeof(stn_is_anywhere(view)) == count)
#    define STN_IS_WRITTEN(count, view)  (sizeof(stn_is_written(view)) == count)
#    define STN_IS_INDEXED(view)         (sizeof(stn_is_read(view)) != STN_NOT_INDEXED)
#    define STN_READ_BY(count, view)     stn_at_of
#    define STN_EXTENT_FROM(view)        stn_extent_of
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_indexed *indexed_, int64_t dimension_)
{
    return stn_indexed_extent(indexed_, dimension_);
}
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_stencil *u_, int64_t dimension_)
{
    return stn_stencil_extent(u_, dimension_);
}
/* The rank of a view that can be read, read at any index, or written, as a size in bytes. These are
 * functions of the view, so that an error in its name is not repeated. */
#    define STN_NOT_INDEXED 64
extern "C++" {
template <class other_> char (&stn_is_read(const other_ &))[STN_NOT_INDEXED];
template <class other_> char (&stn_is_anywhere(const other_ &))[STN_NOT_INDEXED];
template <class other_> char (&stn_is_written(const other_ &))[STN_NOT_INDEXED];
template <class other_> STN_KERNEL_INLINE const stn_indexed *stn_elements_of(const other_ &)
{
    return 0;
}
template <class other_> STN_KERNEL_INLINE const stn_indexed *stn_indexed_of(const other_ &)
{
    return 0;
}
#    define STN_DEFINE_RANK(rank)                                                                  \
        char(&stn_is_read(const stn_gather_##rank &))[rank];                                       \
        char(&stn_is_read(const stn_scatter_##rank &))[rank];                                      \
        char(&stn_is_read(const stn_stencil_##rank &))[rank];                                      \
        char(&stn_is_anywhere(const stn_gather_##rank &))[rank];                                   \
        char(&stn_is_anywhere(const stn_scatter_##rank &))[rank];                                  \
        char(&stn_is_written(const stn_scatter_##rank &))[rank];                                   \
        STN_DEFINE_ELEMENTS_OF(stn_elements_of, stn_gather_##rank, stn_indexed)                    \
        STN_DEFINE_ELEMENTS_OF(stn_elements_of, stn_scatter_##rank, stn_indexed)                   \
        STN_DEFINE_ELEMENTS_OF(stn_elements_of, stn_stencil_##rank, stn_stencil)                   \
        STN_DEFINE_ELEMENTS_OF(stn_indexed_of, stn_gather_##rank, stn_indexed)                     \
        STN_DEFINE_ELEMENTS_OF(stn_indexed_of, stn_scatter_##rank, stn_indexed)
#    define STN_DEFINE_ELEMENTS_OF(function, view, type)                                           \
        STN_KERNEL_INLINE const type *function(const view &indexed_)                               \
        {                                                                                          \
            return indexed_.stn_elements;                                                          \
        }
STN_DEFINE_RANK(1) STN_DEFINE_RANK(2) STN_DEFINE_RANK(3) STN_DEFINE_RANK(4)
STN_DEFINE_RANK(5) STN_DEFINE_RANK(6) STN_DEFINE_RANK(7) STN_DEFINE_RANK(8)
}
#    define STN_ELEMENT_WRITES(T, name)                                                            \
        STN_KERNEL_INLINE void name##_of(const stn_indexed *indexed_, int count_, STN_ALL_INDICES, \
                                         stn_##T value_)                                           \
        {                                                                                          \
            name##_##T(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_, value_);                  \
        }
#    define STN_ELEMENT_READS(T, name, kind)                                                       \
        STN_KERNEL_INLINE stn_##T stn_at_of(const kind *indexed_, int count_, STN_ALL_INDICES,     \
                                            const stn_##T *type_)                                  \
        {                                                                                          \
            return name##_##T(indexed_, count_, i_, j_, k_, l_, m_, n_, o_, p_, type_);            \
        }
#    define STN_ELEMENT_OVERLOADS(T)                                                               \
        STN_ELEMENT_READS(T, stn_at, stn_indexed)                                                  \
        STN_ELEMENT_READS(T, stn_stencil_at, stn_stencil)                                          \
        STN_ELEMENT_WRITES(T, stn_put)                                                             \
        STN_ELEMENT_WRITES(T, stn_add_into)                                                        \
        STN_ELEMENT_WRITES(T, stn_min_into)                                                        \
        STN_ELEMENT_WRITES(T, stn_max_into)
#else
#    define STN_ELEMENT_OVERLOADS(T)
#    define STN_AS_REAL(value)           (value) /* complex numbers are structs, which cannot be cast */
/* After an error in the view, gcc accepts only __typeof__, and clang only __auto_type. */
#    ifdef __clang__
#        define STN_BEGIN_VIEW(view)     __auto_type stn_u = view;
#    else
#        define STN_BEGIN_VIEW(view)     __typeof__(view) stn_u = view;
#    endif
#    define STN_END_VIEW(is)             __builtin_choose_expr(is, stn_u, stn_no_elements()).stn_elements;
#    define STN_ELEMENTS(view)
#    define STN_INDEXED(view)
#    define STN_IS_READ(count, view)     STN_IS_READ_(count)
#    define STN_IS_READ_(count)                                                                    \
        _Generic(stn_u, stn_gather_##count : 1, stn_scatter_##count : 1, stn_stencil_##count : 1, default : 0)
#    define STN_IS_ANYWHERE(count, view) STN_IS_ANYWHERE_(count)
#    define STN_IS_ANYWHERE_(count)                                                                \
        _Generic(stn_u, stn_gather_##count : 1, stn_scatter_##count : 1, default : 0)
#    define STN_IS_WRITTEN(count, view)  STN_IS_WRITTEN_(count)
#    define STN_IS_WRITTEN_(count)       _Generic(stn_u, stn_scatter_##count : 1, default : 0)
#    define STN_IS_INDEXED(view)                                                                   \
        (STN_IS_READ_(1) || STN_IS_READ_(2) || STN_IS_READ_(3) || STN_IS_READ_(4) ||               \
         STN_IS_READ_(5) || STN_IS_READ_(6) || STN_IS_READ_(7) || STN_IS_READ_(8))
#    define STN_READ_BY(count, view)     STN_READ_BY_(count, view)
#    define STN_READ_BY_(count, view)                                                              \
        _Generic(view, stn_stencil_##count : STN_OF_REAL(stn_stencil_at), default : STN_OF_REAL(stn_at))
#    define STN_EXTENT_FROM(view)                                                                  \
        _Generic(view, stn_stencil_1 : stn_stencil_extent, stn_stencil_2 : stn_stencil_extent,     \
                 stn_stencil_3 : stn_stencil_extent, stn_stencil_4 : stn_stencil_extent,           \
                 default : stn_indexed_extent)
#    define STN_OF_REAL(function)                                                                  \
        _Generic((const real_t *)0, const stn_f64 *                                                \
                 : function##_f64, const stn_f32 *                                                 \
                 : function##_f32, const stn_i64 *                                                 \
                 : function##_i64, const stn_c128 *                                                \
                 : function##_c128, const stn_c64 *                                                \
                 : function##_c64)
STN_KERNEL_INLINE stn_gather_0 stn_no_elements(void)
{
    const stn_gather_0 none_ = {0};
    return none_;
}
#endif

STN_EACH_ARITHMETIC(STN_DEFINE_ELEMENT)

/* Arguments of the functions: the number of indices, and eight indices. No view has rank 0 or 9. */
#define STN_INDICES(...)                           STN_JOIN(STN_INDICES_, STN_NUMBER_OF(__VA_ARGS__))(__VA_ARGS__)
#define STN_INDICES_0(...)                         0, 0, 0, 0, 0, 0, 0, 0, 0
#define STN_INDICES_9(...)                         0, 0, 0, 0, 0, 0, 0, 0, 0
#define STN_INDICES_1(i)                           1, i, 0, 0, 0, 0, 0, 0, 0
#define STN_INDICES_2(i, j)                        2, i, j, 0, 0, 0, 0, 0, 0
#define STN_INDICES_3(i, j, k)                     3, i, j, k, 0, 0, 0, 0, 0
#define STN_INDICES_4(i, j, k, l)                  4, i, j, k, l, 0, 0, 0, 0
#define STN_INDICES_5(i, j, k, l, m)               5, i, j, k, l, m, 0, 0, 0
#define STN_INDICES_6(i, j, k, l, m, n)            6, i, j, k, l, m, n, 0, 0
#define STN_INDICES_7(i, j, k, l, m, n, o)         7, i, j, k, l, m, n, o, 0
#define STN_INDICES_8(i, j, k, l, m, n, o, p)      8, i, j, k, l, m, n, o, p

/* clang-format on */

#endif
