#include "solver/invert.h"

#include <math.h>
#include <string.h>

#include "solver/number.h"

static const double one_f64 = 1.0;
static const stn_c128 one_c128 = {1.0, 0.0};

#define NUMBER        double
#define OF(name)      name##_f64
#define NUMBERS(name) stn_number_##name##_f64
#include "solver/invert_of.h"
#undef NUMBER
#undef OF
#undef NUMBERS

#define NUMBER        stn_c128
#define OF(name)      name##_c128
#define NUMBERS(name) stn_number_##name##_c128
#include "solver/invert_of.h"

int stn_invert(double *block, int n, int is_complex, double *inverse, double *condition)
{
    return is_complex
               ? invert_c128((stn_c128 *)(void *)block, n, (stn_c128 *)(void *)inverse, condition)
               : invert_f64(block, n, inverse, condition);
}
