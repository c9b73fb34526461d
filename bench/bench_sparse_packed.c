/* bench sparse_packed: products with packed slices, next to compressed rows, slices and slices of
 * 16-bit values.
 *
 *   bench_sparse_packed [--threads N] [--megabytes N] [--repeat N] [--json FILE] [MATRIX.mtx...]
 *
 * Without files: 7-point and 27-point matrices of cubes and rows of random columns whose values in
 * f64 take up to N megabytes, with several numbers of distinct values. Columns: distinct values;
 * bytes per entry of compressed rows in f64, slices in f64 and f16, and packed slices; milliseconds
 * of compressed rows (best round); speed of the others relative to compressed rows, and of packed
 * slices relative to slices in f16; the conversion to packed slices in products with them. */
#include "sparse_products.h"

enum { FORMS = 4, PACKED = 3 };
static const stn_matrix_kind kinds[FORMS] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_SLICED,
                                             STN_MATRIX_PACKED};
static const stn_format formats[FORMS] = {STN_F64, STN_F64, STN_F16, STN_F64};

static const bench_frame *frame;

typedef struct bench_case {
    stn_matrix *form[FORMS];
    double best[FORMS], conversion; /* seconds */
} bench_case;

static int create_forms(bench_case *c, const char *name, const stn_matrix *a)
{
    memset(c->form, 0, sizeof c->form);
    for (int k = 0; k < FORMS; k++) {
        const stn_storage storage = stn_storage_of(formats[k]);
        const double begin = measure_now();
        if (stn_sparse_convert(frame->exec, &c->form[k], a, kinds[k], &storage) != STN_OK) {
            printf("%-16s %s\n", name, stn_error());
            return 0;
        }
        c->conversion = measure_now() - begin;
    }
    return 1;
}

static void print_line(const char *name, const bench_case *c)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    bench_must(stn_matrix_get_views(c->form[PACKED], &views));
    printf("%-16s %6d", name, (int)views.values.extent[0]);
    for (int k = 0; k < FORMS; k++) {
        bench_must(stn_matrix_describe(c->form[k], &info));
        printf(" %6.2f", (double)info.bytes / (double)info.entries);
    }
    printf(" %9.4f", 1e3 * c->best[0]);
    for (int k = 1; k < FORMS; k++)
        printf(" %6.2f", c->best[0] / c->best[k]);
    printf(" %6.2f %6.1f\n", c->best[2] / c->best[PACKED], c->conversion / c->best[PACKED]);
}

static void bench_forms(const bench_operands *o)
{
    bench_case c;
    if (create_forms(&c, o->name, o->a)) {
        bench_time_forms(frame->exec, o, c.form, FORMS, frame->repeats, c.best);
        print_line(o->name, &c);
    }
    for (int k = 0; k < FORMS; k++)
        stn_matrix_release(c.form[k]);
}

static void bench_grids(int points, int axes)
{
    static const int64_t distinct[] = {2, 16, 256, 4096};
    const int64_t edge = (int64_t)cbrt((double)frame->bytes / (8.0 * points) + 0.5);
    for (int k = 0; k < 4; k++) {
        char name[17];
        (void)snprintf(name, sizeof name, "%d points %d^3", points, (int)edge);
        bench_rows(frame->exec, name, bench_grid(edge, axes, distinct[k]), bench_forms);
    }
}

int main(int count, char **words)
{
    const int files = bench_count_files(count, words);
    bench_frame begun = bench_begin(count - files, words);
    frame = &begun;
    printf("%d threads, arithmetic f64\n%-16s %6s %27s %9s %20s %6s %6s\n", begun.threads, "",
           "values", "bytes: csr, sliced, f16, pkd", "csr ms", "sliced, f16, packed", "of f16",
           "conv.");
    for (int k = count - files; k < count; k++)
        bench_file(begun.exec, words[k], bench_forms);
    if (files == 0) {
        bench_grids(7, 1);
        bench_grids(27, 3);
        const int64_t rows = begun.bytes / (8 * 33);
        bench_rows(begun.exec, "random 1 to 64", bench_random(rows, 64, 0, 16), bench_forms);
        bench_rows(begun.exec, "random 1 to 8", bench_random(rows, 8, 0, 16), bench_forms);
    }
    bench_end(&begun);
    return 0;
}
