/* Stores in device texts, with counters. */
#include <stdio.h>

#include "expr/source_writer.h"

/* Events of storing part `part` of a value with this number of parts. */
static void put_events(stn_writer *w, const stn_source_view *v, const char *part, int at, int of)
{
    const int is_integer = v->part[0] == 'i' || v->part[0] == 'u';
    char number[64] = "0";
    if (v->is_stochastic)
        snprintf(number, sizeof number, "stn_rounding_bits((stn_u64)STN_V(%d), %d * number + %d)",
                 v->draws, of, at);
    stn_put(w, "    events = 0;\n    code = ");
    if (is_integer)
        stn_put(w, "stn_integer_encode(stn_wide_%s(value%s), %d, %d, (stn_rounding)%d, ",
                stn_source_part(w), part, 8 * v->bytes / of, v->part[0] == 'i', v->rounding);
    else
        stn_put(w,
                "stn_float_encode(stn_wide_%s(value%s), stn_%s_kind(), (stn_rounding)%d, "
                "(stn_overflow)%d, ",
                stn_source_part(w), part, v->part, v->rounding, v->overflow);
    stn_put(w, "%s, &events);\n", number);
    if (is_integer && v->has_zero)
        stn_put(w,
                "    events &= ~STN_EVENT_UNDERFLOWED;\n"
                "    if (given != 0 && !(events & STN_EVENT_SATURATED) &&\n"
                "        stn_read_%s_%s((stn_%s)code) == (stn_part)STN_V_REAL(%d))\n"
                "        events |= STN_EVENT_UNDERFLOWED;\n",
                stn_source_part(w), v->format, v->format, v->affine + 1);
    stn_put(w, "    stn_tally(m.counts, events);\n");
}

/* Saturation of integers; 64-bit integers saturate in arithmetic. */
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
    stn_put_for(w, name, v->rank,
                "STN_FN void stn_count_@(STN_NUMBERS, const stn_memory_@ m, real_t value$I)\n{\n"
                "    unsigned events;\n    stn_u64 code = 0;\n    const real_t given = value;\n"
                "    const stn_u64 number = ");
    stn_put_number(w, v);
    stn_put(w, ";\n    (void)number, (void)events, (void)code, (void)given;\n");
    stn_put_scale(w, v);
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
    stn_put_for(w, name, v->rank,
                "STN_FN void stn_store_@(STN_NUMBERS, const stn_memory_@ m, real_t value$I)\n{\n");
    stn_put_for(w, name, v->rank,
                v->is_whole ? "    stn_whole_@ whole;\n"
                              "    whole.code = stn_code_of_@(stn_n, m, value$i);\n"
                              "    *(STN_GLOBAL stn_word_@ *)stn_find_@(stn_n, m$i) = whole.word;\n"
                : v->planes
                    ? "    const stn_index place = stn_place_@(stn_n$i);\n"
                      "    union { stn_u64 bits; stn_code_@ code; } as;\n"
                      "    as.code = stn_code_of_@(stn_n, m, value$i);\n"
                      "    stn_write_planes(m.codes + place, m.middle + place, m.lower + place, "
                      "as.bits);\n"
                    : "    *stn_find_@(stn_n, m$i) = stn_code_of_@(stn_n, m, value$i);\n");
    stn_put_for(w, name, v->rank, v->counts ? "    stn_count_@(stn_n, m, value$i);\n}\n" : "}\n");
}

/* Codes of less than 32 bits are parts of a word, whose other parts are kept. */
void stn_put_update(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int bits = v->bytes == 8 ? 64 : 32, is_part = v->bytes < 4;
    stn_put(w, "#define STN_WORD stn_u%d\n#define STN_BITS stn_u%d\n#define STN_SWAP STN_SWAP_%d\n",
            bits, 8 * v->bytes, bits);
    stn_put(w, "#define STN_BYTE_OFFSET %s\n", is_part ? "(int)((stn_u64)element & 3)" : "0");
    stn_put_for(
        w, name, v->rank,
        "STN_FN int stn_update_@(STN_NUMBERS, const stn_memory_@ m, int operation, real_t "
        "value$J)\n"
        "{\n"
        "    STN_GLOBAL char *const element = (STN_GLOBAL char *)stn_find_@(stn_n, m$j);\n"
        "    union { stn_code_@ code; STN_BITS bits; } as;\n"
        "    const int byte_offset = STN_BYTE_OFFSET, shift = 8 * byte_offset;\n"
        "    volatile STN_GLOBAL STN_WORD *const word = (volatile STN_GLOBAL STN_WORD *)(element - "
        "byte_offset);\n"
        "    const STN_WORD mask = (STN_BITS)-1;\n"
        "    STN_WORD old = *word, seen;\n"
        "    real_t stored;\n"
        "    do {\n"
        "        seen = old;\n"
        "        as.bits = (STN_BITS)(seen >> shift & mask);\n"
        "        stored = stn_updated(stn_decode_@(stn_n, m, as.code$j), value, operation);\n"
        "        as.code = stn_code_of_@(stn_n, m, stored$j);\n"
        "        old = STN_SWAP(word, seen, (seen & ~(mask << shift)) | ((STN_WORD)as.bits << "
        "shift));\n"
        "    } while (old != seen);\n");
    stn_put_for(w, name, v->rank,
                v->counts ? "    stn_count_@(stn_n, m, stored$j);\n    return 1;\n}\n"
                          : "    return 1;\n}\n");
    stn_put_text(w, "#undef STN_WORD\n#undef STN_BITS\n#undef STN_SWAP\n#undef STN_BYTE_OFFSET\n");
}
