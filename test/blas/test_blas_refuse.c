/* What BLAS refuses: each status of blas.h, with the function and the operand in the message, and
 * nothing written; calls without memory; and how many results saturate. Most cases are generated
 * from the table of levels.c. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "core/memory.h"
#include "levels.h"
#include "make_view.h"
#include "order_oracle.h"

enum { N = 6, CAPACITY = 64 };

/* ---- a valid call, of which one thing becomes invalid ---- */

typedef struct call {
    const levels_function *f;
    stn_format arithmetic;
    double memory[LEVELS_VIEWS][2 * CAPACITY], before[LEVELS_VIEWS][2 * CAPACITY];
    stn_view view[LEVELS_VIEWS];
    int null; /* the operand that is NULL, or -1 */
    const stn_exec *exec;
    levels_choice choice;
} call;

/* In place, since views have the addresses of `memory`. */
static void make_valid(call *c, const levels_function *f, stn_format arithmetic, int setting)
{
    static const char *const labels[] = {"alfa", "bravo", "charlie"};
    static const levels_choice choice = {.alpha = {2.0, 0.5},
                                         .beta = {0.5, 1.0},
                                         .c = 0.6,
                                         .s = 0.8,
                                         .parameter = {-1.0, 0.5, 0.25, 2.0, 3.0}};
    memset(c, 0, sizeof *c);
    c->f = f;
    c->arithmetic = arithmetic;
    c->null = -1;
    c->exec = order_use(setting);
    c->choice = choice;
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        levels_extents(f, v, N, N, extents);
        for (int k = 0; k < 2 * CAPACITY; k++)
            c->memory[v][k] = c->before[v][k] = k % 7 - 3.0;
        c->view[v] = wrap_view(labels[v], stn_storage_of(arithmetic), c->memory[v],
                               levels_rank(f, v), extents);
    }
}

static stn_status run(const call *c, levels_result *result)
{
    const stn_view *views[LEVELS_VIEWS] = {NULL};
    for (int v = 0; c->f->shapes[v]; v++)
        views[v] = v == c->null ? NULL : &c->view[v];
    return c->f->run(c->exec, c->arithmetic, &c->choice, views, result);
}

static void check_refused(const call *c, int v, stn_status status, const char *what)
{
    levels_result result = {{7.0, 7.0}, 7};
    const stn_status found = run(c, &result);
    if (found != status || !strstr(stn_error(), c->f->name))
        fail_msg("%s in format %d, operand %d, %s: %s, not %s: %s", c->f->name, (int)c->arithmetic,
                 v, what, stn_status_name(found), stn_status_name(status), stn_error());
    assert_true(result.number.re == 7.0 && result.place == 7);
    assert_memory_equal(c->memory, c->before, sizeof c->memory);
}

static void each(void (*test)(const levels_function *f, stn_format arithmetic))
{
    for (const levels_function *f = levels_functions; f < levels_functions + levels_count; f++) {
        if (f->kinds & LEVELS_REAL)
            test(f, STN_F64);
        if (f->kinds & LEVELS_COMPLEX)
            test(f, STN_C128);
    }
}

/* Memory of another operand, `elements` after its first one. */
static void *inside(call *c, int other, int64_t elements)
{
    return (char *)c->memory[other] + elements * (c->arithmetic == STN_F64 ? 8 : 16);
}

/* Makes thing `which` of operand v invalid. Returns the status of the call: STN_OK where the thing
 * does not apply, -1 after the last one. */
#define SPOIL(applies, status, ...)                                                                \
    if (which == number++) {                                                                       \
        *what = #__VA_ARGS__;                                                                      \
        if (!(applies))                                                                            \
            return STN_OK;                                                                         \
        __VA_ARGS__;                                                                               \
        return STN_ERR_##status;                                                                   \
    }
static int spoil(call *c, int v, int which, const char **what)
{
    stn_view *const x = &c->view[v];
    const char *const shapes = c->f->shapes;
    const int is_real = c->arithmetic == STN_F64, is_written = c->f->written >> v & 1;
    const int rank = levels_rank(c->f, v), count = (int)strlen(shapes);
    const int has_extents = shapes[1] != 0, has_square = strchr(shapes, 's') != NULL;
    const int is_triangular = shapes[0] == 's' && count == 2;
    const int next = (v + 1) % count, after_next = (v + 2) % count;
    int number = 0;
    stn_format opaque;
    expect_ok(stn_format_opaque(&opaque, 8, 8));
    SPOIL(v == 0, ARGUMENT, c->exec = NULL)
    SPOIL(1, ARGUMENT, c->null = v)
    SPOIL(1, ARGUMENT, memset(x, 0, sizeof *x))
    SPOIL(1, ARGUMENT, x->size += 8)
    SPOIL(is_written, ARGUMENT, x->read_only = 1)
    SPOIL(v == 0 && has_square, ARGUMENT, c->choice.triangle = (stn_triangle)2)
    SPOIL(v == 0 && is_triangular, ARGUMENT, c->choice.diagonal = (stn_diagonal)-1)
    SPOIL(v == 0 && is_triangular, ARGUMENT, c->choice.conj = (stn_conjugate)5)
    SPOIL(1, ARGUMENT, x->storage.scale = 0.0)
    SPOIL(1, ARGUMENT, x->storage.scale = (double)INFINITY)
    SPOIL(is_real, ARGUMENT, x->storage.scale = 1e300, c->arithmetic = STN_F32)
    SPOIL(is_real, ARGUMENT, x->storage.scale = -1e-300, c->arithmetic = STN_F32)
    SPOIL(1, ARGUMENT, x->storage.zero = (double)NAN)
    SPOIL(1, ARGUMENT, x->storage.rounding = (stn_rounding)9)
    SPOIL(1, ARGUMENT, x->storage.overflow = (stn_overflow)9)
    SPOIL(1, UNSUPPORTED, x->traits = STN_TRAIT_ATOMIC)
    SPOIL(1, UNSUPPORTED, x->storage = stn_storage_of(is_real ? STN_C64 : STN_F32))
    SPOIL(is_real, UNSUPPORTED, x->storage = stn_storage_of(STN_C128))
    SPOIL(is_real, UNSUPPORTED, x->storage = stn_storage_of(STN_C32))
    SPOIL(1, UNSUPPORTED, x->storage = stn_storage_of(opaque))
    SPOIL(!(c->f->kinds & LEVELS_COMPLEX), UNSUPPORTED, c->arithmetic = STN_C128)
    SPOIL(!(c->f->kinds & LEVELS_COMPLEX), UNSUPPORTED, c->arithmetic = STN_C64)
    SPOIL(!(c->f->kinds & LEVELS_REAL), UNSUPPORTED, c->arithmetic = STN_F64)
    SPOIL(!(c->f->kinds & LEVELS_REAL), UNSUPPORTED, c->arithmetic = STN_F32)
    SPOIL(1, UNSUPPORTED, c->arithmetic = STN_F16)
    SPOIL(1, UNSUPPORTED, c->arithmetic = STN_I64)
    SPOIL(1, UNSUPPORTED, c->arithmetic = -1)
    SPOIL(1, UNSUPPORTED, c->arithmetic = 99999)
    SPOIL(1, SHAPE, x->rank = rank == 1 ? 0 : 1)
    SPOIL(1, SHAPE, x->rank++, x->extent[rank] = x->stride[rank] = 1)
    SPOIL(has_extents && (shapes[v] != 'w' || rank > 1), SHAPE, x->extent[0] = N - 1)
    SPOIL(has_extents && (shapes[v] != 'w' || rank > 1), SHAPE, x->extent[0] = 1)
    SPOIL(has_extents && rank == 2 && shapes[v] != 'w', SHAPE, x->extent[1] = N - 1)
    SPOIL(has_extents && rank == 2 && shapes[v] != 'w', SHAPE, x->extent[1] = 1)
    SPOIL(is_written, ALIAS, x->stride[0] = 0)
    SPOIL(is_written && next != v, ALIAS, x->data = inside(c, next, 1))
    SPOIL(is_written && after_next != v, ALIAS, x->data = inside(c, after_next, 1))
    SPOIL(is_written && rank == 1 && next != v, ALIAS, x->data = inside(c, next, N - 1),
          x->stride[0] = -1)
    SPOIL(is_written && is_real && next != v, ALIAS, x->data = c->memory[next],
          x->storage = stn_storage_of(STN_I64))
    return -1;
}

static void check_spoiled(const levels_function *f, stn_format arithmetic)
{
    call c;
    for (int v = 0; f->shapes[v]; v++)
        for (int which = 0, status = 0; status >= 0; which++) {
            const char *what = "";
            make_valid(&c, f, arithmetic, 1);
            status = spoil(&c, v, which, &what);
            if (status > 0)
                check_refused(&c, v, (stn_status)status, what);
        }
}

UNIT_TEST(test_generated)
{
    each(check_spoiled);
}

/* Operands that are only read may be read-only. */
static void check_read_only(const levels_function *f, stn_format arithmetic)
{
    call c;
    levels_result result;
    make_valid(&c, f, arithmetic, 1);
    for (int v = 0; f->shapes[v]; v++)
        c.view[v].read_only = !(f->written >> v & 1);
    expect_ok_for(run(&c, &result), f->name);
}

UNIT_TEST(test_read_only)
{
    each(check_read_only);
}

/* ---- other arguments, and complete messages ---- */

UNIT_TEST(test_rotations_and_results)
{
    const int64_t count = N;
    double memory[2][N] = {{0}}, r = 0, numbers[5] = {0.5};
    stn_c128 z = {0, 0};
    const stn_exec *const exec = order_use(1);
    const stn_view x = wrap_view("x", f64(), memory[0], 1, &count),
                   y = wrap_view("y", f64(), memory[1], 1, &count);
    stn_view c64 = x;
    c64.storage = stn_storage_of(STN_C64);
    const stn_status argument = STN_ERR_ARGUMENT, unsupported = STN_ERR_UNSUPPORTED;
    expect_error(stn_rotm(exec, STN_F64, &x, &y, numbers), argument, NULL);
    expect_error(stn_rotm(exec, STN_F64, &x, &y, NULL), argument, NULL);
    expect_error(stn_nrm2(exec, STN_F64, NULL, &x), argument, NULL);
    expect_error(stn_asum(exec, STN_F64, NULL, &x), argument, NULL);
    expect_error(stn_iamax(exec, STN_F64, NULL, &x), argument, NULL);
    expect_error(stn_dot(exec, STN_F64, NULL, &x, &y), argument, "NULL");
    expect_error(stn_dotu(exec, STN_C64, NULL, &c64, &c64), argument, NULL);
    expect_error(stn_dotc(exec, STN_C64, NULL, &c64, &c64), argument, NULL);
    expect_error(stn_rotg(STN_F64, NULL, &r, &r, &r), argument, NULL);
    expect_error(stn_rotg(STN_F64, &r, &r, &r, NULL), argument, NULL);
    expect_error(stn_rotg(STN_C64, &r, &r, &r, &r), unsupported, NULL);
    expect_error(stn_rotg_complex(STN_C64, &z, NULL, &r, &z), argument, NULL);
    expect_error(stn_rotg_complex(STN_F64, &z, &z, &r, &z), unsupported, NULL);
    expect_error(stn_rotmg(STN_F64, &r, &r, &r, 1.0, NULL), argument, NULL);
    expect_error(stn_rotmg(STN_I64, &r, &r, &r, 1.0, numbers), unsupported, NULL);
}

#define EXPECT_MESSAGE(call, status, message)                                                      \
    do {                                                                                           \
        expect_error(call, status, NULL);                                                          \
        assert_string_equal(stn_error(), message);                                                 \
    } while (0)

/* Which argument it is, its value, and what is allowed. */
UNIT_TEST(test_messages)
{
    static const int64_t extents[] = {4, 4}, five = 5;
    static double memory[64];
    const stn_exec *const exec = order_use(0);
    const stn_status argument = STN_ERR_ARGUMENT, unsupported = STN_ERR_UNSUPPORTED,
                     shape = STN_ERR_SHAPE;
    const stn_view a = wrap_view("A", f64(), memory, 2, extents),
                   c = wrap_view("C", f64(), memory + 16, 2, extents),
                   x = wrap_view("X", f64(), memory + 32, 1, extents),
                   y = wrap_view("Y", f64(), memory + 40, 1, &five),
                   z = wrap_view("Z", stn_storage_of(STN_C128), memory + 48, 1, extents),
                   none = {.size = 0};
    stn_view other = x;
    stn_c128 result;
    double value;
    other.size = 1;
    EXPECT_MESSAGE(stn_axpy(exec, STN_F64, 1, NULL, &x), argument, "stn_axpy: x is NULL");
    EXPECT_MESSAGE(stn_axpy(exec, STN_F64, 1, &x, &none), argument,
                   "stn_axpy: y is an empty view (not created, or released)");
    EXPECT_MESSAGE(stn_axpy(exec, STN_F64, 1, &x, &other), argument,
                   "stn_axpy: y is not an initialized view: its member size is 1, not 256");
    EXPECT_MESSAGE(stn_dotu(exec, STN_C128, &result, &z, NULL), argument, "stn_dotu: y is NULL");
    EXPECT_MESSAGE(stn_gemv(exec, STN_F64, 1, NULL, &x, 0, &x), argument, "stn_gemv: a is NULL");
    EXPECT_MESSAGE(stn_gemm(exec, STN_F64, 1, &a, NULL, 0, &c), argument, "stn_gemm: b is NULL");
    EXPECT_MESSAGE(stn_gemm(exec, STN_F64, 1, &a, &a, 0, &none), argument,
                   "stn_gemm: c is an empty view (not created, or released)");
    EXPECT_MESSAGE(stn_symm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, 1, &a, NULL, 0, &c), argument,
                   "stn_symm: b is NULL");
    EXPECT_MESSAGE(stn_symm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, 1, NULL, &a, 0, &c), argument,
                   "stn_symm: a is NULL");
    EXPECT_MESSAGE(stn_dot(exec, STN_I32, &value, &x, &x), unsupported,
                   "stn_dot: arithmetic is i32; it must be f64 or f32");
    EXPECT_MESSAGE(stn_nrm2(exec, 9999, &value, &x), unsupported,
                   "stn_nrm2: arithmetic is format 9999; it must be f64, f32, c128 or c64");
    EXPECT_MESSAGE(stn_rotg(STN_C64, memory, memory, memory, memory), unsupported,
                   "stn_rotg: arithmetic is c64; it must be f64 or f32");
    EXPECT_MESSAGE(stn_rotg(STN_F64, memory, memory, NULL, memory), argument,
                   "stn_rotg: c is NULL");
    EXPECT_MESSAGE(
        stn_trsv(exec, STN_F64, (stn_triangle)7, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &a, &x),
        argument, "stn_trsv: triangle is 7; it must be STN_LOWER (0) or STN_UPPER (1)");
    EXPECT_MESSAGE(
        stn_trsv(exec, STN_F64, STN_LOWER, (stn_diagonal)2, STN_NO_CONJUGATE, &a, &x), argument,
        "stn_trsv: diagonal is 2; it must be STN_DIAGONAL_NON_UNIT (0) or STN_DIAGONAL_UNIT (1)");
    EXPECT_MESSAGE(stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, (stn_conjugate)-1, &a, &x),
                   argument,
                   "stn_trsv: conj is -1; it must be STN_NO_CONJUGATE (0) or STN_CONJUGATE (1)");
    EXPECT_MESSAGE(stn_symm(exec, STN_F64, (stn_side)3, STN_LOWER, 1, &a, &a, 0, &c), argument,
                   "stn_symm: side is 3; it must be STN_SIDE_LEFT (0) or STN_SIDE_RIGHT (1)");
    expect_error(stn_dot(NULL, STN_F64, &value, &x, &x), argument, "exec is NULL");
    expect_error(stn_dot(exec, STN_F64, &value, &x, &y), shape, "X (f64, 4)");
    expect_error(stn_axpy(exec, STN_F64, 1, &x, &y), shape, "Y (f64, 5)");
    expect_error(stn_gemv(exec, STN_F64, 1, &a, &y, 0, &x), shape,
                 "must have 4 elements, one per column of A (f64, 4 x 4)");
    expect_error(stn_gemv(exec, STN_F64, 1, &a, &x, 0, &y), shape,
                 "Y (f64, 5) must have 4 elements, one per row");
    expect_error(stn_gemv(exec, STN_F64, 1, &x, &x, 0, &y), shape, "X (f64, 4)");
    expect_error(stn_axpy(exec, STN_F64, 1, &a, &x), shape, "A (f64, 4 x 4)");
    expect_error(stn_axpy(exec, STN_F64, 1, &a, &x), shape, "rank 2");
    expect_error(stn_ger(exec, STN_F64, 1, &x, &y, &a), shape, "times the transpose of");
    expect_error(stn_gemv(exec, STN_F64, 1, &a, &x, 0, &x), STN_ERR_ALIAS, "X");
    other = x;
    other.storage.scale = 1e300;
    expect_error(stn_axpy(exec, STN_F32, 1, &other, &c), shape, NULL);
    expect_error(stn_dot(exec, STN_F32, &value, &other, &x), argument, "1e+300");
}

UNIT_TEST(test_gemvt)
{
    enum { M = 4, COLUMNS = 200 };
    const int64_t extents[] = {M, COLUMNS}, few = M - 1;
    double a[M * COLUMNS] = {0}, x[M] = {0}, y[COLUMNS] = {1.0}, z[M] = {1.0};
    const stn_view va = wrap_view("a", f64(), a, 2, extents),
                   vx = wrap_view("x", f64(), x, 1, extents),
                   vy = wrap_view("y", f64(), y, 1, &extents[1]),
                   vz = wrap_view("z", f64(), z, 1, extents),
                   shorter = wrap_view("shorter", f64(), z, 1, &few),
                   in_y = wrap_view("in y", f64(), y + 2, 1, extents),
                   in_a = wrap_view("in a", f64(), a + 2, 1, extents);
    stn_view constant;
    expect_ok(stn_view_wrap_const(&constant, "constant", f64(), z, 1, extents));
    const struct {
        int has_exec;
        stn_format arithmetic;
        const stn_view *a, *x, *y, *z;
        stn_status status;
    } cases[] = {
        {0, STN_F64, &va, &vx, &vy, &vz, STN_ERR_ARGUMENT},
        {1, STN_F64, NULL, &vx, &vy, &vz, STN_ERR_ARGUMENT},
        {1, STN_F64, &va, &vx, &vy, NULL, STN_ERR_ARGUMENT},
        {1, STN_F64, &va, &vx, &vy, &constant, STN_ERR_ARGUMENT},
        {1, STN_I64, &va, &vx, &vy, &vz, STN_ERR_UNSUPPORTED},
        {1, STN_F64, &va, &vy, &vy, &vz, STN_ERR_SHAPE},
        {1, STN_F64, &va, &vx, &vx, &vz, STN_ERR_SHAPE},
        {1, STN_F64, &va, &vx, &vy, &shorter, STN_ERR_SHAPE},
        {1, STN_F64, &va, &vx, &vy, &in_y, STN_ERR_ALIAS},
        {1, STN_F64, &va, &in_y, &vy, &vz, STN_ERR_ALIAS},
        {1, STN_F64, &va, &vx, &vy, &in_a, STN_ERR_ALIAS},
    };
    for (int k = 0; k < COUNT_OF(cases); k++)
        expect_error(stn_gemvt(cases[k].has_exec ? order_use(1) : NULL, cases[k].arithmetic, 1.0,
                               cases[k].a, cases[k].x, 1.0, cases[k].y, cases[k].z),
                     cases[k].status, NULL);
    assert_true(y[0] == 1.0 && z[0] == 1.0);
}

/* A scale of 0 of any block. */
UNIT_TEST(test_scales_of_blocks)
{
    enum { M = 4, COLUMNS = 256, ROW = COLUMNS / 32 };
    const int64_t extents[] = {M, COLUMNS};
    int8_t a[M * COLUMNS] = {1};
    float scales[M * ROW];
    double x[M] = {1.0}, y[COLUMNS] = {1.0}, z[M] = {1.0};
    const stn_exec *const exec = order_use(1);
    const stn_scales blocks = {
        .data = scales, .format = STN_F32, .dimension = 1, .block = 32, .stride = {ROW, 1}};
    stn_view va = wrap_view("a", stn_storage_of(STN_I8), a, 2, extents);
    const stn_view vx = wrap_view("x", f64(), x, 1, extents),
                   vy = wrap_view("y", f64(), y, 1, &extents[1]),
                   vz = wrap_view("z", f64(), z, 1, extents);
    expect_ok(stn_view_set_scales(&va, &blocks));
    for (int bad = 0; bad < M * ROW; bad++) {
        for (int k = 0; k < M * ROW; k++)
            scales[k] = k == bad ? 0.0f : 1.0f;
        expect_error(stn_gemvt(exec, STN_F64, -1.0, &va, &vx, 1.0, &vy, &vz), STN_ERR_ARGUMENT,
                     NULL);
        expect_error(stn_gemv(exec, STN_F64, -1.0, &va, &vy, 1.0, &vz), STN_ERR_ARGUMENT, NULL);
    }
    assert_true(y[0] == 1.0 && y[1] == 0.0 && z[0] == 1.0 && z[1] == 0.0);
}

/* Matrices by columns of values, which have fast paths. */
UNIT_TEST(test_fast_paths)
{
    static const int64_t extents[] = {100, 100}, strides[] = {1, 100};
    static double matrix[100 * 100], values[100], results[100];
    const stn_c128 one = {1, 0};
    const stn_exec *const exec = order_use(order_settings() - 1);
    const stn_view a = wrap_strided("A", f64(), matrix, 2, extents, strides),
                   x = wrap_view("x", f64(), values, 1, extents),
                   y = wrap_view("y", f64(), results, 1, extents);
    for (int k = 0; k < 100; k++)
        values[k] = 1 + k;
    expect_error(stn_hemv(exec, STN_F64, STN_LOWER, one, &a, &x, one, &y), STN_ERR_UNSUPPORTED,
                 NULL);
    expect_error(stn_symv(exec, STN_F64, STN_LOWER, 1, &a, &x, 0, &x), STN_ERR_ALIAS, NULL);
    expect_error(
        stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &a, NULL),
        STN_ERR_ARGUMENT, NULL);
    for (int k = 0; k < 100; k++)
        assert_true(values[k] == 1 + k && results[k] == 0);
}

/* Of level 3, packed matrices can only be read, banded ones not at all. */
UNIT_TEST(test_layouts_of_level_3)
{
    static const int64_t square[] = {4, 4};
    static double memory[10], dense[16], result[16];
    const stn_layout of_packed = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT),
                     of_banded = stn_layout_banded(0, 0, 1, STN_LAYOUT_LEFT);
    const stn_view packed = wrap_layout("p", f64(), memory, &of_packed, 2, square),
                   banded = wrap_layout("b", f64(), memory, &of_banded, 2, square),
                   a = wrap_view("a", f64(), dense, 2, square),
                   c = wrap_view("c", f64(), result, 2, square);
    const stn_exec *const exec = order_use(1);
    const stn_status unsupported = STN_ERR_UNSUPPORTED;
    expect_error(stn_syrk(exec, STN_F64, STN_UPPER, 1.0, &a, 1.0, &packed), unsupported, "packed");
    expect_error(stn_syrk(exec, STN_F64, STN_UPPER, 1.0, &a, 1.0, &banded), unsupported, "banded");
    expect_error(stn_gemm(exec, STN_F64, 1.0, &a, &banded, 1.0, &c), unsupported, NULL);
    expect_error(stn_trsm(exec, STN_F64, STN_SIDE_LEFT, STN_UPPER, STN_DIAGONAL_UNIT, 1.0,
                          STN_NO_CONJUGATE, &banded, &c),
                 unsupported, NULL);
}

/* ---- what does not overlap ---- */

/* Neighbors do not overlap, nor does an empty view anything; the same view with another scale is
 * read before it is written. */
UNIT_TEST(test_no_overlap)
{
    const double expected[8] = {1, 2, 3, 4, 12, 24, 36, 48};
    const int64_t count = 4, none = 0;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *const exec = order_use(setting);
        double memory[8] = {1, 2, 3, 4, 10, 20, 30, 40};
        stn_view x = wrap_view("x", f64(), memory, 1, &count);
        const stn_view y = wrap_view("y", f64(), memory + 4, 1, &count),
                       empty = wrap_view("empty", f64(), memory + 4, 1, &none);
        expect_ok(stn_axpy(exec, STN_F64, 2.0, &x, &y));
        assert_memory_equal(memory, expected, sizeof memory);
        x = y;
        x.storage.scale = 0.5;
        expect_ok(stn_axpy(exec, STN_F64, 2.0, &x, &y));
        for (int k = 4; k < 8; k++)
            assert_true(memory[k] == 2.0 * expected[k]);
        expect_ok(stn_axpy(exec, STN_F64, 2.0, &empty, &empty));
    }
}

/* ---- memory ---- */

/* Allocation 1, 2, ... fails until the call succeeds. */
static void check_no_memory(const levels_function *f, stn_format arithmetic)
{
    for (int setting = 0; setting < order_settings(); setting += 2) {
        call c;
        levels_result result;
        stn_status status = STN_ERR_MEMORY;
        make_valid(&c, f, arithmetic, setting);
        for (int64_t nth = 1; status != STN_OK; nth++) {
            assert_true(nth < 20);
            stn_fail_allocation(nth);
            status = run(&c, &result);
            stn_fail_allocation(0);
            if (status != STN_OK && (status != STN_ERR_MEMORY || !strstr(stn_error(), f->name)))
                fail_msg("%s: %s", f->name, stn_error());
            if (status != STN_OK)
                assert_memory_equal(c.memory, c.before, sizeof c.memory);
        }
    }
}

UNIT_TEST(test_no_memory)
{
    each(check_no_memory);
}

/* stn_gemv of decoded rows, which needs memory on each executor. */
UNIT_TEST(test_no_memory_for_rows)
{
    static const int64_t shapes[][2] = {{50, 300}, {2, 3000}};
    for (int k = 0; k < 2 * order_settings(); k++) {
        const stn_storage f16 = stn_storage_of(STN_F16);
        const int64_t *const extents = shapes[k % 2], strides[] = {extents[1], 1};
        order_array a = order_make(f16, 2, extents, strides, ORDER_MIXED, 1),
                    x = order_make_vector(f16, extents[1], 1, ORDER_MIXED, 2),
                    y = order_make_vector(f16, extents[0], 1, ORDER_MIXED, 3);
        const stn_view va = order_view(&a, "a"), vx = order_view(&x, "x"), vy = order_view(&y, "y");
        uint8_t *const before = order_image(&y);
        int64_t nth = 1;
        for (stn_status status = STN_ERR_MEMORY; status != STN_OK; nth++) {
            stn_fail_allocation(nth);
            status = stn_gemv(order_use(k / 2), k % 2 ? STN_F32 : STN_F64, 2.0, &va, &vx, 1.0, &vy);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            expect_error(status, STN_ERR_MEMORY, "stn_gemv");
            assert_memory_equal(y.memory, before, (size_t)y.bytes);
        }
        assert_in_range(nth, 2, 19);
        free(before);
        order_drop(&a);
        order_drop(&x);
        order_drop(&y);
    }
}

/* dot and axpy allocate nothing. */
UNIT_TEST(test_no_need_of_memory)
{
    enum { COUNT = 20000 };
    order_array x = order_make_vector(stn_storage_of(STN_I16), COUNT, 2, ORDER_MIXED, 4),
                y = order_make_vector(stn_storage_of(STN_F16), COUNT, 1, ORDER_MIXED, 3);
    const stn_view vx = order_view(&x, "x"), vy = order_view(&y, "y");
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *const exec = order_use(setting);
        double result;
        stn_fail_allocation(1);
        const stn_status dot = stn_dot(exec, STN_F64, &result, &vx, &vy),
                         axpy = stn_axpy(exec, STN_F64, 1.0, &vx, &vy);
        stn_fail_allocation(0);
        expect_ok(dot);
        expect_ok(axpy);
    }
    order_drop(&x);
    order_drop(&y);
}

/* ---- results that do not fit ---- */

/* i8 saturates: one count for each value of the model beyond it. */
static void check_saturated(const levels_function *f, int setting)
{
    int8_t codes[LEVELS_VIEWS][N * N];
    stn_c128 values[LEVELS_VIEWS][N * N];
    stn_view view[LEVELS_VIEWS];
    const stn_view *views[LEVELS_VIEWS];
    stn_counters counters[LEVELS_VIEWS] = {{0, 0, 0}};
    levels_result result;
    const levels_choice big = {.alpha = {3, 0},
                               .beta = {2, 0},
                               .c = 2,
                               .s = 1.5,
                               .diagonal = STN_DIAGONAL_UNIT,
                               .parameter = {-1, 3, 2, 1, 3}};
    levels_problem p = {.arithmetic = STN_F64, .m = N, .n = N, .choice = &big};
    for (int v = 0; f->shapes[v]; v++) {
        int64_t extents[2];
        stn_storage storage = stn_storage_of(STN_I8);
        storage.counters = &counters[v];
        levels_extents(f, v, N, N, extents);
        for (int k = 0; k < N * N; k++) {
            codes[v][k] = (int8_t)((k * 37 + v * 11) % 97 - 40);
            values[v][k] = (stn_c128){codes[v][k], 0};
        }
        view[v] = wrap_view("v", storage, codes[v], levels_rank(f, v), extents);
        views[v] = &view[v];
        p.v[v] = values[v];
    }
    expect_ok(f->run(order_use(setting), STN_F64, &big, views, &result));
    f->model(&p);
    for (int v = 0; f->shapes[v]; v++) {
        int64_t saturated = 0;
        for (int k = 0; k < stn_view_count(&view[v]) && f->written >> v & 1; k++)
            saturated += values[v][k].re < -128.5 || values[v][k].re >= 127.5;
        if (counters[v].saturated != saturated)
            fail_msg("%s on %s: %" PRId64 " saturated, not %" PRId64, f->name,
                     order_setting_name(setting), counters[v].saturated, saturated);
        if (f->written >> v & 1 && saturated == 0 && strcmp(f->name, "stn_swap") != 0)
            fail_msg("%s saturates nothing", f->name);
    }
}

UNIT_TEST(test_saturated)
{
    for (int f = 0; f < levels_count; f++)
        for (int setting = 0; setting < order_settings(); setting++)
            if (levels_functions[f].kinds & LEVELS_REAL)
                check_saturated(&levels_functions[f], setting);
}

RUN_UNIT_TESTS(NULL, order_teardown)
