/* Files of archives in memory. */
#ifndef STENO_CODEC_FILE_H
#define STENO_CODEC_FILE_H

#include "steno/archive.h"

/* Reads an archive that refers to the bytes of a file, which must outlive it. `name` is for
 * messages. Errors of stn_archive_open. */
stn_status stn_archive_read_bytes(const char *name, const uint8_t *bytes, int64_t count,
                                  stn_archive **archive);

#endif
