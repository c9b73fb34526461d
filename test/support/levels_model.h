/* What each function of BLAS does, element by element in plain C. */
#ifndef STENO_TEST_LEVELS_MODEL_H
#define STENO_TEST_LEVELS_MODEL_H

#include "levels_number.h"

void levels_scale(problem *p, number alpha, int has_parts);
void levels_swap_vectors(problem *p);
void levels_combine_vectors(problem *p, number alpha, number beta);
void levels_turn(problem *p, number s);
void levels_turn_modified(problem *p);
number levels_sum_vectors(const problem *p, folded what, int conjugated, number scale_by);
void levels_take_norm(problem *p);
void levels_find_largest(problem *p);
void levels_multiply_rows(problem *p, number alpha, int conjugated, number beta);
void levels_multiply_symmetric(problem *p, number alpha, int hermitian, number beta);
void levels_multiply_triangular(problem *p);
void levels_solve_triangular(problem *p);
void levels_update_all(problem *p, number alpha, int conjugated);
void levels_update_square(problem *p, int hermitian);
void levels_update_square_2(problem *p, number alpha, int hermitian);
void levels_multiply_matrices(problem *p, number alpha, int a_conjugated, int b_conjugated,
                              number beta);
void levels_multiply_mirrored(problem *p, number alpha, int hermitian, number beta);
void levels_multiply_by_own(problem *p, int operands, number alpha, int hermitian, number beta);
void levels_multiply_triangle(problem *p, number alpha);
void levels_solve_triangle(problem *p, number alpha);

#endif
