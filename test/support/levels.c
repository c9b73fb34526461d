/* BLAS: the table of functions, their shapes, and choices of arguments. */
#include "levels.h"

#include "blas/level3/system.h"
#include "levels_model.h"
#include "order_oracle.h"

int levels_is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

/* ---- the table ---- */

/* Products of matrices have the order of sums where they are the library's own. */
static stn_status own(stn_status status)
{
    stn_system_gemm_use(-1);
    return status;
}
#define OWN(...) (stn_system_gemm_use(0), own(__VA_ARGS__))

#define ON         exec, arithmetic
#define ALPHA      factor(p, p->choice->alpha)
#define BETA       factor(p, p->choice->beta)
#define REAL_ALPHA real_factor(p, p->choice->alpha)
#define REAL_BETA  real_factor(p, p->choice->beta)
#define LEVELS(ROW)                                                                                \
    ROW(scal, ANY, "n", 1, stn_scal(ON, k->alpha.re, v[0]), levels_scale(p, ALPHA, 0))             \
    ROW(scal_complex, COMPLEX, "n", 1, stn_scal_complex(ON, k->alpha, v[0]),                       \
        levels_scale(p, ALPHA, 1))                                                                 \
    ROW(swap, ANY, "nn", 3, stn_swap(ON, v[0], v[1]), levels_swap_vectors(p))                      \
    ROW(axpy, ANY, "nn", 2, stn_axpy(ON, k->alpha.re, v[0], v[1]),                                 \
        levels_combine_vectors(p, REAL_ALPHA, of(1.0, 0.0)))                                       \
    ROW(axpy_complex, COMPLEX, "nn", 2, stn_axpy_complex(ON, k->alpha, v[0], v[1]),                \
        levels_combine_vectors(p, ALPHA, of(1.0, 0.0)))                                            \
    ROW(axpby, ANY, "nn", 2, stn_axpby(ON, k->alpha.re, v[0], k->beta.re, v[1]),                   \
        levels_combine_vectors(p, REAL_ALPHA, REAL_BETA))                                          \
    ROW(axpby_complex, COMPLEX, "nn", 2, stn_axpby_complex(ON, k->alpha, v[0], k->beta, v[1]),     \
        levels_combine_vectors(p, ALPHA, BETA))                                                    \
    ROW(rot, ANY, "nn", 3, stn_rot(ON, v[0], v[1], k->c, k->s),                                    \
        levels_turn(p, of(rounded(p, p->choice->s), 0.0)))                                         \
    ROW(rot_complex, COMPLEX, "nn", 3, stn_rot_complex(ON, v[0], v[1], k->c, k->beta),             \
        levels_turn(p, BETA))                                                                      \
    ROW(rotm, REAL, "nn", 3, stn_rotm(ON, v[0], v[1], k->parameter), levels_turn_modified(p))      \
    ROW(dot, REAL, "nn", 0, stn_dot(ON, &r->number.re, v[0], v[1]),                                \
        p->result.number = levels_sum_vectors(p, PRODUCTS, 0, of(0, 0)))                           \
    ROW(dotu, COMPLEX, "nn", 0, stn_dotu(ON, &r->number, v[0], v[1]),                              \
        p->result.number = levels_sum_vectors(p, PRODUCTS, 0, of(0, 0)))                           \
    ROW(dotc, COMPLEX, "nn", 0, stn_dotc(ON, &r->number, v[0], v[1]),                              \
        p->result.number = levels_sum_vectors(p, PRODUCTS, 1, of(0, 0)))                           \
    ROW(nrm2, ANY, "n", 0, stn_nrm2(ON, &r->number.re, v[0]), levels_take_norm(p))                 \
    ROW(asum, ANY, "n", 0, stn_asum(ON, &r->number.re, v[0]),                                      \
        p->result.number = levels_sum_vectors(p, MAGNITUDES, 0, of(0, 0)))                         \
    ROW(iamax, ANY, "n", 0, stn_iamax(ON, &r->place, v[0]), levels_find_largest(p))                \
    ROW(gemv, ANY, "anm", 4, stn_gemv(ON, k->alpha.re, v[0], v[1], k->beta.re, v[2]),              \
        levels_multiply_rows(p, REAL_ALPHA, 0, REAL_BETA))                                         \
    ROW(gemv_complex, COMPLEX, "anm", 4,                                                           \
        stn_gemv_complex(ON, k->alpha, k->conj, v[0], v[1], k->beta, v[2]),                        \
        levels_multiply_rows(p, ALPHA, p->choice->conj == STN_CONJUGATE, BETA))                    \
    ROW(symv, ANY, "snn", 4, stn_symv(ON, k->triangle, k->alpha.re, v[0], v[1], k->beta.re, v[2]), \
        levels_multiply_symmetric(p, REAL_ALPHA, 0, REAL_BETA))                                    \
    ROW(hemv, COMPLEX, "snn", 4, stn_hemv(ON, k->triangle, k->alpha, v[0], v[1], k->beta, v[2]),   \
        levels_multiply_symmetric(p, ALPHA, 1, BETA))                                              \
    ROW(trmv, ANY, "sn", 2, stn_trmv(ON, k->triangle, k->diagonal, k->conj, v[0], v[1]),           \
        levels_multiply_triangular(p))                                                             \
    ROW(trsv, ANY, "sn", 2, stn_trsv(ON, k->triangle, k->diagonal, k->conj, v[0], v[1]),           \
        levels_solve_triangular(p))                                                                \
    ROW(ger, ANY, "mna", 4, stn_ger(ON, k->alpha.re, v[0], v[1], v[2]),                            \
        levels_update_all(p, REAL_ALPHA, 0))                                                       \
    ROW(geru, COMPLEX, "mna", 4, stn_geru(ON, k->alpha, v[0], v[1], v[2]),                         \
        levels_update_all(p, ALPHA, 0))                                                            \
    ROW(gerc, COMPLEX, "mna", 4, stn_gerc(ON, k->alpha, v[0], v[1], v[2]),                         \
        levels_update_all(p, ALPHA, 1))                                                            \
    ROW(syr, ANY, "ns", 2, stn_syr(ON, k->triangle, k->alpha.re, v[0], v[1]),                      \
        levels_update_square(p, 0))                                                                \
    ROW(her, COMPLEX, "ns", 2, stn_her(ON, k->triangle, k->alpha.re, v[0], v[1]),                  \
        levels_update_square(p, 1))                                                                \
    ROW(syr2, ANY, "nns", 4, stn_syr2(ON, k->triangle, k->alpha.re, v[0], v[1], v[2]),             \
        levels_update_square_2(p, REAL_ALPHA, 0))                                                  \
    ROW(her2, COMPLEX, "nns", 4, stn_her2(ON, k->triangle, k->alpha, v[0], v[1], v[2]),            \
        levels_update_square_2(p, ALPHA, 1))                                                       \
    ROW(gemm, ANY, "aqa", 4, OWN(stn_gemm(ON, k->alpha.re, v[0], v[1], k->beta.re, v[2])),         \
        levels_multiply_matrices(p, REAL_ALPHA, 0, 0, REAL_BETA))                                  \
    ROW(gemm_complex, COMPLEX, "aqa", 4,                                                           \
        OWN(stn_gemm_complex(ON, k->alpha, k->conj, v[0], (stn_conjugate)k->diagonal, v[1],        \
                             k->beta, v[2])),                                                      \
        levels_multiply_matrices(p, ALPHA, p->choice->conj == STN_CONJUGATE,                       \
                                 p->choice->diagonal == STN_DIAGONAL_UNIT, BETA))                  \
    ROW(symm, ANY, "sqq", 4,                                                                       \
        OWN(stn_symm(ON, k->side, k->triangle, k->alpha.re, v[0], v[1], k->beta.re, v[2])),        \
        levels_multiply_mirrored(p, REAL_ALPHA, 0, REAL_BETA))                                     \
    ROW(symm_complex, COMPLEX, "sqq", 4,                                                           \
        OWN(stn_symm_complex(ON, k->side, k->triangle, k->alpha, v[0], v[1], k->beta, v[2])),      \
        levels_multiply_mirrored(p, ALPHA, 0, BETA))                                               \
    ROW(hemm, COMPLEX, "sqq", 4,                                                                   \
        OWN(stn_hemm(ON, k->side, k->triangle, k->alpha, v[0], v[1], k->beta, v[2])),              \
        levels_multiply_mirrored(p, ALPHA, 1, BETA))                                               \
    ROW(syrk, ANY, "ws", 2, OWN(stn_syrk(ON, k->triangle, k->alpha.re, v[0], k->beta.re, v[1])),   \
        levels_multiply_by_own(p, 1, REAL_ALPHA, 0, REAL_BETA))                                    \
    ROW(syrk_complex, COMPLEX, "ws", 2,                                                            \
        OWN(stn_syrk_complex(ON, k->triangle, k->alpha, v[0], k->beta, v[1])),                     \
        levels_multiply_by_own(p, 1, ALPHA, 0, BETA))                                              \
    ROW(herk, COMPLEX, "ws", 2,                                                                    \
        OWN(stn_herk(ON, k->triangle, k->alpha.re, k->conj, v[0], k->beta.re, v[1])),              \
        levels_multiply_by_own(p, 1, REAL_ALPHA, 1, REAL_BETA))                                    \
    ROW(syr2k, ANY, "qqs", 4,                                                                      \
        OWN(stn_syr2k(ON, k->triangle, k->alpha.re, v[0], v[1], k->beta.re, v[2])),                \
        levels_multiply_by_own(p, 2, REAL_ALPHA, 0, REAL_BETA))                                    \
    ROW(syr2k_complex, COMPLEX, "qqs", 4,                                                          \
        OWN(stn_syr2k_complex(ON, k->triangle, k->alpha, v[0], v[1], k->beta, v[2])),              \
        levels_multiply_by_own(p, 2, ALPHA, 0, BETA))                                              \
    ROW(her2k, COMPLEX, "qqs", 4,                                                                  \
        OWN(stn_her2k(ON, k->triangle, k->alpha, k->conj, v[0], v[1], k->beta.re, v[2])),          \
        levels_multiply_by_own(p, 2, ALPHA, 1, REAL_BETA))                                         \
    ROW(trmm, ANY, "sw", 2,                                                                        \
        OWN(stn_trmm(ON, k->side, k->triangle, k->diagonal, k->alpha.re, k->conj, v[0], v[1])),    \
        levels_multiply_triangle(p, REAL_ALPHA))                                                   \
    ROW(trmm_complex, COMPLEX, "sw", 2,                                                            \
        OWN(stn_trmm_complex(ON, k->side, k->triangle, k->diagonal, k->alpha, k->conj, v[0],       \
                             v[1])),                                                               \
        levels_multiply_triangle(p, ALPHA))                                                        \
    ROW(trsm, ANY, "sw", 2,                                                                        \
        OWN(stn_trsm(ON, k->side, k->triangle, k->diagonal, k->alpha.re, k->conj, v[0], v[1])),    \
        levels_solve_triangle(p, REAL_ALPHA))                                                      \
    ROW(trsm_complex, COMPLEX, "sw", 2,                                                            \
        OWN(stn_trsm_complex(ON, k->side, k->triangle, k->diagonal, k->alpha, k->conj, v[0],       \
                             v[1])),                                                               \
        levels_solve_triangle(p, ALPHA))

#define DEFINE_FUNCTIONS(name, kinds, shapes, written, call, effect)                               \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic,                      \
                                 const levels_choice *k, const stn_view *const *v,                 \
                                 levels_result *r)                                                 \
    {                                                                                              \
        (void)k, (void)r;                                                                          \
        return call;                                                                               \
    }                                                                                              \
    static void model_##name(problem *p)                                                           \
    {                                                                                              \
        effect;                                                                                    \
    }
LEVELS(DEFINE_FUNCTIONS)

#define TABLE_ROW(name, kinds, shapes, written, call, effect)                                      \
    {"stn_" #name, LEVELS_##kinds, shapes, written, run_##name, model_##name},
const levels_function levels_functions[] = {LEVELS(TABLE_ROW)};
const int levels_count = (int)(sizeof levels_functions / sizeof *levels_functions);

/* ---- shapes and choices ---- */

int levels_rank(const levels_function *function, int k)
{
    return strchr("asqw", function->shapes[k]) ? 2 : 1;
}

int levels_is_product(const levels_function *function)
{
    return levels_rank(function, 0) == 2 && levels_rank(function, 1) == 2;
}

void levels_extents(const levels_function *function, int k, int64_t m, int64_t n, int64_t *extents)
{
    const char shape = function->shapes[k];
    extents[0] = shape == 'm' || shape == 'a' ? m : n;
    extents[1] = n;
}

int levels_is_oblong(const levels_function *function)
{
    return strchr(function->shapes, 'a') != NULL;
}

levels_choice levels_choose(uint64_t *state)
{
    static const number factors[] = {{1, 0},      {0, 0},     {-0.5, 0},    {0.7, 0},
                                     {0.7, -0.2}, {0, 1},     {1, 0},       {0.3, 2.5},
                                     {0, 0},      {-1, 0.25}, {0x1p-130, 0}};
    static const double flags[] = {-1, 0, 1, -2};
    const int64_t count = (int64_t)(sizeof factors / sizeof *factors);
    levels_choice k = {.alpha = factors[(int64_t)(order_next(state) % (uint64_t)count)],
                       .beta = factors[(int64_t)(order_next(state) % (uint64_t)count)],
                       .c = 0.8,
                       .s = order_next(state) % 2 ? 0.6 : -0.3,
                       .triangle = (stn_triangle)(order_next(state) % 2),
                       .diagonal = (stn_diagonal)(order_next(state) % 2),
                       .conj = (stn_conjugate)(order_next(state) % 2),
                       .side = (stn_side)(order_next(state) % 2),
                       .parameter = {flags[order_next(state) % 4], 0.3, -1.7, 0.9, 1.1}};
    return k;
}
