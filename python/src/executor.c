/* Executors, and the one that the calls of a thread use. */
#include "core.h"

#include <stdio.h>
#include <string.h>

typedef struct executor_object {
    PyObject ob_base;
    stn_exec *exec;
    PyObject *resource;
} executor_object;

/* Executors that the thread has entered, the last one first. */
typedef struct entry {
    executor_object *executor;
    struct entry *previous;
} entry;

static _Thread_local entry *entered;

const stn_exec *core_exec(void)
{
    if (entered)
        return entered->executor->exec;
    if (!core->default_exec && core_check(stn_exec_create(&core->default_exec, "threads")) < 0)
        return NULL;
    return core->default_exec;
}

int core_cuda_device(void)
{
    const stn_exec *exec = entered ? entered->executor->exec : NULL;
    int device = 0;
    if (!exec || strcmp(stn_exec_name(exec), "cuda") != 0)
        return -1;
    const char *text = PyUnicode_AsUTF8AndSize(entered->executor->resource, NULL);
    return text && sscanf(text, "cuda:%d", &device) == 1 ? device : 0;
}

static PyObject *executor_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"resource", NULL};
    PyObject *resource = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "U:executor", names, &resource))
        return NULL;
    const char *text = PyUnicode_AsUTF8AndSize(resource, NULL);
    executor_object *self = text ? (executor_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (!self)
        return NULL;
    self->resource = Py_NewRef(resource);
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_exec_create(&self->exec, text));
    if (core_check(status) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void executor_dealloc(PyObject *object)
{
    executor_object *self = (executor_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyThreadState *thread = PyEval_SaveThread();
    stn_exec_release(self->exec);
    PyEval_RestoreThread(thread);
    Py_XDECREF(self->resource);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *executor_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    entry *added = PyMem_Malloc(sizeof *added);
    if (!added)
        return PyErr_NoMemory();
    added->executor = (executor_object *)Py_NewRef(self);
    added->previous = entered;
    entered = added;
    return Py_NewRef(self);
}

static PyObject *executor_exit(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    if (!entered || (PyObject *)entered->executor != self) {
        PyErr_SetString(PyExc_RuntimeError,
                        "this thread has not entered the executor, or another one since");
        return NULL;
    }
    entry *removed = entered;
    entered = removed->previous;
    PyMem_Free(removed);
    Py_DECREF(self);
    Py_RETURN_NONE;
}

static PyObject *executor_repr(PyObject *object)
{
    return PyUnicode_FromFormat("steno.executor(%R)", ((executor_object *)object)->resource);
}

static PyObject *get_resource(PyObject *self, void *context)
{
    (void)context;
    return Py_NewRef(((executor_object *)self)->resource);
}

static PyObject *get_name(PyObject *self, void *context)
{
    (void)context;
    return PyUnicode_FromString(stn_exec_name(((executor_object *)self)->exec));
}

static PyObject *get_threads(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromLong(stn_exec_threads(((executor_object *)self)->exec));
}

static PyMethodDef methods[] = {
    {"__enter__", executor_enter, METH_NOARGS, NULL},
    {"__exit__", executor_exit, METH_VARARGS, NULL},
    {0},
};

static PyGetSetDef properties[] = {
    {"resource", get_resource, NULL, "The resource string.", NULL},
    {"name", get_name, NULL, "The kind of executor, such as \"threads\".", NULL},
    {"threads", get_threads, NULL, "The number of threads on the host.", NULL},
    {0},
};

static const char documentation[] =
    "executor(resource)\n--\n\n"
    "Where and how operations run.\n\n"
    "Operations inside a ``with`` statement use the executor. It applies to the calling thread;\n"
    "statements can be nested. Outside of them, operations use ``executor(\"threads\")``.\n\n"
    "Parameters\n----------\n"
    "resource : str\n"
    "    A resource string: ``\"reference\"``, ``\"threads\"``, ``\"threads:threads=2\"``,\n"
    "    ``\"cuda:0\"`` and others (doc/python.md).\n\n"
    "Examples\n--------\n"
    ">>> import steno\n"
    ">>> with steno.executor(\"threads:threads=2\") as executor:\n"
    "...     total = steno.sum(steno.full(4, 0.5, \"f16\"))\n"
    ">>> total, executor.threads\n"
    "(2.0, 2)\n";

static PyType_Slot slots[] = {
    {Py_tp_new, executor_new},
    {Py_tp_dealloc, executor_dealloc},
    {Py_tp_repr, executor_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, (void *)documentation},
    {0, NULL},
};

PyType_Spec *core_executor_spec(void)
{
    static PyType_Spec spec = {.name = "steno.executor",
                               .basicsize = sizeof(executor_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                               .slots = slots};
    return &spec;
}
