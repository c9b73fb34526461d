/* Tests on every device that a machine has. */
#ifndef STENO_TEST_DEVICE_RUN_H
#define STENO_TEST_DEVICE_RUN_H

#include "cuda.h"
#include "device_cases.h"
#include "check.h"

static stn_exec *reference;
static const char *resource; /* of the device */

static int open_device(void **state)
{
    (void)state;
    return stn_exec_create(&on, resource) != STN_OK || stn_exec_create(&reference, "reference");
}

static int close_device(void **state)
{
    (void)state;
    stn_exec_release(on);
    stn_exec_release(reference);
    return 0;
}

/* Compile texts 0 to count - 1 for each architecture; `one` is told its number. Skipped without a
 * compiler. */
static void compile_texts(int count, stn_status (*one)(int at, int architecture))
{
    const int *const architectures = cuda_architectures();
    seed = 9;
    for (int k = 0; k < (cuda_is_hip() ? 1 : 3); k++) {
        cuda_stand_in_of()->architecture(architectures[k]);
        expect_ok(stn_exec_create(&on, cuda_resource()));
        for (int at = 0; at < count; at++) {
            const stn_status status = one(at, k);
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

/* The tests on each device there is; without a GPU, `compile` on the stand-in for its driver: a
 * compiler may be there. */
__attribute__((unused)) static int run_on_devices(const struct CMUnitTest *tests, size_t count,
                                                  const struct CMUnitTest *compile)
{
    const char *const resources[] = {cuda_resource(), opencl_resource()};
    int failed = 0, ran = 0;
    cuda_choose(0);
    if (cuda_is_stand_in()) {
        cuda_choose_compiler();
        failed +=
            _cmocka_run_group_tests(cuda_is_hip() ? "hipRTC" : "NVRTC", compile, 1, NULL, NULL);
    }
    if (cuda_is_compiler_only())
        return failed;
    for (int k = cuda_is_stand_in(); k < 2 && !cuda_is_hip(); k++) {
        resource = resources[k];
        if (stn_exec_create(&on, resource) != STN_OK) {
            print_message("skipped: %s\n", stn_error());
            continue;
        }
        stn_exec_release(on);
        failed += _cmocka_run_group_tests(resource, tests, count, open_device, close_device);
        ran++;
    }
    return ran || cuda_is_hip() ? failed : 77;
}

#endif
