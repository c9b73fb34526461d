/* Reductions of consecutive parts of the elements, whose merged result has the bits of the whole.
 */
#include "sparse.h"

#include "steno/reduce.h"

#include <string.h>

STN_REDUCE(real_sum, sum, (in(x)), x)
STN_REDUCE(real_min, min, (in(x)), x)
STN_REDUCE(real_max, max, (in(x)), x)
STN_REDUCE(real_argmin, argmin, (in(x)), x)
STN_REDUCE(real_argmax, argmax, (in(x)), x)
STN_REDUCE(real_norm, norm2, (in(x)), x)
STN_REDUCE_INTEGER(integer_sum, sum, (in(x)), x)
STN_REDUCE_INTEGER(integer_min, min, (in(x)), x)
STN_REDUCE_INTEGER(integer_max, max, (in(x)), x)
STN_REDUCE_INTEGER(integer_argmin, argmin, (in(x)), x)
STN_REDUCE_INTEGER(integer_argmax, argmax, (in(x)), x)
STN_REDUCE_COMPLEX(complex_sum, sum, (in(x)), x)
STN_REDUCE_COMPLEX(complex_norm, norm2, (in(x)), x)

typedef union outcome {
    double real;
    int64_t integer;
    stn_c128 complex_number;
} outcome;

typedef struct reduction {
    const char *name; /* kind of the arithmetic: f, i, c; then the operation */
    char result;      /* type of the result: f, i, c */
    stn_status (*part)(const stn_exec *exec, stn_format arithmetic, int64_t first,
                       stn_partial *part, const stn_view *x);
    stn_status (*merge)(stn_partial *left, const stn_partial *right);
    stn_status (*finish)(const stn_partial *part, outcome *result);
} reduction;

#define FINISH(reduction, member)                                                                  \
    static stn_status finish_##reduction(const stn_partial *part, outcome *result)                 \
    {                                                                                              \
        return reduction##_reduce_finish(part, &result->member);                                   \
    }
FINISH(real_sum, real)
FINISH(real_min, real)
FINISH(real_max, real)
FINISH(real_argmin, integer)
FINISH(real_argmax, integer)
FINISH(real_norm, real)
FINISH(integer_sum, integer)
FINISH(integer_min, integer)
FINISH(integer_max, integer)
FINISH(integer_argmin, integer)
FINISH(integer_argmax, integer)
FINISH(complex_sum, complex_number)
FINISH(complex_norm, real)

#define ROW(name, result, reduction)                                                               \
    {                                                                                              \
        name, result, reduction##_reduce_part, reduction##_reduce_merge, finish_##reduction        \
    }
static const reduction reductions[] = {
    ROW("fsum", 'f', real_sum),          ROW("fmin", 'f', real_min),
    ROW("fmax", 'f', real_max),          ROW("fargmin", 'i', real_argmin),
    ROW("fargmax", 'i', real_argmax),    ROW("fnorm", 'f', real_norm),
    ROW("isum", 'i', integer_sum),       ROW("imin", 'i', integer_min),
    ROW("imax", 'i', integer_max),       ROW("iargmin", 'i', integer_argmin),
    ROW("iargmax", 'i', integer_argmax), ROW("csum", 'c', complex_sum),
    ROW("cnorm", 'f', complex_norm),
};

static const reduction *find(const char *name, stn_format arithmetic)
{
    const char kind = core_is_complex(arithmetic) ? 'c' : core_is_integer(arithmetic) ? 'i' : 'f';
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        if (reductions[k].name[0] == kind && strcmp(reductions[k].name + 1, name) == 0)
            return &reductions[k];
    PyErr_Format(PyExc_TypeError, "the reduction %s is not defined in this arithmetic", name);
    return NULL;
}

static PyObject *result_of(const reduction *r, const stn_partial *part)
{
    outcome result;
    if (core_check(r->finish(part, &result)) < 0)
        return NULL;
    if (r->result == 'c')
        return PyComplex_FromDoubles(result.complex_number.re, result.complex_number.im);
    return r->result == 'i' ? PyLong_FromLongLong(result.integer) : PyFloat_FromDouble(result.real);
}

/* reduce_part(name, x, arithmetic, first, part or None): the part of the previous elements, as
 * bytes, with the elements of x */
static PyObject *reduce_part(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name;
    long long first;
    PyObject *array, *format, *previous;
    stn_format arithmetic;
    stn_partial now, left;
    core_operand x;
    const stn_exec *exec = core_exec();
    if (!exec || !PyArg_ParseTuple(arguments, "sOOLO", &name, &array, &format, &first, &previous) ||
        core_format(format, &arithmetic) < 0)
        return NULL;
    const reduction *r = find(name, arithmetic);
    if (!r || core_operand_get(&x, array, "x") < 0)
        return NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, r->part(exec, arithmetic, first, &now, &x.view));
    core_operand_release(&x);
    if (core_check(status) < 0)
        return NULL;
    if (previous == Py_None)
        return PyBytes_FromStringAndSize((const char *)&now, sizeof now);
    if (!PyBytes_Check(previous) || PyBytes_Size(previous) != (Py_ssize_t)sizeof left) {
        PyErr_SetString(PyExc_TypeError, "the previous part is not one of a reduction");
        return NULL;
    }
    memcpy(&left, PyBytes_AsString(previous), sizeof left);
    if (core_check(r->merge(&left, &now)) < 0)
        return NULL;
    return PyBytes_FromStringAndSize((const char *)&left, sizeof left);
}

/* reduce_finish(name, arithmetic, part): the result */
static PyObject *reduce_finish(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name, *bytes;
    Py_ssize_t count;
    PyObject *format;
    stn_format arithmetic;
    stn_partial part;
    if (!PyArg_ParseTuple(arguments, "sOy#", &name, &format, &bytes, &count) ||
        core_format(format, &arithmetic) < 0)
        return NULL;
    const reduction *r = find(name, arithmetic);
    if (!r)
        return NULL;
    if (count != (Py_ssize_t)sizeof part) {
        PyErr_SetString(PyExc_TypeError, "the part is not one of a reduction");
        return NULL;
    }
    memcpy(&part, bytes, sizeof part);
    return result_of(r, &part);
}

PyMethodDef core_part_functions[] = {
    {"reduce_part", reduce_part, METH_VARARGS, NULL},
    {"reduce_finish", reduce_finish, METH_VARARGS, NULL},
    {0},
};
