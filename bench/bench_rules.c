/* bench rules: the time of each storage rule relative to rounding to nearest without scale, for
 * operands that exceed the caches.
 *
 *   bench_rules [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * copy: from f64. axpy: y = a * x + y, where x and y are stored by the rule, in f64 and f32
 * arithmetic. All rules alternate; the medians of the ratios of the rounds are printed. Nothing is
 * saturated, except by rules with `1 in 1000`. Masked: a kernel that stores half of the elements.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "steno/codec.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(axpy, (real(a), in(x), inout(y)), y = a * x + y;)
STN_MAP(axpy_masked, (real(a), in(x), masked(y)), if (x > STN_R(0.5)) STN_STORE(y, a * x + y);)
STN_MAP(row_sums, (at(i), gather(u, 2), out(y)),
    real_t sum = 0;
    for (int64_t k = 0; k < STN_EXTENT_OF(u, 1); k++)
        sum += STN_AT(u, i, k);
    y = sum;
)
STN_MAP(pick, (gather(u, 2), in(i), in(j), out(y)), y = STN_AT(u, (int64_t)i, (int64_t)j);)
STN_MAP(put, (at(i, j), in(x), scatter(u, 2)), STN_PUT(u, x, i, j);)
/* clang-format on */

enum { COLUMNS = 2048, BLOCK = 32, CASES = 16 };
enum { COPY, AXPY_F64, AXPY_F32, OPERATIONS };

typedef enum scale_kind { ONE_SCALE, PER_ROW, PER_BLOCK } scale_kind;

typedef struct bench_case {
    const char *name;
    stn_rounding rounding;
    stn_overflow overflow;
    int counts, masks, saturates;
    scale_kind scales;
    double scale, zero;
    /* Of one format: */
    stn_counters counters;
    stn_view x, y;
    double seconds[OPERATIONS][BENCH_MOST_REPEATS];
} bench_case;

static bench_case cases[CASES] = {
    {.name = "nearest"},
    {.name = "toward zero", .rounding = STN_ROUND_TOWARD_ZERO},
    {.name = "stochastic", .rounding = STN_ROUND_STOCHASTIC},
    {.name = "saturate", .overflow = STN_OVERFLOW_SATURATE},
    {.name = "saturate, 1 in 1000", .overflow = STN_OVERFLOW_SATURATE, .saturates = 1},
    {.name = "infinity", .overflow = STN_OVERFLOW_INFINITY},
    {.name = "NaN", .overflow = STN_OVERFLOW_NAN},
    {.name = "counters", .counts = 1},
    {.name = "counters, 1 in 1000", .counts = 1, .saturates = 1},
    {.name = "scale 0.1", .scale = 0.1},
    {.name = "scale 0.1, zero point", .scale = 0.1, .zero = 3.0},
    {.name = "scale 0.1, zero, counters", .scale = 0.1, .zero = 3.0, .counts = 1},
    {.name = "scales per row", .scales = PER_ROW, .scale = 0.1},
    {.name = "scales per block of 32", .scales = PER_BLOCK, .scale = 0.1},
    {.name = "masked", .masks = 1},
    {.name = "masked, counters", .masks = 1, .counts = 1},
};

static bench_frame frame;
static double *scales;

static void open_view(bench_case *c, stn_view *view, stn_format format, const int64_t *extents)
{
    stn_storage storage = stn_storage_of(format);
    storage.rounding = c->rounding;
    storage.overflow = c->overflow;
    storage.counters = c->counts ? &c->counters : NULL;
    storage.scale = c->scale != 0.0 && c->scales == ONE_SCALE ? c->scale : 1.0;
    storage.zero = c->zero;
    bench_must(stn_view_create(frame.exec, view, "view", storage, 2, extents));
    stn_scales set = {.data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION};
    set.stride[0] = c->scales == PER_ROW ? 1 : COLUMNS / BLOCK;
    if (c->scales == PER_BLOCK) {
        set.dimension = 1;
        set.block = BLOCK;
        set.stride[1] = 1;
    }
    if (c->scales != ONE_SCALE)
        bench_must(stn_view_set_scales(view, &set));
}

/* From 0 to 100. */
static void fill(stn_view *view, double highest)
{
    double *const x = view->data;
    for (int64_t k = 0; k < stn_view_count(view); k++) {
        const uint64_t random = stn_random_bits(1, (uint64_t)k);
        x[k] = (double)(random >> 11) * 0x1p-53 * 100.0;
        if (highest != 0.0 && random % 1000 == 0)
            x[k] = 2.0 * highest;
    }
}

static void run(bench_case *c, int operation, const stn_view *from)
{
    const stn_format arithmetic = operation == AXPY_F32 ? STN_F32 : STN_F64;
    if (operation == COPY)
        bench_must(stn_view_copy(frame.exec, &c->x, from));
    else if (c->masks)
        bench_must(axpy_masked_run(frame.exec, arithmetic, 1e-3, &c->x, &c->y));
    else
        bench_must(axpy_run(frame.exec, arithmetic, 1e-3, &c->x, &c->y));
}

static double ratio_of(const bench_case *c, int operation)
{
    double ratios[BENCH_MOST_REPEATS];
    for (int r = 0; r < frame.repeats; r++)
        ratios[r] = c->seconds[operation][r] / cases[0].seconds[operation][r];
    return measure_median(ratios, frame.repeats);
}

static void print_case(const bench_case *c, stn_format format, int64_t count)
{
    static const char *const names[OPERATIONS] = {"copy", "axpy f64", "axpy f32"};
    const char *const name = bench_described(format).name;
    printf("%-5s %-26s", name, c->name);
    for (int o = 0; o < OPERATIONS; o++) {
        double seconds[BENCH_MOST_REPEATS];
        memcpy(seconds, c->seconds[o], sizeof seconds);
        const double median = measure_median(seconds, frame.repeats), ratio = ratio_of(c, o);
        printf(" %9.3f %6.2f", median / (double)count * 1e9, ratio);
        if (frame.json)
            fprintf(frame.json,
                    "{\"bench\": \"rules\", \"format\": \"%s\", \"rule\": \"%s\", "
                    "\"operation\": \"%s\", \"threads\": %d, \"n\": %lld, \"seconds\": %.6g, "
                    "\"to_nearest\": %.4f}\n",
                    name, c->name, names[o], frame.threads, (long long)count, median, ratio);
    }
    puts("");
}

static void bench_format(stn_format format, int64_t rows, const stn_view *from,
                         const stn_view *rare)
{
    const int64_t extents[] = {rows, COLUMNS};
    for (int k = 0; k < CASES; k++) {
        open_view(&cases[k], &cases[k].x, format, extents);
        open_view(&cases[k], &cases[k].y, format, extents);
        bench_must(stn_view_copy(frame.exec, &cases[k].y, from));
    }
    for (int r = -1; r < frame.repeats; r++)
        for (int o = 0; o < OPERATIONS; o++)
            for (int k = 0; k < CASES; k++) {
                const double start = measure_now();
                run(&cases[k], o, cases[k].saturates ? rare : from);
                if (r >= 0)
                    cases[k].seconds[o][r] = measure_now() - start;
            }
    for (int k = 0; k < CASES; k++) {
        print_case(&cases[k], format, rows * COLUMNS);
        stn_view_release(&cases[k].x);
        stn_view_release(&cases[k].y);
    }
}

/* ---- elements ---- */

enum { ROW_SUMS, PICK, PUT, ACCESSES, FORMATS = 8 };

typedef struct elements {
    stn_view u;
    double seconds[ACCESSES][BENCH_MOST_REPEATS];
} elements;

/* Values, random rows and columns, and results. */
typedef struct element_operands {
    stn_view x, row, column, y, sums;
} element_operands;

static void access_elements(const elements *e, int access, const element_operands *o)
{
    if (access == ROW_SUMS)
        bench_must(row_sums_run(frame.exec, STN_F64, &e->u, &o->sums));
    else if (access == PICK)
        bench_must(pick_run(frame.exec, STN_F64, &e->u, &o->row, &o->column, &o->y));
    else
        bench_must(put_run(frame.exec, STN_F64, &o->x, &e->u));
}

static void open_elements(element_operands *o, int64_t rows)
{
    const int64_t extents[] = {rows, COLUMNS};
    const stn_storage f64 = stn_storage_of(STN_F64);
    bench_must(stn_view_create(frame.exec, &o->x, "x", f64, 2, extents));
    bench_must(stn_view_create(frame.exec, &o->row, "row", f64, 2, extents));
    bench_must(stn_view_create(frame.exec, &o->column, "column", f64, 2, extents));
    bench_must(stn_view_create(frame.exec, &o->y, "y", f64, 2, extents));
    bench_must(stn_view_create(frame.exec, &o->sums, "sums", f64, 1, extents));
    double *const row = o->row.data, *const column = o->column.data;
    for (int64_t k = 0; k < rows * COLUMNS; k++) {
        row[k] = (double)(stn_random_bits(2, (uint64_t)k) % (uint64_t)rows);
        column[k] = (double)(stn_random_bits(3, (uint64_t)k) % COLUMNS);
    }
    fill(&o->x, 0.0);
}

static void print_elements(const elements *e, const elements *f64, stn_format format, int64_t count)
{
    static const char *const names[ACCESSES] = {"sums of rows", "random", "stores"};
    const char *const name = bench_described(format).name;
    printf("%-32s", name);
    for (int access = 0; access < ACCESSES; access++) {
        double seconds[BENCH_MOST_REPEATS], ratios[BENCH_MOST_REPEATS];
        for (int r = 0; r < frame.repeats; r++) {
            seconds[r] = e->seconds[access][r];
            ratios[r] = seconds[r] / f64->seconds[access][r];
        }
        const double median = measure_median(seconds, frame.repeats);
        const double ratio = measure_median(ratios, frame.repeats);
        printf(" %9.3f %6.2f", median / (double)count * 1e9, ratio);
        if (frame.json)
            fprintf(frame.json,
                    "{\"bench\": \"elements\", \"format\": \"%s\", \"access\": \"%s\", "
                    "\"threads\": %d, \"n\": %lld, \"seconds\": %.6g, \"to_f64\": %.4f}\n",
                    name, names[access], frame.threads, (long long)count, median, ratio);
    }
    puts("");
}

static void bench_elements(int64_t rows)
{
    static const stn_format formats[FORMATS] = {STN_F64,  STN_F32, STN_F16, STN_BF16,
                                                STN_E4M3, STN_I8,  STN_I16, STN_I32};
    static elements all[FORMATS];
    const int64_t extents[] = {rows, COLUMNS};
    element_operands o;
    open_elements(&o, rows);
    printf("\n%-32s %16s %16s %16s\n%-32s %9s %6s %9s %6s %9s %6s\n", "", "sums of rows", "random",
           "stores", "ns per element, to f64", "ns", "ratio", "ns", "ratio", "ns", "ratio");
    for (int f = 0; f < FORMATS; f++) {
        bench_must(
            stn_view_create(frame.exec, &all[f].u, "u", stn_storage_of(formats[f]), 2, extents));
        bench_must(stn_view_copy(frame.exec, &all[f].u, &o.x));
    }
    for (int r = -1; r < frame.repeats; r++)
        for (int access = 0; access < ACCESSES; access++)
            for (int f = 0; f < FORMATS; f++) {
                const double start = measure_now();
                access_elements(&all[f], access, &o);
                if (r >= 0)
                    all[f].seconds[access][r] = measure_now() - start;
            }
    for (int f = 0; f < FORMATS; f++) {
        print_elements(&all[f], &all[0], formats[f], rows * COLUMNS);
        stn_view_release(&all[f].u);
    }
    stn_view_release(&o.x);
    stn_view_release(&o.row);
    stn_view_release(&o.column);
    stn_view_release(&o.y);
    stn_view_release(&o.sums);
}

int main(int count, char **words)
{
    static const stn_format formats[] = {STN_F32, STN_F16, STN_BF16, STN_E4M3, STN_I16, STN_I8};
    frame = bench_begin(count, words);
    const int64_t rows = frame.bytes / 8 / COLUMNS, extents[] = {rows, COLUMNS};
    stn_view from, rare;
    scales = bench_allocate(rows * (COLUMNS / BLOCK), sizeof *scales);
    for (int64_t k = 0; k < rows * (COLUMNS / BLOCK); k++)
        scales[k] = 0.9 + 0.1 * (double)(k % 7);
    printf("%-32s %16s %16s %16s\n%-32s %9s %6s %9s %6s %9s %6s\n", "", "copy from f64", "axpy f64",
           "axpy f32", "ns per element, to nearest", "ns", "ratio", "ns", "ratio", "ns", "ratio");
    bench_must(stn_view_create(frame.exec, &from, "from", stn_storage_of(STN_F64), 2, extents));
    bench_must(stn_view_create(frame.exec, &rare, "rare", stn_storage_of(STN_F64), 2, extents));
    fill(&from, 0.0);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const double highest = bench_described(formats[f]).highest;
        fill(&rare, highest);
        bench_format(formats[f], rows, &from, &rare);
    }
    stn_view_release(&from);
    stn_view_release(&rare);
    free(scales);
    bench_elements(rows);
    bench_end(&frame);
    return 0;
}
