/* Slices of a sparse matrix: their size, and writing and reading their entries. */
#include "sparse/slice.h"

#include <string.h>

enum { NO_COLUMN = -1 };

/* Additional cost of a separately stored row compared with one of 16 interleaved rows, as bytes of
 * memory that could be read in that time: 15 to 20 cycles. */
enum { BYTES_OF_A_ROW = 32 };

/* The rows of a slice in the compressed rows that it is created from. */
typedef struct rows {
    const int32_t *column[STN_SLICE_ROWS];
    int64_t first[STN_SLICE_ROWS], count[STN_SLICE_ROWS]; /* code indices */
    int64_t entries, longest;
    int height; /* less than 16 in the last slice */
    int64_t columns;
} rows;

static rows take_rows(const stn_matrix *csr, int64_t slice)
{
    const int64_t begin = slice * STN_SLICE_ROWS, left = csr->rows - begin;
    rows all = {.height = left < STN_SLICE_ROWS ? (int)left : STN_SLICE_ROWS,
                .columns = csr->columns};
    for (int r = 0; r < all.height; r++) {
        all.first[r] = csr->row_start[begin + r];
        all.count[r] = csr->row_start[begin + r + 1] - all.first[r];
        all.column[r] = csr->column + all.first[r];
        all.entries += all.count[r];
        if (all.count[r] > all.longest)
            all.longest = all.count[r];
    }
    return all;
}

static int32_t column_of(const rows *all, int row, int64_t entry)
{
    return entry < all->count[row] ? all->column[row][entry] : NO_COLUMN;
}

/* ---- entry e of all rows ---- */

typedef struct entry {
    unsigned present, second; /* one bit per row */
    int32_t base[2];          /* RUNS: both; NEAR: the first */
    stn_slice_run run;
} entry;

/* Vectors of x are read from a base on for all 16 rows, including rows that use the other base. */
static int is_readable(const rows *all, int64_t base)
{
    return base >= 0 && base + STN_SLICE_ROWS <= all->columns;
}

/* Returns whether at most two bases serve all rows. */
static int find_bases(const rows *all, int64_t e, entry *found)
{
    int64_t base[2] = {0, 0};
    int bases = 0;
    for (int r = 0; r < STN_SLICE_ROWS; r++)
        if (found->present >> r & 1) {
            const int64_t own = (int64_t)column_of(all, r, e) - r;
            if (bases == 0 || (bases == 1 && own != base[0]))
                base[bases++] = own;
            else if (own != base[0] && own != base[1])
                return 0;
            if (own != base[0])
                found->second |= 1u << r;
        }
    if (bases == 0 || !is_readable(all, base[0]) || (bases > 1 && !is_readable(all, base[1])))
        return 0;
    found->base[0] = (int32_t)base[0];
    found->base[1] = (int32_t)base[bases - 1];
    return 1;
}

static entry find_entry(const rows *all, int64_t e)
{
    entry found = {.present = 0};
    int32_t low = INT32_MAX, high = 0;
    for (int r = 0; r < all->height; r++) {
        const int32_t column = column_of(all, r, e);
        if (column == NO_COLUMN)
            continue;
        found.present |= 1u << r;
        low = column < low ? column : low;
        high = column > high ? column : high;
    }
    if (find_bases(all, e, &found))
        return found;
    found.second = 0;
    found.base[0] = low;
    found.run = high - low <= UINT16_MAX ? STN_SLICE_NEAR : STN_SLICE_FAR;
    return found;
}

static int is_straight(const entry *one)
{
    return one->run == STN_SLICE_RUNS && one->second == 0 &&
           one->present == (1u << STN_SLICE_ROWS) - 1;
}

static int64_t entry_words(stn_slice_run run)
{
    static const int64_t words[] = {[STN_SLICE_RUNS] = 3,
                                    [STN_SLICE_NEAR] = 2 + STN_SLICE_ROWS / 2,
                                    [STN_SLICE_FAR] = 1 + STN_SLICE_ROWS};
    return words[run];
}

/* ---- selection of the kind ---- */

typedef struct layout {
    stn_slice_kind kind;
    int32_t base; /* NARROW */
    int64_t slots, words;
} layout;

static layout lay_by_rows(const rows *all)
{
    int32_t low = INT32_MAX, high = 0;
    for (int r = 0; r < all->height; r++)
        for (int64_t e = 0; e < all->count[r]; e++) {
            low = all->column[r][e] < low ? all->column[r][e] : low;
            high = all->column[r][e] > high ? all->column[r][e] : high;
        }
    const int64_t columns = all->entries + STN_SLICE_BEHIND;
    if (all->entries > 0 && high - low > UINT16_MAX)
        return (layout){STN_SLICE_WIDE, 0, all->entries, STN_SLICE_COLUMNS + columns};
    return (layout){STN_SLICE_NARROW, all->entries > 0 ? low : 0, all->entries,
                    STN_SLICE_COLUMNS + (columns + 1) / 2};
}

static layout lay_side_by_side(const rows *all)
{
    layout made = {STN_SLICE_STRAIGHT, 0, STN_SLICE_ROWS * all->longest, 1 + all->longest};
    int64_t more = 0;
    for (int64_t e = 0; e < all->longest; e++) {
        const entry one = find_entry(all, e);
        more += entry_words(one.run);
        if (!is_straight(&one))
            made.kind = STN_SLICE_MIXED;
    }
    if (made.kind == STN_SLICE_MIXED)
        made.words += more;
    return made;
}

static int64_t cost_of(const layout *made, int64_t code_bytes)
{
    return made->slots * code_bytes + made->words * (int64_t)sizeof(int32_t);
}

static layout choose(const rows *all, int64_t code_bytes)
{
    if (all->longest > STN_SLICE_WIDEST)
        return lay_by_rows(all);
    const layout side = lay_side_by_side(all);
    if (side.kind == STN_SLICE_STRAIGHT)
        return side;
    const layout row = lay_by_rows(all);
    return cost_of(&side, code_bytes) <= cost_of(&row, code_bytes) + BYTES_OF_A_ROW * all->height
               ? side
               : row;
}

void stn_slice_measure(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int64_t *slots,
                       int64_t *words)
{
    const rows all = take_rows(csr, slice);
    const layout made = choose(&all, code_bytes);
    *slots = made.slots;
    *words = made.words;
}

/* ---- writing ---- */

static void fill_entry(const rows *all, int64_t e, const entry *one, int32_t *word)
{
    uint16_t *const near = (uint16_t *)(void *)(word + 2);
    const uint32_t bits = one->present | one->second << STN_SLICE_ROWS;
    memcpy(word, &bits, sizeof bits);
    word[1] = one->base[0];
    if (one->run == STN_SLICE_RUNS)
        word[2] = one->base[1];
    for (int r = 0; r < STN_SLICE_ROWS && one->run != STN_SLICE_RUNS; r++) {
        const int32_t column = one->present >> r & 1 ? column_of(all, r, e) : one->base[0];
        if (one->run == STN_SLICE_NEAR)
            near[r] = (uint16_t)(column - one->base[0]);
        else
            word[1 + r] = column;
    }
}

static void fill_columns(const rows *all, const layout *made, int32_t *word)
{
    int64_t place = 1 + all->longest;
    for (int64_t e = 0; e < all->longest; e++) {
        const entry one = find_entry(all, e);
        if (made->kind == STN_SLICE_STRAIGHT) {
            word[1 + e] = one.base[0];
            continue;
        }
        word[1 + e] = (int32_t)(place * 4) + (int32_t)one.run;
        fill_entry(all, e, &one, word + place);
        place += entry_words(one.run);
    }
}

static void fill_side_by_side(const rows *all, int64_t code_bytes, const char *codes, char *slots)
{
    for (int64_t e = 0; e < all->longest; e++)
        for (int r = 0; r < STN_SLICE_ROWS; r++, slots += code_bytes) {
            if (e < all->count[r])
                memcpy(slots, codes + (all->first[r] + e) * code_bytes, (size_t)code_bytes);
            else
                memset(slots, 0, (size_t)code_bytes);
        }
}

static void fill_rows(const rows *all, const layout *made, int64_t code_bytes, const char *codes,
                      char *slots, int32_t *word)
{
    int32_t *const wide = word + STN_SLICE_COLUMNS;
    uint16_t *const narrow = (uint16_t *)(void *)wide;
    int64_t at = 0;
    memset(word + 1, 0, (size_t)(made->words - 1) * sizeof *word);
    word[STN_SLICE_COLUMNS - 1] = made->base;
    for (int r = 0; r < STN_SLICE_ROWS; r++) {
        memcpy(slots + at * code_bytes, codes + all->first[r] * code_bytes,
               (size_t)(all->count[r] * code_bytes));
        for (int64_t e = 0; e < all->count[r]; e++, at++) {
            if (made->kind == STN_SLICE_NARROW)
                narrow[at] = (uint16_t)(all->column[r][e] - made->base);
            else
                wide[at] = all->column[r][e];
        }
        word[1 + r] = (int32_t)at;
    }
}

void stn_slice_fill(const stn_matrix *csr, int64_t slice, int64_t code_bytes, const void *codes,
                    void *slots, int32_t *words)
{
    const rows all = take_rows(csr, slice);
    const layout made = choose(&all, code_bytes);
    const int is_wide = made.kind == STN_SLICE_NARROW || made.kind == STN_SLICE_WIDE;
    words[0] = (int32_t)made.kind + (is_wide ? 0 : 4 * (int32_t)all.longest);
    if (is_wide) {
        fill_rows(&all, &made, code_bytes, codes, slots, words);
        return;
    }
    fill_columns(&all, &made, words);
    fill_side_by_side(&all, code_bytes, codes, slots);
}

/* ---- reading ---- */

static int64_t count_present(const int32_t *word, int row)
{
    const int64_t width = word[0] / 4;
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
    if (word[0] % 4 == STN_SLICE_STRAIGHT)
        return (stn_slice_row){word, r, start[0] + r, STN_SLICE_ROWS, word[0] / 4};
    if (word[0] % 4 == STN_SLICE_MIXED)
        return (stn_slice_row){word, r, start[0] + r, STN_SLICE_ROWS, count_present(word, r)};
    const int64_t begin = r == 0 ? 0 : word[r];
    return (stn_slice_row){word, r, start[0] + begin, 1, word[1 + r] - begin};
}

static int32_t mixed_column(const int32_t *word, int64_t e, int row)
{
    const int32_t *const at = word + word[1 + e] / 4;
    const uint16_t *const near = (const uint16_t *)(const void *)(at + 2);
    if (word[1 + e] % 4 == STN_SLICE_RUNS)
        return at[1 + ((uint32_t)at[0] >> (STN_SLICE_ROWS + row) & 1)] + row;
    return word[1 + e] % 4 == STN_SLICE_NEAR ? at[1] + near[row] : at[1 + row];
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
