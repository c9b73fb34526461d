/* Preconditioners by name. */
#ifndef STENO_CLI_PRECOND_H
#define STENO_CLI_PRECOND_H

#include "steno/block_jacobi.h"
#include "steno/ilu.h"
#include "steno/solver.h"

typedef struct precond {
    const char *name; /* as it was given */
    enum { PRECOND_NONE, PRECOND_BLOCKS, PRECOND_FACTORS } kind;
    stn_block_jacobi_options asked_blocks;
    stn_ilu_options asked_factors;
    stn_format format; /* of either */
    int is_plain;      /* that of the matrix's values */
    stn_block_jacobi blocks;
    stn_ilu factors;
    stn_operator inverse; /* all zeros: none */
} precond;

/* none, jacobi, bjacobi; ilu, ic, or with a format behind a colon. STN_ERR_ARGUMENT,
 * STN_ERR_FORMAT. */
stn_status precond_take(precond *made, const char *name);

stn_status precond_make(precond *made, const stn_exec *exec, const stn_matrix *a, int64_t block);

/* What it came to, as a line and an empty one, or nothing. */
void precond_print(const precond *made);

void precond_release(precond *made);

#endif
