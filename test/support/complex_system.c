/* Complex systems that tests of solvers solve. */
#include "complex_system.h"
#include "matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const struct system_trait system_traits[METHODS] = {
    {"CG", 1, 1, 0},       {"GMRES", 0, 0, 1},  {"refinement", 1, 1, 0},
    {"BiCGStab", 0, 0, 1}, {"MINRES", 1, 0, 0}, {"flexible GMRES", 0, 0, 1}};

const stn_solver_options system_inner =
    STN_INIT(stn_solver_options, .arithmetic = STN_C64, .relative_tolerance = 1e-3);

void system_must(stn_status status)
{
    if (status != STN_OK)
        fail_msg("%s", stn_error());
}

/* From point j to the next one along an axis, of which j is the other end. */
static number coupling(system_kind kind, int axis, int i, int j)
{
    const int from = i < j ? i : j;
    const double phase = axis == 0 ? 0.0 : 0.35 * (from % EDGE); /* of a magnetic field */
    const double wind = kind == WINDY ? (i < j ? 0.3 : -0.3) : 0.0;
    const number turned = kind == HELMHOLTZ ? 1.0 : cexp(I * (i < j ? phase : -phase));
    return (wind - 1.0) * turned;
}

static number diagonal(system_kind kind, int i)
{
    const double step = (double)(i % 3) / 10.0;
    return kind == MAGNETIC    ? 4.0 + step
           : kind == SHIFTED   ? 1.9 + step
           : kind == HELMHOLTZ ? 2.2 + step + 0.4 * I
                               : 3.5 + step + (0.5 + step) * I;
}

static number entry(system_kind kind, int i, int j)
{
    const int across = i % EDGE - j % EDGE, along = i / EDGE - j / EDGE;
    if (i == j)
        return diagonal(kind, i);
    if (across * across + along * along != 1)
        return 0.0;
    return coupling(kind, along != 0, i, j);
}

static void eliminate(complex_system *s)
{
    static wide a[ROWS][ROWS + 1];
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++)
            a[i][j] = s->dense[i][j];
        a[i][ROWS] = s->b[i];
    }
    for (int c = 0; c < ROWS; c++) {
        int most = c;
        for (int i = c + 1; i < ROWS; i++)
            most = cabsl(a[i][c]) > cabsl(a[most][c]) ? i : most;
        for (int k = 0; k <= ROWS; k++) {
            const wide old = a[c][k];
            a[c][k] = a[most][k];
            a[most][k] = old;
        }
        for (int i = 0; i < ROWS; i++) {
            const wide factor = i == c ? 0 : a[i][c] / a[c][c];
            for (int j = c; j <= ROWS; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (int i = 0; i < ROWS; i++)
        s->x[i] = a[i][ROWS] / a[i][i];
}

void system_wrap(complex_system *s)
{
    int64_t entries = 0;
    for (int i = 0; i < ROWS; i++) {
        s->start[i] = entries;
        for (int j = 0; j < ROWS; j++) {
            if (s->dense[i][j] == 0)
                continue;
            s->column[entries] = j;
            s->value[entries++] = s->dense[i][j];
        }
    }
    s->start[ROWS] = entries;
    system_must(wrap_csr(&s->matrix, "complex entries", stn_storage_of(STN_C128), ROWS, ROWS,
                         s->start, s->column, s->value));
    system_must(stn_operator_of_matrix(&s->a, s->matrix));
}

void system_make(complex_system *s, system_kind kind)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++)
            s->dense[i][j] = entry(kind, i, j);
        s->b[i] = 1.0 + (double)((i * 37) % 11) / 7.0 - (double)((i * 23) % 13) / 5.0 * I;
    }
    system_wrap(s);
    eliminate(s);
}

double system_residual(const complex_system *s, const number *x)
{
    long double all = 0, norm = 0;
    for (int i = 0; i < ROWS; i++) {
        wide r = s->b[i];
        for (int j = 0; j < ROWS; j++)
            r -= (wide)s->dense[i][j] * (wide)x[j];
        all += creall(r) * creall(r) + cimagl(r) * cimagl(r);
        norm += (long double)creal(s->b[i]) * creal(s->b[i]);
        norm += (long double)cimag(s->b[i]) * cimag(s->b[i]);
    }
    return (double)sqrtl(all / norm);
}

double system_error(const complex_system *s, const number *x)
{
    long double error = 0, norm = 0;
    for (int i = 0; i < ROWS; i++) {
        error = fmaxl(error, cabsl((wide)x[i] - s->x[i]));
        norm = fmaxl(norm, cabsl(s->x[i]));
    }
    return (double)(error / norm);
}

void system_vector(stn_view *view, const char *label, number *data)
{
    const int64_t n = ROWS;
    system_must(stn_view_wrap(view, label, stn_storage_of(STN_C128), data, 1, &n));
}

void system_solve(const stn_exec *exec, const stn_solver_options *solver, const complex_system *s,
                  complex_outcome *o)
{
    static number b_data[ROWS];
    stn_view b, x;
    memset(o, 0, sizeof *o);
    o->solution = (stn_solver_report)STN_INIT(stn_solver_report, .history = o->history,
                                              .history_capacity = MOST_HISTORY);
    memcpy(b_data, s->b, sizeof b_data);
    system_vector(&b, "b", b_data);
    system_vector(&x, "x", o->x);
    o->status = stn_solve(exec, &x, &s->a, &b, solver, &o->solution);
}

static stn_status scale(stn_format arithmetic, const stn_view *x, const stn_view *y, number factor)
{
    for (int64_t i = 0; i < x->extent[0]; i++) {
        const number own = factor * (1.0 + (double)(i % 3) / 16.0);
        if (arithmetic == STN_C128)
            ((number *)y->data)[i] = own * ((const number *)x->data)[i];
        else
            ((float complex *)y->data)[i] =
                (float complex)own * ((const float complex *)x->data)[i];
    }
    return arithmetic == STN_C128 || arithmetic == STN_C64 ? STN_OK : STN_ERR_UNSUPPORTED;
}

stn_status system_turned(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    (void)context, (void)exec;
    return scale(arithmetic, x, y, 0.24 - 0.03 * I);
}

stn_status system_positive(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    (void)context, (void)exec;
    return scale(arithmetic, x, y, 0.25);
}

stn_operator system_inverse(int is_hermitian)
{
    stn_operator m;
    system_must(stn_operator_create(&m, "about the inverse", ROWS,
                                    is_hermitian ? system_positive : system_turned, NULL));
    return m;
}
