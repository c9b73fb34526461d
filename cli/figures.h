/* Measures an operation in each pair of storage and arithmetic and in other libraries, with errors:
 * the points of `steno bench report`. */
#ifndef STENO_CLI_FIGURES_H
#define STENO_CLI_FIGURES_H

#include "contender.h"
#include "versus.h"

enum { MAX_LINES = 64 };

/* A line of a figure: Steno with a storage and an arithmetic type, or a library in f64 or f32. */
typedef struct figures_line {
    stn_format format, arithmetic;
    const peer *by; /* NULL: Steno */
    char label[80];
} figures_line;

/* A point of a line. */
typedef struct figures_row {
    const char *operation, *library, *format, *arith;
    int64_t threads, n;
    double seconds, gflops, gbps, fraction, error, error_stored;
    const char *isa, *core, *processor;
} figures_row;
extern const column_list figures_columns;

/* Shorter arrays may be in caches in which the arrays of the streaming loop are not: no fraction is
 * reported. */
enum { MIN_STREAM = 16 << 20 };

typedef struct figures_setup {
    const figures_line *lines;
    int line_count;
    const stn_exec *exec;
    contender_rounds limits;
} figures_setup;

/* dot, gemv, gemv-t and trsv; STN_ERR_ARGUMENT for other names. */
stn_status figures_find(const char *name, const versus_operation **found);

/* Memory for a point, approximately. */
double figures_memory(const versus_operation *operation, int64_t n, const figures_setup *setup);

/* Fills a row for each line. */
stn_status figures_measure(const versus_operation *operation, int64_t n, const figures_setup *setup,
                           figures_row *rows);

#endif
