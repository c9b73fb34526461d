/* The basis of GMRES: vectors in any real format, each with a factor of its own. Complex vectors
 * are real ones of twice the elements: the real part of v^H w is a real product with w, the
 * imaginary one with -i w; numbers of real vectors have no imaginary part. */
#ifndef STENO_SOLVER_BASIS_H
#define STENO_SOLVER_BASIS_H

#include "solver/solver.h"
#include "steno/complex.h"

typedef struct stn_basis {
    stn_view codes;        /* a row for each vector; vector k is factors[k] times row k */
    stn_view numbers, few; /* an element for each, where the executor and where the host is; of
                            * complex ones rows of real and of imaginary parts */
    stn_view turned;       /* of complex vectors: room for products */
    double *factors;
    void *host;                /* the elements of `few` */
    int is_single;             /* they are of f32 */
    float *scales;             /* of the codes' blocks; NULL: factors are all there is */
    stn_view greatest, fitted; /* of a vector's blocks: largest magnitudes, and scales */
    double highest;            /* the code that the largest magnitude gets; 0: factors are 1 */
    int has_powers;            /* factors are powers of two */
} stn_basis;

/* Of so many vectors. STN_ERR_UNSUPPORTED (a format without real numbers, or that cannot be
 * written by element), STN_ERR_MEMORY; to be released also then. */
stn_status stn_basis_make(const stn_solving *s, int64_t vectors, stn_basis *basis);
void stn_basis_release(stn_basis *basis);

/* Vector k becomes w / norm, rounded, times `size`; and v, which may be w, becomes that vector as
 * it is stored. A norm far from 1 scales w. */
stn_status stn_basis_set(const stn_solving *s, stn_basis *basis, int64_t k, const stn_view *w,
                         double norm, double size, const stn_view *v);

/* ---- scales of blocks ---- */

enum { STN_BASIS_BLOCK = 32 };

/* Room for scales of `vectors` rows, which the codes have from now on; freed with the basis. */
stn_status stn_basis_make_blocks(const stn_solving *s, int64_t vectors, stn_basis *basis);

/* Scales of row k become those with which the blocks of v fill the range of its format. */
stn_status stn_basis_fit_blocks(const stn_solving *s, stn_basis *basis, int64_t k,
                                const stn_view *v);

/* Bytes of scales of so many rows. */
int64_t stn_basis_scale_bytes(const stn_basis *basis, int64_t rows);

/* ---- products ---- */

/* numbers[i] = v_i^H w of the first `count` vectors. */
stn_status stn_basis_project(const stn_solving *s, stn_basis *basis, int64_t count,
                             const stn_view *w, stn_c128 *numbers);

/* w = w + sign * the sum of numbers[i] v_i; of sign 0, w = that sum. */
stn_status stn_basis_combine(const stn_solving *s, const stn_basis *basis, int64_t count,
                             const stn_c128 *numbers, double sign, const stn_view *w);

/* w = w - the sum of numbers[i] v_i, and then left[i] = v_i^H w, in one pass over the vectors. */
stn_status stn_basis_subtract(const stn_solving *s, stn_basis *basis, int64_t count,
                              const stn_c128 *numbers, const stn_view *w, stn_c128 *left);

/* The first `count` vectors of a checkpoint. */
stn_status stn_basis_keep(stn_solving *s, const stn_basis *basis, int64_t count);
stn_status stn_basis_recall(stn_solving *s, const stn_basis *basis, int64_t count);

#endif
