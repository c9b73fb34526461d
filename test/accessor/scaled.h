/* Accessors with scales: one for all, per row, per column, per element, in blocks, stored narrow,
 * with zero points; and a kernel for each. */
#ifndef TEST_ACCESSOR_SCALED_H
#define TEST_ACCESSOR_SCALED_H

STN_ACCESSOR_SCALED(rows_i8, 2, float, int8_t, 0x2)
STN_ACCESSOR_SCALED(elements_f16, 2, float, stn_f16, 0x3)
STN_ACCESSOR_BLOCK_SCALED(blocks_e5m2, 2, float, stn_e5m2, 0x3, 8)
STN_ACCESSOR_AFFINE(affine_i16, 2, float, int16_t, 0x1)
#ifdef STN_HAVE_DOUBLE
STN_ACCESSOR_SCALED(all_i8, 2, double, int8_t, 0)
STN_ACCESSOR_SCALED(columns_e4m3, 2, double, stn_e4m3, 0x1)
STN_ACCESSOR_BLOCK_SCALED(blocks_i8, 2, double, int8_t, 0x3, 4)
STN_ACCESSOR_BLOCK_SCALED(shared_bf16, 2, double, stn_bf16, 0x2, 3)
STN_ACCESSOR_AFFINE(affine_u8, 2, double, uint8_t, 0x2)
STN_ACCESSOR_SCALED(cube_i16, 3, double, int16_t, 0x5)

#    define STN_NAME          narrow_i8
#    define STN_RANK          2
#    define STN_REAL          double
#    define STN_STORAGE       int8_t
#    define STN_ROUNDING      STN_ROUND_STOCHASTIC
#    define STN_SCALE_MASK    0x3
#    define STN_SCALE_BLOCK   5
#    define STN_SCALE_STORAGE stn_bf16
#    include ACCESSOR_DEFINE
#endif

/* ---- what is done with scales ---- */

#define SCALE_STEPS(type, real)                                                                    \
    ROUTINE stn_u64 type##_scale_steps(type x, stn_u64 seed, stn_u64 sum)                          \
    {                                                                                              \
        const stn_size first[2] = {0, 0};                                                          \
        sum = fold(sum, (stn_u64)type##_scale_count(x));                                           \
        for (int d = 0; d < type##_rank; d++)                                                      \
            sum = fold(sum, (stn_u64)type##_scale_stride(x, d));                                   \
        for (int i = 0; i < (int)type##_length(x, 0); i++)                                         \
            for (int j = 0; j < (int)type##_length(x, 1); j += 4) {                                \
                sum = fold_##real(sum, type##_scale(x, i, j));                                     \
                sum = fold_##real(                                                                 \
                    sum, type##_set_scale(x, i, j, scale_##real(seed + (stn_u64)(32 * i + j))));   \
                sum = fold_##real(sum, type##_get(x, i, j));                                       \
            }                                                                                      \
        sum = fold_##real(sum, type##_set_scale_direct(x, first, scale_##real(seed + 9)));         \
        return fold_##real(sum, type##_scale_direct(x, first));                                    \
    }

/* Scales that fit: powers of two, or any. The values stored with them are read back. */
#define FIT_STEPS(type, real)                                                                      \
    ROUTINE stn_u64 type##_fit_steps(type x, stn_u64 seed, stn_u64 sum)                            \
    {                                                                                              \
        stn_##real values[ROWS * COLUMNS];                                                         \
        for (int exact = 0; exact < 2; exact++) {                                                  \
            for (int k = 0; k < ROWS * COLUMNS; k++)                                               \
                values[k] = input_##real(seed + (stn_u64)(2 * k + exact));                         \
            sum = fold(sum, (stn_u64)type##_fit_scales(x, values, (stn_scale_choice)exact));       \
            type##_store(x, 0, 0, ROWS *COLUMNS, values);                                          \
            type##_load(x, 0, 0, ROWS *COLUMNS, values);                                           \
            for (int k = 0; k < ROWS * COLUMNS; k++)                                               \
                sum = fold_##real(sum, values[k]);                                                 \
        }                                                                                          \
        return sum;                                                                                \
    }

/* Scales as their plain accessor stores them; zero points are within every format. */
#define FILL_SCALES(real, scale)                                                                   \
    for (int place = 0; place < SCALES; place++) {                                                 \
        scale##_##real##_set(scale##_##real##_dense(factors, 1, SCALES), 0, place,                 \
                             scale_##real(seed + (stn_u64)place));                                 \
        zeros[place] = (stn_##real)(int)(stn_hash_bits(seed + (stn_u64)place) % 101);              \
    }

#define NO_ZEROS
#define WITH_ZEROS  , zeros
#define WITH_RANDOM , item + 3

/* ON_SCALED(accessor, its format, arithmetic type, format of the scales, what a maker takes besides
 * them). */
/* clang-format off */
#define SCALED_LIST                                                   \
    MORE(ON_SCALED(rows_i8, i8, f32, f32, NO_ZEROS))                  \
    MORE(ON_SCALED(elements_f16, f16, f32, f32, NO_ZEROS))            \
    MORE(ON_SCALED(blocks_e5m2, e5m2, f32, f32, NO_ZEROS))            \
    MORE(ON_SCALED(affine_i16, i16, f32, f32, WITH_ZEROS))            \
    DOUBLE(MORE(ON_SCALED(all_i8, i8, f64, f64, NO_ZEROS)))           \
    DOUBLE(MORE(ON_SCALED(columns_e4m3, e4m3, f64, f64, NO_ZEROS)))   \
    DOUBLE(MORE(ON_SCALED(blocks_i8, i8, f64, f64, NO_ZEROS)))        \
    DOUBLE(MORE(ON_SCALED(shared_bf16, bf16, f64, f64, NO_ZEROS)))    \
    DOUBLE(ON_SCALED(affine_u8, u8, f64, f64, WITH_ZEROS))            \
    DOUBLE(ON_SCALED(narrow_i8, i8, f64, bf16, WITH_RANDOM))
/* clang-format on */

#define SCALED_KERNEL(type, format, real, scale, ...)                                              \
    STEPS(type, real)                                                                              \
    RUNS(type, real)                                                                               \
    SCALE_STEPS(type, real)                                                                        \
    FIT_STEPS(type, real)                                                                          \
    ROUTINE stn_u64 scaled_##type(STN_MEM stn_##format *memory, STN_MEM stn_##real *wide,          \
                                  STN_MEM stn_##scale *scales, stn_u64 item)                       \
    {                                                                                              \
        const stn_size extents[2] = {ROWS, COLUMNS}, stride[1] = {GAPPED};                         \
        const stn_u64 seed = item << 20;                                                           \
        STN_MEM stn_##format *const codes = memory + REGION * item;                                \
        STN_MEM stn_##scale *const factors = scales + SCALES * item;                               \
        STN_MEM stn_##real *const zeros = wide + REGION * item;                                    \
        const type x = type##_make(codes, extents, stride, factors, stride __VA_ARGS__);           \
        const type part = type##_sub(x, stn_span_of(1, 3), stn_span_of(3, 16));                    \
        stn_u64 sum = stn_hash_bits(item);                                                         \
        fill_##format(codes, REGION, seed);                                                        \
        FILL_SCALES(real, scale)                                                                   \
        sum = type##_runs(x, seed, sum);                                                           \
        sum = type##_steps(x, seed, sum);                                                          \
        sum = type##_scale_steps(x, seed, sum);                                                    \
        sum = type##_runs(part, seed + 1, sum);                                                    \
        sum = type##_steps(part, seed + 1, sum);                                                   \
        sum = type##_scale_steps(part, seed + 1, sum);                                             \
        sum = fold_all_##format(sum, codes, REGION);                                               \
        sum =                                                                                      \
            type##_fit_steps(type##_dense(codes, ROWS, COLUMNS, factors __VA_ARGS__), seed, sum);  \
        sum = fold_all_##format(sum, codes, REGION);                                               \
        sum = fold_all_##scale(sum, factors, SCALES);                                              \
        return sum;                                                                                \
    }

#define ON_SCALED(type, format, real, scale, ...)                                                  \
    SCALED_KERNEL(type, format, real, scale, __VA_ARGS__)
SCALED_LIST
#undef ON_SCALED

/* One scale for each outermost and innermost index. */
#if defined(STN_HAVE_DOUBLE) && !defined(FEW_KERNELS)
STEPS_3(cube_i16, f64)
RUNS_3(cube_i16, f64)
ROUTINE stn_u64 scaled_cube_i16(STN_MEM stn_i16 *memory, STN_MEM stn_f64 *wide,
                                STN_MEM stn_f64 *scales, stn_u64 item)
{
    const stn_u64 seed = item << 20;
    STN_MEM stn_i16 *const codes = memory + REGION * item;
    STN_MEM stn_f64 *const factors = scales + SCALES * item, *const zeros = wide + REGION * item;
    const cube_i16 x = cube_i16_dense(codes, 3, 4, 7, factors);
    const cube_i16 part = cube_i16_sub(x, stn_at(1), stn_span_of(1, 4), stn_span_of(2, 6));
    stn_u64 sum = stn_hash_bits(item);
    fill_i16(codes, REGION, seed);
    FILL_SCALES(f64, f64)
    sum = cube_i16_runs(x, seed, cube_i16_steps(x, seed, sum));
    sum = fold_f64(sum, cube_i16_set_scale(part, 0, 1, 2, scale_f64(seed + 1)));
    sum = cube_i16_runs(part, seed + 1, cube_i16_steps(part, seed + 1, sum));
    sum = fold_all_i16(sum, codes, REGION);
    sum = fold_all_f64(sum, factors, SCALES);
    return sum;
}
#endif

#endif
