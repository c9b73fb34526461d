/** @file
 * Defines an accessor type by named options.
 *
 * Define the options that differ from a plain row-major accessor, then include this file. It may be
 * included any number of times, and undefines all of these names.
 *
 * @code
 * #define STN_NAME     qrange
 * #define STN_RANK     2
 * #define STN_REAL     double
 * #define STN_STORAGE  int8_t
 * #define STN_ROUNDING STN_ROUND_STOCHASTIC
 * #include <steno/accessor_define.h>
 * @endcode
 *
 * - `STN_NAME` `STN_RANK` `STN_REAL` `STN_STORAGE`: as in STN_ACCESSOR. Required
 * - `STN_LAYOUT`: RIGHT (row-major), LEFT, STRIDED or BLOCK_COL_MAJOR (default: RIGHT)
 * - `STN_EXTENTS`: extents known at compile time: a list such as (STN_DYNAMIC, 8)
 * - `STN_STRIDES`: strides known at compile time, instead of a layout: (STN_DYNAMIC, 2)
 * - `STN_INDEX_BITS`: 64, or 32: offsets are computed in 32 bits, and the span is below 2^31
 *   (default: 64)
 * - `STN_ALIGNMENT`: the address of each element is a multiple of this number of bytes: a power
 *   of two that divides the size of an element
 * - `STN_ROUNDING`: a value of stn_rounding. STN_ROUND_STOCHASTIC takes a seed; the element at
 *   offset k from the original data uses stn_rounding_bits(seed, k) (default: STN_ROUND_NEAREST)
 * - `STN_OVERFLOW`: a value of stn_overflow (default: STN_OVERFLOW_DEFAULT)
 * - `STN_SCALE_MASK`: indices that select a scale, as in STN_ACCESSOR_SCALED (default: no scales)
 * - `STN_SCALE_BLOCK`: number of consecutive indices of the last selected dimension with one
 *   scale (default: 1)
 * - `STN_SCALE_STORAGE`: storage type of scales (default: the arithmetic type)
 * - `STN_ZERO_POINTS`: if defined, each scale has a zero point
 * - `STN_LOAD` `STN_STORE` `STN_CONTEXT`: functions and context type as in STN_ACCESSOR_CUSTOM.
 *   STN_STORAGE may be any type then; rounding, overflow, scales and alignment do not apply
 */
/** @cond INTERNAL */
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
/** @endcond */
