/* Runs the system's disassembler and reads its output line by line. */
#ifndef STENO_CONTRACT_OBJDUMP_H
#define STENO_CONTRACT_OBJDUMP_H

#include <stdio.h>
#include <sys/types.h>

#include "contract/isa/code.h"

/* The part of a file to disassemble. */
typedef struct stn_range {
    const char *path;
    stn_machine machine;
    const char *const *sections;
    int32_t section_count;
    uint64_t start, stop; /* addresses in a single section; 0, 0: all */
} stn_range;

/* A running disassembler. */
typedef struct stn_objdump {
    const char *tool;
    FILE *output;
    pid_t process;
} stn_objdump;

/* Suitable tools in order of preference, terminated by NULL. */
const char *const *stn_objdump_tools(stn_machine machine);

/* Starts `tool`; *found is 0 if it does not exist. STN_ERR_IO, STN_ERR_MEMORY. */
stn_status stn_objdump_start(stn_objdump *objdump, const char *tool, const stn_range *range,
                             int *found);

enum { STN_OBJDUMP_LINE = 4096 };

/* The next line without its line end, truncated to the buffer; 0 at the end. */
int stn_objdump_line(stn_objdump *objdump, char line[STN_OBJDUMP_LINE]);

/* Waits for the process, or terminates it; returns whether it succeeded. */
int stn_objdump_stop(stn_objdump *objdump);

/* Collects disassembly text into the functions `first` to `last` of an image. */
typedef struct stn_disassembly stn_disassembly;
stn_status stn_disassembly_begin(stn_image *image, int32_t first, int32_t last,
                                 stn_disassembly **disassembly);
stn_status stn_disassembly_range(stn_disassembly *disassembly, stn_range *range);
stn_status stn_disassembly_line(stn_disassembly *disassembly, const char *line);
int64_t stn_disassembly_seen(const stn_disassembly *disassembly); /* instructions so far */

/* Completes the last function if `status` is STN_OK; releases the disassembly and returns the
 * status. */
stn_status stn_disassembly_end(stn_disassembly *disassembly, stn_status status);

#endif
