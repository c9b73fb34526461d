/* Linear systems that are solved on all numbers of ranks, by communicators of threads, and without
 * ranks: a grid with some entries far from the diagonal, in any order. */
#ifndef STENO_TEST_DISTRIBUTED_SYSTEM_H
#define STENO_TEST_DISTRIBUTED_SYSTEM_H

#include "processes.h"
#include "steno/distribute.h"
#include "steno/solver.h"

enum { MAX_ROWS = 1400, MAX_ENTRIES = 8 * MAX_ROWS, MAX_HISTORY = 400 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ != STN_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

/* Symmetric or Hermitian, and positive definite. */
typedef struct test_matrix {
    int64_t rows;
    stn_format format; /* STN_F64 or STN_C128 */
    int64_t row_start[MAX_ROWS + 1];
    int32_t column[MAX_ENTRIES];
    double value[2 * MAX_ENTRIES];
    stn_matrix *whole;
} test_matrix;

/* A grid with `side`^2 rows, and `more` rows. The matrix is singular if `diagonal` is about 4.2. */
void create_test_matrix(test_matrix *a, int64_t side, int64_t more, stn_format format,
                        double diagonal);

/* The rows of a rank, with row starts from 0. */
typedef struct local_rows {
    stn_partition_info info;
    stn_csr_arrays arrays;
    int64_t start[MAX_ROWS + 1];
} local_rows;

stn_status find_local_rows(const test_matrix *a, const stn_partition *p, local_rows *rows);

void set_test_vector(double *x, int64_t count, int seed);

/* Codes of the rows of a rank. */
stn_status wrap_rows(stn_view *view, stn_storage storage, char *codes, int64_t first,
                     int64_t count);

typedef enum test_preconditioner {
    TEST_NONE,
    TEST_JACOBI,
    TEST_BLOCKS,
    TEST_POLYNOMIAL, /* of A */
    TEST_ILU
} test_preconditioner;

typedef struct test_system {
    const test_matrix *a;
    stn_solver_options options;
    test_preconditioner preconditioner;
    stn_format exchange_format;
    stn_storage x_storage;
    int64_t granule; /* of the partition; 0: 128 */
    int is_function; /* A is a function of the program */
    int has_guess;   /* x is `guess` at first, otherwise 0 */
    double b[2 * MAX_ROWS], guess[2 * MAX_ROWS];
    char x[16 * MAX_ROWS];
    stn_checkpoint *checkpoints[MAX_RANKS]; /* of the ranks */
    stn_solver_report reports[MAX_RANKS];
    double history[MAX_RANKS][MAX_HISTORY];
} test_system;

/* Sets all members to the defaults of these tests, with a tolerance of 1e-9 and a restart of 12. */
void set_test_system(test_system *s, const test_matrix *a, stn_solver_method method);

/* Solves on one rank of a communicator, as a rank_body with the system as context; and without a
 * communicator. */
stn_status solve_rows(stn_comm *comm, void *context);
stn_status solve_whole(test_system *s);

void reset_solution(test_system *s);

/* Solves without ranks, then on 1, 2, 3, 5 and 8 ranks: all converge, or are uncertain, and, with
 * is_same, have the same bits of x, reports and histories. */
void check_test_system(test_system *s, int is_same);

enum { RANK_COUNTS = 5 };
extern const int rank_counts[RANK_COUNTS];

extern stn_exec *system_exec; /* set by the program */

#endif
