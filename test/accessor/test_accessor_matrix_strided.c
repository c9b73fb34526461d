/* Accessors of every format and arithmetic type with a stride in each dimension: accessor_matrix.h.
 */
#define MATRIX_LAYOUT    STRIDED
#define MATRIX_ACCESSOR  STN_ACCESSOR_STRIDED
#define MATRIX_WIDER     0
#define MATRIX_RANK_f64  3
#define MATRIX_RANK_f32  1
#define MATRIX_RANK_i64  2
#define MATRIX_RANK_c128 2
#define MATRIX_RANK_c64  1
#define MATRIX_FUNCTIONS FEW
#include "accessor_matrix.h"
