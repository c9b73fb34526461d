/* Shuffles of two vectors by element indices, for gcc 4.7 and later. */
#ifndef STENO_CORE_SHUFFLE_H
#define STENO_CORE_SHUFFLE_H

#ifdef __clang__
#    define STN_SHUFFLE __builtin_shufflevector
#else
#    define STN_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (__typeof__(a)){__VA_ARGS__})
#endif

#endif
