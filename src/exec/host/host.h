/* The host's compiler of C as a device: kernels are compiled for it, and memory is where it is. */
#ifndef STENO_EXEC_HOST_HOST_H
#define STENO_EXEC_HOST_HOST_H

#include "exec/device.h"

/* What a kernel of such a text is (expr/source_host.c); piece: the first one, the one behind the
 * last, how many there are of a row, and elements of one. */
typedef void stn_host_function(const int64_t *numbers, char *const *memory, int *words,
                               const int64_t *piece);

/* STN_ERR_MEMORY. */
stn_status stn_host_open(stn_device **device);

/* ---- parts of it ---- */

stn_status stn_host_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code);
stn_status stn_host_load(stn_device *device, const char *name, const stn_device_code *code,
                         void **module);
void stn_host_identify(stn_device *device, char *words, size_t room);

#endif
