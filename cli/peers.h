/* BLAS libraries that `steno bench versus` compares with Steno. They are opened at run time and
 * never closed, because they have threads. */
#ifndef STENO_CLI_PEERS_H
#define STENO_CLI_PEERS_H

#include <stdint.h>

#include "core/status.h"

/* Functions of the C interface of BLAS: result, name and parameters. */
enum {
    PEER_ROW_MAJOR = 101,
    PEER_NO_TRANSPOSE = 111,
    PEER_TRANSPOSE = 112,
    PEER_LOWER = 122,
    PEER_NON_UNIT = 131
};
#define PEER_FUNCTIONS(X)                                                                          \
    X(double, ddot, (int n, const double *x, int dx, const double *y, int dy))                     \
    X(float, sdot, (int n, const float *x, int dx, const float *y, int dy))                        \
    X(double, dnrm2, (int n, const double *x, int dx))                                             \
    X(float, snrm2, (int n, const float *x, int dx))                                               \
    X(void, daxpy, (int n, double alpha, const double *x, int dx, double *y, int dy))              \
    X(void, saxpy, (int n, float alpha, const float *x, int dx, float *y, int dy))                 \
    X(void, dgemv,                                                                                 \
      (int order, int transpose, int m, int n, double alpha, const double *a, int da,              \
       const double *x, int dx, double beta, double *y, int dy))                                   \
    X(void, sgemv,                                                                                 \
      (int order, int transpose, int m, int n, float alpha, const float *a, int da,                \
       const float *x, int dx, float beta, float *y, int dy))                                      \
    X(void, dtrsv,                                                                                 \
      (int order, int triangle, int transpose, int diagonal, int n, const double *a, int da,       \
       double *x, int dx))                                                                         \
    X(void, strsv,                                                                                 \
      (int order, int triangle, int transpose, int diagonal, int n, const float *a, int da,        \
       float *x, int dx))                                                                          \
    X(void, dgemm,                                                                                 \
      (int order, int a_transposed, int b_transposed, int m, int n, int k, double alpha,           \
       const double *a, int da, const double *b, int db, double beta, double *c, int dc))          \
    X(void, sgemm,                                                                                 \
      (int order, int a_transposed, int b_transposed, int m, int n, int k, float alpha,            \
       const float *a, int da, const float *b, int db, float beta, float *c, int dc))

/* Further functions, which a library may lack, by their names without prefix and letter. */
/* clang-format off */
#define PEER_MORE(X)                                                                               \
    X(dot) X(axpy) X(asum) X(iamax) X(scal) X(swap) X(copy) X(rot) X(symv) X(trmv) X(ger) X(syr)   \
    X(spmv) X(tpmv) X(tpsv) X(gbmv) X(sbmv) X(tbmv) X(tbsv) X(symm) X(syrk) X(trmm) X(trsm)
/* clang-format on */
#define PEER_MORE_INDEX(name) PEER_##name,
enum { PEER_MORE(PEER_MORE_INDEX) PEER_MORE_COUNT };
#undef PEER_MORE_INDEX

enum { MAX_PEERS = 8 };

typedef struct peer {
    char name[64];
    char core[64]; /* processor whose loops the library selected; "" if unknown */
    void *library;
#define PEER_MEMBER(result, name, parameters) result(*name) parameters;
    PEER_FUNCTIONS(PEER_MEMBER)
#undef PEER_MEMBER
    void (*more[PEER_MORE_COUNT][2])(void); /* for double and float; NULL: missing */
    void (*set_threads)(int);               /* NULL: not available */
    void (*set_threads_64)(int64_t);
} peer;

typedef struct peers {
    peer list[MAX_PEERS];
    int count;
} peers;

/* Finds installed OpenBLAS and BLIS and selects loops for the instruction set of Steno, because
 * both fall back to old processors if they do not know the processor. OPENBLAS_CORETYPE and
 * BLIS_ARCH_TYPE take precedence if set. */
void peers_find(peers *all);

/* Opens a library. STN_ERR_IO if it cannot be opened, STN_ERR_UNSUPPORTED if a function is missing,
 * STN_ERR_RANGE if too many are open. */
stn_status peers_open(peers *all, const char *path);

/* "cblas_dsymv" for PEER_symv. */
enum { PEER_NAME = 24 };
void peer_name_more(char name[PEER_NAME], int function, int is_narrow);

/* Returns 0 if the library does not support setting the number of threads. */
int peer_set_threads(const peer *one, int threads);

#endif
