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

#define STN_KERNEL_LOOP_OF(T)   STN_KERNEL_CALL(STN_KERNEL_LOOP_OF_, STN_KERNEL_NAME, T)
#define STN_KERNEL_LOOP_OF_(name, T) STN_KERNEL_CHOSEN(name, T)
#ifndef STN_KERNEL_CONVERTS
#    define STN_KERNEL_CONVERTS 0
#endif

STN_KERNEL_CALL(STN_KERNEL_DESCRIBE, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS)
STN_KERNEL_CALL(STN_KERNEL_SAY_CONVERTS, STN_KERNEL_NAME, STN_KERNEL_CONVERTS)
#if STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_REAL
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, f64, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, f64, STN_KERNEL_PARAMETERS)
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, f32, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, f32, STN_KERNEL_PARAMETERS)
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_INTEGER
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, i64, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, i64, STN_KERNEL_PARAMETERS)
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_COMPLEX
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, c128, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, c128, STN_KERNEL_PARAMETERS)
STN_KERNEL_CALL(STN_KERNEL_HEAD, STN_KERNEL_NAME, c64, STN_KERNEL_PARAMETERS)
#    include STN_KERNEL_FILE
STN_KERNEL_CALL(STN_KERNEL_TAIL, STN_KERNEL_NAME, c64, STN_KERNEL_PARAMETERS)
#else
#    error "steno: STN_KERNEL_ARITHMETIC is REAL, INTEGER or COMPLEX"
#endif

/* A file made by steno_embed_kernels has said by now that it holds the text, too. */
#ifdef STN_KERNEL_HAS_TEXT
#    define STN_KERNEL_TEXT_HERE
static const unsigned char STN_KERNEL_PASTE(STN_KERNEL_NAME, _text)[] = {
#    include STN_KERNEL_FILE
};
#    undef STN_KERNEL_TEXT_HERE
#    undef STN_KERNEL_HAS_TEXT
#    define STN_KERNEL_WORDS (const char *)STN_KERNEL_PASTE(STN_KERNEL_NAME, _text)
#else
#    define STN_KERNEL_WORDS 0
#endif

#if STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_REAL
STN_KERNEL_CALL(STN_KERNEL_LAUNCH, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS, STN_KERNEL_WORDS, f64,
                STN_KERNEL_LOOP_OF(f64), STN_KERNEL_LOOP_OF(f32), 0, 0, 0)
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_INTEGER
STN_KERNEL_CALL(STN_KERNEL_LAUNCH, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS, STN_KERNEL_WORDS, i64,
                0, 0, STN_KERNEL_LOOP_OF(i64), 0, 0)
#elif STN_KERNEL_CHOICE == STN_KERNEL_CHOICE_COMPLEX
STN_KERNEL_CALL(STN_KERNEL_LAUNCH, STN_KERNEL_NAME, STN_KERNEL_PARAMETERS, STN_KERNEL_WORDS, c128,
                0, 0, 0, STN_KERNEL_LOOP_OF(c128), STN_KERNEL_LOOP_OF(c64))
#endif
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
#    undef STN_KERNEL_LOOP_OF
#    undef STN_KERNEL_LOOP_OF_
#    undef STN_KERNEL_CONVERTS
#    undef STN_KERNEL_WORDS
#endif
/** @endcond */
