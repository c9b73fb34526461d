/* Levels for two triangles: of the graph that has the edges of both. */
#include "sparse/levels.h"

#include <string.h>

#include "core/memory.h"

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

/* A row is behind those it needs: ascending rows of a lower triangle, descending ones of an upper.
 */
static void lift_row(const stn_compressed *triangle, int64_t row, int32_t *level)
{
    for (int64_t k = triangle->start[row]; k < triangle->start[row + 1]; k++)
        raise_level(&level[row], level[triangle->column[k]] + 1);
}

/* And before those, all of higher numbers, that it needs of the upper triangle. */
static void lift_columns(const stn_compressed *upper, int64_t row, int32_t *level)
{
    for (int64_t k = upper->start[row]; k < upper->start[row + 1]; k++)
        raise_level(&level[upper->column[k]], level[row] + 1);
}

/* Levels of the triangle that has more of them by itself; `level` is room, and zeros behind it. */
static int64_t count_apart(const stn_compressed *lower, const stn_compressed *upper, int32_t *level)
{
    const int64_t rows = lower->rows;
    memset(level, 0, (size_t)rows * sizeof *level);
    for (int64_t r = 0; r < rows; r++)
        lift_row(lower, r, level);
    const int64_t of_lower = count_levels(level, rows);
    memset(level, 0, (size_t)rows * sizeof *level);
    for (int64_t r = rows - 1; r >= 0; r--)
        lift_row(upper, r, level);
    const int64_t of_upper = count_levels(level, rows);
    memset(level, 0, (size_t)rows * sizeof *level);
    return of_lower > of_upper ? of_lower : of_upper;
}

stn_status stn_levels_of_both(const stn_compressed *lower, const stn_compressed *upper,
                              stn_levels *made)
{
    const int64_t rows = lower->rows;
    *made = (stn_levels){NULL, 0};
    if (rows == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&made->of, rows, sizeof *made->of, "levels"));
    const int64_t apart = count_apart(lower, upper, made->of);
    for (int64_t r = 0; r < rows; r++) {
        lift_row(lower, r, made->of);
        lift_columns(upper, r, made->of);
    }
    made->count = count_levels(made->of, rows);
    if (made->count > 2 * apart) {
        stn_free(made->of);
        *made = (stn_levels){NULL, 0};
    }
    return STN_OK;
}
