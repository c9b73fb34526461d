/* Communicators and sums over ranks: the bits do not depend on the number of ranks. */
#include <math.h>

#include "check.h"
#include "core/memory.h"
#include "processes.h"
#include "steno/blas.h"
#include "steno/distribute.h"
#include "steno/reduce.h"

STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE_STATE(range, (in(x)), (least, most), (x, x), (a.least, a.most), (INFINITY, -INFINITY),
                 a.least = fmin(a.least, b.least);
                 a.most = fmax(a.most, b.most);)

static stn_exec *exec;
static const int rank_counts[] = {1, 2, 3, 5, 8};

typedef struct vectors {
    int64_t rows;
    double *x, *y, scale;
    stn_format arithmetic;
    int64_t uneven; /* rows of rank 0; 0: rows are divided evenly */
    double dot, norm, sum, extremes[2];
    stn_c128 complex_dot; /* of vectors of half as many complex numbers, in rows 0 to rows / 2 */
    double complex_norm;
} vectors;

static double number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ldexp((double)(int64_t)*state, -63);
}

static stn_status wrap_part(stn_view *view, const double *values, const stn_partition_info *info)
{
    return stn_view_wrap(view, "x", stn_storage_of(STN_F64),
                         (void *)(uintptr_t)(values + info->first), 1, &info->count);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ != STN_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static stn_status expect_same(const char *what, double found, double expected)
{
    if (same(found, expected))
        return STN_OK;
    print_error("%s: %a, not %a\n", what, found, expected);
    return STN_ERR_RANGE;
}

static stn_status sum_part(const stn_partition *p, const vectors *v)
{
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_partial part;
    stn_view x, y;
    double result, extremes[2];
    TRY(stn_partition_describe(p, &info));
    TRY(wrap_part(&x, v->x, &info));
    TRY(wrap_part(&y, v->y, &info));
    TRY(stn_distributed_dot(exec, v->arithmetic, &result, p, &x, &y));
    TRY(expect_same("dot", result, v->dot));
    TRY(stn_distributed_nrm2(exec, v->arithmetic, &result, p, &x));
    TRY(expect_same("norm", result, v->norm));
    TRY(total_reduce_part(exec, v->arithmetic, info.first, &part, &x));
    TRY(stn_distributed_merge(info.comm, &part, total_reduce_merge));
    TRY(total_reduce_finish(&part, &result));
    TRY(expect_same("sum", result, v->sum));
    TRY(range_reduce_part(exec, v->arithmetic, info.first, &part, &x));
    TRY(stn_distributed_merge(info.comm, &part, range_reduce_merge));
    TRY(range_reduce_finish(&part, extremes));
    TRY(expect_same("minimum", extremes[0], v->extremes[0]));
    return expect_same("maximum", extremes[1], v->extremes[1]);
}

/* Complex vectors of half the length. */
static stn_status sum_complex_part(const stn_partition *p, const vectors *v)
{
    const stn_format arithmetic = v->arithmetic == STN_F64 ? STN_C128 : STN_C64;
    const stn_storage c128 = stn_storage_of(STN_C128);
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_view x, y;
    stn_c128 dot;
    double norm;
    TRY(stn_partition_describe(p, &info));
    TRY(stn_view_wrap(&x, "x", c128, v->x + 2 * info.first, 1, &info.count));
    TRY(stn_view_wrap(&y, "y", c128, v->y + 2 * info.first, 1, &info.count));
    TRY(stn_distributed_dotc(exec, arithmetic, &dot, p, &x, &y));
    TRY(expect_same("real part", dot.re, v->complex_dot.re));
    TRY(expect_same("imaginary part", dot.im, v->complex_dot.im));
    TRY(stn_distributed_nrm2(exec, arithmetic, &norm, p, &x));
    return expect_same("complex norm", norm, v->complex_norm);
}

static stn_status sum_everything(stn_comm *comm, void *context)
{
    const vectors *const v = context;
    stn_partition *p;
    const int rank = stn_comm_rank(comm), last = rank == stn_comm_ranks(comm) - 1;
    if (v->uneven)
        TRY(stn_partition_create_local(&p, comm,
                                       rank == 0 ? (last ? v->rows : v->uneven)
                                       : last    ? v->rows - v->uneven
                                                 : 0));
    else
        TRY(stn_partition_create(&p, comm, v->rows));
    TRY(sum_part(p, v));
    stn_partition_release(p);
    TRY(stn_partition_create_aligned(&p, comm, v->rows / 2, 256));
    const stn_status status = sum_complex_part(p, v);
    stn_partition_release(p);
    return status;
}

/* The expected values are those of the whole vectors without ranks. */
static void check_sums(int64_t rows, double scale, stn_format arithmetic, int64_t uneven)
{
    const size_t bytes = (size_t)(rows + 1) * sizeof(double);
    vectors v = {.rows = rows,
                 .x = malloc(bytes),
                 .y = malloc(bytes),
                 .scale = scale,
                 .arithmetic = arithmetic,
                 .uneven = uneven};
    const int64_t half = rows / 2;
    const stn_format complex_arithmetic = arithmetic == STN_F64 ? STN_C128 : STN_C64;
    uint64_t seed = (uint64_t)rows + 7;
    stn_view x, y;
    for (int64_t k = 0; k < rows; k++) {
        v.x[k] = scale * number(&seed);
        v.y[k] = number(&seed);
    }
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), v.x, 1, &rows));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), v.y, 1, &rows));
    expect_ok(stn_dot(exec, arithmetic, &v.dot, &x, &y));
    expect_ok(stn_nrm2(exec, arithmetic, &v.norm, &x));
    expect_ok(total_reduce(exec, arithmetic, &v.sum, &x));
    expect_ok(range_reduce(exec, arithmetic, v.extremes, &x));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_C128), v.x, 1, &half));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(STN_C128), v.y, 1, &half));
    expect_ok(stn_dotc(exec, complex_arithmetic, &v.complex_dot, &x, &y));
    expect_ok(stn_nrm2(exec, complex_arithmetic, &v.complex_norm, &x));
    for (size_t k = 0; k < sizeof rank_counts / sizeof *rank_counts; k++)
        run_ranks_ok(rank_counts[k], sum_everything, &v);
    free(v.x);
    free(v.y);
}

UNIT_TEST(sums_have_the_same_bits_on_all_numbers_of_ranks)
{
    static const int64_t rows[] = {0, 1, 127, 128, 129, 1000, 4096, 5003, 40000, 100001};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        check_sums(rows[k], 1.0, STN_F64, 0);
        check_sums(rows[k], 1.0, STN_F32, 0);
    }
}

UNIT_TEST(sums_over_uneven_rows)
{
    check_sums(5003, 1.0, STN_F64, 128);
    check_sums(5003, 1.0, STN_F64, 4992);
    check_sums(70001, 1.0, STN_F64, 384);
}

UNIT_TEST(norms_whose_squares_overflow_or_underflow)
{
    check_sums(3001, 0x1p900, STN_F64, 0);
    check_sums(3001, 0x1p-900, STN_F64, 0);
    check_sums(3001, 0x1p100, STN_F32, 0);
    check_sums(3001, 0x1p-100, STN_F32, 0);
}

/* ---- the functions of communicators ---- */

/* Concatenation, which is associative but not commutative. */
typedef struct text {
    int length;
    char letters[MAX_RANKS];
} text;

static stn_status append(void *context, void *left, const void *right)
{
    text *const to = left;
    const text *const from = right;
    (void)context;
    memcpy(to->letters + to->length, from->letters, (size_t)from->length);
    to->length += from->length;
    return STN_OK;
}

static stn_status gather_and_reduce(stn_comm *comm, void *context)
{
    static const char alphabet[] = "abcdefghijklmnop";
    const int rank = stn_comm_rank(comm), ranks = stn_comm_ranks(comm);
    char all[MAX_RANKS * 3], mine[3] = {alphabet[rank], '-', alphabet[rank]};
    text letters = {1, {alphabet[rank]}};
    (void)context;
    TRY(stn_comm_allgather(comm, all, mine, sizeof mine));
    for (int r = 0; r < ranks; r++)
        if (all[3 * r] != alphabet[r] || all[3 * r + 2] != alphabet[r])
            return STN_ERR_RANGE;
    TRY(stn_comm_allreduce(comm, &letters, sizeof letters, append, NULL));
    if (letters.length != ranks || memcmp(letters.letters, alphabet, (size_t)ranks) != 0)
        return STN_ERR_RANGE;
    return STN_OK;
}

UNIT_TEST(gather_and_ordered_reduction)
{
    rank_result results[MAX_RANKS];
    for (int ranks = 1; ranks <= MAX_RANKS; ranks++) {
        run_ranks_ok(ranks, gather_and_reduce, NULL);
        run_ranks(ranks, 7, gather_and_reduce, NULL, results); /* messages in pieces of 7 bytes */
        for (int r = 0; r < ranks; r++)
            expect_ok(results[r].status);
    }
}

/* ---- failures ---- */

static stn_status fail_on_one(stn_comm *comm, void *context)
{
    const int failing = *(const int *)context;
    stn_comm *const none = NULL;
    stn_status status = STN_OK;
    if (stn_comm_rank(comm) == failing)
        status = stn_comm_create(&(stn_comm *){none}, NULL);
    if (stn_comm_agree(comm, status) != STN_ERR_ARGUMENT)
        return STN_ERR_RANGE;
    return stn_comm_rank(comm) == failing || strstr(stn_error(), "rank ")
               ? gather_and_reduce(comm, NULL)
               : STN_ERR_RANGE;
}

UNIT_TEST(all_ranks_report_the_failure_of_one)
{
    for (int ranks = 1; ranks <= 8; ranks++)
        for (int failing = 0; failing < ranks; failing++)
            run_ranks_ok(ranks, fail_on_one, &failing);
}

static stn_status divide_differently(stn_comm *comm, void *context)
{
    stn_partition *p;
    (void)context;
    return stn_partition_create(&p, comm, 1000 + (stn_comm_rank(comm) == 2));
}

static stn_status divide_by_different_granules(stn_comm *comm, void *context)
{
    stn_partition *p;
    (void)context;
    return stn_partition_create_aligned(&p, comm, 1000, stn_comm_rank(comm) == 2 ? 256 : 128);
}

static stn_status divide_by_no_power_of_two(stn_comm *comm, void *context)
{
    stn_partition *p;
    (void)context;
    return stn_partition_create_aligned(&p, comm, 1000, 384);
}

static stn_status divide_unaligned(stn_comm *comm, void *context)
{
    stn_partition *p;
    (void)context;
    return stn_partition_create_local(&p, comm, 200);
}

/* Rank 1 passes a vector of another length; the other ranks wait for it. */
static stn_status pass_a_short_vector(stn_comm *comm, void *context)
{
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_partition *p;
    stn_view x;
    double result, values[1000] = {0};
    (void)context;
    TRY(stn_partition_create(&p, comm, 1000));
    TRY(stn_partition_describe(p, &info));
    info.count -= stn_comm_rank(comm) == 1;
    TRY(wrap_part(&x, values, &info));
    const stn_status status = stn_distributed_dot(exec, STN_F64, &result, p, &x, &x);
    stn_partition_release(p);
    return status;
}

static void expect_failure_on_all(int ranks, rank_body *body, stn_status status,
                                  const char *message)
{
    rank_result results[MAX_RANKS];
    run_ranks(ranks, 0, body, NULL, results);
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(results[r].status, status);
        assert_non_null(strstr(results[r].message, message));
    }
}

UNIT_TEST(unequal_shapes_fail_on_all_ranks)
{
    expect_failure_on_all(4, divide_differently, STN_ERR_SHAPE, "rows is 1001 on rank 2");
    expect_failure_on_all(3, divide_unaligned, STN_ERR_SHAPE, "must be a multiple of 128");
    expect_failure_on_all(4, divide_by_different_granules, STN_ERR_SHAPE,
                          "granule is 256 on rank 2 and 128 on rank 0");
    expect_failure_on_all(3, divide_by_no_power_of_two, STN_ERR_ARGUMENT, "granule is 384");
    expect_failure_on_all(4, pass_a_short_vector, STN_ERR_SHAPE, "rows of this rank");
}

static stn_status receive_without_memory(stn_comm *comm, void *context)
{
    const int64_t ones[] = {1, 1};
    (void)context;
    return stn_comm_alltoall(comm, stn_comm_rank(comm) == 1 ? NULL : (char[2]){0}, ones, "ab", ones,
                             1);
}

UNIT_TEST(elements_that_are_null_fail_on_all_ranks)
{
    rank_result results[MAX_RANKS];
    run_ranks(2, 0, receive_without_memory, NULL, results);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(results[r].status, STN_ERR_ARGUMENT);
        assert_non_null(strstr(results[r].message, "the elements for rank 0 are NULL"));
    }
}

UNIT_TEST(invalid_arguments)
{
    stn_comm_functions functions = STN_COMM_FUNCTIONS_INIT;
    stn_comm *comm;
    stn_partition *p;
    double result;
    expect_error(stn_comm_create(NULL, &functions), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_comm_create(&comm, NULL), STN_ERR_ARGUMENT, "functions is NULL");
    expect_error(stn_comm_create(&comm, &functions), STN_ERR_ARGUMENT, "exchange is NULL");
    expect_error(stn_partition_create(&p, NULL, 5), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_partition_create_local(&p, NULL, 5), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_comm_allgather(NULL, &p, &comm, 1), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_comm_allreduce(NULL, &p, 1, append, NULL), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_distributed_dot(NULL, STN_F64, &result, NULL, NULL, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_distributed_dotc(NULL, STN_C128, NULL, NULL, NULL, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_partition_create_aligned(&p, NULL, 5, 128), STN_ERR_ARGUMENT, "comm is NULL");
    expect_error(stn_distributed_nrm2(NULL, STN_F64, &result, NULL, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_distributed_merge(NULL, NULL, NULL), STN_ERR_ARGUMENT, "comm is NULL");
    assert_int_equal(stn_comm_rank(NULL), 0);
    assert_int_equal(stn_comm_ranks(NULL), 1);
}

static int set_up(void **state)
{
    (void)state;
    return stn_exec_create(&exec, "threads:threads=1") != STN_OK;
}

static int tear_down(void **state)
{
    (void)state;
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(set_up, tear_down)
