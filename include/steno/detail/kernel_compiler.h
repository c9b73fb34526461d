/* Instructions to the compilers of kernels: which operations they may not change, and how loops
 * become vectors. */
#ifndef STENO_KERNEL_COMPILER_H
#define STENO_KERNEL_COMPILER_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

/* clang-format off */
#ifdef __cplusplus
#    define STN_KERNEL_RESTRICT __restrict
#else
#    define STN_KERNEL_RESTRICT restrict
#endif

/* Contraction off, and what else is inexact, and loops made vectors of where the program is optimised
 * at all. What no attribute keeps off, kernel_probe.h shows. */
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
/* Elements do not meet: compilers need not look whether arrays overlap. Where a loop cannot be made
 * vectors of all the same, clang would say so; what is off within a macro only is on again by then. */
#    pragma clang diagnostic ignored "-Wpass-failed"
#    define STN_KERNEL_APART _Pragma("clang loop vectorize(assume_safety)")
#    define STN_KERNEL_END _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
/* One attribute for all: with a second one, gcc forgets what the first says of contraction. Without
 * trapping-math gcc (12 to 14 at least) replaces (double)(int)x by trunc(x), which is -0 for -0.5;
 * with it, conditional arithmetic becomes vectors only on processors that mask operations. Loops that
 * convert numbers to integers are EXACT, those that do not are FAST. */
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
/* Of complex numbers gcc may look at parts that are stored side by side only where they have gone
 * through stn_apart. */
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
#    define STN_KERNEL_APART _Pragma("GCC ivdep")
#else
#    error "steno: kernels need gcc or clang"
#endif
/* One loop for each instruction set. Not by clang, whose resolvers of static functions have names
 * that clash between files; nor with gcc's thread sanitizer, which resolvers call before it runs. */
#if !defined(STN_KERNEL_ONE_VERSION) &&                                                            \
    (defined(__clang__) || !defined(__x86_64__) || !defined(__gnu_linux__) || defined(__AVX512F__) ||\
     !defined(__OPTIMIZE__) || defined(__SANITIZE_THREAD__))
#    define STN_KERNEL_ONE_VERSION
#endif
#ifndef STN_KERNEL_ONE_VERSION
#    if __GNUC__ >= 12 /* whose AVX-512 converts 64-bit integers, which indices are */
#        define STN_KERNEL_VERSIONS                                                                \
            __attribute__((__target_clones__("arch=x86-64-v4", "avx2", "default")))
#    else
#        define STN_KERNEL_VERSIONS __attribute__((__target_clones__("avx512f", "avx2", "default")))
#    endif
#else
#    define STN_KERNEL_VERSIONS
#endif

/* What is no more: calling it is one error, this sentence. (g++ would say it twice.) */
#if defined(__clang__) || (!defined(__cplusplus) && __GNUC__ >= 12)
#    define STN_KERNEL_REMOVED(words) __attribute__((__unavailable__(words)))
#else
#    define STN_KERNEL_REMOVED(words) __attribute__((__error__(words)))
#endif

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

/* NAME_converts: may a body convert numbers to integers? Words of its text, whose macros are
 * expanded, say so; gcc finds them when it compiles. The loop is then the one that does. */
#ifdef STN_KERNEL_TWO_LOOPS
#    define STN_KERNEL_SAYS(text, word) (__builtin_strstr(text, word) != 0)
#    define STN_KERNEL_CONVERTS_BY(text)                                                           \
        (STN_KERNEL_SAYS(text, "int ") || STN_KERNEL_SAYS(text, "int)") ||                         \
         STN_KERNEL_SAYS(text, "int>") || STN_KERNEL_SAYS(text, " int(") ||                        \
         STN_KERNEL_SAYS(text, "(int(") || STN_KERNEL_SAYS(text, "8_t") ||                         \
         STN_KERNEL_SAYS(text, "6_t") || STN_KERNEL_SAYS(text, "2_t") ||                           \
         STN_KERNEL_SAYS(text, "4_t") || STN_KERNEL_SAYS(text, "ze_t") ||                          \
         STN_KERNEL_SAYS(text, "ff_t") || STN_KERNEL_SAYS(text, "tr_t") ||                         \
         STN_KERNEL_SAYS(text, "long") || STN_KERNEL_SAYS(text, "short") ||                        \
         STN_KERNEL_SAYS(text, "char") || STN_KERNEL_SAYS(text, "signed") ||                       \
         STN_KERNEL_SAYS(text, "lrint") || STN_KERNEL_SAYS(text, "lround") ||                      \
         STN_KERNEL_SAYS(text, "ilogb") || STN_KERNEL_SAYS(text, "typedef") ||                     \
         STN_KERNEL_SAYS(text, "index_at"))
#    define STN_KERNEL_SAY_CONVERTS(name, value)                                                   \
        STN_KERNEL_BEGIN                                                                           \
        _Pragma("GCC diagnostic ignored \"-Wpedantic\"") enum { name##_converts = value };         \
        STN_KERNEL_END
#    define STN_KERNEL_CHOSEN(name, T) (name##_converts ? name##_exact_loop_##T : name##_loop_##T)
#else
#    define STN_KERNEL_SAY_CONVERTS(name, value)
#    define STN_KERNEL_CHOSEN(name, T) name##_loop_##T
#endif
#define STN_KERNEL_TEXT_OF(...) " " #__VA_ARGS__ " "

/* In C a misspelled function is an error rather than a missing symbol. clang reports variables that
 * are static and not const in functions that are extern inline, as bodies are there (kernel_body.h);
 * they are always inlined, and no symbol comes of them. */
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
