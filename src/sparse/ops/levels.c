/* Common levels of two triangles: those of the graph that has the edges of both. */
#include "sparse/ops/levels.h"

#include <string.h>

#include "core/memory.h"

enum { LEVEL_ROWS = 64 }; /* narrow levels: one more per 64 rows costs next to nothing */

static void raise_level(int32_t *level, int32_t least)
{
    *level = *level < least ? least : *level;
}

static int64_t count_levels(const int32_t *level, int64_t rows)
{
    int64_t count = 0;
    for (int64_t r = 0; r < rows; r++)
        count = level[r] >= count ? (int64_t)level[r] + 1 : count;
    return count;
}

/* A row comes after the rows it depends on: smaller rows in a lower triangle, larger ones in an
 * upper triangle. */
static void raise_row(const stn_compressed *triangle, int64_t row, int32_t *level)
{
    for (int64_t k = triangle->start[row]; k < triangle->start[row + 1]; k++)
        raise_level(&level[row], level[triangle->column[k]] + 1);
}

/* And before the rows, all with larger indices, that it depends on in the upper triangle. */
static void raise_columns(const stn_compressed *upper, int64_t row, int32_t *level)
{
    for (int64_t k = upper->start[row]; k < upper->start[row + 1]; k++)
        raise_level(&level[upper->column[k]], level[row] + 1);
}

/* Counts the levels of each triangle separately. `level` is workspace and is zero afterwards. */
static void count_separately(const stn_compressed *lower, const stn_compressed *upper,
                             int32_t *level, int64_t separate[2])
{
    const int64_t rows = lower->rows;
    memset(level, 0, (size_t)rows * sizeof *level);
    for (int64_t r = 0; r < rows; r++)
        raise_row(lower, r, level);
    separate[0] = count_levels(level, rows);
    memset(level, 0, (size_t)rows * sizeof *level);
    for (int64_t r = rows - 1; r >= 0; r--)
        raise_row(upper, r, level);
    separate[1] = count_levels(level, rows);
    memset(level, 0, (size_t)rows * sizeof *level);
}

/* A level costs as much as about ten rows. A common order adds levels if one triangle has few
 * levels and the other one many. Too many of them cost more than the common order saves. */
static int is_worthwhile(int64_t count, const int64_t separate[2], int64_t rows)
{
    const int64_t most = separate[0] > separate[1] ? separate[0] : separate[1],
                  both = separate[0] + separate[1];
    const int64_t added = 2 * count - both;
    return count <= 2 * most && (added <= both / 4 || added <= rows / LEVEL_ROWS);
}

stn_status stn_common_levels(const stn_compressed *lower, const stn_compressed *upper,
                             stn_levels *result)
{
    const int64_t rows = lower->rows;
    int64_t separate[2];
    *result = (stn_levels){NULL, 0};
    if (rows == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&result->of, rows, sizeof *result->of, "levels"));
    count_separately(lower, upper, result->of, separate);
    for (int64_t r = 0; r < rows; r++) {
        raise_row(lower, r, result->of);
        raise_columns(upper, r, result->of);
    }
    result->count = count_levels(result->of, rows);
    if (!is_worthwhile(result->count, separate, rows)) {
        stn_free(result->of);
        *result = (stn_levels){NULL, 0};
    }
    return STN_OK;
}
