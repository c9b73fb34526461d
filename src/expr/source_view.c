/* Views in the text of a kernel for devices: codes, places, and elements by their indices. */
#include <string.h>

#include "expr/source_writer.h"

/* ---- places, codes and values ---- */

static void put_strides(stn_writer *w, const stn_source_view *v, int axis)
{
    for (int d = 0; d < v->rank; d++) {
        if (v->layout != STN_SOURCE_STRIDED && v->axis[d] != axis)
            continue;
        if (v->step[d] == 1)
            stn_put(w, " + i%d", d);
        else if (v->step[d] != 0)
            stn_put(w, " + i%d * (stn_index)STN_V(%d)", d, v->place + 1 + d);
    }
}

/* The place of an element in its view's memory: a sum over the dimensions, whatever the layout. */
static void put_place(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put(w, "STN_FN stn_index stn_place_%s(STN_NUMBERS", name);
    stn_put_indices(w, v->rank, "stn_index");
    stn_put(w, ")\n{\n    return 0");
    if (v->layout == STN_SOURCE_STRIDED)
        put_strides(w, v, 0);
    for (int m = 0; m < v->mapping_rank; m++) {
        const int tiled = v->layout == STN_SOURCE_TILED, k = v->mapping + m * (tiled ? 4 : 2);
        stn_put(w, "\n           + %s((stn_index)STN_V(%d)", tiled ? "stn_tiled" : "stn_spread", k);
        put_strides(w, v, m);
        if (tiled)
            stn_put(w, ", (stn_index)STN_V(%d), (stn_index)STN_V(%d), (stn_index)STN_V(%d))", k + 1,
                    k + 2, k + 3);
        else
            stn_put(w, ", (stn_u64)STN_V(%d))", k + 1);
    }
    stn_put(w, ";\n}\n");
}

/* One part of a value, under scale and zero point. */
static void put_scaling(stn_writer *w, const stn_source_view *v, const char *part, int is_stored)
{
    const char *const type = w->source->arithmetic == STN_I64 ? "real_t" : "stn_part";
    if (w->source->arithmetic == STN_I64 && v->has_zero)
        stn_put(w,
                is_stored && v->bytes < 8 ? "    value = stn_add(value, (stn_i64)STN_V_REAL(%d));\n"
                : is_stored /* modulo 2^64 */
                    ? "    value = (stn_i64)((stn_u64)value + (stn_u64)(stn_i64)STN_V_REAL(%d));\n"
                    : "    value = (stn_i64)((stn_u64)value - (stn_u64)(stn_i64)STN_V_REAL(%d));\n",
                v->affine + 1);
    else if (!is_stored && (v->has_scale || v->has_zero))
        stn_put(w, "    value%s = (value%s - (%s)STN_V_REAL(%d)) * (%s)STN_V_REAL(%d);\n", part,
                part, type, v->affine + 1, type, v->affine);
    else if (v->has_scale || v->has_zero)
        stn_put(w, "    value%s = value%s / (%s)STN_V_REAL(%d);\n", part, part, type, v->affine);
    if (is_stored && v->has_zero && w->source->arithmetic != STN_I64)
        stn_put(w, "    value%s = value%s + (%s)STN_V_REAL(%d);\n", part, part, type,
                v->affine + 1);
}

static void put_scalings(stn_writer *w, const stn_source_view *v, int is_stored)
{
    put_scaling(w, v, stn_source_is_complex(w) ? ".re" : "", is_stored);
    if (stn_source_is_complex(w))
        put_scaling(w, v, ".im", is_stored);
}

static void put_codec(stn_writer *w, const char *name, const stn_source_view *v)
{
    const char *const real = stn_source_real(w->source->arithmetic);
    stn_put(w, "typedef stn_%s stn_code_%s;\n", v->format, name);
    stn_put(w, "STN_FN real_t stn_decode_%s(STN_NUMBERS, stn_code_%s code)\n{\n", name, name);
    stn_put(w, "    real_t value = stn_read_%s_%s(code);\n", real, v->format);
    put_scalings(w, v, 0);
    stn_put(w, "    return value;\n}\n");
    stn_put(w, "STN_FN stn_code_%s stn_encode_%s(STN_NUMBERS, real_t value, stn_u64 number)\n{\n",
            name, name);
    put_scalings(w, v, 1);
    stn_put(w, "    return stn_write_%s_%s(value, (stn_rounding)%d, (stn_overflow)%d, ", real,
            v->format, v->rounding, v->overflow);
    if (v->is_stochastic)
        stn_put(w, "(stn_u64)STN_V(%d), number);\n}\n", v->draws);
    else
        stn_put(w, "0, number);\n}\n");
}

/* The number that an element draws random bits by. */
static void put_draw(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put(w, "STN_FN stn_u64 stn_draw_%s(STN_NUMBERS", name);
    stn_put_indices(w, v->rank, "stn_index");
    stn_put(w, ")\n{\n    return 0");
    if (v->is_stochastic) {
        stn_put(w, " + (stn_u64)STN_V(%d)", v->draws + 1);
        for (int d = 0; d < v->rank; d++)
            stn_put(w, " + (stn_u64)i%d * (stn_u64)STN_V(%d)", d, v->draws + 2 + d);
    }
    stn_put(w, ";\n}\n");
}

/* ---- elements by their indices ---- */

static void put_boundary(stn_writer *w, const stn_parameter *p, const stn_source_view *v, int d)
{
    const int extent = v->extents + d;
    switch (p->boundary) {
    case STN_BOUNDARY_NEAREST:
        stn_put(w, "    i%d = i%d < 0 ? 0 : i%d >= STN_V(%d) ? STN_V(%d) - 1 : i%d;\n", d, d, d,
                extent, extent, d);
        break;
    case STN_BOUNDARY_PERIODIC:
        stn_put(w,
                "    if (i%d < 0 || i%d >= STN_V(%d)) {\n        i%d %%= STN_V(%d);\n"
                "        i%d += i%d < 0 ? STN_V(%d) : 0;\n    }\n",
                d, d, extent, d, extent, d, d, extent);
        break;
    case STN_BOUNDARY_INSIDE:
        break;
    default:
        stn_put(w, "    if (i%d < 0 || i%d >= STN_V(%d))\n        return stn_outside_%s();\n", d, d,
                extent, p->name);
    }
}

/* What stands outside: real, its imaginary part is 0. */
static void put_outside(stn_writer *w, const stn_parameter *p)
{
    const int is_value = p->boundary == STN_BOUNDARY_VALUE;
    stn_put(w, "STN_FN real_t stn_outside_%s(void)\n{\n    real_t value;\n", p->name);
    if (w->source->arithmetic == STN_I64)
        stn_put(w, "    value = (stn_i64)%lluu;\n",
                is_value ? (unsigned long long)p->integer : 0ull);
    else
        stn_put(w, "    value%s = (stn_part)%.17g;\n", stn_source_is_complex(w) ? ".re" : "",
                is_value ? p->value : 0.0);
    stn_put(w, "%s    return value;\n}\n", stn_source_is_complex(w) ? "    value.im = 0;\n" : "");
}

static int has_indices(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_SHIFTED;
}

/* Is such an element within the radius? */
static void put_check(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int rank = w->source->views[at].rank;
    stn_put(w, "STN_FN int stn_has_%s(STN_NUMBERS", p->name);
    stn_put_indices(w, rank, "stn_i64");
    for (int d = 0; d < rank; d++)
        stn_put(w, ", stn_i64 here%d", d);
    stn_put(w, ", STN_GLOBAL int *stn_words)\n{\n    if (1");
    for (int d = 0; d < rank; d++)
        stn_put(w, " && i%d - here%d >= -%d && i%d - here%d <= %d", d, d, (int)p->offset[d], d, d,
                (int)p->offset[d]);
    stn_put(w, ")\n        return 1;\n    stn_words[%d] = 1;\n    return 0;\n}\n", at);
}

static void put_call(stn_writer *w, const char *macro, const char *name, const char *first, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    stn_put(w, "#define stn_%s_call_%s(%s", macro, name, first);
    stn_put_each(w, s->views[at].rank, "i%d", ", ");
    stn_put(w, ") (");
    if (kind == STN_PARAMETER_STENCIL) {
        stn_put(w, "stn_has_%s(stn_n, ", name);
        stn_put_each(w, s->views[at].rank, "i%d", ", ");
        for (int d = 0; d < s->rank; d++)
            stn_put(w, ", stn_i%d", d);
        stn_put(w, ", stn_words) ? ");
    }
    stn_put(w, "stn_%s_%s(stn_n, stn_p_%s, %s", macro, name, name, first);
    stn_put_each(w, s->views[at].rank, "i%d", ", ");
    stn_put(w, kind == STN_PARAMETER_STENCIL ? ", STN_INNER)" : ")");
    if (kind == STN_PARAMETER_STENCIL)
        stn_put(w, " : stn_nothing_%s()", macro);
    stn_put(w, ")\n");
}

static void put_element(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const char *const name = p->name;
    const int is_bounded = p->kind <= STN_PARAMETER_STENCIL;
    if (is_bounded)
        put_outside(w, p);
    stn_put(w, "STN_FN real_t stn_at_%s(STN_NUMBERS, STN_GLOBAL const stn_code_%s *p", name, name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w, "%s)\n{\n", is_bounded ? ", int is_inner" : "");
    for (int d = 0; d < v->rank - 1 && is_bounded; d++)
        put_boundary(w, p, v, d);
    if (is_bounded) { /* within a row only at its ends */
        stn_put(w, "    if (!is_inner) {\n");
        put_boundary(w, p, v, v->rank - 1);
        stn_put(w, "    }\n");
    }
    stn_put(w, "    return stn_decode_%s(stn_n, p[stn_place_%s(stn_n", name, name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ")]);\n}\n#define stn_extents_%s %d\n", name, v->extents);
    if (p->kind == STN_PARAMETER_STENCIL)
        put_check(w, at);
    put_call(w, "at", name, "", at);
}

/* Elements of gather and scatter as whole numbers: codes of integers as they are, those of 64 bits
 * without sign and floats by f64, towards zero. */
static void put_index(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int is_code = v->format[0] == 'i' || (v->format[0] == 'u' && v->bytes < 8);
    stn_put(w, "STN_FN stn_i64 stn_index_%s(STN_NUMBERS, STN_GLOBAL const stn_code_%s *p", name,
            name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w, ")\n{\n    const stn_code_%s code = p[stn_place_%s(stn_n", name, name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ")];\n");
    if (is_code)
        stn_put(w, "    return (stn_i64)code;\n}\n");
    else if (v->has_scale || v->has_zero)
        stn_put(
            w,
            "    return stn_whole((stn_read_f64_%s(code) - STN_V_REAL(%d)) * STN_V_REAL(%d));\n}\n",
            v->format, v->affine + 1, v->affine);
    else
        stn_put(w, "    return stn_whole(stn_read_f64_%s(code));\n}\n", v->format);
}

static void put_put(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    stn_put(w, "STN_FN int stn_put_%s(STN_NUMBERS, STN_GLOBAL stn_code_%s *p, real_t value", name,
            name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w, ")\n{\n    p[stn_place_%s(stn_n", name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, ")] = stn_encode_%s(stn_n, value, stn_draw_%s(stn_n", name, name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, "));\n    return 1;\n}\n");
}

/* Codes of fewer than 32 bits are part of a word, whose others stay. */
static void put_update(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int bits = v->bytes == 8 ? 64 : 32, is_part = v->bytes < 4;
    stn_put(w,
            "STN_FN int stn_update_%s(STN_NUMBERS, STN_GLOBAL stn_code_%s *p, int operation, "
            "real_t value",
            name, name);
    stn_put_indices(w, v->rank, "stn_i64");
    stn_put(w,
            ")\n{\n    STN_GLOBAL char *const element = (STN_GLOBAL char *)(p + stn_place_%s(stn_n",
            name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w, "));\n    union { stn_code_%s code; stn_u%d bits; } as;\n", name, 8 * v->bytes);
    stn_put(w, "    const int beside = %s, shift = 8 * beside;\n",
            is_part ? "(int)((stn_u64)element & 3)" : "0");
    stn_put(
        w,
        "    volatile STN_GLOBAL stn_u%d *const word = (volatile STN_GLOBAL stn_u%d *)(element - "
        "beside);\n",
        bits, bits);
    stn_put(w, "    const stn_u%d mask = (stn_u%d)%s;\n    stn_u%d old = *word, seen;\n", bits,
            bits, is_part ? (v->bytes == 1 ? "0xff" : "0xffff") : "-1", bits);
    stn_put(w,
            "    do {\n        seen = old;\n        as.bits = (stn_u%d)(seen >> shift & mask);\n",
            8 * v->bytes);
    stn_put(
        w,
        "        as.code = stn_encode_%s(stn_n, stn_updated(stn_decode_%s(stn_n, as.code), value, "
        "operation), stn_draw_%s(stn_n",
        name, name, name);
    stn_put_each(w, v->rank, ", (stn_index)i%d", "");
    stn_put(w,
            "));\n        old = STN_SWAP_%d(word, seen, (seen & ~(mask << shift)) | "
            "((stn_u%d)as.bits << shift));\n",
            bits, bits);
    stn_put(w, "    } while (old != seen);\n    return 1;\n}\n");
}

void stn_put_stored(stn_writer *w, const char *name, const stn_source_view *v)
{
    put_codec(w, name, v);
    put_place(w, name, v);
    put_draw(w, name, v);
}

void stn_put_view(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    stn_put_stored(w, p->name, v);
    if (!has_indices(p->kind))
        return;
    put_element(w, at);
    if (p->kind == STN_PARAMETER_SCATTER) {
        put_put(w, at);
        put_call(w, "put", p->name, "value, ", at);
        if (v->bytes <= 8) {
            put_update(w, at);
            put_call(w, "update", p->name, "operation, value, ", at);
        }
    }
    if (p->kind >= STN_PARAMETER_GATHER && !stn_source_is_complex(w)) {
        put_index(w, at);
        put_call(w, "index", p->name, "", at);
    }
}
