/* Internals of the Matrix Market reader: the entries of a file, and their conversion. */
#ifndef STENO_MARKET_MARKET_H
#define STENO_MARKET_MARKET_H

#include "market/text.h"
#include "steno/complex.h"
#include "steno/market.h"

/* Coordinate files with more rows than this must have an entry for every STN_ROWS_PER_ENTRY
 * additional rows: row_start has 8 bytes per row, which a file of two lines could otherwise grow
 * to gigabytes. */
enum { STN_FREE_ROWS = 1 << 23, STN_ROWS_PER_ENTRY = 16 };

/* The field names in banners, by stn_market_field; terminated by NULL. */
extern const char *const stn_market_fields[5];

/* The number format of a field, and the size of a value. */
typedef struct stn_market_value {
    stn_format format;
    size_t bytes;
} stn_market_value;

extern const stn_market_value stn_market_values[4]; /* by stn_market_field */

/* A value of any field; real 1 for patterns. */
typedef union stn_market_number {
    double real;
    int64_t integer;
    stn_c128 parts;
} stn_market_number;

/* From entry `entry` on, line `line` and the following lines contain one entry each. */
typedef struct stn_line_run {
    int64_t entry, line;
} stn_line_run;

/* Entries in file order. Arrays grow while entries are read. */
typedef struct stn_entries {
    int64_t count, capacity;
    int64_t first, end;    /* rows that are assembled */
    int32_t *row, *column; /* from 0; NULL for an array file, whose order determines positions */
    unsigned char *value;  /* NULL for a pattern */
    stn_line_run *runs;    /* of coordinate entries: ended by comments and blank lines; NULL if
                            * lines are unknown */
    int64_t run_count, run_capacity;
} stn_entries;

/* Element `at` of an array of the field's values. */
stn_market_number stn_market_load(stn_market_field field, const void *values, int64_t at);
void stn_market_store(stn_market_field field, void *values, int64_t at, stn_market_number number);

/* Reads a text into *matrix; on failure, *matrix is all zero. */
stn_status stn_market_read(stn_text *text, unsigned flags, stn_market_matrix *matrix);

/* Arguments of a function that reads a file; `argument` is its name and its first argument. Makes
 * *matrix empty. */
stn_status stn_market_expect(const char *argument, stn_market_matrix *matrix, const char *path,
                             unsigned flags);

/* Parts of reading, in decimal modes: the banner and the size line; then entries that begin before
 * an offset, until there are `most` of them. *has_ended: are there no more? */
stn_status stn_market_read_head(stn_text *text, stn_market_matrix *matrix);
stn_status stn_market_read_body(stn_text *text, stn_market_matrix *matrix, stn_entries *entries,
                                int64_t end, int64_t most, int *has_ended);

/* Capacity for more entries: at least one, at most the number in the header. */
stn_status stn_market_enlarge(stn_entries *entries, const stn_market_matrix *matrix,
                              int64_t capacity);
void stn_market_release_entries(stn_entries *entries);

/* Coordinate entries to a complete CSR matrix, of which `matrix` has the rows entries->first, ...
 */
stn_status stn_market_assemble(stn_text *text, const stn_entries *entries, unsigned flags,
                               stn_market_matrix *matrix);

/* Converts coordinate entries to CSR, or array entries to a row-major matrix, and expands
 * symmetry. The header's fields of *matrix are set; these functions set `entries` and the
 * arrays, even on failure. Rows are still in file order. */
stn_status stn_market_assemble_rows(const stn_entries *entries, stn_market_matrix *matrix);
stn_status stn_market_assemble_dense(const stn_entries *entries, stn_market_matrix *matrix);

/* Sorts rows by column, entries of one position in file order. Then these are added if `flags`
 * contains STN_MARKET_SUM, and rejected otherwise. */
stn_status stn_market_sort_rows(stn_market_matrix *matrix);
stn_status stn_market_merge_duplicates(stn_text *text, const stn_entries *entries, unsigned flags,
                                       stn_market_matrix *matrix);

#endif
