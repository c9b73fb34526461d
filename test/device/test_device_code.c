/* What NVRTC makes of kernels: accesses of 16 bytes of the widest view, and no local memory. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda.h"
#include "steno/contract.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "check.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
STN_MAP(norms, (in(x), in(y), out(z)), z = x * x + y * y;)
STN_MAP_COMPLEX(caxpy, (real(alpha), in(x), inout(y)), y = stn_c_add(stn_c_multiply(alpha, x), y);)
STN_REDUCE_COMPLEX(ctotal, sum, (in(x)), x)
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
/* clang-format on */

typedef struct pair {
    const char *x, *y; /* how they are stored */
    stn_format arithmetic;
    int reads, writes; /* of 16 bytes, of axpy */
} pair;
static const pair pairs[] = {{"f64", "f64", STN_F64, 2, 1},   {"f32", "f32", STN_F64, 2, 1},
                             {"f32", "f32", STN_F32, 2, 1},   {"f16", "f16", STN_F32, 2, 1},
                             {"bf16", "bf16", STN_F64, 2, 1}, {"i16", "i16", STN_F64, 2, 1},
                             {"e4m3", "e4m3", STN_F32, 2, 1}, {"i8", "i8", STN_F32, 2, 1},
                             {"f32", "f64", STN_F64, 1, 1},   {"f16", "f32", STN_F32, 1, 1},
                             {"e5m2", "f64", STN_F64, 1, 1},  {"f64", "f16", STN_F64, 1, 0}};
enum { PAIRS = (int)(sizeof pairs / sizeof *pairs) };

static stn_exec *on;
static char folder[] = "/tmp/steno-test-XXXXXX";
static char code[64];

static int lacks_compiler(void)
{
    return strstr(stn_error(), "NVRTC, which compiles") != NULL;
}

static void check_code(const pair *p, const char *kernel, const char *accesses, int sm)
{
    char contract[300];
    stn_image *image;
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    snprintf(contract, sizeof contract, "kernel steno_%s @sm_* calls=left-out : %s, unknown == 0",
             kernel, accesses);
    expect_ok(stn_image_open(&image, code));
    const stn_status status = stn_contract_check_text(image, contract, "contract", stderr, &result);
    stn_image_close(image);
    if (status != STN_OK || result.held != 4)
        fail_msg("%s of %s and %s for sm_%d: %s", kernel, p->x, p->y, sm, stn_error());
}

static void check_kernel(const pair *p, const char *kernel, int reads, int writes, int sm)
{
    char accesses[100];
    snprintf(accesses, sizeof accesses, "load.128 == %d, store.128 == %d, local == 0", reads,
             writes);
    check_code(p, kernel, accesses, sm);
}

/* Of a tile four accesses of each view; the last elements are read separately. `local`: bytes of
 * the tree of tiles, if a thread has several columns. */
static void check_reduction(const pair *p, const char *kernel, int views, int local, int sm)
{
    char accesses[100];
    snprintf(accesses, sizeof accesses, "load.128 >= %d, load.128 < %d, local <= %d", 4 * views,
             8 * views, local);
    check_code(p, kernel, accesses, sm);
}

/* A line, or rows with others between. */
static void make_view(stn_view *whole, stn_view *part, const char *name, int is_2d)
{
    static const int64_t extents[2] = {50, 1088}, line = 5000;
    const stn_slice rows[2] = {stn_slice_all(), stn_slice_range(0, 992)},
                    all[1] = {stn_slice_all()};
    stn_format format;
    expect_ok(stn_format_find(name, &format));
    expect_ok(stn_view_create(on, whole, name, stn_storage_of(format), 1 + is_2d,
                              is_2d ? extents : &line));
    expect_ok(stn_view_slice(part, whole, 1 + is_2d, is_2d ? rows : all));
}

static void try_reductions(const pair *p, const stn_view *x, const stn_view *y, int sm)
{
    stn_view sums;
    double value;
    if (strcmp(p->x, p->y) != 0)
        return;
    expect_ok(total_reduce(on, p->arithmetic, &value, x));
    check_reduction(p, "total", 1, 0, sm);
    expect_ok(inner_reduce(on, p->arithmetic, &value, x, y));
    check_reduction(p, "inner", 2, 0, sm);
    if (x->rank == 1)
        return;
    expect_ok(stn_view_create(on, &sums, "sums", stn_storage_of(p->arithmetic), 1, x->extent + 1));
    expect_ok(total_reduce_into(on, p->arithmetic, 1, &sums, x));
    check_reduction(p, "total", 1, 160, sm);
    expect_ok(inner_reduce_into(on, p->arithmetic, 1, &sums, x, y));
    check_reduction(p, "inner", 2, 160, sm);
    expect_ok(stn_view_release(&sums));
}

static stn_status try_pair(const pair *p, int is_2d, int sm)
{
    stn_view whole[3], x, y, z;
    make_view(&whole[0], &x, p->x, is_2d);
    make_view(&whole[1], &y, p->y, is_2d);
    make_view(&whole[2], &z, p->y, is_2d);
    const stn_status status = axpy_run(on, p->arithmetic, 2, &x, &y);
    if (status == STN_OK) {
        check_kernel(p, "axpy", p->reads, p->writes, sm);
        expect_ok(scaled_run(on, p->arithmetic, 2, &x, &y));
        check_kernel(p, "scaled", p->reads == 2 || !p->writes, p->writes, sm);
        expect_ok(norms_run(on, p->arithmetic, &x, &y, &z));
        check_kernel(p, "norms", p->reads, p->writes, sm);
        try_reductions(p, &x, &y, sm);
    }
    for (int k = 0; k < 3; k++)
        expect_ok(stn_view_release(&whole[k]));
    return status;
}

TEST_CASE(accesses_are_wide)
{
    static const int architectures[] = {80, 90, 100};
    const int some = getenv("STENO_TEST_FULL") ? 1 : getenv("STENO_TEST_QUICK") ? 12 : 6;
    for (int k = 0; k < 3; k++) {
        if (!cuda_compiles_for(architectures[k]))
            continue;
        cuda_stand_in_of()->architecture(architectures[k]);
        expect_ok(stn_exec_create(&on, cuda_resource()));
        for (int at = k % some; at < PAIRS; at += some) {
            stn_status status = try_pair(&pairs[at], 0, architectures[k]);
            if (status == STN_OK)
                status = try_pair(&pairs[at], 1, architectures[k]);
            if (status != STN_OK && lacks_compiler()) {
                print_message("skipped: %s\n", stn_error());
                stn_exec_release(on);
                skip();
            }
            expect_ok(status);
        }
        stn_exec_release(on);
    }
}

/* ---- converting copies: 16 bytes of the wider format ---- */

static void try_copy(const char *from, const char *to, const char *accesses, int sm)
{
    const pair p = {from, to, STN_F32, 0, 0};
    stn_view x[2], y[2];
    make_view(&x[0], &x[1], from, 0);
    make_view(&y[0], &y[1], to, 0);
    const stn_status status = stn_view_copy(on, &y[1], &x[1]);
    if (status == STN_OK)
        check_code(&p, "copy", accesses, sm);
    expect_ok(stn_view_release(&x[0]));
    expect_ok(stn_view_release(&y[0]));
    if (status != STN_OK && lacks_compiler()) {
        print_message("skipped: %s\n", stn_error());
        stn_exec_release(on);
        skip();
    }
    expect_ok(status);
}

TEST_CASE(copies_are_wide)
{
    enum { SM = 90 };
    if (!cuda_compiles_for(SM))
        skip();
    cuda_stand_in_of()->architecture(SM);
    expect_ok(stn_exec_create(&on, cuda_resource()));
    try_copy("f32", "e4m3", "load.128 == 1, store.32 == 1, local == 0", SM);
    try_copy("i8", "f32", "load.32 == 1, store.128 == 1, local == 0", SM);
    stn_exec_release(on);
}

/* ---- complex elements, which need not be at multiples of their bytes ---- */

enum { COMPLEX = 3000 };

/* Every second element, `shift` parts from where memory begins. */
static void make_complex(const stn_view *parts, stn_view *view, const char *name, int shift,
                         int64_t stride)
{
    const int64_t extent = COMPLEX;
    stn_format format;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_find(name, &format));
    expect_ok(stn_format_describe(format, &info));
    char *const data = (char *)parts->data + shift * info.bytes / 2;
    expect_ok(stn_view_wrap_spec(
        view, &STN_VIEW_SPEC(.label = name, .storage = stn_storage_of(format), .data = data,
                             .rank = 1, .extents = &extent, .strides = &stride)));
    expect_ok(stn_view_set_space(view, STN_SPACE_DEVICE));
}

/* Elements of so many bits are one access at a multiple of that, and two elsewhere. */
static stn_status try_complex(const char *name, int bits, int shift, int64_t stride, int sm)
{
    const pair p = {name, shift ? "parts that are not" : "elements that are aligned", STN_C128, 0,
                    0};
    const int64_t doubles = 4 * COMPLEX + 2;
    const int each = shift ? bits / 2 : bits, times = shift ? 2 : 1;
    char accesses[160];
    stn_view parts, x, y;
    stn_c128 sum;
    expect_ok(stn_view_create(on, &parts, "parts", stn_storage_of(STN_F64), 1, &doubles));
    make_complex(&parts, &x, name, shift, stride);
    make_complex(&parts, &y, name, shift, stride);
    const stn_status status = caxpy_run(on, STN_C128, stn_c128_of(2, 1), &x, &y);
    if (status == STN_OK) {
        snprintf(accesses, sizeof accesses, "load.%d == %d, store.%d == %d, load.widest == %d",
                 each, 2 * times, each, times, each);
        check_code(&p, "caxpy", accesses, sm);
    }
    if (status == STN_OK && bits == 128 && !shift) {
        expect_ok(ctotal_reduce(on, STN_C128, &sum, &x));
        check_code(&p, "ctotal", "load.128 >= 4, load.64 == 0, local == 0", sm);
    }
    expect_ok(stn_view_release(&parts));
    return status;
}

TEST_CASE(complex_elements_are_one_access_where_aligned)
{
    static const int architectures[] = {80, 90};
    const int all = getenv("STENO_TEST_FULL") != NULL;
    for (int k = all ? 0 : 1; k < 2; k++) {
        const int sm = architectures[k];
        if (!cuda_compiles_for(sm))
            continue;
        cuda_stand_in_of()->architecture(sm);
        expect_ok(stn_exec_create(&on, cuda_resource()));
        stn_status status = try_complex("c128", 128, 0, 1, sm);
        if (status == STN_OK)
            status = try_complex("c128", 128, 1, 1, sm);
        if (status == STN_OK)
            status = try_complex("c64", 64, 0, 2, sm);
        if (status == STN_OK && all)
            status = try_complex("c64", 64, 1, 2, sm);
        stn_exec_release(on);
        if (status != STN_OK && lacks_compiler()) {
            print_message("skipped: %s\n", stn_error());
            skip();
        }
        expect_ok(status);
    }
}

static int remove_files(void **state)
{
    (void)state;
    (void)unlink(code);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complex_elements_are_one_access_where_aligned),
        cmocka_unit_test(copies_are_wide),
        cmocka_unit_test_teardown(accesses_are_wide, remove_files)};
    if (!mkdtemp(folder))
        return 1;
    snprintf(code, sizeof code, "%s/code.cubin", folder);
    setenv("STENO_STAND_IN_CODE", code, 1);
    setenv("STENO_CACHE", "off", 1);
    cuda_choose(1);
    cuda_choose_compiler();
    return cmocka_run_group_tests_name("NVRTC", tests, NULL, NULL);
}
