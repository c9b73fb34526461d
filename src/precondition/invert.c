#include "precondition/invert.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "precondition/number.h"
#include "steno/block_jacobi.h"

/* ---- scales of rows and columns ---- */

enum { ZERO = INT_MIN }; /* the exponent of 0 */

/* Solves the symmetric semidefinite system a x = b with n rows, which is overwritten; x is 0 where
 * it is not unique. */
static void solve_semidefinite(double *a, double *b, int n)
{
    static const double none = 1e-9; /* pivots are at least about 1 / n^2 */
    for (int c = 0; c < n; c++)
        for (int i = c + 1; i < n && a[c * n + c] > none; i++) {
            const double factor = a[i * n + c] / a[c * n + c];
            for (int j = c; j < n; j++)
                a[i * n + j] -= factor * a[c * n + j];
            b[i] -= factor * b[c];
        }
    for (int c = n - 1; c >= 0; c--) {
        for (int j = c + 1; j < n; j++)
            b[c] -= a[c * n + j] * b[j];
        b[c] = a[c * n + c] > none ? b[c] / a[c * n + c] : 0.0;
    }
}

/* Scales r and c that minimize the sum of (exponent + r + c)^2 over all nonzero elements. They
 * follow any scaling of rows and columns, so that the scaled matrix does not depend on it. A. R.
 * Curtis, J. K. Reid, J. Inst. Maths Applics 10 (1972). */
static void fit_columns(const int *exponent, int n, double *column)
{
    double a[STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS] = {0};
    memset(column, 0, (size_t)n * sizeof *column);
    for (int i = 0; i < n; i++) {
        double count = 0.0, sum = 0.0;
        for (int j = 0; j < n; j++)
            if (exponent[j * n + i] != ZERO) {
                count += 1.0;
                sum += exponent[j * n + i];
            }
        for (int j = 0; j < n; j++) {
            if (exponent[j * n + i] == ZERO)
                continue;
            column[j] += sum / count - exponent[j * n + i];
            a[j * n + j] += 1.0;
            for (int k = 0; k < n; k++)
                a[j * n + k] -= exponent[k * n + i] == ZERO ? 0.0 : 1.0 / count;
        }
    }
    solve_semidefinite(a, column, n);
}

/* Largest exponent of a row or column, including the scales of the other dimension; ZERO if all
 * elements are 0. */
static int largest(const int *exponent, int step, const int *scale, int n)
{
    int max = ZERO;
    for (int k = 0; k < n; k++)
        if (exponent[k * step] != ZERO && exponent[k * step] + scale[k] > max)
            max = exponent[k * step] + scale[k];
    return max;
}

/* Chooses exponents of scales of rows and columns such that the largest element of each is 1 to 2.
 * Returns 0 if a row or a column is 0. */
static int balance(const int *exponent, int n, int *row, int *column)
{
    double fitted[STN_BLOCK_JACOBI_MAX_ROWS];
    fit_columns(exponent, n, fitted);
    for (int j = 0; j < n; j++)
        column[j] = (int)lrint(fitted[j]);
    for (int i = 0; i < n; i++) {
        const int max = largest(exponent + i, n, column, n);
        if (max == ZERO)
            return 0;
        row[i] = -max;
    }
    for (int j = 0; j < n; j++) {
        const int max = largest(exponent + j * n, 1, row, n);
        if (max == ZERO)
            return 0;
        column[j] = -max;
    }
    return 1;
}

/* Whether plain elimination is accurate and stays in range: the largest elements of all rows and
 * columns have about the same magnitude, and no other element is so small that it could be one of a
 * scaled row and column. */
static int is_balanced(const int *exponent, int n)
{
    enum { ROW_DIFFERENCE = 4, ELEMENT_DIFFERENCE = 20, MAX_EXPONENT = 900 };
    static const int none[STN_BLOCK_JACOBI_MAX_ROWS];
    int least = INT_MAX, max = ZERO, least_element = INT_MAX;
    for (int k = 0; k < 2 * n; k++) {
        const int one =
            k < n ? largest(exponent + k, n, none, n) : largest(exponent + (k - n) * n, 1, none, n);
        least = one < least ? one : least;
        max = one > max ? one : max;
    }
    for (int k = 0; k < n * n; k++)
        if (exponent[k] != ZERO && exponent[k] < least_element)
            least_element = exponent[k];
    return least != ZERO && abs(max) <= MAX_EXPONENT && max - least <= ROW_DIFFERENCE &&
           max - least_element <= ELEMENT_DIFFERENCE;
}

/* ---- residuals in twice the precision ---- */

typedef struct wide_sum {
    double high[2], low[2]; /* both parts */
} wide_sum;

/* Adds a b to part `part` of the sum; both rounding errors are exact. */
static void add_part(wide_sum *sum, int part, double a, double b)
{
    const double product = a * b, error = fma(a, b, -product);
    const double before = sum->high[part], after = before + product, back = after - before;
    sum->high[part] = after;
    sum->low[part] += (before - (after - back)) + (product - back) + error;
}

/* Adds sign a b, with sign 1 or -1. */
static void add_product_f64(wide_sum *sum, double sign, double a, double b)
{
    add_part(sum, 0, sign * a, b);
}

static void add_product_c128(wide_sum *sum, double sign, stn_c128 a, stn_c128 b)
{
    add_part(sum, 0, sign * a.re, b.re);
    add_part(sum, 0, -sign * a.im, b.im);
    add_part(sum, 1, sign * a.re, b.im);
    add_part(sum, 1, sign * a.im, b.re);
}

static wide_sum sum_of_f64(double a)
{
    return (wide_sum){{a, 0.0}, {0.0, 0.0}};
}

static wide_sum sum_of_c128(stn_c128 a)
{
    return (wide_sum){{a.re, a.im}, {0.0, 0.0}};
}

static double rounded_f64(const wide_sum *sum)
{
    return sum->high[0] + sum->low[0];
}

static stn_c128 rounded_c128(const wide_sum *sum)
{
    return stn_c128_of(sum->high[0] + sum->low[0], sum->high[1] + sum->low[1]);
}

/* ---- inverses ---- */

static const double zero_f64 = 0.0, one_f64 = 1.0;
static const stn_c128 zero_c128 = {0.0, 0.0}, one_c128 = {1.0, 0.0};

#define NUMBER        double
#define OF(name)      name##_f64
#define NUMBERS(name) stn_number_##name##_f64
#include "precondition/invert_of.h"
#undef NUMBER
#undef OF
#undef NUMBERS

#define NUMBER        stn_c128
#define OF(name)      name##_c128
#define NUMBERS(name) stn_number_##name##_c128
#include "precondition/invert_of.h"

int stn_invert(double *block, int n, int is_complex, double *inverse, double *condition)
{
    return is_complex
               ? invert_c128((stn_c128 *)(void *)block, n, (stn_c128 *)(void *)inverse, condition)
               : invert_f64(block, n, inverse, condition);
}
