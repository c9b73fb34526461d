/* Views in device texts: offsets, and elements by indices. */
#include <string.h>

#include "expr/source_writer.h"

/* ---- offsets ---- */

static void put_strides(stn_writer *w, const stn_source_view *v, int axis)
{
    for (int d = 0; d < v->rank; d++) {
        if (v->mapping_rank > 0 && v->axis[d] != axis)
            continue;
        if (v->step[d] == 1)
            stn_put(w, " + i%d", d);
        else if (v->step[d] != 0)
            stn_put(w, " + i%d * (stn_index)STN_V(%d)", d, v->place + 1 + d);
    }
}

/* The offset in a packed or banded matrix. */
static void put_partial(stn_writer *w, const stn_source_view *v)
{
    const int k = v->mapping, is_packed = v->layout == STN_SOURCE_PACKED;
    stn_put_text(w, is_packed ? " + stn_packed(" : " + stn_clamped(");
    for (int m = 0; m < 2; m++) {
        stn_put(w, "%s((stn_index)STN_V(%d)", m == 0 ? "" : is_packed ? ", " : " + ", k + m);
        put_strides(w, v, m);
        stn_put_text(w, ")");
        if (!is_packed)
            stn_put(w, " * (stn_index)STN_V(%d)", k + 2 + m);
    }
    if (is_packed)
        stn_put(w, ", (stn_index)STN_V(%d))", k + 2);
    else
        stn_put(w, " + (stn_index)STN_V(%d), (stn_index)STN_V(%d))", k + 4, k + 5);
}

/* The offset of an element in its view's memory or in a table of offsets: a sum over dimensions for
 * any layout. */
static void put_offset(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_for(w, name, v->rank, "STN_FN stn_index stn_place_@(STN_NUMBERS$I)\n{\n    return 0");
    if (v->layout == STN_SOURCE_TABLE || (v->block && v->layout == STN_SOURCE_STRIDED))
        stn_put(w, " + (stn_index)STN_V(%d)", v->mapping);
    if (v->layout == STN_SOURCE_PACKED || v->layout == STN_SOURCE_BANDED)
        put_partial(w, v);
    else if (v->mapping_rank == 0)
        put_strides(w, v, 0);
    for (int m = 0; m < v->mapping_rank && v->layout < STN_SOURCE_TABLE; m++) {
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

/* ---- elements: their addresses, values and codes ---- */

int stn_source_has_members(const stn_source_view *v)
{
    return v->scale_bytes || v->layout == STN_SOURCE_TABLE || v->counts || v->block || v->planes;
}

/* Is an element's code a unit in memory? */
static int has_addresses(const stn_source_view *v)
{
    return !v->block && !v->planes;
}

/* The type of a view's memory. */
static void put_memory(stn_writer *w, const char *name, const stn_source_view *v)
{
    if (v->block) {
        stn_put_block_memory(w, name, v);
        return;
    }
    if (!stn_source_has_members(v)) {
        stn_put(w, "typedef STN_GLOBAL stn_code_%s *stn_memory_%s;\n", name, name);
        return;
    }
    if (v->planes)
        stn_put_text(w, "#include \"expr/device/planes.h\"\n"
                        "typedef struct {\n    STN_GLOBAL stn_u32 *codes;\n"
                        "    STN_GLOBAL stn_u16 *middle, *lower;\n");
    else
        stn_put(w, "typedef struct {\n    STN_GLOBAL stn_code_%s *codes;\n", name);
    if (v->scale_bytes)
        stn_put(w, "    STN_GLOBAL const stn_f%d *scales;\n", 8 * v->scale_bytes);
    if (v->layout == STN_SOURCE_TABLE)
        stn_put(w, "    STN_GLOBAL const stn_i64 *places;\n");
    if (v->counts)
        stn_put(w, "    STN_GLOBAL stn_u32 *counts;\n");
    stn_put(w, "} stn_memory_%s;\n", name);
}

static void put_find(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_for(w, name, v->rank,
                "STN_FN STN_GLOBAL stn_code_@ *stn_find_@(STN_NUMBERS, const stn_memory_@ m$I)\n{\n"
                "    return ");
    stn_put_for(w, name, v->rank,
                v->layout == STN_SOURCE_TABLE ? "m.codes + m.places[stn_place_@(stn_n$i)];\n}\n"
                : stn_source_has_members(v)   ? "m.codes + stn_place_@(stn_n$i);\n}\n"
                                              : "m + stn_place_@(stn_n$i);\n}\n");
}

/* The code of an element in planes. */
static void put_fetch_planes(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_for(w, name, v->rank,
                "STN_FN stn_code_@ stn_fetch_@(STN_NUMBERS, const stn_memory_@ m$I)\n{\n"
                "    const stn_index place = stn_place_@(stn_n$i);\n"
                "    union { stn_u64 bits; stn_code_@ code; } as;\n"
                "    as.bits = (stn_u64)m.codes[place] << 32;\n");
    if (v->planes > 1)
        stn_put_text(w, "    as.bits += stn_extended(m.middle[place]) << 16;\n");
    if (v->planes > 2)
        stn_put_text(w, "    as.bits += stn_extended(m.lower[place]);\n");
    stn_put_text(w, "    return as.code;\n}\n");
}

/* ---- elements by explicit indices ---- */

void stn_put_boundary(stn_writer *w, const stn_parameter *p, const stn_source_view *v, int d)
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

/* Boundary value: real, with imaginary part 0. */
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

/* Is the element within the radius? */
static void put_check(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int rank = w->source->views[at].rank;
    stn_put_for(w, p->name, rank, "STN_FN int stn_has_@(STN_NUMBERS$J");
    stn_put_each(w, rank, ", stn_i64 here%d", "");
    stn_put(w, ", STN_GLOBAL int *stn_mnemonics)\n{\n    if (1");
    for (int d = 0; d < rank; d++)
        stn_put(w, " && i%d - here%d >= -%d && i%d - here%d <= %d", d, d, (int)p->offset[d], d, d,
                (int)p->offset[d]);
    stn_put(w, ")\n        return 1;\n    stn_mnemonics[%d] = 1;\n    return 0;\n}\n", at);
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
        stn_put(w, ", stn_mnemonics) ? ");
    }
    if (kind == STN_PARAMETER_STENCIL && w->in_bands) {
        stn_put_band_value(w, at);
    } else {
        stn_put(w, "stn_%s_%s(stn_n, stn_p_%s", macro, name, name);
        if (kind == STN_PARAMETER_STENCIL) {
            stn_put_reach(w, at);
        } else {
            stn_put(w, ", %s", first);
            stn_put_each(w, s->views[at].rank, "i%d", ", ");
        }
        stn_put_text(w, ")");
    }
    if (kind == STN_PARAMETER_STENCIL)
        stn_put(w, " : stn_nothing_%s()", macro);
    stn_put(w, ")\n");
}

/* The boundaries that an access checks: on the host, rows are found once (source_host.c), and
 * those outside of the view are replaced by others, so that loops have no branches. */
static void put_boundaries(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    if (!w->source->is_host) {
        stn_put(w, "    if (is_inner < 2) {\n");
        for (int d = 0; d < v->rank - 1; d++)
            stn_put_boundary(w, p, v, d);
        stn_put(w, "    }\n");
    }
    stn_put(w, "    if (!is_inner) {\n");
    stn_put_boundary(w, p, v, v->rank - 1);
    stn_put(w, "    }\n");
}

void stn_put_at(stn_writer *w, int at)
{
    put_call(w, "at", w->source->kernel->parameters[at].name, "", at);
}

static void put_element(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const char *const name = p->name;
    const int is_bounded = p->kind <= STN_PARAMETER_STENCIL;
    const int may_miss = is_bounded && stn_source_may_miss_rows(w, at);
    if (is_bounded)
        put_outside(w, p);
    stn_put_for(w, name, v->rank, "STN_FN real_t stn_at_@(STN_NUMBERS, const stn_memory_@ m$J");
    stn_put(w, "%s%s)\n{\n", is_bounded ? ", int is_inner" : "", may_miss ? ", int exists" : "");
    if (is_bounded)
        put_boundaries(w, at);
    stn_put_for(w, name, v->rank, "    const real_t value = stn_load_@(stn_n, m$j);\n");
    stn_put_for(w, name, 0,
                may_miss ? "    return exists ? value : stn_outside_@();\n}\n"
                         : "    return value;\n}\n");
    stn_put(w, "#define stn_extents_%s %d\n", name, v->extents);
    if (p->kind == STN_PARAMETER_STENCIL)
        put_check(w, at);
    stn_put_at(w, at);
}

/* Integer elements of gather and scatter: integer codes unchanged; unsigned 64-bit codes and floats
 * through f64, truncated. */
static void put_index(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int is_code = v->format[0] == 'i' || (v->format[0] == 'u' && v->bytes < 8);
    const int is_plain = !v->scale_bytes && !v->has_scale && !v->has_zero;
    if (!is_code && !w->source->has_f64 && (!is_plain || v->format[0] == 'u'))
        return; /* a body that uses them cannot be compiled */
    stn_put_for(w, name, v->rank,
                "STN_FN stn_i64 stn_whole_@(STN_NUMBERS, const stn_memory_@ m$I)\n{\n"
                "    const stn_code_@ code = ");
    stn_put_for(w, name, v->rank,
                has_addresses(v) ? "*stn_find_@(stn_n, m$i);\n" : "stn_fetch_@(stn_n, m$i);\n");
    if (is_code)
        stn_put(w, "    return (stn_i64)code;\n}\n");
    else {
        stn_put(w, "    stn_given value = stn_read_%s_%s(code);\n",
                w->source->has_f64 ? "f64" : "f32", v->format);
        stn_put_scale(w, v);
        if (v->scale_bytes)
            stn_put(w, "    value = (value - STN_V_REAL(%d)) * stn_scale;\n", v->affine + 1);
        else if (v->has_scale || v->has_zero)
            stn_put(w, "    value = (value - STN_V_REAL(%d)) * STN_V_REAL(%d);\n", v->affine + 1,
                    v->affine);
        stn_put(w, "    return stn_whole(value);\n}\n");
    }
    stn_put_for(w, name, v->rank,
                "STN_FN stn_i64 stn_index_@(STN_NUMBERS, const stn_memory_@ m$J)\n{\n"
                "    return stn_whole_@(stn_n, m$j);\n}\n");
}

static void put_put(stn_writer *w, int at)
{
    stn_put_for(w, w->source->kernel->parameters[at].name, w->source->views[at].rank,
                "STN_FN int stn_put_@(STN_NUMBERS, const stn_memory_@ m, real_t value$J)\n{\n"
                "    stn_store_@(stn_n, m, value$j);\n    return 1;\n}\n");
}

void stn_put_stored(stn_writer *w, const char *name, const stn_source_view *v)
{
    stn_put_code(w, name, v);
    put_offset(w, name, v);
    put_memory(w, name, v);
    if (v->block)
        stn_put_block_codec(w, name, v);
    else if (v->planes)
        put_fetch_planes(w, name, v);
    else
        put_find(w, name, v);
    if (w->source->unit)
        return;
    stn_put_codec(w, name, v);
    stn_put_for(w, name, v->rank,
                "STN_FN real_t stn_load_@(STN_NUMBERS, const stn_memory_@ m$I)\n{\n");
    stn_put_for(
        w, name, v->rank,
        v->is_whole        ? "    stn_whole_@ whole;\n"
                             "    whole.word = *(STN_GLOBAL const stn_word_@ *)stn_find_@(stn_n, m$i);\n"
                             "    return stn_decode_@(stn_n, m, whole.code$i);\n}\n"
        : has_addresses(v) ? "    return stn_decode_@(stn_n, m, *stn_find_@(stn_n, m$i)$i);\n}\n"
                           : "    return stn_decode_@(stn_n, m, stn_fetch_@(stn_n, m$i)$i);\n}\n");
    if (v->staged)
        stn_put_staged_store(w, name, v);
    else if (!v->block)
        stn_put_store(w, name, v);
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
        const int is_unit = has_addresses(v) && v->bytes <= 8 && (v->bytes & (v->bytes - 1)) == 0;
        if (v->staged)
            stn_put_staged_update(w, p->name, v);
        else if (is_unit)
            stn_put_update(w, at);
        if (v->staged || is_unit)
            put_call(w, "update", p->name, "operation, value, ", at);
    }
    if (p->kind >= STN_PARAMETER_GATHER && !stn_source_is_complex(w)) {
        put_index(w, at);
        put_call(w, "index", p->name, "", at);
    }
}
