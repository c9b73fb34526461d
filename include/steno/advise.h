/** @file
 * Advice: selection of storage formats for a given error.
 *
 * The functions measure: errors are those of the given values, and times are those of kernels of
 * this library on the executor. Results are therefore specific to the machine, except for bytes and
 * errors of arrays, which are exact.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     an argument is NULL or invalid
 * @retval STN_ERR_UNSUPPORTED  device memory, or an executor of a device
 * @retval STN_ERR_MEMORY       out of memory
 */
#ifndef STENO_ADVISE_H
#define STENO_ADVISE_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* ---- arrays ---- */

/** Measure of the error of a stored array. */
typedef enum stn_error_norm {
    STN_ERROR_MAX = 0, /**< largest magnitude of an error */
    STN_ERROR_RMS = 1  /**< root mean square of the errors */
} stn_error_norm;

/** Quantity that is minimized among the formats that meet the target. */
typedef enum stn_advise_goal {
    STN_ADVISE_BYTES = 0, /**< bytes; of equal ones, the shortest time per element */
    STN_ADVISE_SPEED = 1  /**< time per element; within 10 % of the shortest one, bytes */
} stn_advise_goal;

/** Scales of a storage. */
typedef enum stn_advise_scales {
    STN_ADVISE_UNSCALED = 0, /**< scale 1 */
    STN_ADVISE_FITTED = 1,   /**< one power of two for the array, as of stn_view_fit_scales() */
    /** One f32 power of two for each 32 consecutive elements of the last dimension. */
    STN_ADVISE_BLOCKS = 2
} stn_advise_scales;

/** Options of stn_advise_array(). Initialize the struct with STN_ARRAY_ADVICE_OPTIONS_INIT: maximum
 * error 0. */
typedef struct stn_array_advice_options {
    size_t size;          /**< size of this struct */
    double target;        /**< largest admissible error */
    stn_error_norm norm;  /**< measure of the error */
    int32_t is_relative;  /**< 1: errors are relative to the same norm of the values */
    stn_advise_goal goal; /**< what is minimized */
} stn_array_advice_options;
/** Initializer of stn_array_advice_options. */
#define STN_ARRAY_ADVICE_OPTIONS_INIT STN_INIT(stn_array_advice_options)

/** A storage of an array with its errors. Initialize the struct with STN_ARRAY_CHOICE_INIT. */
typedef struct stn_array_choice {
    size_t size;              /**< size of this struct */
    stn_format format;        /**< format */
    stn_advise_scales scales; /**< kind of scales */
    double scale;             /**< scale of STN_ADVISE_FITTED; otherwise 1 */
    int64_t bytes;            /**< bytes of all elements and scales */
    /** Largest magnitude of an error. Infinity if an infinity or NaN is not stored as such, or if a
     * value overflows. */
    double max_error;
    double rms_error; /**< root mean square of the errors */
    /** `max_error` divided by the largest finite magnitude of the array, and `rms_error` divided by
     * the root mean square of its finite values. Equal to the absolute errors if all values are 0.
     */
    double max_relative, rms_relative;
    double read_seconds;  /**< measured seconds per element to read and sum it in f64 */
    int32_t meets_target; /**< 1 if the error is at most the target */
    /** 1 if no other storage is at least as good in bytes, error and time, and better in one of
     * them. */
    int32_t is_efficient;
} stn_array_choice;
/** Initializer of stn_array_choice. */
#define STN_ARRAY_CHOICE_INIT STN_INIT(stn_array_choice)

/** List of storages of an array. */
typedef struct stn_array_advice stn_array_advice;

/** Evaluates an array in all formats that match it, with all kinds of scales.
 *
 * Real arrays are evaluated in all real formats, registered ones included; complex arrays in all
 * complex formats. Errors are differences between the values of the view in f64 and the stored
 * values. They are computed for all elements. The speed is measured on at most 2^21 elements.
 * Storages that cannot hold the array, such as unsigned formats for negative values, are omitted.
 *
 * @param exec         executor of the host
 * @param[out] advice  list, to be released with stn_array_advice_release(); NULL on error
 * @param view         array of any shape, format and layout
 * @param options      target; NULL selects the defaults
 * @retval STN_ERR_FORMAT  the format of the view is opaque
 * @code
 * stn_array_advice_options options = STN_INIT(stn_array_advice_options, .target = 1e-4,
 *                                             .norm = STN_ERROR_RMS, .is_relative = 1);
 * stn_advise_array(exec, &advice, &view, &options);
 * stn_array_advice_describe(advice, stn_array_advice_best(advice), &choice);
 * @endcode */
STN_API stn_status stn_advise_array(const stn_exec *exec, stn_array_advice **advice,
                                    const stn_view *view, const stn_array_advice_options *options);

/** Returns the number of storages of `advice`, which are in ascending order of bytes. */
STN_API int stn_array_advice_count(const stn_array_advice *advice);
/** Returns the index of the best storage of `advice` that meets the target, or -1 if none does. */
STN_API int stn_array_advice_best(const stn_array_advice *advice);
/** Returns the storage of `advice` with an `index`, from 0, in `choice`.
 * @retval STN_ERR_RANGE  the index is out of range */
STN_API stn_status stn_array_advice_describe(const stn_array_advice *advice, int index,
                                             stn_array_choice *choice);
/** Releases `advice`; NULL is a no-op. */
STN_API void stn_array_advice_release(stn_array_advice *advice);

STN_END_DECLS

#endif
