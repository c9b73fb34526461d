/* The basis of GMRES: vectors in any real format, each with a factor. Complex vectors are stored as
 * real vectors with twice the elements: the real part of v^H w is a real product with w, the
 * imaginary part one with -i w. Coefficients of real vectors have no imaginary part. */
#ifndef STENO_SOLVER_BASIS_H
#define STENO_SOLVER_BASIS_H

#include "solver/solver.h"
#include "steno/complex.h"

typedef struct stn_basis {
    stn_view codes; /* one row per vector; vector k is factors[k] times row k */
    stn_view numbers,
        host_numbers; /* one element per vector, in the memory of the executor and of the host;
                       * for complex vectors rows of real and of imaginary parts */
    stn_view rotated; /* complex vectors: workspace for products */
    double *factors;
    void *host;               /* the elements of `host_numbers` */
    int is_single;            /* the arithmetic type is f32 */
    float *scales;            /* scales of blocks of the codes; NULL: only factors */
    stn_view largest, fitted; /* largest magnitudes and scales of the blocks of a vector */
    double highest;           /* code of the largest magnitude; 0: all factors are 1 */
    int has_powers;           /* factors are powers of two */
} stn_basis;

/* Creates a basis of a number of vectors in the storage that the options select; it must be
 * released also after an error. STN_ERR_UNSUPPORTED (a format that is not real, or cannot be
 * written by element), STN_ERR_MEMORY. */
stn_status stn_basis_create(const stn_solver_state *s, int64_t vectors, stn_basis *basis);
void stn_basis_release(stn_basis *basis);

/* Creates a basis in the arithmetic type without memory for vectors. Allocates memory for the first
 * `vectors`, and copies those that exist. STN_ERR_MEMORY. */
stn_status stn_basis_create_wide(const stn_solver_state *s, int64_t vectors, stn_basis *basis);
stn_status stn_basis_reserve(const stn_solver_state *s, stn_basis *basis, int64_t vectors);

/* Stores the vectors of a basis in the arithmetic type, which has none, in the memory of the codes
 * of `lender`: all that fit, possibly none. Vector k of `basis` overwrites no vector of `lender`
 * before vector k. */
stn_status stn_basis_borrow(const stn_solver_state *s, const stn_basis *lender, stn_basis *basis);

/* Do caches hold a basis of that many vectors in the arithmetic type? */
int stn_basis_is_small(const stn_solver_state *s, double vectors);

/* Elements from one vector of a basis in a format to the next in memory. */
int64_t stn_basis_row(const stn_solver_state *s, stn_format format);

/* Memory of the vectors and their scales. */
int64_t stn_basis_bytes(const stn_basis *basis);

/* Copies vector k of a basis in the arithmetic type to v. */
stn_status stn_basis_get(const stn_solver_state *s, const stn_basis *basis, int64_t k,
                         const stn_view *v);

/* Typical norm of the rounding error of a vector of norm 1; 0 if the format is not narrower than
 * the arithmetic type. */
double stn_basis_rounding(const stn_solver_state *s, const stn_basis *basis);

/* Stores w / norm, times `size`, as vector k, and copies the stored vector to v, which may be w. If
 * the norm is far from 1, w is scaled. */
stn_status stn_basis_set(const stn_solver_state *s, stn_basis *basis, int64_t k, const stn_view *w,
                         double norm, double size, const stn_view *v);

/* ---- scales of blocks ---- */

enum { STN_BASIS_BLOCK = 32 };

/* Allocates scales for `vectors` rows of the codes; released with the basis. */
stn_status stn_basis_create_blocks(const stn_solver_state *s, int64_t vectors, stn_basis *basis);

/* Sets the scales of row k so that the blocks of v fill the range of the format. */
stn_status stn_basis_fit_blocks(const stn_solver_state *s, stn_basis *basis, int64_t k,
                                const stn_view *v);

/* Bytes of the scales of a number of rows. */
int64_t stn_basis_scale_bytes(const stn_basis *basis, int64_t rows);

/* ---- products ---- */

/* numbers[i] = v_i^H w for the first `count` vectors. */
stn_status stn_basis_project(const stn_solver_state *s, stn_basis *basis, int64_t count,
                             const stn_view *w, stn_c128 *numbers);

/* w = w + sign * sum of numbers[i] v_i; if sign is 0, w = this sum. */
stn_status stn_basis_combine(const stn_solver_state *s, const stn_basis *basis, int64_t count,
                             const stn_c128 *numbers, double sign, const stn_view *w);

/* w = w - sum of numbers[i] v_i, followed by left[i] = v_i^H w, in one pass over the vectors. */
stn_status stn_basis_subtract(const stn_solver_state *s, stn_basis *basis, int64_t count,
                              const stn_c128 *numbers, const stn_view *w, stn_c128 *left);

/* Writes the first `count` vectors to a checkpoint, and reads them. */
stn_status stn_basis_save(stn_solver_state *s, const stn_basis *basis, int64_t count);
stn_status stn_basis_restore(stn_solver_state *s, const stn_basis *basis, int64_t count);

#endif
