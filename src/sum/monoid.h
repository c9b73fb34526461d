/* Operations of reductions as loops over states and over mapped elements, in one arithmetic. */
#ifndef STENO_SUM_MONOID_H
#define STENO_SUM_MONOID_H

#include "steno/detail/reduce_types.h"

typedef struct stn_monoid {
    int32_t state_bytes, mapped_bytes, result_bytes;
    stn_format result;
    stn_combine *combine;
    /* Panels of 8 states become a state each; NULL where the operation is a program's. */
    void (*columns)(void *states, int64_t tiles);
    /* Each of `count` mapped elements onto a state of its own, or, `fresh`, as one. All have this
     * number. */
    void (*accumulate)(const void *mapped, int64_t count, int64_t number, double scale, int fresh,
                       void *states);
    /* Up to a tile of them, which count on from this number, become one state. */
    void (*tile)(const void *mapped, int64_t count, int64_t number, double scale, void *state);
    void (*finish)(const void *states, void *results, int64_t count, double scale);
    void (*identity)(void *state);
    stn_scan_loop *scan;   /* NULL: not to be scanned */
    stn_panel_loop *panel; /* of mapped elements, which are values[0]; NULL where scan is, or own */
    stn_panel_loop *fold;  /* of elements, as the program maps them; NULL in scans */
    const struct stn_reduction_loops *own; /* the program's, that these are by */
    int copies;                            /* the state of one element is what it is mapped to */
} stn_monoid;

/* The loops of a reduction; of its arithmetic there is one. */
stn_monoid stn_monoid_of(const stn_reduction *reduction, stn_format arithmetic);

/* What is special about an operation. */
static inline int stn_operation_is_numbered(stn_reduction_kind kind)
{
    return kind == STN_REDUCE_WITH_argmin || kind == STN_REDUCE_WITH_argmax;
}

/* As the loops of these names, whosever the operation is. */
void stn_finish(const stn_monoid *monoid, const void *states, void *results, int64_t count,
                double scale);
void stn_accumulate(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                    double scale, int fresh, void *lanes);

/* `count` rows of lanes, up to STN_LANES, become the first one: lane l and lane l + h for h = 16,
 * 8, 4, 2, 1, as far as there are such lanes. */
void stn_fold_lanes(const stn_monoid *monoid, int64_t width, int64_t count, void *lanes);

/* `tiles` panels of 8 states become a state each. */
void stn_fold_columns(const stn_monoid *monoid, int64_t tiles, void *states);

void stn_fold_mapped(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                     double scale, void *state);

#endif
