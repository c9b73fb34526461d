/* Executors: where and how operations run. */
#ifndef STENO_EXEC_H
#define STENO_EXEC_H

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

typedef struct stn_exec stn_exec;

/* Make the executor that a resource string names:
 *   "reference"         one thread, element by element through the scalar codec
 *   "openmp"            as many threads as OpenMP gives, up to 1024
 *   "openmp:threads=4"  that many, from 1 to 1024
 *   "openmp:jit"        the same, and kernels are compiled for the views at hand by the system's C
 *                       compiler (doc/kernels.md); "openmp:threads=4,jit" has both options
 *   "openmp:streams=2"  in each thread sums walk through so many runs of memory side by side, from
 *                       1 to 4; otherwise as the processor likes it best (doc/tune.md)
 *   "cuda:0"            an NVIDIA GPU, by number; "cuda" is the first one (doc/devices.md)
 *   "hip:0"             an AMD GPU, by HIP
 *   "opencl:0"          an OpenCL device, by number among those of all platforms;
 *                       "opencl:0:inexact=allow" one that divides f32 with larger errors too, or
 *                       has no subnormal numbers
 * Results are the same bits on each but the last. Several threads of a program may use one executor
 * at a time: each call then has threads of its own, as many as the executor's. Within a parallel
 * region of the program's own, OpenMP grants a call one thread unless nested regions are allowed.
 *
 * The temporary memory of launches is made with the executor (doc/kernels.md).
 *
 * A process that is forked after a thread has worked on an executor of several has none of the
 * others: there, kernels, reductions and BLAS operations of that thread on such executors are
 * STN_ERR_UNSUPPORTED, and views are copied and filled by it alone; "reference" and
 * "openmp:threads=1" go on.
 *
 * What takes less time than waking others, such as kernels over up to 4096 elements, the calling
 * thread does alone (doc/tune.md). STN_ERR_ARGUMENT for an
 * unknown name or option, STN_ERR_MEMORY, STN_ERR_IO once for a tool library that cannot be used
 * (event.h); STN_ERR_DEVICE with the reason where there is no driver or no device, STN_ERR_RANGE
 * for a number beyond the last one's. */
STN_API stn_status stn_exec_create(const char *resource, stn_exec **exec);

/* The same over a context of CUDA's driver, a CUcontext, and a CUstream of it (NULL: the default
 * one), in which all is queued. Both stay the program's, and live longer than the executor and its
 * views. While the program captures the stream into a graph, calls that wait for the device or need
 * a workspace return STN_ERR_UNSUPPORTED (doc/devices.md). STN_ERR_ARGUMENT without a context,
 * STN_ERR_DEVICE, STN_ERR_MEMORY. */
STN_API stn_status stn_exec_adopt_cuda(void *context, void *stream, stn_exec **exec);

/* The same over a hipCtx_t and a hipStream_t. */
STN_API stn_status stn_exec_adopt_hip(void *context, void *stream, stn_exec **exec);

/* Releases the executor, after the work that it has queued on a device. No call may be using it.
 * NULL is a no-op. Views in a device's memory remain valid. */
STN_API void stn_exec_release(stn_exec *exec);

/* Wait for all that calls on a device have queued: copies and fills between views in its memory
 * return before they are done. On the host, and with NULL, nothing is queued. STN_ERR_DEVICE when
 * some of it has failed. */
STN_API stn_status stn_exec_wait(const stn_exec *exec);

/* "reference", "openmp", "cuda", "hip" or "opencl"; "no executor" for NULL. */
STN_API const char *stn_exec_name(const stn_exec *exec);

/* Threads of the host that it works with: 1 for a device, 0 for NULL. */
STN_API int stn_exec_threads(const stn_exec *exec);

STN_END_DECLS

#endif
