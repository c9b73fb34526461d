/* steno-mpi: solves a linear system with a matrix of a Matrix Market file on several ranks. Each
 * rank reads its rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steno/block_jacobi.h"
#include "steno/distribute.h"
#include "steno/ilu.h"
#include "steno/market.h"
#include "steno/mpi.h"
#include "steno/solver.h"

enum { BLOCK_ROWS = 4 };

static const char usage[] =
    "usage: mpirun -n RANKS steno-mpi solve FILE [OPTION VALUE]...\n"
    "Solves A x = b for the matrix of a Matrix Market file, where b = A (1, 1, ...).\n"
    "  --solver NAME          cg (default), minres, bicgstab or gmres\n"
    "  --arith TYPE           f64 (default) or f32\n"
    "  --basis FORMAT         storage of the basis of gmres\n"
    "  --precond NAME         none (default), jacobi, block (blocks of 4 rows), or ilu, which "
    "depends\n"
    "                         on the number of ranks\n"
    "  --exchange FORMAT      format of exchanged elements; the result then depends on the number "
    "of\n"
    "                         ranks\n"
    "  --tolerance NUMBER     relative residual (default 1e-10)\n"
    "  --restart NUMBER       restart of gmres\n"
    "  --max-iterations NUMBER\n"
    "  --exec RESOURCE        executor of each rank (default threads:threads=1)\n";

typedef struct job {
    const char *path, *solver, *precond, *exec_name;
    stn_solver_options options;
    stn_distributed_options distributed;
    stn_exec *exec;
    stn_comm *comm;
    stn_partition *partition;
    stn_partition_info info;
    stn_market_matrix market;
    stn_csr_arrays rows;
    int64_t *start; /* of the rows of this rank */
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

/* ---- arguments: the same on all ranks ---- */

static int find_name(const char *const *names, const char *name)
{
    for (int k = 0; names[k]; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

static int read_format(const char *name, stn_format *format)
{
    return stn_format_find(name, format) == STN_OK;
}

static int read_solver(job *j, const char *name)
{
    static const char *const names[] = {"cg", "minres", "bicgstab", "gmres", NULL};
    static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_MINRES,
                                                STN_SOLVER_BICGSTAB, STN_SOLVER_GMRES};
    const int found = find_name(names, name);
    if (found >= 0)
        j->options.method = methods[found];
    j->solver = name;
    return found >= 0;
}

static int read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == 0 && *number > 0.0;
}

static int read_count(const char *text, int64_t *count)
{
    double number;
    const int is_valid = read_number(text, &number) && number < 1e15;
    *count = is_valid ? (int64_t)number : 0;
    return is_valid;
}

static int read_option(job *j, const char *name, const char *value)
{
    static const char *const preconditioners[] = {"none", "jacobi", "block", "ilu", NULL};
    if (strcmp(name, "--solver") == 0)
        return read_solver(j, value);
    if (strcmp(name, "--arith") == 0)
        return read_format(value, &j->options.arithmetic);
    if (strcmp(name, "--exchange") == 0)
        return read_format(value, &j->distributed.exchange_format);
    if (strcmp(name, "--tolerance") == 0)
        return read_number(value, &j->options.relative_tolerance);
    if (strcmp(name, "--restart") == 0)
        return read_count(value, &j->options.restart);
    if (strcmp(name, "--max-iterations") == 0)
        return read_count(value, &j->options.max_iterations);
    if (strcmp(name, "--basis") == 0) {
        stn_format format;
        const int is_found = read_format(value, &format);
        if (is_found)
            j->options.basis = stn_storage_of(format);
        return is_found;
    }
    if (strcmp(name, "--exec") == 0)
        j->exec_name = value;
    else if (strcmp(name, "--precond") == 0 && find_name(preconditioners, value) >= 0)
        j->precond = value;
    else
        return 0;
    return 1;
}

/* Returns the invalid argument, or NULL. */
static const char *read_arguments(job *j, int argc, char **argv)
{
    j->precond = "none";
    j->solver = "cg";
    j->exec_name = "threads:threads=1";
    if (argc < 3 || strcmp(argv[1], "solve") != 0)
        return argc < 3 ? "" : argv[1];
    j->path = argv[2];
    for (int k = 3; k < argc; k += 2)
        if (k + 1 == argc || !read_option(j, argv[k], argv[k + 1]))
            return argv[k];
    return NULL;
}

/* ---- the system ---- */

/* The matrix of the file has all rows; those of other ranks are empty. */
static stn_status read_rows(job *j)
{
    stn_market_matrix *const market = &j->market;
    TRY(stn_market_read_header(market, j->path, STN_MARKET_SUM));
    if (market->rows != market->columns)
        return STN_ERR_SHAPE;
    TRY(stn_partition_create(&j->partition, j->comm, market->rows));
    TRY(stn_partition_describe(j->partition, &j->info));
    TRY(stn_market_read_rows(market, j->path, STN_MARKET_SUM, j->info.first, j->info.count));
    j->start = malloc((size_t)(j->info.count + 1) * sizeof *j->start);
    if (!j->start)
        return STN_ERR_MEMORY;
    for (int64_t k = 0; k <= j->info.count; k++)
        j->start[k] = market->row_start[j->info.first + k] - market->row_start[j->info.first];
    j->rows.label = j->path;
    j->rows.rows = j->info.count;
    j->rows.columns = market->columns;
    j->rows.row_start = j->start;
    j->rows.column = market->column;
    j->rows.values = market->values;
    j->rows.row_start_format = STN_I64;
    j->rows.column_format = STN_I32;
    j->rows.storage = stn_storage_of(market->value_format);
    return STN_OK;
}

static stn_status create_preconditioner(job *j)
{
    stn_block_jacobi_options options = STN_BLOCK_JACOBI_OPTIONS_INIT;
    int64_t *starts;
    if (strcmp(j->precond, "ilu") == 0)
        return stn_ilu_create(j->exec, &j->m, j->block, NULL);
    options.max_block_rows = 1;
    if (strcmp(j->precond, "jacobi") == 0)
        return stn_block_jacobi_create(j->exec, &j->m, j->block, &options);
    starts = malloc((size_t)(j->info.count / BLOCK_ROWS + 2) * sizeof *starts);
    if (!starts)
        return STN_ERR_MEMORY;
    for (int64_t row = 0; row < j->info.count; row += BLOCK_ROWS)
        starts[options.block_count++] = row;
    starts[options.block_count] = j->info.count;
    options.block_start = starts;
    const stn_status status = stn_block_jacobi_create(j->exec, &j->m, j->block, &options);
    free(starts);
    return status;
}

/* A rank without rows applies its empty matrix. */
static stn_status prepare_preconditioner(job *j)
{
    if (strcmp(j->precond, "none") == 0)
        return STN_OK;
    TRY(stn_distributed_local_matrix(j->exec, &j->block, j->partition, &j->rows));
    j->options.preconditioner = &j->inverse;
    if (j->info.count == 0)
        return stn_operator_of_matrix(&j->inverse, j->block);
    TRY(create_preconditioner(j));
    return stn_operator_of_preconditioner(&j->inverse, j->m);
}

static stn_status prepare(job *j)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    TRY(stn_exec_create(&j->exec, j->exec_name));
    TRY(read_rows(j));
    TRY(stn_distributed_matrix_create(j->exec, &j->a, j->partition, &j->rows, &j->distributed));
    TRY(stn_operator_of_distributed_matrix(&j->product, j->a));
    TRY(stn_view_create(j->exec, &j->b, "b", f64, 1, &j->info.count));
    TRY(stn_view_create(j->exec, &j->x, "x", f64, 1, &j->info.count));
    TRY(stn_view_fill(j->exec, &j->x, 1.0));
    TRY(stn_distributed_spmv(j->exec, STN_F64, 1.0, j->a, &j->x, 0.0, &j->b));
    TRY(stn_view_fill(j->exec, &j->x, 0.0));
    return prepare_preconditioner(j);
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
    printf("%s: %" PRId64 " rows, %d ranks\n", j->path, j->info.rows, stn_comm_ranks(j->comm));
    printf("%s, preconditioner %s: %s after %" PRId64 " iterations, residual %.3e, %.3f s\n",
           j->solver, j->precond, stn_stop_reason_name(j->report.reason), j->report.iterations,
           j->report.residual, j->report.seconds);
    printf("largest rank, per iteration: %.1f messages, %.0f bytes; %" PRId64
           " elements of other ranks\n",
           (double)most.messages / (double)iterations, (double)most.bytes / (double)iterations,
           most.ghosts);
    return STN_OK;
}

static stn_status run(job *j)
{
    stn_comm_info before = STN_COMM_INFO_INIT;
    TRY(stn_comm_agree(j->comm, prepare(j)));
    TRY(stn_comm_describe(j->comm, &before));
    j->options.partition = j->partition;
    const stn_status status =
        stn_solve(j->exec, &j->x, &j->product, &j->b, &j->options, &j->report);
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
    free(j->start);
}

static void print_error(const job *j)
{
    const stn_market_matrix *const market = &j->market;
    if (market->rows != market->columns)
        fprintf(stderr, "steno-mpi: %s is not square: %lld x %lld\n", j->path,
                (long long)market->rows, (long long)market->columns);
    else
        fprintf(stderr, "steno-mpi: %s\n", stn_error());
}

/* Rank 0 prints messages: all ranks have the same error. */
int main(int argc, char **argv)
{
    job j = {.options = STN_SOLVER_OPTIONS_INIT,
             .distributed = STN_DISTRIBUTED_OPTIONS_INIT,
             .info = STN_PARTITION_INFO_INIT,
             .market = STN_MARKET_MATRIX_INIT,
             .rows = STN_CSR_ARRAYS_INIT,
             .report = STN_SOLVER_REPORT_INIT};
    int rank = 0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *const invalid = read_arguments(&j, argc, argv);
    if (invalid) {
        const int is_help = strcmp(invalid, "--help") == 0 || strcmp(invalid, "help") == 0;
        if (rank == 0 && !is_help && *invalid)
            fprintf(stderr, "steno-mpi: invalid argument or value: %s\n", invalid);
        if (rank == 0)
            fputs(usage, is_help ? stdout : stderr);
        MPI_Finalize();
        return is_help ? 0 : 2;
    }
    stn_status status = stn_comm_create_mpi(&j.comm, MPI_COMM_WORLD);
    if (status == STN_OK)
        status = run(&j);
    if (status != STN_OK && rank == 0)
        print_error(&j);
    release(&j);
    MPI_Finalize();
    return status != STN_OK;
}
