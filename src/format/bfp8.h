/* Blocks of integers of 8 bits with an exponent (order/block_sums.c). */
#include "format/i8.h"
#include "format/scale/exponent.h"

#define ELEMENTS   32
#define CODE_BYTES (32 * (int)sizeof(code))
#define SHIFT      0
#include "format/integer_block.h"
