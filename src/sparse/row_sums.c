/* Sums of compressed rows: values are decoded into the arithmetic type, unless they are stored that
 * way, for as many rows at once as a buffer in the first-level cache has capacity for. Rows of more
 * than a tile are trees of tiles. */
#include <string.h>

#include "sparse/loops.h"
#include "sparse/short_rows.h"
#include "sum/tree.h"

#define STN_TEMPLATE      stn_short_rows
#define STN_TEMPLATE_TYPE stn_sum_short_rows
#include "format/arithmetic_table.h"

/* Entries that are decoded together, and entries that may be read after them. */
enum { DECODED = 512, READ_AFTER = STN_LANES };

/* An x of more bytes is not in the second-level cache. */
enum { NEAR_BYTES = 384 << 10 };

static stn_sum_short_rows *short_rows_of(const stn_rows *rows)
{
    return loops[stn_isa_chosen()][rows->run->arithmetic == STN_F32];
}

static int are_values(const stn_rows *rows)
{
    return rows->run->real == rows->run->arithmetic && rows->run->affine.plain && !rows->scale;
}

/* ---- decoding ---- */

#define DEFINE_SCALE(T, type)                                                                      \
    static void scale_##T(void *values, int64_t count, double scale)                               \
    {                                                                                              \
        type *const value = values;                                                                \
        for (int64_t k = 0; k < count; k++)                                                        \
            value[k] *= (type)scale;                                                               \
    }
DEFINE_SCALE(f64, double)
DEFINE_SCALE(f32, float)

static void decode(const stn_rows *rows, void *values, int64_t begin, int64_t count)
{
    const int64_t bytes = stn_arithmetic_bytes(rows->run->arithmetic);
    stn_run_decode(rows->run, values, (const char *)rows->codes + begin * rows->run->bytes, 1,
                   count);
    memset((char *)values + count * bytes, 0, (size_t)(READ_AFTER * bytes));
}

/* Multiplies the values of `count` rows from row r on by their scales. */
static void scale_rows(const stn_rows *rows, void *values, int64_t r, int64_t count)
{
    const int64_t *const start = rows->start + r;
    const int64_t bytes = stn_arithmetic_bytes(rows->run->arithmetic);
    for (int64_t k = 0; rows->scale && k < count; k++)
        (rows->run->arithmetic == STN_F64 ? scale_f64 : scale_f32)(
            (char *)values + (start[k] - start[0]) * bytes, start[k + 1] - start[k],
            rows->scale[r + k]);
}

/* The number of rows, up to a longer one than a tile, whose entries fit into the buffer. */
static int64_t count_decodable(const int64_t *start, int64_t rows)
{
    int64_t r = 0;
    while (r < rows && start[r + 1] - start[r] <= STN_TILE_ELEMENTS &&
           start[r + 1] - start[0] <= DECODED)
        r++;
    return r;
}

/* ---- sums ---- */

/* The values of entries from `begin` on, of row r. */
static const void *tile_of(const stn_rows *rows, int64_t r, int64_t begin, int64_t count,
                           double *decoded)
{
    if (are_values(rows))
        return (const char *)rows->codes + begin * rows->run->bytes;
    decode(rows, decoded, begin, count);
    if (rows->scale)
        (rows->run->arithmetic == STN_F64 ? scale_f64 : scale_f32)(decoded, count, rows->scale[r]);
    return decoded;
}

static stn_short_rows rows_from(const stn_rows *rows, const int64_t *start, int64_t count,
                                int64_t entry, const void *x)
{
    const char *const codes = (const char *)rows->codes + entry * rows->run->bytes;
    return (stn_short_rows){.start = start,
                            .rows = count,
                            .readable = rows->entries - entry,
                            .values = codes,
                            .x = x,
                            .column = rows->index + entry,
                            .codes = codes,
                            .code_bytes = rows->run->bytes,
                            .are_irregular = rows->are_irregular,
                            .is_far = rows->x_bytes > NEAR_BYTES};
}

static double sum_long_row(const stn_rows *rows, int64_t r, const void *x)
{
    double levels[STN_TREE_LEVELS], decoded[STN_TILE_ELEMENTS + READ_AFTER], sum;
    const int64_t end = rows->start[r + 1];
    stn_tree tree;
    stn_tree_begin(&tree, stn_add_of(rows->run->arithmetic), sizeof sum, 1, levels, 0);
    for (int64_t k = rows->start[r]; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t left = end - k, held = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        stn_short_rows tile = rows_from(rows, (int64_t[]){0, held}, 1, k, x);
        tile.values = tile_of(rows, r, k, held, decoded);
        short_rows_of(rows)(&sum, &tile);
        stn_tree_push(&tree, &sum, 0);
    }
    return *(double *)stn_tree_fold(&tree);
}

/* Returns the number of rows summed. */
static int64_t sum_some(double *sums, const stn_rows *rows, int64_t r, int64_t count, const void *x)
{
    double decoded[DECODED + READ_AFTER];
    const int64_t *const start = rows->start + r;
    stn_short_rows some = rows_from(rows, start, count, start[0], x);
    if (!are_values(rows)) {
        some.rows = count_decodable(start, count);
        some.values = decoded;
        decode(rows, decoded, start[0], start[some.rows] - start[0]);
        scale_rows(rows, decoded, r, some.rows);
    }
    return short_rows_of(rows)(sums, &some);
}

void stn_sum_compressed_rows(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                             const void *x)
{
    const int64_t *const start = rows->start + first;
    int64_t r = 0;
    while (r < count) {
        r += sum_some(sums + r, rows, first + r, count - r, x);
        if (r < count && start[r + 1] - start[r] > STN_TILE_ELEMENTS) {
            sums[r] = sum_long_row(rows, first + r, x);
            r++;
        }
    }
}
