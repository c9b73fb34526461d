/* Views in block formats in device texts. Elements are read one by one, or those of a chunk
 * together; a thread computes the elements of whole blocks, and encodes each block once. */
#include "exec/dialect.h"
#include "expr/source_writer.h"
#include "format/block.h"
#include "steno/block_codec.h"

void stn_put_block_memory(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put(w,
            "#include \"steno/block_codec.h\"\n#include \"expr/device/blocks.h\"\n"
            "typedef struct {\n    STN_GLOBAL stn_u8 *codes, *scales;\n%s} stn_memory_%s;\n",
            v->staged ? "    STN_GLOBAL stn_u64 *staged;\n" : "", name);
}

/* The arguments for block `block` of the codec's functions. */
static void put_block(stn_writer *w, const stn_source_view *v)
{
    stn_put(w, "m.codes + block * STN_V(%d), m.scales + block * STN_V(%d)", v->blocks + 1,
            v->blocks + 2);
}

/* `run`, the codes of `count` adjacent elements from element `first` of block `block` on, and
 * `at`, their address. Returns the number of words. */
static int put_run_words(stn_writer *w, const stn_source_view *v, int count, const char *first)
{
    const int bits = stn_block_bits(v->block), bytes = count * bits / 8;
    const int access = (int)stn_source_access(bytes | v->aligned);
    stn_put(
        w,
        "    typedef %s word;\n    union { word words[%d]; stn_u32 bits[%d]; } run;\n"
        "    STN_GLOBAL word *const at = (STN_GLOBAL word *)(m.codes + block * STN_V(%d) + %s * "
        "%d / 8);\n",
        stn_dialect_word(access), bytes / access, (bytes + 3) / 4, v->blocks + 1, first, bits);
    return bytes / access;
}

static void put_encoder(stn_writer *w, const char *name, const stn_source_view *v, int elements)
{
    const int bits = stn_block_bits(v->block), words = elements * bits / 32;
    stn_put_for(w, name, v->rank,
                "STN_FN void stn_store_blocks_@(STN_NUMBERS, const stn_memory_@ m, stn_f64 *codes, "
                "int count$I)\n{\n    stn_i64 block = stn_place_@(stn_n$i)");
    stn_put(w,
            " / %d;\n    for (int done = 0; done < count; done += %d, block++) {\n"
            "    for (int k = count; k < done + %d; k++)\n        codes[k] = 0;\n",
            elements, elements, elements);
    const int pieces = put_run_words(w, v, elements, "0");
    stn_put(w,
            "    const stn_block_division by = stn_block_begin(%d, m.scales + block * STN_V(%d), "
            "codes + done);\n"
            "    STN_UNROLL for (int k = 0; k < %d; k++)\n        run.bits[k] = 0;\n"
            "    STN_UNROLL for (int k = 0; k < %d; k++)\n"
            "        stn_add_run_code(run.bits, k * %d, %d, stn_block_code_of(%d, by, codes[done + "
            "k]));\n"
            "    STN_UNROLL for (int k = 0; k < %d; k++)\n        at[k] = run.words[k];\n"
            "    }\n}\n",
            v->block, v->blocks + 2, words, elements, bits, bits, v->block, pieces);
}

/* The codes of adjacent elements of a block, whose number divides that of the block. */
static void put_run(stn_writer *w, const char *name, const stn_source_view *v, int elements)
{
    const int bits = stn_block_bits(v->block), count = w->source->wide;
    stn_put_for(w, name, v->rank,
                "STN_FN void stn_fetch_run_@(STN_NUMBERS, const stn_memory_@ m, stn_f64 *codes$I)\n"
                "{\n    const stn_index place = stn_place_@(stn_n$i);\n");
    stn_put(w, "    const stn_i64 block = place / %d;\n    const int first = (int)(place %% %d);\n",
            elements, elements);
    if (count * bits % 8 != 0) {
        stn_put(w, "    for (int k = 0; k < %d; k++)\n        codes[k] = stn_block_read(%d, ",
                count, v->block);
        put_block(w, v);
        stn_put_text(w, ", first + k);\n}\n");
        return;
    }
    const int pieces = put_run_words(w, v, count, "first");
    stn_put(
        w,
        "    const stn_f64 scale = stn_block_scale(%d, m.scales + block * STN_V(%d));\n"
        "    STN_UNROLL for (int k = 0; k < %d; k++)\n        run.words[k] = at[k];\n"
        "    STN_UNROLL for (int k = 0; k < %d; k++)\n"
        "        codes[k] = stn_block_element(%d, stn_run_code(run.bits, k * %d, %d)) * scale;\n"
        "}\n",
        v->block, v->blocks + 2, pieces, count, v->block, bits, bits);
}

void stn_put_block_codec(stn_writer *w, const char *name, const stn_source_view *v)
{
    const int elements = (int)stn_block_builtin(v->block)->elements;
    stn_put_for(w, name, v->rank,
                "STN_FN stn_f64 stn_fetch_@(STN_NUMBERS, const stn_memory_@ m$I)\n{\n"
                "    const stn_index place = stn_place_@(stn_n$i);\n");
    if (v->staged)
        stn_put_text(w, "    const stn_u64 staged = m.staged[place];\n"
                        "    if (staged != ~(stn_u64)0)\n"
                        "        return stn_f64_of_bits(staged);\n");
    stn_put(w, "    const stn_i64 block = place / %d;\n    return stn_block_read(%d, ", elements,
            v->block);
    put_block(w, v);
    stn_put(w, ", (int)(place %% %d));\n}\n", elements);
    if (w->source->wide > 1 && elements % w->source->wide == 0)
        put_run(w, name, v, elements);
    if (w->source->blocks && !v->staged)
        put_encoder(w, name, v, elements);
}

/* ---- elements that wait until the kernel has finished ---- */

/* A NaN whose bits mean "nothing" is another NaN. */
static void put_staged_bits(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_for(w, name, v->rank,
                "STN_FN stn_u64 stn_bits_for_@(STN_NUMBERS, const stn_memory_@ m, real_t value$I)\n"
                "{\n"
                "    const stn_u64 bits = stn_bits_of_f64(stn_code_of_@(stn_n, m, value$i));\n"
                "    return bits == ~(stn_u64)0 ? bits >> 1 : bits;\n}\n");
}

void stn_put_staged_store(stn_writer *w, const char *name, const stn_source_view *v)
{
    put_staged_bits(w, name, v);
    stn_put_for(w, name, v->rank,
                "STN_FN void stn_store_@(STN_NUMBERS, const stn_memory_@ m, real_t value$I)\n{\n"
                "    m.staged[stn_place_@(stn_n$i)] = stn_bits_for_@(stn_n, m, value$i);\n}\n");
}

void stn_put_staged_update(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_for(w, name, v->rank,
                "STN_FN int stn_update_@(STN_NUMBERS, const stn_memory_@ m, int operation, real_t "
                "value$J)\n"
                "{\n"
                "    volatile STN_GLOBAL stn_u64 *const word = m.staged + stn_place_@(stn_n$j);\n"
                "    stn_u64 old = *word, seen;\n"
                "    do {\n"
                "        seen = old;\n"
                "        const stn_f64 code = seen == ~(stn_u64)0 ? stn_fetch_@(stn_n, m$j)\n"
                "                                                 : stn_f64_of_bits(seen);\n"
                "        const real_t stored =\n"
                "            stn_updated(stn_decode_@(stn_n, m, code$j), value, operation);\n"
                "        old = STN_SWAP_64(word, seen, stn_bits_for_@(stn_n, m, stored$j));\n"
                "    } while (old != seen);\n"
                "    return 1;\n}\n");
}

/* ---- threads that compute all elements of a block ---- */

int stn_source_in_blocks(const stn_source *s, int at)
{
    return s->views[at].block && !s->views[at].staged &&
           s->kernel->parameters[at].kind > STN_PARAMETER_IN;
}

/* Can elements of an output stay as they are? */
static int may_stay(const stn_source *s, int at)
{
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    int may =
        kind == STN_PARAMETER_MASKED || (kind == STN_PARAMETER_INOUT && !s->views[at].returns);
    for (int k = 0; k < s->kernel->count; k++)
        may |= stn_source_has_reach(&s->kernel->parameters[k]) &&
               s->kernel->parameters[k].boundary == STN_BOUNDARY_INSIDE;
    return may;
}

void stn_put_block_code(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int is_masked = p->kind == STN_PARAMETER_MASKED;
    if (is_masked) {
        stn_put_for(w, p->name, 0, "        if (stn_stored_@)");
    } else if (p->kind == STN_PARAMETER_INOUT && !w->source->views[at].returns) {
        if (stn_source_is_chunk(w->source, at))
            stn_put_for(w, p->name, 0,
                        "        stn_b_@[stn_from + stn_k] = stn_c_@[stn_row].code[stn_k];\n");
        stn_put_text(w, "        if (!");
        stn_put_is_kept(w, at);
        stn_put_text(w, ")");
    }
    stn_put_for(w, p->name, w->source->rank,
                is_masked ? "        {\n        stn_b_@[stn_from + stn_k] = stn_code_of_@(stn_n, "
                            "stn_p_@, stn_to_@$h);\n        stn_any_@ = 1;\n        }\n"
                          : "        {\n        stn_b_@[stn_from + stn_k] = stn_code_of_@(stn_n, "
                            "stn_p_@, @$h);\n        stn_any_@ = 1;\n        }\n");
}

/* The indices of a thread's first element. */
static void put_indices(stn_writer *w)
{
    const stn_source *const s = w->source;
    stn_put(w, "        const stn_index stn_b = ");
    if (s->along >= 0)
        stn_put(w,
                "(stn_index)(stn_rest %% (stn_count)STN_V(%d)) * %d;\n"
                "        stn_rest /= (stn_count)STN_V(%d);\n",
                s->chunks + 1, s->blocks, s->chunks + 1);
    else
        stn_put_text(w, "0;\n");
    for (int d = s->rank - 1; d >= 0; d--)
        if (d != s->along)
            stn_put(
                w,
                "        const stn_index stn_i%d = (stn_index)(stn_rest %% (stn_count)STN_V(%d));\n"
                "        stn_rest /= (stn_count)STN_V(%d);\n        (void)stn_i%d;\n",
                d, d + 1, d + 1, d);
    if (s->along >= 0)
        stn_put(w, "        const stn_index stn_left = (stn_index)STN_V(%d) - stn_b;\n",
                s->along + 1);
    else
        stn_put_text(w, "        const stn_index stn_left = 1;\n");
}

/* The index of a neighbor, or of the first one. */
static void put_neighbor(stn_writer *w, const char *index)
{
    if (w->source->along >= 0)
        stn_put(w, "        const stn_index stn_i%d = %s;\n        (void)stn_i%d;\n",
                w->source->along, index, w->source->along);
}

/* Codes of the elements that stay are decoded first, unless all are read by chunks. */
static void put_codes(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    stn_put(w, "        stn_f64 stn_b_%s[%d];\n        int stn_any_%s = 0;\n", name,
            w->source->blocks, name);
    if (!may_stay(w->source, at) || stn_source_is_chunk(w->source, at))
        return;
    stn_put_text(w, "        for (int stn_k = 0; stn_k < stn_held; stn_k++) {\n");
    put_neighbor(w, "stn_b + stn_k");
    stn_put_for(w, name, w->source->rank,
                "        stn_b_@[stn_k] = stn_fetch_@(stn_n, stn_p_@$h);\n        }\n");
}

void stn_put_block_loop(stn_writer *w)
{
    const stn_source *const s = w->source;
    stn_put(w,
            "    for (stn_u64 stn_t = STN_THREAD; stn_t < (stn_u64)STN_V(%d); "
            "stn_t += STN_THREADS) {\n        stn_count stn_rest = (stn_count)stn_t;\n",
            s->chunks);
    put_indices(w);
    stn_put(w, "        const int stn_held = stn_left < %d ? (int)stn_left : %d;\n", s->blocks,
            s->blocks);
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_in_blocks(s, at))
            put_codes(w, at);
    stn_put(w,
            "        enum { STN_RUN = %d, stn_row = 0 };\n"
            "        for (int stn_from = 0; stn_from < stn_held; stn_from += STN_RUN) {\n"
            "        const int stn_some = stn_held - stn_from < STN_RUN ? stn_held - stn_from : "
            "STN_RUN;\n        {\n",
            s->wide);
    put_neighbor(w, "stn_b + stn_from");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            stn_put_chunk(w, at, "[1]");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_chunk(s, at))
            stn_put_chunk_read(w, at);
    stn_put_text(w, "        STN_UNROLL for (int stn_k = 0; stn_k < STN_RUN; stn_k++) {\n"
                    "        if (stn_k >= stn_some)\n            break;\n");
    put_neighbor(w, "stn_b + stn_from + stn_k");
    stn_put_inside(w);
    w->in_run = s->wide > 1 ? STN_RUN_CODES : STN_RUN_NONE;
    stn_put_element(w);
    w->in_run = STN_RUN_NONE;
    stn_put_text(w, "        }\n        }\n        }\n");
    put_neighbor(w, "stn_b");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_in_blocks(s, at))
            stn_put_for(w, s->kernel->parameters[at].name, s->rank,
                        "        if (stn_any_@)\n"
                        "            stn_store_blocks_@(stn_n, stn_p_@, stn_b_@, stn_held$h);\n");
}
