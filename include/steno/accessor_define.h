/* An accessor type by named choices: define what differs from a plain row-major one, then include
 * this file. It may be included any number of times, and leaves none of these names defined.
 *
 *     #define STN_NAME     qrange
 *     #define STN_RANK     2
 *     #define STN_REAL     double
 *     #define STN_STORAGE  int8_t
 *     #define STN_ROUNDING STN_ROUND_STOCHASTIC
 *     #include <steno/accessor_define.h>
 *
 * STN_LAYOUT         RIGHT (row-major, the default), LEFT, STRIDED or BLOCK_COL_MAJOR
 * STN_EXTENTS        extents known at compile time: a list such as (STN_DYNAMIC, 8)
 * STN_STRIDES        strides known at compile time, instead of a layout: (STN_DYNAMIC, 2)
 * STN_INDEX_BITS     64, or 32: offsets are computed in 32 bits, and the span is below 2^31
 * STN_ALIGNMENT      bytes of which each element's address is a multiple: a power of two that
 *                    divides the size of an element
 * STN_ROUNDING       STN_ROUND_NEAREST, _TOWARD_ZERO or _STOCHASTIC; the last takes a seed, and the
 *                    element at offset k from the original data draws stn_random_bits(seed, k)
 * STN_OVERFLOW       STN_OVERFLOW_DEFAULT, _INFINITY, _SATURATE or _NAN
 * STN_SCALE_MASK     which indices select a scale; without it there are no scales
 * STN_SCALE_BLOCK    neighbours along the last selected dimension that share one: 1
 * STN_SCALE_STORAGE  how scales are stored: as the arithmetic type
 * STN_ZERO_POINTS    defined: each scale comes with a zero point
 * STN_LOAD, STN_STORE, STN_CONTEXT  functions and context type of a custom accessor, whose
 *                    STN_STORAGE may be any type; no rounding, overflow, scales or alignment then
 */
#include "steno/accessor.h"

#if !defined(STN_NAME) || !defined(STN_RANK) || !defined(STN_REAL) || !defined(STN_STORAGE)
#    error "steno: define STN_NAME, STN_RANK, STN_REAL and STN_STORAGE before this include"
#else

#    ifndef STN_LAYOUT
#        define STN_LAYOUT stn_right
#    endif
#    ifdef STN_STRIDES
#        undef STN_LAYOUT
#        define STN_LAYOUT stn_static
#    else
#        define STN_STRIDES STN_DYNAMIC_EXTENTS
#    endif
#    ifdef STN_EXTENTS
#        define STN_CUTS stn_fixed
#    else
#        define STN_EXTENTS STN_DYNAMIC_EXTENTS
#        define STN_CUTS    stn_free
#    endif
#    ifndef STN_INDEX_BITS
#        define STN_INDEX_BITS 64
#    endif
#    ifndef STN_ROUNDING
#        define STN_ROUNDING STN_ROUND_NEAREST
#    endif
#    ifndef STN_OVERFLOW
#        define STN_OVERFLOW STN_OVERFLOW_DEFAULT
#    endif
#    ifndef STN_SCALE_BLOCK
#        define STN_SCALE_BLOCK 1
#    endif
#    ifndef STN_SCALE_STORAGE
#        define STN_SCALE_STORAGE STN_REAL
#    endif
#    ifdef STN_ZERO_POINTS
#        undef STN_ZERO_POINTS
#        define STN_ZERO_POINTS 1
#    else
#        define STN_ZERO_POINTS 0
#    endif
#    ifdef STN_ALIGNMENT
#        define STN_ALIGNED_WHOLE 1
#    else
#        define STN_ALIGNED_WHOLE 0
#        define STN_ALIGNMENT     1
#    endif
#    ifdef STN_SCALE_MASK
#        define STN_SCALES 1
#    else
#        define STN_SCALES     0
#        define STN_SCALE_MASK 0
#    endif

#    ifdef STN_LOAD
STN_ACCESSOR_BY_NAMES_CUSTOM(STN_NAME, STN_RANK, STN_REAL, STN_STORAGE, STN_EXTENTS, STN_CUTS,
                             STN_LAYOUT, STN_STRIDES, STN_INDEX_BITS, STN_CONTEXT, STN_LOAD,
                             STN_STORE)
#    else
STN_ACCESSOR_BY_NAMES(STN_NAME, STN_RANK, STN_REAL, STN_STORAGE, STN_EXTENTS, STN_CUTS, STN_LAYOUT,
                      STN_STRIDES, STN_INDEX_BITS, STN_ROUNDING, STN_OVERFLOW, STN_SCALES,
                      STN_SCALE_MASK, STN_SCALE_BLOCK, STN_SCALE_STORAGE, STN_ZERO_POINTS,
                      STN_ALIGNED_WHOLE, STN_ALIGNMENT)
#    endif

#    undef STN_NAME
#    undef STN_RANK
#    undef STN_REAL
#    undef STN_STORAGE
#    undef STN_LAYOUT
#    undef STN_EXTENTS
#    undef STN_CUTS
#    undef STN_STRIDES
#    undef STN_INDEX_BITS
#    undef STN_ALIGNED_WHOLE
#    undef STN_ALIGNMENT
#    undef STN_ROUNDING
#    undef STN_OVERFLOW
#    undef STN_SCALES
#    undef STN_SCALE_MASK
#    undef STN_SCALE_BLOCK
#    undef STN_SCALE_STORAGE
#    undef STN_ZERO_POINTS
#    undef STN_LOAD
#    undef STN_STORE
#    undef STN_CONTEXT
#endif
