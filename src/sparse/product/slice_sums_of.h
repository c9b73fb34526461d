/* Include-as-template: sums of slices in arithmetic REAL; OF(name) is the name for this
 * arithmetic. The includer defines slice_code, OF(slice_values), the functions that open and read
 * them, and HAS_UNIFORM: whether form 0 reads uniform slices.
 *
 * Absent entries contribute -0: -0 + x is x, and fma(a, x, -0) is the product. The sum of a row
 * without entries is +0. V_PIECE rows from `from` on; entry e is in lane e % 32 of the tile of its
 * row. */
static __attribute__((noinline)) void OF(gather_some)(OF(piece) * some, const int32_t *at,
                                                      stn_slice_run run, int from, const REAL *x,
                                                      int has_gathers)
{
    const uint16_t *near = (const uint16_t *)(const void *)(at + 2) + from;
    const uint8_t *const bytes = (const uint8_t *)(at + 2) + from;
    uint16_t widened[V_PIECE];
    int32_t column[V_PIECE];
    for (int r = 0; r < V_PIECE && run == STN_SLICE_BYTES; r++)
        widened[r] = bytes[r];
    if (run == STN_SLICE_BYTES)
        near = widened;
    if (run == STN_SLICE_FAR) {
        *some = has_gathers ? OF(gather_far)(x, at + 1 + from) : OF(gather)(x, at + 1 + from);
        return;
    }
    for (int r = 0; r < V_PIECE && has_gathers; r++)
        column[r] = near[r];
    *some = has_gathers ? OF(gather_far)(x + at[1], column) : OF(gather_near)(x + at[1], near);
}

STN_FN OF(piece)
    OF(x_of)(const int32_t *at, stn_slice_run run, int from, const REAL *x, int has_gathers)
{
    OF(piece) some;
    if (run == STN_SLICE_RUNS)
        return OF(choose)(OF(values)(x + at[2] + from), OF(values)(x + at[1] + from),
                          (uint32_t)at[0] >> (STN_SLICE_ROWS + from));
    OF(gather_some)(&some, at, run, from, x, has_gathers);
    return some;
}

STN_FN OF(piece) OF(fold_slice)(OF(piece) * lane, int64_t width)
{
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < width; e++)
            lane[e] = OF(add_pieces)(lane[e], lane[e + half]);
    return lane[0];
}

/* V_PIECE rows of an interleaved slice. */
typedef struct OF(side) {
    const slice_code *codes; /* of the slice */
    const int32_t *word;
    const OF(slice_values) * values;
    const REAL *x;
    int from, form; /* form: a constant in the callers */
    int has_gathers;
} OF(side);

STN_FN OF(piece) OF(read_side)(const OF(side) s, int64_t e)
{
    return OF(read_entry)(s.codes, e, s.from, s.values, s.form);
}

/* The product of entry e. is_mixed is a constant in the callers. */
STN_FN OF(piece) OF(product)(const OF(side) s, int64_t e, int is_mixed)
{
    const OF(piece) value = OF(read_side)(s, e);
    const int32_t descriptor = s.word[1 + e], *const at = s.word + (descriptor >> 2);
    if (!is_mixed)
        return OF(times)(value, OF(values)(s.x + descriptor));
    return OF(choose)(
        OF(times)(value, OF(x_of)(at, (stn_slice_run)(descriptor & 3), s.from, s.x, s.has_gathers)),
        OF(repeat)((REAL)-0.0), (uint32_t)at[0] >> s.from);
}

/* Lanes l, l + 4, l + 8, ... in the order of the tree. Rows with fewer than 32 entries have fewer
 * lanes; no lane is kept in memory. */
STN_FN OF(piece) OF(sum_quarter)(const OF(side) s, int64_t l, int64_t width, int is_mixed)
{
    OF(piece) sum = OF(product)(s, l, is_mixed), other, last;
    if (l + 16 < width)
        sum = OF(add_pieces)(sum, OF(product)(s, l + 16, is_mixed));
    if (l + 8 < width) {
        other = OF(product)(s, l + 8, is_mixed);
        if (l + 24 < width)
            other = OF(add_pieces)(other, OF(product)(s, l + 24, is_mixed));
        sum = OF(add_pieces)(sum, other);
    }
    if (l + 4 >= width)
        return sum;
    other = OF(product)(s, l + 4, is_mixed);
    if (l + 20 < width)
        other = OF(add_pieces)(other, OF(product)(s, l + 20, is_mixed));
    if (l + 12 < width) {
        last = OF(product)(s, l + 12, is_mixed);
        if (l + 28 < width)
            last = OF(add_pieces)(last, OF(product)(s, l + 28, is_mixed));
        other = OF(add_pieces)(other, last);
    }
    return OF(add_pieces)(sum, other);
}

STN_FN OF(piece) OF(sum_few)(const OF(side) s, int64_t width, int is_mixed)
{
    if (width == 0)
        return OF(repeat)(0);
    OF(piece) even = OF(sum_quarter)(s, 0, width, is_mixed), odd;
    if (width > 2)
        even = OF(add_pieces)(even, OF(sum_quarter)(s, 2, width, is_mixed));
    if (width == 1)
        return even;
    odd = OF(sum_quarter)(s, 1, width, is_mixed);
    if (width > 3)
        odd = OF(add_pieces)(odd, OF(sum_quarter)(s, 3, width, is_mixed));
    return OF(add_pieces)(even, odd);
}

/* Rows of stencils have few entries: loops without branches. */
STN_FN OF(piece) OF(sum_width)(const OF(side) s, int64_t width)
{
    switch (width) {
    case 3:
        return OF(sum_few)(s, 3, 0);
    case 5:
        return OF(sum_few)(s, 5, 0);
    case 7:
        return OF(sum_few)(s, 7, 0);
    default:
        return OF(sum_few)(s, width, 0);
    }
}

STN_FN OF(piece) OF(sum_straight)(const OF(side) s)
{
    OF(piece) lane[STN_LANES];
    const int64_t width = stn_slice_width(s.word);
    if (width <= STN_LANES)
        return OF(sum_width)(s, width);
    for (int64_t e = 0; e < width; e++) {
        const OF(piece) before = e < STN_LANES ? OF(repeat)((REAL)-0.0) : lane[e % STN_LANES];
        lane[e % STN_LANES] = OF(fma)(OF(read_side)(s, e), OF(values)(s.x + s.word[1 + e]), before);
    }
    return OF(fold_slice)(lane, width);
}

/* The same for entries that only some rows have. */
STN_FN OF(piece) OF(sum_mixed_lanes)(const OF(side) s, int64_t width)
{
    OF(piece) lane[STN_LANES];
    for (int64_t e = 0; e < width; e++) {
        const int32_t descriptor = s.word[1 + e], *const at = s.word + (descriptor >> 2);
        const OF(piece) b =
            OF(x_of)(at, (stn_slice_run)(descriptor & 3), s.from, s.x, s.has_gathers);
        const OF(piece) before = e < STN_LANES ? OF(repeat)((REAL)-0.0) : lane[e % STN_LANES];
        lane[e % STN_LANES] =
            OF(choose)(OF(fma)(OF(read_side)(s, e), b, before), before, (uint32_t)at[0] >> s.from);
    }
    return OF(fold_slice)(lane, width);
}

STN_FN OF(piece) OF(sum_mixed_few)(const OF(side) s, int64_t width)
{
    if (width > MAX_UNROLLED)
        __builtin_unreachable();
    return OF(sum_few)(s, width, 1);
}

STN_FN OF(piece) OF(sum_mixed)(const OF(side) s)
{
    const int64_t width = stn_slice_width(s.word);
    if (width == 0)
        return OF(repeat)(0);
    const unsigned any = (uint32_t)s.word[s.word[1] >> 2] >> s.from;
    return OF(choose)(width <= MAX_UNROLLED ? OF(sum_mixed_few)(s, width)
                                            : OF(sum_mixed_lanes)(s, width),
                      OF(repeat)(0), any);
}

STN_FN void OF(run_slices)(double *sums, const stn_slices *slices, int64_t first, int64_t count,
                           const REAL *x, int form)
{
    const OF(slice_values) values = OF(open_values)(slices);
    const int has_gathers = slices->entries->has_gathers;
    for (int64_t r = 0; r < count; r += STN_SLICE_ROWS) {
        const int64_t *const start = slices->start + (first + r) / STN_SLICE_ROWS * 2;
        const slice_code *const codes = codes_at(slices, start[0], form);
        const int32_t *const word = slices->word + start[1];
        const int kind = word[0] & 3;
        if (kind == STN_SLICE_NARROW || kind == STN_SLICE_WIDE) {
            stn_sum_consecutive(sums + r, slices, first + r, x);
            continue;
        }
        for (int from = 0; from < STN_SLICE_ROWS; from += V_PIECE) {
            const int is_straight = kind == STN_SLICE_STRAIGHT;
            if (HAS_UNIFORM && stn_slice_is_uniform(word)) {
                const OF(side) u = {codes, word, &values, x + from, from, 0, 0};
                OF(put)(sums + r + from, OF(sum_straight)(u));
                continue;
            }
            const OF(side)
                s = {codes, word, &values, is_straight ? x + from : x, from, form, has_gathers};
            OF(put)(sums + r + from, is_straight ? OF(sum_straight)(s) : OF(sum_mixed)(s));
        }
    }
}
