/* The text source: blocks from a file or memory, decompressed if they are gzip, split into
 * lines. */
#define _POSIX_C_SOURCE 200809L
#include "market/text.h"
#include "market/gzip.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PACKED_BLOCK = 1 << 16 };

stn_status stn_text_fail(const stn_text *text, stn_status status, const char *message, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(sentence, sizeof sentence, message, arguments);
    va_end(arguments);
    return stn_fail(status, "%s:%" PRId64 ": %s", text->name, text->line, sentence);
}

static void set_name(stn_text *text, const char *name)
{
    const size_t length = strlen(name), kept = sizeof text->name - 4;
    const int cut = length > kept;
    snprintf(text->name, sizeof text->name, "%s%s", cut ? "..." : "",
             cut ? name + length - kept : name);
}

/* Up to `capacity` raw bytes of the file or memory; *got is 0 at the end. */
static stn_status read_raw(stn_text *text, void *bytes, size_t capacity, size_t *got)
{
    if (text->descriptor < 0) {
        *got = capacity < text->memory_left ? capacity : text->memory_left;
        if (*got > 0)
            memcpy(bytes, text->memory, *got);
        text->memory += *got;
        text->memory_left -= *got;
        return STN_OK;
    }
    ssize_t count;
    do
        count = read(text->descriptor, bytes, capacity);
    while (count < 0 && errno == EINTR);
    *got = count < 0 ? 0 : (size_t)count;
    text->read += (int64_t)*got;
    return count < 0 ? stn_fail(STN_ERR_IO, "%s: cannot be read: %s", text->name, strerror(errno))
                     : STN_OK;
}

static stn_status gzip_failed(const stn_text *text, int result)
{
    if (result == Z_MEM_ERROR)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory to decompress it", text->name);
    return stn_fail(STN_ERR_PARSE, "%s: damaged gzip data: %s", text->name,
                    text->inflater.msg ? text->inflater.msg : "not deflate");
}

/* Compressed bytes for decompression. *ended: the file ends between two members. */
static stn_status fetch_packed(stn_text *text, int *ended)
{
    size_t got;
    STN_TRY(read_raw(text, text->packed, PACKED_BLOCK, &got));
    text->inflater.next_in = text->packed;
    text->inflater.avail_in = (uInt)got;
    *ended = got == 0 && text->member_ended;
    if (got == 0 && !*ended)
        return stn_fail(STN_ERR_PARSE, "%s: the gzip data end too early", text->name);
    return STN_OK;
}

/* Like read_raw, decompressed. A gzip file consists of one or more consecutive members. */
static stn_status read_packed(stn_text *text, void *bytes, size_t capacity, size_t *got)
{
    z_stream *inflater = &text->inflater;
    inflater->next_out = bytes;
    inflater->avail_out = (uInt)capacity;
    for (*got = 0; *got == 0; *got = capacity - inflater->avail_out) {
        int ended = 0;
        if (inflater->avail_in == 0)
            STN_TRY(fetch_packed(text, &ended));
        if (ended)
            return STN_OK;
        if (text->member_ended)
            (void)inflateReset(inflater); /* fails only without a state */
        const int result = inflate(inflater, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END)
            return gzip_failed(text, result);
        text->member_ended = result == Z_STREAM_END;
    }
    return STN_OK;
}

static stn_status begin_inflating(stn_text *text, const unsigned char *bytes, size_t count)
{
    STN_TRY(stn_allocate(&text->packed, PACKED_BLOCK, 1, "buffer for compressed text"));
    memcpy(text->packed, bytes, count);
    text->inflater = (z_stream){.zalloc = stn_gzip_allocate,
                                .zfree = stn_gzip_free,
                                .next_in = text->packed,
                                .avail_in = (uInt)count};
    const int result = inflateInit2(&text->inflater, STN_GZIP_WINDOW);
    return result == Z_OK ? STN_OK : gzip_failed(text, result);
}

/* Allocates, and detects from the first two bytes whether the text is compressed. */
static stn_status begin(stn_text *text)
{
    text->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!text->plain)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory for the locale C", text->name);
    unsigned char magic[2] = {0};
    size_t count = 0, got = 1;
    while (count < sizeof magic && got > 0) {
        STN_TRY(read_raw(text, magic + count, sizeof magic - count, &got));
        count += got;
    }
    STN_TRY(stn_allocate(&text->buffer, STN_TEXT_LINE, 1, "buffer for a text"));
    text->cursor = text->complete = text->filled = text->buffer;
    if (count == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b)
        return begin_inflating(text, magic, count);
    memcpy(text->buffer, magic, count);
    text->filled += count;
    return STN_OK;
}

static stn_status begin_or_close(stn_text *text)
{
    const stn_status status = begin(text);
    if (status != STN_OK)
        stn_text_close(text);
    return status;
}

stn_status stn_text_open_memory(stn_text *text, const char *name, const void *memory, size_t size)
{
    *text = (stn_text){.descriptor = -1, .size = -1, .memory = memory, .memory_left = size};
    set_name(text, name);
    return begin_or_close(text);
}

stn_status stn_text_open(stn_text *text, const char *path)
{
    *text = (stn_text){.descriptor = -1, .size = -1};
    set_name(text, path);
    text->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (text->descriptor < 0 || fstat(text->descriptor, &about) != 0) {
        const int reason = errno;
        stn_text_close(text);
        return stn_fail(STN_ERR_IO, "%s: cannot be opened: %s", text->name, strerror(reason));
    }
    if (S_ISDIR(about.st_mode)) {
        stn_text_close(text);
        return stn_fail(STN_ERR_IO, "%s: is a directory, not a file", text->name);
    }
    STN_TRY(begin_or_close(text));
    if (S_ISREG(about.st_mode) && !text->packed)
        text->size = (int64_t)about.st_size;
    return STN_OK;
}

stn_status stn_text_seek(stn_text *text, int64_t offset)
{
    if (lseek(text->descriptor, (off_t)offset, SEEK_SET) < 0)
        return stn_fail(STN_ERR_IO, "%s: cannot be read from byte %" PRId64 ": %s", text->name,
                        offset, strerror(errno));
    text->cursor = text->complete = text->filled = text->buffer;
    text->read = offset;
    text->line = 0;
    return STN_OK;
}

void stn_text_close(stn_text *text)
{
    if (text->inflater.state)
        inflateEnd(&text->inflater);
    if (text->descriptor >= 0)
        close(text->descriptor);
    if (text->plain)
        freelocale(text->plain);
    stn_free(text->packed);
    stn_free(text->buffer);
    text->descriptor = -1;
    text->plain = (locale_t)0;
    text->packed = NULL;
    text->buffer = text->cursor = text->complete = text->filled = NULL;
}

/* The last newline of [begin, end), or NULL. */
static char *last_newline(char *begin, char *end)
{
    while (end > begin)
        if (*--end == '\n')
            return end;
    return NULL;
}

stn_status stn_text_refill(stn_text *text)
{
    const size_t tail = (size_t)(text->filled - text->cursor);
    memmove(text->buffer, text->cursor, tail);
    text->cursor = text->complete = text->buffer;
    text->filled = text->buffer + tail;
    char *newline = last_newline(text->buffer, text->filled);
    while (!newline) {
        const size_t space_left = STN_TEXT_LINE - (size_t)(text->filled - text->buffer);
        size_t got;
        if (space_left == 0) {
            text->line++;
            return stn_text_fail(text, STN_ERR_PARSE, "the line is longer than %d bytes",
                                 STN_TEXT_LINE);
        }
        STN_TRY(text->packed ? read_packed(text, text->filled, space_left, &got)
                             : read_raw(text, text->filled, space_left, &got));
        if (got == 0 && text->filled == text->buffer)
            return STN_OK;
        if (got == 0) { /* the last line, without its line end */
            text->filled[got++] = '\n';
            text->read++;
        }
        newline = last_newline(text->filled, text->filled + got);
        text->filled += got;
    }
    text->complete = newline + 1;
    return STN_OK;
}

stn_status stn_text_content(stn_text *text, char **content)
{
    for (;;) {
        STN_TRY(stn_text_line(text, content));
        if (!*content)
            return STN_OK;
        char *at = *content = stn_skip_blanks(*content);
        if (*at == '\n')
            text->cursor = at + 1;
        else if (*at == '%')
            stn_text_skip(text, at);
        else
            return STN_OK;
    }
}

void stn_text_skip(stn_text *text, char *at)
{
    const char *const newline = memchr(at, '\n', (size_t)(text->complete - at));
    text->cursor = at + (newline - at) + 1;
}

stn_status stn_text_finish(stn_text *text, char *at, const char *what)
{
    at = stn_skip_blanks(at);
    if (*at == '%' && stn_text_accepts(text, STN_MARKET_TRAILING_COMMENT)) {
        stn_text_skip(text, at);
        return STN_OK;
    }
    if (*at != '\n') {
        char word[32];
        stn_text_word(at, word, sizeof word);
        return stn_text_fail(text, STN_ERR_PARSE, "'%s' after the end of the %s%s", word, what,
                             *at == '%' ? "; STN_MARKET_LENIENT accepts trailing comments" : "");
    }
    text->cursor = at + 1;
    return STN_OK;
}

char *stn_text_word(char *at, char *word, size_t capacity)
{
    size_t length = 0;
    for (; !stn_is_blank(*at) && *at != '\n'; at++) {
        const char lower = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        if (length + 1 < capacity)
            word[length++] = *at > ' ' && *at <= '~' ? lower : '?';
    }
    word[length] = '\0';
    return at;
}
