/* Inside the Matrix Market reader: the entries of a file's body, and what is made of them. */
#ifndef STENO_MARKET_MARKET_H
#define STENO_MARKET_MARKET_H

#include "market/text.h"
#include "steno/complex.h"
#include "steno/market.h"

/* Coordinate files of more rows than this need an entry for every STN_ROWS_PER_ENTRY of the rest:
 * row_start takes 8 bytes per row, which a file of two lines could otherwise make gigabytes. */
enum { STN_FREE_ROWS = 1 << 23, STN_ROWS_PER_ENTRY = 16 };

/* The banner's words for the fields, by stn_market_field; NULL ends them. */
extern const char *const stn_market_fields[5];

/* A field's number format and the bytes of one value. */
typedef struct stn_market_value {
    stn_format format;
    size_t bytes;
} stn_market_value;

extern const stn_market_value stn_market_values[4]; /* by stn_market_field */

/* One value of any field; a pattern's is real 1. */
typedef union stn_market_number {
    double real;
    int64_t integer;
    stn_c128 parts;
} stn_market_number;

/* From entry number `entry` on, line `line` of the file and those after it hold one entry each. */
typedef struct stn_line_run {
    int64_t entry, line;
} stn_line_run;

/* Entries in the order of the file. Arrays grow as entries come. */
typedef struct stn_entries {
    int64_t count, capacity;
    int32_t *row, *column; /* from 0; NULL for an array file, whose order says where an entry is */
    unsigned char *value;  /* NULL for a pattern */
    stn_line_run *runs;    /* of coordinate entries: comments and blank lines end one */
    int64_t run_count, run_capacity;
} stn_entries;

/* Value number `at` of an array of the field's values. */
stn_market_number stn_market_load(stn_market_field field, const void *values, int64_t at);
void stn_market_store(stn_market_field field, void *values, int64_t at, stn_market_number number);

/* Read a whole text into *matrix; a failure leaves *matrix all zero. */
stn_status stn_market_read(stn_text *text, unsigned flags, stn_market_matrix *matrix);

/* Make CSR of coordinate entries, or a row-major matrix of array entries, symmetry expanded. The
 * header's fields of *matrix are set; these set `entries` and the arrays, also where they fail. The
 * rows are still as the file has them. */
stn_status stn_market_assemble_rows(const stn_entries *entries, stn_market_matrix *matrix);
stn_status stn_market_assemble_dense(const stn_entries *entries, stn_market_matrix *matrix);

/* Sort the rows by column, entries of one position in the order of the file. Then these are added
 * if `flags` has STN_MARKET_SUM, and refused otherwise. */
stn_status stn_market_sort_rows(stn_market_matrix *matrix);
stn_status stn_market_join_repeated(stn_text *text, const stn_entries *entries, unsigned flags,
                                    stn_market_matrix *matrix);

#endif
