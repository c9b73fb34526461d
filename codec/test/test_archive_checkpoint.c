/* Checkpoints of solvers in compressed files: a resumed solve has the bits of an uninterrupted one.
 */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "make_view.h"
#include "steno/archive.h"
#include "steno/solver.h"

enum { N = 300 };

static double b[N], x[N], expected[N];
static const int64_t n = N;
static const char path[] = "checkpoint.steno";

/* -1 2 -1 */
static stn_status multiply(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *from, const stn_view *to)
{
    const double *const u = from->data;
    double *const v = to->data;
    (void)context, (void)exec, (void)arithmetic;
    for (int k = 0; k < N; k++)
        v[k] = 2 * u[k] - (k > 0 ? u[k - 1] : 0) - (k + 1 < N ? u[k + 1] : 0);
    return STN_OK;
}

static stn_status solve(stn_checkpoint *checkpoint, int64_t most)
{
    stn_exec *exec;
    stn_operator a;
    const stn_view to = wrap_view("x", f64(), x, 1, &n), from = wrap_view("b", f64(), b, 1, &n);
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 30,
                 .basis = stn_storage_of(STN_I16), .relative_tolerance = 1e-6,
                 .max_iterations = most, .checkpoint = checkpoint);
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    expect_ok(stn_operator_create(&a, "a", N, multiply, NULL));
    const stn_status status = stn_solve(exec, &to, &a, &from, &options, NULL);
    stn_exec_release(exec);
    return status;
}

static stn_checkpoint *interrupted(void)
{
    stn_checkpoint *checkpoint;
    expect_ok(stn_checkpoint_create(&checkpoint));
    memset(x, 0, sizeof x);
    expect_error(solve(checkpoint, 40), STN_ERR_CONVERGENCE, "");
    return checkpoint;
}

UNIT_TEST(a_resumed_solve_has_the_bits_of_an_uninterrupted_one)
{
    static const char *const codecs[] = {NULL, "lzw", "shuffle+lzw", "none"};
    for (int k = 0; k < N; k++)
        b[k] = sin(0.1 * k);
    for (int c = 0; c < COUNT_OF(codecs); c++) {
        stn_checkpoint *checkpoint, *loaded;
        memset(x, 0, sizeof x);
        (void)solve(NULL, 400);
        memcpy(expected, x, sizeof x);
        checkpoint = interrupted();
        expect_ok(stn_archive_save_checkpoint(NULL, checkpoint, path, codecs[c]));
        stn_checkpoint_release(checkpoint);
        expect_ok(stn_checkpoint_create(&loaded));
        expect_ok(stn_archive_load_checkpoint(NULL, loaded, path));
        (void)solve(loaded, 400);
        assert_memory_equal(x, expected, sizeof x);
        stn_checkpoint_release(loaded);
    }
    unlink(path);
}

UNIT_TEST(other_files_and_codecs_are_refused)
{
    static double values[10];
    const int64_t ten = 10;
    stn_checkpoint *const checkpoint = interrupted();
    stn_checkpoint *empty;
    stn_archive *archive;
    const void *bytes, *after;
    int64_t count, count_after;
    const stn_view view = wrap_view("values", f64(), values, 1, &ten);
    expect_ok(stn_checkpoint_create(&empty));
    expect_error(stn_archive_save_checkpoint(NULL, empty, path, NULL), STN_ERR_ARGUMENT,
                 "the checkpoint is empty");
    expect_error(stn_archive_save_checkpoint(NULL, NULL, path, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_archive_load_checkpoint(NULL, NULL, path), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_archive_load_checkpoint(NULL, checkpoint, "missing.steno"), STN_ERR_IO,
                 "missing.steno");
    expect_error(stn_archive_save_checkpoint(NULL, checkpoint, path, "zfp:accuracy=1e-3"),
                 STN_ERR_UNSUPPORTED, "zfp");
    expect_ok(stn_archive_pack(NULL, &archive, STN_F64, &view, NULL));
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
    expect_ok(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    expect_error(stn_archive_load_checkpoint(NULL, checkpoint, path), STN_ERR_PARSE,
                 "other data than a checkpoint");
    expect_ok(stn_archive_pack(NULL, &archive, STN_U8, &view, NULL));
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
    expect_error(stn_archive_load_checkpoint(NULL, checkpoint, path), STN_ERR_PARSE, "");
    expect_ok(stn_checkpoint_bytes(checkpoint, &after, &count_after));
    assert_ptr_equal(bytes, after);
    assert_int_equal(count, count_after);
    stn_checkpoint_release(empty);
    stn_checkpoint_release(checkpoint);
    unlink(path);
}

RUN_UNIT_TESTS(NULL, NULL)
