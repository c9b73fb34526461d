/* BLAS on devices gives the bits of `reference` for packed and banded matrices; test_levels_matrix
 * runs on devices, too, and tries all formats and layouts of other operands. */
#include "device.h"
#include "levels.h"

typedef enum matrix_form { ANY, PACKED, BANDED } matrix_form; /* of the matrix */

static int is_same(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

/* A packed or banded matrix in memory that is a vector's. */
static twins make_partial(stn_storage storage, matrix_form form, int64_t n)
{
    const int64_t below = (int64_t)chance(9), above = (int64_t)chance(9), square[] = {n, n};
    const int64_t span = form == BANDED ? (below + above + 2) * n : n * (n + 1) / 2;
    const stn_layout_kind order = chance(2) ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT;
    const stn_layout layout = form == BANDED
                                  ? stn_layout_banded(below, above, below + above + 2, order)
                                  : stn_layout_packed((stn_triangle)chance(2), order);
    twins t = make_twins(storage, NULL, 1, &span);
    t.host_part = wrap_layout("packed", storage, t.host.data, &layout, 2, square);
    t.device_part = wrap_layout("packed", storage, t.device.data, &layout, 2, square);
    expect_ok(stn_view_set_space(&t.device_part, (stn_space)t.device.space));
    return t;
}

static void try_function(const levels_function *f, stn_format arithmetic, matrix_form form,
                         int64_t m, int64_t n)
{
    const oracle_class kind = levels_is_complex(arithmetic) ? ORACLE_COMPLEX : ORACLE_FLOAT;
    char what[200];
    twins t[LEVELS_VIEWS];
    const stn_view *here[LEVELS_VIEWS], *there[LEVELS_VIEWS];
    levels_result expected = {{0, 0}, 0}, found = {{0, 0}, 0};
    const levels_choice choice = levels_choose(&device_seed);
    for (int v = 0; f->shapes[v]; v++) {
        const stn_storage storage = any_storage(kind, any_format(kind));
        int64_t extents[2];
        levels_extents(f, v, m, n, extents);
        t[v] = form != ANY && levels_rank(f, v) == 2
                   ? make_partial(storage, form, n)
                   : any_twins(storage, levels_rank(f, v), extents);
        if (form != ANY || chance(4))
            tame_twins(&t[v]);
        here[v] = &t[v].host_part;
        there[v] = &t[v].device_part;
    }
    snprintf(what, sizeof what, "%s of %d x %d (form %d) in %s", f->name, (int)m, (int)n, form,
             row_of(arithmetic)->name);
    expect_both(what, f->run(host_exec, arithmetic, &choice, here, &expected),
                f->run(device_exec, arithmetic, &choice, there, &found));
    if (device_computes() &&
        (!is_same(expected.number.re, found.number.re) ||
         !is_same(expected.number.im, found.number.im) || expected.place != found.place))
        fail_msg("%s: (%a, %a) at %d, on the host (%a, %a) at %d", what, found.number.re,
                 found.number.im, (int)found.place, expected.number.re, expected.number.im,
                 (int)expected.place);
    for (int v = 0; f->shapes[v]; v++) {
        expect_numbers(&t[v], what);
        if (form != ANY && levels_rank(f, v) == 2) {
            expect_ok(stn_view_release(&t[v].host_part));
            expect_ok(stn_view_release(&t[v].device_part));
        }
        release_twins(&t[v]);
    }
}

/* On the stand-in: the compiler accepts each function. */
TEST_CASE(functions_compile)
{
    for (int k = 0; k < levels_count && !device_computes(); k++) {
        const levels_function *const f = &levels_functions[k];
        if (device_has_turn(k))
            try_function(f, f->kinds & LEVELS_COMPLEX ? STN_C64 : STN_F32, ANY, 7, 7);
    }
}

TEST_CASE(takes_packed_and_banded_matrices)
{
    static const int64_t sizes[] = {5, 33, 131};
    device_seed = 6;
    for (int k = 0; k < 2 * levels_count; k++) {
        const levels_function *const f = &levels_functions[k / 2];
        const matrix_form form = k % 2 ? BANDED : PACKED;
        const int last = (int)strlen(f->shapes) - 1;
        const int reads = !(f->written >> last & 1) || levels_rank(f, last) == 1;
        const int is_complex = !(f->kinds & LEVELS_REAL) || (f->kinds == LEVELS_ANY && chance(2));
        if (levels_is_product(f) || (oracle_quick() && k / 2 % oracle_quick() != 0) ||
            (!oracle_full() && k % 2 != k / 2 % 2)) /* one of both */
            continue;
        const int64_t n = sizes[chance(3)];
        if (strchr(f->shapes, 's') ? form == PACKED || reads : strchr(f->shapes, 'a') && reads)
            try_function(f, is_complex ? STN_C128 : chance(2) ? STN_F64 : STN_F32, form, n, n);
    }
}

/* There and back by mirrors. */
TEST_CASE(moves_whole_matrices)
{
    const stn_layout layouts[] = {stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT),
                                  stn_layout_banded(2, 1, 5, STN_LAYOUT_RIGHT)};
    const int64_t square[] = {6, 6};
    const stn_storage f32 = stn_storage_of(STN_F32);
    for (int k = 0; k < 2; k++) {
        float memory[32];
        stn_view there;
        for (int e = 0; e < 32; e++)
            memory[e] = 0.5f + (float)e;
        const stn_view here = wrap_layout("here", f32, memory, &layouts[k], 2, square);
        stn_view back = create_view(NULL, "back", f32, &layouts[k], 2, square, 0);
        expect_ok(
            stn_view_mirror_view(device_exec, &there, &here, STN_SPACE_DEVICE, STN_MIRROR_COPY));
        expect_ok(stn_view_copy(device_exec, &back, &there));
        expect_ok(stn_exec_wait(device_exec));
        assert_memory_equal(back.data, memory, (size_t)stn_view_span(&here) * sizeof *memory);
        expect_ok(stn_view_release(&back));
        expect_ok(stn_view_release(&there));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_compile),
                                       cmocka_unit_test(takes_packed_and_banded_matrices),
                                       cmocka_unit_test(moves_whole_matrices)};
    return device_main(tests, COUNT_OF(tests), 1);
}
