/* Accessors of every format and arithmetic type with blocks by column: accessor_matrix.h. */
#define MATRIX_LAYOUT   BLOCK_COL_MAJOR
#define MATRIX_ACCESSOR STN_ACCESSOR_BLOCK_COL_MAJOR
#define MATRIX_RANK_1(item, ...)
#include "accessor_matrix.h"
