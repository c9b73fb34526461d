/* Scales of nvfp4: e4m3, which are no powers of two. */
#include "steno/detail/accessor/e4m3_table.h"

#define SCALE_BYTES 1
#define ANY_SCALES

STN_FN double read_scale(const unsigned char *scale)
{
    static const uint16_t upper[128] = STN_E4M3_TABLE_F64;
    const uint64_t sign = (uint64_t)(*scale >> 7) << 63;
    return stn_f64_of_bits((uint64_t)upper[*scale & 127] << 48 | sign);
}
