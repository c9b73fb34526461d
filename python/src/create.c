/* Creation of arrays: new memory, memory of other objects, other storage of the same codes. */
#include "core.h"

#include <string.h>

static int as_array(PyObject *object, core_array **array)
{
    if (core_is_array(object)) {
        *array = (core_array *)object;
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "%R is not an array", object);
    return -1;
}

int core_storage(PyObject *const *arguments, stn_storage *storage)
{
    stn_format format;
    int64_t rounding, overflow;
    if (core_format(arguments[0], &format) < 0)
        return -1;
    *storage = stn_storage_of(format);
    if (core_double(arguments[1], "scale", &storage->scale) < 0 ||
        core_double(arguments[2], "zero_point", &storage->zero) < 0 ||
        core_int64(arguments[3], "rounding", &rounding) < 0 ||
        core_int64(arguments[4], "overflow", &overflow) < 0)
        return -1;
    storage->rounding = (stn_rounding)rounding;
    storage->overflow = (stn_overflow)overflow;
    storage->seed = PyLong_AsUnsignedLongLong(arguments[5]);
    return storage->seed == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
}

/* create(shape, initialized, *storage) */
static PyObject *create(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    int rank;
    int64_t extents[STN_MAX_RANK];
    stn_storage storage;
    if (core_expect_count(count, 2 + CORE_STORAGE_ARGUMENTS) < 0 ||
        core_extents(arguments[0], &rank, extents) < 0 || core_storage(arguments + 2, &storage) < 0)
        return NULL;
    return (PyObject *)core_array_create(&storage, rank, extents, PyObject_IsTrue(arguments[1]));
}

static PyObject *array_of(core_operand *operand)
{
    core_array *array = core_array_new();
    Py_buffer *buffer = operand->has_buffer ? PyMem_Malloc(sizeof *buffer) : NULL;
    if (!array || (operand->has_buffer && !buffer)) {
        Py_XDECREF((PyObject *)array);
        core_operand_release(operand);
        return PyErr_NoMemory();
    }
    array->view = operand->view;
    array->view.label = "array";
    array->owner = operand->held;
    if (buffer)
        *buffer = operand->buffer;
    array->buffer = buffer;
    return (PyObject *)array;
}

/* wrap(object): an array that shares the memory of an object; None if the object has none. */
static PyObject *wrap(PyObject *module, PyObject *object)
{
    (void)module;
    core_operand operand = {0};
    const int done = core_wrap(&operand, object);
    if (done == 0)
        Py_RETURN_NONE;
    return done < 0 ? NULL : array_of(&operand);
}

/* wrap_codes(object, format): the same for elements of the size of a format. */
static PyObject *wrap_codes(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_operand operand = {0};
    stn_format format;
    if (core_expect_count(count, 2) < 0 || core_format(arguments[1], &format) < 0)
        return NULL;
    const int done = core_wrap_codes(&operand, arguments[0], format);
    if (done == 0)
        Py_RETURN_NONE;
    return done < 0 ? NULL : array_of(&operand);
}

/* recode(array, *storage): the same codes with another storage of the same size. */
static PyObject *recode(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_array *whole;
    stn_storage storage;
    if (core_expect_count(count, 1 + CORE_STORAGE_ARGUMENTS) < 0 ||
        as_array(arguments[0], &whole) < 0 || core_storage(arguments + 1, &storage) < 0)
        return NULL;
    const stn_view *view = &whole->view;
    const stn_format_info *old = core_format_info(view->storage.format);
    const stn_format_info *new = core_format_info(storage.format);
    if (core_is_block(storage.format) || core_is_block(view->storage.format)) {
        PyErr_SetString(PyExc_ValueError, "codes of block formats are wrapped by wrap_blocks()");
        return NULL;
    }
    if (old->bytes != new->bytes) {
        PyErr_Format(PyExc_ValueError, "codes in %s have %lld bytes, elements in %s have %lld",
                     old->name, (long long)old->bytes, new->name, (long long)new->bytes);
        return NULL;
    }
    core_array *part = core_array_part(whole);
    if (!part)
        return NULL;
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.storage = storage;
    spec.rank = view->rank;
    spec.extents = view->extent;
    spec.strides = view->stride;
    spec.data = view->data;
    memset(&part->view, 0, sizeof part->view);
    if (core_check(stn_view_wrap_spec(&part->view, &spec)) < 0)
        Py_CLEAR(part);
    else
        part->view.read_only = view->read_only;
    return (PyObject *)part;
}

static int describe_scales(const core_array *array, const core_array *scales, int64_t dimension,
                           int64_t block, stn_scales *description)
{
    const stn_view *view = &array->view, *values = &scales->view;
    *description = (stn_scales){.data = values->data,
                                .format = values->storage.format,
                                .dimension = (int32_t)dimension,
                                .block = block};
    int matches = values->rank == view->rank;
    for (int d = 0; d < view->rank && matches; d++) {
        const int64_t extent = view->extent[d], given = values->extent[d];
        description->stride[d] = given == 1 ? 0 : values->stride[d];
        if (d == dimension && block > 0)
            matches = given == (extent + block - 1) / block;
        else
            matches = given == 1 || given == extent;
    }
    if (matches)
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "scales must have the dimensions of the array; each extent is 1, that of the "
                    "array, or its number of blocks");
    return -1;
}

/* set_scales(array, scales, dimension, block): of a new array, which keeps the scales. */
static PyObject *set_scales(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_array *array, *scales;
    int64_t dimension, block;
    stn_scales description;
    if (core_expect_count(count, 4) < 0 || as_array(arguments[0], &array) < 0 ||
        as_array(arguments[1], &scales) < 0 ||
        core_int64(arguments[2], "dimension", &dimension) < 0 ||
        core_int64(arguments[3], "block", &block) < 0 ||
        describe_scales(array, scales, dimension, block, &description) < 0)
        return NULL;
    if (stn_view_count(&array->view) == 0)
        Py_RETURN_NONE;
    if (core_check(stn_view_set_scales(&array->view, &description)) < 0)
        return NULL;
    Py_XDECREF(array->scales);
    array->scales = Py_NewRef((PyObject *)scales);
    Py_RETURN_NONE;
}

/* fit_scales(array, values, choice): selects the scales of a new array. */
static PyObject *fit_scales(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_array *array;
    int64_t choice;
    core_operand values;
    const stn_exec *exec = core_exec();
    if (!exec || core_expect_count(count, 3) < 0 || as_array(arguments[0], &array) < 0 ||
        core_int64(arguments[2], "choice", &choice) < 0 ||
        core_operand_get(&values, arguments[1], "the values") < 0)
        return NULL;
    stn_status status;
    CORE_WITHOUT_GIL(
        status, stn_view_fit_scales(exec, &array->view, &values.view, (stn_scale_choice)choice));
    core_operand_release(&values);
    if (core_check(status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* assign(target, value): copies and converts all elements to an array or to NumPy's memory. */
static PyObject *assign(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_operand target;
    if (core_expect_count(count, 2) < 0 ||
        core_operand_get_output(&target, arguments[0], "the target") < 0)
        return NULL;
    const int done = core_assign(&target.view, arguments[1]);
    core_operand_release(&target);
    if (done < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* cast(array, format): the values in a format that needs no scale; None if another function is
 * needed, which knows scales, dtypes and messages. */
static PyObject *cast(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_array *source;
    if (core_expect_count(count, 2) < 0 || as_array(arguments[0], &source) < 0)
        return NULL;
    const char *name =
        PyUnicode_Check(arguments[1]) ? PyUnicode_AsUTF8AndSize(arguments[1], NULL) : NULL;
    const stn_format format = name ? core_format_of_name(name) : -1;
    const stn_format old = core_value_format(&source->view);
    /* The global factor of nvfp4 is fitted. */
    if (format < 0 || format == STN_NVFP4 || (core_is_integer(format) && !core_is_integer(old)) ||
        (core_is_complex(old) && !core_is_complex(format))) {
        if (PyErr_Occurred())
            return NULL;
        Py_RETURN_NONE;
    }
    const stn_storage storage = stn_storage_of(format);
    core_array *result = core_array_create(&storage, source->view.rank, source->view.extent, 0);
    if (result && core_assign(&result->view, arguments[0]) < 0)
        Py_CLEAR(result);
    return (PyObject *)result;
}

/* format_name(name): the name of Steno; ValueError lists the known names. */
static PyObject *format_name(PyObject *module, PyObject *name)
{
    (void)module;
    stn_format format;
    return core_format(name, &format) < 0 ? NULL
                                          : PyUnicode_FromString(core_format_info(format)->name);
}

/* format_info(name): properties of a format as a dict. */
static PyObject *format_info(PyObject *module, PyObject *name)
{
    (void)module;
    stn_format format;
    if (core_format(name, &format) < 0)
        return NULL;
    const stn_format_info *info = core_format_info(format);
    return Py_BuildValue(
        "{s:s,s:i,s:i,s:i,s:i,s:i,s:d,s:d,s:d,s:d,s:L,s:L}", "name", info->name, "kind",
        (int)info->kind, "bits", info->bits, "exponent_bits", info->exponent_bits, "fraction_bits",
        info->fraction_bits, "is_signed", info->is_signed, "highest", info->highest, "lowest",
        info->lowest, "smallest", info->smallest, "epsilon", info->epsilon, "block",
        (long long)info->block_elements, "block_bytes", (long long)info->block_bytes);
}

/* format_names(): the names of all formats. */
static PyObject *format_names(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *names = PyTuple_New(CORE_FORMATS);
    for (stn_format format = 0; names && format < CORE_FORMATS; format++) {
        PyObject *name = PyUnicode_FromString(core_format_info(format)->name);
        if (!name || PyTuple_SetItem(names, format, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

/* current_executor(): (name, threads) of the executor that calls of this thread use. */
static PyObject *current_executor(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    const stn_exec *exec = core_exec();
    return exec ? Py_BuildValue("(si)", stn_exec_name(exec), stn_exec_threads(exec)) : NULL;
}

#define FAST(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL, NULL

PyMethodDef core_create_functions[] = {
    {"create", FAST(create)},
    {"wrap", wrap, METH_O, NULL},
    {"wrap_codes", FAST(wrap_codes)},
    {"recode", FAST(recode)},
    {"set_scales", FAST(set_scales)},
    {"fit_scales", FAST(fit_scales)},
    {"assign", FAST(assign)},
    {"cast", FAST(cast)},
    {"format_name", format_name, METH_O, NULL},
    {"format_info", format_info, METH_O, NULL},
    {"format_names", format_names, METH_NOARGS, NULL},
    {"current_executor", current_executor, METH_NOARGS, NULL},
    {0},
};
