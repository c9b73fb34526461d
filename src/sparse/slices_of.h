/* Include-as-template: the sums of slices in arithmetic REAL, where OF(name) is what a name is in
 * it.
 *
 * -0 + x is x, and fma(a, x, -0) the product: what is absent is -0. A row without entries is +0.
 * V_PIECE rows from `from` on; entry e is in lane e % 32 of its row's tile. */
STN_FN OF(piece) OF(x_of)(const int32_t *at, stn_slice_run run, int from, const REAL *x)
{
    const uint16_t *const near = (const uint16_t *)(const void *)(at + 2) + from;
    if (run == STN_SLICE_RUNS)
        return OF(choose)(OF(values)(x + at[2] + from), OF(values)(x + at[1] + from),
                          (uint32_t)at[0] >> (STN_SLICE_ROWS + from));
    if (run == STN_SLICE_FAR)
        return OF(gather)(x, at + 1 + from);
    return OF(gather_near)(x + at[1], near);
}

STN_FN OF(piece) OF(fold_slice)(OF(piece) * lane, int64_t width)
{
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < width; e++)
            lane[e] = OF(add_pieces)(lane[e], lane[e + half]);
    return lane[0];
}

/* Entry e of a straight slice; and lanes l, l + 4, l + 8, ..., as the tree folds them: those of
 * fewer than 32 entries are what there is of them, and no lane is kept in memory. */
STN_FN OF(piece) OF(product)(const code *codes, const int32_t *word, int64_t e,
                             const OF(affine) * affine, const REAL *x, int plain)
{
    return OF(times)(OF(read)(codes + e * STN_SLICE_ROWS, affine, plain),
                     OF(values)(x + word[1 + e]));
}

STN_FN OF(piece) OF(sum_quarter)(const code *codes, const int32_t *word, int64_t l, int64_t width,
                                 const OF(affine) * affine, const REAL *x, int plain)
{
#define PRODUCT(e) OF(product)(codes, word, e, affine, x, plain)
    OF(piece) sum = PRODUCT(l), other, last;
    if (l + 16 < width)
        sum = OF(add_pieces)(sum, PRODUCT(l + 16));
    if (l + 8 < width) {
        other = PRODUCT(l + 8);
        if (l + 24 < width)
            other = OF(add_pieces)(other, PRODUCT(l + 24));
        sum = OF(add_pieces)(sum, other);
    }
    if (l + 4 >= width)
        return sum;
    other = PRODUCT(l + 4);
    if (l + 20 < width)
        other = OF(add_pieces)(other, PRODUCT(l + 20));
    if (l + 12 < width) {
        last = PRODUCT(l + 12);
        if (l + 28 < width)
            last = OF(add_pieces)(last, PRODUCT(l + 28));
        other = OF(add_pieces)(other, last);
    }
    return OF(add_pieces)(sum, other);
#undef PRODUCT
}

STN_FN OF(piece) OF(sum_few)(const code *codes, const int32_t *word, int64_t width,
                             const OF(affine) * affine, const REAL *x, int plain)
{
    static const int8_t order[] = {0, 2, 1, 3};
    OF(piece) even = OF(repeat)((REAL)-0.0), odd = even;
    if (width == 0)
        return OF(repeat)(0);
    for (int k = 0; k < 4; k++)
        if (order[k] < width) {
            const OF(piece) sum = OF(sum_quarter)(codes, word, order[k], width, affine, x, plain);
            if (k < 2)
                even = OF(add_pieces)(even, sum);
            else
                odd = OF(add_pieces)(odd, sum);
        }
    return OF(add_pieces)(even, odd);
}

STN_FN OF(piece) OF(sum_straight)(const code *codes, const int32_t *word, const OF(affine) * affine,
                                  const REAL *x, int plain)
{
    OF(piece) lane[STN_LANES];
    const int64_t width = word[0] / 4;
    if (width <= STN_LANES)
        return OF(sum_few)(codes, word, width, affine, x, plain);
    for (int64_t e = 0; e < width; e++) {
        const OF(piece) a = OF(read)(codes + e * STN_SLICE_ROWS, affine, plain);
        const OF(piece) before = e < STN_LANES ? OF(repeat)((REAL)-0.0) : lane[e % STN_LANES];
        lane[e % STN_LANES] = OF(fma)(a, OF(values)(x + word[1 + e]), before);
    }
    return OF(fold_slice)(lane, width);
}

STN_FN OF(piece) OF(sum_mixed)(const code *codes, const int32_t *word, int from,
                               const OF(affine) * affine, const REAL *x, int plain)
{
    OF(piece) lane[STN_LANES];
    const int64_t width = word[0] / 4;
    for (int64_t e = 0; e < width; e++) {
        const int32_t *const at = word + word[1 + e] / 4;
        const OF(piece) a = OF(read)(codes + e * STN_SLICE_ROWS, affine, plain);
        const OF(piece) b = OF(x_of)(at, (stn_slice_run)(word[1 + e] % 4), from, x);
        const OF(piece) before = e < STN_LANES ? OF(repeat)((REAL)-0.0) : lane[e % STN_LANES];
        lane[e % STN_LANES] = OF(choose)(OF(fma)(a, b, before), before, (uint32_t)at[0] >> from);
    }
    if (width == 0)
        return OF(repeat)(0);
    const unsigned any = (uint32_t)word[word[1] / 4] >> from;
    return OF(choose)(OF(fold_slice)(lane, width), OF(repeat)(0), any);
}

/* Where columns are told is known to each of the two calls, and loops are made for it. */
STN_FN double OF(row_of_slice)(const code *codes, const int32_t *word, int64_t begin, int64_t count,
                               int64_t readable, const OF(affine) * affine, const REAL *x,
                               int plain)
{
    const int32_t *const wide = word + STN_SLICE_COLUMNS;
    const uint16_t *const narrow = (const uint16_t *)(const void *)wide;
    const REAL *const base = x + word[STN_SLICE_COLUMNS - 1];
    if (word[0] % 4 == STN_SLICE_NARROW)
        return OF(row)((entries){codes, NULL, narrow + begin, count, readable, 1}, affine, base,
                       plain);
    return OF(row)((entries){codes, wide + begin, NULL, count, readable, 0}, affine, x, plain);
}

STN_FN void OF(sum_row_by_row)(double *sums, const code *codes, const int32_t *word,
                               int64_t readable, const OF(affine) * affine, const REAL *x,
                               int plain)
{
    for (int64_t r = 0, begin = 0; r < STN_SLICE_ROWS; begin = word[1 + r++])
        sums[r] = OF(row_of_slice)(codes + begin, word, begin, word[1 + r] - begin,
                                   readable - begin, affine, x, plain);
}

STN_FN void OF(run_slices)(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                           const REAL *x, int plain)
{
    const OF(affine) affine = OF(take_affine)(&rows->affine);
    for (int64_t r = 0; r < count; r += STN_SLICE_ROWS) {
        const int64_t *const start = rows->start + (first + r) / STN_SLICE_ROWS * 2;
        const code *const codes = (const code *)rows->codes + start[0];
        const int32_t *const word = rows->index + start[1];
        const int kind = word[0] % 4;
        const int64_t slots = start[2] - start[0];
        if (kind == STN_SLICE_NARROW || kind == STN_SLICE_WIDE) {
            OF(sum_row_by_row)(sums + r, codes, word, rows->entries - start[0], &affine, x, plain);
            continue;
        }
        fetch_codes(codes, slots < FETCHED ? slots : FETCHED);
        for (int from = 0; from < STN_SLICE_ROWS; from += V_PIECE)
            OF(put)
        (sums + r + from, kind == STN_SLICE_STRAIGHT
                              ? OF(sum_straight)(codes + from, word, &affine, x + from, plain)
                              : OF(sum_mixed)(codes + from, word, from, &affine, x, plain));
    }
}

static void OF(slices)(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                       const void *x)
{
    STN_BY_PLAIN(rows->affine.plain, OF(run_slices), sums, rows, first, count, x);
}
