/* Sparse matrices: creation, conversion, properties and products. */
#include "sparse.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char capsule_name[] = "steno.matrix";

/* Arrays of a matrix, in the order of set_arrays(). */
enum { ROW_SCALES = 6, MEMBERS };

static const struct {
    const char *name;
    stn_matrix_kind kind;
} kinds[] = {{"auto", STN_MATRIX_AUTO},    {"csr", STN_MATRIX_CSR}, {"sliced", STN_MATRIX_SLICED},
             {"coo", STN_MATRIX_COO},      {"ell", STN_MATRIX_ELL}, {"sell", STN_MATRIX_SELL},
             {"packed", STN_MATRIX_PACKED}};

static const char *kind_name(stn_matrix_kind kind)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].kind == kind)
            return kinds[k].name;
    return "unknown";
}

static int parse_kind(PyObject *object, stn_matrix_kind *kind)
{
    const char *name = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    for (size_t k = 0; name && k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, name) == 0) {
            *kind = kinds[k].kind;
            return 0;
        }
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError,
                     "kind is %R, which is not one of auto, csr, sliced, coo, ell, sell, packed",
                     object);
    return -1;
}

/* ---- capsules ---- */

static void destroy(stn_matrix *matrix, PyObject *kept, stn_market_matrix *file)
{
    PyThreadState *thread = PyEval_SaveThread();
    stn_matrix_release(matrix);
    stn_market_release(file);
    PyEval_RestoreThread(thread);
    free(file);
    Py_XDECREF(kept);
}

static void destroy_capsule(PyObject *capsule)
{
    core_matrix *matrix = PyCapsule_GetPointer(capsule, capsule_name);
    destroy(matrix->matrix, matrix->kept, matrix->file);
    free(matrix);
}

PyObject *core_matrix_capsule(stn_matrix *matrix, PyObject *kept, stn_market_matrix *file)
{
    core_matrix *made = malloc(sizeof *made);
    PyObject *capsule = NULL;
    if (made) {
        *made = (core_matrix){.matrix = matrix, .kept = kept, .file = file};
        capsule = PyCapsule_New(made, capsule_name, destroy_capsule);
    } else {
        PyErr_NoMemory();
    }
    if (!capsule) {
        free(made);
        destroy(matrix, kept, file);
    }
    return capsule;
}

int core_is_matrix(PyObject *object)
{
    return PyCapsule_IsValid(object, capsule_name);
}

static core_matrix *matrix_of(PyObject *capsule)
{
    if (!core_is_matrix(capsule)) {
        PyErr_Format(PyExc_TypeError, "%R is not a sparse matrix", capsule);
        return NULL;
    }
    return PyCapsule_GetPointer(capsule, capsule_name);
}

/* ---- calls that read or change a matrix ---- */

/* Numbers of calls are guarded by the GIL. A waiting thread releases it while it holds the mutex.
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t call_ended = PTHREAD_COND_INITIALIZER;

/* Calls of this thread that read matrices: more than one if a solver calls functions of Python. */
static _Thread_local int calls_of_thread;

static void notify(void)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&call_ended);
    pthread_mutex_unlock(&mutex);
}

/* Waits for the end of a call of another thread, or a tenth of a second. Returns -1 if a handler of
 * a signal has raised an exception. */
static int wait_for_call(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 100 * 1000 * 1000;
    end.tv_sec += end.tv_nsec / (1000 * 1000 * 1000);
    end.tv_nsec %= 1000 * 1000 * 1000;
    pthread_mutex_lock(&mutex);
    PyThreadState *thread = PyEval_SaveThread();
    pthread_cond_timedwait(&call_ended, &mutex, &end);
    pthread_mutex_unlock(&mutex);
    PyEval_RestoreThread(thread);
    return PyErr_CheckSignals();
}

core_matrix *core_matrix_begin(PyObject *capsule)
{
    core_matrix *matrix = matrix_of(capsule);
    if (!matrix)
        return NULL;
    /* Continual products of several threads would not let a change begin. One wait is enough, and
     * there is no deadlock if the call for which the change waits depends on this one. */
    if (matrix->waiting > 0 && calls_of_thread == 0 && wait_for_call() < 0)
        return NULL;
    while (matrix->users < 0)
        if (wait_for_call() < 0)
            return NULL;
    matrix->users++;
    calls_of_thread++;
    return matrix;
}

void core_matrix_end(core_matrix *matrix)
{
    calls_of_thread--;
    matrix->users--;
    if (matrix->users == 0 && matrix->waiting > 0)
        notify();
}

/* Begins a call that changes the matrix, which no other call may use. */
static core_matrix *begin_change(PyObject *capsule)
{
    core_matrix *matrix = matrix_of(capsule);
    if (!matrix)
        return NULL;
    if (calls_of_thread > 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a function that a solver or a product calls cannot change a matrix");
        return NULL;
    }
    int done = 0;
    matrix->waiting++;
    while (matrix->users != 0 && done == 0)
        done = wait_for_call();
    matrix->waiting--;
    if (done < 0)
        return NULL;
    matrix->users = -1;
    return matrix;
}

static void end_change(core_matrix *matrix)
{
    matrix->users = 0;
    notify();
}

static int expect_count(Py_ssize_t count, Py_ssize_t expected)
{
    if (count == expected)
        return 0;
    PyErr_Format(PyExc_TypeError, "%zd arguments expected, not %zd", expected, count);
    return -1;
}

/* A capsule of a matrix that a call with this status has created. `kept`: NULL, or arrays to which
 * the matrix refers. */
static PyObject *created(stn_status status, stn_matrix *matrix, PyObject *kept)
{
    return core_check(status) < 0 ? NULL : core_matrix_capsule(matrix, Py_XNewRef(kept), NULL);
}

/* The scales of rows, which conversions share. */
static PyObject *row_scales_of(const core_matrix *a)
{
    return a->kept && PyTuple_Check(a->kept) ? PyTuple_GetItem(a->kept, ROW_SCALES) : a->kept;
}

/* ---- creation ---- */

/* Sets the views of the arrays, which are None if they are missing. */
static int set_arrays(stn_matrix_views *views, PyObject *arrays)
{
    stn_view *const members[MEMBERS] = {
        &views->row_start,   &views->row,          &views->column,    &views->values,
        &views->slice_start, &views->row_position, &views->row_scales};
    if (!PyTuple_Check(arrays) || PyTuple_Size(arrays) != MEMBERS) {
        PyErr_Format(PyExc_TypeError, "%d arrays expected", (int)MEMBERS);
        return -1;
    }
    for (int k = 0; k < MEMBERS; k++) {
        PyObject *array = PyTuple_GetItem(arrays, k);
        if (array == Py_None)
            continue;
        if (!core_is_array(array)) {
            PyErr_Format(PyExc_TypeError, "%R is not an array", array);
            return -1;
        }
        *members[k] = ((core_array *)array)->view;
    }
    return 0;
}

/* matrix_wrap(kind, rows, columns, arrays, height) */
static PyObject *matrix_wrap(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    views.duplicates = STN_DUPLICATES_SUM;
    if (expect_count(count, 5) < 0 || parse_kind(arguments[0], &views.kind) < 0 ||
        core_int64(arguments[1], "rows", &views.rows) < 0 ||
        core_int64(arguments[2], "columns", &views.columns) < 0 ||
        set_arrays(&views, arguments[3]) < 0 ||
        core_int64(arguments[4], "height", &views.height) < 0)
        return NULL;
    stn_matrix *matrix = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_matrix_wrap_views(&matrix, &views));
    return created(status, matrix, arguments[3]);
}

/* matrix_convert(matrix, kind, format or None, height, sigma) */
static PyObject *matrix_convert(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_matrix_kind kind;
    stn_format format = STN_F64;
    int64_t height, sigma;
    const stn_exec *exec = core_exec();
    if (!exec || expect_count(count, 5) < 0 || parse_kind(arguments[1], &kind) < 0 ||
        (arguments[2] != Py_None && core_format(arguments[2], &format) < 0) ||
        core_int64(arguments[3], "height", &height) < 0 ||
        core_int64(arguments[4], "sigma", &sigma) < 0)
        return NULL;
    const stn_storage chosen = stn_storage_of(format);
    const stn_storage *storage = arguments[2] == Py_None ? NULL : &chosen;
    core_matrix *a = core_matrix_begin(arguments[0]);
    if (!a)
        return NULL;
    stn_matrix *made = NULL;
    stn_status status;
    if (kind == STN_MATRIX_SELL)
        CORE_WITHOUT_GIL(status,
                         stn_sparse_convert_sell(exec, &made, a->matrix, height, sigma, storage));
    else
        CORE_WITHOUT_GIL(status, stn_sparse_convert(exec, &made, a->matrix, kind, storage));
    core_matrix_end(a);
    return created(status, made, row_scales_of(a));
}

/* matrix_bytes(matrix, kind, format) */
static PyObject *matrix_bytes(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_matrix_kind kind;
    stn_format format;
    if (expect_count(count, 3) < 0 || parse_kind(arguments[1], &kind) < 0 ||
        core_format(arguments[2], &format) < 0)
        return NULL;
    core_matrix *a = core_matrix_begin(arguments[0]);
    if (!a)
        return NULL;
    int64_t bytes = 0;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_sparse_bytes(a->matrix, kind, format, &bytes));
    core_matrix_end(a);
    return core_check(status) < 0 ? NULL : PyLong_FromLongLong(bytes);
}

/* matrix_transpose(matrix) */
static PyObject *matrix_transpose(PyObject *module, PyObject *capsule)
{
    (void)module;
    const stn_exec *exec = core_exec();
    core_matrix *a = exec ? core_matrix_begin(capsule) : NULL;
    if (!a)
        return NULL;
    stn_matrix *made = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_sparse_transpose(exec, &made, a->matrix));
    core_matrix_end(a);
    return created(status, made, NULL);
}

/* matrix_compensate(matrix, format) */
static PyObject *matrix_compensate(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_format format;
    const stn_exec *exec = core_exec();
    if (!exec || expect_count(count, 2) < 0 || core_format(arguments[1], &format) < 0)
        return NULL;
    core_matrix *a = core_matrix_begin(arguments[0]);
    if (!a)
        return NULL;
    const stn_storage storage = stn_storage_of(format);
    stn_matrix *made = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_sparse_compensate(exec, &made, a->matrix, &storage));
    core_matrix_end(a);
    return created(status, made, NULL);
}

/* ---- selection of the storage of products ---- */

static PyObject *report_of(const stn_optimize_report *report)
{
    return Py_BuildValue("{s:s,s:s,s:L,s:d,s:d,s:d,s:N,s:s}", "kind", kind_name(report->kind),
                         "other_kind", kind_name(report->other_kind), "bytes",
                         (long long)report->bytes, "original_seconds", report->original_seconds,
                         "other_seconds", report->other_seconds, "conversion_seconds",
                         report->conversion_seconds, "is_timed", PyBool_FromLong(report->is_timed),
                         "reason", report->reason);
}

/* matrix_optimize(matrix, expected_products, kind, by_model, max_bytes, arithmetic) */
static PyObject *matrix_optimize(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
    stn_format arithmetic;
    int64_t products;
    const stn_exec *exec = core_exec();
    if (!exec || expect_count(count, 6) < 0 ||
        core_int64(arguments[1], "expected_products", &products) < 0 ||
        parse_kind(arguments[2], &options.kind) < 0 ||
        core_int64(arguments[4], "max_bytes", &options.max_bytes) < 0 ||
        core_format(arguments[5], &arithmetic) < 0)
        return NULL;
    options.method = PyObject_IsTrue(arguments[3]) ? STN_OPTIMIZE_MODEL : STN_OPTIMIZE_TIMED;
    core_matrix *a = begin_change(arguments[0]);
    if (!a)
        return NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status,
                     stn_matrix_optimize(exec, arithmetic, a->matrix, products, &options, &report));
    end_change(a);
    return core_check(status) < 0 ? NULL : report_of(&report);
}

/* matrix_update(matrix): copies changed values to the storage of products. */
static PyObject *matrix_update(PyObject *module, PyObject *capsule)
{
    (void)module;
    const stn_exec *exec = core_exec();
    core_matrix *a = exec ? begin_change(capsule) : NULL;
    if (!a)
        return NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_matrix_update_values(exec, a->matrix));
    end_change(a);
    if (core_check(status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- properties ---- */

/* matrix_info(matrix): (kind, rows, columns, entries, bytes, format, scale, zero_point) */
static PyObject *matrix_info(PyObject *module, PyObject *capsule)
{
    (void)module;
    core_matrix *a = core_matrix_begin(capsule);
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    if (!a)
        return NULL;
    const int done = core_check(stn_matrix_describe(a->matrix, &info));
    core_matrix_end(a);
    if (done < 0)
        return NULL;
    return Py_BuildValue("(sLLLLsdd)", kind_name(info.kind), (long long)info.rows,
                         (long long)info.columns, (long long)info.entries, (long long)info.bytes,
                         core_format_info(info.storage.format)->name, info.storage.scale,
                         info.storage.zero);
}

/* An array that shares the memory of a view of the matrix; None if the view is empty. */
static PyObject *array_of(const stn_view *view, PyObject *capsule)
{
    if (view->rank == 0 && !view->data)
        Py_RETURN_NONE;
    core_array *array = core_array_new();
    if (!array)
        return NULL;
    array->view = *view;
    array->view.owner = NULL;
    array->view.label = NULL;
    array->owner = Py_NewRef(capsule);
    return (PyObject *)array;
}

/* matrix_arrays(matrix): row_start, row, column, values, slice_start, row_position, row_scales and
 * the height of slices. */
static PyObject *matrix_arrays(PyObject *module, PyObject *capsule)
{
    (void)module;
    core_matrix *a = matrix_of(capsule);
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    if (!a || core_check(stn_matrix_get_views(a->matrix, &views)) < 0)
        return NULL;
    const stn_view *const members[MEMBERS] = {
        &views.row_start,   &views.row,          &views.column,    &views.values,
        &views.slice_start, &views.row_position, &views.row_scales};
    PyObject *tuple = PyTuple_New(MEMBERS + 1);
    for (int k = 0; tuple && k < MEMBERS; k++) {
        PyObject *array = array_of(members[k], capsule);
        if (!array || PyTuple_SetItem(tuple, k, array) < 0)
            Py_CLEAR(tuple);
    }
    PyObject *height = tuple ? PyLong_FromLongLong(views.height) : NULL;
    if (tuple && (!height || PyTuple_SetItem(tuple, MEMBERS, height) < 0))
        Py_CLEAR(tuple);
    return tuple;
}

/* matrix_diagonal(matrix, d) */
static PyObject *matrix_diagonal(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    core_operand d;
    const stn_exec *exec = core_exec();
    if (!exec || expect_count(count, 2) < 0 || core_operand_get_output(&d, arguments[1], "d") < 0)
        return NULL;
    core_matrix *a = core_matrix_begin(arguments[0]);
    stn_status status = STN_OK;
    if (a) {
        const stn_format arithmetic = core_is_complex(d.view.storage.format) ? STN_C128 : STN_F64;
        CORE_WITHOUT_GIL(status, stn_sparse_diagonal(exec, arithmetic, &d.view, a->matrix));
        core_matrix_end(a);
    }
    core_operand_release(&d);
    return a && core_check(status) == 0 ? Py_NewRef(arguments[1]) : NULL;
}

/* ---- products ---- */

typedef struct product {
    core_operand x, y;
    core_matrix *a;
    stn_format arithmetic;
    stn_c128 alpha, beta;
} product;

static PyObject *multiply_into(product *p, PyObject *out)
{
    const stn_exec *exec = core_exec();
    if (!exec)
        return NULL;
    const stn_view *x = &p->x.view, *y = &p->y.view;
    const stn_matrix *a = p->a->matrix;
    stn_status status;
    if (core_is_complex(p->arithmetic))
        CORE_WITHOUT_GIL(status, stn_spmv_complex(exec, p->arithmetic, p->alpha, a, x, p->beta, y));
    else
        CORE_WITHOUT_GIL(status, stn_spmv(exec, p->arithmetic, p->alpha.re, a, x, p->beta.re, y));
    return core_check(status) < 0 ? NULL : Py_NewRef(out);
}

/* A new array for the product, in the promoted format of values and x. */
static PyObject *new_result(const product *p, const stn_matrix_info *info)
{
    const int scaled = info->storage.scale != 1.0 || info->storage.zero != 0.0;
    const stn_format values = !scaled                                 ? info->storage.format
                              : core_is_complex(info->storage.format) ? STN_C128
                                                                      : STN_F64;
    stn_format format = core_promote(values, core_value_format(&p->x.view));
    if (core_is_complex(p->arithmetic) && !core_is_complex(format))
        format = core_promote(format, STN_C32);
    const stn_storage storage = stn_storage_of(format);
    int64_t extents[2] = {info->rows, p->x.view.rank == 2 ? p->x.view.extent[1] : 0};
    return (PyObject *)core_array_create(&storage, p->x.view.rank == 2 ? 2 : 1, extents, 0);
}

static PyObject *multiply(product *p, PyObject *out, PyObject *arithmetic)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    if (core_check(stn_matrix_describe(p->a->matrix, &info)) < 0)
        return NULL;
    const int is_complex = core_is_complex(info.storage.format) ||
                           core_is_complex(p->x.view.storage.format) || p->alpha.im != 0 ||
                           p->beta.im != 0;
    if (core_arithmetic(arithmetic, is_complex ? STN_C128 : STN_F64, &p->arithmetic) < 0 ||
        (core_is_complex(p->arithmetic) && core_make_complex(&p->x) < 0))
        return NULL;
    PyObject *made = out == Py_None ? new_result(p, &info) : Py_NewRef(out);
    if (!made)
        return NULL;
    PyObject *result = NULL;
    if (core_operand_get_output(&p->y, made, "out") == 0) {
        result = multiply_into(p, made);
        core_operand_release(&p->y);
    }
    Py_DECREF(made);
    return result;
}

/* matrix_multiply(matrix, x, out, alpha, beta, arithmetic) */
static PyObject *matrix_multiply(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    product p;
    if (expect_count(count, 6) < 0 || core_complex(arguments[3], "alpha", &p.alpha) < 0 ||
        core_complex(arguments[4], "beta", &p.beta) < 0)
        return NULL;
    p.a = core_matrix_begin(arguments[0]);
    if (!p.a)
        return NULL;
    PyObject *result = NULL;
    if (core_operand_get(&p.x, arguments[1], "x") == 0) {
        result = multiply(&p, arguments[2], arguments[5]);
        core_operand_release(&p.x);
    }
    core_matrix_end(p.a);
    return result;
}

#define FUNCTION(name) #name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL

PyMethodDef core_sparse_functions[] = {
    {FUNCTION(matrix_wrap)},
    {FUNCTION(matrix_convert)},
    {FUNCTION(matrix_bytes)},
    {"matrix_transpose", matrix_transpose, METH_O, NULL},
    {FUNCTION(matrix_compensate)},
    {FUNCTION(matrix_optimize)},
    {"matrix_update", matrix_update, METH_O, NULL},
    {"matrix_info", matrix_info, METH_O, NULL},
    {"matrix_arrays", matrix_arrays, METH_O, NULL},
    {FUNCTION(matrix_diagonal)},
    {FUNCTION(matrix_multiply)},
    {0},
};
