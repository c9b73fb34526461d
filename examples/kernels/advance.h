/* One time step of heat conduction, explicit in time: a kernel for temperatures u and v and a
 * conductivity in any formats. Elements on the border are not computed. */
#ifndef ADVANCE_H
#define ADVANCE_H

#include "steno/kernel.h"

/* clang-format off */
STN_MAP(advance, (at(i, j), real(rate), in(conductivity), stencil(u, inside, 1, 1), out(v)),
    const real_t flow = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1) +
                        STN_AT(u, i, j + 1) - STN_R(4.0) * STN_AT(u, i, j);
    v = STN_AT(u, i, j) + rate * conductivity * flow;
)
/* clang-format on */

#endif
