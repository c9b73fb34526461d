/* Floats of 24, 40 and 48 bits for the instruction set STN_ISA:
 *     v_load_f24(p), v_load_f24_f64(p), v_store_f24(p, x)
 *     v_load_f40(p), v_store_f40(p, x), v_load_f48(p), v_store_f48(p, x)
 *     v_narrow_odd_f32(x)   an f32 rounded to odd, also for subnormals
 * Stores round to nearest even. NaN must be canonical (v_canonical_f32, v_canonical_f64). */
#ifndef STENO_FORMAT_VEC_BYTES_H
#define STENO_FORMAT_VEC_BYTES_H

/* clang-format off */
#include STN_HEADER(format/vec/bytes, STN_ISA)
/* clang-format on */

#endif
