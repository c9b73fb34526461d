/* Indices, slices, permutations and assignment. */
#include "core.h"

#define VIEW(object) (&((core_array *)(object))->view)

/* A parsed key: slices of the dimensions of the array, and new dimensions of the result. */
typedef struct selection {
    stn_slice slices[STN_MAX_RANK];
    int added[STN_MAX_RANK]; /* positions of new dimensions in the result */
    int new_dimensions;
    int rank; /* of the result so far */
    int is_element;
} selection;

/* An integer, a slice, Ellipsis or None; all other parts of keys select elements by lists. */
static int is_part(PyObject *key)
{
    if (PyBool_Check(key))
        return 0;
    return PyLong_Check(key) || key == Py_Ellipsis || key == Py_None || PySlice_Check(key) ||
           (PyIndex_Check(key) && !PySequence_Check(key));
}

static int is_basic(PyObject *key)
{
    if (!PyTuple_Check(key))
        return is_part(key);
    const Py_ssize_t count = PyTuple_Size(key);
    for (Py_ssize_t k = 0; k < count; k++)
        if (!is_part(PyTuple_GetItem(key, k)))
            return 0;
    return 1;
}

static int check_index(int64_t *index, int64_t extent, int dimension)
{
    if (*index >= -extent && *index < extent) {
        *index += *index < 0 ? extent : 0;
        return 0;
    }
    PyErr_Format(PyExc_IndexError, "index %lld is out of range for dimension %d with extent %lld",
                 (long long)*index, dimension, (long long)extent);
    return -1;
}

static int select_index(selection *selected, PyObject *key, const stn_view *view, int dimension)
{
    const Py_ssize_t at = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred())
        return -1;
    int64_t index = at;
    if (check_index(&index, view->extent[dimension], dimension) < 0)
        return -1;
    selected->slices[dimension] = stn_slice_index(index);
    return 0;
}

static int select_slice(selection *selected, PyObject *key, const stn_view *view, int dimension)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return -1;
    const Py_ssize_t extent = (Py_ssize_t)view->extent[dimension];
    const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
    selected->slices[dimension] = count == 0 ? stn_slice_strided(0, 0, 1)
                                  : count == extent && step == 1
                                      ? stn_slice_all()
                                      : stn_slice_strided(start, count, count == 1 ? 1 : step);
    selected->rank++;
    selected->is_element = 0;
    return 0;
}

static int select_all(selection *selected, int from, int to)
{
    for (int d = from; d < to; d++, selected->rank++)
        selected->slices[d] = stn_slice_all();
    selected->is_element = 0;
    return to;
}

static int select_new(selection *selected)
{
    if (selected->rank + 1 > STN_MAX_RANK || selected->new_dimensions >= STN_MAX_RANK) {
        PyErr_Format(PyExc_IndexError, "an array has at most %d dimensions", STN_MAX_RANK);
        return -1;
    }
    selected->added[selected->new_dimensions++] = selected->rank++;
    selected->is_element = 0;
    return 0;
}

static int parse_key(selection *selected, PyObject *key, const stn_view *view)
{
    const Py_ssize_t parts = PyTuple_Check(key) ? PyTuple_Size(key) : 1;
    int used = 0, dimension = 0, ellipses = 0;
    for (Py_ssize_t k = 0; k < parts; k++) {
        PyObject *part = PyTuple_Check(key) ? PyTuple_GetItem(key, k) : key;
        ellipses += part == Py_Ellipsis;
        used += part != Py_Ellipsis && part != Py_None;
    }
    if (used > view->rank || ellipses > 1) {
        PyErr_Format(PyExc_IndexError,
                     ellipses > 1 ? "an index has at most one ellipsis"
                                  : "%d indices for an array with %d dimensions",
                     used, view->rank);
        return -1;
    }
    selected->new_dimensions = selected->rank = 0;
    selected->is_element = used == view->rank;
    for (Py_ssize_t k = 0; k < parts; k++) {
        PyObject *part = PyTuple_Check(key) ? PyTuple_GetItem(key, k) : key;
        int done = 0;
        if (part == Py_Ellipsis)
            dimension = select_all(selected, dimension, dimension + view->rank - used);
        else if (part == Py_None)
            done = select_new(selected);
        else if (PySlice_Check(part))
            done = select_slice(selected, part, view, dimension++);
        else
            done = select_index(selected, part, view, dimension++);
        if (done < 0)
            return -1;
    }
    if (dimension < view->rank)
        (void)select_all(selected, dimension, view->rank);
    return 0;
}

/* Applies a selection to a view that borrows its handle. */
static int cut(stn_view *part, const stn_view *view, const selection *selected)
{
    const stn_status status = stn_view_slice(part, view, view->rank, selected->slices);
    if (status == STN_ERR_UNSUPPORTED && core_is_block(view->storage.format)) {
        const stn_format_info *info = core_format_info(view->storage.format);
        const long long elements = (long long)info->block_elements;
        PyErr_Format(PyExc_ValueError,
                     "the index would cut blocks of %lld elements: a part of an array in %s begins "
                     "at a multiple of %lld, has step 1, and ends at a multiple or at the end. "
                     "a.astype(\"f32\") has any parts",
                     elements, info->name, elements);
        return -1;
    }
    if (core_check(status) < 0)
        return -1;
    for (int k = 0; k < selected->new_dimensions; k++)
        if (core_check(stn_view_insert_axis(part, part, selected->added[k])) < 0)
            return -1;
    return 0;
}

/* Elements of blocks have no addresses, but values. */
static void indices_of(int64_t *indices, const stn_view *view, const selection *selected)
{
    for (int d = 0; d < view->rank; d++)
        indices[d] = selected->slices[d].begin;
}

static PyObject *block_element(const stn_view *view, const selection *selected)
{
    int64_t indices[STN_MAX_RANK];
    double value;
    indices_of(indices, view, selected);
    return core_check(stn_view_get(view, view->rank, indices, &value)) < 0
               ? NULL
               : PyFloat_FromDouble(value);
}

static int set_block_element(const stn_view *view, const selection *selected, PyObject *value)
{
    int64_t indices[STN_MAX_RANK];
    double number;
    indices_of(indices, view, selected);
    return core_double(value, "the value", &number) < 0
               ? -1
               : core_check(stn_view_set(view, view->rank, indices, number));
}

PyObject *core_get_item(PyObject *self, PyObject *key)
{
    selection selected;
    if (!is_basic(key))
        return PyObject_CallFunctionObjArgs(core->pick, self, key, NULL);
    if (parse_key(&selected, key, VIEW(self)) < 0)
        return NULL;
    if (selected.is_element && core_is_block(VIEW(self)->storage.format))
        return block_element(VIEW(self), &selected);
    if (selected.is_element) {
        stn_view element;
        return cut(&element, VIEW(self), &selected) < 0 ? NULL : core_scalar(&element);
    }
    core_array *part = core_array_part((core_array *)self);
    if (part && cut(&part->view, VIEW(self), &selected) < 0)
        Py_CLEAR(part);
    return (PyObject *)part;
}

PyObject *core_get_index(PyObject *self, Py_ssize_t index)
{
    PyObject *key = PyLong_FromSsize_t(index), *result = key ? core_get_item(self, key) : NULL;
    Py_XDECREF(key);
    return result;
}

/* ---- assignment ---- */

static core_array *copy_of(const stn_view *view, stn_format format)
{
    const stn_storage storage = stn_storage_of(format);
    core_array *copy = core_array_create(&storage, view->rank, view->extent, 0);
    stn_status status;
    if (!copy)
        return NULL;
    CORE_WITHOUT_GIL(status, stn_view_copy(core_exec(), &copy->view, view));
    if (core_check(status) < 0)
        Py_CLEAR(copy);
    return copy;
}

static int assign_view(const stn_view *view, const stn_view *value)
{
    stn_view source = *value;
    core_array *copy = NULL;
    const stn_exec *exec = core_exec();
    if (!exec)
        return -1;
    source.owner = NULL;
    while (source.rank > view->rank && source.extent[0] == 1) {
        stn_slice slices[STN_MAX_RANK];
        for (int d = 0; d < source.rank; d++)
            slices[d] = d == 0 ? stn_slice_index(0) : stn_slice_all();
        if (core_check(stn_view_slice(&source, &source, source.rank, slices)) < 0)
            return -1;
    }
    stn_status status = STN_OK;
    int done = 0;
    int is_repeated = source.rank != view->rank;
    for (int d = 0; d < source.rank && !is_repeated; d++)
        is_repeated = source.extent[d] != view->extent[d];
    if (is_repeated && source.extra && !core_is_unscaled(&source) && stn_view_count(&source) > 0) {
        /* Strides of 0 would not apply to scales. */
        copy = copy_of(&source, core_value_format(&source));
        done = copy ? 0 : -1;
        if (copy)
            source = copy->view;
    }
    if (done == 0)
        done = core_broadcast(&source, view->rank, view->extent);
    if (done == 0) {
        CORE_WITHOUT_GIL(status, stn_view_copy(exec, view, &source));
        if (status == STN_ERR_ALIAS && !copy && !view->read_only) {
            copy = copy_of(&source, core_value_format(&source));
            if (copy)
                CORE_WITHOUT_GIL(status, stn_view_copy(exec, view, &copy->view));
            done = copy ? 0 : -1;
        }
        if (done == 0)
            done = core_check(status);
    }
    Py_XDECREF((PyObject *)copy);
    return done;
}

int core_assign(const stn_view *view, PyObject *value)
{
    core_operand operand;
    if (PyFloat_CheckExact(value) && !core_is_complex(view->storage.format)) {
        const stn_exec *exec = core_exec();
        stn_status status;
        if (!exec)
            return -1;
        CORE_WITHOUT_GIL(status, stn_view_fill(exec, view, PyFloat_AsDouble(value)));
        return core_check(status);
    }
    if (core_operand_get(&operand, value, "the value") < 0)
        return -1;
    int done = -1;
    if (core_is_complex(operand.view.storage.format) && !core_is_complex(view->storage.format))
        PyErr_SetString(PyExc_TypeError, "complex values cannot be assigned to a real array");
    else if (!core_is_complex(view->storage.format) || core_make_complex(&operand) == 0)
        done = assign_view(view, &operand.view);
    core_operand_release(&operand);
    return done;
}

int core_set_item(PyObject *self, PyObject *key, PyObject *value)
{
    selection selected;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
        return -1;
    }
    if (!is_basic(key)) {
        PyObject *done = PyObject_CallFunctionObjArgs(core->put, self, key, value, NULL);
        Py_XDECREF(done);
        return done ? 0 : -1;
    }
    stn_view part;
    if (parse_key(&selected, key, VIEW(self)) < 0)
        return -1;
    if (selected.is_element && core_is_block(VIEW(self)->storage.format))
        return set_block_element(VIEW(self), &selected, value);
    if (cut(&part, VIEW(self), &selected) < 0)
        return -1;
    return core_assign(&part, value);
}

/* ---- other shapes ---- */

static int parse_order(PyObject *object, int rank, int *order)
{
    int64_t values[STN_MAX_RANK];
    for (int d = 0; d < rank; d++)
        order[d] = rank - 1 - d;
    if (!object || object == Py_None)
        return 0;
    const Py_ssize_t count = PyTuple_Check(object) ? PyTuple_Size(object) : -1;
    if (count != rank) {
        PyErr_Format(PyExc_ValueError, "the axes %R are not those of an array with %d dimensions",
                     object, rank);
        return -1;
    }
    for (int d = 0; d < rank; d++) {
        if (core_int64(PyTuple_GetItem(object, d), "an axis", &values[d]) < 0)
            return -1;
        if (values[d] < -rank || values[d] >= rank) {
            PyErr_Format(PyExc_ValueError, "axis %lld is out of range for %d dimensions",
                         (long long)values[d], rank);
            return -1;
        }
        order[d] = (int)(values[d] < 0 ? values[d] + rank : values[d]);
    }
    return 0;
}

PyObject *core_transpose(PyObject *self, PyObject *axes)
{
    int order[STN_MAX_RANK];
    const int rank = VIEW(self)->rank;
    if (parse_order(axes, rank, order) < 0)
        return NULL;
    core_array *part = core_array_part((core_array *)self);
    if (part && core_check(stn_view_permute(&part->view, VIEW(self), rank, order)) < 0)
        Py_CLEAR(part);
    return (PyObject *)part;
}

static int is_right(const stn_view *view)
{
    int64_t stride = 1;
    if (stn_view_count(view) == 0)
        return 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        if (view->extent[d] > 1 && view->stride[d] != stride)
            return 0;
        stride *= view->extent[d];
    }
    return 1;
}

/* _reshape(shape): a view with other extents of a contiguous array; None if it must be copied. */
PyObject *core_reshape(PyObject *self, PyObject *shape)
{
    int rank;
    int64_t extents[STN_MAX_RANK], count = 1;
    const stn_view *view = VIEW(self);
    if (core_extents(shape, &rank, extents) < 0)
        return NULL;
    for (int d = 0; d < rank; d++)
        if (__builtin_mul_overflow(count, extents[d], &count))
            count = -1;
    if (count != stn_view_count(view)) {
        PyErr_Format(PyExc_ValueError, "an array with %lld elements cannot have the shape %R",
                     (long long)stn_view_count(view), shape);
        return NULL;
    }
    if (!is_right(view) || view->extra)
        Py_RETURN_NONE;
    core_array *part = core_array_part((core_array *)self);
    if (!part)
        return NULL;
    if (core_check(stn_view_wrap(&part->view, NULL, view->storage, view->data, rank, extents)) < 0)
        Py_CLEAR(part);
    else
        part->view.read_only = view->read_only;
    return (PyObject *)part;
}
