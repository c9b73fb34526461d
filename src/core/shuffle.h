/* Shuffles of two vectors by element indices, which are constants. */
#ifndef STENO_CORE_SHUFFLE_H
#define STENO_CORE_SHUFFLE_H

/* STN_SHUFFLE: as many elements as a vector has, of integers. STN_SHUFFLE_TO: any number. gcc has
 * __builtin_shufflevector from version 12 on. */
#if defined(__clang__) || __GNUC__ >= 12
#    define STN_SHUFFLE    __builtin_shufflevector
#    define STN_SHUFFLE_TO __builtin_shufflevector
#else
#    define STN_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (__typeof__(a)){__VA_ARGS__})
/* Element by element, which is slower. */
#    define STN_SHUFFLE_TO(a, b, ...)                                                              \
        __extension__({                                                                            \
            enum { STN_COUNT = sizeof(a) / sizeof((a)[0]) };                                       \
            static const unsigned char stn_at[] = {__VA_ARGS__};                                   \
            __auto_type stn_first = (a)[0];                                                        \
            typedef __typeof__(stn_first) stn_shuffled                                             \
                __attribute__((vector_size(sizeof stn_at * sizeof stn_first)));                    \
            stn_shuffled stn_result;                                                               \
            for (int stn_k = 0; stn_k < (int)sizeof stn_at; stn_k++)                               \
                stn_result[stn_k] = stn_at[stn_k] < STN_COUNT ? (a)[stn_at[stn_k]]                 \
                                                              : (b)[stn_at[stn_k] - STN_COUNT];    \
            stn_result;                                                                            \
        })
#endif

#endif
