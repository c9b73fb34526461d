/* Notes about matrices that the solver of `steno solve` does not support. */
#include "symmetry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "steno/codec.h"
#include "progress.h"
#include "steno/blas.h"
#include "steno/sparse_operations.h"

/* Products (v, A u) and (u, A v) differ by rounding errors only if A is symmetric. */
static const double tolerance = 1e-13;

typedef struct probe {
    stn_exec *exec;
    stn_format numbers; /* f64 or c128 */
    int64_t n, parts;
    double *memory; /* of u, v, A u, A v */
    stn_view u, v, au, av;
} probe;

static stn_status open_probe(const solve_job *job, probe *p)
{
    stn_view *const views[] = {&p->u, &p->v, &p->au, &p->av};
    p->numbers = job->matrix.field == STN_MARKET_COMPLEX ? STN_C128 : STN_F64;
    p->parts = p->numbers == STN_C128 ? 2 : 1;
    p->n = job->matrix.rows;
    STN_TRY(stn_exec_create(&p->exec, "threads"));
    STN_TRY(stn_allocate(&p->memory, 4 * p->parts * p->n, sizeof *p->memory, "a symmetry check"));
    for (int64_t k = 0; k < 2 * p->parts * p->n; k++)
        p->memory[k] = (double)(stn_random_bits(1, (uint64_t)k) >> 11) * 0x1p-52 - 1.0;
    for (int k = 0; k < 4; k++)
        STN_TRY(stn_view_wrap(views[k], "a vector", stn_storage_of(p->numbers),
                              p->memory + k * p->parts * p->n, 1, &p->n));
    return STN_OK;
}

static void close_probe(probe *p)
{
    stn_free(p->memory);
    stn_exec_release(p->exec);
}

/* Conjugates x in x^H y. */
static stn_status multiply(const probe *p, stn_c128 *product, const stn_view *x, const stn_view *y)
{
    *product = stn_c128_of(0.0, 0.0);
    return p->parts == 2 ? stn_dotc(p->exec, p->numbers, product, x, y)
                         : stn_dot(p->exec, p->numbers, &product->re, x, y);
}

static stn_status find_symmetry(const solve_job *job, probe *p, int *is_symmetric)
{
    stn_c128 one, other;
    double u, v, au, av;
    STN_TRY(stn_spmv(p->exec, p->numbers, 1.0, job->csr, &p->u, 0.0, &p->au));
    STN_TRY(stn_spmv(p->exec, p->numbers, 1.0, job->csr, &p->v, 0.0, &p->av));
    STN_TRY(multiply(p, &one, &p->v, &p->au));
    STN_TRY(multiply(p, &other, &p->av, &p->u));
    STN_TRY(stn_nrm2(p->exec, p->numbers, &u, &p->u));
    STN_TRY(stn_nrm2(p->exec, p->numbers, &v, &p->v));
    STN_TRY(stn_nrm2(p->exec, p->numbers, &au, &p->au));
    STN_TRY(stn_nrm2(p->exec, p->numbers, &av, &p->av));
    *is_symmetric = !(hypot(one.re - other.re, one.im - other.im) > tolerance * (u * av + v * au));
    return STN_OK;
}

/* The first row whose diagonal element is not positive; -1 if there is none, or if an element is
 * repeated. */
static stn_status find_row(const solve_job *job, probe *p, int64_t *row)
{
    const double *const d = p->memory;
    *row = -1;
    if (stn_sparse_diagonal(p->exec, p->numbers, &p->u, job->csr) != STN_OK)
        return STN_OK;
    for (int64_t k = 0; k < p->n && *row < 0; k++)
        if (!(d[k * p->parts] > 0.0))
            *row = k;
    return STN_OK;
}

static stn_status check(const solve_job *job, probe *p)
{
    const int is_minres = job->kind->method == STN_SOLVER_MINRES;
    const char *const name = job->kind->stored_object == STORED_MATRIX
                                 ? "CG, the inner solver of refinement,"
                                 : job->kind->name;
    int is_symmetric;
    int64_t row = -1;
    STN_TRY(open_probe(job, p));
    STN_TRY(find_symmetry(job, p, &is_symmetric));
    if (!is_symmetric)
        fprintf(stderr,
                "steno: note: %s is not %s; %s may fail to converge: use gmres or bicgstab\n",
                job->source, p->parts == 2 ? "Hermitian" : "symmetric", name);
    if (!is_minres)
        STN_TRY(find_row(job, p, &row));
    if (row >= 0)
        fprintf(stderr,
                "steno: note: the diagonal element of row %lld of %s is not positive, so the "
                "matrix is not positive definite; %s may fail to converge: use minres%s\n",
                (long long)row + 1, job->source, name, is_symmetric ? "" : ", gmres or bicgstab");
    return STN_OK;
}

stn_status symmetry_check(const solve_job *job)
{
    probe p = {.exec = NULL};
    const stn_solver_method method = job->kind->method;
    if (method != STN_SOLVER_CG && method != STN_SOLVER_MINRES && method != STN_SOLVER_REFINEMENT)
        return STN_OK;
    const stn_status status = check(job, &p);
    close_probe(&p);
    return status;
}
