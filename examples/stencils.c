/* Stencils of 5 and 27 points. Neighbors are read by their indices within the declared radius.
 * Elements whose neighborhood is not inside the view are unchanged. */
#include <stdio.h>

#include "steno/kernel.h"

/* A body may use macros of the program. */
#define NEIGHBORS(u)                                                                               \
    (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1))

/* clang-format off */
STN_MAP(five_points, (at(i, j), stencil(u, inside, 1, 1), out(v)),
    v = STN_R(0.5) * STN_AT(u, i, j) + STN_R(0.125) * NEIGHBORS(u);
)

STN_MAP(all_points, (at(i, j, k), stencil(u, inside, 1, 1, 1), out(v)),
    real_t sum = 0;
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -1; b <= 1; b++)
            for (int64_t c = -1; c <= 1; c++)
                sum += (real_t)(8 >> (a * a + b * b + c * c)) * STN_AT(u, i + a, j + b, k + c);
    v = STN_R(0.015625) * sum;
)
/* clang-format on */

enum { N = 12 };
static double u[N][N][N], v[N][N][N];

/* The mean of a linear function over the neighbors of a point is its value at the point. Elements
 * that are not computed remain -1. */
static int run(const stn_exec *exec, stn_format format, int rank)
{
    static char narrow_u[N * N * N * 8], narrow_v[N * N * N * 8];
    const int64_t extents[] = {N, N, N};
    const int64_t count = rank == 2 ? N * N : N * N * N;
    const stn_storage storage = stn_storage_of(format);
    stn_view vu, vv;
    for (int i = 0; i < N * N * N; i++) {
        u[i / N / N][i / N % N][i % N] = i / N / N + 2 * (i / N % N) + 4 * (i % N);
        v[i / N / N][i / N % N][i % N] = -1;
    }
    return stn_encode(STN_F64, &storage, narrow_u, 1, 0, u, count) ||
           stn_encode(STN_F64, &storage, narrow_v, 1, 0, v, count) ||
           stn_view_wrap_const(&vu, "u", storage, narrow_u, rank, extents) ||
           stn_view_wrap(&vv, "v", storage, narrow_v, rank, extents) ||
           (rank == 2 ? five_points_run(exec, STN_F32, &vu, &vv)
                      : all_points_run(exec, STN_F32, &vu, &vv)) ||
           stn_decode(STN_F64, v, &storage, narrow_v, 1, count);
}

static int count_wrong(int rank)
{
    int wrong = 0;
    for (int i = 0; i < (rank == 2 ? 1 : N); i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                const int inside =
                    (rank == 2 || (i > 0 && i < N - 1)) && j > 0 && j < N - 1 && k > 0 && k < N - 1;
                wrong += v[i][j][k] != (inside ? u[i][j][k] : -1);
            }
    return wrong;
}

int main(void)
{
    stn_exec *exec = NULL;
    int failed = stn_exec_create(&exec, "threads") != STN_OK;
    for (int rank = 2; rank <= 3 && !failed; rank++)
        for (int which = 0; which < 2 && !failed; which++) {
            const stn_format format = which ? STN_F16 : STN_F32;
            failed = run(exec, format, rank) || count_wrong(rank);
            printf("%2d points in %s: %s\n", rank == 2 ? 5 : 27, which ? "f16" : "f32",
                   failed ? "wrong" : "right");
        }
    if (failed)
        fprintf(stderr, "%s\n", stn_error());
    stn_exec_release(exec);
    return failed;
}
