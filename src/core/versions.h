/* Loops that are compiled for several instruction sets. */
#ifndef STENO_CORE_VERSIONS_H
#define STENO_CORE_VERSIONS_H

#ifdef __has_feature /* clang, which does not define __SANITIZE_THREAD__ */
#    define STN_HAS_FEATURE(name) __has_feature(name)
#else
#    define STN_HAS_FEATURE(name) 0
#endif

/* Multiversioned functions, unless the library is built for a specific instruction set. Their
 * names must be unique, because clang's resolvers are not static. Disabled under a thread
 * sanitizer, because resolvers would run before its initialization. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__AVX2__) &&                         \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !STN_HAS_FEATURE(thread_sanitizer)
#    define STN_VERSIONS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define STN_VERSIONS
#endif

/* Precedes a loop whose arrays are disjoint, or overlap only element by element. */
#ifdef __clang__
#    define STN_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#    define STN_APART _Pragma("GCC ivdep")
#endif

#endif
