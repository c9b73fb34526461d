/* The functions of complex.h in a kernel, by names without the type: number `n` of them. */
#ifndef TEST_COMPLEX_NAMED_H
#define TEST_COMPLEX_NAMED_H

#include "steno/kernel.h"

/* clang-format off */
STN_MAP_COMPLEX(named, (index(n), in(x), out(y)),
    y = n == 0 ? stn_c_proj(x) : n == 1 ? stn_c_sqrt(x) : n == 2 ? stn_c_exp(x) : n == 3 ? stn_c_log(x)
      : n == 4 ? stn_c_log10(x) : n == 5 ? stn_c_sin(x) : n == 6 ? stn_c_cos(x) : n == 7 ? stn_c_tan(x)
      : n == 8 ? stn_c_asin(x) : n == 9 ? stn_c_acos(x) : n == 10 ? stn_c_atan(x)
      : n == 11 ? stn_c_sinh(x) : n == 12 ? stn_c_cosh(x) : n == 13 ? stn_c_tanh(x)
      : n == 14 ? stn_c_asinh(x) : n == 15 ? stn_c_acosh(x) : n == 16 ? stn_c_atanh(x)
      : n == 17 ? stn_c_pow(x, stn_c_conj(x)) : stn_c_polar(stn_c_abs(x), stn_c_arg(x));
)
/* clang-format on */
enum { NAMED = 19 };

#endif
