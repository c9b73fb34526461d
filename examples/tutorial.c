/* The program of the tutorial (doc/tutorial.md): heat spreads in a plate, with the temperature and
 * the conductivity stored in several formats. It prints the error of each choice.
 *
 *   tutorial [points per edge [steps [executor]]]
 *
 * With arguments, it also prints times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/advance.h"
#include "steno/reduce.h"
#include "steno/steno.h"

STN_REDUCE(distance, norm2, (in(x), in(y)), x - y)
STN_REDUCE(length, norm2, (in(x)), x)
STN_REDUCE(total, sum, (in(x)), x)

/* The formats of the arrays, and the arithmetic type. */
typedef struct choice {
    const char *temperature, *conductivity;
    stn_format arithmetic;
} choice;

static const choice choices[] = {
    {"f64", "f64", STN_F64}, {"f32", "f32", STN_F64}, {"f32", "f32", STN_F32},
    {"f32", "f16", STN_F32}, {"f32", "i8", STN_F32},  {"i16", "i16", STN_F32},
    {"f16", "f16", STN_F32}, {"bf16", "i8", STN_F32},
};

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "tutorial: %s\n", stn_error());
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A matrix of zeros in memory of the library. */
static stn_view create(const stn_exec *exec, const char *label, stn_storage storage, int64_t n)
{
    const int64_t extents[] = {n, n};
    stn_view view;
    must(stn_view_create(exec, &view, label, storage, 2, extents));
    return view;
}

/* A hot spot in the middle, and a conductivity between 0.1 and 1. The border is at 0. */
static void initialize(int64_t n, double *u, double *conductivity)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double y = (double)i / (double)(n - 1), x = (double)j / (double)(n - 1);
            const double r2 = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
            const int border = i == 0 || j == 0 || i == n - 1 || j == n - 1;
            u[i * n + j] = border ? 0.0 : exp(-40.0 * r2);
            conductivity[i * n + j] = 0.55 + 0.45 * sin(20.0 * x) * cos(30.0 * y);
        }
}

/* A copy of an f64 matrix in a format. Integers get the smallest sufficient scale. */
static stn_view convert(const stn_exec *exec, const char *name, const stn_view *from)
{
    const int64_t n = from->extent[0];
    stn_storage storage = stn_storage_of(STN_F64);
    must(stn_format_find(name, &storage.format));
    stn_view to = create(exec, from->label, storage, n);
    if (name[0] == 'i')
        must(stn_view_fit_scales(exec, &to, from, STN_SCALE_EXACT));
    must(stn_view_copy(exec, &to, from));
    return to;
}

/* Runs the simulation and returns the temperature. */
static stn_view simulate(const stn_exec *exec, const choice *formats, const stn_view *initial,
                         const stn_view *conductivity, long steps, double *seconds)
{
    stn_view u = convert(exec, formats->temperature, initial);
    stn_view v = convert(exec, formats->temperature, initial);
    stn_view k = convert(exec, formats->conductivity, conductivity);
    const double begin = now();
    for (long step = 0; step < steps; step++) {
        must(advance_run(exec, formats->arithmetic, 0.2, &k, &u, &v));
        const stn_view other = u; /* exchanges two handles, not the data */
        u = v;
        v = other;
    }
    *seconds = now() - begin;
    must(stn_view_release(&v));
    must(stn_view_release(&k));
    return u;
}

/* Bytes of one element. */
static int bytes_of(const char *name)
{
    stn_format format;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    must(stn_format_find(name, &format));
    must(stn_format_describe(format, &info));
    return (int)info.bytes;
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 1 ? strtol(argv[1], NULL, 10) : 128;
    const long steps = argc > 2 ? strtol(argv[2], NULL, 10) : 100;
    const int timed = argc > 1;
    stn_exec *exec;
    must(stn_exec_create(&exec, argc > 3 ? argv[3] : "threads"));
    stn_view initial = create(exec, "temperature", stn_storage_of(STN_F64), n);
    stn_view conductivity = create(exec, "conductivity", stn_storage_of(STN_F64), n);
    initialize(n, (double *)initial.data, (double *)conductivity.data);

    stn_view reference;
    double size = 0.0, sum = 0.0, reference_seconds = 0.0, largest = 0.0;
    printf("temperature  conductivity  arithmetic  bytes per point  error%s\n",
           timed ? "    ms per step  speed-up" : "");
    for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
        const choice *formats = &choices[k];
        double seconds = 0.0, error = 0.0;
        stn_view u = simulate(exec, formats, &initial, &conductivity, steps, &seconds);
        if (k == 0) { /* f64 is the reference of the other choices */
            must(stn_view_share(&reference, &u));
            must(length_reduce(exec, STN_F64, &size, &reference));
            must(total_reduce(exec, STN_F64, &sum, &reference));
            reference_seconds = seconds;
        }
        must(distance_reduce(exec, STN_F64, &error, &u, &reference));
        largest = fmax(largest, error / size);

        printf("%-11s  %-12s  %-10s  %15d  %.1e", formats->temperature, formats->conductivity,
               formats->arithmetic == STN_F64 ? "f64" : "f32",
               2 * bytes_of(formats->temperature) + bytes_of(formats->conductivity), error / size);
        if (timed)
            printf("  %11.2f  %8.2f", 1e3 * seconds / (double)steps, reference_seconds / seconds);
        printf("\n");
        must(stn_view_release(&u));
    }
    printf("%ld steps in f64: mean temperature %.9f\n", steps, sum / (double)(n * n));

    must(stn_view_release(&reference));
    must(stn_view_release(&initial));
    must(stn_view_release(&conductivity));
    stn_exec_release(exec);
    return !(largest < 0.5);
}
