/* A program of test_mpi.sh, which compiles it together with mpi/comm.c by the compilers of several
 * MPIs.
 *
 *     program alone    without ranks     program ranks    distributed: prints the same lines
 *     program fail     failures of one rank
 *     program bytes    bytes that products send, counted through the profiling interface of MPI
 *     program worlds   communicators of parts of the ranks, whose solves alternate; freed and
 * released in any order, also after MPI_Finalize; MPI_THREAD_SINGLE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steno/block_jacobi.h>
#include <steno/distribute.h>
#include <steno/kernel.h>
#include <steno/mpi.h>
#include <steno/steno.h>

enum { SIDE = 40, ROWS = SIDE * SIDE + 7 };

static int64_t sent_bytes;

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    sent_bytes += (int64_t)size * count;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

STN_MAP(scale_rows, (at(i), in(x), out(y)), y = (1 + (i % 7)) * x;)

static stn_exec *exec;

static void need(stn_status status, const char *what)
{
    if (status == STN_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, stn_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- rows of the five-point operator on a grid, in global columns ---- */

typedef struct rows_ {
    int64_t first, count, start[ROWS + 1], column[5 * ROWS];
    double value[5 * ROWS];
} rows_;

static void fill_rows(rows_ *rows, int64_t first, int64_t count)
{
    static const int64_t offsets[] = {-SIDE, -1, 0, 1, SIDE};
    int64_t entries = 0;
    rows->first = first;
    rows->count = count;
    for (int64_t i = 0; i < count; i++) {
        rows->start[i] = entries;
        for (int k = 0; k < 5; k++) {
            const int64_t j = first + i + offsets[k];
            if (j < 0 || j >= ROWS)
                continue;
            rows->column[entries] = j;
            rows->value[entries++] = offsets[k] == 0 ? 5.0 : -1.0;
        }
    }
    rows->start[count] = entries;
}

static stn_csr_arrays arrays_of(const rows_ *rows)
{
    return (stn_csr_arrays){.size = sizeof(stn_csr_arrays),
                            .label = "grid",
                            .rows = rows->count,
                            .columns = ROWS,
                            .row_start = rows->start,
                            .column = rows->column,
                            .values = rows->value,
                            .row_start_format = STN_I64,
                            .column_format = STN_I64};
}

/* ---- solves: lines with the bits of the results ---- */

static void print_bits(const char *name, int64_t iterations, double residual, const double *x)
{
    uint64_t hash = 0xcbf29ce484222325u, bits;
    for (int64_t k = 0; k < ROWS; k++) {
        memcpy(&bits, &x[k], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    printf("%s: %lld iterations, residual %a, x %016llx\n", name, (long long)iterations, residual,
           (unsigned long long)hash);
}

static void solve(const char *name, const stn_solver_options *options, const stn_operator *a,
                  const stn_operator *m, const stn_partition *p, stn_comm *comm, int64_t first,
                  int64_t count)
{
    static double b[ROWS], x[ROWS], whole[ROWS];
    stn_solver_options full = *options;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_view b_view, x_view;
    for (int64_t k = 0; k < count; k++) {
        b[k] = sin((double)(first + k));
        x[k] = 0.0;
    }
    full.partition = p;
    full.preconditioner = m;
    need(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &count), "b");
    need(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 1, &count), "x");
    need(stn_solve(exec, &x_view, a, &b_view, &full, &report), name);
    memcpy(whole + first, x, (size_t)count * sizeof *x);
    if (comm) { /* the results of rank 0 have all rows */
        static double all[8 * ROWS];
        stn_partition_info info = STN_PARTITION_INFO_INIT;
        int64_t bounds[2] = {first, count}, every[16];
        need(stn_partition_describe(p, &info), "partition");
        need(stn_comm_allgather(comm, all, whole, sizeof whole), "gather");
        need(stn_comm_allgather(comm, every, bounds, sizeof bounds), "gather");
        for (int r = 0; r < stn_comm_ranks(comm); r++)
            memcpy(whole + every[2 * r], all + (int64_t)r * ROWS + every[2 * r],
                   (size_t)every[2 * r + 1] * sizeof *whole);
    }
    if (stn_comm_rank(comm) == 0)
        print_bits(name, report.iterations, report.residual, whole);
}

static void solve_all(stn_comm *comm)
{
    static rows_ rows;
    stn_partition_info info = {.size = sizeof info, .count = ROWS};
    stn_partition *p = NULL;
    stn_distributed_matrix *distributed = NULL;
    stn_matrix *block;
    stn_preconditioner *jacobi = NULL;
    stn_operator a, m;
    stn_solver_options cg = STN_SOLVER_OPTIONS_INIT, gmres = STN_SOLVER_OPTIONS_INIT;
    stn_block_jacobi_options diagonal = STN_BLOCK_JACOBI_OPTIONS_INIT;
    if (comm) {
        need(stn_partition_create(&p, comm, ROWS), "partition");
        need(stn_partition_describe(p, &info), "partition");
    }
    fill_rows(&rows, info.first, info.count);
    const stn_csr_arrays arrays = arrays_of(&rows);
    if (comm) {
        need(stn_distributed_matrix_create(exec, &distributed, p, &arrays, NULL), "matrix");
        need(stn_operator_of_distributed_matrix(&a, distributed), "operator");
        need(stn_distributed_local_matrix(exec, &block, p, &arrays), "block");
    } else {
        need(stn_matrix_wrap_csr(&block, &arrays), "matrix");
        need(stn_operator_of_matrix(&a, block), "operator");
    }
    diagonal.max_block_rows = 1;
    diagonal.partition = p;
    need(stn_block_jacobi_create(exec, &jacobi, block, &diagonal), "Jacobi");
    need(stn_operator_of_preconditioner(&m, jacobi), "Jacobi");
    gmres.method = STN_SOLVER_GMRES;
    gmres.restart = 20;
    gmres.basis = stn_storage_of(STN_F16);
    solve("CG", &cg, &a, NULL, p, comm, info.first, info.count);
    solve("CG with Jacobi", &cg, &a, &m, p, comm, info.first, info.count);
    solve("GMRES", &gmres, &a, NULL, p, comm, info.first, info.count);
    stn_preconditioner_release(jacobi);
    stn_matrix_release(block);
    stn_distributed_matrix_release(distributed);
    stn_partition_release(p);
}

/* ---- failures ---- */

static int calls; /* of the operator in a solve */

static stn_status fail_on_rank_1(void *context, const stn_exec *on, stn_format arithmetic,
                                 const stn_view *x, const stn_view *y)
{
    if (stn_comm_rank(context) == 1 && ++calls == 3)
        return STN_ERR_DEVICE;
    return scale_rows_run(on, arithmetic, x, y);
}

static void report(const stn_comm *comm, const char *what, stn_status status)
{
    printf("%s on rank %d: %s: %s\n", what, stn_comm_rank(comm), stn_status_name(status),
           stn_error());
    fflush(stdout);
}

static void fail_in_solve(stn_comm *comm)
{
    static double b[ROWS], x[ROWS];
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_partition *p;
    stn_operator a;
    stn_view b_view, x_view;
    need(stn_partition_create(&p, comm, ROWS), "partition");
    need(stn_partition_describe(p, &info), "partition");
    for (int64_t k = 0; k < info.count; k++)
        b[k] = (double)(info.first + k) + 1.0;
    options.partition = p;
    calls = 0;
    need(stn_operator_create(&a, "the callback", info.count, fail_on_rank_1, comm), "operator");
    need(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &info.count), "b");
    need(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 1, &info.count), "x");
    report(comm, "callback", stn_solve(exec, &x_view, &a, &b_view, &options, NULL));
    stn_partition_release(p);
}

/* After each failure, the communicator works. */
static void fail(stn_comm *comm)
{
    stn_partition *p;
    for (int round = 0; round < 3; round++) {
        fail_in_solve(comm);
        report(comm, "shape", stn_partition_create(&p, comm, 1000 + stn_comm_rank(comm)));
        report(comm, "status",
               stn_comm_agree(comm, stn_comm_rank(comm) == 0 ? stn_partition_describe(NULL, NULL)
                                                             : STN_OK));
    }
    solve_all(comm);
}

/* ---- bytes ---- */

static int64_t bytes_of_product(stn_comm *comm, stn_distributed_matrix *a, int64_t count,
                                stn_format format)
{
    static double x[ROWS], y[ROWS];
    stn_view x_view, y_view;
    int64_t all = 0, every[16];
    need(stn_view_wrap(&x_view, "x", stn_storage_of(format), x, 1, &count), "x");
    need(stn_view_wrap(&y_view, "y", stn_storage_of(format), y, 1, &count), "y");
    sent_bytes = 0;
    need(stn_distributed_spmv(exec, STN_F64, 1.0, a, &x_view, 0.0, &y_view), "product");
    const int64_t mine = sent_bytes;
    need(stn_comm_allgather(comm, every, &mine, sizeof mine), "gather");
    for (int r = 0; r < stn_comm_ranks(comm); r++)
        all += every[r];
    return all;
}

static void count_bytes(stn_comm *comm)
{
    static rows_ rows;
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_partition *p;
    stn_distributed_matrix *a;
    need(stn_partition_create(&p, comm, ROWS), "partition");
    need(stn_partition_describe(p, &info), "partition");
    fill_rows(&rows, info.first, info.count);
    const stn_csr_arrays arrays = arrays_of(&rows);
    need(stn_distributed_matrix_create(exec, &a, p, &arrays, NULL), "matrix");
    const int64_t f64 = bytes_of_product(comm, a, info.count, STN_F64);
    const int64_t f16 = bytes_of_product(comm, a, info.count, STN_F16);
    if (stn_comm_rank(comm) == 0)
        printf("f64 %lld bytes, f16 %lld bytes: %s\n", (long long)f64, (long long)f16,
               f64 > 0 && (double)f16 <= 0.26 * (double)f64 ? "at most 0.26" : "too many");
    stn_distributed_matrix_release(a);
    stn_partition_release(p);
}

/* ---- several communicators ---- */

/* Ranks solve in the whole, in halves and in single ones, in turn; all have the bits of one rank.
 */
static void solve_in_worlds(stn_comm *whole)
{
    MPI_Comm half_mpi, self_mpi;
    stn_comm *half, *self, *none = whole;
    const int rank = stn_comm_rank(whole);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half_mpi); /* in reverse order */
    MPI_Comm_dup(MPI_COMM_SELF, &self_mpi);
    if (stn_comm_create_mpi(&half, half_mpi) != STN_OK ||
        stn_comm_create_mpi(&self, self_mpi) != STN_OK ||
        stn_comm_create_mpi(&none, MPI_COMM_NULL) != STN_ERR_ARGUMENT || none)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Comm_free(&half_mpi); /* the duplicates remain */
    MPI_Comm_free(&self_mpi);
    for (int round = 0; round < 2; round++) {
        solve_all(whole);
        fail_in_solve(half); /* has no effect on the others */
        solve_all(half);
        solve_all(self);
    }
    stn_comm_release(self);
    MPI_Finalize();
    stn_comm_release(half);
}

int main(int argc, char **argv)
{
    const char *const mode = argc > 1 ? argv[1] : "alone";
    stn_comm *comm = NULL;
    need(stn_exec_create(&exec, "threads:threads=1"), "executor");
    if (strcmp(mode, "alone") == 0) {
        solve_all(NULL);
        stn_exec_release(exec);
        return 0;
    }
    if (strcmp(mode, "worlds") == 0) {
        int provided;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    } else
        MPI_Init(&argc, &argv);
    if (stn_comm_create_mpi(&comm, MPI_COMM_WORLD) != STN_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (strcmp(mode, "ranks") == 0)
        solve_all(comm);
    else if (strcmp(mode, "fail") == 0)
        fail(comm);
    else if (strcmp(mode, "worlds") == 0)
        solve_in_worlds(comm);
    else
        count_bytes(comm);
    if (strcmp(mode, "worlds") != 0) {
        stn_comm_release(comm);
        MPI_Finalize();
    } else if (stn_comm_create_mpi(&(stn_comm *){NULL}, MPI_COMM_WORLD) != STN_ERR_UNSUPPORTED)
        return 4;
    else
        stn_comm_release(comm);
    stn_exec_release(exec);
    return 0;
}
