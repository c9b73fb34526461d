/* Iterative solvers and preconditioners. */
#include "sparse.h"

#include <math.h>
#include <time.h>

static const char preconditioner_name[] = "steno.preconditioner";

/* Seconds between checks for signals. */
static const double SIGNAL_SECONDS = 0.05;

/* An operator that is a sparse matrix, a dense matrix, a preconditioner or a function of Python. */
typedef struct source {
    stn_operator op;
    core_matrix *matrix;
    core_operand dense;
    int is_dense;
    PyObject *function;
    core_solve *state;
} source;

/* ---- operators ---- */

static stn_status apply_dense(void *context, const stn_exec *exec, stn_format arithmetic,
                              const stn_view *x, const stn_view *y)
{
    static const stn_c128 one = {1.0, 0.0}, zero = {0.0, 0.0};
    const stn_view *a = &((source *)context)->dense.view;
    if (core_is_complex(arithmetic))
        return stn_gemv_complex(exec, arithmetic, one, STN_NO_CONJUGATE, a, x, zero, y);
    return stn_gemv(exec, arithmetic, 1.0, a, x, 0.0, y);
}

/* An array with the elements of a vector, which outlives the call of the function. */
static PyObject *copy_of(const stn_exec *exec, const stn_view *x)
{
    core_array *array = core_array_create(&x->storage, x->rank, x->extent, 0);
    if (array && core_check(stn_view_copy(exec, &array->view, x)) < 0)
        Py_CLEAR(array);
    return (PyObject *)array;
}

/* Copies the result of a function, a vector or a matrix with one column, to y. */
static stn_status store(const stn_exec *exec, const stn_view *y, PyObject *result)
{
    core_operand value;
    if (core_operand_get(&value, result, "the result of the operator") < 0)
        return STN_ERR_ARGUMENT;
    stn_status status = STN_ERR_ARGUMENT;
    if (!core_is_complex(y->storage.format) || core_make_complex(&value) == 0) {
        stn_view vector = value.view;
        if (vector.rank == 2 && vector.extent[1] == 1)
            vector.rank = 1;
        status = stn_view_copy(exec, y, &vector);
        (void)core_check(status);
    }
    core_operand_release(&value);
    return status;
}

static stn_status apply_function(void *context, const stn_exec *exec, stn_format arithmetic,
                                 const stn_view *x, const stn_view *y)
{
    (void)arithmetic;
    source *s = context;
    stn_status status = STN_ERR_ARGUMENT;
    PyEval_RestoreThread(s->state->thread);
    PyObject *vector = copy_of(exec, x);
    PyObject *result = vector ? PyObject_CallFunctionObjArgs(s->function, vector, NULL) : NULL;
    if (result)
        status = store(exec, y, result);
    Py_XDECREF(result);
    Py_XDECREF(vector);
    s->state->has_failed |= PyErr_Occurred() != NULL;
    s->state->thread = PyEval_SaveThread();
    return status;
}

static const stn_preconditioner *preconditioner_of(PyObject *object)
{
    return PyCapsule_IsValid(object, preconditioner_name)
               ? PyCapsule_GetPointer(object, preconditioner_name)
               : NULL;
}

static int open_dense(source *s, PyObject *object, const char *name, stn_format arithmetic)
{
    if (core_operand_get(&s->dense, object, name) < 0)
        return -1;
    s->is_dense = 1;
    if (core_is_complex(arithmetic) && core_make_complex(&s->dense) < 0)
        return -1;
    return core_check(stn_operator_create(&s->op, name, s->dense.view.extent[0], apply_dense, s));
}

/* None leaves the operator empty. */
static int open_source(source *s, PyObject *object, const char *name, int64_t rows,
                       stn_format arithmetic, core_solve *state)
{
    const stn_preconditioner *m = preconditioner_of(object);
    *s = (source){.state = state};
    if (object == Py_None)
        return 0;
    if (m)
        return core_check(stn_operator_of_preconditioner(&s->op, m));
    if (core_is_matrix(object)) {
        s->matrix = core_matrix_begin(object);
        return s->matrix ? core_check(stn_operator_of_matrix(&s->op, s->matrix->matrix)) : -1;
    }
    if (core_is_array(object))
        return open_dense(s, object, name, arithmetic);
    s->function = object;
    return core_check(stn_operator_create(&s->op, name, rows, apply_function, s));
}

static void close_source(source *s)
{
    if (s->matrix)
        core_matrix_end(s->matrix);
    if (s->is_dense)
        core_operand_release(&s->dense);
}

/* ---- progress ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Calls the function of the caller, which stops the solve by StopIteration. */
static int call_back(PyObject *callback, const stn_solver_progress *progress)
{
    PyObject *result = PyObject_CallFunction(callback, "Ldd", (long long)progress->iteration,
                                             progress->residual, progress->seconds);
    if (!result && PyErr_ExceptionMatches(PyExc_StopIteration)) {
        PyErr_Clear();
        return 1;
    }
    Py_XDECREF(result);
    return 0;
}

int core_check_signals(void *context, const stn_solver_progress *progress)
{
    core_solve *state = context;
    const double now = seconds();
    (void)progress;
    if (state->has_failed || now < state->next_check)
        return state->has_failed;
    state->next_check = now + SIGNAL_SECONDS;
    PyEval_RestoreThread(state->thread);
    state->has_failed = PyErr_CheckSignals() < 0;
    state->thread = PyEval_SaveThread();
    return state->has_failed;
}

static int monitor(void *context, const stn_solver_progress *progress)
{
    core_solve *state = context;
    if (core_check_signals(context, progress))
        return 1;
    if (state->callback == Py_None)
        return 0;
    PyEval_RestoreThread(state->thread);
    const int stops = call_back(state->callback, progress);
    state->has_failed = PyErr_Occurred() != NULL;
    state->thread = PyEval_SaveThread();
    return stops || state->has_failed;
}

/* ---- solve ---- */

typedef struct solve_call {
    PyObject *a, *m, *inner_a, *inner_m, *history;
    stn_solver_options options, inner;
    source source_a, source_m, source_inner_a, source_inner_m;
    core_solve state;
    core_operand b, x;
    stn_solver_report report;
} solve_call;

/* Options of one solver: method, arithmetic, rtol, atol, maxiter, seconds, restart, basis, block,
 * side, orthogonalization. */
static int parse_options(PyObject *tuple, stn_solver_options *options)
{
    int method, side, orthogonalization;
    PyObject *arithmetic, *basis;
    long long iterations, restart, block;
    *options = (stn_solver_options)STN_SOLVER_OPTIONS_INIT;
    if (!PyArg_ParseTuple(tuple, "iOddLdLOLii", &method, &arithmetic, &options->relative_tolerance,
                          &options->absolute_tolerance, &iterations, &options->max_seconds,
                          &restart, &basis, &block, &side, &orthogonalization) ||
        core_format(arithmetic, &options->arithmetic) < 0)
        return -1;
    if (basis != Py_None) {
        stn_format format;
        if (core_format(basis, &format) < 0)
            return -1;
        options->basis = stn_storage_of(format);
    }
    options->method = (stn_solver_method)method;
    options->max_iterations = iterations;
    options->restart = restart;
    options->basis_block = block;
    options->side = (stn_preconditioner_side)side;
    options->orthogonalization = (stn_orthogonalization)orthogonalization;
    return 0;
}

static PyObject *report_of(const stn_solver_report *r)
{
    return Py_BuildValue(
        "{s:i,s:s,s:L,s:L,s:L,s:d,s:d,s:L,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:L,s:L,s:L}", "code",
        (int)r->reason, "reason", stn_stop_reason_name(r->reason), "iterations",
        (long long)r->iterations, "restarts", (long long)r->restarts, "inner_iterations",
        (long long)r->inner_iterations, "residual", r->residual, "stored_residual",
        r->stored_residual, "saturated", (long long)r->saturated, "rounding_error",
        r->rounding_error, "backward_error", r->backward_error, "seconds", r->seconds,
        "seconds_products", r->seconds_products, "seconds_preconditioner",
        r->seconds_preconditioner, "seconds_orthogonalization", r->seconds_orthogonalization,
        "seconds_verification", r->seconds_verification, "bytes", (long long)r->bytes, "columns",
        (long long)r->columns, "unsolved_columns", (long long)r->unsolved_columns, "history_count",
        (long long)r->history_count);
}

static PyObject *run(solve_call *c)
{
    const stn_exec *exec = core_exec();
    if (!exec)
        return NULL;
    c->options.preconditioner = c->m == Py_None ? NULL : &c->source_m.op;
    c->options.monitor = monitor;
    c->options.monitor_context = c->inner.monitor_context = &c->state;
    if (c->options.inner) {
        c->inner.preconditioner = c->inner_m == Py_None ? NULL : &c->source_inner_m.op;
        c->inner.monitor = core_check_signals;
        c->options.inner_operator = c->inner_a == Py_None ? NULL : &c->source_inner_a.op;
    }
    c->state.next_check = seconds() + SIGNAL_SECONDS;
    c->state.thread = PyEval_SaveThread();
    const stn_status status =
        stn_solve(exec, &c->x.view, &c->source_a.op, &c->b.view, &c->options, &c->report);
    PyEval_RestoreThread(c->state.thread);
    if (PyErr_Occurred() || (status != STN_ERR_CONVERGENCE && core_check(status) < 0))
        return NULL;
    return report_of(&c->report);
}

static PyObject *run_with_sources(solve_call *c)
{
    const int64_t rows = c->x.view.rank > 0 ? c->x.view.extent[0] : 0;
    const stn_format inner = c->inner.arithmetic, outer = c->options.arithmetic;
    PyObject *result = NULL;
    if (open_source(&c->source_a, c->a, "A", rows, outer, &c->state) == 0 &&
        open_source(&c->source_m, c->m, "M", rows, outer, &c->state) == 0 &&
        open_source(&c->source_inner_a, c->inner_a, "the inner matrix", rows, inner, &c->state) ==
            0 &&
        open_source(&c->source_inner_m, c->inner_m, "M", rows, inner, &c->state) == 0)
        result = run(c);
    close_source(&c->source_a);
    close_source(&c->source_m);
    close_source(&c->source_inner_a);
    close_source(&c->source_inner_m);
    return result;
}

static int set_history(solve_call *c, core_operand *history)
{
    if (core_operand_get_output(history, c->history, "history") < 0)
        return -1;
    const stn_view *view = &history->view;
    if (view->rank != 1 || view->storage.format != STN_F64 || !stn_view_is_contiguous(view)) {
        core_operand_release(history);
        PyErr_SetString(PyExc_TypeError, "history is not a contiguous vector in f64");
        return -1;
    }
    c->report.history = view->data;
    c->report.history_capacity = view->extent[0];
    return 0;
}

/* solve(A, b, x, options, M, callback, history, inner options or None, inner A, inner M): a dict
 */
static PyObject *solve(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *b, *x, *options, *inner, *result = NULL;
    solve_call c = {.report = STN_SOLVER_REPORT_INIT, .inner = STN_SOLVER_OPTIONS_INIT};
    core_operand history;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOOO", &c.a, &b, &x, &options, &c.m, &c.state.callback,
                          &c.history, &inner, &c.inner_a, &c.inner_m) ||
        parse_options(options, &c.options) < 0 ||
        (inner != Py_None && parse_options(inner, &c.inner) < 0) ||
        core_operand_get(&c.b, b, "b") < 0)
        return NULL;
    c.options.inner = inner == Py_None ? NULL : &c.inner;
    if ((!core_is_complex(c.options.arithmetic) || core_make_complex(&c.b) == 0) &&
        core_operand_get_output(&c.x, x, "x") == 0) {
        if (c.history == Py_None) {
            result = run_with_sources(&c);
        } else if (set_history(&c, &history) == 0) {
            result = run_with_sources(&c);
            core_operand_release(&history);
        }
        core_operand_release(&c.x);
    }
    core_operand_release(&c.b);
    return result;
}

/* ---- preconditioners ---- */

static void release_preconditioner(PyObject *capsule)
{
    stn_preconditioner *m = PyCapsule_GetPointer(capsule, preconditioner_name);
    PyThreadState *thread = PyEval_SaveThread();
    stn_preconditioner_release(m);
    PyEval_RestoreThread(thread);
}

static PyObject *preconditioner_capsule(stn_status status, stn_preconditioner *m)
{
    if (core_check(status) < 0)
        return NULL;
    PyObject *capsule = PyCapsule_New(m, preconditioner_name, release_preconditioner);
    if (!capsule)
        stn_preconditioner_release(m);
    return capsule;
}

/* The format of an argument, or NULL if it is None. */
static int optional_format(PyObject *object, stn_format *format, const stn_format **chosen)
{
    *chosen = object == Py_None ? NULL : format;
    return *chosen ? core_format(object, format) : 0;
}

/* ilu_create(matrix, is_cholesky, format or None) */
static PyObject *ilu_create(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *name;
    int is_cholesky;
    stn_format format;
    stn_ilu_options options = STN_ILU_OPTIONS_INIT;
    const stn_exec *exec = core_exec();
    if (!exec || !PyArg_ParseTuple(arguments, "OpO", &capsule, &is_cholesky, &name) ||
        optional_format(name, &format, &options.format) < 0)
        return NULL;
    options.kind = is_cholesky ? STN_IC0 : STN_ILU0;
    core_matrix *a = core_matrix_begin(capsule);
    if (!a)
        return NULL;
    stn_preconditioner *m = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_ilu_create(exec, &m, a->matrix, &options));
    core_matrix_end(a);
    return preconditioner_capsule(status, m);
}

/* The first rows of blocks: a contiguous array in i64, or None. */
static int set_blocks(stn_block_jacobi_options *options, PyObject *starts)
{
    if (starts == Py_None)
        return 0;
    const stn_view *view = core_is_array(starts) ? &((core_array *)starts)->view : NULL;
    if (!view || view->rank != 1 || view->storage.format != STN_I64 || view->extent[0] < 1 ||
        !stn_view_is_contiguous(view)) {
        PyErr_SetString(PyExc_ValueError, "the block starts are not a vector of integers");
        return -1;
    }
    options->block_start = view->data;
    options->block_count = view->extent[0] - 1;
    return 0;
}

/* block_jacobi_create(matrix, max_block_rows, starts or None, format or None) */
static PyObject *block_jacobi_create(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *starts, *name;
    long long rows;
    stn_format format;
    stn_block_jacobi_options options = STN_BLOCK_JACOBI_OPTIONS_INIT;
    const stn_exec *exec = core_exec();
    if (!exec || !PyArg_ParseTuple(arguments, "OLOO", &capsule, &rows, &starts, &name) ||
        optional_format(name, &format, &options.format) < 0 || set_blocks(&options, starts) < 0)
        return NULL;
    options.max_block_rows = rows;
    core_matrix *a = core_matrix_begin(capsule);
    if (!a)
        return NULL;
    stn_preconditioner *m = NULL;
    stn_status status;
    CORE_WITHOUT_GIL(status, stn_block_jacobi_create(exec, &m, a->matrix, &options));
    core_matrix_end(a);
    return preconditioner_capsule(status, m);
}

/* preconditioner_info(preconditioner): (name, rows, bytes, lower levels, upper levels, blocks) */
static PyObject *preconditioner_info(PyObject *module, PyObject *capsule)
{
    (void)module;
    const stn_preconditioner *m = preconditioner_of(capsule);
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    if (core_check(stn_preconditioner_describe(m, &info)) < 0)
        return NULL;
    return Py_BuildValue("(sLLLLL)", info.name, (long long)info.rows, (long long)info.bytes,
                         (long long)info.lower_levels, (long long)info.upper_levels,
                         (long long)info.blocks);
}

/* A new vector in the arithmetic type with the elements of x. */
static core_array *vector_of(const stn_exec *exec, stn_format arithmetic, const stn_view *x)
{
    const stn_storage storage = stn_storage_of(arithmetic);
    core_array *array = core_array_create(&storage, 1, x->extent, 0);
    stn_status status;
    if (array)
        CORE_WITHOUT_GIL(status, stn_view_copy(exec, &array->view, x));
    if (array && core_check(status) < 0)
        Py_CLEAR(array);
    return array;
}

static PyObject *apply_preconditioner(const stn_operator *op, stn_format arithmetic,
                                      const stn_view *x)
{
    const stn_exec *exec = core_exec();
    if (!exec)
        return NULL;
    if (x->rank != 1 || x->extent[0] != op->rows) {
        PyErr_Format(PyExc_ValueError, "x is not a vector with %lld elements", (long long)op->rows);
        return NULL;
    }
    const stn_storage storage = stn_storage_of(arithmetic);
    core_array *from = vector_of(exec, arithmetic, x);
    core_array *to = from ? core_array_create(&storage, 1, x->extent, 0) : NULL;
    if (to) {
        stn_status status;
        CORE_WITHOUT_GIL(status, op->apply(op->context, exec, arithmetic, &from->view, &to->view));
        if (core_check(status) < 0)
            Py_CLEAR(to);
    }
    Py_XDECREF((PyObject *)from);
    return (PyObject *)to;
}

/* preconditioner_apply(preconditioner, x, arithmetic): a new array. The caller prevents that other
 * threads use the preconditioner. */
static PyObject *preconditioner_apply(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *vector, *name, *result = NULL;
    stn_operator op;
    core_operand x;
    stn_format arithmetic;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &vector, &name) ||
        core_format(name, &arithmetic) < 0 ||
        core_check(stn_operator_of_preconditioner(&op, preconditioner_of(capsule))) < 0 ||
        core_operand_get(&x, vector, "x") < 0)
        return NULL;
    if (!core_is_complex(arithmetic) || core_make_complex(&x) == 0)
        result = apply_preconditioner(&op, arithmetic, &x.view);
    core_operand_release(&x);
    return result;
}

PyMethodDef core_solver_functions[] = {
    {"solve", solve, METH_VARARGS, NULL},
    {"ilu_create", ilu_create, METH_VARARGS, NULL},
    {"block_jacobi_create", block_jacobi_create, METH_VARARGS, NULL},
    {"preconditioner_info", preconditioner_info, METH_O, NULL},
    {"preconditioner_apply", preconditioner_apply, METH_VARARGS, NULL},
    {0},
};
