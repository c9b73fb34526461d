/* Matrices from partial differential equations, discretized on a cube of points. */
#ifndef STENO_CLI_PDE_H
#define STENO_CLI_PDE_H

#include "steno/market.h"

/* Points per edge: the cube of this number must be a valid number of rows. */
enum { MAX_EDGE = 1290 };

typedef struct pde_kind {
    const char *name;
    const char *purpose;
    /* Coefficients of point (i, j, k) of n^3: for the neighbors -z, -y, -x, +x, +y, +z, and for the
     * point. */
    void (*stencil)(int64_t n, const int64_t point[3], double side[6], double *centre);
} pde_kind;

/* The list, terminated by an entry without a name. */
extern const pde_kind pdes[];

/* Creates the n^3 x n^3 matrix, real and in compressed rows; x is the fastest index. Release it
 * with stn_market_release. */
stn_status pde_create(const pde_kind *pde, int64_t n, stn_market_matrix *matrix);

/* Finds an equation by name. */
stn_status pde_find(const char *name, const pde_kind **found);

#endif
