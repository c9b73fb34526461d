/* bench sparse_optimize: the decision of stn_matrix_optimize for compressed rows, and the times of
 * products with every kind of storage.
 *
 *   bench_sparse_optimize [--threads N] [--megabytes N] [--repeat N] [--json FILE] [MATRIX.mtx...]
 *
 * Without files: 7-point and 27-point matrices of cubes of several sizes up to N megabytes of
 * values, rows of random columns, one dense row. Values are f64, f32 and f16. Columns: milliseconds
 * of compressed rows, times of the other kinds divided by it; estimates of the model for compressed
 * rows and slices divided by their times; the conversion to slices in products, and its estimate
 * divided by its time; the kind selected for 10, 100 and 10^5 products with timing, for 10^5 by the
 * model alone, and by stn_sparse_convert with STN_MATRIX_AUTO; the regret of the last three: the
 * time of the selected kind divided by that of the fastest one. */
#include "sparse_products.h"
#include "steno/sparse_optimize.h"

enum { KINDS = 6, DISTINCT = 7 };
static const stn_matrix_kind kinds[KINDS] = {STN_MATRIX_CSR,  STN_MATRIX_SLICED, STN_MATRIX_ELL,
                                             STN_MATRIX_SELL, STN_MATRIX_COO,    STN_MATRIX_PACKED};
static const char *const names[] = {"", "csr", "sliced", "coo", "ell", "sell", "packed"};

static const bench_frame *frame;

/* ---- times ---- */

typedef struct bench_case {
    stn_matrix *kind[KINDS];
    double best[KINDS], conversion; /* seconds */
} bench_case;

static void convert(bench_case *c, int k, const stn_matrix *a)
{
    double best = INFINITY;
    for (int round = 0; round < frame->repeats; round++) {
        stn_matrix_release(c->kind[k]);
        const double begin = measure_now();
        bench_must(stn_sparse_convert(frame->exec, &c->kind[k], a, kinds[k], NULL));
        best = fmin(best, measure_now() - begin);
    }
    if (kinds[k] == STN_MATRIX_SLICED)
        c->conversion = best;
}

static void create_kinds(bench_case *c, const stn_matrix *a)
{
    int64_t bytes, compressed;
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    bench_must(stn_matrix_describe(a, &info));
    bench_must(stn_sparse_bytes(a, STN_MATRIX_CSR, info.storage.format, &compressed));
    for (int k = 0; k < KINDS; k++) {
        const stn_status status = stn_sparse_bytes(a, kinds[k], info.storage.format, &bytes);
        c->kind[k] = NULL;
        if (status != STN_ERR_UNSUPPORTED) /* too many distinct values for packed slices */
            bench_must(status);
        /* Unless one row is long and all are padded. */
        if (status == STN_OK && bytes <= 4 * compressed)
            convert(c, k, a);
    }
}

/* ---- decisions ---- */

static stn_optimize_report decide(stn_matrix *a, int64_t products, stn_optimize_method method)
{
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
    options.method = method;
    bench_must(stn_matrix_optimize(frame->exec, STN_F64, a, products, &options, &report));
    return report;
}

/* The kind that a conversion selects. */
static stn_matrix_kind convert_auto(const stn_matrix *a)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix *made;
    bench_must(stn_sparse_convert(frame->exec, &made, a, STN_MATRIX_AUTO, NULL));
    bench_must(stn_matrix_describe(made, &info));
    stn_matrix_release(made);
    return info.kind;
}

static double regret(const bench_case *c, stn_matrix_kind kind)
{
    double best = INFINITY, seconds = 0.0;
    for (int k = 0; k < KINDS; k++) {
        if (c->kind[k])
            best = fmin(best, c->best[k]);
        if (kinds[k] == kind)
            seconds = c->best[k];
    }
    return seconds / best;
}

static void print_line(const char *name, stn_matrix *a, const bench_case *c)
{
    static const int64_t products[] = {10, 100, 100000};
    stn_matrix_kind timed = STN_MATRIX_CSR;
    printf("%-20s %9.4f", name, 1e3 * c->best[0]);
    for (int k = 1; k < KINDS; k++)
        if (c->kind[k])
            printf(" %6.2f", c->best[k] / c->best[0]);
        else
            printf(" %6s", "-");
    const stn_optimize_report model = decide(a, 100000, STN_OPTIMIZE_MODEL);
    printf(" %6.2f %6.2f %6.1f %6.2f", model.original_seconds / c->best[0],
           model.other_seconds / c->best[1], c->conversion / c->best[0],
           model.conversion_seconds / c->conversion);
    for (int k = 0; k < 3; k++) {
        timed = decide(a, products[k], STN_OPTIMIZE_TIMED).kind;
        printf(" %6s", names[timed]);
    }
    const stn_matrix_kind automatic = convert_auto(a);
    printf(" %6s %6s %6.2f %6.2f %6.2f\n", names[model.kind], names[automatic], regret(c, timed),
           regret(c, model.kind), regret(c, automatic));
    fflush(stdout);
}

static void bench_stored(const bench_operands *o)
{
    bench_case c;
    create_kinds(&c, o->a);
    bench_time_forms(frame->exec, o, c.kind, KINDS, 4 * frame->repeats, c.best);
    print_line(o->name, o->a, &c);
    for (int k = 0; k < KINDS; k++)
        stn_matrix_release(c.kind[k]);
}

static void bench_formats(const bench_operands *o)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16};
    for (int k = 0; k < 3; k++) {
        const stn_storage storage = stn_storage_of(formats[k]);
        bench_operands stored = *o;
        char text[40];
        bench_must(stn_sparse_convert(frame->exec, &stored.a, o->a, STN_MATRIX_CSR, &storage));
        (void)snprintf(text, sizeof text, "%.15s %s", o->name, bench_described(formats[k]).name);
        stored.name = text;
        bench_stored(&stored);
        stn_matrix_release(stored.a);
    }
}

/* Cubes whose values take at most the memory, by the number of points of a row. */
static void bench_grids(int points, int axes)
{
    static const int64_t edges[] = {16, 24, 32, 48, 64, 80, 96, 112, 128, 160};
    for (int k = 0; k < 10; k++) {
        char name[17];
        const int64_t edge = edges[k];
        if (8 * points * edge * edge * edge > frame->bytes)
            return;
        (void)snprintf(name, sizeof name, "%d points %d^3", points, (int)edge);
        bench_rows(frame->exec, name, bench_grid(edge, axes, 0), bench_formats);
    }
}

int main(int count, char **words)
{
    const int files = bench_count_files(count, words);
    bench_frame begun = bench_begin(count - files, words);
    frame = &begun;
    printf("%d threads\n%-20s %9s %6s %6s %6s %6s %6s %13s %13s %20s %6s %6s %20s\n", begun.threads,
           "", "csr ms", "sliced", "ell", "sell", "coo", "packed", "estimate", "conversion",
           "10, 100, 1e5 timed", "model", "auto", "regret");
    for (int k = count - files; k < count; k++)
        bench_file(begun.exec, words[k], bench_formats);
    if (files == 0) {
        const int64_t rows = begun.bytes / (8 * 33);
        bench_grids(7, 1);
        bench_grids(27, 3);
        bench_rows(begun.exec, "random 1 to 64", bench_random(rows, 64, 0, DISTINCT),
                   bench_formats);
        bench_rows(begun.exec, "random 1 to 8", bench_random(rows / 8, 8, 0, DISTINCT),
                   bench_formats);
        bench_rows(begun.exec, "one dense row", bench_random(rows / 8, 8, 1, DISTINCT),
                   bench_formats);
    }
    bench_end(&begun);
    return 0;
}
