/* ILU(0) and IC(0): elimination row by row within the pattern of the matrix.
 *
 * Row r takes a multiple of row k for each of its entries (r, k) left of the diagonal, which costs
 * the length of the shorter of both rows, up to a logarithm. Over all entries of a matrix with m
 * entries that is at most O(m^(3/2) log m): rows of up to sqrt(m) entries take that many steps per
 * entry, and there are at most sqrt(m) longer rows, each of which takes at most m steps in all.
 * Arrow matrices take O(m log m), in any order of their rows. */
#include "solver/ilu_factor.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "solver/number.h"
#include "sparse/transpose.h"

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
    stn_factors *made;
} elimination;

/* ---- rows whose columns ascend ---- */

/* Every row must have each column at most once, including the diagonal. */
static stn_status check_rows(elimination *all)
{
    const stn_compressed *const rows = &all->rows;
    for (int64_t r = 0; r < rows->rows; r++) {
        all->diagonal[r] = -1;
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            if (k > rows->start[r] && rows->column[k] == rows->column[k - 1])
                return stn_fail(STN_ERR_ARGUMENT, "%s: %s has two entries in row %lld, column %d",
                                all->call, stn_matrix_name(all->a), (long long)r, rows->column[k]);
            if (rows->column[k] == r)
                all->diagonal[r] = k;
        }
        if (all->diagonal[r] < 0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has no entry on the diagonal",
                            all->call, (long long)r, stn_matrix_name(all->a));
    }
    return STN_OK;
}

/* ---- elimination ---- */

/* Message with a row and a number as text. */
static stn_status refuse(const elimination *all, const char *words, int64_t row,
                         stn_number_text number)
{
    char text[200];
    snprintf(text, sizeof text, words, (long long)row, stn_matrix_name(all->a), number.text);
    return stn_fail(STN_ERR_ARGUMENT, "%s: %s", all->call, text);
}

/* MOST_APART: maximum difference of the exponents of rows, or of columns, for which L, U and their
 * products stay in the range of f64. GREATEST_SCALE: largest exponent of a scale. */
enum { MOST_APART = 250, GREATEST_SCALE = 1000 };

static int clamp(int exponent)
{
    return exponent > GREATEST_SCALE    ? GREATEST_SCALE
           : exponent < -GREATEST_SCALE ? -GREATEST_SCALE
                                        : exponent;
}

static stn_status allocate_exponents(elimination *all)
{
    const int64_t rows = all->rows.rows;
    STN_TRY(stn_allocate(&all->row_exponent, rows, sizeof *all->row_exponent, "scales of rows"));
    STN_TRY(stn_allocate(&all->spare, rows, sizeof *all->spare, "scales of rows"));
    return stn_allocate(&all->column_exponent, rows, sizeof *all->column_exponent,
                        "scales of columns");
}

/* Returns whether the exponents of rows or those of columns differ by more than that. */
static int are_disjoint(const elimination *all)
{
    for (int k = 0; k < 2; k++) {
        const int *const exponent = k ? all->column_exponent : all->row_exponent;
        int least = INT_MAX, most = INT_MIN;
        for (int64_t r = 0; r < all->rows.rows; r++) {
            least = exponent[r] < least ? exponent[r] : least;
            most = exponent[r] > most ? exponent[r] : most;
        }
        if (all->rows.rows > 0 && most - least > MOST_APART)
            return 1;
    }
    return 0;
}

static stn_status store_scales(const elimination *all)
{
    const int64_t rows = all->rows.rows;
    STN_TRY(stn_allocate(&all->made->row_scale, rows, sizeof(double), "scales of rows"));
    STN_TRY(stn_allocate(&all->made->column_scale, rows, sizeof(double), "scales of columns"));
    for (int64_t r = 0; r < rows; r++) {
        all->made->row_scale[r] = ldexp(1.0, all->row_exponent[r]);
        all->made->column_scale[r] = ldexp(1.0, all->column_exponent[r]);
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
#include "solver/eliminate_of.h"
#undef NUMBER
#undef OF
#undef NUMBERS

#define NUMBER        stn_c128
#define OF(name)      name##_c128
#define NUMBERS(name) stn_number_##name##_c128
#include "solver/eliminate_of.h"

/* ---- factors ---- */

/* Extracts one triangle of the factored matrix. */
static stn_status take_triangle(const elimination *all, int is_upper, stn_compressed *taken)
{
    const stn_compressed *const rows = &all->rows;
    const stn_storage wide = stn_storage_of(all->wide);
    stn_compressed_matrix to;
    stn_matrix made;
    int64_t entries = 0, at = 0;
    for (int64_t r = 0; r < rows->rows; r++)
        entries += is_upper ? rows->start[r + 1] - all->diagonal[r] - 1
                            : all->diagonal[r] - rows->start[r];
    STN_TRY(stn_compressed_create(all->call, all->a->label, &wide, rows->rows, rows->rows, entries,
                                  &made, &to));
    const size_t code = all->is_complex ? sizeof(stn_c128) : sizeof(double);
    for (int64_t r = 0; r < rows->rows; r++) {
        const int64_t begin = is_upper ? all->diagonal[r] + 1 : rows->start[r];
        const int64_t end = is_upper ? rows->start[r + 1] : all->diagonal[r];
        to.start[r] = at;
        for (int64_t k = begin; k < end; k++, at++) {
            to.column[at] = rows->column[k];
            memcpy(to.codes + (size_t)at * code, (const char *)all->value + (size_t)k * code, code);
        }
    }
    to.start[rows->rows] = at;
    stn_compressed_move(taken, &made);
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
static stn_status mirror_lower(elimination *all)
{
    const stn_compressed sorted = all->rows;
    stn_matrix made;
    stn_compressed other;
    stn_compressed_matrix to;
    int64_t entries = 0;
    STN_TRY(stn_transpose_compressed(all->call, all->exec, all->a->label, &sorted, &made));
    stn_compressed_move(&other, &made);
    for (int64_t r = 0; r < sorted.rows; r++)
        for (int64_t k = sorted.start[r]; k < sorted.start[r + 1]; k++)
            entries += sorted.column[k] < r ? 2 : sorted.column[k] == r;
    const stn_status status = stn_compressed_create(all->call, all->a->label, &sorted.storage,
                                                    sorted.rows, sorted.rows, entries, &made, &to);
    if (status == STN_OK) {
        join_halves(&sorted, &other, &to);
        stn_compressed_close(&all->rows);
        stn_compressed_move(&all->rows, &made);
    }
    stn_compressed_close(&other);
    return status;
}

static stn_status allocate(elimination *all)
{
    const stn_compressed *const rows = &all->rows;
    const size_t code = all->is_complex ? sizeof(stn_c128) : sizeof(double);
    STN_TRY(stn_allocate(&all->value, rows->entries, code, "factors"));
    STN_TRY(stn_allocate(&all->diagonal, rows->rows, sizeof *all->diagonal, "a diagonal"));
    STN_TRY(stn_allocate(&all->place, rows->rows, sizeof *all->place, "places"));
    STN_TRY(stn_allocate(&all->made->pivot, rows->rows, code, "pivots"));
    all->pivot = all->made->pivot;
    return STN_OK;
}

/* U is the adjoint of L. */
static stn_status mirror_factor(const elimination *all)
{
    stn_matrix upper;
    STN_TRY(
        stn_transpose_compressed(all->call, all->exec, all->a->label, &all->made->lower, &upper));
    stn_compressed_move(&all->made->upper, &upper);
    stn_c128 *const value = (stn_c128 *)(void *)(uintptr_t)all->made->upper.codes;
    for (int64_t k = 0; all->is_complex && k < all->made->upper.entries; k++)
        value[k] = stn_c128_conj(value[k]);
    return STN_OK;
}

static stn_status factor_rows(elimination *all)
{
    const stn_compressed *const rows = &all->rows;
    STN_TRY(allocate(all));
    STN_TRY(check_rows(all));
    if (rows->entries > 0)
        STN_TRY(stn_decode(all->wide, all->value, &rows->storage, rows->codes, 1, rows->entries));
    STN_TRY(all->is_complex ? factor_c128(all) : factor_f64(all));
    STN_TRY(take_triangle(all, 0, &all->made->lower));
    return all->kind == STN_ILU0 ? take_triangle(all, 1, &all->made->upper) : mirror_factor(all);
}

static stn_status sort_rows(elimination *all)
{
    stn_compressed from;
    stn_matrix sorted;
    STN_TRY(stn_compressed_open(all->call, NULL, all->a, &from));
    const stn_status status =
        stn_sort_compressed(all->call, all->exec, all->a->label, &from, &sorted);
    stn_compressed_close(&from);
    if (status == STN_OK)
        stn_compressed_move(&all->rows, &sorted);
    return status;
}

stn_status stn_ilu_factor(const char *call, const stn_exec *exec, const stn_matrix *a,
                          stn_ilu_kind kind, stn_factors *factors)
{
    const int is_complex = stn_matrix_is_complex(a);
    elimination all = {.call = call,
                       .exec = exec,
                       .a = a,
                       .kind = kind,
                       .is_complex = is_complex,
                       .wide = is_complex ? STN_C128 : STN_F64,
                       .made = factors};
    memset(factors, 0, sizeof *factors);
    stn_status status = sort_rows(&all);
    if (status == STN_OK && kind == STN_IC0)
        status = mirror_lower(&all);
    if (status == STN_OK)
        status = factor_rows(&all);
    stn_compressed_close(&all.rows);
    stn_free(all.value);
    stn_free(all.diagonal);
    stn_free(all.place);
    stn_free(all.row_exponent);
    stn_free(all.column_exponent);
    stn_free(all.spare);
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
