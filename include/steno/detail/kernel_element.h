/* Elements of gather, scatter and stencil, by their indices. */
#ifndef STENO_KERNEL_ELEMENT_H
#define STENO_KERNEL_ELEMENT_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/kernel_apart.h"
#include "steno/detail/names/hide.h"
#include "steno/detail/accessor/parts.h"
#include "steno/detail/kernel_list.h"
#include "steno/detail/kernel_members.h"

/* clang-format off */

/* With STN_KERNEL_CHECKED defined, indices of gather and scatter are compared with the extents, and
 * outputs must be assigned. */
#ifdef STN_KERNEL_CHECKED
#    define STN_KERNEL_CHECKS 1
#else
#    define STN_KERNEL_CHECKS 0
#endif

/* ---- gather and scatter: by one to eight indices, of which those not used are 0 ---- */

#define STN_ALL_INDICES                                                                            \
    int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n, int64_t o, int64_t p
STN_KERNEL_INLINE int64_t stn_indexed_offset(const stn_indexed *indexed, int count, STN_ALL_INDICES)
{
    return i * indexed->stride[0] + (count > 1 ? j * indexed->stride[1] : 0) +
           (count > 2 ? k * indexed->stride[2] : 0) + (count > 3 ? l * indexed->stride[3] : 0) +
           (count > 4 ? m * indexed->stride[4] : 0) + (count > 5 ? n * indexed->stride[5] : 0) +
           (count > 6 ? o * indexed->stride[6] : 0) + (count > 7 ? p * indexed->stride[7] : 0);
}
STN_KERNEL_INLINE int stn_is_within(const stn_indexed *indexed, int count, int d, int64_t index)
{
    return count <= d || (index >= 0 && index < indexed->view->extent[d]);
}
/* Is there such an element, where that is looked after? */
STN_KERNEL_INLINE int stn_indexed_has(const stn_indexed *indexed, int count, STN_ALL_INDICES)
{
    if (!STN_KERNEL_CHECKS ||
        (count == indexed->view->rank && stn_is_within(indexed, count, 0, i) &&
         stn_is_within(indexed, count, 1, j) && stn_is_within(indexed, count, 2, k) &&
         stn_is_within(indexed, count, 3, l) && stn_is_within(indexed, count, 4, m) &&
         stn_is_within(indexed, count, 5, n) && stn_is_within(indexed, count, 6, o) &&
         stn_is_within(indexed, count, 7, p)))
        return 1;
    __atomic_store_n(indexed->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
STN_KERNEL_INLINE int64_t stn_index_at(const stn_indexed *indexed, int count, STN_ALL_INDICES)
{
    return stn_indexed_has(indexed, count, i, j, k, l, m, n, o, p)
               ? stn_indexed_read_index(indexed, stn_indexed_offset(indexed, count, i, j, k, l, m, n, o, p))
               : 0;
}
STN_KERNEL_INLINE int64_t stn_indexed_extent(const stn_indexed *indexed, int64_t dimension)
{
    return indexed->view->extent[dimension];
}

/* ---- stencils ---- */

/* A stencil's view, as one element sees it. */
typedef struct stn_stencil {
    const void *const *rows;
    int64_t column; /* of the element in its row */
    int64_t here[STN_STENCIL_RANK];
    int32_t radius[STN_STENCIL_RANK];
    int32_t rank;
    const stn_view *view;
    int *beyond;
} stn_stencil;

STN_KERNEL_INLINE stn_stencil stn_stencil_of(const stn_stencil_rows *rows, int64_t column,
                                             const int64_t *first, const int64_t *step, int64_t at,
                                             int32_t rank, int32_t i, int32_t j, int32_t k,
                                             int32_t l)
{
    const stn_stencil place = {rows->rows, column,
                               {first[0] + step[0] * at, first[1] + step[1] * at,
                                first[2] + step[2] * at, first[3] + step[3] * at},
                               {i, j, k, l}, rank, rows->view, rows->beyond};
    return place;
}
/* Any index, also one whose distance is not known. The compiler knows most distances, and loses
 * its way to vectors where it is not asked for them. */
STN_KERNEL_INLINE int stn_stencil_reaches(const stn_stencil *u, int d, int64_t index)
{
    const int64_t distance = __builtin_constant_p(index - u->here[d])
                                 ? index - u->here[d]
                                 : (int64_t)((uint64_t)index - (uint64_t)u->here[d]);
    return distance >= -u->radius[d] && distance <= u->radius[d];
}
STN_KERNEL_INLINE int stn_stencil_has(const stn_stencil *u, int count, int64_t i, int64_t j,
                                      int64_t k, int64_t l)
{
    if (count == u->rank && stn_stencil_reaches(u, 0, i) &&
        (count < 2 || stn_stencil_reaches(u, 1, j)) &&
        (count < 3 || stn_stencil_reaches(u, 2, k)) &&
        (count < 4 || stn_stencil_reaches(u, 3, l)))
        return 1;
    __atomic_store_n(u->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
/* An element within the radius; `size` in bytes. */
STN_KERNEL_INLINE const void *stn_stencil_find(const stn_stencil *u, int count, int64_t i, int64_t j,
                                            int64_t k, int64_t l, int64_t size)
{
    const int64_t distance[STN_STENCIL_RANK] = {i - u->here[0], j - u->here[1],
                                             k - u->here[2], l - u->here[3]};
    int64_t row = 0;
    if (count > 1)
        row = distance[0] + u->radius[0];
    if (count > 2)
        row = row * (2 * u->radius[1] + 1) + distance[1] + u->radius[1];
    if (count > 3)
        row = row * (2 * u->radius[2] + 1) + distance[2] + u->radius[2];
    return (const char *)u->rows[row] + (u->column + distance[count - 1]) * size;
}
STN_KERNEL_INLINE int64_t stn_stencil_extent(const stn_stencil *u, int64_t dimension)
{
    return u->view->extent[dimension];
}

/* ---- by arithmetic; the last argument of stn_at_T and stn_stencil_at_T only tells overloads apart
 * ---- */

#define STN_DEFINE_INTO(T, name, operation)                                                        \
    STN_KERNEL_INLINE void stn_##name##_##T(const stn_indexed *indexed, int count, STN_ALL_INDICES,\
                                            stn_##T value)                                         \
    {                                                                                              \
        if (stn_indexed_has(indexed, count, i, j, k, l, m, n, o, p))                               \
            stn_indexed_update(indexed, stn_indexed_offset(indexed, count, i, j, k, l, m, n, o, p),\
                             operation, &value);                                                   \
    }
#define STN_DEFINE_ELEMENT(T)                                                                      \
    /* What an element that is not there is. */                                                    \
    STN_KERNEL_INLINE stn_##T stn_nothing_##T(void)                                                \
    {                                                                                              \
        stn_##T nothing;                                                                           \
        __builtin_memset(&nothing, 0, sizeof nothing);                                             \
        return nothing;                                                                            \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_at_##T(const stn_indexed *indexed, int count, STN_ALL_INDICES,   \
                                         const stn_##T *type)                                      \
    {                                                                                              \
        stn_##T value;                                                                             \
        (void)type;                                                                                \
        if (!stn_indexed_has(indexed, count, i, j, k, l, m, n, o, p))                              \
            return stn_nothing_##T();                                                              \
        const int64_t offset = stn_indexed_offset(indexed, count, i, j, k, l, m, n, o, p);         \
        if (indexed->native)                                                                       \
            return *(const stn_##T *)(const void *)(indexed->data + offset);                       \
        stn_indexed_read(indexed, offset, &value);                                                 \
        return value;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE void stn_put_##T(const stn_indexed *indexed, int count, STN_ALL_INDICES,     \
                                       stn_##T value)                                              \
    {                                                                                              \
        if (!stn_indexed_has(indexed, count, i, j, k, l, m, n, o, p))                              \
            return;                                                                                \
        const int64_t offset = stn_indexed_offset(indexed, count, i, j, k, l, m, n, o, p);         \
        if (indexed->native)                                                                       \
            *(stn_##T *)(void *)(indexed->data + offset) = STN_APART_##T(value);                   \
        else                                                                                       \
            stn_indexed_write(indexed, offset, &value);                                            \
    }                                                                                              \
    STN_DEFINE_INTO(T, min_into, -1)                                                               \
    STN_DEFINE_INTO(T, add_into, 0)                                                                \
    STN_DEFINE_INTO(T, max_into, 1)                                                                \
    STN_KERNEL_INLINE stn_##T stn_stencil_at_##T(const stn_stencil *u, int count, int64_t i,       \
                                              int64_t j, int64_t k, int64_t l, int64_t m,          \
                                              int64_t n, int64_t o, int64_t p, const stn_##T *type)\
    {                                                                                              \
        (void)type, (void)m, (void)n, (void)o, (void)p;                                            \
        if (!stn_stencil_has(u, count, i, j, k, l))                                                \
            return stn_nothing_##T();                                                              \
        return *(const stn_##T *)stn_stencil_find(u, count, i, j, k, l, (int64_t)sizeof *type);    \
    }                                                                                              \
    STN_ELEMENT_OVERLOADS(T)

/* ---- by kind, rank and arithmetic ----
 *
 * The macros of kernel.h continue these calls. A view of another kind or rank is one error with a
 * sentence; a view without elements takes its place, so that no other errors follow. In C the view is
 * the variable of a statement expression, so that an error in its name is not repeated. */

enum { stn_repeats = 0 }; /* 1 in functions whose body has been compiled before */

#define STN_READ_OF(count, view, name)                                                             \
    STN_READ_BY(count, view)((__extension__({                                                      \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_READ(count, view),                                 \
                          "steno: STN_AT(" name ", ...) with " STN_JOIN(STN_WORDS_, count) ": "      \
                          "it takes a gather, scatter or stencil of that rank");                   \
        STN_END_VIEW(STN_IS_READ(count, view))                                                     \
    }) STN_ELEMENTS(view))
#define STN_INDEX_OF(count, view, name)                                                            \
    stn_index_at((__extension__({                                                                  \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_ANYWHERE(count, view),                             \
                          "steno: STN_INDEX_AT(" name ", ...) with " STN_JOIN(STN_WORDS_, count)   \
                          ": it takes a gather or scatter of that rank");                          \
        STN_END_VIEW(STN_IS_ANYWHERE(count, view))                                                 \
    }) STN_INDEXED(view))
#define STN_WRITE_OF(count, view, name, function)                                                  \
    STN_OF_REAL(function)((__extension__({                                                         \
        STN_BEGIN_VIEW(view)                                                                       \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_WRITTEN(count, view),                              \
                          "steno: " name ", ...) with " STN_JOIN(STN_WORDS_, count)                \
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
#define STN_WORDS_0 "0 indices"
#define STN_WORDS_1 "1 index"
#define STN_WORDS_2 "2 indices"
#define STN_WORDS_3 "3 indices"
#define STN_WORDS_4 "4 indices"
#define STN_WORDS_5 "5 indices"
#define STN_WORDS_6 "6 indices"
#define STN_WORDS_7 "7 indices"
#define STN_WORDS_8 "8 indices"
#define STN_WORDS_9 "9 indices"

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
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_indexed *indexed, int64_t dimension)
{
    return stn_indexed_extent(indexed, dimension);
}
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_stencil *u, int64_t dimension)
{
    return stn_stencil_extent(u, dimension);
}
/* The number of indices by which a view's elements are read, read anywhere and written, as a number of
 * bytes. They are functions of the view itself, because an error in its name is not repeated there. */
#    define STN_NOT_INDEXED 64
extern "C++" {
template <class other> char (&stn_is_read(const other &))[STN_NOT_INDEXED];
template <class other> char (&stn_is_anywhere(const other &))[STN_NOT_INDEXED];
template <class other> char (&stn_is_written(const other &))[STN_NOT_INDEXED];
template <class other> STN_KERNEL_INLINE const stn_indexed *stn_elements_of(const other &)
{
    return 0;
}
template <class other> STN_KERNEL_INLINE const stn_indexed *stn_indexed_of(const other &)
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
        STN_KERNEL_INLINE const type *function(const view &indexed)                                \
        {                                                                                          \
            return indexed.stn_elements;                                                           \
        }
STN_DEFINE_RANK(1)
STN_DEFINE_RANK(2)
STN_DEFINE_RANK(3)
STN_DEFINE_RANK(4)
STN_DEFINE_RANK(5)
STN_DEFINE_RANK(6)
STN_DEFINE_RANK(7)
STN_DEFINE_RANK(8)
}
#    define STN_ELEMENT_WRITES(T, name)                                                            \
        STN_KERNEL_INLINE void name##_of(const stn_indexed *indexed, int count, STN_ALL_INDICES,   \
                                         stn_##T value)                                            \
        {                                                                                          \
            name##_##T(indexed, count, i, j, k, l, m, n, o, p, value);                             \
        }
#    define STN_ELEMENT_READS(T, name, kind)                                                       \
        STN_KERNEL_INLINE stn_##T stn_at_of(const kind *indexed, int count, STN_ALL_INDICES,       \
                                            const stn_##T *type)                                   \
        {                                                                                          \
            return name##_##T(indexed, count, i, j, k, l, m, n, o, p, type);                       \
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
#    define STN_AS_REAL(value)           (value) /* a struct, where it is complex, has no casts */
/* After an error in the view, gcc declares a variable by __typeof__ only, clang by __auto_type. */
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
    const stn_gather_0 none = {0};
    return none;
}
#endif

STN_DEFINE_ELEMENT(f64)
STN_DEFINE_ELEMENT(f32)
STN_DEFINE_ELEMENT(i64)
STN_DEFINE_ELEMENT(c128)
STN_DEFINE_ELEMENT(c64)

/* Indices as functions take them: how many, then eight. No view has 0 or 9 dimensions. */
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

#include "steno/detail/names/show.h"

#endif
