/* Temporary memory of launches that would be too large for a stack. An executor owns one
 * workspace per thread; concurrent launches by several threads of the program have separate
 * sets. */
#ifndef STENO_EXEC_WORKSPACE_H
#define STENO_EXEC_WORKSPACE_H

#include "exec/exec.h"
#include "steno/detail/kernel_types.h"

/* The workspace of one thread, which touches it first: memory for loops of programs, and for
 * tiles read by the library. */
enum { STN_TILES_BYTES = 552 << 10 };
typedef struct stn_workspace {
    _Alignas(64) char loop[STN_TILE_BUFFER_BYTES];
    char tiles[STN_TILES_BYTES];
} stn_workspace;

typedef struct stn_workspaces stn_workspaces;

/* Creates a set for an executor; `name` is its name in messages. */
stn_status stn_workspaces_create(const char *name, const stn_exec *exec, stn_workspaces **result);

/* Releases all sets of an executor. */
void stn_workspaces_release(stn_workspaces *first);

/* A set for a launch, which must be returned. STN_ERR_MEMORY if all sets are in use and there is
 * no memory for another one. */
stn_status stn_workspaces_acquire(const stn_exec *exec, stn_workspaces **in_use);
void stn_workspaces_return(stn_workspaces *in_use);

/* The calling thread's workspace outside of stn_workspaces_run; and aligned shared bytes. */
stn_workspace *stn_workspaces_first(const stn_workspaces *in_use);
enum { STN_SHARED_BYTES = 64 << 10 };
char *stn_workspaces_shared(stn_workspaces *in_use);

/* Like stn_exec_run_parts; each thread has one workspace. */
typedef void stn_workspace_work(void *context, stn_workspace *workspace, int part, int parts);
void stn_workspaces_run(const stn_workspaces *in_use, int parts, stn_workspace_work *work,
                        void *context);

#endif
