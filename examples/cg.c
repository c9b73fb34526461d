/* Conjugate gradients for several right-hand sides at once, each with its own scalars. The program,
 * the iterations and the bits are the same on the host and on a device. Directions are stored as
 * f32, solutions and residuals as f64; all computations are in f64.
 *
 *   cg [reference|threads|opencl:0|cuda:0 [right-hand sides]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/steno.h"

/* The dimensions of x, r, p and q are the grid and, last, the right-hand sides. rho, beta and
 * stopped have one element per right-hand side and are broadcast. */
/* clang-format off */
STN_MAP(load, (at(i, j, k), out(r)), r = STN_R(1.0) / (real_t)(1 + (i * (k + 3) + 5 * j) % 7);)
STN_MAP(minus_laplace, (at(i, j, k), stencil(u, zero, 1, 1, 0), out(v)),
    v = STN_R(4) * STN_AT(u, i, j, k) - STN_AT(u, i - 1, j, k) - STN_AT(u, i + 1, j, k) -
        STN_AT(u, i, j - 1, k) - STN_AT(u, i, j + 1, k);
)
STN_MAP(step_1, (inout(p), in(r), in(rho), in(before), in(stopped)),
    if (stopped != 0)
        return;
    p = r + (before != 0 ? rho / before : STN_R(0)) * p;
)
STN_MAP(step_2, (inout(x), inout(r), in(p), in(q), in(beta), in(rho), in(stopped)),
    if (stopped != 0 || beta == 0)
        return;
    const real_t alpha = rho / beta;
    x = x + alpha * p;
    r = r - alpha * q;
)
STN_MAP(judge, (in(rho), in(first), inout(stopped)), stopped = rho <= STN_R(1e-12) * first;)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(going, count, (in(stopped)), stopped == 0)
STN_REDUCE(total, sum, (in(x)), x)
/* clang-format on */

enum { GRID = 24, OVER_THE_GRID = 3 /* dimensions 0 and 1 */ };
typedef struct fields {
    stn_view x, r, p, q;                        /* of the unknowns */
    stn_view rho, before, first, beta, stopped; /* of the right-hand sides */
} fields;

static int make(const stn_exec *exec, int64_t sides, fields *f)
{
    const int64_t all[] = {GRID, GRID, sides};
    const stn_storage f64 = stn_storage_of(STN_F64), f32 = stn_storage_of(STN_F32);
    return stn_view_create(exec, &f->x, "x", f64, 3, all) ||
           stn_view_create(exec, &f->r, "r", f64, 3, all) ||
           stn_view_create(exec, &f->p, "p", f32, 3, all) ||
           stn_view_create(exec, &f->q, "q", f64, 3, all) ||
           stn_view_create(exec, &f->rho, "rho", f64, 1, &sides) ||
           stn_view_create(exec, &f->before, "before", f64, 1, &sides) ||
           stn_view_create(exec, &f->first, "first", f64, 1, &sides) ||
           stn_view_create(exec, &f->beta, "beta", f64, 1, &sides) ||
           stn_view_create(exec, &f->stopped, "stopped", stn_storage_of(STN_U8), 1, &sides) ||
           load_run(exec, STN_F64, &f->r) ||
           inner_reduce_into(exec, STN_F64, OVER_THE_GRID, &f->first, &f->r, &f->r) ||
           stn_view_copy(exec, &f->rho, &f->first);
}

/* Iterates until each residual is at most 1e-6 times its initial value. */
static int solve(const stn_exec *exec, const fields *f, int *iterations)
{
    int64_t left = 1;
    for (*iterations = 0; left > 0; ++*iterations)
        if (step_1_run(exec, STN_F64, &f->p, &f->r, &f->rho, &f->before, &f->stopped) ||
            minus_laplace_run(exec, STN_F64, &f->p, &f->q) ||
            inner_reduce_into(exec, STN_F64, OVER_THE_GRID, &f->beta, &f->p, &f->q) ||
            step_2_run(exec, STN_F64, &f->x, &f->r, &f->p, &f->q, &f->beta, &f->rho, &f->stopped) ||
            stn_view_copy(exec, &f->before, &f->rho) ||
            inner_reduce_into(exec, STN_F64, OVER_THE_GRID, &f->rho, &f->r, &f->r) ||
            judge_run(exec, STN_F64, &f->rho, &f->first, &f->stopped) ||
            going_reduce(exec, STN_F64, &left, &f->stopped))
            return 1;
    return 0;
}

static void release(fields *f)
{
    stn_view *const views[] = {&f->x,      &f->r,     &f->p,    &f->q,      &f->rho,
                               &f->before, &f->first, &f->beta, &f->stopped};
    for (int k = 0; k < 9; k++)
        stn_view_release(views[k]);
}

int main(int argc, char **argv)
{
    const int64_t sides = argc > 2 ? atoi(argv[2]) : 4;
    double sum;
    stn_exec *exec = NULL;
    fields f;
    int iterations;
    memset(&f, 0, sizeof f);
    if (stn_exec_create(&exec, argc > 1 ? argv[1] : "reference") || make(exec, sides, &f) ||
        solve(exec, &f, &iterations) || total_reduce(exec, STN_F64, &sum, &f.x)) {
        fprintf(stderr, "cg: %s\n", stn_error());
        return 1;
    }
    printf("%d right-hand sides: %d iterations, the sum of all x is %a\n", (int)sides, iterations,
           sum);
    release(&f);
    stn_exec_release(exec);
    return 0;
}
