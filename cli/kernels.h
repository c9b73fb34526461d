/* The kernels that `steno bench` knows, and their operands in one format. */
#ifndef STENO_CLI_KERNELS_H
#define STENO_CLI_KERNELS_H

#include "measure/stream.h"
#include "reference.h"
#include "steno/exec.h"
#include "steno/market.h"
#include "steno/sparse.h"
#include "steno/view.h"
#include "stored.h"

/* How a kernel's operand is stored: in the format that is measured, or in the arithmetic type. */
typedef enum operand_role { ABSENT, NARROW, WIDE } operand_role;

/* What becomes of the result. */
typedef enum result_kind { SCALAR, UPDATED, WRITTEN } result_kind;

/* The data of a kernel as doubles, before they are stored in any format. */
typedef struct bench_problem {
    matrix_pattern pattern;      /* vectors: n rows of no column */
    int64_t n;                   /* elements of a vector, or entries of the matrix */
    int64_t vector, results;     /* elements of x (and y), of the result */
    double *a, *x, *y;           /* NULL unless the kernel has them */
    stn_market_matrix generated; /* owns pattern and a, when not empty */
    int borrowed;                /* a is a matrix file's */
} bench_problem;

/* The operands of a kernel in one format, and the views of them. */
typedef struct kernel_operands {
    const bench_problem *problem;
    stored a, x, y;
    double matrix_bytes; /* of a sparse matrix, as it lies */
    stn_view a_view, x_view, y_view, result_view;
    stn_matrix csr;
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

/* The problem's own doubles as operands: what `error` measures against. */
stn_status operands_borrow(const bench_kernel *kernel, const bench_problem *problem,
                           kernel_operands *operands);

/* The problem stored in `format`, a sparse matrix as that kind; `result` has room for its results
 * in the arithmetic type. */
stn_status operands_make(const bench_kernel *kernel, const bench_problem *problem,
                         stn_matrix_kind kind, stn_format format, stn_format arithmetic,
                         void *result, kernel_operands *operands);
void operands_release(kernel_operands *operands);

/* Bytes the kernel must move, and the mix they are read, updated and written in. */
double operands_bytes(const bench_kernel *kernel, const kernel_operands *operands,
                      stn_format arithmetic);
measure_mix operands_mix(const bench_kernel *kernel, const kernel_operands *operands,
                         stn_format arithmetic);

#endif
