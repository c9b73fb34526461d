/* The settings and the state of `steno solve`. */
#ifndef STENO_CLI_SOLVE_H
#define STENO_CLI_SOLVE_H

#include "columns.h"
#include "precond.h"
#include "steno/market.h"
#include "steno/solver.h"
#include "steno/sparse_optimize.h"

enum { MAX_BASES = 16, MAX_ROUNDS = 41, MAX_HISTORY = 100000 };

/* A storage format and its results. */
typedef struct solve_format {
    stn_format format;
    int64_t block; /* of the basis */
    char name[24];
    stn_matrix *narrow; /* matrix of refinement */
    stn_operator inner_operator;
    int is_segmented;              /* `narrow` is A in planes, of which `depths` read 1, 2 and 3 */
    stn_matrix *depth_matrices[3]; /* or NULL */
    stn_operator depths[3];
    int is_refined; /* solved by refinement, unless the format is that of the arithmetic */
    double *history;
    int64_t entries;
    double seconds[MAX_ROUNDS];
    stn_solver_report report;
    double residual_given; /* of the system as given; NaN unless it is equilibrated */
    void *solution;        /* for the comparison with another executor; NULL: none */
} solve_format;

/* The object that is stored in each format. */
typedef enum stored_object { STORED_NOTHING, STORED_BASIS, STORED_MATRIX } stored_object;

typedef struct solver_kind {
    const char *name;
    stn_solver_method method;
    stored_object stored_object;
    const char *default_matrix;
} solver_kind;

typedef struct solve_job {
    const solver_kind *kind;
    const char *source, *file, *history, *rhs; /* rhs: NULL: b = A times ones */
    columns_files files;
    const char *arithmetic; /* NULL: that of the matrix */
    stn_format numbers;     /* the same as a format */
    int is_complex;
    solve_format list[MAX_BASES];
    int count, help;
    stn_orthogonalization orthogonalization;
    int planes;      /* adds a row of segmented values */
    int equilibrate; /* solve R A C z = R b */
    unsigned market; /* stn_market_flags of the file */
    int64_t n, block, restart, iterations, threads, repeat;
    double tolerance;
    const char *resource, *same_bits; /* executors: of the measurements (NULL: threads), and to
                                         compare bits with (NULL: none) */
    stn_exec *exec;
    char device[200]; /* its name; "" on the host */
    stn_market_matrix matrix;
    stn_matrix *csr;             /* A on the host, or R A C */
    stn_matrix *given;           /* A, if csr is R A C; otherwise NULL */
    double *column_scale;        /* C, or NULL */
    stn_matrix *there;           /* A in the memory of a device, or csr */
    stn_optimize_report storage; /* of its products */
    stn_operator a;
    precond precond;
    stn_view b, x; /* of rank 2 if there are several columns */
    int64_t columns;
    const char *running; /* the format being measured */
} solve_job;

extern const char solve_help[];

/* Reads the options; `job` contains the default values. */
stn_status solve_parse(int argc, char **argv, solve_job *job);

/* Sets the default arithmetic and formats for the matrix that was read, and checks them. */
stn_status solve_use_defaults(solve_job *job);

/* The word of --orthogonalization. */
const char *orthogonalization_name(stn_orthogonalization orthogonalization);

#endif
