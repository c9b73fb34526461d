/* Matrices from partial differential equations, discretized on a cube of points. Coefficients are
 * computed with + - * / only, so that every machine writes the same file. */
#include "pde.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "core/memory.h"

/* ---- the equations: point[0] is the index along x, whose neighbors are sides 2 and 3 ---- */

/* Conductivity of the material around a point: blocks of four materials, eight blocks along an
 * edge, and each material is denser at greater depth. */
static double conductivity(int64_t n, const int64_t point[3])
{
    static const double rocks[] = {1.0, 3.0, 10.0, 30.0};
    uint64_t block = 0;
    for (int d = 0; d < 3; d++)
        block = block * 8 + (uint64_t)(point[d] * 8 / n);
    const double depth = (double)(point[2] + 1) / (double)(n + 1);
    return rocks[stn_random_bits(3, block) >> 62] * (1.0 + 0.5 * depth * depth);
}

/* -div(c grad u) = f in the unit cube, u = 0 on its surface; finite volumes with the harmonic mean
 * of the conductivities at each face. */
static void poisson(int64_t n, const int64_t point[3], double side[6], double *centre)
{
    const double own = conductivity(n, point), per_square = (double)(n + 1) * (double)(n + 1);
    *centre = 0.0;
    for (int s = 0; s < 6; s++) {
        const int d = s < 3 ? 2 - s : s - 3;
        int64_t next[3] = {point[0], point[1], point[2]};
        next[d] += s < 3 ? -1 : 1;
        const int inside = next[d] >= 0 && next[d] < n;
        const double other = inside ? conductivity(n, next) : own;
        const double face = 2.0 * own * other / (own + other) * per_square;
        side[s] = -face;
        *centre += face;
    }
}

/* -0.01 laplace(u) + w . grad(u) = f in (-1, 1)^3, u given on the surface, with the recirculating
 * wind w = (2y(1 - x^2), -2x(1 - y^2), 1/4) and first-order upwind differences. Source of the wind:
 * H. Elman, D. Silvester, A. Wathen, Finite Elements and Fast Iterative Solvers, 2nd ed., 2014,
 * example 6.1.4. */
static void convection(int64_t n, const int64_t point[3], double side[6], double *centre)
{
    const double step = 2.0 / (double)(n + 1), diffusion = 0.01 / (step * step);
    const double x = (double)(point[0] + 1) * step - 1.0, y = (double)(point[1] + 1) * step - 1.0;
    const double wind[] = {2.0 * y * (1.0 - x * x), -2.0 * x * (1.0 - y * y), 0.25};
    *centre = 0.0;
    for (int d = 0; d < 3; d++) {
        const double flow = fabs(wind[d]) / step;
        side[2 - d] = -diffusion - (wind[d] > 0.0 ? flow : 0.0);
        side[3 + d] = -diffusion - (wind[d] < 0.0 ? flow : 0.0);
        *centre += 2.0 * diffusion + flow;
    }
}

const pde_kind pdes[] = {
    {"poisson3d", "heat or ground water in blocks of four rocks: symmetric, positive definite",
     poisson},
    {"convection", "convection and diffusion in a recirculating wind: nonsymmetric", convection},
    {NULL, NULL, NULL},
};

/* ---- the matrix ---- */

/* Is this neighbor inside the cube? */
static int has_side(int64_t n, const int64_t point[3], int s)
{
    return s < 3 ? point[2 - s] > 0 : point[s - 3] < n - 1;
}

static int64_t entries_of_row(int64_t n, const int64_t point[3])
{
    int64_t entries = 1;
    for (int s = 0; s < 6; s++)
        entries += has_side(n, point, s);
    return entries;
}

static void locate(int64_t n, int64_t row, int64_t point[3])
{
    point[0] = row % n;
    point[1] = row / n % n;
    point[2] = row / n / n;
}

static void fill_row(const pde_kind *pde, int64_t n, int64_t row, stn_market_matrix *matrix)
{
    const int64_t steps[] = {-n * n, -n, -1, 1, n, n * n};
    int64_t point[3], at = matrix->row_start[row];
    double side[6], centre;
    locate(n, row, point);
    pde->stencil(n, point, side, &centre);
    for (int s = 0; s < 6; s++) {
        if (s == 3) {
            matrix->column[at] = (int32_t)row;
            ((double *)matrix->values)[at++] = centre;
        }
        if (has_side(n, point, s)) {
            matrix->column[at] = (int32_t)(row + steps[s]);
            ((double *)matrix->values)[at++] = side[s];
        }
    }
}

static stn_status allocate(stn_market_matrix *matrix)
{
    STN_TRY(stn_allocate(&matrix->row_start, matrix->rows + 1, sizeof(int64_t), "starts of rows"));
    STN_TRY(stn_allocate(&matrix->column, matrix->entries, sizeof(int32_t), "columns"));
    return stn_allocate(&matrix->values, matrix->entries, sizeof(double), "values");
}

stn_status pde_create(const pde_kind *pde, int64_t n, stn_market_matrix *matrix)
{
    const int64_t rows = n * n * n, entries = 7 * rows - 6 * n * n;
    *matrix = (stn_market_matrix)STN_INIT(
        stn_market_matrix, .field = STN_MARKET_REAL, .rows = rows, .symmetry = STN_MARKET_GENERAL,
        .columns = rows, .stored = entries, .entries = entries, .value_format = STN_F64);
    STN_TRY(expect_memory(12.0 * (double)entries + 8.0 * (double)rows, "the matrix"));
    const stn_status status = allocate(matrix);
    if (status != STN_OK) {
        stn_market_release(matrix);
        return status;
    }
    matrix->row_start[0] = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t point[3];
        locate(n, row, point);
        matrix->row_start[row + 1] = matrix->row_start[row] + entries_of_row(n, point);
    }
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < rows; row++)
        fill_row(pde, n, row, matrix);
    return STN_OK;
}

stn_status pde_find(const char *name, const pde_kind **found)
{
    for (const pde_kind *pde = pdes; pde->name; pde++)
        if (strcmp(pde->name, name) == 0) {
            *found = pde;
            return STN_OK;
        }
    return stn_fail(
        STN_ERR_ARGUMENT,
        "unknown matrix '%s' (known: poisson3d, convection, and files whose names contain . or /)",
        name);
}
