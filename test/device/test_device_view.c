/* Views in the memory of devices: created, filled, copied in every direction with any strides,
 * mirrored, resized and released, with the bytes that the same calls give on the host. */
#include "device.h"
#include "steno/kernel.h"

STN_MAP(twice, (inout(y)), y = y + y;)

static int is_cuda(void)
{
    return strncmp(test_exec_name(), "opencl", 6) != 0;
}

static int is_stand_in(void)
{
    return is_cuda() && cuda_is_stand_in();
}

/* ---- codes in every direction ---- */

static void copy_parts(stn_storage storage, int rank, const int64_t *extents)
{
    twins a = make_part(storage, rank, extents);
    twins b = make_part(storage, rank, extents);
    expect_ok(stn_view_copy(device_exec, &a.device_part, &b.host_part)); /* there */
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    expect_same(&a, "from host to device");
    scatter(b.host.data, b.bytes);
    send_twins(&b);
    expect_ok(stn_view_copy(device_exec, &a.device_part, &b.device_part)); /* on the device */
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    expect_same(&a, "on the device");
    scatter(a.host.data, a.bytes);
    send_twins(&a);
    expect_ok(stn_view_copy(device_exec, &b.host_part, &a.device_part)); /* and back */
    expect_error(stn_view_copy(NULL, &b.device_part, &b.host_part), STN_ERR_UNSUPPORTED, NULL);
    expect_ok(stn_view_copy(device_exec, &b.device_part, &a.device_part));
    expect_same(&b, "from device to host");
    release_twins(&a);
    release_twins(&b);
}

TEST_CASE(moves_codes_between_any_strides)
{
    stn_format formats[] = {STN_I8, STN_F16, STN_F32, STN_F64, STN_C128, STN_C32, 0, 0};
    expect_ok(stn_format_opaque(&formats[6], 12, 4));
    expect_ok(stn_format_opaque(&formats[7], 40, 8));
    device_seed = 1;
    for (int round = 0; round < (is_stand_in() ? 2000 : 120); round++) {
        const int rank = 1 + (int)chance(4);
        int64_t extents[STN_MAX_RANK];
        for (int d = 0; d < rank; d++)
            extents[d] = chance(30) ? 1 + (int64_t)chance(rank > 2 ? 5 : 40) : 0;
        copy_parts(stn_storage_of(formats[round % 8]), rank, extents);
    }
}

/* The planes, rows and runs of one box: a call of the driver each, however many elements. */
TEST_CASE(moves_boxes_as_one)
{
    static const int64_t whole[3] = {20, 30, 40}, small[3] = {10, 20, 30};
    const stn_slice slices[3] = {stn_slice_range(5, 15), stn_slice_range(4, 24),
                                 stn_slice_range(3, 33)};
    stn_view part;
    stn_view there = create_view(device_exec, "there", stn_storage_of(STN_F32), NULL, 3, whole, 0);
    stn_view here = create_view(NULL, "here", stn_storage_of(STN_F32), NULL, 3, small, 0);
    expect_ok(stn_view_slice(&part, &there, 3, slices));
    if (is_stand_in())
        cuda_stand_in_of()->reset();
    expect_ok(stn_view_copy(device_exec, &part, &here));
    if (is_stand_in())
        assert_true(cuda_stand_in_of()->look()->calls < (cuda_is_hip() ? 40 : 20));
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&here));
}

/* ---- other layouts ---- */

TEST_CASE(moves_tiles)
{
    static const int64_t extents[2] = {37, 50}, tile[2] = {8, 16};
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_LEFT),
                                  stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_of(STN_LAYOUT_MORTON)};
    for (int k = 0; k < 3; k++) {
        twins a = make_twins(stn_storage_of(STN_F32), &layouts[k], 2, extents);
        twins b = make_twins(stn_storage_of(STN_F32), NULL, 2, extents);
        expect_same(&a, "as it is laid out");
        if (k < 2) {
            expect_ok(stn_view_copy(device_exec, &a.device, &b.host));
            expect_ok(stn_view_copy(NULL, &a.host, &b.host));
            expect_same(&a, "to tiles");
            expect_ok(stn_view_copy(device_exec, &b.device, &a.device));
            expect_same(&b, "from tiles");
        } else {
            expect_error(stn_view_copy(device_exec, &a.device, &b.host), STN_ERR_UNSUPPORTED,
                         "mirror");
        }
        release_twins(&a);
        release_twins(&b);
    }
}

/* ---- making and filling ---- */

TEST_CASE(begins_with_zeros)
{
    static const int64_t extents[2] = {13, 100};
    stn_view x, back;
    expect_ok(stn_view_create_spec(device_exec, &x,
                                   &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                  .rank = 2, .extents = extents,
                                                  .flags = STN_CREATE_PADDED)));
    assert_int_equal(x.space, STN_SPACE_DEVICE);
    assert_true(x.stride[0] > 100);
    expect_ok(stn_view_mirror(device_exec, &back, &x, STN_SPACE_HOST));
    expect_ok(stn_view_fill(NULL, &back, 1.0));
    expect_ok(stn_view_copy(device_exec, &back, &x));
    for (int64_t i = 0; i < 13; i++)
        for (int64_t j = 0; j < 100; j++) {
            double value = -1;
            expect_ok(STN_VIEW_GET(&back, &value, i, j));
            assert_true(value == 0.0);
        }
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&back));
}

TEST_CASE(fills_with_one_code)
{
    static const int64_t extents[2] = {60, 70};
    const stn_format formats[] = {STN_F64, STN_BF16, STN_E5M2, STN_C64, STN_I32, STN_C128};
    for (int k = 0; k < 6; k++) {
        const int64_t part[2] = {20, 33};
        twins a = make_part(stn_storage_of(formats[k]), 2, part);
        expect_ok(stn_view_fill(device_exec, &a.device_part, 3.25));
        expect_ok(stn_view_fill(NULL, &a.host_part, 3.25));
        expect_same(&a, "a part");
        expect_ok(stn_view_fill(device_exec, &a.device, -0.5));
        expect_ok(stn_view_fill(NULL, &a.host, -0.5));
        expect_same(&a, "all");
        release_twins(&a);
        a = make_twins(stn_storage_of(formats[k]), NULL, 2, extents);
        expect_ok(stn_view_fill(device_exec, &a.device, 0.0));
        expect_ok(stn_view_fill(NULL, &a.host, 0.0));
        expect_same(&a, "zeros");
        release_twins(&a);
    }
}

/* ---- spaces ---- */

TEST_CASE(has_pinned_and_managed_memory)
{
    static const int64_t extent = 1000;
    static const unsigned flags[] = {STN_CREATE_PINNED, STN_CREATE_MANAGED};
    static const stn_space spaces[] = {STN_SPACE_PINNED, STN_SPACE_MANAGED};
    for (int k = 0; k < 2 && !is_cuda(); k++)
        expect_error(
            stn_view_create_spec(device_exec, &(stn_view){0},
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent, .flags = flags[k])),
            STN_ERR_UNSUPPORTED, stn_space_name(spaces[k]));
    for (int k = 0; k < 2 && is_cuda(); k++) {
        stn_view x;
        double value = 0;
        expect_ok(
            stn_view_create_spec(device_exec, &x,
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent, .flags = flags[k])));
        stn_view there = create_view(device_exec, "there", x.storage, NULL, 1, &extent, 0);
        assert_int_equal(x.space, spaces[k]);
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 0.0);
        expect_ok(STN_VIEW_SET(&x, 42.0, 999));
        expect_ok(stn_view_copy(device_exec, &there, &x));
        expect_ok(twice_run(device_exec, STN_F64, &x)); /* within a kernel's reach, too */
        expect_ok(stn_view_fill(device_exec, &x, 1.0));
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 1.0);
        expect_ok(stn_view_copy(device_exec, &x, &there));
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 42.0);
        expect_ok(stn_view_release(&x));
        expect_ok(stn_view_release(&there));
    }
    expect_error(stn_view_create_spec(
                     NULL, &(stn_view){0},
                     &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64), .rank = 1,
                                    .extents = &extent, .flags = STN_CREATE_PINNED)),
                 STN_ERR_UNSUPPORTED, "pinned");
    expect_error(
        stn_view_create_spec(device_exec, &(stn_view){0},
                             &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                            .rank = 1, .extents = &extent,
                                            .flags = STN_CREATE_PINNED | STN_CREATE_MANAGED)),
        STN_ERR_ARGUMENT, "flags");
}

TEST_CASE(mirrors_there_and_back)
{
    static const int64_t extents[2] = {5, 7};
    stn_view there, same, back;
    stn_view here = create_view(NULL, "x", stn_storage_of(STN_F32), NULL, 2, extents, 0);
    expect_ok(stn_view_fill(NULL, &here, 6.5));
    expect_ok(stn_view_mirror_view(device_exec, &there, &here, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_int_equal(there.space, STN_SPACE_DEVICE);
    assert_ptr_not_equal(there.data, here.data);
    expect_ok(stn_view_mirror_view(device_exec, &same, &there, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_ptr_equal(same.data, there.data);
    assert_int_equal(stn_view_use_count(&there), 2);
    expect_ok(stn_view_mirror_view(device_exec, &back, &there, STN_SPACE_HOST, STN_MIRROR_COPY));
    assert_int_equal(back.space, STN_SPACE_HOST);
    assert_memory_equal(back.data, here.data, 5 * 7 * 4);
    expect_error(stn_view_mirror(NULL, &(stn_view){0}, &here, STN_SPACE_DEVICE),
                 STN_ERR_UNSUPPORTED, "device");
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&same));
    expect_ok(stn_view_release(&back));
}

TEST_CASE(resizes_on_the_device)
{
    static const int64_t extents[2] = {6, 9}, larger[2] = {8, 5};
    twins a = make_twins(stn_storage_of(STN_I16), NULL, 2, extents);
    expect_error(stn_view_resize(NULL, &a.device, 2, larger, 0), STN_ERR_UNSUPPORTED, "there");
    expect_ok(stn_view_resize(device_exec, &a.device, 2, larger, 0));
    expect_ok(stn_view_resize(NULL, &a.host, 2, larger, 0));
    assert_int_equal(a.device.space, STN_SPACE_DEVICE);
    a.bytes = 8 * 5 * 2;
    expect_same(&a, "resized");
    expect_ok(stn_view_reallocate(device_exec, &a.device, 2, extents, 0));
    expect_ok(stn_view_reallocate(NULL, &a.host, 2, extents, 0));
    expect_same(&a, "reallocated");
    expect_ok(stn_view_fill(device_exec, &a.device, 3));
    expect_ok(stn_view_reallocate(device_exec, &a.device, 2, extents, 0));
    expect_same(&a, "zeroed");
    release_twins(&a);
}

TEST_CASE(outlives_its_executor)
{
    static const int64_t extent = 100;
    stn_exec *other;
    stn_view back;
    double value = 0;
    expect_ok(stn_exec_create(&other, test_exec_name()));
    stn_view x = create_view(other, "x", stn_storage_of(STN_F64), NULL, 1, &extent, 0);
    expect_ok(stn_view_fill(other, &x, 7.0));
    stn_exec_release(other);
    expect_ok(stn_view_mirror_view(device_exec, &back, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(STN_VIEW_GET(&back, &value, 99));
    assert_true(value == 7.0);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&back));
}

/* Memory of somebody else's on the device: wrapped, or taken over. */
static int given_back;
static void give_back(void *data, void *context)
{
    (void)data, (void)context;
    given_back++;
}

TEST_CASE(takes_memory_of_others)
{
    static const int64_t extent = 50, half = 25, two = 2;
    stn_view wrapped, adopted, back;
    double value = 0;
    given_back = 0;
    stn_view whole =
        create_view(device_exec, "whole", stn_storage_of(STN_F32), NULL, 1, &extent, 0);
    expect_ok(stn_view_wrap_spec(
        &wrapped, &STN_VIEW_SPEC(.label = "wrapped", .storage = whole.storage, .data = whole.data,
                                 .rank = 1, .extents = &half, .strides = &two)));
    expect_ok(stn_view_set_space(&wrapped, STN_SPACE_DEVICE));
    expect_ok(stn_view_adopt(&adopted, &STN_VIEW_SPEC(.label = "adopted", .storage = whole.storage,
                                                      .data = (float *)whole.data + 1, .rank = 1,
                                                      .extents = &half, .free_data = give_back)));
    expect_ok(stn_view_set_space(&adopted, STN_SPACE_DEVICE));
    expect_ok(stn_view_fill(device_exec, &wrapped, 2.0));
    expect_ok(stn_view_mirror_view(device_exec, &back, &whole, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(STN_VIEW_GET(&back, &value, 48));
    assert_true(value == 2.0);
    expect_ok(STN_VIEW_GET(&back, &value, 49));
    assert_true(value == 0.0);
    expect_ok(stn_view_release(&back));
    expect_ok(stn_view_release(&adopted));
    assert_int_equal(given_back, 1);
    expect_ok(stn_view_release(&whole));
}

TEST_CASE(asks_for_too_much)
{
    static const int64_t extents[2] = {1 << 20, 1 << 20};
    stn_view x;
    expect_error(stn_view_create(device_exec, &x, "vast", stn_storage_of(STN_F64), 2, extents),
                 STN_ERR_MEMORY, "are free");
    if (!is_cuda())
        return;
    expect_error(stn_view_create_spec(
                     device_exec, &x,
                     &STN_VIEW_SPEC(.label = "vast", .storage = stn_storage_of(STN_F64), .rank = 2,
                                    .extents = extents, .flags = STN_CREATE_MANAGED)),
                 STN_ERR_MEMORY, "managed");
}

TEST_CASE(names_what_is_missing)
{
    char beyond[32];
    stn_exec *exec;
    snprintf(beyond, sizeof beyond, "%s:999", stn_exec_name(device_exec));
    expect_error(stn_exec_create(&exec, beyond), STN_ERR_RANGE, beyond);
    snprintf(beyond, sizeof beyond, "%s:x", stn_exec_name(device_exec));
    expect_error(stn_exec_create(&exec, beyond), STN_ERR_ARGUMENT, beyond);
    expect_error(stn_exec_adopt_cuda(&exec, NULL, NULL), STN_ERR_ARGUMENT,
                 "stn_exec_adopt_cuda: context");
    expect_error(stn_exec_adopt_hip(&exec, NULL, NULL), STN_ERR_ARGUMENT,
                 "stn_exec_adopt_hip: context");
}

static int check_stand_in(void **state)
{
    (void)state;
    if (!is_stand_in())
        return 0;
    const stand_in_state *s = cuda_stand_in_of()->look();
    if (s->wrong || s->freed_queued || s->contexts_in)
        print_error("%s; freed in use %d; contexts %d\n", s->what, s->freed_queued, s->contexts_in);
    return s->wrong || s->freed_queued || s->contexts_in;
}

#define TEST(name) cmocka_unit_test_teardown(name, check_stand_in)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(begins_with_zeros),
                                       TEST(names_what_is_missing),
                                       TEST(moves_codes_between_any_strides),
                                       TEST(moves_boxes_as_one),
                                       TEST(moves_tiles),
                                       TEST(fills_with_one_code),
                                       TEST(has_pinned_and_managed_memory),
                                       TEST(mirrors_there_and_back),
                                       TEST(resizes_on_the_device),
                                       TEST(outlives_its_executor),
                                       TEST(takes_memory_of_others),
                                       TEST(asks_for_too_much)};
    return device_main_moving(tests, COUNT_OF(tests));
}
