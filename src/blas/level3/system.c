/* Opens a BLAS library and calls it. */
#define _GNU_SOURCE
#include "blas/level3/system.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "blas/call.h"
#include "core/environment.h"
#include "core/status.h"
#include "view/view.h"

/* Constants of the standard C interface. */
enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112 };

/* Sizes are int in most libraries, and 64 bits in some that use the same names. On all processors
 * supported by Steno, 64-bit arguments can be read as 32-bit ones. */
typedef int64_t blas_size;
#define DECLARE_GEMM(name, number, pointer)                                                        \
    typedef void name(int order, int a_transposed, int b_transposed, blas_size m, blas_size n,     \
                      blas_size k, number alpha, const void *a, blas_size a_step, const void *b,   \
                      blas_size b_step, number beta, void *c, blas_size c_step);
DECLARE_GEMM(gemm_f64, double, double)
DECLARE_GEMM(gemm_f32, float, float)
DECLARE_GEMM(gemm_complex, const void *, const void *)

static struct {
    gemm_f64 *dgemm;
    gemm_f32 *sgemm;
    gemm_complex *zgemm, *cgemm;
} functions;

/* The other functions by their names without the letter, for f64, f32, c128 and c64; NULL: none. */
enum { SYMM, HEMM, SYRK, HERK, SYR2K, HER2K, TRMM, TRSM, OTHERS };
typedef void any_function(void);
static any_function *others[OTHERS][4];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_found;
static stn_status failed;
static char failure[256];
static _Atomic int wanted = -1; /* set by stn_system_gemm_use */

/* ---- opening ---- */

/* Its cblas_dgemm may call its dgemm_, which another library of the process may define as well;
 * that of libsteno_cblas would call it again. So symbols are looked up in the library itself first.
 * Sanitizers, which the program may use, abort programs that request this. */
static int flags_of_open(void)
{
#ifdef RTLD_DEEPBIND
    static const char *const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};
    int flags = RTLD_DEEPBIND;
    for (size_t k = 0; k < sizeof sanitizers / sizeof *sanitizers; k++)
        if (dlsym(RTLD_DEFAULT, sanitizers[k]))
            flags = 0;
    return flags | RTLD_NOW | RTLD_LOCAL;
#else
    return RTLD_NOW | RTLD_LOCAL;
#endif
}

static int find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void find_others(void *library)
{
    static const char names[OTHERS][8] = {"symm",  "hemm",  "syrk", "herk",
                                          "syr2k", "her2k", "trmm", "trsm"};
    char name[20];
    for (int k = 0; k < OTHERS; k++)
        for (int type = 0; type < 4; type++) {
            (void)snprintf(name, sizeof name, "cblas_%c%.7s", "dszc"[type], names[k]);
            (void)find(library, name, &others[k][type]);
        }
}

/* Returns what is wrong with a library, or NULL. One that depends on this library would call it
 * recursively. */
static const char *find_functions(void *library)
{
    if (dlsym(library, "stn_gemm"))
        return "it is based on libsteno itself";
    if (!find(library, "cblas_dgemm", &functions.dgemm) ||
        !find(library, "cblas_sgemm", &functions.sgemm) ||
        !find(library, "cblas_zgemm", &functions.zgemm) ||
        !find(library, "cblas_cgemm", &functions.cgemm))
        return "it must export cblas_dgemm, cblas_sgemm, cblas_zgemm and cblas_cgemm";
    find_others(library);
    return NULL;
}

/* Opening a pipe would wait for its other end. */
static int is_no_file(const char *path)
{
    struct stat is;
    return strchr(path, '/') && stat(path, &is) == 0 && !S_ISREG(is.st_mode);
}

static int open_library(const char *path)
{
    void *const library = is_no_file(path) ? NULL : dlopen(path, flags_of_open());
    const char *const why = library            ? find_functions(library)
                            : is_no_file(path) ? "it is not a regular file"
                                               : dlerror();
    failed = library ? STN_ERR_UNSUPPORTED : STN_ERR_IO;
    snprintf(failure, sizeof failure, "STENO_GEMM: %.100s cannot be used: %.120s", path,
             why ? why : "it cannot be opened");
    if (library && why)
        (void)dlclose(library);
    is_found = library && !why;
    return is_found;
}

static void open_any(void)
{
    static const char *const known[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2",
                                        "libcblas.so.3", "libblas.so.3"};
    const char *const named = stn_environment_get()->gemm;
    const int is_own = named && strcmp(named, "own") == 0;
    if (named && !is_own && !open_library(named))
        return;
    for (size_t k = 0; !is_found && !is_own && k < sizeof known / sizeof *known; k++)
        (void)open_library(known[k]);
    failed = STN_OK;
}

stn_status stn_system_gemm_find(const char *call, int *is_there)
{
    (void)pthread_once(&once, open_any);
    *is_there = is_found && atomic_load_explicit(&wanted, memory_order_relaxed) != 0;
    return failed == STN_OK ? STN_OK : stn_fail(failed, "%s: %s", call, failure);
}

void stn_system_gemm_use(int is_used)
{
    atomic_store(&wanted, is_used);
}

/* ---- calling ---- */

/* The dimension along which elements are contiguous, and the stride of the other one; -1: none. */
static int along_of(const stn_view *view, int64_t *step)
{
    const int along = view->stride[1] == 1 || view->extent[1] == 1 ? 1 : 0;
    const int64_t maximum = view->extent[along] > 1 ? view->extent[along] : 1;
    *step = view->extent[1 - along] > 1 ? view->stride[1 - along] : maximum;
    return (view->stride[along] == 1 || view->extent[along] == 1) && *step >= maximum &&
                   *step <= INT_MAX
               ? along
               : -1;
}

int stn_system_gemm_supports(stn_format arithmetic, const stn_view *view)
{
    int64_t step;
    return stn_blas_are_values(arithmetic, view) && view->extent[0] <= INT_MAX &&
           view->extent[1] <= INT_MAX && along_of(view, &step) >= 0;
}

void stn_system_gemm(stn_format arithmetic, stn_c128 alpha, const stn_view *a, const stn_view *b,
                     stn_c128 beta, const stn_view *c)
{
    int64_t a_step, b_step, c_step;
    const int order = along_of(c, &c_step);
    const int a_turned = along_of(a, &a_step) == order ? NO_TRANS : TRANS;
    const int b_turned = along_of(b, &b_step) == order ? NO_TRANS : TRANS;
    const int major = order == 1 ? ROW_MAJOR : COLUMN_MAJOR;
    const int64_t m = c->extent[0], n = c->extent[1], k = a->extent[1];
    const stn_c64 narrow[] = {stn_c64_of((float)alpha.re, (float)alpha.im),
                              stn_c64_of((float)beta.re, (float)beta.im)};
    if (arithmetic == STN_F64)
        functions.dgemm(major, a_turned, b_turned, m, n, k, alpha.re, a->data, a_step, b->data,
                        b_step, beta.re, c->data, c_step);
    else if (arithmetic == STN_F32)
        functions.sgemm(major, a_turned, b_turned, m, n, k, narrow[0].re, a->data, a_step, b->data,
                        b_step, narrow[1].re, c->data, c_step);
    else if (arithmetic == STN_C128)
        functions.zgemm(major, a_turned, b_turned, m, n, k, &alpha, a->data, a_step, b->data,
                        b_step, &beta, c->data, c_step);
    else
        functions.cgemm(major, a_turned, b_turned, m, n, k, &narrow[0], a->data, a_step, b->data,
                        b_step, &narrow[1], c->data, c_step);
}

/* ---- the other functions ---- */

enum { UPPER = 121, LOWER = 122, NON_UNIT = 131, UNIT = 132, LEFT = 141, RIGHT = 142 };
enum { CONJ_TRANS = 113 };

/* Arguments of every function: scalars for each type, layout, and the matrices' steps. */
typedef struct arguments {
    any_function *function;
    int type, order, is_turned; /* a and b are stored in the other order than c */
    stn_c128 alpha, beta;
    stn_c64 narrow_alpha, narrow_beta;
    int64_t a_step, b_step, c_step;
} arguments;

static int type_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? 0 : arithmetic == STN_F32 ? 1 : arithmetic == STN_C128 ? 2 : 3;
}

/* Returns 0 if the library lacks the function or does not support the views. */
static int set_arguments(arguments *to, const stn_system_call *call, int function)
{
    *to = (arguments){.type = type_of(call->arithmetic),
                      .alpha = call->alpha,
                      .beta = call->beta,
                      .narrow_alpha = {(float)call->alpha.re, (float)call->alpha.im},
                      .narrow_beta = {(float)call->beta.re, (float)call->beta.im}};
    to->function = others[function][to->type];
    if (!to->function || !stn_system_gemm_supports(call->arithmetic, call->a) ||
        !stn_system_gemm_supports(call->arithmetic, call->c) ||
        (call->b && !stn_system_gemm_supports(call->arithmetic, call->b)))
        return 0;
    const int along = along_of(call->c, &to->c_step);
    to->order = along == 1 ? ROW_MAJOR : COLUMN_MAJOR;
    to->is_turned = along_of(call->a, &to->a_step) != along;
    if (call->b)
        (void)along_of(call->b, &to->b_step);
    return 1;
}

/* Types of functions with these scalars: f64, f32, complex, or one complex and one real. */
#define DECLARE_OTHERS(scalars, first, second)                                                     \
    typedef void symm_##scalars(int order, int side, int uplo, blas_size m, blas_size n,           \
                                first alpha, const void *a, blas_size a_step, const void *b,       \
                                blas_size b_step, second beta, void *c, blas_size c_step);         \
    typedef void syrk_##scalars(int order, int uplo, int trans, blas_size n, blas_size k,          \
                                first alpha, const void *a, blas_size a_step, second beta,         \
                                void *c, blas_size c_step);                                        \
    typedef void syr2k_##scalars(int order, int uplo, int trans, blas_size n, blas_size k,         \
                                 first alpha, const void *a, blas_size a_step, const void *b,      \
                                 blas_size b_step, second beta, void *c, blas_size c_step);
DECLARE_OTHERS(f64, double, double)
DECLARE_OTHERS(f32, float, float)
DECLARE_OTHERS(complex, const void *, const void *)
DECLARE_OTHERS(c128_f64, const void *, double)
DECLARE_OTHERS(c64_f32, const void *, float)
#define DECLARE_TRIANGULAR(scalar, number)                                                         \
    typedef void triangular_##scalar(int order, int side, int uplo, int trans, int diag,           \
                                     blas_size m, blas_size n, number alpha, const void *a,        \
                                     blas_size a_step, void *b, blas_size b_step);
DECLARE_TRIANGULAR(f64, double)
DECLARE_TRIANGULAR(f32, float)
DECLARE_TRIANGULAR(complex, const void *)

static const void *alpha_of(const arguments *t)
{
    return t->type == 2 ? (const void *)&t->alpha : &t->narrow_alpha;
}

static const void *beta_of(const arguments *t)
{
    return t->type == 2 ? (const void *)&t->beta : &t->narrow_beta;
}

static int triangle_of(stn_triangle triangle)
{
    return triangle == STN_UPPER ? UPPER : LOWER;
}

/* A symmetric matrix in the other order is its other triangle; a Hermitian one is not. */
int stn_system_symm(const stn_system_call *call)
{
    arguments t;
    int64_t unused;
    if (!set_arguments(&t, call, call->is_hermitian ? HEMM : SYMM) ||
        (along_of(call->b, &unused) == 1) != (t.order == ROW_MAJOR) ||
        (t.is_turned && call->is_hermitian))
        return 0;
    const int side = call->side == STN_SIDE_LEFT ? LEFT : RIGHT;
    const int uplo = triangle_of(t.is_turned ? (stn_triangle)!call->triangle : call->triangle);
    const int64_t m = call->c->extent[0], n = call->c->extent[1];
    const void *const a = call->a->data, *const b = call->b->data;
    if (t.type == 0)
        ((symm_f64 *)t.function)(t.order, side, uplo, m, n, t.alpha.re, a, t.a_step, b, t.b_step,
                                 t.beta.re, call->c->data, t.c_step);
    else if (t.type == 1)
        ((symm_f32 *)t.function)(t.order, side, uplo, m, n, t.narrow_alpha.re, a, t.a_step, b,
                                 t.b_step, t.narrow_beta.re, call->c->data, t.c_step);
    else
        ((symm_complex *)t.function)(t.order, side, uplo, m, n, alpha_of(&t), a, t.a_step, b,
                                     t.b_step, beta_of(&t), call->c->data, t.c_step);
    return 1;
}

static void run_syrk(const stn_system_call *call, const arguments *t, int trans)
{
    const int uplo = triangle_of(call->triangle), is_wide = t->type == 0 || t->type == 2;
    const int64_t n = call->c->extent[0], k = call->a->extent[1];
    const void *const a = call->a->data;
    void *const c = call->c->data;
    if (t->type < 2 || call->is_hermitian) {
        if (is_wide)
            ((syrk_f64 *)t->function)(t->order, uplo, trans, n, k, t->alpha.re, a, t->a_step,
                                      t->beta.re, c, t->c_step);
        else
            ((syrk_f32 *)t->function)(t->order, uplo, trans, n, k, t->narrow_alpha.re, a, t->a_step,
                                      t->narrow_beta.re, c, t->c_step);
    } else {
        ((syrk_complex *)t->function)(t->order, uplo, trans, n, k, alpha_of(t), a, t->a_step,
                                      beta_of(t), c, t->c_step);
    }
}

static void run_syr2k(const stn_system_call *call, const arguments *t, int trans)
{
    const int uplo = triangle_of(call->triangle);
    const int64_t n = call->c->extent[0], k = call->a->extent[1];
    const void *const a = call->a->data, *const b = call->b->data;
    void *const c = call->c->data;
    if (t->type == 0)
        ((syr2k_f64 *)t->function)(t->order, uplo, trans, n, k, t->alpha.re, a, t->a_step, b,
                                   t->b_step, t->beta.re, c, t->c_step);
    else if (t->type == 1)
        ((syr2k_f32 *)t->function)(t->order, uplo, trans, n, k, t->narrow_alpha.re, a, t->a_step, b,
                                   t->b_step, t->narrow_beta.re, c, t->c_step);
    else if (!call->is_hermitian)
        ((syr2k_complex *)t->function)(t->order, uplo, trans, n, k, alpha_of(t), a, t->a_step, b,
                                       t->b_step, beta_of(t), c, t->c_step);
    else if (t->type == 2)
        ((syr2k_c128_f64 *)t->function)(t->order, uplo, trans, n, k, alpha_of(t), a, t->a_step, b,
                                        t->b_step, t->beta.re, c, t->c_step);
    else
        ((syr2k_c64_f32 *)t->function)(t->order, uplo, trans, n, k, alpha_of(t), a, t->a_step, b,
                                       t->b_step, t->narrow_beta.re, c, t->c_step);
}

/* Does b have the order of a? */
static int has_order_of_a(const stn_view *b, const arguments *t)
{
    int64_t unused;
    const int is_row_major = along_of(b, &unused) == 1;
    return (is_row_major == (t->order == ROW_MAJOR)) == !t->is_turned;
}

int stn_system_syrk(const stn_system_call *call)
{
    arguments t;
    const int is_hermitian = call->is_hermitian;
    const int function = call->b ? (is_hermitian ? HER2K : SYR2K) : (is_hermitian ? HERK : SYRK);
    if (!set_arguments(&t, call, function) || (call->b && !has_order_of_a(call->b, &t)) ||
        (is_hermitian && t.is_turned != (call->conj == STN_CONJUGATE)))
        return 0;
    const int trans = !t.is_turned ? NO_TRANS : is_hermitian ? CONJ_TRANS : TRANS;
    (call->b ? run_syr2k : run_syrk)(call, &t, trans);
    return 1;
}

int stn_system_triangular(const stn_system_call *call, int solves)
{
    arguments t;
    if (!set_arguments(&t, call, solves ? TRSM : TRMM))
        return 0;
    const int is_conjugated = t.type >= 2 && call->conj == STN_CONJUGATE;
    if (is_conjugated && !t.is_turned)
        return 0;
    /* The stored triangle is the other one if the matrix is transposed. */
    const int uplo = triangle_of(t.is_turned ? (stn_triangle)!call->triangle : call->triangle);
    const int trans = !t.is_turned ? NO_TRANS : is_conjugated ? CONJ_TRANS : TRANS;
    const int side = call->side == STN_SIDE_LEFT ? LEFT : RIGHT;
    const int diag = call->diagonal == STN_DIAGONAL_UNIT ? UNIT : NON_UNIT;
    const int64_t m = call->c->extent[0], n = call->c->extent[1];
    const void *const a = call->a->data;
    if (t.type == 0)
        ((triangular_f64 *)t.function)(t.order, side, uplo, trans, diag, m, n, t.alpha.re, a,
                                       t.a_step, call->c->data, t.c_step);
    else if (t.type == 1)
        ((triangular_f32 *)t.function)(t.order, side, uplo, trans, diag, m, n, t.narrow_alpha.re, a,
                                       t.a_step, call->c->data, t.c_step);
    else
        ((triangular_complex *)t.function)(t.order, side, uplo, trans, diag, m, n, alpha_of(&t), a,
                                           t.a_step, call->c->data, t.c_step);
    return 1;
}
