/* Sums along and across lines of values of type STN_FORMAT, f64 or f32, for STN_ISA. */
#include "blas/value_lines.h"

#include <string.h>

#include "format/vec.h"
#include "sum/fold.h"

#include "sum/fused.h"
#include "sum/vector.h"

enum { STN_LEAVES = STN_EXACT_TILES + 1 };
#include "sum/value_rows.h"

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
                const value *const from = (const value *)(const void *)line[r] + at;
                const int64_t own = end[r] > at ? end[r] - at : 0;
                const vector old = lanes[r][p];
                const vector sum =
                    STN_OF(v_first)(STN_OF(v_fma)(load_first(from, own), shared, old), old, own);
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

enum { PANELS = 8, BLOCK = 4, WIDE_BLOCK = BLOCK * STN_WIDTH, WAITING = 3 };

static const int8_t panel_order[PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};

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
    for (; b.first < l->count; b.first += STN_WIDTH)
        sum_block(sums, &b, 1);
}

extern const stn_line_loops STN_INSTANCE(stn_line_loops);
const stn_line_loops STN_INSTANCE(stn_line_loops) = {sum_along, sum_across};
