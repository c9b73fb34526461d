/* libsteno_petsc compared with PETSc's own matrices and preconditioners. The tests run on any
 * number of ranks: test_petsc_ranks.sh runs them on several. */
#include <petscksp.h>

#include "check.h"
#include "steno/petsc.h"
#include "steno/steno.h"

enum { EDGE = 12, ROWS = EDGE * EDGE };

static stn_exec *exec;
static int argument_count;
static char **arguments;

#define petsc_ok(call) assert_int_equal(call, 0)

/* A call that PETSc refuses with the message of stn_error(). */
#define petsc_fails(call, text)                                                                    \
    do {                                                                                           \
        petsc_ok(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));                            \
        assert_int_not_equal(call, 0);                                                             \
        petsc_ok(PetscPopErrorHandler());                                                          \
        if (!strstr(stn_error(), text) && !strstr(stn_error(), "another rank"))                    \
            fail_msg("'%s' does not contain '%s'", stn_error(), text);                             \
    } while (0)

/* A Steno call that fails because PETSc or another rank does. */
#define expect_error_on_some(call, status, text)                                                   \
    do {                                                                                           \
        petsc_ok(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));                            \
        expect_error(call, status, NULL);                                                          \
        petsc_ok(PetscPopErrorHandler());                                                          \
        if (!strstr(stn_error(), text) && !strstr(stn_error(), "another rank"))                    \
            fail_msg("'%s' does not contain '%s'", stn_error(), text);                             \
    } while (0)

/* ---- fixtures ---- */

/* rows x rows; entry (r, c) is `factor` times a value of the 5-point operator. */
static Mat make_grid(PetscInt edge, double factor)
{
    static const double values[] = {-1.0, -1.4, 4.4, -0.6, -1.0};
    const PetscInt rows = edge * edge, steps[] = {-edge, -1, 0, 1, edge};
    PetscInt begin, end;
    Mat a;
    petsc_ok(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, rows, rows, 5, NULL, 5,
                          NULL, &a));
    petsc_ok(MatGetOwnershipRange(a, &begin, &end));
    for (PetscInt row = begin; row < end; row++)
        for (int k = 0; k < 5; k++) {
            const PetscInt column = row + steps[k];
            const int same_line = column / edge == row / edge;
            if (column >= 0 && column < rows && (same_line || k == 0 || k == 4))
                petsc_ok(MatSetValue(a, row, column, factor * values[k], INSERT_VALUES));
        }
    petsc_ok(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    petsc_ok(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    return a;
}

/* Element k is sin(k + 1). */
static Vec make_vector(Mat a)
{
    PetscInt begin, end;
    Vec x;
    petsc_ok(MatCreateVecs(a, &x, NULL));
    petsc_ok(VecGetOwnershipRange(x, &begin, &end));
    for (PetscInt k = begin; k < end; k++)
        petsc_ok(VecSetValue(x, k, sin((double)k + 1.0), INSERT_VALUES));
    petsc_ok(VecAssemblyBegin(x));
    petsc_ok(VecAssemblyEnd(x));
    return x;
}

/* The largest difference of two vectors is at most `bound`; y is overwritten. */
static void expect_close(Vec x, Vec y, double bound)
{
    PetscReal difference;
    petsc_ok(VecAXPY(y, -1.0, x));
    petsc_ok(VecNorm(y, NORM_INFINITY, &difference));
    if (!(difference <= bound))
        fail_msg("the vectors differ by %g, more than %g", difference, bound);
}

static PC make_pc(Mat a)
{
    PC pc;
    petsc_ok(PCCreate(PETSC_COMM_WORLD, &pc));
    petsc_ok(PCSetOperators(pc, a, a));
    return pc;
}

static int rank_of(void)
{
    int rank;
    petsc_ok(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    return rank;
}

/* ---- matrices ---- */

UNIT_TEST(products_are_those_of_petsc)
{
    static const struct {
        stn_format format;
        double bound;
    } cases[] = {
        {STN_F64, 1e-14}, {STN_F32, 1e-6}, {STN_F16, 1e-2}, {STN_BF16, 1e-1}, {STN_I16, 1e-3}};
    static const stn_matrix_kind kinds[] = {STN_MATRIX_AUTO, STN_MATRIX_CSR, STN_MATRIX_SLICED,
                                            STN_MATRIX_ELL};
    Mat a = make_grid(EDGE, 1.0), narrow;
    Vec x = make_vector(a), expected, y;
    petsc_ok(VecDuplicate(x, &expected));
    petsc_ok(VecDuplicate(x, &y));
    for (int k = 0; k < COUNT_OF(cases) * COUNT_OF(kinds); k++) {
        const stn_storage storage = stn_storage_of(cases[k % COUNT_OF(cases)].format);
        const double bound = cases[k % COUNT_OF(cases)].bound;
        expect_ok(stn_petsc_mat_create(exec, &narrow, a, kinds[k / COUNT_OF(cases)], &storage));
        petsc_ok(MatMult(a, x, expected));
        petsc_ok(MatMult(narrow, x, y));
        expect_close(expected, y, bound);
        petsc_ok(MatMultTranspose(a, x, expected));
        petsc_ok(MatMultTranspose(narrow, x, y));
        expect_close(expected, y, bound);
        petsc_ok(MatMultAdd(a, x, x, expected));
        petsc_ok(MatMultAdd(narrow, x, x, y));
        expect_close(expected, y, bound);
        petsc_ok(MatGetDiagonal(a, expected));
        petsc_ok(MatGetDiagonal(narrow, y));
        expect_close(expected, y, bound);
        petsc_ok(MatDestroy(&narrow));
    }
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&expected));
    petsc_ok(VecDestroy(&y));
    petsc_ok(MatDestroy(&a));
}

UNIT_TEST(rectangular_matrices_and_ranks_without_rows)
{
    const PetscInt rows = 3, columns = 5;
    PetscInt begin, end;
    Mat a, narrow;
    Vec x, y, expected;
    petsc_ok(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, rows, columns, 5, NULL, 5,
                          NULL, &a));
    petsc_ok(MatGetOwnershipRange(a, &begin, &end));
    for (PetscInt row = begin; row < end; row++)
        for (PetscInt column = row; column < columns; column++)
            petsc_ok(MatSetValue(a, row, column, (double)(row + 2 * column), INSERT_VALUES));
    petsc_ok(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    petsc_ok(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, NULL));
    x = make_vector(a);
    petsc_ok(MatCreateVecs(a, NULL, &y));
    petsc_ok(VecDuplicate(y, &expected));
    petsc_ok(MatMult(a, x, expected));
    petsc_ok(MatMult(narrow, x, y));
    expect_close(expected, y, 1e-14);
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&y));
    petsc_ok(VecDestroy(&expected));
}

UNIT_TEST(large_values_in_f16_have_a_scale)
{
    const stn_storage f16 = stn_storage_of(STN_F16);
    Mat a = make_grid(EDGE, 0x1p40), narrow;
    Vec x = make_vector(a), expected, y;
    petsc_ok(VecDuplicate(x, &expected));
    petsc_ok(VecDuplicate(x, &y));
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, &f16));
    petsc_ok(MatMult(a, x, expected));
    petsc_ok(MatMult(narrow, x, y));
    expect_close(expected, y, 1e-2 * 0x1p40);
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&expected));
    petsc_ok(VecDestroy(&y));
}

UNIT_TEST(blocks_have_all_entries_and_updates_change_them)
{
    Mat a = make_grid(EDGE, 1.0), twice = make_grid(EDGE, 2.0), other = make_grid(EDGE + 1, 1.0);
    Mat narrow;
    Vec x = make_vector(a), expected, y;
    MatInfo info;
    const stn_matrix *diagonal, *others;
    stn_matrix_info block = STN_MATRIX_INFO_INIT;
    double entries;
    petsc_ok(VecDuplicate(x, &expected));
    petsc_ok(VecDuplicate(x, &y));
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, NULL));
    expect_ok(stn_petsc_mat_blocks(narrow, &diagonal, &others));
    expect_ok(stn_matrix_describe(diagonal, &block));
    entries = (double)block.entries;
    if (others) {
        expect_ok(stn_matrix_describe(others, &block));
        entries += (double)block.entries;
    }
    petsc_ok(MatGetInfo(a, MAT_LOCAL, &info));
    assert_true(entries == info.nz_used);

    expect_error_on_some(stn_petsc_mat_update(narrow, other), STN_ERR_SHAPE, "rows and columns");
    petsc_ok(MatMult(a, x, expected)); /* unchanged */
    petsc_ok(MatMult(narrow, x, y));
    expect_close(expected, y, 1e-14);
    expect_ok(stn_petsc_mat_update(narrow, twice));
    petsc_ok(MatMult(twice, x, expected));
    petsc_ok(MatMult(narrow, x, y));
    expect_close(expected, y, 1e-14);
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
    petsc_ok(MatDestroy(&twice));
    petsc_ok(MatDestroy(&other));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&expected));
    petsc_ok(VecDestroy(&y));
}

/* ---- preconditioners ---- */

/* PETSc's block-Jacobi has one block per rank with ILU(0). */
static void expect_ilu(Mat a, Mat of, const stn_format *format, double bound)
{
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .format = format);
    PC pc = make_pc(a), narrow = make_pc(of);
    Vec x = make_vector(a), expected, y;
    petsc_ok(VecDuplicate(x, &expected));
    petsc_ok(VecDuplicate(x, &y));
    petsc_ok(PCSetType(pc, PCBJACOBI));
    expect_ok(stn_petsc_pc_set_ilu(exec, narrow, &options));
    petsc_ok(PCApply(pc, x, expected));
    petsc_ok(PCApply(narrow, x, y));
    expect_close(expected, y, bound);
    petsc_ok(PCDestroy(&pc));
    petsc_ok(PCDestroy(&narrow));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&expected));
    petsc_ok(VecDestroy(&y));
}

UNIT_TEST(incomplete_factors_are_those_of_petsc)
{
    static const stn_format f32 = STN_F32, f16 = STN_F16;
    Mat a = make_grid(EDGE, 1.0), narrow;
    expect_ilu(a, a, NULL, 1e-14);
    expect_ilu(a, a, &f32, 1e-6);
    expect_ilu(a, a, &f16, 1e-2);
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, NULL));
    expect_ilu(a, narrow, NULL, 1e-14);
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
}

UNIT_TEST(blocks_of_one_row_are_jacobi)
{
    const stn_block_jacobi_options options =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = 1, .format = &(stn_format){STN_F64});
    Mat a = make_grid(EDGE, 1.0);
    PC pc = make_pc(a), narrow = make_pc(a);
    Vec x = make_vector(a), expected, y;
    petsc_ok(VecDuplicate(x, &expected));
    petsc_ok(VecDuplicate(x, &y));
    petsc_ok(PCSetType(pc, PCJACOBI));
    expect_ok(stn_petsc_pc_set_ilu(exec, narrow, NULL)); /* which the next call replaces */
    expect_ok(stn_petsc_pc_set_block_jacobi(exec, narrow, &options));
    petsc_ok(PCApply(pc, x, expected));
    petsc_ok(PCApply(narrow, x, y));
    expect_close(expected, y, 1e-15);
    petsc_ok(PCDestroy(&pc));
    petsc_ok(PCDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&expected));
    petsc_ok(VecDestroy(&y));
}

static PetscInt iterations_of(Mat a, Mat of, const char *type, const stn_storage *storage,
                              const stn_solver_options *options)
{
    KSPConvergedReason reason;
    PetscInt iterations;
    KSP ksp;
    PC pc;
    Vec x = make_vector(a), b;
    petsc_ok(VecDuplicate(x, &b));
    petsc_ok(VecSet(b, 1.0));
    petsc_ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
    petsc_ok(KSPSetOperators(ksp, a, of));
    petsc_ok(KSPSetType(ksp, type));
    petsc_ok(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 200));
    petsc_ok(KSPGetPC(ksp, &pc));
    expect_ok(stn_petsc_pc_set_solver(exec, pc, storage, options));
    petsc_ok(KSPSolve(ksp, b, x));
    petsc_ok(KSPGetConvergedReason(ksp, &reason));
    petsc_ok(KSPGetIterationNumber(ksp, &iterations));
    assert_true(reason > 0);
    petsc_ok(KSPDestroy(&ksp));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&b));
    return iterations;
}

UNIT_TEST(an_inner_solver_preconditions_flexible_gmres)
{
    const stn_storage f16 = stn_storage_of(STN_F16);
    const stn_solver_options bicgstab =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB, .arithmetic = STN_F32,
                 .relative_tolerance = 0.1, .max_iterations = 20);
    int ranks;
    Mat a = make_grid(EDGE, 1.0), narrow;
    petsc_ok(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    const PetscInt most = ranks == 1 ? 12 : 60;
    assert_true(iterations_of(a, a, KSPFGMRES, NULL, NULL) <= most);
    assert_true(iterations_of(a, a, KSPFGMRES, &f16, &bicgstab) <= most);
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, NULL));
    assert_true(iterations_of(narrow, narrow, KSPFGMRES, &f16, &bicgstab) <= most);
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
}

/* ---- vectors ---- */

UNIT_TEST(views_of_vectors_are_in_place)
{
    Mat a = make_grid(EDGE, 1.0);
    Vec x = make_vector(a);
    PetscReal norm;
    PetscInt count, references;
    const PetscScalar *elements;
    stn_view view;
    petsc_ok(VecGetLocalSize(x, &count));
    petsc_ok(VecNorm(x, NORM_1, &norm)); /* cached by PETSc */
    petsc_ok(VecGetArrayRead(x, &elements));
    const void *const data = elements;
    petsc_ok(VecRestoreArrayRead(x, &elements));
    expect_ok(stn_petsc_vec_wrap(&view, x));
    assert_ptr_equal(view.data, data);
    assert_int_equal(view.extent[0], count);
    petsc_ok(PetscObjectGetReference((PetscObject)x, &references));
    assert_int_equal(references, 2);
    expect_ok(stn_view_fill(exec, &view, 0.25));
    expect_ok(stn_view_release(&view));
    petsc_ok(PetscObjectGetReference((PetscObject)x, &references));
    assert_int_equal(references, 1);
    petsc_ok(VecNorm(x, NORM_1, &norm));
    assert_true(norm == 0.25 * ROWS);

    expect_ok(stn_petsc_vec_wrap_const(&view, x));
    petsc_ok(VecDestroy(&x)); /* the view keeps it alive */
    double first;
    if (count) {
        expect_ok(stn_view_get(&view, 1, &(int64_t){0}, &first));
        assert_true(first == 0.25);
    }
    expect_error(stn_view_fill(exec, &view, 1.0), STN_ERR_ARGUMENT, "read-only");
    expect_ok(stn_view_release(&view));
    petsc_ok(MatDestroy(&a));
}

/* ---- bad input ---- */

UNIT_TEST(arguments_of_matrices_are_checked)
{
    const stn_storage c128 = stn_storage_of(STN_C128);
    Mat a = make_grid(EDGE, 1.0), dense, unassembled, made = a;
    stn_view view;
    expect_error(stn_petsc_mat_create(exec, NULL, a, STN_MATRIX_AUTO, NULL), STN_ERR_ARGUMENT,
                 "made is NULL");
    expect_error(stn_petsc_mat_create(exec, &made, NULL, STN_MATRIX_AUTO, NULL), STN_ERR_ARGUMENT,
                 "a is NULL");
    assert_null(made);
    expect_error(stn_petsc_mat_create(NULL, &made, a, STN_MATRIX_AUTO, NULL), STN_ERR_ARGUMENT,
                 "exec is NULL");
    expect_error_on_some(stn_petsc_mat_create(exec, &made, a, (stn_matrix_kind)99, NULL),
                         STN_ERR_ARGUMENT, "kind");
    expect_error_on_some(stn_petsc_mat_create(exec, &made, a, STN_MATRIX_AUTO, &c128),
                         STN_ERR_FORMAT, "a is real");
    petsc_ok(MatCreateDense(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 4, 4, NULL, &dense));
    expect_error(stn_petsc_mat_create(exec, &made, dense, STN_MATRIX_AUTO, NULL),
                 STN_ERR_UNSUPPORTED, "dense; it must have type seqaij or mpiaij");
    petsc_ok(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 4, 4, 5, NULL, 5, NULL,
                          &unassembled));
    expect_error(stn_petsc_mat_create(exec, &made, unassembled, STN_MATRIX_AUTO, NULL),
                 STN_ERR_ARGUMENT, "not assembled");
    expect_error(stn_petsc_mat_update(a, a), STN_ERR_ARGUMENT, "no matrix of stn_petsc_mat_create");
    expect_error(stn_petsc_mat_update(NULL, a), STN_ERR_ARGUMENT, "shell is NULL");
    expect_error(stn_petsc_mat_blocks(a, NULL, NULL), STN_ERR_ARGUMENT, "no matrix of");
    expect_error(stn_petsc_mat_blocks(NULL, NULL, NULL), STN_ERR_ARGUMENT, "no matrix of");
    expect_error(stn_petsc_vec_wrap(&view, NULL), STN_ERR_ARGUMENT, "vec is NULL");
    expect_error(stn_petsc_vec_wrap_const(NULL, NULL), STN_ERR_ARGUMENT, "view is NULL");
    petsc_ok(MatDestroy(&dense));
    petsc_ok(MatDestroy(&unassembled));
    petsc_ok(MatDestroy(&a));
}

UNIT_TEST(vectors_of_other_sizes_are_refused)
{
    Mat a = make_grid(EDGE, 1.0), other = make_grid(EDGE + 1, 1.0), narrow;
    Vec x = make_vector(other), y;
    PC pc = make_pc(a);
    petsc_ok(VecDuplicate(x, &y));
    expect_ok(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, NULL));
    expect_ok(stn_petsc_pc_set_ilu(exec, pc, NULL));
    petsc_fails(MatMult(narrow, x, y), "");
    petsc_fails(PCApply(pc, x, y), "");
    petsc_ok(PCDestroy(&pc));
    petsc_ok(MatDestroy(&narrow));
    petsc_ok(MatDestroy(&a));
    petsc_ok(MatDestroy(&other));
    petsc_ok(VecDestroy(&x));
    petsc_ok(VecDestroy(&y));
}

UNIT_TEST(arguments_of_preconditioners_are_checked)
{
    static const stn_format u8 = STN_U8;
    const stn_ilu_options is_unsigned = STN_INIT(stn_ilu_options, .format = &u8);
    const stn_ilu_options empty = {0};
    const stn_solver_options is_complex = STN_INIT(stn_solver_options, .arithmetic = STN_C128);
    stn_solver_options resumed = STN_SOLVER_OPTIONS_INIT;
    Mat a = make_grid(EDGE, 1.0);
    PC pc = make_pc(a);
    expect_error(stn_petsc_pc_set_ilu(exec, NULL, NULL), STN_ERR_ARGUMENT, "pc is NULL");
    expect_error(stn_petsc_pc_set_ilu(NULL, pc, NULL), STN_ERR_ARGUMENT, "exec is NULL");
    expect_error(stn_petsc_pc_set_ilu(exec, pc, &empty), STN_ERR_ARGUMENT, "options");
    expect_error(stn_petsc_pc_set_solver(exec, pc, NULL, &is_complex), STN_ERR_UNSUPPORTED,
                 "f64 or f32");
    expect_ok(stn_checkpoint_create(&resumed.checkpoint));
    expect_error(stn_petsc_pc_set_solver(exec, pc, NULL, &resumed), STN_ERR_ARGUMENT, "checkpoint");
    stn_checkpoint_release(resumed.checkpoint);
    expect_ok(stn_petsc_pc_set_ilu(exec, pc, &is_unsigned));
    petsc_fails(PCSetUp(pc), "not a signed real format");
    petsc_ok(PCDestroy(&pc));
    petsc_ok(MatDestroy(&a));
}

/* The first rank has a pivot of 0: the set-up fails on all ranks. */
UNIT_TEST(a_failure_on_one_rank_is_an_error_on_all)
{
    Mat a = make_grid(EDGE, 1.0);
    PC pc = make_pc(a);
    if (rank_of() == 0)
        petsc_ok(MatSetValue(a, 0, 0, 0.0, INSERT_VALUES));
    petsc_ok(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    petsc_ok(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    expect_ok(stn_petsc_pc_set_ilu(exec, pc, NULL));
    petsc_fails(PCSetUp(pc), "pivot of row 0");
    petsc_ok(PCDestroy(&pc));
    petsc_ok(MatDestroy(&a));
}

static int begin(void **unused)
{
    (void)unused;
    return PetscInitialize(&argument_count, &arguments, NULL, NULL) ||
           stn_exec_create(&exec, "threads:threads=1");
}

static int end(void **unused)
{
    (void)unused;
    stn_exec_release(exec);
    return PetscFinalize();
}

int main(int count, char **words)
{
    argument_count = count;
    arguments = words;
    return run_unit_tests("petsc", begin, end);
}
