/* Levels 1 and 2 on devices give the bits of `reference`, in every format and layout. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_run.h"
#include "levels.h"
#include "check.h"

static int rounds(void)
{
    return getenv("STENO_TEST_FULL") ? 12 : 1;
}

static int is_same(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static void make(twins *t, stn_format arithmetic, int rank, const int64_t *extents)
{
    const oracle_class kind = levels_is_complex(arithmetic) ? ORACLE_COMPLEX : ORACLE_FLOAT;
    make_operand(t, any_storage(kind, any_format(kind)), rank, extents);
    if (chance(4))
        tame_twins(t);
}

static void try_function(const levels_function *f, stn_format arithmetic, int64_t m, int64_t n)
{
    char what[200];
    twins t[LEVELS_VIEWS];
    const stn_view *here[LEVELS_VIEWS], *there[LEVELS_VIEWS];
    levels_result expected = {{0, 0}, 0}, found = {{0, 0}, 0};
    const levels_choice choice = levels_choose(&seed);
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        levels_extents(f, v, m, n, extents);
        make(&t[v], arithmetic, levels_rank(f, v), extents);
        here[v] = &t[v].host_part;
        there[v] = &t[v].device_part;
    }
    snprintf(what, sizeof what, "%s of %d x %d on %s in %s", f->name, (int)m, (int)n, resource,
             row_of(arithmetic)->name);
    const stn_status wanted = f->run(reference, arithmetic, &choice, here, &expected);
    const stn_status status = f->run(on, arithmetic, &choice, there, &found);
    if (status != wanted)
        fail_msg("%s: %s, on the host %s: %s", what, stn_status_name(status),
                 stn_status_name(wanted), stn_error());
    if (!is_same(expected.number.re, found.number.re) ||
        !is_same(expected.number.im, found.number.im) || expected.place != found.place)
        fail_msg("%s: (%a, %a) at %d, on the host (%a, %a) at %d", what, found.number.re,
                 found.number.im, (int)found.place, expected.number.re, expected.number.im,
                 (int)expected.place);
    for (int v = 0; f->shapes[v]; v++) {
        expect_numbers(&t[v], what);
        release_twins(&t[v]);
    }
}

static void gives_the_bits_of_the_host(void **state)
{
    static const int64_t lengths[] = {1, 33, 129, 300}, short_ones[] = {1, 2, 33, 131};
    static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    (void)state;
    seed = 5;
    for (int k = 0; k < rounds(); k++)
        for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
            for (int a = (int)chance(2); a < 4; a += 2) {
                const int kind = a < 2 ? LEVELS_REAL : LEVELS_COMPLEX;
                const int64_t n = (levels_is_product(f) ? short_ones : lengths)[chance(4)];
                const int is_short = oracle_quick() || (levels_is_product(f) && !oracle_full());
                const int part = oracle_quick() ? 2 * oracle_quick() : 2;
                const int is_turn = !is_short || f->kinds != LEVELS_ANY ||
                                    (int)(f - levels_functions) % part == a / 2;
                if (f->kinds & kind && is_turn)
                    try_function(f, arithmetics[a],
                                 levels_is_oblong(f) ? 1 + (int64_t)chance(40) : n, n);
            }
}

/* ---- packed and banded matrices, in memory that is a vector's there and here ---- */

static void make_partial(twins *t, stn_view *here, stn_view *there, stn_format arithmetic,
                         int is_banded, int64_t n)
{
    const oracle_class kind = levels_is_complex(arithmetic) ? ORACLE_COMPLEX : ORACLE_FLOAT;
    const int64_t below = (int64_t)chance(9), above = (int64_t)chance(9), square[] = {n, n};
    const int64_t span = is_banded ? (below + above + 2) * n : n * (n + 1) / 2;
    const stn_layout_kind order = chance(2) ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT;
    const stn_layout layout = is_banded ? stn_layout_banded(below, above, below + above + 2, order)
                                        : stn_layout_packed((stn_triangle)chance(2), order);
    const stn_storage storage = any_storage(kind, any_format(kind));
    make_twins(t, storage, NULL, 1, &span);
    tame_twins(t);
    expect_ok(stn_view_wrap_spec(here, &STN_VIEW_SPEC(.label = "packed", .storage = storage,
                                                      .data = t->host.data, .layout = &layout,
                                                      .rank = 2, .extents = square)));
    expect_ok(stn_view_wrap_spec(there, &STN_VIEW_SPEC(.label = "packed", .storage = storage,
                                                       .data = t->device.data, .layout = &layout,
                                                       .rank = 2, .extents = square)));
    expect_ok(stn_view_set_space(there, (stn_space)t->device.space));
}

static void try_partial(const levels_function *f, stn_format arithmetic, int is_banded, int64_t n)
{
    char what[200];
    twins t[LEVELS_VIEWS];
    stn_view matrix[2];
    const stn_view *here[LEVELS_VIEWS], *there[LEVELS_VIEWS];
    levels_result result;
    const levels_choice choice = levels_choose(&seed);
    for (int v = 0; f->shapes[v]; v++) {
        const int is_matrix = levels_rank(f, v) == 2;
        if (is_matrix)
            make_partial(&t[v], &matrix[0], &matrix[1], arithmetic, is_banded, n);
        else
            make(&t[v], arithmetic, 1, &n);
        here[v] = is_matrix ? &matrix[0] : &t[v].host_part;
        there[v] = is_matrix ? &matrix[1] : &t[v].device_part;
    }
    snprintf(what, sizeof what, "%s of %s %d on %s in %s", f->name, is_banded ? "banded" : "packed",
             (int)n, resource, row_of(arithmetic)->name);
    expect_ok(f->run(reference, arithmetic, &choice, here, &result));
    expect_ok(f->run(on, arithmetic, &choice, there, &result));
    for (int v = 0; f->shapes[v]; v++) {
        expect_numbers(&t[v], what);
        release_twins(&t[v]);
    }
    expect_ok(stn_view_release(&matrix[0]));
    expect_ok(stn_view_release(&matrix[1]));
}

static void takes_parts_of_matrices(void **state)
{
    static const int64_t sizes[] = {5, 33, 131};
    (void)state;
    seed = 6;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++)
        for (int is_banded = 0; is_banded < 2; is_banded++) {
            const int reads = !(f->written & 1u << (strlen(f->shapes) - 1)) ||
                              levels_rank(f, (int)strlen(f->shapes) - 1) == 1;
            const int is_complex = !(f->kinds & LEVELS_REAL) || (f->kinds == 3 && chance(2));
            if (levels_is_product(f) ||
                (oracle_quick() && (f - levels_functions + is_banded) % oracle_quick() != 0))
                continue;
            if (strchr(f->shapes, 's') ? !is_banded || reads : strchr(f->shapes, 'a') && reads)
                try_partial(f,
                            is_complex  ? STN_C128
                            : chance(2) ? STN_F64
                                        : STN_F32,
                            is_banded, sizes[chance(3)]);
        }
}

static void refuses_memory_of_the_host(void **state)
{
    static double memory[LEVELS_VIEWS][2 * 49];
    const levels_choice choice = levels_choose(&seed);
    levels_result result;
    (void)state;
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++) {
        stn_view view[LEVELS_VIEWS];
        const stn_view *given[LEVELS_VIEWS];
        const stn_format arithmetic = f->kinds & LEVELS_REAL ? STN_F64 : STN_C128;
        for (int v = 0; f->shapes[v]; v++) {
            int64_t extents[2];
            levels_extents(f, v, 7, 7, extents);
            expect_ok(stn_view_wrap(&view[v], "mine", stn_storage_of(arithmetic), memory[v],
                                    levels_rank(f, v), extents));
            given[v] = &view[v];
        }
        refused(f->run(on, arithmetic, &choice, given, &result), STN_ERR_UNSUPPORTED, f->name);
    }
}

/* There and back by mirrors. */
static void moves_whole_matrices(void **state)
{
    const stn_layout layouts[] = {stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT),
                                  stn_layout_banded(2, 1, 5, STN_LAYOUT_RIGHT)};
    const int64_t square[] = {6, 6};
    (void)state;
    for (int k = 0; k < 2; k++) {
        float memory[32];
        stn_view here, there, back;
        for (int e = 0; e < 32; e++)
            memory[e] = 0.5f + (float)e;
        expect_ok(stn_view_wrap_spec(&here, &STN_VIEW_SPEC(.label = "here",
                                                           .storage = stn_storage_of(STN_F32),
                                                           .data = memory, .layout = &layouts[k],
                                                           .rank = 2, .extents = square)));
        expect_ok(stn_view_mirror_view(on, &there, &here, STN_SPACE_DEVICE, STN_MIRROR_COPY));
        expect_ok(stn_view_create_spec(
            NULL, &back,
            &STN_VIEW_SPEC(.label = "back", .storage = stn_storage_of(STN_F32),
                           .layout = &layouts[k], .rank = 2, .extents = square)));
        expect_ok(stn_view_copy(on, &back, &there));
        expect_ok(stn_exec_wait(on));
        assert_memory_equal(back.data, memory, (size_t)stn_view_span(&here) * sizeof *memory);
        expect_ok(stn_view_release(&back));
        expect_ok(stn_view_release(&there));
        expect_ok(stn_view_release(&here));
    }
}

/* ---- without a GPU: NVRTC takes the texts ---- */

static stn_status compile_one(int at, int architecture)
{
    const levels_function *const f = &levels_functions[at];
    const stn_format arithmetic = f->kinds & LEVELS_COMPLEX ? STN_C64 : STN_F32;
    const levels_choice choice = levels_choose(&seed);
    stn_view view[LEVELS_VIEWS];
    const stn_view *given[LEVELS_VIEWS];
    levels_result result;
    if (!oracle_full() && !cuda_is_hip() && at % 3 != architecture)
        return STN_OK;
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        levels_extents(f, v, 7, 7, extents);
        expect_ok(stn_view_create(on, &view[v], "view", stn_storage_of(arithmetic),
                                  levels_rank(f, v), extents));
        given[v] = &view[v];
    }
    const stn_status status = f->run(on, arithmetic, &choice, given, &result);
    for (int v = 0; f->shapes[v]; v++)
        expect_ok(stn_view_release(&view[v]));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(levels_count, compile_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_memory_of_the_host), cmocka_unit_test(gives_the_bits_of_the_host),
        cmocka_unit_test(takes_parts_of_matrices), cmocka_unit_test(moves_whole_matrices)};
    const struct CMUnitTest compile = cmocka_unit_test(compiles_for_cuda);
    return run_on_devices(tests, sizeof tests / sizeof *tests, &compile);
}
