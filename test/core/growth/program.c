/* A program of test_growing_structs.sh. It is compiled against the headers of the library, and
 * against headers whose structs end after the member that structs.h names; the library is the same.
 * It uses no member after these. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steno/accessor_view.h>
#include <steno/archive.h>
#include <steno/contract_model.h>
#include <steno/event.h>
#include <steno/market.h>
#include <steno/steno.h>

#include "structs.h"

enum {
    LONG_BYTES = 4000,  /* a later layout */
    KNOWN_BYTES = 3000, /* at least the layouts of this version */
    BLOCK_BYTES = LONG_BYTES + 64,
    UNTOUCHED = 0xa5
};

enum { N = 3 };

typedef enum kind { INPUT, OUTPUT, REPORT, GIVEN } kind;

static const char *market_path;
static int failures;
static stn_exec *exec;
static stn_image *image;
static double diagonal[N] = {1.0, 2.0, 4.0}, ones[N] = {1.0, 1.0, 1.0}, found[N];
static int32_t row_start[N + 1] = {0, 1, 2, 3}, columns[N] = {0, 1, 2};
static stn_matrix *matrix;
static stn_triangular *triangle;
static stn_preconditioner *preconditioner;
static stn_operator a;
static stn_view b, x;

static void need(stn_status status)
{
    if (status == STN_OK)
        return;
    fprintf(stderr, "%s\n", stn_error());
    exit(1);
}

/* ---- calls ---- */

/* Defines accept_TYPE, whose argument is `bytes`. */
#define ACCEPT(type, call)                                                                         \
    static stn_status accept_##type(void *bytes)                                                   \
    {                                                                                              \
        return call;                                                                               \
    }

static stn_status solve(const stn_solver_options *options, stn_solver_report *report)
{
    need(stn_view_fill(exec, &x, 0.0));
    return stn_solve(exec, &x, &a, &b, options, report);
}

/* Describes into `choice`, or solves. */
static stn_status solve_advised(const void *options, void *choice, void *report)
{
    stn_solve_advice *list = NULL;
    stn_status status = stn_advise_solve(exec, &list, matrix, options);
    if (status == STN_OK)
        status = choice ? stn_solve_advice_describe(list, 0, choice)
                        : stn_solve_advised(exec, &x, list, 0, &b, report);
    stn_solve_advice_release(list);
    return status;
}

static stn_array_advice *advice;

static stn_status release_advice(stn_status status)
{
    stn_array_advice_release(advice);
    return status;
}

static stn_status describe_choice(void *bytes)
{
    need(stn_advise_array(exec, &advice, &b, NULL));
    return release_advice(stn_array_advice_describe(advice, 0, bytes));
}

ACCEPT(stn_solver_options, solve(bytes, NULL))

static stn_status accept_stn_solver_report(void *bytes)
{
    stn_solver_report *const report = bytes;
    const stn_status status = solve(NULL, report);
    if (status == STN_OK && (report->reason != STN_STOP_CONVERGED || report->iterations < 1))
        failures++;
    return status;
}

static stn_preconditioner *created;

static stn_status release_created(stn_status status)
{
    stn_preconditioner_release(created);
    return status;
}

ACCEPT(stn_array_advice_options, release_advice(stn_advise_array(exec, &advice, &b, bytes)))
ACCEPT(stn_array_choice, describe_choice(bytes))
ACCEPT(stn_product_rounding, stn_spmv_error_bound(exec, &x, matrix, &b, bytes))
ACCEPT(stn_matrix_traits, stn_sparse_traits(exec, matrix, bytes))
ACCEPT(stn_solve_advice_options, solve_advised(bytes, NULL, NULL))
ACCEPT(stn_solve_choice, solve_advised(NULL, bytes, NULL))
ACCEPT(stn_guard_report, solve_advised(NULL, NULL, bytes))
ACCEPT(stn_block_jacobi_options,
       release_created(stn_block_jacobi_create(exec, &created, matrix, bytes)))
ACCEPT(stn_ilu_options, release_created(stn_ilu_create(exec, &created, matrix, bytes)))

static stn_status accept_stn_csr_arrays(void *bytes)
{
    stn_matrix *created_object;
    stn_csr_arrays *const arrays = bytes;
    arrays->rows = arrays->columns = N;
    arrays->row_start = row_start;
    arrays->column = columns;
    arrays->values = diagonal;
    arrays->row_start_format = arrays->column_format = STN_I32;
    arrays->storage = stn_storage_of(STN_F64);
    const stn_status status = stn_matrix_wrap_csr(&created_object, arrays);
    stn_matrix_release(created_object);
    return status;
}

static stn_status accept_stn_view_spec(void *bytes)
{
    static const int64_t n = N;
    stn_view created_object;
    stn_view_spec *const spec = bytes;
    spec->storage = stn_storage_of(STN_F64);
    spec->rank = 1;
    spec->extents = &n;
    spec->data = ones;
    return stn_view_wrap_spec(&created_object, spec);
}

static stn_status send_nothing(void *context, int send_count, const stn_comm_message *sends,
                               int receive_count, const stn_comm_message *receives)
{
    (void)context, (void)send_count, (void)sends, (void)receive_count, (void)receives;
    return STN_OK;
}

static stn_status wait_for_nothing(void *context, int *is_revoked)
{
    (void)context, (void)is_revoked;
    return STN_OK;
}

static stn_status revoke_nothing(void *context)
{
    (void)context;
    return STN_OK;
}

static void set_comm(stn_comm_functions *functions)
{
    functions->ranks = 1;
    functions->exchange = send_nothing;
    functions->wait = wait_for_nothing;
    functions->revoke = revoke_nothing;
}

static stn_status accept_stn_comm_functions(void *bytes)
{
    stn_comm *comm;
    set_comm(bytes);
    const stn_status status = stn_comm_create(&comm, bytes);
    stn_comm_release(comm);
    return status;
}

static stn_status accept_stn_comm_info(void *bytes)
{
    stn_comm_functions functions = STN_COMM_FUNCTIONS_INIT;
    stn_comm *comm;
    set_comm(&functions);
    need(stn_comm_create(&comm, &functions));
    const stn_status status = stn_comm_describe(comm, bytes);
    stn_comm_release(comm);
    return status;
}

/* One of these is not NULL: info of a partition, options or info of a matrix. */
static stn_status distribute(stn_partition_info *rows, stn_distributed_options *options,
                             stn_distributed_info *info)
{
    stn_comm_functions functions = STN_COMM_FUNCTIONS_INIT;
    const stn_csr_arrays arrays =
        STN_INIT(stn_csr_arrays, .rows = N, .columns = N, .row_start = row_start, .column = columns,
                 .values = ones, .row_start_format = STN_I32, .column_format = STN_I32);
    stn_distributed_matrix *distributed = NULL;
    stn_partition *partition;
    stn_comm *comm;
    set_comm(&functions);
    need(stn_comm_create(&comm, &functions));
    need(stn_partition_create(&partition, comm, N));
    stn_status status =
        rows ? stn_partition_describe(partition, rows)
             : stn_distributed_matrix_create(exec, &distributed, partition, &arrays, options);
    if (info)
        status = stn_distributed_matrix_describe(distributed, info);
    stn_distributed_matrix_release(distributed);
    stn_partition_release(partition);
    stn_comm_release(comm);
    return status;
}

ACCEPT(stn_partition_info, distribute(bytes, NULL, NULL))
ACCEPT(stn_distributed_options, distribute(NULL, bytes, NULL))
ACCEPT(stn_distributed_info, distribute(NULL, NULL, bytes))

ACCEPT(stn_matrix_info, stn_matrix_describe(matrix, bytes))
ACCEPT(stn_matrix_views, stn_matrix_get_views(matrix, bytes))
ACCEPT(stn_optimize_options, stn_matrix_optimize(exec, STN_F64, matrix, N, bytes, NULL))
ACCEPT(stn_optimize_report, stn_matrix_optimize(exec, STN_F64, matrix, N, NULL, bytes))
ACCEPT(stn_preconditioner_info, stn_preconditioner_describe(preconditioner, bytes))
ACCEPT(stn_triangular_info, stn_triangular_describe(triangle, bytes))

static void decode(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    memcpy(values, codes, (size_t)count * sizeof *values);
}

static void encode(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    memcpy(codes, values, (size_t)count * sizeof *values);
}

static stn_status accept_stn_format_codec(void *bytes)
{
    static char name[] = "grown-0";
    stn_format format;
    stn_format_codec *const codec = bytes;
    name[sizeof name - 2]++;
    codec->name = name;
    codec->bytes = codec->alignment = 8;
    codec->decode = decode;
    codec->encode = encode;
    return stn_format_register(&format, codec);
}

static void decode_block(double *values, const void *codes, const void *scale, void *context)
{
    (void)scale;
    decode(values, codes, 2, context);
}

static void encode_block(void *codes, void *scale, const double *values, void *context)
{
    (void)scale;
    encode(codes, values, 2, context);
}

static stn_status accept_stn_block_codec(void *bytes)
{
    static char name[] = "blocks-0";
    stn_format format;
    stn_block_codec *const codec = bytes;
    name[sizeof name - 2]++;
    codec->name = name;
    codec->elements = 2;
    codec->code_bytes = 16;
    codec->decode = decode_block;
    codec->encode = encode_block;
    return stn_format_register_blocks(&format, codec);
}

static stn_status accept_stn_block_arrays(void *bytes)
{
    const int64_t extents[] = {40};
    stn_view view;
    need(stn_view_create(NULL, &view, "blocks", stn_storage_of(STN_BFP16), 1, extents));
    const stn_status status = stn_view_blocks(&view, bytes);
    if (status == STN_OK && ((stn_block_arrays *)bytes)->code_step != 66)
        failures++;
    need(stn_view_release(&view));
    return status;
}

static stn_status accept_stn_format_info(void *bytes)
{
    stn_format_info *const info = bytes;
    const stn_status status = stn_format_describe(STN_F16, info);
    if (status == STN_OK && strcmp(info->name, "f16") != 0)
        failures++;
    return status;
}

static stn_status accept_stn_accessor_type(void *bytes)
{
    stn_accessor_type *const type = bytes;
    type->call = "accept";
    type->rank = 1;
    type->index_bits = 64;
    type->alignment = 1;
    type->extent[0] = type->stride[0] = STN_DYNAMIC;
    return stn_accessor_expect(type, bytes, &x);
}

ACCEPT(stn_image_info, stn_image_describe(image, bytes))
ACCEPT(stn_function_info, stn_image_function(image, 0, bytes))
ACCEPT(stn_code_counts, stn_image_count(image, 0, STN_LOOP_NONE, bytes))
ACCEPT(stn_contract_result,
       stn_contract_check_text(image, "kernel main @x86-64 { calls >= 0 }", "text", NULL, bytes))

/* This program has no CUDA kernel; that is found out after the checks of the structs. */
static stn_status model(const stn_gpu_launch *launch, stn_gpu_counts *counts)
{
    const stn_status status = stn_image_model(image, 0, launch, counts);
    return status == STN_ERR_UNSUPPORTED ? STN_OK : status;
}

static stn_status accept_stn_gpu_launch(void *bytes)
{
    stn_gpu_counts counts = STN_GPU_COUNTS_INIT;
    stn_gpu_launch *const launch = bytes;
    launch->blocks = launch->elements = launch->threads = 1;
    return model(launch, &counts);
}

static stn_status accept_stn_gpu_counts(void *bytes)
{
    stn_gpu_launch launch = STN_GPU_LAUNCH_INIT;
    launch.blocks = launch.elements = launch.threads = 1;
    return model(&launch, bytes);
}

static stn_archive *archive;

static stn_status accept_stn_archive_options(void *bytes)
{
    static const int64_t n = N;
    stn_archive *created_archive;
    const stn_status status = stn_archive_create(&created_archive, STN_F64, 1, &n, bytes);
    stn_archive_release(created_archive);
    return status;
}

ACCEPT(stn_archive_codec_info, stn_archive_codec_describe(0, bytes))
ACCEPT(stn_archive_info, stn_archive_describe(archive, bytes))

static stn_status accept_stn_market_matrix(void *bytes)
{
    stn_market_matrix *const read = bytes;
    stn_status status = stn_market_read_file(read, market_path, 0);
    if (status == STN_OK && read->entries != 2)
        failures++;
    stn_market_release(read);
    return status;
}

static void hook(const stn_event *event, void *context)
{
    *(int *)context = event->size >= sizeof *event && event->space != NULL;
}

static stn_status accept_stn_event(void *bytes)
{
    int is_known = 0;
    (void)bytes;
    stn_event_set_hook(hook, &is_known);
    need(stn_view_fill(exec, &x, 0.0));
    stn_event_set_hook(NULL, NULL);
    return is_known ? STN_OK : STN_ERR_ARGUMENT;
}

static int monitor(void *context, const stn_solver_progress *progress)
{
    *(int *)context = progress->size >= sizeof *progress && progress->residual >= 0.0;
    return 0;
}

#ifdef STENO_WHOLE_STRUCTS
static stn_status accept_stn_solver_progress(void *bytes)
{
    int is_known = 0;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    (void)bytes;
    options.monitor = monitor;
    options.monitor_context = &is_known;
    need(solve(&options, NULL));
    return is_known ? STN_OK : STN_ERR_ARGUMENT;
}
#else /* the options have no monitor */
static stn_status accept_stn_solver_progress(void *bytes)
{
    (void)bytes;
    (void)monitor;
    return STN_OK;
}
#endif

/* ---- layouts ---- */

static void fail(const char *type, const char *layout, const char *what)
{
    printf("FAILED: %s, %s layout: %s\n", type, layout, what);
    failures++;
}

static int is_untouched(const unsigned char *block, size_t from)
{
    for (size_t k = from; k < BLOCK_BYTES; k++)
        if (block[k] != UNTOUCHED)
            return 0;
    return 1;
}

/* Of `own` bytes in this program; the struct says `size`, and additional bytes are `filler`. */
static void set_block(unsigned char *block, size_t own, size_t size, int filler)
{
    memset(block, UNTOUCHED, BLOCK_BYTES);
    memset(block, 0, own);
    if (size > own)
        memset(block + own, filler, size - own);
    memcpy(block, &size, sizeof size);
}

static void check(const char *type, kind is, size_t own, stn_status (*accept)(void *bytes))
{
    union {
        unsigned char bytes[BLOCK_BYTES];
        double aligned;
    } block;
    size_t size;
    set_block(block.bytes, own, own, 0);
    if (accept(&block) != STN_OK)
        fail(type, "its own", stn_error());
    memcpy(&size, block.bytes, sizeof size);
    if (size != own || !is_untouched(block.bytes, own))
        fail(type, "its own", "bytes after the struct, or its size, have changed");
    if (is == GIVEN)
        return;
    set_block(block.bytes, own, LONG_BYTES, 0);
    if (accept(&block) != STN_OK)
        fail(type, "a longer", stn_error());
    if (!is_untouched(block.bytes, LONG_BYTES))
        fail(type, "a longer", "bytes after the struct have changed");
    set_block(block.bytes, own, LONG_BYTES, 0);
    block.bytes[LONG_BYTES - 1] = 1;
    const stn_status status = accept(&block);
    if (is == OUTPUT ? status != STN_OK
                     : status != STN_ERR_ARGUMENT || !strstr(stn_error(), "a later version has"))
        fail(type, "a longer", "the status with an additional byte that is not 0");
    for (size_t k = KNOWN_BYTES; k < LONG_BYTES; k++)
        if (block.bytes[k] != (k == LONG_BYTES - 1))
            fail(type, "a longer", "additional bytes have changed");
    set_block(block.bytes, own, sizeof(size_t), 0);
    if (accept(&block) != STN_ERR_ARGUMENT)
        fail(type, "an empty", "it was accepted");
}

int main(int count, char **arguments)
{
    const int64_t n = N;
    if (count < 2)
        return 2;
    market_path = arguments[1];
    need(stn_exec_create(&exec, "reference"));
    need(stn_image_open_self(&image));
    need(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), ones, 1, &n));
    need(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), found, 1, &n));
    need(stn_matrix_wrap_csr_i32(&matrix, n, n, row_start, columns, stn_storage_of(STN_F64),
                                 diagonal));
    need(stn_operator_of_matrix(&a, matrix));
    need(stn_triangular_create(exec, &triangle, matrix, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    need(stn_ilu_create(exec, &preconditioner, matrix, NULL));
    need(stn_archive_create(&archive, STN_F64, 1, &n, NULL));
#define STRUCT(kind, type, last)                                                                   \
    printf("%s %zu\n", #type, sizeof(type));                                                       \
    check(#type, kind, sizeof(type), accept_##type);
    STRUCTS
    stn_archive_release(archive);
    stn_preconditioner_release(preconditioner);
    stn_triangular_release(triangle);
    stn_matrix_release(matrix);
    stn_image_close(image);
    stn_exec_release(exec);
    return failures != 0;
}
