/* The module steno._core. */
#include "core.h"
#include "sparse.h"

#include <string.h>

core_state *core;

/* The functions of the Python layer that the extension calls, and classes that it creates. */
static const struct {
    const char *name;
    size_t offset;
} hooks[] = {
    {"array", offsetof(core_state, array)},     {"convert", offsetof(core_state, convert)},
    {"ndarray", offsetof(core_state, ndarray)}, {"check_mask", offsetof(core_state, check_mask)},
    {"as_bool", offsetof(core_state, as_bool)}, {"pick", offsetof(core_state, pick)},
    {"put", offsetof(core_state, put)},
};

static void replace(PyObject **member, PyObject *value)
{
    PyObject *old = *member;
    *member = Py_NewRef(value);
    Py_XDECREF(old);
}

/* connect(errors, **hooks) */
static PyObject *connect(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    (void)module;
    PyObject *errors;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &errors))
        return NULL;
    for (int k = 0; k < CORE_STATUSES && k < (int)PyTuple_Size(errors); k++)
        replace(&core->errors[k], PyTuple_GetItem(errors, k));
    for (size_t k = 0; k < sizeof hooks / sizeof *hooks; k++) {
        PyObject *hook = keywords ? PyDict_GetItemString(keywords, hooks[k].name) : NULL;
        if (!hook) {
            PyErr_Format(PyExc_TypeError, "connect() needs %s", hooks[k].name);
            return NULL;
        }
        PyObject **member = (PyObject **)(void *)((char *)core + hooks[k].offset);
        replace(member, hook);
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"connect", (PyCFunction)(void (*)(void))connect, METH_VARARGS | METH_KEYWORDS, NULL},
    {0},
};

static int refuse(const char *reason)
{
    PyErr_SetString(PyExc_ImportError, reason);
    return -1;
}

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) < 0)
        Py_CLEAR(type);
    return type;
}

static int add_functions(PyObject *module)
{
    PyMethodDef *const tables[] = {
        core_block_functions,   core_create_functions, core_kernel_functions, core_reduce_functions,
        core_product_functions, core_dlpack_functions, core_sparse_functions, core_market_functions,
        core_solver_functions,  core_text_functions,   core_blas_functions,   core_part_functions,
        core_advise_functions};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (PyModule_AddFunctions(module, tables[k]) < 0)
            return -1;
    return PyModule_AddStringConstant(module, "__version__", stn_version());
}

/* One module per process, in the main interpreter, because arrays of two modules would have
 * different types. */
static int initialize(PyObject *module)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
        return refuse("steno cannot be imported in a subinterpreter");
    if (core)
        return refuse("steno is already loaded and cannot be loaded again in this process");
    core = PyModule_GetState(module);
    core->array_base = add_type(module, core_array_spec());
    core->executor = core->array_base ? add_type(module, core_executor_spec()) : NULL;
    if (!core->executor || add_functions(module) < 0)
        return -1;
    core->text_dtype = PyUnicode_InternFromString("dtype");
    core->text_name = PyUnicode_InternFromString("name");
    core->text_interface = PyUnicode_InternFromString("__array_interface__");
    if (!core->text_dtype || !core->text_name || !core->text_interface)
        return -1;
    core->array = (PyTypeObject *)Py_NewRef((PyObject *)core->array_base);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, initialize},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "steno._core",
    .m_doc = "The compiled part of steno. Programs use the module steno.",
    .m_size = sizeof(core_state),
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
