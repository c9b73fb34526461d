/* The kernels over accessors of test/accessor on every CUDA device there is: they give the words
 * that C11 gives in this program. All codes of 8 and 16 bits are read and stored, in each
 * arithmetic type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL_PAIRS
#define EVERY_CODE
#include "accessor/kernels.h"
#include "exec/cuda/device.h"
#include "check.h"

#define SOURCE STENO_TEST_DATA "/../.."

/* As many bytes as the widest format takes. */
enum { MEMORY = ITEMS * REGION * 16, FACTORS = ITEMS * SCALES * 16, CODE_MEMORY = CODES * 16 };

static unsigned char *memory, *wide, *scales;
static stn_u64 expected[CODES], found[CODES];

/* A device with a program, and arrays of the sizes above. */
typedef struct place {
    stn_device *device;
    void *module, *memory, *wide, *scales, *words;
} place;

static void open_place(place *p, int number, const char *text)
{
    static const char *const options[] = {"-I" SOURCE "/include", "-I" SOURCE "/test/accessor",
                                          "-DALL_PAIRS"};
    const stn_device_text program = {
        .name = "kernels.cu", .text = text, .options = options, .option_count = 3};
    expect_ok(stn_device_open("cuda", number, &p->device));
    print_message("%s: %s\n", p->device->resource, p->device->name);
    expect_ok(stn_device_compile(p->device, &program, &p->module));
    expect_ok(stn_device_allocate(p->device, "memory", STN_SPACE_DEVICE, CODE_MEMORY, &p->memory));
    expect_ok(stn_device_allocate(p->device, "wide", STN_SPACE_DEVICE, MEMORY, &p->wide));
    expect_ok(stn_device_allocate(p->device, "scales", STN_SPACE_DEVICE, FACTORS, &p->scales));
    expect_ok(stn_device_allocate(p->device, "words", STN_SPACE_DEVICE, sizeof found, &p->words));
}

static void close_place(place *p)
{
    stn_device_free(p->device, STN_SPACE_DEVICE, p->memory);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->wide);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->scales);
    stn_device_free(p->device, STN_SPACE_DEVICE, p->words);
    stn_device_unload(p->device, p->module);
    stn_device_release(p->device);
}

/* Run a kernel on the device for so many items, and compare the words. */
static void check_words(const place *p, const char *name, unsigned items, void **arguments)
{
    void *function;
    expect_ok(stn_device_fill(p->device, p->words, 0, sizeof found));
    expect_ok(stn_device_find(p->device, p->module, name, &function));
    expect_ok(stn_cuda_launch_values(p->device, name, function, (items + 63) / 64, 64, arguments));
    expect_ok(stn_device_copy(p->device, found, p->words, items * sizeof *found));
    expect_ok(stn_device_wait(p->device));
    for (unsigned item = 0; item < items; item++)
        if (found[item] != expected[item])
            fail_msg("%s, %s, item %u: %016llx, in C11 %016llx", p->device->name, name, item,
                     (unsigned long long)found[item], (unsigned long long)expected[item]);
}

typedef void kernel_function(void *, void *, void *, stn_u64 *);

static void check_kernel(place *p, const char *name, kernel_function *in_c)
{
    void *arguments[] = {&p->memory, &p->wide, &p->scales, &p->words};
    in_c(memory, wide, scales, expected);
    expect_ok(stn_device_fill(p->device, p->memory, 0, MEMORY));
    expect_ok(stn_device_fill(p->device, p->wide, 0, MEMORY));
    expect_ok(stn_device_fill(p->device, p->scales, 0, FACTORS));
    check_words(p, name, ITEMS, arguments);
}

static void takes_the_steps_of_every_accessor(void **state)
{
    (void)state;
    for (int number = 0; number < stn_device_count("cuda"); number++) {
        place p;
        open_place(&p, number, "#include \"kernels.h\"\n");
#define ON_KERNEL(name, format, real, scale) check_kernel(&p, "run_" #name, run_##name);
        KERNEL_LIST
#undef ON_KERNEL
        close_place(&p);
    }
}

static void check_codes(place *p, const char *name, void (*in_c)(void *, stn_u64 *))
{
    void *arguments[] = {&p->memory, &p->words};
    in_c(memory, expected);
    expect_ok(stn_device_fill(p->device, p->memory, 0, CODE_MEMORY));
    check_words(p, name, CODES, arguments);
}

static void reads_and_stores_all_codes(void **state)
{
    (void)state;
    for (int number = 0; number < stn_device_count("cuda"); number++) {
        place p;
        open_place(&p, number, "#define EVERY_CODE\n#include \"kernels.h\"\n");
#undef ON_PLAIN
#define ON_PLAIN(format, real)                                                                     \
    check_codes(&p, "all_codes_" #format "_" #real, all_codes_##format##_##real);
        PLAIN_LIST
#undef ON_PLAIN
        close_place(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_and_stores_all_codes),
                                       cmocka_unit_test(takes_the_steps_of_every_accessor)};
    if (stn_device_count("cuda") == 0) {
        print_message("skipped: %s\n", stn_error());
        return 77;
    }
    memory = calloc(1, CODE_MEMORY);
    wide = calloc(1, MEMORY);
    scales = calloc(1, FACTORS);
    if (!memory || !wide || !scales)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
