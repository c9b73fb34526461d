/* Level 3: for each function the argument checks, quick returns, and views. */
#include "cblas/bodies.h"

typedef struct job job;
typedef stn_status job_run(const job *j, const stn_exec *exec);
struct job {
    const stn_cblas_call *call;
    job_run *run;
    stn_c128 alpha, beta;
    stn_side side;
    stn_triangle triangle;
    stn_diagonal diagonal;
    stn_conjugate conj_a, conj_b;
    stn_view a, b, c; /* c is written */
};

static void begin(job *j, const stn_cblas_call *call, job_run *run, stn_c128 alpha, stn_c128 beta)
{
    j->call = call;
    j->run = run;
    j->alpha = alpha;
    j->beta = beta;
}

static void set_triangle(job *j, CBLAS_UPLO uplo)
{
    j->triangle = uplo == CblasUpper ? STN_UPPER : STN_LOWER;
}

/* For a result that overlaps a factor, in its other triangle: as if everything were read first. */
static stn_status run_separately(job *j, const stn_exec *exec)
{
    const stn_view as_passed = j->c;
    stn_status status = stn_cblas_separate(exec, &as_passed, &j->c);
    if (status == STN_OK)
        status = j->run(j, exec);
    if (status == STN_OK)
        status = stn_view_copy(exec, &as_passed, &j->c);
    (void)stn_view_release(&j->c);
    return status;
}

/* The system's gemm, which is called here, may call a function of this library by its Fortran name;
 * that call does not use the system's gemm. */
static _Thread_local int is_inside;

static void run(job *j)
{
    const stn_exec *const exec = is_inside ? stn_cblas_exec_without_system() : stn_cblas_exec();
    is_inside++;
    stn_status status = j->run(j, exec);
    if (status == STN_ERR_ALIAS)
        status = run_separately(j, exec);
    is_inside--;
    stn_cblas_expect(j->call, status);
}

/* ---- general ---- */

static stn_status run_gemm(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_gemm_complex(exec, arithmetic, j->alpha, j->conj_a, &j->a, j->conj_b, &j->b,
                                  j->beta, &j->c)
               : stn_gemm(exec, arithmetic, j->alpha.re, &j->a, &j->b, j->beta.re, &j->c);
}

/* The leading dimension of a factor with this number of rows and columns, which may be stored
 * transposed. */
static int refuses_leading(const stn_cblas_call *call, int argument, int leading,
                           CBLAS_TRANSPOSE trans, int rows, int columns)
{
    return trans == CblasNoTrans
               ? stn_cblas_refuses_leading(call, argument, leading, rows, columns)
               : stn_cblas_refuses_leading(call, argument, leading, columns, rows);
}

/* C = beta C, with factors possibly NULL: a product over no elements. */
static void scale(const stn_cblas_call *call, stn_c128 beta, void *c, int ldc, int m, int n)
{
    const stn_c128 none = stn_c128_of(0.0, 0.0);
    job j;
    begin(&j, call, run_gemm, none, beta);
    j.conj_a = stn_cblas_matrix(&j.a, call, "A", NULL, 1, m, 0, CblasNoTrans);
    j.conj_b = stn_cblas_matrix(&j.b, call, "B", NULL, 1, 0, n, CblasNoTrans);
    (void)stn_cblas_matrix(&j.c, call, "C", c, ldc, m, n, CblasNoTrans);
    run(&j);
}

/* Rows and columns are those of the product. */
static stn_conjugate set_factor(const job *j, stn_view *view, const char *label, const void *a,
                                int lda, CBLAS_TRANSPOSE trans, int rows, int columns)
{
    return trans == CblasNoTrans
               ? stn_cblas_matrix(view, j->call, label, a, lda, rows, columns, trans)
               : stn_cblas_matrix(view, j->call, label, a, lda, columns, rows, trans);
}

void stn_cblas_gemm(const stn_cblas_call *call, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb,
                    int m, int n, int k, stn_c128 alpha, const void *a, int lda, const void *b,
                    int ldb, stn_c128 beta, void *c, int ldc)
{
    const int is_nothing = k == 0 || stn_cblas_is_number(alpha, 0.0);
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_transpose(call, 2, transa) ||
        stn_cblas_refuses_transpose(call, 3, transb) || stn_cblas_refuses_below(call, 4, m, 0) ||
        stn_cblas_refuses_below(call, 5, n, 0) || stn_cblas_refuses_below(call, 6, k, 0) ||
        refuses_leading(call, 9, lda, transa, m, k) ||
        refuses_leading(call, 11, ldb, transb, k, n) ||
        stn_cblas_refuses_leading(call, 14, ldc, m, n) || m == 0 || n == 0 ||
        (is_nothing && stn_cblas_is_number(beta, 1.0)))
        return;
    if (is_nothing) {
        scale(call, beta, c, ldc, m, n);
        return;
    }
    begin(&j, call, run_gemm, alpha, beta);
    j.conj_a = set_factor(&j, &j.a, "A", a, lda, transa, m, k);
    j.conj_b = set_factor(&j, &j.b, "B", b, ldb, transb, k, n);
    (void)stn_cblas_matrix(&j.c, call, "C", c, ldc, m, n, CblasNoTrans);
    run(&j);
}

/* ---- symmetric factors ---- */

static stn_status run_symm(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call) ? stn_symm_complex(exec, arithmetic, j->side, j->triangle,
                                                            j->alpha, &j->a, &j->b, j->beta, &j->c)
                                         : stn_symm(exec, arithmetic, j->side, j->triangle,
                                                    j->alpha.re, &j->a, &j->b, j->beta.re, &j->c);
}

static stn_status run_hemm(const job *j, const stn_exec *exec)
{
    return stn_hemm(exec, j->call->arithmetic, j->side, j->triangle, j->alpha, &j->a, &j->b,
                    j->beta, &j->c);
}

static void mirrored(const stn_cblas_call *call, job_run *product, CBLAS_SIDE side, CBLAS_UPLO uplo,
                     int m, int n, stn_c128 alpha, const void *a, int lda, const void *b, int ldb,
                     stn_c128 beta, void *c, int ldc)
{
    const int order = side == CblasLeft ? m : n, is_nothing = stn_cblas_is_number(alpha, 0.0);
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_side(call, 2, side) ||
        stn_cblas_refuses_triangle(call, 3, uplo) || stn_cblas_refuses_below(call, 4, m, 0) ||
        stn_cblas_refuses_below(call, 5, n, 0) ||
        stn_cblas_refuses_leading(call, 8, lda, order, order) ||
        stn_cblas_refuses_leading(call, 10, ldb, m, n) ||
        stn_cblas_refuses_leading(call, 13, ldc, m, n) || m == 0 || n == 0 ||
        (is_nothing && stn_cblas_is_number(beta, 1.0)))
        return;
    if (is_nothing) {
        scale(call, beta, c, ldc, m, n);
        return;
    }
    begin(&j, call, product, alpha, beta);
    j.side = side == CblasLeft ? STN_SIDE_LEFT : STN_SIDE_RIGHT;
    set_triangle(&j, uplo);
    (void)stn_cblas_matrix(&j.a, call, "A", a, lda, order, order, CblasNoTrans);
    (void)stn_cblas_matrix(&j.b, call, "B", b, ldb, m, n, CblasNoTrans);
    (void)stn_cblas_matrix(&j.c, call, "C", c, ldc, m, n, CblasNoTrans);
    run(&j);
}

void stn_cblas_symm(const stn_cblas_call *call, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n,
                    stn_c128 alpha, const void *a, int lda, const void *b, int ldb, stn_c128 beta,
                    void *c, int ldc)
{
    mirrored(call, run_symm, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

void stn_cblas_hemm(const stn_cblas_call *call, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n,
                    stn_c128 alpha, const void *a, int lda, const void *b, int ldb, stn_c128 beta,
                    void *c, int ldc)
{
    mirrored(call, run_hemm, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* ---- symmetric results ---- */

static stn_status run_syrk(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_syrk_complex(exec, arithmetic, j->triangle, j->alpha, &j->a, j->beta, &j->c)
               : stn_syrk(exec, arithmetic, j->triangle, j->alpha.re, &j->a, j->beta.re, &j->c);
}

static stn_status run_herk(const job *j, const stn_exec *exec)
{
    return stn_herk(exec, j->call->arithmetic, j->triangle, j->alpha.re, j->conj_a, &j->a,
                    j->beta.re, &j->c);
}

static stn_status run_syr2k(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call) ? stn_syr2k_complex(exec, arithmetic, j->triangle,
                                                             j->alpha, &j->a, &j->b, j->beta, &j->c)
                                         : stn_syr2k(exec, arithmetic, j->triangle, j->alpha.re,
                                                     &j->a, &j->b, j->beta.re, &j->c);
}

static stn_status run_her2k(const job *j, const stn_exec *exec)
{
    return stn_her2k(exec, j->call->arithmetic, j->triangle, j->alpha, j->conj_a, &j->a, &j->b,
                     j->beta.re, &j->c);
}

/* For complex numbers, either the transposed or the conjugate transposed factor is valid. */
static int refuses_other(const stn_cblas_call *call, CBLAS_TRANSPOSE other, CBLAS_TRANSPOSE trans)
{
    const stn_cblas_choice choice =
        other == CblasTrans ? STN_CBLAS_IS_PLAIN_OR_TRANS : STN_CBLAS_IS_PLAIN_OR_CONJ;
    if (!stn_cblas_is_complex(call))
        return stn_cblas_refuses_transpose(call, 3, trans);
    return trans != CblasNoTrans && trans != other &&
           stn_cblas_refuse_choice(call, 3, (int)trans, choice);
}

/* b NULL, or a second factor, which shifts later positions by 2. Complex results use a transposed
 * or a conjugate transposed matrix, according to `other`. */
static void squared(const stn_cblas_call *call, job_run *product, CBLAS_TRANSPOSE other,
                    CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, stn_c128 alpha,
                    const void *a, int lda, const void *b, int ldb, stn_c128 beta, void *c, int ldc)
{
    const int inner = stn_cblas_is_number(alpha, 0.0) ? 0 : k; /* factors of 0 may be NULL */
    const int is_one = product == run_syrk || product == run_herk;
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_triangle(call, 2, uplo) ||
        refuses_other(call, other, trans) || stn_cblas_refuses_below(call, 4, n, 0) ||
        stn_cblas_refuses_below(call, 5, k, 0) || refuses_leading(call, 8, lda, trans, n, k) ||
        (!is_one && refuses_leading(call, 10, ldb, trans, n, k)) ||
        stn_cblas_refuses_leading(call, is_one ? 11 : 13, ldc, n, n) || n == 0 ||
        (inner == 0 && stn_cblas_is_number(beta, 1.0)))
        return;
    begin(&j, call, product, inner ? alpha : stn_c128_of(0.0, 0.0), beta);
    set_triangle(&j, uplo);
    j.conj_a = set_factor(&j, &j.a, "A", a, lda, trans, n, inner);
    if (!is_one)
        (void)set_factor(&j, &j.b, "B", b, ldb, trans, n, inner);
    (void)stn_cblas_matrix(&j.c, call, "C", c, ldc, n, n, CblasNoTrans);
    run(&j);
}

void stn_cblas_syrk(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n,
                    int k, stn_c128 alpha, const void *a, int lda, stn_c128 beta, void *c, int ldc)
{
    squared(call, run_syrk, CblasTrans, uplo, trans, n, k, alpha, a, lda, NULL, 0, beta, c, ldc);
}

void stn_cblas_herk(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n,
                    int k, double alpha, const void *a, int lda, double beta, void *c, int ldc)
{
    squared(call, run_herk, CblasConjTrans, uplo, trans, n, k, stn_c128_of(alpha, 0.0), a, lda,
            NULL, 0, stn_c128_of(beta, 0.0), c, ldc);
}

void stn_cblas_syr2k(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n,
                     int k, stn_c128 alpha, const void *a, int lda, const void *b, int ldb,
                     stn_c128 beta, void *c, int ldc)
{
    squared(call, run_syr2k, CblasTrans, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void stn_cblas_her2k(const stn_cblas_call *call, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n,
                     int k, stn_c128 alpha, const void *a, int lda, const void *b, int ldb,
                     double beta, void *c, int ldc)
{
    squared(call, run_her2k, CblasConjTrans, uplo, trans, n, k, alpha, a, lda, b, ldb,
            stn_c128_of(beta, 0.0), c, ldc);
}

/* ---- triangular factors ---- */

static stn_status run_trmm(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_trmm_complex(exec, arithmetic, j->side, j->triangle, j->diagonal, j->alpha,
                                  j->conj_a, &j->a, &j->c)
               : stn_trmm(exec, arithmetic, j->side, j->triangle, j->diagonal, j->alpha.re,
                          j->conj_a, &j->a, &j->c);
}

static stn_status run_trsm(const job *j, const stn_exec *exec)
{
    const stn_format arithmetic = j->call->arithmetic;
    return stn_cblas_is_complex(j->call)
               ? stn_trsm_complex(exec, arithmetic, j->side, j->triangle, j->diagonal, j->alpha,
                                  j->conj_a, &j->a, &j->c)
               : stn_trsm(exec, arithmetic, j->side, j->triangle, j->diagonal, j->alpha.re,
                          j->conj_a, &j->a, &j->c);
}

static void triangular(const stn_cblas_call *call, job_run *product, CBLAS_SIDE side,
                       CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int m, int n,
                       stn_c128 alpha, const void *a, int lda, void *b, int ldb)
{
    const int order = side == CblasLeft ? m : n;
    job j;
    if (stn_cblas_refuses_layout(call) || stn_cblas_refuses_side(call, 2, side) ||
        stn_cblas_refuses_triangle(call, 3, uplo) || stn_cblas_refuses_transpose(call, 4, trans) ||
        stn_cblas_refuses_diagonal(call, 5, diag) || stn_cblas_refuses_below(call, 6, m, 0) ||
        stn_cblas_refuses_below(call, 7, n, 0) ||
        stn_cblas_refuses_leading(call, 10, lda, order, order) ||
        stn_cblas_refuses_leading(call, 12, ldb, m, n) || m == 0 || n == 0)
        return;
    if (stn_cblas_is_number(alpha, 0.0)) {
        scale(call, alpha, b, ldb, m, n);
        return;
    }
    begin(&j, call, product, alpha, alpha);
    j.side = side == CblasLeft ? STN_SIDE_LEFT : STN_SIDE_RIGHT;
    j.diagonal = diag == CblasUnit ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT;
    j.triangle = (uplo == CblasUpper) == (trans == CblasNoTrans) ? STN_UPPER : STN_LOWER;
    j.conj_a = stn_cblas_matrix(&j.a, call, "A", a, lda, order, order, trans);
    (void)stn_cblas_matrix(&j.c, call, "B", b, ldb, m, n, CblasNoTrans);
    run(&j);
}

void stn_cblas_trmm(const stn_cblas_call *call, CBLAS_SIDE side, CBLAS_UPLO uplo,
                    CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int m, int n, stn_c128 alpha,
                    const void *a, int lda, void *b, int ldb)
{
    triangular(call, run_trmm, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

void stn_cblas_trsm(const stn_cblas_call *call, CBLAS_SIDE side, CBLAS_UPLO uplo,
                    CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int m, int n, stn_c128 alpha,
                    const void *a, int lda, void *b, int ldb)
{
    triangular(call, run_trsm, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
