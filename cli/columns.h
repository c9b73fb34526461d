/* Rows of results as JSON and as comma-separated values. */
#ifndef STENO_CLI_COLUMNS_H
#define STENO_CLI_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

typedef enum column_kind {
    COLUMN_TEXT,    /* const char *; NULL: not requested, the column is omitted */
    COLUMN_INTEGER, /* int64_t */
    COLUMN_REAL,    /* double; null in JSON if it is not finite */
    COLUMN_WHOLE    /* double, an integer in JSON */
} column_kind;

typedef struct column {
    const char *name;
    column_kind kind;
    size_t offset; /* in the row */
} column;

typedef struct columns {
    const column *list;
    int count;
    size_t row_bytes;
} columns;

#define COLUMN(row, kind, name)                                                                    \
    {                                                                                              \
#        name, COLUMN_##kind, offsetof(row, name)                                                  \
    }

/* JSON: one object per line. CSV: rows after a header. At least one row is required. */
stn_status columns_json(FILE *out, const columns *all, const void *rows, int count);
stn_status columns_csv(FILE *out, const columns *all, const void *rows, int count);

/* Writes one of these into a file after the complete text exists; a no-op if the path is NULL. */
typedef stn_status columns_writer(FILE *out, const columns *all, const void *rows, int count);
stn_status columns_write(columns_writer *writer, const columns *all, const void *rows, int count,
                         const char *path);

#endif
