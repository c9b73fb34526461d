/* What STN_MAP is made of: parameters by kind, and the functions that come of a kernel. */
#ifndef STENO_KERNEL_PARTS_H
#define STENO_KERNEL_PARTS_H

#include "steno/names/hide.h"
#include "steno/accessor/parts.h"
#include "steno/kernel_math.h"
#include "steno/kernel_members.h"

/* clang-format off */

/* ---- one item per parameter: STN_EACH_PARAMETER(ITEM, T, (real(a), in(x))) is
 * ITEM(T, 0, REAL, a, ) ITEM(T, 1, IN, x, ) ---- */

#define STN_EACH_PARAMETER(ITEM, T, parameters) STN_EACH_OF(ITEM, T, STN_PARAMETERS parameters)
#define STN_PARAMETERS(...) __VA_ARGS__
#define STN_EACH_OF(...)                                                                           \
    STN_EACH_OF_(__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,                      \
                 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)
#define STN_EACH_OF_(ITEM, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x,\
                     y1, y2, y3, y4, y5, y6, y7, y8, count, ...)                                   \
    STN_EACH_OF_##count(ITEM, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, ~)
/* More than STN_MOST_PARAMETERS: nothing, for STN_KERNEL_DESCRIBE says so. */
#define STN_EACH_OF_MANY(...)
#define STN_ARE_FEW(...)                                                                           \
    STN_ARE_FEW_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0,                                              \
                 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ~)
#define STN_ARE_FEW_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x,       \
                     y1, y2, y3, y4, y5, y6, y7, y8, are_few, ...) are_few
#define STN_EACH_OF_1(I, T, a, ...)                                                                \
    STN_ONE(I, T, 0, a)
#define STN_EACH_OF_2(I, T, a, b, ...)                                                             \
    STN_EACH_OF_1(I, T, a, ~) STN_ONE(I, T, 1, b)
#define STN_EACH_OF_3(I, T, a, b, c, ...)                                                          \
    STN_EACH_OF_2(I, T, a, b, ~) STN_ONE(I, T, 2, c)
#define STN_EACH_OF_4(I, T, a, b, c, d, ...)                                                       \
    STN_EACH_OF_3(I, T, a, b, c, ~) STN_ONE(I, T, 3, d)
#define STN_EACH_OF_5(I, T, a, b, c, d, e, ...)                                                    \
    STN_EACH_OF_4(I, T, a, b, c, d, ~) STN_ONE(I, T, 4, e)
#define STN_EACH_OF_6(I, T, a, b, c, d, e, f, ...)                                                 \
    STN_EACH_OF_5(I, T, a, b, c, d, e, ~) STN_ONE(I, T, 5, f)
#define STN_EACH_OF_7(I, T, a, b, c, d, e, f, g, ...)                                              \
    STN_EACH_OF_6(I, T, a, b, c, d, e, f, ~) STN_ONE(I, T, 6, g)
#define STN_EACH_OF_8(I, T, a, b, c, d, e, f, g, h, ...)                                           \
    STN_EACH_OF_7(I, T, a, b, c, d, e, f, g, ~) STN_ONE(I, T, 7, h)
#define STN_EACH_OF_9(I, T, a, b, c, d, e, f, g, h, i, ...)                                        \
    STN_EACH_OF_8(I, T, a, b, c, d, e, f, g, h, ~) STN_ONE(I, T, 8, i)
#define STN_EACH_OF_10(I, T, a, b, c, d, e, f, g, h, i, j, ...)                                    \
    STN_EACH_OF_9(I, T, a, b, c, d, e, f, g, h, i, ~) STN_ONE(I, T, 9, j)
#define STN_EACH_OF_11(I, T, a, b, c, d, e, f, g, h, i, j, k, ...)                                 \
    STN_EACH_OF_10(I, T, a, b, c, d, e, f, g, h, i, j, ~) STN_ONE(I, T, 10, k)
#define STN_EACH_OF_12(I, T, a, b, c, d, e, f, g, h, i, j, k, l, ...)                              \
    STN_EACH_OF_11(I, T, a, b, c, d, e, f, g, h, i, j, k, ~) STN_ONE(I, T, 11, l)
#define STN_EACH_OF_13(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, ...)                           \
    STN_EACH_OF_12(I, T, a, b, c, d, e, f, g, h, i, j, k, l, ~) STN_ONE(I, T, 12, m)
#define STN_EACH_OF_14(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...)                        \
    STN_EACH_OF_13(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, ~) STN_ONE(I, T, 13, n)
#define STN_EACH_OF_15(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, ...)                     \
    STN_EACH_OF_14(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, ~) STN_ONE(I, T, 14, o)
#define STN_EACH_OF_16(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ...)                  \
    STN_EACH_OF_15(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, ~) STN_ONE(I, T, 15, p)
#define STN_EACH_OF_17(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...)               \
    STN_EACH_OF_16(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ~) STN_ONE(I, T, 16, q)
#define STN_EACH_OF_18(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, ...)            \
    STN_EACH_OF_17(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ~) STN_ONE(I, T, 17, r)
#define STN_EACH_OF_19(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, ...)         \
    STN_EACH_OF_18(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, ~) STN_ONE(I, T, 18, s)
#define STN_EACH_OF_20(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, ...)      \
    STN_EACH_OF_19(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, ~) STN_ONE(I, T, 19, t)
#define STN_EACH_OF_21(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, ...)   \
    STN_EACH_OF_20(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, ~) STN_ONE(I, T, 20, u)
#define STN_EACH_OF_22(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, ...)\
    STN_EACH_OF_21(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, ~) STN_ONE(I, T, 21, v)
#define STN_EACH_OF_23(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, ...)\
    STN_EACH_OF_22(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, ~) STN_ONE(I, T, 22, w)
#define STN_EACH_OF_24(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, ...)\
    STN_EACH_OF_23(I, T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, ~) STN_ONE(I, T, 23, x)

/* Tokens that no program has as macros. */
#define STN_KIND_real(...)        _REAL, __VA_ARGS__
#define STN_KIND_index(...)       _INDEX, __VA_ARGS__
#define STN_KIND_bits(...)        _BITS, __VA_ARGS__
#define STN_KIND_in(...)          _IN, __VA_ARGS__
#define STN_KIND_inout(...)       _INOUT, __VA_ARGS__
#define STN_KIND_out(...)         _OUT, __VA_ARGS__
#define STN_KIND_field(...)       STN_KIND_OF_FIELD(__VA_ARGS__, _NEAR, _NEAR, _NEAR, _NEAR, _FIELD, ~), __VA_ARGS__
#define STN_KIND_OF_FIELD(name, i, j, k, l, kind, ...) kind
#define STN_ONE(ITEM, T, at, parameter)  STN_ONE_(ITEM, T, at, STN_KIND_##parameter)
#define STN_ONE_(...)                    STN_ONE__(__VA_ARGS__)
#define STN_ONE__(ITEM, T, at, KIND, ...) ITEM##KIND(T, at, __VA_ARGS__)

/* ---- what a parameter is, at each place ---- */

/* In the prototypes of the launches. */
#define STN_PROTOTYPE_REAL(T, at, name)  , STN_REAL_ARGUMENT_##T name
#define STN_PROTOTYPE_INDEX(T, at, name) , int64_t name
#define STN_PROTOTYPE_BITS(T, at, name)  , uint64_t name
#define STN_PROTOTYPE_IN(T, at, name)    , const stn_view *name
#define STN_PROTOTYPE_INOUT(T, at, name) , const stn_view *name
#define STN_PROTOTYPE_OUT(T, at, name)   , const stn_view *name
#define STN_PROTOTYPE_FIELD(T, at, name) , const stn_view *name
#define STN_PROTOTYPE_NEAR(T, at, name, ...) , const stn_view *name
#define STN_REAL_ARGUMENT_f64  double
#define STN_REAL_ARGUMENT_i64  int64_t
#define STN_REAL_ARGUMENT_c128 stn_c128

/* What the launches hand on. */
#define STN_PASS_REAL(T, at, name)  stn_give_real_##T(stn_arguments + at, name);
#define STN_PASS_INDEX(T, at, name) stn_give_index(stn_arguments + at, name);
#define STN_PASS_BITS(T, at, name)  stn_give_bits(stn_arguments + at, name);
#define STN_PASS_IN(T, at, name)    stn_give_view(stn_arguments + at, name);
#define STN_PASS_INOUT(T, at, name) stn_give_view(stn_arguments + at, name);
#define STN_PASS_OUT(T, at, name)   stn_give_view(stn_arguments + at, name);
#define STN_PASS_FIELD(T, at, name) stn_give_view(stn_arguments + at, name);
#define STN_PASS_NEAR(T, at, name, ...) stn_give_view(stn_arguments + at, name);

/* Its description. */
#define STN_DESCRIBE_REAL(T, at, name)  {STN_PARAMETER_REAL, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_INDEX(T, at, name) {STN_PARAMETER_INDEX, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_BITS(T, at, name)  {STN_PARAMETER_BITS, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_IN(T, at, name)    {STN_PARAMETER_IN, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_INOUT(T, at, name) {STN_PARAMETER_INOUT, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_OUT(T, at, name)   {STN_PARAMETER_OUT, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_FIELD(T, at, name) {STN_PARAMETER_FIELD, #name, 0, {0, 0, 0, 0}},
#define STN_DESCRIBE_NEAR(T, at, name, ...)                                                        \
    {STN_PARAMETER_NEAR, #name, STN_REACHES(__VA_ARGS__), {STN_FOUR_REACHES(__VA_ARGS__, 0, 0, 0, 0)}},
#define STN_REACHES(...)                          STN_REACHES_(__VA_ARGS__, 4, 3, 2, 1, ~)
#define STN_REACHES_(i, j, k, l, count, ...)      count
#define STN_FOUR_REACHES(...)                     STN_FOUR_REACHES_(__VA_ARGS__)
#define STN_FOUR_REACHES_(i, j, k, l, ...)        i, j, k, l

/* For the calculation of an element: parameters, and the variables of the body, which may have
 * names of functions. */
#define STN_TAKE_REAL(T, at, name)  , const stn_##T stn_of_##name
#define STN_TAKE_INDEX(T, at, name) , const int64_t stn_of_##name
#define STN_TAKE_BITS(T, at, name)  , const uint64_t stn_of_##name
#define STN_TAKE_IN(T, at, name)    , const stn_##T stn_of_##name
#define STN_TAKE_INOUT(T, at, name) , stn_##T *const stn_to_##name
#define STN_TAKE_OUT(T, at, name)   , stn_##T *const stn_to_##name
#define STN_TAKE_FIELD(T, at, name) , const stn_field *const stn_of_##name
#define STN_TAKE_NEAR(T, at, name, ...) , const stn_near stn_near_##name
#define STN_OPEN_REAL(T, at, name)                                                                 \
    const stn_##T name = stn_of_##name;                                                            \
    (void)name;
#define STN_OPEN_INDEX(T, at, name)                                                                \
    const int64_t name = stn_of_##name;                                                            \
    (void)name;
#define STN_OPEN_BITS(T, at, name)                                                                 \
    const uint64_t name = stn_of_##name;                                                           \
    (void)name;
#define STN_OPEN_IN(T, at, name)    STN_OPEN_REAL(T, at, name)
#define STN_OPEN_INOUT(T, at, name)                                                                \
    stn_##T name = *stn_to_##name;                                                                 \
    STN_STORE_AT_END(T) stn_store_##name = {stn_to_##name, &name};
#define STN_OPEN_OUT(T, at, name)   STN_OPEN_INOUT(T, at, name)
#define STN_OPEN_FIELD(T, at, name)                                                                \
    const stn_field *const name = stn_of_##name;                                                   \
    (void)name;
#define STN_OPEN_NEAR(T, at, name, ...)                                                            \
    const stn_near *const name = &stn_near_##name;                                                 \
    (void)name;

/* In the loop over a tile: variables before it, and arguments of each element. */
#define STN_BEFORE_REAL(T, at, name)  const stn_##T name = stn_tile_##T(stn_tile_now, at);
#define STN_BEFORE_INDEX(T, at, name) const int64_t name = stn_tile_i64(stn_tile_now, at);
#define STN_BEFORE_BITS(T, at, name)  const uint64_t name = stn_tile_u64(stn_tile_now, at);
#define STN_BEFORE_IN(T, at, name)                                                                 \
    const stn_##T *STN_KERNEL_RESTRICT const name =                                                \
        (const stn_##T *)stn_tile_values(stn_tile_now, at);
#define STN_BEFORE_INOUT(T, at, name)                                                              \
    stn_##T *STN_KERNEL_RESTRICT const name = (stn_##T *)stn_tile_values(stn_tile_now, at);
#define STN_BEFORE_OUT(T, at, name)   STN_BEFORE_INOUT(T, at, name)
#define STN_BEFORE_FIELD(T, at, name)                                                              \
    const stn_field *const name = stn_tile_field(stn_tile_now, at);
#define STN_BEFORE_NEAR(T, at, name, ...)                                                          \
    const stn_near_rows *STN_KERNEL_RESTRICT const name =                                          \
        (const stn_near_rows *)stn_tile_values(stn_tile_now, at);                                  \
    const int64_t stn_column_##name =                                                              \
        stn_i[STN_REACHES(__VA_ARGS__) - 1] - stn_near_rows_first(name);
#define STN_GIVE_REAL(T, at, name)    , name
#define STN_GIVE_INDEX(T, at, name)   , name
#define STN_GIVE_BITS(T, at, name)    , name
#define STN_GIVE_IN(T, at, name)      , name[stn_k]
#define STN_GIVE_INOUT(T, at, name)   , name + stn_k
#define STN_GIVE_OUT(T, at, name)     , name + stn_k
#define STN_GIVE_FIELD(T, at, name)   , name
#define STN_GIVE_NEAR(T, at, name, ...)                                                            \
    , stn_near_of(name, stn_column_##name + stn_k, stn_i, stn_d, stn_k,                            \
                  STN_REACHES(__VA_ARGS__), STN_FOUR_REACHES(__VA_ARGS__, 0, 0, 0, 0))

/* ---- the body ---- */

/* What is written at the end of an element, on every way out of it. */
#define STN_STORE_AT_END(T)                                                                        \
    stn_store_##T __attribute__((__cleanup__(stn_store_at_end_##T), __unused__))
#define STN_DEFINE_STORE_AT_END(T)                                                                 \
    typedef struct stn_store_##T {                                                                 \
        stn_##T *to;                                                                               \
        const stn_##T *value;                                                                      \
    } stn_store_##T;                                                                               \
    STN_KERNEL_INLINE void stn_store_at_end_##T(stn_store_##T *store)                              \
    {                                                                                              \
        *store->to = *store->value;                                                                \
    }

/* R(0.1) in a body of C++, unless the program has a macro of that name. */
#if defined(__cplusplus) && !defined(R)
extern "C++" {
template <typename real> struct stn_literal {
    template <typename number> constexpr real operator()(number value) const
    {
        return (real)value;
    }
};
}
#    define STN_LITERALS                                                                           \
        const stn_literal<real_t> R = stn_literal<real_t>();                                       \
        (void)R;
#else
#    define STN_LITERALS
#endif

/* ---- elements of fields ---- */

/* With STN_KERNEL_CHECKED defined, indices of fields are compared with the extents. */
#ifdef STN_KERNEL_CHECKED
#    define STN_KERNEL_CHECKS 1
#else
#    define STN_KERNEL_CHECKS 0
#endif

/* By one to four indices; those not used are 0. */
STN_KERNEL_INLINE int64_t stn_field_offset(const stn_field *field, int count, int64_t i, int64_t j,
                                           int64_t k, int64_t l)
{
    return i * field->stride[0] + (count > 1 ? j * field->stride[1] : 0) +
           (count > 2 ? k * field->stride[2] : 0) + (count > 3 ? l * field->stride[3] : 0);
}
STN_KERNEL_INLINE int stn_is_within(const stn_field *field, int d, int64_t index)
{
    return index >= 0 && index < field->view->extent[d];
}
/* Is there such an element, where that is looked after? */
STN_KERNEL_INLINE int stn_field_has(const stn_field *field, int count, int64_t i, int64_t j, int64_t k,
                                    int64_t l)
{
    if (!STN_KERNEL_CHECKS || (count == field->view->rank && stn_is_within(field, 0, i) &&
                               (count < 2 || stn_is_within(field, 1, j)) &&
                               (count < 3 || stn_is_within(field, 2, k)) &&
                               (count < 4 || stn_is_within(field, 3, l))))
        return 1;
    __atomic_store_n(field->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
STN_KERNEL_INLINE int64_t stn_index_at(const stn_field *field, int count, int64_t i, int64_t j,
                                       int64_t k, int64_t l)
{
    return stn_field_has(field, count, i, j, k, l)
               ? stn_field_read_index(field, stn_field_offset(field, count, i, j, k, l)) : 0;
}

/* A field with a declared reach, as one element sees it. */
typedef struct stn_near {
    const void *const *rows;
    int64_t column; /* of the element in its row */
    int64_t here[STN_NEAR_RANK];
    int32_t reach[STN_NEAR_RANK];
    int32_t rank;
    const stn_view *view;
    int *beyond;
} stn_near;

STN_KERNEL_INLINE stn_near stn_near_of(const stn_near_rows *rows, int64_t column,
                                       const int64_t *first, const int64_t *step, int64_t at,
                                       int32_t rank, int32_t i, int32_t j, int32_t k, int32_t l)
{
    const stn_near near = {rows->rows, column,
                           {first[0] + step[0] * at, first[1] + step[1] * at,
                            first[2] + step[2] * at, first[3] + step[3] * at},
                           {i, j, k, l}, rank, rows->view, rows->beyond};
    return near;
}
/* Any index, also one whose distance cannot be told. The compiler knows most distances, and loses
 * its way to vectors where it is not asked for them. */
STN_KERNEL_INLINE int stn_near_reaches(const stn_near *near, int d, int64_t index)
{
    const int64_t distance = __builtin_constant_p(index - near->here[d])
                                 ? index - near->here[d]
                                 : (int64_t)((uint64_t)index - (uint64_t)near->here[d]);
    return distance >= -near->reach[d] && distance <= near->reach[d];
}
STN_KERNEL_INLINE int stn_near_has(const stn_near *near, int count, int64_t i, int64_t j, int64_t k,
                                   int64_t l)
{
    if (count == near->rank && stn_near_reaches(near, 0, i) &&
        (count < 2 || stn_near_reaches(near, 1, j)) &&
        (count < 3 || stn_near_reaches(near, 2, k)) &&
        (count < 4 || stn_near_reaches(near, 3, l)))
        return 1;
    __atomic_store_n(near->beyond, 1, __ATOMIC_RELAXED);
    return 0;
}
/* An element within reach; `size` in bytes. */
STN_KERNEL_INLINE const void *stn_near_find(const stn_near *near, int count, int64_t i, int64_t j,
                                            int64_t k, int64_t l, int64_t size)
{
    const int64_t distance[STN_NEAR_RANK] = {i - near->here[0], j - near->here[1],
                                             k - near->here[2], l - near->here[3]};
    int64_t row = 0;
    if (count > 1)
        row = distance[0] + near->reach[0];
    if (count > 2)
        row = row * (2 * near->reach[1] + 1) + distance[1] + near->reach[1];
    if (count > 3)
        row = row * (2 * near->reach[2] + 1) + distance[2] + near->reach[2];
    return (const char *)near->rows[row] + (near->column + distance[count - 1]) * size;
}

STN_KERNEL_INLINE int64_t stn_field_extent(const stn_field *field, int64_t dimension)
{
    return field->view->extent[dimension];
}
STN_KERNEL_INLINE int64_t stn_near_extent(const stn_near *near, int64_t dimension)
{
    return near->view->extent[dimension];
}

/* The last argument of stn_at_T and stn_near_at_T only tells overloads apart. */
#define STN_DEFINE_FIELD_ACCESS(T)                                                                 \
    /* What an element that is not there is. */                                                    \
    STN_KERNEL_INLINE stn_##T stn_nothing_##T(void)                                                \
    {                                                                                              \
        stn_##T nothing;                                                                           \
        __builtin_memset(&nothing, 0, sizeof nothing);                                             \
        return nothing;                                                                            \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_at_##T(const stn_field *field, int count, int64_t i, int64_t j,  \
                                         int64_t k, int64_t l, const stn_##T *type)                \
    {                                                                                              \
        stn_##T value;                                                                             \
        (void)type;                                                                                \
        if (!stn_field_has(field, count, i, j, k, l))                                              \
            return stn_nothing_##T();                                                              \
        const int64_t offset = stn_field_offset(field, count, i, j, k, l);                         \
        if (field->native)                                                                         \
            return *(const stn_##T *)(const void *)(field->data + offset);                         \
        stn_field_read(field, offset, &value);                                                     \
        return value;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE void stn_put_##T(const stn_field *field, int count, int64_t i, int64_t j,    \
                                       int64_t k, int64_t l, stn_##T value)                        \
    {                                                                                              \
        if (!stn_field_has(field, count, i, j, k, l))                                              \
            return;                                                                                \
        const int64_t offset = stn_field_offset(field, count, i, j, k, l);                         \
        if (field->put_native)                                                                     \
            *(stn_##T *)(void *)(field->data + offset) = value;                                    \
        else                                                                                       \
            stn_field_write(field, offset, &value);                                                \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_near_at_##T(const stn_near *near, int count, int64_t i,          \
                                              int64_t j, int64_t k, int64_t l, const stn_##T *type)\
    {                                                                                              \
        (void)type;                                                                                \
        if (!stn_near_has(near, count, i, j, k, l))                                                \
            return stn_nothing_##T();                                                              \
        return *(const stn_##T *)stn_near_find(near, count, i, j, k, l, (int64_t)sizeof *type);    \
    }                                                                                              \
    STN_FIELD_OVERLOADS(T)
#ifdef __cplusplus
#    define STN_OF_REAL(function)        function##_of
#    define STN_AS_REAL(value)           (real_t)(value)
#    define STN_OF_FIELD(field)          stn_at_of
#    define STN_PLAIN_FIELD(field, function) function
#    define STN_EXTENT_OF_FIELD(field)   stn_extent_of
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_field *field, int64_t dimension)
{
    return stn_field_extent(field, dimension);
}
STN_KERNEL_INLINE int64_t stn_extent_of(const stn_near *near, int64_t dimension)
{
    return stn_near_extent(near, dimension);
}
#    define STN_FIELD_OVERLOADS(T)                                                                 \
        STN_KERNEL_INLINE stn_##T stn_at_of(const stn_field *field, int count, int64_t i,          \
                                            int64_t j, int64_t k, int64_t l, const stn_##T *type)  \
        {                                                                                          \
            return stn_at_##T(field, count, i, j, k, l, type);                                     \
        }                                                                                          \
        STN_KERNEL_INLINE stn_##T stn_at_of(const stn_near *near, int count, int64_t i, int64_t j, \
                                            int64_t k, int64_t l, const stn_##T *type)             \
        {                                                                                          \
            return stn_near_at_##T(near, count, i, j, k, l, type);                                 \
        }                                                                                          \
        STN_KERNEL_INLINE void stn_put_of(const stn_field *field, int count, int64_t i, int64_t j, \
                                          int64_t k, int64_t l, stn_##T value)                     \
        {                                                                                          \
            stn_put_##T(field, count, i, j, k, l, value);                                          \
        }
#else
#    define STN_FIELD_OVERLOADS(T)
#    define STN_AS_REAL(value)           (value) /* a struct, where it is complex, has no casts */
#    define STN_OF_FIELD(field)                                                                    \
        _Generic((field), const stn_near * : STN_OF_REAL(stn_near_at), default : STN_OF_REAL(stn_at))
/* A field with a reach is only read, by STN_AT: it is none of these. */
#    define STN_PLAIN_FIELD(field, function)                                                       \
        _Generic((field), const stn_field * : function, stn_field * : function)
#    define STN_EXTENT_OF_FIELD(field)                                                             \
        _Generic((field), const stn_near * : stn_near_extent, default : stn_field_extent)
#    define STN_OF_REAL(function)                                                                  \
        _Generic((const real_t *)0, const stn_f64 *                                                \
                 : function##_f64, const stn_f32 *                                                 \
                 : function##_f32, const stn_i64 *                                                 \
                 : function##_i64, const stn_c128 *                                                \
                 : function##_c128, const stn_c64 *                                                \
                 : function##_c64)
#endif

/* Indices as functions take them: how many, then four. */
#define STN_INDICES(...)                        STN_INDICES_(__VA_ARGS__, 4, 3, 2, 1, ~)(__VA_ARGS__)
#define STN_INDICES_(i, j, k, l, count, ...)    STN_INDICES_##count
#define STN_INDICES_1(i)                        1, i, 0, 0, 0
#define STN_INDICES_2(i, j)                     2, i, j, 0, 0
#define STN_INDICES_3(i, j, k)                  3, i, j, k, 0
#define STN_INDICES_4(i, j, k, l)               4, i, j, k, l

/* ---- the functions of a kernel ---- */

#define STN_KERNEL_DESCRIBE(name, parameters)                                                      \
    STN_STATIC_ASSERT(STN_ARE_FEW parameters, #name ": a kernel has 24 parameters at most");       \
    static const stn_parameter name##_parameters[] = {                                             \
        STN_EACH_PARAMETER(STN_DESCRIBE, f64, parameters)};

#define STN_KERNEL_LOOP(name, T, parameters, ...)                                                  \
    STN_KERNEL_HEAD(name, T, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, T, parameters)

/* Before and behind the body. */
#define STN_KERNEL_HEAD(name, T, parameters)                                                       \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE void name##_element_##T(                                                     \
        const int64_t i, const int64_t j, const int64_t k,                                         \
        const int64_t l STN_EACH_PARAMETER(STN_TAKE, T, parameters))                               \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        typedef stn_##T real_t;                                                                    \
        (void)i, (void)j, (void)k, (void)l, (void)sizeof(real_t);                                  \
        STN_LITERALS STN_MATHS_##T                                                                 \
        {                                                                                          \
            STN_EACH_PARAMETER(STN_OPEN, T, parameters)                                            \
            {
#define STN_KERNEL_TAIL(name, T, parameters)                                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_VERSIONS STN_KERNEL_EXACT_##T static void name##_loop_##T(                          \
        const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)                                          \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_tile_step(stn_tile_now);                                  \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        STN_EACH_PARAMETER(STN_BEFORE, T, parameters)                                              \
        if (stn_count == STN_TILE_ELEMENTS) {                                                      \
            STN_KERNEL_APART                                                                       \
            for (int64_t stn_k = 0; stn_k < STN_TILE_ELEMENTS; stn_k++)                            \
                STN_KERNEL_STEP(name, T, parameters)                                               \
        } else {                                                                                   \
            STN_KERNEL_APART                                                                       \
            for (int64_t stn_k = 0; stn_k < stn_count; stn_k++)                                    \
                STN_KERNEL_STEP(name, T, parameters)                                               \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_END
#define STN_KERNEL_STEP(name, T, parameters)                                                       \
    name##_element_##T(stn_i[0] + stn_d[0] * stn_k, stn_i[1] + stn_d[1] * stn_k,                   \
                       stn_i[2] + stn_d[2] * stn_k,                                                \
                       stn_i[3] + stn_d[3] * stn_k STN_EACH_PARAMETER(STN_GIVE, T, parameters));

#define STN_KERNEL_LAUNCH(name, parameters, words, T, ...)                                         \
    static stn_kernel name##_kernel = {                                                            \
        sizeof(stn_kernel),                                                                        \
        0,                                                                                         \
        (int32_t)(sizeof name##_parameters / sizeof *name##_parameters),                           \
        #name,                                                                                     \
        words,                                                                                     \
        name##_parameters,                                                                         \
        __VA_ARGS__,                                                                               \
        0,                                                                                         \
        stn_kernel_probe};                                                                         \
    static inline __attribute__((__unused__)) stn_status name##_run_over(                          \
        const stn_exec *stn_on, stn_format stn_arithmetic, int stn_rank,                           \
        const int64_t *stn_extents STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))               \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_kernel_run(stn_on, &name##_kernel, stn_arithmetic, stn_rank, stn_extents,       \
                              stn_arguments);                                                      \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_run(                               \
        const stn_exec *stn_on,                                                                    \
        stn_format stn_arithmetic STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_kernel_run(stn_on, &name##_kernel, stn_arithmetic, -1, NULL, stn_arguments);    \
    }                                                                                              \
    static inline __attribute__((__unused__)) stn_status name##_run_inside(                        \
        const stn_exec *stn_on,                                                                    \
        stn_format stn_arithmetic STN_EACH_PARAMETER(STN_PROTOTYPE, T, parameters))                \
    {                                                                                              \
        stn_argument stn_arguments[sizeof name##_parameters / sizeof *name##_parameters];          \
        STN_EACH_PARAMETER(STN_PASS, T, parameters)                                                \
        return stn_kernel_run(stn_on, &name##_kernel, stn_arithmetic, STN_KERNEL_INSIDE, NULL,     \
                              stn_arguments);                                                      \
    }

/* clang-format on */

#include "steno/names/show.h"

#endif
