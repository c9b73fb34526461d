/* Results with twice the precision of double, and errors relative to them. */
#include "reference.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "twice.h"

/* Work is divided into PARTS for any number of threads, and sums run in LANES, which vectorize. */
enum { PARTS = 64, LANES = 8, BLOCK = 256 };

/* Values as high + low. */
typedef struct block {
    double high[BLOCK], low[BLOCK];
} block;

typedef struct lanes {
    double high[LANES], low[LANES];
} lanes;

/* Sums of squares over a part: of errors and of exact values. */
typedef struct squares {
    double wrong, exact;
} squares;

static int64_t begin_of(int64_t count, int part)
{
    return count / PARTS * part + count % PARTS * part / PARTS;
}

static double result_at(stn_format arithmetic, const void *result, int64_t k)
{
    return arithmetic == STN_F64 ? ((const double *)result)[k] : (double)((const float *)result)[k];
}

static void add_products(lanes *sums, const block *x, const block *y, int64_t count)
{
    for (int64_t k = 0; k < count; k += LANES)
        for (int l = 0; l < LANES; l++) {
            const twice a = {x->high[k + l], x->low[k + l]}, b = {y->high[k + l], y->low[k + l]};
            const twice sum = twice_add_product((twice){sums->high[l], sums->low[l]}, a, b);
            sums->high[l] = sum.high;
            sums->low[l] = sum.low;
        }
}

/* Pads with zeros to a multiple of LANES. */
static int64_t fill_up(block *x, block *y, int64_t count)
{
    for (; count % LANES != 0; count++)
        x->high[count] = x->low[count] = y->high[count] = y->low[count] = 0.0;
    return count;
}

static twice fold(const lanes *sums)
{
    twice sum = {0.0, 0.0};
    for (int l = 0; l < LANES; l++)
        sum = twice_add(sum, (twice){sums->high[l], sums->low[l]});
    return sum;
}

static twice dot_part(const stored *x, const stored *y, int64_t begin, int64_t end)
{
    lanes sums = {{0.0}, {0.0}};
    block x_values, y_values;
    for (int64_t k = begin; k < end; k += BLOCK) {
        const int64_t count = end - k < BLOCK ? end - k : BLOCK;
        stored_read(x, k, count, x_values.high, x_values.low);
        stored_read(y, k, count, y_values.high, y_values.low);
        add_products(&sums, &x_values, &y_values, fill_up(&x_values, &y_values, count));
    }
    return fold(&sums);
}

static void add_squares(squares *sums, double result, twice exact)
{
    const double wrong = (result - exact.high) - exact.low;
    sums->wrong += wrong * wrong;
    sums->exact += exact.high * exact.high;
}

static double ratio(double wrong, double exact)
{
    return wrong == 0.0 ? 0.0 : wrong / exact;
}

static double norm_ratio(const squares *parts)
{
    squares sum = {0.0, 0.0};
    for (int part = 0; part < PARTS; part++) {
        sum.wrong += parts[part].wrong;
        sum.exact += parts[part].exact;
    }
    return sqrt(ratio(sum.wrong, sum.exact));
}

stn_status reference_dot(int64_t n, const stored *x, const stored *y, double *high, double *low)
{
    twice parts[PARTS], sum = {0.0, 0.0};
#pragma omp parallel for schedule(dynamic)
    for (int part = 0; part < PARTS; part++)
        parts[part] = dot_part(x, y, begin_of(n, part), begin_of(n, part + 1));
    for (int part = 0; part < PARTS; part++)
        sum = twice_add(sum, parts[part]);
    *high = sum.high;
    *low = sum.low;
    return STN_OK;
}

stn_status reference_dot_error(const stored *x, const stored *y, stn_format arithmetic,
                               const void *result, double *error)
{
    twice sum;
    STN_TRY(reference_dot(x->count, x, y, &sum.high, &sum.low));
    const double wrong = (result_at(arithmetic, result, 0) - sum.high) - sum.low;
    *error = ratio(fabs(wrong), fabs(sum.high + sum.low));
    return STN_OK;
}

stn_status reference_axpy_error(double alpha, const stored *x, const stored *y,
                                stn_format arithmetic, const void *result, double *error)
{
    squares parts[PARTS] = {{0.0, 0.0}};
#pragma omp parallel for schedule(dynamic)
    for (int part = 0; part < PARTS; part++) {
        const int64_t end = begin_of(x->count, part + 1);
        block x_values, y_values;
        for (int64_t k = begin_of(x->count, part); k < end; k += BLOCK) {
            const int64_t count = end - k < BLOCK ? end - k : BLOCK;
            stored_read(x, k, count, x_values.high, x_values.low);
            stored_read(y, k, count, y_values.high, y_values.low);
            for (int64_t i = 0; i < count; i++) {
                const twice factor = {alpha, 0.0}, addend = {y_values.high[i], y_values.low[i]};
                const twice value = {x_values.high[i], x_values.low[i]};
                add_squares(&parts[part], result_at(arithmetic, result, k + i),
                            twice_add_product(addend, factor, value));
            }
        }
    }
    *error = norm_ratio(parts);
    return STN_OK;
}

/* ---- matrix times vector ---- */

typedef struct product {
    const matrix_pattern *pattern;
    const stored *a;
    const double *high, *low; /* x */
} product;

static void gather(const product *job, int64_t column, int64_t entry, int64_t count, block *x)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = job->pattern->column ? job->pattern->column[entry + k] : column + k;
        x->high[k] = job->high[at];
        x->low[k] = job->low[at];
    }
}

/* The sum over entries begin ... end - 1 of a row. */
static twice product_run(const product *job, int64_t begin, int64_t end)
{
    lanes sums = {{0.0}, {0.0}};
    block a_values, x_values;
    for (int64_t k = begin; k < end; k += BLOCK) {
        const int64_t count = end - k < BLOCK ? end - k : BLOCK;
        stored_read(job->a, k, count, a_values.high, a_values.low);
        gather(job, k - begin, k, count, &x_values);
        add_products(&sums, &a_values, &x_values, fill_up(&a_values, &x_values, count));
    }
    return fold(&sums);
}

static twice product_row(const product *job, int64_t row)
{
    const int64_t *row_start = job->pattern->row_start, columns = job->pattern->columns;
    const int64_t begin = row_start ? row_start[row] : row * columns;
    return product_run(job, begin, row_start ? row_start[row + 1] : begin + columns);
}

stn_status reference_product_error(const matrix_pattern *pattern, const stored *a, const stored *x,
                                   stn_format arithmetic, const void *result, double *error)
{
    squares parts[PARTS] = {{0.0, 0.0}};
    double *values;
    STN_TRY(stn_allocate(&values, 2 * x->count, sizeof *values, "reference vector"));
    stored_read(x, 0, x->count, values, values + x->count);
    const product job = {pattern, a, values, values + x->count};
#pragma omp parallel for schedule(dynamic)
    for (int part = 0; part < PARTS; part++) {
        const int64_t end = begin_of(pattern->rows, part + 1);
        for (int64_t row = begin_of(pattern->rows, part); row < end; row++)
            add_squares(&parts[part], result_at(arithmetic, result, row), product_row(&job, row));
    }
    stn_free(values);
    *error = norm_ratio(parts);
    return STN_OK;
}

/* ---- dense matrices: exact vectors ---- */

stn_status reference_product(int64_t n, const stored *a, const stored *x, double *high, double *low)
{
    const matrix_pattern pattern = {.rows = n, .columns = n};
    double *values;
    STN_TRY(stn_allocate(&values, 2 * n, sizeof *values, "reference vector"));
    stored_read(x, 0, n, values, values + n);
    const product job = {&pattern, a, values, values + n};
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < n; row++) {
        const twice sum = product_row(&job, row);
        high[row] = sum.high;
        low[row] = sum.low;
    }
    stn_free(values);
    return STN_OK;
}

/* Adds rows sequentially, each to the sums of a range of columns. */
stn_status reference_transposed_product(int64_t n, const stored *a, const stored *x, double *high,
                                        double *low)
{
#pragma omp parallel for schedule(dynamic)
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        const int64_t count = n - begin < BLOCK ? n - begin : BLOCK;
        block a_values, sums = {{0.0}, {0.0}};
        for (int64_t row = 0; row < n; row++) {
            twice factor;
            stored_read(x, row, 1, &factor.high, &factor.low);
            stored_read(a, row * n + begin, count, a_values.high, a_values.low);
            for (int64_t k = 0; k < count; k++) {
                const twice sum =
                    twice_add_product((twice){sums.high[k], sums.low[k]},
                                      (twice){a_values.high[k], a_values.low[k]}, factor);
                sums.high[k] = sum.high;
                sums.low[k] = sum.low;
            }
        }
        for (int64_t k = 0; k < count; k++) {
            high[begin + k] = sums.high[k];
            low[begin + k] = sums.low[k];
        }
    }
    return STN_OK;
}

/* a / b, where b has no low part. */
static twice twice_divide(twice a, double b)
{
    const double high = (a.high + a.low) / b;
    const twice rest = twice_add_product(a, (twice){-high, 0.0}, (twice){b, 0.0});
    const double low = (rest.high + rest.low) / b;
    return (twice){high, low};
}

stn_status reference_solution(int64_t n, const stored *a, const stored *x, double *high,
                              double *low)
{
    const matrix_pattern pattern = {.rows = n, .columns = n};
    const product job = {&pattern, a, high, low};
    for (int64_t row = 0; row < n; row++) {
        const twice sum = product_run(&job, row * n, row * n + row);
        twice right, diagonal;
        stored_read(x, row, 1, &right.high, &right.low);
        stored_read(a, row * n + row, 1, &diagonal.high, &diagonal.low);
        right = twice_divide(twice_add(right, (twice){-sum.high, -sum.low}), diagonal.high);
        high[row] = right.high;
        low[row] = right.low;
    }
    return STN_OK;
}

double reference_norm1_error(int64_t n, const double *high, const double *low,
                             stn_format arithmetic, const void *result)
{
    double wrong = 0.0, exact = 0.0;
    for (int64_t k = 0; k < n; k++) {
        wrong += fabs((result_at(arithmetic, result, k) - high[k]) - low[k]);
        exact += fabs(high[k]);
    }
    return ratio(wrong, exact);
}
