/* Accessors of every format and arithmetic type with a stride in each dimension: accessor_matrix.h.
 */
#define MATRIX_LAYOUT            STRIDED
#define MATRIX_ACCESSOR          STN_ACCESSOR_STRIDED
#define MATRIX_RANK_1(item, ...) item(1, __VA_ARGS__)
#include "accessor_matrix.h"
