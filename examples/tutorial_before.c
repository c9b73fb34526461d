/* The program with which the tutorial begins (doc/tutorial.md): heat spreads in a plate whose
 * conductivity varies. All values are stored and computed in double.
 *
 *   tutorial_before [points per edge [steps]]
 *
 * With arguments, it also prints the time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A hot spot in the middle, and a conductivity between 0.1 and 1. The border is at 0. */
static void initialize(long n, double *u, double *v, double *conductivity)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            const double y = (double)i / (double)(n - 1), x = (double)j / (double)(n - 1);
            const double r2 = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
            const int border = i == 0 || j == 0 || i == n - 1 || j == n - 1;
            u[i * n + j] = v[i * n + j] = border ? 0.0 : exp(-40.0 * r2);
            conductivity[i * n + j] = 0.55 + 0.45 * sin(20.0 * x) * cos(30.0 * y);
        }
}

/* One time step. */
static void advance(long n, double rate, const double *conductivity, const double *u, double *v)
{
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++) {
            const double *at = u + i * n + j;
            const double flow = at[-n] + at[n] + at[-1] + at[1] - 4.0 * at[0];
            v[i * n + j] = at[0] + rate * conductivity[i * n + j] * flow;
        }
}

int main(int argc, char **argv)
{
    const long n = argc > 1 ? strtol(argv[1], NULL, 10) : 128;
    const long steps = argc > 2 ? strtol(argv[2], NULL, 10) : 100;
    const size_t count = n < 3 || n > 30000 ? 0 : (size_t)n * (size_t)n;
    double *u = malloc(count * sizeof *u + 1), *v = malloc(count * sizeof *v + 1);
    double *conductivity = malloc(count * sizeof *conductivity + 1), heat = 0.0;
    if (count == 0 || !u || !v || !conductivity) {
        fprintf(stderr, "tutorial_before: points per edge out of range, or out of memory\n");
        return 1;
    }
    initialize(n, u, v, conductivity);
    const double begin = now();
    for (long step = 0; step < steps; step++) {
        advance(n, 0.2, conductivity, u, v);
        double *other = u;
        u = v;
        v = other;
    }
    const double seconds = now() - begin;
    for (size_t k = 0; k < count; k++)
        heat += u[k];
    printf("%ld steps: mean temperature %.9f\n", steps, heat / (double)count);
    if (argc > 1)
        printf("%.2f ms per step\n", 1e3 * seconds / (double)steps);
    free(u);
    free(v);
    free(conductivity);
    return 0;
}
