/* The library's side of reduce_models.h: each reduction launched in every way there is. */
#ifndef STENO_TEST_REDUCE_KERNELS_H
#define STENO_TEST_REDUCE_KERNELS_H

#include "reduce_models.h"
#include "steno/reduce.h"

typedef enum reduce_way {
    REDUCE_FULL,
    REDUCE_FULL_OVER,
    REDUCE_INTO,
    REDUCE_INTO_OVER,
    REDUCE_PART,
    REDUCE_FINISH
} reduce_way;

/* One call; members that the way has no use for are ignored. */
typedef struct reduce_call {
    const stn_exec *exec;
    stn_format arithmetic;
    int rank;
    const int64_t *extent;
    unsigned reduced;
    void *value;
    const stn_view *result;
    int64_t first;
    stn_partial *part;
    const kernel_numbers *numbers;
    const stn_view *views;
} reduce_call;

/* Of reduce_models[model]. */
stn_status reduce_launch(int model, reduce_way way, const reduce_call *call);

#endif
