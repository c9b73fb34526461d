/* Reductions and running sums. */
#include "core.h"

#include <string.h>

typedef stn_status reduce_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                               const stn_view *x, unsigned reduced);

typedef enum result_type {
    TYPE_ARITHMETIC, /* the arithmetic type */
    TYPE_VALUE,      /* the format of the values, which an extreme does not change */
    TYPE_INDEX,      /* i64 */
    TYPE_REAL        /* the type of the parts of complex numbers */
} result_type;

static const struct {
    const char *name;
    reduce_into *into;
    result_type type;
    int has_integer;
} reductions[] = {
    {"sum", stn_sum_into, TYPE_ARITHMETIC, 1},  {"min", stn_min_into, TYPE_VALUE, 1},
    {"max", stn_max_into, TYPE_VALUE, 1},       {"argmin", stn_argmin_into, TYPE_INDEX, 1},
    {"argmax", stn_argmax_into, TYPE_INDEX, 1}, {"norm", stn_norm_into, TYPE_REAL, 0},
};

static stn_format default_arithmetic(const stn_view *x, int has_integer)
{
    const stn_format format = core_value_format(x);
    if (core_is_complex(format))
        return STN_C128;
    return has_integer && core_is_integer(format) ? STN_I64 : STN_F64;
}

/* Sums of u64 in i64 arithmetic are modulo 2^64. */
static stn_format format_of_sum(stn_format arithmetic, const stn_view *x)
{
    return arithmetic == STN_I64 && core_value_format(x) == STN_U64 ? STN_U64 : arithmetic;
}

static stn_format format_of_result(result_type type, stn_format arithmetic, const stn_view *x)
{
    switch (type) {
    case TYPE_INDEX:
        return STN_I64;
    case TYPE_VALUE:
        return core_value_format(x);
    case TYPE_REAL:
        return core_format_info(arithmetic)->component;
    default:
        return format_of_sum(arithmetic, x);
    }
}

static core_array *new_result(int index, stn_format arithmetic, const stn_view *x, unsigned reduced)
{
    int rank = 0;
    int64_t extents[STN_MAX_RANK];
    for (int d = 0; d < x->rank; d++)
        if (!(reduced >> d & 1))
            extents[rank++] = x->extent[d];
    const stn_storage storage =
        stn_storage_of(format_of_result(reductions[index].type, arithmetic, x));
    return core_array_create(&storage, rank, extents, 0);
}

static int run_into(int index, stn_format arithmetic, const stn_view *result, const stn_view *x,
                    unsigned reduced)
{
    const stn_exec *exec = core_exec();
    stn_status status;
    if (!exec)
        return -1;
    CORE_WITHOUT_GIL(status, reductions[index].into(exec, arithmetic, result, x, reduced));
    return core_check(status);
}

static int find_reduction(PyObject *object)
{
    const char *name = PyUnicode_AsUTF8AndSize(object, NULL);
    for (int k = 0; name && k < (int)(sizeof reductions / sizeof *reductions); k++)
        if (strcmp(reductions[k].name, name) == 0)
            return k;
    if (name)
        PyErr_Format(PyExc_ValueError, "%R is not a reduction", object);
    return -1;
}

/* An array, or a number if all dimensions are reduced and numbers are wanted. */
static PyObject *reduce_view(int index, stn_format arithmetic, const stn_view *x, unsigned reduced,
                             int in_array)
{
    core_array *array = new_result(index, arithmetic, x, reduced);
    if (array && run_into(index, arithmetic, &array->view, x, reduced) < 0)
        Py_CLEAR(array);
    if (!array || array->view.rank > 0 || in_array)
        return (PyObject *)array;
    PyObject *number = core_scalar(&array->view);
    Py_DECREF(array);
    return number;
}

/* reduce(name, x, reduced, arithmetic, out): bit d of `reduced` selects dimension d. If `out` is
 * Ellipsis, the result is an array without dimensions in place of a number. */
static PyObject *reduce(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    int64_t reduced;
    core_operand x, result;
    stn_format arithmetic;
    if (core_expect_count(count, 5) < 0)
        return NULL;
    const int index = find_reduction(arguments[0]);
    if (index < 0 || core_int64(arguments[2], "reduced", &reduced) < 0 ||
        core_operand_get(&x, arguments[1], "x") < 0)
        return NULL;
    PyObject *done = NULL;
    const stn_format fallback = default_arithmetic(&x.view, reductions[index].has_integer);
    if (core_arithmetic(arguments[3], fallback, &arithmetic) < 0)
        goto end;
    if (arguments[4] == Py_None || arguments[4] == Py_Ellipsis) {
        done =
            reduce_view(index, arithmetic, &x.view, (unsigned)reduced, arguments[4] == Py_Ellipsis);
    } else if (core_operand_get_output(&result, arguments[4], "out") == 0) {
        if (run_into(index, arithmetic, &result.view, &x.view, (unsigned)reduced) == 0)
            done = Py_NewRef(arguments[4]);
        core_operand_release(&result);
    }
end:
    core_operand_release(&x);
    return done;
}

/* Complex numbers are summed by parts. */
static int run_cumsum(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                      core_operand *x, int dimension)
{
    stn_status status;
    if (!core_is_complex(arithmetic)) {
        CORE_WITHOUT_GIL(status, stn_cumsum(exec, arithmetic, result, &x->view, dimension));
        return core_check(status);
    }
    if (!core_is_complex(result->storage.format)) {
        PyErr_SetString(PyExc_TypeError, "complex results cannot be stored in a real array");
        return -1;
    }
    if (core_make_complex(x) < 0)
        return -1;
    const stn_format real = core_format_info(arithmetic)->component;
    for (int k = 0; k < 2; k++) {
        const stn_view to = core_part(result, k), from = core_part(&x->view, k);
        CORE_WITHOUT_GIL(status, stn_cumsum(exec, real, &to, &from, dimension));
        if (core_check(status) < 0)
            return -1;
    }
    return 0;
}

/* cumsum(x, dimension, arithmetic, out) */
static PyObject *cumsum(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    int64_t dimension;
    core_operand x, result;
    stn_format arithmetic;
    const stn_exec *exec = core_exec();
    if (core_expect_count(count, 4) < 0 || !exec ||
        core_int64(arguments[1], "axis", &dimension) < 0 ||
        core_operand_get(&x, arguments[0], "x") < 0)
        return NULL;
    PyObject *out = arguments[3] == Py_None ? NULL : Py_NewRef(arguments[3]);
    if (core_arithmetic(arguments[2], default_arithmetic(&x.view, 1), &arithmetic) < 0)
        goto end;
    if (!out) {
        const stn_storage storage = stn_storage_of(format_of_sum(arithmetic, &x.view));
        out = (PyObject *)core_array_create(&storage, x.view.rank, x.view.extent, 0);
    }
    if (out && core_operand_get_output(&result, out, "out") == 0) {
        (void)run_cumsum(exec, arithmetic, &result.view, &x, (int)dimension);
        core_operand_release(&result);
    }
end:
    core_operand_release(&x);
    if (PyErr_Occurred())
        Py_CLEAR(out);
    return out;
}

PyMethodDef core_reduce_functions[] = {
    {"reduce", (PyCFunction)(void (*)(void))reduce, METH_FASTCALL, NULL},
    {"cumsum", (PyCFunction)(void (*)(void))cumsum, METH_FASTCALL, NULL},
    {0},
};
