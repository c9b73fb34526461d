/* bench view_device: copies of views to, from and on a CUDA device.
 *
 *   bench_view_device [--exec RESOURCE] [--megabytes N] [--repeat N] [--json FILE]
 *
 * The wider of the two views has that many MiB (1024). GB/s count the bytes read and those written;
 * medians. The last row is the time of a call that transposes a matrix of 4 elements with a
 * compiled kernel: until it returns, and until it is done. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "steno/view.h"

enum { MAX_REPEATS = 100, CALLS = 1000 };

typedef struct settings {
    const char *resource;
    int64_t bytes;
    int repeats;
    FILE *json;
    stn_exec *exec;
} settings;

/* Seconds of a copy and all that it queues. */
static double time_of(const settings *set, const stn_view *to, const stn_view *from)
{
    double times[MAX_REPEATS];
    bench_must(stn_view_copy(set->exec, to, from));
    for (int k = 0; k < set->repeats; k++) {
        bench_must(stn_exec_wait(set->exec));
        const double begin = measure_now();
        bench_must(stn_view_copy(set->exec, to, from));
        bench_must(stn_exec_wait(set->exec));
        times[k] = measure_now() - begin;
    }
    return measure_median(times, set->repeats);
}

static void print_row(const settings *set, const char *what, double bytes, double seconds)
{
    printf("| %s | %.0f | %.2f |\n", what, bytes / seconds / 1e9, seconds * 1e3);
    if (set->json)
        fprintf(set->json, "{\"copy\": \"%s\", \"seconds\": %.9f, \"bytes\": %.0f}\n", what,
                seconds, bytes);
}

static void copy(const settings *set, const char *what, const stn_view *to, const stn_view *from)
{
    const int64_t each =
        bench_described(to->storage.format).bytes + bench_described(from->storage.format).bytes;
    print_row(set, what, (double)(stn_view_count(to) * each), time_of(set, to, from));
}

/* A matrix of `bytes` in that format, 4096 columns. */
static stn_view matrix(const settings *set, stn_format format, int64_t elements, unsigned flags)
{
    const int64_t extents[2] = {elements / 4096, 4096};
    stn_view view;
    bench_must(stn_view_create_spec(set->exec, &view,
                                    &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(format),
                                                   .rank = 2, .extents = extents, .flags = flags)));
    return view;
}

static void host_and_device(const settings *set)
{
    const int64_t count = set->bytes / 4;
    stn_view there = matrix(set, STN_F32, count, 0), here, half, there_half;
    stn_view pinned = matrix(set, STN_F32, count, STN_CREATE_PINNED);
    const stn_slice left[2] = {stn_slice_all(), stn_slice_range(0, 2048)};
    bench_must(stn_view_mirror(set->exec, &here, &there, STN_SPACE_HOST));
    bench_must(stn_view_fill(NULL, &here, 1.0));
    bench_must(stn_view_slice(&half, &pinned, 2, left));
    bench_must(stn_view_slice(&there_half, &there, 2, left));
    copy(set, "host to device", &there, &here);
    copy(set, "device to host", &here, &there);
    copy(set, "pinned to device", &there, &pinned);
    copy(set, "device to pinned", &pinned, &there);
    copy(set, "half of each row, pinned to device", &there_half, &half);
    bench_must(stn_view_release(&there));
    bench_must(stn_view_release(&here));
    bench_must(stn_view_release(&pinned));
}

static void on_the_device(const settings *set, const char *what, stn_format to, stn_format from,
                          int turns, int64_t step)
{
    static const int order[2] = {1, 0};
    const int wide = bench_described(to).bytes > bench_described(from).bytes
                         ? (int)bench_described(to).bytes
                         : (int)bench_described(from).bytes;
    const int64_t count = set->bytes / wide;
    stn_view y = matrix(set, to, count, 0), x = matrix(set, from, count, 0), part = x, whole = y;
    if (turns)
        bench_must(stn_view_reallocate(set->exec, &x, 2, (const int64_t[]){4096, count / 4096}, 0));
    part = x;
    if (turns)
        bench_must(stn_view_permute(&part, &x, 2, order));
    if (step > 1) {
        const stn_slice some[2] = {stn_slice_all(), stn_slice_strided(0, 4096 / step, step)};
        bench_must(stn_view_slice(&part, &x, 2, some));
        bench_must(stn_view_slice(&whole, &y, 2, some));
    }
    copy(set, what, &whole, &part);
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
}

static void small_calls(const settings *set)
{
    static const int64_t extents[2] = {2, 2};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    const stn_storage storage = stn_storage_of(STN_F32);
    stn_view to, from;
    bench_must(stn_view_create(set->exec, &to, "to", storage, 2, extents));
    bench_must(
        stn_view_create_spec(set->exec, &from,
                             &STN_VIEW_SPEC(.label = "from", .storage = storage, .layout = &left,
                                            .rank = 2, .extents = extents)));
    bench_must(stn_view_copy(set->exec, &to, &from));
    bench_must(stn_exec_wait(set->exec));
    const double begin = measure_now();
    for (int k = 0; k < CALLS; k++)
        bench_must(stn_view_copy(set->exec, &to, &from));
    const double returned = measure_now();
    bench_must(stn_exec_wait(set->exec));
    const double done = measure_now();
    printf("\nA small copy: %.2f us until the call returns, %.2f us until it is done, in a row of "
           "%d\n",
           (returned - begin) / CALLS * 1e6, (done - begin) / CALLS * 1e6, CALLS);
    if (set->json)
        fprintf(set->json, "{\"copy\": \"small\", \"returns\": %.9f, \"done\": %.9f}\n",
                (returned - begin) / CALLS, (done - begin) / CALLS);
    bench_must(stn_view_release(&to));
    bench_must(stn_view_release(&from));
}

static settings parse(int count, char **words)
{
    static const struct option options[] = {{"exec", required_argument, NULL, 'e'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    settings set = {.resource = "cuda:0", .bytes = (int64_t)1 << 30, .repeats = 9};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option == 'e')
            set.resource = optarg;
        else if (option == 'm')
            set.bytes = atol(optarg) << 20;
        else if (option == 'r')
            set.repeats = atoi(optarg);
        else if (option != 'j' || !(set.json = fopen(optarg, "w")))
            exit(1);
    }
    if (set.repeats < 1 || set.repeats > MAX_REPEATS || set.bytes < 1 << 20)
        bench_fail("repeats are 1 to 100, megabytes at least 1");
    return set;
}

int main(int count, char **words)
{
    settings set = parse(count, words);
    bench_must(stn_exec_create(&set.exec, set.resource));
    printf("| copy | GB/s | ms |\n|---|---|---|\n");
    host_and_device(&set);
    on_the_device(&set, "`f32` on the device", STN_F32, STN_F32, 0, 1);
    on_the_device(&set, "`f32`, every second column", STN_F32, STN_F32, 0, 2);
    on_the_device(&set, "`f32`, turned", STN_F32, STN_F32, 1, 1);
    on_the_device(&set, "`f64` to `f32`", STN_F32, STN_F64, 0, 1);
    on_the_device(&set, "`f64` to `f16`", STN_F16, STN_F64, 0, 1);
    on_the_device(&set, "`f32` to `e4m3`", STN_E4M3, STN_F32, 0, 1);
    on_the_device(&set, "`i8` to `f32`", STN_F32, STN_I8, 0, 1);
    small_calls(&set);
    stn_exec_release(set.exec);
    if (set.json)
        fclose(set.json);
    return 0;
}
