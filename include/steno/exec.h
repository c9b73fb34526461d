/** @file
 * Executors: where and how operations run.
 *
 * Results have the same bits on every executor, except on OpenCL devices created with
 * "inexact=allow". Several threads may use one executor at the same time.
 *
 * All executors `threads` of a process share one pool, which has as many threads as they need
 * together. Its threads are started when a call needs them, and end with the last executor. A call
 * uses those that no other call uses; without any, it runs in the calling thread. Threads poll for
 * up to 1 ms between calls and then sleep. Calls that are over before a sleeping thread would begin
 * do not wake it. If the processors are busy with other programs, threads poll for 5 us, and calls
 * use one thread whenever several would take longer. If the system refuses to start a thread, calls
 * use fewer threads until the next executor is created.
 *
 * Threads have the affinity mask of the thread whose call starts them. If OpenMP binds threads
 * (OMP_PROC_BIND), they are bound to OpenMP's places. As long as one thread of the program makes
 * the calls, each thread has the same part of an array in all calls (doc/performance.md).
 *
 * `openmp` uses OpenMP's threads instead, for programs with parallel regions. Inside a region,
 * OpenMP gives a call one thread unless nested regions are enabled.
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
 * | `threads` | the library's own threads, in the default number |
 * | `threads:threads=4` | 4 threads (1 to 1024) |
 * | `threads:jit` | compiles kernels with the system's C compiler (doc/kernel_compilation.md) |
 * | `threads:streams=2` | sums read 2 streams of memory per thread (1 to 4, doc/tune.md) |
 * | `openmp` | OpenMP's threads, with the same options |
 * | `cuda:0` | NVIDIA GPU with this index; `cuda` is the first one (doc/devices.md) |
 * | `hip:0` | AMD GPU with this index, through HIP |
 * | `opencl:0` | OpenCL device with this index among those of all platforms |
 * | `opencl:0:inexact=allow` | the same, for devices with inexact f32 division or no subnormals |
 *
 * The default number of threads is the first of these that is set: the environment variable
 * STENO_NUM_THREADS; the first number of OMP_NUM_THREADS; the number of processors in the affinity
 * mask of the calling thread (in OpenMP's places, if OMP_PROC_BIND is set), or of the CPU quota of
 * its control groups (rounded down, at least 1) if that is smaller. Without STENO_NUM_THREADS,
 * `openmp` has OpenMP's default.
 *
 * Options are separated by commas: `threads:threads=4,jit`. The temporary memory of launches is
 * allocated with the executor (doc/kernels.md). Short operations, for example kernels over at most
 * 4096 elements, run in the calling thread only (doc/tune.md).
 *
 * After fork(), executors `threads` start new threads in the child process. OpenMP's threads are
 * missing in it: kernels, reductions and BLAS operations on `openmp` executors return
 * STN_ERR_UNSUPPORTED if the parent has used them, and views are copied and filled by the calling
 * thread.
 *
 * @param[out] exec  executor, to be released by stn_exec_release(); NULL on error
 * @param resource   resource string
 * @retval STN_ERR_ARGUMENT  exec or resource is NULL; the name or an option is unknown;
 * STENO_NUM_THREADS is not a number from 1 to 1024
 * @retval STN_ERR_UNSUPPORTED  the library was built without OpenMP
 * @retval STN_ERR_RANGE     there is no device with this index
 * @retval STN_ERR_MEMORY    out of memory
 * @retval STN_ERR_DEVICE    there is no driver or device; the message contains the reason
 * @retval STN_ERR_IO        a tool library cannot be loaded (event.h); reported once
 *
 * @code
 * stn_exec *exec;
 * status = stn_exec_create(&exec, "threads");
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

/** Returns the kind of `exec`: "reference", "threads", "openmp", "cuda", "hip" or "opencl"; "no
 * executor" if it is NULL. */
STN_API const char *stn_exec_name(const stn_exec *exec);
/** Returns the number of host threads of `exec`; 1 for a device, 0 if it is NULL. */
STN_API int stn_exec_threads(const stn_exec *exec);

STN_END_DECLS

#endif
