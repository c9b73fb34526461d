/* Kernels from texts that the program writes, launched with its arrays. */
#include "sparse.h"

#include <string.h>

static const char capsule_name[] = "steno.kernel";

static void release_kernel(PyObject *capsule)
{
    stn_kernel_release(PyCapsule_GetPointer(capsule, capsule_name));
}

/* kernel_compile(name, parameters, body, class): a kernel of class 0 real, 1 integer, 2 complex */
static PyObject *kernel_compile(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name, *parameters, *body;
    int kernel_class;
    stn_kernel *kernel;
    if (!PyArg_ParseTuple(arguments, "sssi", &name, &parameters, &body, &kernel_class) ||
        core_check(stn_kernel_compile(&kernel, name, parameters, body,
                                      (stn_kernel_class)kernel_class)) < 0)
        return NULL;
    PyObject *capsule = PyCapsule_New(kernel, capsule_name, release_kernel);
    if (!capsule)
        stn_kernel_release(kernel);
    return capsule;
}

static const stn_kernel *kernel_of(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, capsule_name)) {
        PyErr_Format(PyExc_TypeError, "%R is not a kernel", capsule);
        return NULL;
    }
    return PyCapsule_GetPointer(capsule, capsule_name);
}

/* kernel_parameters(kernel): names and kinds, without the indices */
static PyObject *kernel_parameters(PyObject *module, PyObject *capsule)
{
    (void)module;
    static const char *const kinds[] = {"real",    "index",   "bits",   "at",
                                        "in",      "inout",   "out",    "masked",
                                        "shifted", "stencil", "gather", "scatter"};
    const stn_kernel *kernel = kernel_of(capsule);
    PyObject *list = kernel ? PyList_New(0) : NULL;
    for (int k = 0; list && k < kernel->count; k++) {
        const stn_parameter *p = &kernel->parameters[k];
        if (p->kind == STN_PARAMETER_AT)
            continue;
        PyObject *pair = Py_BuildValue("(ss)", p->name, kinds[p->kind]);
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* ---- launches ---- */

typedef struct launch_call {
    const stn_kernel *kernel;
    stn_format arithmetic;
    int count; /* of operands that are held */
    core_operand operands[STN_MAX_PARAMETERS];
    stn_argument arguments[STN_MAX_PARAMETERS];
} launch_call;

static int is_written(stn_parameter_kind kind)
{
    return kind == STN_PARAMETER_INOUT || kind == STN_PARAMETER_OUT ||
           kind == STN_PARAMETER_MASKED || kind == STN_PARAMETER_SCATTER;
}

static int set_number(const launch_call *c, const stn_parameter *p, PyObject *object,
                      stn_argument *argument)
{
    if (p->kind == STN_PARAMETER_BITS) {
        argument->bits = PyLong_AsUnsignedLongLongMask(object);
        return argument->bits == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
    }
    if (p->kind == STN_PARAMETER_INDEX || c->arithmetic == STN_I64)
        return core_int64(object, p->name, &argument->index);
    if (core_is_complex(c->arithmetic))
        return core_complex(object, p->name, &argument->complex_number);
    return core_double(object, p->name, &argument->real);
}

static int set_view(launch_call *c, const stn_parameter *p, PyObject *object,
                    stn_argument *argument)
{
    core_operand *operand = &c->operands[c->count];
    const int written = is_written(p->kind);
    if ((written ? core_operand_get_output : core_operand_get)(operand, object, p->name) < 0)
        return -1;
    argument->view = &operand->view;
    c->count++;
    return core_is_complex(c->arithmetic) && !written ? core_make_complex(operand) : 0;
}

static int set_arguments(launch_call *c, PyObject *objects)
{
    int at = 0;
    for (int k = 0; k < c->kernel->count; k++) {
        const stn_parameter *p = &c->kernel->parameters[k];
        if (p->kind == STN_PARAMETER_AT)
            continue;
        PyObject *object = at < PyTuple_Size(objects) ? PyTuple_GetItem(objects, at) : NULL;
        if (!object) {
            PyErr_Format(PyExc_TypeError, "the argument %s is missing", p->name);
            return -1;
        }
        const int is_number = p->kind == STN_PARAMETER_REAL || p->kind == STN_PARAMETER_INDEX ||
                              p->kind == STN_PARAMETER_BITS;
        if ((is_number ? set_number(c, p, object, &c->arguments[at])
                       : set_view(c, p, object, &c->arguments[at])) < 0)
            return -1;
        at++;
    }
    return 0;
}

/* kernel_run(kernel, arithmetic, shape or None, arguments) */
static PyObject *kernel_run(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *name, *shape, *objects;
    int rank = STN_RANK_BROADCAST;
    int64_t extents[STN_MAX_RANK];
    launch_call c; /* its arrays are large */
    c.count = 0;
    if (!PyArg_ParseTuple(arguments, "OOOO!", &capsule, &name, &shape, &PyTuple_Type, &objects) ||
        core_format(name, &c.arithmetic) < 0 ||
        (shape != Py_None && core_extents(shape, &rank, extents) < 0))
        return NULL;
    c.kernel = kernel_of(capsule);
    const stn_exec *exec = c.kernel ? core_exec() : NULL;
    int done = exec ? set_arguments(&c, objects) : -1;
    if (done == 0) {
        stn_status status;
        CORE_WITHOUT_GIL(status,
                         stn_kernel_run(exec, c.kernel, c.arithmetic, rank,
                                        rank == STN_RANK_BROADCAST ? NULL : extents, c.arguments));
        done = core_check(status);
    }
    for (int k = 0; k < c.count; k++)
        core_operand_release(&c.operands[k]);
    if (done < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* promote(formats): the smallest format that represents the values of all formats of a list */
static PyObject *promote(PyObject *module, PyObject *list)
{
    (void)module;
    stn_format result = STN_F64;
    for (Py_ssize_t k = 0; k < PySequence_Size(list); k++) {
        stn_format format;
        PyObject *item = PySequence_GetItem(list, k);
        const int done = item ? core_format(item, &format) : -1;
        Py_XDECREF(item);
        if (done < 0)
            return NULL;
        result = k == 0 ? format : core_promote(result, format);
    }
    return PyErr_Occurred() ? NULL : PyUnicode_FromString(core_format_info(result)->name);
}

PyMethodDef core_text_functions[] = {
    {"kernel_compile", kernel_compile, METH_VARARGS, NULL},
    {"kernel_parameters", kernel_parameters, METH_O, NULL},
    {"kernel_run", kernel_run, METH_VARARGS, NULL},
    {"promote", promote, METH_O, NULL},
    {0},
};
