/* Takes the place of zlib's header in the files of market/ that the extension contains. The Python
 * layer compresses and decompresses files, so that the extension does not depend on zlib. Every
 * function fails: text that is still compressed is refused. */
#ifndef STENO_PYTHON_ZLIB_H
#define STENO_PYTHON_ZLIB_H

#include <stddef.h>

typedef unsigned char Bytef;
typedef unsigned int uInt;

typedef struct z_stream {
    const Bytef *next_in;
    Bytef *next_out;
    uInt avail_in, avail_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, uInt, uInt);
    void (*zfree)(void *, void *);
} z_stream;

enum {
    Z_OK = 0,
    Z_STREAM_END = 1,
    Z_STREAM_ERROR = -2,
    Z_MEM_ERROR = -4,
    Z_NO_FLUSH = 0,
    Z_FINISH = 4,
    Z_DEFLATED = 8,
    Z_DEFAULT_COMPRESSION = -1,
    Z_DEFAULT_STRATEGY = 0,
    MAX_WBITS = 15
};
#define Z_NULL NULL

static inline int inflate(z_stream *stream, int flush)
{
    return (void)stream, (void)flush, Z_STREAM_ERROR;
}

static inline int inflateInit2(z_stream *stream, int bits)
{
    return (void)stream, (void)bits, Z_STREAM_ERROR;
}

static inline int inflateReset(z_stream *stream)
{
    return (void)stream, Z_STREAM_ERROR;
}

static inline int inflateEnd(z_stream *stream)
{
    return (void)stream, Z_STREAM_ERROR;
}

static inline int deflate(z_stream *stream, int flush)
{
    return (void)stream, (void)flush, Z_STREAM_ERROR;
}

static inline int deflateInit2(z_stream *stream, int level, int method, int bits, int memory,
                               int strategy)
{
    return (void)stream, (void)level, (void)method, (void)bits, (void)memory, (void)strategy,
           Z_STREAM_ERROR;
}

static inline int deflateEnd(z_stream *stream)
{
    return (void)stream, Z_STREAM_ERROR;
}

#endif
