/* The heat equation on a square plate of two metals, by the implicit Euler method. Each step solves
 * (1 + t A) u' = u by conjugate gradients with a block-Jacobi preconditioner. Each inverse block is
 * stored in the narrowest format that its condition number permits. */
#include <stdio.h>

#include "steno/steno.h"

enum { EDGE = 64, ROWS = EDGE * EDGE, STEPS = 4 };

static int32_t row_start[ROWS + 1];
static int32_t column[5 * ROWS];
static double value[5 * ROWS], now[ROWS], next[ROWS];

/* Stripes of copper and steel. */
static double conducts(int i, int j)
{
    return (i / 8 + j / 16) % 2 ? 400.0 : 15.0;
}

/* The matrix of one time step; the edges of the plate remain at 0 degrees. */
static void make_rows(double t)
{
    static const int down[] = {-1, 0, 0, 0, 1}, right[] = {0, -1, 0, 1, 0};
    int32_t entries = 0;
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++) {
            const double here = conducts(i, j);
            double sum = 0.0;
            int32_t diagonal = 0;
            row_start[i * EDGE + j] = entries;
            for (int k = 0; k < 5; k++) {
                const int ni = i + down[k], nj = j + right[k];
                const int is_inside = ni >= 0 && ni < EDGE && nj >= 0 && nj < EDGE;
                const double there = is_inside ? conducts(ni, nj) : here;
                const double flow = 2.0 * here * there / (here + there); /* harmonic mean */
                if (k == 2)
                    diagonal = entries;
                else
                    sum += flow;
                if (!is_inside)
                    continue;
                column[entries] = (int32_t)(ni * EDGE + nj);
                value[entries++] = -t * flow;
            }
            value[diagonal] = 1.0 + t * sum;
        }
    row_start[ROWS] = entries;
}

static int fail(void)
{
    fprintf(stderr, "heat: %s\n", stn_error());
    return 1;
}

static stn_status step(const stn_exec *exec, const stn_operator *a, const stn_operator *inverse,
                       stn_view *from, stn_view *to, int64_t *iterations)
{
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT; /* conjugate gradients to 1e-10 */
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    options.preconditioner = inverse;
    const stn_status status = stn_solve(exec, to, a, from, &options, &report);
    *iterations += report.iterations;
    return status != STN_OK ? status : stn_view_copy(exec, from, to);
}

int main(void)
{
    const int64_t rows = ROWS;
    stn_exec *exec;
    stn_matrix *matrix;
    stn_operator a, inverse;
    stn_block_jacobi_options blocks = STN_BLOCK_JACOBI_OPTIONS_INIT;
    stn_preconditioner *m;
    stn_view from, to;
    make_rows(0.05);
    blocks.max_block_rows = 16;
    if (stn_exec_create(&exec, "threads") ||
        stn_matrix_wrap_csr_i32(&matrix, ROWS, ROWS, row_start, column, stn_storage_of(STN_F64),
                                value) ||
        stn_operator_of_matrix(&a, matrix) || stn_block_jacobi_create(exec, &m, matrix, &blocks) ||
        stn_operator_of_preconditioner(&inverse, m) ||
        stn_view_wrap(&from, "u", stn_storage_of(STN_F64), now, 1, &rows) ||
        stn_view_wrap(&to, "u'", stn_storage_of(STN_F64), next, 1, &rows))
        return fail();
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    if (stn_preconditioner_describe(m, &info))
        return fail();
    printf("%d blocks: %d in f16, %d in f32, %d in f64\n", (int)info.blocks,
           (int)info.format_blocks[0], (int)info.format_blocks[1], (int)info.format_blocks[2]);
    for (int has_blocks = 0; has_blocks < 2; has_blocks++) {
        int64_t iterations = 0;
        if (stn_view_fill(exec, &from, 0.0) || stn_view_fill(exec, &to, 0.0))
            return fail();
        now[EDGE / 2 * EDGE + EDGE / 2] = 1000.0;
        for (int k = 0; k < STEPS; k++)
            if (step(exec, &a, has_blocks ? &inverse : NULL, &from, &to, &iterations))
                return fail();
        printf("%s: %d iterations in %d steps, %.6f degrees in the middle\n",
               has_blocks ? "with blocks" : "without", (int)iterations, STEPS,
               now[EDGE / 2 * EDGE + EDGE / 2]);
    }
    stn_preconditioner_release(m);
    stn_matrix_release(matrix);
    stn_exec_release(exec);
    return 0;
}
