/* Kernels whose threads have several neighbours each: 16 bytes of the widest view and as many
 * elements of the others are one access each. */
#include "exec/dialect.h"
#include "expr/source_writer.h"

static void put_chunk(stn_writer *w, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter *const p = &s->kernel->parameters[at];
    const char *const name = p->name, *const word = stn_dialect_word(s->views[at].bytes * s->wide);
    stn_put(w,
            "        union { %s word; stn_code_%s code[STN_RUN]; } stn_c_%s;\n"
            "        real_t stn_v_%s[STN_RUN];\n",
            word, name, name, name);
    if (p->kind == STN_PARAMETER_OUT)
        return;
    stn_put(w,
            "        if (stn_some == STN_RUN)\n"
            "            stn_c_%s.word = ((STN_GLOBAL const %s *)stn_p_%s)[stn_t];\n"
            "        else\n            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
            "                stn_c_%s.code[stn_k] = stn_p_%s[stn_b + (stn_k < stn_some ? stn_k : "
            "0)];\n",
            name, word, name, name, name);
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
    const char *const name = p->name, *const word = stn_dialect_word(s->views[at].bytes * s->wide);
    if (p->kind == STN_PARAMETER_IN)
        return;
    stn_put(w, "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n");
    if (p->kind == STN_PARAMETER_INOUT && !s->views[at].returns)
        stn_put(w,
                "            if (!stn_same(stn_v_%s[stn_k], stn_decode_%s(stn_n, "
                "stn_c_%s.code[stn_k])))\n    ",
                name, name, name);
    stn_put(w,
            "            stn_c_%s.code[stn_k] = stn_code_of_%s(stn_n, stn_p_%s, stn_v_%s[stn_k], "
            "stn_b + stn_k);\n",
            name, name, name, name);
    stn_put(w,
            "        if (stn_some == STN_RUN)\n"
            "            ((STN_GLOBAL %s *)stn_p_%s)[stn_t] = stn_c_%s.word;\n"
            "        else\n            STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++)\n"
            "                if (stn_k < stn_some)\n"
            "                    stn_p_%s[stn_b + stn_k] = stn_c_%s.code[stn_k];\n",
            word, name, name, name, name);
}

int stn_source_is_chunk(const stn_source *s, int at)
{
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    return s->wide > 1 && kind >= STN_PARAMETER_IN && kind <= STN_PARAMETER_OUT &&
           s->views[at].step[0] == 1;
}

void stn_put_wide_loop(stn_writer *w)
{
    const stn_source *const s = w->source;
    stn_put(w,
            "    enum { STN_RUN = %d };\n"
            "    for (stn_u64 stn_t = STN_THREAD; stn_t * STN_RUN < (stn_u64)STN_V(0); "
            "stn_t += STN_THREADS) {\n"
            "        const stn_index stn_b = (stn_index)(stn_t * STN_RUN);\n"
            "        const stn_index stn_left = (stn_index)STN_V(0) - stn_b;\n"
            "        const int stn_some = stn_left < STN_RUN ? (int)stn_left : STN_RUN;\n",
            s->wide);
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            put_chunk(w, at);
    stn_put(w, "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++) {\n"
               "        if (stn_k >= stn_some)\n            break;\n"
               "        const stn_index stn_i0 = stn_b + stn_k;\n        (void)stn_i0;\n");
    w->in_run = 1;
    stn_put_element(w);
    w->in_run = 0;
    stn_put(w, "        }\n");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            put_back(w, at);
}
