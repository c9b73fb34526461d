/* Predicted bytes, iterations and times of methods for a linear system. */
#include <math.h>
#include <stdio.h>

#include "advise/solve.h"

enum { LARGE_BYTES = 8 << 20, SMALL_BASIS = 16 << 20 };

/* Time of an application of complex incomplete factors relative to real ones of the same size. */
static const double COMPLEX_FACTORS = 6.0;

static double width_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(format, &info); /* cannot fail: a format of the library */
    return (double)info.bytes;
}

const char *stn_advise_format_name(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK ? info.name : "?";
}

/* ---- bytes ---- */

static double matrix_bytes(const stn_solve_advice *advice, stn_format format)
{
    return (double)advice->entries * (width_of(format) + 4.0) + 8.0 * (double)advice->rows;
}

/* Matrices in caches are not read faster if they are narrow. */
static int is_large(const stn_solve_advice *advice)
{
    return matrix_bytes(advice, advice->arithmetic) > LARGE_BYTES;
}

static double preconditioner_bytes(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    const double rows = (double)advice->rows;
    if (choice->preconditioner == STN_ADVISE_NO_PRECONDITIONER)
        return 0.0;
    if (choice->preconditioner == STN_ADVISE_JACOBI)
        return rows * width_of(choice->preconditioner_format);
    return matrix_bytes(advice, choice->preconditioner_format) +
           rows * width_of(choice->preconditioner_format);
}

static int has_basis(const stn_solve_choice *choice)
{
    return choice->method == STN_SOLVER_GMRES || choice->inner_method == STN_SOLVER_GMRES;
}

/* GMRES stores vectors of a narrow basis in the arithmetic type, too, if the basis is small or the
 * preconditioner strong. */
static double basis_bytes(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    const double elements = (double)(choice->restart + 1) * (double)advice->rows;
    const stn_format arithmetic =
        choice->method == STN_SOLVER_GMRES ? advice->arithmetic : STN_F32; /* within refinement */
    const double narrow = elements * width_of(choice->basis_format),
                 wide = elements * width_of(arithmetic);
    const int has_both = choice->basis_format != arithmetic &&
                         (wide <= SMALL_BASIS || choice->preconditioner > STN_ADVISE_JACOBI);
    return has_both ? narrow + wide : narrow;
}

/* With the four vectors of the guard. */
static double bytes_of(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    static const double vectors[] = {10.0, 9.0, 8.0, 13.0, 14.0, 9.0};
    const double rows = (double)advice->rows, wide = width_of(advice->arithmetic);
    const int is_refined = choice->method == STN_SOLVER_REFINEMENT;
    double bytes = vectors[choice->method] * wide * rows + preconditioner_bytes(advice, choice);
    if (is_refined)
        bytes += (vectors[choice->inner_method] - 4.0) * wide / 2.0 * rows +
                 matrix_bytes(advice, choice->matrix_format);
    if (choice->is_equilibrated)
        bytes += matrix_bytes(advice, advice->arithmetic) + 2.0 * 8.0 * rows;
    if (has_basis(choice))
        bytes += basis_bytes(advice, choice);
    return bytes;
}

/* ---- iterations ---- */

/* Points that are coupled along lines, not because of the scaling of rows and columns. */
static int is_anisotropic(const stn_matrix_traits *traits)
{
    return traits->similarity < 0.2 && traits->width < 3.0 && traits->diagonal_spread < 100.0;
}

/* Points per dimension of a grid whose points are numbered row by row. */
static double length_of(const stn_solve_advice *advice)
{
    return (double)advice->rows / fmax(1.0, (double)advice->traits.bandwidth);
}

static int is_grid(const stn_solve_advice *advice)
{
    return length_of(advice) > 4.0;
}

/* Anisotropic diffusion in a direction between those of the grid: entries of both signs. */
static int is_rotated(const stn_solve_advice *advice)
{
    const stn_matrix_traits *const traits = &advice->traits;
    return is_grid(advice) && traits->is_symmetric && traits->is_positive &&
           traits->dominance > 1.2 && traits->dominance < 2.0 && traits->diagonal_spread < 100.0;
}

/* Neighbors on opposite sides differ by more than a factor of two. */
static int is_convective(const stn_solve_advice *advice)
{
    return !advice->traits.is_symmetric && is_grid(advice) && advice->traits.similarity < 0.5;
}

/* Number of iterations of CG with Jacobi, as an order of magnitude. On a grid of L points per
 * dimension, whose bandwidth is rows / L, it grows like L. Strict dominance bounds it. Fitted to
 * the matrices of bench_advise. */
static double base_iterations(const stn_solve_advice *advice)
{
    const stn_matrix_traits *const traits = &advice->traits;
    const double digits = -log10(advice->options.target), rows = (double)advice->rows;
    const double bound =
        traits->dominance < 0.99 ? 2.0 + digits * log(10.0) / -log(traits->dominance) : 1e9;
    double guess = digits * (is_grid(advice) ? 0.27 * length_of(advice) : 4.0);
    if (traits->diagonal_spread > 10.0)
        guess *= traits->is_symmetric ? 2.1 : 1.6;
    if (is_anisotropic(traits) || is_rotated(advice) || is_convective(advice))
        guess *= 2.0;
    if (!is_grid(advice) && traits->dominance >= 1.5 && traits->is_symmetric)
        guess *= 6.0;
    return fmax(2.0, fmin(fmin(bound, guess), 2.0 * rows));
}

/* Jacobi removes the differences of the diagonal entries. */
static double preconditioner_factor(const stn_solve_advice *advice,
                                    stn_advise_preconditioner preconditioner)
{
    const stn_matrix_traits *const traits = &advice->traits;
    /* Without dominance, small diagonal entries do not mean small rows. */
    const double harmless = is_grid(advice) || traits->mean_dominance < 1.5 ? 4.7 : 7.0;
    if (preconditioner == STN_ADVISE_NO_PRECONDITIONER)
        return 1.0 + 0.25 * fmin(20.0, fmax(0.0, log2(traits->diagonal_spread) - harmless));
    if (preconditioner == STN_ADVISE_JACOBI)
        return 1.0;
    if (!is_grid(advice))
        return 0.7;
    /* Incomplete factors along lines, or along a strong flow, are nearly complete. */
    if (is_anisotropic(traits) || is_rotated(advice))
        return 0.06;
    if (is_convective(advice) && traits->similarity < 0.25)
        return 0.1;
    return traits->is_symmetric ? 0.32 : 0.27;
}

static double iterations_of(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    const double gmres = advice->traits.is_symmetric ? 1.0 : 1.7;
    /* MINRES meets the target earlier than CG, and on both sides of 0. */
    const int may_be_definite = advice->traits.dominance <= 1.0 + 0x1p-40 || is_rotated(advice) ||
                                advice->traits.diagonal_spread > 100.0;
    const double minres = may_be_definite ? 0.97 : 0.75;
    const double method_factor[] = {1.0, gmres, 1.0, 0.8, minres, gmres};
    const double wide = choice->method != STN_SOLVER_REFINEMENT ? 1.0
                        : is_large(advice)                      ? 1.4
                                                                : 1.9;
    double count = base_iterations(advice) * method_factor[choice->inner_method] * wide *
                   preconditioner_factor(advice, choice->preconditioner);
    /* Methods for general matrices converge slowly on both sides of 0. */
    if (advice->traits.is_symmetric && !advice->traits.is_positive &&
        choice->inner_method != STN_SOLVER_MINRES)
        count *= 5.0;
    if (choice->inner_method == STN_SOLVER_GMRES && count > (double)choice->restart)
        count *= 1.0 + 0.5 * log2(count / (double)choice->restart);
    return fmax(1.0, count);
}

/* ---- times ---- */

static double relative_speed(const stn_solve_advice *advice, stn_format format)
{
    const double *const relative = advice->times.speeds.relative;
    return format == STN_F32 || format == STN_C64   ? relative[1]
           : format == STN_F16 || format == STN_C32 ? relative[2]
           : format == STN_I16                      ? relative[3]
                                                    : relative[0];
}

/* One application of the preconditioner. */
static double precondition_seconds(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    const double wide = width_of(advice->arithmetic) * (double)advice->rows;
    const double share = matrix_bytes(advice, choice->preconditioner_format) /
                         matrix_bytes(advice, advice->arithmetic);
    if (choice->preconditioner == STN_ADVISE_NO_PRECONDITIONER)
        return 0.0;
    if (choice->preconditioner == STN_ADVISE_JACOBI)
        return 12.0 * wide * advice->times.byte;
    return (advice->arithmetic == STN_C128 ? COMPLEX_FACTORS : 1.0) * advice->times.speeds.solve *
           (double)advice->entries * (is_large(advice) ? 0.7 + 0.4 * share : 1.2 - 0.2 * share);
}

static double iteration_seconds(const stn_solve_advice *advice, const stn_solve_choice *choice,
                                double iterations)
{
    static const double words[] = {13.0, 10.0, 6.0, 30.0, 18.0, 10.0};
    const int is_refined = choice->method == STN_SOLVER_REFINEMENT;
    const double share =
        matrix_bytes(advice, choice->matrix_format) / matrix_bytes(advice, advice->arithmetic);
    const double vector = width_of(advice->arithmetic) * (double)advice->rows * advice->times.byte *
                          (is_refined ? 0.5 : 1.0);
    const double operators = advice->times.product * share +
                             (is_refined ? 0.7 : 1.0) * precondition_seconds(advice, choice);
    const int products = choice->inner_method == STN_SOLVER_BICGSTAB ? 2 : 1;
    double seconds = products * operators + words[choice->inner_method] * vector;
    if (choice->inner_method == STN_SOLVER_MINRES && choice->preconditioner)
        seconds += 5.0 * vector;
    if (has_basis(choice)) {
        const double length = fmin((double)choice->restart, iterations) / 2.0;
        seconds += 2.6 * length * vector * 1.2 * relative_speed(advice, choice->basis_format);
    }
    return seconds;
}

static double setup_seconds(const stn_solve_advice *advice, const stn_solve_choice *choice)
{
    const double entries = (double)advice->entries;
    const double length = entries / (double)advice->rows;
    double seconds = 2.0 * advice->times.product;
    if (choice->preconditioner == STN_ADVISE_ILU0 || choice->preconditioner == STN_ADVISE_IC0)
        seconds += advice->times.speeds.factor * entries * (1.0 + length / 60.0);
    if (choice->preconditioner == STN_ADVISE_JACOBI)
        seconds += 0.05 * advice->times.speeds.factor * entries;
    if (choice->method == STN_SOLVER_REFINEMENT)
        seconds += 0.5 * advice->times.speeds.factor * entries;
    if (choice->is_equilibrated)
        seconds += 0.8 * advice->times.speeds.factor * entries;
    return seconds;
}

/* ---- description ---- */

static void describe(const stn_solve_choice *choice, char *text, size_t capacity)
{
    static const char *const methods[] = {"CG",       "GMRES",  "refinement",
                                          "BiCGStab", "MINRES", "FGMRES"};
    static const char *const preconditioners[] = {"", ", Jacobi", ", ILU(0)", ", IC(0)"};
    const int is_refined = choice->method == STN_SOLVER_REFINEMENT;
    char parts[4][48] = {"", "", "", ""};
    if (is_refined)
        snprintf(parts[0], sizeof parts[0], "refinement, matrix %s, ",
                 stn_advise_format_name(choice->matrix_format));
    if (has_basis(choice)) {
        snprintf(parts[1], sizeof parts[1], "(%lld)", (long long)choice->restart);
        snprintf(parts[2], sizeof parts[2], ", basis %s",
                 stn_advise_format_name(choice->basis_format));
    }
    if (choice->preconditioner > STN_ADVISE_JACOBI)
        snprintf(parts[3], sizeof parts[3], " in %s",
                 stn_advise_format_name(choice->preconditioner_format));
    if (snprintf(text, capacity, "%s%s%s%s%s%s%s", parts[0],
                 methods[is_refined ? choice->inner_method : choice->method], parts[1], parts[2],
                 preconditioners[choice->preconditioner], parts[3],
                 choice->is_equilibrated ? ", equilibrated" : "") < 0)
        text[0] = '\0';
}

void stn_advise_predict(const stn_solve_advice *advice, stn_solve_choice *choice)
{
    choice->bytes = (int64_t)bytes_of(advice, choice);
    choice->iterations = iterations_of(advice, choice);
    choice->error = advice->options.target;
    describe(choice, choice->text, sizeof choice->text);
    choice->seconds = setup_seconds(advice, choice) +
                      choice->iterations * iteration_seconds(advice, choice, choice->iterations);
}

/* One by one: a shorter restart may need more bytes, because small bases are stored twice. */
int stn_advise_fit(const stn_solve_advice *advice, stn_solve_choice *choice)
{
    const int64_t limit = advice->options.max_bytes;
    while (limit && choice->restart > STN_ADVISE_MIN_RESTART &&
           (int64_t)bytes_of(advice, choice) > limit)
        choice->restart--;
    stn_advise_predict(advice, choice);
    return !limit || choice->bytes <= limit;
}
