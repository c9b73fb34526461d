/* The vector vocabulary that formats and fused kernels are written in, for the instruction set
 * STN_ISA, and the format STN_FORMAT in its words. Included by the sources that are compiled once
 * for every format and instruction set.
 *
 * V_LOOKUP is defined where codes of 7 bits can be looked up in registers (v_lookup_h,
 * v_upper_f64).
 *
 * A piece is V_PIECE consecutive elements: one vf32, or a vf64x2. A format file defines
 *     code                         the storage type of one element
 *     load_f32(p), load_f64(p)     a piece decoded: exact, or rounded to nearest
 *     store_f32(p, x), store_f64(p, x)   a piece encoded: to nearest even, overflow by the format's
 * rule
 * and may define PRODUCTS_EXACT_IN_F32, and which of sum/exact.h its sums are: EXACT_SUM,
 * EXACT_DOT, SUM_TILE_f64. */
#ifndef STENO_FORMAT_VEC_H
#define STENO_FORMAT_VEC_H

/* clang-format off */
#define STN_QUOTE_(text)         #text
#define STN_QUOTE(text)          STN_QUOTE_(text)
#define STN_HEADER(folder, name) STN_QUOTE(folder/name.h)
#include STN_HEADER(format/vec, STN_ISA)
#include "format/vec/pair.h"
#include STN_HEADER(format, STN_FORMAT)
/* clang-format on */

#define STN_JOIN3_(a, b, c) a##_##b##_##c
#define STN_JOIN3(a, b, c)  STN_JOIN3_(a, b, c)
#define STN_INSTANCE(name)  STN_JOIN3(name, STN_FORMAT, STN_ISA)

#endif
