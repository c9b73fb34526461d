/* Kernels written once: an element's calculation in plain C, run over views of any format, in any
 * layout and under any scales, on any executor.
 *
 *     STN_MAP(axpy, (real(alpha), in(x), inout(y)),
 *         y = alpha * x + y;
 *     )
 *     axpy_run(exec, STN_F64, 2.5, &x, &y);
 *
 * defines, among names that begin with axpy_,
 *
 *     stn_status axpy_run(const stn_exec *exec, stn_format arithmetic,
 *                         double alpha, const stn_view *x, const stn_view *y);
 *     stn_status axpy_run_over(const stn_exec *exec, stn_format arithmetic, int rank,
 *                              const int64_t *extents,
 *                              double alpha, const stn_view *x, const stn_view *y);
 *
 * for arithmetic STN_F64 and STN_F32; STN_MAP_INTEGER for STN_I64, STN_MAP_COMPLEX for STN_C128
 * and STN_C64.
 *
 * Parameters, STN_MOST_PARAMETERS at most, or none; they say all that decides a result or a speed:
 *     real(a)         a number, rounded to the arithmetic: double; with STN_MAP_COMPLEX stn_c128,
 *                     with STN_MAP_INTEGER int64_t
 *     index(n)        int64_t, never through a float
 *     bits(m)         uint64_t
 *     at(i, j)        names of the indices, outermost first: int64_t. The space has so many
 *                     dimensions; without it, the order of elements and dimensions is free
 *     in(x)           a view: x is the element, constant
 *     inout(y)        a view: y is the element, and what it is at the end is stored; a value that
 *                     was read leaves code and counters alone
 *     out(y)          a view: y is what is stored; begins as NaN, integers as 0
 *     masked(y)       a view: y is the element, constant; STN_STORE(y, value) stores another
 *     shifted(u, nearest, -1, 1)  a view: u is the element at these offsets, constant
 *     stencil(u, nearest, 1, 1)   a view, read by STN_AT(u, i - 1, j) no further than this radius
 *     gather(u, 2)    a view of rank 2: any element of it by STN_AT(u, i, j), as int64_t by
 *                     STN_INDEX_AT(u, i, j); its first extent is STN_EXTENT_OF(u, 0)
 *     scatter(u, 2)   the same, and stored by STN_PUT(u, value, i, j), or atomically updated by
 *                     STN_ADD, STN_MIN and STN_MAX. What other elements store must not be read
 *
 * Outside of a shifted view or a stencil's there is its nearest element, zero, the view again
 * (periodic), a constant (value(c)), or nothing (inside): elements that would read there are left
 * alone. Both have the dimensions of the space, up to four. Rows of a stencil are decoded once.
 *
 * Inside, parameters are ordinary variables of type real_t. `return` leaves the element. R(0.1) is
 * a literal of real_t. All real functions of C11's <math.h>, and nextup and nextdown, are those of
 * real_t, or of its parts: an f32 kernel computes in f32. Others that <math.h> may declare are
 * double's. Complex kernels have stn_c_of, stn_c_add, stn_c_multiply, stn_c_divide and stn_c_conj,
 * which are complex.h's for real_t. The elements are calculated in no particular order.
 *
 * With STN_KERNEL_CHECKED defined before this header is included, indices of gather and scatter are
 * compared with their extents: an element that is not there reads as 0 and is not stored. Outputs
 * that are not assigned are noticed.
 *
 * Views are broadcast: extents count from the last dimension, an extent of 1 stands for any, and so
 * does a dimension that a view does not have. What is written must have the full extents. Views of
 * shifted, stencil, gather and scatter take no part; a kernel that has no others is given its
 * extents.
 *
 * Functions that kernels call are best declared STN_KERNEL_FN, before them: then they are part of
 * each loop and calculate under its rules (and with clang so does the rest of the file: products
 * and sums are not fused). They take elements anywhere as stn_gather_2, stn_scatter_2 and
 * stn_stencil_2. Longer kernels stand in a file of their own: kernel_file.h.
 *
 * The same bits come out on every executor, for every number of threads and all layouts. Errors of
 * the launches, before anything is written:
 * STN_ERR_ARGUMENT     a NULL, a read-only output, arithmetic the kernel does not have, no extents;
 *                      after the launch: an output was not assigned, where kernels are checked
 * STN_ERR_SHAPE        extents that do not broadcast, an output that would be, views or a space of
 *                      another rank than the kernel says
 * STN_ERR_ALIAS        an output overlaps another parameter, which is not the same view, or the
 *                      scales of one, or repeats
 *                      an element
 * STN_ERR_FORMAT, STN_ERR_UNSUPPORTED  a format that does not go with the arithmetic; atomic views
 * STN_ERR_UNSUPPORTED  the kernel was compiled by flags that change its bits (doc/kernels.md), or
 *                      by headers of another version
 * STN_ERR_RANGE        more elements than can be counted; after the launch: an element beyond the
 *                      radius, or that a checked view does not have, was asked for */
#ifndef STENO_KERNEL_H
#define STENO_KERNEL_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/names/kernel_words.h"
#include "steno/detail/names/hide.h"
#include "steno/detail/kernel_body.h"
#include "steno/detail/kernel_list.h"
#include "steno/detail/kernel_missing.h"

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

#include "steno/detail/kernel_probe.h"

STN_DEFINE_AT_END(f64)
STN_DEFINE_AT_END(f32)
STN_DEFINE_AT_END(i64)
STN_DEFINE_AT_END(c128)
STN_DEFINE_AT_END(c64)

/* See kernel_missing.h. */
#undef STN_MAP
#undef STN_MAP_INTEGER
#undef STN_MAP_COMPLEX

/* clang-format off */
#define STN_MAP(name, parameters, ...)                                                             \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FORM_, parameters), STN_MAP_REAL, STN_MAP_WRONG)) \
    (name, parameters, #__VA_ARGS__, __VA_ARGS__)
#define STN_MAP_REAL(name, parameters, words, ...)                                                 \
    STN_CHECK_BODY(name, words)                                                                    \
    STN_KERNEL_DESCRIBE_OF(name, f64, parameters)                                                  \
    STN_KERNEL_HEAD(name, f64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, f64, parameters)                                                         \
    STN_KERNEL_HEAD(name, f32, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, f32, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, words, f64, name##_loop_f64, name##_loop_f32, 0, 0, 0)

#define STN_MAP_INTEGER(name, parameters, ...)                                                     \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FORM_, parameters), STN_MAP_WHOLE, STN_MAP_WRONG))\
    (name, parameters, #__VA_ARGS__, __VA_ARGS__)
#define STN_MAP_WHOLE(name, parameters, words, ...)                                                \
    STN_CHECK_BODY(name, words)                                                                    \
    STN_KERNEL_DESCRIBE_OF(name, i64, parameters)                                                  \
    STN_KERNEL_HEAD(name, i64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, i64, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, words, i64, 0, 0, name##_loop_i64, 0, 0)

#define STN_MAP_COMPLEX(name, parameters, ...)                                                     \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FORM_, parameters), STN_MAP_PARTS, STN_MAP_WRONG))\
    (name, parameters, #__VA_ARGS__, __VA_ARGS__)
#define STN_MAP_PARTS(name, parameters, words, ...)                                                \
    STN_CHECK_BODY(name, words)                                                                    \
    STN_KERNEL_DESCRIBE_OF(name, c128, parameters)                                                 \
    STN_KERNEL_HEAD(name, c128, parameters)                                                        \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, c128, parameters)                                                        \
    STN_KERNEL_HEAD(name, c64, parameters)                                                         \
    __VA_ARGS__                                                                                    \
    STN_KERNEL_TAIL(name, c64, parameters)                                                         \
    STN_KERNEL_LAUNCH(name, parameters, words, c128, 0, 0, 0, name##_loop_c128, name##_loop_c64)

/* One error, and functions that take anything, so that calls are none. */
#define STN_MAP_WRONG(name, parameters, ...)                                                       \
    STN_BLAME_PARAMETERS(STN_FORM_, name, parameters)                                              \
    STN_ANY_KERNEL(name)

/* Elements of gather, scatter and stencil, by one index per dimension. */
#define STN_AT(view, ...)                                                                          \
    STN_READ_OF(STN_NUMBER_OF(__VA_ARGS__), view, #view), STN_INDICES(__VA_ARGS__), (const real_t *)0)
#define STN_INDEX_AT(view, ...)                                                                    \
    STN_INDEX_OF(STN_NUMBER_OF(__VA_ARGS__), view, #view), STN_INDICES(__VA_ARGS__))
#define STN_PUT(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_PUT(" #view, stn_put), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
#define STN_ADD(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_ADD(" #view, stn_add_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
#define STN_MIN(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_MIN(" #view, stn_min_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
#define STN_MAX(view, value, ...)                                                                  \
    STN_WRITE_OF(STN_NUMBER_OF(__VA_ARGS__), view, "STN_MAX(" #view, stn_max_into), STN_INDICES(__VA_ARGS__), STN_AS_REAL(value))
#define STN_EXTENT_OF(view, dimension) STN_EXTENT_BY(view, #view), dimension)

/* An element of a masked view. */
#define STN_STORE(view, value)                                                                     \
    ((void)(stn_masked_##view.stn_value = (value), stn_masked_##view.stn_mask = -1))
/* clang-format on */

/* A literal of the kernel's arithmetic type; R(0.1) is the same in a body. In C that is a macro,
 * unless the program has one of that name; in C++ a function that each kernel has for itself, and R
 * means nothing elsewhere. */
#define STN_R(literal) ((real_t)(literal))
#if !defined(__cplusplus) && !defined(R)
#    define R(literal) STN_R(literal)
#endif

#include "steno/detail/names/show.h"

#endif
