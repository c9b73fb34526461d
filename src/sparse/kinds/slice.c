/* Slices of a sparse matrix: their size, and writing and reading their entries. */
#include "sparse/kinds/slice.h"

#include <string.h>

#include "format/registry.h"
#include "format/run.h"

enum { NO_COLUMN = -1, ALL_ROWS = (1 << STN_SLICE_ROWS) - 1 };

/* Additional cost of a separately stored row compared with one of 16 interleaved rows, as bytes of
 * memory that could be read in that time: 15 to 20 cycles. */
enum { BYTES_OF_A_ROW = 32 };

/* The rows of a slice in the compressed rows that it is created from. */
typedef struct rows {
    const int32_t *column[STN_SLICE_ROWS];
    int64_t first[STN_SLICE_ROWS], count[STN_SLICE_ROWS]; /* code indices */
    int64_t entries, longest, shortest;                   /* missing rows have length 0 */
    int height;                                           /* less than 16 in the last slice */
    int64_t columns;
    int is_packed;
    const char *codes; /* of the matrix, if the slice is packed; `code` bytes each */
    int64_t code;
} rows;

static rows find_rows(const stn_matrix *csr, int64_t slice, int is_packed)
{
    const int64_t begin = slice * STN_SLICE_ROWS, left = csr->rows - begin;
    rows rows_of_slice = {.height = left < STN_SLICE_ROWS ? (int)left : STN_SLICE_ROWS,
                          .columns = csr->columns,
                          .is_packed = is_packed,
                          .codes = csr->values,
                          .code = stn_format_entry_of(csr->storage.format)->info.bytes};
    rows_of_slice.shortest = rows_of_slice.height < STN_SLICE_ROWS ? 0 : INT64_MAX;
    for (int r = 0; r < rows_of_slice.height; r++) {
        rows_of_slice.first[r] = csr->row_start[begin + r];
        rows_of_slice.count[r] = csr->row_start[begin + r + 1] - rows_of_slice.first[r];
        rows_of_slice.column[r] = csr->column + rows_of_slice.first[r];
        rows_of_slice.entries += rows_of_slice.count[r];
        if (rows_of_slice.count[r] > rows_of_slice.longest)
            rows_of_slice.longest = rows_of_slice.count[r];
        if (rows_of_slice.count[r] < rows_of_slice.shortest)
            rows_of_slice.shortest = rows_of_slice.count[r];
    }
    return rows_of_slice;
}

static int32_t column_at(const rows *rows_of_slice, int row, int64_t entry)
{
    return entry < rows_of_slice->count[row] ? rows_of_slice->column[row][entry] : NO_COLUMN;
}

/* ---- entry e of all rows ---- */

typedef struct entry {
    unsigned present, second; /* one bit per row */
    int32_t base[2];          /* RUNS: both; NEAR: the first */
    stn_slice_run run;
} entry;

/* Vectors of x are read from a base on for all 16 rows, including rows that use the other base. */
static int is_readable(const rows *rows_of_slice, int64_t base)
{
    return base >= 0 && base + STN_SLICE_ROWS <= rows_of_slice->columns;
}

/* Returns whether at most two bases serve all rows. */
static int find_bases(const rows *rows_of_slice, int64_t e, entry *found)
{
    int64_t base[2] = {0, 0};
    int bases = 0;
    for (int r = 0; r < STN_SLICE_ROWS; r++)
        if (found->present >> r & 1) {
            const int64_t own = (int64_t)column_at(rows_of_slice, r, e) - r;
            if (bases == 0 || (bases == 1 && own != base[0]))
                base[bases++] = own;
            else if (own != base[0] && own != base[1])
                return 0;
            if (own != base[0])
                found->second |= 1u << r;
        }
    if (bases == 0 || !is_readable(rows_of_slice, base[0]) ||
        (bases > 1 && !is_readable(rows_of_slice, base[1])))
        return 0;
    found->base[0] = (int32_t)base[0];
    found->base[1] = (int32_t)base[bases - 1];
    return 1;
}

/* Returns whether one base serves all 16 rows, as in most entries of stencils. */
static int has_one_base(const rows *rows_of_slice, int64_t e)
{
    int32_t others = 0;
    if (e >= rows_of_slice->shortest || !is_readable(rows_of_slice, rows_of_slice->column[0][e]))
        return 0;
    for (int r = 0; r < STN_SLICE_ROWS; r++)
        others |= (rows_of_slice->column[r][e] - r) ^ rows_of_slice->column[0][e];
    return others == 0;
}

static entry find_entry(const rows *rows_of_slice, int64_t e)
{
    entry found = {.present = 0};
    if (has_one_base(rows_of_slice, e)) {
        found.present = ALL_ROWS;
        found.base[0] = found.base[1] = rows_of_slice->column[0][e];
        return found;
    }
    int32_t low = INT32_MAX, high = 0;
    for (int r = 0; r < rows_of_slice->height; r++) {
        const int32_t column = column_at(rows_of_slice, r, e);
        if (column == NO_COLUMN)
            continue;
        found.present |= 1u << r;
        low = column < low ? column : low;
        high = column > high ? column : high;
    }
    if (find_bases(rows_of_slice, e, &found))
        return found;
    found.second = 0;
    found.base[0] = low;
    found.run = rows_of_slice->is_packed && high - low <= UINT8_MAX ? STN_SLICE_BYTES
                : high - low <= UINT16_MAX                          ? STN_SLICE_NEAR
                                                                    : STN_SLICE_FAR;
    return found;
}

static int is_straight(const entry *one)
{
    return one->run == STN_SLICE_RUNS && one->second == 0 && one->present == ALL_ROWS;
}

static int64_t entry_words(stn_slice_run run)
{
    static const int64_t words[] = {[STN_SLICE_RUNS] = 3,
                                    [STN_SLICE_NEAR] = 2 + STN_SLICE_ROWS / 2,
                                    [STN_SLICE_FAR] = 1 + STN_SLICE_ROWS,
                                    [STN_SLICE_BYTES] = 2 + STN_SLICE_ROWS / 4};
    return words[run];
}

/* ---- selection of the kind ---- */

typedef struct layout {
    stn_slice_kind kind;
    int32_t base; /* NARROW */
    int64_t slots, words;
    int is_uniform;
} layout;

static layout measure_consecutive(const rows *rows_of_slice)
{
    int32_t low = INT32_MAX, high = 0;
    for (int r = 0; r < rows_of_slice->height; r++)
        for (int64_t e = 0; e < rows_of_slice->count[r]; e++) {
            low = rows_of_slice->column[r][e] < low ? rows_of_slice->column[r][e] : low;
            high = rows_of_slice->column[r][e] > high ? rows_of_slice->column[r][e] : high;
        }
    const int64_t columns = rows_of_slice->entries + STN_SLICE_PADDING;
    if (rows_of_slice->entries > 0 && high - low > UINT16_MAX)
        return (layout){STN_SLICE_WIDE, 0, rows_of_slice->entries, STN_SLICE_COLUMNS + columns, 0};
    return (layout){STN_SLICE_NARROW, rows_of_slice->entries > 0 ? low : 0, rows_of_slice->entries,
                    STN_SLICE_COLUMNS + (columns + 1) / 2, 0};
}

static layout measure_interleaved(const rows *rows_of_slice)
{
    layout result = {STN_SLICE_STRAIGHT, 0, STN_SLICE_ROWS * rows_of_slice->longest,
                     1 + rows_of_slice->longest, 0};
    int64_t more = 0;
    for (int64_t e = 0; e < rows_of_slice->longest; e++) {
        const entry one = find_entry(rows_of_slice, e);
        more += entry_words(one.run);
        if (!is_straight(&one))
            result.kind = STN_SLICE_MIXED;
    }
    if (result.kind == STN_SLICE_MIXED)
        result.words += more;
    return result;
}

static int64_t cost_of(const layout *result, int64_t code_bytes)
{
    return result->slots * code_bytes + result->words * (int64_t)sizeof(int32_t);
}

/* Returns whether entry e has the same code in all rows, for every e. */
static int has_uniform_codes(const rows *rows_of_slice)
{
    const int64_t code = rows_of_slice->code;
    const char *const codes = rows_of_slice->codes;
    for (int r = 1; r < STN_SLICE_ROWS; r++)
        if (memcmp(codes + rows_of_slice->first[0] * code, codes + rows_of_slice->first[r] * code,
                   (size_t)(rows_of_slice->longest * code)) != 0)
            return 0;
    return 1;
}

static layout choose(const rows *rows_of_slice, int64_t code_bytes)
{
    if (rows_of_slice->longest > STN_SLICE_MAX_WIDTH)
        return measure_consecutive(rows_of_slice);
    layout side = measure_interleaved(rows_of_slice);
    if (side.kind == STN_SLICE_STRAIGHT) {
        side.is_uniform = rows_of_slice->is_packed && rows_of_slice->longest > 0 &&
                          has_uniform_codes(rows_of_slice);
        if (side.is_uniform)
            side.slots = rows_of_slice->longest;
        return side;
    }
    const layout row = measure_consecutive(rows_of_slice);
    return cost_of(&side, code_bytes) <=
                   cost_of(&row, code_bytes) + BYTES_OF_A_ROW * rows_of_slice->height
               ? side
               : row;
}

void stn_slice_measure(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                       int64_t *slots, int64_t *words)
{
    const rows rows_of_slice = find_rows(csr, slice, is_packed);
    const layout result = choose(&rows_of_slice, code_bytes);
    *slots = result.slots;
    *words = result.words;
}

void stn_slice_examine(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                       stn_slice_work *work)
{
    const rows rows_of_slice = find_rows(csr, slice, is_packed);
    const layout result = choose(&rows_of_slice, code_bytes);
    const int is_consecutive = result.kind == STN_SLICE_NARROW || result.kind == STN_SLICE_WIDE;
    work->slots += result.slots;
    work->words += result.words;
    work->entries += rows_of_slice.entries;
    work->consecutive_rows += is_consecutive ? rows_of_slice.height : 0;
    work->consecutive_entries += is_consecutive ? rows_of_slice.entries : 0;
    work->straight += result.kind == STN_SLICE_STRAIGHT ? rows_of_slice.longest : 0;
    for (int64_t e = 0; e < rows_of_slice.longest && result.kind == STN_SLICE_MIXED; e++) {
        const int is_run = find_entry(&rows_of_slice, e).run == STN_SLICE_RUNS;
        work->runs += is_run;
        work->gathered += !is_run;
    }
}

/* ---- writing ---- */

static void fill_entry(const rows *rows_of_slice, int64_t e, const entry *one, int32_t *word)
{
    uint16_t *const near = (uint16_t *)(void *)(word + 2);
    const uint32_t bits = one->present | one->second << STN_SLICE_ROWS;
    memcpy(word, &bits, sizeof bits);
    word[1] = one->base[0];
    if (one->run == STN_SLICE_RUNS)
        word[2] = one->base[1];
    for (int r = 0; r < STN_SLICE_ROWS && one->run != STN_SLICE_RUNS; r++) {
        const int32_t column =
            one->present >> r & 1 ? column_at(rows_of_slice, r, e) : one->base[0];
        if (one->run == STN_SLICE_NEAR)
            near[r] = (uint16_t)(column - one->base[0]);
        else if (one->run == STN_SLICE_BYTES)
            ((uint8_t *)near)[r] = (uint8_t)(column - one->base[0]);
        else
            word[1 + r] = column;
    }
}

static void fill_columns(const rows *rows_of_slice, const layout *result, int32_t *word)
{
    int64_t word_index = 1 + rows_of_slice->longest;
    for (int64_t e = 0; e < rows_of_slice->longest; e++) {
        const entry one = find_entry(rows_of_slice, e);
        if (result->kind == STN_SLICE_STRAIGHT) {
            word[1 + e] = one.base[0];
            continue;
        }
        word[1 + e] = (int32_t)(word_index * 4) + (int32_t)one.run;
        fill_entry(rows_of_slice, e, &one, word + word_index);
        word_index += entry_words(one.run);
    }
}

static void fill_interleaved(const rows *rows_of_slice, int64_t code_bytes, const char *codes,
                             char *slots)
{
    const int64_t step = STN_SLICE_ROWS * code_bytes;
    if (rows_of_slice->entries < STN_SLICE_ROWS * rows_of_slice->longest)
        memset(slots, 0, (size_t)(rows_of_slice->longest * step));
    for (int r = 0; r < rows_of_slice->height; r++)
        stn_move(slots + r * code_bytes, step, codes + rows_of_slice->first[r] * code_bytes,
                 code_bytes, code_bytes, rows_of_slice->count[r]);
}

static void fill_rows(const rows *rows_of_slice, const layout *result, int64_t code_bytes,
                      const char *codes, char *slots, int32_t *word)
{
    int32_t *const wide = word + STN_SLICE_COLUMNS;
    uint16_t *const narrow = (uint16_t *)(void *)wide;
    int64_t at = 0;
    memset(word + 1, 0, (size_t)(result->words - 1) * sizeof *word);
    word[STN_SLICE_COLUMNS - 1] = result->base;
    for (int r = 0; r < STN_SLICE_ROWS; r++) {
        memcpy(slots + at * code_bytes, codes + rows_of_slice->first[r] * code_bytes,
               (size_t)(rows_of_slice->count[r] * code_bytes));
        for (int64_t e = 0; e < rows_of_slice->count[r]; e++, at++) {
            if (result->kind == STN_SLICE_NARROW)
                narrow[at] = (uint16_t)(rows_of_slice->column[r][e] - result->base);
            else
                wide[at] = rows_of_slice->column[r][e];
        }
        word[1 + r] = (int32_t)at;
    }
}

void stn_slice_fill(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                    const void *codes, void *slots, int32_t *words)
{
    const rows rows_of_slice = find_rows(csr, slice, is_packed);
    const layout result = choose(&rows_of_slice, code_bytes);
    const int is_wide = result.kind == STN_SLICE_NARROW || result.kind == STN_SLICE_WIDE;
    words[0] = (int32_t)result.kind + (is_wide ? 0 : 4 * (int32_t)rows_of_slice.longest) +
               (result.is_uniform ? STN_SLICE_UNIFORM : 0);
    if (is_wide) {
        fill_rows(&rows_of_slice, &result, code_bytes, codes, slots, words);
        return;
    }
    fill_columns(&rows_of_slice, &result, words);
    if (result.is_uniform)
        memcpy(slots, (const char *)codes + rows_of_slice.first[0] * code_bytes,
               (size_t)(rows_of_slice.longest * code_bytes));
    else
        fill_interleaved(&rows_of_slice, code_bytes, codes, slots);
}

void stn_slice_update(const stn_matrix *csr, int64_t slice, int64_t code_bytes, const void *codes,
                      const int32_t *word, void *slots)
{
    const rows rows_of_slice = find_rows(csr, slice, 0);
    const stn_slice_kind kind = (stn_slice_kind)(word[0] % 4);
    if (kind == STN_SLICE_STRAIGHT || kind == STN_SLICE_MIXED)
        fill_interleaved(&rows_of_slice, code_bytes, codes, slots);
    else
        memcpy(slots, (const char *)codes + rows_of_slice.first[0] * code_bytes,
               (size_t)(rows_of_slice.entries * code_bytes));
}

/* ---- reading ---- */

static int64_t count_present(const int32_t *word, int row)
{
    const int64_t width = stn_slice_width(word);
    int64_t count = 0;
    while (count < width && (uint32_t)word[word[1 + count] / 4] >> row & 1)
        count++;
    return count;
}

stn_slice_row stn_slice_row_of(const stn_matrix *csr, int64_t row)
{
    const int64_t *const start = csr->slice_start + row / STN_SLICE_ROWS * 2;
    const int32_t *const word = csr->slice_word + start[1];
    const int r = (int)(row % STN_SLICE_ROWS);
    if (stn_slice_is_uniform(word))
        return (stn_slice_row){word, r, start[0], 1, stn_slice_width(word)};
    if (word[0] % 4 == STN_SLICE_STRAIGHT)
        return (stn_slice_row){word, r, start[0] + r, STN_SLICE_ROWS, stn_slice_width(word)};
    if (word[0] % 4 == STN_SLICE_MIXED)
        return (stn_slice_row){word, r, start[0] + r, STN_SLICE_ROWS, count_present(word, r)};
    const int64_t begin = r == 0 ? 0 : word[r];
    return (stn_slice_row){word, r, start[0] + begin, 1, word[1 + r] - begin};
}

static int32_t mixed_column(const int32_t *word, int64_t e, int row)
{
    const int32_t *const at = word + word[1 + e] / 4;
    const uint16_t *const near = (const uint16_t *)(const void *)(at + 2);
    switch ((stn_slice_run)(word[1 + e] % 4)) {
    case STN_SLICE_RUNS:
        return at[1 + ((uint32_t)at[0] >> (STN_SLICE_ROWS + row) & 1)] + row;
    case STN_SLICE_NEAR:
        return at[1] + near[row];
    case STN_SLICE_BYTES:
        return at[1] + ((const uint8_t *)near)[row];
    case STN_SLICE_FAR:
        break;
    }
    return at[1 + row];
}

int32_t stn_slice_column(const stn_slice_row *of, int64_t e)
{
    const int32_t *const word = of->word, *const wide = word + STN_SLICE_COLUMNS;
    const int64_t at = e + (of->row == 0 ? 0 : word[of->row]);
    switch ((stn_slice_kind)(word[0] % 4)) {
    case STN_SLICE_STRAIGHT:
        return word[1 + e] + of->row;
    case STN_SLICE_MIXED:
        return mixed_column(word, e, of->row);
    case STN_SLICE_NARROW:
        return word[STN_SLICE_COLUMNS - 1] + ((const uint16_t *)(const void *)wide)[at];
    case STN_SLICE_WIDE:
        break;
    }
    return wide[at];
}

void stn_slice_row_columns(const int32_t *word, int64_t from, int64_t count, int32_t *column)
{
    const int32_t *const wide = word + STN_SLICE_COLUMNS + from;
    const uint16_t *const narrow = (const uint16_t *)(const void *)(word + STN_SLICE_COLUMNS);
    const int32_t base = word[STN_SLICE_COLUMNS - 1];
    const int is_narrow = word[0] % 4 == STN_SLICE_NARROW;
    for (int64_t e = 0; e < count; e++)
        column[e] = is_narrow ? base + narrow[from + e] : wide[e];
}

/* ---- shares ---- */

/* The work of the preceding slices: entries, words of columns, rows. */
static int64_t work_before(const stn_matrix *a, int64_t slice)
{
    return a->slice_start[2 * slice] + a->slice_start[2 * slice + 1] + slice * STN_SLICE_ROWS;
}

/* The first slice at or after the beginning of the share. Shares have equal amounts of work. */
int64_t stn_slices_share(const stn_matrix *a, int64_t part, int64_t parts)
{
    const int64_t slices = stn_slices_of(a->rows), work = work_before(a, slices);
    const int64_t goal = work / parts * part + work % parts * part / parts;
    int64_t low = 0, high = slices;
    while (low < high) {
        const int64_t slice = low + (high - low) / 2;
        if (work_before(a, slice) < goal)
            low = slice + 1;
        else
            high = slice;
    }
    const int64_t row = low * STN_SLICE_ROWS;
    return part == parts || row > a->rows ? a->rows : row;
}
