/* The type of arrays: creation, properties and operators. */
#include "core.h"

#include <string.h>
#include <sys/mman.h>

int core_is_array(PyObject *object)
{
    return PyObject_TypeCheck(object, core->array_base);
}

int core_is_integer(stn_format format)
{
    return core_format_info(format)->kind == STN_CLASS_INTEGER;
}

int core_is_complex(stn_format format)
{
    return core_format_info(format)->kind == STN_CLASS_COMPLEX;
}

int core_is_unscaled(const stn_view *view)
{
    stn_scales scales;
    if (view->storage.scale != 1.0 || view->storage.zero != 0.0 ||
        core_is_block(view->storage.format))
        return 0;
    return !view->extra || (stn_view_scales(view, &scales) == STN_OK && !scales.data);
}

stn_format core_value_format(const stn_view *view)
{
    const stn_format format = view->storage.format;
    if (core_is_unscaled(view))
        return format;
    return core_is_complex(format) ? STN_C128 : STN_F64;
}

core_array *core_array_new(void)
{
    return (core_array *)PyType_GenericAlloc(core->array, 0);
}

enum { ALIGNMENT = 64, HUGE_PAGES_FROM = 1 << 22 };

/* Memory of Python's allocator, which reuses freed memory without page faults and is traced by
 * tracemalloc. Returns a size of 0 on overflow. */
static size_t bytes_of(const stn_storage *storage, int rank, const int64_t *extents)
{
    size_t bytes = (size_t)core_format_info(storage->format)->bytes;
    if (core_is_block(storage->format))
        bytes = core_block_bytes(storage->format, rank, extents);
    else
        for (int d = 0; d < rank; d++)
            if (__builtin_mul_overflow(bytes, (size_t)extents[d], &bytes))
                return 0;
    return bytes > PTRDIFF_MAX - ALIGNMENT ? 0 : bytes;
}

static void *allocate(core_array *array, size_t bytes, int initialized)
{
    array->memory =
        initialized ? PyMem_Calloc(1, bytes + ALIGNMENT) : PyMem_Malloc(bytes + ALIGNMENT);
    if (!array->memory) {
        PyErr_Format(core->errors[STN_ERR_MEMORY], "cannot allocate %zu bytes for an array", bytes);
        return NULL;
    }
    const uintptr_t address = (uintptr_t)array->memory;
    char *const aligned = (char *)array->memory + (ALIGNMENT - address % ALIGNMENT);
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGES_FROM) {
        const uintptr_t page = 4096, first = ((uintptr_t)aligned + page - 1) / page * page;
        (void)madvise(aligned + (first - (uintptr_t)aligned),
                      (bytes - (first - (uintptr_t)aligned)) / page * page, MADV_HUGEPAGE);
    }
#endif
    return aligned;
}

static stn_status create_view(core_array *array, const stn_exec *exec, const stn_view_spec *spec)
{
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_view_create_spec(exec, &array->view, spec));
    return status;
}

core_array *core_array_create(const stn_storage *storage, int rank, const int64_t *extents,
                              int initialized)
{
    const stn_exec *exec = core_exec();
    core_array *array = exec ? core_array_new() : NULL;
    if (!array)
        return NULL;
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.label = "array";
    spec.storage = *storage;
    spec.rank = rank;
    spec.extents = extents;
    const size_t bytes = bytes_of(storage, rank, extents);
    const int is_block = core_is_block(storage->format);
    stn_status status = STN_OK;
    if (is_block && (rank == 0 || stn_exec_space(exec) != STN_SPACE_HOST)) {
        PyErr_Format(PyExc_ValueError,
                     rank == 0 ? "an array in %s needs at least one dimension"
                               : "arrays in %s are in host memory: create them outside of the with "
                                 "statement of a device",
                     core_format_info(storage->format)->name);
        Py_DECREF((PyObject *)array);
        return NULL;
    }
    /* Empty arrays, sizes that the library refuses, and memory of devices are the library's. */
    if (bytes == 0 || stn_exec_space(exec) != STN_SPACE_HOST) {
        spec.flags = initialized ? 0 : STN_CREATE_UNINITIALIZED;
        status = create_view(array, exec, &spec);
    } else if ((spec.data = allocate(array, bytes, initialized))) {
        void *memory = spec.data;
        spec.data = is_block ? NULL : memory;
        status = is_block ? core_block_create(&array->view, &spec, memory, bytes)
                          : stn_view_wrap_spec(&array->view, &spec);
    }
    if (PyErr_Occurred() || core_check(status) < 0)
        Py_CLEAR(array);
    return array;
}

core_array *core_array_part(core_array *whole)
{
    core_array *part = core_array_new();
    if (!part)
        return NULL;
    /* A part that owns a description of scales must be kept as well. */
    const int is_part = whole->owner && core_is_array(whole->owner) && !whole->view.owner;
    part->owner = Py_NewRef(is_part ? whole->owner : (PyObject *)whole);
    part->view = whole->view;
    part->view.owner = NULL;
    return part;
}

static void array_dealloc(PyObject *object)
{
    core_array *self = (core_array *)object;
    PyTypeObject *type = Py_TYPE(object);
    (void)stn_view_release(&self->view);
    if (self->buffer) {
        PyBuffer_Release(self->buffer);
        PyMem_Free(self->buffer);
    }
    PyMem_Free(self->memory);
    Py_XDECREF(self->owner);
    Py_XDECREF(self->scales);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

PyObject *core_scalar(const stn_view *view)
{
    const stn_format format = view->storage.format;
    if (core_is_complex(format)) {
        stn_c128 value;
        if (core_check(stn_view_get_complex(view, 0, NULL, &value)) < 0)
            return NULL;
        return PyComplex_FromDoubles(value.re, value.im);
    }
    if (core_is_integer(format) && core_is_unscaled(view)) {
        int64_t value;
        if (core_check(stn_decode(STN_I64, &value, &view->storage, view->data, 1, 1)) < 0)
            return NULL;
        return format == STN_U64 ? PyLong_FromUnsignedLongLong((uint64_t)value)
                                 : PyLong_FromLongLong(value);
    }
    double value;
    if (core_check(stn_view_get(view, 0, NULL, &value)) < 0)
        return NULL;
    return PyFloat_FromDouble(value);
}

/* ---- properties ---- */

#define VIEW(object) (&((core_array *)(object))->view)

static PyObject *get_shape(PyObject *self, void *context)
{
    (void)context;
    return core_tuple(VIEW(self)->rank, VIEW(self)->extent);
}

/* Elements of blocks have no size in bytes. */
static int refuse_block(const stn_view *view, const char *attribute)
{
    const int is_block = core_is_block(view->storage.format);
    if (is_block)
        PyErr_Format(PyExc_AttributeError,
                     "arrays in the block format %s have no %s: use nbytes, codes or scales",
                     core_format_info(view->storage.format)->name, attribute);
    return is_block;
}

static PyObject *get_strides(PyObject *self, void *context)
{
    (void)context;
    int64_t strides[STN_MAX_RANK];
    const stn_view *view = VIEW(self);
    if (refuse_block(view, "strides"))
        return NULL;
    for (int d = 0; d < view->rank; d++)
        strides[d] = view->stride[d] * core_format_info(view->storage.format)->bytes;
    return core_tuple(view->rank, strides);
}

static PyObject *get_ndim(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromLong(VIEW(self)->rank);
}

static PyObject *get_size(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromLongLong(stn_view_count(VIEW(self)));
}

static PyObject *get_itemsize(PyObject *self, void *context)
{
    (void)context;
    if (refuse_block(VIEW(self), "itemsize"))
        return NULL;
    return PyLong_FromLongLong(core_format_info(VIEW(self)->storage.format)->bytes);
}

static PyObject *get_nbytes(PyObject *self, void *context)
{
    (void)context;
    const stn_view *view = VIEW(self);
    if (core_is_block(view->storage.format))
        return PyLong_FromLongLong(core_block_view_bytes(self));
    return PyLong_FromLongLong(stn_view_count(view) *
                               core_format_info(view->storage.format)->bytes);
}

static PyObject *get_format(PyObject *self, void *context)
{
    (void)context;
    return PyUnicode_FromString(core_format_info(VIEW(self)->storage.format)->name);
}

static PyObject *get_value_format(PyObject *self, void *context)
{
    (void)context;
    return PyUnicode_FromString(core_format_info(core_value_format(VIEW(self)))->name);
}

static PyObject *get_scale(PyObject *self, void *context)
{
    (void)context;
    return PyFloat_FromDouble(VIEW(self)->storage.scale);
}

static PyObject *get_zero_point(PyObject *self, void *context)
{
    (void)context;
    return PyFloat_FromDouble(VIEW(self)->storage.zero);
}

static PyObject *get_rounding(PyObject *self, void *context)
{
    (void)context;
    return Py_BuildValue("(iiK)", (int)VIEW(self)->storage.rounding,
                         (int)VIEW(self)->storage.overflow,
                         (unsigned long long)VIEW(self)->storage.seed);
}

static PyObject *get_is_writeable(PyObject *self, void *context)
{
    (void)context;
    return PyBool_FromLong(!VIEW(self)->read_only);
}

static PyObject *get_is_unscaled(PyObject *self, void *context)
{
    (void)context;
    return PyBool_FromLong(core_is_unscaled(VIEW(self)));
}

static PyObject *get_transpose(PyObject *self, void *context)
{
    (void)context;
    return core_transpose(self, NULL);
}

/* (array of the scales, dimension with blocks or -1, block, phase), or None. */
static PyObject *get_raw_scales(PyObject *self, void *context)
{
    (void)context;
    stn_scales scales;
    const stn_view *view = VIEW(self);
    if (core_check(stn_view_scales(view, &scales)) < 0)
        return NULL;
    if (!scales.data)
        Py_RETURN_NONE;
    core_array *array = core_array_part((core_array *)self);
    if (!array)
        return NULL;
    int64_t extents[STN_MAX_RANK];
    for (int d = 0; d < view->rank; d++) {
        extents[d] = scales.stride[d] == 0 && d != scales.dimension ? 1 : view->extent[d];
        if (d == scales.dimension && extents[d] > 0)
            extents[d] = (scales.phase + extents[d] - 1) / scales.block + 1;
    }
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.storage = stn_storage_of(scales.format);
    spec.rank = view->rank;
    spec.extents = extents;
    spec.strides = scales.stride;
    spec.data = scales.data;
    memset(&array->view, 0, sizeof array->view);
    if (core_check(stn_view_wrap_spec(&array->view, &spec)) < 0) {
        Py_DECREF(array);
        return NULL;
    }
    array->view.read_only = 1;
    return Py_BuildValue("(NiLL)", array, (int)scales.dimension, (long long)scales.block,
                         (long long)scales.phase);
}

static PyGetSetDef properties[] = {
    {"shape", get_shape, NULL, "The number of elements along each dimension.", NULL},
    {"strides", get_strides, NULL, "The distance of elements along each dimension in bytes.", NULL},
    {"ndim", get_ndim, NULL, "The number of dimensions.", NULL},
    {"size", get_size, NULL, "The number of elements.", NULL},
    {"itemsize", get_itemsize, NULL, "The size of an element in bytes.", NULL},
    {"nbytes", get_nbytes, NULL,
     "The size of all elements in bytes. Scales are included in block formats only.", NULL},
    {"format", get_format, NULL, "The name of the storage format, such as ``\"f16\"``.", NULL},
    {"scale", get_scale, NULL, "The factor of all elements: value = scale * (code - zero_point).",
     NULL},
    {"zero_point", get_zero_point, NULL, "The code of the value 0 of a scaled array.", NULL},
    {"writeable", get_is_writeable, NULL, "Whether elements can be assigned.", NULL},
    {"T", get_transpose, NULL, "The array with reversed dimensions, which shares the memory.",
     NULL},
    {"__array_interface__", core_array_interface, NULL,
     "The memory of an unscaled array in a format of NumPy.", NULL},
    {"_value_format", get_value_format, NULL, NULL, NULL},
    {"_rounding", get_rounding, NULL, NULL, NULL},
    {"_is_unscaled", get_is_unscaled, NULL, NULL, NULL},
    {"_code_interface", core_code_interface, NULL, NULL, NULL},
    {"_raw_scales", get_raw_scales, NULL, NULL, NULL},
    {0},
};

/* ---- operators ---- */

/* Operands of other types may implement the operator: they are tried after NotImplemented. */
static PyObject *defer_on_type_error(PyObject *result)
{
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError))
        return result;
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *binary(int operation, PyObject *a, PyObject *b)
{
    PyObject *operands[2] = {a, b};
    return defer_on_type_error(core_apply(operation, operands, NULL));
}

#define BINARY(name, operation)                                                                    \
    static PyObject *name(PyObject *a, PyObject *b)                                                \
    {                                                                                              \
        return binary(operation, a, b);                                                            \
    }                                                                                              \
    static PyObject *inplace_##name(PyObject *a, PyObject *b)                                      \
    {                                                                                              \
        PyObject *operands[2] = {a, b};                                                            \
        return core_apply(operation, operands, a);                                                 \
    }
BINARY(add, CORE_ADD)
BINARY(subtract, CORE_SUBTRACT)
BINARY(multiply, CORE_MULTIPLY)
BINARY(divide, CORE_DIVIDE)
BINARY(floor_divide, CORE_FLOOR_DIVIDE)
BINARY(modulo, CORE_REMAINDER)

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus)
{
    if (modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    return binary(CORE_POWER, a, b);
}

static PyObject *negative(PyObject *a)
{
    return core_apply(CORE_NEGATIVE, &a, NULL);
}

static PyObject *absolute(PyObject *a)
{
    return core_apply(CORE_ABSOLUTE, &a, NULL);
}

static PyObject *compare(PyObject *a, PyObject *b, int operator)
{
    static const int operations[] = {
        [Py_LT] = CORE_LESS,      [Py_LE] = CORE_LESS_EQUAL, [Py_EQ] = CORE_EQUAL,
        [Py_NE] = CORE_NOT_EQUAL, [Py_GT] = CORE_GREATER,    [Py_GE] = CORE_GREATER_EQUAL};
    return binary(operations[operator], a, b);
}

static PyObject *only_element(PyObject *self)
{
    stn_view view = *VIEW(self);
    if (stn_view_count(&view) != 1) {
        PyErr_Format(PyExc_TypeError, "the array has %lld elements, not one",
                     (long long)stn_view_count(&view));
        return NULL;
    }
    stn_slice first[STN_MAX_RANK];
    for (int d = 0; d < view.rank; d++)
        first[d] = stn_slice_index(0);
    view.owner = NULL;
    if (core_check(stn_view_slice(&view, &view, view.rank, first)) < 0)
        return NULL;
    return core_scalar(&view);
}

static PyObject *convert_element(PyObject *self, PyObject *(*convert)(PyObject *))
{
    PyObject *element = only_element(self), *result = element ? convert(element) : NULL;
    Py_XDECREF(element);
    return result;
}

static PyObject *to_float(PyObject *self)
{
    return convert_element(self, PyNumber_Float);
}

static PyObject *to_int(PyObject *self)
{
    return convert_element(self, PyNumber_Long);
}

/* Only integers without dimensions are indices. */
static PyObject *to_index(PyObject *self)
{
    if (VIEW(self)->rank == 0 && core_is_integer(core_value_format(VIEW(self))))
        return only_element(self);
    PyErr_SetString(PyExc_TypeError, "only an integer array without dimensions is an index");
    return NULL;
}

static PyObject *positive(PyObject *self)
{
    return PyObject_CallMethod(self, "copy", NULL);
}

static int is_true(PyObject *self)
{
    if (stn_view_count(VIEW(self)) != 1) {
        PyErr_Format(PyExc_ValueError,
                     "the truth value of an array with %lld elements is ambiguous",
                     (long long)stn_view_count(VIEW(self)));
        return -1;
    }
    PyObject *element = only_element(self);
    const int result = element ? PyObject_IsTrue(element) : -1;
    Py_XDECREF(element);
    return result;
}

static PyObject *item(PyObject *self, PyObject *unused)
{
    (void)unused;
    return only_element(self);
}

static PyObject *to_complex(PyObject *self, PyObject *unused)
{
    (void)unused;
    stn_c128 value;
    PyObject *element = only_element(self);
    const int done = element ? core_complex(element, "the element", &value) : -1;
    Py_XDECREF(element);
    return done < 0 ? NULL : PyComplex_FromDoubles(value.re, value.im);
}

static Py_ssize_t length(PyObject *self)
{
    if (VIEW(self)->rank > 0)
        return (Py_ssize_t)VIEW(self)->extent[0];
    PyErr_SetString(PyExc_TypeError, "an array without dimensions has no length");
    return -1;
}

static PyObject *matrix_multiply(PyObject *a, PyObject *b)
{
    return defer_on_type_error(core_multiply(a, b, NULL, NULL));
}

static PyMethodDef methods[] = {
    {"item", item, METH_NOARGS, "item($self)\n--\n\nThe only element as a Python number."},
    {"__complex__", to_complex, METH_NOARGS, NULL},
    {"_transpose", core_transpose, METH_O, NULL},
    {"_reshape", core_reshape, METH_O, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_bf_getbuffer, core_get_buffer},
    {Py_bf_releasebuffer, core_release_buffer},
    {Py_mp_subscript, core_get_item},
    {Py_mp_ass_subscript, core_set_item},
    {Py_mp_length, length},
    {Py_sq_item, core_get_index},
    {Py_sq_length, length},
    {Py_nb_add, add},
    {Py_nb_subtract, subtract},
    {Py_nb_multiply, multiply},
    {Py_nb_true_divide, divide},
    {Py_nb_floor_divide, floor_divide},
    {Py_nb_remainder, modulo},
    {Py_nb_power, power},
    {Py_nb_matrix_multiply, matrix_multiply},
    {Py_nb_inplace_add, inplace_add},
    {Py_nb_inplace_subtract, inplace_subtract},
    {Py_nb_inplace_multiply, inplace_multiply},
    {Py_nb_inplace_true_divide, inplace_divide},
    {Py_nb_inplace_floor_divide, inplace_floor_divide},
    {Py_nb_inplace_remainder, inplace_modulo},
    {Py_nb_negative, negative},
    {Py_nb_positive, positive},
    {Py_nb_absolute, absolute},
    {Py_nb_index, to_index},
    {Py_nb_float, to_float},
    {Py_nb_int, to_int},
    {Py_nb_bool, is_true},
    {0, NULL},
};

PyType_Spec *core_array_spec(void)
{
    static PyType_Spec spec = {.name = "steno._core.ArrayBase",
                               .basicsize = sizeof(core_array),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                                        Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    return &spec;
}
