/* Views of more than 2^31 and 2^32 elements. Their memory is mapped, and hardly any of it touched.
 */

#include "steno/view.h"
#include "make_view.h"

static stn_view view;

/* 0: the machine has too little memory. */
static int create(int rank, const int64_t *extents, stn_format format)
{
    const stn_status status = stn_view_create_spec(
        NULL, &view,
        &STN_VIEW_SPEC(.label = "large", .storage = stn_storage_of(format), .rank = rank,
                       .extents = extents, .flags = STN_CREATE_UNINITIALIZED));
    if (status == STN_ERR_MEMORY)
        return 0;
    if (status != STN_OK)
        fail_msg("%s", stn_error());
    return 1;
}

static void check_element(const int64_t *indices, int64_t offset, double value)
{
    int64_t found;
    expect_ok(stn_view_offset(&view, view.rank, indices, &found));
    assert_int_equal(found, offset);
    expect_ok(stn_view_set(&view, view.rank, indices, value));
    assert_true(get_value(&view, view.rank, indices) == value);
    assert_int_equal(((const int8_t *)view.data)[offset], (int)value);
}

UNIT_TEST(test_rank_8_of_4_gibibytes)
{
    const int64_t extents[] = {16, 16, 16, 16, 16, 16, 16, 16};
    const int64_t last[] = {15, 15, 15, 15, 15, 15, 15, 15}, first[8] = {0};
    if (!create(8, extents, STN_I8))
        skip();
    assert_int_equal(stn_view_count(&view), INT64_C(1) << 32);
    check_element(last, (INT64_C(1) << 32) - 1, 42);
    check_element(first, 0, -7);
    stn_view_release(&view);
}

UNIT_TEST(test_five_thousand_million)
{
    const int64_t count = INT64_C(5000000000),
                  positions[] = {0, INT32_MAX, INT64_C(4294967296), count - 1};
    if (!create(1, &count, STN_I8))
        skip();
    for (int k = 0; k < 4; k++)
        check_element(&positions[k], positions[k], k + 1);
    stn_view_release(&view);
}

UNIT_TEST(test_a_matrix_beyond_32_bits)
{
    const int64_t extents[] = {56925, 56927}, corner[] = {56924, 56926}, inside[] = {40000, 12345};
    int64_t offset;
    if (!create(2, extents, STN_I8))
        skip();
    check_element(corner, 56925 * INT64_C(56927) - 1, 3);
    check_element(inside, 40000 * INT64_C(56927) + 12345, -3);
    const stn_slice slices[] = {stn_slice_all(), stn_slice_index(12345)};
    stn_view column = slice_view(&view, 2, slices);
    expect_ok(stn_view_offset(&column, 1, &inside[0], &offset));
    assert_int_equal(((const int8_t *)column.data)[offset], -3);
    stn_view_release(&view);
}

RUN_UNIT_TESTS(NULL, NULL)
