/* Levels of rows in which both a lower and an upper triangle can be solved. */
#ifndef STENO_SPARSE_OPS_LEVELS_H
#define STENO_SPARSE_OPS_LEVELS_H

#include "sparse/kinds/compressed.h"

/* In the lower triangle, rows depend on rows of earlier levels only; in the upper triangle, on
 * rows of later levels only. No level is empty. */
typedef struct stn_levels {
    int32_t *of; /* the level of each row; NULL if common levels do not pay. Release with stn_free
                  */
    int64_t count;
} stn_levels;

/* Common levels of two strict triangles with the same number of rows. The result is empty if there
 * are more than twice as many levels as the triangle with more levels has, or if separate orders
 * have noticeably fewer levels in total. STN_ERR_MEMORY. */
stn_status stn_common_levels(const stn_compressed *lower, const stn_compressed *upper,
                             stn_levels *result);

#endif
