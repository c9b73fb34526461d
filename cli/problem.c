/* The input data of kernels: random, from an equation, or from a file. */
#include "problem.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "core/memory.h"
#include "market.h"
#include "pde.h"

/* ---- sizes ---- */

double problem_large_bytes(void)
{
    return fmin(fmax(0x1p28, 4.0 * last_cache_bytes()), available_memory() / 12.0);
}

/* Number of f64 elements of a large array. */
static int64_t default_size(const bench_kernel *kernel)
{
    const double each = kernel->a == ABSENT ? 16.0 : kernel->sparse ? 12.0 : 8.0;
    return (int64_t)(problem_large_bytes() / each);
}

static void plan_vectors(const bench_kernel *kernel, int64_t n, bench_problem *problem)
{
    problem->n = problem->vector = n;
    problem->results = kernel->outcome == SCALAR ? 1 : n;
}

static void plan_matrix(int64_t rows, int64_t columns, int64_t n, bench_problem *problem)
{
    problem->pattern.rows = rows;
    problem->pattern.columns = columns;
    problem->n = n;
    problem->vector = columns;
    problem->results = rows;
}

static void plan_square(int64_t n, bench_problem *problem)
{
    const int64_t edge = (int64_t)floor(sqrt((double)n));
    plan_matrix(edge, edge, edge * edge, problem);
}

/* Edge of the cube whose matrix has about n entries. */
static int64_t edge_for(int64_t n)
{
    const int64_t edge = llround(cbrt((double)n / 7.0));
    return edge < 1 ? 1 : edge;
}

static stn_status plan_cube(int64_t n, bench_problem *problem)
{
    const int64_t edge = edge_for(n);
    if (edge > MAX_EDGE)
        return stn_fail(STN_ERR_RANGE, "size %g is too large for spmv: its rows exceed 2^31 - 1",
                        (double)n);
    const int64_t rows = edge * edge * edge;
    plan_matrix(rows, rows, 7 * rows - 6 * edge * edge, problem);
    return STN_OK;
}

static stn_status plan_file(const bench_kernel *kernel, const bench_settings *settings,
                            const stn_market_matrix *file, bench_problem *problem)
{
    const int is_dense = file->storage == STN_MARKET_DENSE;
    if ((kernel->sparse != 0) == is_dense)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s is a %s matrix, but %s requires a %s matrix: use %s", settings->matrix,
                        is_dense ? "dense" : "sparse", kernel->name, is_dense ? "sparse" : "dense",
                        is_dense ? "gemv" : "spmv");
    plan_matrix(file->rows, file->columns, file->entries, problem);
    return STN_OK;
}

stn_status problem_plan(const bench_kernel *kernel, const bench_settings *settings,
                        const stn_market_matrix *file, bench_problem *problem)
{
    const int64_t n = settings->size ? settings->size : default_size(kernel);
    *problem = (struct bench_problem){.n = 0};
    if (kernel->a == ABSENT)
        plan_vectors(kernel, n, problem);
    else if (file)
        return plan_file(kernel, settings, file, problem);
    else if (kernel->sparse)
        return plan_cube(n, problem);
    else if (settings->rows)
        plan_matrix(settings->rows, settings->columns, n, problem);
    else
        plan_square(n, problem);
    return STN_OK;
}

/* ---- values ---- */

static stn_status create_random(double **values, int64_t count, uint64_t seed, const char *what)
{
    STN_TRY(stn_allocate(values, count, sizeof **values, what));
    double *all = *values;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < count; k++) {
        const double unit = (double)(stn_random_bits(seed, (uint64_t)k) >> 11) * 0x1p-53;
        all[k] = 1.49 * unit - 0.5;
    }
    return STN_OK;
}

static void take_matrix(const stn_market_matrix *matrix, bench_problem *problem)
{
    problem->pattern.row_start = matrix->row_start;
    problem->pattern.column = matrix->column;
    problem->a = matrix->values;
}

static stn_status fill_matrix(const bench_kernel *kernel, const stn_market_matrix *file,
                              bench_problem *problem)
{
    if (file) {
        take_matrix(file, problem);
        problem->borrowed = 1;
        return STN_OK;
    }
    if (!kernel->sparse)
        return create_random(&problem->a, problem->n, 1, "matrix");
    const int64_t edge = llround(cbrt((double)problem->pattern.rows));
    STN_TRY(pde_create(&pdes[0], edge, &problem->generated));
    take_matrix(&problem->generated, problem);
    return STN_OK;
}

stn_status problem_fill(const bench_kernel *kernel, const stn_market_matrix *file,
                        bench_problem *problem)
{
    if (kernel->a != ABSENT)
        STN_TRY(fill_matrix(kernel, file, problem));
    STN_TRY(create_random(&problem->x, problem->vector, 2, "x"));
    return kernel->y == ABSENT ? STN_OK : create_random(&problem->y, problem->vector, 3, "y");
}

void problem_release(bench_problem *problem)
{
    stn_free(problem->x);
    stn_free(problem->y);
    if (problem->generated.size)
        stn_market_release(&problem->generated);
    else if (!problem->borrowed)
        stn_free(problem->a);
    *problem = (struct bench_problem){.n = 0};
}

/* ---- files ---- */

void problem_widen(stn_market_matrix *matrix)
{
    for (int64_t k = 0; matrix->value_format == STN_I64 && k < matrix->entries; k++) {
        int64_t integer;
        memcpy(&integer, (char *)matrix->values + k * 8, sizeof integer);
        const double value = (double)integer;
        memcpy((char *)matrix->values + k * 8, &value, sizeof value);
    }
    matrix->value_format = STN_F64;
}

stn_status problem_read_matrix(const bench_settings *settings, stn_market_matrix *matrix)
{
    const char *const path = settings->matrix;
    STN_TRY(market_read(path, settings->market, matrix));
    stn_status status = STN_OK;
    if (matrix->field == STN_MARKET_COMPLEX)
        status = stn_fail(STN_ERR_UNSUPPORTED,
                          "%s is a complex matrix; bench supports real matrices only", path);
    else if (matrix->entries == 0)
        status = stn_fail(STN_ERR_UNSUPPORTED, "%s has no entries to measure with", path);
    if (status != STN_OK)
        stn_market_release(matrix);
    else
        problem_widen(matrix);
    return status;
}
