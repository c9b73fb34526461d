/* Compares an operation of Steno with those of other libraries in alternating rounds. */
#ifndef STENO_CLI_VERSUS_H
#define STENO_CLI_VERSUS_H

#include "columns.h"
#include "peers.h"
#include "steno/exec.h"
#include "steno/view.h"

typedef struct versus_contest versus_contest;

/* Memory of the operands of versus_more.c. */
typedef enum versus_shape {
    VERSUS_CONTIGUOUS,
    VERSUS_STRIDED,  /* vectors with increment 2 */
    VERSUS_PACKED,   /* A is a packed lower triangle */
    VERSUS_BAND,     /* A has VERSUS_DIAGONALS diagonals, around the main one */
    VERSUS_HALF_BAND /* the same number, in the lower triangle */
} versus_shape;
enum { VERSUS_DIAGONALS = 5, VERSUS_INCREMENT = 2 };

typedef struct versus_operation {
    const char *name;
    int is_matrix;  /* has an n x n operand */
    int is_product; /* multiplies two n x n matrices */
    int is_solved;  /* solves with the lower triangle, whose diagonal is n */
    stn_status (*steno)(versus_contest *contest);
    void (*peer_f64)(versus_contest *contest, const peer *by); /* in storage f64 */
    void (*peer_f32)(versus_contest *contest, const peer *by); /* in storage f32 */
    double (*error)(versus_contest *contest);                  /* NULL: rounded once */
    versus_shape shape;
    int level;    /* of the rows of versus_more.c; 0: an operation that runs by default */
    int function; /* their function, as PEER_symv */
} versus_operation;

/* Finds dot, nrm2, axpy, gemv, gemv-t, trsv or gemm by name. STN_ERR_ARGUMENT for other names. */
stn_status versus_find(const char *name, const versus_operation **found);
const versus_operation *versus_operation_at(int k); /* NULL after the last one */

/* The other functions of BLAS; NULL after the last one. */
const versus_operation *versus_more_at(int k);

/* Does the library have the operation's function? */
int versus_has(const peer *by, const versus_operation *operation, stn_format format);

/* The operands, which all libraries share, and the most recent result. */
struct versus_contest {
    const versus_operation *operation;
    stn_format format, arithmetic; /* storage; arithmetic of Steno (others use the storage type) */
    int64_t n;
    const stn_exec *exec;
    void *a, *x, *y; /* n x n row-major, n, n */
    void *b, *c;     /* n x n row-major, for products and symmetric results */
    size_t width;    /* bytes of an element of x and y */
    stn_view view_a, view_transposed, view_x, view_y, view_b, view_c;
    double result; /* of dot and nrm2 */
};

/* One call of a contest by Steno or by a library; `work` is a versus_turn. */
typedef struct versus_turn {
    versus_contest *contest;
    const peer *peer; /* NULL: Steno */
} versus_turn;
stn_status versus_call(void *work);

/* Fills the operands with random numbers between -1 and 1. */
stn_status versus_create(versus_contest *contest);
void versus_release(versus_contest *contest);

/* Memory for the operands, approximately. */
double versus_bytes(const versus_operation *operation, stn_format format, int64_t n);

/* One library and one size. */
typedef struct versus_row {
    const char *operation, *format, *arith, *library;
    int64_t threads, n;
    double seconds, ratio, error;
    const char *isa, *core, *processor;
} versus_row;
extern const column_list versus_columns;

/* Rows for Steno, first, and each library; their numbers are NaN if it lacks the function. `repeat`
 * rounds, or as time allows if it is 0. */
stn_status versus_measure(versus_contest *contest, const peers *all, int64_t repeat,
                          versus_row *rows);

#endif
