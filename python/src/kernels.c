/* Element-wise operations. Each is a kernel text, compiled by the first call that needs it. */
#include "core.h"

#include <math.h>
#include <string.h>

typedef enum result_kind {
    RESULT_VALUE, /* the promoted format of the operands */
    RESULT_FLOAT, /* the same, or f64 for integers */
    RESULT_REAL,  /* the format of the parts of complex numbers */
    RESULT_BOOL   /* conditions */
} result_kind;

/* Names are those of NumPy's functions. A NULL body is not defined for the arithmetic types;
 * COMPILED is a function of complex.c. Integer bodies are correct for x and y of both int64_t and
 * uint64_t. `narrow` is the integer body for results of less than 64 bits if results beyond i64
 * must not wrap before they saturate; operands are those of clamp_numbers(). */
#define COMPILED ""
typedef struct operation {
    const char *name;
    int operands;
    result_kind kind;
    const char *real, *integer, *complex, *narrow;
} operation;

#define MATH(name, function)                                                                       \
    {                                                                                              \
        name, 1, RESULT_FLOAT, "z = " function "(x);", NULL, NULL                                  \
    }
#define MATH_COMPLEX(name, function)                                                               \
    {                                                                                              \
        name, 1, RESULT_FLOAT, "z = " function "(x);", NULL, COMPILED                              \
    }
/* Smith's algorithm, which avoids overflow: Commun. ACM 5 (1962), p. 435. */
#define COMPLEX_QUOTIENT(re, im, y)                                                                \
    "if (fabs(" y ".re) >= fabs(" y ".im)) { double q = " y ".im / " y ".re;"                      \
    "double d = " y ".re + " y ".im * q;"                                                          \
    "z.re = (" re " + " im " * q) / d; z.im = (" im " - " re " * q) / d; }"                        \
    "else { double q = " y ".re / " y ".im; double d = " y ".re * q + " y ".im;"                   \
    "z.re = (" re " * q + " im ") / d; z.im = (" im " * q - " re ") / d; }"
#define WHOLE(name, function)                                                                      \
    {                                                                                              \
        name, 1, RESULT_VALUE, "z = " function "(x);", "z = x;", NULL                              \
    }
#define MATH2(name, function)                                                                      \
    {                                                                                              \
        name, 2, RESULT_FLOAT, "z = " function "(x, y);", NULL, NULL                               \
    }
#define ORDER(name, operator)                                                                      \
    {                                                                                              \
        name, 2, RESULT_BOOL, "z = x " operator" y;", "z = x " operator" y;", NULL                 \
    }
#define EXTREME(name, body)                                                                        \
    {                                                                                              \
        name, 2, RESULT_VALUE, body, body, NULL                                                    \
    }
#define CONDITION(name, real, integer, complex)                                                    \
    {                                                                                              \
        name, 1, RESULT_BOOL, real, integer, complex                                               \
    }
#define LOGIC(name, operator)                                                                      \
    {                                                                                              \
        name, 2, RESULT_BOOL, "z = (x != 0) " operator" (y != 0);",                                \
            "z = (x != 0) " operator" (y != 0);",                                                  \
            "z.re = (x.re != 0 || x.im != 0) " operator" (y.re != 0 || y.im != 0); z.im = 0;"      \
    }

static const operation operations[] = {
    [CORE_ADD] = {"add", 2, RESULT_VALUE, "z = x + y;", "z = x + y;",
                  "z.re = x.re + y.re; z.im = x.im + y.im;"},
    [CORE_SUBTRACT] = {"subtract", 2, RESULT_VALUE, "z = x - y;", "z = x - y;",
                       "z.re = x.re - y.re; z.im = x.im - y.im;"},
    [CORE_MULTIPLY] =
        {"multiply", 2, RESULT_VALUE, "z = x * y;", "z = x * y;",
         "z.re = x.re * y.re - x.im * y.im; z.im = x.re * y.im + x.im * y.re;",
         /* The product is below 2^64: if it is beyond i64, its sign is wrong. */
         "int64_t p = x * y; int64_t s = (x < 0) != (y < 0);"
         "int64_t m = 9223372036854775807; z = s == 0 && p < 0 ? m : s != 0 && p > 0 ? -m : p;"},
    [CORE_DIVIDE] = {"divide", 2, RESULT_FLOAT, "z = x / y;", NULL,
                     COMPLEX_QUOTIENT("x.re", "x.im", "y")},
    [CORE_FLOOR_DIVIDE] = {"floor_divide", 2, RESULT_VALUE,
                           "real_t r = fmod(x, y); real_t q = (x - r) / y;"
                           "if (r != 0 && (r < 0) != (y < 0)) q = q - 1;"
                           "z = y == 0 ? x / y : q == 0 ? copysign(R(0), x / y) :"
                           " q - floor(q) > R(0.5) ? floor(q) + 1 : floor(q);",
                           "int64_t q = x / y;"
                           "if (y != 0 && q * y != x && (x < 0) != (y < 0)) q = q - 1; z = q;",
                           NULL},
    [CORE_REMAINDER] = {"remainder", 2, RESULT_VALUE,
                        "real_t r = fmod(x, y);"
                        "if (r != 0) { if ((r < 0) != (y < 0)) r = r + y; }"
                        "else if (!isnan(r)) r = copysign(R(0), y); z = r;",
                        "int64_t r = y == 0 ? 0 : x % y;"
                        "if (r != 0 && (x < 0) != (y < 0)) r = r + y; z = r;",
                        NULL},
    [CORE_POWER] = {"power", 2, RESULT_VALUE, "z = pow(x, y);",
                    "int64_t b = x; uint64_t e = y; int64_t p = 1;"
                    "if (y < 0) { p = b == 1 ? 1 : b == -1 ? (e & 1 ? -1 : 1) : 0; e = 0; }"
                    "while (e > 0) { if (e & 1) p = p * b; b = b * b; e = e >> 1; } z = p;",
                    COMPILED,
                    /* Factors that are limited leave results beyond 32 bits beyond 32 bits. */
                    "int64_t b = x; int64_t e = y; int64_t p = 1; int64_t m = 2147483648;"
                    "if (e < 0) { p = b == 1 ? 1 : b == -1 ? (e & 1 ? -1 : 1) : 0; e = 0; }"
                    "while (e > 0) {"
                    "if (e & 1) { p = p > m ? m : p < -m ? -m : p; p = p * b; }"
                    "b = b > m ? m : b < -m ? -m : b; b = b * b; b = b > 2 * m - 1 ? 2 * m - 1 : b;"
                    "e = e >> 1; } z = p;"},
    [CORE_NEGATIVE] = {"negative", 1, RESULT_VALUE, "z = -x;", "z = -x;",
                       "z.re = -x.re; z.im = -x.im;"},
    [CORE_ABSOLUTE] = {"absolute", 1, RESULT_REAL, "z = fabs(x);", "z = x < 0 ? -x : x;",
                       "z.re = hypot(x.re, x.im); z.im = 0;"},
    [CORE_EQUAL] = {"equal", 2, RESULT_BOOL, "z = x == y;", "z = x == y;",
                    "z.re = x.re == y.re && x.im == y.im; z.im = 0;"},
    [CORE_NOT_EQUAL] = {"not_equal", 2, RESULT_BOOL, "z = x != y;", "z = x != y;",
                        "z.re = x.re != y.re || x.im != y.im; z.im = 0;"},
    [CORE_LESS] = ORDER("less", "<"),
    [CORE_LESS_EQUAL] = ORDER("less_equal", "<="),
    [CORE_GREATER] = ORDER("greater", ">"),
    [CORE_GREATER_EQUAL] = ORDER("greater_equal", ">="),
    {"positive", 1, RESULT_VALUE, "z = x;", "z = x;", "z = x;"},
    {"square", 1, RESULT_VALUE, "z = x * x;", "z = x * x;",
     "z.re = x.re * x.re - x.im * x.im; z.im = 2 * x.re * x.im;"},
    {"reciprocal", 1, RESULT_FLOAT, "z = 1 / x;", NULL, COMPLEX_QUOTIENT("1", "0", "x")},
    {"conjugate", 1, RESULT_VALUE, "z = x;", "z = x;", "z.re = x.re; z.im = -x.im;"},
    {"sign", 1, RESULT_VALUE, "z = isnan(x) ? x : (x > 0) - (x < 0);", "z = (x > 0) - (x < 0);",
     "double r = hypot(x.re, x.im); z.re = r == 0 ? 0 : x.re / r; z.im = r == 0 ? 0 : x.im / r;"},
    EXTREME("maximum", "z = x > y || x != x ? x : y;"),
    EXTREME("minimum", "z = x < y || x != x ? x : y;"),
    EXTREME("fmax", "z = x > y || y != y ? x : y;"),
    EXTREME("fmin", "z = x < y || y != y ? x : y;"),
    MATH2("arctan2", "atan2"),
    MATH2("hypot", "hypot"),
    MATH2("copysign", "copysign"),
    {"fmod", 2, RESULT_VALUE, "z = fmod(x, y);", "z = y == 0 ? 0 : x % y;", NULL},
    WHOLE("floor", "floor"),
    WHOLE("ceil", "ceil"),
    WHOLE("trunc", "trunc"),
    {"rint", 1, RESULT_VALUE, "z = rint(x);", "z = x;", "z.re = rint(x.re); z.im = rint(x.im);"},
    {"fabs", 1, RESULT_FLOAT, "z = fabs(x);", NULL, NULL},
    MATH_COMPLEX("sqrt", "sqrt"),
    MATH_COMPLEX("exp", "exp"),
    MATH_COMPLEX("log", "log"),
    MATH_COMPLEX("sin", "sin"),
    MATH_COMPLEX("cos", "cos"),
    MATH_COMPLEX("tan", "tan"),
    MATH_COMPLEX("sinh", "sinh"),
    MATH_COMPLEX("cosh", "cosh"),
    MATH_COMPLEX("tanh", "tanh"),
    MATH("cbrt", "cbrt"),
    {"exp2", 1, RESULT_FLOAT, "z = exp2(x);", NULL,
     "double r = exp2(x.re); double a = x.im * 0.6931471805599453; z.re = x.im == 0 ? r : r * "
     "cos(a);"
     "z.im = x.im == 0 ? x.im : r * sin(a);"},
    {"expm1", 1, RESULT_FLOAT, "z = expm1(x);", NULL,
     "if (isinf(x.re) && isfinite(x.im) == 0) {"
     "z.re = x.re < 0 ? -1 : x.re; z.im = x.re < 0 ? 0 : x.im - x.im; }"
     "else { double s = sin(x.im / 2); z.re = expm1(x.re) * cos(x.im) - 2 * s * s;"
     "z.im = x.im == 0 ? x.im : exp(x.re) * sin(x.im); }"},
    {"log2", 1, RESULT_FLOAT, "z = log2(x);", NULL,
     "z.re = log2(hypot(x.re, x.im)); z.im = atan2(x.im, x.re) / 0.6931471805599453;"},
    MATH_COMPLEX("log10", "log10"),
    {"log1p", 1, RESULT_FLOAT, "z = log1p(x);", NULL,
     "double r = x.re + 1; z.re = log(hypot(r, x.im)); z.im = atan2(x.im, r);"},
    MATH_COMPLEX("arcsin", "asin"),
    MATH_COMPLEX("arccos", "acos"),
    MATH_COMPLEX("arctan", "atan"),
    MATH_COMPLEX("arcsinh", "asinh"),
    MATH_COMPLEX("arccosh", "acosh"),
    MATH_COMPLEX("arctanh", "atanh"),
    CONDITION("isnan", "z = x != x;", "z = 0;", "z.re = x.re != x.re || x.im != x.im; z.im = 0;"),
    CONDITION("isinf", "z = isinf(x) != 0;", "z = 0;",
              "z.re = isinf(x.re) != 0 || isinf(x.im) != 0; z.im = 0;"),
    CONDITION("isfinite", "z = isfinite(x) != 0;", "z = 1;",
              "z.re = isfinite(x.re) != 0 && isfinite(x.im) != 0; z.im = 0;"),
    CONDITION("signbit", "z = signbit(x) != 0;", "z = x < 0;", NULL),
    CONDITION("logical_not", "z = x == 0;", "z = x == 0;",
              "z.re = x.re == 0 && x.im == 0; z.im = 0;"),
    LOGIC("logical_and", "&&"),
    LOGIC("logical_or", "||"),
    LOGIC("logical_xor", "!="),
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

/* The kernels of an operation. */
typedef enum variant {
    VARIANT_REAL,
    VARIANT_INTEGER,
    VARIANT_COMPLEX,
    VARIANT_NARROW,          /* integers, with results that saturate */
    VARIANT_UNSIGNED,        /* u64 */
    VARIANT_UNSIGNED_SIGNED, /* comparisons of u64 with integers that may be negative */
    VARIANT_SIGNED_UNSIGNED,
    VARIANTS
} variant;

static const struct {
    stn_format arithmetic;
    stn_kernel_class kernel_class;
    const char *parameters[2], *declarations[2]; /* for one and two operands */
} variants[] = {
    [VARIANT_REAL] = {STN_F64,
                      STN_KERNEL_REAL,
                      {"in(x), out(z)", "in(x), in(y), out(z)"},
                      {"", ""}},
    [VARIANT_INTEGER] = {STN_I64,
                         STN_KERNEL_INTEGER,
                         {"in(x), out(z)", "in(x), in(y), out(z)"},
                         {"", ""}},
    [VARIANT_COMPLEX] = {STN_C128,
                         STN_KERNEL_COMPLEX,
                         {"in(x), out(z)", "in(x), in(y), out(z)"},
                         {"", ""}},
    [VARIANT_NARROW] = {STN_I64,
                        STN_KERNEL_INTEGER,
                        {"in(x), out(z)", "in(x), in(y), out(z)"},
                        {"", ""}},
    [VARIANT_UNSIGNED] = {STN_I64,
                          STN_KERNEL_INTEGER,
                          {"in(s), out(z)", "in(s), in(t), out(z)"},
                          {"uint64_t x = s;", "uint64_t x = s; uint64_t y = t;"}},
    [VARIANT_UNSIGNED_SIGNED] = {STN_I64,
                                 STN_KERNEL_INTEGER,
                                 {NULL, "in(s), in(i), out(z)"},
                                 {NULL, "uint64_t u = s; int64_t x = i < 0 || u > (uint64_t)i;"
                                        "int64_t y = i >= 0 && u < (uint64_t)i;"}},
    [VARIANT_SIGNED_UNSIGNED] = {STN_I64,
                                 STN_KERNEL_INTEGER,
                                 {NULL, "in(i), in(s), out(z)"},
                                 {NULL, "uint64_t u = s; int64_t y = i < 0 || u > (uint64_t)i;"
                                        "int64_t x = i >= 0 && u < (uint64_t)i;"}},
};

/* Kernels live as long as the process. */
static stn_kernel *kernels[OPERATIONS][VARIANTS];

static const char *body_of(int op, variant kind)
{
    const operation *o = &operations[op];
    return kind == VARIANT_NARROW                              ? o->narrow
           : variants[kind].kernel_class == STN_KERNEL_INTEGER ? o->integer
           : variants[kind].kernel_class == STN_KERNEL_COMPLEX ? o->complex
                                                               : o->real;
}

static const stn_kernel *kernel_of(int op, variant kind)
{
    stn_kernel **kernel = &kernels[op][kind];
    if (*kernel)
        return *kernel;
    const operation *o = &operations[op];
    const int at = o->operands - 1;
    const char *body = body_of(op, kind);
    if (!body) {
        PyErr_Format(PyExc_TypeError, "%s is not defined for complex numbers", o->name);
        return NULL;
    }
    char text[1024]; /* bodies have at most 800 characters */
    PyOS_snprintf(text, sizeof text, "%s%s", variants[kind].declarations[at], body);
    (void)core_check(stn_kernel_compile(kernel, o->name, variants[kind].parameters[at], text,
                                        variants[kind].kernel_class));
    return *kernel;
}

/* What the operands have in common. */
typedef struct operand_set {
    core_operand operand[2];
    int count;
    int rank;
    int64_t extents[STN_MAX_RANK];
    stn_format formats[2]; /* of the values */
    stn_format format;     /* promoted; Python numbers adapt to arrays */
} operand_set;

static stn_format kind_of_number(stn_format array, stn_format number)
{
    if (core_is_complex(number))
        return core_is_complex(array) ? array : core_promote(array, STN_C32);
    /* Integers of 2^63 and more are u64. */
    const int is_contained = core_is_integer(number) && (number != STN_U64 || array == STN_U64);
    return is_contained || !core_is_integer(array) ? array : STN_F64;
}

static void promote(operand_set *set)
{
    stn_format *formats = set->formats;
    for (int k = 0; k < set->count; k++)
        formats[k] = core_value_format(&set->operand[k].view);
    if (set->count == 1)
        set->format = formats[0];
    else if (set->operand[0].is_weak == set->operand[1].is_weak)
        set->format = core_promote(formats[0], formats[1]);
    else if (set->operand[0].is_weak)
        set->format = kind_of_number(formats[1], formats[0]);
    else
        set->format = kind_of_number(formats[0], formats[1]);
}

static int combine_extents(operand_set *set)
{
    set->rank = 0;
    for (int k = 0; k < set->count; k++)
        if (set->operand[k].view.rank > set->rank)
            set->rank = set->operand[k].view.rank;
    for (int d = 0; d < set->rank; d++)
        set->extents[d] = 1;
    for (int k = 0; k < set->count; k++) {
        const stn_view *view = &set->operand[k].view;
        for (int d = 0; d < view->rank; d++) {
            int64_t *extent = &set->extents[set->rank - view->rank + d];
            if (view->extent[d] == 1 || view->extent[d] == *extent)
                continue;
            if (*extent != 1) {
                PyObject *shape = core_tuple(view->rank, view->extent);
                PyObject *other =
                    core_tuple(set->operand[0].view.rank, set->operand[0].view.extent);
                if (shape && other)
                    PyErr_Format(PyExc_ValueError,
                                 "operands of the shapes %R and %R cannot be broadcast together",
                                 other, shape);
                Py_XDECREF(shape);
                Py_XDECREF(other);
                return -1;
            }
            *extent = view->extent[d];
        }
    }
    return 0;
}

static void release(operand_set *set)
{
    for (int k = 0; k < set->count; k++)
        core_operand_release(&set->operand[k]);
}

static int get_operands(operand_set *set, int count, PyObject *const *objects)
{
    static const char *const names[] = {"the first operand", "the second operand"};
    for (set->count = 0; set->count < count; set->count++)
        if (core_operand_get(&set->operand[set->count], objects[set->count], names[set->count]) <
            0) {
            release(set);
            return -1;
        }
    promote(set);
    int done = combine_extents(set);
    for (int k = 0; k < set->count && done == 0 && core_is_complex(set->format); k++)
        done = core_make_complex(&set->operand[k]);
    if (done < 0)
        release(set);
    return done;
}

static int is_comparison(int op)
{
    return op >= CORE_EQUAL && op <= CORE_GREATER_EQUAL;
}

static int are_integers(const operand_set *set)
{
    return core_is_integer(set->formats[0]) && core_is_integer(set->formats[set->count - 1]);
}

static int is_negative_number(const core_operand *operand)
{
    return operand->is_weak && operand->view.storage.format == STN_I64 && operand->number.index < 0;
}

static int may_be_negative(const core_operand *operand)
{
    return operand->is_weak ? is_negative_number(operand)
                            : core_format_info(operand->view.storage.format)->is_signed;
}

static variant variant_of(const operand_set *set, int op)
{
    if (core_is_complex(set->format))
        return VARIANT_COMPLEX;
    if (is_comparison(op) && are_integers(set)) {
        if (set->formats[0] != STN_U64 && set->formats[1] != STN_U64)
            return VARIANT_INTEGER;
        return may_be_negative(&set->operand[0])   ? VARIANT_SIGNED_UNSIGNED
               : may_be_negative(&set->operand[1]) ? VARIANT_UNSIGNED_SIGNED
                                                   : VARIANT_UNSIGNED;
    }
    if (!core_is_integer(set->format) || !operations[op].integer)
        return VARIANT_REAL;
    return set->format == STN_U64 ? VARIANT_UNSIGNED : VARIANT_INTEGER;
}

/* Compared with integers, an integer beyond 64 bits is infinite. */
static void extend_numbers(operand_set *set)
{
    for (int k = 0; k < set->count; k++)
        if (set->operand[k].is_beyond && core_is_integer(set->formats[set->count - 1 - k]))
            set->operand[k].number.real = copysign(INFINITY, set->operand[k].number.real);
}

static int check_numbers(const operand_set *set, int op)
{
    for (int k = 0; k < set->count; k++)
        if (is_negative_number(&set->operand[k])) {
            PyErr_Format(PyExc_OverflowError, "%s of u64 and %lld: the number must not be negative",
                         operations[op].name, (long long)set->operand[k].number.index);
            return -1;
        }
    return 0;
}

static stn_format result_format(const operand_set *set, result_kind kind)
{
    switch (kind) {
    case RESULT_BOOL:
        return STN_U8;
    case RESULT_FLOAT:
        return core_is_integer(set->format) ? STN_F64 : set->format;
    case RESULT_REAL:
        return core_format_info(set->format)->component;
    default:
        return set->format;
    }
}

static int run(const operand_set *set, int op, variant kind, const stn_view *result)
{
    const stn_exec *exec = core_exec();
    const stn_kernel *kernel = exec ? kernel_of(op, kind) : NULL;
    if (!kernel)
        return -1;
    stn_argument arguments[3];
    for (int k = 0; k < set->count; k++)
        arguments[k].view = &set->operand[k].view;
    arguments[set->count].view = result;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_kernel_run(exec, kernel, variants[kind].arithmetic,
                                            STN_RANK_BROADCAST, NULL, arguments));
    return core_check(status);
}

static int run_compiled(const operand_set *set, int op, const stn_view *result)
{
    const stn_view *const operands[] = {&set->operand[0].view, &set->operand[1].view};
    const stn_exec *exec = core_exec();
    return exec ? core_check(core_complex_run(operations[op].name, exec, operands, result)) : -1;
}

/* Whether results of integer arithmetic saturate in a format of less than 64 bits. */
static int is_narrow(const stn_view *result)
{
    const stn_format_info *info = core_format_info(result->storage.format);
    return info->kind == STN_CLASS_INTEGER && info->bits < 64 && core_is_unscaled(result);
}

/* Limits Python numbers to 34 bits, and to 32 bits as factors: results that saturate in less than
 * 64 bits remain the same, and no result is beyond 64 bits. */
static void clamp_numbers(operand_set *set, int op)
{
    const int64_t limit = op == CORE_MULTIPLY ? UINT32_MAX : (int64_t)1 << 34;
    for (int k = 0; k < set->count; k++) {
        int64_t *number = &set->operand[k].number.index;
        if (set->operand[k].is_weak && set->operand[k].view.storage.format == STN_I64)
            *number = *number > limit ? limit : *number < -limit ? -limit : *number;
    }
}

/* The format in which a kernel writes: i64 arithmetic writes u64 to formats of 64 bits only. */
static stn_format format_written(variant kind, result_kind type, const stn_view *result)
{
    const stn_format format = result->storage.format;
    if (kind == VARIANT_COMPLEX && !core_is_complex(format))
        return STN_C128;
    if (kind == VARIANT_UNSIGNED && type != RESULT_BOOL &&
        !(core_is_unscaled(result) && (format == STN_U64 || format == STN_I64)))
        return STN_U64;
    return format;
}

static int run_into(operand_set *set, int op, const stn_view *result)
{
    const result_kind type = operations[op].kind;
    const int is_linear = op == CORE_ADD || op == CORE_SUBTRACT || op == CORE_MULTIPLY;
    variant kind = variant_of(set, op);
    if (kind == VARIANT_COMPLEX && !core_is_complex(result->storage.format) &&
        type != RESULT_BOOL && type != RESULT_REAL) {
        PyErr_SetString(PyExc_TypeError, "complex results cannot be stored in a real array");
        return -1;
    }
    if (kind == VARIANT_COMPLEX && operations[op].complex && !*operations[op].complex)
        return run_compiled(set, op, result);
    if (is_comparison(op))
        extend_numbers(set);
    else if (kind == VARIANT_UNSIGNED && !is_linear && check_numbers(set, op) < 0)
        return -1;
    if (kind == VARIANT_INTEGER && is_narrow(result) && core_format_info(set->format)->bits < 64) {
        if (is_linear)
            clamp_numbers(set, op);
        kind = operations[op].narrow ? VARIANT_NARROW : kind;
    }
    const stn_format format = format_written(kind, type, result);
    if (format == result->storage.format)
        return run(set, op, kind, result);
    const stn_storage storage = stn_storage_of(format);
    core_array *wide = core_array_create(&storage, result->rank, result->extent, 0);
    int done = wide ? run(set, op, kind, &wide->view) : -1;
    if (done == 0) {
        const stn_view part = format == STN_C128 ? core_part(&wide->view, 0) : wide->view;
        done = core_check(stn_view_copy(core_exec(), result, &part));
    }
    Py_XDECREF((PyObject *)wide);
    return done;
}

static PyObject *apply_to(operand_set *set, int op, PyObject *out)
{
    core_operand result;
    if (core_operand_get_output(&result, out, "out") < 0)
        return NULL;
    const int done = run_into(set, op, &result.view);
    core_operand_release(&result);
    return done < 0 ? NULL : Py_NewRef(out);
}

static PyObject *as_bool(PyObject *array)
{
    PyObject *result = PyObject_CallFunctionObjArgs(core->as_bool, array, NULL);
    Py_DECREF(array);
    return result;
}

PyObject *core_apply(int op, PyObject *const *objects, PyObject *out)
{
    operand_set set;
    if (get_operands(&set, operations[op].operands, objects) < 0)
        return NULL;
    PyObject *result = NULL;
    if (out) {
        result = apply_to(&set, op, out);
    } else {
        const stn_storage storage = stn_storage_of(result_format(&set, operations[op].kind));
        core_array *array = core_array_create(&storage, set.rank, set.extents, 0);
        if (array && run_into(&set, op, &array->view) < 0)
            Py_CLEAR(array);
        result = (PyObject *)array;
    }
    release(&set);
    if (result && !out && operations[op].kind == RESULT_BOOL)
        result = as_bool(result);
    return result;
}

/* apply(name, operands, out): an operation by its name; NotImplemented if there is none. */
static PyObject *apply(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (core_expect_count(count, 3) < 0)
        return NULL;
    const char *name = PyUnicode_AsUTF8AndSize(arguments[0], NULL);
    if (!name || !PyTuple_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "a name and a tuple of operands expected");
        return NULL;
    }
    PyObject *out = arguments[2] == Py_None ? NULL : arguments[2];
    for (int op = 0; op < (int)OPERATIONS; op++)
        if (strcmp(operations[op].name, name) == 0) {
            PyObject *operands[2] = {NULL, NULL};
            if (PyTuple_Size(arguments[1]) != operations[op].operands)
                break;
            for (int k = 0; k < operations[op].operands; k++)
                operands[k] = PyTuple_GetItem(arguments[1], k);
            return core_apply(op, operands, out);
        }
    Py_RETURN_NOTIMPLEMENTED;
}

PyMethodDef core_kernel_functions[] = {
    {"apply", (PyCFunction)(void (*)(void))apply, METH_FASTCALL, NULL},
    {0},
};
