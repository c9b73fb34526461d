/* Preconditioners by name. */
#ifndef STENO_CLI_PRECOND_H
#define STENO_CLI_PRECOND_H

#include "steno/block_jacobi.h"
#include "steno/ilu.h"
#include "steno/solver.h"

typedef struct precond {
    const char *name; /* as given by the user */
    enum { PRECOND_NONE, PRECOND_BLOCKS, PRECOND_FACTORS } kind;
    stn_block_jacobi_options asked_blocks;
    stn_ilu_options asked_factors;
    stn_format format;          /* of ilu and ic */
    int is_plain;               /* the format of the matrix values */
    stn_preconditioner *handle; /* NULL: none */
    stn_operator inverse;       /* its operator; all zero: none */
} precond;

/* none, jacobi, bjacobi; ilu, ic, optionally with a colon and a format. STN_ERR_ARGUMENT,
 * STN_ERR_FORMAT. */
stn_status precond_parse(precond *p, const char *name);

stn_status precond_create(precond *p, const stn_exec *exec, const stn_matrix *a, int64_t block);

/* Prints a line that describes the result, followed by an empty line; nothing without a
 * preconditioner. */
void precond_print(const precond *p);

void precond_release(precond *p);

#endif
