/* dot_tile of block_sums.c: sums of a tile in integers, if codes are small integers and no partial
 * sum can need more than 53 bits. */
/* clang-format off */
#include STN_HEADER(format/vec/exact, STN_ISA)
/* clang-format on */

/* Neighbors of products in 32 bits, converted and scaled. */
STN_FN void add_scaled(vf64 *sums, vb integers, vf64 scale)
{
    const vf64x2 x = v_i32_to_f64((vi32)integers);
    sums[0] = v_fma_f64(x.low, scale, sums[0]);
    sums[1] = v_fma_f64(x.high, scale, sums[1]);
}

STN_FN double total(const vf64 *sums)
{
    return v_sum_f64(v_add_f64(sums[0], sums[1]));
}

#if defined(HAS_WORDS)
STN_FN double dot_tile(stn_blocks x, stn_blocks y)
{
    double factors[TILE_BLOCKS];
    vf64 sums[2] = {v_set_f64(0.0), v_set_f64(0.0)};
    int are_near;
    const int is_exact = multiply_scales(factors, x, y, WORDS_SHIFT, &are_near);
    if (__builtin_expect(!is_exact || !are_near, 0))
        return dot_products(x, y);
    fetch_tile(x, stn_tuned_ahead);
    fetch_tile(y, stn_tuned_ahead);
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++) {
        const stn_blocks u = stn_blocks_from(x, b), v = stn_blocks_from(y, b);
        vb products = v_zero_b();
        STN_UNROLL(16)
        for (int e = 0; e < ELEMENTS; e += V_BYTES / 2)
            products =
                v_add_i32(products, v_pairs_i16(load_words(u.codes, e), load_words(v.codes, e)));
        add_scaled(sums, products, v_set_f64(factors[b]));
    }
    const double sum = total(sums);
    return sum != 0.0 ? sum : dot_values_f64(x, y);
}
#elif defined(HAS_NIBBLES) && defined(V_LOOKUP_B)
/* The lower nibbles of V_BYTES / 2 bytes, then the upper ones. */
STN_FN vb load_nibbles(const void *p)
{
#    if defined(__AVX512F__)
    const vb down = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
    const vb twice = _mm512_broadcast_i64x4(_mm256_loadu_si256(p));
    return v_and_b(_mm512_srlv_epi64(twice, down), 15);
#    else
    const vb down = _mm256_setr_epi64x(0, 0, 4, 4);
    const vb twice = _mm256_broadcastsi128_si256(_mm_loadu_si128(p));
    return v_and_b(_mm256_srlv_epi64(twice, down), 15);
#    endif
}

/* Twice the values: magnitudes by a code, and values by a code whose sign is that of the product.
 */
STN_FN vb multiply_nibbles(vb x, vb y)
{
    static const int8_t magnitudes[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, 1, 2, 3, 4, 6, 8, 12};
    static const int8_t values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    const vb signed_code = y ^ v_and_b(x, 8);
    return v_pairs_i16(v_pairs_b(v_lookup_b(magnitudes, x), v_lookup_b(values, signed_code)),
                       v_set_i16(1));
}

/* The scale of each integer of 32 bits, which has the products of 4 adjacent bytes. */
STN_FN vf64 spread_scales(const double *scales)
{
    vf64 lanes;
    STN_UNROLL(16)
    for (int k = 0; k < (int)(sizeof lanes / sizeof(double)); k++)
        lanes[k] = scales[4 * k / CODE_BYTES];
    return lanes;
}

#    ifdef ANY_SCALES
/* Scales are multiples of 2^-9 below 2^9: all sums of a tile are exact. */
STN_FN int multiply_scales(double *factors, stn_blocks x, stn_blocks y, int unit, int *are_near)
{
    const double power = power_of_two(unit);
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++)
        factors[b] = read_scale(x.scales + b * x.scale_step) *
                     (read_scale(y.scales + b * y.scale_step) * power);
    return *are_near = 1;
}
#    endif

STN_FN double dot_tile(stn_blocks x, stn_blocks y)
{
    enum { BYTES = V_BYTES / 2 };
    double scales[TILE_BLOCKS];
    vf64 sums[2] = {v_set_f64(0.0), v_set_f64(0.0)};
    int are_near;
    const int is_exact = multiply_scales(scales, x, y, -2, &are_near); /* twice the values */
    if (__builtin_expect(!is_exact || !are_near, 0))
        return dot_products(x, y);
    fetch_tile(x, stn_tuned_ahead);
    fetch_tile(y, stn_tuned_ahead);
    STN_UNROLL(16)
    for (int at = 0; at < TILE_BLOCKS * CODE_BYTES; at += BYTES) {
        const vb products =
            multiply_nibbles(load_nibbles(x.codes + at), load_nibbles(y.codes + at));
        add_scaled(sums, products, spread_scales(scales + at / CODE_BYTES));
    }
    const double sum = total(sums);
    return isfinite(sum) && sum != 0.0 ? sum : dot_values_f64(x, y);
}
#else
#    define dot_tile dot_products
#endif
