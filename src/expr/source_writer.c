/* A text that grows, and the words of its arithmetic. */
#include "expr/source_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"

static void grow(stn_writer *w, size_t more)
{
    char *larger;
    const size_t room = 2 * (w->length + more) + 1024;
    if (w->status == STN_OK)
        w->status = stn_allocate(&larger, 1, room, "the text of a kernel");
    if (w->status != STN_OK)
        return;
    if (w->length > 0)
        memcpy(larger, w->text, w->length);
    stn_free(w->text);
    w->text = larger;
    w->room = room;
}

void stn_put_text(stn_writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (w->length + length + 1 > w->room)
        grow(w, length);
    if (w->status != STN_OK)
        return;
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

void stn_put(stn_writer *w, const char *format, ...)
{
    char words[512]; /* parameters' names are the longest part, of 200 letters */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof words)
        w->status = stn_fail(STN_ERR_RANGE, "kernel %s: a name is too long for a device",
                             w->source->kernel->name);
    else
        stn_put_text(w, words);
}

void stn_put_each(stn_writer *w, int rank, const char *piece, const char *between)
{
    for (int d = 0; d < rank; d++) {
        char words[160];
        snprintf(words, sizeof words, piece, d, d, d);
        stn_put(w, "%s%s", d ? between : "", words);
    }
}

void stn_put_indices(stn_writer *w, int rank, const char *type)
{
    for (int d = 0; d < rank; d++)
        stn_put(w, ", %s i%d", type, d);
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
