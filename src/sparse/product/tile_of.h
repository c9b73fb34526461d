/* Include-as-template: sums of a tile for WIDTH numbers of a row of x, which are real right-hand
 * sides or parts of complex numbers. OF(name) is the name for this width, TURN(x) exchanges the
 * parts in a vector, SIGNS are the signs of the parts.
 *
 * Complex products are re re - im im, and re im + im re. Absent entries contribute -0, which
 * changes no sum. */
typedef value OF(vector)
    __attribute__((vector_size(WIDTH * sizeof(value)), aligned(sizeof(value)), may_alias));

/* The first product of a lane. Vectors are passed by address, because some are wider than
 * registers. */
STN_FN void OF(multiply)(OF(vector) * product, entries s, int64_t e, int is_complex)
{
    const OF(vector) same = *(const OF(vector) *)x_of(s, e), signs = {SIGNS};
    const value *const a = value_of(s, e, is_complex);
    *product = is_complex ? a[0] * same + (a[1] * signs) * TURN(same) : a[0] * same;
}

STN_FN void OF(fuse)(value *to, const value *a, const value *x)
{
#pragma omp simd
    for (int j = 0; j < WIDTH; j++)
        to[j] = FUSE(a[j], x[j], to[j]);
}

/* Adds the subsequent products of a lane. */
STN_FN void OF(add)(value *to, entries s, int64_t e, int is_complex)
{
    const OF(vector) none = {0}, signs = {SIGNS};
    const OF(vector) x = *(const OF(vector) *)x_of(s, e);
    const value *const a = value_of(s, e, is_complex);
    const OF(vector) same = a[0] - none; /* + would turn -0 into 0 */
    OF(fuse)(to, (const value *)&same, (const value *)&x);
    if (is_complex) {
        const OF(vector) other = a[1] * signs, turned = TURN(x);
        OF(fuse)(to, (const value *)&other, (const value *)&turned);
    }
}

STN_FN void OF(sum_short)(OF(vector) * sum, entries s, int64_t count, int is_complex)
{
    const OF(vector) nothing = {0};
    OF(vector) four[4], other;
    _Pragma("GCC unroll 4") for (int e = 0; e < 4; e++)
    {
        four[e] = -nothing;
        if (e < count)
            OF(multiply)(&four[e], s, e, is_complex);
        if (e + 4 < count) {
            OF(multiply)(&other, s, e + 4, is_complex);
            four[e] += other;
        }
    }
    *sum = (four[0] + four[2]) + (four[1] + four[3]);
}

STN_FN void OF(sum_long)(OF(vector) * sum, entries s, int64_t count, int is_complex)
{
    OF(vector) lane[STN_LANES];
    const int64_t first = count < STN_LANES ? count : STN_LANES;
    for (int64_t e = 0; e < first; e++)
        OF(multiply)(&lane[e], s, e, is_complex);
    for (int64_t e = STN_LANES; e < count; e++)
        OF(add)((value *)&lane[e % STN_LANES], s, e, is_complex);
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2)
        for (int64_t e = 0; e < half && e + half < first; e++)
            lane[e] += lane[e + half];
    *sum = lane[0];
}

STN_FN void OF(sum)(double *sums, entries s, int64_t count, int is_complex)
{
    OF(vector) sum;
    if (count <= SHORT_ROW)
        OF(sum_short)(&sum, s, count, is_complex);
    else
        OF(sum_long)(&sum, s, count, is_complex);
    put_sums(sums, (const value *)&sum, WIDTH);
}

/* Steps of 1 are constants in separate loops. */
STN_FN void OF(sum_steps)(double *sums, const void *values, const int32_t *column,
                          const int64_t *steps, int64_t count, const void *x, int is_complex)
{
    if (steps) {
        const entries s = {values, column, x, steps[0], steps[1], steps[2]};
        OF(sum)(sums, s, count, is_complex);
    } else {
        const entries s = {values, column, x, 1, 1, WIDTH};
        OF(sum)(sums, s, count, is_complex);
    }
}

static void OF(real)(double *sums, const void *values, const int32_t *column, const int64_t *steps,
                     int64_t count, const void *x)
{
    OF(sum_steps)(sums, values, column, steps, count, x, 0);
}

static void OF(complex)(double *sums, const void *values, const int32_t *column,
                        const int64_t *steps, int64_t count, const void *x)
{
    OF(sum_steps)(sums, values, column, steps, count, x, 1);
}
