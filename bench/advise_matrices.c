/* Generated matrices of bench_advise: differences on grids, random rows, and prescribed spectra. */
#include "advise_matrices.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "frame.h"

/* BAND: largest distance from the diagonal before rows are permuted. */
enum { MAX_ROW = 40, BAND = 16, STAGES = 4, BLOCK = 4 };

#define GRID(label, size, points, ...)                                                             \
    {                                                                                              \
        .name = label, .kind = BENCH_GRID, .dimensions = size, .edge = points, __VA_ARGS__         \
    }
#define OTHER(label, how, size, quotient, ...)                                                     \
    {                                                                                              \
        .name = label, .kind = how, .dimensions = 1, .edge = size, .condition = quotient,          \
        __VA_ARGS__                                                                                \
    }

const bench_matrix bench_matrices[] = {
    GRID("poisson2d", 2, 150, .shift = 0.0),
    GRID("poisson3d", 3, 36, .shift = 0.0),
    GRID("jumps2d", 2, 150, .jumps = 1e4),
    GRID("jumps3d", 3, 32, .jumps = 1e3),
    GRID("anisotropic2d", 2, 120, .anisotropy = 1e-3),
    GRID("anisotropic3d", 3, 32, .anisotropy = 1e-2),
    GRID("helmholtz2d", 2, 60, .shift = 0.02),
    GRID("convection2d_1", 2, 120, .convection = 1.0),
    GRID("convection2d_30", 2, 120, .convection = 30.0),
    GRID("convection2d_1000", 2, 120, .convection = 1000.0),
    GRID("convection3d_1", 3, 32, .convection = 1.0),
    GRID("convection3d_30", 3, 32, .convection = 30.0),
    GRID("convection_jumps", 3, 28, .convection = 10.0, .jumps = 1e3),
    GRID("rows_scaled2d", 2, 80, .convection = 30.0, .row_bits = 16),
    GRID("rows_scaled3d", 3, 24, .convection = 10.0, .row_bits = 30),
    GRID("columns_scaled", 2, 80, .convection = 30.0, .column_bits = 20),
    GRID("both_scaled", 2, 80, .convection = 1.0, .row_bits = 12, .column_bits = 12),
    GRID("symmetric_scaled", 2, 100, .row_bits = 12, .column_bits = 12, .is_symmetric_scaling = 1),
    OTHER("random_dominant", BENCH_RANDOM, 20000, 1.1, .shift = 0.0),
    OTHER("random_weak", BENCH_RANDOM, 10000, 0.7, .shift = 0.0),
    OTHER("spectrum_1e2", BENCH_SPECTRUM, 12000, 1e2, .shift = 0.0),
    OTHER("spectrum_1e4", BENCH_SPECTRUM, 8000, 1e4, .shift = 0.0),
    OTHER("spectrum_1e6", BENCH_SPECTRUM, 6000, 1e6, .shift = 0.0),
    OTHER("spectrum_indefinite", BENCH_SPECTRUM, 6000, 1e3, .is_indefinite = 1),
    {.name = NULL}};

typedef struct rows {
    int64_t count, entries;
    int64_t *start;
    int32_t *column;
    double *value;
    stn_matrix *matrix;
} rows;

static rows arrays; /* of the one matrix that exists */

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static void add(int64_t column, double value)
{
    arrays.column[arrays.entries] = (int32_t)column;
    arrays.value[arrays.entries++] = value;
}

/* ---- grids ---- */

static double coefficient(const bench_matrix *of, const int64_t point[3])
{
    int block = 0;
    for (int d = 0; d < of->dimensions; d++)
        block += (int)(point[d] * 4 / of->edge);
    return of->jumps > 0.0 && block % 2 ? of->jumps : 1.0;
}

static void add_grid_row(const bench_matrix *of, const int64_t point[3], int64_t r)
{
    double side[6], center = -of->shift;
    int64_t step = 1, steps[3];
    for (int d = 0; d < of->dimensions; d++, step *= of->edge)
        steps[d] = step;
    for (int s = 0; s < 2 * of->dimensions; s++) {
        const int d = s / 2;
        int64_t next[3] = {point[0], point[1], point[2]};
        next[d] += s % 2 ? 1 : -1;
        const int inside = next[d] >= 0 && next[d] < of->edge;
        const double own = coefficient(of, point);
        const double other = inside ? coefficient(of, next) : own;
        const double factor = d == 0 && of->anisotropy > 0.0 ? of->anisotropy : 1.0;
        const double wind = of->convection / (double)of->edge * (s % 2 ? 0.0 : 1.0);
        side[s] = -factor * 2.0 * own * other / (own + other) - wind;
        center -= side[s];
    }
    for (int d = of->dimensions - 1; d >= 0; d--)
        if (point[d] > 0)
            add(r - steps[d], side[2 * d]);
    add(r, center);
    for (int d = 0; d < of->dimensions; d++)
        if (point[d] < of->edge - 1)
            add(r + steps[d], side[2 * d + 1]);
}

static void fill_grid(const bench_matrix *of)
{
    for (int64_t r = 0; r < arrays.count; r++) {
        int64_t point[3] = {0}, rest = r;
        for (int d = 0; d < of->dimensions; d++, rest /= of->edge)
            point[d] = rest % of->edge;
        arrays.start[r] = arrays.entries;
        add_grid_row(of, point, r);
    }
}

/* ---- random rows: `condition` is the diagonal in units of the sum next to it ---- */

static void fill_random(const bench_matrix *of)
{
    uint64_t state = 11;
    for (int64_t r = 0; r < arrays.count; r++) {
        double sum = 0.0;
        arrays.start[r] = arrays.entries;
        for (int k = 0; k < 6; k++) {
            const int64_t c = (int64_t)(uniform(&state) * (double)arrays.count);
            const double value = uniform(&state) - 0.5;
            if (c == r)
                continue;
            add(c, value);
            sum += fabs(value);
        }
        add(r, of->condition * sum + 1e-3);
    }
}

/* ---- prescribed spectra: Q D Q^T with Householder blocks, rows in random order ---- */

static double *at(double *band, int64_t r, int64_t c)
{
    return &band[r * (2 * BAND + 1) + c - r + BAND];
}

/* Reflects rows, or columns, of one block. */
static void reflect(double *band, int64_t n, int64_t first, const double v[BLOCK], int by_column)
{
    const int64_t begin = first > BAND - BLOCK ? first - BAND + BLOCK : 0;
    const int64_t end = first + BAND < n ? first + BAND : n;
    for (int64_t other = begin; other < end; other++) {
        double sum = 0.0;
        for (int k = 0; k < BLOCK; k++)
            sum += v[k] * *(by_column ? at(band, other, first + k) : at(band, first + k, other));
        for (int k = 0; k < BLOCK; k++)
            *(by_column ? at(band, other, first + k) : at(band, first + k, other)) -=
                2.0 * v[k] * sum;
    }
}

static void fill_band(const bench_matrix *of, double *band, uint64_t *state)
{
    const int64_t n = arrays.count;
    for (int64_t r = 0; r < n; r++) {
        const double value = pow(of->condition, -(double)r / (double)(n - 1));
        const int64_t place = (r * 4999) % n; /* n is no multiple of it: a permutation */
        *at(band, place, place) = of->is_indefinite && r % 3 == 0 ? -value : value;
    }
    for (int stage = 0; stage < STAGES; stage++)
        for (int64_t first = stage % 2 * BLOCK / 2; first + BLOCK <= n; first += BLOCK) {
            double v[BLOCK], sum = 0.0;
            for (int k = 0; k < BLOCK; k++) {
                v[k] = uniform(state) - 0.5;
                sum += v[k] * v[k];
            }
            for (int k = 0; k < BLOCK; k++)
                v[k] /= sqrt(sum);
            reflect(band, n, first, v, 0);
            reflect(band, n, first, v, 1);
        }
}

static void fill_spectrum(const bench_matrix *of)
{
    const int64_t n = arrays.count;
    double *const band = bench_allocate(n * (2 * BAND + 1), sizeof *band);
    int64_t *const order = bench_allocate(n, sizeof *order);
    int64_t *const place = bench_allocate(n, sizeof *place);
    uint64_t state = 29;
    fill_band(of, band, &state);
    for (int64_t r = 0; r < n; r++)
        order[r] = r;
    for (int64_t r = n - 1; r > 0; r--) {
        const int64_t other = (int64_t)(uniform(&state) * (double)(r + 1)), kept = order[r];
        order[r] = order[other];
        order[other] = kept;
    }
    for (int64_t r = 0; r < n; r++)
        place[order[r]] = r;
    for (int64_t r = 0; r < n; r++) {
        const int64_t from = order[r];
        arrays.start[r] = arrays.entries;
        for (int64_t c = from - BAND; c <= from + BAND; c++)
            if (c >= 0 && c < n && (*at(band, from, c) != 0.0 || *at(band, c, from) != 0.0))
                add(place[c], 0.5 * (*at(band, from, c) + *at(band, c, from)));
    }
    free(band);
    free(order);
    free(place);
}

/* ---- scaling ---- */

static int bits(int64_t index, int most, uint64_t seed)
{
    uint64_t state = (uint64_t)index * 977 + seed;
    (void)uniform(&state);
    return (int)floor((2.0 * uniform(&state) - 1.0) * (double)most + 0.5);
}

static void scale(const bench_matrix *of)
{
    for (int64_t r = 0; r < arrays.count; r++)
        for (int64_t k = arrays.start[r]; k < arrays.start[r + 1]; k++) {
            const uint64_t seed = of->is_symmetric_scaling ? 1 : 2;
            arrays.value[k] =
                ldexp(arrays.value[k],
                      bits(r, of->row_bits, 1) + bits(arrays.column[k], of->column_bits, seed));
        }
}

stn_matrix *bench_matrix_create(const bench_matrix *of)
{
    arrays = (rows){.count = of->edge};
    for (int d = 1; d < of->dimensions; d++)
        arrays.count *= of->edge;
    arrays.start = bench_allocate(arrays.count + 1, sizeof *arrays.start);
    arrays.column = bench_allocate(arrays.count * MAX_ROW, sizeof *arrays.column);
    arrays.value = bench_allocate(arrays.count * MAX_ROW, sizeof *arrays.value);
    if (of->kind == BENCH_GRID)
        fill_grid(of);
    else if (of->kind == BENCH_RANDOM)
        fill_random(of);
    else
        fill_spectrum(of);
    arrays.start[arrays.count] = arrays.entries;
    scale(of);
    arrays.matrix = bench_wrap_csr(of->name, arrays.count, arrays.count, arrays.start,
                                   arrays.column, STN_F64, arrays.value);
    return arrays.matrix;
}

void bench_matrix_release(stn_matrix *a)
{
    stn_matrix_release(a);
    free(arrays.start);
    free(arrays.column);
    free(arrays.value);
}
