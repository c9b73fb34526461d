/** @file
 * Kernels written once: the computation of one element in plain C, run over views of any format,
 * layout and scale, on any executor.
 *
 * @code
 * STN_MAP(axpy, (real(alpha), in(x), inout(y)),
 *     y = alpha * x + y;
 * )
 * axpy_run(exec, STN_F64, 2.5, &x, &y);
 * @endcode
 *
 * STN_MAP defines these functions, and other names that begin with the name of the kernel:
 *
 * @code
 * stn_status axpy_run(const stn_exec *exec, stn_format arithmetic,
 *                     double alpha, const stn_view *x, const stn_view *y);
 * stn_status axpy_run_over(const stn_exec *exec, stn_format arithmetic, int rank,
 *                          const int64_t *extents,
 *                          double alpha, const stn_view *x, const stn_view *y);
 * @endcode
 *
 * The arithmetic type is STN_F64 or STN_F32; that of STN_MAP_INTEGER is STN_I64, that of
 * STN_MAP_COMPLEX is STN_C128 or STN_C64.
 *
 * ## Parameters
 *
 * A kernel has at most STN_MAX_PARAMETERS parameters. They determine every result and the speed:
 *
 * - `real(a)`: a scalar, rounded to the arithmetic type. The argument is a double; with
 *   STN_MAP_COMPLEX a stn_c128, with STN_MAP_INTEGER an int64_t
 * - `index(n)`: an int64_t, never converted to a float
 * - `bits(m)`: a uint64_t
 * - `at(i, j)`: names of the indices, the outermost first, as int64_t. The space has that number of
 *   dimensions. Without `at`, the order of elements and dimensions is unspecified
 * - `in(x)`: a view. x is the element, constant
 * - `inout(y)`: a view. y is the element, and its value at the end is stored. An element whose
 * value is unchanged keeps its code and is not counted
 * - `out(y)`: a view. The value of y at the end is stored. y begins as NaN, or as 0 in integers
 * - `masked(y)`: a view. y is the element, constant. Only STN_STORE(y, value) stores a value
 * - `shifted(u, nearest, -1, 1)`: a view. u is the element at these offsets, constant
 * - `stencil(u, nearest, 1, 1)`: a view, read by STN_AT(u, i - 1, j) within this radius
 * - `gather(u, 2)`: a view of rank 2. STN_AT(u, i, j) is any element of it, STN_INDEX_AT(u, i, j)
 * the same as an int64_t, STN_EXTENT_OF(u, 0) its first extent
 * - `scatter(u, 2)`: the same, and stored by STN_PUT(u, value, i, j) or updated atomically by
 *   STN_ADD, STN_MIN and STN_MAX. No element may read what another element stores
 *
 * Offsets and radii are integer constants; radii are not negative.
 *
 * The second word of `shifted` and `stencil` is the boundary. It determines the value outside of
 * the view: the nearest element, zero, the element of the periodic continuation (`periodic`), or a
 * constant (`value(c)`). With `inside`, elements that would read outside are not computed. Such
 * views have the dimensions of the space, at most four. Each row of a stencil is decoded once.
 *
 * Views are broadcast: extents are matched from the last dimension. An extent of 1 and a missing
 * dimension match every extent. Outputs must have the full extents. Views of `shifted`, `stencil`,
 * `gather` and `scatter` are not broadcast; a kernel without other views requires _run_over, with
 * extents.
 *
 * ## Body
 *
 * Parameters are variables of type real_t. `return` ends the element. STN_R(0.1) is a literal of
 * real_t. The real functions of C11's <math.h>, nextup and nextdown are those of real_t or of its
 * parts: an f32 kernel computes in f32. Other functions of <math.h> compute in double. Complex
 * kernels have stn_c_of, stn_c_add, stn_c_multiply, stn_c_divide and stn_c_conj, which are those of
 * complex.h for real_t. Elements are computed in no particular order, by several threads. Therefore
 * static variables of a body must be const.
 *
 * Functions that kernels call should be declared STN_KERNEL_FN, before the kernels. They are then
 * inlined into each loop and compiled by its rules (with clang the rest of the file is as well:
 * products and sums are not fused). Their parameters for views are stn_gather_2, stn_scatter_2 and
 * stn_stencil_2. Long bodies can be separate files: kernel_file.h.
 *
 * If STN_KERNEL_CHECKED is defined before this header is included, indices of `gather` and
 * `scatter` are compared with the extents: an element outside of the view reads as 0 and is not
 * stored. Outputs that are not assigned are reported.
 *
 * The results have the same bits on every executor, for every number of threads and every layout.
 *
 * ## Errors
 *
 * Launches return these errors before anything is written:
 * @retval STN_ERR_ARGUMENT     an argument is NULL, an output is read-only, the kernel does not
 *                              have this arithmetic type, or extents are missing. After the launch:
 *                              a checked kernel did not assign an output
 * @retval STN_ERR_SHAPE        extents cannot be broadcast, an output would be broadcast, or views
 *                              or the space have another rank than the kernel
 * @retval STN_ERR_ALIAS        an output repeats an element, or overlaps another parameter that is
 *                              not the same view, or the scales of one
 * @retval STN_ERR_FORMAT       the arithmetic type does not support a format
 * @retval STN_ERR_UNSUPPORTED  the same, for some formats; an atomic view; a kernel that was
 *                              compiled with flags that change its bits (doc/kernel_compilation.md)
 *                              or with headers of another version, or whose body has a static
 *                              variable that is not const
 * @retval STN_ERR_RANGE        the number of elements exceeds 64 bits. After the launch: an element
 *                              beyond the radius was read, or one outside of a checked view
 */
#ifndef STENO_KERNEL_H
#define STENO_KERNEL_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/kernel_define.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#    error "steno: kernels keep their promises without -ffast-math only"
#elif defined(__ASSOCIATIVE_MATH__)
#    error "steno: kernels keep their promises without -fassociative-math only"
#elif defined(__RECIPROCAL_MATH__)
#    error "steno: kernels keep their promises without -freciprocal-math only"
#elif defined(__NO_SIGNED_ZEROS__)
#    error "steno: kernels keep their promises without -fno-signed-zeros only"
#endif

#include <float.h>
#include <math.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 /* _Float16 too */
#    error "steno: kernels need float and double to be calculated as such (FLT_EVAL_METHOD 0 or 16)"
#endif

/** @cond INTERNAL */
#undef STN_MAP /* of kernel_missing.h */
#undef STN_MAP_INTEGER
#undef STN_MAP_COMPLEX
/** @endcond */

/* clang-format off */

/** Defines a kernel for the arithmetic types STN_F64 and STN_F32: `name_run` and `name_run_over`.
 * @param name        prefix of the functions
 * @param parameters  parameter list in parentheses
 * @param ...         body */
#define STN_MAP(name, parameters, ...)                                                             \
    STN_MAP_CHOICE(name, parameters, STN_MAP_OF_REALS)(name, parameters, #__VA_ARGS__, __VA_ARGS__)

/** STN_MAP() for the arithmetic type STN_I64. */
#define STN_MAP_INTEGER(name, parameters, ...)                                                     \
    STN_MAP_CHOICE(name, parameters, STN_MAP_OF_INTEGERS)(name, parameters, #__VA_ARGS__, __VA_ARGS__)

/** STN_MAP() for the arithmetic types STN_C128 and STN_C64. */
#define STN_MAP_COMPLEX(name, parameters, ...)                                                     \
    STN_MAP_CHOICE(name, parameters, STN_MAP_OF_COMPLEX)(name, parameters, #__VA_ARGS__, __VA_ARGS__)

/** The element of a `gather`, `scatter` or `stencil` view at these indices, one per dimension. */
#define STN_AT(view, ...)                                                                          \
    STN_READ_OF(STN_NUMBER_OF(__VA_ARGS__), view, #view), STN_INDICES(__VA_ARGS__), (const real_t *)0)
/** The element of a `gather` or `scatter` view as an int64_t. */
#define STN_INDEX_AT(view, ...)                                                                    \
    STN_INDEX_OF(STN_NUMBER_OF(__VA_ARGS__), view, #view), STN_INDICES(__VA_ARGS__))
/** Stores `value` in an element of a `scatter` view. */
#define STN_PUT(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_PUT(" #view, stn_put), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
/** Adds `value` to an element of a `scatter` view, atomically. */
#define STN_ADD(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_ADD(" #view, stn_add_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
/** Replaces an element of a `scatter` view by `value` if that is less, atomically. */
#define STN_MIN(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_MIN(" #view, stn_min_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
/** Replaces an element of a `scatter` view by `value` if that is greater, atomically. */
#define STN_MAX(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_MAX(" #view, stn_max_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
/** The extent of a dimension of a `gather`, `scatter` or `stencil` view. */
#define STN_EXTENT_OF(view, dimension) STN_EXTENT_BY(view, #view), dimension)

/** Stores `value` in the element of a `masked` view. */
#define STN_STORE(view, value)                                                                     \
    (__extension__({                                                                               \
        STN_STATIC_ASSERT(stn_repeats || STN_IS_MASKED(stn_masked_##view),                         \
                          "steno: STN_STORE(" #view ", ...) takes a masked view");                 \
        (void)(stn_masked_##view.stn_value = (value), stn_masked_##view.stn_mask = -1);            \
    }))
/* clang-format on */

/** A literal of the kernel's arithmetic type. If STN_SHORT_NAMES is defined before this header is
 * included, bodies can use the short form `R(0.1)`: a macro in C, a function of each body in C++.
 */
#define STN_R(literal) ((real_t)(literal))
#if defined(STN_SHORT_NAMES) && defined(R)
#    error "steno: STN_SHORT_NAMES defines R, which is a macro of the program"
#elif defined(STN_SHORT_NAMES) && !defined(__cplusplus)
#    define R(literal) STN_R(literal)
#endif

#endif
