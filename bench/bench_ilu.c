/* bench ilu: applications of ILU(0) factors of 7-point matrices of 48^3 and 96^3 rows, x and y in
 * f64, compared with the streaming speed of the same run.
 *
 *   bench_ilu [--threads N] [--megabytes N] [--repeat N]
 *
 * Milliseconds: the fastest of 4 N applications. MB: bytes of the factors that an application
 * reads. GB/s: these bytes and those of both vectors. `moved`: additionally 48 bytes per row, from
 * memory or a cache, of the intermediate solution, which each factor writes, reads and writes, and
 * which is read at the end. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "frame.h"
#include "steno/ilu.h"
#include "steno/view.h"

enum { VALUE = sizeof(double), POINTS = 7 };

typedef struct grid {
    int64_t rows, *start;
    int32_t *column;
    double *value;
    stn_matrix *matrix;
} grid;

static void *allocate(int64_t count, size_t bytes)
{
    void *const result = malloc((size_t)count * bytes);
    if (!result)
        bench_fail("no memory");
    return result;
}

/* Convection and diffusion: nonsymmetric, with different rows. */
static grid make_grid(int64_t edge)
{
    grid g = {.rows = edge * edge * edge};
    int64_t at = 0;
    g.start = allocate(g.rows + 1, sizeof *g.start);
    g.column = allocate(g.rows * POINTS, sizeof *g.column);
    g.value = allocate(g.rows * POINTS, sizeof *g.value);
    for (int64_t r = 0; r < g.rows; r++) {
        const int64_t x = r % edge, y = r / edge % edge, z = r / edge / edge;
        const int64_t step[POINTS] = {-edge * edge, -edge, -1, 0, 1, edge, edge * edge};
        const int is_there[POINTS] = {z > 0,        y > 0,        x > 0,       1,
                                      x < edge - 1, y < edge - 1, z < edge - 1};
        g.start[r] = at;
        for (int k = 0; k < POINTS; k++)
            if (is_there[k]) {
                g.column[at] = (int32_t)(r + step[k]);
                g.value[at++] = step[k] ? -1.0 - 0.001 * (double)((r * POINTS + k) % 13) : 6.5;
            }
    }
    g.start[g.rows] = at;
    g.matrix = bench_wrap_csr("a", g.rows, g.rows, g.start, g.column, STN_F64, g.value);
    return g;
}

static double seconds(const bench_frame *frame, const stn_preconditioner *m, const stn_view *x,
                      const stn_view *y)
{
    const measure_mix copies = {.read = VALUE, .write = VALUE};
    double least = INFINITY;
    stn_operator op;
    bench_must(stn_operator_of_preconditioner(&op, m));
    for (int k = 0; k < 4 * frame->repeats; k++) {
        const double begin = measure_now();
        bench_must(op.apply(op.context, frame->exec, STN_F64, x, y));
        least = fmin(least, measure_now() - begin);
    }
    for (int k = 0; k < frame->repeats; k++) /* not between rounds: small factors stay in caches */
        (void)measure_stream_round(frame->stream, copies);
    return least;
}

static void run(bench_frame *frame, int64_t edge)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16};
    grid g = make_grid(edge);
    stn_view x, y;
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(STN_F64), 1, &g.rows));
    bench_must(stn_view_create(frame->exec, &y, "y", stn_storage_of(STN_F64), 1, &g.rows));
    bench_must(stn_view_fill(frame->exec, &x, 1.0));
    for (int k = 0; k < 3; k++) {
        const stn_ilu_options asked = STN_INIT(stn_ilu_options, .format = &formats[k]);
        stn_preconditioner *m;
        stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
        bench_must(stn_ilu_create(frame->exec, &m, g.matrix, &asked));
        bench_must(stn_preconditioner_describe(m, &info));
        const double time = seconds(frame, m, &x, &y);
        const double vectors = 2.0 * VALUE * (double)g.rows, bytes = (double)info.bytes;
        printf("| %d^3 | `%s` | %.3f | %.1f | %.0f | %.0f |\n", (int)edge,
               bench_described(formats[k]).name, time * 1e3, bytes * 1e-6,
               (bytes + vectors) / time * 1e-9, (bytes + 4 * vectors) / time * 1e-9);
        stn_preconditioner_release(m);
    }
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
    free(g.start);
    free(g.column);
    free(g.value);
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    printf("| rows | factors | ms | MB | GB/s | moved |\n|---|---|---|---|---|---|\n");
    run(&frame, 48);
    run(&frame, 96);
    printf("\ncopies: %.0f GB/s\n", 1e-9 / measure_stream_seconds(frame.stream, 1.0));
    bench_end(&frame);
    return 0;
}
