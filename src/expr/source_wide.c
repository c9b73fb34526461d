/* Kernels whose threads process several neighbors, which are moved by accesses of up to 16 bytes:
 * the number that one access, or a few, of the widest view move. */
#include "exec/dialect.h"
#include "expr/source_writer.h"

static const char *name_of(const stn_writer *w, int at)
{
    return w->source->kernel->parameters[at].name;
}

/* Inserts the indices of the chunk's row. */
static void put_words(stn_writer *w, int at, const char *text)
{
    stn_put_for(w, name_of(w, at), w->source->rank - 1, text);
}

static void put_address(stn_writer *w, int at)
{
    stn_put_for(w, name_of(w, at), w->source->rank,
                "        STN_GLOBAL stn_code_@ *const stn_a_@ = stn_find_@(stn_n, stn_p_@$h);\n");
}

void stn_put_chunk(stn_writer *w, int at, const char *rows)
{
    const stn_source_view *const v = &w->source->views[at];
    const int bytes = v->bytes * w->source->wide, access = (int)stn_source_access(bytes);
    if (v->block) {
        put_words(w, at, "        struct { stn_code_@ code[STN_RUN]; } stn_c_@");
    } else {
        stn_put(w, "        typedef %s stn_word_%s;\n", stn_dialect_word(access), name_of(w, at));
        stn_put(w, "        union { stn_word_%s word[%d]; ", name_of(w, at), bytes / access);
        put_words(w, at, "stn_code_@ code[STN_RUN]; } stn_c_@");
    }
    stn_put(w, "%s;\n", rows);
}

/* Elements of blocks: a complete chunk is in one block. */
static void put_block_read(stn_writer *w, int at)
{
    const int along = w->source->along;
    stn_put_for(w, name_of(w, at), w->source->rank,
                "        if (stn_some == STN_RUN)\n"
                "            stn_fetch_run_@(stn_n, stn_p_@, stn_c_@[stn_row].code$h);\n"
                "        else {\n");
    stn_put(w,
            "            const stn_index stn_first = stn_i%d;\n"
            "            for (int stn_k = 0; stn_k < STN_RUN; stn_k++) {\n"
            "                const stn_index stn_i%d = stn_first + "
            "(stn_k < stn_some ? stn_k : stn_some - 1);\n",
            along, along);
    stn_put_for(w, name_of(w, at), w->source->rank,
                "                stn_c_@[stn_row].code[stn_k] = stn_fetch_@(stn_n, stn_p_@$h);\n"
                "            }\n        }\n");
}

/* Moves the words of a complete chunk, or the codes that a chunk has. */
static void put_words_or(stn_writer *w, int at, const char *words, const char *codes)
{
    const int bytes = w->source->views[at].bytes * w->source->wide;
    put_words(w, at, "        if (stn_some == STN_RUN)\n");
    stn_put(w, "            STN_UNROLL for (int stn_k = 0; stn_k < %d; stn_k++)\n",
            bytes / (int)stn_source_access(bytes));
    put_words(w, at, words);
    put_words(w, at,
              "        else\n"
              "            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n");
    put_words(w, at, codes);
}

void stn_put_chunk_read(stn_writer *w, int at)
{
    if (w->source->views[at].block) {
        put_block_read(w, at);
        return;
    }
    put_address(w, at);
    put_words_or(
        w, at,
        "                stn_c_@[stn_row].word[stn_k] = "
        "((STN_GLOBAL const stn_word_@ *)stn_a_@)[stn_k];\n",
        "                stn_c_@[stn_row].code[stn_k] = stn_a_@[stn_k < stn_some ? stn_k : "
        "stn_some - 1];\n");
}

/* The codes of a chunk: of outputs followed by the new ones, which compilers then pack into
 * registers. Those of `out` are not read. */
static void put_read(stn_writer *w, int at)
{
    const stn_parameter_kind kind = w->source->kernel->parameters[at].kind;
    stn_put_chunk(w, at, kind == STN_PARAMETER_IN ? "[1]" : "[2]");
    if (kind == STN_PARAMETER_OUT)
        put_address(w, at);
    else
        stn_put_chunk_read(w, at);
}

static void put_back(stn_writer *w, int at)
{
    if (w->source->kernel->parameters[at].kind == STN_PARAMETER_IN)
        return;
    put_words_or(w, at,
                 "                ((STN_GLOBAL stn_word_@ *)stn_a_@)[stn_k] = "
                 "stn_c_@[1].word[stn_k];\n",
                 "                if (stn_k < stn_some)\n"
                 "                    stn_a_@[stn_k] = stn_c_@[1].code[stn_k];\n");
}

int stn_source_is_chunk(const stn_source *s, int at)
{
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    const int is_read =
        kind == STN_PARAMETER_IN || (kind == STN_PARAMETER_INOUT && s->views[at].block);
    return s->wide > 1 && kind >= STN_PARAMETER_IN && kind <= STN_PARAMETER_OUT &&
           s->views[at].step[s->along] == 1 && (!s->blocks || is_read);
}

/* Is an output stored element by element, as one that is repeated along rows of one element? */
static int has_separate_output(const stn_source *s)
{
    int has = 0;
    for (int at = 0; at < s->kernel->count; at++)
        has |= s->kernel->parameters[at].kind > STN_PARAMETER_IN && !stn_source_is_chunk(s, at);
    return has;
}

/* Elements beyond the end of a row are copies of its last one, which no branch skips: otherwise
 * compilers could not process elements together. */
void stn_put_wide_loop(stn_writer *w)
{
    const stn_source *const s = w->source;
    const int last = s->rank - 1;
    stn_put(w,
            "    enum { STN_RUN = %d, stn_row = 0 };\n"
            "    for (stn_u64 stn_t = STN_THREAD; stn_t < (stn_u64)STN_V(%d); "
            "stn_t += STN_THREADS) {\n"
            "        stn_count stn_rest = (stn_count)stn_t;\n",
            s->wide, s->chunks);
    if (last > 0)
        stn_put(w,
                "        const stn_index stn_b = (stn_index)(stn_rest %% (stn_count)STN_V(%d)) * "
                "STN_RUN;\n        stn_rest /= (stn_count)STN_V(%d);\n",
                s->chunks + 1, s->chunks + 1);
    else
        stn_put(w, "        const stn_index stn_b = (stn_index)stn_rest * STN_RUN;\n");
    stn_put_indices_of_rest(w, last);
    stn_put(w,
            "        const stn_index stn_left = (stn_index)STN_V(%d) - stn_b;\n"
            "        const int stn_some = stn_left < STN_RUN ? (int)stn_left : STN_RUN;\n"
            "        const stn_index stn_i%d = stn_b;\n",
            last + 1, last);
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            put_read(w, at);
    stn_put(w,
            "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++) {\n%s"
            "        const stn_index stn_i%d = stn_b + (stn_k < stn_some ? stn_k : stn_some - 1);\n"
            "        (void)stn_i%d;\n",
            has_separate_output(s) ? "        if (stn_k >= stn_some)\n            break;\n" : "",
            last, last);
    w->in_run = STN_RUN_CODES;
    stn_put_element(w);
    w->in_run = STN_RUN_NONE;
    stn_put(w, "        }\n");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            put_back(w, at);
}
