/* What stn_solve expects of its arguments. */
#include "exec/exec.h"
#include "solver/basis.h"
#include "view/overlap.h"
#include "view/view.h"

enum {
    MOST_RESTART = 1 << 20, /* its square is a number of elements */
    MOST_INNER = 16         /* refinements within each other */
};

static stn_status expect_operator(const char *what, const stn_operator *a, int64_t rows)
{
    if (!a || a->size != sizeof *a || !a->apply)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: %s %s", what,
                        a ? "was not made by stn_operator_create" : "is NULL");
    if (a->rows != rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s has %lld rows, not %lld", what,
                        (long long)a->rows, (long long)rows);
    return STN_OK;
}

static stn_status expect_numbers(const stn_solver_options *solver)
{
    const struct {
        const char *what;
        double number;
    } numbers[] = {{"relative", solver->relative},
                   {"absolute", solver->absolute},
                   {"seconds", solver->seconds},
                   {"iterations", (double)solver->iterations},
                   {"restart", (double)solver->restart}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!(numbers[k].number >= 0.0))
            return stn_fail(STN_ERR_ARGUMENT, "stn_solve: %s is %g; it must be at least 0",
                            numbers[k].what, numbers[k].number);
    if (solver->restart > MOST_RESTART)
        return stn_fail(STN_ERR_RANGE, "stn_solve: restart is %lld; at most %d",
                        (long long)solver->restart, MOST_RESTART);
    if (solver->basis_block != 0 && solver->basis_block != STN_BASIS_BLOCK)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: basis_block is %lld, neither 0 nor %d",
                        (long long)solver->basis_block, STN_BASIS_BLOCK);
    return STN_OK;
}

/* Solvers within each other come to an end; `inner` is NULL, or itself, is for refinement to say.
 */
static stn_status expect_end(const stn_solver_options *solver)
{
    const stn_solver_options *one = solver;
    for (int k = 0; k <= MOST_INNER; k++) {
        if (!one || one->size != sizeof *one || one->method != STN_SOLVER_REFINEMENT ||
            one->inner == one)
            return STN_OK;
        one = one->inner;
    }
    return stn_fail(STN_ERR_ARGUMENT,
                    "stn_solve: more than %d refinements within each other, or one within itself",
                    MOST_INNER);
}

static int is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

static stn_status expect_solver(const stn_solver_options *solver)
{
    if (!solver)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: the solver is NULL");
    if (solver->size != sizeof *solver)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: solver->size is %zu; set it to sizeof(stn_solver_options), %zu",
                        solver->size, sizeof *solver);
    const stn_solver_functions *const method = stn_solver_functions_of(solver->method);
    if (!method)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: there is no method %d", (int)solver->method);
    if (solver->on_left && !method->has_left)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_solve: %s takes no preconditioner on the left",
                        method->name);
    if (solver->arithmetic != (stn_format)0 && solver->arithmetic != STN_F64 &&
        solver->arithmetic != STN_F32 && !is_complex(solver->arithmetic))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: arithmetic is %s; it must be f64, f32, c128 or c64",
                        stn_format_text(solver->arithmetic));
    STN_TRY(expect_numbers(solver));
    return expect_end(solver);
}

/* Complex numbers in complex arithmetic, real ones in real arithmetic. */
static stn_status expect_numbers_of(const stn_solver_options *solver, const stn_view *view)
{
    const stn_format_info *const info = &stn_format_entry_of(view->storage.format)->info;
    const int has_complex = info->kind == STN_CLASS_COMPLEX;
    if (has_complex == is_complex(solver->arithmetic))
        return STN_OK;
    return stn_fail(STN_ERR_FORMAT, "stn_solve: %s has %s numbers, and the arithmetic is %s",
                    stn_view_text(view), has_complex ? "complex" : "real",
                    has_complex ? "real" : "complex");
}

static stn_status expect_vectors(const stn_solver_options *solver, const stn_operator *a,
                                 const stn_view *b, const stn_view *x)
{
    STN_TRY(stn_view_check("stn_solve", b));
    STN_TRY(stn_view_check("stn_solve", x));
    STN_TRY(expect_numbers_of(solver, b));
    STN_TRY(expect_numbers_of(solver, x));
    STN_TRY(stn_view_writable("stn_solve", x));
    if (b->rank < 1 || b->rank > 2 || x->rank != b->rank || b->extent[0] != a->rows ||
        x->extent[0] != a->rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s and %s are not vectors of %lld elements",
                        stn_view_text(b), stn_view_text(x), (long long)a->rows);
    if (b->rank == 2 && x->extent[1] != b->extent[1])
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s and %s have other numbers of columns",
                        stn_view_text(b), stn_view_text(x));
    if (!stn_view_is_unique(x))
        return stn_fail(STN_ERR_ALIAS, "stn_solve: %s has elements that share memory",
                        stn_view_text(x));
    if (stn_view_may_share(b, x))
        return stn_fail(STN_ERR_ALIAS, "stn_solve: %s overlaps %s", stn_view_text(x),
                        stn_view_text(b));
    return STN_OK;
}

static stn_status expect_room(const stn_view *b, const stn_solver_report *solution)
{
    const int64_t columns = stn_solver_columns_of(b);
    if (!solution->each)
        return STN_OK;
    if (solution->each_most < columns)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %lld solutions for %lld columns",
                        (long long)solution->each_most, (long long)columns);
    for (int64_t c = 0; c < columns; c++)
        if (solution->each[c].size != sizeof *solution)
            return stn_fail(STN_ERR_ARGUMENT,
                            "stn_solve: solution->each[%lld].size is %zu; set it to "
                            "sizeof(stn_solver_report), %zu",
                            (long long)c, solution->each[c].size, sizeof *solution);
    return STN_OK;
}

stn_status stn_solver_expect(const stn_exec *exec, const stn_solver_options *solver,
                             const stn_operator *a, const stn_view *b, const stn_view *x,
                             const stn_solver_report *solution)
{
    STN_TRY(stn_exec_expect("stn_solve", exec));
    STN_TRY(expect_solver(solver));
    STN_TRY(expect_operator("A", a, a ? a->rows : 0));
    if (solver->preconditioner)
        STN_TRY(expect_operator("the preconditioner", solver->preconditioner, a->rows));
    STN_TRY(expect_vectors(solver, a, b, x));
    if (solver->checkpoint && stn_solver_columns_of(b) != 1)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: a checkpoint is of one column, and b has %lld",
                        (long long)stn_solver_columns_of(b));
    return expect_room(b, solution);
}
