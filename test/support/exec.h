/* The executor that a test runs on: the host's, or the device that STENO_TEST_EXEC names. */
#ifndef STENO_TEST_EXEC_H
#define STENO_TEST_EXEC_H

#include "steno/view.h"

/* The value of STENO_TEST_EXEC, such as "opencl:0"; NULL: tests use executors of the host. */
const char *test_exec_name(void);

/* The executor of that device, opened by the first call; NULL on the host. If the device does not
 * exist, the program prints why and ends with status 77, which means skipped. */
stn_exec *test_exec(void);
void test_exec_release(void);

/* A view of a copy in device memory of `bytes` bytes at `memory`, in which the view is; on the host
 * the view itself. */
stn_view test_send(const stn_view *view, void *memory, int64_t bytes);

/* Copies all that was sent back to where it was sent from, and releases the copies. */
void test_fetch(void);

#endif
