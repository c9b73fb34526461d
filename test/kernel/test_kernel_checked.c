/* With STN_KERNEL_CHECKED, elements that a view does not have are not touched, and outputs that are
 * not assigned are noticed; the launch says so. */
#define STN_KERNEL_CHECKED
#include <stdio.h>

#include "measure/openmp.h"
#include "steno/kernel_fuse.h"
#include "make_view.h"

/* clang-format off */
STN_MAP(read_at, (index(n), at(i), gather(u, 1), out(v)), v = STN_AT(u, i + n);)
STN_MAP(read_two, (index(m), index(n), at(i, j), gather(u, 2), out(v)),
        v = STN_AT(u, i + m, j + n);)
STN_MAP(read_index, (index(n), at(i), gather(u, 1), out(v)), v = (real_t)STN_INDEX_AT(u, i + n);)
STN_MAP(put_at, (index(n), at(i), in(x), scatter(w, 1)), STN_PUT(w, x, i + n);)
STN_MAP(read_four, (index(n), at(i, j, k, l), gather(u, 4), out(v)),
        v = STN_AT(u, i, j, k, l + n);)
STN_MAP(read_three, (index(n), at(i, j, k), gather(u, 3), out(v)), v = STN_AT(u, i, j + n, k);)
STN_MAP(left_out, (real(bound), in(x), out(y)), if (x < bound) y = x;)
STN_FUSE(left_out_f32, left_out, f64, (real(bound), in(x, f64), out(y, f32)))
STN_MAP_INTEGER(left_out_integer, (real(bound), in(x), out(y)), if (x < bound) y = x;)
STN_MAP_COMPLEX(left_out_part, (in(x), out(y)), y.re = x.re; if (x.re < 7) y.im = 0;)
STN_MAP(left_out_anywhere, (real(bound), at(i, j), in(x), out(y)), if ((real_t)(10 * i + j) < bound) y = x;)
STN_MAP(left_out_nearby, (real(bound), at(i, j), stencil(x, nearest, 1, 1), out(y)),
        if ((real_t)(10 * i + j) < bound) y = STN_AT(x, i - 1, j + 1);)
/* clang-format on */

enum { N = 24, FRAME = 8 };
static const double mark = -77.0;

/* Arrays with a frame around them, in f64 and in f32. */
typedef struct framed {
    double u[N + 2 * FRAME], v[N + 2 * FRAME];
    float narrow[N + 2 * FRAME];
    stn_view wide_u, narrow_u, out;
    stn_exec *exec;
} framed;

static void wrap(framed *f, int rank, const int64_t *extent)
{
    f->wide_u = wrap_view("u", stn_storage_of(STN_F64), f->u + FRAME, rank, extent);
    f->narrow_u = wrap_view("u", stn_storage_of(STN_F32), f->narrow + FRAME, rank, extent);
    f->out = wrap_view("v", stn_storage_of(STN_F64), f->v + FRAME, rank, extent);
}

static void begin(framed *f, const char *resource)
{
    for (int k = 0; k < N + 2 * FRAME; k++) {
        const int inside = k >= FRAME && k < N + FRAME;
        f->u[k] = f->narrow[k] = (float)(inside ? k - FRAME : mark);
        f->v[k] = mark;
    }
    expect_ok(stn_exec_create(&f->exec, resource));
}

static void expect_beyond(stn_status status, const char *access)
{
    char sentence[96];
    (void)snprintf(sentence, sizeof sentence, ": the body %s outside its extents: ", access);
    assert_int_equal(status, STN_ERR_RANGE);
    if (strncmp(stn_error(), "kernel ", 7) != 0 || !strstr(stn_error(), sentence))
        fail_msg("\"%s\"", stn_error());
}

static void check_executor(const char *resource)
{
    const int64_t row[] = {N}, box[] = {2, 3, 2, 2}, solid[] = {2, 4, 3}, matrix[] = {4, 6};
    framed f;
    begin(&f, resource);
    for (int which = 0; which < 2; which++) {
        wrap(&f, 1, row);
        const stn_view *u = which ? &f.narrow_u : &f.wide_u;
        expect_ok(read_at_run(f.exec, STN_F64, 0, u, &f.out));
        assert_true(f.v[FRAME + N - 1] == N - 1);
        expect_beyond(read_at_run(f.exec, STN_F64, 1, u, &f.out), "reads an element of u");
        assert_true(f.v[FRAME] == 1.0 && f.v[FRAME + N - 2] == N - 1);
        expect_beyond(read_at_run(f.exec, STN_F64, -1, u, &f.out), "reads an element of u");
        expect_beyond(read_at_run(f.exec, STN_F64, INT64_C(1) << 60, u, &f.out),
                      "reads an element of u");
        expect_ok(read_index_run(f.exec, STN_F64, 0, u, &f.out));
        expect_beyond(read_index_run(f.exec, STN_F64, -1, u, &f.out), "reads an element of u");
        wrap(&f, 2, matrix);
        expect_ok(read_two_run(f.exec, STN_F64, 0, 0, u, &f.out));
        expect_beyond(read_two_run(f.exec, STN_F64, 1, 0, u, &f.out), "reads an element of u");
        expect_beyond(read_two_run(f.exec, STN_F64, 0, 1, u, &f.out), "reads an element of u");
        expect_beyond(read_two_run(f.exec, STN_F64, 0, -1, u, &f.out), "reads an element of u");
        wrap(&f, 3, solid);
        expect_ok(read_three_run(f.exec, STN_F64, 0, u, &f.out));
        expect_beyond(read_three_run(f.exec, STN_F64, 1, u, &f.out), "reads an element of u");
        wrap(&f, 4, box);
        expect_ok(read_four_run(f.exec, STN_F64, 0, u, &f.out));
        expect_beyond(read_four_run(f.exec, STN_F64, 1, u, &f.out), "reads an element of u");
    }
    stn_exec_release(f.exec);
}

UNIT_TEST(test_reads)
{
    check_executor("reference");
    check_executor(OPENMP ":threads=3");
    check_executor("threads:jit");
}

/* What would be stored outside is not. */
UNIT_TEST(test_stores)
{
    const int64_t row[] = {N};
    framed f;
    begin(&f, "threads:threads=2");
    wrap(&f, 1, row);
    expect_beyond(put_at_run(f.exec, STN_F64, 3, &f.wide_u, &f.out),
                  "stores or reads an element of w");
    for (int k = 0; k < N + 2 * FRAME; k++)
        assert_true(f.v[k] == (k >= FRAME + 3 && k < FRAME + N ? k - FRAME - 3 : mark));
    expect_beyond(put_at_run(f.exec, STN_F64, -N - FRAME, &f.wide_u, &f.out),
                  "stores or reads an element of w");
    assert_true(f.v[0] == mark);
    stn_exec_release(f.exec);
}

UNIT_TEST(test_unassigned)
{
    static const char words[] = ": an element of y was not assigned: y";
    static int64_t from[N], to[N];
    const int64_t count = N;
    for (int e = 0; e < 2; e++) {
        double x[N], y[N];
        stn_f16 narrow[N];
        stn_exec *exec;
        expect_ok(stn_exec_create(&exec, e ? OPENMP ":threads=3" : "reference"));
        for (int k = 0; k < N; k++)
            x[k] = (double)(from[k] = k);
        const stn_view vx = wrap_view("x", stn_storage_of(STN_F64), x, 1, &count);
        const stn_view vy = wrap_view("y", stn_storage_of(STN_F64), y, 1, &count);
        const stn_view vn = wrap_view("y", stn_storage_of(STN_F16), narrow, 1, &count);
        const stn_view vfrom = wrap_view("x", stn_storage_of(STN_I64), from, 1, &count);
        const stn_view vto = wrap_view("y", stn_storage_of(STN_I64), to, 1, &count);
        expect_ok(left_out_run(exec, STN_F64, N, &vx, &vy));
        expect_ok(left_out_run(exec, STN_F32, N, &vx, &vn));
        expect_ok(left_out_integer_run(exec, STN_I64, N, &vfrom, &vto));
        expect_error(left_out_run(exec, STN_F64, N - 1, &vx, &vy), STN_ERR_ARGUMENT, words);
        assert_true(y[N - 2] == N - 2 && y[N - 1] != y[N - 1]);
        expect_error(left_out_run(exec, STN_F32, 1, &vx, &vn), STN_ERR_ARGUMENT, words);
        expect_error(left_out_integer_run(exec, STN_I64, 3, &vfrom, &vto), STN_ERR_ARGUMENT, words);
        stn_exec_release(exec);
    }
}

/* In every tier and order of work: fused, block by block, row by row around stencils. */
UNIT_TEST(test_unassigned_everywhere)
{
    enum { ROWS = 40, COLUMNS = 70 };
    static double x[ROWS * COLUMNS], y[ROWS * COLUMNS];
    static float narrow[ROWS * COLUMNS];
    static stn_c64 from[N], to[N];
    const int64_t extent[] = {ROWS, COLUMNS}, left[] = {1, ROWS}, count = N;
    const char *const executors[] = {"reference", OPENMP ":threads=1", OPENMP ":threads=3",
                                     "threads:jit"};
    for (int k = 0; k < ROWS * COLUMNS; k++)
        x[k] = k;
    const stn_view vx = wrap_view("x", stn_storage_of(STN_F64), x, 2, extent);
    const stn_view vy = wrap_view("y", stn_storage_of(STN_F64), y, 2, extent);
    const stn_view vleft = wrap_strided("y", stn_storage_of(STN_F64), y, 2, extent, left);
    const stn_view vnarrow = wrap_view("y", stn_storage_of(STN_F32), narrow, 2, extent);
    const stn_view vfrom = wrap_view("x", stn_storage_of(STN_C64), from, 1, &count);
    const stn_view vto = wrap_view("y", stn_storage_of(STN_C64), to, 1, &count);
    for (int e = 0; e < COUNT_OF(executors); e++) {
        stn_exec *exec;
        expect_ok(stn_exec_create(&exec, executors[e]));
        for (int lacks = 0; lacks < 2; lacks++) {
            const stn_status expected = lacks ? STN_ERR_ARGUMENT : STN_OK;
            const double all = ROWS * COLUMNS - lacks;
            const double last = 10 * (ROWS - 1) + COLUMNS - lacks;
            from[N - 1].re = lacks ? 8.0f : 6.0f;
            assert_int_equal(left_out_run(exec, STN_F64, all, &vx, &vy), expected);
            assert_int_equal(left_out_run(exec, STN_F64, all, &vx, &vleft), expected);
            assert_int_equal(left_out_run(exec, STN_F64, all, &vx, &vnarrow), expected);
            assert_int_equal(left_out_part_run(exec, STN_C128, &vfrom, &vto), expected);
            assert_int_equal(left_out_part_run(exec, STN_C64, &vfrom, &vto), expected);
            assert_int_equal(left_out_anywhere_run(exec, STN_F32, last, &vx, &vleft), expected);
            assert_int_equal(left_out_nearby_run(exec, STN_F64, last, &vx, &vnarrow), expected);
        }
        stn_exec_release(exec);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
