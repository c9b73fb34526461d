/* Bodies whose words mean something else to the compiler that threads:jit calls, as C, than in this
 * program, which is C or C++: both give the bits of `reference`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "steno/kernel.h"
#include "steno/view.h"

#ifdef __cplusplus
#    include <cmath>
#    include <cstdlib>
using std::abs;
STN_MAP(halved, (in(x), out(y)), auto t = x * STN_R(0.5); y = t;)
#else
#    define abs(x)  ((x) < 0 ? -(x) : (x))
#    define labs(x) ((x) < 0 ? -(x) : (x))
STN_MAP(halved, (in(x), out(y)), y = labs(x) * STN_R(0.5);)
#endif

#if !defined(__cplusplus) && defined(__STRICT_ANSI__) /* else <math.h> has one */
static double significand(double x)
{
    return x + 1;
}
#endif

STN_MAP(magnitude, (in(x), out(y)), y = abs(x);)
STN_MAP(of_whole, (in(x), out(y)), y = (real_t)abs((int)x);)
STN_MAP(zero, (in(x), out(y)), y = (real_t)(int)x;)
STN_MAP(zero_and_0, (in(x), out(y)), y = (real_t)(int)x + 0;)
STN_MAP(zero_and_real_0, (in(x), out(y)), y = (real_t)lrint(x) + STN_R(0);)
STN_MAP(inverse, (in(x), out(y)), y = 1 / ((real_t)(int64_t)x + 0);)
STN_MAP(own, (in(x), out(y)), y = (real_t)significand((double)x);)

enum { COUNT = 5000 };
static double numbers[COUNT], found[COUNT], expected[COUNT];

typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                          const stn_view *y);

static int calculates(const char *on, launch *run, double *results)
{
    const int64_t count = COUNT;
    stn_exec *exec = NULL;
    stn_view x, y;
    const int is = stn_exec_create(&exec, on) == STN_OK &&
                   stn_view_wrap(&x, "x", stn_storage_of(STN_F64), numbers, 1, &count) == STN_OK &&
                   stn_view_wrap(&y, "y", stn_storage_of(STN_F64), results, 1, &count) == STN_OK &&
                   run(exec, STN_F64, &x, &y) == STN_OK;
    stn_exec_release(exec);
    return is;
}

static int check(const char *name, launch *run)
{
    const int is = calculates("reference", run, expected) &&
                   calculates("threads:jit", run, found) &&
                   memcmp(found, expected, sizeof found) == 0;
    if (!is)
        printf("%s: %g, not %g: %s\n", name, found[7], expected[7], stn_error());
    return !is;
}

int main(void)
{
    for (int k = 0; k < COUNT; k++)
        numbers[k] = (2000 - k) / 8.0;
    if (!calculates("reference", zero_run, found) || signbit(found[2001])) {
        printf("(real_t)(int)-0.125 is %g: %s\n", found[2001], stn_error());
        return 1;
    }
    return check("zero", zero_run) + check("zero + 0", zero_and_0_run) +
           check("zero + STN_R(0)", zero_and_real_0_run) + check("inverse", inverse_run) +
           check("halved", halved_run) + check("magnitude", magnitude_run) +
           check("of_whole", of_whole_run) + check("own", own_run);
}
