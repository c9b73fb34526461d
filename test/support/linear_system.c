/* Systems that tests of solvers solve. */
#include "linear_system.h"

#include <math.h>

const struct method_traits traits[METHODS] = {
    {"CG", 1, 1, 0, 0},       {"GMRES", 0, 0, 1, 1},  {"refinement", 1, 1, 0, 0},
    {"BiCGStab", 0, 0, 1, 0}, {"MINRES", 1, 0, 0, 0}, {"flexible GMRES", 0, 0, 1, 1}};

const stn_solver_options narrow_inner[2] = {
    STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3),
    STN_INIT(stn_solver_options, .arithmetic = STN_C64, .relative_tolerance = 1e-3)};

stn_storage basis_of(stn_solver_method method, stn_format format)
{
    return traits[method].has_basis ? stn_storage_of(format) : (stn_storage){0};
}

/* ---- systems ---- */

void system_release(linear_system *s)
{
    stn_matrix_release(s->matrix);
    s->matrix = NULL;
}

void system_clear(linear_system *s, int rows, int is_complex)
{
    system_release(s);
    memset(s, 0, sizeof *s);
    s->rows = rows;
    s->is_complex = is_complex;
}

void system_store(linear_system *s, int row, int column, number entry)
{
    s->dense[row][column] = entry;
    s->is_stored[row][column] = 1;
}

void system_wrap(linear_system *s)
{
    int64_t at = 0;
    system_release(s);
    for (int i = 0; i < s->rows; i++) {
        s->start[i] = at;
        for (int j = 0; j < s->rows; j++) {
            if (!s->is_stored[i][j])
                continue;
            assert_true(at < MOST_ENTRIES);
            const uint64_t count = (uint64_t)(at + 1 - s->start[i]);
            const int64_t place =
                s->shuffle ? s->start[i] + (int64_t)(order_next(&s->shuffle) % count) : at;
            s->column[at] = s->column[place];
            s->pairs[at++] = s->pairs[place];
            s->column[place] = j;
            s->pairs[place] = s->dense[i][j];
        }
    }
    s->start[s->rows] = at;
    for (int64_t k = 0; k < at; k++)
        s->value[k] = creal(s->pairs[k]);
    expect_ok(wrap_csr(&s->matrix, "a matrix", stn_storage_of(s->is_complex ? STN_C128 : STN_F64),
                       s->rows, s->rows, s->start, s->column,
                       s->is_complex ? (void *)s->pairs : (void *)s->value));
    expect_ok(stn_operator_of_matrix(&s->a, s->matrix));
}

void system_diagonals(linear_system *s, double wind, double shift)
{
    static const int steps[] = {-12, -1, 0, 1, 12};
    system_clear(s, 150, 0);
    for (int i = 0; i < s->rows; i++) {
        for (int k = 0; k < 5; k++) {
            const int j = i + steps[k];
            if (j >= 0 && j < s->rows)
                system_store(s, i, j, k == 2 ? 4.5 - shift : k < 2 ? -1 - wind : -1 + wind);
        }
        s->b[i] = 1.0 + (double)((i * 37) % 11) / 7.0;
    }
    system_wrap(s);
}

void system_of(linear_system *s, int rows, const double *dense)
{
    system_clear(s, rows, 0);
    for (int i = 0; i < rows * rows; i++)
        if (dense[i] != 0.0)
            system_store(s, i / rows, i % rows, dense[i]);
    system_wrap(s);
}

enum { EDGE = 11 };

/* From point j to the next one along an axis; the phases are those of a magnetic field. */
static number coupling(system_kind kind, int axis, int i, int j)
{
    const int from = i < j ? i : j;
    const double phase = axis == 0 ? 0.0 : 0.35 * (from % EDGE);
    const double wind = kind == GENERAL ? (i < j ? 0.3 : -0.3) : 0.0;
    const number turned = kind == HELMHOLTZ ? 1.0 : cexp(I * (i < j ? phase : -phase));
    return (wind - 1.0) * turned;
}

static void make_grid(linear_system *s, system_kind kind)
{
    static const number diagonal[] = {4.0, 1.9, 3.5 + 0.5 * I, 2.2 + 0.4 * I};
    system_clear(s, EDGE * EDGE, 1);
    for (int i = 0; i < s->rows; i++) {
        const double step = (double)(i % 3) / 10.0;
        for (int j = 0; j < s->rows; j++) {
            const int across = i % EDGE - j % EDGE, along = i / EDGE - j / EDGE;
            if (i == j)
                system_store(s, i, i, diagonal[kind] + step * (kind == GENERAL ? 1.0 + I : 1.0));
            else if (across * across + along * along == 1)
                system_store(s, i, j, coupling(kind, along != 0, i, j));
        }
        s->b[i] = 1.0 + (double)((i * 37) % 11) / 7.0 - (double)((i * 23) % 13) / 5.0 * I;
    }
    system_wrap(s);
}

void system_make(linear_system *s, system_kind kind, int is_complex)
{
    if (is_complex)
        make_grid(s, kind);
    else
        system_diagonals(s, kind == GENERAL ? 0.7 : 0.0, kind == INDEFINITE ? 3.1 : 0.0);
}

/* ---- long double ---- */

void system_eliminate(linear_system *s)
{
    static wide a[MOST_ROWS][MOST_ROWS + 1];
    const int n = s->rows;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = s->dense[i][j];
        a[i][n] = s->b[i];
    }
    for (int c = 0; c < n; c++) {
        int most = c;
        for (int i = c + 1; i < n; i++)
            most = cabsl(a[i][c]) > cabsl(a[most][c]) ? i : most;
        for (int k = 0; k <= n; k++) {
            const wide old = a[c][k];
            a[c][k] = a[most][k];
            a[most][k] = old;
        }
        for (int i = 0; i < n; i++) {
            const wide factor = i == c ? 0 : a[i][c] / a[c][c];
            for (int j = c; j <= n && factor != 0; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        s->x[i] = a[i][n] / a[i][i];
}

double system_error(const linear_system *s, const number *x)
{
    long double error = 0, norm = 0;
    for (int i = 0; i < s->rows; i++) {
        error = fmaxl(error, cabsl((wide)x[i] - s->x[i]));
        norm = fmaxl(norm, cabsl(s->x[i]));
    }
    return (double)(error / norm);
}

double system_residual(const linear_system *s, const number *x)
{
    long double all = 0, norm = 0;
    for (int i = 0; i < s->rows; i++) {
        wide r = s->b[i];
        for (int j = 0; j < s->rows; j++)
            if (s->dense[i][j] != 0.0)
                r -= (wide)s->dense[i][j] * (wide)x[j];
        all = hypotl(all, cabsl(r));
        norm = hypotl(norm, cabsl((wide)s->b[i]));
    }
    return (double)(all / norm);
}

/* ---- solves ---- */

void system_vector(const linear_system *s, stn_view *view, const char *label, number *data)
{
    const int64_t rows = s->rows, stride = s->is_complex ? 1 : 2;
    expect_ok(stn_view_wrap_spec(
        view, &STN_VIEW_SPEC(.label = label,
                             .storage = stn_storage_of(s->is_complex ? STN_C128 : STN_F64),
                             .data = data, .rank = 1, .extents = &rows, .strides = &stride)));
}

void system_continue(const stn_exec *exec, const stn_solver_options *solver, const linear_system *s,
                     outcome *o)
{
    static number b_data[MOST_ROWS];
    stn_view b, x;
    const int64_t entries = o->solution.history_count;
    stn_solver_report part = STN_INIT(stn_solver_report, .history = o->history + entries,
                                      .history_capacity = MOST_HISTORY - entries);
    memcpy(b_data, s->b, sizeof b_data);
    system_vector(s, &b, "b", b_data);
    system_vector(s, &x, "x", o->x);
    o->status = stn_solve(exec, &x, &s->a, &b, solver, &part);
    o->solution = part;
    o->solution.history_count += entries;
}

void system_solve(const stn_exec *exec, const stn_solver_options *solver, const linear_system *s,
                  outcome *o)
{
    memset(o, 0, sizeof *o);
    system_continue(exec, solver, s, o);
}

void expect_same_bits(const outcome *first, const outcome *o, const char *what)
{
    assert_int_equal(o->solution.iterations, first->solution.iterations);
    if (memcmp(o->x, first->x, sizeof o->x) != 0 ||
        memcmp(o->history, first->history, sizeof o->history) != 0)
        fail_msg("%s: other bits", what);
}

void expect_solved(const linear_system *s, const outcome *o, double relative, const char *what)
{
    expect_ok_for(o->status, what);
    const double residual = system_residual(s, o->x), error = system_error(s, o->x);
    const double last = o->history[o->solution.history_count - 1];
    if (!(residual <= 1.01 * relative && error <= (s->is_complex ? 100.0 : 30.0) * relative))
        fail_msg("%s: residual %g, error %g", what, residual, error);
    assert_int_equal(o->solution.reason, STN_STOP_CONVERGED);
    assert_true(fabs(o->solution.residual - residual) <= 0.02 * relative);
    assert_true(o->solution.iterations > 0);
    assert_int_equal(o->solution.history_count, o->solution.iterations);
    if (!(last >= 0.5 * residual && last <= 1.01 * relative))
        fail_msg("%s: residual %g, reported %g", what, residual, last);
}

stn_status system_diagonal(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    (void)exec;
    for (int64_t i = 0; i < x->extent[0]; i++) {
        const number d = *(const number *)context * (1.0 + (double)(i % 4) / 8.0);
        if (arithmetic == STN_F64)
            ((double *)y->data)[i] = creal(d) * ((const double *)x->data)[i];
        else if (arithmetic == STN_F32)
            ((float *)y->data)[i] = (float)creal(d) * ((const float *)x->data)[i];
        else if (arithmetic == STN_C128)
            ((number *)y->data)[i] = d * ((const number *)x->data)[i];
        else
            ((float complex *)y->data)[i] = (float complex)d * ((const float complex *)x->data)[i];
    }
    return STN_OK;
}

stn_operator system_inverse(const linear_system *s, int is_symmetric)
{
    static number factors[] = {0.25, 0.24 - 0.03 * I};
    stn_operator m;
    expect_ok(stn_operator_create(&m, "approximate inverse", s->rows, system_diagonal,
                                  &factors[s->is_complex && !is_symmetric]));
    return m;
}
