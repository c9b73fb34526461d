/* The modes for reading and writing decimals: those of core/modes.h, and the rounding that the C
 * library's conversions follow, which on x86 is that of the x87. */
#ifndef STENO_MARKET_MODES_H
#define STENO_MARKET_MODES_H

#include "core/modes.h"

#include <fenv.h>

typedef struct stn_decimal_modes {
    stn_modes modes;
    int rounding;
} stn_decimal_modes;

static inline stn_decimal_modes stn_decimal_modes_enter(void)
{
    const stn_decimal_modes saved = {stn_modes_enter(), fegetround()};
    fesetround(FE_TONEAREST);
    return saved;
}

static inline void stn_decimal_modes_leave(stn_decimal_modes saved)
{
    fesetround(saved.rounding);
    stn_modes_leave(saved.modes);
}

#endif
