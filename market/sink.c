/* The file sink: blocks, optionally compressed, are written to a temporary file that is renamed. */
#include "market/sink.h"
#include "market/gzip.h"

#include "core/memory.h"

#include <string.h>

enum { BLOCK = 1 << 16, PACKED_BLOCK = 1 << 14, DEFLATE_MEMORY = 8 };

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
    *sink = (stn_sink){.path = path};
    STN_TRY(stn_temporary_begin(&sink->file, path));
    STN_TRY(stn_allocate(&sink->buffer, BLOCK, 1, "buffer for a text"));
    const size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        STN_TRY(begin_deflating(sink));
    return STN_OK;
}

/* Sends the buffer; `mode` is Z_FINISH after the last byte, else Z_NO_FLUSH. */
static stn_status flush(stn_sink *sink, int mode)
{
    const size_t count = sink->filled;
    sink->filled = 0;
    if (!sink->packed)
        return stn_temporary_write(&sink->file, sink->buffer, count);
    z_stream *deflater = &sink->deflater;
    deflater->next_in = sink->buffer;
    deflater->avail_in = (uInt)count;
    do {
        deflater->next_out = sink->packed;
        deflater->avail_out = PACKED_BLOCK;
        (void)deflate(deflater, mode); /* has space and a state, so it cannot fail */
        STN_TRY(stn_temporary_write(&sink->file, sink->packed, PACKED_BLOCK - deflater->avail_out));
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
    return stn_temporary_commit(&sink->file);
}

void stn_sink_discard(stn_sink *sink)
{
    stn_temporary_discard(&sink->file);
    if (sink->deflater.state)
        deflateEnd(&sink->deflater);
    stn_free(sink->packed);
    stn_free(sink->buffer);
    *sink = (stn_sink){.file.descriptor = -1};
}
