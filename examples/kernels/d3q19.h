/* A lattice-Boltzmann fluid in three dimensions (D3Q19, single relaxation time, periodic): nineteen
 * populations per cell, stored in any format, as their difference from the fluid at rest. One
 * kernel computes one lattice from the other: it reads each population from the preceding cell
 * along its direction, and collides. Names state the direction in z, y and x: p is +1, m is -1. */
#ifndef D3Q19_H
#define D3Q19_H

#include "steno/kernel.h"

/* clang-format off */
STN_MAP(d3q19_step, (real(omega),
          shifted(f000, periodic, 0, 0, 0), shifted(f00p, periodic, 0, 0, -1),
          shifted(f00m, periodic, 0, 0, 1), shifted(f0p0, periodic, 0, -1, 0),
          shifted(f0m0, periodic, 0, 1, 0), shifted(fp00, periodic, -1, 0, 0),
          shifted(fm00, periodic, 1, 0, 0), shifted(f0pp, periodic, 0, -1, -1),
          shifted(f0mm, periodic, 0, 1, 1), shifted(f0pm, periodic, 0, -1, 1),
          shifted(f0mp, periodic, 0, 1, -1), shifted(fp0p, periodic, -1, 0, -1),
          shifted(fm0m, periodic, 1, 0, 1), shifted(fp0m, periodic, -1, 0, 1),
          shifted(fm0p, periodic, 1, 0, -1), shifted(fpp0, periodic, -1, -1, 0),
          shifted(fmm0, periodic, 1, 1, 0), shifted(fpm0, periodic, -1, 1, 0),
          shifted(fmp0, periodic, 1, -1, 0),
          out(g000), out(g00p), out(g00m), out(g0p0), out(g0m0), out(gp00), out(gm00),
          out(g0pp), out(g0mm), out(g0pm), out(g0mp), out(gp0p), out(gm0m), out(gp0m),
          out(gm0p), out(gpp0), out(gmm0), out(gpm0), out(gmp0)),
    const real_t axis_sum = (f00p + f00m) + (f0p0 + f0m0) + (fp00 + fm00);
    const real_t edge_sum = (f0pp + f0mm) + (f0pm + f0mp) + (fp0p + fm0m) +
                            (fp0m + fm0p) + (fpp0 + fmm0) + (fpm0 + fmp0);
    const real_t extra = f000 + (axis_sum + edge_sum);
    const real_t rho = STN_R(1) + extra;
    const real_t inverse = STN_R(1) / rho;
    const real_t x = ((f00p - f00m) + (f0pp - f0mm) +
                      (f0mp - f0pm) + (fp0p - fm0m) + (fm0p - fp0m)) * inverse;
    const real_t y = ((f0p0 - f0m0) + (f0pp - f0mm) +
                      (f0pm - f0mp) + (fpp0 - fmm0) + (fmp0 - fpm0)) * inverse;
    const real_t z = ((fp00 - fm00) + (fp0p - fm0m) +
                      (fp0m - fm0p) + (fpp0 - fmm0) + (fpm0 - fmp0)) * inverse;
    const real_t rest = extra - STN_R(1.5) * rho * (x * x + y * y + z * z);
    const real_t kept = STN_R(1) - omega;
    const real_t axis = omega * STN_R(0.05555555555555555);
    const real_t edge = omega * STN_R(0.02777777777777778);
    const real_t square = STN_R(4.5) * rho;
    const real_t three = STN_R(3) * rho;
    g000 = kept * f000 + STN_R(6) * axis * rest;
    const real_t even00p = rest + square * (x * x);
    g00p = kept * f00p + axis * (even00p + three * x);
    g00m = kept * f00m + axis * (even00p - three * x);
    const real_t even0p0 = rest + square * (y * y);
    g0p0 = kept * f0p0 + axis * (even0p0 + three * y);
    g0m0 = kept * f0m0 + axis * (even0p0 - three * y);
    const real_t evenp00 = rest + square * (z * z);
    gp00 = kept * fp00 + axis * (evenp00 + three * z);
    gm00 = kept * fm00 + axis * (evenp00 - three * z);
    const real_t u0pp = y + x;
    const real_t even0pp = rest + square * (u0pp * u0pp);
    g0pp = kept * f0pp + edge * (even0pp + three * u0pp);
    g0mm = kept * f0mm + edge * (even0pp - three * u0pp);
    const real_t u0pm = y - x;
    const real_t even0pm = rest + square * (u0pm * u0pm);
    g0pm = kept * f0pm + edge * (even0pm + three * u0pm);
    g0mp = kept * f0mp + edge * (even0pm - three * u0pm);
    const real_t up0p = z + x;
    const real_t evenp0p = rest + square * (up0p * up0p);
    gp0p = kept * fp0p + edge * (evenp0p + three * up0p);
    gm0m = kept * fm0m + edge * (evenp0p - three * up0p);
    const real_t up0m = z - x;
    const real_t evenp0m = rest + square * (up0m * up0m);
    gp0m = kept * fp0m + edge * (evenp0m + three * up0m);
    gm0p = kept * fm0p + edge * (evenp0m - three * up0m);
    const real_t upp0 = z + y;
    const real_t evenpp0 = rest + square * (upp0 * upp0);
    gpp0 = kept * fpp0 + edge * (evenpp0 + three * upp0);
    gmm0 = kept * fmm0 + edge * (evenpp0 - three * upp0);
    const real_t upm0 = z - y;
    const real_t evenpm0 = rest + square * (upm0 * upm0);
    gpm0 = kept * fpm0 + edge * (evenpm0 + three * upm0);
    gmp0 = kept * fmp0 + edge * (evenpm0 - three * upm0);
)
/* clang-format on */

enum { D3Q19 = 19 };
/* Directions of the populations, in the order of the kernel's parameters: z, y, x. */
static const int d3q19_way[D3Q19][3] = {
    {0, 0, 0},  {0, 0, 1},   {0, 0, -1},  {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},
    {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {1, 1, 0},   {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};

/* Populations of planes x rows x columns cells. */
typedef struct d3q19_fluid {
    stn_view populations; /* 19 x planes x rows x columns */
    stn_view cells[D3Q19];
} d3q19_fluid;

static inline stn_status d3q19_create(d3q19_fluid *fluid, const stn_exec *exec, stn_storage storage,
                                      const int64_t *extents)
{
    const int64_t all[] = {D3Q19, extents[0], extents[1], extents[2]};
    stn_status status = stn_view_create(exec, &fluid->populations, "populations", storage, 4, all);
    for (int q = 0; q < D3Q19 && status == STN_OK; q++) {
        const stn_slice one[] = {stn_slice_index(q), stn_slice_all(), stn_slice_all(),
                                 stn_slice_all()};
        status = stn_view_slice(&fluid->cells[q], &fluid->populations, 4, one);
    }
    return status;
}

/* One time step, from one lattice to the other. */
static inline stn_status d3q19_advance(const stn_exec *exec, stn_format arithmetic, double omega,
                                       const d3q19_fluid *from, const d3q19_fluid *to)
{
    const stn_view *f = from->cells, *g = to->cells;
    return d3q19_step_run(exec, arithmetic, omega, &f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6],
                          &f[7], &f[8], &f[9], &f[10], &f[11], &f[12], &f[13], &f[14], &f[15],
                          &f[16], &f[17], &f[18], &g[0], &g[1], &g[2], &g[3], &g[4], &g[5], &g[6],
                          &g[7], &g[8], &g[9], &g[10], &g[11], &g[12], &g[13], &g[14], &g[15],
                          &g[16], &g[17], &g[18]);
}

#endif
