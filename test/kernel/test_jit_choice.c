/* Executors that compile kernels run launches of a kind in the faster of two ways. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "check.h"
#include "exec/host/host.h"

enum { MAX_TRIALS = 6 };

static stn_device *device;

/* A launch that takes this many milliseconds per element; returns whether the code is compiled. */
static int run(uint64_t kind, long by_tiles, long by_code, int elements)
{
    const stn_host_trial trial = stn_host_begin(device, kind);
    const long milliseconds = (trial.is_compiled ? by_code : by_tiles) * elements;
    (void)nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
    stn_host_end(device, &trial, trial.is_compiled, elements);
    return trial.is_compiled;
}

/* Compiled code and tiles in turn, then always the faster. */
UNIT_TEST(chooses_the_faster_way)
{
    const uint64_t kinds[] = {1u << 20, 2u << 20};
    int counts[2][2] = {{0}};
    for (int k = 0; k < MAX_TRIALS; k++) /* the second kind is longer by tiles, per element */
        for (int kind = 0; kind < 2; kind++)
            counts[kind][run(kinds[kind], kind ? 10 : 1, kind ? 1 : 10, 1 + k % 2)]++;
    for (int kind = 0; kind < 2; kind++)
        assert_true(counts[kind][0] >= 2 && counts[kind][1] >= 2);
    for (int k = 0; k < 4; k++) {
        assert_false(run(kinds[0], 0, 0, 1));
        assert_true(run(kinds[1], 0, 0, 1));
    }
}

/* As kernels that the compiler refuses. */
UNIT_TEST(does_not_try_again_what_failed)
{
    const stn_host_trial trial = stn_host_begin(device, 3u << 20);
    assert_true(trial.is_compiled);
    stn_host_end(device, &trial, 0, 1);
    assert_false(run(3u << 20, 0, 0, 1));
}

/* More kinds than the table has entries: the first ones are forgotten. */
UNIT_TEST(forgets_kinds)
{
    for (uint64_t kind = 1; kind <= 3 * STN_HOST_CHOICES; kind++) {
        const stn_host_trial trial = stn_host_begin(device, 4 * kind);
        assert_true(trial.is_compiled);
        stn_host_end(device, &trial, 0, 1);
        assert_false(run(4 * kind, 0, 0, 1));
    }
    assert_true(stn_host_begin(device, 4).is_compiled);
}

static int open_device(void **state)
{
    (void)state;
    return stn_host_open(&device) != STN_OK;
}

static int close_device(void **state)
{
    (void)state;
    stn_device_release(device);
    return 0;
}

RUN_UNIT_TESTS(open_device, close_device)
