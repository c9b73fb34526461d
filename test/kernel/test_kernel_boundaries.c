/* Neighbors beyond the edges, in code compiled for the views and without it: the values of plain
 * loops for every boundary, in 1 to 3 dimensions, for radii larger than the extents and for empty
 * spaces. All values are integers, so that every sum is exact. */
#define _GNU_SOURCE /* mkdtemp */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compile_events.h"
#include "made_compiler.h"
#include "steno/kernel.h"
#include "steno/view.h"

enum { MAX_ELEMENTS = 4096, UNCHANGED = -1 };

/* Offsets of the parameters below, for the last one, two or three dimensions. */
#define PARAMETERS(LIST)                                                                           \
    stencil(z, zero, LIST(1, 2, 19)), stencil(n, nearest, LIST(1, 2, 19)),                         \
        stencil(p, periodic, LIST(1, 2, 19)), stencil(c, value(5), LIST(1, 1, 1)),                 \
        shifted(s, periodic, LIST(-3, 5, -18)), shifted(t, value(-2), LIST(0, -3, 2)), out(v)
#define LIST_1(a, b, c) c
#define LIST_2(a, b, c) b, c
#define LIST_3(a, b, c) a, b, c
/* clang-format off */
STN_MAP(open_1, (at(k), PARAMETERS(LIST_1)),
    v = STN_AT(z, k - 19) + 2 * STN_AT(z, k + 1) + 4 * STN_AT(n, k + 19) +
        8 * STN_AT(p, k + 19) + 16 * STN_AT(c, k - 1) + 32 * s + 64 * t;
)
STN_MAP(open_2, (at(j, k), PARAMETERS(LIST_2)),
    v = STN_AT(z, j - 2, k - 19) + 2 * STN_AT(z, j + 1, k + 1) + 4 * STN_AT(n, j + 2, k + 19) +
        8 * STN_AT(p, j - 2, k + 19) + 16 * STN_AT(c, j, k - 1) + 32 * s + 64 * t;
)
STN_MAP(open_3, (at(i, j, k), PARAMETERS(LIST_3)),
    v = STN_AT(z, i - 1, j - 2, k - 19) + 2 * STN_AT(z, i + 1, j + 1, k + 1) + 4 * STN_AT(n, i + 1, j + 2, k + 19) +
        8 * STN_AT(p, i - 1, j - 2, k + 19) + 16 * STN_AT(c, i + 1, j, k - 1) + 32 * s + 64 * t;
)
#define SHIFTS(LIST)                                                                               \
    shifted(a, periodic, LIST(-1, 0, 3)), shifted(b, periodic, LIST(2, -1, -60)),                  \
        shifted(c, zero, LIST(0, 1, 1)), shifted(d, zero, LIST(-1, 0, 0)), out(v)
STN_MAP(shifts_1, (SHIFTS(LIST_1)), v = a + 2 * b + 4 * c + 8 * d;)
STN_MAP(shifts_2, (SHIFTS(LIST_2)), v = a + 2 * b + 4 * c + 8 * d;)
STN_MAP(shifts_3, (SHIFTS(LIST_3)), v = a + 2 * b + 4 * c + 8 * d;)
STN_MAP(inside, (at(j, k), stencil(u, inside, 1, 1), shifted(w, inside, 0, 2), out(v)),
    v = STN_AT(u, j - 1, k - 1) + 2 * w;
)
STN_MAP(far, (at(j, k), stencil(u, zero, 64, 1), out(v)), v = STN_AT(u, j + 64, k);)
/* clang-format on */

/* ---- the same by plain loops ---- */

typedef enum rule { ZERO, NEAREST, PERIODIC, VALUE, NONE } rule;
typedef struct term {
    rule rule;
    int offset[3], value, weight;
} term;
static const term open_terms[] = {
    {ZERO, {-1, -2, -19}, 0, 1},    {ZERO, {1, 1, 1}, 0, 2},    {NEAREST, {1, 2, 19}, 0, 4},
    {PERIODIC, {-1, -2, 19}, 0, 8}, {VALUE, {1, 0, -1}, 5, 16}, {PERIODIC, {-3, 5, -18}, 0, 32},
    {VALUE, {0, -3, 2}, -2, 64},
};
static const term inside_terms[] = {{NONE, {0, -1, -1}, 0, 1}, {NONE, {0, 0, 2}, 0, 2}};

static const term shift_terms[] = {{PERIODIC, {-1, 0, 3}, 0, 1},
                                   {PERIODIC, {2, -1, -60}, 0, 2},
                                   {ZERO, {0, 1, 1}, 0, 4},
                                   {ZERO, {-1, 0, 0}, 0, 8}};

/* The kernels: stencils and shifts with boundaries; only of elements inside; several shifts of one
 * view, which share its decoded rows if these are long. */
typedef enum family { OPEN, INSIDE, SHIFTS } family;
static const struct {
    const term *terms;
    int count;
} sums[] = {{open_terms, COUNT_OF(open_terms)},
            {inside_terms, COUNT_OF(inside_terms)},
            {shift_terms, COUNT_OF(shift_terms)}};

static int code_at(int64_t i, int64_t j, int64_t k)
{
    return (int)((7 * i + 5 * j + 3 * k) % 11);
}

static double term_at(const term *of, const int64_t *extent, const int64_t *index)
{
    int64_t at[3];
    for (int d = 0; d < 3; d++) {
        at[d] = index[d] + of->offset[d];
        if (at[d] < 0 || at[d] >= extent[d]) {
            if (of->rule == ZERO || of->rule == VALUE)
                return of->value;
            at[d] = of->rule == PERIODIC ? (at[d] % extent[d] + extent[d]) % extent[d]
                    : at[d] < 0          ? 0
                                         : extent[d] - 1;
        }
    }
    return code_at(at[0], at[1], at[2]);
}

/* Of two dimensions: elements whose neighbors are inside, by the radius of u and the offset of w.
 */
static int is_inside(const int64_t *extent, const int64_t *index)
{
    return index[1] >= 1 && index[1] + 1 < extent[1] && index[2] >= 1 && index[2] + 2 < extent[2];
}

static double expected_at(int rank, family of, const int64_t *extent, const int64_t *index)
{
    double sum = 0;
    if (of == INSIDE && !is_inside(extent, index))
        return UNCHANGED;
    for (int k = 0; k < sums[of].count; k++) {
        term one = sums[of].terms[k];
        for (int d = 0; d < 3 - rank; d++)
            one.offset[d] = 0;
        sum += one.weight * term_at(&one, extent, index);
    }
    return sum;
}

/* ---- cases ---- */

static stn_status run(int rank, family of, const stn_exec *exec, const stn_view *u,
                      const stn_view *w, const stn_view *v)
{
    static stn_status (*const open[])(const stn_exec *, stn_format, const stn_view *,
                                      const stn_view *, const stn_view *, const stn_view *,
                                      const stn_view *, const stn_view *,
                                      const stn_view *) = {open_1_run, open_2_run, open_3_run};
    static stn_status (*const shifts[])(
        const stn_exec *, stn_format, const stn_view *, const stn_view *, const stn_view *,
        const stn_view *, const stn_view *) = {shifts_1_run, shifts_2_run, shifts_3_run};
    return of == OPEN     ? open[rank - 1](exec, STN_F64, u, w, u, w, u, w, v)
           : of == INSIDE ? inside_run(exec, STN_F64, u, w, v)
                          : shifts[rank - 1](exec, STN_F64, w, w, w, w, v);
}

/* Formats of u, w and v. */
typedef enum storages { WIDE, NARROW } storages;
static const stn_format formats[][3] = {{STN_F64, STN_F32, STN_F64}, {STN_F16, STN_BF16, STN_F16}};

static void wrap_values(const stn_exec *exec, stn_view *view, stn_format format, void *memory,
                        const double *values, int rank, const int64_t *extent)
{
    stn_view source;
    expect_ok(stn_view_wrap(&source, "values", stn_storage_of(STN_F64), (void *)(uintptr_t)values,
                            rank, extent));
    expect_ok(stn_view_wrap(view, "view", stn_storage_of(format), memory, rank, extent));
    expect_ok(stn_view_copy(exec, view, &source));
}

static void check(const stn_exec *exec, int rank, family of, storages stored, const int64_t *extent)
{
    static double values[MAX_ELEMENTS], results[MAX_ELEMENTS], memory[3][MAX_ELEMENTS];
    stn_view views[3], found;
    int64_t index[3], at = 0;
    for (index[0] = 0; index[0] < extent[0]; index[0]++)
        for (index[1] = 0; index[1] < extent[1]; index[1]++)
            for (index[2] = 0; index[2] < extent[2]; index[2]++, at++) {
                values[at] = code_at(index[0], index[1], index[2]);
                results[at] = UNCHANGED;
            }
    for (int k = 0; k < 3; k++)
        wrap_values(exec, &views[k], formats[stored][k], memory[k], k < 2 ? values : results, rank,
                    extent + 3 - rank);
    expect_ok(run(rank, of, exec, &views[0], &views[1], &views[2]));
    expect_ok(stn_view_wrap(&found, "results", stn_storage_of(STN_F64), results, rank,
                            extent + 3 - rank));
    expect_ok(stn_view_copy(exec, &found, &views[2]));
    at = 0;
    for (index[0] = 0; index[0] < extent[0]; index[0]++)
        for (index[1] = 0; index[1] < extent[1]; index[1]++)
            for (index[2] = 0; index[2] < extent[2]; index[2]++, at++)
                if (results[at] != expected_at(rank, of, extent, index))
                    fail_msg("%d of %d x %d x %d: %g", (int)at, (int)extent[0], (int)extent[1],
                             (int)extent[2], results[at]);
    for (int k = 0; k < 3; k++)
        expect_ok(stn_view_release(&views[k]));
}

/* Leading extents of 1 are dropped. Each kernel is compiled for strides of 1 and for others. */
static void check_all(const char *resource, int is_compiled, storages stored)
{
    static const int64_t extents[][3] = {{1, 1, 1},   {1, 1, 16},  {1, 1, 300}, {1, 2, 17},
                                         {1, 9, 70},  {1, 0, 20},  {2, 1, 18},  {4, 5, 33},
                                         {5, 6, 64},  {0, 3, 20},  {3, 0, 20},  {2, 3, 0},
                                         {1, 4, 300}, {3, 4, 130}, {1, 1, 1500}};
    stn_exec *exec;
    compilations = notes = 0;
    expect_ok(stn_exec_create(&exec, resource));
    const int first = stored == NARROW ? COUNT_OF(extents) - 3 : 0; /* long rows */
    const int count = COUNT_OF(extents) - first;
    for (int n = 0; n < (is_compiled ? 2 : 1) * count; n++) { /* the second time by tiles */
        const int k = first + n % count;
        const int rank = extents[k][0] != 1 ? 3 : extents[k][1] != 1 ? 2 : 1;
        check(exec, rank, OPEN, stored, extents[k]);
        if (rank == 2)
            check(exec, rank, INSIDE, stored, extents[k]);
        if (!is_compiled)
            check(exec, rank, SHIFTS, stored, extents[k]);
    }
    assert_in_range(compilations, is_compiled ? 4 : 0, is_compiled ? INT_MAX : 0);
    if (notes)
        fail_msg("%d notes, the last one %s", notes, last_note);
    stn_exec_release(exec);
}

UNIT_TEST(boundaries_without_compiler)
{
    check_all("reference", 0, WIDE);
    check_all("threads:threads=2", 0, WIDE);
    check_all("threads:threads=2", 0, NARROW);
}

UNIT_TEST(boundaries_compiled_at_run_time)
{
    check_all("threads:threads=2,jit", 1, WIDE);
}

/* Rows of narrow floats are decoded before the loop, and the last vectors of rows overlap. */
UNIT_TEST(boundaries_of_narrow_floats_compiled_at_run_time)
{
    check_all("threads:threads=2,jit", 1, NARROW);
}

/* The limit does not depend on whether the kernel could be compiled. */
UNIT_TEST(radius_of_too_many_rows)
{
    static const int64_t extents[] = {3, 40};
    static const char *const resources[] = {"threads", "threads:jit"};
    static double u[120], v[120];
    for (int k = 0; k < COUNT_OF(resources); k++) {
        stn_exec *exec;
        stn_view from, to;
        expect_ok(stn_exec_create(&exec, resources[k]));
        expect_ok(stn_view_wrap(&from, "u", stn_storage_of(STN_F64), u, 2, extents));
        expect_ok(stn_view_wrap(&to, "v", stn_storage_of(STN_F64), v, 2, extents));
        expect_error(far_run(exec, STN_F64, &from, &to), STN_ERR_UNSUPPORTED,
                     "the radius of u covers more than 128 rows");
        stn_exec_release(exec);
    }
}

static char folder[] = "/tmp/steno-test-XXXXXX";

static int begin(void **state)
{
    (void)state;
    setenv("STENO_CACHE", "off", 1);
    stn_event_set_hook(listen, NULL);
    return mkdtemp(folder) == NULL || make_compiler_in(folder, SYSTEM_COMPILER);
}

static int end(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

RUN_UNIT_TESTS(begin, end)
