/* The host's C compiler as a device: kernels are compiled for it, and memory stays in place. */
#ifndef STENO_EXEC_HOST_HOST_H
#define STENO_EXEC_HOST_HOST_H

#include "exec/device.h"

/* A kernel of such a text (expr/source_host.c). piece: first, end, number of pieces per row,
 * elements per piece. */
typedef void stn_host_function(const int64_t *numbers, char *const *memory, int *words,
                               const int64_t *piece);

/* STN_ERR_MEMORY. */
stn_status stn_host_open(stn_device **device);

/* ---- parts of it ---- */

stn_status stn_host_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code);
stn_status stn_host_load(stn_device *device, const char *name, const stn_device_code *code,
                         void **module);
void stn_host_identify(stn_device *device, char *words, size_t capacity);

#endif
