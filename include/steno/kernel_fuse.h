/** @file
 * Fused loops: a kernel compiled for views of given formats, whose elements it reads and writes
 * itself instead of through the codecs of the library.
 *
 * @code
 * STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
 * STN_FUSE(axpy_f16, axpy, f64, (real(alpha), in(x, f16), inout(y, f64)))
 * @endcode
 *
 * axpy_run uses the loop if the arithmetic type and the formats match, the views are contiguous
 * along the last dimension and have no scale (or, in f64 and f32 arithmetic and other formats than
 * these, a power of two), and outputs are rounded to nearest with the overflow rule of their
 * format. The executor must not be `reference`. The bits are the same.
 *
 * Fused loops are faster if the program is compiled for the processor that runs it (-march=native).
 * Without F16C and AVX2, the library reads 16-bit and 8-bit floats faster.
 */
#ifndef STENO_KERNEL_FUSE_H
#define STENO_KERNEL_FUSE_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/kernel_fused.h"

/** @cond INTERNAL */
#undef STN_FUSE /* of kernel_missing.h */
/** @endcond */

/* clang-format off */
/** Compiles a loop of a kernel for given formats.
 *
 * `kernel_run` uses the loop on every executor except `reference` if the arithmetic type and all
 * formats match, the views are contiguous along the last dimension, rounding is to nearest with the
 * overflow rule of the format, and there is no scale. A scale that is a power of two is allowed in
 * f64 and f32 arithmetic for formats other than the arithmetic type.
 *
 * @param name        unique name of the loop
 * @param kernel      name of a kernel that precedes this macro
 * @param arithmetic  f64, f32, i64, c128 or c64
 * @param parameters  parameter list of the kernel, in which views have a format as their second
 *                    item. Its kinds are real, index, bits, at, in, inout and out */
#define STN_FUSE(name, kernel, arithmetic, parameters)                                             \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FUSES_, parameters), STN_FUSE_LOOP, STN_FUSE_ERROR))\
    (name, kernel, arithmetic, parameters)
/* clang-format on */

#endif
