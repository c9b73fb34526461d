/* What the tests of sums measure Steno against: the order of a sum (doc/order.md) written a second
 * time, element by element, and arrays of every format, layout and kind of data to feed it. */
#ifndef STENO_TEST_ORDER_ORACLE_H
#define STENO_TEST_ORDER_ORACLE_H

#include "oracle.h"
#include "steno/exec.h"
#include "steno/view.h"

/* ---- arithmetic in STN_F64 or STN_F32; a double holds a value of either ---- */

double order_round(stn_format arithmetic, double x);
double order_add(stn_format arithmetic, double a, double b);
double order_multiply(stn_format arithmetic, double a, double b);

/* The sum of x[e] * y[e]. */
double order_dot(stn_format arithmetic, const double *x, const double *y, int64_t count);

double order_decode(stn_format arithmetic, const stn_storage *storage, uint64_t code);
uint64_t order_encode(stn_format arithmetic, const stn_storage *storage, double value,
                      int64_t index, unsigned *events);

/* The same bits, or both NaN. */
int order_same(double a, double b);

/* ---- arrays of rank 1 and 2; their memory ends where their last element does ---- */

typedef enum order_kind {
    ORDER_MIXED,   /* magnitudes of many binades */
    ORDER_ANY,     /* any finite code */
    ORDER_SIGNS,   /* zeros of both signs */
    ORDER_SPECIAL, /* mixed, and about one infinity, NaN or largest value */
    ORDER_TINY,    /* subnormals and next to them; small integers */
    ORDER_KINDS
} order_kind;

/* Code k of `count` of an array of this kind. */
uint64_t order_draw(const oracle_format *format, order_kind kind, uint64_t seed, uint64_t k,
                    uint64_t count);

typedef struct order_array {
    stn_storage storage;
    int rank;
    int64_t extent[2], stride[2];
    int64_t first, bytes; /* where element 0 is in `memory`, and its size */
    uint8_t *memory;
} order_array;

order_array order_make(stn_storage storage, int rank, const int64_t *extent, const int64_t *stride,
                       order_kind kind, uint64_t seed);
order_array order_make_vector(stn_storage storage, int64_t count, int64_t stride, order_kind kind,
                              uint64_t seed);
void order_drop(order_array *array);

stn_view order_view(const order_array *array, const char *label);

uint64_t order_code(const order_array *array, int64_t i, int64_t j);
void order_put(order_array *array, uint8_t *image, int64_t i, int64_t j, uint64_t code);

/* Every element decoded, in C order; release with free. */
double *order_values(stn_format arithmetic, const order_array *array);

/* A copy of the array's memory, to keep or to write what is expected; release with free. */
uint8_t *order_image(const order_array *array);

/* Fail, saying what, unless the memory is as expected; any NaN of a float format is as good as any
 * other. */
void order_check(order_array *array, uint8_t *expected, const char *what);

/* ---- what to try ---- */

int order_is_real(stn_format format);
uint64_t order_next(uint64_t *state); /* random bits */
int64_t order_pick(uint64_t *state, const int64_t *choices, int count);

/* Scales, for every format: powers of two near and far, others, negative ones. */
int order_scale_count(void);
double order_scale(int which);

/* Is it finite and not 0 in the arithmetic type? Others are refused. */
int order_scale_fits(stn_format arithmetic, double scale);

/* Storage with a random scale that fits, or none, and a random zero point, or none. */
stn_storage order_storage(stn_format arithmetic, stn_format format, uint64_t *state);

/* The same with any rounding and overflow, to write to. */
stn_storage order_target(stn_format arithmetic, stn_format format, uint64_t *state);

/* "f16 scale 0x1p-5 zero 0 stride 2,1": text for messages, kept in `text`. */
typedef struct order_text {
    char text[160];
} order_text;
order_text order_describe(const order_array *array);

/* ---- executors and instruction sets ---- */

/* Each pair of an available instruction set and an executor. */
int order_settings(void);
const stn_exec *order_use(int setting); /* chooses the instruction set too */
const char *order_setting_name(int setting);

/* Does case `number` run there? On every instruction set by one of the executors in turn, and by
 * `reference` on one in turn; by all of them where STENO_TEST_FULL is set. */
int order_has_turn(int setting, int number);
void order_release_executors(void);
int order_teardown(void **context); /* the same, as a fixture of cmocka */

/* ---- the caller's floating-point modes ---- */

/* Round up, flush subnormals to zero, trap on everything but inexact results. */
extern int order_odd_modes;

typedef struct order_modes {
    uint64_t word;
} order_modes;
order_modes order_get_modes(void);
void order_set_modes(order_modes modes);
order_modes order_odd(void);

/* Fixtures of cmocka. Where such modes cannot be set, as under valgrind, they are left alone. */
int order_use_odd_modes(void **context);
int order_use_plain_modes(void **context);

/* Before and after a call of the library: sets odd modes if asked for; fails if the call did, or
 * the modes have changed. */
order_modes order_begin(void);
void order_end(stn_status status, order_modes saved, const char *what);

#endif
