/* Rows of a reduction: elements of one output along the last reduced axis, in place or decoded. */
#ifndef STENO_LAUNCH_REDUCE_ROW_H
#define STENO_LAUNCH_REDUCE_ROW_H

#include "launch/reduce.h"

typedef struct stn_row_room {
    _Alignas(64) char values[STN_MOST_PARAMETERS][STN_DECODED_ELEMENTS * 8];
    _Alignas(64) char mapped[STN_DECODED_ELEMENTS * STN_STATE_BYTES];
    int64_t repeated[STN_MOST_PARAMETERS]; /* the position that a repeated element was read from */
    stn_stretch stretch;
} stn_row_room;

/* Where the elements of an output are. */
typedef struct stn_row_place {
    int64_t output;
    int64_t base[STN_MOST_PARAMETERS]; /* offsets of its first element */
} stn_row_place;

/* Rooms of rows in a thread's workspace. */
stn_row_room *stn_row_begin(const stn_reduce_job *job, stn_workspace *workspace);
void stn_row_find(const stn_reduce_job *job, int64_t output, stn_row_place *found);

/* Are all views read in place? */
int stn_row_in_place(const stn_reduce_job *job);

/* The stretch becomes elements of a row, counted over the other reduced axes, from its element j
 * on: in place where they can be. */
void stn_row_read(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                  int64_t row, int64_t j, int64_t count);

/* The same elements decoded, into the rooms from element `to` on, and where they are. */
void stn_row_decode(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                    int64_t row, int64_t j, int64_t to, int64_t count);
void stn_row_find_indices(const stn_reduce_job *job, stn_row_room *room,
                          const stn_row_place *output, int64_t row, int64_t j);

#endif
