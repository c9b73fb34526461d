/* Kernels whose threads process several neighbors: 16 bytes of the widest view, and as many
 * elements of other views, are one access each. */
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
    stn_put(w, "        typedef %s stn_word_%s;\n",
            stn_dialect_word(w->source->views[at].bytes * w->source->wide), name_of(w, at));
    put_words(w, at, "        union { stn_word_@ word; stn_code_@ code[STN_RUN]; } stn_c_@");
    stn_put(w, "%s;\n", rows);
}

void stn_put_chunk_read(stn_writer *w, int at)
{
    put_address(w, at);
    put_words(
        w, at,
        "        if (stn_some == STN_RUN)\n"
        "            stn_c_@[stn_row].word = *(STN_GLOBAL const stn_word_@ *)stn_a_@;\n"
        "        else\n"
        "            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
        "                stn_c_@[stn_row].code[stn_k] = stn_a_@[stn_k < stn_some ? stn_k : 0];\n");
}

static void put_read(stn_writer *w, int at)
{
    stn_put_chunk(w, at, "[1]");
    put_words(w, at, "        real_t stn_v_@[STN_RUN];\n");
    if (w->source->kernel->parameters[at].kind == STN_PARAMETER_OUT) {
        put_address(w, at);
        return;
    }
    stn_put_chunk_read(w, at);
    put_words(
        w, at,
        "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
        "            stn_v_@[stn_k] = stn_decode_@(stn_n, stn_p_@, stn_c_@[stn_row].code[stn_k]$h, "
        "stn_b + stn_k);\n");
}

/* Unchanged values keep their codes. Loops of known length keep codes in registers. */
static void put_back(stn_writer *w, int at)
{
    const stn_parameter_kind kind = w->source->kernel->parameters[at].kind;
    if (kind == STN_PARAMETER_IN)
        return;
    stn_put_text(w, "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n");
    if (kind == STN_PARAMETER_INOUT && !w->source->views[at].returns)
        put_words(w, at,
                  "            if (!stn_same(stn_v_@[stn_k], stn_decode_@(stn_n, stn_p_@, "
                  "stn_c_@[stn_row].code[stn_k]$h, stn_b + stn_k)))\n");
    put_words(w, at,
              "            stn_c_@[stn_row].code[stn_k] = stn_code_of_@(stn_n, stn_p_@, "
              "stn_v_@[stn_k]$h, "
              "stn_b + stn_k);\n"
              "        if (stn_some == STN_RUN)\n"
              "            *(STN_GLOBAL stn_word_@ *)stn_a_@ = stn_c_@[stn_row].word;\n"
              "        else\n"
              "            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
              "                if (stn_k < stn_some)\n"
              "                    stn_a_@[stn_k] = stn_c_@[stn_row].code[stn_k];\n");
}

int stn_source_is_chunk(const stn_source *s, int at)
{
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    return s->wide > 1 && kind >= STN_PARAMETER_IN && kind <= STN_PARAMETER_OUT &&
           s->views[at].step[s->along] == 1;
}

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
            "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++) {\n"
            "        if (stn_k >= stn_some)\n            break;\n"
            "        const stn_index stn_i%d = stn_b + stn_k;\n        (void)stn_i%d;\n",
            last, last);
    w->in_run = 1;
    stn_put_element(w);
    w->in_run = 0;
    stn_put(w, "        }\n");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            put_back(w, at);
}
