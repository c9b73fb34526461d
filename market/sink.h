/* A file that appears at its path completely or not at all, plain or gzip-compressed. */
#ifndef STENO_MARKET_SINK_H
#define STENO_MARKET_SINK_H

#include "core/temporary.h"

#include <sys/types.h>
#include <zlib.h>

typedef struct stn_sink {
    const char *path;
    stn_temporary file;
    unsigned char *buffer;
    size_t filled;
    unsigned char *packed; /* compressed bytes; NULL if the file is plain */
    z_stream deflater;
} stn_sink;

/* Begins a file; it is compressed if the path ends in ".gz". The path must not exist or be a
 * regular file, whose permissions are kept. End with stn_sink_discard, even after a failure. */
stn_status stn_sink_open(stn_sink *sink, const char *path);
stn_status stn_sink_write(stn_sink *sink, const void *bytes, size_t count);

/* Renames the file to its path. */
stn_status stn_sink_commit(stn_sink *sink);

/* Releases everything; without a commit, the path is unchanged and no other file remains. */
void stn_sink_discard(stn_sink *sink);

#endif
