/* Files that are written whole or not at all. */
#ifndef STENO_CLI_OUTPUT_H
#define STENO_CLI_OUTPUT_H

#include <stddef.h>

#include "core/status.h"

/* Could output_write write `path` now? "-" is the standard output. Writes nothing. */
stn_status output_check(const char *path);

/* Write `text` to a temporary file beside `path` and rename it; or to the standard output. */
stn_status output_write(const char *path, const char *text, size_t length);

#endif
