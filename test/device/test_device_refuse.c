/* What devices refuse, in every component: memory on the wrong side, formats, texts and matrices
 * that devices do not have. Refused calls change nothing. */
#include "measure/openmp.h"
#include "device.h"
#include "levels.h"
#include "matrix.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "steno/reduce.h"
#include "steno/scan.h"
#include "steno/sparse.h"

STN_MAP(twice, (inout(y)), y = y + y;)
STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(collect, (in(x), scatter(y, 2)), STN_ADD(y, x, 0, 0);)
STN_MAP(spread, (at(i, j), in(x), scatter(y, 2)), STN_PUT(y, x, i, j);)
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE_BY(with_semicolon, (in(x)), x, __extension__({ a + b; }), a, 0)
STN_SCAN(running, sum, (in(x)), x)

enum { N = 8 };
static const int64_t extents[2] = {N, N};
static double memory[LEVELS_VIEWS][2 * N * N];

/* Views on the device, named by their labels; `here` and `line` are on the host. */
static stn_view x, y, wide, vector, result, here, line, ends;

static int create_views(void **state)
{
    const stn_storage f32 = stn_storage_of(STN_F32);
    (void)state;
    x = create_view(device_exec, "x", f32, NULL, 2, extents, 0);
    y = create_view(device_exec, "y", f32, NULL, 2, extents, 0);
    wide = create_view(device_exec, "wide", f64(), NULL, 1, extents, 0);
    vector = create_view(device_exec, "vector", f32, NULL, 1, extents, 0);
    result = create_view(device_exec, "result", f32, NULL, 1, extents, 0);
    here = create_view(NULL, "here", f32, NULL, 2, extents, 0);
    line = create_view(NULL, "line", f32, NULL, 1, extents, 0);
    ends = create_view(NULL, "ends", f32, NULL, 1, extents, 0);
    return 0;
}

static int release_views(void **state)
{
    stn_view *const all[] = {&x, &y, &wide, &vector, &result, &here, &line, &ends};
    (void)state;
    for (int k = 0; k < COUNT_OF(all); k++)
        expect_ok(stn_view_release(all[k]));
    return 0;
}

#define UNSUPPORTED(call, text) expect_error(call, STN_ERR_UNSUPPORTED, text)

TEST_CASE(memory_of_the_device_on_the_host)
{
    double value = 17;
    void *address;
    stn_exec *host;
    expect_ok(stn_exec_create(&host, OPENMP));
    UNSUPPORTED(STN_VIEW_GET(&x, &value, 0, 0), "x");
    UNSUPPORTED(STN_VIEW_SET(&x, 1.0, 0, 0), "x");
    UNSUPPORTED(stn_view_address(&x, 2, (int64_t[]){0, 0}, &address), "x");
    UNSUPPORTED(stn_view_fill(host, &x, 1.0), "x");
    UNSUPPORTED(stn_view_fill(NULL, &x, 1.0), "x");
    UNSUPPORTED(stn_view_copy(host, &x, &here), "x");
    UNSUPPORTED(stn_view_copy(NULL, &here, &x), "x");
    UNSUPPORTED(stn_view_fit_scales(host, &here, &x, STN_SCALE_POWER_OF_TWO), "x");
    UNSUPPORTED(twice_run(host, STN_F64, &x), "x");
    UNSUPPORTED(axpy_run(host_exec, STN_F64, 1, &here, &y), "y");
    UNSUPPORTED(total_reduce(host, STN_F64, &value, &x), "x");
    UNSUPPORTED(total_reduce_into(host_exec, STN_F64, 0, &x, &here), "x");
    UNSUPPORTED(running_scan(host_exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &here), "y");
    UNSUPPORTED(stn_dot(host, STN_F64, &value, &line, &vector), "vector");
    UNSUPPORTED(stn_axpy(host, STN_F64, 1.0, &line, &vector), "vector");
    assert_false(stn_view_is_lvalue(&x));
    assert_true(value == 17);
    stn_exec_release(host);
}

TEST_CASE(memory_of_the_host_on_the_device)
{
    double value = 17;
    UNSUPPORTED(stn_view_fill(device_exec, &here, 1.0), "host memory");
    UNSUPPORTED(stn_view_copy(device_exec, &here, &here), "host memory");
    UNSUPPORTED(stn_view_fit_scales(device_exec, &x, &x, STN_SCALE_POWER_OF_TWO), "x");
    UNSUPPORTED(twice_run(device_exec, STN_F64, &here), "here");
    UNSUPPORTED(axpy_run(device_exec, STN_F64, 1, &here, &y), "here");
    UNSUPPORTED(total_reduce(device_exec, STN_F64, &value, &here), "here");
    UNSUPPORTED(running_scan(device_exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &here), "here");
    UNSUPPORTED(running_scan(device_exec, STN_F64, STN_SCAN_INCLUSIVE, &here, &x), "here");
    UNSUPPORTED(running_scan_total(device_exec, STN_F64, STN_SCAN_INCLUSIVE, 1, &y, &ends, &x),
                "ends");
    UNSUPPORTED(stn_dot(device_exec, STN_F32, &value, &vector, &line), "line");
    UNSUPPORTED(stn_axpy(device_exec, STN_F32, 1, &line, &vector), "line");
    assert_true(value == 17);
}

/* Each function of BLAS, with memory of the host. */
TEST_CASE(memory_of_the_host_in_blas)
{
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++) {
        const stn_format arithmetic = f->kinds & LEVELS_REAL ? STN_F64 : STN_C128;
        const levels_choice choice = levels_choose(&device_seed);
        stn_view view[LEVELS_VIEWS];
        const stn_view *given[LEVELS_VIEWS];
        levels_result found;
        for (int v = 0; f->shapes[v]; v++) {
            int64_t own[2];
            levels_extents(f, v, N, N, own);
            view[v] =
                wrap_view("mine", stn_storage_of(arithmetic), memory[v], levels_rank(f, v), own);
            given[v] = &view[v];
        }
        UNSUPPORTED(f->run(device_exec, arithmetic, &choice, given, &found), f->name);
    }
}

/* A view that claims to be on the device. */
TEST_CASE(memory_of_no_device)
{
    stn_view liar = wrap_view("liar", f64(), memory, 0, NULL);
    expect_ok(stn_view_set_space(&liar, STN_SPACE_DEVICE));
    UNSUPPORTED(stn_view_fill(device_exec, &liar, 1.0), "liar");
    UNSUPPORTED(twice_run(device_exec, STN_F64, &liar), "kernel twice: y: liar");
}

static void decode_never(double *values, const void *codes, int64_t count, void *context)
{
    (void)values, (void)codes, (void)count, (void)context;
    abort();
}

static void encode_never(void *codes, const double *values, int64_t count, void *context)
{
    (void)codes, (void)values, (void)count, (void)context;
    abort();
}

/* Between host and device only codes are moved. */
TEST_CASE(copies_that_need_a_mirror)
{
    const stn_format_codec codec =
        STN_INIT(stn_format_codec, .name = "hostly", .bytes = 2, .alignment = 2,
                 .decode = decode_never, .encode = encode_never);
    stn_format format;
    expect_ok(stn_format_register(&format, &codec));
    stn_view own = create_view(device_exec, "own", stn_storage_of(format), NULL, 1, extents, 0);
    stn_view square = create_view(device_exec, "square", own.storage, NULL, 2, extents, 0);
    UNSUPPORTED(stn_view_copy(device_exec, &own, &wide), "without a device text");
    UNSUPPORTED(axpy_run(device_exec, STN_F64, 1, &x, &square),
                "8, device) has a registered format without a device text");
    UNSUPPORTED(stn_view_copy(device_exec, &wide, &line), "mirror");
    UNSUPPORTED(stn_view_copy(device_exec, &line, &wide), "mirror");
    expect_ok(stn_view_set_traits(&wide, STN_TRAIT_ATOMIC));
    UNSUPPORTED(stn_view_fill(device_exec, &wide, 1.0), "wide (f64, 8, device) is atomic");
    expect_ok(stn_view_set_traits(&wide, 0));
    expect_ok(stn_view_release(&own));
    expect_ok(stn_view_release(&square));
}

TEST_CASE(arguments_of_operations)
{
    double factors[N] = {1, 2, 3, 0, 5, 6, 7, 8}, value = 17;
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    expect_error(axpy_run(device_exec, STN_I64, 1, &y, &y), STN_ERR_ARGUMENT, "i64");
    expect_error(total_reduce(device_exec, STN_I64, &value, &x), STN_ERR_ARGUMENT, "i64");
    expect_error(running_scan(device_exec, STN_F64, STN_SCAN_INCLUSIVE, &x, &x), STN_ERR_ALIAS,
                 "overlaps");
    UNSUPPORTED(with_semicolon_reduce(device_exec, STN_F64, &value, &x), "semicolon");
    UNSUPPORTED(stn_dot(device_exec, STN_I64, &value, &vector, &result), "f64 or f32");
    expect_ok(stn_view_set_scales(&x, &scales));
    expect_error(axpy_run(device_exec, STN_F64, 1, &x, &y), STN_ERR_ARGUMENT, "x");
    assert_true(value == 17);
}

/* The language of texts given at run time has more than C. */
TEST_CASE(texts_given_at_run_time)
{
    stn_kernel *kernel;
    expect_ok(stn_kernel_compile(&kernel, "a name", "index(n), inout(y)", "y = y / n;",
                                 STN_KERNEL_INTEGER));
    stn_view whole = create_view(device_exec, "y", stn_storage_of(STN_I32), NULL, 1, extents, 0);
    const stn_argument arguments[] = {{.index = 0}, {.view = &whole}};
    UNSUPPORTED(stn_kernel_run(device_exec, kernel, STN_I64, STN_RANK_BROADCAST, NULL, arguments),
                "kernel a name: a kernel text given at run time runs on the host only");
    stn_kernel_release(kernel);
    expect_ok(stn_view_release(&whole));
}

/* Elements of 3 and 6 bytes are stored, but not updated atomically. */
TEST_CASE(atomic_updates)
{
    static const stn_format formats[] = {STN_F24, STN_F48};
    for (int k = 0; k < COUNT_OF(formats); k++) {
        stn_view to =
            create_view(device_exec, "to", stn_storage_of(formats[k]), NULL, 2, extents, 0);
        UNSUPPORTED(collect_run(device_exec, STN_F32, &x, &to),
                    k ? "have 6 bytes; a device updates" : "have 3 bytes; a device updates");
        expect_ok(spread_run(device_exec, STN_F32, &x, &to));
        expect_ok(stn_view_release(&to));
    }
}

TEST_CASE(matrices)
{
    static const int64_t starts[N + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const int32_t columns[N] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const float values[N] = {1, 2, 3, 4, 5, 6, 7, 8};
    const stn_storage f32 = stn_storage_of(STN_F32);
    stn_matrix *matrix, *there, *made;
    expect_ok(wrap_csr(&matrix, "matrix", f32, N, N, starts, columns, values));
    UNSUPPORTED(stn_spmv(device_exec, STN_F32, 1, matrix, &vector, 0, &result),
                "stn_matrix_mirror");
    expect_ok(stn_matrix_mirror(device_exec, &there, matrix));
    UNSUPPORTED(stn_spmv(host_exec, STN_F32, 1, there, &line, 0, &ends), "out of the host's reach");
    UNSUPPORTED(stn_spmv(device_exec, STN_F32, 1, there, &vector, 0, &line), "line");
    expect_error(stn_spmv(device_exec, STN_F32, 1, there, &vector, 0, &vector), STN_ERR_ALIAS,
                 "overlaps");
    UNSUPPORTED(stn_matrix_set_row_scales(there, &line), "device memory");
    UNSUPPORTED(stn_sparse_diagonal(device_exec, STN_F64, &line, there), "line");
    UNSUPPORTED(stn_sparse_row_norms(device_exec, STN_F64, &line, there, STN_SPARSE_NORM_1),
                "line");
    UNSUPPORTED(stn_sparse_scale(device_exec, STN_F64, there, &line, NULL), "line");
    UNSUPPORTED(stn_spmv_transposed(device_exec, STN_F64, 1, there, &line, 0, &line), "line");
    const stn_view start =
        wrap_view("start", stn_storage_of(STN_I64), memory, 1, (int64_t[]){N + 1});
    UNSUPPORTED(wrap_csr_views(&made, "x", N, &start, &vector, &line), "vector");
    stn_matrix orphan = *there; /* in memory of no known device */
    orphan.memory =
        wrap_view("nowhere", stn_storage_of(STN_U8), (void *)(uintptr_t)4096, 1, extents);
    expect_ok(stn_view_set_space(&orphan.memory, STN_SPACE_DEVICE));
    UNSUPPORTED(stn_sparse_transpose(device_exec, &made, &orphan), "memory of an unknown device");
    assert_null(made);
    UNSUPPORTED(stn_matrix_mirror(NULL, &made, &orphan), "matrix");
    stn_matrix_release(there);
    stn_matrix_release(matrix);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, create_views, release_views)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(memory_of_the_device_on_the_host),
                                       TEST(memory_of_the_host_on_the_device),
                                       TEST(memory_of_the_host_in_blas),
                                       TEST(memory_of_no_device),
                                       TEST(atomic_updates),
                                       TEST(copies_that_need_a_mirror),
                                       TEST(arguments_of_operations),
                                       TEST(texts_given_at_run_time),
                                       TEST(matrices)};
    return device_main_moving(tests, COUNT_OF(tests));
}
