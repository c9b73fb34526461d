/* Accessors of other layouts, extents and indices, elements by functions of one's own, slices and
 * spans; and a kernel for each. */
#ifndef TEST_ACCESSOR_LAYOUTS_H
#define TEST_ACCESSOR_LAYOUTS_H

/* The kernel `name` of name_of(codes, seed, sum), which uses the memory of a work item. */
#define KERNEL_OF(name, format)                                                                    \
    ROUTINE stn_u64 name(STN_MEM stn_##format *memory, STN_MEM stn_f32 *wide,                      \
                         STN_MEM stn_f32 *scales, stn_u64 item)                                    \
    {                                                                                              \
        STN_MEM stn_##format *const codes = memory + REGION * item;                                \
        (void)wide, (void)scales;                                                                  \
        fill_##format(codes, REGION, item << 20);                                                  \
        return fold_all_##format(name##_of(codes, item << 20, stn_hash_bits(item)), codes,         \
                                 REGION);                                                          \
    }

/* ---- strides ---- */

STN_ACCESSOR_STRIDED(strided_f16, 2, float, stn_f16)
STEPS(strided_f16, f32)
RUNS(strided_f16, f32)

ROUTINE stn_u64 strided_of(STN_MEM stn_f16 *codes, stn_u64 seed, stn_u64 sum)
{
    const stn_size extents[2] = {ROWS, COLUMNS}, strides[2] = {1, 5}, repeated[2] = {0, 3};
    const strided_f16 x = strided_f16_make(codes, extents, strides);
    const strided_f16 turned = strided_f16_transpose(strided_f16_reverse(x, 0), 0, 1);
    const strided_f16 thin = strided_f16_every(strided_f16_reverse(x, 1), 1, 3);
    const strided_f16 same = strided_f16_make(codes, extents, repeated);
    stn_f32 values[RUN];
    sum = strided_f16_runs(x, seed, strided_f16_steps(x, seed, sum));
    sum = strided_f16_runs(turned, seed + 1, strided_f16_steps(turned, seed + 1, sum));
    sum = strided_f16_runs(thin, seed + 2, strided_f16_steps(thin, seed + 2, sum));
    strided_f16_load(same, 1, 2, RUN, values);
    for (int k = 0; k < RUN; k++)
        sum = fold_f32(sum, values[k]);
    return sum;
}
KERNEL_OF(strided, f16)

/* ---- blocks by column, and column-major, of rank 3 ---- */

STN_ACCESSOR_BLOCK_COL_MAJOR(blocked_bf16, 3, float, stn_bf16)
STN_ACCESSOR_LEFT(left_i16, 3, float, int16_t)

#define CUBE_KERNEL(name, type, format, outer, inner)                                              \
    STEPS_3(type, f32)                                                                             \
    RUNS_3(type, f32)                                                                              \
    ROUTINE stn_u64 name##_of(STN_MEM stn_##format *codes, stn_u64 seed, stn_u64 sum)              \
    {                                                                                              \
        const stn_size extents[3] = {2, 5, 4}, strides[2] = {outer, inner};                        \
        const type dense = type##_dense(codes, 3, 4, 7);                                           \
        const type gapped = type##_make(codes, extents, strides);                                  \
        const type part = type##_sub(gapped, stn_all(), stn_span_of(1, 4), stn_span_of(2, 4));     \
        for (int d = 0; d < 4; d++)                                                                \
            sum = fold(sum, (stn_u64)(type##_stride(dense, d) + 64 * type##_length(part, d)));     \
        sum = type##_runs(dense, seed, type##_steps(dense, seed, sum));                            \
        sum = type##_runs(part, seed + 1, type##_steps(part, seed + 1, sum));                      \
        return sum;                                                                                \
    }                                                                                              \
    KERNEL_OF(name, format)

CUBE_KERNEL(blocked_cube, blocked_bf16, bf16, 25, 6)
MORE(CUBE_KERNEL(left_cube, left_i16, i16, 3, 16))

/* ---- extents, strides and widths of indices that the type knows ---- */

STN_ACCESSOR_STATIC(fixed_f16, 2, float, stn_f16, (4, 17), (20, 1))
STN_ACCESSOR_STATIC(wide_e5m2, 2, float, stn_e5m2, (STN_DYNAMIC, 8), (STN_DYNAMIC, 2))

#define STN_NAME       short_i8
#define STN_RANK       2
#define STN_REAL       float
#define STN_STORAGE    int8_t
#define STN_LAYOUT     LEFT
#define STN_INDEX_BITS 32
#include ACCESSOR_DEFINE

/* The rest of the arguments makes the accessor. */
#define KNOWN_KERNEL(name, type, format, ...)                                                      \
    STEPS(type, f32)                                                                               \
    RUNS(type, f32)                                                                                \
    ROUTINE stn_u64 name##_of(STN_MEM stn_##format *codes, stn_u64 seed, stn_u64 sum)              \
    {                                                                                              \
        const stn_size extents[2] = {4, 8}, stride[1] = {11};                                      \
        const type x = __VA_ARGS__;                                                                \
        (void)extents, (void)stride;                                                               \
        sum = fold(sum, (stn_u64)(type##_count(x) + 256 * type##_offset(x, 2, 3)));                \
        sum = type##_runs(x, seed, type##_steps(x, seed, sum));                                    \
        return sum;                                                                                \
    }                                                                                              \
    KERNEL_OF(name, format)

KNOWN_KERNEL(all_fixed, fixed_f16, f16, fixed_f16_make(codes, 0, 0))
MORE(KNOWN_KERNEL(part_fixed, wide_e5m2, e5m2, wide_e5m2_make(codes, extents, stride)))
KNOWN_KERNEL(short_indices, short_i8, i8, short_i8_make(codes, extents, stride))

/* ---- the least and the highest rank, slices ---- */

STN_ACCESSOR(row_f16, 1, float, stn_f16)
STN_ACCESSOR_STRIDED(column_f16, 1, float, stn_f16)
STN_ACCESSOR(eight_i8, 8, float, int8_t)
STN_ACCESSOR_SLICE(row_of_fixed, fixed_f16, 2, row_f16, 0x1)
STN_ACCESSOR_SLICE(column_of_fixed, fixed_f16, 2, column_f16, 0x2)

ROUTINE stn_u64 slices_of(STN_MEM stn_f16 *codes, stn_u64 seed, stn_u64 sum)
{
    const fixed_f16 x = fixed_f16_make(codes, 0, 0);
    const row_f16 row = row_of_fixed(x, stn_at(2), stn_span_of(1, 15));
    const column_f16 column = column_of_fixed(x, stn_all(), stn_at(4));
    stn_f32 values[RUN];
    (void)seed;
    for (int i = 0; i < 4; i++)
        sum = fold_f32(sum, column_f16_add(column, i, row_f16_get(row, 3 * i)));
    row_f16_load(row, 2, row_f16_length(row, 0) - 2, values);
    column_f16_store(column, 1, 3, values);
    column_f16_load(column, 0, 4, values);
    row_f16_store(row, 5, 4, values);
    return sum;
}
KERNEL_OF(slices, f16)

ROUTINE stn_u64 rank_eight_of(STN_MEM stn_i8 *codes, stn_u64 seed, stn_u64 sum)
{
    const eight_i8 x = eight_i8_dense(codes, 1, 2, 2, 1, 2, 3, 2, 2);
    const eight_i8 part = eight_i8_sub(x, stn_all(), stn_at(1), stn_all(), stn_all(), stn_at(1),
                                       stn_span_of(1, 3), stn_all(), stn_at(1));
    stn_f32 values[RUN];
    for (int k = 0; k < 48; k++)
        sum = fold_f32(sum, eight_i8_multiply(x, 0, k / 24, k / 24, 0, k / 12 % 2, k / 4 % 3,
                                              k / 2 % 2, k % 2, input_f32(seed + (stn_u64)k)));
    eight_i8_load(part, 0, 0, 0, 0, 0, 0, 0, 0, 8, values);
    eight_i8_store(x, 0, 1, 1, 0, 0, 1, 1, 1, 8, values);
    return sum;
}
KERNEL_OF(rank_eight, i8)

/* ---- twelve bits for an element: a code around 2048, times a step ---- */

STN_FN stn_f32 load_packed(const STN_MEM stn_u8 *data, stn_size index, stn_f32 step)
{
    const STN_MEM stn_u8 *const pair = data + index / 2 * 3;
    const int code = index % 2 ? pair[1] >> 4 | pair[2] << 4 : pair[0] | (pair[1] & 15) << 8;
    return (stn_f32)(code - 2048) * step;
}

STN_FN void store_packed(STN_MEM stn_u8 *data, stn_size index, stn_f32 value, stn_f32 step)
{
    STN_MEM stn_u8 *const pair = data + index / 2 * 3;
    const stn_f32 code = value / step;
    const int kept = code > -2048.0f ? code < 2047.0f ? (int)code + 2048 : 4095 : 0;
    if (index % 2) {
        pair[1] = (stn_u8)((pair[1] & 15) | (kept & 15) << 4);
        pair[2] = (stn_u8)(kept >> 4);
    } else {
        pair[0] = (stn_u8)(kept & 255);
        pair[1] = (stn_u8)((pair[1] & 240) | kept >> 8);
    }
}

STN_ACCESSOR_CUSTOM(packed, 2, float, stn_u8, stn_f32, load_packed, store_packed)
STEPS(packed, f32)
RUNS(packed, f32)

ROUTINE stn_u64 packed_bits_of(STN_MEM stn_u8 *codes, stn_u64 seed, stn_u64 sum)
{
    const packed x = packed_dense(codes, 4, 15, scale_f32(seed));
    const packed part = packed_sub(x, stn_span_of(1, 3), stn_span_of(3, 10));
    sum = packed_runs(x, seed, packed_steps(x, seed, sum));
    sum = packed_runs(part, seed + 1, packed_steps(part, seed + 1, sum));
    return sum;
}
KERNEL_OF(packed_bits, u8)

/* ---- one array for all work items, each of which has a column of it; spans ---- */

ROUTINE stn_u64 shared_array(STN_MEM stn_f16 *memory, STN_MEM stn_f32 *wide,
                             STN_MEM stn_f32 *scales, stn_u64 item)
{
    const int column = (int)item;
    const f16_f32 x = f16_f32_dense(memory, ROWS, ITEMS);
    const f32_f32 y = f32_f32_dense(wide, ROWS, ITEMS);
    stn_u64 sum = stn_hash_bits(item);
    (void)scales;
    for (int i = 0; i < ROWS; i++) {
        f16_f32_set(x, i, column, input_f32(item * ROWS + (stn_u64)i));
        f32_f32_set(y, i, column, input_f32(item + (stn_u64)i));
        f16_f32_axpy(input_f32(7), f16_f32_to_const(x), y, i, column);
        sum = fold_f32(sum, f32_f32_get(y, i, column));
    }
    return sum;
}

ROUTINE stn_u64 spans(STN_MEM stn_f16 *memory, STN_MEM stn_f32 *wide, STN_MEM stn_f32 *scales,
                      stn_u64 item)
{
    const stn_span a = stn_span_of((stn_size)(item % 5), (stn_size)(item % 5 + item % 3));
    const stn_span b = stn_span_of((stn_size)(item % 7), (stn_size)(item % 7 + 2));
    const f16_f32 x = f16_f32_dense(memory + REGION * item, 8, 10);
    const f16_f32 part = f16_f32_sub(x, a, b);
    stn_u64 sum = stn_hash_bits(item);
    (void)wide, (void)scales;
    sum = fold(sum, (stn_u64)(stn_span_is_valid(a) + 2 * stn_span_is_empty(a) +
                              4 * stn_span_equal(a, b) + 8 * stn_span_before(a, b) +
                              16 * stn_span_disjoint(a, b)));
    for (int d = 0; d < 3; d++)
        sum = fold(sum, (stn_u64)f16_f32_length(part, d));
    sum = fold(sum, (stn_u64)(f16_f32_data(part) - f16_f32_data(x)));
    return fold(sum, (stn_u64)(f16_f32_address(x, 1, 2) - f16_f32_data(x)));
}

/* clang-format off */
#define LAYOUT_LIST                              \
    ON_KERNEL(strided, f16, f32, f32)            \
    ON_KERNEL(blocked_cube, bf16, f32, f32)      \
    MORE(ON_KERNEL(left_cube, i16, f32, f32))    \
    ON_KERNEL(all_fixed, f16, f32, f32)          \
    MORE(ON_KERNEL(part_fixed, e5m2, f32, f32))  \
    ON_KERNEL(short_indices, i8, f32, f32)       \
    ON_KERNEL(slices, f16, f32, f32)             \
    MORE(ON_KERNEL(rank_eight, i8, f32, f32))    \
    ON_KERNEL(packed_bits, u8, f32, f32)         \
    MORE(ON_KERNEL(shared_array, f16, f32, f32)) \
    MORE(ON_KERNEL(spans, f16, f32, f32))
/* clang-format on */

#endif
