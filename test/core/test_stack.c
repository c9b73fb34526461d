/* What calls take of a stack: every operation runs on a thread of 128 KiB below which memory is
 * painted, and takes less than 64 KiB of it. The build's OMP_STACKSIZE gives OpenMP's own threads
 * as little. */
#define _GNU_SOURCE            /* pthread_attr_setstack */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "measure/openmp.h"
#include "matrix.h"
#include "check.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/kernel_text.h"
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"
#include "steno/sparse.h"
#include "steno/view.h"
#include "check.h"

enum {
    LARGER = IS_SANITIZED ? 8 : 1, /* frames */
    STACK = LARGER * (128 << 10),
    MOST = LARGER * (64 << 10),
    GUARD = 1 << 20,
    PAINT = 0xa5
};

/* ---- kernels ---- */

/* clang-format off */
STN_MAP(scaled, (real(a), in(x), inout(y)), y = a * x + y;)
STN_MAP(left_alone, (in(x), inout(y)), if (x > 0) y = x;)
STN_MAP(all_kinds, (real(a), in(x), in(y), out(z)), z = a * x - y;)
STN_MAP(turned, (at(i, j), gather(u, 2), out(v)), v = STN_AT(u, j, i);)
STN_MAP(near_points, (at(i, j), stencil(u, nearest, 1, 1), out(v)),
    v = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1);)
STN_MAP(inner_points, (at(i, j), stencil(u, inside, 1, 1), out(v)),
    v = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1);)
STN_MAP_INTEGER(counted, (in(x), inout(y)), y = 3 * x + y;)
STN_MAP_COMPLEX(waves, (in(x), inout(y)), y.re += x.re * x.re; y.im -= x.im;)
STN_MAP(many, (in(a), in(b), in(c), in(d), in(e), in(f), in(g), in(h), in(o), in(p), in(q), in(r),
               in(s), in(t), in(u), in(v), in(w), in(x), in(y), in(z), in(aa), in(bb), in(cc),
               inout(dd)),
    dd = a + b + c + d + e + f + g + h + o + p + q + r + s + t + u + v + w + x + y + z + aa + bb +
         cc + dd;)
STN_FUSE(many_f16, many, f64, (in(a, f16), in(b, f16), in(c, f16), in(d, f16), in(e, f16),
    in(f, f16), in(g, f16), in(h, f16), in(o, f16), in(p, f16), in(q, f16), in(r, f16), in(s, f16),
    in(t, f16), in(u, f16), in(v, f16), in(w, f16), in(x, f16), in(y, f16), in(z, f16),
    in(aa, f16), in(bb, f16), in(cc, f16), inout(dd, f16)))
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(placed, sum, (at(i, j), in(x)), x * (real_t)(i + j))
STN_REDUCE(least_at, argmin, (in(x)), x)
STN_REDUCE(length, norm2, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(crowd, sum, (in(a), in(b), in(c), in(d), in(e), in(f), in(g), in(h), in(o), in(p), in(q),
    in(r), in(s), in(t), in(u), in(v), in(w), in(x), in(y), in(z), in(aa), in(bb), in(cc)),
    a + b + c + d + e + f + g + h + o + p + q + r + s + t + u + v + w + x + y + z + aa + bb + cc)
STN_REDUCE_INTEGER(whole, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(running_crowd, sum, (in(a), in(b), in(c), in(d), in(e)), a + b + c + d + e)
STN_SCAN_INTEGER(running_whole, sum, (in(x)), x)
#define TWENTY(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
/* clang-format on */

/* ---- arrays and views of them, as many elements as several threads take ---- */

enum { ROWS = 700, COLUMNS = 300, COUNT = ROWS * COLUMNS, FEW = 5 };

static double doubles[COUNT], results[COUNT];
static stn_f16 halves[COUNT], half_results[COUNT];
static int8_t small[COUNT];
static int64_t wide[COUNT], wide_results[COUNT];
static stn_c128 complexes[2][COUNT];

static stn_view line(stn_format format, void *data)
{
    const int64_t count = COUNT;
    stn_view view;
    (void)stn_view_wrap(&view, "line", stn_storage_of(format), data, 1, &count);
    return view;
}

static stn_view matrix_of(stn_format format, void *data, int64_t rows, int64_t columns)
{
    const int64_t extents[] = {rows, columns};
    stn_view view;
    (void)stn_view_wrap(&view, "matrix", stn_storage_of(format), data, 2, extents);
    return view;
}

static stn_view matrix(stn_format format, void *data)
{
    return matrix_of(format, data, ROWS, COLUMNS);
}

static stn_view result_line(int64_t count)
{
    stn_view view;
    (void)stn_view_wrap(&view, "result", stn_storage_of(STN_F64), results, 1, &count);
    return view;
}

static stn_view create_matrix(const stn_exec *exec, stn_format format, const char *layout,
                              int64_t rows, int64_t columns)
{
    const int64_t extents[] = {rows, columns};
    stn_layout kind;
    stn_view view;
    memset(&view, 0, sizeof view);
    (void)stn_layout_parse(layout, &kind);
    (void)stn_view_create_spec(exec, &view,
                               &STN_VIEW_SPEC(.label = layout, .storage = stn_storage_of(format),
                                              .layout = &kind, .rank = 2, .extents = extents));
    return view;
}

static void fill_arrays(void)
{
    for (int64_t k = 0; k < COUNT; k++) {
        doubles[k] = (double)(k % 77) - 30.0;
        halves[k] = stn_f16_from_f64(doubles[k]);
        small[k] = (int8_t)(k % 100);
        wide[k] = k;
        complexes[0][k].re = complexes[1][k].im = 1.0;
    }
}

/* ---- operations ---- */

static stn_status run_maps(const stn_exec *exec)
{
    const stn_view x = line(STN_F64, doubles), h = line(STN_F16, halves), b = line(STN_I8, small);
    const stn_view y = line(STN_F64, results), n = line(STN_F16, half_results);
    const stn_view i = line(STN_I64, wide), j = line(STN_I64, wide_results);
    const stn_view c = line(STN_C128, complexes[0]), d = line(STN_C128, complexes[1]);
    const stn_view u = matrix(STN_F64, doubles), v = matrix_of(STN_F64, results, COLUMNS, ROWS);
    const stn_view hu = matrix(STN_F16, halves), w = matrix(STN_F64, results);
    return scaled_run(exec, STN_F64, 2.0, &x, &y) | scaled_run(exec, STN_F64, 2.0, &h, &n) |
           scaled_run(exec, STN_F32, 2.0, &b, &n) | left_alone_run(exec, STN_F64, &h, &n) |
           all_kinds_run(exec, STN_F64, 2.0, &h, &b, &y) | turned_run(exec, STN_F64, &u, &v) |
           near_points_run(exec, STN_F64, &u, &w) | near_points_run(exec, STN_F32, &hu, &w) |
           inner_points_run(exec, STN_F64, &hu, &w) | counted_run(exec, STN_I64, &i, &j) |
           waves_run(exec, STN_C128, &c, &d) | many_run(exec, STN_F64, TWENTY(&x), &x, &x, &x, &y) |
           many_run(exec, STN_F64, TWENTY(&h), &h, &h, &h, &n) |
           many_run(exec, STN_F32, TWENTY(&b), &h, &h, &h, &n);
}

static stn_status run_text(const stn_exec *exec)
{
    enum { DEEP = 75 };
    const stn_view u = matrix(STN_F16, halves), v = matrix(STN_F64, results);
    const stn_argument arguments[] = {{.view = &u}, {.view = &v}};
    stn_kernel *kernel = NULL;
    char deep[2 * DEEP + 10] = "v = ";
    stn_status status =
        stn_kernel_compile(&kernel, "near", "at(i, j), stencil(u, inside, 1, 1), out(v)",
                           "real_t s = 0; for (int64_t a = -1; a <= 1; a++) { if (a != 0) s += "
                           "STN_AT(u, i + a, j); } v = s > 0 ? sqrt(s) : -s;",
                           STN_KERNEL_REAL);
    if (status == STN_OK)
        status = stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments);
    stn_kernel_release(kernel);
    memset(deep + 4, '(', DEEP);
    deep[4 + DEEP] = 'u';
    memset(deep + 5 + DEEP, ')', DEEP);
    deep[5 + 2 * DEEP] = ';';
    kernel = NULL;
    if (status == STN_OK)
        status = stn_kernel_compile(&kernel, "deep", "in(u), out(v)", deep, STN_KERNEL_REAL);
    if (status == STN_OK)
        status = stn_kernel_run(exec, kernel, STN_F32, STN_RANK_BROADCAST, NULL, arguments);
    stn_kernel_release(kernel);
    return status;
}

/* Texts that are nested without end are refused before they take too much. */
static stn_status run_deep_texts(const stn_exec *exec)
{
    static const char *const pieces[] = {"(",     "- ",     "x*(", "x||x&&x|x^x&x==x<x<<x+x*(",
                                         "x?(",   "x?x:",   "y=",  "sqrt(",
                                         "if(x)", "if(x){", "{",   "for(;;)",
                                         "do ",   "pow(x,"};
    (void)exec;
    for (int p = 0; p < COUNT_OF(pieces); p++) {
        static char text[8000];
        stn_kernel *kernel = NULL;
        const int is_statement = strchr("ify{d", *pieces[p]) != NULL;
        size_t length = (size_t)snprintf(text, sizeof text, "%s", is_statement ? "" : "y = ");
        for (int k = 0; k < 300; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", pieces[p]);
        if (stn_kernel_compile(&kernel, "deep", "in(x), inout(y)", text, STN_KERNEL_REAL) !=
                STN_ERR_PARSE ||
            !strstr(stn_error(), "nested too deeply"))
            return STN_ERR_IO;
    }
    return STN_OK;
}

static stn_status run_reductions(const stn_exec *exec)
{
    static double huge[] = {1e300, 1e300};
    const int64_t two = 2;
    const stn_view x = line(STN_F64, doubles), h = line(STN_F16, halves), b = line(STN_I8, small);
    const stn_view m = matrix(STN_F16, halves);
    stn_view large;
    double value;
    int64_t number;
    return stn_view_wrap(&large, "large", stn_storage_of(STN_F64), huge, 1, &two) |
           total_reduce(exec, STN_F64, &value, &x) | total_reduce(exec, STN_F64, &value, &h) |
           total_reduce(exec, STN_F32, &value, &b) | placed_reduce(exec, STN_F64, &value, &m) |
           least_at_reduce(exec, STN_F64, &number, &h) |
           length_reduce(exec, STN_F64, &value, &large) |
           inner_reduce(exec, STN_F64, &value, &x, &h) | whole_reduce(exec, STN_I64, &number, &b) |
           crowd_reduce(exec, STN_F64, &value, TWENTY(&h), &h, &h, &h) |
           crowd_reduce(exec, STN_F64, &value, TWENTY(&b), &h, &h, &h);
}

static stn_status run_reductions_into(const stn_exec *exec)
{
    const int64_t cube[] = {FEW, COUNT / FEW / 10, 10};
    const stn_view x = matrix(STN_F64, doubles), h = matrix(STN_F16, halves);
    const stn_view tall = matrix_of(STN_F64, doubles, COUNT / FEW, FEW);
    const stn_view tall_h = matrix_of(STN_F16, halves, COUNT / FEW, FEW);
    const stn_view short_rows = matrix_of(STN_F16, halves, COUNT / 60, 60);
    const stn_view broad = matrix_of(STN_F64, doubles, FEW, COUNT / FEW);
    const stn_view broad_h = matrix_of(STN_F16, halves, FEW, COUNT / FEW);
    const stn_view rows = result_line(ROWS), columns = result_line(COLUMNS);
    const stn_view few = result_line(FEW), lots = result_line(COUNT / FEW);
    const stn_view shorts = result_line(COUNT / 60), middle = result_line(cube[1]);
    stn_view box;
    return stn_view_wrap(&box, "box", stn_storage_of(STN_F16), halves, 3, cube) |
           total_reduce_into(exec, STN_F64, 2, &rows, &x) |
           total_reduce_into(exec, STN_F64, 2, &rows, &h) |
           total_reduce_into(exec, STN_F64, 1, &columns, &x) |
           total_reduce_into(exec, STN_F64, 1, &columns, &h) |
           length_reduce_into(exec, STN_F64, 1, &columns, &h) |
           least_at_reduce_into(exec, STN_F64, 1, &columns, &h) |
           placed_reduce_into(exec, STN_F64, 1, &columns, &h) |
           placed_reduce_into(exec, STN_F64, 2, &rows, &h) |
           total_reduce_into(exec, STN_F64, 1, &few, &tall) |
           total_reduce_into(exec, STN_F64, 1, &few, &tall_h) |
           total_reduce_into(exec, STN_F64, 2, &lots, &tall_h) |
           total_reduce_into(exec, STN_F64, 2, &shorts, &short_rows) |
           total_reduce_into(exec, STN_F64, 1, &lots, &broad) |
           total_reduce_into(exec, STN_F64, 1, &lots, &broad_h) |
           total_reduce_into(exec, STN_F64, 2, &few, &broad_h) |
           total_reduce_into(exec, STN_F64, 5, &middle, &box) |
           crowd_reduce_into(exec, STN_F64, 1, &columns, TWENTY(&h), &h, &h, &h) |
           crowd_reduce_into(exec, STN_F64, 1, &columns, TWENTY(&x), &x, &x, &x);
}

static stn_status run_parts(const stn_exec *exec)
{
    static stn_partial parts[2];
    const stn_view x = line(STN_F64, doubles), h = line(STN_F16, halves);
    double value;
    return total_reduce_part(exec, STN_F64, 0, &parts[0], &x) |
           total_reduce_part(exec, STN_F64, COUNT, &parts[1], &h) |
           total_reduce_merge(&parts[0], &parts[1]) | total_reduce_finish(&parts[0], &value) |
           length_reduce_part(exec, STN_F32, 77, &parts[0], &h);
}

static stn_status run_scans(const stn_exec *exec)
{
    const stn_view x = line(STN_F64, doubles), h = line(STN_F16, halves),
                   y = line(STN_F64, results);
    const stn_view m = matrix(STN_F64, doubles), n = matrix(STN_F16, halves);
    const stn_view b = matrix(STN_I8, small), to = matrix(STN_F64, results);
    const stn_view to_h = matrix(STN_F16, half_results), to_i = matrix(STN_I64, wide_results);
    return running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &x) |
           running_scan(exec, STN_F64, STN_SCAN_EXCLUSIVE, &y, &h) |
           running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &to, &m) |
           running_scan(exec, STN_F32, STN_SCAN_EXCLUSIVE, &to_h, &n) |
           running_scan_dimension(exec, STN_F64, STN_SCAN_INCLUSIVE, 0, &to, &n) |
           running_crowd_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &h, &x, &h, &x, &h) |
           running_whole_scan(exec, STN_I64, STN_SCAN_INCLUSIVE, &to_i, &b);
}

static stn_status run_blas(const stn_exec *exec)
{
    enum { ENTRIES = 2 };
    static const int64_t begins[] = {0, 1, ENTRIES}, two = 2;
    static const int32_t at[] = {1, 0};
    const stn_view x = line(STN_F64, doubles), h = line(STN_F16, halves),
                   y = line(STN_F64, results);
    const stn_view m = matrix(STN_F16, halves), b = matrix_of(STN_I8, small, 2, COUNT / 2);
    const int64_t columns = COLUMNS, half = COUNT / 2;
    const stn_view rows = result_line(ROWS);
    stn_view one, row, both, pair;
    stn_matrix *csr;
    double value;
    const stn_status status =
        stn_view_wrap(&one, "x", stn_storage_of(STN_I8), small, 1, &columns) |
        stn_view_wrap(&row, "x", stn_storage_of(STN_F64), doubles, 1, &half) |
        stn_view_wrap(&both, "y", stn_storage_of(STN_F64), results, 1, &two) |
        stn_view_wrap(&pair, "x", stn_storage_of(STN_F64), doubles, 1, &two) |
        wrap_csr(&csr, "A", stn_storage_of(STN_F16), 2, 2, begins, at, halves) |
        stn_dot(exec, STN_F64, &value, &x, &h) | stn_dot(exec, STN_F32, &value, &h, &h) |
        stn_axpy(exec, STN_F64, 2.0, &h, &y) | stn_gemv(exec, STN_F64, 1.0, &m, &one, 0.0, &rows) |
        stn_gemv(exec, STN_F64, 1.0, &b, &row, 0.0, &both) |
        stn_spmv(exec, STN_F64, 1.0, csr, &pair, 0.0, &both);
    stn_matrix_release(csr);
    return status;
}

static stn_status copy_to_and_fro(const stn_exec *exec, stn_format format, const char *layout)
{
    stn_view view = create_matrix(exec, format, layout, ROWS, COLUMNS);
    const stn_view x = matrix(STN_F16, halves), y = matrix(STN_F64, results);
    const stn_status status = stn_view_copy(exec, &view, &x) | stn_view_copy(exec, &y, &view) |
                              stn_view_copy(NULL, &y, &x);
    stn_view_release(&view);
    return status;
}

static stn_status run_copies(const stn_exec *exec)
{
    static const stn_format formats[] = {STN_F16, STN_I8, STN_F64};
    static const char *const layouts[] = {"right", "left", "tiled:8x8", "morton"};
    stn_status status = STN_OK;
    for (int f = 0; f < COUNT_OF(formats); f++)
        for (int l = 0; l < COUNT_OF(layouts); l++)
            status |= copy_to_and_fro(exec, formats[f], layouts[l]);
    return status;
}

static stn_status run_views(const stn_exec *exec)
{
    const int64_t larger[] = {ROWS + 3, COLUMNS + 5}, first[] = {0, 0};
    const stn_view x = matrix(STN_F16, halves);
    stn_view view = create_matrix(exec, STN_I8, "left", ROWS, COLUMNS), mirror;
    double value;
    memset(&mirror, 0, sizeof mirror);
    const stn_status status =
        stn_view_fit_scales(exec, &view, &x, STN_SCALE_POWER_OF_TWO) |
        stn_view_copy(exec, &view, &x) | stn_view_fill(exec, &view, 2.0) |
        stn_view_mirror(exec, &mirror, &view, STN_SPACE_HOST) |
        stn_view_resize(exec, &view, 2, larger, 0) |
        stn_view_reallocate(exec, &view, 2, larger, 0) | stn_view_set(&view, 2, first, 3.0) |
        stn_view_get(&view, 2, first, &value) | stn_view_atomic_add(&view, 2, first, 1.0) |
        stn_view_atomic_load(&view, 2, first, STN_F64, &value);
    stn_view_release(&mirror);
    stn_view_release(&view);
    return status;
}

static stn_status run_nothing(const stn_exec *exec)
{
    (void)exec;
    return STN_OK;
}

/* An executor's own calls; and what is refused has a sentence. */
static stn_status run_executors(const stn_exec *exec)
{
    const stn_view x = line(STN_F64, doubles), y = result_line(7);
    stn_exec *other = NULL;
    const stn_status status = stn_exec_create(&other, "threads:threads=2");
    stn_exec_release(other);
    return status | (scaled_run(exec, STN_F64, 1.0, &x, &y) == STN_ERR_SHAPE ? STN_OK : STN_ERR_IO);
}

/* ---- a thread with little stack ---- */

typedef stn_status operation(const stn_exec *exec);

typedef struct call {
    operation *run;
    const stn_exec *exec;
    stn_status status;
    char message[400];
    uintptr_t top;
} call;

static void *make_call(void *context)
{
    call *now = context;
    char here;
    now->top = (uintptr_t)&here;
    now->status = now->run(now->exec);
    snprintf(now->message, sizeof now->message, "%s", now->status == STN_OK ? "" : stn_error());
    return NULL;
}

static unsigned char *memory; /* the guard, and above it the stack */

/* Bytes of the stack that the call takes. */
static int64_t measure(call *now)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t lowest = 0;
    memset(memory, PAINT, GUARD + STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, memory + GUARD, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, make_call, now), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    while (lowest < GUARD + STACK && memory[lowest] == PAINT)
        lowest++;
    return (int64_t)(now->top - (uintptr_t)(memory + lowest));
}

static void check(operation *run, const char *name)
{
    static const char *const executors[] = {"reference", OPENMP ":threads=1", OPENMP ":threads=3"};
    for (int e = 0; e < COUNT_OF(executors); e++) {
        stn_exec *exec = NULL;
        expect_ok(stn_exec_create(&exec, executors[e]));
        call now = {.run = run, .exec = exec};
        const int64_t bytes = measure(&now);
        stn_exec_release(exec);
        print_message("%s, %s: %d bytes\n", name, executors[e], (int)bytes);
        if (now.status != STN_OK)
            fail_msg("%s on %s: %s", name, executors[e], now.message);
        if (bytes > MOST)
            fail_msg("%s on %s takes %d bytes of stack", name, executors[e], (int)bytes);
    }
}

#define TEST(name)                                                                                 \
    UNIT_TEST(test_##name)                                                                         \
    {                                                                                              \
        check(run_##name, #name);                                                                  \
    }
TEST(nothing)
TEST(maps)
TEST(text)
TEST(deep_texts)
TEST(reductions)
TEST(reductions_into)
TEST(parts)
TEST(scans)
TEST(blas)
TEST(copies)
TEST(views)
TEST(executors)

static int prepare(void **context)
{
    (void)context;
    fill_arrays();
    memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED;
}

RUN_UNIT_TESTS(prepare, NULL)
