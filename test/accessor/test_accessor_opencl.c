/* The kernels over accessors of test/accessor as OpenCL C on every device there is, from the folder
 * of headers and, a third of them, from the single file: they give the words that C11 gives in this
 * program. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accessor/kernels.h"
#include "opencl.h"

#define SOURCE STENO_TEST_DATA "/../.."

/* As many bytes as the widest format takes. */
enum { MEMORY = ITEMS * REGION * 16, FACTORS = ITEMS * SCALES * 16 };

static unsigned char *memory, *wide, *scales;
static stn_u64 expected[ITEMS], found[ITEMS];
static int device_count;

typedef void kernel_function(void *, void *, void *, stn_u64 *);

static void check_kernel(const opencl_device *d, const char *name, kernel_function *in_c)
{
    const opencl_array arrays[] = {
        {memory, MEMORY}, {wide, MEMORY}, {scales, FACTORS}, {found, sizeof found}};
    in_c(memory, wide, scales, expected);
    memset(memory, 0, MEMORY);
    memset(wide, 0, MEMORY);
    memset(scales, 0, FACTORS);
    memset(found, 0, sizeof found);
    opencl_run(d, name, ITEMS, arrays, 4, NULL, 0);
    for (int item = 0; item < ITEMS; item++)
        if (found[item] != expected[item])
            fail_msg("%s, %s, work item %d: %016llx, in C11 %016llx", d->name, name, item,
                     (unsigned long long)found[item], (unsigned long long)expected[item]);
}

static void check_kernels(const opencl_device *d)
{
#define ON_KERNEL(name, format, real, scale) check_kernel(d, "run_" #name, run_##name);
    KERNEL_LIST
#undef ON_KERNEL
}

#define OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt "

/* A device without double has other kernels than this program. */
static int open_device(opencl_device *d, int index)
{
    opencl_open(d, index);
    print_message("%s, double: %s\n", d->name, d->has_double ? "yes" : "no: skipped");
    if (!d->has_double)
        opencl_close(d);
    return d->has_double;
}

static void includes_the_folder_of_headers(void **state)
{
    const char *const text = "#include \"kernels.h\"\n";
    (void)state;
    for (int k = 0; k < device_count; k++) {
        opencl_device d;
        if (!open_device(&d, k))
            continue;
        opencl_build(&d, &text, 1, OPTIONS "-I " SOURCE "/include -I " SOURCE "/test/accessor");
        check_kernels(&d);
        opencl_close(&d);
    }
}

/* What the command prints. */
static char *output_of(const char *command)
{
    enum { MOST = 1 << 20 };
    FILE *pipe = popen(command, "r");
    char *text = calloc(1, MOST);
    assert_non_null(pipe);
    assert_non_null(text);
    assert_true(fread(text, 1, MOST - 1, pipe) > 0);
    assert_int_equal(pclose(pipe), 0);
    return text;
}

/* Headers as strings, under the names by which they are included: no file is read. */
static void includes_the_single_file(void **state)
{
    static const char *const names[] = {"kernels.h", "inputs.h", "steps.h",  "formats.h",
                                        "rules.h",   "scaled.h", "layouts.h"};
    enum { COUNT = sizeof names / sizeof *names };
    opencl_header headers[COUNT + 1];
    char *texts[COUNT + 1], path[1024];
    (void)state;
    texts[COUNT] = output_of("bash " SOURCE "/tools/dist-accessor.sh -");
    headers[COUNT] = (opencl_header){"steno_accessor.h", texts[COUNT]};
    for (int k = 0; k < COUNT; k++) {
        snprintf(path, sizeof path, SOURCE "/test/accessor/%s", names[k]);
        texts[k] = opencl_read(path);
        headers[k] = (opencl_header){names[k], texts[k]};
    }
    for (int k = 0; k < device_count; k++) {
        opencl_device d;
        if (!open_device(&d, k))
            continue;
        opencl_build_with(&d, "#define STENO_SINGLE_FILE\n#include \"kernels.h\"\n", headers,
                          COUNT + 1, OPTIONS "-DFEW_KERNELS");
        check_kernel(&d, "run_plain_f16_f32", run_plain_f16_f32);
        check_kernel(&d, "run_rule_random_e4m3", run_rule_random_e4m3);
        check_kernel(&d, "run_scaled_affine_u8", run_scaled_affine_u8);
        check_kernel(&d, "run_packed_bits", run_packed_bits);
        opencl_close(&d);
    }
    for (int k = 0; k <= COUNT; k++)
        free(texts[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(includes_the_folder_of_headers),
                                       cmocka_unit_test(includes_the_single_file)};
    device_count = opencl_count();
    if (device_count == 0) {
        print_message("skipped: no OpenCL device, or no libOpenCL.so.1\n");
        return 77;
    }
    memory = calloc(1, MEMORY);
    wide = calloc(1, MEMORY);
    scales = calloc(1, FACTORS);
    if (!memory || !wide || !scales)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
