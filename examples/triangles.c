/* A Cholesky factor stored narrow: A = L L^T, with L in two diagonals of binary16, solves A x = b
 * in f64; and a symmetric matrix in half the memory. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/blas.h"

enum { N = 1000, SMALL = 4 };

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

/* x becomes the solution of L L^T x = x. */
static void solve(const stn_exec *exec, const stn_view *factor, const stn_view *x)
{
    static const int turned[] = {1, 0};
    stn_view transposed;
    must(stn_view_permute(&transposed, factor, 2, turned));
    must(stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, factor, x));
    must(stn_trsv(exec, STN_F64, STN_UPPER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &transposed,
                  x));
}

/* L has 2 on the diagonal and -1 below it, in columns of two elements, which is LAPACK's order. A
 * has 5 on the diagonal (4 in the first row) and -2 next to it. */
static void solve_band(const stn_exec *exec)
{
    const stn_layout two = stn_layout_banded(1, 0, 2, STN_LAYOUT_LEFT);
    static stn_f16 codes[2 * N];
    static double a[2 * N], b[N], x[N];
    const stn_storage f16 = stn_storage_of(STN_F16), f64 = stn_storage_of(STN_F64);
    const int64_t square[] = {N, N}, count = N, all = 2 * N;
    stn_view memory, factor, matrix, right, solution;
    for (int k = 0; k < N; k++) {
        a[2 * k] = k == 0 ? 4 : 5;
        a[2 * k + 1] = -2;
        b[k] = x[k] = 1 + k % 3;
    }
    must(stn_view_wrap(&memory, "codes", f16, codes, 1, &all));
    for (int64_t k = 0; k < all; k++)
        must(STN_VIEW_SET(&memory, k % 2 ? -1 : 2, k));
    must(stn_view_wrap_spec(&factor, &STN_VIEW_SPEC(.label = "L", .storage = f16, .data = codes,
                                                    .layout = &two, .rank = 2, .extents = square)));
    must(stn_view_wrap_spec(&matrix, &STN_VIEW_SPEC(.label = "A", .storage = f64, .data = a,
                                                    .layout = &two, .rank = 2, .extents = square)));
    must(stn_view_wrap(&right, "b", f64, b, 1, &count));
    must(stn_view_wrap(&solution, "x", f64, x, 1, &count));
    solve(exec, &factor, &solution);
    double before, after;
    must(stn_nrm2(exec, STN_F64, &before, &right));
    must(stn_symv(exec, STN_F64, STN_LOWER, -1, &matrix, &solution, 1, &right));
    must(stn_nrm2(exec, STN_F64, &after, &right));
    printf("|b - A x| / |b| is %s\n", after < 1e-15 * before ? "below 1e-15" : "too large");
    must(stn_view_release(&factor));
    must(stn_view_release(&matrix));
}

/* Sums of x x^T are stored in one triangle of 10 instead of 16 elements, and read as a matrix. */
static void add_products(const stn_exec *exec)
{
    const stn_layout packed = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT);
    const int64_t square[] = {SMALL, SMALL}, count = SMALL;
    double x[SMALL] = {1, 2, 3, 4};
    stn_view sums, vector;
    must(stn_view_create_spec(exec, &sums,
                              &STN_VIEW_SPEC(.label = "sums", .storage = stn_storage_of(STN_BF16),
                                             .layout = &packed, .rank = 2, .extents = square)));
    must(stn_view_wrap(&vector, "x", stn_storage_of(STN_F64), x, 1, &count));
    must(stn_syr(exec, STN_F64, STN_UPPER, 0.5, &vector, &sums));
    for (int64_t i = 0; i < SMALL; i++)
        for (int64_t j = 0; j < SMALL; j++) {
            double value;
            must(STN_VIEW_GET(&sums, &value, i, j));
            printf("%4g%s", value, j == SMALL - 1 ? "\n" : "");
        }
    must(stn_view_release(&sums));
}

int main(void)
{
    stn_exec *exec;
    must(stn_exec_create(&exec, "threads"));
    solve_band(exec);
    add_products(exec);
    stn_exec_release(exec);
    return 0;
}
