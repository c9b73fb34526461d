/* Runs: elements at a stride, decoded into or encoded from an array of the arithmetic type, with
 * every check made once beforehand. */
#ifndef STENO_FORMAT_RUN_H
#define STENO_FORMAT_RUN_H

#include "format/codec.h"
#include "format/integer64.h"
#include "format/portable.h"
#include "format/registry.h"

enum { STN_CODE_BYTES = 16 }; /* of the widest code that goes through buffers on the stack */

/* Nothing of it needs a look: codes are values, and rounded to nearest. */
static inline int stn_storage_is_plain(const stn_storage *storage)
{
    return storage->scale == 1.0 && storage->zero == 0.0 &&
           storage->rounding == STN_ROUND_NEAREST && storage->overflow == STN_OVERFLOW_DEFAULT;
}

typedef struct stn_run {
    const stn_format_entry *entry;
    const stn_codec *codec;             /* of a built-in format in floating point, else NULL */
    const stn_portable_codec *portable; /* set when only the scalar codec knows the rules */
    stn_format real;                    /* the format of one part */
    stn_format arithmetic;              /* of one part: f64, f32 or i64 */
    int64_t parts;                      /* 1, or 2 for complex */
    int64_t bytes;                      /* of one element */
    stn_affine affine;
    stn_rules rules;
    /* Integers that a copy stores: saturating in 64 bits, too, what are codes of another view. */
    enum { STN_RUN_WRAPS, STN_RUN_OF_SIGNED, STN_RUN_OF_UNSIGNED } values;
    stn_wide zero; /* in i64 arithmetic; beyond 64 bits where a copy stores */
    /* NULL: with stochastic rounding element n of the run draws number n. Else its number, and how
     * many of `count` elements from it on, at least 1, go on by *step. */
    uint64_t (*draws_of)(const void *numbered, uint64_t n, int64_t *count, int64_t *step);
    const void *numbered; /* handed to it */
} stn_run;

/* STN_ERR_ARGUMENT unless scale, zero point and rules of storing are ones there can be. */
stn_status stn_storage_check(const stn_storage *storage);

/* STN_ERR_ARGUMENT, STN_ERR_FORMAT or STN_ERR_UNSUPPORTED, as stn_decode says. */
stn_status stn_run_make(stn_run *run, stn_format arithmetic, const stn_storage *storage);

/* The same where the modes of core/modes.h are set. */
stn_status stn_run_make_in_modes(stn_run *run, stn_format arithmetic, const stn_storage *storage);

/* Let the run go through the scalar codec, whatever the instruction set. */
void stn_run_use_scalar(stn_run *run);

/* Bytes of one value of an arithmetic type. */
int64_t stn_arithmetic_bytes(stn_format arithmetic);

/* Move `count` elements of `bytes` between two steps, both in bytes. */
void stn_move(void *restrict to, int64_t to_step, const void *restrict from, int64_t from_step,
              int64_t bytes, int64_t count);

/* The first of `count` values, of so many bytes each, into the places of the others. */
void stn_repeat(void *values, int64_t bytes, int64_t count);

/* In the modes of core/modes.h. Any stride; values contiguous. */
void stn_run_decode(const stn_run *run, void *restrict values, const void *restrict codes,
                    int64_t stride, int64_t count);
void stn_run_encode(const stn_run *run, const void *restrict values, void *restrict codes,
                    int64_t stride, int64_t first, int64_t count);

/* The same for contiguous codes that nobody reads again soon: whole lines are stored
 * non-temporally. After the last of them stn_nontemporal_fence. */
void stn_run_encode_nontemporal(const stn_run *run, const void *restrict values,
                                void *restrict codes, int64_t first, int64_t count);

#endif
