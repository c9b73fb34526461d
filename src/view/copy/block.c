/* Blocks of a copy whose sides are fastest in different dimensions. */
#include "view/copy/block.h"

#ifdef STN_HAVE_ISA_AVX512
#    include <immintrin.h>
#endif

#include "core/cpu.h"
#include "core/nontemporal.h"
#include "core/transpose.h"
#include "view/copy/run.h"

/* A block is one cache line of `to` along its fastest dimension, and several lines of `from`.
 * Blocks proceed along the fastest dimension of `from`. So a thread reads a few adjacent runs of
 * memory and scatters whole lines; in measurements up to twice as fast as blocks that also write
 * runs. The constants are the bytes of a block's rows in `to` and in `from`, and of a whole block
 * on the stack. */
enum { TALL_BYTES = STN_LINE, WIDE_BYTES = 512, BLOCK_BYTES = 12 << 10 };

typedef enum transpose_way {
    TRANSPOSE_REGISTERS, /* both sides contiguous: in registers, through a buffer */
    TRANSPOSE_ELEMENTS   /* element by element, while the lines of both sides are in the cache */
} transpose_way;

typedef struct block_dimension {
    int64_t extent, to, from;
} block_dimension;

typedef struct blocks_job {
    const stn_copy_plan *plan;
    block_dimension to_axis, from_axis; /* fastest dimensions of `to` and of `from` */
    stn_copy_nest outer;                /* the other dimensions */
    transpose_way way;
    int64_t head;               /* number of elements before the first whole line */
    int64_t tall, wide;         /* elements of a block along to_axis and from_axis */
    int64_t talls, wides, rest; /* number of blocks along to_axis, from_axis and the other
                                 * dimensions */
} blocks_job;

/* Stores a line with one instruction if possible: partial lines occupy the few write-combining
 * buffers while lines are scattered. */
#ifdef STN_HAVE_ISA_AVX512
__attribute__((target("avx512f"))) static void scatter_wide(char *to, int64_t step,
                                                            const char *codes, int64_t lines)
{
    for (int64_t k = 0; k < lines; k++)
        _mm512_stream_si512((__m512i *)(void *)(to + k * step),
                            _mm512_load_si512(codes + k * STN_LINE));
}
#endif

static void scatter_lines(char *to, int64_t step, const char *codes, int64_t lines)
{
#ifdef STN_HAVE_ISA_AVX512
    if (stn_isa_chosen() == STN_ISA_AVX512) {
        scatter_wide(to, step, codes, lines);
        return;
    }
#endif
    for (int64_t k = 0; k < lines; k++)
        stn_copy_nontemporal(to + k * step, codes + k * STN_LINE, STN_LINE);
}

static void put_rows(const blocks_job *job, char *to, const char *codes, int64_t tall, int64_t wide)
{
    const int64_t bytes = tall * job->plan->to_bytes;
    const int64_t step = job->from_axis.to;
    if (bytes != STN_LINE)
        stn_move(to, step, codes, bytes, bytes, wide);
    else if (!job->plan->streaming || ((uintptr_t)to | (uintptr_t)step) % STN_LINE)
        stn_move(to, step, codes, STN_LINE, STN_LINE, wide);
    else
        scatter_lines(to, step, codes, wide);
}

static __attribute__((noinline)) void transpose_codes(const blocks_job *job, char *to,
                                                      const char *from, int64_t from_step,
                                                      int64_t tall, int64_t wide)
{
    _Alignas(64) char transposed[BLOCK_BYTES];
    const int64_t bytes = job->plan->to_bytes;
    stn_transpose_words(transposed, tall, from, from_step / bytes, tall, wide, bytes);
    put_rows(job, to, transposed, tall, wide);
}

static __attribute__((noinline)) void transpose_values(const blocks_job *job, char *to,
                                                       const char *from, int64_t tall, int64_t wide)
{
    _Alignas(64) char converted[BLOCK_BYTES];
    const int64_t bytes = job->plan->to_bytes;
    for (int64_t k = 0; k < tall; k++)
        stn_copy_convert(job->plan->conversion, converted + k * wide * bytes, bytes,
                         from + k * job->to_axis.from, job->from_axis.from, 0, wide, 0);
    transpose_codes(job, to, converted, wide * bytes, tall, wide);
}

static void transpose_in_registers(const blocks_job *job, char *to, const char *from, int64_t tall,
                                   int64_t wide)
{
    if (job->plan->conversion)
        transpose_values(job, to, from, tall, wide);
    else
        transpose_codes(job, to, from, job->to_axis.from, tall, wide);
}

static void transpose_elements(const blocks_job *job, char *to, const char *from, int64_t tall,
                               int64_t wide)
{
    const stn_copy_plan *plan = job->plan;
    for (int64_t k = 0; k < wide; k++, to += job->from_axis.to, from += job->from_axis.from)
        if (plan->conversion)
            stn_copy_convert(plan->conversion, to, job->to_axis.to, from, job->to_axis.from, 0,
                             tall, 0);
        else
            stn_move(to, job->to_axis.to, from, job->to_axis.from, plan->to_bytes, tall);
}

/* Block k of a dimension: its first element, and its number of elements. */
static int64_t begin_of(int64_t k, int64_t size, int64_t head)
{
    return k == 0 ? 0 : k * size - head;
}

static void transpose_block(const blocks_job *job, int64_t tall, int64_t wide,
                            const stn_copy_position *at)
{
    const int64_t a = begin_of(tall, job->tall, job->head), b = wide * job->wide;
    const int64_t a_end = begin_of(tall + 1, job->tall, job->head), b_end = b + job->wide;
    const int64_t a_count = (a_end < job->to_axis.extent ? a_end : job->to_axis.extent) - a;
    const int64_t b_count = (b_end < job->from_axis.extent ? b_end : job->from_axis.extent) - b;
    char *to = job->plan->to + at->to + a * job->to_axis.to + b * job->from_axis.to;
    const char *from = job->plan->from + at->from + a * job->to_axis.from + b * job->from_axis.from;
    (job->way == TRANSPOSE_REGISTERS ? transpose_in_registers
                                     : transpose_elements)(job, to, from, a_count, b_count);
}

static void share_blocks(void *context, int part, int parts)
{
    const blocks_job *job = context;
    int64_t begin, end;
    stn_copy_position at;
    stn_share(job->rest * job->talls * job->wides, part, parts, &begin, &end);
    int64_t wide = begin % job->wides, tall = begin / job->wides % job->talls;
    stn_copy_seek(&job->outer, job->outer.rank, begin / job->wides / job->talls, &at);
    for (; begin < end; begin++) {
        transpose_block(job, tall, wide, &at);
        if (++wide < job->wides)
            continue;
        wide = 0;
        if (++tall < job->talls)
            continue;
        tall = 0;
        stn_copy_step(&job->outer, job->outer.rank, &at);
    }
    if (job->plan->streaming)
        stn_nontemporal_fence();
}

/* Aligns blocks with cache lines, which is possible only if all rows of `to` have the same
 * alignment. */
static int64_t head_of(const blocks_job *job)
{
    const int64_t bytes = job->plan->to_bytes;
    const int64_t past = (int64_t)((uintptr_t)job->plan->to % STN_LINE);
    int64_t steps = job->from_axis.to;
    for (int d = 0; d < job->outer.rank; d++)
        steps |= job->outer.to[d];
    if (past % bytes != 0 || steps % STN_LINE != 0 || STN_LINE % bytes != 0)
        return 0;
    return past / bytes;
}

static int64_t at_least_one(int64_t count)
{
    return count > 0 ? count : 1;
}

static void choose_blocks(blocks_job *job)
{
    const stn_copy_plan *plan = job->plan;
    const int64_t bytes = plan->to_bytes;
    const int fits = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    const int dense = job->to_axis.to == bytes && job->from_axis.from == plan->from_bytes;
    job->way = fits && dense ? TRANSPOSE_REGISTERS : TRANSPOSE_ELEMENTS;
    job->tall = at_least_one(TALL_BYTES / bytes);
    job->wide = at_least_one(WIDE_BYTES / bytes);
    if (job->tall * job->wide * bytes > BLOCK_BYTES)
        job->wide = at_least_one(BLOCK_BYTES / bytes / job->tall);
    job->head = job->way == TRANSPOSE_REGISTERS ? head_of(job) : 0;
    job->talls = (job->to_axis.extent + job->head + job->tall - 1) / job->tall;
    job->wides = (job->from_axis.extent + job->wide - 1) / job->wide;
}

void stn_copy_blocks(const stn_exec *exec, const stn_copy_plan *plan)
{
    const stn_copy_nest *const nest = &plan->nest;
    const int last = nest->rank - 1, from = plan->from_axis;
    blocks_job job = {.plan = plan,
                      .to_axis = {nest->extent[last], nest->to[last], nest->from[last]},
                      .from_axis = {nest->extent[from], nest->to[from], nest->from[from]}};
    for (int d = 0; d < last; d++)
        if (d != from)
            stn_copy_nest_add(&job.outer, nest->extent[d], nest->to[d], nest->from[d]);
    job.rest = stn_copy_count(&job.outer, job.outer.rank);
    choose_blocks(&job);
    const int64_t widest = plan->to_bytes > plan->from_bytes ? plan->to_bytes : plan->from_bytes;
    stn_exec_run_sized(exec, (double)(stn_copy_count(nest, nest->rank) * widest), share_blocks,
                       &job);
}
