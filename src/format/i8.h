/* Signed integers of 8 bits. */
typedef int8_t code;

#define PRODUCTS_EXACT_IN_F32
#define EXACT_SUM    exact_sum_8
#define EXACT_DOT    exact_dot_8
#define INTEGER_ROWS integer_rows_8

#define LOWEST         -128
#define HIGHEST        127
#define load_integers  v_load_i8
#define load_doubles   v_load_i8_f64
#define store_integers v_store_i8
#include "format/integer.h"
