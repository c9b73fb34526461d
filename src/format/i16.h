/* Signed integers of 16 bits. */
typedef int16_t code;

#define EXACT_SUM    exact_sum_16
#define EXACT_DOT    exact_dot_i16
#define INTEGER_ROWS integer_rows_16

#define LOWEST         -32768
#define HIGHEST        32767
#define load_integers  v_load_i16
#define load_doubles   v_load_i16_f64
#define store_integers v_store_i16
#include "format/integer.h"
