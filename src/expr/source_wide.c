/* Kernels whose threads have several neighbours each: 16 bytes of the widest view and as many
 * elements of the others are one access each. */
#include "exec/dialect.h"
#include "expr/source_writer.h"

/* Of this many bytes. */
static const char *word_of(const stn_writer *w, int at)
{
    return stn_dialect_word(w->source->views[at].bytes * w->source->wide);
}

/* Where elements stand, as codes and as what one access moves. */
static void put_address(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    stn_put(w, "        STN_GLOBAL stn_code_%s *const stn_a_%s = stn_find_%s(stn_n, stn_p_%s", name,
            name, name, name);
    for (int d = 0; d < w->source->rank - 1; d++)
        stn_put(w, ", stn_i%d", d);
    stn_put(w, ", stn_b);\n");
}

void stn_put_chunk(stn_writer *w, int at, const char *rows)
{
    const char *const name = w->source->kernel->parameters[at].name;
    stn_put(w, "        union { %s word; stn_code_%s code[STN_RUN]; } stn_c_%s%s;\n",
            word_of(w, at), name, name, rows);
}

void stn_put_chunk_read(stn_writer *w, int at, const char *row)
{
    const char *const name = w->source->kernel->parameters[at].name;
    put_address(w, at);
    stn_put(w, "        stn_c_%s%s.word = *(STN_GLOBAL const %s *)stn_a_%s;\n", name, row,
            word_of(w, at), name);
}

static void put_read(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const char *const name = p->name;
    stn_put_chunk(w, at, "");
    stn_put(w, "        real_t stn_v_%s[STN_RUN];\n", name);
    put_address(w, at);
    if (p->kind == STN_PARAMETER_OUT)
        return;
    stn_put(w,
            "        if (stn_some == STN_RUN)\n"
            "            stn_c_%s.word = *(STN_GLOBAL const %s *)stn_a_%s;\n"
            "        else\n            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
            "                stn_c_%s.code[stn_k] = stn_a_%s[stn_k < stn_some ? stn_k : 0];\n",
            name, word_of(w, at), name, name, name);
    stn_put(w,
            "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
            "            stn_v_%s[stn_k] = stn_decode_%s(stn_n, stn_c_%s.code[stn_k]);\n",
            name, name, name);
}

/* Codes whose values are as they were stay. Loops of known length keep codes in registers. */
static void put_back(stn_writer *w, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter *const p = &s->kernel->parameters[at];
    const char *const name = p->name;
    if (p->kind == STN_PARAMETER_IN)
        return;
    stn_put(w, "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n");
    if (p->kind == STN_PARAMETER_INOUT && !s->views[at].returns)
        stn_put(w,
                "            if (!stn_same(stn_v_%s[stn_k], stn_decode_%s(stn_n, "
                "stn_c_%s.code[stn_k])))\n    ",
                name, name, name);
    stn_put(w, "            stn_c_%s.code[stn_k] = stn_code_of_%s(stn_n, stn_p_%s, stn_v_%s[stn_k]",
            name, name, name, name);
    stn_put_each(w, s->rank - 1, ", stn_i%d", "");
    stn_put(w,
            ", stn_b + stn_k);\n"
            "        if (stn_some == STN_RUN)\n"
            "            *(STN_GLOBAL %s *)stn_a_%s = stn_c_%s.word;\n"
            "        else\n            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
            "                if (stn_k < stn_some)\n"
            "                    stn_a_%s[stn_k] = stn_c_%s.code[stn_k];\n",
            word_of(w, at), name, name, name, name);
}

int stn_source_is_chunk(const stn_source *s, int at)
{
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    return s->wide > 1 && kind >= STN_PARAMETER_IN && kind <= STN_PARAMETER_OUT &&
           s->views[at].step[s->rank - 1] == 1;
}

void stn_put_wide_loop(stn_writer *w)
{
    const stn_source *const s = w->source;
    const int last = s->rank - 1;
    stn_put(w,
            "    enum { STN_RUN = %d };\n"
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
            "        const int stn_some = stn_left < STN_RUN ? (int)stn_left : STN_RUN;\n",
            last + 1);
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
