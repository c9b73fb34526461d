/* Decoded blocks of an archive, for its views. */
#ifndef STENO_CODEC_CACHE_H
#define STENO_CODEC_CACHE_H

#include "codec/archive.h"

/* Creates the cache of an archive, which belongs to it. STN_ERR_MEMORY. */
stn_status stn_cache_create(stn_archive *archive);
void stn_cache_release(stn_cache *cache);

/* Encodes blocks that views have changed; `drops`: the cache is empty afterward. A no-op without a
 * cache. Returns the first error of an access by views, if there was one. */
stn_status stn_cache_flush(const char *call, stn_archive *archive, int drops);

#endif
