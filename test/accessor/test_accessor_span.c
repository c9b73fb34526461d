/* Spans: how they are made, compared and ordered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

static void test_from_a_pair(void **state)
{
    const stn_span span = stn_span_of(2, 5);
    (void)state;
    assert_int_equal(span.begin, 2);
    assert_int_equal(span.end, 5);
    assert_true(stn_span_is_valid(span));
    assert_false(stn_span_is_empty(span));
}

static void test_from_a_point(void **state)
{
    const stn_span span = stn_at(3);
    (void)state;
    assert_int_equal(span.begin, 3);
    assert_int_equal(span.end, 4);
    assert_true(stn_span_is_valid(span));
}

/* ---- order: apart is the strict one, before the other ---- */

static void test_apart_holds(void **state)
{
    (void)state;
    assert_true(stn_span_disjoint(stn_span_of(2, 4), stn_span_of(5, 7)));
    assert_true(stn_span_disjoint(stn_at(0), stn_at(2)));
}

static void test_apart_fails(void **state)
{
    (void)state;
    assert_false(stn_span_disjoint(stn_span_of(2, 4), stn_span_of(4, 7))); /* adjacent */
    assert_false(stn_span_disjoint(stn_span_of(2, 5), stn_span_of(4, 7)));
    assert_false(stn_span_disjoint(stn_span_of(5, 7), stn_span_of(2, 4)));
    assert_false(stn_span_disjoint(stn_span_of(2, 4), stn_span_of(2, 4)));
}

static void test_before_holds(void **state)
{
    (void)state;
    assert_true(stn_span_before(stn_span_of(2, 4), stn_span_of(4, 7))); /* adjacent */
    assert_true(stn_span_before(stn_span_of(2, 4), stn_span_of(5, 7)));
}

static void test_before_fails(void **state)
{
    (void)state;
    assert_false(stn_span_before(stn_span_of(2, 5), stn_span_of(4, 7)));
    assert_false(stn_span_before(stn_span_of(2, 4), stn_span_of(2, 4))); /* equal, yet not before */
    assert_false(stn_span_before(stn_span_of(4, 7), stn_span_of(2, 4)));
}

static void test_apart_from_behind_holds(void **state)
{
    const stn_span a = stn_span_of(6, 9), b = stn_span_of(1, 5);
    (void)state;
    assert_true(stn_span_disjoint(b, a));
    assert_false(stn_span_disjoint(a, b));
}

static void test_apart_from_behind_fails(void **state)
{
    const stn_span a = stn_span_of(5, 9), b = stn_span_of(1, 5);
    (void)state;
    assert_false(stn_span_disjoint(b, a));
    assert_false(stn_span_disjoint(a, b));
}

static void test_behind_holds(void **state)
{
    (void)state;
    assert_true(stn_span_before(stn_span_of(1, 5), stn_span_of(5, 9)));
    assert_true(stn_span_before(stn_span_of(1, 5), stn_span_of(8, 9)));
}

static void test_behind_fails(void **state)
{
    (void)state;
    assert_false(stn_span_before(stn_span_of(1, 6), stn_span_of(5, 9)));
    assert_false(stn_span_before(stn_span_of(5, 9), stn_span_of(1, 5)));
}

static void test_equal_holds(void **state)
{
    (void)state;
    assert_true(stn_span_equal(stn_span_of(3, 6), stn_span_of(3, 6)));
    assert_true(stn_span_equal(stn_span_of(3, 4), stn_at(3)));
}

static void test_equal_fails_by_the_end(void **state)
{
    (void)state;
    assert_false(stn_span_equal(stn_span_of(3, 6), stn_span_of(3, 7)));
}

static void test_equal_fails_by_the_beginning(void **state)
{
    (void)state;
    assert_false(stn_span_equal(stn_span_of(3, 6), stn_span_of(2, 6)));
}

static void test_equal_fails_by_both(void **state)
{
    (void)state;
    assert_false(stn_span_equal(stn_span_of(3, 6), stn_span_of(4, 7)));
}

/* ---- empty, invalid, whole ---- */

static void test_empty_is_valid(void **state)
{
    const stn_span span = stn_span_of(4, 4);
    (void)state;
    assert_true(stn_span_is_valid(span));
    assert_true(stn_span_is_empty(span));
    assert_true(stn_span_before(span, stn_at(4)));
    assert_false(stn_span_disjoint(span, stn_at(4)));
}

static void test_invalid(void **state)
{
    (void)state;
    assert_false(stn_span_is_valid(stn_span_of(5, 4)));
    assert_false(stn_span_is_valid(stn_span_of(-1, 4)));
    assert_false(stn_span_is_valid(stn_at(-1)));
}

static void test_all(void **state)
{
    const stn_span all = stn_all();
    (void)state;
    assert_int_equal(all.begin, 0);
    assert_true(stn_span_is_valid(all));
    assert_int_equal(stn_span_end(all, 12), 12);
    assert_int_equal(stn_span_end(stn_span_of(5, STN_SPAN_END), 12), 12);
    assert_int_equal(stn_span_end(stn_span_of(5, 7), 12), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_a_pair),
        cmocka_unit_test(test_from_a_point),
        cmocka_unit_test(test_apart_holds),
        cmocka_unit_test(test_apart_fails),
        cmocka_unit_test(test_before_holds),
        cmocka_unit_test(test_before_fails),
        cmocka_unit_test(test_apart_from_behind_holds),
        cmocka_unit_test(test_apart_from_behind_fails),
        cmocka_unit_test(test_behind_holds),
        cmocka_unit_test(test_behind_fails),
        cmocka_unit_test(test_equal_holds),
        cmocka_unit_test(test_equal_fails_by_the_end),
        cmocka_unit_test(test_equal_fails_by_the_beginning),
        cmocka_unit_test(test_equal_fails_by_both),
        cmocka_unit_test(test_empty_is_valid),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
