/* Column-major accessors of every format and arithmetic type: accessor_matrix.h. */
#define MATRIX_LAYOUT    LEFT
#define MATRIX_ACCESSOR  STN_ACCESSOR_LEFT
#define MATRIX_WIDER     1
#define MATRIX_RANK_f64  2
#define MATRIX_RANK_f32  3
#define MATRIX_RANK_i64  1
#define MATRIX_RANK_c128 3
#define MATRIX_RANK_c64  2
#define MATRIX_FUNCTIONS FEW
#include "accessor_matrix.h"
