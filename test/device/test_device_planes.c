/* Segmented views on devices: operations and copies give the bits of the host, from any number of
 * planes. */
#include "device.h"

#include "block_views.h"

/* clang-format off */
STN_MAP(add_all, (in(x), scatter(u, 1)), STN_ADD(u, x, 0);)
/* clang-format on */

/* ---- comparing ---- */

/* The bits of all planes, also of a part. */
static void expect_planes(const char *what, const stn_view *here, const stn_view *there)
{
    static double found[N * N], expected[N * N];
    stn_view back;
    const int64_t count = stn_view_count(here);
    if (!device_computes())
        return;
    expect_ok(stn_view_mirror(device_exec, &back, there, STN_SPACE_HOST));
    expect_ok(stn_view_copy(device_exec, &back, there));
    assert_int_equal(stn_view_plane_count(&back), 3);
    stn_view values = wrap_view("found", f64(), found, here->rank, here->extent);
    expect_ok(stn_view_copy(NULL, &values, &back));
    values = wrap_view("expected", f64(), expected, here->rank, here->extent);
    expect_ok(stn_view_copy(NULL, &values, here));
    for (int64_t k = 0; k < count; k++)
        if (memcmp(&found[k], &expected[k], sizeof *found) != 0)
            fail_msg("%s on %s: element %lld is %a, on the host %a", what, test_exec_name(),
                     (long long)k, found[k], expected[k]);
    expect_ok(stn_view_release(&back));
}

/* ---- operations ---- */

/* Reads a number of planes of a, b and x; c, y and z are written. */
typedef struct plane_twins {
    operands here, there;
} plane_twins;

static operands create_segmented(const stn_exec *exec)
{
    operands all;
    for (int k = 0; k < VIEWS; k++)
        expect_ok(stn_view_create_segmented(exec, view_at(&all, k), "operand", k < 3 ? 2 : 1,
                                            (const int64_t[]){N, N}));
    expect_ok(stn_view_permute(&all.b, &all.b, 2, (const int[]){1, 0}));
    return all;
}

static void read_planes(operands *all, int planes)
{
    stn_view *const inputs[] = {&all->a, &all->b, &all->x};
    for (int k = 0; k < COUNT_OF(inputs); k++)
        expect_ok(stn_view_planes(inputs[k], inputs[k], planes));
}

static plane_twins create_twins(int planes)
{
    plane_twins t = {create_segmented(NULL), create_segmented(device_exec)};
    operands plain = create_operands(NULL, STN_F64);
    fill_operands(&t.here, &plain);
    for (int k = 0; k < VIEWS; k++)
        expect_ok(stn_view_copy(device_exec, view_at(&t.there, k), view_at(&t.here, k)));
    read_planes(&t.here, planes);
    read_planes(&t.there, planes);
    release_operands(&plain);
    return t;
}

static void release_both(plane_twins *t)
{
    release_operands(&t->here);
    release_operands(&t->there);
}

/* Results in views that read fewer planes are refused on both. */
static void operate(const char *name, operation *run, int planes)
{
    plane_twins t = create_twins(planes);
    expect_both(name, run(host_exec, &t.here), run(device_exec, &t.there));
    for (int k = 0; k < VIEWS; k++)
        expect_planes(name, view_at(&t.here, k), view_at(&t.there, k));
    release_both(&t);
}

/* Each of these once, which cover the ways to read and write elements; with STENO_TEST_FULL, every
 * operation with each number of planes. */
TEST_CASE(operations_give_the_bits_of_the_host)
{
    static operation *const some[] = {
        run_combine_mixed, run_keep_some, run_square_f32, run_five,          run_transpose,
        run_spread,        run_gemv_left, run_cumsum,     run_column_minima, run_copy_to_left};
    for (int k = 0; k < COUNT_OF(some) && !oracle_full(); k++)
        if (device_has_turn(k))
            operate("operation", some[k], k == COUNT_OF(some) - 1 ? 3 : 1 + k % 3);
    for (int k = 0; k < COUNT_OF(operations) && oracle_full(); k++)
        for (int planes = 1; planes <= 3; planes++)
            operate(operations[k].name, operations[k].run, planes);
}

TEST_CASE(reductions_give_the_bits_of_the_host)
{
    for (int planes = 1; planes <= 3; planes++) {
        plane_twins t = create_twins(planes);
        for (int k = 0; k < COUNT_OF(queries); k++) {
            double found = 0.0, expected = 1.0;
            if (!oracle_full() && (k != 3 * planes - 1 || !device_has_turn(planes)))
                continue;
            expect_both("query", queries[k](host_exec, &expected, &t.here),
                        queries[k](device_exec, &found, &t.there));
            if (device_computes() && memcmp(&found, &expected, sizeof found) != 0)
                fail_msg("query %d of %d planes: %.17g, not %.17g", k, planes, found, expected);
        }
        release_both(&t);
    }
}

/* ---- copies ---- */

/* Boundaries of planes, infinities and NaN, with both signs. */
static int64_t fill_special(uint64_t *bits)
{
    static const uint64_t upper[] = {0, 1, 0x000fffff, 0x3fffffff, 0x7fefffff, 0x7ff00001};
    static const uint64_t parts[] = {0, 0x7fff, 0x8000, 0xffff};
    int64_t count = 0;
    for (uint64_t k = 0; k < 2 * 6 * 4 * 4; k++)
        bits[count++] =
            k % 2 << 63 | upper[k / 2 % 6] << 32 | parts[k / 12 % 4] << 16 | parts[k / 48];
    return count;
}

/* A device divides values into planes, from plain values, and combines them. */
TEST_CASE(conversions_give_the_bits_of_the_host)
{
    static uint64_t bits[192];
    const int64_t count = fill_special(bits);
    stn_view values = wrap_view("values", f64(), bits, 1, &count), plain, here, there;
    expect_ok(stn_view_create_segmented(NULL, &here, "here", 1, &count));
    expect_ok(stn_view_create_segmented(device_exec, &there, "there", 1, &count));
    plain = create_view(device_exec, "plain", f64(), NULL, 1, &count, 0);
    expect_ok(stn_view_copy(device_exec, &plain, &values));
    expect_both("divide", stn_view_copy(NULL, &here, &values),
                stn_view_copy(device_exec, &there, &plain));
    expect_planes("divided", &here, &there);
    for (int planes = 3; planes >= 1; planes--) {
        static uint64_t found[192], expected[192];
        stn_view to = wrap_view("expected", f64(), expected, 1, &count);
        expect_ok(stn_view_planes(&here, &here, planes));
        expect_ok(stn_view_planes(&there, &there, planes));
        expect_both("combine", stn_view_copy(NULL, &to, &here),
                    stn_view_copy(device_exec, &plain, &there));
        to = wrap_view("found", f64(), found, 1, &count);
        expect_ok(stn_view_copy(device_exec, &to, &plain));
        if (device_computes())
            assert_memory_equal(found, expected, sizeof found);
    }
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&plain));
}

/* Parts with steps, between memories; planes that are not read become zero. */
TEST_CASE(parts_are_moved)
{
    for (int planes = 1; planes <= 3; planes++) {
        plane_twins t = create_twins(planes);
        const stn_slice slices[] = {stn_slice_strided(40, 7, -5), stn_slice_strided(1, 17, 3)};
        const stn_view from = slice_view(&t.here.a, 2, slices);
        const stn_view to = slice_view(&t.there.c, 2, slices);
        const stn_view same = slice_view(&t.here.c, 2, slices);
        expect_ok(stn_view_copy(device_exec, &to, &from));
        expect_ok(stn_view_copy(NULL, &same, &from));
        expect_planes("to the device", &t.here.c, &t.there.c);
        const stn_view back = slice_view(&t.there.a, 2, slices);
        expect_ok(stn_view_fill(NULL, &same, 0.7));
        expect_ok(stn_view_copy(device_exec, &same, &back));
        expect_planes("to the host", &t.here.c, &t.there.c);
        release_both(&t);
    }
}

/* ---- memory ---- */

TEST_CASE(mirrors_read_the_planes_of_the_view)
{
    const int64_t extents[] = {3, 5};
    stn_view full, two, mirror;
    expect_ok(stn_view_create_segmented(NULL, &full, "full", 2, extents));
    expect_ok(stn_view_planes(&two, &full, 2));
    expect_ok(stn_view_mirror_view(device_exec, &mirror, &two, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_int_equal(stn_view_plane_count(&mirror), 2);
    assert_true(mirror.read_only);
    expect_planes("mirror", &two, &mirror);
    expect_ok(stn_view_release(&mirror));
    expect_ok(stn_view_release(&two));
    expect_ok(stn_view_release(&full));
}

TEST_CASE(memory_of_a_device_is_wrapped)
{
    const int64_t count = 40, bytes = 8 * count;
    stn_view memory =
        create_view(device_exec, "memory", stn_storage_of(STN_U8), NULL, 1, &bytes, 0);
    stn_view here, there;
    expect_ok(stn_view_create_segmented(NULL, &here, "here", 1, &count));
    for (int64_t k = 0; k < count; k++)
        expect_ok(STN_VIEW_SET(&here, value_of(2, k), k));
    expect_ok(stn_view_wrap_segmented(&there, "there", memory.data, 1, &count));
    expect_ok(stn_view_set_space(&there, STN_SPACE_DEVICE));
    expect_ok(stn_view_copy(device_exec, &there, &here));
    expect_planes("wrapped", &here, &there);
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&memory));
}

/* ---- errors ---- */

TEST_CASE(what_devices_cannot_do_is_refused)
{
    static double values[N * N];
    double sum;
    plane_twins t = create_twins(3);
    const stn_view plain = wrap_view("plain", f64(), values, 2, (const int64_t[]){N, N});
    expect_error(add_all_run(device_exec, STN_F64, &t.there.x, &t.there.y), STN_ERR_UNSUPPORTED,
                 "in several planes");
    expect_error(stn_view_copy(device_exec, &t.there.a, &plain), STN_ERR_UNSUPPORTED,
                 "is segmented, and they are in different memories");
    expect_error(stn_view_copy(device_exec, &plain, &t.there.a), STN_ERR_UNSUPPORTED,
                 "stn_view_mirror");
    expect_error(stn_view_copy(NULL, &plain, &t.there.a), STN_ERR_UNSUPPORTED, "device memory");
    expect_error(stn_sum(device_exec, STN_F64, &sum, &t.here.a), STN_ERR_UNSUPPORTED,
                 "host memory");
    release_both(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operations_give_the_bits_of_the_host),
                                       cmocka_unit_test(reductions_give_the_bits_of_the_host),
                                       cmocka_unit_test(conversions_give_the_bits_of_the_host),
                                       cmocka_unit_test(parts_are_moved),
                                       cmocka_unit_test(mirrors_read_the_planes_of_the_view),
                                       cmocka_unit_test(memory_of_a_device_is_wrapped),
                                       cmocka_unit_test(what_devices_cannot_do_is_refused)};
    return device_main(tests, COUNT_OF(tests), 4);
}
