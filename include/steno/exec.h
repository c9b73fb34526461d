/** @file
 * Executors: where and how operations run.
 *
 * Results have the same bits on every executor, except on OpenCL devices created with
 * "inexact=allow". Several threads may use one executor at the same time: each call then uses its
 * own set of threads. Inside a parallel region of the program, OpenMP gives a call one thread
 * unless nested regions are enabled.
 */
#ifndef STENO_EXEC_H
#define STENO_EXEC_H

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** Executor. Functions of views accept NULL, which is the calling thread. Kernels, reductions,
 * BLAS, sparse products and solvers require an executor. */
typedef struct stn_exec stn_exec;

/** Creates the executor that a resource string describes:
 *
 * | resource | executor |
 * |---|---|
 * | `reference` | one thread, element by element with the scalar codecs |
 * | `openmp` | the default number of OpenMP threads, at most 1024 |
 * | `openmp:threads=4` | 4 threads (1 to 1024) |
 * | `openmp:jit` | compiles kernels for their views with the system's C compiler (doc/kernels.md) |
 * | `openmp:streams=2` | sums read 2 streams of memory per thread (1 to 4; default: doc/tune.md) |
 * | `cuda:0` | NVIDIA GPU with this index; `cuda` is the first one (doc/devices.md) |
 * | `hip:0` | AMD GPU with this index, through HIP |
 * | `opencl:0` | OpenCL device with this index among those of all platforms |
 * | `opencl:0:inexact=allow` | the same, for devices with inexact f32 division or no subnormals |
 *
 * Options are separated by commas: `openmp:threads=4,jit`. The temporary memory of launches is
 * allocated with the executor (doc/kernels.md). Short operations, for example kernels over at most
 * 4096 elements, run in the calling thread only (doc/tune.md).
 *
 * After fork(), a child process cannot use the threads of executors that its parent has used:
 * kernels, reductions and BLAS operations on them return STN_ERR_UNSUPPORTED, and views are copied
 * and filled by the calling thread. `reference` and `openmp:threads=1` can be used.
 *
 * @param[out] exec  executor, to be released by stn_exec_release(); NULL on error
 * @param resource   resource string
 * @retval STN_ERR_ARGUMENT  exec or resource is NULL; the name or an option is unknown
 * @retval STN_ERR_RANGE     there is no device with this index
 * @retval STN_ERR_MEMORY    out of memory
 * @retval STN_ERR_DEVICE    there is no driver or device; the message contains the reason
 * @retval STN_ERR_IO        a tool library cannot be loaded (event.h); reported once
 *
 * @code
 * stn_exec *exec;
 * status = stn_exec_create(&exec, "openmp");
 * @endcode */
STN_API stn_status stn_exec_create(stn_exec **exec, const char *resource);

/** Creates an executor that uses a CUDA context and stream of the program.
 *
 * Context and stream must outlive the executor and its views. While the program captures the stream
 * into a graph, calls that wait for the device or need a workspace return STN_ERR_UNSUPPORTED
 * (doc/devices.md).
 *
 * @param[out] exec        executor, to be released by stn_exec_release(); NULL on error
 * @param context, stream  CUcontext, and a CUstream of it, in which all operations are queued; NULL
 *                         selects the default stream
 * @retval STN_ERR_ARGUMENT  exec or context is NULL
 * @retval STN_ERR_DEVICE    there is no driver or device, or it has failed
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_exec_adopt_cuda(stn_exec **exec, void *context, void *stream);
/** HIP version of stn_exec_adopt_cuda(), with a hipCtx_t and a hipStream_t. */
STN_API stn_status stn_exec_adopt_hip(stn_exec **exec, void *context, void *stream);
/** Releases `exec` after its queued work has completed. NULL is a no-op. No call may be using it.
 * Views in the memory of a device remain valid. Later calls with it are refused with
 * STN_ERR_ARGUMENT, unless its memory has been used again. */
STN_API void stn_exec_release(stn_exec *exec);

/** Waits until all queued work of `exec` has completed. NULL is a no-op. Operations on a device may
 * return before they have completed; on the host nothing is queued.
 * @retval STN_ERR_DEVICE  queued work has failed */
STN_API stn_status stn_exec_wait(const stn_exec *exec);

/** Returns the kind of `exec`: "reference", "openmp", "cuda", "hip" or "opencl"; "no executor" if
 * it is NULL. */
STN_API const char *stn_exec_name(const stn_exec *exec);
/** Returns the number of host threads of `exec`; 1 for a device, 0 if it is NULL. */
STN_API int stn_exec_threads(const stn_exec *exec);

STN_END_DECLS

#endif
