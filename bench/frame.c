/* Common parts of benches of memory traffic. */
#define _GNU_SOURCE
#include "measure/openmp.h"
#include "frame.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

void bench_fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    exit(1);
}

void bench_must(stn_status status)
{
    if (status != STN_OK)
        bench_fail(stn_error());
}

void *bench_allocate(int64_t count, size_t bytes)
{
    void *const result = calloc((size_t)count, bytes);
    if (!result)
        bench_fail("no memory");
    return result;
}

stn_matrix *bench_wrap_csr(const char *label, int64_t rows, int64_t columns, const int64_t *start,
                           const int32_t *column, stn_format format, const void *values)
{
    stn_matrix *a;
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = label,
                                   .rows = rows,
                                   .columns = columns,
                                   .row_start = start,
                                   .row_start_format = STN_I64,
                                   .column = column,
                                   .column_format = STN_I32,
                                   .values = values,
                                   .storage = stn_storage_of(format)};
    bench_must(stn_matrix_wrap_csr(&a, &arrays));
    return a;
}

stn_format_info bench_described(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    bench_must(stn_format_describe(format, &info));
    return info;
}

static int64_t number(const char *text, long most)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        bench_fail("a number is out of range");
    return value;
}

static void parse(bench_frame *frame, int count, char **words)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 't')
            frame->threads = (int)number(optarg, 1024);
        else if (option == 'm')
            frame->bytes = number(optarg, 1 << 16) << 20;
        else if (option == 'r')
            frame->repeats = (int)number(optarg, BENCH_MOST_REPEATS);
        else if (option != 'j')
            exit(1);
        else if (!(frame->json = fopen(optarg, "w")))
            bench_fail(strerror(errno));
}

bench_frame bench_begin(int count, char **words)
{
    bench_frame frame = {.threads = omp_get_max_threads(), .repeats = 9, .bytes = 128 << 20};
    char resource[32];
    parse(&frame, count, words);
    frame.stream = measure_stream_create(2 * frame.bytes, frame.threads);
    if (!frame.stream)
        bench_fail("no memory");
    snprintf(resource, sizeof resource, "threads:threads=%d", frame.threads);
    bench_must(stn_exec_create(&frame.exec, resource));
    return frame;
}

void bench_end(bench_frame *frame)
{
    stn_exec_release(frame->exec);
    measure_stream_release(frame->stream);
    if (frame->json && fclose(frame->json) != 0)
        bench_fail(strerror(errno));
}
