/* Sums of rows of up to a tile of entries in arithmetic STN_FORMAT, f64 or f32, on STN_ISA.
 *
 * Up to 32 entries, each lane has one product, and the sum is a tree of products. Rows of up to 16
 * entries have code for their number of entries, in which products stay in scalar registers: loads
 * of x cost as much as all other instructions together, and there is no chain of dependent
 * additions. Longer rows use vectors of lanes. */
#include "sparse/short_rows.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sum/fold.h"

typedef code value;
enum { SCALAR_ENTRIES = 16 };

#define OF__(name, format) name##_##format
#define OF_(name, format)  OF__(name, format)
#define OF(name)           OF_(name, STN_FORMAT)
#define VECTOR__(format)   v##format
#define VECTOR_(format)    VECTOR__(format)

typedef VECTOR_(STN_FORMAT) vector;

/* A row. Vectors may be read from entries before `readable`. */
typedef struct entries {
    const value *values, *x;
    const int32_t *column;
    int64_t count, readable;
} entries;

/* Prefetches the lines that contain the values and columns of subsequent rows. */
STN_FN void fetch_values(const value *values)
{
    __builtin_prefetch((const void *)((uintptr_t)values + (uintptr_t)stn_tuned_sparse), 0, 3);
}

STN_FN void fetch_columns(const int32_t *column)
{
    const uintptr_t ahead = (uintptr_t)stn_tuned_sparse / sizeof(value) * sizeof *column;
    __builtin_prefetch((const void *)((uintptr_t)column + ahead), 0, 3);
}

/* ---- rows of up to 16 entries, whose number is a constant ---- */

STN_FN value product(entries row, int e)
{
    return row.values[e] * row.x[row.column[e]];
}

/* Sums of products e, e + step, e + 2 step, ...: without arrays, which compilers keep in memory. */
#define DEFINE_TREE(step, subtree)                                                                 \
    STN_FN value tree_##step(entries row, int e)                                                   \
    {                                                                                              \
        const value sum = subtree(row, e);                                                         \
        return e + step < row.count ? sum + subtree(row, e + step) : sum;                          \
    }
DEFINE_TREE(8, product)
DEFINE_TREE(4, tree_8)
DEFINE_TREE(2, tree_4)
DEFINE_TREE(1, tree_2)

/* ---- longer rows: vectors of lanes ---- */

enum { WIDTH = sizeof(vector) / sizeof(value), VECTORS = STN_LANES / WIDTH };

STN_FN vf64 gather_f64(const double *x, const int32_t *column)
{
    return v_gather_half_f64(x, column);
}

STN_FN vf32 gather_f32(const float *x, const int32_t *column)
{
    return v_gather_f32(x, column, WIDTH);
}

STN_FN vector add_products(vector sums, const value *values, const value *x, const int32_t *column)
{
    vector some;
    memcpy(&some, values, sizeof some);
    return OF(v_fma)(some, OF(gather)(x, column), sums);
}

/* The last entries of a matrix are padded. */
static __attribute__((noinline)) vector add_last(vector sums, const value *values, const value *x,
                                                 const int32_t *column, int64_t count)
{
    value some_values[WIDTH] = {0};
    int32_t some_columns[WIDTH] = {0};
    memcpy(some_values, values, (size_t)count * sizeof *values);
    memcpy(some_columns, column, (size_t)count * sizeof *column);
    return OF(v_first)(add_products(sums, some_values, x, some_columns), sums, count);
}

/* Adds up to WIDTH products, of entries from e on, to vector v. */
STN_FN vector add_entries(vector sums, entries row, int64_t e, int v)
{
    const value *const values = row.values + e;
    const int32_t *const column = row.column + e;
    if (v * WIDTH * (int)sizeof *values % STN_LINE == 0)
        fetch_values(values);
    if (v * WIDTH * (int)sizeof *column % STN_LINE == 0)
        fetch_columns(column);
    if (row.count - e >= WIDTH)
        return add_products(sums, values, row.x, column);
    if (e < row.readable)
        return OF(v_first)(add_products(sums, values, row.x, column), sums, row.count - e);
    return add_last(sums, values, row.x, column, row.count - e);
}

/* Statements for each vector, with constant indices: in loops, compilers keep vectors in memory. */
#define FOR_4(DO, v)    DO(v) DO(v + 1) DO(v + 2) DO(v + 3)
#define FOR_VECTORS(DO) FOR_4(DO, 0) FOR_4(DO, 4) FOR_4(DO, 8) FOR_4(DO, 12)
#define CLEAR(v)                                                                                   \
    if ((v) < VECTORS)                                                                             \
        lanes[v] = OF(v_set)((value)-0.0);
#define ADD_WHOLE(v)                                                                               \
    if ((v) < VECTORS)                                                                             \
        lanes[v] = add_entries(lanes[v], whole, (v)*WIDTH, v);
#define ADD_REST(v)                                                                                \
    if ((v) < VECTORS && (v)*WIDTH < row.count)                                                    \
        lanes[v] = add_entries(lanes[v], row, (v)*WIDTH, v);
#define FOLD(half, v)                                                                              \
    if ((half) < VECTORS && (v) < (half))                                                          \
        lanes[v] = OF(v_add)(lanes[v], lanes[(v) + (half)]);
#define FOLD_8(v) FOLD(8, v)
#define FOLD_4(v) FOLD(4, v)

/* The arguments are scalars, because structs are passed in memory. */
static __attribute__((noinline)) value sum_lanes(const value *values, const int32_t *column,
                                                 int64_t count, int64_t readable, const value *x)
{
    entries row = {values, x, column, count, readable};
    vector lanes[STN_LANES];
    FOR_VECTORS(CLEAR)
    while (row.count >= STN_LANES) {
        const entries whole = {row.values, row.x, row.column, STN_LANES, 0};
        FOR_VECTORS(ADD_WHOLE)
        row.values += STN_LANES;
        row.column += STN_LANES;
        row.count -= STN_LANES;
        row.readable -= STN_LANES;
    }
    FOR_VECTORS(ADD_REST)
    // clang-format off
    FOR_4(FOLD_8, 0) FOR_4(FOLD_8, 4)
    FOR_4(FOLD_4, 0)
    FOLD(2, 0) FOLD(2, 1)
    FOLD(1, 0)
        // clang-format on
        return (value)OF(v_sum)(lanes[0]);
}

/* ---- all rows ---- */

/* Adds rows of the same number of entries, a constant. Rows of stencils have one for long. Their
 * entries are prefetched: short rows are summed faster than hardware prefetchers follow. */
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        do {                                                                                       \
            fetch_values(values);                                                                  \
            fetch_columns(column);                                                                 \
            sums[r++] = (double)tree_1((entries){values, x, column, n, 0}, 0);                     \
            values += n;                                                                           \
            column += n;                                                                           \
            readable -= n;                                                                         \
        } while (r < rows && start[r + 1] - start[r] == n);                                        \
        break;

extern stn_sum_short_rows STN_INSTANCE(stn_short_rows);
int64_t STN_INSTANCE(stn_short_rows)(double *sums, const void *all_values, const int32_t *column,
                                     const int64_t *start, int64_t rows, int64_t readable,
                                     const void *x_values)
{
    const value *values = all_values;
    const value *const x = x_values;
    for (int64_t r = 0; r < rows;) {
        const int64_t count = start[r + 1] - start[r];
        if (count <= 4)
            switch (count) {
            case 0:
                sums[r++] = 0.0;
                break;
                CASE(1)
                CASE(2)
                CASE(3)
                CASE(4)
            }
        else
            switch (count) {
                CASE(5)
                CASE(6)
                CASE(7)
                CASE(8)
                CASE(9)
                CASE(10)
                CASE(11)
                CASE(12)
                CASE(13)
                CASE(14)
                CASE(15)
                CASE(16)
            default:
                if (count > STN_TILE_ELEMENTS)
                    return r;
                sums[r] = (double)sum_lanes(values, column, count, readable - WIDTH + 1, x);
                r++;
                values += count;
                column += count;
                readable -= count;
            }
    }
    return rows;
}
