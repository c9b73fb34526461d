/* Which fused loops there are, and the loops over values in portable C. */
#include <math.h>

#include "sum/fused.h"

#define STN_TEMPLATE      stn_fused
#define STN_TEMPLATE_TYPE stn_fused_pair
#include "format/instance_table.h"

#define STN_PORTABLE(T, type, multiply_add)                                                        \
    static double tile_##T(const type *x, const type *y)                                           \
    {                                                                                              \
        type lanes[STN_LANES];                                                                     \
        for (int l = 0; l < STN_LANES; l++)                                                        \
            lanes[l] = x[l] * y[l];                                                                \
        for (int e = STN_LANES; e < STN_TILE_ELEMENTS; e++)                                        \
            lanes[e % STN_LANES] = multiply_add(x[e], y[e], lanes[e % STN_LANES]);                 \
        for (int half = STN_LANES / 2; half > 0; half /= 2)                                        \
            for (int l = 0; l < half; l++)                                                         \
                lanes[l] += lanes[l + half];                                                       \
        return (double)lanes[0];                                                                   \
    }                                                                                              \
    static void rows_##T(double *sums, const void *codes, int64_t row_bytes, int64_t rows,         \
                         const stn_affine *affine, const void *y)                                  \
    {                                                                                              \
        (void)affine;                                                                              \
        for (int64_t r = 0; r < rows; r++)                                                         \
            sums[r] = tile_##T((const type *)((const char *)codes + r * row_bytes), y);            \
    }                                                                                              \
    static void dot_##T(double *sums, const void *x, const stn_affine *x_affine, const void *y,    \
                        const stn_affine *y_affine, int64_t tiles)                                 \
    {                                                                                              \
        (void)x_affine;                                                                            \
        (void)y_affine;                                                                            \
        for (int64_t t = 0; t < tiles; t++)                                                        \
            sums[t] = tile_##T((const type *)x + t * STN_TILE_ELEMENTS,                            \
                               (const type *)y + t * STN_TILE_ELEMENTS);                           \
    }

STN_PORTABLE(f64, double, fma)
STN_PORTABLE(f32, float, fmaf)

static const stn_fused_pair in_c = {{dot_f64, rows_f64, NULL, NULL, NULL, NULL},
                                    {dot_f32, rows_f32, NULL, NULL, NULL, NULL}};

const stn_fused *stn_fused_of(stn_format format, stn_format arithmetic)
{
    const stn_fused_pair *const pair = instances[stn_isa_chosen()][format];
    return !pair ? NULL : arithmetic == STN_F64 ? &pair->f64 : &pair->f32;
}

const stn_fused *stn_fused_values(stn_format arithmetic, int portable)
{
    const stn_fused *const fused = portable ? NULL : stn_fused_of(arithmetic, arithmetic);
    return fused ? fused : arithmetic == STN_F64 ? &in_c.f64 : &in_c.f32;
}
