/** @file
 * A kernel in a separate file: the file is the body, with real line numbers, and a debugger stops
 * in it.
 *
 * @code
 * #define STN_KERNEL_NAME       step_2
 * #define STN_KERNEL_PARAMETERS (inout(x), in(p), in(rho))
 * #define STN_KERNEL_FILE       "step_2.k"
 * #include "steno/kernel_file.h"
 * @endcode
 *
 * This defines the functions that STN_MAP defines. The file is searched for in the folder of this
 * header and along the include path (-I). With steno_embed_kernels of the CMake package, the kernel
 * has its text, too.
 *
 * STN_KERNEL_ARITHMETIC is REAL (f64 and f32, the default), INTEGER or COMPLEX. Define
 * STN_KERNEL_CONVERTS as 1 if the body converts floats to integers and back: otherwise gcc may give
 * a zero the wrong sign. This header may be included any number of times, and undefines all of
 * these names.
 */
/** @cond INTERNAL */
#include "steno/detail/kernel_words.h"
#include "steno/kernel.h"

#if !defined(STN_KERNEL_NAME) || !defined(STN_KERNEL_PARAMETERS) || !defined(STN_KERNEL_FILE)
#    error "steno: define STN_KERNEL_NAME, STN_KERNEL_PARAMETERS and STN_KERNEL_FILE before this"
#else

/* clang-format off */
#ifndef STN_KERNEL_ARITHMETIC
#    define STN_KERNEL_ARITHMETIC REAL
#endif
#define STN_KERNEL_CHOICE_REAL    1
#define STN_KERNEL_CHOICE_INTEGER 2
#define STN_KERNEL_CHOICE_COMPLEX 3
#define STN_KERNEL_PASTE_(a, b) a##b
#define STN_KERNEL_PASTE(a, b)  STN_KERNEL_PASTE_(a, b)
#define STN_KERNEL_CHOICE       STN_KERNEL_PASTE(STN_KERNEL_CHOICE_, STN_KERNEL_ARITHMETIC)
#define STN_KERNEL_CALL(MACRO, ...) MACRO(__VA_ARGS__)
#if STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_REAL
#    define STN_KERNEL_WIDE   f64
#    define STN_KERNEL_NARROW f32
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_INTEGER
#    define STN_KERNEL_WIDE   i64
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_COMPLEX
#    define STN_KERNEL_WIDE   c128
#    define STN_KERNEL_NARROW c64
#else
#    error "steno: STN_KERNEL_ARITHMETIC is REAL, INTEGER or COMPLEX"
#endif
#ifndef STN_KERNEL_CONVERTS
#    define STN_KERNEL_CONVERTS 0
#endif

STN_KERNEL_CALL(STN_KERNEL_DESCRIBE, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS)
STN_KERNEL_CALL(STN_KERNEL_SET_CONVERTS, STN_KERNEL_NAME, STN_KERNEL_CONVERTS)
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, STN_KERNEL_WIDE, STN_KERNEL_PARAMETERS)
#include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, STN_KERNEL_WIDE, STN_KERNEL_PARAMETERS)
#ifdef STN_KERNEL_NARROW
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, STN_KERNEL_NARROW, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, STN_KERNEL_NARROW, STN_KERNEL_PARAMETERS)
#endif

/* Files of steno_embed_kernels define STN_KERNEL_HAS_TEXT. */
#ifdef STN_KERNEL_HAS_TEXT
#    define STN_KERNEL_TEXT_HERE
static const unsigned char STN_KERNEL_PASTE(STN_KERNEL_NAME, _text)[] = {
#    include STN_KERNEL_FILE
};
#    undef STN_KERNEL_TEXT_HERE
#    undef STN_KERNEL_HAS_TEXT
#    define STN_KERNEL_TEXT (const char *)STN_KERNEL_PASTE(STN_KERNEL_NAME, _text)
#else
#    define STN_KERNEL_TEXT 0
#endif

#define STN_KERNEL_LOOPS_HERE STN_KERNEL_PASTE(STN_KERNEL_LOOPS_OF_, STN_KERNEL_ARITHMETIC)
STN_KERNEL_CALL(STN_KERNEL_LAUNCH, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS, STN_KERNEL_TEXT,
                STN_KERNEL_WIDE, STN_KERNEL_CALL(STN_KERNEL_LOOPS_HERE, STN_KERNEL_NAME))
/* clang-format on */

#    undef STN_KERNEL_NAME
#    undef STN_KERNEL_PARAMETERS
#    undef STN_KERNEL_FILE
#    undef STN_KERNEL_ARITHMETIC
#    undef STN_KERNEL_CHOICE_REAL
#    undef STN_KERNEL_CHOICE_INTEGER
#    undef STN_KERNEL_CHOICE_COMPLEX
#    undef STN_KERNEL_PASTE_
#    undef STN_KERNEL_PASTE
#    undef STN_KERNEL_CHOICE
#    undef STN_KERNEL_CALL
#    undef STN_KERNEL_WIDE
#    undef STN_KERNEL_NARROW
#    undef STN_KERNEL_LOOPS_HERE
#    undef STN_KERNEL_CONVERTS
#    undef STN_KERNEL_TEXT
#endif
/** @endcond */
