/* Row-major accessors of every format and arithmetic type: accessor_matrix.h. */
#define MATRIX_LAYOUT    RIGHT
#define MATRIX_ACCESSOR  STN_ACCESSOR
#define MATRIX_RANK_f64  1
#define MATRIX_RANK_f32  2
#define MATRIX_RANK_i64  3
#define MATRIX_RANK_c128 1
#define MATRIX_RANK_c64  3
#define MATRIX_FUNCTIONS ALL
#include "accessor_matrix.h"
