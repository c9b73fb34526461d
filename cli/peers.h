/* Libraries of BLAS that `steno bench versus` measures beside this one, opened while it runs, and
 * open until it ends: they have threads. */
#ifndef STENO_CLI_PEERS_H
#define STENO_CLI_PEERS_H

#include <stdint.h>

#include "core/status.h"

/* Functions of the C interface to BLAS: its result, its name and its parameters. */
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

enum { MOST_PEERS = 8 };

typedef struct peer {
    char name[64];
    char core[64]; /* the processor that it took its loops for; "" where it does not tell */
    void *library;
#define PEER_MEMBER(result, name, parameters) result(*name) parameters;
    PEER_FUNCTIONS(PEER_MEMBER)
#undef PEER_MEMBER
    void (*set_threads)(int); /* NULL: the library has no such function */
    void (*set_threads_64)(int64_t);
} peer;

typedef struct peers {
    peer list[MOST_PEERS];
    int count;
} peers;

/* Those of OpenBLAS and BLIS that are installed, for the instruction set that Steno uses: both
 * take an old one on processors that they do not know. OPENBLAS_CORETYPE and BLIS_ARCH_TYPE are
 * heeded where they are set. */
void peers_find(peers *all);

/* The library in a file. STN_ERR_IO when it cannot be opened, STN_ERR_UNSUPPORTED when it lacks one
 * of the functions, STN_ERR_RANGE when there are too many. */
stn_status peers_open(peers *all, const char *path);

/* 0 where the library does not take a number of threads. */
int peer_set_threads(const peer *one, int threads);

#endif
