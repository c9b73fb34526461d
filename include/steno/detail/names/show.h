/* The end of what hide.h begins. */
#if defined(STN_HIDDEN_14)
#    undef STN_HIDDEN_14
#elif defined(STN_HIDDEN_13)
#    undef STN_HIDDEN_13
#elif defined(STN_HIDDEN_12)
#    undef STN_HIDDEN_12
#elif defined(STN_HIDDEN_11)
#    undef STN_HIDDEN_11
#elif defined(STN_HIDDEN_10)
#    undef STN_HIDDEN_10
#elif defined(STN_HIDDEN_9)
#    undef STN_HIDDEN_9
#elif defined(STN_HIDDEN_8)
#    undef STN_HIDDEN_8
#elif defined(STN_HIDDEN_7)
#    undef STN_HIDDEN_7
#elif defined(STN_HIDDEN_6)
#    undef STN_HIDDEN_6
#elif defined(STN_HIDDEN_5)
#    undef STN_HIDDEN_5
#elif defined(STN_HIDDEN_4)
#    undef STN_HIDDEN_4
#elif defined(STN_HIDDEN_3)
#    undef STN_HIDDEN_3
#elif defined(STN_HIDDEN_2)
#    undef STN_HIDDEN_2
#elif defined(STN_HIDDEN_1)
#    undef STN_HIDDEN_1
#    include "steno/detail/names/bring_back.h"
#endif
