/* A shear wave decays by viscosity, in f32 arithmetic. The program compares its height with the
 * known decay, for populations stored in f32 and in 16 bits. */
#include <math.h>
#include <stdio.h>

#include "kernels/d2q9.h"

enum { ROWS = 64, COLUMNS = 32, STEPS = 400 };
static const double speed = 0.05, omega = 1.25;

static double wave(int64_t row)
{
    return sin(2 * 3.14159265358979323846 * (double)row / ROWS);
}

/* Populations of a fluid that moves along x. */
static stn_status begin(const d2q9_fluid *fluid)
{
    static const double weights[D2Q9] = {4.0 / 9,  1.0 / 9, 1.0 / 9,  1.0 / 9, 1.0 / 36,
                                         1.0 / 36, 1.0 / 9, 1.0 / 36, 1.0 / 36};
    for (int q = 0; q < D2Q9; q++)
        for (int64_t row = 0; row < ROWS; row++)
            for (int64_t column = 0; column < COLUMNS; column++) {
                const double x = speed * wave(row), along = d2q9_x[q] * x;
                const double value = weights[q] * (3 * along + 4.5 * along * along - 1.5 * x * x);
                const int64_t cell[] = {row, column};
                const stn_status status = stn_view_set(&fluid->cells[q], 2, cell, value);
                if (status != STN_OK)
                    return status;
            }
    return STN_OK;
}

/* Returns the height of the wave. */
static stn_status measure(const d2q9_fluid *fluid, double *height)
{
    *height = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        double along = 0;
        for (int q = 0; q < D2Q9; q++) {
            const int64_t cell[] = {row, 5};
            double value;
            const stn_status status = stn_view_get(&fluid->cells[q], 2, cell, &value);
            if (status != STN_OK)
                return status;
            along += d2q9_x[q] * value;
        }
        *height += 2.0 / ROWS * along * wave(row);
    }
    return STN_OK;
}

static stn_status run(const stn_exec *exec, stn_storage storage, double *height)
{
    static d2q9_fluid a, b;
    stn_status status = d2q9_create(&a, exec, storage, ROWS, COLUMNS);
    if (status == STN_OK)
        status = d2q9_create(&b, exec, storage, ROWS, COLUMNS);
    if (status == STN_OK)
        status = begin(&a);
    for (int step = 0; step < STEPS && status == STN_OK; step++)
        status = step % 2 ? d2q9_advance(exec, STN_F32, omega, &b, &a)
                          : d2q9_advance(exec, STN_F32, omega, &a, &b);
    if (status == STN_OK)
        status = measure(&a, height);
    stn_view_release(&a.populations);
    stn_view_release(&b.populations);
    return status;
}

int main(void)
{
    const double k = 2 * 3.14159265358979323846 / ROWS, viscosity = (1 / omega - 0.5) / 3;
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
