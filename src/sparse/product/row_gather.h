/* Sums of rows by gather instructions, on processors where these take less time than the
 * loads and shuffles that they replace. Codes are converted in registers. Entries that rows do not
 * have are masked: entry e of a vector is present if bit e is set. Included by row_tile.c.
 *
 * Groups of short rows store the products of their entries first, because a row of a few entries
 * takes as long as a complete vector. */

STN_FN vf64 gather_present_f64(const double *x, const int32_t *column, unsigned present)
{
    const __mmask8 mask = (__mmask8)present;
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask,
                                    _mm256_maskz_loadu_epi32(mask, column), x, sizeof *x);
}

STN_FN vf32 gather_present_f32(const float *x, const int32_t *column, unsigned present)
{
    const __mmask16 mask = (__mmask16)present;
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask,
                                    _mm512_maskz_loadu_epi32(mask, column), x, sizeof *x);
}

/* sum + a x, and `sum` where no entry is present. */
STN_FN vf64 fuse_present_f64(vf64 a, vf64 x, vf64 sum, unsigned present)
{
    return _mm512_mask3_fmadd_pd(a, x, sum, (__mmask8)present);
}

STN_FN vf32 fuse_present_f32(vf32 a, vf32 x, vf32 sum, unsigned present)
{
    return _mm512_mask3_fmadd_ps(a, x, sum, (__mmask16)present);
}

STN_FN vf64 multiply_present_f64(vf64 a, vf64 x, unsigned present)
{
    return _mm512_mask_mul_pd(_mm512_set1_pd(-0.0), (__mmask8)present, a, x);
}

STN_FN vf32 multiply_present_f32(vf32 a, vf32 x, unsigned present)
{
    return _mm512_mask_mul_ps(_mm512_set1_ps(-0.0f), (__mmask16)present, a, x);
}

/* Values, or codes, after which STN_LANES more may be read. */
STN_FN vf64 load_present_f64(const char *codes, unsigned present, stn_row_form form)
{
#define LOAD(NAME, name)                                                                           \
    case STN_ROW_##NAME:                                                                           \
        return v_load_##name##_f64(codes).low;
    switch (form) {
    case STN_ROW_VALUES:
        return _mm512_maskz_loadu_pd((__mmask8)present, codes);
    case STN_ROW_FLOATS:
        return _mm512_cvtps_pd(_mm256_maskz_loadu_ps((__mmask8)present, codes));
        STN_ROW_FORMATS(LOAD)
    default:
        return load_upper_f64(codes).low;
    }
#undef LOAD
}

STN_FN vf32 load_present_f32(const char *codes, unsigned present, stn_row_form form)
{
    (void)form;
    return _mm512_maskz_loadu_ps((__mmask16)present, codes);
}

STN_FN int64_t form_bytes(stn_row_form form)
{
    switch (form) {
    case STN_ROW_VALUES:
        return sizeof(value);
    case STN_ROW_FLOATS:
    case STN_ROW_UPPERS:
        return 4;
    case STN_ROW_I8:
        return 1;
    default:
        return 2;
    }
}

/* Consecutive entries of one form, a constant. */
typedef struct gathered {
    const char *codes;
    const int32_t *column;
    const value *x;
    stn_row_form form;
} gathered;

STN_FN gathered entries_from(gathered s, int64_t e)
{
    s.codes += e * form_bytes(s.form);
    s.column += e;
    return s;
}

/* Prefetches at the distance of fetch_ahead, once per line of codes and of columns. Part of the
 * code for a vector: loops over the lines of a row would be additional branches that processors
 * predict wrongly. */
STN_FN void fetch_vector(gathered s, int v)
{
    const uintptr_t ahead = (uintptr_t)stn_tuned_sparse;
    const gathered from = entries_from(s, v * WIDTH);
    if (v * WIDTH * form_bytes(s.form) % STN_LINE == 0)
        __builtin_prefetch((const void *)((uintptr_t)from.codes + ahead), 0, 3);
    if (v * WIDTH * (int64_t)sizeof *s.column % STN_LINE == 0)
        __builtin_prefetch((const void *)((uintptr_t)from.column + ahead / 2), 0, 3);
}

STN_FN unsigned lanes_of(unsigned present, int v)
{
    return present >> v * WIDTH % STN_LANES;
}

STN_FN vector multiply_vector(gathered s, int v, unsigned present)
{
    const gathered from = entries_from(s, v * WIDTH);
    const unsigned lanes = lanes_of(present, v);
    fetch_vector(s, v);
    return OF(multiply_present)(OF(load_present)(from.codes, lanes, s.form),
                                OF(gather_present)(from.x, from.column, lanes), lanes);
}

STN_FN vector fuse_vector(gathered s, int v, vector sum, unsigned present)
{
    const gathered from = entries_from(s, v * WIDTH);
    const unsigned lanes = lanes_of(present, v);
    fetch_vector(s, v);
    return OF(fuse_present)(OF(load_present)(from.codes, lanes, s.form),
                            OF(gather_present)(from.x, from.column, lanes), sum, lanes);
}

/* The lanes of a row of up to STN_LANES entries, added to those of one vector. */
STN_FN vector multiply_row(gathered s, int64_t count)
{
    const unsigned present = (unsigned)((UINT64_C(1) << count) - 1), all = ~0u;
    if (count <= WIDTH)
        return multiply_vector(s, 0, present);
    const vector first = multiply_vector(s, 0, all);
    if (VECTORS == 2 || count <= 2 * WIDTH)
        return OF(v_add)(first, multiply_vector(s, 1, present));
    const vector second = multiply_vector(s, 1, all);
    if (count <= 3 * WIDTH)
        return OF(v_add)(OF(v_add)(first, multiply_vector(s, 2, present)), second);
    const vector even = OF(v_add)(first, multiply_vector(s, 2, all));
    return OF(v_add)(even, OF(v_add)(second, multiply_vector(s, 3, present)));
}

#define FUSE(v)                                                                                    \
    if ((v) < VECTORS)                                                                             \
        lanes[v] = fuse_vector(s, v, lanes[v], ~0u);
#define FUSE_PRESENT(v)                                                                            \
    if ((v) < VECTORS) {                                                                           \
        if ((v)*WIDTH >= count) /* one branch that processors predict wrongly */                   \
            goto added;                                                                            \
        lanes[v] = fuse_vector(s, v, lanes[v], present);                                           \
    }

/* The same of up to a tile. */
STN_FN vector fuse_row(gathered s, int64_t count)
{
    vector lanes[STN_LANES];
    FOR_VECTORS(CLEAR)
    for (; count >= STN_LANES; count -= STN_LANES) {
        FOR_VECTORS(FUSE)
        s = entries_from(s, STN_LANES);
    }
    const unsigned present = (1u << count) - 1;
    FOR_VECTORS(FUSE_PRESENT)
added:
    FOLD_ALL
    return lanes[0];
}

STN_FN vector gather_row(gathered s, int64_t count)
{
    return count <= STN_LANES ? multiply_row(s, count) : fuse_row(s, count);
}

STN_FN void gather_group(double *sums, gathered s, const int64_t *start)
{
    vector rows[GROUP];
    for (int r = 0; r < GROUP; r++)
        rows[r] = gather_row(entries_from(s, start[r] - start[0]), start[r + 1] - start[r]);
    OF(fold_rows)(sums, rows);
    clear_empty(sums, start);
}

/* Entries of a group whose products are stored first. */
enum { SHORT_GROUP = GROUP * STN_LANES / (VECTORS == 2 ? 4 : 2) };

STN_FN int is_short_group(const int64_t *start)
{
    return start[GROUP] - start[0] <= SHORT_GROUP && !has_more_entries(start, STN_LANES);
}

/* Sums complete groups of short rows, and returns the number of rows. */
STN_FN int64_t gather_short_groups(double *sums, gathered s, const int64_t *start, int64_t rows)
{
    _Alignas(64) value products[PRODUCTS + STN_LANES];
    int64_t end = 0;
    while (end + GROUP <= rows && start[end + GROUP] - start[0] <= PRODUCTS &&
           is_short_group(start + end))
        end += GROUP;
    const int64_t count = start[end] - start[0];
    for (int64_t k = 0; k < count; k += WIDTH) {
        const gathered from = entries_from(s, k);
        const vector product =
            multiply_vector(from, 0, count - k < WIDTH ? (1u << (count - k)) - 1 : ~0u);
        memcpy(products + k, &product, sizeof product);
    }
    sum_groups_of_products(sums, products, start, end);
    return end;
}

/* Rows of one length, with fewer entries than this, are summed faster by code for their number. */
STN_FN int least_gathered(stn_row_form form)
{
    switch (form) {
    case STN_ROW_VALUES:
        return sizeof(value) == sizeof(float) ? 12 : 14;
    case STN_ROW_FLOATS:
        return 8;
    default:
        return 6;
    }
}

/* Sums rows up to one that has more than a tile of entries, and returns its index. */
STN_FN int64_t gather_rows(double *sums, const stn_row_tile *these, stn_row_form form)
{
    const int64_t *const start = these->start, rows = these->rows;
    const gathered all = {form == STN_ROW_VALUES ? these->values : these->codes, these->column,
                          these->x, form};
    int64_t r = 0, count;
    for (; r + GROUP <= rows; r += count) {
        const gathered s = entries_from(all, start[r] - start[0]);
        count = gather_short_groups(sums + r, s, start + r, rows - r);
        if (count > 0)
            continue;
        if (has_more_entries(start + r, STN_TILE_ELEMENTS))
            break;
        gather_group(sums + r, s, start + r);
        count = GROUP;
    }
    for (; r < rows && start[r + 1] - start[r] <= STN_TILE_ELEMENTS; r++) {
        count = start[r + 1] - start[r];
        sums[r] =
            count == 0
                ? 0.0
                : (double)OF(v_sum)(gather_row(entries_from(all, start[r] - start[0]), count));
    }
    return r;
}

#define DEFINE_GATHER(NAME, name)                                                                  \
    static __attribute__((noinline))                                                               \
    int64_t gather_##name(double *sums, const stn_row_tile *these)                                 \
    {                                                                                              \
        return gather_rows(sums, these, STN_ROW_##NAME);                                           \
    }
DEFINE_GATHER(VALUES, values)
DEFINE_GATHER(FLOATS, floats)
DEFINE_GATHER(UPPERS, uppers)
STN_ROW_FORMATS(DEFINE_GATHER)

STN_FN int64_t sum_gathered(double *sums, const stn_row_tile *these)
{
#define GATHER(NAME, name)                                                                         \
    case STN_ROW_##NAME:                                                                           \
        return gather_##name(sums, these);
    if (sizeof(value) == sizeof(float))
        return gather_values(sums, these);
    switch (these->form) {
        GATHER(VALUES, values)
        GATHER(FLOATS, floats)
        STN_ROW_FORMATS(GATHER)
    default:
        return gather_uppers(sums, these);
    }
#undef GATHER
}

STN_FN int is_gathered(const stn_row_tile *these)
{
    return these->has_gathers &&
           (these->are_irregular || these->start[these->rows] - these->start[0] >=
                                        these->rows * least_gathered(these->form));
}
