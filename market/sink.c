/* The file sink: blocks, optionally compressed, are written to a temporary file that is renamed. */
#define _POSIX_C_SOURCE 200809L
#include "market/sink.h"
#include "market/gzip.h"

#include "core/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, PACKED_BLOCK = 1 << 14, DEFLATE_MEMORY = 8 };

static stn_status write_failed(const stn_sink *sink, const char *what)
{
    return stn_fail(STN_ERR_IO, "%s: %s: %s", stn_tail_of(sink->path), what, strerror(errno));
}

static stn_status begin_deflating(stn_sink *sink)
{
    STN_TRY(stn_allocate(&sink->packed, PACKED_BLOCK, 1, "buffer for compressed text"));
    sink->deflater = (z_stream){.zalloc = stn_gzip_allocate, .zfree = stn_gzip_free};
    if (deflateInit2(&sink->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, STN_GZIP_WINDOW,
                     DEFLATE_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory to compress it", stn_tail_of(sink->path));
    return STN_OK;
}

stn_status stn_sink_open(stn_sink *sink, const char *path)
{
    *sink = (stn_sink){.path = path, .descriptor = -1};
    struct stat about;
    const int exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode))
        return stn_fail(STN_ERR_ARGUMENT, "%s: exists and is not a regular file",
                        stn_tail_of(path));
    STN_TRY(stn_allocate(&sink->buffer, BLOCK, 1, "buffer for a text"));
    const size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        STN_TRY(begin_deflating(sink));
    STN_TRY(stn_temporary_create(path, &sink->temporary, &sink->descriptor));
    if (exists && fchmod(sink->descriptor, about.st_mode & 0777) != 0)
        return write_failed(sink, "cannot copy the permissions of the existing file");
    return STN_OK;
}

static stn_status write_raw(stn_sink *sink, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(sink->descriptor, bytes, count);
        if (written < 0 && errno != EINTR)
            return write_failed(sink, "cannot be written");
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return STN_OK;
}

/* Sends the buffer; `mode` is Z_FINISH after the last byte, else Z_NO_FLUSH. */
static stn_status flush(stn_sink *sink, int mode)
{
    const size_t count = sink->filled;
    sink->filled = 0;
    if (!sink->packed)
        return write_raw(sink, sink->buffer, count);
    z_stream *deflater = &sink->deflater;
    deflater->next_in = sink->buffer;
    deflater->avail_in = (uInt)count;
    do {
        deflater->next_out = sink->packed;
        deflater->avail_out = PACKED_BLOCK;
        (void)deflate(deflater, mode); /* has space and a state, so it cannot fail */
        STN_TRY(write_raw(sink, sink->packed, PACKED_BLOCK - deflater->avail_out));
    } while (deflater->avail_out == 0);
    return STN_OK;
}

stn_status stn_sink_write(stn_sink *sink, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        if (sink->filled == BLOCK)
            STN_TRY(flush(sink, Z_NO_FLUSH));
        const size_t capacity = BLOCK - sink->filled, part = count < capacity ? count : capacity;
        memcpy(sink->buffer + sink->filled, from, part);
        sink->filled += part;
        from += part;
        count -= part;
    }
    return STN_OK;
}

stn_status stn_sink_commit(stn_sink *sink)
{
    STN_TRY(flush(sink, Z_FINISH));
    if (fsync(sink->descriptor) != 0)
        return write_failed(sink, "cannot be written");
    const int closed = close(sink->descriptor);
    sink->descriptor = -1;
    if (closed != 0 || rename(sink->temporary, sink->path) != 0) {
        const stn_status status = write_failed(sink, "cannot be renamed");
        unlink(sink->temporary);
        return status;
    }
    return STN_OK;
}

void stn_sink_discard(stn_sink *sink)
{
    if (sink->descriptor >= 0) {
        close(sink->descriptor);
        unlink(sink->temporary);
    }
    if (sink->deflater.state)
        deflateEnd(&sink->deflater);
    stn_free(sink->packed);
    stn_free(sink->buffer);
    stn_free(sink->temporary);
    *sink = (stn_sink){.descriptor = -1};
}
