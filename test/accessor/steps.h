/* Accesses to an accessor of any kind: STEPS(type, real) defines type_steps(), which reads and
 * stores every element in every way, and RUNS(type, real) type_runs(), which does so with runs of
 * elements. Both are for rank 2; STEPS_3 and RUNS_3 for rank 3.
 *
 * With OPERATORS defined, a C++ compiler takes the steps by a template in which elements are x(i,
 * j): the hashes are the same. */
#ifndef TEST_ACCESSOR_STEPS_H
#define TEST_ACCESSOR_STEPS_H

enum { RUN = 50 }; /* the longest run */

/* Element `place` in C order has the indices h, i and j, of which rank 2 has no h. */
#define INDEX_2 i, j
#define INDEX_3 h, i, j
#define FIRST_2 0, 0
#define FIRST_3 0, 0, 0
#define LENGTHS(type, rank)                                                                        \
    const int wide = (int)type##_length(x, (rank)-1), high = (int)type##_length(x, (rank)-2);      \
    const int all = (int)type##_count(x);
#define INDICES(place)                                                                             \
    const int h = (place) / (high * wide), i = (place) / wide % high, j = (place) % wide;          \
    (void)h;

#if defined(__cplusplus) && defined(OPERATORS)

#    define WORDS_OF(real)                                                                         \
        ROUTINE stn_u64 fold_value(stn_u64 sum, stn_##real value)                                  \
        {                                                                                          \
            return fold_##real(sum, value);                                                        \
        }                                                                                          \
        ROUTINE void input_value(stn_u64 k, stn_##real &value, stn_##real &divisor)                \
        {                                                                                          \
            value = input_##real(k);                                                               \
            divisor = divisor_##real(k);                                                           \
        }                                                                                          \
        ROUTINE stn_##real wrapped_axpy(stn_##real a, stn_##real x, stn_##real y)                  \
        {                                                                                          \
            return stn_##real##_add(stn_##real##_multiply(a, x), y);                               \
        }
WORDS_OF(i64)
WORDS_OF(f32)
WORDS_OF(f64)
WORDS_OF(c64)
WORDS_OF(c128)

template <class reference, class value>
ROUTINE stn_u64 step_element(reference element, reference first, value unit, stn_u64 k, stn_u64 sum)
{
    value given = unit, divisor = unit;
    sum = fold_value(sum, (value)element);
    input_value(k, given, divisor);
    sum = fold_value(sum, element = given);
    input_value(k + 1, given, divisor);
    sum = fold_value(sum, element += given);
    input_value(k + 2, given, divisor);
    sum = fold_value(sum, element -= given);
    input_value(k + 3, given, divisor);
    sum = fold_value(sum, element *= given);
    input_value(k + 4, given, divisor);
    sum = fold_value(sum, element /= divisor);
    if (k % 5 == 0)
        sum = fold_value(sum, element = first);
    return sum;
}

#    define STEP_ELEMENT(real, rank, ...)                                                          \
        sum = step_element(x(INDEX_##rank), x(FIRST_##rank), stn_##real(), k, sum);

/* y = a x + y for a const x. */
template <class x_type, class y_type>
ROUTINE void axpy(typename y_type::real a, x_type x, y_type y, int i, int j)
{
    y(i, j) = wrapped_axpy(a, x(i, j), y(i, j));
}
#    define AXPY(type, real)                                                                       \
        ROUTINE void type##_axpy(stn_##real a, type##_const x, real##_##real y, int i, int j)      \
        {                                                                                          \
            axpy(a, x, y, i, j);                                                                   \
        }

#else

#    define STEP_ELEMENT(real, rank, type)                                                         \
        sum = fold_##real(sum, type##_get(x, INDEX_##rank));                                       \
        sum = fold_##real(sum, type##_set(x, INDEX_##rank, input_##real(k)));                      \
        sum = fold_##real(sum, type##_add(x, INDEX_##rank, input_##real(k + 1)));                  \
        sum = fold_##real(sum, type##_subtract(x, INDEX_##rank, input_##real(k + 2)));             \
        sum = fold_##real(sum, type##_multiply(x, INDEX_##rank, input_##real(k + 3)));             \
        sum = fold_##real(sum, type##_divide(x, INDEX_##rank, divisor_##real(k + 4)));             \
        if (k % 5 == 0)                                                                            \
            sum = fold_##real(sum, type##_set(x, INDEX_##rank, type##_get(x, FIRST_##rank)));
#    define AXPY(type, real)                                                                       \
        ROUTINE void type##_axpy(stn_##real a, type##_const x, real##_##real y, int i, int j)      \
        {                                                                                          \
            real##_##real##_set(                                                                   \
                y, i, j,                                                                           \
                stn_##real##_add(stn_##real##_multiply(a, type##_const_get(x, i, j)),              \
                                 real##_##real##_get(y, i, j)));                                   \
        }
#endif

#define STEPS_OF(type, real, rank)                                                                 \
    ROUTINE stn_u64 type##_steps(type x, stn_u64 seed, stn_u64 sum)                                \
    {                                                                                              \
        LENGTHS(type, rank)                                                                        \
        for (int place = 0; place < all; place++) {                                                \
            INDICES(place)                                                                         \
            const stn_u64 k = seed + (stn_u64)(64 * (8 * h + i) + j) * 7;                          \
            STEP_ELEMENT(real, rank, type)                                                         \
        }                                                                                          \
        return sum;                                                                                \
    }
#define STEPS(type, real)   STEPS_OF(type, real, 2)
#define STEPS_3(type, real) STEPS_OF(type, real, 3)

/* Runs from every seventh element, which end where the array does. */
#define RUNS_OF(type, real, rank)                                                                  \
    ROUTINE stn_u64 type##_runs(type x, stn_u64 seed, stn_u64 sum)                                 \
    {                                                                                              \
        LENGTHS(type, rank)                                                                        \
        stn_##real values[RUN];                                                                    \
        for (int first = 0; first < all; first += 7) {                                             \
            const int count = all - first < RUN ? all - first : RUN;                               \
            INDICES(first)                                                                         \
            for (int k = 0; k < count; k++)                                                        \
                values[k] = stn_zero_##real();                                                     \
            type##_load(x, INDEX_##rank, count, values);                                           \
            for (int k = 0; k < count; k++) {                                                      \
                sum = fold_##real(sum, values[k]);                                                 \
                values[k] = input_##real(seed + (stn_u64)(256 * first + k));                       \
            }                                                                                      \
            type##_store(x, INDEX_##rank, count, values);                                          \
        }                                                                                          \
        return sum;                                                                                \
    }
#define RUNS(type, real)   RUNS_OF(type, real, 2)
#define RUNS_3(type, real) RUNS_OF(type, real, 3)

#endif
