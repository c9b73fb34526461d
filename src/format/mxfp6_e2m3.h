/* Blocks of e2m3, of 6 bits, with an OCP MX scale (order/block_sums.c). */
#define ELEMENT e2m3
#include "format/scale/e8m0.h"
#include "format/six_bits.h"
