/* Before a header says anything: its words are put away where a program has macros of the same
 * names, and show.h, at its end, brings those back. Headers that others include have nothing to do.
 */
#if !(defined(__GNUC__) && !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) &&       \
      !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__))
#elif !defined(STN_HIDDEN_1)
#    define STN_HIDDEN_1
#    include "steno/detail/names/put_away.h"
#elif !defined(STN_HIDDEN_2)
#    define STN_HIDDEN_2
#elif !defined(STN_HIDDEN_3)
#    define STN_HIDDEN_3
#elif !defined(STN_HIDDEN_4)
#    define STN_HIDDEN_4
#elif !defined(STN_HIDDEN_5)
#    define STN_HIDDEN_5
#elif !defined(STN_HIDDEN_6)
#    define STN_HIDDEN_6
#elif !defined(STN_HIDDEN_7)
#    define STN_HIDDEN_7
#elif !defined(STN_HIDDEN_8)
#    define STN_HIDDEN_8
#elif !defined(STN_HIDDEN_9)
#    define STN_HIDDEN_9
#elif !defined(STN_HIDDEN_10)
#    define STN_HIDDEN_10
#elif !defined(STN_HIDDEN_11)
#    define STN_HIDDEN_11
#elif !defined(STN_HIDDEN_12)
#    define STN_HIDDEN_12
#elif !defined(STN_HIDDEN_13)
#    define STN_HIDDEN_13
#elif !defined(STN_HIDDEN_14)
#    define STN_HIDDEN_14
#else
#    error "steno: headers include each other more deeply than names/hide.h counts"
#endif
