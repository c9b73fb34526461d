/* The vector operations of instruction set STN_ISA, and the implementation of format STN_FORMAT by
 * these operations. Included by the sources that are compiled once for every format and instruction
 * set.
 *
 * V_LOOKUP is defined if tables indexed by 7-bit codes fit into registers (v_lookup_h,
 * v_upper_f64).
 *
 * A piece is V_PIECE consecutive elements: one vf32, or a vf64x2. A format file defines
 *     code                               storage type of one element
 *     load_f32(p), load_f64(p)           decodes a piece, exactly or rounded to nearest
 *     store_f32(p, x), store_f64(p, x)   encodes a piece, rounded to nearest even, with the
 *                                        format's overflow rule
 * and may define PRODUCTS_EXACT_IN_F32, and the functions of order/exact.h that it uses: EXACT_SUM,
 * EXACT_DOT, SUM_TILE_f64. PACKED_CODES: a code is a struct of
 * bytes. ONLY_F64: there are no fused loops in f32. SEGMENTED_CODES: codes are planes, which are
 * only read. */
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
