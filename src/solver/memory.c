/* Checks the available memory before any is allocated, because systems promise more memory than
 * they have and stop the process when it is used. */
#include <string.h>

#include "core/available.h"
#include "exec/exec.h"
#include "solver/basis.h"

/* Solves that need less are not checked, because the check opens a file. */
static const double least = 0x1p26;

int stn_solver_has_default_basis(const stn_solver_options *options)
{
    const stn_storage none = {0};
    return memcmp(&options->basis, &none, sizeof none) == 0;
}

stn_format stn_solver_basis_format(const stn_solver_state *s)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    if (stn_solver_has_default_basis(s->options))
        return s->arithmetic;
    const stn_format format = s->options->basis.format;
    const int has_parts = stn_solver_is_complex(s) &&
                          stn_format_describe(format, &info) == STN_OK &&
                          info.kind == STN_CLASS_COMPLEX;
    return has_parts ? info.component : format;
}

static double bytes_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK
               ? (double)info.block_bytes / (double)info.block_elements
               : 0.0;
}

double stn_solver_basis_width(const stn_solver_state *s)
{
    return bytes_of(stn_solver_basis_format(s));
}

/* Number of vectors of all bases; 0: the method has none. */
static double basis_vectors(const stn_solver_state *s, const stn_solver_functions *method)
{
    const double m = (double)s->restart;
    const int is_flexible = s->options->method == STN_SOLVER_FGMRES && s->right;
    return !method->has_basis ? 0.0 : is_flexible ? 2.0 * m + 1.0 : m + 1.0;
}

stn_status stn_solver_expect_memory(const stn_solver_state *s, const stn_solver_functions *method)
{
    const double n = (double)s->length, m = (double)s->restart, number = (double)sizeof(stn_c128);
    const double basis = basis_vectors(s, method);
    const double rotated = !stn_solver_is_complex(s) || basis == 0.0 ? 0.0
                           : basis > m + 1.0                         ? 2.0
                                                                     : 1.0;
    const double vectors = 1.0 + method->vectors + (s->right ? method->more : 0) +
                           (s->left ? 1.0 : 0.0) +
                           (method->best != STN_BEST_IS_LAST || s->left ? 1.0 : 0.0) + rotated;
    const int is_narrow = stn_solver_basis_width(s) < bytes_of(s->arithmetic);
    const double wide = is_narrow && stn_basis_is_small(s, m + 1.0) ? m + 1.0 : 0.0;
    const double total = (vectors * (double)s->together + wide) * n * bytes_of(s->arithmetic);
    const double scales = s->options->basis_block ? sizeof(float) / (double)STN_BASIS_BLOCK : 0.0;
    const double row = (double)stn_basis_row(s, stn_solver_basis_format(s));
    const double basis_bytes = basis * row * (stn_solver_basis_width(s) + scales) +
                               (basis > 0.0 ? m * (m + 9.0) * number : 0.0);
    if (!stn_space_accessible(s->exec, STN_SPACE_HOST) || total + basis_bytes < least)
        return STN_OK;
    const double available = stn_available_memory();
    if (total + basis_bytes <= available)
        return STN_OK;
    return stn_fail(STN_ERR_MEMORY,
                    "stn_solve: %s needs %.4g bytes, %.4g of them for a basis of %.0f vectors of "
                    "%lld elements; %.4g are free",
                    method->name, total + basis_bytes, basis_bytes, basis, (long long)s->n,
                    available);
}
