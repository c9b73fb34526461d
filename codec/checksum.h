/* XXH64 (Y. Collet, xxHash fast digest algorithm, revision 0.1.1) with seed 0. */
#ifndef STENO_CODEC_CHECKSUM_H
#define STENO_CODEC_CHECKSUM_H

#include <stdint.h>

uint64_t stn_checksum(const void *bytes, int64_t count);

#endif
