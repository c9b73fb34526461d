/* Kernels, reductions, scans, a fused loop and complex functions whose bits show what a compiler
 * was allowed to change: a line for each, with a number for all its bits, or the sentence by which
 * it is refused. For C and C++; see test_kernel_rules.sh. */
#include <stdio.h>
#include <string.h>

#define STN_KERNEL_NAME       step_2
#define STN_KERNEL_PARAMETERS (inout(x), inout(r), in(p), in(q), in(beta), in(rho), in(stopped))
#define STN_KERNEL_FILE       "kernels/cg_step_2.k"
#include "steno/kernel_file.h"
#include "steno/complex.h"
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"
#include "steno/scan.h"

/* clang-format off */
STN_MAP(mix, (real(a), in(x), in(y), inout(z)),
    z = (x * x - y * y) + ((x + a * STN_R(4e7)) - a * STN_R(4e7)) * (y + z) / STN_R(3.0) + x / a;
)
STN_FUSE(mix_f32, mix, f64, (real(a), in(x, f32), in(y, f32), inout(z, f64)))
STN_MAP(zero, (in(x), out(z)), z = (x - x) * STN_R(-1.0) + STN_R(0.0);)
STN_MAP_COMPLEX(squares, (real(a), in(x), in(y), inout(z)),
    z.re = x.re * x.re - x.im * x.im;
    z.im = x.re * x.im + a.im * y.im;
)
STN_REDUCE(total, sum, (in(x), in(y)), x * y - STN_R(0.1) * x)
STN_REDUCE(apart, norm2, (in(x), in(y)), x * y - STN_R(0.3) * y)
STN_REDUCE_BY(own, (in(x), in(y)), x * y - x, a * STN_R(0.9) + b, a * a - a, 0)
STN_SCAN(running, sum, (in(x), in(y)), x * y + STN_R(0.7) * x)
/* clang-format on */

enum { N = 1000 };
static double values[3][2 * N];
static float narrow[3][2 * N];
static char memory[4][2 * N * sizeof(double)];

static void fill(void)
{
    uint64_t state = 7;
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 2 * N; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            values[v][k] = (double)(state >> 11) / 4503599627370496.0 - 1;
            narrow[v][k] = (float)values[v][k];
        }
    memset(memory[3], 0, sizeof memory[3]);
}

/* A view of the numbers of one kind, in memory of its own. */
static stn_view view_of(int which, stn_format format)
{
    const int64_t count = N;
    const int is_complex = format == STN_C128 || format == STN_C64;
    const int is_narrow = format == STN_F32 || format == STN_C64;
    const void *from = is_narrow ? (const void *)narrow[which] : (const void *)values[which];
    stn_view view;
    memcpy(memory[which], from,
           (size_t)((1 + is_complex) * N) * (is_narrow ? sizeof(float) : sizeof(double)));
    if (stn_view_wrap(&view, "view", stn_storage_of(format), memory[which], 1, &count))
        memset(&view, 0, sizeof view);
    return view;
}

static void report(const char *name, stn_status status)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t v = 2; v < 4; v++)
        for (size_t k = 0; k < sizeof memory[v]; k++)
            hash = (hash ^ (unsigned char)memory[v][k]) * 1099511628211u;
    if (status)
        printf("%s: %s\n", stn_status_name(status), stn_error());
    else
        printf("%s %016llx\n", name, (unsigned long long)hash);
}

static void run_real(const stn_exec *exec, stn_format arithmetic, stn_format format)
{
    static double zeros[1];
    const stn_view x = view_of(0, format), y = view_of(1, format), z = view_of(2, arithmetic);
    stn_view going;
    if (stn_view_wrap(&going, "zero", stn_storage_of(STN_F64), zeros, 0, NULL))
        memset(&going, 0, sizeof going);
    report("mix", mix_run(exec, arithmetic, 0.7, &x, &y, &z));
    report("file", step_2_run(exec, arithmetic, &z, &x, &y, &y, &y, &y, &going));
    report("zero", zero_run(exec, arithmetic, &y, &z));
    report("total", total_reduce(exec, arithmetic, (double *)(void *)memory[3], &x, &y));
    report("apart", apart_reduce(exec, arithmetic, (double *)(void *)memory[3], &x, &y));
    report("own", own_reduce(exec, arithmetic, (double *)(void *)memory[3], &x, &y));
    report("running", running_scan(exec, arithmetic, STN_SCAN_INCLUSIVE, &z, &x, &y));
}

static void run_complex(const stn_exec *exec, stn_format format)
{
    const stn_c128 factor = {0.6, 0.7};
    const stn_view x = view_of(0, format), y = view_of(1, format), z = view_of(2, format);
    report("squares", squares_run(exec, format, factor, &x, &y, &z));
}

/* Functions that any code may call. */
static void run_functions(void)
{
    for (int k = 0; k < N; k++) {
        stn_c128 a, b, z;
        memcpy(&a, values[0] + 2 * k, sizeof a);
        memcpy(&b, values[1] + 2 * k, sizeof b);
        z = stn_c128_divide(stn_c128_multiply(a, b), stn_c128_add(a, b));
        z.re += stn_c128_squared_norm(a);
        memcpy(memory[2] + (size_t)k * sizeof z, &z, sizeof z);
    }
    report("functions", STN_OK);
}

int main(int count, char **arguments)
{
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, count > 1 ? arguments[1] : "openmp")) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    fill();
    run_real(exec, STN_F64, STN_F64);
    run_real(exec, STN_F64, STN_F32);
    run_real(exec, STN_F32, STN_F32);
    run_complex(exec, STN_C128);
    run_complex(exec, STN_C64);
    run_functions();
    stn_exec_release(exec);
    return 0;
}
