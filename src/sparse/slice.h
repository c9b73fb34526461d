/* Slices of a sparse matrix: how the words that describe 16 rows and their columns lie. Entry e of
 * row r of a slice, both from 0 on, is
 *
 * STRAIGHT   code 16 e + r; every row has as many entries; column word[1 + e] + r
 * MIXED      code 16 e + r, absent where the row has fewer entries; word[1 + e] is a stn_slice_run
 *            and, times 4, the place p from which on there are: a bit for each row that has the
 *            entry, and in the upper half for each that counts from the second base;
 *            RUNS    two bases; column base + r
 *            NEAR    a base, and for each row 16 bits to be added
 *            FAR     for each row its column
 * NARROW     codes of row after row; word[1 + r] is where the row ends, word[17] a base, and from
 *            word 18 on are 16 bits for each code to be added
 * WIDE       the same with a column for each code
 *
 * word[0] is the kind and, times 4, the width: entries of the longest row, where codes lie side by
 * side. What vectors read behind the last column is one, too. */
#ifndef STENO_SPARSE_SLICE_H
#define STENO_SPARSE_SLICE_H

#include "sparse/matrix.h"

enum {
    STN_SLICE_ROWS = 16,
    STN_SLICE_WIDEST = 128, /* longest interleaved rows; longer rows are a tree of tiles */
    STN_SLICE_COLUMNS = STN_SLICE_ROWS + 2,
    STN_SLICE_BEHIND = 16 /* number of columns that are read together with the last one */
};

typedef enum stn_slice_kind {
    STN_SLICE_STRAIGHT,
    STN_SLICE_MIXED,
    STN_SLICE_NARROW,
    STN_SLICE_WIDE
} stn_slice_kind;

typedef enum stn_slice_run { STN_SLICE_RUNS, STN_SLICE_NEAR, STN_SLICE_FAR } stn_slice_run;

static inline int64_t stn_slices_of(int64_t rows)
{
    return rows / STN_SLICE_ROWS + (rows % STN_SLICE_ROWS != 0);
}

/* The numbers of codes and words of a slice of a matrix in compressed rows with codes of
 * `code_bytes`; at most 2^31 - 1 entries. */
void stn_slice_measure(const stn_matrix *csr, int64_t slice, int64_t code_bytes, int64_t *slots,
                       int64_t *words);

/* Writes the codes and words. */
void stn_slice_fill(const stn_matrix *csr, int64_t slice, int64_t code_bytes, const void *codes,
                    void *slots, int32_t *words);

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
