/* A running reduction: kept and reduced dimensions, and access to elements. */
#ifndef STENO_REDUCE_JOB_H
#define STENO_REDUCE_JOB_H

#include "map/launch.h"
#include "order/codes.h"
#include "order/extremes.h"
#include "order/monoid.h"
#include "order/schedule.h"

enum {
    STN_MAPPED_BYTES = 32, /* maximum size of a mapped element */
    STN_PANEL_TILES = 64,  /* tiles folded at once in place */
    STN_DECODED_TILES = 8, /* tiles folded at once after decoding */
    STN_RESULTS = 128      /* results stored at once */
};

/* Dimensions of the space in order: kept ones, or reduced ones. One more than the maximum rank,
 * because there is always a reduced one. */
typedef struct stn_axes {
    int count;
    int at[STN_MAX_RANK + 1]; /* dimension of the space; -1: none */
    int64_t extent[STN_MAX_RANK + 1];
    int64_t stride[STN_MAX_PARAMETERS][STN_MAX_RANK + 1]; /* of each view, in positions */
} stn_axes;

typedef enum stn_direction {
    STN_CONTIGUOUS, /* outputs sequentially */
    STN_SHORT,      /* several outputs of less than a tile, which are adjacent along the tile */
    STN_STRIDED,    /* many adjacent outputs, which are rows of memory */
    STN_NARROW,     /* few adjacent outputs, of which a whole tile is read at once */
    STN_SCANNED     /* scans */
} stn_direction;

/* The library's loops over codes of rows. */
typedef enum stn_code_loops {
    STN_NO_LOOPS,
    STN_LOOPS_OF_SUMS, /* sums, products, and the sums of means and norms */
    STN_LOOPS_OF_MOMENTS,
    STN_LOOPS_OF_EXTREMES
} stn_code_loops;

typedef struct stn_reduce_job {
    stn_launch launch;
    const stn_reduction *reduction;
    stn_monoid monoid;
    int indexed;  /* elements may depend on indices */
    int numbered; /* elements have numbers */
    int x, y;     /* parameters that are operands without an expression; or -1 */
    int bare;     /* x, if elements equal its elements */
    stn_code_loops loops;
    stn_code_sum codes;    /* of sums and moments */
    stn_extremes extremes; /* of extremes */
    struct {
        const stn_fused *fused;    /* NULL: none */
        int codes, values;         /* a row of codes, all multiplied by one value */
    } columns;                     /* the same for adjacent outputs */
    int plain[STN_MAX_PARAMETERS]; /* the view's elements are unscaled values */
    stn_axes kept, reduced;
    int64_t outputs, elements; /* elements per output */
    int64_t first;             /* number of the first element */
    double scale;
    stn_direction direction;
    int64_t width, groups; /* adjacent outputs, and their groups along the last kept axis */

    /* Destination of results: a view or a value, or raw states at this distance in bytes. */
    const stn_view *result;
    stn_reader writer;
    int64_t result_stride[STN_MAX_RANK + 1]; /* positions per kept axis */
    int64_t result_step;                     /* positions between results of one output */
    void *value, *states;
    int64_t state_step;
    const char *rescaled[3]; /* states of norms of all outputs with the second and third scale;
                                NULL: computed on the host */
    int64_t begin, count;    /* the folded elements, which begin with a tile */
} stn_reduce_job;

/* The first checks, and the operation. */
stn_status stn_reduce_begin(stn_reduce_job *job, const stn_exec *exec,
                            const stn_reduction *reduction, stn_format arithmetic,
                            const stn_argument *arguments);

/* Planning: checks of the arguments and the result (NULL: not a view), and the axes. Bit d of
 * `reduced`: dimension d is reduced, unless all are. */
stn_status stn_reduce_plan(stn_reduce_job *job, int rank, const int64_t *extents,
                           stn_reduced_dimensions dimensions, unsigned reduced,
                           const stn_view *result, const stn_argument *arguments);

/* Parts of planning: the operation; a view with the extents of the kept dimensions,
 * as the result; and the axes, with the strides of such a result and of totals, or
 * NULL. */
void stn_reduce_set_operation(stn_reduce_job *job);
stn_status stn_reduce_set_result(stn_reduce_job *job, const char *what, unsigned reduced,
                                 const stn_view *result);
void stn_reduce_lay_out(stn_reduce_job *job, unsigned reduced, const int64_t *result_step,
                        const int64_t *total_step, int64_t *total_stride);

/* Acquires the workspaces of all threads, after all checks; they must be released. */
stn_status stn_reduce_acquire_workspaces(stn_reduce_job *job);

/* Selects the traversal of outputs, and performs it. */
stn_direction stn_reduce_choose_direction(const stn_reduce_job *job);
void stn_reduce_contiguous(stn_reduce_job *job);
void stn_reduce_strided(stn_reduce_job *job);

/* Folds elements begin to begin + count - 1 of all outputs and stores results, or, if `states`
 * is not NULL, states at a distance of `step` bytes. */
void stn_reduce_range(stn_reduce_job *job, int64_t begin, int64_t count, void *states,
                      int64_t step);

/* Maps elements begin to begin + count - 1, up to a tile, of an output: into `mapped`, which may
 * be NULL, or in place. */
const void *stn_reduce_map(const stn_reduce_job *job, int64_t output, int64_t begin, int64_t count,
                           void *mapped);

/* The state of one output with at least one element, computed element by element. */
void stn_reduce_reference(const stn_reduce_job *job, int64_t output, double scale, void *state);

/* Finishes states of adjacent outputs and stores the results, or keeps the states. Norms that
 * overflow or underflow are recomputed. */
void stn_reduce_store(const stn_reduce_job *job, int64_t output, const void *states, int64_t count);

/* Results of outputs without elements. */
void stn_reduce_store_empty(const stn_reduce_job *job);

/* Size of the results of one output as passed to programs, and the conversion to them. */
size_t stn_reduce_value_bytes(const stn_monoid *monoid);
void stn_reduce_to_value(const stn_monoid *monoid, const void *result, void *to);

/* Converts integers that are stored in floats to doubles, in place. */
void stn_reduce_widen(const stn_monoid *monoid, const stn_reader *writer, void *results,
                      int64_t count);

/* Scale with which a norm must be recomputed; 1 if its squares are in range. */
double stn_norm_scale(const stn_reduce_job *job, const void *state);
double stn_norm_scale_of(stn_format arithmetic, int which);   /* 0: 1; 1: less; 2: more */
int stn_norm_range(stn_format arithmetic, const void *state); /* index of this scale */

/* ---- positions ---- */

/* Offset in a view of an index in C order along axes. */
static inline int64_t stn_axes_offset(const stn_axes *axes, const int64_t *stride, int count,
                                      int64_t number)
{
    int64_t index[STN_MAX_RANK + 1];
    if (count == 1)
        return number * stride[0];
    stn_nest_indices(count, axes->extent, (uint64_t)number, index);
    return stn_nest_offset(count, stride, index);
}

/* The same index as indices of the space. */
static inline void stn_axes_index(const stn_axes *axes, int count, int64_t number, int64_t *index)
{
    int64_t own[STN_MAX_RANK + 1];
    stn_nest_indices(count, axes->extent, (uint64_t)number, own);
    for (int d = 0; d < count; d++)
        if (axes->at[d] >= 0)
            index[axes->at[d]] = own[d];
}

static inline void *stn_code_at(const stn_reduce_job *job, int at, int64_t offset)
{
    return stn_reader_at(&job->launch.slots[at].reader, offset);
}

static inline void stn_read_view(const stn_reduce_job *job, int at, void *values, int64_t position,
                                 int64_t step, int64_t count)
{
    stn_read(&job->launch.slots[at].reader, values, position, step, count);
}

/* Positions of the first element of an output. */
static inline void stn_find_output(const stn_reduce_job *job, int64_t output, int64_t *position)
{
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        position[at] = stn_axes_offset(&job->kept, job->kept.stride[at], job->kept.count, output);
    }
}

#endif
