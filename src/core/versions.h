/* Loops that are compiled for several instruction sets. */
#ifndef STENO_CORE_VERSIONS_H
#define STENO_CORE_VERSIONS_H

#ifdef __has_feature /* clang, which has no __SANITIZE_THREAD__ */
#    define STN_HAS_FEATURE(name) __has_feature(name)
#else
#    define STN_HAS_FEATURE(name) 0
#endif

/* Where the library is built for none in particular. No two of these functions have one name: what
 * chooses is not static where clang makes it. Not under a thread sanitizer: what chooses
 * between the calls would run before it. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__AVX2__) &&                         \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !STN_HAS_FEATURE(thread_sanitizer)
#    define STN_VERSIONS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define STN_VERSIONS
#endif

/* Before a loop whose arrays do not meet, or only element by element. */
#ifdef __clang__
#    define STN_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#    define STN_APART _Pragma("GCC ivdep")
#endif

#endif
