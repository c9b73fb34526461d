/* The struct that stn_preconditioner handles point to: the first member of each kind's own struct.
 */
#ifndef STENO_PRECONDITION_PRECONDITIONER_H
#define STENO_PRECONDITION_PRECONDITIONER_H

#include "steno/preconditioner.h"

struct stn_preconditioner {
    stn_preconditioner_info info;
    stn_counters lost;        /* values of incomplete factors that their format does not hold */
    stn_operator_apply apply; /* its context is the preconditioner */
    void (*clear)(stn_preconditioner *itself); /* releases what it owns, but not the struct */
};

/* Allocates an empty struct of `bytes` bytes that begins with a stn_preconditioner, and sets
 * *result to NULL. STN_ERR_ARGUMENT if `result` is NULL, STN_ERR_MEMORY. */
stn_status stn_preconditioner_begin(const char *call, stn_preconditioner **result, size_t bytes,
                                    void *allocated);

/* Stores the preconditioner in *result or, if the status is not STN_OK, releases it. */
stn_status stn_preconditioner_end(stn_preconditioner **result, stn_preconditioner *m,
                                  stn_status status);

#endif
