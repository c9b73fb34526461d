/* Levels of rows, in which a lower and an upper triangle can both be solved. */
#ifndef STENO_SPARSE_LEVELS_H
#define STENO_SPARSE_LEVELS_H

#include "sparse/compressed.h"

/* Rows of a level need those of levels before it, of the upper triangle behind it, and none of
 * their own. No level is empty. */
typedef struct stn_levels {
    int32_t *of; /* each row's; NULL: there are none that do. For stn_free */
    int64_t count;
} stn_levels;

/* Of two strict triangles of as many rows; nothing where these levels are more than twice those of
 * the one that has more by itself, or narrow ones that are many more, for both, than the two have
 * by themselves. STN_ERR_MEMORY. */
stn_status stn_levels_of_both(const stn_compressed *lower, const stn_compressed *upper,
                              stn_levels *made);

#endif
