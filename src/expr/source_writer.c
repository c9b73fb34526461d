/* A growing text, and the type names of its arithmetic. */
#include "expr/source_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"

static void grow(stn_writer *w, size_t more)
{
    char *larger;
    const size_t buffer = 2 * (w->length + more) + 1024;
    if (w->status == STN_OK)
        w->status = stn_allocate(&larger, 1, buffer, "the text of a kernel");
    if (w->status != STN_OK)
        return;
    if (w->length > 0)
        memcpy(larger, w->text, w->length);
    stn_free(w->text);
    w->text = larger;
    w->buffer = buffer;
}

void stn_put_letters(stn_writer *w, const char *text, size_t length)
{
    if (w->length + length + 1 > w->buffer)
        grow(w, length);
    if (w->status != STN_OK)
        return;
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

void stn_put_text(stn_writer *w, const char *text)
{
    stn_put_letters(w, text, strlen(text));
}

/* The expansion of `$` and a letter. */
static void put_indices_of(stn_writer *w, int rank, char letter)
{
    stn_put_each(w, rank,
                 letter == 'I'   ? ", stn_index i%d"
                 : letter == 'J' ? ", stn_i64 i%d"
                 : letter == 'j' ? ", (stn_index)i%d"
                 : letter == 'h' ? ", stn_i%d"
                                 : ", i%d",
                 "");
}

void stn_put_for(stn_writer *w, const char *name, int rank, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "@$");
        stn_put_letters(w, text, length);
        text += length;
        if (*text == '@')
            stn_put_text(w, name);
        else if (*text == '$')
            put_indices_of(w, rank, *++text);
        text += *text != '\0';
    }
}

void stn_put(stn_writer *w, const char *format, ...)
{
    char piece_text[512]; /* names of parameters are the longest part, at most 200 characters */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece_text, sizeof piece_text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece_text)
        w->status = stn_fail(STN_ERR_RANGE, "kernel %s: a name is too long for a device",
                             w->source->kernel->name);
    else
        stn_put_text(w, piece_text);
}

void stn_put_each(stn_writer *w, int rank, const char *piece, const char *between)
{
    for (int d = 0; d < rank; d++) {
        char piece_text[160];
        snprintf(piece_text, sizeof piece_text, piece, d, d, d);
        stn_put(w, "%s%s", d ? between : "", piece_text);
    }
}

int stn_source_is_complex(const stn_writer *w)
{
    return w->source->arithmetic == STN_C128 || w->source->arithmetic == STN_C64;
}

const char *stn_source_real(stn_format arithmetic)
{
    return arithmetic == STN_F64    ? "f64"
           : arithmetic == STN_F32  ? "f32"
           : arithmetic == STN_I64  ? "i64"
           : arithmetic == STN_C128 ? "c128"
                                    : "c64";
}

const char *stn_source_part(const stn_writer *w)
{
    const stn_format arithmetic = w->source->arithmetic;
    return arithmetic == STN_F32 || arithmetic == STN_C64 || !w->source->has_f64 ? "f32" : "f64";
}
