/* Attributes and pragmas for kernels: exact arithmetic and vectorized loops. */
#ifndef STENO_KERNEL_COMPILER_H
#define STENO_KERNEL_COMPILER_H

/* clang-format off */
#ifdef __cplusplus
#    define STN_KERNEL_RESTRICT __restrict
#else
#    define STN_KERNEL_RESTRICT restrict
#endif

/* Attributes that disable contraction and other inexact transformations, and vectorize loops if the
 * program is optimized. kernel_define.h detects flags that attributes cannot override. */
#if defined(__clang__)
#    define STN_KERNEL_EXACT
#    define STN_KERNEL_EXACT_PARTS
#    define STN_KERNEL_FAST
#    define STN_KERNEL_FAST_PARTS
#    if defined(__x86_64__)
#        define STN_KERNEL_NO_FUSING                                                               \
            _Pragma("float_control(precise, on)") _Pragma("STDC FP_CONTRACT OFF")
#    else
#        define STN_KERNEL_NO_FUSING                                                               \
            _Pragma("clang fp reassociate(off)") _Pragma("STDC FP_CONTRACT OFF")
#    endif
#    define STN_KERNEL_BEGIN                                                                       \
        _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wshadow\"")          \
        _Pragma("clang diagnostic ignored \"-Wunused-function\"")                                  \
        _Pragma("clang diagnostic ignored \"-Woverlength-strings\"") STN_KERNEL_ERRORS
/* Arrays do not overlap. clang would report loops that are not vectorized; a pragma inside the macro
 * has no effect on this warning. */
#    pragma clang diagnostic ignored "-Wpass-failed"
#    define STN_KERNEL_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#    define STN_KERNEL_END _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
/* One attribute: with a second one, gcc ignores the contraction setting of the first. Without
 * trapping-math, gcc (12 to 14 at least) replaces (double)(int)x by trunc(x), which is -0 for -0.5.
 * With it, conditional arithmetic is vectorized only for processors with masked operations. Loops that
 * convert floats to integers are EXACT, all others FAST. */
#    ifdef __OPTIMIZE__
#        define STN_KERNEL_OPTIMIZE(...)                                                           \
            __attribute__((__optimize__("O3", "no-fast-math", "fp-contract=off", __VA_ARGS__)))
#        define STN_KERNEL_TWO_LOOPS
#    else
#        define STN_KERNEL_OPTIMIZE(...)                                                           \
            __attribute__((__optimize__("no-fast-math", "fp-contract=off", __VA_ARGS__)))
#    endif
#    define STN_KERNEL_EXACT STN_KERNEL_OPTIMIZE("trapping-math", "no-math-errno")
#    define STN_KERNEL_FAST  STN_KERNEL_OPTIMIZE("no-trapping-math", "no-math-errno")
/* The vectorizer of straight-line code is off for complex numbers; see kernel_element.h. */
#    define STN_KERNEL_EXACT_PARTS                                                                 \
        STN_KERNEL_OPTIMIZE("trapping-math", "no-math-errno", "no-tree-slp-vectorize")
#    define STN_KERNEL_FAST_PARTS                                                                  \
        STN_KERNEL_OPTIMIZE("no-trapping-math", "no-math-errno", "no-tree-slp-vectorize")
#    define STN_KERNEL_NO_FUSING
#    define STN_KERNEL_BEGIN                                                                       \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")              \
        _Pragma("GCC diagnostic ignored \"-Wunused-function\"")                                    \
        _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") STN_KERNEL_ERRORS
#    define STN_KERNEL_END _Pragma("GCC diagnostic pop")
#    define STN_KERNEL_IVDEP _Pragma("GCC ivdep")
#else
#    error "steno: kernels need gcc or clang"
#endif
/* One loop per instruction set. Not with clang, whose resolvers of static functions have names that
 * clash between files, and not with gcc's thread sanitizer, which resolvers call before it is
 * initialized. */
#if !defined(STN_KERNEL_ONE_VERSION) &&                                                            \
    (defined(__clang__) || !defined(__x86_64__) || !defined(__gnu_linux__) || defined(__AVX512F__) ||\
     !defined(__OPTIMIZE__) || defined(__SANITIZE_THREAD__))
#    define STN_KERNEL_ONE_VERSION
#endif
#ifndef STN_KERNEL_ONE_VERSION
#    if __GNUC__ >= 12 /* x86-64-v4 can convert 64-bit integers, such as indices */
#        define STN_KERNEL_VERSIONS                                                                \
            __attribute__((__target_clones__("arch=x86-64-v4", "avx2", "default")))
#    else
#        define STN_KERNEL_VERSIONS __attribute__((__target_clones__("avx512f", "avx2", "default")))
#    endif
#else
#    define STN_KERNEL_VERSIONS
#endif

/* DO(T) for each arithmetic type. */
#define STN_EACH_ARITHMETIC(DO) DO(f64) DO(f32) DO(i64) DO(c128) DO(c64)

#define STN_KERNEL_EXACT_f64  STN_KERNEL_EXACT
#define STN_KERNEL_EXACT_f32  STN_KERNEL_EXACT
#define STN_KERNEL_EXACT_i64  STN_KERNEL_EXACT
#define STN_KERNEL_EXACT_c128 STN_KERNEL_EXACT_PARTS
#define STN_KERNEL_EXACT_c64  STN_KERNEL_EXACT_PARTS
#define STN_KERNEL_FAST_f64   STN_KERNEL_FAST
#define STN_KERNEL_FAST_f32   STN_KERNEL_FAST
#define STN_KERNEL_FAST_i64   STN_KERNEL_EXACT
#define STN_KERNEL_FAST_c128  STN_KERNEL_FAST_PARTS
#define STN_KERNEL_FAST_c64   STN_KERNEL_FAST_PARTS

/* NAME_converts is 1 if a body may convert floats to integers: gcc searches its text, after the
 * expansion of macros, for names of integer types at compile time. Such kernels use the EXACT loop. */
#ifdef STN_KERNEL_TWO_LOOPS
#    define STN_HAS(text, word) (__builtin_strstr(text, word) != 0)
#    define STN_KERNEL_TEXT_CONVERTS(text)                                                         \
        (STN_HAS(text, "int ") || STN_HAS(text, "int)") || STN_HAS(text, "int>") ||                \
         STN_HAS(text, " int(") || STN_HAS(text, "(int(") || STN_HAS(text, "8_t") ||               \
         STN_HAS(text, "6_t") || STN_HAS(text, "2_t") || STN_HAS(text, "4_t") ||                   \
         STN_HAS(text, "ze_t") || STN_HAS(text, "ff_t") || STN_HAS(text, "tr_t") ||                \
         STN_HAS(text, "long") || STN_HAS(text, "short") || STN_HAS(text, "char") ||               \
         STN_HAS(text, "signed") || STN_HAS(text, "lrint") || STN_HAS(text, "lround") ||           \
         STN_HAS(text, "ilogb") || STN_HAS(text, "typedef") || STN_HAS(text, "index_at"))
#    define STN_KERNEL_SET_CONVERTS(name, value)                                                   \
        STN_KERNEL_BEGIN                                                                           \
        _Pragma("GCC diagnostic ignored \"-Wpedantic\"") enum { name##_converts = value };         \
        STN_KERNEL_END
#    define STN_KERNEL_CHOSEN(name, T) (name##_converts ? name##_exact_loop_##T : name##_loop_##T)
#else
#    define STN_KERNEL_SET_CONVERTS(name, value)
#    define STN_KERNEL_CHOSEN(name, T) name##_loop_##T
#endif
#define STN_KERNEL_TEXT_OF(...) " " #__VA_ARGS__ " "

/* In C, a misspelled function is an error instead of a missing symbol. clang reports static variables
 * that are not const in extern inline functions; therefore bodies are such functions
 * (kernel_define.h). They are always inlined and define no symbol. */
#if defined(__cplusplus)
#    define STN_KERNEL_ERRORS
#    define STN_KERNEL_BODY STN_KERNEL_INLINE
#elif defined(__clang__)
#    define STN_KERNEL_ERRORS                                                                      \
        _Pragma("clang diagnostic error \"-Wimplicit-function-declaration\"")                      \
        _Pragma("clang diagnostic error \"-Wstatic-local-in-inline\"")                             \
        _Pragma("clang diagnostic ignored \"-Wstatic-in-inline\"")
#    define STN_KERNEL_BODY                                                                        \
        extern inline __attribute__((__gnu_inline__, __always_inline__, __unused__)) STN_KERNEL_EXACT
#else
#    define STN_KERNEL_ERRORS _Pragma("GCC diagnostic error \"-Wimplicit-function-declaration\"")
#    define STN_KERNEL_BODY   STN_KERNEL_INLINE
#endif

/* For functions that kernels call. clang takes the pragma here for the rest of the file. */
#define STN_KERNEL_INLINE                                                                          \
    static inline __attribute__((__always_inline__, __unused__)) STN_KERNEL_EXACT
#define STN_KERNEL_FN     STN_KERNEL_NO_FUSING STN_KERNEL_INLINE
/* clang-format on */

#endif
