/* Shared parts of reduction and scan texts. */
#ifndef STENO_EXPR_SOURCE_SCAN_H
#define STENO_EXPR_SOURCE_SCAN_H

#include "expr/source_reduce.h"
#include "expr/source_writer.h"

static inline const stn_source_reduction *stn_source_reduction_of(const stn_writer *w)
{
    return (const stn_source_reduction *)(const void *)w->source;
}

/* States of several values: type and functions of the operation, and the statements that return
 * the state of an element. */
void stn_put_state(stn_writer *w, const char *operation_text);
void stn_put_state_element(stn_writer *w, const char *operation_text);

/* Pairwise combination of blocks, scans and totals. */
void stn_put_scan_tasks(stn_writer *w);

#endif
