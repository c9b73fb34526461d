/* steno-mpi: solves a linear system with a matrix of a Matrix Market file on several ranks. Each
 * rank reads its rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "steno/block_jacobi.h"
#include "steno/distribute.h"
#include "steno/ilu.h"
#include "steno/market.h"
#include "steno/mpi.h"
#include "steno/solver.h"

typedef struct job {
    mpi_options o;
    stn_exec *exec;
    stn_comm *comm;
    stn_partition *partition;
    stn_partition_info info;
    stn_market_matrix market;
    stn_csr_arrays rows;
    stn_distributed_matrix *a;
    stn_matrix *block;
    stn_preconditioner *m;
    stn_operator product, inverse;
    stn_view b, x;
    stn_solver_report report;
} job;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ != STN_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

/* Fails on all ranks if a step without communication fails on one. */
static stn_status agree(const job *j, stn_status status)
{
    return stn_comm_agree(j->comm, status);
}

static stn_status refuse(job *j, const char *path, stn_status status, const char *reason)
{
    (void)snprintf(j->o.message, sizeof j->o.message, "%s: %s", path, reason);
    return status;
}

/* ---- the system ---- */

/* Rows of a sketch. */
static int64_t granule_of(const job *j)
{
    const int64_t restart = j->o.solve.restart ? j->o.solve.restart : 100;
    int64_t granule = 128;
    while (j->o.solve.orthogonalization == STN_ORTHOGONALIZATION_SKETCHED &&
           granule < 8 * (restart + 1))
        granule *= 2;
    return granule;
}

static int is_complex(stn_format format)
{
    return format == STN_C128 || format == STN_C64;
}

static stn_status choose_arithmetic(job *j)
{
    stn_solver_options *const o = &j->o.solve;
    const int has_complex = j->market.value_format == STN_C128;
    if (!j->o.has_arithmetic)
        o->arithmetic = has_complex ? STN_C128 : STN_F64;
    if (has_complex && !is_complex(o->arithmetic))
        return refuse(j, j->o.path, STN_ERR_ARGUMENT,
                      "the matrix is complex: --arithmetic must be c128 or c64");
    if (o->method != STN_SOLVER_REFINEMENT)
        return STN_OK;
    j->o.inner.arithmetic = is_complex(o->arithmetic) ? STN_C64 : STN_F32;
    j->o.inner.relative_tolerance = 1e-3;
    j->o.inner.preconditioner = o->preconditioner;
    o->inner = &j->o.inner;
    o->preconditioner = NULL;
    return STN_OK;
}

static stn_status read_rows(job *j)
{
    stn_market_matrix *const market = &j->market;
    TRY(agree(j, stn_market_read_header(market, j->o.path, j->o.market_flags)));
    if (market->rows != market->columns) {
        char text[96];
        (void)snprintf(text, sizeof text, "the matrix is not square: %" PRId64 " x %" PRId64,
                       market->rows, market->columns);
        return refuse(j, j->o.path, STN_ERR_SHAPE, text);
    }
    TRY(stn_partition_create_aligned(&j->partition, j->comm, market->rows, granule_of(j)));
    TRY(stn_partition_describe(j->partition, &j->info));
    TRY(stn_market_read_distributed(market, j->o.path, j->o.market_flags, j->partition));
    j->rows.label = j->o.path;
    j->rows.rows = j->info.count;
    j->rows.columns = market->columns;
    j->rows.row_start = market->row_start;
    j->rows.column = market->column;
    j->rows.values = market->values;
    j->rows.row_start_format = STN_I64;
    j->rows.column_format = STN_I32;
    j->rows.storage = stn_storage_of(market->value_format);
    return STN_OK;
}

/* Blocks of `rows` rows: the same for every number of ranks, as `rows` divides 128. */
static stn_status find_blocks(const job *j, int64_t rows, int64_t **starts, int64_t *count)
{
    *count = 0;
    *starts = malloc((size_t)(j->info.count / rows + 2) * sizeof **starts);
    if (!*starts)
        return STN_ERR_MEMORY;
    for (int64_t row = 0; row < j->info.count; row += rows)
        (*starts)[(*count)++] = row;
    (*starts)[*count] = j->info.count;
    return STN_OK;
}

static stn_status create_blocks(job *j)
{
    int64_t *starts = NULL;
    stn_block_jacobi_options options =
        STN_INIT(stn_block_jacobi_options, .partition = j->partition);
    const stn_status found = find_blocks(j, j->o.precond == PRECOND_JACOBI ? 1 : j->o.block,
                                         &starts, &options.block_count);
    options.block_start = starts;
    stn_status status =
        agree(j, found == STN_OK
                     ? found
                     : refuse(j, j->o.path, found, "not enough memory for the preconditioner"));
    if (status == STN_OK)
        status = stn_block_jacobi_create(j->exec, &j->m, j->block, &options);
    free(starts);
    return status;
}

/* A rank without rows applies its empty matrix. */
static stn_status create_factors(job *j)
{
    return j->info.count == 0 ? STN_OK : stn_ilu_create(j->exec, &j->m, j->block, &j->o.factors);
}

static stn_status prepare_preconditioner(job *j)
{
    if (j->o.precond == PRECOND_NONE)
        return STN_OK;
    TRY(agree(j, stn_distributed_local_matrix(j->exec, &j->block, j->partition, &j->rows)));
    TRY(j->o.precond == PRECOND_ILU ? agree(j, create_factors(j)) : create_blocks(j));
    j->o.solve.preconditioner = &j->inverse;
    return j->m ? stn_operator_of_preconditioner(&j->inverse, j->m)
                : stn_operator_of_matrix(&j->inverse, j->block);
}

static stn_status create_vectors(job *j, stn_format format, int64_t columns, double value)
{
    const stn_layout by_columns = {.kind = STN_LAYOUT_LEFT};
    const int64_t extents[] = {j->info.count, columns};
    stn_view_spec spec =
        STN_VIEW_SPEC(.label = "b", .storage = stn_storage_of(format), .layout = &by_columns,
                      .rank = columns == 1 ? 1 : 2, .extents = extents);
    TRY(stn_view_create_spec(j->exec, &j->b, &spec));
    spec.label = "x";
    TRY(stn_view_create_spec(j->exec, &j->x, &spec));
    return stn_view_fill(j->exec, &j->x, value);
}

/* b: the rows of this rank. */
static stn_status take_rows(job *j, const stn_market_matrix *file, stn_format format)
{
    const int64_t extents[] = {file->rows, file->columns};
    stn_slice rows[] = {stn_slice_range(j->info.first, j->info.first + j->info.count),
                        stn_slice_all()};
    stn_view all, part;
    if (file->storage != STN_MARKET_DENSE || file->rows != j->info.rows || file->columns < 1)
        return refuse(j, j->o.rhs, STN_ERR_SHAPE,
                      "not a dense matrix with the number of rows of the system");
    if (file->value_format == STN_C128 && !is_complex(format))
        return refuse(j, j->o.rhs, STN_ERR_ARGUMENT,
                      "b is complex: --arithmetic must be c128 or c64");
    TRY(create_vectors(j, format, file->columns, 0.0));
    TRY(stn_view_wrap_const(&all, j->o.rhs, stn_storage_of(file->value_format), file->values, 2,
                            extents));
    if (file->columns == 1)
        rows[1] = stn_slice_index(0);
    TRY(stn_view_slice(&part, &all, 2, rows));
    return stn_view_copy(j->exec, &j->b, &part);
}

static stn_status read_rhs(job *j, stn_format format)
{
    stn_market_matrix file = STN_MARKET_MATRIX_INIT;
    stn_status status =
        stn_market_read_file(&file, j->o.rhs, j->o.market_flags & STN_MARKET_LENIENT);
    if (status == STN_OK)
        status = take_rows(j, &file, format);
    stn_market_release(&file);
    return status;
}

static stn_status prepare_vectors(job *j)
{
    const stn_format wide = is_complex(j->o.solve.arithmetic) ? STN_C128 : STN_F64;
    if (j->o.rhs)
        return agree(j, read_rhs(j, wide));
    TRY(agree(j, create_vectors(j, wide, 1, 1.0)));
    TRY(stn_distributed_spmv(j->exec, wide, 1.0, j->a, &j->x, 0.0, &j->b));
    return agree(j, stn_view_fill(j->exec, &j->x, 0.0));
}

static stn_status prepare(job *j)
{
    stn_distributed_options distributed = STN_DISTRIBUTED_OPTIONS_INIT;
    char resource[256];
    if (strcmp(j->o.resource, "threads") == 0)
        (void)snprintf(resource, sizeof resource, "threads:threads=%lld", (long long)j->o.threads);
    else
        (void)snprintf(resource, sizeof resource, "%s", j->o.resource);
    TRY(agree(j, stn_exec_create(&j->exec, resource)));
    TRY(read_rows(j));
    distributed.exchange_format = j->o.exchange;
    TRY(stn_distributed_matrix_create(j->exec, &j->a, j->partition, &j->rows, &distributed));
    TRY(stn_operator_of_distributed_matrix(&j->product, j->a));
    TRY(prepare_preconditioner(j));
    TRY(choose_arithmetic(j));
    return prepare_vectors(j);
}

/* ---- the result, printed by rank 0 ---- */

typedef struct traffic {
    int64_t ghosts, messages, bytes;
} traffic;

static stn_status keep_largest(void *context, void *left, const void *right)
{
    traffic *const to = left;
    const traffic *const from = right;
    (void)context;
    to->ghosts = from->ghosts > to->ghosts ? from->ghosts : to->ghosts;
    to->messages = from->messages > to->messages ? from->messages : to->messages;
    to->bytes = from->bytes > to->bytes ? from->bytes : to->bytes;
    return STN_OK;
}

static stn_status print_report(job *j, const stn_comm_info *before)
{
    stn_comm_info after = STN_COMM_INFO_INIT;
    stn_distributed_info matrix = STN_DISTRIBUTED_INFO_INIT;
    const int64_t iterations = j->report.iterations > 0 ? j->report.iterations : 1;
    TRY(stn_comm_describe(j->comm, &after));
    TRY(stn_distributed_matrix_describe(j->a, &matrix));
    traffic most = {matrix.ghosts, after.messages - before->messages, after.bytes - before->bytes};
    TRY(stn_comm_allreduce(j->comm, &most, sizeof most, keep_largest, NULL));
    if (stn_comm_rank(j->comm) != 0)
        return STN_OK;
    printf("%s: %" PRId64 " rows, %d ranks\n", j->o.path, j->info.rows, stn_comm_ranks(j->comm));
    printf("%s, preconditioner %s: %s after %" PRId64 " iterations, residual %.3e, %.3f s\n",
           j->o.solver, j->o.precond_name, stn_stop_reason_name(j->report.reason),
           j->report.iterations, j->report.residual, j->report.seconds);
    printf("largest rank, per iteration: %.1f messages, %.0f bytes; %" PRId64
           " elements of other ranks\n",
           (double)most.messages / (double)iterations, (double)most.bytes / (double)iterations,
           most.ghosts);
    return STN_OK;
}

static stn_status run(job *j)
{
    stn_comm_info before = STN_COMM_INFO_INIT;
    TRY(prepare(j));
    TRY(stn_comm_describe(j->comm, &before));
    j->o.solve.partition = j->partition;
    const stn_status status =
        stn_solve(j->exec, &j->x, &j->product, &j->b, &j->o.solve, &j->report);
    if (status != STN_OK && status != STN_ERR_CONVERGENCE)
        return status;
    TRY(print_report(j, &before));
    return status;
}

static void release(job *j)
{
    (void)stn_view_release(&j->b);
    (void)stn_view_release(&j->x);
    stn_preconditioner_release(j->m);
    stn_matrix_release(j->block);
    stn_distributed_matrix_release(j->a);
    stn_market_release(&j->market);
    stn_partition_release(j->partition);
    stn_comm_release(j->comm);
    stn_exec_release(j->exec);
}

/* Rank 0 prints messages: all ranks have the same error. */
static int solve(job *j, int rank)
{
    stn_status status = stn_comm_create_mpi(&j->comm, MPI_COMM_WORLD);
    if (status == STN_OK)
        status = run(j);
    if (status != STN_OK && rank == 0)
        fprintf(stderr, "steno-mpi: %s\n", *j->o.message ? j->o.message : stn_error());
    release(j);
    return status != STN_OK;
}

int main(int argc, char **argv)
{
    job j = {.info = STN_PARTITION_INFO_INIT,
             .market = STN_MARKET_MATRIX_INIT,
             .rows = STN_CSR_ARRAYS_INIT,
             .report = STN_SOLVER_REPORT_INIT};
    int rank = 0, result = 2;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int is_valid = mpi_options_read(&j.o, argc, argv);
    if (!is_valid && rank == 0)
        fprintf(stderr, "steno-mpi: %s; see steno-mpi --help\n", j.o.message);
    if (is_valid && j.o.wants_help && rank == 0)
        fputs(mpi_usage, stdout);
    if (is_valid)
        result = j.o.wants_help ? 0 : solve(&j, rank);
    MPI_Finalize();
    return result;
}
