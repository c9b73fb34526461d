/* Checks of the arguments of stn_solve. */
#include <string.h>

#include "core/grow.h"
#include "distribute/matrix.h"
#include "exec/exec.h"
#include "format/run.h"
#include "solver/basis.h"
#include "sparse/matrix.h"
#include "view/overlap.h"
#include "view/view.h"

enum {
    MAX_RESTART = 1 << 20, /* its square is a number of elements */
    MAX_INNER = 16         /* nested refinements */
};

static stn_status expect_operator(const char *what, const stn_operator *a, int64_t rows)
{
    if (!a || a->size != sizeof *a || !a->apply)
        return stn_fail(
            STN_ERR_ARGUMENT, "stn_solve: %s %s", what,
            a ? "is no operator: create it by stn_operator_create, stn_operator_of_matrix or "
                "stn_operator_of_preconditioner"
              : "is NULL");
    if (a->rows != rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s has %lld rows, not %lld", what,
                        (long long)a->rows, (long long)rows);
    return STN_OK;
}

static stn_status expect_limits(const stn_solver_options *options)
{
    const struct {
        const char *name;
        double value;
    } limits[] = {{"relative_tolerance", options->relative_tolerance},
                  {"absolute_tolerance", options->absolute_tolerance},
                  {"max_seconds", options->max_seconds},
                  {"max_iterations", (double)options->max_iterations},
                  {"restart", (double)options->restart}};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (!(limits[k].value >= 0.0))
            return stn_fail(STN_ERR_ARGUMENT, "stn_solve: %s is %g; it must be at least 0",
                            limits[k].name, limits[k].value);
    if (options->restart > MAX_RESTART)
        return stn_fail(STN_ERR_RANGE, "stn_solve: restart is %lld; it must be at most %d",
                        (long long)options->restart, MAX_RESTART);
    if (options->basis_block != 0 && options->basis_block != STN_BASIS_BLOCK)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: basis_block is %lld; it must be 0 or %d",
                        (long long)options->basis_block, STN_BASIS_BLOCK);
    return STN_OK;
}

/* The chain of inner solvers ends with a method other than refinement. */
static stn_status expect_inner(const stn_solver_options *options)
{
    stn_solver_options one = *options;
    for (int k = 0; k <= MAX_INNER; k++) {
        if (one.method != STN_SOLVER_REFINEMENT)
            return STN_OK;
        if (!one.inner)
            return stn_fail(STN_ERR_ARGUMENT, "stn_solve: options.inner is NULL; set it to the "
                                              "options of the inner solver of a refinement");
        STN_TRY(STN_STRUCT_READ(&one, one.inner, stn_solver_options, arithmetic,
                                "stn_solve: options.inner"));
    }
    return stn_fail(STN_ERR_ARGUMENT,
                    "stn_solve: inner refinements are nested more than %d times, or one is its own "
                    "inner solver",
                    MAX_INNER);
}

static int is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

/* A scale of 0 is the default, too, as for all members of the options. */
static stn_status expect_basis(const stn_solver_options *options)
{
    stn_storage storage = options->basis;
    if (stn_solver_has_default_basis(options))
        return STN_OK;
    if (!stn_format_entry_of(storage.format))
        return stn_fail(STN_ERR_FORMAT, "stn_solve: basis.format is %d; it must be a real format",
                        (int)storage.format);
    if ((storage.scale != 0.0 && storage.scale != 1.0) || storage.zero != 0.0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: basis has scale %g and zero point %g; they must be 1 and 0, "
                        "because each vector of the basis has its own scale",
                        storage.scale, storage.zero);
    storage.scale = 1.0;
    const stn_status status = stn_storage_check(&storage);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "stn_solve: basis");
}

static stn_status expect_orthogonalization(const stn_solver_options *options,
                                           const stn_solver_functions *method)
{
    if ((unsigned)options->orthogonalization > STN_ORTHOGONALIZATION_SKETCHED)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: orthogonalization is %d; it must be "
                        "STN_ORTHOGONALIZATION_DEFAULT (%d) to STN_ORTHOGONALIZATION_SKETCHED (%d)",
                        (int)options->orthogonalization, STN_ORTHOGONALIZATION_DEFAULT,
                        STN_ORTHOGONALIZATION_SKETCHED);
    if (!method->has_basis && options->orthogonalization != STN_ORTHOGONALIZATION_DEFAULT)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: %s has no basis; orthogonalization must be "
                        "STN_ORTHOGONALIZATION_DEFAULT (%d)",
                        method->name, STN_ORTHOGONALIZATION_DEFAULT);
    return STN_OK;
}

static stn_status expect_options(const stn_solver_options *options)
{
    const stn_solver_functions *const method = stn_solver_functions_of(options->method);
    if (!method)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "stn_solve: method is %d; it must be STN_SOLVER_CG (%d) to STN_SOLVER_FGMRES (%d)",
            (int)options->method, STN_SOLVER_CG, STN_SOLVER_FGMRES);
    if (options->side != STN_PRECONDITIONER_RIGHT && options->side != STN_PRECONDITIONER_LEFT)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: side is %d; it must be STN_PRECONDITIONER_RIGHT (%d) or "
                        "STN_PRECONDITIONER_LEFT (%d)",
                        (int)options->side, STN_PRECONDITIONER_RIGHT, STN_PRECONDITIONER_LEFT);
    if (options->side == STN_PRECONDITIONER_LEFT && !method->has_left)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: %s does not support a preconditioner on the left",
                        method->name);
    if (!method->has_basis && (!stn_solver_has_default_basis(options) || options->basis_block != 0))
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: %s has no basis; basis and basis_block must be all zeros",
                        method->name);
    if (options->arithmetic != (stn_format)0 && options->arithmetic != STN_F64 &&
        options->arithmetic != STN_F32 && !is_complex(options->arithmetic))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: arithmetic is %s; it must be f64, f32, c128 or c64",
                        stn_format_text(options->arithmetic));
    STN_TRY(expect_orthogonalization(options, method));
    STN_TRY(expect_limits(options));
    STN_TRY(expect_basis(options));
    return expect_inner(options);
}

/* Complex numbers in complex arithmetic, real ones in real arithmetic. */
static stn_status expect_kind(const stn_solver_options *options, const stn_view *view)
{
    const stn_format_info *const info = &stn_format_entry_of(view->storage.format)->info;
    const int has_complex = info->kind == STN_CLASS_COMPLEX;
    if (has_complex == is_complex(options->arithmetic))
        return STN_OK;
    return stn_fail(STN_ERR_FORMAT, "stn_solve: %s has %s numbers, and the arithmetic is %s",
                    stn_view_text(view), has_complex ? "complex" : "real",
                    has_complex ? "real" : "complex");
}

static stn_status expect_vectors(const stn_solver_options *options, const stn_operator *a,
                                 const stn_view *b, const stn_view *x)
{
    STN_TRY(stn_view_check("stn_solve", b));
    STN_TRY(stn_view_check("stn_solve", x));
    STN_TRY(expect_kind(options, b));
    STN_TRY(expect_kind(options, x));
    STN_TRY(stn_view_writable("stn_solve", x));
    if (b->rank < 1 || b->rank > 2 || x->rank != b->rank || b->extent[0] != a->rows ||
        x->extent[0] != a->rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s and %s are not vectors of %lld elements",
                        stn_view_text(b), stn_view_text(x), (long long)a->rows);
    if (b->rank == 2 && x->extent[1] != b->extent[1])
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s and %s have different numbers of columns",
                        stn_view_text(b), stn_view_text(x));
    if (!stn_view_is_unique(x))
        return stn_fail(STN_ERR_ALIAS, "stn_solve: %s has elements that share memory",
                        stn_view_text(x));
    if (stn_view_may_share(b, x))
        return stn_fail(STN_ERR_ALIAS, "stn_solve: %s overlaps %s", stn_view_text(x),
                        stn_view_text(b));
    const stn_matrix *const matrix = stn_operator_matrix(a);
    return matrix ? stn_matrix_expect_disjoint("stn_solve", matrix, x) : STN_OK;
}

/* Is A distributed as the vectors are, or a function? */
static int has_partition(const stn_operator *a, const stn_partition *p)
{
    const stn_distributed_matrix *const matrix = stn_operator_distributed_matrix(a);
    return !matrix || matrix->partition == p ||
           (matrix->partition->comm == p->comm &&
            memcmp(matrix->partition->start, p->start,
                   (size_t)(stn_comm_ranks(p->comm) + 1) * sizeof *p->start) == 0);
}

static stn_status expect_partition(const stn_solver_options *options, const stn_operator *a)
{
    const int64_t rows = a->rows;
    if (!has_partition(a, options->partition))
        return stn_fail(STN_ERR_SHAPE, "stn_solve: A has another partition than the options");
    if (rows != stn_partition_count(options->partition))
        return stn_fail(STN_ERR_SHAPE,
                        "stn_solve: A has %lld rows, and this rank has %lld rows of the partition",
                        (long long)rows, (long long)stn_partition_count(options->partition));
    return STN_OK;
}

static stn_status expect_reports(const stn_view *b, const stn_solver_report *report, size_t size)
{
    const int64_t columns = stn_solver_columns_of(b);
    if (!report->column_reports)
        return STN_OK;
    if (report->column_capacity < columns)
        return stn_fail(STN_ERR_SHAPE,
                        "stn_solve: column_capacity is %lld; b has %lld columns, and each needs a "
                        "report",
                        (long long)report->column_capacity, (long long)columns);
    for (int64_t c = 0; c < columns; c++) {
        const stn_solver_report *const one = stn_solver_column_report(report, size, c);
        if (one->size != size)
            return stn_fail(STN_ERR_ARGUMENT,
                            "stn_solve: column_reports[%lld].size is %zu; it must be that of the "
                            "report, %zu",
                            (long long)c, one->size, size);
    }
    return STN_OK;
}

static stn_status expect_inner_operators(const stn_solver_options *options, int64_t rows)
{
    const int64_t count = options->inner_operator_count;
    if (!options->inner_operators && count == 0)
        return STN_OK;
    if (!options->inner_operators || count < 1)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: inner_operator_count is %lld, and inner_operators is %s",
                        (long long)count, options->inner_operators ? "not NULL" : "NULL");
    if (options->method != STN_SOLVER_REFINEMENT || options->inner_operator)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: inner_operators requires the method STN_SOLVER_REFINEMENT (%d) "
                        "and inner_operator NULL",
                        STN_SOLVER_REFINEMENT);
    for (int64_t k = 0; k < count; k++)
        STN_TRY(expect_operator("an inner operator", &options->inner_operators[k], rows));
    return STN_OK;
}

stn_status stn_solver_expect(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                             const stn_view *b, const stn_solver_options *options,
                             const stn_solver_report *report, size_t report_size)
{
    STN_TRY(stn_exec_expect("stn_solve", exec));
    STN_TRY(expect_options(options));
    STN_TRY(expect_operator("A", a, a ? a->rows : 0));
    if (options->preconditioner)
        STN_TRY(expect_operator("the preconditioner", options->preconditioner, a->rows));
    STN_TRY(expect_inner_operators(options, a->rows));
    STN_TRY(expect_vectors(options, a, b, x));
    if (options->checkpoint && stn_solver_columns_of(b) != 1)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: b has %lld columns; a checkpoint supports one",
                        (long long)stn_solver_columns_of(b));
    if (options->partition)
        STN_TRY(expect_partition(options, a));
    return expect_reports(b, report, report_size);
}
