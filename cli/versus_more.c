/* Rows of `steno bench versus` for the other functions of BLAS, from a table: by Steno, by a
 * library, and the difference between the results. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "steno/blas.h"
#include "versus.h"

static const double tiny = 1e-9; /* repeated additions of tiny products stay finite */

enum { UPLO = PEER_LOWER, NO = PEER_NO_TRANSPOSE, DIAG = PEER_NON_UNIT, LEFT = 141 };
enum { BAND = VERSUS_DIAGONALS / 2, HALF = VERSUS_DIAGONALS - 1, LDA = VERSUS_DIAGONALS };

/* ---- results ---- */

static double element(const versus_contest *c, const void *array, int64_t k)
{
    return c->format == STN_F64 ? ((const double *)array)[k] : (double)((const float *)array)[k];
}

/* The largest difference between an array and that of Steno, relative to its largest element. */
static double compare(versus_contest *c, const void *array, int64_t count)
{
    void *results;
    double difference = 0.0, largest = 0.0;
    if (stn_allocate(&results, count, c->width, "results") != STN_OK)
        return NAN;
    memcpy(results, array, (size_t)count * c->width);
    if (c->operation->steno(c) != STN_OK)
        difference = NAN;
    for (int64_t k = 0; k < count; k++) {
        difference = fmax(difference, fabs(element(c, results, k) - element(c, array, k)));
        largest = fmax(largest, fabs(element(c, array, k)));
    }
    stn_free(results);
    return largest > 0.0 ? difference / largest : difference;
}

static double difference_y(versus_contest *c)
{
    return compare(c, c->y, c->n);
}

static double difference_c(versus_contest *c)
{
    return compare(c, c->c, c->n * c->n);
}

static double difference_result(versus_contest *c)
{
    const double result = c->result;
    if (c->operation->steno(c) != STN_OK)
        return NAN;
    return c->result != 0.0 ? fabs(result / c->result - 1.0) : fabs(result);
}

/* ---- functions ---- */

/* The right-hand side, or the factor, in the memory of the result. */
static void restore_y(const versus_contest *c)
{
    memcpy(c->y, c->x, (size_t)c->n * c->width);
}

static void restore_c(const versus_contest *c)
{
    memcpy(c->c, c->b, (size_t)(c->n * c->n) * c->width);
}

/* NAME_f64 and NAME_f32 call a function of the library, with T, n and c; `before` precedes both
 * sides, and `to` takes its value. */
#define CALL_PEER(name, suffix, type, is_narrow, function, before, to, result, parameters, ...)    \
    static void name##_##suffix(versus_contest *c, const peer *by)                                 \
    {                                                                                              \
        typedef type T;                                                                            \
        const int n = (int)c->n;                                                                   \
        result(*call) parameters;                                                                  \
        memcpy(&call, &by->more[PEER_##function][is_narrow], sizeof call);                         \
        (void)n;                                                                                   \
        before;                                                                                    \
        to call(__VA_ARGS__);                                                                      \
    }
#define DEFINE(name, function, before, steno, to, result, parameters, ...)                         \
    static stn_status steno_##name(versus_contest *c)                                              \
    {                                                                                              \
        before;                                                                                    \
        return steno;                                                                              \
    }                                                                                              \
    CALL_PEER(name, f64, double, 0, function, before, to, result, parameters, __VA_ARGS__)         \
    CALL_PEER(name, f32, float, 1, function, before, to, result, parameters, __VA_ARGS__)
#define NOTHING    (void)0
#define ON         c->exec, c->arithmetic
#define TO_RESULT  c->result = (double)
#define READS_ONE  (int, const T *, int)
#define WRITES_ONE (int, T, T *, int)
#define WRITES_TWO (int, T *, int, T *, int)
#define TRIANGLE   STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &c->view_a
#define BOTH(step) n, c->x, step, c->y, step

/* clang-format off */
#define VECTORS(suffix, step)                                                                      \
    DEFINE(asum##suffix, asum, NOTHING, stn_asum(ON, &c->result, &c->view_x), TO_RESULT, T, READS_ONE, n, c->x, step) \
    DEFINE(scal##suffix, scal, NOTHING, stn_scal(ON, -1.0, &c->view_x), , void, WRITES_ONE, n, (T)-1, c->x, step) \
    DEFINE(swap##suffix, swap, NOTHING, stn_swap(ON, &c->view_x, &c->view_y), , void, WRITES_TWO, BOTH(step)) \
    DEFINE(copy##suffix, copy, NOTHING, stn_view_copy(c->exec, &c->view_y, &c->view_x), , void, (int, const T *, int, T *, int), BOTH(step)) \
    DEFINE(rot##suffix, rot, NOTHING, stn_rot(ON, &c->view_x, &c->view_y, 0.6, 0.8), , void, (int, T *, int, T *, int, T, T), BOTH(step), (T)0.6, (T)0.8)
VECTORS(, 1)
VECTORS(_2, VERSUS_INCREMENT)
DEFINE(dot_2, dot, NOTHING, stn_dot(ON, &c->result, &c->view_x, &c->view_y), TO_RESULT, T,
       (int, const T *, int, const T *, int), BOTH(VERSUS_INCREMENT))
DEFINE(axpy_2, axpy, NOTHING, stn_axpy(ON, tiny, &c->view_x, &c->view_y), , void,
       (int, T, const T *, int, T *, int), n, (T)tiny, c->x, VERSUS_INCREMENT, c->y, VERSUS_INCREMENT)

static stn_status find_largest(versus_contest *c)
{
    int64_t index;
    STN_TRY(stn_iamax(ON, &index, &c->view_x));
    c->result = (double)index;
    return STN_OK;
}
DEFINE(iamax, iamax, NOTHING, find_largest(c), TO_RESULT, size_t, READS_ONE, n, c->x, 1)

DEFINE(symv, symv, NOTHING, stn_symv(ON, STN_LOWER, 1.0, &c->view_a, &c->view_x, 0.0, &c->view_y), , void,
       (int, int, int, T, const T *, int, const T *, int, T, T *, int), PEER_ROW_MAJOR, UPLO, n, (T)1, c->a, n, c->x, 1, (T)0, c->y, 1)
DEFINE(trmv, trmv, restore_y(c), stn_trmv(ON, TRIANGLE, &c->view_y), , void,
       (int, int, int, int, int, const T *, int, T *, int), PEER_ROW_MAJOR, UPLO, NO, DIAG, n, c->a, n, c->y, 1)
DEFINE(ger, ger, NOTHING, stn_ger(ON, tiny, &c->view_x, &c->view_y, &c->view_a), , void,
       (int, int, int, T, const T *, int, const T *, int, T *, int), PEER_ROW_MAJOR, n, n, (T)tiny, c->x, 1, c->y, 1, c->a, n)
DEFINE(syr, syr, NOTHING, stn_syr(ON, STN_LOWER, tiny, &c->view_x, &c->view_a), , void,
       (int, int, int, T, const T *, int, T *, int), PEER_ROW_MAJOR, UPLO, n, (T)tiny, c->x, 1, c->a, n)
DEFINE(spmv, spmv, NOTHING, stn_symv(ON, STN_LOWER, 1.0, &c->view_a, &c->view_x, 0.0, &c->view_y), , void,
       (int, int, int, T, const T *, const T *, int, T, T *, int), PEER_ROW_MAJOR, UPLO, n, (T)1, c->a, c->x, 1, (T)0, c->y, 1)
DEFINE(tpmv, tpmv, restore_y(c), stn_trmv(ON, TRIANGLE, &c->view_y), , void,
       (int, int, int, int, int, const T *, T *, int), PEER_ROW_MAJOR, UPLO, NO, DIAG, n, c->a, c->y, 1)
DEFINE(tpsv, tpsv, restore_y(c), stn_trsv(ON, TRIANGLE, &c->view_y), , void,
       (int, int, int, int, int, const T *, T *, int), PEER_ROW_MAJOR, UPLO, NO, DIAG, n, c->a, c->y, 1)
DEFINE(gbmv, gbmv, NOTHING, stn_gemv(ON, 1.0, &c->view_a, &c->view_x, 0.0, &c->view_y), , void,
       (int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *, int),
       PEER_ROW_MAJOR, NO, n, n, BAND, BAND, (T)1, c->a, LDA, c->x, 1, (T)0, c->y, 1)
DEFINE(sbmv, sbmv, NOTHING, stn_symv(ON, STN_LOWER, 1.0, &c->view_a, &c->view_x, 0.0, &c->view_y), , void,
       (int, int, int, int, T, const T *, int, const T *, int, T, T *, int), PEER_ROW_MAJOR, UPLO, n, HALF, (T)1, c->a, LDA, c->x, 1, (T)0, c->y, 1)
DEFINE(tbmv, tbmv, restore_y(c), stn_trmv(ON, TRIANGLE, &c->view_y), , void,
       (int, int, int, int, int, int, const T *, int, T *, int), PEER_ROW_MAJOR, UPLO, NO, DIAG, n, HALF, c->a, LDA, c->y, 1)
DEFINE(tbsv, tbsv, restore_y(c), stn_trsv(ON, TRIANGLE, &c->view_y), , void,
       (int, int, int, int, int, int, const T *, int, T *, int), PEER_ROW_MAJOR, UPLO, NO, DIAG, n, HALF, c->a, LDA, c->y, 1)

DEFINE(symm, symm, NOTHING, stn_symm(ON, STN_SIDE_LEFT, STN_LOWER, 1.0, &c->view_a, &c->view_b, 0.0, &c->view_c), , void,
       (int, int, int, int, int, T, const T *, int, const T *, int, T, T *, int), PEER_ROW_MAJOR, LEFT, UPLO, n, n, (T)1, c->a, n, c->b, n, (T)0, c->c, n)
DEFINE(syrk, syrk, restore_c(c), stn_syrk(ON, STN_LOWER, 1.0, &c->view_a, 0.0, &c->view_c), , void,
       (int, int, int, int, int, T, const T *, int, T, T *, int), PEER_ROW_MAJOR, UPLO, NO, n, n, (T)1, c->a, n, (T)0, c->c, n)
DEFINE(trmm, trmm, restore_c(c), stn_trmm(ON, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT, 1.0, STN_NO_CONJUGATE, &c->view_a, &c->view_c), , void,
       (int, int, int, int, int, int, int, T, const T *, int, T *, int), PEER_ROW_MAJOR, LEFT, UPLO, NO, DIAG, n, n, (T)1, c->a, n, c->c, n)
DEFINE(trsm, trsm, restore_c(c), stn_trsm(ON, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT, 1.0, STN_NO_CONJUGATE, &c->view_a, &c->view_c), , void,
       (int, int, int, int, int, int, int, T, const T *, int, T *, int), PEER_ROW_MAJOR, LEFT, UPLO, NO, DIAG, n, n, (T)1, c->a, n, c->c, n)

/* ---- table ---- */

#define ROW(text, name, function, is_matrix, is_product, is_solved, error, shape, level)           \
    {text, is_matrix, is_product, is_solved, steno_##name, name##_f64, name##_f32, error, VERSUS_##shape, level, PEER_##function}
#define VECTOR(text, name, function, error, shape) ROW(text, name, function, 0, 0, 0, error, shape, 1)
#define MATRIX(name, is_solved, error, shape)      ROW(#name, name, name, 1, 0, is_solved, error, shape, 2)
#define PRODUCT(name, is_solved)                   ROW(#name, name, name, 1, 1, is_solved, difference_c, CONTIGUOUS, 3)
static const versus_operation more[] = {
    VECTOR("dot-strided", dot_2, dot, difference_result, STRIDED),
    VECTOR("axpy-strided", axpy_2, axpy, NULL, STRIDED),
    VECTOR("asum", asum, asum, difference_result, CONTIGUOUS),
    VECTOR("asum-strided", asum_2, asum, difference_result, STRIDED),
    VECTOR("iamax", iamax, iamax, difference_result, CONTIGUOUS),
    VECTOR("scal", scal, scal, NULL, CONTIGUOUS), VECTOR("scal-strided", scal_2, scal, NULL, STRIDED),
    VECTOR("swap", swap, swap, NULL, CONTIGUOUS), VECTOR("swap-strided", swap_2, swap, NULL, STRIDED),
    VECTOR("copy", copy, copy, NULL, CONTIGUOUS), VECTOR("copy-strided", copy_2, copy, NULL, STRIDED),
    VECTOR("rot", rot, rot, NULL, CONTIGUOUS), VECTOR("rot-strided", rot_2, rot, NULL, STRIDED),
    MATRIX(symv, 0, difference_y, CONTIGUOUS), MATRIX(trmv, 0, difference_y, CONTIGUOUS),
    MATRIX(ger, 0, NULL, CONTIGUOUS), MATRIX(syr, 0, NULL, CONTIGUOUS),
    MATRIX(spmv, 0, difference_y, PACKED), MATRIX(tpmv, 0, difference_y, PACKED), MATRIX(tpsv, 1, difference_y, PACKED),
    MATRIX(gbmv, 0, difference_y, BAND), MATRIX(sbmv, 0, difference_y, HALF_BAND),
    MATRIX(tbmv, 0, difference_y, HALF_BAND), MATRIX(tbsv, 1, difference_y, HALF_BAND),
    PRODUCT(symm, 0), PRODUCT(syrk, 0), PRODUCT(trmm, 0), PRODUCT(trsm, 1)};
/* clang-format on */

const versus_operation *versus_more_at(int k)
{
    return k < (int)(sizeof more / sizeof *more) ? &more[k] : NULL;
}

int versus_has(const peer *by, const versus_operation *operation, stn_format format)
{
    return operation->level == 0 || by->more[operation->function][format != STN_F64] != NULL;
}
