/* Programs that commands run, and their temporary folder. */
#ifndef STENO_CLI_PROCESS_H
#define STENO_CLI_PROCESS_H

#include "core/status.h"

enum { PROCESS_PATH = 512, PROCESS_MISSING = -1 };

/* Runs a program from the PATH without a shell. Both of its outputs are written to the file
 * `output`. *result is its exit status, 128 plus the signal that terminated it, or PROCESS_MISSING
 * if the program was not found. STN_ERR_IO. */
stn_status process_run(const char *const *arguments, const char *output, int *result);

/* A new folder in TMPDIR, and the path of a file in it. */
typedef struct process_folder {
    char path[PROCESS_PATH - 64];
} process_folder;

stn_status process_folder_create(process_folder *folder);
void process_folder_remove(const process_folder *folder); /* including all files */
void process_path(const process_folder *folder, const char *name, char path[PROCESS_PATH]);
stn_status process_write(const process_folder *folder, const char *name, const char *text);

/* Reads a text file. Release the text with stn_free. STN_ERR_IO, STN_ERR_MEMORY. */
stn_status process_read(const char *path, char **text);

#endif
