/* OpenCL for tests: devices by the loader, which is opened at run time, programs and their kernels.
 * What goes wrong after a device has been found fails the test. */
#ifndef STENO_TEST_OPENCL_H
#define STENO_TEST_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef struct opencl_device {
    void *id, *context, *queue, *program;
    int has_double;
    char name[128];
} opencl_device;

/* A text that a program includes by name. */
typedef struct opencl_header {
    const char *name, *text;
} opencl_header;

/* Memory that goes to the device and comes back. */
typedef struct opencl_array {
    void *host;
    size_t bytes;
} opencl_array;

/* Number of devices of all platforms; 0 without libOpenCL.so.1. */
int opencl_count(void);

/* Device `index`, with no program yet; to be closed. */
void opencl_open(opencl_device *device, int index);
void opencl_close(opencl_device *device);

/* Make texts, one behind the other, the device's program; with headers it is compiled and linked.
 */
void opencl_build(opencl_device *device, const char *const *texts, int count, const char *options);
void opencl_build_with(opencl_device *device, const char *text, const opencl_header *headers,
                       int count, const char *options);

/* Run a kernel over `count` work items: its arguments are the arrays, then the numbers. */
void opencl_run(const opencl_device *device, const char *kernel, size_t count,
                const opencl_array *arrays, int array_count, const uint32_t *numbers,
                int number_count);

/* A file as a string, to be freed. */
char *opencl_read(const char *path);

#endif
