/* Kernels from a text at run time, for programs that have no C compiler at hand:
 *
 *     stn_kernel *axpy;
 *     stn_kernel_compile("axpy", "real(alpha), in(x), inout(y)", "y = alpha * x + y;",
 *                        STN_KERNEL_REAL, &axpy);
 *     stn_kernel_run(exec, axpy, STN_F64, -1, NULL, arguments);
 *     stn_kernel_release(axpy);
 *
 * The text is the one that STN_MAP takes, and the same bits come out: kernel.h says what parameters
 * and indices are inside and what launches refuse. It is compiled to a program over tiles of
 * STN_TILE_ELEMENTS elements that the library runs.
 *
 * The language is this part of C: declarations of real_t, int64_t, uint64_t, int, double and float,
 * const or not; assignments, ++ and --; if, else, for, while, do, break, continue, return; all
 * operators but sizeof and those of pointers; casts; literals of numbers; R, STN_R, the
 * functions and conditions of kernel_math.h but STN_MATH_OTHERS, nexttoward, NAN, INFINITY,
 * HUGE_VAL, STN_AT, STN_INDEX_AT, STN_PUT, STN_ADD, STN_MIN, STN_MAX, STN_STORE, STN_EXTENT_OF; .re
 * and .im. Usual conversions are C's,
 * with int of 32 bits. Where C leaves open what happens, this does: integers wrap; division by 0
 * and its remainder are 0, INT64_MIN / -1 is INT64_MIN; shifts are modulo 64; floats become the
 * nearest integer that can be, towards zero, and NaN becomes 0; variables without a value are 0. A
 * loop that never ends never ends.
 *
 * Arguments are given to all parameters but at. An out that is not assigned on every path is
 * refused. A text comes from outside, so that all indices of gather, scatter and stencil are
 * checked, as with STN_KERNEL_CHECKED: an element that the view does not have, or that is beyond
 * the radius, reads as 0 and is not stored, and the launch returns STN_ERR_RANGE when all others
 * are done. Elements that a branch leaves out are not asked for. */
#ifndef STENO_KERNEL_TEXT_H
#define STENO_KERNEL_TEXT_H

#include "steno/detail/names/hide.h"
#include "steno/detail/kernel_types.h"

STN_BEGIN_DECLS

/* What real_t is, as of STN_MAP, STN_MAP_INTEGER and STN_MAP_COMPLEX. */
typedef enum stn_kernel_class {
    STN_KERNEL_REAL = 0,    /* f64 and f32 */
    STN_KERNEL_INTEGER = 1, /* i64 */
    STN_KERNEL_COMPLEX = 2  /* c128 and c64 */
} stn_kernel_class;

/* Compile a kernel; release it with stn_kernel_release. The strings are copied. Several threads may
 * run it at once. On failure *kernel is NULL.
 * STN_ERR_ARGUMENT  a NULL, a name that is empty or longer than 200 characters, no class
 * STN_ERR_PARSE     the text is not a kernel, or too large: the message names line and column
 * STN_ERR_MEMORY    an allocation failed */
STN_API stn_status stn_kernel_compile(const char *name, const char *parameters, const char *body,
                                      stn_kernel_class kernel_class, stn_kernel **kernel);

/* Release a kernel of stn_kernel_compile that no launch uses any more; NULL does nothing. */
STN_API void stn_kernel_release(stn_kernel *kernel);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
