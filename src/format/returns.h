/* Does storing an element that was read restore its code? */
#ifndef STENO_FORMAT_RETURNS_H
#define STENO_FORMAT_RETURNS_H

#include "format/run.h"

/* Encoding a decoded code restores it and counts nothing: for all codes; for codes of finite
 * values (infinities may saturate, and there are many NaNs); possibly not. */
typedef enum stn_return_kind {
    STN_RETURNS_ALL = 0,
    STN_RETURNS_FINITE = 1,
    STN_RETURNS_SOME = 2
} stn_return_kind;

stn_return_kind stn_run_returns(const stn_run *run);

/* The same with any scales of these magnitudes in place of the scale of the run. */
stn_return_kind stn_run_returns_scaled(const stn_run *run, double least, double greatest);

#endif
