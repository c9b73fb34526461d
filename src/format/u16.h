/* Unsigned integers of 16 bits. */
typedef uint16_t code;

#define EXACT_SUM exact_sum_16
#define EXACT_DOT exact_dot_any

#define LOWEST         0
#define HIGHEST        65535
#define load_integers  v_load_u16
#define load_doubles   v_load_u16_f64
#define store_integers v_store_i16
#include "format/integer.h"
