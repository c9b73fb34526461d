/* Arguments of steno-mpi, which have the names of those of `steno solve`. */
#ifndef STENO_MPI_OPTIONS_H
#define STENO_MPI_OPTIONS_H

#include "steno/distribute.h"
#include "steno/ilu.h"
#include "steno/solver.h"

typedef enum precond_kind {
    PRECOND_NONE,
    PRECOND_JACOBI,
    PRECOND_BLOCKS,
    PRECOND_ILU
} precond_kind;

typedef struct mpi_options {
    const char *path, *rhs, *solver, *precond_name, *resource;
    char message[256]; /* reason of a refusal */
    int wants_help;
    stn_solver_options solve, inner; /* the latter of refinement */
    int has_arithmetic;
    precond_kind precond;
    stn_ilu_options factors;
    stn_format factor_format;
    int64_t block, threads;
    unsigned market_flags;
    stn_format exchange;
} mpi_options;

extern const char mpi_usage[];

/* Returns 0, with a message, if an argument is invalid. All ranks have the same arguments. */
int mpi_options_read(mpi_options *o, int argc, char **argv);

#endif
