/* GMRES with a basis stored in 16 bits. The operator is a function, convection and diffusion on a
 * square; there is no matrix. */
#include <stdio.h>

#include "steno/kernel.h"
#include "steno/steno.h"

enum { EDGE = 64 };

/* clang-format off */
STN_MAP(wind, (at(i, j), stencil(u, zero, 1, 1), out(v)),
    v = STN_R(4.4) * STN_AT(u, i, j) - STN_R(1.4) * STN_AT(u, i, j - 1) - STN_R(0.8) * STN_AT(u, i, j + 1) -
        STN_R(1.1) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j));
)
/* clang-format on */

/* Views the elements of a vector as a square. */
static int square(stn_view *made, const stn_view *vector)
{
    static const int64_t edges[] = {EDGE, EDGE};
    return stn_view_wrap(made, vector->label, vector->storage, vector->data, 2, edges) != STN_OK;
}

static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    stn_view u, v;
    (void)context;
    return square(&u, x) || square(&v, y) ? STN_ERR_ARGUMENT : wind_run(exec, arithmetic, &u, &v);
}

int main(void)
{
    static const stn_format bases[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    static double numbers[EDGE * EDGE], found[EDGE * EDGE];
    const int64_t n = EDGE * EDGE;
    stn_exec *exec;
    stn_operator a;
    stn_view b, x;
    if (stn_exec_create(&exec, "threads") || stn_operator_create(&a, "wind", n, apply, NULL) ||
        stn_view_wrap(&b, "b", stn_storage_of(STN_F64), numbers, 1, &n) ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F64), found, 1, &n) ||
        stn_view_fill(exec, &b, 1.0)) {
        fprintf(stderr, "solve: %s\n", stn_error());
        return 1;
    }
    for (int k = 0; k < 4; k++) {
        stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
        stn_solver_report report = STN_SOLVER_REPORT_INIT;
        stn_format_info info = STN_FORMAT_INFO_INIT;
        options.method = STN_SOLVER_GMRES;
        options.relative_tolerance = 1e-12;
        options.restart = 50;
        options.basis = stn_storage_of(bases[k]);
        if (stn_view_fill(exec, &x, 0.0) || stn_solve(exec, &x, &a, &b, &options, &report) ||
            stn_format_describe(bases[k], &info)) {
            fprintf(stderr, "solve: %s\n", stn_error());
            return 1;
        }
        printf("basis in %s: %3d iterations, |b - A x| is %.1e of |b|\n", info.name,
               (int)report.iterations, report.residual);
    }
    stn_exec_release(exec);
    return 0;
}
