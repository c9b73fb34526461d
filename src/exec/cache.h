/* Compiled code on disk, so that a second process compiles nothing. What does not work costs time
 * only: the reason is an event, and the kernel is compiled. */
#ifndef STENO_EXEC_CACHE_H
#define STENO_EXEC_CACHE_H

#include <signal.h>

#include "exec/device.h"

/* Is there a folder for it? Whether that can be used is seen where it is. */
int stn_cache_is_on(void);

/* What is kept under a key, to be given back with stn_free; NULL where nothing is. */
void *stn_cache_load(const stn_device_key *key, size_t *bytes);

/* Keep it. Processes that do so at the same time are in nobody's way. */
void stn_cache_store(const stn_device_key *key, const void *code, size_t bytes);

/* For keys: path, size and time of a file, and how many letters they are, less than `room`. */
int stn_cache_identify_file(const char *path, char *words, size_t room);

/* A limit to the size of files is no reason to end the program: between these, writing beyond it is
 * an error and no signal, on this thread. */
typedef struct stn_file_limit {
    sigset_t before;
    int was_pending;
} stn_file_limit;
void stn_file_limit_hold(stn_file_limit *limit);
void stn_file_limit_release(const stn_file_limit *limit);

#endif
