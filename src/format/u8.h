/* Unsigned integers of 8 bits. */
typedef uint8_t code;

#define PRODUCTS_EXACT_IN_F32
#define EXACT_SUM    exact_sum_8
#define EXACT_DOT    exact_dot_8
#define INTEGER_ROWS integer_rows_8

#define LOWEST         0
#define HIGHEST        255
#define load_integers  v_load_u8
#define load_doubles   v_load_u8_f64
#define store_integers v_store_i8
#include "format/integer.h"
