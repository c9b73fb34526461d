/* A reduction on the way: the dimensions that stay and those that go, and how elements are read. */
#ifndef STENO_REDUCE_JOB_H
#define STENO_REDUCE_JOB_H

#include "map/launch.h"
#include "sum/codes.h"
#include "sum/monoid.h"
#include "sum/schedule.h"

enum {
    STN_MAPPED_BYTES = 32, /* of a mapped element, at most */
    STN_PANEL_TILES = 64,  /* folded at once in place */
    STN_DECODED_TILES = 8, /* folded at once when decoded */
    STN_RESULTS = 128      /* stored at once */
};

/* Dimensions of the space, in order: those that are kept, or those that are reduced. One more than
 * a view can have: there is always one that is reduced. */
typedef struct stn_axes {
    int count;
    int at[STN_MAX_RANK + 1]; /* which dimension of the space; -1: none of them */
    int64_t extent[STN_MAX_RANK + 1];
    int64_t stride[STN_MAX_PARAMETERS][STN_MAX_RANK + 1]; /* of each view, positions */
} stn_axes;

typedef enum stn_direction {
    STN_CONTIGUOUS, /* one output after the other */
    STN_SHORT,      /* several outputs of less than a tile, which are neighbours along it */
    STN_STRIDED,    /* many outputs side by side, that rows of memory are */
    STN_NARROW,     /* so few outputs side by side that a tile of theirs is read at once */
    STN_SCANNED     /* scans */
} stn_direction;

typedef struct stn_reduce_job {
    stn_launch launch;
    const stn_reduction *reduction;
    stn_monoid monoid;
    int indexed;        /* the indices of elements may be used */
    int numbered;       /* their numbers are */
    int x, y;           /* the parameters that expressions are, as they are; or -1 */
    int bare;           /* x, where elements are mapped to it */
    stn_code_sum codes; /* of rows: the library's own loops, if there are any */
    struct {
        const stn_fused *fused;    /* NULL: there are none */
        int codes, values;         /* a row of codes, all times one value */
    } columns;                     /* the same of outputs side by side */
    int plain[STN_MAX_PARAMETERS]; /* the view's elements are values as they are */
    stn_axes kept, reduced;
    int64_t outputs, elements; /* elements: of one output */
    int64_t first;             /* the number of the first element */
    double scale;
    stn_direction direction;
    int64_t width, groups; /* outputs side by side, and groups of them along the last kept axis */

    /* Where results go: a view, or a value; or states as they are, so many bytes apart. */
    const stn_view *result;
    stn_reader writer;
    int64_t result_stride[STN_MAX_RANK + 1]; /* per kept axis, positions of it */
    void *value, *states;
    int64_t state_step;
    const char *rescaled[3]; /* states of norms, of all outputs under the second and third scale;
                              * NULL: they can be calculated here */
    int64_t begin, count;    /* the elements that are folded, which begin with a tile */
} stn_reduce_job;

/* The first checks, and what the job is. */
stn_status stn_reduce_begin(stn_reduce_job *job, const stn_exec *exec,
                            const stn_reduction *reduction, stn_format arithmetic,
                            const stn_argument *arguments);

/* The plan: checks of the arguments and of the result (NULL: none is a view), and the axes. Bit d
 * of `reduced`: dimension d is reduced; `all` are. */
stn_status stn_reduce_plan(stn_reduce_job *job, int rank, const int64_t *extents, int all,
                           unsigned reduced, const stn_view *result, const stn_argument *arguments);

/* Its parts: the operation; a view that has the extents of the dimensions which are not reduced, as
 * the result; and the axes, with the positions that such a result, and totals, go on by; or NULL.
 */
void stn_reduce_take_operation(stn_reduce_job *job);
stn_status stn_reduce_take_result(stn_reduce_job *job, const char *what, unsigned reduced,
                                  const stn_view *result);
void stn_reduce_lay_out(stn_reduce_job *job, unsigned reduced, const int64_t *result_step,
                        const int64_t *total_step, int64_t *total_stride);

/* What all threads calculate in, after all checks; to be given back. */
stn_status stn_reduce_take_workspaces(stn_reduce_job *job);

/* How outputs are gone through, and that. */
stn_direction stn_reduce_choose_direction(const stn_reduce_job *job);
void stn_reduce_contiguous(stn_reduce_job *job);
void stn_reduce_strided(stn_reduce_job *job);

/* Elements begin to begin + count - 1 of all outputs: their results are stored, or, where `states`
 * is not NULL, their states, each `step` bytes from the last. */
void stn_reduce_range(stn_reduce_job *job, int64_t begin, int64_t count, void *states,
                      int64_t step);

/* Map elements begin to begin + count - 1, up to a tile, of an output: into `mapped`, which may be
 * NULL, or where they are. */
const void *stn_reduce_map(const stn_reduce_job *job, int64_t output, int64_t begin, int64_t count,
                           void *mapped);

/* One output, of one element or more, element by element: its state. */
void stn_reduce_reference(const stn_reduce_job *job, int64_t output, double scale, void *state);

/* Finish states of neighbouring outputs and store the results, or keep the states. Norms that left
 * the range are calculated again. */
void stn_reduce_store(const stn_reduce_job *job, int64_t output, const void *states, int64_t count);

/* Results of outputs that have no elements. */
void stn_reduce_store_empty(const stn_reduce_job *job);

/* A result as a program has it, a double, int64_t or stn_c128: its size, and that. */
size_t stn_reduce_given_bytes(const stn_monoid *monoid);
void stn_reduce_give(const stn_monoid *monoid, const void *result, void *to);

/* Integers that go into floats become doubles, in place. */
void stn_reduce_widen(const stn_monoid *monoid, const stn_reader *writer, void *results,
                      int64_t count);

/* What a norm must be calculated again with: 1 when its squares are in range. */
double stn_norm_scale(const stn_reduce_job *job, const void *state);
double stn_norm_scale_of(stn_format arithmetic, int which);   /* 0: 1; 1: less; 2: more */
int stn_norm_range(stn_format arithmetic, const void *state); /* which of these */

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
