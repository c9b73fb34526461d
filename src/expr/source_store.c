/* Storing in the text of a kernel for devices, which counters are told of. */
#include <stdio.h>

#include "expr/source_writer.h"

static const char tally_words[] =
    "#ifndef STN_TALLY\n#define STN_TALLY\n"
    "STN_FN void stn_tally(STN_GLOBAL stn_u32 *counts, unsigned events)\n"
    "{\n"
    "    for (int k = 0; k < 3; k++)\n"
    "        if ((events >> k & 1) && STN_ADD_32(counts + 2 * k, 1u) == 0xffffffffu)\n"
    "            (void)STN_ADD_32(counts + 2 * k + 1, 1u);\n"
    "}\n#endif\n";

/* What happens to a part of a value, the part-th of so many. */
static void put_events(stn_writer *w, const stn_source_view *v, const char *part, int at, int of)
{
    const int is_integer = v->part[0] == 'i' || v->part[0] == 'u';
    char number[64] = "0";
    if (v->is_stochastic)
        snprintf(number, sizeof number, "stn_random_bits((stn_u64)STN_V(%d), %d * number + %d)",
                 v->draws, of, at);
    stn_put(w, "    events = 0;\n    (void)");
    if (is_integer)
        stn_put(w, "stn_integer_encode(stn_wide_%s(value%s), %d, %d, (stn_rounding)%d, ",
                stn_source_part(w), part, 8 * v->bytes / of, v->part[0] == 'i', v->rounding);
    else
        stn_put(w,
                "stn_float_encode(stn_wide_%s(value%s), stn_%s_kind(), (stn_rounding)%d, "
                "(stn_overflow)%d, ",
                stn_source_part(w), part, v->part, v->rounding, v->overflow);
    stn_put(w, "%s, &events);\n    stn_tally(m.counts, events);\n", number);
}

/* In integers beyond the least and the greatest code, but for those of 64 bits. */
static void put_integer_events(stn_writer *w, const stn_source_view *v)
{
    if (v->bytes < 8)
        stn_put(w,
                "    events = (stn_i64)stn_i64_to_integer(value, %d, %d) != value;\n"
                "    stn_tally(m.counts, events);\n",
                8 * v->bytes, v->part[0] == 'i');
}

static void put_count(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_text(w, tally_words);
    stn_put(w, "STN_FN void stn_count_%s(STN_NUMBERS, const stn_memory_%s m, real_t value", name,
            name);
    stn_put_indices(w, v->rank, "stn_index");
    stn_put(w, ")\n{\n    unsigned events;\n    const stn_u64 number = stn_draw_%s(stn_n", name);
    stn_put_passed(w, v->rank);
    stn_put(w, ");\n    (void)number, (void)events;\n");
    if (v->scale_bytes) {
        stn_put(w, "    const stn_f%d stn_scale = stn_scale_of_%s(stn_n, m", 8 * v->scale_bytes,
                name);
        stn_put_passed(w, v->rank);
        stn_put(w, ");\n");
    }
    stn_put_scalings(w, v, 1);
    if (w->source->arithmetic == STN_I64)
        put_integer_events(w, v);
    else if (stn_source_is_complex(w)) {
        put_events(w, v, ".re", 0, 2);
        put_events(w, v, ".im", 1, 2);
    } else
        put_events(w, v, "", 0, 1);
    stn_put(w, "}\n");
}

void stn_put_store(stn_writer *w, const char *name, const stn_source_view *v)
{
    if (v->counts)
        put_count(w, name, v);
    stn_put_function(w, "void", "", "store", name, ", real_t value", v->rank);
    stn_put(w, "*stn_find_%s(stn_n, m", name);
    stn_put_passed(w, v->rank);
    stn_put(w, ") = stn_code_of_%s(stn_n, m, value", name);
    stn_put_passed(w, v->rank);
    if (v->counts) {
        stn_put(w, ");\n    stn_count_%s(stn_n, m, value", name);
        stn_put_passed(w, v->rank);
    }
    stn_put(w, ");\n}\n");
}

/* ---- elements by indices of the kernel's ---- */

void stn_put_put(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    stn_put(w, "STN_FN int stn_put_%s(STN_NUMBERS, const stn_memory_%s m, real_t value", name,
            name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w, ")\n{\n    stn_store_%s(stn_n, m, value", name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ");\n    return 1;\n}\n");
}

/* Codes of fewer than 32 bits are part of a word, whose others stay. */
void stn_put_update(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int bits = v->bytes == 8 ? 64 : 32, is_part = v->bytes < 4;
    stn_put(w,
            "STN_FN int stn_update_%s(STN_NUMBERS, const stn_memory_%s m, int operation, "
            "real_t value",
            name, name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w, ")\n{\n    STN_GLOBAL char *const element = (STN_GLOBAL char *)stn_find_%s(stn_n, m",
            name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ");\n    union { stn_code_%s code; stn_u%d bits; } as;\n", name, 8 * v->bytes);
    if (v->scale_bytes) {
        stn_put(w, "    const stn_f%d scale = stn_scale_of_%s(stn_n, m", 8 * v->scale_bytes, name);
        stn_put_each(w, v->rank, ", (stn_index)i%d", "");
        stn_put(w, ");\n");
    }
    stn_put(w, "    const int beside = %s, shift = 8 * beside;\n",
            is_part ? "(int)((stn_u64)element & 3)" : "0");
    stn_put(
        w,
        "    volatile STN_GLOBAL stn_u%d *const word = (volatile STN_GLOBAL stn_u%d *)(element - "
        "beside);\n",
        bits, bits);
    stn_put(w,
            "    real_t stored;\n    const stn_u%d mask = (stn_u%d)%s;\n"
            "    stn_u%d old = *word, seen;\n",
            bits, bits, is_part ? (v->bytes == 1 ? "0xff" : "0xffff") : "-1", bits);
    stn_put(w,
            "    do {\n        seen = old;\n        as.bits = (stn_u%d)(seen >> shift & mask);\n",
            8 * v->bytes);
    stn_put(w,
            "        stored = stn_updated(stn_decode_%s(stn_n, as.code%s), value, operation);\n"
            "        as.code = stn_encode_%s(stn_n, stored, stn_draw_%s(stn_n",
            name, v->scale_bytes ? ", scale" : "", name, name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ")%s", v->scale_bytes ? ", scale" : "");
    stn_put(w,
            ");\n        old = STN_SWAP_%d(word, seen, (seen & ~(mask << shift)) | "
            "((stn_u%d)as.bits << shift));\n",
            bits, bits);
    stn_put(w, "    } while (old != seen);\n");
    if (v->counts) {
        stn_put(w, "    stn_count_%s(stn_n, m, stored", name);
        stn_put_each(w, v->rank, ", (stn_index)i%d", "");
        stn_put(w, ");\n");
    }
    stn_put(w, "    return 1;\n}\n");
}
