/* Reductions whose state has several values: mean and variance, minimum and maximum with their
 * locations, a cosine, and the logarithm of a sum of exponentials. Each is computed in one pass
 * over all elements of a matrix, over its rows, and over its columns. */
#include <math.h>
#include <stdio.h>

#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_STATE(moments, (in(x)),
    (count, mean, squares), (1, x, 0), (a.mean, a.squares / a.count), (0, 0, 0),
    const real_t count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    a.squares = a.squares + b.squares + step * step * (a.count * share);
    a.mean += step * share;
    a.count = count;)
STN_REDUCE_STATE(extremes, (index(columns), at(i, j), in(x)),
    (least, first, most, last), (x, i * columns + j, x, i * columns + j),
    (a.least, a.first, a.most, a.last), (INFINITY, -1, -INFINITY, -1),
    const int lower = (b.least < a.least) | ((b.least == a.least) & (b.first < a.first));
    const int upper = (b.most > a.most) | ((b.most == a.most) & (b.last > a.last));
    a.least = lower ? b.least : a.least;
    a.first = lower ? b.first : a.first;
    a.most = upper ? b.most : a.most;
    a.last = upper ? b.last : a.last;)
STN_REDUCE_STATE(cosine, (in(x), in(y)),
    (xx, xy, yy), (x * x, x * y, y * y), (a.xy / sqrt(a.xx * a.yy)), (0, 0, 0),
    a.xx += b.xx; a.xy += b.xy; a.yy += b.yy;)
STN_REDUCE_STATE(log_sum_exp, (in(x)),
    (most, sum), (x, 1), (a.most + log(a.sum)), (-INFINITY, 1),
    const real_t most = fmax(a.most, b.most);
    a.sum = (a.most == most ? a.sum : a.sum * exp(a.most - most))
          + (b.most == most ? b.sum : b.sum * exp(b.most - most));
    a.most = most;)
/* clang-format on */

enum { ROWS = 2, COLUMNS = 3, ALL = ROWS * COLUMNS };

/* Results of the whole, or of the lines along dimension 1 (rows) or 0 (columns). */
typedef struct results {
    double moments[COLUMNS][2], extremes[COLUMNS][4], cosine[COLUMNS], log_sum_exp[COLUMNS];
} results;

static stn_status whole(const stn_exec *exec, const stn_view *x, const stn_view *y, results *to)
{
    stn_status status = moments_reduce(exec, STN_F64, to->moments[0], x);
    if (status == STN_OK)
        status = extremes_reduce(exec, STN_F64, to->extremes[0], COLUMNS, x);
    if (status == STN_OK)
        status = cosine_reduce(exec, STN_F64, to->cosine, x, y);
    return status ? status : log_sum_exp_reduce(exec, STN_F64, to->log_sum_exp, x);
}

static stn_status lines(const stn_exec *exec, unsigned reduced, int64_t count, const stn_view *x,
                        const stn_view *y, results *to)
{
    const int64_t pairs[] = {count, 2}, fours[] = {count, 4};
    stn_view of_moments, of_extremes, of_cosine, of_log_sum_exp;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_status status = stn_view_wrap(&of_moments, "moments", f64, to->moments, 2, pairs);
    if (status == STN_OK)
        status = stn_view_wrap(&of_extremes, "extremes", f64, to->extremes, 2, fours);
    if (status == STN_OK)
        status = stn_view_wrap(&of_cosine, "cosine", f64, to->cosine, 1, &count);
    if (status == STN_OK)
        status = stn_view_wrap(&of_log_sum_exp, "log_sum_exp", f64, to->log_sum_exp, 1, &count);
    if (status == STN_OK)
        status = moments_reduce_into(exec, STN_F64, reduced, &of_moments, x);
    if (status == STN_OK)
        status = extremes_reduce_into(exec, STN_F64, reduced, &of_extremes, COLUMNS, x);
    if (status == STN_OK)
        status = cosine_reduce_into(exec, STN_F64, reduced, &of_cosine, x, y);
    return status ? status : log_sum_exp_reduce_into(exec, STN_F64, reduced, &of_log_sum_exp, x);
}

static void print(const char *name, int count, const results *r)
{
    for (int k = 0; k < count; k++)
        printf("%-7s mean %5.2f variance %5.2f, least %2g at %g, most %2g at %g, cosine %.3f, "
               "log-sum-exp %.3f\n",
               name, r->moments[k][0], r->moments[k][1], r->extremes[k][0], r->extremes[k][1],
               r->extremes[k][2], r->extremes[k][3], r->cosine[k], r->log_sum_exp[k]);
}

int main(void)
{
    static const double numbers[ALL] = {1, -2, 4, 4, 0, -2}, others[ALL] = {1, -1, 2, 1, 3, 0};
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_f16 codes[2][ALL];
    stn_view x, y;
    stn_exec *exec = NULL;
    results all, rows, columns;
    for (int k = 0; k < ALL; k++) {
        codes[0][k] = stn_f16_from_f64(numbers[k]);
        codes[1][k] = stn_f16_from_f64(others[k]);
    }
    if (stn_exec_create(&exec, "threads") ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F16), codes[0], 2, extents) ||
        stn_view_wrap(&y, "y", stn_storage_of(STN_F16), codes[1], 2, extents) ||
        whole(exec, &x, &y, &all) || lines(exec, 1u << 1, ROWS, &x, &y, &rows) ||
        lines(exec, 1u << 0, COLUMNS, &x, &y, &columns)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    stn_exec_release(exec);
    print("all", 1, &all);
    print("row", ROWS, &rows);
    print("column", COLUMNS, &columns);
    return 0;
}
