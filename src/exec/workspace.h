/* Temporary memory of launches, which would be too much for a stack. An executor owns workspaces,
 * one for each of its threads; launches at the same time, by several threads of the program, have a
 * set of them each. */
#ifndef STENO_EXEC_WORKSPACE_H
#define STENO_EXEC_WORKSPACE_H

#include "exec/exec.h"
#include "steno/detail/kernel_types.h"

/* Of one thread, which is the first to touch it: what loops of programs work in, and what the
 * library reads tiles into. */
enum { STN_TILES_BYTES = 384 << 10 };
typedef struct stn_workspace {
    _Alignas(64) char loop[STN_ROOM_BYTES];
    char tiles[STN_TILES_BYTES];
} stn_workspace;

typedef struct stn_workspaces stn_workspaces;

/* A set for an executor of so many threads; `executor` is its name in messages. */
stn_status stn_workspaces_make(const char *executor, int threads, stn_workspaces **made);

/* Release all sets of an executor. */
void stn_workspaces_release(stn_workspaces *first);

/* A set for a launch, to be given back. STN_ERR_MEMORY when all sets there are, are in use, and
 * there is no memory for another one. */
stn_status stn_workspaces_take(const stn_exec *exec, stn_workspaces **taken);
void stn_workspaces_give_back(stn_workspaces *taken);

/* The calling thread's, outside of stn_workspaces_run; and bytes that all threads share, at 64. */
stn_workspace *stn_workspaces_first(const stn_workspaces *taken);
enum { STN_SHARED_BYTES = 64 << 10 };
char *stn_workspaces_shared(stn_workspaces *taken);

/* As stn_exec_run, by this many threads of the executor. */
typedef void stn_workspace_work(void *context, stn_workspace *workspace, int part, int parts);
void stn_workspaces_run(const stn_workspaces *taken, int threads, stn_workspace_work *work,
                        void *context);

#endif
