/* Candidates for the solution of a linear system, ranked by predicted times. */
#include <math.h>
#include <stdlib.h>

#include "advise/solve.h"
#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "sparse/matrix.h"

enum { MAX_CHOICES = 96, RESTART = 100 };
static const char call[] = "stn_advise_solve";

/* ---- candidates ---- */

static int is_real(const stn_solve_advice *advice)
{
    return advice->arithmetic == STN_F64;
}

/* The format with half or a quarter of the bits of the arithmetic type. */
static stn_format narrower(const stn_solve_advice *advice, int step)
{
    static const stn_format formats[2][3] = {{STN_C128, STN_C64, STN_C32},
                                             {STN_F64, STN_F32, STN_F16}};
    return formats[is_real(advice)][step];
}

/* Rows whose largest magnitudes differ by more than this do not fit f16 with one scale. */
static int is_badly_scaled(const stn_solve_advice *advice)
{
    return advice->traits.row_spread > 0x1p12;
}

/* Factors of such rows have entries that f16 with one scale stores as 0. */
static int is_beyond_halves(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    return !choice->is_equilibrated && advice->traits.row_spread > 0x1p39;
}

/* A choice that needs too many bytes is left out; GMRES first reduces its restart. */
static void add(stn_solve_advice *advice, stn_solve_choice choice)
{
    choice.size = sizeof choice;
    if (!stn_advise_fit(advice, &choice)) {
        if (!advice->excluded_bytes || choice.bytes < advice->excluded_bytes)
            advice->excluded_bytes = choice.bytes;
        return;
    }
    if (advice->count < MAX_CHOICES)
        advice->list[advice->count++] = choice;
}

/* The same method with every preconditioner. */
static void add_preconditioned(stn_solve_advice *advice, stn_solve_choice choice)
{
    const stn_matrix_traits *const traits = &advice->traits;
    const int is_symmetric = choice.method == STN_SOLVER_CG || choice.method == STN_SOLVER_MINRES ||
                             choice.inner_method == STN_SOLVER_CG;
    choice.preconditioner_format = advice->arithmetic;
    add(advice, choice);
    if (!traits->has_diagonal || (is_symmetric && !traits->is_positive))
        return;
    choice.preconditioner = STN_ADVISE_JACOBI;
    if (traits->diagonal_spread > 1.0)
        add(advice, choice);
    choice.preconditioner = is_symmetric ? STN_ADVISE_IC0 : STN_ADVISE_ILU0;
    for (int step = 1; step < (is_beyond_halves(advice, &choice) ? 2 : 3); step++) {
        choice.preconditioner_format = narrower(advice, step);
        add(advice, choice);
    }
}

static stn_solve_choice choice_of(const stn_solve_advice *advice, stn_solver_method method)
{
    return (stn_solve_choice){.method = method,
                              .inner_method = method,
                              .matrix_format = advice->arithmetic,
                              .basis_format = advice->arithmetic};
}

/* Two passes over the basis in both cases. A narrow basis needs their quality. */
static stn_orthogonalization orthogonalization_of(const stn_solve_advice *advice, stn_format basis)
{
    return basis == advice->arithmetic ? STN_ORTHOGONALIZATION_ONCE : STN_ORTHOGONALIZATION_DELAYED;
}

static void add_gmres(stn_solve_advice *advice, int is_equilibrated)
{
    static const stn_format real[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    static const stn_format complex_formats[] = {STN_C128, STN_C64, STN_C32};
    const int count = is_real(advice) ? 4 : 3;
    for (int k = 0; k < count; k++) {
        stn_solve_choice choice = choice_of(advice, STN_SOLVER_GMRES);
        choice.basis_format = is_real(advice) ? real[k] : complex_formats[k];
        choice.orthogonalization = orthogonalization_of(advice, choice.basis_format);
        choice.restart = advice->rows < RESTART ? advice->rows : RESTART;
        choice.is_equilibrated = is_equilibrated;
        add_preconditioned(advice, choice);
    }
}

/* Corrections with a narrow matrix, in f32. */
static void add_refinement(stn_solve_advice *advice, stn_solver_method inner)
{
    for (int step = 1; is_real(advice) && step < 3; step++) {
        stn_solve_choice choice = choice_of(advice, STN_SOLVER_REFINEMENT);
        choice.inner_method = inner;
        choice.matrix_format = narrower(advice, step);
        if (inner == STN_SOLVER_GMRES) {
            choice.restart = advice->rows < RESTART ? advice->rows : RESTART;
            choice.basis_format = STN_F16;
            choice.orthogonalization = STN_ORTHOGONALIZATION_DELAYED;
        }
        add_preconditioned(advice, choice);
    }
}

static void add_all(stn_solve_advice *advice)
{
    const stn_matrix_traits *const traits = &advice->traits;
    const int may_be_definite = traits->is_symmetric && traits->is_positive;
    const int is_definite = may_be_definite && traits->dominance <= 1.0 + 0x1p-40;
    if (is_definite) {
        add_preconditioned(advice, choice_of(advice, STN_SOLVER_CG));
        if (!is_badly_scaled(advice))
            add_refinement(advice, STN_SOLVER_CG);
    }
    /* MINRES takes about the time of CG, and does not depend on definiteness. */
    if (traits->is_symmetric)
        add_preconditioned(advice, choice_of(advice, STN_SOLVER_MINRES));
    if (may_be_definite && !is_definite)
        add_preconditioned(advice, choice_of(advice, STN_SOLVER_CG));
    if (!may_be_definite) {
        add_preconditioned(advice, choice_of(advice, STN_SOLVER_BICGSTAB));
        if (!is_badly_scaled(advice))
            add_refinement(advice, STN_SOLVER_GMRES);
    }
    add_gmres(advice, 0);
    if (is_badly_scaled(advice) && !may_be_definite)
        add_gmres(advice, 1);
}

static int compare_times(const void *left, const void *right)
{
    const stn_solve_choice *const a = left, *const b = right;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* ---- calls ---- */

static stn_status expect(const stn_exec *exec, const stn_matrix *a,
                         const stn_solve_advice_options *options)
{
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: exec is a device; an executor of the host is required", call);
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square: %lld x %lld", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    if (a->rows == 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is empty", call, stn_matrix_name(a));
    if (!(options->target > 0.0 && options->target < 1.0))
        return stn_fail(STN_ERR_ARGUMENT, "%s: target is %g; it must be between 0 and 1", call,
                        options->target);
    if (options->max_bytes < 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: max_bytes is %lld; it must be at least 0", call,
                        (long long)options->max_bytes);
    if (!(options->max_seconds >= 0.0))
        return stn_fail(STN_ERR_ARGUMENT, "%s: max_seconds is %g; it must be at least 0", call,
                        options->max_seconds);
    return STN_OK;
}

/* The entries are examined: those of `advice` may be a sample, and finite ones may overflow in a
 * product. */
static stn_status fail_nonfinite(const stn_exec *exec, const stn_matrix *a)
{
    stn_matrix_traits traits = STN_MATRIX_TRAITS_INIT;
    STN_TRY(stn_sparse_traits(exec, a, &traits));
    if (traits.has_nonfinite)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s has infinite or NaN entries", call,
                        stn_matrix_name(a));
    return stn_fail(STN_ERR_ARGUMENT, "%s: products with %s overflow: its largest entry is %.3g",
                    call, stn_matrix_name(a), traits.largest);
}

static stn_status advise(const stn_exec *exec, stn_solve_advice *advice, const stn_matrix *a)
{
    stn_solve_advice_options *const options = &advice->options;
    options->target = options->target == 0.0 ? 1e-10 : options->target;
    STN_TRY(expect(exec, a, options));
    advice->a = a;
    advice->arithmetic = stn_matrix_is_complex(a) ? STN_C128 : STN_F64;
    advice->rows = a->rows;
    advice->entries = a->entries;
    STN_TRY(stn_traits_sample(exec, a, &advice->traits));
    STN_TRY(stn_advise_measure(exec, advice->arithmetic, a, &advice->times));
    if (advice->traits.has_nonfinite || !isfinite(advice->traits.norm) || !advice->times.is_finite)
        return fail_nonfinite(exec, a);
    STN_TRY(stn_allocate(&advice->list, MAX_CHOICES, sizeof *advice->list, "list of methods"));
    add_all(advice);
    if (advice->count == 0)
        return stn_fail(STN_ERR_RANGE,
                        "%s: every method needs more than %lld bytes; the least number is %lld",
                        call, (long long)options->max_bytes, (long long)advice->excluded_bytes);
    qsort(advice->list, (size_t)advice->count, sizeof *advice->list, compare_times);
    return STN_OK;
}

static stn_status run(const stn_exec *exec, stn_solve_advice **advice, const stn_matrix *a,
                      const stn_solve_advice_options *options)
{
    stn_solve_advice *made;
    if (!advice)
        return stn_fail(STN_ERR_ARGUMENT, "%s: advice is NULL", call);
    *advice = NULL;
    STN_TRY(stn_allocate(&made, 1, sizeof *made, "advice"));
    *made = (stn_solve_advice){.options = STN_SOLVE_ADVICE_OPTIONS_INIT};
    stn_status status = options ? STN_STRUCT_READ(&made->options, options, stn_solve_advice_options,
                                                  max_bytes, "stn_advise_solve: options")
                                : STN_OK;
    if (status == STN_OK)
        status = advise(exec, made, a);
    if (status == STN_OK)
        *advice = made;
    else
        stn_solve_advice_release(made);
    return status;
}

stn_status stn_advise_solve(const stn_exec *exec, stn_solve_advice **advice, const stn_matrix *a,
                            const stn_solve_advice_options *options)
{
    STN_RETURN_IN_MODES(run(exec, advice, a, options));
}

int stn_solve_advice_count(const stn_solve_advice *advice)
{
    return advice ? advice->count : 0;
}

stn_status stn_solve_advice_describe(const stn_solve_advice *advice, int index,
                                     stn_solve_choice *choice)
{
    static const char name[] = "stn_solve_advice_describe";
    if (!advice)
        return stn_fail(STN_ERR_ARGUMENT, "%s: advice is NULL", name);
    STN_TRY(STN_STRUCT_CHECK(choice, stn_solve_choice, text, "stn_solve_advice_describe: choice"));
    if (index < 0 || index >= advice->count)
        return stn_fail(STN_ERR_RANGE, "%s: index is %d; there are %d methods", name, index,
                        advice->count);
    STN_STRUCT_WRITE(choice, &advice->list[index], stn_solve_choice);
    return STN_OK;
}

void stn_solve_advice_release(stn_solve_advice *advice)
{
    if (advice)
        stn_free(advice->list);
    stn_free(advice);
}
