/* Functions of complex numbers as compiled kernels, which the texts of kernels.c cannot call. */
#define STN_KERNEL_ONE_VERSION
#include "core.h"

#include <string.h>

#include "steno/complex.h"
#include "steno/kernel.h"

/* clang-format off */
#define FUNCTION(name) STN_MAP_COMPLEX(complex_##name, (in(x), out(z)), z = stn_c_##name(x);)
/* clang-format on */
FUNCTION(sqrt)
FUNCTION(exp)
FUNCTION(log)
FUNCTION(log10)
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tan)
FUNCTION(asin)
FUNCTION(acos)
FUNCTION(atan)
FUNCTION(sinh)
FUNCTION(cosh)
FUNCTION(tanh)
FUNCTION(asinh)
FUNCTION(acosh)
FUNCTION(atanh)
STN_MAP_COMPLEX(complex_pow, (in(x), in(y), out(z)), z = stn_c_pow(x, y);)

static const struct {
    const char *name; /* of NumPy */
    stn_status (*run)(const stn_exec *, stn_format, const stn_view *, const stn_view *);
} functions[] = {
    {"sqrt", complex_sqrt_run},     {"exp", complex_exp_run},       {"log", complex_log_run},
    {"log10", complex_log10_run},   {"sin", complex_sin_run},       {"cos", complex_cos_run},
    {"tan", complex_tan_run},       {"arcsin", complex_asin_run},   {"arccos", complex_acos_run},
    {"arctan", complex_atan_run},   {"sinh", complex_sinh_run},     {"cosh", complex_cosh_run},
    {"tanh", complex_tanh_run},     {"arcsinh", complex_asinh_run}, {"arccosh", complex_acosh_run},
    {"arctanh", complex_atanh_run},
};

stn_status core_complex_run(const char *name, const stn_exec *exec, const stn_view *const *operands,
                            const stn_view *result)
{
    stn_status status = STN_ERR_UNSUPPORTED;
    PyThreadState *thread = PyEval_SaveThread();
    if (strcmp(name, "power") == 0)
        status = complex_pow_run(exec, STN_C128, operands[0], operands[1], result);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0)
            status = functions[k].run(exec, STN_C128, operands[0], result);
    PyEval_RestoreThread(thread);
    return status;
}
