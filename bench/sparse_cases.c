/* Sparse matrices of benches. */
#include "sparse_cases.h"

#include <math.h>
#include <stdlib.h>

#include "frame.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static bench_csr create_csr(int64_t rows, int64_t entries, int64_t distinct)
{
    bench_csr m = {
        .rows = rows, .columns = rows, .start = bench_allocate(rows + 1, sizeof *m.start)};
    uint64_t state = 2;
    m.column = bench_allocate(entries, sizeof *m.column);
    m.value = bench_allocate(entries, sizeof *m.value);
    for (int64_t k = 0; k < entries; k++)
        m.value[k] = distinct == 0 ? 1.0 / (double)(k + 1)
                                   : 1.0 + 0.125 * (double)(next(&state) % (uint64_t)distinct);
    return m;
}

void bench_drop_csr(bench_csr *m)
{
    free(m->start);
    free(m->column);
    free(m->value);
}

bench_csr bench_grid(int64_t n, int axes, int64_t distinct)
{
    bench_csr m = create_csr(n * n * n, n * n * n * (axes == 1 ? 7 : 27), distinct);
    int64_t at = 0;
    for (int64_t row = 0; row < m.rows; row++) {
        const int64_t x = row % n, y = row / n % n, z = row / n / n;
        for (int k = 0; k < 27; k++) {
            const int64_t dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
            const int is_inside =
                x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n && z + dz >= 0 && z + dz < n;
            if (!is_inside || dx * dx + dy * dy + dz * dz > axes)
                continue;
            if (distinct == 2)
                m.value[at] = k == 13 ? 26.0 : -1.0;
            m.column[at++] = (int32_t)(row + dx + n * dy + n * n * dz);
        }
        m.start[row + 1] = at;
    }
    return m;
}

bench_csr bench_random(int64_t rows, int64_t most, int dense, int64_t distinct)
{
    bench_csr m = create_csr(rows, rows * most + rows, distinct);
    uint64_t state = 1;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t count = dense && row == 0 ? rows : 1 + (int64_t)next(&state) % most;
        for (int64_t e = 0; e < count; e++)
            m.column[m.start[row] + e] =
                (int32_t)(e * rows / count + (int64_t)next(&state) % (rows / count));
        m.start[row + 1] = m.start[row] + count;
    }
    return m;
}

bench_csr bench_power(int64_t rows, int64_t most)
{
    const double exponent = 1.2;
    uint64_t state = 1;
    int64_t *const count = bench_allocate(rows, sizeof *count), entries = 0;
    for (int64_t row = 0; row < rows; row++) {
        const double u = (double)(next(&state) % (1 << 24) + 1) / (double)(1 << 24);
        count[row] = (int64_t)fmin(pow(u, -1.0 / exponent), (double)most);
        entries += count[row];
    }
    bench_csr m = create_csr(rows, entries, 0);
    for (int64_t row = 0; row < rows; row++) {
        const int64_t step = rows / count[row];
        for (int64_t e = 0; e < count[row]; e++)
            m.column[m.start[row] + e] = (int32_t)(e * step + (int64_t)next(&state) % step);
        m.start[row + 1] = m.start[row] + count[row];
    }
    free(count);
    return m;
}
