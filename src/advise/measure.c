/* Measured times on which predictions are based. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "advise/solve.h"
#include "core/clock.h"
#include "core/memory.h"
#include "sparse/matrix.h"
#include "steno/blas.h"
#include "steno/ilu.h"

/* ELEMENTS: 8 MB in f64, more than the caches of a core. The shortest of several times is that
 * without interruptions by other processes. */
enum { ELEMENTS = 1 << 20, REPEATS = 3, MAX_THREADS = 64, EDGE = 64, POINTS = 5 };

/* Seconds of the calling thread, which other processes do not lengthen. */
static double thread_seconds(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return stn_seconds_now();
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(const stn_exec *exec)
{
    return stn_exec_threads(exec) > 1 ? stn_seconds_now() : thread_seconds();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stn_speeds known[MAX_THREADS];

/* The fastest of REPEATS dot products, after one that touches the memory. */
static stn_status time_format(const stn_exec *exec, stn_format format, double *seconds)
{
    static const int64_t count = ELEMENTS;
    stn_view x;
    double result;
    *seconds = (double)INFINITY;
    STN_TRY(stn_view_create(exec, &x, "x", stn_storage_of(format), 1, &count));
    stn_status status = stn_view_fill(exec, &x, 1.0);
    for (int k = 0; status == STN_OK && k <= REPEATS; k++) {
        const double begin = now(exec);
        status = stn_dot(exec, STN_F64, &result, &x, &x);
        if (k > 0)
            *seconds = fmin(*seconds, now(exec) - begin);
    }
    (void)stn_view_release(&x);
    return status;
}

static stn_status measure_formats(const stn_exec *exec, stn_speeds *speeds)
{
    static const stn_format formats[STN_ADVISE_FORMATS] = {STN_F64, STN_F32, STN_F16, STN_I16};
    double seconds[STN_ADVISE_FORMATS];
    for (int k = 0; k < STN_ADVISE_FORMATS; k++)
        STN_TRY(time_format(exec, formats[k], &seconds[k]));
    for (int k = 0; k < STN_ADVISE_FORMATS; k++)
        speeds->relative[k] = seconds[k] / seconds[0];
    return STN_OK;
}

/* ---- incomplete factors of a five-point matrix ---- */

typedef struct grid {
    int64_t start[EDGE * EDGE + 1];
    int32_t column[EDGE * EDGE * POINTS];
    double value[EDGE * EDGE * POINTS];
} grid;

static void fill_grid(grid *g)
{
    static const int64_t steps[POINTS] = {-EDGE, -1, 0, 1, EDGE};
    int64_t at = 0;
    for (int64_t r = 0; r < EDGE * EDGE; r++) {
        g->start[r] = at;
        for (int k = 0; k < POINTS; k++) {
            const int64_t to = r + steps[k];
            const int is_side = steps[k] == 1 || steps[k] == -1;
            if (to < 0 || to >= EDGE * EDGE || (is_side && to / EDGE != r / EDGE))
                continue;
            g->column[at] = (int32_t)to;
            g->value[at++] = steps[k] ? -1.0 : 4.0;
        }
    }
    g->start[EDGE * EDGE] = at;
}

static stn_status time_factors(const stn_exec *exec, const stn_matrix *a, stn_view vectors[2],
                               stn_preconditioner **m, stn_speeds *speeds)
{
    static const stn_format format = STN_F16;
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .format = &format);
    stn_operator inverse;
    speeds->factor = speeds->solve = (double)INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        stn_preconditioner_release(*m);
        const double begin = thread_seconds();
        STN_TRY(stn_ilu_create(exec, m, a, &options));
        speeds->factor = fmin(speeds->factor, (thread_seconds() - begin) / (double)a->entries);
    }
    STN_TRY(stn_operator_of_preconditioner(&inverse, *m));
    for (int k = 0; k < 2 * REPEATS; k++) {
        const double start = now(exec);
        STN_TRY(inverse.apply(inverse.context, exec, STN_F64, &vectors[0], &vectors[1]));
        speeds->solve = fmin(speeds->solve, (now(exec) - start) / (double)a->entries);
    }
    return STN_OK;
}

static stn_status measure_factors(const stn_exec *exec, stn_speeds *speeds)
{
    static const int64_t rows = EDGE * EDGE;
    stn_view vectors[2] = {{0}, {0}};
    stn_preconditioner *m = NULL;
    grid *g;
    STN_TRY(stn_allocate(&g, 1, sizeof *g, "a matrix"));
    fill_grid(g);
    const stn_matrix a =
        stn_matrix_of_rows("a", stn_storage_of(STN_F64), rows, rows, g->start, g->column, g->value);
    stn_status status = STN_OK;
    for (int k = 0; status == STN_OK && k < 2; k++) {
        status = stn_view_create(exec, &vectors[k], "a vector", stn_storage_of(STN_F64), 1, &rows);
        if (status == STN_OK)
            status = stn_view_fill(exec, &vectors[k], 1.0);
    }
    if (status == STN_OK)
        status = time_factors(exec, &a, vectors, &m, speeds);
    stn_preconditioner_release(m);
    for (int k = 0; k < 2; k++)
        (void)stn_view_release(&vectors[k]);
    stn_free(g);
    return status;
}

stn_status stn_advise_speeds(const stn_exec *exec, stn_speeds *speeds)
{
    const int threads = stn_exec_threads(exec);
    stn_speeds *const own = &known[threads < MAX_THREADS ? threads : MAX_THREADS - 1];
    stn_status status = STN_OK;
    pthread_mutex_lock(&lock);
    if (own->relative[0] == 0.0)
        status = measure_formats(exec, own);
    if (status == STN_OK && own->factor == 0.0)
        status = measure_factors(exec, own);
    *speeds = *own;
    pthread_mutex_unlock(&lock);
    return status;
}

/* A product that fills the caches, and the shortest of at least two times of products and of
 * updates of a vector: of more if they are short enough to be interrupted. */
static stn_status time_operations(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                                  stn_view vectors[2], stn_operation_times *times)
{
    const double bytes = 3.0 * (arithmetic == STN_C128 ? 16.0 : 8.0) * (double)a->rows;
    STN_TRY(stn_view_fill(exec, &vectors[0], 1.0));
    times->product = times->byte = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        const double begin = now(exec);
        STN_TRY(stn_spmv(exec, arithmetic, 1.0, a, &vectors[0], 0.0, &vectors[1]));
        if (k > 0)
            times->product = fmin(times->product, now(exec) - begin);
    }
    double norm;
    STN_TRY(stn_nrm2(exec, arithmetic, &norm, &vectors[1]));
    times->is_finite = isfinite(norm);
    for (int k = 0; k < 3; k++) {
        const double begin = now(exec);
        STN_TRY(stn_axpy(exec, arithmetic, 0x1p-60, &vectors[0], &vectors[1]));
        times->byte = fmin(times->byte, (now(exec) - begin) / bytes);
    }
    return STN_OK;
}

stn_status stn_advise_measure(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                              stn_operation_times *times)
{
    stn_view vectors[2] = {{0}, {0}};
    STN_TRY(stn_advise_speeds(exec, &times->speeds));
    stn_status status = STN_OK;
    for (int k = 0; status == STN_OK && k < 2; k++)
        status =
            stn_view_create(exec, &vectors[k], "a vector", stn_storage_of(arithmetic), 1, &a->rows);
    if (status == STN_OK)
        status = time_operations(exec, arithmetic, a, vectors, times);
    for (int k = 0; k < 2; k++)
        (void)stn_view_release(&vectors[k]);
    return status;
}
