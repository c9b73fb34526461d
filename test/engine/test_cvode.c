/* Errors of the linear solver of examples/cvode.c. */
#include <cvode/cvode.h>

#define main example_main
#include "../../examples/cvode.c"
#undef main

#include "check.h"

static SUNContext context;

static narrow_solver *content_of(SUNLinearSolver solver)
{
    assert_non_null(solver);
    return solver->content;
}

UNIT_TEST(systems_are_solved_to_the_tolerance)
{
    static double zeros[ROWS];
    SUNLinearSolver solver = create_solver(context, NULL);
    N_Vector b = N_VNew_Serial(ROWS, context), x = N_VClone(b);
    N_VConst(1.0, b);
    expect_ok(solve_narrow(content_of(solver), zeros, 0.5, x, b));
    /* Rows of I - gamma J sum up to 1 - gamma. */
    for (int row = 0; row < ROWS; row++)
        assert_true(fabs(N_VGetArrayPointer(x)[row] - 2.0) < 0.05);
    assert_int_equal(content_of(solver)->factorizations, 1);
    expect_ok(solve_narrow(content_of(solver), zeros, 0.49, x, b));
    assert_int_equal(content_of(solver)->factorizations, 1); /* gamma has changed by 2 % */
    expect_ok(solve_narrow(content_of(solver), zeros, 0.25, x, b));
    assert_int_equal(content_of(solver)->factorizations, 2);
    N_VDestroy(b);
    N_VDestroy(x);
    SUNLinSolFree(solver);
}

UNIT_TEST(vectors_of_other_sizes_and_singular_matrices)
{
    static double zeros[ROWS];
    const double singular = 1.0 / (1.0 - 2.0 * diffusion); /* the first row has diagonal 0 */
    SUNLinearSolver solver = create_solver(context, NULL);
    N_Vector b = N_VNew_Serial(ROWS, context), x = N_VNew_Serial(ROWS - 1, context);
    N_VConst(1.0, b);
    expect_error(solve_narrow(content_of(solver), zeros, 0.5, x, b), STN_ERR_SHAPE, NULL);
    expect_error(solve_narrow(content_of(solver), zeros, singular, b, b), STN_ERR_ARGUMENT,
                 "pivot of row 0");
    assert_true(solve(solver, NULL, x, b, 0.0) < 0); /* no integrator */
    N_VDestroy(b);
    N_VDestroy(x);
    SUNLinSolFree(solver);
}

int main(void)
{
    if (SUNContext_Create(NULL, &context))
        return 1;
    const int failed = run_unit_tests("cvode", NULL, NULL);
    SUNContext_Free(&context);
    return failed;
}
