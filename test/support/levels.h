/* BLAS as data, for the tests that go through all of them: each function of
 * blas.h, what it takes, how it is called, and what it does, element by element in plain C. */
#ifndef STENO_TEST_LEVELS_H
#define STENO_TEST_LEVELS_H

#include "steno/blas.h"

enum { LEVELS_REAL = 1, LEVELS_COMPLEX = 2, LEVELS_ANY = 3, LEVELS_VIEWS = 3 };

/* Numbers and choices that calls get. */
typedef struct levels_choice {
    stn_c128 alpha, beta;
    double c, s;
    stn_triangle triangle;
    stn_diagonal diagonal;
    stn_conjugate conj;
    stn_side side;
    double parameter[5];
} levels_choice;

/* What a call gives besides what it stores. */
typedef struct levels_result {
    stn_c128 number;
    int64_t place;
} levels_result;

/* The values of each operand in C order; parts of real ones in `re`, values of the arithmetic. */
typedef struct levels_problem {
    stn_format arithmetic;
    int64_t m, n;
    const levels_choice *choice;
    stn_c128 *v[LEVELS_VIEWS];
    levels_result result;
    int is_banded; /* the matrix; elements outside of the band are not there */
    int64_t below, above;
} levels_problem;

typedef struct levels_function {
    const char *name;
    int kinds; /* of arithmetic, as bits */
    /* Of each operand: 'n' or 'm' a vector, 'a' a matrix of m x n, 's' of n x n with a triangle,
     * 'q' without. */
    const char *shapes;
    unsigned written; /* bit k: operand k is a result */
    stn_status (*run)(const stn_exec *exec, stn_format arithmetic, const levels_choice *choice,
                      const stn_view *const *v, levels_result *result);
    void (*model)(levels_problem *problem);
} levels_function;

extern const levels_function levels_functions[];
extern const int levels_count;

/* The rank of operand k, and its extents. */
int levels_rank(const levels_function *function, int k);
void levels_extents(const levels_function *function, int k, int64_t m, int64_t n, int64_t *extents);

/* Are there two matrices: work in proportion to m n n? */
int levels_is_product(const levels_function *function);

/* May m differ from n? */
int levels_is_oblong(const levels_function *function);

/* Another choice each time: factors 0 and 1 among them, both triangles, all flags. */
levels_choice levels_choose(uint64_t *state);

int levels_is_complex(stn_format arithmetic);

#endif
