#include "solver/invert.h"

#include <math.h>
#include <string.h>

/* The largest sum of magnitudes of a column; NaN where there is one. */
static double norm_of(const double *a, int n)
{
    double norm = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += fabs(a[j * n + i]);
        norm = sum <= norm ? norm : sum;
    }
    return norm;
}

static int is_symmetric(const double *a, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (a[j * n + i] != a[i * n + j])
                return 0;
    return 1;
}

static void swap_rows(double *a, int n, int row, int other)
{
    for (int j = 0; j < n; j++) {
        const double old = a[j * n + row];
        a[j * n + row] = a[j * n + other];
        a[j * n + other] = old;
    }
}

/* Row `row` of `a` less `factor` times row `from`. */
static void subtract_row(double *a, int n, int row, int from, double factor)
{
    for (int j = 0; j < n; j++)
        a[j * n + row] -= factor * a[j * n + from];
}

static void divide_row(double *a, int n, int row, double divisor)
{
    for (int j = 0; j < n; j++)
        a[j * n + row] /= divisor;
}

static int eliminate(double *block, int n, double *inverse)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(block[c * n + i]) > fabs(block[c * n + pivot]))
                pivot = i;
        const double divisor = block[c * n + pivot];
        if (divisor == 0.0 || !isfinite(divisor))
            return 0;
        swap_rows(block, n, c, pivot);
        swap_rows(inverse, n, c, pivot);
        divide_row(block, n, c, divisor);
        divide_row(inverse, n, c, divisor);
        for (int i = 0; i < n; i++) {
            const double factor = block[c * n + i];
            if (i == c || factor == 0.0)
                continue;
            subtract_row(block, n, i, c, factor);
            subtract_row(inverse, n, i, c, factor);
        }
    }
    return 1;
}

int stn_invert(double *block, int n, double *inverse, double *condition)
{
    const double norm = norm_of(block, n);
    const int is_even = is_symmetric(block, n);
    memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = 1.0;
    if (!isfinite(norm) || !eliminate(block, n, inverse))
        return 0;
    for (int j = 0; j < n && is_even; j++)
        for (int i = 0; i < j; i++)
            inverse[j * n + i] = inverse[i * n + j] =
                0.5 * inverse[j * n + i] + 0.5 * inverse[i * n + j];
    const double inverse_norm = norm_of(inverse, n);
    *condition = norm * inverse_norm; /* an infinite one asks for all digits */
    return isfinite(inverse_norm);
}
