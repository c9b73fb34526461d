/* The operations of `steno bench versus`: by Steno, by the C interface of BLAS, and their
 * errors. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "measure/exact.h"
#include "steno/blas.h"
#include "versus.h"

enum { CHECKED_ROWS = 16 };       /* rows of a matrix that are checked, evenly distributed */
static const double alpha = 1e-9; /* small enough that repeated y = alpha x + y stays finite */

static double at(const versus_contest *c, const void *array, int64_t k)
{
    return c->format == STN_F64 ? ((const double *)array)[k] : (double)((const float *)array)[k];
}

/* Error of the sum of products, relative to the sum of their magnitudes. */
static double product_error(const versus_contest *c, const void *a, int64_t first, int64_t step,
                            double result)
{
    measure_sum sum = {0.0, 0.0};
    double magnitude = 0.0;
    for (int64_t k = 0; k < c->n; k++) {
        const double x = at(c, c->x, k), y = at(c, a, first + k * step);
        sum = measure_add_product(sum, x, y);
        magnitude += fabs(x * y);
    }
    return magnitude == 0.0 ? 0.0 : fabs(measure_minus(sum, result)) / magnitude;
}

/* ---- vectors ---- */

static stn_status steno_dot(versus_contest *c)
{
    return stn_dot(c->exec, c->arithmetic, &c->result, &c->view_x, &c->view_y);
}

static void dot_f64(versus_contest *c, const peer *by)
{
    c->result = by->ddot((int)c->n, c->x, 1, c->y, 1);
}

static void dot_f32(versus_contest *c, const peer *by)
{
    c->result = (double)by->sdot((int)c->n, c->x, 1, c->y, 1);
}

static double dot_error(versus_contest *c)
{
    return product_error(c, c->y, 0, 1, c->result);
}

static stn_status steno_nrm2(versus_contest *c)
{
    return stn_nrm2(c->exec, c->arithmetic, &c->result, &c->view_x);
}

static void nrm2_f64(versus_contest *c, const peer *by)
{
    c->result = by->dnrm2((int)c->n, c->x, 1);
}

static void nrm2_f32(versus_contest *c, const peer *by)
{
    c->result = (double)by->snrm2((int)c->n, c->x, 1);
}

/* |r - sqrt(s)| / sqrt(s), computed from r^2 - s. */
static double nrm2_error(versus_contest *c)
{
    measure_sum sum = {0.0, 0.0};
    for (int64_t k = 0; k < c->n; k++)
        sum = measure_add_product(sum, at(c, c->x, k), at(c, c->x, k));
    const double exact = sum.high;
    const measure_sum rest = measure_add_product(sum, -c->result, c->result);
    return exact == 0.0 ? 0.0 : fabs(rest.high + rest.low) / (2.0 * exact);
}

static stn_status steno_axpy(versus_contest *c)
{
    return stn_axpy(c->exec, c->arithmetic, alpha, &c->view_x, &c->view_y);
}

static void axpy_f64(versus_contest *c, const peer *by)
{
    by->daxpy((int)c->n, alpha, c->x, 1, c->y, 1);
}

static void axpy_f32(versus_contest *c, const peer *by)
{
    by->saxpy((int)c->n, (float)alpha, c->x, 1, c->y, 1);
}

/* ---- matrices ---- */

static stn_status steno_gemv(versus_contest *c)
{
    return stn_gemv(c->exec, c->arithmetic, 1.0, &c->view_a, &c->view_x, 0.0, &c->view_y);
}

static stn_status steno_gemv_t(versus_contest *c)
{
    return stn_gemv(c->exec, c->arithmetic, 1.0, &c->view_transposed, &c->view_x, 0.0, &c->view_y);
}

static void gemv_by(versus_contest *c, const peer *by, int transpose)
{
    const int n = (int)c->n;
    if (c->format == STN_F64)
        by->dgemv(PEER_ROW_MAJOR, transpose, n, n, 1.0, c->a, n, c->x, 1, 0.0, c->y, 1);
    else
        by->sgemv(PEER_ROW_MAJOR, transpose, n, n, 1.0f, c->a, n, c->x, 1, 0.0f, c->y, 1);
}

static void gemv_peer(versus_contest *c, const peer *by)
{
    gemv_by(c, by, PEER_NO_TRANSPOSE);
}

static void gemv_t_peer(versus_contest *c, const peer *by)
{
    gemv_by(c, by, PEER_TRANSPOSE);
}

static double worst_row(const versus_contest *c, int64_t row_step, int64_t step)
{
    const int64_t rows = c->n < CHECKED_ROWS ? c->n : CHECKED_ROWS;
    double worst = 0.0;
    for (int64_t k = 0; k < rows; k++) {
        const int64_t row = k * c->n / rows;
        worst = fmax(worst, product_error(c, c->a, row * row_step, step, at(c, c->y, row)));
    }
    return worst;
}

static double gemv_error(versus_contest *c)
{
    return worst_row(c, c->n, 1);
}

static double gemv_t_error(versus_contest *c)
{
    return worst_row(c, 1, c->n);
}

/* y = x, in which the solution replaces the right-hand side. */
static void copy_x(const versus_contest *c)
{
    memcpy(c->y, c->x, (size_t)c->n * c->width);
}

static stn_status steno_trsv(versus_contest *c)
{
    copy_x(c);
    return stn_trsv(c->exec, c->arithmetic, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE,
                    &c->view_a, &c->view_y);
}

static void trsv_peer(versus_contest *c, const peer *by)
{
    const int n = (int)c->n;
    copy_x(c);
    if (c->format == STN_F64)
        by->dtrsv(PEER_ROW_MAJOR, PEER_LOWER, PEER_NO_TRANSPOSE, PEER_NON_UNIT, n, c->a, n, c->y,
                  1);
    else
        by->strsv(PEER_ROW_MAJOR, PEER_LOWER, PEER_NO_TRANSPOSE, PEER_NON_UNIT, n, c->a, n, c->y,
                  1);
}

/* Residual of the solution, relative to the sum of magnitudes. */
static double trsv_error(versus_contest *c)
{
    double worst = 0.0;
    for (int64_t i = 0; i < c->n; i += 1 + c->n / CHECKED_ROWS) {
        measure_sum sum = {0.0, 0.0};
        double magnitude = 0.0;
        for (int64_t j = 0; j <= i; j++) {
            const double a = at(c, c->a, i * c->n + j), y = at(c, c->y, j);
            sum = measure_add_product(sum, a, y);
            magnitude += fabs(a * y);
        }
        worst = fmax(worst, fabs(measure_minus(sum, at(c, c->x, i))) / magnitude);
    }
    return worst;
}

static stn_status steno_gemm(versus_contest *c)
{
    return stn_gemm(c->exec, c->arithmetic, 1.0, &c->view_a, &c->view_b, 0.0, &c->view_c);
}

static void gemm_peer(versus_contest *c, const peer *by)
{
    const int n = (int)c->n;
    if (c->format == STN_F64)
        by->dgemm(PEER_ROW_MAJOR, PEER_NO_TRANSPOSE, PEER_NO_TRANSPOSE, n, n, n, 1.0, c->a, n, c->b,
                  n, 0.0, c->c, n);
    else
        by->sgemm(PEER_ROW_MAJOR, PEER_NO_TRANSPOSE, PEER_NO_TRANSPOSE, n, n, n, 1.0f, c->a, n,
                  c->b, n, 0.0f, c->c, n);
}

/* Checks elements in different rows and columns. */
static double gemm_error(versus_contest *c)
{
    double worst = 0.0;
    for (int64_t i = 0; i < c->n; i += 1 + c->n / CHECKED_ROWS) {
        const int64_t j = c->n - 1 - i;
        measure_sum sum = {0.0, 0.0};
        double magnitude = 0.0;
        for (int64_t k = 0; k < c->n; k++) {
            const double a = at(c, c->a, i * c->n + k), b = at(c, c->b, k * c->n + j);
            sum = measure_add_product(sum, a, b);
            magnitude += fabs(a * b);
        }
        worst = fmax(worst, fabs(measure_minus(sum, at(c, c->c, i * c->n + j))) / magnitude);
    }
    return worst;
}

/* ---- table of operations ---- */

static const versus_operation operations[] = {
    {"dot", 0, 0, 0, steno_dot, dot_f64, dot_f32, dot_error, VERSUS_CONTIGUOUS, 0, 0},
    {"nrm2", 0, 0, 0, steno_nrm2, nrm2_f64, nrm2_f32, nrm2_error, VERSUS_CONTIGUOUS, 0, 0},
    {"axpy", 0, 0, 0, steno_axpy, axpy_f64, axpy_f32, NULL, VERSUS_CONTIGUOUS, 0, 0},
    {"gemv", 1, 0, 0, steno_gemv, gemv_peer, gemv_peer, gemv_error, VERSUS_CONTIGUOUS, 0, 0},
    {"gemv-t", 1, 0, 0, steno_gemv_t, gemv_t_peer, gemv_t_peer, gemv_t_error, VERSUS_CONTIGUOUS, 0,
     0},
    {"trsv", 1, 0, 1, steno_trsv, trsv_peer, trsv_peer, trsv_error, VERSUS_CONTIGUOUS, 0, 0},
    {"gemm", 1, 1, 0, steno_gemm, gemm_peer, gemm_peer, gemm_error, VERSUS_CONTIGUOUS, 0, 0},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

const versus_operation *versus_operation_at(int k)
{
    return k < OPERATIONS ? &operations[k] : NULL;
}

stn_status versus_find(const char *name, const versus_operation **found)
{
    for (int k = 0; k < OPERATIONS; k++)
        if (strcmp(operations[k].name, name) == 0) {
            *found = &operations[k];
            return STN_OK;
        }
    return stn_fail(STN_ERR_ARGUMENT,
                    "unknown operation '%s' (known: dot, nrm2, axpy, gemv, gemv-t, trsv, gemm)",
                    name);
}

/* ---- operands ---- */

static int64_t bytes_of(stn_format format)
{
    return format == STN_F64 ? 8 : 4;
}

/* Elements of A. */
static int64_t matrix_of(const versus_operation *operation, int64_t n)
{
    return !operation->is_matrix               ? 0
           : operation->shape == VERSUS_PACKED ? n * (n + 1) / 2
           : operation->shape == VERSUS_BAND || operation->shape == VERSUS_HALF_BAND
               ? VERSUS_DIAGONALS * n
               : n * n;
}

static int64_t increment_of(const versus_operation *operation)
{
    return operation->shape == VERSUS_STRIDED ? VERSUS_INCREMENT : 1;
}

double versus_bytes(const versus_operation *operation, stn_format format, int64_t n)
{
    const double products = operation->is_product ? 2.0 * (double)n * (double)n : 0.0;
    const double elements =
        2.0 * (double)(increment_of(operation) * n) + (double)matrix_of(operation, n) + products;
    return elements * (double)bytes_of(format);
}

static stn_status fill(const versus_contest *c, void *array, uint64_t seed, int64_t count)
{
    STN_TRY(stn_allocate(array, count, (size_t)bytes_of(c->format), "operands"));
    void *const values = *(void **)array;
    for (int64_t k = 0; k < count; k++) {
        const double value = measure_datum(MEASURE_RANDOM, seed, k, count);
        if (c->format == STN_F64)
            ((double *)values)[k] = value;
        else
            ((float *)values)[k] = (float)value;
    }
    return STN_OK;
}

/* Diagonal elements are n, so that solutions stay finite. */
static void set_diagonal(const versus_contest *c)
{
    const versus_shape shape = c->operation->shape;
    for (int64_t k = 0; k < c->n; k++) {
        const int64_t at = shape == VERSUS_PACKED      ? k * (k + 3) / 2
                           : shape == VERSUS_HALF_BAND ? k * VERSUS_DIAGONALS + VERSUS_DIAGONALS - 1
                                                       : k * (c->n + 1);
        if (c->format == STN_F64)
            ((double *)c->a)[at] = (double)c->n;
        else
            ((float *)c->a)[at] = (float)c->n;
    }
}

/* Diagonals that do not exist are not part of the view. */
static stn_status wrap_band(versus_contest *c, const int64_t *extents)
{
    const int64_t whole =
        c->operation->shape == VERSUS_BAND ? VERSUS_DIAGONALS / 2 : VERSUS_DIAGONALS - 1;
    const int64_t below = whole < c->n ? whole : c->n - 1;
    const int64_t above = c->operation->shape == VERSUS_BAND ? below : 0;
    const stn_layout layout =
        stn_layout_banded(below, above, c->n > 1 ? VERSUS_DIAGONALS : 1, STN_LAYOUT_RIGHT);
    char *const first = (char *)c->a + (whole - below) * bytes_of(c->format);
    return stn_view_wrap_spec(&c->view_a,
                              &STN_VIEW_SPEC(.label = "A", .storage = stn_storage_of(c->format),
                                             .data = first, .layout = &layout, .rank = 2,
                                             .extents = extents));
}

static stn_status create_matrix(versus_contest *c)
{
    const stn_storage storage = stn_storage_of(c->format);
    const int64_t extents[] = {c->n, c->n}, turned[] = {1, c->n};
    const stn_layout packed = stn_layout_packed(STN_LOWER, STN_LAYOUT_RIGHT);
    STN_TRY(fill(c, &c->a, 3, matrix_of(c->operation, c->n)));
    if (c->operation->is_solved)
        set_diagonal(c);
    if (c->operation->shape == VERSUS_BAND || c->operation->shape == VERSUS_HALF_BAND)
        return wrap_band(c, extents);
    if (c->operation->shape == VERSUS_PACKED)
        return stn_view_wrap_spec(&c->view_a,
                                  &STN_VIEW_SPEC(.label = "A", .storage = storage, .data = c->a,
                                                 .layout = &packed, .rank = 2, .extents = extents));
    STN_TRY(stn_view_wrap(&c->view_a, "A", storage, c->a, 2, extents));
    return stn_view_wrap_spec(&c->view_transposed,
                              &STN_VIEW_SPEC(.label = "transposed A", .storage = storage,
                                             .data = c->a, .rank = 2, .extents = extents,
                                             .strides = turned));
}

static stn_status create_vector(versus_contest *c, const char *label, void *array, uint64_t seed,
                                stn_view *view)
{
    const int64_t increment = increment_of(c->operation);
    STN_TRY(fill(c, array, seed, increment * c->n));
    return stn_view_wrap_spec(view,
                              &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(c->format),
                                             .data = *(void **)array, .rank = 1, .extents = &c->n,
                                             .strides = &increment));
}

stn_status versus_create(versus_contest *c)
{
    const stn_storage storage = stn_storage_of(c->format);
    const int64_t extents[] = {c->n, c->n};
    c->width = (size_t)bytes_of(c->format);
    STN_TRY(create_vector(c, "x", &c->x, 1, &c->view_x));
    STN_TRY(create_vector(c, "y", &c->y, 2, &c->view_y));
    if (c->operation->is_product) {
        STN_TRY(fill(c, &c->b, 4, c->n * c->n));
        STN_TRY(fill(c, &c->c, 5, c->n * c->n));
        STN_TRY(stn_view_wrap(&c->view_b, "B", storage, c->b, 2, extents));
        STN_TRY(stn_view_wrap(&c->view_c, "C", storage, c->c, 2, extents));
    }
    return c->operation->is_matrix ? create_matrix(c) : STN_OK;
}

void versus_release(versus_contest *c)
{
    stn_free(c->a);
    stn_free(c->x);
    stn_free(c->y);
    stn_free(c->b);
    stn_free(c->c);
    c->a = c->x = c->y = c->b = c->c = NULL;
}
