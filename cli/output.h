/* Files that are written completely or not at all. */
#ifndef STENO_CLI_OUTPUT_H
#define STENO_CLI_OUTPUT_H

#include <stddef.h>

#include "core/status.h"

/* Checks whether output_write can write `path`, without writing. "-" is the standard output. */
stn_status output_check(const char *path);

/* Sets *file to the argument of an option, after output_check. */
stn_status output_take(const char **file, const char *path);

/* Writes `text` to a temporary file in the folder of `path` and renames it; or writes it to the
 * standard output. */
stn_status output_write(const char *path, const char *text, size_t length);

#endif
