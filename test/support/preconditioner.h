/* Preconditioners of tests: their internals, applications on the host and on devices, and errors
 * against an oracle. */
#ifndef STENO_TEST_PRECONDITIONER_H
#define STENO_TEST_PRECONDITIONER_H

#include <math.h>

#include "linear_system.h"
#include "precondition/block_jacobi.h"
#include "precondition/ilu.h"

static inline stn_preconditioner_info info_of(const stn_preconditioner *m)
{
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    expect_ok(stn_preconditioner_describe(m, &info));
    return info;
}

/* Factors and blocks of a preconditioner of that kind. */
static inline const stn_ilu *factors_of(const stn_preconditioner *m)
{
    return (const stn_ilu *)m;
}

static inline const stn_block_jacobi *blocks_of(const stn_preconditioner *m)
{
    return (const stn_block_jacobi *)m;
}

static inline stn_operator operator_of(const stn_preconditioner *m)
{
    stn_operator op;
    expect_ok(stn_operator_of_preconditioner(&op, m));
    return op;
}

/* From -0.5 to 0.5. */
static inline double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 40) / (double)(1 << 24) - 0.5;
}

static inline void draw_vector(const linear_system *s, number *x, uint64_t seed)
{
    for (int i = 0; i < s->rows; i++) {
        x[i] = draw(&seed);
        x[i] += s->is_complex ? draw(&seed) * I : 0.0;
    }
}

/* y = M x of arrays of the arithmetic type on the host; on a device, by copies. */
static inline void apply_operator(const stn_exec *exec, const stn_operator *op,
                                  stn_format arithmetic, const void *from, void *to)
{
    const stn_storage storage = stn_storage_of(arithmetic);
    const int is_device = !stn_space_accessible(exec, STN_SPACE_HOST);
    stn_view x, y, source, target;
    expect_ok(stn_view_wrap_const(&source, "x", storage, from, 1, &op->rows));
    expect_ok(stn_view_wrap(&target, "y", storage, to, 1, &op->rows));
    if (!is_device) {
        expect_ok(op->apply(op->context, exec, arithmetic, &source, &target));
        expect_ok(stn_exec_wait(exec));
        return;
    }
    expect_ok(stn_view_create(exec, &x, "x", storage, 1, &op->rows));
    expect_ok(stn_view_create(exec, &y, "y", storage, 1, &op->rows));
    expect_ok(stn_view_copy(exec, &x, &source));
    expect_ok(op->apply(op->context, exec, arithmetic, &x, &y));
    expect_ok(stn_view_copy(exec, &target, &y));
    expect_ok(stn_exec_wait(exec));
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
}

/* The same of numbers, in f64, c128 or c64; `to` is overwritten up to its last element. */
static inline void apply(const stn_exec *exec, const stn_preconditioner *m, stn_format arithmetic,
                         const number *from, number *to)
{
    static double real[2][MOST_ROWS];
    static float complex narrow[2][MOST_ROWS];
    const stn_operator op = operator_of(m);
    for (int64_t i = 0; i < op.rows; i++) {
        real[0][i] = creal(from[i]);
        narrow[0][i] = (float complex)from[i];
        to[i] = NAN;
    }
    if (arithmetic == STN_C128)
        apply_operator(exec, &op, arithmetic, from, to);
    else if (arithmetic == STN_F64)
        apply_operator(exec, &op, arithmetic, real[0], real[1]);
    else
        apply_operator(exec, &op, arithmetic, narrow[0], narrow[1]);
    for (int64_t i = 0; i < op.rows && arithmetic != STN_C128; i++)
        to[i] = arithmetic == STN_F64 ? real[1][i] : (number)narrow[1][i];
}

/* The largest error of M v in a block of rows, relative to the largest element of the block; the
 * oracle replaces x by the exact M x. */
static inline double error_of(const stn_exec *exec, const stn_preconditioner *m,
                              const linear_system *s, stn_format arithmetic, const int64_t *start,
                              int64_t blocks, void (*oracle)(wide *x))
{
    static number from[MOST_ROWS], to[MOST_ROWS];
    static wide x[MOST_ROWS];
    long double worst = 0;
    draw_vector(s, from, 5);
    for (int i = 0; i < s->rows; i++)
        x[i] = from[i];
    apply(exec, m, arithmetic, from, to);
    oracle(x);
    for (int64_t k = 0; k < blocks; k++) {
        long double error = 0, most = 0;
        for (int64_t i = start[k]; i < start[k + 1]; i++) {
            error = fmaxl(error, cabsl((wide)to[i] - x[i]));
            most = fmaxl(most, cabsl(x[i]));
        }
        worst = fmaxl(worst, error / most);
    }
    return (double)worst;
}

/* Iterations of a preconditioned solve of s. */
static inline int64_t solve_with(const stn_exec *exec, const linear_system *s,
                                 const stn_preconditioner *m, stn_solver_method method, outcome *o)
{
    const stn_operator inverse = m ? operator_of(m) : (stn_operator){0};
    const stn_solver_options solver = STN_INIT(stn_solver_options, .method = method,
                                               .arithmetic = s->is_complex ? STN_C128 : STN_F64,
                                               .preconditioner = m ? &inverse : NULL);
    system_solve(exec, &solver, s, o);
    expect_ok(o->status);
    assert_true(system_residual(s, o->x) < 1e-9);
    return o->solution.iterations;
}

/* The first OpenCL device, or the test is skipped. */
static inline stn_exec *open_opencl(void)
{
    stn_exec *device;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    return device;
}

#endif
