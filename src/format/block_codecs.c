/* The codecs of block formats for STN_ISA. STN_FORMAT is f16. */
#include "format/vec.h"

#include "format/block_codecs.h"

extern const stn_block_codecs STN_INSTANCE(stn_block_codecs);
const stn_block_codecs STN_INSTANCE(stn_block_codecs) = STN_BLOCK_CODECS;
