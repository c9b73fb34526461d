/* Codes in the text of a kernel for devices: what they stand for, and what values become. */
#include <string.h>

#include "expr/source_writer.h"

/* In the arithmetic. */
static void put_scale(stn_writer *w, const stn_source_view *v)
{
    if (v->scale_bytes)
        stn_put(w, "(stn_part)stn_scale");
    else
        stn_put(w, "(stn_part)STN_V_REAL(%d)", v->affine);
}

int stn_source_is_affine(const stn_source_view *v)
{
    return v->has_scale || v->has_zero || v->scale_bytes;
}

/* Of integers, which have no scale: a sum that fits, or modulo 2^64. */
static void put_integer_zero(stn_writer *w, const stn_source_view *v, int is_stored)
{
    stn_put(w,
            is_stored && v->bytes < 8 ? "    value = stn_add(value, (stn_i64)STN_V_REAL(%d));\n"
            : is_stored
                ? "    value = (stn_i64)((stn_u64)value + (stn_u64)(stn_i64)STN_V_REAL(%d));\n"
                : "    value = (stn_i64)((stn_u64)value - (stn_u64)(stn_i64)STN_V_REAL(%d));\n",
            v->affine + 1);
}

/* One part of a value, under scale and zero point. */
static void put_scaling(stn_writer *w, const stn_source_view *v, const char *part, int is_stored)
{
    if (w->source->arithmetic == STN_I64) {
        if (v->has_zero)
            put_integer_zero(w, v, is_stored);
        return;
    }
    if (!stn_source_is_affine(v))
        return;
    if (is_stored) {
        stn_put(w, "    value%s = value%s / ", part, part);
        put_scale(w, v);
        stn_put(w, ";\n");
        if (v->has_zero)
            stn_put(w, "    value%s = value%s + (stn_part)STN_V_REAL(%d);\n", part, part,
                    v->affine + 1);
        return;
    }
    stn_put(w, "    value%s = (value%s - (stn_part)STN_V_REAL(%d)) * ", part, part, v->affine + 1);
    put_scale(w, v);
    stn_put(w, ";\n");
}

void stn_put_scalings(stn_writer *w, const stn_source_view *v, int is_stored)
{
    put_scaling(w, v, stn_source_is_complex(w) ? ".re" : "", is_stored);
    if (stn_source_is_complex(w))
        put_scaling(w, v, ".im", is_stored);
}

/* A registered format's functions, once for all views in it. */
static void put_registered(stn_writer *w, const char *name, int bytes, const char *text)
{
    stn_put(w, "#ifndef STN_HAS_%s\n#define STN_HAS_%s\ntypedef stn_u%d stn_%s;\n", name, name,
            8 * bytes, name);
    stn_put_reserved(w);
    stn_put(w, "#define decode stn_decoded_%s\n#define encode stn_encoded_%s\n", name, name);
    stn_put_body(w, text, strlen(text));
    stn_put(w, "\n#undef decode\n#undef encode\n");
    stn_take_reserved_back(w);
    for (int k = 0; k < 2; k++) {
        const char *const real = k ? "f32" : "f64";
        stn_put(w,
                "STN_FN stn_%s stn_read_%s_%s(stn_%s code)\n{\n"
                "    return (stn_%s)stn_decoded_%s(code);\n}\n",
                real, real, name, name, real, name);
        stn_put(w,
                "STN_FN stn_%s stn_write_%s_%s(stn_%s value, STN_RULES)\n{\n"
                "    (void)rounding, (void)overflow, (void)seed, (void)index;\n"
                "    return stn_encoded_%s((stn_f64)value);\n}\n",
                name, real, name, real, name);
    }
    stn_put(w, "#endif\n");
}

void stn_put_codec(stn_writer *w, const char *name, const stn_source_view *v)
{
    const char *const real = stn_source_real(w->source->arithmetic);
    if (v->device_text)
        put_registered(w, v->format, v->bytes, v->device_text);
    stn_put(w, "typedef stn_%s stn_code_%s;\n", v->format, name);
    const char *const scale = v->scale_bytes == 8   ? ", stn_f64 stn_scale"
                              : v->scale_bytes == 4 ? ", stn_f32 stn_scale"
                                                    : "";
    stn_put(w, "STN_FN real_t stn_decode_%s(STN_NUMBERS, stn_code_%s code%s)\n{\n", name, name,
            scale);
    stn_put(w, "    real_t value = stn_read_%s_%s(code);\n", real, v->format);
    stn_put_scalings(w, v, 0);
    stn_put(w, "    return value;\n}\n");
    stn_put(w, "STN_FN stn_code_%s stn_encode_%s(STN_NUMBERS, real_t value, stn_u64 number%s)\n{\n",
            name, name, scale);
    stn_put_scalings(w, v, 1);
    stn_put(w, "    return stn_write_%s_%s(value, (stn_rounding)%d, (stn_overflow)%d, ", real,
            v->format, v->rounding, v->overflow);
    if (v->is_stochastic)
        stn_put(w, "(stn_u64)STN_V(%d), number);\n}\n", v->draws);
    else
        stn_put(w, "0, number);\n}\n");
}

stn_status stn_source_write_format(const char *name, int bytes, const char *device_text,
                                   char **text)
{
    const stn_kernel kernel = {.name = name};
    const stn_source none = {.kernel = &kernel};
    stn_writer w = {.source = &none, .status = STN_OK};
    put_registered(&w, name, bytes, device_text);
    return stn_put_end(&w, text);
}
