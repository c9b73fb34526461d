/* The kernels of `steno bench`, and their operands in one format. */
#ifndef STENO_CLI_KERNELS_H
#define STENO_CLI_KERNELS_H

#include "measure/stream.h"
#include "reference.h"
#include "steno/exec.h"
#include "steno/market.h"
#include "steno/sparse.h"
#include "steno/view.h"
#include "stored.h"

/* Storage of an operand: in the measured format, or in the arithmetic type. */
typedef enum operand_role { ABSENT, NARROW, WIDE } operand_role;

/* Treatment of the result. */
typedef enum result_kind { SCALAR, UPDATED, WRITTEN } result_kind;

/* The data of a kernel as doubles, before they are stored. */
typedef struct bench_problem {
    matrix_pattern pattern;      /* for vectors: n rows without columns */
    int64_t n;                   /* elements of a vector, or entries of the matrix */
    int64_t vector, results;     /* elements of x and y, and of the result */
    double *a, *x, *y;           /* NULL if the kernel does not use it */
    stn_market_matrix generated; /* owns pattern and a, unless empty */
    int borrowed;                /* a belongs to a matrix file */
} bench_problem;

/* The operands of a kernel in one format, and their views. */
typedef struct kernel_operands {
    const bench_problem *problem;
    stored a, x, y;
    double matrix_bytes;                          /* bytes of the stored sparse matrix */
    stn_view a_view, x_view, y_view, result_view; /* in the memory of the executor */
    stn_view result_here;                         /* `result` of operands_create */
    stn_matrix *matrix;
} kernel_operands;

typedef struct bench_kernel {
    const char *name;
    operand_role a, x, y;
    result_kind outcome;
    stn_matrix_kind sparse; /* 0: dense */
    stn_status (*run)(const stn_exec *exec, stn_format arithmetic, const kernel_operands *operands,
                      void *result);
    stn_status (*error)(const kernel_operands *operands, stn_format arithmetic, const void *result,
                        double *error);
} bench_kernel;

stn_status kernel_find(const char *name, const bench_kernel **kernel);

/* Uses the doubles of the problem as operands, as the reference of `error`. */
stn_status operands_borrow(const bench_kernel *kernel, const bench_problem *problem,
                           kernel_operands *operands);

/* Stores the problem in `format`, with a sparse matrix of the given kind, in the memory of the
 * executor. `result` must hold the results in the arithmetic type. */
stn_status operands_create(const bench_kernel *kernel, const bench_problem *problem,
                           const stn_exec *exec, stn_matrix_kind kind, stn_format format,
                           stn_format arithmetic, void *result, kernel_operands *operands);
void operands_release(kernel_operands *operands);

/* Runs the kernel once on its original y, and waits until `result` has the result. */
stn_status operands_run(const bench_kernel *kernel, const stn_exec *exec, stn_format arithmetic,
                        kernel_operands *operands, void *result);

/* Bytes that the kernel must move, and their mix of reads, updates and writes. */
double operands_bytes(const bench_kernel *kernel, const kernel_operands *operands,
                      stn_format arithmetic);
measure_mix operands_mix(const bench_kernel *kernel, const kernel_operands *operands,
                         stn_format arithmetic);

#endif
