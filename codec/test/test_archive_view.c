/* Views of archives: operations read and write them, also with a cache of few blocks and by several
 * threads. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "archive_data.h"
#include "codec/archive.h"
#include "core/memory.h"
#include "make_view.h"
#include "steno/array_functions.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/solver.h"
#include "steno/sparse.h"

enum { N = 37, M = 53 };

static double original[N][M], restored[N][M];
static stn_exec *execs[3];

static int create_execs(void **state)
{
    static const char *const names[] = {"reference", "threads:threads=1", "threads:threads=4"};
    (void)state;
    for (int k = 0; k < 3; k++)
        if (stn_exec_create(&execs[k], names[k]) != STN_OK)
            return -1;
    fill_data(DATA_SMOOTH, STN_F64, original, (int64_t)N * M, 8);
    return 0;
}

static int release_execs(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        stn_exec_release(execs[k]);
    return 0;
}

static stn_view matrix(double values[N][M])
{
    return wrap_view("matrix", f64(), values, 2, (const int64_t[]){N, M});
}

static stn_archive *pack(const char *codec, int64_t cached)
{
    const int64_t block[] = {5, 8};
    const stn_archive_options options =
        STN_INIT(stn_archive_options, .codec = codec, .block = block, .cached_blocks = cached);
    const stn_view view = matrix(original);
    stn_archive *archive;
    expect_ok(stn_archive_pack(NULL, &archive, STN_F64, &view, &options));
    return archive;
}

static stn_view view_of(stn_archive *archive)
{
    stn_view view;
    expect_ok(stn_archive_view(&view, archive));
    stn_archive_release(archive); /* the view keeps it */
    return view;
}

static const int64_t caches[] = {0, 1, 7};

UNIT_TEST(copies_read_and_write_views_of_archives)
{
    for (int e = 0; e < 3; e++)
        for (int c = 0; c < COUNT_OF(caches); c++) {
            stn_view view = view_of(pack("lzw", caches[c])), to = matrix(restored);
            memset(restored, 0, sizeof restored);
            expect_ok(stn_view_copy(execs[e], &to, &view));
            assert_memory_equal(original, restored, sizeof original);
            expect_ok(stn_view_fill(execs[e], &view, 3.5));
            expect_ok(stn_view_copy(execs[e], &to, &view));
            for (int k = 0; k < N * M; k++)
                assert_true(restored[k / M][k % M] == 3.5);
            const stn_view from = matrix(original);
            expect_ok(stn_view_copy(execs[e], &view, &from));
            expect_ok(stn_view_copy(execs[e], &to, &view));
            assert_memory_equal(original, restored, sizeof original);
            expect_ok(stn_view_release(&view));
        }
}

STN_MAP(saxpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)

UNIT_TEST(kernels_write_blocks)
{
    for (int e = 0; e < 3; e++)
        for (int c = 0; c < COUNT_OF(caches); c++) {
            stn_archive *const archive = pack("lzw", caches[c]);
            stn_view x, y, to = matrix(restored);
            expect_ok(stn_archive_view(&x, archive));
            y = view_of(pack("none", caches[c]));
            expect_ok(saxpy_run(execs[e], STN_F64, 2.0, &x, &y));
            expect_ok(stn_view_copy(NULL, &to, &y));
            for (int k = 0; k < N * M; k++)
                assert_true(restored[k / M][k % M] ==
                            2.0 * original[k / M][k % M] + original[k / M][k % M]);
            expect_ok(saxpy_run(execs[e], STN_F64, 1.0, &y, &x));
            expect_ok(stn_archive_read(NULL, &to, archive, NULL)); /* sees what the kernel wrote */
            for (int k = 0; k < N * M; k++)
                assert_true(restored[k / M][k % M] ==
                            (2.0 * original[k / M][k % M] + original[k / M][k % M]) +
                                original[k / M][k % M]);
            stn_archive_release(archive);
            expect_ok(stn_view_release(&x));
            expect_ok(stn_view_release(&y));
        }
}

/* The same bits as from memory. */
UNIT_TEST(reductions_and_products_read_archives)
{
    const stn_view plain = matrix(original);
    double vector[M], expected[N], found[N];
    for (int k = 0; k < M; k++)
        vector[k] = 0.1 * k;
    const stn_view v = wrap_view("v", f64(), vector, 1, (const int64_t[]){M});
    const stn_view y = wrap_view("y", f64(), found, 1, (const int64_t[]){N});
    const stn_view z = wrap_view("z", f64(), expected, 1, (const int64_t[]){N});
    for (int e = 0; e < 3; e++)
        for (int c = 0; c < COUNT_OF(caches); c++) {
            stn_view view = view_of(pack("lzw", caches[c]));
            double sum, other;
            expect_ok(stn_sum(execs[e], STN_F64, &sum, &plain));
            expect_ok(stn_sum(execs[e], STN_F64, &other, &view));
            assert_true(sum == other);
            expect_ok(stn_gemv(execs[e], STN_F64, 1.5, &plain, &v, 0.0, &z));
            expect_ok(stn_gemv(execs[e], STN_F64, 1.5, &view, &v, 0.0, &y));
            assert_memory_equal(found, expected, sizeof found);
            expect_ok(stn_view_release(&view));
        }
}

static stn_view stored_vector(const double *values, int64_t count, const char *codec)
{
    const stn_archive_options options = STN_INIT(
        stn_archive_options, .codec = codec, .block = (const int64_t[]){32}, .cached_blocks = 2);
    const stn_view from = wrap_view("from", f64(), (void *)(uintptr_t)values, 1, &count);
    stn_archive *archive;
    expect_ok(stn_archive_pack(NULL, &archive, STN_F64, &from, &options));
    return view_of(archive);
}

/* -1 2 -1 on 200 unknowns: values, right-hand side and solution are archives. */
UNIT_TEST(solvers_and_sparse_products_take_archives)
{
    enum { UNKNOWNS = 200, ENTRIES = 3 * UNKNOWNS - 2 };
    static int32_t start[UNKNOWNS + 1], column[ENTRIES];
    static double value[ENTRIES], b[UNKNOWNS], y[UNKNOWNS], z[UNKNOWNS];
    const int64_t n = UNKNOWNS, rows = n + 1, entries = ENTRIES;
    for (int32_t i = 0, k = 0; i < UNKNOWNS; i++, start[i] = k)
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < UNKNOWNS; j++, k++) {
            column[k] = j;
            value[k] = i == j ? 2.0 : -1.0;
        }
    for (int k = 0; k < UNKNOWNS; k++)
        b[k] = sin(0.3 * k);
    stn_view values = stored_vector(value, entries, "lzw"), rhs = stored_vector(b, n, "none");
    stn_view x = stored_vector(z, n, "none");
    const stn_view starts = wrap_view("starts", stn_storage_of(STN_I32), start, 1, &rows);
    const stn_view columns = wrap_view("columns", stn_storage_of(STN_I32), column, 1, &entries);
    const stn_view from = wrap_view("b", f64(), b, 1, &n), to = wrap_view("y", f64(), y, 1, &n);
    stn_matrix *plain, *stored;
    stn_operator a;
    expect_ok(stn_matrix_wrap_csr_i32(&plain, n, n, start, column, f64(), value));
    const stn_matrix_views arrays =
        STN_INIT(stn_matrix_views, .kind = STN_MATRIX_CSR, .rows = n, .columns = n,
                 .row_start = starts, .column = columns, .values = values);
    expect_ok(stn_matrix_wrap_views(&stored, &arrays));
    const stn_view expected = wrap_view("z", f64(), z, 1, &n);
    expect_ok(stn_spmv(execs[2], STN_F64, 1.0, plain, &from, 0.0, &expected));
    expect_ok(stn_spmv(execs[2], STN_F64, 1.0, stored, &rhs, 0.0, &to));
    assert_memory_equal(y, z, sizeof y);
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    expect_ok(stn_operator_of_matrix(&a, stored));
    expect_ok(stn_solve(execs[2], &x, &a, &rhs, NULL, &report));
    assert_int_equal(report.reason, STN_STOP_CONVERGED);
    expect_ok(stn_spmv(execs[2], STN_F64, 1.0, plain, &x, 0.0, &to));
    for (int k = 0; k < UNKNOWNS; k++)
        assert_true(fabs(y[k] - b[k]) < 1e-6);
    stn_matrix_release(plain);
    stn_matrix_release(stored);
    expect_ok(stn_view_release(&values));
    expect_ok(stn_view_release(&rhs));
    expect_ok(stn_view_release(&x));
}

UNIT_TEST(parts_and_elements_are_read_and_written)
{
    stn_view view = view_of(pack("lzw", 3)), part, turned;
    const stn_slice slices[] = {stn_slice_strided(N - 1, 12, -3), stn_slice_strided(2, 17, 3)};
    double values[17][12];
    expect_ok(stn_view_slice(&part, &view, 2, slices));
    expect_ok(stn_view_permute(&turned, &part, 2, (const int[]){1, 0}));
    const stn_view to = wrap_view("to", f64(), values, 2, (const int64_t[]){17, 12});
    expect_ok(stn_view_copy(execs[2], &to, &turned));
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 17; j++)
            assert_true(values[j][i] == original[N - 1 - 3 * i][2 + 3 * j]);
    expect_ok(STN_VIEW_SET(&part, 77.0, 2, 3));
    assert_true(VALUE_AT(&view, N - 7, 11) == 77.0);
    assert_true(VALUE_AT(&view, N - 7, 12) == original[N - 7][12]);
    expect_ok(stn_view_release(&view));
}

UNIT_TEST(operations_that_need_addresses_refuse_archives)
{
    stn_view view = view_of(pack("lzw", 0));
    void *address;
    const int64_t indices[] = {1, 2}, extents[] = {2, 3};
    expect_error(stn_view_address(&view, 2, indices, &address), STN_ERR_UNSUPPORTED, "compressed");
    expect_error(stn_view_atomic_add(&view, 2, indices, 1.0), STN_ERR_UNSUPPORTED, "compressed");
    expect_error(stn_view_resize(NULL, &view, 2, extents, 0), STN_ERR_UNSUPPORTED, "compressed");
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    assert_int_equal(stn_view_is_contiguous(&view), 0);
    expect_error(stn_archive_view(NULL, NULL), STN_ERR_ARGUMENT, "view is NULL");
    expect_error(stn_archive_view(&(stn_view){0}, NULL), STN_ERR_ARGUMENT, "archive is NULL");
    expect_ok(stn_view_release(&view));
}

/* Blocks that a view has changed are encoded by a later call, here in the rounding mode upward. */
UNIT_TEST(modes_of_the_caller_do_not_change_blocks)
{
    const stn_archive_options options = STN_INIT(stn_archive_options, .codec = "sz:error=1e-6");
    const int64_t extents[] = {N, M};
    static float values[2][N][M];
    stn_view from = matrix(original);
    for (int upward = 0; upward < 2; upward++) {
        stn_archive_info info = STN_ARCHIVE_INFO_INIT;
        stn_archive *archive;
        stn_view view;
        const stn_view to = wrap_view("to", stn_storage_of(STN_F32), values[upward], 2, extents);
        expect_ok(stn_archive_create(&archive, STN_F32, 2, extents, &options));
        expect_ok(stn_archive_view(&view, archive));
        expect_ok(stn_view_copy(NULL, &view, &from));
        assert_int_equal(fesetround(upward ? FE_UPWARD : FE_TONEAREST), 0);
        expect_ok(stn_archive_describe(archive, &info));
        assert_int_equal(fegetround(), upward ? FE_UPWARD : FE_TONEAREST);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        expect_ok(stn_archive_read(NULL, &to, archive, NULL));
        expect_ok(stn_view_release(&view));
        stn_archive_release(archive);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
}

/* Its blocks would be decoded after others have been written. */
UNIT_TEST(boxes_of_the_archive_itself_are_refused)
{
    stn_archive *const archive = pack("lzw", 0);
    const int64_t first[] = {1, 0};
    const stn_slice slices[] = {stn_slice_range(0, N - 1), stn_slice_all()};
    stn_view view, part;
    expect_ok(stn_archive_view(&view, archive));
    expect_ok(stn_view_slice(&part, &view, 2, slices));
    expect_error(stn_archive_write(NULL, archive, &part, first), STN_ERR_ALIAS,
                 "from is a view of the archive itself");
    expect_error(stn_archive_read(NULL, &view, archive, NULL), STN_ERR_ALIAS,
                 "to is a view of the archive itself");
    expect_ok(stn_view_release(&view));
    stn_archive_release(archive);
}

UNIT_TEST(mirrors_of_archives_are_in_memory)
{
    stn_view view = view_of(pack("lzw", 2)), mirror, to = matrix(restored);
    expect_ok(stn_view_mirror(NULL, &mirror, &view, STN_SPACE_HOST));
    expect_ok(stn_view_copy(NULL, &mirror, &view));
    expect_ok(stn_view_copy(NULL, &to, &mirror));
    assert_memory_equal(original, restored, sizeof original);
    expect_ok(stn_view_release(&view));
    expect_ok(stn_view_release(&mirror));
}

UNIT_TEST(views_of_arrays_of_each_rank)
{
    static double values[3 * 4 * 5 * 6];
    const int64_t extents[] = {3, 4, 5, 6}, empty[] = {3, 0};
    stn_archive *archive;
    for (int rank = 0; rank <= 4; rank++) {
        double sum, expected = 0.0;
        int64_t count = 1;
        for (int d = 0; d < rank; d++)
            count *= extents[d];
        for (int64_t k = 0; k < count; k++)
            expected += values[k] = (double)(k + 1);
        const stn_view from = wrap_view("from", f64(), values, rank, extents);
        expect_ok(stn_archive_pack(NULL, &archive, STN_F64, &from, NULL));
        stn_view view = view_of(archive);
        expect_ok(stn_sum(execs[1], STN_F64, &sum, &view));
        assert_true(sum == expected);
        expect_ok(stn_view_release(&view));
    }
    expect_ok(stn_archive_create(&archive, STN_F64, 2, empty, NULL));
    stn_view view = view_of(archive);
    expect_ok(stn_view_fill(NULL, &view, 1.0));
    expect_ok(stn_view_release(&view));
}

/* A corrupt block of a file is an error of the first operation, before anything is read. */
UNIT_TEST(corrupt_blocks_are_errors_of_operations)
{
    char path[] = "archive-view-XXXXXX";
    stn_archive *archive = pack("lzw", 0);
    const int created = mkstemp(path);
    assert_true(created >= 0);
    close(created);
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
    expect_ok(stn_archive_open(&archive, path));
    stn_view view = view_of(archive);
    double sum;
    expect_error(stn_sum(execs[2], STN_F64, &sum, &view), STN_ERR_PARSE,
                 "block 55, whose first element is (35, 48), is corrupt");
    expect_error(stn_view_fill(execs[2], &view, 1.0), STN_ERR_PARSE, "block 55");
    expect_ok(stn_view_release(&view));
    unlink(path);
}

/* With one block cached, each access of another one encodes: memory for it runs out during an
 * operation, and the next one reports it. */
UNIT_TEST(errors_during_an_operation_are_reported_by_the_next)
{
    stn_view view = view_of(pack("none", 1));
    double value;
    expect_ok(stn_view_get(&view, 2, (const int64_t[]){0, 0}, &value));
    int64_t n = 0;
    stn_status status = STN_OK, next = STN_OK;
    while (status == STN_OK && next == STN_OK && n < 20) {
        stn_fail_allocation(++n);
        status = stn_view_fill(NULL, &view, (double)n);
        stn_fail_allocation(0);
        next = stn_view_get(&view, 2, (const int64_t[]){0, 0}, &value);
    }
    assert_int_equal(status, STN_OK);
    assert_int_equal(next, STN_ERR_MEMORY);
    expect_ok(stn_view_release(&view));
}

RUN_UNIT_TESTS(create_execs, release_execs)
