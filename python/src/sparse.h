/* Sparse matrices of the extension: capsules that own a matrix and keep its arrays alive. */
#ifndef STENO_PYTHON_SPARSE_H
#define STENO_PYTHON_SPARSE_H

#include "core.h"

#include "steno/market.h"

typedef struct core_matrix {
    stn_matrix *matrix;
    PyObject *kept;          /* arrays to which the matrix refers, or NULL */
    stn_market_matrix *file; /* arrays of a file to which the matrix refers, or NULL */
    int users;               /* calls that read the matrix; -1: one call changes it */
    int waiting;             /* calls that will change the matrix */
} core_matrix;

/* Creates a capsule that owns the matrix, `kept` and `file`; all are released on errors. */
PyObject *core_matrix_capsule(stn_matrix *matrix, PyObject *kept, stn_market_matrix *file);
/* Begins a call that reads the matrix of a capsule, after waiting for threads that change it; NULL
 * with an exception if a signal handler raises one. */
core_matrix *core_matrix_begin(PyObject *capsule);
void core_matrix_end(core_matrix *matrix);
int core_is_matrix(PyObject *object);

/* A solve that runs without the GIL. Callbacks restore the state of the thread. */
typedef struct core_solve {
    PyThreadState *thread;
    PyObject *callback;
    double next_check;
    int has_failed; /* an exception is set */
} core_solve;

/* A monitor of solvers whose context is a core_solve: nonzero if a handler of a signal has raised
 * an exception. */
int core_check_signals(void *context, const stn_solver_progress *progress);

extern PyMethodDef core_sparse_functions[]; /* sparse.c */
extern PyMethodDef core_market_functions[]; /* market.c */
extern PyMethodDef core_solver_functions[]; /* solve.c */
extern PyMethodDef core_text_functions[];   /* kernel.c */
extern PyMethodDef core_blas_functions[];   /* blas.c */
extern PyMethodDef core_part_functions[];   /* parts.c */
extern PyMethodDef core_advise_functions[]; /* advise.c */

#endif
