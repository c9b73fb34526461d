/* A reaction-diffusion equation, u' = D lap u + u (1 - u) on a square, integrated by CVODE of
 * SUNDIALS. Newton's method solves its systems (I - gamma J) x = b by a SUNLinearSolver in narrow
 * storage: values of the matrix in f32, GMRES with a basis in 16 bits, factors of ILU(0) in f16. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "steno/steno.h"

#if !defined(SUNDIALS_DOUBLE_PRECISION)
#    error "this program needs SUNDIALS in double precision"
#endif

enum { EDGE = 48, ROWS = EDGE * EDGE };

static const double diffusion = 40.0; /* times the square of EDGE, in units of the grid */

/* ---- the equation ---- */

/* Neighbor of point `row` in direction k = 0 ... 3; the point itself at a border. */
static int neighbor(int row, int k)
{
    const int x = row % EDGE, y = row / EDGE;
    return k == 0   ? (y > 0 ? row - EDGE : row)
           : k == 1 ? (x > 0 ? row - 1 : row)
           : k == 2 ? (x < EDGE - 1 ? row + 1 : row)
                    : (y < EDGE - 1 ? row + EDGE : row);
}

static int compute(sunrealtype t, N_Vector state, N_Vector rate, void *data)
{
    const double *const u = N_VGetArrayPointer(state);
    double *const du = N_VGetArrayPointer(rate);
    (void)t;
    (void)data;
    for (int row = 0; row < ROWS; row++) {
        double sum = -4.0 * u[row];
        for (int k = 0; k < 4; k++)
            sum += u[neighbor(row, k)];
        du[row] = diffusion * sum + u[row] * (1.0 - u[row]);
    }
    return 0;
}

/* ---- the linear solver ---- */

/* The matrix I - gamma J in f32, and its preconditioner. */
typedef struct narrow_solver {
    void *cvode;
    stn_exec *exec;
    int32_t start[ROWS + 1], column[5 * ROWS];
    float values[5 * ROWS];
    stn_matrix *matrix; /* over these arrays */
    stn_preconditioner *factors;
    double gamma; /* of the factors */
    long solves, iterations, factorizations;
} narrow_solver;

/* Compressed rows with the pattern of J. */
static void create_pattern(narrow_solver *s)
{
    for (int row = 0, entry = 0; row < ROWS; row++) {
        for (int k = 0; k < 5; k++) { /* columns ascend */
            const int other = k == 2 ? row : neighbor(row, k < 2 ? k : k - 1);
            if (k == 2 || other != row)
                s->column[entry++] = other;
        }
        s->start[row + 1] = entry;
    }
}

static void compute_values(narrow_solver *s, const double *u, double gamma)
{
    for (int row = 0; row < ROWS; row++)
        for (int e = s->start[row]; e < s->start[row + 1]; e++) {
            const int neighbors = s->start[row + 1] - s->start[row] - 1;
            s->values[e] =
                s->column[e] != row
                    ? (float)(-gamma * diffusion)
                    : (float)(1.0 - gamma * (1.0 - 2.0 * u[row] - neighbors * diffusion));
        }
}

/* Factors are used until gamma has changed by 20 %. */
static stn_status refresh_factors(narrow_solver *s, double gamma)
{
    const stn_format f16 = STN_F16;
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .format = &f16);
    if (s->factors && fabs(gamma / s->gamma - 1.0) < 0.2)
        return STN_OK;
    stn_preconditioner_release(s->factors);
    s->gamma = gamma;
    s->factorizations++;
    return stn_ilu_create(s->exec, &s->factors, s->matrix, &options);
}

static stn_status solve_narrow(narrow_solver *s, const double *u, double gamma, N_Vector x,
                               N_Vector b)
{
    const int64_t count = N_VGetLength(b), x_count = N_VGetLength(x);
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_F32,
                 .relative_tolerance = 1e-3, .max_iterations = 50, .restart = 10,
                 .basis = stn_storage_of(STN_I16));
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_operator a, inverse;
    stn_view right, solution;
    compute_values(s, u, gamma);
    stn_status status = refresh_factors(s, gamma);
    if (status || (status = stn_operator_of_matrix(&a, s->matrix)) ||
        (status = stn_operator_of_preconditioner(&inverse, s->factors)) ||
        (status = stn_view_wrap_const(&right, "b", f64, N_VGetArrayPointer(b), 1, &count)) ||
        (status = stn_view_wrap(&solution, "x", f64, N_VGetArrayPointer(x), 1, &x_count)) ||
        (status = stn_view_fill(s->exec, &solution, 0.0)))
        return status;
    options.preconditioner = &inverse;
    status = stn_solve(s->exec, &solution, &a, &right, &options, &report);
    s->solves++;
    s->iterations += (long)report.iterations;
    return status;
}

/* The functions in the table of the SUNLinearSolver. CVODE reduces its step after a positive
 * result, and stops after a negative one. */
static SUNLinearSolver_Type get_type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_MATRIX_EMBEDDED;
}

static int solve(SUNLinearSolver solver, SUNMatrix unused, N_Vector x, N_Vector b,
                 sunrealtype tolerance)
{
    narrow_solver *const s = solver->content;
    sunrealtype t, gamma, rl1;
    N_Vector predicted, current, rate, zn1;
    void *data;
    (void)unused;
    (void)tolerance;
    if (CVodeGetNonlinearSystemData(s->cvode, &t, &predicted, &current, &rate, &gamma, &rl1, &zn1,
                                    &data))
        return SUNLS_MEM_NULL;
    const stn_status status = solve_narrow(s, N_VGetArrayPointer(current), gamma, x, b);
    if (status != STN_OK)
        fprintf(stderr, "cvode: %s\n", stn_error());
    return status == STN_OK                ? SUNLS_SUCCESS
           : status == STN_ERR_CONVERGENCE ? SUNLS_CONV_FAIL
                                           : SUNLS_PACKAGE_FAIL_UNREC;
}

static int release(SUNLinearSolver solver)
{
    narrow_solver *const s = solver->content;
    stn_preconditioner_release(s->factors);
    stn_matrix_release(s->matrix);
    stn_exec_release(s->exec);
    free(s);
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

/* Creates the solver for an integrator; NULL if Steno fails. */
static SUNLinearSolver create_solver(SUNContext context, void *cvode)
{
    SUNLinearSolver solver = SUNLinSolNewEmpty(context);
    narrow_solver *const s = calloc(1, sizeof *s);
    if (!solver || !s)
        return NULL;
    solver->ops->gettype = get_type;
    solver->ops->solve = solve;
    solver->ops->free = release;
    solver->content = s;
    s->cvode = cvode;
    create_pattern(s);
    if (stn_exec_create(&s->exec, "threads:threads=1") ||
        stn_matrix_wrap_csr_i32(&s->matrix, ROWS, ROWS, s->start, s->column,
                                stn_storage_of(STN_F32), s->values)) {
        release(solver);
        return NULL;
    }
    return solver;
}

/* ---- integration ---- */

/* Integrates to t = 2 with the narrow solver, or with SPGMR of SUNDIALS. */
static int integrate(SUNContext context, int is_narrow, N_Vector u, narrow_solver *counts)
{
    void *cvode = CVodeCreate(CV_BDF, context);
    double *const values = N_VGetArrayPointer(u);
    sunrealtype t;
    for (int row = 0; row < ROWS; row++)
        values[row] = row % EDGE < EDGE / 4 && row / EDGE < EDGE / 4 ? 1.0 : 0.0;
    if (CVodeInit(cvode, compute, 0.0, u) || CVodeSStolerances(cvode, 1e-6, 1e-8))
        return 1;
    SUNLinearSolver solver =
        is_narrow ? create_solver(context, cvode) : SUNLinSol_SPGMR(u, SUN_PREC_NONE, 0, context);
    if (!solver || CVodeSetLinearSolver(cvode, solver, NULL) || CVodeSetMaxNumSteps(cvode, 5000) ||
        CVode(cvode, 2.0, u, &t, CV_NORMAL) != CV_SUCCESS)
        return 1;
    if (is_narrow)
        *counts = *(narrow_solver *)solver->content;
    printf("%s reaches t = 2\n", is_narrow ? "Steno" : "SPGMR of SUNDIALS");
    SUNLinSolFree(solver);
    CVodeFree(&cvode);
    return 0;
}

int main(void)
{
    static narrow_solver counts;
    double difference = 0.0;
    SUNContext context;
    if (SUNContext_Create(NULL, &context))
        return 1;
    N_Vector u = N_VNew_Serial(ROWS, context), expected = N_VNew_Serial(ROWS, context);
    if (integrate(context, 0, expected, NULL) || integrate(context, 1, u, &counts))
        return 1;
    for (int row = 0; row < ROWS; row++)
        difference =
            fmax(difference, fabs(N_VGetArrayPointer(u)[row] - N_VGetArrayPointer(expected)[row]));
    printf("solutions differ by less than 1e-4: %s\n", difference < 1e-4 ? "yes" : "no");
    printf("iterations per linear system: %s\n",
           counts.iterations < 6 * counts.solves ? "less than 6" : "6 or more");
    N_VDestroy(u);
    N_VDestroy(expected);
    SUNContext_Free(&context);
    return !(difference < 1e-4);
}
