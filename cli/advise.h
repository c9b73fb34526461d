/* steno advise: what the parts of the command share. */
#ifndef STENO_CLI_ADVISE_H
#define STENO_CLI_ADVISE_H

#include "columns.h"
#include "steno/advise.h"
#include "steno/market.h"

enum { ADVISE_MAX_CODECS = 16, ADVISE_STORAGE_BYTES = 72 };

typedef struct advise_job {
    const char *path;
    const char *target_text; /* of --target, or NULL */
    stn_array_advice_options target;
    stn_solve_advice_options solve;
    const char *codecs[ADVISE_MAX_CODECS];
    int codec_count;
    const char *exec_name, *rhs, *vector, *certificate; /* NULL: not given */
    unsigned market; /* stn_market_flags of Matrix Market files */
    int verifies, is_product, is_condition;
    unsigned given; /* bit k: option k of the list is given */
    columns_files files;
    stn_exec *exec;
} advise_job;

/* ---- arrays ---- */

/* A storage and its errors, as in a certificate. */
typedef struct advise_stored {
    char storage[ADVISE_STORAGE_BYTES];
    int64_t bytes, elements;
    double max_error, rms_error;
    int meets_target;
} advise_stored;

/* Reads job->target_text as the target of an array. */
stn_status advise_parse_target(advise_job *job);

/* Prints the table; `best` is the advice, whose storage is "" if nothing meets the target. */
stn_status advise_array(advise_job *job, const stn_view *view, advise_stored *best);

/* Evaluates the storage that figures->storage names, and sets the other members. */
stn_status advise_array_again(advise_job *job, const stn_view *view, advise_stored *figures);

/* Opens an array by the ending of the name of its file, and calls `use` with it. */
stn_status advise_with_array(advise_job *job, const char *path,
                             stn_status (*use)(advise_job *job, const stn_view *view,
                                               advise_stored *figures),
                             advise_stored *figures);

/* ---- linear systems ---- */

typedef struct advise_solve_job {
    advise_job *job;
    stn_market_matrix file;
    stn_format arithmetic;
    stn_matrix *matrix;
    stn_view x, b;
    stn_matrix_traits traits;
    stn_solve_advice *advice; /* NULL: the file is a dense matrix */
    double advice_seconds;
    double condition, forward_error; /* estimates; NaN: not computed */
    stn_solve_choice used;           /* the last method of the last solve */
    char failure[512];               /* why the last solve failed, or "" */
} advise_solve_job;

const char *advise_format_name(stn_format format);

/* The name of the orthogonalization, or "none" if the method has no basis. */
const char *advise_orthogonalization(const stn_solve_choice *choice);

/* The given options apply to linear systems, and the target is a residual, which is set. */
stn_status advise_expect_system(advise_job *job);

/* Reads the matrix and the right-hand side, and creates the advice. Close it even after an error.
 */
stn_status advise_solve_open(advise_solve_job *s);
void advise_solve_close(advise_solve_job *s);

stn_status advise_solve_run(advise_solve_job *s);

/* Solves from 0 by a method of the advice. */
stn_status advise_solve_once(advise_solve_job *s, int index, stn_guard_report *report);

/* Sets the estimates of s, after a solve. */
stn_status advise_estimate_error(advise_solve_job *s, const stn_guard_report *report);

/* |x - exact x| / |x| <= 2 e c / (1 - e c) with the backward error e and the condition number c, of
 * which only an estimate is known; infinity if e c is 1 or more. */
double advise_forward_error(const stn_guard_report *report, double condition);

/* Reads a vector, .npy or dense Matrix Market, as long as `to`. */
stn_status advise_read_vector(const advise_job *job, const char *path, const stn_view *to);

/* ---- products ---- */

/* Formats of a product and its errors, as in a certificate. */
typedef struct advise_product {
    const char *matrix_format, *vector_format;
    double matrix_scale, vector_scale;
    double max_bound, relative_bound, max_error; /* absolute; relative to the largest |A x| */
    int64_t bytes;
    const stn_view *y; /* product of the stored operands */
} advise_product;

stn_status advise_product_file(advise_job *job);

/* Evaluates the formats of `figures` again, sets the other members, and calls `use`. */
stn_status advise_product_again(advise_job *job, advise_product *figures,
                                stn_status (*use)(void *context, const advise_product *figures),
                                void *context);

/* ---- certificates ---- */

stn_status certificate_write_array(const advise_job *job, const advise_stored *figures);
stn_status certificate_write_product(const advise_job *job, const advise_product *figures);
stn_status certificate_write_solve(const advise_solve_job *s, const stn_guard_report *report);

/* Checks the certificate job->path: computes its figures again. */
stn_status certificate_check(advise_job *job);

#endif
