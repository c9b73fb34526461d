/* Tiles are summed in aligned blocks, a power of two each, whose sums are again leaves of the tree.
 * A thread takes neighbouring blocks and walks through STN_STREAMS runs of them side by side; how
 * many of them fill the memory's bandwidth depends on the processor's prefetchers. */
#include "exec/reduce.h"

enum { MOST_BLOCKS = 1024 };

typedef struct sum_job {
    stn_tile_sums *sums;
    const void *context;
    int64_t tiles, block; /* tiles in all, and in a block */
    int narrow;
    double sum[MOST_BLOCKS];
} sum_job;

/* A run of blocks on the way. */
typedef struct tile_stream {
    int64_t tile, end; /* the next tile, and the one behind the last */
    stn_tree tree;     /* of the block that `tile` is in */
} tile_stream;

/* Sum the next tiles, up to a chunk and to the end of the block. */
static void advance(sum_job *job, tile_stream *stream)
{
    double sums[STN_CHUNK];
    const int64_t block_end = (stream->tile / job->block + 1) * job->block;
    const int64_t stop = block_end < stream->end ? block_end : stream->end;
    const int64_t rest = stop - stream->tile, count = rest < STN_CHUNK ? rest : STN_CHUNK;
    job->sums(job->context, stream->tile, count, sums);
    stn_tree_push(&stream->tree, sums, 1, count);
    stream->tile += count;
    if (stream->tile == stop) {
        job->sum[(stop - 1) / job->block] = stn_tree_fold(&stream->tree);
        stream->tree.count = 0;
    }
}

static void sum_blocks(void *context, int part, int parts)
{
    sum_job *job = context;
    const int64_t blocks = (job->tiles + job->block - 1) / job->block;
    tile_stream streams[STN_STREAMS];
    int64_t begin, end;
    stn_share(blocks, part, parts, &begin, &end);
    for (int s = 0; s < STN_STREAMS; s++) {
        int64_t first, last;
        stn_share(end - begin, s, STN_STREAMS, &first, &last);
        last = (begin + last) * job->block;
        streams[s].tile = (begin + first) * job->block;
        streams[s].end = last < job->tiles ? last : job->tiles;
        streams[s].tree.count = 0;
        streams[s].tree.narrow = job->narrow;
    }
    for (int busy = 1; busy;) {
        busy = 0;
        for (int s = 0; s < STN_STREAMS; s++)
            if (streams[s].tile < streams[s].end) {
                advance(job, &streams[s]);
                busy = 1;
            }
    }
}

double stn_reduce(const stn_exec *exec, int64_t tiles, int narrow, stn_tile_sums *sums,
                  const void *context)
{
    sum_job job = {.sums = sums,
                   .context = context,
                   .tiles = tiles,
                   .block = STN_CHUNK,

                   .narrow = narrow};
    while ((tiles + job.block - 1) / job.block > MOST_BLOCKS)
        job.block *= 2;
    const stn_exec alone = {STN_EXEC_REFERENCE, 1, NULL};
    stn_exec_run(tiles < 2 * STN_CHUNK ? &alone : exec, sum_blocks, &job);
    stn_tree tree = {.count = 0, .narrow = narrow};
    stn_tree_push(&tree, job.sum, 1, (tiles + job.block - 1) / job.block);
    return stn_tree_fold(&tree);
}
