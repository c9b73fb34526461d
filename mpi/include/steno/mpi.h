/** @file
 * Communicators over MPI (library libsteno_mpi).
 *
 * The library consists of one source file, mpi/comm.c, which uses public headers only. It is
 * installed, too, so that a program can compile it with another MPI than the library was built
 * with.
 */
#ifndef STENO_MPI_H
#define STENO_MPI_H

#include <mpi.h>

#include "steno/comm.h"

STN_BEGIN_DECLS

/** Creates a communicator with the ranks of an MPI communicator. Collective in MPI.
 *
 * `mpi` is duplicated, so that messages of the program and of the library are separate, and `mpi`
 * may be freed. Release the communicator before MPI_Finalize; a later release frees its memory
 * only. One thread of each process may use it at a time; with several threads, MPI must provide
 * MPI_THREAD_SERIALIZED.
 *
 * Waiting threads yield the processor, so that more ranks than processors make progress.
 * @param[out] comm  communicator, to be released with stn_comm_release(); NULL on error
 * @param mpi        MPI communicator, such as MPI_COMM_WORLD; not an intercommunicator
 * @retval STN_ERR_ARGUMENT     comm is NULL, or mpi is MPI_COMM_NULL or an intercommunicator
 * @retval STN_ERR_UNSUPPORTED  MPI is not initialized or is finalized
 * @retval STN_ERR_IO           a function of MPI failed
 * @retval STN_ERR_MEMORY       out of memory */
STN_API stn_status stn_comm_create_mpi(stn_comm **comm, MPI_Comm mpi);

STN_END_DECLS

#endif
