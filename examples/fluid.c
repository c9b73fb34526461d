/* A shear wave in three dimensions decays by viscosity, in f32 arithmetic. The program compares its
 * height with the known decay, for populations stored in f32 and in 16 bits. */
#include <math.h>
#include <stdio.h>

#include "kernels/d3q19.h"

enum { PLANES = 32, ROWS = 6, COLUMNS = 20, STEPS = 150 };
static const double speed = 0.05, omega = 1.25;

static double wave(int64_t plane)
{
    return sin(2 * 3.14159265358979323846 * (double)plane / PLANES);
}

static double weight(int q)
{
    const int *c = d3q19_way[q], length = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    return length == 0 ? 1.0 / 3 : length == 1 ? 1.0 / 18 : 1.0 / 36;
}

/* Populations of a fluid that moves along x, faster or slower from plane to plane. */
static stn_status begin(const d3q19_fluid *fluid)
{
    for (int q = 0; q < D3Q19; q++)
        for (int64_t cell = 0; cell < PLANES * ROWS * COLUMNS; cell++) {
            const int64_t index[] = {cell / (ROWS * COLUMNS), cell / COLUMNS % ROWS,
                                     cell % COLUMNS};
            const double x = speed * wave(index[0]), along = d3q19_way[q][2] * x;
            const double value = weight(q) * (3 * along + 4.5 * along * along - 1.5 * x * x);
            const stn_status status = stn_view_set(&fluid->cells[q], 3, index, value);
            if (status != STN_OK)
                return status;
        }
    return STN_OK;
}

/* Returns the height of the wave. */
static stn_status measure(const d3q19_fluid *fluid, double *height)
{
    *height = 0;
    for (int64_t plane = 0; plane < PLANES; plane++)
        for (int q = 0; q < D3Q19; q++) {
            const int64_t cell[] = {plane, 3, 5};
            double value;
            const stn_status status = stn_view_get(&fluid->cells[q], 3, cell, &value);
            if (status != STN_OK)
                return status;
            *height += 2.0 / PLANES * d3q19_way[q][2] * value * wave(plane);
        }
    return STN_OK;
}

static stn_status run(const stn_exec *exec, stn_storage storage, double *height)
{
    static const int64_t extents[] = {PLANES, ROWS, COLUMNS};
    static d3q19_fluid a, b;
    stn_status status = d3q19_create(&a, exec, storage, extents);
    if (status == STN_OK)
        status = d3q19_create(&b, exec, storage, extents);
    if (status == STN_OK)
        status = begin(&a);
    for (int step = 0; step < STEPS && status == STN_OK; step++)
        status = step % 2 ? d3q19_advance(exec, STN_F32, omega, &b, &a)
                          : d3q19_advance(exec, STN_F32, omega, &a, &b);
    if (status == STN_OK)
        status = measure(&a, height);
    stn_view_release(&a.populations);
    stn_view_release(&b.populations);
    return status;
}

int main(void)
{
    const double k = 2 * 3.14159265358979323846 / PLANES, viscosity = (1 / omega - 0.5) / 3;
    const double expected = speed * exp(-viscosity * k * k * STEPS);
    stn_storage scaled = stn_storage_of(STN_F16), wide = stn_storage_of(STN_F32);
    scaled.scale = 0x1p-14;
    stn_exec *exec = NULL;
    double height = 0;
    int failed = stn_exec_create(&exec, "threads") != STN_OK;
    for (int which = 0; which < 2 && !failed; which++) {
        failed = run(exec, which ? scaled : wide, &height) != STN_OK;
        if (!failed) {
            printf("%s: the wave is %.5f high, %.5f in theory\n", which ? "f16" : "f32", height,
                   expected);
            failed = fabs(height / expected - 1) > 0.005;
        }
    }
    if (failed)
        fprintf(stderr, "%s\n", *stn_error() ? stn_error() : "the wave is off");
    stn_exec_release(exec);
    return failed;
}
