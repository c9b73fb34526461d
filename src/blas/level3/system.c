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
