/* Lines of a text in a file or in memory, plain or gzip, through one buffer of bounded size. */
#ifndef STENO_MARKET_TEXT_H
#define STENO_MARKET_TEXT_H

#include "core/status.h"
#include "steno/market.h"

#include <locale.h>
#include <zlib.h>

/* Bytes of the longest readable line, including its line end. */
enum { STN_TEXT_LINE = 1 << 18 };

typedef struct stn_text {
    char name[256]; /* name of the file for messages; the tail of a long one */
    int64_t line;   /* number of the current line, from 1 */

    locale_t plain; /* the locale "C", in which numbers are written */

    char *buffer;   /* STN_TEXT_LINE bytes */
    char *cursor;   /* start of the next line */
    char *complete; /* end of the last complete line in the buffer */
    char *filled;   /* end of the bytes in the buffer */

    int descriptor; /* the file, or -1 */
    int64_t size;   /* bytes of a regular file that is not compressed, or -1 */
    int64_t read;   /* offset of `filled` in this file */
    const unsigned char *memory;
    size_t memory_left;

    unsigned char *packed; /* compressed bytes; NULL if the text is plain */
    z_stream inflater;
    int member_ended; /* decompression is at the end of a gzip member */

    int lenient;           /* STN_MARKET_LENIENT */
    int64_t deviations[8]; /* counted by stn_market_deviation */
} stn_text;

/* Opens a file, or `size` bytes that stay in place; on failure, nothing must be closed. */
stn_status stn_text_open(stn_text *text, const char *path);
stn_status stn_text_open_memory(stn_text *text, const char *name, const void *memory, size_t size);
void stn_text_close(stn_text *text);

/* Offset in a file with a size of the next byte to read, and continues from another one, whose line
 * is the first. */
static inline int64_t stn_text_offset(const stn_text *text)
{
    return text->read - (text->filled - text->cursor);
}
stn_status stn_text_seek(stn_text *text, int64_t offset);

/* Reads until the buffer contains a complete line, or cursor == complete at the end of the text. */
stn_status stn_text_refill(stn_text *text);

/* *line: first byte of the next line, which ends with '\n' (added to a last line without one),
 * or NULL at the end of the text. The caller continues with stn_text_finish or stn_text_skip. */
static inline stn_status stn_text_line(stn_text *text, char **line)
{
    *line = NULL;
    if (text->cursor == text->complete) {
        STN_TRY(stn_text_refill(text));
        if (text->cursor == text->complete)
            return STN_OK;
    }
    text->line++;
    *line = text->cursor;
    return STN_OK;
}

static inline int stn_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline char *stn_skip_blanks(char *at)
{
    while (stn_is_blank(*at))
        at++;
    return at;
}

/* Like stn_text_line, but skips blank lines and comments (lines that begin with '%') and leading
 * blanks. */
stn_status stn_text_content(stn_text *text, char **content);

/* Leaves the line that contains `at`. Finish: the rest must be blank; `what` is the preceding
 * item, for the message. Skip: the rest is ignored. */
stn_status stn_text_finish(stn_text *text, char *at, const char *what);
void stn_text_skip(stn_text *text, char *at);

/* Is a deviation from the specification accepted? If so, it is counted. */
static inline int stn_text_accepts(stn_text *text, stn_market_deviation deviation)
{
    text->deviations[deviation] += text->lenient;
    return text->lenient;
}

/* Records "name:line: message" and returns the status. */
stn_status stn_text_fail(const stn_text *text, stn_status status, const char *message, ...)
    __attribute__((format(printf, 3, 4)));

/* The word at `at`, in lower case, for messages: truncated to `capacity` - 1 bytes, with '?' for
 * bytes that are not printable ASCII. Returns the end of the complete word. */
char *stn_text_word(char *at, char *word, size_t capacity);

#endif
