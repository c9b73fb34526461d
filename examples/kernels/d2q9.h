/* A lattice-Boltzmann fluid in two dimensions (D2Q9, single relaxation time, periodic): nine
 * populations per cell, stored in any format, as their difference from the fluid at rest. Streaming
 * is expressed by slices: population q is read from the preceding cell along its direction. */
#ifndef D2Q9_H
#define D2Q9_H

#include "steno/kernel_fuse.h"

/* clang-format off */
/* directions:  8 1 4
 *              6 0 3
 *              7 2 5  */
STN_MAP(d2q9_step, (real(omega), in(f0), in(f1), in(f2), in(f3), in(f4), in(f5), in(f6), in(f7), in(f8),
                    out(g0), out(g1), out(g2), out(g3), out(g4), out(g5), out(g6), out(g7), out(g8)),
    const real_t extra = f0 + ((f1 + f2) + (f3 + f6)) + ((f4 + f7) + (f5 + f8));
    const real_t rho = STN_R(1) + extra;
    const real_t inverse = STN_R(1) / rho;
    const real_t x = ((f3 - f6) + (f4 - f7) + (f5 - f8)) * inverse;
    const real_t y = ((f1 - f2) + (f4 - f7) - (f5 - f8)) * inverse;
    const real_t weight = STN_R(4.5) * rho;
    const real_t rest = extra - STN_R(1.5) * rho * (x * x + y * y);
    const real_t kept = STN_R(1) - omega;
    const real_t axis = omega * STN_R(0.1111111111111111);
    const real_t corner = omega * STN_R(0.02777777777777778);
    const real_t sum = x + y;
    const real_t difference = x - y;
    const real_t even_x = rest + weight * (x * x);
    const real_t even_y = rest + weight * (y * y);
    const real_t even_sum = rest + weight * (sum * sum);
    const real_t even_difference = rest + weight * (difference * difference);
    const real_t three = STN_R(3) * rho;
    g0 = kept * f0 + STN_R(4) * axis * rest;
    g1 = kept * f1 + axis * (even_y + three * y);
    g2 = kept * f2 + axis * (even_y - three * y);
    g3 = kept * f3 + axis * (even_x + three * x);
    g6 = kept * f6 + axis * (even_x - three * x);
    g4 = kept * f4 + corner * (even_sum + three * sum);
    g7 = kept * f7 + corner * (even_sum - three * sum);
    g5 = kept * f5 + corner * (even_difference + three * difference);
    g8 = kept * f8 + corner * (even_difference - three * difference);
)

/* Defines a fused loop for populations of one format. */
#define D2Q9_FUSE(format)                                                                          \
    STN_FUSE(d2q9_step_##format, d2q9_step, f32, (real(omega),                                     \
             in(f0, format), in(f1, format), in(f2, format), in(f3, format), in(f4, format),       \
             in(f5, format), in(f6, format), in(f7, format), in(f8, format),                       \
             out(g0, format), out(g1, format), out(g2, format), out(g3, format), out(g4, format),  \
             out(g5, format), out(g6, format), out(g7, format), out(g8, format)))
D2Q9_FUSE(f16)
/* clang-format on */

enum { D2Q9 = 9 };
static const int d2q9_x[D2Q9] = {0, 0, 0, 1, 1, 1, -1, -1, -1};
static const int d2q9_y[D2Q9] = {0, 1, -1, 0, 1, -1, 0, -1, 1};

/* Populations of rows x columns cells, with a frame of one cell for the periodic boundary. */
typedef struct d2q9_fluid {
    int64_t rows, columns;
    stn_view populations; /* 9 x (rows + 2) x (columns + 2) */
    stn_view pulled[D2Q9], cells[D2Q9];
} d2q9_fluid;

static inline stn_status d2q9_create(d2q9_fluid *fluid, const stn_exec *exec, stn_storage storage,
                                     int64_t rows, int64_t columns)
{
    const int64_t extents[] = {D2Q9, rows + 2, columns + 2};
    stn_status status =
        stn_view_create(exec, &fluid->populations, "populations", storage, 3, extents);
    fluid->rows = rows;
    fluid->columns = columns;
    for (int q = 0; q < D2Q9 && status == STN_OK; q++) {
        const int64_t y = 1 - d2q9_y[q], x = 1 - d2q9_x[q];
        const stn_slice back[] = {stn_slice_index(q), stn_slice_range(y, y + rows),
                                  stn_slice_range(x, x + columns)};
        const stn_slice here[] = {stn_slice_index(q), stn_slice_range(1, 1 + rows),
                                  stn_slice_range(1, 1 + columns)};
        status = stn_view_slice(&fluid->pulled[q], &fluid->populations, 3, back);
        if (status == STN_OK)
            status = stn_view_slice(&fluid->cells[q], &fluid->populations, 3, here);
    }
    return status;
}

/* Copies a line of the frame from the opposite cells, for the populations that enter from there. */
static inline stn_status d2q9_wrap(const stn_exec *exec, const d2q9_fluid *fluid, stn_slice which,
                                   int dimension, int64_t to, int64_t from)
{
    stn_slice target[] = {which, stn_slice_all(), stn_slice_all()};
    stn_slice source[] = {which, stn_slice_all(), stn_slice_all()};
    stn_view frame, cells;
    target[dimension] = stn_slice_index(to);
    source[dimension] = stn_slice_index(from);
    stn_status status = stn_view_slice(&frame, &fluid->populations, 3, target);
    if (status == STN_OK)
        status = stn_view_slice(&cells, &fluid->populations, 3, source);
    return status == STN_OK ? stn_view_copy(exec, &frame, &cells) : status;
}

static inline stn_status d2q9_wrap_frame(const stn_exec *exec, const d2q9_fluid *from)
{
    stn_status status = d2q9_wrap(exec, from, stn_slice_all(), 1, 0, from->rows);
    if (status == STN_OK)
        status = d2q9_wrap(exec, from, stn_slice_all(), 1, from->rows + 1, 1);
    if (status == STN_OK)
        status = d2q9_wrap(exec, from, stn_slice_range(3, 6), 2, 0, from->columns);
    if (status == STN_OK)
        status = d2q9_wrap(exec, from, stn_slice_range(6, 9), 2, from->columns + 1, 1);
    return status;
}

/* One time step, from one array to the other. */
static inline stn_status d2q9_advance(const stn_exec *exec, stn_format arithmetic, double omega,
                                      const d2q9_fluid *from, const d2q9_fluid *to)
{
    const stn_view *f = from->pulled, *g = to->cells;
    const stn_status status = d2q9_wrap_frame(exec, from);
    if (status != STN_OK)
        return status;
    return d2q9_step_run(exec, arithmetic, omega, &f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6],
                         &f[7], &f[8], &g[0], &g[1], &g[2], &g[3], &g[4], &g[5], &g[6], &g[7],
                         &g[8]);
}

#endif
