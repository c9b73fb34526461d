/* Sums of rows of up to a tile of entries in arithmetic STN_FORMAT, f64 or f32, on STN_ISA.
 *
 * Up to 32 entries, each lane has one product, and the sum is a tree of products. Such rows have
 * code for their number of entries, in which products stay in scalar registers: loads of x cost as
 * much as all other instructions together, and there is no chain of dependent additions. In longer
 * rows, each lane is one of a vector. If lengths vary without pattern, so that processors predict
 * them wrongly, products of the entries of several rows are stored first, without regard to the
 * rows, and 8 rows are summed together. Absent lanes are -0. Processors with fast gather
 * instructions sum most rows as masked vectors instead (row_gather.h).
 *
 * Codes are converted by vectors into a buffer of one row, or of a group of rows, which is read
 * from there. */
#include "sparse/product/row_tile.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "order/fold.h"

typedef code value;

#define OF__(name, format) name##_##format
#define OF_(name, format)  OF__(name, format)
#define OF(name)           OF_(name, STN_FORMAT)
#define VECTOR__(format)   v##format
#define VECTOR_(format)    VECTOR__(format)

typedef VECTOR_(STN_FORMAT) vector;
enum { WIDTH = sizeof(vector) / sizeof(value), VECTORS = STN_LANES / WIDTH };
typedef value wide __attribute__((vector_size(sizeof(vector))));
enum { FETCHED = STN_LINE / sizeof(double) }; /* entries of a line of values */

/* The loops are compiled for values, for floats, and for codes of all formats. `kind` is a constant
 * in all callers. */
typedef enum loop_kind { VALUES, FLOATS, CODES } loop_kind;

STN_FN int64_t bytes_of(loop_kind kind)
{
    return kind == FLOATS ? (int64_t)sizeof(float) : (int64_t)sizeof(value);
}

STN_FN const void *values_from(const void *values, int64_t e, loop_kind kind)
{
    return (const char *)values + e * bytes_of(kind);
}

STN_FN value value_at(const void *values, int e, loop_kind kind)
{
    return kind == FLOATS ? (value)((const float *)values)[e] : ((const value *)values)[e];
}

STN_FN vector load(const void *values, loop_kind kind)
{
    typedef float floats __attribute__((vector_size(WIDTH * sizeof(float))));
    vector some;
    floats narrow;
    if (kind == FLOATS) {
        memcpy(&narrow, values, sizeof narrow);
        some = (vector) __builtin_convertvector(narrow, wide);
    } else {
        memcpy(&some, values, sizeof some);
    }
    return some;
}

/* Prefetches the lines that contain the codes and columns of subsequent rows, at a distance of
 * `count` entries from these: short rows are summed faster than hardware prefetchers follow. */
STN_FN void fetch_ahead(const char *codes, int64_t code_bytes, const int32_t *column, int count)
{
    const uintptr_t ahead = (uintptr_t)stn_tuned_sparse;
    for (int e = 0; e < count; e += FETCHED) {
        const uintptr_t from = (uintptr_t)codes + (uintptr_t)(e * code_bytes);
        __builtin_prefetch((const void *)(from + ahead), 0, 3);
        if (e % (2 * FETCHED) == 0)
            __builtin_prefetch((const void *)((uintptr_t)(column + e) + ahead / 2), 0, 3);
    }
}

/* ---- conversion of codes ---- */

STN_FN vf64x2 load_upper_f64(const void *codes)
{
    typedef uint32_t uppers __attribute__((vector_size(sizeof(vf64) / 2)));
    typedef uint64_t bits __attribute__((vector_size(sizeof(vf64))));
    uppers low, high;
    memcpy(&low, codes, sizeof low);
    memcpy(&high, (const char *)codes + sizeof low, sizeof high);
    return (vf64x2){(vf64)(__builtin_convertvector(low, bits) << 32),
                    (vf64)(__builtin_convertvector(high, bits) << 32)};
}

/* Converts `count` codes and up to a piece more. */
STN_FN void convert(double *values, const char *codes, int64_t code_bytes, int64_t count,
                    stn_row_form form)
{
#define CONVERT(NAME, name)                                                                        \
    case STN_ROW_##NAME:                                                                           \
        piece = v_load_##name##_f64(codes + k * code_bytes);                                       \
        break;
    for (int64_t k = 0; k < count; k += V_PIECE) {
        vf64x2 piece;
        switch (form) {
            STN_ROW_FORMATS(CONVERT)
        default:
            piece = load_upper_f64(codes + k * code_bytes);
        }
        memcpy(values + k, &piece.low, sizeof piece.low);
        if (k + V_PIECE / 2 < count)
            memcpy(values + k + V_PIECE / 2, &piece.high, sizeof piece.high);
    }
#undef CONVERT
}

/* ---- up to 32 entries, whose number is a constant ---- */

STN_FN value product(const void *values, const int32_t *column, const value *x, int count, int e,
                     loop_kind kind)
{
    (void)count;
    return value_at(values, e, kind) * x[column[e]];
}

/* Sums of products e, e + step, e + 2 step, ...: without arrays, which compilers keep in memory. */
#define DEFINE_TREE(step, subtree)                                                                 \
    STN_FN value tree_##step(const void *values, const int32_t *column, const value *x, int count, \
                             int e, loop_kind kind)                                                \
    {                                                                                              \
        const value sum = subtree(values, column, x, count, e, kind);                              \
        return e + step < count ? sum + subtree(values, column, x, count, e + step, kind) : sum;   \
    }
DEFINE_TREE(16, product)
DEFINE_TREE(8, tree_16)
DEFINE_TREE(4, tree_8)
DEFINE_TREE(2, tree_4)
DEFINE_TREE(1, tree_2)

/* ---- vectors of lanes ---- */

/* Columns are loaded in pairs, because loads limit these loops, and into general registers:
 * extracting them from vectors takes longer. */
STN_FN void load_columns(int32_t *index, const int32_t *column, int count)
{
    for (int k = 0; k < count; k += 2) {
        int64_t two;
        memcpy(&two, column + k, sizeof two);
        __asm__("" : "+r"(two));
        index[k] = (int32_t)two;
        index[k + 1] = (int32_t)(two >> 32);
    }
}

STN_FN vf64 gather_f64(const double *x, const int32_t *column)
{
    int32_t index[WIDTH];
    load_columns(index, column, WIDTH);
    return v_gather_half_f64(x, index);
}

STN_FN vf32 gather_f32(const float *x, const int32_t *column)
{
    int32_t index[WIDTH];
    load_columns(index, column, WIDTH);
    return v_gather_f32(x, index, WIDTH);
}

STN_FN vf64 choose_f64(vf64 yes, vf64 no, unsigned mask)
{
    return v_choose_half_f64(yes, no, mask);
}

STN_FN vf32 choose_f32(vf32 yes, vf32 no, unsigned mask)
{
    return v_choose_f32(yes, no, mask);
}

/* Entries of less than 32, padded so that all lanes can be read. */
typedef struct padded {
    value values[STN_LANES]; /* or the same number of floats */
    int32_t column[STN_LANES];
} padded;

static __attribute__((noinline)) void pad(padded *result, const void *values, const int32_t *column,
                                          int64_t count, int64_t bytes)
{
    memset(result, 0, sizeof *result);
    memcpy(result->values, values, (size_t)(count * bytes));
    memcpy(result->column, column, (size_t)count * sizeof *column);
}

/* Statements for each vector, with constant indices: in loops, compilers keep vectors in memory. */
#define FOR_4(DO, v)    DO(v) DO(v + 1) DO(v + 2) DO(v + 3)
#define FOR_VECTORS(DO) FOR_4(DO, 0) FOR_4(DO, 4) FOR_4(DO, 8) FOR_4(DO, 12)
#define CLEAR(v)                                                                                   \
    if ((v) < VECTORS)                                                                             \
        lanes[v] = OF(v_set)((value)-0.0);
#define ADD(v)                                                                                     \
    if ((v) < VECTORS)                                                                             \
        lanes[v] = OF(v_fma)(load(values_from(values, (v)*WIDTH, kind), kind),                     \
                             OF(gather)(x, column + (v)*WIDTH), lanes[v]);
#define ADD_PRESENT(v)                                                                             \
    if ((v) < VECTORS) {                                                                           \
        if ((v)*WIDTH >= count) /* one branch that processors predict wrongly */                   \
            goto added;                                                                            \
        const vector before = lanes[v];                                                            \
        ADD(v)                                                                                     \
        lanes[v] = OF(choose)(lanes[v], before, present >> (v)*WIDTH % STN_LANES);                 \
    }
#define FOLD(half, v)                                                                              \
    if ((half) < VECTORS && (v) < (half))                                                          \
        lanes[v] = OF(v_add)(lanes[v], lanes[(v) + (half)]);
#define FOLD_8(v) FOLD(8, v)
#define FOLD_4(v) FOLD(4, v)
#define FOLD_ALL                                                                                   \
    FOR_4(FOLD_8, 0)                                                                               \
    FOR_4(FOLD_8, 4)                                                                               \
    FOR_4(FOLD_4, 0)                                                                               \
    FOLD(2, 0)                                                                                     \
    FOLD(2, 1)                                                                                     \
    FOLD(1, 0)

STN_FN vector sum_vectors(const void *values, const int32_t *column, int64_t count,
                          const int32_t *end, const value *x, const char *codes, int64_t code_bytes,
                          int is_far, loop_kind kind)
{
    vector lanes[STN_LANES];
    padded last;
    FOR_VECTORS(CLEAR)
    for (; count >= STN_LANES; count -= STN_LANES) {
        if (is_far)
            fetch_ahead(codes, code_bytes, column, STN_LANES);
        FOR_VECTORS(ADD)
        values = values_from(values, STN_LANES, kind);
        column += STN_LANES;
        codes += STN_LANES * code_bytes;
    }
    const unsigned present = (1u << count) - 1;
    if (column + STN_LANES > end) {
        pad(&last, values, column, count, bytes_of(kind));
        values = last.values;
        column = last.column;
    }
    FOR_VECTORS(ADD_PRESENT)
added:
    FOLD_ALL
    return lanes[0];
}

/* The arguments are scalars, because structs are passed in memory. */
typedef vector sum_lanes(const void *values, const int32_t *column, int64_t count,
                         const int32_t *end, const value *x, const char *codes, int64_t code_bytes);
#define DEFINE_LANES(name, is_far, kind)                                                           \
    static __attribute__((noinline)) vector name(                                                  \
        const void *values, const int32_t *column, int64_t count, const int32_t *end,              \
        const value *x, const char *codes, int64_t code_bytes)                                     \
    {                                                                                              \
        return sum_vectors(values, column, count, end, x, codes, code_bytes, is_far, kind);        \
    }
DEFINE_LANES(sum_near, 0, VALUES)
DEFINE_LANES(sum_far, 1, VALUES)
DEFINE_LANES(sum_near_floats, 0, FLOATS)
DEFINE_LANES(sum_far_floats, 1, FLOATS)

STN_FN sum_lanes *sum_lanes_of(int is_far, loop_kind kind)
{
    if (kind == FLOATS)
        return is_far ? sum_far_floats : sum_near_floats;
    return is_far ? sum_far : sum_near;
}

/* ---- groups of rows of any lengths ---- */

enum { GROUP = 8, PRODUCTS = 512 };

/* For groups and long rows; not inlined, because it is not short. */
static __attribute__((noinline)) void convert_all(value *buffer, const stn_row_tile *these,
                                                  int64_t from, int64_t count)
{
    if (sizeof(value) > sizeof(float))
        convert((double *)buffer, these->codes + from * these->code_bytes, these->code_bytes, count,
                these->form);
}

/* The values of `count` entries from entry `from` on; codes are converted into the buffer. */
STN_FN const void *values_of(const stn_row_tile *these, value *buffer, int64_t from, int64_t count,
                             loop_kind kind)
{
    if (kind != CODES)
        return values_from(these->values, from, kind);
    convert_all(buffer, these, from, count);
    return buffer;
}

/* The products of consecutive entries. */
STN_FN void multiply_entries(value *products, const void *values, const int32_t *column,
                             int64_t count, int64_t readable, const value *x, const char *codes,
                             int64_t code_bytes, loop_kind kind)
{
    const uintptr_t ahead = (uintptr_t)stn_tuned_sparse;
    const uintptr_t next = (uintptr_t)codes + ahead, next_column = (uintptr_t)column + ahead / 2;
    int64_t k = 0;
    for (; k < count && k + WIDTH <= readable; k += WIDTH) {
        __builtin_prefetch((const void *)(next + (uintptr_t)(k * code_bytes)), 0, 3);
        __builtin_prefetch((const void *)(next_column + (uintptr_t)k * sizeof *column), 0, 3);
        const vector product =
            OF(v_mul)(load(values_from(values, k, kind), kind), OF(gather)(x, column + k));
        memcpy(products + k, &product, sizeof product);
    }
    for (; k < count; k++)
        products[k] = value_at(values_from(values, k, kind), 0, kind) * x[column[k]];
}

/* Numbers of entries of the rows of a group: has a row more than `limit`, and sums of empty rows,
 * which are +0. */
#if defined(__AVX512F__)
STN_FN __m512i lengths_of(const int64_t *start)
{
    return _mm512_sub_epi64(_mm512_loadu_si512(start + 1), _mm512_loadu_si512(start));
}
STN_FN int has_more_entries(const int64_t *start, int64_t limit)
{
    return _mm512_cmpgt_epi64_mask(lengths_of(start), _mm512_set1_epi64(limit)) != 0;
}
STN_FN void clear_empty(double *sums, const int64_t *start)
{
    const __m512i lengths = lengths_of(start);
    _mm512_mask_storeu_pd(sums, _mm512_testn_epi64_mask(lengths, lengths), _mm512_setzero_pd());
}
#else
STN_FN int has_more_entries(const int64_t *start, int64_t limit)
{
    int64_t sign = 0;
    for (int r = 0; r < GROUP; r++)
        sign |= limit - (start[r + 1] - start[r]);
    return sign < 0;
}
STN_FN void clear_empty(double *sums, const int64_t *start)
{
    for (int r = 0; r < GROUP; r++)
        if (start[r + 1] == start[r])
            sums[r] = 0.0;
}
#endif

#define TAKE(v)                                                                                    \
    if ((v)*WIDTH < most)                                                                          \
        lanes[v] = OF(choose)(load(products + (v)*WIDTH, VALUES), OF(v_set)((value)-0.0),          \
                              present >> (v)*WIDTH % STN_LANES);
#define FOLD_MOST(half, v)                                                                         \
    if ((half)*WIDTH < most && (v) < (half))                                                       \
        lanes[v] = OF(v_add)(lanes[v], lanes[(v) + (half)]);
#define FOLD_MOST_8(v) FOLD_MOST(8, v)
#define FOLD_MOST_4(v) FOLD_MOST(4, v)

/* The lanes of a row of up to `most` entries, a constant, added to those of one vector. */
STN_FN vector add_lanes(const value *products, int64_t count, int most)
{
    vector lanes[STN_LANES];
    const unsigned present = (unsigned)((UINT64_C(1) << count) - 1);
    // clang-format off
    FOR_VECTORS(TAKE)
    FOR_4(FOLD_MOST_8, 0) FOR_4(FOLD_MOST_8, 4)
    FOR_4(FOLD_MOST_4, 0)
    FOLD_MOST(2, 0) FOLD_MOST(2, 1)
    FOLD_MOST(1, 0)
        // clang-format on
        return lanes[0];
}

/* Sums of the lanes of each row: 8 rows of 8 lanes are transposed by halves between additions. */
STN_FN void fold_rows_f32(double *sums, const vf32 *rows)
{
    for (int r = 0; r < GROUP; r++)
        sums[r] = (double)v_sum_f32(rows[r]);
}

STN_FN void fold_rows_f64(double *sums, const vf64 *rows)
{
#if defined(__AVX512F__)
    vf64 four[GROUP / 2], two[GROUP / 4];
    for (int k = 0; k < GROUP / 2; k++) /* lanes 0 to 3 of rows 2k and 2k + 1 */
        four[k] = _mm512_add_pd(_mm512_shuffle_f64x2(rows[2 * k], rows[2 * k + 1], 0x44),
                                _mm512_shuffle_f64x2(rows[2 * k], rows[2 * k + 1], 0xee));
    for (int k = 0; k < GROUP / 4; k++) /* lanes 0 and 1 of rows 4k to 4k + 3 */
        two[k] = _mm512_add_pd(_mm512_shuffle_f64x2(four[2 * k], four[2 * k + 1], 0x88),
                               _mm512_shuffle_f64x2(four[2 * k], four[2 * k + 1], 0xdd));
    const vf64 mixed =
        _mm512_add_pd(_mm512_unpacklo_pd(two[0], two[1]), _mm512_unpackhi_pd(two[0], two[1]));
    _mm512_storeu_pd(sums, _mm512_permutexvar_pd(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), mixed));
#else
    for (int r = 0; r < GROUP; r++)
        sums[r] = v_sum_f64(rows[r]);
#endif
}

/* A group of rows of up to `most` entries, a constant, whose products are stored. */
STN_FN void sum_products(double *sums, const value *products, const int64_t *start, int most)
{
    vector rows[GROUP];
    for (int r = 0; r < GROUP; r++)
        rows[r] = add_lanes(products + (start[r] - start[0]), start[r + 1] - start[r], most);
    OF(fold_rows)(sums, rows);
    clear_empty(sums, start);
}

/* Complete groups whose rows have at most STN_LANES entries. */
STN_FN void sum_groups_of_products(double *sums, const value *products, const int64_t *start,
                                   int64_t rows)
{
    for (int64_t r = 0; r < rows; r += GROUP) {
        const value *const of_group = products + (start[r] - start[0]);
        if (!has_more_entries(start + r, 8))
            sum_products(sums + r, of_group, start + r, 8);
        else if (!has_more_entries(start + r, 16))
            sum_products(sums + r, of_group, start + r, 16);
        else
            sum_products(sums + r, of_group, start + r, STN_LANES);
    }
}

/* Sums complete groups whose rows have at most STN_LANES entries, and returns the number of rows.
 * Products are stored long before they are read: loads wait for recent stores of other widths. */
STN_FN int64_t sum_short_groups(double *sums, const stn_row_tile *these, int64_t first,
                                loop_kind kind)
{
    _Alignas(64) value products[PRODUCTS + STN_LANES], buffer[PRODUCTS + STN_LANES];
    const int64_t *const start = these->start, from = start[first] - start[0];
    int64_t end = first;
    while (end + GROUP <= these->rows && start[end + GROUP] - start[first] <= PRODUCTS &&
           !has_more_entries(start + end, STN_LANES))
        end += GROUP;
    const int64_t count = start[end] - start[first];
    multiply_entries(products, values_of(these, buffer, from, count, kind), these->column + from,
                     count, these->readable - from, these->x,
                     these->codes + from * these->code_bytes, these->code_bytes, kind);
    sum_groups_of_products(sums + first, products, start + first, end - first);
    return end - first;
}

/* The same for one group whose rows have at most a tile of entries. */
STN_FN void sum_long_group(double *sums, const stn_row_tile *these, int64_t first, loop_kind kind)
{
    const int64_t *const start = these->start;
    sum_lanes *const sum = sum_lanes_of(these->is_far, kind);
    _Alignas(64) value buffer[STN_TILE_ELEMENTS + STN_LANES];
    vector rows[GROUP];
    for (int r = 0; r < GROUP; r++) {
        const int64_t from = start[first + r] - start[0],
                      count = start[first + r + 1] - start[first + r];
        rows[r] = sum(values_of(these, buffer, from, count, kind), these->column + from, count,
                      these->column + these->readable, these->x,
                      these->codes + from * these->code_bytes, these->code_bytes);
    }
    OF(fold_rows)(sums + first, rows);
    clear_empty(sums + first, start + first);
}

/* Sums complete groups up to one with a row of more than a tile, and returns the number of rows. */
STN_FN int64_t sum_groups(double *sums, const stn_row_tile *these, loop_kind kind)
{
    int64_t r = 0;
    while (r + GROUP <= these->rows) {
        const int64_t count = sum_short_groups(sums, these, r, kind);
        if (count == 0) {
            if (has_more_entries(these->start + r, STN_TILE_ELEMENTS))
                return r;
            sum_long_group(sums, these, r, kind);
        }
        r += count > 0 ? count : GROUP;
    }
    return r;
}

/* ---- all rows ---- */

/* Rows of the same number of entries, a constant. Rows of stencils have one for long. */
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        do {                                                                                       \
            fetch_ahead(codes, code_bytes, column, n);                                             \
            if (kind == CODES)                                                                     \
                convert((double *)buffer, codes, code_bytes, n, these->form);                      \
            sums[r++] = (double)tree_1(values, column, x, n, 0, kind);                             \
            if (kind != CODES)                                                                     \
                values = values_from(values, n, kind);                                             \
            column += n;                                                                           \
            codes += (n)*code_bytes;                                                               \
        } while (r < rows && start[r + 1] - start[r] == n);                                        \
        break;
#define CASE_4(n)  CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASE_12(n) CASE_4(n) CASE_4(n + 4) CASE_4(n + 8)

/* Sums rows from `first` up to one that has more than a tile of entries, and returns its index. */
STN_FN int64_t sum_rows(double *sums, const stn_row_tile *these, int64_t first, loop_kind kind)
{
    const int64_t *const start = these->start, rows = these->rows, code_bytes = these->code_bytes;
    const int64_t from = start[first] - start[0];
    const int32_t *column = these->column + from, *const end = these->column + these->readable;
    _Alignas(64) value buffer[STN_TILE_ELEMENTS + STN_LANES];
    const void *values = kind == CODES ? buffer : values_from(these->values, from, kind);
    const value *const x = these->x;
    const char *codes = these->codes + from * code_bytes;
    sum_lanes *const sum = sum_lanes_of(these->is_far, kind);
    for (int64_t r = first; r < rows;) {
        const int64_t count = start[r + 1] - start[r];
        if (count <= 4)
            switch (count) {
            case 0:
                sums[r++] = 0.0;
                break;
                CASE_4(1)
            }
        else if (count <= 8)
            switch (count) {
                CASE_4(5)
            }
        else
            switch (count) {
                CASE_12(9)
                CASE_12(21)
            default:
                if (count > STN_TILE_ELEMENTS)
                    return r;
                if (kind == CODES)
                    convert_all(buffer, these, start[r] - start[0], count);
                sums[r++] =
                    (double)OF(v_sum)(sum(values, column, count, end, x, codes, code_bytes));
                if (kind != CODES)
                    values = values_from(values, count, kind);
                column += count;
                codes += count * code_bytes;
            }
    }
    return rows;
}

STN_FN int64_t sum_all(double *sums, const stn_row_tile *these, loop_kind kind)
{
    const int64_t grouped = these->are_irregular ? sum_groups(sums, these, kind) : 0;
    return sum_rows(sums, these, grouped, kind);
}

/* Separate functions, each of which has the registers and the stack that it needs. */
static __attribute__((noinline)) int64_t sum_values(double *sums, const stn_row_tile *these)
{
    return sum_all(sums, these, VALUES);
}

static __attribute__((noinline)) int64_t sum_floats(double *sums, const stn_row_tile *these)
{
    return sum_all(sums, these, FLOATS);
}

static __attribute__((noinline)) int64_t sum_codes(double *sums, const stn_row_tile *these)
{
    return sum_all(sums, these, CODES);
}

#if defined(__AVX512F__)
#    include "sparse/product/row_gather.h"
#endif

extern stn_sum_row_tile STN_INSTANCE(stn_row_tile);
int64_t STN_INSTANCE(stn_row_tile)(double *sums, const stn_row_tile *these)
{
#if defined(__AVX512F__)
    if (is_gathered(these))
        return sum_gathered(sums, these);
#endif
    if (sizeof(value) == sizeof(float) || these->form == STN_ROW_VALUES)
        return sum_values(sums, these);
    return (these->form == STN_ROW_FLOATS ? sum_floats : sum_codes)(sums, these);
}
