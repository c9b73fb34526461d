/* Views of arguments: arrays, memory that other objects export, and objects that are converted. */
#include "core.h"

#include <string.h>

/* Describes memory by a view. Returns 0 if a view cannot: the caller copies then. */
static int describe(core_operand *operand, stn_format format, void *data, int read_only, int rank,
                    const int64_t *extents, const int64_t *strides)
{
    const int64_t bytes = core_format_info(format)->bytes;
    int64_t steps[STN_MAX_RANK] = {0};
    int is_empty = 0;
    for (int d = 0; d < rank; d++)
        is_empty |= extents[d] == 0;
    for (int d = 0; d < rank && !is_empty; d++) {
        if (strides[d] % bytes != 0 && extents[d] > 1)
            return 0;
        steps[d] = extents[d] > 1 ? strides[d] / bytes : 0;
    }
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.storage = stn_storage_of(format);
    spec.rank = rank;
    spec.extents = extents;
    spec.strides = is_empty ? NULL : steps;
    spec.data = is_empty ? NULL : data;
    if (stn_view_wrap_spec(&operand->view, &spec) != STN_OK)
        return 0; /* misaligned */
    operand->view.read_only = (uint8_t)(read_only != 0);
    return 1;
}

/* `given`: the format of all elements; -1 for the one that the buffer describes. */
static int wrap_buffer(core_operand *operand, PyObject *object, stn_format given)
{
    if (PyObject_GetBuffer(object, &operand->buffer, PyBUF_FULL_RO) < 0) {
        if (PyErr_ExceptionMatches(PyExc_MemoryError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    const Py_buffer *buffer = &operand->buffer;
    const stn_format format = given < 0 ? core_format_of_buffer(buffer->format, buffer->itemsize)
                              : core_format_info(given)->bytes == buffer->itemsize ? given
                                                                                   : -1;
    int64_t extents[STN_MAX_RANK], strides[STN_MAX_RANK];
    /* datetime64 scalars of NumPy export their bytes without strides, although these are requested.
     */
    const int is_described = buffer->ndim == 0 || (buffer->shape && buffer->strides);
    if (format < 0 || buffer->ndim > STN_MAX_RANK || buffer->suboffsets || !is_described) {
        PyBuffer_Release(&operand->buffer);
        return 0;
    }
    for (int d = 0; d < buffer->ndim; d++) {
        extents[d] = buffer->shape[d];
        strides[d] = buffer->strides[d];
    }
    /* Other codes than 0 and 1 are invalid booleans. */
    const int is_bool = buffer->format && strchr(buffer->format, '?');
    operand->has_buffer = describe(operand, format, buffer->buf, buffer->readonly || is_bool,
                                   buffer->ndim, extents, strides);
    if (!operand->has_buffer)
        PyBuffer_Release(&operand->buffer);
    return operand->has_buffer;
}

/* The format of `object.dtype`, whose name ml_dtypes defines; -1 if there is none. */
static stn_format format_of_dtype(PyObject *object)
{
    stn_format format = -1;
    PyObject *dtype = PyObject_GetAttr(object, core->text_dtype);
    PyObject *name = dtype ? PyObject_GetAttr(dtype, core->text_name) : NULL;
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (text)
        format = core_format_of_name(text);
    PyErr_Clear();
    Py_XDECREF(name);
    Py_XDECREF(dtype);
    return format;
}

static int parse_integers(PyObject *tuple, int rank, int64_t *values)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != rank)
        return 0;
    for (int d = 0; d < rank; d++) {
        values[d] = PyLong_AsLongLong(PyTuple_GetItem(tuple, d));
        if (values[d] == -1 && PyErr_Occurred())
            return 0;
    }
    return 1;
}

/* ml_dtypes arrays export no buffer, but their memory by __array_interface__. */
static int parse_interface(core_operand *operand, PyObject *interface, stn_format format)
{
    int64_t extents[STN_MAX_RANK], strides[STN_MAX_RANK];
    PyObject *data = PyDict_GetItemString(interface, "data");
    PyObject *shape = PyDict_GetItemString(interface, "shape");
    PyObject *steps = PyDict_GetItemString(interface, "strides");
    if (!data || !shape || !PyTuple_Check(data) || !PyTuple_Check(shape) ||
        PyTuple_Size(data) != 2 || PyTuple_Size(shape) > STN_MAX_RANK)
        return 0;
    const int rank = (int)PyTuple_Size(shape);
    void *memory = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
    const int read_only = PyObject_IsTrue(PyTuple_GetItem(data, 1));
    if (PyErr_Occurred() || !parse_integers(shape, rank, extents))
        return 0;
    if (steps && steps != Py_None) {
        if (!parse_integers(steps, rank, strides))
            return 0;
    } else {
        int64_t stride = core_format_info(format)->bytes;
        for (int d = rank - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= extents[d];
        }
    }
    return describe(operand, format, memory, read_only, rank, extents, strides);
}

static int wrap_interface(core_operand *operand, PyObject *object)
{
    const stn_format format = format_of_dtype(object);
    if (format < 0)
        return 0;
    if (core_buffer_format(format))
        return 0; /* NumPy exports a buffer of these unless the byte order differs */
    PyObject *interface = PyObject_GetAttr(object, core->text_interface);
    const int done =
        interface && PyDict_Check(interface) && parse_interface(operand, interface, format);
    PyErr_Clear();
    Py_XDECREF(interface);
    if (done)
        operand->held = Py_NewRef(object);
    return done;
}

int core_wrap_codes(core_operand *operand, PyObject *object, stn_format format)
{
    return wrap_buffer(operand, object, format);
}

/* Subclasses of NumPy's arrays may be masked. */
static int is_plain(PyObject *object)
{
    if ((PyObject *)Py_TYPE(object) == core->ndarray ||
        !PyObject_TypeCheck(object, (PyTypeObject *)core->ndarray))
        return 1;
    PyObject *none = PyObject_CallFunctionObjArgs(core->check_mask, object, NULL);
    Py_XDECREF(none);
    return none != NULL;
}

int core_wrap(core_operand *operand, PyObject *object)
{
    if (!is_plain(object))
        return -1;
    const int done = wrap_buffer(operand, object, -1);
    return done ? done : wrap_interface(operand, object);
}

/* A Python number as an array without dimensions. */
static int wrap_number(core_operand *operand, PyObject *object, const char *name)
{
    stn_format format = STN_F64;
    int overflow = 0;
    operand->is_weak = 1;
    if (PyComplex_CheckExact(object)) {
        format = STN_C128;
        if (core_complex(object, name, &operand->number.complex_number) < 0)
            return -1;
    } else if (PyLong_Check(object)) {
        format = STN_I64;
        operand->number.index = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow > 0) {
            format = STN_U64;
            operand->number.bits = PyLong_AsUnsignedLongLong(object);
            overflow = PyErr_Occurred() != NULL;
            PyErr_Clear();
        }
        operand->is_beyond = overflow != 0;
    }
    if (format == STN_F64 || operand->is_beyond) {
        format = STN_F64;
        if (core_double(object, name, &operand->number.real) < 0)
            return -1;
    }
    return core_check(
        stn_view_wrap(&operand->view, name, stn_storage_of(format), &operand->number, 0, NULL));
}

static void clear(core_operand *operand)
{
    operand->held = NULL;
    operand->has_buffer = operand->is_weak = operand->is_beyond = 0;
}

int core_operand_get(core_operand *operand, PyObject *object, const char *name)
{
    clear(operand);
    if (core_is_array(object)) {
        operand->view = ((core_array *)object)->view;
        operand->view.label = name;
        operand->held = Py_NewRef(object);
        return 0;
    }
    if (PyFloat_CheckExact(object) || PyLong_Check(object) || PyComplex_CheckExact(object))
        return wrap_number(operand, object, name);
    const int done = core_wrap(operand, object);
    if (done < 0)
        return -1;
    if (!done) {
        operand->held = PyObject_CallFunctionObjArgs(core->convert, object, NULL);
        if (!operand->held)
            return -1;
        if (!core_is_array(operand->held)) {
            PyErr_Format(PyExc_TypeError, "%s is %R, which is not an array", name, object);
            Py_CLEAR(operand->held);
            return -1;
        }
        operand->view = ((core_array *)operand->held)->view;
    }
    operand->view.label = name;
    return 0;
}

int core_operand_get_output(core_operand *operand, PyObject *object, const char *name)
{
    clear(operand);
    if (core_is_array(object))
        return core_operand_get(operand, object, name);
    const int done = core_wrap(operand, object);
    if (done <= 0) {
        if (done == 0)
            PyErr_Format(PyExc_TypeError, "%s is %R, which is not an array of a supported type",
                         name, (PyObject *)Py_TYPE(object));
        return -1;
    }
    operand->view.label = name;
    return 0;
}

void core_operand_release(core_operand *operand)
{
    if (operand->has_buffer)
        PyBuffer_Release(&operand->buffer);
    operand->has_buffer = 0;
    Py_CLEAR(operand->held);
}

stn_view core_part(const stn_view *view, int index)
{
    stn_view part = *view;
    part.storage.format = core_format_info(view->storage.format)->component;
    for (int d = 0; d < part.rank; d++)
        part.stride[d] *= 2;
    if (part.data)
        part.data = (char *)part.data + index * core_format_info(part.storage.format)->bytes;
    part.owner = NULL;
    return part;
}

int core_make_complex(core_operand *operand)
{
    stn_view *view = &operand->view;
    if (core_is_complex(view->storage.format))
        return 0;
    const stn_storage storage = stn_storage_of(STN_C128);
    core_array *wide = core_array_create(&storage, view->rank, view->extent, 1);
    if (!wide)
        return -1;
    const stn_view part = core_part(&wide->view, 0);
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_view_copy(core_exec(), &part, view));
    if (core_check(status) < 0) {
        Py_DECREF((PyObject *)wide);
        return -1;
    }
    const char *label = view->label;
    core_operand_release(operand);
    operand->held = (PyObject *)wide;
    *view = wide->view;
    view->label = label;
    return 0;
}

int core_broadcast(stn_view *view, int rank, const int64_t *extents)
{
    int matches = view->rank <= rank;
    for (int d = 0; d < view->rank && matches; d++)
        matches = view->extent[d] == 1 || view->extent[d] == extents[rank - view->rank + d];
    if (!matches) {
        PyObject *from = core_tuple(view->rank, view->extent), *to = core_tuple(rank, extents);
        if (from && to)
            PyErr_Format(PyExc_ValueError, "the shape %R cannot be broadcast to the shape %R", from,
                         to);
        Py_XDECREF(from);
        Py_XDECREF(to);
        return -1;
    }
    while (view->rank < rank)
        if (core_check(stn_view_insert_axis(view, view, 0)) < 0)
            return -1;
    for (int d = 0; d < rank; d++)
        if (view->extent[d] != extents[d]) {
            view->extent[d] = extents[d];
            view->stride[d] = 0;
        }
    return 0;
}
