/* Slices of a sparse matrix: 16 rows, described by 32-bit words that encode their columns.
 *
 * word[0] is kind + 4 * width, where the width is the number of entries of the longest row of an
 * interleaved slice. The kinds, with entries e and rows r counted from 0:
 *
 * STRAIGHT   interleaved: entry e of row r is code 16 e + r, and all rows have the same length.
 *            Its column is word[1 + e] + r. In packed slices with STN_SLICE_UNIFORM in word[0],
 *            entry e has the same value in all rows, which is code e.
 * MIXED      interleaved, but rows may have fewer entries. word[1 + e] is run + 4 * p, with a
 *            stn_slice_run. word[p] has one bit for each row that has entry e and, in its upper
 *            half, one bit for each row that uses the second base. The following words depend on
 *            the run:
 *            RUNS    two bases; the column is base + r
 *            NEAR    a base, followed by 16 bits per row that are added to it
 *            FAR     the column of each row
 *            BYTES   in packed slices: a base, followed by 8 bits per row that are added to it
 * NARROW     rows are consecutive: word[1 + r] is the end of row r, word[17] is a base, and 16 bits
 *            per code from word[18] on are added to it
 * WIDE       rows are consecutive, with a 32-bit column per code from word[18] on
 *
 * The words end with valid columns for vector loads beyond the last column. */
#ifndef STENO_SPARSE_KINDS_SLICE_H
#define STENO_SPARSE_KINDS_SLICE_H

#include "sparse/matrix.h"

enum {
    STN_SLICE_ROWS = 16,
    STN_SLICE_MAX_WIDTH = 128, /* longest interleaved rows; longer rows are a tree of tiles */
    STN_SLICE_COLUMNS = STN_SLICE_ROWS + 2,
    STN_SLICE_PADDING = 16 /* number of columns that are read together with the last one */
};

typedef enum stn_slice_kind {
    STN_SLICE_STRAIGHT,
    STN_SLICE_MIXED,
    STN_SLICE_NARROW,
    STN_SLICE_WIDE
} stn_slice_kind;

typedef enum stn_slice_run {
    STN_SLICE_RUNS,
    STN_SLICE_NEAR,
    STN_SLICE_FAR,
    STN_SLICE_BYTES
} stn_slice_run;

enum { STN_SLICE_UNIFORM = 1 << 16 };

static inline int stn_slice_is_uniform(const int32_t *word)
{
    return (word[0] & STN_SLICE_UNIFORM) != 0;
}

/* The number of entries of the longest row of an interleaved slice. */
static inline int64_t stn_slice_width(const int32_t *word)
{
    return (word[0] & ~STN_SLICE_UNIFORM) >> 2;
}

static inline int64_t stn_slices_of(int64_t rows)
{
    return rows / STN_SLICE_ROWS + (rows % STN_SLICE_ROWS != 0);
}

/* The numbers of codes and words of a slice of a matrix in compressed rows with codes of
 * `code_bytes`; at most 2^31 - 1 entries. If it is packed, the values of the matrix are compared.
 */
void stn_slice_measure(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                       int64_t *slots, int64_t *words);

/* What determines the time of a product with slices. */
typedef struct stn_slice_work {
    int64_t entries, slots, words;
    int64_t straight, runs, gathered; /* entries e of 16 interleaved rows, by their columns */
    int64_t consecutive_rows, consecutive_entries;
} stn_slice_work;

/* Adds a slice that would be created from compressed rows with codes of `code_bytes`. */
void stn_slice_examine(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                       stn_slice_work *work);

/* Writes the codes and words. */
void stn_slice_fill(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int is_packed,
                    const void *codes, void *slots, int32_t *words);

/* Writes the codes of a slice whose words are those of the same compressed rows. */
void stn_slice_update(const stn_matrix *csr, int64_t slice, int64_t code_bytes, const void *codes,
                      const int32_t *word, void *slots);

/* A row of a matrix in slices. */
typedef struct stn_slice_row {
    const int32_t *word;
    int row;
    int64_t first, step, count; /* the code of entry e is at first + step * e */
} stn_slice_row;

stn_slice_row stn_slice_row_of(const stn_matrix *csr, int64_t row);
int32_t stn_slice_column(const stn_slice_row *row, int64_t entry);

/* Reads the columns of `count` codes from code `from` on, of a slice whose rows are stored
 * consecutively. */
void stn_slice_row_columns(const int32_t *word, int64_t from, int64_t count, int32_t *column);

/* The first row of a share of a matrix in slices. Shares have equal amounts of work. */
int64_t stn_slices_share(const stn_matrix *csr, int64_t part, int64_t parts);

#endif
