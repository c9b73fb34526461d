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
    REDUCE_MERGE,
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
    const stn_partial *other;
    const kernel_numbers *numbers;
    const stn_view *views;
} reduce_call;

/* Of reduce_models[model]. */
stn_status reduce_launch(int model, reduce_way way, const reduce_call *call);

/* launch_name() of a reduction whose last arguments are these, of `n` and `v`. */
/* clang-format off */
#define REDUCE_ARGUMENTS(...) __VA_ARGS__
#define REDUCE_DEFINE_LAUNCH(name, arguments)                                                             \
    static stn_status launch_##name(reduce_way way, const reduce_call *c)                          \
    {                                                                                              \
        const stn_view *const v = c->views;                                                        \
        const kernel_numbers *const n = c->numbers;                                                \
        (void)n, (void)v;                                                                          \
        switch (way) {                                                                             \
        case REDUCE_FULL:                                                                          \
            return name##_reduce(c->exec, c->arithmetic, c->value, REDUCE_ARGUMENTS arguments);           \
        case REDUCE_FULL_OVER:                                                                     \
            return name##_reduce_over(c->exec, c->arithmetic, c->rank, c->extent, c->value,        \
                                      REDUCE_ARGUMENTS arguments);                                        \
        case REDUCE_INTO:                                                                          \
            return name##_reduce_into(c->exec, c->arithmetic, c->reduced, c->result,               \
                                      REDUCE_ARGUMENTS arguments);                                        \
        case REDUCE_INTO_OVER:                                                                     \
            return name##_reduce_into_over(c->exec, c->arithmetic, c->rank, c->extent,             \
                                           c->reduced, c->result, REDUCE_ARGUMENTS arguments);            \
        case REDUCE_PART:                                                                          \
            return name##_reduce_part(c->exec, c->arithmetic, c->first, c->part,                   \
                                      REDUCE_ARGUMENTS arguments);                                        \
        case REDUCE_MERGE:                                                                         \
            return name##_reduce_merge(c->part, c->other);                                         \
        default:                                                                                   \
            return name##_reduce_finish(c->part, c->value);                                        \
        }                                                                                          \
    }
/* clang-format on */

#endif
