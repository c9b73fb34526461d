/* Row-major accessors of every format and arithmetic type: accessor_matrix.h. */
#define MATRIX_LAYOUT            RIGHT
#define MATRIX_ACCESSOR          STN_ACCESSOR
#define MATRIX_RANK_1(item, ...) item(1, __VA_ARGS__)
#include "accessor_matrix.h"
