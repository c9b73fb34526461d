/* Rows of results as JSON and as comma-separated values. */
#ifndef STENO_CLI_COLUMNS_H
#define STENO_CLI_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

typedef enum column_kind {
    COLUMN_TEXT,    /* const char *; NULL: was not asked for, and has no column */
    COLUMN_INTEGER, /* int64_t */
    COLUMN_REAL,    /* double; null in JSON where it is not finite */
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

/* One object per line, and lines under a head. At least one row. */
stn_status columns_json(FILE *out, const columns *all, const void *rows, int count);
stn_status columns_csv(FILE *out, const columns *all, const void *rows, int count);

/* One of these into a file, whose text is complete before it is touched; nothing without a path. */
typedef stn_status columns_writer(FILE *out, const columns *all, const void *rows, int count);
stn_status columns_write(columns_writer *writer, const columns *all, const void *rows, int count,
                         const char *path);

#endif
