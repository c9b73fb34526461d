/* Members of what a loop is given, which the macros of kernels find by functions: a program may
 * have macros of the members' names. */
#ifndef STENO_KERNEL_MEMBERS_H
#define STENO_KERNEL_MEMBERS_H

#include "steno/names/hide.h"
#include "steno/kernel_compiler.h"
#include "steno/kernel_types.h"

/* clang-format off */
STN_KERNEL_INLINE const int64_t *stn_tile_index(const stn_tile *tile)
{
    return tile->index;
}
STN_KERNEL_INLINE const int64_t *stn_tile_step(const stn_tile *tile)
{
    return tile->step;
}
STN_KERNEL_INLINE int64_t stn_tile_count(const stn_tile *tile)
{
    return tile->count;
}
STN_KERNEL_INLINE void *stn_tile_spare(const stn_tile *tile)
{
    return tile->room;
}
STN_KERNEL_INLINE void *stn_tile_values(const stn_tile *tile, size_t at)
{
    return tile->values[at];
}
STN_KERNEL_INLINE void *stn_tile_mask(const stn_tile *tile, size_t at)
{
    return tile->numbers[at].mask;
}
STN_KERNEL_INLINE int *stn_tile_flags(const stn_tile *tile)
{
    return tile->flags;
}
#define STN_DEFINE_NUMBER(T)                                                                       \
    STN_KERNEL_INLINE stn_##T stn_tile_##T(const stn_tile *tile, int at)                           \
    {                                                                                              \
        return tile->numbers[at].T;                                                                \
    }
STN_DEFINE_NUMBER(f64)
STN_DEFINE_NUMBER(f32)
STN_DEFINE_NUMBER(i64)
STN_DEFINE_NUMBER(u64)
STN_DEFINE_NUMBER(c128)
STN_DEFINE_NUMBER(c64)
STN_KERNEL_INLINE const stn_field *stn_tile_field(const stn_tile *tile, int at)
{
    return tile->numbers[at].field;
}
STN_KERNEL_INLINE int64_t stn_near_rows_first(const stn_near_rows *rows)
{
    return rows->first;
}
STN_KERNEL_INLINE void stn_give_real_f64(stn_argument *argument, double value)
{
    argument->real = value;
}
STN_KERNEL_INLINE void stn_give_real_i64(stn_argument *argument, int64_t value)
{
    argument->index = value;
}
STN_KERNEL_INLINE void stn_give_real_c128(stn_argument *argument, stn_c128 value)
{
    argument->complex_number = value;
}
STN_KERNEL_INLINE void stn_give_index(stn_argument *argument, int64_t value)
{
    argument->index = value;
}
STN_KERNEL_INLINE void stn_give_bits(stn_argument *argument, uint64_t value)
{
    argument->bits = value;
}
STN_KERNEL_INLINE void stn_give_view(stn_argument *argument, const stn_view *value)
{
    argument->view = value;
}
/* clang-format on */

#include "steno/names/show.h"

#endif
