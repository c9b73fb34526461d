/* Sums along and across lines of values of type STN_FORMAT, f64 or f32, for STN_ISA. */
#include "blas/value_lines.h"

#include <string.h>

#include "blas/column_panels.h"
#include "core/transpose.h"
#include "format/vec.h"
#include "order/fold.h"

#include "order/fused.h"
#include "order/vector.h"

#include "order/value_rows.h"

STN_FN const char *line_at(const stn_value_lines *l, int64_t line)
{
    return (const char *)l->a + line * l->step + line * (line - 1) / 2 * l->growth;
}

/* ---- along lines ---- */

/* Elements begin[r] to end[r] - 1 of each line: rounds of lanes that are complete in all of them
 * need no masks. */
STN_FN void sum_ragged(value *sums, const char *const *line, int rows, const int64_t *begin,
                       const int64_t *end, const value *x, int64_t count)
{
    vector lanes[VALUE_ROWS][ROW_REGISTERS];
    int64_t lowest = begin[0], highest = end[0], last_begin = begin[0], first_end = end[0];
    for (int r = 1; r < rows; r++) {
        lowest = begin[r] < lowest ? begin[r] : lowest;
        last_begin = begin[r] > last_begin ? begin[r] : last_begin;
        highest = end[r] > highest ? end[r] : highest;
        first_end = end[r] < first_end ? end[r] : first_end;
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++)
            lanes[r][p] = STN_OF(v_set)((value)-0.0);
    }
    for (int64_t e = lowest / STN_LANES * STN_LANES; e < highest; e += STN_LANES) {
        if (e >= last_begin && e + STN_LANES <= first_end) {
#pragma GCC unroll 16
            for (int p = 0; p < ROW_REGISTERS; p++) {
                const vector shared = load_once(x + e + p * STN_WIDTH);
#pragma GCC unroll 8
                for (int r = 0; r < rows; r++)
                    lanes[r][p] = STN_OF(v_fma)(row_at(line[r], 0, 0, e + p * STN_WIDTH), shared,
                                                lanes[r][p]);
            }
            continue;
        }
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++) {
            const int64_t at = e + p * STN_WIDTH, left = count > at ? count - at : 0;
            const vector shared = load_first(x + at, left);
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++) {
                const value *const elements = (const value *)(const void *)line[r] + at;
                const int64_t own = end[r] > at ? end[r] - at : 0;
                const vector old = lanes[r][p];
                const vector sum = STN_OF(v_first)(
                    STN_OF(v_fma)(load_first(elements, own), shared, old), old, own);
                lanes[r][p] = STN_OF(v_first)(old, sum, begin[r] - at);
            }
        }
    }
    vector folded[VALUE_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        add_registers(lanes[r], ROW_REGISTERS);
        folded[r] = lanes[r][0];
    }
    if (rows == VALUE_ROWS)
        fold_rows(sums, folded);
    else
        sums[0] = (value)STN_OF(v_sum)(folded[0]);
}

STN_FN void sum_some_lines(double *sums, const stn_value_lines *l, const value *x, int64_t first,
                           int rows)
{
    const char *line[VALUE_ROWS];
    int64_t begin[VALUE_ROWS], end[VALUE_ROWS];
    value some[VALUE_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        line[r] = line_at(l, first + r);
        begin[r] = l->part == STN_LINE_FROM_DIAGONAL ? first + r : 0;
        end[r] = l->part == STN_LINE_TO_DIAGONAL ? first + r + 1 : l->count;
    }
    sum_ragged(some, line, rows, begin, end, x, l->count);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        sums[first + r] = (double)some[r];
}

static void sum_along(double *sums, const stn_value_lines *l, const void *values)
{
    const value *const x = values;
    int64_t k = 0;
    if (l->part == STN_LINE_ALL && l->growth == 0) {
        sum_value_rows(sums, l->a, l->step, l->lines, x, l->count);
        return;
    }
    for (; VALUE_ROWS > 1 && k + VALUE_ROWS <= l->lines; k += VALUE_ROWS)
        sum_some_lines(sums, l, x, k, VALUE_ROWS);
    for (; k < l->lines; k++)
        sum_some_lines(sums, l, x, k, 1);
}

/* ---- across lines ----
 * Lines e, e + 8, e + 16 and e + 24 are lanes of a panel; those of one lane are 32 lines apart.
 * Panels are processed in the order in which the tree combines them, so that each element has at
 * most three pending sums. */

enum { WIDE_BLOCK = BLOCK * STN_WIDTH };

/* Up to BLOCK vectors of elements, from `first` on. */
typedef struct block {
    const stn_value_lines *lines;
    const value *x;
    int64_t first;
} block;

/* Adds a line, which has all elements of the block if `is_whole`. */
STN_FN void add_line(vector *sums, const block *b, int64_t line, int vectors, int is_whole)
{
    const stn_value_lines *const l = b->lines;
    const value *const from = (const value *)(const void *)line_at(l, line) + b->first;
    const vector factor = STN_OF(v_set)(b->x[line]);
    const int64_t end = (l->part == STN_LINE_TO_DIAGONAL ? line + 1 : l->count) - b->first;
    const int64_t begin = l->part == STN_LINE_FROM_DIAGONAL ? line - b->first : 0;
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++) {
        const int64_t at = k * STN_WIDTH, left = end > at ? end - at : 0;
        const vector old = sums[k];
        if (is_whole) {
            sums[k] = STN_OF(v_fma)(load(from + at), factor, old);
        } else {
            const vector sum =
                STN_OF(v_first)(STN_OF(v_fma)(load_first(from + at, left), factor, old), old, left);
            sums[k] = STN_OF(v_first)(old, sum, begin - at);
        }
    }
}

STN_FN int is_whole_line(const block *b, int64_t line, int64_t width)
{
    const stn_value_lines *const l = b->lines;
    return b->first + width <= l->count &&
           (l->part == STN_LINE_ALL ||
            (l->part == STN_LINE_TO_DIAGONAL ? line + 1 >= b->first + width : line <= b->first));
}

STN_FN void sum_lane(vector *sums, const block *b, int64_t lane, int vectors)
{
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++)
        sums[k] = STN_OF(v_set)((value)-0.0);
    int64_t line = lane, last = b->lines->lines - 1;
    while (b->lines->part == STN_LINE_TO_DIAGONAL && line < b->first)
        line += STN_LANES;
    if (b->lines->part == STN_LINE_FROM_DIAGONAL && last >= b->first + vectors * STN_WIDTH)
        last = b->first + vectors * STN_WIDTH - 1;
    for (; line <= last; line += STN_LANES) {
        if (is_whole_line(b, line, vectors * STN_WIDTH))
            add_line(sums, b, line, vectors, 1);
        else
            add_line(sums, b, line, vectors, 0);
    }
}

STN_FN void add_all(vector *sums, const vector *others, int vectors)
{
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++)
        sums[k] = STN_OF(v_add)(sums[k], others[k]);
}

STN_FN void sum_panel(vector *sums, const block *b, int64_t lane, int vectors)
{
    vector others[BLOCK], odd[BLOCK];
    sum_lane(sums, b, lane, vectors);
    sum_lane(others, b, lane + 16, vectors);
    add_all(sums, others, vectors);
    sum_lane(odd, b, lane + 8, vectors);
    sum_lane(others, b, lane + 24, vectors);
    add_all(odd, others, vectors);
    add_all(sums, odd, vectors);
}

STN_FN void sum_block(double *sums, const block *b, int vectors)
{
    vector waiting[WAITING][BLOCK], all[BLOCK];
    value last[WIDE_BLOCK];
    for (int k = 0; k < PANELS; k++) {
        int level = 0;
        sum_panel(all, b, panel_order[k], vectors);
        for (int odd = k; odd & 1; odd >>= 1, level++)
            add_all(all, waiting[level], vectors);
        if (k < PANELS - 1)
            memcpy(waiting[level], all, (size_t)vectors * sizeof *all);
    }
    memcpy(last, all, (size_t)vectors * sizeof *all);
    const int64_t left = b->lines->count - b->first;
    for (int64_t c = 0; c < vectors * STN_WIDTH && c < left; c++)
        sums[b->first + c] = (double)last[c];
}

static void sum_across(double *sums, const stn_value_lines *l, const void *x)
{
    block b = {l, x, 0};
    for (; b.first + WIDE_BLOCK <= l->count; b.first += WIDE_BLOCK)
        sum_block(sums, &b, BLOCK);
    for (; b.first + 2 * STN_WIDTH <= l->count; b.first += 2 * STN_WIDTH)
        sum_block(sums, &b, 2);
    for (; b.first < l->count; b.first += STN_WIDTH)
        sum_block(sums, &b, 1);
}

/* ---- symmetric tiles on the diagonal ----
 * Rows of the symmetric matrix consist of a line's elements and, before or after them, of those of
 * its column in other lines, which are transposed for some rows at a time. */

enum { STRIP = 8, STRIP_STEP = STN_TILE_ELEMENTS + 8 };

/* Sums of rows whose elements before split[r] are in low[r], and the others in high[r]. */
STN_FN void sum_split(value *sums, const value *const *low, const value *const *high,
                      const int64_t *split, int rows, const value *x, int64_t count)
{
    vector lanes[VALUE_ROWS][ROW_REGISTERS], folded[VALUE_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++)
            lanes[r][p] = STN_OF(v_set)((value)-0.0);
    }
    for (int64_t e = 0; e < count; e += STN_LANES) {
        const int is_low = e + STN_LANES <= split[0], is_high = e >= split[rows - 1];
        const value *const *const from = is_low ? low : high;
        if ((is_low || is_high) && e + STN_LANES <= count) {
#pragma GCC unroll 16
            for (int p = 0; p < ROW_REGISTERS; p++) {
                const int64_t at = e + p * STN_WIDTH;
                const vector shared = load_once(x + at);
#pragma GCC unroll 8
                for (int r = 0; r < rows; r++)
                    lanes[r][p] = STN_OF(v_fma)(load(from[r] + at), shared, lanes[r][p]);
            }
            continue;
        }
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++) {
            const int64_t at = e + p * STN_WIDTH, left = count > at ? count - at : 0;
            const vector shared = load_first(x + at, left);
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++) {
                const vector own = STN_OF(v_first)(load_first(low[r] + at, left),
                                                   load_first(high[r] + at, left), split[r] - at);
                lanes[r][p] =
                    STN_OF(v_first)(STN_OF(v_fma)(own, shared, lanes[r][p]), lanes[r][p], left);
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        add_registers(lanes[r], ROW_REGISTERS);
        folded[r] = lanes[r][0];
    }
    if (rows == VALUE_ROWS)
        fold_rows(sums, folded);
    else
        sums[0] = (value)STN_OF(v_sum)(folded[0]);
}

STN_FN void sum_strip_rows(double *sums, const stn_value_lines *l, const value *x, int64_t first,
                           int64_t row, int rows, const value *strip)
{
    const int ends = l->part == STN_LINE_TO_DIAGONAL;
    const value *low[VALUE_ROWS], *high[VALUE_ROWS];
    int64_t split[VALUE_ROWS];
    value some[VALUE_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        const value *const line = (const value *)(const void *)line_at(l, row + r);
        const value *const turned = strip + (row - first + r) * STRIP_STEP;
        low[r] = ends ? line : turned;
        high[r] = ends ? turned : line;
        split[r] = row + r + ends;
    }
    sum_split(some, low, high, split, rows, x, l->count);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        sums[row + r] = (double)some[r];
}

static void sum_symmetric(double *sums, const stn_value_lines *l, const void *values)
{
    _Alignas(64) value strip[STRIP * STRIP_STEP];
    const int64_t bytes = sizeof(value);
    for (int64_t first = 0; first < l->count; first += STRIP) {
        const int64_t end = l->count - first < STRIP ? l->count : first + STRIP;
        const int64_t begin_line = l->part == STN_LINE_TO_DIAGONAL ? first : 0;
        const int64_t end_line = l->part == STN_LINE_TO_DIAGONAL ? l->count : end;
        int64_t row = first;
        stn_transpose_words((char *)(strip + begin_line), STRIP_STEP,
                            line_at(l, begin_line) + first * bytes, l->step / bytes,
                            end_line - begin_line, end - first, bytes);
        for (; VALUE_ROWS > 1 && row + VALUE_ROWS <= end; row += VALUE_ROWS)
            sum_strip_rows(sums, l, values, first, row, VALUE_ROWS, strip);
        for (; row < end; row++)
            sum_strip_rows(sums, l, values, first, row, 1, strip);
    }
}

/* ---- along and across lines at once ---- */

#if defined(__AVX512F__)
enum { LEVELS = 5, AT_ONCE = STN_TILE_ELEMENTS / STN_LANES }; /* lines of a lane */

/* The sums of the k-th lane across lines, in the order in which the tree combines lanes, with
 * pending sums of previous ones; and the sums along its lines. */
STN_FN void sum_both_of_lane(double *along, value (*pending)[STN_TILE_ELEMENTS],
                             const stn_value_lines *l, const value *x, const value *of_lines, int k,
                             int64_t lane, int rows, int is_whole)
{
    const int levels = __builtin_ctz(~(unsigned)k);
    const value *line[AT_ONCE];
    vector lanes[AT_ONCE][ROW_REGISTERS], factor[AT_ONCE];
#    pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        line[r] = (const value *)(const void *)line_at(l, lane + r * STN_LANES);
        factor[r] = STN_OF(v_set)(of_lines[lane + r * STN_LANES]);
#    pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++)
            lanes[r][p] = STN_OF(v_set)((value)-0.0);
    }
    for (int64_t e = 0; e < l->count; e += STN_LANES) {
#    pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++) {
            const int64_t at = e + p * STN_WIDTH, left = l->count > at ? l->count - at : 0;
            const vector shared = is_whole ? load_once(x + at) : load_first(x + at, left);
            vector sum = STN_OF(v_set)((value)-0.0);
#    pragma GCC unroll 4
            for (int r = 0; r < rows; r++) {
                const vector a =
                    is_whole ? load_once(line[r] + at) : once(load_first(line[r] + at, left));
                const vector added = STN_OF(v_fma)(a, shared, lanes[r][p]);
                sum = STN_OF(v_fma)(a, factor[r], sum);
                lanes[r][p] = is_whole ? added : STN_OF(v_first)(added, lanes[r][p], left);
            }
            for (int level = 0; level < levels; level++)
                sum = STN_OF(v_add)(sum, load(pending[level] + at));
            memcpy(pending[levels] + at, &sum, sizeof sum);
        }
    }
#    pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        add_registers(lanes[r], ROW_REGISTERS);
        along[lane + r * STN_LANES] = (double)STN_OF(v_sum)(lanes[r][0]);
    }
}

static void sum_both(double *along, double *across, const stn_value_lines *l, const void *x,
                     const void *of_lines)
{
    _Alignas(64) value pending[LEVELS + 1][STN_TILE_ELEMENTS];
    const int is_whole = l->count == STN_TILE_ELEMENTS;
    for (int k = 0; k < STN_LANES; k++) {
        const int lane = (k & 1) << 4 | (k & 2) << 2 | (k & 4) | (k & 8) >> 2 | (k & 16) >> 4;
        const int64_t rows = lane < l->lines ? (l->lines - lane + STN_LANES - 1) / STN_LANES : 0;
#    define LANE(rows, is_whole)                                                                   \
        sum_both_of_lane(along, pending, l, x, of_lines, k, lane, rows, is_whole)
        if (rows == 4 && is_whole)
            LANE(4, 1);
        else if (rows == 4)
            LANE(4, 0);
        else if (rows == 3)
            LANE(3, 0);
        else if (rows == 2)
            LANE(2, 0);
        else if (rows == 1)
            LANE(1, 0);
        else
            LANE(0, 0);
    }
    for (int64_t c = 0; c < l->count; c++)
        across[c] = (double)pending[LEVELS][c];
}
#else
static void sum_both(double *along, double *across, const stn_value_lines *l, const void *x,
                     const void *of_lines)
{
    sum_along(along, l, x);
    sum_across(across, l, of_lines);
}
#endif

extern const stn_line_loops STN_INSTANCE(stn_line_loops);
const stn_line_loops STN_INSTANCE(stn_line_loops) = {sum_along, sum_across, sum_both,
                                                     sum_symmetric};
