/* Errors of the preconditioner of examples/hypre.c, which raises them as errors of hypre. */
#include <HYPRE.h>

#define main example_main
#include "../../examples/hypre.c"
#undef main

#include "check.h"

static HYPRE_ParVector object_of(HYPRE_IJVector vector)
{
    void *object;
    HYPRE_IJVectorGetObject(vector, &object);
    return object;
}

/* hypre reports an error once. */
static void expect_hypre_error(HYPRE_Int result)
{
    assert_int_equal(result, HYPRE_ERROR_GENERIC);
    assert_true(HYPRE_GetError() & HYPRE_ERROR_GENERIC);
    HYPRE_ClearAllErrors();
}

UNIT_TEST(the_example_converges)
{
    HYPRE_IJMatrix a = assemble(0, ROWS);
    context c = {NULL, NULL, {0}};
    expect_ok(stn_exec_create(&c.exec, "threads:threads=1"));
    assert_true(solve(0, ROWS, a, &c) < solve(0, ROWS, a, NULL) / 2 + 1);
    assert_int_equal(HYPRE_GetError(), 0);
    stn_preconditioner_release(c.factors);
    stn_exec_release(c.exec);
    HYPRE_IJMatrixDestroy(a);
}

UNIT_TEST(vectors_of_other_sizes_and_missing_factors)
{
    HYPRE_IJMatrix matrix = assemble(0, ROWS);
    HYPRE_IJVector x = make_vector(0, ROWS, 0.0), shorter = make_vector(0, ROWS - 1, 1.0);
    context c = {NULL, NULL, {0}};
    HYPRE_Solver solver = (HYPRE_Solver)&c;
    void *a;
    HYPRE_IJMatrixGetObject(matrix, &a);
    HYPRE_Vector right = (HYPRE_Vector)object_of(shorter), left = (HYPRE_Vector)object_of(x);
    expect_hypre_error(apply(solver, a, left, left));
    expect_hypre_error(set_up(solver, a, left, left)); /* no executor */
    expect_ok(stn_exec_create(&c.exec, "threads:threads=1"));
    assert_int_equal(set_up(solver, a, left, left), 0);
    expect_hypre_error(apply(solver, a, right, left));
    expect_hypre_error(apply(solver, a, left, right));
    stn_preconditioner_release(c.factors);
    stn_exec_release(c.exec);
    HYPRE_IJVectorDestroy(x);
    HYPRE_IJVectorDestroy(shorter);
    HYPRE_IJMatrixDestroy(matrix);
}

UNIT_TEST(matrices_that_are_not_positive_definite)
{
    HYPRE_IJMatrix matrix = assemble(0, ROWS);
    HYPRE_Int one = 1, row = 3;
    double negative = -4.0;
    context c = {NULL, NULL, {0}};
    void *a;
    HYPRE_IJMatrixSetValues(matrix, 1, &one, &row, &row, &negative);
    HYPRE_IJMatrixAssemble(matrix);
    HYPRE_IJMatrixGetObject(matrix, &a);
    expect_ok(stn_exec_create(&c.exec, "threads:threads=1"));
    expect_hypre_error(set_up((HYPRE_Solver)&c, a, NULL, NULL));
    assert_non_null(strstr(stn_error(), "pivot of row 3"));
    assert_null(c.factors);
    stn_exec_release(c.exec);
    HYPRE_IJMatrixDestroy(matrix);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    const int failed = run_unit_tests("hypre", NULL, NULL);
    HYPRE_Finalize();
    MPI_Finalize();
    return failed;
}
