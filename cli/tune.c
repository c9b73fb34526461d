/* steno tune: measures the best memory access parameters of this machine and saves them. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "command.h"
#include "core/memory.h"
#include "core/tune.h"
#include "measure/stream.h"
#include "output.h"
#include "pde.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/sparse.h"

static const char help[] =
    "usage: steno tune [--print] [--force]\n\n"
    "Measures the best memory access parameters of this machine (in less than 20 s), prints them,\n"
    "and writes them to the file named by STENO_TUNE, or to steno/tune in the configuration "
    "folder\n"
    "(XDG_CONFIG_HOME, or .config in the home folder). Programs that use Steno read this file. It\n"
    "does not affect their results.\n\n"
    "If other processes use the processors, the command prints the result, writes nothing and\n"
    "fails.\n\n"
    "  --print   do not write the file\n"
    "  --force   write the file even if other processes use the processors\n";

STN_MAP(widen, (in(x), out(y)), y = x;)
STN_REDUCE(total, sum, (in(x)), x)

enum { MAX_CHOICES = 8, ROUNDS = 9, LARGE = 64 << 20, LONG = 1 << 14 };
static const double gain = 1.03; /* minimum gain for which another choice replaces the first */
static const double max_seconds = 3.0;  /* maximum time for the rounds of a parameter */
static const double min_seconds = 1e-4; /* minimum time of a measurement */

typedef struct tuning {
    void *a, *b; /* LARGE bytes each */
    stn_tune tune;
    stn_matrix *sparse;   /* in slices */
    stn_matrix_info info; /* of `sparse` */
    stn_exec *one, *all;  /* with one thread and with all threads */
    double elapsed, used; /* wall time and processor time of single-threaded measurements */
    int busy;             /* other processes use the processors */
} tuning;

/* Runs the measured operation with one choice of a parameter. */
typedef stn_status trial(tuning *it, int32_t choice);

typedef struct parameter {
    const char *name;
    size_t offset; /* offset in stn_tune */
    trial *run;
    int count;
    int32_t choices[MAX_CHOICES]; /* the first is the default */
} parameter;

static stn_status wrap(stn_view *view, stn_format format, void *data, int rank, int64_t rows,
                       int64_t columns)
{
    const int64_t extents[] = {rank == 2 ? rows : columns, columns};
    return stn_view_wrap(view, "operand", stn_storage_of(format), data, rank, extents);
}

/* ---- the trials ---- */

static stn_status run_dot(tuning *it, int32_t streams)
{
    const int64_t count = LARGE / 8;
    char value_text[64];
    stn_exec *exec;
    stn_view x, y;
    double sum;
    snprintf(value_text, sizeof value_text, "threads:threads=1,streams=%d", streams);
    STN_TRY(stn_exec_create(&exec, value_text));
    STN_TRY(wrap(&x, STN_F64, it->a, 1, 1, count));
    STN_TRY(wrap(&y, STN_F64, it->b, 1, 1, count));
    const stn_status status = stn_dot(exec, STN_F64, &sum, &x, &y);
    stn_exec_release(exec);
    return status;
}

static stn_status run_gemv(tuning *it, int32_t rows)
{
    const int64_t count = LARGE / 8 / LONG;
    stn_view a, x, y;
    (void)rows; /* set by the executor already */
    STN_TRY(wrap(&a, STN_F64, it->a, 2, count, LONG));
    STN_TRY(wrap(&x, STN_F64, it->b, 1, 1, LONG));
    STN_TRY(wrap(&y, STN_F64, (double *)it->b + LONG, 1, 1, count));
    return stn_gemv(it->one, STN_F64, 1.0, &a, &x, 0.0, &y);
}

static stn_status run_widen(tuning *it, int32_t elements)
{
    const int64_t count = LARGE / 8;
    stn_view x, y;
    (void)elements;
    STN_TRY(wrap(&x, STN_F32, it->a, 1, 1, count));
    STN_TRY(wrap(&y, STN_F64, it->b, 1, 1, count));
    return widen_run(it->one, STN_F64, &x, &y);
}

/* Sums codes with slow and with fast conversions. */
static stn_status run_narrow(tuning *it, int32_t bytes)
{
    stn_view x, y;
    double sum;
    (void)bytes;
    STN_TRY(wrap(&x, STN_F16, it->a, 1, 1, LARGE / 2));
    STN_TRY(total_reduce(it->one, STN_F64, &sum, &x));
    STN_TRY(wrap(&x, STN_F32, it->a, 1, 1, LARGE / 4));
    STN_TRY(wrap(&y, STN_F32, it->b, 1, 1, LARGE / 4));
    return stn_dot(it->one, STN_F64, &sum, &x, &y);
}

static stn_status run_sparse(tuning *it, int32_t bytes)
{
    stn_view x, y;
    (void)bytes;
    STN_TRY(wrap(&x, STN_F64, it->a, 1, 1, it->info.columns));
    STN_TRY(wrap(&y, STN_F64, it->b, 1, 1, it->info.rows));
    return stn_spmv(it->one, STN_F64, 1.0, it->sparse, &x, 0.0, &y);
}

/* Copies this number of MiB and reads the result. */
static stn_status copy(tuning *it, int32_t mebibytes)
{
    const int64_t count = (int64_t)mebibytes << 17;
    stn_view x, y;
    double sum;
    STN_TRY(wrap(&x, STN_F64, it->a, 1, 1, count));
    STN_TRY(wrap(&y, STN_F64, it->b, 1, 1, count));
    STN_TRY(stn_view_copy(it->one, &y, &x));
    return stn_dot(it->one, STN_F64, &sum, &y, &y);
}

static stn_status add(const stn_exec *exec, tuning *it, int64_t bytes)
{
    stn_view x, y;
    STN_TRY(wrap(&x, STN_F64, it->a, 1, 1, bytes / 24));
    STN_TRY(wrap(&y, STN_F64, it->b, 1, 1, bytes / 24));
    return stn_axpy(exec, STN_F64, 1e-9, &x, &y);
}

/* ---- measuring ---- */

/* Seconds of a call, measured over enough calls. */
static stn_status time_add(const stn_exec *exec, tuning *it, int64_t bytes, double *seconds)
{
    for (int64_t calls = 1;; calls *= 2) {
        const double start = measure_now();
        for (int64_t k = 0; k < calls; k++)
            STN_TRY(add(exec, it, bytes));
        *seconds = measure_now() - start;
        if (*seconds >= min_seconds) {
            *seconds /= (double)calls;
            return STN_OK;
        }
    }
}

static void use(const tuning *it, const parameter *of, int32_t choice)
{
    stn_tune tune = it->tune;
    memcpy((char *)&tune + of->offset, &choice, sizeof choice);
    stn_tune_use(&tune);
}

static stn_status time_choice(tuning *it, const parameter *of, int32_t choice, double *seconds)
{
    use(it, of, choice);
    const double start = measure_now();
    const clock_t used = clock();
    STN_TRY(of->run(it, choice));
    *seconds = measure_now() - start;
    it->used += (double)(clock() - used) / CLOCKS_PER_SEC;
    it->elapsed += *seconds;
    return STN_OK;
}

/* All choices in alternating rounds; returns medians. */
static stn_status time_choices(tuning *it, const parameter *of, double *medians)
{
    double samples[MAX_CHOICES][ROUNDS], first;
    const double start = measure_now();
    int rounds = 0;
    for (int k = 0; k < of->count; k++)
        STN_TRY(time_choice(it, of, of->choices[k], &first));
    for (; rounds < ROUNDS && (rounds < 3 || measure_now() - start < max_seconds); rounds++)
        for (int k = 0; k < of->count; k++)
            STN_TRY(time_choice(it, of, of->choices[k], &samples[k][rounds]));
    for (int k = 0; k < of->count; k++)
        medians[k] = measure_median(samples[k], rounds);
    return STN_OK;
}

static stn_status choose(tuning *it, const parameter *of)
{
    double seconds[MAX_CHOICES];
    int best = 0;
    STN_TRY(time_choices(it, of, seconds));
    printf("%-12s", of->name);
    for (int k = 0; k < of->count; k++) {
        if (seconds[k] * gain < seconds[best])
            best = k;
        printf("  %d: %.2f", of->choices[k], seconds[k] / seconds[0]);
    }
    memcpy((char *)&it->tune + of->offset, &of->choices[best], sizeof *of->choices);
    printf("   -> %d\n", of->choices[best]);
    stn_tune_use(&it->tune);
    return STN_OK;
}

/* The largest measured work that one thread does at least as fast as all threads. On busy
 * processors, measurements show the time slices of other processes, and the default is kept. */
static stn_status choose_alone(tuning *it)
{
    const int32_t preset = it->tune.alone, minimum = 4, maximum = 4096; /* KiB */
    const double busy = 200e-6; /* seconds, longer than any thread takes to wake up */
    it->tune.alone = 0;
    stn_tune_use(&it->tune);
    printf("%-12s", "alone");
    int32_t best = minimum;
    for (int32_t kibibytes = minimum; kibibytes <= maximum; kibibytes *= 2) {
        double one[3], all[3];
        for (int round = 0; round < 3; round++) {
            STN_TRY(time_add(it->one, it, (int64_t)kibibytes << 10, &one[round]));
            STN_TRY(time_add(it->all, it, (int64_t)kibibytes << 10, &all[round]));
        }
        const double alone = measure_median(one, 3), together = measure_median(all, 3);
        printf("  %d: %.2f", kibibytes, together / alone);
        if (together * gain < alone)
            break;
        best = kibibytes;
        if (together - alone > busy) {
            it->busy = 1;
            best = preset;
            break;
        }
    }
    it->tune.alone = best;
    printf("   -> %d\n", it->tune.alone);
    stn_tune_use(&it->tune);
    return STN_OK;
}

/* The smallest measured size at which a copy that bypasses the caches, with the pass that reads it
 * again, is faster than a copy through the caches. */
static stn_status choose_nontemporal(tuning *it)
{
    enum { NEVER = 1 << 20 }; /* MiB */
    static const parameter of = {"nontemporal", offsetof(stn_tune, nontemporal), NULL, 0, {0}};
    int32_t best = NEVER;
    printf("%-12s  %d: 1.00", of.name, NEVER);
    for (int32_t mebibytes = 1; mebibytes <= 64 && best == NEVER; mebibytes *= 4) {
        double past[5], through[5];
        for (int round = 0; round < 5; round++)
            for (int way = 0; way < 2; way++) {
                use(it, &of, way ? 0 : NEVER);
                const double start = measure_now();
                STN_TRY(copy(it, mebibytes));
                (way ? past : through)[round] = measure_now() - start;
            }
        const double ratio = measure_median(past, 5) / measure_median(through, 5);
        printf("  %d: %.2f", mebibytes, ratio);
        if (ratio * gain < 1.0)
            best = mebibytes;
    }
    it->tune.nontemporal = best;
    printf("   -> %d\n", best);
    stn_tune_use(&it->tune);
    return STN_OK;
}

static stn_status choose_all(tuning *it)
{
    static const parameter list[] = {
        {"streams", offsetof(stn_tune, streams), run_dot, 3, {1, 2, 4}},
        {"rows", offsetof(stn_tune, rows), run_gemv, 3, {4, 2, 1}},
        {"prefetch", offsetof(stn_tune, prefetch), run_widen, 4, {0, 256, 768, 2048}},
        {"ahead", offsetof(stn_tune, ahead), run_narrow, 4, {0, 1024, 3072, 8192}},
        {"sparse", offsetof(stn_tune, sparse), run_sparse, 4, {4096, 0, 2048, 8192}},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        STN_TRY(choose(it, &list[k]));
    const double min_share = 0.8; /* share of a processor that one thread gets on an idle machine */
    it->busy = it->used < min_share * it->elapsed;
    STN_TRY(choose_nontemporal(it));
    return stn_exec_threads(it->all) > 1 ? choose_alone(it) : STN_OK;
}

/* ---- entry point ---- */

/* A 7-point matrix larger than most caches. */
static stn_status create_sparse(stn_matrix **made)
{
    enum { EDGE = 96 };
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    stn_matrix *rows;
    STN_TRY(pde_create(&pdes[0], EDGE, &matrix));
    stn_status status = stn_market_wrap(&rows, &matrix, "a matrix to measure by");
    if (status == STN_OK)
        status = stn_sparse_convert(NULL, made, rows, STN_MATRIX_SLICED, NULL);
    stn_matrix_release(rows);
    stn_market_release(&matrix);
    return status;
}

static stn_status prepare(tuning *it)
{
    it->tune = stn_tune_of_family(NULL);
    stn_tune_use(&it->tune); /* overrides any file */
    STN_TRY(expect_memory(2.0 * LARGE, "measuring"));
    STN_TRY(stn_allocate(&it->a, LARGE, 1, "measuring"));
    STN_TRY(stn_allocate(&it->b, LARGE, 1, "measuring"));
    memset(it->a, 0, LARGE);
    memset(it->b, 0, LARGE);
    STN_TRY(create_sparse(&it->sparse));
    it->info.size = sizeof it->info;
    STN_TRY(stn_matrix_describe(it->sparse, &it->info));
    STN_TRY(stn_exec_create(&it->one, "threads:threads=1"));
    return stn_exec_create(&it->all, "threads");
}

static stn_status tune(stn_tune *found, int *busy)
{
    tuning it = {.a = NULL};
    stn_status status = prepare(&it);
    if (status == STN_OK)
        status = choose_all(&it);
    *found = it.tune;
    *busy = it.busy;
    stn_exec_release(it.one);
    stn_exec_release(it.all);
    stn_matrix_release(it.sparse);
    stn_free(it.a);
    stn_free(it.b);
    return status;
}

/* Creates the folders above the file. */
static stn_status create_folders(char *path)
{
    for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = '\0';
        const int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        *end = '/';
        if (failed)
            return stn_fail(STN_ERR_IO, "cannot make the folder of %s: %s", path, strerror(errno));
    }
    return STN_OK;
}

static stn_status write_file(char *path, const stn_tune *found)
{
    char text[STN_TUNE_BYTES];
    stn_tune_write(found, text);
    (void)umask(umask(0) | 022); /* other users must not be able to write it */
    STN_TRY(output_write(path, text, strlen(text)));
    printf("written to %s\n", path);
    return STN_OK;
}

enum { PRINT = FIRST_LONG_OPTION, FORCE };

stn_status command_tune(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"print", no_argument, NULL, PRINT},
                                            {"force", no_argument, NULL, FORCE},
                                            {NULL, 0, NULL, 0}};
    char path[STN_MAX_PATH];
    stn_tune found;
    int writes = 1, force = 0, busy;
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == '?')
            return STN_ERR_ARGUMENT;
        if (option == 'h') {
            fputs(help, stdout);
            return STN_OK;
        }
        writes &= option != PRINT;
        force |= option == FORCE;
    }
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno tune: unexpected argument '%s'", argv[optind]);
    stn_tune_path(path);
    if (writes && !*path)
        return stn_fail(STN_ERR_IO, "no folder to write to: set STENO_TUNE or HOME");
    if (writes) {
        STN_TRY(create_folders(path));
        STN_TRY(output_check(path));
    }
    printf("time relative to the first choice\n");
    STN_TRY(tune(&found, &busy));
    if (busy)
        printf("other processes use the processors\n");
    if (busy && writes && !force)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "other processes use the processors, and the measurement is unreliable;"
                        " nothing is written without --force");
    return writes ? write_file(path, &found) : STN_OK;
}
