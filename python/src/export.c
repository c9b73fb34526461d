/* Memory of arrays for other libraries: the buffer protocol and __array_interface__. Only unscaled
 * arrays in a format of NumPy export it, because others would be read as raw codes. */
#include "core.h"

#include <stdio.h>

#define VIEW(object) (&((core_array *)(object))->view)

static const char empty[16];

static int can_export(const stn_view *view)
{
    return core_buffer_format(view->storage.format) && core_is_unscaled(view) &&
           view->space != STN_SPACE_DEVICE;
}

static int refuse(const char *reason)
{
    PyErr_SetString(PyExc_BufferError, reason);
    return -1;
}

/* Byte strides of a new array in C order if `last` is the last dimension, or in Fortran order. */
static int is_contiguous(const Py_buffer *buffer, int is_fortran)
{
    return PyBuffer_IsContiguous(buffer, is_fortran ? 'F' : 'C');
}

static int check_layout(const Py_buffer *buffer, int flags)
{
    const int c = is_contiguous(buffer, 0), fortran = is_contiguous(buffer, 1);
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return refuse("the array is not contiguous in C order");
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !fortran)
        return refuse("the array is not contiguous in Fortran order");
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !fortran)
        return refuse("the array is not contiguous");
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return refuse("the array has strides");
    return 0;
}

int core_get_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    const stn_view *view = VIEW(self);
    buffer->obj = NULL;
    if (!can_export(view))
        return refuse("the codes of the array are not its values: use numpy.asarray(a), a.codes "
                      "or a.scales");
    if ((flags & PyBUF_WRITABLE) && view->read_only)
        return refuse("the array is read-only");
    const stn_format_info *info = core_format_info(view->storage.format);
    Py_ssize_t *numbers = PyMem_Calloc(2 * STN_MAX_RANK, sizeof *numbers);
    if (!numbers) {
        PyErr_NoMemory();
        return -1;
    }
    *buffer = (Py_buffer){.buf = view->data ? view->data : (void *)empty,
                          .len = (Py_ssize_t)(stn_view_count(view) * info->bytes),
                          .itemsize = (Py_ssize_t)info->bytes,
                          .readonly = view->read_only,
                          .ndim = view->rank,
                          .format = (char *)core_buffer_format(view->storage.format),
                          .shape = numbers,
                          .strides = numbers + STN_MAX_RANK,
                          .internal = numbers};
    for (int d = 0; d < view->rank; d++) {
        buffer->shape[d] = (Py_ssize_t)view->extent[d];
        buffer->strides[d] = (Py_ssize_t)(view->stride[d] * info->bytes);
    }
    if (check_layout(buffer, flags) < 0) {
        PyMem_Free(numbers);
        return -1;
    }
    if (!(flags & PyBUF_FORMAT))
        buffer->format = NULL;
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES)
        buffer->strides = NULL;
    if ((flags & PyBUF_ND) != PyBUF_ND) {
        buffer->shape = NULL;
        buffer->ndim = 1;
    }
    buffer->obj = Py_NewRef(self);
    return 0;
}

void core_release_buffer(PyObject *self, Py_buffer *buffer)
{
    (void)self;
    PyMem_Free(buffer->internal);
}

static PyObject *interface(const stn_view *view, const char *type_string)
{
    int64_t strides[STN_MAX_RANK];
    for (int d = 0; d < view->rank; d++)
        strides[d] = view->stride[d] * core_format_info(view->storage.format)->bytes;
    PyObject *data = PyLong_FromVoidPtr(view->data ? view->data : (void *)empty);
    PyObject *shape = core_tuple(view->rank, view->extent);
    PyObject *steps = core_tuple(view->rank, strides);
    if (data && shape && steps)
        return Py_BuildValue("{s:i,s:s,s:(NO),s:N,s:N}", "version", 3, "typestr", type_string,
                             "data", data, view->read_only ? Py_True : Py_False, "shape", shape,
                             "strides", steps);
    Py_XDECREF(data);
    Py_XDECREF(shape);
    Py_XDECREF(steps);
    return NULL;
}

PyObject *core_array_interface(PyObject *self, void *context)
{
    (void)context;
    const stn_view *view = VIEW(self);
    if (can_export(view))
        return interface(view, core_type_string(view->storage.format));
    PyErr_SetString(PyExc_AttributeError, "only unscaled arrays in a format of NumPy have "
                                          "__array_interface__");
    return NULL;
}

/* The same for raw codes: those of formats that NumPy does not have are unsigned integers, or void
 * of their size. */
PyObject *core_code_interface(PyObject *self, void *context)
{
    (void)context;
    const stn_view *view = VIEW(self);
    const stn_format format = view->storage.format;
    const char *type_string = core_type_string(format);
    char text[8];
    if (view->space == STN_SPACE_DEVICE) {
        PyErr_SetString(PyExc_BufferError, "the array is in the memory of a device");
        return NULL;
    }
    if (!type_string) {
        const int bytes = (int)core_format_info(format)->bytes;
        (void)snprintf(text, sizeof text, "%c%c%d", bytes == 1 ? '|' : '<',
                       bytes == 1 || bytes == 2 || bytes == 4 ? 'u' : 'V', bytes);
        type_string = text;
    }
    return interface(view, type_string);
}
