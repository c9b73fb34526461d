/* Advice for linear systems, inside the library. */
#ifndef STENO_ADVISE_SOLVE_H
#define STENO_ADVISE_SOLVE_H

#include "core/status.h"
#include "steno/advise.h"

/* Speeds that do not depend on the matrix. */
enum { STN_ADVISE_FORMATS = 4 }; /* f64, f32, f16, i16 */
typedef struct stn_speeds {
    double relative[STN_ADVISE_FORMATS]; /* time to read an array from memory, relative to f64 */
    double factor; /* seconds per entry of a matrix to create incomplete factors, f16 */
    double solve;  /* seconds per entry of a matrix of one application of them */
} stn_speeds;

/* Measured by the first call in this process with this number of threads. */
stn_status stn_advise_speeds(const stn_exec *exec, stn_speeds *speeds);

/* Times of operations with this matrix and vectors of its size. */
typedef struct stn_operation_times {
    double product; /* seconds of a product in the arithmetic type */
    double byte;    /* seconds per byte of vector operations */
    int is_finite;  /* the product with ones is */
    stn_speeds speeds;
} stn_operation_times;
stn_status stn_advise_measure(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                              stn_operation_times *times);

struct stn_solve_advice {
    const stn_matrix *a;
    stn_format arithmetic; /* f64 or c128 */
    int64_t rows, entries;
    stn_solve_advice_options options;
    stn_matrix_traits traits;
    stn_operation_times times;
    stn_solve_choice *list;
    int count;
    int64_t excluded_bytes; /* fewest bytes of a choice beyond max_bytes; 0: none */
};

/* Restarts of GMRES that a limit of bytes allows are not reduced further. */
enum { STN_ADVISE_MIN_RESTART = 10 };

/* The properties of a square matrix, if it has more than 2048 rows from a sample of them. */
stn_status stn_traits_sample(const stn_exec *exec, const stn_matrix *a, stn_matrix_traits *traits);

/* Sets the predictions of a choice. */
void stn_advise_predict(const stn_solve_advice *advice, stn_solve_choice *choice);

/* The same with the largest restart that fits into the limit of bytes. Returns 0 if none does. */
int stn_advise_fit(const stn_solve_advice *advice, stn_solve_choice *choice);

/* Replaces the method by a wider or more robust one. Returns 0 if there is none; otherwise `text`
 * describes the change. `is_missing`: the preconditioner could not be created. */
enum { STN_ADVISE_TEXT = 100 };
int stn_advise_promote(const stn_solve_advice *advice, stn_solve_choice *choice, int is_missing,
                       char text[STN_ADVISE_TEXT]);

/* The name of a format, for sentences. */
const char *stn_advise_format_name(stn_format format);

#endif
