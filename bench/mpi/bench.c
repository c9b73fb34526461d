/* Cost of sums with the same bits for every number of ranks, and traffic of distributed solves.
 *
 *     mpicc -O3 -ffp-contract=off bench.c ../../mpi/comm.c -I ../../include -I ../../mpi/include \
 *         -L BUILD -Wl,-rpath,BUILD -lsteno -lm -o bench && mpirun -n 2 ./bench [EDGE [ROUNDS]]
 *
 * CG for the seven-point operator on a cube, in alternating rounds: with stn_distributed_dot, and
 * with a dot product of the rows of each rank followed by MPI_Allreduce. Messages and bytes are
 * counted through the profiling interface of MPI. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steno/kernel.h>
#include <steno/mpi.h>
#include <steno/steno.h>

enum { ITERATIONS = 50 };

static int64_t sent_messages, sent_bytes;

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    sent_messages++;
    sent_bytes += (int64_t)size * count;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

STN_MAP(descend, (real(alpha), in(q), inout(r)), r = r - alpha * q;)
STN_MAP(advance, (real(alpha), in(p), inout(x)), x = x + alpha * p;)
STN_MAP(turn, (real(beta), in(r), inout(p)), p = r + beta * p;)

typedef struct problem {
    stn_exec *exec;
    stn_comm *comm;
    stn_partition *partition;
    stn_partition_info info;
    stn_distributed_matrix *a;
    stn_view x, r, p, q;
    double seconds_in_sums;
} problem;

static void need(stn_status status)
{
    if (status == STN_OK)
        return;
    fprintf(stderr, "%s\n", stn_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void create_matrix(problem *s, int64_t edge, stn_format exchange_format)
{
    const size_t count = (size_t)s->info.count;
    int64_t *const start = malloc((count + 1) * sizeof *start), entries = 0;
    int64_t *const column = malloc((7 * count + 1) * sizeof *column);
    double *const value = malloc((7 * count + 1) * sizeof *value);
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    for (int64_t i = 0; i < s->info.count; i++) {
        const int64_t row = s->info.first + i, x = row % edge, y = row / edge % edge,
                      z = row / edge / edge;
        const int64_t columns[] = {z > 0 ? row - edge * edge : -1,
                                   y > 0 ? row - edge : -1,
                                   x > 0 ? row - 1 : -1,
                                   row,
                                   x < edge - 1 ? row + 1 : -1,
                                   y < edge - 1 ? row + edge : -1,
                                   z < edge - 1 ? row + edge * edge : -1};
        start[i] = entries;
        for (int k = 0; k < 7; k++)
            if (columns[k] >= 0) {
                column[entries] = columns[k];
                value[entries++] = k == 3 ? 6.0 : -1.0;
            }
    }
    start[count] = entries;
    const stn_csr_arrays rows = STN_INIT(
        stn_csr_arrays, .rows = s->info.count, .columns = s->info.rows, .row_start = start,
        .column = column, .values = value, .row_start_format = STN_I64, .column_format = STN_I64);
    options.exchange_format = exchange_format;
    need(stn_distributed_matrix_create(s->exec, &s->a, s->partition, &rows, &options));
    free(start);
    free(column);
    free(value);
}

static double dot(problem *s, int is_ordered, const stn_view *x, const stn_view *y)
{
    const double begin = MPI_Wtime();
    double local, sum;
    if (is_ordered)
        need(stn_distributed_dot(s->exec, STN_F64, &sum, s->partition, x, y));
    else {
        need(stn_dot(s->exec, STN_F64, &local, x, y));
        MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    s->seconds_in_sums += MPI_Wtime() - begin;
    return sum;
}

/* Seconds of the slowest rank. */
static double solve(problem *s, int is_ordered)
{
    need(stn_view_fill(s->exec, &s->x, 0.0));
    need(stn_view_fill(s->exec, &s->r, 1.0));
    need(stn_view_fill(s->exec, &s->p, 1.0));
    s->seconds_in_sums = 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    double rr = dot(s, is_ordered, &s->r, &s->r);
    for (int k = 0; k < ITERATIONS; k++) {
        need(stn_distributed_spmv(s->exec, STN_F64, 1.0, s->a, &s->p, 0.0, &s->q));
        const double alpha = rr / dot(s, is_ordered, &s->p, &s->q), before = rr;
        need(descend_run(s->exec, STN_F64, alpha, &s->q, &s->r));
        need(advance_run(s->exec, STN_F64, alpha, &s->p, &s->x));
        rr = dot(s, is_ordered, &s->r, &s->r);
        need(turn_run(s->exec, STN_F64, rr / before, &s->r, &s->p));
    }
    double mine = MPI_Wtime() - begin, slowest;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static void count_traffic(problem *s, const char *name)
{
    int64_t mine[2], most[2];
    sent_messages = sent_bytes = 0;
    (void)solve(s, 1);
    mine[0] = sent_messages;
    mine[1] = sent_bytes;
    MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    const double all[2] = {(double)most[0] / ITERATIONS, (double)most[1] / ITERATIONS};
    sent_messages = sent_bytes = 0;
    for (int k = 0; k < ITERATIONS; k++)
        need(stn_distributed_spmv(s->exec, STN_F64, 1.0, s->a, &s->p, 0.0, &s->q));
    mine[0] = sent_messages;
    mine[1] = sent_bytes;
    MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (stn_comm_rank(s->comm) == 0)
        printf(
            "exchange in %-5s per iteration, largest rank: %5.1f messages, %9.0f bytes; products "
            "alone %5.1f messages, %9.0f bytes\n",
            name, all[0], all[1], (double)most[0] / ITERATIONS, (double)most[1] / ITERATIONS);
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void compare(problem *s, int rounds)
{
    enum { MOST = 200 };
    double least[2] = {INFINITY, INFINITY}, sums[2] = {INFINITY, INFINITY}, ratio[MOST];
    rounds = rounds < MOST ? rounds : MOST;
    for (int round = 0; round < rounds; round++) {
        double seconds[2];
        for (int k = 0; k < 2; k++) {
            const int is_ordered = (round + k) % 2;
            seconds[is_ordered] = solve(s, is_ordered);
            least[is_ordered] = fmin(least[is_ordered], seconds[is_ordered]);
            sums[is_ordered] = fmin(sums[is_ordered], s->seconds_in_sums);
        }
        ratio[round] = seconds[1] / seconds[0];
    }
    qsort(ratio, (size_t)rounds, sizeof *ratio, by_value);
    if (stn_comm_rank(s->comm) == 0)
        printf(
            "CG, %d iterations: MPI_Allreduce %.4f s, ordered sums %.4f s: %+.1f %% (least), %+.1f "
            "%% (median of %d rounds); per sum %.2f and %.2f us\n",
            ITERATIONS, least[0], least[1], 100 * (least[1] / least[0] - 1),
            100 * (ratio[rounds / 2] - 1), rounds, 1e6 * sums[0] / (2 * ITERATIONS + 1),
            1e6 * sums[1] / (2 * ITERATIONS + 1));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int64_t edge = argc > 1 ? atoi(argv[1]) : 64;
    static const struct {
        const char *name;
        stn_format format;
    } formats[] = {{"f64", STN_F64}, {"f32", STN_F32}, {"bf16", STN_BF16}};
    problem s = {.info = STN_PARTITION_INFO_INIT};
    if (stn_comm_create_mpi(&s.comm, MPI_COMM_WORLD) != STN_OK)
        return 1;
    need(stn_exec_create(&s.exec, "threads:threads=1"));
    need(stn_partition_create(&s.partition, s.comm, edge * edge * edge));
    need(stn_partition_describe(s.partition, &s.info));
    stn_view *const views[] = {&s.x, &s.r, &s.p, &s.q};
    for (int k = 0; k < 4; k++)
        need(
            stn_view_create(s.exec, views[k], "vector", stn_storage_of(STN_F64), 1, &s.info.count));
    if (stn_comm_rank(s.comm) == 0)
        printf("%lld rows, %d ranks, granule of %lld rows\n", (long long)s.info.rows,
               stn_comm_ranks(s.comm), (long long)s.info.granule);
    for (int k = 0; k < 3; k++) {
        create_matrix(&s, edge, formats[k].format);
        if (k == 0)
            compare(&s, argc > 2 ? atoi(argv[2]) : 20);
        count_traffic(&s, formats[k].name);
        stn_distributed_matrix_release(s.a);
    }
    for (int k = 0; k < 4; k++)
        stn_view_release(views[k]);
    stn_partition_release(s.partition);
    stn_comm_release(s.comm);
    stn_exec_release(s.exec);
    MPI_Finalize();
    return 0;
}
