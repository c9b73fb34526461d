/* Moving elements of any size between two strides. */
#ifndef STENO_CORE_MOVE_H
#define STENO_CORE_MOVE_H

#include <stdint.h>

/* Copies `count` elements of `bytes` with two strides, both in bytes. */
void stn_move(void *restrict to, int64_t to_step, const void *restrict from, int64_t from_step,
              int64_t bytes, int64_t count);

#endif
