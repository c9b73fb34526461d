/* Arguments of functions. */
#include "core.h"

static int find_name(const core_signature *signature, PyObject *name)
{
    for (int k = 0; k < signature->count; k++)
        if (PyUnicode_CompareWithASCIIString(name, signature->names[k]) == 0)
            return k;
    PyErr_Format(PyExc_TypeError, "%s() has no parameter %R", signature->function, name);
    return -1;
}

int core_parse(const core_signature *signature, PyObject *const *arguments, Py_ssize_t count,
               PyObject *keywords, PyObject **values)
{
    if (count > signature->count) {
        PyErr_Format(PyExc_TypeError, "%s() has at most %d arguments, %zd given",
                     signature->function, signature->count, count);
        return -1;
    }
    for (int k = 0; k < signature->count; k++)
        values[k] = k < count ? arguments[k] : NULL;
    const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t k = 0; k < named; k++) {
        const int at = find_name(signature, PyTuple_GetItem(keywords, k));
        if (at < 0)
            return -1;
        if (values[at]) {
            PyErr_Format(PyExc_TypeError, "%s() has two values for %s", signature->function,
                         signature->names[at]);
            return -1;
        }
        values[at] = arguments[count + k];
    }
    for (int k = 0; k < signature->required; k++)
        if (!values[k]) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument %s", signature->function,
                         signature->names[k]);
            return -1;
        }
    return 0;
}

int core_expect_count(Py_ssize_t count, Py_ssize_t expected)
{
    if (count == expected)
        return 0;
    PyErr_Format(PyExc_TypeError, "%zd arguments expected, not %zd", expected, count);
    return -1;
}

int core_int64(PyObject *object, const char *name, int64_t *value)
{
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        PyErr_Format(PyExc_TypeError, "%s is %R, which is not an integer", name, object);
        return -1;
    }
    int overflow = 0;
    *value = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow) {
        PyErr_Format(PyExc_ValueError, "%s is %R, which exceeds 64 bits", name, object);
        return -1;
    }
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

int core_double(PyObject *object, const char *name, double *value)
{
    *value = PyFloat_AsDouble(object);
    if (*value == -1.0 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "%s is %R, which is not a real number", name, object);
        return -1;
    }
    return 0;
}

int core_complex(PyObject *object, const char *name, stn_c128 *value)
{
    value->re = PyComplex_RealAsDouble(object);
    if (value->re == -1.0 && PyErr_Occurred())
        goto failed;
    value->im = PyComplex_ImagAsDouble(object);
    if (value->im == -1.0 && PyErr_Occurred())
        goto failed;
    return 0;
failed:
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s is %R, which is not a number", name, object);
    return -1;
}

static int check_extent(int64_t extent)
{
    if (extent >= 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "the extent %lld is negative", (long long)extent);
    return -1;
}

int core_extents(PyObject *object, int *rank, int64_t *extents)
{
    if (PyIndex_Check(object) && !PySequence_Check(object)) {
        *rank = 1;
        return core_int64(object, "the shape", extents) < 0 ? -1 : check_extent(*extents);
    }
    const Py_ssize_t count = PySequence_Check(object) ? PySequence_Size(object) : -1;
    if (count < 0) {
        PyErr_Format(PyExc_TypeError, "the shape is %R, neither an integer nor a sequence", object);
        return -1;
    }
    if (count > STN_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "the shape has %zd dimensions; at most %d are supported",
                     count, STN_MAX_RANK);
        return -1;
    }
    *rank = (int)count;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *item = PySequence_GetItem(object, k);
        const int done = item ? core_int64(item, "an extent", &extents[k]) : -1;
        Py_XDECREF(item);
        if (done < 0 || check_extent(extents[k]) < 0)
            return -1;
    }
    return 0;
}

PyObject *core_tuple(int count, const int64_t *values)
{
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *value = PyLong_FromLongLong(values[k]);
        if (!value || PyTuple_SetItem(tuple, k, value) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}
