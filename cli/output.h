/* Files that are written completely or not at all. */
#ifndef STENO_CLI_OUTPUT_H
#define STENO_CLI_OUTPUT_H

#include <stddef.h>

#include "core/temporary.h"

/* Checks whether output_write can write `path`, without writing. "-" is the standard output. */
stn_status output_check(const char *path);

/* Sets *file to the argument of an option, after output_check. */
stn_status output_take(const char **file, const char *path);

/* A file that is written in parts. End with output_end, which replaces `path` if the status is
 * STN_OK, and returns the status or that of replacing. */
typedef struct output_file {
    const char *path;
    stn_temporary file; /* unless it is the standard output */
} output_file;

stn_status output_begin(output_file *output, const char *path);
stn_status output_append(output_file *output, const void *bytes, size_t count);
stn_status output_end(output_file *output, stn_status status);

/* Writes a file at once. */
stn_status output_write(const char *path, const char *text, size_t length);

#endif
