/* bench accuracy: errors of sums in several orders, against sums in twice the precision.
 *
 *   bench_accuracy [--largest N] [--draws N] [--json FILE]
 *
 * Prints, for f64 and f32 arithmetic, the worst error of `draws` sums of random data of each kind,
 * in units of the rounding error times the sum of the magnitudes. The sums: sequential;
 * pairwise down to runs of 128; Steno's order; and OpenBLAS's dot product with ones on one thread,
 * where libopenblas.so.0 is installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/exact.h"
#include "steno/reduce.h"

STN_REDUCE(total, sum, (in(x)), x)

enum { PAIRWISE_RUN = 128, LENGTHS = 3 };

typedef struct settings {
    int64_t length[LENGTHS];
    int draws;
    FILE *json;
    stn_exec *exec;
} settings;

/* The same values in both types: terms of f64 sums have 53 bits, those of f32 sums 24. */
typedef struct data {
    int64_t count;
    double *wide, *wide_ones;
    float *narrow, *narrow_ones;
} data;

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)count * size);
    if (!memory) {
        fprintf(stderr, "bench_accuracy: out of memory\n");
        exit(1);
    }
    return memory;
}

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "bench_accuracy: %s\n", stn_error());
        exit(1);
    }
}

/* ---- sums ---- */

#define DEFINE_SUMS(T)                                                                             \
    static T running_##T(const T *x, int64_t count)                                                \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (int64_t k = 0; k < count; k++)                                                        \
            sum += x[k];                                                                           \
        return sum;                                                                                \
    }                                                                                              \
    static T pairwise_##T(const T *x, int64_t count)                                               \
    {                                                                                              \
        if (count <= PAIRWISE_RUN)                                                                 \
            return running_##T(x, count);                                                          \
        return pairwise_##T(x, count / 2) + pairwise_##T(x + count / 2, count - count / 2);        \
    }
DEFINE_SUMS(double)
DEFINE_SUMS(float)

typedef double blas_ddot(int count, const double *x, int x_step, const double *y, int y_step);
typedef float blas_sdot(int count, const float *x, int x_step, const float *y, int y_step);
static blas_ddot *ddot;
static blas_sdot *sdot;

static void find_blas(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!library)
        return;
    void (*set_threads)(int) = NULL;
    *(void **)&ddot = dlsym(library, "cblas_ddot");
    *(void **)&sdot = dlsym(library, "cblas_sdot");
    *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
    if (set_threads)
        set_threads(1);
}

typedef enum order { RUNNING, PAIRWISE, STENO, BLAS, ORDERS } order;

static double by_steno(const settings *s, const data *d, int is_narrow)
{
    double sum = 0.0;
    stn_view view;
    if (is_narrow) {
        must(stn_view_wrap(&view, "x", stn_storage_of(STN_F32), d->narrow, 1, &d->count));
        must(total_reduce(s->exec, STN_F32, &sum, &view));
        return sum;
    }
    must(stn_view_wrap(&view, "x", stn_storage_of(STN_F64), d->wide, 1, &d->count));
    must(total_reduce(s->exec, STN_F64, &sum, &view));
    return sum;
}

static double sum_by(const settings *s, const data *d, int is_narrow, order which)
{
    const int count = (int)d->count;
    if (which == RUNNING)
        return is_narrow ? (double)running_float(d->narrow, count) : running_double(d->wide, count);
    if (which == PAIRWISE)
        return is_narrow ? (double)pairwise_float(d->narrow, count)
                         : pairwise_double(d->wide, count);
    if (which == STENO)
        return by_steno(s, d, is_narrow);
    return is_narrow ? (double)sdot(count, d->narrow, 1, d->narrow_ones, 1)
                     : ddot(count, d->wide, 1, d->wide_ones, 1);
}

/* ---- errors ---- */

static data make(const settings *s)
{
    const int64_t longest = s->length[LENGTHS - 1];
    data d = {0, allocate(longest, sizeof *d.wide), allocate(longest, sizeof *d.wide_ones),
              allocate(longest, sizeof *d.narrow), allocate(longest, sizeof *d.narrow_ones)};
    for (int64_t k = 0; k < longest; k++) {
        d.wide_ones[k] = 1.0;
        d.narrow_ones[k] = 1.0f;
    }
    return d;
}

static void fill(data *d, measure_data kind, uint64_t seed, int64_t count)
{
    d->count = count;
    for (int64_t k = 0; k < count; k++) {
        d->wide[k] = measure_datum(kind, seed, k, count);
        d->narrow[k] = (float)d->wide[k];
    }
}

/* The errors of all orders, in units of u times the sum of the magnitudes. */
static void measure(const settings *s, const data *d, int is_narrow, double *worst)
{
    measure_sum exact = {0.0, 0.0}, magnitudes = {0.0, 0.0};
    for (int64_t k = 0; k < d->count; k++) {
        const double x = is_narrow ? (double)d->narrow[k] : d->wide[k];
        exact = measure_add(exact, x);
        magnitudes = measure_add(magnitudes, fabs(x));
    }
    const double unit = (is_narrow ? 0x1p-24 : 0x1p-53) * magnitudes.high;
    for (order which = RUNNING; which < (ddot && sdot ? ORDERS : BLAS); which++)
        worst[which] =
            fmax(worst[which], fabs(measure_minus(exact, sum_by(s, d, is_narrow, which))) / unit);
}

static void print_json(const settings *s, int is_narrow, measure_data kind, int64_t count,
                       const double *worst)
{
    if (!s->json)
        return;
    fprintf(s->json,
            "{\"bench\": \"accuracy\", \"arithmetic\": \"%s\", \"data\": \"%s\", \"n\": %lld, "
            "\"running\": %.3g, \"pairwise\": %.3g, \"steno\": %.3g",
            is_narrow ? "f32" : "f64", measure_data_name(kind), (long long)count, worst[RUNNING],
            worst[PAIRWISE], worst[STENO]);
    if (ddot && sdot)
        fprintf(s->json, ", \"openblas\": %.3g", worst[BLAS]);
    fprintf(s->json, "}\n");
}

static void print_row(const settings *s, data *d, int is_narrow, measure_data kind, int64_t count)
{
    double worst[ORDERS] = {0.0, 0.0, 0.0, 0.0};
    for (int draw = 0; draw < s->draws; draw++) {
        fill(d, kind, (uint64_t)draw, count);
        measure(s, d, is_narrow, worst);
    }
    printf("| %s | %-11s | %8lld | %9.2f | %8.2f | %6.2f |", is_narrow ? "f32" : "f64",
           measure_data_name(kind), (long long)count, worst[RUNNING], worst[PAIRWISE],
           worst[STENO]);
    if (ddot && sdot)
        printf(" %8.2f |", worst[BLAS]);
    printf(" %5.0f |\n", ceil(log2((double)count)) + 1);
    print_json(s, is_narrow, kind, count, worst);
}

static void print_tables(const settings *s, data *d)
{
    const int has_blas = ddot && sdot;
    printf("| in  | data        |        n |   running | pairwise |  Steno |%s bound |\n",
           has_blas ? " OpenBLAS |" : "");
    printf("|-----|-------------|---------:|----------:|---------:|-------:|%s------:|\n",
           has_blas ? "---------:|" : "");
    for (int is_narrow = 0; is_narrow < 2; is_narrow++)
        for (measure_data kind = 0; kind < MEASURE_KINDS; kind++)
            for (int n = 0; n < LENGTHS; n++)
                print_row(s, d, is_narrow, kind, s->length[n]);
}

static settings parse(int count, char **words)
{
    static const struct option options[] = {{"largest", required_argument, NULL, 'l'},
                                            {"draws", required_argument, NULL, 'd'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    settings s = {{1000, 100000, 10000000}, 3, NULL, NULL};
    for (int found; (found = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (found == 'l')
            s.length[LENGTHS - 1] = atoll(optarg);
        else if (found == 'd')
            s.draws = atoi(optarg);
        else if (found != 'j' || !(s.json = fopen(optarg, "w")))
            exit(2);
    }
    for (int n = LENGTHS - 2; n >= 0; n--)
        s.length[n] = s.length[n] < s.length[n + 1] ? s.length[n] : s.length[n + 1];
    if (s.length[0] < 1 || s.draws < 1 || s.length[LENGTHS - 1] > INT32_MAX) {
        fprintf(stderr, "bench_accuracy: --largest and --draws are at least 1\n");
        exit(2);
    }
    return s;
}

int main(int count, char **words)
{
    settings s = parse(count, words);
    must(stn_exec_create(&s.exec, "openmp"));
    find_blas();
    data d = make(&s);
    print_tables(&s, &d);
    free(d.wide);
    free(d.wide_ones);
    free(d.narrow);
    free(d.narrow_ones);
    stn_exec_release(s.exec);
    return s.json && fclose(s.json) ? 1 : 0;
}
