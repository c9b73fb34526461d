/* Level 2: for each function the argument checks, quick returns, and views. */
#include "cblas/bodies.h"

enum { WRITES_A = 0, WRITES_X = 1, WRITES_Y = 2 };

typedef struct job job;
typedef stn_status job_run(const job *j, const stn_exec *exec);
struct job {
    const stn_cblas_call *call;
    job_run *run;
    int writes;
    stn_c128 alpha, beta;
    stn_triangle triangle;
    stn_diagonal diagonal;
    stn_conjugate conj;
    stn_view a, x, y; /* y: rank 0 if absent */
    stn_view laid;    /* a as stored, to be released; rank 0 if it is a */
};

static void begin(job *j, const stn_cblas_call *call, job_run *run, int writes)
{
    j->call = call;
    j->run = run;
    j->writes = writes;
    j->triangle = STN_LOWER;
    j->diagonal = STN_DIAGONAL_NON_UNIT;
    j->conj = STN_NO_CONJUGATE;
    j->y.rank = j->laid.rank = 0;
}

/* ---- execution ---- */

/* For vectors that overlap each other or the matrix, in its other triangle or between its columns:
 * as if everything were read before anything is written. */
static stn_status run_separately(job *j, const stn_exec *exec)
{
    stn_view *const vectors[] = {&j->x, &j->y};
    const stn_view as_passed[] = {j->x, j->y};
    const int count = j->y.rank ? 2 : 1;
    stn_status status = STN_OK;
    int set = 0;
    while (set < count && status == STN_OK) {
        status = stn_cblas_separate(exec, &as_passed[set], vectors[set]);
        set++;
    }
    if (status == STN_OK)
        status = j->run(j, exec);
    for (int k = 0; k < set; k++) {
        if (status == STN_OK && j->writes & (1 << k))
            status = stn_view_copy(exec, &as_passed[k], vectors[k]);
        (void)stn_view_release(vectors[k]);
    }
    return status;
}

/* Unless its matrix could not be described. */
static void run(job *j, stn_status status)
{
    const stn_exec *const exec = stn_cblas_exec();
    if (status == STN_OK)
        status = j->run(j, exec);
    if (status == STN_ERR_ALIAS)
        status = run_separately(j, exec);
    if (j->laid.rank)
        (void)stn_view_release(&j->laid);
    stn_cblas_expect(j->call, status);
}

/* ---- operands ---- */

static void set_vector(job *j, stn_view *view, const char *label, const void *data, int count,
                       int increment)
{
    stn_cblas_vector(view, j->call->arithmetic, label, data, count, increment);
}

static void set_triangle(job *j, CBLAS_UPLO uplo)
{
    j->triangle = uplo == CblasUpper ? STN_UPPER : STN_LOWER;
}

static stn_status set_dense(job *j, const void *a, int lda, int m, int n, CBLAS_TRANSPOSE trans)
{
    j->conj = stn_cblas_matrix(&j->a, j->call, "A", a, lda, m, n, trans);
    return STN_OK;
}

static stn_status set_laid_out(job *j, const stn_layout *layout, const void *a, int m, int n,
                               CBLAS_TRANSPOSE trans)
{
    static const int turned[] = {1, 0};
    const int64_t extents[] = {m, n};
    const stn_status status = stn_view_wrap_spec(
        &j->laid, &STN_VIEW_SPEC(.label = "A", .storage = stn_storage_of(j->call->arithmetic),
                                 .data = (void *)(uintptr_t)a, .layout = layout, .rank = 2,
                                 .extents = extents));
    j->conj = trans == CblasConjTrans ? STN_CONJUGATE : STN_NO_CONJUGATE;
    if (status != STN_OK)
        return status;
    if (trans != CblasNoTrans)
        return stn_view_permute(&j->a, &j->laid, 2, turned);
    j->a = j->laid;
    return STN_OK;
}

static stn_layout_kind order_of(const stn_cblas_call *call)
{
    return call->layout == CblasRowMajor ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT;
}

/* Omits diagonals that the matrix does not have, and the stride of a single line: their memory may
 * not exist. */
static stn_status set_banded(job *j, const void *a, int lda, int m, int n, int below, int above,
                             CBLAS_TRANSPOSE trans)
{
    const int is_by_row = j->call->layout == CblasRowMajor, lines = is_by_row ? m : n;
    const int left = below < m ? below : m - 1, right = above < n ? above : n - 1;
    const int64_t ahead = is_by_row ? below - left : above - right;
    const stn_layout layout =
        stn_layout_banded(left, right, lines > 1 ? lda : left + right + 1, order_of(j->call));
    const char *const first = (const char *)a + ahead * stn_cblas_bytes(j->call->arithmetic);
    return set_laid_out(j, &layout, first, m, n, trans);
}

/* k diagonals next to the main one, in the job's triangle. */
static stn_status set_half_band(job *j, const void *a, int lda, int n, int k, CBLAS_TRANSPOSE trans)
{
    const int is_upper = j->triangle == STN_UPPER;
    return set_banded(j, a, lda, n, n, is_upper ? 0 : k, is_upper ? k : 0, trans);
}

static stn_status set_packed(job *j, const void *ap, int n, CBLAS_TRANSPOSE trans)
{
    const stn_layout layout = stn_layout_packed(j->triangle, order_of(j->call));
    return set_laid_out(j, &layout, ap, n, n, trans);
}

/* ---- y = alpha A x + beta y ---- */

static stn_status run_gemv(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_gemv_complex(exec, arithmetic, j->alpha, j->conj, &j->a, &j->x, j->beta, &j->y)
               : stn_gemv(exec, arithmetic, j->alpha.re, &j->a, &j->x, j->beta.re, &j->y);
}

static stn_status run_symv(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_hemv(exec, arithmetic, j->triangle, j->alpha, &j->a, &j->x, j->beta, &j->y)
               : stn_symv(exec, arithmetic, j->triangle, j->alpha.re, &j->a, &j->x, j->beta.re,
                          &j->y);
}

/* y = beta y, with matrix and x possibly NULL: a product over no elements. */
static void scale(const stn_cblas_call *call, stn_c128 beta, void *y, int count, int incy)
{
    job j;
    begin(&j, call, run_gemv, WRITES_Y);
    j.alpha = stn_c128_of(0.0, 0.0);
    j.beta = beta;
    set_vector(&j, &j.x, "x", NULL, 0, 1);
    set_vector(&j, &j.y, "y", y, count, incy);
    run(&j, set_dense(&j, NULL, 1, count, 0, CblasNoTrans));
}

/* Is there a product to add, after y has been initialized? */
static int begin_product(job *j, const stn_cblas_call *call, job_run *sum, stn_c128 alpha,
                         stn_c128 beta, void *y, int count, int incy)
{
    if (stn_cblas_is_number(alpha, 0.0)) {
        if (!stn_cblas_is_number(beta, 1.0))
            scale(call, beta, y, count, incy);
        return 0;
    }
    begin(j, call, sum, WRITES_Y);
    j->alpha = alpha;
    j->beta = beta;
    set_vector(j, &j->y, "y", y, count, incy);
    return 1;
}

/* Is a vector of values disjoint from a range of memory? */
static int is_disjoint(const char *y, int64_t y_bytes, const void *other, int64_t bytes)
{
    const uintptr_t one = (uintptr_t)y, begin = (uintptr_t)other;
    return one + (uintptr_t)y_bytes <= begin || begin + (uintptr_t)bytes <= one;
}

/* A small product of contiguous real operands, without views; alpha is not 0. Returns 0 if it needs
 * views. Across lines, stn_gemv is faster beyond 1024 elements. */
static int multiply_small(const stn_cblas_call *call, CBLAS_TRANSPOSE trans, int m, int n,
                          double alpha, const void *a, int lda, const void *x, int incx,
                          double beta, void *y, int incy)
{
    const int is_row_major = call->layout == CblasRowMajor, is_turned = trans != CblasNoTrans;
    const int64_t bytes = stn_cblas_bytes(call->arithmetic);
    const int lines = is_row_major ? m : n, count = is_row_major ? n : m;
    const int is_across = is_row_major == is_turned;
    const stn_value_sums *sums;
    if ((is_across && (int64_t)m * n > 1 << 10) || m > STN_TILE_ELEMENTS || n > STN_TILE_ELEMENTS ||
        incx != 1 || incy != 1 || stn_cblas_is_complex(call) ||
        !stn_cblas_values(call, count, &sums))
        return 0;
    const int64_t y_bytes = (is_turned ? n : m) * bytes, x_bytes = (is_turned ? m : n) * bytes;
    if (!is_disjoint(y, y_bytes, x, x_bytes) ||
        !is_disjoint(y, y_bytes, a, ((int64_t)(lines - 1) * lda + count) * bytes))
        return 0;
    const stn_value_product product = {.a = a,
                                       .step = lda,
                                       .lines = lines,
                                       .count = count,
                                       .is_across = is_across,
                                       .x = x,
                                       .y = y,
                                       .alpha = alpha,
                                       .beta = beta};
    sums->multiply(&product);
    return 1;
}

void stn_cblas_gemv(const stn_cblas_call *call, CBLAS_TRANSPOSE trans, int m, int n, stn_c128 alpha,
                    const void *a, int lda, const void *x, int incx, stn_c128 beta, void *y,
                    int incy)
{
    const int is_turned = trans != CblasNoTrans;
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_transpose(call, 2, trans) ||
        stn_cblas_refuses_below(call, 3, m, 0) || stn_cblas_refuses_below(call, 4, n, 0) ||
        stn_cblas_refuses_leading(call, 7, lda, m, n) || stn_cblas_refuses_zero(call, 9, incx) ||
        stn_cblas_refuses_zero(call, 12, incy) || m == 0 || n == 0 ||
        (alpha.re != 0.0 &&
         multiply_small(call, trans, m, n, alpha.re, a, lda, x, incx, beta.re, y, incy)) ||
        !begin_product(&j, call, run_gemv, alpha, beta, y, is_turned ? n : m, incy))
        return;
    set_vector(&j, &j.x, "x", x, is_turned ? m : n, incx);
    run(&j, set_dense(&j, a, lda, m, n, trans));
}

void stn_cblas_gbmv(const stn_cblas_call *call, CBLAS_TRANSPOSE trans, int m, int n, int kl, int ku,
                    stn_c128 alpha, const void *a, int lda, const void *x, int incx, stn_c128 beta,
                    void *y, int incy)
{
    const int is_turned = trans != CblasNoTrans;
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_transpose(call, 2, trans) ||
        stn_cblas_refuses_below(call, 3, m, 0) || stn_cblas_refuses_below(call, 4, n, 0) ||
        stn_cblas_refuses_below(call, 5, kl, 0) || stn_cblas_refuses_below(call, 6, ku, 0) ||
        stn_cblas_refuses_below(call, 9, lda, (int64_t)kl + ku + 1) ||
        stn_cblas_refuses_zero(call, 11, incx) || stn_cblas_refuses_zero(call, 14, incy) ||
        m == 0 || n == 0 ||
        !begin_product(&j, call, run_gemv, alpha, beta, y, is_turned ? n : m, incy))
        return;
    set_vector(&j, &j.x, "x", x, is_turned ? m : n, incx);
    run(&j, set_banded(&j, a, lda, m, n, kl, ku, trans));
}

void stn_cblas_symv(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, stn_c128 alpha,
                    const void *a, int lda, const void *x, int incx, stn_c128 beta, void *y,
                    int incy)
{
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
        stn_cblas_refuses_below(call, 3, n, 0) || stn_cblas_refuses_leading(call, 6, lda, n, n) ||
        stn_cblas_refuses_zero(call, 8, incx) || stn_cblas_refuses_zero(call, 11, incy) || n == 0 ||
        !begin_product(&j, call, run_symv, alpha, beta, y, n, incy))
        return;
    set_triangle(&j, uplo);
    set_vector(&j, &j.x, "x", x, n, incx);
    run(&j, set_dense(&j, a, lda, n, n, CblasNoTrans));
}

void stn_cblas_sbmv(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, int k, stn_c128 alpha,
                    const void *a, int lda, const void *x, int incx, stn_c128 beta, void *y,
                    int incy)
{
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
        stn_cblas_refuses_below(call, 3, n, 0) || stn_cblas_refuses_below(call, 4, k, 0) ||
        stn_cblas_refuses_below(call, 7, lda, (int64_t)k + 1) ||
        stn_cblas_refuses_zero(call, 9, incx) || stn_cblas_refuses_zero(call, 12, incy) || n == 0 ||
        !begin_product(&j, call, run_symv, alpha, beta, y, n, incy))
        return;
    set_triangle(&j, uplo);
    set_vector(&j, &j.x, "x", x, n, incx);
    run(&j, set_half_band(&j, a, lda, n, k, CblasNoTrans));
}

void stn_cblas_spmv(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, stn_c128 alpha,
                    const void *ap, const void *x, int incx, stn_c128 beta, void *y, int incy)
{
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
        stn_cblas_refuses_below(call, 3, n, 0) || stn_cblas_refuses_zero(call, 7, incx) ||
        stn_cblas_refuses_zero(call, 10, incy) || n == 0 ||
        !begin_product(&j, call, run_symv, alpha, beta, y, n, incy))
        return;
    set_triangle(&j, uplo);
    set_vector(&j, &j.x, "x", x, n, incx);
    run(&j, set_packed(&j, ap, n, CblasNoTrans));
}

/* ---- x = A x, and its solution ---- */

static stn_status run_trmv(const job *j, const stn_exec *exec)
{
    return stn_trmv(exec, j->call->arithmetic, j->triangle, j->diagonal, j->conj, &j->a, &j->x);
}

static stn_status run_trsv(const job *j, const stn_exec *exec)
{
    return stn_trsv(exec, j->call->arithmetic, j->triangle, j->diagonal, j->conj, &j->a, &j->x);
}

static int refuses_triangle(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                            CBLAS_DIAG diag, int n)
{
    return stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
           stn_cblas_refuses_transpose(call, 3, trans) ||
           stn_cblas_refuses_diagonal(call, 4, diag) || stn_cblas_refuses_below(call, 5, n, 0);
}

/* The triangle is that of the stored matrix until it is transposed. */
static void begin_triangle(job *j, const stn_cblas_call *call, job_run *triangular, CBLAS_UPLO uplo,
                           CBLAS_DIAG diag, int n, void *x, int incx)
{
    begin(j, call, triangular, WRITES_X);
    set_triangle(j, uplo);
    j->diagonal = diag == CblasUnit ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT;
    set_vector(j, &j->x, "x", x, n, incx);
}

static void run_triangle(job *j, CBLAS_TRANSPOSE trans, stn_status status)
{
    if (trans != CblasNoTrans)
        j->triangle = j->triangle == STN_UPPER ? STN_LOWER : STN_UPPER;
    run(j, status);
}

static void dense_triangle(const stn_cblas_call *call, job_run *triangular, CBLAS_UPLO uplo,
                           CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n, const void *a, int lda,
                           void *x, int incx)
{
    job j;
    if (refuses_triangle(call, uplo, trans, diag, n) ||
        stn_cblas_refuses_leading(call, 7, lda, n, n) || stn_cblas_refuses_zero(call, 9, incx) ||
        n == 0)
        return;
    begin_triangle(&j, call, triangular, uplo, diag, n, x, incx);
    run_triangle(&j, trans, set_dense(&j, a, lda, n, n, trans));
}

static void banded_triangle(const stn_cblas_call *call, job_run *triangular, CBLAS_UPLO uplo,
                            CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n, int k, const void *a,
                            int lda, void *x, int incx)
{
    job j;
    if (refuses_triangle(call, uplo, trans, diag, n) || stn_cblas_refuses_below(call, 6, k, 0) ||
        stn_cblas_refuses_below(call, 8, lda, (int64_t)k + 1) ||
        stn_cblas_refuses_zero(call, 10, incx) || n == 0)
        return;
    begin_triangle(&j, call, triangular, uplo, diag, n, x, incx);
    run_triangle(&j, trans, set_half_band(&j, a, lda, n, k, trans));
}

static void packed_triangle(const stn_cblas_call *call, job_run *triangular, CBLAS_UPLO uplo,
                            CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n, const void *ap, void *x,
                            int incx)
{
    job j;
    if (refuses_triangle(call, uplo, trans, diag, n) || stn_cblas_refuses_zero(call, 8, incx) ||
        n == 0)
        return;
    begin_triangle(&j, call, triangular, uplo, diag, n, x, incx);
    run_triangle(&j, trans, set_packed(&j, ap, n, trans));
}

void stn_cblas_trmv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, const void *a, int lda, void *x, int incx)
{
    dense_triangle(call, run_trmv, uplo, trans, diag, n, a, lda, x, incx);
}

void stn_cblas_trsv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, const void *a, int lda, void *x, int incx)
{
    dense_triangle(call, run_trsv, uplo, trans, diag, n, a, lda, x, incx);
}

void stn_cblas_tbmv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, int k, const void *a, int lda, void *x, int incx)
{
    banded_triangle(call, run_trmv, uplo, trans, diag, n, k, a, lda, x, incx);
}

void stn_cblas_tbsv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, int k, const void *a, int lda, void *x, int incx)
{
    banded_triangle(call, run_trsv, uplo, trans, diag, n, k, a, lda, x, incx);
}

void stn_cblas_tpmv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, const void *ap, void *x, int incx)
{
    packed_triangle(call, run_trmv, uplo, trans, diag, n, ap, x, incx);
}

void stn_cblas_tpsv(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                    CBLAS_DIAG diag, int n, const void *ap, void *x, int incx)
{
    packed_triangle(call, run_trsv, uplo, trans, diag, n, ap, x, incx);
}

/* ---- A = A + alpha x y^T ---- */

static stn_status run_ger(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_geru(exec, arithmetic, j->alpha, &j->x, &j->y, &j->a)
               : stn_ger(exec, arithmetic, j->alpha.re, &j->x, &j->y, &j->a);
}

static stn_status run_gerc(const job *j, const stn_exec *exec)
{
    return stn_gerc(exec, j->call->arithmetic, j->alpha, &j->x, &j->y, &j->a);
}

static stn_status run_syr(const job *j, const stn_exec *exec)
{
    return (stn_cblas_is_complex(j->call) ? stn_her : stn_syr)(
        exec, j->call->arithmetic, j->triangle, j->alpha.re, &j->x, &j->a);
}

static stn_status run_syr2(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_her2(exec, arithmetic, j->triangle, j->alpha, &j->x, &j->y, &j->a)
               : stn_syr2(exec, arithmetic, j->triangle, j->alpha.re, &j->x, &j->y, &j->a);
}

static void update(const stn_cblas_call *call, job_run *general, int m, int n, stn_c128 alpha,
                   const void *x, int incx, const void *y, int incy, void *a, int lda)
{
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_below(call, 2, m, 0) ||
        stn_cblas_refuses_below(call, 3, n, 0) || stn_cblas_refuses_zero(call, 6, incx) ||
        stn_cblas_refuses_zero(call, 8, incy) || stn_cblas_refuses_leading(call, 10, lda, m, n) ||
        m == 0 || n == 0 || stn_cblas_is_number(alpha, 0.0))
        return;
    begin(&j, call, general, WRITES_A);
    j.alpha = alpha;
    set_vector(&j, &j.x, "x", x, m, incx);
    set_vector(&j, &j.y, "y", y, n, incy);
    run(&j, set_dense(&j, a, lda, m, n, CblasNoTrans));
}

void stn_cblas_ger(const stn_cblas_call *call, int m, int n, stn_c128 alpha, const void *x,
                   int incx, const void *y, int incy, void *a, int lda)
{
    update(call, run_ger, m, n, alpha, x, incx, y, incy, a, lda);
}

void stn_cblas_gerc(const stn_cblas_call *call, int m, int n, stn_c128 alpha, const void *x,
                    int incx, const void *y, int incy, void *a, int lda)
{
    update(call, run_gerc, m, n, alpha, x, incx, y, incy, a, lda);
}

/* ---- in one triangle ---- */

/* y NULL, or a second vector; lda 0 if the matrix is packed. */
static void update_triangle(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, stn_c128 alpha,
                            const void *x, int incx, const void *y, int incy, void *a, int lda)
{
    job j;
    begin(&j, call, y ? run_syr2 : run_syr, WRITES_A);
    j.alpha = alpha;
    set_triangle(&j, uplo);
    set_vector(&j, &j.x, "x", x, n, incx);
    if (y)
        set_vector(&j, &j.y, "y", y, n, incy);
    run(&j, lda ? set_dense(&j, a, lda, n, n, CblasNoTrans) : set_packed(&j, a, n, CblasNoTrans));
}

static int refuses_update(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, int incx)
{
    return stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
           stn_cblas_refuses_below(call, 3, n, 0) || stn_cblas_refuses_zero(call, 6, incx);
}

void stn_cblas_syr(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, double alpha, const void *x,
                   int incx, void *a, int lda)
{
    if (!(refuses_update(call, uplo, n, incx) || stn_cblas_refuses_leading(call, 8, lda, n, n)) &&
        n > 0 && alpha != 0.0)
        update_triangle(call, uplo, n, stn_c128_of(alpha, 0.0), x, incx, NULL, 0, a, lda);
}

void stn_cblas_spr(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, double alpha, const void *x,
                   int incx, void *ap)
{
    if (!(refuses_update(call, uplo, n, incx)) && n > 0 && alpha != 0.0)
        update_triangle(call, uplo, n, stn_c128_of(alpha, 0.0), x, incx, NULL, 0, ap, 0);
}

void stn_cblas_syr2(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, stn_c128 alpha,
                    const void *x, int incx, const void *y, int incy, void *a, int lda)
{
    if (!(refuses_update(call, uplo, n, incx) || stn_cblas_refuses_zero(call, 8, incy) ||
          stn_cblas_refuses_leading(call, 10, lda, n, n)) &&
        n > 0 && !stn_cblas_is_number(alpha, 0.0))
        update_triangle(call, uplo, n, alpha, x, incx, y, incy, a, lda);
}

void stn_cblas_spr2(const stn_cblas_call *call, CBLAS_UPLO uplo, int n, stn_c128 alpha,
                    const void *x, int incx, const void *y, int incy, void *ap)
{
    if (!(refuses_update(call, uplo, n, incx) || stn_cblas_refuses_zero(call, 8, incy)) && n > 0 &&
        !stn_cblas_is_number(alpha, 0.0))
        update_triangle(call, uplo, n, alpha, x, incx, y, incy, ap, 0);
}
