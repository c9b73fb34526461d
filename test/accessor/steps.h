/* What is done with an accessor of any kind: STEPS(type, real) defines type_steps(), which reads
 * and stores every element in every way there is, and RUNS(type, real) type_runs(), which does so
 * with runs of elements. Both take rank 2; STEPS_3 and RUNS_3 rank 3.
 *
 * With OPERATORS defined, a C++ compiler takes the steps by a template in which elements are
 * x(i, j): the words that come out are the same. */
#ifndef TEST_ACCESSOR_STEPS_H
#define TEST_ACCESSOR_STEPS_H

enum { RUN = 50 }; /* the longest run */

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

template <class accessor> ROUTINE stn_u64 steps_2(accessor x, stn_u64 seed, stn_u64 sum)
{
    for (int i = 0; i < (int)x.length(0); i++)
        for (int j = 0; j < (int)x.length(1); j++)
            sum = step_element(x(i, j), x(0, 0), typename accessor::real(),
                               seed + (stn_u64)(64 * i + j) * 7, sum);
    return sum;
}

template <class accessor> ROUTINE stn_u64 steps_3(accessor x, stn_u64 seed, stn_u64 sum)
{
    for (int h = 0; h < (int)x.length(0); h++)
        for (int i = 0; i < (int)x.length(1); i++)
            for (int j = 0; j < (int)x.length(2); j++)
                sum = step_element(x(h, i, j), x(0, 0, 0), typename accessor::real(),
                                   seed + (stn_u64)(64 * (8 * h + i) + j) * 7, sum);
    return sum;
}

#    define STEPS(type, real)                                                                      \
        ROUTINE stn_u64 type##_steps(type x, stn_u64 seed, stn_u64 sum)                            \
        {                                                                                          \
            return steps_2(x, seed, sum);                                                          \
        }
#    define STEPS_3(type, real)                                                                    \
        ROUTINE stn_u64 type##_steps(type x, stn_u64 seed, stn_u64 sum)                            \
        {                                                                                          \
            return steps_3(x, seed, sum);                                                          \
        }

/* y = a x + y, x being read-only. */
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

#    define STEP_ELEMENT(type, real, ...)                                                          \
        sum = fold_##real(sum, type##_get(x, __VA_ARGS__));                                        \
        sum = fold_##real(sum, type##_set(x, __VA_ARGS__, input_##real(k)));                       \
        sum = fold_##real(sum, type##_add(x, __VA_ARGS__, input_##real(k + 1)));                   \
        sum = fold_##real(sum, type##_subtract(x, __VA_ARGS__, input_##real(k + 2)));              \
        sum = fold_##real(sum, type##_multiply(x, __VA_ARGS__, input_##real(k + 3)));              \
        sum = fold_##real(sum, type##_divide(x, __VA_ARGS__, divisor_##real(k + 4)));
#    define STEPS(type, real)                                                                      \
        ROUTINE stn_u64 type##_steps(type x, stn_u64 seed, stn_u64 sum)                            \
        {                                                                                          \
            for (int i = 0; i < (int)type##_length(x, 0); i++)                                     \
                for (int j = 0; j < (int)type##_length(x, 1); j++) {                               \
                    const stn_u64 k = seed + (stn_u64)(64 * i + j) * 7;                            \
                    STEP_ELEMENT(type, real, i, j)                                                 \
                    if (k % 5 == 0)                                                                \
                        sum = fold_##real(sum, type##_set(x, i, j, type##_get(x, 0, 0)));          \
                }                                                                                  \
            return sum;                                                                            \
        }
#    define STEPS_3(type, real)                                                                    \
        ROUTINE stn_u64 type##_steps(type x, stn_u64 seed, stn_u64 sum)                            \
        {                                                                                          \
            for (int h = 0; h < (int)type##_length(x, 0); h++)                                     \
                for (int i = 0; i < (int)type##_length(x, 1); i++)                                 \
                    for (int j = 0; j < (int)type##_length(x, 2); j++) {                           \
                        const stn_u64 k = seed + (stn_u64)(64 * (8 * h + i) + j) * 7;              \
                        STEP_ELEMENT(type, real, h, i, j)                                          \
                        if (k % 5 == 0)                                                            \
                            sum =                                                                  \
                                fold_##real(sum, type##_set(x, h, i, j, type##_get(x, 0, 0, 0)));  \
                    }                                                                              \
            return sum;                                                                            \
        }
#    define AXPY(type, real)                                                                       \
        ROUTINE void type##_axpy(stn_##real a, type##_const x, real##_##real y, int i, int j)      \
        {                                                                                          \
            real##_##real##_set(                                                                   \
                y, i, j,                                                                           \
                stn_##real##_add(stn_##real##_multiply(a, type##_const_get(x, i, j)),              \
                                 real##_##real##_get(y, i, j)));                                   \
        }
#endif

/* Runs from every seventh element, which end where the array does. */
#define RUN_THROUGH(type, real, ...)                                                               \
    for (int k = 0; k < count; k++)                                                                \
        values[k] = stn_zero_##real();                                                             \
    type##_load(x, __VA_ARGS__, count, values);                                                    \
    for (int k = 0; k < count; k++) {                                                              \
        sum = fold_##real(sum, values[k]);                                                         \
        values[k] = input_##real(seed + (stn_u64)(256 * first + k));                               \
    }                                                                                              \
    type##_store(x, __VA_ARGS__, count, values);
#define RUNS(type, real)                                                                           \
    ROUTINE stn_u64 type##_runs(type x, stn_u64 seed, stn_u64 sum)                                 \
    {                                                                                              \
        const int wide = (int)type##_length(x, 1), all = (int)type##_count(x);                     \
        stn_##real values[RUN];                                                                    \
        for (int first = 0; first < all; first += 7) {                                             \
            const int count = all - first < RUN ? all - first : RUN;                               \
            RUN_THROUGH(type, real, first / wide, first % wide)                                    \
        }                                                                                          \
        return sum;                                                                                \
    }
#define RUNS_3(type, real)                                                                         \
    ROUTINE stn_u64 type##_runs(type x, stn_u64 seed, stn_u64 sum)                                 \
    {                                                                                              \
        const int wide = (int)type##_length(x, 2), all = (int)type##_count(x);                     \
        const int plane = wide * (int)type##_length(x, 1);                                         \
        stn_##real values[RUN];                                                                    \
        for (int first = 0; first < all; first += 7) {                                             \
            const int count = all - first < RUN ? all - first : RUN;                               \
            RUN_THROUGH(type, real, first / plane, first % plane / wide, first % wide)             \
        }                                                                                          \
        return sum;                                                                                \
    }

#endif
