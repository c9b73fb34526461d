/* Compiled code on disk, so that a second process compiles nothing. What does not work costs time
 * only: the reason is an event, and the kernel is compiled. */
#ifndef STENO_EXEC_CACHE_H
#define STENO_EXEC_CACHE_H

#include <signal.h>

#include "core/environment.h"
#include "exec/device.h"

/* The folder, opened for a key, which outlives it. */
typedef struct stn_cache {
    const stn_device_key *key;
    int folder; /* -1: there is none, or it cannot be used */
    char path[STN_MOST_PATH];
} stn_cache;
void stn_cache_open(const stn_device_key *key, stn_cache *cache);
void stn_cache_close(stn_cache *cache);

/* What is kept under the key, to be given back with stn_free; NULL where nothing is. */
void *stn_cache_load(const stn_cache *cache, size_t *bytes);

/* Keep it. Processes that do so at the same time are in nobody's way. */
void stn_cache_store(const stn_cache *cache, const void *code, size_t bytes);

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
