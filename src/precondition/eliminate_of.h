/* Include-as-template: elimination row by row within the pattern of the matrix, for NUMBER.
 * OF(name) is the name of a function of this template, and NUMBERS(name) that of a function of
 * number.h. */

static stn_status OF(check_values)(const elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    const NUMBER *const value = job->value;
    for (int64_t r = 0; r < rows->rows; r++)
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            if (!NUMBERS(is_finite)(value[k]))
                return refuse(job, "row %lld of %s has an entry of %s", r, NUMBERS(text)(value[k]));
            if (job->kind == STN_IC0 && rows->column[k] == r &&
                !NUMBERS(equal)(value[k], NUMBERS(real)(value[k])))
                return refuse(job, "row %lld of %s has %s on the diagonal, which is not real", r,
                              NUMBERS(text)(value[k]));
        }
    return STN_OK;
}

/* Element of the upper triangle that corresponds to an element of the lower one, in a Hermitian
 * matrix. */
static void OF(conjugate_upper)(const elimination *job)
{
    NUMBER *const value = job->value;
    for (int64_t r = 0; r < job->rows.rows; r++)
        for (int64_t k = job->diagonal[r] + 1; k < job->rows.start[r + 1]; k++)
            value[k] = NUMBERS(conj)(value[k]);
}

/* Subtracts factor times the entries of row `other` after its diagonal from row r, in the columns
 * of row r. Entry k of row r, in column `other`, precedes them. The shorter row is traversed:
 * either each entry of `other` is looked up by its column, or each entry of row r is searched for
 * in `other`. */
static void OF(subtract_row)(elimination *job, int64_t r, int64_t k, int64_t other, NUMBER factor)
{
    const stn_compressed *const rows = &job->rows;
    NUMBER *const value = job->value;
    const int64_t begin = job->diagonal[other] + 1, end = rows->start[other + 1];
    const int64_t last = rows->start[r + 1];
    if ((end - begin) / SEARCH_COST <= last - k - 1) {
        job->result->steps += end - begin;
        for (int64_t e = begin; e < end; e++) {
            const int64_t place = job->place[rows->column[e]];
            if (place >= 0)
                value[place] = NUMBERS(less)(value[place], factor, value[e]);
        }
        return;
    }
    for (int64_t place = k + 1, e = begin; place < last && e < end; place++) {
        e = find_column(rows->column, e, end, rows->column[place], &job->result->steps);
        if (e < end && rows->column[e] == rows->column[place])
            value[place] = NUMBERS(less)(value[place], factor, value[e]);
    }
}

/* Subtracts multiples of earlier rows from row r; its entries before the diagonal become those of
 * L.
 */
static void OF(eliminate_row)(elimination *job, int64_t r)
{
    const stn_compressed *const rows = &job->rows;
    NUMBER *const value = job->value, *const pivot = job->pivot;
    for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++)
        job->place[rows->column[k]] = k;
    for (int64_t k = rows->start[r]; k < job->diagonal[r]; k++) {
        const int64_t other = rows->column[k];
        value[k] = NUMBERS(divide)(value[k], pivot[other]);
        OF(subtract_row)(job, r, k, other, value[k]);
    }
    for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++)
        job->place[rows->column[k]] = -1;
    pivot[r] = value[job->diagonal[r]];
    if (job->kind == STN_IC0) /* the imaginary part consists of rounding errors */
        pivot[r] = NUMBERS(real)(pivot[r]);
}

static stn_status OF(eliminate)(elimination *job)
{
    const NUMBER *const pivot = job->pivot;
    for (int64_t r = 0; r < job->rows.rows; r++)
        job->place[r] = -1;
    for (int64_t r = 0; r < job->rows.rows; r++) {
        OF(eliminate_row)(job, r);
        if (job->kind == STN_IC0 &&
            !(NUMBERS(is_positive)(pivot[r]) && NUMBERS(is_finite)(pivot[r])))
            return refuse(job, "the pivot of row %lld of %s is %s, not positive", r,
                          NUMBERS(text)(pivot[r]));
        if (NUMBERS(size)(pivot[r]) == 0.0 || !NUMBERS(is_finite)(pivot[r]))
            return refuse(job, "the pivot of row %lld of %s is %s", r, NUMBERS(text)(pivot[r]));
    }
    return STN_OK;
}

/* Entries divided by pivots near 0 may be out of range although all pivots are in range: those of U
 * and of L. */
static stn_status OF(divide_factors)(const elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    NUMBER *const value = job->value;
    const NUMBER *const pivot = job->pivot;
    for (int64_t r = 0; r < rows->rows; r++)
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            if (k > job->diagonal[r])
                value[k] = NUMBERS(divide)(value[k], pivot[r]);
            if (!NUMBERS(is_finite)(value[k]))
                return refuse(job, "row %lld of the factors of %s has an entry of %s", r,
                              NUMBERS(text)(value[k]));
        }
    return STN_OK;
}

/* ---- scales ---- */

/* Exponents of the largest entries of rows and columns, including scales of rows if there are any;
 * 0 for rows and columns without nonzero entries. */
static void OF(find_largest)(const elimination *job, const int *scale, int *row, int *column)
{
    const stn_compressed *const rows = &job->rows;
    const NUMBER *const value = job->value;
    for (int64_t r = 0; r < rows->rows; r++)
        row[r] = column[r] = INT_MIN;
    for (int64_t r = 0; r < rows->rows; r++)
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            int *const of_column = &column[rows->column[k]];
            int exponent = NUMBERS(exponent)(value[k]);
            if (exponent == INT_MIN)
                continue;
            exponent += scale ? scale[r] : 0;
            row[r] = exponent > row[r] ? exponent : row[r];
            *of_column = exponent > *of_column ? exponent : *of_column;
        }
    for (int64_t r = 0; r < rows->rows; r++) {
        row[r] = row[r] == INT_MIN ? 0 : row[r];
        column[r] = column[r] == INT_MIN ? 0 : column[r];
    }
}

/* Chooses scales from the exponents of the largest entries, which are in `row` and `column`. IC(0)
 * uses the diagonal, so that rows and columns have the same scales. Returns 0 if a diagonal element
 * would become 0. */
static int OF(choose_scales)(elimination *job, int *row, int *column)
{
    const NUMBER *const value = job->value;
    const int64_t rows = job->rows.rows;
    for (int64_t r = 0; r < rows; r++) {
        const int diagonal = NUMBERS(exponent)(value[job->diagonal[r]]);
        row[r] = job->kind == STN_ILU0 ? -row[r] : diagonal == INT_MIN ? 0 : -(diagonal / 2);
        row[r] = clamp(row[r]);
        column[r] = row[r];
    }
    if (job->kind == STN_ILU0)
        OF(find_largest)(job, row, job->spare, column);
    for (int64_t r = 0; r < rows; r++) {
        const int diagonal = NUMBERS(exponent)(value[job->diagonal[r]]);
        column[r] = job->kind == STN_ILU0 ? clamp(-column[r]) : column[r];
        if (diagonal != INT_MIN && diagonal + row[r] + column[r] < -MAX_SCALE_EXPONENT)
            return 0;
    }
    return 1;
}

/* Scales rows and columns if quotients of their entries could leave the range of f64. */
static stn_status OF(scale)(elimination *job)
{
    const stn_compressed *const rows = &job->rows;
    NUMBER *const value = job->value;
    STN_TRY(allocate_exponents(job));
    OF(find_largest)(job, NULL, job->row_exponent, job->column_exponent);
    if (!differ_much(job) || !OF(choose_scales)(job, job->row_exponent, job->column_exponent))
        return STN_OK;
    for (int64_t r = 0; r < rows->rows; r++)
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++)
            value[k] = NUMBERS(shift)(value[k],
                                      job->row_exponent[r] + job->column_exponent[rows->column[k]]);
    return store_scales(job);
}

static stn_status OF(factor)(elimination *job)
{
    STN_TRY(OF(check_values)(job));
    if (job->kind == STN_IC0)
        OF(conjugate_upper)(job);
    STN_TRY(OF(scale)(job));
    STN_TRY(OF(eliminate)(job));
    return OF(divide_factors)(job);
}
