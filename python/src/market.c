/* Matrix Market files. The Python layer decompresses and compresses them. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

static const char *const fields[] = {"real", "integer", "complex", "pattern"};
static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

/* A copy of the elements of a dense file. */
static PyObject *dense_array(const stn_market_matrix *file)
{
    const int64_t extents[] = {file->rows, file->columns};
    const stn_storage storage = stn_storage_of(file->value_format);
    core_array *array = core_array_create(&storage, 2, extents, 0);
    if (array)
        memcpy(array->view.data, file->values,
               (size_t)(file->entries * core_format_info(file->value_format)->bytes));
    return (PyObject *)array;
}

/* The arrays of a sparse file, which the capsule owns. */
static PyObject *sparse_matrix(stn_market_matrix *file)
{
    stn_matrix *matrix = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_market_wrap(&matrix, file, NULL));
    if (core_check(status) == 0)
        return core_matrix_capsule(matrix, NULL, file);
    stn_market_release(file);
    free(file);
    return NULL;
}

static PyObject *contents_of(stn_market_matrix *file)
{
    PyObject *about = Py_BuildValue("(ss)", fields[file->field], symmetries[file->symmetry]);
    PyObject *content;
    if (file->storage == STN_MARKET_DENSE) {
        content = dense_array(file);
        stn_market_release(file);
        free(file);
    } else {
        content = sparse_matrix(file);
    }
    PyObject *pair = about && content ? PyTuple_Pack(2, content, about) : NULL;
    Py_XDECREF(about);
    Py_XDECREF(content);
    return pair;
}

/* market_read(path, strict): a capsule of a matrix or an array; field and symmetry */
static PyObject *market_read(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *path;
    int strict;
    if (!PyArg_ParseTuple(arguments, "O&p", PyUnicode_FSConverter, &path, &strict))
        return NULL;
    stn_market_matrix *file = malloc(sizeof *file);
    PyObject *contents = NULL;
    if (file) {
        *file = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
        const char *name = PyBytes_AsString(path);
        const unsigned flags = strict ? 0 : STN_MARKET_SUM | STN_MARKET_LENIENT;
        stn_status status;
        CORE_WITHOUT_GIL(status, stn_market_read_file(file, name, flags));
        if (core_check(status) == 0)
            contents = contents_of(file);
        else
            free(file);
    } else {
        PyErr_NoMemory();
    }
    Py_DECREF(path);
    return contents;
}

static stn_market_field field_of(stn_format format)
{
    return core_is_integer(format)   ? STN_MARKET_INTEGER
           : core_is_complex(format) ? STN_MARKET_COMPLEX
                                     : STN_MARKET_REAL;
}

static void *data_of(PyObject *array)
{
    return array == Py_None ? NULL : ((core_array *)array)->view.data;
}

/* market_write(path, rows, columns, row_start, column, values): contiguous arrays in i64, i32, and
 * f64, i64 or c128; row_start and column are None for a dense matrix. */
static PyObject *market_write(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *path, *row_start, *column, *values;
    long long rows, columns;
    if (!PyArg_ParseTuple(arguments, "O&LLOOO!", PyUnicode_FSConverter, &path, &rows, &columns,
                          &row_start, &column, core->array_base, &values))
        return NULL;
    const stn_view *view = &((core_array *)values)->view;
    stn_market_matrix file = STN_MARKET_MATRIX_INIT;
    file.field = field_of(view->storage.format);
    file.storage = row_start == Py_None ? STN_MARKET_DENSE : STN_MARKET_CSR;
    file.rows = rows;
    file.columns = columns;
    file.entries = 1;
    for (int d = 0; d < view->rank; d++)
        file.entries *= view->extent[d];
    file.stored = file.entries;
    file.row_start = data_of(row_start);
    file.column = data_of(column);
    file.value_format = view->storage.format;
    file.values = view->data;
    const char *name = PyBytes_AsString(path);
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_market_write_file(&file, name));
    Py_DECREF(path);
    if (core_check(status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef core_market_functions[] = {
    {"market_read", market_read, METH_VARARGS, NULL},
    {"market_write", market_write, METH_VARARGS, NULL},
    {0},
};
