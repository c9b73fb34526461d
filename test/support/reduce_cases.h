/* What the tests of reductions try: shapes, layouts, storage, and where to run. */
#ifndef STENO_TEST_REDUCE_CASES_H
#define STENO_TEST_REDUCE_CASES_H

#include "reduce_models.h"

typedef struct reduce_shape {
    int rank;
    int64_t extent[KERNEL_RANK];
} reduce_shape;

int64_t reduce_below(uint64_t *state, int64_t count);

/* Strides: by row, by column, or any order with gaps and backwards; `padded` rows only; `plain` is
 * by row, and with a given format stored without scale. */
typedef enum reduce_layout {
    REDUCE_PLAIN,
    REDUCE_LEFT,
    REDUCE_PADDED,
    REDUCE_STRIDED,
    REDUCE_LAYOUTS
} reduce_layout;
void reduce_lay_out(reduce_shape shape, reduce_layout layout, uint64_t *state, int64_t *stride);

/* Fewer dimensions, extents of 1. */
reduce_shape reduce_broadcast(reduce_shape shape, uint64_t *state);

/* Formats and storage to read in this arithmetic, and to store results in. */
int reduce_reads(int is_integer, stn_format format);
stn_format reduce_any_format(int is_integer, uint64_t *state);
stn_storage reduce_source(stn_format arithmetic, stn_format format, uint64_t *state);
stn_storage reduce_target(stn_format arithmetic, int gives_integer, stn_format format,
                          uint64_t *state);

/* The arrays of a case over a space: the first is full, others may be broadcast. */
typedef struct reduce_wish {
    int model;
    stn_format arithmetic, format; /* format -1: any */
    reduce_shape over;
    reduce_layout layout;
    int kind;     /* of data */
    int is_plain; /* without scale or zero point */
} reduce_wish;
reduce_case reduce_begin(reduce_wish wish, uint64_t *state);
void reduce_end(reduce_case *c);

/* Text for messages, valid until the next call. */
const char *reduce_words(const reduce_case *c, const char *way, unsigned reduced, int setting);

/* Every executor, on every instruction set there is; the last executor of a set has 64 threads. */
enum { REDUCE_EXECUTORS = 6 };
int reduce_settings(void);
const stn_exec *reduce_use(int setting);
const char *reduce_setting_name(int setting);
void reduce_release(void);

/* Which settings a case runs on: one instruction set after the other, or each; on it `reference`
 * and one of the other executors in turn, or all where STENO_TEST_FULL is set; 64 threads take
 * their time, and are in every eighth case. */
extern int reduce_every_setting, reduce_case_number;
int reduce_has_turn(int setting);

#endif
