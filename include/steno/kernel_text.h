/** @file
 * Kernels compiled from a text at run time, without a C compiler.
 *
 * @code
 * stn_kernel *axpy;
 * stn_kernel_compile(&axpy, "axpy", "real(alpha), in(x), inout(y)", "y = alpha * x + y;",
 *                    STN_KERNEL_REAL);
 * const stn_argument arguments[] = {{.real = 2.5}, {.view = &x}, {.view = &y}};
 * stn_kernel_run(exec, axpy, STN_F64, STN_RANK_BROADCAST, NULL, arguments);
 * stn_kernel_release(axpy);
 * @endcode
 *
 * The text is the body that STN_MAP takes, and the results have the same bits. kernel.h describes
 * the parameters, what a body may contain, and the errors of a launch. The text is compiled to a
 * program over tiles of STN_TILE_ELEMENTS elements, which the library interprets. Executors with
 * `jit` compile the text by a C compiler if C defines the results of all its operations.
 *
 * The language is a part of C:
 *
 * - declarations of real_t, int64_t, uint64_t, int (32 bits), double and float, const or not
 * - statements: assignments, ++, --, if, else, for, while, do, break, continue, return
 * - expressions: all operators except sizeof and those of pointers; casts; numeric literals; the
 *   members .re and .im; C's conversions
 * - functions: those of kernel_math.h except STN_MATH_OTHERS, but with nexttoward; its conditions;
 *   NAN, INFINITY, HUGE_VAL
 * - macros: R and STN_R, STN_AT, STN_INDEX_AT, STN_PUT, STN_ADD, STN_MIN, STN_MAX, STN_STORE,
 * STN_EXTENT_OF
 *
 * Behavior that C leaves undefined is defined. Integers wrap. A division by 0 and its remainder are
 * 0; INT64_MIN / -1 is INT64_MIN. Shift counts are reduced modulo 64. A float is converted to the
 * nearest representable integer toward zero, NaN to 0. Variables without an initial value are 0. An
 * infinite loop does not end.
 *
 * An `out` parameter must be assigned on every path. All indices of `gather`, `scatter` and
 * `stencil` are checked, as with STN_KERNEL_CHECKED: an element outside of the view or beyond the
 * radius reads as 0 and is not stored. The launch then returns STN_ERR_RANGE after all elements
 * have been computed. Only elements that a branch reaches are read.
 */
#ifndef STENO_KERNEL_TEXT_H
#define STENO_KERNEL_TEXT_H

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_types.h"

STN_BEGIN_DECLS

/** Arithmetic types of a kernel. */
typedef enum stn_kernel_class {
    STN_KERNEL_REAL = 0,    /**< f64 and f32, as STN_MAP. */
    STN_KERNEL_INTEGER = 1, /**< i64, as STN_MAP_INTEGER. */
    STN_KERNEL_COMPLEX = 2  /**< c128 and c64, as STN_MAP_COMPLEX. */
} stn_kernel_class;

/** The argument for one parameter. The kind of the parameter selects the member. */
typedef union stn_argument {
    stn_f64 real;            /**< real(a) of an STN_KERNEL_REAL kernel, also in f32 arithmetic. */
    stn_c128 complex_number; /**< real(a) of an STN_KERNEL_COMPLEX kernel, also in c64. */
    stn_i64 index;           /**< index(n), and real(a) of an STN_KERNEL_INTEGER kernel. */
    stn_u64 bits;            /**< bits(m). */
    const stn_view *view;    /**< Every other kind, except at(...), which has no argument. */
} stn_argument;

/** Compiles a kernel. Several threads may launch it at the same time.
 * @param[out] kernel   the kernel, to be released by stn_kernel_release(); NULL on errors
 * @param name          name in messages and traces, 1 to 200 characters; copied
 * @param parameters    the parameter list of STN_MAP without its parentheses; copied
 * @param body          the body; copied
 * @param kernel_class  the arithmetic types
 * @retval STN_ERR_ARGUMENT  an argument is NULL, the name is empty or too long, or kernel_class is
 *                           invalid
 * @retval STN_ERR_PARSE     the text is not a kernel, or it is too large; the message has line and
 *                           column
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_kernel_compile(stn_kernel **kernel, const char *name, const char *parameters,
                                      const char *body, stn_kernel_class kernel_class);

/** Launches a kernel. The functions that STN_MAP defines call this function, too.
 *
 * The arguments are read before the function returns. The errors are those of kernel.h.
 *
 * @param exec        executor
 * @param kernel      kernel from stn_kernel_compile()
 * @param arithmetic  an arithmetic type of the class of the kernel
 * @param rank        number of dimensions of the space, or STN_RANK_BROADCAST: the broadcast of the
 *                    extents of the views
 * @param extents     `rank` extents, the outermost first; NULL with STN_RANK_BROADCAST
 * @param arguments   one per parameter, in the order of the list, without at(...)
 * @retval STN_ERR_ARGUMENT  in addition: kernel or arguments is NULL */
STN_API stn_status stn_kernel_run(const stn_exec *exec, const stn_kernel *kernel,
                                  stn_format arithmetic, int rank, const int64_t *extents,
                                  const stn_argument *arguments);

/** Releases a `kernel` from stn_kernel_compile(). No launch may be using it. NULL is a no-op. */
STN_API void stn_kernel_release(stn_kernel *kernel);

STN_END_DECLS

#endif
