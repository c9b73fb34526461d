/* Kernels whose results show every fused, widened or reordered operation, and a number for all bits
 * of each: the same from every compiler and with all flags. For C and C++; see
 * test_kernel_flags.sh. */
#include <stdio.h>
#include <string.h>

#define STN_KERNEL_NAME       step_2
#define STN_KERNEL_PARAMETERS (inout(x), inout(r), in(p), in(q), in(beta), in(rho), in(stopped))
#define STN_KERNEL_FILE       "kernels/cg_step_2.k"
#include "steno/kernel_file.h"
#include "steno/reduce.h"
#include "steno/scan.h"

#ifdef BITS_PRAGMA /* which changes what is calculated, but not in kernels */
#    define BITS_SAY(...)          _Pragma(#    __VA_ARGS__)
#    define BITS_SAY_EXPANDED(...) BITS_SAY(__VA_ARGS__)
BITS_SAY_EXPANDED(GCC optimize(BITS_PRAGMA))
#endif

STN_KERNEL_FN double helped(double x, double y)
{
    return x * y - y * 0.3;
}

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(differences, (in(x), in(y), out(z)),
    z = (x * x - y * y) + (x - STN_R(0.1)) * (y + STN_R(0.1));
)
STN_MAP(chosen, (in(x), in(y), inout(z)),
    if (x > STN_R(0.5))
        return;
    z = sqrt(fabs(x)) * y + fma(x, y, z) / (STN_R(1.5) + x * x);
)
STN_MAP(functions, (in(x), in(y), out(z)),
    z = fmin(x, 0.1) + fmax(y, -0.3f) * sqrt(2.0f) + copysign(round(x * STN_R(7.5)), y) + fmod(y, 0.07f) +
        remainder(x, 0.3) + ldexp(y, 3) + trunc(x * STN_R(9.5)) + nextafter(x, 4) + fdim(y, 0.1f);
)
STN_MAP(whole, (in(x), in(y), out(z)),
    const int near = (int)(3 * x);
    z = (3 * x - (real_t)near) + 5 * round(4 * y) + 7 * ceil(8 * x) + floor(9 * y);
)
STN_MAP(zeros, (in(x), in(y), out(z)),
    z = y < 0 ? (real_t)(int)x : y < STN_R(0.5) ? 1 / ((real_t)(int)x + 0) : (real_t)lrint(x / 4) + STN_R(0);
)
STN_MAP(with_function, (in(x), in(y), out(z)),
    z = (real_t)helped((double)x, (double)y);
)
STN_MAP(stencil, (at(i, j), gather(u, 2), inout(v)),
    if (i == 0 || j == 0 || i == STN_EXTENT_OF(u, 0) - 1 || j == STN_EXTENT_OF(u, 1) - 1)
        return;
    v = STN_R(0.4) * STN_AT(u, i, j) + STN_R(0.15) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
        STN_R(0.2) * (STN_AT(u, i, j - 1) - STN_AT(u, i, j + 1)) * STN_AT(u, i, j);
)
STN_MAP(near_stencil, (at(i, j), stencil(u, nearest, 1, 1), out(v)),
    v = STN_R(0.4) * STN_AT(u, i, j) + STN_R(0.15) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
        STN_R(0.2) * (STN_AT(u, i, j - 1) - STN_AT(u, i, j + 1)) * STN_AT(u, i, j);
)
STN_MAP(inner_stencil, (at(i, j), stencil(u, inside, 1, 1), out(v)),
    v = STN_R(0.4) * STN_AT(u, i, j) + STN_R(0.15) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
        STN_R(0.2) * (STN_AT(u, i, j - 1) - STN_AT(u, i, j + 1)) * STN_AT(u, i, j);
)
STN_MAP(product, (at(i, j), gather(u, 2), in(x), out(y)),
    real_t sum = x;
    for (int64_t e = 0; e <= j; e++)
        sum += STN_AT(u, i, e) * x;
    y = sum;
)
STN_MAP_COMPLEX(rotate, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
STN_MAP_COMPLEX(squares, (in(x), out(y)),
    y.re = x.re * x.re - x.im * x.im;
    y.im = x.re * x.im + x.im * x.re;
)
STN_MAP_INTEGER(mixed, (index(n), bits(m), in(x), inout(y)),
    y = (x * n ^ y) + (int64_t)(m >> 7) * (x + 1);
)
STN_REDUCE(total, sum, (in(x), in(y)), x * y - STN_R(0.1) * x)
STN_REDUCE(least_inverse, min, (in(x)), 1 / (real_t)(int)x)
STN_REDUCE(apart, norm2, (in(x), in(y)), x * y - STN_R(0.3) * y)
STN_SCAN(running, sum, (in(x)), x * STN_R(0.7))
/* clang-format on */

enum { M = 19, N = 61 };
static char memory[4][M * N * 16];
static uint64_t state;

static uint64_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state;
}

/* Values between -1 and 1, the same every time. */
static stn_view fill(int which, stn_format format, int rows, int columns)
{
    const stn_storage storage = stn_storage_of(format);
    const int64_t extents[] = {rows, columns};
    const int is_complex = format == STN_C128 || format == STN_C64 || format == STN_C32;
    const int64_t count = (int64_t)rows * columns;
    static double values[M * N * 2];
    stn_view view;
    state = 77u + (uint64_t)which;
    for (int64_t k = 0; k < count * (1 + is_complex); k++)
        values[k] = (double)(next() >> 11) / 4503599627370496.0 - 1;
    if (format == STN_I32)
        for (int64_t k = 0; k < count; k++)
            values[k] = (double)(next() >> 50);
    if (stn_encode(is_complex ? STN_C128 : STN_F64, &storage, memory[which], 1, 0, values, count) ||
        stn_view_wrap(&view, "view", storage, memory[which], 2, extents))
        memset(&view, 0, sizeof view);
    return view;
}

static void report(const char *name, stn_status status)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t v = 0; v < sizeof memory / sizeof *memory; v++)
        for (size_t k = 0; k < sizeof memory[v]; k++)
            hash = (hash ^ (unsigned char)memory[v][k]) * 1099511628211u;
    printf("%-13s %s %016llx\n", name, stn_status_name(status), (unsigned long long)hash);
}

static void run_real(const stn_exec *exec, stn_format arithmetic, stn_format x, stn_format y)
{
    const stn_view a = fill(0, x, M, N), b = fill(1, x, M, N), row = fill(3, x, 1, N);
    stn_view z = fill(2, y, M, N);
    report("axpy", axpy_run(exec, arithmetic, 0.7, &a, &z));
    report("differences", differences_run(exec, arithmetic, &a, &b, &z));
    z = fill(2, y, M, N);
    report("chosen", chosen_run(exec, arithmetic, &a, &row, &z));
    report("functions", functions_run(exec, arithmetic, &a, &row, &z));
    report("whole", whole_run(exec, arithmetic, &a, &row, &z));
    report("zeros", zeros_run(exec, arithmetic, &a, &row, &z));
    report("with_function", with_function_run(exec, arithmetic, &a, &row, &z));
    report("stencil", stencil_run(exec, arithmetic, &a, &z));
    report("near_stencil", near_stencil_run(exec, arithmetic, &a, &z));
    report("near_inside", inner_stencil_run(exec, arithmetic, &b, &z));
    report("product", product_run(exec, arithmetic, &a, &row, &z));
    const stn_view r = fill(1, y, M, N);
    report("step_2", step_2_run(exec, arithmetic, &z, &r, &a, &a, &row, &row, &row));
}

/* Of the reference executor and of threads, the same values. */
static void run_reductions(const stn_exec *exec, stn_format arithmetic, stn_format x, stn_format y)
{
    const stn_view a = fill(0, x, M, N), b = fill(1, x, M, N), z = fill(2, y, M, N);
    const stn_slice first[] = {stn_slice_index(0), stn_slice_all()};
    stn_view row;
    memset(memory[3], 0, sizeof memory[3]);
    report("total", total_reduce(exec, arithmetic, (double *)(void *)memory[3], &a, &b));
    report("least", least_inverse_reduce(exec, arithmetic, (double *)(void *)memory[3], &a));
    report("apart", apart_reduce(exec, arithmetic, (double *)(void *)memory[3], &a, &b));
    report("slice", stn_view_slice(&row, &z, 2, first));
    report("columns", total_reduce_into(exec, arithmetic, 1, &row, &a, &b));
    report("running", running_scan(exec, arithmetic, STN_SCAN_INCLUSIVE, &z, &a));
}

static void run_complex(const stn_exec *exec, stn_format arithmetic, stn_format x, stn_format y)
{
    const stn_c128 factor = {0.6, 0.7};
    const stn_view a = fill(0, x, M, N), z = fill(2, y, M, N);
    report("rotate", rotate_run(exec, arithmetic, factor, &a, &z));
    report("squares", squares_run(exec, arithmetic, &a, &z));
}

int main(int count, char **arguments)
{
    static const stn_format reals[] = {STN_F64, STN_F32, STN_F16}, pairs[] = {STN_C128, STN_C64};
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, count > 1 ? arguments[1] : "openmp")) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++) {
            run_real(exec, STN_F64, reals[x], reals[y]);
            run_real(exec, STN_F32, reals[x], reals[y]);
            run_reductions(exec, STN_F64, reals[x], reals[y]);
            run_reductions(exec, STN_F32, reals[x], reals[y]);
        }
    for (int x = 0; x < 2; x++) {
        run_complex(exec, STN_C128, pairs[x], pairs[x]);
        run_complex(exec, STN_C64, pairs[x], pairs[x]);
    }
    const stn_view a = fill(0, STN_I32, M, N), z = fill(2, STN_I32, M, N);
    report("mixed", mixed_run(exec, STN_I64, 12345, 1u << 20, &a, &z));
    stn_exec_release(exec);
    return 0;
}
