/* Rows of results as JSON and as comma-separated values. */
#ifndef STENO_CLI_COLUMNS_H
#define STENO_CLI_COLUMNS_H

#include <stddef.h>

#include "core/status.h"

typedef enum column_kind {
    COLUMN_TEXT,    /* const char *; NULL: not requested, the column is omitted */
    COLUMN_INTEGER, /* int64_t */
    COLUMN_REAL,    /* double; null in JSON if it is not finite */
    COLUMN_WHOLE    /* double, an integer in JSON */
} column_kind;

typedef struct column_spec {
    const char *name;
    column_kind kind;
    size_t offset; /* in the row */
} column_spec;

typedef struct column_list {
    const column_spec *list;
    int count;
    size_t row_bytes;
} column_list;

#define COLUMN(row, kind, name)                                                                    \
    {                                                                                              \
#        name, COLUMN_##kind, offsetof(row, name)                                                  \
    }

/* The arguments of --json and --csv; NULL if not given. "-" is the standard output. */
typedef struct columns_files {
    const char *json, *csv;
} columns_files;

/* Both cannot be written to one file. */
stn_status columns_check_files(const columns_files *files);

/* One of them is the standard output, which then has no table. */
int columns_replace_table(const columns_files *files);

/* JSON: one object per line. CSV: rows after a header, for which the first row must exist. A file
 * is written after its complete text exists. */
stn_status columns_write_files(const column_list *all, const void *rows, int count,
                               const columns_files *files);

#endif
