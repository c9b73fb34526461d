/* Include-as-template: inverses of small matrices of NUMBER, where OF(name) is what a name is in
 * it, and NUMBERS(name) what number.h has of it. */

/* The largest sum of magnitudes of a column; NaN where there is one. */
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

/* Symmetric, or Hermitian. */
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

/* Row `row` of `a` less `factor` times row `from`. */
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

static int OF(invert)(NUMBER *block, int n, NUMBER *inverse, double *condition)
{
    const double norm = OF(norm_of)(block, n);
    const int is_even = OF(is_symmetric)(block, n);
    memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = OF(one);
    if (!isfinite(norm) || !OF(eliminate)(block, n, inverse))
        return 0;
    for (int j = 0; j < n && is_even; j++) {
        for (int i = 0; i < j; i++) {
            NUMBER *const a = &inverse[j * n + i], *const b = &inverse[i * n + j];
            *a = NUMBERS(mean)(*a, NUMBERS(conj)(*b));
            *b = NUMBERS(conj)(*a);
        }
        inverse[j * n + j] = NUMBERS(real)(inverse[j * n + j]);
    }
    const double inverse_norm = OF(norm_of)(inverse, n);
    *condition = norm * inverse_norm; /* an infinite one asks for all digits */
    return isfinite(inverse_norm);
}
