/* Families of matrices: differences with rotated and random coefficients, saddle points, graphs,
 * indefinite, nearly singular and badly scaled systems, dense rows, and complex ones. */
#include "advise_families.h"

#include <math.h>
#include <stdlib.h>

#include "frame.h"

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(uniform(state) * (double)count);
}

/* ---- construction ---- */

static void reserve(bench_rows *to)
{
    const int64_t parts = to->is_complex ? 2 : 1;
    if (to->entries < to->capacity)
        return;
    to->capacity = 2 * to->capacity + 1024;
    to->column = realloc(to->column, (size_t)to->capacity * sizeof *to->column);
    to->value = realloc(to->value, (size_t)(to->capacity * parts) * sizeof *to->value);
    if (!to->column || !to->value)
        bench_fail("out of memory");
}

static void put_complex(bench_rows *to, int64_t column, double re, double im)
{
    reserve(to);
    to->column[to->entries] = (int32_t)column;
    if (to->is_complex) {
        to->value[2 * to->entries] = re;
        to->value[2 * to->entries + 1] = im;
    } else {
        to->value[to->entries] = re;
    }
    to->entries++;
}

static void put(bench_rows *to, int64_t column, double value)
{
    put_complex(to, column, value, 0.0);
}

static void begin(bench_rows *to, int64_t rows)
{
    to->start = bench_allocate(rows + 1, sizeof *to->start);
    to->rows = 0;
}

static void end_row(bench_rows *to)
{
    to->start[++to->rows] = to->entries;
}

/* ---- grids in two dimensions ---- */

/* -div(K grad u) with a diffusion that is smaller by `epsilon` across a direction of 30 degrees. */
static void fill_rotated(bench_rows *to, int64_t n, double epsilon)
{
    const double c = cos(0.5235987755982988), s = sin(0.5235987755982988);
    const double xx = c * c + epsilon * s * s, yy = s * s + epsilon * c * c,
                 xy = (1.0 - epsilon) * c * s;
    const double weight[3][3] = {
        {-0.5 * xy, -yy, 0.5 * xy}, {-xx, 2.0 * (xx + yy), -xx}, {0.5 * xy, -yy, -0.5 * xy}};
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to))
        for (int64_t k = 0; k < 9; k++) {
            const int64_t x = r % n + k % 3 - 1, y = r / n + k / 3 - 1;
            if (x >= 0 && x < n && y >= 0 && y < n)
                put(to, y * n + x, weight[k / 3][k % 3]);
        }
}

/* Five points with the coefficients of sides from `side`, and `add` on the diagonal. Dirichlet: a
 * side of the boundary counts for the diagonal. */
static void put_five(bench_rows *to, int64_t n, int64_t r, const double side[4], double add,
                     int is_dirichlet)
{
    const int64_t x = r % n, y = r / n, steps[] = {-n, -1, 1, n};
    const int inside[] = {y > 0, x > 0, x < n - 1, y < n - 1};
    double sum = add;
    for (int k = 0; k < 4; k++)
        sum += inside[k] || is_dirichlet ? side[k] : 0.0;
    for (int k = 0; k < 4; k++) {
        if (k == 2)
            put(to, r, sum);
        if (inside[k])
            put(to, r + steps[k], -side[k]);
    }
}

static double harmonic(double a, double b)
{
    return 2.0 * a * b / (a + b);
}

/* Log-normal coefficients of `deviation` in each point. */
static void fill_lognormal(bench_rows *to, int64_t n, double deviation)
{
    double *const k = bench_allocate(n * n, sizeof *k);
    uint64_t state = 5;
    for (int64_t r = 0; r < n * n; r++) {
        double sum = -6.0;
        for (int i = 0; i < 12; i++)
            sum += uniform(&state);
        k[r] = exp(deviation * sum);
    }
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to)) {
        const int64_t x = r % n, y = r / n;
        const double side[] = {
            harmonic(k[r], k[y > 0 ? r - n : r]), harmonic(k[r], k[x > 0 ? r - 1 : r]),
            harmonic(k[r], k[x < n - 1 ? r + 1 : r]), harmonic(k[r], k[y < n - 1 ? r + n : r])};
        put_five(to, n, r, side, 0.0, 1);
    }
    free(k);
}

static void fill_neumann(bench_rows *to, int64_t n, double shift)
{
    static const double side[] = {1.0, 1.0, 1.0, 1.0};
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to))
        put_five(to, n, r, side, shift, 0);
}

/* Upwind differences in a vortex, with `peclet` for the whole edge. */
static void fill_vortex(bench_rows *to, int64_t n, double peclet)
{
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to)) {
        const double h = 1.0 / (double)n, x = ((double)(r % n) + 0.5) * h,
                     y = ((double)(r / n) + 0.5) * h;
        const double u = peclet * h * sin(3.14159 * x) * cos(3.14159 * y),
                     v = -peclet * h * cos(3.14159 * x) * sin(3.14159 * y);
        const double side[] = {1.0 + fmax(v, 0.0), 1.0 + fmax(u, 0.0), 1.0 - fmin(u, 0.0),
                               1.0 - fmin(v, 0.0)};
        put_five(to, n, r, side, 0.0, 1);
    }
}

/* The same with rows multiplied by 2^-bits to 2^bits. */
static void fill_scaled_vortex(bench_rows *to, int64_t n, double bits)
{
    uint64_t state = 7;
    fill_vortex(to, n, 30.0);
    for (int64_t r = 0; r < to->rows; r++) {
        const int power = (int)((2.0 * uniform(&state) - 1.0) * bits);
        for (int64_t k = to->start[r]; k < to->start[r + 1]; k++)
            to->value[k] = ldexp(to->value[k], power);
    }
}

/* 13 points: the square of five points. */
static void fill_biharmonic(bench_rows *to, int64_t n, double unused)
{
    (void)unused;
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to))
        for (int64_t dy = -2; dy <= 2; dy++)
            for (int64_t dx = -2; dx <= 2; dx++) {
                const int64_t x = r % n + dx, y = r / n + dy, square = dx * dx + dy * dy;
                const double value = square == 0   ? 20.0
                                     : square == 1 ? -8.0
                                     : square == 2 ? 2.0
                                     : square == 4 ? 1.0
                                                   : 0.0;
                if (value != 0.0 && x >= 0 && x < n && y >= 0 && y < n)
                    put(to, y * n + x, value);
            }
}

/* ---- cubes ---- */

/* Seven points minus `shift` (27 points of trilinear mass elements if it is 0). */
static void fill_cube(bench_rows *to, int64_t n, double shift)
{
    begin(to, n * n * n);
    for (int64_t r = 0; r < n * n * n; r++, end_row(to))
        for (int64_t k = 0; k < 27; k++) {
            const int64_t dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
            const int64_t x = r % n + dx, y = r / n % n + dy, z = r / n / n + dz;
            const int64_t distance = dx * dx + dy * dy + dz * dz;
            if (x < 0 || x >= n || y < 0 || y >= n || z < 0 || z >= n)
                continue;
            if (shift == 0.0)
                put(to, (z * n + y) * n + x, ldexp(8.0, -2 * (int)distance));
            else if (distance <= 1)
                put(to, (z * n + y) * n + x, distance ? -1.0 : 6.0 - shift);
        }
}

/* ---- saddle points ---- */

/* Velocities with two components, and pressures without diagonal entries, on n x n points. */
static void fill_stokes(bench_rows *to, int64_t n, double viscosity)
{
    const int64_t points = n * n, steps[] = {1, n};
    begin(to, 3 * points);
    for (int64_t d = 0; d < 2; d++)
        for (int64_t r = 0; r < points; r++, end_row(to)) {
            const int64_t x = r % n, y = r / n;
            const int inside[] = {y > 0, x > 0, x < n - 1, y < n - 1};
            const int64_t next[] = {-n, -1, 1, n};
            put(to, d * points + r, 4.0 * viscosity);
            for (int k = 0; k < 4; k++)
                if (inside[k])
                    put(to, d * points + r + next[k], -viscosity);
            put(to, 2 * points + r, -1.0);
            if (d == 0 ? x < n - 1 : y < n - 1)
                put(to, 2 * points + r + steps[d], 1.0);
        }
    for (int64_t r = 0; r < points; r++, end_row(to))
        for (int64_t d = 0; d < 2; d++) {
            put(to, d * points + r, -1.0);
            if (d == 0 ? r % n > 0 : r / n > 0)
                put(to, d * points + r - steps[d], 1.0);
        }
}

/* ---- graphs ---- */

/* The Laplacian of edges in `from` and `next`, plus `shift`. */
static void put_graph(bench_rows *to, int64_t rows, const int32_t *ends, int64_t edges,
                      double shift)
{
    int64_t *const first = bench_allocate(rows + 1, sizeof *first);
    int32_t *const next = bench_allocate(2 * edges, sizeof *next);
    for (int64_t e = 0; e < 2 * edges; e++)
        first[ends[e]]++;
    for (int64_t r = 0, sum = 0; r <= rows; r++) {
        const int64_t count = r < rows ? first[r] : 0;
        first[r] = sum;
        sum += count;
    }
    for (int64_t e = 0; e < 2 * edges; e++)
        next[first[ends[e]]++] = ends[e ^ 1];
    begin(to, rows);
    for (int64_t r = 0, at = 0; r < rows; at = first[r++], end_row(to)) {
        put(to, r, (double)(first[r] - at) + shift);
        for (int64_t k = at; k < first[r]; k++)
            put(to, next[k], -1.0);
    }
    free(first);
    free(next);
}

static int is_new(const int32_t *ends, int64_t edges, int64_t most, int32_t a, int32_t b)
{
    for (int64_t e = edges > most ? edges - most : 0; e < edges; e++)
        if (ends[2 * e] == a && ends[2 * e + 1] == b)
            return 0;
    return a != b;
}

/* A ring with neighbors up to a distance of 3, and a shortcut per 10 points. */
static void fill_small_world(bench_rows *to, int64_t rows, double shift)
{
    int32_t *const ends = bench_allocate(8 * rows, sizeof *ends);
    int64_t edges = 0;
    uint64_t state = 17;
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t d = 1; d <= 3; d++, edges++) {
            ends[2 * edges] = (int32_t)r;
            ends[2 * edges + 1] = (int32_t)((r + d) % rows);
        }
        const int64_t other = below(&state, rows), distance = llabs(other - r);
        if (r % 10 == 0 && distance > 3 && distance < rows - 3) {
            ends[2 * edges] = (int32_t)r;
            ends[2 * edges++ + 1] = (int32_t)other;
        }
    }
    put_graph(to, rows, ends, edges, shift);
    free(ends);
}

/* Preferential attachment: each point has three edges to ends of earlier ones. */
static void fill_scale_free(bench_rows *to, int64_t rows, double shift)
{
    int32_t *const ends = bench_allocate(8 * rows, sizeof *ends);
    int64_t edges = 1;
    uint64_t state = 19;
    ends[1] = 1;
    for (int64_t r = 2; r < rows; r++)
        for (int k = 0; k < 3; k++) {
            const int32_t other = ends[below(&state, 2 * edges)];
            if (!is_new(ends, edges, 3, (int32_t)r, other))
                continue;
            ends[2 * edges] = (int32_t)r;
            ends[2 * edges++ + 1] = other;
        }
    put_graph(to, rows, ends, edges, shift);
    free(ends);
}

/* I - factor P with the transitions P of a random walk. */
static void fill_markov(bench_rows *to, int64_t rows, double factor)
{
    uint64_t state = 23;
    begin(to, rows);
    for (int64_t r = 0; r < rows; r++, end_row(to)) {
        const int64_t step = 1 + below(&state, rows / 8 - 1);
        put(to, r, 1.0);
        for (int64_t k = 1; k <= 5; k++)
            put(to, (r + k * step) % rows, -0.2 * factor);
    }
}

/* ---- dense rows ---- */

/* A tridiagonal matrix with a dense first row and column. */
static void fill_arrow(bench_rows *to, int64_t rows, double weight)
{
    begin(to, rows);
    for (int64_t r = 0; r < rows; r++, end_row(to)) {
        put(to, r, r == 0 ? 4.0 + (double)rows * weight * weight : 2.5);
        for (int64_t c = 1; c < rows && r == 0; c++)
            put(to, c, weight);
        if (r > 0)
            put(to, 0, weight);
        if (r > 1)
            put(to, r - 1, -1.0);
        if (r > 0 && r < rows - 1)
            put(to, r + 1, -1.0);
    }
}

/* Random rows that are not dominant by `factor`, and four dense ones. */
static void fill_dense_rows(bench_rows *to, int64_t rows, double factor)
{
    uint64_t state = 31;
    begin(to, rows);
    for (int64_t r = 0; r < rows; r++, end_row(to)) {
        const int is_dense = r % (rows / 4) == 0;
        const int64_t step = is_dense ? 1 : 1 + below(&state, rows / 8 - 1);
        double sum = 0.0;
        for (int64_t k = 1; k <= (is_dense ? rows - 1 : 6); k++) {
            const double value = uniform(&state) - 0.5;
            put(to, (r + k * step) % rows, value);
            sum += fabs(value);
        }
        put(to, r, factor * sum);
    }
}

/* ---- complex ---- */

/* Five points minus (1 - i damping) times a squared wave number of 0.3. */
static void fill_damped(bench_rows *to, int64_t n, double damping)
{
    static const double side[] = {1.0, 1.0, 1.0, 1.0};
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to)) {
        const int64_t first = to->entries;
        put_five(to, n, r, side, -0.3, 1);
        for (int64_t k = first; k < to->entries; k++)
            to->value[2 * k + 1] = to->column[k] == r ? 0.3 * damping : 0.0;
    }
}

/* A Hermitian matrix: five points in a magnetic field of `flux` per cell, plus 0.01. */
static void fill_magnetic(bench_rows *to, int64_t n, double flux)
{
    begin(to, n * n);
    for (int64_t r = 0; r < n * n; r++, end_row(to)) {
        const int64_t x = r % n, y = r / n;
        const double phase = flux * (double)y;
        if (y > 0)
            put(to, r - n, -1.0);
        if (x > 0)
            put_complex(to, r - 1, -cos(phase), sin(phase));
        put(to, r, 4.01);
        if (x < n - 1)
            put_complex(to, r + 1, -cos(phase), -sin(phase));
        if (y < n - 1)
            put(to, r + n, -1.0);
    }
}

const bench_family bench_families[] = {{"rotated", 110, 1e-3, fill_rotated, 0},
                                       {"rotated_mild", 110, 0.05, fill_rotated, 0},
                                       {"lognormal", 120, 2.0, fill_lognormal, 0},
                                       {"neumann", 120, 1e-7, fill_neumann, 0},
                                       {"vortex_10", 120, 10.0, fill_vortex, 0},
                                       {"vortex_2000", 120, 2000.0, fill_vortex, 0},
                                       {"vortex_scaled", 80, 60.0, fill_scaled_vortex, 0},
                                       {"biharmonic", 60, 0.0, fill_biharmonic, 0},
                                       {"mass", 28, 0.0, fill_cube, 0},
                                       {"helmholtz3d", 24, 0.4, fill_cube, 0},
                                       {"stokes", 40, 1.0, fill_stokes, 0},
                                       {"small_world", 20000, 1e-3, fill_small_world, 0},
                                       {"scale_free", 20000, 1e-3, fill_scale_free, 0},
                                       {"markov", 20000, 0.98, fill_markov, 0},
                                       {"arrow", 10000, 0.1, fill_arrow, 0},
                                       {"dense_rows", 8000, 0.8, fill_dense_rows, 0},
                                       {"damped", 80, 0.2, fill_damped, 1},
                                       {"magnetic", 80, 0.3, fill_magnetic, 1},
                                       {NULL, 0, 0.0, NULL, 0}};

stn_matrix *bench_family_create(const bench_family *of, bench_rows *rows)
{
    *rows = (bench_rows){.is_complex = of->is_complex};
    of->fill(rows, of->edge, of->parameter);
    return bench_wrap_csr(of->name, rows->rows, rows->rows, rows->start, rows->column,
                          of->is_complex ? STN_C128 : STN_F64, rows->value);
}

void bench_family_release(stn_matrix *a, bench_rows *rows)
{
    stn_matrix_release(a);
    free(rows->start);
    free(rows->column);
    free(rows->value);
}
