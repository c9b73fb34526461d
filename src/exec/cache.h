/* Compiled code on disk, so that later processes compile nothing. Errors cost only time: they
 * are reported as events, and the kernel is compiled. */
#ifndef STENO_EXEC_CACHE_H
#define STENO_EXEC_CACHE_H

#include <signal.h>

#include "core/environment.h"
#include "exec/device.h"

/* The cache for a key, which must stay valid. */
typedef struct stn_cache {
    const stn_device_key *key;
    int folder; /* -1: none, or unusable */
    char path[STN_MAX_PATH];
} stn_cache;
void stn_cache_open(const stn_device_key *key, stn_cache *cache);
void stn_cache_close(stn_cache *cache);

/* The code stored under the key, or NULL. Release it with stn_free. */
void *stn_cache_load(const stn_cache *cache, size_t *bytes);

/* Stores code. Concurrent processes do not disturb each other. */
void stn_cache_store(const stn_cache *cache, const void *code, size_t bytes);

/* Writes path, size and time of a file, for keys. Returns the length, less than `capacity`. */
int stn_cache_identify_file(const char *path, char *description, size_t capacity);

/* Between these calls, exceeding the limit of file sizes is an error on this thread, not a
 * signal that ends the program. */
typedef struct stn_file_limit {
    sigset_t before;
    int was_pending;
} stn_file_limit;
void stn_file_limit_hold(stn_file_limit *limit);
void stn_file_limit_release(const stn_file_limit *limit);

#endif
