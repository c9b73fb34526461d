/* Archives inside the library: blocks, their memory, and work on them by threads. */
#ifndef STENO_CODEC_ARCHIVE_H
#define STENO_CODEC_ARCHIVE_H

#include <pthread.h>
#include <stdatomic.h>

#include "codec/packer.h"

/* A compressed block. Different threads write different blocks. */
typedef struct stn_packed_block {
    const uint8_t *bytes; /* NULL if length is 0: all elements are zero */
    uint64_t checksum;
    uint32_t length;
    uint8_t is_owned;           /* allocated, not in the mapped file */
    _Atomic uint8_t is_checked; /* the checksum has been compared */
} stn_packed_block;

typedef struct stn_cache stn_cache;

struct stn_archive {
    _Atomic int64_t uses; /* the archive and its views */
    stn_packer packer;
    char text[STN_PACKER_TEXT];
    stn_cells cells; /* of a complete block */
    stn_format format;
    int rank;
    int64_t extent[STN_MAX_RANK], block[STN_MAX_RANK];
    int64_t blocks_along[STN_MAX_RANK], blocks;
    int64_t cached_blocks;
    stn_packed_block *packed;
    char *path;   /* of the file that is mapped, or NULL */
    void *mapped; /* or NULL */
    size_t mapped_bytes;
    pthread_mutex_t lock;     /* of `states` and `cache` */
    stn_packer_state *states; /* not in use */
    stn_cache *cache;         /* of views, or NULL */
};

/* Allocates an archive without elements. The options are checked. */
stn_status stn_archive_allocate(const char *call, stn_format format, int rank,
                                const int64_t *extents, const stn_archive_options *options,
                                stn_archive **archive);

/* Reads the options, which may be NULL. */
stn_status stn_archive_read_options(const char *call, const stn_archive_options *options,
                                    stn_archive_options *known);

/* STN_ERR_ARGUMENT if the archive is NULL. */
stn_status stn_archive_expect(const char *call, const stn_archive *archive);

/* The memory of a thread, which must be returned. STN_ERR_MEMORY. */
stn_status stn_archive_take_state(stn_archive *archive, stn_packer_state **state);
void stn_archive_return_state(stn_archive *archive, stn_packer_state *state);

/* Ensures that this number are not in use. */
stn_status stn_archive_reserve_states(stn_archive *archive, int count);

/* The elements of a block, at the indices `first` of the array. */
void stn_archive_cells(const stn_archive *archive, int64_t block, stn_cells *cells, int64_t *first);

/* Decodes a block into contiguous elements, or at strides if stn_block_takes_strides. STN_ERR_PARSE
 * and STN_ERR_MEMORY, naming the block. */
stn_status stn_archive_decode(stn_archive *archive, stn_packer_state *state, int64_t block,
                              const int64_t *stride, void *elements);

/* Encodes contiguous elements as a block. STN_ERR_MEMORY; the block is unchanged then. */
stn_status stn_archive_encode(stn_archive *archive, stn_packer_state *state, int64_t block,
                              const void *elements);

/* STN_ERR_PARSE with the number and the indices of the block. */
stn_status stn_archive_corrupt(const stn_archive *archive, int64_t block, const char *reason);

/* Calls `work` for blocks of the box from block index `first` on, `count` blocks along each
 * dimension, on the threads of the executor; the calling thread if exec is NULL. The first error
 * ends it and is returned. */
typedef stn_status stn_block_work(stn_archive *archive, stn_packer_state *state, int64_t block,
                                  void *context);
stn_status stn_archive_for_blocks(const char *call, const stn_exec *exec, stn_archive *archive,
                                  const int64_t *first, const int64_t *count, stn_block_work *work,
                                  void *context);

/* Decodes every block. */
stn_status stn_archive_verify_blocks(const char *call, const stn_exec *exec, stn_archive *archive);

#endif
