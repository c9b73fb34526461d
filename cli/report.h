/* Rows of results, as a table, as JSON and as comma-separated values. */
#ifndef STENO_CLI_REPORT_H
#define STENO_CLI_REPORT_H

#include "columns.h"
#include "rounds.h"

/* One kernel in one format. Members are also the names of the JSON and CSV columns. */
typedef struct report_row {
    const char *kernel, *exec, *format, *arith;
    int64_t n, threads;
    double seconds, bytes, gbps, stream_gbps, fraction, speedup_vs_f64, error, error_stored;
    const char *processor, *isa, *matrix, *result_bits; /* NULL: not requested */
    const char *device, *same_bits_as;                  /* the same */
    char bits[24], device_text[200];
} report_row;

/* Fills the row of a variant. */
void report_fill_row(const measurement *all, const variant *own, report_row *row);

/* Prints the lines above all tables. */
void report_head(const bench_settings *settings, const stn_exec *exec);

/* Prints the rows of a kernel as an aligned table. */
void report_table(const measurement *all, const report_row *rows, int count);

/* Columns of report_row. */
extern const column_list report_columns;

#endif
