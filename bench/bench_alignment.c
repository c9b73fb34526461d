/* bench alignment: the kernels of examples/alignment.c on a CUDA device: c += a * b on complex
 * numbers aligned to 8 bytes and to 16. For a profiler, which counts what they execute; prints
 * their times.
 *
 *   bench_alignment [--device N] */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/cuda/device.h"
#include "frame.h"

#define SOURCE STENO_TEST_DATA "/../.."

enum { COUNT = 1 << 25, THREADS = 256, ROUNDS = 20 };

static void drive(stn_device *device, int error)
{
    const char *text = "";
    if (error != 0) {
        (void)stn_cuda_of(device)->driver->error_text(error, &text);
        bench_fail(text);
    }
}

/* Milliseconds of one launch. */
static float time_of(stn_device *device, void *module, const char *name, void **arguments)
{
    const stn_cuda_driver *const driver = stn_cuda_of(device)->driver;
    void *function, *begin, *end, *popped;
    float milliseconds;
    bench_must(stn_device_find(device, module, name, &function));
    bench_must(stn_cuda_launch_values(device, name, function, COUNT / THREADS, THREADS, arguments));
    drive(device, driver->context_push(stn_cuda_of(device)->context));
    drive(device, driver->event_make(&begin, 0));
    drive(device, driver->event_make(&end, 0));
    drive(device, driver->event_record(begin, stn_cuda_of(device)->queue));
    for (int round = 0; round < ROUNDS; round++)
        bench_must(
            stn_cuda_launch_values(device, name, function, COUNT / THREADS, THREADS, arguments));
    drive(device, driver->event_record(end, stn_cuda_of(device)->queue));
    drive(device, driver->event_wait(end));
    drive(device, driver->event_time(&milliseconds, begin, end));
    drive(device, driver->event_end(begin));
    drive(device, driver->event_end(end));
    drive(device, driver->context_pop(&popped));
    return milliseconds / ROUNDS;
}

static void compare(stn_device *device)
{
    static const char *const options[] = {"-I" SOURCE "/examples/kernels"};
    static const char source[] = "#include \"complex.cu\"\n";
    static const char *const names[] = {"muladd_c8", "muladd_c16"};
    const stn_device_text text = {
        .name = "alignment.cu", .text = source, .options = options, .option_count = 1};
    void *module, *memory[3];
    int count = COUNT;
    bench_must(stn_device_compile(device, &text, &module));
    for (int k = 0; k < 3; k++) {
        bench_must(
            stn_device_allocate(device, "numbers", STN_SPACE_DEVICE, COUNT * 16ll, &memory[k]));
        bench_must(stn_device_fill(device, memory[k], 1, COUNT * (size_t)16));
    }
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)&memory[2], &count};
    printf("| kernel | ms | GB/s |\n|---|---|---|\n");
    for (int k = 0; k < 2; k++) {
        const float milliseconds = time_of(device, module, names[k], arguments);
        printf("| `%s` | %.3f | %.0f |\n", names[k], (double)milliseconds,
               4.0 * 16 * COUNT / (double)milliseconds / 1e6);
    }
    for (int k = 0; k < 3; k++)
        stn_device_free(device, STN_SPACE_DEVICE, memory[k]);
    stn_device_unload(device, module);
}

int main(int count, char **words)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {NULL, 0, NULL, 0}};
    stn_device *device;
    int number = 0;
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 'd')
            number = atoi(optarg);
        else
            return 1;
    bench_must(stn_device_open("cuda", number, &device));
    compare(device);
    stn_device_release(device);
    return 0;
}
