/* A tool of the Kokkos Tools interface that prints its calls: one line per call, addresses as
 * numbers in the order in which they are first seen. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct space_handle {
    char name[64];
} space_handle;

EXPORT void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void *device);
EXPORT void kokkosp_finalize_library(void);
EXPORT void kokkosp_allocate_data(space_handle space, const char *label, const void *data,
                                  uint64_t bytes);
EXPORT void kokkosp_deallocate_data(space_handle space, const char *label, const void *data,
                                    uint64_t bytes);
EXPORT void kokkosp_begin_deep_copy(space_handle to, const char *to_label, const void *to_data,
                                    space_handle from, const char *from_label,
                                    const void *from_data, uint64_t bytes);
EXPORT void kokkosp_end_deep_copy(void);
EXPORT void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id);
EXPORT void kokkosp_end_parallel_for(uint64_t id);
EXPORT void kokkosp_push_profile_region(const char *name);
EXPORT void kokkosp_pop_profile_region(void);

static const void *seen[64];
static int seen_count, calls, sequence_number;
static uint64_t kernels = 1000;

static int number_of(const void *data)
{
    int k = 0;
    while (k < seen_count && seen[k] != data)
        k++;
    if (k == seen_count && k < 64)
        seen[seen_count++] = data;
    return k;
}

void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void *device)
{
    sequence_number = sequence;
    printf("init %d %" PRIu64 " %" PRIu32 " %s\n", sequence, version, devices,
           device ? "device" : "none");
}

void kokkosp_finalize_library(void)
{
    printf("finalize %d after %d\n", sequence_number, calls);
}

void kokkosp_allocate_data(space_handle space, const char *label, const void *data, uint64_t bytes)
{
    calls++;
    printf("allocate %s '%s' #%d %" PRIu64 "\n", space.name, label, number_of(data), bytes);
}

void kokkosp_deallocate_data(space_handle space, const char *label, const void *data,
                             uint64_t bytes)
{
    calls++;
    printf("deallocate %s '%s' #%d %" PRIu64 "\n", space.name, label, number_of(data), bytes);
}

void kokkosp_begin_deep_copy(space_handle to, const char *to_label, const void *to_data,
                             space_handle from, const char *from_label, const void *from_data,
                             uint64_t bytes)
{
    calls++;
    printf("copy %s '%s' #%d from %s '%s' #%d %" PRIu64 "\n", to.name, to_label, number_of(to_data),
           from.name, from_label, number_of(from_data), bytes);
}

void kokkosp_end_deep_copy(void)
{
    calls++;
    printf("copied\n");
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id)
{
    calls++;
    *id = ++kernels;
    printf("begin '%s' %" PRIu32 " %" PRIu64 "\n", name, device, *id);
}

void kokkosp_end_parallel_for(uint64_t id)
{
    calls++;
    printf("end %" PRIu64 "\n", id);
}

void kokkosp_push_profile_region(const char *name)
{
    calls++;
    printf("push '%s'\n", name);
}

void kokkosp_pop_profile_region(void)
{
    calls++;
    printf("pop\n");
}
