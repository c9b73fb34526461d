/* Outputs side by side: what a thread has at hand of them. */
#ifndef STENO_LAUNCH_REDUCE_ACROSS_H
#define STENO_LAUNCH_REDUCE_ACROSS_H

#include "launch/reduce.h"

enum {
    STN_ROWS_AT_ONCE = 16,     /* folded by one loop: as many streams of memory */
    STN_LANES_BYTES = 65536,   /* of arrays of states: of a tile's groups, or of 32 lanes */
    STN_LEVELS_BYTES = 131072, /* of those of the tree over tiles */
    STN_VALUES_BYTES = 131072, /* decoded or transposed, of all views */
    STN_RAW_VALUES = 1024,     /* decoded, before they are transposed */
    STN_FEW_VALUES = 2048      /* elements of 32 lanes, at most, where there are few outputs */
};

/* Lanes that are folded together: as many rows as fit, so that few groups and few arrays of states
 * are needed. Both in the order in which lanes combine. */
typedef struct stn_lane_group {
    int64_t rows, lanes;
    int64_t row[STN_ROWS_AT_ONCE]; /* of the tile */
    stn_lane plan[STN_ROWS_AT_ONCE];
} stn_lane_group;

enum { STN_LANE_GROUPS = 8 };
typedef struct stn_lane_groups {
    int64_t elements; /* of the tile that they are for; 0: of none yet */
    int64_t count;    /* a power of two */
    stn_lane_group group[STN_LANE_GROUPS];
} stn_lane_groups;

typedef struct stn_across {
    const stn_reduce_job *job;
    stn_stretch stretch, rows[STN_ROWS_AT_ONCE];
    stn_lane_groups groups;
    int64_t first, wide;               /* the outputs at hand along the last kept axis */
    int64_t base[STN_MOST_PARAMETERS]; /* offsets of the first one's first element */
    int64_t room_each;                 /* bytes of values for a view */

    /* Of a tile of short rows: the first elements of the outputs, and bytes to the next ones. */
    const char *matrix[STN_MOST_PARAMETERS];
    int64_t matrix_step[STN_MOST_PARAMETERS];

    _Alignas(64) char values[STN_VALUES_BYTES];
    _Alignas(64) char raw[STN_RAW_VALUES * 8];
    _Alignas(64) char lanes[STN_LANES_BYTES];
    _Alignas(64) char level[STN_LEVELS_BYTES];
} stn_across;

/* Elements e to e + count - 1, a tile or less, of the outputs at hand: as their states into lanes.
 */
void stn_fold_rows(stn_across *now, int64_t e, int64_t count);  /* STN_ACROSS_ROWS and _SHORT */
void stn_fold_lanes(stn_across *now, int64_t e, int64_t count); /* STN_ACROSS_FEW */

/* The outputs for which they have room at once, at most; the bytes of a view in values. _rows_ with
 * STN_ACROSS_SHORT: 0 where there is no room for as many as its loop needs. */
int64_t stn_fold_rows_width(const stn_reduce_job *job, int side_by_side);
int64_t stn_fold_lanes_width(const stn_reduce_job *job);
int64_t stn_fold_rows_room(const stn_reduce_job *job);
int64_t stn_fold_lanes_room(const stn_reduce_job *job);

/* The elements of view `at` from e on, up to 32 or up to a tile, transposed into room: those of the
 * same number stand together. */
void stn_transpose_short_rows(stn_across *now, int at, char *room, int64_t e, int64_t count);

static inline int stn_last_kept(const stn_reduce_job *job)
{
    return job->kept.count - 1;
}

static inline int64_t stn_distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Is the reduced dimension the one along which the elements of a view are neighbours? */
static inline int stn_is_along(const stn_reduce_job *job, int at)
{
    return job->reduced.count == 1 && stn_distance(job->reduced.stride[at][0]) <
                                          stn_distance(job->kept.stride[at][stn_last_kept(job)]);
}

/* Is a row of the view, over the outputs, values as they are? */
static inline int stn_is_in_place(const stn_reduce_job *job, int at)
{
    return job->plain[at] && job->kept.stride[at][stn_last_kept(job)] == 1;
}

#endif
