/* Blocks of e3m2, of 6 bits, with an OCP MX scale (order/block_sums.c). */
#define ELEMENT e3m2
#include "format/scale/e8m0.h"
#include "format/six_bits.h"
