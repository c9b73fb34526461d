/* ILU(0) and IC(0): elimination row by row within the pattern of the matrix.
 *
 * Row r takes a multiple of row k for each of its entries (r, k) left of the diagonal, which costs
 * the length of the shorter of both rows, up to a logarithm. Over all entries of a matrix with m
 * entries that is at most O(m^(3/2) log m): rows of up to sqrt(m) entries take that many steps per
 * entry, and there are at most sqrt(m) longer rows, each of which takes at most m steps in all.
 * Arrow matrices take O(m log m), in any order of their rows. */
#include "precondition/ilu_factor.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "precondition/number.h"
#include "sparse/ops/transpose.h"

typedef struct elimination {
    const char *call;
    const stn_exec *exec; /* of the host, or NULL */
    const stn_matrix *a;
    stn_ilu_kind kind;
    int is_complex;
    stn_format wide;     /* of values and pivots: f64 or c128 */
    stn_compressed rows; /* sorted by columns */
    void *value;         /* of the entries */
    void *pivot;
    int64_t *diagonal; /* index of each row's diagonal entry */
    int64_t *place;    /* per column: index of its entry in the current row, or -1 */
    int *row_exponent, *column_exponent, *spare; /* exponents of the scales; workspace */
    stn_factors *result;
} elimination;

/* ---- rows whose columns ascend ---- */

/* Every row must have each column at most once, including the diagonal. */
static stn_status check_rows(elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    for (int64_t r = 0; r < rows->rows; r++) {
        job->diagonal[r] = -1;
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            if (k > rows->start[r] && rows->column[k] == rows->column[k - 1])
                return stn_fail(STN_ERR_ARGUMENT, "%s: %s has two entries in row %lld, column %d",
                                job->call, stn_matrix_name(job->a), (long long)r, rows->column[k]);
            if (rows->column[k] == r)
                job->diagonal[r] = k;
        }
        if (job->diagonal[r] < 0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has no entry on the diagonal",
                            job->call, (long long)r, stn_matrix_name(job->a));
    }
    return STN_OK;
}

/* ---- elimination ---- */

/* Message with a row and a number as text. */
static stn_status refuse(const elimination *job, const char *message, int64_t row,
                         stn_number_text number)
{
    char text[200];
    snprintf(text, sizeof text, message, (long long)row, stn_matrix_name(job->a), number.text);
    return stn_fail(STN_ERR_ARGUMENT, "%s: %s", job->call, text);
}

/* MAX_DIFFERENCE: maximum difference of the exponents of rows, or of columns, for which L, U and
 * their products stay in the range of f64. MAX_SCALE_EXPONENT: largest exponent of a scale. */
enum { MAX_DIFFERENCE = 250, MAX_SCALE_EXPONENT = 1000 };

static int clamp(int exponent)
{
    return exponent > MAX_SCALE_EXPONENT    ? MAX_SCALE_EXPONENT
           : exponent < -MAX_SCALE_EXPONENT ? -MAX_SCALE_EXPONENT
                                            : exponent;
}

static stn_status allocate_exponents(elimination *job)
{
    const int64_t rows = job->rows.rows;
    STN_TRY(stn_allocate(&job->row_exponent, rows, sizeof *job->row_exponent, "scales of rows"));
    STN_TRY(stn_allocate(&job->spare, rows, sizeof *job->spare, "scales of rows"));
    return stn_allocate(&job->column_exponent, rows, sizeof *job->column_exponent,
                        "scales of columns");
}

/* Returns whether the exponents of rows or those of columns differ by more than that. */
static int differ_much(const elimination *job)
{
    for (int k = 0; k < 2; k++) {
        const int *const exponent = k ? job->column_exponent : job->row_exponent;
        int least = INT_MAX, max = INT_MIN;
        for (int64_t r = 0; r < job->rows.rows; r++) {
            least = exponent[r] < least ? exponent[r] : least;
            max = exponent[r] > max ? exponent[r] : max;
        }
        if (job->rows.rows > 0 && max - least > MAX_DIFFERENCE)
            return 1;
    }
    return 0;
}

static stn_status store_scales(const elimination *job)
{
    const int64_t rows = job->rows.rows;
    STN_TRY(stn_allocate(&job->result->row_scale, rows, sizeof(double), "scales of rows"));
    STN_TRY(stn_allocate(&job->result->column_scale, rows, sizeof(double), "scales of columns"));
    for (int64_t r = 0; r < rows; r++) {
        job->result->row_scale[r] = ldexp(1.0, job->row_exponent[r]);
        job->result->column_scale[r] = ldexp(1.0, job->column_exponent[r]);
    }
    return STN_OK;
}

/* approximate cost of searching for one column, in steps */
enum { SEARCH_COST = 8 };

/* The first entry from `at` on whose column is not less than the one searched for, or `end`: by
 * exponentially growing steps, followed by bisection. Advancing by d entries takes O(log d) steps.
 */
static int64_t find_column(const int32_t *column, int64_t at, int64_t end, int32_t searched,
                           int64_t *steps)
{
    int64_t low = at, width = 1;
    while (width < end - low && column[low + width - 1] < searched) {
        low += width;
        width *= 2;
        ++*steps;
    }
    int64_t high = end - low < width ? end : low + width;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (column[middle] < searched)
            low = middle + 1;
        else
            high = middle;
        ++*steps;
    }
    return low;
}

#define NUMBER        double
#define OF(name)      name##_f64
#define NUMBERS(name) stn_number_##name##_f64
#include "precondition/eliminate_of.h"
#undef NUMBER
#undef OF
#undef NUMBERS

#define NUMBER        stn_c128
#define OF(name)      name##_c128
#define NUMBERS(name) stn_number_##name##_c128
#include "precondition/eliminate_of.h"

/* ---- factors ---- */

/* Extracts one triangle of the factored matrix. */
static stn_status extract_triangle(const elimination *job, int is_upper, stn_compressed *triangle)
{
    const stn_compressed *const rows = &job->rows;
    const stn_storage wide = stn_storage_of(job->wide);
    stn_compressed_matrix to;
    stn_matrix result;
    int64_t entries = 0, at = 0;
    for (int64_t r = 0; r < rows->rows; r++)
        entries += is_upper ? rows->start[r + 1] - job->diagonal[r] - 1
                            : job->diagonal[r] - rows->start[r];
    STN_TRY(stn_compressed_create(job->call, job->a->label, &wide, rows->rows, rows->rows, entries,
                                  &result, &to));
    const size_t code = job->is_complex ? sizeof(stn_c128) : sizeof(double);
    for (int64_t r = 0; r < rows->rows; r++) {
        const int64_t begin = is_upper ? job->diagonal[r] + 1 : rows->start[r];
        const int64_t end = is_upper ? rows->start[r + 1] : job->diagonal[r];
        to.start[r] = at;
        for (int64_t k = begin; k < end; k++, at++) {
            to.column[at] = rows->column[k];
            memcpy(to.codes + (size_t)at * code, (const char *)job->value + (size_t)k * code, code);
        }
    }
    to.start[rows->rows] = at;
    stn_compressed_move(triangle, &result);
    return STN_OK;
}

/* Concatenates each row of `lower` and the corresponding row of `upper`. */
static void join_halves(const stn_compressed *lower, const stn_compressed *upper,
                        const stn_compressed_matrix *to)
{
    int64_t at = 0;
    for (int64_t r = 0; r < lower->rows; r++) {
        to->start[r] = at;
        for (int half = 0; half < 2; half++) {
            const stn_compressed *const side = half ? upper : lower;
            for (int64_t k = side->start[r]; k < side->start[r + 1]; k++) {
                if (half ? side->column[k] <= r : side->column[k] > r)
                    continue;
                to->column[at] = side->column[k];
                memcpy(to->codes + at * side->code, side->codes + k * side->code,
                       (size_t)side->code);
                at++;
            }
        }
    }
    to->start[lower->rows] = at;
}

/* The lower triangle of a symmetric matrix and its mirror image, not yet conjugated. */
static stn_status mirror_lower(elimination *job)
{
    const stn_compressed sorted = job->rows;
    stn_matrix result;
    stn_compressed other;
    stn_compressed_matrix to;
    int64_t entries = 0;
    STN_TRY(stn_transpose_compressed(job->call, job->exec, job->a->label, &sorted, &result));
    stn_compressed_move(&other, &result);
    for (int64_t r = 0; r < sorted.rows; r++)
        for (int64_t k = sorted.start[r]; k < sorted.start[r + 1]; k++)
            entries += sorted.column[k] < r ? 2 : sorted.column[k] == r;
    const stn_status status = stn_compressed_create(
        job->call, job->a->label, &sorted.storage, sorted.rows, sorted.rows, entries, &result, &to);
    if (status == STN_OK) {
        join_halves(&sorted, &other, &to);
        stn_compressed_close(&job->rows);
        stn_compressed_move(&job->rows, &result);
    }
    stn_compressed_close(&other);
    return status;
}

static stn_status allocate(elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    const size_t code = job->is_complex ? sizeof(stn_c128) : sizeof(double);
    STN_TRY(stn_allocate(&job->value, rows->entries, code, "factors"));
    STN_TRY(stn_allocate(&job->diagonal, rows->rows, sizeof *job->diagonal, "a diagonal"));
    STN_TRY(stn_allocate(&job->place, rows->rows, sizeof *job->place, "places"));
    STN_TRY(stn_allocate(&job->result->pivot, rows->rows, code, "pivots"));
    job->pivot = job->result->pivot;
    return STN_OK;
}

/* U is the adjoint of L. */
static stn_status mirror_factor(const elimination *job)
{
    stn_matrix upper;
    STN_TRY(
        stn_transpose_compressed(job->call, job->exec, job->a->label, &job->result->lower, &upper));
    stn_compressed_move(&job->result->upper, &upper);
    stn_c128 *const value = (stn_c128 *)(void *)(uintptr_t)job->result->upper.codes;
    for (int64_t k = 0; job->is_complex && k < job->result->upper.entries; k++)
        value[k] = stn_c128_conj(value[k]);
    return STN_OK;
}

static stn_status factor_rows(elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    STN_TRY(allocate(job));
    STN_TRY(check_rows(job));
    if (rows->entries > 0)
        STN_TRY(stn_decode(job->wide, job->value, &rows->storage, rows->codes, 1, rows->entries));
    STN_TRY(job->is_complex ? factor_c128(job) : factor_f64(job));
    STN_TRY(extract_triangle(job, 0, &job->result->lower));
    return job->kind == STN_ILU0 ? extract_triangle(job, 1, &job->result->upper)
                                 : mirror_factor(job);
}

static stn_status sort_rows(elimination *job)
{
    stn_compressed from;
    stn_matrix sorted;
    STN_TRY(stn_compressed_open(job->call, NULL, job->a, &from));
    const stn_status status =
        stn_sort_compressed(job->call, job->exec, job->a->label, &from, &sorted);
    stn_compressed_close(&from);
    if (status == STN_OK)
        stn_compressed_move(&job->rows, &sorted);
    return status;
}

stn_status stn_ilu_factor(const char *call, const stn_exec *exec, const stn_matrix *a,
                          stn_ilu_kind kind, stn_factors *factors)
{
    const int is_complex = stn_matrix_is_complex(a);
    elimination job = {.call = call,
                       .exec = exec,
                       .a = a,
                       .kind = kind,
                       .is_complex = is_complex,
                       .wide = is_complex ? STN_C128 : STN_F64,
                       .result = factors};
    memset(factors, 0, sizeof *factors);
    stn_status status = sort_rows(&job);
    if (status == STN_OK && kind == STN_IC0)
        status = mirror_lower(&job);
    if (status == STN_OK)
        status = factor_rows(&job);
    stn_compressed_close(&job.rows);
    stn_free(job.value);
    stn_free(job.diagonal);
    stn_free(job.place);
    stn_free(job.row_exponent);
    stn_free(job.column_exponent);
    stn_free(job.spare);
    return status;
}

void stn_factors_release(stn_factors *factors)
{
    stn_compressed_close(&factors->lower);
    stn_compressed_close(&factors->upper);
    stn_free(factors->pivot);
    stn_free(factors->row_scale);
    stn_free(factors->column_scale);
}
