/* Programs that commands run, and the folder that they work in. */
#ifndef STENO_CLI_PROCESS_H
#define STENO_CLI_PROCESS_H

#include "core/status.h"

enum { PROCESS_PATH = 512, PROCESS_MISSING = -1 };

/* Runs a program, found on the PATH, without a shell: what it prints on both outputs goes to the
 * file `output`. *result is its exit status, 128 and the signal that ended it, or PROCESS_MISSING
 * where there is no such program. STN_ERR_IO. */
stn_status process_run(const char *const *words, const char *output, int *result);

/* A folder of its own below TMPDIR, and a file in it. */
typedef struct process_folder {
    char path[PROCESS_PATH - 64];
} process_folder;

stn_status process_folder_make(process_folder *folder);
void process_folder_drop(const process_folder *folder); /* with all files in it */
void process_path(const process_folder *folder, const char *name, char path[PROCESS_PATH]);
stn_status process_write(const process_folder *folder, const char *name, const char *text);

/* A file's text, to be given back with stn_free. STN_ERR_IO, STN_ERR_MEMORY. */
stn_status process_read(const char *path, char **text);

#endif
