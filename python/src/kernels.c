/* Element-wise operations. Each is a kernel text, compiled by the first call that needs it. */
#include "core.h"

#include <string.h>

typedef enum result_kind {
    RESULT_VALUE, /* the promoted format of the operands */
    RESULT_FLOAT, /* the same, or f64 for integers */
    RESULT_REAL,  /* the format of the parts of complex numbers */
    RESULT_BOOL   /* conditions */
} result_kind;

/* Names are those of NumPy's functions. A NULL body is not defined for the arithmetic types;
 * COMPILED is a function of complex.c. `narrow` is the integer body for results of less than 64
 * bits if results beyond i64 must not wrap before they saturate; operands are those of
 * clamp_numbers(). */
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
                           "int64_t q = x / y; int64_t r = x - q * y;"
                           "if (r != 0 && (r < 0) != (y < 0)) q = q - 1; z = q;",
                           NULL},
    [CORE_REMAINDER] = {"remainder", 2, RESULT_VALUE,
                        "real_t r = fmod(x, y);"
                        "if (r != 0) { if ((r < 0) != (y < 0)) r = r + y; }"
                        "else if (!isnan(r)) r = copysign(R(0), y); z = r;",
                        "int64_t r = y == 0 ? 0 : x % y;"
                        "if (r != 0 && (r < 0) != (y < 0)) r = r + y; z = r;",
                        NULL},
    [CORE_POWER] = {"power", 2, RESULT_VALUE, "z = pow(x, y);",
                    "int64_t b = x; int64_t e = y; int64_t p = 1;"
                    "if (e < 0) { p = b == 1 ? 1 : b == -1 ? (e & 1 ? -1 : 1) : 0; e = 0; }"
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

enum { OPERATIONS = sizeof operations / sizeof *operations, CLASSES = 3, NARROW = CLASSES };

/* Kernels live as long as the process. */
static stn_kernel *kernels[OPERATIONS][CLASSES + 1];

static const char *body_of(int op, stn_kernel_class kernel_class, int is_narrow)
{
    const operation *o = &operations[op];
    return is_narrow                            ? o->narrow
           : kernel_class == STN_KERNEL_INTEGER ? o->integer
           : kernel_class == STN_KERNEL_COMPLEX ? o->complex
                                                : o->real;
}

static const stn_kernel *kernel_of(int op, stn_kernel_class kernel_class, int is_narrow)
{
    stn_kernel **kernel = &kernels[op][is_narrow ? NARROW : (int)kernel_class];
    const operation *o = &operations[op];
    if (!*kernel) {
        const char *parameters = o->operands == 1 ? "in(x), out(z)" : "in(x), in(y), out(z)";
        const char *body = body_of(op, kernel_class, is_narrow);
        if (!body)
            PyErr_Format(PyExc_TypeError, "%s is not defined for complex numbers", o->name);
        else
            (void)core_check(stn_kernel_compile(kernel, o->name, parameters, body, kernel_class));
    }
    return *kernel;
}

/* What the operands have in common. */
typedef struct operand_set {
    core_operand operand[2];
    int count;
    int rank;
    int64_t extents[STN_MAX_RANK];
    stn_format format; /* of the values, promoted; Python numbers adapt to arrays */
    int has_large_unsigned;
} operand_set;

static stn_format kind_of_number(stn_format array, stn_format number)
{
    if (core_is_complex(number))
        return core_is_complex(array) ? array : core_promote(array, STN_C32);
    if (core_is_integer(number) || !core_is_integer(array))
        return array;
    return STN_F64;
}

static void promote(operand_set *set)
{
    stn_format formats[2];
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
    set->has_large_unsigned = 0;
    for (int k = 0; k < set->count; k++)
        set->has_large_unsigned |= formats[k] == STN_U64;
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

static stn_kernel_class class_of(const operand_set *set, int op)
{
    if (core_is_complex(set->format))
        return STN_KERNEL_COMPLEX;
    /* i64 arithmetic orders u64 only below 2^63. */
    if (!core_is_integer(set->format) || !operations[op].integer ||
        (set->has_large_unsigned && op != CORE_ADD && op != CORE_SUBTRACT && op != CORE_MULTIPLY &&
         op != CORE_EQUAL && op != CORE_NOT_EQUAL))
        return STN_KERNEL_REAL;
    return STN_KERNEL_INTEGER;
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

static int run(const operand_set *set, const stn_kernel *kernel, stn_kernel_class kernel_class,
               const stn_view *result)
{
    static const stn_format arithmetic[] = {STN_F64, STN_I64, STN_C128};
    const stn_exec *exec = core_exec();
    if (!exec)
        return -1;
    stn_argument arguments[3];
    for (int k = 0; k < set->count; k++)
        arguments[k].view = &set->operand[k].view;
    arguments[set->count].view = result;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_kernel_run(exec, kernel, arithmetic[kernel_class],
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

static int run_into(operand_set *set, int op, const stn_view *result)
{
    const stn_kernel_class kernel_class = class_of(set, op);
    const int saturates = kernel_class == STN_KERNEL_INTEGER && is_narrow(result) &&
                          core_format_info(set->format)->bits < 64;
    const int is_complex = kernel_class == STN_KERNEL_COMPLEX;
    if (is_complex && !core_is_complex(result->storage.format) &&
        operations[op].kind != RESULT_BOOL && operations[op].kind != RESULT_REAL) {
        PyErr_SetString(PyExc_TypeError, "complex results cannot be stored in a real array");
        return -1;
    }
    if (is_complex && operations[op].complex && !*operations[op].complex)
        return run_compiled(set, op, result);
    if (saturates && (op == CORE_ADD || op == CORE_SUBTRACT || op == CORE_MULTIPLY))
        clamp_numbers(set, op);
    const stn_kernel *kernel = kernel_of(op, kernel_class, saturates && operations[op].narrow);
    if (!kernel)
        return -1;
    if (!is_complex || core_is_complex(result->storage.format))
        return run(set, kernel, kernel_class, result);
    const stn_storage storage = stn_storage_of(STN_C128);
    core_array *wide = core_array_create(&storage, result->rank, result->extent, 0);
    int done = wide ? run(set, kernel, kernel_class, &wide->view) : -1;
    if (done == 0) {
        const stn_view part = core_real_part(&wide->view);
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
