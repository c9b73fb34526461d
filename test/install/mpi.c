/* A program of libsteno_mpi: a dot product on one rank. */
#include <stdio.h>

#include <steno/distribute.h>
#include <steno/mpi.h>

int main(int argc, char **argv)
{
    static double ones[300];
    const int64_t extent = 300;
    stn_comm *comm;
    stn_partition *partition;
    stn_exec *exec;
    stn_view x;
    double sum = 0.0;
    for (int k = 0; k < 300; k++)
        ones[k] = 1.0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || stn_comm_create_mpi(&comm, MPI_COMM_WORLD) ||
        stn_exec_create(&exec, "reference"))
        return 1;
    if (stn_partition_create(&partition, comm, extent) ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F64), ones, 1, &extent) ||
        stn_distributed_dot(exec, STN_F64, &sum, partition, &x, &x) || sum != 300.0)
        return 2;
    stn_partition_release(partition);
    stn_comm_release(comm);
    stn_exec_release(exec);
    MPI_Finalize();
    puts(stn_version());
    return 0;
}
