/* A reduction on the way: the dimensions that stay and those that go, and how it is scheduled. */
#ifndef STENO_LAUNCH_REDUCE_H
#define STENO_LAUNCH_REDUCE_H

#include "blas/fused.h"
#include "blas/sums.h"
#include "launch/launch.h"
#include "sum/schedule.h"
#include "steno/reduce_types.h"

enum {
    STN_ALONG_ELEMENTS = STN_STRETCH_TILES * STN_TILE_ELEMENTS, /* folded at once in place */
    STN_DECODED_ELEMENTS = 512,                                 /* folded at once when decoded */
    STN_KNOWN_ELEMENTS =
        STN_EXACT_TILES * STN_TILE_ELEMENTS, /* folded at once by the library's own loops */
    STN_RESULTS = 128                        /* stored at once */
};

/* Dimensions of the space, in order: those that are kept, or those that are reduced. One more than
 * a view can have: there is always one that is reduced. */
typedef struct stn_axes {
    int count;
    int at[STN_MAX_RANK + 1]; /* which dimension of the space; -1: none of them */
    int64_t extent[STN_MAX_RANK + 1];
    int64_t stride[STN_MOST_PARAMETERS][STN_MAX_RANK + 1]; /* of each view, positions */
} stn_axes;

/* A sum of a view, or of products of two, that the library's own loops fold. */
typedef struct stn_known {
    int is;
    int x, y; /* the parameters; y -1: a sum */
    const stn_sums *sums;
    const stn_fused *fused;
    stn_affine affine[2]; /* of x and y, where scales have not been taken out */
    double factor;        /* that has been taken out */
} stn_known;

typedef struct stn_reduce_job {
    stn_launch launch;
    const stn_reduction *reduction;
    const stn_reduction_loops *loops;
    void (*fold)(const stn_stretch *stretch, void *state); /* of loops, or fused */
    int fused;                                             /* reads codes in place */
    stn_known known;
    int indexed;                    /* the indices of elements may be used */
    int plain[STN_MOST_PARAMETERS]; /* the view's elements are values as they are */
    stn_axes kept, reduced;
    int64_t outputs, elements; /* elements: of one output */
    int64_t first;             /* the number of the first element */
    double scale;

    /* Where results go: a view, or a value. */
    const stn_view *result;
    stn_reader writer;
    int64_t result_stride[STN_MAX_RANK + 1]; /* per kept axis, positions of it */
    void *value;

    /* The range of elements that is folded, whose number is a multiple of its blocks'. */
    int64_t begin, count;
    int64_t chunk; /* elements that are folded at once */
    int64_t block; /* elements of a block, a power of two of tiles; of each output one or more */
    int64_t blocks;
    int64_t width, groups; /* outputs side by side, and groups of them along the last kept axis */
    int side_by_side;      /* STN_ACROSS_... */
    char *values;          /* states of blocks, when there are several of an output */
} stn_reduce_job;

/* The first checks, and what the job is. */
stn_status stn_reduce_begin(stn_reduce_job *job, const stn_exec *exec, stn_reduction *reduction,
                            stn_format arithmetic, const stn_argument *arguments);

/* What all threads calculate in, after all checks; to be given back. */
stn_status stn_reduce_take_workspaces(stn_reduce_job *job);

/* The plan: checks of the arguments and of the result (NULL: a value), and the axes. Bit d of
 * `reduced`: dimension d is reduced. */
stn_status stn_reduce_plan(stn_reduce_job *job, int rank, const int64_t *extents, int all,
                           unsigned reduced, const stn_view *result, const stn_argument *arguments);

/* Its parts: the loops of the arithmetic, a result that has the extents of the dimensions which are
 * not reduced, and the axes, with the positions that such a result goes on by. */
void stn_reduce_take_loops(stn_reduce_job *job);
stn_status stn_reduce_take_result(stn_reduce_job *job, unsigned reduced, const stn_view *result);
void stn_reduce_lay_out(stn_reduce_job *job, unsigned reduced, const int64_t *result_step);

/* Find what a reduction is known as; let the library's own loops fold, if they can; and a stretch
 * that they do. */
void stn_reduction_know(stn_reduction *reduction);
void stn_reduce_find_known(stn_reduce_job *job);
void stn_reduce_fold_known(const stn_reduce_job *job, const stn_stretch *stretch, void *state);

/* One output, of one element or more, element by element: its state. */
void stn_reduce_one(const stn_reduce_job *job, int64_t output, double scale, void *state);

/* Outputs one after the other, each along the last reduced axis; states of blocks into values, or
 * results stored. */
void stn_reduce_along(stn_reduce_job *job);

/* Outputs side by side: row by row of their elements, where those stand, or transposed where they
 * are short rows themselves; or few outputs. */
void stn_reduce_across(stn_reduce_job *job);
enum { STN_ACROSS_ROWS = 1, STN_ACROSS_SHORT = 2, STN_ACROSS_FEW = 3 };

/* One of these, or 0: along. */
int stn_reduce_goes_across(const stn_reduce_job *job);

/* The state of the elements begin to begin + count - 1 of the only output; `begin` as in the job.
 */
void stn_reduce_range(stn_reduce_job *job, int64_t begin, int64_t count, void *state);

/* Map elements begin to begin + count - 1 of the only output. */
void stn_reduce_map(const stn_reduce_job *job, int64_t begin, int64_t count, void *mapped);

/* Finish states of neighbouring outputs and store the results. Norms that left the range are
 * calculated again. */
void stn_reduce_store(const stn_reduce_job *job, int64_t output, const void *states, int64_t count);

/* Integers that go into floats become doubles, in place. */
void stn_reduce_widen(const stn_reduce_job *job, void *results, int64_t count);

/* What a norm must be calculated again with: 1 when its squares are in range. */
double stn_norm_scale(const stn_reduce_job *job, const void *state);
double stn_norm_scale_of(stn_format arithmetic, int which);   /* 0: 1; 1: less; 2: more */
int stn_norm_range(stn_format arithmetic, const void *state); /* which of these */

/* ---- states, as a binary counter combines them ---- */

typedef struct stn_states {
    uint64_t count;
    char level[64][STN_STATE_BYTES];
} stn_states;

/* States have 4, 8 or 16 bytes. */
static inline void stn_state_copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, 16);
}

static inline void stn_states_push(const stn_reduction_loops *loops, stn_states *states,
                                   void *state)
{
    const size_t bytes = (size_t)loops->state_bytes;
    int k = 0;
    for (uint64_t count = states->count++; count & 1; count >>= 1, k++) {
        loops->combine(states->level[k], state, 1);
        state = states->level[k];
    }
    if (state != (void *)states->level[k])
        stn_state_copy(states->level[k], state, bytes);
}

/* The state of all, of which there is one at least; in one of the levels. */
static inline void *stn_states_fold(const stn_reduction_loops *loops, stn_states *states)
{
    int k = __builtin_ctzll(states->count);
    void *state = states->level[k];
    for (uint64_t rest = states->count >> k >> 1; rest; rest >>= 1) {
        k++;
        if (rest & 1) {
            loops->combine(states->level[k], state, 1);
            state = states->level[k];
        }
    }
    return state;
}

/* ---- places ---- */

/* The offset of a view at a number in C order along axes. */
static inline int64_t stn_axes_offset(const stn_axes *axes, const int64_t *stride, int count,
                                      int64_t number)
{
    int64_t offset = 0;
    if (count == 1)
        return number * stride[0];
    for (int d = count - 1; d >= 0; d--) {
        offset += number % axes->extent[d] * stride[d];
        number /= axes->extent[d];
    }
    return offset;
}

/* The same number as indices of the space. */
static inline void stn_axes_index(const stn_axes *axes, int count, int64_t number, int64_t *index)
{
    for (int d = count - 1; d >= 0; d--) {
        if (axes->at[d] >= 0)
            index[axes->at[d]] = number % axes->extent[d];
        number /= axes->extent[d];
    }
}

/* A stretch of the job, with what is the same for all of them. Without a workspace: for loops that
 * take one element. */
static inline void stn_stretch_begin(const stn_reduce_job *job, stn_workspace *workspace,
                                     stn_stretch *stretch)
{
    const stn_launch *launch = &job->launch;
    stretch->scale = job->scale;
    stretch->tile.room = workspace ? workspace->loop : NULL;
    memset(stretch->tile.index, 0, sizeof stretch->tile.index);
    memset(stretch->tile.step, 0, sizeof stretch->tile.step);
    for (int at = 0; at < launch->kernel->count; at++)
        stretch->tile.numbers[at] = launch->numbers[at];
}

static inline char *stn_code_at(const stn_reduce_job *job, int at, int64_t offset)
{
    return stn_reader_at(&job->launch.slots[at].reader, offset);
}

#endif
