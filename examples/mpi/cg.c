/* Conjugate gradients on several ranks: the result has the same bits for every number of ranks.
 *
 *     mpicc cg.c -o cg $(pkg-config --cflags --libs steno_mpi) -lm && mpirun -n 4 ./cg
 *
 * With another MPI than libsteno_mpi was built with, compile its source, too:
 *
 *     mpicc cg.c PREFIX/share/steno/mpi/comm.c -o cg $(pkg-config --cflags --libs steno) -lm */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <steno/mpi.h>
#include <steno/steno.h>

enum { EDGE = 100, ROWS = EDGE * EDGE };

/* Ends all ranks; the library reports an error of one rank on all of them. */
static void check(stn_status status)
{
    if (status == STN_OK)
        return;
    fprintf(stderr, "%s\n", stn_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rows first, ..., first + count - 1 of the five-point operator on a square, with the columns of
 * the whole matrix. */
static int64_t fill_rows(int64_t first, int64_t count, int64_t *start, int64_t *column,
                         double *value)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = first + i, x = row % EDGE;
        const int64_t columns[] = {row - EDGE, x > 0 ? row - 1 : -1, row,
                                   x < EDGE - 1 ? row + 1 : -1, row + EDGE};
        start[i] = entries;
        for (int k = 0; k < 5; k++)
            if (columns[k] >= 0 && columns[k] < ROWS) {
                column[entries] = columns[k];
                value[entries++] = k == 2 ? 4.0 : -1.0;
            }
    }
    return start[count] = entries;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    stn_comm *comm;
    stn_exec *exec;
    stn_partition *partition;
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    if (stn_comm_create_mpi(&comm, MPI_COMM_WORLD) != STN_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    check(stn_exec_create(&exec, "threads:threads=1"));
    check(stn_partition_create(&partition, comm, ROWS));
    check(stn_partition_describe(partition, &info));

    const size_t count = (size_t)info.count;
    int64_t *start = malloc((count + 1) * sizeof *start),
            *column = malloc(5 * count * sizeof *column);
    double *value = malloc(5 * count * sizeof *value);
    fill_rows(info.first, info.count, start, column, value);
    const stn_csr_arrays rows = STN_INIT(stn_csr_arrays, .rows = info.count, .columns = ROWS,
                                         .row_start = start, .column = column, .values = value,
                                         .row_start_format = STN_I64, .column_format = STN_I64);
    stn_distributed_matrix *matrix;
    check(stn_distributed_matrix_create(exec, &matrix, partition, &rows, NULL));

    stn_view b, x;
    check(stn_view_create(exec, &b, "b", stn_storage_of(STN_F64), 1, &info.count));
    check(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 1, &info.count));
    check(stn_view_fill(exec, &b, 1.0));
    stn_operator a;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    options.partition = partition;
    check(stn_operator_of_distributed_matrix(&a, matrix));
    check(stn_solve(exec, &x, &a, &b, &options, &report));

    double norm;
    check(stn_distributed_nrm2(exec, STN_F64, &norm, partition, &x));
    if (stn_comm_rank(comm) == 0)
        printf("%" PRId64 " iterations, |x| = %a\n", report.iterations, norm);

    stn_view_release(&x);
    stn_view_release(&b);
    stn_distributed_matrix_release(matrix);
    stn_partition_release(partition);
    stn_comm_release(comm);
    stn_exec_release(exec);
    free(start);
    free(column);
    free(value);
    MPI_Finalize();
    return 0;
}
