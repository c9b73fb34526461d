/* Systems that tests of solvers solve. */
#include "solver_problem.h"
#include "matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const solver_trait traits[METHODS] = {{"CG", 1, 1, 0},         {"GMRES", 0, 0, 1},
                                      {"refinement", 1, 1, 0}, {"BiCGStab", 0, 0, 1},
                                      {"MINRES", 1, 0, 0},     {"flexible GMRES", 0, 0, 1}};

void solver_must(stn_status status)
{
    if (status != STN_OK)
        fail_msg("%s", stn_error());
}

void problem_set(problem *p, double wind, double shift)
{
    static const int steps[] = {-WIDE, -1, 0, 1, WIDE};
    int64_t entries = 0;
    memset(p, 0, sizeof *p);
    for (int i = 0; i < N; i++) {
        p->start[i] = entries;
        for (int k = 0; k < 5; k++) {
            const int j = i + steps[k];
            if (j < 0 || j >= N)
                continue;
            p->dense[i][j] = k == 2 ? 4.5 - shift : k < 2 ? -1 - wind : -1 + wind;
            p->column[entries] = j;
            p->value[entries++] = p->dense[i][j];
        }
        p->b[i] = 1.0 + (double)((i * 37) % 11) / 7.0;
    }
    p->start[N] = entries;
    solver_must(wrap_csr(&p->matrix, "five diagonals", stn_storage_of(STN_F64), N, N, p->start,
                         p->column, p->value));
    solver_must(stn_operator_of_matrix(&p->a, p->matrix));
}

static void swap_rows(long double (*a)[N + 1], int i, int j)
{
    for (int k = 0; k <= N; k++) {
        const long double old = a[i][k];
        a[i][k] = a[j][k];
        a[j][k] = old;
    }
}

void problem_eliminate(problem *p)
{
    static long double a[N][N + 1];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            a[i][j] = p->dense[i][j];
        a[i][N] = p->b[i];
    }
    for (int c = 0; c < N; c++) {
        int most = c;
        for (int i = c + 1; i < N; i++)
            most = fabsl(a[i][c]) > fabsl(a[most][c]) ? i : most;
        swap_rows(a, c, most);
        for (int i = 0; i < N; i++) {
            const long double factor = a[i][c] / a[c][c];
            for (int j = c; j <= N && i != c; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (int i = 0; i < N; i++)
        p->x[i] = a[i][N] / a[i][i];
}

void problem_make(problem *p, double wind, double shift)
{
    problem_set(p, wind, shift);
    problem_eliminate(p);
}

double problem_error(const problem *p, const double *x)
{
    long double error = 0, norm = 0;
    for (int i = 0; i < N; i++) {
        error = fmaxl(error, fabsl((long double)x[i] - p->x[i]));
        norm = fmaxl(norm, fabsl(p->x[i]));
    }
    return (double)(error / norm);
}

double problem_residual(const problem *p, const double *x)
{
    long double all = 0, norm = 0;
    for (int i = 0; i < N; i++) {
        long double r = p->b[i];
        for (int j = 0; j < N; j++)
            r -= (long double)p->dense[i][j] * (long double)x[j];
        all += r * r;
        norm += (long double)p->b[i] * (long double)p->b[i];
    }
    return (double)sqrtl(all / norm);
}

void problem_wrap(stn_view *view, const char *label, double *data)
{
    const int64_t n = N;
    solver_must(stn_view_wrap(view, label, stn_storage_of(STN_F64), data, 1, &n));
}

stn_status problem_diagonal(void *context, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *x, const stn_view *y)
{
    (void)exec;
    const double factor = *(const double *)context;
    for (int64_t i = 0; i < x->extent[0]; i++)
        if (arithmetic == STN_F64)
            ((double *)y->data)[i] =
                factor * (1 + (double)(i % 4) / 8) * ((const double *)x->data)[i];
        else
            ((float *)y->data)[i] =
                (float)factor * (1 + (float)(i % 4) / 8) * ((const float *)x->data)[i];
    return STN_OK;
}

void problem_solve(const stn_exec *exec, const stn_solver_options *solver, problem *p, outcome *o)
{
    stn_view b, x;
    memset(o, 0, sizeof *o);
    o->solution = (stn_solver_report)STN_INIT(stn_solver_report, .history = o->history,
                                              .history_capacity = 1000);
    problem_wrap(&b, "b", p->b);
    problem_wrap(&x, "x", o->x);
    o->status = stn_solve(exec, &x, &p->a, &b, solver, &o->solution);
}
