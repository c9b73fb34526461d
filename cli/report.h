/* Rows of results, as a table, as JSON and as comma-separated values. */
#ifndef STENO_CLI_REPORT_H
#define STENO_CLI_REPORT_H

#include "columns.h"
#include "rounds.h"

/* One kernel in one format. The columns of JSON and CSV have the names of these members. */
typedef struct report_row {
    const char *kernel, *exec, *format, *arith;
    int64_t n, threads;
    double seconds, bytes, gbps, stream_gbps, fraction, speedup_vs_f64, error, error_stored;
    const char *isa, *matrix, *result_bits; /* NULL: not asked for */
    char bits[24];
} report_row;

/* Fill the row of a variant. */
void report_fill_row(const measurement *all, const variant *own, report_row *row);

/* The lines above all tables. */
void report_head(const bench_settings *settings, const stn_exec *exec);

/* A kernel's rows as an aligned table on the standard output. */
void report_table(const measurement *all, const report_row *rows, int count);

/* Of report_row. */
extern const columns report_columns;

#endif
