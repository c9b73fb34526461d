/* Zeroing new memory with the threads that will use it. */
#ifndef STENO_VIEW_INITIALIZE_H
#define STENO_VIEW_INITIALIZE_H

#include "exec/exec.h"
#include "view/view.h"

/* Zeroes the memory of a view, which begins at `data`. The executor's threads each zero the part
 * that operations will assign to them; with exec NULL, or for small memory, the calling thread
 * does. A device zeroes its own memory, and the call waits for it, because other executors may use
 * it next. Event: a kernel called "initialise". */
stn_status stn_initialize(const stn_exec *exec, const stn_view *view, void *data, int64_t bytes);

#endif
