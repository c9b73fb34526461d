/* bench device: fraction of a CUDA device's copy bandwidth reached by accessors, by storage format.
 *
 *   bench_device [--device N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * Arrays of 1024 MiB each, x and y in the same format. axpy with 16 bytes per thread and access,
 * and with an element per thread; dot and sum in the order of doc/order.md; in f64 and f32
 * arithmetic. `fraction` is of the best copy in the same run, between the same arrays: the
 * driver's, or one of 16 bytes per thread; it counts the bytes read and those written. Medians over
 * rounds in which the kernels take turns. Before, each kernel's bits are compared with those of the
 * library on the host. */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "exec/cuda/device.h"
#include "frame.h"
#include "steno/blas.h"
#include "steno/view.h"

#define SOURCE STENO_TEST_DATA "/../.."

enum { THREADS = 256, BATCH = 4, MAX_ROUNDS = 200, TILE = 128, TILES_IN_TURN = 2 };

/* The product that is compared with the host's has this many elements, a power of two. */
enum { COMPARED = 1 << 22 };

typedef struct settings {
    int device, rounds;
    size_t bytes; /* of an array */
    FILE *json;
} settings;

/* ---- a device with arrays ---- */

typedef struct place {
    const settings *set;
    stn_device *device;
    void *x, *y, *sums, *result, *begin, *end;
    void *module;
    stn_format_info format;
    stn_format arithmetic;
} place;

static void drive(const place *p, int error)
{
    if (error != 0) {
        const char *text = "";
        (void)stn_cuda_of(p->device)->driver->error_text(error, &text);
        bench_fail(text);
    }
}

static void open_place(place *p, const settings *set)
{
    *p = (place){.set = set};
    bench_must(stn_device_open("cuda", set->device, &p->device));
    bench_must(stn_device_allocate(p->device, "x", STN_SPACE_DEVICE, (int64_t)set->bytes, &p->x));
    bench_must(stn_device_allocate(p->device, "y", STN_SPACE_DEVICE, (int64_t)set->bytes, &p->y));
    bench_must(stn_device_allocate(p->device, "sums", STN_SPACE_DEVICE, 64 << 20, &p->sums));
    bench_must(stn_device_allocate(p->device, "result", STN_SPACE_DEVICE, 64, &p->result));
    drive(p, stn_cuda_of(p->device)->driver->context_push(stn_cuda_of(p->device)->context));
    drive(p, stn_cuda_of(p->device)->driver->event_make(&p->begin, 0));
    drive(p, stn_cuda_of(p->device)->driver->event_make(&p->end, 0));
}

static void close_place(place *p)
{
    void *popped;
    drive(p, stn_cuda_of(p->device)->driver->event_end(p->begin));
    drive(p, stn_cuda_of(p->device)->driver->event_end(p->end));
    drive(p, stn_cuda_of(p->device)->driver->context_pop(&popped));
    stn_device_free(p->device, STN_SPACE_DEVICE, p->x);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->y);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->sums);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->result);
    stn_device_release(p->device);
}

/* ---- kernels ---- */

static void launch(const place *p, const char *name, int64_t blocks, void **arguments)
{
    void *function;
    bench_must(stn_device_find(p->device, p->module, name, &function));
    bench_must(
        stn_cuda_launch_values(p->device, name, function, (unsigned)blocks, THREADS, arguments));
}

static const char *named(const place *p, const char *kernel)
{
    static char name[32];
    snprintf(name, sizeof name, "%s_%s", kernel, p->arithmetic == STN_F64 ? "f64" : "f32");
    return name;
}

static int64_t blocks_for(int64_t threads)
{
    return (threads + THREADS - 1) / THREADS;
}

/* Elements of a vector of an accessor. */
static int64_t vector_of(const place *p)
{
    const int64_t bytes = p->format.bytes;
    return bytes == 6 ? 8 : bytes & (bytes - 1) ? 16 : 16 / bytes;
}

/* Elements of an array: whole tiles of every block of threads. */
static int64_t elements_of(const place *p)
{
    return (int64_t)p->set->bytes / p->format.bytes / COMPARED * COMPARED;
}

static void run_axpy(const place *p, const char *kernel, int64_t count)
{
    double wide = 0.75;
    float narrow = 0.75f;
    const int64_t each = strcmp(kernel, "axpy") == 0 ? vector_of(p) : 1;
    void *arguments[] = {p->arithmetic == STN_F64 ? (void *)&wide : &narrow, (void *)&p->x,
                         (void *)&p->y, &count};
    launch(p, named(p, kernel), blocks_for(count / each), arguments);
}

/* A block has one tile per group of threads and turn. */
static int64_t blocks_of_sum(const place *p, int64_t count)
{
    const int64_t group = 32 / vector_of(p);
    return count / (TILE * TILES_IN_TURN * (THREADS / group));
}

static void run_sum(const place *p, const char *kernel, int64_t count)
{
    int64_t blocks = blocks_of_sum(p, count);
    void *dot[] = {(void *)&p->x, (void *)&p->y, (void *)&p->sums, &count};
    void *sum[] = {(void *)&p->x, (void *)&p->sums, &count};
    void *finish[] = {(void *)&p->sums, (void *)&p->result, &blocks};
    launch(p, named(p, kernel), blocks, strcmp(kernel, "dot") == 0 ? dot : sum);
    launch(p, named(p, "finish"), 1, finish);
}

static void run_copy(const place *p, const char *kernel, int64_t count)
{
    int64_t sixteens = count * p->format.bytes / 16;
    void *arguments[] = {(void *)&p->y, (void *)&p->x, &sixteens};
    if (strcmp(kernel, "copy") == 0)
        launch(p, kernel, blocks_for(sixteens), arguments);
    else
        bench_must(stn_device_copy(p->device, p->y, p->x, (size_t)count * (size_t)p->format.bytes));
}

typedef struct row {
    const char *kernel;
    void (*run)(const place *, const char *, int64_t);
    stn_format arithmetic;
    int arrays; /* read or written */
    double times[MAX_ROUNDS], seconds;
} row;

/* ---- the same bits as the host's ---- */

static void fill(const place *p, void *codes, int64_t count, uint64_t seed)
{
    double reach = p->format.kind == STN_CLASS_INTEGER ? 100.0 : 1.0;
    void *arguments[] = {&codes, &count, &seed, &reach};
    launch(p, "fill", blocks_for(count), arguments);
}

static void *fetch(const place *p, const void *from, int64_t bytes)
{
    void *memory;
    bench_must(stn_allocate(&memory, bytes, 1, "host"));
    bench_must(stn_device_copy(p->device, memory, from, (size_t)bytes));
    bench_must(stn_device_wait(p->device));
    return memory;
}

/* Sum of x: the product with ones, whose fma's are sums. */
static double on_host(const place *p, const stn_exec *exec, const stn_view *x, const stn_view *y)
{
    double sum = 0.0;
    bench_must(stn_dot(exec, p->arithmetic, &sum, x, y));
    return sum;
}

static double on_device(const place *p, const char *kernel)
{
    double wide;
    float narrow;
    run_sum(p, kernel, COMPARED);
    void *const result = fetch(p, p->result, 8);
    memcpy(&wide, result, sizeof wide);
    memcpy(&narrow, result, sizeof narrow);
    stn_free(result);
    return p->arithmetic == STN_F64 ? wide : (double)narrow;
}

static void expect_same(const place *p, const char *kernel, int same)
{
    char words[128];
    snprintf(words, sizeof words, "%s of %s in %s: other bits than on the host", kernel,
             p->format.name, p->arithmetic == STN_F64 ? "f64" : "f32");
    if (!same)
        bench_fail(words);
}

static void compare_axpy(const place *p, const stn_exec *exec, const char *kernel,
                         const stn_view *x)
{
    const int64_t bytes = COMPARED * p->format.bytes;
    stn_view y;
    fill(p, p->y, COMPARED, 7);
    void *const codes = fetch(p, p->y, bytes);
    bench_must(stn_view_wrap(&y, "y", x->storage, codes, 1, x->extent));
    bench_must(stn_axpy(exec, p->arithmetic, 0.75, x, &y));
    run_axpy(p, kernel, COMPARED);
    void *const found = fetch(p, p->y, bytes);
    expect_same(p, kernel, memcmp(found, codes, (size_t)bytes) == 0);
    stn_free(found);
    stn_free(codes);
}

static void compare_with_host(const place *p, const stn_exec *exec)
{
    static const double one = 1.0;
    static const int64_t extent = COMPARED, repeats = 0;
    stn_view x, y, ones;
    fill(p, p->x, COMPARED, 5);
    fill(p, p->y, COMPARED, 6);
    void *const of_x = fetch(p, p->x, COMPARED * p->format.bytes);
    void *const of_y = fetch(p, p->y, COMPARED * p->format.bytes);
    const stn_storage storage = stn_storage_of(p->format.format);
    bench_must(stn_view_wrap(&x, "x", storage, of_x, 1, &extent));
    bench_must(stn_view_wrap(&y, "y", storage, of_y, 1, &extent));
    bench_must(stn_view_wrap_spec(&ones, &STN_VIEW_SPEC(.label = "ones",
                                                        .storage = stn_storage_of(STN_F64),
                                                        .const_data = &one, .rank = 1,
                                                        .extents = &extent, .strides = &repeats)));
    expect_same(p, "dot", on_device(p, "dot") == on_host(p, exec, &x, &y));
    expect_same(p, "sum", on_device(p, "sum") == on_host(p, exec, &x, &ones));
    compare_axpy(p, exec, "axpy", &x);
    compare_axpy(p, exec, "axpy_element", &x);
    stn_free(of_x);
    stn_free(of_y);
}

/* ---- times ---- */

static double time_once(place *p, const row *r, int64_t count)
{
    const stn_cuda_driver *const driver = stn_cuda_of(p->device)->driver;
    float milliseconds;
    p->arithmetic = r->arithmetic;
    drive(p, driver->event_record(p->begin, stn_cuda_of(p->device)->queue));
    for (int k = 0; k < BATCH; k++)
        r->run(p, r->kernel, count);
    drive(p, driver->event_record(p->end, stn_cuda_of(p->device)->queue));
    drive(p, driver->event_wait(p->end));
    drive(p, driver->event_time(&milliseconds, p->begin, p->end));
    return (double)milliseconds / 1000.0 / BATCH;
}

static void time_rows(place *p, row *rows, int count, int64_t elements)
{
    for (int round = -1; round < p->set->rounds; round++)
        for (int k = 0; k < count; k++) {
            const double seconds = time_once(p, &rows[k], elements);
            if (round >= 0)
                rows[k].times[round] = seconds;
        }
    for (int k = 0; k < count; k++)
        rows[k].seconds = measure_median(rows[k].times, p->set->rounds);
}

static double speed(const place *p, const row *r)
{
    return r->arrays * (double)(elements_of(p) * p->format.bytes) / r->seconds;
}

static void print_row(const place *p, const row *r, double copy)
{
    const char *arithmetic = r->arithmetic == STN_F64 ? "f64" : "f32";
    printf("| `%s` | %s | %s | %.0f | %.0f | %.3f |\n", p->format.name, r->kernel, arithmetic,
           speed(p, r) / 1e9, copy / 1e9, speed(p, r) / copy);
    if (p->set->json)
        fprintf(p->set->json,
                "{\"kernel\": \"%s\", \"device\": \"%s\", \"format\": \"%s\", \"arith\": \"%s\", "
                "\"n\": %lld, \"seconds\": %.9f, \"bytes\": %.0f, \"gbps\": %.2f, "
                "\"copy_gbps\": %.2f, \"fraction\": %.4f}\n",
                r->kernel, p->device->name, p->format.name, arithmetic, (long long)elements_of(p),
                r->seconds, r->arrays * (double)(elements_of(p) * p->format.bytes),
                speed(p, r) / 1e9, copy / 1e9, speed(p, r) / copy);
}

static void time_format(place *p)
{
    const int64_t count = elements_of(p);
    row rows[] = {{"copy of the driver", run_copy, STN_F64, 2, {0}, 0},
                  {"copy", run_copy, STN_F64, 2, {0}, 0},
                  {"axpy", run_axpy, STN_F64, 3, {0}, 0},
                  {"axpy", run_axpy, STN_F32, 3, {0}, 0},
                  {"axpy_element", run_axpy, STN_F64, 3, {0}, 0},
                  {"axpy_element", run_axpy, STN_F32, 3, {0}, 0},
                  {"dot", run_sum, STN_F64, 2, {0}, 0},
                  {"dot", run_sum, STN_F32, 2, {0}, 0},
                  {"sum", run_sum, STN_F64, 1, {0}, 0},
                  {"sum", run_sum, STN_F32, 1, {0}, 0}};
    enum { ROWS = sizeof rows / sizeof *rows };
    fill(p, p->x, count, 1);
    fill(p, p->y, count, 2);
    time_rows(p, rows, ROWS, count);
    const double copy = fmax(speed(p, &rows[0]), speed(p, &rows[1]));
    for (int k = 0; k < ROWS; k++)
        print_row(p, &rows[k], copy);
}

static void bench_format(place *p, const stn_exec *exec, stn_format format)
{
    char option[32];
    static const char source[] = "#include \"kernels.cu\"\n";
    p->format = bench_described(format);
    snprintf(option, sizeof option, "-DFORMAT=%s", p->format.name);
    const char *const options[] = {option, "-I" SOURCE "/include", "-I" SOURCE "/bench/device"};
    const stn_device_text text = {
        .name = "bench_device.cu", .text = source, .options = options, .option_count = 3};
    bench_must(stn_device_compile(p->device, &text, &p->module));
    for (int narrow = 0; narrow < 2; narrow++) {
        p->arithmetic = narrow ? STN_F32 : STN_F64;
        compare_with_host(p, exec);
    }
    time_format(p);
    stn_device_unload(p->device, p->module);
}

/* ---- the program ---- */

static settings parse(int count, char **words)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    settings set = {.rounds = 15, .bytes = (size_t)1 << 30};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option == 'd')
            set.device = atoi(optarg);
        else if (option == 'm')
            set.bytes = (size_t)atol(optarg) << 20;
        else if (option == 'r')
            set.rounds = atoi(optarg);
        else if (option != 'j' || !(set.json = fopen(optarg, "w")))
            exit(1);
    }
    if (set.rounds < 1 || set.rounds > MAX_ROUNDS || set.bytes < (size_t)64 << 20 ||
        (set.bytes & (set.bytes - 1)))
        bench_fail("rounds are 1 to 200, megabytes a power of two from 64 on");
    return set;
}

int main(int count, char **words)
{
    const settings set = parse(count, words);
    stn_exec *exec;
    place p;
    open_place(&p, &set);
    bench_must(stn_exec_create(&exec, "openmp"));
    printf("%s, arrays of %zu MiB, medians of %d rounds of %d\n\n", p.device->name, set.bytes >> 20,
           set.rounds, BATCH);
    printf(
        "| storage | kernel | arithmetic | GB/s | copy | fraction |\n|---|---|---|---|---|---|\n");
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        const stn_format_info info = bench_described(format);
        if (info.kind == STN_CLASS_FLOAT || info.kind == STN_CLASS_INTEGER)
            bench_format(&p, exec, format);
    }
    stn_exec_release(exec);
    close_place(&p);
    if (set.json)
        fclose(set.json);
    return 0;
}
