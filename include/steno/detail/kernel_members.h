/* Access to members by functions: macros of the program may have the names of members. */
#ifndef STENO_KERNEL_MEMBERS_H
#define STENO_KERNEL_MEMBERS_H

#include "steno/detail/kernel_compiler.h"
#include "steno/detail/kernel_types.h"
#include "steno/kernel_text.h"

/* clang-format off */
#define STN_DEFINE_MEMBER(name, result, from, element)                                             \
    STN_KERNEL_INLINE result name from                                                             \
    {                                                                                              \
        return element;                                                                            \
    }
STN_DEFINE_MEMBER(stn_tile_index, const int64_t *, (const stn_tile *tile_), tile_->index)
STN_DEFINE_MEMBER(stn_tile_step, const int64_t *, (const stn_tile *tile_), tile_->step)
STN_DEFINE_MEMBER(stn_tile_count, int64_t, (const stn_tile *tile_), tile_->count)
STN_DEFINE_MEMBER(stn_tile_scratch, void *, (const stn_tile *tile_), tile_->buffer)
STN_DEFINE_MEMBER(stn_tile_flags, int *, (const stn_tile *tile_), tile_->flags)
STN_DEFINE_MEMBER(stn_tile_values, void *, (const stn_tile *tile_, size_t at), tile_->values[at])
STN_DEFINE_MEMBER(stn_tile_mask, void *, (const stn_tile *tile_, size_t at), tile_->numbers[at].mask)
STN_DEFINE_MEMBER(stn_tile_f64, stn_f64, (const stn_tile *tile_, int at), tile_->numbers[at].f64)
STN_DEFINE_MEMBER(stn_tile_f32, stn_f32, (const stn_tile *tile_, int at), tile_->numbers[at].f32)
STN_DEFINE_MEMBER(stn_tile_i64, stn_i64, (const stn_tile *tile_, int at), tile_->numbers[at].i64)
STN_DEFINE_MEMBER(stn_tile_u64, stn_u64, (const stn_tile *tile_, int at), tile_->numbers[at].u64)
STN_DEFINE_MEMBER(stn_tile_c128, stn_c128, (const stn_tile *tile_, int at), tile_->numbers[at].c128)
STN_DEFINE_MEMBER(stn_tile_c64, stn_c64, (const stn_tile *tile_, int at), tile_->numbers[at].c64)
STN_DEFINE_MEMBER(stn_tile_indexed, const stn_indexed *, (const stn_tile *tile_, int at), tile_->numbers[at].indexed)
STN_DEFINE_MEMBER(stn_stencil_rows_first, int64_t, (const stn_stencil_rows *rows_), rows_->first)

#define STN_DEFINE_SETTER(name, type, element)                                                     \
    STN_KERNEL_INLINE void name(stn_argument *argument_, type number_)                             \
    {                                                                                              \
        argument_->element = number_;                                                              \
    }
STN_DEFINE_SETTER(stn_set_real_f64, double, real)
STN_DEFINE_SETTER(stn_set_real_i64, int64_t, index)
STN_DEFINE_SETTER(stn_set_real_c128, stn_c128, complex_number)
STN_DEFINE_SETTER(stn_set_index, int64_t, index)
STN_DEFINE_SETTER(stn_set_bits, uint64_t, bits)
STN_DEFINE_SETTER(stn_set_view, const stn_view *, view)
/* clang-format on */

#endif
