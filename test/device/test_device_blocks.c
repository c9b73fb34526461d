/* Views in block formats on devices: codes are copied unchanged, and operations give the blocks of
 * the host, bit for bit. Formats are the rows of the format table. */
#include "device.h"

#include "block_views.h"

#define FORMAT_ROW(id, NAME, name, element, elements, scale, placement) {#name, STN_##NAME},
static const struct {
    const char *name;
    stn_format format;
} formats[] = {STN_BLOCK_TABLE(FORMAT_ROW)};
enum { FORMATS = sizeof formats / sizeof *formats };

/* clang-format off */
STN_MAP(half_of_some, (inout(y)), y = y > 0 ? y / 2 : y;)
STN_MAP(both, (in(x), out(y), out(z)), y = x; z = -x;)
STN_MAP(put, (at(i), in(x), scatter(u, 2)), STN_PUT(u, x, i & 1, (i * 5) % 39);)
STN_MAP(add, (at(i), in(x), scatter(u, 2)), STN_ADD(u, x, i & 1, 40 + i % 7);)
/* clang-format on */

/* ---- comparing ---- */

/* The bytes of all blocks of a view on the host, with adjacent arrays of codes and scales. */
static void *bytes_of(const stn_view *view, int64_t *bytes)
{
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(view->storage.format, &info));
    expect_ok(stn_view_blocks(view, &arrays));
    *bytes = arrays.blocks * info.block_bytes;
    return (char *)arrays.codes < (char *)arrays.scales ? arrays.codes : arrays.scales;
}

static void expect_blocks(const char *what, const stn_view *here, const stn_view *there)
{
    stn_view back;
    int64_t bytes;
    if (!device_computes())
        return;
    expect_ok(stn_view_mirror(device_exec, &back, there, STN_SPACE_HOST));
    expect_ok(stn_view_copy(device_exec, &back, there));
    const unsigned char *const found = bytes_of(&back, &bytes), *const expected =
                                                                    bytes_of(here, &bytes);
    for (int64_t k = 0; k < bytes; k++)
        if (found[k] != expected[k])
            fail_msg("%s, format %d, on %s: byte %lld is %02x, on the host %02x", what,
                     (int)here->storage.format, test_exec_name(), (long long)k, found[k],
                     expected[k]);
    expect_ok(stn_view_release(&back));
}

/* ---- operations ---- */

typedef struct block_twins {
    operands here, there;
} block_twins;

static block_twins create_twins(stn_format format)
{
    block_twins t = {create_operands(NULL, format), create_operands(device_exec, format)};
    operands plain = create_operands(NULL, STN_F64);
    fill_operands(&t.here, &plain);
    for (int k = 0; k < VIEWS; k++)
        expect_ok(stn_view_copy(device_exec, view_at(&t.there, k), view_at(&t.here, k)));
    release_operands(&plain);
    return t;
}

static void release_both(block_twins *t)
{
    release_operands(&t->here);
    release_operands(&t->there);
}

static void operate(const char *name, operation *run, stn_format format)
{
    block_twins t = create_twins(format);
    expect_both(name, run(host_exec, &t.here), run(device_exec, &t.there));
    for (int k = 0; k < VIEWS; k++)
        expect_blocks(name, view_at(&t.here, k), view_at(&t.there, k));
    release_both(&t);
}

/* These cover the ways to read and write blocks, and to store single elements of blocks; with
 * STENO_TEST_FULL, each format in every operation. */
TEST_CASE(operations_store_the_blocks_of_the_host)
{
    static operation *const some[] = {run_combine_mixed, run_keep_some_left, run_square_f32,
                                      run_five,          run_transpose,      run_swap,
                                      run_move_back,     run_gemv_left,      run_fill,
                                      run_copy_to_left,  run_spread,         run_cumsum_down,
                                      run_row_variances, run_cumsum_f32,     run_column_minima};
    for (int k = 0; k < COUNT_OF(some) && !oracle_full(); k++)
        if (device_has_turn(k))
            operate(formats[k % FORMATS].name, some[k], formats[k % FORMATS].format);
    for (int k = 0; k < COUNT_OF(operations) && oracle_full(); k++)
        for (int f = 0; f < FORMATS; f++)
            operate(operations[k].name, operations[k].run, formats[f].format);
}

/* ---- single elements of blocks ---- */

/* Some elements of blocks that no encoder stores; the bytes of other blocks are kept. */
TEST_CASE(scatters_keep_other_elements)
{
    static const int64_t extents[] = {4, 100}, count = 25;
    const stn_slice slices[] = {stn_slice_strided(3, 2, -2), stn_slice_range(32, 100)};
    double values[25];
    for (int k = 0; k < 25; k++)
        values[k] = k % 8 - 3;
    stn_view x = create_view(device_exec, "x", f64(), NULL, 1, &count, 0);
    const stn_view from = wrap_view("from", f64(), values, 1, &count);
    expect_ok(stn_view_copy(device_exec, &x, &from));
    for (int f = 0; f < FORMATS; f++) {
        const stn_storage storage = stn_storage_of(formats[f].format);
        stn_view here = create_view(NULL, "here", storage, NULL, 2, extents, 0);
        stn_view there = create_view(device_exec, "there", storage, NULL, 2, extents, 0);
        const stn_view here_part = slice_view(&here, 2, slices);
        const stn_view there_part = slice_view(&there, 2, slices);
        int64_t bytes;
        unsigned char *const codes = bytes_of(&here, &bytes);
        scatter(codes, bytes);
        expect_ok(stn_view_copy(device_exec, &there, &here));
        if (device_has_turn(f) && (f % 3 == 0 || oracle_full())) {
            expect_both("put", put_run(host_exec, STN_F64, &from, &here_part),
                        put_run(device_exec, STN_F64, &x, &there_part));
            expect_blocks("put", &here, &there);
            expect_both("add", add_run(host_exec, STN_F64, &from, &here_part),
                        add_run(device_exec, STN_F64, &x, &there_part));
            expect_blocks("add", &here, &there);
        }
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
    }
    expect_ok(stn_view_release(&x));
}

/* Threads compute whole blocks of one output, and store elements of the other one. */
TEST_CASE(outputs_have_blocks_along_different_dimensions)
{
    block_twins t = create_twins(STN_BFP16);
    expect_both("both", both_run(host_exec, STN_F64, &t.here.x, &t.here.a, &t.here.b),
                both_run(device_exec, STN_F64, &t.there.x, &t.there.a, &t.there.b));
    expect_blocks("rows", &t.here.a, &t.there.a);
    expect_blocks("columns", &t.here.b, &t.there.b);
    release_both(&t);
}

TEST_CASE(reductions_give_the_bits_of_the_host)
{
    for (int f = 0; f < FORMATS; f++) {
        block_twins t = create_twins(formats[f].format);
        for (int k = 0; k < COUNT_OF(queries); k++) {
            double found = 0.0, expected = 1.0;
            if (!oracle_full() && (k != f || f % 4 || !device_has_turn(f)))
                continue; /* a sum, a norm and an asum */
            expect_both(formats[f].name, queries[k](host_exec, &expected, &t.here),
                        queries[k](device_exec, &found, &t.there));
            if (device_computes() && memcmp(&found, &expected, sizeof found) != 0)
                fail_msg("%s, query %d: %.17g, not %.17g", formats[f].name, k, found, expected);
        }
        release_both(&t);
    }
}

/* ---- copies ---- */

/* Codes that no encoder stores, and those after the ends of rows, are kept. */
TEST_CASE(codes_are_moved_unchanged)
{
    const int64_t extents[] = {3, 5, 70};
    for (int f = 0; f < FORMATS; f++) {
        const stn_storage storage = stn_storage_of(formats[f].format);
        stn_view here = create_view(NULL, "here", storage, NULL, 3, extents, 0);
        stn_view there = create_view(device_exec, "there", storage, NULL, 3, extents, 0);
        stn_view back = create_view(NULL, "back", storage, NULL, 3, extents, 0);
        int64_t bytes;
        unsigned char *const codes = bytes_of(&here, &bytes);
        scatter(codes, bytes);
        expect_ok(stn_view_copy(device_exec, &there, &here));
        expect_ok(stn_view_copy(device_exec, &back, &there));
        assert_memory_equal(bytes_of(&back, &bytes), codes, (size_t)bytes);
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
        expect_ok(stn_view_release(&back));
    }
}

/* The blocks of a part, between arrays with inline and with separate scales and gaps. */
TEST_CASE(parts_are_moved)
{
    enum { ROWS = 4, COLUMNS = 70, BLOCKS = 5 * ROWS };
    const int64_t extents[] = {ROWS, COLUMNS};
    static unsigned char codes[BLOCKS * 160], scales[BLOCKS * 3];
    for (int f = 0; f < FORMATS; f++) {
        const stn_storage storage = stn_storage_of(formats[f].format);
        const stn_slice slices[] = {stn_slice_strided(3, 2, -2), stn_slice_range(32, COLUMNS)};
        const stn_view_spec spec =
            STN_VIEW_SPEC(.label = "here", .storage = storage, .rank = 2, .extents = extents);
        stn_view here, there = create_view(device_exec, "there", storage, NULL, 2, extents, 0);
        stn_view expected = create_view(NULL, "expected", storage, NULL, 2, extents, 0);
        const stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = codes, .scales = scales,
                                                 .code_step = 160, .scale_step = 3);
        expect_ok(stn_view_wrap_blocks(&here, &spec, &arrays));
        for (int64_t k = 0; k < ROWS * COLUMNS; k++)
            expect_ok(STN_VIEW_SET(&here, value_of(f, k), k / COLUMNS, k % COLUMNS));
        const stn_view from = slice_view(&here, 2, slices), to = slice_view(&there, 2, slices);
        const stn_view part = slice_view(&expected, 2, slices);
        expect_ok(stn_view_copy(device_exec, &to, &from));
        expect_ok(stn_view_copy(NULL, &part, &from));
        expect_blocks("part", &expected, &there);
        expect_ok(stn_view_fill(NULL, &from, 0.0));
        expect_ok(stn_view_copy(device_exec, &from, &to));
        expect_ok(stn_view_copy(NULL, &expected, &here));
        expect_ok(stn_view_copy(device_exec, &there, &here));
        expect_blocks("and back", &expected, &there);
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
        expect_ok(stn_view_release(&expected));
    }
}

/* From and to plain formats and other block formats, under scales. */
TEST_CASE(conversions_give_the_blocks_of_the_host)
{
    const int64_t extents[] = {5, 77};
    const stn_format plain[] = {STN_F32, STN_F64, STN_I8, STN_F16, STN_U64};
    for (int f = 0; f < FORMATS; f++) {
        stn_storage storage = stn_storage_of(formats[f].format);
        storage.scale = f % 2 ? 0.3 : 1.0;
        const stn_storage other = stn_storage_of(formats[(f + 3) % FORMATS].format);
        stn_view here = create_view(NULL, "here", storage, NULL, 2, extents, 0);
        stn_view there = create_view(device_exec, "there", storage, NULL, 2, extents, 0);
        stn_view here_too = create_view(NULL, "here too", other, NULL, 2, extents, 0);
        stn_view there_too = create_view(device_exec, "there too", other, NULL, 2, extents, 0);
        twins t = make_twins(stn_storage_of(plain[f % 5]), NULL, 2, extents);
        tame_twins(&t);
        if (device_has_turn(f) && (f % 5 == 1 || oracle_full())) {
            expect_both("to blocks", stn_view_copy(host_exec, &here, &t.host),
                        stn_view_copy(device_exec, &there, &t.device));
            expect_blocks("to blocks", &here, &there);
            expect_both("between", stn_view_copy(host_exec, &here_too, &here),
                        stn_view_copy(device_exec, &there_too, &there));
            expect_blocks("between blocks", &here_too, &there_too);
            expect_both("from blocks", stn_view_copy(host_exec, &t.host, &here_too),
                        stn_view_copy(device_exec, &t.device, &there_too));
            expect_numbers(&t, "from blocks");
        }
        release_twins(&t);
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
        expect_ok(stn_view_release(&here_too));
        expect_ok(stn_view_release(&there_too));
    }
}

/* An unchanged element keeps its code, which f32 and the scale do not represent. */
TEST_CASE(unchanged_elements_keep_their_codes)
{
    const int64_t extents[] = {3, 50};
    stn_storage storage = stn_storage_of(STN_BFP32);
    storage.scale = 0.3;
    stn_view here = create_view(NULL, "here", storage, NULL, 2, extents, 0);
    stn_view there = create_view(device_exec, "there", storage, NULL, 2, extents, 0);
    for (int64_t k = 0; k < 150; k++)
        expect_ok(STN_VIEW_SET(&here, value_of(1, k), k / 50, k % 50));
    expect_ok(stn_view_copy(device_exec, &there, &here));
    expect_both("half", half_of_some_run(host_exec, STN_F32, &here),
                half_of_some_run(device_exec, STN_F32, &there));
    expect_blocks("half of some", &here, &there);
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
}

/* ---- shapes ---- */

TEST_CASE(shapes_of_each_rank)
{
    const int64_t shapes[][4] = {{2, 3, 1, 37}, {37, 2, 5, 1}, {1, 1, 1, 1}, {2, 3, 4, 0}};
    for (int k = 0; k < COUNT_OF(shapes); k++)
        for (int rank = 0; rank <= 4; rank++) {
            const int64_t *const extents = shapes[k] + (rank > 0 ? 4 - rank : 0);
            const stn_storage storage = stn_storage_of(formats[(k + rank) % FORMATS].format);
            const int compiles = k < 2 && rank == 2 * k;
            stn_view here = create_view(NULL, "here", storage, NULL, rank, extents, 0);
            stn_view there = create_view(device_exec, "there", storage, NULL, rank, extents, 0);
            if (compiles || oracle_full()) {
                expect_both("fill", stn_view_fill(NULL, &here, 3.3),
                            stn_view_fill(device_exec, &there, 3.3));
                expect_blocks("fill", &here, &there);
            }
            expect_ok(stn_view_copy(device_exec, &there, &here));
            expect_blocks("copy", &here, &there);
            expect_ok(stn_view_release(&here));
            expect_ok(stn_view_release(&there));
        }
}

/* Memory that both access: the host waits for queued kernels. */
TEST_CASE(both_access_pinned_and_managed_memory)
{
    const int64_t extents[] = {64};
    const unsigned flags[] = {STN_CREATE_PINNED, STN_CREATE_MANAGED};
    for (int k = 0; k < 2 && test_exec_name()[0] != 'o'; k++) {
        stn_view x =
            create_view(device_exec, "x", stn_storage_of(STN_BFP16), NULL, 1, extents, flags[k]);
        expect_ok(stn_view_fill(NULL, &x, 1.5));
        expect_both("fill", STN_OK, stn_view_fill(device_exec, &x, 2.5));
        assert_true(VALUE_AT(&x, 40) == (device_computes() ? 2.5 : 1.5));
        expect_ok(stn_view_release(&x));
    }
}

/* Blocks in device memory of the program. */
TEST_CASE(memory_of_a_device_is_wrapped)
{
    const int64_t extents[] = {2, 40}, bytes = 4 * 33;
    const stn_storage storage = stn_storage_of(STN_MXINT8), u8 = stn_storage_of(STN_U8);
    const stn_view_spec spec =
        STN_VIEW_SPEC(.label = "x", .storage = storage, .rank = 2, .extents = extents);
    stn_view memory = create_view(device_exec, "memory", u8, NULL, 1, &bytes, 0);
    stn_view other = create_view(device_exec, "other", u8, NULL, 1, &bytes, 0);
    stn_view here = create_view(NULL, "here", storage, NULL, 2, extents, 0), x;
    double sum = 0.0;
    for (int64_t k = 0; k < 80; k++)
        expect_ok(STN_VIEW_SET(&here, (double)(k % 7) - 3, k / 40, k % 40));
    for (int k = 0; k < 3; k++) { /* inline, separate, in two buffers */
        const stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = memory.data,
                                                 .scales = k == 0   ? NULL
                                                           : k == 1 ? (char *)memory.data + 4 * 32
                                                                    : other.data);
        const int is_refused = k == 2 && test_exec_name()[0] == 'o';
        expect_ok(stn_view_wrap_blocks(&x, &spec, &arrays));
        expect_ok(stn_view_set_space(&x, STN_SPACE_DEVICE));
        expect_ok(stn_view_copy(device_exec, &x, &here));
        expect_blocks("wrapped", &here, &x);
        if (is_refused)
            expect_error(stn_sum(device_exec, STN_F64, &sum, &x), STN_ERR_UNSUPPORTED,
                         "different buffers");
        else if (device_computes()) {
            expect_ok(stn_sum(device_exec, STN_F64, &sum, &x));
            assert_true(sum == -6.0);
        }
        expect_ok(stn_view_release(&x));
    }
    expect_ok(stn_view_release(&memory));
    expect_ok(stn_view_release(&other));
    expect_ok(stn_view_release(&here));
}

/* ---- errors ---- */

static void decode_none(double *values, const void *codes, const void *scale, void *context)
{
    (void)codes, (void)scale, (void)context;
    values[0] = values[1] = 0.0;
}

static void encode_none(void *codes, void *scale, const double *values, void *context)
{
    (void)scale, (void)values, (void)context;
    *(char *)codes = 0;
}

TEST_CASE(what_devices_cannot_do_is_refused)
{
    const int64_t extents[] = {N, N};
    static double values[N * N];
    double sum;
    stn_format own;
    block_twins t = create_twins(STN_MXFP4);
    const stn_view plain = wrap_view("plain", f64(), values, 2, extents);
    expect_error(stn_view_copy(device_exec, &t.there.a, &plain), STN_ERR_UNSUPPORTED,
                 "stn_view_mirror");
    expect_error(stn_view_copy(device_exec, &t.there.b, &t.here.a), STN_ERR_UNSUPPORTED,
                 "in different orders");
    expect_error(stn_view_copy(NULL, &plain, &t.there.a), STN_ERR_UNSUPPORTED, "device memory");
    expect_error(stn_sum(device_exec, STN_F64, &sum, &t.here.a), STN_ERR_UNSUPPORTED,
                 "host memory");
    const stn_block_codec codec =
        STN_INIT(stn_block_codec, .name = "none", .elements = 2, .code_bytes = 1,
                 .decode = decode_none, .encode = encode_none);
    expect_ok(stn_format_register_blocks(&own, &codec));
    stn_view x = create_view(device_exec, "x", stn_storage_of(own), NULL, 2, extents, 0);
    stn_view here = create_view(NULL, "here", stn_storage_of(own), NULL, 2, extents, 0);
    expect_ok(stn_view_copy(device_exec, &x, &here));
    expect_error(stn_sum(device_exec, STN_F64, &sum, &x), STN_ERR_UNSUPPORTED, "device text");
    expect_error(stn_view_copy(device_exec, &t.there.a, &x), STN_ERR_UNSUPPORTED, "device text");
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&here));
    release_both(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_store_the_blocks_of_the_host),
        cmocka_unit_test(scatters_keep_other_elements),
        cmocka_unit_test(reductions_give_the_bits_of_the_host),
        cmocka_unit_test(codes_are_moved_unchanged),
        cmocka_unit_test(both_access_pinned_and_managed_memory),
        cmocka_unit_test(outputs_have_blocks_along_different_dimensions),
        cmocka_unit_test(parts_are_moved),
        cmocka_unit_test(memory_of_a_device_is_wrapped),
        cmocka_unit_test(conversions_give_the_blocks_of_the_host),
        cmocka_unit_test(unchanged_elements_keep_their_codes),
        cmocka_unit_test(shapes_of_each_rank),
        cmocka_unit_test(what_devices_cannot_do_is_refused)};
    return device_main(tests, COUNT_OF(tests), 6);
}
