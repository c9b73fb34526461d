/* Zeroing new memory where it will be used. */
#ifndef STENO_VIEW_INITIALISE_H
#define STENO_VIEW_INITIALISE_H

#include "exec/exec.h"
#include "view/view.h"

/* Let all bytes of a view's memory, which begins at `data`, be zero: by the executor's threads,
 * each its part of the tiles, as operations share them out; exec NULL or little memory: by the
 * calling thread. A device zeroes its own, and is waited for: others may use it next. Events: a
 * kernel called "initialise". */
stn_status stn_initialise(const stn_exec *exec, const stn_view *view, void *data, int64_t bytes);

#endif
