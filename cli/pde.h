/* Matrices from partial differential equations, discretised on a cube of points. */
#ifndef STENO_CLI_PDE_H
#define STENO_CLI_PDE_H

#include "steno/market.h"

/* Points per edge: their third power must be a number of rows. */
enum { MOST_EDGE = 1290 };

typedef struct pde_kind {
    const char *name;
    const char *purpose;
    /* Coefficients of point (i, j, k) of n^3: of the neighbours -z, -y, -x, +x, +y, +z, and its
     * own. */
    void (*stencil)(int64_t n, const int64_t point[3], double side[6], double *centre);
} pde_kind;

/* The list, ended by a row without a name. */
extern const pde_kind pdes[];

/* The n^3 x n^3 matrix, real and in compressed rows; unknowns are numbered with x fastest. Release
 * it with stn_market_release. */
stn_status pde_make(const pde_kind *pde, int64_t n, stn_market_matrix *matrix);

/* The same by name. */
stn_status pde_find(const char *name, const pde_kind **found);

#endif
