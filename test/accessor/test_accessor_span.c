/* Spans: construction, validity, comparison and order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

static void test_single_spans(void **state)
{
    static const struct {
        stn_size begin, end;
        int is_valid, is_empty;
    } cases[] = {{2, 5, 1, 0}, {4, 4, 1, 1}, {5, 4, 0, 0}, {-1, 4, 0, 0}, {-1, 0, 0, 0}};
    const stn_span all = stn_all(), point = stn_at(3);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const stn_span span = stn_span_of(cases[k].begin, cases[k].end);
        assert_int_equal(span.begin, cases[k].begin);
        assert_int_equal(span.end, cases[k].end);
        assert_int_equal(stn_span_is_valid(span), cases[k].is_valid);
        assert_int_equal(stn_span_is_empty(span), cases[k].is_empty);
    }
    assert_true(point.begin == 3 && point.end == 4 && stn_span_is_valid(point));
    assert_false(stn_span_is_valid(stn_at(-1)));
    assert_true(all.begin == 0 && stn_span_is_valid(all));
    assert_int_equal(stn_span_end(all, 12), 12);
    assert_int_equal(stn_span_end(stn_span_of(5, STN_SPAN_END), 12), 12);
    assert_int_equal(stn_span_end(stn_span_of(5, 7), 12), 7);
}

/* Disjoint spans have an element between them; before does not need one. */
static void test_pairs(void **state)
{
    static const struct {
        stn_span a, b;
        int disjoint, before, equal;
    } cases[] = {{{2, 4}, {5, 7}, 1, 1, 0}, {{0, 1}, {2, 3}, 1, 1, 0}, {{2, 4}, {4, 7}, 0, 1, 0},
                 {{2, 5}, {4, 7}, 0, 0, 0}, {{5, 7}, {2, 4}, 0, 0, 0}, {{2, 4}, {2, 4}, 0, 0, 1},
                 {{4, 7}, {2, 4}, 0, 0, 0}, {{1, 5}, {6, 9}, 1, 1, 0}, {{6, 9}, {1, 5}, 0, 0, 0},
                 {{1, 5}, {5, 9}, 0, 1, 0}, {{5, 9}, {1, 5}, 0, 0, 0}, {{1, 5}, {8, 9}, 1, 1, 0},
                 {{1, 6}, {5, 9}, 0, 0, 0}, {{3, 6}, {3, 6}, 0, 0, 1}, {{3, 6}, {3, 7}, 0, 0, 0},
                 {{3, 6}, {2, 6}, 0, 0, 0}, {{3, 6}, {4, 7}, 0, 0, 0}, {{4, 4}, {4, 5}, 0, 1, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(stn_span_disjoint(cases[k].a, cases[k].b), cases[k].disjoint);
        assert_int_equal(stn_span_before(cases[k].a, cases[k].b), cases[k].before);
        assert_int_equal(stn_span_equal(cases[k].a, cases[k].b), cases[k].equal);
    }
    assert_true(stn_span_equal(stn_span_of(3, 4), stn_at(3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single_spans),
                                       cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
