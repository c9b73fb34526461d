/* Accessors of every format and arithmetic type with blocks by column: accessor_matrix.h. */
#define MATRIX_LAYOUT    BLOCK_COL_MAJOR
#define MATRIX_ACCESSOR  STN_ACCESSOR_BLOCK_COL_MAJOR
#define MATRIX_WIDER     1
#define MATRIX_RANK_f64  2
#define MATRIX_RANK_f32  3
#define MATRIX_RANK_i64  2
#define MATRIX_RANK_c128 3
#define MATRIX_RANK_c64  2
#define MATRIX_FUNCTIONS FEW
#include "accessor_matrix.h"
