/* Tests on a device: the same arrays on the host and there, the same calls on both, the same bits.
 * The device is the one that STENO_TEST_EXEC names (exec.h). Without a GPU, cuda:0 and hip:0 are
 * the driver stand-in of test/cuda, which computes nothing: the installed compiler has to accept
 * the texts, and results are not compared. */
#ifndef STENO_TEST_DEVICE_H
#define STENO_TEST_DEVICE_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"
#include "exec.h"
#include "make_view.h"
#include "oracle.h"

extern stn_exec *device_exec, *host_exec; /* the device, and "reference" */

/* Runs the tests on the device that STENO_TEST_EXEC names; on the stand-in the first `texts` of
 * them, for each architecture. Returns the status of the program. */
int device_main(const struct CMUnitTest *tests, size_t count, size_t texts);

/* The same for tests that move codes without conversions, which the stand-in does, too. */
int device_main_moving(const struct CMUnitTest *tests, size_t count);

/* Does the device compute? */
int device_computes(void);

/* Whether row `at` of a table has its turn: always on a device; on the stand-in, rows are divided
 * among the architectures unless STENO_TEST_FULL is set. */
int device_has_turn(int at);

/* The device returned the host's status. If the device has no compiler, the
 * program is skipped. */
void check_both(const char *what, stn_status on_host, stn_status on_device);
#define expect_both(what, on_host, on_device)                                                      \
    do {                                                                                           \
        const stn_status host_status_ = (on_host);                                                 \
        check_both(what, host_status_, (on_device));                                               \
    } while (0)

/* ---- random choices ---- */

extern uint64_t device_seed;
uint64_t chance(uint64_t below);
void scatter(void *memory, int64_t bytes);

/* Name and class of a format, also of own_format(). */
const oracle_format *row_of(stn_format format);
int goes_with(oracle_class kind, stn_format format);

/* A format that the test registers: multiples of 1/256, and a NaN. */
stn_format own_format(void);

stn_format any_format(oracle_class kind);
stn_format any_arithmetic(oracle_class kind);

/* With random rounding, overflow, scale and zero point. */
stn_storage any_storage(oracle_class kind, stn_format format);

/* A storage for results; integers are stored in integers without a scale. */
stn_storage any_target(oracle_class kind);

/* ---- the same array on the host and on the device ---- */

typedef struct twins {
    stn_view host, device, host_part, device_part;
    int64_t bytes;
} twins;

/* Of random codes. The parts are all of it. */
twins make_twins(stn_storage storage, const stn_layout *layout, int rank, const int64_t *extents);

/* Parts with random steps, directions and order of dimensions, of these extents. */
twins make_part(stn_storage storage, int rank, const int64_t *extents);

/* The part of both that the slices select. */
void slice_twins(twins *t, const stn_slice *slices);

/* In two of three cases strided, under scales that differ between elements if the storage has a
 * scale; otherwise tiled, Morton or of a custom layout: whole, or a part. */
twins any_twins(stn_storage storage, int rank, const int64_t *extents);
void set_scales(twins *t, int rank);

/* Exponents near 1, so that sums round and do not overflow. */
void tame(stn_format format, void *codes, int64_t bytes);
void tame_twins(twins *t);
void release_twins(twins *t);

/* Copies the host's codes to the device. */
void send_twins(twins *t);

/* All bytes are equal; expect_numbers: sign and payload of NaN are not compared. */
void expect_same(const twins *t, const char *what);
void expect_numbers(const twins *t, const char *what);

/* Counters for both, number `at` of a case; in one case of three. */
void count_always(twins *t, int at);
void count_some(twins *t, int at);
void expect_counts(int at, const char *what);
const stn_counters *device_counters(int at);

#endif
