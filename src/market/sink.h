/* A file that appears at its path complete or not at all, plain or compressed with gzip. */
#ifndef STENO_MARKET_SINK_H
#define STENO_MARKET_SINK_H

#include "core/status.h"

#include <sys/types.h>
#include <zlib.h>

typedef struct stn_sink {
    const char *path;
    char *temporary; /* path of what is written until stn_sink_commit */
    int descriptor;  /* of the temporary file, or -1 */
    unsigned char *buffer;
    size_t filled;
    unsigned char *packed; /* compressed bytes; NULL when the file is plain */
    z_stream deflater;
} stn_sink;

/* The tail of a path, short enough to leave room in a message. */
const char *stn_tail_of(const char *path);

/* Begin a file; it is compressed when the path ends in ".gz". The path must be free or a regular
 * file, whose permissions are kept. End with stn_sink_discard, also after a failure. */
stn_status stn_sink_open(stn_sink *sink, const char *path);
stn_status stn_sink_write(stn_sink *sink, const void *bytes, size_t count);

/* Put all that was written at the path. */
stn_status stn_sink_commit(stn_sink *sink);

/* Free everything; without a commit the path stays as it was and nothing else stays. */
void stn_sink_discard(stn_sink *sink);

#endif
