/* What NVRTC makes of kernels: accesses of 16 bytes of the widest view, and no local memory. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda.h"
#include "steno/contract.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
STN_MAP(norms, (in(x), in(y), out(z)), z = x * x + y * y;)
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

static void must(stn_status status)
{
    if (status != STN_OK)
        fail_msg("%s: %s", stn_status_name(status), stn_error());
}

static int lacks_compiler(void)
{
    return strstr(stn_error(), "there is no NVRTC") || strstr(stn_error(), "--gpu-architecture");
}

static void check_code(const pair *p, const char *kernel, int reads, int writes, int sm)
{
    char contract[300];
    stn_image *image;
    stn_contract_result result = {.size = sizeof result};
    snprintf(contract, sizeof contract,
             "kernel steno_%s @sm_* calls=left-out : load.128 == %d, store.128 == %d, local == 0, "
             "unknown == 0",
             kernel, reads, writes);
    must(stn_image_open(code, &image));
    const stn_status status = stn_contract_check_text(image, contract, "contract", stderr, &result);
    stn_image_close(image);
    if (status != STN_OK || result.held != 4)
        fail_msg("%s of %s and %s for sm_%d: %s", kernel, p->x, p->y, sm, stn_error());
}

static stn_status try_pair(const pair *p, int sm)
{
    static const int64_t length = 5000;
    stn_format x_format, y_format;
    stn_view x, y, z;
    must(stn_format_find(p->x, &x_format));
    must(stn_format_find(p->y, &y_format));
    must(stn_view_create(on, &x, "x", stn_storage_of(x_format), NULL, 1, &length, 0));
    must(stn_view_create(on, &y, "y", stn_storage_of(y_format), NULL, 1, &length, 0));
    must(stn_view_create(on, &z, "z", stn_storage_of(y_format), NULL, 1, &length, 0));
    stn_status status = axpy_run(on, p->arithmetic, 2, &x, &y);
    if (status == STN_OK) {
        check_code(p, "axpy", p->reads, p->writes, sm);
        must(scaled_run(on, p->arithmetic, 2, &x, &y));
        check_code(p, "scaled", p->reads == 2 || !p->writes, p->writes, sm);
        must(norms_run(on, p->arithmetic, &x, &y, &z));
        check_code(p, "norms", p->reads, p->writes, sm);
    }
    must(stn_view_release(&x));
    must(stn_view_release(&y));
    must(stn_view_release(&z));
    return status;
}

static void accesses_are_wide(void **state)
{
    static const int architectures[] = {80, 90, 100};
    const int some = getenv("STENO_TEST_FULL") ? 1 : 3;
    (void)state;
    for (int k = 0; k < 3; k++) {
        cuda_stand_in_of()->architecture(architectures[k]);
        must(stn_exec_create(cuda_resource(), &on));
        for (int at = k % some; at < PAIRS; at += some) {
            const stn_status status = try_pair(&pairs[at], architectures[k]);
            if (status != STN_OK && lacks_compiler()) {
                print_message("skipped: %s\n", stn_error());
                stn_exec_release(on);
                skip();
            }
            must(status);
        }
        stn_exec_release(on);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(accesses_are_wide, remove_files)};
    if (!mkdtemp(folder))
        return 1;
    snprintf(code, sizeof code, "%s/code.cubin", folder);
    setenv("STENO_STAND_IN_CODE", code, 1);
    setenv("STENO_CACHE", "off", 1);
    cuda_choose(1);
    cuda_choose_compiler();
    return cmocka_run_group_tests_name("NVRTC", tests, NULL, NULL);
}
