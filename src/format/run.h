/* Runs: elements at a stride, decoded into or encoded from an array of the arithmetic type; all
 * checks are made once in advance. */
#ifndef STENO_FORMAT_RUN_H
#define STENO_FORMAT_RUN_H

#include "core/move.h"
#include "format/codec.h"
#include "format/integer64.h"
#include "format/portable.h"
#include "format/registry.h"

enum { STN_CODE_BYTES = 16 }; /* size of the widest code in stack buffers */

/* Codes are values, and round to nearest applies. */
static inline int stn_storage_is_plain(const stn_storage *storage)
{
    return storage->scale == 1.0 && storage->zero == 0.0 &&
           storage->rounding == STN_ROUND_NEAREST && storage->overflow == STN_OVERFLOW_DEFAULT;
}

typedef struct stn_run {
    const stn_format_entry *entry;
    const stn_codec *codec;             /* of a built-in format in floating point, else NULL */
    const stn_portable_codec *portable; /* set if only the scalar codec supports the rules */
    stn_format real;                    /* format of one part */
    stn_format arithmetic;              /* of one part: f64, f32 or i64 */
    int64_t parts;                      /* 1, or 2 for complex */
    int64_t bytes;                      /* of one element */
    stn_affine affine;
    stn_rules rules;
    /* Integers stored by a copy saturate in 64 bits, too; values are codes of another view. */
    enum { STN_RUN_WRAPS, STN_RUN_OF_SIGNED, STN_RUN_OF_UNSIGNED } values;
    stn_wide zero; /* for i64 arithmetic; may exceed 64 bits in a copy */
    /* NULL: with stochastic rounding, element n has random number n. Otherwise returns its number,
     * and how many of `count` elements from it on (at least 1) have a constant *step. */
    uint64_t (*draws_of)(const void *numbered, uint64_t n, int64_t *count, int64_t *step);
    const void *numbered; /* argument of draws_of */
} stn_run;

/* STN_ERR_ARGUMENT if scale, zero point or rules are invalid. */
stn_status stn_storage_check(const stn_storage *storage);

/* STN_ERR_ARGUMENT, STN_ERR_FORMAT or STN_ERR_UNSUPPORTED, as stn_decode says. */
stn_status stn_run_init(stn_run *run, stn_format arithmetic, const stn_storage *storage);

/* The same if the modes of core/modes.h are set already. */
stn_status stn_run_init_in_modes(stn_run *run, stn_format arithmetic, const stn_storage *storage);

/* Uses the scalar codec, whatever the instruction set. */
void stn_run_use_scalar(stn_run *run);

/* Size of a value of an arithmetic type. */
int64_t stn_arithmetic_bytes(stn_format arithmetic);

/* Copies the first of `count` values to the others. */
void stn_repeat(void *values, int64_t bytes, int64_t count);

/* In the modes of core/modes.h. Any stride; values are contiguous. */
void stn_run_decode(const stn_run *run, void *restrict values, const void *restrict codes,
                    int64_t stride, int64_t count);
void stn_run_encode(const stn_run *run, const void *restrict values, void *restrict codes,
                    int64_t stride, int64_t first, int64_t count);

/* The same for contiguous codes that are not read again soon: complete cache lines are stored
 * non-temporally. Call stn_nontemporal_fence after the last one. */
void stn_run_encode_nontemporal(const stn_run *run, const void *restrict values,
                                void *restrict codes, int64_t first, int64_t count);

#endif
