/* Codes in device texts: decoding and encoding. */
#include <stdio.h>
#include <string.h>

#include "exec/dialect.h"
#include "expr/source_writer.h"

void stn_put_scale(stn_writer *w, const stn_source_view *v)
{
    if (!v->scale_bytes)
        return;
    stn_put(w, "    const stn_f%d stn_scale = m.scales[STN_V(%d)", 8 * v->scale_bytes, v->scales);
    for (int d = 0; d < v->rank; d++) {
        if (v->scale_step[d] == 0)
            continue;
        if (d == v->scale_dimension)
            stn_put(w, " + (i%d + STN_V(%d)) / STN_V(%d) * STN_V(%d)", d, v->scales + 1,
                    v->scales + 2, v->scales + 3 + d);
        else
            stn_put(w, " + i%d * STN_V(%d)", d, v->scales + 3 + d);
    }
    stn_put(w, "];\n");
}

void stn_put_number(stn_writer *w, const stn_source_view *v)
{
    stn_put(w, "0");
    for (int d = -1; d < v->rank && v->is_stochastic; d++)
        stn_put(w, d < 0 ? " + (stn_u64)STN_V(%d)" : " + (stn_u64)STN_V(%d) * (stn_u64)i%d",
                v->draws + 2 + d, d);
}

/* Integers, which have no scale: a saturating sum, or modulo 2^64. */
static void put_integer_zero(stn_writer *w, const stn_source_view *v, int is_stored)
{
    stn_put(w,
            is_stored && v->bytes < 8 ? "    value = stn_add(value, (stn_i64)STN_V_REAL(%d));\n"
            : is_stored
                ? "    value = (stn_i64)((stn_u64)value + (stn_u64)(stn_i64)STN_V_REAL(%d));\n"
                : "    value = (stn_i64)((stn_u64)value - (stn_u64)(stn_i64)STN_V_REAL(%d));\n",
            v->affine + 1);
}

/* Applies scale and zero point to one part of a value. */
static void put_scaling(stn_writer *w, const stn_source_view *v, const char *part, int is_stored)
{
    if (w->source->arithmetic == STN_I64) {
        if (v->has_zero)
            put_integer_zero(w, v, is_stored);
        return;
    }
    char scale[32] = "stn_scale";
    if (!v->has_scale && !v->has_zero && !v->scale_bytes)
        return;
    if (!v->scale_bytes)
        snprintf(scale, sizeof scale, "STN_V_REAL(%d)", v->affine);
    if (!is_stored)
        stn_put(w, "    value%s = (value%s - (stn_part)STN_V_REAL(%d)) * (stn_part)%s;\n", part,
                part, v->affine + 1, scale);
    else
        stn_put(w, "    value%s = value%s / (stn_part)%s;\n", part, part, scale);
    if (is_stored && v->has_zero)
        stn_put(w, "    value%s = value%s + (stn_part)STN_V_REAL(%d);\n", part, part,
                v->affine + 1);
}

void stn_put_scalings(stn_writer *w, const stn_source_view *v, int is_stored)
{
    put_scaling(w, v, stn_source_is_complex(w) ? ".re" : "", is_stored);
    if (stn_source_is_complex(w))
        put_scaling(w, v, ".im", is_stored);
}

/* The functions of a registered format, once for all views. */
static void put_registered(stn_writer *w, const char *name, int bytes, const char *text)
{
    stn_put(w, "#ifndef STN_HAS_%s\n#define STN_HAS_%s\ntypedef stn_u%d stn_%s;\n", name, name,
            8 * bytes, name);
    stn_put_reserved(w);
    stn_put(w, "#define decode stn_decoded_%s\n#define encode stn_encoded_%s\n", name, name);
    stn_put_body(w, text, strlen(text));
    stn_put(w, "\n#undef decode\n#undef encode\n");
    stn_put_reserved_end(w);
    for (int k = 0; k < 2; k++) {
        const char *const real = k ? "f32" : "f64";
        stn_put(w,
                "STN_FN stn_%s stn_read_%s_%s(stn_%s code)\n{\n"
                "    return (stn_%s)stn_decoded_%s(code);\n}\n",
                real, real, name, name, real, name);
        stn_put(w,
                "STN_FN stn_%s stn_write_%s_%s(stn_%s value, STN_RULES)\n{\n"
                "    (void)rounding_, (void)overflow_, (void)seed_, (void)index_;\n"
                "    return stn_encoded_%s((stn_f64)value);\n}\n",
                name, real, name, real, name);
    }
    stn_put(w, "#endif\n");
}

void stn_put_code(stn_writer *w, const char *name, const stn_source_view *v)
{
    if (w->source->unit) {
        stn_put(
            w,
            "#ifndef STN_HAS_UNITS\n#define STN_HAS_UNITS\ntypedef struct {\n    %s unit[%d];\n} "
            "stn_units;\n#endif\ntypedef stn_units stn_code_%s;\n",
            stn_dialect_word(w->source->unit), v->bytes / w->source->unit, name);
        return;
    }
    if (v->device_text)
        put_registered(w, v->format, v->bytes, v->device_text);
    stn_put(w, "typedef stn_%s stn_code_%s;\n", v->format, name);
    if (v->is_whole)
        stn_put(w,
                "typedef %s stn_word_%s;\n"
                "typedef union {\n    stn_word_%s word;\n    stn_code_%s code;\n} stn_whole_%s;\n",
                stn_dialect_word(v->bytes), name, name, name, name);
}

void stn_put_codec(stn_writer *w, const char *name, const stn_source_view *v)
{
    const char *const real = stn_source_real(w->source->arithmetic);
    stn_put_for(w, name, v->rank,
                "STN_FN real_t stn_decode_@(STN_NUMBERS, const stn_memory_@ m, stn_code_@ code$I)\n"
                "{\n");
    if (v->widens)
        stn_put(w, "    real_t value = stn_widened_%s(code, %d);\n", v->format, v->widens);
    else
        stn_put(w, "    real_t value = stn_read_%s_%s(code);\n", real, v->format);
    stn_put_scale(w, v);
    stn_put_scalings(w, v, 0);
    stn_put_for(w, name, v->rank,
                "    return value;\n}\n"
                "STN_FN stn_code_@ stn_code_of_@(STN_NUMBERS, const stn_memory_@ m, real_t "
                "value$I)\n{\n");
    stn_put_scale(w, v);
    stn_put_scalings(w, v, 1);
    stn_put(w, "    return stn_write_%s_%s(value, (stn_rounding)%d, (stn_overflow)%d, ", real,
            v->format, v->rounding, v->overflow);
    if (v->is_stochastic)
        stn_put(w, "(stn_u64)STN_V(%d), ", v->draws);
    else
        stn_put(w, "0, ");
    stn_put_number(w, v);
    stn_put(w, ");\n}\n");
}
