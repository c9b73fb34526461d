/* Readers and writers of tiles: any run of elements of any view, as values of an arithmetic type.
 *
 * A position is a number that identifies an element and is linear in its indices: in a plain view
 * the offset from its data, in other views the element's number in C order. A run is `count`
 * elements whose positions increase by `step`. So rows, columns, several consecutive rows, and one
 * repeated element are runs. Readers are not modified by reading, so threads can share them. */
#ifndef STENO_VIEW_READER_H
#define STENO_VIEW_READER_H

#include <string.h>

#include "exec/exec.h"
#include "format/run.h"
#include "view/segmented.h"
#include "view/view.h"

typedef struct stn_reader {
    stn_run run;
    const stn_view *view;
    stn_scales scales;           /* of a view that has scales */
    int plain;                   /* strided, with one scale */
    int addressed;               /* strided, and positions are offsets from the view's data */
    int64_t steps[STN_MAX_RANK]; /* difference of positions per index of each dimension */
    /* Segmented, where offsets in the planes are linear in positions; or NULL. */
    const stn_planes *planes;
    int64_t planes_first, planes_step;
    /* A store that moves runs, where its offsets are offset + step * position; or NULL. */
    const struct stn_store *runs;
    int64_t runs_first, runs_step;
} stn_reader;

/* Opens a reader, in the modes of core/modes.h. `call` is for messages. STN_ERR_FORMAT,
 * STN_ERR_UNSUPPORTED and STN_ERR_ARGUMENT if format, scales and arithmetic are incompatible. The
 * view must outlive the reader. */
stn_status stn_reader_init(stn_reader *reader, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_view *view);

/* The same with a run that has been created and checked. */
void stn_reader_set(stn_reader *reader, const stn_run *run, const stn_view *view);

/* `steps` has STN_MAX_RANK elements. */
static inline void stn_reader_steps(const stn_reader *reader, int64_t *steps)
{
    memcpy(steps, reader->steps, sizeof reader->steps);
}

/* The codes at a position of an `addressed` view, which need not be read. */
static inline void *stn_reader_at(const stn_reader *reader, int64_t position)
{
    return (char *)reader->view->data + position * reader->run.bytes;
}

void stn_read_any(const stn_reader *reader, void *values, int64_t position, int64_t step,
                  int64_t count);
void stn_write_any(const stn_reader *reader, const void *values, int64_t position, int64_t step,
                   int64_t first, int64_t count);

/* Values are contiguous. `first` is the number of the first element in C order of the view;
 * subsequent elements have the next numbers. It determines stochastic rounding. */
static inline void stn_read(const stn_reader *reader, void *values, int64_t position, int64_t step,
                            int64_t count)
{
    if (reader->plain)
        stn_run_decode(&reader->run, values, stn_reader_at(reader, position), step, count);
    else
        stn_read_any(reader, values, position, step, count);
}

static inline void stn_write(const stn_reader *reader, const void *values, int64_t position,
                             int64_t step, int64_t first, int64_t count)
{
    if (reader->plain)
        stn_run_encode(&reader->run, values, stn_reader_at(reader, position), step, first, count);
    else
        stn_write_any(reader, values, position, step, first, count);
}

/* `rows` runs of `count` elements as one array. The positions of their first elements differ by
 * row_step. */
void stn_read_rows(const stn_reader *reader, void *values, int64_t position, int64_t row_step,
                   int64_t step, int64_t rows, int64_t count);
void stn_write_rows(const stn_reader *reader, const void *values, int64_t position,
                    int64_t row_step, int64_t step, int64_t first, int64_t rows, int64_t count);

#endif
