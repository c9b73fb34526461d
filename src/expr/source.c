/* Kernels as texts for devices. */
#include "expr/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "steno/kernel_math.h"

/* ---- a text that grows ---- */

typedef struct writer {
    const stn_source *source;
    char *text;
    size_t length, room;
    stn_status status;
} writer;

static void grow(writer *w, size_t more)
{
    char *larger;
    const size_t room = 2 * (w->length + more) + 1024;
    if (w->status == STN_OK)
        w->status = stn_allocate(&larger, 1, room, "the text of a kernel");
    if (w->status != STN_OK)
        return;
    if (w->length > 0)
        memcpy(larger, w->text, w->length);
    stn_free(w->text);
    w->text = larger;
    w->room = room;
}

static void put_text(writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (w->length + length + 1 > w->room)
        grow(w, length);
    if (w->status != STN_OK)
        return;
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    char words[512]; /* parameters' names are the longest part, of 200 letters */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof words)
        w->status = stn_fail(STN_ERR_RANGE, "kernel %s: a name is too long for a device",
                             w->source->kernel->name);
    else
        put_text(w, words);
}

/* One piece per dimension: "%d" becomes its number; `between` stands between two of them. */
static void put_each(writer *w, int rank, const char *piece, const char *between)
{
    for (int d = 0; d < rank; d++) {
        char words[160];
        snprintf(words, sizeof words, piece, d, d, d);
        put(w, "%s%s", d ? between : "", words);
    }
}

/* ---- what all texts begin with ---- */

/* The functions of <math.h> are those of the arithmetic, whatever they are called with. */
typedef struct math_row {
    const char *name, *result, *declared, *given;
} math_row;
#define MATH_1(name) {#name, "stn_part", "stn_part x", #name "(x)"},
#define MATH_2(name) {#name, "stn_part", "stn_part x, stn_part y", #name "(x, y)"},
#define MATH_3(name) {#name, "stn_part", "stn_part x, stn_part y, stn_part z", #name "(x, y, z)"},
static const math_row math[] = {
    STN_MATH_OF_1(MATH_1) STN_MATH_OF_2(MATH_2)
        STN_MATH_OF_3(MATH_3){"ldexp", "stn_part", "stn_part x, int n", "ldexp(x, n)"},
    {"scalbn", "stn_part", "stn_part x, int n", "stn_math_ldexp(x, n)"},
    {"scalbln", "stn_part", "stn_part x, stn_i64 n", "stn_math_ldexp(x, (int)n)"},
    {"ilogb", "int", "stn_part x", "ilogb(x)"},
    {"lrint", "stn_i64", "stn_part x", "(stn_i64)stn_math_rint(x)"},
    {"llrint", "stn_i64", "stn_part x", "(stn_i64)stn_math_rint(x)"},
    {"lround", "stn_i64", "stn_part x", "(stn_i64)stn_math_round(x)"},
    {"llround", "stn_i64", "stn_part x", "(stn_i64)stn_math_round(x)"}};

/* Devices' headers may have macros of these names. */
static void put_math(writer *w)
{
    for (size_t k = 0; k < sizeof math / sizeof *math; k++) {
        const math_row *const m = &math[k];
        put(w, "STN_FN %s stn_math_%s(%s) { return %s; }\n", m->result, m->name, m->declared,
            m->given);
        put(w, "#undef %s\n#define %s stn_math_%s\n", m->name, m->name, m->name);
    }
}

static const char words[] =
    "#define V(k) (OF(stn_n).v[k])\n"
    "#define REAL(k) stn_f64_of_bits((stn_u64)V(k))\n"
    "#define NUMBERS PASSED(struct stn_numbers) stn_n\n"
    "#define int64_t stn_i64\n"
    "#define uint64_t stn_u64\n"
    "#define STN_R(x) ((real_t)(x))\n"
    "#define R(x) STN_R(x)\n"
    "#define STN_STORE(name, value) (stn_to_##name = (value), stn_stored_##name = 1)\n"
    "#define STN_AT(name, ...) stn_at_call_##name(__VA_ARGS__)\n"
    "#define STN_INDEX_AT(name, ...) stn_index_call_##name(__VA_ARGS__)\n"
    "#define STN_PUT(name, value, ...) stn_put_call_##name(value, __VA_ARGS__)\n"
    "#define STN_ADD(name, value, ...) stn_update_call_##name(0, value, __VA_ARGS__)\n"
    "#define STN_MIN(name, value, ...) stn_update_call_##name(-1, value, __VA_ARGS__)\n"
    "#define STN_MAX(name, value, ...) stn_update_call_##name(1, value, __VA_ARGS__)\n"
    "#define stn_nothing_update() 0\n"
    "#define STN_EXTENT_OF(name, d) V(stn_extents_##name + (d))\n"
    "STN_FN stn_i64 stn_whole(stn_f64 value)\n" /* within 64 bits; 0 for NaN */
    "{\n"
    "    if (value >= 0x1p63)\n"
    "        return (stn_i64)~((stn_u64)1 << 63);\n"
    "    return value >= -0x1p63 ? (stn_i64)value : value < 0 ? (stn_i64)((stn_u64)1 << 63) : 0;\n"
    "}\n"
    "#define stn_nothing_index() 0\n"
    "#define stn_nothing_put() 0\n"
    "STN_FN stn_i64 stn_add(stn_i64 a, stn_i64 b)\n" /* the least or the greatest beyond 64 bits */
    "{\n"
    "    const stn_i64 sum = (stn_i64)((stn_u64)a + (stn_u64)b);\n"
    "    const stn_u64 least = (stn_u64)1 << 63;\n"
    "    return ((a ^ sum) & (b ^ sum)) >= 0 ? sum : (stn_i64)(a < 0 ? least : ~least);\n"
    "}\n";

static int is_complex(const writer *w)
{
    return w->source->arithmetic == STN_C128 || w->source->arithmetic == STN_C64;
}

static const char *real_name(stn_format arithmetic)
{
    return arithmetic == STN_F64    ? "f64"
           : arithmetic == STN_F32  ? "f32"
           : arithmetic == STN_I64  ? "i64"
           : arithmetic == STN_C128 ? "c128"
                                    : "c64";
}

/* Of a complex number its parts'; functions of <math.h> are of double in integer kernels, as in C.
 */
static const char *part_name(const writer *w)
{
    const stn_format arithmetic = w->source->arithmetic;
    return arithmetic == STN_F32 || arithmetic == STN_C64 || !w->source->has_f64 ? "f32" : "f64";
}

static void put_head(writer *w)
{
    const stn_source *s = w->source;
    put(w, "#include \"steno/accessor/value.h\"\n");
    put(w, "typedef stn_%s real_t;\ntypedef stn_%s stn_part;\n", real_name(s->arithmetic),
        part_name(w));
    put(w, "typedef stn_%s stn_index;\ntypedef stn_%s stn_count;\n", s->is_wide ? "i64" : "i32",
        s->is_wide ? "u64" : "u32");
    put(w, "struct stn_numbers {\n    stn_i64 v[%d];\n};\n", s->numbers);
    put_text(w, words);
    put(w, "STN_FN real_t stn_unassigned(void)\n{\n    real_t value;\n");
    if (is_complex(w))
        put(w, "    value.re = value.im = (stn_part)stn_f32_of_bits(0x7fc00000u);\n");
    else if (s->arithmetic == STN_I64)
        put(w, "    value = 0;\n");
    else
        put(w, "    value = (real_t)stn_f32_of_bits(0x7fc00000u);\n");
    put(w, "    return value;\n}\n");
    if (s->arithmetic != STN_I64)
        put(w,
            "STN_FN int stn_same_part(stn_part a, stn_part b)\n{\n"
            "    return stn_bits_of_%s(a) == stn_bits_of_%s(b) || (a != a && b != b);\n}\n",
            part_name(w), part_name(w));
    put(w,
        "STN_FN real_t stn_nothing_at(void)\n{\n    real_t value;\n    %s = 0;\n    return "
        "value;\n}\n",
        is_complex(w) ? "value.re = value.im" : "value");
    put(w, "STN_FN int stn_same(real_t a, real_t b)\n{\n    return %s;\n}\n",
        is_complex(w)              ? "stn_same_part(a.re, b.re) && stn_same_part(a.im, b.im)"
        : s->arithmetic == STN_I64 ? "a == b"
                                   : "stn_same_part(a, b)");
}

/* ---- views: places, codes and values ---- */

static void put_indices(writer *w, int rank, const char *type)
{
    for (int d = 0; d < rank; d++)
        put(w, ", %s i%d", type, d);
}

/* The place of an element in its view's memory. */
static void put_place(writer *w, const char *name, const stn_source_view *v)
{
    put(w, "STN_FN stn_index stn_place_%s(NUMBERS", name);
    put_indices(w, v->rank, "stn_index");
    put(w, ")\n{\n    return 0");
    for (int d = 0; d < v->rank; d++) {
        if (v->step[d] == 1)
            put(w, " + i%d", d);
        else if (v->step[d] != 0)
            put(w, " + i%d * (stn_index)V(%d)", d, v->place + 1 + d);
    }
    put(w, ";\n}\n");
}

/* One part of a value, under scale and zero point. */
static void put_scaling(writer *w, const stn_source_view *v, const char *part, int is_stored)
{
    const char *const type = w->source->arithmetic == STN_I64 ? "real_t" : "stn_part";
    if (w->source->arithmetic == STN_I64 && v->has_zero)
        put(w,
            is_stored ? "    value = stn_add(value, (stn_i64)REAL(%d));\n"
                      : "    value = (stn_i64)((stn_u64)value - (stn_u64)(stn_i64)REAL(%d));\n",
            v->affine + 1);
    else if (!is_stored && (v->has_scale || v->has_zero))
        put(w, "    value%s = (value%s - (%s)REAL(%d)) * (%s)REAL(%d);\n", part, part, type,
            v->affine + 1, type, v->affine);
    else if (v->has_scale || v->has_zero)
        put(w, "    value%s = value%s / (%s)REAL(%d);\n", part, part, type, v->affine);
    if (is_stored && v->has_zero && w->source->arithmetic != STN_I64)
        put(w, "    value%s = value%s + (%s)REAL(%d);\n", part, part, type, v->affine + 1);
}

static void put_scalings(writer *w, const stn_source_view *v, int is_stored)
{
    put_scaling(w, v, is_complex(w) ? ".re" : "", is_stored);
    if (is_complex(w))
        put_scaling(w, v, ".im", is_stored);
}

static void put_codec(writer *w, const char *name, const stn_source_view *v)
{
    const char *const real = real_name(w->source->arithmetic);
    put(w, "typedef stn_%s stn_code_%s;\n", v->format, name);
    put(w, "STN_FN real_t stn_decode_%s(NUMBERS, stn_code_%s code)\n{\n", name, name);
    put(w, "    real_t value = stn_read_%s_%s(code);\n", real, v->format);
    put_scalings(w, v, 0);
    put(w, "    return value;\n}\n");
    put(w, "STN_FN stn_code_%s stn_encode_%s(NUMBERS, real_t value, stn_u64 number)\n{\n", name,
        name);
    put_scalings(w, v, 1);
    put(w, "    return stn_write_%s_%s(value, (stn_rounding)%d, (stn_overflow)%d, ", real,
        v->format, v->rounding, v->overflow);
    if (v->is_stochastic)
        put(w, "(stn_u64)V(%d), number);\n}\n", v->draws);
    else
        put(w, "0, number);\n}\n");
}

/* The number that an element draws random bits by. */
static void put_draw(writer *w, const char *name, const stn_source_view *v)
{
    put(w, "STN_FN stn_u64 stn_draw_%s(NUMBERS", name);
    put_indices(w, v->rank, "stn_index");
    put(w, ")\n{\n    return 0");
    if (v->is_stochastic) {
        put(w, " + (stn_u64)V(%d)", v->draws + 1);
        for (int d = 0; d < v->rank; d++)
            put(w, " + (stn_u64)i%d * (stn_u64)V(%d)", d, v->draws + 2 + d);
    }
    put(w, ";\n}\n");
}

/* ---- elements by their indices ---- */

static void put_boundary(writer *w, const stn_parameter *p, const stn_source_view *v, int d)
{
    const int extent = v->extents + d;
    switch (p->boundary) {
    case STN_BOUNDARY_NEAREST:
        put(w, "    i%d = i%d < 0 ? 0 : i%d >= V(%d) ? V(%d) - 1 : i%d;\n", d, d, d, extent, extent,
            d);
        break;
    case STN_BOUNDARY_PERIODIC:
        put(w,
            "    if (i%d < 0 || i%d >= V(%d)) {\n        i%d %%= V(%d);\n"
            "        i%d += i%d < 0 ? V(%d) : 0;\n    }\n",
            d, d, extent, d, extent, d, d, extent);
        break;
    case STN_BOUNDARY_INSIDE:
        break;
    default:
        put(w, "    if (i%d < 0 || i%d >= V(%d))\n        return stn_outside_%s();\n", d, d, extent,
            p->name);
    }
}

/* What stands outside: real, its imaginary part is 0. */
static void put_outside(writer *w, const stn_parameter *p)
{
    const int is_value = p->boundary == STN_BOUNDARY_VALUE;
    put(w, "STN_FN real_t stn_outside_%s(void)\n{\n    real_t value;\n", p->name);
    if (w->source->arithmetic == STN_I64)
        put(w, "    value = (stn_i64)%lluu;\n", is_value ? (unsigned long long)p->integer : 0ull);
    else
        put(w, "    value%s = (stn_part)%.17g;\n", is_complex(w) ? ".re" : "",
            is_value ? p->value : 0.0);
    put(w, "%s    return value;\n}\n", is_complex(w) ? "    value.im = 0;\n" : "");
}

static int has_indices(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_SHIFTED;
}

/* Is there such an element, within the radius? */
static void put_check(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const int is_stencil = p->kind == STN_PARAMETER_STENCIL;
    put(w, "STN_FN int stn_has_%s(NUMBERS", p->name);
    put_indices(w, v->rank, "stn_i64");
    if (is_stencil)
        for (int d = 0; d < v->rank; d++)
            put(w, ", stn_i64 here%d", d);
    put(w, ", GLOBAL int *stn_words)\n{\n    if (1");
    for (int d = 0; d < v->rank; d++)
        if (is_stencil)
            put(w, " && i%d - here%d >= -%d && i%d - here%d <= %d", d, d, (int)p->offset[d], d, d,
                (int)p->offset[d]);
        else
            put(w, " && i%d >= 0 && i%d < V(%d)", d, d, v->extents + d);
    put(w, ")\n        return 1;\n    stn_words[%d] = 1;\n    return 0;\n}\n", at);
}

static void put_call(writer *w, const char *macro, const char *name, const char *first, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    put(w, "#define stn_%s_call_%s(%s", macro, name, first);
    put_each(w, s->views[at].rank, "i%d", ", ");
    put(w, ") (");
    if (s->tells && kind != STN_PARAMETER_SHIFTED) {
        put(w, "stn_has_%s(stn_n, ", name);
        put_each(w, s->views[at].rank, "i%d", ", ");
        if (kind == STN_PARAMETER_STENCIL)
            for (int d = 0; d < s->rank; d++)
                put(w, ", stn_i%d", d);
        put(w, ", stn_words) ? ");
    }
    put(w, "stn_%s_%s(stn_n, stn_p_%s, %s", macro, name, name, first);
    put_each(w, s->views[at].rank, "i%d", ", ");
    put(w, ")");
    if (s->tells && kind != STN_PARAMETER_SHIFTED)
        put(w, " : stn_nothing_%s()", macro);
    put(w, ")\n");
}

static void put_element(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const char *const name = p->name;
    const int is_bounded = p->kind <= STN_PARAMETER_STENCIL;
    if (is_bounded)
        put_outside(w, p);
    put(w, "STN_FN real_t stn_at_%s(NUMBERS, GLOBAL const stn_code_%s *p", name, name);
    put_indices(w, v->rank, "stn_i64");
    put(w, ")\n{\n");
    for (int d = 0; d < v->rank && is_bounded; d++)
        put_boundary(w, p, v, d);
    put(w, "    return stn_decode_%s(stn_n, p[stn_place_%s(stn_n", name, name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w, ")]);\n}\n#define stn_extents_%s %d\n", name, v->extents);
    if (w->source->tells && p->kind != STN_PARAMETER_SHIFTED)
        put_check(w, at);
    put_call(w, "at", name, "", at);
}

/* Elements of gather and scatter as whole numbers: codes of integers as they are, those of 64 bits
 * without sign and floats by f64, towards zero. */
static void put_index(writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int is_code = v->format[0] == 'i' || (v->format[0] == 'u' && v->bytes < 8);
    put(w, "STN_FN stn_i64 stn_index_%s(NUMBERS, GLOBAL const stn_code_%s *p", name, name);
    put_indices(w, v->rank, "stn_i64");
    put(w, ")\n{\n    const stn_code_%s code = p[stn_place_%s(stn_n", name, name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w, ")];\n");
    if (is_code)
        put(w, "    return (stn_i64)code;\n}\n");
    else if (v->has_scale || v->has_zero)
        put(w, "    return stn_whole((stn_read_f64_%s(code) - REAL(%d)) * REAL(%d));\n}\n",
            v->format, v->affine + 1, v->affine);
    else
        put(w, "    return stn_whole(stn_read_f64_%s(code));\n}\n", v->format);
}

static void put_put(writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    put(w, "STN_FN int stn_put_%s(NUMBERS, GLOBAL stn_code_%s *p, real_t value", name, name);
    put_indices(w, v->rank, "stn_i64");
    put(w, ")\n{\n    p[stn_place_%s(stn_n", name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w, ")] = stn_encode_%s(stn_n, value, stn_draw_%s(stn_n", name, name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w, "));\n    return 1;\n}\n");
}

/* What becomes of an element: the least of both, their sum, the greatest; of complex ones the sum.
 */
static void put_updated(writer *w)
{
    put(w, "STN_FN real_t stn_updated(real_t is, real_t by, int operation)\n{\n");
    if (is_complex(w))
        put(w, "    is.re += by.re;\n    is.im += by.im;\n    return is;\n}\n");
    else if (w->source->arithmetic == STN_I64)
        put(w, "    return operation == 0                 ? (real_t)((stn_u64)is + (stn_u64)by)\n"
               "           : (is < by) == (operation < 0) ? is\n"
               "                                          : by;\n}\n");
    else
        put(w, "    if (operation == 0)\n        return is + by;\n"
               "    if (is != is || by != by)\n        return is != is ? by : is;\n"
               "    if (is == by)\n"
               "        return (signbit(is) != 0) == (operation < 0) ? is : by;\n"
               "    return (is < by) == (operation < 0) ? is : by;\n}\n");
}

/* Codes of fewer than 32 bits are part of a word, whose others stay. */
static void put_update(writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    const int bits = v->bytes == 8 ? 64 : 32, is_part = v->bytes < 4;
    put(w, "STN_FN int stn_update_%s(NUMBERS, GLOBAL stn_code_%s *p, int operation, real_t value",
        name, name);
    put_indices(w, v->rank, "stn_i64");
    put(w, ")\n{\n    GLOBAL char *const element = (GLOBAL char *)(p + stn_place_%s(stn_n", name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w, "));\n    union { stn_code_%s code; stn_u%d bits; } as;\n", name, 8 * v->bytes);
    put(w, "    const int beside = %s, shift = 8 * beside;\n",
        is_part ? "(int)((stn_u64)element & 3)" : "0");
    put(w,
        "    volatile GLOBAL stn_u%d *const word = (volatile GLOBAL stn_u%d *)(element - "
        "beside);\n",
        bits, bits);
    put(w, "    const stn_u%d mask = (stn_u%d)%s;\n    stn_u%d old = *word, seen;\n", bits, bits,
        is_part ? (v->bytes == 1 ? "0xff" : "0xffff") : "-1", bits);
    put(w, "    do {\n        seen = old;\n        as.bits = (stn_u%d)(seen >> shift & mask);\n",
        8 * v->bytes);
    put(w,
        "        as.code = stn_encode_%s(stn_n, stn_updated(stn_decode_%s(stn_n, as.code), value, "
        "operation), stn_draw_%s(stn_n",
        name, name, name);
    put_each(w, v->rank, ", (stn_index)i%d", "");
    put(w,
        "));\n        old = SWAP_%d(word, seen, (seen & ~(mask << shift)) | "
        "((stn_u%d)as.bits << shift));\n",
        bits, bits);
    put(w, "    } while (old != seen);\n    return 1;\n}\n");
}

static void put_view(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    put_codec(w, p->name, v);
    put_place(w, p->name, v);
    put_draw(w, p->name, v);
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
    if (p->kind >= STN_PARAMETER_GATHER && !is_complex(w)) {
        put_index(w, at);
        put_call(w, "index", p->name, "", at);
    }
}

/* ---- the kernel ---- */

static void put_arguments(writer *w)
{
    const stn_source *const s = w->source;
    put(w, "KERNEL steno_%s(GIVEN(struct stn_numbers) stn_n", s->kernel->name);
    for (int at = 0; at < s->kernel->count; at++)
        if (s->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            put(w, ", GLOBAL char *stn_m%d", at);
    put(w, "%s)\n{\n", s->tells ? ", GLOBAL int *stn_words" : "");
    for (int at = 0; at < s->kernel->count; at++) {
        const stn_parameter *const p = &s->kernel->parameters[at];
        if (p->kind >= STN_PARAMETER_IN)
            put(w,
                "    GLOBAL stn_code_%s *const stn_p_%s = (GLOBAL stn_code_%s *)(stn_m%d + "
                "V(%d));\n",
                p->name, p->name, p->name, at, s->views[at].place);
    }
}

/* The indices of the element at hand, and whether all that is read lies inside. */
static void put_loop(writer *w)
{
    const stn_source *const s = w->source;
    put(w, "    for (stn_u64 stn_t = THIS_THREAD; stn_t < (stn_u64)V(0); stn_t += ALL_THREADS) {\n"
           "        stn_count stn_rest = (stn_count)stn_t;\n        (void)stn_rest;\n");
    for (int d = s->rank - 1; d > 0; d--)
        put(w,
            "        const stn_index stn_i%d = (stn_index)(stn_rest %% (stn_count)V(%d));\n"
            "        stn_rest /= (stn_count)V(%d);\n",
            d, d + 1, d + 1);
    put(w, "        const stn_index stn_i0 = (stn_index)stn_rest;\n        (void)stn_i0;\n");
    for (int at = 0; at < s->kernel->count; at++) {
        const stn_parameter *const p = &s->kernel->parameters[at];
        const int is_stencil = p->kind == STN_PARAMETER_STENCIL;
        if ((p->kind != STN_PARAMETER_SHIFTED && !is_stencil) || p->boundary != STN_BOUNDARY_INSIDE)
            continue;
        for (int d = 0; d < s->rank; d++) {
            const int before = is_stencil ? -p->offset[d] : p->offset[d], behind = p->offset[d];
            put(w,
                "        if (stn_i%d + %d < 0 || stn_i%d + %d >= V(%d))\n            continue;\n",
                d, before, d, behind, s->views[at].extents + d);
        }
    }
}

static void put_number(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int k = w->source->number[at];
    if (p->kind == STN_PARAMETER_INDEX)
        put(w, "        const stn_i64 %s = V(%d);\n", p->name, k);
    else if (p->kind == STN_PARAMETER_BITS)
        put(w, "        const stn_u64 %s = (stn_u64)V(%d);\n", p->name, k);
    else if (is_complex(w))
        put(w,
            "        real_t stn_is_%s;\n        stn_is_%s.re = stn_%s_of_bits(V(%d));\n"
            "        stn_is_%s.im = stn_%s_of_bits(V(%d));\n        const real_t %s = stn_is_%s;\n",
            p->name, p->name, part_name(w), k, p->name, part_name(w), k + 1, p->name, p->name);
    else if (w->source->arithmetic == STN_I64)
        put(w, "        const real_t %s = V(%d);\n", p->name, k);
    else
        put(w, "        const real_t %s = stn_%s_of_bits(V(%d));\n", p->name, part_name(w), k);
    put(w, "        (void)%s;\n", p->name);
}

static void put_index_names(writer *w, int count)
{
    for (int d = 0; d < count; d++)
        put(w, "        const stn_i64 %.*s = stn_i%d;\n        (void)%.*s;\n",
            w->source->lengths[d], w->source->names[d], d, w->source->lengths[d],
            w->source->names[d]);
}

static void put_place_here(writer *w, const char *name, int rank)
{
    put(w, "stn_p_%s[stn_place_%s(stn_n", name, name);
    put_each(w, rank, ", stn_i%d", "");
    put(w, ")]");
}

static void put_open(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const char *const name = p->name;
    switch (p->kind) {
    case STN_PARAMETER_REAL:
    case STN_PARAMETER_INDEX:
    case STN_PARAMETER_BITS:
        put_number(w, at);
        return;
    case STN_PARAMETER_AT:
        put_index_names(w, p->rank);
        return;
    case STN_PARAMETER_OUT:
        put(w, "        real_t %s = stn_unassigned();\n", name);
        return;
    case STN_PARAMETER_SHIFTED:
        put(w, "        const real_t %s = stn_at_%s(stn_n, stn_p_%s", name, name, name);
        for (int d = 0; d < w->source->rank; d++)
            put(w, ", (stn_i64)stn_i%d + %d", d, (int)p->offset[d]);
        put(w, ");\n        (void)%s;\n", name);
        return;
    case STN_PARAMETER_STENCIL:
    case STN_PARAMETER_GATHER:
    case STN_PARAMETER_SCATTER:
        return;
    default:
        put(w, "        %sreal_t %s = stn_decode_%s(stn_n, ",
            p->kind == STN_PARAMETER_INOUT ? "" : "const ", name, name);
        put_place_here(w, name, w->source->rank);
        put(w, ");\n        (void)%s;\n", name);
    }
    if (p->kind == STN_PARAMETER_INOUT)
        put(w, "        const real_t stn_was_%s = %s;\n        (void)stn_was_%s;\n", name, name,
            name);
    if (p->kind == STN_PARAMETER_MASKED)
        put(w, "        real_t stn_to_%s = %s;\n        int stn_stored_%s = 0;\n", name, name,
            name);
}

static void put_close(writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const char *const name = p->name;
    if (p->kind < STN_PARAMETER_INOUT || p->kind > STN_PARAMETER_MASKED)
        return;
    put(w, "        ");
    if (p->kind == STN_PARAMETER_MASKED)
        put(w, "if (stn_stored_%s)\n            ", name);
    else if (p->kind == STN_PARAMETER_INOUT && !w->source->views[at].returns)
        put(w, "if (!stn_same(%s, stn_was_%s))\n            ", name, name);
    put_place_here(w, name, w->source->rank);
    put(w, " = stn_encode_%s(stn_n, %s%s, stn_draw_%s(stn_n", name,
        p->kind == STN_PARAMETER_MASKED ? "stn_to_" : "", name, name);
    put_each(w, w->source->rank, ", stn_i%d", "");
    put(w, "));\n");
}

static void put_kernel(writer *w)
{
    const int count = w->source->kernel->count;
    put_arguments(w);
    put_loop(w);
    for (int at = 0; at < count; at++)
        put_open(w, at);
    put(w, "        BODY_BEGIN\n#define return RETURN\n");
    put_text(w, w->source->kernel->text);
    put(w, "\n#undef return\n        BODY_END\n");
    for (int at = 0; at < count; at++)
        put_close(w, at);
    put(w, "    }\n}\n");
}

stn_status stn_source_write(const stn_source *source, char **text)
{
    writer w = {.source = source, .status = STN_OK};
    *text = NULL;
    put_head(&w);
    put_updated(&w);
    for (int at = 0; at < source->kernel->count; at++)
        if (source->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            put_view(&w, at);
    put_math(&w);
    put_kernel(&w);
    if (w.status == STN_OK)
        *text = w.text;
    else
        stn_free(w.text);
    return w.status;
}
