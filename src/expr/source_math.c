/* <math.h> functions in kernel texts: those of the arithmetic type, under the names for double, and
 * those of float under their own names. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "expr/source_writer.h"
#include "steno/detail/kernel_math.h"

/* ---- devices ---- */

/* A function in the device's language; $ is the type of its numbers. Functions are defined before
 * their names become macros, so that their bodies call the device's functions. */
typedef struct math_row {
    const char *name, *result, *parameters, *body;
} math_row;
#define OF_1(name) {#name, "$", "$ x", "return " #name "(x);"},
#define OF_2(name) {#name, "$", "$ x, $ y", "return " #name "(x, y);"},
#define OF_3(name) {#name, "$", "$ x, $ y, $ z", "return " #name "(x, y, z);"},
/* clang-format off */
static const math_row functions[] = {
    STN_MATH_OF_1(OF_1) STN_MATH_OF_2(OF_2) STN_MATH_OF_3(OF_3)
    {"ldexp", "$", "$ x, int n", "return ldexp(x, n);"},
    {"scalbn", "$", "$ x, int n", "return ldexp(x, n);"},
    {"scalbln", "$", "$ x, stn_i64 n",
     "return ldexp(x, (int)(n < -5000 ? -5000 : n > 5000 ? 5000 : n));"},
    {"ilogb", "int", "$ x",
     "return x != x ? FP_ILOGBNAN : x == 0 ? FP_ILOGB0 : x - x != 0 ? INT32_MAX : ilogb(x);"},
    {"lrint", "stn_i64", "$ x", "return (stn_i64)rint(x);"},
    {"llrint", "stn_i64", "$ x", "return (stn_i64)rint(x);"},
    {"lround", "stn_i64", "$ x", "return (stn_i64)round(x);"},
    {"llround", "stn_i64", "$ x", "return (stn_i64)round(x);"},
    {"nexttoward", "$", "$ x, stn_given y",
     "return x == y ? ($)y : nextafter(x, x < y ? ($)INFINITY : x > y ? -($)INFINITY : ($)y);"},
    {"frexp", "$", "$ x, int *exponent",
     "*exponent = 0; return x - x == 0 ? frexp(x, exponent) : x;"},
    {"modf", "$", "$ x, $ *whole",
     "*whole = trunc(x); return copysign(isinf(x) ? 0 : x - *whole, x);"},
    /* C defines its sign and three bits; languages define more. */
    {"remquo", "$", "$ x, $ y, int *quotient",
     "const $ rest = remquo(x, y, quotient); *quotient %= 8; return rest;"},
    {"nan", "$", "STN_CONSTANT const char *tag",
     "(void)tag; return ($)stn_f32_of_bits(0x7fc00000u);"}};

/* Functions that C has for numbers of any type, to which double is exact, and functions of double
 * only. */
static const math_row others[] = {
    {"nextup", "stn_part", "stn_part x", "return nextafter(x, (stn_part)INFINITY);"},
    {"nextdown", "stn_part", "stn_part x", "return nextafter(x, -(stn_part)INFINITY);"},
    {"isfinite", "int", "stn_given x", "return isfinite(x) != 0;"},
    {"isinf", "int", "stn_given x", "return isinf(x) != 0;"},
    {"isnan", "int", "stn_given x", "return x != x;"},
    {"signbit", "int", "stn_given x", "return signbit(x) != 0;"},
    {"isgreater", "int", "stn_given x, stn_given y", "return x > y;"},
    {"isgreaterequal", "int", "stn_given x, stn_given y", "return x >= y;"},
    {"isless", "int", "stn_given x, stn_given y", "return x < y;"},
    {"islessequal", "int", "stn_given x, stn_given y", "return x <= y;"},
    {"islessgreater", "int", "stn_given x, stn_given y", "return x < y || x > y;"},
    {"isunordered", "int", "stn_given x, stn_given y", "return x != x || y != y;"},
    {"abs", "int", "int x", "return x < 0 ? -x : x;"}, /* OpenCL's is unsigned */
    {"labs", "stn_i64", "stn_i64 x", "return x < 0 ? -x : x;"},
    {"llabs", "stn_i64", "stn_i64 x", "return x < 0 ? -x : x;"}};
/* clang-format on */
enum { FUNCTIONS = sizeof functions / sizeof *functions, OTHERS = sizeof others / sizeof *others };

static void put_typed(stn_writer *w, const char *text, const char *type)
{
    for (; *text; text++)
        if (*text == '$')
            stn_put_text(w, type);
        else
            stn_put_letters(w, text, 1);
}

/* Integer kernels use the functions of double, which a device may not support. */
static int needs_double(const stn_writer *w)
{
    return w->source->arithmetic == STN_I64 && !w->source->has_f64;
}

static int is_of_double(const math_row *m)
{
    return strchr(m->parameters, '$') != NULL || strstr(m->parameters, "stn_part") != NULL ||
           strstr(m->parameters, "stn_given") != NULL;
}

static void put_function(stn_writer *w, const math_row *m, const char *type, const char *suffix)
{
    stn_put_text(w, "STN_FN ");
    put_typed(w, m->result, type);
    stn_put(w, " stn_math_%s%s(", m->name, suffix);
    put_typed(w, m->parameters, type);
    stn_put_text(w, ") { ");
    put_typed(w, m->body, type);
    stn_put_text(w, " }\n");
}

/* Headers of devices may define macros with these names. */
static void put_name(stn_writer *w, const math_row *m, const char *suffix)
{
    const int lacks = needs_double(w) && !*suffix && is_of_double(m);
    stn_put(w, "#undef %s%s\n#define %s%s stn_%s_%s%s\n", m->name, suffix, m->name, suffix,
            lacks ? "lacks_double" : "math", m->name, suffix);
}

/* Classification results are those of the host's C library. */
static void put_constants(stn_writer *w)
{
    static const struct {
        const char *name;
        int value;
    } constants[] = {{"FP_NAN", FP_NAN},
                     {"FP_INFINITE", FP_INFINITE},
                     {"FP_ZERO", FP_ZERO},
                     {"FP_SUBNORMAL", FP_SUBNORMAL},
                     {"FP_NORMAL", FP_NORMAL}};
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        stn_put(w, "#undef %s\n#define %s %d\n", constants[k].name, constants[k].name,
                constants[k].value);
    stn_put(w, "#undef FP_ILOGB0\n#define FP_ILOGB0 %s\n",
            FP_ILOGB0 == INT_MIN ? "INT32_MIN" : "(-INT32_MAX)");
    stn_put(w, "#undef FP_ILOGBNAN\n#define FP_ILOGBNAN %s\n",
            FP_ILOGBNAN == INT_MIN ? "INT32_MIN" : "INT32_MAX");
}

/* Subnormals depend on the type, which is determined by its size. */
static void put_classes(stn_writer *w)
{
    if (needs_double(w))
        return;
    stn_put_text(w, "STN_FN int stn_math_class(stn_given x, int bytes)\n{\n"
                    "    const stn_given size = x < 0 ? -x : x;\n"
                    "    return x != x ? FP_NAN : x - x != 0 ? FP_INFINITE : x == 0 ? FP_ZERO\n"
                    "         : size < (bytes == 8 ? (stn_given)0x1p-1022 : (stn_given)0x1p-126f)\n"
                    "             ? FP_SUBNORMAL : FP_NORMAL;\n}\n"
                    "#undef fpclassify\n#define fpclassify(x) stn_math_class((x), (int)sizeof(x))\n"
                    "#undef isnormal\n#define isnormal(x) (fpclassify(x) == FP_NORMAL)\n");
}

/* OpenCL C has none. Both operands are private variables. */
static void put_memcpy(stn_writer *w)
{
    stn_put_text(w, "#ifdef __OPENCL_VERSION__\n"
                    "STN_FN void *stn_memcpy(void *to, const void *from, size_t bytes)\n{\n"
                    "    for (size_t k = 0; k < bytes; k++)\n"
                    "        ((char *)to)[k] = ((const char *)from)[k];\n    return to;\n}\n"
                    "#define memcpy stn_memcpy\n#endif\n");
}

/* C++ also has an abs for floating-point numbers. */
static void put_for_device(stn_writer *w)
{
    put_constants(w);
    for (int k = 0; k < FUNCTIONS; k++)
        put_function(w, &functions[k], "stn_f32", "f");
    for (int k = 0; k < FUNCTIONS && !needs_double(w); k++)
        put_function(w, &functions[k], "stn_part", "");
    for (int k = 0; k < OTHERS; k++)
        if (!needs_double(w) || !is_of_double(&others[k]))
            put_function(w, &others[k], "", "");
    put_classes(w);
    put_memcpy(w);
    for (int k = 0; k < FUNCTIONS; k++) {
        put_name(w, &functions[k], "f");
        put_name(w, &functions[k], "");
    }
    for (int k = 0; k < OTHERS; k++)
        put_name(w, &others[k], "");
    if (w->source->kernel->is_cplusplus)
        stn_put_text(w, "#undef abs\n#define abs stn_abs_is_overloaded\n");
}

/* ---- the host ---- */

/* <math.h> is the host's, and kernel_math.h maps names to the kernel's type. Other C headers are
 * not included. A program's abs may be that of floating-point numbers. */
static void put_for_host(stn_writer *w)
{
    stn_put_text(
        w, "#include \"steno/detail/kernel_math.h\"\n"
           "#undef abs\n#define abs(x) _Generic(+(x), int: __builtin_abs)(x)\n"
           "#undef labs\n#define labs(x) _Generic(+(x), int: __builtin_labs, long: "
           "__builtin_labs)(x)\n#undef llabs\n#define llabs(x) __builtin_llabs(x)\n"
           "#undef memcpy\n#define memcpy(to, from, bytes) __builtin_memcpy(to, from, bytes)\n");
}

void stn_put_math(stn_writer *w)
{
    if (w->source->kernel->is_cplusplus)
        stn_put_text(w, "#define auto stn_auto_is_of_cplusplus\n");
    if (w->source->is_host)
        put_for_host(w);
    else
        put_for_device(w);
}
