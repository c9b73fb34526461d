/* Formats by the names of Steno, NumPy and the buffer protocol. */
#include "core.h"

#include <string.h>

const stn_format_info *core_format_info(stn_format format)
{
    static stn_format_info table[CORE_FORMATS];
    stn_format_info *info = &table[format];
    if (!info->size) {
        info->size = sizeof *info;
        (void)stn_format_describe(format, info);
    }
    return info;
}

/* Characters of the buffer protocol and type strings of NumPy. */
static const struct {
    const char *character, *type_string;
} exports[CORE_FORMATS] = {
    [STN_F64] = {"d", "<f8"},  [STN_F32] = {"f", "<f4"}, [STN_F16] = {"e", "<f2"},
    [STN_I8] = {"b", "|i1"},   [STN_U8] = {"B", "|u1"},  [STN_I16] = {"h", "<i2"},
    [STN_U16] = {"H", "<u2"},  [STN_I32] = {"i", "<i4"}, [STN_U32] = {"I", "<u4"},
    [STN_I64] = {"l", "<i8"},  [STN_U64] = {"L", "<u8"}, [STN_C128] = {"Zd", "<c16"},
    [STN_C64] = {"Zf", "<c8"},
};

const char *core_buffer_format(stn_format format)
{
    return exports[format].character;
}

const char *core_type_string(stn_format format)
{
    return exports[format].type_string;
}

/* Names of NumPy and ml_dtypes. */
static const struct {
    const char *name;
    stn_format format;
} names[] = {
    {"float64", STN_F64},   {"float32", STN_F32},        {"float16", STN_F16},
    {"bfloat16", STN_BF16}, {"float8_e4m3fn", STN_E4M3}, {"float8_e5m2", STN_E5M2},
    {"int8", STN_I8},       {"uint8", STN_U8},           {"int16", STN_I16},
    {"uint16", STN_U16},    {"int32", STN_I32},          {"uint32", STN_U32},
    {"int64", STN_I64},     {"uint64", STN_U64},         {"longlong", STN_I64},
    {"ulonglong", STN_U64}, {"complex128", STN_C128},    {"complex64", STN_C64},
    {"bool", STN_U8},
};

stn_format core_format_of_name(const char *name)
{
    for (stn_format format = 0; format < CORE_FORMATS; format++)
        if (strcmp(core_format_info(format)->name, name) == 0)
            return format;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k].name, name) == 0)
            return names[k].format;
    return -1;
}

static stn_format of_size(const stn_format *formats, int count, Py_ssize_t bytes)
{
    for (int k = 0; k < count; k++)
        if (core_format_info(formats[k])->bytes == bytes)
            return formats[k];
    return -1;
}

stn_format core_format_of_buffer(const char *text, Py_ssize_t bytes)
{
    static const stn_format floats[] = {STN_F64, STN_F32, STN_F16};
    static const stn_format complexes[] = {STN_C128, STN_C64};
    static const stn_format with_sign[] = {STN_I8, STN_I16, STN_I32, STN_I64};
    static const stn_format without_sign[] = {STN_U8, STN_U16, STN_U32, STN_U64};
    if (!text)
        return STN_U8;
    if (*text == '@' || *text == '=' || *text == '<')
        text++;
    if (*text == 'Z' && strlen(text) == 2)
        return strchr("df", text[1]) ? of_size(complexes, 2, bytes) : -1;
    if (strlen(text) != 1)
        return -1;
    if (strchr("dfe", *text))
        return of_size(floats, 3, bytes);
    if (strchr("bhilqn", *text))
        return of_size(with_sign, 4, bytes);
    return strchr("BHILQN?", *text) ? of_size(without_sign, 4, bytes) : -1;
}

int core_format(PyObject *object, stn_format *format)
{
    const char *name = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    if (!name) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%R is not the name of a format", object);
        return -1;
    }
    *format = core_format_of_name(name);
    return *format < 0 ? core_check(stn_format_find(name, format)) : 0;
}

int core_arithmetic(PyObject *object, stn_format fallback, stn_format *arithmetic)
{
    *arithmetic = fallback;
    if (!object || object == Py_None)
        return 0;
    if (core_format(object, arithmetic) < 0)
        return -1;
    if (!core_is_block(*arithmetic))
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "arithmetic is %R, a block format: results cannot be computed in it", object);
    return -1;
}

/* ---- promotion ---- */

/* The smallest float that represents an integer format. */
static stn_format float_of_integer(stn_format integer, stn_format other)
{
    const int bits = core_format_info(integer)->bits;
    if (bits == 8)
        return other == STN_BF16 ? STN_BF16 : STN_F16;
    return bits == 16 ? STN_F32 : STN_F64;
}

static int contains(stn_format wide, stn_format narrow)
{
    const stn_format_info *w = core_format_info(wide), *n = core_format_info(narrow);
    return w->exponent_bits >= n->exponent_bits && w->fraction_bits >= n->fraction_bits;
}

static stn_format promote_floats(stn_format a, stn_format b)
{
    if (contains(a, b))
        return a;
    if (contains(b, a))
        return b;
    return contains(STN_F16, a) && contains(STN_F16, b) ? STN_F16 : STN_F32;
}

static stn_format promote_integers(stn_format a, stn_format b)
{
    static const stn_format wider[] = {STN_I16, STN_I32, STN_I64};
    const stn_format_info *x = core_format_info(a), *y = core_format_info(b);
    if (x->is_signed == y->is_signed)
        return x->bits >= y->bits ? a : b;
    const stn_format_info *s = x->is_signed ? x : y, *u = x->is_signed ? y : x;
    if (s->bits > u->bits)
        return s->format;
    return u->bits == 64 ? STN_F64 : of_size(wider, 3, u->bits / 4);
}

static stn_format complex_of(stn_format component)
{
    if (contains(STN_F16, component))
        return STN_C32;
    return contains(STN_F32, component) ? STN_C64 : STN_C128;
}

stn_format core_promote(stn_format a, stn_format b)
{
    a = core_is_block(a) ? STN_F64 : a;
    b = core_is_block(b) ? STN_F64 : b;
    if (a == b)
        return a;
    const int are_integers = core_is_integer(a) && core_is_integer(b);
    if (are_integers)
        return promote_integers(a, b);
    const stn_format x = core_format_info(a)->component, y = core_format_info(b)->component;
    const stn_format real = promote_floats(core_is_integer(x) ? float_of_integer(x, y) : x,
                                           core_is_integer(y) ? float_of_integer(y, x) : y);
    return core_is_complex(a) || core_is_complex(b) ? complex_of(real) : real;
}
