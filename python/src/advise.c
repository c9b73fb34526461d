/* Advice: storages of an array with their errors, and methods for a linear system. */
#include "sparse.h"

static const char advice_name[] = "steno.solve_advice";

#define NAME_OF(names, value)                                                                      \
    ((size_t)(value) < sizeof(names) / sizeof *(names) ? (names)[value] : "unknown")
static const char *const scale_kinds[] = {"none", "array", "block"};
static const char *const methods[] = {"cg", "gmres", "refine", "bicgstab", "minres", "fgmres"};
static const char *const preconditioners[] = {NULL, "jacobi", "ilu", "ic"};

static const char *format_name(stn_format format)
{
    return format < CORE_FORMATS ? core_format_info(format)->name : "registered";
}

/* ---- arrays ---- */

static PyObject *array_choice(const stn_array_advice *advice, int index)
{
    stn_array_choice choice = STN_ARRAY_CHOICE_INIT;
    if (core_check(stn_array_advice_describe(advice, index, &choice)) < 0)
        return NULL;
    return Py_BuildValue("{s:s,s:s,s:d,s:L,s:d,s:d,s:d,s:d,s:d,s:N,s:N}", "format",
                         format_name(choice.format), "scales", NAME_OF(scale_kinds, choice.scales),
                         "scale", choice.scale, "nbytes", (long long)choice.bytes, "max_error",
                         choice.max_error, "rms_error", choice.rms_error, "max_relative",
                         choice.max_relative, "rms_relative", choice.rms_relative, "read_seconds",
                         choice.read_seconds, "meets_target", PyBool_FromLong(choice.meets_target),
                         "is_efficient", PyBool_FromLong(choice.is_efficient));
}

/* advise_array(array, target, norm, is_relative, goal): (index of the best storage or -1, storages)
 */
static PyObject *advise_array(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *object, *list = NULL;
    int norm, is_relative, goal;
    core_operand a;
    stn_array_advice_options options = STN_ARRAY_ADVICE_OPTIONS_INIT;
    stn_array_advice *advice = NULL;
    const stn_exec *exec = core_exec();
    if (!exec ||
        !PyArg_ParseTuple(arguments, "Odiii", &object, &options.target, &norm, &is_relative,
                          &goal) ||
        core_operand_get(&a, object, "a") < 0)
        return NULL;
    options.norm = (stn_error_norm)norm;
    options.is_relative = is_relative;
    options.goal = (stn_advise_goal)goal;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_advise_array(exec, &advice, &a.view, &options));
    core_operand_release(&a);
    if (core_check(status) < 0)
        return NULL;
    const int count = stn_array_advice_count(advice), best = stn_array_advice_best(advice);
    list = PyList_New(count);
    for (int k = 0; list && k < count; k++) {
        PyObject *choice = array_choice(advice, k);
        if (!choice || PyList_SetItem(list, k, choice) < 0)
            Py_CLEAR(list);
    }
    stn_array_advice_release(advice);
    return list ? Py_BuildValue("(iN)", best, list) : NULL;
}

/* checksum(array): FNV-1a of the bytes of a contiguous array, as in certificates of the command. */
static PyObject *checksum(PyObject *module, PyObject *object)
{
    (void)module;
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    uint64_t sum = UINT64_C(14695981039346656037);
    PyThreadState *thread = PyEval_SaveThread();
    const unsigned char *bytes = buffer.buf;
    for (Py_ssize_t k = 0; k < buffer.len; k++)
        sum = (sum ^ bytes[k]) * UINT64_C(1099511628211);
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&buffer);
    return PyUnicode_FromFormat("%08x%08x", (unsigned)(sum >> 32), (unsigned)sum);
}

/* ---- linear systems ---- */

/* Refers to a matrix, which the capsule keeps. */
typedef struct solve_advice {
    stn_solve_advice *advice;
    PyObject *matrix;
} solve_advice;

static void release_advice(PyObject *capsule)
{
    solve_advice *a = PyCapsule_GetPointer(capsule, advice_name);
    stn_solve_advice_release(a->advice);
    Py_DECREF(a->matrix);
    PyMem_Free(a);
}

static PyObject *describe_choice(const stn_solve_choice *c)
{
    const int is_refinement = c->method == STN_SOLVER_REFINEMENT;
    return Py_BuildValue(
        "{s:s,s:z,s:s,s:s,s:L,s:z,s:z,s:N,s:L,s:d,s:d,s:d,s:s}", "method",
        NAME_OF(methods, c->method), "inner_method",
        is_refinement ? NAME_OF(methods, c->inner_method) : NULL, "matrix_format",
        format_name(c->matrix_format), "basis_format", format_name(c->basis_format), "restart",
        (long long)c->restart, "preconditioner", NAME_OF(preconditioners, c->preconditioner),
        "preconditioner_format",
        c->preconditioner == STN_ADVISE_NO_PRECONDITIONER ? NULL
                                                          : format_name(c->preconditioner_format),
        "is_equilibrated", PyBool_FromLong(c->is_equilibrated), "nbytes", (long long)c->bytes,
        "iterations", c->iterations, "seconds", c->seconds, "error", c->error, "text", c->text);
}

static PyObject *list_choices(const stn_solve_advice *advice)
{
    const int count = stn_solve_advice_count(advice);
    PyObject *list = PyList_New(count);
    for (int k = 0; list && k < count; k++) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
        PyObject *item = core_check(stn_solve_advice_describe(advice, k, &choice)) < 0
                             ? NULL
                             : describe_choice(&choice);
        if (!item || PyList_SetItem(list, k, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* State of a solve of this thread, whose monitor receives the signals. */
static _Thread_local core_solve *current;

static int check_signals(void *context, const stn_solver_progress *progress)
{
    (void)context;
    return core_check_signals(current, progress);
}

/* advise_solve(matrix, target, max_bytes, max_seconds): (advice, methods) */
static PyObject *advise_solve(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *matrix;
    long long max_bytes;
    stn_solve_advice_options options = STN_SOLVE_ADVICE_OPTIONS_INIT;
    const stn_exec *exec = core_exec();
    if (!exec || !PyArg_ParseTuple(arguments, "OdLd", &matrix, &options.target, &max_bytes,
                                   &options.max_seconds))
        return NULL;
    options.max_bytes = max_bytes;
    options.monitor = check_signals;
    core_matrix *a = core_matrix_begin(matrix);
    if (!a)
        return NULL;
    stn_solve_advice *advice = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_advise_solve(exec, &advice, a->matrix, &options));
    core_matrix_end(a);
    if (core_check(status) < 0)
        return NULL;
    PyObject *list = list_choices(advice);
    solve_advice *kept = PyMem_Malloc(sizeof *kept);
    PyObject *capsule = kept ? PyCapsule_New(kept, advice_name, NULL) : PyErr_NoMemory();
    if (!list || !capsule) {
        stn_solve_advice_release(advice);
        PyMem_Free(kept);
        Py_XDECREF(list);
        Py_XDECREF(capsule);
        return NULL;
    }
    *kept = (solve_advice){advice, Py_NewRef(matrix)};
    (void)PyCapsule_SetDestructor(capsule, release_advice);
    return Py_BuildValue("(NN)", capsule, list);
}

/* matrix_traits(matrix): a dict */
static PyObject *matrix_traits(PyObject *module, PyObject *matrix)
{
    (void)module;
    stn_matrix_traits t = STN_MATRIX_TRAITS_INIT;
    const stn_exec *exec = core_exec();
    core_matrix *a = exec ? core_matrix_begin(matrix) : NULL;
    if (!a)
        return NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_sparse_traits(exec, a->matrix, &t));
    core_matrix_end(a);
    if (core_check(status) < 0)
        return NULL;
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:d}", "is_symmetric",
                         PyBool_FromLong(t.is_symmetric), "has_diagonal",
                         PyBool_FromLong(t.has_diagonal), "is_positive",
                         PyBool_FromLong(t.is_positive), "has_nonfinite",
                         PyBool_FromLong(t.has_nonfinite), "largest", t.largest, "row_spread",
                         t.row_spread, "diagonal_spread", t.diagonal_spread, "dominance",
                         t.dominance, "mean_dominance", t.mean_dominance, "norm", t.norm,
                         "bandwidth", (long long)t.bandwidth, "similarity", t.similarity);
}

static PyObject *guard_report(const stn_guard_report *r)
{
    PyObject *used = describe_choice(r->used);
    return used ? Py_BuildValue("{s:i,s:N,s:d,s:d,s:d,s:L,s:s,s:N}", "promotions",
                                (int)r->promotions, "converged", PyBool_FromLong(r->converged),
                                "residual", r->residual, "backward_error", r->backward_error,
                                "seconds", r->seconds, "iterations", (long long)r->iterations,
                                "reason", r->reason, "used", used)
                : NULL;
}

static stn_status solve_without_gil(const stn_exec *exec, const stn_view *x,
                                    const stn_solve_advice *advice, int index, const stn_view *b,
                                    stn_guard_report *report)
{
    core_solve *const outer = current; /* a handler may solve, too */
    core_solve own = {0};
    current = &own;
    own.thread = PyEval_SaveThread();
    const stn_status status = stn_solve_advised(exec, x, advice, index, b, report);
    PyEval_RestoreThread(own.thread);
    current = outer;
    return status;
}

/* solve_advised(advice, index, x, b): a dict */
static PyObject *solve_advised(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    int64_t index;
    core_operand x, b;
    stn_solve_choice used = STN_SOLVE_CHOICE_INIT;
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    report.used = &used;
    const stn_exec *exec = core_exec();
    if (!exec || core_expect_count(count, 4) < 0 ||
        core_int64(arguments[1], "the index", &index) < 0)
        return NULL;
    if (!PyCapsule_IsValid(arguments[0], advice_name)) {
        PyErr_SetString(PyExc_TypeError, "an advice for a linear system expected");
        return NULL;
    }
    const solve_advice *kept = PyCapsule_GetPointer(arguments[0], advice_name);
    core_matrix *a = core_matrix_begin(kept->matrix);
    if (!a)
        return NULL;
    stn_status status = STN_ERR_ARGUMENT;
    if (core_operand_get(&b, arguments[3], "b") == 0) {
        if (core_operand_get_output(&x, arguments[2], "x") == 0) {
            status = solve_without_gil(exec, &x.view, kept->advice, (int)index, &b.view, &report);
            core_operand_release(&x);
            if (status != STN_ERR_CONVERGENCE && !PyErr_Occurred())
                (void)core_check(status);
        }
        core_operand_release(&b);
    }
    core_matrix_end(a);
    return PyErr_Occurred() ? NULL : guard_report(&report);
}

PyMethodDef core_advise_functions[] = {
    {"advise_array", advise_array, METH_VARARGS, NULL},
    {"advise_solve", advise_solve, METH_VARARGS, NULL},
    {"matrix_traits", matrix_traits, METH_O, NULL},
    {"solve_advised", (PyCFunction)(void (*)(void))solve_advised, METH_FASTCALL, NULL},
    {"checksum", checksum, METH_O, NULL},
    {0},
};
