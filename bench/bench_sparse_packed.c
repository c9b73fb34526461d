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
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "sparse_cases.h"
#include "sparse_file.h"

enum { FORMS = 4, PACKED = 3 };
static const stn_matrix_kind kinds[FORMS] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_SLICED,
                                             STN_MATRIX_PACKED};
static const stn_format formats[FORMS] = {STN_F64, STN_F64, STN_F16, STN_F64};

static const bench_frame *frame;

typedef struct bench_case {
    stn_matrix *form[FORMS];
    stn_view x, y;
    double best[FORMS], conversion; /* seconds */
} bench_case;

static double time_product(const bench_case *c, const stn_matrix *a)
{
    const double begin = measure_now();
    bench_must(stn_spmv(frame->exec, STN_F64, 1.0, a, &c->x, 0.0, &c->y));
    return measure_now() - begin;
}

static void time_forms(bench_case *c)
{
    for (int round = 0; round < frame->repeats; round++)
        for (int k = 0; k < FORMS; k++) {
            (void)time_product(c, c->form[k]); /* loads the caches */
            const double seconds = time_product(c, c->form[k]);
            c->best[k] = round == 0 ? seconds : fmin(seconds, c->best[k]);
        }
}

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

static void bench_matrix(const char *name, const stn_matrix *a, int64_t rows, int64_t columns)
{
    bench_case c;
    void *const x = bench_allocate(columns, sizeof(double)), *const y = bench_allocate(
                                                                 rows, sizeof(double));
    bench_must(stn_view_wrap(&c.x, "x", stn_storage_of(STN_F64), x, 1, &columns));
    bench_must(stn_view_wrap(&c.y, "y", stn_storage_of(STN_F64), y, 1, &rows));
    bench_must(stn_view_fill(frame->exec, &c.x, 1.5));
    if (create_forms(&c, name, a)) {
        time_forms(&c);
        print_line(name, &c);
    }
    for (int k = 0; k < FORMS; k++)
        stn_matrix_release(c.form[k]);
    free(x);
    free(y);
}

static void bench_rows(const char *name, bench_csr m)
{
    stn_matrix *const a =
        bench_wrap_csr(name, m.rows, m.columns, m.start, m.column, STN_F64, m.value);
    bench_matrix(name, a, m.rows, m.columns);
    stn_matrix_release(a);
    bench_drop_csr(&m);
}

static void bench_file(const char *path)
{
    bench_sparse_file file;
    if (!bench_read_sparse(&file, path))
        return;
    bench_matrix(file.name, file.a, file.read.rows, file.read.columns);
    bench_release_sparse(&file);
}

static void bench_grids(int points, int axes)
{
    static const int64_t distinct[] = {2, 16, 256, 4096};
    const int64_t edge = (int64_t)cbrt((double)frame->bytes / (8.0 * points) + 0.5);
    for (int k = 0; k < 4; k++) {
        char name[17];
        (void)snprintf(name, sizeof name, "%d points %d^3", points, (int)edge);
        bench_rows(name, bench_grid(edge, axes, distinct[k]));
    }
}

int main(int count, char **words)
{
    int files = 0;
    for (int k = 1; k < count; k++)
        files += strstr(words[k], ".mtx") != NULL;
    bench_frame begun = bench_begin(count - files, words);
    frame = &begun;
    printf("%d threads, arithmetic f64\n%-16s %6s %27s %9s %20s %6s %6s\n", begun.threads, "",
           "values", "bytes: csr, sliced, f16, pkd", "csr ms", "sliced, f16, packed", "of f16",
           "conv.");
    for (int k = count - files; k < count; k++)
        bench_file(words[k]);
    if (files == 0) {
        bench_grids(7, 1);
        bench_grids(27, 3);
        bench_rows("random 1 to 64", bench_random(begun.bytes / (8 * 33), 64, 0, 16));
        bench_rows("random 1 to 8", bench_random(begun.bytes / (8 * 33), 8, 0, 16));
    }
    bench_end(&begun);
    return 0;
}
