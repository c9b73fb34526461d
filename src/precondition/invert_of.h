/* Include-as-template: inverses of small matrices of NUMBER. OF(name) is the name of a function of
 * this template, and NUMBERS(name) that of a function of number.h. */

/* Largest sum of the magnitudes of a column; NaN if an element is NaN. */
static double OF(norm_of)(const NUMBER *a, int n)
{
    double norm = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += NUMBERS(size)(a[j * n + i]);
        norm = sum <= norm ? norm : sum;
    }
    return norm;
}

/* Is the matrix symmetric, or Hermitian? */
static int OF(is_symmetric)(const NUMBER *a, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            if (!NUMBERS(equal)(a[j * n + i], NUMBERS(conj)(a[i * n + j])))
                return 0;
    return 1;
}

static void OF(swap_rows)(NUMBER *a, int n, int row, int other)
{
    for (int j = 0; j < n; j++) {
        const NUMBER old = a[j * n + row];
        a[j * n + row] = a[j * n + other];
        a[j * n + other] = old;
    }
}

/* Subtracts `factor` times row `from` of `a` from row `row`. */
static void OF(subtract_row)(NUMBER *a, int n, int row, int from, NUMBER factor)
{
    for (int j = 0; j < n; j++)
        a[j * n + row] = NUMBERS(less)(a[j * n + row], factor, a[j * n + from]);
}

static void OF(divide_row)(NUMBER *a, int n, int row, NUMBER divisor)
{
    for (int j = 0; j < n; j++)
        a[j * n + row] = NUMBERS(divide)(a[j * n + row], divisor);
}

static int OF(eliminate)(NUMBER *block, int n, NUMBER *inverse)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (NUMBERS(size)(block[c * n + i]) > NUMBERS(size)(block[c * n + pivot]))
                pivot = i;
        const NUMBER divisor = block[c * n + pivot];
        if (NUMBERS(size)(divisor) == 0.0 || !NUMBERS(is_finite)(divisor))
            return 0;
        OF(swap_rows)(block, n, c, pivot);
        OF(swap_rows)(inverse, n, c, pivot);
        OF(divide_row)(block, n, c, divisor);
        OF(divide_row)(inverse, n, c, divisor);
        for (int i = 0; i < n; i++) {
            const NUMBER factor = block[c * n + i];
            if (i == c || NUMBERS(size)(factor) == 0.0)
                continue;
            OF(subtract_row)(block, n, i, c, factor);
            OF(subtract_row)(inverse, n, i, c, factor);
        }
    }
    return 1;
}

/* Multiplies row i by 2^row[i] and column j by 2^column[j]. */
static void OF(shift)(NUMBER *a, int n, const int *row, const int *column)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[j * n + i] = NUMBERS(shift)(a[j * n + i], row[i] + column[j]);
}

static int OF(are_finite)(const NUMBER *a, int n)
{
    int are = 1;
    for (int k = 0; k < n * n; k++)
        are &= NUMBERS(is_finite)(a[k]);
    return are;
}

static void OF(find_exponents)(const NUMBER *a, int n, int *exponent)
{
    for (int k = 0; k < n * n; k++)
        exponent[k] = NUMBERS(exponent)(a[k]);
}

/* X + X (I - A X), column by column, with I - A X in twice the precision. */
static void OF(refine)(const NUMBER *a, int n, NUMBER *inverse)
{
    NUMBER rest[STN_BLOCK_JACOBI_MAX_ROWS], better[STN_BLOCK_JACOBI_MAX_ROWS];
    for (int j = 0; j < n; j++) {
        NUMBER *const x = inverse + j * n;
        for (int i = 0; i < n; i++) {
            wide_sum sum = OF(sum_of)(i == j ? OF(one) : OF(zero));
            for (int k = 0; k < n; k++)
                OF(add_product)(&sum, -1.0, a[k * n + i], x[k]);
            rest[i] = OF(rounded)(&sum);
        }
        for (int i = 0; i < n; i++) {
            wide_sum sum = OF(sum_of)(x[i]);
            for (int k = 0; k < n; k++)
                OF(add_product)(&sum, 1.0, inverse[k * n + i], rest[k]);
            better[i] = OF(rounded)(&sum);
        }
        memcpy(x, better, (size_t)n * sizeof *x);
    }
}

/* Inverts by Gauss-Jordan elimination. */
static int OF(invert_plain)(NUMBER *block, int n, NUMBER *inverse)
{
    memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = OF(one);
    return OF(eliminate)(block, n, inverse);
}

/* Inverts R A C, whose inverse is C^-1 A^-1 R^-1. No choice of scales and pivots suits every
 * pattern of zeros: two steps of refinement remove the remaining errors. */
static int OF(invert_scaled)(NUMBER *block, int n, const int *exponent, NUMBER *inverse)
{
    enum { STEPS = 2 };
    NUMBER *const scaled = block + n * n;
    int row[STN_BLOCK_JACOBI_MAX_ROWS], column[STN_BLOCK_JACOBI_MAX_ROWS];
    if (!balance(exponent, n, row, column))
        return 0;
    OF(shift)(block, n, row, column);
    memcpy(scaled, block, (size_t)n * (size_t)n * sizeof *block);
    if (!OF(invert_plain)(block, n, inverse))
        return 0;
    for (int step = 0; step < STEPS; step++)
        OF(refine)(scaled, n, inverse);
    OF(shift)(inverse, n, column, row);
    return 1;
}

static void OF(make_symmetric)(NUMBER *inverse, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) {
            NUMBER *const a = &inverse[j * n + i], *const b = &inverse[i * n + j];
            *a = NUMBERS(mean)(*a, NUMBERS(conj)(*b));
            *b = NUMBERS(conj)(*a);
        }
        inverse[j * n + j] = NUMBERS(real)(inverse[j * n + j]);
    }
}

static int OF(invert)(NUMBER *block, int n, NUMBER *inverse, double *condition)
{
    const double norm = OF(norm_of)(block, n);
    const int is_even = OF(is_symmetric)(block, n);
    int exponent[STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS];
    if (!OF(are_finite)(block, n))
        return 0;
    OF(find_exponents)(block, n, exponent);
    if (!(is_balanced(exponent, n) ? OF(invert_plain)(block, n, inverse)
                                   : OF(invert_scaled)(block, n, exponent, inverse)))
        return 0;
    if (is_even)
        OF(make_symmetric)(inverse, n);
    const double inverse_norm = OF(norm_of)(inverse, n);
    *condition = norm * inverse_norm; /* infinite: the widest format is selected */
    return isfinite(inverse_norm);
}
