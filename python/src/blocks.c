/* Arrays in block formats: the memory of their blocks, which parts and other libraries share. */
#include "core.h"

#include <string.h>

/* Type strings of NumPy for codes and scales, and elements of codes per block. Formats of 6 and 4
 * bits are packed into bytes. */
#define CODE_INT8      "|i1"
#define CODE_INT16     "<i2"
#define CODE_INT32     "<i4"
#define CODE_E4M3      "|u1"
#define CODE_E5M2      "|u1"
#define CODE_E3M2      "|u1"
#define CODE_E2M3      "|u1"
#define CODE_E2M1      "|u1"
#define COUNT_INT8(n)  n
#define COUNT_INT16(n) n
#define COUNT_INT32(n) n
#define COUNT_E4M3(n)  n
#define COUNT_E5M2(n)  n
#define COUNT_E3M2(n)  n * 6 / 8
#define COUNT_E2M3(n)  n * 6 / 8
#define COUNT_E2M1(n)  n * 4 / 8
#define SCALE_EXPONENT "<i2"
#define SCALE_E8M0     "|u1"
#define SCALE_UE4M3    "|u1"
#define IS_INLINE      1
#define IS_SEPARATE    0

typedef struct block_type {
    const char *code, *scale;
    int codes;
    int is_inline;
} block_type;

#define ROW(id, NAME, name, element, elements, scale, placement)                                   \
    {CODE_##element, SCALE_##scale, COUNT_##element(elements), IS_##placement},
static const block_type types[] = {STN_BLOCK_TABLE(ROW)};

int core_is_block(stn_format format)
{
    return format >= STN_BUILTIN_FORMATS;
}

static const block_type *type_of(stn_format format)
{
    return &types[format - STN_BUILTIN_FORMATS];
}

static int64_t bytes_of_type(const char *type)
{
    return type[2] - '0';
}

static int64_t code_bytes(const block_type *type)
{
    return type->codes * bytes_of_type(type->code);
}

static int64_t blocks_of(int64_t elements, stn_format format)
{
    const int64_t block = core_format_info(format)->block_elements;
    return elements / block + (elements % block != 0);
}

size_t core_block_bytes(stn_format format, int rank, const int64_t *extents)
{
    size_t bytes = (size_t)core_format_info(format)->block_bytes;
    for (int d = 0; d < rank; d++) {
        const int64_t count = d == rank - 1 ? blocks_of(extents[d], format) : extents[d];
        if (__builtin_mul_overflow(bytes, (size_t)count, &bytes))
            return 0;
    }
    return bytes;
}

stn_status core_block_create(stn_view *view, const stn_view_spec *spec, void *memory, size_t bytes)
{
    const stn_format format = spec->storage.format;
    const block_type *type = type_of(format);
    const int64_t blocks = (int64_t)bytes / core_format_info(format)->block_bytes;
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    arrays.codes = memory;
    arrays.scales = type->is_inline ? NULL : (char *)memory + blocks * code_bytes(type);
    return stn_view_wrap_blocks(view, spec, &arrays);
}

/* ---- memory of parts ---- */

/* The dimension of a part that consists of blocks, or -1. */
static int block_dimension(const stn_view *view, const stn_view *whole)
{
    int found = -1;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] == whole->rank - 1 && (found < 0 || view->stride[d] != 0))
            found = d;
    return found;
}

static const stn_view *whole_of(PyObject *self)
{
    core_array *array = (core_array *)self;
    return array->owner && core_is_array(array->owner) ? &((core_array *)array->owner)->view
                                                       : &array->view;
}

static PyObject *export_bytes(const char *type, const void *data, const stn_view *view,
                              const int64_t *extents, const int64_t *strides, int rank)
{
    static const char empty[1];
    return Py_BuildValue("{s:i,s:s,s:(NO),s:N,s:N}", "version", 3, "typestr", type, "data",
                         PyLong_FromVoidPtr(data ? (void *)(uintptr_t)data : (void *)empty),
                         view->read_only ? Py_True : Py_False, "shape", core_tuple(rank, extents),
                         "strides", core_tuple(rank, strides));
}

/* The number of the first block of a part, and the distances of blocks along its dimensions. The
 * strides of a part are in indices of the whole array. */
static int64_t place_of(const stn_view *view, const stn_view *whole, int64_t row_blocks,
                        int64_t *extents, int64_t *steps)
{
    const stn_format format = view->storage.format;
    const int last = whole->rank - 1, along = block_dimension(view, whole);
    const int64_t row = whole->extent[last], elements = core_format_info(format)->block_elements;
    int64_t of_whole[STN_MAX_RANK];
    of_whole[last] = 1;
    for (int d = last - 1; d >= 0; d--)
        of_whole[d] = d == last - 1 ? row_blocks : of_whole[d + 1] * whole->extent[d + 1];
    for (int d = 0; d < view->rank; d++) {
        extents[d] = d == along ? blocks_of(view->extent[d], format) : view->extent[d];
        steps[d] = d == along ? 1 : view->stride[d] * of_whole[view->axis[d]];
    }
    return (int64_t)view->first / row * row_blocks + (int64_t)view->first % row / elements;
}

typedef enum block_part { PART_CODES, PART_SCALES, PART_BLOCKS } block_part;

/* block_interface(array, part): __array_interface__ of the codes, one row per block, of the scales,
 * one per block, or of the bytes of whole blocks, which are None if scales are separate. */
static PyObject *block_interface(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    int64_t part, extents[STN_MAX_RANK + 1] = {0}, strides[STN_MAX_RANK + 1] = {0};
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    if (core_expect_count(count, 2) < 0 || core_int64(arguments[1], "part", &part) < 0)
        return NULL;
    const stn_view *view = core_block_view(arguments[0]);
    if (!view)
        return NULL;
    const stn_view *whole = whole_of(arguments[0]);
    const block_type *type = type_of(view->storage.format);
    const char *data = NULL, *text = type->code;
    if (stn_view_count(view) > 0) {
        if (core_check(stn_view_blocks(whole, &arrays)) < 0)
            return NULL;
        const int64_t first = place_of(view, whole, arrays.row_blocks, extents, strides);
        const int64_t step = part == PART_CODES ? arrays.code_step : arrays.scale_step;
        data = (const char *)(part == PART_CODES ? arrays.codes : arrays.scales) + first * step;
        for (int d = 0; d < view->rank; d++)
            strides[d] *= step;
    } else {
        for (int d = 0; d < view->rank; d++)
            extents[d] = d == view->rank - 1 ? blocks_of(view->extent[d], view->storage.format)
                                             : view->extent[d];
    }
    int rank = view->rank;
    if (part == PART_SCALES) {
        text = type->scale;
    } else if (part == PART_CODES) {
        extents[rank] = type->codes;
        strides[rank++] = bytes_of_type(text);
    } else {
        const int64_t bytes = core_format_info(view->storage.format)->block_bytes;
        if (!type->is_inline ||
            (arrays.codes &&
             (arrays.scale_step != bytes ||
              (char *)arrays.codes != (char *)arrays.scales + bytes - code_bytes(type))))
            Py_RETURN_NONE;
        text = "|u1";
        extents[rank] = bytes;
        strides[rank++] = 1;
    }
    return export_bytes(text, data, view, extents, strides, rank);
}

int64_t core_block_view_bytes(PyObject *self)
{
    const stn_view *view = &((core_array *)self)->view;
    const int along = block_dimension(view, whole_of(self));
    int64_t bytes = core_format_info(view->storage.format)->block_bytes;
    for (int d = 0; d < view->rank; d++)
        bytes *= d == along ? blocks_of(view->extent[d], view->storage.format) : view->extent[d];
    return bytes;
}

/* block_axis(array): the dimension that consists of blocks, or -1. */
static PyObject *block_axis(PyObject *module, PyObject *object)
{
    (void)module;
    const stn_view *view = core_block_view(object);
    return view ? PyLong_FromLong(block_dimension(view, whole_of(object))) : NULL;
}

const stn_view *core_block_view(PyObject *object)
{
    if (core_is_array(object) && core_is_block(((core_array *)object)->view.storage.format))
        return &((core_array *)object)->view;
    PyErr_Format(PyExc_TypeError, "%R is not an array in a block format", object);
    return NULL;
}

/* ---- wrapping ---- */

/* Whether blocks of bytes follow each other at one distance, in C order. */
static int has_step(const stn_view *view, int64_t *step)
{
    int64_t expected = 0;
    for (int d = view->rank - 2; d >= 0; d--) {
        if (view->extent[d] == 1)
            continue;
        if (expected == 0)
            expected = *step = view->stride[d];
        if (view->stride[d] != expected)
            return 0;
        expected *= view->extent[d];
    }
    return view->stride[view->rank - 1] == 1 || view->extent[view->rank - 1] == 1;
}

/* Arrays of bytes whose last dimension is a block; the others are those of the blocks. */
static int check_blocks(const stn_view *bytes, const char *what, int64_t expected,
                        stn_format format, int rank, const int64_t *extents)
{
    int matches = bytes->rank == rank + 1;
    for (int d = 0; d < rank && matches; d++)
        matches = bytes->extent[d] == (d == rank - 1 ? blocks_of(extents[d], format) : extents[d]);
    if (!matches) {
        PyObject *shape = core_tuple(rank, extents);
        if (shape)
            PyErr_Format(PyExc_ValueError,
                         "%s do not have one row or element for each block of %lld elements of an "
                         "array of the shape %R",
                         what, (long long)core_format_info(format)->block_elements, shape);
        Py_XDECREF(shape);
        return -1;
    }
    if (bytes->extent[rank] == expected)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s of %s have %lld bytes per block, not %lld", what,
                 core_format_info(format)->name, (long long)expected,
                 (long long)bytes->extent[rank]);
    return -1;
}

/* wrap_blocks(codes, scales, shape, *storage): an array of blocks in arrays of bytes, which are
 * shared; None if they must be copied, because they have no common distance. */
static PyObject *wrap_blocks(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_storage storage;
    int rank;
    int64_t extents[STN_MAX_RANK];
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    if (count < 2 || !core_is_array(arguments[0]) || !core_is_array(arguments[1]) ||
        ((core_array *)arguments[0])->view.storage.format != STN_U8 ||
        ((core_array *)arguments[1])->view.storage.format != STN_U8) {
        PyErr_SetString(PyExc_TypeError, "wrap_blocks() needs two arrays of bytes");
        return NULL;
    }
    const stn_view *codes = &((core_array *)arguments[0])->view;
    const stn_view *scales = &((core_array *)arguments[1])->view;
    if (core_expect_count(count, 3 + CORE_STORAGE_ARGUMENTS) < 0 ||
        core_extents(arguments[2], &rank, extents) < 0 || core_storage(arguments + 3, &storage) < 0)
        return NULL;
    if (!core_is_block(storage.format) || rank == 0) {
        PyErr_SetString(PyExc_ValueError, "wrap_blocks() needs a block format and dimensions");
        return NULL;
    }
    const block_type *type = type_of(storage.format);
    if (check_blocks(codes, "codes", code_bytes(type), storage.format, rank, extents) < 0 ||
        check_blocks(scales, "scales", bytes_of_type(type->scale), storage.format, rank, extents) <
            0)
        return NULL;
    if (stn_view_count(codes) == 0)
        return (PyObject *)core_array_create(&storage, rank, extents, 0);
    if (!has_step(codes, &arrays.code_step) || !has_step(scales, &arrays.scale_step) ||
        (arrays.code_step && arrays.code_step < code_bytes(type)) ||
        (arrays.scale_step && arrays.scale_step < bytes_of_type(type->scale)))
        Py_RETURN_NONE;
    core_array *array = core_array_new();
    if (!array)
        return NULL;
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.label = "array";
    spec.storage = storage;
    spec.rank = rank;
    spec.extents = extents;
    arrays.codes = codes->data;
    arrays.scales = scales->data;
    array->owner = PyTuple_Pack(2, arguments[0], arguments[1]);
    if (!array->owner || core_check(stn_view_wrap_blocks(&array->view, &spec, &arrays)) < 0)
        Py_CLEAR(array);
    else
        array->view.read_only = codes->read_only || scales->read_only;
    return (PyObject *)array;
}

PyMethodDef core_block_functions[] = {
    {"block_interface", (PyCFunction)(void (*)(void))block_interface, METH_FASTCALL, NULL},
    {"block_axis", block_axis, METH_O, NULL},
    {"wrap_blocks", (PyCFunction)(void (*)(void))wrap_blocks, METH_FASTCALL, NULL},
    {0},
};
