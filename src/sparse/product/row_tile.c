/* Sums of rows of up to a tile of entries in arithmetic STN_FORMAT, f64 or f32, on STN_ISA.
 *
 * Up to 32 entries, each lane has one product, and the sum is a tree of products. Such rows have
 * code for their number of entries, in which products stay in scalar registers: loads of x cost as
 * much as all other instructions together, and there is no chain of dependent additions. If lengths
 * vary without pattern, so that processors predict them wrongly, and in longer rows, each lane is
 * one of a vector. Absent lanes are -0. */
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

/* Values in memory: those of the arithmetic type or, if are_floats is set (a constant in all
 * callers), floats. */
STN_FN const void *values_from(const void *values, int64_t e, int are_floats)
{
    return (const char *)values + e * (int64_t)(are_floats ? sizeof(float) : sizeof(value));
}

STN_FN value value_at(const void *values, int e, int are_floats)
{
    return are_floats ? (value)((const float *)values)[e] : ((const value *)values)[e];
}

STN_FN vector load(const void *values, int are_floats)
{
    typedef float floats __attribute__((vector_size(WIDTH * sizeof(float))));
    vector some;
    floats narrow;
    if (!are_floats) {
        memcpy(&some, values, sizeof some);
        return some;
    }
    memcpy(&narrow, values, sizeof narrow);
    return (vector) __builtin_convertvector(narrow, wide);
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

/* ---- up to 32 entries, whose number is a constant ---- */

STN_FN value product(const void *values, const int32_t *column, const value *x, int count, int e,
                     int are_floats)
{
    (void)count;
    return value_at(values, e, are_floats) * x[column[e]];
}

/* Sums of products e, e + step, e + 2 step, ...: without arrays, which compilers keep in memory. */
#define DEFINE_TREE(step, subtree)                                                                 \
    STN_FN value tree_##step(const void *values, const int32_t *column, const value *x, int count, \
                             int e, int are_floats)                                                \
    {                                                                                              \
        const value sum = subtree(values, column, x, count, e, are_floats);                        \
        return e + step < count ? sum + subtree(values, column, x, count, e + step, are_floats)    \
                                : sum;                                                             \
    }
DEFINE_TREE(16, product)
DEFINE_TREE(8, tree_16)
DEFINE_TREE(4, tree_8)
DEFINE_TREE(2, tree_4)
DEFINE_TREE(1, tree_2)

/* ---- vectors of lanes ---- */

/* Up to `most` lanes are used. */
STN_FN vf64 gather_f64(const double *x, const int32_t *column, int64_t most)
{
    (void)most;
    return v_gather_half_f64(x, column);
}

STN_FN vf32 gather_f32(const float *x, const int32_t *column, int64_t most)
{
    return v_gather_f32(x, column, most);
}

/* Gather instructions take longer, but wait for more loads at once. */
STN_FN vector gather_lanes(const value *x, const int32_t *column, int is_far)
{
    return is_far ? OF(v_gather_far)(x, column) : OF(gather)(x, column, WIDTH);
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
    value values[STN_LANES]; /* or as many floats */
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
        lanes[v] = OF(v_fma)(load(values_from(values, (v)*WIDTH, are_floats), are_floats),         \
                             gather_lanes(x, column + (v)*WIDTH, is_far), lanes[v]);
#define ADD_PRESENT(v)                                                                             \
    if ((v) < VECTORS && (v)*WIDTH < count) {                                                      \
        const vector before = lanes[v];                                                            \
        ADD(v)                                                                                     \
        lanes[v] = OF(choose)(lanes[v], before, present >> (v)*WIDTH % STN_LANES);                 \
    }
#define FOLD(half, v)                                                                              \
    if ((half) < VECTORS && (v) < (half))                                                          \
        lanes[v] = OF(v_add)(lanes[v], lanes[(v) + (half)]);
#define FOLD_8(v) FOLD(8, v)
#define FOLD_4(v) FOLD(4, v)

STN_FN value sum_vectors(const void *values, const int32_t *column, int64_t count,
                         const int32_t *end, const value *x, const char *codes, int64_t code_bytes,
                         int is_far, int are_floats)
{
    vector lanes[STN_LANES];
    padded last;
    FOR_VECTORS(CLEAR)
    for (; count >= STN_LANES; count -= STN_LANES) {
        if (is_far)
            fetch_ahead(codes, code_bytes, column, STN_LANES);
        FOR_VECTORS(ADD)
        values = values_from(values, STN_LANES, are_floats);
        column += STN_LANES;
        codes += STN_LANES * code_bytes;
    }
    const unsigned present = (1u << count) - 1;
    if (column + STN_LANES > end) {
        pad(&last, values, column, count, are_floats ? sizeof(float) : sizeof(value));
        values = last.values;
        column = last.column;
    }
    FOR_VECTORS(ADD_PRESENT)
    // clang-format off
    FOR_4(FOLD_8, 0) FOR_4(FOLD_8, 4)
    FOR_4(FOLD_4, 0)
    FOLD(2, 0) FOLD(2, 1)
    FOLD(1, 0)
        // clang-format on
        return (value)OF(v_sum)(lanes[0]);
}

/* The arguments are scalars, because structs are passed in memory. */
typedef value sum_lanes(const void *values, const int32_t *column, int64_t count,
                        const int32_t *end, const value *x, const char *codes, int64_t code_bytes);
#define DEFINE_LANES(name, is_far, are_floats)                                                     \
    static __attribute__((noinline)) value name(const void *values, const int32_t *column,         \
                                                int64_t count, const int32_t *end, const value *x, \
                                                const char *codes, int64_t code_bytes)             \
    {                                                                                              \
        return sum_vectors(values, column, count, end, x, codes, code_bytes, is_far, are_floats);  \
    }
DEFINE_LANES(sum_near, 0, 0)
DEFINE_LANES(sum_far, 1, 0)
DEFINE_LANES(sum_near_floats, 0, 1)
DEFINE_LANES(sum_far_floats, 1, 1)

STN_FN sum_lanes *sum_lanes_of(int is_far, int are_floats)
{
    if (are_floats)
        return is_far ? sum_far_floats : sum_near_floats;
    return is_far ? sum_far : sum_near;
}

/* ---- rows of few entries without branches ---- */

enum { FEW = 8 };

#define MULTIPLY(v)                                                                                \
    if ((v)*WIDTH < FEW)                                                                           \
        lanes[v] =                                                                                 \
            OF(choose)(OF(v_mul)(load(values_from(values, (v)*WIDTH, are_floats), are_floats),     \
                                 OF(gather)(x, column + (v)*WIDTH, FEW)),                          \
                       OF(v_set)((value)-0.0), present >> (v)*WIDTH % STN_LANES);
#define FOLD_FEW(half, v)                                                                          \
    if ((half)*WIDTH < FEW && (v) < (half))                                                        \
        lanes[v] = OF(v_add)(lanes[v], lanes[(v) + (half)]);

/* A row of up to 8 entries; 32 are readable. */
STN_FN value sum_few(const void *values, const int32_t *column, int64_t count, const value *x,
                     int are_floats)
{
    static const value of_none[2] = {(value)-0.0, 0}; /* the sum of an empty row is +0 */
    const unsigned present = (1u << count) - 1;
    vector lanes[STN_LANES];
    // clang-format off
    FOR_4(MULTIPLY, 0)
    FOLD_FEW(2, 0) FOLD_FEW(2, 1)
    FOLD_FEW(1, 0)
        // clang-format on
        return (value)OF(v_sum)(lanes[0]) +
        of_none[count == 0];
}

/* ---- all rows ---- */

/* Rows of the same number of entries, a constant. Rows of stencils have one for long. */
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        do {                                                                                       \
            fetch_ahead(codes, code_bytes, column, n);                                             \
            sums[r++] = (double)tree_1(values, column, x, n, 0, are_floats);                       \
            values = values_from(values, n, are_floats);                                           \
            column += n;                                                                           \
            codes += (n)*code_bytes;                                                               \
        } while (r < rows && start[r + 1] - start[r] == n);                                        \
        break;
#define CASE_4(n)  CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASE_12(n) CASE_4(n) CASE_4(n + 4) CASE_4(n + 8)

/* Sums rows up to one that has more than a tile of entries, and returns their number. */
STN_FN int64_t sum_rows(double *sums, const stn_row_tile *these, int are_floats)
{
    const int64_t *const start = these->start, rows = these->rows, code_bytes = these->code_bytes;
    const int32_t *column = these->column, *const end = column + these->readable;
    const void *values = these->values;
    const value *const x = these->x;
    const char *codes = these->codes;
    sum_lanes *const sum = sum_lanes_of(these->is_far, are_floats);
    for (int64_t r = 0; r < rows;) {
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
                sums[r++] = (double)sum(values, column, count, end, x, codes, code_bytes);
                values = values_from(values, count, are_floats);
                column += count;
                codes += count * code_bytes;
            }
    }
    return rows;
}

/* The same for lengths that processors cannot predict. */
STN_FN int64_t sum_irregular(double *sums, const stn_row_tile *these, int are_floats)
{
    const int64_t *const start = these->start, rows = these->rows, code_bytes = these->code_bytes;
    const int32_t *column = these->column, *const end = column + these->readable;
    const void *values = these->values;
    const value *const x = these->x;
    const char *codes = these->codes;
    sum_lanes *const sum = sum_lanes_of(these->is_far, are_floats);
    int64_t r = 0;
    for (; r < rows && start[r + 1] - start[r] <= STN_TILE_ELEMENTS; r++) {
        const int64_t count = start[r + 1] - start[r];
        if (count <= FEW && column + STN_LANES <= end) {
            fetch_ahead(codes, code_bytes, column, FEW);
            sums[r] = (double)sum_few(values, column, count, x, are_floats);
        } else {
            sums[r] =
                count == 0 ? 0.0 : (double)sum(values, column, count, end, x, codes, code_bytes);
        }
        values = values_from(values, count, are_floats);
        column += count;
        codes += count * code_bytes;
    }
    return r;
}

extern stn_sum_row_tile STN_INSTANCE(stn_row_tile);
int64_t STN_INSTANCE(stn_row_tile)(double *sums, const stn_row_tile *these)
{
    if (sizeof(value) > sizeof(float) && these->are_floats)
        return these->are_irregular ? sum_irregular(sums, these, 1) : sum_rows(sums, these, 1);
    return these->are_irregular ? sum_irregular(sums, these, 0) : sum_rows(sums, these, 0);
}
