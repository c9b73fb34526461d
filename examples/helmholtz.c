/* GMRES for a complex system, with a basis stored as pairs of f64, f32 and f16. The system is the
 * Helmholtz equation with absorption on a square, -laplace u - (1 + i/5) k^2 u = b. The operator is
 * a function; there is no matrix. */
#include <stdio.h>
#include <string.h>

#include "steno/kernel.h"
#include "steno/steno.h"

enum { EDGE = 64 };

/* clang-format off */
STN_MAP_COMPLEX(helmholtz, (at(i, j), real(k2), stencil(u, zero, 1, 1), out(v)),
    const real_t along = stn_c_add(STN_AT(u, i, j - 1), STN_AT(u, i, j + 1));
    const real_t across = stn_c_add(STN_AT(u, i - 1, j), STN_AT(u, i + 1, j));
    const real_t sum = stn_c_add(along, across);
    v = stn_c_multiply(stn_c_of(4 - k2.re, -k2.im), STN_AT(u, i, j));
    v.re -= sum.re;
    v.im -= sum.im;
)
/* clang-format on */

/* Views the elements of a vector as a square. */
static int square(stn_view *made, const stn_view *vector)
{
    static const int64_t edges[] = {EDGE, EDGE};
    return stn_view_wrap(made, vector->label, vector->storage, vector->data, 2, edges) != STN_OK;
}

/* If the solver's arithmetic is complex, so are x and y. */
static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_c128 k2 = {0.5, 0.1}; /* a wavelength is nine points */
    stn_view u, v;
    (void)context;
    return square(&u, x) || square(&v, y) ? STN_ERR_ARGUMENT
                                          : helmholtz_run(exec, arithmetic, k2, &u, &v);
}

int main(void)
{
    static const stn_format bases[] = {STN_C128, STN_C64, STN_C32};
    static stn_c128 numbers[EDGE * EDGE], found[EDGE * EDGE];
    const int64_t n = EDGE * EDGE;
    stn_exec *exec;
    stn_operator a;
    stn_view b, x;
    numbers[EDGE / 2 * EDGE + EDGE / 3].re = 1.0; /* a source of waves */
    if (stn_exec_create(&exec, "threads") || stn_operator_create(&a, "helmholtz", n, apply, NULL) ||
        stn_view_wrap(&b, "b", stn_storage_of(STN_C128), numbers, 1, &n) ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_C128), found, 1, &n)) {
        fprintf(stderr, "helmholtz: %s\n", stn_error());
        return 1;
    }
    for (int k = 0; k < 3; k++) {
        stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
        stn_solver_report report = STN_SOLVER_REPORT_INIT;
        stn_format_info info = STN_FORMAT_INFO_INIT;
        options.method = STN_SOLVER_GMRES;
        options.arithmetic = STN_C128;
        options.basis = stn_storage_of(bases[k]);
        memset(found, 0, sizeof found);
        if (stn_solve(exec, &x, &a, &b, &options, &report) ||
            stn_format_describe(bases[k], &info)) {
            fprintf(stderr, "helmholtz: %s\n", stn_error());
            return 1;
        }
        printf("basis in %-4s: %3d iterations, |b - A x| is %.1e of |b|\n", info.name,
               (int)report.iterations, report.residual);
    }
    stn_exec_release(exec);
    return 0;
}
