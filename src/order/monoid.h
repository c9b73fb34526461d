/* Operations of reductions as loops over states and mapped elements, in one arithmetic type. */
#ifndef STENO_ORDER_MONOID_H
#define STENO_ORDER_MONOID_H

#include "steno/detail/reduce_types.h"

typedef struct stn_monoid {
    int32_t state_bytes, mapped_bytes, result_bytes; /* of one output */
    stn_format result;
    stn_combine *combine;
    /* Reduces panels of 8 states to one state each; NULL for operations of programs. */
    void (*columns)(void *states, int64_t tiles);
    /* Combines each of `count` mapped elements with its own state, or, if `fresh`, initializes
     * it. All elements have this number. */
    void (*accumulate)(const void *mapped, int64_t count, int64_t number, double scale, int fresh,
                       void *states);
    /* Reduces up to a tile of elements, numbered from this number on, to one state. */
    void (*tile)(const void *mapped, int64_t count, int64_t number, double scale, void *state);
    void (*finish)(const void *states, void *results, int64_t count, double scale);
    void (*identity)(void *state);
    stn_scan_loop *scan;   /* NULL: no scans */
    stn_panel_loop *panel; /* of mapped elements, values[0]; NULL without scan, or for own */
    stn_panel_loop *fold;  /* of elements, including the program's mapping; NULL in scans */
    stn_panel_loop *rows;  /* the same for consecutive tiles, to one state each; may be NULL */
    const struct stn_reduction_loops *own; /* program-defined operation of these loops */
    int copies;                            /* the state of one element is the mapped element */
    int results;                           /* of one output, each of the format `result` */
} stn_monoid;

/* The loops of a reduction in the arithmetic type. */
stn_monoid stn_monoid_of(const stn_reduction *reduction, stn_format arithmetic);

/* Properties of an operation. */
static inline int stn_operation_is_numbered(stn_reduction_kind kind)
{
    return kind == STN_REDUCE_WITH_argmin || kind == STN_REDUCE_WITH_argmax;
}

/* Like the loops of these names, for all operations. */
void stn_finish(const stn_monoid *monoid, const void *states, void *results, int64_t count,
                double scale);
void stn_accumulate(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                    double scale, int fresh, void *lanes);

/* Combines up to STN_LANES rows of lanes into the first one: lane l and lane l + h for h = 16,
 * 8, 4, 2, 1, if they exist. */
void stn_fold_lanes(const stn_monoid *monoid, int64_t width, int64_t count, void *lanes);

/* Reduces panels of 8 states to one state each. */
void stn_fold_columns(const stn_monoid *monoid, int64_t tiles, void *states);

void stn_fold_mapped(const stn_monoid *monoid, const void *mapped, int64_t count, int64_t number,
                     double scale, void *state);

#endif
