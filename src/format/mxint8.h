/* Blocks of integers of 8 bits, divided by 64, with an OCP MX scale (order/block_sums.c). */
#include "format/i8.h"
#include "format/scale/e8m0.h"

#define ELEMENTS   32
#define CODE_BYTES 32
#define SHIFT      (-6)
#include "format/integer_block.h"
